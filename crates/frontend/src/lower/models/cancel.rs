//! Cancellation of threads, deferred: a request is kept with the thread and acted on at cancellation points.
//!
//! A thread that is cancelled runs its clean-up handlers, the last one first, then the destructors of its
//! thread-specific data, and ends with `PTHREAD_CANCELED`. A thread that sleeps on a condition variable takes its mutex
//! again first. Functions that POSIX lets be cancellation points or not are both. Only programs that call
//! `pthread_cancel` pay for it.

use super::arguments::{int, int_result};
use super::externals::{self, Point};
use super::{ModelCall, Modelled};
use crate::lower::builder::AtomicBuilder;
use selvedge_program::{Action, BinaryOp, Callee, Display, Expr, GhostField, Undefined};

/// Requested and not disabled.
const TO_ACT_ON: u128 = 1;
/// Requested, and disabled as it is being acted on.
const ACTED_ON: u128 = 3;
const JOINED: u128 = 2;

/// Whether a function acts on requests.
fn point(name: &str) -> Option<Point> {
    Some(match name {
        "pthread_testcancel"
        | "pthread_join"
        | "pthread_timedjoin_np"
        | "pthread_clockjoin_np"
        | "thrd_join"
        | "pthread_cond_wait"
        | "pthread_cond_timedwait"
        | "pthread_cond_clockwait"
        | "cnd_wait"
        | "cnd_timedwait"
        | "sem_wait"
        | "sem_timedwait"
        | "sem_clockwait"
        | "sleep"
        | "usleep"
        | "nanosleep"
        | "clock_nanosleep"
        | "thrd_sleep"
        | "read"
        | "recv"
        | "pread"
        | "write"
        | "send"
        | "pwrite"
        | "close" => Point::Sure,
        "printf"
        | "fprintf"
        | "dprintf"
        | "vprintf"
        | "vfprintf"
        | "vdprintf"
        | "puts"
        | "fputs"
        | "putchar"
        | "putc"
        | "fputc"
        | "fwrite"
        | "perror"
        | "fflush"
        | "syslog"
        | "vsyslog"
        | "scanf"
        | "fscanf"
        | "getchar"
        | "getc"
        | "fgetc"
        | "fgets"
        | "fread"
        | "fopen"
        | "fclose"
        | "rewind"
        | "getenv"
        | "localtime"
        | "gmtime"
        | "localtime_r"
        | "gmtime_r"
        | "strerror"
        | "pthread_rwlock_rdlock"
        | "pthread_rwlock_timedrdlock"
        | "pthread_rwlock_wrlock"
        | "pthread_rwlock_timedwrlock" => Point::Possible,
        _ => return externals::point(name),
    })
}

/// Reads the executing thread's state: whether there is a request to act on.
fn is_requested(update: &mut AtomicBuilder<'_, '_>, me: &Expr) -> Expr {
    let state = update.read_ghost(me.clone(), GhostField::Cancellation);
    Expr::equal(state.clone(), Expr::constant(state.width(), TO_ACT_ON))
}

/// The guard of a step that acts on a request.
pub(super) fn guard_request(update: &mut AtomicBuilder<'_, '_>, me: &Expr) {
    let requested = is_requested(update, me);
    update.guard(requested);
}

/// Notes that a request is being acted on, so that nothing else is cancelled.
pub(super) fn note_acting(update: &mut AtomicBuilder<'_, '_>, me: &Expr) {
    update.write_ghost(me.clone(), GhostField::Cancellation, Expr::constant(8, ACTED_ON));
}

impl ModelCall<'_, '_> {
    /// What a cancellation point does before it does anything else.
    pub(in crate::lower) fn pass_cancellation_point(&mut self) {
        let Some(point) = point(self.plain_name()).filter(|_| self.facts.has_cancel) else { return };
        self.or_be_cancelled();
        let me = self.function.self_thread();
        let mut update = self.function.atomic();
        if point == Point::Sure {
            let requested = is_requested(&mut update, &me);
            update.guard(requested.not());
        }
        update.commit();
    }

