//! What a line of the table does to the arguments of a call, as edges.

use super::COMPUTED_BY;
use super::parse::{Answer, Effect, Extent, Factor, RoleKind, Size};
use crate::lower::Uninitialised;
use crate::lower::copy::{Piece, members};
use crate::lower::models::{ModelCall, Modelled};
use crate::syntax::ast::RecordKind;
use crate::types::{Type, TypeId, Types};
use selvedge_program::{
    Access, Action, Atomicity, Base, BinaryOp, Display, Expr, FrameObject, Interpretation, Object, ObjectId,
    ObjectKind, Place, Shape, Span,
};

/// The most scalars of an object that are written one by one.
const MOST_SCALARS: usize = 32;
/// The most scalars of an object whose values are chosen when they are written; those of others are when they are read.
const MOST_CHOSEN: usize = 4;
/// The largest scalar whose value is chosen when it is written.
const LARGEST_CHOSEN: u32 = 8;

impl ModelCall<'_, '_> {
    /// Does what a line of the table says.
    pub(in crate::lower) fn perform(&mut self, effect: &Effect) -> Modelled {
        if let Some(reason) = self.misfit(effect) {
            return Modelled::Unsupported(reason);
        }
        if let Some(state) = &effect.state {
            self.touch_library(state);
        }
        let first = self.function.next_edge();
        let modelled = self.read_and_write(effect);
        if effect.is_determined {
            let name = format!("{COMPUTED_BY}{}", self.plain_name());
            self.function.name_choices(first, &name);
        }
        modelled
    }

    fn read_and_write(&mut self, effect: &Effect) -> Modelled {
        self.read_arguments(effect);
        let is_written = effect.roles.iter().any(|role| role.role.is_written());
        match effect.result.can_fail() {
            false => {
                self.write_arguments(effect);
                self.answer(effect, None)
            }
            true if !is_written => {
                let succeeds = self.function.havoc(1, Display::Bool);
                self.answer(effect, Some(succeeds))
            }
            true => {
                let [succeeds, writes] = [(); 2].map(|()| self.function.havoc(1, Display::Bool));
                self.when(succeeds.clone().or(writes), |call| call.write_arguments(effect));
                self.answer(effect, Some(succeeds))
            }
        }
    }

    /// Why the effect is not that of the call.
    fn misfit(&self, effect: &Effect) -> Option<String> {
        let name = self.plain_name();
        let further = self.arguments.get(effect.roles.len()..).unwrap_or_default();
        if effect.is_variadic && further.iter().any(|argument| self.types.is_pointer(argument.ty)) {
            return Some(format!("call of `{name}` with a pointer among its further arguments"));
        }
        None
    }

    fn read_arguments(&mut self, effect: &Effect) {
        for (index, role) in effect.roles.iter().enumerate() {
            match &role.role {
                RoleKind::Number | RoleKind::Pointer | RoleKind::Null | RoleKind::Constant(_) => {}
                RoleKind::Write(_) | RoleKind::WriteText(_) | RoleKind::UpdateText | RoleKind::End(_) => {}
                RoleKind::Read(extent) | RoleKind::Update(extent) => {
                    self.unless_null(index, role.is_optional, |call| call.read_extent(index, extent));
                }
                RoleKind::UpdateNumbers | RoleKind::Length => {
                    self.unless_null(index, role.is_optional, |call| call.read_extent(index, &Extent::Pointee));
                }
                RoleKind::Text(size) => self.unless_null(index, role.is_optional, |call| {
                    let model = if *size == 1 { "__selvedge_strlen" } else { "__selvedge_wide_length" };
                    let (text, width) = (call.pointer(index), call.function.pointer_width());
                    call.call_c(model, vec![text], width);
                }),
                RoleKind::Character(size) => self.unless_null(index, role.is_optional, |call| {
                    let (at, most, width) = (call.pointer(index), call.bytes(size), call.function.pointer_width());
                    call.call_c("__selvedge_look_at_character", vec![at, most], width);
                }),
                RoleKind::Handle => self.unless_null(index, role.is_optional, |call| {
                    let handle = call.pointer(index);
                    call.call_c("__selvedge_use_stream", vec![handle], 32);
                }),
                RoleKind::OwnHandle => self.unless_null(index, role.is_optional, |call| {
                    let handle = call.pointer(index);
                    call.function.store(handle, 1, Expr::constant(8, 0), Atomicity::Plain);
                }),
                RoleKind::Closed => self.unless_null(index, role.is_optional, |call| {
                    let address = call.pointer(index);
                    call.function.emit(Action::Free { address });
                }),
            }
        }
    }

