//! Questions about the typed tree, answered without lowering it: does an expression change registers, is it cheap and
//! safe to evaluate even where C would not, can a declaration be jumped over.

use super::Overflow;
use crate::hir::{
    Body, Callee, Expr, ExprKind, Initializer, InitializerValue, LocalId, Place, PlaceKind, Statement, StatementKind,
};
use crate::syntax::ast::BinaryOperator;
use crate::types::{Type, Types};

/// Whether evaluating an expression may assign to a local: values read before it must be held.
pub fn assigns(expr: &Expr) -> bool {
    let is_assignment = matches!(
        expr.kind,
        ExprKind::Assign(..)
            | ExprKind::CompoundAssign { .. }
            | ExprKind::Increment { .. }
            | ExprKind::StatementExpr(..)
    );
    is_assignment || parts(expr).into_iter().any(|part| part.any(&assigns))
}

/// Whether an initialiser reads or otherwise mentions a local.
pub fn mentions(initializer: &Initializer, local: LocalId) -> bool {
    values(initializer).any(|expr| expr_mentions(expr, local))
}

/// Whether what a body does can depend on a local: `(void)x;` does not look at `x`.
pub fn body_mentions(body: &Body, local: LocalId) -> bool {
    statement_mentions(&body.statement, local)
}

/// Whether an expression is `(void)x`.
pub fn is_discarded_variable(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Convert(value) if expr.ty == Types::VOID => match &value.kind {
            ExprKind::Load(place) => matches!(place.kind, PlaceKind::Local(_)),
            _ => false,
        },
        _ => false,
    }
}

fn place_mentions(place: &Place, local: LocalId) -> bool {
    let is_it = match &place.kind {
        PlaceKind::Local(id) => *id == local,
        PlaceKind::Member { base, .. } => place_mentions(base, local),
        PlaceKind::After(_, place) => place_mentions(place, local),
        _ => false,
    };
    is_it || Child::Place(place).any(&|expr: &Expr| expr_mentions(expr, local))
}

fn expr_mentions(expr: &Expr, local: LocalId) -> bool {
    if let ExprKind::StatementExpr(statement, value) = &expr.kind {
        return statement_mentions(statement, local) || value.as_ref().is_some_and(|value| expr_mentions(value, local));
    }
    parts(expr).into_iter().any(|part| match part {
        Child::Place(place) => place_mentions(place, local),
        Child::Expr(expr) => expr_mentions(expr, local),
    })
}

/// Whether what a statement does can depend on a local.
pub fn statement_mentions(statement: &Statement, local: LocalId) -> bool {
    let mut found = false;
    for_each_part(statement, &mut |part| {
        found |= match part {
            Child::Expr(expr) => !is_discarded_variable(expr) && expr_mentions(expr, local),
            Child::Place(place) => place_mentions(place, local),
        }
    });
    found
}

/// Visits the expressions and places that stand directly in a statement and in the statements within it.
pub fn for_each_part<'a>(statement: &'a Statement, visit: &mut dyn FnMut(Child<'a>)) {
    for_each_statement(statement, &mut |statement| direct_parts(statement, visit));
}

/// Visits a statement and the statements within it, those of statement expressions aside.
pub fn for_each_statement<'a>(statement: &'a Statement, visit: &mut dyn FnMut(&'a Statement)) {
    visit(statement);
    match &statement.kind {
        StatementKind::Block(statements) => {
            statements.iter().for_each(|statement| for_each_statement(statement, visit));
        }
        StatementKind::If(_, then, otherwise) => {
            for_each_statement(then, visit);
            if let Some(otherwise) = otherwise {
                for_each_statement(otherwise, visit);
            }
        }
        StatementKind::For { init, body, .. } => {
            init.iter().for_each(|statement| for_each_statement(statement, visit));
            for_each_statement(body, visit);
        }
        StatementKind::Switch { body, .. } | StatementKind::While(_, body) | StatementKind::DoWhile(body, _) => {
            for_each_statement(body, visit);
        }
        _ => {}
    }
}

