//! What a *safe* stands on. How it is checked again, without the engine that found it, is in [`crate::certify`](mod@crate::certify); how it is
//! written to a file, in [`crate::file`].

use crate::cartesian::CartesianProof;
use crate::modular::ModularProof;
use crate::protection::{Addresses, ProtectionProof};
use crate::symmetric::SymmetricProof;
use crate::{AtomicLines, Subject};
use selvedge_program::{Action, AtomicStep, Function, Program, Property, Unsettled};
use std::fmt;
use std::sync::Arc;

/// The ground of a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Certificate {
    /// Every execution was explored; [`crate::exploration`] explores again.
    Exhaustive {
        /// How many states the engine stored.
        states: u64,
        /// Whether it was explored again.
        again: Again,
    },
    /// No execution within bounds that cover the whole program violates it: the formula that says that one does has a
    /// refutation, which [`selvedge_logic::proof::check`] follows step by step. That the formula says what the program
    /// does is shown by exploring it again.
    Refutation {
        /// The bounds in words, such as `loops up to 8 iterations, 3 threads`.
        bounds: String,
        /// What of the interference between threads it needs, in words, such as `12 of 340 links`.
        instances: String,
        /// The refutation, as [`selvedge_logic::proof`] writes it; it can be large, and is shared.
        proof: Arc<str>,
        /// Whether the program was explored as well.
        again: Again,
    },
    /// An inductive set of states without an error, as products of local states; [`crate::cartesian::certify`] checks
    /// it against the program.
    Cartesian(Arc<CartesianProof>),
    /// What may hold at every place of every thread, kept by all steps of all threads; [`crate::modular::certify`]
    /// checks it against the program.
    Modular(Arc<ModularProof>),
    /// What keeps the accesses to objects apart: locks, or the lives of threads; [`crate::protection::certify`] finds it
    /// again, edge by edge.
    Protection(Arc<ProtectionProof>),
    /// Configurations of some of any number of threads that are never reached; [`crate::symmetric::certify`] checks
    /// them against the program.
    Symmetric(Arc<SymmetricProof>),
    /// The program contains nothing that could violate it; [`Certificate::of_nothing`] looks.
    NothingToCheck,
}

/// Whether an exploration was made again, by nobody who trusts the engine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Again {
    /// Not yet: as an engine tells it.
    #[default]
    NotYet,
    /// To the end, and it found no violation of what was proved either.
    Confirmed,
    /// Not to the end, because it is too large, as is said; up to there it found no violation of what was proved.
    TooLarge(String),
    /// Not to the end, for another reason; up to there it found no violation of what was proved.
    Open(String),
}

/// What a proof that counts stands on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It was checked all the way, with nothing taken from the engine.
    Confirmed,
    /// Nothing speaks against it, but this was not checked again: there is too much of it.
    OnTrust(String),
    /// Nothing speaks against it, but this could not be checked again, however small the program is: no verdict stands
    /// on that.
    Unchecked(String),
}

impl fmt::Display for Standing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Standing::Confirmed => write!(f, "confirmed"),
            Standing::OnTrust(what) => write!(f, "on trust: {what}"),
            Standing::Unchecked(what) => write!(f, "not checked: {what}"),
        }
    }
}

/// What a certificate is to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Claim {
    /// That this holds in every execution.
    Of(Subject),
    /// That nothing of this property is ever violated.
    All(Property),
}

impl Claim {
    /// The property that it is about.
    pub fn property(self) -> Property {
        match self {
            Claim::Of(subject) => subject.property(),
            Claim::All(property) => property,
        }
    }

    /// The lines between which nobody interferes, if it is about some.
    pub fn lines(self) -> Option<AtomicLines> {
        match self {
            Claim::Of(Subject::Atomicity(lines)) => Some(lines),
            Claim::Of(_) | Claim::All(_) => None,
        }
    }

    /// Whether a violation of a subject contradicts it.
    pub fn contains(self, subject: Subject) -> bool {
        match self {
            Claim::Of(own) => own == subject,
            Claim::All(property) => subject.property() == property,
        }
    }
}

impl Certificate {
    /// That there is nothing to check of a property, if that is so: no assertion in the program, or no place where a
    /// thread may have to wait, and nothing in it that is not modelled and might hide one.
    pub fn of_nothing(program: &Program, property: Property) -> Option<Self> {
        let has_none = match property {
            Property::Assertion => program.checks.is_empty(),
            Property::Deadlock => !program.functions.iter().any(may_wait),
            Property::Race | Property::Memory | Property::Overflow | Property::Atomicity | Property::Livelock => false,
        };
        let mut edges = program.functions.iter().flat_map(|function| &function.edges);
        let is_nothing =
            has_none && program.provisos.is_empty() && !edges.any(|edge| matches!(edge.action, Action::Unsupported(_)));
        is_nothing.then_some(Certificate::NothingToCheck)
    }

