//! Any value: of the type that the program declares, or within what the library promises.

use super::arguments::int_result;
use super::library_use::Asked;
use super::{ModelCall, Modelled};
use crate::types::{Type, TypeId, Types};
use selvedge_program::{Action, Atomicity, BinaryOp, Callee, Display, Expr};

/// Whether a name is one of the verifiers' functions for any value of a type.
pub(super) fn is_nondet(name: &str) -> bool {
    ["__VERIFIER_nondet_", "__CPROVER_nondet_", "nondet_", "__selvedge_nondet_"]
        .iter()
        .any(|prefix| name.starts_with(prefix))
}

/// `__VERIFIER_nondet_int` and the like: any value of the declared result type, whatever the name says.
pub(super) fn any(call: &mut ModelCall<'_, '_>) -> Modelled {
    let (types, result) = (call.types, call.result);
    if call.arguments.iter().any(|argument| types.is_pointer(argument.ty)) {
        return Modelled::Unsupported(format!("`{}` with a pointer, through which it may store anything", call.name));
    }
    any_of(call, result)
}

/// Any `double` of a model's, made of two halves: what is made of parts is no address.
pub(super) fn any_double(call: &mut ModelCall<'_, '_>) -> Modelled {
    let [low, high] = [(); 2].map(|()| call.function.havoc(32, Display::Unsigned).resize_unsigned(64));
    let high = Expr::binary(BinaryOp::ShiftLeft, high, Expr::constant(64, 32));
    Modelled::Value(Expr::binary(BinaryOp::Or, high, low), Display::Float)
}

/// Any value of a type.
pub(super) fn any_of(call: &mut ModelCall<'_, '_>, result: TypeId) -> Modelled {
    let types = call.types;
    match (types.get(result), types.scalar_size(result)) {
        (Type::Void, _) => Modelled::Void,
        (Type::Bool, _) => Modelled::Value(call.function.havoc(1, Display::Bool).resize_unsigned(8), Display::Bool),
        (_, Some(size)) => {
            let display = types.display(result);
            Modelled::Value(call.function.havoc(8 * size, display), display)
        }
        _ => Modelled::Unsupported(format!("any value of the type that `{}` returns", call.name)),
    }
}

impl ModelCall<'_, '_> {
    /// Has a model in C write what the library keeps between calls: where it need not be thread-safe, two at once race.
    fn touch_state(&mut self, touch: &str) {
        let callee = Callee::Direct(self.function.program.c_model(touch));
        self.function.emit(Action::Call { target: None, callee, arguments: Vec::new() });
    }

    /// The same for what glibc makes thread-safe although no standard demands it.
    fn touch_state_unless_safe(&mut self, touch: &str) {
        if !self.latitude.thread_safe_libc {
            self.touch_state(touch);
        }
    }
}

/// `rand`.
pub(super) fn rand(call: &mut ModelCall<'_, '_>) -> Modelled {
    call.touch_state_unless_safe("__selvedge_touch_rand");
    not_negative(call)
}

/// `srand`, `srandom`.
pub(super) fn seed(call: &mut ModelCall<'_, '_>) -> Modelled {
    call.touch_state_unless_safe("__selvedge_touch_rand");
    Modelled::Void
}

/// `rand_r`: what it is given is its state.
pub(super) fn rand_r(call: &mut ModelCall<'_, '_>) -> Modelled {
    let next = call.function.havoc(32, Display::Unsigned);
    let address = call.pointer(0);
    call.function.store(address, 4, next, Atomicity::Plain);
    not_negative(call)
}

/// `lrand48`.
pub(super) fn lrand48(call: &mut ModelCall<'_, '_>) -> Modelled {
    call.touch_state("__selvedge_touch_drand48");
    let value = call.any_int_between(0, i32::MAX);
    Modelled::Value(value.resize_unsigned(call.function.pointer_width()), Display::Signed)
}

/// `mrand48`.
pub(super) fn mrand48(call: &mut ModelCall<'_, '_>) -> Modelled {
    call.touch_state("__selvedge_touch_drand48");
    any(call)
}

/// `drand48`.
pub(super) fn drand48(call: &mut ModelCall<'_, '_>) -> Modelled {
    call.touch_state("__selvedge_touch_drand48");
    fraction(call)
}

/// `srand48`.
pub(super) fn seed48(call: &mut ModelCall<'_, '_>) -> Modelled {
    call.touch_state("__selvedge_touch_drand48");
    Modelled::Void
}

/// `getpid`: any positive number, the same every time.
pub(super) fn pid(call: &mut ModelCall<'_, '_>) -> Modelled {
    if call.facts.asks_pid == Asked::Often { Modelled::CallC("__selvedge_getpid", Vec::new()) } else { positive(call) }
}

/// Any `int` that is not negative.
pub(super) fn not_negative(call: &mut ModelCall<'_, '_>) -> Modelled {
    if call.result == Types::VOID {
        return Modelled::Void;
    }
    Modelled::Value(call.any_int_between(0, i32::MAX), Display::Signed)
}

/// `random`: any number from 0 to 2³¹ - 1.
pub(super) fn random(call: &mut ModelCall<'_, '_>) -> Modelled {
    call.touch_state_unless_safe("__selvedge_touch_rand");
    let value = call.any_int_between(0, i32::MAX);
    Modelled::Value(value.resize_unsigned(call.function.pointer_width()), Display::Signed)
}

/// Any number from 0 up to but not including 1.
fn fraction(call: &mut ModelCall<'_, '_>) -> Modelled {
    let (value, format) = (call.function.havoc(64, Display::Float), selvedge_program::FloatFormat::F64);
    let number = |value: f64| Expr::constant(64, u128::from(value.to_bits()));
    let above = Expr::binary(BinaryOp::FloatLessEqual(format), number(0.0), value.clone());
    let below = Expr::binary(BinaryOp::FloatLess(format), value.clone(), number(1.0));
    let value = Expr::if_then_else(above.and(below), value, number(0.0));
    Modelled::Value(value, Display::Float)
}

/// `getpid` and the like: any positive number.
pub(super) fn positive(call: &mut ModelCall<'_, '_>) -> Modelled {
    if call.result == Types::VOID {
        return Modelled::Void;
    }
    Modelled::Value(call.any_int_between(1, i32::MAX), Display::Signed)
}

/// `isatty`, `access`: 0, 1 or -1 as the function may answer.
pub(super) fn any_status(call: &mut ModelCall<'_, '_>) -> Modelled {
    if call.result == Types::VOID {
        return Modelled::Void;
    }
    Modelled::Value(call.any_int_between(-1, 1), Display::Signed)
}

/// A call that can fail: 0 or -1.
pub(super) fn zero_or_error(call: &mut ModelCall<'_, '_>) -> Modelled {
    if call.result == Types::VOID {
        return int_result(0);
    }
    Modelled::Value(call.any_int_between(-1, 0), Display::Signed)
}

/// `getenv`: null, or a string of at most 15 characters.
pub(super) fn getenv(call: &mut ModelCall<'_, '_>) -> Modelled {
    let span = call.function.span;
    call.function.program.add_caveat(span, "environment variables are assumed to have at most 15 characters");
    match call.facts.asks_environment {
        Asked::Often => call.in_c("__selvedge_getenv", 1),
        _ => call.in_c("__selvedge_getenv_once", 1),
    }
}
