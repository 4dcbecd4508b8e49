//! Mutexes, of pthreads and of C11: the owner is a thread or null.
//!
//! The kind matters only in programs that can have others than the default one ([`LibraryUse`](super::LibraryUse)): a
//! recursive mutex counts its owner's locks, an error-checking one returns an error. Locking the default kind again
//! blocks for ever, and unlocking it without holding it is undefined. An adaptive mutex is a default one. Priority
//! protocols and ceilings have no meaning, and sharing between processes makes no difference within one. What is
//! different with robust mutexes is in `robust.rs`.

use super::arguments::{choose, int, int_result};
use super::errno::{EBUSY, EDEADLK, EINVAL, EPERM, ETIMEDOUT};
use super::ghost::{read_plain, set};
use super::robust::{self, Patience};
use super::{LibraryUse, ModelCall, Modelled};
use crate::lower::builder::AtomicBuilder;
use selvedge_program::{Display, Expr, GhostField, LockKind, LockMode, Operation, Undefined};

const LOCK: Operation = Operation::Acquire(LockKind::Mutex, LockMode::Exclusive);
const UNLOCK: Operation = Operation::Release(LockKind::Mutex, LockMode::Exclusive);

/// The kinds that differ from the default, as `PTHREAD_MUTEX_…` numbers them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Counts.
    Recursive = 1,
    /// Reports errors.
    ErrorCheck = 2,
}

/// The results of pthreads or of C11.
#[derive(Clone, Copy, Debug)]
pub(super) struct Codes {
    pub busy: i32,
    pub timed_out: i32,
    pub would_deadlock: i32,
    pub not_owner: i32,
    pub invalid: i32,
}

impl Codes {
    /// By the family that a function's name belongs to.
    pub(super) fn of(name: &str) -> Codes {
        if name.starts_with("mtx_") || name.starts_with("cnd_") || name.starts_with("thrd_") {
            use super::c11_threads::{THRD_BUSY, THRD_ERROR, THRD_TIMEDOUT};
            let (busy, timed_out, error) = (THRD_BUSY, THRD_TIMEDOUT, THRD_ERROR);
            Codes { busy, timed_out, would_deadlock: error, not_owner: error, invalid: error }
        } else {
            let (would_deadlock, not_owner) = (EDEADLK, EPERM);
            Codes { busy: EBUSY, timed_out: ETIMEDOUT, would_deadlock, not_owner, invalid: EINVAL }
        }
    }
}

/// What is read of a mutex in one update, and what follows from it.
pub(super) struct Seen {
    mutex: Expr,
    me: Expr,
    null: Expr,
    owner: Expr,
    kinds: Option<(Expr, Expr)>,
    /// Where there are robust mutexes: whether somebody holds it who has ended.
    is_ended: Option<Expr>,
}

impl Seen {
    /// Reads the mutex.
    pub(super) fn read(update: &mut AtomicBuilder<'_, '_>, subject: Subject) -> Seen {
        let Subject { mutex, me, null, has_kinds, has_robust } = subject;
        let owner = update.read_ghost(mutex.clone(), GhostField::MutexOwner);
        let kinds = has_kinds.then(|| {
            let kind = update.read_ghost(mutex.clone(), GhostField::MutexKind);
            (kind, update.read_ghost(mutex.clone(), GhostField::MutexCount))
        });
        let is_ended = has_robust.then(|| {
            let is_free = Expr::equal(owner.clone(), null.clone());
            let whom = Expr::if_then_else(is_free.clone(), me.clone(), owner.clone());
            is_free.not().and(update.read_ghost(whom, GhostField::ThreadStatus).is_true())
        });
        Seen { mutex, me, null, owner, kinds, is_ended }
    }

    /// Nobody holds it.
    pub(super) fn is_free(&self) -> Expr {
        Expr::equal(self.owner.clone(), self.null.clone())
    }

