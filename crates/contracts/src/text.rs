//! Specifications as text (`.threads`): reading, with errors like a compiler's, and writing again in one form.
//!
//! The grammar is in [`parse`]; predicates are those of `symbolic`, with primed variables on edges. A specification is
//! read over a C program, whose globals, fields and functions it names, or by itself; then its declarations are all
//! there is to know of the shared variables.

mod format;
mod kinds;
mod lexer;
pub mod parse;
mod resolve;
mod sense;
mod tree;
mod vocabulary;

use selvedge_program::{Diagnostic, GhostField, Program, Severity, Sources, Span};

use crate::spec::Specification;
use resolve::Over;

/// A specification that was read.
#[derive(Clone, Debug)]
pub struct Read {
    /// The specification.
    pub spec: Specification,
    /// What deserves a look.
    pub warnings: Vec<Diagnostic>,
}

/// Why a text is no specification.
#[derive(Clone, Debug)]
pub struct Refused {
    /// All that is wrong, by place.
    pub diagnostics: Vec<Diagnostic>,
    /// The files that it names.
    pub sources: Sources,
}

/// Reads a specification by itself. The program declares its shared variables and nothing else; predicates are over it.
///
/// # Errors
/// When the text is no specification; all that is wrong with it is told.
pub fn read_alone(name: &str, text: &str) -> Result<(Read, Program), Refused> {
    let mut sources = Sources::default();
    let file = sources.file(name);
    let (tree, diagnostics) = parse::parse(text, lexer::lex(file, text));
    let program = vocabulary::declared(&tree, sources);
    let read = made(&tree, &program, Over::Declarations, diagnostics)?;
    Ok((read, program))
}

/// Reads a specification of a C program's threads. Its file is added to the program's.
///
/// # Errors
/// When the text is no specification of the program's threads; all that is wrong with it is told.
pub fn read(name: &str, text: &str, program: &mut Program) -> Result<Read, Refused> {
    let file = program.sources.file(name);
    let (tree, diagnostics) = parse::parse(text, lexer::lex(file, text));
    made(&tree, program, Over::Program, diagnostics)
}

fn made(tree: &tree::Tree, program: &Program, over: Over, mut told: Vec<Diagnostic>) -> Result<Read, Refused> {
    let spec = resolve::resolve(tree, program, over, &mut told);
    if tree.threads.is_empty() && told.is_empty() {
        told.push(Diagnostic::error(Span::NOWHERE, "there is no abstract thread in this specification"));
    }
    let is_wrong = |told: &[Diagnostic]| told.iter().any(|diagnostic| diagnostic.severity == Severity::Error);
    if !is_wrong(&told) {
        sense::judge(program, &spec, &mut told);
    }
    told.sort_by_key(|diagnostic| (diagnostic.span.line, diagnostic.span.column));
    told.dedup();
    if is_wrong(&told) {
        return Err(Refused { diagnostics: told, sources: program.sources.clone() });
    }
    Ok(Read { spec, warnings: told })
}

/// The word that declares what a field is the state of, if specifications speak of it.
pub fn lock_word(field: GhostField) -> Option<&'static str> {
    kinds::LockKind::ALL.into_iter().find(|kind| kind.fields().contains(&field)).map(kinds::LockKind::word)
}

/// A specification in one form, with its comments. Names are not looked at, so that no program is needed.
///
/// # Errors
/// When the text is not written as a specification is.
pub fn format(name: &str, text: &str) -> Result<String, Refused> {
    let mut sources = Sources::default();
    let file = sources.file(name);
    let lexed = lexer::lex(file, text);
    let formatted = format::format(text, &lexed.tokens, &lexed.comments);
    let (_, diagnostics) = parse::parse(text, lexed);
    if diagnostics.is_empty() { Ok(formatted) } else { Err(Refused { diagnostics, sources }) }
}
