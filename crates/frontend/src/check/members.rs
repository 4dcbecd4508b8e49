//! Members of structs and unions by name, through anonymous ones (C11 6.5.2.3).

use super::Checker;
use super::declarator::inherited;
use super::place::{Operand, error_place};
use crate::hir::{Expr, Place, PlaceKind};
use crate::syntax::ast::{self, Identifier, Span};
use crate::syntax::symbol::Symbol;
use crate::types::{BitField, Qualified, RecordId, Type, Types};
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

/// A member, seen from the outermost record.
#[derive(Clone, Copy, Debug)]
pub(super) struct Member {
    /// Its first byte in the outermost record.
    pub offset: u64,
    pub ty: Qualified,
    /// Its bits, counted from the start of the outermost record.
    pub bits: Option<BitField>,
    /// The position among the outermost record's fields of the field that it is or that it is inside of.
    pub field: usize,
    /// Whether it is inside of an anonymous field.
    pub is_nested: bool,
}

/// The members of one record by name, in order.
pub(super) type MemberIndex = IndexMap<Symbol, Member, FxBuildHasher>;

impl Checker<'_> {
    /// The member of a record with a name.
    pub(super) fn member_named(&mut self, id: RecordId, name: Symbol) -> Option<Member> {
        if !self.members.contains_key(&id) {
            let index = self.index_members(id);
            self.members.insert(id, index);
        }
        self.members.get(&id)?.get(&name).copied()
    }

    /// The names of a defined record's members.
    pub(super) fn member_names(&self, id: RecordId) -> Vec<Symbol> {
        self.index_members(id).into_keys().collect()
    }

    fn index_members(&self, id: RecordId) -> MemberIndex {
        let mut index = MemberIndex::default();
        let Some(layout) = &self.types.record(id).definition else { return index };
        for (position, field) in layout.fields.iter().enumerate() {
            match (field.name, self.types.get(field.ty.ty)) {
                (Some(name), _) => {
                    let member = Member {
                        offset: field.offset,
                        ty: field.ty,
                        bits: field.bits,
                        field: position,
                        is_nested: false,
                    };
                    index.insert(name, member);
                }
                (None, Type::Record(inner)) => {
                    for (name, member) in self.index_members(*inner) {
                        let qualifiers = member.ty.qualifiers.with(inherited(field.ty.qualifiers));
                        let member = Member {
                            offset: field.offset + member.offset,
                            ty: Qualified { ty: member.ty.ty, qualifiers },
                            bits: member.bits.map(|bits| BitField { offset: bits.offset + 8 * field.offset, ..bits }),
                            field: position,
                            is_nested: true,
                        };
                        index.insert(name, member);
                    }
                }
                (None, _) => {}
            }
        }
        index
    }

    /// `base.name`
    pub(super) fn member_access(&mut self, base: &ast::Expr, name: Identifier, span: Span) -> Operand {
        let place = match self.operand(base) {
            Operand::Place(place) => place,
            Operand::Value(value) => temporary(value),
            Operand::Function(_, span) => {
                self.error(span, "a function has no members");
                error_place(span)
            }
        };
        self.member_place(place, name, span)
    }

    /// `base->name`
    pub(super) fn arrow_access(&mut self, base: &ast::Expr, name: Identifier, span: Span) -> Operand {
        let pointer = self.value(base);
        match self.types.get(pointer.ty) {
            Type::Record(_) => {
                let message = format!("`->` needs a pointer, but this is a `{}`; use `.`", self.type_name(pointer.ty));
                self.error(span, message);
                Operand::Place(error_place(span))
            }
            _ => match self.dereference(pointer, base.span) {
                Operand::Place(place) => self.member_place(place, name, span),
                Operand::Value(_) | Operand::Function(..) => {
                    self.error(span, "a function has no members");
                    Operand::Place(error_place(span))
                }
            },
        }
    }

    fn member_place(&mut self, base: Place, name: Identifier, span: Span) -> Operand {
        let id = match *self.types.get(base.ty.ty) {
            Type::Error => return Operand::Place(error_place(span)),
            Type::Record(id) => id,
            _ => {
                let message = format!(
                    "there is no member `{}` in something of type `{}`",
                    self.spell(name.name),
                    self.type_name(base.ty.ty)
                );
                self.error(name.span, message);
                return Operand::Place(error_place(span));
            }
        };
        let Some(member) = self.member_named(id, name.name) else {
            let ty = self.type_name(base.ty.ty);
            let message = match self.types.record(id).definition {
                Some(_) => format!("`{ty}` has no member `{}`", self.spell(name.name)),
                None => format!("the type `{ty}` is incomplete here"),
            };
            self.error(name.span, message);
            return Operand::Place(error_place(span));
        };
        let ty = self.qualify(member.ty, inherited(base.ty.qualifiers));
        let offset = if member.bits.is_some() { 0 } else { member.offset };
        let kind = PlaceKind::Member { base: Box::new(base), offset };
        Operand::Place(Place { kind, ty, bits: member.bits, span })
    }
}

/// A value put into a temporary, so that its members can be had.
pub(super) fn temporary(value: Expr) -> Place {
    let (ty, span) = (value.ty, value.span);
    if ty == Types::ERROR {
        return error_place(span);
    }
    Place { kind: PlaceKind::Temporary(Box::new(value)), ty: ty.into(), bits: None, span }
}
