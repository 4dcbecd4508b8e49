//! Which objects of a thread somebody else may get at: those that something else points to, and what those point to.
//! As long as nobody makes an address out of nothing, nobody else can.

use rustc_hash::FxHashSet;
use selvedge_program::ThreadIndex;
use selvedge_program::semantics::{Byte, Instance, State, Value};

/// Tells the object of every pointer in a value.
pub fn for_each_pointer(value: &Value, visit: &mut dyn FnMut(Instance)) {
    match value {
        Value::Bits(_) => {}
        Value::Pointer(pointer) => visit(pointer.object),
        Value::Raw(bytes) => {
            for byte in bytes.iter() {
                match byte {
                    Byte::Part(pointer, _) => visit(pointer.object),
                    Byte::Known(_) | Byte::Indeterminate => {}
                }
            }
        }
    }
}

/// Whose an object is, if it is a thread's.
fn owner(object: Instance) -> Option<ThreadIndex> {
    match object {
        Instance::ThreadLocal(_, thread) | Instance::Frame { thread, .. } | Instance::Heap { thread, .. } => {
            Some(thread)
        }
        Instance::Static(_) | Instance::Thread(_) | Instance::Function(_) => None,
    }
}

/// The objects of threads that others may get at, and the threads that others have the handles of.
#[derive(Debug, Default)]
pub struct Exposed(FxHashSet<Instance>);

impl Exposed {
    /// In a state.
    pub fn of(state: &State) -> Self {
        let mut exposed = Exposed::default();
        let mut pending = Vec::new();
        let mut points = |from: Option<ThreadIndex>, to: Instance| {
            let own = match to {
                Instance::Thread(thread) => Some(thread),
                object => owner(object),
            };
            if own.is_some_and(|own| from != Some(own)) {
                pending.push(to);
            }
        };
        for (object, block) in state.memory().live() {
            block.contents.pointers().for_each(|(_, pointer, ..)| points(owner(object), pointer.object));
        }
        for (key, value) in state.ghosts() {
            for_each_pointer(value, &mut |object| points(key.object.and_then(owner), object));
        }
        for thread in state.thread_indices() {
            let frames = state.thread(thread).into_iter().flat_map(|thread| &thread.frames);
            for value in frames.flat_map(|frame| frame.registers.iter().flatten()) {
                for_each_pointer(value, &mut |object| points(Some(thread), object));
            }
        }
        while let Some(object) = pending.pop() {
            if !exposed.0.insert(object) {
                continue;
            }
            if let Some(block) = state.memory().block(object) {
                pending.extend(block.contents.pointers().map(|(_, pointer, ..)| pointer.object));
            }
            for (_, value) in state.ghosts_of(object) {
                for_each_pointer(value, &mut |object| pending.push(object));
            }
        }
        exposed
    }

    /// Whether others may get at an object.
    pub fn contains(&self, object: Instance) -> bool {
        self.0.contains(&object)
    }
}