/// Visits the expressions and places that stand directly in a statement.
pub fn direct_parts<'a>(statement: &'a Statement, visit: &mut dyn FnMut(Child<'a>)) {
    match &statement.kind {
        StatementKind::Expr(value)
        | StatementKind::ComputedGoto(value)
        | StatementKind::Return(Some(value))
        | StatementKind::DeclareLength(_, value)
        | StatementKind::Deferred(value)
        | StatementKind::If(value, ..)
        | StatementKind::Switch { value, .. }
        | StatementKind::While(value, _)
        | StatementKind::DoWhile(_, value) => visit(Child::Expr(value)),
        StatementKind::For { condition, step, .. } => {
            condition.iter().chain(step).for_each(|expr| visit(Child::Expr(expr)));
        }
        StatementKind::Declare(_, Some(initializer)) => values(initializer).for_each(|expr| visit(Child::Expr(expr))),
        StatementKind::Asm { outputs, inputs, .. } => {
            inputs.iter().for_each(|input| visit(Child::Expr(&input.operand)));
            outputs.iter().for_each(|output| visit(Child::Place(&output.operand)));
        }
        StatementKind::Block(_)
        | StatementKind::Goto(_)
        | StatementKind::Break
        | StatementKind::Continue
        | StatementKind::Return(None)
        | StatementKind::Label(_)
        | StatementKind::Declare(_, None)
        | StatementKind::Unsupported(_) => {}
    }
}

/// The expressions of an initialiser.
pub fn values(initializer: &Initializer) -> impl Iterator<Item = &Expr> {
    initializer.items.iter().filter_map(|item| match &item.value {
        InitializerValue::Expr(expr) => Some(expr),
        InitializerValue::Bytes(_) => None,
    })
}

/// What stands directly below an expression or statement in its tree.
#[derive(Clone, Copy, Debug)]
pub enum Child<'a> {
    /// An expression.
    Expr(&'a Expr),
    /// A place.
    Place(&'a Place),
}

impl Child<'_> {
    /// Whether the question holds for the expression, or for one on the way to the place.
    pub fn any(&self, question: &dyn Fn(&Expr) -> bool) -> bool {
        match self {
            Child::Expr(expr) => question(expr),
            Child::Place(place) => {
                let mut holds = false;
                place_exprs(place, &mut |expr| holds |= question(expr));
                holds
            }
        }
    }
}

/// The expressions on the way to a place.
pub fn place_exprs<'h>(place: &'h Place, visit: &mut dyn FnMut(&'h Expr)) {
    match &place.kind {
        PlaceKind::Local(_) | PlaceKind::Global(_) => {}
        PlaceKind::Deref(expr) | PlaceKind::Temporary(expr) => visit(expr),
        PlaceKind::Member { base, .. } => place_exprs(base, visit),
        PlaceKind::CompoundLiteral(_, initializer) => values(initializer).for_each(visit),
        PlaceKind::After(expr, place) => {
            visit(expr);
            place_exprs(place, visit);
        }
    }
}

/// The direct parts of an expression, statement expressions aside.
pub fn parts(expr: &Expr) -> Vec<Child<'_>> {
    match &expr.kind {
        ExprKind::Integer(_)
        | ExprKind::Float(_)
        | ExprKind::FunctionAddress(_)
        | ExprKind::LabelAddress(_)
        | ExprKind::SizeOf(_)
        | ExprKind::StatementExpr(..)
        | ExprKind::Unsupported(_) => Vec::new(),
        ExprKind::Load(place) | ExprKind::AddressOf(place) => vec![Child::Place(place)],
        ExprKind::Convert(a) | ExprKind::Unary(_, a) | ExprKind::VaArg(a) => vec![Child::Expr(a)],
        ExprKind::Binary(_, a, b)
        | ExprKind::Logical(_, a, b)
        | ExprKind::ConditionalOmitted(a, b)
        | ExprKind::Comma(a, b)
        | ExprKind::PointerOffset { pointer: a, index: b, .. }
        | ExprKind::PointerDifference { left: a, right: b, .. } => vec![Child::Expr(a), Child::Expr(b)],
        ExprKind::Conditional(a, b, c) => vec![Child::Expr(a), Child::Expr(b), Child::Expr(c)],
        ExprKind::Assign(place, value) => vec![Child::Place(place), Child::Expr(value)],
        ExprKind::CompoundAssign { place, operand, .. } => vec![Child::Place(place), Child::Expr(operand)],
        ExprKind::Increment { place, .. } => vec![Child::Place(place)],
        ExprKind::Call { callee, arguments } => {
            let callee = match callee {
                Callee::Function(_) => None,
                Callee::Pointer(pointer) => Some(Child::Expr(pointer)),
            };
            callee.into_iter().chain(arguments.iter().map(Child::Expr)).collect()
        }
        ExprKind::Builtin(_, arguments) => arguments.iter().map(Child::Expr).collect(),
    }
}

