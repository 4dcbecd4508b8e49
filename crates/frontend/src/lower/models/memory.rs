//! Memory: allocation, and copying of short stretches of known length.
//!
//! Allocation never fails, which the verdict says, but for a `calloc` whose size does not fit. Copies move bytes as
//! they are, so that pointers and indeterminate bytes survive; long or variable ones are loops in C. Overlapping
//! `memcpy` is undefined.

use super::arguments::int_result;
use super::{ModelCall, Modelled};
use selvedge_program::{
    Access, Action, Atomicity, BinaryOp, Display, Expr, InitialContents, Interpretation, Place, RegisterId, Storage,
    Undefined,
};

/// The alignment of what `malloc` returns.
const ALIGN: u32 = 16;

/// The size of a page.
const PAGE: u32 = 4096;

/// Copies of at most so many bytes are straight-line code.
const SHORT: u128 = 64;

impl ModelCall<'_, '_> {
    /// A new object.
    fn allocate(&mut self, size: Expr, align: u32, storage: Storage, contents: InitialContents) -> Expr {
        let span = self.function.span;
        self.function.program.add_caveat(span, "memory allocation is assumed to succeed");
        let site = self.function.program.add_site(span);
        let target = self.function.temporary(self.function.pointer_width(), Display::Pointer);
        self.function.emit(Action::Allocate { target, size, align, storage, contents, site });
        self.function.value(target)
    }

    /// A new heap object with indeterminate contents.
    pub(super) fn allocate_heap(&mut self, size: Expr) -> Expr {
        self.allocate(size, ALIGN, Storage::Heap, InitialContents::Indeterminate)
    }

    fn constant_align(&mut self, index: usize) -> Option<u32> {
        match self.size(index) {
            Expr::Constant(bits) => u32::try_from(bits.unsigned()).ok().filter(|align| align.is_power_of_two()),
            _ => None,
        }
    }
}

/// `malloc`.
pub(super) fn malloc(call: &mut ModelCall<'_, '_>) -> Modelled {
    let size = call.size(0);
    Modelled::Value(call.allocate_heap(size), Display::Pointer)
}

/// `mmap`: new memory, of zeros if nothing is mapped to it, otherwise of anything. Where a place is taken over, what is
/// there is any from then on.
pub(super) fn mmap(call: &mut ModelCall<'_, '_>) -> Modelled {
    const ANONYMOUS: u128 = 0x20;
    const SHARED: u128 = 0x01;
    const FIXED: u128 = 0x10 | 0x10_0000;
    let (size, place, width) = (call.size(1), call.pointer(0), call.function.pointer_width());
    let flags = match call.int(3) {
        Expr::Constant(flags) => Some(flags.unsigned()),
        _ => None,
    };
    let may_have = |flag: u128| flags.is_none_or(|flags| flags & flag != 0);
    let is_anonymous = flags.is_some_and(|flags| flags & ANONYMOUS != 0);
    if !is_anonymous && may_have(SHARED) {
        call.function.note_external("mmap", "maps what no other process changes");
    }
    if flags.is_none() {
        call.function.inexact("call of `mmap` with flags that are not known");
    }
    let contents = if is_anonymous { InitialContents::Zero } else { InitialContents::Indeterminate };
    let new = |call: &mut ModelCall<'_, '_>, size: Expr| {
        let new = call.allocate(size.clone(), PAGE, Storage::Heap, contents);
        if !is_anonymous {
            call.call_c("__selvedge_any_bytes", vec![new.clone(), size], width);
        }
        new
    };
    if !may_have(FIXED) || place == call.function.null() {
        let new = new(call, size);
        return Modelled::Value(new, Display::Pointer);
    }
    let is_taken_over = match flags {
        Some(_) => {
            call.function.inexact("call of `mmap` with a place that is taken over");
            Expr::truth()
        }
        None => call.function.havoc(1, Display::Bool).and(place.clone().is_true()),
    };
    let result = call.function.temporary(width, Display::Pointer);
    call.function.assign(result, place.clone());
    call.when(is_taken_over.clone(), |call| {
        super::moved::move_locks(call.function, call.facts, &place, &size, super::Moved::Overwritten);
        call.call_c("__selvedge_any_bytes", vec![place.clone(), size.clone()], width);
    });
    call.when(is_taken_over.not(), |call| {
        let new = new(call, size.clone());
        call.function.assign(result, new);
    });
    Modelled::Value(call.function.value(result), Display::Pointer)
}

/// `calloc`: null if the size does not fit.
pub(super) fn calloc(call: &mut ModelCall<'_, '_>) -> Modelled {
    multiplied(call, 0, |call, size| call.allocate(size, ALIGN, Storage::Heap, InitialContents::Zero))
}

