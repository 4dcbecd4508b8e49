//! Cartesian products of sets of local states, up to the renaming of interchangeable threads.
//!
//! Malkis, Podelski and Rybalchenko (2007) take one set per thread. Here threads come in *components*: a component is a
//! number of interchangeable threads, and one thread by itself is a component of one. In a [`Group`], the part of a
//! product that belongs to one component, a few threads have a set of their own (the *slots*) and all others of the
//! component share one (the *rest*); it stands for all tuples that some assignment of the slots to threads allows. So
//! "exactly one thread is in A, all others are in B" is one slot A and the rest B, however many threads there are, and
//! "at most one thread is in A" is one slot with everything and the rest without A. Cost never depends on the number of
//! threads in a component.

use selvedge_program::bitset::BitSet;

/// How many threads a component has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Count {
    /// So many.
    Exactly(u64),
    /// More than any number that matters: larger than all slots together.
    Unbounded,
}

impl Count {
    /// How many are left when so many have been told apart; `None` if there are not as many.
    pub fn minus(self, told_apart: usize) -> Option<Count> {
        match self {
            Count::Exactly(number) => number.checked_sub(told_apart as u64).map(Count::Exactly),
            Count::Unbounded => Some(Count::Unbounded),
        }
    }
}

/// The part of a product that belongs to one component.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Group {
    /// The threads that are told apart, each by the set of its local states.
    pub slots: Vec<BitSet>,
    /// The local states of every other thread.
    pub rest: BitSet,
}

/// A product, or all its renamings within components: by component.
pub type Product = Vec<Group>;

/// A thread of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Position {
    /// The one of this slot.
    Slot(usize),
    /// Any one of the rest.
    Rest,
}

impl Group {
    /// All threads of a component in one set.
    pub fn all(set: BitSet) -> Group {
        Group { slots: Vec::new(), rest: set }
    }

    /// One thread in a set, all others in another.
    pub fn one(set: BitSet, others: BitSet) -> Group {
        Group { slots: vec![set], rest: others }
    }

    /// Puts it into its normal form for a number of threads: slots sorted, and a rest of one thread or none made a slot
    /// or nothing. `false` if it stands for no tuple at all.
    pub fn normalise(&mut self, count: Count) -> bool {
        match count.minus(self.slots.len()) {
            None => return false,
            Some(Count::Exactly(0)) => self.rest = BitSet::new(),
            Some(Count::Exactly(1)) => self.slots.push(std::mem::take(&mut self.rest)),
            Some(_) if self.rest.is_empty() => return false,
            Some(_) => {}
        }
        self.slots.sort();
        !self.slots.iter().any(BitSet::is_empty)
    }

    /// The threads that differ: every slot, and one for the rest if there is any.
    pub fn positions(&self) -> impl Iterator<Item = Position> + use<> {
        let rest = (!self.rest.is_empty()).then_some(Position::Rest);
        (0..self.slots.len()).map(Position::Slot).chain(rest)
    }

    /// The local states of a thread.
    pub fn at(&self, position: Position) -> &BitSet {
        match position {
            Position::Slot(slot) => &self.slots[slot],
            Position::Rest => &self.rest,
        }
    }

    /// Every local state that some thread may be in.
    pub fn any(&self) -> BitSet {
        self.slots.iter().fold(self.rest.clone(), |any, slot| any.or(slot))
    }

    /// Restricts every thread to a set.
    #[must_use]
    pub fn within(&self, set: &BitSet) -> Group {
        Group { slots: self.slots.iter().map(|slot| slot.and(set)).collect(), rest: self.rest.and(set) }
    }

    /// How the tuples of this group (in normal form) relate to those of another.
    pub fn fit(&self, other: &Group, count: Count) -> Fit {
        if let ([mine], [theirs]) = (self.slots.as_slice(), other.slots.as_slice())
            && count == Count::Exactly(1)
        {
            return if mine.is_subset(theirs) {
                Fit::Within
            } else {
                Fit::But(vec![(Position::Slot(0), theirs.clone())])
            };
        }
        if count.minus(other.slots.len()).is_none() {
            return Fit::But(Vec::new());
        }
        let mut alignment = Alignment {
            mine: self,
            theirs: other,
            used: vec![false; self.slots.len()],
            anonymous: 0,
            count,
            found: Vec::new(),
        };
        if alignment.align(0, None) { Fit::Within } else { Fit::But(alignment.found) }
    }
}

