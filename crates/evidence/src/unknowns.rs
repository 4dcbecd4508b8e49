//! Whether a violation rests on a guess: on what a function or variable that nobody defines gives or does.
//!
//! Executions go on after such a function with anything that it may give, so that nothing is missed, and what is found
//! there may be none of the program's. A schedule that was replayed is followed once more with *marks* on the values
//! that come from there (`marks.rs`, `walk.rs`), through registers, memory, calls and threads. What it shows rests on a guess if
//! - an assertion fails, or something is undefined, by a value or an address that is marked; of one that fails whatever
//!   holds (`reach_error`), by the condition that led to its line;
//! - an access is the guessed one's own, but for one to what is dead, which nobody may be given;
//! - two accesses meet at an address of which one is marked, but for those that are led there by the same one;
//! - a thread waits for something at such an address or of such a value.
//!
//! What decides a branch on the way does not count: that a call may succeed or fail, or answer one thing or another, is
//! for its caller to deal with.

mod marks;
mod walk;

use marks::Marks;
use selvedge_program::semantics::{Effects, Outcome, Race, State};
use selvedge_program::trace::{Replay, Trace, TraceEnd};
use selvedge_program::{Action, AtomicStep, EdgeId, Expr, Program, Span, ThreadIndex, Undefined, Unknown, UnknownId};
use std::collections::BTreeSet;
use walk::{Reached, Walk};

/// Something that nobody knows and on which a violation rests.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Guess {
    /// Who does it.
    pub unknown: Unknown,
    /// Where: the call, or where the variable gets its contents.
    pub span: Span,
    /// What it does in the schedule, to be put after who.
    pub what: String,
}

/// What the violation that a replayed trace shows rests on: nothing if it is one whatever is not known. Of several races
/// only those are kept that rest on nothing, if there are any.
pub fn guesses(program: &Program, trace: &Trace, replay: &mut Replay) -> Vec<Guess> {
    if program.unknowns.is_empty() {
        return Vec::new();
    }
    let mut walk = Walk::new(program, trace);
    for (position, (step, effects)) in trace.steps.iter().zip(&replay.effects).enumerate() {
        walk.step(position, step, effects);
    }
    let ground = match trace.end {
        TraceEnd::Race(..) => {
            let grounds: Vec<Ground> = replay.races.iter().map(|race| of_race(&walk, race, &replay.state)).collect();
            if grounds.iter().any(Ground::is_firm) {
                let mut firm = grounds.iter().map(Ground::is_firm);
                replay.races.retain(|_| firm.next().unwrap_or(true));
                return Vec::new();
            }
            grounds.into_iter().next().unwrap_or_default()
        }
        TraceEnd::AssertionFailed(_) | TraceEnd::Undefined(_) => of_failure(&walk, trace, replay),
        TraceEnd::Deadlock | TraceEnd::Livelock => of_standing(&walk, &replay.state),
        TraceEnd::Interfered(found) => {
            let accesses = [found.first, found.between, found.second].map(|step| walk.interfering.get(&step));
            met(&accesses.into_iter().flatten().collect::<Vec<_>>())
        }
        TraceEnd::Nothing => Ground::default(),
    };
    told(&walk, &ground, &replay.effects)
}

/// What something rests on.
#[derive(Clone, Debug, Default)]
struct Ground {
    /// What it follows from.
    marks: Marks,
    /// Whose accesses it is about, where these are somebody unknown's.
    own: Vec<(UnknownId, Span)>,
}

impl Ground {
    /// Whether there is nothing that nobody knows.
    fn is_firm(&self) -> bool {
        self.marks.is_empty() && self.own.is_empty()
    }
}

/// What it rests on that accesses meet.
fn met(accesses: &[&Reached]) -> Ground {
    let own = accesses.iter().filter_map(|access| access.stub).collect();
    let all = accesses.iter().fold(Marks::default(), |marks, access| marks.and(&access.marks));
    let are_led_alike = accesses.windows(2).all(|two| two[0].marks.addresses == two[1].marks.addresses);
    let is_same = all.numbers.is_empty() && are_led_alike;
    Ground { marks: if is_same { Marks::default() } else { all }, own }
}

fn of_race(walk: &Walk<'_>, race: &Race, state: &State) -> Ground {
    let [first, second] = [race.first, race.second].map(|access| pending(walk, state, access.thread, access.edge));
    let reached: Vec<&Reached> = [&first, &second].into_iter().flatten().collect();
    met(&reached)
}

