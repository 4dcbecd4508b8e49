//! Verdicts: per check, and for the program as a whole.

use crate::unknowns::{Guess, guesses};
use crate::{Certificate, Claim, Gap, Subject, Violation, object_at};
use selvedge_analysis::{AbstractObject, Field, Protection};
use selvedge_program::semantics::Event;
use selvedge_program::trace::{Replay, ReplayError, Trace, replay};
use selvedge_program::{FunctionId, Program, Property, Span};
use std::collections::BTreeMap;
use std::sync::Arc;
use thiserror::Error;

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

/// Why a violation is none.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CounterexampleError {
    /// The semantics does not accept its trace.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// It does, but the trace shows something else.
    #[error("the trace does not show a violation of {0:?}")]
    Beside(Subject),
}

/// A violation whose trace the concrete semantics has accepted step by step, and what it showed on the way.
#[derive(Clone, Debug)]
pub struct Counterexample {
    violation: Violation,
    replay: Replay,
    guesses: Vec<Guess>,
}

impl Counterexample {
    /// Replays the trace of a violation.
    ///
    /// # Errors
    /// When the semantics does not accept it, or it shows something else: then there is no counterexample.
    pub fn new(program: &Program, violation: Violation) -> Result<Self, CounterexampleError> {
        let mut replay = replay(program, &violation.trace)?;
        if violation.subject.is_shown_by(&violation.trace, &replay) {
            if let Subject::Race(object) = violation.subject {
                replay.races.retain(|race| object_at(&replay.state, race.first.spot) == Some(object));
            }
            let guesses = guesses(program, &violation.trace, &mut replay);
            Ok(Counterexample { violation, replay, guesses })
        } else {
            Err(CounterexampleError::Beside(violation.subject))
        }
    }

    /// What is violated.
    pub fn subject(&self) -> Subject {
        self.violation.subject
    }

    /// What it rests on that nobody knows: with any of it, it shows what may go wrong, and is no violation.
    pub fn guesses(&self) -> &[Guess] {
        &self.guesses
    }

    /// The schedule.
    pub fn trace(&self) -> &Trace {
        &self.violation.trace
    }

    /// How many threads that were started with the same function run at a time, at most.
    pub fn alike(&self) -> usize {
        let (mut functions, mut running) = (BTreeMap::new(), BTreeMap::<FunctionId, usize>::new());
        let mut most = 1;
        for event in self.replay().effects.iter().flat_map(|effects| &effects.events) {
            match event {
                Event::Started(thread, function) => {
                    functions.insert(*thread, *function);
                    let alike = running.entry(*function).or_default();
                    *alike += 1;
                    most = most.max(*alike);
                }
                Event::Finished(thread) => {
                    if let Some(alike) = functions.get(thread).and_then(|function| running.get_mut(function)) {
                        *alike -= 1;
                    }
                }
                Event::Allocated { .. }
                | Event::Freed(_)
                | Event::Forgotten(_)
                | Event::Called(_)
                | Event::Returned(_)
                | Event::Ended(_) => {}
            }
        }
        most
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
    Unsafe(Arc<Counterexample>),
    /// It holds in what was covered, and nothing is claimed beyond.
    Bounded {
        /// What was covered, in words.
        covered: String,
        /// What was not.
        reasons: Vec<Reason>,
    },
    /// No answer, for these reasons.
    Unknown(Vec<Reason>),
}

impl Verdict {
    /// The verdict in one word.
    pub fn word(&self) -> &'static str {
        match self {
            Verdict::Safe(_) => "safe",
            Verdict::Unsafe(_) => "unsafe",
            Verdict::Bounded { .. } => "bounded",
            Verdict::Unknown(_) => "unknown",
        }
    }

    /// Why it is bounded or unknown.
    pub fn reasons(&self) -> &[Reason] {
        match self {
            Verdict::Bounded { reasons, .. } | Verdict::Unknown(reasons) => reasons,
            Verdict::Safe(_) | Verdict::Unsafe(_) => &[],
        }
    }

    /// How much it weighs in the summary: the worst check decides.
    fn weight(&self) -> u32 {
        match self {
            Verdict::Safe(_) => 0,
            Verdict::Bounded { .. } => 1,
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
    /// What it is about; `None` if about all of the property.
    pub subject: Option<Subject>,
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

impl CheckResult {
    /// How the object that a race is about is protected, if something is known of that.
    pub fn protection<'a>(&self, judgement: &'a Judgement) -> Option<&'a Protection> {
        match self.subject? {
            Subject::Race(object) => judgement.protections.get(&object),
            Subject::FieldRace(..)
            | Subject::Assertion(_)
            | Subject::Deadlock
            | Subject::Livelock
            | Subject::Memory(..)
            | Subject::Atomicity(_) => None,
        }
    }

    /// What its certificate is to show, if it has one.
    pub fn claim(&self) -> Claim {
        self.subject.map_or(Claim::All(self.property), Claim::Of)
    }
}

/// The verdict on a field of an object that is not safe as a whole.
#[derive(Clone, Debug)]
pub struct FieldResult {
    /// The field.
    pub field: Field,
    /// Its name, to be put after the object's.
    pub name: String,
    /// What protects it, in the words of the proof or of the facts.
    pub protection: Option<Protection>,
    /// The answer.
    pub verdict: Verdict,
}

/// The verdicts on a program.
#[derive(Clone, Debug, Default)]
pub struct Judgement {
    /// All checks, in the order of properties and places.
    pub checks: Vec<CheckResult>,
    /// What holds for every verdict: paths that end at undefined behaviour nobody asked about, and the like.
    pub notes: Vec<Reason>,
    /// What makes the verdicts say less than the user may think: threads that are never started.
    pub warnings: Vec<Reason>,
    /// Where executions end because the program is undefined. C says nothing of what comes after, and so does no
    /// verdict but that on undefined behaviour itself: what is safe is safe as far as the program is defined.
    pub undefined: Vec<Reason>,
    /// How shared objects are protected, as far as facts alone say: beside the verdicts, for people.
    pub protections: BTreeMap<AbstractObject, Protection>,
    /// The verdicts on the fields of objects that are not safe as a whole.
    pub fields: BTreeMap<AbstractObject, Vec<FieldResult>>,
    /// What else was found of subjects that are violated, such as races of other accesses to the same object.
    pub further: BTreeMap<Subject, Vec<Arc<Counterexample>>>,
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

    /// Where the program is undefined, if that leaves less of a verdict on a property than it says.
    pub fn undefined_beside(&self, property: Property) -> &[Reason] {
        if property == Property::Memory { &[] } else { &self.undefined }
    }

    /// The checks of one property.
    pub fn of_property(&self, property: Property) -> impl Iterator<Item = &CheckResult> {
        self.checks.iter().filter(move |check| check.property == property)
    }
}
