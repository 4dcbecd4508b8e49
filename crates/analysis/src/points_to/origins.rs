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

/// What a pointer is that was multiplied or shifted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Products {
    /// None any more: the concrete semantics goes no further there.
    #[default]
    Numbers,
    /// It may become one again, on a machine. What is multiplied by the size of an element and added to something else
    /// is an index all the same.
    Pointers,
}

/// Where the pointers of an expression of a function come from, each with what is added on the way. It is asked which
/// registers may hold pointers: what is an index of one is none.
pub fn origins(
    function: FunctionId,
    value: &Expr,
    products: Products,
    may_hold_pointer: &dyn Fn(RegisterId) -> bool,
) -> Vec<(Origin, Move)> {
    let mut found = Vec::new();
    collect((function, products, may_hold_pointer), value, Move::NONE, &mut found);
    found
}

type Here<'a> = (FunctionId, Products, &'a dyn Fn(RegisterId) -> bool);

fn collect(at: Here<'_>, value: &Expr, movement: Move, found: &mut Vec<(Origin, Move)>) {
    let (function, products, may_hold_pointer) = at;
    let is_index = |number: &Expr, to: &Expr| {
        products == Products::Pointers && is_product(number) && may_be_pointer(to, may_hold_pointer)
    };
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
            collect(at, operand, movement.then(Move::ANYWHERE), found);
        }
        Expr::Unary(UnaryOp::FloatNegate(_), operand) if products == Products::Pointers => {
            collect(at, operand, movement.then(Move::ANYWHERE), found);
        }
        Expr::Unary(..) => {}
        Expr::Binary(op, _, _) if op.is_comparison() => {}
        Expr::Binary(op @ (BinaryOp::Add | BinaryOp::Subtract), left, right) => {
            let sign = if *op == BinaryOp::Add { 1 } else { -1 };
            if *op == BinaryOp::Subtract || !is_index(left, right) {
                collect(at, left, movement.then(step(right, sign)), found);
            }
            if !is_index(right, left) {
                let right_step = if *op == BinaryOp::Add { step(left, 1) } else { Move::ANYWHERE };
                collect(at, right, movement.then(right_step), found);
            }
        }
        Expr::Binary(BinaryOp::Multiply | BinaryOp::ShiftLeft, ..) if products == Products::Numbers => {}
        Expr::Binary(_, left, right) => {
            collect(at, left, movement.then(Move::ANYWHERE), found);
            collect(at, right, movement.then(Move::ANYWHERE), found);
        }
        Expr::Convert(_, _, operand) => collect(at, operand, movement, found),
        Expr::IfThenElse(_, then, otherwise) => {
            collect(at, then, movement, found);
            collect(at, otherwise, movement, found);
        }
    }
}

/// The largest element of an array whose index is taken for one.
const LARGEST_ELEMENT: u128 = 1 << 15;

/// Whether a number is an index times the size of an element.
fn is_product(number: &Expr) -> bool {
    let is_size =
        |size: &Expr| matches!(size, Expr::Constant(bits) if (2..=LARGEST_ELEMENT).contains(&bits.unsigned()));
    matches!(number, Expr::Binary(BinaryOp::Multiply, left, right) if is_size(left) || is_size(right))
}

/// Whether a value may be a pointer that no number was multiplied with.
fn may_be_pointer(value: &Expr, may_hold_pointer: &dyn Fn(RegisterId) -> bool) -> bool {
    match value {
        Expr::Address(..) => true,
        Expr::Register(register, _) => may_hold_pointer(*register),
        Expr::Binary(BinaryOp::Add, left, right) => {
            let one = |part: &Expr| !is_product(part) && may_be_pointer(part, may_hold_pointer);
            one(left) || one(right)
        }
        Expr::Binary(BinaryOp::Subtract, left, _) => may_be_pointer(left, may_hold_pointer),
        Expr::Constant(_) | Expr::Unary(..) | Expr::Binary(..) | Expr::Convert(..) | Expr::IfThenElse(..) => false,
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