    fn write_arguments(&mut self, effect: &Effect) {
        for (index, role) in effect.roles.iter().enumerate() {
            if effect.is_determined && self.is_written_in_bulk(index, &role.role) {
                self.unless_null(index, role.is_optional, |call| {
                    let what = format!("call of `{}`, which writes what is not modelled", call.plain_name());
                    call.function.inexact(what);
                });
            }
            match &role.role {
                RoleKind::Write(extent) | RoleKind::Update(extent) => {
                    self.unless_null(index, role.is_optional, |call| call.write_extent(index, extent));
                }
                RoleKind::UpdateNumbers => self.unless_null(index, role.is_optional, |call| {
                    let address = call.pointer(index);
                    if let Some(ty) = call.pointee(index) {
                        call.write_numbers(&address, ty);
                    }
                }),
                RoleKind::End(text) => self.unless_null(index, role.is_optional, |call| {
                    let is_wide = matches!(effect.roles[*text].role, RoleKind::Text(4));
                    call.write_end(index, *text, if is_wide { 4 } else { 1 });
                }),
                RoleKind::Length => self.unless_null(index, role.is_optional, |call| call.write_length(index)),
                RoleKind::UpdateText => self.unless_null(index, role.is_optional, |call| {
                    let (text, width) = (call.pointer(index), call.function.pointer_width());
                    let length = call.call_c("__selvedge_strlen", vec![text.clone()], width);
                    call.call_c("__selvedge_any_bytes", vec![text, length], width);
                }),
                RoleKind::WriteText(size) => self.unless_null(index, role.is_optional, |call| {
                    let (address, size) = (call.pointer(index), call.bytes(size));
                    call.write_text(address, size);
                }),
                RoleKind::Number
                | RoleKind::Pointer
                | RoleKind::Null
                | RoleKind::Constant(_)
                | RoleKind::Read(_)
                | RoleKind::Text(_)
                | RoleKind::Character(_)
                | RoleKind::Handle
                | RoleKind::OwnHandle
                | RoleKind::Closed => {}
            }
        }
    }

    /// Whether what is written through an argument is more than single numbers that are chosen at once.
    fn is_written_in_bulk(&self, index: usize, role: &RoleKind) -> bool {
        match role {
            RoleKind::WriteText(_) | RoleKind::UpdateText => true,
            RoleKind::Write(Extent::Bytes(_)) | RoleKind::Update(Extent::Bytes(_)) => true,
            RoleKind::Write(Extent::Pointee) | RoleKind::Update(Extent::Pointee) | RoleKind::UpdateNumbers => {
                self.pointee(index).is_some_and(|ty| match members(self.types, ty, MOST_SCALARS) {
                    Some(pieces) => {
                        pieces.len() > MOST_CHOSEN || pieces.iter().any(|piece| piece.size > LARGEST_CHOSEN)
                    }
                    None => true,
                })
            }
            RoleKind::Number
            | RoleKind::Pointer
            | RoleKind::Null
            | RoleKind::Constant(_)
            | RoleKind::Read(_)
            | RoleKind::Text(_)
            | RoleKind::Character(_)
            | RoleKind::End(_)
            | RoleKind::Length
            | RoleKind::Handle
            | RoleKind::OwnHandle
            | RoleKind::Closed => false,
        }
    }

    /// Stores a pointer to a character of a string, or to its end.
    fn write_end(&mut self, index: usize, text: usize, character: u32) {
        let (target, text, width) = (self.pointer(index), self.pointer(text), self.function.pointer_width());
        let model = if character == 1 { "__selvedge_strlen" } else { "__selvedge_wide_length" };
        let length = self.call_c(model, vec![text.clone()], width);
        let length = self.function.hold(length, Display::Unsigned);
        let at = self.function.havoc(width, Display::Unsigned);
        let is_within = Expr::binary(BinaryOp::LessUnsigned, at.clone(), length.clone());
        let at = Expr::if_then_else(is_within, at, length);
        let offset = Expr::binary(BinaryOp::Multiply, at, Expr::constant(width, u128::from(character)));
        let end = Expr::binary(BinaryOp::Add, text, offset);
        let align = self.pointer_size();
        self.function.store(target, align, end, Atomicity::Plain);
    }

