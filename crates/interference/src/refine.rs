//! Procedure REF (paper, section 5.3): from a skeleton to executions or refutations, with as few instances of the axioms as will do.
//!
//! ```text
//! let mut refiner = Refiner::new(&mut skeleton, RefineOptions::default())?;
//! loop {
//!     match refiner.ask(&goals, &budget, &mut progress)? {
//!         Outcome::Execution(found) => take found.goals out of goals, and go on,
//!         Outcome::Refuted(core) => none of goals can hold; refiner.certificate(&goals, &budget)? proves it,
//!         Outcome::Stopped(limit) => nothing is known about goals; it can be asked again,
//!     }
//! }
//! ```
//!
//! A refiner lives on between questions: one solver, one abstraction that only grows. [`Mode`] says where it starts and what it lets
//! out; all modes give the same answers. Every execution is run step by step before it is returned, whatever the mode.
//!
//! Beyond the paper: a model whose reads disagree with the memory is first run with the values that they really see; often the threads
//! take the same way to the same goal, and the wrong values did not matter. If not, only those disagreements are looked at that made a
//! difference to the way.

use std::rc::Rc;

use rustc_hash::FxHashSet;
use selvedge_logic::{Answer, Cancellation, Limits, Lit, Solver, Term, Unknown};
use selvedge_program::{Budget, Exhausted, Progress, Quiet, Report};

use crate::abstraction::{Abstraction, Reading, Size, Width};
use crate::conditions::Conditions;
use crate::consistency::{Comparison, Disagreement, compare};
use crate::encode::Encoding;
use crate::error::{Error, Result};
use crate::execution::{Course, Execution, Ran, run};
use crate::goals::GoalId;
use crate::layout::Layout;
use crate::links::{LinkSets, Manner, Source};
use crate::locks::Locks;
use crate::schedule::calmer;
use crate::skeleton::{ReadId, Skeleton, StopId, WriteId};
use crate::statistics::Statistics;

/// Which abstractions are used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mode {
    /// Everything is instantiated at once.
    Full,
    /// Full link sets; reads, pairs and triples are added as models need them.
    Over,
    /// All reads, pairs and triples; link sets are widened as cores need it.
    Under,
    /// Both.
    #[default]
    Mixed,
}

impl Mode {
    pub const ALL: [Mode; 4] = [Mode::Full, Mode::Over, Mode::Under, Mode::Mixed];

    /// Link sets start small.
    fn narrows(self) -> bool {
        matches!(self, Mode::Under | Mode::Mixed)
    }

    /// Instances wait for a model that needs them.
    fn waits(self) -> bool {
        matches!(self, Mode::Over | Mode::Mixed)
    }
}

impl std::fmt::Display for Mode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Mode::Full => "full",
            Mode::Over => "over",
            Mode::Under => "under",
            Mode::Mixed => "mixed",
        })
    }
}

/// How many conflicts each attempt to leave out an assumption may take.
const MINIMISING: u32 = 200;

/// How to refine.
#[derive(Clone, Copy, Debug, Default)]
pub struct RefineOptions {
    pub mode: Mode,
}

/// The answer to a question.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// Some of the goals hold at the end of an execution.
    Execution(Box<Execution>),
    /// None of the goals can hold.
    Refuted(Refutation),
    /// A limit was reached first.
    Stopped(Exhausted),
}

/// What a refutation rests on.
#[derive(Clone, Debug)]
pub struct Refutation {
    /// The goals that cannot hold.
    pub goals: Vec<GoalId>,
    /// The assumptions that are needed for that, in the order in which they were made.
    pub blamed: Vec<Term>,
    /// The instances that it may have used: reads with full link sets, and the pairs and triples so far.
    pub instances: Size,
}

/// So many wrong models are answered with as few triples as will do.
const SMALL_STEPS: u64 = 50;
/// And so many with all triples of one link.
const MIDDLE_STEPS: u64 = 100;

/// Something to instantiate, in pieces that do not take long.
#[derive(Clone, Debug)]
enum Task {
    /// Take a read into R.
    Admit(Reading),
    /// What comes with new links of a read.
    Links(ReadId, Vec<Source>),
    /// No two threads hold a lock.
    Lock(usize),
    /// A pending read of a lock sees who holds it.
    Held(usize, ReadId),
}

