//! Under construction.

pub mod preprocess;
