//! Rules for concatenation, extraction and extension.

use crate::terms::op::{Op, Sort, mask};
use crate::terms::{Term, Terms};

impl Terms {
    fn extraction(&mut self, high: u32, low: u32, a: Term) -> Term {
        self.make(Op::Extract { high, low }, Sort::Bits(high - low + 1), &[a])
    }

    pub(super) fn simplified_concat(&mut self, sort: Sort, a: Term, b: Term) -> Option<Term> {
        if self.is_constant(a, 0) {
            return Some(self.make(Op::ZeroExtend(sort.width()), sort, &[b]));
        }
        let low_width = self.sort(b).width();
        if let (Some((x, c)), Some(d)) = (self.with_constant(Op::Concat, a), self.constant_bits(b)) {
            let x_width = self.sort(x).width();
            let constant = self.constant(Sort::Bits(sort.width() - x_width), c << low_width | d);
            return Some(self.make(Op::Concat, sort, &[x, constant]));
        }
        if let (Op::Extract { high, low }, Op::Extract { high: next, low: last }) = (self.op(a), self.op(b)) {
            let (x, y) = (*self.operands(a).first()?, *self.operands(b).first()?);
            if x == y && low == next + 1 {
                return Some(self.extraction(high, last, x));
            }
        }
        None
    }

    pub(super) fn simplified_extract(&mut self, high: u32, low: u32, a: Term) -> Option<Term> {
        let width = self.sort(a).width();
        let result = Sort::Bits(high - low + 1);
        if high - low + 1 == width {
            return Some(a);
        }
        match self.op(a) {
            Op::Extract { low: offset, .. } => {
                let x = *self.operands(a).first()?;
                Some(self.extraction(high + offset, low + offset, x))
            }
            Op::Concat => {
                let (x, y) = self.pair(Op::Concat, a)?;
                let split = self.sort(y).width();
                if high < split {
                    return Some(self.extraction(high, low, y));
                }
                if low >= split {
                    return Some(self.extraction(high - split, low - split, x));
                }
                let upper = self.extraction(high - split, 0, x);
                let lower = self.extraction(split - 1, low, y);
                Some(self.make(Op::Concat, result, &[upper, lower]))
            }
            Op::ZeroExtend(_) => {
                let x = *self.operands(a).first()?;
                let inner = self.sort(x).width();
                if low >= inner {
                    return Some(self.constant(result, 0));
                }
                let part = self.extraction(high.min(inner - 1), low, x);
                Some(self.make(Op::ZeroExtend(result.width()), result, &[part]))
            }
            Op::SignExtend(_) => {
                let x = *self.operands(a).first()?;
                let inner = self.sort(x).width();
                let part = self.extraction(high.min(inner - 1), low.min(inner - 1), x);
                Some(self.make(Op::SignExtend(result.width()), result, &[part]))
            }
            op @ (Op::Add | Op::Mul | Op::BitAnd | Op::BitOr | Op::BitXor) if low == 0 => {
                let (x, y) = self.pair(op, a)?;
                let (x, y) = (self.narrowed(x, result.width())?, self.narrowed(y, result.width())?);
                Some(self.make(op, result, &[x, y]))
            }
            op @ (Op::Neg | Op::BitNot) if low == 0 => {
                let x = *self.operands(a).first()?;
                let x = self.narrowed(x, result.width())?;
                Some(self.make(op, result, &[x]))
            }
            Op::Shl => {
                let (x, by) = self.with_constant(Op::Shl, a)?;
                let by = u32::try_from(by).ok()?;
                (low >= by).then(|| self.extraction(high - by, low - by, x))
            }
            Op::LShr => {
                let (x, by) = self.with_constant(Op::LShr, a)?;
                let by = u32::try_from(by).ok()?;
                (high.checked_add(by)? < width).then(|| self.extraction(high + by, low + by, x))
            }
            Op::Ite => {
                let [c, x, y] = *self.operands(a) else { return None };
                let (x, y) = (self.constant_bits(x)?, self.constant_bits(y)?);
                let (x, y) = (self.constant(result, x >> low), self.constant(result, y >> low));
                Some(self.make(Op::Ite, result, &[c, x, y]))
            }
            _ => None,
        }
    }

    pub(super) fn simplified_zero_extend(&mut self, to: u32, a: Term) -> Option<Term> {
        if self.sort(a).width() == to {
            return Some(a);
        }
        match self.op(a) {
            Op::ZeroExtend(_) => {
                let x = *self.operands(a).first()?;
                Some(self.make(Op::ZeroExtend(to), Sort::Bits(to), &[x]))
            }
            Op::Ite => self.extended_choice(Op::ZeroExtend(to), to, a),
            _ => None,
        }
    }

    pub(super) fn simplified_sign_extend(&mut self, to: u32, a: Term) -> Option<Term> {
        let width = self.sort(a).width();
        if width == to {
            return Some(a);
        }
        if self.facts(a).sign(width) == Some(false) {
            return Some(self.make(Op::ZeroExtend(to), Sort::Bits(to), &[a]));
        }
        match self.op(a) {
            Op::SignExtend(_) => {
                let x = *self.operands(a).first()?;
                Some(self.make(Op::SignExtend(to), Sort::Bits(to), &[x]))
            }
            Op::Ite => self.extended_choice(Op::SignExtend(to), to, a),
            _ => None,
        }
    }

    /// An extension of a choice between two constants is a choice between wider constants.
    fn extended_choice(&mut self, op: Op, to: u32, a: Term) -> Option<Term> {
        let [c, x, y] = *self.operands(a) else { return None };
        let width = self.sort(a).width();
        let (x, y) = (self.constant_bits(x)?, self.constant_bits(y)?);
        let widened = |bits: u128| match op {
            Op::SignExtend(_) => crate::terms::eval::signed(bits, width) as u128 & mask(to),
            _ => bits,
        };
        let sort = Sort::Bits(to);
        let (x, y) = (self.constant(sort, widened(x)), self.constant(sort, widened(y)));
        Some(self.make(Op::Ite, sort, &[c, x, y]))
    }
}
