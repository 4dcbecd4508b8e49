//! Arithmetic on words of wires, least significant bit first: ripple-carry adders, comparators made of majority gates
//! alone, barrel shifters, array multipliers (signed-digit recoding when a factor is constant).

use super::graph::{Graph, Wire};

/// Which bits enter a shifted word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    Left,
    Right,
}

impl Graph {
    pub(super) fn word_constant(&self, bits: u128, width: usize) -> Vec<Wire> {
        // A word may be one place longer than the widest value.
        (0..width as u32).map(|place| Wire::constant(bits.checked_shr(place).unwrap_or(0) & 1 == 1)).collect()
    }

    pub(super) fn word_not(&self, a: &[Wire]) -> Vec<Wire> {
        a.iter().map(|&wire| !wire).collect()
    }

    pub(super) fn word_zip(&mut self, a: &[Wire], b: &[Wire], gate: fn(&mut Graph, Wire, Wire) -> Wire) -> Vec<Wire> {
        a.iter().zip(b).map(|(&a, &b)| gate(self, a, b)).collect()
    }

    pub(super) fn word_choice(&mut self, c: Wire, a: &[Wire], b: &[Wire]) -> Vec<Wire> {
        a.iter().zip(b).map(|(&a, &b)| self.choice(c, a, b)).collect()
    }

    /// The sum, and the carry out of the highest place.
    pub(super) fn word_sum(&mut self, a: &[Wire], b: &[Wire], mut carry: Wire) -> (Vec<Wire>, Wire) {
        let mut sum = Vec::with_capacity(a.len());
        for (&a, &b) in a.iter().zip(b) {
            let half = self.xor(a, b);
            sum.push(self.xor(half, carry));
            carry = self.majority(a, b, carry);
        }
        (sum, carry)
    }

    pub(super) fn word_add(&mut self, a: &[Wire], b: &[Wire]) -> Vec<Wire> {
        self.word_sum(a, b, Wire::FALSE).0
    }

    pub(super) fn word_sub(&mut self, a: &[Wire], b: &[Wire]) -> Vec<Wire> {
        let b = self.word_not(b);
        self.word_sum(a, &b, Wire::TRUE).0
    }

    pub(super) fn word_neg(&mut self, a: &[Wire]) -> Vec<Wire> {
        let zero = self.word_constant(0, a.len());
        self.word_sub(&zero, a)
    }

    pub(super) fn word_equal(&mut self, a: &[Wire], b: &[Wire]) -> Wire {
        let places = self.word_zip(a, b, Graph::equal);
        self.all(&places)
    }

    /// `a < b` without signs, or `a <= b` when `or_equal` is true: from the lowest place up, a place decides unless the
    /// two bits are equal.
    pub(super) fn word_less(&mut self, a: &[Wire], b: &[Wire], or_equal: Wire) -> Wire {
        a.iter().zip(b).fold(or_equal, |less, (&a, &b)| self.majority(!a, b, less))
    }

    /// The signed order: the sign bits count the other way round.
    pub(super) fn word_signed_less(&mut self, a: &[Wire], b: &[Wire], or_equal: Wire) -> Wire {
        match (a.split_last(), b.split_last()) {
            (Some((&sign_a, low_a)), Some((&sign_b, low_b))) => {
                let less = self.word_less(low_a, low_b, or_equal);
                self.majority(sign_a, !sign_b, less)
            }
            _ => or_equal,
        }
    }

    /// One stage per bit of the amount that can matter; any higher bit of it shifts everything out.
    pub(super) fn word_shift(&mut self, a: &[Wire], by: &[Wire], direction: Direction, fill: Wire) -> Vec<Wire> {
        let width = a.len();
        let mut word = a.to_vec();
        let mut stages = 0;
        while stages < by.len() && (1usize << stages) < width {
            let distance = 1usize << stages;
            let moved: Vec<Wire> = (0..width)
                .map(|place| {
                    let from = match direction {
                        Direction::Left => place.checked_sub(distance),
                        Direction::Right => place.checked_add(distance),
                    };
                    from.and_then(|from| word.get(from).copied()).unwrap_or(fill)
                })
                .collect();
            word = self.word_choice(by[stages], &moved, &word);
            stages += 1;
        }
        let beyond = self.any(&by[stages..]);
        word.into_iter().map(|wire| self.choice(beyond, fill, wire)).collect()
    }

    pub(super) fn word_mul(&mut self, a: &[Wire], b: &[Wire]) -> Vec<Wire> {
        match (self.constant_of(a), self.constant_of(b)) {
            (Some(bits), _) => self.word_mul_constant(b, bits),
            (_, Some(bits)) => self.word_mul_constant(a, bits),
            _ => self.word_mul_array(a, b),
        }
    }

    fn constant_of(&self, word: &[Wire]) -> Option<u128> {
        word.iter().enumerate().try_fold(0, |bits, (place, &wire)| match wire {
            Wire::TRUE => Some(bits | 1u128 << place),
            Wire::FALSE => Some(bits),
            _ => None,
        })
    }

    /// Row by row: the shifted first factor is added where the second has a one.
    fn word_mul_array(&mut self, a: &[Wire], b: &[Wire]) -> Vec<Wire> {
        let width = a.len();
        let mut product: Vec<Wire> = a.iter().map(|&wire| self.and(wire, b[0])).collect();
        for row in 1..width {
            let addend: Vec<Wire> = a[..width - row].iter().map(|&wire| self.and(wire, b[row])).collect();
            let sum = self.word_add(&product[row..], &addend);
            product[row..].copy_from_slice(&sum);
        }
        product
    }

    /// Digits -1, 0, 1 with no two neighbours different from 0: at most half as many additions and subtractions as
    /// bits.
    fn word_mul_constant(&mut self, a: &[Wire], mut factor: u128) -> Vec<Wire> {
        let width = a.len();
        let mut product = self.word_constant(0, width);
        let mut place = 0;
        while factor != 0 && place < width {
            if factor & 1 == 1 {
                let (addend, negative) = (&a[..width - place], factor & 3 == 3);
                let sum = match negative {
                    true => self.word_sub(&product[place..], addend),
                    false => self.word_add(&product[place..], addend),
                };
                product[place..].copy_from_slice(&sum);
                // Taking away -1 may carry out of the highest bit, which is beyond every width.
                factor = if negative { factor.wrapping_add(1) } else { factor - 1 };
                if factor == 0 {
                    break;
                }
            }
            factor >>= 1;
            place += 1;
        }
        product
    }
}
