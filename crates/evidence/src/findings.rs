//! What engines tell while they work, and what they return when they have done.
//!
//! Engines run side by side, and per check the first evidence wins. So an engine tells each violation and each proof
//! through [`Findings`] as soon as it has it, and may ask there what is still open; it returns an [`Answer`] about the
//! rest.

use crate::{Certificate, Gap, Subject, Violation};
use selvedge_program::{Program, Property};
use std::collections::BTreeSet;
use std::time::Duration;
use thiserror::Error;

/// What a proof or a bound is about. Whatever was violated, by whichever engine, is not part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Everything that the engine was asked and that is not violated.
    Rest,
    /// Everything of one property that is not violated.
    Property(Property),
    /// These subjects.
    Subjects(Vec<Subject>),
    /// All that is in one of these, by one proof.
    Each(Vec<Scope>),
}

impl Scope {
    /// Whether the scope contains all of a property, what nobody has thought of included.
    pub fn is_all_of(&self, property: Property) -> bool {
        match self {
            Scope::Rest => true,
            Scope::Property(own) => *own == property,
            Scope::Subjects(_) => false,
            Scope::Each(scopes) => scopes.iter().any(|scope| scope.is_all_of(property)),
        }
    }

    /// Whether the scope contains a subject.
    pub fn contains(&self, subject: Subject) -> bool {
        match self {
            Scope::Subjects(subjects) => subjects.contains(&subject),
            Scope::Each(scopes) => scopes.iter().any(|scope| scope.contains(subject)),
            Scope::Rest | Scope::Property(_) => self.is_all_of(subject.property()),
        }
    }

    /// Whether it names a subject of its own, not as part of a property, that passes a test.
    pub fn names(&self, is_meant: &dyn Fn(Subject) -> bool) -> bool {
        match self {
            Scope::Subjects(subjects) => subjects.iter().any(|subject| is_meant(*subject)),
            Scope::Each(scopes) => scopes.iter().any(|scope| scope.names(is_meant)),
            Scope::Rest | Scope::Property(_) => false,
        }
    }

    /// Whether a proof of this scope says that a subject holds, where these are known to be violated: they are no part
    /// of it, unless it names them.
    pub fn claims(&self, subject: Subject, violated: &BTreeSet<Subject>) -> bool {
        match self {
            Scope::Subjects(subjects) => subjects.contains(&subject),
            Scope::Each(scopes) => scopes.iter().any(|scope| scope.claims(subject, violated)),
            Scope::Rest | Scope::Property(_) => self.contains(subject) && !violated.contains(&subject),
        }
    }
}

/// Whom an engine tells what it has found. Every engine has one of its own, which knows whose it is.
pub trait Findings: Sync {
    /// A violation; it counts once the concrete semantics has replayed its trace.
    fn violation(&self, violation: Violation);

    /// This holds in every execution that has a meaning; it counts once the certificate has been checked. To tell that
    /// all work is done, prove [`Scope::Rest`].
    fn proved(&self, scope: &Scope, certificate: Certificate);

    /// The same, where something of the proof stands on trust and there may be a better one: it counts at the end if
    /// nobody has decided what it is about, and until then all go on looking.
    fn reserved(&self, _scope: &Scope, _certificate: Certificate) {}

    /// This holds in every execution within a bound that is told in words, such as `loops up to 8 iterations`; nothing
    /// within it was left out. A later bound on the same scope replaces an earlier one.
    fn covered(&self, scope: &Scope, bound: &str);

    /// Nothing more can be found out about this: every execution that has a meaning was followed to its end, to
    /// something that no engine goes into (which is not modelled), or to a bound of the user's. The others need not go
    /// on looking.
    fn nothing_more(&self, _scope: &Scope) {}

    /// Whether evidence about a subject is still wanted.
    fn is_open(&self, subject: Subject) -> bool;

    /// Whether violations of a subject are wanted: it is open, or it is violated and there is room for further ones, such
    /// as races of other accesses to the same object.
    fn has_room(&self, subject: Subject) -> bool {
        self.is_open(subject)
    }

    /// Whether evidence about anything of a property is still wanted.
    fn is_property_open(&self, property: Property) -> bool;
}

/// Nobody listens, and everything is open.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unheard;

impl Findings for Unheard {
    fn violation(&self, _violation: Violation) {}

    fn proved(&self, _scope: &Scope, _certificate: Certificate) {}

    fn covered(&self, _scope: &Scope, _bound: &str) {}

    fn is_open(&self, _subject: Subject) -> bool {
        true
    }

    fn is_property_open(&self, _property: Property) -> bool {
        true
    }
}

/// One figure of what an engine took.
#[derive(Clone, Debug, PartialEq)]
pub enum Figure {
    /// So many of something.
    Count(u64),
    /// How far something went, such as a depth or a bound.
    Level(u64),
    /// A mean or a ratio.
    Ratio(f64),
    /// Memory, in bytes.
    Bytes(u64),
    /// Time.
    Time(Duration),
    /// Anything else.
    Words(String),
}

/// What an engine returns at its end, besides what it told on the way.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// What was left out, sorted.
    pub gaps: Vec<Gap>,
    /// What it took: figures with their names in the JSON report, in the order in which to show them.
    pub statistics: Vec<(&'static str, Figure)>,
}

impl Answer {
    /// From what was left out, in any order and perhaps more than once, and the figures.
    pub fn new(mut gaps: Vec<Gap>, statistics: Vec<(&'static str, Figure)>) -> Answer {
        gaps.sort();
        gaps.dedup();
        Answer { gaps, statistics }
    }

    /// Whether nothing that has a meaning was left out.
    pub fn is_complete(&self) -> bool {
        !self.gaps.iter().any(Gap::is_incomplete)
    }

    /// The reasons in words, each once, for a test or a message.
    pub fn reasons(&self, program: &Program) -> Vec<crate::Reason> {
        let mut reasons: Vec<crate::Reason> = self.gaps.iter().map(|gap| crate::Reason::of(program, gap)).collect();
        reasons.sort();
        reasons.dedup();
        reasons
    }
}

/// A bug of ours: no verdict follows.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum InternalError {
    /// The semantics calls the program malformed.
    #[error("the program model is malformed: {0}")]
    Malformed(String),
    /// A trace that the semantics does not accept.
    #[error("a counterexample is not accepted by the concrete semantics: {0}")]
    Rejected(String),
    /// A certificate that does not show what it claims.
    #[error("a certificate is not accepted: {0}")]
    Uncertified(String),
    /// A proof of what another engine has refuted.
    #[error("a proof is contradicted: {0}")]
    Contradicted(String),
    /// The solver or something else that the engine stands on failed.
    #[error("{0}")]
    Failed(String),
    /// The engine was to stop and did not.
    #[error("the engine did not stop")]
    Unstoppable,
    /// The engine panicked.
    #[error("panic: {0}")]
    Panicked(String),
}
