//! Whether a proof counts: its certificate is checked by what belongs to no engine's run. A refutation is followed step by step; a
//! set of states is proved inductive and free of errors against the program.

use crate::questions::is_named;
use selvedge_cartesian::certify::{Claims, Rejected, certify, objects};
use selvedge_evidence::{CartesianProof, Certificate, InternalError, Scope, Subject};
use selvedge_program::{Budget, CheckId, Program, Property};
use std::collections::BTreeSet;

/// What the checkers say of a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Acceptance {
    /// It counts.
    Accepted,
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

impl Claimed<'_> {
    /// Checks the certificate.
    pub fn accept(&self, certificate: &Certificate, budget: &Budget) -> Acceptance {
        match certificate {
            Certificate::Cartesian(proof) => self.inductive(proof, budget),
            certificate => match certificate.follow() {
                Ok(()) => Acceptance::Accepted,
                Err(error) => rejected(&error),
            },
        }
    }

    fn inductive(&self, proof: &CartesianProof, budget: &Budget) -> Acceptance {
        if proof.bound.is_some() {
            return rejected(&"it holds only for a bounded number of threads");
        }
        let Some(claims) = self.claims() else {
            return rejected(&"a set of states says nothing about deadlocks and about the order of steps");
        };
        match certify(self.program, proof, &claims, budget) {
            Ok(()) => Acceptance::Accepted,
            Err(Rejected::Exhausted(_)) => Acceptance::NoTime,
            Err(error) => rejected(&error),
        }
    }

    /// What a set of states has to show, if it can.
    fn claims(&self) -> Option<Claims> {
        let is_claimed = |property: Property| {
            self.scopes.iter().any(|scope| match scope {
                Scope::Subjects(subjects) => subjects.iter().any(|subject| subject.property() == property),
                scope => scope.is_all_of(property),
            })
        };
        if is_claimed(Property::Deadlock) || is_claimed(Property::Atomicity) {
            return None;
        }
        let is_left_out = |subject: Subject| {
            self.violated.contains(&subject) || !self.scopes.iter().any(|scope| scope.contains(subject))
        };
        let assertions = (0..self.program.checks.len()).map(CheckId::new);
        let is_meant = |object| self.race_on.is_none_or(|name| is_named(self.program, object, name));
        let properties = [Property::Assertion, Property::Race, Property::Memory];
        Some(Claims {
            properties: properties.into_iter().filter(|property| is_claimed(*property)).collect(),
            but_assertions: assertions.filter(|check| is_left_out(Subject::Assertion(*check))).collect(),
            but_races: objects(self.program)
                .filter(|object| is_left_out(Subject::Race(*object)) || !is_meant(*object))
                .collect(),
        })
    }
}

fn rejected(why: &dyn std::fmt::Display) -> Acceptance {
    Acceptance::Rejected(InternalError::Uncertified(why.to_string()))
}
