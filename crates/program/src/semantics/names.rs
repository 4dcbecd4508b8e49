//! The names by which reports call objects, places and values.

use crate::semantics::memory::Origin;
use crate::semantics::state::State;
use crate::semantics::value::{Byte, Instance, Pointer, Value};
use crate::{Bits, Display, FloatFormat, FrameObjectId, GhostField, Program, Shape};

/// An object: its C name, or where it was allocated.
pub fn object(program: &Program, state: &State, instance: Instance) -> String {
    match instance {
        Instance::Static(id) | Instance::ThreadLocal(id, _) => {
            program.objects.get(id.index()).map_or_else(|| id.to_string(), |object| object.name.clone())
        }
        Instance::Thread(thread) => format!("thread {}", thread.0),
        Instance::Function(id) => {
            program.functions.get(id.index()).map_or_else(|| id.to_string(), |function| function.name.clone())
        }
        Instance::Frame { thread, serial } => match origin(program, state, instance) {
            Some(Origin::Local(function, local)) => program.function(function).frame_object(local).name.clone(),
            Some(Origin::Site(_)) => format!("alloca{serial}.{}", thread.0),
            _ => format!("local{serial}.{}", thread.0),
        },
        Instance::Heap { thread, serial } => format!("heap{serial}.{}", thread.0),
    }
}

/// Where an object comes from that is alive, or a local of a function that has not returned.
fn origin(program: &Program, state: &State, instance: Instance) -> Option<Origin> {
    if let Some(block) = state.memory().block(instance) {
        return Some(block.origin);
    }
    let Instance::Frame { thread, serial } = instance else { return None };
    let frame = state.thread(thread)?.frames.iter().rev().find(|frame| frame.first_serial <= serial)?;
    let local = usize::try_from(serial - frame.first_serial).ok()?;
    let is_local = local < program.function(frame.function).frame.len();
    is_local.then(|| Origin::Local(frame.function, FrameObjectId::new(local)))
}

/// The shape of an object, where it is declared.
fn shape<'a>(program: &'a Program, state: &State, instance: Instance) -> Option<&'a Shape> {
    match instance {
        Instance::Static(id) | Instance::ThreadLocal(id, _) => Some(&program.objects.get(id.index())?.shape),
        Instance::Frame { .. } => match origin(program, state, instance)? {
            Origin::Local(function, local) => Some(&program.function(function).frame_object(local).shape),
            _ => None,
        },
        _ => None,
    }
}

/// So many bytes of an object: `queue.head`, `a[3]`, `heap0.1+8`. A size of 0 means the address alone.
pub fn place(program: &Program, state: &State, instance: Instance, offset: u64, size: u32) -> String {
    part(program, state, instance, offset, |shape, offset| shape.path(offset, size))
}

/// What is at an offset of an object, with the name that its shape has for it, if any.
pub fn part(
    program: &Program,
    state: &State,
    instance: Instance,
    offset: u64,
    named: impl Fn(&Shape, u64) -> Option<String>,
) -> String {
    let name = object(program, state, instance);
    if let Some(path) = shape(program, state, instance).and_then(|shape| named(shape, offset)) {
        return name + &path;
    }
    match Bits::new(program.pointer_width(), u128::from(offset)).as_signed() {
        0 => name,
        offset => format!("{name}{offset:+}"),
    }
}

/// A ghost field: `m.owner`.
pub fn ghost(program: &Program, state: &State, object: Option<Instance>, offset: u64, field: GhostField) -> String {
    match object {
        Some(object) => format!("{}.{}", place(program, state, object, offset, 0), field.name()),
        None => field.name().to_owned(),
    }
}

/// A value the way its variable's type wants it.
pub fn value(program: &Program, state: &State, value: &Value, display: Display) -> String {
    match value {
        Value::Bits(bits) => number(*bits, display),
        Value::Pointer(Pointer { object: Instance::Thread(thread), offset: 0 }) => format!("thread {}", thread.0),
        Value::Pointer(pointer) => format!("&{}", place(program, state, pointer.object, pointer.offset, 0)),
        Value::Raw(bytes) if bytes.iter().all(|byte| *byte == Byte::Indeterminate) => "indeterminate".to_owned(),
        Value::Raw(bytes) => format!("{} raw bytes", bytes.len()),
    }
}

fn number(bits: Bits, display: Display) -> String {
    match display {
        Display::Signed => bits.as_signed().to_string(),
        Display::Unsigned => bits.unsigned().to_string(),
        Display::Pointer if bits.is_zero() => "null".to_owned(),
        Display::Pointer => format!("{:#x}", bits.unsigned()),
        Display::Float if bits.width() == 32 => format!("{:?}", bits.as_float(FloatFormat::F32) as f32),
        Display::Float if bits.width() == 64 => format!("{:?}", bits.as_float(FloatFormat::F64)),
        Display::Float => format!("{:#x}", bits.unsigned()),
        Display::Bool => if bits.is_zero() { "false" } else { "true" }.to_owned(),
    }
}

/// How to show what is stored at a place.
pub fn display(program: &Program, state: &State, instance: Instance, offset: u64, size: u32) -> Display {
    shape(program, state, instance).and_then(|shape| shape.display(offset, size)).unwrap_or(Display::Signed)
}
