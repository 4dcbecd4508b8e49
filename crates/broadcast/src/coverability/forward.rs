//! Following a path between upward-closed sets forward, with threads that are really there: those that the path asks for at
//! its beginning, and of every template with a fixed number of threads all of them.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use super::{Minimal, SymbolicStep, of_template};
use crate::configuration::{Configuration, multisets};
use crate::counter::successors;
use crate::path::{Path, Taken};
use crate::program::{Statement, Threads};
use crate::state::{LocalState, initial_locals};
use crate::step::{every_tuple, fails};
use crate::valid::System;

/// As many configurations are followed side by side; they differ in threads that the path does not ask for.
const MOST_FOLLOWED: usize = 500;

/// A configuration, and the step that led to it from one of the layer before.
type Followed = (Configuration, Option<(usize, Taken)>);

/// A run along the path, or the step that nothing can take.
pub fn follow(system: &System, first: &Minimal, steps: &[SymbolicStep], last: &Minimal) -> Result<Path, usize> {
    let mut layers: Vec<Vec<Followed>> =
        vec![filled(system, &first.least).into_iter().map(|initial| (initial, None)).collect()];
    for (place, step) in steps.iter().enumerate() {
        let mut known: IndexSet<Configuration, FxBuildHasher> = IndexSet::default();
        let mut next = Vec::new();
        for (parent, (configuration, _)) in layers[place].iter().enumerate() {
            for taken in successors(system, configuration, step.active.0) {
                let is_meant = taken.active == step.active
                    && taken.started == step.started
                    && taken.after.covers(&step.after.least);
                if is_meant && next.len() < MOST_FOLLOWED && known.insert(taken.after.clone()) {
                    next.push((taken.after.clone(), Some((parent, taken))));
                }
            }
        }
        if next.is_empty() {
            return Err(place);
        }
        layers.push(next);
    }
    let reached = layers[steps.len()].iter().position(|(end, _)| failing(system, end, last).is_some());
    let Some(mut at) = reached else { return Err(steps.len()) };
    let failing = failing(system, &layers[steps.len()][at].0, last).ok_or(steps.len())?;
    let mut found = Vec::new();
    for layer in layers[1..].iter().rev() {
        if let Some((parent, taken)) = &layer[at].1 {
            found.push(taken.clone());
            at = *parent;
        }
    }
    found.reverse();
    Ok(Path { initial: layers[0][at].0.clone(), steps: found, failing })
}

/// Initial configurations with these threads, and all others of templates with a fixed number.
fn filled(system: &System, least: &Configuration) -> Vec<Configuration> {
    let mut found = vec![least.clone()];
    for (id, template) in system.program().numbered() {
        let Threads::Exactly(number) = template.threads else { continue };
        let locals = initial_locals(system.program(), id);
        let missing = multisets(locals.len(), number - of_template(least, id));
        let with = |configuration: &Configuration, counts: &Vec<u32>| {
            let more = locals.iter().copied().zip(counts.iter().copied());
            Configuration::new(configuration.shared, configuration.threads.iter().copied().chain(more))
        };
        found = found.iter().flat_map(|one| missing.iter().map(|counts| with(one, counts))).collect();
        found.truncate(MOST_FOLLOWED);
    }
    found
}

/// The thread among those that the path asks for at its end whose assertion can fail.
fn failing(system: &System, end: &Configuration, last: &Minimal) -> Option<LocalState> {
    let is_failing = |active: &LocalState| {
        let Some(Statement::Assert(assertion)) = system.statement(*active) else { return false };
        let others = end.threads.iter().map(|(local, count)| ((*local, *local), count - u32::from(local == active)));
        !every_tuple(&assertion.passive, &others.collect::<Vec<_>>(), &mut |passive| {
            let passive: Vec<LocalState> = passive.iter().map(|(local, _)| *local).collect();
            !fails(assertion, end.shared, *active, &passive)
        })
    };
    let is_scheduled =
        |active: &LocalState| end.threads.iter().all(|(local, _)| local == active || !system.is_inside(*local));
    last.least.threads.iter().map(|(local, _)| *local).find(|local| is_scheduled(local) && is_failing(local))
}
