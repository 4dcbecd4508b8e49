//! Whether a function handles null in a parameter: then it may be called with null. A comparison with null that only an
//! assertion makes, or that ends the program, says the opposite: callers must not pass null.

use super::effects::{self, Child};
use crate::hir::{
    Body, Callee, Expr as Typed, ExprKind, FunctionId, LocalId, PlaceKind, Statement, StatementKind, UnaryOperator,
};
use crate::syntax::ast::BinaryOperator;
use crate::syntax::symbol::Symbol;

/// What becomes of a thread that calls a function, as far as comparisons with null go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It asserts its argument.
    Asserts,
    /// It does not come back.
    NeverReturns,
    /// Anything else.
    Other,
}

/// What is called, by name.
#[derive(Clone, Copy, Debug)]
pub enum Called {
    Function(FunctionId),
    Builtin(Symbol),
}

/// Whether a function handles null in a parameter.
pub fn handles_null(body: &Body, local: LocalId, role: &dyn Fn(Called) -> Role) -> bool {
    let search = Search { local, role };
    let mut found = false;
    effects::for_each_statement(&body.statement, &mut |statement| found |= search.statement(statement));
    found
}

/// What a call of `name` does, if that is a function of the library's or of ours.
pub fn role_of(name: &str) -> Role {
    match name {
        "__selvedge_assert" => Role::Asserts,
        "__assert_fail" | "__assert" | "abort" | "__builtin_abort" | "__builtin_trap" | "__builtin_unreachable" => {
            Role::NeverReturns
        }
        "exit" | "_exit" | "_Exit" | "quick_exit" | "__builtin_exit" | "err" | "errx" | "verr" | "verrx" => {
            Role::NeverReturns
        }
        _ => Role::Other,
    }
}

struct Search<'a> {
    local: LocalId,
    role: &'a dyn Fn(Called) -> Role,
}

impl Search<'_> {
    /// Whether a comparison stands directly in a statement.
    fn statement(&self, statement: &Statement) -> bool {
        let is_condition = match &statement.kind {
            StatementKind::If(_, then, otherwise) => {
                let insists = self.ends(then) || otherwise.as_ref().is_some_and(|otherwise| self.ends(otherwise));
                if insists {
                    return false;
                }
                true
            }
            StatementKind::While(..) | StatementKind::DoWhile(..) | StatementKind::For { .. } => true,
            _ => false,
        };
        let mut found = false;
        effects::direct_parts(statement, &mut |part| {
            found |= part.any(&|expr| (is_condition && self.is_parameter(expr)) || self.compares(expr));
        });
        found
    }

    /// Whether whoever executes a statement never gets past it, as far as its last call says.
    fn ends(&self, statement: &Statement) -> bool {
        match &statement.kind {
            StatementKind::Block(statements) => statements.last().is_some_and(|last| self.ends(last)),
            StatementKind::Expr(expr) => self.never_returns(expr),
            _ => false,
        }
    }

    fn never_returns(&self, expr: &Typed) -> bool {
        match &expr.kind {
            ExprKind::Convert(value) => self.never_returns(value),
            ExprKind::Comma(first, second) => self.never_returns(first) || self.never_returns(second),
            _ => self.role(expr) == Role::NeverReturns,
        }
    }

    fn role(&self, expr: &Typed) -> Role {
        match &expr.kind {
            ExprKind::Call { callee: Callee::Function(function), .. } => (self.role)(Called::Function(*function)),
            ExprKind::Builtin(name, _) => (self.role)(Called::Builtin(*name)),
            _ => Role::Other,
        }
    }

    fn is_parameter(&self, expr: &Typed) -> bool {
        match &expr.kind {
            ExprKind::Convert(value) => self.is_parameter(value),
            ExprKind::Load(place) => matches!(place.kind, PlaceKind::Local(id) if id == self.local),
            _ => false,
        }
    }

    fn compares(&self, expr: &Typed) -> bool {
        let is_it = |expr: &Typed| self.is_parameter(expr);
        let here = match &expr.kind {
            _ if self.role(expr) == Role::Asserts => return false,
            ExprKind::Logical(_, _, right) if self.never_returns(right) => return false,
            ExprKind::Conditional(_, then, otherwise) if self.never_returns(then) || self.never_returns(otherwise) => {
                return false;
            }
            ExprKind::Unary(UnaryOperator::Not, value) => is_it(value),
            ExprKind::Logical(_, left, right) => is_it(left) || is_it(right),
            ExprKind::Conditional(condition, ..) | ExprKind::ConditionalOmitted(condition, _) => is_it(condition),
            ExprKind::Binary(BinaryOperator::Equal | BinaryOperator::NotEqual, left, right) => {
                (is_it(left) && is_null(right)) || (is_it(right) && is_null(left))
            }
            _ => false,
        };
        let within = |part: Child<'_>| part.any(&|expr| self.compares(expr));
        here || effects::parts(expr).into_iter().any(within)
    }
}

fn is_null(expr: &Typed) -> bool {
    match &expr.kind {
        ExprKind::Convert(value) => is_null(value),
        ExprKind::Integer(0) => true,
        _ => false,
    }
}
