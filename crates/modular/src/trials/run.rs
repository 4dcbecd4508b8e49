//! One run: an execution of the concrete semantics in which a thread that stands where an alarm wants it waits for
//! the others of the alarm.

use rustc_hash::FxHashMap;
use selvedge_analysis::AbstractObject;
use selvedge_evidence::{Subject, Violation};
use selvedge_program::semantics::{Chooser, Outcome, PendingAccess, Question, Silent, State, Value, conflict};
use selvedge_program::trace::{Trace, TraceEnd, TraceStep};
use selvedge_program::{Action, Bits, Budget, EdgeId, FunctionId, ObjectId, ThreadIndex, Unsettled};
use selvedge_symbolic::threads::{ArcKind, NodeId, Universe};

use super::numbers::Numbers;
use super::random::Random;
use super::{Goal, Trials};

/// Among how many addresses one is chosen.
const MOST_ADDRESSES: usize = 64;

/// A run takes no more steps than this, whoever notices.
const LONGEST: usize = 200_000;

/// How many answers to a question are looked at, if it is looked where they lead.
const LOOKS: usize = 6;

/// How a run goes about it.
#[derive(Clone, Copy, Debug)]
pub struct Manner {
    /// How many steps are taken that others may notice.
    pub length: u64,
    /// After a step that others may notice, another thread goes on once in so many times.
    pub switch: usize,
    /// A thread that would start another one waits while so many with the same entry are alive.
    pub crowd: usize,
    /// How many threads are on their way to an end of the goal at a time.
    pub sent: usize,
    /// Once in so many times one goes on that is not on its way to an end.
    pub help: usize,
}

/// How a thread stands in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stance {
    Going,
    /// It has no part in this run unless nobody else can move.
    Asleep,
    /// It is where the alarm wants it.
    Held,
    /// It goes on though there is a reason to hold it.
    Released,
    /// It cannot move, as long as nothing was changed since this.
    Waiting(u64),
}

/// A thread of a run.
struct Runner {
    entry: FunctionId,
    /// Where it is among the places of a template.
    place: Option<(usize, NodeId)>,
    /// Which end of the goal it is to get to.
    end: Option<usize>,
    /// Whether it takes part though it is to get nowhere.
    is_helper: bool,
    /// What it is about to access.
    pending: Vec<PendingAccess>,
    stance: Stance,
}

/// What became of a step.
enum Stepped {
    Taken,
    /// The thread cannot move.
    Waits,
    /// Something went wrong, as the trace shows.
    Wrong(Subject, TraceEnd),
    /// There is nothing to go on with.
    Over,
}

/// Answers questions with likely numbers, and remembers the answers.
struct Guesser<'g, 'p> {
    numbers: &'g mut Numbers<'p>,
    random: &'g mut Random,
    step: (FunctionId, EdgeId),
    /// The first answer, if it has been thought about.
    first: Option<Value>,
    /// A number that is in memory.
    there: Option<u128>,
    answers: Vec<Value>,
}

impl Chooser for Guesser<'_, '_> {
    fn choose(&mut self, question: &Question) -> Option<Value> {
        let answer = match (self.first.take(), question) {
            (Some(value), _) => value,
            (None, Question::Number { known, free }) => {
                let number = self.numbers.try_one(self.step, self.there, self.random);
                Value::Bits(Bits::new(known.width(), known.unsigned() | number & free.unsigned()))
            }
            (None, Question::Address { width }) => {
                Value::Bits(Bits::new(*width, self.numbers.try_one(self.step, self.there, self.random)))
            }
            (None, Question::Thread(_)) => {
                let answers = question.answers(0).unwrap_or_default();
                self.random.pick(&answers).cloned().unwrap_or_else(|| question.plainest())
            }
        };
        self.answers.push(answer.clone());
        Some(answer)
    }
}

pub struct Run<'r, 'p> {
    trials: &'r mut Trials<'p>,
    universe: &'r Universe<'r>,
    goal: &'r Goal,
    manner: Manner,
    state: State,
    runners: Vec<Runner>,
    steps: Vec<TraceStep>,
    /// How many steps were taken that others may notice.
    changes: u64,
    /// How many of these the first thread has taken by itself: nobody could.
    alone: u64,
    /// How many steps were only looked at.
    looked: u64,
}

