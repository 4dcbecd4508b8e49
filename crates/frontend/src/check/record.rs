//! Structs and unions (C11 6.7.2.1): their members, tags and layout.

use super::Checker;
use super::specifier::{Base, TagUse};
use crate::syntax::ast::{
    Declaration, Declarator, Expr, MemberDeclaration, RecordKind, RecordSpecifier, Span, TypeSpecifier,
};
use crate::syntax::symbol::Symbol;
use crate::types::layout::{MemberToLay, RecordAttributes};
use crate::types::{ArrayLength, Qualified, RecordId, Type, TypeId, Types};
use rustc_hash::FxHashSet;

impl Checker<'_> {
    /// The type of a struct or union specifier; defines it if it has members.
    pub(super) fn record_type(&mut self, specifier: &RecordSpecifier, tag_use: TagUse) -> TypeId {
        let ty = self.record_named(specifier, tag_use);
        let Type::Record(id) = *self.types.get(ty) else { return ty };
        let attributes = self.attributes(&specifier.attributes);
        if attributes.is_transparent_union {
            self.transparent.insert(id);
        }
        let Some(declarations) = &specifier.members else { return ty };
        let mut members = Members { list: Vec::new(), names: FxHashSet::default(), kind: specifier.kind };
        for declaration in declarations {
            self.member_declaration(declaration, &mut members);
        }
        self.check_flexible(&members);
        let list: Vec<MemberToLay> = members.list.into_iter().map(|(member, _)| member).collect();
        let attributes = RecordAttributes {
            is_packed: attributes.is_packed,
            align: attributes.align,
            pack: attributes.pack.filter(|pack| *pack > 0),
        };
        let layout = self.types.lay_out(specifier.kind, &list, attributes);
        if layout.size > i64::MAX as u64 {
            self.error(specifier.span, "the type is too large");
        }
        self.types.define_record(id, layout);
        ty
    }

    /// The record a specifier means: one in scope, or a new one.
    fn record_named(&mut self, specifier: &RecordSpecifier, tag_use: TagUse) -> TypeId {
        let Some(tag) = specifier.tag else { return self.new_record(specifier.kind, None).1 };
        let is_definition = specifier.members.is_some();
        let existing = if is_definition || tag_use == TagUse::Declare {
            self.scopes.get_tag_here(tag.name)
        } else {
            self.scopes.get_tag(tag.name)
        };
        if let Some(existing) = existing {
            match *self.types.get(existing.entity) {
                Type::Record(id) if self.types.record(id).kind == specifier.kind => {
                    if !(is_definition && self.types.record(id).definition.is_some()) {
                        return existing.entity;
                    }
                    let message = format!("`{}` is defined twice", self.type_name(existing.entity));
                    self.error_with_note(tag.span, message, existing.span, "the first definition is here");
                }
                _ => {
                    let message = format!("the tag `{}` means another kind of type", self.spell(tag.name));
                    self.error_with_note(tag.span, message, existing.span, "it is declared here");
                }
            }
            return self.new_record(specifier.kind, Some(tag.name)).1;
        }
        let (_, ty) = self.new_record(specifier.kind, Some(tag.name));
        self.scopes.bind_tag(tag.name, ty, tag.span);
        ty
    }

    fn new_record(&mut self, kind: RecordKind, tag: Option<Symbol>) -> (RecordId, TypeId) {
        let id = self.types.new_record(kind, tag);
        (id, self.types.intern(Type::Record(id)))
    }

    fn member_declaration(&mut self, declaration: &MemberDeclaration, members: &mut Members) {
        match declaration {
            MemberDeclaration::StaticAssert(Declaration::StaticAssert { condition, message, span }) => {
                self.static_assert(condition, message.as_deref(), *span);
            }
            MemberDeclaration::StaticAssert(Declaration::Variables { .. }) => {}
            MemberDeclaration::Members { specifiers, declarators, span } => {
                let base = self.base_type(specifiers, TagUse::Mention);
                if declarators.is_empty() {
                    let is_anonymous =
                        matches!(&specifiers.type_specifier, TypeSpecifier::Record(record) if record.tag.is_none());
                    self.anonymous_member(&base, is_anonymous, *span, members);
                }
                for member in declarators {
                    self.member(&base, &member.declarator, member.bits.as_ref(), members);
                }
            }
        }
    }

    /// An unnamed struct or union, whose members count as the enclosing record's. With a tag and no name it declares
    /// nothing.
    fn anonymous_member(&mut self, base: &Base, is_anonymous: bool, span: Span, members: &mut Members) {
        match *self.types.get(base.ty.ty) {
            Type::Record(id) if is_anonymous && self.types.record(id).definition.is_some() => {
                for name in self.member_names(id) {
                    self.claim_name(name, span, members);
                }
                let mut member = MemberToLay::plain(None, base.ty);
                member.align = base.attributes.align;
                member.type_align = base.align;
                member.is_packed = base.attributes.is_packed;
                members.list.push((member, span));
            }
            Type::Error => {}
            _ => self.warn(span, "the declaration declares no member"),
        }
    }

    fn claim_name(&mut self, name: Symbol, span: Span, members: &mut Members) {
        if !members.names.insert(name) {
            let message = format!("there are two members `{}`", self.spell(name));
            self.error(span, message);
        }
    }

    fn member(&mut self, base: &Base, declarator: &Declarator, bits: Option<&Expr>, members: &mut Members) {
        let span = declarator.name.map_or(declarator.span, |name| name.span);
        let mark = self.lengths.len();
        let ty = self.derive(base, declarator);
        self.lengths.truncate(mark);
        let attributes = base.attributes.clone().and(self.attributes(&declarator.attributes));
        let ty = Qualified { ty: self.type_with_attributes(ty.ty, &attributes, span), ..ty };
        let ty = self.without_variable_length(ty, span);
        if !self.check_member_type(ty, span) {
            return;
        }
        self.note_odd_size(ty.ty, span);
        let bits = match bits {
            Some(bits) => match self.bit_field_width(ty, declarator, bits) {
                Some(width) => Some(width),
                None => return,
            },
            None => None,
        };
        if let Some(name) = declarator.name {
            self.claim_name(name.name, name.span, members);
        } else if bits.is_none() {
            self.error(span, "a member must have a name");
            return;
        }
        members.list.push((
            MemberToLay {
                name: declarator.name.map(|name| name.name),
                ty,
                bits,
                align: attributes.align,
                type_align: base.align.filter(|_| declarator.derived.is_empty()),
                is_packed: attributes.is_packed,
            },
            span,
        ));
    }

    /// GNU C allows members of variable length in functions. We do not model them: whoever gets there is told.
    fn without_variable_length(&mut self, ty: Qualified, span: Span) -> Qualified {
        let Some(element) = self.types.element(ty.ty).filter(|_| self.is_variable(ty.ty)) else { return ty };
        self.unmodelled.push((span, "a member of variable length".to_owned()));
        let element = self.without_variable_length(element, span);
        self.types.array_of(element, 0).into()
    }

    /// Whether a member may have this type; an array of unknown length only if it comes last.
    fn check_member_type(&mut self, ty: Qualified, span: Span) -> bool {
        let wrong = match self.types.get(ty.ty) {
            Type::Error => return false,
            Type::Function(_) => "a member cannot be a function".to_owned(),
            Type::Array { length: ArrayLength::Unknown, .. } => return true,
            Type::Void => "a member cannot have type `void`".to_owned(),
            _ if self.types.size(ty.ty).is_none() => {
                format!("a member cannot have the incomplete type `{}`", self.type_name(ty.ty))
            }
            _ => return true,
        };
        self.error(span, wrong);
        false
    }

    fn bit_field_width(&mut self, ty: Qualified, declarator: &Declarator, bits: &Expr) -> Option<u32> {
        let value = self.unevaluated(bits);
        let value = self.decay(value);
        if value.ty == Types::ERROR {
            return None;
        }
        let span = declarator.name.map_or(bits.span, |name| name.span);
        let Some(integer) = self.types.as_integer(ty.ty) else {
            let message = format!("a bit-field must have an integer type, not `{}`", self.type_name(ty));
            self.error(span, message);
            return None;
        };
        let most = if ty.ty == Types::BOOL { 1 } else { integer.width(self.types.data_model) };
        match self.integer_constant(&value) {
            Some(0) if declarator.name.is_some() => self.error(bits.span, "a bit-field of width 0 cannot have a name"),
            Some(width) if (0..=i128::from(most)).contains(&width) => return Some(width as u32),
            Some(width) if width < 0 => self.error(bits.span, "the width of a bit-field cannot be negative"),
            Some(_) => {
                let message = format!("the bit-field is wider than its type `{}`", self.type_name(ty));
                self.error(bits.span, message);
            }
            None => self.error(bits.span, "the width of a bit-field must be an integer constant"),
        }
        None
    }

    fn check_flexible(&mut self, members: &Members) {
        let last = members.list.len().saturating_sub(1);
        for (position, (member, span)) in members.list.iter().enumerate() {
            let is_flexible = matches!(self.types.get(member.ty.ty), Type::Array { length: ArrayLength::Unknown, .. });
            if is_flexible && position != last && members.kind == RecordKind::Struct {
                self.error(*span, "an array of unknown length must be the last member");
            }
        }
    }
}

/// The members of a record being defined, with where they stand.
struct Members {
    list: Vec<(MemberToLay, Span)>,
    names: FxHashSet<Symbol>,
    kind: RecordKind,
}