/// A skeleton with its solver and its abstraction.
#[derive(Debug)]
pub struct Refiner<'a> {
    pub(crate) skeleton: &'a mut Skeleton,
    mode: Mode,
    pub(crate) layout: Rc<Layout>,
    pub(crate) links: LinkSets,
    encoding: Encoding,
    pub(crate) abstraction: Abstraction,
    pub(crate) locks: Locks,
    /// What has still to be instantiated, the last first.
    tasks: Vec<Task>,
    selectors: Vec<Option<Lit>>,
    /// How many models of the present question were no executions.
    wrong: u64,
    statistics: Statistics,
}

impl<'a> Refiner<'a> {
    pub fn new(skeleton: &'a mut Skeleton, options: RefineOptions) -> Result<Self> {
        Self::within(skeleton, options, &Budget::unlimited())
    }

    /// The same; [`Error::Exhausted`] if a limit is reached while link sets are computed.
    pub fn within(skeleton: &'a mut Skeleton, options: RefineOptions, budget: &Budget) -> Result<Self> {
        let layout = Rc::new(Layout::new(skeleton));
        let mut conditions = Conditions::default();
        let links = LinkSets::new(skeleton, &layout, &mut conditions, budget)?;
        let locks = match options.mode {
            Mode::Full => Locks::default(),
            _ => Locks::new(skeleton, &layout, &mut conditions)?,
        };
        let encoding = Encoding::new(skeleton, Rc::clone(&layout), Solver::new().without_memory())?;
        let waits = options.mode.waits();
        let mut tasks = Vec::new();
        for (number, read) in skeleton.reads.iter().enumerate().rev() {
            let id = ReadId::new(number);
            // The lemmas make the reads of locks see what they should; those that break the rules will be found by a model.
            if !waits || (skeleton.cell(read.cell).synchronisation && !locks.reads.contains(&id)) {
                tasks.push(Task::Admit((id, Manner::Passing)));
            }
        }
        tasks.extend((0..locks.locks.len()).map(Task::Lock));
        let selectors = vec![None; skeleton.goals.len()];
        let statistics = Statistics {
            threads: skeleton.lines.len() as u64,
            reads: skeleton.reads.len() as u64,
            writes: skeleton.writes.len() as u64,
            ..Statistics::default()
        };
        let abstraction = Abstraction::default();
        let mode = options.mode;
        Ok(Refiner {
            skeleton,
            mode,
            layout,
            links,
            encoding,
            abstraction,
            locks,
            tasks,
            selectors,
            wrong: 0,
            statistics,
        })
    }

    pub fn skeleton(&self) -> &Skeleton {
        self.skeleton
    }

    /// Looks for an execution at whose end one of the goals holds.
    pub fn ask(&mut self, goals: &[GoalId], budget: &Budget, progress: &mut dyn Progress) -> Result<Outcome> {
        let wanted = self.any_of(goals)?;
        let outcome = self.search(goals, &[wanted], budget, progress)?;
        if let Outcome::Refuted(_) = outcome {
            goals.iter().for_each(|&goal| self.refuted(goal));
        }
        Ok(outcome)
    }

    /// The same for one goal in an execution of which the assumptions hold, this time only.
    pub fn ask_assuming(&mut self, goal: GoalId, assumptions: &[Term], budget: &Budget) -> Result<Outcome> {
        let mut wanted = vec![self.any_of(&[goal])?];
        for &assumption in assumptions {
            wanted.push(self.encoding.solver.literal(&self.skeleton.terms, assumption)?);
        }
        let mut outcome = self.search(&[goal], &wanted, budget, &mut Quiet)?;
        if let Outcome::Refuted(refutation) = &mut outcome {
            let limits = Limits { conflicts: Some(MINIMISING), ..self.limits(budget) };
            self.encoding.solver.set_limits(limits);
            self.encoding.solver.minimise_core()?;
            let core: FxHashSet<Lit> = self.encoding.solver.core_literals()?.iter().copied().collect();
            let named = assumptions.iter().zip(&wanted[1..]);
            refutation.blamed = named.filter(|(_, literal)| core.contains(literal)).map(|(&term, _)| term).collect();
        }
        Ok(outcome)
    }

