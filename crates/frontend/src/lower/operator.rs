//! C's operators and conversions as pure expressions. What we cannot compute with (`long double`, complex numbers,
//! vectors) is an error with its name, which the caller turns into an `Unsupported` edge.

use super::values::{float_constant, float_format, width};
use crate::syntax::ast::BinaryOperator;
use crate::types::{Type, TypeId, Types};
use selvedge_program::{BinaryOp, Conversion, Expr, FloatFormat, UnaryOp};

/// Arithmetic that we do not model, by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotComputed(pub &'static str);

/// Arithmetic on `long double`: its effect is its value.
pub const EXTENDED: NotComputed = NotComputed("long double arithmetic");
const AGGREGATE: NotComputed = NotComputed("arithmetic on complex numbers or vectors");

/// What numbers of a type are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Signed,
    Unsigned,
    Float(FloatFormat),
}

fn kind(types: &Types, ty: TypeId) -> Result<Kind, NotComputed> {
    match types.get(ty) {
        Type::Float(_) => float_format(types, ty).map(Kind::Float).ok_or(EXTENDED),
        Type::Complex(_) | Type::Vector { .. } => Err(AGGREGATE),
        _ if types.is_signed(ty) => Ok(Kind::Signed),
        _ => Ok(Kind::Unsigned),
    }
}

/// Whether a value of a scalar type is not zero, of width 1.
pub fn truth(types: &Types, value: Expr, ty: TypeId) -> Result<Expr, NotComputed> {
    Ok(match kind(types, ty)? {
        Kind::Float(format) => Expr::binary(BinaryOp::FloatEqual(format), value, float_constant(format, 0.0)).not(),
        Kind::Signed | Kind::Unsigned => value.is_true(),
    })
}

/// A value of one scalar type converted to another.
pub fn convert(types: &Types, value: Expr, from: TypeId, to: TypeId) -> Result<Expr, NotComputed> {
    if from == to {
        return Ok(value);
    }
    let target = width(types, to);
    if matches!(types.get(to), Type::Bool) {
        return Ok(truth(types, value, from)?.resize_unsigned(target));
    }
    if kind(types, from) == Err(EXTENDED) && !types.is_float(to) {
        // Undefined where the value does not fit.
        return Err(NotComputed("a conversion of a long double to an integer"));
    }
    Ok(match (kind(types, from)?, kind(types, to)?) {
        (Kind::Float(format), Kind::Float(_)) if format.width() == target => value,
        (Kind::Float(format), Kind::Float(_)) => Expr::convert(Conversion::FloatToFloat(format), target, value),
        (Kind::Float(format), Kind::Signed) => Expr::convert(Conversion::FloatToSigned(format), target, value),
        (Kind::Float(format), Kind::Unsigned) => Expr::convert(Conversion::FloatToUnsigned(format), target, value),
        (Kind::Signed, Kind::Float(format)) => Expr::convert(Conversion::SignedToFloat(format), target, value),
        (Kind::Unsigned, Kind::Float(format)) => Expr::convert(Conversion::UnsignedToFloat(format), target, value),
        (Kind::Signed, _) => value.resize_signed(target),
        (Kind::Unsigned, _) => value.resize_unsigned(target),
    })
}

/// The negation of a number.
pub fn negate(types: &Types, value: Expr, ty: TypeId) -> Result<Expr, NotComputed> {
    Ok(match kind(types, ty)? {
        Kind::Float(format) => Expr::unary(UnaryOp::FloatNegate(format), value),
        Kind::Signed | Kind::Unsigned => Expr::unary(UnaryOp::Negate, value),
    })
}

/// Whether the operator compares.
pub fn is_comparison(op: BinaryOperator) -> bool {
    use BinaryOperator::*;
    matches!(op, Less | Greater | LessEqual | GreaterEqual | Equal | NotEqual)
}

