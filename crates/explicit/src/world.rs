//! A state together with its threads' outlooks, and how both move on.
//!
//! # Fusion
//!
//! After a step, the thread goes on by itself while its next step is certain and cannot be told apart by any other
//! thread: it touches no contended object, or (with partial-order reduction) none that another thread that is there may
//! ever use, or the thread is in an atomic section anyway. The states in between are not stored. This is exploring a
//! persistent set of one thread (see [`persistent`](crate::persistent)) without storing the state. A chain is cut off
//! after a number of steps and the state stored, so that a thread that runs forever by itself closes a cycle of stored
//! states. It never enters an atomic section, since a thread that gets stuck in one holds up all others.

use std::sync::Arc;

use selvedge_program::semantics::eval::Evaluator;
use selvedge_program::semantics::{Answers, Chooser, Outcome, Semantics, State, Value};
use selvedge_program::trace::TraceStep;
use selvedge_program::{Action, Budget, EdgeId, Exhausted, FunctionId, ThreadIndex};

use crate::footprints::{Footprints, Visibility};
use crate::options::Options;
use crate::outlook::{Next, Outlook, Outlooks};
use crate::predicted::Predicted;
use crate::record::{Recorder, Relation};

/// A state and the outlooks of its threads.
#[derive(Clone, Debug)]
pub struct World {
    /// The state.
    pub state: State,
    /// By thread.
    pub outlooks: Vec<Arc<Outlook>>,
}

impl World {
    /// The threads that have not finished.
    pub fn live(&self) -> impl Iterator<Item = ThreadIndex> + '_ {
        (0..self.outlooks.len()).map(ThreadIndex::new).filter(|thread| self.outlook(*thread).next != Next::Finished)
    }

    /// A thread's outlook.
    pub fn outlook(&self, thread: ThreadIndex) -> &Outlook {
        &self.outlooks[thread.index()]
    }

    /// How many live threads began with a function.
    pub fn running(&self, entry: FunctionId) -> usize {
        let began = |thread: &ThreadIndex| {
            self.state.thread(*thread).and_then(|thread| thread.frames.first()).is_some_and(|f| f.function == entry)
        };
        self.live().filter(began).count()
    }
}

/// While more threads than this are alive, no more are started ahead of what the others do: a thread that starts others
/// for ever would leave them no state to move in.
pub const MANY: usize = 8;

/// How many steps pass between looks at the budget.
const POLL: u64 = 16;

/// Moves worlds on.
#[derive(Debug)]
pub struct Mover<'f, 'p> {
    facts: &'f Footprints<'p>,
    /// The judge.
    pub semantics: Semantics<'p>,
    options: &'f Options,
    outlooks: Outlooks<'f, 'p>,
    /// How many steps have been taken.
    pub steps: u64,
    /// What the steps look at.
    pub recorder: Recorder,
    log: Vec<(ThreadIndex, FunctionId, EdgeId)>,
    /// Whether the outlook of the thread whose chain is running is that of an earlier state.
    stale: bool,
    /// What may be spent.
    pub budget: Budget,
    /// Whether no limit has ended a chain: if one has, the world at its end is not that at which it would end, and of no
    /// use.
    pub in_budget: Result<(), Exhausted>,
}

/// How a chain of fused steps ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ChainEnd {
    /// At a step to be considered on its own; the world is as it was before that step.
    Settled,
    /// The last step in the log failed or is to be considered on its own; the world is of no use.
    Spoilt,
}

impl<'f, 'p> Mover<'f, 'p> {
    /// For one exploration.
    pub fn new(facts: &'f Footprints<'p>, options: &'f Options) -> Self {
        Self {
            facts,
            semantics: Semantics::new(facts.program),
            options,
            outlooks: Outlooks::new(facts),
            steps: 0,
            recorder: Recorder::default(),
            log: Vec::new(),
            stale: false,
            budget: Budget::unlimited(),
            in_budget: Ok(()),
        }
    }

    /// The world in which `main` starts, moved on as far as it goes by itself, and the steps of that.
    pub fn initial(&mut self) -> Result<(World, Vec<TraceStep>), Outcome> {
        let state = self.semantics.initial()?;
        let outlook = Arc::new(self.outlooks.of(&state, ThreadIndex(0)));
        let start = World { state, outlooks: vec![outlook] };
        let world = self.settle(start.clone(), ThreadIndex(0), 1, |_, world| {
            *world = start.clone();
            Ok(())
        })?;
        Ok((world, self.take_log()))
    }

