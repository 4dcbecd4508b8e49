//! What an action does to its thread's registers.

use selvedge_program::{Action, AtomicStep, RegisterId};

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
