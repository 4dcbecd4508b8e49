//! From the moves of a found execution to a trace that the concrete semantics replays.

use selvedge_evidence::Subject;
use selvedge_program::semantics::{Instance, Value};
use selvedge_program::trace::{Trace, TraceEnd, TraceStep};
use selvedge_program::{Budget, Program, ThreadIndex};

use crate::alarms::Alarm;
use crate::program::{At, ProgramSystem};
use crate::step::{Path, Wrong};
use crate::tuples::{Reached, Taken};

/// The trace of an execution that ends in a tuple with something wrong; `None` if the semantics does not accept it, or
/// a limit is reached first.
pub fn trace(
    program: &Program,
    system: &mut ProgramSystem<'_, '_>,
    reached: &Reached,
    number: usize,
    (wrong, alarm): (&Wrong, Alarm),
    budget: &Budget,
) -> Option<Trace> {
    let (first, path) = reached.path(number);
    let main = first.locals.first()?.first().copied()?;
    let begin = system.initial_steps().ok()?.ends.into_iter();
    let (_, steps) =
        begin.into_iter().find(|(state, _)| system.splitter.split_initial(state.clone()) == (first.shared, main))?;
    // The threads of every component by name: local state and number in the trace.
    let mut threads: Vec<Vec<(u32, Option<ThreadIndex>)>> =
        first.locals.iter().map(|locals| locals.iter().map(|local| (*local, None)).collect()).collect();
    threads[0][0].1 = Some(ThreadIndex(0));
    let mut trace = Trace { steps: Vec::new(), end: TraceEnd::Nothing };
    let mut started = 1;
    push(&mut trace, ThreadIndex(0), &steps, &|value| value.clone());
    for taken in &path {
        budget.check().ok()?;
        let (thread, steps) = edges(system, taken, &threads)?;
        let names = names(&threads);
        push(&mut trace, thread, &steps, &|value| rename(value, &names, thread, taken.at));
        advance(&mut threads, taken, system.components_of(taken.made.target).len(), &mut started)?;
    }
    match alarm {
        Alarm::Step(at) => {
            let (_, steps) = system.steps(at).ok()?.faults.into_iter().find(|(found, _)| found == wrong)?;
            let thread = threads[at.component].iter().find(|(local, _)| *local == at.local)?.1?;
            let names = names(&threads);
            push(&mut trace, thread, &steps, &|value| rename(value, &names, thread, at));
            trace.end = end_of_step(wrong)?;
        }
        Alarm::Race(first, second) => {
            let one = threads[first.component].iter().position(|(local, _)| *local == first.local)?;
            let mut others = threads[second.component].iter().enumerate();
            let is_other = |index: usize| first.component != second.component || index != one;
            let other = others.find(|(index, (local, _))| *local == second.local && is_other(*index))?.1.1?;
            trace.end = TraceEnd::Race(threads[first.component][one].1?, other);
        }
    }
    selvedge_program::trace::replay(program, &trace).ok().map(|_| trace)
}

/// The end of a trace whose last step does this.
pub fn end_of_step(wrong: &Wrong) -> Option<TraceEnd> {
    match wrong.subject()? {
        Subject::Assertion(check) => Some(TraceEnd::AssertionFailed(check)),
        Subject::Memory(_, _, undefined) => Some(TraceEnd::Undefined(undefined)),
        Subject::Race(_) | Subject::FieldRace(..) | Subject::Deadlock | Subject::Livelock | Subject::Atomicity(_) => {
            None
        }
    }
}

fn push(trace: &mut Trace, thread: ThreadIndex, path: &Path, name: &dyn Fn(&Value) -> Value) {
    for (function, edge, answers) in path {
        let choices = answers.iter().map(name).collect();
        trace.steps.push(TraceStep { thread, function: *function, edge: *edge, choices });
    }
}

type Threads = Vec<Vec<(u32, Option<ThreadIndex>)>>;

/// Who moves, and along which edges.
fn edges(system: &mut ProgramSystem<'_, '_>, taken: &Taken, threads: &Threads) -> Option<(ThreadIndex, Path)> {
    let thread = threads[taken.at.component].iter().find(|(local, _)| *local == taken.at.local)?.1?;
    let At { shared, component, local } = taken.at;
    let mover = system.splitter.join(shared, component, local).thread;
    let ends = system.steps(taken.at).ok()?.ends;
    let leads =
        |state| system.splitter.split(shared, component, local, mover, state).is_ok_and(|made| made == taken.made);
    let mut leads = leads;
    ends.into_iter().find(|(state, _)| leads(state.clone())).map(|(_, path)| (thread, path))
}

/// The threads in the order of components, which is that of the threads of a shared state.
fn names(threads: &Threads) -> Vec<Option<ThreadIndex>> {
    threads.iter().map(|threads| threads.first().and_then(|(_, name)| *name)).collect()
}

/// An answer that names a thread of the shared state, with the thread's name in the trace.
fn rename(value: &Value, names: &[Option<ThreadIndex>], mover: ThreadIndex, at: At) -> Value {
    match value {
        Value::Pointer(pointer) => match pointer.object {
            Instance::Thread(thread) => {
                let name = names.get(thread.index()).copied().flatten().filter(|_| thread.index() != at.component);
                Value::to_start_of(Instance::Thread(name.unwrap_or(mover)))
            }
            _ => value.clone(),
        },
        _ => value.clone(),
    }
}

/// Moves the threads on.
fn advance(threads: &mut Threads, taken: &Taken, components: usize, started: &mut usize) -> Option<()> {
    let mut next: Threads = vec![Vec::new(); components];
    let mut moved = None;
    for (component, mut staying) in std::mem::take(threads).into_iter().enumerate() {
        if component == taken.at.component {
            let mover = staying.iter().position(|(local, _)| *local == taken.at.local)?;
            moved = staying.remove(mover).1;
        }
        if !staying.is_empty() {
            next[taken.made.carry.of(component)].append(&mut staying);
        }
    }
    if let Some(start) = taken.made.start {
        if let Some((pool, idle)) = start.pool {
            let waiting = next[pool].iter().position(|(local, _)| *local == idle)?;
            next[pool].remove(waiting);
        }
        next[start.component].push((start.local, Some(ThreadIndex::new(*started))));
        *started += 1;
    }
    next[taken.made.component].push((taken.made.local, moved));
    *threads = next;
    Some(())
}
