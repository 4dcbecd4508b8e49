//! The fingerprint of a state: a hash of a canonical encoding.
//!
//! Two states with the same encoding are the same up to the names of objects and threads, and up to what can no longer
//! matter:
//! - objects that functions and `malloc` made are numbered in the order in which a walk from the threads and the
//!   variables meets them, so that neither serial numbers nor who allocated them counts, and objects that nothing
//!   points to are left out;
//! - threads are numbered in a given order (see [`symmetry`](crate::symmetry)); a finished thread that nothing points
//!   to is left out;
//! - dead registers are left out, as are the bytes of objects that no thread will read again.
//!
//! Where a part of a state names neither a thread nor an object made at run time, its encoding is the same in every
//! state and is kept with the part ([`parts`](crate::parts)).

use rustc_hash::FxHashMap;
use selvedge_analysis::AbstractObject;
use selvedge_program::semantics::contents::Contents;
use selvedge_program::semantics::memory::{Block, Origin};
use selvedge_program::semantics::{Byte, Frame, Instance, Pointer, Value};
use selvedge_program::{ObjectKind, RegisterId, ThreadIndex};

use crate::footprints::Footprints;
use crate::hash::Hasher;
use crate::joins::JoinRow;
use crate::parts::Shared;
use crate::view::View;
use selvedge_program::bitset;

/// Ends a list whose length is not known beforehand; no entry of a list starts with this word.
const END: u64 = 0x00ed_00ed_00ed_00ed;

/// Encodes states, one after the other, reusing its tables.
#[derive(Debug)]
pub struct Encoder<'f, 'p> {
    facts: &'f Footprints<'p>,
    hasher: Hasher,
    /// Threads' numbers, by index; 0 where none has been given.
    threads: Vec<u32>,
    numbered: u32,
    names: FxHashMap<Instance, u32>,
    queue: Vec<Instance>,
    /// What is still read, by the numbers of [`Footprints::readable`].
    read: Vec<u64>,
    /// By position among the variables, the number in [`Footprints::readable`] if it is ever read.
    variables: Vec<Option<usize>>,
    has_thread_locals: bool,
    /// Whether something has been named since the last [`Encoder::closed`] began.
    is_open: bool,
}

impl<'f, 'p> Encoder<'f, 'p> {
    /// For one program.
    pub fn new(facts: &'f Footprints<'p>) -> Self {
        let number = |id: &selvedge_program::ObjectId| facts.readable(selvedge_analysis::AbstractObject::Static(*id));
        Self {
            facts,
            hasher: Hasher::new(),
            threads: Vec::new(),
            numbered: 0,
            names: FxHashMap::default(),
            queue: Vec::new(),
            read: vec![0; facts.reads.words()],
            variables: facts.variables.iter().map(number).collect(),
            has_thread_locals: facts.program.objects.iter().any(|object| object.kind == ObjectKind::ThreadLocal),
            is_open: false,
        }
    }

    /// The encoding of something, if it names neither a thread nor an object made at run time.
    pub fn closed(&mut self, encode: impl FnOnce(&mut Self)) -> Option<u128> {
        self.hasher.clear();
        self.names.clear();
        self.is_open = false;
        encode(self);
        (!self.is_open).then(|| self.hasher.finish())
    }

    /// The fingerprint of a state whose live threads are numbered in this order.
    pub fn fingerprint(&mut self, view: View<'_, '_, '_>, row: Option<&JoinRow>, order: &[ThreadIndex]) -> u128 {
        self.hasher.clear();
        self.names.clear();
        self.queue.clear();
        self.threads.clear();
        self.threads.resize(view.thread_count(), 0);
        self.numbered = 0;
        for thread in order {
            self.numbered += 1;
            self.threads[thread.index()] = self.numbered;
        }
        find_reads(self.facts, view, row, order, &mut self.read);
        self.hasher.word(u64::from(row.is_some()) << 32 | order.len() as u64);
        if let Some(section) = view.atomic_section() {
            let owner = self.threads[section.owner.index()];
            self.hasher.word(1 << 32 | u64::from(owner));
            self.hasher.word(u64::from(section.depth));
        }
        for thread in order {
            self.thread(view, row, *thread);
        }
        self.shared(view);
        if self.facts.has_guesses {
            self.everything(view, order);
        }
        let mut next = 0;
        while let Some(object) = self.queue.get(next).copied() {
            self.object(view, object);
            next += 1;
        }
        self.hasher.finish()
    }

