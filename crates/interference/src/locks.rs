//! Lock lemmas (paper, section 6, S3b): two blocks of one lock are ordered one way or the other.
//!
//! A cell is a lock when all that is ever written to it are constants, and every write to it is one of these:
//! - a *take*: happens only if the cell holds *free*, and writes something that only takes of the same thread write;
//! - a *give*: happens only if the cell holds what takes of its own thread write, and writes *free*;
//! - a *preparation*: precedes all of these, and writes nothing that takes write (as does the initial value).
//!
//! Then after a take of one thread the next write to the cell is by that thread, for takes of others find it not free, and gives of
//! others find it not theirs. So of two takes of different threads that happen, one comes before the other with a give of its own thread
//! between. The gives to look at are those after the take in its thread, up to the first that happens whenever the take has and its stop
//! is passed. With these clauses the order alone makes every take find the lock free. They are quadratic in the takes, and are
//! instantiated as models need them.
//!
//! What all of them say about the end is much shorter: no two threads hold the lock. That is given at once; and a pending read of the
//! lock sees who holds it.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::conditions::Conditions;
use crate::encode::Encoding;
use crate::error::Result;
use crate::layout::{Access, Layout};
use crate::links::{is_constant, possible_with};
use crate::skeleton::{CellId, LineId, ReadId, Skeleton, Word, WriteId};
use crate::truth::Truth;

/// A take and the gives that may end its block.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    pub take: WriteId,
    pub line: LineId,
    pub gives: Vec<WriteId>,
}

/// A lock.
#[derive(Debug)]
pub(crate) struct Lock {
    pub cell: CellId,
    /// In the order of threads, and then of each thread.
    pub blocks: Vec<Block>,
    /// What the cell holds while nobody holds the lock, if that is always the same.
    free: Option<Word>,
}

/// The locks of a skeleton.
#[derive(Debug, Default)]
pub(crate) struct Locks {
    pub locks: Vec<Lock>,
    /// The reads of takes and gives.
    pub reads: FxHashSet<ReadId>,
}

/// A write to a cell that may be a lock, with the read that decides whether it happens.
struct Guarded {
    write: WriteId,
    line: LineId,
    value: Word,
    guard: Option<ReadId>,
    /// The values with which it can happen.
    allowed: Vec<Word>,
}

impl Locks {
    pub fn new(skeleton: &mut Skeleton, layout: &Layout, conditions: &mut Conditions) -> Result<Self> {
        let mut locks = Locks::default();
        for number in 0..skeleton.cells.len() {
            let cell = CellId::new(number);
            let Some(writes) = guarded_writes(skeleton, layout, conditions, cell)? else { continue };
            let Some((free, takes, gives)) = classify(skeleton, layout, cell, &writes) else { continue };
            let guards = writes.iter().filter(|write| takes.contains(&write.write) || gives.contains(&write.write));
            locks.reads.extend(guards.filter_map(|write| write.guard));
            let blocks = blocks(skeleton, layout, conditions, &writes, &takes, &gives);
            let prepared = writes.len() > takes.len() + gives.len() || skeleton.cell(cell).initial != free;
            locks.locks.push(Lock { cell, blocks, free: (!prepared).then_some(free) });
        }
        Ok(locks)
    }
}

