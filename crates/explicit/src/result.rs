//! What an exploration found, and what it left out.

use std::time::Duration;

use selvedge_evidence::Figure;
use selvedge_program::Property;

pub use selvedge_evidence::{Gap, InternalError, Subject, Violation};

/// What the exploration took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// States stored.
    pub states: u64,
    /// Transitions between stored states, those to known ones included.
    pub transitions: u64,
    /// Steps of the semantics that were taken.
    pub steps: u64,
    /// The number of transitions to the farthest state.
    pub depth: u64,
    /// The most bytes kept at a time, estimated.
    pub memory: u64,
    /// The time.
    pub time: Duration,
}

impl Statistics {
    /// The figures for a report.
    pub fn figures(&self) -> Vec<(&'static str, Figure)> {
        vec![
            ("states", Figure::Count(self.states)),
            ("transitions", Figure::Count(self.transitions)),
            ("steps", Figure::Count(self.steps)),
            ("depth", Figure::Level(self.depth)),
            ("memory", Figure::Bytes(self.memory)),
            ("seconds", Figure::Time(self.time)),
        ]
    }

    /// Stored states per second.
    pub fn states_per_second(&self) -> f64 {
        let seconds = self.time.as_secs_f64();
        if seconds > 0.0 { self.states as f64 / seconds } else { 0.0 }
    }
}

/// Whether the search looked at everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Coverage {
    /// Every state was explored, but for what the gaps say.
    Whole,
    /// The search stopped early because enough was found.
    Stopped,
}

/// The answer to one subject.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer<'a> {
    /// It is violated.
    Violated(&'a Violation),
    /// All executions were explored and none violates it.
    Holds,
    /// None of the explored executions violates it; the gaps say what was left out.
    Open,
}

/// What an exploration found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exploration {
    /// One violation per subject, in the order of discovery.
    pub violations: Vec<Violation>,
    /// What was left out, sorted.
    pub gaps: Vec<Gap>,
    /// Whether the search looked at everything.
    pub coverage: Coverage,
    /// What it took.
    pub statistics: Statistics,
}

impl Exploration {
    /// Nothing was explored, for a reason.
    pub(crate) fn cut_short(reason: Gap) -> Self {
        Self {
            violations: Vec::new(),
            gaps: vec![reason],
            coverage: Coverage::Whole,
            statistics: Statistics::default(),
        }
    }

    /// Whether every execution with a defined meaning was explored.
    pub fn is_complete(&self) -> bool {
        self.coverage == Coverage::Whole && !self.gaps.iter().any(Gap::is_incomplete)
    }

    /// The answer to one subject.
    pub fn answer(&self, subject: Subject) -> Answer<'_> {
        match self.violations.iter().find(|violation| violation.subject == subject) {
            Some(violation) => Answer::Violated(violation),
            None if self.is_complete() => Answer::Holds,
            None => Answer::Open,
        }
    }

    /// The violations of one property.
    pub fn of_property(&self, property: Property) -> impl Iterator<Item = &Violation> {
        self.violations.iter().filter(move |violation| violation.subject.property() == property)
    }
}
