//! Atomic operations on structs and unions: double-width compare-and-exchange of a pointer and a counter, and the like.
//!
//! All members are read, compared and written in one update, each as what it is, so that pointers stay whole. A machine
//! compares bytes: where there is padding, whose bytes nobody controls, a comparison may fail although all members are
//! the same.

use super::name::{Name, Operation, Strength};
use super::update::{Orders, is_strong};
use super::{ModelCall, Modelled};
use crate::lower::copy::{Piece, members};
use crate::lower::models::ghost::set;
use crate::lower::place::advance;
use crate::types::TypeId;
use selvedge_program::{Atomicity, Base, BinaryOp, Display, Expr, FrameObject, MemoryOrder, Shape};

/// The most members that are read and written as one.
const MOST_MEMBERS: usize = 16;

/// The struct or union that an operation is about.
struct Record {
    address: Expr,
    ty: TypeId,
    pieces: Vec<Piece>,
    has_padding: bool,
}

/// The model of an operation on a struct or union; `None` if it is about none.
pub(super) fn operation(call: &mut ModelCall<'_, '_>, name: &Name, orders: Orders) -> Option<Modelled> {
    let ty = call.pointee(0).filter(|ty| call.types.is_aggregate(*ty))?;
    let Some((pieces, has_padding)) = pieces(call, ty) else {
        return Some(Modelled::Unsupported(format!("`{}` on an object of many members", call.name)));
    };
    let record = Record { address: call.pointer(0), ty, pieces, has_padding };
    Some(match name.operation {
        Operation::Init => record.store(call, Atomicity::Plain),
        Operation::Store => record.store(call, Atomicity::Atomic(orders.success)),
        Operation::Load => {
            let values = record.read(call, orders.success);
            record.give(call, 1, values)
        }
        Operation::Exchange => record.exchange(call, orders),
        Operation::CompareExchange(strength) => record.compare_exchange(call, strength, orders),
        Operation::Fetch(..) | Operation::SwapBool | Operation::SwapValue | Operation::Release => {
            Modelled::Unsupported(format!("`{}` on an object that is no scalar", call.name))
        }
    })
}

/// What is moved at once: the members, or the words of what has none of its own. And whether there is anything between.
fn pieces(call: &ModelCall<'_, '_>, ty: TypeId) -> Option<(Vec<Piece>, bool)> {
    let (size, align) = (call.types.size(ty)?, call.types.align(ty));
    let pieces = match members(call.types, ty, MOST_MEMBERS) {
        Some(pieces) => pieces,
        None => {
            let word = align.clamp(1, 8);
            let count = usize::try_from(size / u64::from(word)).ok().filter(|count| *count <= MOST_MEMBERS)?;
            (0..count as u64).map(|at| Piece { offset: at * u64::from(word), size: word, align: word }).collect()
        }
    };
    let covered: u64 = pieces.iter().map(|piece| u64::from(piece.size)).sum();
    Some((pieces, covered < size))
}

impl Record {
    fn place(&self, base: &Expr, piece: Piece) -> (Expr, u32) {
        (advance(base.clone(), piece.offset), piece.align)
    }

    /// The members of the struct that an argument is, or is the address of.
    fn operand(&self, call: &mut ModelCall<'_, '_>, index: usize) -> Vec<Expr> {
        let address = self.argument(call, index);
        let load = |piece: &Piece| {
            let (address, align) = self.place(&address, *piece);
            call.function.load(address, piece.size, align, Atomicity::Plain, Display::Unsigned)
        };
        self.pieces.iter().map(load).collect()
    }

    /// A struct is passed by its address in any case.
    fn argument(&self, call: &mut ModelCall<'_, '_>, index: usize) -> Expr {
        match call.arguments.get(index) {
            Some(argument) if call.types.is_aggregate(argument.ty) => argument.value.clone(),
            _ => call.pointer(index),
        }
    }

    fn put(&self, call: &mut ModelCall<'_, '_>, base: &Expr, values: Vec<Expr>) {
        for (piece, value) in self.pieces.iter().zip(values) {
            let (address, align) = self.place(base, *piece);
            call.function.store(address, align, value, Atomicity::Plain);
        }
    }

