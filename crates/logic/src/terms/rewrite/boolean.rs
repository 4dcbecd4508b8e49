//! Rules for the connectives and for if-then-else.

use crate::terms::op::{Op, Sort};
use crate::terms::{Term, Terms};

impl Terms {
    /// Negation goes into comparisons and constants; elsewhere it stays outside.
    pub(super) fn simplified_not(&mut self, a: Term) -> Option<Term> {
        if let Some(inner) = self.under(Op::Not, a) {
            return Some(inner);
        }
        let opposite = match self.op(a) {
            Op::ULt => Op::ULe,
            Op::ULe => Op::ULt,
            Op::SLt => Op::SLe,
            Op::SLe => Op::SLt,
            _ => return None,
        };
        let (x, y) = self.pair(self.op(a), a)?;
        Some(self.make(opposite, Sort::Bool, &[y, x]))
    }

    /// One is the negation of the other.
    fn opposite(&self, a: Term, b: Term) -> bool {
        let swapped = |op: Op, other: Op| match (self.pair(op, a), self.pair(other, b)) {
            (Some((x, y)), Some((u, v))) => x == v && y == u,
            _ => false,
        };
        self.under(Op::Not, a) == Some(b)
            || self.under(Op::Not, b) == Some(a)
            || swapped(Op::ULt, Op::ULe)
            || swapped(Op::ULe, Op::ULt)
            || swapped(Op::SLt, Op::SLe)
            || swapped(Op::SLe, Op::SLt)
            || self.separated(a, b)
            || self.separated(b, a)
    }

    /// `x < c` and `c - 1 < x`.
    fn separated(&self, below: Term, above: Term) -> bool {
        let op = self.op(below);
        if !matches!(op, Op::ULt | Op::SLt) {
            return false;
        }
        match (self.pair(op, below), self.pair(op, above)) {
            (Some((x, c)), Some((d, y))) if x == y => {
                let mask = self.sort(x).mask();
                match (self.constant_bits(c), self.constant_bits(d)) {
                    (Some(c), Some(d)) => c == d.wrapping_add(1) & mask,
                    _ => false,
                }
            }
            _ => false,
        }
    }

    /// `a op b` where `op` is conjunction or disjunction; each is the other's dual.
    pub(super) fn simplified_junction(&mut self, op: Op, a: Term, b: Term) -> Option<Term> {
        let (dual, neutral) = if op == Op::And { (Op::Or, true) } else { (Op::And, false) };
        if a == b || self.is_constant(b, u128::from(neutral)) {
            return Some(a);
        }
        if self.is_constant(b, u128::from(!neutral)) || self.opposite(a, b) {
            return Some(self.truth(!neutral));
        }
        for (one, other) in [(a, b), (b, a)] {
            if let Some((x, y)) = self.pair(op, other) {
                if one == x || one == y {
                    return Some(other);
                }
                if self.opposite(one, x) || self.opposite(one, y) {
                    return Some(self.truth(!neutral));
                }
            }
            if let Some((x, y)) = self.pair(dual, other) {
                if one == x || one == y {
                    return Some(one);
                }
                if self.opposite(one, x) {
                    return Some(self.make(op, Sort::Bool, &[one, y]));
                }
                if self.opposite(one, y) {
                    return Some(self.make(op, Sort::Bool, &[one, x]));
                }
            }
            if let Some(simpler) = self.with_negated(op, one, other) {
                return Some(simpler);
            }
        }
        self.factored(op, dual, a, b)
    }

    /// `(x inner y) op (x inner z)` is `x inner (y op z)`.
    fn factored(&mut self, op: Op, inner: Op, a: Term, b: Term) -> Option<Term> {
        let ((x, y), (u, v)) = (self.pair(inner, a)?, self.pair(inner, b)?);
        let (common, one, other) = [(x, y, u, v), (x, y, v, u), (y, x, u, v), (y, x, v, u)]
            .into_iter()
            .find_map(|(same, one, again, other)| (same == again).then_some((same, one, other)))?;
        let rest = self.make(op, Sort::Bool, &[one, other]);
        Some(self.make(inner, Sort::Bool, &[common, rest]))
    }

