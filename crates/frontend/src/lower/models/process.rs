//! The process: its end, its children, and what it asks of the machine.

use super::arguments::{int, int_result};
use super::nondet;
use super::{ModelCall, Modelled};
use crate::lower::builder::FunctionBuilder;
use crate::types::Types;
use selvedge_program::{Action, Callee, Display, Expr};

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

/// `fork`: the child goes on alone, in a world of its own, of which a proof sees more than there is; executions follow
/// the parent.
pub(super) fn fork(call: &mut ModelCall<'_, '_>) -> Modelled {
    let pid = call.any_int_between(-1, i32::MAX);
    call.when(pid.clone().is_true().not(), |call| {
        call.function.inexact("the child of `fork`: processes are not modelled");
    });
    call.function.note_external("fork", "leaves no child that waits for another thread of its parent");
    Modelled::Value(pid, Display::Signed)
}

/// `ftw`: calls a function for a folder, and for any files in it.
pub(super) fn walk(call: &mut ModelCall<'_, '_>) -> Modelled {
    let span = call.function.span;
    let message = "names of files in folders that are walked through are assumed to have at most 15 characters";
    call.function.program.add_caveat(span, message);
    call.in_c("__selvedge_walk", 3)
}

/// `execl`, `execlp`, `execle`: reads what it is given; the process ends, or it fails.
pub(super) fn exec_list(call: &mut ModelCall<'_, '_>) -> Modelled {
    let width = call.function.pointer_width();
    for index in 0..call.arguments.len() {
        let text = call.pointer(index);
        if index > 0 && text == call.function.null() {
            break;
        }
        call.when(text.clone().is_true(), |call| {
            call.call_c("__selvedge_strlen", vec![text], width);
        });
    }
    let ends = call.function.havoc(1, Display::Bool);
    call.when(ends, |call| {
        call.function.emit_last(Action::Exit { status: int(0) });
        let elsewhere = call.function.location();
        call.function.stand_at(elsewhere);
    });
    int_result(-1)
}

/// `execv`, `execvp`, `execve`, `execvpe`.
pub(super) fn exec_array(call: &mut ModelCall<'_, '_>) -> Modelled {
    let (path, arguments) = (call.pointer(0), call.pointer(1));
    let environment = if call.arguments.len() > 2 { call.pointer(2) } else { call.function.null() };
    Modelled::CallC("__selvedge_execve", vec![path, arguments, environment])
}

/// `alarm`, `ualarm`: a signal will come, which ends the process, is ignored, or runs a handler; all of that may happen
/// anyway.
pub(super) fn alarm(call: &mut ModelCall<'_, '_>) -> Modelled {
    nondet::any_of(call, call.result)
}

/// `sysconf`.
pub(super) fn sysconf(call: &mut ModelCall<'_, '_>) -> Modelled {
    match call.int(0) {
        Expr::Constant(bits) if PROCESSORS.contains(&bits.unsigned()) => processors(call),
        _ => nondet::any(call),
    }
}

/// `_SC_NPROCESSORS_CONF` and `_SC_NPROCESSORS_ONLN` of Linux.
const PROCESSORS: [u128; 2] = [83, 84];

/// The number of processors.
pub(super) fn processors(call: &mut ModelCall<'_, '_>) -> Modelled {
    let span = call.function.span;
    call.function.program.add_caveat(span, "the machine is assumed to have at most 64 processors");
    Modelled::Value(call.any_int_between(1, 64), Display::Signed)
}

/// `setlocale`: null, or a name.
pub(super) fn setlocale(call: &mut ModelCall<'_, '_>) -> Modelled {
    let (name, width) = (call.pointer(1), call.function.pointer_width());
    call.when(name.clone().is_true(), |call| {
        call.call_c("__selvedge_strlen", vec![name], width);
    });
    let span = call.function.span;
    call.function.program.add_caveat(span, "every locale is assumed to treat characters and numbers as C's does");
    if call.result == Types::VOID {
        return Modelled::Void;
    }
    let (text, null) = (call.string_of_the_library(), call.function.null());
    let is_known = call.function.havoc(1, Display::Bool);
    Modelled::Value(Expr::if_then_else(is_known, text, null), Display::Pointer)
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
