//! The command line: its grammar, and the spellings that C compilers have taught people.

mod check;
mod compose;
mod conform;
mod evidence;
mod input;
mod look;

pub use check::{
    AlgorithmChoice, CheckArguments, EnvironmentChoice, LinePair, ModeChoice, PropertyChoice, Reporting,
    WeakeningChoice,
};
pub use compose::{ComposeArguments, Count};
pub use conform::{ConformArguments, ContractArguments, Origin};
pub use evidence::{CertifyArguments, ReplayArguments, Schedules};
pub use input::{DataModelChoice, Input};
pub use look::{AbstractArguments, BooleanArguments, DialectChoice, DumpArguments, FactsArguments};

use clap::{Args, Parser, Subcommand, ValueEnum};
use selvedge_evidence::Replicas;
use selvedge_frontend::preprocess;
use std::ffi::OsString;
use std::path::PathBuf;

/// A verifier for multithreaded C: proofs with certificates, bugs with schedules.
#[derive(Debug, Parser)]
#[command(name = "selvedge", version, about, max_term_width = 100)]
#[command(
    after_help = "Exit status: 0 safe, 1 unsafe, 2 usage or input error, 3 unknown or bounded, 4 an internal error left something open."
)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// Take options from FILE instead of the nearest selvedge.toml (docs/project.md)
    #[arg(long, global = true, value_name = "FILE", help_heading = "Project")]
    pub project: Option<PathBuf>,
    /// Take options from the command line alone
    #[arg(long, global = true, conflicts_with = "project", help_heading = "Project")]
    pub no_project: bool,
}

/// What Selvedge can do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Check a program: can an assertion fail, threads race, deadlock, or do something undefined?
    Check(Box<CheckArguments>),
    /// Check the certificates of a program, as `check --certificate` writes them, without any engine
    Certify(CertifyArguments),
    /// Replay a schedule that `check --schedule` wrote, on the compiled program
    Replay(ReplayArguments),
    /// Show what is known of a program at a glance: its threads and when they run, what they share, its pointers and
    /// checks
    Facts(FactsArguments),
    /// Show what the front end makes of a program
    Dump(DumpArguments),
    /// Abstract a program to a Boolean broadcast program by predicates, and print that
    Abstract(AbstractArguments),
    /// Decide whether an assertion of a Boolean program can fail, for so many threads or for any number
    Boolean(BooleanArguments),
    /// Check that each thread of a program does what a specification of abstract threads says
    Conform(ConformArguments),
    /// Write the specification that a thread-modular proof of a program's assertions, or all its executions, induce
    Contract(ContractArguments),
    /// Check the composition of the abstract threads of a specification: can one go wrong, or all wait for good?
    Compose(Box<ComposeArguments>),
    /// Print a completion script for a shell
    Completions {
        /// The shell
        #[arg(value_enum)]
        shell: clap_complete::Shell,
    },
}

/// A program as a command is given it.
#[derive(Debug)]
pub struct Given<'a> {
    /// Its files.
    pub input: &'a mut Input,
    /// Whether what is asked may come from a task definition.
    pub takes_its_property: bool,
    /// How to write.
    pub screen: Screen,
    /// Whether errors are wanted as JSON.
    pub is_json: bool,
}

impl Command {
    /// The program that a command is about.
    pub fn program(&mut self) -> Option<Given<'_>> {
        let (takes_its_property, input, screen, is_json) = match self {
            Command::Check(of) => {
                let is_asked = !of.property.is_empty() || of.race_on.is_some();
                let is_asked = is_asked || !of.atomic.is_empty() || !of.exclusive.is_empty();
                (!is_asked, &mut of.input, of.screen, of.reporting.json)
            }
            Command::Certify(of) => (true, &mut of.input, of.screen, of.json),
            Command::Replay(of) => (true, &mut of.input, of.screen, false),
            Command::Facts(of) => (true, &mut of.input, of.screen, of.json),
            Command::Dump(of) => (true, &mut of.input, of.screen, false),
            Command::Abstract(of) => (true, &mut of.input, of.screen, false),
            Command::Contract(of) => (true, &mut of.input, of.screen, false),
            // Its first file is a specification.
            Command::Compose(_) | Command::Conform(_) => return None,
            Command::Boolean(_) | Command::Completions { .. } => return None,
        };
        Some(Given { input, takes_its_property, screen, is_json })
    }
}

