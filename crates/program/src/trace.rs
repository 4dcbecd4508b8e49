//! Traces: a schedule, the answers to its open questions, and what it claims to show. [`replay`] checks the claim.

use thiserror::Error;

use crate::semantics::{Answers, Effects, Livelock, Outcome, Race, Semantics, State, Value};
use crate::{Action, CheckId, EdgeId, FunctionId, Interference, Program, Span, ThreadIndex, Undefined};

/// One step of a trace.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TraceStep {
    /// Who moves.
    pub thread: ThreadIndex,
    /// The function that it is in.
    pub function: FunctionId,
    /// Along which edge of the function.
    pub edge: EdgeId,
    /// The answers to the step's questions, in order; most steps ask none.
    pub choices: Vec<Value>,
}

/// What a trace claims to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TraceEnd {
    /// The last step fails an assertion.
    AssertionFailed(CheckId),
    /// The last step is undefined.
    Undefined(Undefined),
    /// After the last step these threads race.
    Race(ThreadIndex, ThreadIndex),
    /// After the last step there are live threads, none of which can move.
    Deadlock,
    /// After the last step some thread goes round for ever, and nothing else ever happens.
    Livelock,
    /// Between two of the steps another thread interferes.
    Interfered(Interference),
    /// Nothing but that the steps are possible.
    Nothing,
}

/// A trace from the initial state.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Trace {
    /// The steps. Where the end is a failure, the last one is the step that fails.
    pub steps: Vec<TraceStep>,
    /// What they show.
    pub end: TraceEnd,
}

/// A trace that the semantics has followed to its end.
#[derive(Clone, Debug)]
pub struct Replay {
    /// What every step did; a failing last step has none.
    pub effects: Vec<Effects>,
    /// Where every step is in the source, a failing last one included.
    pub spans: Vec<Span>,
    /// The state before the failing step, or else after the last.
    pub state: State,
    /// The races between the two threads, if that is the claim.
    pub races: Vec<Race>,
    /// How the last step fails, if that is the claim.
    pub outcome: Option<Outcome>,
}

impl Replay {
    /// The place in the user's code that a trace is about.
    pub fn principal_span(&self, program: &Program, trace: &Trace) -> Span {
        match trace.end {
            TraceEnd::Race(..) => {
                let access = self.races.first().map(|race| race.first);
                access.map_or(Span::NOWHERE, |access| self.user_span(program, access.thread, Some(access.edge)))
            }
            TraceEnd::Interfered(interference) => self.spans.get(interference.first).copied().unwrap_or(Span::NOWHERE),
            TraceEnd::Deadlock | TraceEnd::Livelock => {
                let waiting = self.state.thread_indices().find(|thread| self.state.is_live(*thread));
                waiting.map_or(Span::NOWHERE, |thread| self.user_span(program, thread, None))
            }
            TraceEnd::AssertionFailed(_) | TraceEnd::Undefined(_) | TraceEnd::Nothing => {
                let last = trace.steps.last();
                last.map_or(Span::NOWHERE, |step| self.user_span(program, step.thread, Some(step.edge)))
            }
        }
    }

    /// The place of a thread's next step at the end, or of the call in the user's code that it is within.
    pub fn user_span(&self, program: &Program, thread: ThreadIndex, edge: Option<EdgeId>) -> Span {
        user_place(program, &self.state, thread, edge).map_or(Span::NOWHERE, |(_, span)| span)
    }
}

/// The function of the user's that a thread is in, and the place there of its next step or of the call that the step is
/// within.
pub fn user_place(
    program: &Program,
    state: &State,
    thread: ThreadIndex,
    edge: Option<EdgeId>,
) -> Option<(FunctionId, Span)> {
    let mut places = state.thread(thread)?.frames.iter().rev().enumerate().filter_map(|(depth, frame)| {
        let function = program.function(frame.function);
        let span = match (depth, edge) {
            (0, Some(edge)) => Some(function.edge(edge).span),
            (0, None) => function.location(frame.location).outgoing.first().map(|edge| function.edge(*edge).span),
            _ => function
                .edges
                .iter()
                .find(|edge| edge.target == frame.location && matches!(edge.action, Action::Call { .. }))
                .map(|edge| edge.span),
        };
        Some((frame.function, span?))
    });
    places.find(|(_, span)| program.is_the_users(*span))
}

