//! Bounded checking with interference abstractions, after Sinha and Wang, *On Interference Abstractions*, POPL 2011.
//!
//! - [`engine`]: the whole: deepening bounds, goals, verdicts.
//! - [`skeleton`]: what the two halves of the engine share.
//! - [`unroll`]: from a program and bounds to a skeleton.
//! - [`refine`]: from a skeleton to executions and refutations.
//! - [`witness`]: from an execution back to steps of the program.
//! - [`feasible`]: given one path per thread, is there an interleaving?

mod abstraction;
mod atomicity;
mod axioms;
mod certificate;
mod conditions;
mod consistency;
mod encode;
pub mod engine;
mod error;
mod execution;
pub mod feasible;
mod goals;
mod layout;
mod links;
mod locks;
mod opaque;
pub mod refine;
mod schedule;
pub mod skeleton;
mod statistics;
mod truth;
pub mod unroll;
pub mod witness;

pub use abstraction::{Reading, Size};
pub use certificate::Certificate;
pub use engine::{ABOUT, NAME, Options, check, engine};
pub use error::{Error, Result};
pub use execution::Execution;
pub use feasible::{End, Feasibility, Feasible, Path, Question, Start, Step};
pub use goals::GoalId;
pub use links::{Manner, Source};
pub use refine::{Mode, Outcome, RefineOptions, Refiner, Refutation};
pub use statistics::Statistics;
