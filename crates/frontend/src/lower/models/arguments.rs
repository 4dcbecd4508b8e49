//! What models ask of a call: arguments converted as C converts them, and common ways to answer.
//!
//! A call with fewer arguments than the function takes is undefined; so is asking for an argument that is not there.

use super::{ModelCall, Modelled};
use crate::types::{Float, Type, TypeId, Types};
use selvedge_program::{
    Action, Atomicity, Base, Callee, Conversion, Display, Expr, FloatFormat, RegisterId, Undefined,
};

impl Types {
    /// The format of a floating type that we compute with.
    pub(super) fn float_format(&self, ty: TypeId) -> Option<FloatFormat> {
        match self.get(ty) {
            Type::Float(Float::Float) => Some(FloatFormat::F32),
            Type::Float(Float::Double) => Some(FloatFormat::F64),
            _ => None,
        }
    }

    /// How to show a value of a scalar type.
    pub(super) fn display(&self, ty: TypeId) -> Display {
        match self.get(ty) {
            Type::Bool => Display::Bool,
            Type::Pointer(_) => Display::Pointer,
            Type::Float(_) => Display::Float,
            _ if self.is_signed(ty) => Display::Signed,
            _ => Display::Unsigned,
        }
    }

    /// The size of a scalar type that fits an expression: 1, 2, 4, 8 or 16 bytes.
    pub(super) fn scalar_size(&self, ty: TypeId) -> Option<u32> {
        let computable = self.is_integer(ty) || self.is_pointer(ty) || self.float_format(ty).is_some();
        self.size(ty).filter(|_| computable).and_then(|size| u32::try_from(size).ok())
    }

    /// A scalar value converted from one type to another, as C converts it; `None` for types that we do not compute
    /// with.
    pub(super) fn converted(&self, value: Expr, from: TypeId, to: TypeId) -> Option<Expr> {
        let width = 8 * self.scalar_size(to)?;
        self.scalar_size(from)?;
        Some(match (self.float_format(from), self.float_format(to)) {
            (Some(a), Some(b)) if a == b => value,
            (Some(a), Some(_)) => Expr::convert(Conversion::FloatToFloat(a), width, value),
            (Some(format), None) if matches!(self.get(to), Type::Bool) => {
                let zero = Expr::constant(value.width(), 0);
                let equal = Expr::binary(selvedge_program::BinaryOp::FloatEqual(format), value, zero);
                equal.not().resize_unsigned(width)
            }
            (Some(format), None) if self.is_signed(to) => {
                Expr::convert(Conversion::FloatToSigned(format), width, value)
            }
            (Some(format), None) => Expr::convert(Conversion::FloatToUnsigned(format), width, value),
            (None, Some(format)) if self.is_signed(from) => {
                Expr::convert(Conversion::SignedToFloat(format), width, value)
            }
            (None, Some(format)) => Expr::convert(Conversion::UnsignedToFloat(format), width, value),
            (None, None) if matches!(self.get(to), Type::Bool) => value.is_true().resize_unsigned(width),
            (None, None) if self.is_signed(from) => value.resize_signed(width),
            (None, None) => value.resize_unsigned(width),
        })
    }
}

impl ModelCall<'_, '_> {
    /// The argument converted to a scalar type.
    pub(super) fn converted(&mut self, index: usize, to: TypeId) -> Expr {
        if let Some(argument) = self.arguments.get(index)
            && let Some(value) = self.types.converted(argument.value.clone(), argument.ty, to)
        {
            return value;
        }
        self.function.require(Expr::falsehood(), Undefined::BadArgument);
        Expr::constant(self.types.scalar_size(to).map_or(8, |size| 8 * size), 0)
    }

    /// The argument as an `int`.
    pub(super) fn int(&mut self, index: usize) -> Expr {
        self.converted(index, Types::INT)
    }

    /// The argument as an `unsigned int`.
    pub(super) fn unsigned(&mut self, index: usize) -> Expr {
        self.converted(index, Types::UNSIGNED_INT)
    }

    /// The argument as a `size_t`.
    pub(super) fn size(&mut self, index: usize) -> Expr {
        self.converted(index, self.types.size_type())
    }

    /// The argument as a pointer, or as a number of a pointer's width.
    pub(super) fn pointer(&mut self, index: usize) -> Expr {
        self.converted(index, Types::VOID_POINTER)
    }

    /// The argument as it is, for a model in C that converts it.
    fn plain(&mut self, index: usize) -> Expr {
        match self.arguments.get(index) {
            Some(argument) if self.types.scalar_size(argument.ty).is_some() => argument.value.clone(),
            _ => self.pointer(index),
        }
    }

    /// The type that the argument points to, if it has a size.
    pub(super) fn pointee(&self, index: usize) -> Option<TypeId> {
        let target = self.types.pointee(self.arguments.get(index)?.ty)?;
        Some(target.ty).filter(|ty| !matches!(self.types.get(*ty), Type::Void) && self.types.size(*ty).is_some())
    }

