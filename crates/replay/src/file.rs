//! Schedules as text: what `check --schedule` writes and `replay` reads. `docs/replay.md` describes the form.
//!
//! The text names the version of the form and the program by its digest; then, for each violation, what it shows and its
//! steps. What stands behind `//` is for people. What is read has been shown to be a violation by nobody yet: whoever
//! uses it replays it.

mod value;

use selvedge_evidence::Digest;
use selvedge_program::semantics::Outcome;
use selvedge_program::trace::{ReplayError, Trace, TraceEnd, TraceStep, replay};
use selvedge_program::{CheckId, EdgeId, FunctionId, Interference, Program, ThreadIndex, Undefined};
use selvedge_symbolic::predicate::{find_function, function_name};
use std::fmt::Write;
use thiserror::Error;

/// What the first line begins with; the version follows.
const TITLE: &str = "selvedge schedule";

/// The version of the form. Another one is not read.
const VERSION: u32 = 1;

/// Comments stand from this column on.
const COMMENTS: usize = 40;

/// How the program was made of its files, beyond what its sources and compiler flags say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Making {
    /// Signed overflow is undefined.
    pub overflow: bool,
    /// Labels at which no two threads may be at once.
    pub exclusive: Vec<String>,
}

/// Why a text is not read as schedules of a program.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Unreadable {
    #[error("line {line}: {message}")]
    Syntax { line: usize, message: String },
    #[error("this is version {0} of the form of schedules, and only version {VERSION} is read")]
    Version(String),
    #[error("it is a schedule of another program: of {stated}, and this is {found}")]
    OtherProgram { stated: Digest, found: Digest },
    #[error("the schedule that begins on line {line} is not one of this program: {error}")]
    NoSchedule { line: usize, error: ReplayError },
}

/// The text of schedules.
pub fn text<'t>(program: &Program, making: &Making, traces: impl IntoIterator<Item = &'t Trace>) -> String {
    let mut text = format!("{TITLE} {VERSION}\nprogram {}\n", Digest::of(program));
    if making.overflow {
        text.push_str("overflow\n");
    }
    for labels in &making.exclusive {
        let _ = writeln!(text, "exclusive {labels}");
    }
    for trace in traces {
        let _ = writeln!(text, "\nshows {}", end_text(trace.end));
        for step in &trace.steps {
            text.push_str(&step_text(program, step));
        }
    }
    text
}

fn end_text(end: TraceEnd) -> String {
    match end {
        TraceEnd::AssertionFailed(check) => format!("assertion {}", check.index()),
        TraceEnd::Undefined(undefined) => format!("undefined {undefined:?}"),
        TraceEnd::Race(a, b) => format!("race {} {}", a.0, b.0),
        TraceEnd::Deadlock => "deadlock".to_owned(),
        TraceEnd::Livelock => "livelock".to_owned(),
        TraceEnd::Interfered(Interference { first, between, second }) => {
            format!("interference {first} {between} {second}")
        }
        TraceEnd::Nothing => "nothing".to_owned(),
    }
}

fn step_text(program: &Program, step: &TraceStep) -> String {
    let mut line = format!("{} {} {}", step.thread.0, function_name(program, step.function), step.edge.index());
    for choice in &step.choices {
        line.push(' ');
        line.push_str(&value::text(choice));
    }
    let edge = program.function(step.function).edges.get(step.edge.index());
    match edge.filter(|edge| edge.span.is_somewhere()) {
        Some(edge) => format!("{line:COMMENTS$}// {}\n", program.place(edge.span)),
        None => format!("{line}\n"),
    }
}

/// What the head of a text says of how its program is made, which one needs before one has the program.
///
/// # Errors
/// When the text is none of schedules.
pub fn making(text: &str) -> Result<Making, Unreadable> {
    let mut making = Making::default();
    for (number, line) in lines(text)?.skip(1) {
        match line.split_once(' ') {
            None if line == "overflow" => making.overflow = true,
            Some(("exclusive", labels)) => making.exclusive.push(labels.to_owned()),
            Some(("shows", _)) => break,
            _ => return Err(syntax(number, "neither `overflow`, `exclusive` nor `shows`")),
        }
    }
    Ok(making)
}

/// Reads schedules of a program; each has been followed by the concrete semantics and shows what it claims.
///
/// # Errors
/// When the text is none of schedules, or of another program, or shows something else.
pub fn read(program: &Program, text: &str) -> Result<Vec<Trace>, Unreadable> {
    let mut lines = lines(text)?;
    let found = Digest::of(program);
    let stated = lines.next().and_then(|(_, line)| line.strip_prefix("program ")?.parse().ok());
    let stated: Digest = stated.ok_or_else(|| syntax(2, "the second line names the program by its digest"))?;
    if stated != found {
        return Err(Unreadable::OtherProgram { stated, found });
    }
    let mut claims: Vec<(usize, &str, Vec<TraceStep>)> = Vec::new();
    for (number, line) in lines {
        match (line.strip_prefix("shows "), claims.last_mut()) {
            (Some(claim), _) => claims.push((number, claim, Vec::new())),
            (None, Some((.., steps))) => steps.push(step(program, line).map_err(|message| syntax(number, message))?),
            (None, None) => {}
        }
    }
    claims.into_iter().map(|(line, claim, steps)| trace(program, line, claim, steps)).collect()
}