/// Allocates the product of two arguments, or answers null if it does not fit.
fn multiplied(
    call: &mut ModelCall<'_, '_>,
    first: usize,
    allocate: impl FnOnce(&mut ModelCall<'_, '_>, Expr) -> Expr,
) -> Modelled {
    let (count, each, width) = (call.size(first), call.size(first + 1), call.function.pointer_width());
    let size = Expr::binary(BinaryOp::Multiply, count.clone(), each.clone());
    if let (Expr::Constant(a), Expr::Constant(b)) = (&count, &each) {
        let fits = a.unsigned().checked_mul(b.unsigned()).is_some_and(|size| size >> width == 0);
        let value = if fits { allocate(call, size) } else { call.function.null() };
        return Modelled::Value(value, Display::Pointer);
    }
    let wide = |value: Expr| value.resize_unsigned(2 * width);
    let product = Expr::binary(BinaryOp::Multiply, wide(count), wide(each));
    let fits = Expr::binary(BinaryOp::LessUnsigned, product, Expr::constant(2 * width, 1 << width));
    let null = call.function.null();
    let result = call.function.temporary(width, Display::Pointer);
    call.function.assign(result, null);
    call.when(fits, |call| {
        let object = allocate(call, size);
        call.function.assign(result, object);
    });
    Modelled::Value(call.function.value(result), Display::Pointer)
}

/// `realloc`: always moves.
pub(super) fn realloc(call: &mut ModelCall<'_, '_>) -> Modelled {
    let (old, size) = (call.pointer(0), call.size(1));
    let new = call.allocate_heap(size.clone());
    Modelled::CallC("__selvedge_reallocate", vec![old, new, size])
}

/// `reallocarray`: null if the size does not fit.
pub(super) fn reallocarray(call: &mut ModelCall<'_, '_>) -> Modelled {
    let old = call.pointer(0);
    let width = call.function.pointer_width();
    multiplied(call, 1, |call, size| {
        let new = call.allocate_heap(size.clone());
        call.call_c("__selvedge_reallocate", vec![old, new, size], width)
    })
}

/// `free`.
pub(super) fn free(call: &mut ModelCall<'_, '_>) -> Modelled {
    let address = call.pointer(0);
    call.function.emit(Action::Free { address });
    Modelled::Void
}

/// `alloca`.
pub(super) fn alloca(call: &mut ModelCall<'_, '_>) -> Modelled {
    let size = call.size(0);
    let object = call.allocate(size, ALIGN, Storage::Stack, InitialContents::Indeterminate);
    Modelled::Value(object, Display::Pointer)
}

/// `aligned_alloc`, `memalign`.
pub(super) fn aligned_alloc(call: &mut ModelCall<'_, '_>) -> Modelled {
    let Some(align) = call.constant_align(0) else {
        return Modelled::Unsupported(format!("`{}` with an alignment that is no constant power of two", call.name));
    };
    let size = call.size(1);
    let object = call.allocate(size, align.max(ALIGN), Storage::Heap, InitialContents::Indeterminate);
    Modelled::Value(object, Display::Pointer)
}

/// `posix_memalign`.
pub(super) fn posix_memalign(call: &mut ModelCall<'_, '_>) -> Modelled {
    let Some(align) = call.constant_align(1) else {
        return Modelled::Unsupported(format!("`{}` with an alignment that is no constant power of two", call.name));
    };
    let (target, size) = (call.pointer(0), call.size(2));
    let object = call.allocate(size, align.max(ALIGN), Storage::Heap, InitialContents::Indeterminate);
    call.function.store(target, call.pointer_size(), object, Atomicity::Plain);
    int_result(0)
}

/// `valloc`, `pvalloc`.
pub(super) fn valloc(call: &mut ModelCall<'_, '_>) -> Modelled {
    let mut size = call.size(0);
    if call.name == "pvalloc" {
        let rest = Expr::constant(size.width(), u128::from(PAGE) - 1);
        let more = Expr::binary(BinaryOp::Add, size, rest.clone());
        size = Expr::binary(BinaryOp::And, more, Expr::unary(selvedge_program::UnaryOp::Not, rest));
    }
    let object = call.allocate(size, PAGE, Storage::Heap, InitialContents::Indeterminate);
    Modelled::Value(object, Display::Pointer)
}

/// `strdup`, `strndup`: a copy on the heap.
pub(super) fn duplicate(call: &mut ModelCall<'_, '_>) -> Modelled {
    let (source, width) = (call.pointer(0), call.function.pointer_width());
    let limit = match call.plain_name() {
        "strndup" => call.size(1),
        _ => Expr::constant(width, u128::MAX),
    };
    let length = call.call_c("__selvedge_strnlen", vec![source.clone(), limit], width);
    let copy = call.allocate_heap(length.clone().plus(1));
    Modelled::CallC("__selvedge_duplicate", vec![copy, source, length])
}

