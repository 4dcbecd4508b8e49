//! What can go wrong before a program's first token, each with what to do.

use std::fmt;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

use thiserror::Error;

use super::DataModel;

/// Why a file could not be preprocessed.
#[derive(Debug, Error)]
pub enum PreprocessError {
    #[error("{}: no such file", path.display())]
    NoSuchFile { path: PathBuf },
    #[error("{}: is a directory, not a C file", path.display())]
    IsDirectory { path: PathBuf },
    #[error("{}: is not a regular file", path.display())]
    NotRegular { path: PathBuf },
    #[error("{}: cannot be read: {source}", path.display())]
    Unreadable { path: PathBuf, source: io::Error },
    #[error("{}: is not a text file (NUL byte at offset {offset})", path.display())]
    Binary { path: PathBuf, offset: usize },
    #[error(
        "{}: is larger than {} MiB {stage}",
        path.display(),
        limit.div_ceil(1 << 20)
    )]
    TooLarge {
        path: PathBuf,
        stage: Stage,
        limit: u64,
    },
    #[error(
        "cannot run the C compiler `{compiler}` as a preprocessor ({source}); \
         install one, or set CC"
    )]
    NoCompiler { compiler: String, source: io::Error },
    #[error("{}: `{compiler}` gave no answer within {} s", path.display(), limit.as_secs_f32())]
    TimedOut {
        path: PathBuf,
        compiler: String,
        limit: Duration,
    },
    #[error("the C compiler `{compiler}` cannot preprocess for the {model} data model")]
    NoDataModel { compiler: String, model: DataModel },
    /// The compiler refused the input; `messages` holds what it said, at least
    /// one entry, errors and warnings in its order.
    #[error("{}", rejected(path, messages))]
    Rejected {
        path: PathBuf,
        compiler: String,
        messages: Vec<Message>,
    },
    #[error("cannot set up {what}: {source}")]
    Io { what: String, source: io::Error },
}

fn rejected(path: &std::path::Path, messages: &[Message]) -> String {
    let first = messages.iter().find(|m| m.severity == Severity::Error);
    match first.or(messages.first()) {
        Some(message) => message.to_string(),
        None => format!("{}: does not preprocess", path.display()),
    }
}

/// Which size was over its limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    Source,
    Preprocessed,
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Stage::Source => "as it is",
            Stage::Preprocessed => "after preprocessing",
        })
    }
}

/// One message of the C compiler.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// The place, when the message is about one.
    pub place: Option<Place>,
    pub severity: Severity,
    pub text: String,
    /// The `#include` directives that led to the place, innermost first.
    pub included_from: Vec<Place>,
}

/// A position in a file as the C compiler names it; lines and columns from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    pub path: PathBuf,
    pub line: u32,
    pub column: Option<u32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    Error,
    Warning,
    Note,
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = &self.place {
            write!(f, "{place}: ")?;
        }
        write!(f, "{}: {}", self.severity, self.text)
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.path.display(), self.line)?;
        match self.column {
            Some(column) => write!(f, ":{column}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        })
    }
}
