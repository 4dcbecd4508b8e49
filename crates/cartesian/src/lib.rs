//! The engine `cartesian`: Cartesian abstraction with exception sets.

pub mod alarms;
pub mod bitset;
pub mod certify;
mod check;
mod concretise;
pub mod domain;
mod domains;
mod infer;
pub mod models;
mod privacy;
pub mod program;
mod split;
pub mod step;
pub mod table;
pub mod text;
mod tuples;

pub use check::{Findings, Obstacle, Options, Replicas, Statistics, Violation, check};