impl<'r, 'p> Run<'r, 'p> {
    pub fn new(trials: &'r mut Trials<'p>, universe: &'r Universe<'r>, goal: &'r Goal, manner: Manner) -> Option<Self> {
        let state = trials.semantics.initial().ok()?;
        let mut run = Run {
            trials,
            universe,
            goal,
            manner,
            state,
            runners: Vec::new(),
            steps: Vec::new(),
            changes: 0,
            alone: 0,
            looked: 0,
        };
        run.enter();
        Some(run)
    }

    /// Takes steps until something is wrong that is wanted, or the trace is as long as it may be; how many were taken.
    pub fn go(mut self, budget: &Budget, is_wanted: &dyn Fn(Subject) -> bool) -> (u64, Option<Violation>) {
        let (mut current, mut is_to_switch) = (ThreadIndex(0), false);
        while self.changes - self.alone < self.manner.length && self.steps.len() < LONGEST {
            if self.steps.len().is_multiple_of(1024) && budget.exhausted().is_some() {
                break;
            }
            let thread = match self.state.atomic_section() {
                Some(section) => section.owner,
                None if !is_to_switch && self.may_go(current) => current,
                None => match self.next_thread() {
                    Some(thread) => thread,
                    None => break,
                },
            };
            current = thread;
            is_to_switch = false;
            match self.step(thread) {
                Stepped::Taken => {
                    let started = (self.runners.len()..self.state.thread_count()).map(ThreadIndex::new);
                    self.enter();
                    for moved in std::iter::once(thread).chain(started) {
                        if let Some((subject, end)) = self.race(moved, is_wanted) {
                            return self.ended(subject, end);
                        }
                    }
                    let is_visible = self.is_at_visible(thread);
                    if is_visible {
                        is_to_switch = self.trials.random.once_in(self.manner.switch);
                        self.hold(thread);
                    }
                }
                Stepped::Waits if self.state.atomic_section().is_some() => break,
                Stepped::Waits => {
                    self.runners[thread.index()].stance = Stance::Waiting(self.changes);
                    is_to_switch = true;
                }
                Stepped::Wrong(subject, end) if is_wanted(subject) => return self.ended(subject, end),
                Stepped::Wrong(..) | Stepped::Over => break,
            }
        }
        (self.steps.len() as u64 + self.looked, None)
    }

    fn ended(self, subject: Subject, end: TraceEnd) -> (u64, Option<Violation>) {
        let taken = self.steps.len() as u64 + self.looked;
        (taken, Some(Violation { subject, trace: Trace { steps: self.steps, end } }))
    }

    /// Adds the threads that have been started since.
    fn enter(&mut self) {
        while self.runners.len() < self.state.thread_count() {
            let thread = ThreadIndex::new(self.runners.len());
            let Some(entry) = self.state.frame(thread).map(|frame| frame.function) else { return };
            let template = if thread.index() == 0 { Some(0) } else { self.universe.template_of(entry) };
            let ends = (0..self.goal.ends.len()).filter(|end| Some(self.goal.ends[*end].template) == template);
            let sent = |end: usize| {
                let is_sent = |(index, runner): &(usize, &Runner)| {
                    runner.end == Some(end) && self.state.is_live(ThreadIndex::new(*index))
                };
                self.runners.iter().enumerate().filter(is_sent).count()
            };
            let end = ends.min_by_key(|end| sent(*end)).filter(|end| sent(*end) < self.manner.sent);
            let place = template.map(|template| (template, self.universe.unfolded(template).first()));
            // Whose help is not needed may be in the way.
            let alike = self.runners.iter().find(|runner| runner.entry == entry).map(|runner| runner.is_helper);
            let is_helper = alike.unwrap_or_else(|| thread.index() == 0 || self.trials.random.once_in(2));
            let stance = if end.is_some() || is_helper { Stance::Going } else { Stance::Asleep };
            self.runners.push(Runner { entry, place, end, is_helper, pending: Vec::new(), stance });
        }
    }

    fn may_go(&self, thread: ThreadIndex) -> bool {
        let is_ready = match self.runners[thread.index()].stance {
            Stance::Going => !self.is_crowded(thread),
            Stance::Released => true,
            Stance::Held | Stance::Asleep => false,
            Stance::Waiting(since) => since != self.changes,
        };
        is_ready && self.state.is_live(thread)
    }

