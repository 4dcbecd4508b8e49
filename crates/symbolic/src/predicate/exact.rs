//! Operators under their own names, which do what they say and convert nothing: `add(x, y)`, `ult(x, y)`, `zext(64,
//! x)`. For what C's operators cannot say, such as a sum of eight bits.

use selvedge_program::{BinaryOp, Conversion, UnaryOp};

/// Operators of one operand.
pub const UNARY: [(&str, UnaryOp); 2] = [("neg", UnaryOp::Negate), ("not", UnaryOp::Not)];

/// Operators of two operands of one width.
pub const BINARY: [(&str, BinaryOp); 16] = [
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
];

/// Conversions to a width.
pub const CONVERSIONS: [(&str, Conversion); 3] =
    [("zext", Conversion::ZeroExtend), ("sext", Conversion::SignExtend), ("trunc", Conversion::Truncate)];
