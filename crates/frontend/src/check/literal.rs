//! Literals: numbers with the types C gives them (C11 6.4.4.1), characters, strings, `__func__`.

use super::Checker;
use super::place::Operand;
use crate::hir::{Constant, Expr, ExprKind, GlobalId, Linkage, Place, PlaceKind, StaticItem};
use crate::syntax::ast::{Encoding, FloatSuffix, IntegerSuffix, Qualifiers, Span};
use crate::types::{Float, Integer, Qualified, Type, TypeId, Types};
use selvedge_program::DataModel;

impl Checker<'_> {
    /// An integer constant.
    pub(super) fn integer_literal(&mut self, value: u128, suffix: IntegerSuffix, is_decimal: bool, span: Span) -> Expr {
        if suffix.is_imaginary {
            let ty = self.types.intern(Type::Complex(Float::Double));
            return Expr { kind: ExprKind::Unsupported("complex arithmetic".to_owned()), ty, span };
        }
        let ty = self.integer_literal_type(value, suffix, is_decimal);
        Expr { kind: ExprKind::Integer(value as i128), ty, span }
    }

    fn integer_literal_type(&self, value: u128, suffix: IntegerSuffix, is_decimal: bool) -> TypeId {
        let signed = [Integer::Int, Integer::Long, Integer::LongLong, Integer::Int128];
        for integer in signed.into_iter().skip(usize::from(suffix.longs)) {
            let width = integer.width(self.types.data_model);
            if !suffix.is_unsigned && value >> (width - 1) == 0 {
                return integer.id();
            }
            let may_be_unsigned = suffix.is_unsigned || !is_decimal;
            if may_be_unsigned && (width == 128 || value >> width == 0) {
                return integer.to_unsigned().id();
            }
        }
        Types::UNSIGNED_INT128
    }

    /// A floating constant.
    pub(super) fn float_literal(&mut self, value: f64, suffix: FloatSuffix, span: Span) -> Expr {
        let (value, ty) = match suffix {
            FloatSuffix::Double => (value, Types::DOUBLE),
            FloatSuffix::Float => (f64::from(value as f32), Types::FLOAT),
            FloatSuffix::LongDouble => (value, Types::LONG_DOUBLE),
            FloatSuffix::Other => {
                let ty = self.types.intern(Type::Float(Float::Float128));
                let what = "a floating constant with an unusual suffix".to_owned();
                return Expr { kind: ExprKind::Unsupported(what), ty, span };
            }
        };
        Expr { kind: ExprKind::Float(value), ty, span }
    }

    /// A character constant.
    pub(super) fn character_literal(&self, value: i64, encoding: Encoding, span: Span) -> Expr {
        let ty = match encoding {
            Encoding::Plain => Types::INT,
            Encoding::Utf8 => Types::UNSIGNED_CHAR,
            _ => self.character_type(encoding),
        };
        Expr { kind: ExprKind::Integer(i128::from(value)), ty, span }
    }

    /// The element type of a string literal.
    pub(super) fn character_type(&self, encoding: Encoding) -> TypeId {
        match (encoding, self.types.data_model) {
            (Encoding::Plain | Encoding::Utf8, _) => Types::CHAR,
            (Encoding::Utf16, _) => Types::UNSIGNED_SHORT,
            (Encoding::Utf32, _) => Types::UNSIGNED_INT,
            (Encoding::Wide, DataModel::Lp64) => Types::INT,
            (Encoding::Wide, DataModel::Ilp32) => Types::LONG,
        }
    }

    /// A string literal: an array with static storage, shared by equal literals of the unit.
    pub(super) fn string_literal(&mut self, units: &[u32], encoding: Encoding, span: Span) -> Operand {
        let element = self.character_type(encoding);
        let key = (element, units.to_vec());
        let id = match self.strings.get(&key) {
            Some(id) => *id,
            None => {
                let id = self.string_global(units, element.into(), span);
                self.strings.insert(key, id);
                id
            }
        };
        let ty = self.unit.globals[id.index()].ty;
        Operand::Place(Place { kind: PlaceKind::Global(id), ty, bits: None, span })
    }

    fn string_global(&mut self, units: &[u32], element: Qualified, span: Span) -> GlobalId {
        let ty = self.types.array_of(element, units.len() as u64 + 1);
        let id = self.new_global(None, ty.into(), Linkage::Internal, span);
        let initial = self.string_items(units, element.ty, units.len() as u64 + 1);
        let global = &mut self.unit.globals[id.index()];
        global.is_defined = true;
        global.is_initialized = true;
        global.is_string_literal = true;
        global.initial = initial;
        id
    }

    /// The initial values of an array of `length` characters that a string fills; its zero is written where it fits.
    pub(super) fn string_items(&self, units: &[u32], element: TypeId, length: u64) -> Vec<StaticItem> {
        let size = self.types.size(element).unwrap_or(1);
        let units = units.iter().copied().chain([0]).take(usize::try_from(length).unwrap_or(usize::MAX));
        if size == 1 {
            let bytes: Vec<u8> = units.map(|unit| unit as u8).collect();
            return vec![StaticItem { offset: 0, ty: element, bits: None, value: Constant::Bytes(bytes) }];
        }
        units
            .enumerate()
            .map(|(position, unit)| {
                let value = match self.types.as_integer(element) {
                    Some(integer) => integer.wrap(i128::from(unit), self.types.data_model),
                    None => i128::from(unit),
                };
                let offset = position as u64 * size;
                StaticItem { offset, ty: element, bits: None, value: Constant::Integer(value) }
            })
            .collect()
    }

    /// `__func__` and its likes: the name of the current function, as a static array.
    pub(super) fn function_name(&mut self, span: Span) -> Operand {
        let known = self.function.as_ref().and_then(|function| function.name_string);
        let id = match known {
            Some(id) => id,
            None => {
                let name =
                    self.function.as_ref().map_or(String::new(), |function| self.spell(function.name).to_owned());
                let units: Vec<u32> = name.bytes().map(u32::from).collect();
                let qualifiers = Qualifiers { is_const: true, ..Qualifiers::default() };
                let id = self.string_global(&units, Qualified { ty: Types::CHAR, qualifiers }, span);
                self.unit.globals[id.index()].name = Some(self.names.intern("__func__"));
                if let Some(function) = &mut self.function {
                    function.name_string = Some(id);
                    self.unit.globals[id.index()].owner = Some(function.id);
                }
                id
            }
        };
        let ty = self.unit.globals[id.index()].ty;
        Operand::Place(Place { kind: PlaceKind::Global(id), ty, bits: None, span })
    }
}
