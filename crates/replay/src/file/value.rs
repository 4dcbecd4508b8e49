//! Answers to a step's questions as words: `32:0x11` is a number of 32 bits, `heap.1.0+8` an address: the ninth byte of
//! thread 1's first allocation.

use selvedge_program::semantics::{Instance, Pointer, Value};
use selvedge_program::{FunctionId, ObjectId, ThreadIndex};

/// The word for a value. Bytes that are neither a number nor a pointer are no answer to any question.
pub(super) fn text(value: &Value) -> String {
    match value {
        Value::Bits(bits) => format!("{}:{:#x}", bits.width(), bits.unsigned()),
        Value::Pointer(pointer) => format!("{}+{}", instance_text(pointer.object), pointer.offset),
        Value::Raw(_) => "bytes".to_owned(),
    }
}

fn instance_text(instance: Instance) -> String {
    match instance {
        Instance::Static(object) => format!("static.{}", object.index()),
        Instance::ThreadLocal(object, thread) => format!("local.{}.{}", object.index(), thread.0),
        Instance::Frame { thread, serial } => format!("frame.{}.{serial}", thread.0),
        Instance::Heap { thread, serial } => format!("heap.{}.{serial}", thread.0),
        Instance::Thread(thread) => format!("thread.{}", thread.0),
        Instance::Function(function) => format!("function.{}", function.index()),
    }
}

/// The value of a word; whether the question allows it, the semantics says.
pub(super) fn read(word: &str) -> Option<Value> {
    if let Some((width, number)) = word.split_once(':') {
        let width = width.parse().ok().filter(|width| (1..=128).contains(width))?;
        let number = u128::from_str_radix(number.strip_prefix("0x")?, 16).ok()?;
        let fits = width == 128 || number >> width == 0;
        return fits.then(|| Value::bits(width, number));
    }
    let (object, offset) = word.split_once('+')?;
    Some(Value::Pointer(Pointer { object: instance(object)?, offset: offset.parse().ok()? }))
}

fn instance(text: &str) -> Option<Instance> {
    let parts: Vec<&str> = text.split('.').collect();
    let index = |part: &str| part.parse::<u32>().ok();
    let thread = |part: &str| index(part).map(ThreadIndex);
    Some(match parts[..] {
        ["static", object] => Instance::Static(ObjectId(index(object)?)),
        ["local", object, owner] => Instance::ThreadLocal(ObjectId(index(object)?), thread(owner)?),
        ["frame", owner, serial] => Instance::Frame { thread: thread(owner)?, serial: serial.parse().ok()? },
        ["heap", owner, serial] => Instance::Heap { thread: thread(owner)?, serial: serial.parse().ok()? },
        ["thread", number] => Instance::Thread(thread(number)?),
        ["function", function] => Instance::Function(FunctionId(index(function)?)),
        _ => return None,
    })
}
