//! The search: breadth first, so that the first violation found has the fewest transitions.

mod expand;
mod races;
mod traces;

use std::collections::BTreeSet;
use std::time::Instant;

use rustc_hash::FxHashMap;
use selvedge_evidence::{Findings, Subject};
use selvedge_program::semantics::{State, Value};
use selvedge_program::{Budget, EdgeId, FunctionId, LocationId, Progress, Property, Report, ThreadIndex};

use self::traces::Finding;
use crate::encode::Encoder;
use crate::footprints::Footprints;
use crate::joins::JoinRows;
use crate::options::Options;
use crate::parts::{Packed, Parts};
use crate::persistent::Candidates;
use crate::queue::{Queue, Waiting};
use crate::result::{Exploration, Gap, InternalError, Statistics, Violation};
use crate::symmetry::Ordering;
use crate::table::Table;
use crate::tidy;
use crate::view::View;
use crate::visited::{Arrival, Recent, StateIndex, Visited};
use crate::world::{Mover, World};

/// How many transitions and steps pass between looks at the budget.
const POLL: u64 = 1024;

/// A search under way.
pub struct Search<'f, 'p> {
    facts: &'f Footprints<'p>,
    options: &'f Options,
    mover: Mover<'f, 'p>,
    encoder: Encoder<'f, 'p>,
    ordering: Ordering<'f, 'p>,
    rows: JoinRows<'f, 'p>,
    visited: Visited,
    recent: Recent,
    parts: Parts<'f, 'p>,
    table: Table,
    candidates: Candidates,
    queue: Queue,
    /// The row that is being made.
    target: Packed,
    answers: Vec<Vec<Value>>,
    answer_numbers: FxHashMap<Vec<Value>, u32>,
    findings: Vec<Finding>,
    /// Further races of objects that have one.
    further: Vec<Finding>,
    /// How often something was found violated again.
    again: FxHashMap<Subject, u32>,
    /// The pairs of accesses that race, by object.
    pairs: FxHashMap<Subject, Vec<races::Pair>>,
    /// How often pairs of places were looked at for races.
    looked_at: FxHashMap<[Option<(FunctionId, LocationId)>; 2], u32>,
    /// The findings that have been told, with their traces.
    violations: Vec<Violation>,
    gaps: BTreeSet<Gap>,
    statistics: Statistics,
    stopped: bool,
    /// An address out of nothing was loaded, which the facts do not reckon with.
    needs_more_facts: bool,
    /// The state that is being expanded, if the semantics was needed for it.
    world: Option<World>,
    /// A copy of it, left over from a step that could not be taken.
    scratch: Option<World>,
    /// How many bytes of parts to keep before looking for those that are not needed any more.
    sweep_at: u64,
}

impl<'f, 'p> Search<'f, 'p> {
    /// A search that has not begun, of a program that starts in a state.
    pub fn new(facts: &'f Footprints<'p>, options: &'f Options, first: State) -> Self {
        Self {
            facts,
            options,
            mover: Mover::new(facts, options),
            encoder: Encoder::new(facts),
            ordering: Ordering::new(facts),
            rows: JoinRows::new(facts),
            visited: Visited::new(),
            recent: Recent::new(),
            parts: Parts::new(facts, first),
            table: Table::default(),
            candidates: Candidates::default(),
            queue: Queue::default(),
            target: Packed::new(),
            answers: vec![Vec::new()],
            answer_numbers: FxHashMap::default(),
            findings: Vec::new(),
            further: Vec::new(),
            again: FxHashMap::default(),
            pairs: FxHashMap::default(),
            looked_at: FxHashMap::default(),
            violations: Vec::new(),
            gaps: BTreeSet::new(),
            statistics: Statistics::default(),
            stopped: false,
            needs_more_facts: false,
            world: None,
            scratch: None,
            sweep_at: 64 << 20,
        }
    }