    /// The executing thread holds it.
    pub(super) fn is_mine(&self) -> Expr {
        Expr::equal(self.owner.clone(), self.me.clone())
    }

    fn is_kind(&self, kind: Kind) -> Expr {
        match &self.kinds {
            Some((actual, _)) if self.is_ended.is_some() => {
                Expr::equal(robust::bits(actual, robust::KIND), Expr::constant(32, kind as u128))
            }
            Some((actual, _)) => Expr::equal(actual.clone(), Expr::constant(32, kind as u128)),
            None => Expr::falsehood(),
        }
    }

    /// Its kind with all that is kept there.
    pub(super) fn kind(&self) -> Option<&Expr> {
        self.kinds.as_ref().map(|(kind, _)| kind)
    }

    /// Whether a bit of a robust mutex is set.
    pub(super) fn has(&self, bit: u128) -> Expr {
        match (&self.kinds, &self.is_ended) {
            (Some((kind, _)), Some(_)) => robust::bits(kind, bit).is_true(),
            _ => Expr::falsehood(),
        }
    }

    /// It is robust and its owner has ended.
    pub(super) fn is_abandoned(&self) -> Expr {
        match &self.is_ended {
            Some(is_ended) => is_ended.clone().and(self.has(robust::ROBUST)),
            None => Expr::falsehood(),
        }
    }

    /// Nobody gets it any more.
    pub(super) fn is_lost(&self) -> Expr {
        self.has(robust::LOST)
    }

    /// Takes it over from an owner who has ended.
    pub(super) fn inherit(&self, update: &mut AtomicBuilder<'_, '_>) {
        update.write_ghost(self.mutex.clone(), GhostField::MutexOwner, self.me.clone());
        update.write_ghost(self.mutex.clone(), GhostField::MutexCount, Expr::constant(32, 1));
        if let Some(kind) = self.kind() {
            let inconsistent = Expr::constant(32, robust::INCONSISTENT);
            let kind = Expr::binary(selvedge_program::BinaryOp::Or, kind.clone(), inconsistent);
            update.write_ghost(self.mutex.clone(), GhostField::MutexKind, kind);
        }
    }

    /// It is free, or held by this thread and of a kind that does not mind.
    pub(super) fn is_passable(&self) -> Expr {
        self.or(self.or(self.is_free(), self.is_again()), self.is_reported())
    }

    /// The executing thread holds it and may lock it again.
    pub(super) fn is_again(&self) -> Expr {
        self.when_kinds(|| self.is_mine().and(self.is_kind(Kind::Recursive)))
    }

    /// The executing thread holds it and is told so when it locks it again.
    pub(super) fn is_reported(&self) -> Expr {
        self.when_kinds(|| self.is_mine().and(self.is_kind(Kind::ErrorCheck)))
    }

    fn when_kinds(&self, condition: impl FnOnce() -> Expr) -> Expr {
        if self.kinds.is_some() { condition() } else { Expr::falsehood() }
    }

    fn or(&self, left: Expr, right: Expr) -> Expr {
        if right == Expr::falsehood() { left } else { left.or(right) }
    }

    /// Locks it after a guard that it is free, or held by this thread and of a kind that does not mind.
    fn acquire_guarded(&self, update: &mut AtomicBuilder<'_, '_>) {
        update.guard(self.is_passable());
        self.take(update);
    }

    /// Locks it where a guard has seen to it that this can be.
    fn take(&self, update: &mut AtomicBuilder<'_, '_>) {
        update.mark(LOCK, self.mutex.clone());
        match &self.kinds {
            None => update.write_ghost(self.mutex.clone(), GhostField::MutexOwner, self.me.clone()),
            Some(_) => self.acquire(update),
        }
    }

    /// Locks it as a thread does that comes back from waiting, after a guard that it is free or that this thread kept
    /// it.
    pub(super) fn take_back(&self, update: &mut AtomicBuilder<'_, '_>) {
        let is_lost = self.is_lost();
        let can_be_taken = self.or(self.is_free(), self.is_again());
        update.guard(if is_lost == Expr::falsehood() { can_be_taken } else { can_be_taken.and(is_lost.not()) });
        self.take(update);
    }

