//! Bit counting and byte swapping, of the argument's declared width, in a few assignments each.

use super::{ModelCall, Modelled};
use crate::types::{TypeId, Types};
use selvedge_program::{BinaryOp, Display, Expr, UnaryOp, Undefined};

/// The type that a builtin's suffix names.
fn operand_type(name: &str) -> TypeId {
    if name.ends_with("ll") {
        Types::UNSIGNED_LONG_LONG
    } else if name.ends_with('l') {
        Types::UNSIGNED_LONG
    } else {
        Types::UNSIGNED_INT
    }
}

impl ModelCall<'_, '_> {
    fn operand_of_suffix(&mut self) -> Expr {
        let value = self.converted(0, operand_type(self.name));
        self.function.hold(value, Display::Unsigned)
    }

    fn held(&mut self, value: Expr) -> Expr {
        self.function.hold(value, Display::Unsigned)
    }

    /// The number of ones: sums of neighbouring fields of 1, 2, 4, … bits.
    fn ones(&mut self, value: Expr) -> Expr {
        let width = value.width();
        let mut sum = self.held(value);
        let mut field = 1;
        while field < width {
            let mask = Expr::constant(width, field_mask(width, field));
            let low = Expr::binary(BinaryOp::And, sum.clone(), mask.clone());
            let high = Expr::binary(BinaryOp::And, shifted_right(sum, field), mask);
            sum = self.held(Expr::binary(BinaryOp::Add, low, high));
            field *= 2;
        }
        sum
    }

    /// The number of zeros above the highest one; the width if there is none.
    fn leading_zeros(&mut self, value: Expr) -> Expr {
        let width = value.width();
        let mut smeared = self.held(value);
        let mut distance = 1;
        while distance < width {
            let more = Expr::binary(BinaryOp::Or, smeared.clone(), shifted_right(smeared, distance));
            smeared = self.held(more);
            distance *= 2;
        }
        self.ones(Expr::unary(UnaryOp::Not, smeared))
    }

    /// The number of zeros below the lowest one; the width if there is none.
    fn trailing_zeros(&mut self, value: Expr) -> Expr {
        let one = Expr::constant(value.width(), 1);
        let below = Expr::binary(BinaryOp::Subtract, value.clone(), one);
        self.ones(Expr::binary(BinaryOp::And, Expr::unary(UnaryOp::Not, value), below))
    }
}

/// Alternating runs of so many ones and zeros, beginning with ones at the lowest bit.
fn field_mask(width: u32, field: u32) -> u128 {
    (0..width).filter(|bit| (bit / field).is_multiple_of(2)).fold(0, |mask, bit| mask | 1 << bit)
}

fn shifted_right(value: Expr, amount: u32) -> Expr {
    let amount = Expr::constant(value.width(), u128::from(amount));
    Expr::binary(BinaryOp::ShiftRightUnsigned, value, amount)
}

fn count(value: Expr) -> Modelled {
    Modelled::Value(value.resize_unsigned(32), Display::Signed)
}

/// `__builtin_popcount`.
pub(super) fn popcount(call: &mut ModelCall<'_, '_>) -> Modelled {
    let value = call.operand_of_suffix();
    count(call.ones(value))
}

/// `__builtin_parity`.
pub(super) fn parity(call: &mut ModelCall<'_, '_>) -> Modelled {
    let value = call.operand_of_suffix();
    let ones = call.ones(value);
    let one = Expr::constant(ones.width(), 1);
    count(Expr::binary(BinaryOp::And, ones, one))
}

/// `__builtin_clz`: undefined for zero.
pub(super) fn clz(call: &mut ModelCall<'_, '_>) -> Modelled {
    let value = call.operand_of_suffix();
    call.function.require(value.clone().is_true(), Undefined::BadArgument);
    count(call.leading_zeros(value))
}

/// `__builtin_ctz`: undefined for zero.
pub(super) fn ctz(call: &mut ModelCall<'_, '_>) -> Modelled {
    let value = call.operand_of_suffix();
    call.function.require(value.clone().is_true(), Undefined::BadArgument);
    count(call.trailing_zeros(value))
}

/// `__builtin_clrsb`: the copies of the sign below it.
pub(super) fn clrsb(call: &mut ModelCall<'_, '_>) -> Modelled {
    let value = call.operand_of_suffix();
    let width = value.width();
    let negative = Expr::binary(BinaryOp::LessSigned, value.clone(), Expr::constant(width, 0));
    let magnitude = Expr::if_then_else(negative, Expr::unary(UnaryOp::Not, value.clone()), value);
    let zeros = call.leading_zeros(magnitude);
    count(Expr::binary(BinaryOp::Subtract, zeros, Expr::constant(width, 1)))
}

/// `ffs`, `__builtin_ffs`: the position of the lowest one, counted from 1; 0 if there is none.
pub(super) fn ffs(call: &mut ModelCall<'_, '_>) -> Modelled {
    let ty = match call.name.trim_start_matches("__builtin_") {
        "ffsl" => Types::UNSIGNED_LONG,
        "ffsll" => Types::UNSIGNED_LONG_LONG,
        _ => Types::UNSIGNED_INT,
    };
    let value = call.converted(0, ty);
    let value = call.held(value);
    let position = call.trailing_zeros(value.clone()).plus(1);
    let zero = Expr::constant(value.width(), 0);
    count(Expr::if_then_else(value.is_true(), position, zero))
}

/// `__builtin_bswap16`, `32`, `64`; `htons` and the like, whose numbers in the order of networks begin with the byte that
/// ours end with.
pub(super) fn bswap(call: &mut ModelCall<'_, '_>) -> Modelled {
    let (ty, size) = match call.name {
        "__builtin_bswap16" | "htons" | "ntohs" => (Types::UNSIGNED_SHORT, 2),
        "__builtin_bswap32" | "htonl" | "ntohl" => (Types::UNSIGNED_INT, 4),
        _ => (Types::UNSIGNED_LONG_LONG, 8),
    };
    let value = call.converted(0, ty);
    let value = call.held(value);
    let width = 8 * size;
    let byte = |index: u32| {
        let low = shifted_right(value.clone(), 8 * index).resize_unsigned(8).resize_unsigned(width);
        Expr::binary(BinaryOp::ShiftLeft, low, Expr::constant(width, u128::from(width - 8 - 8 * index)))
    };
    let swapped = (1..size).fold(byte(0), |sum, index| Expr::binary(BinaryOp::Or, sum, byte(index)));
    Modelled::Value(swapped, Display::Unsigned)
}
