//! SMT-LIB 2, the part called QF_BV: printing terms and scripts, and reading them back.

mod parse;
mod print;
mod reader;
mod refutations;
mod vocabulary;

pub use parse::{Command, Script, parse_script, parse_term};
pub use print::{script_text, term_text};
pub use refutations::Refutations;

/// What is wrong with a text, and where (line and column count from 1).
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{line}:{column}: {message}")]
pub struct ParseError {
    pub line: u32,
    pub column: u32,
    pub message: String,
}

/// A place in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Place {
    line: u32,
    column: u32,
}

impl Place {
    fn error(self, message: impl Into<String>) -> ParseError {
        ParseError { line: self.line, column: self.column, message: message.into() }
    }
}
