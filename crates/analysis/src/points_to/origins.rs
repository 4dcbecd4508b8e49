//! Where the pointers in the value of an expression come from.

use super::offset::gcd;
use super::sets::Move;
use super::{AbstractObject, Offset, Target};
use selvedge_program::{Base, BinaryOp, Expr, FunctionId, RegisterId, UnaryOp};

/// Where pointers of an expression come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// From a register of the function.
    Register(RegisterId),
    /// It is this very one.
    Target(Target),
}

/// Where the pointers of an expression of a function come from, each with what is added on the way.
pub fn origins(function: FunctionId, value: &Expr) -> Vec<(Origin, Move)> {
    let mut found = Vec::new();
    collect(function, value, Move::NONE, &mut found);
    found
}

fn collect(function: FunctionId, value: &Expr, movement: Move, found: &mut Vec<(Origin, Move)>) {
    match value {
        Expr::Constant(_) => {}
        Expr::Register(register, _) => found.push((Origin::Register(*register), movement)),
        Expr::Address(base, _) => {
            let object = match base {
                Base::Object(object) => AbstractObject::Static(*object),
                Base::Frame(frame) => AbstractObject::Frame(function, *frame),
                Base::Function(callee) => AbstractObject::Function(*callee),
                Base::SelfThread => AbstractObject::Thread,
            };
            found.push((Origin::Target(Target { object, offset: Offset::ZERO }), movement));
        }
        Expr::Unary(UnaryOp::Negate | UnaryOp::Not | UnaryOp::StartOf, operand) if operand.width() > 1 => {
            collect(function, operand, movement.then(Move::ANYWHERE), found);
        }
        Expr::Unary(..) => {}
        Expr::Binary(op, _, _) if op.is_comparison() => {}
        Expr::Binary(op @ (BinaryOp::Add | BinaryOp::Subtract), left, right) => {
            let sign = if *op == BinaryOp::Add { 1 } else { -1 };
            collect(function, left, movement.then(step(right, sign)), found);
            let right_step = if *op == BinaryOp::Add { step(left, 1) } else { Move::ANYWHERE };
            collect(function, right, movement.then(right_step), found);
        }
        Expr::Binary(BinaryOp::Multiply | BinaryOp::ShiftLeft, ..) => {}
        Expr::Binary(_, left, right) => {
            collect(function, left, movement.then(Move::ANYWHERE), found);
            collect(function, right, movement.then(Move::ANYWHERE), found);
        }
        Expr::Convert(_, _, operand) => collect(function, operand, movement, found),
        Expr::IfThenElse(_, then, otherwise) => {
            collect(function, then, movement, found);
            collect(function, otherwise, movement, found);
        }
    }
}

/// How adding (or subtracting) a value that is no pointer moves a pointer.
fn step(value: &Expr, sign: i64) -> Move {
    match value {
        Expr::Constant(bits) => {
            let distance = i64::try_from(bits.as_signed()).unwrap_or(0);
            Move { distance: distance.wrapping_mul(sign), factor: 0 }
        }
        value => Move { distance: 0, factor: factor(value) },
    }
}

/// A number of which every value of an expression is a multiple; 0 if it is always zero. What wraps around is a multiple
/// only of the powers of two among its divisors.
///
/// Taking the maximum of this and 1 on the way out of each call looks harmless, but rustc 1.95 makes an accumulator
/// of it and then leaves out the test for zero in [`gcd`], from opt-level 2 on.
fn factor(value: &Expr) -> u64 {
    let exact = match value {
        Expr::Constant(bits) => return u64::try_from(bits.as_signed().unsigned_abs()).unwrap_or(1),
        Expr::Binary(BinaryOp::Multiply, left, right) => match (left.as_ref(), right.as_ref()) {
            (constant @ Expr::Constant(_), _) | (_, constant @ Expr::Constant(_)) => factor(constant),
            _ => 1,
        },
        Expr::Binary(BinaryOp::ShiftLeft, _, amount) => match amount.as_ref() {
            Expr::Constant(bits) => return 1u64.checked_shl(u32::try_from(bits.unsigned()).unwrap_or(0)).unwrap_or(1),
            _ => 1,
        },
        Expr::Binary(BinaryOp::Add | BinaryOp::Subtract, left, right) => gcd(factor(left), factor(right)),
        Expr::IfThenElse(_, then, otherwise) => return gcd(factor(then), factor(otherwise)),
        _ => 1,
    };
    if value.may_wrap() { exact & exact.wrapping_neg() } else { exact }
}