    /// What an operation gives: where an argument says, or as its result.
    fn give(&self, call: &mut ModelCall<'_, '_>, index: usize, values: Vec<Expr>) -> Modelled {
        if !call.types.is_aggregate(call.result) {
            let is_by_address = call.arguments.get(index).is_some_and(|argument| call.types.is_pointer(argument.ty));
            if is_by_address {
                let target = call.pointer(index);
                self.put(call, &target, values);
            }
            return Modelled::Void;
        }
        let object = call.function.frame_object(FrameObject {
            name: "result".to_owned(),
            size: call.types.size(self.ty).unwrap_or(0),
            align: call.types.align(self.ty),
            shape: Shape::Opaque,
            type_name: String::new(),
            span: call.function.span,
        });
        let result = call.function.address(Base::Frame(object));
        self.put(call, &result, values);
        Modelled::Value(result, Display::Pointer)
    }

    fn read(&self, call: &mut ModelCall<'_, '_>, order: MemoryOrder) -> Vec<Expr> {
        let mut update = call.function.atomic();
        update.order(order);
        let read = |piece: &Piece| {
            let (address, align) = self.place(&self.address, *piece);
            update.read(address, piece.size, align, Display::Unsigned)
        };
        let values = self.pieces.iter().map(read).collect();
        update.commit();
        values
    }

    fn store(&self, call: &mut ModelCall<'_, '_>, atomicity: Atomicity) -> Modelled {
        let values = self.operand(call, 1);
        let Atomicity::Atomic(order) = atomicity else {
            let target = self.address.clone();
            self.put(call, &target, values);
            return Modelled::Void;
        };
        let mut update = call.function.atomic();
        update.order(order);
        for (piece, value) in self.pieces.iter().zip(values) {
            let (address, align) = self.place(&self.address, *piece);
            update.write_when(Expr::truth(), address, align, value);
        }
        update.commit();
        Modelled::Void
    }

    fn exchange(&self, call: &mut ModelCall<'_, '_>, orders: Orders) -> Modelled {
        let values = self.operand(call, 1);
        let mut update = call.function.atomic();
        let mut old = Vec::new();
        for (piece, value) in self.pieces.iter().zip(values) {
            let (address, align) = self.place(&self.address, *piece);
            update.order(orders.failure);
            old.push(update.read(address.clone(), piece.size, align, Display::Unsigned));
            update.order(orders.success);
            update.write_when(Expr::truth(), address, align, value);
        }
        update.commit();
        self.give(call, 2, old)
    }

    /// Reads `*expected`, compares and exchanges, and writes `*expected` if that failed.
    fn compare_exchange(&self, call: &mut ModelCall<'_, '_>, strength: Strength, orders: Orders) -> Modelled {
        let expected = self.operand(call, 1);
        let desired = self.operand(call, 2);
        let target = call.pointer(1);
        let may_fail = self.has_padding || !is_strong(call, strength);
        let exchanged = call.function.temporary(1, Display::Bool);
        let seen: Vec<_> =
            self.pieces.iter().map(|piece| call.function.temporary(8 * piece.size, Display::Unsigned)).collect();
        let (compared, failed, end) = (call.function.location(), call.function.location(), call.function.location());
        for is_exchanged in [true, false] {
            if !is_exchanged && !may_fail {
                continue;
            }
            let mut update = call.function.atomic();
            update.order(orders.failure);
            let mut same = Expr::truth();
            for ((piece, expected), seen) in self.pieces.iter().zip(&expected).zip(&seen) {
                let (address, align) = self.place(&self.address, *piece);
                let old = update.read(address, piece.size, align, Display::Unsigned);
                same = Expr::binary(BinaryOp::And, same, Expr::equal(old.clone(), expected.clone()));
                set(&mut update, *seen, old);
            }
            if is_exchanged {
                update.order(orders.success);
                for (piece, desired) in self.pieces.iter().zip(&desired) {
                    let (address, align) = self.place(&self.address, *piece);
                    update.write_when(same.clone(), address, align, desired.clone());
                }
                set(&mut update, exchanged, same);
            } else {
                update.guard(same);
                set(&mut update, exchanged, Expr::falsehood());
            }
            update.commit_to(compared);
        }
        call.function.stand_at(compared);
        let exchanged = call.function.value(exchanged);
        call.function.branch(exchanged.clone(), end, failed);
        call.function.stand_at(failed);
        let seen = seen.into_iter().map(|register| call.function.value(register)).collect();
        self.put(call, &target, seen);
        call.function.jump(end);
        call.function.stand_at(end);
        Modelled::Value(exchanged.resize_unsigned(8), Display::Bool)
    }
}
