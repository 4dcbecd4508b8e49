//! Memory: the objects of an execution that are alive.
//!
//! A dead object is not kept. Since serial numbers are given out in order, an instance with a smaller number than the
//! next one that is not there has died: freed if it was on the heap; if it was a local, its block or function has
//! ended.

use std::sync::Arc;

use crate::semantics::contents::Contents;
use crate::semantics::value::Instance;
use crate::{FrameObjectId, FunctionId, ObjectId, SiteId, ThreadIndex, Undefined};

/// The size of the object that stands for a thread: offset k belongs to thread-specific key k.
pub const THREAD_OBJECT_SIZE: u64 = 4096;

/// Where an object comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Origin {
    /// It is declared outside of functions, or static.
    Object(ObjectId),
    /// It is an address-taken local.
    Local(FunctionId, FrameObjectId),
    /// It was allocated at run time.
    Site(SiteId),
}

/// A live object.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Block {
    /// Its bytes.
    pub contents: Contents,
    /// Of what power of two its address is known to be a multiple.
    pub align: u32,
    /// Where it comes from.
    pub origin: Origin,
}

/// The objects that one thread has made.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Belongings {
    locals: Vec<(ObjectId, Arc<Block>)>,
    frames: Serial,
    heap: Serial,
}

/// Objects by serial number, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Serial {
    next: u64,
    live: Vec<(u64, Arc<Block>)>,
}

impl Serial {
    fn add(&mut self, block: Block) -> u64 {
        let serial = self.next;
        self.next += 1;
        self.live.push((serial, Arc::new(block)));
        serial
    }

    fn find(&self, serial: u64) -> Option<usize> {
        self.live.binary_search_by_key(&serial, |(serial, _)| *serial).ok()
    }

    fn take(&mut self, serial: u64) -> Option<Arc<Block>> {
        self.find(serial).map(|position| self.live.remove(position).1)
    }

    fn put(&mut self, serial: u64, block: Arc<Block>) {
        let position = self.live.partition_point(|(other, _)| *other < serial);
        self.live.insert(position, (serial, block));
    }
}

/// The numbers that a thread's next objects will have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NextSerials {
    /// Of locals.
    pub frames: u64,
    /// Of heap objects.
    pub heap: u64,
}

impl Belongings {
    /// The thread's own instance with this name, if it is alive. The thread in the name does not matter.
    pub fn block(&self, instance: Instance) -> Option<&Block> {
        match instance {
            Instance::ThreadLocal(object, _) => {
                let position = self.locals.binary_search_by_key(&object, |(object, _)| *object).ok()?;
                Some(&self.locals[position].1)
            }
            Instance::Frame { serial, .. } => self.frames.find(serial).map(|position| &*self.frames.live[position].1),
            Instance::Heap { serial, .. } => self.heap.find(serial).map(|position| &*self.heap.live[position].1),
            Instance::Static(_) | Instance::Thread(_) | Instance::Function(_) => None,
        }
    }

    /// Whether thread-local objects are among them.
    pub fn has_thread_locals(&self) -> bool {
        !self.locals.is_empty()
    }

    pub(super) fn for_each_block(&mut self, mut change: impl FnMut(&mut Arc<Block>)) {
        self.locals.iter_mut().for_each(|(_, block)| change(block));
        self.frames.live.iter_mut().for_each(|(_, block)| change(block));
        self.heap.live.iter_mut().for_each(|(_, block)| change(block));
    }

    /// The names of those that the thread made at run time, if this is the thread, and that are alive.
    pub fn made(&self, thread: ThreadIndex) -> impl Iterator<Item = Instance> {
        let frames = self.frames.live.iter().map(move |(serial, _)| Instance::Frame { thread, serial: *serial });
        let heap = self.heap.live.iter().map(move |(serial, _)| Instance::Heap { thread, serial: *serial });
        frames.chain(heap)
    }

    /// All of them that are alive.
    pub fn blocks(&self) -> impl Iterator<Item = &Block> {
        let locals = self.locals.iter().map(|(_, block)| &**block);
        let made = self.frames.live.iter().chain(&self.heap.live).map(|(_, block)| &**block);
        locals.chain(made)
    }
}

/// The memory of a state. Cloning it shares everything but the list of threads.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Memory {
    statics: Arc<Vec<Option<Arc<Block>>>>,
    own: Vec<Arc<Belongings>>,
}

impl Memory {
    /// Memory with these static objects, by [`ObjectId`]; `None` for thread-local ones.
    pub(super) fn new(statics: Vec<Option<Arc<Block>>>) -> Self {
        Self { statics: Arc::new(statics), own: Vec::new() }
    }

