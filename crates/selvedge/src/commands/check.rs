//! `selvedge check`: the main job.

use super::{UNDECIDED, UNSAFE, USAGE, compile_input};
use crate::arguments::{CheckArguments, EngineChoice, PropertyChoice, ThreadsChoice};
use crate::output::{self, ProgressLine};
use selvedge::cartesian_engine::{self, Replicas};
use selvedge::{CheckOptions, Checked, check, check_cartesian};
use selvedge_program::{Budget, Program, Property, Region};
use selvedge_report::SourceCache;
use selvedge_report::judgement::{self, Detail};
use std::process::ExitCode;
use std::sync::atomic::Ordering;

pub fn run(arguments: &CheckArguments) -> ExitCode {
    let budget = budget(arguments);
    let Some(mut compiled) = compile_input(&arguments.input, arguments.screen) else { return ExitCode::from(USAGE) };
    if let Err(message) = make_exclusive(arguments, &mut compiled.program) {
        output::complain(&format!("selvedge: --exclusive: {message}\n"));
        return ExitCode::from(USAGE);
    }
    let program = &compiled.program;
    if let Some(name) = arguments.race_on.as_deref().filter(|name| !is_an_object(program, name)) {
        output::complain(&format!("selvedge: --race-on: the program has no variable `{name}`\n"));
        return ExitCode::from(USAGE);
    }
    if arguments.engine == EngineChoice::Cartesian {
        return run_cartesian(arguments, program, &budget);
    }
    if arguments.threads == Some(ThreadsChoice::Any) {
        output::complain("selvedge: --threads any is for --engine cartesian\n");
        return ExitCode::from(USAGE);
    }
    let mut progress = ProgressLine::new();
    let checked = check(program, &options(arguments), &budget, &mut progress);
    progress.clear();
    match checked {
        Ok(checked) => {
            output::print(&answer(arguments, program, &checked));
            status(checked.judgement.word())
        }
        Err(error) => {
            output::complain(&format!("selvedge: {error}\n"));
            ExitCode::from(USAGE)
        }
    }
}

fn status(word: &str) -> ExitCode {
    match word {
        "safe" => ExitCode::SUCCESS,
        "unsafe" => ExitCode::from(UNSAFE),
        _ => ExitCode::from(UNDECIDED),
    }
}

/// Makes races of violations of mutual exclusion.
fn make_exclusive(arguments: &CheckArguments, program: &mut Program) -> Result<(), String> {
    for list in &arguments.exclusive {
        let regions: Vec<Region> = list.split(',').map(Region::parse).collect();
        program.make_exclusive(&regions, list).map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// `--engine cartesian`.
fn run_cartesian(arguments: &CheckArguments, program: &Program, budget: &Budget) -> ExitCode {
    let options = match cartesian_options(arguments, program) {
        Ok(options) => options,
        Err(message) => {
            output::complain(&format!("selvedge: {message}\n"));
            return ExitCode::from(USAGE);
        }
    };
    let mut progress = ProgressLine::new();
    let checked = check_cartesian(program, &options, budget, &mut progress);
    progress.clear();
    match checked {
        Ok((judgement, findings)) => {
            let mut cache = SourceCache::default();
            let took = &findings.statistics;
            if arguments.json {
                let statistics = serde_json::json!({
                    "cartesian": {
                        "shared_states": took.shared,
                        "local_states": took.locals,
                        "products": took.products,
                        "exceptions": took.exceptions,
                        "rounds": took.rounds,
                        "searched": took.searched,
                        "seconds": took.time.as_secs_f64(),
                    }
                });
                output::print(&format!("{:#}\n", judgement::json(program, &judgement, statistics, &mut cache)));
            } else {
                let style = output::stdout_style(arguments.screen);
                let detail = if arguments.quiet { Detail::Quiet } else { Detail::Full };
                let mut text = judgement::render(program, &judgement, detail, &mut cache, &style);
                if arguments.statistics {
                    text.push_str(&format!(
                        "cartesian: {} shared states, {} local states, {} products, {} exceptions, {} rounds, {} states \
                         searched, {:.3} s\n",
                        took.shared,
                        took.locals,
                        took.products,
                        took.exceptions,
                        took.rounds,
                        took.searched,
                        took.time.as_secs_f64(),
                    ));
                    if !findings.exceptions.is_empty() {
                        text.push_str("exceptions found:\n");
                        text.push_str(&findings.exceptions);
                    }
                }
                output::print(&text);
            }
            status(judgement.word())
        }
        Err(error) => {
            output::complain(&format!("selvedge: {error}\n"));
            ExitCode::from(USAGE)
        }
    }
}

/// Deadlock is left out unless it is asked for: the engine has no answer to that.
fn cartesian_options(arguments: &CheckArguments, program: &Program) -> Result<cartesian_engine::Options, String> {
    let mut properties = options(arguments).properties;
    if arguments.property.is_empty() {
        properties.retain(|property| *property != Property::Deadlock);
    }
    let exceptions = match &arguments.exceptions {
        None => cartesian_engine::text::Described::default(),
        Some(path) => {
            let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
            cartesian_engine::text::parse(program, &text).map_err(|error| format!("{}: {error}", path.display()))?
        }
    };
    let replicas = match arguments.threads {
        None => Replicas::AsStarted,
        Some(ThreadsChoice::AtMost(most)) => Replicas::AtMost(u64::from(most)),
        Some(ThreadsChoice::Any) => Replicas::Any,
    };
    Ok(cartesian_engine::Options {
        properties,
        race_on: arguments.race_on.clone(),
        replicas,
        exceptions,
        infer: !arguments.no_inference,
        ..cartesian_engine::Options::default()
    })
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
    if let Some(time) = arguments.timeout {
        budget = budget.with_time(time);
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
        threads: arguments.threads.and_then(|threads| match threads {
            ThreadsChoice::AtMost(most) => Some(most as usize),
            ThreadsChoice::Any => None,
        }),
        ..CheckOptions::default()
    };
    if !arguments.property.is_empty() {
        options.properties.retain(|property| arguments.property.iter().any(|choice| is(*choice, *property)));
    }
    options
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
    let explicit = &checked.statistics.explicit;
    if arguments.json {
        let statistics = serde_json::json!({
            "explicit": {
                "states": explicit.states,
                "transitions": explicit.transitions,
                "steps": explicit.steps,
                "depth": explicit.depth,
                "memory": explicit.memory,
                "seconds": explicit.time.as_secs_f64(),
            }
        });
        return format!("{:#}\n", judgement::json(program, &checked.judgement, statistics, &mut cache));
    }
    let style = output::stdout_style(arguments.screen);
    let detail = if arguments.quiet { Detail::Quiet } else { Detail::Full };
    let mut text = judgement::render(program, &checked.judgement, detail, &mut cache, &style);
    if arguments.statistics {
        text.push_str(&format!(
            "explicit: {} states, {} transitions, {} steps, depth {}, {:.1} MiB, {:.3} s, {:.0} states/s\n",
            explicit.states,
            explicit.transitions,
            explicit.steps,
            explicit.depth,
            explicit.memory as f64 / f64::from(1 << 20),
            explicit.time.as_secs_f64(),
            explicit.states_per_second(),
        ));
    }
    text
}
