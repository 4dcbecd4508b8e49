//! What a bounded program is asked: the goals of its skeleton, in the words of the program.

use rustc_hash::FxHashMap;
use selvedge_analysis::AbstractObject;
use selvedge_evidence::AtomicLines;
use selvedge_program::{CheckId, EdgeId, FunctionId, LocationId, Span, Undefined};

use super::path::Failure;
use crate::skeleton::{CellId, Goal, Moment};

/// What was left out of the unrolling.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Gap {
    /// More iterations of the loop at this location.
    Loop { function: FunctionId, head: LocationId, span: Span, bound: u32 },
    /// Deeper recursion.
    Recursion { function: FunctionId, span: Span, bound: u32 },
    /// More threads running a function.
    Threads { function: FunctionId, span: Span, bound: usize },
    /// Something that is not modelled.
    Unsupported { span: Span, what: String },
}

/// What a goal means.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Claim {
    Assertion(CheckId),
    Memory(FunctionId, EdgeId, Undefined),
    Race(AbstractObject),
    Deadlock,
    Atomicity(AtomicLines),
    Gap(Gap),
}

/// A goal, where its moments stand in the program.
#[derive(Clone, Debug)]
pub struct Asked {
    pub claim: Claim,
    pub goal: Goal,
    /// By moment; empty for goals that are not moments.
    pub failures: Vec<Failure>,
}

/// The goals of a round, by claim.
#[derive(Debug, Default)]
pub struct Claims {
    asked: Vec<Asked>,
    places: FxHashMap<Claim, usize>,
}

impl Claims {
    /// A moment at which the claim is met.
    pub fn moment(&mut self, claim: Claim, moment: Moment, failure: Failure) {
        let asked = self.entry(claim, || Goal::Moments(Vec::new()));
        if let Goal::Moments(moments) = &mut asked.goal {
            moments.push(moment);
            asked.failures.push(failure);
        }
    }

    /// Races on a cell of an object.
    pub fn race(&mut self, object: AbstractObject, cell: CellId) {
        let asked = self.entry(Claim::Race(object), || Goal::Race(Vec::new()));
        if let Goal::Race(cells) = &mut asked.goal {
            cells.push(cell);
        }
    }

    pub fn deadlock(&mut self) {
        self.entry(Claim::Deadlock, || Goal::Deadlock);
    }

    fn entry(&mut self, claim: Claim, goal: impl FnOnce() -> Goal) -> &mut Asked {
        let place = *self.places.entry(claim.clone()).or_insert_with(|| {
            self.asked.push(Asked { claim, goal: goal(), failures: Vec::new() });
            self.asked.len() - 1
        });
        &mut self.asked[place]
    }

    pub fn into_asked(self) -> Vec<Asked> {
        self.asked
    }
}
