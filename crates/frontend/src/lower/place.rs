//! Places: where they are, and reading and writing them.
//!
//! The alignment an access demands is what C guarantees of the place: that of its type, less for members of packed
//! records.

use super::bitfield;
use super::bounds::Reach;
use super::function::{FunctionLowering, Home};
use super::values::{display, width};
use crate::hir::{Expr as Typed, ExprKind, Place, PlaceKind};
use crate::types::{BitField, Qualified, TypeId};
use selvedge_program::{
    Access, Action, Atomicity, Base, BinaryOp, Display, Expr, Interpretation, Place as Cell, RegisterId,
};

/// A place, found.
#[derive(Clone, Debug)]
pub enum Spot {
    /// A local in a register.
    Register(RegisterId),
    /// Memory.
    Memory(InMemory),
}

/// A place in memory.
#[derive(Clone, Debug)]
pub struct InMemory {
    /// Its address; for a bit-field, that of its record.
    pub address: Expr,
    /// The alignment of that address.
    pub align: u32,
    /// Its bits, from the address on.
    pub bits: Option<BitField>,
    /// Whether accesses synchronise.
    pub atomicity: Atomicity,
}

/// How a place of a type is accessed.
pub fn atomicity(ty: Qualified) -> Atomicity {
    if ty.qualifiers.is_atomic { Atomicity::SEQUENTIAL } else { Atomicity::Plain }
}

/// How the source of a struct assignment is accessed.
pub fn load_atomicity(value: &Typed) -> Atomicity {
    match &value.kind {
        ExprKind::Load(place) => atomicity(place.ty),
        _ => Atomicity::Plain,
    }
}

/// What is known of the alignment `offset` bytes after an address of a known alignment.
pub fn align_at(align: u32, offset: u64) -> u32 {
    if offset == 0 { align } else { align.min(1 << offset.trailing_zeros().min(16)) }
}

/// An address some bytes further.
pub fn advance(address: Expr, offset: u64) -> Expr {
    if offset == 0 { address } else { address.plus(offset) }
}

