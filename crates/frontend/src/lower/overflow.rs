//! Signed overflow, where the user asks for it: before an operator computes, its result must fit its type. Atomic
//! updates wrap in any case (C11 7.17.7.5), and our own models of library functions are not looked at.

use super::Overflow;
use super::function::FunctionLowering;
use super::operator::Typed;
use crate::syntax::ast::BinaryOperator;
use crate::types::TypeId;
use selvedge_program::{BinaryOp, Conversion, Expr, Undefined};

/// Products of wider numbers do not fit any width that we compute with.
const WIDEST: u32 = 64;

impl FunctionLowering<'_, '_> {
    /// What becomes of signed overflow in this function.
    pub fn overflow(&self) -> Overflow {
        if self.is_users() { self.whole.options.overflow } else { Overflow::Wraps }
    }

    /// Whether the function is the program's, not one of our models.
    pub fn is_users(&self) -> bool {
        self.unit < self.whole.input.units.len()
    }

    /// Demands that the result of an operator fits the type of its left operand.
    pub fn require_fitting(&mut self, op: BinaryOperator, left: &Typed, right: &Typed) {
        let width = left.value.width();
        if !self.can_overflow(left.ty) || width > WIDEST {
            return;
        }
        let op = match op {
            BinaryOperator::Add => BinaryOp::Add,
            BinaryOperator::Subtract => BinaryOp::Subtract,
            BinaryOperator::Multiply => BinaryOp::Multiply,
            BinaryOperator::ShiftLeft => BinaryOp::ShiftLeft,
            BinaryOperator::Divide | BinaryOperator::Remainder => return self.require_quotient(left, right),
            _ => return,
        };
        // A shift by a number that is too large is undefined in any case, and found where it is computed.
        let right = match op {
            BinaryOp::ShiftLeft => right.value.clone().resize_unsigned(2 * width),
            _ if right.value.width() != width => return,
            _ => right.value.clone().resize_signed(2 * width),
        };
        let left = left.value.clone().resize_signed(2 * width);
        let result = Expr::binary(op, left, right);
        let kept = Expr::convert(Conversion::Truncate, width, result.clone()).resize_signed(2 * width);
        self.builder.require(Expr::binary(BinaryOp::Equal, result, kept), Undefined::SignedOverflow);
    }

    /// Demands that not the smallest number is divided by -1.
    fn require_quotient(&mut self, left: &Typed, right: &Typed) {
        let width = left.value.width();
        if right.value.width() != width {
            return;
        }
        let is = |operand: &Typed, value: Expr| Expr::binary(BinaryOp::Equal, operand.value.clone(), value);
        let smallest = is(left, Expr::constant(width, 1 << (width - 1)));
        let minus_one = is(right, Expr::signed(width, -1));
        self.builder.require(smallest.and(minus_one).not(), Undefined::SignedOverflow);
    }

    /// Demands that the negation of a number fits its type.
    pub fn require_negatable(&mut self, value: &Expr, ty: TypeId) {
        let left = Typed { value: Expr::constant(value.width(), 0), ty };
        self.require_fitting(BinaryOperator::Subtract, &left, &Typed { value: value.clone(), ty });
    }

    fn can_overflow(&self, ty: TypeId) -> bool {
        let types = self.types();
        self.overflow() == Overflow::Undefined && types.is_integer(ty) && types.is_signed(ty)
    }
}
