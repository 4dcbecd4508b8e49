//! The engine `cartesian`: Cartesian abstraction with exception sets.

pub mod bitset;
pub mod domain;
pub mod models;
pub mod table;
