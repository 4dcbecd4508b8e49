//! C types: interned, so that equal types have equal ids, with their sizes and layouts.
//!
//! [`Types`] is shared by all translation units of a compilation. Records and enums are nominal: each definition is its
//! own type, and [`Types::compatible`] decides across units.

pub mod arithmetic;
pub mod composite;
pub mod display;
pub mod layout;

pub use crate::syntax::ast::Integer;
use crate::syntax::ast::{Qualifiers, RecordKind};
use crate::syntax::symbol::Symbol;
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use selvedge_program::DataModel;

selvedge_program::index! {
    /// An interned type.
    TypeId, "type";
    /// A struct or union.
    RecordId, "record";
    /// An enum.
    EnumId, "enum";
    /// The length of a variable-length array: an expression evaluated where its declaration is reached, kept in a
    /// local.
    VlaId, "length";
}

/// Floating types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Float {
    /// `float`
    Float,
    /// `double`
    Double,
    /// `long double`: 80 bits, sized but not computed with
    LongDouble,
    /// `_Float128`: sized but not computed with
    Float128,
    /// `_Float16` and others: sized 2, not computed with
    Other,
}

/// A type with its qualifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Qualified {
    /// The type.
    pub ty: TypeId,
    /// Its qualifiers.
    pub qualifiers: Qualifiers,
}

impl From<TypeId> for Qualified {
    fn from(ty: TypeId) -> Self {
        Qualified { ty, qualifiers: Qualifiers::default() }
    }
}

/// The length of an array type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ArrayLength {
    /// `[n]`
    Known(u64),
    /// `[]`: incomplete, or a flexible member
    Unknown,
    /// `[n]` with n known only when the program runs
    Variable(VlaId),
}

/// A function type.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FunctionType {
    /// What it returns.
    pub result: Qualified,
    /// The parameters' types, adjusted (arrays and functions are pointers); empty if nothing is said.
    pub parameters: Vec<Qualified>,
    /// Whether more arguments may follow.
    pub is_variadic: bool,
    /// Whether the parameters are known: `f()` before C23 says nothing.
    pub has_prototype: bool,
}

/// A type.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Type {
    /// `void`
    Void,
    /// `_Bool`
    Bool,
    /// An integer type.
    Integer(Integer),
    /// A floating type.
    Float(Float),
    /// `_Complex` of a floating type: sized, not computed with
    Complex(Float),
    /// A pointer.
    Pointer(Qualified),
    /// An array.
    Array {
        /// The elements' type.
        element: Qualified,
        /// How many.
        length: ArrayLength,
    },
    /// A GNU vector: sized and aligned as a whole, not computed with
    Vector {
        /// The elements' type.
        element: TypeId,
        /// The size in bytes.
        size: u64,
    },
    /// A function.
    Function(FunctionType),
    /// A struct or union.
    Record(RecordId),
    /// An enum.
    Enum(EnumId),
    /// The type of what was in error: goes with everything, so that one mistake is reported once.
    Error,
}

/// A bit-field's place within its record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BitField {
    /// The first bit, counted from the start of the record (little-endian).
    pub offset: u64,
    /// How many bits.
    pub width: u32,
}

/// A member of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name; `None` for an anonymous struct or union (unnamed bit-fields are no fields).
    pub name: Option<Symbol>,
    /// Its type.
    pub ty: Qualified,
    /// Its first byte; for a bit-field, the byte of its first bit.
    pub offset: u64,
    /// Its bits, if it is a bit-field.
    pub bits: Option<BitField>,
}

/// A struct or union.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Which.
    pub kind: RecordKind,
    /// Its tag.
    pub tag: Option<Symbol>,
    /// What is known once it is defined.
    pub definition: Option<RecordLayout>,
}

/// The layout of a defined record.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct RecordLayout {
    /// Its members.
    pub fields: Vec<Field>,
    /// Its size in bytes.
    pub size: u64,
    /// Its alignment in bytes.
    pub align: u32,
}

/// An enum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enum {
    /// Its tag.
    pub tag: Option<Symbol>,
    /// The integer type that represents it; `None` until it is defined.
    pub underlying: Option<Integer>,
}

