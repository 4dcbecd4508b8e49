//! Assertions, and what verifiers' programs use to talk to the verifier: `__VERIFIER_…`, `__CPROVER_…`.

use super::{Model, ModelCall, Modelled};
use crate::lower::Failures;
use selvedge_program::{Action, Expr};

/// Functions that must not be reached, unless the user names others, even if the program defines them itself: a call is
/// a check that fails before the body, so that an empty `reach_error(){}` counts as well.
pub const ERROR_FUNCTIONS: &[&str] = &["reach_error", "__VERIFIER_error"];

/// The model of a function that must not be reached.
pub const ERROR: Model = error;

/// The status of a process that `abort` ends, as a shell shows it.
const ABORTED: u128 = 134;

impl ModelCall<'_, '_> {
    /// Ends the process as `abort` does.
    pub(super) fn abort(&mut self) -> Modelled {
        self.function.emit_last(Action::Exit { status: Expr::constant(32, ABORTED) });
        Modelled::NoReturn
    }

    /// An assertion: a check, or what ends the process where only calls of certain functions are checks.
    fn assertion(&mut self, condition: Expr, description: String) {
        match self.failures {
            Failures::All => self.function.check(condition, description),
            Failures::CallsOf(_) => {
                let (holds, fails) = (self.function.location(), self.function.location());
                self.function.branch(condition, holds, fails);
                self.function.stand_at(fails);
                self.abort();
                self.function.stand_at(holds);
            }
        }
    }

    /// An assertion that fails.
    fn failed_assertion(&mut self, description: String) -> Modelled {
        self.assertion(Expr::falsehood(), description);
        self.abort()
    }

    /// The text of a string literal argument.
    fn text(&mut self, index: usize) -> Option<String> {
        let bytes = self.literal(index)?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }
}

/// `__selvedge_assert(condition, text)`, which our `assert` expands to, and `__CPROVER_assert`.
pub(super) fn assert(call: &mut ModelCall<'_, '_>) -> Modelled {
    let condition = call.truth(0);
    let description = call.text(1).unwrap_or_else(|| "assertion".to_owned());
    call.assertion(condition, description);
    Modelled::Void
}

impl ModelCall<'_, '_> {
    /// Whether a scalar argument is not zero.
    fn truth(&mut self, index: usize) -> Expr {
        self.converted(index, crate::types::Types::BOOL).is_true()
    }
}

/// `__VERIFIER_assert(condition)`, where the program does not define it.
pub(super) fn verifier_assert(call: &mut ModelCall<'_, '_>) -> Modelled {
    let condition = call.truth(0);
    call.assertion(condition, call.name.to_owned());
    Modelled::Void
}

/// `__assert_fail`, `__assert`, which the C library's `assert` expands to.
pub(super) fn assert_fail(call: &mut ModelCall<'_, '_>) -> Modelled {
    let description = call.text(0).unwrap_or_else(|| "assertion".to_owned());
    call.failed_assertion(description)
}

/// `__assert_perror_fail`.
pub(super) fn assert_perror_fail(call: &mut ModelCall<'_, '_>) -> Modelled {
    call.failed_assertion("assert_perror".to_owned())
}

/// `reach_error`, `__VERIFIER_error`, or what the user names instead. One that the user does not name aborts.
pub(super) fn error(call: &mut ModelCall<'_, '_>) -> Modelled {
    if call.failures.is_call_of(call.name) {
        call.function.check(Expr::falsehood(), format!("{}() is not reached", call.name));
    }
    call.abort()
}

/// `__VERIFIER_assume`, `__CPROVER_assume`: where the condition does not hold the thread stops for good. Such a thread
/// is stopped by assumption: its location has a single edge, an `Assume` that does not pass, and no deadlock is meant.
pub(super) fn assume(call: &mut ModelCall<'_, '_>) -> Modelled {
    let condition = call.truth(0);
    call.function.emit(Action::Assume(condition));
    Modelled::Void
}

/// `__VERIFIER_atomic_begin`, `__CPROVER_atomic_begin`.
pub(super) fn atomic_begin(call: &mut ModelCall<'_, '_>) -> Modelled {
    call.function.emit(Action::AtomicBegin);
    Modelled::Void
}

/// `__VERIFIER_atomic_end`, `__CPROVER_atomic_end`.
pub(super) fn atomic_end(call: &mut ModelCall<'_, '_>) -> Modelled {
    call.function.emit(Action::AtomicEnd);
    Modelled::Void
}
