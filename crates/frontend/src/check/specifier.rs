//! Types from what stands before the declarators of a declaration.

use super::attribute::Attributes;
use super::scope::Entity;
use super::{Checker, place::Operand};
use crate::syntax::ast::{
    Alignment, BuiltinType, Identifier, Qualifiers, RecordKind, Span, Specifiers, TypeName, TypeSpecifier,
};
use crate::types::layout::{MemberToLay, RecordAttributes};
use crate::types::{ArrayLength, Float, Qualified, Type, TypeId, Types};
use selvedge_program::DataModel;

/// Whether a tag is merely used, or the declaration has nothing but the tag and so declares it here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TagUse {
    Mention,
    Declare,
}

/// The type that declarators start from.
#[derive(Clone, Debug)]
pub(super) struct Base {
    pub ty: Qualified,
    /// The alignment that a typedef with an `aligned` attribute gives the type, in place of its own.
    pub align: Option<u32>,
    /// `__auto_type`: the type is the initialiser's.
    pub is_auto: bool,
    /// The attributes among the specifiers.
    pub attributes: Attributes,
}

impl Checker<'_> {
    /// The type of specifiers.
    pub(super) fn base_type(&mut self, specifiers: &Specifiers, tag_use: TagUse) -> Base {
        let mut attributes = self.attributes(&specifiers.attributes);
        for alignment in &specifiers.alignments {
            attributes.align = attributes.align.max(self.alignas(alignment));
        }
        let mut align = None;
        let ty: Qualified = match &specifiers.type_specifier {
            TypeSpecifier::Builtin(builtin) => self.builtin_type(*builtin).into(),
            TypeSpecifier::Typedef(name) => {
                let (ty, typedef_align) = self.typedef(*name);
                align = typedef_align;
                ty
            }
            TypeSpecifier::Record(record) => self.record_type(record, tag_use).into(),
            TypeSpecifier::Enum(enumeration) => self.enum_type(enumeration, tag_use).into(),
            TypeSpecifier::TypeofExpr(expr) => {
                let operand = self.unevaluated(expr);
                self.operand_type(&operand)
            }
            TypeSpecifier::TypeofType(name) => self.type_of_name(name),
            TypeSpecifier::Atomic(name) => {
                let ty = self.type_of_name(name);
                Qualified { qualifiers: Qualifiers { is_atomic: true, ..ty.qualifiers }, ..ty }
            }
            TypeSpecifier::Auto => Types::ERROR.into(),
            TypeSpecifier::ImplicitInt => {
                self.warn(specifiers.span, "the type is missing; it defaults to `int`");
                Types::INT.into()
            }
        };
        let is_unqualified =
            specifiers.attributes.iter().any(|attribute| self.spell(attribute.name) == "typeof_unqual");
        let ty = if is_unqualified { ty.ty.into() } else { ty };
        let ty = Qualified { ty: self.type_with_attributes(ty.ty, &attributes, specifiers.span), ..ty };
        let ty = self.qualify(ty, specifiers.qualifiers);
        Base { ty, align, is_auto: matches!(specifiers.type_specifier, TypeSpecifier::Auto), attributes }
    }

    fn alignas(&mut self, alignment: &Alignment) -> Option<u32> {
        match alignment {
            Alignment::Type(name) => {
                let ty = self.type_of_name(name);
                Some(self.types.align(ty.ty))
            }
            Alignment::Expr(expr) => self.alignment_value(expr),
        }
    }

    fn typedef(&mut self, name: Identifier) -> (Qualified, Option<u32>) {
        match self.scopes.get(name.name).map(|binding| binding.entity) {
            Some(Entity::Typedef { mut ty, align }) => {
                ty.qualifiers.is_unaligned |= align.is_some_and(|align| align < self.types.align(ty.ty));
                (ty, align)
            }
            _ => {
                let message = format!("`{}` is not a type", self.spell(name.name));
                self.error(name.span, message);
                (Types::ERROR.into(), None)
            }
        }
    }

    /// The type a type name names; variable lengths in it are left pending.
    pub(super) fn type_of_name(&mut self, name: &TypeName) -> Qualified {
        let base = self.base_type(&name.specifiers, TagUse::Mention);
        if base.is_auto {
            self.error(name.span, "`__auto_type` is not allowed here");
        }
        self.derive(&base, &name.declarator)
    }

    /// A type with more qualifiers; those of an array belong to its elements.
    pub(super) fn qualify(&mut self, ty: Qualified, qualifiers: Qualifiers) -> Qualified {
        if qualifiers == Qualifiers::default() {
            return ty;
        }
        match *self.types.get(ty.ty) {
            Type::Array { element, length } => {
                let element = self.qualify(element, qualifiers);
                self.types.intern(Type::Array { element, length }).into()
            }
            _ => Qualified { ty: ty.ty, qualifiers: ty.qualifiers.with(qualifiers) },
        }
    }

    /// Notes the use of a type that the parser only knows by being odd (`_Decimal64`, `_BitInt(7)`, `_Float16`), where
    /// its size matters: we do not know it.
    pub(super) fn note_odd_size(&mut self, ty: TypeId, span: Span) {
        match *self.types.get(ty) {
            Type::Array { element, .. } => self.note_odd_size(element.ty, span),
            Type::Float(Float::Other) => {
                let what = "an object of an unusual arithmetic type".to_owned();
                match self.function {
                    Some(_) => self.unmodelled.push((span, what)),
                    None => self.unit.unsupported.push((span, what)),
                }
            }
            _ => {}
        }
    }

    pub(super) fn operand_type(&self, operand: &Operand) -> Qualified {
        match operand {
            Operand::Value(value) => value.ty.into(),
            Operand::Place(place) => place.ty,
            Operand::Function(function, _) => self.unit.functions[function.index()].ty.into(),
        }
    }

    fn builtin_type(&mut self, builtin: BuiltinType) -> TypeId {
        match builtin {
            BuiltinType::Void => Types::VOID,
            BuiltinType::Bool => Types::BOOL,
            BuiltinType::Integer(integer) => self.types.intern(Type::Integer(integer)),
            BuiltinType::Float => Types::FLOAT,
            BuiltinType::Double => Types::DOUBLE,
            BuiltinType::LongDouble => Types::LONG_DOUBLE,
            BuiltinType::Float128 => self.types.intern(Type::Float(Float::Float128)),
            BuiltinType::OtherFloat => self.types.intern(Type::Float(Float::Other)),
            BuiltinType::ComplexFloat => self.types.intern(Type::Complex(Float::Float)),
            BuiltinType::ComplexDouble => self.types.intern(Type::Complex(Float::Double)),
            BuiltinType::ComplexLongDouble => self.types.intern(Type::Complex(Float::LongDouble)),
            BuiltinType::VaList => self.va_list_type(),
        }
    }

    /// `__builtin_va_list`: on LP64 an array of one `struct __va_list_tag`, on ILP32 a pointer.
    pub(super) fn va_list_type(&mut self) -> TypeId {
        if let Some(ty) = self.va_list {
            return ty;
        }
        let ty = match self.types.data_model {
            DataModel::Ilp32 => Types::CHAR_POINTER,
            DataModel::Lp64 => {
                let tag = self.names.intern("__va_list_tag");
                let id = self.types.new_record(RecordKind::Struct, Some(tag));
                let members: Vec<MemberToLay> = [
                    ("gp_offset", Types::UNSIGNED_INT),
                    ("fp_offset", Types::UNSIGNED_INT),
                    ("overflow_arg_area", Types::VOID_POINTER),
                    ("reg_save_area", Types::VOID_POINTER),
                ]
                .map(|(name, ty)| MemberToLay::plain(Some(self.names.intern(name)), ty.into()))
                .into();
                let layout = self.types.lay_out(RecordKind::Struct, &members, RecordAttributes::default());
                self.types.define_record(id, layout);
                let element = self.types.intern(Type::Record(id)).into();
                self.types.intern(Type::Array { element, length: ArrayLength::Known(1) })
            }
        };
        self.va_list = Some(ty);
        ty
    }
}
