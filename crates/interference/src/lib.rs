//! Bounded checking with interference abstractions, after Sinha and Wang, *On Interference Abstractions*, POPL 2011.
//!
//! - [`skeleton`]: what the two halves of the engine share.
//! - [`unroll`]: from a program and bounds to a skeleton.

pub mod skeleton;
pub mod unroll;
