//! Checking for any number of threads at once, by backward coverability.
//!
//! More threads can do what fewer can, unless a constraint on passive threads forbids their presence. So the
//! configurations from which an error can be reached are upward-closed, and finitely many minimal ones stand for them:
//! beginning with the errors, minimal predecessors are added until nothing is new (well-structured transition systems; broadcasts
//! are no obstacle). Where a constraint forbids, the passive threads that violate it are taken to be gone (monotonic abstraction): a proof
//! stands, a path may not be an execution, and is followed forward to see.

mod forward;

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

use crate::basis::{Basis, Minimal};
use crate::configuration::{Configuration, multisets};
use crate::pairs::{Pairs, Phase, most_threads, pairs, phase_after};
use crate::path::Path;
use crate::program::{Constraint, Statement, TemplateId, Threads};
use crate::state::{LocalState, Stopped, initial_locals, initial_shared};
use crate::step::{Change, Step, every_tuple, fails};
use crate::valid::System;

/// What a search found.
#[derive(Clone, Debug)]
pub struct Covered {
    /// The answer.
    pub answer: Answer,
    /// Whether no constraint can forbid the presence of a passive thread, so that nothing is over-approximated.
    pub is_exact: bool,
}

/// The answer for any number of threads.
#[derive(Clone, Debug)]
pub enum Answer {
    /// No assertion can fail.
    Safe(CoverProof),
    /// One can, by this run, which plain semantics accepts; without start statements no smaller number of threads of
    /// replicated templates has one, unless it is over-approximated.
    Unsafe(Path),
    /// Some path of the over-approximation leads to an error, but its step of this number is forbidden by a passive thread.
    Blocked(Vec<SymbolicStep>, usize),
}

/// The invariant: every thread is in a local state of its phase, and no configuration covers one of the basis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoverProof {
    /// For each phase the local states that threads can be in.
    pub pairs: Vec<(Phase, Vec<LocalState>)>,
    /// The minimal configurations from which an error may be reached.
    pub basis: Vec<Minimal>,
}

/// A step between upward-closed sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SymbolicStep {
    /// The least threads before.
    pub before: Minimal,
    /// The active thread before and after.
    pub active: Change,
    /// The passive threads among those before, and what becomes of them.
    pub passive: Vec<(Change, u32)>,
    /// The thread that is started.
    pub started: Option<LocalState>,
    /// The least threads after.
    pub after: Minimal,
}

/// Searches backward from all errors. `go_on` is asked at every element.
pub fn search(system: &System, go_on: &mut dyn FnMut() -> bool) -> Result<Covered, Stopped> {
    let pairs = pairs(system, go_on).ok_or(Stopped)?;
    let is_exact = is_exact(system, &pairs);
    let mut search = Search::new(system, &pairs);
    for error in errors(system, &pairs) {
        search.add(error, None);
    }
    while let Some(Reverse((.., number))) = search.waiting.pop() {
        if !go_on() {
            return Err(Stopped);
        }
        if search.nodes[number].is_gone {
            continue;
        }
        if is_initial(system, &search.nodes[number].minimal.clone()) {
            let steps = search.steps(number);
            let last = steps.last().map_or(&search.nodes[number].minimal, |step| &step.after);
            let answer = match forward::follow(system, &search.nodes[number].minimal, &steps, last) {
                Ok(path) => Answer::Unsafe(path),
                Err(blocked) => Answer::Blocked(steps, blocked),
            };
            return Ok(Covered { answer, is_exact });
        }
        for (minimal, how) in search.predecessors(number) {
            search.add(minimal, Some((number, how)));
        }
    }
    let basis = search.basis.into_elements();
    let pairs = pairs.iter().map(|(phase, present)| (*phase, present.locals.iter().copied().collect())).collect();
    Ok(Covered { answer: Answer::Safe(CoverProof { pairs, basis }), is_exact })
}

/// Whether every passive thread that can be there survives every step.
fn is_exact(system: &System, pairs: &Pairs<'_>) -> bool {
    pairs.values().all(|present| {
        let passive = || present.locals.iter().filter(|local| !system.is_inside(**local));
        present.steps.iter().all(|step| {
            step.joint().next().is_none()
                && (!step.concerns_passive() || passive().all(|local| !step.passive(*local).is_empty()))
        })
    })
}