    /// Runs to the end; every violation is told as soon as it is found. `None` if the search is to be done again with
    /// facts that reckon with [`Loads::OutOfNothing`](selvedge_analysis::Loads).
    pub fn run(
        mut self,
        budget: &Budget,
        progress: &mut dyn Progress,
        findings: &dyn Findings,
    ) -> Result<Option<Exploration>, InternalError> {
        let begin = Instant::now();
        self.mover.budget = budget.clone();
        match self.mover.initial() {
            Ok((world, _)) => {
                let origin = Arrival { parent: StateIndex(0), thread: ThreadIndex(0), edge: EdgeId(0), answers: 0 };
                self.target = self.parts.row(None, &world);
                self.store(&[], origin, 0);
                self.tell(findings)?;
            }
            Err(outcome) => return Err(InternalError::Malformed(format!("{outcome:?}"))),
        }
        let mut next_poll = 0;
        let mut row = Packed::new();
        while let Some(Waiting { index, depth }) = self.queue.pop(&mut row) {
            self.statistics.depth = u64::from(depth);
            let work = self.statistics.transitions + self.mover.steps;
            // Where states are large, few steps take long.
            if work >= next_poll || budget.check().is_err() {
                next_poll = work + POLL;
                if let Err(gap) = self.poll(budget, progress, u64::from(depth)) {
                    self.gaps.insert(gap);
                    break;
                }
            }
            self.expand(index, depth, &row)?;
            if let Err(limit) = self.mover.in_budget {
                self.gaps.insert(Gap::Limit(limit));
                break;
            }
            self.tell(findings)?;
            if self.needs_more_facts {
                return Ok(None);
            }
            if self.stopped {
                break;
            }
        }
        self.statistics.time = begin.elapsed();
        self.statistics.states = self.visited.len() as u64;
        Ok(Some(self.finish()))
    }

    /// Looks at the limits and reports.
    fn poll(&mut self, budget: &Budget, progress: &mut dyn Progress, depth: u64) -> Result<(), Gap> {
        let memory = self.memory();
        self.statistics.memory = self.statistics.memory.max(memory);
        let states = self.visited.len() as u64;
        progress.report(&Report { engine: "explicit", states, waiting: self.queue.len() as u64, depth, memory });
        budget.check_with(memory).map_err(Gap::Limit)?;
        if states < self.options.max_states { Ok(()) } else { Err(Gap::States(states)) }
    }

    /// The bytes kept, estimated.
    fn memory(&self) -> u64 {
        let states = self.visited.memory() + self.recent.memory() + self.queue.memory();
        states + self.parts.memory() + self.table.memory()
    }

    /// Forgets parts of states, and what is known of their transitions, if there are too many.
    fn sweep(&mut self) {
        if self.parts.memory() + self.table.memory() < self.sweep_at {
            return;
        }
        self.table.clear();
        self.recent.clear();
        self.rows.forget();
        let (mut queue, mut row) = (std::mem::take(&mut self.queue), Packed::new());
        let mut kept = self.parts.emptied();
        while let Some(waiting) = queue.pop(&mut row) {
            self.queue.push(waiting, &kept.row(None, &self.parts.world(&row)));
        }
        self.parts = kept;
        self.sweep_at = (2 * self.parts.memory()).max(64 << 20);
    }

    /// Stores the target unless it is known; its index.
    fn store(&mut self, before: &[u32], arrival: Arrival, depth: u32) -> StateIndex {
        let exact = self.recent.hash(&self.target);
        let recent = self.recent.find(exact);
        if let (Some(index), false) = (recent, cfg!(debug_assertions)) {
            return index;
        }
        let view = View::new(&self.parts, &self.target);
        let (row, order) = if self.options.reductions.symmetry {
            let row = self.rows.of(view);
            (row, self.ordering.canonical(view, row))
        } else {
            (None, self.ordering.by_age(view))
        };
        let fingerprint = self.encoder.fingerprint(view, row, order);
        let (index, is_new) = self.visited.insert(fingerprint, arrival);
        debug_assert!(recent.is_none_or(|known| known == index), "a row stands for two states");
        self.recent.insert(exact, index, self.visited.len());
        if is_new {
            if self.wants(Property::Race) {
                self.find_races(index, before);
            }
            if !self.facts.has_guesses
                && let Some(kept) = tidy::kept(View::new(&self.parts, &self.target))
            {
                let world = self.mover.with_only(&self.parts.world(&self.target), &kept);
                self.target = self.parts.row(None, &world);
            }
            self.queue.push(Waiting { index, depth }, &self.target);
        }
        index
    }

    fn wants(&self, property: Property) -> bool {
        self.options.task.asks(property)
    }
}
