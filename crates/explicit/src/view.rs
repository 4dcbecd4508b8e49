//! A look at a state in parts.

use selvedge_program::ThreadIndex;
use selvedge_program::semantics::memory::Block;
use selvedge_program::semantics::{AtomicSection, Frame, GhostKey, Instance, Value};

use crate::outlook::{Next, Outlook};
use crate::parts::{Local, Own, Parts, local_at, number_at, own_at, owner, shared_at};

/// A row and what its numbers mean.
#[derive(Clone, Copy, Debug)]
pub struct View<'a, 'f, 'p> {
    parts: &'a Parts<'f, 'p>,
    row: &'a [u32],
}

impl<'a, 'f, 'p> View<'a, 'f, 'p> {
    /// A look at a row of these parts.
    pub fn new(parts: &'a Parts<'f, 'p>, row: &'a [u32]) -> Self {
        Self { parts, row }
    }

    /// The parts.
    pub fn parts(self) -> &'a Parts<'f, 'p> {
        self.parts
    }

    /// The row.
    pub fn row(self) -> &'a [u32] {
        self.row
    }

    /// How many threads there are, finished ones included.
    pub fn thread_count(self) -> usize {
        number_at(self.row, 0) as usize
    }

    /// The threads, finished ones included.
    pub fn threads(self) -> impl Iterator<Item = ThreadIndex> {
        (0..self.thread_count()).map(ThreadIndex::new)
    }

    /// The threads that have not finished.
    pub fn live(self) -> impl Iterator<Item = ThreadIndex> {
        self.threads().filter(move |thread| self.outlook(*thread).next != Next::Finished)
    }

    /// Where a thread stands.
    pub fn local(self, thread: ThreadIndex) -> &'a Local {
        self.parts.local(number_at(self.row, local_at(thread)))
    }

    /// What a thread owns.
    pub fn own(self, thread: ThreadIndex) -> &'a Own {
        self.parts.own(number_at(self.row, own_at(thread)))
    }

    /// The number of a shared part.
    pub fn shared(self, position: usize) -> u32 {
        number_at(self.row, shared_at(self.thread_count(), position))
    }

    /// A thread's outlook.
    pub fn outlook(self, thread: ThreadIndex) -> &'a Outlook {
        &self.local(thread).outlook
    }

    /// A thread's activations.
    pub fn frames(self, thread: ThreadIndex) -> &'a [Frame] {
        &self.local(thread).thread.frames
    }

    /// The atomic section under way.
    pub fn atomic_section(self) -> Option<AtomicSection> {
        self.parts.section(self.shared(0))
    }

    /// A live object that a thread owns.
    pub fn block(self, object: Instance) -> Option<&'a Block> {
        let thread = owner(object).filter(|thread| thread.index() < self.thread_count())?;
        self.own(thread).belongings.block(object)
    }

    /// The ghost fields of an object that a thread owns, or of the thread.
    pub fn ghosts_of(self, object: Instance) -> impl Iterator<Item = &'a (GhostKey, Value)> {
        let thread = owner(object).filter(|thread| thread.index() < self.thread_count());
        let ghosts = thread.map_or(&[][..], |thread| &self.own(thread).ghosts);
        ghosts.iter().filter(move |(key, _)| key.object == Some(object))
    }

    /// How many live threads began with the same function as a thread.
    pub fn running_like(self, thread: ThreadIndex) -> usize {
        let entry = |thread| self.frames(thread).first().map(|frame| frame.function);
        self.live().filter(|other| entry(*other) == entry(thread)).count()
    }
}
