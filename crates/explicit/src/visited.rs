//! The states that have been stored: a fingerprint each, and how it was first reached.
//!
//! An open-addressing table of indices into a plain vector of fingerprints: about 40 bytes a state altogether, and a state's
//! index tells whether it was stored before or after another.

use selvedge_program::{EdgeId, ThreadIndex};

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
    /// Indices plus one; 0 is an empty place. The length is a power of two.
    table: Vec<u32>,
}

impl Visited {
    /// No states.
    pub fn new() -> Self {
        Self { fingerprints: Vec::new(), arrivals: Vec::new(), table: vec![0; 1 << 10] }
    }

    /// How many states there are.
    pub fn len(&self) -> usize {
        self.fingerprints.len()
    }

    /// The bytes used.
    pub fn memory(&self) -> u64 {
        let bytes = self.fingerprints.capacity() * size_of::<u128>()
            + self.arrivals.capacity() * size_of::<Arrival>()
            + self.table.capacity() * size_of::<u32>();
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
                0 => break,
                index if self.fingerprints[index as usize - 1] == fingerprint => return (StateIndex(index - 1), false),
                _ => place = (place + 1) & mask,
            }
        }
        let index = self.fingerprints.len() as u32;
        self.table[place] = index + 1;
        self.fingerprints.push(fingerprint);
        self.arrivals.push(arrival);
        (StateIndex(index), true)
    }

    fn grow(&mut self) {
        let length = self.table.len() * 2;
        let mask = length - 1;
        let mut table = vec![0; length];
        for (index, fingerprint) in self.fingerprints.iter().enumerate() {
            let mut place = *fingerprint as usize & mask;
            while table[place] != 0 {
                place = (place + 1) & mask;
            }
            table[place] = index as u32 + 1;
        }
        self.table = table;
    }
}
