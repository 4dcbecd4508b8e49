//! The explicit search as one engine among others: what it finds is told at once, and an exploration of everything is
//! the proof of all the rest.

use selvedge_analysis::Facts;
use selvedge_evidence::engine::from_fn;
use selvedge_evidence::{Again, Answer, Certificate, Engine, Findings, Replicas, Scope, Task};
use selvedge_program::{Action, Budget, Edge, Progress, Property};

use crate::options::Options;
use crate::result::{Coverage, Exploration, Gap, InternalError};

/// Its name.
pub const NAME: &str = "explicit";

/// What it does, in a line.
pub const ABOUT: &str = "All schedules and choices, state by state";

/// The engine, asked about the threads that the program starts. It does not look at the order of past steps.
pub fn engine(task: &Task) -> Box<dyn Engine> {
    let task = task.for_threads_as_started().limited_to(|property| property != Property::Atomicity);
    let options = Options { task, ..Options::default() };
    from_fn(NAME, options.task.properties.clone(), move |facts, budget, progress, findings| {
        check(facts, &options, budget, progress, findings)
    })
}

/// Checks the program of these facts. It must be well-formed, see
/// [`Program::validate`](selvedge_program::Program::validate).
///
/// # Errors
/// Only for mistakes of the engine's own.
pub fn check(
    facts: &Facts,
    options: &Options,
    budget: &Budget,
    progress: &mut dyn Progress,
    findings: &dyn Findings,
) -> Result<Answer, InternalError> {
    let exploration = crate::explore_telling(facts, options, budget, progress, findings)?;
    if exploration.is_complete() {
        let states = exploration.statistics.states;
        findings.proved(&Scope::Rest, Certificate::Exhaustive { states, again: Again::NotYet });
    } else if let Replicas::AtMost(bound) = options.task.threads
        && is_complete_but_for(&exploration, is_thread)
    {
        findings.covered(&Scope::Rest, &Replicas::within(bound));
    }
    // What an execution cannot go past, a proof may.
    let may_go_on = |edge: &Edge| matches!(edge.action, Action::Inexact(_));
    let is_passable = facts.program().functions.iter().flat_map(|function| &function.edges).any(may_go_on);
    let is_the_end = |gap: &Gap| is_thread(gap) || !is_passable && matches!(gap, Gap::Unsupported { .. });
    if is_complete_but_for(&exploration, is_the_end) {
        findings.nothing_more(&Scope::Rest);
    }
    Ok(Answer { statistics: exploration.statistics.figures(), gaps: exploration.gaps })
}

/// Whether nothing was left out but what passes the test.
fn is_complete_but_for(exploration: &Exploration, passes: impl Fn(&Gap) -> bool) -> bool {
    let mut incomplete = exploration.gaps.iter().filter(|gap| gap.is_incomplete());
    exploration.coverage == Coverage::Whole && incomplete.all(passes)
}

/// Whether this is beyond the bound on threads.
fn is_thread(gap: &Gap) -> bool {
    matches!(gap, Gap::Threads { .. })
}
