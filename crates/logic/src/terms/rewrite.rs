//! Simplification while a term is built: constants fold, identities vanish, comparisons that known facts decide become
//! constants, and equal things get one form.
//!
//! A rule looks at the operation and one or two levels below it and names a simpler equal term, or nothing. Rules call
//! [`Terms::make`] again for what they build; the depth of that is bounded, and beyond it terms are left as they are,
//! so that no input can exhaust the stack.

mod arithmetic;
mod bitwise;
mod boolean;
mod comparison;
mod division;
mod equality;
mod shape;
mod shift;

use super::eval::apply;
use super::known::Known;
use super::op::{Op, Sort};
use super::{Term, Terms};

const DEPTH: u32 = 48;

impl Terms {
    /// The simplified term for an operation whose operands are known to be well-sorted, with result `sort`.
    pub(super) fn make(&mut self, op: Op, sort: Sort, operands: &[Term]) -> Term {
        if let Some(folded) = self.folded(op, sort, operands) {
            return folded;
        }
        let mut ordered = [Term(0); 3];
        let arity = operands.len();
        ordered[..arity].copy_from_slice(operands);
        if op.commutes() && self.rank(ordered[1]) < self.rank(ordered[0]) {
            ordered.swap(0, 1);
        }
        if self.depth < DEPTH {
            self.depth += 1;
            let simpler = self.simplified(op, sort, &ordered[..arity]);
            self.depth -= 1;
            if let Some(simpler) = simpler {
                return simpler;
            }
        }
        if sort != Sort::Bool
            && let Some(value) = Known::of(self, op, sort, &ordered[..arity]).value()
        {
            return self.constant(sort, value);
        }
        self.intern(op, sort, &ordered[..arity])
    }

    /// Constants come last among the operands of an operation that commutes; the rest in order of construction.
    fn rank(&self, term: Term) -> (bool, Term) {
        (self.constant_bits(term).is_some(), term)
    }

    fn folded(&mut self, op: Op, sort: Sort, operands: &[Term]) -> Option<Term> {
        let mut values = [0; 3];
        let mut width = sort.width();
        for (place, &operand) in values.iter_mut().zip(operands) {
            *place = self.constant_bits(operand)?;
            width = self.sort(operand).width();
        }
        Some(self.constant(sort, apply(op, sort, width, values)))
    }

    fn simplified(&mut self, op: Op, sort: Sort, operands: &[Term]) -> Option<Term> {
        match (op, operands) {
            (Op::Not, &[a]) => self.simplified_not(a),
            (Op::And | Op::Or, &[a, b]) => self.simplified_junction(op, a, b),
            (Op::Equal, &[a, b]) => self.simplified_equal(a, b),
            (Op::Ite, &[c, a, b]) => self.simplified_ite(c, a, b),
            (Op::BitNot, &[a]) => self.simplified_bit_not(a),
            (Op::BitAnd | Op::BitOr | Op::BitXor, &[a, b]) => self.simplified_bitwise(op, a, b),
            (Op::Neg, &[a]) => self.simplified_neg(a),
            (Op::Add, &[a, b]) => self.simplified_add(a, b),
            (Op::Mul, &[a, b]) => self.simplified_mul(a, b),
            (Op::UDiv | Op::URem, &[a, b]) => self.simplified_unsigned_division(op, a, b),
            (Op::SDiv | Op::SRem | Op::SMod, &[a, b]) => self.simplified_signed_division(op, a, b),
            (Op::Shl | Op::LShr | Op::AShr, &[a, b]) => self.simplified_shift(op, a, b),
            (Op::Concat, &[a, b]) => self.simplified_concat(sort, a, b),
            (Op::Extract { high, low }, &[a]) => self.simplified_extract(high, low, a),
            (Op::ZeroExtend(to), &[a]) => self.simplified_zero_extend(to, a),
            (Op::SignExtend(to), &[a]) => self.simplified_sign_extend(to, a),
            (Op::ULt | Op::ULe | Op::SLt | Op::SLe, &[a, b]) => self.simplified_comparison(op, a, b),
            _ => None,
        }
    }

    fn truth(&mut self, value: bool) -> Term {
        self.constant(Sort::Bool, u128::from(value))
    }

    fn negation(&mut self, a: Term) -> Term {
        self.make(Op::Not, Sort::Bool, &[a])
    }

    fn equality(&mut self, a: Term, b: Term) -> Term {
        self.make(Op::Equal, Sort::Bool, &[a, b])
    }

    /// The operand of a unary operation of this kind.
    fn under(&self, op: Op, term: Term) -> Option<Term> {
        if self.op(term) == op { self.operands(term).first().copied() } else { None }
    }

    /// The operands of a binary operation of this kind.
    fn pair(&self, op: Op, term: Term) -> Option<(Term, Term)> {
        match *self.operands(term) {
            [a, b] if self.op(term) == op => Some((a, b)),
            _ => None,
        }
    }

    /// `x op c` with a constant `c` on the right.
    fn with_constant(&self, op: Op, term: Term) -> Option<(Term, u128)> {
        let (a, b) = self.pair(op, term)?;
        Some((a, self.constant_bits(b)?))
    }

    fn is_constant(&self, term: Term, bits: u128) -> bool {
        self.constant_bits(term) == Some(bits)
    }
}
