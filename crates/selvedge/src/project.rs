//! `selvedge.toml`, in the folder where the command runs or the nearest above it: what a project says to every run, so
//! that nobody has to. A table has the name of a command, and its keys are that command's options; what the command
//! line says itself counts instead. A run that takes anything from it says what.
//!
//! ```toml
//! [check]
//! files = ["src/queue.c", "src/main.c"]
//! include-dirs = ["include"]
//! assume-externals = ["log_write"]
//! no-signals = true
//! timeout = 30
//! ```

use crate::arguments::Arguments;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command, CommandFactory};
use std::any::TypeId;
use std::ffi::OsString;
use std::ops::Range;
use std::path::{Path, PathBuf};
use toml::de::{DeTable, DeValue};

/// The name of the file.
pub const NAME: &str = "selvedge.toml";

/// What the files' option is called in the grammar.
const FILES: &str = "files";

/// A project's file that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("{}: {error}", path.display())]
    Unreadable { path: PathBuf, error: std::io::Error },
    #[error("{}:{line}: {message}", path.display())]
    Wrong { path: PathBuf, line: usize, message: String },
}

/// A command line with what the project says.
#[derive(Debug)]
pub struct Completed {
    /// All of it.
    pub arguments: Vec<OsString>,
    /// What is taken from where, if anything is.
    pub taken: Option<(PathBuf, Vec<String>)>,
}

/// Adds what the project says to a command line.
///
/// # Errors
/// If the project's file cannot be read, or says what the command does not take.
pub fn complete(arguments: Vec<OsString>, folder: &Path) -> Result<Completed, Error> {
    let grammar = Arguments::command();
    let given = grammar.clone().ignore_errors(true).try_get_matches_from(&arguments);
    let plain = |arguments| Ok(Completed { arguments, taken: None });
    let Ok(given) = given else { return plain(arguments) };
    let Some((name, own)) = given.subcommand() else { return plain(arguments) };
    let Some(command) = grammar.find_subcommand(name) else { return plain(arguments) };
    let Some(path) = wanted(&given, folder) else { return plain(arguments) };
    let text = std::fs::read_to_string(&path).map_err(|error| Error::Unreadable { path: path.clone(), error })?;
    let project = Project { path, text };
    let words = project.words(command, own)?;
    let at = arguments.iter().position(|argument| argument == name).map_or(arguments.len(), |at| at + 1);
    let (mut all, rest) = (arguments, words.options);
    let last = all.split_off(at);
    all.extend(rest.iter().map(OsString::from));
    all.extend(last);
    all.extend(words.files.iter().map(OsString::from));
    let shown: Vec<String> = rest.into_iter().chain(words.files).collect();
    let taken = (!shown.is_empty()).then_some((project.path, shown));
    Ok(Completed { arguments: all, taken })
}

/// The file that the command line asks for, or the nearest.
fn wanted(given: &ArgMatches, folder: &Path) -> Option<PathBuf> {
    if given.get_flag("no_project") {
        return None;
    }
    let named = given.get_one::<PathBuf>("project").cloned();
    named.or_else(|| folder.ancestors().map(|folder| folder.join(NAME)).find(|path| path.is_file()))
}

/// What a project adds to a command line.
#[derive(Default)]
struct Words {
    options: Vec<String>,
    files: Vec<String>,
}

struct Project {
    path: PathBuf,
    text: String,
}

impl Project {
    fn wrong(&self, at: Range<usize>, message: impl Into<String>) -> Error {
        let line = self.text.get(..at.start).unwrap_or_default().matches('\n').count() + 1;
        Error::Wrong { path: self.path.clone(), line, message: message.into() }
    }

    fn words(&self, command: &Command, given: &ArgMatches) -> Result<Words, Error> {
        let tables = DeTable::parse(&self.text)
            .map_err(|error| self.wrong(error.span().unwrap_or_default(), error.message().to_owned()))?;
        let mut words = Words::default();
        for (name, table) in tables.get_ref() {
            let (at, name) = (name.span(), name.get_ref());
            let DeValue::Table(table) = table.get_ref() else {
                return Err(self.wrong(at, format!("`{name}` stands outside of a command's table, such as `[check]`")));
            };
            if Arguments::command().find_subcommand(&**name).is_none() {
                return Err(self.wrong(at, format!("`{name}` is no command of `selvedge`")));
            }
            if *name != command.get_name() {
                continue;
            }
            for (key, value) in table {
                let option = option(command, key.get_ref()).ok_or_else(|| {
                    self.wrong(key.span(), format!("`{}` is no option of `selvedge {name}`", key.get_ref()))
                })?;
                let is_given = given.value_source(option.get_id().as_str()) == Some(ValueSource::CommandLine);
                let values = self.values(option, value.get_ref(), value.span())?;
                if !is_given {
                    add(&mut words, option, values);
                }
            }
        }
        Ok(words)
    }

    /// The values of an option; none to leave it out.
    fn values(&self, option: &Arg, value: &DeValue<'_>, at: Range<usize>) -> Result<Option<Vec<String>>, Error> {
        let takes = option.get_action().takes_values();
        let single = |value: &DeValue<'_>| match value {
            DeValue::String(text) => Some(self.path_if_asked(option, text)),
            DeValue::Integer(number) => Some(number.as_str().to_owned()),
            DeValue::Float(number) => Some(number.as_str().to_owned()),
            _ => None,
        };
        let wrong = |what: &str| Err(self.wrong(at.clone(), what));
        match value {
            DeValue::Boolean(is_on) if !takes || option.get_num_args().is_some_and(|args| args.min_values() == 0) => {
                Ok(is_on.then(Vec::new))
            }
            _ if !takes => wrong("this option is `true` or `false`"),
            DeValue::Array(values) => match values.iter().map(|value| single(value.get_ref())).collect() {
                Some(values) => Ok(Some(values)),
                None => wrong("a list of texts or numbers is expected"),
            },
            value => match single(value) {
                Some(value) => Ok(Some(vec![value])),
                None => wrong("a text, a number, or a list of them is expected"),
            },
        }
    }

    /// A value that is a path stands for one from the folder of the project.
    fn path_if_asked(&self, option: &Arg, text: &str) -> String {
        let is_path = option.get_value_parser().type_id() == TypeId::of::<PathBuf>();
        match self.path.parent().filter(|_| is_path) {
            Some(folder) => folder.join(text).to_string_lossy().into_owned(),
            None => text.to_owned(),
        }
    }
}

/// An option by its long name, or by what it is called in the grammar.
fn option<'c>(command: &'c Command, key: &str) -> Option<&'c Arg> {
    let is_meant = |option: &&Arg| option.get_long() == Some(key) || option.get_id().as_str().replace('_', "-") == key;
    command.get_arguments().find(is_meant)
}

fn add(words: &mut Words, option: &Arg, values: Option<Vec<String>>) {
    let Some(values) = values else { return };
    if option.get_id() == FILES {
        return words.files.extend(values);
    }
    let name = match (option.get_long(), option.get_short()) {
        (Some(long), _) => format!("--{long}"),
        (None, Some(short)) => format!("-{short}"),
        (None, None) => return,
    };
    let joint = if name.starts_with("--") { "=" } else { "" };
    match option.get_action() {
        ArgAction::Append => words.options.extend(values.iter().map(|value| format!("{name}{joint}{value}"))),
        _ if values.is_empty() => words.options.push(name),
        _ => words.options.push(format!("{name}{joint}{}", values.join(","))),
    }
}
