//! Whether a function compares a parameter with null: then it may be called with null.

use super::effects::{self, Child};
use crate::hir::{Body, Expr as Typed, ExprKind, LocalId, PlaceKind, StatementKind, UnaryOperator};
use crate::syntax::ast::BinaryOperator;

/// Whether a function compares a parameter with null.
pub fn checks_for_null(body: &Body, local: LocalId) -> bool {
    let mut found = false;
    effects::for_each_statement(&body.statement, &mut |statement| {
        found |= match &statement.kind {
            StatementKind::If(condition, ..)
            | StatementKind::While(condition, _)
            | StatementKind::DoWhile(_, condition) => is_parameter(condition, local),
            StatementKind::For { condition: Some(condition), .. } => is_parameter(condition, local),
            _ => false,
        };
    });
    effects::for_each_part(&body.statement, &mut |part| found |= part.any(&|expr| compares(expr, local)));
    found
}

fn is_parameter(expr: &Typed, local: LocalId) -> bool {
    match &expr.kind {
        ExprKind::Convert(value) => is_parameter(value, local),
        ExprKind::Load(place) => matches!(place.kind, PlaceKind::Local(id) if id == local),
        _ => false,
    }
}

fn is_null(expr: &Typed) -> bool {
    match &expr.kind {
        ExprKind::Convert(value) => is_null(value),
        ExprKind::Integer(0) => true,
        _ => false,
    }
}

fn compares(expr: &Typed, local: LocalId) -> bool {
    let is_it = |expr: &Typed| is_parameter(expr, local);
    let here = match &expr.kind {
        ExprKind::Unary(UnaryOperator::Not, value) => is_it(value),
        ExprKind::Logical(_, left, right) => is_it(left) || is_it(right),
        ExprKind::Conditional(condition, ..) | ExprKind::ConditionalOmitted(condition, _) => is_it(condition),
        ExprKind::Binary(BinaryOperator::Equal | BinaryOperator::NotEqual, left, right) => {
            (is_it(left) && is_null(right)) || (is_it(right) && is_null(left))
        }
        _ => false,
    };
    let within = |part: Child<'_>| part.any(&|expr| compares(expr, local));
    here || effects::parts(expr).into_iter().any(within)
}
