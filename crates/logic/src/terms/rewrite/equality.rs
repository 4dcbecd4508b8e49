//! Rules for equality: decide it from known facts, or move what is invertible to the constant side.

use crate::terms::op::{Op, Sort, mask};
use crate::terms::{Term, Terms};

impl Terms {
    pub(super) fn simplified_equal(&mut self, a: Term, b: Term) -> Option<Term> {
        if a == b {
            return Some(self.truth(true));
        }
        if self.sort(a) == Sort::Bool {
            return self.simplified_equivalence(a, b);
        }
        if self.facts(a).disjoint(self.facts(b)) || self.differ(a, b) || self.differ(b, a) {
            return Some(self.truth(false));
        }
        if let Some(value) = self.constant_bits(b) {
            return self.solved_for(a, value);
        }
        self.cancelled(a, b)
    }

    /// `b` is `a` plus something that is not 0, or its complement.
    fn differ(&self, a: Term, b: Term) -> bool {
        matches!(self.with_constant(Op::Add, b), Some((x, c)) if x == a && c != 0)
            || self.under(Op::BitNot, b) == Some(a)
    }

    /// `a = value`, with the outermost invertible operation of `a` undone.
    fn solved_for(&mut self, a: Term, value: u128) -> Option<Term> {
        let sort = self.sort(a);
        let width = sort.width();
        if let Some((x, c)) = self.with_constant(Op::Add, a) {
            return Some(self.equals_value(x, value.wrapping_sub(c)));
        }
        if let Some((x, c)) = self.with_constant(Op::BitXor, a) {
            return Some(self.equals_value(x, value ^ c));
        }
        if let Some(x) = self.under(Op::BitNot, a) {
            return Some(self.equals_value(x, !value));
        }
        if let Some(x) = self.under(Op::Neg, a) {
            return Some(self.equals_value(x, value.wrapping_neg()));
        }
        if let Some((x, c)) = self.with_constant(Op::Mul, a)
            && c & 1 == 1
        {
            return Some(self.equals_value(x, value.wrapping_mul(inverse(c))));
        }
        if value == 0 {
            if let Some((x, y)) = self.pair(Op::BitXor, a) {
                return Some(self.equality(x, y));
            }
            if let Some((x, y)) = self.pair(Op::Add, a) {
                if let Some(x) = self.under(Op::Neg, x) {
                    return Some(self.equality(x, y));
                }
                if let Some(y) = self.under(Op::Neg, y) {
                    return Some(self.equality(x, y));
                }
            }
        }
        match self.op(a) {
            Op::Concat => {
                let (high, low) = self.pair(Op::Concat, a)?;
                let low_width = self.sort(low).width();
                let high = self.equals_value(high, value >> low_width);
                let low = self.equals_value(low, value);
                Some(self.make(Op::And, Sort::Bool, &[high, low]))
            }
            Op::ZeroExtend(_) => {
                let x = *self.operands(a).first()?;
                if value & !self.sort(x).mask() != 0 {
                    return Some(self.truth(false));
                }
                Some(self.equals_value(x, value))
            }
            Op::SignExtend(_) => {
                let x = *self.operands(a).first()?;
                let narrow = self.sort(x).width();
                let extended = crate::terms::eval::signed(value & mask(narrow), narrow) as u128 & mask(width);
                if extended != value {
                    return Some(self.truth(false));
                }
                Some(self.equals_value(x, value))
            }
            Op::Ite => self.chosen(a, value),
            _ => None,
        }
    }

    /// `(c ? x : y) = value` where a branch is known to be or not to be that value.
    fn chosen(&mut self, a: Term, value: u128) -> Option<Term> {
        let [c, x, y] = *self.operands(a) else { return None };
        match (self.constant_bits(x), self.constant_bits(y)) {
            (Some(x), Some(y)) => match (x == value, y == value) {
                (true, true) => Some(self.truth(true)),
                (true, false) => Some(c),
                (false, true) => Some(self.negation(c)),
                (false, false) => Some(self.truth(false)),
            },
            (Some(x), None) => {
                let rest = self.equals_value(y, value);
                if x == value {
                    return Some(self.make(Op::Or, Sort::Bool, &[c, rest]));
                }
                let not_c = self.negation(c);
                Some(self.make(Op::And, Sort::Bool, &[not_c, rest]))
            }
            (None, Some(y)) => {
                let rest = self.equals_value(x, value);
                if y != value {
                    return Some(self.make(Op::And, Sort::Bool, &[c, rest]));
                }
                let not_c = self.negation(c);
                Some(self.make(Op::Or, Sort::Bool, &[not_c, rest]))
            }
            (None, None) => None,
        }
    }

    fn equals_value(&mut self, x: Term, value: u128) -> Term {
        let value = self.constant(self.sort(x), value);
        self.equality(x, value)
    }

    /// Two terms with a common outermost operation or summand.
    fn cancelled(&mut self, a: Term, b: Term) -> Option<Term> {
        for op in [Op::BitNot, Op::Neg] {
            if let (Some(x), Some(y)) = (self.under(op, a), self.under(op, b)) {
                return Some(self.equality(x, y));
            }
        }
        for op in [Op::Add, Op::BitXor] {
            if let (Some((x, y)), Some((u, v))) = (self.pair(op, a), self.pair(op, b)) {
                for (kept, dropped, other, same) in [(x, y, u, v), (x, y, v, u), (y, x, u, v), (y, x, v, u)] {
                    if dropped == same {
                        return Some(self.equality(kept, other));
                    }
                }
            }
            for (whole, part) in [(a, b), (b, a)] {
                if let Some((x, y)) = self.pair(op, whole)
                    && (x == part || y == part)
                {
                    return Some(self.equals_value(if x == part { y } else { x }, 0));
                }
            }
        }
        match (self.op(a), self.op(b)) {
            (Op::ZeroExtend(_), Op::ZeroExtend(_)) | (Op::SignExtend(_), Op::SignExtend(_)) => {
                let (x, y) = (*self.operands(a).first()?, *self.operands(b).first()?);
                (self.sort(x) == self.sort(y)).then(|| self.equality(x, y))
            }
            _ => None,
        }
    }
}

/// The inverse of an odd number modulo any power of two: each step doubles the number of right bits.
fn inverse(odd: u128) -> u128 {
    let mut inverse = odd;
    for _ in 0..7 {
        inverse = inverse.wrapping_mul(2u128.wrapping_sub(odd.wrapping_mul(inverse)));
    }
    inverse
}
