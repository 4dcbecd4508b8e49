//! Where values that come out of nothing go, and which addresses they meet there.
//!
//! A number that is chosen (a time, what a user types) may happen to be the address of an object. A program that uses it
//! as one is undefined if it is none, and nothing but a comparison with an address of the object shows which it is. So a
//! chosen value may as well be no address of objects with whose addresses no chosen value ever comes together in a
//! comparison, not even through what is computed with them.
//!
//! They come together where one side of a comparison, a difference or another operation may have been chosen, and the
//! other side may be an address, or bytes of one. What may be either, by what is known without paths, and is compared with
//! a constant, does not show which address it is; and a sum of both shows nothing, as long as no address was made negative.

use super::{AbstractObject, PointsTo};
use selvedge_program::{Action, BinaryOp, Budget, Exhausted, Expr, FunctionId, Program, SiteId, UnaryOp};
use std::collections::BTreeSet;

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

/// Adds the objects with whose addresses something is computed that was chosen, by what pointers may point to if
/// [`object`] is among what chosen values point to; whether there are more than before.
pub(super) fn compared(
    program: &Program,
    points_to: &PointsTo,
    met: &mut BTreeSet<AbstractObject>,
    budget: &Budget,
) -> Result<bool, Exhausted> {
    let before = met.len();
    let nothing = object(program);
    for (index, function) in program.functions.iter().enumerate() {
        budget.check()?;
        let looked = Looked { points_to, function: FunctionId::new(index), nothing };
        for edge in &function.edges {
            // What is required is undefined where it does not hold, whatever it is compared with.
            if !matches!(edge.action, Action::Require { .. }) {
                edge.action.for_each_expression(&mut |value| meet(looked, value, met));
            }
        }
    }
    Ok(met.len() > before)
}

/// Where one looks, and for what.
#[derive(Clone, Copy, Debug)]
struct Looked<'a> {
    points_to: &'a PointsTo,
    function: FunctionId,
    nothing: AbstractObject,
}

/// Adds the objects whose addresses meet a chosen value within an expression.
fn meet(looked: Looked<'_>, value: &Expr, met: &mut BTreeSet<AbstractObject>) {
    match value {
        Expr::Binary(op, left, right) => {
            meet(looked, left, met);
            meet(looked, right, met);
            let is_negated = match op {
                // A sum says nothing of either, unless an address in it was made negative. No address is a
                // floating-point number.
                BinaryOp::Add => return,
                op if op.float_format().is_some() => return,
                BinaryOp::Multiply => is_negative(left) || is_negative(right),
                BinaryOp::Subtract => matches!(**left, Expr::Constant(_)),
                _ => false,
            };
            for (one, other) in [(left, right), (right, left)] {
                if is_negated || is_chosen(looked, other) {
                    add_addressed(looked, one, met);
                }
            }
        }
        Expr::Unary(op, operand) => {
            if matches!(op, UnaryOp::Negate | UnaryOp::Not) {
                add_addressed(looked, operand, met);
            }
            meet(looked, operand, met);
        }
        Expr::Convert(_, _, operand) => meet(looked, operand, met),
        Expr::IfThenElse(condition, then, otherwise) => {
            [condition, then, otherwise].into_iter().for_each(|part| meet(looked, part, met));
        }
        Expr::Constant(_) | Expr::Register(..) | Expr::Address(..) => {}
    }
}

/// Whether a value may have been chosen, or computed of one that was.
fn is_chosen(looked: Looked<'_>, value: &Expr) -> bool {
    let mut is_chosen = false;
    for_each_object(looked, value, &mut |object| is_chosen |= object == looked.nothing);
    is_chosen
}

/// Adds the objects whose addresses a value may be, or be computed of.
fn add_addressed(looked: Looked<'_>, value: &Expr, met: &mut BTreeSet<AbstractObject>) {
    for_each_object(looked, value, &mut |object| {
        if object != looked.nothing {
            met.insert(object);
        }
    });
}

/// The objects that a value is computed of the addresses of, or of parts of these.
fn for_each_object(looked: Looked<'_>, value: &Expr, visit: &mut impl FnMut(AbstractObject)) {
    match value {
        Expr::Constant(_) => {}
        Expr::Convert(_, _, operand) | Expr::Unary(_, operand) => for_each_object(looked, operand, visit),
        Expr::Binary(_, left, right) | Expr::IfThenElse(_, left, right) => {
            for_each_object(looked, left, visit);
            for_each_object(looked, right, visit);
        }
        Expr::Register(..) | Expr::Address(..) => {
            let objects = looked.points_to.whole_objects_of(looked.function, value);
            objects.iter().for_each(|target| visit(target.object));
        }
    }
}

fn is_negative(value: &Expr) -> bool {
    matches!(value, Expr::Constant(bits) if bits.as_signed() < 0)
}
