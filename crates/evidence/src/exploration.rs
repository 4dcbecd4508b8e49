//! Explorations made again, by whoever trusts no engine: the search that confirms that a program has no violation.
//!
//! It shares the concrete semantics with the engines and nothing else. Its one reduction: where a thread can take steps
//! that nobody else can notice and that depend on nobody else (its own registers, objects that only it can reach), it
//! takes those, and the others wait; unless that leads to a state that has been met before, so that no thread waits for
//! ever (the cycle proviso of Peled, *Combining partial order reductions with on-the-fly model checking*, CAV 1994).
//! States count as the same when they differ only in values that nobody will look at, or in the numbers of objects
//! (`canonical.rs`). Of a state that was met a fingerprint is kept. [`crate::recheck`](mod@crate::recheck) has not even
//! these, and is compared with this one in the tests.

mod canonical;
mod exposed;

use crate::Subject;
use crate::constants::likely_numbers;
use crate::subject::object_at;
use canonical::Fingerprints;
use exposed::Exposed;
use rustc_hash::FxHashSet;
use selvedge_program::semantics::{
    Answers, Event, Instance, Observer, Outcome, PendingAccess, Question, Semantics, State, Value,
};
use selvedge_program::{Action, Budget, EdgeId, Exhausted, Program, Property, RegisterUse, Span, ThreadIndex};
use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::fmt;

/// How many answers to one question are gone through.
pub const CHOICES: u128 = 256;

/// How many states are met at most where something was left out already, so that they can only show a violation.
const STATES_BESIDE: usize = 20_000;

/// How many pairs of threads there may be in a state, on the average of as many states as may be met: where threads
/// are started without end, states grow, and looking at one takes as long as it has pairs.
const PAIRS: usize = 64;

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Explored {
    /// What is violated.
    pub subjects: BTreeSet<Subject>,
    /// Properties that are violated by something without a name.
    pub violated: BTreeSet<Property>,
    /// How many states were met.
    pub states: usize,
    /// Why not everything was gone through, if it was not: the first reason.
    pub stopped: Option<Stopped>,
}

/// Why an exploration did not go through everything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// So many states were met, and no more were to be.
    States(usize),
    /// States had more and more threads, so many at last.
    Threads(usize),
    /// A limit of the budget.
    Budget(Exhausted),
    /// A choice has too many answers to go through.
    Choice(Span),
    /// Something is not modelled.
    Unsupported(String),
}

impl Stopped {
    /// In words, with the place.
    pub fn text(&self, program: &Program) -> String {
        match self {
            Stopped::Choice(span) => format!("{self} ({})", program.place(*span)),
            Stopped::States(_) | Stopped::Threads(_) | Stopped::Budget(_) | Stopped::Unsupported(_) => self.to_string(),
        }
    }
}

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stopped::States(states) => write!(f, "it has more than {states} states"),
            Stopped::Threads(threads) => write!(f, "it has states with {threads} threads and more"),
            Stopped::Budget(limit) => write!(f, "{limit}"),
            Stopped::Choice(_) => write!(f, "a choice has more than {CHOICES} answers"),
            Stopped::Unsupported(what) => write!(f, "{what}"),
        }
    }
}

/// Explores a program, up to a number of states and within a budget.
pub fn explore(program: &Program, states: usize, budget: &Budget) -> Explored {
    let mut search = Search {
        semantics: Semantics::new(program),
        fingerprints: Fingerprints::of(program),
        met: FxHashSet::default(),
        waiting: Vec::new(),
        likely: likely_numbers(program),
        found: Explored::default(),
    };
    match search.semantics.initial() {
        Ok(state) => search.meet(state),
        Err(outcome) => search.leave_out(Stopped::Unsupported(format!("{outcome:?}"))),
    }
    let mut pairs = 0_usize;
    while let Some(state) = search.waiting.pop() {
        if let Err(limit) = budget.check() {
            search.leave_out(Stopped::Budget(limit));
            break;
        }
        let most = if search.found.stopped.is_some() { states.min(STATES_BESIDE) } else { states };
        if search.met.len() > most {
            search.leave_out(Stopped::States(states));
            break;
        }
        let threads = state.thread_indices().count();
        pairs = pairs.saturating_add(threads * threads);
        if pairs > states.saturating_mul(PAIRS) {
            search.leave_out(Stopped::Threads(threads));
            break;
        }
        search.expand(&state);
    }
    search.found.states = search.met.len();
    search.found.violated.extend(search.found.subjects.iter().map(|subject| subject.property()));
    search.found
}

