//! What a *safe* stands on.

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
}

impl Certificate {
    /// In a few words, for people.
    pub fn describe(&self) -> String {
        match self {
            Certificate::Exhaustive { states, .. } => format!("all executions explored, {states} states"),
        }
    }
}
