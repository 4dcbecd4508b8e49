//! States in parts. Every part of a state is kept once and has a number, and a state is a row of numbers: how many
//! threads there are; for each of them where it stands and what it owns; then what all share: the atomic section under
//! way, the variables, the ghost fields of static objects. Equal states have equal rows, and most steps change one or
//! two numbers.
//!
//! The idea is SPIN's collapse compression (Holzmann, *State compression in Spin*, 1997). Here the numbers also serve
//! to remember what steps do ([`table`](crate::table)) and the encodings of parts ([`encode`](crate::encode)).
//!
//! A part that is not there, or is as in the beginning, has the number 0, and a row ends with the last number that is
//! not 0. Registers that are dead are cleared.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use rustc_hash::FxHashMap;
use selvedge_program::semantics::memory::{Belongings, Block};
use selvedge_program::semantics::{AtomicSection, Byte, Frame, GhostKey, Instance, State, StateParts, Thread, Value};
use selvedge_program::{ObjectId, RegisterId, ThreadIndex};

use crate::encode::Encoder;
use crate::footprints::Footprints;
use crate::outlook::Outlook;
use crate::symmetry::own_signature;
use crate::view::View;
use crate::world::World;
use selvedge_program::bitset;

/// A row of numbers.
pub type Packed = Vec<u32>;

/// Ghost fields in order.
type Ghosts = Arc<[(GhostKey, Value)]>;

/// Where a thread stands.
#[derive(Debug)]
pub struct Local {
    /// Its activations.
    pub thread: Arc<Thread>,
    /// Its outlook.
    pub outlook: Arc<Outlook>,
    /// The threads to which, or to something of which, a register points.
    pub named: Box<[ThreadIndex]>,
    /// The objects that it may still read, by the numbers of [`Footprints::readable`].
    pub reads: Box<[u64]>,
    /// The encoding of its activations, if that depends on nothing else.
    pub code: Option<u128>,
    /// The signature of its activations, if that depends on nothing else.
    pub signature: Option<u64>,
}

/// What a thread owns: the objects it has made, and their ghost fields and its own.
#[derive(Debug)]
pub struct Own {
    /// The objects.
    pub belongings: Arc<Belongings>,
    /// The ghost fields in order.
    pub ghosts: Ghosts,
    /// The threads to which, or to something of which, something in here points, itself perhaps among them.
    pub named: Box<[ThreadIndex]>,
    /// Whether the thread's own object has no ghost fields and it has no thread-local objects.
    pub is_plain: bool,
}

/// A variable's contents.
#[derive(Debug)]
pub struct Variable {
    /// The object.
    pub block: Arc<Block>,
    /// As for [`Own`].
    pub named: Box<[ThreadIndex]>,
    /// The encoding of the contents, if that depends on nothing else.
    pub code: Option<u128>,
}

/// The value of a ghost field.
#[derive(Debug)]
pub struct Ghost {
    /// The value.
    pub value: Value,
    /// As for [`Own`].
    pub named: Box<[ThreadIndex]>,
    /// The encoding of the value, if that depends on nothing else.
    pub code: Option<u128>,
}

/// Numbered parts of one kind.
#[derive(Debug)]
struct Numbered<K, P> {
    numbers: FxHashMap<K, u32>,
    parts: Vec<P>,
}

impl<K, P> Default for Numbered<K, P> {
    fn default() -> Self {
        Self { numbers: FxHashMap::default(), parts: Vec::new() }
    }
}

impl<K: Hash + Eq + Clone, P> Numbered<K, P> {
    fn number(&mut self, key: K, part: impl FnOnce(K) -> P) -> u32 {
        if let Some(number) = self.numbers.get(&key) {
            return *number;
        }
        let number = self.parts.len() as u32;
        self.numbers.insert(key.clone(), number);
        self.parts.push(part(key));
        number
    }
}

/// What the shared part of a row is about, by position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shared {
    /// The atomic section under way.
    Section,
    /// A variable, and its position among the [variables](Footprints::variables).
    Variable(ObjectId, usize),
    /// A ghost field of a static object or of the program.
    Ghost(GhostKey),
}

/// Where a thread stands. Threads that stand alike mostly have the same outlook, so that need not be hashed.
#[derive(Clone, Debug, PartialEq, Eq)]
struct LocalKey {
    thread: Arc<Thread>,
    outlook: Arc<Outlook>,
}

impl Hash for LocalKey {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.thread.hash(hasher);
    }
}