    fn limits(&self, budget: &Budget) -> Limits {
        Limits {
            deadline: budget.deadline,
            cancellation: Some(Cancellation::from_flag(budget.cancel.clone())),
            conflicts: None,
        }
    }

    /// Looks for an execution at whose end one of the goals holds, under assumptions that make it so.
    fn search(
        &mut self,
        goals: &[GoalId],
        wanted: &[Lit],
        budget: &Budget,
        progress: &mut dyn Progress,
    ) -> Result<Outcome> {
        let limits = self.limits(budget);
        self.encoding.solver.set_limits(limits);
        self.wrong = 0;
        loop {
            if let Some(limit) = self.work(budget)? {
                return Ok(Outcome::Stopped(limit));
            }
            if let Some(limit) = self.exhausted(budget) {
                return Ok(Outcome::Stopped(limit));
            }
            self.statistics.iterations += 1;
            progress.report(&self.report());
            let mut assumptions = wanted.to_vec();
            assumptions.extend(self.abstraction.partial().map(|(_, extension)| !extension));
            match self.encoding.solver.check_literals(&assumptions)? {
                Answer::Satisfiable => {
                    if let Some(execution) = self.look_at_model(goals)? {
                        return Ok(Outcome::Execution(Box::new(execution)));
                    }
                }
                Answer::Unsatisfiable => {
                    if !self.look_at_core()? {
                        let instances = self.abstraction.size();
                        return Ok(Outcome::Refuted(Refutation {
                            goals: goals.to_vec(),
                            blamed: Vec::new(),
                            instances,
                        }));
                    }
                }
                Answer::Unknown(Unknown::Deadline) => return Ok(Outcome::Stopped(Exhausted::Time)),
                Answer::Unknown(Unknown::Cancelled) => return Ok(Outcome::Stopped(Exhausted::Cancelled)),
                Answer::Unknown(reason) => {
                    return Err(Error::Internal(format!("the solver gave up without a limit: {reason:?}")));
                }
            }
        }
    }

    /// The numbers so far.
    pub fn statistics(&self) -> Statistics {
        let solver = self.encoding.solver.statistics();
        let order = self.encoding.solver.order_statistics();
        let full = self.full_size();
        Statistics {
            mean_links: if full.reads == 0 { 0.0 } else { full.links as f64 / full.reads as f64 },
            size: self.abstraction.size(),
            full,
            solver: solver.time,
            conflicts: solver.conflicts,
            events: order.events,
            edges: order.edges,
            ..self.statistics
        }
    }

    /// The size of the full instantiation, for reads of threads that go on.
    fn full_size(&self) -> Size {
        let mut size = Size { reads: self.skeleton.reads.len() as u64, ..Size::default() };
        for number in 0..self.skeleton.reads.len() {
            let read = ReadId::new(number);
            let others = self.links.interferers(read).count() as u64;
            for candidate in self.links.sources(read, Manner::Passing) {
                size.links += 1;
                size.triples += others - u64::from(candidate.source != Source::Initial);
            }
        }
        size.pairs = size.links;
        size
    }

    fn report(&self) -> Report {
        Report {
            engine: "interference",
            states: self.abstraction.size().total(),
            waiting: 0,
            depth: self.statistics.iterations,
            memory: self.encoding.memory(self.skeleton),
        }
    }

    fn exhausted(&self, budget: &Budget) -> Option<Exhausted> {
        budget.exhausted_with(self.encoding.memory(self.skeleton))
    }

    /// A literal that makes one of the goals hold.
    fn any_of(&mut self, goals: &[GoalId]) -> Result<Lit> {
        let mut selectors = Vec::with_capacity(goals.len());
        for &goal in goals {
            selectors.push(self.selector(goal)?);
        }
        if let [only] = selectors[..] {
            return Ok(only);
        }
        let any = self.encoding.solver.new_literal();
        selectors.push(!any);
        self.encoding.solver.add_clause(&selectors);
        Ok(any)
    }

