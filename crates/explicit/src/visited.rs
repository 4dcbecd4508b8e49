//! The states that have been stored: a fingerprint each, and how it was first reached.
//!
//! An open-addressing table of indices into a plain vector of fingerprints, each beside some bits of its fingerprint,
//! so that the vector is hardly ever looked at in vain: about 45 bytes a state altogether. A state's index tells
//! whether it was stored before or after another.

use selvedge_program::{EdgeId, ThreadIndex};

use crate::hash::Hasher;

/// A stored state, numbered in the order of discovery.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StateIndex(pub u32);

/// How a state was first reached: from which state, by whom, along which edge, with which answers.
#[derive(Clone, Copy, Debug)]
pub struct Arrival {
    /// The state before; the first state is its own.
    pub parent: StateIndex,
    /// Who moved.
    pub thread: ThreadIndex,
    /// Along which edge.
    pub edge: EdgeId,
    /// Which of the interned answers.
    pub answers: u32,
}

/// The stored states.
#[derive(Debug)]
pub struct Visited {
    fingerprints: Vec<u128>,
    arrivals: Vec<Arrival>,
    /// Indices plus one, and the upper bits of the fingerprint; an index of 0 is an empty place. The length is a power
    /// of two.
    table: Vec<(u32, u32)>,
}

impl Visited {
    /// No states.
    pub fn new() -> Self {
        Self { fingerprints: Vec::new(), arrivals: Vec::new(), table: vec![(0, 0); 1 << 10] }
    }

    /// How many states there are.
    pub fn len(&self) -> usize {
        self.fingerprints.len()
    }

    /// The bytes used.
    pub fn memory(&self) -> u64 {
        let bytes = self.fingerprints.capacity() * size_of::<u128>()
            + self.arrivals.capacity() * size_of::<Arrival>()
            + self.table.capacity() * size_of::<(u32, u32)>();
        bytes as u64
    }

    /// How a state was reached.
    pub fn arrival(&self, state: StateIndex) -> Arrival {
        self.arrivals[state.0 as usize]
    }

    /// The state with a fingerprint, stored with this arrival if it is new; and whether it is.
    pub fn insert(&mut self, fingerprint: u128, arrival: Arrival) -> (StateIndex, bool) {
        if (self.fingerprints.len() + 1) * 3 > self.table.len() * 2 {
            self.grow();
        }
        let mask = self.table.len() - 1;
        let mut place = fingerprint as usize & mask;
        loop {
            match self.table[place] {
                (0, _) => break,
                (index, tag) if tag == tag_of(fingerprint) && self.fingerprints[index as usize - 1] == fingerprint => {
                    return (StateIndex(index - 1), false);
                }
                _ => place = (place + 1) & mask,
            }
        }
        let index = self.fingerprints.len() as u32;
        self.table[place] = (index + 1, tag_of(fingerprint));
        self.fingerprints.push(fingerprint);
        self.arrivals.push(arrival);
        (StateIndex(index), true)
    }

    fn grow(&mut self) {
        let length = self.table.len() * 2;
        let mask = length - 1;
        let mut table = vec![(0, 0); length];
        for (index, fingerprint) in self.fingerprints.iter().enumerate() {
            let mut place = *fingerprint as usize & mask;
            while table[place].0 != 0 {
                place = (place + 1) & mask;
            }
            table[place] = (index as u32 + 1, tag_of(*fingerprint));
        }
        self.table = table;
    }
}

fn tag_of(fingerprint: u128) -> u32 {
    (fingerprint >> 96) as u32
}

/// States met lately, by the hash of their rows: a state that is met again need not be encoded. Where two fall on one
/// place the later stays.
#[derive(Debug)]
pub struct Recent {
    /// The length is a power of two.
    places: Vec<([u64; 2], StateIndex)>,
    hasher: Hasher,
}

impl Recent {
    /// At most so many states are remembered.
    const MOST: usize = 1 << 21;
    const EMPTY: ([u64; 2], StateIndex) = ([0; 2], StateIndex(u32::MAX));

    /// None.
    pub fn new() -> Self {
        Self { places: vec![Self::EMPTY; 1 << 10], hasher: Hasher::new() }
    }

    /// Forgets them.
    pub fn clear(&mut self) {
        self.places.fill(Self::EMPTY);
    }

    /// The bytes used.
    pub fn memory(&self) -> u64 {
        (self.places.capacity() * size_of::<([u64; 2], StateIndex)>()) as u64
    }

    /// The hash of a row.
    pub fn hash(&mut self, row: &[u32]) -> [u64; 2] {
        let hash = self.hasher.row(row);
        [hash as u64, (hash >> 64) as u64]
    }

    /// The state with this hash.
    pub fn find(&self, hash: [u64; 2]) -> Option<StateIndex> {
        let (known, index) = self.places[hash[0] as usize & (self.places.len() - 1)];
        (known == hash && index.0 != u32::MAX).then_some(index)
    }

    /// Remembers a state, one of so many.
    pub fn insert(&mut self, hash: [u64; 2], index: StateIndex, states: usize) {
        if states > self.places.len() && self.places.len() < Self::MOST {
            let places = vec![Self::EMPTY; self.places.len() * 2];
            for (hash, index) in std::mem::replace(&mut self.places, places) {
                if index.0 != u32::MAX {
                    self.put(hash, index);
                }
            }
        }
        self.put(hash, index);
    }

    fn put(&mut self, hash: [u64; 2], index: StateIndex) {
        let mask = self.places.len() - 1;
        self.places[hash[0] as usize & mask] = (hash, index);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustc_hash::FxHashSet;

    #[test]
    fn different_rows_have_different_hashes() {
        let mut recent = Recent::new();
        let mut seen = FxHashSet::default();
        for length in 0..6u32 {
            for code in 0..4u32.pow(length) {
                let row: Vec<u32> = (0..length).map(|position| code >> (2 * position) & 3).collect();
                assert!(seen.insert(recent.hash(&row)), "{row:?}");
            }
        }
    }
}
