//! Atomic operations: C11's generic functions, gcc's `__atomic_…` and `__sync_…`, clang's `__c11_atomic_…`.
//!
//! Every one is a single update of the object it names, whose size is that of what the pointer argument points to (or
//! of the suffix, as in `__atomic_load_4`). Memory orders are kept; weaker ones count as sequentially consistent, which
//! the verdict says. What an operation reads or writes besides the object (`*expected`) are plain accesses before and
//! after.

mod name;
mod record;
mod update;

use super::arguments::int_result;
use super::{ModelCall, Modelled};
use name::{Family, Operation};
use selvedge_program::{Action, Atomicity, Display, Expr, MemoryOrder};

pub(super) use name::is_atomic;

/// The model of every operation that [`is_atomic`] knows.
pub(super) fn operation(call: &mut ModelCall<'_, '_>) -> Modelled {
    match name::parse(call.name) {
        Some(name) => update::operation(call, &name),
        None => Modelled::Unsupported(format!("the atomic operation `{}`", call.name)),
    }
}

impl ModelCall<'_, '_> {
    /// The memory order that an argument says, or sequentially consistent if there is no such argument.
    fn order(&mut self, index: usize) -> MemoryOrder {
        if self.arguments.get(index).is_none() {
            return MemoryOrder::SequentiallyConsistent;
        }
        let order = match self.int(index) {
            Expr::Constant(number) => MemoryOrder::of_number(number.unsigned()),
            _ => None,
        };
        let order = order.unwrap_or(MemoryOrder::Relaxed);
        self.note_order(order);
        order
    }

    /// Notes that a memory order is weaker than we take it to be, unless it is sequentially consistent.
    fn note_order(&mut self, order: MemoryOrder) {
        if order == MemoryOrder::SequentiallyConsistent {
            return;
        }
        let span = self.function.span;
        let message = "memory orders weaker than sequentially consistent are treated as sequentially consistent";
        self.function.program.add_caveat(span, message);
    }
}

/// `atomic_thread_fence`, `__atomic_thread_fence`: every access is in order already.
pub(super) fn fence(call: &mut ModelCall<'_, '_>) -> Modelled {
    let order = call.order(0);
    call.function.emit(Action::Fence(order));
    Modelled::Void
}

/// `__sync_synchronize`.
pub(super) fn full_fence(call: &mut ModelCall<'_, '_>) -> Modelled {
    call.function.emit(Action::Fence(MemoryOrder::SequentiallyConsistent));
    Modelled::Void
}

/// `atomic_signal_fence`, `__atomic_signal_fence`: no other thread can notice.
pub(super) fn signal_fence(call: &mut ModelCall<'_, '_>) -> Modelled {
    call.order(0);
    Modelled::Void
}

/// `atomic_is_lock_free`, `__atomic_is_lock_free`, `__atomic_always_lock_free`.
pub(super) fn is_lock_free(_call: &mut ModelCall<'_, '_>) -> Modelled {
    int_result(1)
}

/// `atomic_flag_test_and_set`, `__atomic_test_and_set`: one byte becomes 1.
pub(super) fn test_and_set(call: &mut ModelCall<'_, '_>) -> Modelled {
    let order = call.order(1);
    let flag = call.pointer(0);
    let mut update = call.function.atomic();
    update.order(order);
    let old = update.read(flag.clone(), 1, 1, Display::Unsigned);
    update.write_when(Expr::truth(), flag, 1, Expr::constant(8, 1));
    update.commit();
    Modelled::Value(old.is_true().resize_unsigned(8), Display::Bool)
}

/// `atomic_flag_clear`, `__atomic_clear`: one byte becomes 0.
pub(super) fn clear(call: &mut ModelCall<'_, '_>) -> Modelled {
    let order = call.order(1);
    let flag = call.pointer(0);
    call.function.store(flag, 1, Expr::constant(8, 0), Atomicity::Atomic(order));
    Modelled::Void
}

/// Whether the operand of an addition counts elements, not bytes.
fn scales(family: Family, operation: Operation) -> bool {
    family == Family::C11 && matches!(operation, Operation::Fetch(..))
}