    /// Whether a thread is about to start one of which there are enough.
    fn is_crowded(&self, thread: ThreadIndex) -> bool {
        let Some(frame) = self.state.frame(thread) else { return false };
        let function = self.trials.semantics.program.function(frame.function);
        let mut next = function.location(frame.location).outgoing.iter();
        let Some(edge) = next.next() else { return false };
        let Action::Spawn { .. } = function.edge(*edge).action else { return false };
        let mut alive: FxHashMap<FunctionId, usize> = FxHashMap::default();
        for (index, runner) in self.runners.iter().enumerate() {
            if self.state.is_live(ThreadIndex::new(index)) {
                *alive.entry(runner.entry).or_default() += 1;
            }
        }
        let started = self.trials.started(frame.function, *edge);
        started.iter().any(|entry| alive.get(entry).is_some_and(|alive| *alive >= self.manner.crowd))
    }

    /// The thread that goes on; if none can, one that was held.
    fn next_thread(&mut self) -> Option<ThreadIndex> {
        let threads: Vec<ThreadIndex> = self.state.thread_indices().collect();
        let ready: Vec<ThreadIndex> = threads.iter().copied().filter(|thread| self.may_go(*thread)).collect();
        let stands = |stance: Stance| {
            let is_so = |thread: &ThreadIndex| self.runners[thread.index()].stance == stance;
            threads.iter().copied().filter(|thread| is_so(thread) && self.state.is_live(*thread)).collect()
        };
        let held: Vec<ThreadIndex> = stands(Stance::Held);
        let released = match (ready.is_empty(), held.is_empty()) {
            // If nobody can move, those that would start others or were to stay out of it may have to, now and then.
            (true, _) if held.is_empty() || self.trials.random.once_in(8) => {
                [stands(Stance::Going), stands(Stance::Asleep), held].concat()
            }
            (true, _) => held,
            (false, false) if self.trials.random.once_in(64) => held,
            (false, _) => Vec::new(),
        };
        if let Some(released) = self.trials.random.pick(&released).copied() {
            self.runners[released.index()].stance = Stance::Released;
            return Some(released);
        }
        // Those that are on their way to an end come first, mostly.
        let (on_their_way, helpers): (Vec<ThreadIndex>, Vec<ThreadIndex>) =
            ready.into_iter().partition(|thread| self.left(*thread).is_some());
        let helps = !helpers.is_empty() && (on_their_way.is_empty() || self.trials.random.once_in(self.manner.help));
        self.trials.random.pick(if helps { &helpers } else { &on_their_way }).copied()
    }

    /// How far a thread is from its end.
    fn left(&self, thread: ThreadIndex) -> Option<u32> {
        let runner = &self.runners[thread.index()];
        let (_, node) = runner.place?;
        let left = self.goal.ends[runner.end?].left[node.0 as usize];
        (left < u32::MAX).then_some(left)
    }

    /// Holds a thread that is where the goal wants it.
    fn hold(&mut self, thread: ThreadIndex) {
        let is_there = self.left(thread) == Some(0) && !self.trials.random.once_in(8);
        self.runners[thread.index()].stance = if is_there { Stance::Held } else { Stance::Going };
    }

    fn is_at_visible(&self, thread: ThreadIndex) -> bool {
        let Some(frame) = self.state.frame(thread) else { return true };
        let location = self.trials.semantics.program.function(frame.function).location(frame.location);
        location.outgoing.iter().any(|edge| self.trials.visible.is_visible(frame.function, *edge))
    }

    /// A race of a thread that has moved with another one, on what is wanted.
    fn race(&mut self, thread: ThreadIndex, is_wanted: &dyn Fn(Subject) -> bool) -> Option<(Subject, TraceEnd)> {
        let pending =
            if self.is_at_visible(thread) { self.trials.semantics.accesses(&self.state, thread) } else { Vec::new() };
        let mut found = None;
        let others = if pending.is_empty() { &[][..] } else { &self.runners[..] };
        for (index, other) in others.iter().enumerate() {
            let with = ThreadIndex::new(index);
            if with == thread || other.pending.is_empty() || !self.state.is_live(with) {
                continue;
            }
            let conflicts = |mine: &&PendingAccess| other.pending.iter().any(|theirs| conflict(mine, theirs));
            if let Some(access) = pending.iter().find(conflicts)
                && let Some(object) =
                    access.spot.object().and_then(|object| AbstractObject::of_instance(&self.state, object))
                && is_wanted(Subject::Race(object))
            {
                found = Some((Subject::Race(object), TraceEnd::Race(thread.min(with), thread.max(with))));
                break;
            }
        }
        self.runners[thread.index()].pending = pending;
        found
    }

