//! Floating-point numbers: compared exactly, computed where they are constants, opaque otherwise.

use selvedge_logic::Term;
use selvedge_program::{BinaryOp, Bits, FloatFormat};

use super::Eval;
use crate::opaque::{Application, Operation};
use crate::word::Word;

impl Eval<'_> {
    /// Floating-point numbers are computed where they are constants, and compared; other results are opaque.
    pub(super) fn floats(&mut self, op: BinaryOp, left: Term, right: Term) -> Word {
        let width = self.builder.width(left);
        let constants = (self.builder.constant(left), self.builder.constant(right));
        if let (Some(left), Some(right)) = constants
            && let Ok(bits) = op.apply(Bits::new(width, left), Bits::new(width, right))
        {
            return self.builder.number(bits.width(), bits.unsigned());
        }
        let truth = match op {
            BinaryOp::FloatEqual(format) => self.float_equal(format, left, right),
            BinaryOp::FloatLess(format) => self.float_less(format, left, right),
            BinaryOp::FloatLessEqual(format) => {
                let (less, equal) = (self.float_less(format, left, right), self.float_equal(format, left, right));
                self.builder.or(less, equal)
            }
            _ => {
                let application = Application { operation: Operation::Binary(op), left, right };
                let bits = self.builder.opaque(application, width).result;
                return self.builder.plain(bits);
            }
        };
        self.truth_word(truth)
    }

    /// The bits without the sign; whether these are a zero; whether they are a number.
    pub(super) fn magnitude(&mut self, format: FloatFormat, float: Term) -> (Term, Term, Term) {
        let (width, infinity) = match format {
            FloatFormat::F32 => (32, u128::from(f32::INFINITY.to_bits())),
            FloatFormat::F64 => (64, u128::from(f64::INFINITY.to_bits())),
        };
        let terms = &mut self.builder.terms;
        let (zero, infinity) = (terms.bits(width - 1, 0), terms.bits(width - 1, infinity));
        let magnitude = terms.extract(width - 2, 0, float);
        let is_zero = terms.equal(magnitude, zero);
        let is_number = terms.ule(magnitude, infinity);
        (magnitude, is_zero, is_number)
    }

    pub(super) fn float_equal(&mut self, format: FloatFormat, left: Term, right: Term) -> Term {
        let ((_, left_zero, left_number), (_, right_zero, _)) =
            (self.magnitude(format, left), self.magnitude(format, right));
        let same = self.builder.terms.equal(left, right);
        let same = self.builder.and(same, left_number);
        let zeros = self.builder.and(left_zero, right_zero);
        self.builder.or(same, zeros)
    }

    pub(super) fn float_less(&mut self, format: FloatFormat, left: Term, right: Term) -> Term {
        let (l, left_zero, left_number) = self.magnitude(format, left);
        let (r, right_zero, right_number) = self.magnitude(format, right);
        let sign = self.builder.width(left) - 1;
        let (left_sign, right_sign) =
            (self.builder.terms.extract(sign, sign, left), self.builder.terms.extract(sign, sign, right));
        let (left_negative, right_negative) = (self.builder.truth(left_sign), self.builder.truth(right_sign));
        let (smaller, larger) = (self.builder.terms.ult(l, r), self.builder.terms.ult(r, l));
        let if_positive = self.builder.and_not(smaller, right_negative);
        let if_negative = {
            let positive = self.builder.not(right_negative);
            self.builder.or(larger, positive)
        };
        let less = self.builder.terms.ite(left_negative, if_negative, if_positive);
        let zeros = self.builder.and(left_zero, right_zero);
        let numbers = self.builder.and(left_number, right_number);
        let numbers = self.builder.and_not(numbers, zeros);
        self.builder.and(numbers, less)
    }
}
