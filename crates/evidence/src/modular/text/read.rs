//! Reading proofs.
//!
//! ```text
//! body     = ( thread | witness )*
//! thread   = "thread" function, ( "place" number, possible* )*
//! possible = "possible" ( "before" function "," … )?, ( ( "holds" | "fails" ) predicate )*
//! witness  = "witness" function "edge" number ":" register
//! ```
//! Each of these begins a line; empty lines and what stands behind `//` do not count.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;
use selvedge_program::{EdgeId, FunctionId, Program};
use selvedge_symbolic::Predicate;
use selvedge_symbolic::predicate::{read_function, read_register};

use super::super::{ModularProof, Possible};
use crate::file::lines::{Line, Unreadable};

pub fn read(program: &Program, body: &[Line<'_>]) -> Result<ModularProof, Unreadable> {
    let mut reader =
        Reader { program, proof: ModularProof::default(), thread: None, place: None, predicates: FxHashMap::default() };
    for line in body {
        reader.line(*line)?;
    }
    Ok(reader.proof)
}

struct Reader<'p> {
    program: &'p Program,
    proof: ModularProof,
    thread: Option<FunctionId>,
    place: Option<(FunctionId, u32)>,
    /// By their texts, most of which occur often.
    predicates: FxHashMap<String, Predicate>,
}

impl Reader<'_> {
    fn line(&mut self, line: Line<'_>) -> Result<(), Unreadable> {
        if let Some(function) = line.after("thread") {
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
            let words = "`thread`, `place`, `possible`, `holds`, `fails` or `witness`";
            Err(line.wrong(format!("{words} is expected here")))
        }
    }

    fn function(&self, line: Line<'_>) -> Result<FunctionId, Unreadable> {
        read_function(self.program, line.text).map_err(|error| line.wrong_at(error))
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
