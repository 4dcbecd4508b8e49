//! Is what a model says an execution, and if not, why (paper, section 5.2)? The events are taken in an order that
//! agrees with the model; each read that happens is compared with the last write to its cell before it. Where they
//! disagree, an instance of an axiom is missing, and which one follows from the read's link.

use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_logic::Evaluation;

use selvedge_symbolic::Word;

use crate::abstraction::Reading;
use crate::error::Result;
use crate::execution::Course;
use crate::layout::{Access, Layout};
use crate::links::{Manner, Source};
use crate::skeleton::{CellId, ReadId, Skeleton, StopId, WriteId};

/// A read that does not see what the last write before it wrote.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Disagreement {
    pub reading: Reading,
    /// How many writes to the cell have happened before it.
    seen: usize,
}

/// The writes of a model in the order in which they happen, and the reads that disagree with them.
#[derive(Debug, Default)]
pub(crate) struct Comparison {
    pub disagreements: Vec<Disagreement>,
    writes: FxHashMap<CellId, Vec<WriteId>>,
    /// For each write that has happened, its place among those to its cell.
    places: FxHashMap<WriteId, usize>,
}

impl Comparison {
    /// Forgets the disagreements of other reads, if there are any of these.
    pub fn keep_relevant(&mut self, relevant: &FxHashSet<ReadId>) {
        if self.disagreements.iter().any(|disagreement| relevant.contains(&disagreement.reading.0)) {
            self.disagreements.retain(|disagreement| relevant.contains(&disagreement.reading.0));
        }
    }

    /// The writes to a cell that have happened, in order.
    pub fn writes_to(&self, cell: CellId) -> &[WriteId] {
        self.writes.get(&cell).map_or(&[], |writes| writes)
    }

    /// What stands between a read and a source: `None` if the source has not happened before the read; otherwise the
    /// writes between.
    pub fn between(&self, skeleton: &Skeleton, disagreement: &Disagreement, source: Source) -> Option<&[WriteId]> {
        let cell = skeleton.read(disagreement.reading.0).cell;
        let start = match source {
            Source::Initial => 0,
            Source::Write(write) => self.places.get(&write)? + 1,
        };
        self.writes_to(cell).get(start..disagreement.seen)
    }
}

/// Compares every read that happens in the course with the last write before it.
pub(crate) fn compare(skeleton: &Skeleton, layout: &Layout, course: &Course) -> Result<Comparison> {
    let mut check = Check { skeleton, layout, course, evaluation: Evaluation::new(), memory: Vec::new() };
    for cell in &skeleton.cells {
        let initial = check.word(cell.initial)?;
        check.memory.push(initial);
    }
    let mut comparison = Comparison::default();
    for &event in &course.order {
        for &id in &layout.stops_of_event[event.index()] {
            let stop = skeleton.stop(id);
            if (stop.position as usize) < course.frontiers[stop.thread.index()] && check.is_true(stop.reach)? {
                check.accesses(id, Manner::Passing, &mut comparison)?;
            }
        }
    }
    for &stop in &course.pending {
        check.accesses(stop, Manner::Pending, &mut comparison)?;
    }
    Ok(comparison)
}

struct Check<'a> {
    skeleton: &'a Skeleton,
    layout: &'a Layout,
    course: &'a Course,
    evaluation: Evaluation,
    memory: Vec<(u128, u128)>,
}

impl Check<'_> {
    fn is_true(&mut self, term: selvedge_logic::Term) -> Result<bool> {
        Ok(self.evaluation.value(&self.skeleton.terms, term, &self.course.values)?.is_true())
    }

    fn word(&mut self, word: Word) -> Result<(u128, u128)> {
        let mut bits =
            |term| self.evaluation.value(&self.skeleton.terms, term, &self.course.values).map(|value| value.unsigned());
        Ok((bits(word.tag)?, bits(word.bits)?))
    }

    fn accesses(&mut self, stop: StopId, manner: Manner, comparison: &mut Comparison) -> Result<()> {
        for &access in &self.layout.accesses[stop.index()] {
            match access {
                Access::Read(id) => {
                    let read = self.skeleton.read(id);
                    if self.is_true(read.enabled)? && self.word(read.value)? != self.memory[read.cell.index()] {
                        let seen = comparison.writes.get(&read.cell).map_or(0, Vec::len);
                        comparison.disagreements.push(Disagreement { reading: (id, manner), seen });
                    }
                }
                Access::Write(id) if manner == Manner::Passing => {
                    let write = self.skeleton.write(id);
                    if self.is_true(write.enabled)? {
                        self.memory[write.cell.index()] = self.word(write.value)?;
                        let writes = comparison.writes.entry(write.cell).or_default();
                        comparison.places.insert(id, writes.len());
                        writes.push(id);
                    }
                }
                Access::Write(_) => {}
            }
        }
        Ok(())
    }
}