    /// Names whatever there is: a value out of nothing may point to what nothing else does.
    fn everything(&mut self, view: View<'_, '_, '_>, order: &[ThreadIndex]) {
        let finished = view.threads().filter(|thread| !order.contains(thread));
        for thread in order.iter().copied().chain(finished) {
            self.thread_number(thread);
            for object in view.own(thread).belongings.made(thread) {
                self.name(object);
            }
        }
    }

    fn thread(&mut self, view: View<'_, '_, '_>, row: Option<&JoinRow>, thread: ThreadIndex) {
        match view.local(thread).code {
            Some(code) if row.is_none() || thread != ThreadIndex(0) => self.hasher.wide(code),
            _ => self.frames(thread, frames(view, row, thread)),
        }
        if view.own(thread).is_plain {
            self.hasher.word(END);
        } else {
            self.thread_locals(view, thread);
            self.ghosts(view, Instance::Thread(thread));
        }
        if let Some(row) = row {
            self.hasher.word(u64::from(row.threads.contains(&thread)));
        }
    }

    /// A thread's activations.
    pub fn frames(&mut self, thread: ThreadIndex, frames: &[Frame]) {
        self.hasher.word(frames.len() as u64);
        let last = frames.len().saturating_sub(1);
        let mut result = None;
        for (position, frame) in frames.iter().enumerate().rev() {
            let pending = if position == last { None } else { result };
            self.frame(thread, frame, pending);
            result = frame.result;
        }
    }

    fn thread_locals(&mut self, view: View<'_, '_, '_>, thread: ThreadIndex) {
        if !self.has_thread_locals {
            return;
        }
        for (index, object) in self.facts.program.objects.iter().enumerate() {
            if object.kind == ObjectKind::ThreadLocal {
                let id = selvedge_program::ObjectId::new(index);
                let instance = Instance::ThreadLocal(id, thread);
                if let Some(block) = view.block(instance) {
                    self.contents(&block.contents);
                    self.ghosts(view, instance);
                }
            }
        }
    }

    /// What the threads share: variables that are still read, ghost fields of static objects.
    fn shared(&mut self, view: View<'_, '_, '_>) {
        let parts = view.parts();
        for (position, shared) in parts.shared().iter().enumerate() {
            let number = view.shared(position);
            match shared {
                Shared::Section => {}
                Shared::Variable(_, variable) => {
                    if self.variables[*variable].is_some_and(|number| bitset::contains(&self.read, number)) {
                        let variable = parts.variable(*variable, number);
                        match variable.code {
                            Some(code) => self.hasher.wide(code),
                            None => self.contents(&variable.block.contents),
                        }
                    }
                }
                Shared::Ghost(_) => {
                    if let Some(ghost) = parts.ghost(number) {
                        self.hasher.word(position as u64);
                        match ghost.code {
                            Some(code) => self.hasher.wide(code),
                            None => self.value(&ghost.value),
                        }
                    }
                }
            }
        }
        self.hasher.word(END);
    }

    /// An activation; `pending` is the register that a callee's result will go to, which is not live until then.
    fn frame(&mut self, thread: ThreadIndex, frame: &Frame, pending: Option<RegisterId>) {
        let result = frame.result.map_or(u32::MAX, |register| register.0);
        self.hasher.word(u64::from(frame.function.0) << 32 | u64::from(frame.location.0));
        self.hasher.word(u64::from(result));
        let facts = self.facts;
        for register in facts.live[frame.function.index()].at(frame.location) {
            if Some(*register) != pending {
                match frame.registers.get(register.index()).and_then(Option::as_ref) {
                    Some(value) => self.value(value),
                    None => self.hasher.word(u64::MAX),
                }
            }
        }
        for local in 0..facts.program.function(frame.function).frame.len() {
            let instance = frame.local(thread, selvedge_program::FrameObjectId::new(local));
            self.name(instance);
        }
    }

    fn ghosts(&mut self, view: View<'_, '_, '_>, object: Instance) {
        for (key, value) in view.ghosts_of(object) {
            self.hasher.word(1 << 63 | key.field as u64);
            self.hasher.word(key.offset);
            self.value(value);
        }
        self.hasher.word(END);
    }

    /// An object that the walk has met.
    fn object(&mut self, view: View<'_, '_, '_>, object: Instance) {
        if let Instance::Thread(_) = object {
            self.hasher.word(4);
            return self.ghosts(view, object);
        }
        match view.block(object) {
            Some(block) => {
                self.block(block);
                self.ghosts(view, object);
            }
            None => self.hasher.word(match object {
                Instance::Heap { .. } => 2,
                _ => 3,
            }),
        }
    }

