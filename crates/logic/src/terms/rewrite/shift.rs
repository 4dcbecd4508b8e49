//! Rules for shifts.

use crate::terms::op::Op;
use crate::terms::{Term, Terms};

impl Terms {
    pub(super) fn simplified_shift(&mut self, op: Op, a: Term, b: Term) -> Option<Term> {
        let sort = self.sort(a);
        let width = u128::from(sort.width());
        let zero_sign = self.facts(a).sign(sort.width()) == Some(false);
        if op == Op::AShr && zero_sign {
            return Some(self.make(Op::LShr, sort, &[a, b]));
        }
        if self.is_constant(a, 0) {
            return Some(a);
        }
        if self.facts(b).low >= width {
            return Some(match op {
                Op::AShr => self.copies_of_sign(a),
                _ => self.constant(sort, 0),
            });
        }
        let by = self.constant_bits(b)?;
        if by == 0 {
            return Some(a);
        }
        let (x, inner) = self.with_constant(op, a)?;
        let total = inner.checked_add(by).filter(|&total| total < width);
        Some(match (op, total) {
            (_, Some(total)) => {
                let total = self.constant(sort, total);
                self.make(op, sort, &[x, total])
            }
            (Op::AShr, None) => self.copies_of_sign(x),
            _ => self.constant(sort, 0),
        })
    }

    fn copies_of_sign(&mut self, a: Term) -> Term {
        let sort = self.sort(a);
        let width = sort.width();
        let sign = self.make(Op::Extract { high: width - 1, low: width - 1 }, crate::terms::Sort::Bits(1), &[a]);
        self.make(Op::SignExtend(width), sort, &[sign])
    }
}
