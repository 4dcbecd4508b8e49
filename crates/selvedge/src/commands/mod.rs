//! What each command does, and what it answers to the shell.

mod check;
mod dump;
mod facts;
mod statistics;

use crate::arguments::{Arguments, Command, Input, Screen};
use crate::output;
use clap::CommandFactory;
use selvedge_frontend::compile::{Compiled, compile_sources};
use selvedge_program::{Diagnostic, Severity, Sources};
use selvedge_report::{SourceCache, diagnostic};
use std::process::ExitCode;

/// The exit status of a violation.
pub const UNSAFE: u8 = 1;
/// The exit status for wrong usage or unusable input, and for mistakes of our own.
pub const USAGE: u8 = 2;
/// The exit status when no verdict was reached.
pub const UNDECIDED: u8 = 3;

/// Runs a command.
pub fn run(arguments: Arguments) -> ExitCode {
    match arguments.command {
        Command::Check(arguments) => check::run(&arguments),
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

/// Compiles the input; its errors and warnings go to standard error, and `None` means that there were errors.
fn compile_input(input: &Input, screen: Screen) -> Option<Compiled> {
    let (sources, options) = match input.sources() {
        Ok(sources) => sources,
        Err(message) => {
            output::complain(&format!("selvedge: {message}\n"));
            return None;
        }
    };
    match compile_sources(&sources, &options) {
        Ok(compiled) => {
            show(&compiled.warnings, &compiled.program.sources, screen);
            Some(compiled)
        }
        Err(error) => {
            show(&error.diagnostics, &error.sources, screen);
            let errors = error.diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error).count();
            let noun = if errors == 1 { "error" } else { "errors" };
            output::complain(&format!("selvedge: {errors} {noun} in the input\n"));
            None
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