    /// Makes room for one more thread, with its instances of the thread-local objects in order.
    pub(super) fn add_thread(&mut self, locals: Vec<(ObjectId, Arc<Block>)>) {
        self.own.push(Arc::new(Belongings { locals, ..Belongings::default() }));
    }

    /// A live object that has bytes.
    pub fn block(&self, instance: Instance) -> Option<&Block> {
        match instance {
            Instance::Static(object) => self.statics.get(object.index())?.as_deref(),
            Instance::ThreadLocal(_, thread) | Instance::Frame { thread, .. } | Instance::Heap { thread, .. } => {
                self.own.get(thread.index())?.block(instance)
            }
            Instance::Thread(_) | Instance::Function(_) => None,
        }
    }

    /// A static object, to be kept.
    pub fn shared_static(&self, object: ObjectId) -> Option<&Arc<Block>> {
        self.statics.get(object.index())?.as_ref()
    }

    /// The static objects but for thread-local ones.
    pub(super) fn shared_statics(&self) -> impl Iterator<Item = (ObjectId, &Arc<Block>)> {
        let object = |(position, block)| Some((ObjectId::new(position), Option::as_ref(block)?));
        self.statics.iter().enumerate().filter_map(object)
    }

    /// The objects that a thread has made, to be kept.
    pub fn belongings(&self, thread: ThreadIndex) -> Option<&Arc<Belongings>> {
        self.own.get(thread.index())
    }

    /// The same static objects but for these, and what threads have made.
    pub(super) fn with_parts(&self, statics: Vec<(ObjectId, Arc<Block>)>, own: Vec<Arc<Belongings>>) -> Memory {
        let mut memory = Memory { statics: Arc::clone(&self.statics), own };
        if !statics.is_empty() {
            let all = Arc::make_mut(&mut memory.statics);
            for (object, block) in statics {
                if let Some(place) = all.get_mut(object.index()) {
                    *place = Some(block);
                }
            }
        }
        memory
    }

    /// The same, to be changed.
    pub(super) fn block_mut(&mut self, instance: Instance) -> Option<&mut Block> {
        match instance {
            Instance::Static(object) => {
                Arc::make_mut(&mut self.statics).get_mut(object.index())?.as_mut().map(Arc::make_mut)
            }
            Instance::ThreadLocal(object, thread) => {
                let locals = &mut self.own_mut(thread)?.locals;
                let position = locals.binary_search_by_key(&object, |(object, _)| *object).ok()?;
                Some(Arc::make_mut(&mut locals[position].1))
            }
            Instance::Frame { thread, serial } => {
                let frames = &mut self.own_mut(thread)?.frames;
                frames.find(serial).map(|position| Arc::make_mut(&mut frames.live[position].1))
            }
            Instance::Heap { thread, serial } => {
                let heap = &mut self.own_mut(thread)?.heap;
                heap.find(serial).map(|position| Arc::make_mut(&mut heap.live[position].1))
            }
            Instance::Thread(_) | Instance::Function(_) => None,
        }
    }

    fn own_mut(&mut self, thread: ThreadIndex) -> Option<&mut Belongings> {
        self.own.get_mut(thread.index()).map(Arc::make_mut)
    }

    /// What is wrong with using an object that has no block: it is dead, or it never had any bytes.
    pub(super) fn absence(&self, instance: Instance) -> Undefined {
        match instance {
            Instance::Heap { .. } => Undefined::UseAfterFree,
            Instance::Frame { .. } | Instance::ThreadLocal(..) => Undefined::UseAfterReturn,
            Instance::Static(_) | Instance::Thread(_) | Instance::Function(_) => Undefined::InvalidPointer,
        }
    }

    /// The number that the thread's next local will have.
    pub(super) fn next_frame_serial(&self, thread: ThreadIndex) -> u64 {
        self.own.get(thread.index()).map_or(0, |own| own.frames.next)
    }

    /// Adds a local or memory from `alloca`.
    pub(super) fn add_frame_object(&mut self, thread: ThreadIndex, block: Block) -> Option<Instance> {
        let serial = self.own_mut(thread)?.frames.add(block);
        Some(Instance::Frame { thread, serial })
    }

    /// Adds a heap object.
    pub(super) fn add_heap_object(&mut self, thread: ThreadIndex, block: Block) -> Option<Instance> {
        let serial = self.own_mut(thread)?.heap.add(block);
        Some(Instance::Heap { thread, serial })
    }

    /// Ends the life of a heap object.
    pub(super) fn remove_heap_object(&mut self, thread: ThreadIndex, serial: u64) {
        if let Some(own) = self.own_mut(thread)
            && let Some(position) = own.heap.find(serial)
        {
            own.heap.live.remove(position);
        }
    }

