//! An independent look at an exhaustive exploration: the same question answered without any reduction, by the plainest
//! search over the states of the concrete semantics. It shares nothing with the engine; it is slow, and it is meant to
//! be obviously right.

use crate::Subject;
use crate::constants::likely_numbers;
use crate::subject::object_at;
use rustc_hash::FxHashSet;
use selvedge_analysis::{AbstractObject, Field, Offset};
use selvedge_program::semantics::{Answers, Livelock, Outcome, Question, Semantics, Spot, State, Value};
use selvedge_program::{Bits, Budget, EdgeId, Program, Property, ThreadIndex};
use std::collections::{BTreeSet, VecDeque};

/// What the search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recheck {
    /// The properties that are violated somewhere.
    pub violated: BTreeSet<Property>,
    /// What exactly is violated.
    pub subjects: BTreeSet<Subject>,
    /// The bytes of objects that two accesses race on.
    pub raced: BTreeSet<(AbstractObject, Field)>,
    /// Whether everything was explored: no limit, no unmodelled construct, no choice too large.
    pub is_complete: bool,
    /// How many states there are.
    pub states: usize,
}

/// How far the search goes, whatever the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// So many states.
    pub states: usize,
    /// So many bytes of memory in all states together.
    pub bytes: u64,
    /// Of a choice with more answers only a few are tried.
    pub choices: u128,
    /// Whether states are looked at for livelocks.
    pub livelocks: Livelocks,
}

/// Whether states are looked at for livelocks, which takes time at each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Livelocks {
    #[default]
    Ignored,
    LookedFor,
}

/// Explores all executions of a program, up to a number of states; of a choice with more than `choices` answers, a few.
pub fn recheck(program: &Program, limit: usize, choices: u128) -> Recheck {
    recheck_within(
        program,
        Extent { states: limit, bytes: u64::MAX, choices, livelocks: Livelocks::Ignored },
        &Budget::unlimited(),
    )
}

/// The same up to an extent, and within a budget.
pub fn recheck_within(program: &Program, extent: Extent, budget: &Budget) -> Recheck {
    let mut search = Search {
        semantics: Semantics::new(program),
        seen: FxHashSet::default(),
        queue: VecDeque::new(),
        bytes: 0,
        choices: extent.choices,
        livelocks: extent.livelocks,
        likely: likely_numbers(program),
        result: Recheck {
            violated: BTreeSet::new(),
            subjects: BTreeSet::new(),
            raced: BTreeSet::new(),
            is_complete: true,
            states: 0,
        },
    };
    match search.semantics.initial() {
        Ok(state) => search.meet(state),
        Err(_) => search.result.is_complete = false,
    }
    while let Some(state) = search.queue.pop_front() {
        if search.seen.len() > extent.states || search.bytes > extent.bytes || budget.check().is_err() {
            search.result.is_complete = false;
            break;
        }
        search.expand(&state);
    }
    search.result.states = search.seen.len();
    search.result.violated.extend(search.result.subjects.iter().map(|subject| subject.property()));
    search.result
}

/// The bytes that two spots of one object have in common.
fn common_bytes(state: &State, first: Spot, second: Spot) -> Option<(AbstractObject, Field)> {
    let range = |spot| match spot {
        Spot::Bytes { offset, size, .. } => Some((offset, offset.saturating_add(size))),
        Spot::Ghost(_) | Spot::Whole(_) => None,
    };
    let (object, (start, end), (other, other_end)) = (object_at(state, first)?, range(first)?, range(second)?);
    let (start, end) = (start.max(other), end.min(other_end));
    let offset = Offset { start: i64::try_from(start).ok()?, stride: 0 };
    Some((object, Field { offset, size: end.checked_sub(start)? }))
}

struct Search<'p> {
    semantics: Semantics<'p>,
    seen: FxHashSet<State>,
    queue: VecDeque<State>,
    bytes: u64,
    choices: u128,
    livelocks: Livelocks,
    likely: Vec<u128>,
    result: Recheck,
}

impl Search<'_> {
    fn meet(&mut self, state: State) {
        if self.seen.insert(state.clone()) {
            self.bytes += state.memory().live().map(|(_, block)| block.contents.size()).sum::<u64>();
            self.queue.push_back(state);
        }
    }

    fn expand(&mut self, state: &State) {
        for race in self.semantics.races(state) {
            match object_at(state, race.first.spot) {
                Some(object) => self.result.subjects.insert(Subject::Race(object)),
                None => self.result.violated.insert(Property::Race),
            };
            self.result.raced.extend(common_bytes(state, race.first.spot, race.second.spot));
        }
        if self.semantics.deadlocked(state) {
            self.result.subjects.insert(Subject::Deadlock);
        }
        if self.livelocks == Livelocks::LookedFor {
            match self.semantics.livelock(state) {
                Livelock::Yes => drop(self.result.subjects.insert(Subject::Livelock)),
                Livelock::No => {}
                Livelock::Unknown => self.result.is_complete = false,
            }
        }
        for thread in state.thread_indices().filter(|thread| state.is_live(*thread)) {
            let Some(frame) = state.frame(thread) else { continue };
            let location = self.semantics.program.function(frame.function).location(frame.location);
            for edge in &location.outgoing {
                self.take(state, thread, *edge, &mut Vec::new());
            }
        }
    }

    /// Takes an edge with these answers; where one more is asked for, with every answer to that.
    fn take(&mut self, state: &State, thread: ThreadIndex, edge: EdgeId, answers: &mut Vec<Value>) {
        match self.semantics.step(state, thread, edge, &mut Answers::new(answers)) {
            Ok((next, _)) => self.meet(next),
            Err(Outcome::AssertionFailed(check)) => {
                self.result.subjects.insert(Subject::Assertion(check));
            }
            Err(Outcome::Undefined(undefined, _)) => {
                match state.frame(thread) {
                    Some(frame) => self.result.subjects.insert(Subject::Memory(frame.function, edge, undefined)),
                    None => self.result.violated.insert(Property::Memory),
                };
            }
            Err(Outcome::Disabled) => {}
            Err(Outcome::Unsupported(_) | Outcome::Internal(_)) => self.result.is_complete = false,
            Err(Outcome::NeedsChoice(question)) => {
                for answer in self.answers(state, &question) {
                    answers.push(answer);
                    self.take(state, thread, edge, answers);
                    answers.pop();
                }
            }
        }
    }

    /// The answers to a question; where there are too many, a few of them.
    fn answers(&mut self, state: &State, question: &Question) -> Vec<Value> {
        if let Ok(all) = question.answers(self.choices) {
            return all;
        }
        self.result.is_complete = false;
        match question {
            Question::Thread(_) => Vec::new(),
            Question::Number { known, free } => {
                let number =
                    |some: u128| Value::Bits(Bits::new(known.width(), known.unsigned() | some & free.unsigned()));
                self.likely.iter().copied().map(number).collect()
            }
            Question::Address { width } => {
                let guesses = state.guesses(self.semantics.program, self.choices.min(1 << 16) as usize).values;
                self.likely.iter().map(|number| Value::bits(*width, *number)).chain(guesses).collect()
            }
        }
    }
}
