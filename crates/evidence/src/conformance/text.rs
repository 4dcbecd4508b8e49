//! Conformance proofs as files: the program by its digest, the contract word by word, and what the proof says.
//!
//! ```text
//! selvedge conformance 1
//! program 0123456789abcdef0123456789abcdef
//! data model LP64
//!
//! contract bluetooth.threads
//! | shared int stopped = 0;
//! end
//!
//! thread pnp_stop
//! place 12
//! possible waiting, releasing
//!   holds status > 0
//!   fails i == 0
//! doubt pnp_stop edge 3
//! ```
//! A place of the first thread before it has started another one is `place 3 alone`. Behind `//` stands what is for people,
//! but not in the contract.

use std::fmt::Write;

use selvedge_program::{DataModel, EdgeId, FunctionId, Program};
use selvedge_symbolic::Predicate;
use selvedge_symbolic::predicate::{function_name, read_function};

use super::{ConformanceProof, Contract, Place, Possible, States};
use crate::digest::Digest;
use crate::file::lines::{Line, Unreadable};
use crate::file::write_line;

const TITLE: &str = "selvedge conformance";
const VERSION: u32 = 1;

/// Whether a text begins like a conformance proof.
pub fn is_conformance(text: &str) -> bool {
    text.lines().find(|line| !line.trim().is_empty()).is_some_and(|line| line.starts_with(TITLE))
}

/// A conformance proof in a file, as far as it can be read without the contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConformanceFile {
    /// For which program it is.
    pub digest: Digest,
    /// How that was compiled.
    pub data_model: DataModel,
    /// What the file of the contract is called.
    pub name: String,
    /// The text of the contract.
    pub contract: String,
    /// What the proof says, and the number of its first line.
    body: (usize, String),
}

impl ConformanceFile {
    /// The text of a proof; `name` and `text` are the contract's.
    pub fn text(
        program: &Program,
        (name, text): (&str, &str),
        contract: &Contract,
        proof: &ConformanceProof,
    ) -> String {
        let mut out = String::new();
        let data_model = match program.data_model {
            DataModel::Lp64 => "LP64",
            DataModel::Ilp32 => "ILP32",
        };
        let name: String = name.split_whitespace().collect::<Vec<_>>().join(" ");
        let _ = writeln!(out, "{TITLE} {VERSION}\nprogram {}\ndata model {data_model}\n", Digest::of(program));
        let _ = writeln!(out, "contract {name}");
        for line in text.lines() {
            let _ = writeln!(out, "| {line}");
        }
        out.push_str("end\n");
        for (function, places) in &proof.threads {
            let (to, _) = contract.thread(*function);
            let _ = writeln!(out, "\nthread {}", function_name(program, *function));
            for (place, all) in places {
                let alone = if place.is_alone { " alone" } else { "" };
                let _ = writeln!(out, "place {}{alone}", place.node);
                for possible in all {
                    let names = possible.states.iter().filter_map(|state| to.names.get(*state));
                    let names: Vec<&str> = names.map(String::as_str).collect();
                    let _ = writeln!(out, "{}", format!("possible {}", names.join(", ")).trim_end());
                    for (predicate, truth) in &possible.literals {
                        let word = if *truth { "holds" } else { "fails" };
                        let _ = writeln!(out, "  {word} {}", predicate.text(program));
                    }
                }
            }
        }
        for (function, edge) in &proof.doubts {
            let line = format!("doubt {} edge {}", function_name(program, *function), edge.index());
            write_line(&mut out, &line, &program.place(program.function(*function).edge(*edge).span));
        }
        out
    }

    /// Reads what a file is about.
    ///
    /// # Errors
    /// When it is no conformance proof.
    pub fn parse(text: &str) -> Result<ConformanceFile, Unreadable> {
        let mut lines = text.lines().enumerate().map(|(at, line)| (Line::new(at + 1, line), line));
        let end = Line { number: text.lines().count() + 1, column: 1, text: "" };
        let mut next = |words: &str| {
            let line = lines.by_ref().map(|(line, _)| line).find(|line| !line.is_empty()).unwrap_or(end);
            line.after(words).ok_or_else(|| line.wrong(format!("`{words}` is expected here")))
        };
        let version = next(TITLE)?;
        if version.text != VERSION.to_string() {
            return Err(Unreadable::Version(version.text.chars().take(40).collect()));
        }
        let digest = next("program")?;
        let digest =
            digest.text.parse().map_err(|()| digest.wrong("a digest of 32 hexadecimal digits is expected here"))?;
        let model = next("data model")?;
        let data_model = match model.text {
            "LP64" => DataModel::Lp64,
            "ILP32" => DataModel::Ilp32,
            _ => return Err(model.wrong("`LP64` or `ILP32` is expected here")),
        };
        let named = next("contract")?;
        let mut contract = String::new();
        let mut first = None;
        for (line, whole) in lines.by_ref() {
            match whole.strip_prefix('|') {
                Some(said) => {
                    contract.push_str(said.strip_prefix(' ').unwrap_or(said));
                    contract.push('\n');
                }
                None if line.text == "end" => {
                    first = Some(line.number + 1);
                    break;
                }
                None => return Err(line.wrong("a line of the contract behind `|`, or `end`, is expected here")),
            }
        }
        let first = first.ok_or_else(|| end.wrong("`end` of the contract is expected here"))?;
        let body: Vec<&str> = lines.map(|(_, whole)| whole).collect();
        Ok(ConformanceFile {
            digest,
            data_model,
            name: named.text.to_owned(),
            contract,
            body: (first, body.join("\n")),
        })
    }

