//! Objects with static storage: their names, shapes, initial values, and the kinds of statically initialised mutexes.

use super::bitfield;
use super::builder::{FunctionBuilder, ProgramBuilder};
use super::library::model_call;
use super::link::GlobalEntity;
use super::models::{LibraryUse, externals};
use super::shape::shape;
use super::values::floating;
use super::whole::Whole;
use crate::hir::{Constant, Global, StaticBase, StaticItem};
use crate::types::{BitField, Qualified, Type, TypeId, Types};
use selvedge_program::{
    Action, Base, Bits, Caveat, DataModel, Diagnostic, Expr, GhostField, InitialValue, Object, ObjectId, ObjectKind,
    Shape, Span, Unknown,
};
use std::collections::BTreeMap;

/// Adds a variable's object, still without its initial values. `span` is where the variable is first used.
pub fn declare_object(
    whole: &mut Whole<'_>,
    program: &mut ProgramBuilder,
    entity: GlobalEntity,
    span: Span,
) -> ObjectId {
    let (unit, id) = whole.links.global_link(entity).declaration;
    let global = whole.hir_global((unit, id));
    let name = object_name(whole, unit, global);
    let (types, names) = (whole.types(), whole.names());
    let is_library = !global.is_defined && library_variable(&name).is_some();
    let is_external = !global.is_defined && !is_library;
    if is_external {
        declare_external(whole, program, global, &name, span);
    }
    let kind = if global.is_thread_local {
        ObjectKind::ThreadLocal
    } else if global.is_string_literal || (is_constant(types, global.ty) && global.is_defined) {
        ObjectKind::Constant
    } else {
        ObjectKind::Global
    };
    let id = program.add_object(Object {
        name,
        kind,
        size: object_size(types, global),
        align: types.variable_align(global.ty.ty).max(global.align.unwrap_or(1)),
        initial: Vec::new(),
        initial_ghosts: Vec::new(),
        shape: shape(types, names, global.ty.ty),
        type_name: types.name(global.ty, names),
        span: whole.input.resolve(unit, global.span),
    });
    if is_external {
        whole.external_objects.push((id, global.ty.ty));
    }
    id
}

/// Takes note of a variable that the program declares and nobody defines.
fn declare_external(whole: &mut Whole<'_>, program: &mut ProgramBuilder, global: &Global, name: &str, span: Span) {
    let types = whole.types();
    let is_bytes = types.element(global.ty.ty).is_some_and(|element| types.size(element.ty) == Some(1));
    if global.is_thread_local || (types.size(global.ty.ty).is_none() && !is_bytes) {
        let why = if global.is_thread_local { "which every thread has its own of" } else { "whose size is not known" };
        let message = format!("undefined reference to `{name}`, {why}");
        whole.diagnostics.push(Diagnostic::error(span, message));
    }
    let message = match types.size(global.ty.ty) {
        None => format!("`{name}` is not defined: it is taken for an address that nothing is accessed at"),
        Some(_) => format!(
            "`{name}` is not defined: it is taken for memory of its own, with any numbers in it, and pointers to other \
             memory of its own or null"
        ),
    };
    program.add_caveat(span, message);
    whole.noted.has_external_data = true;
}

/// Builds the function that gives variables which nobody defines their first contents.
pub fn fill_external_objects(whole: &mut Whole<'_>, program: &mut ProgramBuilder) {
    let Some(id) = whole.external_start else { return };
    let mut builder = FunctionBuilder::new(program, id, "<external data>", Span::NOWHERE);
    for (object, ty) in std::mem::take(&mut whole.external_objects) {
        let types = whole.types();
        builder.begin_stub(Unknown::Variable(builder.program.objects[object.index()].name.clone()));
        let address = builder.address(Base::Object(object));
        // Pointers in it are null, or lead to memory of its own, for want of anything better.
        if externals::has_pointers(types, ty) {
            builder.may_change(&address, types.size(ty).unwrap_or(0));
        }
        match types.pointee(ty).filter(|target| types.function_type(target.ty).is_none()) {
            Some(target) => {
                let size = if target.ty == Types::VOID { None } else { types.size(target.ty) };
                let mut call = model_call(whole, &mut builder, "<external data>", &[], Types::VOID);
                call.store_object_of_its_own(object, size.unwrap_or(1).max(1));
            }
            None => model_call(whole, &mut builder, "<external data>", &[], Types::VOID).write_numbers(&address, ty),
        }
    }
    builder.emit_last(Action::Return { value: None });
    builder.finish();
}

