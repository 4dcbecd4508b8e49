//! Locks that were tried for: whether they are held is known when what came of it has been looked at.
//!
//! Of an attempt is kept what would be so if it had failed: a condition that does not hold, and values of registers. A
//! branch that contradicts that shows that the lock is held.

use std::collections::{BTreeMap, BTreeSet};

use selvedge_program::{Base, BinaryOp, Bits, Expr, LockMode, RegisterId, UnaryOp};

use super::held::Held;
use super::names::Name;

/// The locks that are held, and those that were tried for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Holding {
    pub held: Held,
    pub tried: BTreeMap<(Name, LockMode), Failed>,
    /// Registers that hold the executing thread, having been read from the owner of a mutex that it held.
    pub own: BTreeSet<RegisterId>,
    /// Where the handle of a thread was left last, if nothing else is ever left there.
    pub handle: Option<Expr>,
    /// Registers that hold what was found there.
    pub handles: BTreeSet<RegisterId>,
}

/// What is so if an attempt has failed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Failed {
    /// What does not hold then.
    unless: Option<Expr>,
    /// What registers hold then.
    values: BTreeMap<RegisterId, Bits>,
}

/// What a function returns, among the registers of its caller.
pub const RESULT: RegisterId = RegisterId(u32::MAX);

impl Failed {
    /// An attempt that has succeeded if a condition holds.
    pub fn unless(condition: Expr) -> Failed {
        Failed { unless: Some(condition), values: BTreeMap::new() }
    }

    /// An attempt of which only the value of a register tells.
    pub fn told_by(register: RegisterId, value: Bits) -> Failed {
        Failed { unless: None, values: [(register, value)].into() }
    }

    /// The value of an expression, if the attempt has failed.
    pub fn value(&self, expr: &Expr) -> Option<Bits> {
        if self.unless.as_ref() == Some(expr) {
            return Some(Bits::new(1, 0));
        }
        match expr {
            Expr::Constant(bits) => Some(*bits),
            Expr::Register(register, _) => self.values.get(register).copied(),
            Expr::Address(..) => None,
            Expr::Unary(op, operand) => Some(op.apply(self.value(operand)?)),
            Expr::Convert(conversion, width, operand) => conversion.apply(*width, self.value(operand)?).ok(),
            Expr::Binary(op, left, right) => match (op, self.value(left), self.value(right)) {
                (_, Some(left), Some(right)) => op.apply(left, right).ok(),
                (BinaryOp::And, Some(bits), None) | (BinaryOp::And, None, Some(bits)) if bits.is_zero() => Some(bits),
                _ => None,
            },
            Expr::IfThenElse(condition, then, otherwise) => {
                self.value(if self.value(condition)?.is_zero() { otherwise } else { then })
            }
        }
    }

    /// A register gets a value, or one that is not known.
    pub fn assign(&mut self, register: RegisterId, value: Option<&Expr>) {
        let value = value.and_then(|value| self.value(value));
        self.unless.take_if(|condition| condition.mentions(&[register]));
        match value {
            Some(value) => self.values.insert(register, value),
            None => self.values.remove(&register),
        };
    }

    /// What is so on both of two ways.
    fn meet(&self, other: &Failed) -> Failed {
        let is_same = |(register, value): &(&RegisterId, &Bits)| other.values.get(register) == Some(value);
        Failed {
            unless: self.unless.clone().filter(|condition| other.unless.as_ref() == Some(condition)),
            values: self.values.iter().filter(is_same).map(|(register, value)| (*register, *value)).collect(),
        }
    }

    fn tells_nothing(&self) -> bool {
        self.unless.is_none() && self.values.is_empty()
    }
}

impl Holding {
    pub fn is_empty(&self) -> bool {
        let Holding { held, tried, own, handle, handles } = self;
        held.is_empty() && tried.is_empty() && own.is_empty() && handle.is_none() && handles.is_empty()
    }

    pub fn hold(&mut self, name: Name, mode: LockMode) {
        let held = self.held.entry(name).or_insert(mode);
        *held = (*held).max(mode);
    }

    pub fn retain(&mut self, is_kept: impl Fn(Name) -> bool) {
        self.held.retain(|name, _| is_kept(*name));
        self.tried.retain(|(name, _), _| is_kept(*name));
    }

