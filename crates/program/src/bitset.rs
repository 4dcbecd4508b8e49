//! Sets of small numbers as bits: [`BitSet`], and functions over words that are kept wherever their owner likes, such
//! as many sets of the same size in one table.

mod owned;

pub use owned::BitSet;

/// Adds all of another set; whether that changed anything.
pub fn add(set: &mut [u64], other: &[u64]) -> bool {
    let mut changed = 0;
    for (word, other) in set.iter_mut().zip(other) {
        changed |= other & !*word;
        *word |= other;
    }
    changed != 0
}

/// Adds one number.
pub fn insert(set: &mut [u64], number: usize) {
    set[number / 64] |= 1 << (number % 64);
}

/// Whether a number is in the set.
pub fn contains(set: &[u64], number: usize) -> bool {
    set.get(number / 64).is_some_and(|word| word >> (number % 64) & 1 == 1)
}

/// Whether two sets have something in common.
pub fn intersects(a: &[u64], b: &[u64]) -> bool {
    a.iter().zip(b).any(|(a, b)| a & b != 0)
}

/// Whether the set is empty.
pub fn is_empty(set: &[u64]) -> bool {
    set.iter().all(|word| *word == 0)
}

/// The numbers in ascending order.
pub fn iter(set: &[u64]) -> impl Iterator<Item = usize> + '_ {
    set.iter().enumerate().flat_map(|(index, word)| {
        let mut rest = *word;
        std::iter::from_fn(move || {
            if rest == 0 {
                return None;
            }
            let bit = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            Some(index * 64 + bit)
        })
    })
}
