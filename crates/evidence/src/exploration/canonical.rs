//! One form for states that behave alike: objects made at run time are numbered in the order in which they are come
//! upon from what the program names, those that nothing leads to are left out, and so are registers whose values nobody
//! will look at. A state is kept as the XXH3 fingerprint of that form, 128 bits.

use rustc_hash::FxHashMap;
use selvedge_program::live::Live;
use selvedge_program::semantics::memory::Block;
use selvedge_program::semantics::{Byte, GhostKey, Instance, State, Value};
use selvedge_program::{FrameObjectId, ObjectId, Program, RegisterId, ThreadIndex};
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_128;

/// An object that is as large and has not been written to is not looked at byte by byte.
const LARGE: u64 = 64;

/// Makes fingerprints of the states of a program.
pub struct Fingerprints<'p> {
    program: &'p Program,
    live: Vec<Live>,
    /// The static objects as they are at the beginning.
    initial: Vec<Option<Arc<Block>>>,
}

impl<'p> Fingerprints<'p> {
    /// For a program.
    pub fn of(program: &'p Program) -> Self {
        let state = State::initial(program).ok();
        let block = |object: usize| state.as_ref()?.memory().shared_static(ObjectId::new(object)).cloned();
        Fingerprints {
            program,
            live: program.functions.iter().map(Live::of).collect(),
            initial: (0..program.objects.len()).map(block).collect(),
        }
    }

    /// The fingerprint of a state.
    pub fn fingerprint(&self, state: &State) -> u128 {
        let mut form =
            Form { state, bytes: Vec::with_capacity(512), names: FxHashMap::default(), unfolded: Vec::new() };
        self.write_statics(&mut form);
        for thread in state.thread_indices() {
            self.write_thread(&mut form, thread);
        }
        let is_found_later = |object: Instance| matches!(object, Instance::Frame { .. } | Instance::Heap { .. });
        for (key, value) in state.ghosts().filter(|(key, _)| !key.object.is_some_and(is_found_later)) {
            form.ghost(key, value);
        }
        match state.atomic_section() {
            None => form.tag(0),
            Some(section) => {
                form.tag(1);
                form.number(u64::from(section.owner.0));
                form.number(u64::from(section.depth));
            }
        }
        match state.exit_status() {
            None => form.tag(0),
            Some(status) => {
                form.tag(1);
                form.value(&Value::Bits(status));
            }
        }
        form.write_unfolded();
        xxh3_128(&form.bytes)
    }

    fn write_statics(&self, form: &mut Form<'_>) {
        let state = form.state;
        for (object, initial) in self.initial.iter().enumerate() {
            let block = state.memory().shared_static(ObjectId::new(object));
            match (block, initial) {
                (Some(block), Some(initial)) if block.contents.size() >= LARGE && Arc::ptr_eq(block, initial) => {
                    form.tag(2);
                }
                (Some(block), _) => form.block(block),
                (None, _) => form.tag(0),
            }
        }
    }

    fn write_thread(&self, form: &mut Form<'_>, thread: ThreadIndex) {
        let state = form.state;
        let Some(standing) = state.thread(thread) else { return };
        form.number(standing.frames.len() as u64);
        // The register that the call above returns to is written before it is read.
        let results: Vec<Option<RegisterId>> = standing.frames.iter().map(|frame| frame.result).collect();
        for (depth, frame) in standing.frames.iter().enumerate() {
            form.number(u64::from(frame.function.0));
            form.number(u64::from(frame.location.0));
            form.number(frame.result.map_or(0, |register| u64::from(register.0) + 1));
            let awaited = results.get(depth + 1).copied().flatten();
            for register in self.live[frame.function.index()].at(frame.location) {
                match frame.registers.get(register.index()) {
                    Some(Some(value)) if awaited != Some(*register) => form.value(value),
                    _ => form.tag(9),
                }
            }
            for object in 0..self.program.function(frame.function).frame.len() {
                form.object(frame.local(thread, FrameObjectId::new(object)));
            }
        }
        for (position, object) in self.program.objects.iter().enumerate() {
            if object.kind == selvedge_program::ObjectKind::ThreadLocal {
                match state.memory().block(Instance::ThreadLocal(ObjectId::new(position), thread)) {
                    Some(block) => form.block(block),
                    None => form.tag(0),
                }
            }
        }
    }
}

