//! Time: sleeping takes no time, and clocks do not go back.
//!
//! What a clock showed last is kept in the models in C. A program that asks for the time once, or does not look at it,
//! gets any time.

use super::arguments::{int, int_result};
use super::library_use::Asked;
use super::{ModelCall, Modelled};
use crate::lower::irrelevant::Relevance;
use crate::types::Types;
use selvedge_program::{
    Access, Action, Atomicity, BinaryOp, Display, Expr, FunctionId, Interpretation, Place, Program, Register,
    RegisterId,
};

/// The name of a register that takes what a clock shows.
const CLOCK: &str = "clock";

/// Whether what clocks show decides anything in a program that takes any time from them.
pub fn looks_at_clocks(program: &Program, relevance: &Relevance) -> bool {
    let mut registers = program.functions.iter().enumerate().flat_map(|(function, body)| {
        let of_function = move |(register, _)| (FunctionId::new(function), RegisterId::new(register));
        let is_clock = |(_, register): &(usize, &Register)| register.name.as_deref() == Some(CLOCK);
        body.registers.iter().enumerate().filter(is_clock).map(of_function)
    });
    registers.any(|(function, register)| relevance.has(function, register))
}

/// Whether a function reads a clock.
pub(super) fn is_clock(name: &str) -> bool {
    matches!(name, "clock_gettime" | "timespec_get" | "gettimeofday" | "time" | "clock")
}

impl ModelCall<'_, '_> {
    /// Reads the `struct timespec` or `struct timeval` that an argument points to, for its being readable only.
    pub(super) fn read_time(&mut self, index: usize) {
        let (address, size) = (self.pointer(index), self.pointer_size());
        let target = self.function.temporary(16 * size, Display::Unsigned);
        let place = Place::Memory { address, size: 2 * size, align: size };
        let access = Access { place, atomicity: Atomicity::Plain };
        self.function.emit(Action::Load { target, access, interpretation: Interpretation::Raw });
    }

    /// Any number that is not negative, made of two halves: what is made of parts is no address.
    fn any_seconds(&mut self) -> Expr {
        let width = self.function.pointer_width();
        let [low, high] = [(); 2].map(|()| {
            let target = self.function.named_register(Some(CLOCK.to_owned()), width / 2, Display::Unsigned);
            self.function.emit(Action::Havoc { target });
            self.function.value(target).resize_unsigned(width)
        });
        let high = Expr::binary(BinaryOp::ShiftLeft, high, Expr::constant(width, u128::from(width / 2)));
        let positive = Expr::constant(width, (1 << (width - 1)) - 1);
        let value = Expr::binary(BinaryOp::And, Expr::binary(BinaryOp::Or, high, low), positive);
        self.function.hold(value, Display::Signed)
    }

    /// Any number below a limit; others stand for 0.
    fn any_below(&mut self, limit: u128) -> Expr {
        let value = self.any_seconds();
        let fits = Expr::binary(BinaryOp::LessUnsigned, value.clone(), Expr::constant(value.width(), limit));
        let zero = Expr::constant(value.width(), 0);
        Expr::if_then_else(fits, value, zero)
    }

    /// Stores any time through an argument, its fraction of a second below a limit.
    fn store_any_time(&mut self, index: usize, parts: u128) {
        let (address, size) = (self.pointer(index), self.pointer_size());
        let seconds = self.any_seconds();
        self.function.store(address.clone(), size, seconds, Atomicity::Plain);
        let fraction = self.any_below(parts);
        self.function.store(address.plus(u64::from(size)), size, fraction, Atomicity::Plain);
    }

    /// Writes back what is there, if there is where to: the call may write it, but does not change it.
    fn write_back(&mut self, index: usize) {
        if self.arguments.len() <= index {
            return;
        }
        let (address, size) = (self.pointer(index), self.pointer_size());
        self.when(address.clone().is_true(), |call| {
            let target = call.function.temporary(8 * size, Display::Unsigned);
            let place = Place::Memory { address, size, align: size };
            let access = Access { place, atomicity: Atomicity::Plain };
            call.function.emit(Action::Load { target, access: access.clone(), interpretation: Interpretation::Raw });
            let value = call.function.value(target);
            call.function.emit(Action::Store { access, value });
        });
    }

