//! The loop of paper 004 (Section 4): abstract the program, check the Boolean program, follow its counterexample on the
//! program, and where that cannot be, refine: first transitions, and only where all of them are as precise as the
//! predicates allow, predicates, which come from weakest preconditions along the counterexample without the numbers of
//! threads.
//!
//! It decides assertions of a program whose number of threads is limited, or of any number. What it says is backed by the
//! proof of the Boolean program, which is checked; that the Boolean program abstracts the program is taken from this
//! crate. So *safe* is an answer for researchers, and no verdict; a counterexample is one that the concrete semantics
//! has replayed.

use std::time::{Duration, Instant};

use rustc_hash::FxHashSet;
use selvedge_abstraction::atoms::{conditions, of_step};
use selvedge_abstraction::backward::{Before, Taken, before};
use selvedge_abstraction::{Predicates, StepKey};
use selvedge_broadcast::check::{check_any, check_counted};
use selvedge_broadcast::counter::{self, Counted};
use selvedge_broadcast::coverability::{self, Answer as Covered};
use selvedge_broadcast::path::Path as Run;
use selvedge_broadcast::plain::{self, Trace as Abstract};
use selvedge_broadcast::{Instance, Stopped, System};
use selvedge_interleaving::{End, Feasibility, Feasible, Path, Question, Start, Step};
use selvedge_program::trace::Trace;
use selvedge_program::{Budget, Program};
use selvedge_symbolic::threads::{ArcKind, Universe, View};
use selvedge_symbolic::{Predicate, Reach};

use crate::layout::{self, Abstraction, Origin};
use crate::vocabulary::{Named, is_tracked};
use crate::{Main, Options, Refused};

/// How far the loop goes.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// How steps are abstracted before they are refined. `main` is kept.
    pub options: Options,
    /// At most so many threads at a time, beside `main`'s; any number without.
    pub threads: Option<u32>,
    /// At most so many times round.
    pub iterations: u32,
}

/// What is known of the program.
#[derive(Clone, Debug)]
pub enum Answer {
    /// No assertion fails.
    Safe,
    /// None fails with as many threads as there may be; but more can be started.
    SafeUpTo(u32),
    /// One does, by this schedule.
    Unsafe(Trace),
    /// Why it is not known.
    Unknown(String),
}

/// What it took, as the paper's Table 1 has it.
#[derive(Clone, Debug, Default)]
pub struct Statistics {
    pub iterations: u32,
    /// Transitions that were excluded, by how many threads showed it.
    pub transitions: [u32; layout::MOST_PASSIVE as usize],
    pub local: u32,
    pub mixed: u32,
    pub shared: u32,
    pub abstracting: Duration,
    pub checking: Duration,
    pub simulating: Duration,
    pub refining: Duration,
}

/// The outcome of the loop.
#[derive(Debug)]
pub struct Outcome<'p, 'b> {
    pub answer: Answer,
    pub statistics: Statistics,
    /// The last abstraction.
    pub abstraction: Abstraction<'p, 'b>,
}

/// A step of a counterexample: whose, which, and whom it starts.
struct Taking {
    thread: usize,
    step: StepKey,
    started: Option<usize>,
}

/// What a counterexample of the Boolean program is on the program.
struct Simulated {
    takings: Vec<Taking>,
    /// For each path, which of the steps above its steps are.
    numbers: Vec<Vec<usize>>,
    failing: (usize, StepKey),
    question: Question,
}

