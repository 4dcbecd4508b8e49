//! Unnamed semaphores: a value that is not below zero. Errors go through `errno`.

use super::arguments::{int, int_result};
use super::errno::{EAGAIN, EINTR, EINVAL, EOVERFLOW, ETIMEDOUT};
use super::ghost::set;
use super::{ModelCall, Modelled};
use selvedge_program::{AtomicStep, BinaryOp, Expr, GhostField, LocationId, Operation, RegisterId};

/// `SEM_VALUE_MAX`.
const MAXIMUM: u128 = i32::MAX as u128;

fn is_zero(value: &Expr) -> Expr {
    Expr::equal(value.clone(), Expr::constant(32, 0))
}

fn less_one(value: Expr) -> Expr {
    Expr::binary(BinaryOp::Subtract, value, Expr::constant(32, 1))
}

/// `sem_init`; whether processes share it makes no difference within one.
pub(super) fn init(call: &mut ModelCall<'_, '_>) -> Modelled {
    let (semaphore, value) = (call.pointer(0), call.unsigned(2));
    let too_big = Expr::binary(BinaryOp::LessUnsigned, Expr::constant(32, MAXIMUM), value.clone());
    let status = call.status();
    let (ok, bad, end) = (call.function.location(), call.function.location(), call.function.location());
    if let Expr::Constant(bits) = &value
        && bits.unsigned() <= MAXIMUM
    {
        call.initialise(&semaphore, vec![(GhostField::SemaphoreValue, value)]);
        return int_result(0);
    }
    call.function.branch(too_big, bad, ok);
    call.function.stand_at(ok);
    call.initialise(&semaphore, vec![(GhostField::SemaphoreValue, value)]);
    call.function.assign(status, int(0));
    call.function.jump(end);
    call.function.stand_at(bad);
    call.fail_with_errno(EINVAL, status);
    call.function.jump(end);
    call.function.stand_at(end);
    call.status_result(status)
}

impl ModelCall<'_, '_> {
    /// `errno = number; status = -1`
    fn fail_with_errno(&mut self, number: i32, status: RegisterId) {
        self.set_errno(number);
        self.function.assign(status, int(-1));
    }
}

/// `sem_wait`: interrupted only where there are handlers of signals.
pub(super) fn wait(call: &mut ModelCall<'_, '_>) -> Modelled {
    let semaphore = call.pointer(0);
    call.or_be_cancelled();
    if call.facts.has_signal_handlers {
        let (status, end) = (call.status(), call.function.location());
        call.or_be_interrupted(status, end);
        let mut update = call.use_object(&semaphore);
        let value = update.read_ghost(semaphore.clone(), GhostField::SemaphoreValue);
        update.guard(is_zero(&value).not());
        update.mark(Operation::SemaphoreWait, semaphore.clone());
        update.write_ghost(semaphore, GhostField::SemaphoreValue, less_one(value));
        set(&mut update, status, int(0));
        update.commit_to(end);
        call.function.stand_at(end);
        return call.status_result(status);
    }
    let mut update = call.use_object(&semaphore);
    let value = update.read_ghost(semaphore.clone(), GhostField::SemaphoreValue);
    update.guard(is_zero(&value).not());
    update.mark(Operation::SemaphoreWait, semaphore.clone());
    update.write_ghost(semaphore, GhostField::SemaphoreValue, less_one(value));
    update.commit();
    int_result(0)
}

impl ModelCall<'_, '_> {
    /// Adds a way on from here for a thread that waits: a handler of signals has run.
    fn or_be_interrupted(&mut self, status: RegisterId, end: LocationId) {
        let (here, interrupted) = (self.function.here(), self.function.location());
        let mut update = self.function.atomic();
        update.step(AtomicStep::Spurious);
        update.commit_to(interrupted);
        self.function.stand_at(interrupted);
        self.require_interruption();
        self.fail_with_errno(EINTR, status);
        self.function.jump(end);
        self.function.stand_at(here);
    }
}

/// How the value of a semaphore is to change.
struct Change {
    operation: Operation,
    /// Where it cannot change so.
    at_end: fn(&Expr) -> Expr,
    next: fn(Expr) -> Expr,
}

const DOWN: Change = Change { operation: Operation::SemaphoreWait, at_end: is_zero, next: less_one };
const UP: Change = Change { operation: Operation::SemaphorePost, at_end: is_full, next: |value| value.plus(1) };

fn is_full(value: &Expr) -> Expr {
    Expr::equal(value.clone(), Expr::constant(32, MAXIMUM))
}

/// Changes the value; where that is at its end, the call may fail with an error number.
fn change_or_fail(call: &mut ModelCall<'_, '_>, change: &Change, number: i32) -> Modelled {
    let (semaphore, status) = (call.pointer(0), call.status());
    let (failed, end) = (call.function.location(), call.function.location());
    if call.facts.has_signal_handlers && number == ETIMEDOUT {
        call.or_be_interrupted(status, end);
    }
    let mut update = call.use_object(&semaphore);
    let value = update.read_ghost(semaphore.clone(), GhostField::SemaphoreValue);
    update.guard((change.at_end)(&value).not());
    update.mark(change.operation, semaphore.clone());
    update.write_ghost(semaphore.clone(), GhostField::SemaphoreValue, (change.next)(value));
    set(&mut update, status, int(0));
    update.commit_to(end);

    let mut update = call.use_object(&semaphore);
    let value = update.read_ghost(semaphore, GhostField::SemaphoreValue);
    update.guard((change.at_end)(&value));
    update.commit_to(failed);
    call.function.stand_at(failed);
    call.fail_with_errno(number, status);
    call.function.jump(end);
    call.function.stand_at(end);
    call.status_result(status)
}

/// `sem_trywait`.
pub(super) fn try_wait(call: &mut ModelCall<'_, '_>) -> Modelled {
    change_or_fail(call, &DOWN, EAGAIN)
}

/// `sem_timedwait`, `sem_clockwait`: the time can run out whenever the value is zero.
pub(super) fn timed_wait(call: &mut ModelCall<'_, '_>) -> Modelled {
    call.read_time(call.arguments.len().saturating_sub(1).max(1));
    call.or_be_cancelled();
    change_or_fail(call, &DOWN, ETIMEDOUT)
}

/// `sem_post`.
pub(super) fn post(call: &mut ModelCall<'_, '_>) -> Modelled {
    change_or_fail(call, &UP, EOVERFLOW)
}

/// `sem_getvalue`.
pub(super) fn value(call: &mut ModelCall<'_, '_>) -> Modelled {
    let semaphore = call.pointer(0);
    let mut update = call.use_object(&semaphore);
    let value = update.read_ghost(semaphore, GhostField::SemaphoreValue);
    update.commit();
    call.store_through(1, 4, value);
    int_result(0)
}

/// `sem_destroy`. Threads that wait for it are not noticed.
pub(super) fn destroy(call: &mut ModelCall<'_, '_>) -> Modelled {
    let semaphore = call.pointer(0);
    call.destroy(&semaphore, &[]);
    int_result(0)
}
