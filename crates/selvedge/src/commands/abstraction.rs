//! `selvedge abstract`: the Boolean broadcast program of a program and predicates, as text.

use super::{Form, INTERNAL, Made, Refused, SAFE, UNDECIDED, UNSAFE, USAGE, budget, compile_within, is_scpl, show};
use crate::arguments::AbstractArguments;
use crate::output;
use selvedge_broadcast::{Threads, text};
use selvedge_evidence::Replicas;
use selvedge_frontend::lower::Overflow;
use selvedge_program::{Diagnostic, Program, Sources, Span, trace};
use selvedge_report::SourceCache;
use selvedge_report::terminal::{self, Detail};
use selvedge_report::violation::violation;
use selvedge_symbolic::{Predicate, Reach};
use selvedge_templates::cegar::{self, Answer, Outcome, Settings, Statistics};
use selvedge_templates::{
    Abstraction, Cubes, Errors, Form as Written, Main, Named, Options, Witness, abstract_program,
};
use std::fmt::Write;
use std::process::ExitCode;

/// The engines' limit, for what has no option of its own.
const MEBIBYTES: u64 = 4096;

/// How often it is refined.
const MOST_ITERATIONS: u32 = 500;

pub fn run(arguments: &AbstractArguments) -> ExitCode {
    let budget = budget(arguments.timeout, MEBIBYTES);
    // Without refinement, any number of threads of a program in SCPL are there from the start.
    let threads = arguments.threads.filter(|_| arguments.refine).unwrap_or(Replicas::Any);
    let made = Made { overflow: Overflow::Wraps, threads };
    let program = match compile_within(&arguments.input, arguments.screen, made, &budget) {
        Ok(Ok(compiled)) => compiled.program,
        Ok(Err(limit)) => return Refused::usage(&limit.to_string()).report(Form::Text),
        Err(refused) => return refused.report(Form::Text),
    };
    let predicates = match predicates(arguments, &program) {
        Ok(predicates) => predicates,
        Err(refused) => return refused.report(Form::Text),
    };
    let is_scpl = is_scpl(&arguments.input);
    if arguments.threads.is_some() && !is_scpl && !arguments.without_main && !arguments.refine {
        let message = "--threads is for SCPL, --refine and --without-main: else `main` says how many threads there are";
        return Refused::usage(message).report(Form::Text);
    }
    let options = Options {
        cubes: [Cubes::None, Cubes::One, Cubes::Two][usize::from(arguments.cube.min(2))],
        witness: if arguments.witness { Witness::OnePassive } else { Witness::Active },
        form: if arguments.values { Written::Values } else { Written::Constraints },
        main: if is_scpl || arguments.without_main { Main::LeftOut } else { Main::Kept },
        errors: if arguments.undefined { Errors::All } else { Errors::Assertions },
    };
    let status = if arguments.refine {
        let settings = Settings { options, threads: bound(threads), iterations: MOST_ITERATIONS };
        cegar::run(&program, &predicates, settings, &budget).map(|outcome| refined(arguments, &program, &outcome))
    } else {
        abstract_program(&program, &predicates, options, &budget).map(|found| {
            output::print(&printed(&program, &found, arguments.threads));
            ExitCode::SUCCESS
        })
    };
    match status {
        Ok(status) => status,
        Err(error @ selvedge_templates::Refused::Stopped(_)) => {
            output::complain(&format!("selvedge: {error}\n"));
            ExitCode::from(UNDECIDED)
        }
        Err(error) => {
            output::complain(&format!("selvedge: {error}\n"));
            ExitCode::from(USAGE)
        }
    }
}

fn bound(threads: Replicas) -> Option<u32> {
    match threads {
        Replicas::AtMost(number) => Some(u32::try_from(number).unwrap_or(u32::MAX)),
        Replicas::AsStarted | Replicas::Any => None,
    }
}

