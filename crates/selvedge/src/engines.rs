//! The engines, each in the shape in which the portfolio runs it.

use crate::CheckOptions;
use selvedge_analysis::{Facts, Replication};
use selvedge_cartesian::{CheckedBy, Replicas};
use selvedge_evidence::{Answer, Findings, Gap, InternalError};
use selvedge_program::{Budget, Progress, Property, Span};

/// When an engine starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Entry {
    /// At once.
    #[default]
    AtOnce,
    /// When the others have had some time.
    Reserve,
}

/// An engine with its options.
pub trait Engine: Send + Sync {
    /// Its name, on the command line and in reports.
    fn name(&self) -> &'static str;

    /// The properties that it answers for. [`Scope::Rest`](selvedge_evidence::Scope::Rest) from this engine means all of these and no
    /// other.
    fn properties(&self) -> &[Property];

    /// When it starts.
    fn entry(&self) -> Entry {
        Entry::AtOnce
    }

    /// Whether a program is of the kind for which a reserve is to start soon. Asked for when others have run a while.
    fn is_made_for(&self, _facts: &Facts) -> bool {
        false
    }

    /// Checks the program of these facts: tells what it finds while it works, and returns what it left out. It obeys the budget.
    ///
    /// # Errors
    /// Only for mistakes of its own.
    fn check(
        &self,
        facts: &Facts,
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
    /// Sets of local states per thread and shared state, with exceptions.
    Cartesian,
    /// Predicates per thread under assumptions on the others.
    Modular,
}

impl EngineName {
    /// All of them.
    pub const ALL: [EngineName; 4] =
        [EngineName::Explicit, EngineName::Interference, EngineName::Cartesian, EngineName::Modular];

    /// The engine, with what it takes from the options.
    pub fn with(self, options: &CheckOptions) -> Box<dyn Engine> {
        match self {
            EngineName::Explicit => Box::new(Explicit(selvedge_explicit::Options {
                properties: without_atomicity(for_threads_as_started(options)),
                race_on: options.race_on.clone(),
                thread_bound: bound(options.threads),
                stop: selvedge_explicit::Stop::Never,
                ..selvedge_explicit::Options::default()
            })),
            EngineName::Interference => Box::new(Interference(selvedge_interference::Options {
                properties: for_threads_as_started(options),
                race_on: options.race_on.clone(),
                threads: bound(options.threads),
                unwind: options.unwind,
                mode: options.mode,
                atomic: options.atomic.clone(),
            })),
            EngineName::Modular => {
                let properties = options.properties.iter().copied();
                Box::new(Modular(selvedge_modular::Options {
                    properties: properties.filter(|property| selvedge_modular::answers(*property)).collect(),
                    race_on: options.race_on.clone(),
                }))
            }
            EngineName::Cartesian => {
                let properties = options.properties.iter().copied();
                Box::new(Cartesian {
                    properties: properties.filter(|property| selvedge_cartesian::answers(*property)).collect(),
                    race_on: options.race_on.clone(),
                    replicas: options.threads,
                    exceptions: options.exceptions.clone(),
                    infer: options.infer,
                })
            }
        }
    }
}

/// What an engine is asked that looks only at the threads that the program starts: it has nothing to say about every number of threads.
fn for_threads_as_started(options: &CheckOptions) -> Vec<Property> {
    if options.threads == Replicas::Any { Vec::new() } else { options.properties.clone() }
}

/// What an engine is asked that does not look at the order of past steps.
fn without_atomicity(properties: Vec<Property>) -> Vec<Property> {
    properties.into_iter().filter(|property| *property != Property::Atomicity).collect()
}

/// The bound on threads that a user gave.
fn bound(threads: Replicas) -> Option<usize> {
    match threads {
        Replicas::AtMost(most) => Some(usize::try_from(most).unwrap_or(usize::MAX)),
        Replicas::AsStarted | Replicas::Any => None,
    }
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
        facts: &Facts,
        budget: &Budget,
        progress: &mut dyn Progress,
        findings: &dyn Findings,
    ) -> Result<Answer, InternalError> {
        selvedge_explicit::check(facts, &self.0, budget, progress, findings)
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
        facts: &Facts,
        budget: &Budget,
        progress: &mut dyn Progress,
        findings: &dyn Findings,
    ) -> Result<Answer, InternalError> {
        selvedge_interference::check(facts.program(), &self.0, budget, progress, findings)
    }
}

struct Modular(selvedge_modular::Options);

impl Engine for Modular {
    fn name(&self) -> &'static str {
        "modular"
    }

    fn properties(&self) -> &[Property] {
        &self.0.properties
    }

    fn check(
        &self,
        facts: &Facts,
        budget: &Budget,
        progress: &mut dyn Progress,
        findings: &dyn Findings,
    ) -> Result<Answer, InternalError> {
        selvedge_modular::check(facts, &self.0, budget, progress, findings)
    }
}

struct Cartesian {
    properties: Vec<Property>,
    race_on: Option<String>,
    replicas: Replicas,
    exceptions: Option<String>,
    infer: bool,
}

impl Engine for Cartesian {
    fn name(&self) -> &'static str {
        "cartesian"
    }

    fn properties(&self) -> &[Property] {
        &self.properties
    }

    fn entry(&self) -> Entry {
        Entry::Reserve
    }

    fn is_made_for(&self, facts: &Facts) -> bool {
        let Ok(threads) = facts.threads() else { return false };
        threads.templates.iter().any(|thread| thread.replication == Replication::Many)
    }

    fn check(
        &self,
        facts: &Facts,
        budget: &Budget,
        progress: &mut dyn Progress,
        findings: &dyn Findings,
    ) -> Result<Answer, InternalError> {
        let described = self.exceptions.as_deref().unwrap_or_default();
        let exceptions = match selvedge_cartesian::text::parse(facts.program(), described) {
            Ok(exceptions) => exceptions,
            Err(error) => {
                let gaps = vec![Gap::Inapplicable { span: Span::NOWHERE, message: error.to_string() }];
                return Ok(Answer { gaps, statistics: Vec::new() });
            }
        };
        let options = selvedge_cartesian::Options {
            properties: self.properties.clone(),
            race_on: self.race_on.clone(),
            replicas: self.replicas,
            exceptions,
            infer: self.infer,
            checked_by: CheckedBy::Listener,
            ..selvedge_cartesian::Options::default()
        };
        selvedge_cartesian::check(facts, &options, budget, progress, findings)
    }
}
