//! The program that a command is about, as a C compiler would be given it.

use clap::{Args, ValueEnum};
use selvedge::svcomp::Specification;
use selvedge_frontend::compile::{CompileOptions, Source};
use selvedge_frontend::lower::{Accepted, Call, Calls, Failures, Start, Uninitialised};
use selvedge_frontend::preprocess::{self, CompileCommands, Lines, Macro, SplitError};
use selvedge_program::DataModel;
use std::path::PathBuf;

/// The program to look at, as a C compiler would be given it.
#[derive(Clone, Debug, Args)]
pub struct Input {
    /// C files (or preprocessed .i files), which together make one program; or one program in SCPL (.scpl); or one
    /// task definition (.yml), which names them
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
    /// Accept that functions which nobody defines or models touch only what they are given: all of them, or those that
    /// are named. Without this what is proved of a program that calls one is `unknown`, with that as the reason
    #[arg(long, value_name = "NAME,...", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    pub assume_externals: Option<String>,
    /// Take the functions that FILE defines for models of those of the same name, before any model of ours
    #[arg(long = "model", value_name = "FILE")]
    pub models: Vec<PathBuf>,
    /// Run the program with these arguments, split into words as a shell does; without them a `main` that looks at its
    /// arguments is run with any: up to 15, of up to 15 characters each
    #[arg(long, value_name = "WORDS", value_parser = words, allow_hyphen_values = true)]
    pub args: Option<Words>,
    /// Let any number of threads call these functions instead of running `main`, any of them at any time, with any
    /// arguments; `f+g` is a call of f and then one of g by the same thread, with what f returned, and `f(_,8)` one with
    /// a given number
    #[arg(long, value_name = "CALL,...", value_parser = calls, help_heading = "Libraries")]
    pub concurrent: Option<CallList>,
    /// Before that, call these functions, one after the other
    #[arg(long, value_name = "CALL,...", value_parser = calls, requires = "concurrent", help_heading = "Libraries")]
    pub setup: Option<CallList>,
    /// Call this function once, with any arguments, instead of running `main`
    #[arg(long, value_name = "CALL", value_parser = calls, conflicts_with_all = ["concurrent", "args"],
        help_heading = "Libraries")]
    pub entry: Option<CallList>,
    /// Take the program's handlers of signals never to run; without this they may run at any moment in any thread
    #[arg(long)]
    pub no_signals: bool,
    /// Take a single access to a volatile number or pointer for atomic, as old code does; `x++` is still two accesses
    #[arg(long)]
    pub volatile_atomic: bool,
    /// Let pthread_create store the thread's id when the new thread may be running already, as POSIX allows
    #[arg(long)]
    pub late_thread_id: bool,
    /// Let reading memory that nobody has written be undefined behaviour (of --property memory); otherwise it turns out
    /// to be any value, and stays that
    #[arg(long)]
    pub uninitialised: bool,
    /// Take rand, srand and random for thread-safe, as glibc promises and no standard does
    #[arg(long)]
    pub thread_safe_libc: bool,
    /// Ask what a property file of the competition on software verification asks (docs/svcomp.md): only calls of the
    /// function that it names are failures, and lines of preprocessed files are their own
    #[arg(long, value_name = "FILE.prp")]
    pub spec: Option<PathBuf>,
    /// What the property file says, once it has been read.
    #[arg(skip)]
    pub specification: Option<Specification>,
}

/// Words of a command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Words(pub Vec<String>);

pub fn words(text: &str) -> Result<Words, SplitError> {
    preprocess::split(text).map(Words)
}

/// Calls of functions by name: each item is some calls in a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallList(pub Vec<Vec<Call>>);

fn calls(text: &str) -> Result<CallList, String> {
    Call::list(text).map(CallList)
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
        for file in self.files.iter().chain(&self.models) {
            let mut preprocess = preprocess::Options::default();
            if let Some(database) = database.as_ref().filter(|_| !self.models.contains(file)) {
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

    /// What runs first.
    fn start(&self) -> Start {
        let in_order = |list: &Option<CallList>| list.iter().flat_map(|list| list.0.concat()).collect();
        match (&self.concurrent, &self.entry) {
            (Some(concurrent), _) => {
                Start::Calls(Calls { setup: in_order(&self.setup), concurrent: concurrent.0.clone() })
            }
            (None, Some(_)) => Start::Calls(Calls { setup: in_order(&self.entry), concurrent: Vec::new() }),
            (None, None) => Start::Main,
        }
    }

    /// The front end's options.
    pub fn options(&self) -> CompileOptions {
        let mut options = CompileOptions::default();
        options.lower.assume_pure = self.assume_pure.iter().cloned().collect();
        options.lower.assume_externals = match self.assume_externals.as_deref() {
            None => Accepted::None,
            Some("") => Accepted::All,
            Some(names) => Accepted::Named(names.split(',').map(|name| name.trim().to_owned()).collect()),
        };
        options.lower.models = self.models.iter().map(|path| path.to_string_lossy().into_owned()).collect();
        options.lower.arguments = self.args.as_ref().map(|words| words.0.clone());
        options.lower.start = self.start();
        options.lower.no_signals = self.no_signals;
        options.lower.volatile_atomic = self.volatile_atomic;
        if self.uninitialised {
            options.lower.uninitialised = Uninitialised::Undefined;
        }
        if let Some(specification) = &self.specification {
            options.lower.failures = Failures::CallsOf(specification.error_functions());
            options.preprocess.lines = Lines::Own;
        }
        options.lower.library.late_thread_id = self.late_thread_id;
        options.lower.library.thread_safe_libc = self.thread_safe_libc;
        options.lower.library.silent_strings = true;
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
