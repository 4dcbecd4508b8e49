//! The engines, each in the shape in which the portfolio runs it.

use crate::CheckOptions;
use selvedge_evidence::{Answer, Findings, InternalError};
use selvedge_program::{Budget, Program, Progress, Property};

/// An engine with its options.
pub trait Engine: Sync {
    /// Its name, on the command line and in reports.
    fn name(&self) -> &'static str;

    /// The properties that it answers for. [`Scope::Rest`](selvedge_evidence::Scope::Rest) from this engine means all of these and no
    /// other.
    fn properties(&self) -> &[Property];

    /// Checks a program: tells what it finds while it works, and returns what it left out. It obeys the budget.
    ///
    /// # Errors
    /// Only for mistakes of its own.
    fn check(
        &self,
        program: &Program,
        budget: &Budget,
        progress: &mut dyn Progress,
        findings: &dyn Findings,
    ) -> Result<Answer, InternalError>;
}

/// The engines by name, in the order of preference: where two have evidence for the same check, the first one's is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EngineName {
    /// All schedules and choices, state by state.
    Explicit,
    /// Bounded checking with interference abstractions.
    Interference,
}

impl EngineName {
    /// All of them.
    pub const ALL: [EngineName; 2] = [EngineName::Explicit, EngineName::Interference];

    /// The engine, with what it takes from the options.
    pub fn with(self, options: &CheckOptions) -> Box<dyn Engine> {
        match self {
            EngineName::Explicit => Box::new(Explicit(selvedge_explicit::Options {
                properties: without_atomicity(&options.properties),
                race_on: options.race_on.clone(),
                thread_bound: options.threads,
                stop: selvedge_explicit::Stop::Never,
                ..selvedge_explicit::Options::default()
            })),
            EngineName::Interference => Box::new(Interference(selvedge_interference::Options {
                properties: options.properties.clone(),
                race_on: options.race_on.clone(),
                threads: options.threads,
                unwind: options.unwind,
                mode: options.mode,
                atomic: options.atomic.clone(),
            })),
        }
    }
}

/// What an engine is asked that does not look at the order of past steps.
fn without_atomicity(properties: &[Property]) -> Vec<Property> {
    properties.iter().copied().filter(|property| *property != Property::Atomicity).collect()
}

struct Explicit(selvedge_explicit::Options);

impl Engine for Explicit {
    fn name(&self) -> &'static str {
        "explicit"
    }

    fn properties(&self) -> &[Property] {
        &self.0.properties
    }

    fn check(
        &self,
        program: &Program,
        budget: &Budget,
        progress: &mut dyn Progress,
        findings: &dyn Findings,
    ) -> Result<Answer, InternalError> {
        selvedge_explicit::check(program, &self.0, budget, progress, findings)
    }
}

struct Interference(selvedge_interference::Options);

impl Engine for Interference {
    fn name(&self) -> &'static str {
        "interference"
    }

    fn properties(&self) -> &[Property] {
        &self.0.properties
    }

    fn check(
        &self,
        program: &Program,
        budget: &Budget,
        progress: &mut dyn Progress,
        findings: &dyn Findings,
    ) -> Result<Answer, InternalError> {
        selvedge_interference::check(program, &self.0, budget, progress, findings)
    }
}
