//! States taken apart: what one thread has to itself, and what is left of the state without it.
//!
//! A [`Part`] is a thread's activations and the objects that only it uses. A state from which all parts have been
//! detached is what the threads share. Any one part can be attached to it and stepped by the ordinary semantics: a step
//! that would touch what belongs to a part that is not there finds no such object, and says so. So an engine that keeps
//! parts and shared states separately needs no semantics of its own, and a wrong idea of what is private cannot go
//! unnoticed.

use std::sync::Arc;

use crate::semantics::contents::Contents;
use crate::semantics::memory::{Block, NextSerials};
use crate::semantics::state::{Frame, GhostKey, State, Thread};
use crate::semantics::value::{Byte, Instance, Pointer, Value};
use crate::{FunctionId, LocationId, ThreadIndex};

/// What a thread has to itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Part {
    /// Its activations.
    pub thread: Thread,
    /// Its private objects, in order.
    pub blocks: Vec<(Instance, Arc<Block>)>,
    /// The ghost fields of those that are not 0, in order.
    pub ghosts: Vec<(GhostKey, Value)>,
    /// The numbers its next objects will have.
    pub next: NextSerials,
    /// The numbers below which objects of this thread have been known to others: such numbers are not used again.
    pub known: NextSerials,
}

/// What stands for the activations of a running thread whose part is detached.
fn placeholder() -> Frame {
    Frame { function: FunctionId(0), location: LocationId(0), registers: Vec::new(), first_serial: 0, result: None }
}

impl State {
    /// Takes a thread's part out of a state. What is left shows only whether the thread has finished. Numbers of
    /// private objects that are dead and that the thread has no pointers to are given out again, so that calls in a
    /// loop come back to the same part; for this, `known` is that of the thread's part before.
    pub fn detach(
        &mut self,
        thread: ThreadIndex,
        known: NextSerials,
        is_private: &dyn Fn(Instance, &Block) -> bool,
    ) -> Part {
        let private: Vec<Instance> =
            self.memory.live().filter(|(at, block)| is_private(*at, block)).map(|l| l.0).collect();
        let mut part = Part { known, ..Part::default() };
        for instance in private {
            if let Some(block) = self.memory.take(instance) {
                part.blocks.push((instance, block));
            }
            part.ghosts.extend(self.ghosts_of(instance).map(|(key, value)| (key, value.clone())));
        }
        part.ghosts.sort();
        if !part.ghosts.is_empty() {
            let ghosts = Arc::make_mut(&mut self.ghosts);
            part.ghosts.iter().for_each(|(key, _)| drop(ghosts.remove(key)));
        }
        if let Some(own) = self.threads.get_mut(thread.index()) {
            let left = Thread { frames: if own.frames.is_empty() { Vec::new() } else { vec![placeholder()] } };
            part.thread = Arc::unwrap_or_clone(std::mem::replace(own, Arc::new(left)));
        }
        if part.thread.frames.is_empty() {
            self.memory.set_next_serials(thread, NextSerials::default());
            part.known = NextSerials::default();
            return part;
        }
        for (instance, _) in self.memory.live() {
            raise(&mut part.known, thread, instance);
        }
        part.next = part.known;
        for index in 0..part.blocks.len() {
            raise(&mut part.next, thread, part.blocks[index].0);
        }
        let mut next = part.next;
        part.for_each_pointer(&mut |pointer| raise(&mut next, thread, pointer.object));
        part.next = next;
        self.memory.set_next_serials(thread, NextSerials::default());
        part
    }

    /// Puts a thread's part back.
    pub fn attach(&mut self, thread: ThreadIndex, part: &Part) {
        for (instance, block) in &part.blocks {
            self.memory.put(*instance, block.clone());
        }
        if !part.ghosts.is_empty() {
            Arc::make_mut(&mut self.ghosts).extend(part.ghosts.iter().cloned());
        }
        if let Some(own) = self.threads.get_mut(thread.index()) {
            *own = Arc::new(part.thread.clone());
        }
        self.memory.set_next_serials(thread, part.next);
    }

    /// Adds a thread whose part is not there.
    pub fn add_detached(&mut self) -> ThreadIndex {
        let thread = ThreadIndex::new(self.threads.len());
        self.memory.add_thread(Vec::new());
        self.threads.push(Arc::new(Thread { frames: vec![placeholder()] }));
        thread
    }

    /// Renumbers the threads of a state without parts: `old[i]` becomes thread i. Nothing may refer to the others,
    /// which are forgotten with their ghost fields.
    pub fn renumber(&mut self, pointer_size: u32, old: &[ThreadIndex]) {
        let new = |thread: ThreadIndex| old.iter().position(|old| *old == thread).map(ThreadIndex::new);
        self.memory.renumber(old, &|contents: &mut Contents| {
            contents.replace_pointers(&|pointer| rename_pointer(pointer, &new));
        });
        self.threads = old.iter().map(|old| self.threads[old.index()].clone()).collect();
        let renamed = self.ghosts.iter().filter_map(|(key, value)| {
            let object = match key.object {
                None => None,
                Some(object) => Some(rename_instance(object, &new)?),
            };
            Some((GhostKey { object, ..*key }, rename_value(value, pointer_size, &new)))
        });
        self.ghosts = Arc::new(renamed.collect());
        if let Some(section) = &mut self.atomic {
            section.owner = new(section.owner).unwrap_or(section.owner);
        }
    }

