//! Evaluations that C leaves unsequenced (C11 6.5): what one operand writes, another must not touch. Two such accesses
//! of one scalar are undefined; where they may be of one, their addresses are compared when the program runs. Where a
//! call is in one of the operands the order is open but each is defined: that we take the operands from left to right
//! is said with the verdict. The same goes for atomic variables in both, which other threads may change in between.
//!
//! Looked at are variables, their members, and what is found through pointers and indices that are computed from locals
//! and constants alone. What is evaluated only sometimes (`&&`, `?:`) is never reported as undefined.

use super::effects::{self, Child};
use super::function::FunctionLowering;
use super::reach::{self, Reached};
use crate::hir::{Expr as Typed, ExprKind, LocalId, Place, PlaceKind};
use crate::syntax::ast::BinaryOperator;
use selvedge_program::{BinaryOp, Display, Expr, Undefined};
use std::collections::BTreeSet;

/// How many pairs of addresses are compared for one operator.
const MOST_COMPARED: usize = 16;

/// The place that an operator writes after it has evaluated its operands.
#[derive(Clone, Copy, Debug)]
pub struct Written<'h> {
    /// Which.
    pub place: &'h Place,
    /// Whether it is also read, together with the operands.
    pub is_read: bool,
}

/// An access that an evaluation makes itself, not in a function that it calls.
#[derive(Clone, Copy, Debug)]
pub struct OwnAccess<'h> {
    /// Of what.
    pub place: &'h Place,
    /// Whether it is written.
    pub writes: bool,
    /// Whether it is made whenever the whole is evaluated.
    is_certain: bool,
}

/// What an evaluation does.
#[derive(Clone, Debug, Default)]
pub struct Deeds<'h> {
    /// Its own accesses.
    pub touches: Vec<OwnAccess<'h>>,
    /// Its calls.
    pub calls: Vec<&'h Typed>,
}

/// How two places lie to each other.
enum Relation {
    Apart,
    Same,
    /// The same if their addresses are.
    ByAddress,
}

