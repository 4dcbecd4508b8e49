//! What is known of locks at one location, and how it changes within a function.

use super::names::{Foreign, rewrite};
use super::update::value_unless;
use super::{Held, LockId};
use selvedge_program::{Expr, LockMode, RegisterId};
use std::collections::BTreeMap;

/// What is known at a location.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Known {
    /// The locks that are held.
    pub held: Held,
    /// Attempts at locks of which it is not known yet whether they succeeded.
    pub attempts: Vec<Attempt>,
}

/// An attempt to take a lock.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Attempt {
    /// The lock.
    pub lock: LockId,
    /// How it is held if it succeeded.
    pub mode: LockMode,
    /// Whether it did.
    pub when: Expr,
    /// The registers that were computed from those of the condition, with how.
    values: BTreeMap<RegisterId, Expr>,
}

impl Known {
    /// Whether nothing is.
    pub fn is_nothing(&self) -> bool {
        self.held.is_empty() && self.attempts.is_empty()
    }

    /// Only what is held.
    pub fn of(held: Held) -> Known {
        Known { held, attempts: Vec::new() }
    }

    /// What is known in both; whether this is less than before.
    pub fn meet(&mut self, other: &Known) -> bool {
        let mut is_less = false;
        self.held.retain(|lock, mode| {
            let there = other.held.get(lock).copied();
            let both = there.map(|there| there.min(*mode));
            is_less |= both != Some(*mode);
            *mode = both.unwrap_or(*mode);
            both.is_some()
        });
        let before = self.attempts.len();
        self.attempts.retain(|attempt| other.attempts.contains(attempt));
        is_less || self.attempts.len() != before
    }

    /// Keeps what is known of some locks.
    pub fn retain(&mut self, mut is_kept: impl FnMut(LockId) -> bool) {
        self.held.retain(|lock, _| is_kept(*lock));
        self.attempts.retain(|attempt| is_kept(attempt.lock));
    }

    /// A lock is taken if a condition holds.
    pub fn acquire(&mut self, lock: LockId, when: &Expr, mode: LockMode) {
        if *when == Expr::truth() {
            let held = self.held.entry(lock).or_insert(mode);
            *held = (*held).max(mode);
        } else {
            self.attempts.push(Attempt { lock, mode, when: when.clone(), values: BTreeMap::new() });
        }
    }

    /// A branch may tell that attempts succeeded.
    pub fn branch(&mut self, condition: &Expr) {
        for attempt in &self.attempts {
            let condition = attempt.in_its_terms(condition);
            if value_unless(&condition, &attempt.when).is_some_and(|bits| bits.is_zero()) {
                let held = self.held.entry(attempt.lock).or_insert(attempt.mode);
                *held = (*held).max(attempt.mode);
            }
        }
    }

    /// A register gets another value: what attempts know of it is forgotten.
    pub fn forget_value(&mut self, register: RegisterId) {
        self.attempts.retain(|attempt| !attempt.when.mentions(&[register]));
        for attempt in &mut self.attempts {
            attempt.values.retain(|target, value| *target != register && !value.mentions(&[register]));
        }
    }

    /// A register gets a value that does not depend on what it was.
    pub fn learn_value(&mut self, register: RegisterId, value: &Expr) {
        for attempt in &mut self.attempts {
            let value = attempt.in_its_terms(value);
            let mut is_related = false;
            value.for_each_register(&mut |used| is_related |= attempt.when.mentions(&[used]));
            if is_related {
                attempt.values.insert(register, value);
            }
        }
    }
}

impl Attempt {
    /// An expression with registers replaced by what they were computed from.
    fn in_its_terms(&self, expr: &Expr) -> Expr {
        if self.values.is_empty() {
            return expr.clone();
        }
        let replacement = |part: &Expr| match part {
            Expr::Register(register, _) => Ok(self.values.get(register).cloned()),
            _ => Ok(None),
        };
        rewrite(expr, &replacement).unwrap_or_else(|Foreign| expr.clone())
    }
}
