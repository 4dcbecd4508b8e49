//! Restoring division, one row per bit of the quotient, and the signed divisions made from it.
//!
//! SMT-LIB's results for division by zero come out of the rows by themselves: every row finds the divisor small enough.

use super::graph::{Graph, Wire};

impl Graph {
    /// Quotient and remainder without signs.
    pub(super) fn word_divide(&mut self, a: &[Wire], b: &[Wire]) -> (Vec<Wire>, Vec<Wire>) {
        let width = a.len();
        let mut quotient = self.word_constant(0, width);
        // A remainder is below the divisor, so has no more places than that, unless the divisor may be 0; and one place more,
        // since twice a remainder is below twice the divisor. With a small constant the rows are short.
        let is_some = b.contains(&Wire::TRUE);
        let places = b.iter().rposition(|wire| *wire != Wire::FALSE).map_or(0, |highest| highest + 1);
        let places = if is_some { places } else { width };
        let mut remainder = self.word_constant(0, places + 1);
        let mut divisor = b[..places].to_vec();
        divisor.push(Wire::FALSE);
        for place in (0..width).rev() {
            remainder.pop();
            remainder.insert(0, a[place]);
            let fits = self.word_less(&divisor, &remainder, Wire::TRUE);
            let reduced = self.word_sub(&remainder, &divisor);
            remainder = self.word_choice(fits, &reduced, &remainder);
            quotient[place] = fits;
        }
        remainder.resize(width.max(places + 1), Wire::FALSE);
        remainder.truncate(width);
        (quotient, remainder)
    }

    fn magnitude(&mut self, a: &[Wire]) -> (Wire, Vec<Wire>) {
        let sign = a.last().copied().unwrap_or(Wire::FALSE);
        (sign, self.negated_if(sign, a))
    }

    fn negated_if(&mut self, condition: Wire, a: &[Wire]) -> Vec<Wire> {
        let negated = self.word_neg(a);
        self.word_choice(condition, &negated, a)
    }

    pub(super) fn word_signed_quotient(&mut self, a: &[Wire], b: &[Wire]) -> Vec<Wire> {
        let ((sign_a, a), (sign_b, b)) = (self.magnitude(a), self.magnitude(b));
        let (quotient, _) = self.word_divide(&a, &b);
        let negative = self.xor(sign_a, sign_b);
        self.negated_if(negative, &quotient)
    }

    /// The remainder with the sign of the dividend.
    pub(super) fn word_signed_remainder(&mut self, a: &[Wire], b: &[Wire]) -> Vec<Wire> {
        let ((sign_a, a), (_, b)) = (self.magnitude(a), self.magnitude(b));
        let (_, remainder) = self.word_divide(&a, &b);
        self.negated_if(sign_a, &remainder)
    }

    /// The remainder with the sign of the divisor: one that is not 0 and has the other sign is moved up by the divisor.
    pub(super) fn word_signed_modulo(&mut self, a: &[Wire], b: &[Wire]) -> Vec<Wire> {
        let remainder = self.word_signed_remainder(a, b);
        let signs = (a.last().copied().unwrap_or(Wire::FALSE), b.last().copied().unwrap_or(Wire::FALSE));
        let opposite = self.xor(signs.0, signs.1);
        let some = self.any(&remainder);
        let moves = self.and(opposite, some);
        let moved = self.word_add(&remainder, b);
        self.word_choice(moves, &moved, &remainder)
    }
}