impl<'h> FunctionLowering<'_, 'h> {
    /// Demands that operands which are evaluated in no particular order, and what is written then, do not get into each
    /// other's way.
    pub fn require_sequenced(&mut self, operands: &[Child<'h>], written: Option<Written<'h>>) {
        if !self.is_users() || !operands.iter().any(|operand| operand.any(&changes)) {
            return;
        }
        let mut all: Vec<Deeds<'h>> = operands.iter().map(|operand| deeds(*operand)).collect();
        let mut pairs = Vec::new();
        if let Some(written) = written {
            let touch = OwnAccess { place: written.place, writes: true, is_certain: true };
            for operand in operands {
                let mut late = Vec::new();
                unfinished(*operand, true, &mut late);
                pairs.extend(late.into_iter().map(|other| (touch, other)));
            }
            // An atomic update reads and writes at once, after its operand.
            if written.is_read && !is_atomic(written.place) {
                all[0].touches.push(OwnAccess { writes: false, ..touch });
            }
        }
        for (position, left) in all.iter().enumerate() {
            for right in &all[position + 1..] {
                let reads_atomics = |deeds: &Deeds<'_>| deeds.touches.iter().any(|touch| is_atomic(touch.place));
                if reads_atomics(left) && reads_atomics(right) {
                    self.assume_order();
                }
                for a in &left.touches {
                    pairs.extend(right.touches.iter().filter(|b| a.writes || b.writes).map(|b| (*a, *b)));
                }
                self.note_order(left, right);
            }
        }
        let assigned = assigned(&all);
        let mut compared = 0;
        for (a, b) in pairs {
            match self.relation(a.place, b.place, &assigned) {
                Relation::Apart => {}
                Relation::Same if a.is_certain && b.is_certain => {
                    return self.builder.require(Expr::falsehood(), Undefined::Unsequenced);
                }
                Relation::ByAddress if a.is_certain && b.is_certain && compared < MOST_COMPARED => {
                    compared += 1;
                    self.require_apart(a.place, b.place);
                }
                Relation::Same | Relation::ByAddress => self.assume_order(),
            }
        }
    }

    fn require_apart(&mut self, a: &'h Place, b: &'h Place) {
        let [a, b] = [a, b].map(|place| {
            let address = self.address_of(place);
            self.builder.hold(address, Display::Pointer)
        });
        let same = Expr::binary(BinaryOp::Equal, a, b);
        self.builder.require(same.not(), Undefined::Unsequenced);
    }

    /// Takes note of it if the order of two operands can matter because of calls.
    fn note_order(&mut self, left: &Deeds<'h>, right: &Deeds<'h>) {
        if left.calls.is_empty() && right.calls.is_empty() {
            return;
        }
        let [left, right]: [Reached; 2] =
            [left, right].map(|deeds| reach::of_deeds(self.whole, self.unit, self.body, deeds));
        if reach::conflict(self.whole, &left, &right) {
            self.assume_order();
        }
    }

    fn assume_order(&mut self) {
        let span = self.builder.span;
        let message = format!(
            "operands and arguments are evaluated from left to right in line {}, where the order can matter",
            span.line
        );
        self.builder.program.add_caveat(span, message);
    }

    fn relation(&self, a: &Place, b: &Place, assigned: &BTreeSet<LocalId>) -> Relation {
        let types = self.types();
        let is_like = |ty| types.is_pointer(ty) as u8 + 2 * types.is_float(ty) as u8;
        let (a_ty, b_ty) = (a.ty.ty, b.ty.ty);
        let is_aggregate = types.is_aggregate(a_ty) || types.is_aggregate(b_ty);
        if is_aggregate || types.size(a_ty) != types.size(b_ty) || is_like(a_ty) != is_like(b_ty) {
            return Relation::Apart;
        }
        match (root(a), root(b)) {
            (Some(a_root), Some(b_root)) => {
                let is_same = a_root == b_root && a.bits == b.bits;
                if is_same { Relation::Same } else { Relation::Apart }
            }
            _ if a.bits.is_some() || b.bits.is_some() => Relation::Apart,
            _ if self.is_steady_place(a, assigned) && self.is_steady_place(b, assigned) => Relation::ByAddress,
            _ => Relation::Apart,
        }
    }

    /// Whether the address of a place in memory is the same before and after some locals are assigned to, and costs
    /// nothing to find.
    fn is_steady_place(&self, place: &Place, assigned: &BTreeSet<LocalId>) -> bool {
        match &place.kind {
            PlaceKind::Local(local) => self.body.locals[local.index()].needs_memory,
            PlaceKind::Global(_) => true,
            PlaceKind::Member { base, .. } => self.is_steady_place(base, assigned),
            PlaceKind::Deref(pointer) => self.is_steady(pointer, assigned),
            PlaceKind::Temporary(_) | PlaceKind::CompoundLiteral(..) | PlaceKind::After(..) => false,
        }
    }

    fn is_steady(&self, expr: &Typed, assigned: &BTreeSet<LocalId>) -> bool {
        use BinaryOperator::{Add, Multiply, Subtract};
        match &expr.kind {
            ExprKind::Integer(_) => true,
            ExprKind::Load(place) => match place.kind {
                PlaceKind::Local(local) => !self.body.locals[local.index()].needs_memory && !assigned.contains(&local),
                _ => false,
            },
            ExprKind::AddressOf(place) => self.is_steady_place(place, assigned),
            ExprKind::Convert(operand) => self.is_steady(operand, assigned),
            ExprKind::PointerOffset { pointer: a, index: b, .. }
            | ExprKind::Binary(Add | Subtract | Multiply, a, b) => {
                self.is_steady(a, assigned) && self.is_steady(b, assigned)
            }
            _ => false,
        }
    }
}

fn is_atomic(place: &Place) -> bool {
    place.ty.qualifiers.is_atomic
}

