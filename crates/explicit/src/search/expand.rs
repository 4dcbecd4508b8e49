//! Expanding a state: the steps of its threads and where they lead.

use selvedge_analysis::{AbstractObject, Loads};
use selvedge_program::semantics::{Livelock, Outcome, Question, Spot, Value};
use selvedge_program::trace::{TraceEnd, TraceStep};
use selvedge_program::{Action, EdgeId, Property, Span, ThreadIndex};

use super::Search;
use crate::choices::Enumeration;
use crate::lookahead::{Free, suggest};
use crate::outlook::Next;
use crate::result::{Gap, InternalError, Subject};
use crate::table::{Certainty, End, Outline, Transition};
use crate::view::View;
use crate::visited::{Arrival, StateIndex};
use crate::world::World;

/// What became of one thread's steps at a state.
#[derive(Clone, Copy, Debug, Default)]
struct Expanded {
    /// It could move, not only by a spurious wake-up, and did not get stuck.
    moved: bool,
    /// One of its steps leads to a state that has not been expanded yet.
    fresh: bool,
}

impl Search<'_, '_> {
    /// Expands a state: a persistent set of threads, or all.
    pub(super) fn expand(&mut self, index: StateIndex, depth: u32, row: &[u32]) -> Result<(), InternalError> {
        let mut moved = false;
        self.world = None;
        self.scratch = None;
        let view = View::new(&self.parts, row);
        if let Some(section) = view.atomic_section() {
            moved = self.expand_thread(index, depth, row, section.owner)?.moved;
        } else if self.options.reductions.partial_order {
            moved = self.expand_reduced(index, depth, row)?;
        } else {
            for thread in (0..view.thread_count()).map(ThreadIndex::new) {
                if View::new(&self.parts, row).outlook(thread).next != Next::Finished {
                    moved |= self.expand_thread(index, depth, row, thread)?.moved;
                }
            }
        }
        if !moved && self.wants(Property::Deadlock) {
            let world = self.take_world(row);
            if self.mover.semantics.deadlocked(&world.state) {
                self.found(Subject::Deadlock, index, None, TraceEnd::Deadlock);
            }
            self.world = Some(world);
        }
        if self.wants(Property::Livelock) {
            self.look_for_livelock(index, row);
        }
        self.sweep();
        Ok(())
    }

    /// A livelock stays one whatever step is taken, so it is enough to look at the states that are expanded.
    fn look_for_livelock(&mut self, index: StateIndex, row: &[u32]) {
        let world = self.take_world(row);
        match self.mover.semantics.livelock(&world.state) {
            Livelock::Yes => self.found(Subject::Livelock, index, None, TraceEnd::Livelock),
            Livelock::No => {}
            Livelock::Unknown => {
                let message =
                    "whether some thread goes round for ever was not found out: too many values or steps matter";
                self.gaps.insert(Gap::Other { span: Span::NOWHERE, message: message.to_owned() });
            }
        }
        self.world = Some(world);
    }

    fn expand_reduced(&mut self, index: StateIndex, depth: u32, row: &[u32]) -> Result<bool, InternalError> {
        let view = View::new(&self.parts, row);
        let sets = self.candidates.find(view, self.starts_are_bounded(view));
        let (mut done, mut moved, mut fresh) = (0u64, 0u64, 0u64);
        let mut any = false;
        for number in 0..sets {
            let set = self.candidates.set(number);
            for position in 0..self.candidates.live().len() {
                let bit = 1u64.checked_shl(position as u32).unwrap_or(0);
                if set.is_some_and(|set| set & bit == 0) || done & bit != 0 {
                    continue;
                }
                let thread = self.candidates.live()[position];
                let result = self.expand_thread(index, depth, row, thread)?;
                any |= result.moved;
                done |= bit;
                moved |= if result.moved { bit } else { 0 };
                fresh |= if result.fresh { bit } else { 0 };
            }
            if set.is_some_and(|set| moved & set != 0 && fresh & set != 0) {
                return Ok(true);
            }
        }
        Ok(any)
    }

    /// Whether the bound on threads may hold up the next start.
    fn starts_are_bounded(&self, view: View<'_, '_, '_>) -> bool {
        self.options
            .task
            .threads
            .bound()
            .is_some_and(|bound| view.live().any(|thread| view.running_like(thread) >= bound))
    }

    fn expand_thread(
        &mut self,
        index: StateIndex,
        depth: u32,
        row: &[u32],
        thread: ThreadIndex,
    ) -> Result<Expanded, InternalError> {
        let pays = self.table.pays();
        let known = if pays { self.table.find(View::new(&self.parts, row), thread) } else { None };
        let mut expanded = Expanded::default();
        if let Some(expansion) = known {
            if cfg!(debug_assertions) {
                self.compare(index, row, thread, expansion)?;
            }
            let mut number = 0;
            while let Some(transition) = self.table.transition(expansion, number) {
                number += 1;
                transition.apply(row, &mut self.target);
                let outline = transition.outline;
                self.arrive(index, depth, row, thread, outline, &mut expanded);
            }
            return Ok(expanded);
        }
        if pays {
            self.mover.recorder.begin();
        }
        let transitions = self.take_steps(index, row, thread)?;
        for transition in &transitions {
            transition.apply(row, &mut self.target);
            self.arrive(index, depth, row, thread, transition.outline, &mut expanded);
        }
        if self.mover.recorder.end() {
            self.table.insert(&mut self.parts, row, thread, &self.mover.recorder.seen, transitions);
        }
        Ok(expanded)
    }

