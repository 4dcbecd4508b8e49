//! `__builtin_add_overflow` and its family: exact arithmetic at a width where nothing overflows, then a look at what is
//! lost.

use super::{ModelCall, Modelled};
use crate::types::{TypeId, Types};
use selvedge_program::{Atomicity, BinaryOp, Display, Expr};

/// A name of the family.
struct Name {
    operator: BinaryOp,
    /// The operands' type, if the name says it (`__builtin_sadd_overflow`).
    operands: Option<TypeId>,
    /// Whether the third argument is only an example of the result's type.
    is_predicate: bool,
}

fn parse(name: &str) -> Option<Name> {
    let rest = name.strip_prefix("__builtin_")?;
    let (rest, is_predicate) = match rest.strip_suffix("_overflow_p") {
        Some(rest) => (rest, true),
        None => (rest.strip_suffix("_overflow")?, false),
    };
    let operator = |word: &str| match word {
        "add" => Some(BinaryOp::Add),
        "sub" => Some(BinaryOp::Subtract),
        "mul" => Some(BinaryOp::Multiply),
        _ => None,
    };
    if let Some(operator) = operator(rest) {
        return Some(Name { operator, operands: None, is_predicate });
    }
    let operator = operator(rest.get(1..4)?)?;
    let operands = match (rest.get(..1)?, rest.get(4..)?) {
        ("s", "") => Types::INT,
        ("s", "l") => Types::LONG,
        ("s", "ll") => Types::LONG_LONG,
        ("u", "") => Types::UNSIGNED_INT,
        ("u", "l") => Types::UNSIGNED_LONG,
        ("u", "ll") => Types::UNSIGNED_LONG_LONG,
        _ => return None,
    };
    Some(Name { operator, operands: Some(operands), is_predicate })
}

/// Whether a name is one of the family.
pub(super) fn is_overflow(name: &str) -> bool {
    parse(name).is_some()
}

/// The model of the family.
pub(super) fn checked(call: &mut ModelCall<'_, '_>) -> Modelled {
    const WIDEST: u32 = 64;
    let Some(name) = parse(call.name) else {
        return Modelled::Unsupported(format!("`{}`", call.name));
    };
    let result = if name.is_predicate { call.arguments.get(2).map(|argument| argument.ty) } else { call.pointee(2) };
    let Some(result) = result.filter(|ty| call.types.is_integer(*ty)) else {
        return Modelled::Unsupported(format!("`{}` with a result that is no integer", call.name));
    };
    let types = [0, 1].map(|index| name.operands.or(call.arguments.get(index).map(|argument| argument.ty)));
    let [Some(left_type), Some(right_type)] = types else {
        return Modelled::Unsupported(format!("`{}` without operands", call.name));
    };
    let width = |ty: TypeId| call.types.scalar_size(ty).map_or(u32::MAX, |size| 8 * size);
    if [left_type, right_type, result].into_iter().any(|ty| width(ty) > WIDEST) {
        return Modelled::Unsupported(format!("`{}` on numbers of more than 64 bits", call.name));
    }
    let (result_width, exact_width) = (width(result), 2 * WIDEST);
    let mut exact = |index: usize, ty: TypeId| {
        let value = call.converted(index, ty);
        if call.types.is_signed(ty) { value.resize_signed(exact_width) } else { value.resize_unsigned(exact_width) }
    };
    let exact = Expr::binary(name.operator, exact(0, left_type), exact(1, right_type));
    let exact = call.function.hold(exact, Display::Signed);
    let kept = exact.clone().resize_unsigned(result_width);
    let back = if call.types.is_signed(result) {
        kept.clone().resize_signed(exact_width)
    } else {
        kept.clone().resize_unsigned(exact_width)
    };
    if !name.is_predicate {
        let (target, align) = (call.pointer(2), call.types.align(result));
        call.function.store(target, align, kept, Atomicity::Plain);
    }
    Modelled::Value(Expr::equal(exact, back).not().resize_unsigned(8), Display::Bool)
}
