//! Which interleavings of threads' paths there are, by interference abstractions after Sinha and Wang, *On Interference
//! Abstractions*, POPL 2011. No engine: those that ask are `interference`, about all paths up to a bound, and whoever
//! has one path per thread.
//!
//! - [`skeleton`]: executions up to a bound, with what each event of a thread could read or wait for left open.
//! - [`unroll`]: from a program and bounds to a skeleton.
//! - [`refine`]: from a skeleton to executions and refutations.
//! - [`witness`]: from an execution back to steps of the program.
//! - [`feasible`]: given one path per thread, is there an interleaving?

mod abstraction;
pub mod atomicity;
mod axioms;
mod certificate;
mod conditions;
mod consistency;
mod encode;
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
pub use error::{Error, Result};
pub use execution::Execution;
pub use feasible::{End, Feasibility, Feasible, Path, Question, Start, Step};
pub use links::{Manner, Source};
pub use refine::{Mode, Outcome, RefineOptions, Refiner, Refutation};
pub use skeleton::GoalId;
pub use statistics::Statistics;
