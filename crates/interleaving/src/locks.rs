//! Lock lemmas (paper, section 6, S3b): two blocks of one lock are ordered one way or the other.
//!
//! A cell is a lock when all that is ever written to it are constants, and every write to it is one of these:
//! - a *take*: happens only if the cell holds *free*, and writes something that only takes of the same thread write;
//! - a *give*: happens only if the cell holds what takes of its own thread write, and writes *free*;
//! - a *preparation*: precedes all of these, and writes nothing that takes write (as does the initial value).
//!
//! Then after a take of one thread the next write to the cell is by that thread, for takes of others find it not free,
//! and gives of others find it not theirs. So of two takes of different threads that happen, one comes before the other
//! with a give of its own thread between. The gives to look at are those after the take in its thread, up to the first
//! that happens whenever the take has and its stop is passed. With these clauses the order alone makes every take find
//! the lock free. They are quadratic in the takes, and are instantiated as models need them.
//!
//! An event that comes after a take, before all gives that may end its block, and only if the take happens, lies
//! *inside* the block. Two events inside blocks of one lock are ordered as the blocks are, so all such pairs share one
//! literal: what happens under locks is searched block by block, not access by access.
//!
//! What all of them say about the end is much shorter: no two threads hold the lock. That is given at once; and a
//! pending read of the lock sees who holds it.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_logic::Lit;
use selvedge_program::Budget;

use selvedge_symbolic::Word;

use crate::conditions::Conditions;
use crate::encode::Encoding;
use crate::error::Result;
use crate::layout::{Access, Layout};
use crate::links::{is_constant, possible_with};
use crate::skeleton::{CellId, EventId, ReadId, Skeleton, ThreadId, WriteId};
use crate::truth::Truth;

/// A take and the gives that may end its block.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    pub take: WriteId,
    pub thread: ThreadId,
    pub gives: Vec<WriteId>,
}

/// A lock.
#[derive(Debug)]
pub(crate) struct Lock {
    pub cell: CellId,
    /// In the order of threads, and then of each thread.
    pub blocks: Vec<Block>,
    /// What the cell holds while nobody holds the lock, if that is always the same.
    idle: Option<Idle>,
}

/// What a cell holds while nobody holds the lock, and since when: from the start, or once this event has happened, as
/// it always has before anything that it precedes.
#[derive(Clone, Copy, Debug)]
struct Idle {
    free: Word,
    since: Option<EventId>,
}

/// The locks of a skeleton.
#[derive(Debug, Default)]
pub(crate) struct Locks {
    pub locks: Vec<Lock>,
    /// The reads of takes and gives.
    pub reads: FxHashSet<ReadId>,
    /// For each event, the blocks that it lies inside.
    inside: Vec<Vec<BlockId>>,
}

/// A block: the number of its lock, and its number there.
pub(crate) type BlockId = (usize, usize);

/// A write to a cell that may be a lock, with the read that decides whether it happens.
struct Guarded {
    write: WriteId,
    thread: ThreadId,
    value: Word,
    guard: Option<ReadId>,
    /// The values with which it can happen.
    allowed: Vec<Word>,
}

impl Locks {
    /// Finds them, unless a limit is reached first.
    pub fn new(skeleton: &mut Skeleton, layout: &Layout, conditions: &mut Conditions, budget: &Budget) -> Result<Self> {
        let mut locks = Locks { inside: vec![Vec::new(); skeleton.events as usize], ..Locks::default() };
        for number in 0..skeleton.cells.len() {
            let cell = CellId::new(number);
            let Some(writes) = guarded_writes(skeleton, layout, conditions, cell, budget)? else { continue };
            let Some((free, takes, gives)) = classify(skeleton, layout, cell, &writes) else { continue };
            let guards = writes.iter().filter(|write| takes.contains(&write.write) || gives.contains(&write.write));
            locks.reads.extend(guards.filter_map(|write| write.guard));
            let blocks = blocks(skeleton, layout, conditions, &writes, &takes, &gives);
            let prepared = writes.iter().filter(|write| !takes.contains(&write.write) && !gives.contains(&write.write));
            let idle = idle(skeleton, layout, cell, free, &prepared.collect::<Vec<_>>());
            for (number, block) in blocks.iter().enumerate() {
                budget.check()?;
                for event in events_inside(skeleton, layout, conditions, block) {
                    locks.inside[event.index()].push((locks.locks.len(), number));
                }
            }
            locks.locks.push(Lock { cell, blocks, idle });
        }
        Ok(locks)
    }

