//! An interference abstraction as a value (paper, section 5): which reads have to link (R), to what (W), and for which
//! pairs and triples Π2 and Π3 are instantiated (X2, X3). Everything is kept in the order of instantiation, so that the
//! same run gives the same clauses, and the clauses can be given again to another solver.

use std::hash::Hash;

use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_logic::Lit;

use crate::links::{Manner, Source};
use crate::locks::BlockId;
use crate::skeleton::{ReadId, WriteId};

/// A read, made in one manner.
pub type Reading = (ReadId, Manner);

/// A set that remembers the order in which it grew.
#[derive(Clone, Debug)]
pub(crate) struct Grown<T> {
    members: FxHashSet<T>,
    order: Vec<T>,
}

impl<T> Default for Grown<T> {
    fn default() -> Self {
        Grown { members: FxHashSet::default(), order: Vec::new() }
    }
}

impl<T: Copy + Eq + Hash> Grown<T> {
    /// Whether it was not there yet.
    pub fn insert(&mut self, member: T) -> bool {
        let new = self.members.insert(member);
        if new {
            self.order.push(member);
        }
        new
    }

    pub fn contains(&self, member: &T) -> bool {
        self.members.contains(member)
    }

    pub fn len(&self) -> usize {
        self.order.len()
    }

    pub fn iter(&self) -> impl Iterator<Item = T> + '_ {
        self.order.iter().copied()
    }
}

/// How much of its full link set a read has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Width {
    /// Some of it: the literal that stands for the rest is assumed false.
    Part(Lit),
    Full,
}

/// An interference abstraction.
#[derive(Clone, Debug, Default)]
pub(crate) struct Abstraction {
    /// R.
    readings: Grown<Reading>,
    /// How large W is.
    widths: FxHashMap<Reading, (Width, usize)>,
    /// X2, the part that orders and the part that carries values.
    pub ordered: Grown<(ReadId, Source)>,
    pub carried: Grown<(ReadId, Source)>,
    /// X3.
    pub triples: Grown<(ReadId, Source, WriteId)>,
    /// Pairs of blocks that a model showed not to be ordered; others are ordered because events inside them are.
    pub blocks: Grown<(BlockId, BlockId)>,
    /// Pending reads of locks, by lock, that see who holds it.
    pub held: Grown<(usize, ReadId)>,
}

impl Abstraction {
    pub fn admit(&mut self, reading: Reading, width: Width, links: usize) {
        self.readings.insert(reading);
        self.widths.insert(reading, (width, links));
    }

    pub fn width(&self, reading: Reading) -> Option<Width> {
        self.widths.get(&reading).map(|&(width, _)| width)
    }

    pub fn readings(&self) -> impl Iterator<Item = Reading> + '_ {
        self.readings.iter()
    }

    /// The reads whose link sets are not full, each with the literal that stands for the rest.
    pub fn partial(&self) -> impl Iterator<Item = (Reading, Lit)> + '_ {
        self.readings().filter_map(|reading| match self.width(reading) {
            Some(Width::Part(extension)) => Some((reading, extension)),
            _ => None,
        })
    }

    pub fn size(&self) -> Size {
        Size {
            reads: self.readings.len() as u64,
            links: self.widths.values().map(|&(_, links)| links as u64).sum(),
            pairs: self.ordered.iter().filter(|pair| !self.carried.contains(pair)).count() as u64
                + self.carried.len() as u64,
            triples: self.triples.len() as u64,
            blocks: self.blocks.len() as u64,
        }
    }
}

/// The size of an abstraction: `a/b/c` of the paper's table, with the links that `a` stands for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// Reads that have to link.
    pub reads: u64,
    /// The sum of their link sets.
    pub links: u64,
    /// Pairs with Π2, or a part of it.
    pub pairs: u64,
    /// Triples with Π3.
    pub triples: u64,
    /// Pairs of lock blocks that are ordered.
    pub blocks: u64,
}

impl Size {
    pub fn total(self) -> u64 {
        self.links + self.pairs + self.triples + self.blocks
    }
}

impl std::fmt::Display for Size {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}({})/{}/{}", self.reads, self.links, self.pairs, self.triples)?;
        if self.blocks > 0 { write!(f, "+{}", self.blocks) } else { Ok(()) }
    }
}
