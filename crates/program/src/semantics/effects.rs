//! What a step did, for reports, traces and engines: an [`Observer`] hears of it while it happens.

use crate::semantics::accesses::PendingAccess;
use crate::semantics::state::GhostKey;
use crate::semantics::value::{Instance, Value};
use crate::{Bits, FunctionId, RegisterId, SiteId, ThreadIndex};

/// What a change changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Changed {
    /// A register of the running activation; in a call, a parameter of the new one, and in a return, one of the
    /// caller's.
    Register(FunctionId, RegisterId),
    /// Bytes of an object.
    Memory {
        /// The object.
        object: Instance,
        /// From this byte on.
        offset: u64,
        /// So many.
        size: u32,
    },
    /// A ghost field.
    Ghost(GhostKey),
}

/// A register, some bytes or a ghost field with another value than before, or the same once more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// What has changed.
    pub what: Changed,
    /// Its name: `queue.head`, `i`, `m.owner`.
    pub name: String,
    /// What it was; `None` for a register that held nothing yet.
    pub old: Option<Value>,
    /// What it is.
    pub new: Value,
    /// What it was, for people; empty if it was nothing.
    pub old_text: String,
    /// What it is, for people.
    pub new_text: String,
}

/// What happened other than a change of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Event {
    /// An object came to life.
    Allocated {
        /// The object.
        object: Instance,
        /// Its size in bytes.
        size: u64,
        /// The place in the program.
        site: SiteId,
    },
    /// A heap object was freed.
    Freed(Instance),
    /// The contents of an object became indeterminate.
    Forgotten(Instance),
    /// A thread was started with a function.
    Started(ThreadIndex, FunctionId),
    /// The thread ended.
    Finished(ThreadIndex),
    /// A function was called.
    Called(FunctionId),
    /// A function returned.
    Returned(FunctionId),
    /// The process ended with a status.
    Ended(Bits),
}

/// Who listens to a step. On a step that fails, what was heard up to there counts for nothing but accesses.
pub trait Observer {
    /// Whether changes and events are worth naming; [`Observer::change`] is not called otherwise.
    fn wants_changes(&self) -> bool {
        false
    }

    /// A value has changed.
    fn change(&mut self, _change: Change) {}

    /// Something has happened.
    fn event(&mut self, _event: Event) {}

    /// Memory has been accessed.
    fn access(&mut self, _access: PendingAccess) {}

    /// Something has been printed.
    fn output(&mut self, _text: &[u8]) {}

    /// A question has been answered.
    fn chosen(&mut self, _answer: &Value) {}
}

/// Listens to nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {}

/// Everything that a step did, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effects {
    /// The values that changed.
    pub changes: Vec<Change>,
    /// What else happened.
    pub events: Vec<Event>,
    /// The accesses to memory.
    pub accesses: Vec<PendingAccess>,
    /// What was printed.
    pub output: Vec<u8>,
    /// The answers given to the step's questions.
    pub choices: Vec<Value>,
}

impl Observer for Effects {
    fn wants_changes(&self) -> bool {
        true
    }

    fn change(&mut self, change: Change) {
        self.changes.push(change);
    }

    fn event(&mut self, event: Event) {
        self.events.push(event);
    }

    fn access(&mut self, access: PendingAccess) {
        self.accesses.push(access);
    }

    fn output(&mut self, text: &[u8]) {
        self.output.extend_from_slice(text);
    }

    fn chosen(&mut self, answer: &Value) {
        self.choices.push(answer.clone());
    }
}
