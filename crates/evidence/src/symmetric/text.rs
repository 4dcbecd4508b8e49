//! Symmetric proofs as text.
//!
//! ```text
//! body          = configuration*
//! configuration = "configuration", literal*, count*, ( "thread" function "at" number, literal* )*
//! literal       = ( "holds" | "fails" ) predicate
//! count         = ( "fewer than" | "at least" ) number "threads of" function "at" set ( "or ended" )?
//! ```
//! Literals before the first thread of a configuration are about the shared cells, those behind a thread about that one.

use super::count::{Fewer, Group};
use super::{BadConfiguration, BadThread, SymmetricProof};
use crate::file::lines::{Line, Unreadable};
use crate::file::sets::{read_set, set_text};
use crate::file::write_line;
use selvedge_program::Program;
use selvedge_symbolic::Predicate;
use selvedge_symbolic::predicate::{function_name, read_function};

/// More places than this are not there.
const MOST_PLACES: u32 = 1_000_000;

impl SymmetricProof {
    /// Writes it.
    pub(crate) fn write(&self, program: &Program, text: &mut String) {
        for BadConfiguration { shared, counts, threads } in &self.bad {
            write_line(text, "configuration", "never reached");
            write_literals(program, shared, text);
            for (fewer, truth) in counts {
                write_count(program, fewer, *truth, text);
            }
            for BadThread { entry, place, literals } in threads {
                write_line(text, &format!("thread {} at {place}", function_name(program, *entry)), "");
                write_literals(program, literals, text);
            }
        }
    }

    /// Reads what [`SymmetricProof::write`] writes.
    pub(crate) fn read(program: &Program, body: &[Line<'_>]) -> Result<SymmetricProof, Unreadable> {
        let mut proof = SymmetricProof::default();
        for line in body {
            if line.text == "configuration" {
                proof.bad.push(BadConfiguration { shared: Vec::new(), counts: Vec::new(), threads: Vec::new() });
                continue;
            }
            let configuration = proof.bad.last_mut().ok_or_else(|| line.wrong("`configuration` is expected here"))?;
            if let Some(rest) = line.after("thread") {
                let (name, place) = rest.around(" at ").ok_or_else(|| rest.wrong("`at` and a place are expected"))?;
                let entry = read_function(program, name.text).map_err(|error| name.wrong_at(error))?;
                let place = place.number("the number of a place")?;
                configuration.threads.push(BadThread { entry, place, literals: Vec::new() });
            } else if let Some(count) = read_count(program, *line)? {
                if !configuration.threads.is_empty() {
                    return Err(line.wrong("how many threads there are comes before the first of them"));
                }
                configuration.counts.push(count);
            } else {
                let literal = read_literal(program, *line)?;
                match configuration.threads.last_mut() {
                    Some(thread) => thread.literals.push(literal),
                    None => configuration.shared.push(literal),
                }
            }
        }
        Ok(proof)
    }
}

fn write_literals(program: &Program, literals: &[(Predicate, bool)], text: &mut String) {
    for (predicate, truth) in literals {
        let word = if *truth { "holds" } else { "fails" };
        write_line(text, &format!("  {word} {}", predicate.text(program)), "");
    }
}

fn write_count(program: &Program, Fewer { than, group }: &Fewer, truth: bool, text: &mut String) {
    let words = if truth { "fewer than" } else { "at least" };
    let ended = if group.ended { " or ended" } else { "" };
    let (name, places) = (function_name(program, group.entry), set_text(&group.places));
    let line = format!("  {words} {than} threads of {name} at {places}{ended}");
    write_line(text, &line, "");
}

/// `None` if the line is not about how many threads there are.
fn read_count(program: &Program, line: Line<'_>) -> Result<Option<(Fewer, bool)>, Unreadable> {
    let (rest, truth) = match (line.after("fewer than"), line.after("at least")) {
        (Some(rest), _) => (rest, true),
        (None, Some(rest)) => (rest, false),
        (None, None) => return Ok(None),
    };
    let (than, rest) = rest.around(" threads of ").ok_or_else(|| rest.wrong("`threads of` is expected here"))?;
    let than = than.number("a number of threads")?;
    let (name, rest) = rest.around(" at ").ok_or_else(|| rest.wrong("`at` and places are expected"))?;
    let entry = read_function(program, name.text).map_err(|error| name.wrong_at(error))?;
    let (places, ended) = match rest.text.strip_suffix(" or ended") {
        Some(places) => (Line { text: places, ..rest }, true),
        None => (rest, false),
    };
    let group = Group { entry, places: read_set(places, MOST_PLACES)?, ended };
    Ok(Some((Fewer { than, group }, truth)))
}

fn read_literal(program: &Program, line: Line<'_>) -> Result<(Predicate, bool), Unreadable> {
    for (word, truth) in [("holds", true), ("fails", false)] {
        if let Some(text) = line.after(word) {
            let predicate = Predicate::parse(program, text.text).map_err(|error| text.wrong_at(error))?;
            return Ok((predicate, truth));
        }
    }
    Err(line.wrong("`configuration`, `thread`, `holds`, `fails`, `fewer than` or `at least` is expected here"))
}
