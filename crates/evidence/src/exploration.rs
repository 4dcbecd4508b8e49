//! Explorations made again, by whoever trusts no engine: the search that confirms that a program has no violation.
//!
//! It shares the semantics with the engines and nothing else. Numbers out of nothing that have many values are symbols:
//! what is explored are [families](family::Family) of states, and every step of a family is taken by one of its states
//! through the concrete semantics; only for which others it is the same step is said by the symbolic semantics and a
//! solver. Its one reduction: where a thread can take steps
//! that nobody else can notice and that depend on nobody else (its own registers, objects that only it can reach), it
//! takes those, and the others wait; unless that leads to a state that has been met before, so that no thread waits for
//! ever (the cycle proviso of Peled, *Combining partial order reductions with on-the-fly model checking*, CAV 1994).
//! States count as the same when they differ only in values that nobody will look at, or in the numbers of objects or
//! threads (`canonical.rs`). Of a state that was met a fingerprint is kept. [`crate::recheck`](mod@crate::recheck) has
//! not even these, and is compared with this one in the tests.

mod before;
mod between;
mod canonical;
mod exposed;
mod family;
mod numbers;
pub(crate) mod solving;
mod told;
mod ways;

use crate::constants::likely_numbers;
use crate::subject::object_at;
use crate::{AtomicLines, Livelocks, Subject};
use before::Objects;
use canonical::Fingerprints;
use exposed::Exposed;
use family::Family;
use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_logic::Term;
use selvedge_program::semantics::{
    Event, Instance, Livelock, Outcome, PendingAccess, Race, Semantics, Standing, State, conflict,
};
use selvedge_program::{
    Action, Budget, Exhausted, ObjectId, ObjectKind, Program, Property, RegisterUse, Span, ThreadIndex,
};
use selvedge_symbolic::Builder;
use solving::Solving;
use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::fmt;
use std::rc::Rc;
use ways::{Steps, Way, Ways};

/// How many answers to one question, or values of a number, are gone through one by one.
pub const CHOICES: u128 = 256;

/// Choices with at most so many answers are gone through one by one at once, others are symbols.
pub const LISTED: u128 = 4;

/// How many questions may be asked to a solver, for every state that may be met.
const QUESTIONS: usize = 1;

/// How many states are met at most where something was left out already, so that they can only show a violation.
const STATES_BESIDE: usize = 20_000;

/// How many pairs of threads there may be in a state, on the average of as many states as may be met: where threads
/// are started without end, states grow, and looking at one takes as long as it has pairs.
const PAIRS: usize = 192;

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
    /// So many questions were asked to a solver, and no more were to be.
    Questions(usize),
    /// A question was too hard for the solver.
    Hard,
    /// There may be a violation, if floating-point operations have certain results.
    Floats,
    /// Something is not modelled.
    Unsupported(String),
}

impl Stopped {
    /// In words, with the place.
    pub fn text(&self, program: &Program) -> String {
        match self {
            Stopped::Choice(span) => format!("{self} ({})", program.place(*span)),
            Stopped::States(_)
            | Stopped::Threads(_)
            | Stopped::Budget(_)
            | Stopped::Questions(_)
            | Stopped::Hard
            | Stopped::Floats
            | Stopped::Unsupported(_) => self.to_string(),
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
            Stopped::Questions(questions) => write!(f, "it takes more than {questions} questions to a solver"),
            Stopped::Hard => write!(f, "a question was too hard for the solver"),
            Stopped::Floats => write!(f, "it depends on the results of floating-point operations"),
            Stopped::Unsupported(what) => write!(f, "{what}"),
        }
    }
}

/// Explores a program, up to a number of states and within a budget.
pub fn explore(program: &Program, states: usize, budget: &Budget) -> Explored {
    explore_to(program, Extent { states, listed: LISTED, lines: &[], livelocks: Livelocks::Ignored }, budget)
}

/// The same to a given extent.
pub fn explore_to(program: &Program, extent: Extent<'_>, budget: &Budget) -> Explored {
    // Until somebody guesses an address, nobody can have guessed one.
    let explored = Search::new(program, extent, Guessing::Nobody, budget).run(extent, budget);
    explored.unwrap_or_else(|| {
        let explored = Search::new(program, extent, Guessing::Anybody, budget).run(extent, budget);
        explored.unwrap_or_default()
    })
}

