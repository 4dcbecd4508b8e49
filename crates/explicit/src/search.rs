//! The search: breadth first, so that the first violation found has the fewest transitions.

use std::collections::{BTreeSet, VecDeque};
use std::time::Instant;

use rustc_hash::FxHashMap;
use selvedge_program::semantics::standing::is_spurious;
use selvedge_program::semantics::{Instance, Outcome, Question, Spot, Value, conflict};
use selvedge_program::trace::{Trace, TraceEnd, TraceStep, replay};
use selvedge_program::{Action, Budget, EdgeId, Progress, Property, Report, ThreadIndex};

use crate::choices::Enumeration;
use crate::encode::Encoder;
use crate::facts::Facts;
use crate::joins::Rows;
use crate::lookahead::suggest;
use crate::options::{Options, Stop};
use crate::outlook::{Outlook, abstraction};
use crate::persistent;
use crate::result::{Coverage, Cut, Exploration, InternalError, Statistics, Subject, Violation};
use crate::symmetry::Ordering;
use crate::visited::{Arrival, StateIndex, Visited};
use crate::world::{Mover, World};

/// How many transitions pass between looks at the budget.
const POLL: u64 = 1024;

/// A violation before its trace is written down: the state it was found in, the step that fails, and the claim.
struct Finding {
    subject: Subject,
    state: StateIndex,
    failing: Option<TraceStep>,
    end: TraceEnd,
}

/// What became of one thread's steps at a state.
#[derive(Clone, Copy, Debug, Default)]
struct Expanded {
    /// It could move, not only by a spurious wake-up, and did not get stuck.
    moved: bool,
    /// One of its steps leads to a state that has not been expanded yet.
    fresh: bool,
}

