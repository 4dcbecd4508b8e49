//! The report as a tree of plain types: what terminal, JSON, SARIF and HTML are made from.
//!
//! It is built once, from the judgement ([`build`]), and knows nothing of the program model: places are file names and
//! lines, values are words. Its JSON is the published one (`docs/json.md`), and `docs/report.schema.json` is generated
//! from these types.

mod build;

pub use build::report;

#[cfg(test)]
use schemars::JsonSchema;
use selvedge_program::{Sources, Span};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What `selvedge check` has to say.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Report {
    /// That of the worst check, in the order safe, bounded, unknown, unsafe.
    pub verdict: Word,
    /// For `bounded` and `unknown`: the first reason, in a sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// For `bounded` and `unknown`: what one can do about it, in sentences.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub advice: Vec<String>,
    /// All checks, in the order of properties and places.
    pub checks: Vec<Check>,
    /// What holds for every verdict, such as paths that end at undefined behaviour nobody asked about.
    pub notes: Vec<Remark>,
    /// What makes the verdicts say less than one may think, such as threads that no execution starts.
    pub warnings: Vec<Remark>,
    /// Where executions end because the program is undefined, as far as that is known.
    pub undefined: Vec<Remark>,
    /// What was taken for granted about this program, in sentences.
    pub assumed: Vec<String>,
    /// What always holds at lines of the program, where a proof is made of that.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub invariants: Vec<Invariant>,
    /// What became of the violations on the compiled program, where `--replay` asked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub replays: Vec<NativeReplay>,
    /// The answer to a property file, where one was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub specification: Option<Specification>,
    /// What the engines took.
    pub statistics: Statistics,
    /// Engines that failed, in sentences; nothing they proved counts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub internal_errors: Vec<String>,
    /// Selvedge's version.
    pub version: String,
}

/// The answer to a property file of the competition on software verification.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Specification {
    /// `true`, `false(…)` with the name of what is violated, or `unknown`.
    pub result: String,
    /// For `unknown`: why, in sentences.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<String>,
    /// What the task definition expects the result to be, if it says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<String>,
}

/// What became of a violation on the compiled program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct NativeReplay {
    /// What is violated, in one line.
    pub violation: String,
    /// The kind of violation: `assertion`, `race`, `deadlock`, `livelock`, `interference` or `undefined`.
    pub kind: String,
    /// Whether the compiled program has shown it.
    pub reproduced: bool,
    /// What it has shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shown: Option<String>,
    /// Why it has not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Whether ThreadSanitizer has confirmed the race, where that was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirmed: Option<bool>,
}

/// A verdict in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Word {
    /// It holds in every execution.
    Safe,
    /// It is violated.
    Unsafe,
    /// It holds in what was covered.
    Bounded,
    /// No answer.
    Unknown,
}

impl Word {
    /// As it is written.
    pub fn text(self) -> &'static str {
        match self {
            Word::Safe => "safe",
            Word::Unsafe => "unsafe",
            Word::Bounded => "bounded",
            Word::Unknown => "unknown",
        }
    }
}

/// What kind of thing is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Property {
    /// No assertion fails.
    Assertion,
    /// No data race.
    Race,
    /// No deadlock.
    Deadlock,
    /// No undefined behaviour.
    Memory,
    /// No interference between two lines.
    Atomicity,
    /// No signed overflow.
    Overflow,
    /// No livelock.
    Livelock,
}

impl Property {
    /// As it is written.
    pub fn text(self) -> &'static str {
        match self {
            Property::Assertion => "assertion",
            Property::Race => "race",
            Property::Deadlock => "deadlock",
            Property::Memory => "memory",
            Property::Atomicity => "atomicity",
            Property::Overflow => "overflow",
            Property::Livelock => "livelock",
        }
    }
}

