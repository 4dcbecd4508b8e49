//! Thread-modular proofs, and their checker.
//!
//! A proof says for every place of every thread what may hold there: a disjunction of conjunctions of predicates over
//! the shared cells and the thread's own registers, each with the templates of which no thread has been started. It
//! is checked like a proof by Owicki and Gries: what is said holds at the beginning, every step of a thread keeps it,
//! so does every step of any other thread from where that one may be, and nothing that is claimed not to happen is
//! possible where it is said to be. The number of threads does not matter.
//!
//! The checker knows the program, its symbolic semantics and the solver, and nothing of the engine that found the
//! proof.

mod annotations;
mod checker;
mod claims;
pub mod obligations;
mod places;
mod text;

use std::collections::{BTreeMap, BTreeSet};

use selvedge_analysis::AbstractObject;
use selvedge_program::{Budget, CheckId, EdgeId, Exhausted, FunctionId, Program, RegisterId, Undefined};
use selvedge_symbolic::threads::{Thing, Universe, View};
use selvedge_symbolic::{Predicate, Tag};
use thiserror::Error;

pub use crate::file::lines::Unreadable;
pub use annotations::Annotation;
pub use claims::{Claim, Claims};
use obligations::{Answers, Asked};

/// What may hold at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Possible {
    /// No thread of these has been started.
    pub unstarted: BTreeSet<FunctionId>,
    /// Each of these holds, or does not.
    pub literals: Vec<(Predicate, bool)>,
}

/// A proof: for every place that is reached, what may hold there.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ModularProof {
    /// By the function that the thread runs, and the number of the place.
    pub places: BTreeMap<(FunctionId, u32), Vec<Possible>>,
    /// Where something goes wrong at an edge, the one allocation that stands for all of its site is what this
    /// register points to. (It may be chosen when the error is known: where an assertion fails, whatever the register;
    /// where something is wrong with an allocation, it must be that one.)
    pub witnesses: BTreeMap<(FunctionId, EdgeId), RegisterId>,
}

impl ModularProof {
    /// How many conjunctions it has.
    pub fn conjunctions(&self) -> usize {
        self.places.values().map(Vec::len).sum()
    }
}

/// What a proof is to show.
pub struct Shown<'a> {
    pub assertions: &'a dyn Fn(CheckId) -> bool,
    pub races: &'a dyn Fn(AbstractObject) -> bool,
    pub undefined: &'a dyn Fn(Undefined) -> bool,
}

impl std::fmt::Debug for Shown<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Shown").finish_non_exhaustive()
    }
}

/// Why a proof does not count.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Refusal {
    #[error("the threads of the program cannot be unfolded")]
    Unfolding,
    #[error("it speaks of something that is not in the program")]
    Foreign,
    #[error("what is said of the first place does not hold initially")]
    Initially,
    #[error("a step of `{0}` does not keep what is said")]
    Step(String),
    #[error("a step of `{0}` starts a thread in a state that is not said to be possible")]
    Start(String),
    #[error("a step of `{other}` changes what is said of `{thread}`")]
    Interference { thread: String, other: String },
    #[error("what is not modelled is not excluded: {0}")]
    Unsupported(String),
    #[error("an assertion may fail")]
    Assertion(CheckId),
    #[error("undefined behaviour is not excluded")]
    Undefined,
    #[error("a race is not excluded")]
    Race(AbstractObject),
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

/// What the object behind a tag is called.
pub fn abstracted(universe: &Universe<'_>, tag: Tag) -> Option<AbstractObject> {
    Some(match universe.thing(tag)? {
        Thing::Static(id) | Thing::ThreadLocal(id) => AbstractObject::Static(id),
        Thing::Frame(function, slot) => AbstractObject::Frame(function, slot),
        Thing::Site(site) | Thing::One(site) => AbstractObject::Site(site),
        Thing::Thread => AbstractObject::Thread,
        Thing::Function(function) => AbstractObject::Function(function),
    })
}

/// Checks a proof.
///
/// # Errors
/// When it does not show what it is to show, or the budget is used up.
pub fn certify(program: &Program, proof: &ModularProof, shown: &Shown<'_>, budget: &Budget) -> Result<(), Refusal> {
    check(program, proof, shown, budget, &mut Asked::new(budget))
}

/// Checks a proof with the help of somebody who answers questions.
fn check(
    program: &Program,
    proof: &ModularProof,
    shown: &Shown<'_>,
    budget: &Budget,
    answers: &mut dyn Answers,
) -> Result<(), Refusal> {
    let universe =
        Universe::with_recursion(program, || budget.exhausted().is_none()).map_err(|_| Refusal::Unfolding)?;
    let view = View::new(universe.ok_or_else(|| Refusal::Exhausted(budget.stopped_by()))?);
    let mut literals = proof.places.values().flatten().flat_map(|possible| &possible.literals);
    if !literals.all(|(predicate, _)| predicate.fits(program)) {
        return Err(Refusal::Foreign);
    }
    let is_place = |(entry, node): &(FunctionId, u32)| {
        let template = view.universe.template_of(*entry);
        template.is_some_and(|template| (*node as usize) < view.universe.unfolded(template).nodes.len())
    };
    if !proof.places.keys().all(is_place) {
        return Err(Refusal::Foreign);
    }
    checker::check(view, proof, shown, answers)
}
