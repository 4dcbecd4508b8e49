//! The checker: reads a proof, follows every step, and believes nothing else. It shares no code with the solver.

use std::collections::HashMap;

/// What is wrong with a proof, and in which line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct ProofError {
    pub line: usize,
    pub reason: String,
}

/// What a correct proof shows.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Checked {
    /// The assumptions that cannot all hold together with the clauses.
    pub assumptions: Vec<i64>,
    /// Clauses taken as given.
    pub inputs: usize,
    /// Clauses of the order theory, each with its cycle.
    pub lemmas: usize,
    /// Clauses derived.
    pub derived: usize,
}

/// Checks a whole proof. It must end in a claim; the last claim counts.
pub fn check(proof: &str) -> Result<Checked, ProofError> {
    check_while(proof, || true).map(Option::unwrap_or_default)
}

/// The same as long as somebody, who is asked before every step, lets it go on; `None` if not.
pub fn check_while(proof: &str, mut goes_on: impl FnMut() -> bool) -> Result<Option<Checked>, ProofError> {
    let mut checker = Checker::default();
    let mut claimed = false;
    for (number, text) in proof.lines().enumerate() {
        if !goes_on() {
            return Ok(None);
        }
        let failed = |reason: String| ProofError { line: number + 1, reason };
        claimed |= checker.line(text).map_err(failed)?;
    }
    if claimed {
        Ok(Some(checker.checked))
    } else {
        Err(ProofError { line: proof.lines().count(), reason: "the proof claims nothing".to_string() })
    }
}

#[derive(Default)]
struct Checker {
    edges: Vec<(i64, i64, i64)>,
    clauses: HashMap<i64, Vec<i64>>,
    /// The assignment of one step; cleared after it.
    values: HashMap<i64, bool>,
    checked: Checked,
}

impl Checker {
    /// Follows one line; true for a claim.
    fn line(&mut self, text: &str) -> Result<bool, String> {
        let Some((kind, rest)) = text.split_once(' ') else {
            return if text.is_empty() { Ok(false) } else { Err("a step without its numbers".to_string()) };
        };
        let numbers = rest
            .split_ascii_whitespace()
            .map(|word| word.parse::<i64>().map_err(|_| format!("`{word}` is not a number")))
            .collect::<Result<Vec<i64>, String>>()?;
        match kind {
            "e" => match numbers[..] {
                [literal, before, after] => self.edges.push((literal, before, after)),
                _ => return Err("an edge has a literal and two events".to_string()),
            },
            "d" => match numbers[..] {
                [id, 0] => {
                    self.clauses.remove(&id).ok_or(format!("clause {id} is not there to delete"))?;
                }
                _ => return Err("one clause is deleted at a time".to_string()),
            },
            "i" => {
                let (id, clause, []) = step(&numbers)? else { return Err("nothing follows a clause".to_string()) };
                self.checked.inputs += 1;
                self.keep(id, clause)?;
            }
            "t" => {
                let (id, clause, justification) = step(&numbers)?;
                self.cycle(clause, closed(justification)?)?;
                self.checked.lemmas += 1;
                self.keep(id, clause)?;
            }
            "l" => {
                let (id, clause, justification) = step(&numbers)?;
                let followed = self.propagates(clause, closed(justification)?);
                self.values.clear();
                followed?;
                self.checked.derived += 1;
                self.keep(id, clause)?;
            }
            "u" => {
                let (id, assumptions, []) = step(&numbers)? else { return Err("nothing follows a claim".to_string()) };
                self.claim(id, assumptions)?;
                return Ok(true);
            }
            _ => return Err(format!("unknown step `{kind}`")),
        }
        Ok(false)
    }

    fn keep(&mut self, id: i64, clause: &[i64]) -> Result<(), String> {
        match self.clauses.insert(id, clause.to_vec()) {
            None => Ok(()),
            Some(_) => Err(format!("the number {id} is given to a second clause")),
        }
    }

    /// The edges go round, and the clause contains the negation of the literal of each.
    fn cycle(&self, clause: &[i64], cycle: &[i64]) -> Result<(), String> {
        let edge = |number: i64| {
            usize::try_from(number - 1)
                .ok()
                .and_then(|index| self.edges.get(index))
                .ok_or(format!("there is no edge {number}"))
        };
        let Some(&last) = cycle.last() else { return Err("an empty cycle".to_string()) };
        let mut place = edge(last)?.2;
        for &number in cycle {
            let &(literal, before, after) = edge(number)?;
            if before != place {
                return Err(format!("edge {number} does not start where the edge before it ends"));
            }
            if literal != 0 && !clause.contains(&-literal) {
                return Err(format!("the clause does not mention edge {number}"));
            }
            place = after;
        }
        Ok(())
    }

    /// With every literal of the clause false, each hint in turn leaves one literal to make true, until one is false.
    fn propagates(&mut self, clause: &[i64], hints: &[i64]) -> Result<(), String> {
        for &literal in clause {
            if self.values.insert(literal.abs(), literal < 0) == Some(literal > 0) {
                return Ok(()); // The clause contains a literal and its negation.
            }
        }
        'hints: for hint in hints {
            let hinted = self.clauses.get(hint).ok_or(format!("clause {hint} is not there"))?;
            let mut open = None;
            for &literal in hinted {
                match self.values.get(&literal.abs()) {
                    Some(&value) if value == (literal > 0) => continue 'hints, // Already true: it adds nothing.
                    Some(_) => {}
                    None if open.is_none() || open == Some(literal) => open = Some(literal),
                    None => return Err(format!("clause {hint} leaves more than one literal open")),
                }
            }
            match open {
                Some(literal) => self.values.insert(literal.abs(), literal > 0),
                None => return Ok(()),
            };
        }
        Err("the hints do not lead to a contradiction".to_string())
    }

    fn claim(&mut self, id: i64, assumptions: &[i64]) -> Result<(), String> {
        let clause = self.clauses.get(&id).ok_or(format!("clause {id} is not there"))?;
        match clause.iter().find(|&&literal| !assumptions.contains(&-literal)) {
            Some(literal) => Err(format!("the literal {literal} of the last clause denies no assumption")),
            None => {
                self.checked.assumptions = assumptions.to_vec();
                Ok(())
            }
        }
    }
}

/// The number of a clause, its literals, and what follows them.
fn step(numbers: &[i64]) -> Result<(i64, &[i64], &[i64]), String> {
    let (&id, rest) = numbers.split_first().ok_or("a clause has a number")?;
    let end = rest.iter().position(|&number| number == 0).ok_or("a clause ends with 0")?;
    Ok((id, &rest[..end], &rest[end + 1..]))
}

fn closed(numbers: &[i64]) -> Result<&[i64], String> {
    match numbers.split_last() {
        Some((0, rest)) => Ok(rest),
        _ => Err("a justification ends with 0".to_string()),
    }
}
