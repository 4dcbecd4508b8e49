//! Constant expressions, evaluated on the typed tree (C11 6.6): integers, floating-point numbers, addresses of static
//! objects.
//!
//! Operands that are not evaluated (`0 && f()`) need not be constant, as compilers have it. In initialisers the value
//! of a `const` variable with a known value counts as constant too, as gcc has it.

use super::Checker;
use crate::hir::{Constant, Direction, Expr, ExprKind, GlobalId, Place, PlaceKind, Size, StaticBase, UnaryOperator};
use crate::syntax::ast::{BinaryOperator, LogicalOperator};
use crate::types::{TypeId, Types};

/// Which expressions count as constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// Only what has no variable in it.
    Strict,
    /// The values of `const` variables too.
    Initializer,
}

impl Checker<'_> {
    /// The value of an integer constant expression.
    pub(super) fn integer_constant(&self, expr: &Expr) -> Option<i128> {
        match self.evaluate(expr, Mode::Strict)? {
            Constant::Integer(number) => Some(number),
            _ => None,
        }
    }

    /// The value of any constant expression, as in an initialiser.
    pub(super) fn initializer_constant(&self, expr: &Expr) -> Option<Constant> {
        self.evaluate(expr, Mode::Initializer)
    }

    fn evaluate(&self, expr: &Expr, mode: Mode) -> Option<Constant> {
        match &expr.kind {
            ExprKind::Integer(number) => Some(Constant::Integer(*number)),
            ExprKind::Float(number) => Some(Constant::Float(*number)),
            ExprKind::FunctionAddress(id) => Some(Constant::Address(StaticBase::Function(*id), 0)),
            ExprKind::LabelAddress(label) if mode == Mode::Initializer => Some(Constant::Integer(label.address())),
            ExprKind::AddressOf(place) => self.place_address(place, mode),
            ExprKind::Load(place) if mode == Mode::Initializer => self.known_value(place),
            ExprKind::Convert(inner) => self.evaluate_conversion(inner, expr.ty, mode),
            ExprKind::Unary(op, inner) => self.evaluate_unary(*op, inner, expr.ty, mode),
            ExprKind::Binary(op, left, right) => self.evaluate_binary(*op, left, right, mode),
            ExprKind::PointerOffset { pointer, index, element, direction } => {
                let pointer = self.evaluate(pointer, mode)?;
                let Constant::Integer(index) = self.evaluate(index, mode)? else { return None };
                let bytes = index.checked_mul(i128::from(constant_size(element)?))?;
                self.moved(pointer, if *direction == Direction::Forward { bytes } else { bytes.checked_neg()? })
            }
            ExprKind::PointerDifference { left, right, element } => {
                let size = i128::from(constant_size(element)?);
                let bytes = match (self.evaluate(left, mode)?, self.evaluate(right, mode)?) {
                    (Constant::Integer(left), Constant::Integer(right)) => left.checked_sub(right)?,
                    (Constant::Address(left, m), Constant::Address(right, n)) if left == right => {
                        i128::from(m) - i128::from(n)
                    }
                    _ => return None,
                };
                bytes.checked_div(size).map(Constant::Integer)
            }
            ExprKind::Logical(op, left, right) => self.evaluate_logical(*op, left, right, mode),
            ExprKind::Conditional(condition, yes, no) => {
                let condition = self.evaluate(condition, mode)?;
                self.evaluate(if self.truth(&condition)? { yes } else { no }, mode)
            }
            ExprKind::ConditionalOmitted(condition, no) => {
                let value = self.evaluate(condition, mode)?;
                match self.truth(&value)? {
                    true => self.evaluate_conversion(condition, expr.ty, mode),
                    false => self.evaluate(no, mode),
                }
            }
            ExprKind::Comma(first, last) => {
                self.evaluate(first, mode)?;
                self.evaluate(last, mode)
            }
            ExprKind::Builtin(name, arguments) => self.evaluate_builtin(self.spell(*name), arguments, expr.ty, mode),
            _ => None,
        }
    }

    fn evaluate_builtin(&self, name: &str, arguments: &[Expr], ty: TypeId, mode: Mode) -> Option<Constant> {
        let number = match arguments.split_last()? {
            (argument, []) => match self.evaluate(argument, mode)? {
                Constant::Integer(number) => super::bits::fold(name, number, self.width(argument.ty))?,
                Constant::Float(number) => super::bits::classify(name, number, argument.ty)?,
                _ => return None,
            },
            (argument, classes @ [_, _, _, _, _]) if name == "__builtin_fpclassify" => {
                let Constant::Float(number) = self.evaluate(argument, mode)? else { return None };
                let class = super::bits::class(number, argument.ty);
                return self.evaluate(classes.get(class)?, mode);
            }
            _ => return None,
        };
        self.fold_conversion(Constant::Integer(number), ty, ty)
    }

    /// The truth of a constant; the address of what may be absent has none.
    fn truth(&self, constant: &Constant) -> Option<bool> {
        match constant {
            Constant::Integer(number) => Some(*number != 0),
            Constant::Float(number) => Some(*number != 0.0),
            Constant::Address(StaticBase::Function(id), _) if self.function_notes[id.index()].is_weak => None,
            Constant::Address(..) => Some(true),
            Constant::Bytes(_) => None,
        }
    }

    fn evaluate_conversion(&self, inner: &Expr, to: TypeId, mode: Mode) -> Option<Constant> {
        let value = self.evaluate(inner, mode)?;
        match value {
            Constant::Address(..) if to == Types::BOOL => {
                self.truth(&value).map(|truth| Constant::Integer(i128::from(truth)))
            }
            Constant::Address(..) => {
                let is_kept = self.types.is_pointer(to)
                    || self.types.is_integer(to) && self.width(to) == self.width(Types::VOID_POINTER);
                is_kept.then_some(value)
            }
            _ => self.fold_conversion(value, inner.ty, to),
        }
    }

    fn evaluate_unary(&self, op: UnaryOperator, inner: &Expr, ty: TypeId, mode: Mode) -> Option<Constant> {
        let value = self.evaluate(inner, mode)?;
        let wrap = |number: i128| {
            let integer = self.types.as_integer(ty)?;
            Some(Constant::Integer(integer.wrap(number, self.types.data_model)))
        };
        match (op, value) {
            (UnaryOperator::Not, value) => Some(Constant::Integer(i128::from(!self.truth(&value)?))),
            (UnaryOperator::Minus, Constant::Integer(number)) => wrap(number.wrapping_neg()),
            (UnaryOperator::BitNot, Constant::Integer(number)) => wrap(!number),
            (UnaryOperator::Minus, Constant::Float(number)) => Some(Constant::Float(-number)),
            _ => None,
        }
    }

    fn evaluate_binary(&self, op: BinaryOperator, left: &Expr, right: &Expr, mode: Mode) -> Option<Constant> {
        let ty = left.ty;
        match (self.evaluate(left, mode)?, self.evaluate(right, mode)?) {
            (Constant::Integer(left), Constant::Integer(right)) => {
                self.fold_integers(op, left, right, ty).map(Constant::Integer)
            }
            (Constant::Float(left), Constant::Float(right)) => self.fold_floats(op, left, right, ty),
            (Constant::Address(a, m), Constant::Address(b, n)) if a == b => match op {
                BinaryOperator::Subtract => Some(Constant::Integer(i128::from(m) - i128::from(n))),
                _ => self.fold_comparison(op, m, n),
            },
            (address @ Constant::Address(..), Constant::Integer(0))
            | (Constant::Integer(0), address @ Constant::Address(..))
                if matches!(op, BinaryOperator::Equal | BinaryOperator::NotEqual) =>
            {
                let is_null = !self.truth(&address)?;
                Some(Constant::Integer(i128::from(is_null == (op == BinaryOperator::Equal))))
            }
            (address @ Constant::Address(..), Constant::Integer(number)) => match op {
                BinaryOperator::Add => self.moved(address, number),
                BinaryOperator::Subtract => self.moved(address, number.checked_neg()?),
                _ => None,
            },
            (Constant::Integer(number), address @ Constant::Address(..)) if op == BinaryOperator::Add => {
                self.moved(address, number)
            }
            _ => None,
        }
    }

    fn fold_comparison(&self, op: BinaryOperator, left: i64, right: i64) -> Option<Constant> {
        use BinaryOperator::*;
        matches!(op, Less | Greater | LessEqual | GreaterEqual | Equal | NotEqual).then_some(())?;
        self.fold_integers(op, i128::from(left), i128::from(right), Types::LONG_LONG).map(Constant::Integer)
    }

    fn evaluate_logical(&self, op: LogicalOperator, left: &Expr, right: &Expr, mode: Mode) -> Option<Constant> {
        let left = self.evaluate(left, mode)?;
        let left = self.truth(&left)?;
        let result = match (op, left) {
            (LogicalOperator::And, false) => false,
            (LogicalOperator::Or, true) => true,
            _ => {
                let right = self.evaluate(right, mode)?;
                self.truth(&right)?
            }
        };
        Some(Constant::Integer(i128::from(result)))
    }

    /// A pointer moved by some bytes.
    fn moved(&self, pointer: Constant, bytes: i128) -> Option<Constant> {
        match pointer {
            Constant::Address(base, offset) => {
                let offset = i64::try_from(i128::from(offset).checked_add(bytes)?).ok()?;
                Some(Constant::Address(base, offset))
            }
            Constant::Integer(number) => self.fold_conversion(
                Constant::Integer(number.wrapping_add(bytes)),
                Types::VOID_POINTER,
                Types::VOID_POINTER,
            ),
            Constant::Float(_) | Constant::Bytes(_) => None,
        }
    }

    /// The address of a place, if it is constant.
    fn place_address(&self, place: &Place, mode: Mode) -> Option<Constant> {
        match &place.kind {
            PlaceKind::Global(id) if !self.unit.globals[id.index()].is_thread_local => {
                Some(Constant::Address(StaticBase::Global(*id), 0))
            }
            PlaceKind::Member { base, offset } => {
                let base = self.place_address(base, mode)?;
                self.moved(base, i128::from(*offset))
            }
            PlaceKind::Deref(pointer) => self.evaluate(pointer, mode),
            _ => None,
        }
    }

    /// The value of a `const` variable or of a static compound literal.
    fn known_value(&self, place: &Place) -> Option<Constant> {
        let (id, offset) = self.static_part(place, 0)?;
        let global = &self.unit.globals[id.index()];
        let is_literal = global.name.is_none();
        let qualifiers = place.ty.qualifiers;
        let is_known = global.is_initialized && (qualifiers.is_const || is_literal) && !qualifiers.is_volatile;
        if !is_known || place.bits.is_some() || !self.types.is_scalar(place.ty.ty) {
            return None;
        }
        let item = global.initial.iter().find(|item| item.offset == offset && item.bits.is_none());
        match item {
            Some(item) if item.ty == place.ty.ty => Some(item.value.clone()),
            _ => None,
        }
    }

    fn static_part(&self, place: &Place, offset: u64) -> Option<(GlobalId, u64)> {
        match &place.kind {
            PlaceKind::Global(id) => Some((*id, offset)),
            PlaceKind::Member { base, offset: inner } => self.static_part(base, offset.checked_add(*inner)?),
            _ => None,
        }
    }
}

fn constant_size(size: &Size) -> Option<u64> {
    size.lengths.is_empty().then_some(size.bytes)
}
