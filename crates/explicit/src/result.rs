//! What an exploration found, and what it left out.

use std::time::Duration;

use selvedge_analysis::AbstractObject;
use selvedge_program::trace::Trace;
use selvedge_program::{CheckId, EdgeId, Exhausted, FunctionId, Program, Property, Span, Undefined};
use thiserror::Error;

/// What is violated: each subject has its own verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Subject {
    /// This assertion.
    Assertion(CheckId),
    /// Races on this object.
    Race(AbstractObject),
    /// Deadlock.
    Deadlock,
    /// Undefined behaviour at this edge.
    Memory(FunctionId, EdgeId, Undefined),
}

impl Subject {
    /// The property it belongs to.
    pub fn property(self) -> Property {
        match self {
            Subject::Assertion(_) => Property::Assertion,
            Subject::Race(_) => Property::Race,
            Subject::Deadlock => Property::Deadlock,
            Subject::Memory(..) => Property::Memory,
        }
    }
}

/// A violation with its evidence, which the concrete semantics has replayed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// What is violated.
    pub subject: Subject,
    /// How.
    pub trace: Trace,
}

/// Why something was not explored. Only [`Cut::Undefined`] leaves the other answers complete: C gives such paths no meaning.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cut {
    /// A choice with too many possible answers.
    Choice {
        /// Where.
        span: Span,
        /// How many bits of it are free.
        bits: u32,
        /// Whether some answers were tried all the same.
        sampled: bool,
    },
    /// Something that is not modelled was reached.
    Unsupported {
        /// Where.
        span: Span,
        /// What.
        what: String,
    },
    /// Undefined behaviour that nobody asked about ended paths.
    Undefined {
        /// Where.
        span: Span,
        /// What.
        undefined: Undefined,
    },
    /// A thread would have been one too many.
    Threads {
        /// Where.
        span: Span,
        /// The thread's function.
        entry: FunctionId,
        /// The bound.
        bound: usize,
    },
    /// A limit was reached.
    Limit(Exhausted),
    /// So many states were stored.
    States(u64),
}

impl Cut {
    /// Whether something that has a meaning was left out.
    pub fn is_incomplete(&self) -> bool {
        !matches!(self, Cut::Undefined { .. })
    }

    /// Where, if at some place.
    pub fn span(&self) -> Option<Span> {
        match self {
            Cut::Choice { span, .. }
            | Cut::Unsupported { span, .. }
            | Cut::Undefined { span, .. }
            | Cut::Threads { span, .. } => Some(*span),
            Cut::Limit(_) | Cut::States(_) => None,
        }
    }

    /// The reason in words, without the place.
    pub fn message(&self, program: &Program) -> String {
        match self {
            Cut::Choice { bits, sampled: true, .. } => {
                format!("of a choice among 2^{bits} values only a few were tried")
            }
            Cut::Choice { bits, sampled: false, .. } => format!("a choice among 2^{bits} values was not explored"),
            Cut::Unsupported { what, .. } => what.clone(),
            Cut::Undefined { undefined, .. } => format!("paths end where the program {undefined}"),
            Cut::Threads { entry, bound, .. } => {
                let name = program.functions.get(entry.index()).map_or("?", |function| &function.name);
                format!("more than {bound} threads running `{name}` at a time were not explored")
            }
            Cut::Limit(limit) => limit.to_string(),
            Cut::States(states) => format!("the limit of {states} states was reached"),
        }
    }
}

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
    /// Stored states per second.
    pub fn states_per_second(&self) -> f64 {
        let seconds = self.time.as_secs_f64();
        if seconds > 0.0 { self.states as f64 / seconds } else { 0.0 }
    }
}

/// Whether the search looked at everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Coverage {
    /// Every state was explored, but for what the cuts say.
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
    Exhausted,
    /// None of the explored executions violates it; the cuts say what was left out.
    Open,
}

/// What an exploration found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exploration {
    /// One violation per subject, in the order of discovery.
    pub violations: Vec<Violation>,
    /// What was left out, sorted.
    pub cuts: Vec<Cut>,
    /// Whether the search looked at everything.
    pub coverage: Coverage,
    /// What it took.
    pub statistics: Statistics,
}

impl Exploration {
    /// Nothing was explored, for a reason.
    pub(crate) fn cut_short(reason: Cut) -> Self {
        Self {
            violations: Vec::new(),
            cuts: vec![reason],
            coverage: Coverage::Whole,
            statistics: Statistics::default(),
        }
    }

    /// Whether every execution with a defined meaning was explored.
    pub fn is_complete(&self) -> bool {
        self.coverage == Coverage::Whole && !self.cuts.iter().any(Cut::is_incomplete)
    }

    /// The answer to one subject.
    pub fn answer(&self, subject: Subject) -> Answer<'_> {
        match self.violations.iter().find(|violation| violation.subject == subject) {
            Some(violation) => Answer::Violated(violation),
            None if self.is_complete() => Answer::Exhausted,
            None => Answer::Open,
        }
    }

    /// The violations of one property.
    pub fn of_property(&self, property: Property) -> impl Iterator<Item = &Violation> {
        self.violations.iter().filter(move |violation| violation.subject.property() == property)
    }
}

/// A bug of ours: no verdict follows.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum InternalError {
    /// The semantics calls the program malformed.
    #[error("the program model is malformed: {0}")]
    Malformed(String),
    /// A trace that the semantics does not accept.
    #[error("a counterexample is not accepted by the concrete semantics: {0}")]
    Rejected(String),
}
