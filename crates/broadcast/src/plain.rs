//! The semantics of Fig. 3, written down as it is there: states with every thread told apart, every outcome of a step
//! enumerated, every constraint put to every choice of distinct threads. It is the judge of traces, and what the fast
//! searches are compared with.

use rustc_hash::FxHashMap;

use crate::expr::{Expr, View};
use crate::program::*;
use crate::state::{Instance, LocalState, State, Stopped, initial_locals, initial_shared, set};
use crate::valid::System;

/// The steps from a state.
#[derive(Clone, Debug, Default)]
pub struct Successors {
    /// Which thread takes it, and where it leads.
    pub steps: Vec<(usize, State)>,
    /// Whether a thread would have been started that is one too many.
    pub is_cut: bool,
}

/// An execution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// The first state, then the state after each step.
    pub states: Vec<State>,
    /// The thread that takes each step.
    pub active: Vec<usize>,
    /// The thread whose assertion can fail in the last state.
    pub failing: usize,
}

/// All states at the start.
pub fn initial_states(system: &System, instance: &Instance) -> Vec<State> {
    let program = system.program();
    let mut found: Vec<State> =
        initial_shared(program).into_iter().map(|shared| State { shared, threads: Vec::new() }).collect();
    for (id, template) in program.numbered() {
        let locals = initial_locals(program, id);
        for _ in 0..instance.count(template.threads) {
            found = found
                .iter()
                .flat_map(|state| {
                    locals.iter().map(|local| {
                        let mut state = state.clone();
                        state.threads.push(*local);
                        state
                    })
                })
                .collect();
        }
    }
    found
}

/// Whether a thread may take a step: no other one is inside an atomic section.
fn is_scheduled(system: &System, state: &State, active: usize) -> bool {
    let mut others = state.threads.iter().enumerate().filter(|(thread, _)| *thread != active);
    others.all(|(_, local)| !system.is_inside(*local))
}

/// Whether a thread's assertion can fail.
pub fn fails(system: &System, state: &State, active: usize) -> bool {
    let Some(Statement::Assert(constraint)) = system.statement(state.threads[active]) else { return false };
    is_scheduled(system, state, active)
        && !for_all_distinct(constraint, (state, state), active, &|condition, view| {
            !condition.values(view).may_be_false
        })
}

/// Every step from a state.
pub fn successors(system: &System, most: u32, state: &State) -> Successors {
    let mut found = Successors::default();
    for active in (0..state.threads.len()).filter(|active| is_scheduled(system, state, *active)) {
        let Some(statement) = system.statement(state.threads[active]) else { continue };
        let mut next = state.clone();
        next.threads[active].pc.0 += 1;
        match statement {
            Statement::Goto(targets) => {
                for target in targets {
                    next.threads[active].pc = *target;
                    found.steps.push((active, next.clone()));
                }
            }
            Statement::Assign(assignment) => {
                let outcomes = havoc(assignment, state, active, next);
                let allowed = outcomes.into_iter().filter(|next| {
                    assignment.constraints.iter().all(|constraint| {
                        for_all_distinct(constraint, (state, next), active, &|condition, view| {
                            condition.values(view).may_be_true
                        })
                    })
                });
                found.steps.extend(allowed.map(|next| (active, next)));
            }
            Statement::Assert(constraint) => {
                if for_all_distinct(constraint, (state, &next), active, &|condition, view| {
                    condition.values(view).may_be_true
                }) {
                    found.steps.push((active, next));
                }
            }
            Statement::Start(start) => {
                let locals = started(system, start, state, active);
                if state.threads.len() as u64 >= u64::from(most) {
                    found.is_cut |= !locals.is_empty();
                    continue;
                }
                for local in locals {
                    let mut next = next.clone();
                    next.threads.push(local);
                    found.steps.push((active, next));
                }
            }
            Statement::AtomicBegin | Statement::AtomicEnd => found.steps.push((active, next)),
        }
    }
    found
}

/// Every state that the values of an assignment can lead to, constraints aside.
fn havoc(assignment: &Assignment, state: &State, active: usize, next: State) -> Vec<State> {
    let own = (state.threads[active], state.threads[active]);
    let shared = (state.shared, state.shared);
    let mut found = vec![next];
    for (variable, value) in &assignment.shared {
        let values = value.values(View { shared, threads: &[own] });
        found = with_each(found, values.iter(), |state, value| state.shared = set(state.shared, variable.0, value));
    }
    for (variable, value) in &assignment.active {
        let values = value.values(View { shared, threads: &[own] });
        found = with_each(found, values.iter(), |state, value| assign(&mut state.threads[active], *variable, value));
    }
    for (passive, local) in state.threads.iter().enumerate().filter(|(passive, _)| *passive != active) {
        for notification in assignment.passive.iter().filter(|told| told.template == local.template) {
            for (variable, value) in &notification.values {
                let values = value.values(View { shared, threads: &[own, (*local, *local)] });
                found = with_each(found, values.iter(), |state, value| {
                    assign(&mut state.threads[passive], *variable, value)
                });
            }
        }
    }
    found
}

