//! Where values go with an action, and what it leaves to be settled when it is taken: for those who follow values and
//! have nothing to say of the many actions that move none.

use crate::{Access, Action, AtomicStep, Expr, Interpretation, RegisterId};

/// Where values go with an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueFlow<'p> {
    /// Nowhere.
    None,
    /// Computed, to a register.
    Assign { target: RegisterId, value: &'p Expr },
    /// Out of nothing, to a register.
    Choose { target: RegisterId },
    /// From memory to a register.
    Load { target: RegisterId, access: &'p Access },
    /// To memory.
    Store { access: &'p Access, value: &'p Expr },
    /// As its steps say, one after the other.
    Update(&'p [AtomicStep]),
    /// To a function's parameters; its result to a register.
    Call { target: Option<RegisterId>, arguments: &'p [Expr] },
    /// To a new thread's parameters; its identity to a register.
    Spawn { target: RegisterId, arguments: &'p [Expr] },
    /// To the caller, or who joins the thread.
    Return { value: &'p Expr },
    /// The address of new memory, to a register.
    Allocate { target: RegisterId },
}

/// What the state decides when an action is taken: whether it can be, and which questions it asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unsettled<'p> {
    /// Nothing: it can be taken, and asks nothing.
    Nothing,
    /// Whether it can be taken.
    Condition(&'p Expr),
    /// A value, always.
    Choice { target: RegisterId },
    /// A value, where what is read is indeterminate.
    Read { target: RegisterId, access: &'p Access, interpretation: Interpretation },
    /// Both, by the steps of an update.
    Update,
}

impl Action {
    /// Where values go.
    pub fn value_flow(&self) -> ValueFlow<'_> {
        match self {
            Action::Assign { target, value } => ValueFlow::Assign { target: *target, value },
            Action::Havoc { target } => ValueFlow::Choose { target: *target },
            Action::Load { target, access, .. } => ValueFlow::Load { target: *target, access },
            Action::Store { access, value } => ValueFlow::Store { access, value },
            Action::Atomic(steps) => ValueFlow::Update(steps),
            Action::Call { target, arguments, .. } => ValueFlow::Call { target: *target, arguments },
            Action::Spawn { target, arguments, .. } => ValueFlow::Spawn { target: *target, arguments },
            Action::Return { value: Some(value) } | Action::ThreadExit { value } => ValueFlow::Return { value },
            Action::Allocate { target, .. } => ValueFlow::Allocate { target: *target },
            Action::Return { value: None } | Action::Assume(_) | Action::Assert { .. } | Action::Require { .. } => {
                ValueFlow::None
            }
            Action::Forget { .. } | Action::EndLife { .. } | Action::Free { .. } => ValueFlow::None,
            Action::AtomicBegin | Action::AtomicEnd | Action::Fence(_) => ValueFlow::None,
            Action::Exit { .. } | Action::Output(_) | Action::Unsupported(_) | Action::Inexact(_) => ValueFlow::None,
        }
    }

    /// What the state decides when it is taken.
    pub fn unsettled(&self) -> Unsettled<'_> {
        match self {
            Action::Assume(condition) => Unsettled::Condition(condition),
            Action::Havoc { target } => Unsettled::Choice { target: *target },
            Action::Load { target, access, interpretation } => {
                Unsettled::Read { target: *target, access, interpretation: *interpretation }
            }
            Action::Atomic(_) => Unsettled::Update,
            Action::Assign { .. } | Action::Store { .. } | Action::Assert { .. } | Action::Require { .. } => {
                Unsettled::Nothing
            }
            Action::Forget { .. } | Action::EndLife { .. } | Action::Allocate { .. } | Action::Free { .. } => {
                Unsettled::Nothing
            }
            Action::Call { .. } | Action::Return { .. } | Action::Spawn { .. } => Unsettled::Nothing,
            Action::AtomicBegin | Action::AtomicEnd | Action::Fence(_) => Unsettled::Nothing,
            Action::ThreadExit { .. } | Action::Exit { .. } | Action::Output(_) => Unsettled::Nothing,
            Action::Unsupported(_) | Action::Inexact(_) => Unsettled::Nothing,
        }
    }
}
