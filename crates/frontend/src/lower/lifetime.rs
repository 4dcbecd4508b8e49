//! The life of locals: it ends with their block (C11 6.2.4), not with their function.
//!
//! Only what a pointer can outlive is given an end of its own: locals in memory whose address goes anywhere else than
//! straight into an access. Where a jump can lead past the declaration, or leaves the block by `goto`, the local lives
//! on until its function returns; so do variable-length arrays. A pointer from one round of a loop into the next is not
//! told from one into the new round.
//!
//! What a declaration defers to the end of its block (`__attribute__((cleanup(f)))`) is done on every way out of it, before
//! the local's life ends.

use super::effects::{Child, for_each_part, for_each_statement, parts, skippable_declarations, values};
use super::function::{FunctionLowering, Home};
use crate::hir::{Body, Expr, ExprKind, LabelId, LocalId, Place, PlaceKind, Statement, StatementKind};
use selvedge_program::{Action, FrameObjectId};
use std::collections::BTreeSet;

/// The locals that a pointer can outlive.
pub fn outlivable(body: &Body) -> BTreeSet<LocalId> {
    let mut found = BTreeSet::new();
    for_each_part(&body.statement, &mut |part| escapes(part, &mut found));
    for local in skippable_declarations(body) {
        found.remove(&local);
    }
    found
}

/// Collects the locals whose address is a value somewhere in an expression.
fn escapes(part: Child<'_>, found: &mut BTreeSet<LocalId>) {
    match part {
        Child::Expr(Expr { kind: ExprKind::AddressOf(place), .. }) => {
            found.extend(root(place));
            escapes(Child::Place(place), found);
        }
        Child::Expr(Expr { kind: ExprKind::StatementExpr(statement, value), .. }) => {
            for_each_part(statement, &mut |part| escapes(part, found));
            if let Some(value) = value {
                escapes(Child::Expr(value), found);
            }
        }
        Child::Expr(expr) => parts(expr).into_iter().for_each(|part| escapes(part, found)),
        Child::Place(place) => match &place.kind {
            PlaceKind::Local(_) | PlaceKind::Global(_) => {}
            PlaceKind::Deref(pointer) => accessed(pointer, found),
            PlaceKind::Temporary(value) => escapes(Child::Expr(value), found),
            PlaceKind::Member { base, .. } => escapes(Child::Place(base), found),
            PlaceKind::CompoundLiteral(_, initializer) => {
                values(initializer).for_each(|value| escapes(Child::Expr(value), found));
            }
            PlaceKind::After(effect, place) => {
                escapes(Child::Expr(effect), found);
                escapes(Child::Place(place), found);
            }
        },
    }
}

/// The same for a pointer that is only used for an access: `a[i]` lets `a` go nowhere.
fn accessed(pointer: &Expr, found: &mut BTreeSet<LocalId>) {
    match &pointer.kind {
        ExprKind::PointerOffset { pointer, index, .. } => {
            escapes(Child::Expr(index), found);
            accessed(pointer, found);
        }
        ExprKind::AddressOf(place) => escapes(Child::Place(place), found),
        _ => escapes(Child::Expr(pointer), found),
    }
}

/// The local that a place is part of.
fn root(place: &Place) -> Option<LocalId> {
    match &place.kind {
        PlaceKind::Local(local) | PlaceKind::CompoundLiteral(local, _) => Some(*local),
        PlaceKind::Member { base, .. } => root(base),
        PlaceKind::After(_, place) => root(place),
        PlaceKind::Deref(pointer) => match &pointer.kind {
            ExprKind::AddressOf(place) => root(place),
            ExprKind::PointerOffset { pointer, .. } => match &pointer.kind {
                ExprKind::AddressOf(place) => root(place),
                _ => None,
            },
            _ => None,
        },
        PlaceKind::Global(_) | PlaceKind::Temporary(_) => None,
    }
}

/// What is due when control leaves a block.
#[derive(Clone, Copy, Debug)]
enum Due<'h> {
    EndLife(FrameObjectId),
    Evaluate(&'h Expr),
}

/// A block that is being lowered.
#[derive(Clone, Debug)]
struct Block<'h> {
    statement: &'h Statement,
    /// The first first.
    due: Vec<Due<'h>>,
}

