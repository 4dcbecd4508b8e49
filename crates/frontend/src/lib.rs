//! The C front end: preprocessing, parsing, types, lowering to the program model.

pub mod stack;
pub mod syntax;
