//! Single executions of the concrete semantics, one after the other, with schedules and choices at random: what finds
//! violations behind thousands of steps, where no search over all states gets.
//!
//! The schedules are those of Burckhardt, Kothari, Musuvathi, Nagarakatte: *A randomized scheduler with probabilistic
//! guarantees of finding bugs* (ASPLOS 2010): threads have random priorities, the first that can move does, and at a few
//! random places the one that moves becomes the last.
//!
//! An execution shows more races than those it runs into. Two accesses of it that nothing orders (neither a thread's
//! own order, nor a start, nor a value that one thread wrote and another read) can be made to meet: the steps that come
//! before either of them are an execution of their own, after which both threads stand before their accesses. That is a
//! guess like any other until the concrete semantics has replayed it.
//!
//! The engine never proves anything.
//!
//! - [`order`]: what comes before what in an execution, and which accesses nothing orders.
//! - [`schedule`]: who moves, and the answers to open questions.
//! - [`execution`]: one execution.
//! - [`engine`](mod@engine): one engine among others.

pub mod engine;
pub mod execution;
pub mod order;
mod random;
pub mod schedule;

pub use engine::{ABOUT, NAME, Options, check, engine};
