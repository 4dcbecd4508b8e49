//! Signals: what installs a handler, which are blocked, and waits for one (models/signals.c has the rest, and
//! lower/signals.rs lets threads be interrupted).

use super::arguments::int;
use super::errno::{EINTR, EINVAL};
use super::{ModelCall, Modelled};
use selvedge_program::{Action, Atomicity, Display, Expr};

/// Signals that a program causes by its mistakes, and `abort`: they are not taken to come from elsewhere.
const CAUSED: [u128; 7] = [4, 5, 6, 7, 8, 11, 31];

/// What is said of a handler with SA_NODEFER in programs whose handlers are otherwise never interrupted.
pub const WITHIN_ITSELF: &str = "a handler of signals that may interrupt itself (SA_NODEFER)";

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
        let (program, span, facts) = (&mut self.function.program, self.function.span, self.facts);
        let run = program.c_model("__selvedge_run_handler_of_signal");
        let set_mask = facts.sets_signal_mask.then(|| program.c_model("__selvedge_sigmask"));
        let handlers = &mut program.handlers;
        handlers.run = Some(run);
        handlers.set_mask = set_mask;
        handlers.is_one_signal = facts.handled_signals.count_ones() == 1;
        handlers.installed.get_or_insert(span);
    }

    /// Only where a handler is installed: a wait can be interrupted.
    pub(super) fn require_interruption(&mut self) {
        self.call_c("__selvedge_assume_interruption", Vec::new(), 32);
    }

    /// A signal without a handler may come at any time, and end the process.
    fn or_be_ended(&mut self) {
        let ends = self.function.havoc(1, Display::Bool);
        self.when(ends, |call| {
            call.function.emit_last(Action::Exit { status: int(0) });
            let elsewhere = call.function.location();
            call.function.stand_at(elsewhere);
        });
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
    let is_once = matches!(call.plain_name(), "sysv_signal" | "__sysv_signal");
    let install = if is_once { "__selvedge_sysv_signal" } else { "__selvedge_signal" };
    Modelled::CallC(install, vec![number, disposition])
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

/// `pthread_sigmask`: which signals the executing thread blocks. Where no handler runs it makes no difference.
pub(super) fn set_mask(call: &mut ModelCall<'_, '_>) -> Modelled {
    let (how, set, old) = (call.int(0), call.pointer(1), call.pointer(2));
    if call.facts.has_signal_handlers {
        return Modelled::CallC("__selvedge_sigmask", vec![how, set, old]);
    }
    Modelled::CallC("__selvedge_no_sigmask", vec![set, old])
}

/// `sigprocmask`: the same, and errors go to `errno`.
pub(super) fn set_process_mask(call: &mut ModelCall<'_, '_>) -> Modelled {
    let Modelled::CallC(model, arguments) = set_mask(call) else { return Modelled::Void };
    let status = call.call_c(model, arguments, 32);
    call.when(status.clone().is_true(), |call| call.set_errno(EINVAL));
    Modelled::Value(Expr::if_then_else(status.is_true(), int(-1), int(0)), Display::Signed)
}

/// `sigsuspend`: goes on when a handler has run that is not blocked meanwhile.
pub(super) fn suspend(call: &mut ModelCall<'_, '_>) -> Modelled {
    let mask = call.pointer(0);
    wait(call, "__selvedge_suspend", vec![mask])
}

/// `pause`.
pub(super) fn pause(call: &mut ModelCall<'_, '_>) -> Modelled {
    wait(call, "__selvedge_wait_for_handler", Vec::new())
}

/// Where there is no handler, only the end of the process ends the wait.
fn wait(call: &mut ModelCall<'_, '_>, model: &'static str, arguments: Vec<Expr>) -> Modelled {
    if !call.facts.has_signal_handlers {
        call.function.emit_last(Action::Exit { status: int(0) });
        return Modelled::NoReturn;
    }
    call.or_be_ended();
    call.call_c(model, arguments, 32);
    call.set_errno(EINTR);
    Modelled::Value(int(-1), Display::Signed)
}

/// `void __selvedge_signal_perhaps_blocked(void)`: before a handler runs in a program that says when it may.
pub(super) fn perhaps_blocked(call: &mut ModelCall<'_, '_>) -> Modelled {
    if call.facts.hides_signal_mask {
        let why = "a handler of signals where they may be blocked by `sigblock`, `sighold`, `pselect` or the like, \
                   which is not modelled";
        return Modelled::Unsupported(why.to_owned());
    }
    Modelled::Void
}

/// `int __selvedge_masks_matter(void)`: whether it makes a difference what a handler blocks beside its own signal.
pub(super) fn masks_matter(call: &mut ModelCall<'_, '_>) -> Modelled {
    Modelled::Value(int(i32::from(call.facts.masks_matter())), Display::Signed)
}

/// `void __selvedge_handler_within_itself(void)`: decided when it is known where handlers can be interrupted.
pub(super) fn handler_within_itself(call: &mut ModelCall<'_, '_>) -> Modelled {
    call.function.inexact(WITHIN_ITSELF);
    Modelled::Void
}
