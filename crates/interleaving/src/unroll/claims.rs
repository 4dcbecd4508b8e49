//! What a bounded program is asked: the goals of its skeleton, in the words of the program.

use rustc_hash::FxHashMap;
use selvedge_analysis::AbstractObject;
use selvedge_evidence::{Gap, Subject};
use selvedge_program::{FunctionId, LocationId};

use super::path::Failure;
use crate::skeleton::{CellId, Goal, Moment};

/// What a goal means.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Claim {
    /// This is violated.
    Violation(Subject),
    /// An execution comes to something that was left out; where a loop would go on, to its head.
    Gap { gap: Gap, head: Option<(FunctionId, LocationId)> },
}

impl Claim {
    /// Something was left out that has nothing to do with loops.
    pub fn left_out(gap: Gap) -> Self {
        Claim::Gap { gap, head: None }
    }

    /// What is violated.
    pub fn subject(&self) -> Option<Subject> {
        match self {
            Claim::Violation(subject) => Some(*subject),
            Claim::Gap { .. } => None,
        }
    }
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
        let asked = self.entry(Claim::Violation(Subject::Race(object)), || Goal::Race(Vec::new()));
        if let Goal::Race(cells) = &mut asked.goal {
            cells.push(cell);
        }
    }

    pub fn deadlock(&mut self) {
        self.entry(Claim::Violation(Subject::Deadlock), || Goal::Deadlock);
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
