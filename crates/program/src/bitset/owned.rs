//! Sets that own their words. Those before the first and after the last element are not stored, so that a set of
//! neighbours costs little however large its numbers are; equal sets have equal representations.

use std::fmt;

/// A set of numbers.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BitSet {
    /// The number of words left out before the first.
    base: usize,
    words: Vec<u64>,
}

impl BitSet {
    /// The empty set.
    pub const fn new() -> Self {
        Self { base: 0, words: Vec::new() }
    }

    /// The set of one number.
    pub fn of(element: u32) -> Self {
        Self { base: element as usize / 64, words: vec![1 << (element % 64)] }
    }

    /// The numbers below a bound.
    pub fn below(bound: u32) -> Self {
        (0..bound).collect()
    }

    /// Whether it has no elements.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// How many elements it has.
    pub fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether a number is in it.
    pub fn contains(&self, element: u32) -> bool {
        self.word(element as usize / 64) >> (element % 64) & 1 == 1
    }

    /// Adds a number; whether it is new.
    pub fn insert(&mut self, element: u32) -> bool {
        let new = !self.contains(element);
        if new {
            let at = element as usize / 64;
            self.cover(at, at + 1);
            self.words[at - self.base] |= 1 << (element % 64);
        }
        new
    }

    /// Adds the elements of another set; whether any was new.
    pub fn add(&mut self, other: &BitSet) -> bool {
        if other.is_subset(self) {
            return false;
        }
        self.cover(other.base, other.end());
        for (offset, word) in other.words.iter().enumerate() {
            self.words[other.base + offset - self.base] |= word;
        }
        true
    }

    /// Takes the elements of another set away.
    pub fn remove(&mut self, other: &BitSet) {
        let base = self.base;
        for (offset, word) in self.words.iter_mut().enumerate() {
            *word &= !other.word(base + offset);
        }
        self.trim();
    }

    /// Keeps only what is in another set too.
    pub fn keep(&mut self, other: &BitSet) {
        let base = self.base;
        for (offset, word) in self.words.iter_mut().enumerate() {
            *word &= other.word(base + offset);
        }
        self.trim();
    }

    /// What is in both.
    #[must_use]
    pub fn and(&self, other: &BitSet) -> BitSet {
        let mut both = self.clone();
        both.keep(other);
        both
    }

    /// What is in either.
    #[must_use]
    pub fn or(&self, other: &BitSet) -> BitSet {
        let mut either = self.clone();
        either.add(other);
        either
    }

    /// What is in this and not in the other.
    #[must_use]
    pub fn without(&self, other: &BitSet) -> BitSet {
        let mut rest = self.clone();
        rest.remove(other);
        rest
    }

    /// Whether every element is in another set.
    pub fn is_subset(&self, other: &BitSet) -> bool {
        self.words.iter().enumerate().all(|(offset, word)| word & !other.word(self.base + offset) == 0)
    }

    /// The elements in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        let first = self.base * 64;
        super::iter(&self.words).map(move |number| (first + number) as u32)
    }

    fn end(&self) -> usize {
        self.base + self.words.len()
    }

    fn word(&self, at: usize) -> u64 {
        at.checked_sub(self.base).and_then(|offset| self.words.get(offset)).copied().unwrap_or(0)
    }

    /// Makes room for the words of a stretch.
    fn cover(&mut self, from: usize, to: usize) {
        if self.words.is_empty() {
            self.base = from;
        }
        if from < self.base {
            let before = self.base - from;
            self.words.splice(0..0, std::iter::repeat_n(0, before));
            self.base = from;
        }
        if to > self.end() {
            self.words.resize(to - self.base, 0);
        }
    }

    fn trim(&mut self) {
        let last = self.words.iter().rposition(|word| *word != 0).map_or(0, |last| last + 1);
        self.words.truncate(last);
        let first = self.words.iter().position(|word| *word != 0).unwrap_or(0);
        self.words.drain(..first);
        self.base = if self.words.is_empty() { 0 } else { self.base + first };
    }
}

impl FromIterator<u32> for BitSet {
    fn from_iter<T: IntoIterator<Item = u32>>(elements: T) -> Self {
        let mut set = BitSet::new();
        for element in elements {
            set.insert(element);
        }
        set
    }
}

impl fmt::Debug for BitSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn agrees_with_ordered_sets() {
        let mut random = selvedge_generate::random::Random::new(1);
        let mut next = |bound: u64| random.below(bound);
        for _ in 0..2000 {
            let mut draw = || -> BTreeSet<u32> {
                let base = next(3) * 100;
                (0..next(6)).map(|_| (base + next(200)) as u32).collect()
            };
            let (a, b) = (draw(), draw());
            let (x, y): (BitSet, BitSet) = (a.iter().copied().collect(), b.iter().copied().collect());
            let same = |set: &BitSet, model: BTreeSet<u32>| {
                assert_eq!(set.iter().collect::<BTreeSet<u32>>(), model);
                assert_eq!(*set, model.iter().rev().copied().collect::<BitSet>(), "equal sets look equal");
                assert_eq!((set.len(), set.is_empty()), (model.len(), model.is_empty()));
            };
            same(&x, a.clone());
            same(&x.and(&y), &a & &b);
            same(&x.or(&y), &a | &b);
            same(&x.without(&y), &a - &b);
            assert_eq!(x.is_subset(&y), a.is_subset(&b));
            assert_eq!(x.clone().add(&y), !b.is_subset(&a));
        }
    }
}
