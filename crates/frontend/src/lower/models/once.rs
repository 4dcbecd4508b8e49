//! `pthread_once` and `call_once`: the first to come runs the routine, the others wait until it is done.

use super::arguments::int_result;
use super::{ModelCall, Modelled};
use selvedge_program::{Action, Expr, GhostField};

const NOT_RUN: u128 = 0;
const RUNNING: u128 = 1;
const DONE: u128 = 2;

/// `pthread_once`, `call_once`.
pub(super) fn once(call: &mut ModelCall<'_, '_>) -> Modelled {
    let (control, callee) = (call.pointer(0), call.callee(1));
    let [not_run, running, done] = [NOT_RUN, RUNNING, DONE].map(|state| call.ghost(GhostField::OnceState, state));
    let (first, end) = (call.function.location(), call.function.location());

    let mut update = call.function.atomic();
    let state = update.read_ghost(control.clone(), GhostField::OnceState);
    update.guard(Expr::equal(state, not_run));
    update.write_ghost(control.clone(), GhostField::OnceState, running);
    update.commit_to(first);

    let mut update = call.function.atomic();
    let state = update.read_ghost(control.clone(), GhostField::OnceState);
    update.guard(Expr::equal(state, done.clone()));
    update.commit_to(end);

    call.function.stand_at(first);
    call.function.emit(Action::Call { target: None, callee, arguments: Vec::new() });
    let mut update = call.function.atomic();
    update.write_ghost(control, GhostField::OnceState, done);
    update.commit_to(end);
    call.function.stand_at(end);
    int_result(0)
}
