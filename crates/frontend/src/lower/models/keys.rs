//! Thread-specific data, of pthreads and of C11: a value per thread and key.
//!
//! Keys are given out in order and never again. In programs with destructors every thread but the first runs a function
//! of ours, which calls the thread's own and then the destructors.

use super::arguments::{int, int_result};
use super::errno::EAGAIN;
use super::ghost::set;
use super::{ModelCall, Modelled};
use selvedge_program::{Action, BinaryOp, Callee, Display, Expr, GhostField};

/// `PTHREAD_KEYS_MAX`.
const MAXIMUM: u128 = 1024;

/// `pthread_key_create`, `tss_create`.
pub(super) fn create(call: &mut ModelCall<'_, '_>) -> Modelled {
    let (null, status) = (call.function.null(), call.status());
    let (created, end) = (call.function.location(), call.function.location());
    let exhausted = if call.name.starts_with("tss_") { super::c11_threads::THRD_ERROR } else { EAGAIN };
    let maximum = Expr::constant(32, MAXIMUM);

    let mut update = call.function.atomic();
    let key = update.read_ghost(null.clone(), GhostField::NextKey);
    update.guard(Expr::binary(BinaryOp::LessUnsigned, key.clone(), maximum.clone()));
    update.write_ghost(null.clone(), GhostField::NextKey, key.clone().plus(1));
    set(&mut update, status, int(0));
    update.commit_to(created);

    let mut update = call.function.atomic();
    let next = update.read_ghost(null, GhostField::NextKey);
    update.guard(Expr::binary(BinaryOp::LessUnsigned, next, maximum).not());
    set(&mut update, status, int(exhausted));
    update.commit_to(end);

    call.function.stand_at(created);
    call.store_through(0, 4, key.clone());
    if call.facts.has_key_destructors {
        let destructor = call.pointer(1);
        call.set_destructor(key, destructor);
    }
    call.function.jump(end);
    call.function.stand_at(end);
    call.status_result(status)
}

impl ModelCall<'_, '_> {
    fn set_destructor(&mut self, key: Expr, destructor: Expr) {
        let callee = Callee::Direct(self.function.program.c_model("__selvedge_set_destructor"));
        self.function.emit(Action::Call { target: None, callee, arguments: vec![key, destructor] });
    }
}

/// `pthread_key_delete`, `tss_delete`: values stay, but no destructor will see them.
pub(super) fn delete(call: &mut ModelCall<'_, '_>) -> Modelled {
    if call.facts.has_key_destructors {
        let (key, none) = (call.unsigned(0), call.function.null());
        call.set_destructor(key, none);
    }
    int_result(0)
}

/// Where the executing thread keeps the value of the key.
fn place(call: &mut ModelCall<'_, '_>) -> Expr {
    let key = call.unsigned(0).resize_unsigned(call.function.pointer_width());
    Expr::binary(BinaryOp::Add, call.function.self_thread(), key)
}

/// `pthread_setspecific`, `tss_set`.
pub(super) fn set_value(call: &mut ModelCall<'_, '_>) -> Modelled {
    let (place, value) = (place(call), call.pointer(1));
    call.store_ghost(place, GhostField::ThreadSpecific, value);
    int_result(0)
}

/// `pthread_getspecific`, `tss_get`.
pub(super) fn get_value(call: &mut ModelCall<'_, '_>) -> Modelled {
    let place = place(call);
    Modelled::Value(call.load_ghost(place, GhostField::ThreadSpecific), Display::Pointer)
}
