//! From preprocessed text to a syntax tree: tokens, the tree, the parser.

pub mod ast;
pub mod symbol;
