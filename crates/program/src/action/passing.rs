//! Whether and how control passes an action.

use crate::{Action, AtomicStep, Callee, Expr};

impl Action {
    /// Whether control can arrive at the target of an edge with this action: not after what ends the function, the thread, the process
    /// or what we know.
    pub fn falls_through(&self) -> bool {
        match self {
            Action::Return { .. } | Action::ThreadExit { .. } | Action::Exit { .. } | Action::Unsupported(_) => false,
            Action::Assume(_)
            | Action::Assign { .. }
            | Action::Load { .. }
            | Action::Store { .. }
            | Action::Atomic(_)
            | Action::Havoc { .. }
            | Action::Forget { .. }
            | Action::EndLife { .. }
            | Action::Spawn { .. }
            | Action::Allocate { .. }
            | Action::Free { .. }
            | Action::Assert { .. }
            | Action::Require { .. }
            | Action::Call { .. }
            | Action::AtomicBegin
            | Action::AtomicEnd
            | Action::Fence(_)
            | Action::Output(_) => true,
        }
    }

    /// The condition without which control does not pass: it takes another way, an assertion fails or the behaviour is undefined.
    /// Not that of an update, which may come true.
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
            | Action::Unsupported(_) => None,
        }
    }

    /// The function that the action runs, now or in a new thread.
    pub fn callee(&self) -> Option<&Callee> {
        match self {
            Action::Call { callee, .. } | Action::Spawn { entry: callee, .. } => Some(callee),
            Action::Assume(_)
            | Action::Assign { .. }
            | Action::Load { .. }
            | Action::Store { .. }
            | Action::Atomic(_)
            | Action::Havoc { .. }
            | Action::Forget { .. }
            | Action::EndLife { .. }
            | Action::ThreadExit { .. }
            | Action::Exit { .. }
            | Action::Allocate { .. }
            | Action::Free { .. }
            | Action::Assert { .. }
            | Action::Require { .. }
            | Action::Return { .. }
            | Action::AtomicBegin
            | Action::AtomicEnd
            | Action::Fence(_)
            | Action::Output(_)
            | Action::Unsupported(_) => None,
        }
    }

    /// The steps of an update; none for anything else.
    pub fn steps(&self) -> &[AtomicStep] {
        match self {
            Action::Atomic(steps) => steps,
            Action::Assume(_)
            | Action::Assign { .. }
            | Action::Load { .. }
            | Action::Store { .. }
            | Action::Havoc { .. }
            | Action::Forget { .. }
            | Action::EndLife { .. }
            | Action::Spawn { .. }
            | Action::ThreadExit { .. }
            | Action::Exit { .. }
            | Action::Allocate { .. }
            | Action::Free { .. }
            | Action::Assert { .. }
            | Action::Require { .. }
            | Action::Call { .. }
            | Action::Return { .. }
            | Action::AtomicBegin
            | Action::AtomicEnd
            | Action::Fence(_)
            | Action::Output(_)
            | Action::Unsupported(_) => &[],
        }
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
