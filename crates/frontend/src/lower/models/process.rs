//! The end of the process.

use super::{ModelCall, Modelled};
use crate::lower::builder::FunctionBuilder;
use selvedge_program::{Action, Callee, Display};

/// `exit`: the handlers run first. After `main` has returned the lowering runs them the same way.
pub(super) fn exit(call: &mut ModelCall<'_, '_>) -> Modelled {
    let status = call.int(0);
    if call.facts.has_exit_handlers {
        let status = call.function.hold(status, Display::Signed);
        run_exit_handlers(call.function);
        call.function.emit_last(Action::Exit { status });
    } else {
        call.function.emit_last(Action::Exit { status });
    }
    Modelled::NoReturn
}

/// Calls the handlers that `atexit` has registered.
pub fn run_exit_handlers(function: &mut FunctionBuilder<'_>) {
    let callee = Callee::Direct(function.program.c_model("__selvedge_run_handlers"));
    function.emit(Action::Call { target: None, callee, arguments: Vec::new() });
}

/// `_exit`, `_Exit`, `quick_exit`: no handlers run.
pub(super) fn exit_at_once(call: &mut ModelCall<'_, '_>) -> Modelled {
    let status = call.int(0);
    call.function.emit_last(Action::Exit { status });
    Modelled::NoReturn
}

/// `abort`, `__builtin_trap`: not a failed assertion.
pub(super) fn abort(call: &mut ModelCall<'_, '_>) -> Modelled {
    call.abort()
}
