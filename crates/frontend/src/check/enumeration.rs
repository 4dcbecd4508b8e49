//! Enums (C11 6.7.2.2), with gcc's choice of the type that represents them.

use super::Checker;
use super::scope::Entity;
use super::specifier::TagUse;
use crate::syntax::ast::{EnumSpecifier, Enumerator, Span};
use crate::syntax::symbol::Symbol;
use crate::types::{Integer, Type, TypeId, Types};

impl Checker<'_> {
    /// The type of an enum specifier; defines it if it has enumerators.
    pub(super) fn enum_type(&mut self, specifier: &EnumSpecifier, tag_use: TagUse) -> TypeId {
        let ty = self.enum_named(specifier, tag_use);
        let Type::Enum(id) = *self.types.get(ty) else { return ty };
        let mut fixed = None;
        if let Some(underlying) = &specifier.underlying {
            let written = self.type_of_name(underlying);
            fixed = self.types.as_integer(written.ty);
            match fixed {
                Some(integer) => self.types.define_enum(id, integer),
                None => self.error(underlying.span, "the underlying type of an enum must be an integer type"),
            }
        }
        let Some(enumerators) = &specifier.enumerators else { return ty };
        let attributes = self.attributes(&specifier.attributes);
        let mut values = Vec::with_capacity(enumerators.len());
        let mut next = (0_i128, Types::INT);
        for enumerator in enumerators {
            let (value, value_type) = self.enumerator_value(enumerator, next);
            self.bind_enumerator(enumerator, value, value_type);
            values.push((enumerator.name.name, value));
            next = (value.wrapping_add(1), value_type);
        }
        let mut underlying = fixed.unwrap_or_else(|| self.representing(&values, attributes.is_packed, specifier.span));
        if attributes.mode.is_some() {
            let moded = self.type_with_attributes(underlying.id(), &attributes, specifier.span);
            underlying = self.types.as_integer(moded).unwrap_or(underlying);
        }
        self.types.define_enum(id, underlying);
        if fixed.is_some() || values.iter().any(|(_, value)| i32::try_from(*value).is_err()) {
            self.retype_enumerators(enumerators, &values, if fixed.is_some() { ty } else { underlying.id() });
        }
        ty
    }

    fn enum_named(&mut self, specifier: &EnumSpecifier, tag_use: TagUse) -> TypeId {
        let Some(tag) = specifier.tag else { return self.new_enum(None) };
        let is_definition = specifier.enumerators.is_some();
        let existing = if is_definition || tag_use == TagUse::Declare {
            self.scopes.get_tag_here(tag.name)
        } else {
            self.scopes.get_tag(tag.name)
        };
        if let Some(existing) = existing {
            match *self.types.get(existing.entity) {
                Type::Enum(id) => {
                    let is_fixed = specifier.underlying.is_some();
                    if !(is_definition && !is_fixed && self.types.enumeration(id).underlying.is_some()) {
                        return existing.entity;
                    }
                    let message = format!("`enum {}` is defined twice", self.spell(tag.name));
                    self.error_with_note(tag.span, message, existing.span, "the first definition is here");
                }
                _ => {
                    let message = format!("the tag `{}` means another kind of type", self.spell(tag.name));
                    self.error_with_note(tag.span, message, existing.span, "it is declared here");
                }
            }
            return self.new_enum(Some(tag.name));
        }
        let ty = self.new_enum(Some(tag.name));
        self.scopes.bind_tag(tag.name, ty, tag.span);
        ty
    }

    fn new_enum(&mut self, tag: Option<Symbol>) -> TypeId {
        let id = self.types.new_enum(tag);
        self.types.intern(Type::Enum(id))
    }

    /// An enumerator's value and the type it has among the enumerators after it.
    fn enumerator_value(&mut self, enumerator: &Enumerator, next: (i128, TypeId)) -> (i128, TypeId) {
        let Some(expr) = &enumerator.value else {
            let (value, previous) = next;
            return (value, self.wide_enough(value, previous));
        };
        let operand = self.unevaluated(expr);
        let value = self.decay(operand);
        if value.ty == Types::ERROR {
            return next;
        }
        match self.integer_constant(&value).filter(|_| self.types.is_integer(value.ty)) {
            Some(number) if i32::try_from(number).is_ok() => (number, Types::INT),
            Some(number) => (number, value.ty),
            None => {
                let message =
                    format!("the value of `{}` must be an integer constant", self.spell(enumerator.name.name));
                self.error(expr.span, message);
                next
            }
        }
    }

    /// The first type, from the previous enumerator's on, that holds a value.
    fn wide_enough(&self, value: i128, previous: TypeId) -> TypeId {
        let candidates = [Integer::Int, Integer::UnsignedInt, Integer::Long, Integer::UnsignedLong, Integer::LongLong];
        let holds = |integer: Integer| integer.wrap(value, self.types.data_model) == value;
        match self.types.as_integer(previous) {
            Some(integer) if holds(integer) => previous,
            _ => candidates.into_iter().find(|integer| holds(*integer)).map_or(Types::UNSIGNED_LONG_LONG, Integer::id),
        }
    }

    fn bind_enumerator(&mut self, enumerator: &Enumerator, value: i128, ty: TypeId) {
        let name = enumerator.name;
        if let Some(existing) = self.scopes.get_here(name.name) {
            let message = format!("`{}` is already declared", self.spell(name.name));
            self.error_with_note(name.span, message, existing.span, "it is declared here");
        }
        self.scopes.bind(name.name, Entity::Enumerator { value, ty }, name.span);
    }

    /// Once the enum is complete, enumerators that do not fit into `int` have its type.
    fn retype_enumerators(&mut self, enumerators: &[Enumerator], values: &[(Symbol, i128)], ty: TypeId) {
        for (enumerator, (name, value)) in enumerators.iter().zip(values) {
            if i32::try_from(*value).is_err() || matches!(self.types.get(ty), Type::Enum(_)) {
                self.scopes.bind(*name, Entity::Enumerator { value: *value, ty }, enumerator.name.span);
            }
        }
    }

    /// The type gcc represents an enum by: `unsigned int` if that holds all values, or the first that does.
    fn representing(&mut self, values: &[(Symbol, i128)], is_packed: bool, span: Span) -> Integer {
        use Integer::*;
        let low = values.iter().map(|(_, value)| *value).min().unwrap_or(0);
        let high = values.iter().map(|(_, value)| *value).max().unwrap_or(0);
        let candidates: &[Integer] = match (is_packed, low < 0) {
            (true, true) => &[SignedChar, Short, Int, Long, LongLong],
            (true, false) => &[UnsignedChar, UnsignedShort, UnsignedInt, UnsignedLong, UnsignedLongLong],
            (false, true) => &[Int, Long, LongLong],
            (false, false) => &[UnsignedInt, UnsignedLong, UnsignedLongLong],
        };
        let holds = |integer: &&Integer| {
            let data_model = self.types.data_model;
            integer.wrap(low, data_model) == low && integer.wrap(high, data_model) == high
        };
        match candidates.iter().find(holds) {
            Some(integer) => *integer,
            None => {
                self.error(span, "no integer type holds all values of the enum");
                LongLong
            }
        }
    }
}
