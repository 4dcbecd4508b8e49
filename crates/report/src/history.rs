//! A trace once more, state by state: where in the user's code each step is, and which locks its thread holds then.
//!
//! A replay keeps what steps did, and the last state; a report also wants what was so on the way.

use crate::names::Names;
use selvedge_program::semantics::{Answers, Instance, Semantics, State};
use selvedge_program::trace::{Replay, Trace, user_place};
use selvedge_program::{FunctionId, GhostField, Program, Span, ThreadIndex};

/// What is so at a step.
#[derive(Clone, Debug)]
pub struct Moment {
    /// The innermost function of the user's that the thread is in.
    pub function: Option<FunctionId>,
    /// Where in it: the step itself, or the call that it is within.
    pub span: Span,
    /// The locks that the thread holds afterwards.
    pub held: Vec<Lock>,
}

/// A lock: the object it lies in, and where in that.
pub type Lock = (Instance, u64);

/// A trace with all its moments, and the names of what occurs in it.
#[derive(Debug)]
pub struct History<'a> {
    /// A moment for each step; a last step that fails has one too.
    pub moments: Vec<Moment>,
    /// The names.
    pub names: Names<'a>,
}

impl<'a> History<'a> {
    /// Follows a trace that has been replayed.
    pub fn of(program: &'a Program, trace: &Trace, replay: &'a Replay) -> Self {
        let mut names = Names::new(program, &replay.state);
        names.allocations(replay);
        let mut moments = Vec::with_capacity(trace.steps.len());
        let semantics = Semantics::new(program);
        let mut state = semantics.initial().ok();
        for step in &trace.steps {
            let Some(before) = &state else { break };
            names.locals(before);
            let place = user_place(program, before, step.thread, Some(step.edge));
            let after = semantics.step(before, step.thread, step.edge, &mut Answers::new(&step.choices)).ok();
            let after = after.map(|(after, _)| after);
            let held = after.as_ref().map_or_else(Vec::new, |after| locks_held(after, step.thread));
            let (function, span) = place.map_or((None, Span::NOWHERE), |(function, span)| (Some(function), span));
            moments.push(Moment { function, span, held });
            state = after;
        }
        names.locals(&replay.state);
        names.find_holders(replay);
        History { moments, names }
    }
}

/// The locks that a thread holds.
pub fn locks_held(state: &State, thread: ThreadIndex) -> Vec<Lock> {
    let is_owner = |field| matches!(field, GhostField::MutexOwner | GhostField::WriteOwner | GhostField::SpinOwner);
    let owned = state.ghosts().filter(|(key, value)| {
        let owner = value.as_pointer().map(|pointer| pointer.object);
        is_owner(key.field) && owner == Some(Instance::Thread(thread))
    });
    owned.filter_map(|(key, _)| Some((key.object?, key.offset))).collect()
}