/// An access that is about to be made.
fn pending(walk: &Walk<'_>, state: &State, thread: ThreadIndex, edge: EdgeId) -> Option<Reached> {
    let edge = walk.program.function(state.frame(thread)?.function).edge(edge);
    let later = walk.looking(thread, edge, state);
    Some(Reached { marks: later.addresses(thread, &edge.action), stub: walk.stub(thread, edge) })
}

/// What it rests on that the last step of a trace fails.
fn of_failure(walk: &Walk<'_>, trace: &Trace, replay: &Replay) -> Ground {
    let Some(last) = trace.steps.last() else { return Ground::default() };
    let (thread, edge) = (last.thread, walk.program.function(last.function).edge(last.edge));
    let later = walk.looking(thread, edge, &replay.state);
    let marks = match (&edge.action, &replay.outcome) {
        (Action::Assert { condition, .. } | Action::Require { condition, .. }, _) => match condition {
            Expr::Constant(_) => walk.branch(thread),
            condition => later.of(thread, condition),
        },
        (action, Some(Outcome::Undefined(undefined, Some(culprit)))) => {
            let called = match action {
                Action::Call { callee, .. } | Action::Spawn { entry: callee, .. } => callee.pointer(),
                _ => None,
            };
            let address = later.addresses(thread, action).and(&later.of_all(thread, called));
            later.at_fault(*undefined, culprit, address)
        }
        (Action::Atomic(steps), Some(Outcome::Undefined(undefined, None))) => {
            let required = steps.iter().filter_map(|step| match step {
                AtomicStep::Require(condition, otherwise) if otherwise == undefined => Some(condition),
                _ => None,
            });
            later.of_all(thread, required)
        }
        (action, _) => {
            let mut all = Marks::default();
            action.for_each_expression(&mut |expr| all = std::mem::take(&mut all).and(&later.of(thread, expr)));
            all
        }
    };
    // Nobody may be given what is dead.
    let is_dead = matches!(
        replay.outcome,
        Some(Outcome::Undefined(Undefined::UseAfterFree | Undefined::UseAfterReturn | Undefined::DoubleFree, _))
    );
    let own = walk.stub(thread, edge).filter(|_| !is_dead).into_iter().collect();
    Ground { marks, own }
}

/// What it rests on that threads wait, or go round.
fn of_standing(walk: &Walk<'_>, state: &State) -> Ground {
    let mut ground = Ground::default();
    for thread in state.thread_indices().filter(|thread| state.is_live(*thread)) {
        let Some(frame) = state.frame(thread) else { continue };
        let function = walk.program.function(frame.function);
        for edge in &function.location(frame.location).outgoing {
            let edge = function.edge(*edge);
            let later = walk.looking(thread, edge, state);
            let guards = match &edge.action {
                Action::Atomic(steps) => later.of_guards(thread, steps),
                _ => walk.branch(thread),
            };
            ground.marks = ground.marks.and(&later.addresses(thread, &edge.action)).and(&guards);
            ground.own.extend(walk.stub(thread, edge));
        }
    }
    ground
}

/// The same for people.
fn told(walk: &Walk<'_>, ground: &Ground, effects: &[Effects]) -> Vec<Guess> {
    let guess = |(unknown, span): (UnknownId, Span), what: String| {
        walk.program.unknowns.get(unknown.index()).map(|unknown| Guess { unknown: unknown.clone(), span, what })
    };
    let own = ground.own.iter().filter_map(|own| guess(*own, "touched what it is given".to_owned()));
    let own: Vec<Guess> = own.collect::<BTreeSet<Guess>>().into_iter().collect();
    if !own.is_empty() {
        return own;
    }
    let steps = ground.marks.steps();
    let given = steps.iter().filter_map(|step| {
        let what = effects.get(*step).map_or_else(String::new, |effects| walk.given(*step, effects));
        guess(*walk.sources.get(step)?, what)
    });
    // Of what one of them gives at one place, the first says enough.
    let mut all: Vec<Guess> = Vec::new();
    for guess in given {
        if !all.iter().any(|known| (&known.unknown, known.span) == (&guess.unknown, guess.span)) {
            all.push(guess);
        }
    }
    all
}
