//! The accesses that an action makes, as far as the program tells: at which address, to what, and how.

use crate::{
    Access, AccessKind, AccessMode, Action, AtomicStep, Atomicity, Expr, FrameObjectId, GhostField, OutputPiece, Place,
};

/// An access that an action makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Touch<'p> {
    /// Its address.
    pub address: &'p Expr,
    /// What is there.
    pub what: Touched,
    /// How it is accessed.
    pub mode: AccessMode,
}

/// What an access touches at its address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Touched {
    /// So many bytes.
    Bytes(u64),
    /// Bytes up to a zero, however many.
    CString,
    /// What the library keeps there.
    Ghost(GhostField),
    /// All that the object is: its life ends.
    Whole,
}

/// What an action accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Accesses<'p> {
    /// Nothing.
    None,
    /// One place.
    One(&'p Access, AccessKind),
    /// What the steps of an update do.
    Update(&'p [AtomicStep]),
    /// The whole object at an address, whose life ends.
    Freed(&'p Expr),
    /// The strings among what is printed.
    Printed(&'p [OutputPiece]),
    /// A local of the function as a whole, without an address: what is in it is forgotten, or its life ends.
    Local(FrameObjectId),
}

/// A look at one ghost field of every thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThreadsTouch<'p> {
    /// The field.
    pub field: GhostField,
    /// The threads where it equals this are meant.
    pub equals: &'p Expr,
    /// Reading or writing.
    pub kind: AccessKind,
}

impl Place {
    /// Where it is.
    pub fn address(&self) -> &Expr {
        let (Place::Memory { address, .. } | Place::Ghost { address, .. }) = self;
        address
    }

    /// What is there.
    pub fn what(&self) -> Touched {
        match self {
            Place::Memory { size, .. } => Touched::Bytes(u64::from(*size)),
            Place::Ghost { field, .. } => Touched::Ghost(*field),
        }
    }
}

impl Access {
    /// The access of an action that reads or writes there.
    pub fn touch(&self, kind: AccessKind) -> Touch<'_> {
        let mode = AccessMode { kind, atomicity: self.atomicity };
        Touch { address: self.place.address(), what: self.place.what(), mode }
    }
}

impl<'p> Touch<'p> {
    fn plain(address: &'p Expr, what: Touched, kind: AccessKind) -> Self {
        Touch { address, what, mode: AccessMode { kind, atomicity: Atomicity::Plain } }
    }
}

impl AtomicStep {
    /// What the step accesses, if anything, and whether it reads or writes that.
    pub fn access(&self) -> Option<(&Access, AccessKind)> {
        match self {
            AtomicStep::Read { access, .. } => Some((access, AccessKind::Read)),
            AtomicStep::Write { access, .. } => Some((access, AccessKind::Write)),
            AtomicStep::Let { .. }
            | AtomicStep::Guard(_)
            | AtomicStep::Spurious
            | AtomicStep::Require(..)
            | AtomicStep::PickThread { .. }
            | AtomicStep::WriteThreads { .. }
            | AtomicStep::Mark { .. } => None,
        }
    }

    /// The field of all threads that the step looks at, if it does.
    pub fn threads_touch(&self) -> Option<ThreadsTouch<'_>> {
        match self {
            AtomicStep::PickThread { field, equals, .. } => {
                Some(ThreadsTouch { field: *field, equals, kind: AccessKind::Read })
            }
            AtomicStep::WriteThreads { field, equals, .. } => {
                Some(ThreadsTouch { field: *field, equals, kind: AccessKind::Write })
            }
            AtomicStep::Read { .. }
            | AtomicStep::Let { .. }
            | AtomicStep::Guard(_)
            | AtomicStep::Spurious
            | AtomicStep::Require(..)
            | AtomicStep::Write { .. }
            | AtomicStep::Mark { .. } => None,
        }
    }
}

impl Action {
    /// What the action accesses.
    pub fn accesses(&self) -> Accesses<'_> {
        match self {
            Action::Load { access, .. } => Accesses::One(access, AccessKind::Read),
            Action::Store { access, .. } | Action::Spawn { id: Some(access), .. } => {
                Accesses::One(access, AccessKind::Write)
            }
            Action::Atomic(steps) => Accesses::Update(steps),
            Action::Free { address } => Accesses::Freed(address),
            Action::Output(pieces) => Accesses::Printed(pieces),
            Action::Assume(_) | Action::Assign { .. } | Action::Havoc { .. } => Accesses::None,
            Action::Assert { .. } | Action::Require { .. } | Action::Fence(_) => Accesses::None,
            Action::Unsupported(_) | Action::Inexact(_) => Accesses::None,
            Action::Forget { object } | Action::EndLife { object } => Accesses::Local(*object),
            Action::Allocate { .. } | Action::Spawn { id: None, .. } => Accesses::None,
            Action::Call { .. } | Action::Return { .. } => Accesses::None,
            Action::ThreadExit { .. } | Action::Exit { .. } => Accesses::None,
            Action::AtomicBegin | Action::AtomicEnd => Accesses::None,
        }
    }

    /// The accesses that the action makes, in order. `free` is one; the ends of other objects' lives have no address
    /// and are not among them, and neither are fields of all threads ([`AtomicStep::threads_touch`]).
    pub fn touches(&self) -> Vec<Touch<'_>> {
        match self.accesses() {
            Accesses::None | Accesses::Local(_) => Vec::new(),
            Accesses::One(access, kind) => vec![access.touch(kind)],
            Accesses::Update(steps) => {
                steps.iter().filter_map(AtomicStep::access).map(|(access, kind)| access.touch(kind)).collect()
            }
            Accesses::Freed(address) => vec![Touch::plain(address, Touched::Whole, AccessKind::Write)],
            Accesses::Printed(pieces) => pieces
                .iter()
                .filter_map(OutputPiece::string)
                .map(|address| Touch::plain(address, Touched::CString, AccessKind::Read))
                .collect(),
        }
    }
}

impl OutputPiece {
    /// The address of the string that is read, if one is.
    pub fn string(&self) -> Option<&Expr> {
        match self {
            OutputPiece::CString(_, address) => Some(address),
            OutputPiece::Text(_) | OutputPiece::Value(..) => None,
        }
    }
}
