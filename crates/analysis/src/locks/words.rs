//! Locks that a program makes itself, of a word in static memory: taken by an exchange or a compare-and-swap that finds
//! 0 and leaves another constant, given up by writing 0. What a compare-and-swap finds equals what is in a register
//! where that certainly holds 0 ([`super::expected`]).
//!
//! Whoever holds such a lock has found the word 0 and made it something else. As long as nobody else writes 0, nobody
//! else finds 0, so that at most one thread holds it. Writing constants other than 0 takes it from nobody. Any other
//! write, and writing 0 without holding it, may take it from whoever holds it ([`super::flow`] looks for these).

use super::expected::Expected;
use super::names::split;
use super::update::{Effect, LockFamily, Update};
use crate::points_to::SharedTargets;
use crate::{AbstractObject, Offset, PointsTo, Target};
use selvedge_program::{
    AccessKind, Action, AtomicStep, Base, EdgeId, Expr, FunctionId, LockMode, ObjectId, ObjectKind, Place, Program,
    RegisterId, Touched,
};
use std::collections::BTreeSet;

/// A word in static memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Word {
    object: ObjectId,
    offset: i64,
    size: u32,
}

/// The words that are taken as locks somewhere.
#[derive(Clone, Debug, Default)]
pub struct Words {
    all: BTreeSet<Word>,
    expected: Expected,
}

/// A write to a place in memory by an update or a store.
struct Write<'a> {
    word: Word,
    address: &'a Expr,
    when: Option<&'a Expr>,
    value: &'a Expr,
}

impl Words {
    /// Finds them.
    pub fn of(program: &Program, points_to: &PointsTo) -> Words {
        let mut words = Words { all: BTreeSet::new(), expected: Expected::of(program, points_to) };
        for (index, function) in program.functions.iter().enumerate() {
            for (position, edge) in function.edges.iter().enumerate() {
                let zeros = words.expected.zeros(FunctionId::new(index), EdgeId::new(position));
                for write in writes(&edge.action) {
                    let is_variable = program.object(write.word.object).kind == ObjectKind::Global;
                    if is_variable && taken_if(&edge.action, &write, zeros).is_some() {
                        words.all.insert(write.word);
                    }
                }
            }
        }
        words
    }

    /// What the action of an edge does to them as locks.
    pub fn updates(&self, function: FunctionId, edge: EdgeId, action: &Action) -> Vec<Update> {
        if self.all.is_empty() {
            return Vec::new();
        }
        let zeros = self.expected.zeros(function, edge);
        let effect = |write: &Write<'_>| match taken_if(action, write, zeros) {
            Some(when) => Some(Effect::Acquire(when, LockMode::Exclusive)),
            None => is_constant(write.value, |value| value == 0).then_some(Effect::Release(LockMode::Exclusive)),
        };
        let known = writes(action).into_iter().filter(|write| self.all.contains(&write.word));
        let updates = known.filter_map(|write| Some((write.address.clone(), effect(&write)?)));
        updates.map(|(address, effect)| Update { address, family: LockFamily::Word, effect }).collect()
    }

    /// What an action may overwrite of them in other ways than as locks are.
    pub fn overwritten(&self, points_to: &PointsTo, function: FunctionId, action: &Action) -> Vec<SharedTargets> {
        if self.all.is_empty() {
            return Vec::new();
        }
        let known = writes(action);
        let mut found = Vec::new();
        for touch in action.touches().iter().filter(|touch| touch.mode.kind == AccessKind::Write) {
            let size = match touch.what {
                Touched::Bytes(size) => size,
                Touched::Ghost(_) => continue,
                Touched::CString | Touched::Whole => u64::MAX,
            };
            let place = place_of(touch.address);
            let is_as_lock = |write: &Write<'_>| {
                place == Some((write.word.object, write.word.offset))
                    && u64::from(write.word.size) == size
                    && (self.all.contains(&write.word) && is_constant(write.value, |_| true))
            };
            if known.iter().any(is_as_lock) {
                continue;
            }
            let targets = points_to.shared_targets_of(function, touch.address);
            let hit = self.all.iter().filter(|word| may_hit(&targets, size, word)).map(|word| Target {
                object: AbstractObject::Static(word.object),
                offset: Offset { start: word.offset, stride: 0 },
            });
            found.extend(hit.map(SharedTargets::single));
        }
        found
    }
}

