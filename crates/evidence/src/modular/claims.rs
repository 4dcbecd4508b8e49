//! What a thread-modular proof is to show, as a value: what a file says, and what the checker is asked for.

use std::collections::BTreeSet;

use selvedge_analysis::AbstractObject;
use selvedge_program::{Budget, CheckId, Program, Property, Undefined};

use super::{ModularProof, Refusal, Shown, certify};
use crate::{Scope, Subject};

/// Something that such a proof can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Claim {
    /// No assertion fails.
    Assertions,
    /// This one does not.
    Assertion(CheckId),
    /// There is no race.
    Races,
    /// There is none on this object.
    RacesOn(AbstractObject),
    /// Nothing undefined happens, but for what [`Claim::Overflow`] is about.
    Memory,
    /// No signed arithmetic overflows.
    Overflow,
}

impl From<Claim> for crate::Claim {
    fn from(claim: Claim) -> Self {
        match claim {
            Claim::Assertions => crate::Claim::All(Property::Assertion),
            Claim::Assertion(check) => crate::Claim::Of(Subject::Assertion(check)),
            Claim::Races => crate::Claim::All(Property::Race),
            Claim::RacesOn(object) => crate::Claim::Of(Subject::Race(object)),
            Claim::Memory => crate::Claim::All(Property::Memory),
            Claim::Overflow => crate::Claim::All(Property::Overflow),
        }
    }
}

/// What a proof is to show.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Claims(BTreeSet<Claim>);

impl FromIterator<Claim> for Claims {
    fn from_iter<I: IntoIterator<Item = Claim>>(claims: I) -> Self {
        let mut set = Claims::default();
        claims.into_iter().for_each(|claim| set.insert(claim));
        set
    }
}

impl Claims {
    /// What a scope says; `None` if such a proof cannot show that. Undefined behaviour is shown as a whole.
    pub fn of(scope: &Scope) -> Option<Claims> {
        match scope {
            Scope::Rest => None,
            Scope::Property(property) => Some(Claims::from_iter([match property {
                Property::Assertion => Claim::Assertions,
                Property::Race => Claim::Races,
                Property::Memory => Claim::Memory,
                Property::Overflow => Claim::Overflow,
                Property::Deadlock | Property::Livelock | Property::Atomicity => return None,
            }])),
            Scope::Subjects(subjects) => subjects
                .iter()
                .map(|subject| match subject {
                    Subject::Assertion(check) => Some(Claim::Assertion(*check)),
                    Subject::Race(object) => Some(Claim::RacesOn(*object)),
                    Subject::Memory(_, _, undefined) if undefined.property() == Property::Overflow => {
                        Some(Claim::Overflow)
                    }
                    Subject::Memory(..) => Some(Claim::Memory),
                    Subject::FieldRace(..) | Subject::Deadlock | Subject::Livelock | Subject::Atomicity(_) => None,
                })
                .collect(),
            Scope::Each(scopes) => {
                let mut all = Claims::default();
                for scope in scopes {
                    Claims::of(scope)?.iter().for_each(|claim| all.insert(claim));
                }
                Some(all)
            }
        }
    }

    /// What some claims say; `None` if such a proof cannot show that.
    pub fn among(claims: &[crate::Claim]) -> Option<Claims> {
        let scope = |claim: &crate::Claim| match claim {
            crate::Claim::All(property) => Scope::Property(*property),
            crate::Claim::Of(subject) => Scope::Subjects(vec![*subject]),
        };
        Claims::of(&Scope::Each(claims.iter().map(scope).collect()))
    }

    /// One more. Proofs thread by thread do not tell the objects of threads apart.
    pub fn insert(&mut self, claim: Claim) {
        self.0.insert(match claim {
            Claim::RacesOn(AbstractObject::Started(_)) => Claim::RacesOn(AbstractObject::Thread),
            claim => claim,
        });
    }

    /// All of them, in order.
    pub fn iter(&self) -> impl Iterator<Item = Claim> + '_ {
        self.0.iter().copied()
    }

    /// Whether nothing is claimed.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Lets somebody work with what is to be shown.
    pub fn with<T>(&self, work: impl FnOnce(&Shown<'_>) -> T) -> T {
        let has = |claim: Claim| self.0.contains(&claim);
        work(&Shown {
            assertions: &|check| has(Claim::Assertions) || has(Claim::Assertion(check)),
            races: &|object| has(Claim::Races) || has(Claim::RacesOn(object)),
            undefined: &|undefined: Undefined| match undefined.property() {
                Property::Overflow => has(Claim::Overflow),
                _ => has(Claim::Memory),
            },
        })
    }

    /// Checks that a proof shows all of it.
    ///
    /// # Errors
    /// When it does not, or the budget is used up.
    pub fn certify(&self, program: &Program, proof: &ModularProof, budget: &Budget) -> Result<(), Refusal> {
        self.with(|shown| certify(program, proof, shown, budget))
    }
}
