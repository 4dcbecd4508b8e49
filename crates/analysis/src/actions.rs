//! What an action assigns and what it accesses.

use selvedge_program::semantics::AccessKind;
use selvedge_program::{Access, Action, AtomicStep, Atomicity, Expr, OutputPiece, Place, RegisterId};

/// An access that an action makes.
#[derive(Clone, Copy, Debug)]
pub struct Touch<'p> {
    /// Its address.
    pub address: &'p Expr,
    /// What is there.
    pub part: Part,
    /// Reading or writing.
    pub kind: AccessKind,
    /// Whether it takes part in synchronisation.
    pub atomicity: Atomicity,
}

/// What an access touches at its address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// So many bytes.
    Bytes(u64),
    /// Any number of bytes.
    String,
    /// What the library keeps there.
    Ghost,
    /// All that the object is: its life ends.
    Whole,
}

/// The accesses of an action. `free` is one; other ends of an object's life are not among them.
pub fn touches(action: &Action) -> Vec<Touch<'_>> {
    match action {
        Action::Load { access, .. } => vec![touch(access, AccessKind::Read)],
        Action::Store { access, .. } | Action::Spawn { id: Some(access), .. } => vec![touch(access, AccessKind::Write)],
        Action::Atomic(steps) => steps
            .iter()
            .filter_map(|step| match step {
                AtomicStep::Read { access, .. } => Some(touch(access, AccessKind::Read)),
                AtomicStep::Write { access, .. } => Some(touch(access, AccessKind::Write)),
                _ => None,
            })
            .collect(),
        Action::Free { address } => {
            vec![Touch { address, part: Part::Whole, kind: AccessKind::Write, atomicity: Atomicity::Plain }]
        }
        Action::Output(pieces) => pieces
            .iter()
            .filter_map(|piece| match piece {
                OutputPiece::CString(_, address) => {
                    Some(Touch { address, part: Part::String, kind: AccessKind::Read, atomicity: Atomicity::Plain })
                }
                _ => None,
            })
            .collect(),
        _ => Vec::new(),
    }
}

fn touch(access: &Access, kind: AccessKind) -> Touch<'_> {
    let (address, part) = match &access.place {
        Place::Memory { address, size, .. } => (address, Part::Bytes(u64::from(*size))),
        Place::Ghost { address, .. } => (address, Part::Ghost),
    };
    Touch { address, part, kind, atomicity: access.atomicity }
}

/// The registers that an action assigns.
pub fn assigned(action: &Action) -> Vec<RegisterId> {
    match action {
        Action::Assign { target, .. }
        | Action::Load { target, .. }
        | Action::Havoc { target }
        | Action::Spawn { target, .. }
        | Action::Allocate { target, .. } => vec![*target],
        Action::Call { target, .. } => target.iter().copied().collect(),
        Action::Atomic(steps) => steps
            .iter()
            .filter_map(|step| match step {
                AtomicStep::Read { target, .. }
                | AtomicStep::Let { target, .. }
                | AtomicStep::PickThread { target, .. } => Some(*target),
                AtomicStep::Guard(_)
                | AtomicStep::Spurious
                | AtomicStep::Require(..)
                | AtomicStep::Write { .. }
                | AtomicStep::WriteThreads { .. } => None,
            })
            .collect(),
        Action::Assume(_)
        | Action::Store { .. }
        | Action::Forget { .. }
        | Action::EndLife { .. }
        | Action::ThreadExit { .. }
        | Action::Exit { .. }
        | Action::Free { .. }
        | Action::Assert { .. }
        | Action::Require { .. }
        | Action::Return { .. }
        | Action::AtomicBegin
        | Action::AtomicEnd
        | Action::Output(_)
        | Action::Unsupported(_) => Vec::new(),
    }
}