/// Where a step leads.
#[derive(Clone, Copy, Debug)]
enum Arrived {
    /// To the end of the process, or to what is cut off.
    Nowhere,
    /// Into an atomic section, which may never end, or to where the thread gives up.
    Stuck,
    /// To this state, where any thread may move.
    Outside(StateIndex),
}

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
            cuts: BTreeSet::new(),
            statistics: Statistics::default(),
            stopped: false,
            scratch: None,
        }
    }

    /// Runs to the end.
    pub fn run(mut self, budget: &Budget, progress: &mut dyn Progress) -> Result<Exploration, InternalError> {
        let begin = Instant::now();
        match self.mover.initial() {
            Ok((world, _)) => {
                let origin = Arrival { parent: StateIndex(0), thread: ThreadIndex(0), edge: EdgeId(0), answers: 0 };
                self.store(None, world, origin, 0);
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
            if self.stopped {
                break;
            }
        }
        self.statistics.time = begin.elapsed();
        self.statistics.steps = self.mover.steps;
        self.statistics.states = self.visited.len() as u64;
        self.finish()
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

    /// Expands a state: a persistent set of threads, or all.
    fn expand(&mut self, index: StateIndex, depth: u64, world: &World) -> Result<(), InternalError> {
        let mut moved = false;
        self.scratch = None;
        if let Some(section) = world.state.atomic_section() {
            moved = self.expand_thread(index, depth, world, section.owner)?.moved;
        } else if self.options.reductions.partial_order {
            moved = self.expand_reduced(index, depth, world)?;
        } else {
            for thread in world.live() {
                moved |= self.expand_thread(index, depth, world, thread)?.moved;
            }
        }
        if !moved && self.wants(Property::Deadlock) && self.mover.semantics.deadlocked(&world.state) {
            self.found(Subject::Deadlock, index, None, TraceEnd::Deadlock);
        }
        Ok(())
    }

    fn expand_reduced(&mut self, index: StateIndex, depth: u64, world: &World) -> Result<bool, InternalError> {
        let mut done: Vec<(ThreadIndex, Expanded)> = Vec::new();
        for set in persistent::candidates(world, self.starts_are_bounded(world)) {
            let mut whole = Expanded::default();
            for thread in set {
                let result = match done.iter().find(|(known, _)| *known == thread) {
                    Some((_, result)) => *result,
                    None => {
                        let result = self.expand_thread(index, depth, world, thread)?;
                        done.push((thread, result));
                        result
                    }
                };
                whole.moved |= result.moved;
                whole.fresh |= result.fresh;
            }
            if whole.moved && whole.fresh {
                return Ok(true);
            }
        }
        Ok(done.iter().any(|(_, result)| result.moved))
    }

    /// Whether the bound on threads may hold up the next start.
    fn starts_are_bounded(&self, world: &World) -> bool {
        let entry = |thread| world.state.thread(thread).and_then(|thread| thread.frames.first());
        self.options
            .thread_bound
            .is_some_and(|bound| world.live().filter_map(entry).any(|f| world.running(f.function) >= bound))
    }

    fn expand_thread(
        &mut self,
        index: StateIndex,
        depth: u64,
        world: &World,
        thread: ThreadIndex,
    ) -> Result<Expanded, InternalError> {
        let mut expanded = Expanded::default();
        let Some(frame) = world.state.frame(thread) else { return Ok(expanded) };
        let function = self.facts.program.function(frame.function);
        for edge in &function.location(frame.location).outgoing {
            let is_spurious = is_spurious(&function.edge(*edge).action);
            let mut enumeration = Enumeration::new(self.options.max_choices);
            let mut looked = matches!(function.edge(*edge).action, Action::Havoc { .. });
            if looked && !self.look_ahead(world, thread, *edge, &mut enumeration) {
                continue;
            }
            loop {
                enumeration.begin();
                let mut next = self.scratch.take().unwrap_or_else(|| world.clone());
                match self.mover.step(&mut next, thread, *edge, &mut enumeration) {
                    Ok(()) => {
                        self.statistics.transitions += 1;
                        let answers = enumeration.answers();
                        let target = self.arrive(index, depth, world, next, thread, *edge, &answers)?;
                        if let Arrived::Outside(target) = target {
                            expanded.moved |= !is_spurious;
                            expanded.fresh |= target > index;
                        }
                    }
                    Err(Outcome::Disabled) => self.scratch = Some(next),
                    Err(Outcome::NeedsChoice(question)) if is_open(&question) && !looked => {
                        looked = true;
                        if self.look_ahead(world, thread, *edge, &mut enumeration) {
                            continue;
                        }
                    }
                    Err(outcome) => self.failed(index, world, thread, *edge, outcome, &enumeration)?,
                }
                if !enumeration.advance() {
                    break;
                }
            }
        }
        Ok(expanded)
    }

    /// Finds the answers worth trying for a step that gives a register any value; `false` if there are none.
    fn look_ahead(&mut self, world: &World, thread: ThreadIndex, edge: EdgeId, enumeration: &mut Enumeration) -> bool {
        let Some(frame) = world.state.frame(thread) else { return true };
        let definition = self.facts.program.function(frame.function).edge(edge);
        let (Action::Havoc { target } | Action::Load { target, .. }) = definition.action else { return true };
        let found = suggest(self.facts, &world.state, thread, edge, target, self.options.max_choices);
        let Some(suggestion) = found else { return true };
        if !suggestion.exhaustive {
            let bits = self.facts.program.function(frame.function).register(target).width;
            let sampled = self.options.sample;
            self.cuts.insert(Cut::Choice { span: definition.span, bits, sampled });
            if !sampled {
                return false;
            }
        }
        let any = !suggestion.values.is_empty();
        enumeration.suggestion = Some(suggestion.values);
        any
    }

    /// Goes on from a step that was taken, and stores where it leads.
    #[expect(clippy::too_many_arguments, reason = "a transition is that much")]
    fn arrive(
        &mut self,
        index: StateIndex,
        depth: u64,
        before: &World,
        after: World,
        thread: ThreadIndex,
        edge: EdgeId,
        answers: &[Value],
    ) -> Result<Arrived, InternalError> {
        if after.state.exit_status().is_some() || self.is_one_too_many(before, &after, thread, edge) {
            return Ok(Arrived::Nowhere);
        }
        let world = self
            .mover
            .follow(before, after, thread, edge, answers)
            .map_err(|outcome| InternalError::Malformed(format!("{outcome:?}")))?;
        if world.state.exit_status().is_some() {
            return Ok(Arrived::Nowhere);
        }
        let stuck = world.state.atomic_section().is_some() || self.mover.has_given_up(&world, thread);
        let arrival = Arrival { parent: index, thread, edge, answers: self.intern(answers) };
        let target = self.store(Some(before), world, arrival, depth + 1);
        Ok(if stuck { Arrived::Stuck } else { Arrived::Outside(target) })
    }

    fn intern(&mut self, answers: &[Value]) -> u32 {
        if answers.is_empty() {
            return 0;
        }
        if let Some(number) = self.answer_numbers.get(answers) {
            return *number;
        }
        let number = self.answers.len() as u32;
        self.answers.push(answers.to_vec());
        self.answer_numbers.insert(answers.to_vec(), number);
        number
    }

    /// Whether a step has started a thread beyond the bound.
    fn is_one_too_many(&mut self, before: &World, after: &World, thread: ThreadIndex, edge: EdgeId) -> bool {
        let Some(bound) = self.options.thread_bound else { return false };
        if after.outlooks.len() == before.outlooks.len() {
            return false;
        }
        let new = ThreadIndex::new(before.outlooks.len());
        let Some(entry) = after.state.thread(new).and_then(|thread| thread.frames.first()).map(|f| f.function) else {
            return false;
        };
        let too_many = after.running(entry) > bound;
        if too_many {
            let span = self.span(before, thread, edge);
            self.cuts.insert(Cut::Threads { span, entry, bound });
        }
        too_many
    }

    fn span(&self, world: &World, thread: ThreadIndex, edge: EdgeId) -> selvedge_program::Span {
        let frame = world.state.frame(thread);
        frame.map_or(selvedge_program::Span::NOWHERE, |f| self.facts.program.function(f.function).edge(edge).span)
    }

    /// A step that leads to no state.
    fn failed(
        &mut self,
        index: StateIndex,
        world: &World,
        thread: ThreadIndex,
        edge: EdgeId,
        outcome: Outcome,
        enumeration: &Enumeration,
    ) -> Result<(), InternalError> {
        let span = self.span(world, thread, edge);
        let step = || Some(TraceStep { thread, edge, choices: enumeration.answers() });
        match outcome {
            Outcome::AssertionFailed(check) => {
                if self.wants(Property::Assertion) {
                    self.found(Subject::Assertion(check), index, step(), TraceEnd::AssertionFailed(check));
                }
            }
            Outcome::Undefined(undefined, _) if self.wants(Property::Memory) => {
                let Some(frame) = world.state.frame(thread) else { return Ok(()) };
                let subject = Subject::Memory(frame.function, edge, undefined);
                self.found(subject, index, step(), TraceEnd::Undefined(undefined));
            }
            Outcome::Undefined(undefined, _) => {
                self.cuts.insert(Cut::Undefined { span, undefined });
            }
            Outcome::Unsupported(what) => {
                self.cuts.insert(Cut::Unsupported { span, what });
            }
            Outcome::NeedsChoice(_) => {
                if let Some(too_many) = enumeration.too_many {
                    self.cuts.insert(Cut::Choice { span, bits: too_many.bits, sampled: too_many.sampled });
                }
            }
            Outcome::Internal(message) => return Err(InternalError::Malformed(message)),
            Outcome::Disabled => {}
        }
        Ok(())
    }

    /// Looks for races in a new state, of threads that have moved since the state before with any other.
    fn find_races(&mut self, index: StateIndex, before: Option<&World>, world: &World) {
        for first in world.live().filter(|thread| world.has_moved(before, *thread)) {
            for second in world.live().filter(|second| *second != first) {
                if second < first && world.has_moved(before, second) {
                    continue;
                }
                if world.outlook(first).may_race(world.outlook(second)) {
                    self.confirm_races(index, world, first.min(second), first.max(second));
                }
            }
        }
    }

    fn confirm_races(&mut self, index: StateIndex, world: &World, first: ThreadIndex, second: ThreadIndex) {
        let (mine, theirs) = (world.outlook(first), world.outlook(second));
        let is_known = |object| self.findings.iter().any(|finding| finding.subject == Subject::Race(object));
        let objects = |outlook: &Outlook| {
            outlook.touches.iter().all(|touch| {
                object_of(touch.spot).and_then(|object| abstraction(&world.state, object)).is_some_and(is_known)
            })
        };
        if mine.exact && theirs.exact && (objects(mine) || objects(theirs)) {
            return;
        }
        let mine = self.mover.semantics.accesses(&world.state, first);
        let theirs = self.mover.semantics.accesses(&world.state, second);
        for mine in &mine {
            for theirs in theirs.iter().filter(|theirs| conflict(mine, theirs)) {
                let Some(object) = object_of(mine.spot).and_then(|object| abstraction(&world.state, object)) else {
                    continue;
                };
                if self.options.race_on.as_ref().is_some_and(|name| !self.facts.is_named(object, name)) {
                    continue;
                }
                self.found(Subject::Race(object), index, None, TraceEnd::Race(mine.thread, theirs.thread));
            }
        }
    }

    fn found(&mut self, subject: Subject, state: StateIndex, failing: Option<TraceStep>, end: TraceEnd) {
        if self.findings.iter().any(|known| known.subject == subject) {
            return;
        }
        self.findings.push(Finding { subject, state, failing, end });
        let is_violated = |property: &Property| self.findings.iter().any(|f| f.subject.property() == *property);
        self.stopped = match self.options.stop {
            Stop::AtFirst => true,
            Stop::PerProperty => self.options.properties.iter().all(is_violated),
            Stop::Never => false,
        };
    }

    /// Writes down the traces, and has the semantics check them.
    fn finish(mut self) -> Result<Exploration, InternalError> {
        let mut violations = Vec::new();
        for finding in std::mem::take(&mut self.findings) {
            let mut steps = self.path(finding.state)?;
            steps.extend(finding.failing);
            let trace = Trace { steps, end: finding.end };
            if let Err(error) = replay(self.facts.program, &trace) {
                return Err(InternalError::Rejected(error.to_string()));
            }
            violations.push(Violation { subject: finding.subject, trace });
        }
        self.statistics.memory = self.statistics.memory.max(self.memory());
        Ok(Exploration {
            violations,
            cuts: self.cuts.into_iter().collect(),
            coverage: if self.stopped { Coverage::Stopped } else { Coverage::Whole },
            statistics: self.statistics,
        })
    }

    /// The steps from the beginning to a stored state.
    fn path(&mut self, state: StateIndex) -> Result<Vec<TraceStep>, InternalError> {
        let mut arrivals = Vec::new();
        let mut at = state;
        while at != StateIndex(0) {
            let arrival = self.visited.arrival(at);
            arrivals.push(arrival);
            at = arrival.parent;
        }
        let wrong = |outcome: Outcome| InternalError::Rejected(format!("{outcome:?}"));
        let (mut world, mut steps) = self.mover.initial().map_err(wrong)?;
        for arrival in arrivals.into_iter().rev() {
            let answers = self.answers[arrival.answers as usize].clone();
            let (next, taken) = self.mover.retrace(&world, arrival.thread, arrival.edge, &answers).map_err(wrong)?;
            world = next;
            steps.extend(taken);
        }
        Ok(steps)
    }
}

/// The object that a spot belongs to.
fn object_of(spot: Spot) -> Option<Instance> {
    match spot {
        Spot::Bytes { object, .. } => Some(object),
        Spot::Ghost(key) => key.object,
    }
}

/// Whether any number is an answer.
fn is_open(question: &Question) -> bool {
    matches!(question, Question::Number { free, .. } if free.is_ones())
}
