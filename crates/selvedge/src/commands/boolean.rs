//! `selvedge boolean`: can an assertion of a Boolean broadcast program fail? A proof is checked by what shares no code with the
//! search, a counterexample is replayed by the plain semantics; otherwise there is no answer.

use super::{INTERNAL, SAFE, UNDECIDED, UNSAFE, USAGE, budget};
use crate::arguments::{BooleanArguments, DialectChoice};
use crate::output;
use selvedge_broadcast::check::{check_any, check_counted};
use selvedge_broadcast::counter::{self, Counted};
use selvedge_broadcast::coverability::{self, Answer};
use selvedge_broadcast::path::Path;
use selvedge_broadcast::plain::{self, Trace};
use selvedge_broadcast::text::{self, Dialect, Read};
use selvedge_broadcast::{Instance, LocalVar, State, Stopped, System, Threads};
use selvedge_evidence::Replicas;
use selvedge_program::Budget;
use std::fmt::Write;
use std::io::Read as _;
use std::process::ExitCode;

/// The engines' limit, for what has no option of its own.
const MEBIBYTES: u64 = 4096;

/// Where the proof for any number of threads is not found, so many are looked at one number after the other.
const MOST_LOOKED_AT: u32 = 8;

/// What is known of a program, after its evidence has been checked.
enum Verdict {
    /// What the proof is.
    Safe(String),
    Unsafe(Trace),
    /// What is known, and why it is not more.
    Undecided(String),
    /// A mistake of ours.
    Internal(String),
}

pub fn run(arguments: &BooleanArguments) -> ExitCode {
    let usage = |message: String| {
        output::complain(&message);
        ExitCode::from(USAGE)
    };
    let name = arguments.file.display().to_string();
    let text = match read(arguments) {
        Ok(text) => text,
        Err(error) => return usage(format!("selvedge: {name}: {error}\n")),
    };
    let dialect = match arguments.dialect {
        Some(DialectChoice::Paper) => Dialect::Paper,
        Some(DialectChoice::Slam) => Dialect::Slam,
        None => Dialect::of(&text),
    };
    let read = match dialect.read(&text) {
        Ok(read) => read,
        Err(error) => return usage(format!("{}\nselvedge: 1 error in the input\n", error.show(&name, &text))),
    };
    if arguments.print {
        output::print(&text::print(&read.program));
        return ExitCode::SUCCESS;
    }
    let system = match System::new(read.program.clone()) {
        Ok(system) => system,
        Err(error) => return usage(format!("selvedge: {name}: {error}\n")),
    };
    let budget = budget(arguments.timeout, MEBIBYTES);
    let verdict = match arguments.threads {
        Replicas::AtMost(number) => counted(&system, u32::try_from(number).unwrap_or(u32::MAX), &budget),
        Replicas::Any | Replicas::AsStarted => any_number(&system, &budget),
    };
    let (status, said) = match verdict {
        Verdict::Safe(proof) => (SAFE, format!("safe: no assertion can fail {proof}\n")),
        Verdict::Unsafe(trace) => (UNSAFE, shown(&read, (&name, &text), &trace)),
        Verdict::Undecided(why) => (UNDECIDED, format!("{why}\n")),
        Verdict::Internal(what) => {
            output::complain(&format!("selvedge: internal error: {what}\n"));
            return ExitCode::from(INTERNAL);
        }
    };
    output::print(&said);
    ExitCode::from(status)
}

fn read(arguments: &BooleanArguments) -> Result<String, String> {
    let mut bytes = Vec::new();
    if arguments.file.as_os_str() == "-" {
        std::io::stdin().read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    } else {
        bytes = std::fs::read(&arguments.file).map_err(|error| error.to_string())?;
    }
    String::from_utf8(bytes).map_err(|_| "this is no text".to_owned())
}

/// Goes on as long as the budget does.
fn patience(budget: &Budget) -> impl FnMut() -> bool + '_ {
    || budget.check().is_ok()
}

fn stopped(budget: &Budget) -> Verdict {
    Verdict::Undecided(format!("unknown: {}", budget.stopped_by()))
}

/// A counterexample counts when the plain semantics accepts it.
fn replayed(system: &System, path: &Path) -> Verdict {
    let trace = path.trace();
    if plain::accepts(system, &trace) {
        Verdict::Unsafe(trace)
    } else {
        Verdict::Internal("the plain semantics does not accept a counterexample".to_owned())
    }
}

fn any_number(system: &System, budget: &Budget) -> Verdict {
    let Ok(covered) = coverability::search(system, &mut patience(budget)) else { return stopped(budget) };
    match covered.answer {
        Answer::Safe(proof) => match check_any(system, &proof) {
            Ok(()) => {
                let size = proof.basis.len();
                Verdict::Safe(format!("with any number of threads ({size} minimal configurations, checked)"))
            }
            Err(refused) => Verdict::Internal(format!("a proof was refused: {refused}")),
        },
        Answer::Unsafe(path) => replayed(system, &path),
        // The over-approximation says nothing: so many threads at a time.
        Answer::Blocked(..) => {
            for many in 1..=MOST_LOOKED_AT {
                match counted(system, many, budget) {
                    Verdict::Safe(_) => {}
                    Verdict::Undecided(_) => return Verdict::Undecided(blocked(many - 1)),
                    found @ (Verdict::Unsafe(_) | Verdict::Internal(_)) => return found,
                }
            }
            Verdict::Undecided(blocked(MOST_LOOKED_AT))
        }
    }
}

