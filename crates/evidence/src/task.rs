//! What is asked about a program, the same for every engine. How an engine goes about it is a matter of its own
//! options.

use crate::{AtomicLines, Subject};
use selvedge_program::{Program, Property};

/// How many threads of one function there are at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Replicas {
    /// As many as the program starts.
    #[default]
    AsStarted,
    /// At most so many; what a further start leads to is left out.
    AtMost(u64),
    /// Any number, whatever the program starts.
    Any,
}

impl Replicas {
    /// The bound, if there is one.
    pub fn bound(self) -> Option<usize> {
        match self {
            Replicas::AtMost(most) => Some(usize::try_from(most).unwrap_or(usize::MAX)),
            Replicas::AsStarted | Replicas::Any => None,
        }
    }

    /// A bound in words, for [`Findings::covered`](crate::Findings::covered).
    pub fn within(bound: u64) -> String {
        let noun = if bound == 1 { "thread" } else { "threads" };
        format!("at most {bound} {noun} running the same function at a time")
    }
}

/// How often loops may go round, for engines that need a bound.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unwind {
    /// Ever more often, until there is a verdict, a proof, or no time.
    #[default]
    Auto,
    /// So often.
    Exactly(u32),
}

/// What is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// The properties.
    pub properties: Vec<Property>,
    /// If given, only races on the object with this name count.
    pub race_on: Option<String>,
    /// How many threads of one function there are.
    pub threads: Replicas,
    /// How often loops may go round.
    pub unwind: Unwind,
    /// Pairs of lines between which no other thread may interfere, if atomicity is among the properties.
    pub atomic: Vec<AtomicLines>,
}

impl Default for Task {
    fn default() -> Self {
        Task::about(&[Property::Assertion, Property::Race, Property::Deadlock, Property::Memory])
    }
}

impl Task {
    /// Whether these properties hold of the program as it is, without bounds.
    pub fn about(properties: &[Property]) -> Self {
        Task {
            properties: properties.to_vec(),
            race_on: None,
            threads: Replicas::AsStarted,
            unwind: Unwind::Auto,
            atomic: Vec::new(),
        }
    }

    /// Whether a property is among those asked about.
    pub fn asks(&self, property: Property) -> bool {
        self.properties.contains(&property)
    }

    /// Whether a subject is among what is asked about.
    pub fn asks_about(&self, program: &Program, subject: Subject) -> bool {
        self.asks(subject.property()) && subject.is_meant(program, self.race_on.as_deref())
    }

    /// The part of it that is about properties which an engine answers.
    #[must_use]
    pub fn limited_to(&self, answers: impl Fn(Property) -> bool) -> Task {
        let properties = self.properties.iter().copied().filter(|property| answers(*property)).collect();
        Task { properties, ..self.clone() }
    }

    /// The part of it for an engine that looks only at the threads which the program starts: nothing, if the answers
    /// are to hold for every number of threads.
    #[must_use]
    pub fn for_threads_as_started(&self) -> Task {
        self.limited_to(|_| self.threads != Replicas::Any)
    }
}
