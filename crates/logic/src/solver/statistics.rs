//! What a solver has done so far.

use std::time::Duration;

/// Counts since the solver was made.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Statistics {
    pub queries: u64,
    pub satisfiable: u64,
    pub unsatisfiable: u64,
    pub unknown: u64,
    /// Questions answered from an earlier model or core.
    pub recalled: u64,
    pub conflicts: u64,
    pub decisions: u64,
    pub propagations: u64,
    pub gates: u64,
    /// Clauses that define gates.
    pub clauses: u64,
    /// Spent in answering.
    pub time: Duration,
}
