//! What the engine is asked, and what it answers.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use selvedge_evidence::{CartesianProof, Gap, Task, Violation};
use selvedge_program::Property;

use crate::step::Wrong;

/// What to check and how.
#[derive(Clone, Debug)]
pub struct Options {
    /// What is asked. Deadlock is never answered.
    pub task: Task,
    /// Exception sets to start with.
    pub exceptions: crate::text::Described,
    /// Whether to look for exception sets where those given do not do.
    pub infer: bool,
    /// How many shared and local states may come up.
    pub max_states: usize,
    /// How many local states at shared states may come up.
    pub max_moves: usize,
    /// How many states are gone through one by one in search of executions.
    pub search: usize,
    /// How many interchangeable threads take part in that search.
    pub crowd: usize,
    /// Who has the checker look at a proof.
    pub checked_by: CheckedBy,
}

/// Who has the checker look at a proof. One that holds only within a bound is always looked at here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum CheckedBy {
    /// The engine itself: what it calls a proof has been accepted.
    #[default]
    Engine,
    /// Whoever is told of the proof.
    Listener,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            task: Task::about(&[Property::Assertion, Property::Race, Property::Memory]),
            exceptions: crate::text::Described::default(),
            infer: true,
            max_states: 100_000,
            max_moves: 500_000,
            search: 200_000,
            crowd: 3,
            checked_by: CheckedBy::Engine,
        }
    }
}

/// What a run took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Shared states.
    pub shared: u64,
    /// Local states, of all threads together.
    pub locals: u64,
    /// Products that went through post, in all rounds.
    pub products: u64,
    /// Products of exception sets in the end.
    pub exceptions: u64,
    /// Rounds of inference.
    pub rounds: u64,
    /// States gone through one by one.
    pub searched: u64,
    /// The time.
    pub time: Duration,
}

/// What a run found.
#[derive(Debug, Default)]
pub struct Found {
    /// One violation per subject, with a trace that the concrete semantics has replayed.
    pub violations: Vec<Violation>,
    /// What may be wrong: the fixpoint has such states, no execution was found.
    pub open: BTreeSet<Wrong>,
    /// What keeps everything that is not violated from being proved.
    pub obstacles: Vec<Gap>,
    /// The bound on threads that a proof is limited to, and where it is met.
    pub bound: Option<u64>,
    /// The certificate of what is proved; there is one if nothing stands in the way. The checker has accepted it,
    /// unless that was left to others ([`Options::checked_by`]).
    pub proof: Option<Arc<CartesianProof>>,
    /// The exception sets in use, as text.
    pub exceptions: String,
    /// What it took.
    pub statistics: Statistics,
}

impl Found {
    /// Whether what is neither violated nor open is proved (within the bound, if there is one).
    pub fn is_complete(&self) -> bool {
        self.obstacles.is_empty()
    }
}
