//! The attributes that change what a declaration means to us; all others are hints that may be ignored.

use super::Checker;
use crate::syntax::ast::{Attribute, Expr, ExprKind, Span};
use crate::types::{Float, Integer, Type, TypeId, Types};
use selvedge_program::DataModel;

/// What a list of attributes says.
#[derive(Clone, Debug, Default)]
pub(super) struct Attributes {
    pub is_packed: bool,
    /// `aligned(n)`, in bytes; without an argument the machine's largest.
    pub align: Option<u32>,
    /// `#pragma pack(n)`, which the parser hands over as an attribute.
    pub pack: Option<u32>,
    /// `mode(DI)`
    pub mode: Option<String>,
    /// `vector_size(n)`, in bytes
    pub vector_size: Option<u64>,
    pub is_noreturn: bool,
    pub is_transparent_union: bool,
    pub is_weak: bool,
    pub is_gnu_inline: bool,
    /// `alias`, `weakref`, `ifunc`: another symbol stands for this one.
    pub alias: Option<Span>,
    /// `cleanup(function)`: runs when the variable's block is left. The function, where it is written as one.
    pub cleanup: Option<(Span, Option<Expr>)>,
    /// `constructor`: runs before `main`, the lowest priority first.
    pub constructor: Option<u32>,
    /// `destructor`: runs at the end of the process, the highest priority first.
    pub destructor: Option<u32>,
}

impl Attributes {
    fn join(&mut self, other: Attributes) {
        self.is_packed |= other.is_packed;
        self.align = self.align.max(other.align);
        self.pack = other.pack.or(self.pack);
        self.mode = other.mode.or(self.mode.take());
        self.vector_size = other.vector_size.or(self.vector_size);
        self.is_noreturn |= other.is_noreturn;
        self.is_transparent_union |= other.is_transparent_union;
        self.is_weak |= other.is_weak;
        self.is_gnu_inline |= other.is_gnu_inline;
        self.alias = other.alias.or(self.alias);
        self.cleanup = other.cleanup.or(self.cleanup.take());
        self.constructor = other.constructor.or(self.constructor);
        self.destructor = other.destructor.or(self.destructor);
    }

    /// What both lists say.
    pub fn and(mut self, other: Attributes) -> Attributes {
        self.join(other);
        self
    }
}

impl Checker<'_> {
    /// Reads a list of attributes.
    pub(super) fn attributes(&mut self, list: &[Attribute]) -> Attributes {
        let mut all = Attributes::default();
        for attribute in list {
            let mut one = Attributes::default();
            match self.spell(attribute.name) {
                "packed" => one.is_packed = true,
                "aligned" => one.align = self.aligned(attribute),
                "pragma_pack" => one.pack = self.attribute_number(attribute).and_then(|pack| u32::try_from(pack).ok()),
                "mode" => one.mode = self.attribute_word(attribute),
                "vector_size" => one.vector_size = self.attribute_number(attribute),
                "noreturn" | "_Noreturn" => one.is_noreturn = true,
                "transparent_union" => one.is_transparent_union = true,
                "weak" => one.is_weak = true,
                "gnu_inline" => one.is_gnu_inline = true,
                "alias" | "weakref" | "ifunc" => one.alias = Some(attribute.span),
                "cleanup" => one.cleanup = Some((attribute.span, attribute.arguments.first().cloned())),
                "constructor" => one.constructor = Some(self.priority(attribute)),
                "destructor" => one.destructor = Some(self.priority(attribute)),
                word @ ("ms_struct" | "scalar_storage_order") => {
                    // It changes the layout in ways we do not know, which may matter anywhere.
                    let what = format!("the attribute `{word}`");
                    self.unit.unsupported.push((attribute.span, what));
                }
                _ => continue,
            }
            all.join(one);
        }
        all
    }

    fn aligned(&mut self, attribute: &Attribute) -> Option<u32> {
        match attribute.arguments.first() {
            Some(argument) => self.alignment_value(argument),
            None => Some(16),
        }
    }

    /// The alignment an expression asks for; `None` (after a message) if it is none.
    pub(super) fn alignment_value(&mut self, argument: &Expr) -> Option<u32> {
        let value = self.unevaluated(argument);
        let value = self.decay(value);
        if value.ty == Types::ERROR {
            return None;
        }
        match self.integer_constant(&value) {
            Some(0) => None,
            Some(align) if align > 0 && align <= 1 << 28 && (align as u32).is_power_of_two() => Some(align as u32),
            _ => {
                self.error(argument.span, "an alignment must be a constant power of two");
                None
            }
        }
    }

    /// When a constructor runs; one without a priority runs after those that have one.
    fn priority(&mut self, attribute: &Attribute) -> u32 {
        self.attribute_number(attribute).and_then(|priority| u32::try_from(priority).ok()).unwrap_or(65_535)
    }

    fn attribute_number(&mut self, attribute: &Attribute) -> Option<u64> {
        let value = self.unevaluated(attribute.arguments.first()?);
        let value = self.decay(value);
        self.integer_constant(&value).and_then(|value| u64::try_from(value).ok())
    }

    fn attribute_word(&self, attribute: &Attribute) -> Option<String> {
        match attribute.arguments.first()?.kind {
            ExprKind::Identifier(name) => Some(self.spell(name).trim_matches('_').to_owned()),
            _ => None,
        }
    }

    /// The type that `mode` and `vector_size` make of a scalar type.
    pub(super) fn type_with_attributes(&mut self, ty: TypeId, attributes: &Attributes, span: Span) -> TypeId {
        let mut ty = ty;
        if let Some(mode) = &attributes.mode {
            ty = match self.type_of_mode(ty, mode) {
                Some(ty) => ty,
                None => {
                    self.error(span, format!("the machine mode `{mode}` is not supported here"));
                    Types::ERROR
                }
            };
        }
        match attributes.vector_size {
            Some(size) if self.types.is_integer(ty) || self.types.is_float(ty) => {
                self.types.intern(Type::Vector { element: ty, size })
            }
            _ => ty,
        }
    }

    fn type_of_mode(&mut self, ty: TypeId, mode: &str) -> Option<TypeId> {
        if let Type::Float(_) = self.types.get(ty) {
            return match mode {
                "SF" => Some(Types::FLOAT),
                "DF" => Some(Types::DOUBLE),
                "XF" => Some(Types::LONG_DOUBLE),
                _ => None,
            };
        }
        if let Type::Complex(_) = self.types.get(ty) {
            let part = match mode {
                "SC" => Float::Float,
                "DC" => Float::Double,
                "XC" => Float::LongDouble,
                "TC" => Float::Float128,
                _ => return None,
            };
            return Some(self.types.intern(Type::Complex(part)));
        }
        let integer = self.types.as_integer(ty)?;
        let wide = if self.types.data_model == DataModel::Lp64 { Integer::Long } else { Integer::LongLong };
        let signed = match mode {
            "QI" | "byte" => Integer::SignedChar,
            "HI" => Integer::Short,
            "SI" => Integer::Int,
            "DI" => wide,
            "TI" => Integer::Int128,
            "word" | "pointer" | "unwind_word" => Integer::Long,
            _ => return None,
        };
        Some(if integer.is_signed() { signed.id() } else { signed.to_unsigned().id() })
    }
}
