//! Whether a proof counts: its certificate is checked by what belongs to no engine's run. A refutation is followed step
//! by step; a set of states is proved inductive and free of errors against the program; an exploration is repeated by
//! the plainest search, which knows no reductions, as far as a small multiple of the engine's own work gets. A
//! violation that it meets there refutes the proof. Where it does not get to the end the certificate says so.

use selvedge_cartesian::certify::{Claims, Rejected, certify, objects};
use selvedge_evidence::certificate::CHOICES;
use selvedge_evidence::{
    Again, CartesianProof, Certificate, CertificateError, Extent, InternalError, ModularProof, Scope, Subject,
    SymmetricProof, modular, recheck_within, symmetric,
};
use selvedge_program::{Budget, CheckId, Program, Property};
use std::collections::BTreeSet;
use std::ops::RangeInclusive;

/// What the checkers say of a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Acceptance {
    /// It counts, with this certificate.
    Accepted(Certificate),
    /// It does not show what it claims.
    Rejected(InternalError),
    /// There was no time to look at it, so it does not count.
    NoTime,
}

/// A proof that somebody claims to have.
#[derive(Clone, Copy, Debug)]
pub struct Claimed<'a> {
    /// The program it is about.
    pub program: &'a Program,
    /// Only races on the object with this name are meant.
    pub race_on: Option<&'a str>,
    /// What it proves; [`Scope::Rest`] has been spelt out.
    pub scopes: &'a [Scope],
    /// What is known to be violated, which is not part of it.
    pub violated: &'a BTreeSet<Subject>,
}

/// How many states the plainest search visits for each that the engine stored, and how many in all: a number of states
/// and not a time, so that a certificate says the same on every machine. A state costs it some microseconds.
const STATES_PER_STATE: usize = 16;
const STATES: RangeInclusive<usize> = 2_000..=20_000;

/// How much memory these states may have together, as a part of what there is and in bytes.
const MEMORY_PART: u64 = 4;
const BYTES: u64 = 1 << 26;

impl Claimed<'_> {
    /// Checks the certificate.
    pub fn accept(&self, certificate: Certificate, budget: &Budget) -> Acceptance {
        match &certificate {
            Certificate::NothingToCheck => rejected(&"this is no matter for engines"),
            Certificate::Exhaustive { states, reductions, .. } => match self.explore_again(*states, budget) {
                Ok(again) => Acceptance::Accepted(Certificate::Exhaustive {
                    states: *states,
                    reductions: reductions.clone(),
                    again,
                }),
                Err(error) => rejected(&error),
            },
            Certificate::Refutation { .. } => match certificate.follow(budget) {
                Ok(()) => Acceptance::Accepted(certificate),
                Err(CertificateError::Exhausted(_)) => Acceptance::NoTime,
                Err(error) => rejected(&error),
            },
            Certificate::Cartesian(proof) => match self.inductive(proof, budget) {
                Ok(()) => Acceptance::Accepted(certificate),
                Err(refusal) => refusal,
            },
            Certificate::Modular(proof) => match self.modular(proof, budget) {
                Ok(()) => Acceptance::Accepted(certificate),
                Err(refusal) => refusal,
            },
            Certificate::Symmetric(proof) => match self.symmetric(proof, budget) {
                Ok(()) => Acceptance::Accepted(certificate),
                Err(refusal) => refusal,
            },
        }
    }

    /// Repeats an exploration in which the engine stored so many states.
    fn explore_again(&self, states: u64, budget: &Budget) -> Result<Again, CertificateError> {
        let states = usize::try_from(states).unwrap_or(usize::MAX).saturating_mul(STATES_PER_STATE);
        let extent = Extent {
            states: states.clamp(*STATES.start(), *STATES.end()),
            bytes: budget.memory.map_or(BYTES, |memory| BYTES.min(memory / MEMORY_PART)),
            choices: CHOICES,
        };
        let found = recheck_within(self.program, extent, budget);
        match found.subjects.into_iter().find(|subject| self.is_claimed(*subject)) {
            Some(subject) => Err(CertificateError::Violated(subject)),
            None if found.is_complete => Ok(Again::Confirmed),
            None => Ok(Again::TooLarge),
        }
    }

    /// Whether the proof says that this holds.
    fn is_claimed(&self, subject: Subject) -> bool {
        subject.is_meant(self.program, self.race_on)
            && !self.violated.contains(&subject)
            && self.scopes.iter().any(|scope| scope.contains(subject))
    }

    fn inductive(&self, proof: &CartesianProof, budget: &Budget) -> Result<(), Acceptance> {
        if proof.bound.is_some() {
            return Err(rejected(&"it holds only for a bounded number of threads"));
        }
        let Some(claims) = self.claims() else {
            return Err(rejected(&"a set of states says nothing about deadlocks and about the order of steps"));
        };
        certify(self.program, proof, &claims, budget).map_err(|error| match error {
            Rejected::Exhausted(_) => Acceptance::NoTime,
            error => rejected(&error),
        })
    }

    fn modular(&self, proof: &ModularProof, budget: &Budget) -> Result<(), Acceptance> {
        self.with_shown(|shown| {
            modular::certify(self.program, proof, shown, budget).map_err(|error| match error {
                modular::Refusal::Exhausted(_) => Acceptance::NoTime,
                error => rejected(&error),
            })
        })
    }

    fn symmetric(&self, proof: &SymmetricProof, budget: &Budget) -> Result<(), Acceptance> {
        self.with_shown(|shown| {
            symmetric::certify(self.program, proof, shown, budget).map_err(|error| match error {
                symmetric::Refusal::Exhausted(_) => Acceptance::NoTime,
                error => rejected(&error),
            })
        })
    }

    /// What a proof over the program as threads see it has to show, if it can.
    fn with_shown(
        &self,
        certify: impl FnOnce(&modular::Shown<'_>) -> Result<(), Acceptance>,
    ) -> Result<(), Acceptance> {
        let Some(claims) = self.claims() else {
            return Err(rejected(&"such a proof says nothing about deadlocks and about the order of steps"));
        };
        certify(&modular::Shown {
            assertions: &|check| {
                claims.properties.contains(&Property::Assertion) && self.is_claimed(Subject::Assertion(check))
            },
            races: &|object| claims.properties.contains(&Property::Race) && self.is_claimed(Subject::Race(object)),
            undefined: &|undefined| self.is_property_claimed(undefined.property()),
        })
    }

    /// Whether something of a property is claimed.
    fn is_property_claimed(&self, property: Property) -> bool {
        self.scopes.iter().any(|scope| match scope {
            Scope::Subjects(subjects) => subjects.iter().any(|subject| subject.property() == property),
            scope => scope.is_all_of(property),
        })
    }

    /// What a set of states has to show, if it can.
    fn claims(&self) -> Option<Claims> {
        let is_any_claimed = |property: Property| self.is_property_claimed(property);
        if is_any_claimed(Property::Deadlock) || is_any_claimed(Property::Atomicity) {
            return None;
        }
        let assertions = (0..self.program.checks.len()).map(CheckId::new);
        let properties = [Property::Assertion, Property::Race, Property::Memory];
        Some(Claims {
            properties: properties.into_iter().filter(|property| is_any_claimed(*property)).collect(),
            but_assertions: assertions.filter(|check| !self.is_claimed(Subject::Assertion(*check))).collect(),
            but_races: objects(self.program).filter(|object| !self.is_claimed(Subject::Race(*object))).collect(),
        })
    }
}

fn rejected(why: &dyn std::fmt::Display) -> Acceptance {
    Acceptance::Rejected(InternalError::Uncertified(why.to_string()))
}