fn blocked(many: u32) -> String {
    let why = "constraints on passive threads are over-approximated for any number of threads, and what then leads to \
               a failure is forbidden by one of them";
    if many == 0 {
        return format!("unknown: {why}");
    }
    format!(
        "bounded: no assertion can fail with up to {many} of the threads that there can be any number of; for more, it is not known: {why}"
    )
}

fn counted(system: &System, many: u32, budget: &Budget) -> Verdict {
    let fixed: u32 = system.program().templates.iter().fold(0, |sum, template| match template.threads {
        Threads::Exactly(number) => sum.saturating_add(number),
        Threads::Many => sum.saturating_add(many),
    });
    let starts = system.program().numbered().any(|(id, _)| system.is_started(id));
    let instance = Instance { many, most: if starts { fixed.saturating_add(many) } else { u32::MAX } };
    match counter::search(system, &instance, &mut patience(budget)) {
        Err(Stopped) => stopped(budget),
        Ok(Counted::Unsafe(path)) => replayed(system, &path),
        Ok(Counted::Safe(proof)) => match check_counted(system, &proof) {
            Ok(()) if proof.is_cut => Verdict::Undecided(format!(
                "bounded: no assertion can fail as long as there are at most {} threads at a time, and more can be started",
                instance.most
            )),
            Ok(()) => {
                let (size, noun) = (proof.configurations.len(), if fixed == 1 { "thread" } else { "threads" });
                Verdict::Safe(format!("with {fixed} {noun} ({size} configurations, checked)"))
            }
            Err(refused) => Verdict::Internal(format!("a proof was refused: {refused}")),
        },
    }
}

/// A counterexample, step by step, each with the line that it is on.
fn shown(read: &Read, (name, source): (&str, &str), trace: &Trace) -> String {
    let threads = trace.states.last().map_or(0, |state| state.threads.len());
    let noun = if threads == 1 { "thread" } else { "threads" };
    let mut text = format!("unsafe: an assertion can fail, with {threads} {noun}\n");
    let place = |state: &State, thread: usize| {
        let local = state.threads[thread];
        let places = &read.places[local.template.0 as usize];
        let at = places.get(local.pc.0 as usize).copied();
        let line = at.and_then(|at| source.lines().nth(at.line as usize - 1)).unwrap_or_default();
        let at = at.map_or_else(String::new, |at| format!("{name}:{}:{}", at.line, at.column));
        format!("thread {} of `{}` at {at}: {}", thread + 1, read.program.template(local.template).name, line.trim())
    };
    if let Some(first) = trace.states.first() {
        let _ = writeln!(text, "  at first: {}", values(read, first));
    }
    for (number, active) in trace.active.iter().enumerate() {
        let (before, after) = (&trace.states[number], &trace.states[number + 1]);
        let _ = writeln!(text, "  {}", place(before, *active));
        let changed = changes(read, before, after);
        if !changed.is_empty() {
            let _ = writeln!(text, "    {changed}");
        }
    }
    if let Some(last) = trace.states.last() {
        let _ = writeln!(text, "  {}", place(last, trace.failing));
        text.push_str("    the assertion can fail here\n");
    }
    text
}

/// What all variables hold.
fn values(read: &Read, state: &State) -> String {
    let shared = read.program.shared.iter().enumerate();
    let mut found: Vec<String> =
        shared.map(|(place, variable)| format!("{} = {}", variable.name, state.shared >> place & 1)).collect();
    for (thread, local) in state.threads.iter().enumerate() {
        for (place, variable) in read.program.template(local.template).locals.iter().enumerate() {
            let value = u8::from(local.value(LocalVar(place as u8)));
            found.push(format!("{}.{} = {value}", thread + 1, variable.name));
        }
    }
    if found.is_empty() { "there are no variables".to_owned() } else { found.join(", ") }
}

/// What a step changes of variables, and whom it starts.
fn changes(read: &Read, before: &State, after: &State) -> String {
    let mut found = Vec::new();
    for (place, variable) in read.program.shared.iter().enumerate() {
        let value = |state: &State| state.shared >> place & 1;
        if value(before) != value(after) {
            found.push(format!("{} = {}", variable.name, value(after)));
        }
    }
    for (thread, local) in after.threads.iter().enumerate() {
        let template = read.program.template(local.template);
        let Some(old) = before.threads.get(thread) else {
            found.push(format!("thread {} of `{}` is started", thread + 1, template.name));
            continue;
        };
        for (place, variable) in template.locals.iter().enumerate() {
            let variable_id = LocalVar(place as u8);
            if old.value(variable_id) != local.value(variable_id) {
                found.push(format!("{}.{} = {}", thread + 1, variable.name, u8::from(local.value(variable_id))));
            }
        }
    }
    found.join(", ")
}