/// Runs the loop.
///
/// # Errors
/// If the program or a predicate is not of a kind that can be abstracted, or the budget is used up.
pub fn run<'p, 'b>(
    program: &'p Program,
    predicates: &[Named],
    settings: Settings,
    budget: &'b Budget,
) -> Result<Outcome<'p, 'b>, Refused> {
    let options = Options { main: Main::Kept, ..settings.options };
    let mut statistics = Statistics::default();
    let clock = Instant::now();
    let universe = Universe::of(program, || budget.exhausted().is_none())
        .map_err(|_| Refused::Unfit("its threads cannot be unfolded".to_owned()))?;
    let universe = universe.ok_or_else(|| Refused::Stopped(budget.stopped_by().to_string()))?;
    let mut found = layout::build(View::new(universe), predicates, options, budget)?;
    statistics.abstracting += clock.elapsed();
    let answer = loop {
        if statistics.iterations == settings.iterations {
            break Answer::Unknown(format!("it was refined {} times", settings.iterations));
        }
        statistics.iterations += 1;
        let clock = Instant::now();
        let checked = check(&found, settings.threads, budget)?;
        statistics.checking += clock.elapsed();
        let run = match checked {
            Checked::Run(run) => run,
            Checked::Answer(answer) => break answer,
        };
        let clock = Instant::now();
        let Some(simulated) = simulated(&found, &run) else {
            break Answer::Unknown("a counterexample is no execution of threads".to_owned());
        };
        let feasible = Feasibility::new(program).ask(&simulated.question, budget);
        statistics.simulating += clock.elapsed();
        let core = match feasible.map_err(|error| Refused::Stopped(error.to_string()))? {
            Feasible::Yes(trace) => break Answer::Unsafe(trace),
            Feasible::No { core } => core,
            Feasible::Unknown(gap) => {
                break Answer::Unknown(format!("it is not known whether a counterexample can happen: {gap:?}"));
            }
        };
        let clock = Instant::now();
        let is_refined = refine(&mut found, &run, &mut statistics)?;
        statistics.refining += clock.elapsed();
        if is_refined {
            continue;
        }
        let clock = Instant::now();
        let more = discover(&mut found, &simulated, &core);
        statistics.refining += clock.elapsed();
        if more.is_empty() {
            break Answer::Unknown("no predicate was found that excludes a counterexample".to_owned());
        }
        let clock = Instant::now();
        found = found.with(&more, budget)?;
        statistics.abstracting += clock.elapsed();
    };
    let vocabulary = found.vocabulary();
    for predicate in 0..vocabulary.predicates.len() {
        *match vocabulary.reach(predicate) {
            Reach::Shared => &mut statistics.shared,
            Reach::Local => &mut statistics.local,
            Reach::Mixed => &mut statistics.mixed,
        } += 1;
    }
    Ok(Outcome { answer, statistics, abstraction: found })
}

/// What checking the Boolean program came to.
enum Checked {
    Run(Abstract),
    Answer(Answer),
}

fn check(found: &Abstraction<'_, '_>, threads: Option<u32>, budget: &Budget) -> Result<Checked, Refused> {
    let system = System::new(found.program().clone())?;
    let mut go_on = || budget.check().is_ok();
    let stopped = |_: Stopped| Refused::Stopped(budget.stopped_by().to_string());
    let internal = |what: &dyn std::fmt::Display| Refused::Stopped(format!("internal error: {what}"));
    let follow = |run: &Run| {
        let trace = run.trace();
        if plain::accepts(&system, &trace) { Ok(Checked::Run(trace)) } else { Err(internal(&"a run is none")) }
    };
    match threads {
        Some(threads) => {
            let instance = Instance { many: 0, most: threads.saturating_add(1) };
            match counter::search(&system, &instance, &mut go_on).map_err(stopped)? {
                Counted::Unsafe(run) => follow(&run),
                Counted::Safe(proof) => {
                    check_counted(&system, &proof).map_err(|refused| internal(&refused))?;
                    let answer = if proof.is_cut { Answer::SafeUpTo(threads) } else { Answer::Safe };
                    Ok(Checked::Answer(answer))
                }
            }
        }
        None => match coverability::search(&system, &mut go_on).map_err(stopped)?.answer {
            Covered::Unsafe(run) => follow(&run),
            Covered::Safe(proof) => {
                check_any(&system, &proof).map_err(|refused| internal(&refused))?;
                Ok(Checked::Answer(Answer::Safe))
            }
            Covered::Blocked(..) => {
                let why = "a constraint on passive threads is over-approximated for any number of threads";
                Ok(Checked::Answer(Answer::Unknown(why.to_owned())))
            }
        },
    }
}

/// One path per thread, of the steps that a run stands for.
fn simulated(found: &Abstraction<'_, '_>, run: &Abstract) -> Option<Simulated> {
    let vocabulary = found.vocabulary();
    let step = |thread: usize, state: usize, arc| {
        let template = run.states[state].threads[thread].template;
        let arc = found.arc(template, arc);
        let unfolded = found.on.view.universe.unfolded(vocabulary.templates[template.0 as usize]);
        (unfolded.get(arc.source).function, arc.edge, arc.kind)
    };
    let main = found.on.view.universe.templates.first()?.0;
    let mut paths = vec![Path { start: Start::Main, function: main, steps: Vec::new() }];
    let (mut takings, mut numbers) = (Vec::new(), vec![Vec::new()]);
    for (number, thread) in run.active.iter().enumerate() {
        let local = run.states[number].threads[*thread];
        let Some(Origin::Step(arc)) = found.origin(local.template, local.pc) else { continue };
        let key @ (function, edge, kind) = step(*thread, number, *arc);
        numbers[*thread].push(takings.len());
        paths[*thread].steps.push(Step { function, edge });
        let mut started = None;
        if run.states[number + 1].threads.len() > paths.len() {
            let ArcKind::Spawn(entry) = kind else { return None };
            started = Some(paths.len());
            let start = Start::Spawned { by: *thread, at: paths[*thread].steps.len() - 1 };
            paths.push(Path { start, function: entry, steps: Vec::new() });
            numbers.push(Vec::new());
        }
        takings.push(Taking { thread: *thread, step: key, started });
    }
    let last = run.states.len() - 1;
    let local = run.states[last].threads[run.failing];
    let Some(Origin::Check(arc, _)) = found.origin(local.template, local.pc) else { return None };
    let key @ (function, edge, _) = step(run.failing, last, *arc);
    let end = End::Fails(run.failing, Step { function, edge });
    Some(Simulated { takings, numbers, failing: (run.failing, key), question: Question { paths, end } })
}