/// How large an expression may be to be evaluated though its value may not be needed.
const SIMPLE_SIZE: u32 = 24;

/// Whether evaluating an expression touches registers and constants only, changes nothing and cannot be undefined: it
/// may be evaluated where C would not evaluate it.
pub fn is_simple(types: &Types, body: &Body, expr: &Expr, overflow: Overflow) -> bool {
    let has_arithmetic = || computes(types, expr);
    (overflow == Overflow::Wraps || !has_arithmetic()) && simple_size(types, body, expr, SIMPLE_SIZE).is_some()
}

/// Whether something in an expression reads a place.
pub fn reads(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Load(_)) || parts(expr).into_iter().any(|part| part.any(&reads))
}

/// Whether something in an expression could overflow.
fn computes(types: &Types, expr: &Expr) -> bool {
    use BinaryOperator::*;
    let is_arithmetic = match &expr.kind {
        ExprKind::Binary(Add | Subtract | Multiply, ..) | ExprKind::Unary(..) => types.is_signed(expr.ty),
        _ => false,
    };
    is_arithmetic || parts(expr).into_iter().any(|part| part.any(&|expr| computes(types, expr)))
}

/// What is left of the allowed size.
fn simple_size(types: &Types, body: &Body, expr: &Expr, left: u32) -> Option<u32> {
    let left = left.checked_sub(1)?;
    let size = |expr: &Expr, left| simple_size(types, body, expr, left);
    let is_known = |expr: &Expr| types.is_integer(expr.ty) || types.is_pointer(expr.ty);
    match &expr.kind {
        ExprKind::Integer(_) => Some(left),
        ExprKind::Load(place) => match &place.kind {
            PlaceKind::Local(local) if !body.locals[local.index()].needs_memory && !types.is_aggregate(expr.ty) => {
                Some(left)
            }
            _ => None,
        },
        ExprKind::Convert(operand) if is_known(operand) && is_known(expr) => size(operand, left),
        ExprKind::Unary(_, operand) if is_known(operand) => size(operand, left),
        ExprKind::Binary(op, a, b) if is_known(a) && is_known(b) && is_defined(types, *op, a) => {
            let left = size(a, left)?;
            size(b, left)
        }
        ExprKind::Logical(_, a, b) if is_known(a) && is_known(b) => {
            let left = size(a, left)?;
            size(b, left)
        }
        ExprKind::Conditional(a, b, c) if is_known(a) && is_known(b) && is_known(c) => {
            let left = size(a, left)?;
            let left = size(b, left)?;
            size(c, left)
        }
        _ => None,
    }
}

fn is_defined(types: &Types, op: BinaryOperator, operand: &Expr) -> bool {
    use BinaryOperator::*;
    let is_pointer = matches!(types.get(operand.ty), Type::Pointer(_));
    match op {
        Divide | Remainder | ShiftLeft | ShiftRight => false,
        Less | Greater | LessEqual | GreaterEqual => !is_pointer,
        _ => true,
    }
}

/// The locals whose declaration a jump can pass by: a label stands after it in its block.
pub fn skippable_declarations(body: &Body) -> Vec<LocalId> {
    let mut found = Vec::new();
    labels(&body.statement, &mut found);
    found.sort();
    found
}

/// How many labels there are in a statement, while collecting the declarations in blocks that a label follows.
fn labels(statement: &Statement, found: &mut Vec<LocalId>) -> usize {
    match &statement.kind {
        StatementKind::Label(_) => 1,
        StatementKind::Block(statements) => labels_in_sequence(statements.iter(), found),
        StatementKind::If(_, then, otherwise) => {
            labels(then, found) + otherwise.as_ref().map_or(0, |otherwise| labels(otherwise, found))
        }
        StatementKind::Switch { body, .. } | StatementKind::While(_, body) | StatementKind::DoWhile(body, _) => {
            labels(body, found)
        }
        StatementKind::For { init, body, .. } => {
            labels_in_sequence(init.iter().chain(std::iter::once(body.as_ref())), found)
        }
        _ => 0,
    }
}

fn labels_in_sequence<'a>(
    statements: impl DoubleEndedIterator<Item = &'a Statement>,
    found: &mut Vec<LocalId>,
) -> usize {
    let mut count = 0;
    for statement in statements.rev() {
        if let StatementKind::Declare(local, _) = &statement.kind
            && count > 0
        {
            found.push(*local);
        }
        count += labels(statement, found);
    }
    count
}
