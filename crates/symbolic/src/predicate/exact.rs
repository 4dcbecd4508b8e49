//! Operators under their own names, which do what they say and convert nothing: `add(x, y)`, `ult(x, y)`, `zext(64,
//! x)`. For what C's operators cannot say, such as a sum of eight bits; and for the bits of floating-point numbers,
//! where the name ends with the width of the format: `flt64(x, y)`, `ftos64(32, x)`.

use selvedge_program::FloatFormat::{F32, F64};
use selvedge_program::{BinaryOp, Conversion, UnaryOp};

/// Operators of one operand.
pub const UNARY: [(&str, UnaryOp); 6] = [
    ("neg", UnaryOp::Negate),
    ("not", UnaryOp::Not),
    ("fneg32", UnaryOp::FloatNegate(F32)),
    ("fneg64", UnaryOp::FloatNegate(F64)),
    ("start_of", UnaryOp::StartOf),
    ("is_within", UnaryOp::IsWithin),
];

/// Operators of two operands of one width.
pub const BINARY: [(&str, BinaryOp); 30] = [
    ("add", BinaryOp::Add),
    ("sub", BinaryOp::Subtract),
    ("mul", BinaryOp::Multiply),
    ("udiv", BinaryOp::DivideUnsigned),
    ("sdiv", BinaryOp::DivideSigned),
    ("urem", BinaryOp::RemainderUnsigned),
    ("srem", BinaryOp::RemainderSigned),
    ("and", BinaryOp::And),
    ("or", BinaryOp::Or),
    ("xor", BinaryOp::Xor),
    ("shl", BinaryOp::ShiftLeft),
    ("lshr", BinaryOp::ShiftRightUnsigned),
    ("ashr", BinaryOp::ShiftRightSigned),
    ("eq", BinaryOp::Equal),
    ("ult", BinaryOp::LessUnsigned),
    ("slt", BinaryOp::LessSigned),
    ("fadd32", BinaryOp::FloatAdd(F32)),
    ("fsub32", BinaryOp::FloatSubtract(F32)),
    ("fmul32", BinaryOp::FloatMultiply(F32)),
    ("fdiv32", BinaryOp::FloatDivide(F32)),
    ("feq32", BinaryOp::FloatEqual(F32)),
    ("flt32", BinaryOp::FloatLess(F32)),
    ("fle32", BinaryOp::FloatLessEqual(F32)),
    ("fadd64", BinaryOp::FloatAdd(F64)),
    ("fsub64", BinaryOp::FloatSubtract(F64)),
    ("fmul64", BinaryOp::FloatMultiply(F64)),
    ("fdiv64", BinaryOp::FloatDivide(F64)),
    ("feq64", BinaryOp::FloatEqual(F64)),
    ("flt64", BinaryOp::FloatLess(F64)),
    ("fle64", BinaryOp::FloatLessEqual(F64)),
];

/// Conversions to a width.
pub const CONVERSIONS: [(&str, Conversion); 13] = [
    ("zext", Conversion::ZeroExtend),
    ("sext", Conversion::SignExtend),
    ("trunc", Conversion::Truncate),
    ("utof32", Conversion::UnsignedToFloat(F32)),
    ("utof64", Conversion::UnsignedToFloat(F64)),
    ("stof32", Conversion::SignedToFloat(F32)),
    ("stof64", Conversion::SignedToFloat(F64)),
    ("ftou32", Conversion::FloatToUnsigned(F32)),
    ("ftou64", Conversion::FloatToUnsigned(F64)),
    ("ftos32", Conversion::FloatToSigned(F32)),
    ("ftos64", Conversion::FloatToSigned(F64)),
    ("ftof32", Conversion::FloatToFloat(F32)),
    ("ftof64", Conversion::FloatToFloat(F64)),
];

/// Whether an operator is there for an operand of a width.
pub fn has_unary(op: UnaryOp, width: u32, pointer_width: u32) -> bool {
    match op {
        UnaryOp::Negate | UnaryOp::Not => true,
        UnaryOp::FloatNegate(format) => width == format.width(),
        UnaryOp::StartOf | UnaryOp::IsWithin => width == pointer_width,
    }
}

/// Whether an operator is there for operands of these widths.
pub fn has_binary(op: BinaryOp, left: u32, right: u32) -> bool {
    left == right && op.float_format().is_none_or(|format| format.width() == left)
}

/// Whether there is a conversion from a width to a width.
pub fn has_conversion(conversion: Conversion, from: u32, to: u32) -> bool {
    match conversion {
        Conversion::ZeroExtend | Conversion::SignExtend => from < to,
        Conversion::Truncate => from > to,
        Conversion::UnsignedToFloat(format) | Conversion::SignedToFloat(format) => to == format.width(),
        Conversion::FloatToUnsigned(format) | Conversion::FloatToSigned(format) => from == format.width(),
        Conversion::FloatToFloat(format) => from == format.width() && [32, 64].contains(&to),
    }
}
