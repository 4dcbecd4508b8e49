//! The numbers of the paper's table.

use std::time::Duration;

use crate::abstraction::{Reading, Size};
use crate::refine::Refiner;

/// What a refinement has done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Statistics {
    pub threads: u64,
    pub reads: u64,
    pub writes: u64,
    /// The mean size of the full link sets.
    pub mean_links: f64,
    /// The abstraction as it is now.
    pub size: Size,
    /// The full instantiation.
    pub full: Size,
    /// Models and cores looked at.
    pub iterations: u64,
    /// Models that were not executions.
    pub spurious: u64,
    /// Link sets that were widened because of a core.
    pub widened: u64,
    /// Spent in the solver.
    pub solver: Duration,
    pub conflicts: u64,
    pub events: u64,
    pub edges: u64,
}

impl Refiner<'_> {
    /// R as it is now, in the order in which it grew.
    pub fn readings(&self) -> impl Iterator<Item = Reading> + '_ {
        self.abstraction.readings()
    }
}
