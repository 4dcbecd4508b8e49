//! Pure expressions over the registers of one function.
//!
//! Every expression has a width in bits and denotes a bit-vector or, at pointer width, possibly a pointer (object and
//! offset). Expressions never touch memory: loads are edges. They can still be undefined (division by zero, a shift too
//! far); [`Expr::defined_when`](crate::expr::Expr::defined_when) says when they are not.

use crate::{Bits, FrameObjectId, FunctionId, ObjectId, RegisterId};

/// What an address constant points to the start of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Base {
    /// A global, static or string literal; for a thread-local object, the executing thread's instance.
    Object(ObjectId),
    /// An address-taken local of the executing activation.
    Frame(FrameObjectId),
    /// A function.
    Function(FunctionId),
    /// The object that stands for the executing thread: what `pthread_self` returns and what a mutex's owner is.
    SelfThread,
}

/// Binary formats of floating-point numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FloatFormat {
    /// IEEE 754 binary32, C's `float`.
    F32,
    /// IEEE 754 binary64, C's `double`.
    F64,
}

impl FloatFormat {
    /// The width in bits.
    pub fn width(self) -> u32 {
        match self {
            FloatFormat::F32 => 32,
            FloatFormat::F64 => 64,
        }
    }
}

/// Operators of one operand; the result has the operand's width, unless it is a [truth value](UnaryOp::is_truth).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum UnaryOp {
    /// Two's complement negation.
    Negate,
    /// Bitwise complement.
    Not,
    /// Negation of a floating-point number.
    FloatNegate(FloatFormat),
    /// The start of the object that an address was made from, wherever the address lies; 0 for a number.
    StartOf,
    /// Whether an address lies in its object or just past its end; so does every number. Not supported once the object
    /// is dead.
    IsWithin,
}

impl UnaryOp {
    /// Whether the result is a truth value of width 1 whatever the operand's width.
    pub fn is_truth(self) -> bool {
        self == UnaryOp::IsWithin
    }
}

/// Operators of two operands of one width. Arithmetic wraps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BinaryOp {
    /// Addition; a pointer plus an offset is a pointer.
    Add,
    /// Subtraction; a pointer minus an offset is a pointer, pointers into one object differ by an offset.
    Subtract,
    /// Multiplication.
    Multiply,
    /// Unsigned division; undefined for a zero divisor.
    DivideUnsigned,
    /// Signed division, towards zero; undefined for a zero divisor and for the one quotient that overflows.
    DivideSigned,
    /// Unsigned remainder; undefined for a zero divisor.
    RemainderUnsigned,
    /// Signed remainder with the dividend's sign; undefined as the division is.
    RemainderSigned,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// Shift left; undefined for an amount of at least the width.
    ShiftLeft,
    /// Shift right, filling with zeros; undefined as above.
    ShiftRightUnsigned,
    /// Shift right, filling with the sign; undefined as above.
    ShiftRightSigned,
    /// Equality; the result has width 1.
    Equal,
    /// Unsigned less-than; the result has width 1. Pointers into one object compare by offset.
    LessUnsigned,
    /// Signed less-than; the result has width 1.
    LessSigned,
    /// Floating-point addition.
    FloatAdd(FloatFormat),
    /// Floating-point subtraction.
    FloatSubtract(FloatFormat),
    /// Floating-point multiplication.
    FloatMultiply(FloatFormat),
    /// Floating-point division.
    FloatDivide(FloatFormat),
    /// Floating-point equality; width 1.
    FloatEqual(FloatFormat),
    /// Floating-point less-than; width 1.
    FloatLess(FloatFormat),
    /// Floating-point less-or-equal; width 1 (not the negation of less-than: NaN).
    FloatLessEqual(FloatFormat),
}

/// Conversions between widths and formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Conversion {
    /// Widening with zeros.
    ZeroExtend,
    /// Widening with copies of the sign.
    SignExtend,
    /// The low bits.
    Truncate,
    /// An unsigned integer to a floating-point number, rounded to nearest.
    UnsignedToFloat(FloatFormat),
    /// A signed integer to a floating-point number, rounded to nearest.
    SignedToFloat(FloatFormat),
    /// A floating-point number to an unsigned integer, towards zero; undefined where the value does not fit.
    FloatToUnsigned(FloatFormat),
    /// A floating-point number to a signed integer, towards zero; undefined where the value does not fit.
    FloatToSigned(FloatFormat),
    /// One format to the other; the operand's format is given, the result's is the one of the result's width.
    FloatToFloat(FloatFormat),
}

/// A pure expression.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Expr {
    /// A constant.
    Constant(Bits),
    /// The value of a register of this width.
    Register(RegisterId, u32),
    /// The address of an object, of pointer width.
    Address(Base, u32),
    /// An operator applied to one operand.
    Unary(UnaryOp, Box<Expr>),
    /// An operator applied to two operands of the same width.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// A conversion to a width.
    Convert(Conversion, u32, Box<Expr>),
    /// `condition ? then : otherwise`; the condition has width 1, the others the same width.
    IfThenElse(Box<Expr>, Box<Expr>, Box<Expr>),
}

impl BinaryOp {
    /// The operators on integers whose result is as wide as the operands.
    pub const ARITHMETIC: [BinaryOp; 13] = [
        BinaryOp::Add,
        BinaryOp::Subtract,
        BinaryOp::Multiply,
        BinaryOp::DivideUnsigned,
        BinaryOp::DivideSigned,
        BinaryOp::RemainderUnsigned,
        BinaryOp::RemainderSigned,
        BinaryOp::And,
        BinaryOp::Or,
        BinaryOp::Xor,
        BinaryOp::ShiftLeft,
        BinaryOp::ShiftRightUnsigned,
        BinaryOp::ShiftRightSigned,
    ];

