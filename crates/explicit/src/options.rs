//! What an exploration is asked to do.

use selvedge_evidence::Task;

/// Which reductions are on. Each can be switched off by itself; none changes what is found, only how many states it
/// takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Reductions {
    /// Steps that no other thread can notice are taken together with the step before.
    pub fusion: bool,
    /// Of independent steps one order is enough.
    pub partial_order: bool,
    /// States that differ only in which thread is which count as one.
    pub symmetry: bool,
}

impl Reductions {
    /// All of them.
    pub const ALL: Reductions = Reductions { fusion: true, partial_order: true, symmetry: true };
    /// None of them.
    pub const NONE: Reductions = Reductions { fusion: false, partial_order: false, symmetry: false };

    /// Every combination, the empty one first.
    pub fn combinations() -> impl Iterator<Item = Reductions> {
        (0..8).map(|bits| Reductions { fusion: bits & 1 != 0, partial_order: bits & 2 != 0, symmetry: bits & 4 != 0 })
    }
}

/// How long to explore.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Until {
    /// Until the first violation of anything.
    FirstViolation,
    /// Until every wanted property has been violated.
    EveryPropertyViolated,
    /// Until everything has been explored: every check gets its answer.
    Explored,
}

/// What to explore and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// What is asked.
    pub task: Task,
    /// The reductions.
    pub reductions: Reductions,
    /// How long.
    pub until: Until,
    /// How many answers to one question are tried; a question with more is cut off.
    pub max_choices: usize,
    /// Where a question has too many answers, whether to try a few likely ones all the same.
    pub sample: bool,
    /// How many states to store at most.
    pub max_states: u64,
    /// How many steps are taken together at most before a state is stored.
    pub chain: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            task: Task::default(),
            reductions: Reductions::ALL,
            until: Until::Explored,
            max_choices: 256,
            sample: true,
            max_states: u64::from(u32::MAX) - 1,
            chain: 1000,
        }
    }
}
