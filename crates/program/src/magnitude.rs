//! How large numbers can be, as far as the form of an expression tells: whether arithmetic on them can wrap around.

use crate::{BinaryOp, Bits, Conversion, Expr};

impl Expr {
    /// No value of it is larger than this, or smaller than its negation, as a number with a sign. Nothing is known of
    /// registers.
    pub fn magnitude(&self) -> u128 {
        let largest = largest(self.width());
        match self {
            Expr::Constant(bits) => bits.as_signed().unsigned_abs(),
            Expr::Convert(Conversion::SignExtend, _, operand) => operand.magnitude(),
            Expr::Convert(Conversion::ZeroExtend, _, operand) => Bits::ones(operand.width()).unsigned(),
            Expr::Binary(BinaryOp::RemainderSigned, left, right) => match **right {
                Expr::Constant(bits) => left.magnitude().min(bits.as_signed().unsigned_abs().saturating_sub(1)),
                _ => largest,
            },
            Expr::Binary(BinaryOp::RemainderUnsigned, _, right) => match **right {
                Expr::Constant(bits) => bits.unsigned().saturating_sub(1).min(largest),
                _ => largest,
            },
            Expr::Binary(BinaryOp::And, left, right) => match (&**left, &**right) {
                (Expr::Constant(bits), _) | (_, Expr::Constant(bits)) if bits.as_signed() >= 0 => bits.unsigned(),
                _ => largest,
            },
            Expr::Binary(BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply, ..) => {
                self.exact_magnitude().filter(|exact| *exact < largest).unwrap_or(largest)
            }
            Expr::IfThenElse(_, then, otherwise) => then.magnitude().max(otherwise.magnitude()),
            Expr::Register(..) | Expr::Address(..) | Expr::Unary(..) | Expr::Binary(..) | Expr::Convert(..) => largest,
        }
    }

    /// Whether a sum, a difference or a product may be another number than that of its operands as numbers with a sign,
    /// since it does not fit.
    pub fn may_wrap(&self) -> bool {
        self.exact_magnitude().is_none_or(|exact| exact >= largest(self.width()))
    }

    /// The magnitude before anything is cut off.
    fn exact_magnitude(&self) -> Option<u128> {
        let Expr::Binary(op, left, right) = self else { return Some(self.magnitude()) };
        match op {
            BinaryOp::Add | BinaryOp::Subtract => left.magnitude().checked_add(right.magnitude()),
            BinaryOp::Multiply => left.magnitude().checked_mul(right.magnitude()),
            _ => Some(self.magnitude()),
        }
    }
}

/// The magnitude of the smallest number of a width.
fn largest(width: u32) -> u128 {
    1 << (width - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RegisterId;

    fn index(width: u32) -> Expr {
        Expr::Register(RegisterId(0), width)
    }

    fn times(left: Expr, by: u128) -> Expr {
        let width = left.width();
        Expr::Binary(BinaryOp::Multiply, Box::new(left), Box::new(Expr::Constant(Bits::new(width, by))))
    }

    fn wide(conversion: Conversion, operand: Expr) -> Expr {
        Expr::Convert(conversion, 64, Box::new(operand))
    }

    #[test]
    fn indices_that_were_narrow_do_not_wrap() {
        assert!(!times(wide(Conversion::SignExtend, index(32)), 12).may_wrap());
        assert!(!times(wide(Conversion::ZeroExtend, index(32)), 12).may_wrap());
        let four = || Box::new(Expr::Constant(Bits::new(64, 4)));
        for op in [BinaryOp::RemainderSigned, BinaryOp::RemainderUnsigned, BinaryOp::And] {
            assert!(!times(Expr::Binary(op, Box::new(index(64)), four()), 12).may_wrap());
        }
    }

    #[test]
    fn others_may() {
        assert!(times(index(64), 12).may_wrap());
        assert!(times(wide(Conversion::SignExtend, index(32)), 1 << 33).may_wrap());
        assert!(times(index(64), 1).may_wrap(), "the smallest number has no counterpart");
        let sum = Expr::Binary(BinaryOp::Add, Box::new(index(64)), Box::new(Expr::Constant(Bits::new(64, 1))));
        assert!(sum.may_wrap() && times(sum, 12).may_wrap());
        let divisor = Expr::Constant(Bits::ones(64));
        let rest = Expr::Binary(BinaryOp::RemainderUnsigned, Box::new(index(64)), Box::new(divisor));
        assert!(times(rest, 12).may_wrap());
    }
}
