//! `selvedge replay`: a schedule in a file, on the compiled program or through the semantics.

use super::{Form, Made, Refused, UNSAFE, compile_within, is_scpl, native};
use crate::arguments::ReplayArguments;
use crate::output;
use selvedge_evidence::Replicas;
use selvedge_frontend::lower::Overflow;
use selvedge_program::trace::{self, Replay, Trace};
use selvedge_program::{Budget, Program, Region};
use selvedge_replay::file::{self, Making};
use selvedge_report::SourceCache;
use selvedge_report::terminal::{self, Detail};
use selvedge_report::violation::violation;
use std::process::ExitCode;

pub fn run(arguments: &ReplayArguments) -> ExitCode {
    match replayed(arguments) {
        Ok(status) => status,
        Err(refused) => refused.report(Form::Text),
    }
}

fn replayed(arguments: &ReplayArguments) -> Result<ExitCode, Refused> {
    let path = arguments.schedule.display();
    let refuse = |error: &dyn std::fmt::Display| Refused::usage(&format!("{path}: {error}"));
    let text = std::fs::read_to_string(&arguments.schedule).map_err(|error| refuse(&error))?;
    let making = file::making(&text).map_err(|error| refuse(&error))?;
    let program = program(arguments, &making)?;
    let traces = file::read(&program, &text).map_err(|error| refuse(&error))?;
    let mut schedules: Vec<(Trace, Replay)> = Vec::new();
    for schedule in traces {
        let replay = trace::replay(&program, &schedule).map_err(|error| refuse(&error))?;
        schedules.push((schedule, replay));
    }
    if schedules.is_empty() {
        return Err(refuse(&"there is no schedule in it"));
    }
    if arguments.semantics {
        let style = output::stdout_style(arguments.screen);
        let mut cache = SourceCache::default();
        for (trace, replay) in &schedules {
            let violation = violation(&program, trace, replay, &mut cache);
            output::print(&terminal::violation(&violation, Detail::Folded, &mut cache, &style));
        }
        return Ok(ExitCode::SUCCESS);
    }
    if is_scpl(&arguments.input) {
        return Err(Refused::usage("a program in SCPL cannot be compiled; `--semantics` replays the schedule without"));
    }
    let schedules: Vec<native::Schedule<'_>> = schedules.iter().map(|(trace, replay)| (trace, replay)).collect();
    let replays = native::replays(&arguments.input, &program, &schedules, arguments.tsan, arguments.timeout)
        .map_err(|message| Refused::usage(&message))?;
    for replay in &replays {
        output::print(&replay.text());
    }
    let all = replays.iter().all(native::Replayed::is_reproduced);
    Ok(if all { ExitCode::SUCCESS } else { ExitCode::from(UNSAFE) })
}

/// The program, made of its files as it was when the schedules were found.
fn program(arguments: &ReplayArguments, making: &Making) -> Result<Program, Refused> {
    let overflow = if making.overflow { Overflow::Undefined } else { Overflow::Wraps };
    let made = Made { overflow, threads: Replicas::default() };
    let compiled = compile_within(&arguments.input, arguments.screen, made, &Budget::unlimited())?;
    let mut program = compiled.map_err(|limit| Refused::usage(&limit.to_string()))?.program;
    for labels in &making.exclusive {
        let regions: Vec<Region> = labels.split(',').map(Region::parse).collect();
        program.make_exclusive(&regions, labels).map_err(|error| Refused::usage(&error.to_string()))?;
    }
    Ok(program)
}
