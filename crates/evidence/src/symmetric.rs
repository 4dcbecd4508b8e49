//! Symmetric proofs, for any number of threads, and their checker.
//!
//! A proof is a set of *bad configurations*: what some threads must not be about to do together. A configuration names
//! one or more threads, each by its place, and says what holds of the shared cells and of each of these threads,
//! whatever other threads there are. (In the words of paper 004: the minimal elements of an upward-closed set of states
//! of the Boolean broadcast program.) The set is a proof if no configuration in it holds at the beginning, every error
//! that is claimed not to happen is among them, and it is closed under steps backwards: whatever step leads into one of
//! them came from one of them. So no error is ever reached.
//!
//! That is asked of the program's symbolic semantics with as many threads as the configuration has, and one more: the
//! active thread is *own*, the others are passive, and what a step writes that all share changes what holds of the
//! passive ones. Where it matters how many threads there are, a configuration also says how many threads are at certain
//! places (`count.rs`), which control alone decides. The checker knows nothing of the engine that found the proof, and trusts no abstract program.

mod checker;
pub mod configuration;
pub mod count;
pub mod moves;
pub mod stage;
mod text;

use selvedge_analysis::AbstractObject;
use selvedge_program::{Budget, CheckId, Exhausted, FunctionId, Program};
use selvedge_symbolic::Predicate;
use selvedge_symbolic::threads::{Universe, View};
use thiserror::Error;

use crate::modular::Shown;
use count::Fewer;
use stage::Stage;

/// A thread of a configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadThread {
    /// The function that it began with, and the number of its place.
    pub entry: FunctionId,
    pub place: u32,
    /// Each of these holds of it, or does not.
    pub literals: Vec<(Predicate, bool)>,
}

/// What must not be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadConfiguration {
    /// Each of these holds of the shared cells, or does not.
    pub shared: Vec<(Predicate, bool)>,
    /// And so many threads are at certain places, or not.
    pub counts: Vec<(Fewer, bool)>,
    /// Different threads; there may be more.
    pub threads: Vec<BadThread>,
}

/// A proof: configurations that are never reached.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SymmetricProof {
    pub bad: Vec<BadConfiguration>,
}

/// Why a proof does not count.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Refusal {
    #[error("the program is not of the kind that such proofs are about: {0}")]
    Unfit(&'static str),
    #[error("it speaks of something that is not in the program")]
    Foreign,
    #[error("something bad holds initially")]
    Initially,
    #[error("a step of `{0}` leads to something bad")]
    Step(String),
    #[error("what is not modelled is not excluded: {0}")]
    Unsupported(String),
    #[error("an assertion may fail")]
    Assertion(CheckId),
    #[error("undefined behaviour is not excluded")]
    Undefined,
    #[error("a race is not excluded")]
    Race(Option<AbstractObject>),
    #[error("there was no time to check it: {0}")]
    Exhausted(Exhausted),
    #[error("internal error: {0}")]
    Internal(String),
}

impl From<selvedge_logic::Error> for Refusal {
    fn from(error: selvedge_logic::Error) -> Self {
        Refusal::Internal(error.to_string())
    }
}

/// Checks a proof.
///
/// # Errors
/// When it does not show what it is to show, or the budget is used up.
pub fn certify(program: &Program, proof: &SymmetricProof, shown: &Shown<'_>, budget: &Budget) -> Result<(), Refusal> {
    let universe = Universe::of(program, || budget.exhausted().is_none());
    let universe = universe.map_err(|_| Refusal::Unfit("its threads cannot be unfolded"))?;
    let view = View::new(universe.ok_or_else(|| Refusal::Exhausted(budget.stopped_by()))?);
    let stage = Stage::new(view).map_err(Refusal::Unfit)?;
    checker::check(stage, proof, shown, budget)
}
