//! Reading proofs.
//!
//! ```text
//! proof    = "selvedge modular proof" number, "program" digest, ( "shows" claim )*, ( thread | witness )*
//! thread   = "thread" function, ( "place" number, possible* )*
//! possible = "possible" ( "before" function "," … )?, ( ( "holds" | "fails" ) predicate )*
//! witness  = "witness" function "edge" number ":" register
//! claim    = "no assertion fails" | "assertion" number | "no data race" ( "on" object )?
//!          | "nothing undefined" | "no signed overflow"
//! ```
//! Each of these begins a line; empty lines and what stands behind `//` do not count.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;
use selvedge_analysis::AbstractObject;
use selvedge_program::{CheckId, EdgeId, FunctionId, Program};
use selvedge_symbolic::predicate::{read_function, read_register, read_root};
use selvedge_symbolic::{Predicate, Root, SyntaxError};

use super::super::{Claim, Claims, ModularProof, Possible};
use super::{THREADS, TITLE, Unreadable, VERSION};
use crate::digest::Digest;

pub fn read(program: &Program, text: &str) -> Result<(ModularProof, Claims), Unreadable> {
    let mut lines = text.lines().enumerate().map(|(at, line)| Line::new(at + 1, line)).filter(|line| !line.is_empty());
    let end = Line { number: text.lines().count() + 1, column: 1, text: "" };
    let first = lines.next().unwrap_or(end);
    let version = first.after(TITLE).ok_or_else(|| first.wrong(format!("`{TITLE} {VERSION}` is expected here")))?;
    if version.text != VERSION.to_string() {
        return Err(Unreadable::Version(version.text.to_owned()));
    }
    let second = lines.next().unwrap_or(end);
    let stated = second.after("program").ok_or_else(|| second.wrong("`program` and its digest are expected here"))?;
    let stated: Digest =
        stated.text.parse().map_err(|()| stated.wrong("a digest of 32 hexadecimal digits is expected here"))?;
    let found = Digest::of(program);
    if stated != found {
        return Err(Unreadable::OtherProgram { stated, found });
    }
    let mut reader = Reader {
        program,
        proof: ModularProof::default(),
        claims: Claims::default(),
        thread: None,
        place: None,
        predicates: FxHashMap::default(),
    };
    for line in lines {
        reader.line(line)?;
    }
    Ok((reader.proof, reader.claims))
}

/// What remains to be read of a line.
#[derive(Clone, Copy)]
struct Line<'t> {
    number: usize,
    /// Where the rest begins, in characters from 1.
    column: usize,
    text: &'t str,
}

impl<'t> Line<'t> {
    fn new(number: usize, whole: &'t str) -> Self {
        let said = whole.split_once("//").map_or(whole, |(said, _)| said);
        Line { number, column: 1, text: said }.skip(0)
    }

    /// Without so many bytes, and without the blanks around what is left.
    fn skip(self, bytes: usize) -> Self {
        let (before, rest) = self.text.split_at(bytes);
        let text = rest.trim_start();
        let blanks = rest.chars().count() - text.chars().count();
        Line { column: self.column + before.chars().count() + blanks, text: text.trim_end(), ..self }
    }

    fn is_empty(self) -> bool {
        self.text.is_empty()
    }

    /// What comes after some words, if the line begins with these.
    fn after(self, words: &str) -> Option<Line<'t>> {
        let rest = self.text.strip_prefix(words)?;
        (rest.is_empty() || rest.starts_with(char::is_whitespace)).then(|| self.skip(words.len()))
    }

    /// What comes before a sign, and after it.
    fn around(self, sign: &str) -> Option<(Line<'t>, Line<'t>)> {
        let at = self.text.find(sign)?;
        let before = Line { text: self.text[..at].trim_end(), ..self };
        Some((before, self.skip(at + sign.len())))
    }

    fn wrong(self, message: impl Into<String>) -> Unreadable {
        Unreadable::Syntax { line: self.number, column: self.column, message: message.into() }
    }

    /// Something wrong within the rest.
    fn wrong_at(self, error: SyntaxError) -> Unreadable {
        Unreadable::Syntax { line: self.number, column: self.column + error.column - 1, message: error.message }
    }

    fn number<N: std::str::FromStr>(self, what: &str) -> Result<N, Unreadable> {
        let digits = Some(self.text).filter(|text| text.bytes().all(|digit| digit.is_ascii_digit()));
        digits.and_then(|digits| digits.parse().ok()).ok_or_else(|| self.wrong(format!("{what} is expected here")))
    }
}

struct Reader<'p> {
    program: &'p Program,
    proof: ModularProof,
    claims: Claims,
    thread: Option<FunctionId>,
    place: Option<(FunctionId, u32)>,
    /// By their texts, most of which occur often.
    predicates: FxHashMap<String, Predicate>,
}

