//! Counterexamples in counted form, and as executions in which every thread has a number.

use crate::configuration::Configuration;
use crate::plain::Trace;
use crate::state::{LocalState, State};
use crate::step::Change;

/// One step: who moved, and what the notifications made of the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taken {
    /// The active thread before and after.
    pub active: Change,
    /// The passive threads whose local states changed, and how many of them did so.
    pub passive: Vec<(Change, u32)>,
    /// The thread that was started.
    pub started: Option<LocalState>,
    /// The configuration after it.
    pub after: Configuration,
}

/// A run to an assertion that can fail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    /// Where it begins.
    pub initial: Configuration,
    /// The steps.
    pub steps: Vec<Taken>,
    /// The thread whose assertion can fail at the end.
    pub failing: LocalState,
}

impl Path {
    /// The same with threads told apart. Which of several equal threads it is that moves does not matter; it is the
    /// one of the lowest number.
    pub fn trace(&self) -> Trace {
        let mut states = vec![self.initial.state()];
        let mut active = Vec::new();
        for step in &self.steps {
            let before = &states[states.len() - 1];
            let mover = thread_in(before, step.active.0, &[]);
            let mut moved = vec![mover];
            let mut threads = before.threads.clone();
            threads[mover] = step.active.1;
            for ((from, to), count) in &step.passive {
                for _ in 0..*count {
                    let thread = thread_in(before, *from, &moved);
                    moved.push(thread);
                    threads[thread] = *to;
                }
            }
            threads.extend(step.started);
            active.push(mover);
            states.push(State { shared: step.after.shared, threads });
        }
        let failing = thread_in(&states[states.len() - 1], self.failing, &[]);
        Trace { states, active, failing }
    }
}

/// The first thread in a local state that is not among those that have moved.
fn thread_in(state: &State, local: LocalState, moved: &[usize]) -> usize {
    let mut threads = (0..state.threads.len()).filter(|thread| state.threads[*thread] == local);
    threads.find(|thread| !moved.contains(thread)).expect("a path moves only threads that are there")
}
