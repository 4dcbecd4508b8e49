//! Programs as text: the paper's syntax (`paper.rs`), printed and read, and the dialect of SLAM, Boppo and Boom
//! (`slam.rs`), read. Both are parsed to one tree (`tree.rs`), whose names `lower.rs` resolves.
//!
//! The paper's syntax is extended by what its Section 2 uses and by what [`crate::program`] adds:
//!
//! ```text
//! shared s = 0, t;                         // 0, 1, or * (which is also what nothing means)
//! thread main[1] { start worker; }         // one thread at first; [0]: only what is started; [n]: as many as asked for
//! thread worker[n] {
//!   local b = 1, c;
//!   1: havoc {s, a.c, all(b)} constrain forall {a, p: worker}. a.b' & (p.b => p.b');
//!   2: s, a.c := schoose[a.b, !s], * notify p: worker {p.b := p.b & a.c, p.c := *} constrain a.c' | s';
//!   3: if (s) { assert a.b; } else { atomic_begin; assume !s; s := 1; atomic_end; }
//!   4: start worker at 3 {new.b := s} constrain new.b' | new.c';
//!      assert forall {a, p: worker}. !(a.b & p.b & p@3);
//!      goto 1, end;
//! }
//! ```
//! A program without `thread` is one template of n threads, as in the paper. An index without a template is of the
//! template of the statement.

mod cursor;
mod inline;
mod lexer;
mod lower;
mod paper;
mod print;
mod slam;
mod tree;

use crate::program::Program;

pub use print::{print, print_expr};

/// A place in a text, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The line.
    pub line: u32,
    /// The column, in characters.
    pub column: u32,
}

/// Why a text is no program, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}:{}: {message}", at.line, at.column)]
pub struct SyntaxError {
    /// Where.
    pub at: Position,
    /// What is wrong.
    pub message: String,
}

impl SyntaxError {
    pub(crate) fn new(at: Position, message: impl Into<String>) -> Self {
        SyntaxError { at, message: message.into() }
    }

    /// As a compiler shows it: file, place, message, the line of the text and a mark below it.
    pub fn show(&self, file: &str, text: &str) -> String {
        let line = text.lines().nth(self.at.line as usize - 1).unwrap_or_default();
        let mark = " ".repeat(self.at.column as usize - 1);
        format!("{file}:{}:{}: error: {}\n  {line}\n  {mark}^", self.at.line, self.at.column, self.message)
    }
}

/// A program that was read, and where each statement of each template stands.
#[derive(Clone, Debug)]
pub struct Read {
    pub program: Program,
    pub places: Vec<Vec<Position>>,
}

/// How a program is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// As in the paper.
    Paper,
    /// As SLAM, Boppo and Boom have it (`.bp`).
    Slam,
}

impl Dialect {
    /// The dialect that a text seems to be in, by its first word: `decl` and types of procedures are SLAM's.
    pub fn of(text: &str) -> Dialect {
        let first = lexer::lex(text).ok().and_then(|tokens| tokens.into_iter().next());
        match first {
            Some((_, lexer::Token::Word(word))) if ["decl", "void", "bool", "dfs"].contains(&word.as_str()) => {
                Dialect::Slam
            }
            _ => Dialect::Paper,
        }
    }

    /// Reads a program. What is read is well-formed ([`crate::System::new`] accepts it).
    ///
    /// # Errors
    /// If the text is no program.
    pub fn read(self, text: &str) -> Result<Read, SyntaxError> {
        let tree = match self {
            Dialect::Paper => paper::parse(text)?,
            Dialect::Slam => slam::parse(text)?,
        };
        let (program, places) = lower::lower(&tree)?;
        Ok(Read { program, places })
    }
}

/// Reads a program in the paper's syntax.
///
/// # Errors
/// If the text is no program.
pub fn parse(text: &str) -> Result<Program, SyntaxError> {
    Ok(Dialect::Paper.read(text)?.program)
}

/// Reads a program in the dialect of SLAM and Boppo (`.bp`).
///
/// # Errors
/// If the text is no program.
pub fn parse_slam(text: &str) -> Result<Program, SyntaxError> {
    Ok(Dialect::Slam.read(text)?.program)
}
