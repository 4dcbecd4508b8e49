//! The end of the process.

use super::{ModelCall, Modelled};
use selvedge_program::Action;

/// `exit`, `_exit`, `_Exit`, `quick_exit`. There are no handlers to run: `atexit` is not modelled.
pub(super) fn exit(call: &mut ModelCall<'_, '_>) -> Modelled {
    let status = call.int(0);
    call.function.emit_last(Action::Exit { status });
    Modelled::NoReturn
}

/// `abort`, `__builtin_trap`: not a failed assertion.
pub(super) fn abort(call: &mut ModelCall<'_, '_>) -> Modelled {
    call.abort()
}
