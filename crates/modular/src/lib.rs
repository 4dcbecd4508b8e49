//! Thread-modular abstraction refinement (Henzinger, Jhala, Majumdar, Qadeer: *Thread-Modular Abstraction
//! Refinement*, CAV 2003).
//!
//! Each thread is explored by itself, as pairs of a place and a conjunction of predicates, under what the others may
//! do to the shared state; what they may do is what they were found to do, each in its own exploration. A template
//! that may have several threads is among its own others. Errors that survive are traced back, and where their paths
//! contradict themselves, the contradiction gives new predicates. When no error is left, the explored states are an
//! invariant for any number of threads.
//!
//! Where we deviate: the assumptions on the others grow together with the exploration, step by step, instead of in
//! rounds (the least fixpoint is the same); which templates have been started, and who owns which lock, is known from
//! the beginning; predicates may mix shared and local state.
//!
//! - [`space`]: the abstract states, and the steps between them; [`ground`]: what is the same in all explorations.
//! - [`path`], [`discover`]: from paths to predicates; [`first`]: what is tracked from the start.
//! - `tallies`, `loops`, `interpolants`: what else a path suggests.
//! - [`protection`]: what is decided before anything is explored.
//! - [`slice`]: what of that a check has to do with.
//! - [`counterexample`]: from paths to schedules; [`directed`]: one thread after the other.
//! - [`trials`]: schedules by concrete executions towards alarms.
//! - [`checks`]: what is decided by itself.
//! - [`engine`]: one engine among others; [`told`]: what it tells.

pub mod checks;
pub mod counterexample;
pub mod directed;
pub mod discover;
pub mod engine;
pub mod first;
pub mod ground;
mod interpolants;
mod loops;
pub mod path;
pub mod protection;
mod registered;
pub mod slice;
pub mod space;
mod tallies;
pub mod told;
pub mod trials;

pub use engine::{Beginning, Options, answers, check};
pub use registered::{ABOUT, NAME, engine};
pub use space::{Environment, Weakening};
