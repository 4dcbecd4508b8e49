//! Spin locks: the owner is a thread or null. Locking one's own lock again spins for ever.

use super::arguments::{choose, int_result};
use super::errno::EBUSY;
use super::{ModelCall, Modelled};
use selvedge_program::{Display, Expr, GhostField, LockKind, LockMode, Operation, Undefined};

const LOCK: Operation = Operation::Acquire(LockKind::Spin, LockMode::Exclusive);
const UNLOCK: Operation = Operation::Release(LockKind::Spin, LockMode::Exclusive);

/// `pthread_spin_lock`.
pub(super) fn lock(call: &mut ModelCall<'_, '_>) -> Modelled {
    let (lock, me, null) = (call.pointer(0), call.function.self_thread(), call.function.null());
    let mut update = call.use_object(&lock);
    let owner = update.read_ghost(lock.clone(), GhostField::SpinOwner);
    update.guard(Expr::equal(owner, null));
    update.mark(LOCK, lock.clone());
    update.write_ghost(lock, GhostField::SpinOwner, me);
    update.commit();
    int_result(0)
}

/// `pthread_spin_trylock`.
pub(super) fn try_lock(call: &mut ModelCall<'_, '_>) -> Modelled {
    let (lock, me, null) = (call.pointer(0), call.function.self_thread(), call.function.null());
    let mut update = call.use_object(&lock);
    let owner = update.read_ghost(lock.clone(), GhostField::SpinOwner);
    let free = Expr::equal(owner, null);
    update.mark_when(free.clone(), LOCK, lock.clone());
    update.write_ghost_when(free.clone(), lock, GhostField::SpinOwner, me);
    update.commit();
    Modelled::Value(choose(free, 0, EBUSY), Display::Signed)
}

/// `pthread_spin_unlock`.
pub(super) fn unlock(call: &mut ModelCall<'_, '_>) -> Modelled {
    let (lock, me, null) = (call.pointer(0), call.function.self_thread(), call.function.null());
    let mut update = call.use_object(&lock);
    let owner = update.read_ghost(lock.clone(), GhostField::SpinOwner);
    update.require(Expr::equal(owner, me), Undefined::UnlockNotHeld);
    update.mark(UNLOCK, lock.clone());
    update.write_ghost(lock, GhostField::SpinOwner, null);
    update.commit();
    int_result(0)
}

/// `pthread_spin_init`.
pub(super) fn init(call: &mut ModelCall<'_, '_>) -> Modelled {
    let (lock, null) = (call.pointer(0), call.function.null());
    call.initialise(&lock, vec![(GhostField::SpinOwner, null)]);
    int_result(0)
}

/// `pthread_spin_destroy`.
pub(super) fn destroy(call: &mut ModelCall<'_, '_>) -> Modelled {
    let lock = call.pointer(0);
    call.destroy(&lock, &[(GhostField::SpinOwner, 0)]);
    int_result(0)
}
