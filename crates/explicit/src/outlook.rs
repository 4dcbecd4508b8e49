//! A thread's outlook: what it is about to touch and what it may touch from then on.
//!
//! Computed whenever a thread has moved and kept until it moves again: it depends on the thread's registers alone.
//! Addresses are not checked here; whether an access is allowed is for the semantics to say.

use rustc_hash::FxHashMap;
use selvedge_analysis::{AbstractObject, Offset};
use selvedge_program::semantics::eval::Evaluator;
use selvedge_program::semantics::{AccessKind, Frame, GhostKey, Instance, Spot, State, Value};
use selvedge_program::{
    Access, AccessMode, Action, AtomicStep, Atomicity, EdgeId, GhostField, Place, RegisterId, ThreadIndex,
};

use crate::footprints::{Footprints, Visibility};
use crate::region::{Extent, Region, written_at_end};
use selvedge_program::bitset;

/// What kind of step comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Next {
    /// One that no other thread can notice.
    Private,
    /// One that others may notice.
    Visible,
    /// The thread's start of another.
    Start,
    /// The beginning of an atomic section.
    Section,
    /// The end of the process.
    Exit,
    /// None: the thread has finished.
    Finished,
}

/// An access to a contended object that comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NextAccess {
    /// Where, unchecked.
    pub spot: Spot,
    /// How.
    pub mode: AccessMode,
}

/// What a thread is about to do and may do.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Outlook {
    /// What comes next.
    pub next: Next,
    /// The accesses that come next.
    pub accesses: Vec<NextAccess>,
    /// Whether all of them are known.
    pub exact: bool,
    /// The regions that conflict with what comes next.
    pub conflicts: Box<[u64]>,
    /// The threads whose end conflicts with what comes next.
    pub watches: Vec<ThreadIndex>,
    /// The regions that the thread may touch, now and later.
    pub future: Box<[u64]>,
}

impl Outlook {
    /// Whether what comes next may interfere with what another thread may do.
    pub fn conflicts_with(&self, other: ThreadIndex, outlook: &Outlook) -> bool {
        bitset::intersects(&self.conflicts, &outlook.future) || self.watches.contains(&other)
    }

    /// Whether nothing that any thread does can interfere with what comes next.
    pub fn is_independent(&self) -> bool {
        bitset::is_empty(&self.conflicts) && self.watches.is_empty()
    }

    /// Whether the threads may be about to race.
    pub fn may_race(&self, other: &Outlook) -> bool {
        if !self.exact || !other.exact {
            let touches_nothing = |outlook: &Outlook| outlook.exact && outlook.accesses.is_empty();
            return !touches_nothing(self) && !touches_nothing(other);
        }
        self.accesses.iter().any(|mine| {
            let races = |theirs: &NextAccess| mine.mode.races_with(theirs.mode) && mine.spot.overlaps(theirs.spot);
            other.accesses.iter().any(races)
        })
    }
}

/// An access whose place is known: the object, the offset, how many bytes or which ghost field, and the kind.
type Precise = (AbstractObject, u64, u64, Option<GhostField>, AccessKind);

/// Computes outlooks, remembering what conflicts with what.
#[derive(Debug)]
pub struct Outlooks<'f, 'p> {
    facts: &'f Footprints<'p>,
    cache: FxHashMap<Precise, Box<[u64]>>,
}

impl<'f, 'p> Outlooks<'f, 'p> {
    /// For one program.
    pub fn new(facts: &'f Footprints<'p>) -> Self {
        Self { facts, cache: FxHashMap::default() }
    }