/// Everything numbered so far.
#[derive(Debug)]
pub struct Parts<'f, 'p> {
    facts: &'f Footprints<'p>,
    encoder: Encoder<'f, 'p>,
    first: State,
    locals: Numbered<LocalKey, Local>,
    owns: Numbered<(Arc<Belongings>, Ghosts), Own>,
    sections: Numbered<AtomicSection, AtomicSection>,
    /// By position among the variables.
    variables: Vec<Numbered<Arc<Block>, Variable>>,
    ghosts: Numbered<Value, Ghost>,
    /// By shared position.
    shared: Vec<Shared>,
    ghost_positions: FxHashMap<GhostKey, usize>,
    variable_positions: FxHashMap<ObjectId, usize>,
    bytes: u64,
}

/// The place in a row of where a thread stands.
pub fn local_at(thread: ThreadIndex) -> usize {
    1 + 2 * thread.index()
}

/// The place in a row of what a thread owns.
pub fn own_at(thread: ThreadIndex) -> usize {
    2 + 2 * thread.index()
}

/// The place in a row of what is shared, by position.
pub fn shared_at(threads: usize, position: usize) -> usize {
    1 + 2 * threads + position
}

/// A number of a row, which may end before.
pub fn number_at(row: &[u32], place: usize) -> u32 {
    row.get(place).copied().unwrap_or(0)
}

/// Takes the zeros off the end of a row.
pub fn trim(row: &mut Packed) {
    let least = row.first().map_or(0, |threads| shared_at(*threads as usize, 0));
    while row.len() > least && row.last() == Some(&0) {
        row.pop();
    }
}

/// The thread that an object belongs to.
pub fn owner(object: Instance) -> Option<ThreadIndex> {
    match object {
        Instance::ThreadLocal(_, thread)
        | Instance::Frame { thread, .. }
        | Instance::Heap { thread, .. }
        | Instance::Thread(thread) => Some(thread),
        Instance::Static(_) | Instance::Function(_) => None,
    }
}

/// Calls a function with the owner of every object that a value points to.
pub fn for_each_owner(value: &Value, mut visit: impl FnMut(ThreadIndex)) {
    match value {
        Value::Bits(_) => {}
        Value::Pointer(pointer) => owner(pointer.object).into_iter().for_each(visit),
        Value::Raw(bytes) => {
            for byte in bytes.iter() {
                if let Byte::Part(pointer, _) = byte {
                    owner(pointer.object).into_iter().for_each(&mut visit);
                }
            }
        }
    }
}

fn owners<'a>(blocks: impl Iterator<Item = &'a Block>, values: impl Iterator<Item = &'a Value>) -> Box<[ThreadIndex]> {
    let mut found: Vec<ThreadIndex> = Vec::new();
    for block in blocks {
        found.extend(block.contents.pointers().filter_map(|(_, pointer, ..)| owner(pointer.object)));
    }
    values.for_each(|value| for_each_owner(value, |thread| found.push(thread)));
    found.sort_unstable();
    found.dedup();
    found.into()
}

impl<'f, 'p> Parts<'f, 'p> {
    /// For a program that starts in a state.
    pub fn new(facts: &'f Footprints<'p>, first: State) -> Self {
        let mut parts = Self {
            facts,
            encoder: Encoder::new(facts),
            first,
            locals: Numbered::default(),
            owns: Numbered::default(),
            sections: Numbered::default(),
            variables: Vec::new(),
            ghosts: Numbered::default(),
            shared: vec![Shared::Section],
            ghost_positions: FxHashMap::default(),
            variable_positions: FxHashMap::default(),
            bytes: 0,
        };
        for variable in &facts.variables {
            if let Some(block) = parts.first.memory().shared_static(*variable).map(Arc::clone) {
                let position = parts.variables.len();
                parts.variables.push(Numbered::default());
                parts.variable_positions.insert(*variable, parts.shared.len());
                parts.shared.push(Shared::Variable(*variable, position));
                parts.number_variable(position, block);
            }
        }
        parts
    }

    /// The bytes used, estimated.
    pub fn memory(&self) -> u64 {
        self.bytes
    }

    /// Whether the program has atomic sections.
    pub fn has_sections(&self) -> bool {
        self.facts.has_sections
    }

    /// What is shared, by position.
    pub fn shared(&self) -> &[Shared] {
        &self.shared
    }

    /// The shared position of a variable.
    pub fn variable_position(&self, object: ObjectId) -> Option<usize> {
        self.variable_positions.get(&object).copied()
    }

    /// The shared position of a ghost field that belongs to no thread.
    pub fn ghost_position(&mut self, key: GhostKey) -> usize {
        *self.ghost_positions.entry(key).or_insert_with(|| {
            self.shared.push(Shared::Ghost(key));
            self.shared.len() - 1
        })
    }

    /// Where a thread stands.
    pub fn local(&self, number: u32) -> &Local {
        &self.locals.parts[number as usize]
    }

    /// What a thread owns.
    pub fn own(&self, number: u32) -> &Own {
        &self.owns.parts[number as usize]
    }

