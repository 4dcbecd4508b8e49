//! What each command does, and what it answers to the shell.

mod check;
mod dump;

use crate::arguments::{Arguments, Command, Input, Screen};
use crate::output;
use selvedge_frontend::compile::{Compiled, compile};
use selvedge_program::{Diagnostic, Severity, Sources};
use selvedge_report::{SourceCache, diagnostic};
use std::process::ExitCode;

/// The exit status for wrong usage or unusable input.
pub const USAGE: u8 = 2;
/// The exit status when no verdict was reached.
pub const UNDECIDED: u8 = 3;

/// Runs a command.
pub fn run(arguments: Arguments) -> ExitCode {
    match arguments.command {
        Command::Check(arguments) => check::run(&arguments),
        Command::Dump(arguments) => dump::run(&arguments),
    }
}

/// Compiles the input; its errors and warnings go to standard error, and `None` means that there were errors.
fn compile_input(input: &Input, screen: Screen) -> Option<Compiled> {
    match compile(&input.files, &input.options()) {
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
