//! Bit-fields: an access takes the bytes that the field touches, so that neighbours in the same bytes conflict and
//! others do not.

use super::values;
use crate::types::{BitField, TypeId, Types};
use selvedge_program::{BinaryOp, Expr, UnaryOp};

/// The bytes a bit-field touches: the first one, counted from the start of its record, and how many.
pub fn covering_bytes(bits: BitField) -> (u64, u32) {
    let first = bits.offset / 8;
    let last = (bits.offset + u64::from(bits.width.max(1)) - 1) / 8;
    (first, (last - first + 1) as u32)
}

/// The alignment to demand for the bytes of a bit-field in a record of an alignment.
pub fn alignment(bits: BitField, record_align: u32) -> u32 {
    let (first, count) = covering_bytes(bits);
    let is_whole = count.is_power_of_two() && first % u64::from(count) == 0 && record_align >= count;
    if is_whole { count } else { 1 }
}

fn shift_of(bits: BitField) -> u128 {
    u128::from(bits.offset % 8)
}

/// The value of a bit-field, in its type's width, from the bytes it touches.
pub fn extract(types: &Types, bits: BitField, bytes: Expr, ty: TypeId) -> Expr {
    let shift = Expr::constant(bytes.width(), shift_of(bits));
    let field = Expr::binary(BinaryOp::ShiftRightUnsigned, bytes, shift).resize_unsigned(bits.width);
    extend(types, field, ty)
}

fn extend(types: &Types, field: Expr, ty: TypeId) -> Expr {
    let width = values::width(types, ty);
    if types.is_signed(ty) { field.resize_signed(width) } else { field.resize_unsigned(width) }
}

/// The bytes with a bit-field set to (the low bits of) a value.
pub fn insert(bits: BitField, bytes: Expr, value: Expr) -> Expr {
    let width = bytes.width();
    let shift = Expr::constant(width, shift_of(bits));
    let mask = Expr::constant(width, (u128::MAX >> (128 - bits.width.clamp(1, 128))) << shift_of(bits));
    let kept = Expr::binary(BinaryOp::And, bytes, Expr::unary(UnaryOp::Not, mask));
    let field = value.resize_unsigned(bits.width).resize_unsigned(width);
    Expr::binary(BinaryOp::Or, kept, Expr::binary(BinaryOp::ShiftLeft, field, shift))
}

/// What a bit-field holds after a value has been assigned to it, in its type's width.
pub fn stored(types: &Types, bits: BitField, value: Expr, ty: TypeId) -> Expr {
    extend(types, value.resize_unsigned(bits.width), ty)
}
