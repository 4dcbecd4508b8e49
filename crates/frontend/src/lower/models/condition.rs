//! Condition variables, of pthreads and of C11: a sleeping thread remembers what it sleeps on.
//!
//! Waiting releases the mutex and falls asleep in one update. Waking up and taking the mutex again is one update too, which
//! loses no behaviour: a thread that is awake but waits for the mutex does nothing that others could see. A sleeper can wake up
//! spuriously, and in a timed wait the time can run out at any moment.

use super::arguments::{int, int_result};
use super::ghost::set;
use super::mutex::{Codes, Seen};
use super::{ModelCall, Modelled};
use selvedge_program::{AtomicStep, Display, Expr, GhostField, LocationId, RegisterId, Undefined};

/// Why a sleeper wakes up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Waking {
    Signalled,
    Spurious,
    TimedOut,
}

/// `pthread_cond_wait`, `cnd_wait`.
pub(super) fn wait(call: &mut ModelCall<'_, '_>) -> Modelled {
    sleep(call, &[Waking::Signalled, Waking::Spurious])
}

/// `pthread_cond_timedwait`, `pthread_cond_clockwait`, `cnd_timedwait`.
pub(super) fn timed_wait(call: &mut ModelCall<'_, '_>) -> Modelled {
    call.read_time(call.arguments.len().saturating_sub(1).max(2));
    sleep(call, &[Waking::Signalled, Waking::Spurious, Waking::TimedOut])
}

fn sleep(call: &mut ModelCall<'_, '_>, ways: &[Waking]) -> Modelled {
    let codes = Codes::of(call.name);
    let (condition, mutex) = (call.pointer(0), call.pointer(1));
    let (status, end) = (call.status(), call.function.location());
    let (me, subject) = (call.function.self_thread(), call.mutex(mutex));
    let has_kinds = call.facts.has_mutex_kinds;

    let mut update = call.use_object(&condition);
    let seen = Seen::read(&mut update, subject);
    seen.require_held(&mut update);
    seen.give_up(&mut update);
    let when = if has_kinds { seen.is_mine() } else { Expr::truth() };
    update.write_ghost_when(when, me, GhostField::WaitingOn, condition.clone());
    update.commit();
    if has_kinds {
        let (asleep, refused) = (call.function.location(), call.function.location());
        call.function.branch(seen.is_mine(), asleep, refused);
        call.function.stand_at(refused);
        call.function.assign(status, int(codes.not_owner));
        call.function.jump(end);
        call.function.stand_at(asleep);
    }
    for way in ways {
        wake(call, *way, &condition, status, end);
    }
    call.function.stand_at(end);
    call.status_result(status)
}

/// One way to wake up and take the mutex again.
fn wake(call: &mut ModelCall<'_, '_>, way: Waking, condition: &Expr, status: RegisterId, end: LocationId) {
    let (me, null, mutex) = (call.function.self_thread(), call.function.null(), call.pointer(1));
    let (subject, codes) = (call.mutex(mutex), Codes::of(call.name));
    let mut update = call.function.atomic();
    let waiting = update.read_ghost(me.clone(), GhostField::WaitingOn);
    if way == Waking::Spurious {
        update.step(AtomicStep::Spurious);
    }
    let expected = if way == Waking::Signalled { null.clone() } else { condition.clone() };
    update.guard(Expr::equal(waiting, expected));
    let seen = Seen::read(&mut update, subject);
    seen.take_back(&mut update);
    if way != Waking::Signalled {
        update.write_ghost(me, GhostField::WaitingOn, null);
    }
    set(&mut update, status, int(if way == Waking::TimedOut { codes.timed_out } else { 0 }));
    update.commit_to(end);
}

/// `pthread_cond_signal`, `cnd_signal`: wakes one sleeper, if there is any.
pub(super) fn signal(call: &mut ModelCall<'_, '_>) -> Modelled {
    let (condition, null) = (call.pointer(0), call.function.null());
    let target = call.function.temporary(null.width(), Display::Pointer);
    let sleeper = call.function.value(target);
    let mut update = call.use_object(&condition);
    update.step(AtomicStep::PickThread { target, field: GhostField::WaitingOn, equals: condition });
    let found = Expr::equal(sleeper.clone(), null.clone()).not();
    update.write_ghost_when(found, sleeper, GhostField::WaitingOn, null);
    update.commit();
    int_result(0)
}

/// `pthread_cond_broadcast`, `cnd_broadcast`: wakes every sleeper.
pub(super) fn broadcast(call: &mut ModelCall<'_, '_>) -> Modelled {
    let (condition, null) = (call.pointer(0), call.function.null());
    let mut update = call.use_object(&condition);
    update.step(AtomicStep::WriteThreads { field: GhostField::WaitingOn, equals: condition, value: null });
    update.commit();
    int_result(0)
}

/// `pthread_cond_init`, `cnd_init`: a new condition variable has no state of its own.
pub(super) fn init(call: &mut ModelCall<'_, '_>) -> Modelled {
    let condition = call.pointer(0);
    if call.facts.has_destroy {
        call.initialise(&condition, Vec::new());
    }
    int_result(0)
}

/// `pthread_cond_destroy`, `cnd_destroy`: undefined while a thread sleeps on it.
pub(super) fn destroy(call: &mut ModelCall<'_, '_>) -> Modelled {
    let (condition, null) = (call.pointer(0), call.function.null());
    let target = call.function.temporary(null.width(), Display::Pointer);
    let sleeper = call.function.value(target);
    // Whoever comes to sleep from here on finds it destroyed; whoever sleeps already is found by the check.
    call.destroy(&condition, &[]);
    let mut update = call.function.atomic();
    update.step(AtomicStep::PickThread { target, field: GhostField::WaitingOn, equals: condition });
    update.require(Expr::equal(sleeper, null), Undefined::DestroyInUse);
    update.commit();
    int_result(0)
}
