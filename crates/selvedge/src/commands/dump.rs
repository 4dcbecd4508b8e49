//! `selvedge dump`: what the front end makes of a program.

use super::{USAGE, compile_input};
use crate::arguments::DumpArguments;
use crate::output;
use std::process::ExitCode;

pub fn run(arguments: &DumpArguments) -> ExitCode {
    let Some(compiled) = compile_input(&arguments.input, arguments.screen) else { return ExitCode::from(USAGE) };
    output::print(&selvedge_program::text::program(&compiled.program).to_string());
    ExitCode::SUCCESS
}