    /// Locks it if it is free, once more if it may be locked again.
    pub(super) fn acquire(&self, update: &mut AtomicBuilder<'_, '_>) {
        update.write_ghost_when(self.is_free(), self.mutex.clone(), GhostField::MutexOwner, self.me.clone());
        if let Some((_, count)) = &self.kinds {
            let more = Expr::if_then_else(self.is_free(), Expr::constant(32, 1), count.clone().plus(1));
            let when = self.is_free().or(self.is_again());
            update.write_ghost_when(when, self.mutex.clone(), GhostField::MutexCount, more);
        }
    }

    /// Undefined unless the mutex is held or is of a kind that reports.
    pub(super) fn require_held(&self, update: &mut AtomicBuilder<'_, '_>) {
        let reports = self.when_kinds(|| self.is_kind(Kind::Recursive).or(self.is_kind(Kind::ErrorCheck)));
        let reports = self.or(reports, self.has(robust::ROBUST));
        update.require(self.or(self.is_mine(), reports), Undefined::UnlockNotHeld);
    }

    /// Gives it up once if it is held. A recursive mutex that was locked more often stays locked, also while its owner
    /// waits for a condition: that is what glibc does, and POSIX leaves it open.
    pub(super) fn give_up(&self, update: &mut AtomicBuilder<'_, '_>) {
        let Some((_, count)) = &self.kinds else {
            update.mark(UNLOCK, self.mutex.clone());
            update.write_ghost(self.mutex.clone(), GhostField::MutexOwner, self.null.clone());
            return;
        };
        let one = Expr::constant(32, 1);
        let last = self.is_mine().and(Expr::equal(count.clone(), one.clone()));
        let fewer = Expr::binary(selvedge_program::BinaryOp::Subtract, count.clone(), one);
        update.mark_when(last.clone(), UNLOCK, self.mutex.clone());
        update.write_ghost_when(self.is_mine(), self.mutex.clone(), GhostField::MutexCount, fewer);
        update.write_ghost_when(last.clone(), self.mutex.clone(), GhostField::MutexOwner, self.null.clone());
        if let Some(kind) = self.kind().filter(|_| self.is_ended.is_some()) {
            // Left as its last owner but one left it.
            let lost = robust::turned(kind, robust::INCONSISTENT | robust::LOST);
            let when = last.and(self.has(robust::INCONSISTENT));
            update.write_ghost_when(when, self.mutex.clone(), GhostField::MutexKind, lost);
        }
    }
}

/// A mutex that an update is about.
#[derive(Clone, Debug)]
pub(super) struct Subject {
    mutex: Expr,
    me: Expr,
    null: Expr,
    has_kinds: bool,
    has_robust: bool,
}

impl ModelCall<'_, '_> {
    /// The mutex at an address.
    pub(super) fn mutex(&self, mutex: Expr) -> Subject {
        let (me, null) = (self.function.self_thread(), self.function.null());
        let LibraryUse { has_mutex_kinds: has_kinds, has_robust, .. } = self.facts;
        Subject { mutex, me, null, has_kinds, has_robust }
    }
}

/// `pthread_mutex_lock`, `mtx_lock`.
pub(super) fn lock(call: &mut ModelCall<'_, '_>) -> Modelled {
    if call.facts.has_robust {
        return robust::lock(call, Patience::Waits);
    }
    let codes = Codes::of(call.name);
    let mutex = call.pointer(0);
    let subject = call.mutex(mutex.clone());
    let mut update = call.use_object(&mutex);
    let seen = Seen::read(&mut update, subject);
    seen.acquire_guarded(&mut update);
    update.commit();
    match seen.is_reported() {
        Expr::Constant(_) => int_result(0),
        reported => Modelled::Value(choose(reported, codes.would_deadlock, 0), Display::Signed),
    }
}