fn assign(local: &mut LocalState, variable: LocalVar, value: bool) {
    local.values = set(local.values, variable.0, value);
}

fn with_each(states: Vec<State>, values: impl Iterator<Item = bool>, put: impl Fn(&mut State, bool)) -> Vec<State> {
    let values: Vec<bool> = values.collect();
    let changed = states.iter().flat_map(|state| {
        values.iter().map(|value| {
            let mut state = state.clone();
            put(&mut state, *value);
            state
        })
    });
    changed.collect()
}

/// The local states in which a thread can be started.
fn started(system: &System, start: &Start, state: &State, active: usize) -> Vec<LocalState> {
    let own = state.threads[active];
    let shared = (state.shared, state.shared);
    let mut found = initial_locals(system.program(), start.template);
    for (variable, value) in &start.values {
        let values = value.values(View { shared, threads: &[(own, own)] });
        found = found
            .iter()
            .flat_map(|local| {
                values.iter().map(|value| {
                    let mut local = *local;
                    assign(&mut local, *variable, value);
                    local
                })
            })
            .collect();
    }
    found.iter_mut().for_each(|local| local.pc = start.at);
    found.sort_unstable();
    found.dedup();
    found.retain(|local| start.condition.values(View { shared, threads: &[(own, own), (*local, *local)] }).may_be_true);
    found
}

/// Whether a condition is accepted for every choice of distinct passive threads for the indices of a constraint.
fn for_all_distinct(
    constraint: &Constraint,
    (state, next): (&State, &State),
    active: usize,
    accept: &dyn Fn(&Expr, View<'_>) -> bool,
) -> bool {
    let mut choices = vec![vec![active]];
    for template in &constraint.passive {
        choices = choices
            .iter()
            .flat_map(|chosen| {
                let free = (0..state.threads.len())
                    .filter(|thread| state.threads[*thread].template == *template && !chosen.contains(thread));
                free.map(|thread| [chosen.as_slice(), &[thread]].concat()).collect::<Vec<_>>()
            })
            .collect();
    }
    choices.iter().all(|chosen| {
        let threads: Vec<_> = chosen.iter().map(|thread| (state.threads[*thread], next.threads[*thread])).collect();
        accept(&constraint.condition, View { shared: (state.shared, next.shared), threads: &threads })
    })
}

/// What a search through all states found.
#[derive(Clone, Debug)]
pub struct Found {
    /// A shortest execution to an assertion that can fail, if there is one.
    pub trace: Option<Trace>,
    /// Whether executions with more threads have been left out.
    pub is_cut: bool,
}

/// Searches all states of so many threads. `go_on` is asked at every state.
pub fn search(system: &System, instance: &Instance, go_on: &mut dyn FnMut() -> bool) -> Result<Found, Stopped> {
    let mut states = initial_states(system, instance);
    let mut parents: Vec<Option<(usize, usize)>> = vec![None; states.len()];
    let mut known: FxHashMap<State, usize> = states.iter().cloned().zip(0..).collect();
    let mut is_cut = false;
    let mut next = 0;
    while next < states.len() {
        if !go_on() {
            return Err(Stopped);
        }
        if let Some(failing) = (0..states[next].threads.len()).find(|thread| fails(system, &states[next], *thread)) {
            let (mut trace, mut at) = (Trace { states: vec![states[next].clone()], active: vec![], failing }, next);
            while let Some((parent, active)) = parents[at] {
                trace.states.insert(0, states[parent].clone());
                trace.active.insert(0, active);
                at = parent;
            }
            return Ok(Found { trace: Some(trace), is_cut });
        }
        let successors = successors(system, instance.most, &states[next]);
        is_cut |= successors.is_cut;
        for (active, state) in successors.steps {
            if !known.contains_key(&state) {
                known.insert(state.clone(), states.len());
                states.push(state);
                parents.push(Some((next, active)));
            }
        }
        next += 1;
    }
    Ok(Found { trace: None, is_cut })
}

/// Whether a trace is an execution to an assertion that can fail; its first state has any number of threads.
pub fn accepts(system: &System, trace: &Trace) -> bool {
    let program = system.program();
    let Some(first) = trace.states.first() else { return false };
    let is_initial = initial_shared(program).contains(&first.shared)
        && first.threads.iter().all(|local| {
            (local.template.0 as usize) < program.templates.len()
                && initial_locals(program, local.template).contains(local)
        })
        && program.numbered().all(|(id, template)| match template.threads {
            Threads::Exactly(number) => {
                first.threads.iter().filter(|local| local.template == id).count() as u64 == u64::from(number)
            }
            Threads::Many => true,
        });
    let has_steps = trace.states.len() == trace.active.len() + 1
        && trace.states.windows(2).zip(&trace.active).all(|(pair, active)| {
            successors(system, u32::MAX, &pair[0])
                .steps
                .iter()
                .any(|(thread, next)| thread == active && *next == pair[1])
        });
    let has_error = trace
        .states
        .last()
        .is_some_and(|last| trace.failing < last.threads.len() && fails(system, last, trace.failing));
    is_initial && has_steps && has_error
}
