//! Bounds that lie within objects: an index out of an array that is a member of a struct is undefined (C11 6.5.6), even
//! where it reaches the next member.
//!
//! Arrays that end their struct are left alone, for programs allocate more for them than their type says; and so are
//! members of unions. An access that leaves the object as a whole is noticed by itself; a pointer that is moved further
//! than just past its end, or before its start, is undefined even where it is not used. Bytes counted through a cast
//! (`container_of`) are left alone.

use super::function::FunctionLowering;
use crate::hir::{Direction, Expr as Typed, ExprKind, Place, PlaceKind};
use crate::syntax::ast::RecordKind;
use crate::types::{ArrayLength, Type, TypeId, Types};
use selvedge_program::{BinaryOp, Expr, UnaryOp, Undefined};

/// The type of what a pointer points to.
pub fn pointee(types: &Types, ty: TypeId) -> Option<TypeId> {
    match types.get(ty) {
        Type::Pointer(target) => Some(target.ty),
        _ => None,
    }
}

/// What an index is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// An access of the element.
    Access,
    /// Its address alone, which may be one past the last element's.
    Address,
    /// Its address, from which an element is accessed: a row of an array of arrays.
    Start,
}

impl<'h> FunctionLowering<'_, 'h> {
    /// The pointer that is dereferenced at a place.
    pub fn dereferenced(&mut self, pointer: &'h Typed, reach: Reach) -> Expr {
        match &pointer.kind {
            ExprKind::PointerOffset { .. } if reach == Reach::Access => {
                self.at(pointer.span, |this| this.moved_pointer(pointer, Reach::Access))
            }
            _ => self.value(pointer),
        }
    }

    /// The pointer from which an element is accessed: where it is moved itself, the access notices if it leaves its
    /// object.
    pub fn accessed_from(&mut self, start: &'h Typed) -> Expr {
        match &start.kind {
            ExprKind::PointerOffset { .. } => self.at(start.span, |this| this.moved_pointer(start, Reach::Start)),
            ExprKind::Convert(operand) if self.types().is_pointer(operand.ty) && self.types().is_pointer(start.ty) => {
                self.accessed_from(operand)
            }
            _ => self.value(start),
        }
    }

    /// Demands that an index is within the array that a pointer is to the start of, if that is known.
    pub fn require_within(&mut self, array: &Typed, index: &Expr, direction: Direction, reach: Reach) {
        let Some(length) = self.member_length(array).filter(|_| direction == Direction::Forward) else { return };
        let most = if reach == Reach::Access { length.saturating_sub(1) } else { length };
        let most = Expr::constant(index.width(), u128::from(most));
        let beyond = Expr::binary(BinaryOp::LessUnsigned, most, index.clone());
        self.builder.require(beyond.not(), Undefined::OutOfArray);
    }

    /// Demands that a pointer that was moved still points into its object, or just past its end. The start says what it
    /// was.
    pub fn require_in_object(&mut self, start: &Typed, index: &Expr, direction: Direction, moved: &Expr) {
        if self.counts_bytes(start) || self.is_within_array(start, index, direction) {
            return;
        }
        self.require_moved(moved);
    }

    /// The same, whatever it was.
    pub fn require_moved(&mut self, moved: &Expr) {
        if self.is_users() {
            self.builder.require(Expr::unary(UnaryOp::IsWithin, moved.clone()), Undefined::PointerOutOfObject);
        }
    }

    /// Whether a pointer was cast to count in bytes, or is a `void *`.
    fn counts_bytes(&self, start: &Typed) -> bool {
        let types = self.types();
        let size = |ty| pointee(types, ty).and_then(|element| types.size(element));
        match &start.kind {
            _ if pointee(types, start.ty) == Some(Types::VOID) => true,
            ExprKind::Convert(operand) => {
                size(start.ty) == Some(1) && types.is_pointer(operand.ty) && size(operand.ty) != Some(1)
            }
            _ => false,
        }
    }

    /// Whether a constant index is within the array that a pointer is to the start of, as its type says.
    fn is_within_array(&self, start: &Typed, index: &Expr, direction: Direction) -> bool {
        let (ExprKind::AddressOf(place), Expr::Constant(index)) = (&start.kind, index) else { return false };
        match self.types().get(place.ty.ty) {
            Type::Array { length: ArrayLength::Known(length), .. } => {
                direction == Direction::Forward && index.unsigned() <= u128::from(*length)
            }
            _ => false,
        }
    }

    /// The length of an array member that other members of the struct follow.
    fn member_length(&self, array: &Typed) -> Option<u64> {
        let types = self.types();
        let ExprKind::AddressOf(place) = &array.kind else { return None };
        let Place { kind: PlaceKind::Member { base, offset }, ty, .. } = &**place else { return None };
        let Type::Array { length: ArrayLength::Known(length), .. } = types.get(ty.ty) else { return None };
        let Type::Record(record) = types.get(base.ty.ty) else { return None };
        let end = offset.checked_add(types.size(ty.ty)?)?;
        let fields = types.fields(base.ty.ty)?;
        let is_member = fields.iter().any(|field| field.offset == *offset && field.ty.ty == ty.ty);
        let is_followed = fields.iter().any(|field| field.offset >= end);
        let is_struct = types.record(*record).kind == RecordKind::Struct;
        (is_struct && is_member && is_followed && *length > 0).then_some(*length)
    }
}