/// How far an exploration goes.
#[derive(Clone, Copy, Debug)]
pub struct Extent<'a> {
    /// How many states it meets at most.
    pub states: usize,
    /// Choices with at most so many answers are gone through one by one; others are symbols.
    pub listed: u128,
    /// Between which lines it looks for interference.
    pub lines: &'a [AtomicLines],
    /// Whether it looks for livelocks.
    pub livelocks: Livelocks,
}

/// Whether a value out of nothing may be an address: then nothing is out of reach for others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guessing {
    /// So far it was none.
    Nobody,
    /// It may be any.
    Anybody,
}

struct Search<'p> {
    steps: Steps<'p>,
    fingerprints: Fingerprints<'p>,
    /// States, and families without a path condition.
    met: FxHashSet<u128>,
    /// Families with path conditions.
    met_under: FxHashMap<u128, Vec<Rc<[Term]>>>,
    states: usize,
    waiting: Vec<Family>,
    guessing: Guessing,
    lines: &'p [AtomicLines],
    livelocks: Livelocks,
    found: Explored,
}

impl<'p> Search<'p> {
    fn new(program: &'p Program, extent: Extent<'p>, guessing: Guessing, budget: &Budget) -> Self {
        let fingerprints = Fingerprints::of(program, guessing);
        let steps = Steps {
            semantics: Semantics::new(program),
            live: fingerprints.live(),
            builder: Builder::new(),
            objects: Objects::default(),
            solving: Solving::new(extent.states.saturating_mul(QUESTIONS), budget),
            listed: extent.listed,
            likely: likely_numbers(program),
            stopped: None,
            guesses: false,
            is_rough: false,
        };
        Search {
            steps,
            fingerprints,
            met: FxHashSet::default(),
            met_under: FxHashMap::default(),
            states: 0,
            waiting: Vec::new(),
            guessing,
            lines: extent.lines,
            livelocks: extent.livelocks,
            found: Explored::default(),
        }
    }

    /// Explores; `None` if an address was guessed, which nobody was to do.
    fn run(mut self, Extent { states, .. }: Extent<'_>, budget: &Budget) -> Option<Explored> {
        match self.steps.semantics.initial() {
            Ok(state) => self.meet(Family::of(state)),
            Err(outcome) => self.steps.leave_out(Stopped::Unsupported(format!("{outcome:?}"))),
        }
        let mut pairs = 0_usize;
        while let Some(family) = self.waiting.pop() {
            if let Err(limit) = budget.check() {
                self.steps.leave_out(Stopped::Budget(limit));
                break;
            }
            let most = if self.steps.stopped.is_some() { states.min(STATES_BESIDE) } else { states };
            if self.states > most {
                self.steps.leave_out(Stopped::States(states));
                break;
            }
            let threads = family.state.thread_indices().count();
            pairs = pairs.saturating_add(threads * threads);
            if pairs > states.saturating_mul(PAIRS) {
                self.steps.leave_out(Stopped::Threads(threads));
                break;
            }
            self.expand(&family);
            if self.steps.guesses && self.guessing == Guessing::Nobody {
                return None;
            }
        }
        Some(self.found())
    }

    /// What was found.
    fn found(mut self) -> Explored {
        // What is more than can happen shows no violation.
        if self.steps.is_rough && !(self.found.subjects.is_empty() && self.found.violated.is_empty()) {
            self.steps.leave_out(Stopped::Floats);
            self.found = Explored::default();
        }
        let Explored { subjects, mut violated, .. } = self.found;
        violated.extend(subjects.iter().map(|subject| subject.property()));
        Explored { subjects, violated, states: self.states, stopped: self.steps.stopped }
    }

    fn fingerprint(&self, family: &Family) -> u128 {
        self.fingerprints.fingerprint(family)
    }

    /// Whether a family, or one that contains it, has been met.
    fn is_met(&self, print: u128, family: &Family) -> bool {
        let contains = |path: &Rc<[Term]>| path.iter().all(|condition| family.path.binary_search(condition).is_ok());
        self.met.contains(&print) || self.met_under.get(&print).is_some_and(|paths| paths.iter().any(contains))
    }

