//! System calls by number: `futex`, on which programs build their own locks. Of others nothing is modelled but that they
//! touch what they are given.
//!
//! A thread that waits falls asleep in the same update in which it finds the expected value, and remembers the word's
//! address as it remembers a condition variable's. It can wake up spuriously, and where it is given a time, that can run
//! out at any moment.

use super::arguments::int;
use super::errno::{EAGAIN, ETIMEDOUT};
use super::ghost::set;
use super::{Model, ModelCall, Modelled};
use selvedge_program::{
    Action, AtomicStep, BinaryOp, Display, Expr, GhostField, LocationId, Operation, RegisterId, UnaryOp,
};

/// The numbers of the system call on x86-64 and on 32-bit x86.
const FUTEX: [i128; 2] = [202, 240];
/// What it does, without the flags for private words and for the clock.
const WAIT: i128 = 0;
const WAKE: i128 = 1;
const WAIT_BITSET: i128 = 9;
const WAKE_BITSET: i128 = 10;
const FLAGS: i128 = 128 | 256;
/// Every bit of a set: all sleepers are meant.
const ANY: i128 = 0xffff_ffff;
/// From so many on, all sleepers are woken.
const MANY: i128 = 1 << 16;

fn constant(value: &Expr) -> Option<i128> {
    if let Expr::Constant(bits) = value { Some(bits.as_signed()) } else { None }
}

/// `syscall`.
pub(super) fn syscall(call: &mut ModelCall<'_, '_>) -> Modelled {
    let width = call.function.pointer_width();
    let is_futex = constant(&call.pointer(0)) == Some(FUTEX[usize::from(width == 32)]);
    let rough = Modelled::Rough("system calls are not modelled");
    if !is_futex || call.arguments.len() < 4 {
        return rough;
    }
    let operation = constant(&call.int(2)).map(|operation| operation & !FLAGS);
    let means_all = |call: &mut ModelCall<'_, '_>| {
        call.arguments.len() > 6 && constant(&call.unsigned(6)).map(|set| set & ANY) == Some(ANY)
    };
    match operation {
        None => chosen(call),
        Some(WAIT) => wait(call),
        Some(WAIT_BITSET) if means_all(call) => wait(call),
        Some(WAKE) => wake(call),
        Some(WAKE_BITSET) if means_all(call) => wake(call),
        _ => rough,
    }
}

/// What is done shows only when the program runs: programs have a function of their own for the system call.
fn chosen(call: &mut ModelCall<'_, '_>) -> Modelled {
    let flags = Expr::constant(32, FLAGS as u128);
    let operation = Expr::binary(BinaryOp::And, call.int(2), Expr::unary(UnaryOp::Not, flags));
    let operation = call.function.hold(operation, Display::Signed);
    let all = Expr::constant(32, ANY as u128);
    let set = (call.arguments.len() > 6).then(|| call.unsigned(6));
    let means_all = set.map_or(Expr::falsehood(), |set| Expr::equal(set, all));
    let (status, end) = (call.status(), call.function.location());
    let models: [(i128, Expr, Model); 4] = [
        (WAIT, Expr::truth(), wait),
        (WAKE, Expr::truth(), wake),
        (WAIT_BITSET, means_all.clone(), wait),
        (WAKE_BITSET, means_all, wake),
    ];
    for (number, condition, model) in models {
        let (then, otherwise) = (call.function.location(), call.function.location());
        let is_meant = Expr::equal(operation.clone(), int(number as i32)).and(condition);
        call.function.branch(is_meant, then, otherwise);
        call.function.stand_at(then);
        if let Modelled::Value(value, _) = model(call) {
            call.function.assign(status, value);
        }
        call.function.jump(end);
        call.function.stand_at(otherwise);
    }
    call.function.unsupported("operations of `futex` other than waiting and waking");
    call.function.stand_at(end);
    call.status_result(status)
}

/// Falls asleep if the word is what it is expected to be.
fn wait(call: &mut ModelCall<'_, '_>) -> Modelled {
    let (address, expected, me) = (call.pointer(1), call.unsigned(3), call.function.self_thread());
    let time = if call.arguments.len() > 4 { call.pointer(4) } else { call.function.null() };
    let has_time = time != call.function.null();
    call.when(time.clone().is_true(), |call| call.read_time(4));
    let (status, end) = (call.status(), call.function.location());
    let mut update = call.function.atomic();
    let word = update.read(address.clone(), 4, 4, Display::Unsigned);
    let is_expected = Expr::equal(word, expected);
    update.mark_when(is_expected.clone(), Operation::Sleep, address.clone());
    update.write_ghost_when(is_expected.clone(), me, GhostField::WaitingOn, address.clone());
    update.commit();
    let (asleep, refused, late) = (call.function.location(), call.function.location(), call.function.location());
    call.function.branch(is_expected, asleep, refused);
    for (number, place) in [(EAGAIN, refused), (ETIMEDOUT, late)] {
        if place == late && !has_time {
            continue;
        }
        call.function.stand_at(place);
        call.set_errno(number);
        call.function.assign(status, int(-1));
        call.function.jump(end);
    }
    call.function.stand_at(asleep);
    wake_up(call, &address, (Some(status), end), Waking::Woken);
    wake_up(call, &address, (Some(status), end), Waking::Spurious);
    if has_time {
        wake_up(call, &address, (None, late), Waking::TimedOut(time));
    }
    call.function.stand_at(end);
    call.status_result(status)
}

