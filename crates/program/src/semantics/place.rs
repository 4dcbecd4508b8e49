//! Accesses: from an address to bytes or a ghost field, if that is allowed.
//!
//! The checks, in this order: the address is a pointer, its object is alive, the bytes lie within it, it may be
//! written, and the address is a multiple of the alignment that C demands.

use crate::semantics::contents::Loaded;
use crate::semantics::eval::Evaluator;
use crate::semantics::memory::{Block, Origin, THREAD_OBJECT_SIZE};
use crate::semantics::outcome::{Outcome, Question};
use crate::semantics::pointers::{self, NULL_PAGE};
use crate::semantics::state::GhostKey;
use crate::semantics::value::{Byte, Instance, Pointer, Value};
use crate::semantics::{AccessKind, Spot};
use crate::{Bits, GhostField, Interpretation, ObjectKind, Place, Program, Register, Undefined};

/// The spot that a place denotes.
pub(super) fn resolve(evaluator: &Evaluator<'_>, place: &Place, kind: AccessKind) -> Result<Spot, Outcome> {
    match place {
        Place::Memory { address, size, align } => {
            let address = evaluator.eval(address)?;
            let pointer = bytes(evaluator, &address, u64::from(*size), *align, kind)?;
            Ok(Spot::Bytes { object: pointer.object, offset: pointer.offset, size: u64::from(*size) })
        }
        Place::Ghost { field: GhostField::NextKey, .. } => {
            Ok(Spot::Ghost(GhostKey { object: None, offset: 0, field: GhostField::NextKey }))
        }
        Place::Ghost { address, field } => {
            let address = evaluator.eval(address)?;
            ghost(evaluator, &address, *field, kind).map(Spot::Ghost)
        }
    }
}

/// Checks an access to bytes.
pub(super) fn bytes(
    evaluator: &Evaluator<'_>,
    address: &Value,
    size: u64,
    align: u32,
    kind: AccessKind,
) -> Result<Pointer, Outcome> {
    let wrong = |undefined| Outcome::bad_access(undefined, address, size);
    let pointer = pointer(address)?.map_err(wrong)?;
    let Some(block) = evaluator.state.memory().block(pointer.object) else {
        return Err(wrong(evaluator.state.memory().absence(pointer.object)));
    };
    let within = pointer.offset.checked_add(size).is_some_and(|end| end <= block.contents.size());
    if !within {
        return Err(wrong(Undefined::OutOfBounds));
    }
    if kind == AccessKind::Write && is_constant(evaluator.program, block) {
        return Err(wrong(Undefined::WriteToConstant));
    }
    if align > 1 && (block.align < align || pointer.offset % u64::from(align) != 0) {
        return Err(wrong(Undefined::Misaligned));
    }
    Ok(pointer)
}

/// The pointer that an address is, or what is wrong with it.
fn pointer(address: &Value) -> Result<Result<Pointer, Undefined>, Outcome> {
    match address {
        Value::Pointer(pointer) => Ok(Ok(*pointer)),
        Value::Bits(bits) if bits.unsigned() < NULL_PAGE => Ok(Err(Undefined::NullDereference)),
        Value::Bits(_) => Ok(Err(Undefined::InvalidPointer)),
        Value::Raw(_) => Err(Outcome::Unsupported("an address made of parts of pointers or indeterminate".to_owned())),
    }
}

fn is_constant(program: &Program, block: &Block) -> bool {
    matches!(block.origin, Origin::Object(object) if program.object(object).kind == ObjectKind::Constant)
}