/// Whether a cell is written constants only; then all writes to it.
fn guarded_writes(
    skeleton: &mut Skeleton,
    layout: &Layout,
    conditions: &mut Conditions,
    cell: CellId,
) -> Result<Option<Vec<Guarded>>> {
    let ids: Vec<(LineId, WriteId)> =
        layout.writes_to(cell).iter().flat_map(|own| own.writes.iter().map(|&write| (own.line, write))).collect();
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
    for (line, id) in ids {
        let write = *skeleton.write(id);
        let guard = guard_of(skeleton, layout, conditions, id);
        let mut allowed = values.clone();
        if let Some(read) = guard {
            let proceeds = skeleton.stop(write.stop).proceeds;
            let condition = skeleton.terms.and(proceeds, write.enabled)?;
            let value = skeleton.read(read).value;
            allowed.clear();
            for &constant in &values {
                if possible_with(skeleton, condition, value, constant)? {
                    allowed.push(constant);
                }
            }
        }
        writes.push(Guarded { write: id, line, value: write.value, guard, allowed });
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
    let mut owners: FxHashMap<Word, LineId> = FxHashMap::default();
    for write in writes.iter().filter(|write| is_take(write)) {
        if *owners.entry(write.value).or_insert(write.line) != write.line {
            return None;
        }
    }
    let is_give = |write: &Guarded| {
        write.value == free && write.allowed.iter().all(|value| owners.get(value) == Some(&write.line))
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

fn blocks(
    skeleton: &Skeleton,
    layout: &Layout,
    conditions: &mut Conditions,
    writes: &[Guarded],
    takes: &Writes,
    gives: &Writes,
) -> Vec<Block> {
    let mut by_line: FxHashMap<LineId, Vec<WriteId>> = FxHashMap::default();
    for write in writes.iter().filter(|write| gives.contains(&write.write)) {
        by_line.entry(write.line).or_default().push(write.write);
    }
    let mut blocks = Vec::new();
    for write in writes.iter().filter(|write| takes.contains(&write.write)) {
        let own = by_line.get(&write.line).map_or(&[][..], |gives| gives);
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
        blocks.push(Block { take: write.write, line: write.line, gives: candidates });
    }
    blocks
}

impl Lock {
    /// The pairs of blocks that overlap, if these are the writes to its cell in the order in which they happen: the first of each pair
    /// had not ended when the second, of another thread, began.
    pub fn overlaps(&self, writes: &[WriteId]) -> Vec<(usize, usize)> {
        let takes: FxHashMap<WriteId, usize> =
            self.blocks.iter().enumerate().map(|(number, block)| (block.take, number)).collect();
        let mut holder: Option<usize> = None;
        let mut found = Vec::new();
        for write in writes {
            match (takes.get(write), holder) {
                (Some(&next), current) => {
                    let other = current.filter(|&current| self.blocks[current].line != self.blocks[next].line);
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
        for blocks in lock.blocks.chunk_by(|a, b| a.line == b.line) {
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
        let Some(free) = lock.free else { return Ok(false) };
        let holders = self.holders(skeleton, lock)?;
        let described = *skeleton.read(read);
        let pending = self.pending(skeleton, described.stop)?;
        let enabled = self.term(skeleton, described.enabled)?;
        let mut sees = vec![!pending, !enabled, self.equals(skeleton, described.value, free)?];
        for (blocks, holds) in lock.blocks.chunk_by(|a, b| a.line == b.line).zip(holders) {
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
        let (tags, bits) = (skeleton.terms.equal(a.tag, b.tag)?, skeleton.terms.equal(a.bits, b.bits)?);
        let equal = skeleton.terms.and(tags, bits)?;
        self.term(skeleton, equal)
    }

    /// Of two blocks of different threads, one ends before the other begins.
    pub fn order_blocks(&mut self, skeleton: &Skeleton, a: &Block, b: &Block) -> Result<()> {
        let mut clause = vec![!self.done(skeleton, a.take)?, !self.done(skeleton, b.take)?];
        for (first, second) in [(a, b), (b, a)] {
            for &give in &first.gives {
                clause.push(self.given_before(skeleton, give, second.take)?);
            }
        }
        self.clause(&clause);
        Ok(())
    }

    /// A literal that makes a give happen before a take.
    fn given_before(&mut self, skeleton: &Skeleton, give: WriteId, take: WriteId) -> Result<Truth> {
        let event = |write| skeleton.stop(skeleton.write(write).stop).event;
        let before = self.before(event(give), event(take))?;
        let done = self.done(skeleton, give)?;
        if before == Truth::Never || done == Truth::Never {
            return Ok(Truth::Never);
        }
        let both = Truth::When(self.solver.new_literal());
        self.implies(&[both], before);
        self.implies(&[both], done);
        Ok(both)
    }
}
