//! What a *safe* stands on.

use std::sync::Arc;

/// The ground of a proof. Each kind says how it can be checked again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Certificate {
    /// Every execution was explored, up to the reductions named; [`crate::recheck`] explores again without any.
    Exhaustive {
        /// How many states were stored.
        states: u64,
        /// The reductions that were used.
        reductions: Vec<&'static str>,
    },
    /// No execution within bounds that cover the whole program violates it: the formula that says that one does has a refutation,
    /// which [`selvedge_logic::proof::check`] follows step by step.
    Refutation {
        /// The bounds in words, such as `loops up to 8 iterations, 3 threads`.
        bounds: String,
        /// What of the interference between threads it needs, in words, such as `12 of 340 links`.
        instances: String,
        /// The refutation, as [`selvedge_logic::proof`] writes it; it can be large, and is shared.
        proof: Arc<str>,
    },
}

impl Certificate {
    /// In a few words, for people.
    pub fn describe(&self) -> String {
        match self {
            Certificate::Exhaustive { states, .. } => format!("all executions explored, {states} states"),
            Certificate::Refutation { bounds, instances, .. } => {
                format!(
                    "a refutation of every violation with {instances}; the whole program is within the bounds: {bounds}"
                )
            }
        }
    }
}