    /// Ends the life of the thread's locals from a serial number on, and returns them.
    pub(super) fn remove_frame_objects(&mut self, thread: ThreadIndex, first: u64) -> Vec<Instance> {
        let Some(own) = self.own.get_mut(thread.index()) else { return Vec::new() };
        let keep = own.frames.live.partition_point(|(serial, _)| *serial < first);
        if keep == own.frames.live.len() {
            return Vec::new();
        }
        let frames = &mut Arc::make_mut(own).frames;
        frames.live.drain(keep..).map(|(serial, _)| Instance::Frame { thread, serial }).collect()
    }

    /// Ends the life of a thread's thread-local objects, and returns them.
    pub(super) fn remove_thread_locals(&mut self, thread: ThreadIndex) -> Vec<Instance> {
        let locals = self.own_mut(thread).map(|own| std::mem::take(&mut own.locals));
        locals.unwrap_or_default().into_iter().map(|(object, _)| Instance::ThreadLocal(object, thread)).collect()
    }

    /// Every live object: the static ones, then those of each thread in turn.
    pub fn live(&self) -> impl Iterator<Item = (Instance, &Block)> {
        let statics = self.statics.iter().enumerate().filter_map(|(position, block)| {
            block.as_deref().map(|block| (Instance::Static(ObjectId::new(position)), block))
        });
        let own = self.own.iter().enumerate().flat_map(|(position, own)| {
            let thread = ThreadIndex::new(position);
            let locals = own.locals.iter().map(move |(id, block)| (Instance::ThreadLocal(*id, thread), &**block));
            let frame = move |(serial, block)| (Instance::Frame { thread, serial }, block);
            let heap = move |(serial, block)| (Instance::Heap { thread, serial }, block);
            let frames = own.frames.live.iter().map(|(serial, block)| (*serial, &**block)).map(frame);
            let heaps = own.heap.live.iter().map(|(serial, block)| (*serial, &**block)).map(heap);
            locals.chain(frames).chain(heaps)
        });
        statics.chain(own)
    }

    /// Sets the numbers that a thread's next objects will have.
    pub(super) fn set_next_serials(&mut self, thread: ThreadIndex, next: NextSerials) {
        if let Some(own) = self.own_mut(thread) {
            own.frames.next = next.frames;
            own.heap.next = next.heap;
        }
    }

    /// Takes an object away, without a trace.
    pub(super) fn take(&mut self, instance: Instance) -> Option<Arc<Block>> {
        match instance {
            Instance::Static(object) => Arc::make_mut(&mut self.statics).get_mut(object.index())?.take(),
            Instance::ThreadLocal(object, thread) => {
                let locals = &mut self.own_mut(thread)?.locals;
                let position = locals.binary_search_by_key(&object, |(object, _)| *object).ok()?;
                Some(locals.remove(position).1)
            }
            Instance::Frame { thread, serial } => self.own_mut(thread)?.frames.take(serial),
            Instance::Heap { thread, serial } => self.own_mut(thread)?.heap.take(serial),
            Instance::Thread(_) | Instance::Function(_) => None,
        }
    }

    /// Puts an object where [`Memory::take`] took it from, or where one with that name has died.
    pub(super) fn put(&mut self, instance: Instance, block: Arc<Block>) {
        match instance {
            Instance::Static(object) => {
                if let Some(place) = Arc::make_mut(&mut self.statics).get_mut(object.index()) {
                    *place = Some(block);
                }
            }
            Instance::ThreadLocal(object, thread) => {
                if let Some(own) = self.own_mut(thread) {
                    let position = own.locals.partition_point(|(other, _)| *other < object);
                    own.locals.insert(position, (object, block));
                }
            }
            Instance::Frame { thread, serial } => {
                if let Some(own) = self.own_mut(thread) {
                    own.frames.put(serial, block);
                }
            }
            Instance::Heap { thread, serial } => {
                if let Some(own) = self.own_mut(thread) {
                    own.heap.put(serial, block);
                }
            }
            Instance::Thread(_) | Instance::Function(_) => {}
        }
    }

    /// Renumbers the threads: `old[i]` becomes thread i, the others are forgotten. Then changes every object's
    /// contents.
    pub(super) fn renumber(&mut self, old: &[ThreadIndex], change: &dyn Fn(&mut Contents)) {
        self.own = old.iter().map(|old| self.own.get(old.index()).cloned().unwrap_or_default()).collect();
        let mut changed = |block: &mut Arc<Block>| {
            if block.contents.pointers().next().is_some() {
                change(&mut Arc::make_mut(block).contents);
            }
        };
        Arc::make_mut(&mut self.statics).iter_mut().flatten().for_each(&mut changed);
        for own in &mut self.own {
            let own = Arc::make_mut(own);
            own.locals.iter_mut().for_each(|(_, block)| changed(block));
            own.frames.live.iter_mut().chain(&mut own.heap.live).for_each(|(_, block)| changed(block));
        }
    }
}