    fn meet(&mut self, family: Family) {
        let print = self.fingerprint(&family);
        if !self.is_met(print, &family) {
            self.note(print, family);
        }
    }

    fn note(&mut self, print: u128, family: Family) {
        self.states += 1;
        if family.path.is_empty() {
            self.met.insert(print);
        } else {
            self.met_under.entry(print).or_default().push(Rc::clone(&family.path));
        }
        self.waiting.push(family);
    }

    fn expand(&mut self, family: &Family) {
        let exposed = OnceCell::new();
        let state = &family.state;
        let twins = self.fingerprints.twins(family);
        let mut threads: Vec<ThreadIndex> = state.thread_indices().filter(|thread| state.is_live(*thread)).collect();
        // What a twin does, another thread does as well.
        threads.sort_by_key(|thread| twins.contains(thread));
        let others = threads.iter().filter(|thread| !twins.contains(thread)).count();
        let mut all: Vec<(ThreadIndex, Ways)> = Vec::new();
        for (number, thread) in threads.into_iter().enumerate() {
            // But what two threads are about to access together is asked of both, if it depends on numbers.
            if number >= others && all.iter().all(|(_, ways)| ways.open.is_empty()) {
                break;
            }
            let mut ways = self.steps.ways(family, thread);
            self.follow(family, thread, &mut ways);
            if self.are_unnoticed(state, thread, &ways, &exposed)
                && !self.may_stay(family, thread, &ways)
                && self.go_alone(&ways.ways)
            {
                return;
            }
            all.push((thread, ways));
        }
        self.look_at(family, &all);
        for (thread, ways) in all {
            for way in ways.ways {
                self.arrive(state, thread, way);
            }
        }
    }

    /// Keeps what has begun up to date, where interference between lines is looked for.
    fn follow(&mut self, family: &Family, thread: ThreadIndex, ways: &mut Ways) {
        let Some(frame) = family.state.frame(thread).filter(|_| !self.lines.is_empty()) else { return };
        let function = self.steps.semantics.program.function(frame.function);
        for way in &mut ways.ways {
            let Ok(next) = &mut way.outcome else { continue };
            let (span, accesses) = (function.edge(way.edge).span, &way.heard.accesses);
            let made = between::Made { thread, span, accesses, after: &next.state };
            let (begun, interfered) = between::follow(self.lines, &family.begun, made);
            next.begun = begun.into();
            self.found.subjects.extend(interfered.into_iter().map(Subject::Atomicity));
        }
    }

    /// Whether a thread of some of a family can take none of its steps, though that of others can.
    fn may_stay(&mut self, family: &Family, thread: ThreadIndex, ways: &Ways) -> bool {
        if ways.open.is_empty() {
            return false;
        }
        let Some(frame) = family.state.frame(thread) else { return true };
        let outgoing = &self.steps.semantics.program.function(frame.function).location(frame.location).outgoing;
        let mut stays = Vec::new();
        for edge in outgoing {
            match self.blocked(ways, *edge) {
                Some(blocked) => stays.push(blocked),
                None if ways.ways.iter().any(|way| way.edge == *edge && way.outcome.is_ok()) => return false,
                None => {}
            }
        }
        self.steps.can_hold(family, &stays)
    }

    /// When an edge cannot be taken; `None` if that is the same for all of the family.
    fn blocked(&mut self, ways: &Ways, edge: selvedge_program::EdgeId) -> Option<Term> {
        let mut open = ways.open.iter().filter(|open| open.edge == edge).map(|open| open.blocked).peekable();
        open.peek()?;
        let builder = &mut self.steps.builder;
        Some(open.fold(builder.no, |blocked, other| builder.or(blocked, other)))
    }

