//! Bounded checking with interference abstractions, after Sinha and Wang, *On Interference Abstractions*, POPL 2011.
//!
//! - [`skeleton`]: what the two halves of the engine share.
//! - [`refine`]: from a skeleton to executions and refutations.

mod abstraction;
mod axioms;
mod certificate;
mod conditions;
mod consistency;
mod encode;
mod error;
mod execution;
mod goals;
mod layout;
mod links;
mod locks;
pub mod refine;
pub mod skeleton;
mod statistics;
mod truth;

pub use abstraction::{Reading, Size};
pub use certificate::Certificate;
pub use error::{Error, Result};
pub use execution::Execution;
pub use goals::GoalId;
pub use links::{Manner, Source};
pub use refine::{Mode, Outcome, RefineOptions, Refiner, Refutation};
pub use statistics::Statistics;
