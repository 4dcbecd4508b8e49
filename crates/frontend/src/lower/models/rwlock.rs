//! Read-write locks: a writer or a number of readers.
//!
//! As in the C library for Linux, locking what the executing thread holds for writing returns `EDEADLK`. Readers are counted,
//! not named: unlocking while only others hold read locks is not noticed. Readers may overtake waiting writers.

use super::arguments::{choose, int, int_result};
use super::errno::{EBUSY, EDEADLK, ETIMEDOUT};
use super::ghost::set;
use super::{ModelCall, Modelled};
use crate::lower::builder::AtomicBuilder;
use selvedge_program::{BinaryOp, Display, Expr, GhostField, Undefined};

/// How a lock is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Read,
    Write,
}

/// What is read of a lock in one update.
struct Seen {
    lock: Expr,
    me: Expr,
    null: Expr,
    writer: Expr,
    readers: Expr,
}

impl Seen {
    fn read(update: &mut AtomicBuilder<'_, '_>, (lock, me, null): (Expr, Expr, Expr)) -> Seen {
        let writer = update.read_ghost(lock.clone(), GhostField::WriteOwner);
        let readers = update.read_ghost(lock.clone(), GhostField::Readers);
        Seen { lock, me, null, writer, readers }
    }

    fn is_available(&self, mode: Mode) -> Expr {
        let unwritten = Expr::equal(self.writer.clone(), self.null.clone());
        match mode {
            Mode::Read => unwritten,
            Mode::Write => unwritten.and(self.has_readers().not()),
        }
    }

    fn has_readers(&self) -> Expr {
        self.readers.clone().is_true()
    }

    fn is_mine(&self) -> Expr {
        Expr::equal(self.writer.clone(), self.me.clone())
    }

    fn acquire(&self, update: &mut AtomicBuilder<'_, '_>, mode: Mode) {
        let when = self.is_available(mode);
        match mode {
            Mode::Read => {
                let more = self.readers.clone().plus(1);
                update.write_ghost_when(when, self.lock.clone(), GhostField::Readers, more);
            }
            Mode::Write => update.write_ghost_when(when, self.lock.clone(), GhostField::WriteOwner, self.me.clone()),
        }
    }
}

fn subject(call: &mut ModelCall<'_, '_>) -> (Expr, Expr, Expr) {
    (call.pointer(0), call.function.self_thread(), call.function.null())
}

fn lock(call: &mut ModelCall<'_, '_>, mode: Mode) -> Modelled {
    let subject = subject(call);
    let mut update = call.use_object(&subject.0);
    let seen = Seen::read(&mut update, subject);
    update.guard(seen.is_available(mode).or(seen.is_mine()));
    seen.acquire(&mut update, mode);
    update.commit();
    Modelled::Value(choose(seen.is_mine(), EDEADLK, 0), Display::Signed)
}

fn try_lock(call: &mut ModelCall<'_, '_>, mode: Mode) -> Modelled {
    let subject = subject(call);
    let mut update = call.use_object(&subject.0);
    let seen = Seen::read(&mut update, subject);
    seen.acquire(&mut update, mode);
    update.commit();
    Modelled::Value(choose(seen.is_available(mode), 0, EBUSY), Display::Signed)
}

/// The time can run out whenever the lock is not available.
fn timed_lock(call: &mut ModelCall<'_, '_>, mode: Mode) -> Modelled {
    let subject = subject(call);
    call.read_time(call.arguments.len().saturating_sub(1).max(1));
    let (status, end) = (call.status(), call.function.location());
    let mut update = call.use_object(&subject.0);
    let seen = Seen::read(&mut update, subject.clone());
    update.guard(seen.is_available(mode).or(seen.is_mine()));
    seen.acquire(&mut update, mode);
    set(&mut update, status, choose(seen.is_mine(), EDEADLK, 0));
    update.commit_to(end);

    let mut update = call.use_object(&subject.0);
    let seen = Seen::read(&mut update, subject);
    update.guard(seen.is_available(mode).or(seen.is_mine()).not());
    set(&mut update, status, int(ETIMEDOUT));
    update.commit_to(end);
    call.function.stand_at(end);
    call.status_result(status)
}

/// `pthread_rwlock_rdlock`.
pub(super) fn read_lock(call: &mut ModelCall<'_, '_>) -> Modelled {
    lock(call, Mode::Read)
}

/// `pthread_rwlock_wrlock`.
pub(super) fn write_lock(call: &mut ModelCall<'_, '_>) -> Modelled {
    lock(call, Mode::Write)
}

/// `pthread_rwlock_tryrdlock`.
pub(super) fn try_read_lock(call: &mut ModelCall<'_, '_>) -> Modelled {
    try_lock(call, Mode::Read)
}

/// `pthread_rwlock_trywrlock`.
pub(super) fn try_write_lock(call: &mut ModelCall<'_, '_>) -> Modelled {
    try_lock(call, Mode::Write)
}

/// `pthread_rwlock_timedrdlock`, `pthread_rwlock_clockrdlock`.
pub(super) fn timed_read_lock(call: &mut ModelCall<'_, '_>) -> Modelled {
    timed_lock(call, Mode::Read)
}

/// `pthread_rwlock_timedwrlock`, `pthread_rwlock_clockwrlock`.
pub(super) fn timed_write_lock(call: &mut ModelCall<'_, '_>) -> Modelled {
    timed_lock(call, Mode::Write)
}

/// `pthread_rwlock_unlock`.
pub(super) fn unlock(call: &mut ModelCall<'_, '_>) -> Modelled {
    let subject = subject(call);
    let (lock, null) = (subject.0.clone(), subject.2.clone());
    let mut update = call.use_object(&subject.0);
    let seen = Seen::read(&mut update, subject);
    update.require(seen.is_mine().or(seen.has_readers()), Undefined::UnlockNotHeld);
    let fewer = Expr::binary(BinaryOp::Subtract, seen.readers.clone(), Expr::constant(32, 1));
    update.write_ghost_when(seen.is_mine().not(), lock.clone(), GhostField::Readers, fewer);
    update.write_ghost_when(seen.is_mine(), lock, GhostField::WriteOwner, null);
    update.commit();
    int_result(0)
}

/// `pthread_rwlock_init`.
pub(super) fn init(call: &mut ModelCall<'_, '_>) -> Modelled {
    let lock = call.pointer(0);
    let (null, none) = (call.function.null(), call.ghost(GhostField::Readers, 0));
    call.initialise(&lock, vec![(GhostField::WriteOwner, null), (GhostField::Readers, none)]);
    int_result(0)
}

/// `pthread_rwlock_destroy`.
pub(super) fn destroy(call: &mut ModelCall<'_, '_>) -> Modelled {
    let lock = call.pointer(0);
    call.destroy(&lock, &[(GhostField::WriteOwner, 0), (GhostField::Readers, 0)]);
    int_result(0)
}

/// `pthread_rwlockattr_setkind_np`: glibc prefers readers with the first two kinds; with the third, readers wait for waiting writers.
pub(super) fn set_preference(call: &mut ModelCall<'_, '_>) -> Modelled {
    const WRITERS: i32 = 2;
    let message = "a read-write lock that prefers writers";
    let prefers_writers = Expr::equal(call.int(1), int(WRITERS));
    call.when(prefers_writers, |call| call.function.unsupported(message));
    int_result(0)
}
