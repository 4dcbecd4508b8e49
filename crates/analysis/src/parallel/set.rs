//! Sets of thread classes.

use super::ClassId;
use selvedge_program::bitset::BitSet;

/// A set of thread classes.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClassSet(BitSet);

impl ClassSet {
    /// Adds a class.
    pub fn insert(&mut self, class: ClassId) {
        self.0.insert(class.index() as u32);
    }

    /// Takes a class out.
    pub fn remove(&mut self, class: ClassId) {
        self.0.remove(&BitSet::of(class.index() as u32));
    }

    /// Adds all of another set; whether that changed anything.
    pub fn add(&mut self, other: &ClassSet) -> bool {
        self.0.add(&other.0)
    }

    /// Keeps only what is in another set.
    pub fn keep(&mut self, other: &ClassSet) {
        self.0.keep(&other.0);
    }

    /// Takes out what is in another set.
    pub fn without(&mut self, other: &ClassSet) {
        self.0.remove(&other.0);
    }

    /// Whether a class is in it.
    pub fn contains(&self, class: ClassId) -> bool {
        self.0.contains(class.index() as u32)
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The classes in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = ClassId> + '_ {
        self.0.iter().map(|class| ClassId::new(class as usize))
    }
}

impl FromIterator<ClassId> for ClassSet {
    fn from_iter<T: IntoIterator<Item = ClassId>>(classes: T) -> Self {
        ClassSet(classes.into_iter().map(|class| class.index() as u32).collect())
    }
}
