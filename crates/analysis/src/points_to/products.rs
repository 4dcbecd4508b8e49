//! Whether addresses are multiplied or shifted: with numbers above or below them, say (`(uintptr_t)p << 16 | tag`).
//!
//! The concrete semantics goes no further there, so that what comes of it points to nothing; on a machine it may become an
//! address again.

use super::PointsTo;
use selvedge_program::{BinaryOp, Budget, Exhausted, Expr, FunctionId, Program, UnaryOp};

/// Whether something in a program is multiplied that may be an address.
pub(super) fn are_there(program: &Program, points_to: &PointsTo, budget: &Budget) -> Result<bool, Exhausted> {
    for (index, function) in program.functions.iter().enumerate() {
        budget.check()?;
        let id = FunctionId::new(index);
        for edge in &function.edges {
            let mut is_found = false;
            edge.action.for_each_expression(&mut |value| is_found = is_found || multiplies(points_to, id, value));
            if is_found {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

fn multiplies(points_to: &PointsTo, function: FunctionId, value: &Expr) -> bool {
    let within = |part: &Expr| multiplies(points_to, function, part);
    let is_address = |part: &Expr| !points_to.targets_of(function, part).is_empty();
    match value {
        Expr::Constant(_) | Expr::Register(..) | Expr::Address(..) => false,
        Expr::Unary(UnaryOp::FloatNegate(_), operand) => is_address(operand) || within(operand),
        Expr::Binary(BinaryOp::Multiply | BinaryOp::ShiftLeft, left, right) => {
            is_address(left) || is_address(right) || within(left) || within(right)
        }
        Expr::Unary(_, operand) | Expr::Convert(_, _, operand) => within(operand),
        Expr::Binary(_, left, right) => within(left) || within(right),
        Expr::IfThenElse(condition, then, otherwise) => within(condition) || within(then) || within(otherwise),
    }
}
