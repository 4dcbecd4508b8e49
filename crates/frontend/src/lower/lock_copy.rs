//! Copies of locks. A lock's state is not in its bytes but with the object it lies in, so whoever copies a struct
//! copies that as well: as on the machine, the copy of a locked mutex is locked. POSIX leaves open what using such a
//! copy does.
//!
//! Where locks lie in a struct is told by the types that the program declares the library's functions with (a spin lock
//! is an `int` like any other). In characters, and where there are too many, locks are looked for when the program runs
//! (`models/moved.rs`).

use super::function::FunctionLowering;
use super::global::{LockType, lock_type};
use super::models::{self, Moved};
use super::place::advance;
use super::whole::Whole;
use crate::types::{ArrayLength, Qualified, Type, TypeId, Types};
use selvedge_program::GhostField::{
    Attribute, BarrierArrived, BarrierThreshold, Destroyed, MutexCount, MutexKind, MutexOwner, OnceState, Readers,
    SemaphoreValue, SpinOwner, WaitingWriters, WriteOwner,
};
use selvedge_program::{Access, AtomicStep, Atomicity, Expr, GhostField, Place};

/// The most locks of an object that are copied one by one.
const MOST_LOCKS: usize = 64;

/// The fewest characters that a lock can lie in.
const LEAST_BYTES: u64 = 4;

const MUTEX: &[GhostField] = &[MutexOwner, MutexKind, MutexCount, Destroyed];
const READ_WRITE: &[GhostField] = &[WriteOwner, Readers, MutexKind, WaitingWriters, Destroyed];

/// What the names of functions begin with whose first argument points to a lock or to attributes, and the state of
/// that.
const FAMILIES: &[(&str, &[GhostField])] = &[
    ("pthread_mutex_", MUTEX),
    ("mtx_", MUTEX),
    ("pthread_rwlock_", READ_WRITE),
    ("pthread_spin_", &[SpinOwner, Destroyed]),
    ("sem_", &[SemaphoreValue, Destroyed]),
    ("pthread_barrier_", &[BarrierThreshold, BarrierArrived, Destroyed]),
    ("pthread_cond_", &[Destroyed]),
    ("cnd_", &[Destroyed]),
    ("pthread_once", &[OnceState]),
    ("call_once", &[OnceState]),
    ("pthread_attr_", &[Attribute]),
    ("pthread_mutexattr_", &[Attribute]),
    ("pthread_rwlockattr_", &[Attribute]),
];

