//! What a *safe* stands on, and how it is checked again without the engine that found it.

use crate::cartesian::CartesianProof;
use crate::modular::ModularProof;
use crate::protection::ProtectionProof;
use crate::{Recheck, Subject, recheck};
use selvedge_logic::proof::{self, ProofError};
use selvedge_program::{Action, Budget, Exhausted, Program, Property};
use std::sync::Arc;
use thiserror::Error;

/// The ground of a proof. Each kind says how it can be checked again; [`Certificate::check`] does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Certificate {
    /// Every execution was explored, up to the reductions named; [`crate::recheck`] explores again without any.
    Exhaustive {
        /// How many states were stored.
        states: u64,
        /// The reductions that were used.
        reductions: Vec<&'static str>,
        /// Whether that was done.
        again: Again,
    },
    /// No execution within bounds that cover the whole program violates it: the formula that says that one does has a
    /// refutation, which [`selvedge_logic::proof::check`] follows step by step.
    Refutation {
        /// The bounds in words, such as `loops up to 8 iterations, 3 threads`.
        bounds: String,
        /// What of the interference between threads it needs, in words, such as `12 of 340 links`.
        instances: String,
        /// The refutation, as [`selvedge_logic::proof`] writes it; it can be large, and is shared.
        proof: Arc<str>,
    },
    /// An inductive set of states without an error, as products of local states. One abstract post checks it, which is
    /// `selvedge_cartesian::certify`; it needs the program.
    Cartesian(Arc<CartesianProof>),
    /// What may hold at every place of every thread, kept by all steps of all threads; [`crate::modular::certify`]
    /// checks it against the program.
    Modular(Arc<ModularProof>),
    /// Where other threads may be, and which locks are held where; [`crate::protection::certify`] checks it edge by edge
    /// against the program.
    Protection(Arc<ProtectionProof>),
    /// The program contains nothing that could violate it; [`Certificate::of_nothing`] looks.
    NothingToCheck,
}

/// Whether an exploration was repeated by the plainest search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Again {
    /// Not yet: as an engine tells it.
    #[default]
    NotYet,
    /// To the end, and it found no violation of what was proved either.
    Confirmed,
    /// As far as a stated number of states, or up to a choice among too many values, and it found no violation of what
    /// was proved.
    TooLarge,
}

/// How far a certificate was checked again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// All the way, with nothing taken from the engine.
    Confirmed,
    /// Nothing speaks against it, but this was not checked again.
    Partly(&'static str),
}

/// A certificate that does not show what it claims: a bug of ours.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CertificateError {
    /// There is a violation of what was proved.
    #[error("the plainest search finds a violation of what was proved: {0:?}")]
    Violated(Subject),
    /// A step of the refutation does not follow.
    #[error("the refutation is wrong: {0}")]
    Proof(#[from] ProofError),
    /// There is something to check after all.
    #[error("the program has something to check")]
    NotVacuous,
    /// It does not stand by itself.
    #[error("it can only be checked with its program")]
    NeedsProgram,
    /// It was not followed to the end.
    #[error("there was no time to follow it: {0}")]
    Exhausted(#[from] Exhausted),
}

/// What a certificate is to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// That this holds in every execution.
    Of(Subject),
    /// That nothing of this property is ever violated.
    All(Property),
}

impl Claim {
    fn property(self) -> Property {
        match self {
            Claim::Of(subject) => subject.property(),
            Claim::All(property) => property,
        }
    }

    fn contains(self, subject: Subject) -> bool {
        match self {
            Claim::Of(own) => own == subject,
            Claim::All(property) => subject.property() == property,
        }
    }
}

/// How many answers to one question are tried when a program is explored again.
pub const CHOICES: u128 = 256;

impl Certificate {
    /// That there is nothing to check of a property, if that is so: no assertion in the program, and nothing in it that
    /// is not modelled and might hide one.
    pub fn of_nothing(program: &Program, property: Property) -> Option<Self> {
        let mut edges = program.functions.iter().flat_map(|function| &function.edges);
        let is_nothing = property == Property::Assertion
            && program.checks.is_empty()
            && !edges.any(|edge| matches!(edge.action, Action::Unsupported(_)));
        is_nothing.then_some(Certificate::NothingToCheck)
    }

    /// In a few words, for people.
    pub fn describe(&self) -> String {
        match self {
            Certificate::Exhaustive { states, again, .. } => {
                let again = match again {
                    Again::NotYet => "",
                    Again::Confirmed => "; explored again without reductions: confirmed",
                    Again::TooLarge => "; too large to be explored again without reductions",
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
                let (objects, locks) = (proof.objects.len(), proof.held.len());
                format!(
                    "what protects {objects} objects, with {locks} locks, at every access, for any number of threads"
                )
            }
            Certificate::NothingToCheck => "there is nothing of the kind in the program".to_owned(),
        }
    }

    /// Checks what of the certificate stands by itself: a refutation is followed step by step. Without this no proof
    /// counts.
    ///
    /// # Errors
    /// When a step does not follow, or the budget is used up; and always for what does not stand by itself: such a
    /// certificate has a checker of its own.
    pub fn follow(&self, budget: &Budget) -> Result<(), CertificateError> {
        match self {
            Certificate::Exhaustive { .. } => Ok(()),
            Certificate::Refutation { proof, .. } => {
                let mut looked = Ok(());
                proof::check_while(proof, || {
                    looked = budget.check();
                    looked.is_ok()
                })?;
                Ok(looked?)
            }
            Certificate::Cartesian(_)
            | Certificate::Modular(_)
            | Certificate::Protection(_)
            | Certificate::NothingToCheck => Err(CertificateError::NeedsProgram),
        }
    }

    /// Checks the certificate again: refutations are followed step by step, and the program is explored by the plainest
    /// search, up to a number of states. Whether a set of states is inductive is left to its own checker.
    ///
    /// # Errors
    /// When the certificate does not show what it claims.
    pub fn check(&self, program: &Program, claim: Claim, states: usize) -> Result<Standing, CertificateError> {
        let doubt = match self {
            Certificate::NothingToCheck => {
                let found = Certificate::of_nothing(program, claim.property());
                return found.map(|_| Standing::Confirmed).ok_or(CertificateError::NotVacuous);
            }
            Certificate::Exhaustive { .. } => "the program is too large to be explored again without reductions",
            Certificate::Refutation { .. } => "that the refuted formula says what the program does",
            Certificate::Cartesian(_) => "that the set of states is inductive",
            Certificate::Modular(_) => "that the invariant is inductive",
            Certificate::Protection(_) => "that the locks are held",
        };
        if let Certificate::Exhaustive { .. } | Certificate::Refutation { .. } = self {
            self.follow(&Budget::unlimited())?;
        }
        let Recheck { subjects, is_complete, .. } = recheck(program, states, CHOICES);
        match subjects.into_iter().find(|subject| claim.contains(*subject)) {
            Some(subject) => Err(CertificateError::Violated(subject)),
            None if is_complete => Ok(Standing::Confirmed),
            None => Ok(Standing::Partly(doubt)),
        }
    }
}
