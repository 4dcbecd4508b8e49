//! Cheap facts about a program, each an over-approximation: what a pointer may point to, which functions a thread may run, which
//! objects two threads may reach.
//!
//! No counterexample depends on them (the concrete semantics judges those); proofs may, and say so.

pub mod points_to;
pub mod registers;
pub mod sharing;
pub mod threads;

pub use points_to::{AbstractObject, Offset, PointsTo, Target};
pub use registers::Live;
pub use sharing::{Sharing, escaped, sharing};
pub use threads::{Replication, ThreadFacts, Threads};
