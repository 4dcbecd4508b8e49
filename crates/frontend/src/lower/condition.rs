//! Conditions: truth values of width 1, and branches that follow `&&`, `||` and `!` by jumps.

use super::function::FunctionLowering;
use super::operator;
use super::values::{display, width};
use crate::hir::{Expr as Typed, ExprKind, UnaryOperator};
use crate::syntax::ast::LogicalOperator;
use crate::types::TypeId;
use selvedge_program::{Display, Expr, LocationId};

impl<'h> FunctionLowering<'_, 'h> {
    /// Whether a scalar expression is true, of width 1.
    pub fn condition(&mut self, expr: &'h Typed) -> Expr {
        self.at(expr.span, |this| {
            let condition = this.condition_here(expr);
            this.bounded(condition, Display::Bool)
        })
    }

    fn condition_here(&mut self, expr: &'h Typed) -> Expr {
        let types = self.types();
        match &expr.kind {
            ExprKind::Integer(value) => Expr::constant(1, u128::from(*value != 0)),
            ExprKind::Unary(UnaryOperator::Not, operand) => self.condition(operand).not(),
            ExprKind::Binary(op, left, right) if operator::is_comparison(*op) => {
                let (left_value, right_value) = self.operands(left, right);
                let result = if self.orders_addresses(*op, left, right) {
                    self.compare_addresses(*op, left_value, right_value, left.ty)
                } else {
                    operator::compare(types, *op, left_value, right_value, left.ty)
                };
                self.computed(result, 1).unwrap_or_else(Expr::falsehood)
            }
            ExprKind::Logical(op, left, right) => self.logical(expr, *op, left, right),
            ExprKind::Convert(operand) if keeps_truth(self, operand.ty, expr.ty) => self.condition(operand),
            ExprKind::Comma(first, second) => {
                self.effect(first);
                self.condition(second)
            }
            _ => {
                let value = self.value_here(expr);
                let truth = operator::truth(types, value, expr.ty);
                self.computed(truth, 1).unwrap_or_else(Expr::falsehood)
            }
        }
    }

    /// `left && right` or `left || right`, of width 1. Where evaluating the right side does no harm it is one
    /// expression.
    fn logical(&mut self, whole: &'h Typed, op: LogicalOperator, left: &'h Typed, right: &'h Typed) -> Expr {
        if self.is_simple(right) {
            let left = self.condition(left);
            let right = self.condition(right);
            return match op {
                LogicalOperator::And => left.and(right),
                LogicalOperator::Or => left.or(right),
            };
        }
        let target = self.builder.temporary(1, Display::Bool);
        let [yes, no, end] = [self.builder.location(), self.builder.location(), self.builder.location()];
        self.branch_on(whole, yes, no);
        self.builder.stand_at(yes);
        self.builder.assign(target, Expr::truth());
        self.builder.jump(end);
        self.builder.stand_at(no);
        self.builder.assign(target, Expr::falsehood());
        self.builder.jump(end);
        self.builder.stand_at(end);
        self.builder.value(target)
    }

    /// Goes one way or the other; what follows is unreachable until the next `stand_at`.
    pub fn branch_on(&mut self, expr: &'h Typed, then: LocationId, otherwise: LocationId) {
        self.at(expr.span, |this| this.branch_here(expr, then, otherwise));
    }

    fn branch_here(&mut self, expr: &'h Typed, then: LocationId, otherwise: LocationId) {
        match &expr.kind {
            ExprKind::Unary(UnaryOperator::Not, operand) => self.branch_on(operand, otherwise, then),
            ExprKind::Comma(first, second) => {
                self.effect(first);
                self.branch_on(second, then, otherwise);
            }
            ExprKind::Convert(operand) if keeps_truth(self, operand.ty, expr.ty) => {
                self.branch_on(operand, then, otherwise);
            }
            ExprKind::Logical(op, left, right) if !self.is_simple(right) => {
                let next = self.builder.location();
                match op {
                    LogicalOperator::And => self.branch_on(left, next, otherwise),
                    LogicalOperator::Or => self.branch_on(left, then, next),
                }
                self.builder.stand_at(next);
                self.branch_on(right, then, otherwise);
            }
            _ => {
                let condition = self.condition_here(expr);
                self.builder.branch_in_source(condition, then, otherwise);
            }
        }
    }

    /// `condition ? then : otherwise` as a value.
    pub fn conditional(&mut self, ty: TypeId, parts: [&'h Typed; 3]) -> Expr {
        let types = self.types();
        let [condition, then, otherwise] = parts;
        if self.is_simple(then) && self.is_simple(otherwise) {
            let condition = self.condition(condition);
            let (then, otherwise) = (self.value(then), self.value(otherwise));
            return Expr::if_then_else(condition, then, otherwise);
        }
        let target = self.builder.temporary(width(types, ty), display(types, ty));
        let [yes, no, end] = [self.builder.location(), self.builder.location(), self.builder.location()];
        self.branch_on(condition, yes, no);
        self.builder.stand_at(yes);
        self.value_into(then, target);
        self.builder.jump(end);
        self.builder.stand_at(no);
        self.value_into(otherwise, target);
        self.builder.jump(end);
        self.builder.stand_at(end);
        self.builder.value(target)
    }

    /// `condition ? then : otherwise` for its effect.
    pub fn conditional_effect(&mut self, condition: &'h Typed, then: &'h Typed, otherwise: Option<&'h Typed>) {
        let [yes, no, end] = [self.builder.location(), self.builder.location(), self.builder.location()];
        self.branch_on(condition, yes, no);
        self.builder.stand_at(yes);
        self.effect(then);
        self.builder.jump(end);
        self.builder.stand_at(no);
        if let Some(otherwise) = otherwise {
            self.effect(otherwise);
        }
        self.builder.jump(end);
        self.builder.stand_at(end);
    }

    /// `condition ?: otherwise`: the condition is evaluated once.
    pub fn conditional_omitted(&mut self, ty: TypeId, condition: &'h Typed, otherwise: &'h Typed) -> Expr {
        let types = self.types();
        let value = self.value(condition);
        let value = self.reusable(value, display(types, condition.ty));
        let truth = operator::truth(types, value.clone(), condition.ty);
        let truth = self.computed(truth, 1).unwrap_or_else(Expr::falsehood);
        let target = self.builder.temporary(width(types, ty), display(types, ty));
        let [yes, no, end] = [self.builder.location(), self.builder.location(), self.builder.location()];
        self.builder.branch_in_source(truth, yes, no);
        self.builder.stand_at(yes);
        if let Some(value) = self.computed(operator::convert(types, value, condition.ty, ty), width(types, ty)) {
            self.builder.assign(target, value);
        }
        self.builder.jump(end);
        self.builder.stand_at(no);
        self.value_into(otherwise, target);
        self.builder.jump(end);
        self.builder.stand_at(end);
        self.builder.value(target)
    }
}

/// Whether converting an integer or pointer never makes something true false, or the other way round.
fn keeps_truth(lowering: &FunctionLowering<'_, '_>, from: TypeId, to: TypeId) -> bool {
    let types = lowering.types();
    let is_known = |ty| types.is_integer(ty) || types.is_pointer(ty);
    let widens = width(types, to) >= width(types, from) || matches!(types.get(to), crate::types::Type::Bool);
    is_known(from) && is_known(to) && widens
}
