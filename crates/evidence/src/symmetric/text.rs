//! Symmetric proofs as text.
//!
//! ```text
//! body          = configuration*
//! configuration = "configuration", literal*, ( "thread" function "at" number, literal* )*
//! literal       = ( "holds" | "fails" ) predicate
//! ```
//! Literals before the first thread of a configuration are about the shared cells, those behind a thread about that one.

use super::{BadConfiguration, BadThread, SymmetricProof};
use crate::file::lines::{Line, Unreadable};
use crate::file::write_line;
use selvedge_program::Program;
use selvedge_symbolic::Predicate;
use selvedge_symbolic::predicate::{function_name, read_function};

impl SymmetricProof {
    /// Writes it.
    pub(crate) fn write(&self, program: &Program, text: &mut String) {
        for BadConfiguration { shared, threads } in &self.bad {
            write_line(text, "configuration", "never reached");
            write_literals(program, shared, text);
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
                proof.bad.push(BadConfiguration { shared: Vec::new(), threads: Vec::new() });
                continue;
            }
            let configuration = proof.bad.last_mut().ok_or_else(|| line.wrong("`configuration` is expected here"))?;
            if let Some(rest) = line.after("thread") {
                let (name, place) = rest.around(" at ").ok_or_else(|| rest.wrong("`at` and a place are expected"))?;
                let entry = read_function(program, name.text).map_err(|error| name.wrong_at(error))?;
                let place = place.number("the number of a place")?;
                configuration.threads.push(BadThread { entry, place, literals: Vec::new() });
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

fn read_literal(program: &Program, line: Line<'_>) -> Result<(Predicate, bool), Unreadable> {
    for (word, truth) in [("holds", true), ("fails", false)] {
        if let Some(text) = line.after(word) {
            let predicate = Predicate::parse(program, text.text).map_err(|error| text.wrong_at(error))?;
            return Ok((predicate, truth));
        }
    }
    Err(line.wrong("`configuration`, `thread`, `holds` or `fails` is expected here"))
}
