//! `selvedge facts`: what the analysis knows of a program.

use super::{Form, compile_input};
use crate::arguments::FactsArguments;
use crate::output;
use selvedge_analysis::Facts;
use selvedge_program::Budget;
use selvedge_report::summary::{self, Summary};
use std::process::ExitCode;
use std::sync::Arc;

pub fn run(arguments: &FactsArguments) -> ExitCode {
    let compiled = match compile_input(&arguments.input, arguments.screen) {
        Ok(compiled) => compiled,
        Err(refused) => return refused.report(Form::of(arguments.json)),
    };
    let facts = Facts::new(Arc::new(compiled.program), Budget::unlimited());
    match Summary::of(&facts) {
        Ok(summary) if arguments.json => output::print(&format!("{:#}\n", summary::json(&summary))),
        Ok(summary) => output::print(&summary::render(&summary, &output::stdout_style(arguments.screen))),
        Err(limit) => unreachable!("there are no limits, but {limit}"),
    }
    ExitCode::SUCCESS
}