    /// Takes one step in place, without what follows from it. Outlooks are made for new threads, but that of the thread
    /// that has moved is left as it was.
    pub fn step(
        &mut self,
        world: &mut World,
        thread: ThreadIndex,
        edge: EdgeId,
        chooser: &mut dyn Chooser,
    ) -> Result<(), Outcome> {
        let Some(frame) = world.state.frame(thread) else { return Err(Outcome::Disabled) };
        let action = &self.facts.program.function(frame.function).edge(edge).action;
        self.recorder.looks_at(&world.state, thread);
        let predicted =
            if cfg!(debug_assertions) { Some(Predicted::of(self.facts, &world.state, thread, edge)) } else { None };
        let mut listener = self.recorder.listen(action, predicted);
        self.semantics.apply(&mut world.state, thread, edge, chooser, &mut listener)?;
        self.steps += 1;
        while world.outlooks.len() < world.state.thread_count() {
            let new = ThreadIndex::new(world.outlooks.len());
            self.recorder.started(new);
            world.outlooks.push(Arc::new(self.outlooks.of(&world.state, new)));
        }
        if world.state.frame(thread).is_none() {
            // Whether the process ends with the thread depends on the others.
            self.any_other(world, thread, Relation::Lives);
        }
        Ok(())
    }

    /// Lets the thread that has just taken a step go on as far as it goes by itself, and so any thread that it has
    /// started.
    pub fn follow(
        &mut self,
        before: &World,
        after: World,
        thread: ThreadIndex,
        edge: EdgeId,
        answers: &[Value],
    ) -> Result<World, Outcome> {
        self.settle(after, thread, before.outlooks.len(), |mover, world| {
            *world = before.clone();
            mover.step(world, thread, edge, &mut Answers::new(answers))
        })
    }

    /// How many steps followed the last one given to [`Mover::follow`].
    pub fn followed(&self) -> usize {
        self.log.len()
    }

    /// The same, telling which steps were taken, the first included.
    pub fn retrace(
        &mut self,
        before: &World,
        thread: ThreadIndex,
        edge: EdgeId,
        answers: &[Value],
    ) -> Result<(World, Vec<TraceStep>), Outcome> {
        let mut after = before.clone();
        self.step(&mut after, thread, edge, &mut Answers::new(answers))?;
        let Some(function) = before.state.frame(thread).map(|frame| frame.function) else {
            return Err(Outcome::Disabled);
        };
        let mut steps = vec![TraceStep { thread, function, edge, choices: answers.to_vec() }];
        let world = self.follow(before, after, thread, edge, answers)?;
        steps.extend(self.take_log());
        Ok((world, steps))
    }

    fn take_log(&mut self) -> Vec<TraceStep> {
        let step = |(thread, function, edge)| TraceStep { thread, function, edge, choices: Vec::new() };
        self.log.drain(..).map(step).collect()
    }

    /// Runs the chain. Should a step of it fail, the world is made anew up to there.
    fn settle(
        &mut self,
        mut world: World,
        thread: ThreadIndex,
        known: usize,
        restore: impl Fn(&mut Self, &mut World) -> Result<(), Outcome>,
    ) -> Result<World, Outcome> {
        self.log.clear();
        if self.chain(&mut world, thread, known, self.options.chain) == ChainEnd::Spoilt {
            self.log.pop();
            let steps = self.log.len();
            self.log.clear();
            restore(self, &mut world)?;
            if self.chain(&mut world, thread, known, steps) == ChainEnd::Spoilt {
                return Err(Outcome::Internal("a chain of steps does not repeat".to_owned()));
            }
        }
        Ok(world)
    }

    /// Runs the chain of a thread, then those of the threads from `known` on, which are new, and of those that have
    /// waited for its end.
    fn chain(&mut self, world: &mut World, first: ThreadIndex, known: usize, limit: usize) -> ChainEnd {
        let mut waiting: Vec<ThreadIndex> = (known..world.outlooks.len()).map(ThreadIndex::new).collect();
        let mut next = Some(first);
        while let Some(thread) = next {
            self.recorder.runs(thread);
            let known = world.outlooks.len();
            let end = self.chain_of(world, thread, limit);
            waiting.extend((known..world.outlooks.len()).map(ThreadIndex::new));
            if end == ChainEnd::Spoilt {
                return end;
            }
            if self.stale {
                self.look_again(world, thread);
            }
            if world.outlook(thread).next == Next::Finished && world.outlooks.len() > 1 {
                self.recorder.asked(Relation::WaitsFor, thread, &world.outlooks[thread.index()]);
                let before = waiting.len();
                waiting.extend(world.live().filter(|other| world.outlook(*other).watches.contains(&thread)));
                if waiting.len() > before + 1 {
                    self.recorder.give_up();
                }
            }
            next = waiting.pop();
        }
        ChainEnd::Settled
    }

    fn chain_of(&mut self, world: &mut World, thread: ThreadIndex, limit: usize) -> ChainEnd {
        self.stale = true;
        while self.log.len() < limit && self.goes_on(world, thread) {
            let Some(edge) = self.only_edge(&world.state, thread) else { break };
            let Some(function) = world.state.frame(thread).map(|frame| frame.function) else { break };
            self.stale = true;
            if self.steps.is_multiple_of(POLL) {
                self.in_budget = self.in_budget.and_then(|()| self.budget.check());
            }
            if self.in_budget.is_err() {
                break;
            }
            match self.step(world, thread, edge, &mut Answers::new(&[])) {
                Ok(()) => {
                    self.log.push((thread, function, edge));
                    if self.has_given_up(world, thread) {
                        return ChainEnd::Spoilt;
                    }
                }
                Err(Outcome::Disabled) => break,
                Err(_) => {
                    self.log.push((thread, function, edge));
                    return ChainEnd::Spoilt;
                }
            }
        }
        ChainEnd::Settled
    }

