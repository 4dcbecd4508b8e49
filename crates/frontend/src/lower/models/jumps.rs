//! `setjmp` and `longjmp`: what a buffer holds, and how a jump begins (lower/jumps.rs leads it to where it ends).
//!
//! A buffer holds the address of an object of the activation that called `setjmp`, one for each call in the source, and
//! the thread. So a jump looks whether it is this thread's and whether the activation is still there: the object's life
//! ends with it. Then it says in the thread's record where it goes, through which buffer and with what value.
//!
//! Behind the registers that a buffer has on the machine stands whether signals that are blocked were kept, and which.

use super::arguments::int;
use super::{ModelCall, Modelled};
use crate::lower::jumps::{self, Landing};
use crate::types::{TypeId, Types};
use selvedge_program::{Action, Atomicity, Base, Display, Expr, FrameObject, Shape, Undefined};

/// What stands for the rest of a jump until all functions are lowered.
pub const JUMP: &str = "a jump between functions";

/// Whether a function jumps.
pub(super) fn is_jump(name: &str) -> bool {
    matches!(name, "longjmp" | "_longjmp" | "siglongjmp" | "__longjmp_chk" | "__builtin_longjmp")
}

/// Whether a type is what glibc's macros of clean-up handlers keep for themselves, which nobody jumps to in the model.
pub fn is_cancel_buffer(types: &Types, ty: TypeId, name: impl Fn(crate::syntax::symbol::Symbol) -> bool) -> bool {
    types.fields(ty).and_then(<[_]>::first).and_then(|field| field.name).is_some_and(name)
}

impl ModelCall<'_, '_> {
    /// How many bytes of a buffer are registers; what is known of signals follows.
    fn registers_size(&self) -> u64 {
        if self.pointer_size() == 8 { 64 } else { 24 }
    }

    /// Where a buffer says which signals were blocked, if it has room for that: the compiler's own buffers have not.
    fn kept_signals(&mut self, buffer: &Expr) -> Option<Expr> {
        let from = self.registers_size();
        let size = self.pointee(0).and_then(|ty| self.types.size(ty));
        size.filter(|size| *size >= from + 12).map(|_| buffer.clone().plus(from))
    }

    /// The object that stands for a call of `setjmp` in an activation.
    fn jump_target(&mut self) -> FrameObject {
        FrameObject {
            name: "setjmp".to_owned(),
            size: 1,
            align: 1,
            shape: Shape::Opaque,
            type_name: "activation".to_owned(),
            span: self.function.span,
        }
    }

    /// The clean-up handler that this thread has pushed last, where it makes a difference.
    fn last_handler(&mut self) -> Option<Expr> {
        let width = self.function.pointer_width();
        self.facts.keeps_handlers().then(|| self.call_c("__selvedge_last_cleanup_handler", Vec::new(), width))
    }

    fn load_pointer(&mut self, address: Expr) -> Expr {
        let size = self.pointer_size();
        self.function.load(address, size, size, Atomicity::Plain, Display::Pointer)
    }

    fn store_plain(&mut self, address: Expr, value: Expr) {
        let align = value.width() / 8;
        self.function.store(address, align, value, Atomicity::Plain);
    }
}

/// `setjmp`, `_setjmp`, `sigsetjmp`, `__sigsetjmp`: 0, and once more for every jump. Where nobody jumps, just 0.
pub(super) fn set(call: &mut ModelCall<'_, '_>) -> Modelled {
    if !call.facts.has_jumps {
        return Modelled::Value(int(0), Display::Signed);
    }
    let buffer = call.pointer(0);
    let buffer = call.function.hold(buffer, Display::Pointer);
    let keeps = call.plain_name().ends_with("sigsetjmp").then(|| call.int(1));
    let (status, landed, end) = (call.status(), call.function.location(), call.function.location());
    let target = call.jump_target();
    let target = call.function.frame_object(target);
    let id = call.function.id;
    jumps::record(call.function.program);
    call.function.program.jumps.note_landing(id, Landing { target, buffer: buffer.clone(), status });
    call.function.emit_to(Action::Forget { object: target }, landed);

    let (address, thread) = (call.function.address(Base::Frame(target)), call.function.self_thread());
    let size = u64::from(call.pointer_size());
    call.store_plain(buffer.clone(), address);
    call.store_plain(buffer.clone().plus(size), thread);
    if let Some(kept) = call.kept_signals(&buffer) {
        let keeps = keeps.unwrap_or_else(|| int(0));
        if call.facts.has_signal_handlers {
            call.call_c("__selvedge_keep_blocked", vec![kept, keeps], 32);
        } else {
            let keeps = keeps.is_true().resize_unsigned(32);
            call.store_plain(kept, keeps);
        }
    }
    let handler = call.last_handler();
    call.function.assign(status, int(0));
    call.function.jump(end);

    call.function.stand_at(landed);
    if let (Some(then), Some(now)) = (handler, call.last_handler()) {
        call.when(Expr::equal(then, now).not(), |call| {
            call.function.unsupported("a jump out of a block that a clean-up handler belongs to");
        });
    }
    call.function.jump(end);
    call.function.stand_at(end);
    call.status_result(status)
}

/// `longjmp`, `_longjmp`, `siglongjmp`, `__longjmp_chk`.
pub(super) fn jump(call: &mut ModelCall<'_, '_>) -> Modelled {
    let (buffer, value, me) = (call.pointer(0), call.int(1), call.function.self_thread());
    let buffer = call.function.hold(buffer, Display::Pointer);
    let value = call.function.hold(value, Display::Signed);
    let size = u64::from(call.pointer_size());
    let target = call.load_pointer(buffer.clone());
    let thread = call.load_pointer(buffer.clone().plus(size));
    call.function.require(Expr::equal(thread, me), Undefined::NoJumpTarget);
    call.load_raw(target.clone(), 1);
    if let Some(kept) = call.kept_signals(&buffer).filter(|_| call.facts.has_signal_handlers) {
        call.call_c("__selvedge_block_as_kept", vec![kept], 32);
    }
    let record = jumps::record(call.function.program);
    let [way, through, result] = jumps::parts(call.function, record);
    let value = Expr::if_then_else(value.clone().is_true(), value, int(1));
    // As one: a handler of signals finds all of it, or nothing.
    let align = call.pointer_size();
    let mut update = call.function.atomic();
    for (place, align, value) in [(result, 4, value), (through, align, buffer), (way, align, target)] {
        update.write_when(Expr::truth(), place, align, value);
    }
    update.commit();
    call.function.unsupported(JUMP);
    Modelled::NoReturn
}

/// `int __selvedge_is_jumping(void)`: whether a call came back because of a jump that ends elsewhere.
pub(super) fn is_under_way(call: &mut ModelCall<'_, '_>) -> Modelled {
    if !call.facts.has_jumps {
        return Modelled::Value(int(0), Display::Signed);
    }
    let record = jumps::record(call.function.program);
    let [way, ..] = jumps::parts(call.function, record);
    let way = call.load_pointer(way);
    Modelled::Value(way.is_true().resize_unsigned(32), Display::Signed)
}
