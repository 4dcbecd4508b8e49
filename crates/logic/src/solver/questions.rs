//! Very many small questions that have little to do with each other. One solver that keeps the circuits of all of them
//! takes longer for each, since a satisfying assignment is one of everything that was ever asked about (and sometimes
//! very long, where it guesses what comes out of circuits before what goes in); so it starts over whenever there is
//! much of that.

use super::{Model, Solver};
use crate::error::Result;
use crate::sat::{Answer, Limits};
use crate::terms::{Term, Terms};

/// With more gates than this, a solver is given up for a new one.
const MOST_GATES: usize = 300;

/// Answers questions, each by itself.
#[derive(Debug)]
pub struct Questions {
    solver: Solver,
    limits: Limits,
    most_gates: usize,
}

impl Questions {
    pub fn new(limits: Limits) -> Self {
        Questions::keeping(limits, MOST_GATES)
    }

    /// For questions of which many have much to do with those just before: a solver is given up when it has more gates
    /// than this.
    pub fn keeping(limits: Limits, most_gates: usize) -> Self {
        Questions { solver: Self::solver(&limits), limits, most_gates }
    }

    fn solver(limits: &Limits) -> Solver {
        let mut solver = Solver::for_small_questions();
        solver.set_limits(limits.clone());
        solver
    }

    /// Can these hold together?
    pub fn check(&mut self, terms: &Terms, conditions: &[Term]) -> Result<Answer> {
        if self.solver.gates() > self.most_gates {
            self.solver = Self::solver(&self.limits);
        }
        self.solver.check(terms, conditions)
    }

    /// After an answer that they can: an assignment under which they do.
    pub fn model(&mut self, terms: &Terms) -> Result<Model> {
        self.solver.some_model(terms)
    }

    /// After an answer that they cannot: conditions that cannot, not necessarily few.
    pub fn core(&self) -> Result<Vec<Term>> {
        self.solver.core()
    }

    /// Makes the core one of which every part is needed.
    pub fn minimise_core(&mut self) -> Result<()> {
        self.solver.minimise_core()
    }
}
