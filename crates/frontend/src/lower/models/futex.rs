//! System calls by number: `futex`, on which programs build their own locks. Of others nothing is modelled but that they
//! touch what they are given.
//!
//! A thread that waits falls asleep in the same update in which it finds the expected value, and remembers the word's
//! address as it remembers a condition variable's. It can wake up spuriously, and where it is given a time, that can run
//! out at any moment.

use super::arguments::int;
use super::errno::{EAGAIN, ETIMEDOUT};
use super::ghost::set;
use super::{ModelCall, Modelled};
use selvedge_program::{AtomicStep, Display, Expr, GhostField, LocationId, Operation, RegisterId};

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
        Some(WAIT) => wait(call),
        Some(WAIT_BITSET) if means_all(call) => wait(call),
        Some(WAKE) => wake(call),
        Some(WAKE_BITSET) if means_all(call) => wake(call),
        _ => rough,
    }
}

/// Falls asleep if the word is what it is expected to be.
fn wait(call: &mut ModelCall<'_, '_>) -> Modelled {
    let (address, expected, me) = (call.pointer(1), call.unsigned(3), call.function.self_thread());
    let has_time = call.arguments.len() > 4 && call.pointer(4) != call.function.null();
    if has_time {
        call.read_time(4);
    }
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
        wake_up(call, &address, (None, late), Waking::TimedOut);
    }
    call.function.stand_at(end);
    call.status_result(status)
}

/// Why a sleeper wakes up.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Waking {
    Woken,
    Spurious,
    TimedOut,
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
    update.mark(Operation::Wake, address.clone());
    if waking != Waking::Woken {
        update.write_ghost(me, GhostField::WaitingOn, null);
    }
    if let Some(status) = status {
        set(&mut update, status, int(0));
    }
    update.commit_to(end);
}

/// Wakes one sleeper, or all of them; gives how many.
fn wake(call: &mut ModelCall<'_, '_>) -> Modelled {
    let (address, null) = (call.pointer(1), call.function.null());
    match constant(&call.int(3)) {
        Some(1) => {
            let target = call.function.temporary(null.width(), Display::Pointer);
            let sleeper = call.function.value(target);
            let mut update = call.function.atomic();
            update.mark(Operation::Signal, address.clone());
            update.step(AtomicStep::PickThread { target, field: GhostField::WaitingOn, equals: address });
            let found = Expr::equal(sleeper.clone(), null.clone()).not();
            update.write_ghost_when(found.clone(), sleeper, GhostField::WaitingOn, null);
            update.commit();
            Modelled::Value(found.resize_unsigned(32), Display::Signed)
        }
        Some(count) if count >= MANY => {
            let mut update = call.function.atomic();
            update.mark(Operation::Broadcast, address.clone());
            update.step(AtomicStep::WriteThreads { field: GhostField::WaitingOn, equals: address, value: null });
            update.commit();
            if call.result == crate::types::Types::VOID {
                return Modelled::Void;
            }
            call.function.inexact("how many threads `futex` has woken");
            Modelled::Value(call.any_int_between(0, i32::MAX), Display::Signed)
        }
        _ => Modelled::Rough("it may wake any number of threads"),
    }
}