/// Whether all these threads can be there at the start.
fn is_initial(system: &System, minimal: &Minimal) -> bool {
    let program = system.program();
    let is_possible = |template: TemplateId| match program.template(template).threads {
        Threads::Exactly(number) => of_template(&minimal.least, template) <= number,
        Threads::Many => true,
    };
    !minimal.is_inside
        && initial_shared(program).contains(&minimal.least.shared)
        && program.numbered().all(|(id, _)| is_possible(id))
        && minimal.least.threads.iter().all(|(local, _)| initial_locals(program, local.template).contains(local))
}

fn of_template(least: &Configuration, template: TemplateId) -> u32 {
    least.threads.iter().filter(|(local, _)| local.template == template).map(|(_, count)| count).sum()
}

/// How many threads there are of templates of which there may be any number.
fn replicated(system: &System, least: &Configuration) -> u32 {
    let many = system.program().numbered().filter(|(_, template)| template.threads == Threads::Many);
    many.map(|(id, _)| of_template(least, id)).sum()
}

/// Whether there can be as many threads of each template.
fn is_possible(system: &System, least: &Configuration) -> bool {
    system
        .program()
        .numbered()
        .all(|(id, _)| most_threads(system, id).is_none_or(|most| of_template(least, id) <= most))
}

/// The least threads with which an assertion can fail.
fn errors(system: &System, pairs: &Pairs<'_>) -> Vec<Minimal> {
    let mut found = Vec::new();
    for (phase, present) in pairs {
        for active in present.locals.iter().filter(|local| system.is_inside(**local) == phase.is_inside) {
            let Some(Statement::Assert(assertion)) = system.statement(*active) else { continue };
            let others = present.locals.iter().filter(|local| !system.is_inside(**local));
            let others: Vec<(Change, u32)> = others.map(|local| ((*local, *local), u32::MAX)).collect();
            every_tuple(&assertion.passive, &others, &mut |passive| {
                let passive: Vec<LocalState> = passive.iter().map(|(local, _)| *local).collect();
                if fails(assertion, phase.shared, *active, &passive) {
                    let threads = passive.iter().chain([active]).map(|local| (*local, 1));
                    let least = Configuration::new(phase.shared, threads);
                    if is_possible(system, &least) {
                        found.push(Minimal { is_inside: phase.is_inside, least });
                    }
                }
                true
            });
        }
    }
    found
}

/// How an element leads to the one that it is a predecessor of.
#[derive(Clone, Debug)]
struct How {
    active: Change,
    started: Option<LocalState>,
    passive: Vec<(Change, u32)>,
}

struct Node {
    minimal: Minimal,
    next: Option<(usize, How)>,
    is_gone: bool,
}

/// A step, the phase before it, and from which passive local states it leads to which.
struct Backward<'a, 's> {
    phase: Phase,
    step: &'a Step<'s>,
    origins: Option<FxHashMap<LocalState, Vec<LocalState>>>,
}

struct Search<'a, 's> {
    system: &'s System,
    pairs: &'a Pairs<'s>,
    /// By the phase after the step.
    into: FxHashMap<Phase, Vec<Backward<'a, 's>>>,
    nodes: Vec<Node>,
    basis: Basis,
    /// Fewest threads of replicated templates first, then fewest threads.
    waiting: BinaryHeap<Reverse<(u32, u32, usize)>>,
}

impl<'a, 's> Search<'a, 's> {
    fn new(system: &'s System, pairs: &'a Pairs<'s>) -> Self {
        let mut into: FxHashMap<Phase, Vec<Backward<'a, 's>>> = FxHashMap::default();
        for (phase, present) in pairs {
            for step in &present.steps {
                let backward = Backward { phase: *phase, step, origins: None };
                into.entry(phase_after(system, step)).or_default().push(backward);
            }
        }
        let (nodes, basis, waiting) = (Vec::new(), Basis::default(), BinaryHeap::new());
        Search { system, pairs, into, nodes, basis, waiting }
    }

