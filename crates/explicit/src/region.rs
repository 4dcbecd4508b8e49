//! Regions: what code may touch, as far as that is known before it runs.
//!
//! A region is a part of an abstract object that is read or written. Two regions conflict when they may have something
//! in common and one of them is written. Only contended objects count: those that several threads can reach and use.

use std::collections::{BTreeMap, BTreeSet};

use selvedge_analysis::{AbstractObject, Loads, Offset, PointsTo, Target, TemplateId, Threads, escaped};
use selvedge_program::semantics::AccessKind;
use selvedge_program::{
    Access, Accesses, Action, AtomicStep, EdgeId, Expr, FrameObjectId, Function, FunctionId, GhostField, OutputPiece,
    Place, Program, Storage, ThreadsTouch, Transfer,
};

use crate::blind::is_blind_to_end;

/// A part of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Extent {
    /// So many bytes at some offset.
    Bytes(Offset, u64),
    /// A ghost field at some offset.
    Ghost(Offset, GhostField),
    /// All of it: it dies, or its contents are forgotten.
    Whole,
    /// Not an object at all but the numbering of threads, which a start changes.
    Numbering,
    /// Not an object either but which addresses there are: the guess of one looks at that, the beginnings and ends of
    /// lives change it.
    Addresses,
}

/// A part of an object that is read or written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Region {
    /// The object.
    pub object: AbstractObject,
    /// Which part.
    pub extent: Extent,
    /// Reading or writing.
    pub kind: AccessKind,
    /// Whether the access cannot be told apart by the end of the thread it is about: it can only happen after that, as
    /// that of a join, or makes no use of whether the thread has ended, as that of a detachment.
    pub ignores_end: bool,
}

impl Region {
    /// An access to a part of an object.
    pub fn new(object: AbstractObject, extent: Extent, kind: AccessKind) -> Region {
        Region { object, extent, kind, ignores_end: false }
    }

    /// Whether the two may touch the same thing, one of them writing.
    pub fn conflicts(&self, other: &Region) -> bool {
        self.object == other.object
            && self.kind.conflicts_with(other.kind)
            && match (self.extent, other.extent) {
                (Extent::Numbering, Extent::Numbering) => true,
                // That two lives begin or end needs no order.
                (Extent::Addresses, Extent::Addresses) => self.kind != other.kind,
                (Extent::Numbering | Extent::Addresses, _) | (_, Extent::Numbering | Extent::Addresses) => false,
                (Extent::Whole, _) | (_, Extent::Whole) => true,
                (Extent::Bytes(a, size_a), Extent::Bytes(b, size_b)) => a.may_overlap(size_a, b, size_b),
                (Extent::Ghost(a, field_a), Extent::Ghost(b, field_b)) => field_a == field_b && a.may_overlap(1, b, 1),
                (Extent::Bytes(..), Extent::Ghost(..)) | (Extent::Ghost(..), Extent::Bytes(..)) => false,
            }
    }
}

/// Whether a field of a thread is written by the thread's end.
pub fn written_at_end(field: GhostField) -> bool {
    matches!(field, GhostField::ThreadStatus | GhostField::ThreadResult)
}

/// What every edge of a program may touch, contended or not.
#[derive(Debug)]
pub struct EdgeRegions<'p> {
    program: &'p Program,
    points_to: &'p PointsTo,
    guesses: Guesses,
}

impl<'p> EdgeRegions<'p> {
    /// Reads regions off a program.
    pub fn new(program: &'p Program, points_to: &'p PointsTo, loads: Loads) -> Self {
        Self { program, points_to, guesses: Guesses::of(program, loads) }
    }

