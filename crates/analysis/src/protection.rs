//! Why no two accesses to a shared object race, as far as facts alone say, or how nearly: it is never accessed by two
//! threads at once, only read while others run, or guarded by a lock. A reason for people and a hint where to look,
//! never a verdict.

use crate::conflicts::Found;
use crate::locks::Guarded;
use crate::{AbstractObject, Facts, Field};
use selvedge_program::Exhausted;
use std::collections::BTreeMap;

/// How an object is protected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Protection {
    /// No two threads access it at once, one of them writing: they come one after the other.
    Apart,
    /// It is only read while several threads may be alive.
    ReadOnly,
    /// By a lock, at all accesses or at some.
    Guarded(Guarded),
}

impl Protection {
    /// How the shared objects are protected, as far as anything is known of that.
    ///
    /// # Errors
    /// The limit that was reached before what is needed for it was found.
    pub fn of_all(facts: &Facts) -> Result<BTreeMap<AbstractObject, Protection>, Exhausted> {
        let mut guarded = facts.guarded()?;
        let mut protections = BTreeMap::new();
        for (object, found) in &facts.conflicts()?.of_object {
            let guarded = guarded.remove(object);
            let protection = match (found, guarded) {
                (_, Some(guarded)) if guarded.writes == 0 => Protection::ReadOnly,
                (Found::Pairs(pairs), _) if pairs.is_empty() => Protection::Apart,
                (_, Some(guarded)) if guarded.guard.is_some() => Protection::Guarded(guarded),
                (Found::Pairs(_) | Found::TooMany { .. }, _) => continue,
            };
            protections.insert(*object, protection);
        }
        Ok(protections)
    }

    /// The same of the fields of shared objects.
    ///
    /// # Errors
    /// As above.
    pub fn of_fields(facts: &Facts) -> Result<BTreeMap<(AbstractObject, Field), Option<Protection>>, Exhausted> {
        let protection = |guarded: Guarded| match guarded {
            Guarded { writes: 0, .. } => Some(Protection::ReadOnly),
            Guarded { guard: Some(_), .. } => Some(Protection::Guarded(guarded)),
            Guarded { guard: None, .. } => None,
        };
        Ok(facts.guarded_fields()?.into_iter().map(|(key, guarded)| (key, protection(guarded))).collect())
    }
}
