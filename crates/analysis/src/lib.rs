//! Cheap facts about a program, each an over-approximation: what a pointer may point to, which functions a thread may run, which
//! objects two threads may reach, and where two threads may be at the same time.
//!
//! No counterexample depends on them (the concrete semantics judges those); proofs may, and say so.

mod actions;
mod call_graph;
pub mod conflicts;
pub mod joins;
pub mod parallel;
pub mod points_to;
pub mod sharing;
pub mod threads;

pub use conflicts::{AccessSite, Conflicts};
pub use parallel::{ClassId, Parallel, ThreadPlace};
pub use points_to::{AbstractObject, Offset, PointsTo, SpawnSite, Target};
pub use sharing::{Sharing, escaped, sharing};
pub use threads::{Replication, ThreadFacts, Threads};
