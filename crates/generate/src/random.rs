//! A small deterministic source of random choices (splitmix64), the same on every machine.

/// A stream of random choices that a seed determines.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        // Neighbouring seeds must not give neighbouring streams.
        let mut random = Random(seed.wrapping_mul(0xd134_2543_de82_ef95) ^ 0x5eed_5eed_5eed_5eed);
        random.word();
        random
    }

    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`; 0 if `bound` is 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        if bound == 0 { 0 } else { self.word() % bound }
    }

    /// A position in a list of so many.
    pub fn index(&mut self, bound: usize) -> usize {
        self.below(bound as u64) as usize
    }

    /// A number that is often at an edge: small, all ones, a power of two.
    pub fn wide(&mut self) -> u128 {
        match self.below(5) {
            0 => u128::from(self.below(4)),
            1 => u128::MAX - u128::from(self.below(4)),
            2 => 1 << self.below(128),
            3 => (1 << self.below(128)) - 1,
            _ => u128::from(self.word()) << 64 | u128::from(self.word()),
        }
    }

    /// A number in `low..=high`.
    pub fn between(&mut self, low: u64, high: u64) -> u64 {
        low + self.below(high.saturating_sub(low) + 1)
    }

    /// True `percent` times out of a hundred.
    pub fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    /// One of `choices`, which must not be empty.
    pub fn pick<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        &choices[self.index(choices.len())]
    }
}
