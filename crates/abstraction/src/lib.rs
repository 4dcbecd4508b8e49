//! Predicate abstraction of threads: which predicates are tracked, what is known of them after a step of the thread
//! or of another one, and which predicates a path suggests that cannot happen. Shared by the engines that prove
//! thread by thread.
//!
//! - [`predicates`]: what is tracked, and where each predicate means something.
//! - [`post`]: what a conjunction of predicates becomes by a step, predicate by predicate (Cartesian), with every
//!   answer remembered.
//! - [`meeting`]: whether two threads can be there together, as far as each knows.
//! - [`backward`]: weakest preconditions along a path, as predicates.
//! - [`atoms`]: what the text of a step suggests.
//! - [`reasons`]: why something is known after a step.
//! - [`prover`]: questions to the solver, and [`guess`]: those that need not be asked.

pub mod atoms;
pub mod backward;
pub mod guess;
pub mod meeting;
pub mod post;
pub mod predicates;
pub mod prover;
pub mod reasons;

pub use meeting::Said;
pub use post::{Abstraction, Cube, Side};
pub use predicates::{PredicateId, PredicateSet, Predicates, StepKey};
pub use prover::{Prover, Stop};
