//! Thread symmetry: an order of the threads that does not depend on which was started first.
//!
//! Every thread gets a signature that does not mention thread numbers: where it stands, its live registers (pointers to
//! threads and to objects made at run time count only as such), its own ghost fields, and from where it is pointed to:
//! `m.owner`, `handles[2]`, a register of a thread with such and such a signature. Threads are sorted by signature. The
//! semantics treats all threads but `main`'s alike, so numbering them in any order is sound; where signatures tie
//! although the threads differ, only reduction is lost.

use selvedge_analysis::AbstractObject;
use selvedge_program::semantics::{Byte, Frame, Instance, Pointer, Value};
use selvedge_program::{FrameObjectId, RegisterId, ThreadIndex};

use crate::encode::{find_reads, frames};
use crate::footprints::Footprints;
use crate::hash::{Hasher, mix};
use crate::joins::JoinRow;
use crate::parts::Shared;
use crate::view::View;
use selvedge_program::bitset;

/// What being waited for adds to a signature.
const IN_ROW: u64 = 0x5851_f42d_4c95_7f2d;

/// Sorts threads, reusing its tables.
#[derive(Debug)]
pub struct Ordering<'f, 'p> {
    facts: &'f Footprints<'p>,
    signatures: Vec<u64>,
    refined: Vec<u64>,
    order: Vec<ThreadIndex>,
    /// The objects that are still read; references from others do not count.
    read: Vec<u64>,
}

impl<'f, 'p> Ordering<'f, 'p> {
    /// For one program.
    pub fn new(facts: &'f Footprints<'p>) -> Self {
        Self {
            facts,
            signatures: Vec::new(),
            refined: Vec::new(),
            order: Vec::new(),
            read: vec![0; facts.reads.words()],
        }
    }

    /// The live threads as they were started.
    pub fn by_age(&mut self, view: View<'_, '_, '_>) -> &[ThreadIndex] {
        self.order.clear();
        self.order.extend(view.threads().filter(|thread| !view.frames(*thread).is_empty()));
        &self.order
    }

    /// The live threads, `main`'s first, in an order that is the same for symmetric states, mostly.
    pub fn canonical(&mut self, view: View<'_, '_, '_>, row: Option<&JoinRow>) -> &[ThreadIndex] {
        self.by_age(view);
        let first = self.order.first().is_some_and(|thread| thread.0 == 0);
        let from = usize::from(first);
        if self.order.len() - from < 2 {
            return &self.order;
        }
        find_reads(self.facts, view, row, &self.order, &mut self.read);
        self.sign(view, row);
        let signatures = &self.refined;
        self.order[from..].sort_by_key(|thread| (signatures[thread.index()], *thread));
        &self.order
    }

    fn sign(&mut self, view: View<'_, '_, '_>, row: Option<&JoinRow>) {
        self.signatures.clear();
        self.signatures.resize(view.thread_count(), 0);
        for thread in &self.order {
            self.signatures[thread.index()] = match view.local(*thread).signature {
                Some(signature) if row.is_none() || *thread != ThreadIndex(0) => signature,
                _ => own_signature(self.facts, frames(view, row, *thread), *thread),
            };
        }
        self.refined.clear();
        self.refined.extend_from_slice(&self.signatures);
        self.note_shared(view);
        for position in 0..self.order.len() {
            let thread = self.order[position];
            if view.local(thread).code.is_none() || thread == ThreadIndex(0) {
                self.note_references(view, frames(view, row, thread), thread);
            }
        }
        for thread in view.threads() {
            self.note_own(view, thread);
        }
        for thread in row.into_iter().flat_map(|row| &row.threads) {
            self.refined[thread.index()] = self.refined[thread.index()].wrapping_add(IN_ROW);
        }
    }

    /// Tells the threads that variables and ghost fields of static objects point to.
    fn note_shared(&mut self, view: View<'_, '_, '_>) {
        let parts = view.parts();
        for (position, shared) in parts.shared().iter().enumerate() {
            let number = view.shared(position);
            match shared {
                Shared::Section => {}
                Shared::Variable(object, variable) => {
                    let variable = parts.variable(*variable, number);
                    if variable.named.is_empty() || !self.is_read(AbstractObject::Static(*object)) {
                        continue;
                    }
                    for (start, pointer, ..) in variable.block.contents.pointers() {
                        let place = mix([3 << 32 | u64::from(object.0), start, pointer.offset]);
                        note(&mut self.refined, &Value::Pointer(pointer), place);
                    }
                }
                Shared::Ghost(key) => {
                    if let Some(ghost) = parts.ghost(number)
                        && let (false, Some(Instance::Static(object))) = (ghost.named.is_empty(), key.object)
                    {
                        let place = mix([u64::from(object.0), key.offset, key.field as u64]);
                        note(&mut self.refined, &ghost.value, place);
                    }
                }
            }
        }
    }

