//! Steps of one thread, by the concrete semantics: one step that others may notice, then all that they cannot.
//!
//! A step is *unseen* if it touches nothing but the thread's private objects. Unseen steps commute with every step of
//! another thread, so the states between them need not be kept. A thread that has taken a step goes on unseen, along
//! every branch and every answer, until its next step would be seen; where it never comes to that, it is kept where it
//! began.

use rustc_hash::FxHashSet;
use selvedge_evidence::Subject;
use selvedge_program::semantics::{
    Answers, Event, Instance, Observer, Outcome, PendingAccess, Question, Semantics, State, Value,
};
use selvedge_program::{Action, Budget, EdgeId, Exhausted, FunctionId, Span, ThreadIndex};

use crate::privacy::Privacy;

/// How many unseen states are gone through before the rest is kept.
const LONGEST_CHAIN: usize = 2000;

/// The edges that a thread takes, with the answers it gets.
pub type Path = Vec<(FunctionId, EdgeId, Vec<Value>)>;

/// What can be wrong, whoever does it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Wrong {
    /// A violation, if an execution gets there.
    Violation(Subject),
    /// Something is not modelled, or there are too many choices.
    Unsupported {
        /// Where.
        span: Span,
        /// What.
        what: String,
    },
}

impl Wrong {
    /// What is violated.
    pub fn subject(&self) -> Option<Subject> {
        match self {
            Wrong::Violation(subject) => Some(*subject),
            Wrong::Unsupported { .. } => None,
        }
    }
}

/// What the steps of a thread lead to.
#[derive(Clone, Debug, Default)]
pub struct Steps {
    /// The states they end in. A state in which the process has ended is not among them: nothing happens any more.
    pub ends: Vec<(State, Path)>,
    /// What goes wrong on the way; the last step of the path fails.
    pub faults: Vec<(Wrong, Path)>,
}

/// Takes steps.
#[derive(Debug)]
pub struct Stepper<'a, 'p> {
    /// The judge.
    pub semantics: Semantics<'p>,
    /// What is private.
    pub privacy: &'a Privacy<'p>,
    /// How many answers to a question are tried; a question with more is a fault.
    pub max_choices: u128,
    /// What may be spent.
    pub budget: Budget,
}

#[derive(Default)]
struct Notice {
    accesses: Vec<PendingAccess>,
    events: Vec<Event>,
}

impl Observer for Notice {
    fn event(&mut self, event: Event) {
        self.events.push(event);
    }

    fn access(&mut self, access: PendingAccess) {
        self.accesses.push(access);
    }
}

/// Who takes a step: a thread, the function it was started with, and the one it is in.
#[derive(Clone, Copy)]
struct Mover {
    thread: ThreadIndex,
    root: FunctionId,
    function: FunctionId,
}

/// All ways for a thread to leave a state.
struct Attempt {
    results: Vec<(EdgeId, Vec<Value>, Result<State, Wrong>)>,
    is_seen: bool,
}

impl Stepper<'_, '_> {
    /// The steps of a thread from a state, the first of them whatever it is.
    ///
    /// # Errors
    /// When the budget is used up before all of them are found.
    pub fn steps(&self, state: &State, thread: ThreadIndex) -> Result<Steps, Exhausted> {
        let mut steps = Steps::default();
        let Some(function) = state.frame(thread).map(|frame| frame.function) else { return Ok(steps) };
        for (edge, answers, result) in self.attempt(state, thread).results {
            let path = vec![(function, edge, answers)];
            match result {
                Ok(next) => self.go_on(next, thread, path, &mut steps)?,
                Err(fault) => steps.faults.push((fault, path)),
            }
        }
        Ok(steps)
    }

    /// Goes on unseen from a state, after the steps of a path.
    ///
    /// # Errors
    /// When the budget is used up on the way.
    pub fn go_on(&self, state: State, thread: ThreadIndex, path: Path, steps: &mut Steps) -> Result<(), Exhausted> {
        if state.exit_status().is_some() {
            return Ok(());
        }
        let ends_before = steps.ends.len();
        let mut seen: FxHashSet<State> = FxHashSet::from_iter([state.clone()]);
        let mut pending = vec![(state.clone(), path.clone())];
        while let Some((here, path)) = pending.pop() {
            self.budget.check()?;
            let function = here.frame(thread).map(|frame| frame.function);
            let Some(function) = function.filter(|_| seen.len() <= LONGEST_CHAIN) else {
                steps.ends.push((here, path));
                continue;
            };
            let attempt = self.attempt(&here, thread);
            if attempt.is_seen || attempt.results.is_empty() {
                steps.ends.push((here, path));
                continue;
            }
            for (edge, answers, result) in attempt.results {
                let mut path = path.clone();
                path.push((function, edge, answers));
                match result {
                    Ok(next) if seen.insert(next.clone()) => pending.push((next, path)),
                    Ok(_) => {}
                    Err(fault) => steps.faults.push((fault, path)),
                }
            }
        }
        if steps.ends.len() == ends_before {
            steps.ends.push((state, path));
        }
        Ok(())
    }

