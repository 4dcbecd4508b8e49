//! `switch`, `case` and `default` (C11 6.8.4.2), with GNU's case ranges.

use super::Checker;
use super::place::error_value;
use crate::hir::{Case, LabelId, Statement, StatementKind};
use crate::syntax::ast::{self, Span};
use crate::types::{TypeId, Types};
use std::collections::BTreeMap;

/// A switch whose body is being checked.
pub(super) struct SwitchState {
    /// The promoted type of its value.
    ty: TypeId,
    cases: Vec<Case>,
    /// The cases by first value: the last value and where.
    by_low: BTreeMap<i128, (i128, Span)>,
    default: Option<LabelId>,
}

impl Checker<'_> {
    pub(super) fn switch(&mut self, value: &ast::Expr, body: &ast::Statement) -> StatementKind {
        let mut value = self.value(value);
        if value.ty != Types::ERROR && !self.types.is_integer(value.ty) {
            let message = format!("`switch` needs an integer, but this has type `{}`", self.type_name(value.ty));
            self.error(value.span, message);
            value = error_value(value.span);
        }
        let value = self.promote(value);
        let state = SwitchState { ty: value.ty, cases: Vec::new(), by_low: BTreeMap::new(), default: None };
        if let Some(function) = &mut self.function {
            function.switches.push(state);
            function.breakable += 1;
        }
        let body = self.boxed(body);
        let mut state = None;
        if let Some(function) = &mut self.function {
            state = function.switches.pop();
            function.breakable -= 1;
        }
        let (cases, default) = state.map(|state| (state.cases, state.default)).unwrap_or_default();
        StatementKind::Switch { value, cases, default, body }
    }

    fn switch_state(&mut self) -> Option<&mut SwitchState> {
        self.function.as_mut().and_then(|function| function.switches.last_mut())
    }

    /// `case low:` or `case low ... high:`
    pub(super) fn case(&mut self, low: &ast::Expr, high: Option<&ast::Expr>, span: Span, out: &mut Vec<Statement>) {
        let Some(ty) = self.switch_state().map(|state| state.ty) else {
            self.error(span, "`case` stands outside of any switch");
            return;
        };
        let span = Span { start: span.start, end: high.map_or(low.span.end, |high| high.span.end) };
        let first = self.case_value(low, ty);
        let last = match high {
            Some(high) => self.case_value(high, ty),
            None => first,
        };
        let label = self.new_label(None, span);
        out.push(Statement { kind: StatementKind::Label(label), span });
        let (Some(first), Some(last)) = (first, last) else { return };
        if self.order_key(first, ty) > self.order_key(last, ty) {
            self.warn(span, "the case range is empty");
            return;
        }
        self.add_case(Case { low: first, high: last, label }, ty, span);
    }

    /// Values in the order of the switch's type, which for a 128-bit unsigned one is not that of `i128`.
    fn order_key(&self, value: i128, ty: TypeId) -> i128 {
        if ty == Types::UNSIGNED_INT128 { value ^ i128::MIN } else { value }
    }

    fn add_case(&mut self, case: Case, ty: TypeId, span: Span) {
        let (low, high) = (self.order_key(case.low, ty), self.order_key(case.high, ty));
        let Some(state) = self.switch_state() else { return };
        let before = state.by_low.range(..=high).next_back().filter(|(_, (last, _))| *last >= low);
        if let Some((_, (_, place))) = before {
            let place = *place;
            self.error_with_note(span, "the case value occurs twice", place, "it occurs here first");
            return;
        }
        state.by_low.insert(low, (high, span));
        state.cases.push(case);
    }

    fn case_value(&mut self, expr: &ast::Expr, ty: TypeId) -> Option<i128> {
        let operand = self.unevaluated(expr);
        let value = self.decay(operand);
        if value.ty == Types::ERROR || ty == Types::ERROR {
            return None;
        }
        let number = self.integer_constant(&value).filter(|_| self.types.is_integer(value.ty));
        let Some(number) = number else {
            self.error(expr.span, "a case must be an integer constant");
            return None;
        };
        let integer = self.types.as_integer(ty)?;
        let wrapped = integer.wrap(number, self.types.data_model);
        if wrapped != number && self.width(value.ty) > self.width(ty) {
            self.warn(expr.span, format!("the case value does not fit and becomes {wrapped}"));
        }
        Some(wrapped)
    }

    /// `default:`
    pub(super) fn default_case(&mut self, span: Span, out: &mut Vec<Statement>) {
        let span = Span { start: span.start, end: span.start + 7 };
        let label = self.new_label(None, span);
        out.push(Statement { kind: StatementKind::Label(label), span });
        let is_second = match self.switch_state() {
            Some(state) => state.default.replace(label).is_some(),
            None => {
                self.error(span, "`default` stands outside of any switch");
                return;
            }
        };
        if is_second {
            self.error(span, "there are two `default`s in one switch");
        }
    }
}
