//! Which writes a read could read from: the link sets Wc of the paper, pruned (section 6, S1 and S3a).
//!
//! - A write that the read must precede is none.
//! - A write that must precede the read is none when another write to the cell must come between them and happens whenever both do.
//! - A read that would keep its thread from going on if it saw a constant does not read a write of that constant, as long as its thread
//!   does go on: an acquire never reads from another acquire. (So it is for joins and semaphores.) A pending read may.

use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_logic::{Op, Substitution, Term, Terms};

use crate::error::Result;
use crate::layout::Layout;
use crate::skeleton::{ReadId, Skeleton, Word, WriteId};

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
    /// With this value the read's thread can go past its stop.
    pub passes: bool,
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
    pub fn new(skeleton: &mut Skeleton, layout: &Layout) -> Result<Self> {
        let mut conditions = Conditions::default();
        let mut candidates = Vec::with_capacity(skeleton.reads.len());
        for number in 0..skeleton.reads.len() {
            let read = ReadId::new(number);
            let mut found = Vec::new();
            serial_candidates(skeleton, layout, &mut conditions, read, &mut found);
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
        self.of(read).iter().copied().filter(move |candidate| candidate.passes || manner == Manner::Pending)
    }

    /// The writes that can come between the read and a source of it.
    pub fn interferers(&self, read: ReadId) -> impl Iterator<Item = WriteId> + '_ {
        self.of(read).iter().filter_map(|candidate| match candidate.source {
            Source::Write(write) => Some(write),
            Source::Initial => None,
        })
    }
}

/// When one condition follows from others: every conjunct of it is a conjunct of one of them.
#[derive(Debug, Default)]
struct Conditions {
    conjuncts: FxHashMap<Term, Vec<Term>>,
}

impl Conditions {
    fn conjuncts(&mut self, terms: &Terms, condition: Term) -> &[Term] {
        self.conjuncts.entry(condition).or_insert_with(|| {
            let (mut found, mut seen, mut rest) = (Vec::new(), FxHashSet::default(), vec![condition]);
            while let Some(term) = rest.pop() {
                if !seen.insert(term) {
                    continue;
                }
                match terms.op(term) {
                    Op::And => rest.extend(terms.operands(term)),
                    _ if terms.constant_value(term).is_some_and(|value| value.is_true()) => {}
                    _ => found.push(term),
                }
            }
            found
        })
    }

    fn given(&mut self, terms: &Terms, condition: Term) -> FxHashSet<Term> {
        self.conjuncts(terms, condition).iter().copied().collect()
    }

    fn follows(&mut self, terms: &Terms, condition: Term, given: &FxHashSet<Term>, other: Term) -> bool {
        if condition == other || given.contains(&condition) {
            return true;
        }
        let missing: Vec<Term> =
            self.conjuncts(terms, condition).iter().copied().filter(|term| !given.contains(term)).collect();
        missing.is_empty() || {
            let others = self.conjuncts(terms, other);
            missing.len() <= others.len() && missing.iter().all(|term| others.contains(term))
        }
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
    found: &mut Vec<Candidate>,
) {
    let enabled = skeleton.read(read).enabled;
    let given = conditions.given(&skeleton.terms, enabled);
    let mut later: Vec<WriteId> = Vec::new();
    for write in earlier_writes(skeleton, layout, read) {
        let condition = skeleton.write(write).enabled;
        let overwritten = later
            .iter()
            .rev()
            .take(OVERWRITERS)
            .any(|&other| conditions.follows(&skeleton.terms, skeleton.write(other).enabled, &given, condition));
        if !overwritten {
            found.push(Candidate { source: Source::Write(write), serial: true, passes: true });
        }
        if conditions.follows(&skeleton.terms, condition, &given, enabled) {
            return;
        }
        later.push(write);
    }
    found.push(Candidate { source: Source::Initial, serial: true, passes: true });
}

/// The writes to the read's cell that must precede it, the last one first.
fn earlier_writes(skeleton: &Skeleton, layout: &Layout, read: ReadId) -> Vec<WriteId> {
    let cell = skeleton.read(read).cell;
    let mut line = skeleton.stop(skeleton.read(read).stop).line;
    let mut bound = layout.place_of_read(skeleton, read);
    let mut found = Vec::new();
    for _ in 0..skeleton.lines.len() {
        if let Some(own) = layout.writes_to(cell).iter().find(|writes| writes.line == line) {
            let count = own.writes.partition_point(|&write| layout.place_of_write(skeleton, write) < bound);
            found.extend(own.writes[..count].iter().rev());
        }
        let Some(parent) = skeleton.line(line).parent else { break };
        let event = skeleton.stop(parent.spawn).event;
        line = layout.line_of(event);
        bound = (layout.number(event) + 1, 0);
    }
    found
}

/// The writes of other threads that can happen on either side of the read.
fn concurrent_candidates(skeleton: &Skeleton, layout: &Layout, read: ReadId, found: &mut Vec<Candidate>) {
    let event = skeleton.stop(skeleton.read(read).stop).event;
    let line = layout.line_of(event);
    for other in layout.writes_to(skeleton.read(read).cell) {
        // What the read's thread does up to here precedes all of a thread that is started later.
        if other.line == line || layout.number(event) < layout.preceding(line, other.line) {
            continue;
        }
        let before = layout.preceding(other.line, line);
        let skip = other.writes.partition_point(|&write| layout.place_of_write(skeleton, write) < (before, 0));
        found.extend(other.writes[skip..].iter().map(|&write| Candidate {
            source: Source::Write(write),
            serial: false,
            passes: true,
        }));
    }
}

/// Finds the candidates whose constant value keeps the read's thread from going on.
fn mark_passing(skeleton: &mut Skeleton, read: ReadId, candidates: &mut [Candidate]) -> Result<()> {
    let Word { tag, bits } = skeleton.read(read).value;
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
        let constant = [value.tag, value.bits].into_iter().all(|term| skeleton.terms.constant_value(term).is_some());
        if !constant {
            continue;
        }
        candidate.passes = match known.get(&value) {
            Some(&passes) => passes,
            None => {
                let mut substitution = Substitution::new();
                for (symbol, constant) in [(tag, value.tag), (bits, value.bits)] {
                    // A read whose tag is fixed has a constant there.
                    if skeleton.terms.constant_value(symbol).is_none() {
                        substitution.put(&skeleton.terms, symbol, constant)?;
                    }
                }
                let with_value = skeleton.terms.substitute(proceeds, &mut substitution)?;
                let passes = skeleton.terms.constant_value(with_value).is_none_or(|value| value.is_true());
                known.insert(value, passes);
                passes
            }
        };
    }
    Ok(())
}
