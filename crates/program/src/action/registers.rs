//! The registers that an action uses and assigns.

use crate::{Action, AtomicStep, RegisterId, ValueFlow};

/// What happens to a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RegisterUse {
    /// Its value is used.
    Used(RegisterId),
    /// It gets a value.
    Assigned(RegisterId),
}

impl AtomicStep {
    /// The register that the step assigns, if any. Later steps of the update see its new value.
    pub fn assigned(&self) -> Option<RegisterId> {
        match self {
            AtomicStep::Read { target, .. }
            | AtomicStep::Let { target, .. }
            | AtomicStep::PickThread { target, .. } => Some(*target),
            AtomicStep::Guard(_)
            | AtomicStep::Spurious
            | AtomicStep::Require(..)
            | AtomicStep::Write { .. }
            | AtomicStep::WriteThreads { .. }
            | AtomicStep::Mark { .. } => None,
        }
    }

    fn for_each_register(&self, visit: &mut dyn FnMut(RegisterUse)) {
        self.for_each_expression(&mut |expr| {
            expr.for_each_register(&mut |register| visit(RegisterUse::Used(register)))
        });
        self.assigned().into_iter().for_each(|register| visit(RegisterUse::Assigned(register)));
    }
}

impl Action {
    /// The registers that the action assigns, in order.
    pub fn assigned(&self) -> Vec<RegisterId> {
        match self.value_flow() {
            ValueFlow::Update(steps) => steps.iter().filter_map(AtomicStep::assigned).collect(),
            ValueFlow::Assign { target, .. }
            | ValueFlow::Load { target, .. }
            | ValueFlow::Choose { target }
            | ValueFlow::Spawn { target, .. }
            | ValueFlow::Allocate { target } => vec![target],
            ValueFlow::Call { target, .. } => target.into_iter().collect(),
            ValueFlow::Store { .. } | ValueFlow::Return { .. } | ValueFlow::None => Vec::new(),
        }
    }

    /// Calls a function for every use and every assignment of a register, in the order in which they happen: a register
    /// that is used after it was assigned was assigned by an earlier step of the same update.
    pub fn for_each_register(&self, visit: &mut dyn FnMut(RegisterUse)) {
        if let Action::Atomic(steps) = self {
            return steps.iter().for_each(|step| step.for_each_register(visit));
        }
        self.for_each_expression(&mut |expr| {
            expr.for_each_register(&mut |register| visit(RegisterUse::Used(register)))
        });
        self.assigned().into_iter().for_each(|register| visit(RegisterUse::Assigned(register)));
    }
}