    /// What is wrong with states themselves.
    fn look_at(&mut self, family: &Family, all: &[(ThreadIndex, Ways)]) {
        let state = &family.state;
        if self.livelocks == Livelocks::LookedFor {
            self.look_for_livelock(family);
        }
        if all.iter().all(|(_, ways)| ways.open.is_empty()) {
            for race in self.steps.semantics.races(state) {
                self.race(state, race.first);
            }
            if self.steps.semantics.deadlocked(state) {
                self.found.subjects.insert(Subject::Deadlock);
            }
            return;
        }
        let pending: Vec<Vec<(PendingAccess, Term)>> =
            all.iter().map(|(thread, ways)| self.pending(state, *thread, ways)).collect();
        for (position, mine) in pending.iter().enumerate() {
            for theirs in &pending[position + 1..] {
                for (first, when) in mine {
                    for (_, and) in theirs.iter().filter(|(second, _)| conflict(first, second)) {
                        let shown = self.steps.sample(family, &[*when, *and]);
                        self.race_in(shown, *first);
                    }
                }
            }
        }
        if self.may_be_deadlocked(family, all) {
            self.found.subjects.insert(Subject::Deadlock);
        }
    }

    /// What goes round for ever in one state of a family may not in another, so these are looked at one by one or not at all.
    fn look_for_livelock(&mut self, family: &Family) {
        let livelock = match family.is_one_state() {
            true => self.steps.semantics.livelock(&family.state),
            false => Livelock::Unknown,
        };
        match livelock {
            Livelock::Yes => drop(self.found.subjects.insert(Subject::Livelock)),
            Livelock::No => {}
            Livelock::Unknown => {
                let why = "whether a thread goes round for ever depends on values, or was not followed to the end";
                self.steps.leave_out(Stopped::Unsupported(why.to_owned()));
            }
        }
    }

    /// There is a race with an access in a state of a family, if the state shows it.
    fn race_in(&mut self, family: Option<Family>, access: PendingAccess) {
        let Some(Family { state, .. }) = family else { return };
        let is_shown = |race: &Race| [race.first, race.second].iter().any(|shown| shown.spot.overlaps(access.spot));
        if self.steps.semantics.races(&state).iter().any(is_shown) {
            self.race(&state, access);
        } else {
            self.steps.leave_out(Stopped::Unsupported("accesses depend on values out of nothing".to_owned()));
        }
    }

    fn race(&mut self, state: &State, access: PendingAccess) {
        match object_at(state, access.spot) {
            Some(object) => self.found.subjects.insert(Subject::Race(object)),
            None => self.found.violated.insert(Property::Race),
        };
    }

    /// What a thread is about to access, each under a condition.
    fn pending(&mut self, state: &State, thread: ThreadIndex, ways: &Ways) -> Vec<(PendingAccess, Term)> {
        let yes = self.steps.builder.yes;
        let is_open = |access: &PendingAccess| ways.open.iter().any(|open| open.edge == access.edge);
        let known = self.steps.semantics.accesses(state, thread).into_iter().filter(|access| !is_open(access));
        let open = ways.open.iter().flat_map(|open| open.accesses.iter().copied());
        known.map(|access| (access, yes)).chain(open).collect()
    }

    /// Whether some of a family are deadlocked: see [`Semantics::deadlocked`].
    fn may_be_deadlocked(&mut self, family: &Family, all: &[(ThreadIndex, Ways)]) -> bool {
        let (semantics, state) = (self.steps.semantics, &family.state);
        let mut conditions = Vec::new();
        let mut is_sure = true;
        for (thread, ways) in all {
            let Some(frame) = state.frame(*thread).filter(|_| !ways.open.is_empty()) else {
                match semantics.standing(state, *thread) {
                    Standing::Able | Standing::Abandoned => return false,
                    Standing::Waiting | Standing::HeldUp | Standing::Finished => continue,
                }
            };
            let function = semantics.program.function(frame.function);
            let outgoing = &function.location(frame.location).outgoing;
            let is_held_up = state.atomic_section().is_some_and(|section| section.owner != *thread);
            let waits = outgoing.iter().any(|edge| matches!(function.edge(*edge).action, Action::Atomic(_)));
            match (waits, is_held_up) {
                // Whether it can move or not, it does not.
                (true, true) => continue,
                // It is given up where it cannot move.
                (false, false) => return false,
                // It is given up where it could not move if it was not held up.
                (false, true) => {
                    is_sure = false;
                    continue;
                }
                (true, false) => {}
            }
            let mut moves = self.steps.builder.no;
            for edge in outgoing.iter().filter(|edge| !function.edge(**edge).action.is_spurious()) {
                let can = match self.blocked(ways, *edge) {
                    Some(blocked) => self.steps.builder.not(blocked),
                    None if ways.ways.iter().any(|way| way.edge == *edge && way.is_disabled()) => self.steps.builder.no,
                    None => self.steps.builder.yes,
                };
                moves = self.steps.builder.or(moves, can);
            }
            conditions.push(self.steps.builder.not(moves));
        }
        let Some(shown) = self.steps.sample(family, &conditions).filter(|_| !all.is_empty()) else { return false };
        let is_shown = is_sure && semantics.deadlocked(&shown.state);
        if !is_shown {
            self.steps.leave_out(Stopped::Unsupported("a thread waits in an atomic section".to_owned()));
        }
        is_shown
    }

