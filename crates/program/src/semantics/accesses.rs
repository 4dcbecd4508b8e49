//! What threads are about to access, and which of that races.
//!
//! Two threads race when each is about to access the same byte (both its next step, whichever edge it takes), at least
//! one of them writing, and not both atomically. A thread that is held up by another's atomic section is still about to
//! do what it would do next; within an atomic section every access is atomic. `free` is a write of all that the object
//! is.

use crate::semantics::effects::Observer;
use crate::semantics::eval::Evaluator;
use crate::semantics::outcome::{Outcome, Plainest};
use crate::semantics::state::{GhostKey, State};
use crate::semantics::value::{Instance, Value};
use crate::semantics::{Semantics, output, place, step};
use crate::{AccessKind, AccessMode, Accesses, Action, Atomicity, EdgeId, ThreadIndex, Undefined};

/// A piece of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Spot {
    /// Some of its bytes.
    Bytes {
        /// The object.
        object: Instance,
        /// From this byte on.
        offset: u64,
        /// So many.
        size: u64,
    },
    /// One of its ghost fields.
    Ghost(GhostKey),
    /// All that it is: its life ends.
    Whole(Instance),
}

impl Spot {
    /// The object; `None` for what belongs to the program as a whole.
    pub fn object(self) -> Option<Instance> {
        match self {
            Spot::Bytes { object, .. } | Spot::Whole(object) => Some(object),
            Spot::Ghost(key) => key.object,
        }
    }

    /// Whether two spots have something in common.
    pub fn overlaps(self, other: Spot) -> bool {
        match (self, other) {
            (
                Spot::Bytes { object: a, offset: from_a, size: size_a },
                Spot::Bytes { object: b, offset: from_b, size: size_b },
            ) => a == b && from_a < from_b + size_b && from_b < from_a + size_a,
            (Spot::Ghost(a), Spot::Ghost(b)) => a == b,
            (Spot::Whole(object), other) | (other, Spot::Whole(object)) => other.object() == Some(object),
            _ => false,
        }
    }
}

/// An access that a thread makes or is about to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PendingAccess {
    /// The thread.
    pub thread: ThreadIndex,
    /// The edge, of the function that the thread is in.
    pub edge: EdgeId,
    /// What it touches.
    pub spot: Spot,
    /// Reading or writing.
    pub kind: AccessKind,
    /// Whether it takes part in synchronisation.
    pub atomicity: Atomicity,
}

impl PendingAccess {
    /// How the spot is accessed.
    pub fn mode(&self) -> AccessMode {
        AccessMode { kind: self.kind, atomicity: self.atomicity }
    }

    /// Whether two accesses race if they are of different threads.
    pub fn races_with(&self, other: &PendingAccess) -> bool {
        self.mode().races_with(other.mode()) && self.spot.overlaps(other.spot)
    }
}

/// Whether two accesses of different threads race.
pub fn conflict(a: &PendingAccess, b: &PendingAccess) -> bool {
    a.thread != b.thread && a.races_with(b)
}

/// Two accesses that race.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Race {
    /// That of the thread that was created first.
    pub first: PendingAccess,
    /// That of the other.
    pub second: PendingAccess,
}

#[derive(Default)]
struct Heard(Vec<PendingAccess>);

impl Observer for Heard {
    fn access(&mut self, access: PendingAccess) {
        self.0.push(access);
    }
}

/// The object whose life `free` of an address ends; `None` for null.
pub(super) fn freed(evaluator: &Evaluator<'_>, address: &Value) -> Result<Option<Instance>, Outcome> {
    let wrong = |undefined| Err(Outcome::bad_access(undefined, address, 0));
    let Value::Pointer(pointer) = address else {
        return if address.is_zero() { Ok(None) } else { wrong(Undefined::InvalidFree) };
    };
    if !matches!(pointer.object, Instance::Heap { .. }) {
        return wrong(Undefined::InvalidFree);
    }
    if evaluator.state.memory().block(pointer.object).is_none() {
        return wrong(Undefined::DoubleFree);
    }
    if pointer.offset != 0 {
        return wrong(Undefined::InvalidFree);
    }
    Ok(Some(pointer.object))
}

impl Semantics<'_> {
    /// What a thread is about to access: for every edge at its location, the accesses that the edge would make, up to
    /// the point where it would wait or be undefined. Open choices are answered plainly.
    pub fn accesses(&self, state: &State, thread: ThreadIndex) -> Vec<PendingAccess> {
        let Some(frame) = state.frame(thread).filter(|_| state.is_live(thread)) else { return Vec::new() };
        let function = self.program.function(frame.function);
        let mut heard = Heard::default();
        for edge in &function.location(frame.location).outgoing {
            self.accesses_of(state, thread, *edge, &function.edge(*edge).action, &mut heard);
        }
        heard.0
    }

    fn accesses_of(&self, state: &State, thread: ThreadIndex, edge: EdgeId, action: &Action, heard: &mut Heard) {
        let evaluator = Evaluator::of_thread(self.program, state, thread);
        let in_section = state.atomic_section().is_some_and(|section| section.owner == thread);
        let mut hear = |spot: Spot, kind, atomicity| {
            let atomicity = if in_section { Atomicity::SEQUENTIAL } else { atomicity };
            heard.access(PendingAccess { thread, edge, spot, kind, atomicity });
        };
        // What is stored is computed before it is stored.
        if let Action::Store { value, .. } = action
            && evaluator.eval(value).is_err()
        {
            return;
        }
        match action.accesses() {
            Accesses::None | Accesses::Local(_) => {}
            Accesses::One(access, kind) => {
                if let Ok(spot) = place::resolve(&evaluator, &access.place, kind) {
                    hear(spot, kind, access.atomicity);
                }
            }
            Accesses::Freed(address) => {
                if let Ok(Some(object)) = evaluator.eval(address).and_then(|address| freed(&evaluator, &address)) {
                    hear(Spot::Whole(object), AccessKind::Write, Atomicity::Plain);
                }
            }
            Accesses::Printed(pieces) => {
                for (_, read) in pieces.iter().map_while(|piece| output::piece(&evaluator, piece).ok()) {
                    read.into_iter().for_each(|spot| hear(spot, AccessKind::Read, Atomicity::Plain));
                }
            }
            Accesses::Update(_) => {
                // How the update ends does not matter here: what it accesses is heard on the way.
                let _ = step::perform(self, &mut state.clone(), thread, edge, &mut Plainest, heard);
            }
        }
    }

    /// Every pair of accesses that race in a state.
    pub fn races(&self, state: &State) -> Vec<Race> {
        let pending: Vec<Vec<PendingAccess>> =
            state.thread_indices().map(|thread| self.accesses(state, thread)).collect();
        let mut races = Vec::new();
        for (position, mine) in pending.iter().enumerate() {
            for theirs in &pending[position + 1..] {
                for first in mine {
                    for second in theirs.iter().filter(|second| conflict(first, second)) {
                        races.push(Race { first: *first, second: *second });
                    }
                }
            }
        }
        races
    }
}
