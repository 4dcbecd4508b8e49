//! The 128-bit hash of a stream of words, for fingerprints of states: XXH3 of their bytes.
//!
//! Not meant to resist an adversary. `docs/assumptions.md` has the odds that two states collide.

use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

/// A hash under construction.
#[derive(Clone, Debug, Default)]
pub struct Hasher {
    bytes: Vec<u8>,
}

impl Hasher {
    /// The hash of nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Forgets everything added.
    #[inline]
    pub fn clear(&mut self) {
        self.bytes.clear();
    }

    /// Adds a word.
    #[inline]
    pub fn word(&mut self, word: u64) {
        self.bytes.extend_from_slice(&word.to_le_bytes());
    }

    /// The hash of a row of half words, and of nothing else.
    pub fn row(&mut self, row: &[u32]) -> u128 {
        self.bytes.resize(row.len() * 4, 0);
        for (bytes, half) in self.bytes.as_chunks_mut().0.iter_mut().zip(row) {
            *bytes = half.to_le_bytes();
        }
        self.finish()
    }

    /// Adds two words' worth.
    #[inline]
    pub fn wide(&mut self, value: u128) {
        self.bytes.extend_from_slice(&value.to_le_bytes());
    }

    /// The hash of everything added.
    #[inline]
    pub fn finish(&self) -> u128 {
        xxh3_128(&self.bytes)
    }

    /// A shorter hash of everything added.
    #[inline]
    pub fn finish_short(&self) -> u64 {
        xxh3_64(&self.bytes)
    }
}

/// The hash of a few words.
#[inline]
pub fn mix<const N: usize>(words: [u64; N]) -> u64 {
    let mut bytes = [[0; 8]; N];
    for (bytes, word) in bytes.iter_mut().zip(words) {
        *bytes = word.to_le_bytes();
    }
    xxh3_64(bytes.as_flattened())
}
