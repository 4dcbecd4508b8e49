//! What the rest of the crate needs from a satisfiability solver: a narrow trait, so that another solver can stand
//! beside the embedded one ([`Cadical`], the only module that knows its types).

mod cadical;
mod limits;

use std::cell::RefCell;
use std::rc::Rc;

pub use cadical::Cadical;
pub use limits::{Cancellation, Limits};

use crate::proof::Recorder;

/// A variable or its negation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Lit(i32);

impl Lit {
    /// From DIMACS notation: a variable's number, negative for its negation; never 0.
    pub(crate) fn from_dimacs(number: i32) -> Self {
        debug_assert!(number != 0 && number != i32::MIN);
        Lit(number)
    }

    /// The variable's number, negative for its negation.
    pub fn dimacs(self) -> i32 {
        self.0
    }

    /// A dense index: two per variable.
    pub(crate) fn index(self) -> usize {
        self.0.unsigned_abs() as usize * 2 + usize::from(self.0 < 0)
    }
}

impl std::ops::Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit(-self.0)
    }
}

/// Why a question stayed without an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unknown {
    Deadline,
    Cancelled,
    /// The conflict limit was reached.
    Conflicts,
    /// A theory could not go on; the next call reports the error.
    Failed,
}

/// The answer to a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    Satisfiable,
    Unsatisfiable,
    Unknown(Unknown),
}

/// Numbers a solver keeps about itself.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Effort {
    pub conflicts: u64,
    pub decisions: u64,
    pub propagations: u64,
}

/// A theory that takes part in the search over the literals it observes.
pub trait Theory: std::fmt::Debug {
    /// An observed literal has become true on the current level.
    fn assign(&mut self, literal: Lit);
    /// A new decision level begins.
    fn push(&mut self);
    /// Back to this level.
    fn pop_to(&mut self, level: usize);
    /// A clause that follows from the theory and is false, or has one literal left, under the current assignment. Empty
    /// or `None` when the assignment is consistent.
    fn lemma(&mut self) -> Option<Vec<Lit>>;
    /// A literal that follows from the theory under the current assignment.
    fn propagate(&mut self) -> Option<Lit>;
    /// The clause that made `propagate` give this literal, which it contains.
    fn reason(&mut self, literal: Lit) -> Vec<Lit>;
}

/// A theory shared between its owner and the solver that calls it.
pub type SharedTheory = Rc<RefCell<dyn Theory>>;

/// An incremental satisfiability solver.
pub trait Sat: std::fmt::Debug {
    /// A fresh variable.
    fn new_variable(&mut self) -> Lit;

    /// Adds a clause; an empty one makes everything unsatisfiable.
    fn add_clause(&mut self, clause: &[Lit]);

    /// Is there an assignment that makes all clauses and the assumptions true?
    fn solve(&mut self, assumptions: &[Lit], limits: &Limits) -> Answer;

    /// The value of a literal; only after [`Answer::Satisfiable`] and before the next change.
    fn value(&mut self, literal: Lit) -> bool;

    /// The assumption takes part in the contradiction; only after [`Answer::Unsatisfiable`] and before the next change.
    fn failed(&mut self, assumption: Lit) -> bool;

    /// Connects a theory; at most one, before the first `observe`.
    fn connect(&mut self, theory: SharedTheory);

    /// Gives the literal that the connected theory may use for this one, and tells the theory of it from now on: the
    /// literal itself, or a fresh one that it implies, when the backend may already have simplified the literal away.
    fn observe(&mut self, literal: Lit) -> Lit;

    fn effort(&self) -> Effort;

    /// The proof log, if this solver records one.
    fn recorder(&self) -> Option<Rc<RefCell<Recorder>>>;

    /// What went wrong in a callback, if anything did.
    fn failure(&self) -> Option<String>;
}