    /// Tells the thread of every pointer to something that is a thread's: the variables first, then their ghost fields,
    /// then the rest, each in order.
    pub fn for_each_reference(&self, visit: &mut dyn FnMut(ThreadIndex)) {
        for (instance, block) in self.memory.live() {
            owner(instance).into_iter().for_each(&mut *visit);
            for (_, pointer, ..) in block.contents.pointers() {
                owner(pointer.object).into_iter().for_each(&mut *visit);
            }
        }
        for (key, value) in self.ghosts.iter() {
            for_each_pointer(value, &mut |pointer| owner(pointer.object).into_iter().for_each(&mut *visit));
            key.object.and_then(owner).into_iter().for_each(&mut *visit);
        }
        self.atomic.iter().for_each(|section| visit(section.owner));
    }

    /// Forgets the ghost fields of a thread.
    pub fn forget_thread_ghosts(&mut self, thread: ThreadIndex) {
        self.remove_ghosts(Instance::Thread(thread));
    }
}

impl Part {
    /// Renames the threads it mentions; a pointer to something of a thread without a new name becomes indeterminate,
    /// which can be moved but not used.
    pub fn rename(&mut self, pointer_size: u32, new: &dyn Fn(ThreadIndex) -> Option<ThreadIndex>) {
        for frame in &mut self.thread.frames {
            for register in frame.registers.iter_mut().flatten() {
                *register = rename_value(register, pointer_size, new);
            }
        }
        for (instance, block) in &mut self.blocks {
            *instance = rename_instance(*instance, new).unwrap_or(*instance);
            if block.contents.pointers().next().is_some() {
                Arc::make_mut(block).contents.replace_pointers(&|pointer| rename_pointer(pointer, new));
            }
        }
        for (key, value) in &mut self.ghosts {
            key.object = key.object.map(|object| rename_instance(object, new).unwrap_or(object));
            *value = rename_value(value, pointer_size, new);
        }
        self.blocks.sort_by_key(|(instance, _)| *instance);
        self.ghosts.sort();
    }

    fn for_each_pointer(&self, visit: &mut dyn FnMut(Pointer)) {
        for frame in &self.thread.frames {
            frame.registers.iter().flatten().for_each(|value| for_each_pointer(value, visit));
        }
        for (_, block) in &self.blocks {
            block.contents.pointers().for_each(|(_, pointer, ..)| visit(pointer));
        }
        self.ghosts.iter().for_each(|(_, value)| for_each_pointer(value, visit));
    }
}

/// Makes sure that a number is not given out again.
fn raise(next: &mut NextSerials, thread: ThreadIndex, instance: Instance) {
    match instance {
        Instance::Frame { thread: owner, serial } if owner == thread => next.frames = next.frames.max(serial + 1),
        Instance::Heap { thread: owner, serial } if owner == thread => next.heap = next.heap.max(serial + 1),
        _ => {}
    }
}

fn owner(instance: Instance) -> Option<ThreadIndex> {
    match instance {
        Instance::ThreadLocal(_, thread)
        | Instance::Frame { thread, .. }
        | Instance::Heap { thread, .. }
        | Instance::Thread(thread) => Some(thread),
        Instance::Static(_) | Instance::Function(_) => None,
    }
}

fn for_each_pointer(value: &Value, visit: &mut dyn FnMut(Pointer)) {
    match value {
        Value::Bits(_) => {}
        Value::Pointer(pointer) => visit(*pointer),
        Value::Raw(bytes) => bytes.iter().for_each(|byte| {
            if let Byte::Part(pointer, _) = byte {
                visit(*pointer);
            }
        }),
    }
}

type Renaming<'a> = &'a dyn Fn(ThreadIndex) -> Option<ThreadIndex>;

fn rename_instance(instance: Instance, new: Renaming<'_>) -> Option<Instance> {
    Some(match instance {
        Instance::ThreadLocal(object, thread) => Instance::ThreadLocal(object, new(thread)?),
        Instance::Frame { thread, serial } => Instance::Frame { thread: new(thread)?, serial },
        Instance::Heap { thread, serial } => Instance::Heap { thread: new(thread)?, serial },
        Instance::Thread(thread) => Instance::Thread(new(thread)?),
        Instance::Static(_) | Instance::Function(_) => instance,
    })
}

fn rename_pointer(pointer: Pointer, new: Renaming<'_>) -> Option<Pointer> {
    rename_instance(pointer.object, new).map(|object| Pointer { object, ..pointer })
}

fn rename_value(value: &Value, pointer_size: u32, new: Renaming<'_>) -> Value {
    match value {
        Value::Bits(_) => value.clone(),
        Value::Pointer(pointer) => match rename_pointer(*pointer, new) {
            Some(pointer) => Value::Pointer(pointer),
            None => Value::Raw(vec![Byte::Indeterminate; pointer_size as usize].into()),
        },
        Value::Raw(bytes) => Value::Raw(
            bytes
                .iter()
                .map(|byte| match byte {
                    Byte::Part(pointer, first) => {
                        rename_pointer(*pointer, new).map_or(Byte::Indeterminate, |pointer| Byte::Part(pointer, *first))
                    }
                    byte => *byte,
                })
                .collect(),
        ),
    }
}