/// The size of a variable: its type's, and more if its flexible array member is initialised.
fn object_size(types: &Types, global: &Global) -> u64 {
    let end = |item: &StaticItem| match (&item.value, item.bits) {
        (Constant::Bytes(bytes), _) => item.offset + bytes.len() as u64,
        (_, Some(bits)) => (bits.offset + u64::from(bits.width)).div_ceil(8),
        (_, None) => item.offset + types.size(item.ty).unwrap_or(1),
    };
    let initialised = global.initial.iter().map(end).max().unwrap_or(0);
    types.size(global.ty.ty).unwrap_or(0).max(initialised)
}

/// Whether no defined program writes to an object of this type.
fn is_constant(types: &Types, ty: Qualified) -> bool {
    ty.qualifiers.is_const || types.element(ty.ty).is_some_and(|element| is_constant(types, element))
}

fn object_name(whole: &Whole<'_>, unit: usize, global: &Global) -> String {
    let name = match (global.name, global.initial.first()) {
        (Some(name), _) => match whole.names().name(name).strip_prefix("__selvedge_state_of_") {
            Some(whose) => format!("the library's state of {whose}"),
            None => whole.names().name(name).to_owned(),
        },
        (None, Some(StaticItem { value: Constant::Bytes(bytes), .. })) if global.is_string_literal => quoted(bytes),
        (None, _) if global.is_string_literal => "\"\"".to_owned(),
        (None, _) => format!("({}){{…}}", whole.types().name(global.ty, whole.names())),
    };
    match global.owner {
        Some(owner) if global.name.is_some() => {
            format!("{}.{name}", whole.names().name(whole.hir_function((unit, owner)).name))
        }
        _ => name,
    }
}

/// A string literal as a name, shortened.
fn quoted(bytes: &[u8]) -> String {
    const LONGEST: usize = 24;
    let text = bytes.strip_suffix(&[0]).unwrap_or(bytes);
    let shown: String = text.iter().take(LONGEST).flat_map(|byte| byte.escape_ascii()).map(char::from).collect();
    if text.len() > LONGEST { format!("\"{shown}…\"") } else { format!("\"{shown}\"") }
}

/// Gives an object its initial values.
pub fn fill_object(whole: &mut Whole<'_>, program: &mut ProgramBuilder, entity: GlobalEntity, id: ObjectId) {
    let (unit, global_id) = whole.links.global_link(entity).declaration;
    let global = whole.hir_global((unit, global_id));
    let types = whole.types();
    if !global.is_defined {
        fill_library_variable(program, id);
        return;
    }
    let span = program.objects[id.index()].span;
    let mut values = Values::default();
    for item in &global.initial {
        match &item.value {
            Constant::Bytes(bytes) => values.put_bytes(item.offset, bytes),
            Constant::Integer(value) if item.bits.is_some() => {
                let bits = item.bits.unwrap_or(BitField { offset: 0, width: 1 });
                values.put_bits(bits, *value as u128);
            }
            constant => {
                let size = types.size(item.ty).unwrap_or(1).clamp(1, 16) as u32;
                match scalar(whole, program, unit, item.ty, constant, span) {
                    Some(value) => values.put(item.offset, size, value),
                    None => program.caveats.push(Caveat {
                        message:
                            "a static object of an extended floating type starts with zero, not with the program's value"
                                .to_owned(),
                        span,
                    }),
                }
            }
        }
    }
    let initial = values.finish();
    let mut kinds = Vec::new();
    lock_kinds(whole, global.ty.ty, 0, &initial, &mut kinds);
    for (_, lock, kind) in &kinds {
        lock.note(&mut whole.noted, kind.as_signed());
    }
    let ghosts =
        kinds.into_iter().map(|(at, _, kind)| (at, GhostField::MutexKind, Bits::new(32, kind.unsigned()))).collect();
    program.objects[id.index()].initial = initial;
    program.objects[id.index()].initial_ghosts = ghosts;
}