    /// In a few words, for people.
    pub fn describe(&self) -> String {
        match self {
            Certificate::Exhaustive { states, again } => {
                let again = match again {
                    Again::NotYet => String::new(),
                    Again::Confirmed => "; explored again: confirmed".to_owned(),
                    Again::TooLarge(why) | Again::Open(why) => format!("; not explored again to the end: {why}"),
                };
                format!("all executions explored, {states} states{again}")
            }
            Certificate::Refutation { bounds, instances, .. } => {
                format!(
                    "a refutation of every violation with {instances}; the whole program is within the bounds: {bounds}"
                )
            }
            Certificate::Cartesian(proof) => {
                let (products, shared) = (proof.products(), proof.shared.len());
                format!("an inductive invariant of {products} products over {shared} shared states")
            }
            Certificate::Modular(proof) => {
                let (conjunctions, places) = (proof.conjunctions(), proof.places.len());
                format!(
                    "a thread-modular invariant of {conjunctions} conjunctions at {places} places, for any number of threads"
                )
            }
            Certificate::Protection(proof) => {
                format!("what protects {} objects at every access, for any number of threads", proof.objects.len())
            }
            Certificate::Symmetric(proof) => {
                let threads =
                    proof.bad.iter().map(|configuration| configuration.threads.len()).max().unwrap_or_default();
                format!(
                    "{} configurations of at most {threads} threads that are never reached, for any number of threads",
                    proof.bad.len()
                )
            }
            Certificate::NothingToCheck => "nothing in the program could violate it".to_owned(),
        }
    }

    /// What it stands on, once it counts: without its checker no certificate does.
    pub fn standing(&self) -> Standing {
        let again = |what: &str, again: &Again| match again {
            Again::Confirmed => Standing::Confirmed,
            Again::NotYet => Standing::Unchecked(format!("{what}: not yet")),
            Again::TooLarge(why) => Standing::OnTrust(format!("{what}: {why}")),
            Again::Open(why) => Standing::Unchecked(format!("{what}: {why}")),
        };
        match self {
            Certificate::Exhaustive { again: now, .. } => {
                again("that all executions were explored, since they were not explored again", now)
            }
            Certificate::Refutation { again: now, .. } => {
                let what =
                    "that the refuted formula says what the program does, since its executions were not explored";
                again(what, now)
            }
            Certificate::Protection(proof) if proof.addresses == Addresses::Assumed => Standing::OnTrust(
                "that no address is read from memory that nobody has written or of which a part was overwritten, and no number \
                 that was chosen is used as one, which would be undefined"
                    .to_owned(),
            ),
            Certificate::Cartesian(_)
            | Certificate::Modular(_)
            | Certificate::Protection(_)
            | Certificate::Symmetric(_)
            | Certificate::NothingToCheck => Standing::Confirmed,
        }
    }

    /// Whether it only holds if the program is defined as a whole: a violation shows that it is not, and contradicts
    /// nothing.
    pub fn is_provisional(&self) -> bool {
        matches!(self, Certificate::Protection(proof) if proof.addresses == Addresses::Assumed)
    }

    /// The same, after exploring again came to this.
    #[must_use]
    pub fn explored(self, now: Again) -> Self {
        match self {
            Certificate::Exhaustive { states, .. } => Certificate::Exhaustive { states, again: now },
            Certificate::Refutation { bounds, instances, proof, .. } => {
                Certificate::Refutation { bounds, instances, proof, again: now }
            }
            other @ (Certificate::Cartesian(_)
            | Certificate::Modular(_)
            | Certificate::Protection(_)
            | Certificate::Symmetric(_)
            | Certificate::NothingToCheck) => other,
        }
    }
}

/// Whether there is a place in a function where a thread may have to wait: an update, and no way on that is always
/// open.
fn may_wait(function: &Function) -> bool {
    let is_guarded = |step: &AtomicStep| matches!(step, AtomicStep::Guard(_) | AtomicStep::Spurious);
    let may_be_closed = |action: &Action| match (action.unsettled(), action) {
        (Unsettled::Nothing | Unsettled::Choice { .. } | Unsettled::Read { .. }, _) => false,
        (Unsettled::Update, Action::Atomic(steps)) => steps.iter().any(is_guarded),
        (Unsettled::Condition(_) | Unsettled::Update, _) => true,
    };
    function.locations.iter().any(|location| {
        let mut actions = location.outgoing.iter().map(|edge| &function.edge(*edge).action);
        actions.clone().any(|action| matches!(action, Action::Atomic(_))) && actions.all(may_be_closed)
    })
}
