//! The search: breadth first, so that the first violation found has the fewest transitions.

mod expand;
mod races;
mod traces;

use std::collections::{BTreeSet, VecDeque};
use std::time::Instant;

use rustc_hash::FxHashMap;
use selvedge_evidence::Findings;
use selvedge_program::semantics::{Outcome, Value};
use selvedge_program::{Budget, EdgeId, Progress, Property, Report, ThreadIndex};

use self::traces::Finding;
use crate::encode::Encoder;
use crate::facts::Facts;
use crate::joins::Rows;
use crate::options::Options;
use crate::result::{Cut, Exploration, InternalError, Statistics, Violation};
use crate::symmetry::Ordering;
use crate::visited::{Arrival, StateIndex, Visited};
use crate::world::{Mover, World};

/// How many transitions pass between looks at the budget.
const POLL: u64 = 1024;

/// A search under way.
pub struct Search<'f, 'p> {
    facts: &'f Facts<'p>,
    options: &'f Options,
    mover: Mover<'f, 'p>,
    encoder: Encoder<'f, 'p>,
    ordering: Ordering<'f, 'p>,
    rows: Rows<'f, 'p>,
    visited: Visited,
    queue: VecDeque<(StateIndex, u64, World)>,
    answers: Vec<Vec<Value>>,
    answer_numbers: FxHashMap<Vec<Value>, u32>,
    findings: Vec<Finding>,
    /// The findings that have been told, with their traces.
    violations: Vec<Violation>,
    cuts: BTreeSet<Cut>,
    statistics: Statistics,
    stopped: bool,
    /// A copy of the state that is being expanded, left over from a step that could not be taken.
    scratch: Option<World>,
}

impl<'f, 'p> Search<'f, 'p> {
    /// A search that has not begun.
    pub fn new(facts: &'f Facts<'p>, options: &'f Options) -> Self {
        Self {
            facts,
            options,
            mover: Mover::new(facts, options),
            encoder: Encoder::new(facts),
            ordering: Ordering::new(facts),
            rows: Rows::new(facts),
            visited: Visited::new(),
            queue: VecDeque::new(),
            answers: vec![Vec::new()],
            answer_numbers: FxHashMap::default(),
            findings: Vec::new(),
            violations: Vec::new(),
            cuts: BTreeSet::new(),
            statistics: Statistics::default(),
            stopped: false,
            scratch: None,
        }
    }

    /// Runs to the end; every violation is told as soon as it is found.
    pub fn run(
        mut self,
        budget: &Budget,
        progress: &mut dyn Progress,
        findings: &dyn Findings,
    ) -> Result<Exploration, InternalError> {
        let begin = Instant::now();
        match self.mover.initial() {
            Ok((world, _)) => {
                let origin = Arrival { parent: StateIndex(0), thread: ThreadIndex(0), edge: EdgeId(0), answers: 0 };
                self.store(None, world, origin, 0);
                self.tell(findings)?;
            }
            Err(Outcome::Unsupported(what)) => {
                let span = selvedge_program::Span::NOWHERE;
                self.cuts.insert(Cut::Unsupported { span, what });
            }
            Err(outcome) => return Err(InternalError::Malformed(format!("{outcome:?}"))),
        }
        let mut next_poll = 0;
        while let Some((index, depth, world)) = self.queue.pop_front() {
            self.statistics.depth = depth;
            if self.statistics.transitions >= next_poll {
                next_poll = self.statistics.transitions + POLL;
                if !self.poll(budget, progress, depth) {
                    break;
                }
            }
            self.expand(index, depth, &world)?;
            self.tell(findings)?;
            if self.stopped {
                break;
            }
        }
        self.statistics.time = begin.elapsed();
        self.statistics.steps = self.mover.steps;
        self.statistics.states = self.visited.len() as u64;
        Ok(self.finish())
    }

    /// Looks at the budget and reports; whether to go on.
    fn poll(&mut self, budget: &Budget, progress: &mut dyn Progress, depth: u64) -> bool {
        let memory = self.memory();
        self.statistics.memory = self.statistics.memory.max(memory);
        let states = self.visited.len() as u64;
        progress.report(&Report { engine: "explicit", states, waiting: self.queue.len() as u64, depth, memory });
        if let Some(limit) = budget.exhausted_with(memory) {
            self.cuts.insert(Cut::Limit(limit));
            return false;
        }
        if states >= self.options.max_states {
            self.cuts.insert(Cut::States(states));
            return false;
        }
        true
    }

    /// The bytes kept, estimated: waiting states share most of their parts with their neighbours.
    fn memory(&self) -> u64 {
        let threads = self.queue.front().map_or(1, |(_, _, world)| world.outlooks.len()) as u64;
        let state = 600 + 8 * self.facts.program.objects.len() as u64 + 200 * threads;
        self.visited.memory() + self.queue.len() as u64 * state
    }

    /// Stores a state unless it is known; its index.
    fn store(&mut self, before: Option<&World>, world: World, arrival: Arrival, depth: u64) -> StateIndex {
        let (row, order) = if self.options.reductions.symmetry {
            let row = self.rows.of(&world);
            (row, self.ordering.canonical(&world.state, row))
        } else {
            (None, self.ordering.by_age(&world.state))
        };
        let fingerprint = self.encoder.fingerprint(&world.state, row, order);
        let (index, is_new) = self.visited.insert(fingerprint, arrival);
        if is_new {
            if self.wants(Property::Race) {
                self.find_races(index, before, &world);
            }
            self.queue.push_back((index, depth, world));
        }
        index
    }

    fn wants(&self, property: Property) -> bool {
        self.options.properties.contains(&property)
    }
}
