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
    /// The alignment of a variable: its type's, but arrays of at least 16 bytes are aligned to 16 on x86-64 (System V
    /// ABI, section 3.1.2).
    pub fn variable_align(&self, ty: TypeId) -> u32 {
        let is_long_array = matches!(self.get(ty), Type::Array { .. }) && self.size(ty).is_none_or(|size| size >= 16);
        let align = self.align(ty);
        if is_long_array && self.data_model == DataModel::Lp64 { align.max(16) } else { align }
    }

    /// The size of a type in bytes; `None` for incomplete types, functions and variable-length arrays. `void` has size
    /// 1 (GNU).
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
            Type::Float(float) | Type::Complex(float) => match float {
                Float::Other => 2,
                Float::Float => 4,
                Float::Double => capped(8),
                Float::LongDouble => capped(16),
                Float::Float128 => 16,
            },
            Type::Pointer(_) => self.data_model.pointer_size(),
            Type::Array { element, .. } => self.align(element.ty),
            Type::Vector { size, .. } => u32::try_from(*size).unwrap_or(16).clamp(1, 64),
            Type::Record(id) => self.record(*id).definition.as_ref().map_or(1, |layout| layout.align.max(1)),
            Type::Enum(id) => self.enumeration(*id).underlying.unwrap_or(Integer::UnsignedInt).size(self.data_model),
            Type::Void | Type::Bool | Type::Function(_) | Type::Error => 1,
        }
    }

    /// The alignment of a type as a member's: on i386 atomic integers keep their natural one.
    pub fn member_align(&self, ty: Qualified) -> u32 {
        match self.get(ty.ty) {
            Type::Integer(integer) if ty.qualifiers.is_atomic => integer.size(self.data_model),
            Type::Float(Float::Double) if ty.qualifiers.is_atomic => 8,
            _ => self.align(ty.ty),
        }
    }

    /// The alignment that gcc gives an object of its own: on i386, that of 8-byte scalars is more than as a member.
    pub fn preferred_align(&self, ty: Qualified) -> u32 {
        match self.get(ty.ty) {
            Type::Array { element, .. } => self.preferred_align(*element),
            Type::Integer(integer) if integer.size(self.data_model) == 8 => 8,
            Type::Float(Float::Double) | Type::Complex(Float::Double) => 8,
            _ => self.member_align(ty),
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

/// A record being laid out. Positions are in bits from its start, wide enough for members of any size.
struct Layout<'a> {
    types: &'a Types,
    kind: RecordKind,
    attributes: RecordAttributes,
    /// The next free bit of a struct; always 0 for a union.
    bit: u128,
    /// One past the last bit taken.
    end: u128,
    align: u32,
    fields: Vec<Field>,
}

impl Layout<'_> {
    fn place(&mut self, member: &MemberToLay) {
        match member.bits {
            None => self.place_whole(member),
            Some(0) => {
                self.advance(self.type_align(member));
                self.end = self.end.max(self.bit);
            }
            Some(width) => self.place_bits(member, width),
        }
        if self.kind == RecordKind::Union {
            self.bit = 0;
        }
    }

    fn is_packed(&self, member: &MemberToLay) -> bool {
        self.attributes.is_packed || member.is_packed
    }

    /// The alignment of a member's type, attributes of the member aside.
    fn type_align(&self, member: &MemberToLay) -> u32 {
        member.type_align.unwrap_or_else(|| self.types.member_align(member.ty)).max(1)
    }

    /// An alignment under `#pragma pack`, which is stronger than the `aligned` attribute of a member.
    fn capped(&self, align: u32) -> u32 {
        self.attributes.pack.map_or(align, |pack| align.min(pack)).max(1)
    }

    fn advance(&mut self, align: u32) {
        self.bit = self.bit.next_multiple_of(8 * u128::from(align));
    }

    fn place_whole(&mut self, member: &MemberToLay) {
        let natural = if self.is_packed(member) { 1 } else { self.type_align(member) };
        let align = self.capped(member.align.map_or(natural, |align| align.max(natural)));
        let size = self.types.size(member.ty.ty).unwrap_or(0);
        self.advance(align);
        self.align = self.align.max(align);
        self.fields.push(Field { name: member.name, ty: member.ty, offset: narrow(self.bit / 8), bits: None });
        self.bit += 8 * u128::from(size);
        self.end = self.end.max(self.bit);
    }

    /// A bit-field moves to the next unit of its type's alignment if it would span more of them than its type has; not
    /// if it is packed, nor under `#pragma pack`.
    fn place_bits(&mut self, member: &MemberToLay, width: u32) {
        let type_align = self.type_align(member);
        if let Some(align) = member.align {
            self.advance(self.capped(align));
        }
        let unit = 8 * u128::from(type_align);
        let size = 8 * u128::from(self.types.size(member.ty.ty).unwrap_or(1));
        let spans_too_many = (self.bit % unit + u128::from(width)).div_ceil(unit) > size / unit;
        if spans_too_many && !self.is_packed(member) && self.attributes.pack.is_none() {
            self.advance(type_align);
        }
        if member.name.is_some() {
            let is_packed = self.is_packed(member) && self.attributes.pack.is_none();
            let of_type = if is_packed { 1 } else { self.capped(type_align) };
            let asked = self.capped(member.align.unwrap_or(1));
            self.align = self.align.max(of_type).max(asked);
            let bits = BitField { offset: narrow(self.bit), width };
            self.fields.push(Field { name: member.name, ty: member.ty, offset: bits.offset / 8, bits: Some(bits) });
        }
        self.bit += u128::from(width);
        self.end = self.end.max(self.bit);
    }

    fn finish(self) -> RecordLayout {
        let align = self.attributes.align.map_or(self.align, |align| align.max(self.align));
        let size = narrow(self.end.div_ceil(8).next_multiple_of(u128::from(align)));
        RecordLayout { fields: self.fields, size, align }
    }
}

/// A position as the layout keeps it; what does not fit is far beyond any permitted size.
fn narrow(position: u128) -> u64 {
    u64::try_from(position).unwrap_or(u64::MAX)
}
