//! Which local state can a thread be in, for any number of threads, while the shared variables hold what? An
//! over-approximation, by looking at the active thread and one passive thread at a time. The backward search stays
//! within it, so that it need not guess valuations that never come up.

use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxBuildHasher;

use crate::program::{TemplateId, Threads};
use crate::state::{LocalState, initial_locals, initial_shared};
use crate::step::{Step, steps};
use crate::valid::System;

/// The shared variables, and whether some thread is inside an atomic section: what every thread can notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Phase {
    /// The shared variables.
    pub shared: u64,
    /// Whether a thread is inside an atomic section; then it alone takes steps.
    pub is_inside: bool,
}

/// How many threads of a template there can be at most; none if any number.
pub fn most_threads(system: &System, template: TemplateId) -> Option<u32> {
    match system.program().template(template).threads {
        Threads::Exactly(number) if !system.is_started(template) => Some(number),
        Threads::Exactly(_) | Threads::Many => None,
    }
}

/// The phase after a step.
pub fn phase_after(system: &System, step: &Step<'_>) -> Phase {
    Phase { shared: step.shared.1, is_inside: system.is_inside(step.active.1) }
}

/// What can be there in a phase.
#[derive(Debug, Default)]
pub struct Present<'s> {
    /// The local states that a thread can be in.
    pub locals: IndexSet<LocalState, FxBuildHasher>,
    /// What threads in them can do.
    pub steps: Vec<Step<'s>>,
}

/// The phases that can come up, each with what can be there.
pub type Pairs<'s> = IndexMap<Phase, Present<'s>, FxBuildHasher>;

/// Finds all pairs. None if told to stop.
pub fn pairs<'s>(system: &'s System, go_on: &mut dyn FnMut() -> bool) -> Option<Pairs<'s>> {
    let mut pairs = Pairs::default();
    let mut waiting: Vec<(Phase, LocalState)> = Vec::new();
    for shared in initial_shared(system.program()) {
        for (id, template) in system.program().numbered() {
            if template.threads != Threads::Exactly(0) {
                let locals = initial_locals(system.program(), id);
                waiting.extend(locals.into_iter().map(|local| (Phase { shared, is_inside: false }, local)));
            }
        }
    }
    while let Some((phase, local)) = waiting.pop() {
        let present = pairs.entry(phase).or_default();
        if !present.locals.insert(local) {
            continue;
        }
        if !go_on() {
            return None;
        }
        let is_inside = system.is_inside(local);
        if !is_inside {
            for step in &present.steps {
                becomes(system, step, local, &mut waiting);
            }
        }
        if is_inside == phase.is_inside {
            for step in steps(system, phase.shared, local) {
                let after = phase_after(system, &step);
                waiting.push((after, step.active.1));
                waiting.extend(step.started.map(|started| (after, started)));
                for passive in present.locals.iter().filter(|passive| !system.is_inside(**passive)) {
                    becomes(system, &step, *passive, &mut waiting);
                }
                present.steps.push(step);
            }
        }
    }
    Some(pairs)
}

/// What a step makes of a passive thread.
fn becomes(system: &System, step: &Step<'_>, passive: LocalState, found: &mut Vec<(Phase, LocalState)>) {
    let is_alone = most_threads(system, passive.template) == Some(1) && step.active.0.template == passive.template;
    if !is_alone {
        let after = phase_after(system, step);
        found.extend(step.passive(passive).into_iter().map(|next| (after, next)));
    }
}