    /// How many bytes a library function stores through a pointer argument: what the program declares, if that is 4 or
    /// 8, or what the library's own declaration says.
    pub(super) fn target_size(&self, index: usize, usual: u32) -> u32 {
        let declared = self.pointee(index).and_then(|ty| self.types.scalar_size(ty));
        declared.filter(|size| matches!(size, 4 | 8)).unwrap_or(usual)
    }

    /// Stores a number through a pointer argument, resized to what it points to.
    pub(super) fn store_through(&mut self, index: usize, usual: u32, value: Expr) {
        let size = self.target_size(index, usual);
        let address = self.pointer(index);
        self.function.store(address, size.min(self.pointer_size()), value.resize_unsigned(8 * size), Atomicity::Plain);
    }

    /// Stores a number through a pointer argument unless it is null.
    pub(super) fn store_unless_null(&mut self, index: usize, usual: u32, value: Expr) {
        let pointer = self.pointer(index);
        self.when(pointer.is_true(), |call| call.store_through(index, usual, value));
    }

    /// The size of a pointer in bytes.
    pub(super) fn pointer_size(&self) -> u32 {
        self.function.pointer_width() / 8
    }

    /// Emits edges that are taken only if a condition holds.
    pub(super) fn when(&mut self, condition: Expr, emit: impl FnOnce(&mut Self)) {
        match condition {
            Expr::Constant(bits) if bits.is_zero() => {}
            Expr::Constant(_) => emit(self),
            condition => {
                let (then, end) = (self.function.location(), self.function.location());
                self.function.branch(condition, then, end);
                self.function.stand_at(then);
                emit(self);
                self.function.jump(end);
                self.function.stand_at(end);
            }
        }
    }

    /// The function that a pointer argument names, or what it points to.
    pub(super) fn callee(&mut self, index: usize) -> Callee {
        match self.pointer(index) {
            Expr::Address(Base::Function(function), _) => Callee::Direct(function),
            pointer => Callee::Indirect(pointer),
        }
    }

    /// Calls a model in C, for its effect and for its result of a width.
    pub(super) fn call_c(&mut self, name: &'static str, arguments: Vec<Expr>, width: u32) -> Expr {
        let target = self.function.temporary(width, Display::Signed);
        let callee = Callee::Direct(self.function.program.c_model(name));
        self.function.emit(Action::Call { target: Some(target), callee, arguments });
        self.function.value(target)
    }

    /// The whole call is a call of a model in C with so many arguments.
    pub(super) fn in_c(&mut self, name: &'static str, arity: usize) -> Modelled {
        let arguments = (0..arity).map(|index| self.plain(index)).collect();
        Modelled::CallC(name, arguments)
    }

    /// A new register for an `int` that several edges may set.
    pub(super) fn status(&mut self) -> RegisterId {
        self.function.temporary(32, Display::Signed)
    }

    /// The value of an `int` register as the result.
    pub(super) fn status_result(&self, status: RegisterId) -> Modelled {
        Modelled::Value(self.function.value(status), Display::Signed)
    }

    /// Any `int` within bounds. Numbers outside stand for the lower bound, so that no execution is given up.
    pub(super) fn any_int_between(&mut self, low: i32, high: i32) -> Expr {
        use selvedge_program::BinaryOp::LessSigned;
        let value = self.function.havoc(32, Display::Signed);
        let below = Expr::binary(LessSigned, value.clone(), int(low));
        let above = Expr::binary(LessSigned, int(high), value.clone());
        self.function.hold(Expr::if_then_else(below.or(above), int(low), value), Display::Signed)
    }

    /// The function's name as programs know it, without what compilers and headers put before it.
    pub(super) fn plain_name(&self) -> &str {
        let prefixes = ["__builtin_", "__isoc99_", "__isoc23_"];
        prefixes.iter().find_map(|prefix| self.name.strip_prefix(prefix)).unwrap_or(self.name)
    }
}

/// An `int` constant.
pub(super) fn int(value: i32) -> Expr {
    Expr::signed(32, i128::from(value))
}

/// An `int` as the result.
pub(super) fn int_result(value: i32) -> Modelled {
    Modelled::Value(int(value), Display::Signed)
}

/// `condition ? then : otherwise` of `int`s.
pub(super) fn choose(condition: Expr, then: i32, otherwise: i32) -> Expr {
    Expr::if_then_else(condition, int(then), int(otherwise))
}

/// Does nothing and succeeds.
pub(super) fn succeed(_call: &mut ModelCall<'_, '_>) -> Modelled {
    int_result(0)
}

/// Does nothing.
pub(super) fn nothing(_call: &mut ModelCall<'_, '_>) -> Modelled {
    Modelled::Void
}
