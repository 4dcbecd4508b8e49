//! The overflow predicates of SMT-LIB 2.7: whether an operation's exact result fits its width.

use super::op::MAX_WIDTH;
use super::{Term, Terms};

impl Terms {
    fn smallest(&mut self, like: Term) -> Term {
        let width = self.bits_width(like);
        self.bits(width, 1 << (width - 1))
    }

    fn is_negative(&mut self, a: Term) -> Term {
        let width = self.bits_width(a);
        let zero = self.bits(width, 0);
        self.slt(a, zero)
    }

    /// `-a` overflows (signed): `a` is the smallest number.
    pub fn neg_overflows(&mut self, a: Term) -> Term {
        let smallest = self.smallest(a);
        self.equal(a, smallest)
    }

    pub fn uadd_overflows(&mut self, a: Term, b: Term) -> Term {
        let sum = self.add(a, b);
        self.ult(sum, a)
    }

    /// Both operands have the sign that the sum has not.
    pub fn sadd_overflows(&mut self, a: Term, b: Term) -> Term {
        let sum = self.add(a, b);
        let (x, y) = (self.bit_xor(a, sum), self.bit_xor(b, sum));
        let both = self.bit_and(x, y);
        self.is_negative(both)
    }

    pub fn usub_overflows(&mut self, a: Term, b: Term) -> Term {
        self.ult(a, b)
    }

    /// The operands differ in sign, and so do the first operand and the difference.
    pub fn ssub_overflows(&mut self, a: Term, b: Term) -> Term {
        let difference = self.sub(a, b);
        let (x, y) = (self.bit_xor(a, b), self.bit_xor(a, difference));
        let both = self.bit_and(x, y);
        self.is_negative(both)
    }

    pub fn umul_overflows(&mut self, a: Term, b: Term) -> Term {
        let width = self.bits_width(a);
        if 2 * width <= MAX_WIDTH {
            let (x, y) = (self.zero_extend(2 * width, a), self.zero_extend(2 * width, b));
            let product = self.mul(x, y);
            let limit = self.bits(2 * width, 1 << width);
            return self.uge(product, limit);
        }
        // If the product wraps, dividing it again cannot give the first factor back.
        let product = self.mul(a, b);
        let quotient = self.udiv(product, b);
        let zero = self.bits(width, 0);
        let (changed, some) = (self.distinct(quotient, a), self.distinct(b, zero));
        self.and(some, changed)
    }

    pub fn smul_overflows(&mut self, a: Term, b: Term) -> Term {
        let width = self.bits_width(a);
        let product = self.mul(a, b);
        if 2 * width <= MAX_WIDTH {
            let (x, y) = (self.sign_extend(2 * width, a), self.sign_extend(2 * width, b));
            let exact = self.mul(x, y);
            let wrapped = self.sign_extend(2 * width, product);
            return self.distinct(exact, wrapped);
        }
        // As for unsigned numbers, except that -1 times the smallest number divides back by wrapping a second time.
        let quotient = self.sdiv(product, b);
        let (zero, minus_one) = (self.bits(width, 0), self.signed_bits(width, -1));
        let (changed, some) = (self.distinct(quotient, a), self.distinct(b, zero));
        let divides_back = self.and(some, changed);
        let (by_minus_one, smallest) = (self.equal(b, minus_one), self.neg_overflows(a));
        let wraps_twice = self.and(by_minus_one, smallest);
        self.or(divides_back, wraps_twice)
    }

    /// Only the smallest number divided by -1 does not fit.
    pub fn sdiv_overflows(&mut self, a: Term, b: Term) -> Term {
        let width = self.bits_width(a);
        let minus_one = self.signed_bits(width, -1);
        let (smallest, by_minus_one) = (self.neg_overflows(a), self.equal(b, minus_one));
        self.and(smallest, by_minus_one)
    }
}