impl From<selvedge_program::Property> for Property {
    fn from(property: selvedge_program::Property) -> Self {
        match property {
            selvedge_program::Property::Assertion => Property::Assertion,
            selvedge_program::Property::Race => Property::Race,
            selvedge_program::Property::Deadlock => Property::Deadlock,
            selvedge_program::Property::Memory => Property::Memory,
            selvedge_program::Property::Atomicity => Property::Atomicity,
            selvedge_program::Property::Overflow => Property::Overflow,
            selvedge_program::Property::Livelock => Property::Livelock,
        }
    }
}

/// One check and its verdict.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Check {
    /// What kind of thing is checked.
    pub property: Property,
    /// What is checked, in words.
    pub description: String,
    /// Where; `null` for what concerns the whole program.
    pub location: Option<Location>,
    /// Whose evidence it is; for `bounded`, who covered the bound; for `unknown`, whose reasons are given.
    pub engine: String,
    /// For races: the object.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub object: Option<String>,
    /// For races, where facts alone say something of it: what keeps the accesses apart, or how nearly.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub protection: Option<String>,
    /// For races on a struct that is not safe as a whole: its fields that several threads access, one by one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<FieldCheck>,
    /// The verdict, with what it stands on.
    #[serde(flatten)]
    pub outcome: Outcome,
}

/// The verdict on races on one field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct FieldCheck {
    /// What it is called.
    pub name: String,
    /// The verdict.
    pub verdict: Word,
    /// What keeps the accesses apart, or how nearly.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub protection: Option<String>,
    /// For `safe`: what of its certificate stands on trust, if anything does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on_trust: Option<String>,
}

/// The verdict on a check, with what it stands on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(tag = "verdict", rename_all = "lowercase")]
pub enum Outcome {
    /// It holds in every execution.
    Safe {
        /// What that stands on, in words.
        certificate: String,
        /// How far the certificate was checked, in words.
        standing: String,
        /// What of it is taken on the engine's word, if something is.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        on_trust: Option<String>,
        /// Whether the program has nothing of the kind.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        vacuous: bool,
        /// Where the program is undefined, so that this holds only as far as it is defined.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        as_far_as_defined: Vec<Remark>,
    },
    /// It is violated, like this.
    Unsafe(Violation),
    /// It holds in what was covered, and nothing is claimed beyond.
    Bounded {
        /// What was covered, in words.
        covered: String,
        /// What was not.
        reasons: Vec<Remark>,
    },
    /// No answer.
    Unknown {
        /// Why not.
        reasons: Vec<Remark>,
    },
}

impl Check {
    /// The verdict in one word.
    pub fn word(&self) -> Word {
        match self.outcome {
            Outcome::Safe { .. } => Word::Safe,
            Outcome::Unsafe(_) => Word::Unsafe,
            Outcome::Bounded { .. } => Word::Bounded,
            Outcome::Unknown { .. } => Word::Unknown,
        }
    }

    /// How it is violated, if it is.
    pub fn violation(&self) -> Option<&Violation> {
        match &self.outcome {
            Outcome::Unsafe(violation) => Some(violation),
            Outcome::Safe { .. } | Outcome::Bounded { .. } | Outcome::Unknown { .. } => None,
        }
    }

    /// What of its certificate is taken on the engine's word.
    pub fn on_trust(&self) -> Option<&str> {
        match &self.outcome {
            Outcome::Safe { on_trust, .. } => on_trust.as_deref(),
            Outcome::Unsafe(_) | Outcome::Bounded { .. } | Outcome::Unknown { .. } => None,
        }
    }

    /// Why it is bounded or unknown.
    pub fn reasons(&self) -> &[Remark] {
        match &self.outcome {
            Outcome::Bounded { reasons, .. } | Outcome::Unknown { reasons } => reasons,
            Outcome::Safe { .. } | Outcome::Unsafe(_) => &[],
        }
    }

    /// Whether there is nothing of the kind in the program.
    pub fn is_vacuous(&self) -> bool {
        matches!(self.outcome, Outcome::Safe { vacuous: true, .. })
    }

    /// Whether it is safe only as far as the program is defined.
    pub fn is_qualified(&self) -> bool {
        matches!(&self.outcome, Outcome::Safe { as_far_as_defined, .. } if !as_far_as_defined.is_empty())
    }
}

