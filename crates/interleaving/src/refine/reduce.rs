//! The two sides of the refinement (paper, section 5.3): a model that is no execution shows what the abstraction lets
//! in and should not, a core that blames small link sets shows what it leaves out.

use rustc_hash::FxHashSet;
use selvedge_logic::{Evaluation, Lit};

use super::Refiner;
use crate::abstraction::Reading;
use crate::consistency::{Comparison, Disagreement, compare};
use crate::error::{Error, Result};
use crate::execution::{Course, Execution, Ran, run};
use crate::links::Source;
use crate::schedule::calmer;
use crate::skeleton::GoalId;
use crate::skeleton::WriteId;

/// So many wrong models are answered with as few triples as will do.
const SMALL_STEPS: u64 = 50;
/// And so many with all triples of one link.
const MIDDLE_STEPS: u64 = 100;

impl Refiner<'_> {
    /// An execution, if the model is one; otherwise the abstraction is refined.
    pub(super) fn look_at_model(&mut self, goals: &[GoalId]) -> Result<Option<Execution>> {
        let course = Course {
            order: self.encoding.linearisation()?,
            frontiers: self.encoding.frontiers(self.skeleton)?,
            pending: self.encoding.pending_stops()?,
            values: self.encoding.model(self.skeleton)?.assignment().clone(),
        };
        let relevant = match run(self.skeleton, &self.layout, &course, goals, &self.assumed)? {
            Ran::Execution(execution) => return self.calm(&course, *execution).map(Some),
            Ran::Differently(relevant) => relevant,
        };
        self.statistics.spurious += 1;
        self.wrong += 1;
        let mut comparison = compare(self.skeleton, &self.layout, &course)?;
        comparison.keep_relevant(&relevant);
        // The model is looked at before clauses are added.
        let links = self.links_of(&comparison)?;
        let learnt = self.learn(&course)?;
        if comparison.disagreements.is_empty() && !learnt {
            return Err(Error::Internal("a consistent model is not an execution".to_string()));
        }
        if self.refine_blocks(&comparison)?
            || self.refine_links(&comparison, links)?
            || self.refine_reads(&comparison)?
            || learnt
        {
            Ok(None)
        } else {
            Err(Error::Internal("a model contradicts the axioms that were instantiated".to_string()))
        }
    }

    /// Tells the solver the results of operations that the model has wrong. Whether there were any.
    fn learn(&mut self, course: &Course) -> Result<bool> {
        let mut evaluation = Evaluation::new();
        let mut learnt = false;
        for opaque in self.skeleton.opaque.clone() {
            let Some(lesson) = opaque.lesson(&mut self.skeleton.terms, &mut evaluation, &course.values)? else {
                continue;
            };
            self.encoding.solver.add(&self.skeleton.terms, lesson)?;
            self.skeleton.facts.push(lesson);
            self.lessons.get_or_insert((opaque.span, 0));
            learnt = true;
        }
        if let Some((_, count)) = self.lessons.as_mut().filter(|_| learnt) {
            *count += 1;
        }
        Ok(learnt)
    }

    /// The same execution with fewer switches between threads, if all its goals hold there too.
    fn calm(&self, course: &Course, execution: Execution) -> Result<Execution> {
        let course = calmer(self.skeleton, &self.layout, course, &execution);
        match run(self.skeleton, &self.layout, &course, &execution.goals, &self.assumed)? {
            Ran::Execution(calm) if calm.goals == execution.goals => Ok(*calm),
            _ => Ok(execution),
        }
    }

    /// The reads of R that disagree, each with the source it links to.
    fn links_of(&mut self, comparison: &Comparison) -> Result<Vec<(Disagreement, Source)>> {
        let mut linked = Vec::new();
        for disagreement in &comparison.disagreements {
            if self.abstraction.width(disagreement.reading).is_some() {
                let source = self.linked(disagreement.reading)?;
                linked.extend(source.map(|source| (*disagreement, source)));
            }
        }
        Ok(linked)
    }

    /// Adds what is missing for the links of the reads that disagree. Whether anything was.
    fn refine_links(&mut self, comparison: &Comparison, linked: Vec<(Disagreement, Source)>) -> Result<bool> {
        let mut changed = false;
        for &(disagreement, source) in &linked {
            if comparison.between(self.skeleton, &disagreement, source).is_none() {
                changed |= self.add_order(disagreement.reading.0, source)?;
            }
        }
        if changed {
            return Ok(true);
        }
        for &(disagreement, source) in &linked {
            changed |= self.add_values(disagreement.reading.0, source)?;
        }
        if changed {
            return Ok(true);
        }
        for (disagreement, source) in linked {
            changed |= self.refine_triples(comparison, &disagreement, source)?;
        }
        Ok(changed)
    }

    /// Adds Π3 for a read that links to a source that is not the last write before it. At first only for that last
    /// write; when models keep being wrong, for all that can come between, and then for all links of the read: larger
    /// steps give larger abstractions and fewer iterations.
    fn refine_triples(&mut self, comparison: &Comparison, disagreement: &Disagreement, source: Source) -> Result<bool> {
        let (read, manner) = disagreement.reading;
        let last = comparison.between(self.skeleton, disagreement, source).and_then(|between| between.last());
        let (sources, others): (Vec<Source>, Vec<WriteId>) = match self.wrong {
            0..SMALL_STEPS => (vec![source], last.copied().into_iter().collect()),
            SMALL_STEPS..MIDDLE_STEPS => (vec![source], self.links.interferers(read).collect()),
            _ => {
                let all = self.links.sources(read, manner).map(|candidate| candidate.source);
                let linked = all.filter(|&source| self.abstraction.carried.contains(&(read, source)));
                (linked.collect(), self.links.interferers(read).collect())
            }
        };
        let mut changed = false;
        for source in sources {
            for &other in &others {
                changed |= self.add_triple(read, source, other)?;
            }
        }
        Ok(changed)
    }

    /// The source that a read of R links to in the model.
    fn linked(&mut self, reading: Reading) -> Result<Option<Source>> {
        let candidates: Vec<_> = self.links.sources(reading.0, reading.1).collect();
        for candidate in candidates {
            if let Some(&link) = self.encoding.links.get(&(reading.0, candidate.source))
                && self.encoding.solver.value(link)?
            {
                return Ok(Some(candidate.source));
            }
        }
        Ok(None)
    }

    /// Takes the reads that disagree into R. Whether any was new.
    fn refine_reads(&mut self, comparison: &Comparison) -> Result<bool> {
        let mut changed = false;
        for disagreement in &comparison.disagreements {
            if self.abstraction.width(disagreement.reading).is_none() {
                self.admit(disagreement.reading)?;
                changed = true;
            }
        }
        Ok(changed)
    }

    /// Widens the link sets that the core blames. Whether there were any; if not, the core is a proof.
    pub(super) fn look_at_core(&mut self) -> Result<bool> {
        let core: FxHashSet<Lit> = self.encoding.solver.core_literals()?.iter().copied().collect();
        let blamed: Vec<(Reading, Lit)> =
            self.abstraction.partial().filter(|&(_, extension)| core.contains(&!extension)).collect();
        for &(reading, extension) in &blamed {
            self.widen(reading, extension);
        }
        Ok(!blamed.is_empty())
    }

    /// Gives every read of R its full link set.
    pub(super) fn widen_all(&mut self) {
        let partial: Vec<(Reading, Lit)> = self.abstraction.partial().collect();
        partial.into_iter().for_each(|(reading, extension)| self.widen(reading, extension));
    }

    /// Orders the blocks of locks that overlap in the model. Whether there were any.
    fn refine_blocks(&mut self, comparison: &Comparison) -> Result<bool> {
        let mut changed = false;
        for (number, lock) in self.locks.locks.iter().enumerate() {
            for (a, b) in lock.overlaps(comparison.writes_to(lock.cell)) {
                let (a, b) = ((number, a), (number, b));
                if self.abstraction.blocks.insert((a, b)) {
                    self.encoding.block_before(self.skeleton, a, b)?;
                    changed = true;
                }
            }
        }
        Ok(changed)
    }
}
