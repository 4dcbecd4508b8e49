//! Writes a proof while the solver works.

use std::fmt::Write;

use rustc_hash::FxHashSet;

/// A proof in the making.
#[derive(Debug, Default)]
pub struct Recorder {
    text: String,
    /// Clauses the solver has set aside and may take up again under the same number: their deletion is not written.
    kept: FxHashSet<i64>,
    /// The cycle behind the clause that the theory is handing over.
    cycle: Option<Vec<u32>>,
    /// The clause that settled the last unsatisfiable question.
    conclusion: Option<i64>,
}

impl Recorder {
    /// An edge of the order theory.
    pub(crate) fn edge(&mut self, literal: i32, before: u32, after: u32) {
        let _ = writeln!(self.text, "e {literal} {before} {after}");
    }

    /// The next clause that is given comes from the theory, because of this cycle of edges.
    pub(crate) fn justify(&mut self, cycle: Vec<u32>) {
        self.cycle = Some(cycle);
    }

    /// A new question: a clause that was announced and never handed over is not coming any more.
    pub(crate) fn begin(&mut self) {
        self.cycle = None;
        self.conclusion = None;
    }

    pub(crate) fn given(&mut self, id: i64, clause: &[i32]) {
        match self.cycle.take() {
            Some(cycle) => {
                self.clause('t', id, clause);
                for edge in cycle {
                    let _ = write!(self.text, " {edge}");
                }
                self.text.push_str(" 0\n");
            }
            None => {
                self.clause('i', id, clause);
                self.text.push('\n');
            }
        }
    }

    pub(crate) fn derived(&mut self, id: i64, clause: &[i32], antecedents: &[i64]) {
        self.clause('l', id, clause);
        for antecedent in antecedents {
            let _ = write!(self.text, " {antecedent}");
        }
        self.text.push_str(" 0\n");
    }

    pub(crate) fn deleted(&mut self, id: i64) {
        if self.conclusion != Some(id) && !self.kept.contains(&id) {
            let _ = writeln!(self.text, "d {id} 0");
        }
    }

    pub(crate) fn kept(&mut self, id: i64) {
        self.kept.insert(id);
    }

    pub(crate) fn concluded(&mut self, clauses: &[i64]) {
        self.conclusion = clauses.last().copied();
    }

    /// The proof that the assumptions of the last unsatisfiable question contradict the clauses.
    pub(crate) fn proof(&self, assumptions: &[i32]) -> Option<String> {
        let conclusion = self.conclusion?;
        let mut text = self.text.clone();
        let _ = write!(text, "u {conclusion}");
        for literal in assumptions {
            let _ = write!(text, " {literal}");
        }
        text.push_str(" 0\n");
        Some(text)
    }

    fn clause(&mut self, kind: char, id: i64, clause: &[i32]) {
        let _ = write!(self.text, "{kind} {id}");
        for literal in clause {
            let _ = write!(self.text, " {literal}");
        }
        self.text.push_str(" 0");
    }
}
