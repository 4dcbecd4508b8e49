//! Fusing straight-line atomic sections: `atomic_begin(); …; atomic_end();` with nothing but loads, stores, assignments
//! and atomic updates in between is one atomic update.
//!
//! Nobody can jump into the middle of what is fused, as every location inside has one way in and one way out.

use super::tidy::tidy;
use selvedge_program::{Access, Action, AtomicStep, Atomicity, EdgeId, Expr, Function, Interpretation, LocationId};

/// The same function with its straight-line sections fused.
pub fn fuse(mut function: Function) -> Function {
    let begins: Vec<EdgeId> = (0..function.edges.len())
        .map(EdgeId::new)
        .filter(|edge| function.edge(*edge).action == Action::AtomicBegin)
        .collect();
    if begins.is_empty() {
        return function;
    }
    let mut ways_in = vec![0_usize; function.locations.len()];
    for edge in &function.edges {
        ways_in[edge.target.index()] += 1;
    }
    let mut is_changed = false;
    for begin in begins {
        if let Some((steps, end)) = section(&function, begin, &ways_in) {
            let first = function.location(function.edge(begin).target).outgoing.first().copied();
            let span = first.map_or(function.edge(begin).span, |first| function.edge(first).span);
            let edge = &mut function.edges[begin.index()];
            edge.action = if steps.is_empty() { Action::Assume(Expr::truth()) } else { Action::Atomic(steps) };
            edge.target = end;
            edge.span = span;
            is_changed = true;
        }
    }
    if is_changed { tidy(function) } else { function }
}

/// The steps of the section that an edge begins, and where its end leads; `None` if it is not straight.
fn section(function: &Function, begin: EdgeId, ways_in: &[usize]) -> Option<(Vec<AtomicStep>, LocationId)> {
    let mut steps = Vec::new();
    let mut has_written = false;
    let mut at = function.edge(begin).target;
    loop {
        let location = function.location(at);
        let [edge] = location.outgoing.as_slice() else { return None };
        if ways_in[at.index()] != 1 || location.label.is_some() {
            return None;
        }
        let edge = function.edge(*edge);
        match &edge.action {
            Action::AtomicEnd => return Some((steps, edge.target)),
            Action::Load { target, access, interpretation: Interpretation::Value } => {
                steps.push(AtomicStep::Read { target: *target, access: atomic(access) });
            }
            Action::Assign { target, value } => {
                steps.push(AtomicStep::Let { target: *target, value: value.clone() });
            }
            Action::Store { access, value } => {
                has_written = true;
                steps.push(AtomicStep::Write { when: Expr::truth(), access: atomic(access), value: value.clone() });
            }
            Action::Atomic(inner) if !has_written && inner.iter().all(can_be_inside) => {
                has_written = inner.iter().any(|step| matches!(step, AtomicStep::Write { .. }));
                steps.extend(inner.iter().cloned());
            }
            // Every access of the update is in order.
            Action::Fence(_) => {}
            Action::Load { interpretation: Interpretation::Raw | Interpretation::Determinate, .. }
            | Action::Atomic(_)
            | Action::Assume(_)
            | Action::Havoc { .. }
            | Action::Forget { .. }
            | Action::EndLife { .. }
            | Action::Spawn { .. }
            | Action::ThreadExit { .. }
            | Action::Exit { .. }
            | Action::Allocate { .. }
            | Action::Free { .. }
            | Action::Assert { .. }
            | Action::Require { .. }
            | Action::Call { .. }
            | Action::Return { .. }
            | Action::AtomicBegin
            | Action::Output(_)
            | Action::Unsupported(_)
            | Action::Inexact(_) => return None,
        }
        at = edge.target;
    }
}

/// Within a section every access is atomic.
fn atomic(access: &Access) -> Access {
    Access { atomicity: Atomicity::SEQUENTIAL, ..access.clone() }
}

/// Waiting inside a section would let others run in between, so only updates that never wait are taken in.
fn can_be_inside(step: &AtomicStep) -> bool {
    match step {
        AtomicStep::Read { .. }
        | AtomicStep::Let { .. }
        | AtomicStep::Write { .. }
        | AtomicStep::Require(..)
        | AtomicStep::Mark { .. } => true,
        AtomicStep::Guard(_)
        | AtomicStep::Spurious
        | AtomicStep::PickThread { .. }
        | AtomicStep::WriteThreads { .. } => false,
    }
}
