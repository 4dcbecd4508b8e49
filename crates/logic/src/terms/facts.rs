//! What holds of a term whatever its symbols stand for: bits that are always 0 or always 1, and an unsigned interval.
//!
//! Kept for every term and computed once, from the facts of its operands, so that comparisons can often be decided for free.

use super::op::{Op, Sort, mask};
use super::{Term, Terms};

/// Known bits and an interval of a term's value. Each part is an over-approximation of the possible values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Facts {
    /// Bits that are always 0.
    pub zeros: u128,
    /// Bits that are always 1.
    pub ones: u128,
    /// The smallest possible value, unsigned.
    pub low: u128,
    /// The largest possible value, unsigned.
    pub high: u128,
}

impl Facts {
    fn any(width: u32) -> Self {
        Facts { zeros: 0, ones: 0, low: 0, high: mask(width) }
    }

    fn exactly(bits: u128, width: u32) -> Self {
        Facts { zeros: !bits & mask(width), ones: bits, low: bits, high: bits }
    }

    fn between(low: u128, high: u128) -> Self {
        Facts { zeros: 0, ones: 0, low, high }
    }

    fn bits(zeros: u128, ones: u128, width: u32) -> Self {
        Facts { zeros, ones, low: 0, high: mask(width) }
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
    pub(crate) fn disjoint(self, other: Facts) -> bool {
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
        let of = |place: usize| operands.get(place).map_or(Facts::any(width), |&operand| terms.facts(operand));
        let inner = operands.last().map_or(width, |&operand| terms.sort(operand).width());
        let (a, b) = (of(0), of(1));
        let facts = match op {
            Op::Constant(bits) => Facts::exactly(bits, width),
            Op::BitNot => {
                Facts { zeros: a.ones, ones: a.zeros, low: !a.high & mask(width), high: !a.low & mask(width) }
            }
            Op::BitAnd => Facts { high: a.high.min(b.high), ..Facts::bits(a.zeros | b.zeros, a.ones & b.ones, width) },
            Op::BitOr => Facts { low: a.low.max(b.low), ..Facts::bits(a.zeros & b.zeros, a.ones | b.ones, width) },
            Op::BitXor => {
                Facts::bits((a.zeros & b.zeros) | (a.ones & b.ones), (a.zeros & b.ones) | (a.ones & b.zeros), width)
            }
            Op::Ite => {
                let (b, c) = (of(1), of(2));
                let (low, high) = (b.low.min(c.low), b.high.max(c.high));
                Facts { zeros: b.zeros & c.zeros, ones: b.ones & c.ones, low, high }
            }
            Op::Add => a.plus(b, width),
            Op::Mul => a.times(b, width),
            Op::UDiv if b.low > 0 => Facts::between(a.low / b.high, a.high / b.low),
            Op::URem if b.low > 0 => Facts::between(0, a.high.min(b.high - 1)),
            Op::URem => Facts::between(0, a.high),
            Op::Shl => a.shifted_left(b, width),
            Op::LShr => a.shifted_right(b, width),
            Op::Concat => {
                let (low, high) = (a.low << inner | b.low, a.high << inner | b.high);
                Facts { zeros: a.zeros << inner | b.zeros, ones: a.ones << inner | b.ones, low, high }
            }
            Op::Extract { low, .. } => Facts::bits(a.zeros >> low & mask(width), a.ones >> low & mask(width), width),
            Op::ZeroExtend(_) => Facts { zeros: a.zeros | (mask(width) & !mask(inner)), ..a },
            Op::SignExtend(_) => match a.sign(inner) {
                Some(false) => Facts { zeros: a.zeros | (mask(width) & !mask(inner)), ..a },
                Some(true) => Facts::bits(a.zeros, a.ones | (mask(width) & !mask(inner)), width),
                None => Facts::bits(a.zeros & mask(inner - 1), a.ones & mask(inner - 1), width),
            },
            _ => Facts::any(width),
        };
        facts.settled(width)
    }

    fn plus(self, other: Facts, width: u32) -> Self {
        let known = ((self.zeros | self.ones) & (other.zeros | other.ones)).trailing_ones().min(width);
        let sum = self.ones.wrapping_add(other.ones) & mask(known);
        let bits = Facts::bits(!sum & mask(known), sum, width);
        match self.high.checked_add(other.high) {
            Some(high) if high <= mask(width) => Facts { low: self.low + other.low, high, ..bits },
            _ => bits,
        }
    }

    fn times(self, other: Facts, width: u32) -> Self {
        let low_zeros = (self.zeros.trailing_ones() + other.zeros.trailing_ones()).min(width);
        let bits = Facts::bits(mask(low_zeros), 0, width);
        match self.high.checked_mul(other.high) {
            Some(high) if high <= mask(width) => Facts { low: self.low * other.low, high, ..bits },
            _ => bits,
        }
    }

    fn shifted_left(self, by: Facts, width: u32) -> Self {
        match by.value() {
            Some(by) if by >= u128::from(width) => Facts::exactly(0, width),
            Some(by) => {
                let zeros = (self.zeros << by | mask(by as u32)) & mask(width);
                Facts::bits(zeros, self.ones << by & mask(width), width)
            }
            None => Facts::bits(mask(self.zeros.trailing_ones().min(width)), 0, width),
        }
    }

    fn shifted_right(self, by: Facts, width: u32) -> Self {
        match by.value() {
            Some(by) if by >= u128::from(width) => Facts::exactly(0, width),
            Some(by) => {
                let zeros = self.zeros >> by | (mask(width) & !(mask(width) >> by));
                Facts { zeros, ones: self.ones >> by, low: self.low >> by, high: self.high >> by }
            }
            None => Facts::between(0, self.high),
        }
    }
}