/// The blocks that are being lowered, the outermost first.
#[derive(Clone, Debug, Default)]
pub struct Blocks<'h> {
    open: Vec<Block<'h>>,
    outlivable: BTreeSet<LocalId>,
}

impl<'h> Blocks<'h> {
    /// No block of the body has begun.
    pub fn of(body: &'h Body) -> Self {
        Blocks { open: Vec::new(), outlivable: outlivable(body) }
    }

    /// Whether something is deferred to the end of a block beyond a depth.
    pub fn are_deferring(&self, depth: usize) -> bool {
        self.due(depth).iter().any(|due| matches!(due, Due::Evaluate(_)))
    }

    /// What is due when control leaves the blocks beyond a depth, in this order.
    fn due(&self, depth: usize) -> Vec<Due<'h>> {
        self.open[depth..].iter().rev().flat_map(|block| block.due.iter().rev()).copied().collect()
    }

    /// How many blocks are open.
    pub fn depth(&self) -> usize {
        self.open.len()
    }
}

fn has_label(statement: &Statement, label: LabelId) -> bool {
    let mut found = false;
    for_each_statement(statement, &mut |inner| {
        found |= matches!(inner.kind, StatementKind::Label(id) if id == label);
    });
    found
}

/// Whether a label stands before what is deferred in a block, so that a jump to it leaves the variable's scope.
fn precedes(label: LabelId, deferred: &Expr, block: &Statement) -> bool {
    let StatementKind::Block(statements) = &block.kind else { return false };
    let is_it = |statement: &Statement| matches!(&statement.kind, StatementKind::Deferred(expr) if std::ptr::eq(expr, deferred));
    statements.iter().take_while(|statement| !is_it(statement)).any(|statement| has_label(statement, label))
}

impl<'h> FunctionLowering<'_, 'h> {
    /// Does what stands in a block.
    pub fn in_block(&mut self, statement: &'h Statement, work: impl FnOnce(&mut Self)) {
        self.blocks.open.push(Block { statement, due: Vec::new() });
        work(self);
        let outside = self.blocks.depth() - 1;
        self.leave_blocks(outside);
        self.blocks.open.pop();
    }

    /// Does what is due in blocks that control leaves, down to a depth.
    pub fn leave_blocks(&mut self, depth: usize) {
        for due in self.blocks.due(depth) {
            match due {
                Due::EndLife(object) => {
                    self.builder.emit(Action::EndLife { object });
                }
                Due::Evaluate(expr) => self.effect(expr),
            }
        }
    }

    /// Does only what was deferred, since the function ends, or a jump leaves locals alive.
    pub fn clean_up(&mut self, depth: usize) {
        for due in self.blocks.due(depth) {
            if let Due::Evaluate(expr) = due {
                self.effect(expr);
            }
        }
    }

    /// The same on the way to a label.
    pub fn clean_up_towards(&mut self, label: LabelId) {
        if !self.blocks.are_deferring(0) {
            return;
        }
        let around = self.blocks.open.iter().rposition(|block| has_label(block.statement, label));
        let Some(around) = around else {
            return self.builder.unsupported("a `goto` in a statement expression past cleanup functions");
        };
        self.clean_up(around + 1);
        for due in self.blocks.open[around].due.clone().into_iter().rev() {
            if let Due::Evaluate(expr) = due
                && precedes(label, expr, self.blocks.open[around].statement)
            {
                self.effect(expr);
            }
        }
    }

    /// From here on, an expression is due when the block is left.
    pub fn defer(&mut self, expr: &'h Expr) {
        if let Some(innermost) = self.blocks.open.last_mut() {
            innermost.due.push(Due::Evaluate(expr));
        }
    }

    /// Whether the life of a local in memory begins with its declaration, which has been reached; it then ends with the
    /// block.
    pub fn begins_life(&mut self, local: LocalId) -> bool {
        let Home::Frame(object) = self.homes[local.index()] else { return false };
        // The outermost block ends with the function.
        let is_inner = self.blocks.depth() > 1 && self.blocks.outlivable.contains(&local);
        if let Some(innermost) = self.blocks.open.last_mut().filter(|_| is_inner) {
            innermost.due.push(Due::EndLife(object));
        }
        is_inner
    }
}