    /// `one op !(x inner y)` where `one` is `x` or `y` or the negation of one of them.
    fn with_negated(&mut self, op: Op, one: Term, other: Term) -> Option<Term> {
        let inner = self.under(Op::Not, other)?;
        let kind = self.op(inner);
        if !matches!(kind, Op::And | Op::Or) {
            return None;
        }
        let (x, y) = self.pair(kind, inner)?;
        for (same, rest) in [(x, y), (y, x)] {
            if one == same {
                // x && !(x && y) is x && !y, x || !(x && y) is true; the same with && and || exchanged.
                if op != kind {
                    return Some(self.truth(op == Op::Or));
                }
                let not_rest = self.negation(rest);
                return Some(self.make(op, Sort::Bool, &[one, not_rest]));
            }
            if self.opposite(one, same) {
                // !x && !(x && y) is !x, !x || !(x && y) is !(x && y); the same with && and || exchanged.
                return Some(if op == kind { one } else { other });
            }
        }
        None
    }

    /// Equivalence of truth values.
    pub(super) fn simplified_equivalence(&mut self, a: Term, b: Term) -> Option<Term> {
        if self.is_constant(b, 1) {
            return Some(a);
        }
        if self.is_constant(b, 0) {
            return Some(self.negation(a));
        }
        if self.opposite(a, b) {
            return Some(self.truth(false));
        }
        let (x, y) = (self.under(Op::Not, a), self.under(Op::Not, b));
        match (x, y) {
            (Some(x), Some(y)) => Some(self.equality(x, y)),
            (None, None) => None,
            _ => {
                let inner = self.equality(x.unwrap_or(a), y.unwrap_or(b));
                Some(self.negation(inner))
            }
        }
    }

    pub(super) fn simplified_ite(&mut self, c: Term, a: Term, b: Term) -> Option<Term> {
        let sort = self.sort(a);
        match self.constant_bits(c) {
            Some(1) => return Some(a),
            Some(_) => return Some(b),
            None => {}
        }
        if a == b {
            return Some(a);
        }
        if let Some(inner) = self.under(Op::Not, c) {
            return Some(self.make(Op::Ite, sort, &[inner, b, a]));
        }
        if let Op::Ite = self.op(a)
            && let [d, x, _] = *self.operands(a)
            && d == c
        {
            return Some(self.make(Op::Ite, sort, &[c, x, b]));
        }
        if let Op::Ite = self.op(b)
            && let [d, x, y] = *self.operands(b)
        {
            if d == c {
                return Some(self.make(Op::Ite, sort, &[c, a, y]));
            }
            if x == a {
                let either = self.make(Op::Or, Sort::Bool, &[c, d]);
                return Some(self.make(Op::Ite, sort, &[either, a, y]));
            }
        }
        if sort == Sort::Bool { self.simplified_boolean_ite(c, a, b) } else { self.chosen_by_equality(c, a, b) }
    }

    fn simplified_boolean_ite(&mut self, c: Term, a: Term, b: Term) -> Option<Term> {
        let bool = Sort::Bool;
        if self.is_constant(a, 1) || a == c {
            return Some(self.make(Op::Or, bool, &[c, b]));
        }
        if self.is_constant(b, 0) || b == c {
            return Some(self.make(Op::And, bool, &[c, a]));
        }
        if self.is_constant(a, 0) || self.opposite(a, c) {
            let not_c = self.negation(c);
            return Some(self.make(Op::And, bool, &[not_c, b]));
        }
        if self.is_constant(b, 1) || self.opposite(b, c) {
            let not_c = self.negation(c);
            return Some(self.make(Op::Or, bool, &[not_c, a]));
        }
        if self.opposite(a, b) {
            return Some(self.equality(c, a));
        }
        None
    }

    /// `x = y ? x : y` is `y`.
    fn chosen_by_equality(&mut self, c: Term, a: Term, b: Term) -> Option<Term> {
        let (x, y) = self.pair(Op::Equal, c)?;
        ((x, y) == (a, b) || (x, y) == (b, a)).then_some(b)
    }
}
