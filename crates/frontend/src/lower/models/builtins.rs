//! Compiler builtins that are no library functions.

use super::{ModelCall, Modelled};
use selvedge_program::{Display, Expr, Undefined};

/// `__builtin_expect` and others whose value is their first argument.
pub(super) fn first(call: &mut ModelCall<'_, '_>) -> Modelled {
    match call.arguments.first() {
        Some(argument) if call.types.scalar_size(argument.ty).is_some() => {
            Modelled::Value(argument.value.clone(), call.types.display(argument.ty))
        }
        _ => Modelled::Unsupported(format!("`{}` of something that is no scalar", call.name)),
    }
}

/// `__builtin_unreachable`.
pub(super) fn unreachable(call: &mut ModelCall<'_, '_>) -> Modelled {
    call.function.require(Expr::falsehood(), Undefined::Unreachable);
    call.abort()
}

/// `__builtin_object_size`, `__builtin_dynamic_object_size`: not known, which is -1 or 0 by the kind asked for.
pub(super) fn object_size(call: &mut ModelCall<'_, '_>) -> Modelled {
    let (width, kind) = (call.function.pointer_width(), call.int(1));
    let minimum = match kind {
        Expr::Constant(bits) => bits.unsigned() & 2 != 0,
        _ => false,
    };
    Modelled::Value(Expr::constant(width, if minimum { 0 } else { u128::MAX }), Display::Unsigned)
}
