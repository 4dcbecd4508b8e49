//! Where values that come out of nothing go, and whether they meet an address there.
//!
//! A number that is chosen (a time, what a user types) may happen to be the address of an object. A program that uses it
//! as one is undefined if it is none, and nothing but a comparison with the address shows which it is. So where chosen
//! values and addresses never come together in a comparison, not even through what is computed with them, a chosen value
//! that is used as an address may as well be none.
//!
//! They come together where one side of a comparison, a difference or another operation may have been chosen, and the
//! other side may be an address. What may be either, by what is known without paths, and is compared with a constant, does not
//! show which address it is; and a sum of both shows nothing, as long as no address was made negative.

use super::{AbstractObject, PointsTo};
use selvedge_program::{Action, BinaryOp, Budget, Exhausted, Expr, FunctionId, Program, SiteId, UnaryOp};

/// The object that stands for all chosen values: no site allocates it.
pub(super) fn object(program: &Program) -> AbstractObject {
    AbstractObject::Site(SiteId::new(program.sites.len()))
}

/// Whether any value is chosen that may be an address.
pub(super) fn may_be_chosen(program: &Program) -> bool {
    program.functions.iter().any(|function| {
        let is_chosen =
            |action: &Action| matches!(action, Action::Havoc { target } if function.register(*target).may_be_address);
        function.edges.iter().any(|edge| is_chosen(&edge.action))
    })
}

/// Whether something is computed of what was chosen and of an address, by what pointers may point to if [`object`] is what
/// chosen values point to.
pub(super) fn is_compared(program: &Program, points_to: &PointsTo, budget: &Budget) -> Result<bool, Exhausted> {
    let nothing = object(program);
    for (index, function) in program.functions.iter().enumerate() {
        budget.check()?;
        let looked = Looked { points_to, function: FunctionId::new(index), nothing, width: program.pointer_width() };
        for edge in &function.edges {
            // What is required is undefined where it does not hold, whatever it is compared with.
            if matches!(edge.action, Action::Require { .. }) {
                continue;
            }
            let mut is_found = false;
            edge.action.for_each_expression(&mut |value| is_found = is_found || meets(looked, value));
            if is_found {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// Where one looks, and for what: addresses are so wide.
#[derive(Clone, Copy, Debug)]
struct Looked<'a> {
    points_to: &'a PointsTo,
    function: FunctionId,
    nothing: AbstractObject,
    width: u32,
}

/// What a value may be.
#[derive(Clone, Copy, Debug, Default)]
struct Kinds {
    is_chosen: bool,
    is_address: bool,
}

/// Whether something within an expression is computed of both.
fn meets(looked: Looked<'_>, value: &Expr) -> bool {
    let within = |part: &Expr| meets(looked, part);
    let kinds = |part: &Expr| kinds(looked, part);
    match value {
        // A sum says nothing of either, unless an address in it was made negative.
        Expr::Binary(BinaryOp::Add, left, right) => within(left) || within(right),
        // No address is a floating-point number.
        Expr::Binary(op, left, right) if op.float_format().is_some() => within(left) || within(right),
        Expr::Binary(op, left, right) => {
            let (one, other) = (kinds(left), kinds(right));
            let is_negated = match op {
                BinaryOp::Multiply => is_negative(left) || is_negative(right),
                BinaryOp::Subtract => matches!(**left, Expr::Constant(_)),
                _ => false,
            };
            one.is_chosen && other.is_address
                || one.is_address && other.is_chosen
                || is_negated && (one.is_address || other.is_address)
                || within(left)
                || within(right)
        }
        Expr::Unary(UnaryOp::Negate | UnaryOp::Not, operand) => kinds(operand).is_address || within(operand),
        Expr::Unary(_, operand) | Expr::Convert(_, _, operand) => within(operand),
        Expr::IfThenElse(condition, then, otherwise) => within(condition) || within(then) || within(otherwise),
        Expr::Constant(_) | Expr::Register(..) | Expr::Address(..) => false,
    }
}

/// What a value may be that is as wide as an address, or part of one that is.
fn kinds(looked: Looked<'_>, value: &Expr) -> Kinds {
    let Looked { points_to, function, nothing, width } = looked;
    let within = |part: &Expr| kinds(looked, part);
    match value {
        _ if value.width() < width => Kinds::default(),
        Expr::Constant(_) => Kinds::default(),
        Expr::Convert(_, _, operand) => within(operand),
        Expr::Binary(_, left, right) | Expr::IfThenElse(_, left, right) => {
            let (one, other) = (within(left), within(right));
            Kinds { is_chosen: one.is_chosen || other.is_chosen, is_address: one.is_address || other.is_address }
        }
        Expr::Unary(_, operand) => within(operand),
        Expr::Register(..) | Expr::Address(..) => {
            let mut kinds = Kinds::default();
            for target in points_to.targets_apart(function, value).iter() {
                let is_chosen = target.object == nothing;
                kinds.is_chosen |= is_chosen;
                kinds.is_address |= !is_chosen;
            }
            kinds
        }
    }
}

fn is_negative(value: &Expr) -> bool {
    matches!(value, Expr::Constant(bits) if bits.as_signed() < 0)
}
