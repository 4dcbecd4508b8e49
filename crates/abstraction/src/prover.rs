//! Questions to the solver, counted as the paper counts them.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use selvedge_logic::{Answer, Cancellation, Limits, Questions, Term, Terms};
use selvedge_program::{Budget, Exhausted};

use crate::guess::Guesses;

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    Exhausted(Exhausted),
    /// What was allowed for this piece of work is spent: see [`Prover::allow`].
    Spent,
    /// A mistake of ours.
    Internal(String),
}

impl Stop {
    /// The limit that was met.
    ///
    /// # Errors
    /// A mistake of ours, in words.
    pub fn limit(self) -> Result<Exhausted, String> {
        match self {
            Stop::Exhausted(limit) => Ok(limit),
            Stop::Spent => Err("more was spent than was allowed".to_owned()),
            Stop::Internal(what) => Err(what),
        }
    }
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

/// With more gates than this, a solver that is kept for long is given up for a new one.
const MOST_GATES: usize = 20_000;

#[derive(Debug)]
pub struct Prover<'b> {
    solver: Questions,
    /// For questions that have much in common: see [`Prover::share`].
    sharing: Questions,
    is_sharing: bool,
    guesses: Guesses,
    budget: &'b Budget,
    /// How many questions the solver was asked.
    pub queries: u64,
    /// What was asked before is not asked again: of conditions that cannot hold together, some that cannot.
    answers: FxHashMap<Vec<Term>, Option<Rc<[Term]>>>,
    /// The answer to the last question, and how many there were, also those that had been asked before.
    last: Option<Rc<[Term]>>,
    asked: u64,
    /// How many questions and looks at the budget there are left for the piece of work at hand.
    allowance: Option<u64>,
}

impl<'b> Prover<'b> {
    pub fn new(budget: &'b Budget) -> Self {
        let limits = Limits {
            deadline: budget.deadline,
            cancellation: Some(Cancellation::from_flag(budget.cancel.clone())),
            conflicts: Some(MOST_CONFLICTS),
        };
        Prover {
            solver: Questions::new(limits.clone()),
            sharing: Questions::keeping(limits, MOST_GATES),
            is_sharing: false,
            guesses: Guesses::default(),
            budget,
            queries: 0,
            answers: FxHashMap::default(),
            last: None,
            asked: 0,
            allowance: None,
        }
    }

    /// Whether the questions from now on have much in common: then the solver keeps what it knows for longer.
    pub fn share(&mut self, is_sharing: bool) {
        self.is_sharing = is_sharing;
    }

    fn solver(&mut self) -> &mut Questions {
        if self.is_sharing { &mut self.sharing } else { &mut self.solver }
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
        self.asked += 1;
        let mut key = conditions.to_vec();
        key.sort_unstable();
        key.dedup();
        if let Some(known) = self.answers.get(&key) {
            self.last = known.clone();
            return Ok(known.is_none());
        }
        let can = self.is_possible(terms, conditions)?;
        self.last = if can { None } else { Some(self.solver().core()?.into()) };
        self.answers.insert(key, self.last.clone());
        Ok(can)
    }

    fn is_possible(&mut self, terms: &Terms, conditions: &[Term]) -> Result<bool, Stop> {
        if self.guesses.hold(terms, conditions) {
            return Ok(true);
        }
        self.queries += 1;
        match self.solver().check(terms, conditions)? {
            Answer::Satisfiable => Ok(true),
            Answer::Unsatisfiable => Ok(false),
            Answer::Unknown(_) => {
                self.budget.check()?;
                Ok(true)
            }
        }
    }

    /// How many questions there were, also those that had been asked before.
    pub fn asked(&self) -> u64 {
        self.asked
    }

    /// If questions were asked since there were so many, and the last of them was answered with no: conditions that
    /// cannot hold together, not necessarily few.
    pub fn last_core(&self, asked: u64) -> Option<&[Term]> {
        if self.asked == asked { None } else { self.last.as_deref() }
    }

    /// If these conditions cannot hold together: few of them that cannot.
    pub fn contradiction(&mut self, terms: &Terms, conditions: &[Term]) -> Result<Option<Vec<Term>>, Stop> {
        self.poll()?;
        if self.is_possible(terms, conditions)? {
            return Ok(None);
        }
        self.solver().minimise_core()?;
        Ok(Some(self.solver().core()?))
    }
}
