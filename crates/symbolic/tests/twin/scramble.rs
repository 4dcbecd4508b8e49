//! States that no execution may reach: registers and ghost fields with other values.

use std::sync::Arc;

use selvedge_generate::random::Random;
use selvedge_program::semantics::{Byte, GhostKey, Instance, Pointer, State, StateParts, Value};
use selvedge_program::{Bits, GhostField, Program, Register, ThreadIndex};

use crate::inputs::Inputs;
use crate::objects::Objects;

/// The state with other registers in a thread's running activation: each with a chance of so many percent.
pub fn registers(
    program: &Program,
    (state, objects): (&State, &Objects),
    thread: ThreadIndex,
    random: &mut Random,
    percent: u64,
) -> State {
    change(state, thread, |frame| {
        let function = program.function(frame.function);
        for (value, register) in frame.registers.iter_mut().zip(&function.registers) {
            if random.chance(percent) && (percent == 100 || value.is_some()) {
                *value = Some(any(program, objects, random, register));
            }
        }
    })
}

/// The state with exactly these registers.
pub fn with_registers(state: &State, thread: ThreadIndex, values: Vec<Option<Value>>) -> State {
    change(state, thread, |frame| frame.registers = values)
}

fn change(state: &State, thread: ThreadIndex, change: impl FnOnce(&mut selvedge_program::semantics::Frame)) -> State {
    let mut parts = parts(state);
    if let Some(frame) = parts.threads.get_mut(thread.index()).and_then(|(own, _)| Arc::make_mut(own).frames.last_mut())
    {
        change(frame);
    }
    state.with_parts(parts)
}

fn parts(state: &State) -> StateParts {
    let thread = |thread: ThreadIndex| {
        let own = state.memory().belongings(thread).cloned().unwrap_or_default();
        (state.shared_thread(thread).cloned().unwrap_or_default(), own)
    };
    StateParts {
        statics: Vec::new(),
        threads: state.thread_indices().map(thread).collect(),
        ghosts: state.ghosts().map(|(key, value)| (key, value.clone())).collect(),
        atomic: state.atomic_section(),
    }
}

/// The state with some other ghost fields.
pub fn ghosts(state: &State, objects: &Objects, random: &mut Random) -> State {
    let mut state = state.clone();
    let threads: Vec<Instance> = state.thread_indices().map(Instance::Thread).collect();
    let live: Vec<Instance> = state.memory().live().map(|(object, _)| object).collect();
    if live.is_empty() {
        return state;
    }
    if random.chance(70) {
        // Several threads wait for the same.
        let field = waiting(random);
        let value = Value::to_start_of(live[0]);
        for thread in &threads {
            state.suppose(GhostKey { object: Some(*thread), offset: 0, field }, value.clone());
        }
    }
    for _ in 0..random.below(4) {
        let (object, field) = if random.chance(60) {
            (*random.pick(&threads), *random.pick(&OF_THREADS))
        } else {
            (*random.pick(&live), *random.pick(&OF_OBJECTS))
        };
        let most = objects.size(object).min(8);
        let offset = if random.chance(70) { 0 } else { random.below(most) };
        let value = match random.below(4) {
            0 => Value::bits(32, u128::from(random.below(3))),
            1 => Value::to_start_of(*random.pick(&threads)),
            _ => Value::to_start_of(*random.pick(&live[..live.len().min(3)])),
        };
        state.suppose(GhostKey { object: Some(object), offset, field }, value);
    }
    state
}

/// A field of threads, mostly the one that tells what they wait for.
pub fn waiting(random: &mut Random) -> GhostField {
    if random.chance(70) { GhostField::WaitingOn } else { *random.pick(&OF_THREADS) }
}

pub const OF_THREADS: [GhostField; 5] = [
    GhostField::ThreadStatus,
    GhostField::WaitingOn,
    GhostField::WaitingWith,
    GhostField::Cancellation,
    GhostField::ThreadSpecific,
];

pub const OF_OBJECTS: [GhostField; 5] = [
    GhostField::MutexOwner,
    GhostField::MutexCount,
    GhostField::SemaphoreValue,
    GhostField::Destroyed,
    GhostField::Readers,
];

/// Any value of a register.
fn any(program: &Program, objects: &Objects, random: &mut Random, register: &Register) -> Value {
    let (width, pointer_width) = (register.width, program.pointer_width());
    let number = |random: &mut Random| Value::Bits(Bits::new(width, Inputs::interesting(random, width)));
    if width < pointer_width {
        let is_open = width.is_multiple_of(8) && random.chance(4);
        return if is_open { open(width / 8) } else { number(random) };
    }
    match random.below(20) {
        0..=12 => Value::Pointer(pointer(objects, random, pointer_width)),
        13 => open(width / 8),
        14 => raw(objects, random, width / 8, pointer_width),
        _ => number(random),
    }
}

fn open(size: u32) -> Value {
    Value::Raw(vec![Byte::Indeterminate; size as usize].into())
}

/// Bytes of several kinds.
fn raw(objects: &Objects, random: &mut Random, size: u32, pointer_width: u32) -> Value {
    let pointer = pointer(objects, random, pointer_width);
    let first = random.below(2) as u8;
    let parts = (0..size).map(|at| match random.below(4) {
        0 => Byte::Indeterminate,
        1 if at < 4 => Byte::Part(pointer, at as u8 + first),
        _ => Byte::Known(random.below(256) as u8),
    });
    let mut bytes: Vec<Byte> = parts.collect();
    // Neither a number nor a whole pointer, which are no raw bytes.
    bytes[size as usize - 1] = Byte::Indeterminate;
    Value::Raw(bytes.into())
}

/// Any pointer, mostly into its object.
fn pointer(objects: &Objects, random: &mut Random, pointer_width: u32) -> Pointer {
    let instances: Vec<Instance> = objects.instances().collect();
    let object = *random.pick(&instances);
    let size = objects.size(object);
    let offset = match random.below(8) {
        0..=3 => 0,
        4 | 5 => random.below(size + 1) & !3,
        6 => random.below(size + 9),
        _ => Bits::new(pointer_width, u128::from(random.below(8).wrapping_neg())).unsigned() as u64,
    };
    Pointer { object, offset }
}
