//! What becomes of the schedules of violations: files, runs of the compiled program, folders that reproduce them. None of
//! it changes a verdict.

use crate::arguments::{CheckArguments, Input, PropertyChoice};
use selvedge_evidence::{Judgement, Verdict};
use selvedge_frontend::compile::{CompileOptions, Source};
use selvedge_program::Program;
use selvedge_program::trace::{Replay, Trace, TraceEnd};
use selvedge_replay::events::{Events, Shows};
use selvedge_replay::file::{self, Making};
use selvedge_replay::native::{Build, Run, Subject};
use selvedge_replay::reproducer;
use selvedge_replay::toolchain::{Behind, Hindrance, Toolchain};
use selvedge_report::SourceCache;
use selvedge_report::model::NativeReplay;
use selvedge_report::violation::violation;
use std::time::Duration;

/// How long a run of the compiled program may take after a check.
const RUN: Duration = Duration::from_secs(10);

/// A schedule with its replay by the semantics.
pub type Schedule<'a> = (&'a Trace, &'a Replay);

/// What a replay on the compiled program has come to.
#[derive(Debug)]
pub struct Replayed {
    /// What is violated, in one line.
    pub violation: String,
    /// What is violated, in one word.
    pub kind: &'static str,
    /// The run, or why there was none.
    pub run: Result<Run, String>,
    /// Whether ThreadSanitizer has confirmed the race, or why that is not known; `None` where it was not asked.
    pub confirmed: Option<Result<bool, String>>,
}

impl Replayed {
    /// Whether the compiled program has shown the violation.
    pub fn is_reproduced(&self) -> bool {
        self.run.as_ref().is_ok_and(|run| run.shown.is_ok())
    }

    /// What happened and, if it did not, why.
    fn result(&self) -> Result<&str, &str> {
        match &self.run {
            Ok(run) => run.shown.as_deref().map_err(String::as_str),
            Err(hindrance) => Err(hindrance),
        }
    }

    /// For people.
    pub fn text(&self) -> String {
        let mut text = match self.result() {
            Ok(what) => format!("replay: {}: reproduced on the compiled program: {what}\n", self.violation),
            Err(reason) => format!("replay: {}: not reproduced: {reason}\n", self.violation),
        };
        for note in self.run.iter().flat_map(|run| &run.notes) {
            text.push_str(&format!("  {note}\n"));
        }
        match &self.confirmed {
            Some(Ok(true)) => text.push_str("  confirmed by ThreadSanitizer\n"),
            Some(Ok(false)) => text.push_str("  not confirmed by ThreadSanitizer\n"),
            Some(Err(reason)) => text.push_str(&format!("  not confirmed by ThreadSanitizer: {reason}\n")),
            None => {}
        }
        text
    }

    /// For the report.
    pub fn told(&self) -> NativeReplay {
        NativeReplay {
            violation: self.violation.clone(),
            kind: self.kind.to_owned(),
            reproduced: self.is_reproduced(),
            shown: self.result().ok().map(str::to_owned),
            reason: self.result().err().map(str::to_owned),
            confirmed: self.confirmed.as_ref().map(|confirmed| *confirmed.as_ref().unwrap_or(&false)),
        }
    }
}

/// Does what a check is asked to do with its schedules; gives the replays.
pub fn after_check(
    arguments: &CheckArguments,
    program: &Program,
    judgement: &Judgement,
) -> Result<Vec<Replayed>, String> {
    let schedules = schedules(judgement);
    let asked = &arguments.schedules;
    if let Some(path) = &asked.schedule {
        let making = Making {
            overflow: arguments.property.contains(&PropertyChoice::Overflow),
            exclusive: arguments.exclusive.clone(),
        };
        let text = file::text(program, &making, schedules.iter().map(|(trace, _)| *trace));
        std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    if let (Some(folder), Some(schedule)) = (&asked.reproducer, schedules.first()) {
        write_reproducer(&arguments.input, program, *schedule, folder)?;
    }
    if !asked.replay || schedules.is_empty() {
        return Ok(Vec::new());
    }
    replays(&arguments.input, program, &schedules, asked.tsan, RUN)
}

/// What a schedule shows, in one word.
fn kind(end: TraceEnd) -> &'static str {
    match end {
        TraceEnd::AssertionFailed(_) => "assertion",
        TraceEnd::Race(..) => "race",
        TraceEnd::Deadlock => "deadlock",
        TraceEnd::Livelock => "livelock",
        TraceEnd::Interfered(_) => "interference",
        TraceEnd::Undefined(_) => "undefined",
        TraceEnd::Nothing => "nothing",
    }
}