    /// What an edge may touch. The end of a thread is not among it.
    pub fn of(&self, function: FunctionId, edge: EdgeId) -> Vec<Region> {
        let mut found = Vec::new();
        let action = &self.program.function(function).edge(edge).action;
        match action.accesses() {
            Accesses::None => {}
            Accesses::One(access, kind) => self.access(function, access, kind, &mut found),
            Accesses::Update(steps) => {
                self.atomic(function, steps, &mut found);
                if action.joined_thread().is_some() || is_blind_to_end(self.program.function(function), edge) {
                    for region in &mut found {
                        region.ignores_end |= matches!(region.extent, Extent::Ghost(_, field) if written_at_end(field));
                    }
                }
            }
            Accesses::Freed(address) => {
                let whole = |target: Target| Region::new(target.object, Extent::Whole, AccessKind::Write);
                found.extend(self.points_to.targets_of(function, address).into_iter().map(whole));
            }
            Accesses::Local(object) => {
                let object = AbstractObject::Frame(function, object);
                found.push(Region::new(object, Extent::Whole, AccessKind::Write));
            }
            Accesses::Printed(pieces) => {
                let any = Extent::Bytes(Offset::ANY, 1);
                let read = |target: Target| Region::new(target.object, any, AccessKind::Read);
                for address in pieces.iter().filter_map(OutputPiece::string) {
                    found.extend(self.points_to.targets_of(function, address).into_iter().map(read));
                }
            }
        }
        if self.guesses.guesses(self.program.function(function), action) {
            found.push(ADDRESSES_LOOKED_AT);
        }
        if self.guesses != Guesses::None && changes_addresses(action) {
            found.push(ADDRESSES_CHANGED);
        }
        match action.transfer() {
            Transfer::Spawn { .. } => {
                found.push(Region::new(AbstractObject::Thread, Extent::Numbering, AccessKind::Write));
            }
            Transfer::Return { .. } | Transfer::ThreadExit { .. } => found.extend(self.death(function)),
            Transfer::Along
            | Transfer::Call { .. }
            | Transfer::Exit { .. }
            | Transfer::AtomicBegin
            | Transfer::AtomicEnd
            | Transfer::Unknown => {}
        }
        found
    }

    /// What a function's return puts an end to.
    pub fn death(&self, function: FunctionId) -> Vec<Region> {
        let definition = self.program.function(function);
        let locals =
            (0..definition.frame.len()).map(|local| AbstractObject::Frame(function, FrameObjectId::new(local)));
        let stack = definition.edges.iter().filter_map(|edge| {
            let Action::Allocate { storage: Storage::Stack, site, .. } = edge.action else { return None };
            Some(AbstractObject::Site(site))
        });
        let mut dead: Vec<Region> =
            locals.chain(stack).map(|object| Region::new(object, Extent::Whole, AccessKind::Write)).collect();
        if self.guesses != Guesses::None {
            dead.push(ADDRESSES_CHANGED);
        }
        dead
    }

    fn access(&self, function: FunctionId, access: &Access, kind: AccessKind, found: &mut Vec<Region>) {
        if let Place::Ghost { field: GhostField::NextKey, .. } = access.place {
            let extent = Extent::Ghost(Offset::ZERO, GhostField::NextKey);
            found.push(Region::new(AbstractObject::Thread, extent, kind));
            return;
        }
        for target in self.points_to.targets(function, &access.place) {
            let extent = match &access.place {
                Place::Memory { size, .. } => Extent::Bytes(target.offset, u64::from(*size)),
                Place::Ghost { field, .. } => Extent::Ghost(target.offset, *field),
            };
            found.push(Region::new(target.object, extent, kind));
        }
    }

    fn atomic(&self, function: FunctionId, steps: &[AtomicStep], found: &mut Vec<Region>) {
        for step in steps {
            if let Some((access, kind)) = step.access() {
                self.access(function, access, kind, found);
            }
            if let Some(touch) = step.threads_touch() {
                every_thread(touch, found);
            }
        }
    }
}

/// Which addresses there are, as the guess of one looks at it.
pub const ADDRESSES_LOOKED_AT: Region =
    Region { object: AbstractObject::Thread, extent: Extent::Addresses, kind: AccessKind::Read, ignores_end: false };
