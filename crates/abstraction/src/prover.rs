//! Questions to the solver, counted as the paper counts them.

use rustc_hash::FxHashSet;
use selvedge_logic::{Answer, Cancellation, Limits, Questions, Term, Terms};
use selvedge_program::{Budget, Exhausted};

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    Exhausted(Exhausted),
    /// What was allowed for this piece of work is spent: see [`Prover::allow`].
    Spent,
    /// A mistake of ours.
    Internal(String),
}

impl From<Exhausted> for Stop {
    fn from(limit: Exhausted) -> Self {
        Stop::Exhausted(limit)
    }
}

impl From<selvedge_logic::Error> for Stop {
    fn from(error: selvedge_logic::Error) -> Self {
        Stop::Internal(error.to_string())
    }
}

/// How many conflicts a question may take. Not a time, so that the answer is the same on every machine.
const MOST_CONFLICTS: u32 = 4_000;

#[derive(Debug)]
pub struct Prover<'b> {
    solver: Questions,
    budget: &'b Budget,
    /// How many questions were asked.
    pub queries: u64,
    /// What the last one was answered with.
    was_possible: bool,
    /// How many questions and looks at the budget there are left for the piece of work at hand.
    allowance: Option<u64>,
}

impl<'b> Prover<'b> {
    pub fn new(budget: &'b Budget) -> Self {
        let solver = Questions::new(Limits {
            deadline: budget.deadline,
            cancellation: Some(Cancellation::from_flag(budget.cancel.clone())),
            conflicts: Some(MOST_CONFLICTS),
        });
        Prover { solver, budget, queries: 0, was_possible: true, allowance: None }
    }

    /// From now on there are so many questions and looks at the budget, or any number. Not a time, so that what comes
    /// out is the same on every machine.
    pub fn allow(&mut self, allowance: Option<u64>) {
        self.allowance = allowance;
    }

    /// Looks at the budget.
    pub fn poll(&mut self) -> Result<(), Stop> {
        self.budget.check()?;
        match &mut self.allowance {
            Some(0) => Err(Stop::Spent),
            Some(left) => {
                *left -= 1;
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// Whether these conditions can hold together, as far as is found out with little effort: then less is known.
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
            Answer::Unknown(_) => {
                self.budget.check()?;
                self.was_possible = true;
                Ok(true)
            }
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
