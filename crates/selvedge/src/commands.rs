//! What each command does, and what it answers to the shell.

mod check;
mod dump;
mod facts;
mod native;
mod replay;
mod statistics;
mod within;

use crate::arguments::{Arguments, Command, Input, Screen};
use crate::output;
use clap::CommandFactory;
use selvedge_frontend::compile::{Compiled, compile_sources};
use selvedge_frontend::lower::Overflow;
use selvedge_program::{Budget, Diagnostic, Exhausted, Severity, Sources, Span};
use selvedge_report::{SourceCache, diagnostic, judgement};
use std::process::ExitCode;

/// The exit status of a violation.
pub const UNSAFE: u8 = 1;
/// The exit status for wrong usage or unusable input.
pub const USAGE: u8 = 2;
/// The exit status when no verdict was reached.
pub const UNDECIDED: u8 = 3;
/// The exit status when a mistake of our own left something open that nothing else decides.
pub const INTERNAL: u8 = 4;

/// Runs a command.
pub fn run(arguments: Arguments) -> ExitCode {
    match arguments.command {
        Command::Check(arguments) => check::run(&arguments),
        Command::Replay(arguments) => replay::run(&arguments),
        Command::Facts(arguments) => facts::run(&arguments),
        Command::Dump(arguments) => dump::run(&arguments),
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
            output::print(&format!("{:#}\n", judgement::refusal_json(&self.diagnostics, &self.sources)));
        }
        ExitCode::from(USAGE)
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
    let compiled = compile_within(input, screen, Overflow::Wraps, &Budget::unlimited())?;
    compiled.map_err(|limit| Refused::usage(&limit.to_string()))
}

/// The same within a budget; the limit is the inner error.
fn compile_within(
    input: &Input,
    screen: Screen,
    overflow: Overflow,
    budget: &Budget,
) -> Result<Result<Compiled, Exhausted>, Refused> {
    let (sources, mut options) = input.sources().map_err(|message| Refused::usage(&message))?;
    options.lower.overflow = overflow;
    let compiled = match within::within(budget, move || compile_sources(&sources, &options)) {
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