    /// Has a thread take a step: mostly one that leads it nearer to its end.
    fn step(&mut self, thread: ThreadIndex) -> Stepped {
        let Some(frame) = self.state.frame(thread) else { return Stepped::Waits };
        let id = frame.function;
        let function = self.trials.semantics.program.function(id);
        let mut edges = function.location(frame.location).outgoing.clone();
        if edges.len() > 1 {
            self.order(thread, &mut edges);
        }
        for edge in edges {
            let action = &function.edge(edge).action;
            let first = match action.unsettled() {
                Unsettled::Choice { target } if function.register(target).may_be_address => self.address(),
                Unsettled::Choice { target } => self.best_answer(thread, edge, function.register(target).width),
                Unsettled::Read { target, .. } if function.register(target).may_be_address => {
                    let enabled = self.trials.semantics.enabled(&self.state, thread);
                    let is_asked = enabled.iter().any(|enabled| enabled.edge == edge && enabled.needs_choice);
                    if is_asked { self.address() } else { None }
                }
                Unsettled::Nothing | Unsettled::Condition(_) | Unsettled::Read { .. } | Unsettled::Update => None,
            };
            let there = self.number_in_memory();
            let Trials { semantics, numbers, random, .. } = &mut *self.trials;
            let mut guesser = Guesser { numbers, random, step: (id, edge), first, there, answers: Vec::new() };
            let outcome = semantics.apply(&mut self.state, thread, edge, &mut guesser, &mut Silent);
            let choices = guesser.answers;
            if outcome == Err(Outcome::Disabled) {
                continue;
            }
            self.steps.push(TraceStep { thread, function: id, edge, choices });
            return match outcome {
                Ok(()) => {
                    self.moved(thread, (id, edge));
                    Stepped::Taken
                }
                Err(Outcome::AssertionFailed(check)) => {
                    Stepped::Wrong(Subject::Assertion(check), TraceEnd::AssertionFailed(check))
                }
                Err(Outcome::Undefined(undefined, _)) => {
                    Stepped::Wrong(Subject::Memory(id, edge, undefined), TraceEnd::Undefined(undefined))
                }
                Err(Outcome::Disabled | Outcome::Unsupported(_) | Outcome::NeedsChoice(_) | Outcome::Internal(_)) => {
                    Stepped::Over
                }
            };
        }
        Stepped::Waits
    }

    /// Notes where a thread is after a step.
    fn moved(&mut self, thread: ThreadIndex, (function, edge): (FunctionId, EdgeId)) {
        self.trials.is_new |= self.trials.passed.insert((function, edge));
        if self.trials.visible.is_visible(function, edge) {
            self.changes += 1;
        }
        if self.runners.len() == 1 {
            self.alone = self.changes;
        }
        let place = self.runners[thread.index()].place;
        self.runners[thread.index()].place = place.and_then(|place| self.follow(place, edge, &self.state, thread));
        self.runners[thread.index()].stance = Stance::Going;
    }

    /// Where a thread of a template is after it has taken an edge, in the state after that.
    fn follow(
        &self,
        (template, node): (usize, NodeId),
        edge: EdgeId,
        after: &State,
        thread: ThreadIndex,
    ) -> Option<(usize, NodeId)> {
        let unfolded = self.universe.unfolded(template);
        let arcs = unfolded.outgoing(node).iter().map(|arc| unfolded.arc(*arc));
        let function = after.frame(thread)?.function;
        let is_taken = |kind: ArcKind| match kind {
            ArcKind::Call(callee) => callee == function,
            ArcKind::Step | ArcKind::Return(..) | ArcKind::Spawn(_) => true,
            ArcKind::End => false,
        };
        let mut taken = arcs.filter(|arc| arc.edge == edge && is_taken(arc.kind));
        Some((template, taken.next()?.target?))
    }

    /// Puts the edges of a thread in the order in which they are tried.
    fn order(&mut self, thread: ThreadIndex, edges: &mut [EdgeId]) {
        for place in (1..edges.len()).rev() {
            edges.swap(place, self.trials.random.below(place + 1));
        }
        let runner = &self.runners[thread.index()];
        if let (Some((template, node)), Some(end)) = (runner.place, runner.end)
            && !self.trials.random.once_in(4)
        {
            let unfolded = self.universe.unfolded(template);
            let left = &self.goal.ends[end].left;
            let far = |edge: &EdgeId| {
                let arcs = unfolded.outgoing(node).iter().map(|arc| unfolded.arc(*arc));
                let targets = arcs.filter(|arc| arc.edge == *edge).filter_map(|arc| arc.target);
                targets.map(|target| left[target.0 as usize]).min().unwrap_or(u32::MAX)
            };
            edges.sort_by_key(far);
        }
        let Some(frame) = self.state.frame(thread) else { return };
        let function = self.trials.semantics.program.function(frame.function);
        if !self.trials.random.once_in(8) {
            edges.sort_by_key(|edge| function.edge(*edge).action.is_spurious());
        }
    }