impl<'h> FunctionLowering<'_, 'h> {
    /// Evaluates what leads to a place.
    pub fn spot(&mut self, place: &'h Place) -> Spot {
        self.spot_for(place, Reach::Access)
    }

    fn spot_for(&mut self, place: &'h Place, reach: Reach) -> Spot {
        self.at(place.span, |this| this.spot_here(place, reach))
    }

    fn spot_here(&mut self, place: &'h Place, reach: Reach) -> Spot {
        let atomicity = self.atomicity(place);
        let memory = |address, align| Spot::Memory(InMemory { address, align, bits: place.bits, atomicity });
        let natural = self.natural_align(place);
        match &place.kind {
            PlaceKind::Local(local) => match self.homes[local.index()] {
                Home::Register(register) => Spot::Register(register),
                Home::Frame(object) => memory(self.builder.address(Base::Frame(object)), natural),
                Home::Pointed(register) => memory(self.builder.value(register), natural),
            },
            PlaceKind::Global(global) => {
                let entity = self.whole.links.global(self.unit, *global);
                let object = self.whole.object(self.builder.program, entity, self.builder.span);
                memory(self.builder.address(Base::Object(object)), natural)
            }
            PlaceKind::Deref(pointer) => {
                let address = self.dereferenced(pointer, reach);
                memory(address, natural.min(self.packed_align(pointer)))
            }
            PlaceKind::Member { base, offset } => match self.spot_for(base, reach) {
                Spot::Register(_) => memory(self.unsupported_address("a member of a register"), natural),
                Spot::Memory(base) => {
                    let align = align_at(base.align, *offset);
                    let align = if place.bits.is_some() { align } else { align.min(natural) };
                    memory(advance(base.address, *offset), align)
                }
            },
            PlaceKind::Temporary(value) => memory(self.value(value), natural),
            PlaceKind::CompoundLiteral(local, initializer) => {
                self.declare(*local, Some(initializer));
                match self.homes[local.index()] {
                    Home::Register(register) => Spot::Register(register),
                    Home::Frame(object) => memory(self.builder.address(Base::Frame(object)), natural),
                    Home::Pointed(register) => memory(self.builder.value(register), natural),
                }
            }
            PlaceKind::After(effect, place) => {
                self.effect(effect);
                self.spot_for(place, reach)
            }
        }
    }

    /// How a place is accessed: where the user says so, a volatile scalar one is as an atomic one.
    fn atomicity(&self, place: &Place) -> Atomicity {
        let is_meant = self.whole.options.volatile_atomic && place.ty.qualifiers.is_volatile;
        if is_meant && self.types().is_scalar(place.ty.ty) { Atomicity::SEQUENTIAL } else { atomicity(place.ty) }
    }

    fn unsupported_address(&mut self, what: &str) -> Expr {
        self.builder.unsupported(what);
        self.builder.null()
    }

    /// The alignment that the place behind `&packed.array[i]` guarantees; as large as can be where no place is named.
    fn packed_align(&self, pointer: &Typed) -> u32 {
        match &pointer.kind {
            ExprKind::PointerOffset { pointer, .. } => self.packed_align(pointer),
            ExprKind::AddressOf(place) => self.place_align(place),
            _ => u32::MAX,
        }
    }

    /// The alignment that the type of a place demands.
    fn natural_align(&self, place: &Place) -> u32 {
        if place.ty.qualifiers.is_unaligned { 1 } else { self.types().align(place.ty.ty) }
    }

    fn place_align(&self, place: &Place) -> u32 {
        match &place.kind {
            PlaceKind::Member { base, offset } => align_at(self.place_align(base), *offset),
            PlaceKind::Deref(pointer) => self.natural_align(place).min(self.packed_align(pointer)),
            _ => self.natural_align(place),
        }
    }

    /// The address of a place.
    pub fn address_of(&mut self, place: &'h Place) -> Expr {
        match self.spot_for(place, Reach::Address) {
            Spot::Memory(spot) => spot.address,
            Spot::Register(_) => self.unsupported_address("the address of a register"),
        }
    }

    /// What is at a place of scalar type. A register's value is the register itself: whoever changes registers before
    /// using it must hold it.
    pub fn read(&mut self, spot: &Spot, ty: TypeId) -> Expr {
        let types = self.types();
        match spot {
            Spot::Register(register) => self.builder.value(*register),
            Spot::Memory(spot) => match spot.bits {
                Some(bits) => {
                    let bytes = self.read_covering(spot, bits, self.looking());
                    bitfield::extract(types, bits, bytes, ty)
                }
                None => {
                    let target = self.builder.temporary(width(types, ty), display(types, ty));
                    self.read_into(spot, target);
                    self.builder.value(target)
                }
            },
        }
    }

    /// Loads a place that is no bit-field into a register of its width.
    pub fn read_into(&mut self, spot: &InMemory, target: RegisterId) {
        let size = self.builder.value(target).width() / 8;
        let place = Cell::Memory { address: spot.address.clone(), size, align: spot.align };
        let access = Access { place, atomicity: spot.atomicity };
        self.builder.emit(Action::Load { target, access, interpretation: self.looking() });
    }

    /// The bytes that a bit-field touches.
    fn read_covering(&mut self, spot: &InMemory, bits: BitField, interpretation: Interpretation) -> Expr {
        let (first, count) = bitfield::covering_bytes(bits);
        let align = bitfield::alignment(bits, spot.align);
        let place = Cell::Memory { address: advance(spot.address.clone(), first), size: count, align };
        let target = self.builder.temporary(8 * count, Display::Unsigned);
        let access = Access { place, atomicity: spot.atomicity };
        self.builder.emit(Action::Load { target, access, interpretation });
        self.builder.value(target)
    }

    /// Writes a scalar to a place; gives what the place holds then.
    pub fn write(&mut self, spot: &Spot, ty: TypeId, value: Expr) -> Expr {
        let types = self.types();
        match spot {
            Spot::Register(register) => {
                self.builder.assign(*register, value);
                self.builder.value(*register)
            }
            Spot::Memory(spot) => match spot.bits {
                None => {
                    self.builder.store(spot.address.clone(), spot.align, value.clone(), spot.atomicity);
                    value
                }
                Some(bits) => {
                    let bytes = self.read_covering(spot, bits, Interpretation::Value);
                    let (first, _) = bitfield::covering_bytes(bits);
                    let align = bitfield::alignment(bits, spot.align);
                    let address = advance(spot.address.clone(), first);
                    let value = self.builder.hold(value, display(types, ty));
                    let inserted = bitfield::insert(bits, bytes, value.clone());
                    self.builder.store(address, align, inserted, spot.atomicity);
                    bitfield::stored(types, bits, value, ty)
                }
            },
        }
    }

    /// The same spot, whatever is assigned to locals from now on.
    pub fn hold_spot(&mut self, spot: Spot) -> Spot {
        match spot {
            Spot::Memory(spot) if !is_static(&spot.address) => {
                let address = self.builder.hold(spot.address, Display::Pointer);
                Spot::Memory(InMemory { address, ..spot })
            }
            spot => spot,
        }
    }

    /// The same spot, with an address that is cheap to use several times, as long as no local is assigned to.
    pub fn reusable_spot(&mut self, spot: Spot) -> Spot {
        match spot {
            Spot::Register(_) => spot,
            Spot::Memory(spot) => {
                let address = self.reusable(spot.address, Display::Pointer);
                Spot::Memory(InMemory { address, ..spot })
            }
        }
    }

    /// A value that is cheap to use several times, as long as no local is assigned to.
    pub fn reusable(&mut self, value: Expr, shown: Display) -> Expr {
        let is_register = |value: &Expr| matches!(value, Expr::Register(..));
        let is_cheap = match &value {
            Expr::Binary(BinaryOp::Add, base, offset) => is_register(base) && matches!(**offset, Expr::Constant(_)),
            value => is_register(value),
        };
        if is_cheap || is_static(&value) { value } else { self.builder.hold(value, shown) }
    }
}

/// Whether an address is a constant distance from something static or of the activation.
fn is_static(address: &Expr) -> bool {
    match address {
        Expr::Constant(_) | Expr::Address(..) => true,
        Expr::Binary(BinaryOp::Add, left, right) => is_static(left) && is_static(right),
        _ => false,
    }
}
