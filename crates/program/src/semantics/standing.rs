//! Whether threads can move: enabled edges, waiting, deadlock.

use crate::semantics::effects::Silent;
use crate::semantics::eval::Evaluator;
use crate::semantics::outcome::{Answers, Outcome, Question};
use crate::semantics::state::State;
use crate::semantics::{AccessKind, Semantics, place, step};
use crate::{Action, EdgeId, ThreadIndex, Unsettled};

/// How a thread stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Standing {
    /// It has an edge to take, perhaps one that fails or is undefined.
    Able,
    /// It would be able to move, but another thread is in an atomic section.
    HeldUp,
    /// It waits for an atomic update's guard; at most a spurious wake-up could move it.
    Waiting,
    /// It stands where an assumption of the program (`__VERIFIER_assume`) does not hold: this execution is given up.
    Abandoned,
    /// It has finished, or the process has ended.
    Finished,
}

/// An edge that a thread can take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Enabled {
    /// The edge.
    pub edge: EdgeId,
    /// Whether the step asks at least one question.
    pub needs_choice: bool,
    /// Whether it is only a spurious wake-up.
    pub spurious: bool,
}

impl Semantics<'_> {
    /// The edges that a thread can take, in the order of its location. An edge that leads to an outcome rather than to
    /// a state is among them: taking it shows the outcome.
    pub fn enabled(&self, state: &State, thread: ThreadIndex) -> Vec<Enabled> {
        if state.atomic.is_some_and(|section| section.owner != thread) {
            return Vec::new();
        }
        self.passable(state, thread)
    }

    /// The edges whose guards hold, whoever may move.
    fn passable(&self, state: &State, thread: ThreadIndex) -> Vec<Enabled> {
        let Some(frame) = state.frame(thread).filter(|_| state.is_live(thread)) else { return Vec::new() };
        let function = self.program.function(frame.function);
        let passable = |edge: &EdgeId| {
            let action = &function.edge(*edge).action;
            let asks = match self.probe(state, thread, *edge, action) {
                Some(Outcome::Disabled) => return None,
                outcome => matches!(outcome, Some(Outcome::NeedsChoice(_))),
            };
            Some(Enabled { edge: *edge, needs_choice: asks, spurious: action.is_spurious() })
        };
        function.location(frame.location).outgoing.iter().filter_map(passable).collect()
    }

    /// What keeps an edge from leading to a state when no question is answered, as far as waiting and questions go.
    fn probe(&self, state: &State, thread: ThreadIndex, edge: EdgeId, action: &Action) -> Option<Outcome> {
        let evaluator = Evaluator::of_thread(self.program, state, thread);
        match action.unsettled() {
            Unsettled::Nothing => None,
            Unsettled::Condition(condition) => match evaluator.holds(condition) {
                Ok(true) => None,
                Ok(false) => Some(Outcome::Disabled),
                Err(outcome) => Some(outcome),
            },
            Unsettled::Choice { target } => {
                let register = self.program.function(state.frame(thread)?.function).register(target);
                Some(Outcome::NeedsChoice(Question::any_for(register)))
            }
            Unsettled::Read { target, access, interpretation } => {
                let register = self.program.function(state.frame(thread)?.function).register(target);
                let spot = place::resolve(&evaluator, &access.place, AccessKind::Read);
                match spot.and_then(|spot| place::read(&evaluator, spot, register, interpretation)) {
                    Ok(value) => value.err().map(Outcome::NeedsChoice),
                    Err(outcome) => Some(outcome),
                }
            }
            Unsettled::Update => {
                step::perform(self, &mut state.clone(), thread, edge, &mut Answers::new(&[]), &mut Silent).err()
            }
        }
    }

    /// How a thread stands.
    pub fn standing(&self, state: &State, thread: ThreadIndex) -> Standing {
        let Some(frame) = state.frame(thread).filter(|_| state.is_live(thread)) else { return Standing::Finished };
        if self.passable(state, thread).iter().any(|enabled| !enabled.spurious) {
            let held_up = state.atomic.is_some_and(|section| section.owner != thread);
            return if held_up { Standing::HeldUp } else { Standing::Able };
        }
        let function = self.program.function(frame.function);
        let outgoing = &function.location(frame.location).outgoing;
        if outgoing.iter().any(|edge| matches!(function.edge(*edge).action, Action::Atomic(_))) {
            Standing::Waiting
        } else {
            Standing::Abandoned
        }
    }

    /// Whether there are live threads, none of which can move but by a spurious wake-up. An execution that is given up
    /// because an assumption does not hold is not deadlocked.
    pub fn deadlocked(&self, state: &State) -> bool {
        let mut waiting = false;
        for thread in state.thread_indices() {
            match self.standing(state, thread) {
                Standing::Able | Standing::Abandoned => return false,
                Standing::Waiting | Standing::HeldUp => waiting = true,
                Standing::Finished => {}
            }
        }
        waiting
    }
}