fn may_hit(targets: &SharedTargets, size: u64, word: &Word) -> bool {
    let object = AbstractObject::Static(word.object);
    let first = targets.partition_point(|target| target.object < object);
    let here = Offset { start: word.offset, stride: 0 };
    let overlaps = |target: &Target| size == u64::MAX || target.offset.may_overlap(size, here, u64::from(word.size));
    targets[first..].iter().take_while(|target| target.object == object).any(overlaps)
}

fn place_of(address: &Expr) -> Option<(ObjectId, i64)> {
    match split(address) {
        (Expr::Address(Base::Object(object), _), offset) => Some((*object, offset)),
        _ => None,
    }
}

/// The writes to static memory of an action, by stores and updates.
fn writes(action: &Action) -> Vec<Write<'_>> {
    if let Action::Store { access, value } = action {
        return write(&access.place, None, value).into_iter().collect();
    }
    action.steps().iter().filter_map(written).collect()
}

fn written(step: &AtomicStep) -> Option<Write<'_>> {
    match step {
        AtomicStep::Write { when, access, value } => write(&access.place, Some(when), value),
        AtomicStep::Read { .. }
        | AtomicStep::Let { .. }
        | AtomicStep::Guard(_)
        | AtomicStep::Spurious
        | AtomicStep::Require(..)
        | AtomicStep::PickThread { .. }
        | AtomicStep::WriteThreads { .. }
        | AtomicStep::Mark { .. } => None,
    }
}

fn write<'a>(place: &'a Place, when: Option<&'a Expr>, value: &'a Expr) -> Option<Write<'a>> {
    let Place::Memory { address, size, .. } = place else { return None };
    let (object, offset) = place_of(address)?;
    Some(Write { word: Word { object, offset, size: *size }, address, when, value })
}

/// Whether the executing thread has taken a lock by a write, in terms of the word's value before: it has read the word
/// into a register that keeps it, and nothing else is written by the update. `zeros`: registers that hold 0.
fn taken_if(action: &Action, write: &Write<'_>, zeros: &[RegisterId]) -> Option<Expr> {
    let when = write.when?;
    let steps = action.steps();
    let count = steps.iter().filter(|step| matches!(step, AtomicStep::Write { .. })).count();
    if count != 1 || !is_constant(write.value, |value| value != 0) {
        return None;
    }
    let (old, size) = steps.iter().find_map(|step| match step {
        AtomicStep::Read { target, access } => match &access.place {
            Place::Memory { address, size, .. }
                if place_of(address) == Some((write.word.object, write.word.offset)) =>
            {
                (*size == write.word.size && access.atomicity.is_atomic()).then_some((*target, *size))
            }
            Place::Memory { .. } | Place::Ghost { .. } => None,
        },
        AtomicStep::Let { .. }
        | AtomicStep::Guard(_)
        | AtomicStep::Spurious
        | AtomicStep::Require(..)
        | AtomicStep::Write { .. }
        | AtomicStep::PickThread { .. }
        | AtomicStep::WriteThreads { .. }
        | AtomicStep::Mark { .. } => None,
    })?;
    let is_kept = action.assigned().iter().filter(|register| **register == old).count() == 1;
    let old = Expr::register(old, 8 * size);
    let was_free = Expr::equal(old.clone(), Expr::constant(8 * size, 0));
    let is_comparison = |zero: &RegisterId| {
        let zero = Expr::register(*zero, 8 * size);
        *when == Expr::equal(old.clone(), zero.clone()) || *when == Expr::equal(zero, old.clone())
    };
    if is_kept && zeros.iter().any(is_comparison) {
        return Some(when.clone());
    }
    (is_kept && (*when == Expr::truth() || *when == was_free)).then_some(was_free)
}

fn is_constant(value: &Expr, is: impl Fn(u128) -> bool) -> bool {
    matches!(value, Expr::Constant(bits) if is(bits.unsigned()))
}
