//! Which writes a read could read from: the link sets Wc of the paper, pruned (section 6, S1 and S3a).
//!
//! - A write that the read must precede is none.
//! - A write that must precede the read is none when another write to the cell must come between them and happens
//!   whenever both do.
//! - A read that would keep its thread from going on if it saw a constant does not read a write of that constant, as
//!   long as its thread does go on: an acquire never reads from another acquire. (So it is for joins and semaphores.) A
//!   pending read may.

use rustc_hash::FxHashMap;
use selvedge_logic::{Op, Substitution, Term};
use selvedge_program::Budget;

use selvedge_symbolic::Word;

use crate::conditions::Conditions;
use crate::error::Result;
use crate::layout::Layout;
use crate::skeleton::{ReadId, Skeleton, WriteId, choices_for};

/// Where a read's value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    /// What the cell holds before everything else.
    Initial,
    Write(WriteId),
}

/// A source that a read may have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    pub source: Source,
    /// Of the read's own thread, of one that led to its start (before it did), or initial.
    pub serial: bool,
    /// It can be the source when the read's thread goes past the stop: it has a value with which it does.
    pub passes: bool,
    /// It can be the source when the thread stands there: it is not of the same stop, none of whose writes has
    /// happened.
    pub pends: bool,
}

/// How a read is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Manner {
    /// By a thread that goes on.
    Passing,
    /// In the final memory, by a thread that stands there.
    Pending,
}

/// The candidates of every read.
#[derive(Debug)]
pub(crate) struct LinkSets {
    candidates: Vec<Vec<Candidate>>,
}

impl LinkSets {
    /// Finds them, unless a limit is reached first.
    pub fn new(skeleton: &mut Skeleton, layout: &Layout, conditions: &mut Conditions, budget: &Budget) -> Result<Self> {
        let mut candidates = Vec::with_capacity(skeleton.reads.len());
        for number in 0..skeleton.reads.len() {
            budget.check()?;
            let read = ReadId::new(number);
            let mut found = serial_candidates(skeleton, layout, conditions, read, Manner::Passing);
            if layout.writes_before(skeleton, read) {
                found.iter_mut().for_each(|candidate| candidate.pends = false);
                for pending in serial_candidates(skeleton, layout, conditions, read, Manner::Pending) {
                    match found.iter_mut().find(|candidate| candidate.source == pending.source) {
                        Some(candidate) => candidate.pends = true,
                        None => found.push(Candidate { passes: false, ..pending }),
                    }
                }
            }
            concurrent_candidates(skeleton, layout, read, &mut found);
            mark_passing(skeleton, read, &mut found)?;
            candidates.push(found);
        }
        Ok(LinkSets { candidates })
    }

    /// All candidates of a read; its writes are also all that can come between it and its source.
    pub fn of(&self, read: ReadId) -> &[Candidate] {
        &self.candidates[read.index()]
    }

    /// The full link set of a read made in this manner.
    pub fn sources(&self, read: ReadId, manner: Manner) -> impl Iterator<Item = Candidate> + '_ {
        self.of(read).iter().copied().filter(move |candidate| match manner {
            Manner::Passing => candidate.passes,
            Manner::Pending => candidate.pends,
        })
    }

    /// The writes that can come between the read and a source of it.
    pub fn interferers(&self, read: ReadId) -> impl Iterator<Item = WriteId> + '_ {
        self.of(read).iter().filter_map(|candidate| match candidate.source {
            Source::Write(write) => Some(write),
            Source::Initial => None,
        })
    }
}

/// How many later writes are looked at to see whether an earlier one is always overwritten.
const OVERWRITERS: usize = 16;

/// Walks back from the read through its thread and those that led to its start, up to a write that always happens.
fn serial_candidates(
    skeleton: &Skeleton,
    layout: &Layout,
    conditions: &mut Conditions,
    read: ReadId,
    manner: Manner,
) -> Vec<Candidate> {
    let mut found = Vec::new();
    let stop = skeleton.read(read).stop;
    let enabled = skeleton.read(read).enabled;
    let given = conditions.given(&skeleton.terms, enabled);
    let mut later: Vec<WriteId> = Vec::new();
    for Earlier { write, passed } in earlier_writes(skeleton, layout, read) {
        if manner == Manner::Pending && skeleton.write(write).stop == stop {
            continue;
        }
        let condition = skeleton.write(write).enabled;
        let overwritten = later
            .iter()
            .rev()
            .take(OVERWRITERS)
            .any(|&other| conditions.follows(&skeleton.terms, skeleton.write(other).enabled, &given, condition));
        if !overwritten {
            found.push(Candidate { source: Source::Write(write), serial: true, passes: true, pends: true });
        }
        if !passed {
            continue;
        }
        if conditions.follows(&skeleton.terms, condition, &given, enabled) {
            return found;
        }
        later.push(write);
    }
    found.push(Candidate { source: Source::Initial, serial: true, passes: true, pends: true });
    found
}

