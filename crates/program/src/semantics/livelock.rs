//! Livelock: threads that go round for ever, and nobody is left who would end that.
//!
//! A state is *closed* if no live thread ever changes memory or a ghost field again, prints, starts a thread or ends,
//! whatever it is answered. Since nobody changes anything, what one thread can do does not depend on the others: so each
//! is followed by itself. A closed state is livelocked if some thread of it comes nowhere where it cannot move on. That
//! stays so whatever step is taken: who looks for livelocks need not look at every state on the way to one, as long as no
//! thread is put off for ever.
//!
//! What a function called in a loop does with locals of its own is no change. Spurious wake-ups are left out, as they
//! are for deadlocks.

use std::collections::HashSet;

use crate::semantics::effects::{Event, Observer};
use crate::semantics::memory::Block;
use crate::semantics::outcome::{Answers, Outcome};
use crate::semantics::state::State;
use crate::semantics::step::perform;
use crate::semantics::value::Value;
use crate::semantics::{Instance, Semantics, Standing};
use crate::{EdgeId, ThreadIndex};

/// How many states of one thread are followed, and how many answers to one question.
const STATES: usize = 4_096;
const ANSWERS: u128 = 256;

/// Whether a state is livelocked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Livelock {
    /// Something may still happen, or no thread goes round for ever.
    No,
    /// Some thread goes round for ever, and nothing else ever happens.
    Yes,
    /// Following the threads was given up: there are too many answers or states, or something is not modelled.
    Unknown,
}

/// What becomes of one thread as long as nobody changes anything.
enum Course {
    /// It may do something that others notice.
    Open,
    /// It goes round for ever, or may come to wait.
    Closed {
        is_endless: bool,
    },
    Unknown,
}

impl Semantics<'_> {
    /// Whether a state is livelocked.
    pub fn livelock(&self, state: &State) -> Livelock {
        let (mut is_endless, mut is_known) = (false, true);
        for thread in state.thread_indices().filter(|thread| state.is_live(*thread)) {
            match self.course(state, thread) {
                Course::Open => return Livelock::No,
                Course::Closed { is_endless: mine } => is_endless |= mine,
                Course::Unknown => is_known = false,
            }
        }
        match (is_known, is_endless) {
            (false, _) => Livelock::Unknown,
            (true, true) => Livelock::Yes,
            (true, false) => Livelock::No,
        }
    }

    fn course(&self, first: &State, thread: ThreadIndex) -> Course {
        let mut seen = HashSet::new();
        let mut pending = vec![first.clone()];
        let mut is_endless = true;
        seen.insert(first.clone());
        while let Some(state) = pending.pop() {
            if seen.len() > STATES {
                return Course::Unknown;
            }
            match self.standing(&state, thread) {
                Standing::Able | Standing::HeldUp => {}
                Standing::Waiting => is_endless = false,
                // Given up, or ended: this is no execution in which it goes on.
                Standing::Abandoned | Standing::Finished => return Course::Open,
            }
            let Some(frame) = state.frame(thread) else { return Course::Open };
            let function = self.program.function(frame.function);
            for edge in &function.location(frame.location).outgoing {
                if function.edge(*edge).action.is_spurious() {
                    continue;
                }
                let mut next = Vec::new();
                match self.ways(first, (&state, thread, *edge), &mut Vec::new(), &mut next) {
                    Course::Closed { .. } => {}
                    other => return other,
                }
                pending.extend(next.into_iter().filter(|next| seen.insert(next.clone())));
            }
        }
        Course::Closed { is_endless }
    }

    /// Takes an edge with these answers; where one more is asked for, with every answer to that.
    fn ways(
        &self,
        first: &State,
        (state, thread, edge): (&State, ThreadIndex, EdgeId),
        answers: &mut Vec<Value>,
        all: &mut Vec<State>,
    ) -> Course {
        let (mut next, mut noticed) = (state.clone(), Noticed::default());
        match perform(self, &mut next, thread, edge, &mut Answers::new(answers), &mut noticed) {
            Ok(()) if noticed.0 || !is_unchanged(first, &next) => return Course::Open,
            Ok(()) => all.push(next),
            Err(Outcome::Disabled) => {}
            Err(Outcome::AssertionFailed(_) | Outcome::Undefined(..)) => return Course::Open,
            Err(Outcome::Unsupported(_) | Outcome::Internal(_)) => return Course::Unknown,
            Err(Outcome::NeedsChoice(question)) => {
                let Ok(given) = question.answers(ANSWERS) else { return Course::Unknown };
                for answer in given {
                    answers.push(answer);
                    let course = self.ways(first, (state, thread, edge), answers, all);
                    answers.pop();
                    if !matches!(course, Course::Closed { .. }) {
                        return course;
                    }
                }
            }
        }
        Course::Closed { is_endless: false }
    }
}

/// Whether something happened that does not show in memory.
#[derive(Default)]
struct Noticed(bool);

impl Observer for Noticed {
    fn event(&mut self, event: Event) {
        self.0 |= match event {
            Event::Called(_) | Event::Returned(_) | Event::Forgotten(_) => false,
            Event::Allocated { .. } | Event::Freed(_) | Event::Started(..) | Event::Finished(_) | Event::Ended(_) => {
                true
            }
        };
    }

    fn output(&mut self, text: &[u8]) {
        self.0 |= !text.is_empty();
    }
}

/// Whether memory and ghost fields are as they were, but for locals that were not there.
fn is_unchanged(first: &State, now: &State) -> bool {
    let is_kept = |(instance, before): (Instance, &Block)| {
        now.memory().block(instance).is_some_and(|block| std::ptr::eq(before, block) || before == block)
    };
    (now.shares_ghosts(first) || now.ghosts == first.ghosts) && first.memory().live().all(is_kept)
}