/// Why a sleeper wakes up.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Waking {
    Woken,
    Spurious,
    /// The time, if it was given any, has run out.
    TimedOut(Expr),
}

fn wake_up(
    call: &mut ModelCall<'_, '_>,
    address: &Expr,
    (status, end): (Option<RegisterId>, LocationId),
    waking: Waking,
) {
    let (me, null) = (call.function.self_thread(), call.function.null());
    let mut update = call.function.atomic();
    let waiting = update.read_ghost(me.clone(), GhostField::WaitingOn);
    if waking == Waking::Spurious {
        update.step(AtomicStep::Spurious);
    }
    let expected = if waking == Waking::Woken { null.clone() } else { address.clone() };
    update.guard(Expr::equal(waiting, expected));
    if let Waking::TimedOut(time) = &waking {
        update.guard(time.clone().is_true());
    }
    update.mark(Operation::Wake, address.clone());
    if waking != Waking::Woken {
        update.write_ghost(me, GhostField::WaitingOn, null);
    }
    if let Some(status) = status {
        set(&mut update, status, int(0));
    }
    update.commit_to(end);
}

/// Wakes so many sleepers, and gives how many there were.
fn wake(call: &mut ModelCall<'_, '_>) -> Modelled {
    let wanted = call.int(3);
    match constant(&wanted) {
        Some(1) => Modelled::Value(wake_one(call), Display::Signed),
        Some(count) if count >= MANY => {
            let woken = wake_all(call);
            Modelled::Value(woken, Display::Signed)
        }
        _ => Modelled::Value(wake_some(call, wanted), Display::Signed),
    }
}

/// Wakes one sleeper, any of them; whether there was one.
fn wake_one(call: &mut ModelCall<'_, '_>) -> Expr {
    let (address, null) = (call.pointer(1), call.function.null());
    let target = call.function.temporary(null.width(), Display::Pointer);
    let sleeper = call.function.value(target);
    let mut update = call.function.atomic();
    update.mark(Operation::Signal, address.clone());
    update.step(AtomicStep::PickThread { target, field: GhostField::WaitingOn, equals: address });
    let found = Expr::equal(sleeper.clone(), null.clone()).not();
    update.write_ghost_when(found.clone(), sleeper, GhostField::WaitingOn, null);
    update.commit();
    found.resize_unsigned(32)
}

/// Wakes all; of how many there were no more is known than that it is a number, where anything depends on it.
fn wake_all(call: &mut ModelCall<'_, '_>) -> Expr {
    let (address, null) = (call.pointer(1), call.function.null());
    let mut update = call.function.atomic();
    update.mark(Operation::Broadcast, address.clone());
    update.step(AtomicStep::WriteThreads { field: GhostField::WaitingOn, equals: address, value: null });
    update.commit();
    let first = call.function.next_edge();
    let woken = call.any_int_between(0, i32::MAX);
    call.function.name_choices(first, &format!("{}futex", super::externals::COMPUTED_BY));
    woken
}

/// Wakes as many sleepers as are wanted, in one atomic section: a number that shows only when the program runs. For less
/// than one Linux wakes one all the same, or says that it wakes none.
fn wake_some(call: &mut ModelCall<'_, '_>, wanted: Expr) -> Expr {
    let woken = call.status();
    let (one, many, all, end) =
        (call.function.location(), call.function.location(), call.function.location(), call.function.location());
    let wanted = call.function.hold(wanted, Display::Signed);
    let (rest, none) = (call.function.location(), call.function.location());
    call.function.assign(woken, int(0));
    call.function.branch(Expr::equal(wanted.clone(), int(1)), one, rest);

    call.function.stand_at(one);
    let found = wake_one(call);
    call.function.assign(woken, found);
    call.function.jump(end);

    call.function.stand_at(rest);
    let is_less = Expr::binary(BinaryOp::LessSigned, wanted.clone(), int(1));
    let wakes_none = call.function.havoc(1, Display::Bool);
    call.function.branch(is_less.and(wakes_none), none, many);
    call.function.stand_at(none);
    call.function.jump(end);

    call.function.stand_at(many);
    let is_all = Expr::binary(BinaryOp::LessSigned, int(MANY as i32), wanted.clone());
    let (round, counted, done) = (call.function.location(), call.function.location(), call.function.location());
    let begin = call.function.location();
    call.function.branch(is_all, all, begin);
    call.function.stand_at(all);
    let found = wake_all(call);
    call.function.assign(woken, found);
    call.function.jump(end);

    call.function.stand_at(begin);
    call.function.emit_to(Action::AtomicBegin, round);
    call.function.stand_at(round);
    let found = wake_one(call);
    call.function.branch(found.is_true(), counted, done);
    call.function.stand_at(counted);
    let next = call.function.value(woken).plus(1);
    call.function.assign(woken, next);
    let goes_on = Expr::binary(BinaryOp::LessSigned, call.function.value(woken), wanted);
    call.function.branch(goes_on, round, done);
    call.function.stand_at(done);
    call.function.emit_to(Action::AtomicEnd, end);

    call.function.stand_at(end);
    call.function.value(woken)
}
