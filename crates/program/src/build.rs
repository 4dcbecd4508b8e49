//! Constructors of expressions: the one way to build them, so that every expression is well-sorted and simplified.
//!
//! The rules are in [`simplify`].

use crate::{Base, BinaryOp, Bits, Conversion, Expr, RegisterId, UnaryOp, simplify};

impl Expr {
    /// A constant.
    pub fn constant(width: u32, value: u128) -> Expr {
        Expr::Constant(Bits::new(width, value))
    }

    /// A signed constant.
    pub fn signed(width: u32, value: i128) -> Expr {
        Expr::Constant(Bits::signed(width, value))
    }

    /// The truth value true.
    pub fn truth() -> Expr {
        Expr::Constant(Bits::bool(true))
    }

    /// The truth value false.
    pub fn falsehood() -> Expr {
        Expr::Constant(Bits::bool(false))
    }

    /// The value of a register.
    pub fn register(register: RegisterId, width: u32) -> Expr {
        Expr::Register(register, width)
    }

    /// The address of something static or of the executing activation.
    pub fn address(base: Base, pointer_width: u32) -> Expr {
        Expr::Address(base, pointer_width)
    }

    /// An operator applied to one operand.
    pub fn unary(op: UnaryOp, operand: Expr) -> Expr {
        simplify::unary(op, operand)
    }

    /// An operator applied to two operands of the same width.
    pub fn binary(op: BinaryOp, left: Expr, right: Expr) -> Expr {
        debug_assert_eq!(left.width(), right.width(), "{op:?} {left:?} {right:?}");
        simplify::binary(op, left, right)
    }

    /// A conversion to a width.
    pub fn convert(conversion: Conversion, width: u32, operand: Expr) -> Expr {
        simplify::convert(conversion, width, operand)
    }

    /// Widening with zeros, or the low bits, or neither.
    pub fn resize_unsigned(self, width: u32) -> Expr {
        match self.width().cmp(&width) {
            std::cmp::Ordering::Less => Expr::convert(Conversion::ZeroExtend, width, self),
            std::cmp::Ordering::Equal => self,
            std::cmp::Ordering::Greater => Expr::convert(Conversion::Truncate, width, self),
        }
    }

    /// Widening with the sign, or the low bits, or neither.
    pub fn resize_signed(self, width: u32) -> Expr {
        match self.width().cmp(&width) {
            std::cmp::Ordering::Less => Expr::convert(Conversion::SignExtend, width, self),
            std::cmp::Ordering::Equal => self,
            std::cmp::Ordering::Greater => Expr::convert(Conversion::Truncate, width, self),
        }
    }

    /// `condition ? then : otherwise`.
    pub fn if_then_else(condition: Expr, then: Expr, otherwise: Expr) -> Expr {
        debug_assert_eq!(condition.width(), 1);
        debug_assert_eq!(then.width(), otherwise.width());
        simplify::if_then_else(condition, then, otherwise)
    }

    /// `left == right`, of width 1.
    pub fn equal(left: Expr, right: Expr) -> Expr {
        Expr::binary(BinaryOp::Equal, left, right)
    }

    /// The negation of a condition of width 1.
    #[expect(clippy::should_implement_trait, reason = "reads as the logical operator it is")]
    pub fn not(self) -> Expr {
        debug_assert_eq!(self.width(), 1);
        Expr::unary(UnaryOp::Not, self)
    }

    /// Both conditions, of width 1.
    pub fn and(self, other: Expr) -> Expr {
        Expr::binary(BinaryOp::And, self, other)
    }

    /// Either condition, of width 1.
    pub fn or(self, other: Expr) -> Expr {
        Expr::binary(BinaryOp::Or, self, other)
    }

    /// Whether a value of any width is not zero: C's truth.
    pub fn is_true(self) -> Expr {
        let zero = Expr::constant(self.width(), 0);
        Expr::equal(self, zero).not()
    }

    /// An address plus a constant number of bytes.
    pub fn plus(self, bytes: u64) -> Expr {
        let offset = Expr::constant(self.width(), u128::from(bytes));
        Expr::binary(BinaryOp::Add, self, offset)
    }
}
