//! Rules for the bitwise operations.

use crate::terms::op::Op;
use crate::terms::{Term, Terms};

impl Terms {
    pub(super) fn simplified_bit_not(&mut self, a: Term) -> Option<Term> {
        self.under(Op::BitNot, a)
    }

    fn complements(&self, a: Term, b: Term) -> bool {
        self.under(Op::BitNot, a) == Some(b) || self.under(Op::BitNot, b) == Some(a)
    }

    pub(super) fn simplified_bitwise(&mut self, op: Op, a: Term, b: Term) -> Option<Term> {
        let sort = self.sort(a);
        let ones = sort.mask();
        if a == b {
            return Some(if op == Op::BitXor { self.constant(sort, 0) } else { a });
        }
        if self.complements(a, b) {
            return Some(self.constant(sort, if op == Op::BitAnd { 0 } else { ones }));
        }
        if let Some(c) = self.constant_bits(b) {
            let known = self.facts(a);
            match op {
                Op::BitAnd if c == 0 => return Some(b),
                Op::BitAnd if known.zeros | c == ones => return Some(a),
                Op::BitOr if c == ones => return Some(b),
                Op::BitOr if c & !known.ones == 0 => return Some(a),
                Op::BitXor if c == 0 => return Some(a),
                Op::BitXor if c == ones => return Some(self.make(Op::BitNot, sort, &[a])),
                _ => {}
            }
            if let Some((x, d)) = self.with_constant(op, a) {
                let merged = match op {
                    Op::BitAnd => c & d,
                    Op::BitOr => c | d,
                    _ => c ^ d,
                };
                let merged = self.constant(sort, merged);
                return Some(self.make(op, sort, &[x, merged]));
            }
            return None;
        }
        for (one, other) in [(a, b), (b, a)] {
            if let Some((x, y)) = self.pair(op, other)
                && (one == x || one == y)
            {
                return Some(match op {
                    Op::BitXor => {
                        if one == x {
                            y
                        } else {
                            x
                        }
                    }
                    _ => other,
                });
            }
            let absorbing = if op == Op::BitAnd { Op::BitOr } else { Op::BitAnd };
            if op != Op::BitXor && self.pair(absorbing, other).is_some_and(|(x, y)| one == x || one == y) {
                return Some(one);
            }
        }
        if op == Op::BitXor
            && let (Some(x), Some(y)) = (self.under(Op::BitNot, a), self.under(Op::BitNot, b))
        {
            return Some(self.make(op, sort, &[x, y]));
        }
        None
    }
}
