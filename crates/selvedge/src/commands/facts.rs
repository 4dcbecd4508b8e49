//! `selvedge facts`: what the analysis knows of a program.

use super::{Form, UNDECIDED, compile_input};
use crate::arguments::FactsArguments;
use crate::output;
use selvedge_analysis::Facts;
use selvedge_program::Budget;
use selvedge_report::summary::{self, Summary};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

pub fn run(arguments: &FactsArguments) -> ExitCode {
    let compiled = match compile_input(&arguments.input, arguments.screen) {
        Ok(compiled) => compiled,
        Err(refused) => return refused.report(Form::of(arguments.json)),
    };
    let budget = match arguments.timeout {
        Duration::ZERO => Budget::unlimited(),
        time => Budget::unlimited().with_time(time),
    };
    let facts = Facts::new(Arc::new(compiled.program), budget);
    match Summary::of(&facts) {
        Ok(summary) if arguments.json => output::print(&format!("{:#}\n", summary::json(&summary))),
        Ok(summary) => output::print(&summary::render(&summary, &output::stdout_style(arguments.screen))),
        Err(limit) => {
            eprintln!("selvedge facts: {limit}; `--timeout` gives it more");
            return ExitCode::from(UNDECIDED);
        }
    }
    ExitCode::SUCCESS
}
