//! Arithmetic on constants, as the target machine does it.

use super::Checker;
use crate::hir::Constant;
use crate::syntax::ast::BinaryOperator;
use crate::types::{Float, Integer, Type, TypeId, Types};

impl Checker<'_> {
    /// A number constant converted to a scalar type; `None` if that is not possible at compile time.
    pub(super) fn fold_conversion(&self, constant: Constant, from: TypeId, to: TypeId) -> Option<Constant> {
        let data_model = self.types.data_model;
        match (constant, self.types.get(to)) {
            (Constant::Integer(number), Type::Bool) => Some(Constant::Integer(i128::from(number != 0))),
            (Constant::Float(number), Type::Bool) => Some(Constant::Integer(i128::from(number != 0.0))),
            (Constant::Integer(number), Type::Pointer(_)) => {
                // A pointer is as wide as `unsigned long` in both data models.
                let number = match self.types.as_integer(from) {
                    Some(integer) => integer.wrap(number, data_model),
                    None => number,
                };
                Some(Constant::Integer(Integer::UnsignedLong.wrap(number, data_model)))
            }
            (Constant::Integer(number), Type::Float(float)) => {
                let is_large = self.types.as_integer(from) == Some(Integer::UnsignedInt128);
                let wide = if is_large { number as u128 as f64 } else { number as f64 };
                let narrow = if is_large { number as u128 as f32 } else { number as f32 };
                Some(Constant::Float(if *float == Float::Float { f64::from(narrow) } else { wide }))
            }
            (Constant::Float(number), Type::Float(float)) => Some(Constant::Float(round(number, *float))),
            (Constant::Integer(number), _) => {
                let integer = self.types.as_integer(to)?;
                Some(Constant::Integer(integer.wrap(number, data_model)))
            }
            (Constant::Float(number), _) => {
                let integer = self.types.as_integer(to)?;
                self.float_to_integer(number, integer).map(Constant::Integer)
            }
            _ => None,
        }
    }

    /// The integer part of a number; out of range it is undefined, and so no constant.
    fn float_to_integer(&self, number: f64, integer: Integer) -> Option<i128> {
        let whole = number.trunc();
        if !whole.is_finite() {
            return None;
        }
        let value = if integer == Integer::UnsignedInt128 { whole as u128 as i128 } else { whole as i128 };
        (integer.wrap(value, self.types.data_model) == value).then_some(value)
    }

    /// An infix operator on integers of a type (for shifts, the left operand's). `None` where the machine would trap.
    pub(super) fn fold_integers(&self, op: BinaryOperator, left: i128, right: i128, ty: TypeId) -> Option<i128> {
        use BinaryOperator::*;
        let is_signed = self.types.is_signed(ty);
        let order = if is_signed { left.cmp(&right) } else { (left as u128).cmp(&(right as u128)) };
        let truth = |holds: bool| Some(i128::from(holds));
        match op {
            Less => return truth(order.is_lt()),
            Greater => return truth(order.is_gt()),
            LessEqual => return truth(order.is_le()),
            GreaterEqual => return truth(order.is_ge()),
            Equal => return truth(order.is_eq()),
            NotEqual => return truth(order.is_ne()),
            _ => {}
        }
        let integer = self.types.as_integer(ty).unwrap_or(Integer::UnsignedLong);
        let width = integer.width(self.types.data_model);
        let result = match op {
            Multiply => left.wrapping_mul(right),
            Add => left.wrapping_add(right),
            Subtract => left.wrapping_sub(right),
            Divide if is_signed => left.checked_div(right)?,
            Divide => (left as u128).checked_div(right as u128)? as i128,
            Remainder if is_signed => left.checked_rem(right)?,
            Remainder => (left as u128).checked_rem(right as u128)? as i128,
            ShiftLeft | ShiftRight if !(0..i128::from(width)).contains(&right) => 0,
            ShiftLeft => left.wrapping_shl(right as u32),
            ShiftRight if is_signed => left.wrapping_shr(right as u32),
            ShiftRight => (left as u128).wrapping_shr(right as u32) as i128,
            BitAnd => left & right,
            BitXor => left ^ right,
            BitOr => left | right,
            Less | Greater | LessEqual | GreaterEqual | Equal | NotEqual => return None,
        };
        Some(integer.wrap(result, self.types.data_model))
    }

    /// An infix operator on floating-point numbers of a type.
    pub(super) fn fold_floats(&self, op: BinaryOperator, left: f64, right: f64, ty: TypeId) -> Option<Constant> {
        use BinaryOperator::*;
        let number = |value: f64| match self.types.get(ty) {
            Type::Float(float) => Some(Constant::Float(round(value, *float))),
            _ => None,
        };
        let truth = |holds: bool| Some(Constant::Integer(i128::from(holds)));
        match op {
            Multiply => number(left * right),
            Divide => number(left / right),
            Add => number(left + right),
            Subtract => number(left - right),
            Less => truth(left < right),
            Greater => truth(left > right),
            LessEqual => truth(left <= right),
            GreaterEqual => truth(left >= right),
            Equal => truth(left == right),
            NotEqual => truth(left != right),
            Remainder | ShiftLeft | ShiftRight | BitAnd | BitXor | BitOr => None,
        }
    }

    /// The width of an integer or pointer type in bits.
    pub(super) fn width(&self, ty: TypeId) -> u32 {
        let data_model = self.types.data_model;
        match self.types.as_integer(ty) {
            Some(_) if ty == Types::BOOL => 1,
            Some(integer) => integer.width(data_model),
            None => 8 * data_model.pointer_size(),
        }
    }
}

/// A number rounded to a floating type.
fn round(number: f64, float: Float) -> f64 {
    if float == Float::Float { f64::from(number as f32) } else { number }
}
