//! What each command does, and what it answers to the shell.

mod abstraction;
mod boolean;
mod certify;
mod check;
mod compose;
mod conform;
mod contract;
mod dump;
mod facts;
mod known;
mod native;
mod replay;
mod solver;
mod statistics;
mod svcomp;
mod within;

use crate::arguments::{Arguments, Command, Input, Screen};
use crate::output;
use clap::CommandFactory;
use selvedge_evidence::Replicas;
use selvedge_frontend::compile::{CompileError, Compiled, compile_sources};
use selvedge_frontend::lower::Overflow;
use selvedge_frontend::scpl;
use selvedge_program::{Budget, Diagnostic, Exhausted, Program, Region, Severity, Sources, Span};
use selvedge_report::model::Refusal;
use selvedge_report::{SourceCache, diagnostic};
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// The exit status where everything holds.
pub const SAFE: u8 = 0;
/// The exit status of a violation.
pub const UNSAFE: u8 = 1;
/// The exit status for wrong usage or unusable input.
pub const USAGE: u8 = 2;
/// The exit status when no verdict was reached.
pub const UNDECIDED: u8 = 3;
/// The exit status when a mistake of our own left something open that nothing else decides.
pub const INTERNAL: u8 = 4;

/// Runs a command.
pub fn run(mut arguments: Arguments) -> ExitCode {
    let expected = match arguments.command.program() {
        Some(given) => match svcomp::resolve(given.input, given.takes_its_property, given.screen) {
            Ok(expected) => expected,
            Err(refused) => return refused.report(Form::of(given.is_json)),
        },
        None => None,
    };
    match arguments.command {
        Command::Check(arguments) => check::run(*arguments, expected.as_ref()),
        Command::Certify(arguments) => certify::run(&arguments),
        Command::Replay(arguments) => replay::run(&arguments),
        Command::Facts(arguments) => facts::run(&arguments),
        Command::Dump(arguments) => dump::run(&arguments),
        Command::Abstract(arguments) => abstraction::run(&arguments),
        Command::Boolean(arguments) => boolean::run(&arguments),
        Command::Conform(arguments) => conform::run(arguments),
        Command::Contract(arguments) => contract::run(&arguments),
        Command::Compose(arguments) => compose::run(*arguments),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Arguments::command(), "selvedge", &mut script);
            output::print(&String::from_utf8_lossy(&script));
            ExitCode::SUCCESS
        }
    }
}

/// Why there is nothing to look at. Standard error has been told.
#[derive(Debug, Default)]
pub struct Refused {
    diagnostics: Vec<Diagnostic>,
    sources: Sources,
}

impl Refused {
    /// A mistake in the command line, or in a file that is no program.
    pub fn usage(message: &str) -> Self {
        output::complain(&format!("selvedge: {message}\n"));
        Refused::told(message)
    }

    /// The same, where standard error has been told already.
    pub fn told(message: &str) -> Self {
        Refused { diagnostics: vec![Diagnostic::error(Span::NOWHERE, message)], sources: Sources::default() }
    }

    /// Whoever asked for a report gets one.
    pub fn report(&self, form: Form) -> ExitCode {
        if form == Form::Json {
            output::print(&to_json(&Refusal::of(&self.diagnostics, &self.sources)));
        }
        ExitCode::from(USAGE)
    }
}

/// The limits of a run; an interrupt from the keyboard ends it with what is known by then, a second one at once.
fn budget(timeout: Duration, mebibytes: u64) -> Budget {
    let mut budget = Budget::unlimited().with_memory(mebibytes.saturating_mul(1 << 20));
    if !timeout.is_zero() {
        budget = budget.with_time(timeout);
    }
    let cancel = budget.cancel.clone();
    let handled = ctrlc::set_handler(move || {
        if cancel.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    });
    // Without a handler an interrupt ends the process, which is what one expects of it.
    drop(handled);
    budget
}

/// Makes races of violations of mutual exclusion.
fn make_exclusive(lists: &[String], program: &mut Program) -> Result<(), String> {
    for list in lists {
        let regions: Vec<Region> = list.split(',').map(Region::parse).collect();
        program.make_exclusive(&regions, list).map_err(|error| format!("--exclusive: {error}"))?;
    }
    Ok(())
}

