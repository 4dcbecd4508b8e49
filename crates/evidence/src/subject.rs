//! What engines are asked about: each subject has its own verdict.

use selvedge_analysis::AbstractObject;
use selvedge_program::trace::Trace;
use selvedge_program::{CheckId, EdgeId, FunctionId, Property, Undefined};

/// What can be violated by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Subject {
    /// This assertion.
    Assertion(CheckId),
    /// Races on this object.
    Race(AbstractObject),
    /// Deadlock.
    Deadlock,
    /// Undefined behaviour at this edge.
    Memory(FunctionId, EdgeId, Undefined),
}

impl Subject {
    /// The property it belongs to.
    pub fn property(self) -> Property {
        match self {
            Subject::Assertion(_) => Property::Assertion,
            Subject::Race(_) => Property::Race,
            Subject::Deadlock => Property::Deadlock,
            Subject::Memory(..) => Property::Memory,
        }
    }
}

/// A violation with the trace that shows it. It becomes evidence when the concrete semantics has replayed it
/// ([`crate::Counterexample`]).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// What is violated.
    pub subject: Subject,
    /// How.
    pub trace: Trace,
}
