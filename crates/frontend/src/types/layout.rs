//! Sizes and layouts as gcc chooses them on x86: System V ABI for LP64, i386 for ILP32.

use super::{ArrayLength, BitField, Field, Float, Integer, Qualified, RecordLayout, Type, TypeId, Types};
use crate::syntax::ast::RecordKind;
use crate::syntax::symbol::Symbol;
use selvedge_program::DataModel;

/// A member as declared, before it has a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemberToLay {
    /// Its name.
    pub name: Option<Symbol>,
    /// Its type.
    pub ty: Qualified,
    /// The width of a bit-field; an unnamed one only takes room.
    pub bits: Option<u32>,
    /// The `aligned` attribute or `_Alignas`, in bytes.
    pub align: Option<u32>,
    /// The alignment that a typedef with an `aligned` attribute gives its type in place of the type's own.
    pub type_align: Option<u32>,
    /// The `packed` attribute on the member.
    pub is_packed: bool,
}

impl MemberToLay {
    /// A member that is no bit-field and has no attributes.
    pub fn plain(name: Option<Symbol>, ty: Qualified) -> Self {
        MemberToLay { name, ty, bits: None, align: None, type_align: None, is_packed: false }
    }
}

/// What is said about a record as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct RecordAttributes {
    /// The `packed` attribute.
    pub is_packed: bool,
    /// The `aligned` attribute, in bytes.
    pub align: Option<u32>,
    /// `#pragma pack(n)`, in bytes.
    pub pack: Option<u32>,
}

impl Types {
    /// The size of a type in bytes; `None` for incomplete types, functions and variable-length arrays. `void` has size 1 (GNU).
    pub fn size(&self, ty: TypeId) -> Option<u64> {
        match self.get(ty) {
            Type::Void | Type::Bool | Type::Error | Type::Function(_) => Some(1),
            Type::Integer(integer) => Some(u64::from(integer.size(self.data_model))),
            Type::Float(float) => Some(self.float_size(*float)),
            Type::Complex(float) => Some(2 * self.float_size(*float)),
            Type::Pointer(_) => Some(u64::from(self.data_model.pointer_size())),
            Type::Array { element, length: ArrayLength::Known(length) } => {
                self.size(element.ty)?.checked_mul(*length).filter(|size| *size <= i64::MAX as u64)
            }
            Type::Array { .. } => None,
            Type::Vector { size, .. } => Some(*size),
            Type::Record(id) => self.record(*id).definition.as_ref().map(|layout| layout.size),
            Type::Enum(id) => self.enumeration(*id).underlying.map(|integer| u64::from(integer.size(self.data_model))),
        }
    }

    /// The alignment of a type in bytes (as a struct member, which on i386 is less than what gcc prefers elsewhere).
    pub fn align(&self, ty: TypeId) -> u32 {
        let capped = |align: u32| if self.data_model == DataModel::Ilp32 { align.min(4) } else { align };
        match self.get(ty) {
            Type::Integer(integer) => capped(integer.size(self.data_model)),
            Type::Float(float) | Type::Complex(float) => capped(match float {
                Float::Float => 4,
                Float::Double => 8,
                Float::LongDouble | Float::Float128 => 16,
                Float::Other => 2,
            }),
            Type::Pointer(_) => self.data_model.pointer_size(),
            Type::Array { element, .. } => self.align(element.ty),
            Type::Vector { size, .. } => u32::try_from(*size).unwrap_or(16).clamp(1, 64),
            Type::Record(id) => self.record(*id).definition.as_ref().map_or(1, |layout| layout.align.max(1)),
            Type::Enum(id) => self.enumeration(*id).underlying.unwrap_or(Integer::UnsignedInt).size(self.data_model),
            Type::Void | Type::Bool | Type::Function(_) | Type::Error => 1,
        }
    }

    fn float_size(&self, float: Float) -> u64 {
        match (float, self.data_model) {
            (Float::Other, _) => 2,
            (Float::Float, _) => 4,
            (Float::Double, _) => 8,
            (Float::LongDouble, DataModel::Ilp32) => 12,
            (Float::LongDouble | Float::Float128, _) => 16,
        }
    }

    /// Lays out the members of a record.
    pub fn lay_out(&self, kind: RecordKind, members: &[MemberToLay], attributes: RecordAttributes) -> RecordLayout {
        let mut layout = Layout { types: self, kind, attributes, bit: 0, end: 0, align: 1, fields: Vec::new() };
        for member in members {
            layout.place(member);
        }
        layout.finish()
    }
}

/// A record being laid out. Positions are in bits from its start.
struct Layout<'a> {
    types: &'a Types,
    kind: RecordKind,
    attributes: RecordAttributes,
    /// The next free bit of a struct; always 0 for a union.
    bit: u64,
    /// One past the last bit taken.
    end: u64,
    align: u32,
    fields: Vec<Field>,
}

impl Layout<'_> {
    fn place(&mut self, member: &MemberToLay) {
        let packed = self.attributes.is_packed || member.is_packed;
        let natural = if packed { 1 } else { member.type_align.unwrap_or_else(|| self.types.align(member.ty.ty)) };
        let natural = self.attributes.pack.map_or(natural, |pack| natural.min(pack.max(1)));
        let align = member.align.map_or(natural, |align| align.max(natural));
        match member.bits {
            None => self.place_whole(member, align),
            Some(0) => {
                self.bit = self.bit.next_multiple_of(8 * u64::from(natural.max(self.zero_width_align(member))));
                self.end = self.end.max(if self.kind == RecordKind::Struct { self.bit } else { 0 });
            }
            Some(width) => self.place_bits(member, width, align, packed),
        }
        if self.kind == RecordKind::Union {
            self.bit = 0;
        }
    }

    /// `int : 0;` aligns to its type even in a packed struct.
    fn zero_width_align(&self, member: &MemberToLay) -> u32 {
        let align = self.types.align(member.ty.ty);
        self.attributes.pack.map_or(align, |pack| align.min(pack.max(1)))
    }

    fn place_whole(&mut self, member: &MemberToLay, align: u32) {
        let size = self.types.size(member.ty.ty).unwrap_or(0);
        self.bit = self.bit.next_multiple_of(8 * u64::from(align.max(1)));
        self.align = self.align.max(align);
        self.fields.push(Field { name: member.name, ty: member.ty, offset: self.bit / 8, bits: None });
        self.bit = self.bit.saturating_add(size.saturating_mul(8));
        self.end = self.end.max(self.bit);
    }

    fn place_bits(&mut self, member: &MemberToLay, width: u32, align: u32, packed: bool) {
        if let Some(align) = member.align {
            self.bit = self.bit.next_multiple_of(8 * u64::from(align));
        }
        let unit = 8 * u64::from(align.max(1));
        let size = 8 * self.types.size(member.ty.ty).unwrap_or(1);
        if !packed && (self.bit % unit + u64::from(width)).div_ceil(unit) > size / unit {
            self.bit = self.bit.next_multiple_of(unit);
        }
        if member.name.is_some() {
            self.align = self.align.max(align);
            let bits = BitField { offset: self.bit, width };
            self.fields.push(Field { name: member.name, ty: member.ty, offset: self.bit / 8, bits: Some(bits) });
        }
        self.bit += u64::from(width);
        self.end = self.end.max(self.bit);
    }

    fn finish(self) -> RecordLayout {
        let align = self.attributes.align.map_or(self.align, |align| align.max(self.align));
        let size = self.end.div_ceil(8).next_multiple_of(u64::from(align));
        RecordLayout { fields: self.fields, size, align }
    }
}
