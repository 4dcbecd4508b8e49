//! The C front end: preprocessing, parsing, types, lowering to the program model.

pub mod check;
pub mod compile;
pub mod hir;
pub mod lower;
pub mod preprocess;
pub mod stack;
pub mod syntax;
pub mod types;
