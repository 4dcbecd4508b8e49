//! Barriers: the last thread to arrive wakes the others and is told so.

use super::arguments::{int, int_result};
use super::errno::EINVAL;
use super::ghost::set;
use super::{ModelCall, Modelled};
use selvedge_program::{AtomicStep, Expr, GhostField, Operation, Undefined};

/// `PTHREAD_BARRIER_SERIAL_THREAD`.
const SERIAL_THREAD: i32 = -1;

/// `pthread_barrier_init`; a count of zero is invalid.
pub(super) fn init(call: &mut ModelCall<'_, '_>) -> Modelled {
    let (barrier, count) = (call.pointer(0), call.unsigned(2));
    let none = call.ghost(GhostField::BarrierArrived, 0);
    let fields = vec![(GhostField::BarrierThreshold, count.clone()), (GhostField::BarrierArrived, none)];
    match &count {
        Expr::Constant(bits) if bits.is_zero() => int_result(EINVAL),
        Expr::Constant(_) => {
            call.initialise(&barrier, fields);
            int_result(0)
        }
        _ => {
            let valid = count.is_true();
            call.when(valid.clone(), |call| call.initialise(&barrier, fields));
            let status = Expr::if_then_else(valid, int(0), int(EINVAL));
            Modelled::Value(status, selvedge_program::Display::Signed)
        }
    }
}

/// `pthread_barrier_wait`: an arrival, then for all but the last a sleep. Undefined before initialisation.
pub(super) fn wait(call: &mut ModelCall<'_, '_>) -> Modelled {
    let (barrier, me, null) = (call.pointer(0), call.function.self_thread(), call.function.null());
    let (status, asleep, end) = (call.status(), call.function.location(), call.function.location());

    let mut update = call.use_object(&barrier);
    let arrived = update.read_ghost(barrier.clone(), GhostField::BarrierArrived);
    let threshold = update.read_ghost(barrier.clone(), GhostField::BarrierThreshold);
    update.require(threshold.clone().is_true(), Undefined::BadArgument);
    update.guard(Expr::equal(arrived.plus(1), threshold));
    update.mark(Operation::Arrive, barrier.clone());
    update.mark(Operation::Pass, barrier.clone());
    update.write_ghost(barrier.clone(), GhostField::BarrierArrived, int(0));
    update.step(AtomicStep::WriteThreads {
        field: GhostField::WaitingOn,
        equals: barrier.clone(),
        value: null.clone(),
    });
    set(&mut update, status, int(SERIAL_THREAD));
    update.commit_to(end);

    let mut update = call.use_object(&barrier);
    let arrived = update.read_ghost(barrier.clone(), GhostField::BarrierArrived);
    let threshold = update.read_ghost(barrier.clone(), GhostField::BarrierThreshold);
    update.require(threshold.clone().is_true(), Undefined::BadArgument);
    update.guard(Expr::equal(arrived.clone().plus(1), threshold).not());
    update.mark(Operation::Arrive, barrier.clone());
    update.write_ghost(barrier.clone(), GhostField::BarrierArrived, arrived.plus(1));
    update.write_ghost(me.clone(), GhostField::WaitingOn, barrier.clone());
    set(&mut update, status, int(0));
    update.commit_to(asleep);

    call.function.stand_at(asleep);
    let mut update = call.function.atomic();
    let waiting = update.read_ghost(me, GhostField::WaitingOn);
    update.guard(Expr::equal(waiting, null));
    update.mark(Operation::Pass, barrier);
    update.commit_to(end);
    call.function.stand_at(end);
    call.status_result(status)
}

/// `pthread_barrier_destroy`: undefined while threads wait.
pub(super) fn destroy(call: &mut ModelCall<'_, '_>) -> Modelled {
    let barrier = call.pointer(0);
    call.destroy(&barrier, &[(GhostField::BarrierArrived, 0)]);
    int_result(0)
}
