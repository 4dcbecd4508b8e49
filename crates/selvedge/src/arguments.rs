//! The command line: its grammar, and the spellings that C compilers have taught people.

use clap::{Args, Parser, Subcommand, ValueEnum};
use selvedge_frontend::compile::CompileOptions;
use selvedge_frontend::preprocess::Macro;
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
    /// Check a program: its threads, what they share, and whether anything can go wrong
    Check(CheckArguments),
    /// Show what the front end makes of a program
    Dump(DumpArguments),
}

/// `selvedge check`
#[derive(Debug, Args)]
pub struct CheckArguments {
    #[command(flatten)]
    pub input: Input,
    /// Print one JSON object instead of text (docs/json.md describes it)
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub screen: Screen,
}

/// `selvedge dump`
#[derive(Debug, Args)]
pub struct DumpArguments {
    #[command(flatten)]
    pub input: Input,
    /// The program model: objects and control-flow automata (the default)
    #[arg(long, conflicts_with = "ast")]
    pub program: bool,
    /// The syntax tree
    #[arg(long)]
    pub ast: bool,
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
    /// The front end's options.
    pub fn options(&self) -> CompileOptions {
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