    fn attempt(&self, state: &State, thread: ThreadIndex) -> Attempt {
        let mut attempt = Attempt { results: Vec::new(), is_seen: false };
        let Some(frame) = state.frame(thread) else { return attempt };
        let root = state.thread(thread).and_then(|thread| thread.frames.first()).map_or(frame.function, |f| f.function);
        let mover = Mover { thread, root, function: frame.function };
        let function = self.semantics.program.function(frame.function);
        for edge in &function.location(frame.location).outgoing {
            let action = &function.edge(*edge).action;
            attempt.is_seen |= matches!(action, Action::AtomicBegin | Action::AtomicEnd);
            self.take(state, mover, *edge, &mut Vec::new(), &mut attempt);
        }
        attempt
    }

    /// Takes an edge with these answers; where one more is asked for, with every answer to that.
    fn take(&self, state: &State, mover: Mover, edge: EdgeId, answers: &mut Vec<Value>, attempt: &mut Attempt) {
        let Mover { thread, function, .. } = mover;
        let mut next = state.clone();
        let mut notice = Notice::default();
        let outcome = self.semantics.apply(&mut next, thread, edge, &mut Answers::new(answers), &mut notice);
        attempt.is_seen |= self.is_seen(state, &next, mover, &notice);
        let span = self.semantics.program.function(function).edge(edge).span;
        let fault = match outcome {
            Ok(()) => {
                attempt.results.push((edge, answers.clone(), Ok(next)));
                return;
            }
            Err(Outcome::Disabled) => return,
            Err(Outcome::AssertionFailed(check)) => Wrong::Violation(Subject::Assertion(check)),
            Err(Outcome::Undefined(undefined, _)) => Wrong::Violation(Subject::Memory(function, edge, undefined)),
            Err(Outcome::Unsupported(what) | Outcome::Internal(what)) => Wrong::Unsupported { span, what },
            Err(Outcome::NeedsChoice(question)) => match self.answers(function, edge, &question) {
                Ok(all) => {
                    for answer in all {
                        answers.push(answer);
                        self.take(state, mover, edge, answers, attempt);
                        answers.pop();
                    }
                    return;
                }
                Err(bits) => Wrong::Unsupported { span, what: format!("a choice among 2^{bits} values is too large") },
            },
        };
        attempt.results.push((edge, answers.clone(), Err(fault)));
    }

    /// The answers to a question that make a difference: one, if nobody will look at it.
    fn answers(&self, function: FunctionId, edge: EdgeId, question: &Question) -> Result<Vec<Value>, u32> {
        let edge = self.semantics.program.function(function).edge(edge);
        if let Action::Havoc { target } = &edge.action
            && !self.privacy.is_live(function, edge.target, *target)
        {
            return Ok(vec![question.plainest()]);
        }
        question.answers(self.max_choices)
    }

    fn is_seen(&self, before: &State, after: &State, mover: Mover, notice: &Notice) -> bool {
        let Mover { thread, root, .. } = mover;
        let unseen = |object: Instance| {
            self.privacy.is_unseen(before, thread, root, object) || self.privacy.is_unseen(after, thread, root, object)
        };
        let seen_access = |access: &PendingAccess| access.spot.object().is_none_or(|object| !unseen(object));
        let seen_event = |event: &Event| match event {
            Event::Allocated { object, .. } | Event::Freed(object) | Event::Forgotten(object) => !unseen(*object),
            Event::Called(function) | Event::Returned(function) => !self.privacy.hides_locals(*function),
            Event::Started(..) | Event::Finished(_) | Event::Ended(_) => true,
        };
        notice.accesses.iter().any(seen_access) || notice.events.iter().any(seen_event)
    }
}
