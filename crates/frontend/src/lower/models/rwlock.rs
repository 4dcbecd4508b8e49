//! Read-write locks: a writer or a number of readers.
//!
//! As in the C library for Linux, locking what the executing thread holds for writing returns `EDEADLK`. Readers are
//! counted, not named: unlocking while only others hold read locks is not noticed. At the largest count, a reader
//! waits, where the C library may return `EAGAIN`. Readers may overtake waiting
//! writers, but not where the lock is of the kind that prefers writers and is not for recursive readers: then a writer
//! that has to wait is counted, and further readers wait for it as long as others read. Only programs that can have
//! such locks pay for it.

use super::arguments::{choose, int, int_result};
use super::errno::{EBUSY, EDEADLK, ETIMEDOUT};
use super::ghost::set;
use super::mutex::set_attribute;
use super::{ModelCall, Modelled};
use crate::lower::builder::AtomicBuilder;
use selvedge_program::{
    BinaryOp, Display, Expr, GhostField, LocationId, LockKind, LockMode, Operation, RegisterId, Undefined,
};

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
    /// In programs with locks that prefer writers: the kind, and how many writers wait.
    preference: Option<(Expr, Expr)>,
}

/// `PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP`. The other kinds prefer readers, whatever their names say.
pub(super) const PREFERS_WRITERS: i128 = 2;

/// How many read locks there can be at a time: who would be one more waits.
const MOST_READERS: u128 = u32::MAX as u128;

/// A lock that an update is about.
#[derive(Clone, Debug)]
struct Subject {
    lock: Expr,
    me: Expr,
    null: Expr,
    has_preferences: bool,
}

impl Seen {
    fn read(update: &mut AtomicBuilder<'_, '_>, subject: Subject) -> Seen {
        let Subject { lock, me, null, has_preferences } = subject;
        let writer = update.read_ghost(lock.clone(), GhostField::WriteOwner);
        let readers = update.read_ghost(lock.clone(), GhostField::Readers);
        let preference = has_preferences.then(|| {
            let kind = update.read_ghost(lock.clone(), GhostField::MutexKind);
            (kind, update.read_ghost(lock.clone(), GhostField::WaitingWriters))
        });
        Seen { lock, me, null, writer, readers, preference }
    }

    fn is_available(&self, mode: Mode) -> Expr {
        let unwritten = Expr::equal(self.writer.clone(), self.null.clone());
        match mode {
            Mode::Read => {
                let readable = unwritten.and(self.has_most_readers().not());
                match self.is_awaited() {
                    Some(awaited) => readable.and(awaited.and(self.has_readers()).not()),
                    None => readable,
                }
            }
            Mode::Write => unwritten.and(self.has_readers().not()),
        }
    }

    /// Whether the lock prefers writers.
    fn prefers_writers(&self) -> Option<Expr> {
        let (kind, _) = self.preference.as_ref()?;
        Some(Expr::equal(kind.clone(), Expr::constant(32, PREFERS_WRITERS as u128)))
    }

    /// Whether a writer waits whom readers must let pass.
    fn is_awaited(&self) -> Option<Expr> {
        let (_, writers) = self.preference.as_ref()?;
        Some(self.prefers_writers()?.and(writers.clone().is_true()))
    }

    /// Counts one more or one less waiting writer.
    fn count_waiting(&self, update: &mut AtomicBuilder<'_, '_>, op: BinaryOp) {
        if let Some((_, writers)) = &self.preference {
            let count = Expr::binary(op, writers.clone(), Expr::constant(32, 1));
            update.write_ghost(self.lock.clone(), GhostField::WaitingWriters, count);
        }
    }

    fn has_readers(&self) -> Expr {
        self.readers.clone().is_true()
    }

    /// Whether no further read lock can be counted.
    fn has_most_readers(&self) -> Expr {
        Expr::equal(self.readers.clone(), Expr::constant(32, MOST_READERS))
    }

    fn is_mine(&self) -> Expr {
        Expr::equal(self.writer.clone(), self.me.clone())
    }