    /// Now and then, a number that some static object holds.
    fn number_in_memory(&mut self) -> Option<u128> {
        let random = &mut self.trials.random;
        let objects = self.trials.semantics.program.objects.len();
        if objects == 0 || !random.once_in(8) {
            return None;
        }
        let block = self.state.memory().shared_static(ObjectId::new(random.below(objects)))?;
        let words: Vec<&[u8]> = block.contents.data().chunks(4).collect();
        let word = random.pick(&words)?;
        Some(word.iter().rev().fold(0, |number, byte| number << 8 | u128::from(*byte)))
    }

    /// An address that is there, or none: then a number will do.
    fn address(&mut self) -> Option<Value> {
        let guesses = self.state.guesses(self.trials.semantics.program, MOST_ADDRESSES).values;
        if self.trials.random.once_in(2) { None } else { self.trials.random.pick(&guesses).cloned() }
    }

    /// Of some answers to what a step asks, the one that leads a thread nearest to its end.
    fn best_answer(&mut self, thread: ThreadIndex, edge: EdgeId, width: u32) -> Option<Value> {
        let id = self.state.frame(thread)?.function;
        if self.left(thread).is_none() || self.trials.random.once_in(2) {
            return None;
        }
        let runner = &self.runners[thread.index()];
        let key = (runner.place?, self.goal.ends[runner.end?].node);
        let known = self.trials.answers.get(&key).cloned();
        if known.is_some() && !self.trials.random.once_in(4) {
            return known.map(|(_, value)| value);
        }
        let (mut best, mut worst) = (known, 0);
        for _ in 0..LOOKS {
            let there = self.number_in_memory();
            let Trials { numbers, random, .. } = &mut *self.trials;
            let value = Value::Bits(Bits::new(width, numbers.try_one((id, edge), there, random)));
            let left = self.look(thread, edge, value.clone());
            worst = worst.max(left);
            if best.as_ref().is_none_or(|(least, _)| left < *least) {
                best = Some((left, value));
            }
        }
        let (left, value) = best?;
        // Where all answers lead equally near, none is worth to be remembered.
        if left < worst {
            self.trials.answers.insert(key, (left, value.clone()));
        }
        Some(value)
    }

    /// How near a thread comes to its end by itself after an answer, until it asks again.
    fn look(&mut self, thread: ThreadIndex, edge: EdgeId, answer: Value) -> u32 {
        /// How many steps it is followed.
        const FAR: usize = 60;
        let mut state = self.state.clone();
        let runner = &self.runners[thread.index()];
        let (Some(mut place), Some(end)) = (runner.place, runner.end) else { return u32::MAX };
        let mut nearest = u32::MAX;
        let mut next = vec![edge];
        let mut first = Some(answer);
        for _ in 0..FAR {
            self.looked += 1;
            let mut taken = None;
            for edge in std::mem::take(&mut next) {
                let Trials { semantics, numbers, random, .. } = &mut *self.trials;
                let Some(step) = state.frame(thread).map(|frame| (frame.function, edge)) else { return nearest };
                let mut guesser =
                    Guesser { numbers, random, step, first: first.take(), there: None, answers: Vec::new() };
                match semantics.apply(&mut state, thread, edge, &mut guesser, &mut Silent) {
                    Ok(()) => {
                        taken = Some(edge);
                        break;
                    }
                    Err(Outcome::Disabled) => {}
                    Err(_) => return nearest,
                }
            }
            let Some(after) = taken.and_then(|edge| self.follow(place, edge, &state, thread)) else { break };
            place = after;
            nearest = nearest.min(self.goal.ends[end].left[place.1.0 as usize]);
            let Some(frame) = state.frame(thread) else { break };
            let function = self.trials.semantics.program.function(frame.function);
            next.clone_from(&function.location(frame.location).outgoing);
            let asks = |edge: &EdgeId| matches!(function.edge(*edge).action.unsettled(), Unsettled::Choice { .. });
            if next.iter().any(asks) {
                break;
            }
        }
        nearest
    }
}