/// The form of one state while it is written.
struct Form<'s> {
    state: &'s State,
    bytes: Vec<u8>,
    /// The numbers of objects made at run time.
    names: FxHashMap<Instance, u64>,
    /// Those that have a number and have not been written.
    unfolded: Vec<Instance>,
}

impl Form<'_> {
    fn tag(&mut self, tag: u8) {
        self.bytes.push(tag);
    }

    fn number(&mut self, number: u64) {
        self.bytes.extend_from_slice(&number.to_le_bytes());
    }

    fn object(&mut self, object: Instance) {
        match object {
            Instance::Static(id) => {
                self.tag(0);
                self.number(u64::from(id.0));
            }
            Instance::ThreadLocal(id, thread) => {
                self.tag(1);
                self.number(u64::from(id.0));
                self.number(u64::from(thread.0));
            }
            Instance::Thread(thread) => {
                self.tag(2);
                self.number(u64::from(thread.0));
            }
            Instance::Function(function) => {
                self.tag(3);
                self.number(u64::from(function.0));
            }
            Instance::Frame { .. } | Instance::Heap { .. } => {
                let next = self.names.len() as u64;
                let number = *self.names.entry(object).or_insert(next);
                if number == next {
                    self.unfolded.push(object);
                }
                self.tag(4);
                self.number(number);
            }
        }
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::Bits(bits) => {
                self.tag(0);
                self.number(u64::from(bits.width()));
                self.bytes.extend_from_slice(&bits.unsigned().to_le_bytes());
            }
            Value::Pointer(pointer) => {
                self.tag(1);
                self.object(pointer.object);
                self.number(pointer.offset);
            }
            Value::Raw(bytes) => {
                self.tag(2);
                self.number(bytes.len() as u64);
                for byte in bytes.iter() {
                    match byte {
                        Byte::Known(byte) => {
                            self.tag(0);
                            self.tag(*byte);
                        }
                        Byte::Part(pointer, which) => {
                            self.tag(1);
                            self.tag(*which);
                            self.object(pointer.object);
                            self.number(pointer.offset);
                        }
                        Byte::Indeterminate => self.tag(2),
                    }
                }
            }
        }
    }

    fn block(&mut self, block: &Block) {
        self.tag(1);
        self.number(u64::from(block.align));
        self.number(block.contents.size());
        self.bytes.extend_from_slice(block.contents.data());
        let open = block.contents.indeterminate_bits();
        self.number(open.len() as u64);
        open.iter().for_each(|bits| self.number(*bits));
        self.number(block.contents.pointers().count() as u64);
        for (start, pointer, first, length) in block.contents.pointers() {
            self.number(start);
            self.tag(first);
            self.tag(length);
            self.object(pointer.object);
            self.number(pointer.offset);
        }
    }

    fn ghost(&mut self, key: GhostKey, value: &Value) {
        match key.object {
            None => self.tag(0),
            Some(object) => {
                self.tag(1);
                self.object(object);
            }
        }
        self.number(key.offset);
        self.bytes.extend_from_slice(format!("{:?}", key.field).as_bytes());
        self.value(value);
    }

    /// Writes the objects that were come upon, and those that these lead to.
    fn write_unfolded(&mut self) {
        let mut next = 0;
        while let Some(object) = self.unfolded.get(next).copied() {
            next += 1;
            let state = self.state;
            let Some(block) = state.memory().block(object) else {
                self.tag(0);
                // One that was freed is told from one whose block has ended.
                self.tag(u8::from(matches!(object, Instance::Heap { .. })));
                continue;
            };
            self.block(block);
            self.bytes.extend_from_slice(format!("{:?}", block.origin).as_bytes());
            if let Instance::Frame { thread, serial } = object {
                // Which return ends its life.
                let frames = state.thread(thread).into_iter().flat_map(|thread| &thread.frames);
                self.number(u64::from(thread.0));
                self.number(frames.filter(|frame| frame.first_serial <= serial).count() as u64);
            }
            let ghosts: Vec<(GhostKey, &Value)> = state.ghosts_of(object).collect();
            self.number(ghosts.len() as u64);
            for (key, value) in ghosts {
                self.ghost(key, value);
            }
        }
    }
}
