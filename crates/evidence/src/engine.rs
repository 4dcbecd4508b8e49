//! The shape of an engine: how it is asked, and when it is to run.

use crate::{Answer, Findings, InternalError};
use selvedge_analysis::Facts;
use selvedge_program::{Budget, Progress, Property};

/// When an engine starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Entry {
    /// At once.
    #[default]
    AtOnce,
    /// When the others have had some time.
    Reserve,
}

/// An engine with what it is asked and its own options.
pub trait Engine: Send + Sync {
    /// Its name, on the command line and in reports.
    fn name(&self) -> &'static str;

    /// The properties that it is asked about and answers. [`Scope::Rest`](crate::Scope::Rest) from this engine means
    /// all of these and no other.
    fn properties(&self) -> &[Property];

    /// Whether its answers can be had for every number of threads ([`Replicas::Any`](crate::Replicas::Any)).
    fn is_for_any_number(&self) -> bool {
        false
    }

    /// When it starts.
    fn entry(&self) -> Entry {
        Entry::AtOnce
    }

    /// Whether a program is of the kind for which a reserve is to start soon. Asked for when others have run a while.
    fn is_made_for(&self, _facts: &Facts) -> bool {
        false
    }

    /// Checks the program of these facts: tells what it finds while it works, and returns what it left out. It obeys
    /// the budget.
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

/// An engine that is no more than a function, which holds what it is asked.
pub fn from_fn<F>(name: &'static str, properties: Vec<Property>, check: F) -> Box<dyn Engine>
where
    F: Fn(&Facts, &Budget, &mut dyn Progress, &dyn Findings) -> Result<Answer, InternalError> + Send + Sync + 'static,
{
    Box::new(FromFn { name, properties, check })
}

struct FromFn<F> {
    name: &'static str,
    properties: Vec<Property>,
    check: F,
}

impl<F> Engine for FromFn<F>
where
    F: Fn(&Facts, &Budget, &mut dyn Progress, &dyn Findings) -> Result<Answer, InternalError> + Send + Sync,
{
    fn name(&self) -> &'static str {
        self.name
    }

    fn properties(&self) -> &[Property] {
        &self.properties
    }

    fn check(
        &self,
        facts: &Facts,
        budget: &Budget,
        progress: &mut dyn Progress,
        findings: &dyn Findings,
    ) -> Result<Answer, InternalError> {
        (self.check)(facts, budget, progress, findings)
    }
}
