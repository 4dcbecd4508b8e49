//! Integer types: widths, signs, promotions, the usual arithmetic conversions, compatibility (C11 6.3.1, 6.2.7).

use super::{ArrayLength, Field, Float, FunctionType, Integer, Qualified, RecordLayout, Type, TypeId, Types};
use selvedge_program::DataModel;

impl Integer {
    /// Whether it has a sign.
    pub fn is_signed(self) -> bool {
        use Integer::*;
        matches!(self, Char | SignedChar | Short | Int | Long | LongLong | Int128)
    }

    /// The size in bytes.
    pub fn size(self, data_model: DataModel) -> u32 {
        use Integer::*;
        match self {
            Char | SignedChar | UnsignedChar => 1,
            Short | UnsignedShort => 2,
            Int | UnsignedInt => 4,
            Long | UnsignedLong => data_model.pointer_size(),
            LongLong | UnsignedLongLong => 8,
            Int128 | UnsignedInt128 => 16,
        }
    }

    /// The width in bits.
    pub fn width(self, data_model: DataModel) -> u32 {
        8 * self.size(data_model)
    }

    /// The conversion rank.
    pub fn rank(self) -> u32 {
        use Integer::*;
        match self {
            Char | SignedChar | UnsignedChar => 1,
            Short | UnsignedShort => 2,
            Int | UnsignedInt => 3,
            Long | UnsignedLong => 4,
            LongLong | UnsignedLongLong => 5,
            Int128 | UnsignedInt128 => 6,
        }
    }

    /// The unsigned type of the same rank.
    pub fn to_unsigned(self) -> Integer {
        use Integer::*;
        match self {
            Char | SignedChar | UnsignedChar => UnsignedChar,
            Short | UnsignedShort => UnsignedShort,
            Int | UnsignedInt => UnsignedInt,
            Long | UnsignedLong => UnsignedLong,
            LongLong | UnsignedLongLong => UnsignedLongLong,
            Int128 | UnsignedInt128 => UnsignedInt128,
        }
    }

    /// The type's id.
    pub fn id(self) -> TypeId {
        use Integer::*;
        match self {
            Char => Types::CHAR,
            SignedChar => Types::SIGNED_CHAR,
            UnsignedChar => Types::UNSIGNED_CHAR,
            Short => Types::SHORT,
            UnsignedShort => Types::UNSIGNED_SHORT,
            Int => Types::INT,
            UnsignedInt => Types::UNSIGNED_INT,
            Long => Types::LONG,
            UnsignedLong => Types::UNSIGNED_LONG,
            LongLong => Types::LONG_LONG,
            UnsignedLongLong => Types::UNSIGNED_LONG_LONG,
            Int128 => Types::INT128,
            UnsignedInt128 => Types::UNSIGNED_INT128,
        }
    }

    /// A number reduced to the type's range, as C's conversion does.
    pub fn wrap(self, value: i128, data_model: DataModel) -> i128 {
        let shift = 128 - self.width(data_model);
        if self.is_signed() { (value << shift) >> shift } else { (((value as u128) << shift) >> shift) as i128 }
    }
}

impl Types {
    /// Whether an integer-like or pointer type is signed; pointers are not.
    pub fn is_signed(&self, ty: TypeId) -> bool {
        self.as_integer(ty).is_some_and(Integer::is_signed)
    }

    /// The integer promotions (not of bit-fields: see [`Types::promote_bits`]).
    pub fn promote(&self, ty: TypeId) -> TypeId {
        match self.as_integer(ty) {
            Some(integer) if integer.rank() < Integer::Int.rank() => Types::INT,
            Some(integer) => integer.id(),
            None => ty,
        }
    }

    /// The promoted type of a bit-field of a width: `int` if that holds all its values.
    pub fn promote_bits(&self, ty: TypeId, width: u32) -> TypeId {
        match self.as_integer(ty) {
            Some(integer) if width < 32 || (width == 32 && integer.is_signed()) => Types::INT,
            Some(_) if width == 32 => Types::UNSIGNED_INT,
            _ => self.promote(ty),
        }
    }

