//! Rules for sums and products. Constants gather at the outer right of a sum; a difference is a sum with a negated
//! term.

use crate::terms::op::{Op, Sort};
use crate::terms::{Term, Terms};

impl Terms {
    pub(super) fn simplified_neg(&mut self, a: Term) -> Option<Term> {
        let sort = self.sort(a);
        if let Some(inner) = self.under(Op::Neg, a) {
            return Some(inner);
        }
        if let Some((x, c)) = self.with_constant(Op::Add, a) {
            let negated = self.make(Op::Neg, sort, &[x]);
            return Some(self.plus_value(negated, c.wrapping_neg()));
        }
        if let Some(x) = self.under(Op::BitNot, a) {
            return Some(self.plus_value(x, 1));
        }
        None
    }

    fn plus_value(&mut self, x: Term, value: u128) -> Term {
        let sort = self.sort(x);
        let value = self.constant(sort, value);
        self.make(Op::Add, sort, &[x, value])
    }

    pub(super) fn simplified_add(&mut self, a: Term, b: Term) -> Option<Term> {
        let sort = self.sort(a);
        if let Some(c) = self.constant_bits(b) {
            if c == 0 {
                return Some(a);
            }
            if let Some((x, d)) = self.with_constant(Op::Add, a) {
                return Some(self.plus_value(x, c.wrapping_add(d)));
            }
            if let Some(x) = self.under(Op::BitNot, a) {
                // ~x is -x - 1.
                let negated = self.make(Op::Neg, sort, &[x]);
                return Some(self.plus_value(negated, c.wrapping_sub(1)));
            }
            return None;
        }
        for (one, other) in [(a, b), (b, a)] {
            if self.under(Op::Neg, one) == Some(other) {
                return Some(self.constant(sort, 0));
            }
            if self.under(Op::BitNot, one) == Some(other) {
                return Some(self.constant(sort, u128::MAX));
            }
            if let Some((x, c)) = self.with_constant(Op::Add, one) {
                let sum = self.make(Op::Add, sort, &[x, other]);
                return Some(self.plus_value(sum, c));
            }
        }
        for (sum, other) in [(a, b), (b, a)] {
            if let Some((x, y)) = self.pair(Op::Add, sum) {
                if self.negations(x, other) {
                    return Some(y);
                }
                if self.negations(y, other) {
                    return Some(x);
                }
            }
        }
        None
    }

    fn negations(&self, a: Term, b: Term) -> bool {
        self.under(Op::Neg, a) == Some(b) || self.under(Op::Neg, b) == Some(a)
    }

    pub(super) fn simplified_mul(&mut self, a: Term, b: Term) -> Option<Term> {
        let sort = self.sort(a);
        let c = self.constant_bits(b)?;
        if c == 0 {
            return Some(b);
        }
        if c == 1 {
            return Some(a);
        }
        if c == sort.mask() {
            return Some(self.make(Op::Neg, sort, &[a]));
        }
        if c.is_power_of_two() {
            let by = self.constant(sort, u128::from(c.trailing_zeros()));
            return Some(self.make(Op::Shl, sort, &[a, by]));
        }
        if let Some((x, d)) = self.with_constant(Op::Mul, a) {
            let factor = self.constant(sort, c.wrapping_mul(d));
            return Some(self.make(Op::Mul, sort, &[x, factor]));
        }
        if let Some(x) = self.under(Op::Neg, a) {
            let factor = self.constant(sort, c.wrapping_neg());
            return Some(self.make(Op::Mul, sort, &[x, factor]));
        }
        None
    }

    /// The term as a number of this width with its upper bits dropped, when that is free: the summands of C's
    /// arithmetic on narrow types are extensions of narrow terms.
    pub(super) fn narrowed(&mut self, term: Term, width: u32) -> Option<Term> {
        let sort = Sort::Bits(width);
        if let Some(bits) = self.constant_bits(term) {
            return Some(self.constant(sort, bits));
        }
        let inner = match self.op(term) {
            Op::ZeroExtend(_) | Op::SignExtend(_) => *self.operands(term).first()?,
            _ => return None,
        };
        Some(match self.sort(inner).width().cmp(&width) {
            std::cmp::Ordering::Equal => inner,
            std::cmp::Ordering::Less => match self.op(term) {
                Op::ZeroExtend(_) => self.make(Op::ZeroExtend(width), sort, &[inner]),
                _ => self.make(Op::SignExtend(width), sort, &[inner]),
            },
            std::cmp::Ordering::Greater => self.make(Op::Extract { high: width - 1, low: 0 }, sort, &[inner]),
        })
    }
}