    /// Blocks of one lock, inside which the events lie.
    pub fn around(&self, a: EventId, b: EventId) -> Option<(BlockId, BlockId)> {
        let (first, second) = (self.inside.get(a.index())?, self.inside.get(b.index())?);
        first.iter().find_map(|&a| second.iter().find(|b| b.0 == a.0).map(|&b| (a, b)))
    }

    pub fn block(&self, (lock, block): BlockId) -> &Block {
        &self.locks[lock].blocks[block]
    }
}

/// Whether a cell is written constants only; then all writes to it.
fn guarded_writes(
    skeleton: &mut Skeleton,
    layout: &Layout,
    conditions: &mut Conditions,
    cell: CellId,
    budget: &Budget,
) -> Result<Option<Vec<Guarded>>> {
    let ids: Vec<(ThreadId, WriteId)> =
        layout.writes_to(cell).iter().flat_map(|own| own.writes.iter().map(|&write| (own.thread, write))).collect();
    let initial = skeleton.cell(cell).initial;
    if ids.is_empty()
        || !is_constant(skeleton, initial)
        || ids.iter().any(|&(_, id)| !is_constant(skeleton, skeleton.write(id).value))
    {
        return Ok(None);
    }
    let mut values = vec![initial];
    for &(_, id) in &ids {
        let value = skeleton.write(id).value;
        if !values.contains(&value) {
            values.push(value);
        }
    }
    let mut writes = Vec::with_capacity(ids.len());
    for (thread, id) in ids {
        let write = *skeleton.write(id);
        let guard = guard_of(skeleton, layout, conditions, id);
        let mut allowed = values.clone();
        if let Some(read) = guard {
            let proceeds = skeleton.stop(write.stop).proceeds;
            let condition = skeleton.terms.and(proceeds, write.enabled);
            let value = skeleton.read(read).value;
            allowed.clear();
            for &constant in &values {
                budget.check()?;
                if possible_with(skeleton, condition, value, constant)? {
                    allowed.push(constant);
                }
            }
        }
        writes.push(Guarded { write: id, thread, value: write.value, guard, allowed });
    }
    Ok(Some(writes))
}

/// The read of the same cell at the same stop that happens just before the write whenever the write does.
fn guard_of(skeleton: &Skeleton, layout: &Layout, conditions: &mut Conditions, id: WriteId) -> Option<ReadId> {
    let write = skeleton.write(id);
    let mut guard = None;
    for &access in &layout.accesses[write.stop.index()] {
        match access {
            Access::Read(read) if skeleton.read(read).cell == write.cell => guard = Some(read),
            Access::Write(other) if other == id => break,
            Access::Write(other) if skeleton.write(other).cell == write.cell => guard = None,
            _ => {}
        }
    }
    let read = guard?;
    let given = conditions.given(&skeleton.terms, write.enabled);
    conditions.follows(&skeleton.terms, skeleton.read(read).enabled, &given, write.enabled).then_some(read)
}

type Writes = FxHashSet<WriteId>;

/// What a free lock holds, the takes, the gives.
type Rules = (Word, Writes, Writes);

/// The takes and the gives, if the cell is a lock: with its initial value for free, or with another.
fn classify(skeleton: &Skeleton, layout: &Layout, cell: CellId, writes: &[Guarded]) -> Option<Rules> {
    let initial = skeleton.cell(cell).initial;
    let mut tried = vec![initial];
    tried.extend(writes.iter().filter_map(|write| match write.allowed[..] {
        [only] if only != initial => Some(only),
        _ => None,
    }));
    tried.dedup();
    tried.truncate(8);
    tried.into_iter().find_map(|free| classify_with(skeleton, layout, cell, writes, free))
}

fn classify_with(skeleton: &Skeleton, layout: &Layout, cell: CellId, writes: &[Guarded], free: Word) -> Option<Rules> {
    let is_take = |write: &Guarded| write.value != free && write.allowed.iter().all(|&value| value == free);
    let mut owners: FxHashMap<Word, ThreadId> = FxHashMap::default();
    for write in writes.iter().filter(|write| is_take(write)) {
        if *owners.entry(write.value).or_insert(write.thread) != write.thread {
            return None;
        }
    }
    let is_give = |write: &Guarded| {
        write.value == free && write.allowed.iter().all(|value| owners.get(value) == Some(&write.thread))
    };
    let takes: Writes = writes.iter().filter(|write| is_take(write)).map(|write| write.write).collect();
    let gives: Writes = writes.iter().filter(|write| is_give(write)).map(|write| write.write).collect();
    let event = |write: &Guarded| skeleton.stop(skeleton.write(write.write).stop).event;
    let in_use = |write: &Guarded| takes.contains(&write.write) || gives.contains(&write.write);
    let prepares = |write: &Guarded| {
        !owners.contains_key(&write.value)
            && writes.iter().filter(|other| in_use(other)).all(|other| layout.precedes(event(write), event(other)))
    };
    let is_lock = !takes.is_empty()
        && !owners.contains_key(&skeleton.cell(cell).initial)
        && writes.iter().all(|write| in_use(write) || prepares(write));
    is_lock.then_some((free, takes, gives))
}

