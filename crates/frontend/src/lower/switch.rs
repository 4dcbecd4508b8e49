//! `switch` and computed `goto`: decisions by value.
//!
//! Few cases are edges of one location whose conditions exclude each other; many are a balanced tree of comparisons.

use super::function::{FunctionLowering, Jumps};
use super::values::display;
use crate::hir::{Case, Expr as Typed, LabelId, Statement};
use selvedge_program::{Action, BinaryOp, Expr, LocationId};

/// The most cases that are decided at one location.
const FEW: usize = 8;

/// The value that decides, and how it compares.
struct Decision {
    value: Expr,
    less: BinaryOp,
}

impl Decision {
    fn constant(&self, value: i128) -> Expr {
        Expr::signed(self.value.width(), value)
    }

    fn is_below(&self, bound: i128) -> Expr {
        Expr::binary(self.less, self.value.clone(), self.constant(bound))
    }

    /// The value lies in the case.
    fn matches(&self, case: &Case) -> Expr {
        if case.low == case.high {
            return Expr::equal(self.value.clone(), self.constant(case.low));
        }
        let is_above = Expr::binary(self.less, self.constant(case.high), self.value.clone());
        self.is_below(case.low).not().and(is_above.not())
    }
}

impl<'h> FunctionLowering<'_, 'h> {
    /// A `switch` with its body.
    pub fn switch(&mut self, value: &'h Typed, cases: &'h [Case], default: Option<LabelId>, body: &'h Statement) {
        let exit = self.builder.location();
        let otherwise = default.map_or(exit, |label| self.label(label));
        self.at(value.span, |this| {
            let decided = this.value(value);
            let decided = this.reusable(decided, display(this.types(), value.ty));
            let less = if this.types().is_signed(value.ty) { BinaryOp::LessSigned } else { BinaryOp::LessUnsigned };
            let mut sorted: Vec<&Case> = cases.iter().collect();
            sorted.sort_by_key(|case| case.low);
            this.decide(&Decision { value: decided, less }, &sorted, otherwise);
        });
        let elsewhere = self.builder.location();
        self.builder.stand_at(elsewhere);
        let continue_to = self.jumps.last().and_then(|jumps| jumps.continue_to);
        self.jumps.push(Jumps { break_to: self.jump_here(exit), continue_to });
        self.statement(body);
        self.jumps.pop();
        self.builder.jump(exit);
        self.builder.stand_at(exit);
    }

    fn decide(&mut self, decision: &Decision, cases: &[&Case], otherwise: LocationId) {
        if cases.len() > FEW {
            let (below, above) = cases.split_at(cases.len() / 2);
            let [left, right] = [self.builder.location(), self.builder.location()];
            let is_below = decision.is_below(above[0].low);
            self.builder.branch(is_below, left, right);
            self.builder.stand_at(left);
            self.decide(decision, below, otherwise);
            self.builder.stand_at(right);
            return self.decide(decision, above, otherwise);
        }
        let mut none = Expr::truth();
        for case in cases {
            let condition = decision.matches(case);
            let target = self.label(case.label);
            if condition != Expr::falsehood() {
                self.builder.emit_to(Action::Assume(condition.clone()), target);
            }
            none = none.and(condition.not());
        }
        if none != Expr::falsehood() {
            self.builder.emit_to(Action::Assume(none), otherwise);
        }
    }

    /// `goto *target`: compared with the address of every label whose address is taken; anything else is not modelled.
    pub fn computed_goto(&mut self, target: &'h Typed) {
        let value = self.value(target);
        let value = self.reusable(value, display(self.types(), target.ty));
        let width = value.width();
        let mut none = Expr::truth();
        for position in 0..self.body.labels.len() {
            if !self.body.labels[position].is_address_taken {
                continue;
            }
            let label = LabelId::new(position);
            let condition = Expr::equal(value.clone(), Expr::signed(width, label.address()));
            let location = self.label(label);
            self.builder.emit_to(Action::Assume(condition.clone()), location);
            none = none.and(condition.not());
        }
        self.builder.emit(Action::Assume(none));
        self.builder.unsupported("a computed goto to something that is no label of this function");
    }
}