    /// Counts a transition to the target, and stores that.
    fn arrive(
        &mut self,
        index: StateIndex,
        depth: u32,
        row: &[u32],
        thread: ThreadIndex,
        outline: Outline,
        expanded: &mut Expanded,
    ) {
        self.statistics.transitions += 1;
        self.statistics.steps += u64::from(outline.steps);
        if outline.end == End::Nowhere {
            return;
        }
        let arrival = Arrival { parent: index, thread, edge: outline.edge, answers: outline.answers };
        let target = self.store(row, arrival, depth + 1);
        if outline.end == End::Outside {
            expanded.moved |= outline.certainty == Certainty::Certain;
            expanded.fresh |= target > index;
        }
    }

    /// The state of a row, made once for an expansion.
    fn take_world(&mut self, row: &[u32]) -> World {
        self.world.take().unwrap_or_else(|| self.parts.world(row))
    }

    /// What the semantics says to an expansion that the table knows.
    fn compare(
        &mut self,
        index: StateIndex,
        row: &[u32],
        thread: ThreadIndex,
        expansion: usize,
    ) -> Result<(), InternalError> {
        let transitions = self.take_steps(index, row, thread)?;
        if self.mover.in_budget.is_err() {
            return Ok(());
        }
        for (number, transition) in transitions.iter().enumerate() {
            assert_eq!(self.table.transition(expansion, number), Some(transition), "what the table knows of {thread}");
        }
        assert_eq!(self.table.transition(expansion, transitions.len()), None, "what the table knows of {thread}");
        Ok(())
    }

    /// Runs an expansion through the semantics. Violations are noted.
    fn take_steps(
        &mut self,
        index: StateIndex,
        row: &[u32],
        thread: ThreadIndex,
    ) -> Result<Vec<Transition>, InternalError> {
        let world = self.take_world(row);
        let mut transitions = Vec::new();
        let Some(frame) = world.state.frame(thread) else { return Ok(transitions) };
        let function = self.facts.program.function(frame.function);
        for edge in &function.location(frame.location).outgoing {
            let mut enumeration = Enumeration::new(self.options.max_choices);
            let mut looked = matches!(function.edge(*edge).action, Action::Havoc { .. });
            if looked && !self.look_ahead(&world, thread, *edge, &mut enumeration) {
                continue;
            }
            loop {
                enumeration.begin();
                self.mover.recorder.begin_transition(thread);
                let mut next = self.scratch.take().unwrap_or_else(|| world.clone());
                match self.mover.step(&mut next, thread, *edge, &mut enumeration) {
                    Ok(()) => {
                        let answers = enumeration.answers();
                        transitions.push(self.follow(row, &world, next, thread, *edge, &answers)?);
                    }
                    Err(Outcome::Disabled) => self.scratch = Some(next),
                    Err(Outcome::NeedsChoice(question)) if is_open(&question) && !looked => {
                        looked = true;
                        if self.look_ahead(&world, thread, *edge, &mut enumeration) {
                            continue;
                        }
                    }
                    Err(outcome) => self.failed(index, &world, thread, *edge, outcome, &enumeration)?,
                }
                if !enumeration.advance() {
                    break;
                }
            }
        }
        self.world = Some(world);
        Ok(transitions)
    }

    /// Finds the answers worth trying for a step that gives a register any value; `false` if there are none.
    fn look_ahead(&mut self, world: &World, thread: ThreadIndex, edge: EdgeId, enumeration: &mut Enumeration) -> bool {
        let Some(frame) = world.state.frame(thread) else { return true };
        let definition = self.facts.program.function(frame.function).edge(edge);
        let (Action::Havoc { target } | Action::Load { target, .. }) = definition.action else { return true };
        let program = self.facts.program;
        let register = program.function(frame.function).register(target);
        let object = self.loaded_object(world, thread, &definition.action);
        let free = Free { state: &world.state, thread, edge, target, object };
        let Some(mut suggestion) = suggest(self.facts, free, self.options.max_choices) else { return true };
        if register.may_be_address {
            let guesses = world.state.guesses(program, self.options.max_choices);
            suggestion.exhaustive &= guesses.are_all;
            suggestion.values.extend(guesses.values);
            // The outcome depends on which objects there are.
            self.mover.recorder.give_up();
            if object.is_some() && self.facts.loads == Loads::Settled {
                self.needs_more_facts = true;
                return false;
            }
        }
        if !suggestion.exhaustive {
            let bits = register.width;
            let sampled = self.options.sample;
            self.gaps.insert(Gap::Choice { span: definition.span, bits, sampled });
            if !sampled {
                return false;
            }
        }
        let any = !suggestion.values.is_empty();
        enumeration.suggestion = Some(suggestion.values);
        any
    }