/// What the cell holds before the first take: the last preparation must be certain, and follow all others.
fn idle(skeleton: &Skeleton, layout: &Layout, cell: CellId, free: Word, preparations: &[&Guarded]) -> Option<Idle> {
    let event = |write: &Guarded| skeleton.stop(skeleton.write(write.write).stop).event;
    let last = preparations.iter().find(|last| {
        let before = |other: &&Guarded| layout.precedes(event(other), event(last));
        preparations.iter().all(|other| other.write == last.write || before(other))
    });
    match last {
        Some(last) => {
            let certain =
                skeleton.terms.constant_value(skeleton.write(last.write).enabled).is_some_and(|value| value.is_true());
            // In a section, a thread may have been started before it.
            let alone = layout.stops_of_event[event(last).index()].len() == 1;
            (certain && alone && last.value == free).then(|| Idle { free, since: Some(event(last)) })
        }
        None => {
            let holds = preparations.is_empty() && skeleton.cell(cell).initial == free;
            holds.then_some(Idle { free, since: None })
        }
    }
}

fn blocks(
    skeleton: &Skeleton,
    layout: &Layout,
    conditions: &mut Conditions,
    writes: &[Guarded],
    takes: &Writes,
    gives: &Writes,
) -> Vec<Block> {
    let mut by_thread: FxHashMap<ThreadId, Vec<WriteId>> = FxHashMap::default();
    for write in writes.iter().filter(|write| gives.contains(&write.write)) {
        by_thread.entry(write.thread).or_default().push(write.write);
    }
    let mut blocks = Vec::new();
    for write in writes.iter().filter(|write| takes.contains(&write.write)) {
        let own = by_thread.get(&write.thread).map_or(&[][..], |gives| gives);
        let place = layout.place_of_write(skeleton, write.write);
        let later = own.partition_point(|&give| layout.place_of_write(skeleton, give) < place);
        let enabled = skeleton.write(write.write).enabled;
        let given = conditions.given(&skeleton.terms, enabled);
        let mut candidates = Vec::new();
        for &give in &own[later..] {
            candidates.push(give);
            if conditions.follows(&skeleton.terms, skeleton.write(give).enabled, &given, enabled) {
                break;
            }
        }
        blocks.push(Block { take: write.write, thread: write.thread, gives: candidates });
    }
    blocks
}

/// The events after the take's and up to the first give's, none of whose stops is reached unless the take happens. (A
/// thread may stand at the take, so what is read there may be read before the block begins.)
fn events_inside(skeleton: &Skeleton, layout: &Layout, conditions: &mut Conditions, block: &Block) -> Vec<EventId> {
    let number = |write| layout.number(skeleton.stop(skeleton.write(write).stop).event) as usize;
    let events = &layout.events_of_thread[block.thread.index()];
    let end = block.gives.first().map_or(events.len(), |&give| number(give) + 1);
    let enabled = skeleton.write(block.take).enabled;
    let mut only_then = |event: &EventId| {
        layout.stops_of_event[event.index()].iter().all(|&stop| {
            let reach = skeleton.stop(stop).reach;
            let given = conditions.given(&skeleton.terms, reach);
            conditions.follows(&skeleton.terms, enabled, &given, reach)
        })
    };
    events[(number(block.take) + 1).min(end)..end].iter().copied().filter(|event| only_then(event)).collect()
}

impl Lock {
    /// The pairs of blocks that overlap, if these are the writes to its cell in the order in which they happen: the
    /// first of each pair had not ended when the second, of another thread, began.
    pub fn overlaps(&self, writes: &[WriteId]) -> Vec<(usize, usize)> {
        let takes: FxHashMap<WriteId, usize> =
            self.blocks.iter().enumerate().map(|(number, block)| (block.take, number)).collect();
        let mut holder: Option<usize> = None;
        let mut found = Vec::new();
        for write in writes {
            match (takes.get(write), holder) {
                (Some(&next), current) => {
                    let other = current.filter(|&current| self.blocks[current].thread != self.blocks[next].thread);
                    found.extend(other.map(|current| (current, next)));
                    holder = Some(next);
                }
                (None, Some(current)) if self.blocks[current].gives.contains(write) => holder = None,
                (None, _) => {}
            }
        }
        found
    }
}

