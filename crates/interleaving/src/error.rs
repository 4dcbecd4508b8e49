//! What can go wrong in the engine itself; none of it is a verdict.

/// An error of the engine.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Logic(#[from] selvedge_logic::Error),
    /// A limit was reached where there is no other way to say so.
    #[error("{0}")]
    Exhausted(selvedge_program::Exhausted),
    #[error("internal error: {0}")]
    Internal(String),
}

pub type Result<T> = std::result::Result<T, Error>;