/// Prints what refinement came to, and the last Boolean program.
fn refined(arguments: &AbstractArguments, program: &Program, outcome: &Outcome<'_, '_>) -> ExitCode {
    let (status, said) = match &outcome.answer {
        Answer::Safe => (SAFE, "safe: the Boolean program is, and its proof was checked".to_owned()),
        Answer::SafeUpTo(most) => {
            (UNDECIDED, format!("bounded: no assertion can fail with at most {most} threads at a time"))
        }
        Answer::Unsafe(_) => (UNSAFE, "unsafe: the counterexample was replayed".to_owned()),
        Answer::Unknown(why) => (UNDECIDED, format!("unknown: {why}")),
    };
    let Statistics { iterations, transitions: [one, two, three], local, mixed, shared, .. } = outcome.statistics;
    let seconds = |time: std::time::Duration| format!("{:.2} s", time.as_secs_f64());
    let Statistics { abstracting, checking, simulating, refining, .. } = outcome.statistics;
    let mut text = format!("// {said}\n");
    let _ =
        writeln!(text, "// iterations: {iterations}; transitions refined with 1, 2, 3 threads: {one}, {two}, {three}");
    let _ = writeln!(text, "// predicates: {local} local, {mixed} mixed, {shared} shared");
    let times = [abstracting, checking, simulating, refining].map(seconds);
    let [abstracting, checking, simulating, refining] = times;
    let _ = writeln!(
        text,
        "// time: abstracting {abstracting}, checking {checking}, simulating {simulating}, refining {refining}"
    );
    text.push_str(&printed(program, &outcome.abstraction, None));
    output::print(&text);
    if let Answer::Unsafe(found) = &outcome.answer {
        match trace::replay(program, found) {
            Ok(replay) => {
                let mut cache = SourceCache::default();
                let violation = violation(program, found, &replay, &mut cache);
                let style = output::stdout_style(arguments.screen);
                output::print(&terminal::violation(&violation, Detail::Folded, &mut cache, &style));
            }
            Err(error) => {
                output::complain(&format!("selvedge: internal error: {error}\n"));
                return ExitCode::from(INTERNAL);
            }
        }
    }
    ExitCode::from(status)
}

/// The program, and before it what its variables stand for.
fn printed(program: &Program, found: &Abstraction<'_, '_>, threads: Option<Replicas>) -> String {
    let mut text = String::new();
    for (id, Named { name, predicate }) in found.vocabulary().predicates.iter().enumerate() {
        let reach = match found.vocabulary().reach(id) {
            Reach::Shared => "shared",
            Reach::Local => "local",
            Reach::Mixed => "mixed",
        };
        let _ = writeln!(text, "// {name}: {} ({reach})", predicate.text(program));
    }
    let mut boolean = found.program().clone();
    if let Some(Replicas::AtMost(number)) = threads {
        for template in boolean.templates.iter_mut().filter(|template| template.threads == Threads::Many) {
            template.threads = Threads::Exactly(u32::try_from(number).unwrap_or(u32::MAX));
        }
    }
    text.push_str(&text::print(&boolean));
    text
}

/// Reads the predicates, one on each line.
fn predicates(arguments: &AbstractArguments, program: &Program) -> Result<Vec<Named>, Refused> {
    let Some(path) = &arguments.predicates else { return Ok(Vec::new()) };
    let (path, read) = (path.display(), std::fs::read_to_string(path));
    let refuse = |error: &dyn std::fmt::Display| Refused::usage(&format!("{path}: {error}"));
    let text = read.map_err(|error| refuse(&error))?;
    let mut sources = Sources::default();
    let file = sources.file(&path.to_string());
    let mut diagnostics = Vec::new();
    let mut found: Vec<Named> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let written = line.split('#').next().and_then(|line| line.split("//").next()).unwrap_or_default();
        if written.trim().is_empty() {
            continue;
        }
        let (name, condition) = match named(written) {
            Some((name, condition)) => (name.to_owned(), condition),
            None => (format!("b{}", found.len() + 1), written),
        };
        let span = |column: usize| Span::on_line(file, number as u32 + 1, column as u32, 1);
        if !selvedge_broadcast::is_name(&name) {
            diagnostics.push(Diagnostic::error(span(1), format!("`{name}` cannot be the name of a variable")));
        } else if found.iter().any(|known| known.name == name) {
            diagnostics.push(Diagnostic::error(span(1), format!("there are two predicates `{name}`")));
        }
        match Predicate::parse(program, condition) {
            Ok(predicate) => found.push(Named { name, predicate }),
            Err(error) => {
                let before = written.len() - condition.len();
                let inside = condition.chars().take(error.column.saturating_sub(1)).map(char::len_utf8).sum::<usize>();
                diagnostics.push(Diagnostic::error(span(before + inside + 1), error.message));
            }
        }
    }
    if diagnostics.is_empty() {
        return Ok(found);
    }
    show(&diagnostics, &sources, arguments.screen);
    Err(Refused { diagnostics, sources })
}

/// The name before a colon, unless that is one of two, or of `?:`.
fn named(written: &str) -> Option<(&str, &str)> {
    let (name, condition) = written.split_once(':')?;
    let is_word = name.trim().chars().all(|c| c.is_ascii_alphanumeric() || c == '_') && !name.trim().is_empty();
    (is_word && !condition.starts_with(':')).then(|| (name.trim(), condition))
}
