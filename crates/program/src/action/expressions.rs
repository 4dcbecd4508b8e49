//! The expressions of an action: visited and replaced. In the order in which they are evaluated, where that can show.

use crate::{Access, Action, AtomicStep, Callee, Expr, OutputPiece, Place};

/// Visits every expression of something.
type Visit<'v, 'p> = &'v mut dyn FnMut(&'p Expr);

impl Callee {
    /// The function pointer, if it is one.
    pub fn pointer(&self) -> Option<&Expr> {
        match self {
            Callee::Direct(_) => None,
            Callee::Indirect(pointer) => Some(pointer),
        }
    }

    fn map_expressions(&self, map: &mut dyn FnMut(&Expr) -> Expr) -> Callee {
        match self {
            Callee::Direct(function) => Callee::Direct(*function),
            Callee::Indirect(pointer) => Callee::Indirect(map(pointer)),
        }
    }
}

impl Access {
    fn map_expressions(&self, map: &mut dyn FnMut(&Expr) -> Expr) -> Access {
        let place = match &self.place {
            Place::Memory { address, size, align } => {
                Place::Memory { address: map(address), size: *size, align: *align }
            }
            Place::Ghost { address, field } => Place::Ghost { address: map(address), field: *field },
        };
        Access { place, atomicity: self.atomicity }
    }
}

impl OutputPiece {
    /// What is printed or the address of what is printed, unless it is text.
    pub fn operand(&self) -> Option<&Expr> {
        match self {
            OutputPiece::Text(_) => None,
            OutputPiece::Value(_, operand) | OutputPiece::CString(_, operand) => Some(operand),
        }
    }

    fn map_expressions(&self, map: &mut dyn FnMut(&Expr) -> Expr) -> OutputPiece {
        match self {
            OutputPiece::Text(text) => OutputPiece::Text(text.clone()),
            OutputPiece::Value(conversion, value) => OutputPiece::Value(conversion.clone(), map(value)),
            OutputPiece::CString(conversion, address) => OutputPiece::CString(conversion.clone(), map(address)),
        }
    }
}

impl AtomicStep {
    /// Calls a function for every expression of the step.
    pub fn for_each_expression<'p>(&'p self, visit: Visit<'_, 'p>) {
        match self {
            AtomicStep::Read { access, .. } => visit(access.place.address()),
            AtomicStep::Let { value, .. } => visit(value),
            AtomicStep::Guard(condition) | AtomicStep::Require(condition, _) => visit(condition),
            AtomicStep::Spurious => {}
            AtomicStep::Write { when, access, value } => {
                visit(when);
                visit(value);
                visit(access.place.address());
            }
            AtomicStep::PickThread { equals, .. } => visit(equals),
            AtomicStep::WriteThreads { equals, value, .. } => {
                visit(equals);
                visit(value);
            }
            AtomicStep::Mark { when, object, .. } => {
                visit(when);
                visit(object);
            }
        }
    }

    /// The step with other expressions.
    #[must_use]
    pub fn map_expressions(&self, map: &mut dyn FnMut(&Expr) -> Expr) -> AtomicStep {
        match self {
            AtomicStep::Read { target, access } => {
                AtomicStep::Read { target: *target, access: access.map_expressions(map) }
            }
            AtomicStep::Let { target, value } => AtomicStep::Let { target: *target, value: map(value) },
            AtomicStep::Guard(condition) => AtomicStep::Guard(map(condition)),
            AtomicStep::Spurious => AtomicStep::Spurious,
            AtomicStep::Require(condition, otherwise) => AtomicStep::Require(map(condition), *otherwise),
            AtomicStep::Write { when, access, value } => {
                let (when, value) = (map(when), map(value));
                AtomicStep::Write { when, access: access.map_expressions(map), value }
            }
            AtomicStep::PickThread { target, field, equals } => {
                AtomicStep::PickThread { target: *target, field: *field, equals: map(equals) }
            }
            AtomicStep::WriteThreads { field, equals, value } => {
                AtomicStep::WriteThreads { field: *field, equals: map(equals), value: map(value) }
            }
            AtomicStep::Mark { when, operation, object } => {
                AtomicStep::Mark { when: map(when), operation: *operation, object: map(object) }
            }
        }
    }
}