    /// A variable's contents.
    pub fn variable(&self, position: usize, number: u32) -> &Variable {
        &self.variables[position].parts[number as usize]
    }

    /// The threads that a variable names, given its number by its shared position.
    pub fn named_by_variable(&self, object: ObjectId, number: impl Fn(usize) -> u32) -> Option<&[ThreadIndex]> {
        let position = self.variable_position(object)?;
        match self.shared[position] {
            Shared::Variable(_, variable) => Some(&self.variable(variable, number(position)).named),
            Shared::Section | Shared::Ghost(_) => None,
        }
    }

    /// A ghost field, if it is not 0.
    pub fn ghost(&self, number: u32) -> Option<&Ghost> {
        self.ghosts.parts.get((number as usize).checked_sub(1)?)
    }

    /// The atomic section.
    pub fn section(&self, number: u32) -> Option<AtomicSection> {
        self.sections.parts.get((number as usize).checked_sub(1)?).copied()
    }

    /// The state of a row.
    pub fn world(&self, row: &[u32]) -> World {
        let view = View::new(self, row);
        let mut parts = StateParts { atomic: view.atomic_section(), ..StateParts::default() };
        let mut outlooks = Vec::with_capacity(view.thread_count());
        for thread in view.threads() {
            let (local, own) = (view.local(thread), view.own(thread));
            parts.threads.push((Arc::clone(&local.thread), Arc::clone(&own.belongings)));
            parts.ghosts.extend(own.ghosts.iter().cloned());
            outlooks.push(Arc::clone(&local.outlook));
        }
        for (position, shared) in self.shared.iter().enumerate() {
            let number = view.shared(position);
            match shared {
                _ if number == 0 => {}
                Shared::Section => {}
                Shared::Variable(object, variable) => {
                    parts.statics.push((*object, Arc::clone(&self.variable(*variable, number).block)));
                }
                Shared::Ghost(key) => parts.ghosts.extend(self.ghost(number).map(|ghost| (*key, ghost.value.clone()))),
            }
        }
        World { state: self.first.with_parts(parts), outlooks }
    }

    /// The row of a state; what it shares with another, whose row is given, need not be looked at.
    pub fn row(&mut self, before: Option<(&World, &[u32])>, world: &World) -> Packed {
        let state = &world.state;
        let threads = state.thread_count();
        let mut row = vec![0; shared_at(threads, self.shared.len())];
        row[0] = threads as u32;
        let same_ghosts = before.is_some_and(|(before, _)| before.state.shares_ghosts(state));
        let ghosts = if same_ghosts { Vec::new() } else { self.ghosts_by_owner(state, &mut row) };
        for thread in state.thread_indices() {
            let old = before.filter(|(before, _)| thread.index() < before.state.thread_count());
            row[local_at(thread)] = self.local_number(old, world, thread);
            row[own_at(thread)] = self.own_number(old, state, thread, ghosts.get(thread.index()));
        }
        if let Some(section) = state.atomic_section() {
            row[shared_at(threads, 0)] = self.sections.number(section, |section| section) + 1;
        }
        for position in 1..self.shared.len() {
            let old = before.map(|(before, row)| (before, number_at(row, shared_at(before.outlooks.len(), position))));
            match self.shared[position] {
                Shared::Variable(object, variable) => {
                    let Some(block) = state.memory().shared_static(object) else { continue };
                    let is_same = |before: &World| {
                        before.state.memory().shared_static(object).is_some_and(|old| Arc::ptr_eq(old, block))
                    };
                    row[shared_at(threads, position)] = match old {
                        Some((before, number)) if is_same(before) => number,
                        _ => self.number_variable(variable, Arc::clone(block)),
                    };
                }
                Shared::Ghost(_) if same_ghosts => {
                    row[shared_at(threads, position)] = old.map_or(0, |(_, number)| number);
                }
                Shared::Ghost(_) | Shared::Section => {}
            }
        }
        trim(&mut row);
        row
    }

    fn local_number(&mut self, before: Option<(&World, &[u32])>, world: &World, thread: ThreadIndex) -> u32 {
        let (Some(stands), outlook) = (world.state.shared_thread(thread), &world.outlooks[thread.index()]) else {
            return 0;
        };
        if let Some((before, row)) = before
            && before.state.shared_thread(thread).is_some_and(|old| Arc::ptr_eq(old, stands))
            && Arc::ptr_eq(&before.outlooks[thread.index()], outlook)
        {
            return row[local_at(thread)];
        }
        let (facts, encoder, bytes) = (self.facts, &mut self.encoder, &mut self.bytes);
        let key = LocalKey { thread: without_dead_registers(facts, stands), outlook: Arc::clone(outlook) };
        self.locals.number(key, |LocalKey { thread, outlook }| {
            *bytes += thread.frames.iter().map(|frame| 300 + 40 * frame.registers.len() as u64).sum::<u64>() + 300;
            let mut reads = vec![0; facts.reads.words()];
            for frame in &thread.frames {
                bitset::add(&mut reads, facts.reads.at(frame.function, frame.location));
            }
            let code = encoder.closed(|encoder| encoder.frames(ThreadIndex(0), &thread.frames));
            let signature = code.map(|_| own_signature(facts, &thread.frames, ThreadIndex(0)));
            let values = thread.frames.iter().flat_map(|frame| &frame.registers).flatten();
            let named = owners(std::iter::empty(), values);
            Local { named, thread, outlook, reads: reads.into(), code, signature }
        })
    }

