//! Comparisons of addresses as numbers: `(uintptr_t)p < (uintptr_t)q`, by which programs order locks.
//!
//! Where objects lie is not known, so they may lie in any order. It is chosen when two of them are first compared and
//! stays that (`models/order.c`). Within one object offsets decide, and numbers compare as numbers. Seen are casts of
//! pointers, and locals that are somewhere assigned one.

use super::effects::{self, Child};
use super::function::FunctionLowering;
use super::operator::{NotComputed, compare};
use super::values::{display, width};
use crate::hir::{Body, Expr as Typed, ExprKind, LocalId, PlaceKind, StatementKind};
use crate::syntax::ast::BinaryOperator;
use crate::types::{TypeId, Types};
use selvedge_program::{Action, BinaryOp, Callee, Display, Expr, Interpretation, UnaryOp};
use std::collections::BTreeSet;

impl<'h> FunctionLowering<'_, 'h> {
    /// Whether an operator orders two integers one of which is made of a pointer.
    pub fn orders_addresses(&self, op: BinaryOperator, left: &Typed, right: &Typed) -> bool {
        use BinaryOperator::{Greater, GreaterEqual, Less, LessEqual};
        let types = self.types();
        let pointer_width = types.data_model.pointer_width();
        // The upper half of the addresses is negative as a signed number; on LP64 no program has any.
        let is_ordered = !types.is_signed(left.ty) || pointer_width == 64;
        matches!(op, Less | Greater | LessEqual | GreaterEqual)
            && types.is_integer(left.ty)
            && width(types, left.ty) == pointer_width
            && is_ordered
            && [left, right].into_iter().any(|side| is_address(types, &self.addresses, side))
    }

    /// Whether an expression may be evaluated where C would not evaluate it.
    pub fn is_simple(&self, expr: &Typed) -> bool {
        let may_be_read = self.looking() == Interpretation::Value || !effects::reads(expr);
        may_be_read && effects::is_simple(self.types(), self.body, expr, self.overflow()) && !self.has_order(expr)
    }

    fn has_order(&self, expr: &Typed) -> bool {
        let is_order = match &expr.kind {
            ExprKind::Binary(op, left, right) => self.orders_addresses(*op, left, right),
            _ => false,
        };
        is_order || effects::parts(expr).into_iter().any(|part| part.any(&|expr| self.has_order(expr)))
    }

    /// The comparison of two such integers, of width 1.
    pub fn compare_addresses(
        &mut self,
        op: BinaryOperator,
        left: Expr,
        right: Expr,
        ty: TypeId,
    ) -> Result<Expr, NotComputed> {
        use BinaryOperator::{Greater, GreaterEqual, LessEqual};
        let shown = display(self.types(), ty);
        let [left, right] = [left, right].map(|value| self.builder.hold(value, shown));
        let (low, high) = if matches!(op, Greater | LessEqual) { (right, left) } else { (left, right) };
        let numbers = compare(self.types(), BinaryOperator::Less, low.clone(), high.clone(), ty)?;
        let is_less = self.lies_below(low, high, numbers);
        Ok(if matches!(op, LessEqual | GreaterEqual) { is_less.not() } else { is_less })
    }

    /// Whether one address is lower than another; `numbers` says it where they are not addresses of two objects.
    fn lies_below(&mut self, low: Expr, high: Expr, numbers: Expr) -> Expr {
        let is_less = self.builder.temporary(1, Display::Bool);
        let [apart, together, end] = [(); 3].map(|()| self.builder.location());
        let start = |address: &Expr| Expr::unary(UnaryOp::StartOf, address.clone());
        let (low_start, high_start) = (start(&low), start(&high));
        let same = Expr::binary(BinaryOp::Equal, low_start.clone(), high_start.clone());
        let are_apart = same.not().and(low_start.clone().is_true()).and(high_start.clone().is_true());
        self.builder.branch(are_apart, apart, together);
        self.builder.stand_at(together);
        self.builder.assign(is_less, numbers);
        self.builder.jump(end);
        self.builder.stand_at(apart);
        let is_within = |address: Expr| Expr::unary(UnaryOp::IsWithin, address);
        let [within, outside] = [(); 2].map(|()| self.builder.location());
        self.builder.branch(is_within(low).and(is_within(high)), within, outside);
        self.builder.stand_at(outside);
        // Any answer may be right; which one it is on a machine is not known.
        self.builder.inexact("a comparison of addresses outside of their objects");
        let any = self.builder.havoc(1, Display::Bool);
        self.builder.assign(is_less, any);
        self.builder.jump(end);
        self.builder.stand_at(within);
        let callee = Callee::Direct(self.builder.program.c_model("__selvedge_lies_below"));
        let answer = self.builder.temporary(32, Display::Signed);
        self.builder.emit(Action::Call { target: Some(answer), callee, arguments: vec![low_start, high_start] });
        let answer = self.builder.value(answer).is_true();
        self.builder.assign(is_less, answer);
        self.builder.jump(end);
        self.builder.stand_at(end);
        self.builder.value(is_less)
    }
}

/// Whether a value is made of a pointer by a cast, or is a local among these.
fn is_address(types: &Types, locals: &BTreeSet<LocalId>, expr: &Typed) -> bool {
    match &expr.kind {
        ExprKind::Convert(operand) => {
            types.is_pointer(operand.ty)
                || types.is_integer(operand.ty)
                    && width(types, operand.ty) == width(types, expr.ty)
                    && is_address(types, locals, operand)
        }
        ExprKind::Load(place) => matches!(place.kind, PlaceKind::Local(local) if locals.contains(&local)),
        _ => false,
    }
}

/// The integers among the locals of a body that are somewhere assigned what was made of a pointer.
pub fn addresses(types: &Types, body: &Body) -> BTreeSet<LocalId> {
    let mut found = BTreeSet::new();
    let is_wide = |local: &crate::hir::Local| {
        types.is_integer(local.ty.ty) && width(types, local.ty.ty) == types.data_model.pointer_width()
    };
    if !body.locals.iter().any(is_wide) {
        return found;
    }
    let mut assignments = Vec::new();
    effects::for_each_statement(&body.statement, &mut |statement| {
        if let StatementKind::Declare(local, Some(initializer)) = &statement.kind {
            assignments.extend(effects::values(initializer).map(|value| (*local, value)));
        }
    });
    effects::for_each_part(&body.statement, &mut |part| collect(part, &mut assignments));
    loop {
        let before = found.len();
        let new: Vec<LocalId> =
            assignments.iter().filter(|(_, v)| is_address(types, &found, v)).map(|(l, _)| *l).collect();
        found.extend(new);
        if found.len() == before {
            return found;
        }
    }
}

/// The assignments to locals within an expression.
fn collect<'a>(part: Child<'a>, found: &mut Vec<(LocalId, &'a Typed)>) {
    let Child::Expr(expr) = part else { return };
    if let ExprKind::Assign(place, value) = &expr.kind
        && let PlaceKind::Local(local) = place.kind
    {
        found.push((local, value));
    }
    effects::parts(expr).into_iter().for_each(|part| collect(part, found));
}