    fn selector(&mut self, goal: GoalId) -> Result<Lit> {
        let unknown = || Error::Internal(format!("there is no goal {}", goal.0));
        if let Some(known) = *self.selectors.get(goal.index()).ok_or_else(unknown)? {
            return Ok(known);
        }
        let described = self.skeleton.goals.get(goal.index()).ok_or_else(unknown)?.clone();
        let selector = self.encoding.goal(self.skeleton, &described)?;
        self.selectors[goal.index()] = Some(selector);
        self.take_pending();
        Ok(selector)
    }

    /// Reads that have become pending are new to the abstraction.
    fn take_pending(&mut self) {
        let stops: Vec<StopId> = std::mem::take(&mut self.encoding.new_pending);
        let layout = Rc::clone(&self.layout);
        for stop in stops {
            for read in layout.reads_of(stop) {
                let cell = self.skeleton.read(read).cell;
                let lock = self.locks.locks.iter().position(|lock| lock.cell == cell);
                if let Some(lock) = lock.filter(|_| self.mode.waits()) {
                    self.tasks.push(Task::Held(lock, read));
                } else if !self.mode.waits() || self.skeleton.cell(cell).synchronisation {
                    self.tasks.push(Task::Admit((read, Manner::Pending)));
                }
            }
        }
    }

    fn refuted(&mut self, goal: GoalId) {
        if let Some(Some(selector)) = self.selectors.get(goal.index()) {
            self.encoding.solver.add_clause(&[!*selector]);
        }
    }

    /// Does what has still to be instantiated, until a limit is reached.
    fn work(&mut self, budget: &Budget) -> Result<Option<Exhausted>> {
        while let Some(task) = self.tasks.pop() {
            let limit = self.exhausted(budget);
            if limit.is_some() {
                self.tasks.push(task);
                return Ok(limit);
            }
            match task {
                Task::Admit(reading) => self.admit(reading)?,
                Task::Links(read, mut sources) => {
                    if let Some(source) = sources.pop() {
                        self.tasks.push(Task::Links(read, sources));
                        self.instantiate_link(read, source)?;
                    }
                }
                Task::Lock(lock) => {
                    self.encoding.holders(self.skeleton, &self.locks.locks[lock])?;
                }
                Task::Held(lock, read) => {
                    if self.encoding.sees_holder(self.skeleton, &self.locks.locks[lock], read)? {
                        self.abstraction.held.insert((lock, read));
                    } else {
                        self.tasks.push(Task::Admit((read, Manner::Pending)));
                    }
                }
            }
        }
        Ok(None)
    }

    /// Orders the blocks of locks that overlap in the model. Whether there were any.
    fn refine_blocks(&mut self, comparison: &Comparison) -> Result<bool> {
        let mut changed = false;
        for (number, lock) in self.locks.locks.iter().enumerate() {
            for (a, b) in lock.overlaps(comparison.writes_to(lock.cell)) {
                if self.abstraction.blocks.insert((number, a, b)) {
                    self.encoding.order_blocks(self.skeleton, &lock.blocks[a], &lock.blocks[b])?;
                    changed = true;
                }
            }
        }
        Ok(changed)
    }

    /// Takes a read into R, with the link set that the mode starts from.
    fn admit(&mut self, reading: Reading) -> Result<()> {
        let all: Vec<_> = self.links.sources(reading.0, reading.1).collect();
        let narrow: Vec<Source> = all
            .iter()
            .filter(|candidate| !self.mode.narrows() || candidate.serial)
            .map(|candidate| candidate.source)
            .collect();
        let extension = (narrow.len() < all.len()).then(|| self.encoding.solver.new_literal());
        self.encoding.must_link(self.skeleton, reading, &narrow, extension)?;
        self.abstraction.admit(reading, extension.map_or(Width::Full, Width::Part), narrow.len());
        self.tasks.push(Task::Links(reading.0, narrow));
        Ok(())
    }

