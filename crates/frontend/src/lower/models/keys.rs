//! Thread-specific data, of pthreads and of C11: a value per thread and key.
//!
//! Keys are given out in order and never again. Destructors are not modelled: creating a key with one is `unknown`.

use super::arguments::{int, int_result};
use super::errno::EAGAIN;
use super::ghost::set;
use super::{ModelCall, Modelled};
use selvedge_program::{BinaryOp, Display, Expr, GhostField};

/// `PTHREAD_KEYS_MAX`.
const MAXIMUM: u128 = 1024;

/// `pthread_key_create`, `tss_create`.
pub(super) fn create(call: &mut ModelCall<'_, '_>) -> Modelled {
    let destructor = call.pointer(1);
    let message = format!("a destructor of thread-specific data (`{}`)", call.name);
    match destructor {
        Expr::Constant(bits) if bits.is_zero() => {}
        Expr::Constant(_) | Expr::Address(..) => return Modelled::Unsupported(message),
        destructor => call.when(destructor.is_true(), |call| call.function.unsupported(message)),
    }
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
    call.store_through(0, 4, key);
    call.function.jump(end);
    call.function.stand_at(end);
    call.status_result(status)
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
