//! A family as the symbolic semantics sees it before a step: registers and cells are constants but for the numbers that
//! are terms, and every object is known by itself.

use super::numbers::{Held, Numbers};
use rustc_hash::FxHashMap;
use selvedge_logic::Sort;
use selvedge_program::semantics::{Byte, Frame, GhostKey, Instance, State, Value};
use selvedge_program::{
    Base, Bits, FrameObjectId, Function, GhostField, Object, ObjectKind, Program, RegisterId, SiteId, ThreadIndex,
};
use selvedge_symbolic::{
    Allocation, Builder, CellKey, Entity, Extent, GHOST_WIDTH, Life, Lifetime, Many, Prestate, Reading, Tag,
    Value as Symbolic, Word,
};
use std::collections::{BTreeMap, BTreeSet};

/// How many places of an object an address may mean.
const PLACES: u64 = 8192;

/// No cell is longer: the widest register.
const LONGEST: usize = 16;

/// The names of objects in terms.
#[derive(Debug, Default)]
pub struct Objects {
    instances: Vec<Instance>,
    tags: FxHashMap<Instance, Tag>,
}

impl Objects {
    /// `None` if there are too many.
    fn tag(&mut self, instance: Instance) -> Option<Tag> {
        if let Some(tag) = self.tags.get(&instance) {
            return Some(*tag);
        }
        let number = Tag::FIRST.0 + self.instances.len() as u32;
        let tag = (number < 1 << Tag::WIDTH).then_some(Tag(number))?;
        self.instances.push(instance);
        self.tags.insert(instance, tag);
        Some(tag)
    }

    /// The object with a name.
    pub fn instance(&self, tag: Tag) -> Option<Instance> {
        self.instances.get(tag.0.checked_sub(Tag::FIRST.0)? as usize).copied()
    }
}

/// Where the bytes of objects are split in a step. What has been given out as a cell is not split any more; if it would
/// have to be, the step is taken anew.
#[derive(Debug, Default)]
pub struct Splits {
    cuts: BTreeSet<(Instance, u64)>,
    given: BTreeMap<(Instance, u64), u64>,
    /// Whether a cell would have to be split that had been given out.
    pub is_stale: bool,
}

impl Splits {
    /// The same splits, nothing given out.
    pub fn anew(self) -> Splits {
        Splits { cuts: self.cuts, ..Splits::default() }
    }

    fn cut(&mut self, object: Instance, at: u64) {
        if self.cuts.insert((object, at)) {
            let before = self.given.range((object, 0)..(object, at)).next_back();
            self.is_stale |= before.is_some_and(|(_, end)| *end > at);
        }
    }
}

/// The family before a step of a thread.
#[derive(Debug)]
pub struct Before<'a, 'p> {
    pub program: &'p Program,
    pub state: &'a State,
    pub numbers: &'a Numbers,
    pub thread: ThreadIndex,
    pub frame: &'a Frame,
    pub objects: &'a mut Objects,
    /// Those that the step uses.
    registers: BTreeMap<RegisterId, Symbolic>,
    pub splits: Splits,
    /// Values out of nothing that may be addresses are looked at as far as they are numbers.
    pub are_numbers: bool,
    /// Something in the state has no counterpart in terms.
    pub is_odd: bool,
    alive: Word,
    dead: Word,
}

