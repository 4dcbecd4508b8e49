//! Whether and how control passes an action.

use crate::{Access, Action, AtomicStep, Callee, Expr, RegisterId};

/// Where control goes with an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transfer<'p> {
    /// On to the edge's target.
    Along,
    /// Into a function, and on to the target when that returns.
    Call { target: Option<RegisterId>, callee: &'p Callee, arguments: &'p [Expr] },
    /// Back to the caller.
    Return { value: Option<&'p Expr> },
    /// On, and a new thread begins.
    Spawn { target: RegisterId, entry: &'p Callee, arguments: &'p [Expr], id: Option<&'p Access> },
    /// Nowhere: the thread ends.
    ThreadExit { value: &'p Expr },
    /// Nowhere: the process ends.
    Exit { status: &'p Expr },
    /// Into an atomic section.
    AtomicBegin,
    /// Out of it.
    AtomicEnd,
    /// Nobody knows: the action is not modelled.
    Unknown,
}

impl Action {
    /// Where control goes.
    pub fn transfer(&self) -> Transfer<'_> {
        match self {
            Action::Call { target, callee, arguments } => Transfer::Call { target: *target, callee, arguments },
            Action::Return { value } => Transfer::Return { value: value.as_ref() },
            Action::Spawn { target, entry, arguments, id } => {
                Transfer::Spawn { target: *target, entry, arguments, id: id.as_ref() }
            }
            Action::ThreadExit { value } => Transfer::ThreadExit { value },
            Action::Exit { status } => Transfer::Exit { status },
            Action::AtomicBegin => Transfer::AtomicBegin,
            Action::AtomicEnd => Transfer::AtomicEnd,
            Action::Unsupported(_) => Transfer::Unknown,
            Action::Assume(_)
            | Action::Assign { .. }
            | Action::Load { .. }
            | Action::Store { .. }
            | Action::Atomic(_)
            | Action::Havoc { .. }
            | Action::Forget { .. }
            | Action::EndLife { .. }
            | Action::Allocate { .. }
            | Action::Free { .. }
            | Action::Assert { .. }
            | Action::Require { .. }
            | Action::Fence(_)
            | Action::Output(_)
            | Action::Inexact(_) => Transfer::Along,
        }
    }

    /// Whether control can arrive at the target of an edge with this action: not after what ends the function, the
    /// thread, the process or what we know.
    pub fn falls_through(&self) -> bool {
        match self.transfer() {
            Transfer::Return { .. } | Transfer::ThreadExit { .. } | Transfer::Exit { .. } | Transfer::Unknown => false,
            Transfer::Along
            | Transfer::Call { .. }
            | Transfer::Spawn { .. }
            | Transfer::AtomicBegin
            | Transfer::AtomicEnd => true,
        }
    }

    /// The condition without which control does not pass: it takes another way, an assertion fails or the behaviour is
    /// undefined. Not that of an update, which may come true.
    pub fn condition(&self) -> Option<&Expr> {
        match self {
            Action::Assume(condition) | Action::Assert { condition, .. } | Action::Require { condition, .. } => {
                Some(condition)
            }
            Action::Assign { .. }
            | Action::Load { .. }
            | Action::Store { .. }
            | Action::Atomic(_)
            | Action::Havoc { .. }
            | Action::Forget { .. }
            | Action::EndLife { .. }
            | Action::Spawn { .. }
            | Action::ThreadExit { .. }
            | Action::Exit { .. }
            | Action::Allocate { .. }
            | Action::Free { .. }
            | Action::Call { .. }
            | Action::Return { .. }
            | Action::AtomicBegin
            | Action::AtomicEnd
            | Action::Fence(_)
            | Action::Output(_)
            | Action::Unsupported(_)
            | Action::Inexact(_) => None,
        }
    }

    /// The function that the action runs, now or in a new thread.
    pub fn callee(&self) -> Option<&Callee> {
        match self.transfer() {
            Transfer::Call { callee, .. } | Transfer::Spawn { entry: callee, .. } => Some(callee),
            Transfer::Along
            | Transfer::Return { .. }
            | Transfer::ThreadExit { .. }
            | Transfer::Exit { .. }
            | Transfer::AtomicBegin
            | Transfer::AtomicEnd
            | Transfer::Unknown => None,
        }
    }

    /// The steps of an update; none for anything else.
    pub fn steps(&self) -> &[AtomicStep] {
        if let Action::Atomic(steps) = self { steps } else { &[] }
    }

    /// Whether a thread can have to wait here for what another does.
    pub fn can_wait(&self) -> bool {
        self.steps().iter().any(|step| matches!(step, AtomicStep::Guard(_)))
    }

    /// Whether the action is marked as one that nobody can count on.
    pub fn is_spurious(&self) -> bool {
        self.steps().contains(&AtomicStep::Spurious)
    }
}
