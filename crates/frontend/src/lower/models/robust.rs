//! Robust mutexes (POSIX `PTHREAD_MUTEX_ROBUST`): locking one whose owner has ended takes it and says `EOWNERDEAD`; it
//! is then inconsistent until `pthread_mutex_consistent`, and if it is unlocked before that nobody gets it any more:
//! `ENOTRECOVERABLE`.
//!
//! All that is kept with the kind of the mutex, as bits beyond those of the kind itself, in programs that ask for such
//! mutexes.

use super::arguments::{choose, int};
use super::errno::{EINVAL, ENOTRECOVERABLE, EOWNERDEAD};
use super::ghost::set;
use super::mutex::{Codes, Seen};
use super::{ModelCall, Modelled};
use selvedge_program::{BinaryOp, Display, Expr, GhostField};

/// The bits of the kind itself.
pub(super) const KIND: u128 = 3;
/// The mutex is robust; of an attribute object as well.
pub(super) const ROBUST: u128 = 4;
/// Its owner before this one ended with it.
pub(super) const INCONSISTENT: u128 = 8;
/// It was unlocked in that state.
pub(super) const LOST: u128 = 16;

/// Some bits of a number.
pub(super) fn bits(value: &Expr, mask: u128) -> Expr {
    Expr::binary(BinaryOp::And, value.clone(), Expr::constant(value.width(), mask))
}

/// A number with some bits turned over.
pub(super) fn turned(value: &Expr, mask: u128) -> Expr {
    Expr::binary(BinaryOp::Xor, value.clone(), Expr::constant(value.width(), mask))
}

/// What a thread does that finds the mutex held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Patience {
    /// It waits.
    Waits,
    /// It goes on at once.
    Tries,
    /// It waits for some time.
    TimesOut,
}

/// Locks a mutex that may be robust.
pub(super) fn lock(call: &mut ModelCall<'_, '_>, patience: Patience) -> Modelled {
    let (codes, mutex) = (Codes::of(call.name), call.pointer(0));
    let (subject, status, end) = (call.mutex(mutex.clone()), call.status(), call.function.location());

    let mut update = call.use_object(&mutex);
    let seen = Seen::read(&mut update, subject.clone());
    update.guard(seen.is_abandoned());
    seen.inherit(&mut update);
    set(&mut update, status, int(EOWNERDEAD));
    update.commit_to(end);

    let mut update = call.use_object(&mutex);
    let seen = Seen::read(&mut update, subject.clone());
    update.guard(seen.is_lost());
    set(&mut update, status, int(ENOTRECOVERABLE));
    update.commit_to(end);

    let mut update = call.use_object(&mutex);
    let seen = Seen::read(&mut update, subject.clone());
    if patience == Patience::Tries {
        update.guard(seen.is_lost().or(seen.is_abandoned()).not());
        seen.acquire(&mut update);
        set(&mut update, status, choose(seen.is_free().or(seen.is_again()), 0, codes.busy));
    } else {
        update.guard(seen.is_passable().and(seen.is_lost().not()));
        seen.acquire(&mut update);
        set(&mut update, status, choose(seen.is_reported(), codes.would_deadlock, 0));
    }
    update.commit_to(end);

    if patience == Patience::TimesOut {
        let mut update = call.use_object(&mutex);
        let seen = Seen::read(&mut update, subject);
        update.guard(seen.is_passable().or(seen.is_lost()).or(seen.is_abandoned()).not());
        set(&mut update, status, int(codes.timed_out));
        update.commit_to(end);
    }
    call.function.stand_at(end);
    call.status_result(status)
}

impl ModelCall<'_, '_> {
    /// A way on from here for a thread that takes a mutex again after it has waited for a condition: that its owner has
    /// ended, or that it is lost, is not modelled there.
    pub(super) fn refuse_dead_owner(&mut self, mutex: &Expr) {
        if !self.facts.has_robust {
            return;
        }
        let (here, dead) = (self.function.here(), self.function.location());
        let subject = self.mutex(mutex.clone());
        let mut update = self.function.atomic();
        let seen = Seen::read(&mut update, subject);
        update.guard(seen.is_abandoned().or(seen.is_lost()));
        update.commit_to(dead);
        self.function.stand_at(dead);
        self.function.unsupported("a wait for a condition with a robust mutex whose owner has ended");
        self.function.stand_at(here);
    }
}

/// `pthread_mutex_consistent`: `EINVAL` unless the mutex is inconsistent and this thread holds it.
pub(super) fn make_consistent(call: &mut ModelCall<'_, '_>) -> Modelled {
    let mutex = call.pointer(0);
    let subject = call.mutex(mutex.clone());
    let mut update = call.use_object(&mutex);
    let seen = Seen::read(&mut update, subject);
    let mends = seen.is_mine().and(seen.has(INCONSISTENT));
    if let Some(kind) = seen.kind() {
        update.write_ghost_when(mends.clone(), mutex, GhostField::MutexKind, turned(kind, INCONSISTENT));
    }
    update.commit();
    Modelled::Value(choose(mends, 0, EINVAL), Display::Signed)
}

/// `pthread_mutexattr_setrobust`: a bit of the attribute beside the kind.
pub(super) fn set_robust(call: &mut ModelCall<'_, '_>) -> Modelled {
    let (attribute, value) = (call.pointer(0), call.unsigned(1));
    let fits = Expr::binary(BinaryOp::LessUnsigned, value.clone(), Expr::constant(32, 2));
    call.when(fits.clone(), |call| {
        let old = call.load_ghost(attribute.clone(), GhostField::Attribute);
        let robust = Expr::if_then_else(value.is_true(), Expr::constant(32, ROBUST), Expr::constant(32, 0));
        let new = Expr::binary(BinaryOp::Or, bits(&old, KIND), robust);
        call.store_ghost(attribute, GhostField::Attribute, new);
    });
    Modelled::Value(choose(fits, 0, EINVAL), Display::Signed)
}

/// `pthread_mutexattr_getrobust`.
pub(super) fn get_robust(call: &mut ModelCall<'_, '_>) -> Modelled {
    let attribute = call.pointer(0);
    let value = call.load_ghost(attribute, GhostField::Attribute);
    call.store_through(1, 4, bits(&value, ROBUST).is_true().resize_unsigned(32));
    super::arguments::int_result(0)
}
