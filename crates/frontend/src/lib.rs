//! The front end for C: preprocessing, parsing, types, lowering to the program model. Beside it stands SCPL ([`scpl`]),
//! a small language of equal threads.

pub mod check;
pub mod compile;
pub mod hir;
pub mod lower;
pub mod preprocess;
pub mod scpl;
pub mod stack;
pub mod syntax;
pub mod types;