/// The lines that say something, with their numbers, after the first, which says what the text is.
fn lines(text: &str) -> Result<impl Iterator<Item = (usize, &str)>, Unreadable> {
    let without_comments = text.lines().map(|line| line.split_once("//").map_or(line, |(before, _)| before).trim());
    let mut lines = without_comments.enumerate().map(|(index, line)| (index + 1, line));
    let version = lines.next().and_then(|(_, line)| line.strip_prefix(TITLE));
    match version.map(str::trim) {
        Some(version) if version == VERSION.to_string() => {}
        Some(version) => return Err(Unreadable::Version(version.to_owned())),
        None => return Err(syntax(1, "no schedule: the first line does not say so")),
    }
    Ok(lines.filter(|(_, line)| !line.is_empty()))
}

fn syntax(line: usize, message: impl Into<String>) -> Unreadable {
    Unreadable::Syntax { line, message: message.into() }
}

fn step(program: &Program, line: &str) -> Result<TraceStep, String> {
    let mut words = line.split_whitespace();
    let thread = words.next().and_then(|word| word.parse().ok()).ok_or("a step begins with the number of a thread")?;
    let name = words.next().ok_or("a function is missing")?;
    let function = function(program, name).ok_or_else(|| format!("the program has no function `{name}`"))?;
    let edge: Option<usize> = words.next().and_then(|word| word.parse().ok());
    let edges = program.function(function).edges.len();
    let edge = edge.filter(|edge| *edge < edges).ok_or_else(|| format!("`{name}` has no such edge"))?;
    let choices = words.map(|word| value::read(word).ok_or_else(|| format!("`{word}` is no value")));
    let choices = choices.collect::<Result<_, String>>()?;
    Ok(TraceStep { thread: ThreadIndex(thread), function, edge: EdgeId::new(edge), choices })
}

fn function(program: &Program, name: &str) -> Option<FunctionId> {
    match name.strip_prefix("@f") {
        Some(index) => {
            let index = index.parse().ok().filter(|index: &usize| *index < program.functions.len())?;
            Some(FunctionId::new(index))
        }
        None => find_function(program, name),
    }
}

/// A schedule, followed to its end.
fn trace(program: &Program, line: usize, claim: &str, steps: Vec<TraceStep>) -> Result<Trace, Unreadable> {
    let words: Vec<&str> = claim.split_whitespace().collect();
    let number = |index: usize| words.get(index).and_then(|word| word.parse::<usize>().ok());
    let thread = |index: usize| words.get(index).and_then(|word| word.parse().ok()).map(ThreadIndex);
    let end = match words.first().copied() {
        Some("assertion") => {
            let check = number(1).filter(|check| *check < program.checks.len());
            check.map(|check| TraceEnd::AssertionFailed(CheckId::new(check)))
        }
        Some("undefined") => {
            let found = undefined(program, &steps).filter(|found| words.get(1) == Some(&format!("{found:?}").as_str()));
            found.map(TraceEnd::Undefined)
        }
        Some("race") => thread(1).zip(thread(2)).map(|(a, b)| TraceEnd::Race(a, b)),
        Some("deadlock") => Some(TraceEnd::Deadlock),
        Some("livelock") => Some(TraceEnd::Livelock),
        Some("interference") => number(1)
            .zip(number(2))
            .zip(number(3))
            .map(|((first, between), second)| TraceEnd::Interfered(Interference { first, between, second })),
        Some("nothing") => Some(TraceEnd::Nothing),
        _ => None,
    };
    let end = end.ok_or_else(|| syntax(line, format!("the schedule does not show `{claim}`")))?;
    let trace = Trace { steps, end };
    match replay(program, &trace) {
        Ok(_) => Ok(trace),
        Err(error) => Err(Unreadable::NoSchedule { line, error }),
    }
}

/// What is undefined about the last of some steps.
fn undefined(program: &Program, steps: &[TraceStep]) -> Option<Undefined> {
    let trace = Trace { steps: steps.to_vec(), end: TraceEnd::Nothing };
    match replay(program, &trace) {
        Err(ReplayError::Step { step, outcome: Outcome::Undefined(undefined, _), .. }) if step + 1 == steps.len() => {
            Some(undefined)
        }
        _ => None,
    }
}
