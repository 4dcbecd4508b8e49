//! Ghost state within atomic updates: the pieces that lock models are made of.
//!
//! Initialisation and destruction are plain accesses, so that they race with any use at the same time; everything else
//! is atomic.

use super::ModelCall;
use crate::lower::builder::{AtomicBuilder, ghost_type};
use selvedge_program::{
    Access, Action, AtomicStep, Atomicity, Expr, GhostField, Interpretation, Place, RegisterId, Undefined,
};

fn plain(address: Expr, field: GhostField) -> Access {
    Access { place: Place::Ghost { address, field }, atomicity: Atomicity::Plain }
}

impl<'a> ModelCall<'_, 'a> {
    /// A ghost field's constant.
    pub(super) fn ghost(&self, field: GhostField, value: u128) -> Expr {
        Expr::constant(field.width(self.function.program.data_model), value)
    }

    /// Sets ghost fields of an object, as one plain update: initialisation.
    pub(super) fn initialise(&mut self, address: &Expr, fields: Vec<(GhostField, Expr)>) {
        let mut steps: Vec<AtomicStep> = Vec::new();
        let mut set = |field, value| {
            steps.push(AtomicStep::Write { when: Expr::truth(), access: plain(address.clone(), field), value });
        };
        for (field, value) in fields {
            set(field, value);
        }
        if self.facts.has_destroy {
            set(GhostField::Destroyed, self.ghost(GhostField::Destroyed, 0));
        }
        self.function.emit(Action::Atomic(steps));
    }

    /// Marks an object as destroyed, as one plain update, undefined if it is in use or destroyed already. What is free
    /// is given by the values that fields must have.
    pub(super) fn destroy(&mut self, address: &Expr, free: &[(GhostField, u128)]) {
        let constants: Vec<Expr> = free.iter().map(|(field, value)| self.ghost(*field, *value)).collect();
        let (dead, alive) = (self.ghost(GhostField::Destroyed, 1), self.ghost(GhostField::Destroyed, 0));
        let destroyed = self.ghost_register(GhostField::Destroyed);
        let fields: Vec<RegisterId> = free.iter().map(|(field, _)| self.ghost_register(*field)).collect();
        let mut update = self.function.atomic();
        let was_destroyed = read_plain(&mut update, destroyed, address.clone(), GhostField::Destroyed, 8);
        update.require(Expr::equal(was_destroyed, alive), Undefined::UseAfterDestroy);
        for (((field, _), register), constant) in free.iter().zip(fields).zip(constants) {
            let value = read_plain(&mut update, register, address.clone(), *field, constant.width());
            update.require(Expr::equal(value, constant), Undefined::DestroyInUse);
        }
        let access = plain(address.clone(), GhostField::Destroyed);
        update.step(AtomicStep::Write { when: Expr::truth(), access, value: dead });
        update.commit();
    }

    /// A register for a ghost field's value.
    pub(super) fn ghost_register(&mut self, field: GhostField) -> RegisterId {
        let (width, display) = ghost_type(field, self.function.program.data_model);
        self.function.temporary(width, display)
    }

    /// Loads a ghost field, plainly.
    pub(super) fn load_ghost(&mut self, address: Expr, field: GhostField) -> Expr {
        let target = self.ghost_register(field);
        let access = plain(address, field);
        self.function.emit(Action::Load { target, access, interpretation: Interpretation::Value });
        self.function.value(target)
    }

    /// Stores a ghost field, plainly.
    pub(super) fn store_ghost(&mut self, address: Expr, field: GhostField, value: Expr) {
        self.function.emit(Action::Store { access: plain(address, field), value });
    }

    /// Starts an atomic update of a synchronisation object: undefined if it has been destroyed.
    pub(super) fn use_object(&mut self, address: &Expr) -> AtomicBuilder<'_, 'a> {
        let checks = self.facts.has_destroy;
        let mut update = self.function.atomic();
        if checks {
            let destroyed = update.read_ghost(address.clone(), GhostField::Destroyed);
            let alive = Expr::constant(destroyed.width(), 0);
            update.require(Expr::equal(destroyed, alive), Undefined::UseAfterDestroy);
        }
        update
    }
}

pub(super) fn read_plain(
    update: &mut AtomicBuilder<'_, '_>,
    target: RegisterId,
    address: Expr,
    field: GhostField,
    width: u32,
) -> Expr {
    update.step(AtomicStep::Read { target, access: plain(address, field) });
    Expr::register(target, width)
}

/// `target := value` within an atomic update.
pub(super) fn set(update: &mut AtomicBuilder<'_, '_>, target: RegisterId, value: Expr) {
    update.step(AtomicStep::Let { target, value });
}
