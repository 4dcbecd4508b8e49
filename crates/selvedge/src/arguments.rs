//! The command line: its grammar, and the spellings that C compilers have taught people.

use clap::{Args, Parser, Subcommand, ValueEnum};
use selvedge_frontend::compile::{CompileOptions, Source};
use selvedge_frontend::preprocess::{self, CompileCommands, Macro};
use selvedge_program::DataModel;
use std::ffi::OsString;
use std::path::PathBuf;

/// A verifier for multithreaded C: proofs with certificates, bugs with schedules.
#[derive(Debug, Parser)]
#[command(name = "selvedge", version, about, max_term_width = 100)]
#[command(after_help = "Exit status: 0 safe, 1 unsafe, 2 usage or input error, 3 unknown or bounded.")]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What Selvedge can do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Check a program: can an assertion fail, threads race, deadlock, or do something undefined?
    Check(CheckArguments),
    /// Show a program's threads, what they share, its locks and its checks
    Facts(FactsArguments),
    /// Show what the front end makes of a program
    Dump(DumpArguments),
    /// Print a completion script for a shell
    Completions {
        /// The shell
        #[arg(value_enum)]
        shell: clap_complete::Shell,
    },
}

/// `selvedge check`
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  selvedge check queue.c                        everything, as long as it takes
  selvedge check --timeout 30 -Iinclude queue.c lock.c
  selvedge check --property race --race-on head queue.c
  selvedge check --threads 3 server.c           at most 3 threads of each kind at a time
  selvedge check --json queue.c | jq .verdict

Exit status: 0 safe, 1 unsafe, 2 usage or input error, 3 unknown or bounded.")]
pub struct CheckArguments {
    #[command(flatten)]
    pub input: Input,
    /// Check this property (repeatable; all of them if none is given)
    #[arg(long, value_enum, value_name = "PROPERTY")]
    pub property: Vec<PropertyChoice>,
    /// Report only data races on this object
    #[arg(long, value_name = "NAME")]
    pub race_on: Option<String>,
    /// Let at most N threads run the same function at a time; what this cuts off makes the verdict bounded. `any`
    /// (for the engine `cartesian`) is for every number at once
    #[arg(long, value_name = "N|any", value_parser = threads)]
    pub threads: Option<ThreadsChoice>,
    /// No two threads may be at these labels at once: LABEL or FROM..TO, several with commas (repeatable)
    #[arg(long, value_name = "LABEL,...")]
    pub exclusive: Vec<String>,
    /// Exception sets for the engine `cartesian` (docs/cartesian.md describes the form)
    #[arg(long, value_name = "FILE")]
    pub exceptions: Option<PathBuf>,
    /// Do not let the engine `cartesian` look for exception sets
    #[arg(long)]
    pub no_inference: bool,
    /// The engine to use
    #[arg(long, value_enum, default_value_t = EngineChoice::Explicit)]
    pub engine: EngineChoice,
    /// Stop after so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub timeout: Option<std::time::Duration>,
    /// Let the engine keep at most so many MiB
    #[arg(long, value_name = "MIB", default_value_t = 4096)]
    pub memory: u64,
    /// Print one JSON object instead of text (docs/json.md describes it)
    #[arg(long)]
    pub json: bool,
    /// Print the verdict alone
    #[arg(short, long)]
    pub quiet: bool,
    /// Print what the run took
    #[arg(long)]
    pub statistics: bool,
    #[command(flatten)]
    pub screen: Screen,
}

/// The properties.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PropertyChoice {
    /// No assertion fails and no error function is reached
    Assertion,
    /// No two threads access one place at once, one of them writing, not both atomically
    Race,
    /// There are never live threads none of which can move
    Deadlock,
    /// Nothing undefined happens: bad pointers, use after free, division by zero, misuse of locks, ...
    Memory,
}

/// The engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EngineChoice {
    /// All schedules and choices, state by state
    Explicit,
    /// Sets of local states per thread and shared state, with exceptions; any number of equal threads
    Cartesian,
}

/// How many threads may run one function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThreadsChoice {
    /// At most so many at a time.
    AtMost(u32),
    /// Any number.
    Any,
}

fn threads(text: &str) -> Result<ThreadsChoice, String> {
    match text.parse() {
        _ if text == "any" => Ok(ThreadsChoice::Any),
        Ok(0) | Err(_) => Err("neither a number from 1 on nor `any`".to_owned()),
        Ok(most) => Ok(ThreadsChoice::AtMost(most)),
    }
}

fn seconds(text: &str) -> Result<std::time::Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "not a number of seconds".to_owned())?;
    std::time::Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())
}

/// `selvedge facts`
#[derive(Debug, Args)]
pub struct FactsArguments {
    #[command(flatten)]
    pub input: Input,
    #[command(flatten)]
    pub screen: Screen,
}

/// `selvedge dump`
#[derive(Debug, Args)]
pub struct DumpArguments {
    #[command(flatten)]
    pub input: Input,
    /// The program model, as objects and control-flow automata (the default)
    #[arg(long)]
    pub program: bool,
    #[command(flatten)]
    pub screen: Screen,
}

/// When to use colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ColourChoice {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// How to write.
#[derive(Clone, Copy, Debug, Args)]
pub struct Screen {
    /// When to use colour
    #[arg(long, value_enum, default_value_t = ColourChoice::Auto, value_name = "WHEN")]
    pub color: ColourChoice,
}

