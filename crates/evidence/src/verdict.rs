//! Verdicts: per check, and for the program as a whole.

use crate::{Certificate, Gap};
use selvedge_program::trace::{Replay, ReplayError, Trace, replay};
use selvedge_program::{Program, Property, Span};

/// Why something was not covered, in a sentence the user can act on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reason {
    /// Where; `Span::NOWHERE` if at no line in particular.
    pub span: Span,
    /// What.
    pub message: String,
}

impl Reason {
    /// The reason that a gap is.
    pub fn of(program: &Program, gap: &Gap) -> Self {
        Reason { span: gap.span().unwrap_or(Span::NOWHERE), message: gap.message(program) }
    }
}

/// A trace that the concrete semantics has accepted step by step, and what it showed on the way.
#[derive(Clone, Debug)]
pub struct Counterexample {
    trace: Trace,
    replay: Replay,
}

impl Counterexample {
    /// Replays a trace.
    ///
    /// # Errors
    /// When the semantics does not accept it: then there is no counterexample.
    pub fn new(program: &Program, trace: Trace) -> Result<Self, ReplayError> {
        let replay = replay(program, &trace)?;
        Ok(Counterexample { trace, replay })
    }

    /// The schedule.
    pub fn trace(&self) -> &Trace {
        &self.trace
    }

    /// What the semantics says of it.
    pub fn replay(&self) -> &Replay {
        &self.replay
    }
}

/// The answer to one check.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// It holds in every execution.
    Safe(Certificate),
    /// It is violated, like this.
    Unsafe(Box<Counterexample>),
    /// It holds in what was explored; this was not.
    Bounded(Vec<Reason>),
    /// No answer, for these reasons.
    Unknown(Vec<Reason>),
}

impl Verdict {
    /// The verdict in one word.
    pub fn word(&self) -> &'static str {
        match self {
            Verdict::Safe(_) => "safe",
            Verdict::Unsafe(_) => "unsafe",
            Verdict::Bounded(_) => "bounded",
            Verdict::Unknown(_) => "unknown",
        }
    }

    /// Why it is bounded or unknown.
    pub fn reasons(&self) -> &[Reason] {
        match self {
            Verdict::Bounded(reasons) | Verdict::Unknown(reasons) => reasons,
            Verdict::Safe(_) | Verdict::Unsafe(_) => &[],
        }
    }

    /// How much it weighs in the summary: the worst check decides.
    fn weight(&self) -> u32 {
        match self {
            Verdict::Safe(_) => 0,
            Verdict::Bounded(_) => 1,
            Verdict::Unknown(_) => 2,
            Verdict::Unsafe(_) => 3,
        }
    }
}

/// One check and its verdict.
#[derive(Clone, Debug)]
pub struct CheckResult {
    /// The property it belongs to.
    pub property: Property,
    /// The object that a race is about.
    pub object: Option<String>,
    /// What is checked, in words.
    pub description: String,
    /// Where; `Span::NOWHERE` for what concerns the whole program.
    pub span: Span,
    /// The answer.
    pub verdict: Verdict,
    /// Who found it.
    pub engine: &'static str,
}

/// The verdicts on a program.
#[derive(Clone, Debug, Default)]
pub struct Judgement {
    /// All checks, in the order of properties and places.
    pub checks: Vec<CheckResult>,
    /// What holds for every verdict: paths that end at undefined behaviour nobody asked about, and the like.
    pub notes: Vec<Reason>,
}

impl Judgement {
    /// The check that decides the program's verdict; `None` if nothing was checked.
    pub fn decisive(&self) -> Option<&CheckResult> {
        self.checks.iter().rev().max_by_key(|check| check.verdict.weight())
    }

    /// The program's verdict in one word: that of its worst check.
    pub fn word(&self) -> &'static str {
        self.decisive().map_or("safe", |check| check.verdict.word())
    }

    /// The checks of one property.
    pub fn of_property(&self, property: Property) -> impl Iterator<Item = &CheckResult> {
        self.checks.iter().filter(move |check| check.property == property)
    }
}