    fn add(&mut self, minimal: Minimal, next: Option<(usize, How)>) {
        let number = self.nodes.len();
        let nodes = &mut self.nodes;
        if self.basis.insert(&minimal, number, &mut |covered| nodes[covered].is_gone = true) {
            let replicated = replicated(self.system, &minimal.least);
            self.waiting.push(Reverse((replicated, minimal.least.size(), number)));
            self.nodes.push(Node { minimal, next, is_gone: false });
        }
    }

    /// The minimal predecessors of an element, within the pairs.
    fn predecessors(&mut self, number: usize) -> Vec<(Minimal, How)> {
        let after = self.nodes[number].minimal.clone();
        let mut found = Vec::new();
        let mut into = self.into.remove(&after.phase()).unwrap_or_default();
        for backward in &mut into {
            // The active thread is one of those that are asked for, or another; the started one likewise.
            let mine = [after.least.without(backward.step.active.1), Some(after.least.clone())];
            for rest in mine.into_iter().flatten() {
                let without_started = backward.step.started.and_then(|started| rest.without(started));
                for rest in without_started.into_iter().chain([rest]) {
                    self.before(backward, &rest.threads, &mut Vec::new(), &mut found);
                }
            }
        }
        self.into.insert(after.phase(), into);
        found
    }

    /// Chooses where the threads that are passive in a step come from, after those that have been done.
    fn before(
        &self,
        backward: &mut Backward<'a, 's>,
        rest: &[(LocalState, u32)],
        done: &mut Vec<(Change, u32)>,
        found: &mut Vec<(Minimal, How)>,
    ) {
        let step = backward.step;
        let Some(((after, count), rest)) = rest.split_first() else {
            let threads = done.iter().map(|((from, _), count)| (*from, *count)).chain([(step.active.0, 1)]);
            let least = Configuration::new(step.shared.0, threads);
            if is_possible(self.system, &least) {
                let how = How { active: step.active, started: step.started, passive: done.clone() };
                found.push((Minimal { is_inside: backward.phase.is_inside, least }, how));
            }
            return;
        };
        let origins = self.origins(backward, *after);
        for counts in multisets(origins.len(), *count) {
            let kept = done.len();
            let chosen = origins.iter().zip(counts).filter(|(_, count)| *count > 0);
            done.extend(chosen.map(|(origin, count)| ((*origin, *after), count)));
            if step.joint().all(|constraint| holds(step, constraint, done)) {
                self.before(backward, rest, done, found);
            }
            done.truncate(kept);
        }
    }

    /// The passive local states that a step can lead to this one from.
    fn origins(&self, backward: &mut Backward<'a, 's>, after: LocalState) -> Vec<LocalState> {
        let locals = &self.pairs[&backward.phase].locals;
        let step = backward.step;
        if !step.concerns_passive() {
            let is_there = locals.contains(&after) && !self.system.is_inside(after);
            return if is_there { vec![after] } else { Vec::new() };
        }
        let origins = backward.origins.get_or_insert_with(|| {
            let mut origins: FxHashMap<LocalState, Vec<LocalState>> = FxHashMap::default();
            for origin in locals.iter().filter(|local| !self.system.is_inside(**local)) {
                for next in step.passive(*origin) {
                    origins.entry(next).or_default().push(*origin);
                }
            }
            origins
        });
        origins.get(&after).cloned().unwrap_or_default()
    }

    /// The way from an element to an error.
    fn steps(&self, mut number: usize) -> Vec<SymbolicStep> {
        let mut found = Vec::new();
        while let Some((next, How { active, started, passive })) = self.nodes[number].next.clone() {
            let (before, after) = (self.nodes[number].minimal.clone(), self.nodes[next].minimal.clone());
            found.push(SymbolicStep { before, active, passive, started, after });
            number = next;
        }
        found
    }
}

fn holds(step: &Step<'_>, constraint: &Constraint, changes: &[(Change, u32)]) -> bool {
    every_tuple(&constraint.passive, changes, &mut |passive| step.meets(constraint, passive))
}