    /// Locks it after a guard that it is available, or held for writing by this thread.
    fn acquire(&self, update: &mut AtomicBuilder<'_, '_>, mode: Mode) {
        update.mark(acquire(mode), self.lock.clone());
        self.acquire_when(self.is_available(mode), update, mode);
    }

    fn acquire_when(&self, when: Expr, update: &mut AtomicBuilder<'_, '_>, mode: Mode) {
        match mode {
            Mode::Read => {
                let more = self.readers.clone().plus(1);
                update.write_ghost_when(when, self.lock.clone(), GhostField::Readers, more);
            }
            Mode::Write => update.write_ghost_when(when, self.lock.clone(), GhostField::WriteOwner, self.me.clone()),
        }
    }
}

fn acquire(mode: Mode) -> Operation {
    let mode = match mode {
        Mode::Read => LockMode::Shared,
        Mode::Write => LockMode::Exclusive,
    };
    Operation::Acquire(LockKind::ReadWrite, mode)
}

fn release(mode: LockMode) -> Operation {
    Operation::Release(LockKind::ReadWrite, mode)
}

fn subject(call: &mut ModelCall<'_, '_>) -> Subject {
    let (me, null, has_preferences) = (call.function.self_thread(), call.function.null(), call.facts.prefers_writers);
    Subject { lock: call.pointer(0), me, null, has_preferences }
}

fn lock(call: &mut ModelCall<'_, '_>, mode: Mode) -> Modelled {
    if mode == Mode::Write && call.facts.prefers_writers {
        return counted_write_lock(call, Patience::Unlimited);
    }
    let subject = subject(call);
    let mut update = call.use_object(&subject.lock);
    let seen = Seen::read(&mut update, subject);
    update.guard(seen.is_available(mode).or(seen.is_mine()));
    seen.acquire(&mut update, mode);
    update.commit();
    Modelled::Value(choose(seen.is_mine(), EDEADLK, 0), Display::Signed)
}

/// How long a lock waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Patience {
    Unlimited,
    /// The time can run out whenever the lock is not available.
    Limited,
}

/// Locks for writing: at once, or after having been counted as one who waits.
fn counted_write_lock(call: &mut ModelCall<'_, '_>, patience: Patience) -> Modelled {
    let (subject, mode) = (subject(call), Mode::Write);
    let (status, waiting, end) = (call.status(), call.function.location(), call.function.location());
    let lock_at_once = |call: &mut ModelCall<'_, '_>| {
        let mut update = call.use_object(&subject.lock);
        let seen = Seen::read(&mut update, subject.clone());
        update.guard(seen.is_available(mode).or(seen.is_mine()));
        seen.acquire(&mut update, mode);
        set(&mut update, status, choose(seen.is_mine(), EDEADLK, 0));
        update.commit_to(end);
    };
    lock_at_once(call);
    if patience == Patience::Limited {
        give_up(call, &subject, Counted::No, status, end);
    }
    let mut update = call.use_object(&subject.lock);
    let seen = Seen::read(&mut update, subject.clone());
    let must_wait = seen.is_available(mode).or(seen.is_mine()).not();
    update.guard(must_wait.and(seen.prefers_writers().unwrap_or_else(Expr::falsehood)));
    seen.count_waiting(&mut update, BinaryOp::Add);
    update.commit_to(waiting);

    call.function.stand_at(waiting);
    let mut update = call.use_object(&subject.lock);
    let seen = Seen::read(&mut update, subject.clone());
    update.guard(seen.is_available(mode));
    seen.acquire(&mut update, mode);
    seen.count_waiting(&mut update, BinaryOp::Subtract);
    set(&mut update, status, int(0));
    update.commit_to(end);
    if patience == Patience::Limited {
        give_up(call, &subject, Counted::Yes, status, end);
    }
    call.function.stand_at(end);
    call.status_result(status)
}

/// Whether a thread that waits has been counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Counted {
    No,
    Yes,
}