/// Why a trace does not show what it claims.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ReplayError {
    /// The program cannot start.
    #[error("the program has no initial state: {0:?}")]
    Start(Outcome),
    /// A step that is not a step of the semantics.
    #[error("step {step} by {thread} along {edge} fails: {outcome:?}")]
    Step {
        /// Which, from 0.
        step: usize,
        /// Who moves.
        thread: ThreadIndex,
        /// The edge.
        edge: EdgeId,
        /// What it leads to instead.
        outcome: Outcome,
    },
    /// The thread that moves is in another function.
    #[error("{thread} is not in {function} at step {step}")]
    Elsewhere {
        /// Which step, from 0.
        step: usize,
        /// Who moves.
        thread: ThreadIndex,
        /// Where it is said to be.
        function: FunctionId,
    },
    /// A step gave answers to questions that were not asked.
    #[error("step {step} leaves answers over")]
    UnusedChoices {
        /// Which, from 0.
        step: usize,
    },
    /// The steps are possible, but they do not show what is claimed.
    #[error("the trace does not end in {0:?}")]
    Unproven(TraceEnd),
}

/// Follows a trace step by step, and checks its claim.
pub fn replay(program: &Program, trace: &Trace) -> Result<Replay, ReplayError> {
    let semantics = Semantics::new(program);
    let mut state = semantics.initial().map_err(ReplayError::Start)?;
    let mut effects = Vec::with_capacity(trace.steps.len());
    let mut spans = Vec::with_capacity(trace.steps.len());
    let last = trace.steps.len().wrapping_sub(1);
    for (position, step) in trace.steps.iter().enumerate() {
        let TraceStep { thread, function, .. } = *step;
        if state.frame(thread).is_some_and(|frame| frame.function != function) {
            return Err(ReplayError::Elsewhere { step: position, thread, function });
        }
        let edges = state.frame(thread).map_or(&[][..], |frame| &program.function(frame.function).edges);
        spans.push(edges.get(step.edge.index()).map_or(Span::NOWHERE, |edge| edge.span));
        let mut answers = Answers::new(&step.choices);
        match semantics.step(&state, step.thread, step.edge, &mut answers) {
            Ok((next, done)) => {
                state = next;
                effects.push(done);
            }
            Err(outcome) if position == last && shows(trace.end, &outcome) => {
                return Ok(Replay { effects, spans, state, races: Vec::new(), outcome: Some(outcome) });
            }
            Err(outcome) => {
                return Err(ReplayError::Step { step: position, thread: step.thread, edge: step.edge, outcome });
            }
        }
        if answers.0.next().is_some() {
            return Err(ReplayError::UnusedChoices { step: position });
        }
    }
    let mut races = Vec::new();
    let holds = match trace.end {
        TraceEnd::Nothing => true,
        TraceEnd::Interfered(interference) => interference.accesses(&effects).is_some(),
        TraceEnd::Deadlock => semantics.deadlocked(&state),
        TraceEnd::Livelock => semantics.livelock(&state) == Livelock::Yes,
        TraceEnd::Race(a, b) => {
            let (a, b) = (a.min(b), a.max(b));
            races = semantics.races(&state);
            races.retain(|race| race.first.thread == a && race.second.thread == b);
            !races.is_empty()
        }
        TraceEnd::AssertionFailed(_) | TraceEnd::Undefined(_) => false,
    };
    if holds {
        Ok(Replay { effects, spans, state, races, outcome: None })
    } else {
        Err(ReplayError::Unproven(trace.end))
    }
}

/// Whether an outcome is what a trace claims.
fn shows(end: TraceEnd, outcome: &Outcome) -> bool {
    match (end, outcome) {
        (TraceEnd::AssertionFailed(claimed), Outcome::AssertionFailed(check)) => claimed == *check,
        (TraceEnd::Undefined(claimed), Outcome::Undefined(undefined, _)) => claimed == *undefined,
        _ => false,
    }
}
