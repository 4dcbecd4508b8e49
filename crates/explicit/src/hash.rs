//! A 128-bit hash of a stream of words, for fingerprints of states.
//!
//! Two lanes of 64 bits, each mixed by a multiplication whose high half is folded back; the lanes use different
//! constants and feed each other. Not meant to resist an adversary. For a random function, the odds that any two of n
//! states collide are about n²/2¹²⁹: for a thousand million states, 1.5 · 10⁻²¹.

/// A hash under construction.
#[derive(Clone, Copy, Debug)]
pub struct Hasher {
    a: u64,
    b: u64,
}

const KEY: [u64; 4] = [0x9e37_79b9_7f4a_7c15, 0xc2b2_ae3d_27d4_eb4f, 0xd6e8_feb8_6659_fd93, 0xa076_1d64_78bd_642f];

#[inline]
fn fold(x: u64, y: u64) -> u64 {
    let product = u128::from(x) * u128::from(y);
    (product as u64) ^ ((product >> 64) as u64)
}

impl Default for Hasher {
    fn default() -> Self {
        Self::new()
    }
}

impl Hasher {
    /// The hash of nothing.
    pub fn new() -> Self {
        Self { a: KEY[0], b: KEY[1] }
    }

    /// Adds a word.
    #[inline]
    pub fn word(&mut self, word: u64) {
        let a = fold(self.a ^ word, KEY[2]).wrapping_add(self.b);
        self.b = (self.b ^ word.rotate_left(32)).wrapping_mul(KEY[3]).rotate_left(29).wrapping_add(self.a);
        self.a = a;
    }

    /// Adds two words' worth.
    #[inline]
    pub fn wide(&mut self, value: u128) {
        self.word(value as u64);
        self.word((value >> 64) as u64);
    }

    /// The hash of everything added.
    #[inline]
    pub fn finish(mut self) -> u128 {
        self.word(KEY[0]);
        let a = fold(self.a ^ KEY[1], KEY[3]) ^ self.b;
        let b = fold(self.b ^ KEY[2], KEY[0]) ^ fold(a, KEY[1]);
        u128::from(a) << 64 | u128::from(b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustc_hash::FxHashSet;

    #[test]
    fn short_streams_do_not_collide() {
        let mut seen = FxHashSet::default();
        let mut halves = FxHashSet::default();
        for length in 0..4u32 {
            for code in 0..16u64.pow(length) {
                let mut hasher = Hasher::new();
                for position in 0..length {
                    hasher.word(code >> (4 * position) & 15);
                }
                let hash = hasher.finish();
                assert!(seen.insert(hash));
                assert!(halves.insert(hash as u64) && halves.insert((hash >> 64) as u64));
            }
        }
    }
}