    /// Adds a way on from here for a thread that waits: it is cancelled.
    pub(super) fn or_be_cancelled(&mut self) {
        if !self.facts.has_cancel {
            return;
        }
        let (me, here, cancelled) = (self.function.self_thread(), self.function.here(), self.function.location());
        let mut update = self.function.atomic();
        guard_request(&mut update, &me);
        note_acting(&mut update, &me);
        update.commit_to(cancelled);
        self.function.stand_at(cancelled);
        self.end_cancelled();
        self.function.stand_at(here);
    }

    /// Ends the executing thread, which is cancelled.
    pub(super) fn end_cancelled(&mut self) {
        let value = Expr::constant(self.function.pointer_width(), u128::MAX);
        self.end_thread(value);
    }

    /// Runs what is to be run at the end of the executing thread, and ends it.
    pub(super) fn end_thread(&mut self, value: Expr) {
        let runs: Vec<&str> = [
            (self.facts.keeps_handlers(), "__selvedge_run_cleanup_handlers"),
            (self.facts.has_key_destructors, "__selvedge_run_destructors"),
        ]
        .into_iter()
        .filter_map(|(is_run, name)| is_run.then_some(name))
        .collect();
        let value = if runs.is_empty() { value } else { self.function.hold(value, Display::Pointer) };
        for name in runs {
            let callee = Callee::Direct(self.function.program.c_model(name));
            self.function.emit(Action::Call { target: None, callee, arguments: Vec::new() });
        }
        self.function.emit_last(Action::ThreadExit { value });
    }
}

/// `pthread_cancel`: undefined for what is no thread or has been joined.
pub(super) fn cancel(call: &mut ModelCall<'_, '_>) -> Modelled {
    let thread = call.pointer(0);
    let mut update = call.function.atomic();
    let status = update.read_ghost(thread.clone(), GhostField::ThreadStatus);
    let joined = Expr::equal(status.clone(), Expr::constant(status.width(), JOINED));
    update.require(joined.not(), Undefined::BadThread);
    let state = update.read_ghost(thread.clone(), GhostField::Cancellation);
    let requested = Expr::binary(BinaryOp::Or, state.clone(), Expr::constant(state.width(), 1));
    update.write_ghost(thread, GhostField::Cancellation, requested);
    update.commit();
    int_result(0)
}

/// `pthread_setcancelstate`.
pub(super) fn set_state(call: &mut ModelCall<'_, '_>) -> Modelled {
    let (me, disabled) = (call.function.self_thread(), call.int(0).is_true());
    let mut old = int(0);
    if call.facts.has_cancel {
        let mut update = call.function.atomic();
        let state = update.read_ghost(me.clone(), GhostField::Cancellation);
        let bit = |mask: u128| Expr::binary(BinaryOp::And, state.clone(), Expr::constant(8, mask));
        let now = Expr::if_then_else(disabled, Expr::constant(8, 2), Expr::constant(8, 0));
        update.write_ghost(me, GhostField::Cancellation, Expr::binary(BinaryOp::Or, bit(1), now));
        update.commit();
        old = bit(2).is_true().resize_unsigned(32);
    }
    store_old(call, old);
    int_result(0)
}

/// `pthread_setcanceltype`: that a thread is cancelled anywhere is not modelled.
pub(super) fn set_type(call: &mut ModelCall<'_, '_>) -> Modelled {
    if call.facts.has_cancel {
        let is_asynchronous = call.int(0).is_true();
        if !matches!(&is_asynchronous, Expr::Constant(bits) if bits.is_zero()) {
            call.function.note_external(call.name, "ends no thread by asynchronous cancellation");
        }
        call.when(is_asynchronous, |call| call.function.inexact("asynchronous cancellation of threads"));
    }
    store_old(call, int(0));
    int_result(0)
}

fn store_old(call: &mut ModelCall<'_, '_>, old: Expr) {
    if call.arguments.len() > 1 {
        call.store_unless_null(1, 4, old);
    }
}
