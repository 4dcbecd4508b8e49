//! What holds of a term whatever its symbols stand for: bits that are always 0 or always 1, and an unsigned interval.
//!
//! Kept for every term and computed once, from the facts of its operands, so that comparisons can often be decided for
//! free.

use super::op::{Op, Sort, mask};
use super::{Term, Terms};

/// Known bits and an interval of a term's value. Each part is an over-approximation of the possible values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Known {
    /// Bits that are always 0.
    pub zeros: u128,
    /// Bits that are always 1.
    pub ones: u128,
    /// The smallest possible value, unsigned.
    pub low: u128,
    /// The largest possible value, unsigned.
    pub high: u128,
}

impl Known {
    fn any(width: u32) -> Self {
        Known { zeros: 0, ones: 0, low: 0, high: mask(width) }
    }

    fn exactly(bits: u128, width: u32) -> Self {
        Known { zeros: !bits & mask(width), ones: bits, low: bits, high: bits }
    }

    fn between(low: u128, high: u128) -> Self {
        Known { zeros: 0, ones: 0, low, high }
    }

    fn bits(zeros: u128, ones: u128, width: u32) -> Self {
        Known { zeros, ones, low: 0, high: mask(width) }
    }

    /// The only possible value, if there is only one.
    pub fn value(self) -> Option<u128> {
        (self.low == self.high).then_some(self.low)
    }

    /// The highest bit: `Some(true)` when the value is always negative in two's complement.
    pub(crate) fn sign(self, width: u32) -> Option<bool> {
        let sign = 1u128 << (width - 1);
        if self.ones & sign != 0 {
            Some(true)
        } else if self.zeros & sign != 0 {
            Some(false)
        } else {
            None
        }
    }

    /// No value is possible for both.
    pub(crate) fn disjoint(self, other: Known) -> bool {
        self.ones & other.zeros != 0 || self.zeros & other.ones != 0 || self.high < other.low || other.high < self.low
    }

    /// Lets the bits and the interval learn from each other.
    fn settled(mut self, width: u32) -> Self {
        let mask = mask(width);
        self.low = self.low.max(self.ones);
        self.high = self.high.min(!self.zeros & mask);
        let differing = self.low ^ self.high;
        let common = mask & !(u128::MAX.checked_shr(differing.leading_zeros()).unwrap_or(0));
        self.ones |= self.low & common;
        self.zeros |= !self.low & common;
        self
    }

    pub(super) fn of(terms: &Terms, op: Op, sort: Sort, operands: &[Term]) -> Self {
        let width = sort.width();
        let of = |place: usize| operands.get(place).map_or(Known::any(width), |&operand| terms.facts(operand));
        let inner = operands.last().map_or(width, |&operand| terms.sort(operand).width());
        let (a, b) = (of(0), of(1));
        let facts = match op {
            Op::Constant(bits) => Known::exactly(bits, width),
            Op::BitNot => {
                Known { zeros: a.ones, ones: a.zeros, low: !a.high & mask(width), high: !a.low & mask(width) }
            }
            Op::BitAnd => Known { high: a.high.min(b.high), ..Known::bits(a.zeros | b.zeros, a.ones & b.ones, width) },
            Op::BitOr => Known { low: a.low.max(b.low), ..Known::bits(a.zeros & b.zeros, a.ones | b.ones, width) },
            Op::BitXor => {
                Known::bits((a.zeros & b.zeros) | (a.ones & b.ones), (a.zeros & b.ones) | (a.ones & b.zeros), width)
            }
            Op::Ite => {
                let (b, c) = (of(1), of(2));
                let (low, high) = (b.low.min(c.low), b.high.max(c.high));
                Known { zeros: b.zeros & c.zeros, ones: b.ones & c.ones, low, high }
            }
            Op::Add => a.plus(b, width),
            Op::Mul => a.times(b, width),
            Op::UDiv if b.low > 0 => Known::between(a.low / b.high, a.high / b.low),
            Op::URem if b.low > 0 => Known::between(0, a.high.min(b.high - 1)),
            Op::URem => Known::between(0, a.high),
            Op::Shl => a.shifted_left(b, width),
            Op::LShr => a.shifted_right(b, width),
            Op::Concat => {
                let (low, high) = (a.low << inner | b.low, a.high << inner | b.high);
                Known { zeros: a.zeros << inner | b.zeros, ones: a.ones << inner | b.ones, low, high }
            }
            Op::Extract { low, .. } => Known::bits(a.zeros >> low & mask(width), a.ones >> low & mask(width), width),
            Op::ZeroExtend(_) => Known { zeros: a.zeros | (mask(width) & !mask(inner)), ..a },
            Op::SignExtend(_) => match a.sign(inner) {
                Some(false) => Known { zeros: a.zeros | (mask(width) & !mask(inner)), ..a },
                Some(true) => Known::bits(a.zeros, a.ones | (mask(width) & !mask(inner)), width),
                None => Known::bits(a.zeros & mask(inner - 1), a.ones & mask(inner - 1), width),
            },
            _ => Known::any(width),
        };
        facts.settled(width)
    }

    fn plus(self, other: Known, width: u32) -> Self {
        let known = ((self.zeros | self.ones) & (other.zeros | other.ones)).trailing_ones().min(width);
        let sum = self.ones.wrapping_add(other.ones) & mask(known);
        let bits = Known::bits(!sum & mask(known), sum, width);
        match self.high.checked_add(other.high) {
            Some(high) if high <= mask(width) => Known { low: self.low + other.low, high, ..bits },
            _ => bits,
        }
    }

    fn times(self, other: Known, width: u32) -> Self {
        let low_zeros = (self.zeros.trailing_ones() + other.zeros.trailing_ones()).min(width);
        let bits = Known::bits(mask(low_zeros), 0, width);
        match self.high.checked_mul(other.high) {
            Some(high) if high <= mask(width) => Known { low: self.low * other.low, high, ..bits },
            _ => bits,
        }
    }

    fn shifted_left(self, by: Known, width: u32) -> Self {
        match by.value() {
            Some(by) if by >= u128::from(width) => Known::exactly(0, width),
            Some(by) => {
                let zeros = (self.zeros << by | mask(by as u32)) & mask(width);
                Known::bits(zeros, self.ones << by & mask(width), width)
            }
            None => Known::bits(mask(self.zeros.trailing_ones().min(width)), 0, width),
        }
    }

    fn shifted_right(self, by: Known, width: u32) -> Self {
        match by.value() {
            Some(by) if by >= u128::from(width) => Known::exactly(0, width),
            Some(by) => {
                let zeros = self.zeros >> by | (mask(width) & !(mask(width) >> by));
                Known { zeros, ones: self.ones >> by, low: self.low >> by, high: self.high >> by }
            }
            None => Known::between(0, self.high),
        }
    }
}