    /// A thread's own ghost fields, and the threads that they point to.
    fn note_own(&mut self, view: View<'_, '_, '_>, thread: ThreadIndex) {
        let own = view.own(thread);
        if own.is_plain {
            return;
        }
        for (key, value) in own.ghosts.iter().filter(|(key, _)| key.object == Some(Instance::Thread(thread))) {
            let place = |tag: u64| mix([tag, key.offset, key.field as u64]);
            let mut hasher = Hasher::new();
            hasher.word(place(1 << 32));
            sign_value(&mut hasher, value, thread);
            self.refined[thread.index()] = self.refined[thread.index()].wrapping_add(hasher.finish_short());
            note(&mut self.refined, value, mix([place(2 << 32), self.signatures[thread.index()]]));
        }
    }

    fn is_read(&self, object: AbstractObject) -> bool {
        self.facts.readable(object).is_some_and(|number| bitset::contains(&self.read, number))
    }

    /// Tells the threads that a thread's registers and locals point to.
    fn note_references(&mut self, view: View<'_, '_, '_>, frames: &[Frame], thread: ThreadIndex) {
        let signature = self.signatures[thread.index()];
        let mut refined = std::mem::take(&mut self.refined);
        for_each_register(self.facts, frames, |position, value| {
            if let Some(value @ Value::Pointer(Pointer { object: Instance::Thread(other), .. })) = value
                && *other != thread
            {
                note(&mut refined, value, mix([4 << 32 | position, signature]));
            }
        });
        for frame in frames {
            for local in 0..self.facts.program.function(frame.function).frame.len() {
                let id = FrameObjectId::new(local);
                if !self.is_read(AbstractObject::Frame(frame.function, id)) {
                    continue;
                }
                let instance = frame.local(thread, id);
                let Some(block) = view.block(instance) else { continue };
                for (start, pointer, ..) in block.contents.pointers() {
                    let place = mix([5 << 32 | local as u64, start, pointer.offset, signature]);
                    note(&mut refined, &Value::Pointer(pointer), place);
                }
            }
        }
        self.refined = refined;
    }
}

/// A thread's signature from its own activations.
pub fn own_signature(facts: &Footprints<'_>, frames: &[Frame], thread: ThreadIndex) -> u64 {
    let mut hasher = Hasher::new();
    for_each_register(facts, frames, |position, value| {
        hasher.word(position);
        if let Some(value) = value {
            sign_value(&mut hasher, value, thread);
        }
    });
    hasher.finish_short()
}

fn for_each_register(facts: &Footprints<'_>, frames: &[Frame], mut visit: impl FnMut(u64, Option<&Value>)) {
    let mut pending: Option<RegisterId> = None;
    for frame in frames.iter().rev() {
        visit(u64::from(frame.function.0) << 32 | u64::from(frame.location.0), None);
        for register in facts.live[frame.function.index()].at(frame.location) {
            if Some(*register) != pending
                && let Some(value) = frame.registers.get(register.index()).and_then(Option::as_ref)
            {
                visit(u64::from(register.0), Some(value));
            }
        }
        pending = frame.result;
    }
}

/// Adds to the signature of the thread that a value points to, in whatever order the references are met.
fn note(signatures: &mut [u64], value: &Value, place: u64) {
    if let Value::Pointer(Pointer { object: Instance::Thread(thread), offset }) = value
        && let Some(signature) = signatures.get_mut(thread.index())
    {
        *signature = signature.wrapping_add(mix([place, *offset]));
    }
}

/// A value as a thread sees it, without numbers of other threads.
fn sign_value(hasher: &mut Hasher, value: &Value, owner: ThreadIndex) {
    match value {
        Value::Bits(bits) => {
            hasher.word(u64::from(bits.width()));
            hasher.wide(bits.unsigned());
        }
        Value::Pointer(pointer) => sign_pointer(hasher, *pointer, owner),
        Value::Raw(bytes) => {
            for byte in bytes.iter() {
                match byte {
                    Byte::Known(byte) => hasher.word(u64::from(*byte)),
                    Byte::Part(pointer, first) => {
                        hasher.word(1 << 40 | u64::from(*first));
                        sign_pointer(hasher, *pointer, owner);
                    }
                    Byte::Indeterminate => hasher.word(1 << 41),
                }
            }
        }
    }
}

fn sign_pointer(hasher: &mut Hasher, pointer: Pointer, owner: ThreadIndex) {
    hasher.word(match pointer.object {
        Instance::Static(object) => 1 << 48 | u64::from(object.0),
        Instance::Function(function) => 2 << 48 | u64::from(function.0),
        Instance::ThreadLocal(object, thread) => 3 << 48 | u64::from(thread == owner) << 32 | u64::from(object.0),
        Instance::Thread(thread) => 4 << 48 | u64::from(thread == owner) << 32 | u64::from(thread.0 == 0),
        Instance::Frame { thread, .. } => 5 << 48 | u64::from(thread == owner),
        Instance::Heap { .. } => 6 << 48,
    });
    hasher.word(pointer.offset);
}
