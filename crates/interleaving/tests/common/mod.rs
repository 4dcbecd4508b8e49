//! What the tests share: skeletons built by hand or at random, and an oracle that enumerates their executions.
#![allow(dead_code)]

pub mod build;
pub mod oracle;
pub mod paths;
pub mod random;