const ADDRESSES_CHANGED: Region = Region { kind: AccessKind::Write, ..ADDRESSES_LOOKED_AT };

/// Where values out of nothing may be addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guesses {
    /// Nowhere.
    None,
    /// Where a register is given any value.
    Havocs,
    /// There, and where bytes are loaded that nobody has written.
    HavocsAndLoads,
}

impl Guesses {
    /// Of a program.
    pub fn of(program: &Program, loads: Loads) -> Guesses {
        let guesses =
            |function: &Function| function.edges.iter().any(|edge| Guesses::Havocs.guesses(function, &edge.action));
        match loads {
            Loads::OutOfNothing => Guesses::HavocsAndLoads,
            Loads::Settled if program.functions.iter().any(guesses) => Guesses::Havocs,
            Loads::Settled => Guesses::None,
        }
    }

    /// Whether an action of a function may give an address out of nothing.
    fn guesses(self, function: &Function, action: &Action) -> bool {
        let target = if let (Action::Havoc { target }, Guesses::Havocs | Guesses::HavocsAndLoads) = (action, self) {
            *target
        } else if let (Action::Load { target, .. }, Guesses::HavocsAndLoads) = (action, self) {
            *target
        } else {
            return false;
        };
        function.register(target).may_be_address
    }
}

/// Whether an action begins or ends the life of something. (What returns and ends of threads put an end to is in
/// [`EdgeRegions::death`].)
fn changes_addresses(action: &Action) -> bool {
    match action {
        Action::Allocate { .. }
        | Action::Free { .. }
        | Action::EndLife { .. }
        | Action::Call { .. }
        | Action::Spawn { .. } => true,
        Action::Assume(_)
        | Action::Assign { .. }
        | Action::Havoc { .. }
        | Action::Forget { .. }
        | Action::Load { .. }
        | Action::Store { .. }
        | Action::Atomic(_)
        | Action::Assert { .. }
        | Action::Require { .. }
        | Action::Return { .. }
        | Action::ThreadExit { .. }
        | Action::Exit { .. }
        | Action::AtomicBegin
        | Action::AtomicEnd
        | Action::Fence(_)
        | Action::Output(_)
        | Action::Unsupported(_)
        | Action::Inexact(_) => false,
    }
}

/// A look at a field of every thread. That finds a new thread too unless it looks for something that is not 0.
fn every_thread(touch: ThreadsTouch<'_>, found: &mut Vec<Region>) {
    let ThreadsTouch { field, equals, kind } = touch;
    found.push(Region::new(AbstractObject::Thread, Extent::Ghost(Offset::ZERO, field), kind));
    if !matches!(equals, Expr::Address(..)) {
        found.push(Region::new(AbstractObject::Thread, Extent::Numbering, AccessKind::Read));
    }
}

/// The objects that two threads can both reach and use, thread objects always among them.
pub fn contended(regions: &EdgeRegions<'_>, threads: &Threads) -> BTreeSet<AbstractObject> {
    let (program, points_to) = (regions.program, regions.points_to);
    let mut users: BTreeMap<AbstractObject, BTreeSet<TemplateId>> = BTreeMap::new();
    for template in threads.ids() {
        for function in &threads.get(template).functions {
            for edge in 0..program.function(*function).edges.len() {
                for region in regions.of(*function, EdgeId::new(edge)) {
                    users.entry(region.object).or_default().insert(template);
                }
            }
        }
    }
    let escaped = escaped(program, points_to);
    let is_contended = |object: &AbstractObject, users: &BTreeSet<TemplateId>| {
        threads.may_be_several(users) && escaped.contains(object)
    };
    let mut found: BTreeSet<AbstractObject> =
        users.iter().filter(|(object, users)| is_contended(object, users)).map(|(object, _)| *object).collect();
    found.insert(AbstractObject::Thread);
    found
}
