//! The C front end: preprocessing, parsing, types, lowering to the program model.

pub mod check;
pub mod hir;
pub mod stack;
pub mod syntax;
pub mod types;
