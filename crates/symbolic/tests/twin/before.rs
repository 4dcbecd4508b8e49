//! A concrete state as a prestate: everything in it is a symbol, and an assignment says what the symbols are.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

use selvedge_logic::Sort;
use selvedge_program::semantics::{Byte, Frame, GhostKey, Instance, State, Value};
use selvedge_program::{
    Base, FrameObjectId, Function, GhostField, Object, ObjectKind, Program, RegisterId, SiteId, ThreadIndex,
};
use selvedge_symbolic::{
    Allocation, Builder, CellKey, Effect, Entity, Extent, GHOST_WIDTH, Life, Many, Prestate, Reading, Tag,
    Value as Symbolic, Word,
};

use crate::bytes::kinds;
use crate::inputs::{Inputs, Kind};
use crate::objects::Objects;
use crate::splits::Splits;

/// How much of a state is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Telling {
    /// All of it.
    Whole,
    /// Some cells are not tracked, some objects are arrays.
    Partly,
}

/// A state before an action.
#[derive(Debug)]
pub struct Before<'p> {
    program: &'p Program,
    thread: ThreadIndex,
    function: &'p Function,
    frame: Frame,
    /// The state that the symbols stand for.
    initial: State,
    pub objects: Objects,
    pub inputs: Inputs,
    telling: Telling,
    entities: BTreeMap<Tag, Entity>,
    registers: Vec<Option<Symbolic>>,
    cells: BTreeMap<CellKey, Word>,
    pub splits: RefCell<Splits>,
    /// Something in the state has no counterpart in terms.
    odd: Cell<Option<&'static str>>,
    arrays: BTreeSet<Tag>,
    /// What the step is about to allocate, and to read.
    pub upcoming: Upcoming,
}

/// What is known of the concrete step before it is taken.
#[derive(Clone, Debug, Default)]
pub struct Upcoming {
    pub allocated: Option<(Instance, u64)>,
    pub read: Option<(Instance, u64, u64)>,
}