/// Excludes transitions of a run that no step stands for; whether there were any.
fn refine(found: &mut Abstraction<'_, '_>, run: &Abstract, statistics: &mut Statistics) -> Result<bool, Refused> {
    let mut is_refined = false;
    for (number, active) in run.active.iter().enumerate() {
        if let Some(spurious) = found.refine(&run.states[number], &run.states[number + 1], *active)? {
            statistics.transitions[usize::from(spurious.threads) - 1] += 1;
            is_refined = true;
        }
    }
    let last = &run.states[run.states.len() - 1];
    if found.refine_error(last, run.failing)? {
        statistics.transitions[0] += 1;
        is_refined = true;
    }
    Ok(is_refined)
}

/// With more than this on the way, predicates are given up.
const MOST_WANTED: usize = 200;

/// Which predicates the steps of a counterexample suggest, ever more of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Effort {
    /// Those of all steps, not only of a core.
    is_all: bool,
    /// What steps compute, not only what decides whether they are taken.
    is_wide: bool,
}

const EFFORTS: [Effort; 4] = [
    Effort { is_all: false, is_wide: false },
    Effort { is_all: true, is_wide: false },
    Effort { is_all: false, is_wide: true },
    Effort { is_all: true, is_wide: true },
];

/// Predicates that are new, from weakest preconditions along a counterexample of what its end and its steps need.
fn discover(found: &mut Abstraction<'_, '_>, simulated: &Simulated, core: &[(usize, usize)]) -> Vec<Predicate> {
    let step_of = |(path, step): &(usize, usize)| simulated.numbers.get(*path)?.get(*step).copied();
    let core: FxHashSet<usize> = core.iter().filter_map(step_of).collect();
    let known: Vec<Predicate> = found.vocabulary().predicates.iter().map(|named| named.predicate.clone()).collect();
    let view = &mut found.on.view;
    for effort in EFFORTS {
        // The same rules as for other engines say what is worth tracking.
        let mut tracked = Predicates::default();
        for predicate in &known {
            tracked.add(view, predicate);
        }
        let mut more = Vec::new();
        for predicate in collect(view, simulated, &core, effort) {
            let before = tracked.len();
            if is_tracked(view, &predicate) && tracked.add(view, &predicate).is_some() && tracked.len() > before {
                more.push(predicate);
            }
        }
        if !more.is_empty() {
            return more;
        }
    }
    Vec::new()
}

fn suggested(view: &mut View<'_>, step: StepKey, effort: Effort) -> Vec<Predicate> {
    if effort.is_wide { of_step(view, step) } else { conditions(view, step) }
}

fn collect(view: &mut View<'_>, simulated: &Simulated, core: &FxHashSet<usize>, effort: Effort) -> Vec<Predicate> {
    let (thread, step) = simulated.failing;
    let mut wanted: Vec<(usize, Predicate)> =
        suggested(view, step, effort).into_iter().map(|predicate| (thread, predicate)).collect();
    let mut collected: Vec<Predicate> = wanted.iter().map(|(_, predicate)| predicate.clone()).collect();
    for (number, taking) in simulated.takings.iter().enumerate().rev() {
        let mut earlier: Vec<(usize, Predicate)> = Vec::new();
        for (thread, predicate) in wanted {
            let taken = if taking.thread == thread {
                Taken::Own(taking.step)
            } else if taking.started == Some(thread) {
                Taken::Starts(taking.step)
            } else {
                Taken::Other(taking.step)
            };
            let own = if matches!(taken, Taken::Starts(_)) { taking.thread } else { thread };
            earlier.extend(before(view, taken, &predicate).into_iter().map(|before| match before {
                Before::Own(predicate) => (own, predicate),
                Before::Other(predicate) => (taking.thread, predicate),
            }));
        }
        if effort.is_all || core.contains(&number) {
            let suggested = suggested(view, taking.step, effort);
            earlier.extend(suggested.into_iter().map(|predicate| (taking.thread, predicate)));
        }
        wanted = Vec::new();
        for one in earlier {
            if !wanted.contains(&one) && wanted.len() < MOST_WANTED {
                collected.push(one.1.clone());
                wanted.push(one);
            }
        }
    }
    collected
}