/// A comparison of two values of one type, of width 1.
pub fn compare(types: &Types, op: BinaryOperator, left: Expr, right: Expr, ty: TypeId) -> Result<Expr, NotComputed> {
    use BinaryOperator::*;
    let (less, equal, float) = match kind(types, ty)? {
        Kind::Signed => (BinaryOp::LessSigned, BinaryOp::Equal, None),
        Kind::Unsigned => (BinaryOp::LessUnsigned, BinaryOp::Equal, None),
        Kind::Float(format) => {
            (BinaryOp::FloatLess(format), BinaryOp::FloatEqual(format), Some(BinaryOp::FloatLessEqual(format)))
        }
    };
    Ok(match (op, float) {
        (Less, _) => Expr::binary(less, left, right),
        (Greater, _) => Expr::binary(less, right, left),
        (LessEqual, None) => Expr::binary(less, right, left).not(),
        (GreaterEqual, None) => Expr::binary(less, left, right).not(),
        (LessEqual, Some(or_equal)) => Expr::binary(or_equal, left, right),
        (GreaterEqual, Some(or_equal)) => Expr::binary(or_equal, right, left),
        (NotEqual, _) => Expr::binary(equal, left, right).not(),
        _ => Expr::binary(equal, left, right),
    })
}

/// A value with its type.
#[derive(Clone, Debug)]
pub struct Typed {
    /// The value.
    pub value: Expr,
    /// Its type.
    pub ty: TypeId,
}

/// An operator that does not compare, on two values of one type (shifts: each its own); the result has the left one's
/// type.
pub fn arithmetic(types: &Types, op: BinaryOperator, left: Typed, right: Typed) -> Result<Expr, NotComputed> {
    use BinaryOperator::*;
    let kind = kind(types, left.ty)?;
    if let Kind::Float(format) = kind {
        let op = match op {
            Multiply => BinaryOp::FloatMultiply(format),
            Divide => BinaryOp::FloatDivide(format),
            Add => BinaryOp::FloatAdd(format),
            Subtract => BinaryOp::FloatSubtract(format),
            _ => return Err(NotComputed("this operator on floating-point numbers")),
        };
        return Ok(Expr::binary(op, left.value, right.value));
    }
    let by_sign = |signed, unsigned| if kind == Kind::Signed { signed } else { unsigned };
    let op = match op {
        Multiply => BinaryOp::Multiply,
        Divide => by_sign(BinaryOp::DivideSigned, BinaryOp::DivideUnsigned),
        Remainder => by_sign(BinaryOp::RemainderSigned, BinaryOp::RemainderUnsigned),
        Add => BinaryOp::Add,
        Subtract => BinaryOp::Subtract,
        BitAnd => BinaryOp::And,
        BitXor => BinaryOp::Xor,
        BitOr => BinaryOp::Or,
        ShiftLeft => BinaryOp::ShiftLeft,
        ShiftRight => by_sign(BinaryOp::ShiftRightSigned, BinaryOp::ShiftRightUnsigned),
        Less | Greater | LessEqual | GreaterEqual | Equal | NotEqual => {
            let bit = compare(types, op, left.value, right.value, left.ty)?;
            return Ok(bit.resize_unsigned(width(types, left.ty)));
        }
    };
    let amount = match op {
        BinaryOp::ShiftLeft | BinaryOp::ShiftRightSigned | BinaryOp::ShiftRightUnsigned => {
            shift_amount(types, right, left.value.width())
        }
        _ => right.value,
    };
    Ok(Expr::binary(op, left.value, amount))
}

/// A shift amount in the width of what is shifted. An amount that is too large or negative stays too large.
fn shift_amount(types: &Types, amount: Typed, target: u32) -> Expr {
    if amount.value.width() <= target {
        return if types.is_signed(amount.ty) {
            amount.value.resize_signed(target)
        } else {
            amount.value.resize_unsigned(target)
        };
    }
    let limit = Expr::constant(amount.value.width(), u128::from(target));
    let fits = Expr::binary(BinaryOp::LessUnsigned, amount.value.clone(), limit);
    Expr::if_then_else(fits, amount.value.resize_unsigned(target), Expr::constant(target, u128::from(target)))
}
