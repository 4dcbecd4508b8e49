//! Time: sleeping takes no time, clocks show anything.

use super::arguments::int_result;
use super::{ModelCall, Modelled};
use selvedge_program::{Access, Action, Atomicity, Display, Expr, Interpretation, Place};

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
    fn store_time(&mut self, index: usize) {
        let (address, size) = (self.pointer(index), self.pointer_size());
        self.when(address.clone().is_true(), |call| {
            let value = call.function.havoc(16 * size, Display::Unsigned);
            call.function.store(address, size, value, Atomicity::Plain);
        });
    }
}

/// `nanosleep`, `clock_nanosleep`, `thrd_sleep`: reads the duration; never interrupted, so nothing remains.
pub(super) fn sleep(call: &mut ModelCall<'_, '_>) -> Modelled {
    let duration = if call.name == "clock_nanosleep" { 2 } else { 0 };
    call.read_time(duration);
    int_result(0)
}

/// `gettimeofday`, `timespec_get`: any time.
pub(super) fn get_time(call: &mut ModelCall<'_, '_>) -> Modelled {
    call.store_time(0);
    if call.name == "timespec_get" {
        return Modelled::Value(call.int(1), Display::Signed);
    }
    int_result(0)
}

/// `clock_gettime`, `clock_getres`: any time.
pub(super) fn get_clock(call: &mut ModelCall<'_, '_>) -> Modelled {
    call.store_time(1);
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
