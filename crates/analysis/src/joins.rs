//! Which updates are joins, and of which threads.
//!
//! A join is recognised by what it does to the thread's status (0 running, 1 finished, 2 joined), not by the name of a library
//! function: executed by another thread, it passes only when the status is 1, and leaves it at 2. So of each thread it passes at most
//! once, and only after the thread's end. That is what [`crate::parallel`] counts on.

use crate::{PointsTo, SpawnSite};
use selvedge_program::thread_status::{FINISHED, JOINED, RUNNING};
use selvedge_program::{AtomicStep, Base, BinaryOp, Expr, FunctionId, GhostField, Place, RegisterId, UnaryOp};

/// The spawns of which an update joins a thread, unless that thread is the executing one; `None` if the update is no join or the
/// thread not known by its spawn.
pub fn joined_threads(points_to: &PointsTo, function: FunctionId, steps: &[AtomicStep]) -> Option<Vec<SpawnSite>> {
    let sites = points_to.threads(function, joined_handle(steps)?)?;
    (!sites.is_empty()).then_some(sites)
}

/// The handle of the thread that an update joins unless it is the executing thread, if the update is a join.
pub fn joined_handle(steps: &[AtomicStep]) -> Option<&Expr> {
    let (status, handle) = steps.iter().find_map(|step| match step {
        AtomicStep::Read { target, access } => status_of(&access.place).map(|handle| (*target, handle)),
        AtomicStep::Let { .. }
        | AtomicStep::Guard(_)
        | AtomicStep::Spurious
        | AtomicStep::Require(..)
        | AtomicStep::Write { .. }
        | AtomicStep::PickThread { .. }
        | AtomicStep::WriteThreads { .. } => None,
    })?;
    let mut assigned_in_handle = false;
    let mut times_read = 0;
    let (mut stops_running, mut stops_joined, mut marks) = (false, false, false);
    for step in steps {
        match step {
            AtomicStep::Read { target, .. }
            | AtomicStep::Let { target, .. }
            | AtomicStep::PickThread { target, .. } => {
                handle.for_each_register(&mut |register| assigned_in_handle |= register == *target);
                times_read += usize::from(*target == status);
            }
            AtomicStep::Guard(condition) | AtomicStep::Require(condition, _) if times_read == 1 => {
                let stops = |value| Case { status, value, handle }.holds(condition) == Some(false);
                stops_running |= stops(RUNNING);
                stops_joined |= stops(JOINED);
            }
            AtomicStep::Guard(_) | AtomicStep::Require(..) | AtomicStep::Spurious => {}
            AtomicStep::Write { when, access, value } => {
                let Some(marked) = status_of(&access.place) else { continue };
                let becomes_joined = matches!(value, Expr::Constant(bits) if bits.unsigned() == JOINED);
                let surely = Case { status, value: FINISHED, handle }.holds(when) == Some(true);
                if marked != handle || !becomes_joined || !surely || times_read != 1 {
                    return None;
                }
                marks = true;
            }
            AtomicStep::WriteThreads { field, .. } if *field != GhostField::ThreadStatus => {}
            AtomicStep::WriteThreads { .. } => return None,
        }
    }
    (stops_running && stops_joined && marks && times_read == 1 && !assigned_in_handle).then_some(handle)
}

fn status_of(place: &Place) -> Option<&Expr> {
    match place {
        Place::Ghost { address, field: GhostField::ThreadStatus } => Some(address),
        _ => None,
    }
}

/// A status that the thread may have, when it is not the executing one.
struct Case<'a> {
    status: RegisterId,
    value: u128,
    handle: &'a Expr,
}

impl Case<'_> {
    /// Whether a condition holds in this case, where that is certain.
    fn holds(&self, condition: &Expr) -> Option<bool> {
        match condition {
            Expr::Constant(bits) => Some(!bits.is_zero()),
            Expr::Unary(UnaryOp::Not, operand) if operand.width() == 1 => self.holds(operand).map(|holds| !holds),
            Expr::Binary(BinaryOp::And, left, right) if left.width() == 1 => {
                match (self.holds(left), self.holds(right)) {
                    (Some(false), _) | (_, Some(false)) => Some(false),
                    (left, right) => Some(left? && right?),
                }
            }
            Expr::Binary(BinaryOp::Or, left, right) if left.width() == 1 => {
                match (self.holds(left), self.holds(right)) {
                    (Some(true), _) | (_, Some(true)) => Some(true),
                    (left, right) => Some(left? || right?),
                }
            }
            Expr::Binary(BinaryOp::Equal, left, right) => match (left.as_ref(), right.as_ref()) {
                (Expr::Register(register, _), Expr::Constant(bits))
                | (Expr::Constant(bits), Expr::Register(register, _))
                    if *register == self.status =>
                {
                    Some(bits.unsigned() == self.value)
                }
                (Expr::Address(Base::SelfThread, _), other) | (other, Expr::Address(Base::SelfThread, _)) => {
                    (other == self.handle).then_some(false)
                }
                _ => None,
            },
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use selvedge_program::assemble::{Assembly, ghost};
    use selvedge_program::{Action, Expr, FunctionId};

    #[test]
    fn a_join_is_known_by_what_it_does() {
        let mut assembly = Assembly::new();
        assembly.function("main", None, |main| {
            let thread = main.register("thread", 64);
            main.spawn(thread, FunctionId(0), Expr::constant(64, 0));
            main.join(thread);
            let status = main.register("status", 32);
            let access = ghost(thread.into(), GhostField::ThreadStatus);
            let finished = Expr::equal(status.into(), Expr::constant(32, FINISHED));
            let read = AtomicStep::Read { target: status.0, access: access.clone() };
            let mark = |when| AtomicStep::Write { when, access: access.clone(), value: Expr::constant(32, JOINED) };
            // It does not wait.
            main.then(Action::Atomic(vec![read.clone(), mark(finished.clone())]));
            // It passes for a thread that has been joined before.
            let ended = Expr::equal(status.into(), Expr::constant(32, RUNNING)).not();
            main.then(Action::Atomic(vec![read.clone(), AtomicStep::Guard(ended), mark(Expr::truth())]));
            // It leaves no mark.
            main.then(Action::Atomic(vec![read, AtomicStep::Guard(finished)]));
        });
        let steps = assembly.program.functions[0].edges.iter().filter_map(|edge| match &edge.action {
            Action::Atomic(steps) => Some(joined_handle(steps).is_some()),
            _ => None,
        });
        assert_eq!(steps.collect::<Vec<_>>(), [true, false, false, false]);
    }
}