    /// The outlook of a thread.
    pub fn of(&mut self, state: &State, thread: ThreadIndex) -> Outlook {
        let facts = self.facts;
        let words = facts.words();
        let mut outlook = Outlook {
            next: Next::Finished,
            accesses: Vec::new(),
            exact: true,
            conflicts: vec![0; words].into(),
            watches: Vec::new(),
            future: vec![0; words].into(),
        };
        let frames = state.thread(thread).map_or(&[][..], |thread| &thread.frames);
        let Some(frame) = frames.last() else { return outlook };
        for frame in frames {
            bitset::add(&mut outlook.future, facts.touches.at(frame.function, frame.location));
            bitset::add(&mut outlook.future, &facts.deaths[frame.function.index()]);
        }
        bitset::add(&mut outlook.future, &facts.thread_death);
        outlook.next = Next::Private;
        if facts.visibility(frame.function, frame.location) == Visibility::Perhaps {
            let function = facts.program.function(frame.function);
            for edge in &function.location(frame.location).outgoing {
                self.edge(state, thread, frames, *edge, &mut outlook);
            }
        }
        outlook
    }

    fn edge(&mut self, state: &State, thread: ThreadIndex, frames: &[Frame], edge: EdgeId, outlook: &mut Outlook) {
        let facts = self.facts;
        let Some(frame) = frames.last() else { return };
        let regions = &facts.edges[frame.function.index()][edge.index()];
        match &facts.program.function(frame.function).edge(edge).action {
            Action::Load { access, .. } => {
                self.access(state, thread, access, AccessKind::Read, outlook);
                self.guess(regions, outlook);
            }
            Action::Store { access, .. } => self.access(state, thread, access, AccessKind::Write, outlook),
            Action::Atomic(steps) => {
                let watched = outlook.watches.len();
                self.atomic(state, thread, steps, regions, outlook);
                if facts.is_blind_to_end(frame.function, edge) {
                    outlook.watches.truncate(watched);
                }
            }
            Action::Return { .. } if frames.len() == 1 && thread == ThreadIndex(0) => outlook.next = Next::Exit,
            Action::Exit { .. } => outlook.next = Next::Exit,
            Action::Return { .. } if frames.len() > 1 => self.regions(regions, outlook),
            Action::Return { .. } | Action::ThreadExit { .. } => {
                for frame in frames {
                    self.regions(&facts.deaths[frame.function.index()], outlook);
                }
                self.regions(&facts.thread_death, outlook);
                bitset::add(&mut outlook.conflicts, &facts.end_conflicts);
                outlook.next = Next::Visible;
            }
            Action::Spawn { id, .. } => {
                if let Some(id) = id {
                    self.access(state, thread, id, AccessKind::Write, outlook);
                }
                self.regions(regions, outlook);
                outlook.next = Next::Start;
            }
            Action::AtomicBegin => {
                let whole = outlook.future.clone();
                self.regions(facts.section(frame.function, frame.location).unwrap_or(&whole), outlook);
                outlook.next = Next::Section;
            }
            Action::Free { address } => {
                self.regions(regions, outlook);
                let evaluator = Evaluator::of_thread(facts.program, state, thread);
                if let Ok(Value::Pointer(pointer)) = evaluator.eval(address)
                    && AbstractObject::of_instance(state, pointer.object)
                        .is_some_and(|object| facts.contended.contains(&object))
                {
                    let spot = Spot::Whole(pointer.object);
                    let mode = AccessMode { kind: AccessKind::Write, atomicity: Atomicity::Plain };
                    outlook.accesses.push(NextAccess { spot, mode });
                }
            }
            Action::Output(pieces) => {
                self.regions(regions, outlook);
                let reads_nothing = pieces.iter().all(|piece| piece.string().is_none());
                outlook.exact &= reads_nothing || bitset::is_empty(regions);
            }
            Action::Assume(_)
            | Action::Assign { .. }
            | Action::Havoc { .. }
            | Action::Forget { .. }
            | Action::EndLife { .. }
            | Action::Allocate { .. }
            | Action::Assert { .. }
            | Action::Require { .. }
            | Action::Call { .. }
            | Action::AtomicEnd
            | Action::Fence(_)
            | Action::Unsupported(_)
            | Action::Inexact(_) => self.regions(regions, outlook),
        }
    }