/// A constant of a scalar type; `None` for a floating type that we cannot represent.
fn scalar(
    whole: &mut Whole<'_>,
    program: &mut ProgramBuilder,
    unit: usize,
    ty: TypeId,
    constant: &Constant,
    span: Span,
) -> Option<Expr> {
    let types = whole.types();
    let width = 8 * types.size(ty).unwrap_or(1).clamp(1, 16) as u32;
    Some(match constant {
        Constant::Integer(value) if types.is_float(ty) => floating(types, ty, *value as f64)?,
        Constant::Integer(value) => Expr::signed(width, *value),
        Constant::Float(value) => floating(types, ty, *value)?,
        Constant::Address(base, offset) => {
            let pointer_width = types.data_model.pointer_width();
            let address = match base {
                StaticBase::Global(global) => {
                    let entity = whole.links.global(unit, *global);
                    Expr::address(Base::Object(whole.object(program, entity, span)), pointer_width)
                }
                StaticBase::Function(function) => {
                    let entity = whole.links.function(unit, *function);
                    whole.function_address(program, entity)
                }
            };
            let address = if *offset == 0 { address } else { address.plus(*offset as u64) };
            address.resize_unsigned(width)
        }
        Constant::Bytes(_) => return None,
    })
}

/// Initial values under construction: disjoint, by offset; what is put later wins.
#[derive(Default)]
struct Values {
    values: BTreeMap<u64, (u32, Expr)>,
}

impl Values {
    fn put(&mut self, offset: u64, size: u32, value: Expr) {
        self.clear(offset, u64::from(size));
        self.values.insert(offset, (size, value));
    }

    /// Makes room: whole values go, constants that are only touched keep their other bytes.
    fn clear(&mut self, offset: u64, size: u64) {
        const LARGEST: u64 = 16;
        let end = offset.saturating_add(size);
        let touched: Vec<u64> = self
            .values
            .range(offset.saturating_sub(LARGEST)..end)
            .filter(|(start, (length, _))| *start + u64::from(*length) > offset)
            .map(|(start, _)| *start)
            .collect();
        for start in touched {
            let Some((_, Expr::Constant(bits))) = self.values.remove(&start) else { continue };
            for (position, byte) in bits.to_bytes().enumerate() {
                let at = start + position as u64;
                if at < offset || at >= end {
                    self.values.insert(at, (1, Expr::constant(8, u128::from(byte))));
                }
            }
        }
    }

    /// Short strings byte by byte, as programs access them; long ones in larger pieces.
    fn put_bytes(&mut self, offset: u64, bytes: &[u8]) {
        let piece = if bytes.len() <= 256 { 1 } else { 16 };
        let mut at = offset;
        for chunk in bytes.chunks(piece) {
            self.put(at, chunk.len() as u32, Expr::Constant(Bits::from_bytes(chunk)));
            at += chunk.len() as u64;
        }
    }

    fn put_bits(&mut self, bits: BitField, value: u128) {
        let (first, count) = bitfield::covering_bytes(bits);
        let old: Vec<u8> = (first..first + u64::from(count)).map(|at| self.byte(at)).collect();
        let new = bitfield::insert(bits, Expr::Constant(Bits::from_bytes(&old)), Expr::constant(128, value));
        if let Expr::Constant(new) = new {
            for (position, byte) in new.to_bytes().enumerate() {
                self.put(first + position as u64, 1, Expr::constant(8, u128::from(byte)));
            }
        }
    }

    fn byte(&self, at: u64) -> u8 {
        match self.values.range(..=at).next_back() {
            Some((start, (size, Expr::Constant(bits)))) if at < start + u64::from(*size) => {
                bits.to_bytes().nth((at - start) as usize).unwrap_or(0)
            }
            _ => 0,
        }
    }

    /// The values in order; zeros are left out, as what is not covered is zero.
    fn finish(self) -> Vec<InitialValue> {
        let is_zero = |value: &Expr| matches!(value, Expr::Constant(bits) if bits.is_zero());
        self.values
            .into_iter()
            .filter(|(_, (_, value))| !is_zero(value))
            .map(|(offset, (size, value))| InitialValue { offset, size, value })
            .collect()
    }
}

/// A lock whose static initialiser can say of what kind it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LockType {
    /// A mutex.
    Mutex,
    /// A read-write lock.
    ReadWrite,
}

impl LockType {
    /// The names of the member that holds the kind: in our header and in the C library's.
    fn members(self) -> [&'static str; 2] {
        match self {
            LockType::Mutex => ["__selvedge_kind", "__kind"],
            LockType::ReadWrite => ["__selvedge_kind", "__flags"],
        }
    }

    /// Where the kind lies, both in our header and in the C library's.
    fn kind_offset(self, data_model: DataModel) -> u64 {
        match (self, data_model) {
            (LockType::Mutex, DataModel::Lp64) => 16,
            (LockType::Mutex, DataModel::Ilp32) => 12,
            (LockType::ReadWrite, DataModel::Lp64) => 48,
            (LockType::ReadWrite, DataModel::Ilp32) => 24,
        }
    }

