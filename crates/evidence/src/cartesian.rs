//! What a proof of the engine `cartesian` consists of: an inductive set of states, written as a union of products for
//! every shared state. `selvedge_cartesian::certify` checks it by one abstract post.

use selvedge_program::FunctionId;
use selvedge_program::semantics::{Part, State};
use std::collections::BTreeSet;

/// The threads of one component in a product: a few by themselves, all others in one set.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ProductGroup {
    /// The local states of each thread that is told apart.
    pub slots: Vec<BTreeSet<u32>>,
    /// Those of every other thread.
    pub rest: BTreeSet<u32>,
}

/// A shared state, and which local states go together at it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedStates {
    /// What the threads share: the state without any thread's part.
    pub state: State,
    /// Members of crowds that it refers to: the crowd of each.
    pub roles: Vec<u32>,
    /// The products whose union it is: that of the sets first, unless it is empty; then the exceptions.
    pub products: Vec<Vec<ProductGroup>>,
}

/// An inductive set of states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CartesianProof {
    /// The functions whose threads are not told apart.
    pub crowds: Vec<FunctionId>,
    /// How many threads each of those has; `None` for any number.
    pub bound: Option<u64>,
    /// The shared states.
    pub shared: Vec<SharedStates>,
    /// The local states by class: those of each individual, then those of each crowd.
    pub locals: Vec<Vec<Part>>,
}

impl CartesianProof {
    /// How many products it has.
    pub fn products(&self) -> usize {
        self.shared.iter().map(|shared| shared.products.len()).sum()
    }
}
