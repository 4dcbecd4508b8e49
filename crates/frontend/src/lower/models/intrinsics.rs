//! What the models in C can do beyond C: move raw bytes, ask for an object's size, choose, print a character.

use super::memory::repeated;
use super::{ModelCall, Modelled};
use crate::types::Types;
use selvedge_program::{Action, Atomicity, Display, Expr, GhostField, OutputPiece, Undefined};

fn copy(call: &mut ModelCall<'_, '_>, size: u32) -> Modelled {
    let (target, source) = (call.pointer(0), call.pointer(1));
    let bytes = call.load_raw(source, size);
    let value = call.function.value(bytes);
    call.function.store(target, 1, value, Atomicity::Plain);
    Modelled::Void
}

/// `void __selvedge_copy1(void *target, const void *source)`: moves one byte, whatever it is.
pub(super) fn copy1(call: &mut ModelCall<'_, '_>) -> Modelled {
    copy(call, 1)
}

/// `void __selvedge_copy8(void *target, const void *source)`: moves eight bytes, whatever they are, at any alignment.
pub(super) fn copy8(call: &mut ModelCall<'_, '_>) -> Modelled {
    copy(call, 8)
}

/// `void __selvedge_fill8(void *target, int byte)`: sets eight bytes, at any alignment.
pub(super) fn fill8(call: &mut ModelCall<'_, '_>) -> Modelled {
    let (target, byte) = (call.pointer(0), call.converted(1, Types::UNSIGNED_CHAR));
    let byte = call.function.hold(byte, Display::Unsigned);
    call.function.store(target, 1, repeated(&byte, 8), Atomicity::Plain);
    Modelled::Void
}

/// `void __selvedge_any1(void *target)`: one byte turns out to be anything when it is first read.
pub(super) fn any1(call: &mut ModelCall<'_, '_>) -> Modelled {
    let target = call.pointer(0);
    call.write_any(target, 1, 1);
    Modelled::Void
}

/// `void __selvedge_look1(const void *source)`: reads one byte, whatever it is, and does not look at it.
pub(super) fn look1(call: &mut ModelCall<'_, '_>) -> Modelled {
    let source = call.pointer(0);
    call.load_raw(source, 1);
    Modelled::Void
}

/// `unsigned long __selvedge_object_size(const void *pointer)`: the size of the object that is pointed into.
pub(super) fn object_size(call: &mut ModelCall<'_, '_>) -> Modelled {
    let address = call.pointer(0);
    Modelled::Value(call.load_ghost(address, GhostField::ObjectSize), Display::Unsigned)
}

/// `malloc_usable_size`: the object's size, 0 for null.
pub(super) fn usable_size(call: &mut ModelCall<'_, '_>) -> Modelled {
    let (address, width) = (call.pointer(0), call.function.pointer_width());
    let result = call.function.temporary(width, Display::Unsigned);
    call.function.assign(result, Expr::constant(width, 0));
    call.when(address.clone().is_true(), |call| {
        let size = call.load_ghost(address, GhostField::ObjectSize);
        call.function.assign(result, size);
    });
    Modelled::Value(call.function.value(result), Display::Unsigned)
}

/// `void __selvedge_output(int character)`: prints one character on the standard output.
pub(super) fn output(call: &mut ModelCall<'_, '_>) -> Modelled {
    let character = call.converted(0, Types::UNSIGNED_CHAR);
    call.function.emit(Action::Output(vec![OutputPiece::Value("%c".to_owned(), character)]));
    Modelled::Void
}

/// `void __selvedge_require_apart(int condition)`: undefined unless it holds, as areas that overlap.
pub(super) fn require_apart(call: &mut ModelCall<'_, '_>) -> Modelled {
    let condition = call.int(0).is_true();
    call.function.require(condition, Undefined::Overlap);
    Modelled::Void
}

/// `void __selvedge_require_conversion(int condition)`: undefined unless it holds, as a wrong conversion in a format.
pub(super) fn require_conversion(call: &mut ModelCall<'_, '_>) -> Modelled {
    let condition = call.int(0).is_true();
    call.function.require(condition, Undefined::BadArgument);
    Modelled::Void
}

/// `int __selvedge_lock_in_use1(const void *at)`: whether a lock that is in use begins at an address.
pub(super) fn lock_in_use1(call: &mut ModelCall<'_, '_>) -> Modelled {
    lock_in_use(call, 1)
}

/// `int __selvedge_lock_in_use8(const void *at)`: whether a lock that is in use begins in eight bytes.
pub(super) fn lock_in_use8(call: &mut ModelCall<'_, '_>) -> Modelled {
    lock_in_use(call, 8)
}

fn lock_in_use(call: &mut ModelCall<'_, '_>, count: u64) -> Modelled {
    let at = call.pointer(0);
    let in_use = super::moved::lock_in_use(call.function, call.facts, &at, count);
    Modelled::Value(in_use.resize_unsigned(32), Display::Signed)
}

/// `void __selvedge_bury_lock1(void *at)`: a lock that begins at an address is as new.
pub(super) fn bury_lock1(call: &mut ModelCall<'_, '_>) -> Modelled {
    bury_locks(call, 1)
}

/// `void __selvedge_bury_lock8(void *at)`: every lock that begins in eight bytes is as new.
pub(super) fn bury_lock8(call: &mut ModelCall<'_, '_>) -> Modelled {
    bury_locks(call, 8)
}

fn bury_locks(call: &mut ModelCall<'_, '_>, count: u64) -> Modelled {
    let at = call.pointer(0);
    super::moved::bury_locks(call.function, call.facts, &at, count);
    Modelled::Void
}

/// `void __selvedge_change_lock(void *at)`: whatever a function may do with a lock that begins at an address.
pub(super) fn change_lock(call: &mut ModelCall<'_, '_>) -> Modelled {
    let at = call.pointer(0);
    super::moved::change_lock(call.function, call.facts, &at);
    Modelled::Void
}

/// `void __selvedge_perhaps_freed(void)`: undefined, perhaps.
pub(super) fn perhaps_freed(call: &mut ModelCall<'_, '_>) -> Modelled {
    let is_used_later = call.function.havoc(1, Display::Bool);
    call.function.require(is_used_later.not(), Undefined::UseAfterFree);
    Modelled::Void
}