    /// Says how much of a buffer was filled: any number that is not more than its length.
    fn write_length(&mut self, index: usize) {
        let span = self.function.span;
        let message = "what the system tells of sockets is assumed to fit the memory that it is given";
        self.function.program.add_caveat(span, message);
        let address = self.pointer(index);
        let length = self.function.load(address.clone(), 4, 4, Atomicity::Plain, Display::Unsigned);
        let filled = self.function.havoc(32, Display::Unsigned);
        let is_less = Expr::binary(BinaryOp::LessUnsigned, filled.clone(), length.clone());
        self.function.store(address, 4, Expr::if_then_else(is_less, filled, length), Atomicity::Plain);
    }

    /// Emits edges that are taken unless an argument that may be null is.
    fn unless_null(&mut self, index: usize, may_be_null: bool, emit: impl FnOnce(&mut Self)) {
        match may_be_null {
            true => {
                let pointer = self.pointer(index);
                self.when(pointer.is_true(), emit);
            }
            false => emit(self),
        }
    }

    /// A number of bytes.
    pub(super) fn bytes(&mut self, size: &Size) -> Expr {
        let width = self.function.pointer_width();
        let factors: Vec<Expr> = size
            .0
            .iter()
            .map(|factor| match factor {
                Factor::Number(number) => Expr::constant(width, u128::from(*number)),
                Factor::Argument(index) => self.size(*index),
                Factor::Pointed(index) => {
                    let address = self.pointer(*index);
                    let number = self.function.load(address, 4, 4, Atomicity::Plain, Display::Unsigned);
                    number.resize_unsigned(width)
                }
            })
            .collect();
        let product = factors.into_iter().reduce(|left, right| Expr::binary(BinaryOp::Multiply, left, right));
        product.unwrap_or_else(|| Expr::constant(width, 1))
    }

    fn read_extent(&mut self, index: usize, extent: &Extent) {
        let address = self.pointer(index);
        match (extent, self.pointee(index)) {
            (Extent::Pointee, Some(ty)) => self.read_object(&address, ty),
            (Extent::Pointee, None) => {}
            (Extent::Bytes(size), _) => {
                let size = self.bytes(size);
                self.read_bytes(address, size);
            }
        }
    }

    fn write_extent(&mut self, index: usize, extent: &Extent) {
        let address = self.pointer(index);
        match (extent, self.pointee(index)) {
            (Extent::Pointee, Some(ty)) => self.write_object(&address, ty),
            (Extent::Pointee, None) => {}
            (Extent::Bytes(size), _) => {
                let (size, width) = (self.bytes(size), self.function.pointer_width());
                self.call_c("__selvedge_any_bytes", vec![address, size], width);
            }
        }
    }

    fn read_bytes(&mut self, address: Expr, size: Expr) {
        let width = self.function.pointer_width();
        self.call_c("__selvedge_look_at", vec![address, size], width);
    }

    /// Reads an object of a type, for its being read only.
    fn read_object(&mut self, address: &Expr, ty: TypeId) {
        match members(self.types, ty, MOST_SCALARS) {
            Some(pieces) => {
                for Piece { offset, size, align } in pieces {
                    let target = self.function.temporary(8 * size, Display::Unsigned);
                    let place = Place::Memory { address: address.clone().plus(offset), size, align };
                    let access = Access { place, atomicity: Atomicity::Plain };
                    self.function.emit(Action::Load { target, access, interpretation: Interpretation::Raw });
                }
            }
            None => {
                let size = self.object_size(ty);
                self.read_bytes(address.clone(), size);
            }
        }
    }

    /// Writes any value to an object of a type.
    pub(super) fn write_object(&mut self, address: &Expr, ty: TypeId) {
        match members(self.types, ty, MOST_SCALARS) {
            Some(pieces) => {
                let is_chosen = pieces.len() <= MOST_CHOSEN;
                for piece in pieces {
                    let at = address.clone().plus(piece.offset);
                    match is_chosen && piece.size <= LARGEST_CHOSEN {
                        true => {
                            let value = self.function.havoc(8 * piece.size, Display::Signed);
                            self.function.store(at, piece.align, value, Atomicity::Plain);
                        }
                        false => self.write_any(at, piece.size, piece.align),
                    }
                }
            }
            None => {
                let (size, width) = (self.object_size(ty), self.function.pointer_width());
                self.call_c("__selvedge_any_bytes", vec![address.clone(), size], width);
            }
        }
    }

    /// Writes any value to the numbers in an object of a type. A union in which there may be a pointer stays as it is.
    pub(in crate::lower) fn write_numbers(&mut self, address: &Expr, ty: TypeId) {
        match self.types.get(ty) {
            _ if !has_pointers(self.types, ty) => self.write_object(address, ty),
            Type::Record(id) if self.types.record(*id).kind == RecordKind::Struct => {
                let fields = self.types.fields(ty).unwrap_or_default().to_vec();
                for field in fields.into_iter().filter(|field| field.bits.is_none()) {
                    self.write_numbers(&address.clone().plus(field.offset), field.ty.ty);
                }
            }
            _ => {}
        }
    }

