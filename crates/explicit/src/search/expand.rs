//! Expanding a state: the steps of its threads and where they lead.

use selvedge_program::semantics::standing::is_spurious;
use selvedge_program::semantics::{Outcome, Question, Value};
use selvedge_program::trace::{TraceEnd, TraceStep};
use selvedge_program::{Action, EdgeId, Property, Span, ThreadIndex};

use super::Search;
use crate::choices::Enumeration;
use crate::lookahead::suggest;
use crate::persistent;
use crate::result::{Cut, InternalError, Subject};
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

impl Search<'_, '_> {
    /// Expands a state: a persistent set of threads, or all.
    pub(super) fn expand(&mut self, index: StateIndex, depth: u64, world: &World) -> Result<(), InternalError> {
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

    fn span(&self, world: &World, thread: ThreadIndex, edge: EdgeId) -> Span {
        let frame = world.state.frame(thread);
        frame.map_or(Span::NOWHERE, |f| self.facts.program.function(f.function).edge(edge).span)
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
}

/// Whether any number is an answer.
fn is_open(question: &Question) -> bool {
    matches!(question, Question::Number { free, .. } if free.is_ones())
}
