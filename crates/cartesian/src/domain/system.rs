//! Transition systems of threads: shared states, components of interchangeable threads, and moves of one thread.
//!
//! The paper's multi-threaded programs (Section 4.1) are the case in which every shared state has the same components
//! of one thread each. Three things go beyond it, and each vanishes when components stay the same:
//! - the components may depend on the shared state, so that the thread that holds a lock is a component of its own as
//!   long as it holds it, up to the renaming of threads; a move then says which component each component becomes;
//! - components may have many interchangeable threads;
//! - a move may start another thread, which has been idle until then.

use std::sync::Arc;

use crate::domain::exceptions::ExceptionSet;
use crate::domain::product::{Count, Product};

/// A shared state, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Shared(pub u32);

/// Threads of one shared state that are not told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Component {
    /// Which numbering its local states have.
    pub class: u32,
    /// How many threads there are.
    pub count: Count,
}

/// What becomes of the components that do not move.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Carry {
    /// Each stays what it is.
    Same,
    /// By component: what it becomes.
    To(Arc<[u32]>),
}

impl Carry {
    /// What a component becomes.
    pub fn of(&self, component: usize) -> usize {
        match self {
            Carry::Same => component,
            Carry::To(map) => map[component] as usize,
        }
    }
}

/// A thread that a move starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Start {
    /// The component (of the target) that it belongs to.
    pub component: usize,
    /// Where it comes from, if it is one of many that wait to be started: the component (of the target) of those, and
    /// its local state before. `None` for a thread that is new.
    pub pool: Option<(usize, u32)>,
    /// Its local state after.
    pub local: u32,
}

/// A move of one thread from a shared state and its local state.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// The shared state after.
    pub target: Shared,
    /// The component of the target that the thread belongs to after.
    pub component: usize,
    /// Its local state after.
    pub local: u32,
    /// What the other components become.
    pub carry: Carry,
    /// The thread it starts, if any.
    pub start: Option<Start>,
}

/// A transition system, explored on demand.
pub trait System {
    /// Why an exploration is given up.
    type GivenUp;

    /// The initial states.
    fn initial(&mut self) -> Result<Vec<(Shared, Product)>, Self::GivenUp>;

    /// The components of a shared state.
    fn components(&self, shared: Shared) -> Vec<Component>;

    /// The moves of a thread of a component in a local state.
    fn moves(&mut self, shared: Shared, component: usize, local: u32) -> Result<Vec<Move>, Self::GivenUp>;

    /// The exception set at a shared state. Its sets may grow by local states that have come up since it was last asked
    /// for.
    fn exceptions(&self, shared: Shared) -> ExceptionSet;

    /// Changes whenever an exception set may have grown.
    fn version(&self) -> u64 {
        0
    }
}
