//! `selvedge facts`: what the analysis knows of a program.

use super::{USAGE, compile_input};
use crate::arguments::FactsArguments;
use crate::output;
use selvedge_analysis::{PointsTo, Threads, sharing};
use selvedge_report::summary;
use std::process::ExitCode;

pub fn run(arguments: &FactsArguments) -> ExitCode {
    let Some(compiled) = compile_input(&arguments.input, arguments.screen) else { return ExitCode::from(USAGE) };
    let program = &compiled.program;
    let points_to = PointsTo::of(program);
    let threads = Threads::of(program, &points_to);
    let sharing = sharing(program, &points_to, &threads);
    let facts = summary::Facts { program, threads: &threads, sharing: &sharing };
    output::print(&summary::render(&facts, &output::stdout_style(arguments.screen)));
    ExitCode::SUCCESS
}