struct Search<'p> {
    semantics: Semantics<'p>,
    fingerprints: Fingerprints<'p>,
    met: FxHashSet<u128>,
    waiting: Vec<State>,
    likely: Vec<u128>,
    found: Explored,
}

/// What a step touches.
#[derive(Default)]
struct Heard {
    accesses: Vec<PendingAccess>,
    events: Vec<Event>,
}

impl Observer for Heard {
    fn event(&mut self, event: Event) {
        self.events.push(event);
    }

    fn access(&mut self, access: PendingAccess) {
        self.accesses.push(access);
    }
}

/// One way to take an edge.
struct Way {
    edge: EdgeId,
    outcome: Result<State, Outcome>,
    heard: Heard,
}

impl Search<'_> {
    fn leave_out(&mut self, why: Stopped) {
        self.found.stopped.get_or_insert(why);
    }

    fn meet(&mut self, state: State) {
        if self.met.insert(self.fingerprints.fingerprint(&state)) {
            self.waiting.push(state);
        }
    }

    fn expand(&mut self, state: &State) {
        let exposed = OnceCell::new();
        let threads: Vec<ThreadIndex> = state.thread_indices().filter(|thread| state.is_live(*thread)).collect();
        let mut all = Vec::new();
        for thread in threads {
            let ways = self.ways(state, thread);
            if self.are_unnoticed(state, thread, &ways, &exposed) && self.go_alone(&ways) {
                return;
            }
            all.push((thread, ways));
        }
        self.look_at(state);
        for (thread, ways) in all {
            for way in ways {
                self.arrive(state, thread, way);
            }
        }
    }

    /// What is wrong with a state itself.
    fn look_at(&mut self, state: &State) {
        for race in self.semantics.races(state) {
            match object_at(state, race.first.spot) {
                Some(object) => self.found.subjects.insert(Subject::Race(object)),
                None => self.found.violated.insert(Property::Race),
            };
        }
        if self.semantics.deadlocked(state) {
            self.found.subjects.insert(Subject::Deadlock);
        }
    }

    /// Goes on with one thread's steps alone, if all of them lead to states that have not been met.
    fn go_alone(&mut self, ways: &[Way]) -> bool {
        let states: Vec<(u128, &State)> = ways
            .iter()
            .filter_map(|way| way.outcome.as_ref().ok())
            .map(|state| (self.fingerprints.fingerprint(state), state))
            .collect();
        if states.iter().any(|(print, _)| self.met.contains(print)) {
            return false;
        }
        for (print, state) in states {
            if self.met.insert(print) {
                self.waiting.push(state.clone());
            }
        }
        true
    }

    fn arrive(&mut self, state: &State, thread: ThreadIndex, way: Way) {
        match way.outcome {
            Ok(next) => self.meet(next),
            Err(Outcome::AssertionFailed(check)) => {
                self.found.subjects.insert(Subject::Assertion(check));
            }
            Err(Outcome::Undefined(undefined, _)) => {
                match state.frame(thread) {
                    Some(frame) => {
                        self.found.subjects.insert(Subject::Memory(frame.function, way.edge, undefined));
                    }
                    None => {
                        self.found.violated.insert(undefined.property());
                    }
                };
            }
            Err(Outcome::Disabled) => {}
            Err(Outcome::Unsupported(what) | Outcome::Internal(what)) => self.leave_out(Stopped::Unsupported(what)),
            Err(Outcome::NeedsChoice(_)) => {
                let function = state.frame(thread).map(|frame| self.semantics.program.function(frame.function));
                self.leave_out(Stopped::Choice(function.map_or(Span::NOWHERE, |known| known.edge(way.edge).span)));
            }
        }
    }

    /// All ways for a thread to leave a state. Of a choice with too many answers a few are tried; that others are not
    /// is one more way, which needs a choice.
    fn ways(&self, state: &State, thread: ThreadIndex) -> Vec<Way> {
        let Some(frame) = state.frame(thread) else { return Vec::new() };
        let mut ways = Vec::new();
        for edge in &self.semantics.program.function(frame.function).location(frame.location).outgoing {
            self.take(state, thread, *edge, &mut Vec::new(), &mut ways);
        }
        ways
    }

    fn take(&self, state: &State, thread: ThreadIndex, edge: EdgeId, answers: &mut Vec<Value>, ways: &mut Vec<Way>) {
        let (mut next, mut heard) = (state.clone(), Heard::default());
        let outcome = self.semantics.apply(&mut next, thread, edge, &mut Answers::new(answers), &mut heard);
        let mut is_left_open = true;
        if let Err(Outcome::NeedsChoice(question)) = &outcome {
            let all = question.answers(CHOICES);
            is_left_open = all.is_err();
            for answer in all.unwrap_or_else(|_| self.some_answers(state, question)) {
                answers.push(answer);
                self.take(state, thread, edge, answers, ways);
                answers.pop();
            }
        }
        if is_left_open {
            ways.push(Way { edge, outcome: outcome.map(|()| next), heard });
        }
    }

    /// Answers that a program is likely to look for.
    fn some_answers(&self, state: &State, question: &Question) -> Vec<Value> {
        match question {
            Question::Thread(_) => Vec::new(),
            Question::Number { known, free } => {
                let number = |some: &u128| Value::bits(known.width(), known.unsigned() | some & free.unsigned());
                self.likely.iter().map(number).collect()
            }
            Question::Address { width } => {
                let guesses = state.guesses(self.semantics.program, CHOICES as usize).values;
                self.likely.iter().map(|number| Value::bits(*width, *number)).chain(guesses).collect()
            }
        }
    }

    /// Whether steps can be taken before those of all others: a thread can take one, none fails, and they depend on
    /// nothing that others can change and change nothing that others can notice.
    fn are_unnoticed(&self, state: &State, thread: ThreadIndex, ways: &[Way], exposed: &OnceCell<Exposed>) -> bool {
        let Some(frame) = state.frame(thread).filter(|_| state.atomic_section().is_none()) else { return false };
        let function = self.semantics.program.function(frame.function);
        let is_own = |object: Instance| match object {
            Instance::ThreadLocal(_, owner)
            | Instance::Frame { thread: owner, .. }
            | Instance::Heap { thread: owner, .. } => {
                owner == thread && !exposed.get_or_init(|| Exposed::of(state)).contains(object)
            }
            Instance::Static(_) | Instance::Thread(_) | Instance::Function(_) => false,
        };
        // The value of an expression may depend on whether what a pointer points to is alive.
        let is_settled = |object: Instance| match object {
            Instance::Static(_) | Instance::Thread(_) | Instance::Function(_) => true,
            object => is_own(object) || state.memory().block(object).is_none(),
        };
        let uses_only_settled = |action: &Action| {
            let mut settled = true;
            action.for_each_register(&mut |register| {
                if let RegisterUse::Used(register) = register
                    && let Some(Some(value)) = frame.registers.get(register.index())
                {
                    exposed::for_each_pointer(value, &mut |object| settled &= is_settled(object));
                }
            });
            settled
        };
        let is_quiet = |event: &Event| match event {
            Event::Allocated { .. } | Event::Called(_) => true,
            Event::Freed(object) | Event::Forgotten(object) => is_own(*object),
            Event::Returned(_) => {
                let made = state.memory().belongings(thread).into_iter().flat_map(|own| own.made(thread));
                let mut ended = made.filter(|object| match object {
                    Instance::Frame { serial, .. } => *serial >= frame.first_serial,
                    _ => false,
                });
                ended.all(is_own)
            }
            Event::Started(..) | Event::Finished(_) | Event::Ended(_) => false,
        };
        let is_unnoticed = |way: &Way| {
            let action = &function.edge(way.edge).action;
            let is_free = match (&way.outcome, action) {
                (_, Action::AtomicBegin | Action::AtomicEnd) => false,
                (Ok(_), _) | (Err(Outcome::Disabled), Action::Assume(_)) => true,
                (Err(_), _) => false,
            };
            is_free
                && uses_only_settled(action)
                && way.heard.accesses.iter().all(|access| access.spot.object().is_some_and(is_own))
                && way.heard.events.iter().all(is_quiet)
        };
        ways.iter().any(|way| way.outcome.is_ok()) && ways.iter().all(is_unnoticed)
    }
}
