//! Moving and zeroing memory: structs and unions have no values, they are copied piece by piece.
//!
//! A record with few scalar members and no union is copied member by member, so that later accesses to a member meet
//! accesses of the same bytes; anything else in pieces of its alignment, up to 8 bytes; what makes more than
//! [`MOST_PIECES`] of them, in a loop. Pieces are moved as they are (`Interpretation::Raw`): pointers stay whole,
//! indeterminate bytes stay indeterminate. Padding between members is not copied. An `_Atomic` record is one access, if
//! it is small enough for that.

use super::bitfield;
use super::function::FunctionLowering;
use super::place::{InMemory, advance, align_at};
use crate::syntax::ast::RecordKind;
use crate::types::{ArrayLength, Type, TypeId, Types};
use selvedge_program::{Access, Action, Atomicity, BinaryOp, Display, Expr, Interpretation, Place};

/// The most members a record is copied by.
const MOST_MEMBERS: usize = 32;
/// The most pieces that are moved one by one, without a loop.
const MOST_PIECES: u64 = 64;
/// The largest atomic access.
const LARGEST_ATOMIC: u64 = 16;

/// Some bytes that are moved at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The first, counted from the start.
    pub offset: u64,
    /// How many, at most 16.
    pub size: u32,
    /// What is known of its alignment.
    pub align: u32,
}

/// The scalar members of a type, in order; `None` if there are more than `limit` or if unions make them overlap.
pub fn members(types: &Types, ty: TypeId, limit: usize) -> Option<Vec<Piece>> {
    let mut found = Vec::new();
    collect(types, ty, 0, types.align(ty), limit, &mut found)?;
    Some(found)
}

fn collect(types: &Types, ty: TypeId, offset: u64, align: u32, limit: usize, found: &mut Vec<Piece>) -> Option<()> {
    if found.len() > limit {
        return None;
    }
    match types.get(ty) {
        Type::Array { element, length } => {
            let ArrayLength::Known(length) = length else { return Some(()) };
            let stride = types.size(element.ty)?;
            for index in 0..if stride == 0 { 0 } else { *length } {
                collect(types, element.ty, offset + index * stride, align, limit, found)?;
            }
        }
        Type::Record(id) => {
            let record = types.record(*id);
            let fields = &record.definition.as_ref()?.fields;
            if record.kind == RecordKind::Union && fields.len() > 1 {
                return None;
            }
            for field in fields {
                match field.bits {
                    None => collect(types, field.ty.ty, offset + field.offset, align, limit, found)?,
                    Some(bits) => {
                        let (first, count) = bitfield::covering_bytes(bits);
                        collect_bytes(offset + first, count, found);
                    }
                }
            }
        }
        Type::Vector { .. } | Type::Complex(_) => return None,
        _ => {
            let size = types.size(ty)? as u32;
            found.push(Piece { offset, size, align: align_at(align, offset).min(types.align(ty)) });
        }
    }
    (found.len() <= limit).then_some(())
}

/// Adds the bytes of a bit-field, each once.
fn collect_bytes(first: u64, count: u32, found: &mut Vec<Piece>) {
    let next = found.last().map_or(0, |last| last.offset + u64::from(last.size));
    for offset in first.max(next)..first + u64::from(count) {
        found.push(Piece { offset, size: 1, align: 1 });
    }
}

impl FunctionLowering<'_, '_> {
    /// `*target = *source` for a struct or union.
    pub fn copy_assigned(&mut self, target: &InMemory, source: Expr, ty: TypeId, source_atomicity: Atomicity) {
        if target.atomicity.is_atomic() || source_atomicity.is_atomic() {
            self.copy_atomically(target, source, ty, source_atomicity);
        } else {
            self.copy(target.address.clone(), source, ty, target.align);
        }
    }

    fn copy_atomically(&mut self, target: &InMemory, source: Expr, ty: TypeId, source_atomicity: Atomicity) {
        let size = self.types().size(ty).unwrap_or(0);
        if size == 0 {
            return;
        }
        if size > LARGEST_ATOMIC {
            self.builder.unsupported("an atomic structure of more than 16 bytes");
            return;
        }
        let piece = Piece { offset: 0, size: size as u32, align: target.align };
        self.move_piece(&target.address, &source, piece, target.atomicity, source_atomicity);
    }

