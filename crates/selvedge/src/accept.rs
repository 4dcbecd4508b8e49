//! Whether a proof counts: its certificate is checked by what belongs to no engine (`selvedge_evidence::certify`). A
//! refutation is followed step by step, and the program explored; a set of states or an invariant is proved inductive
//! and free of errors against the program; an exploration is made again, up to a number of states. A violation that is met there refutes the proof. Where that does not get to the end, the certificate says
//! so, and the verdict with it.

use selvedge_evidence::{AtomicLines, Certificate, Goal, InternalError, Means, Refusal, Scope, Subject, certify};
use selvedge_program::{Budget, Program, Property};
use std::collections::BTreeSet;

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
    /// Between which lines nobody is to interfere, where that is asked.
    pub lines: &'a [AtomicLines],
    /// What it proves; [`Scope::Rest`] has been spelt out.
    pub scopes: &'a [Scope],
    /// What is known to be violated, which is not part of it unless it is named.
    pub violated: &'a BTreeSet<Subject>,
}

/// How many states are met again: a number of states and not a time, so that a certificate says the same on every
/// machine. A state costs some ten microseconds.
const STATES: usize = 100_000;

/// The same where the engine does not go through states itself, and may be done long before.
const STATES_OF_FORMULAS: usize = 20_000;

impl Claimed<'_> {
    /// Checks the certificate.
    pub fn accept(&self, certificate: Certificate, budget: &Budget) -> Acceptance {
        let states = match &certificate {
            Certificate::NothingToCheck => return rejected(&"this is no matter for engines"),
            Certificate::Exhaustive { .. } => STATES,
            Certificate::Refutation { .. }
            | Certificate::Cartesian(_)
            | Certificate::Modular(_)
            | Certificate::Protection(_)
            | Certificate::Symmetric(_) => STATES_OF_FORMULAS,
        };
        let properties: Vec<Property> =
            Property::ALL.into_iter().filter(|property| self.is_property_claimed(*property)).collect();
        let is_claimed = |subject| self.is_claimed(subject);
        let named = self.scopes.iter().flat_map(|scope| match scope {
            Scope::Subjects(subjects) => subjects.as_slice(),
            Scope::Rest | Scope::Property(_) | Scope::Each(_) => &[],
        });
        let field = |subject: &Subject| match subject {
            Subject::FieldRace(object, field) => Some((*object, *field)),
            _ => None,
        };
        let fields: Vec<_> = named.filter_map(field).collect();
        let (program, lines) = (self.program, self.lines);
        let goal = Goal { program, is_claimed: &is_claimed, properties: &properties, fields: &fields, lines };
        match certify(goal, certificate, Means { states, budget, solver: None }) {
            Ok(certificate) => Acceptance::Accepted(certificate),
            Err(Refusal::Exhausted(_)) => Acceptance::NoTime,
            Err(error) => rejected(&error),
        }
    }

    /// Whether the proof says that this holds.
    fn is_claimed(&self, subject: Subject) -> bool {
        subject.is_meant(self.program, self.race_on)
            && self.scopes.iter().any(|scope| scope.claims(subject, self.violated))
    }

    /// Whether something of a property is claimed.
    fn is_property_claimed(&self, property: Property) -> bool {
        self.scopes.iter().any(|scope| match scope {
            Scope::Subjects(subjects) => subjects.iter().any(|subject| subject.property() == property),
            scope => scope.is_all_of(property),
        })
    }
}

fn rejected(why: &dyn std::fmt::Display) -> Acceptance {
    Acceptance::Rejected(InternalError::Uncertified(why.to_string()))
}
