//! What every operator does to bit-vectors: the arithmetic that constant folding and the concrete semantics share.
//!
//! Floating-point numbers are computed in binary64 and rounded to their format once; for `+ - * /` on binary32 operands
//! this equals rounding the exact result. A NaN that an operation produces is always the same quiet one.

use crate::{BinaryOp, Bits, Conversion, FloatFormat, UnaryOp, Undefined};

impl UnaryOp {
    /// The operator applied to a bit-vector.
    pub fn apply(self, operand: Bits) -> Bits {
        let width = operand.width();
        match self {
            UnaryOp::Negate => Bits::new(width, operand.unsigned().wrapping_neg()),
            UnaryOp::Not => Bits::new(width, !operand.unsigned()),
            UnaryOp::FloatNegate(_) => Bits::new(width, operand.unsigned() ^ (1 << (width - 1))),
            UnaryOp::StartOf => Bits::new(width, 0),
            UnaryOp::IsWithin => Bits::bool(true),
        }
    }
}

impl BinaryOp {
    /// The operator applied to two bit-vectors of one width, unless it is undefined on them.
    pub fn apply(self, left: Bits, right: Bits) -> Result<Bits, Undefined> {
        debug_assert_eq!(left.width(), right.width());
        let width = left.width();
        let (l, r) = (left.unsigned(), right.unsigned());
        let value = match self {
            BinaryOp::Add => l.wrapping_add(r),
            BinaryOp::Subtract => l.wrapping_sub(r),
            BinaryOp::Multiply => l.wrapping_mul(r),
            BinaryOp::DivideUnsigned => l.checked_div(r).ok_or(Undefined::DivisionByZero)?,
            BinaryOp::RemainderUnsigned => l.checked_rem(r).ok_or(Undefined::DivisionByZero)?,
            BinaryOp::DivideSigned => signed_division(left, right)?.0 as u128,
            BinaryOp::RemainderSigned => signed_division(left, right)?.1 as u128,
            BinaryOp::And => l & r,
            BinaryOp::Or => l | r,
            BinaryOp::Xor => l ^ r,
            BinaryOp::ShiftLeft => l << shift_amount(right)?,
            BinaryOp::ShiftRightUnsigned => l >> shift_amount(right)?,
            BinaryOp::ShiftRightSigned => (left.as_signed() >> shift_amount(right)?) as u128,
            BinaryOp::Equal => return Ok(Bits::bool(l == r)),
            BinaryOp::LessUnsigned => return Ok(Bits::bool(l < r)),
            BinaryOp::LessSigned => return Ok(Bits::bool(left.as_signed() < right.as_signed())),
            BinaryOp::FloatAdd(format) => return Ok(rounded(format, left.as_float(format) + right.as_float(format))),
            BinaryOp::FloatSubtract(format) => {
                return Ok(rounded(format, left.as_float(format) - right.as_float(format)));
            }
            BinaryOp::FloatMultiply(format) => {
                return Ok(rounded(format, left.as_float(format) * right.as_float(format)));
            }
            BinaryOp::FloatDivide(format) => {
                return Ok(rounded(format, left.as_float(format) / right.as_float(format)));
            }
            BinaryOp::FloatEqual(format) => {
                return Ok(Bits::bool(left.as_float(format) == right.as_float(format)));
            }
            BinaryOp::FloatLess(format) => return Ok(Bits::bool(left.as_float(format) < right.as_float(format))),
            BinaryOp::FloatLessEqual(format) => {
                return Ok(Bits::bool(left.as_float(format) <= right.as_float(format)));
            }
        };
        Ok(Bits::new(width, value))
    }

    /// Whether the operands can change places.
    pub fn is_commutative(self) -> bool {
        matches!(
            self,
            BinaryOp::Add | BinaryOp::Multiply | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor | BinaryOp::Equal
        )
    }

    /// Whether some operands of the operator, as numbers, make it undefined.
    pub fn can_be_undefined(self) -> bool {
        matches!(
            self,
            BinaryOp::DivideUnsigned
                | BinaryOp::DivideSigned
                | BinaryOp::RemainderUnsigned
                | BinaryOp::RemainderSigned
                | BinaryOp::ShiftLeft
                | BinaryOp::ShiftRightUnsigned
                | BinaryOp::ShiftRightSigned
        )
    }
}

impl Conversion {
    /// The conversion of a bit-vector to a width, unless it is undefined on it.
    pub fn apply(self, width: u32, operand: Bits) -> Result<Bits, Undefined> {
        Ok(match self {
            Conversion::ZeroExtend | Conversion::Truncate => Bits::new(width, operand.unsigned()),
            Conversion::SignExtend => Bits::signed(width, operand.as_signed()),
            Conversion::UnsignedToFloat(format) => match format {
                FloatFormat::F32 => Bits::from_f32(operand.unsigned() as f32),
                FloatFormat::F64 => Bits::from_f64(operand.unsigned() as f64),
            },
            Conversion::SignedToFloat(format) => match format {
                FloatFormat::F32 => Bits::from_f32(operand.as_signed() as f32),
                FloatFormat::F64 => Bits::from_f64(operand.as_signed() as f64),
            },
            Conversion::FloatToUnsigned(format) => {
                let whole = operand.as_float(format).trunc();
                if !(whole >= 0.0 && whole < power_of_two(width)) {
                    return Err(Undefined::FloatOutOfRange);
                }
                Bits::new(width, whole as u128)
            }
            Conversion::FloatToSigned(format) => {
                let whole = operand.as_float(format).trunc();
                if !(whole >= -power_of_two(width - 1) && whole < power_of_two(width - 1)) {
                    return Err(Undefined::FloatOutOfRange);
                }
                Bits::signed(width, whole as i128)
            }
            Conversion::FloatToFloat(format) => {
                let to = if width == 32 { FloatFormat::F32 } else { FloatFormat::F64 };
                rounded(to, operand.as_float(format))
            }
        })
    }

    /// Whether some operand makes the conversion undefined.
    pub fn can_be_undefined(self) -> bool {
        matches!(self, Conversion::FloatToUnsigned(_) | Conversion::FloatToSigned(_))
    }
}

/// 2 to a power of at most 128, exactly.
pub(crate) fn power_of_two(exponent: u32) -> f64 {
    f64::from_bits(u64::from(1023 + exponent) << 52)
}

/// A number in a format, rounded to nearest.
fn rounded(format: FloatFormat, value: f64) -> Bits {
    match format {
        FloatFormat::F32 if value.is_nan() => Bits::from_f32(f32::from_bits(0x7fc0_0000)),
        FloatFormat::F32 => Bits::from_f32(value as f32),
        FloatFormat::F64 if value.is_nan() => Bits::from_f64(f64::from_bits(0x7ff8_0000_0000_0000)),
        FloatFormat::F64 => Bits::from_f64(value),
    }
}

/// Quotient and remainder.
fn signed_division(left: Bits, right: Bits) -> Result<(i128, i128), Undefined> {
    if right.is_zero() {
        return Err(Undefined::DivisionByZero);
    }
    if right == Bits::ones(right.width()) && left == Bits::smallest(left.width()) {
        return Err(Undefined::DivisionOverflow);
    }
    let (l, r) = (left.as_signed(), right.as_signed());
    Ok((l.wrapping_div(r), l.wrapping_rem(r)))
}

fn shift_amount(amount: Bits) -> Result<u32, Undefined> {
    let width = amount.width();
    u32::try_from(amount.unsigned()).ok().filter(|amount| *amount < width).ok_or(Undefined::ShiftTooFar)
}
