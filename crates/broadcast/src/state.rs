//! Local states, and states in which every thread is told apart (paper 004, Definition 2).

use crate::program::Initial;
use crate::program::{LocalVar, Pc, Program, TemplateId, Threads, Variable};

/// A thread's local state: what it executes, where it is, what its locals hold. Threads with the same local state are
/// interchangeable, which is what counting them rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LocalState {
    /// Its template.
    pub template: TemplateId,
    /// The statement that it executes next.
    pub pc: Pc,
    /// Its locals, one bit each.
    pub values: u64,
}

/// A state: the shared variables, one bit each, and every thread.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct State {
    /// The shared variables.
    pub shared: u64,
    /// The threads, in the order in which they were started.
    pub threads: Vec<LocalState>,
}

/// How many threads there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Instance {
    /// How many of each template of [`Threads::Many`] there are at first: the paper's n.
    pub many: u32,
    /// No more threads than this are started in all. A start statement that would is not executed, and the answer says
    /// that executions have been left out. (In the paper it would have no effect, which can make up errors.)
    pub most: u32,
}

/// The search was told to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the search was stopped")]
pub struct Stopped;

impl LocalState {
    /// What a local holds.
    pub fn value(self, variable: LocalVar) -> bool {
        self.values >> variable.0 & 1 == 1
    }
}

impl Instance {
    /// Of n threads, with no limit to those that are started.
    pub fn of(many: u32) -> Self {
        Instance { many, most: u32::MAX }
    }

    /// How many threads of a template there are at first.
    pub fn count(&self, threads: Threads) -> u32 {
        match threads {
            Threads::Exactly(number) => number,
            Threads::Many => self.many,
        }
    }
}

/// Puts a value into its place among others.
pub(crate) fn set(values: u64, place: u8, value: bool) -> u64 {
    values & !(1 << place) | u64::from(value) << place
}

/// All that variables can hold at first.
pub(crate) fn initial_values(variables: &[Variable]) -> Vec<u64> {
    let mut found = vec![0];
    for (place, variable) in variables.iter().enumerate() {
        let choices: &[bool] = match variable.initial {
            Initial::False => &[false],
            Initial::True => &[true],
            Initial::Any => &[false, true],
        };
        found =
            found.iter().flat_map(|values| choices.iter().map(|choice| set(*values, place as u8, *choice))).collect();
    }
    found
}

/// The local states of a template's threads at first.
pub fn initial_locals(program: &Program, template: TemplateId) -> Vec<LocalState> {
    let values = initial_values(&program.template(template).locals);
    values.into_iter().map(|values| LocalState { template, pc: Pc(0), values }).collect()
}

/// What the shared variables hold at first.
pub fn initial_shared(program: &Program) -> Vec<u64> {
    initial_values(&program.shared)
}