    /// Takes note of a lock of a kind.
    pub fn note(self, noted: &mut LibraryUse, kind: i128) {
        match self {
            LockType::Mutex => noted.note_mutex_kind(kind),
            LockType::ReadWrite => noted.note_rwlock_kind(kind),
        }
    }
}

/// The lock whose state a record holds, and where its kind lies: there is a member for it at the right place.
pub fn lock_type(whole: &Whole<'_>, ty: TypeId) -> Option<(LockType, u64)> {
    let types = whole.types();
    let fields = types.fields(ty)?;
    [LockType::Mutex, LockType::ReadWrite].into_iter().find_map(|lock| {
        let kind_at = lock.kind_offset(types.data_model);
        let is_kind = fields.iter().any(|field| {
            field.offset == kind_at
                && field.name.is_some_and(|name| lock.members().contains(&whole.names().name(name)))
                && types.is_signed(field.ty.ty) == (lock == LockType::Mutex)
        });
        is_kind.then_some((lock, kind_at))
    })
}

/// The locks within a type whose initial kind is not the default, each with where it lies and its kind.
fn lock_kinds(
    whole: &Whole<'_>,
    ty: TypeId,
    offset: u64,
    initial: &[InitialValue],
    found: &mut Vec<(u64, LockType, Bits)>,
) {
    let types = whole.types();
    let size = types.size(ty).unwrap_or(0);
    let from = initial.partition_point(|value| value.offset < offset);
    if initial.get(from).is_none_or(|value| value.offset >= offset + size) {
        return;
    }
    match types.get(ty) {
        Type::Record(_) if lock_type(whole, ty).is_some() => {
            let Some((lock, kind_at)) = lock_type(whole, ty) else { return };
            let kind = initial.iter().find(|value| value.offset == offset + kind_at).map(|value| &value.value);
            if let Some(Expr::Constant(kind)) = kind
                && !found.iter().any(|(at, ..)| *at == offset)
            {
                found.push((offset, lock, *kind));
            }
        }
        Type::Record(_) => {
            for field in types.fields(ty).unwrap_or_default() {
                lock_kinds(whole, field.ty.ty, offset + field.offset, initial, found);
            }
        }
        Type::Array { element, .. } => {
            let stride = types.size(element.ty).unwrap_or(0).max(1);
            for index in 0..size / stride {
                lock_kinds(whole, element.ty, offset + index * stride, initial, found);
            }
        }
        _ => {}
    }
}

/// What the C library defines and programs refer to.
#[derive(Clone, Copy)]
enum LibraryVariable {
    /// Points to something opaque.
    Stream,
    /// Points to an empty list.
    Environment,
    /// A number.
    Number(u128),
}

fn library_variable(name: &str) -> Option<LibraryVariable> {
    Some(match name {
        "stdin" | "stdout" | "stderr" => LibraryVariable::Stream,
        "environ" | "__environ" => LibraryVariable::Environment,
        "optind" | "opterr" => LibraryVariable::Number(1),
        "optopt" | "optarg" | "timezone" | "daylight" => LibraryVariable::Number(0),
        _ => return None,
    })
}

fn fill_library_variable(program: &mut ProgramBuilder, id: ObjectId) {
    let object = program.objects[id.index()].clone();
    let (pointer_size, pointer_width) = (program.data_model.pointer_size(), program.data_model.pointer_width());
    let size = u32::try_from(object.size).unwrap_or(4).clamp(1, 8);
    let value = match library_variable(&object.name) {
        None => return,
        Some(LibraryVariable::Number(value)) => Expr::constant(8 * size, value),
        Some(LibraryVariable::Stream | LibraryVariable::Environment) if size != pointer_size => return,
        Some(LibraryVariable::Stream | LibraryVariable::Environment) => {
            let pointee = program.add_object(Object {
                name: format!("*{}", object.name),
                kind: ObjectKind::Constant,
                size: u64::from(pointer_size),
                align: pointer_size,
                initial: Vec::new(),
                initial_ghosts: Vec::new(),
                shape: Shape::Opaque,
                type_name: "<library>".to_owned(),
                span: object.span,
            });
            Expr::address(Base::Object(pointee), pointer_width)
        }
    };
    program.objects[id.index()].initial = vec![InitialValue { offset: 0, size, value }];
}
