//! How values of C types are held in registers: their widths and how they are shown.

use crate::types::{Float, Type, TypeId, Types};
use selvedge_program::{Bits, Display, Expr, FloatFormat};

/// The width of a register for a value of a type. Structs, unions and arrays are held by their address.
pub fn width(types: &Types, ty: TypeId) -> u32 {
    if types.is_aggregate(ty) {
        return types.data_model.pointer_width();
    }
    let bytes = types.size(ty).unwrap_or(1).clamp(1, 16);
    8 * bytes as u32
}

/// How to show a value of a type.
pub fn display(types: &Types, ty: TypeId) -> Display {
    match types.get(ty) {
        Type::Bool => Display::Bool,
        Type::Float(_) => Display::Float,
        Type::Integer(_) | Type::Enum(_) if types.is_signed(ty) => Display::Signed,
        Type::Integer(_) | Type::Enum(_) => Display::Unsigned,
        _ => Display::Pointer,
    }
}

/// The format of a floating type that can be computed with.
pub fn float_format(types: &Types, ty: TypeId) -> Option<FloatFormat> {
    match types.get(ty) {
        Type::Float(Float::Float) => Some(FloatFormat::F32),
        Type::Float(Float::Double) => Some(FloatFormat::F64),
        _ => None,
    }
}

/// A floating constant of any type whose format we know; `long double` can be moved though not computed with.
pub fn floating(types: &Types, ty: TypeId, value: f64) -> Option<Expr> {
    match (float_format(types, ty), types.get(ty)) {
        (Some(format), _) => Some(float_constant(format, value)),
        (None, Type::Float(Float::LongDouble)) => Some(Expr::constant(width(types, ty), extended(value))),
        (None, _) => None,
    }
}

/// A number in x87's format of 80 bits: a sign, 15 bits of exponent, and 64 of significand with its leading one.
fn extended(value: f64) -> u128 {
    let bits = value.to_bits();
    let sign = u128::from(bits >> 63) << 79;
    let fraction = bits & ((1 << 52) - 1);
    let exponent = (bits >> 52) & 0x7ff;
    let (exponent, significand) = match (exponent, fraction) {
        (0, 0) => (0, 0),
        (0, fraction) => {
            let shift = fraction.leading_zeros();
            (16383 - 1022 - u64::from(shift - 11), fraction << shift)
        }
        (0x7ff, fraction) => (0x7fff, 1 << 63 | fraction << 11),
        (exponent, fraction) => (exponent + 16383 - 1023, 1 << 63 | fraction << 11),
    };
    sign | u128::from(exponent) << 64 | u128::from(significand)
}

/// A floating constant of a type that can be computed with.
pub fn float_constant(format: FloatFormat, value: f64) -> Expr {
    Expr::Constant(match format {
        FloatFormat::F32 => Bits::from_f32(value as f32),
        FloatFormat::F64 => Bits::from_f64(value),
    })
}

/// How a register that takes on a value is resized: with the sign if it is shown signed.
pub fn resize(value: Expr, display: Display, width: u32) -> Expr {
    match display {
        Display::Signed => value.resize_signed(width),
        _ => value.resize_unsigned(width),
    }
}

#[cfg(test)]
mod tests {
    use super::extended;

    #[test]
    fn extended_numbers_are_those_of_the_machine() {
        assert_eq!(extended(0.0), 0);
        assert_eq!(extended(1.0), 0x3fff_8000_0000_0000_0000);
        assert_eq!(extended(-2.5), 0xc000_a000_0000_0000_0000);
        assert_eq!(extended(f64::INFINITY), 0x7fff_8000_0000_0000_0000);
        assert_eq!(extended(f64::from_bits(1)), 0x3bcd_8000_0000_0000_0000);
    }
}