    /// Reads the proof. It is not checked: [`super::certify`] does that.
    ///
    /// # Errors
    /// When it is about another program, or names something that the program or the contract does not have.
    pub fn proof(&self, program: &Program, contract: &Contract) -> Result<ConformanceProof, Unreadable> {
        let found = Digest::of(program);
        if self.digest != found {
            return Err(Unreadable::OtherProgram { stated: self.digest, found });
        }
        let mut reader = Reader { program, contract, proof: ConformanceProof::default(), thread: None, place: None };
        for (at, line) in self.body.1.lines().enumerate() {
            let line = Line::new(self.body.0 + at, line);
            if !line.is_empty() {
                reader.line(line)?;
            }
        }
        Ok(reader.proof)
    }
}

struct Reader<'a> {
    program: &'a Program,
    contract: &'a Contract,
    proof: ConformanceProof,
    thread: Option<FunctionId>,
    place: Option<Place>,
}

impl Reader<'_> {
    fn line(&mut self, line: Line<'_>) -> Result<(), Unreadable> {
        if let Some(rest) = line.after("thread") {
            let thread = read_function(self.program, rest.text).map_err(|error| rest.wrong_at(error))?;
            if self.proof.threads.insert(thread, Default::default()).is_some() {
                return Err(rest.wrong("this thread was there already"));
            }
            (self.thread, self.place) = (Some(thread), None);
            return Ok(());
        }
        if let Some(rest) = line.after("place") {
            let thread = self.thread.ok_or_else(|| line.wrong("`thread` is expected before"))?;
            let (number, is_alone) = match rest.around(" alone") {
                Some((number, more)) if more.is_empty() => (number, true),
                _ => (rest, false),
            };
            let place = Place { node: number.number("the number of a place")?, is_alone };
            let places = self.proof.threads.entry(thread).or_default();
            if places.insert(place, Vec::new()).is_some() {
                return Err(rest.wrong("this place was there already"));
            }
            self.place = Some(place);
            return Ok(());
        }
        if let Some(rest) = line.after("possible") {
            let states = self.states(rest)?;
            self.said(line)?.push(Possible { states, literals: Vec::new() });
            return Ok(());
        }
        for (word, truth) in [("holds", true), ("fails", false)] {
            if let Some(rest) = line.after(word) {
                let predicate = Predicate::parse(self.program, rest.text).map_err(|error| rest.wrong_at(error))?;
                let possible = self.said(line)?.last_mut();
                let possible = possible.ok_or_else(|| line.wrong("`possible` is expected before"))?;
                possible.literals.push((predicate, truth));
                return Ok(());
            }
        }
        let doubt = line.after("doubt").and_then(|rest| rest.around(" edge "));
        let Some((function, edge)) = doubt else {
            let words = "`thread`, `place`, `possible`, `holds`, `fails` or `doubt`";
            return Err(line.wrong(format!("{words} is expected here")));
        };
        let function = read_function(self.program, function.text).map_err(|error| function.wrong_at(error))?;
        let number: usize = edge.number("the number of an edge")?;
        if number >= self.program.function(function).edges.len() {
            return Err(edge.wrong("the function has no such edge"));
        }
        self.proof.doubts.insert((function, EdgeId::new(number)));
        Ok(())
    }

    fn said(&mut self, line: Line<'_>) -> Result<&mut Vec<Possible>, Unreadable> {
        let (thread, place) = (self.thread, self.place);
        let places = thread.and_then(|thread| self.proof.threads.get_mut(&thread));
        let said = places.zip(place).and_then(|(places, place)| places.get_mut(&place));
        said.ok_or_else(|| line.wrong("`place` is expected before"))
    }

    fn states(&self, line: Line<'_>) -> Result<States, Unreadable> {
        let mut states = States::new();
        let Some(thread) = self.thread else { return Err(line.wrong("`thread` is expected before")) };
        let (to, _) = self.contract.thread(thread);
        for name in line.text.split(',').map(str::trim).filter(|name| !name.is_empty()) {
            let state = to.names.iter().position(|known| known == name);
            states.insert(state.ok_or_else(|| line.wrong(format!("the abstract thread has no state `{name}`")))?);
        }
        Ok(states)
    }
}
