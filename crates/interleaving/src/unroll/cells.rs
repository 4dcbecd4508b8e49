//! Cells, and what is known of them from round to round.
//!
//! An object's bytes are split at every place where an access of the bounded program begins or ends, so that every
//! access is to whole cells, and no cell is longer than the longest access. Which accesses there are depends on what
//! reads may give, and that on what is written elsewhere; so threads are executed in rounds, each with what the rounds
//! before have seen, until a round sees nothing new. **What a round relies on is an over-approximation of what the last
//! round sees**: then, by induction over the steps of an execution, every access of every execution within the bounds
//! is one that the last round has seen.
//!
//! A cell is *shared* unless everything that is written to it comes before (in its thread, or before the thread was
//! started) everything that other threads do with it. Cells that are not shared are ordinary variables of the symbolic
//! execution; a new thread inherits their values.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_symbolic::cell::Stretches;
use selvedge_symbolic::{CellKey, Tag};

use crate::skeleton::ThreadId;

/// How a cell is treated in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Class {
    /// No write is known: it holds what it holds initially.
    #[default]
    Constant,
    /// A variable of the symbolic execution.
    Private,
    /// Read and written through the axioms.
    Shared,
}

/// What is known of a cell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Known {
    pub class: Class,
    /// The tags of what is written to it.
    pub tags: BTreeSet<Tag>,
    pub bits: Values,
}

/// The bits of what is written to a cell, as long as they are few constants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Values {
    Few(BTreeSet<u128>),
    Any,
}

impl Default for Values {
    fn default() -> Self {
        Values::Few(BTreeSet::new())
    }
}

impl Values {
    /// How many are few.
    const FEW: usize = 8;

    /// One more value, `None` if it is not known. Whether it is new.
    fn insert(&mut self, value: Option<u128>) -> bool {
        match (&mut *self, value) {
            (Values::Any, _) => false,
            (Values::Few(known), Some(value)) if known.contains(&value) => false,
            (Values::Few(known), Some(value)) if known.len() < Self::FEW => known.insert(value),
            (Values::Few(_), _) => {
                *self = Values::Any;
                true
            }
        }
    }

    fn extend(&mut self, other: Values) -> bool {
        match other {
            Values::Any => self.insert(None),
            Values::Few(values) => {
                let before = self.clone();
                values.into_iter().for_each(|value| {
                    self.insert(Some(value));
                });
                *self != before
            }
        }
    }
}

/// What one thread does with a cell in one round, by rank.
#[derive(Clone, Copy, Debug)]
struct Use {
    thread: ThreadId,
    last_write: Option<u32>,
}

/// What all threads do with a cell in one round.
#[derive(Clone, Debug, Default)]
struct Uses {
    by_thread: Vec<Use>,
    tags: BTreeSet<Tag>,
    bits: Values,
}

/// Where a thread was started: by whom, and at which rank of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Birth {
    pub parent: ThreadId,
    pub rank: u32,
}

/// What rounds have seen.
#[derive(Debug, Default)]
pub struct Knowledge {
    known: FxHashMap<CellKey, Known>,
    stretches: BTreeMap<Tag, Stretches>,
    ghosts: BTreeMap<Tag, BTreeSet<CellKey>>,
    /// The objects that an access may mean very many places of.
    indexed: BTreeSet<Tag>,
    /// The cells that are copied when they may be indeterminate.
    moved: FxHashSet<CellKey>,
    uses: FxHashMap<CellKey, Uses>,
    grown: bool,
}

impl Knowledge {
    /// How the cell is treated in this round.
    pub fn class(&self, key: CellKey) -> Class {
        self.known.get(&key).map_or(Class::Constant, |known| known.class)
    }