impl Encoding {
    /// For each thread that can hold the lock, whether it does in the end. No two do.
    pub fn holders(&mut self, skeleton: &Skeleton, lock: &Lock) -> Result<Vec<Truth>> {
        if let Some(known) = self.holders.get(&lock.cell) {
            return Ok(known.clone());
        }
        let mut holders: Vec<Truth> = Vec::new();
        for blocks in lock.blocks.chunk_by(|a, b| a.thread == b.thread) {
            let mut open = Vec::with_capacity(blocks.len());
            for block in blocks {
                let mut conditions = vec![self.done(skeleton, block.take)?];
                for &give in &block.gives {
                    conditions.push(!self.done(skeleton, give)?);
                }
                open.push(self.all(&conditions));
            }
            let holds = self.any(&open);
            for &other in &holders {
                self.clause(&[!holds, !other]);
            }
            holders.push(holds);
        }
        self.holders.insert(lock.cell, holders.clone());
        Ok(holders)
    }

    /// A pending read of the lock sees who holds it. False if that cannot be said.
    pub fn sees_holder(&mut self, skeleton: &mut Skeleton, lock: &Lock, read: ReadId) -> Result<bool> {
        let Some(Idle { free, since }) = lock.idle else { return Ok(false) };
        let described = *skeleton.read(read);
        let event = skeleton.stop(described.stop).event;
        if since.is_some_and(|since| !self.layout.precedes(since, event)) {
            return Ok(false);
        }
        let holders = self.holders(skeleton, lock)?;
        let pending = self.pending(skeleton, described.stop)?;
        let enabled = self.term(skeleton, described.enabled)?;
        let mut sees = vec![!pending, !enabled, self.equals(skeleton, described.value, free)?];
        for (blocks, holds) in lock.blocks.chunk_by(|a, b| a.thread == b.thread).zip(holders) {
            let mut values: Vec<Word> = blocks.iter().map(|block| skeleton.write(block.take).value).collect();
            values.dedup();
            let [own] = values[..] else { return Ok(false) };
            let equal = self.equals(skeleton, described.value, own)?;
            self.implies(&[pending, enabled, holds], equal);
            self.implies(&[pending, enabled, equal], holds);
            sees.push(equal);
        }
        self.clause(&sees);
        Ok(true)
    }

    fn equals(&mut self, skeleton: &mut Skeleton, a: Word, b: Word) -> Result<Truth> {
        let (tags, bits) = (skeleton.terms.equal(a.tag, b.tag), skeleton.terms.equal(a.bits, b.bits));
        let equal = skeleton.terms.and(tags, bits);
        self.term(skeleton, equal)
    }

    /// Of two blocks of one lock, of different threads, the first ends before the second begins; or the other way
    /// round, if the literal is false. It says nothing unless both have begun.
    pub fn block_before(&mut self, skeleton: &Skeleton, a: BlockId, b: BlockId) -> Result<Truth> {
        let (low, high) = if a < b { (a, b) } else { (b, a) };
        let literal = match self.blocks.get(&(low, high)) {
            Some(&known) => known,
            None => {
                let literal = self.solver.new_literal();
                self.blocks.insert((low, high), literal);
                self.ends_before(skeleton, literal, low, high)?;
                self.ends_before(skeleton, !literal, high, low)?;
                literal
            }
        };
        Ok(Truth::When(if a < b { literal } else { !literal }))
    }

    /// If both blocks have begun and the literal is true, a give ends the first before the second begins.
    fn ends_before(&mut self, skeleton: &Skeleton, literal: Lit, first: BlockId, second: BlockId) -> Result<()> {
        let locks = Rc::clone(&self.locks);
        let (first, second) = (locks.block(first), locks.block(second));
        let begun = [self.done(skeleton, first.take)?, self.done(skeleton, second.take)?];
        let mut clause = vec![!Truth::When(literal), !begun[0], !begun[1]];
        let event = |write| skeleton.stop(skeleton.write(write).stop).event;
        for &give in &first.gives {
            let (done, before) = (self.done(skeleton, give)?, self.edge(event(give), event(second.take))?);
            clause.push(self.all(&[done, before]));
        }
        self.clause(&clause);
        Ok(())
    }
}
