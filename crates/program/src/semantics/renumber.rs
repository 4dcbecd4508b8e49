//! States without threads that have finished and that nothing names any more. The others move up, and every name of a
//! thread or of what a thread has made is changed accordingly. To the program the result is the same state.

use std::sync::Arc;

use crate::ThreadIndex;
use crate::semantics::memory::{Belongings, Block};
use crate::semantics::state::{AtomicSection, GhostKey, State, StateParts, Thread};
use crate::semantics::value::{Byte, Instance, Pointer, Value};

/// New numbers for threads.
#[derive(Clone, Debug)]
struct Renumbering {
    /// By old index.
    new: Vec<Option<ThreadIndex>>,
}

impl State {
    /// The state with only these threads, given in ascending order and numbered anew in that order. The others must
    /// have finished, and nothing that remains may point to them or to what they have made.
    pub fn with_only(&self, kept: &[ThreadIndex]) -> State {
        let mut new = vec![None; self.thread_count()];
        for (position, thread) in kept.iter().enumerate() {
            if let Some(place) = new.get_mut(thread.index()) {
                *place = Some(ThreadIndex::new(position));
            }
        }
        let renumbering = Renumbering { new };
        let mut parts = StateParts::default();
        for (object, block) in self.memory.shared_statics() {
            if block.contents.pointers().any(|(_, pointer, ..)| renumbering.object(pointer.object) != pointer.object) {
                parts.statics.push((object, Arc::new(renumbering.block(block))));
            }
        }
        for thread in kept {
            if let (Some(stands), Some(own)) = (self.thread(*thread), self.memory.belongings(*thread)) {
                let own = own.map_blocks(|block| renumbering.block(block));
                parts.threads.push((Arc::new(renumbering.thread(stands)), Arc::new(own)));
            }
        }
        let is_kept = |key: &GhostKey| key.object.is_none_or(|object| renumbering.keeps(object));
        for (key, value) in self.ghosts().filter(|(key, _)| is_kept(key)) {
            let key = GhostKey { object: key.object.map(|object| renumbering.object(object)), ..key };
            parts.ghosts.insert(key, renumbering.value(value));
        }
        parts.atomic = self.atomic.map(|section| {
            let owner = renumbering.index(section.owner).unwrap_or(section.owner);
            AtomicSection { owner, ..section }
        });
        State { ended: self.ended, ..self.with_parts(parts) }
    }
}

impl Renumbering {
    fn index(&self, thread: ThreadIndex) -> Option<ThreadIndex> {
        self.new.get(thread.index()).copied().flatten()
    }

    fn keeps(&self, object: Instance) -> bool {
        match object {
            Instance::ThreadLocal(_, thread)
            | Instance::Frame { thread, .. }
            | Instance::Heap { thread, .. }
            | Instance::Thread(thread) => self.index(thread).is_some(),
            Instance::Static(_) | Instance::Function(_) => true,
        }
    }

    fn object(&self, object: Instance) -> Instance {
        let new = |thread: ThreadIndex| self.index(thread).unwrap_or(thread);
        match object {
            Instance::ThreadLocal(object, thread) => Instance::ThreadLocal(object, new(thread)),
            Instance::Frame { thread, serial } => Instance::Frame { thread: new(thread), serial },
            Instance::Heap { thread, serial } => Instance::Heap { thread: new(thread), serial },
            Instance::Thread(thread) => Instance::Thread(new(thread)),
            Instance::Static(_) | Instance::Function(_) => object,
        }
    }

    fn pointer(&self, pointer: Pointer) -> Pointer {
        Pointer { object: self.object(pointer.object), ..pointer }
    }

    fn value(&self, value: &Value) -> Value {
        match value {
            Value::Bits(bits) => Value::Bits(*bits),
            Value::Pointer(pointer) => Value::Pointer(self.pointer(*pointer)),
            Value::Raw(bytes) => Value::Raw(bytes.iter().map(|byte| self.byte(*byte)).collect()),
        }
    }

    fn byte(&self, byte: Byte) -> Byte {
        match byte {
            Byte::Part(pointer, first) => Byte::Part(self.pointer(pointer), first),
            Byte::Known(_) | Byte::Indeterminate => byte,
        }
    }

    fn block(&self, block: &Block) -> Block {
        let mut block = block.clone();
        block.contents.map_pointers(|pointer| self.pointer(pointer));
        block
    }

    fn thread(&self, thread: &Thread) -> Thread {
        let mut thread = thread.clone();
        for value in thread.frames.iter_mut().flat_map(|frame| &mut frame.registers).flatten() {
            *value = self.value(value);
        }
        thread
    }
}

impl Belongings {
    /// The same objects with other blocks.
    fn map_blocks(&self, change: impl Fn(&Block) -> Block) -> Belongings {
        let mut changed = self.clone();
        changed.for_each_block(|block| *block = Arc::new(change(block)));
        changed
    }
}