    /// Copies an object of a type, both ends aligned as the type, or to `align` if that is less.
    pub fn copy(&mut self, target: Expr, source: Expr, ty: TypeId, align: u32) {
        let types = self.types();
        let target = self.reusable(target, Display::Pointer);
        let source = self.reusable(source, Display::Pointer);
        let plain = Atomicity::Plain;
        self.copy_locks(&target, &source, ty);
        if let Some(pieces) = members(types, ty, MOST_MEMBERS) {
            for piece in pieces {
                let piece = Piece { align: piece.align.min(align_at(align, piece.offset)), ..piece };
                self.move_piece(&target, &source, piece, plain, plain);
            }
            return;
        }
        self.in_pieces(types.size(ty).unwrap_or(0), types.align(ty).min(align), |this, offset, size| {
            let at = |base: &Expr| Expr::binary(BinaryOp::Add, base.clone(), offset.clone());
            let (target, source) = (at(&target), at(&source));
            this.move_piece(&target, &source, Piece { offset: 0, size, align: size }, plain, plain);
        });
    }

    /// Does something for every piece of some bytes: its offset and size are given.
    fn in_pieces(&mut self, size: u64, align: u32, mut work: impl FnMut(&mut Self, Expr, u32)) {
        let pointer_width = self.builder.pointer_width();
        let piece = u64::from(align.clamp(1, 8));
        let count = size / piece;
        let constant = |offset: u64| Expr::constant(pointer_width, u128::from(offset));
        if count <= MOST_PIECES {
            for index in 0..count {
                work(self, constant(index * piece), piece as u32);
            }
        } else {
            self.counted_loop(count * piece, piece, |this, offset| work(this, offset, piece as u32));
        }
        for offset in count * piece..size {
            work(self, constant(offset), 1);
        }
    }

    /// `for (offset = 0; offset < end; offset += step)`
    fn counted_loop(&mut self, end: u64, step: u64, work: impl FnOnce(&mut Self, Expr)) {
        let pointer_width = self.builder.pointer_width();
        let constant = |value: u64| Expr::constant(pointer_width, u128::from(value));
        let register = self.builder.temporary(pointer_width, Display::Unsigned);
        let offset = self.builder.value(register);
        self.builder.assign(register, constant(0));
        let [head, body, exit] = [self.builder.location(), self.builder.location(), self.builder.location()];
        self.builder.jump(head);
        self.builder.stand_at(head);
        self.builder.branch(Expr::binary(BinaryOp::LessUnsigned, offset.clone(), constant(end)), body, exit);
        self.builder.stand_at(body);
        work(self, offset.clone());
        self.builder.assign(register, offset.plus(step));
        self.builder.jump(head);
        self.builder.stand_at(exit);
    }

    fn move_piece(&mut self, target: &Expr, source: &Expr, piece: Piece, to: Atomicity, from: Atomicity) {
        let register = self.builder.temporary(8 * piece.size, Display::Unsigned);
        let place = |base: &Expr| Place::Memory {
            address: advance(base.clone(), piece.offset),
            size: piece.size,
            align: piece.align,
        };
        let access = Access { place: place(source), atomicity: from };
        self.builder.emit(Action::Load { target: register, access, interpretation: Interpretation::Raw });
        let access = Access { place: place(target), atomicity: to };
        let value = self.builder.value(register);
        self.builder.emit(Action::Store { access, value });
    }

    /// Zeros the bytes of an object of a type, except those that `covered` says are written anyway.
    pub fn zero(&mut self, target: &Expr, ty: TypeId, align: u32, covered: impl Fn(u64, u32) -> bool) {
        let types = self.types();
        let plain = Atomicity::Plain;
        if let Some(pieces) = members(types, ty, MOST_PIECES as usize) {
            for piece in pieces.into_iter().filter(|piece| !covered(piece.offset, piece.size)) {
                let align = piece.align.min(align_at(align, piece.offset));
                let address = advance(target.clone(), piece.offset);
                self.builder.store(address, align, Expr::constant(8 * piece.size, 0), plain);
            }
            return;
        }
        let target = self.reusable(target.clone(), Display::Pointer);
        self.in_pieces(types.size(ty).unwrap_or(0), zero_align(types, ty).min(align), |this, offset, size| {
            let address = Expr::binary(BinaryOp::Add, target.clone(), offset);
            this.builder.store(address, size, Expr::constant(8 * size, 0), plain);
        });
    }
}

/// The alignment of the scalars in an array: zeroing it touches the same bytes as accesses to its elements.
fn zero_align(types: &Types, ty: TypeId) -> u32 {
    match types.get(ty) {
        Type::Array { element, .. } => zero_align(types, element.ty),
        _ => types.align(ty),
    }
}