    /// The tags that a read of the cell may give, besides those it holds initially.
    pub fn tags(&self, key: CellKey) -> impl Iterator<Item = Tag> + '_ {
        self.known.get(&key).into_iter().flat_map(|known| known.tags.iter().copied())
    }

    /// Whether the object is treated as an array. Not if it is shared: then it has cells.
    pub fn is_array(&self, object: Tag) -> bool {
        self.indexed.contains(&object) && !self.is_shared(object)
    }

    /// Whether an object that was treated as an array turned out to be shared.
    pub fn is_shared(&self, object: Tag) -> bool {
        self.class(CellKey::Array(object)) == Class::Shared
    }

    /// Whether anybody copies the cell when it may be indeterminate.
    pub fn is_moved(&self, key: CellKey) -> bool {
        self.moved.contains(&key)
    }

    /// Somebody copies the cell when it may be indeterminate.
    pub fn moves(&mut self, key: CellKey) {
        self.grown |= self.moved.insert(key);
    }

    /// From the next round on the object is treated as an array.
    pub fn make_array(&mut self, object: Tag) {
        self.grown |= self.indexed.insert(object);
    }

    /// The cells that make up some bytes of an object, in order.
    pub fn split(&mut self, object: Tag, offset: u64, size: u64) -> Vec<CellKey> {
        let stretches = self.stretches.entry(object).or_default();
        self.grown |= stretches.access(offset, offset + size);
        stretches.cells(object, offset..=offset + size)
    }

    /// All cells of an object that have been seen: its bytes, then its ghost fields.
    pub fn cells_of(&self, object: Tag) -> Vec<CellKey> {
        let bytes = self.stretches.get(&object).map(|stretches| stretches.cells(object, ..));
        let ghosts = self.ghosts.get(&object).into_iter().flatten().copied();
        bytes.into_iter().flatten().chain(ghosts).collect()
    }

    /// The constants that the bits of a written value may be, if they are few.
    pub fn bits(&self, key: CellKey) -> Option<&BTreeSet<u128>> {
        match &self.known.get(&key)?.bits {
            Values::Few(values) => Some(values),
            Values::Any => None,
        }
    }

    fn use_by(&mut self, key: CellKey, thread: ThreadId) -> (usize, &mut Uses) {
        if let CellKey::Ghost { object, .. } = key {
            self.grown |= self.ghosts.entry(object).or_default().insert(key);
        }
        let uses = self.uses.entry(key).or_default();
        let place = match uses.by_thread.iter().rposition(|used| used.thread == thread) {
            Some(place) => place,
            None => {
                uses.by_thread.push(Use { thread, last_write: None });
                uses.by_thread.len() - 1
            }
        };
        (place, uses)
    }

    /// A thread reads the cell.
    pub fn reads(&mut self, key: CellKey, thread: ThreadId) {
        self.use_by(key, thread);
    }

    /// A thread writes a value with one of these tags, and these bits if they are a constant, at a rank.
    pub fn writes(&mut self, key: CellKey, thread: ThreadId, rank: u32, tags: &[Tag], bits: Option<u128>) {
        let (place, uses) = self.use_by(key, thread);
        uses.by_thread[place].last_write = Some(rank);
        uses.tags.extend(tags);
        uses.bits.insert(bits);
    }

    /// Ends a round: takes over what it has seen. Whether that was anything new.
    pub fn learn(&mut self, origins: &FxHashMap<ThreadId, Birth>) -> bool {
        let mut grown = std::mem::take(&mut self.grown);
        for (key, Uses { by_thread, tags, bits }) in std::mem::take(&mut self.uses) {
            let known = self.known.entry(key).or_default();
            let class = classify(&by_thread, origins);
            if class > known.class {
                known.class = class;
                grown = true;
            }
            let before = known.tags.len();
            known.tags.extend(tags);
            grown |= known.tags.len() > before;
            grown |= known.bits.extend(bits) && known.class == Class::Shared;
        }
        grown
    }
}

fn classify(uses: &[Use], origins: &FxHashMap<ThreadId, Birth>) -> Class {
    let mut class = Class::Constant;
    for writer in uses {
        let Some(last) = writer.last_write else { continue };
        class = class.max(Class::Private);
        for other in uses.iter().filter(|other| other.thread != writer.thread) {
            if !started_after(other.thread, writer.thread, last, origins) {
                return Class::Shared;
            }
        }
    }
    class
}

/// Whether a thread was started, perhaps by way of others, by an ancestor after a rank of it.
fn started_after(thread: ThreadId, ancestor: ThreadId, rank: u32, origins: &FxHashMap<ThreadId, Birth>) -> bool {
    let mut thread = thread;
    while let Some(origin) = origins.get(&thread) {
        if origin.parent == ancestor {
            return origin.rank > rank;
        }
        thread = origin.parent;
    }
    false
}
