//! Declarations of locals and their initialisers.

use super::bitfield;
use super::copy::Piece;
use super::effects;
use super::function::{FunctionLowering, Home};
use super::global::LockType;
use super::lock_copy::{Lock, locks_within};
use super::place::{InMemory, Spot, advance, align_at, load_atomicity};
use crate::hir::{Callee, Expr as Typed, ExprKind, Initializer, InitializerItem, InitializerValue, LocalId, Size};
use crate::types::{ArrayLength, Type, TypeId};
use selvedge_program::{
    Action, Atomicity, Base, BinaryOp, Display, Expr, FrameObjectId, GhostField, InitialContents, RegisterId, Storage,
    Undefined,
};

impl<'h> FunctionLowering<'_, 'h> {
    /// The declaration of a local is reached. Without an initialiser it holds nothing in particular.
    pub fn declare(&mut self, local: LocalId, initializer: Option<&'h Initializer>) {
        self.declared.insert(local);
        let declared = &self.body.locals[local.index()];
        let ty = declared.ty.ty;
        let types = self.types();
        let begins = self.begins_life(local);
        match (self.homes[local.index()], initializer) {
            (Home::Register(target), None) => {
                self.builder.emit(Action::Havoc { target });
            }
            (Home::Register(target), Some(initializer)) => self.initialize_register(local, target, initializer),
            (Home::Frame(object), None) => {
                self.builder.emit(Action::Forget { object });
            }
            (Home::Frame(object), Some(initializer)) => {
                let is_repeated = !self.jumps.is_empty() || !self.body.labels.is_empty();
                if begins || effects::mentions(initializer, local) || (is_repeated && self.types().is_aggregate(ty)) {
                    self.builder.emit(Action::Forget { object });
                }
                let address = self.builder.address(Base::Frame(object));
                match result_of_call(initializer) {
                    Some((callee, arguments)) if !effects::mentions(initializer, local) && types.is_aggregate(ty) => {
                        self.call_into(ty, callee, arguments, address);
                    }
                    _ => self.initialize(address, ty, initializer),
                }
            }
            (Home::Pointed(register), initializer) => {
                self.allocate_array(register, ty);
                if initializer.is_some() {
                    self.builder.unsupported("an initialiser of a variable-length array");
                }
            }
        }
    }

    fn initialize_register(&mut self, local: LocalId, target: RegisterId, initializer: &'h Initializer) {
        let width = self.builder.value(target).width();
        if effects::mentions(initializer, local) {
            self.builder.emit(Action::Havoc { target });
        }
        if initializer.items.is_empty() {
            self.builder.assign(target, Expr::constant(width, 0));
        }
        for item in &initializer.items {
            if let InitializerValue::Expr(value) = &item.value {
                self.value_into(value, target);
            }
        }
    }

    /// A variable-length array comes to life.
    fn allocate_array(&mut self, register: RegisterId, ty: TypeId) {
        let size = self.runtime_size(ty);
        for length in &size.lengths {
            if let Some(length) = self.lengths.get(length) {
                let length = self.builder.value(*length);
                let none = Expr::constant(length.width(), 0);
                let is_positive = Expr::binary(BinaryOp::LessSigned, none, length);
                self.builder.require(is_positive, Undefined::ArrayLength);
            }
        }
        let size = self.size(&size);
        let site = self.builder.program.add_site(self.builder.span);
        self.builder.emit(Action::Allocate {
            target: register,
            size,
            align: self.types().variable_align(ty),
            storage: Storage::Stack,
            contents: InitialContents::Indeterminate,
            site,
        });
    }

    /// The size of a type with variable lengths.
    fn runtime_size(&self, ty: TypeId) -> Size {
        match self.types().get(ty) {
            Type::Array { element, length } => {
                let mut size = self.runtime_size(element.ty);
                match length {
                    ArrayLength::Known(length) => size.bytes = size.bytes.saturating_mul(*length),
                    ArrayLength::Variable(length) => size.lengths.push(*length),
                    ArrayLength::Unknown => size.bytes = 0,
                }
                size
            }
            _ => Size::constant(self.types().size(ty).unwrap_or(0)),
        }
    }

    /// Gives an object in memory its initial values.
    pub fn initialize(&mut self, address: Expr, ty: TypeId, initializer: &'h Initializer) {
        let align = self.types().align(ty);
        if initializer.zero_rest {
            let covered: Vec<Piece> = initializer.items.iter().filter_map(|item| self.covered(item)).collect();
            self.zero(&address, ty, align, |offset, size| {
                covered
                    .iter()
                    .any(|part| part.offset <= offset && offset + u64::from(size) <= part.offset + u64::from(part.size))
            });
        }
        for item in &initializer.items {
            self.initialize_item(&address, align, item);
        }
        self.set_lock_kinds(&address, ty, initializer);
    }

    /// The bytes an item covers; `None` for a bit-field, which covers none completely.
    fn covered(&self, item: &InitializerItem) -> Option<Piece> {
        let size = match (&item.value, item.bits) {
            (_, Some(_)) => return None,
            (InitializerValue::Bytes(bytes), None) => bytes.len() as u64,
            (InitializerValue::Expr(_), None) => self.types().size(item.ty.ty)?,
        };
        Some(Piece { offset: item.offset, size: u32::try_from(size).ok()?, align: 1 })
    }

    fn initialize_item(&mut self, object: &Expr, object_align: u32, item: &'h InitializerItem) {
        let types = self.types();
        let ty = item.ty.ty;
        match &item.value {
            InitializerValue::Bytes(bytes) => {
                let element = types.element(ty).and_then(|element| types.size(element.ty)).unwrap_or(1).clamp(1, 8);
                for (index, unit) in bytes.chunks(element as usize).enumerate() {
                    let offset = item.offset + index as u64 * element;
                    let value = Expr::Constant(selvedge_program::Bits::from_bytes(unit));
                    let address = advance(object.clone(), offset);
                    self.builder.store(
                        address,
                        align_at(object_align, offset).min(element as u32),
                        value,
                        Atomicity::Plain,
                    );
                }
            }
            InitializerValue::Expr(value) if types.is_aggregate(ty) => {
                let source = self.value(value);
                let align = align_at(object_align, item.offset);
                let target = InMemory {
                    address: advance(object.clone(), item.offset),
                    align,
                    bits: None,
                    atomicity: Atomicity::Plain,
                };
                self.copy_assigned(&target, source, ty, load_atomicity(value));
            }
            InitializerValue::Expr(value) => {
                let value = self.value(value);
                let spot = match item.bits {
                    Some(bits) => InMemory {
                        address: object.clone(),
                        align: bitfield::alignment(bits, object_align),
                        bits: Some(bits),
                        atomicity: Atomicity::Plain,
                    },
                    None => InMemory {
                        address: advance(object.clone(), item.offset),
                        align: align_at(object_align, item.offset).min(types.align(ty)),
                        bits: None,
                        atomicity: Atomicity::Plain,
                    },
                };
                self.write(&Spot::Memory(spot), ty, value);
            }
        }
    }

    /// Local locks that are initialised with a kind get that kind.
    fn set_lock_kinds(&mut self, address: &Expr, ty: TypeId, initializer: &Initializer) {
        for lock in locks_within(self.whole, ty).unwrap_or_default() {
            self.set_lock_kind(address, lock, initializer);
        }
    }

    /// Whether what lies at an offset is part of a struct that is copied there.
    fn is_copied_at(&self, offset: u64, initializer: &Initializer) -> bool {
        let types = self.types();
        initializer.items.iter().any(|item| match &item.value {
            InitializerValue::Expr(value) if types.is_aggregate(value.ty) => {
                let end = item.offset + types.size(value.ty).unwrap_or(0);
                (item.offset..end).contains(&offset)
            }
            _ => false,
        })
    }

    fn set_lock_kind(&mut self, address: &Expr, lock: Lock, initializer: &Initializer) {
        let kind = initializer.items.iter().rev().find(|item| item.offset == lock.kind_at);
        let value = kind.and_then(|item| match &item.value {
            InitializerValue::Expr(value) => Some(value),
            InitializerValue::Bytes(_) => None,
        });
        if value.is_none() && self.is_copied_at(lock.kind_at, initializer) {
            return;
        }
        let kind = match value.map(|value| &value.kind) {
            None | Some(ExprKind::Integer(0)) => 0,
            Some(ExprKind::Integer(kind)) => *kind as u128,
            Some(_) => return,
        };
        lock.ty.note(&mut self.whole.noted, kind as i128);
        let is_kept = match lock.ty {
            LockType::Mutex => self.whole.facts.has_mutex_kinds,
            LockType::ReadWrite => self.whole.facts.prefers_writers,
        };
        if is_kept {
            let mut atomic = self.builder.atomic();
            let kind = Expr::constant(32, kind);
            atomic.write_ghost(advance(address.clone(), lock.offset), GhostField::MutexKind, kind);
            atomic.commit();
        }
    }

    /// The address of a temporary in the activation for an object of a type.
    pub fn temporary_object(&mut self, name: &str, ty: TypeId) -> Expr {
        let object = self.temporary(name, ty);
        self.builder.address(Base::Frame(object))
    }

    /// A temporary in the activation for an object of a type.
    pub fn temporary(&mut self, name: &str, ty: TypeId) -> FrameObjectId {
        let types = self.types();
        let names = self.whole.names();
        let object = selvedge_program::FrameObject {
            name: name.to_owned(),
            size: types.size(ty).unwrap_or(0),
            align: types.align(ty),
            shape: super::shape::shape(types, names, ty),
            type_name: types.name(ty, names),
            span: self.builder.span,
        };
        self.builder.frame_object(object)
    }

    /// A register that holds a pointer.
    pub fn pointer_register(&mut self) -> RegisterId {
        let width = self.builder.pointer_width();
        self.builder.temporary(width, Display::Pointer)
    }
}

/// The call whose result an object as a whole is initialised with.
fn result_of_call(initializer: &Initializer) -> Option<(&Callee, &[Typed])> {
    match initializer.items.as_slice() {
        [InitializerItem { offset: 0, bits: None, value: InitializerValue::Expr(value), .. }]
            if !initializer.zero_rest =>
        {
            match &value.kind {
                ExprKind::Call { callee, arguments } => Some((callee, arguments)),
                _ => None,
            }
        }
        _ => None,
    }
}
