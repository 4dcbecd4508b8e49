//! The numbers that a program speaks of: what to try first where a choice has too many answers to try them all.

use selvedge_program::{Action, AtomicStep, Expr, Program};
use std::collections::BTreeSet;

/// At most so many numbers.
const MOST: usize = 32;

/// Constants of the program's expressions with their neighbours, the smallest first, after 0, 1 and -1. Wider than any
/// register.
pub fn likely_numbers(program: &Program) -> Vec<u128> {
    let mut constants = BTreeSet::new();
    for edge in program.functions.iter().flat_map(|function| &function.edges) {
        for expr in expressions(&edge.action) {
            collect(expr, &mut constants);
        }
    }
    let near = |number: i128| [number, number.wrapping_sub(1), number.wrapping_add(1)];
    let mut numbers = vec![0, 1, -1];
    numbers.extend(constants.into_iter().map(|(_, number)| number).flat_map(near));
    let mut seen = BTreeSet::new();
    numbers.retain(|number| seen.insert(*number));
    numbers.truncate(MOST);
    numbers.into_iter().map(|number| number as u128).collect()
}

/// The expressions in which an action computes or decides something.
fn expressions(action: &Action) -> Vec<&Expr> {
    match action {
        Action::Assume(value)
        | Action::Assign { value, .. }
        | Action::Store { value, .. }
        | Action::Assert { condition: value, .. }
        | Action::Require { condition: value, .. } => vec![value],
        Action::Call { arguments, .. } => arguments.iter().collect(),
        Action::Return { value } => value.iter().collect(),
        Action::Atomic(steps) => steps
            .iter()
            .filter_map(|step| match step {
                AtomicStep::Let { value, .. } | AtomicStep::Guard(value) | AtomicStep::Write { value, .. } => {
                    Some(value)
                }
                AtomicStep::Read { .. }
                | AtomicStep::Spurious
                | AtomicStep::Require(..)
                | AtomicStep::PickThread { .. }
                | AtomicStep::WriteThreads { .. }
                | AtomicStep::Mark { .. } => None,
            })
            .collect(),
        Action::Load { .. }
        | Action::Havoc { .. }
        | Action::Forget { .. }
        | Action::EndLife { .. }
        | Action::Spawn { .. }
        | Action::ThreadExit { .. }
        | Action::Exit { .. }
        | Action::Allocate { .. }
        | Action::Free { .. }
        | Action::AtomicBegin
        | Action::AtomicEnd
        | Action::Fence(_)
        | Action::Output(_)
        | Action::Unsupported(_)
        | Action::Inexact(_) => Vec::new(),
    }
}

/// Adds the constants of an expression, each with its size, so that small ones come first.
fn collect(expr: &Expr, constants: &mut BTreeSet<(u128, i128)>) {
    match expr {
        Expr::Constant(bits) => {
            for number in [bits.as_signed(), bits.unsigned() as i128] {
                constants.insert((number.unsigned_abs(), number));
            }
        }
        Expr::Register(..) | Expr::Address(..) => {}
        Expr::Unary(_, operand) | Expr::Convert(_, _, operand) => collect(operand, constants),
        Expr::Binary(_, left, right) => {
            collect(left, constants);
            collect(right, constants);
        }
        Expr::IfThenElse(condition, then, otherwise) => {
            collect(condition, constants);
            collect(then, constants);
            collect(otherwise, constants);
        }
    }
}
