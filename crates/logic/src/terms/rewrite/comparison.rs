//! Rules for the orders on bit-vectors. Comparisons with constants are strict, so that `x <= 5` and `x < 6` are one
//! term.

use crate::terms::eval::signed;
use crate::terms::op::{Op, Sort};
use crate::terms::{Term, Terms};

impl Terms {
    pub(super) fn simplified_comparison(&mut self, op: Op, a: Term, b: Term) -> Option<Term> {
        if a == b {
            return Some(self.truth(matches!(op, Op::ULe | Op::SLe)));
        }
        match op {
            Op::ULt | Op::ULe => self.simplified_unsigned(op, a, b),
            _ => self.simplified_signed(op, a, b),
        }
    }

    fn simplified_unsigned(&mut self, op: Op, a: Term, b: Term) -> Option<Term> {
        let (fa, fb) = (self.facts(a), self.facts(b));
        let strict = op == Op::ULt;
        if fa.high < fb.low || (!strict && fa.high == fb.low) {
            return Some(self.truth(true));
        }
        if fa.low > fb.high || (strict && fa.low == fb.high) {
            return Some(self.truth(false));
        }
        let sort = self.sort(a);
        if let Some(c) = self.constant_bits(b) {
            if !strict {
                // Not decided above, so c is below the largest value.
                let next = self.constant(sort, c.wrapping_add(1));
                return Some(self.make(Op::ULt, Sort::Bool, &[a, next]));
            }
            if c == fa.low + 1 {
                let only = self.constant(sort, fa.low);
                return Some(self.equality(a, only));
            }
            if c == fa.high {
                let largest = self.equality(a, b);
                return Some(self.negation(largest));
            }
        }
        if let Some(c) = self.constant_bits(a) {
            if !strict {
                let previous = self.constant(sort, c.wrapping_sub(1));
                return Some(self.make(Op::ULt, Sort::Bool, &[previous, b]));
            }
            if c == fb.low {
                let smallest = self.equality(b, a);
                return Some(self.negation(smallest));
            }
            if c + 1 == fb.high {
                let only = self.constant(sort, fb.high);
                return Some(self.equality(b, only));
            }
        }
        self.compared_narrow(op, a, b)
    }

    fn simplified_signed(&mut self, op: Op, a: Term, b: Term) -> Option<Term> {
        let sort = self.sort(a);
        let width = sort.width();
        let unsigned = if op == Op::SLt { Op::ULt } else { Op::ULe };
        match (self.facts(a).sign(width), self.facts(b).sign(width)) {
            (Some(x), Some(y)) if x == y => return Some(self.make(unsigned, Sort::Bool, &[a, b])),
            (Some(x), Some(_)) => return Some(self.truth(x)),
            _ => {}
        }
        let (smallest, largest) = (signed(1 << (width - 1), width), signed(sort.mask() >> 1, width));
        if let Some(c) = self.constant_bits(b).map(|bits| signed(bits, width)) {
            match op {
                Op::SLe if c == largest => return Some(self.truth(true)),
                Op::SLe => {
                    let next = self.constant(sort, (c + 1) as u128);
                    return Some(self.make(Op::SLt, Sort::Bool, &[a, next]));
                }
                _ if c == smallest => return Some(self.truth(false)),
                _ if c == smallest + 1 => {
                    let only = self.constant(sort, smallest as u128);
                    return Some(self.equality(a, only));
                }
                _ if c == largest => {
                    let equal = self.equality(a, b);
                    return Some(self.negation(equal));
                }
                _ => {}
            }
        }
        if let Some(c) = self.constant_bits(a).map(|bits| signed(bits, width)) {
            match op {
                Op::SLe if c == smallest => return Some(self.truth(true)),
                Op::SLe => {
                    let previous = self.constant(sort, (c - 1) as u128);
                    return Some(self.make(Op::SLt, Sort::Bool, &[previous, b]));
                }
                _ if c == largest => return Some(self.truth(false)),
                _ if c == largest - 1 => {
                    let only = self.constant(sort, largest as u128);
                    return Some(self.equality(b, only));
                }
                _ if c == smallest => {
                    let equal = self.equality(b, a);
                    return Some(self.negation(equal));
                }
                _ => {}
            }
        }
        self.compared_narrow(op, a, b)
    }

    /// Both sides are extensions of terms of one width: compare those. (Zero extension makes signed comparison
    /// unsigned, which the known sign bits have already done.)
    fn compared_narrow(&mut self, op: Op, a: Term, b: Term) -> Option<Term> {
        let same = match (self.op(a), self.op(b)) {
            (Op::ZeroExtend(_), Op::ZeroExtend(_)) => matches!(op, Op::ULt | Op::ULe),
            (Op::SignExtend(_), Op::SignExtend(_)) => true,
            _ => false,
        };
        if !same {
            return self.compared_with_narrow_constant(op, a, b);
        }
        let (x, y) = (*self.operands(a).first()?, *self.operands(b).first()?);
        (self.sort(x) == self.sort(y)).then(|| self.make(op, Sort::Bool, &[x, y]))
    }

    fn compared_with_narrow_constant(&mut self, op: Op, a: Term, b: Term) -> Option<Term> {
        let extended = if self.constant_bits(a).is_some() { b } else { a };
        let constant = self.constant_bits(a).or(self.constant_bits(b))?;
        let inner = match self.op(extended) {
            Op::ZeroExtend(_) if matches!(op, Op::ULt | Op::ULe) => *self.operands(extended).first()?,
            Op::SignExtend(_) if matches!(op, Op::SLt | Op::SLe) => *self.operands(extended).first()?,
            _ => return None,
        };
        let (sort, wide) = (self.sort(inner), self.sort(extended).width());
        let narrow = constant & sort.mask();
        let fits = match self.op(extended) {
            Op::ZeroExtend(_) => narrow == constant,
            _ => signed(narrow, sort.width()) == signed(constant, wide),
        };
        if !fits {
            return None;
        }
        let narrow = self.constant(sort, narrow);
        let operands = if extended == a { [inner, narrow] } else { [narrow, inner] };
        Some(self.make(op, Sort::Bool, &operands))
    }
}
