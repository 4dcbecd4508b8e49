//! Procedure REF (paper, section 5.3): from a skeleton to executions or refutations, with as few instances of the
//! axioms as will do.
//!
//! ```text
//! let mut refiner = Refiner::new(&mut skeleton, RefineOptions::default())?;
//! loop {
//!     match refiner.ask(&goals, &budget, &mut progress)? {
//!         Outcome::Execution(found) => take found.goals out of goals, and go on,
//!         Outcome::Refuted(core) => none of goals can hold; refiner.certificate(&goals, &budget)? proves it,
//!     }
//! }
//! ```
//!
//! A refiner lives on between questions: one solver, one abstraction that only grows. [`Mode`] says where it starts and
//! what it lets out; all modes give the same answers. Every execution is run step by step before it is returned,
//! whatever the mode.
//!
//! Beyond the paper: a model whose reads disagree with the memory is first run with the values that they really see;
//! often the threads take the same way to the same goal, and the wrong values did not matter. If not, only those
//! disagreements are looked at that made a difference to the way.

mod instantiate;
mod reduce;

use std::rc::Rc;

use rustc_hash::FxHashSet;
use selvedge_logic::{Answer, Cancellation, Limits, Lit, Solver, Term, Unknown};
use selvedge_program::{Budget, Exhausted, Progress, Quiet, Report, Span};

use crate::abstraction::{Abstraction, Reading, Size};
use crate::conditions::Conditions;
use crate::encode::Encoding;
use crate::error::{Error, Result};
use crate::execution::Execution;
use crate::layout::Layout;
use crate::links::{LinkSets, Manner, Source};
use crate::locks::Locks;
use crate::skeleton::GoalId;
use crate::skeleton::{ReadId, Skeleton, StopId};
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

/// How many conflicts a question about small link sets may take. Small link sets are there to find bugs fast; where
/// they make a hard question, the answer would only be that they have to grow.
const PATIENCE: u32 = 1000;

/// How many models of one question may have results of operations wrong that the solver knows nothing about.
const LESSONS: u64 = 50;

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
    /// It depends on operations that are not modelled, such as the one here.
    Unmodelled(Span),
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
    pub(crate) locks: Rc<Locks>,
    /// What has still to be instantiated, the last first.
    tasks: Vec<Task>,
    selectors: Vec<Option<Lit>>,
    /// What must hold in the executions of the present question.
    assumed: Vec<Term>,
    /// How many models of the present question were no executions.
    wrong: u64,
    /// Where the first operation stands that one of these had wrong, and how many had some wrong.
    lessons: Option<(Span, u64)>,
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
            _ => Locks::new(skeleton, &layout, &mut conditions, budget)?,
        };
        let locks = Rc::new(locks);
        let solver = Solver::new().without_memory();
        let encoding = Encoding::new(skeleton, Rc::clone(&layout), Rc::clone(&locks), solver, budget)?;
        let waits = options.mode.waits();
        let mut tasks = Vec::new();
        for (number, read) in skeleton.reads.iter().enumerate().rev() {
            let id = ReadId::new(number);
            // The lemmas make the reads of locks see what they should; those that break the rules will be found by a
            // model.
            if !waits || (skeleton.cell(read.cell).synchronisation && !locks.reads.contains(&id)) {
                tasks.push(Task::Admit((id, Manner::Passing)));
            }
        }
        tasks.extend((0..locks.locks.len()).map(Task::Lock));
        let selectors = vec![None; skeleton.goals.len()];
        let statistics = Statistics {
            threads: skeleton.threads.len() as u64,
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
            assumed: Vec::new(),
            wrong: 0,
            lessons: None,
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
        self.assumed = assumptions.to_vec();
        let outcome = self.search(&[goal], &wanted, budget, &mut Quiet);
        self.assumed.clear();
        let mut outcome = outcome?;
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
        self.wrong = 0;
        self.lessons = None;
        loop {
            self.work(budget)?;
            self.encoding.goes_on()?;
            self.check(budget)?;
            if let Some((span, _)) = self.lessons.filter(|(_, count)| *count > LESSONS) {
                return Ok(Outcome::Unmodelled(span));
            }
            self.statistics.iterations += 1;
            progress.report(&self.report());
            let mut assumptions = wanted.to_vec();
            assumptions.extend(self.abstraction.partial().map(|(_, extension)| !extension));
            let narrow = assumptions.len() > wanted.len();
            let limits = Limits { conflicts: narrow.then_some(PATIENCE), ..limits.clone() };
            self.encoding.solver.set_limits(limits);
            match self.encoding.solver.check_literals(&assumptions)? {
                Answer::Satisfiable => {
                    if let Some(execution) = self.look_at_model(goals)? {
                        return Ok(Outcome::Execution(Box::new(execution)));
                    }
                }
                Answer::Unsatisfiable => {
                    if !self.look_at_core()? {
                        let instances = self.size();
                        return Ok(Outcome::Refuted(Refutation {
                            goals: goals.to_vec(),
                            blamed: Vec::new(),
                            instances,
                        }));
                    }
                }
                Answer::Unknown(Unknown::Conflicts) if narrow => self.widen_all(),
                Answer::Unknown(Unknown::Deadline | Unknown::Cancelled) => return Err(budget.stopped_by().into()),
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
            size: self.size(),
            full,
            solver: solver.time,
            conflicts: solver.conflicts,
            events: order.events,
            edges: order.edges,
            ..self.statistics
        }
    }

    /// The size of the abstraction.
    fn size(&self) -> Size {
        Size { blocks: self.encoding.blocks.len() as u64, ..self.abstraction.size() }
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
            states: self.size().total(),
            waiting: 0,
            depth: self.statistics.iterations,
            memory: self.encoding.memory(self.skeleton),
        }
    }

    fn check(&self, budget: &Budget) -> std::result::Result<(), Exhausted> {
        budget.check_with(self.encoding.memory(self.skeleton))
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
}