    /// Whether what a clock showed before can matter.
    fn asks_again(&mut self) -> bool {
        let is_again = self.facts.asks_time == Asked::Often;
        if is_again {
            let span = self.function.span;
            self.function.program.add_caveat(span, "clocks are assumed not to be set back");
        }
        is_again
    }
}

/// `nanosleep`, `clock_nanosleep`, `thrd_sleep`: reads the duration; never interrupted, so what remains is not set.
pub(super) fn sleep(call: &mut ModelCall<'_, '_>) -> Modelled {
    let duration = if call.name == "clock_nanosleep" { 2 } else { 0 };
    call.read_time(duration);
    call.write_back(duration + 1);
    if !call.facts.has_signal_handlers {
        return int_result(0);
    }
    let is_interrupted = call.function.havoc(1, Display::Bool);
    call.when(is_interrupted.clone(), |call| {
        call.require_interruption();
        if call.arguments.len() > duration + 1 {
            let remaining = call.pointer(duration + 1);
            call.when(remaining.is_true(), |call| call.store_any_time(duration + 1, 1_000_000_000));
        }
    });
    let number = if call.name == "clock_nanosleep" { super::errno::EINTR } else { -1 };
    Modelled::Value(Expr::if_then_else(is_interrupted, int(number), int(0)), Display::Signed)
}

/// `gettimeofday`.
pub(super) fn time_of_day(call: &mut ModelCall<'_, '_>) -> Modelled {
    if call.asks_again() {
        return call.in_c("__selvedge_gettimeofday", 1);
    }
    let address = call.pointer(0);
    call.when(address.is_true(), |call| call.store_any_time(0, 1_000_000));
    int_result(0)
}

/// `timespec_get`: answers with the base it is given.
pub(super) fn timespec_get(call: &mut ModelCall<'_, '_>) -> Modelled {
    if call.asks_again() {
        return call.in_c("__selvedge_timespec_get", 2);
    }
    call.store_any_time(0, 1_000_000_000);
    Modelled::Value(call.int(1), Display::Signed)
}

/// `clock_gettime`.
pub(super) fn clock_gettime(call: &mut ModelCall<'_, '_>) -> Modelled {
    if call.asks_again() {
        return call.in_c("__selvedge_clock_gettime", 2);
    }
    call.store_any_time(1, 1_000_000_000);
    int_result(0)
}

/// `time`: stored as well if there is where to.
pub(super) fn time(call: &mut ModelCall<'_, '_>) -> Modelled {
    let stored = if call.arguments.is_empty() { call.function.null() } else { call.pointer(0) };
    if call.result == Types::VOID && stored == call.function.null() {
        return Modelled::Void;
    }
    if call.asks_again() {
        return Modelled::CallC("__selvedge_time", vec![stored]);
    }
    let value = call.any_seconds();
    if stored != call.function.null() {
        call.store_unless_null(0, call.pointer_size(), value.clone());
    }
    Modelled::Value(value, Display::Signed)
}

/// `clock`.
pub(super) fn clock(call: &mut ModelCall<'_, '_>) -> Modelled {
    if call.result == Types::VOID {
        return Modelled::Void;
    }
    if call.asks_again() {
        return Modelled::CallC("__selvedge_clock", Vec::new());
    }
    Modelled::Value(call.any_seconds(), Display::Signed)
}

/// A pause of no time, such as `sleep`: nothing remains of it.
pub(super) fn pause(call: &mut ModelCall<'_, '_>) -> Modelled {
    if !call.facts.has_signal_handlers {
        return Modelled::Value(Expr::constant(32, 0), Display::Signed);
    }
    let is_interrupted = call.function.havoc(1, Display::Bool);
    call.when(is_interrupted.clone(), |call| call.require_interruption());
    let early = if call.name == "usleep" { int(-1) } else { call.any_int_between(0, i32::MAX) };
    Modelled::Value(Expr::if_then_else(is_interrupted, early, int(0)), Display::Signed)
}
