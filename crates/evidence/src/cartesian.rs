//! Proofs of the engine `cartesian`, and their checker.
//!
//! A proof is an inductive set of states, written as a union of products for every shared state: which local states of
//! the threads go together there. It names states by numbers, in the order in which the checker comes to them when it
//! steps from the beginning through the local states that the products name; so a file holds no states, and none can be
//! made up. [`certify`] takes every step of every local state anew by the concrete semantics, and shows that what comes
//! of it is in the set and that nothing in the set fails. It shares `program` and the facts of `analysis` with the
//! engine, and no code.

mod checker;
mod private;
mod steps;
mod system;
mod text;
mod translate;

use selvedge_program::semantics::{Part, State};
use selvedge_program::{Exhausted, FunctionId};
use std::collections::BTreeSet;
use thiserror::Error;

pub use checker::{certify, is_for_any_number};

/// What a member of a crowd calls itself in its local states.
pub const SELF: selvedge_program::ThreadIndex = selvedge_program::ThreadIndex(u32::MAX);

/// The number of the local state of a member of a crowd that does not run.
pub const IDLE: u32 = 0;

/// The threads of one component in a product: a few by themselves, all others in one set.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ProductGroup {
    /// The local states of each thread that is told apart.
    pub slots: Vec<BTreeSet<u32>>,
    /// Those of every other thread.
    pub rest: BTreeSet<u32>,
}

/// A set of local states for every thread, by component: individuals, members of crowds that the shared state refers to,
/// crowds.
pub type Product = Vec<ProductGroup>;

/// An inductive set of states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CartesianProof {
    /// The functions whose threads are not told apart.
    pub crowds: Vec<FunctionId>,
    /// How many threads each of those has; `None` for any number.
    pub bound: Option<u64>,
    /// By shared state: the products whose union it is.
    pub shared: Vec<Vec<Product>>,
}

impl CartesianProof {
    /// How many products it has.
    pub fn products(&self) -> usize {
        self.shared.iter().map(Vec::len).sum()
    }
}

/// A shared state, and which local states go together at it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedStates {
    /// What the threads share: the state without any thread's part, individuals first, then roles.
    pub state: State,
    /// Members of crowds that it refers to: the crowd of each.
    pub roles: Vec<u32>,
    /// The products whose union it is.
    pub products: Vec<Product>,
}

/// The same set as an engine has it, with the states themselves: what [`CartesianProof::of`] makes a proof of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateSets {
    /// The functions whose threads are not told apart.
    pub crowds: Vec<FunctionId>,
    /// How many threads each of those has; `None` for any number.
    pub bound: Option<u64>,
    /// The shared states.
    pub shared: Vec<SharedStates>,
    /// The local states of each individual.
    pub individuals: Vec<Vec<Part>>,
    /// The local states of each crowd, [`IDLE`] first.
    pub members: Vec<Vec<Part>>,
}

/// Why a proof is not accepted.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Rejected {
    /// It does not fit the program.
    #[error("it does not fit the program: {0}")]
    Malformed(String),
    /// A step leads out of the set.
    #[error("the set is not inductive: a step from shared state {from} leads out of it")]
    NotInductive {
        /// From where.
        from: usize,
    },
    /// The program begins outside of the set.
    #[error("the program begins with a state that is not in the set")]
    Beginning,
    /// There was no time to check it.
    #[error(transparent)]
    Exhausted(#[from] Exhausted),
    /// The set contains an error.
    #[error("the set contains an error at shared state {at}: {what}")]
    Unsafe {
        /// Where.
        at: usize,
        /// What.
        what: String,
    },
}
