//! Where values that come out of nothing go, and whether they meet an address there.
//!
//! A number that is chosen (a time, what a user types) may happen to be the address of an object. A program that uses it
//! as one is undefined if it is none, and nothing but a comparison with the address shows which it is. So where chosen
//! values and addresses never come together in a comparison, not even through what is computed with them, a chosen value
//! that is used as an address may as well be none.

use super::{AbstractObject, PointsTo};
use selvedge_program::{Action, Budget, Exhausted, Expr, FunctionId, Program, SiteId};

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

/// Whether some comparison is of what was chosen and of an address, by what pointers may point to if [`object`] is what
/// chosen values point to.
pub(super) fn is_compared(program: &Program, points_to: &PointsTo, budget: &Budget) -> Result<bool, Exhausted> {
    let nothing = object(program);
    for (index, function) in program.functions.iter().enumerate() {
        budget.check()?;
        let id = FunctionId::new(index);
        for edge in &function.edges {
            let mut is_found = false;
            edge.action.for_each_expression(&mut |value| is_found = is_found || meets(points_to, id, value, nothing));
            if is_found {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// Whether a comparison within an expression is of both.
fn meets(points_to: &PointsTo, function: FunctionId, value: &Expr, nothing: AbstractObject) -> bool {
    let within = |part: &Expr| meets(points_to, function, part, nothing);
    match value {
        Expr::Binary(op, left, right) => {
            let is_of_both = op.is_comparison() && {
                let targets = [left, right].map(|side| points_to.targets_apart(function, side));
                let all = || targets.iter().flat_map(|side| side.iter().map(|target| target.object));
                all().any(|object| object == nothing) && all().any(|object| object != nothing)
            };
            is_of_both || within(left) || within(right)
        }
        Expr::Unary(_, operand) | Expr::Convert(_, _, operand) => within(operand),
        Expr::IfThenElse(condition, then, otherwise) => within(condition) || within(then) || within(otherwise),
        Expr::Constant(_) | Expr::Register(..) | Expr::Address(..) => false,
    }
}
