//! `selvedge check`: the main job.

use super::{UNDECIDED, UNSAFE, USAGE, compile_input, statistics};
use crate::arguments::{CheckArguments, EngineChoice, LinePair, ModeChoice, PropertyChoice};
use crate::output::{self, ProgressLine};
use selvedge::interference::Mode;
use selvedge::{CheckOptions, Checked, EngineName, Stop, check};
use selvedge_evidence::AtomicLines;
use selvedge_program::{Action, Budget, FileId, Program, Property};
use selvedge_report::SourceCache;
use selvedge_report::judgement::{self, Detail};
use std::collections::BTreeSet;
use std::process::ExitCode;
use std::sync::atomic::Ordering;

pub fn run(arguments: &CheckArguments) -> ExitCode {
    let budget = budget(arguments);
    let Some(compiled) = compile_input(&arguments.input, arguments.screen) else { return ExitCode::from(USAGE) };
    let program = &compiled.program;
    if let Some(name) = arguments.race_on.as_deref().filter(|name| !is_an_object(program, name)) {
        output::complain(&format!("selvedge: --race-on: the program has no variable `{name}`\n"));
        return ExitCode::from(USAGE);
    }
    let mut options = options(arguments);
    match arguments.atomic.iter().map(|pair| atomic_lines(program, pair)).collect() {
        Ok(atomic) => options.atomic = atomic,
        Err(message) => {
            output::complain(&format!("selvedge: --atomic: {message}\n"));
            return ExitCode::from(USAGE);
        }
    }
    if !options.atomic.is_empty() {
        options.properties.push(Property::Atomicity);
    }
    let mut progress = ProgressLine::new();
    let checked = check(program, &options, &budget, &mut progress);
    progress.clear();
    match checked {
        Ok(checked) => {
            for mistake in &checked.mistakes {
                output::complain(&format!("selvedge: {mistake}\n"));
            }
            output::print(&answer(arguments, program, &checked));
            match checked.judgement.word() {
                "safe" => ExitCode::SUCCESS,
                "unsafe" => ExitCode::from(UNSAFE),
                _ => ExitCode::from(UNDECIDED),
            }
        }
        Err(error) => {
            output::complain(&format!("selvedge: {error}\n"));
            ExitCode::from(USAGE)
        }
    }
}

/// The lines that a user names; both must have accesses to memory.
fn atomic_lines(program: &Program, pair: &LinePair) -> Result<AtomicLines, String> {
    let is_the_file =
        |name: &str| pair.file.as_deref().is_none_or(|file| name == file || name.ends_with(&format!("/{file}")));
    let touched = |line: u32| -> BTreeSet<FileId> {
        let edges = program.functions.iter().flat_map(|function| &function.edges);
        let spans = edges.filter(|edge| touches_memory(&edge.action)).map(|edge| edge.span);
        spans.filter(|span| span.line == line && is_the_file(program.sources.name(span.file))).map(|s| s.file).collect()
    };
    let (first, second) = (touched(pair.first), touched(pair.second));
    for (line, files) in [(pair.first, &first), (pair.second, &second)] {
        if files.is_empty() {
            return Err(format!("no statement on line {line} accesses memory"));
        }
    }
    let files: Vec<FileId> = first.intersection(&second).copied().collect();
    match files[..] {
        [file] => Ok(AtomicLines { file, first: pair.first, second: pair.second }),
        [] => Err(format!("lines {} and {} are in different files", pair.first, pair.second)),
        _ => Err(format!("say which file, as in FILE:{}-{}", pair.first, pair.second)),
    }
}

fn touches_memory(action: &Action) -> bool {
    matches!(action, Action::Load { .. } | Action::Store { .. } | Action::Atomic { .. })
}

/// Whether a variable of the program has this name.
fn is_an_object(program: &Program, name: &str) -> bool {
    let mut globals = program.objects.iter().map(|object| &object.name);
    let mut locals = program.functions.iter().flat_map(|function| &function.frame).map(|object| &object.name);
    globals.any(|known| known == name) || locals.any(|known| known == name)
}

/// The limits of the run; an interrupt from the keyboard ends it with what is known by then, a second one at once.
fn budget(arguments: &CheckArguments) -> Budget {
    let mut budget = Budget::unlimited().with_memory(arguments.memory.saturating_mul(1 << 20));
    if !arguments.timeout.is_zero() {
        budget = budget.with_time(arguments.timeout);
    }
    let cancel = budget.cancel.clone();
    let handled = ctrlc::set_handler(move || {
        if cancel.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    });
    // Without a handler an interrupt ends the process, which is what one expects of it.
    drop(handled);
    budget
}

fn options(arguments: &CheckArguments) -> CheckOptions {
    let mut options = CheckOptions {
        race_on: arguments.race_on.clone(),
        threads: arguments.threads.map(|threads| threads as usize),
        stop: if arguments.stop_on_fail { Stop::AtFirstViolation } else { Stop::WhenSettled },
        unwind: arguments.unwind,
        mode: mode(arguments.mode),
        ..CheckOptions::default()
    };
    if !arguments.engine.is_empty() {
        options.engines = arguments.engine.iter().map(|choice| engine(*choice)).collect();
    }
    if !arguments.property.is_empty() {
        options.properties.retain(|property| arguments.property.iter().any(|choice| is(*choice, *property)));
    }
    options
}

fn engine(choice: EngineChoice) -> EngineName {
    match choice {
        EngineChoice::Explicit => EngineName::Explicit,
        EngineChoice::Interference => EngineName::Interference,
    }
}

fn mode(choice: ModeChoice) -> Mode {
    match choice {
        ModeChoice::Full => Mode::Full,
        ModeChoice::Over => Mode::Over,
        ModeChoice::Under => Mode::Under,
        ModeChoice::Mixed => Mode::Mixed,
    }
}

fn is(choice: PropertyChoice, property: Property) -> bool {
    matches!(
        (choice, property),
        (PropertyChoice::Assertion, Property::Assertion)
            | (PropertyChoice::Race, Property::Race)
            | (PropertyChoice::Deadlock, Property::Deadlock)
            | (PropertyChoice::Memory, Property::Memory)
    )
}

fn answer(arguments: &CheckArguments, program: &Program, checked: &Checked) -> String {
    let mut cache = SourceCache::default();
    if arguments.json {
        let mut report = judgement::json(program, &checked.judgement, statistics::json(checked), &mut cache);
        if !checked.mistakes.is_empty() {
            report["internal_errors"] = checked.mistakes.iter().map(ToString::to_string).collect();
        }
        return format!("{report:#}\n");
    }
    let style = output::stdout_style(arguments.screen);
    let detail = if arguments.quiet { Detail::Quiet } else { Detail::Full };
    let mut text = judgement::render(program, &checked.judgement, detail, &mut cache, &style);
    if arguments.statistics {
        text.push_str(&statistics::text(checked));
    }
    text
}
