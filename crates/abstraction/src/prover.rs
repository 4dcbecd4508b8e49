//! Questions to the solver, counted as the paper counts them.

use rustc_hash::FxHashSet;
use selvedge_logic::{Answer, Cancellation, Limits, Questions, Term, Terms};
use selvedge_program::{Budget, Exhausted};

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    Exhausted(Exhausted),
    /// A mistake of ours.
    Internal(String),
}

impl From<selvedge_logic::Error> for Stop {
    fn from(error: selvedge_logic::Error) -> Self {
        Stop::Internal(error.to_string())
    }
}

#[derive(Debug)]
pub struct Prover<'b> {
    solver: Questions,
    budget: &'b Budget,
    /// How many questions were asked.
    pub queries: u64,
    /// What the last one was answered with.
    was_possible: bool,
}

impl<'b> Prover<'b> {
    pub fn new(budget: &'b Budget) -> Self {
        let solver = Questions::new(Limits {
            deadline: budget.deadline,
            cancellation: Some(Cancellation::from_flag(budget.cancel.clone())),
            conflicts: None,
        });
        Prover { solver, budget, queries: 0, was_possible: true }
    }

    /// Looks at the budget.
    pub fn poll(&self) -> Result<(), Stop> {
        self.budget.exhausted().map_or(Ok(()), |exhausted| Err(Stop::Exhausted(exhausted)))
    }

    /// Whether these conditions can hold together.
    pub fn can_hold(&mut self, terms: &Terms, conditions: &[Term]) -> Result<bool, Stop> {
        self.poll()?;
        self.queries += 1;
        match self.solver.check(terms, conditions)? {
            Answer::Satisfiable => {
                self.was_possible = true;
                Ok(true)
            }
            Answer::Unsatisfiable => {
                self.was_possible = false;
                Ok(false)
            }
            // Without a limit on conflicts only the budget ends a question.
            Answer::Unknown(_) => Err(Stop::Exhausted(self.budget.exhausted().unwrap_or(Exhausted::Cancelled))),
        }
    }

    /// If questions were asked since there were so many, and the last of them was answered with no: conditions that
    /// cannot hold together, not necessarily few.
    pub fn last_core(&mut self, asked: u64) -> Result<Option<FxHashSet<Term>>, Stop> {
        if self.queries == asked || self.was_possible {
            return Ok(None);
        }
        Ok(Some(self.solver.core()?.into_iter().collect()))
    }

    /// After [`Prover::can_hold`] said no: conditions that cannot hold together.
    pub fn core(&mut self) -> Result<Vec<Term>, Stop> {
        self.solver.minimise_core()?;
        Ok(self.solver.core()?)
    }
}