    /// The comparisons of integers.
    pub const COMPARISONS: [BinaryOp; 3] = [BinaryOp::Equal, BinaryOp::LessUnsigned, BinaryOp::LessSigned];

    /// All operators on integers.
    pub fn on_integers() -> impl Iterator<Item = BinaryOp> {
        BinaryOp::ARITHMETIC.into_iter().chain(BinaryOp::COMPARISONS)
    }

    /// Whether the result is a truth value of width 1 whatever the operands' width.
    pub fn is_comparison(self) -> bool {
        matches!(
            self,
            BinaryOp::Equal
                | BinaryOp::LessUnsigned
                | BinaryOp::LessSigned
                | BinaryOp::FloatEqual(_)
                | BinaryOp::FloatLess(_)
                | BinaryOp::FloatLessEqual(_)
        )
    }

    /// The format of the operands of a floating-point operation.
    pub fn float_format(self) -> Option<FloatFormat> {
        match self {
            BinaryOp::FloatAdd(format)
            | BinaryOp::FloatSubtract(format)
            | BinaryOp::FloatMultiply(format)
            | BinaryOp::FloatDivide(format)
            | BinaryOp::FloatEqual(format)
            | BinaryOp::FloatLess(format)
            | BinaryOp::FloatLessEqual(format) => Some(format),
            _ => None,
        }
    }
}

impl Expr {
    /// How deep expressions of a program may be nested: functions over them recurse. What is larger goes through
    /// registers.
    pub const DEEPEST: usize = 1000;

    /// Whether the expression is nested deeper than a limit. Does not recurse.
    pub fn is_deeper_than(&self, limit: usize) -> bool {
        let mut work = vec![(self, 1)];
        while let Some((expr, depth)) = work.pop() {
            if depth > limit {
                return true;
            }
            match expr {
                Expr::Constant(_) | Expr::Register(..) | Expr::Address(..) => {}
                Expr::Unary(_, operand) | Expr::Convert(_, _, operand) => work.push((&**operand, depth + 1)),
                Expr::Binary(_, left, right) => work.extend([(&**left, depth + 1), (&**right, depth + 1)]),
                Expr::IfThenElse(condition, then, otherwise) => {
                    work.extend([condition, then, otherwise].map(|part| (&**part, depth + 1)));
                }
            }
        }
        false
    }

    /// The width of the value in bits.
    pub fn width(&self) -> u32 {
        let mut expr = self;
        loop {
            expr = match expr {
                Expr::Constant(bits) => return bits.width(),
                Expr::Register(_, width) | Expr::Address(_, width) | Expr::Convert(_, width, _) => return *width,
                Expr::Binary(op, _, _) if op.is_comparison() => return 1,
                Expr::Unary(op, _) if op.is_truth() => return 1,
                Expr::Unary(_, operand) | Expr::Binary(_, operand, _) | Expr::IfThenElse(_, operand, _) => operand,
            };
        }
    }

    /// The expression with each register replaced by an expression of the same width.
    #[must_use]
    pub fn substitute(&self, replace: &mut dyn FnMut(RegisterId, u32) -> Expr) -> Expr {
        match self {
            Expr::Register(register, width) => replace(*register, *width),
            Expr::Constant(_) | Expr::Address(..) => self.clone(),
            Expr::Unary(op, operand) => Expr::unary(*op, operand.substitute(replace)),
            Expr::Convert(conversion, width, operand) => {
                Expr::convert(*conversion, *width, operand.substitute(replace))
            }
            Expr::Binary(op, left, right) => Expr::binary(*op, left.substitute(replace), right.substitute(replace)),
            Expr::IfThenElse(condition, then, otherwise) => Expr::if_then_else(
                condition.substitute(replace),
                then.substitute(replace),
                otherwise.substitute(replace),
            ),
        }
    }

    /// The expression with its registers renamed.
    #[must_use]
    pub fn rename(&self, rename: &mut dyn FnMut(RegisterId) -> RegisterId) -> Expr {
        self.substitute(&mut |register, width| Expr::register(rename(register), width))
    }

    /// Whether it names the executing thread.
    pub fn mentions_self(&self) -> bool {
        match self {
            Expr::Address(base, _) => *base == Base::SelfThread,
            Expr::Constant(_) | Expr::Register(..) => false,
            Expr::Unary(_, operand) | Expr::Convert(_, _, operand) => operand.mentions_self(),
            Expr::Binary(_, left, right) => left.mentions_self() || right.mentions_self(),
            Expr::IfThenElse(condition, then, otherwise) => {
                condition.mentions_self() || then.mentions_self() || otherwise.mentions_self()
            }
        }
    }

    /// Whether any of these registers occurs.
    pub fn mentions(&self, registers: &[RegisterId]) -> bool {
        let mut found = false;
        self.for_each_register(&mut |register| found |= registers.contains(&register));
        found
    }

    /// Calls a function for every occurrence of a register.
    pub fn for_each_register(&self, visit: &mut dyn FnMut(RegisterId)) {
        match self {
            Expr::Register(register, _) => visit(*register),
            Expr::Constant(_) | Expr::Address(..) => {}
            Expr::Unary(_, operand) | Expr::Convert(_, _, operand) => operand.for_each_register(visit),
            Expr::Binary(_, left, right) => {
                left.for_each_register(visit);
                right.for_each_register(visit);
            }
            Expr::IfThenElse(condition, then, otherwise) => {
                condition.for_each_register(visit);
                then.for_each_register(visit);
                otherwise.for_each_register(visit);
            }
        }
    }
}