/// Whether evaluating an expression assigns, calls, or reads what others may change at any moment.
fn changes(expr: &Typed) -> bool {
    let does = match &expr.kind {
        ExprKind::Assign(..)
        | ExprKind::CompoundAssign { .. }
        | ExprKind::Increment { .. }
        | ExprKind::Call { .. }
        | ExprKind::Builtin(..) => true,
        ExprKind::Load(place) => is_atomic(place),
        _ => false,
    };
    does || effects::parts(expr).into_iter().any(|part| part.any(&changes))
}

/// What evaluating an expression, or finding a place, does.
pub fn deeds(part: Child<'_>) -> Deeds<'_> {
    let mut found = Deeds::default();
    gather(part, true, &mut found);
    found
}

fn gather<'h>(part: Child<'h>, is_certain: bool, found: &mut Deeds<'h>) {
    let expr = match part {
        Child::Expr(expr) => expr,
        Child::Place(place) => {
            return effects::place_exprs(place, &mut |expr| gather(Child::Expr(expr), is_certain, found));
        }
    };
    let touch = |place, writes| OwnAccess { place, writes, is_certain };
    match &expr.kind {
        ExprKind::Load(place) => found.touches.push(touch(place, false)),
        ExprKind::Assign(place, _) | ExprKind::CompoundAssign { place, .. } | ExprKind::Increment { place, .. } => {
            found.touches.push(touch(place, true));
        }
        ExprKind::Call { .. } | ExprKind::Builtin(..) => found.calls.push(expr),
        _ => {}
    }
    for (position, part) in effects::parts(expr).into_iter().enumerate() {
        let is_optional = position > 0 && is_branching(expr);
        gather(part, is_certain && !is_optional, found);
    }
}

/// Whether only the first part of an expression is evaluated in any case.
fn is_branching(expr: &Typed) -> bool {
    matches!(expr.kind, ExprKind::Logical(..) | ExprKind::Conditional(..) | ExprKind::ConditionalOmitted(..))
}

/// The writes that need not be complete when the value of an expression is known.
fn unfinished<'h>(part: Child<'h>, is_certain: bool, found: &mut Vec<OwnAccess<'h>>) {
    let expr = match part {
        Child::Expr(expr) => expr,
        Child::Place(place) => {
            return match &place.kind {
                PlaceKind::Deref(expr) => unfinished(Child::Expr(expr), is_certain, found),
                PlaceKind::Member { base, .. } => unfinished(Child::Place(base), is_certain, found),
                PlaceKind::After(_, place) => unfinished(Child::Place(place), is_certain, found),
                _ => {}
            };
        }
    };
    match &expr.kind {
        ExprKind::Assign(place, _) | ExprKind::CompoundAssign { place, .. } | ExprKind::Increment { place, .. } => {
            found.push(OwnAccess { place, writes: true, is_certain });
        }
        // Everything before the call, the comma or the branch is complete.
        ExprKind::Call { .. } | ExprKind::Builtin(..) => return,
        ExprKind::Comma(_, last) => return unfinished(Child::Expr(last), is_certain, found),
        _ => {}
    }
    let is_branching = is_branching(expr);
    for part in effects::parts(expr).into_iter().skip(usize::from(is_branching)) {
        unfinished(part, is_certain && !is_branching, found);
    }
}

/// What a place is part of, and where, if that is a variable.
fn root(place: &Place) -> Option<(Result<LocalId, crate::hir::GlobalId>, u64)> {
    match &place.kind {
        PlaceKind::Local(local) => Some((Ok(*local), 0)),
        PlaceKind::Global(global) => Some((Err(*global), 0)),
        PlaceKind::Member { base, offset } => root(base).map(|(variable, at)| (variable, at + offset)),
        _ => None,
    }
}

/// The locals that are assigned to.
fn assigned(all: &[Deeds<'_>]) -> BTreeSet<LocalId> {
    let touches = all.iter().flat_map(|deeds| &deeds.touches);
    touches.filter(|touch| touch.writes).filter_map(|touch| root(touch.place)?.0.ok()).collect()
}
