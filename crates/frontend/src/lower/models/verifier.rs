//! Assertions, and what verifiers' programs use to talk to the verifier: `__VERIFIER_…`, `__CPROVER_…`.

use super::{ModelCall, Modelled};
use selvedge_program::{Action, Expr};

/// Functions that must not be reached even if the program defines them itself: where it does, the lowering emits a
/// check that fails before the body, so that an empty `reach_error(){}` counts as well.
pub const ERROR_FUNCTIONS: &[&str] = &["reach_error", "__VERIFIER_error"];

/// The status of a process that `abort` ends, as a shell shows it.
const ABORTED: u128 = 134;

impl ModelCall<'_, '_> {
    /// Ends the process as `abort` does.
    pub(super) fn abort(&mut self) -> Modelled {
        self.function.emit_last(Action::Exit { status: Expr::constant(32, ABORTED) });
        Modelled::NoReturn
    }

    /// A check that fails.
    fn fail_check(&mut self, description: String) -> Modelled {
        self.function.check(Expr::falsehood(), description);
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
    call.function.check(condition, description);
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
    call.function.check(condition, call.name);
    Modelled::Void
}

/// `__assert_fail`, `__assert`, which the C library's `assert` expands to.
pub(super) fn assert_fail(call: &mut ModelCall<'_, '_>) -> Modelled {
    let description = call.text(0).unwrap_or_else(|| "assertion".to_owned());
    call.fail_check(description)
}

/// `__assert_perror_fail`.
pub(super) fn assert_perror_fail(call: &mut ModelCall<'_, '_>) -> Modelled {
    call.fail_check("assert_perror".to_owned())
}

/// `reach_error`, `__VERIFIER_error`.
pub(super) fn error(call: &mut ModelCall<'_, '_>) -> Modelled {
    call.fail_check(format!("{}() is not reached", call.name))
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