    /// Gives a read its full link set.
    fn widen(&mut self, reading: Reading, extension: Lit) -> Result<()> {
        let all: Vec<_> = self.links.sources(reading.0, reading.1).collect();
        let rest: Vec<Source> =
            all.iter().filter(|candidate| !candidate.serial).map(|candidate| candidate.source).collect();
        self.encoding.extend_links(reading.0, extension, &rest);
        self.abstraction.admit(reading, Width::Full, all.len());
        self.statistics.widened += 1;
        self.tasks.push(Task::Links(reading.0, rest));
        Ok(())
    }

    /// What comes with a new link.
    fn instantiate_link(&mut self, read: ReadId, source: Source) -> Result<()> {
        // Waiting with order or values until a model needs them was measured: many more iterations, and little is left out in the end.
        self.add_order(read, source)?;
        self.add_values(read, source)?;
        if !self.mode.waits() {
            let others: Vec<WriteId> = self.links.interferers(read).collect();
            for other in others {
                self.add_triple(read, source, other)?;
            }
        }
        Ok(())
    }

    fn add_order(&mut self, read: ReadId, source: Source) -> Result<bool> {
        let new = self.abstraction.ordered.insert((read, source));
        if new {
            self.encoding.link_orders(self.skeleton, read, source)?;
        }
        Ok(new)
    }

    fn add_values(&mut self, read: ReadId, source: Source) -> Result<bool> {
        let new = self.abstraction.carried.insert((read, source));
        if new {
            self.encoding.link_carries(self.skeleton, read, source)?;
        }
        Ok(new)
    }

    fn add_triple(&mut self, read: ReadId, source: Source, other: WriteId) -> Result<bool> {
        let new = source != Source::Write(other) && self.abstraction.triples.insert((read, source, other));
        if new {
            self.encoding.not_between(self.skeleton, read, source, other)?;
        }
        Ok(new)
    }

    /// An execution, if the model is one; otherwise the abstraction is refined.
    fn look_at_model(&mut self, goals: &[GoalId]) -> Result<Option<Execution>> {
        let course = Course {
            order: self.encoding.linearisation()?,
            frontiers: self.encoding.frontiers(self.skeleton)?,
            pending: self.encoding.pending_stops()?,
            values: self.encoding.model(self.skeleton)?.assignment().clone(),
        };
        let relevant = match run(self.skeleton, &self.layout, &course, goals)? {
            Ran::Execution(execution) => return self.calm(&course, *execution).map(Some),
            Ran::Differently(relevant) => relevant,
        };
        self.statistics.spurious += 1;
        self.wrong += 1;
        let mut comparison = compare(self.skeleton, &self.layout, &course)?;
        comparison.keep_relevant(&relevant);
        if comparison.disagreements.is_empty() {
            return Err(Error::Internal("a consistent model is not an execution".to_string()));
        }
        // The model is looked at before clauses are added.
        let links = self.links_of(&comparison)?;
        if self.refine_blocks(&comparison)?
            || self.refine_links(&comparison, links)?
            || self.refine_reads(&comparison)?
        {
            Ok(None)
        } else {
            Err(Error::Internal("a model contradicts the axioms that were instantiated".to_string()))
        }
    }

    /// The same execution with fewer switches between threads, if all its goals hold there too.
    fn calm(&self, course: &Course, execution: Execution) -> Result<Execution> {
        let course = calmer(self.skeleton, &self.layout, course, &execution);
        match run(self.skeleton, &self.layout, &course, &execution.goals)? {
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

    /// Adds Π3 for a read that links to a source that is not the last write before it. At first only for that last write; when models
    /// keep being wrong, for all that can come between, and then for all links of the read: larger steps give larger abstractions and
    /// fewer iterations.
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
    fn look_at_core(&mut self) -> Result<bool> {
        let core: FxHashSet<Lit> = self.encoding.solver.core_literals()?.iter().copied().collect();
        let blamed: Vec<(Reading, Lit)> =
            self.abstraction.partial().filter(|&(_, extension)| core.contains(&!extension)).collect();
        for &(reading, extension) in &blamed {
            self.widen(reading, extension)?;
        }
        Ok(!blamed.is_empty())
    }
}
