//! Operators on pointers: moving, subtracting, comparing, indexing (C11 6.5.2.1, 6.5.6, 6.5.8, 6.5.9).

use super::Checker;
use super::place::{Operand, error_place, error_value};
use crate::hir::{Direction, Expr, ExprKind, Size};
use crate::syntax::ast::{self, BinaryOperator, Span};
use crate::types::{Qualified, Type, TypeId, Types};

impl Checker<'_> {
    /// The size of a type in bytes, perhaps known only when the program runs; `None` if it is incomplete.
    pub(super) fn size_of(&self, ty: TypeId) -> Option<Size> {
        match self.is_variable(ty) && self.types.element(ty).is_some() {
            true => {
                let (element, known, lengths) = self.lengths_of(ty);
                Some(Size { bytes: self.types.size(element)?.saturating_mul(known), lengths })
            }
            false => self.types.size(ty).map(Size::constant),
        }
    }

    /// The size of what a pointer steps over; `void` and functions count 1 (GNU). `None` after a message.
    pub(super) fn element_size(&mut self, ty: TypeId, span: Span) -> Option<Size> {
        let size = self.size_of(ty);
        if size.is_none() {
            let message = format!("the type `{}` is incomplete here", self.type_name(ty));
            self.error(span, message);
        }
        size
    }

    /// An integer as the index of pointer arithmetic: as wide as a pointer.
    pub(super) fn index_value(&mut self, index: Expr) -> Expr {
        let difference = self.types.difference_type();
        let is_wide =
            matches!(self.types.get(index.ty), Type::Integer(_)) && self.width(index.ty) == self.width(difference);
        if is_wide { index } else { self.convert(index, difference) }
    }

    pub(super) fn pointer_arithmetic(&mut self, op: BinaryOperator, left: Expr, right: Expr, span: Span) -> Expr {
        let (a, b) = (self.types.pointee(left.ty), self.types.pointee(right.ty));
        match (op, a, b) {
            (BinaryOperator::Subtract, Some(a), Some(b)) => self.pointer_difference(left, right, a, b, span),
            (BinaryOperator::Add, Some(_), None) if self.types.is_integer(right.ty) => {
                self.moved_pointer(left, right, Direction::Forward, span)
            }
            (BinaryOperator::Add, None, Some(_)) if self.types.is_integer(left.ty) => {
                self.moved_pointer(right, left, Direction::Forward, span)
            }
            (BinaryOperator::Subtract, Some(_), None) if self.types.is_integer(right.ty) => {
                self.moved_pointer(left, right, Direction::Backward, span)
            }
            _ => self.wrong_operands(op, &left, &right, span),
        }
    }

    /// A pointer moved by an integer.
    fn moved_pointer(&mut self, pointer: Expr, index: Expr, direction: Direction, span: Span) -> Expr {
        let target = self.types.pointee(pointer.ty).map_or(Types::ERROR, |target| target.ty);
        let Some(element) = self.element_size(target, span) else { return error_value(span) };
        let index = Box::new(self.index_value(index));
        let ty = pointer.ty;
        Expr { kind: ExprKind::PointerOffset { pointer: Box::new(pointer), index, element, direction }, ty, span }
    }

    fn pointer_difference(&mut self, left: Expr, right: Expr, a: Qualified, b: Qualified, span: Span) -> Expr {
        if !self.compatible_targets(a.ty, b.ty) {
            return self.wrong_operands(BinaryOperator::Subtract, &left, &right, span);
        }
        let Some(element) = self.element_size(a.ty, span) else { return error_value(span) };
        let right = Box::new(self.convert(right, left.ty));
        let ty = self.types.difference_type();
        Expr { kind: ExprKind::PointerDifference { left: Box::new(left), right, element }, ty, span }
    }

    pub(super) fn pointer_comparison(&mut self, op: BinaryOperator, left: Expr, right: Expr, span: Span) -> Expr {
        let (left, right) = match (self.types.pointee(left.ty), self.types.pointee(right.ty)) {
            (Some(a), Some(b)) => {
                let goes = [a.ty, b.ty].contains(&Types::VOID)
                    || self.compatible_targets(a.ty, b.ty)
                    || self.is_null_constant(&left)
                    || self.is_null_constant(&right);
                if !goes {
                    self.warn(span, "pointers of different types are compared without a cast");
                }
                // A null pointer or `void *` takes the other's type.
                if a.ty == Types::VOID {
                    let ty = right.ty;
                    (self.convert(left, ty), right)
                } else {
                    let ty = left.ty;
                    (left, self.convert(right, ty))
                }
            }
            (Some(_), None) if self.types.is_integer(right.ty) => {
                self.warn_integer(&right, span);
                let ty = left.ty;
                (left, self.convert(right, ty))
            }
            (None, Some(_)) if self.types.is_integer(left.ty) => {
                self.warn_integer(&left, span);
                let ty = right.ty;
                (self.convert(left, ty), right)
            }
            _ => return self.wrong_operands(op, &left, &right, span),
        };
        Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), ty: Types::INT, span }
    }

    fn warn_integer(&mut self, integer: &Expr, span: Span) {
        if !self.is_null_constant(integer) {
            self.warn(span, "a pointer is compared with an integer");
        }
    }

    /// `base[index]`, either way round.
    pub(super) fn index(&mut self, base: &ast::Expr, index: &ast::Expr, span: Span) -> Operand {
        let base = self.value(base);
        let index = self.value(index);
        if base.ty == Types::ERROR || index.ty == Types::ERROR {
            return Operand::Place(error_place(span));
        }
        if let Type::Vector { element, .. } = *self.types.get(base.ty) {
            return self.unsupported_place("vector arithmetic", element, span);
        }
        let (pointer, index) = if self.types.is_pointer(base.ty) { (base, index) } else { (index, base) };
        if !self.types.is_pointer(pointer.ty) || !self.types.is_integer(index.ty) {
            let message =
                format!("a `{}` cannot be indexed by a `{}`", self.type_name(pointer.ty), self.type_name(index.ty));
            self.error(span, message);
            return Operand::Place(error_place(span));
        }
        let moved = self.moved_pointer(pointer, index, Direction::Forward, span);
        self.dereference(moved, span)
    }

    /// A place that we cannot name, reached through an unsupported address.
    pub(super) fn unsupported_place(&mut self, what: &str, ty: TypeId, span: Span) -> Operand {
        let ty = self.types.pointer_to(ty);
        self.dereference(Expr { kind: ExprKind::Unsupported(what.to_owned()), ty, span }, span)
    }
}
