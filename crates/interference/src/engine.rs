//! The engine's entry point and its options.

use crate::refine::Mode;
use selvedge_evidence::{Answer, Findings, Gap, InternalError};
use selvedge_program::{Budget, Program, Progress, Property, Span};

/// How often loops may go round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unwind {
    /// Ever more often, until there is a verdict, a proof, or no time.
    #[default]
    Auto,
    /// So often.
    Exactly(u32),
}

/// Two lines of one file between which no other thread may interfere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AtomicLines {
    /// The file, as the user calls it; `None` if the program has only one.
    pub file: Option<String>,
    /// The line of the first access.
    pub first: u32,
    /// The line of the second.
    pub second: u32,
}

/// What to check and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The properties to be checked.
    pub properties: Vec<Property>,
    /// If given, only races on the object with this name count.
    pub race_on: Option<String>,
    /// How often loops may go round.
    pub unwind: Unwind,
    /// How the abstraction is refined.
    pub mode: Mode,
    /// How many threads of one function may be alive at a time; a start beyond that is cut off.
    pub threads: Option<usize>,
    /// Accesses that are to be atomic together.
    pub atomic: Vec<AtomicLines>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            properties: vec![Property::Assertion, Property::Race, Property::Deadlock, Property::Memory],
            race_on: None,
            unwind: Unwind::Auto,
            mode: Mode::Mixed,
            threads: None,
            atomic: Vec::new(),
        }
    }
}

/// Checks a program. It must be well-formed, see [`Program::validate`].
///
/// # Errors
/// Only for mistakes of the engine's own.
pub fn check(
    _program: &Program,
    _options: &Options,
    _budget: &Budget,
    _progress: &mut dyn Progress,
    _findings: &dyn Findings,
) -> Result<Answer, InternalError> {
    let message = "the interference engine is not built yet".to_owned();
    Ok(Answer { gaps: vec![Gap::Inapplicable { span: Span::NOWHERE, message }], ..Answer::default() })
}
