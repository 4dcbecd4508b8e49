//! What an expansion looked at: everything, apart from where the thread stands and what it owns, that its outcome
//! depends on, in the order in which it was first looked at. What comes next depends only on what was seen before, so
//! the records of one thread at one place make a tree ([`table`](crate::table)).
//!
//! A step reads its top activation, the objects and ghost fields that the semantics tells of, and of other objects
//! whether they are alive: of those that its registers point to, or in an atomic update, that what it reads points to.
//! All objects of a thread are one part, so it is enough to know whose objects those are.

use std::sync::Arc;

use rustc_hash::FxHashSet;
use selvedge_program::semantics::{GhostKey, Instance, Observer, PendingAccess, Spot, State};
use selvedge_program::{Action, AtomicStep, ObjectId, RegisterId, ThreadIndex};

use crate::outlook::Outlook;
use crate::parts::{for_each_owner, owner};
use crate::predicted::Predicted;

/// What is asked of all threads but some.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Relation {
    /// Does what a thread is about to do conflict with anything that one may do?
    Conflicts,
    /// May it race with what one is about to do?
    Races,
    /// Does one wait for the thread's end? The first that does.
    WaitsFor,
    /// Is one alive?
    Lives,
    /// How many are alive?
    Number,
}

/// A question about all threads but some.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Asked {
    /// What is asked.
    pub relation: Relation,
    /// About which thread.
    pub thread: ThreadIndex,
    /// Its outlook.
    pub outlook: Arc<Outlook>,
    /// The threads that are not asked, as bits.
    pub except: u128,
}

/// Something that was looked at.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Seen {
    /// Where a thread stands.
    Local(ThreadIndex),
    /// What a thread owns.
    Own(ThreadIndex),
    /// The same, and whether what it points to is alive.
    OwnAndNamed(ThreadIndex),
    /// A static object.
    Static(ObjectId),
    /// The same, and whether what it points to is alive.
    StaticAndNamed(ObjectId),
    /// A ghost field that belongs to no thread.
    Ghost(GhostKey),
    /// The same, and whether what it points to is alive.
    GhostAndNamed(GhostKey),
    /// The other threads.
    Asked(Asked),
}

/// Listens to an expansion.
#[derive(Debug, Default)]
pub struct Recorder {
    /// What was looked at, in order.
    pub seen: Vec<Seen>,
    known: FxHashSet<Seen>,
    /// The threads that have moved or started in the transition that is being recorded, as bits.
    ran: u128,
    is_on: bool,
}

impl Recorder {
    /// Begins a record.
    pub fn begin(&mut self) {
        self.seen.clear();
        self.known.clear();
        self.is_on = true;
    }

    /// Ends the record; whether it is complete.
    pub fn end(&mut self) -> bool {
        std::mem::replace(&mut self.is_on, false)
    }

    /// The outcome depends on something that is not recorded.
    pub fn give_up(&mut self) {
        self.is_on = false;
    }

    /// Another transition from the same state begins, with a step of a thread.
    pub fn begin_transition(&mut self, thread: ThreadIndex) {
        self.ran = bit(thread);
    }

    /// A thread that stood still up to now moves.
    pub fn runs(&mut self, thread: ThreadIndex) {
        if self.is_on && self.ran & bit(thread) == 0 {
            self.see(Seen::Local(thread));
            self.see(Seen::Own(thread));
            self.started(thread);
        }
    }

    /// A thread has been started.
    pub fn started(&mut self, thread: ThreadIndex) {
        if bit(thread) == 0 {
            self.give_up();
        }
        self.ran |= bit(thread);
    }

    /// Whether a thread has moved or started in this transition.
    pub fn has_run(&self, thread: ThreadIndex) -> bool {
        self.ran & bit(thread) != 0
    }

    /// The threads that have not run were asked something.
    pub fn asked(&mut self, relation: Relation, thread: ThreadIndex, outlook: &Arc<Outlook>) {
        if self.is_on {
            let except = self.ran;
            self.see(Seen::Asked(Asked { relation, thread, outlook: Arc::clone(outlook), except }));
        }
    }

    /// A thread's top activation is looked at.
    pub fn looks_at(&mut self, state: &State, thread: ThreadIndex) {
        if !self.is_on {
            return;
        }
        for value in state.frame(thread).into_iter().flat_map(|frame| &frame.registers).flatten() {
            for_each_owner(value, |owner| self.see(Seen::Own(owner)));
        }
    }

    /// Something was looked at.
    fn see(&mut self, seen: Seen) {
        if self.is_on && self.known.insert(seen.clone()) {
            self.seen.push(seen);
        }
    }

    /// Listens to a step.
    pub fn listen<'r, 'f, 'p>(
        &'r mut self,
        action: &Action,
        predicted: Option<Predicted<'f, 'p>>,
    ) -> Listener<'r, 'f, 'p> {
        let reads_strings =
            matches!(action, Action::Output(pieces) if pieces.iter().any(|piece| piece.string().is_some()));
        if reads_strings || follows_what_it_reads(action.steps()) {
            self.give_up();
        }
        Listener { recorder: self, is_atomic: matches!(action, Action::Atomic(_)), predicted }
    }
}

fn bit(thread: ThreadIndex) -> u128 {
    1u128.checked_shl(thread.0).unwrap_or(0)
}

/// Whether an update accesses a place whose address it has read itself.
fn follows_what_it_reads(steps: &[AtomicStep]) -> bool {
    let mut assigned: Vec<RegisterId> = Vec::new();
    steps.iter().any(|step| {
        let follows = step.access().is_some_and(|(access, _)| access.place.address().mentions(&assigned));
        assigned.extend(step.assigned());
        follows
    })
}

/// Listens to one step.
#[derive(Debug)]
pub struct Listener<'r, 'f, 'p> {
    recorder: &'r mut Recorder,
    is_atomic: bool,
    predicted: Option<Predicted<'f, 'p>>,
}

impl Observer for Listener<'_, '_, '_> {
    fn access(&mut self, access: PendingAccess) {
        if let Some(predicted) = &mut self.predicted {
            predicted.access(access);
        }
        if !self.recorder.is_on {
            return;
        }
        let (object, key) = match access.spot {
            Spot::Bytes { object, .. } | Spot::Whole(object) => (Some(object), None),
            Spot::Ghost(key) => (key.object, Some(key)),
        };
        let seen = match (object.and_then(owner), key, object) {
            (Some(thread), ..) if self.is_atomic => Seen::OwnAndNamed(thread),
            (Some(thread), ..) => Seen::Own(thread),
            (None, Some(key), _) if self.is_atomic => Seen::GhostAndNamed(key),
            (None, Some(key), _) => Seen::Ghost(key),
            (None, None, Some(Instance::Static(object))) if self.is_atomic => Seen::StaticAndNamed(object),
            (None, None, Some(Instance::Static(object))) => Seen::Static(object),
            (None, None, _) => return,
        };
        self.recorder.see(seen);
    }
}