/// The sizes of the pieces of a short stretch.
fn pieces(length: u128) -> Vec<(u64, u32)> {
    let mut pieces = Vec::new();
    let mut at = 0;
    while u128::from(at) < length {
        let size = [8, 4, 2, 1].into_iter().find(|size| u128::from(at) + u128::from(*size) <= length).unwrap_or(1);
        pieces.push((at, size));
        at += u64::from(size);
    }
    pieces
}

impl ModelCall<'_, '_> {
    /// Loads bytes only to move them.
    pub(super) fn load_raw(&mut self, address: Expr, size: u32) -> RegisterId {
        let target = self.function.temporary(8 * size, Display::Unsigned);
        let access = Access { place: Place::Memory { address, size, align: 1 }, atomicity: Atomicity::Plain };
        self.function.emit(Action::Load { target, access, interpretation: Interpretation::Raw });
        target
    }

    fn short_length(&mut self, index: usize) -> Option<u128> {
        match self.size(index) {
            Expr::Constant(bits) if bits.unsigned() <= SHORT => Some(bits.unsigned()),
            _ => None,
        }
    }
}

/// Whether two pointers are known to point into different objects.
pub(super) fn are_different(left: &Expr, right: &Expr) -> bool {
    let base = |pointer: &Expr| match pointer {
        Expr::Address(base, _) => Some(*base),
        Expr::Binary(BinaryOp::Add, left, right) => match (left.as_ref(), right.as_ref()) {
            (Expr::Address(base, _), Expr::Constant(_)) => Some(*base),
            _ => None,
        },
        _ => None,
    };
    matches!((base(left), base(right)), (Some(left), Some(right)) if left != right)
}

/// Whether two areas do not overlap, but for being the same. Pointers into different objects cannot be ordered, but
/// they can be told apart.
fn are_apart(target: &Expr, source: &Expr, length: u64) -> Expr {
    if are_different(target, source) {
        return Expr::truth();
    }
    (1..length).fold(Expr::truth(), |apart, distance| {
        apart
            .and(Expr::equal(target.clone().plus(distance), source.clone()).not())
            .and(Expr::equal(source.clone().plus(distance), target.clone()).not())
    })
}

/// `memcpy`, `memmove`, `mempcpy`.
pub(super) fn copy(call: &mut ModelCall<'_, '_>) -> Modelled {
    let Some(length) = call.short_length(2) else {
        return call.in_c(
            match call.plain_name() {
                "mempcpy" | "__mempcpy" => "__selvedge_mempcpy",
                "memcpy" => "__selvedge_memcpy",
                _ => "__selvedge_memmove",
            },
            3,
        );
    };
    let (target, source) = (call.pointer(0), call.pointer(1));
    let source = call.function.hold(source, Display::Pointer);
    let target = call.function.hold(target, Display::Pointer);
    if !call.name.ends_with("memmove") {
        call.function.require(are_apart(&target, &source, length as u64), Undefined::Overlap);
    }
    let pieces = pieces(length);
    let loaded: Vec<RegisterId> =
        pieces.iter().map(|(at, size)| call.load_raw(source.clone().plus(*at), *size)).collect();
    for ((at, _), register) in pieces.iter().zip(loaded) {
        let value = call.function.value(register);
        call.function.store(target.clone().plus(*at), 1, value, Atomicity::Plain);
    }
    let end = if call.name.ends_with("mempcpy") { target.plus(length as u64) } else { target };
    Modelled::Value(end, Display::Pointer)
}

/// `memset`.
pub(super) fn fill(call: &mut ModelCall<'_, '_>) -> Modelled {
    let Some(length) = call.short_length(2) else {
        return call.in_c("__selvedge_memset", 3);
    };
    let (target, byte) = (call.pointer(0), call.converted(1, crate::types::Types::UNSIGNED_CHAR));
    let target = call.function.hold(target, Display::Pointer);
    let byte = call.function.hold(byte, Display::Unsigned);
    for (at, size) in pieces(length) {
        let value = repeated(&byte, size);
        call.function.store(target.clone().plus(at), 1, value, Atomicity::Plain);
    }
    Modelled::Value(target, Display::Pointer)
}

/// A byte repeated.
pub(super) fn repeated(byte: &Expr, size: u32) -> Expr {
    let ones = (0..size).fold(0_u128, |ones, _| ones << 8 | 1);
    if let Expr::Constant(bits) = byte {
        return Expr::constant(8 * size, bits.unsigned() * ones);
    }
    let wide = byte.clone().resize_unsigned(8 * size);
    if size == 1 { wide } else { Expr::binary(BinaryOp::Multiply, wide, Expr::constant(8 * size, ones)) }
}