/// `pthread_mutex_trylock`, `mtx_trylock`.
pub(super) fn try_lock(call: &mut ModelCall<'_, '_>) -> Modelled {
    if call.facts.has_robust {
        return robust::lock(call, Patience::Tries);
    }
    let codes = Codes::of(call.name);
    let mutex = call.pointer(0);
    let subject = call.mutex(mutex.clone());
    let mut update = call.use_object(&mutex);
    let seen = Seen::read(&mut update, subject);
    let locked = seen.or(seen.is_free(), seen.is_again());
    update.mark_when(locked.clone(), LOCK, mutex);
    seen.acquire(&mut update);
    update.commit();
    Modelled::Value(choose(locked, 0, codes.busy), Display::Signed)
}

/// `pthread_mutex_timedlock`, `pthread_mutex_clocklock`, `mtx_timedlock`: the time can run out whenever the mutex is
/// held.
pub(super) fn timed_lock(call: &mut ModelCall<'_, '_>) -> Modelled {
    let codes = Codes::of(call.name);
    let mutex = call.pointer(0);
    call.read_time(call.arguments.len().saturating_sub(1).max(1));
    if call.facts.has_robust {
        return robust::lock(call, Patience::TimesOut);
    }
    let (subject, status, end) = (call.mutex(mutex.clone()), call.status(), call.function.location());
    let mut update = call.use_object(&mutex);
    let seen = Seen::read(&mut update, subject.clone());
    seen.acquire_guarded(&mut update);
    set(&mut update, status, Expr::if_then_else(seen.is_reported(), int(codes.would_deadlock), int(0)));
    update.commit_to(end);

    let mut update = call.use_object(&mutex);
    let seen = Seen::read(&mut update, subject);
    update.guard(seen.is_passable().not());
    set(&mut update, status, int(codes.timed_out));
    update.commit_to(end);
    call.function.stand_at(end);
    call.status_result(status)
}

/// `pthread_mutex_unlock`, `mtx_unlock`.
pub(super) fn unlock(call: &mut ModelCall<'_, '_>) -> Modelled {
    let codes = Codes::of(call.name);
    let mutex = call.pointer(0);
    let subject = call.mutex(mutex.clone());
    let mut update = call.use_object(&mutex);
    let seen = Seen::read(&mut update, subject);
    seen.require_held(&mut update);
    seen.give_up(&mut update);
    update.commit();
    if seen.kinds.is_none() {
        return int_result(0);
    }
    Modelled::Value(choose(seen.is_mine(), 0, codes.not_owner), Display::Signed)
}

/// `pthread_mutex_init`.
pub(super) fn init(call: &mut ModelCall<'_, '_>) -> Modelled {
    let (mutex, attribute) = (call.pointer(0), call.pointer(1));
    let kind = call.attribute_or_zero(attribute);
    call.init_mutex(&mutex, kind);
    int_result(0)
}

impl ModelCall<'_, '_> {
    /// Sets up a mutex of a kind.
    pub(super) fn init_mutex(&mut self, mutex: &Expr, kind: Expr) {
        let mut fields = vec![(GhostField::MutexOwner, self.function.null())];
        if self.facts.has_mutex_kinds {
            fields.push((GhostField::MutexKind, kind));
            fields.push((GhostField::MutexCount, self.ghost(GhostField::MutexCount, 0)));
        }
        self.initialise(mutex, fields);
    }

    /// What an attribute object says; 0 if there is none.
    pub(super) fn attribute_or_zero(&mut self, attribute: Expr) -> Expr {
        if attribute == self.function.null() {
            return int(0);
        }
        let value = self.ghost_register(GhostField::Attribute);
        self.function.assign(value, int(0));
        self.when(attribute.clone().is_true(), |call| {
            let said = call.load_ghost(attribute, GhostField::Attribute);
            call.function.assign(value, said);
        });
        self.function.value(value)
    }
}

