//! Assignments. `=` finds its place first, then its value; `op=` evaluates its operand first, then reads and writes the
//! place. On an `_Atomic` place the read, the computation and the write of `op=`, `++` and `--` are one action.

use super::Overflow;
use super::bounds::pointee;
use super::effects::{self, Child};
use super::function::FunctionLowering;
use super::operator::{self, NotComputed, Typed as Operand};
use super::place::{InMemory, Spot, load_atomicity};
use super::sequence::Written;
use super::values::{display, float_constant, float_format, width};
use crate::hir::{Direction, Expr as Typed, ExprKind, Place, Size};
use crate::syntax::ast::{BinaryOperator, IncrementOperator};
use crate::types::{TypeId, Types};
use selvedge_program::{Atomicity, Display, Expr};

/// `op=`, `++` or `--`, without the place.
struct Update<'h> {
    op: BinaryOperator,
    /// The right side, evaluated.
    operand: Operand,
    /// The type to compute in.
    compute: TypeId,
    /// For a pointer, the size of an element.
    element: Option<&'h Size>,
}

/// Which value an update leaves.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    None,
    Old,
    New,
}

impl<'h> FunctionLowering<'_, 'h> {
    /// `place = value`; gives what is stored.
    pub fn assign(&mut self, place: &'h Place, value: &'h Typed) -> Expr {
        let types = self.types();
        let written = Written { place, is_read: false };
        self.require_sequenced(&[Child::Place(place), Child::Expr(value)], Some(written));
        let mut spot = self.spot(place);
        if effects::assigns(value) {
            spot = self.hold_spot(spot);
        }
        if types.is_aggregate(value.ty) {
            let source = self.value(value);
            return match spot {
                Spot::Memory(target) => {
                    self.copy_assigned(&target, source, place.ty.ty, load_atomicity(value));
                    target.address
                }
                Spot::Register(register) => self.builder.value(register),
            };
        }
        if let Spot::Register(register) = spot {
            self.value_into(value, register);
            return self.builder.value(register);
        }
        let value = self.value(value);
        self.write(&spot, place.ty.ty, value)
    }

    /// The value of `op=`, `++` or `--`.
    pub fn update(&mut self, expr: &'h Typed) -> Expr {
        let wanted = match &expr.kind {
            ExprKind::Increment { op: IncrementOperator::PostIncrement | IncrementOperator::PostDecrement, .. } => {
                Wanted::Old
            }
            _ => Wanted::New,
        };
        self.update_place(expr, wanted)
    }

    /// `op=`, `++` or `--` for its effect.
    pub fn update_effect(&mut self, expr: &'h Typed) {
        self.update_place(expr, Wanted::None);
    }

    fn update_place(&mut self, expr: &'h Typed, wanted: Wanted) -> Expr {
        let types = self.types();
        let zero = Expr::constant(width(types, expr.ty), 0);
        let (place, update) = match &expr.kind {
            ExprKind::CompoundAssign { place, op, operand, compute, element } => {
                let written = Written { place, is_read: true };
                self.require_sequenced(&[Child::Place(place), Child::Expr(operand)], Some(written));
                let value = self.value(operand);
                let operand = Operand { value, ty: operand.ty };
                (place, Update { op: *op, operand, compute: *compute, element: element.as_ref() })
            }
            ExprKind::Increment { op, place, element } => {
                let Some(update) = self.increment(*op, place, element.as_ref()) else { return zero };
                (place, update)
            }
            _ => return zero,
        };
        let spot = self.spot(place);
        let spot = match spot {
            Spot::Memory(memory) if place.ty.qualifiers.is_atomic => {
                return self.atomic_update(memory, place.ty.ty, update, wanted);
            }
            spot => self.reusable_spot(spot),
        };
        let ty = place.ty.ty;
        let mut old = self.read(&spot, ty);
        if wanted == Wanted::Old && matches!(spot, Spot::Register(_)) {
            old = self.builder.hold(old, display(types, ty));
        }
        let is_moved = update.element.is_some() && pointee(types, ty) != Some(Types::VOID);
        let new = self.updated(old.clone(), ty, update, self.overflow());
        let Some(mut new) = self.computed(new, width(types, ty)) else { return zero };
        if is_moved {
            new = self.reusable(new, Display::Pointer);
            self.require_moved(&new);
        }
        let stored = self.write(&spot, ty, new);
        if wanted == Wanted::Old { old } else { stored }
    }

    /// `++` and `--` as adding or subtracting one.
    fn increment(&mut self, op: IncrementOperator, place: &'h Place, element: Option<&'h Size>) -> Option<Update<'h>> {
        let types = self.types();
        let op = match op {
            IncrementOperator::PreIncrement | IncrementOperator::PostIncrement => BinaryOperator::Add,
            IncrementOperator::PreDecrement | IncrementOperator::PostDecrement => BinaryOperator::Subtract,
        };
        let ty = place.ty.ty;
        let (compute, one) = if element.is_some() {
            (ty, Operand { value: Expr::constant(self.builder.pointer_width(), 1), ty: types.difference_type() })
        } else if types.is_float(ty) {
            let format = float_format(types, ty).ok_or(operator::EXTENDED);
            let one = format.map(|format| float_constant(format, 1.0));
            (ty, Operand { value: self.computed(one, width(types, ty))?, ty })
        } else {
            let compute = types.promote(ty);
            (compute, Operand { value: Expr::constant(width(types, compute), 1), ty: compute })
        };
        Some(Update { op, operand: one, compute, element })
    }

    /// The new value from the old one, in the place's type.
    fn updated(&mut self, old: Expr, ty: TypeId, update: Update<'h>, overflow: Overflow) -> Result<Expr, NotComputed> {
        let types = self.types();
        if let Some(element) = update.element {
            let direction =
                if update.op == BinaryOperator::Subtract { Direction::Backward } else { Direction::Forward };
            return Ok(self.offset(old, update.operand, element, direction));
        }
        let left = Operand { value: operator::convert(types, old, ty, update.compute)?, ty: update.compute };
        if overflow == Overflow::Undefined {
            self.require_fitting(update.op, &left, &update.operand);
        }
        let new = operator::arithmetic(types, update.op, left, update.operand)?;
        operator::convert(types, new, update.compute, ty)
    }

    fn atomic_update(&mut self, spot: InMemory, ty: TypeId, update: Update<'h>, wanted: Wanted) -> Expr {
        let types = self.types();
        let size = width(types, ty) / 8;
        let address = self.reusable(spot.address, Display::Pointer);
        let old = self.builder.temporary(8 * size, display(types, ty));
        let new = self.updated(self.builder.value(old), ty, update, Overflow::Wraps);
        let Some(new) = self.computed(new, 8 * size) else { return Expr::constant(8 * size, 0) };
        let target = self.builder.temporary(8 * size, display(types, ty));
        let result = self.builder.value(target);
        let mut atomic = self.builder.atomic();
        let place = selvedge_program::Place::Memory { address: address.clone(), size, align: spot.align };
        let access = selvedge_program::Access { place, atomicity: Atomicity::SEQUENTIAL };
        atomic.step(selvedge_program::AtomicStep::Read { target: old, access });
        atomic.step(selvedge_program::AtomicStep::Let { target, value: new });
        atomic.write_when(Expr::truth(), address, spot.align, result.clone());
        atomic.commit();
        match wanted {
            Wanted::Old => self.builder.value(old),
            Wanted::New | Wanted::None => result,
        }
    }
}
