//! Sets of thread classes.

use super::ClassId;

/// A set of thread classes, as bits.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClassSet(Vec<u64>);

impl ClassSet {
    /// Adds a class.
    pub fn insert(&mut self, class: ClassId) {
        let word = class.index() / 64;
        if word >= self.0.len() {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (class.index() % 64);
    }

    /// Takes a class out.
    pub fn remove(&mut self, class: ClassId) {
        if let Some(word) = self.0.get_mut(class.index() / 64) {
            *word &= !(1 << (class.index() % 64));
        }
        self.trim();
    }

    /// Adds all of another set; whether that changed anything.
    pub fn add(&mut self, other: &ClassSet) -> bool {
        if other.0.len() > self.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        let mut new = 0;
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            new |= other & !*word;
            *word |= other;
        }
        new != 0
    }

    /// Keeps only what is in another set.
    pub fn keep(&mut self, other: &ClassSet) {
        self.0.truncate(other.0.len());
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            *word &= other;
        }
        self.trim();
    }

    /// Takes out what is in another set.
    pub fn without(&mut self, other: &ClassSet) {
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            *word &= !other;
        }
        self.trim();
    }

    /// No zero words at the end, so that equal sets are equal.
    fn trim(&mut self) {
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
    }

    /// Whether a class is in it.
    pub fn contains(&self, class: ClassId) -> bool {
        self.0.get(class.index() / 64).is_some_and(|word| word >> (class.index() % 64) & 1 == 1)
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    /// The classes in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = ClassId> + '_ {
        self.0.iter().enumerate().flat_map(|(index, word)| {
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| ClassId::new(index * 64 + bit))
        })
    }
}

impl FromIterator<ClassId> for ClassSet {
    fn from_iter<T: IntoIterator<Item = ClassId>>(classes: T) -> Self {
        let mut set = ClassSet::default();
        classes.into_iter().for_each(|class| set.insert(class));
        set
    }
}