impl<'a, 'p> Before<'a, 'p> {
    /// Before a step that uses these registers.
    pub fn new(
        builder: &mut Builder,
        program: &'p Program,
        (state, numbers): (&'a State, &'a Numbers),
        (thread, frame): (ThreadIndex, &'a Frame),
        objects: &'a mut Objects,
        used: &BTreeSet<RegisterId>,
    ) -> Self {
        let (alive, dead) = (builder.number(1, 1), builder.number(1, 0));
        let mut before = Before {
            program,
            state,
            numbers,
            thread,
            frame,
            objects,
            registers: BTreeMap::new(),
            splits: Splits::default(),
            are_numbers: false,
            is_odd: false,
            alive,
            dead,
        };
        for register in used {
            if let Some(value) = before.held(builder, *register) {
                before.registers.insert(*register, value);
            }
        }
        before
    }

    /// What a register holds; `None` if that cannot be said in terms.
    fn held(&mut self, builder: &mut Builder, register: RegisterId) -> Option<Symbolic> {
        let width = self.program.function(self.frame.function).register(register).width;
        let activation = self.state.thread(self.thread)?.frames.len() - 1;
        let held = self.numbers.registers.get(&(self.thread, activation, register));
        let value = self.frame.registers.get(register.index())?.as_ref()?;
        match (held, value) {
            (Some(Held::Whole(term)), _) => Some(Symbolic::Word(builder.plain(*term))),
            (None, Value::Bits(bits)) => Some(Symbolic::Word(builder.number(width, bits.unsigned()))),
            (None, Value::Pointer(pointer)) => {
                let (tag, offset) = (self.objects.tag(pointer.object)?, u128::from(pointer.offset));
                Some(Symbolic::Word(Word { tag: builder.tag(tag), bits: builder.terms.bits(width, offset) }))
            }
            (Some(Held::Parts(parts)), value) => {
                let bytes = bytes_of(value)?;
                let mut pieces = Vec::new();
                let mut at = 0;
                for (start, size, term) in parts.iter() {
                    pieces.extend(self.pieces(builder, bytes.get(at..*start as usize)?)?);
                    pieces.push((*size, builder.plain(*term)));
                    at = (start + size) as usize;
                }
                pieces.extend(self.pieces(builder, bytes.get(at..)?)?);
                Some(Symbolic::Pieces(pieces.into()))
            }
            (None, Value::Raw(bytes)) => {
                let pieces = self.pieces(builder, bytes)?;
                Some(match pieces.as_slice() {
                    [(_, word)] => Symbolic::Word(*word),
                    _ => Symbolic::Pieces(pieces.into()),
                })
            }
        }
    }

    /// Bytes as words; `None` if parts of pointers are among them.
    fn pieces(&mut self, builder: &mut Builder, bytes: &[Byte]) -> Option<Vec<(u32, Word)>> {
        let pointer_size = self.program.data_model.pointer_size();
        let mut pieces = Vec::new();
        let mut at = 0;
        while let Some(first) = bytes.get(at) {
            let size = stretch(&bytes[at..], pointer_size)?;
            let width = size as u32 * 8;
            let word = match first {
                Byte::Indeterminate => builder.fresh_indeterminate(width),
                Byte::Known(_) => builder.number(width, number(&bytes[at..at + size])),
                Byte::Part(pointer, _) => {
                    let (tag, offset) = (self.objects.tag(pointer.object)?, u128::from(pointer.offset));
                    Word { tag: builder.tag(tag), bits: builder.terms.bits(width, offset) }
                }
            };
            pieces.push((size as u32, word));
            at += size;
        }
        Some(pieces)
    }

    /// What a cell of bytes holds; `None` if that cannot be said in terms.
    fn bytes(&mut self, builder: &mut Builder, object: Instance, start: u64, size: u32) -> Option<Word> {
        if let Some(term) = self.numbers.number_of(&mut builder.terms, object, start, size) {
            return Some(builder.plain(term));
        }
        let contents = &self.state.memory().block(object)?.contents;
        let end = start + u64::from(size);
        let bytes: Vec<Byte> = (end <= contents.size()).then(|| (start..end).map(|at| contents.byte(at)).collect())?;
        match self.pieces(builder, &bytes)?[..] {
            [(_, word)] => Some(word),
            _ => None,
        }
    }

    fn is_alive(&self, object: Instance) -> bool {
        self.state.memory().block(object).is_some()
    }
}

/// How many bytes at the beginning are one word: a number, a pointer, or indeterminate.
fn stretch(bytes: &[Byte], pointer_size: u32) -> Option<usize> {
    let run = |is: &dyn Fn(&Byte) -> bool| bytes.iter().take(LONGEST).take_while(|byte| is(byte)).count();
    match bytes.first()? {
        Byte::Indeterminate => Some(run(&|byte| *byte == Byte::Indeterminate)),
        Byte::Known(_) => Some(run(&|byte| matches!(byte, Byte::Known(_)))),
        Byte::Part(pointer, _) => {
            let is_part = |part: u32| bytes.get(part as usize) == Some(&Byte::Part(*pointer, part as u8));
            (0..pointer_size).all(is_part).then_some(pointer_size as usize)
        }
    }
}

fn number(bytes: &[Byte]) -> u128 {
    let byte = |byte: &Byte| if let Byte::Known(byte) = byte { *byte } else { 0 };
    Bits::from_bytes(&bytes.iter().map(byte).collect::<Vec<u8>>()).unsigned()
}

/// The bytes of a value that is no pointer.
fn bytes_of(value: &Value) -> Option<Vec<Byte>> {
    match value {
        Value::Bits(bits) => Some(bits.to_bytes().map(Byte::Known).collect()),
        Value::Raw(bytes) => Some(bytes.to_vec()),
        Value::Pointer(_) => None,
    }
}

impl<'p> Prestate<'p> for Before<'_, 'p> {
    fn program(&self) -> &'p Program {
        self.program
    }

