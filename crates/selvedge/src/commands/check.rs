//! `selvedge check`: the main job.

use super::{UNDECIDED, USAGE, compile_input};
use crate::arguments::CheckArguments;
use crate::output;
use selvedge_analysis::{PointsTo, Threads, sharing};
use selvedge_report::{Paint, summary};
use std::process::ExitCode;

/// Why there is no verdict yet.
const REASON: &str = "this version describes the program but has no engine to check it with";

pub fn run(arguments: &CheckArguments) -> ExitCode {
    let Some(compiled) = compile_input(&arguments.input, arguments.screen) else { return ExitCode::from(USAGE) };
    let program = &compiled.program;
    let points_to = PointsTo::of(program);
    let threads = Threads::of(program, &points_to);
    let sharing = sharing(program, &points_to, &threads);
    let facts = summary::Facts { program, threads: &threads, sharing: &sharing };
    if arguments.json {
        output::print(&format!("{:#}\n", summary::json(&facts, REASON)));
    } else {
        let style = output::stdout_style(arguments.screen);
        output::print(&summary::render(&facts, &style));
        let verdict = style.paint(Paint::Careful, "unknown");
        output::print(&format!("\nverdict: {verdict}: {}\n", style.wrap(REASON, 18, 2)));
    }
    ExitCode::from(UNDECIDED)
}
