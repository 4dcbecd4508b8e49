//! From preprocessed text to a syntax tree: tokens, the tree, the parser.
//!
//! [`SourceText`] holds the preprocessed bytes and knows where they come from, [`parse`] gives the tree and the errors.

pub mod ast;
mod columns;
mod error;
mod lexer;
mod literal;
mod number;
mod parse;
mod pragma;
mod print;
mod source;
pub mod symbol;
mod token;

pub use crate::stack::on_big_stack;
pub use error::{MAX_ERRORS, SyntaxError};
pub use parse::parse;
pub use print::print;
pub use source::{InputTooLarge, MAX_INPUT, SourceText};
pub use symbol::{Interner, Symbol};
