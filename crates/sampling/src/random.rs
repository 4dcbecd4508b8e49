//! Random numbers that are the same on every machine (Steele, Lea, Flood: *Fast splittable pseudorandom number
//! generators*, OOPSLA 2014).

/// A stream of them.
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    /// The stream with a number.
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    pub(crate) fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below a bound that is not 0.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.word() % bound.max(1) as u64) as usize
    }

    /// True in so many of eight cases.
    pub(crate) fn is_in_eight(&mut self, cases: u64) -> bool {
        self.word() % 8 < cases
    }
}
