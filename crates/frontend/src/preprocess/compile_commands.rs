//! Reading `compile_commands.json`, the compilation database that CMake, Meson
//! and Bear write: how each file of a project is compiled.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use serde::Deserialize;
use thiserror::Error;

use super::Options;
use super::flags::Flags;
use super::shell::{self, SplitError};

/// Why a compilation database cannot be used. Entries count from 1.
#[derive(Debug, Error)]
pub enum CompileCommandsError {
    #[error("{}: no such compilation database", path.display())]
    NotFound { path: PathBuf },
    #[error("{}: cannot be read: {source}", path.display())]
    Unreadable { path: PathBuf, source: io::Error },
    /// `source` ends in the line and column.
    #[error("{}: not a compilation database: {source}", path.display())]
    Malformed {
        path: PathBuf,
        source: serde_json::Error,
    },
    #[error("{}: entry {entry} ({file}) has neither `command` nor `arguments`", path.display())]
    NoCommand {
        path: PathBuf,
        entry: usize,
        file: String,
    },
    #[error("{}: entry {entry} ({file}) cannot be split into words: {source}", path.display())]
    BadQuoting {
        path: PathBuf,
        entry: usize,
        file: String,
        source: SplitError,
    },
    #[error("{}: entry {entry} ({file}) ends in `{flag}`, which needs a value", path.display())]
    MissingValue {
        path: PathBuf,
        entry: usize,
        file: String,
        flag: String,
    },
    #[error("{}: no entry for {}", path.display(), file.display())]
    NoEntry { path: PathBuf, file: PathBuf },
}

/// A compilation database.
#[derive(Debug, Clone)]
pub struct CompileCommands {
    path: PathBuf,
    entries: Vec<CompileCommand>,
}

/// How one file is compiled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompileCommand {
    /// The source file, as seen from where we run.
    pub file: PathBuf,
    /// The folder the compiler ran in.
    pub directory: PathBuf,
    /// Its preprocessing options, paths resolved against `directory`.
    pub options: Options,
    /// Options that change what the program means and that we do not model.
    pub unsupported: Vec<String>,
    language: Language,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Language {
    C,
    Other,
}

#[derive(Deserialize)]
struct RawEntry {
    directory: PathBuf,
    file: String,
    command: Option<String>,
    arguments: Option<Vec<String>>,
}

impl CompileCommands {
    /// Reads a database, given itself or the folder that holds
    /// `compile_commands.json`.
    pub fn load(dir_or_file: &Path) -> Result<CompileCommands, CompileCommandsError> {
        let path = match dir_or_file.is_dir() {
            true => dir_or_file.join("compile_commands.json"),
            false => dir_or_file.to_owned(),
        };
        let text = match fs::read(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(CompileCommandsError::NotFound { path });
            }
            Err(source) => return Err(CompileCommandsError::Unreadable { path, source }),
        };
        let raw: Vec<RawEntry> = match serde_json::from_slice(&text) {
            Ok(raw) => raw,
            Err(source) => return Err(CompileCommandsError::Malformed { path, source }),
        };
        let mut entries = Vec::with_capacity(raw.len());
        for (index, entry) in raw.into_iter().enumerate() {
            entries.push(CompileCommand::read(&path, index + 1, entry)?);
        }
        Ok(CompileCommands { path, entries })
    }

    /// The first entry for `file`, links and `..` seen through.
    pub fn entry_for(&self, file: &Path) -> Result<&CompileCommand, CompileCommandsError> {
        let wanted = identity(file);
        self.entries
            .iter()
            .find(|entry| identity(&entry.file) == wanted)
            .ok_or_else(|| CompileCommandsError::NoEntry {
                path: self.path.clone(),
                file: file.to_owned(),
            })
    }

    /// The C files' entries in the database's order, the first for each file.
    pub fn sources(&self) -> Vec<&CompileCommand> {
        let mut seen = BTreeSet::new();
        self.entries
            .iter()
            .filter(|entry| entry.language == Language::C)
            .filter(|entry| seen.insert(identity(&entry.file)))
            .collect()
    }
}

impl CompileCommand {
    fn read(
        path: &Path,
        entry: usize,
        raw: RawEntry,
    ) -> Result<CompileCommand, CompileCommandsError> {
        let file = raw.file;
        let path = path.to_owned();
        let words = match (raw.arguments, raw.command) {
            (Some(arguments), _) => arguments,
            (None, Some(command)) => match shell::split(&command) {
                Ok(words) => words,
                Err(source) => {
                    return Err(CompileCommandsError::BadQuoting {
                        path,
                        entry,
                        file,
                        source,
                    });
                }
            },
            (None, None) => Vec::new(),
        };
        let Some((_compiler, words)) = words.split_first() else {
            return Err(CompileCommandsError::NoCommand { path, entry, file });
        };
        let base = path.parent().unwrap_or(Path::new(""));
        let directory = base.join(raw.directory);
        let flags = match Flags::read(words, &directory) {
            Ok(flags) => flags,
            Err(missing) => {
                return Err(CompileCommandsError::MissingValue {
                    path,
                    entry,
                    file,
                    flag: missing.flag,
                });
            }
        };
        let file = directory.join(file);
        Ok(CompileCommand {
            language: language(flags.language.as_deref(), &file),
            file,
            directory,
            options: flags.options,
            unsupported: flags.unsupported,
        })
    }
}

/// The language that `-x`, else the file's name, tells.
fn language(named: Option<&str>, file: &Path) -> Language {
    let is_c = match named {
        Some("none") | None => matches!(
            file.extension().and_then(|extension| extension.to_str()),
            Some("c" | "i")
        ),
        Some(name) => matches!(name, "c" | "cpp-output"),
    };
    match is_c {
        true => Language::C,
        false => Language::Other,
    }
}

/// The same for all names of one file: its canonical path, or, for a file that
/// is not there, its path without `.` and `..`.
fn identity(file: &Path) -> PathBuf {
    if let Ok(canonical) = fs::canonicalize(file) {
        return canonical;
    }
    let absolute = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
    let mut plain = PathBuf::new();
    for component in absolute.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            other => plain.push(other),
        }
    }
    plain
}
