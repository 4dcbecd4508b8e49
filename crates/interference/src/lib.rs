//! Bounded checking with interference abstractions, after Sinha and Wang, *On Interference Abstractions*, POPL 2011.
//!
//! - [`skeleton`]: what the two halves of the engine share.
//! - [`engine`]: the entry point.

pub mod engine;
pub mod skeleton;

pub use engine::{AtomicLines, Mode, Options, Unwind, check};
