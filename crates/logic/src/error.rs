//! What can be wrong with what a caller hands in. Nothing that a user writes makes this crate panic; a caller that
//! builds a term which is not well-sorted is wrong itself, and does.

use crate::terms::Sort;

/// Why a term could not be built, or a question could not be asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    #[error("`{operation}` takes {expected} operands, but {given} are given")]
    Arity { operation: String, expected: usize, given: usize },
    #[error("`{operation}` cannot be applied to ({operands}): {expected}")]
    Operands { operation: String, operands: String, expected: &'static str },
    #[error("a bit-vector has a width from 1 to {max}, not {0}", max = crate::terms::MAX_WIDTH)]
    Width(u64),
    #[error("the value {value} does not fit in {width} bits")]
    Value { value: u128, width: u32 },
    #[error("`{name}` is already declared with sort {declared}, not {requested}")]
    Redeclared { name: String, declared: Sort, requested: Sort },
    #[error("`{0}` cannot be a symbol: it contains `|` or `\\`")]
    Name(String),
    #[error("a term of sort {expected} is expected, but this one has sort {given}")]
    Expected { expected: Sort, given: Sort },
    #[error("the term belongs to another store of terms")]
    Foreign,
    #[error("more than {0} terms, variables or events")]
    TooMany(u32),
    #[error("the event {0} is unknown")]
    UnknownEvent(u32),
    #[error("there is no satisfying assignment to read: the last answer was not `satisfiable`")]
    NoModel,
    #[error("there is no unsatisfiable core to read: the last answer was not `unsatisfiable`")]
    NoCore,
    #[error("proofs are not recorded by this solver")]
    NoProof,
    #[error("the satisfiability solver broke its contract: {0}")]
    Backend(String),
}

pub type Result<T, E = Error> = std::result::Result<T, E>;