/// The different schedules of a judgement, in the order of its checks.
fn schedules(judgement: &Judgement) -> Vec<Schedule<'_>> {
    let mut schedules: Vec<Schedule<'_>> = Vec::new();
    for check in &judgement.checks {
        if let Verdict::Unsafe(counterexample) = &check.verdict
            && schedules.iter().all(|(known, _)| *known != counterexample.trace())
        {
            schedules.push((counterexample.trace(), counterexample.replay()));
        }
    }
    schedules
}

/// The files to compile. Of a library there is nothing to run.
fn sources(input: &Input) -> Result<(Vec<Source>, CompileOptions), String> {
    if input.concurrent.is_some() || input.entry.is_some() {
        return Err("a schedule of a library is not replayed: there is no `main` to compile".to_owned());
    }
    input.sources()
}

/// Replays schedules on the compiled program.
pub fn replays(
    input: &Input,
    program: &Program,
    schedules: &[Schedule<'_>],
    tsan: bool,
    limit: Duration,
) -> Result<Vec<Replayed>, String> {
    let (sources, _) = sources(input)?;
    let arguments = input.args.as_ref().map_or(&[][..], |words| &words.0);
    let subject = || Subject { sources: &sources, arguments, pure_functions: input.assume_pure.clone(), limit };
    let options = sources.first().map(|source| source.preprocess.clone()).unwrap_or_default();
    let toolchain = Toolchain::new(&options, Behind::Nothing);
    let build =
        toolchain.as_ref().map_err(told).and_then(|toolchain| Build::new(toolchain, subject()).map_err(|e| told(&e)));
    let sanitizer = tsan.then(|| Toolchain::new(&options, Behind::ThreadSanitizer));
    let sanitized = sanitizer.as_ref().map(|toolchain| match toolchain {
        Ok(toolchain) => Build::new(toolchain, subject()).map_err(|error| told(&error)),
        Err(error) => Err(told(error)),
    });
    let replayed = schedules.iter().map(|(trace, replay)| {
        let violation = violation(program, trace, replay, &mut SourceCache::default()).message;
        let kind = kind(trace.end);
        let Some(events) = Events::of(program, trace, replay) else {
            let why = match trace.end {
                TraceEnd::Livelock => "nobody can see of a running program that it goes on for ever",
                _ => "it shows nothing",
            };
            return Replayed { violation, kind, run: Err(why.to_owned()), confirmed: None };
        };
        let run = build.as_ref().map_err(Clone::clone).and_then(|build| run_once(build, program, &events));
        let is_race = events.shows == Shows::Race;
        let confirmed = sanitized.as_ref().filter(|_| is_race).map(|build| {
            let build = build.as_ref().map_err(Clone::clone)?;
            run_once(build, program, &events).map(|run| build.is_confirmed(&run))
        });
        Replayed { violation, kind, run, confirmed }
    });
    Ok(replayed.collect())
}

fn run_once(build: &Build<'_>, program: &Program, events: &Events) -> Result<Run, String> {
    build.replay(program, events).map_err(|hindrance| told(&hindrance))
}

fn told(hindrance: &Hindrance) -> String {
    hindrance.to_string()
}

/// Writes the folder that reproduces a violation.
fn write_reproducer(
    input: &Input,
    program: &Program,
    (trace, replay): Schedule<'_>,
    folder: &std::path::Path,
) -> Result<(), String> {
    let (sources, _) = sources(input)?;
    let events = Events::of(program, trace, replay).ok_or("the schedule shows nothing")?;
    let headline = violation(program, trace, replay, &mut SourceCache::default()).message;
    let arguments = input.args.as_ref().map_or(&[][..], |words| &words.0);
    let subject = Subject { sources: &sources, arguments, pure_functions: input.assume_pure.clone(), limit: RUN };
    reproducer::write(folder, &subject, program, &events, &headline).map_err(|hindrance| told(&hindrance))
}
