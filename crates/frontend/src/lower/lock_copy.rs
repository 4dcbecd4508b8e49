//! Copies of locks. A lock's state is not in its bytes but with the object it lies in, so whoever copies a struct copies that as well:
//! as on the machine, the copy of a locked mutex is locked. POSIX leaves open what using such a copy does.
//!
//! Where bytes are moved by the library (`memcpy`, `realloc`) as many locks as there are cannot be known beforehand: if one of them is
//! in use, that is not modelled. Only pointers that show by their type what they point to are looked at.

use super::function::FunctionLowering;
use super::global::{LockType, lock_type};
use super::library;
use super::place::advance;
use super::whole::{Target, Whole};
use crate::hir::{Expr as Typed, ExprKind};
use crate::types::{ArrayLength, Type, TypeId, Types};
use selvedge_program::{Access, AtomicStep, Atomicity, Expr, GhostField, Place};

/// The most locks of an object that are copied one by one.
const MOST_LOCKS: usize = 64;

/// A lock within an object.
#[derive(Clone, Copy, Debug)]
pub struct Lock {
    /// Where it lies.
    pub offset: u64,
    /// What it is.
    pub ty: LockType,
    /// Where its kind lies.
    pub kind_at: u64,
}

/// The locks within a type. `None` if there are too many.
pub fn locks_within(whole: &Whole<'_>, ty: TypeId) -> Option<Vec<Lock>> {
    let mut found = Vec::new();
    locks(whole, ty, 0, &mut found)?;
    Some(found)
}

fn locks(whole: &Whole<'_>, ty: TypeId, offset: u64, found: &mut Vec<Lock>) -> Option<()> {
    let types = whole.types();
    if let Some((lock, kind_at)) = lock_type(whole, ty) {
        if !found.iter().any(|lock| lock.offset == offset) {
            found.push(Lock { offset, ty: lock, kind_at: offset + kind_at });
        }
        return (found.len() <= MOST_LOCKS).then_some(());
    }
    match types.get(ty) {
        Type::Record(_) => {
            for field in types.fields(ty).unwrap_or_default() {
                locks(whole, field.ty.ty, offset + field.offset, found)?;
            }
        }
        Type::Array { element, length: ArrayLength::Known(length) } => {
            let stride = types.size(element.ty).unwrap_or(0);
            let mut first = Vec::new();
            locks(whole, element.ty, 0, &mut first)?;
            for index in 0..if first.is_empty() { 0 } else { *length } {
                locks(whole, element.ty, offset + index * stride, found)?;
            }
        }
        _ => {}
    }
    Some(())
}

fn plain(base: &Expr, offset: u64, field: GhostField) -> Access {
    let place = Place::Ghost { address: advance(base.clone(), offset), field };
    Access { place, atomicity: Atomicity::Plain }
}

impl<'h> FunctionLowering<'_, 'h> {
    /// The state that a lock has in this program.
    fn lock_state(&self, lock: LockType) -> Vec<GhostField> {
        let facts = self.whole.facts;
        match lock {
            LockType::Mutex if facts.has_mutex_kinds => {
                vec![GhostField::MutexOwner, GhostField::MutexKind, GhostField::MutexCount]
            }
            LockType::Mutex => vec![GhostField::MutexOwner],
            LockType::ReadWrite if facts.prefers_writers => {
                vec![GhostField::WriteOwner, GhostField::Readers, GhostField::MutexKind, GhostField::WaitingWriters]
            }
            LockType::ReadWrite => vec![GhostField::WriteOwner, GhostField::Readers],
        }
    }

    /// Copies the state of the locks in an object of a type.
    pub fn copy_locks(&mut self, target: &Expr, source: &Expr, ty: TypeId) {
        let Some(found) = locks_within(self.whole, ty) else {
            return self.builder.unsupported("a copy of an object with more than 64 locks");
        };
        for Lock { offset, ty, .. } in found {
            let mut steps = Vec::new();
            for field in self.lock_state(ty) {
                let (width, display) = super::builder::ghost_type(field, self.builder.program.data_model);
                let register = self.builder.temporary(width, display);
                let value = self.builder.value(register);
                steps.push(AtomicStep::Read { target: register, access: plain(source, offset, field) });
                steps.push(AtomicStep::Write { when: Expr::truth(), access: plain(target, offset, field), value });
            }
            self.builder.emit(selvedge_program::Action::Atomic(steps));
        }
    }

    /// Before the library moves what an argument points to: not modelled if a lock in it is in use.
    pub fn check_moved_locks(&mut self, name: &str, arguments: &'h [Typed], values: &[Expr]) {
        let types = self.types();
        let (moved, size) = match (name, values) {
            ("memcpy" | "memmove" | "mempcpy" | "__mempcpy", [_, source, size]) => (1, Some((source, size))),
            ("bcopy", [source, _, size]) => (0, Some((source, size))),
            ("realloc" | "reallocarray", _) => (0, None),
            _ => return,
        };
        let Some(ty) = arguments.get(moved).and_then(|argument| pointee_before_conversion(types, argument)) else {
            return;
        };
        let Some(found) = locks_within(self.whole, ty) else {
            return self.builder.unsupported("a copy of an object with more than 64 locks");
        };
        let stride = types.size(ty).unwrap_or(0).max(1);
        let width = self.builder.pointer_width();
        let number = |value: u64| Expr::constant(width, u128::from(value));
        for Lock { offset, .. } in found {
            let (model, arguments) = match size {
                Some((source, size)) => {
                    ("__selvedge_locks_in_use", vec![source.clone(), size.clone(), number(stride), number(offset)])
                }
                None => ("__selvedge_any_lock_in_use", vec![values[0].clone(), number(stride), number(offset)]),
            };
            if let Some(Target::Defined(entity)) = library::find(self.whole, &[model]) {
                let in_use = library::call_c(self.whole, &mut self.builder, entity, &[], arguments, Types::INT);
                let (copied, end) = (self.builder.location(), self.builder.location());
                self.builder.branch(in_use.is_true(), copied, end);
                self.builder.stand_at(copied);
                self.builder.unsupported("a byte by byte copy of a lock that is in use, or not of the default kind");
                self.builder.stand_at(end);
            }
        }
    }
}

/// What an argument points to, by its type before it was converted to the parameter's.
fn pointee_before_conversion(types: &Types, argument: &Typed) -> Option<TypeId> {
    let mut inner = argument;
    while let ExprKind::Convert(operand) = &inner.kind
        && types.is_pointer(operand.ty)
    {
        inner = operand;
    }
    types.pointee(inner.ty).map(|pointee| pointee.ty)
}