    /// Adds what conflicts with a set of regions.
    fn regions(&self, regions: &[u64], outlook: &mut Outlook) {
        if !bitset::is_empty(regions) {
            self.facts.add_conflicts(regions, &mut outlook.conflicts);
            outlook.next = Next::Visible;
        }
    }

    /// Adds what conflicts with the guess of an address, if there may be one among the regions of a load.
    fn guess(&self, regions: &[u64], outlook: &mut Outlook) {
        if let Some(guess) = self.facts.guess.as_deref().filter(|guess| bitset::intersects(guess, regions)) {
            self.regions(guess, outlook);
        }
    }

    fn atomic(
        &mut self,
        state: &State,
        thread: ThreadIndex,
        steps: &[AtomicStep],
        regions: &[u64],
        outlook: &mut Outlook,
    ) {
        let mut assigned: Vec<RegisterId> = Vec::new();
        for step in steps {
            if step.threads_touch().is_some() {
                self.regions(regions, outlook);
            }
            if let Some((access, kind)) = step.access() {
                if access.place.address().mentions(&assigned) {
                    self.regions(regions, outlook);
                    outlook.exact &= bitset::is_empty(regions);
                } else {
                    self.access(state, thread, access, kind, outlook);
                }
            }
            assigned.extend(step.assigned());
        }
    }

    fn access(&mut self, state: &State, thread: ThreadIndex, access: &Access, kind: AccessKind, outlook: &mut Outlook) {
        let evaluator = Evaluator::of_thread(self.facts.program, state, thread);
        let (object, spot) = match &access.place {
            Place::Ghost { field: GhostField::NextKey, .. } => {
                let key = GhostKey { object: None, offset: 0, field: GhostField::NextKey };
                (AbstractObject::Thread, Spot::Ghost(key))
            }
            Place::Memory { address, size, .. } => {
                let Ok(Value::Pointer(pointer)) = evaluator.eval(address) else { return };
                let Some(object) = AbstractObject::of_instance(state, pointer.object) else { return };
                (object, Spot::Bytes { object: pointer.object, offset: pointer.offset, size: u64::from(*size) })
            }
            Place::Ghost { address, field } => {
                let Ok(Value::Pointer(pointer)) = evaluator.eval(address) else { return };
                let Some(object) = AbstractObject::of_instance(state, pointer.object) else { return };
                let key = GhostKey { object: Some(pointer.object), offset: pointer.offset, field: *field };
                if let Instance::Thread(other) = pointer.object
                    && other != thread
                    && written_at_end(*field)
                    && !outlook.watches.contains(&other)
                {
                    outlook.watches.push(other);
                }
                (object, Spot::Ghost(key))
            }
        };
        if self.facts.contended.contains(&object) {
            outlook.next = Next::Visible;
            bitset::add(&mut outlook.conflicts, self.conflicts(object, spot, kind));
            let mode = AccessMode { kind, atomicity: access.atomicity };
            outlook.accesses.push(NextAccess { spot, mode });
        }
    }

    fn conflicts(&mut self, object: AbstractObject, spot: Spot, kind: AccessKind) -> &[u64] {
        let (offset, size, field) = match spot {
            Spot::Bytes { offset, size, .. } => (offset, size, None),
            Spot::Ghost(key) => (key.offset, 1, Some(key.field)),
            Spot::Whole(_) => (0, u64::from(u32::MAX), None),
        };
        let facts = self.facts;
        self.cache.entry((object, offset, size, field, kind)).or_insert_with(|| {
            let at = Offset { start: offset as i64, stride: 0 };
            let extent = match field {
                None => Extent::Bytes(at, size),
                Some(field) => Extent::Ghost(at, field),
            };
            facts.conflicts_with(&Region::new(object, extent, kind)).into()
        })
    }
}
