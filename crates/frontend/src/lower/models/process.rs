//! The process: its end, its signals, its children, and what it asks of the machine.

use super::arguments::{int, int_result};
use super::nondet;
use super::{ModelCall, Modelled};
use crate::lower::builder::FunctionBuilder;
use crate::types::Types;
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

/// Signals that a program causes by its mistakes, and `abort`: they are not taken to come from elsewhere.
const CAUSED: [u128; 7] = [4, 5, 6, 7, 8, 11, 31];

impl ModelCall<'_, '_> {
    /// Whether a handler is for what only a mistake of the program brings about.
    fn is_for_mistakes(&mut self) -> bool {
        let is_caused = matches!(self.int(0), Expr::Constant(number) if CAUSED.contains(&number.unsigned()));
        if is_caused {
            let span = self.function.span;
            let message = "signals of mistakes (SIGSEGV and the like) are assumed not to be sent, and their handlers \
                           not to run";
            self.function.program.add_caveat(span, message);
        }
        is_caused
    }

    /// Takes note that a handler of signals may be installed here.
    fn note_handler(&mut self) {
        let (program, span) = (&mut self.function.program, self.function.span);
        let run = program.c_model("__selvedge_run_handler_of_signal");
        program.handlers.run = Some(run);
        program.handlers.installed.get_or_insert(span);
    }

    /// Only where a handler is installed: a wait can be interrupted.
    pub(super) fn require_interruption(&mut self) {
        self.call_c("__selvedge_assume_interruption", Vec::new(), 32);
    }
}

/// `signal`: a handler may run from now on (lower/signals.rs).
pub(super) fn signal(call: &mut ModelCall<'_, '_>) -> Modelled {
    let (number, disposition) = (call.int(0), call.pointer(1));
    let is_handler = !matches!(&disposition, Expr::Constant(bits) if bits.unsigned() <= 1);
    if !call.facts.has_signal_handlers || (is_handler && call.is_for_mistakes()) {
        return Modelled::Value(call.any_int_between(-1, 1), Display::Signed);
    }
    if is_handler {
        call.note_handler();
    }
    Modelled::CallC("__selvedge_signal", vec![number, disposition])
}

/// `sigaction`: the same.
pub(super) fn sigaction(call: &mut ModelCall<'_, '_>) -> Modelled {
    let (number, mut new, old) = (call.int(0), call.pointer(1), call.pointer(2));
    if call.is_for_mistakes() {
        let given = std::mem::replace(&mut new, call.function.null());
        call.when(given.clone().is_true(), |call| {
            let size = call.pointer_size();
            call.function.load(given, size, size, Atomicity::Plain, Display::Pointer);
        });
    } else if new != call.function.null() {
        call.note_handler();
    }
    Modelled::CallC("__selvedge_sigaction", vec![number, new, old])
}

/// `void __selvedge_signal_perhaps_blocked(void)`: before a handler runs in a program that says when it may.
pub(super) fn perhaps_blocked(call: &mut ModelCall<'_, '_>) -> Modelled {
    if call.facts.blocks_signals {
        call.function.inexact("a handler of signals where they may be blocked, which is not modelled");
    }
    Modelled::Void
}

/// `void __selvedge_handler_in_handler(void)`: before a handler interrupts another; which it may not is not known.
pub(super) fn handler_in_handler(call: &mut ModelCall<'_, '_>) -> Modelled {
    call.function.inexact("a handler of signals that interrupts another, where that may be blocked");
    Modelled::Void
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
