//! What can go wrong in the engine itself; none of it is a verdict.

use selvedge_evidence::{Gap, InternalError};

/// An error of the engine.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Logic(#[from] selvedge_logic::Error),
    /// A limit was reached first: nothing is known, and it can be asked again.
    #[error(transparent)]
    Exhausted(#[from] selvedge_program::Exhausted),
    #[error("internal error: {0}")]
    Internal(String),
}

impl Error {
    /// What a limit leaves open; anything else is a failure of the engine.
    ///
    /// # Errors
    /// That failure.
    pub fn gap(self) -> std::result::Result<Gap, InternalError> {
        match self {
            Error::Exhausted(limit) => Ok(Gap::Limit(limit)),
            Error::Logic(_) | Error::Internal(_) => Err(InternalError::Failed(self.to_string())),
        }
    }
}

pub type Result<T> = std::result::Result<T, Error>;