impl Action {
    /// Calls a function for every expression of the action.
    pub fn for_each_expression<'p>(&'p self, visit: Visit<'_, 'p>) {
        match self {
            Action::Assume(value)
            | Action::Assign { value, .. }
            | Action::ThreadExit { value }
            | Action::Exit { status: value }
            | Action::Allocate { size: value, .. }
            | Action::Free { address: value }
            | Action::Assert { condition: value, .. }
            | Action::Require { condition: value, .. } => visit(value),
            Action::Load { access, .. } => visit(access.place.address()),
            Action::Store { access, value } => {
                visit(value);
                visit(access.place.address());
            }
            Action::Atomic(steps) => steps.iter().for_each(|step| step.for_each_expression(visit)),
            Action::Spawn { entry, arguments, id, .. } => {
                entry.pointer().into_iter().chain(arguments).for_each(&mut *visit);
                id.iter().for_each(|id| visit(id.place.address()));
            }
            Action::Call { callee, arguments, .. } => callee.pointer().into_iter().chain(arguments).for_each(visit),
            Action::Return { value } => value.iter().for_each(visit),
            Action::Output(pieces) => pieces.iter().filter_map(OutputPiece::operand).for_each(visit),
            Action::Havoc { .. }
            | Action::Forget { .. }
            | Action::EndLife { .. }
            | Action::AtomicBegin
            | Action::AtomicEnd
            | Action::Fence(_)
            | Action::Unsupported(_)
            | Action::Inexact(_) => {}
        }
    }

    /// The action with other expressions.
    #[must_use]
    pub fn map_expressions(&self, map: &mut dyn FnMut(&Expr) -> Expr) -> Action {
        match self {
            Action::Assume(condition) => Action::Assume(map(condition)),
            Action::Assign { target, value } => Action::Assign { target: *target, value: map(value) },
            Action::Load { target, access, interpretation } => {
                let access = access.map_expressions(map);
                Action::Load { target: *target, access, interpretation: *interpretation }
            }
            Action::Store { access, value } => {
                let value = map(value);
                Action::Store { access: access.map_expressions(map), value }
            }
            Action::Atomic(steps) => Action::Atomic(steps.iter().map(|step| step.map_expressions(map)).collect()),
            Action::Spawn { target, entry, arguments, id } => Action::Spawn {
                target: *target,
                entry: entry.map_expressions(map),
                arguments: arguments.iter().map(&mut *map).collect(),
                id: id.as_ref().map(|id| id.map_expressions(map)),
            },
            Action::ThreadExit { value } => Action::ThreadExit { value: map(value) },
            Action::Exit { status } => Action::Exit { status: map(status) },
            Action::Allocate { target, size, align, storage, contents, site } => Action::Allocate {
                target: *target,
                size: map(size),
                align: *align,
                storage: *storage,
                contents: *contents,
                site: *site,
            },
            Action::Free { address } => Action::Free { address: map(address) },
            Action::Assert { condition, check } => Action::Assert { condition: map(condition), check: *check },
            Action::Require { condition, otherwise } => {
                Action::Require { condition: map(condition), otherwise: *otherwise }
            }
            Action::Call { target, callee, arguments } => Action::Call {
                target: *target,
                callee: callee.map_expressions(map),
                arguments: arguments.iter().map(map).collect(),
            },
            Action::Return { value } => Action::Return { value: value.as_ref().map(map) },
            Action::Output(pieces) => Action::Output(pieces.iter().map(|piece| piece.map_expressions(map)).collect()),
            Action::Havoc { .. }
            | Action::Forget { .. }
            | Action::EndLife { .. }
            | Action::AtomicBegin
            | Action::AtomicEnd
            | Action::Fence(_)
            | Action::Unsupported(_)
            | Action::Inexact(_) => self.clone(),
        }
    }
}