impl<'p> Before<'p> {
    pub fn new(
        builder: &mut Builder,
        program: &'p Program,
        (state, objects): (&State, &Objects),
        thread: ThreadIndex,
        (inputs, telling, splits): (Inputs, Telling, Splits),
    ) -> Option<Before<'p>> {
        let frame = state.frame(thread)?.clone();
        let mut before = Before {
            program,
            thread,
            function: program.function(frame.function),
            frame,
            initial: state.clone(),
            objects: objects.clone(),
            inputs,
            telling,
            entities: BTreeMap::new(),
            registers: Vec::new(),
            cells: BTreeMap::new(),
            splits: RefCell::new(splits),
            odd: Cell::new(None),
            arrays: BTreeSet::new(),
            upcoming: Upcoming::default(),
        };
        for tag in before.objects.tags() {
            before.learn(builder, tag);
        }
        before.registers = before.all_registers(builder);
        Some(before)
    }

    /// Decides what is told of an object.
    fn learn(&mut self, builder: &mut Builder, tag: Tag) {
        let Some(entity) = self.objects.entity(self.program, self.initial.thread_count(), tag) else { return };
        let random = &mut self.inputs.random;
        let entity = match entity {
            Entity::Bytes { extent, align, lifetime } if lifetime.ends() && random.chance(25) => {
                let extent = Extent { most: extent.most + random.below(9), is_exact: false };
                Entity::Bytes { extent, align, lifetime }
            }
            entity => entity,
        };
        if self.telling == Telling::Partly && random.chance(20) {
            self.arrays.insert(tag);
        }
        self.entities.insert(tag, entity);
        self.cell(builder, CellKey::Alive(tag));
    }

    fn all_registers(&mut self, builder: &mut Builder) -> Vec<Option<Symbolic>> {
        let values = self.frame.registers.clone();
        let function = self.function;
        let value = |(value, register): (Option<Value>, &selvedge_program::Register)| {
            value.and_then(|value| self.symbolic(builder, &value, register.width))
        };
        values.into_iter().zip(&function.registers).map(value).collect()
    }

    /// A value as a symbolic one; `None` for bytes that terms cannot say.
    fn symbolic(&mut self, builder: &mut Builder, value: &Value, width: u32) -> Option<Symbolic> {
        let tags = self.objects.tags();
        let kind = match value {
            Value::Bits(bits) => Kind::Number(bits.unsigned()),
            Value::Pointer(pointer) => Kind::Pointer(self.objects.tag(pointer.object)?, pointer.offset),
            Value::Raw(bytes) => {
                let pieces = kinds(bytes, self.program.data_model.pointer_size(), &self.objects)?;
                let word = |(size, kind): (u32, Kind)| (size, self.inputs.word(builder, size * 8, kind, &tags));
                let words: Vec<(u32, Word)> = pieces.into_iter().map(word).collect();
                return Some(match words.as_slice() {
                    [(_, word)] => Symbolic::Word(*word),
                    _ => Symbolic::Pieces(words.into()),
                });
            }
        };
        Some(Symbolic::Word(self.inputs.word(builder, width, kind, &tags)))
    }

    /// What is in the way of a comparison, if anything.
    pub fn oddity(&self) -> Option<&'static str> {
        self.odd.get()
    }

    /// Whether nothing is known of a cell but what may be in it.
    pub fn is_untracked(&self, key: CellKey) -> bool {
        if self.telling == Telling::Whole {
            return false;
        }
        let is_array = self.arrays.contains(&key.object());
        match key {
            CellKey::Bytes { object, .. } => is_array || object.0.is_multiple_of(7),
            CellKey::Ghost { field, .. } => (field as u32 + key.object().0).is_multiple_of(7),
            CellKey::Alive(_) => is_array && self.alive(key.object()),
            CellKey::Size(_) => false,
            CellKey::Array(_)
            | CellKey::Changer { .. }
            | CellKey::Tally { .. }
            | CellKey::Note(..)
            | CellKey::Unjoined => true,
        }
    }

    fn alive(&self, tag: Tag) -> bool {
        self.objects.instance(tag).is_some_and(|object| self.initial.memory().block(object).is_some())
    }

    /// What a cell holds in the state that the symbols stand for.
    fn told(&mut self, builder: &mut Builder, key: CellKey) -> Word {
        let tags = self.objects.tags();
        match key {
            CellKey::Bytes { object, start, size } => {
                let instance = self.objects.instance(object);
                let word = instance.and_then(|instance| self.bytes(builder, instance, start, size));
                word.unwrap_or_else(|| self.inputs.word(builder, size * 8, Kind::Number(7), &[]))
            }
            CellKey::Ghost { object, offset, field } => {
                let key = GhostKey { object: self.objects.instance(object), offset, field };
                let kind = match self.initial.ghost(key) {
                    None => Kind::Number(0),
                    Some(Value::Bits(bits)) => Kind::Number(bits.unsigned()),
                    Some(Value::Pointer(pointer)) => match self.objects.tag(pointer.object) {
                        Some(tag) => Kind::Pointer(tag, pointer.offset),
                        None => Kind::Number(0),
                    },
                    Some(Value::Raw(bytes)) => {
                        if bytes.iter().any(|byte| *byte != Byte::Indeterminate) {
                            self.odd.set(Some("a ghost field of parts of pointers"));
                        }
                        Kind::Indeterminate
                    }
                };
                self.inputs.word(builder, GHOST_WIDTH, kind, &tags)
            }
            CellKey::Alive(tag) => {
                let alive = self.alive(tag);
                let bits = self.inputs.bits(builder, 1, u128::from(alive));
                builder.plain(bits)
            }
            CellKey::Size(tag) => {
                let size = self.objects.instance(tag).map_or(0, |instance| self.objects.size(instance));
                let width = self.program.pointer_width();
                let bits = self.inputs.bits(builder, width, u128::from(size));
                builder.plain(bits)
            }
            CellKey::Array(_)
            | CellKey::Changer { .. }
            | CellKey::Tally { .. }
            | CellKey::Note(..)
            | CellKey::Unjoined => {
                unreachable!("arrays are read in stretches")
            }
        }
    }

    /// Bytes of a live object; what is not of one kind is split further.
    fn bytes(&mut self, builder: &mut Builder, instance: Instance, start: u64, size: u32) -> Option<Word> {
        let block = self.initial.memory().block(instance)?;
        let end = start + u64::from(size);
        if end > block.contents.size() {
            return None;
        }
        let bytes: Vec<Byte> = (start..end).map(|at| block.contents.byte(at)).collect();
        let Some(kinds) = kinds(&bytes, self.program.data_model.pointer_size(), &self.objects) else {
            self.odd.set(Some("a part of a pointer in memory"));
            return None;
        };
        let [(_, kind)] = kinds.as_slice() else {
            if let Some(tag) = self.objects.tag(instance) {
                let mut at = start;
                for (size, _) in kinds {
                    at += u64::from(size);
                    self.splits.borrow_mut().cut(tag, at);
                }
            }
            return None;
        };
        let tags = self.objects.tags();
        Some(self.inputs.word(builder, size * 8, *kind, &tags))
    }

    /// The state after an action that has been taken.
    pub fn commit(&mut self, effect: &Effect) {
        for (register, value) in &effect.registers {
            self.registers[register.index()] = Some(value.clone());
        }
        self.cells.extend(effect.cells.iter().map(|(key, word)| (*key, *word)));
    }

    /// An object that there was not before.
    pub fn add_object(&mut self, instance: Instance, entity: Entity) -> Tag {
        let tag = self.objects.add(instance, entity.extent().most, entity.alignment() as u32);
        self.entities.insert(tag, entity);
        tag
    }
}

