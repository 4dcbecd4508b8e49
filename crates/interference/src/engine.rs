//! The engine's entry point and its options.

use crate::refine::Mode;
use selvedge_evidence::{Answer, AtomicLines, Findings, Gap, InternalError};
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
    /// Accesses that are to be atomic together, if that is among the properties.
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