    /// The common type of the usual arithmetic conversions; `Error` unless both are arithmetic.
    pub fn usual_conversions(&self, left: TypeId, right: TypeId) -> TypeId {
        match (self.get(left), self.get(right)) {
            (Type::Error, _) | (_, Type::Error) => Types::ERROR,
            (Type::Float(a), Type::Float(b)) => {
                if a.rank() >= b.rank() {
                    left
                } else {
                    right
                }
            }
            (Type::Complex(_), _) => left,
            (_, Type::Complex(_)) => right,
            (Type::Float(_), _) if self.is_integer(right) => left,
            (_, Type::Float(_)) if self.is_integer(left) => right,
            _ => match (self.as_integer(self.promote(left)), self.as_integer(self.promote(right))) {
                (Some(a), Some(b)) => self.common_integer(a, b).id(),
                _ => Types::ERROR,
            },
        }
    }

    fn common_integer(&self, a: Integer, b: Integer) -> Integer {
        if a.is_signed() == b.is_signed() {
            return if a.rank() >= b.rank() { a } else { b };
        }
        let (signed, unsigned) = if a.is_signed() { (a, b) } else { (b, a) };
        if unsigned.rank() >= signed.rank() {
            unsigned
        } else if signed.width(self.data_model) > unsigned.width(self.data_model) {
            signed
        } else {
            signed.to_unsigned()
        }
    }

    /// Whether two types are compatible (6.2.7), top-level qualifiers apart. Records of different units are compatible
    /// when their tags and sizes agree.
    pub fn compatible(&self, left: TypeId, right: TypeId) -> bool {
        self.agree(left, right, Units::One)
    }

    /// Whether types of different units are: structs, unions and enums without a tag are by their members.
    pub fn compatible_between_units(&self, left: TypeId, right: TypeId) -> bool {
        self.agree(left, right, Units::Two)
    }

    fn agree(&self, left: TypeId, right: TypeId, units: Units) -> bool {
        if left == right {
            return true;
        }
        match (self.get(left), self.get(right)) {
            (Type::Error, _) | (_, Type::Error) => true,
            (Type::Pointer(a), Type::Pointer(b)) => self.agree_qualified(*a, *b, units),
            (Type::Array { element: a, length: m }, Type::Array { element: b, length: n }) => {
                let lengths = match (m, n) {
                    (ArrayLength::Known(m), ArrayLength::Known(n)) => m == n,
                    _ => true,
                };
                lengths && self.agree_qualified(*a, *b, units)
            }
            (Type::Function(a), Type::Function(b)) => self.agree_functions(a, b, units),
            (Type::Enum(a), Type::Enum(b)) if units == Units::Two => {
                let (a, b) = (self.enumeration(*a), self.enumeration(*b));
                a.tag == b.tag && (a.underlying == b.underlying || a.underlying.is_none() || b.underlying.is_none())
            }
            (Type::Enum(a), other) => Some(other) == self.enumeration(*a).underlying.map(Type::Integer).as_ref(),
            (other, Type::Enum(b)) => Some(other) == self.enumeration(*b).underlying.map(Type::Integer).as_ref(),
            (Type::Record(a), Type::Record(b)) => {
                let (a, b) = (self.record(*a), self.record(*b));
                let layouts = match (&a.definition, &b.definition) {
                    (Some(a), Some(b)) => a.size == b.size && (units == Units::One || has_same_members(a, b)),
                    _ => true,
                };
                a.kind == b.kind && a.tag == b.tag && (a.tag.is_some() || units == Units::Two) && layouts
            }
            _ => false,
        }
    }

    fn agree_qualified(&self, left: Qualified, right: Qualified, units: Units) -> bool {
        left.qualifiers.standard() == right.qualifiers.standard() && self.agree(left.ty, right.ty, units)
    }

    fn agree_functions(&self, a: &FunctionType, b: &FunctionType, units: Units) -> bool {
        if !self.agree(a.result.ty, b.result.ty, units) {
            return false;
        }
        if !a.has_prototype || !b.has_prototype {
            return true;
        }
        a.is_variadic == b.is_variadic
            && a.parameters.len() == b.parameters.len()
            && a.parameters.iter().zip(&b.parameters).all(|(a, b)| self.agree(a.ty, b.ty, units))
    }
}

/// Whether two types are of one translation unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Units {
    One,
    Two,
}

fn has_same_members(left: &RecordLayout, right: &RecordLayout) -> bool {
    let place = |field: &Field| (field.name, field.offset, field.bits);
    left.fields.iter().map(place).eq(right.fields.iter().map(place))
}

impl Float {
    /// The conversion rank.
    pub fn rank(self) -> u32 {
        match self {
            Float::Other => 0,
            Float::Float => 1,
            Float::Double => 2,
            Float::LongDouble => 3,
            Float::Float128 => 4,
        }
    }
}