/// Checks an access to a ghost field: threads' fields live with threads, the others with objects that have bytes.
fn ghost(evaluator: &Evaluator<'_>, address: &Value, field: GhostField, kind: AccessKind) -> Result<GhostKey, Outcome> {
    let wrong = |undefined| Outcome::bad_ghost(undefined, address, field);
    let found = pointer(address)?;
    if field.belongs_to_thread() {
        let thread = found.ok().and_then(|pointer| match pointer.object {
            Instance::Thread(thread) if thread.index() < evaluator.state.thread_count() => Some(pointer),
            _ => None,
        });
        let pointer = thread.ok_or_else(|| wrong(Undefined::BadThread))?;
        if pointer.offset >= THREAD_OBJECT_SIZE {
            return Err(wrong(Undefined::OutOfBounds));
        }
        return Ok(GhostKey { object: Some(pointer.object), offset: pointer.offset, field });
    }
    let pointer = found.map_err(wrong)?;
    let Some(block) = evaluator.state.memory().block(pointer.object) else {
        return Err(wrong(evaluator.state.memory().absence(pointer.object)));
    };
    let size = block.contents.size();
    let within = pointer.offset < size || field == GhostField::ObjectSize && pointer.offset == size;
    if !within {
        return Err(wrong(Undefined::OutOfBounds));
    }
    if kind == AccessKind::Write && is_constant(evaluator.program, block) {
        return Err(wrong(Undefined::WriteToConstant));
    }
    Ok(GhostKey { object: Some(pointer.object), offset: pointer.offset, field })
}

/// What a read of a spot gives a register: a value, or a choice to be made, which stays in memory.
pub(super) fn read(
    evaluator: &Evaluator<'_>,
    spot: Spot,
    register: &Register,
    interpretation: Interpretation,
) -> Result<Result<Value, Question>, Outcome> {
    let width = register.width;
    match spot {
        Spot::Bytes { object, offset, size } => {
            let size = size as u32;
            if size * 8 != width {
                return Err(Outcome::internal(format!("a load of {size} bytes into {width} bits")));
            }
            let Some(block) = evaluator.state.memory().block(object) else {
                return Err(Outcome::internal("a load from a dead object"));
            };
            let pointer_size = evaluator.program.data_model.pointer_size();
            if interpretation == Interpretation::Raw {
                return Ok(Ok(block.contents.load_raw(offset, size, pointer_size)));
            }
            let loaded = block.contents.load(offset, size, pointer_size);
            if interpretation == Interpretation::Determinate && loaded.is_open() {
                return Err(Outcome::undefined(Undefined::Uninitialised));
            }
            Ok(match loaded {
                Loaded::Value(value) => Ok(value),
                Loaded::Partly { free, .. } if free.is_ones() => Err(Question::any_for(register)),
                Loaded::Partly { known, free } => Err(Question::Number { known, free }),
            })
        }
        Spot::Ghost(key) => ghost_value(evaluator, key, width).map(Ok),
        Spot::Whole(_) => Err(Outcome::internal("a load of an object as a whole")),
    }
}

/// The value of a ghost field in a width; what was never written is 0. A pointer cannot be read in less than its width,
/// nor bytes that are only moved in another than theirs.
fn ghost_value(evaluator: &Evaluator<'_>, key: GhostKey, width: u32) -> Result<Value, Outcome> {
    if key.field == GhostField::ObjectSize {
        let block = key.object.and_then(|object| evaluator.state.memory().block(object));
        return Ok(Value::bits(width, block.map_or(0, |block| u128::from(block.contents.size()))));
    }
    match evaluator.state.ghost(key) {
        None => Ok(Value::bits(width, 0)),
        Some(Value::Bits(bits)) => Ok(Value::Bits(Bits::new(width, bits.unsigned()))),
        Some(Value::Raw(bytes)) if bytes.iter().all(|byte| *byte == Byte::Indeterminate) => Ok(indeterminate(width)),
        Some(value @ Value::Pointer(_)) if width >= evaluator.program.pointer_width() => Ok(value.clone()),
        Some(value @ Value::Raw(bytes)) if bytes.len() == width.div_ceil(8) as usize => Ok(value.clone()),
        Some(value) => Err(pointers::unsupported(evaluator, value)),
    }
}

/// A result that was never given: bytes that can be moved, but mean nothing.
pub(super) fn indeterminate(width: u32) -> Value {
    Value::Raw(vec![Byte::Indeterminate; width.div_ceil(8) as usize].into())
}
