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