    /// A register is not what it was.
    pub fn forget(&mut self, register: RegisterId) {
        self.own.remove(&register);
        self.handles.remove(&register);
        self.handle.take_if(|handle| handle.mentions(&[register]));
    }

    /// Whether a branch is never taken: it needs another thread where this one is, or none where there is one.
    pub fn excludes(&self, condition: &Expr) -> bool {
        !(self.own.is_empty() && self.handles.is_empty()) && self.truth(condition) == Some(false)
    }

    fn truth(&self, condition: &Expr) -> Option<bool> {
        match condition {
            Expr::Constant(bits) => Some(!bits.is_zero()),
            Expr::Unary(UnaryOp::Not, operand) if condition.width() == 1 => Some(!self.truth(operand)?),
            Expr::Binary(BinaryOp::And, left, right) if condition.width() == 1 => {
                match (self.truth(left), self.truth(right)) {
                    (Some(false), _) | (_, Some(false)) => Some(false),
                    (Some(true), Some(true)) => Some(true),
                    _ => None,
                }
            }
            Expr::Binary(BinaryOp::Or, left, right) if condition.width() == 1 => {
                match (self.truth(left), self.truth(right)) {
                    (Some(true), _) | (_, Some(true)) => Some(true),
                    (Some(false), Some(false)) => Some(false),
                    _ => None,
                }
            }
            Expr::Binary(BinaryOp::Equal, left, right) => match (&**left, &**right) {
                (Expr::Register(register, _), Expr::Address(Base::SelfThread, _))
                | (Expr::Address(Base::SelfThread, _), Expr::Register(register, _)) => {
                    self.own.contains(register).then_some(true)
                }
                (Expr::Register(register, _), Expr::Constant(bits))
                | (Expr::Constant(bits), Expr::Register(register, _))
                    if bits.is_zero() =>
                {
                    self.handles.contains(register).then_some(false)
                }
                _ => None,
            },
            Expr::Register(..)
            | Expr::Address(..)
            | Expr::Unary(..)
            | Expr::Binary(..)
            | Expr::Convert(..)
            | Expr::IfThenElse(..) => None,
        }
    }

    /// A branch is taken: attempts that cannot have failed have succeeded.
    pub fn branch(&mut self, condition: &Expr) {
        let succeeded = |failed: &Failed| failed.value(condition).is_some_and(|bits| bits.is_zero());
        let taken: Vec<(Name, LockMode)> =
            self.tried.iter().filter(|(_, failed)| succeeded(failed)).map(|(tried, _)| *tried).collect();
        for (name, mode) in taken {
            self.hold(name, mode);
        }
    }

    pub fn assign(&mut self, register: RegisterId, value: Option<&Expr>) {
        self.tried.values_mut().for_each(|failed| failed.assign(register, value));
        self.tried.retain(|_, failed| !failed.tells_nothing());
    }

    /// What is so on both of two ways. Where a lock is held on one of them, it is as if it had been tried for.
    pub fn meet(&self, other: &Holding) -> Holding {
        let both = |(name, mode): (&Name, &LockMode)| Some((*name, *other.held.get(name)?.min(mode)));
        let held = self.held.iter().filter_map(both).collect();
        let mut tried = BTreeMap::new();
        let keys = self.tried.keys().chain(other.tried.keys());
        for (name, mode) in keys {
            let key = (*name, *mode);
            let is_held = |holding: &Holding| holding.held.get(name).is_some_and(|held| held >= mode);
            let failed = match (self.tried.get(&key), other.tried.get(&key)) {
                (Some(failed), Some(_)) if is_held(other) => failed.clone(),
                (Some(_), Some(failed)) if is_held(self) => failed.clone(),
                (Some(a), Some(b)) => a.meet(b),
                (Some(failed), None) if is_held(other) => failed.clone(),
                (None, Some(failed)) if is_held(self) => failed.clone(),
                _ => continue,
            };
            if !failed.tells_nothing() {
                tried.insert(key, failed);
            }
        }
        let handle = self.handle.clone().filter(|handle| other.handle.as_ref() == Some(handle));
        Holding { held, tried, own: &self.own & &other.own, handle, handles: &self.handles & &other.handles }
    }
}