/// The types of locks and attributes, each with the state that goes with it.
pub type LockTypes = Vec<(TypeId, &'static [GhostField])>;

/// The types of locks and attributes, as far as their state is known to matter.
pub fn types_that_matter(whole: &Whole<'_>) -> LockTypes {
    let facts = whole.facts;
    let matters = |state: &[GhostField]| facts.moved.is_nothing() || state.iter().any(|field| facts.moves(*field));
    let mut found = declared_types(whole);
    found.retain(|(_, state)| matters(state));
    found
}

/// Whether locks or atomics can lie in an object of a type; a spin lock is an `int` like any other.
pub fn may_hold_locks(whole: &Whole<'_>, ty: Qualified) -> bool {
    holds_locks(whole, &declared_types(whole), ty, 0)
}

fn holds_locks(whole: &Whole<'_>, locks: &LockTypes, ty: Qualified, depth: u32) -> bool {
    const DEEPEST: u32 = 16;
    let types = whole.types();
    match types.get(ty.ty) {
        _ if ty.qualifiers.is_atomic || depth > DEEPEST => true,
        Type::Record(_) => {
            locks.iter().any(|(lock, _)| *lock == ty.ty)
                || lock_type(whole, ty.ty).is_some()
                || types
                    .fields(ty.ty)
                    .unwrap_or_default()
                    .iter()
                    .any(|field| holds_locks(whole, locks, field.ty, depth + 1))
        }
        Type::Array { element, .. } => holds_locks(whole, locks, *element, depth + 1),
        _ => false,
    }
}

/// The types that the program declares the library's functions with.
fn declared_types(whole: &Whole<'_>) -> LockTypes {
    let mut found = LockTypes::new();
    for (unit, linked) in whole.input.units.iter().enumerate() {
        for (id, function) in linked.unit.functions.iter().enumerate() {
            let entity = whole.links.function(unit, crate::hir::FunctionId::new(id));
            let name = whole.function_name(entity);
            let family = FAMILIES.iter().find(|(prefix, _)| name.starts_with(prefix) && models::is_known(name));
            let types = whole.types();
            let first = types.function_type(function.ty).and_then(|ty| ty.parameters.first());
            let pointee = first.and_then(|parameter| types.pointee(parameter.ty));
            if let (Some((_, state)), Some(pointee)) = (family, pointee)
                && !found.contains(&(pointee.ty, *state))
            {
                found.push((pointee.ty, *state));
            }
        }
    }
    found
}

/// A part of an object that is copied with the locks in it.
#[derive(Clone, Copy, Debug)]
enum Copied {
    /// A lock at an offset, with its state.
    Lock(u64, &'static [GhostField]),
    /// Bytes from an offset on, in which locks may lie.
    Bytes(u64, u64),
}

/// The parts of a type in which locks can lie.
fn parts(whole: &Whole<'_>, ty: TypeId) -> Vec<Copied> {
    let mut found = Vec::new();
    let size = whole.types().size(ty).unwrap_or(0);
    let is_untyped = whole.lock_types().iter().any(|(lock, _)| *lock == Types::VOID);
    if is_untyped || add_parts(whole, ty, 0, &mut found).is_none() {
        return vec![Copied::Bytes(0, size)];
    }
    found
}

/// Adds the parts of a type at an offset; `None` if there are too many.
fn add_parts(whole: &Whole<'_>, ty: TypeId, offset: u64, found: &mut Vec<Copied>) -> Option<()> {
    let types = whole.types();
    let by_shape = lock_type(whole, ty).map(|(lock, _)| match lock {
        LockType::Mutex => MUTEX,
        LockType::ReadWrite => READ_WRITE,
    });
    let declared = whole.lock_types().iter().filter(|(lock, _)| *lock == ty).map(|(_, state)| *state);
    let states: Vec<_> = declared.chain(by_shape).collect();
    if !states.is_empty() {
        found.extend(states.into_iter().map(|state| Copied::Lock(offset, state)));
        return (found.len() <= MOST_LOCKS).then_some(());
    }
    match types.get(ty) {
        Type::Record(_) => {
            for field in types.fields(ty).unwrap_or_default().iter().filter(|field| field.bits.is_none()) {
                add_parts(whole, field.ty.ty, offset + field.offset, found)?;
            }
        }
        Type::Array { element, length: ArrayLength::Known(length) } => {
            let stride = types.size(element.ty).unwrap_or(0);
            let mut first = Vec::new();
            add_parts(whole, element.ty, 0, &mut first)?;
            let is_number = !types.is_aggregate(element.ty) && types.element(element.ty).is_none();
            if is_number && (stride == 1 || !first.is_empty()) {
                found.extend((length * stride >= LEAST_BYTES).then_some(Copied::Bytes(offset, length * stride)));
                return (found.len() <= MOST_LOCKS).then_some(());
            }
            for index in 0..if first.is_empty() { 0 } else { *length } {
                add_parts(whole, element.ty, offset + index * stride, found)?;
            }
        }
        _ => {}
    }
    Some(())
}

/// A lock of which the initialiser can say what kind it is, within an object.
#[derive(Clone, Copy, Debug)]
pub struct Lock {
    /// Where it lies.
    pub offset: u64,
    /// What it is.
    pub ty: LockType,
    /// Where its kind lies.
    pub kind_at: u64,
}

/// The locks within a type of which an initialiser can say what kind they are. `None` if there are too many.
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

impl FunctionLowering<'_, '_> {
    /// Copies the state of the locks in an object of a type.
    pub fn copy_locks(&mut self, target: &Expr, source: &Expr, ty: TypeId) {
        let found = parts(self.whole, ty);
        self.builder.program.moves_memory |= !found.is_empty();
        let facts = self.whole.facts;
        for part in found {
            match part {
                Copied::Lock(offset, state) => self.copy_lock(target, source, offset, state),
                Copied::Bytes(offset, size) => {
                    let size = Expr::constant(self.builder.pointer_width(), u128::from(size));
                    for (base, moved) in [(source, Moved::Copied), (target, Moved::Overwritten)] {
                        models::move_locks(&mut self.builder, facts, &advance(base.clone(), offset), &size, moved);
                    }
                }
            }
        }
    }

    fn copy_lock(&mut self, target: &Expr, source: &Expr, offset: u64, state: &[GhostField]) {
        let mut steps = Vec::new();
        for field in state.iter().copied().filter(|field| self.whole.facts.moves(*field)) {
            let (width, display) = super::builder::ghost_type(field, self.builder.program.data_model);
            let register = self.builder.temporary(width, display);
            let value = self.builder.value(register);
            steps.push(AtomicStep::Read { target: register, access: plain(source, offset, field) });
            steps.push(AtomicStep::Write { when: Expr::truth(), access: plain(target, offset, field), value });
        }
        if !steps.is_empty() {
            self.builder.emit(selvedge_program::Action::Atomic(steps));
        }
    }
}