    fn function(&self) -> &'p Function {
        self.program.function(self.frame.function)
    }

    fn register(&self, register: RegisterId) -> Option<Symbolic> {
        self.registers.get(&register).cloned()
    }

    fn base(&mut self, builder: &mut Builder, base: Base, width: u32) -> Option<Word> {
        let instance = match base {
            Base::Object(id) if self.program.object(id).kind == ObjectKind::ThreadLocal => {
                Instance::ThreadLocal(id, self.thread)
            }
            Base::Object(id) => Instance::Static(id),
            Base::Frame(slot) => self.frame.local(self.thread, slot),
            Base::Function(function) => Instance::Function(function),
            Base::SelfThread => Instance::Thread(self.thread),
        };
        self.objects.tag(instance).map(|tag| builder.pointer(tag, width))
    }

    fn local(&mut self, slot: FrameObjectId) -> Option<Tag> {
        self.objects.tag(self.frame.local(self.thread, slot))
    }

    fn entity(&self, tag: Tag) -> Option<Entity> {
        let instance = self.objects.instance(tag)?;
        let lifetime = match instance {
            Instance::Thread(thread) => return (thread.index() < self.state.thread_count()).then_some(Entity::Thread),
            Instance::Function(function) => return Some(Entity::Function(function)),
            Instance::Static(id) if self.program.object(id).kind == ObjectKind::Constant => Lifetime::Constant,
            Instance::Static(_) => Lifetime::Static,
            Instance::ThreadLocal(..) | Instance::Frame { .. } => Lifetime::Automatic,
            Instance::Heap { .. } => Lifetime::Heap,
        };
        // Of one that is dead nothing is asked but that.
        let (size, align) =
            self.state.memory().block(instance).map_or((0, 1), |block| (block.contents.size(), block.align));
        Some(Entity::Bytes { extent: Extent::exactly(size), align, lifetime })
    }

    fn static_object(&self, tag: Tag) -> Option<&'p Object> {
        match self.objects.instance(tag)? {
            Instance::Static(id) => Some(self.program.object(id)),
            _ => None,
        }
    }

    fn life(&self, tag: Tag) -> Life {
        match (self.entity(tag), self.objects.instance(tag)) {
            (Some(Entity::Bytes { lifetime, .. }), Some(object)) if lifetime.ends() => {
                Life::Is(if self.is_alive(object) { self.alive } else { self.dead })
            }
            _ => Life::Lasts,
        }
    }

    fn cells(&mut self, object: Tag, offset: u64, size: u64) -> Vec<CellKey> {
        let Some(instance) = self.objects.instance(object) else { return Vec::new() };
        let end = offset + size;
        let Some(block) = self.state.memory().block(instance).filter(|block| end <= block.contents.size()) else {
            self.is_odd = true;
            return Vec::new();
        };
        for (at, length, _) in self.numbers.overlapping(instance, offset, end) {
            for place in [at, at + u64::from(length)] {
                if offset < place && place < end {
                    self.splits.cut(instance, place);
                }
            }
        }
        self.splits.cut(instance, offset);
        self.splits.cut(instance, end);
        let pointer_size = self.program.data_model.pointer_size();
        let mut cells = Vec::new();
        let mut at = offset;
        while at < end {
            let next = self.splits.cuts.range((instance, at + 1)..=(instance, end)).next().map_or(end, |(_, at)| *at);
            let bytes: Vec<Byte> = (at..next).map(|at| block.contents.byte(at)).collect();
            let next = match stretch(&bytes, pointer_size) {
                Some(length) if !bytes.is_empty() => at + length as u64,
                // A part of a pointer.
                _ => {
                    self.is_odd = true;
                    next
                }
            };
            if next < end {
                self.splits.cut(instance, next);
            }
            self.splits.given.insert((instance, at), next);
            cells.push(CellKey::Bytes { object, start: at, size: (next - at) as u32 });
            at = next;
        }
        cells
    }

    fn cells_of(&self, _object: Tag) -> Vec<CellKey> {
        Vec::new()
    }

    fn cell(&mut self, builder: &mut Builder, key: CellKey) -> Option<Word> {
        let found = match key {
            CellKey::Bytes { object, start, size } => {
                let object = self.objects.instance(object);
                object.and_then(|object| self.bytes(builder, object, start, size))
            }
            CellKey::Ghost { object, offset, field } => {
                let key = GhostKey { object: self.objects.instance(object), offset, field };
                match (self.numbers.ghosts.get(&key), self.state.ghost(key)) {
                    (Some(term), _) => Some(builder.plain(*term)),
                    (None, None) => Some(builder.number(GHOST_WIDTH, 0)),
                    (None, Some(Value::Bits(bits))) => Some(builder.number(GHOST_WIDTH, bits.unsigned())),
                    (None, Some(Value::Pointer(pointer))) => {
                        let (tag, offset) = (self.objects.tag(pointer.object), u128::from(pointer.offset));
                        let bits = builder.terms.bits(GHOST_WIDTH, offset);
                        tag.map(|tag| Word { tag: builder.tag(tag), bits })
                    }
                    (None, Some(Value::Raw(bytes))) if bytes.iter().all(|byte| *byte == Byte::Indeterminate) => {
                        Some(builder.fresh_indeterminate(GHOST_WIDTH))
                    }
                    (None, Some(Value::Raw(_))) => None,
                }
            }
            CellKey::Alive(tag) => {
                let is_alive = self.objects.instance(tag).is_some_and(|object| self.is_alive(object));
                Some(if is_alive { self.alive } else { self.dead })
            }
            CellKey::Size(_)
            | CellKey::Array(_)
            | CellKey::Changer { .. }
            | CellKey::Tally { .. }
            | CellKey::Note(..)
            | CellKey::Unjoined => None,
        };
        self.is_odd |= found.is_none();
        found
    }

    fn any(&mut self, builder: &mut Builder, _key: CellKey, width: u32, _reading: Reading) -> Word {
        self.is_odd = true;
        let bits = builder.fresh("o", Sort::Bits(width));
        builder.plain(bits)
    }

    fn is_array(&self, _object: Tag) -> bool {
        false
    }

    fn many(&mut self, _object: Tag, count: u64) -> Many {
        if count < PLACES { Many::List } else { Many::Refuse(PLACES) }
    }

    fn threads(&mut self, field: GhostField) -> Option<Vec<(Tag, CellKey)>> {
        let threads: Vec<ThreadIndex> = self.state.thread_indices().collect();
        let cell = |thread: ThreadIndex| {
            let object = self.objects.tag(Instance::Thread(thread))?;
            Some((object, CellKey::Ghost { object, offset: 0, field }))
        };
        threads.into_iter().map(cell).collect()
    }

    fn any_thread(&mut self, builder: &mut Builder, width: u32) -> Word {
        self.is_odd = true;
        builder.number(width, 0)
    }

    fn addresses(&mut self) -> Option<Vec<Tag>> {
        self.are_numbers.then(Vec::new)
    }

    fn uninitialised(&mut self) -> Option<Vec<Tag>> {
        self.are_numbers.then(Vec::new)
    }

    fn allocate(&mut self, _builder: &Builder, _site: SiteId, _allocation: Allocation) -> Option<Tag> {
        None
    }
}