/// How a group relates to another under the best assignments of slots to threads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fit {
    /// All its tuples are among the other's.
    Within,
    /// Not all. But if the thread at one of these positions is in the set beside it, then all of those tuples are.
    But(Vec<(Position, BitSet)>),
}

/// The search for assignments of one group's slots to another group's threads under which at most one thread is in the
/// wrong set. It is exhaustive up to the renaming of threads that are not told apart.
struct Alignment<'a> {
    mine: &'a Group,
    theirs: &'a Group,
    used: Vec<bool>,
    /// How many of my rest have been given a slot of theirs.
    anonymous: usize,
    count: Count,
    found: Vec<(Position, BitSet)>,
}

type Wrong<'a> = Option<(Position, &'a BitSet)>;

impl<'a> Alignment<'a> {
    /// Assigns the slots from the given one on; whether an assignment puts no thread into a wrong set.
    fn align(&mut self, slot: usize, wrong: Wrong<'a>) -> bool {
        let Some(theirs) = self.theirs.slots.get(slot) else { return self.close(wrong) };
        for mine in 0..self.mine.slots.len() {
            if self.used[mine] {
                continue;
            }
            let Some(wrong) = put(&self.mine.slots[mine], theirs, Position::Slot(mine), wrong) else { continue };
            self.used[mine] = true;
            let within = self.align(slot + 1, wrong);
            self.used[mine] = false;
            if within {
                return true;
            }
        }
        let told_apart = self.mine.slots.len() + self.anonymous;
        if !matches!(self.count.minus(told_apart), None | Some(Count::Exactly(0)))
            && let Some(wrong) = put(&self.mine.rest, theirs, Position::Rest, wrong)
        {
            self.anonymous += 1;
            let within = self.align(slot + 1, wrong);
            self.anonymous -= 1;
            return within;
        }
        false
    }

    /// All slots are assigned: whoever is left belongs to their rest.
    fn close(&mut self, mut wrong: Wrong<'a>) -> bool {
        for (mine, set) in self.mine.slots.iter().enumerate() {
            if !self.used[mine] {
                let Some(now) = put(set, &self.theirs.rest, Position::Slot(mine), wrong) else { return false };
                wrong = now;
            }
        }
        match self.count.minus(self.mine.slots.len() + self.anonymous) {
            None => return false,
            Some(Count::Exactly(0)) => {}
            Some(Count::Exactly(1)) => {
                let Some(now) = put(&self.mine.rest, &self.theirs.rest, Position::Rest, wrong) else { return false };
                wrong = now;
            }
            Some(_) if self.mine.rest.is_subset(&self.theirs.rest) => {}
            Some(_) => return false,
        }
        match wrong {
            None => true,
            Some((position, set)) => {
                let entry = (position, set.clone());
                if !self.found.contains(&entry) {
                    self.found.push(entry);
                }
                false
            }
        }
    }
}

/// The wrong thread after one more has been assigned; `None` if there would be two.
fn put<'a>(mine: &BitSet, theirs: &'a BitSet, position: Position, wrong: Wrong<'a>) -> Option<Wrong<'a>> {
    if mine.is_subset(theirs) {
        Some(wrong)
    } else if wrong.is_none() {
        Some(Some((position, theirs)))
    } else {
        None
    }
}

/// Puts a product into its normal form; `false` if it is empty.
pub fn normalise(product: &mut Product, shape: &[Count]) -> bool {
    product.iter_mut().zip(shape).all(|(group, count)| group.normalise(*count))
}

/// Inclusion of one product in another (Lemma 5), both in normal form and not empty.
pub fn included(product: &Product, other: &Product, shape: &[Count]) -> bool {
    let groups = product.iter().zip(other).zip(shape);
    groups.into_iter().all(|((group, other), count)| group.fit(other, *count) == Fit::Within)
}