impl<'p> Prestate<'p> for Before<'p> {
    fn program(&self) -> &'p Program {
        self.program
    }

    fn function(&self) -> &'p Function {
        self.function
    }

    fn register(&self, register: RegisterId) -> Option<Symbolic> {
        self.registers.get(register.index()).cloned().flatten()
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
        self.entities.get(&tag).copied()
    }

    fn static_object(&self, tag: Tag) -> Option<&'p Object> {
        match self.objects.instance(tag)? {
            Instance::Static(id) => Some(self.program.object(id)),
            _ => None,
        }
    }

    fn life(&self, tag: Tag) -> Life {
        match self.entities.get(&tag) {
            Some(Entity::Bytes { lifetime, .. }) if lifetime.ends() => {
                self.cells.get(&CellKey::Alive(tag)).map_or(Life::Unknown, |word| Life::Is(*word))
            }
            _ => Life::Lasts,
        }
    }

    fn cells(&mut self, object: Tag, offset: u64, size: u64) -> Vec<CellKey> {
        self.splits.borrow_mut().cells(object, offset, offset + size)
    }

    fn cells_of(&self, object: Tag) -> Vec<CellKey> {
        let size = self.entities.get(&object).map_or(0, |entity| entity.extent().most);
        if size > 4096 {
            self.odd.set(Some("a large object as a whole"));
            return Vec::new();
        }
        let mut cells = self.splits.borrow_mut().cells(object, 0, size);
        let ghosts = self.objects.instance(object).into_iter().flat_map(|instance| self.initial.ghosts_of(instance));
        cells.extend(ghosts.map(|(key, _)| CellKey::Ghost { object, offset: key.offset, field: key.field }));
        let known = self.cells.keys().filter(|key| matches!(key, CellKey::Ghost { .. }) && key.object() == object);
        cells.extend(known);
        cells
    }

    fn cell(&mut self, builder: &mut Builder, key: CellKey) -> Option<Word> {
        if self.is_untracked(key) {
            return None;
        }
        if let Some(word) = self.cells.get(&key) {
            return Some(*word);
        }
        let word = self.told(builder, key);
        self.cells.insert(key, word);
        Some(word)
    }

    fn any(&mut self, builder: &mut Builder, key: CellKey, width: u32, _reading: Reading) -> Word {
        let CellKey::Array(object) = key else { return self.told(builder, key) };
        if let Some((instance, offset, size)) = self.upcoming.read
            && self.objects.tag(instance) == Some(object)
            && size * 8 == u64::from(width)
        {
            let block = self.initial.memory().block(instance);
            let bytes: Vec<Byte> = block
                .map(|block| (offset..offset + size).map(|at| block.contents.byte(at)).collect())
                .unwrap_or_default();
            let kinds = kinds(&bytes, self.program.data_model.pointer_size(), &self.objects);
            if let Some([(_, kind)]) = kinds.as_deref() {
                let tags = self.objects.tags();
                return self.inputs.word(builder, width, *kind, &tags);
            }
            self.odd.set(Some("mixed bytes in an array"));
        }
        let bits = self.inputs.symbol(builder, Sort::Bits(width), 0);
        builder.plain(bits)
    }

    fn is_array(&self, object: Tag) -> bool {
        self.arrays.contains(&object)
    }

    fn many(&mut self, _object: Tag, count: u64) -> Many {
        if count <= 64 { Many::List } else { Many::Refuse(64) }
    }

    fn threads(&mut self, field: GhostField) -> Option<Vec<(Tag, CellKey)>> {
        let threads = self.initial.thread_indices().filter_map(|thread| self.objects.tag(Instance::Thread(thread)));
        Some(threads.map(|object| (object, CellKey::Ghost { object, offset: 0, field })).collect())
    }

    /// Never asked for: all threads are known.
    fn any_thread(&mut self, builder: &mut Builder, width: u32) -> Word {
        builder.number(width, 0)
    }

    fn addresses(&mut self) -> Option<Vec<Tag>> {
        let tags = self.objects.tags();
        self.inputs.random.chance(70).then(|| tags.into_iter().take(12).collect())
    }

    fn allocate(&mut self, _builder: &Builder, _site: SiteId, allocation: Allocation) -> Option<Tag> {
        let (instance, size) = self.upcoming.allocated?;
        let extent = Extent { most: size + self.inputs.random.below(3), is_exact: false };
        let lifetime = match instance {
            Instance::Heap { .. } => selvedge_symbolic::Lifetime::Heap,
            _ => selvedge_symbolic::Lifetime::Automatic,
        };
        Some(self.add_object(instance, Entity::Bytes { extent, align: allocation.align, lifetime }))
    }
}