/// `pthread_mutex_destroy`, `mtx_destroy`.
pub(super) fn destroy(call: &mut ModelCall<'_, '_>) -> Modelled {
    let (mutex, codes) = (call.pointer(0), Codes::of(call.name));
    let (status, end) = (call.status(), call.function.location());
    // Destroying a mutex that is held is undefined, but the C library leaves it alone and says so: both ways are gone.
    let owner = call.ghost_register(GhostField::MutexOwner);
    let begin = call.function.here();
    call.destroy(&mutex, &[(GhostField::MutexOwner, 0)]);
    call.function.assign(status, int(0));
    call.function.jump(end);
    call.function.stand_at(begin);
    let null = call.function.null();
    let mut update = call.function.atomic();
    let held = read_plain(&mut update, owner, mutex, GhostField::MutexOwner, null.width());
    update.guard(Expr::equal(held, null).not());
    set(&mut update, status, int(codes.busy));
    update.commit_to(end);
    call.function.stand_at(end);
    call.status_result(status)
}

/// `pthread_mutexattr_init` and other attribute objects' initialisation: the one attribute we keep becomes 0.
pub(super) fn attribute_init(call: &mut ModelCall<'_, '_>) -> Modelled {
    let attribute = call.pointer(0);
    call.store_ghost(attribute, GhostField::Attribute, int(0));
    int_result(0)
}

/// `pthread_mutexattr_settype`.
pub(super) fn set_type(call: &mut ModelCall<'_, '_>) -> Modelled {
    if !call.facts.has_robust {
        return set_attribute(call, 3);
    }
    let attribute = call.pointer(0);
    let old = call.load_ghost(attribute.clone(), GhostField::Attribute);
    let result = set_attribute(call, 3);
    let new = call.load_ghost(attribute.clone(), GhostField::Attribute);
    let both = Expr::binary(selvedge_program::BinaryOp::Or, new, robust::bits(&old, robust::ROBUST));
    call.store_ghost(attribute, GhostField::Attribute, both);
    result
}

/// `pthread_mutexattr_gettype`.
pub(super) fn get_type(call: &mut ModelCall<'_, '_>) -> Modelled {
    let attribute = call.pointer(0);
    let value = call.load_ghost(attribute, GhostField::Attribute);
    let value = if call.facts.has_robust { robust::bits(&value, robust::KIND) } else { value };
    call.store_through(1, 4, value);
    int_result(0)
}

/// Sets the one attribute we keep to a number from 0 to a maximum; `EINVAL` for others.
pub(super) fn set_attribute(call: &mut ModelCall<'_, '_>, maximum: i32) -> Modelled {
    let (attribute, value) = (call.pointer(0), call.unsigned(1));
    let too_big =
        Expr::binary(selvedge_program::BinaryOp::LessUnsigned, Expr::constant(32, maximum as u128), value.clone());
    if let Expr::Constant(bits) = &value {
        if bits.unsigned() > maximum as u128 {
            return int_result(EINVAL);
        }
        call.store_ghost(attribute, GhostField::Attribute, value);
        return int_result(0);
    }
    call.when(too_big.clone().not(), |call| call.store_ghost(attribute, GhostField::Attribute, value));
    Modelled::Value(choose(too_big, EINVAL, 0), Display::Signed)
}

/// `pthread_attr_getdetachstate`.
pub(super) fn get_attribute(call: &mut ModelCall<'_, '_>) -> Modelled {
    let attribute = call.pointer(0);
    let value = call.load_ghost(attribute, GhostField::Attribute);
    call.store_through(1, 4, value);
    int_result(0)
}

/// `pthread_mutex_setprioceiling`: priorities have no meaning; the old ceiling is any number.
pub(super) fn set_ceiling(call: &mut ModelCall<'_, '_>) -> Modelled {
    let old = call.function.havoc(32, Display::Signed);
    call.store_unless_null(2, 4, old);
    int_result(0)
}
