//! The parts of an aggregate: which there are, where they stand, which a designator means.

use super::{Init, Slot};
use crate::check::Checker;
use crate::check::declarator::inherited;
use crate::syntax::ast::{self, Designator, RecordKind, Span};
use crate::types::{ArrayLength, BitField, Type, TypeId, Types};

impl Checker<'_> {
    /// How many parts values without designators can go to; `None` for an array of unknown length.
    pub(super) fn part_count(&self, ty: TypeId) -> Option<u64> {
        match self.types.get(ty) {
            Type::Array { length: ArrayLength::Known(length), .. } => Some(*length),
            Type::Array { length: ArrayLength::Unknown, .. } => None,
            Type::Vector { element, size } => Some(size / self.types.size(*element).unwrap_or(1).max(1)),
            Type::Record(id) => {
                let fields = self.types.fields(ty).map_or(0, |fields| fields.len() as u64);
                Some(if self.types.record(*id).kind == RecordKind::Union { fields.min(1) } else { fields })
            }
            _ => Some(0),
        }
    }

    /// The part that follows another one; after a union's member there is none.
    pub(super) fn after(&self, ty: TypeId, index: u64) -> u64 {
        match self.types.get(ty) {
            Type::Record(id) if self.types.record(*id).kind == RecordKind::Union => u64::MAX,
            _ => index.saturating_add(1),
        }
    }

    /// A union keeps the values of one member only.
    pub(super) fn choose_member(&mut self, init: &mut Init, whole: Slot, index: u64) {
        let Type::Record(id) = self.types.get(whole.ty.ty) else { return };
        if self.types.record(*id).kind == RecordKind::Union {
            let index = index as usize;
            let old = init.members.insert((whole.offset, whole.ty.ty), index);
            if old.is_some_and(|old| old != index) {
                init.items.clear(whole.offset, self.types.size(whole.ty.ty).unwrap_or(0));
            }
        }
    }

    /// Which parts a designator means: from, to, and whether the member is inside of an anonymous part.
    pub(super) fn designate(&mut self, whole: Slot, designator: &Designator) -> Option<(u64, u64, bool)> {
        match (designator, self.types.get(whole.ty.ty)) {
            (_, Type::Error) => None,
            (Designator::Member(name), Type::Record(id)) => {
                let member = self.member_named(*id, name.name);
                if member.is_none() {
                    let message =
                        format!("`{}` has no member `{}`", self.type_name(whole.ty.ty), self.spell(name.name));
                    self.error(name.span, message);
                }
                member.map(|member| (member.field as u64, member.field as u64, member.is_nested))
            }
            (Designator::Index(index), Type::Array { length, .. }) => {
                let length = *length;
                let index = self.designated_index(index, length)?;
                Some((index, index, false))
            }
            (Designator::Range(first, last), Type::Array { length, .. }) => {
                let length = *length;
                let low = self.designated_index(first, length)?;
                let high = self.designated_index(last, length)?;
                if high < low {
                    self.error(last.span, "the range of the designator is empty");
                    return None;
                }
                Some((low, high, false))
            }
            (Designator::Member(name), _) => {
                let message = format!("`{}` has no members", self.type_name(whole.ty.ty));
                self.error(name.span, message);
                None
            }
            (Designator::Index(index) | Designator::Range(index, _), _) => {
                let message = format!("`{}` has no elements", self.type_name(whole.ty.ty));
                self.error(index.span, message);
                None
            }
        }
    }

    fn designated_index(&mut self, expr: &ast::Expr, length: ArrayLength) -> Option<u64> {
        let operand = self.unevaluated(expr);
        let value = self.decay(operand);
        if value.ty == Types::ERROR {
            return None;
        }
        let Some(index) = self.integer_constant(&value) else {
            self.error(expr.span, "the index of a designator must be an integer constant");
            return None;
        };
        let end = match length {
            ArrayLength::Known(length) => i128::from(length),
            _ => i128::from(i64::MAX),
        };
        if !(0..end).contains(&index) {
            self.error(expr.span, "the index of the designator is out of bounds");
            return None;
        }
        Some(index as u64)
    }

    /// The part of an aggregate with a number.
    pub(super) fn part(&mut self, whole: Slot, index: u64, span: Span) -> Option<Slot> {
        let element = match self.types.get(whole.ty.ty) {
            Type::Array { element, .. } => Some(*element),
            Type::Vector { element, .. } => Some((*element).into()),
            _ => None,
        };
        if let Some(ty) = element {
            let offset = index.checked_mul(self.types.size(ty.ty)?).and_then(|start| start.checked_add(whole.offset));
            if offset.is_none_or(|offset| offset > i64::MAX as u64) {
                self.error(span, "the initialised object is too large");
                return None;
            }
            return Some(Slot { ty, offset: offset?, bits: None });
        }
        let field = self.types.fields(whole.ty.ty)?.get(usize::try_from(index).ok()?)?.clone();
        let ty = self.qualify(field.ty, inherited(whole.ty.qualifiers));
        let bits = field.bits.map(|bits| BitField { offset: bits.offset + 8 * whole.offset, ..bits });
        Some(Slot { ty, offset: whole.offset + field.offset, bits })
    }
}