    fn block(&mut self, block: &Block) {
        let (kind, origin) = match block.origin {
            Origin::Object(object) => (5, u64::from(object.0)),
            Origin::Local(function, local) => (6, u64::from(function.0) << 32 | u64::from(local.0)),
            Origin::Site(site) => (7, u64::from(site.0)),
        };
        self.hasher.word(kind << 32 | u64::from(block.align));
        self.hasher.word(origin);
        self.hasher.word(block.contents.size());
        let number = self.facts.readable(AbstractObject::of_block(block));
        if number.is_some_and(|number| bitset::contains(&self.read, number)) {
            self.contents(&block.contents);
        }
    }

    /// The bytes of an object.
    pub fn contents(&mut self, contents: &Contents) {
        for chunk in contents.data().chunks(8) {
            let mut bytes = [0; 8];
            bytes[..chunk.len()].copy_from_slice(chunk);
            self.hasher.word(u64::from_le_bytes(bytes));
        }
        let indeterminate = contents.indeterminate_bits();
        self.hasher.word(indeterminate.len() as u64);
        indeterminate.iter().for_each(|word| self.hasher.word(*word));
        for (start, pointer, first, length) in contents.pointers() {
            self.hasher.word(1 << 63 | u64::from(first) << 40 | u64::from(length) << 32);
            self.hasher.word(start);
            self.pointer(pointer);
        }
        self.hasher.word(END);
    }

    /// A value.
    pub fn value(&mut self, value: &Value) {
        match value {
            Value::Bits(bits) => {
                let number = bits.unsigned();
                self.hasher.word(u64::from(bits.width()));
                self.hasher.word(number as u64);
                if bits.width() > 64 {
                    self.hasher.word((number >> 64) as u64);
                }
            }
            Value::Pointer(pointer) => {
                self.hasher.word(1 << 62);
                self.pointer(*pointer);
            }
            Value::Raw(bytes) => {
                self.hasher.word(1 << 61 | bytes.len() as u64);
                for byte in bytes.iter() {
                    match byte {
                        Byte::Known(byte) => self.hasher.word(u64::from(*byte)),
                        Byte::Part(pointer, first) => {
                            self.hasher.word(1 << 60 | u64::from(*first));
                            self.pointer(*pointer);
                        }
                        Byte::Indeterminate => self.hasher.word(1 << 59),
                    }
                }
            }
        }
    }

    fn pointer(&mut self, pointer: Pointer) {
        let word = match pointer.object {
            Instance::Static(object) => 1 << 32 | u64::from(object.0),
            Instance::Function(function) => 2 << 32 | u64::from(function.0),
            Instance::ThreadLocal(object, thread) => {
                let thread = self.thread_number(thread);
                self.hasher.word(3 << 32 | u64::from(thread));
                u64::from(object.0)
            }
            Instance::Thread(thread) => 4 << 32 | u64::from(self.thread_number(thread)),
            Instance::Frame { .. } | Instance::Heap { .. } => 5 << 32 | u64::from(self.name(pointer.object)),
        };
        self.hasher.word(word);
        self.hasher.word(pointer.offset);
    }

    /// A thread's number; one that has finished gets its own when the walk meets it.
    fn thread_number(&mut self, thread: ThreadIndex) -> u32 {
        self.is_open = true;
        let Some(number) = self.threads.get_mut(thread.index()) else { return 0 };
        if *number == 0 {
            self.numbered += 1;
            *number = self.numbered;
            self.queue.push(Instance::Thread(thread));
        }
        *number
    }

    fn name(&mut self, object: Instance) -> u32 {
        self.is_open = true;
        let next = self.names.len() as u32;
        *self.names.entry(object).or_insert_with(|| {
            self.queue.push(object);
            next
        })
    }
}

/// The activations of a thread; those of `main` after a row of joins, if it waits in one.
pub fn frames<'a>(view: View<'a, '_, '_>, row: Option<&'a JoinRow>, thread: ThreadIndex) -> &'a [Frame] {
    match row {
        Some(row) if thread == ThreadIndex(0) => &row.after.frames,
        _ => view.frames(thread),
    }
}

/// The objects that live threads may still read.
pub fn find_reads(
    facts: &Footprints<'_>,
    view: View<'_, '_, '_>,
    row: Option<&JoinRow>,
    live: &[ThreadIndex],
    read: &mut [u64],
) {
    read.fill(0);
    for thread in live {
        match row {
            Some(row) if *thread == ThreadIndex(0) => {
                for frame in &row.after.frames {
                    bitset::add(read, facts.reads.at(frame.function, frame.location));
                }
            }
            _ => {
                bitset::add(read, &view.local(*thread).reads);
            }
        }
    }
}
