//! Time: sleeping takes no time, clocks show anything.

use super::arguments::int_result;
use super::{ModelCall, Modelled};
use selvedge_program::{Access, Action, Atomicity, BinaryOp, Display, Expr, Interpretation, Place};

impl ModelCall<'_, '_> {
    /// Reads the `struct timespec` or `struct timeval` that an argument points to, for its being readable only.
    pub(super) fn read_time(&mut self, index: usize) {
        let (address, size) = (self.pointer(index), self.pointer_size());
        let target = self.function.temporary(16 * size, Display::Unsigned);
        let place = Place::Memory { address, size: 2 * size, align: size };
        let access = Access { place, atomicity: Atomicity::Plain };
        self.function.emit(Action::Load { target, access, interpretation: Interpretation::Raw });
    }

    /// Stores any time through an argument unless it is null.
    fn store_time(&mut self, index: usize, parts: u128) {
        let (address, size) = (self.pointer(index), self.pointer_size());
        self.when(address.clone().is_true(), |call| {
            let seconds = call.function.havoc(8 * size, Display::Signed);
            call.function.store(address.clone(), size, seconds, Atomicity::Plain);
            // Fractions of a second, of which there are so many in one: others stand for 0.
            let fraction = call.function.havoc(8 * size, Display::Unsigned);
            let limit = Expr::constant(8 * size, parts);
            let fits = Expr::binary(BinaryOp::LessUnsigned, fraction.clone(), limit);
            let fraction = Expr::if_then_else(fits, fraction, Expr::constant(8 * size, 0));
            call.function.store(address.plus(u64::from(size)), size, fraction, Atomicity::Plain);
        });
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
}

/// `nanosleep`, `clock_nanosleep`, `thrd_sleep`: reads the duration; never interrupted, so what remains is not set.
pub(super) fn sleep(call: &mut ModelCall<'_, '_>) -> Modelled {
    let duration = if call.name == "clock_nanosleep" { 2 } else { 0 };
    call.read_time(duration);
    call.write_back(duration + 1);
    int_result(0)
}

/// `gettimeofday`, `timespec_get`: any time.
pub(super) fn get_time(call: &mut ModelCall<'_, '_>) -> Modelled {
    call.store_time(0, if call.name == "gettimeofday" { 1_000_000 } else { 1_000_000_000 });
    if call.name == "timespec_get" {
        return Modelled::Value(call.int(1), Display::Signed);
    }
    int_result(0)
}

/// `clock_gettime`, `clock_getres`: any time.
pub(super) fn get_clock(call: &mut ModelCall<'_, '_>) -> Modelled {
    call.store_time(1, 1_000_000_000);
    int_result(0)
}

/// `time`: any time, stored as well if there is where to.
pub(super) fn time(call: &mut ModelCall<'_, '_>) -> Modelled {
    let value = call.function.havoc(call.function.pointer_width(), Display::Signed);
    if !call.arguments.is_empty() {
        call.store_unless_null(0, call.pointer_size(), value.clone());
    }
    Modelled::Value(value, Display::Signed)
}

/// A pause of no time, such as `sleep`: nothing remains of it.
pub(super) fn pause(_call: &mut ModelCall<'_, '_>) -> Modelled {
    Modelled::Value(Expr::constant(32, 0), Display::Signed)
}