impl Reader<'_> {
    fn line(&mut self, line: Line<'_>) -> Result<(), Unreadable> {
        if let Some(claim) = line.after("shows") {
            if self.thread.is_some() || !self.proof.witnesses.is_empty() {
                return Err(line.wrong("what is shown is said before everything else"));
            }
            let claim = self.claim(claim)?;
            self.claims.insert(claim);
            Ok(())
        } else if let Some(function) = line.after("thread") {
            self.thread = Some(self.function(function)?);
            self.place = None;
            Ok(())
        } else if let Some(number) = line.after("place") {
            self.place(number)
        } else if let Some(rest) = line.after("possible") {
            self.possible(line, rest)
        } else if let Some(text) = line.after("holds") {
            let literal = (self.predicate(text)?, true);
            self.conjunction(line)?.literals.push(literal);
            Ok(())
        } else if let Some(text) = line.after("fails") {
            let literal = (self.predicate(text)?, false);
            self.conjunction(line)?.literals.push(literal);
            Ok(())
        } else if let Some(rest) = line.after("witness") {
            self.witness(rest)
        } else {
            let words = "`shows`, `thread`, `place`, `possible`, `holds`, `fails` or `witness`";
            Err(line.wrong(format!("{words} is expected here")))
        }
    }

    fn function(&self, line: Line<'_>) -> Result<FunctionId, Unreadable> {
        read_function(self.program, line.text).map_err(|error| line.wrong_at(error))
    }

    fn claim(&self, line: Line<'_>) -> Result<Claim, Unreadable> {
        if let Some(object) = line.after("no data race on") {
            return Ok(Claim::RacesOn(self.object(object)?));
        }
        if let Some(number) = line.after("assertion") {
            let check: usize = number.number("the number of an assertion")?;
            let is_there = check < self.program.checks.len();
            let claim = is_there.then(|| Claim::Assertion(CheckId::new(check)));
            return claim.ok_or_else(|| number.wrong("there is no such assertion"));
        }
        match line.text {
            "no assertion fails" => Ok(Claim::Assertions),
            "no data race" => Ok(Claim::Races),
            "nothing undefined" => Ok(Claim::Memory),
            "no signed overflow" => Ok(Claim::Overflow),
            _ => Err(line.wrong(
                "`no assertion fails`, `assertion 3`, `no data race`, `no data race on x`, `nothing undefined` or \
                 `no signed overflow` is expected here",
            )),
        }
    }

    fn object(&self, line: Line<'_>) -> Result<AbstractObject, Unreadable> {
        if line.text == THREADS {
            return Ok(AbstractObject::Thread);
        }
        if line.text.starts_with('&') {
            return Ok(AbstractObject::Function(self.function(line.skip(1))?));
        }
        match read_root(self.program, line.text).map_err(|error| line.wrong_at(error))? {
            Root::Static(object) => Ok(AbstractObject::Static(object)),
            Root::Local(function, slot) => Ok(AbstractObject::Frame(function, slot)),
            Root::One(site) => Ok(AbstractObject::Site(site)),
        }
    }

    fn place(&mut self, line: Line<'_>) -> Result<(), Unreadable> {
        let thread =
            self.thread.ok_or_else(|| line.wrong("a place is that of a thread: `thread` is expected before"))?;
        let place = (thread, line.number("the number of a place")?);
        if self.proof.places.insert(place, Vec::new()).is_some() {
            return Err(line.wrong("this place was there already"));
        }
        self.place = Some(place);
        Ok(())
    }

    /// What is said of the place that is being read.
    fn said(&mut self, line: Line<'_>) -> Result<&mut Vec<Possible>, Unreadable> {
        let said = self.place.and_then(|place| self.proof.places.get_mut(&place));
        said.ok_or_else(|| line.wrong("this is said of a place: `place` is expected before"))
    }

    fn possible(&mut self, line: Line<'_>, rest: Line<'_>) -> Result<(), Unreadable> {
        let mut unstarted = BTreeSet::new();
        if !rest.is_empty() {
            let mut left =
                rest.after("before").ok_or_else(|| rest.wrong("`before` and functions are expected here"))?;
            while let Some((function, more)) = left.around(",") {
                unstarted.insert(self.function(function)?);
                left = more;
            }
            unstarted.insert(self.function(left)?);
        }
        self.said(line)?.push(Possible { unstarted, literals: Vec::new() });
        Ok(())
    }

    fn predicate(&mut self, line: Line<'_>) -> Result<Predicate, Unreadable> {
        if let Some(known) = self.predicates.get(line.text) {
            return Ok(known.clone());
        }
        let read = Predicate::parse(self.program, line.text).map_err(|error| line.wrong_at(error))?;
        if !read.fits(self.program) {
            return Err(line.wrong("this speaks of something that the program does not have"));
        }
        self.predicates.insert(line.text.to_owned(), read.clone());
        Ok(read)
    }

    /// The conjunction that is being read.
    fn conjunction(&mut self, line: Line<'_>) -> Result<&mut Possible, Unreadable> {
        let possible = self.said(line)?.last_mut();
        possible.ok_or_else(|| line.wrong("this is a part of something possible: `possible` is expected before"))
    }

    fn witness(&mut self, line: Line<'_>) -> Result<(), Unreadable> {
        let wrong = || line.wrong("a witness such as `worker edge 3: worker::p` is expected here");
        let (edge, register) = line.around(":").ok_or_else(wrong)?;
        let (function, number) = edge.around(" edge ").ok_or_else(wrong)?;
        let function = self.function(function)?;
        let edge: usize = number.number("the number of an edge")?;
        if edge >= self.program.function(function).edges.len() {
            return Err(number.wrong("the function has no such edge"));
        }
        let (of, read) = read_register(self.program, register.text).map_err(|error| register.wrong_at(error))?;
        if of != function {
            return Err(register.wrong("a register of the same function is expected here"));
        }
        if self.proof.witnesses.insert((function, EdgeId::new(edge)), read).is_some() {
            return Err(line.wrong("this edge has a witness already"));
        }
        self.place = None;
        Ok(())
    }
}
