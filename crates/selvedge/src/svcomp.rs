//! What the competition on software verification asks and hears: property files ([`Specification`]), task definitions
//! ([`Task`]), and the one word that its tools look for ([`answer()`]).
//!
//! A property of the competition says less than one of ours, or more. What we cannot answer for all of it is `unknown`.

mod answer;
mod specification;
mod task;
mod yaml;

pub use answer::{Answer, Finding, answer};
pub use specification::{Goal, Specification};
pub use task::{Expected, Task, TaskProperty};

use selvedge_program::{Diagnostic, Sources};
use std::path::{Path, PathBuf};

/// Why a file of the competition's is of no use.
#[derive(Clone, Debug, Default)]
pub struct Unusable {
    /// What is wrong with it, at its places.
    pub diagnostics: Vec<Diagnostic>,
    /// The file that these name.
    pub sources: Sources,
}

impl Unusable {
    fn one(diagnostic: Diagnostic, sources: Sources) -> Self {
        Unusable { diagnostics: vec![diagnostic], sources }
    }

    /// A file that cannot be read at all.
    fn unreadable(path: &Path, error: &std::io::Error) -> Self {
        let message = format!("{}: {error}", path.display());
        Unusable::one(Diagnostic::error(selvedge_program::Span::NOWHERE, message), Sources::default())
    }
}

/// The text of a file.
fn read(path: &Path) -> Result<String, Unusable> {
    std::fs::read_to_string(path).map_err(|error| Unusable::unreadable(path, &error))
}

/// A file that another names, relative to that one's folder.
fn beside(path: &Path, name: &str) -> PathBuf {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder.join(name),
        _ => PathBuf::from(name),
    }
}
