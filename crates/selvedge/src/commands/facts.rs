//! `selvedge facts`: what the analysis knows of a program.

use super::{Form, compile_input};
use crate::arguments::FactsArguments;
use crate::output;
use selvedge_analysis::{Conflicts, Parallel, PointsTo, Threads, sharing};
use selvedge_report::summary;
use std::process::ExitCode;

pub fn run(arguments: &FactsArguments) -> ExitCode {
    let compiled = match compile_input(&arguments.input, arguments.screen) {
        Ok(compiled) => compiled,
        Err(refused) => return refused.report(Form::of(arguments.json)),
    };
    let program = &compiled.program;
    let points_to = &PointsTo::of(program);
    let threads = &Threads::of(program, points_to);
    let sharing = &sharing(program, points_to, threads);
    let parallel = Parallel::of(program, points_to);
    let parallel = parallel.as_ref();
    let conflicts = &parallel.map(|parallel| Conflicts::of(program, points_to, parallel, sharing)).unwrap_or_default();
    let facts = summary::Facts { program, points_to, threads, parallel, sharing, conflicts };
    if arguments.json {
        output::print(&format!("{:#}\n", summary::json(&facts)));
    } else {
        output::print(&summary::render(&facts, &output::stdout_style(arguments.screen)));
    }
    ExitCode::SUCCESS
}
