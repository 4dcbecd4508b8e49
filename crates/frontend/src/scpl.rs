//! The symmetric concurrent programming language of paper 004 (SCPL, Section 3.1, Fig. 1): one template for any number
//! of equal threads, with shared and local integers.
//!
//! ```text
//! shared int s = 0, t = 0;            // `int` (32 bits, wraps) or `bool`; `int` may be left out
//! local int l = 1;
//! 1: if (*) { 2: if (t) { 3: assert s != l; } }
//! 4: l = s + 1;                       // every statement is one step, however many shared variables it names
//! 5: t = 1;
//!    goto 1, end;
//! ```
//! The paper has assignments, `assume` and `goto`; `assert`, `if`, `while`, `skip`, `atomic { … }`, labels that are
//! words, and `*` for any value are ours. What the paper says of statements is kept: each is one step of its thread, so
//! one that touches a shared variable becomes one atomic update. `main` does nothing but start the threads.

mod lexer;
mod lower;
mod parse;
mod tree;

use selvedge_program::{Diagnostic, Severity, Sources};

use crate::compile::{CompileError, Compiled};
use crate::stack::on_big_stack;

/// How many threads execute a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Threads {
    /// So many.
    Exactly(u32),
    /// Any number: `main` starts threads as long as it likes.
    Any,
}

/// More threads than this are not started one by one.
pub const MOST_THREADS: u32 = 1000;

/// The function that all threads but `main`'s run.
pub const THREAD: &str = "thread";

/// Makes a program of the text of a file.
///
/// # Errors
/// When the text is no program; all that is wrong with it is told.
pub fn compile(name: &str, text: &str, threads: Threads) -> Result<Compiled, CompileError> {
    on_big_stack(|| {
        let mut sources = Sources::default();
        let file = sources.file(name);
        let (tree, mut diagnostics) = parse::parse(file, text);
        let program = lower::lower(&tree, text, threads, sources.clone(), &mut diagnostics);
        if diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error) {
            diagnostics.sort_by_key(|diagnostic| (diagnostic.span.line, diagnostic.span.column));
            diagnostics.dedup();
            return Err(CompileError { diagnostics, sources });
        }
        Ok(Compiled { program, warnings: diagnostics })
    })
}

/// An error, with nothing more to say.
fn error(span: selvedge_program::Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::error(span, message)
}
