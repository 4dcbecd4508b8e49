//! Cells: what an access reads or writes as a whole.

use std::collections::BTreeMap;
use std::ops::RangeBounds;

use selvedge_program::GhostField;

use crate::word::Tag;

/// Ghost fields are kept in this width, whatever the width they are read in.
pub const GHOST_WIDTH: u32 = 64;

/// What proofs keep of the one allocation of a site that stands for all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Note {
    /// Whether it has been made: a bit.
    Born,
    /// Whether its address was ever where other threads than its maker may find it: a bit.
    Escaped,
    /// The thread that made it.
    Maker,
    /// The thread that last wrote something else to a shared cell that held its address: who took it out there. Nobody,
    /// until somebody does.
    Taker,
}

/// What proofs keep of a counter: how much threads have added to it and not taken away again, and how much they have
/// taken from it and not given back. See [`crate::tally`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tally {
    /// By the thread itself.
    Added,
    /// By the thread itself.
    Taken,
    /// By all threads.
    AllAdded,
    /// By all threads.
    AllTaken,
}

impl Tally {
    /// All of them.
    pub const ALL: [Tally; 4] = [Tally::Added, Tally::Taken, Tally::AllAdded, Tally::AllTaken];

    /// Whether every thread has one of its own.
    pub fn is_own(self) -> bool {
        matches!(self, Tally::Added | Tally::Taken)
    }

    /// The tally of all threads to which one belongs.
    #[must_use]
    pub fn of_all(self) -> Tally {
        match self {
            Tally::Added | Tally::AllAdded => Tally::AllAdded,
            Tally::Taken | Tally::AllTaken => Tally::AllTaken,
        }
    }
}

/// A cell by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CellKey {
    /// Bytes of an object.
    Bytes { object: Tag, start: u64, size: u32 },
    /// A ghost field; [`Tag::NUMBER`] stands for the program as a whole.
    Ghost { object: Tag, offset: u64, field: GhostField },
    /// Whether an object is alive.
    Alive(Tag),
    /// The size of an object, if that is not a constant.
    Size(Tag),
    /// All bytes of an object that is treated as an array.
    Array(Tag),
    /// The thread that last changed the bytes that begin here.
    Changer { object: Tag, start: u64 },
    /// What proofs keep of the counter that begins here: bytes, or a ghost field.
    Tally { object: Tag, start: u64, field: Option<GhostField>, tally: Tally },
    /// What proofs keep of an object.
    Note(Note, Tag),
    /// How many threads have been started, the first one included, and not been joined; stays the largest number once
    /// it is that.
    Unjoined,
}

impl CellKey {
    /// The object that the cell belongs to.
    pub fn object(self) -> Tag {
        match self {
            CellKey::Bytes { object, .. }
            | CellKey::Ghost { object, .. }
            | CellKey::Changer { object, .. }
            | CellKey::Tally { object, .. } => object,
            CellKey::Alive(object) | CellKey::Size(object) | CellKey::Array(object) | CellKey::Note(_, object) => {
                object
            }
            CellKey::Unjoined => Tag::NUMBER,
        }
    }

    /// What proofs keep of the cell if it is a counter.
    pub fn tally(self, tally: Tally) -> Option<CellKey> {
        match self {
            CellKey::Bytes { object, start, .. } => Some(CellKey::Tally { object, start, field: None, tally }),
            CellKey::Ghost { object, offset, field } => {
                Some(CellKey::Tally { object, start: offset, field: Some(field), tally })
            }
            CellKey::Alive(_)
            | CellKey::Size(_)
            | CellKey::Array(_)
            | CellKey::Changer { .. }
            | CellKey::Tally { .. }
            | CellKey::Note(..)
            | CellKey::Unjoined => None,
        }
    }

    /// Whether two cells of objects that are split the same way have something in common.
    pub fn overlaps(self, other: CellKey) -> bool {
        match (self, other) {
            (CellKey::Array(array), CellKey::Bytes { object, .. })
            | (CellKey::Bytes { object, .. }, CellKey::Array(array)) => array == object,
            _ => self == other,
        }
    }
}

/// Where an object's bytes are split, and for each stretch from there to the next place whether an access covers it.
/// What lies between accesses is no cell: nobody ever looks at it, and it can have any length.
#[derive(Clone, Debug, Default)]
pub struct Stretches(BTreeMap<u64, bool>);

impl Stretches {
    /// Splits at both ends of an access, and notes that it covers what is between. Whether that is new.
    pub fn access(&mut self, start: u64, end: u64) -> bool {
        let mut is_new = false;
        for at in [start, end] {
            let covered = self.0.range(..at).next_back().is_some_and(|(_, covered)| *covered);
            is_new |= !self.0.contains_key(&at);
            self.0.entry(at).or_insert(covered);
        }
        for (_, covered) in self.0.range_mut(start..end) {
            is_new |= !std::mem::replace(covered, true);
        }
        is_new
    }

    /// The cells between places where the object is split.
    pub fn cells(&self, object: Tag, within: impl RangeBounds<u64>) -> Vec<CellKey> {
        let starts = self.0.range(within);
        let pairs = starts.clone().zip(starts.skip(1)).filter(|((_, covered), _)| **covered);
        pairs
            .map(|((start, _), (end, _))| CellKey::Bytes { object, start: *start, size: (end - start) as u32 })
            .collect()
    }
}
