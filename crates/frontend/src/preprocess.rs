//! From a C file to preprocessed text, with the system's C compiler.
//!
//! `.i` files are taken as they are; anything else goes through `cc -E`, with
//! [`Headers`] of our own searched before the system's, so that thread and
//! atomic operations keep their names. Text stays bytes: string literals may
//! hold any. Nothing here can hang or grow without bound ([`Limits`]).

mod command;
mod compile_commands;
mod error;
mod flags;
mod headers;
mod lines;
mod messages;
mod shell;
mod target;

pub use selvedge_program::DataModel;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

pub use command::{Compiler, Failure, Output, argument_path, native_arguments, run};
pub use compile_commands::{CompileCommand, CompileCommands, CompileCommandsError};
pub use error::{Message, Place, PreprocessError, Severity, Stage};
pub use flags::harmless_words;
pub use headers::{ATOMIC_GENERICS, DISPLAY_DIR, Headers};
pub use shell::{SplitError, split};

/// How far into a file a NUL byte is looked for.
const BINARY_PREFIX: usize = 8 << 10;

/// The preprocessor's settings, as on a C compiler's command line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Options {
    /// `-iquote`, searched for `#include "…"` only.
    pub quote_dirs: Vec<PathBuf>,
    /// `-I`, searched before our headers.
    pub include_dirs: Vec<PathBuf>,
    /// `-isystem`, searched after our headers.
    pub system_dirs: Vec<PathBuf>,
    /// `-D` and `-U`, in the order given.
    pub macros: Vec<Macro>,
    /// `-std=`, without the option's name.
    pub std: Option<String>,
    /// `-include`.
    pub includes: Vec<PathBuf>,
    pub data_model: DataModel,
    /// The C compiler; without one, `$CC`, else `cc`.
    pub compiler: Option<PathBuf>,
    /// Further options, passed on as they are.
    pub extra: Vec<String>,
    pub limits: Limits,
    /// Which lines a file that is preprocessed already has.
    pub lines: Lines,
}

/// What places in a preprocessed file are called.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Lines {
    /// By the files and lines that it was made from, as its line markers say.
    #[default]
    Marked,
    /// By its own lines.
    Own,
}

impl Options {
    /// Adds `later`'s settings to these. `later`'s standard, compiler and limits
    /// win; ILP32 holds if either asks for it.
    pub fn append(&mut self, later: &Options) {
        self.quote_dirs.extend_from_slice(&later.quote_dirs);
        self.include_dirs.extend_from_slice(&later.include_dirs);
        self.system_dirs.extend_from_slice(&later.system_dirs);
        self.macros.extend_from_slice(&later.macros);
        self.includes.extend_from_slice(&later.includes);
        self.extra.extend_from_slice(&later.extra);
        if later.std.is_some() {
            self.std.clone_from(&later.std);
        }
        if later.compiler.is_some() {
            self.compiler.clone_from(&later.compiler);
        }
        if later.data_model != DataModel::default() {
            self.data_model = later.data_model;
        }
        self.limits = later.limits;
        self.lines = later.lines;
    }
}

/// One `-D` or `-U`, without the option's name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Macro {
    /// `NAME`, `NAME=VALUE` or `NAME(ARGS)=VALUE`.
    Define(String),
    Undefine(String),
}

/// Bounds on what one file may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of a source file.
    pub source: u64,
    /// Bytes of preprocessed text, `.i` files included.
    pub preprocessed: u64,
    /// Time for one run of the compiler.
    pub time: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { source: 32 << 20, preprocessed: 64 << 20, time: Duration::from_secs(60) }
    }
}

/// A translation unit, ready for the lexer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preprocessed {
    /// The file as the caller named it.
    pub path: PathBuf,
    /// C text with `# line "file" flags` markers.
    pub text: Vec<u8>,
    /// The compiler's warnings and notes.
    pub warnings: Vec<Message>,
}

/// Preprocesses `path`.
pub fn preprocess(path: &Path, options: &Options, headers: &Headers) -> Result<Preprocessed, PreprocessError> {
    if path.extension().is_some_and(|extension| extension == "i") {
        let mut text = read(path, Stage::Preprocessed, options.limits.preprocessed)?;
        if options.lines == Lines::Own {
            text = lines::as_its_own(&text, &path.to_string_lossy());
        }
        return Ok(Preprocessed { path: path.to_owned(), text, warnings: Vec::new() });
    }
    read(path, Stage::Source, options.limits.source)?;
    command::preprocess(path, options, headers)
}

/// The text of a file that a line marker names, as the user wrote it.
pub fn written(name: &str) -> Option<Vec<u8>> {
    read(Path::new(name), Stage::Source, Limits::default().source).ok()
}

/// The bytes of a regular, textual file of at most `limit` bytes.
fn read(path: &Path, stage: Stage, limit: u64) -> Result<Vec<u8>, PreprocessError> {
    let path = path.to_owned();
    let metadata = match fs::metadata(&path) {
        Ok(metadata) => metadata,
        Err(error) => return Err(unreadable(path, error)),
    };
    if metadata.is_dir() {
        return Err(PreprocessError::IsDirectory { path });
    }
    if !metadata.is_file() {
        return Err(PreprocessError::NotRegular { path });
    }
    let mut text = Vec::new();
    let reading = File::open(&path).and_then(|file| file.take(limit.saturating_add(1)).read_to_end(&mut text));
    if let Err(error) = reading {
        return Err(unreadable(path, error));
    }
    if text.len() as u64 > limit {
        return Err(PreprocessError::TooLarge { path, stage, limit });
    }
    let nul = text.iter().take(BINARY_PREFIX).position(|&byte| byte == 0);
    match nul {
        Some(offset) => Err(PreprocessError::Binary { path, offset }),
        None => Ok(text),
    }
}

fn unreadable(path: PathBuf, source: io::Error) -> PreprocessError {
    match source.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => PreprocessError::NoSuchFile { path },
        _ => PreprocessError::Unreadable { path, source },
    }
}