    /// The world with only these threads, numbered anew; see [`State::with_only`].
    pub fn with_only(&mut self, world: &World, kept: &[ThreadIndex]) -> World {
        let state = world.state.with_only(kept);
        let outlooks = state.thread_indices().map(|thread| Arc::new(self.outlooks.of(&state, thread))).collect();
        World { state, outlooks }
    }

    /// Whether a thread has come to where an assumption does not hold, in a program where that matters to others: a
    /// state counts as deadlocked only if no thread has given up, so a thread that is held up by another's atomic
    /// section must be looked at before it does.
    pub fn has_given_up(&mut self, world: &World, thread: ThreadIndex) -> bool {
        if !self.facts.has_sections {
            return false;
        }
        self.recorder.looks_at(&world.state, thread);
        let Some(frame) = world.state.frame(thread) else { return false };
        let function = self.facts.program.function(frame.function);
        let evaluator = Evaluator::of_thread(self.facts.program, &world.state, thread);
        function.location(frame.location).outgoing.iter().all(|edge| {
            matches!(&function.edge(*edge).action, Action::Assume(condition) if evaluator.holds(condition) == Ok(false))
        })
    }

    fn look_again(&mut self, world: &mut World, thread: ThreadIndex) {
        self.recorder.looks_at(&world.state, thread);
        world.outlooks[thread.index()] = Arc::new(self.outlooks.of(&world.state, thread));
        self.stale = false;
    }

    /// Whether the next step of a thread may be taken before those of all others.
    fn goes_on(&mut self, world: &mut World, thread: ThreadIndex) -> bool {
        if !self.options.reductions.fusion || world.state.exit_status().is_some() {
            return false;
        }
        let Some(frame) = world.state.frame(thread) else { return false };
        let private = self.facts.visibility(frame.function, frame.location) == Visibility::Private;
        if let Some(section) = world.state.atomic_section() {
            if section.owner != thread || private {
                return section.owner == thread;
            }
            self.look_again(world, thread);
            let next = world.outlook(thread).next;
            return next != Next::Exit && next != Next::Start && !self.any_other(world, thread, Relation::Races);
        }
        if private {
            return true;
        }
        self.look_again(world, thread);
        let outlook = Arc::clone(&world.outlooks[thread.index()]);
        match outlook.next {
            Next::Private => true,
            Next::Exit | Next::Finished | Next::Section => false,
            Next::Start if self.options.task.threads.bound().is_some() || self.are_many_alive(world, thread) => false,
            Next::Visible | Next::Start => {
                outlook.is_independent()
                    || self.options.reductions.partial_order && !self.any_other(world, thread, Relation::Conflicts)
            }
        }
    }

    /// Whether more than [`MANY`] threads are alive, of which one is given.
    fn are_many_alive(&mut self, world: &World, thread: ThreadIndex) -> bool {
        if world.outlooks.len() <= MANY {
            return false;
        }
        self.recorder.asked(Relation::Number, thread, &world.outlooks[thread.index()]);
        world.live().count() > MANY
    }

    /// Asks the other live threads something about a thread's outlook.
    fn any_other(&mut self, world: &World, thread: ThreadIndex, relation: Relation) -> bool {
        let outlook = &world.outlooks[thread.index()];
        let mut others = world.live().filter(|other| *other != thread);
        let holds = |other: ThreadIndex| holds(relation, thread, outlook, other, world.outlook(other));
        if world.live().any(|other| other != thread && self.recorder.has_run(other) && holds(other)) {
            return true;
        }
        self.recorder.asked(relation, thread, outlook);
        others.any(holds)
    }

    /// The edge that a thread takes next, if it is plain that there is one and that it asks nothing.
    fn only_edge(&mut self, state: &State, thread: ThreadIndex) -> Option<EdgeId> {
        self.recorder.looks_at(state, thread);
        let frame = state.frame(thread)?;
        let function = self.facts.program.function(frame.function);
        let outgoing = &function.location(frame.location).outgoing;
        if let [edge] = outgoing.as_slice() {
            return (!matches!(function.edge(*edge).action, Action::Havoc { .. })).then_some(*edge);
        }
        let evaluator = Evaluator::of_thread(self.facts.program, state, thread);
        let mut found = None;
        for edge in outgoing {
            let Action::Assume(condition) = &function.edge(*edge).action else { return None };
            if evaluator.holds(condition).ok()? && found.replace(*edge).is_some() {
                return None;
            }
        }
        found
    }
}

/// Whether a relation holds between a thread with an outlook and another that is alive.
pub fn holds(relation: Relation, thread: ThreadIndex, outlook: &Outlook, other: ThreadIndex, others: &Outlook) -> bool {
    match relation {
        Relation::Conflicts => outlook.conflicts_with(other, others),
        Relation::Races => outlook.may_race(others),
        Relation::WaitsFor => others.watches.contains(&thread),
        Relation::Lives | Relation::Number => true,
    }
}
