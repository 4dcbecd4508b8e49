//! The steps of one thread: one that others may notice, then all that they cannot, along every branch, up to the next
//! that they may. Who never comes to one is kept where that began.

use super::private::Private;
use super::system::Fault;
use crate::Subject;
use rustc_hash::FxHashSet;
use selvedge_program::semantics::{
    Answers, Event, Instance, Observer, Outcome, PendingAccess, Semantics, State, Value,
};
use selvedge_program::{Action, Budget, EdgeId, Exhausted, FunctionId, ThreadIndex};

/// How many answers to a question are gone through; where there are more, the step is a fault.
const CHOICES: u128 = 256;

/// How many states are gone through unnoticed before the rest is kept.
const LONGEST: usize = 2000;

/// What steps lead to.
#[derive(Default)]
pub struct Ends {
    pub states: Vec<State>,
    pub faults: Vec<Fault>,
}

#[derive(Default)]
struct Heard(Vec<PendingAccess>, Vec<Event>);

impl Observer for Heard {
    fn access(&mut self, access: PendingAccess) {
        self.0.push(access);
    }

    fn event(&mut self, event: Event) {
        self.1.push(event);
    }
}

/// Every way to take one step.
#[derive(Default)]
struct Ways {
    states: Vec<State>,
    faults: Vec<Fault>,
    is_noticed: bool,
}

/// Who takes a step, in which function.
#[derive(Clone, Copy)]
struct Who {
    thread: ThreadIndex,
    root: FunctionId,
    function: FunctionId,
}

/// Takes steps.
pub struct Steps<'a, 'p> {
    pub semantics: Semantics<'p>,
    pub private: &'a Private<'p>,
    pub budget: &'a Budget,
}

impl Steps<'_, '_> {
    /// All steps of a thread from a state, the first of them noticed or not.
    pub fn from(&self, state: &State, thread: ThreadIndex) -> Result<Ends, Exhausted> {
        let first = self.ways(state, thread);
        let mut ends = Ends { states: Vec::new(), faults: first.faults };
        for next in first.states {
            self.go_on(next, thread, &mut ends)?;
        }
        Ok(ends)
    }

    /// Goes on unnoticed. Where the process has ended nothing happens any more.
    pub fn go_on(&self, begin: State, thread: ThreadIndex, ends: &mut Ends) -> Result<(), Exhausted> {
        if begin.exit_status().is_some() {
            return Ok(());
        }
        let before = ends.states.len();
        let mut met: FxHashSet<State> = FxHashSet::from_iter([begin.clone()]);
        let mut waiting = vec![begin.clone()];
        while let Some(here) = waiting.pop() {
            self.budget.check()?;
            if here.frame(thread).is_none() || met.len() > LONGEST {
                ends.states.push(here);
                continue;
            }
            let ways = self.ways(&here, thread);
            if ways.is_noticed || (ways.states.is_empty() && ways.faults.is_empty()) {
                ends.states.push(here);
                continue;
            }
            ends.faults.extend(ways.faults);
            waiting.extend(ways.states.into_iter().filter(|next| met.insert(next.clone())));
        }
        if ends.states.len() == before {
            ends.states.push(begin);
        }
        Ok(())
    }

    fn ways(&self, state: &State, thread: ThreadIndex) -> Ways {
        let mut ways = Ways::default();
        let Some(frames) = state.thread(thread).map(|thread| &thread.frames) else { return ways };
        let (Some(first), Some(last)) = (frames.first(), frames.last()) else { return ways };
        let who = Who { thread, root: first.function, function: last.function };
        let function = self.semantics.program.function(who.function);
        for edge in &function.location(last.location).outgoing {
            ways.is_noticed |= matches!(function.edge(*edge).action, Action::AtomicBegin | Action::AtomicEnd);
            self.take(state, who, *edge, &mut Vec::new(), &mut ways);
        }
        ways
    }

    fn take(&self, state: &State, who: Who, edge: EdgeId, answers: &mut Vec<Value>, ways: &mut Ways) {
        let (mut next, mut heard) = (state.clone(), Heard::default());
        let outcome = self.semantics.apply(&mut next, who.thread, edge, &mut Answers::new(answers), &mut heard);
        ways.is_noticed |= self.is_noticed(state, &next, who, &heard);
        match outcome {
            Ok(()) => ways.states.push(next),
            Err(Outcome::Disabled) => {}
            Err(Outcome::AssertionFailed(check)) => {
                ways.faults.push(Fault::Violation(Subject::Assertion(check)));
            }
            Err(Outcome::Undefined(undefined, _)) => {
                ways.faults.push(Fault::Violation(Subject::Memory(who.function, edge, undefined)));
            }
            Err(Outcome::Unsupported(what) | Outcome::Internal(what)) => ways.faults.push(Fault::Unsupported(what)),
            Err(Outcome::NeedsChoice(question)) => {
                let action = &self.semantics.program.function(who.function).edge(edge).action;
                let all = match action {
                    Action::Havoc { target } if self.private.is_unread(who.function, edge, *target) => {
                        Ok(vec![question.plainest()])
                    }
                    _ => question.answers(CHOICES),
                };
                let Ok(all) = all else {
                    return ways.faults.push(Fault::Unsupported(format!("a choice has more than {CHOICES} answers")));
                };
                for answer in all {
                    answers.push(answer);
                    self.take(state, who, edge, answers, ways);
                    answers.pop();
                }
            }
        }
    }

    fn is_noticed(&self, before: &State, after: &State, who: Who, heard: &Heard) -> bool {
        let mover = (who.thread, who.root);
        let is_hidden =
            |object: Instance| self.private.hides(before, mover, object) || self.private.hides(after, mover, object);
        let Heard(accesses, events) = heard;
        accesses.iter().any(|access| !access.spot.object().is_some_and(is_hidden))
            || events.iter().any(|event| match event {
                Event::Allocated { object, .. } | Event::Freed(object) | Event::Forgotten(object) => {
                    !is_hidden(*object)
                }
                Event::Called(function) | Event::Returned(function) => self.private.shows_locals(*function),
                Event::Started(..) | Event::Finished(_) | Event::Ended(_) => true,
            })
    }
}