    /// The object whose bytes a load is about to read.
    fn loaded_object(&self, world: &World, thread: ThreadIndex, action: &Action) -> Option<AbstractObject> {
        if !matches!(action, Action::Load { .. }) {
            return None;
        }
        let accesses = self.mover.semantics.accesses(&world.state, thread);
        accesses.iter().find_map(|access| match access.spot {
            Spot::Bytes { object, .. } => AbstractObject::of_instance(&world.state, object),
            Spot::Ghost(_) | Spot::Whole(_) => None,
        })
    }

    /// Goes on from a step that was taken.
    fn follow(
        &mut self,
        row: &[u32],
        before: &World,
        after: World,
        thread: ThreadIndex,
        edge: EdgeId,
        answers: &[Value],
    ) -> Result<Transition, InternalError> {
        let number = self.intern(answers);
        let certainty = match self.facts.action(before, thread, edge).is_some_and(Action::is_spurious) {
            true => Certainty::Spurious,
            false => Certainty::Certain,
        };
        let mut outline = Outline { edge, answers: number, end: End::Nowhere, steps: 1, certainty };
        if after.state.exit_status().is_some() || self.is_one_too_many(before, &after, thread, edge) {
            return Ok(Transition::new(outline, row, &[]));
        }
        let world = self
            .mover
            .follow(before, after, thread, edge, answers)
            .map_err(|outcome| InternalError::Malformed(format!("{outcome:?}")))?;
        outline.steps += self.mover.followed() as u32;
        if world.state.exit_status().is_some() {
            return Ok(Transition::new(outline, row, &[]));
        }
        let stuck = world.state.atomic_section().is_some() || self.mover.has_given_up(&world, thread);
        outline.end = if stuck { End::Stuck } else { End::Outside };
        let after = self.parts.row(Some((before, row)), &world);
        Ok(Transition::new(outline, row, &after))
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
        let Some(bound) = self.options.task.threads.bound() else { return false };
        if after.outlooks.len() == before.outlooks.len() {
            return false;
        }
        self.mover.recorder.give_up();
        let new = ThreadIndex::new(before.outlooks.len());
        let Some(entry) = after.state.thread(new).and_then(|thread| thread.frames.first()).map(|f| f.function) else {
            return false;
        };
        let too_many = after.running(entry) > bound;
        if too_many {
            let span = self.span(before, thread, edge);
            self.gaps.insert(Gap::Threads { span, entry, bound });
        }
        too_many
    }

    fn span(&self, world: &World, thread: ThreadIndex, edge: EdgeId) -> Span {
        let frame = world.state.frame(thread);
        frame.map_or(Span::NOWHERE, |f| self.facts.program.function(f.function).edge(edge).span)
    }

    /// Whether what the semantics does not do here is a matter of how much of it: calls within calls, threads, bytes.
    /// Others may have no such limit.
    fn is_a_limit(&self, world: &World, thread: ThreadIndex, edge: EdgeId) -> bool {
        let function = world.state.frame(thread).map(|frame| self.facts.program.function(frame.function));
        function.is_some_and(|function| {
            matches!(function.edge(edge).action, Action::Call { .. } | Action::Spawn { .. } | Action::Allocate { .. })
        })
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
        let function = world.state.frame(thread).map(|frame| frame.function);
        let step = || function.map(|function| TraceStep { thread, function, edge, choices: enumeration.answers() });
        match outcome {
            Outcome::AssertionFailed(check) => {
                if self.wants(Property::Assertion) {
                    self.found(Subject::Assertion(check), index, step(), TraceEnd::AssertionFailed(check));
                }
            }
            Outcome::Undefined(undefined, _) if self.wants(undefined.property()) => {
                let Some(frame) = world.state.frame(thread) else { return Ok(()) };
                let subject = Subject::Memory(frame.function, edge, undefined);
                self.found(subject, index, step(), TraceEnd::Undefined(undefined));
            }
            Outcome::Undefined(undefined, _) => {
                self.gaps.insert(Gap::Undefined { span, undefined });
            }
            Outcome::Unsupported(message) if self.is_a_limit(world, thread, edge) => {
                self.gaps.insert(Gap::Other { span, message });
            }
            Outcome::Unsupported(what) => {
                self.gaps.insert(Gap::Unsupported { span, what });
            }
            Outcome::NeedsChoice(_) => {
                if let Some(too_many) = enumeration.too_many {
                    self.gaps.insert(Gap::Choice { span, bits: too_many.bits, sampled: too_many.sampled });
                }
            }
            Outcome::Internal(message) => return Err(InternalError::Malformed(message)),
            Outcome::Disabled => {}
        }
        Ok(())
    }
}

/// Whether any number is an answer.
fn is_open(question: &Question) -> bool {
    match question {
        Question::Number { free, .. } => free.is_ones(),
        Question::Address { .. } => true,
        Question::Thread(_) => false,
    }
}
