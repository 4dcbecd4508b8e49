//! `selvedge dump`: what the front end makes of a program.

use super::{Form, compile_input};
use crate::arguments::DumpArguments;
use crate::output;
use std::process::ExitCode;

pub fn run(arguments: &DumpArguments) -> ExitCode {
    let compiled = match compile_input(&arguments.input, arguments.screen) {
        Ok(compiled) => compiled,
        Err(refused) => return refused.report(Form::Text),
    };
    output::print(&selvedge_program::text::program(&compiled.program).to_string());
    ExitCode::SUCCESS
}
