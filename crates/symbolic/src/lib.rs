//! Programs in symbols: predicates over what a thread can see.
//!
//! [`predicate`] has the predicates that proofs, certificates and people speak in.

pub mod predicate;

pub use predicate::{Predicate, Reach, SyntaxError, Variable};