/// A write that comes before a read if both happen.
struct Earlier {
    write: WriteId,
    /// Its stop is passed whenever the read is made. Not so for the rest of a section in which the read's thread was
    /// started: it can stand there while the section is under way.
    passed: bool,
}

/// The writes to the read's cell that must precede it, the last one first.
fn earlier_writes(skeleton: &Skeleton, layout: &Layout, read: ReadId) -> Vec<Earlier> {
    let cell = skeleton.read(read).cell;
    let mut thread = skeleton.stop(skeleton.read(read).stop).thread;
    let mut bound = layout.place_of_read(skeleton, read);
    let mut last = skeleton.read(read).stop;
    let mut found = Vec::new();
    for _ in 0..skeleton.threads.len() {
        if let Some(own) = layout.writes_to(cell).iter().find(|writes| writes.thread == thread) {
            let count = own.writes.partition_point(|&write| layout.place_of_write(skeleton, write) < bound);
            found.extend(own.writes[..count].iter().rev().map(|&write| {
                let passed = skeleton.stop(skeleton.write(write).stop).position <= skeleton.stop(last).position;
                Earlier { write, passed }
            }));
        }
        let Some(parent) = skeleton.thread(thread).parent else { break };
        last = parent.spawn;
        let event = skeleton.stop(parent.spawn).event;
        thread = layout.thread_of(event);
        bound = (layout.number(event) + 1, 0);
    }
    found
}

/// The writes of other threads that can happen on either side of the read.
fn concurrent_candidates(skeleton: &Skeleton, layout: &Layout, read: ReadId, found: &mut Vec<Candidate>) {
    let event = skeleton.stop(skeleton.read(read).stop).event;
    let thread = layout.thread_of(event);
    for other in layout.writes_to(skeleton.read(read).cell) {
        // What the read's thread does up to here precedes all of a thread that is started later.
        if other.thread == thread || layout.number(event) < layout.preceding(thread, other.thread) {
            continue;
        }
        let before = layout.preceding(other.thread, thread);
        let skip = other.writes.partition_point(|&write| layout.place_of_write(skeleton, write) < (before, 0));
        found.extend(other.writes[skip..].iter().map(|&write| Candidate {
            source: Source::Write(write),
            serial: false,
            passes: true,
            pends: true,
        }));
    }
}

/// Finds the candidates whose constant value keeps the read's thread from going on.
fn mark_passing(skeleton: &mut Skeleton, read: ReadId, candidates: &mut [Candidate]) -> Result<()> {
    let proceeds = skeleton.stop(skeleton.read(read).stop).proceeds;
    if skeleton.terms.constant_value(proceeds).is_some() {
        return Ok(());
    }
    let mut known: FxHashMap<Word, bool> = FxHashMap::default();
    for candidate in candidates {
        let value = match candidate.source {
            Source::Initial => skeleton.cell(skeleton.read(read).cell).initial,
            Source::Write(write) => skeleton.write(write).value,
        };
        if !is_constant(skeleton, value) {
            continue;
        }
        candidate.passes &= match known.get(&value) {
            Some(&passes) => passes,
            None => {
                let passes = possible_with(skeleton, proceeds, skeleton.read(read).value, value)?;
                known.insert(value, passes);
                passes
            }
        };
    }
    Ok(())
}

/// Whether a condition can hold when a read sees a constant.
pub(crate) fn possible_with(skeleton: &mut Skeleton, condition: Term, read: Word, constant: Word) -> Result<bool> {
    let mut substitution = Substitution::new();
    for (part, constant) in [(read.tag, constant.tag), (read.bits, constant.bits)] {
        let Some(value) = skeleton.terms.constant_value(constant).map(|value| value.unsigned()) else { continue };
        match skeleton.terms.op(part) {
            Op::Symbol(_) => substitution.put(&skeleton.terms, part, constant)?,
            _ => {
                for (choice, taken) in choices_for(&skeleton.terms, part, value).unwrap_or_default() {
                    let taken = skeleton.terms.bool(taken);
                    substitution.put(&skeleton.terms, choice, taken)?;
                }
            }
        }
    }
    let with_value = skeleton.terms.substitute(condition, &mut substitution)?;
    Ok(skeleton.terms.constant_value(with_value).is_none_or(|value| value.is_true()))
}

/// Whether both parts of a value are constants.
pub(crate) fn is_constant(skeleton: &Skeleton, value: Word) -> bool {
    [value.tag, value.bits].into_iter().all(|term| skeleton.terms.constant_value(term).is_some())
}
