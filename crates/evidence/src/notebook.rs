//! A listener that writes down what one engine tells, for tests and for those who run an engine by itself.

use crate::{Certificate, Findings, Scope, Subject, Violation};
use selvedge_program::Property;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What an engine has told.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Noted {
    /// The violations, in the order in which they were told.
    pub violations: Vec<Violation>,
    /// What was proved, and on what ground.
    pub proofs: Vec<(Scope, Certificate)>,
    /// What was covered within a bound; the last bound on each scope.
    pub bounds: Vec<(Scope, String)>,
    /// That about which nothing more can be found out.
    pub closed: Vec<Scope>,
}

impl Noted {
    /// The violation of a subject.
    pub fn violation(&self, subject: Subject) -> Option<&Violation> {
        self.violations.iter().find(|violation| violation.subject == subject)
    }

    /// What proves a subject.
    pub fn proof(&self, subject: Subject) -> Option<&Certificate> {
        self.proofs.iter().find(|(scope, _)| scope.contains(subject)).map(|(_, certificate)| certificate)
    }

    /// Whether all of a property is proved, but for what is violated.
    pub fn has_proved(&self, property: Property) -> bool {
        self.proofs.iter().any(|(scope, _)| scope.is_all_of(property))
    }
}

/// Writes down what it is told.
#[derive(Debug, Default)]
pub struct Notebook {
    noted: Mutex<Noted>,
}

impl Notebook {
    /// An empty notebook.
    pub fn new() -> Self {
        Self::default()
    }

    /// What has been written down so far.
    pub fn noted(&self) -> Noted {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, Noted> {
        self.noted.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Findings for Notebook {
    fn violation(&self, violation: Violation) {
        self.lock().violations.push(violation);
    }

    fn proved(&self, scope: &Scope, certificate: Certificate) {
        self.lock().proofs.push((scope.clone(), certificate));
    }

    fn covered(&self, scope: &Scope, bound: &str) {
        let mut noted = self.lock();
        noted.bounds.retain(|(known, _)| known != scope);
        noted.bounds.push((scope.clone(), bound.to_owned()));
    }

    fn nothing_more(&self, scope: &Scope) {
        self.lock().closed.push(scope.clone());
    }

    fn is_open(&self, subject: Subject) -> bool {
        let noted = self.lock();
        noted.violation(subject).is_none() && noted.proof(subject).is_none()
    }

    fn is_property_open(&self, property: Property) -> bool {
        !self.lock().has_proved(property)
    }
}