/// All types of a compilation.
#[derive(Clone, Debug)]
pub struct Types {
    /// The machine.
    pub data_model: DataModel,
    types: IndexSet<Type, FxBuildHasher>,
    records: Vec<Record>,
    enums: Vec<Enum>,
    vlas: u32,
}

macro_rules! basic_types {
    ($($constant:ident = $index:literal, $type:expr;)*) => {
        impl Types {
            $(#[doc = concat!("The type `", stringify!($type), "`.")] pub const $constant: TypeId = TypeId($index);)*
        }
        fn basic_types() -> Vec<Type> {
            vec![$($type),*]
        }
    };
}

basic_types! {
    VOID = 0, Type::Void;
    BOOL = 1, Type::Bool;
    CHAR = 2, Type::Integer(Integer::Char);
    SIGNED_CHAR = 3, Type::Integer(Integer::SignedChar);
    UNSIGNED_CHAR = 4, Type::Integer(Integer::UnsignedChar);
    SHORT = 5, Type::Integer(Integer::Short);
    UNSIGNED_SHORT = 6, Type::Integer(Integer::UnsignedShort);
    INT = 7, Type::Integer(Integer::Int);
    UNSIGNED_INT = 8, Type::Integer(Integer::UnsignedInt);
    LONG = 9, Type::Integer(Integer::Long);
    UNSIGNED_LONG = 10, Type::Integer(Integer::UnsignedLong);
    LONG_LONG = 11, Type::Integer(Integer::LongLong);
    UNSIGNED_LONG_LONG = 12, Type::Integer(Integer::UnsignedLongLong);
    INT128 = 13, Type::Integer(Integer::Int128);
    UNSIGNED_INT128 = 14, Type::Integer(Integer::UnsignedInt128);
    FLOAT = 15, Type::Float(Float::Float);
    DOUBLE = 16, Type::Float(Float::Double);
    LONG_DOUBLE = 17, Type::Float(Float::LongDouble);
    ERROR = 18, Type::Error;
    VOID_POINTER = 19, Type::Pointer(Qualified { ty: TypeId(0), qualifiers: NO_QUALIFIERS });
    CHAR_POINTER = 20, Type::Pointer(Qualified { ty: TypeId(2), qualifiers: NO_QUALIFIERS });
}

const NO_QUALIFIERS: Qualifiers =
    Qualifiers { is_const: false, is_volatile: false, is_restrict: false, is_atomic: false, is_unaligned: false };

impl Types {
    /// The types of a machine.
    pub fn new(data_model: DataModel) -> Self {
        let types = basic_types().into_iter().collect();
        Types { data_model, types, records: Vec::new(), enums: Vec::new(), vlas: 0 }
    }

    /// What a type is.
    pub fn get(&self, ty: TypeId) -> &Type {
        self.types.get_index(ty.index()).unwrap_or(&Type::Error)
    }

    /// The id of a type.
    pub fn intern(&mut self, ty: Type) -> TypeId {
        let position = match self.types.get_index_of(&ty) {
            Some(position) => position,
            None => self.types.insert_full(ty).0,
        };
        TypeId(u32::try_from(position).unwrap_or(Self::ERROR.0))
    }

    /// `target *`
    pub fn pointer_to(&mut self, target: impl Into<Qualified>) -> TypeId {
        let target = target.into();
        self.intern(Type::Pointer(target))
    }

    /// `element[length]`
    pub fn array_of(&mut self, element: impl Into<Qualified>, length: u64) -> TypeId {
        let element = element.into();
        self.intern(Type::Array { element, length: ArrayLength::Known(length) })
    }

    /// A new struct or union, not yet defined.
    pub fn new_record(&mut self, kind: RecordKind, tag: Option<Symbol>) -> RecordId {
        self.records.push(Record { kind, tag, definition: None });
        RecordId(self.records.len() as u32 - 1)
    }

    /// A struct or union.
    pub fn record(&self, id: RecordId) -> &Record {
        &self.records[id.index()]
    }

    /// Gives a record its members.
    pub fn define_record(&mut self, id: RecordId, layout: RecordLayout) {
        self.records[id.index()].definition = Some(layout);
    }

    /// A new enum, not yet defined.
    pub fn new_enum(&mut self, tag: Option<Symbol>) -> EnumId {
        self.enums.push(Enum { tag, underlying: None });
        EnumId(self.enums.len() as u32 - 1)
    }

    /// An enum.
    pub fn enumeration(&self, id: EnumId) -> &Enum {
        &self.enums[id.index()]
    }

    /// Gives an enum the type that represents it.
    pub fn define_enum(&mut self, id: EnumId, underlying: Integer) {
        self.enums[id.index()].underlying = Some(underlying);
    }

    /// A new variable length.
    pub fn new_vla(&mut self) -> VlaId {
        self.vlas += 1;
        VlaId(self.vlas - 1)
    }

    /// The members of a record, if it is a defined record.
    pub fn fields(&self, ty: TypeId) -> Option<&[Field]> {
        match self.get(ty) {
            Type::Record(id) => self.record(*id).definition.as_ref().map(|layout| layout.fields.as_slice()),
            _ => None,
        }
    }

    /// The integer type an integer, `_Bool` or enum type is represented by; `_Bool` counts as `unsigned char`.
    pub fn as_integer(&self, ty: TypeId) -> Option<Integer> {
        match self.get(ty) {
            Type::Integer(integer) => Some(*integer),
            Type::Bool => Some(Integer::UnsignedChar),
            Type::Enum(id) => Some(self.enumeration(*id).underlying.unwrap_or(Integer::UnsignedInt)),
            _ => None,
        }
    }

    /// Integers, `_Bool` and enums.
    pub fn is_integer(&self, ty: TypeId) -> bool {
        self.as_integer(ty).is_some()
    }

    /// Real floating types.
    pub fn is_float(&self, ty: TypeId) -> bool {
        matches!(self.get(ty), Type::Float(_))
    }

    /// Integers and floating types, complex ones included.
    pub fn is_arithmetic(&self, ty: TypeId) -> bool {
        self.is_integer(ty) || matches!(self.get(ty), Type::Float(_) | Type::Complex(_))
    }

    /// Pointers.
    pub fn is_pointer(&self, ty: TypeId) -> bool {
        matches!(self.get(ty), Type::Pointer(_))
    }

    /// Arithmetic types and pointers.
    pub fn is_scalar(&self, ty: TypeId) -> bool {
        self.is_arithmetic(ty) || self.is_pointer(ty)
    }

    /// Structs, unions, arrays, vectors and complex numbers: what lives in memory only.
    pub fn is_aggregate(&self, ty: TypeId) -> bool {
        matches!(self.get(ty), Type::Record(_) | Type::Array { .. } | Type::Vector { .. } | Type::Complex(_))
    }

    /// What a pointer points to.
    pub fn pointee(&self, ty: TypeId) -> Option<Qualified> {
        match self.get(ty) {
            Type::Pointer(target) => Some(*target),
            _ => None,
        }
    }

    /// The elements' type of an array.
    pub fn element(&self, ty: TypeId) -> Option<Qualified> {
        match self.get(ty) {
            Type::Array { element, .. } => Some(*element),
            _ => None,
        }
    }

    /// The function type of a function or of a pointer to one.
    pub fn function_type(&self, ty: TypeId) -> Option<&FunctionType> {
        match self.get(ty) {
            Type::Function(function) => Some(function),
            Type::Pointer(target) => match self.get(target.ty) {
                Type::Function(function) => Some(function),
                _ => None,
            },
            _ => None,
        }
    }

    /// `size_t`
    pub fn size_type(&self) -> TypeId {
        match self.data_model {
            DataModel::Lp64 => Self::UNSIGNED_LONG,
            DataModel::Ilp32 => Self::UNSIGNED_INT,
        }
    }

    /// `ptrdiff_t`
    pub fn difference_type(&self) -> TypeId {
        match self.data_model {
            DataModel::Lp64 => Self::LONG,
            DataModel::Ilp32 => Self::INT,
        }
    }
}