/// The program to look at, as a C compiler would be given it.
#[derive(Debug, Args)]
pub struct Input {
    /// C files (or preprocessed .i files), which together make one program
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Take compiler flags from DIR/compile_commands.json
    #[arg(short = 'p', long = "build", value_name = "DIR", help_heading = "Compiler flags")]
    pub build: Option<PathBuf>,
    /// Search DIR for included files
    #[arg(short = 'I', value_name = "DIR", help_heading = "Compiler flags")]
    pub include_dirs: Vec<PathBuf>,
    /// Search DIR for included files, after all -I
    #[arg(long = "isystem", value_name = "DIR", help_heading = "Compiler flags")]
    pub system_dirs: Vec<PathBuf>,
    /// Define a macro
    #[arg(short = 'D', value_name = "NAME[=VALUE]", help_heading = "Compiler flags")]
    pub defines: Vec<String>,
    /// Undefine a macro (after all -D)
    #[arg(short = 'U', value_name = "NAME", help_heading = "Compiler flags")]
    pub undefines: Vec<String>,
    /// Include FILE first
    #[arg(long = "include", value_name = "FILE", help_heading = "Compiler flags")]
    pub includes: Vec<PathBuf>,
    /// The C standard, such as gnu11
    #[arg(long = "std", value_name = "STANDARD", help_heading = "Compiler flags")]
    pub standard: Option<String>,
    /// The sizes of int, long and pointers
    #[arg(long, value_enum, value_name = "MODEL", help_heading = "Compiler flags", ignore_case = true)]
    pub data_model: Option<DataModelChoice>,
    /// The same as --data-model ILP32
    #[arg(long = "m32", help_heading = "Compiler flags", conflicts_with = "data_model")]
    pub m32: bool,
    /// Assume that an undefined function has no effect and returns anything
    #[arg(long, value_name = "NAME")]
    pub assume_pure: Vec<String>,
}

/// The data models.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DataModelChoice {
    /// 64-bit long and pointers
    #[value(name = "LP64")]
    Lp64,
    /// 32-bit long and pointers
    #[value(name = "ILP32")]
    Ilp32,
}

impl Input {
    /// The files to compile, and how.
    pub fn sources(&self) -> Result<(Vec<Source>, CompileOptions), String> {
        let mut options = self.options();
        let database = self.build.as_ref().map(|build| CompileCommands::load(build)).transpose();
        let database = database.map_err(|error| error.to_string())?;
        let mut sources = Vec::new();
        for file in &self.files {
            let mut preprocess = preprocess::Options::default();
            if let Some(database) = &database {
                let command = database.entry_for(file).map_err(|error| error.to_string())?;
                if let Some(flag) = command.unsupported.first() {
                    return Err(format!("{} is compiled with {flag}, which is not supported", file.display()));
                }
                preprocess = command.options.clone();
            }
            preprocess.append(&options.preprocess);
            sources.push(Source { path: file.clone(), preprocess });
        }
        if let Some(source) = sources.first() {
            options.preprocess.data_model = source.preprocess.data_model;
        }
        Ok((sources, options))
    }

    /// The front end's options.
    fn options(&self) -> CompileOptions {
        let mut options = CompileOptions::default();
        options.lower.assume_pure = self.assume_pure.iter().cloned().collect();
        let preprocess = &mut options.preprocess;
        preprocess.include_dirs.clone_from(&self.include_dirs);
        preprocess.system_dirs.clone_from(&self.system_dirs);
        preprocess.includes.clone_from(&self.includes);
        preprocess.std.clone_from(&self.standard);
        preprocess.macros.extend(self.defines.iter().cloned().map(Macro::Define));
        preprocess.macros.extend(self.undefines.iter().cloned().map(Macro::Undefine));
        if self.m32 || self.data_model == Some(DataModelChoice::Ilp32) {
            preprocess.data_model = DataModel::Ilp32;
        }
        options
    }
}

/// Rewrites compiler spellings that clap has no grammar for: `-std=c11`, `-include x`, `-isystem d`, `-m32`, `-m64`.
pub fn in_our_spelling(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut ended = false;
    arguments
        .map(|argument| {
            ended |= argument == "--";
            match argument.to_str() {
                Some(text) if !ended && is_compiler_spelling(text) => OsString::from(format!("-{text}")),
                _ => argument,
            }
        })
        .filter(|argument| argument != "--m64")
        .collect()
}

fn is_compiler_spelling(text: &str) -> bool {
    text.starts_with("-std=") || matches!(text, "-include" | "-isystem" | "-m32" | "-m64")
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_grammar_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn compiler_spellings_are_understood() {
        let line = "selvedge check -std=c11 -include a.h -isystem d -m32 -Iinc -DX=1 -U Y x.c";
        let arguments = in_our_spelling(line.split(' ').map(OsString::from));
        let Ok(Arguments { command: Command::Check(check) }) = Arguments::try_parse_from(arguments) else {
            panic!("{line} is understood")
        };
        let options = check.input.options();
        assert_eq!(options.preprocess.std.as_deref(), Some("c11"));
        assert_eq!(options.preprocess.data_model, DataModel::Ilp32);
        assert_eq!(options.preprocess.include_dirs, [PathBuf::from("inc")]);
        assert_eq!(options.preprocess.includes, [PathBuf::from("a.h")]);
        let macros = [Macro::Define("X=1".into()), Macro::Undefine("Y".into())];
        assert_eq!(options.preprocess.macros, macros);
    }
}
