//! Condition variables, of pthreads and of C11: a sleeping thread remembers what it sleeps on.
//!
//! Waiting releases the mutex and falls asleep in one update. Waking up and taking the mutex again is one update too,
//! which loses no behaviour: a thread that is awake but waits for the mutex does nothing that others could see. A
//! sleeper can wake up spuriously, and in a timed wait the time can run out at any moment.
//!
//! Sleeping on one condition variable with different mutexes is undefined. Where the program's text does not rule it
//! out ([`waits_vary`]), a thread that falls asleep looks at one that sleeps already; all of those have the same mutex.

use super::arguments::{int, int_result};
use super::ghost::set;
use super::mutex::{Codes, Seen};
use super::{ModelCall, Modelled, cancel};
use crate::lower::builder::AtomicBuilder;
use selvedge_program::{
    AtomicStep, Base, BinaryOp, Display, Expr, GhostField, LocationId, Operation, RegisterId, Undefined,
};

/// Why a sleeper wakes up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Waking {
    Signalled,
    Spurious,
    TimedOut,
    Cancelled,
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

/// An address as something and what is added to it.
fn parts(address: &Expr) -> (&Expr, i128) {
    match address {
        Expr::Binary(BinaryOp::Add, base, offset) => match offset.as_ref() {
            Expr::Constant(offset) => (base, offset.as_signed()),
            _ => (address, 0),
        },
        _ => (address, 0),
    }
}

/// Whether any of the conditions and mutexes that a program waits for and with may be the same condition with another
/// mutex. They are not if each condition is named by its address and always with one mutex, or if the mutex always lies
/// at the same distance from its condition.
pub fn waits_vary(waits: &[(Expr, Expr)]) -> bool {
    let is_named = |address: &Expr| matches!(parts(address).0, Expr::Address(Base::Object(_), _));
    let is_function = || {
        let mut mutexes: Vec<&(Expr, Expr)> = Vec::new();
        waits.iter().all(|wait| {
            mutexes.push(wait);
            is_named(&wait.0) && is_named(&wait.1) && mutexes.iter().all(|other| other.0 != wait.0 || other.1 == wait.1)
        })
    };
    let distance = |(condition, mutex): &(Expr, Expr)| {
        let (condition, mutex) = (parts(condition), parts(mutex));
        (condition.0 == mutex.0).then_some(mutex.1 - condition.1)
    };
    let is_at_distance = || {
        let first = waits.first().and_then(distance);
        first.is_some() && waits.iter().all(|wait| distance(wait) == first)
    };
    !waits.is_empty() && !is_function() && !is_at_distance()
}

/// Undefined if a thread sleeps on the condition with another mutex.
fn require_same_mutex(
    update: &mut AtomicBuilder<'_, '_>,
    sleeper: RegisterId,
    condition: &Expr,
    me: &Expr,
    mutex: &Expr,
) {
    let null = Expr::constant(me.width(), 0);
    update.step(AtomicStep::PickThread { target: sleeper, field: GhostField::WaitingOn, equals: condition.clone() });
    let sleeper = Expr::register(sleeper, me.width());
    let is_alone = Expr::equal(sleeper.clone(), null);
    let whom = Expr::if_then_else(is_alone.clone(), me.clone(), sleeper);
    let other = update.read_ghost(whom, GhostField::WaitingWith);
    update.require(is_alone.or(Expr::equal(other, mutex.clone())), Undefined::OtherMutex);
}

fn sleep(call: &mut ModelCall<'_, '_>, ways: &[Waking]) -> Modelled {
    let codes = Codes::of(call.name);
    let (condition, mutex) = (call.pointer(0), call.pointer(1));
    call.function.program.waits.push((condition.clone(), mutex.clone()));
    let varies = call.facts.varies_mutexes;
    let sleeper = varies.then(|| call.ghost_register(GhostField::WaitingOn));
    let (status, end) = (call.status(), call.function.location());
    let (me, subject) = (call.function.self_thread(), call.mutex(mutex.clone()));
    let has_kinds = call.facts.has_mutex_kinds;

    let mut update = call.use_object(&condition);
    if let Some(sleeper) = sleeper {
        require_same_mutex(&mut update, sleeper, &condition, &me, &mutex);
    }
    let seen = Seen::read(&mut update, subject);
    seen.require_held(&mut update);
    seen.give_up(&mut update);
    let when = if has_kinds { seen.is_mine() } else { Expr::truth() };
    update.mark_when(when.clone(), Operation::Sleep, condition.clone());
    if varies {
        update.write_ghost_when(when.clone(), me.clone(), GhostField::WaitingWith, mutex.clone());
    }
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
    call.refuse_dead_owner(&mutex);
    for way in ways {
        wake(call, *way, &condition, status, end);
    }
    if call.facts.has_cancel {
        let cancelled = call.function.location();
        wake(call, Waking::Cancelled, &condition, status, cancelled);
        call.function.stand_at(cancelled);
        call.end_cancelled();
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
    match way {
        Waking::Spurious => update.step(AtomicStep::Spurious),
        Waking::Cancelled => cancel::guard_request(&mut update, &me),
        Waking::Signalled | Waking::TimedOut => {}
    }
    let expected = if way == Waking::Signalled { null.clone() } else { condition.clone() };
    update.guard(Expr::equal(waiting, expected));
    let seen = Seen::read(&mut update, subject);
    seen.take_back(&mut update);
    update.mark(Operation::Wake, condition.clone());
    if way == Waking::Cancelled {
        cancel::note_acting(&mut update, &me);
    }
    if call.facts.varies_mutexes {
        update.write_ghost(me.clone(), GhostField::WaitingWith, null.clone());
    }
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
    update.mark(Operation::Signal, condition.clone());
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
    update.mark(Operation::Broadcast, condition.clone());
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