fn threads(text: &str) -> Result<Replicas, String> {
    match text.parse::<u32>() {
        _ if text == "any" => Ok(Replicas::Any),
        Ok(0) | Err(_) => Err("neither a number from 1 on nor `any`".to_owned()),
        Ok(most) => Ok(Replicas::AtMost(u64::from(most))),
    }
}

fn seconds(text: &str) -> Result<std::time::Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "not a number of seconds".to_owned())?;
    std::time::Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())
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

/// Rewrites compiler spellings that clap has no grammar for (`-std=c11`, `-include x`, `-isystem d`, `-m32`, `-m64`),
/// and drops flags that change nothing about what the program means.
pub fn in_our_spelling(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut kept = Vec::new();
    let mut arguments = arguments;
    while let Some(argument) = arguments.next() {
        let text = argument.to_str().unwrap_or_default();
        match text {
            "--" => {
                kept.push(argument);
                kept.extend(arguments);
                return kept;
            }
            "--args" => {
                kept.push(argument);
                kept.extend(arguments.next());
            }
            // A compiler's too, but the report says that it shows every step.
            "-v" => kept.push(argument),
            "-m64" => {}
            "-pthread" => kept.push(OsString::from("-D_REENTRANT")),
            _ if is_compiler_spelling(text) => kept.push(OsString::from(format!("-{text}"))),
            _ => match preprocess::harmless_words(text) {
                0 => kept.push(argument),
                words => drop(arguments.by_ref().take(words - 1).count()),
            },
        }
    }
    kept
}

fn is_compiler_spelling(text: &str) -> bool {
    text.starts_with("-std=") || matches!(text, "-include" | "-isystem" | "-m32")
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;
    use selvedge::EngineName;
    use selvedge_evidence::Unwind;
    use selvedge_frontend::preprocess::Macro;
    use selvedge_program::DataModel;

    #[test]
    fn the_grammar_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn bounds_and_engines_are_understood() {
        let parse = |line: &str| {
            let arguments = Arguments::try_parse_from(line.split(' '));
            arguments.map(|arguments| match arguments.command {
                Command::Check(check) => check,
                other => panic!("{other:?}"),
            })
        };
        let names = |engines: &[EngineName]| engines.iter().map(|engine| engine.name()).collect::<Vec<_>>();
        let plain = parse("selvedge check x.c").expect("is understood");
        assert_eq!((plain.unwind, plain.engine.len(), plain.timeout.as_secs()), (Unwind::Auto, 0, 60));
        let line = "selvedge check --engine explicit --engine interference --unwind 8 --mode over --timeout 0 x.c";
        let given = parse(line).expect("is understood");
        assert_eq!(names(&given.engine), ["explicit", "interference"]);
        assert_eq!((given.unwind, given.mode, given.timeout.is_zero()), (Unwind::Exactly(8), ModeChoice::Over, true));
        assert!(parse("selvedge check --unwind often x.c").is_err());
        let given =
            parse("selvedge check --engine cartesian --threads any --exclusive a,b..c x.c").expect("is understood");
        assert_eq!((names(&given.engine), given.threads), (vec!["cartesian"], Some(Replicas::Any)));
        assert_eq!(given.exclusive, ["a,b..c"]);
        let given = parse("selvedge check --threads 3 x.c").expect("is understood");
        assert_eq!(given.threads, Some(Replicas::AtMost(3)));
        assert!(parse("selvedge check --threads 0 x.c").is_err());
        let given = parse("selvedge check --atomic 3-5 --atomic d:/q.c:7-7 x.c").expect("is understood");
        let pair = |file: Option<&str>, first, second| LinePair { file: file.map(str::to_owned), first, second };
        assert_eq!(given.atomic, [pair(None, 3, 5), pair(Some("d:/q.c"), 7, 7)]);
        assert!(parse("selvedge check --atomic 3 x.c").is_err());
    }

    #[test]
    fn harmless_flags_are_dropped() {
        let line = "selvedge check -pthread -O2 -Wall -g -c -v -o x.o -lm -p build --args -O2 x.c -- -O2";
        let kept = "selvedge check -D_REENTRANT -v -p build --args -O2 x.c -- -O2";
        assert_eq!(in_our_spelling(line.split(' ').map(OsString::from)), kept.split(' ').collect::<Vec<_>>());
    }

    #[test]
    fn compiler_spellings_are_understood() {
        let line = "selvedge check -std=c11 -include a.h -isystem d -m32 -Iinc -DX=1 -U Y x.c";
        let arguments = in_our_spelling(line.split(' ').map(OsString::from));
        let Ok(Arguments { command: Command::Check(check), .. }) = Arguments::try_parse_from(arguments) else {
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
