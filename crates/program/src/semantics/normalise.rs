//! Normal forms of states: objects renumbered so that those which are dead and forgotten leave no gap.
//!
//! Serial numbers only grow, so that a loop that calls a function with an address-taken local, or allocates and frees,
//! would never come back to a state. Where no register, byte or ghost field mentions a dead object, nothing can tell that
//! there ever was one: [`State::normalise`] renumbers the others in order, without gaps.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::ThreadIndex;
use crate::semantics::state::State;
use crate::semantics::value::{Byte, Instance, Pointer, Value};

/// The serial numbers in use, per thread, in order: the new number of one is its position.
struct Kept {
    frames: Vec<Vec<u64>>,
    heap: Vec<Vec<u64>>,
}

impl Kept {
    /// Everything alive or mentioned in a state.
    fn in_state(state: &State) -> Self {
        let mut objects = BTreeSet::new();
        for value in state.threads.iter().flat_map(|thread| &thread.frames).flat_map(|frame| &frame.registers) {
            value.iter().for_each(|value| mention(value, &mut objects));
        }
        for (object, block) in state.memory.live() {
            objects.insert(object);
            objects.extend(block.contents.pointers().map(|pointer| pointer.object));
        }
        for (key, value) in state.ghosts.iter() {
            objects.extend(key.object);
            mention(value, &mut objects);
        }
        let none = vec![Vec::new(); state.thread_count()];
        let mut kept = Kept { frames: none.clone(), heap: none };
        for object in objects {
            match object {
                Instance::Frame { thread, serial } => kept.frames[thread.index()].push(serial),
                Instance::Heap { thread, serial } => kept.heap[thread.index()].push(serial),
                Instance::Static(_) | Instance::ThreadLocal(..) | Instance::Thread(_) | Instance::Function(_) => {}
            }
        }
        kept
    }

    fn rename(&self, object: Instance) -> Instance {
        match object {
            Instance::Frame { thread, serial } => Instance::Frame { thread, serial: self.frame_serial(thread, serial) },
            Instance::Heap { thread, serial } => {
                Instance::Heap { thread, serial: rank(&self.heap[thread.index()], serial) }
            }
            other => other,
        }
    }

    fn frame_serial(&self, thread: ThreadIndex, serial: u64) -> u64 {
        rank(&self.frames[thread.index()], serial)
    }

    fn rename_pointer(&self, pointer: Pointer) -> Pointer {
        Pointer { object: self.rename(pointer.object), ..pointer }
    }

    fn rename_value(&self, value: &Value) -> Value {
        match value {
            Value::Bits(_) => value.clone(),
            Value::Pointer(pointer) => Value::Pointer(self.rename_pointer(*pointer)),
            Value::Raw(bytes) => {
                let rename = |byte: &Byte| match byte {
                    Byte::Part(pointer, index) => Byte::Part(self.rename_pointer(*pointer), *index),
                    byte => *byte,
                };
                Value::Raw(bytes.iter().map(rename).collect())
            }
        }
    }
}

/// How many of these numbers are smaller.
fn rank(numbers: &[u64], number: u64) -> u64 {
    numbers.partition_point(|kept| *kept < number) as u64
}

fn mention(value: &Value, objects: &mut BTreeSet<Instance>) {
    match value {
        Value::Bits(_) => {}
        Value::Pointer(pointer) => {
            objects.insert(pointer.object);
        }
        Value::Raw(bytes) => objects.extend(bytes.iter().filter_map(|byte| match byte {
            Byte::Part(pointer, _) => Some(pointer.object),
            _ => None,
        })),
    }
}

impl State {
    /// Makes the state equal to those that differ from it only in how many dead and forgotten objects there have been. Its
    /// future is the same but for the names of objects; a trace's pointer answers name them as they were.
    pub fn normalise(&mut self) {
        let kept = Kept::in_state(self);
        if self.memory.is_numbered_by(&kept.frames, &kept.heap) {
            return;
        }
        for (position, thread) in self.threads.iter_mut().enumerate() {
            for frame in &mut Arc::make_mut(thread).frames {
                frame.first_serial = kept.frame_serial(ThreadIndex::new(position), frame.first_serial);
                for value in frame.registers.iter_mut().flatten() {
                    *value = kept.rename_value(value);
                }
            }
        }
        let ghosts: BTreeMap<_, _> = self
            .ghosts
            .iter()
            .map(|(key, value)| {
                let mut key = *key;
                key.object = key.object.map(|object| kept.rename(object));
                (key, kept.rename_value(value))
            })
            .collect();
        self.ghosts = Arc::new(ghosts);
        self.memory.renumber(&kept.frames, &kept.heap, |pointer| kept.rename_pointer(pointer));
    }
}
