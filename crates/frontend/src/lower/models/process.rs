//! The end of the process.

use super::nondet::zero_or_error;
use super::{ModelCall, Modelled};
use crate::lower::builder::FunctionBuilder;
use selvedge_program::{Action, Atomicity, Callee, Display, Expr};

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

/// `signal`: what is proved holds provided that no handler runs, and that the last disposition was none.
pub(super) fn signal(call: &mut ModelCall<'_, '_>) -> Modelled {
    let disposition = call.pointer(1);
    if !matches!(&disposition, Expr::Constant(bits) if bits.unsigned() <= 1) {
        call.note_signals();
    }
    Modelled::Value(call.any_int_between(-1, 1), Display::Signed)
}

impl ModelCall<'_, '_> {
    /// Takes note that a handler of signals may be installed here.
    fn note_signals(&mut self) {
        let span = self.function.span;
        self.function.program.signals.get_or_insert(span);
    }
}

/// `sigaction`: the same; the last disposition must not be asked for.
pub(super) fn sigaction(call: &mut ModelCall<'_, '_>) -> Modelled {
    let (new, old) = (call.pointer(1), call.pointer(2));
    if old != call.function.null() {
        return Modelled::Unsupported("call of `sigaction` that asks for the last disposition".to_owned());
    }
    call.when(new.clone().is_true(), |call| {
        let size = call.pointer_size();
        call.function.load(new, size, size, Atomicity::Plain, Display::Pointer);
    });
    call.note_signals();
    zero_or_error(call)
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