    /// Goes on with one thread's steps alone, if all of them lead to states that have not been met, or end the thread:
    /// who goes round in circles starts another one on the way, and does not do that alone.
    fn go_alone(&mut self, ways: &[Way]) -> bool {
        let families: Vec<(u128, &Family)> = ways
            .iter()
            .filter_map(|way| way.outcome.as_ref().ok())
            .map(|family| (self.fingerprint(family), family))
            .collect();
        let ends = |way: &Way| way.heard.events.iter().any(|event| matches!(event, Event::Finished(_)));
        if !ways.iter().all(ends) && families.iter().any(|(print, family)| self.is_met(*print, family)) {
            return false;
        }
        for (print, family) in families {
            if !self.is_met(print, family) {
                self.note(print, family.clone());
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
            Err(Outcome::Unsupported(what) | Outcome::Internal(what)) => {
                self.steps.leave_out(Stopped::Unsupported(what));
            }
            Err(Outcome::NeedsChoice(_)) => {
                let function = state.frame(thread).map(|frame| self.steps.semantics.program.function(frame.function));
                let span = function.map_or(Span::NOWHERE, |known| known.edge(way.edge).span);
                self.steps.leave_out(Stopped::Choice(span));
            }
        }
    }

    /// Whether steps can be taken before those of all others: a thread can take one, none fails, and they depend on
    /// nothing that others can change and change nothing that others can notice.
    fn are_unnoticed(&self, state: &State, thread: ThreadIndex, ways: &Ways, exposed: &OnceCell<Exposed>) -> bool {
        if ways.guesses {
            return false;
        }
        let ways = &ways.ways;
        let Some(frame) = state.frame(thread).filter(|_| state.atomic_section().is_none()) else { return false };
        let function = self.steps.semantics.program.function(frame.function);
        let is_own = |object: Instance| match object {
            Instance::ThreadLocal(_, owner)
            | Instance::Frame { thread: owner, .. }
            | Instance::Heap { thread: owner, .. } => {
                owner == thread
                    && self.guessing == Guessing::Nobody
                    && !exposed.get_or_init(|| Exposed::of(state)).contains(object)
            }
            Instance::Static(_) | Instance::Thread(_) | Instance::Function(_) => false,
        };
        let is_unknown = || {
            self.guessing == Guessing::Nobody
                && !exposed.get_or_init(|| Exposed::of(state)).contains(Instance::Thread(thread))
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
            // Nobody can join it, and it takes nothing with it that others know of.
            Event::Finished(_) => {
                let made = state.memory().belongings(thread).into_iter().flat_map(|own| own.made(thread));
                let mut ended = made.filter(|object| matches!(object, Instance::Frame { .. }));
                let objects = self.steps.semantics.program.objects.iter().enumerate();
                let locals = objects.filter(|(_, object)| object.kind == ObjectKind::ThreadLocal);
                let mut locals = locals.map(|(id, _)| Instance::ThreadLocal(ObjectId::new(id), thread));
                is_unknown() && locals.all(is_own) && ended.all(is_own)
            }
            Event::Started(..) | Event::Ended(_) => false,
        };
        let is_unnoticed = |way: &Way| {
            let action = &function.edge(way.edge).action;
            let is_free = match (&way.outcome, action) {
                (_, Action::AtomicBegin | Action::AtomicEnd) => false,
                (Ok(_) | Err(Outcome::Disabled), Action::Assume(_)) => true,
                (Ok(_), _) => !way.may_wait,
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
