//! Rules for division and remainder.

use crate::terms::op::{Op, Sort};
use crate::terms::{Term, Terms};

impl Terms {
    pub(super) fn simplified_unsigned_division(&mut self, op: Op, a: Term, b: Term) -> Option<Term> {
        let sort = self.sort(a);
        if self.facts(a).high < self.facts(b).low {
            return Some(if op == Op::UDiv { self.constant(sort, 0) } else { a });
        }
        let c = self.constant_bits(b)?;
        if c == 0 {
            return Some(if op == Op::UDiv { self.constant(sort, sort.mask()) } else { a });
        }
        if !c.is_power_of_two() {
            return None;
        }
        let by = c.trailing_zeros();
        Some(match op {
            Op::UDiv => {
                let by = self.constant(sort, u128::from(by));
                self.make(Op::LShr, sort, &[a, by])
            }
            _ if by == 0 => self.constant(sort, 0),
            _ => {
                let low = self.make(Op::Extract { high: by - 1, low: 0 }, Sort::Bits(by), &[a]);
                self.make(Op::ZeroExtend(sort.width()), sort, &[low])
            }
        })
    }

    pub(super) fn simplified_signed_division(&mut self, op: Op, a: Term, b: Term) -> Option<Term> {
        let sort = self.sort(a);
        let width = sort.width();
        if self.facts(a).sign(width) == Some(false) && self.facts(b).sign(width) == Some(false) {
            let unsigned = if op == Op::SDiv { Op::UDiv } else { Op::URem };
            return Some(self.make(unsigned, sort, &[a, b]));
        }
        let c = self.constant_bits(b)?;
        match op {
            Op::SRem | Op::SMod if c == 0 => Some(a),
            Op::SRem | Op::SMod if c == 1 || c == sort.mask() => Some(self.constant(sort, 0)),
            Op::SDiv if c == sort.mask() => Some(self.make(Op::Neg, sort, &[a])),
            Op::SDiv if c == 1 => Some(a),
            _ => None,
        }
    }
}