/// A violation and the schedule that leads to it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Violation {
    /// What is wrong, in one line.
    pub message: String,
    /// The places concerned; for a race both accesses. The first is the principal one.
    pub marks: Vec<Mark>,
    /// The threads of the schedule, in the order of their numbers: `thread 1 (worker)`.
    pub threads: Vec<String>,
    /// The schedule, in the order of time. The concrete semantics has replayed it.
    pub trace: Vec<Step>,
    /// Other pairs of accesses to the same object that were found to race, as far as it was looked for them; each has a
    /// schedule of its own, which is not shown.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub further: Vec<Vec<Mark>>,
}

/// A place that a violation is about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Mark {
    /// Where.
    pub location: Option<Location>,
    /// What happens there.
    pub text: String,
    /// The calls that the thread is within there, the innermost first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<Call>,
}

/// A call that is under way.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Call {
    /// The function that calls.
    pub function: String,
    /// Where.
    pub location: Option<Location>,
}

/// What a thread does on one line before it goes on to another, or another thread moves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Step {
    /// The number of the thread.
    pub thread: u32,
    /// The function that it is in.
    pub function: String,
    /// Where.
    pub location: Option<Location>,
    /// The line of the source.
    pub statement: String,
    /// What changes, as `name = value`, and what is read of shared variables, as `name is value`, or in words.
    pub changes: Vec<String>,
    /// The values among them, apart from their names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<Binding>,
    /// The locks that the thread holds afterwards.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub holds: Vec<String>,
    /// Whether this is only about to happen: the accesses of a race, the waits of a deadlock.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub pending: bool,
    /// Whether nothing that another thread may notice happens here; reports for people may leave it out.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub internal: bool,
    /// The same as the changes, with what one call of the library writes in a row told at once; empty where that is no
    /// shorter.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub in_short: Vec<String>,
    /// Whether a short form of the schedule has it: it accesses what the violation is about, starts, ends or waits for a
    /// thread, or calls what leads there.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub matters: bool,
}

/// A variable or a piece of memory with a value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Binding {
    /// Its name.
    pub name: String,
    /// Its value, as its type wants it.
    pub value: String,
}

/// What always holds when a thread is at a line.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Invariant {
    /// Where.
    pub location: Option<Location>,
    /// In which function.
    pub function: String,
    /// One of these holds; each is a condition that looks like C.
    pub alternatives: Vec<String>,
}

/// Something to be said, perhaps of a place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Remark {
    /// What.
    pub message: String,
    /// Where, if at some place.
    pub location: Option<Location>,
}

/// A place in a source file. Lines and columns count from 1, columns in bytes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Location {
    /// The file, as the compiler was given it.
    pub file: String,
    /// The line.
    pub line: u32,
    /// The first column.
    pub column: u32,
    /// How many bytes of the line.
    pub length: u32,
}

impl Location {
    /// The place of a span; `None` for nowhere.
    pub fn of(sources: &Sources, span: Span) -> Option<Location> {
        let file = || sources.name(span.file).to_owned();
        span.is_somewhere().then(|| Location {
            file: file(),
            line: span.line,
            column: span.column,
            length: span.length,
        })
    }
}

/// What the engines took.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Statistics {
    /// For each engine that ran to its end, its figures by their names.
    pub engines: BTreeMap<String, BTreeMap<String, Figure>>,
    /// Those of the engine `explicit` once more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub explicit: Option<BTreeMap<String, Figure>>,
}

/// A figure of what an engine took.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(untagged)]
pub enum Figure {
    /// A number of things, or of bytes.
    Count(u64),
    /// A ratio, or a time in seconds.
    Ratio(f64),
    /// Anything else.
    Words(String),
}

/// The report where there is no program to check.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Refusal {
    /// `"error"`.
    pub verdict: String,
    /// What is wrong.
    pub errors: Vec<Remark>,
    /// Selvedge's version.
    pub version: String,
}
