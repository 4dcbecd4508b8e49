//! The engine in the shape that all engines have.

use selvedge_analysis::{Facts, Threads};
use selvedge_evidence::{Answer, Engine, Entry, Findings, InternalError, Task};
use selvedge_program::{Budget, Progress, Property};

use crate::engine::{Options, answers, check};

/// Its name.
pub const NAME: &str = "symmetric";

/// What it does, in a line.
pub const ABOUT: &str = "Any number of equal threads, with predicates that mix what is shared and what is theirs";

/// The engine, asked about what it answers.
pub fn engine(task: &Task) -> Box<dyn Engine> {
    let Task { properties, race_on, .. } = task.limited_to(answers);
    Box::new(Symmetric(Options { properties, race_on }))
}

#[derive(Debug)]
struct Symmetric(Options);

impl Engine for Symmetric {
    fn name(&self) -> &'static str {
        NAME
    }

    fn properties(&self) -> &[Property] {
        &self.0.properties
    }

    /// Most programs are settled without it.
    fn entry(&self) -> Entry {
        Entry::Reserve
    }

    fn is_made_for(&self, facts: &Facts) -> bool {
        facts.threads().is_ok_and(Threads::are_without_number)
    }

    fn check(
        &self,
        facts: &Facts,
        budget: &Budget,
        progress: &mut dyn Progress,
        findings: &dyn Findings,
    ) -> Result<Answer, InternalError> {
        check(facts, &self.0, budget, progress, findings)
    }
}
