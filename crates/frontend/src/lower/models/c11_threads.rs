//! C11 threads: what differs from pthreads. Results are `thrd_…`, and a thread returns an `int`.

use super::arguments::{int, int_result};
use super::threads::IdStored;
use super::{ModelCall, Modelled};
use selvedge_program::{BinaryOp, Expr};

/// `thrd_busy`, as our header has it.
pub const THRD_BUSY: i32 = 1;
/// `thrd_error`
pub const THRD_ERROR: i32 = 2;
/// `thrd_timedout`
pub const THRD_TIMEDOUT: i32 = 4;
/// `mtx_recursive`
pub const MTX_RECURSIVE: i128 = 1;

/// `thrd_create`.
pub(super) fn create(call: &mut ModelCall<'_, '_>) -> Modelled {
    call.spawn(1, "__selvedge_start_c11_thread", IdStored::BeforeStart);
    int_result(0)
}

/// `thrd_exit`.
pub(super) fn exit(call: &mut ModelCall<'_, '_>) -> Modelled {
    let value = call.int(0).resize_signed(call.function.pointer_width());
    call.exit_thread(value)
}

/// `mtx_init`: whether it is timed makes no difference.
pub(super) fn init_mutex(call: &mut ModelCall<'_, '_>) -> Modelled {
    let (mutex, flags) = (call.pointer(0), call.int(1));
    let kind = Expr::binary(BinaryOp::And, flags, int(MTX_RECURSIVE as i32));
    call.init_mutex(&mutex, kind);
    int_result(0)
}