/// The time has run out for a writer.
fn give_up(call: &mut ModelCall<'_, '_>, subject: &Subject, counted: Counted, status: RegisterId, end: LocationId) {
    let mut update = call.use_object(&subject.lock);
    let seen = Seen::read(&mut update, subject.clone());
    update.guard(seen.is_available(Mode::Write).or(seen.is_mine()).not());
    if counted == Counted::Yes {
        seen.count_waiting(&mut update, BinaryOp::Subtract);
    }
    set(&mut update, status, int(ETIMEDOUT));
    update.commit_to(end);
}

fn try_lock(call: &mut ModelCall<'_, '_>, mode: Mode) -> Modelled {
    let subject = subject(call);
    let mut update = call.use_object(&subject.lock);
    let seen = Seen::read(&mut update, subject);
    let available = match seen.is_awaited().filter(|_| mode == Mode::Read) {
        Some(awaited) => seen.is_available(mode).and(awaited.not()),
        None => seen.is_available(mode),
    };
    update.mark_when(available.clone(), acquire(mode), seen.lock.clone());
    seen.acquire_when(available.clone(), &mut update, mode);
    update.commit();
    Modelled::Value(choose(available, 0, EBUSY), Display::Signed)
}

/// The time can run out whenever the lock is not available.
fn timed_lock(call: &mut ModelCall<'_, '_>, mode: Mode) -> Modelled {
    call.read_time(call.arguments.len().saturating_sub(1).max(1));
    if mode == Mode::Write && call.facts.prefers_writers {
        return counted_write_lock(call, Patience::Limited);
    }
    let subject = subject(call);
    let (status, end) = (call.status(), call.function.location());
    let mut update = call.use_object(&subject.lock);
    let seen = Seen::read(&mut update, subject.clone());
    update.guard(seen.is_available(mode).or(seen.is_mine()));
    seen.acquire(&mut update, mode);
    set(&mut update, status, choose(seen.is_mine(), EDEADLK, 0));
    update.commit_to(end);

    let mut update = call.use_object(&subject.lock);
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
    let (lock, null) = (subject.lock.clone(), subject.null.clone());
    let mut update = call.use_object(&lock);
    let seen = Seen::read(&mut update, subject);
    update.require(seen.is_mine().or(seen.has_readers()), Undefined::UnlockNotHeld);
    let fewer = Expr::binary(BinaryOp::Subtract, seen.readers.clone(), Expr::constant(32, 1));
    update.mark_when(seen.is_mine().not(), release(LockMode::Shared), lock.clone());
    update.mark_when(seen.is_mine(), release(LockMode::Exclusive), lock.clone());
    update.write_ghost_when(seen.is_mine().not(), lock.clone(), GhostField::Readers, fewer);
    update.write_ghost_when(seen.is_mine(), lock, GhostField::WriteOwner, null);
    update.commit();
    int_result(0)
}

/// `pthread_rwlock_init`.
pub(super) fn init(call: &mut ModelCall<'_, '_>) -> Modelled {
    let (lock, attribute) = (call.pointer(0), call.pointer(1));
    let (null, none) = (call.function.null(), call.ghost(GhostField::Readers, 0));
    let mut fields = vec![(GhostField::WriteOwner, null), (GhostField::Readers, none.clone())];
    if call.facts.prefers_writers {
        let kind = call.attribute_or_zero(attribute);
        fields.push((GhostField::MutexKind, kind));
        fields.push((GhostField::WaitingWriters, none));
    }
    call.initialise(&lock, fields);
    int_result(0)
}

/// `pthread_rwlock_destroy`.
pub(super) fn destroy(call: &mut ModelCall<'_, '_>) -> Modelled {
    let lock = call.pointer(0);
    call.destroy(&lock, &[(GhostField::WriteOwner, 0), (GhostField::Readers, 0)]);
    int_result(0)
}

/// `pthread_rwlockattr_setkind_np`.
pub(super) fn set_preference(call: &mut ModelCall<'_, '_>) -> Modelled {
    set_attribute(call, PREFERS_WRITERS as i32)
}