/// A report as JSON, with a line end.
fn to_json(report: &impl serde::Serialize) -> String {
    match serde_json::to_string_pretty(report) {
        Ok(text) => text + "\n",
        // Nothing in a report can fail to be JSON: its keys are words.
        Err(error) => format!("{{\"verdict\": \"error\", \"errors\": [], \"internal_errors\": [\"{error}\"]}}\n"),
    }
}

/// The form of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Text for people.
    Text,
    /// JSON for programs.
    Json,
}

impl Form {
    /// What `--json` stands for.
    pub fn of(json: bool) -> Self {
        if json { Form::Json } else { Form::Text }
    }
}

/// Compiles the input; its errors and warnings go to standard error.
fn compile_input(input: &Input, screen: Screen) -> Result<Compiled, Refused> {
    let made = Made { overflow: Overflow::Wraps, threads: Replicas::default() };
    let compiled = compile_within(input, screen, made, &Budget::unlimited())?;
    compiled.map_err(|limit| Refused::usage(&limit.to_string()))
}

/// How a program is made of its files, beside what the files and compiler flags say.
#[derive(Clone, Copy, Debug)]
struct Made {
    overflow: Overflow,
    /// How many threads execute a program in SCPL, which does not say it.
    threads: Replicas,
}

/// Whether the input is a program in SCPL.
fn is_scpl(input: &Input) -> bool {
    input.files.iter().any(|file| has_ending(file, "scpl"))
}

fn has_ending(file: &Path, ending: &str) -> bool {
    file.extension().is_some_and(|found| found == ending)
}

/// What compiles the one file of the input.
fn compile_scpl(
    input: &Input,
    threads: Replicas,
) -> Result<impl FnOnce() -> Result<Compiled, CompileError> + use<>, String> {
    let [file] = &input.files[..] else { return Err("a program in SCPL is one file".to_owned()) };
    let in_file = |error: &dyn std::fmt::Display| format!("{}: {error}", file.display());
    let bytes = std::fs::read(file).map_err(|error| in_file(&error))?;
    let text = String::from_utf8(bytes).map_err(|_| in_file(&"this is no text"))?;
    let threads = match threads {
        Replicas::AtMost(number) => scpl::Threads::Exactly(u32::try_from(number).unwrap_or(u32::MAX)),
        Replicas::AsStarted | Replicas::Any => scpl::Threads::Any,
    };
    let name = file.to_string_lossy().into_owned();
    Ok(move || scpl::compile(&name, &text, threads))
}

/// The same within a budget; the limit is the inner error.
fn compile_within(
    input: &Input,
    screen: Screen,
    made: Made,
    budget: &Budget,
) -> Result<Result<Compiled, Exhausted>, Refused> {
    if let Some(file) = input.files.iter().find(|file| has_ending(file, "bp")) {
        let file = file.display();
        return Err(Refused::usage(&format!(
            "{file}: this is a Boolean program: `selvedge boolean {file}` decides it"
        )));
    }
    let compiled = if is_scpl(input) {
        let compile = compile_scpl(input, made.threads).map_err(|message| Refused::usage(&message))?;
        within::within(budget, compile)
    } else {
        let (sources, mut options) = input.sources().map_err(|message| Refused::usage(&message))?;
        options.lower.overflow = made.overflow;
        within::within(budget, move || compile_sources(&sources, &options))
    };
    let compiled = match compiled {
        Ok(compiled) => compiled,
        Err(limit) => return Ok(Err(limit)),
    };
    match compiled {
        Ok(compiled) => {
            show(&compiled.warnings, &compiled.program.sources, screen);
            Ok(Ok(compiled))
        }
        Err(error) => {
            show(&error.diagnostics, &error.sources, screen);
            let errors = error.diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error).count();
            let noun = if errors == 1 { "error" } else { "errors" };
            output::complain(&format!("selvedge: {errors} {noun} in the input\n"));
            Err(Refused { diagnostics: error.diagnostics, sources: error.sources })
        }
    }
}

fn show(diagnostics: &[Diagnostic], sources: &Sources, screen: Screen) {
    let style = output::stderr_style(screen);
    let mut cache = SourceCache::default();
    for diagnostic in diagnostics {
        output::complain(&diagnostic::render(diagnostic, sources, &mut cache, &style));
    }
}