    fn own_number(
        &mut self,
        before: Option<(&World, &[u32])>,
        state: &State,
        thread: ThreadIndex,
        ghosts: Option<&Vec<(GhostKey, Value)>>,
    ) -> u32 {
        let Some(belongings) = state.memory().belongings(thread) else { return 0 };
        let old = before.map(|(_, row)| row[own_at(thread)]);
        if let (Some(old), Some((before, _))) = (old, before)
            && before.state.memory().belongings(thread).is_some_and(|old| Arc::ptr_eq(old, belongings))
            && ghosts.is_none_or(|ghosts| **ghosts == *self.own(old).ghosts)
        {
            return old;
        }
        let ghosts: Ghosts = match (ghosts, old) {
            (None, Some(old)) => Arc::clone(&self.own(old).ghosts),
            (ghosts, _) => ghosts.cloned().unwrap_or_default().into(),
        };
        let bytes = &mut self.bytes;
        self.owns.number((Arc::clone(belongings), ghosts), |(belongings, ghosts)| {
            *bytes += belongings.blocks().map(|block| 200 + block.contents.size()).sum::<u64>();
            *bytes += 300 + 100 * ghosts.len() as u64;
            let named = owners(belongings.blocks(), ghosts.iter().map(|(_, value)| value));
            let of_thread = |key: &GhostKey| matches!(key.object, Some(Instance::Thread(_)));
            let is_plain = !belongings.has_thread_locals() && !ghosts.iter().any(|(key, _)| of_thread(key));
            Own { belongings, ghosts, named, is_plain }
        })
    }

    fn number_variable(&mut self, variable: usize, block: Arc<Block>) -> u32 {
        let (encoder, bytes) = (&mut self.encoder, &mut self.bytes);
        self.variables[variable].number(block, |block| {
            *bytes += 300 + block.contents.size();
            let code = encoder.closed(|encoder| encoder.contents(&block.contents));
            Variable { named: owners(std::iter::once(&*block), std::iter::empty()), code, block }
        })
    }

    /// Numbers the ghost fields that belong to no thread, and collects the others by thread.
    fn ghosts_by_owner(&mut self, state: &State, row: &mut Packed) -> Vec<Vec<(GhostKey, Value)>> {
        let threads = state.thread_count();
        let mut owned = vec![Vec::new(); threads];
        for (key, value) in state.ghosts() {
            if let Some(thread) = key.object.and_then(owner) {
                if let Some(owned) = owned.get_mut(thread.index()) {
                    owned.push((key, value.clone()));
                }
                continue;
            }
            let place = shared_at(threads, self.ghost_position(key));
            if row.len() <= place {
                row.resize(place + 1, 0);
            }
            let (encoder, bytes) = (&mut self.encoder, &mut self.bytes);
            row[place] = 1 + self.ghosts.number(value.clone(), |value| {
                let code = encoder.closed(|encoder| encoder.value(&value));
                *bytes += 100;
                Ghost { named: owners(std::iter::empty(), std::iter::once(&value)), value, code }
            });
        }
        owned
    }

    /// The same, with every part forgotten.
    pub fn emptied(&self) -> Self {
        let mut empty = Parts::new(self.facts, self.first.clone());
        empty.shared.clone_from(&self.shared);
        empty.ghost_positions.clone_from(&self.ghost_positions);
        empty
    }
}

/// A thread without what its dead registers hold.
fn without_dead_registers(facts: &Footprints<'_>, thread: &Arc<Thread>) -> Arc<Thread> {
    let mut cleared = Arc::clone(thread);
    let mut pending: Option<RegisterId> = None;
    for (position, frame) in thread.frames.iter().enumerate().rev() {
        let live = facts.live[frame.function.index()].at(frame.location);
        let is_dead = |register: usize| {
            let register = RegisterId::new(register);
            Some(register) == pending || live.binary_search(&register).is_err()
        };
        for (register, value) in frame.registers.iter().enumerate() {
            if value.is_some() && is_dead(register) {
                let frames: &mut Vec<Frame> = &mut Arc::make_mut(&mut cleared).frames;
                frames[position].registers[register] = None;
            }
        }
        pending = frame.result;
    }
    cleared
}