    fn object_size(&self, ty: TypeId) -> Expr {
        Expr::constant(self.function.pointer_width(), u128::from(self.types.size(ty).unwrap_or(0)))
    }

    /// Writes bytes that turn out to be anything when they are first read; where that is to be undefined of memory that
    /// nobody has written, which this is not, they are chosen at once.
    pub(in crate::lower::models) fn write_any(&mut self, address: Expr, size: u32, align: u32) {
        let value = match self.uninitialised {
            Uninitialised::Anything => {
                let unwritten = FrameObject {
                    name: "unwritten".to_owned(),
                    size: u64::from(size),
                    align,
                    shape: Shape::Opaque,
                    type_name: "<library>".to_owned(),
                    span: Span::NOWHERE,
                };
                let object = self.function.scratch(unwritten);
                let source = self.function.address(Base::Frame(object));
                let bytes = self.load_raw(source, size);
                self.function.value(bytes)
            }
            Uninitialised::Undefined => self.function.havoc(8 * size, Display::Unsigned),
        };
        self.function.store(address, align, value, Atomicity::Plain);
    }

    /// Writes any string of less than so many bytes.
    pub(in crate::lower::models) fn write_text(&mut self, address: Expr, size: Expr) {
        let (span, width) = (self.function.span, self.function.pointer_width());
        let message = "strings that the library writes are taken to fill their memory: its last byte is 0, and those \
                       behind the string are any";
        self.function.program.add_caveat(span, message);
        self.call_c("__selvedge_any_text", vec![address, size], width);
    }

    /// Changes what the library keeps between calls: two threads that do so at once race.
    fn touch_library(&mut self, whose: &str) {
        let state = self.library_object(&format!("the library's state of {whose}"), 1);
        let address = self.function.address(Base::Object(state));
        self.function.store(address, 1, Expr::constant(8, 0), Atomicity::Plain);
    }

    /// An object that the library keeps, by its name and size.
    pub(super) fn library_object(&mut self, name: &str, size: u64) -> ObjectId {
        let is_it = |object: &Object| object.name == name && object.size == size && !object.span.is_somewhere();
        if let Some(position) = self.function.program.objects.iter().position(is_it) {
            return ObjectId::new(position);
        }
        self.function.program.add_object(Object {
            name: name.to_owned(),
            kind: ObjectKind::Global,
            size,
            align: 16,
            initial: Vec::new(),
            initial_ghosts: Vec::new(),
            shape: Shape::Opaque,
            type_name: "<library>".to_owned(),
            span: Span::NOWHERE,
        })
    }
}

/// How deep types are looked into.
const DEEPEST: u32 = 16;

/// Whether there are pointers in an object of a type.
pub fn has_pointers(types: &Types, ty: TypeId) -> bool {
    has_pointers_within(types, ty, 0)
}

fn has_pointers_within(types: &Types, ty: TypeId, depth: u32) -> bool {
    match types.get(ty) {
        _ if depth > DEEPEST => true,
        Type::Pointer(_) => true,
        Type::Array { element, .. } => has_pointers_within(types, element.ty, depth + 1),
        Type::Record(_) => {
            let fields = types.fields(ty).unwrap_or_default();
            fields.iter().any(|field| has_pointers_within(types, field.ty.ty, depth + 1))
        }
        _ => false,
    }
}

impl RoleKind {
    fn is_written(&self) -> bool {
        matches!(
            self,
            RoleKind::Write(_)
                | RoleKind::Update(_)
                | RoleKind::UpdateNumbers
                | RoleKind::UpdateText
                | RoleKind::Length
                | RoleKind::End(_)
                | RoleKind::WriteText(_)
        )
    }
}

impl Answer {
    /// Whether it says that the function did not do its work.
    fn can_fail(&self) -> bool {
        match self {
            Answer::Void
            | Answer::NoReturn
            | Answer::Any
            | Answer::Range(..)
            | Answer::Argument(_)
            | Answer::Computed
            | Answer::Static(_) => false,
            Answer::Status
            | Answer::Error
            | Answer::Natural
            | Answer::Count(_)
            | Answer::ArgumentOrNull(_)
            | Answer::Handle
            | Answer::New
            | Answer::NewText => true,
        }
    }
}
