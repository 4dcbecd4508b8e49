//! Updates that look at a thread's status without minding whether it has ended: a detachment only wants to know that
//! the thread has not been joined. The thread's end can be taken before or after such an update with the same result,
//! so a thread that has nothing else left to do need not wait for it. Without this, detached threads that are about to
//! end would pile up.

use selvedge_program::thread_status::FINISHED;
use selvedge_program::{Action, AtomicStep, BinaryOp, EdgeId, Expr, Function, GhostField, Place, RegisterId};

use crate::region::written_at_end;
use selvedge_program::live::Live;

/// Whether an edge is an update that reads the status of threads only to compare it with what it is after a join, and
/// reads nothing else that the end of a thread writes.
pub fn is_blind_to_end(function: &Function, edge: EdgeId) -> bool {
    let definition = function.edge(edge);
    let Action::Atomic(steps) = &definition.action else { return false };
    let mut statuses: Vec<RegisterId> = Vec::new();
    for step in steps {
        match step {
            AtomicStep::Read { target, access } => match &access.place {
                Place::Ghost { field: GhostField::ThreadStatus, .. } => statuses.push(*target),
                Place::Ghost { field, .. } if written_at_end(*field) => return false,
                _ => {}
            },
            AtomicStep::Write { access, .. } => {
                if matches!(&access.place, Place::Ghost { field, .. } if written_at_end(*field)) {
                    return false;
                }
            }
            AtomicStep::PickThread { field, .. } | AtomicStep::WriteThreads { field, .. } => {
                if written_at_end(*field) {
                    return false;
                }
            }
            AtomicStep::Let { .. }
            | AtomicStep::Guard(_)
            | AtomicStep::Require(..)
            | AtomicStep::Spurious
            | AtomicStep::Mark { .. } => {}
        }
    }
    if statuses.is_empty() {
        return false;
    }
    let mut blind = true;
    definition.action.for_each_expression(&mut |expr| blind &= compares_blindly(expr, &statuses));
    blind && !Live::of(function).at(definition.target).iter().any(|register| statuses.contains(register))
}

/// Whether an expression has the same value for a running and for an ended thread: a status stands in it only to be
/// compared with a number that is neither.
fn compares_blindly(expr: &Expr, statuses: &[RegisterId]) -> bool {
    let blind = |expr: &Expr| compares_blindly(expr, statuses);
    match expr {
        Expr::Constant(_) | Expr::Address(..) => true,
        Expr::Register(register, _) => !statuses.contains(register),
        Expr::Unary(_, operand) | Expr::Convert(_, _, operand) => blind(operand),
        Expr::Binary(BinaryOp::Equal, left, right) => match (left.as_ref(), right.as_ref()) {
            (Expr::Register(..), Expr::Constant(number)) | (Expr::Constant(number), Expr::Register(..)) => {
                number.unsigned() > FINISHED || blind(left) && blind(right)
            }
            _ => blind(left) && blind(right),
        },
        Expr::Binary(_, left, right) => blind(left) && blind(right),
        Expr::IfThenElse(condition, then, otherwise) => blind(condition) && blind(then) && blind(otherwise),
    }
}
