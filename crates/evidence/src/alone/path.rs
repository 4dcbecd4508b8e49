//! One path of a thread that is alone, as the symbolic semantics sees it: every value is a term, every object is known
//! by itself, and all memory is [contents](super::memory).

use super::memory::{Contents, First, Reader};
use selvedge_logic::{Assignment, Term};
use selvedge_program::semantics::LARGEST_OBJECT;
use selvedge_program::{
    Base, FrameObjectId, Function, FunctionId, GhostField, InitialContents, LocationId, Object, ObjectId, ObjectKind,
    Program, RegisterId, SiteId, Storage,
};
use selvedge_symbolic::{
    Allocation, Builder, CellKey, Entity, Extent, GHOST_WIDTH, Life, Lifetime, Many, Names, Prestate, Reading, Stretch,
    Tag, Value, Word, initial,
};
use std::collections::BTreeMap;
use std::rc::Rc;

/// A call under way.
#[derive(Clone, Debug)]
pub struct Activation {
    pub function: FunctionId,
    pub location: LocationId,
    pub registers: BTreeMap<RegisterId, Value>,
    locals: Vec<Tag>,
    /// What was allocated until it returns.
    allocated: Vec<Tag>,
    /// Where the caller wants the result.
    pub result: Option<RegisterId>,
}

/// Something with an address.
#[derive(Clone, Debug)]
struct Known {
    entity: Entity,
    id: Option<ObjectId>,
    contents: Contents,
}

/// The thread at the end of a path.
#[derive(Clone, Debug)]
pub struct Path<'p> {
    program: &'p Program,
    pub activations: Vec<Activation>,
    known: Rc<Vec<Known>>,
    /// Ghost fields, lives and sizes that are not what they were at first.
    pub cells: BTreeMap<CellKey, Word>,
    /// What the path takes for granted.
    pub conditions: Vec<Term>,
    /// Numbers for which that is so.
    pub sample: Rc<Assignment>,
    /// When what the last step does cannot be said.
    pub unknown: Term,
    alive: Word,
}

impl<'p> Path<'p> {
    /// The beginning of the program; `None` if it has too many objects.
    pub fn new(builder: &mut Builder, program: &'p Program) -> Option<Self> {
        let object = |(index, object): (usize, &Object)| {
            let lifetime = match object.kind {
                ObjectKind::Constant => Lifetime::Constant,
                ObjectKind::ThreadLocal => Lifetime::Automatic,
                ObjectKind::Global => Lifetime::Static,
            };
            let entity = Entity::Bytes { extent: Extent::exactly(object.size), align: object.align, lifetime };
            let id = ObjectId::new(index);
            Known { entity, id: Some(id), contents: Contents::new(First::Given(id)) }
        };
        let without_bytes = |entity| Known { entity, id: None, contents: Contents::new(First::Zero) };
        let mut known: Vec<Known> = program.objects.iter().enumerate().map(object).collect();
        known.extend((0..program.functions.len()).map(|at| without_bytes(Entity::Function(FunctionId::new(at)))));
        known.push(without_bytes(Entity::Thread));
        let mut path = Path {
            program,
            activations: Vec::new(),
            known: Rc::new(known),
            cells: BTreeMap::new(),
            conditions: Vec::new(),
            sample: Rc::default(),
            unknown: builder.no,
            alive: builder.number(1, 1),
        };
        path.enter(program.main()?, Vec::new(), None)?;
        Some(path)
    }

    /// Begins a call; `None` if there are too many objects.
    pub fn enter(&mut self, callee: FunctionId, arguments: Vec<Value>, result: Option<RegisterId>) -> Option<()> {
        let function = self.program.function(callee);
        let registers = function.parameters.iter().copied().zip(arguments).collect();
        let mut locals = Vec::new();
        for object in &function.frame {
            let extent = Extent::exactly(object.size);
            let entity = Entity::Bytes { extent, align: object.align, lifetime: Lifetime::Automatic };
            locals.push(self.add(entity, First::Indeterminate)?);
        }
        let (location, allocated) = (function.entry, Vec::new());
        self.activations.push(Activation { function: callee, location, registers, locals, allocated, result });
        Some(())
    }

    /// Ends a call: what belonged to it is gone. Where the caller wants the result.
    pub fn leave(&mut self, builder: &mut Builder) -> Option<RegisterId> {
        let activation = self.activations.pop()?;
        let dead = builder.number(1, 0);
        for tag in activation.locals.into_iter().chain(activation.allocated) {
            self.cells.insert(CellKey::Alive(tag), dead);
            self.known_mut(tag)?.contents = Contents::new(First::Zero);
        }
        activation.result
    }

    /// A local begins its life anew.
    pub fn forget(&mut self, slot: FrameObjectId) -> Option<()> {
        let tag = self.local_tag(slot)?;
        self.cells.retain(|key, _| key.object() != tag);
        self.known_mut(tag)?.contents = Contents::new(First::Indeterminate);
        Some(())
    }

    /// The running call.
    pub fn now(&self) -> Option<&Activation> {
        self.activations.last()
    }

    /// How many writes to an object are remembered, at most.
    pub fn longest(&self) -> usize {
        self.known.iter().map(|known| known.contents.len()).max().unwrap_or(0)
    }

    fn add(&mut self, entity: Entity, first: First) -> Option<Tag> {
        let tag = tag(self.known.len())?;
        Rc::make_mut(&mut self.known).push(Known { entity, id: None, contents: Contents::new(first) });
        Some(tag)
    }

    fn known(&self, tag: Tag) -> Option<&Known> {
        self.known.get(tag.0.checked_sub(Tag::FIRST.0)? as usize)
    }

    fn known_mut(&mut self, tag: Tag) -> Option<&mut Known> {
        Rc::make_mut(&mut self.known).get_mut(tag.0.checked_sub(Tag::FIRST.0)? as usize)
    }

    fn local_tag(&self, slot: FrameObjectId) -> Option<Tag> {
        self.now()?.locals.get(slot.index()).copied()
    }

    fn life_of(&self, tag: Tag) -> Life {
        match self.known(tag).map(|known| known.entity) {
            Some(Entity::Bytes { lifetime, .. }) if lifetime.ends() => {
                Life::Is(self.cells.get(&CellKey::Alive(tag)).copied().unwrap_or(self.alive))
            }
            _ => Life::Lasts,
        }
    }
}

/// The name of the object with a number; `None` if there are too many.
fn tag(number: usize) -> Option<Tag> {
    let tag = Tag::FIRST.0 as usize + number;
    (tag < 1 << Tag::WIDTH).then_some(Tag(tag as u32))
}

/// What addresses in initial values are called.
struct Statics<'a, 'p>(&'a Path<'p>);

impl Names for Statics<'_, '_> {
    fn register(&self, _register: RegisterId) -> Option<Word> {
        None
    }

    fn base(&mut self, builder: &mut Builder, base: Base, width: u32) -> Option<Word> {
        let program = self.0.program;
        let number = match base {
            Base::Object(id) => id.index(),
            Base::Function(function) => program.objects.len() + function.index(),
            Base::SelfThread => program.objects.len() + program.functions.len(),
            Base::Frame(_) => return None,
        };
        tag(number).map(|tag| builder.pointer(tag, width))
    }

    fn entity(&self, tag: Tag) -> Option<Entity> {
        self.0.known(tag).map(|known| known.entity)
    }

    fn life(&self, tag: Tag) -> Life {
        self.0.life_of(tag)
    }
}

impl<'p> Prestate<'p> for Path<'p> {
    fn program(&self) -> &'p Program {
        self.program
    }

    fn function(&self) -> &'p Function {
        // There is a running call wherever a step is taken.
        let running = self.now().map_or(FunctionId::new(0), |activation| activation.function);
        self.program.function(running)
    }

    fn register(&self, register: RegisterId) -> Option<Value> {
        self.now()?.registers.get(&register).cloned()
    }

    fn base(&mut self, builder: &mut Builder, base: Base, width: u32) -> Option<Word> {
        match base {
            Base::Frame(slot) => self.local_tag(slot).map(|tag| builder.pointer(tag, width)),
            base => Statics(self).base(builder, base, width),
        }
    }

    fn local(&mut self, slot: FrameObjectId) -> Option<Tag> {
        self.local_tag(slot)
    }

    fn entity(&self, tag: Tag) -> Option<Entity> {
        self.known(tag).map(|known| known.entity)
    }

    fn static_object(&self, tag: Tag) -> Option<&'p Object> {
        self.known(tag)?.id.map(|id| self.program.object(id))
    }

    fn life(&self, tag: Tag) -> Life {
        self.life_of(tag)
    }

    fn cells(&mut self, _object: Tag, _offset: u64, _size: u64) -> Vec<CellKey> {
        Vec::new()
    }

    fn cells_of(&self, _object: Tag) -> Vec<CellKey> {
        Vec::new()
    }

    fn cell(&mut self, builder: &mut Builder, key: CellKey) -> Option<Word> {
        if let Some(word) = self.cells.get(&key) {
            return Some(*word);
        }
        match key {
            CellKey::Ghost { object, offset, field } => Some(match self.known(object).and_then(|known| known.id) {
                Some(id) => initial::ghost(builder, self.program, id, offset, field),
                None => builder.number(GHOST_WIDTH, 0),
            }),
            CellKey::Alive(_) => Some(self.alive),
            CellKey::Size(_) => Some(builder.number(self.program.pointer_width(), 0)),
            CellKey::Bytes { .. }
            | CellKey::Array(_)
            | CellKey::Changer { .. }
            | CellKey::Tally { .. }
            | CellKey::Note(..)
            | CellKey::Unjoined => None,
        }
    }

    fn any(&mut self, builder: &mut Builder, _key: CellKey, width: u32, _reading: Reading) -> Word {
        self.unknown = builder.yes;
        builder.number(width, 0)
    }

    fn is_array(&self, _object: Tag) -> bool {
        true
    }

    fn many(&mut self, _object: Tag, _count: u64) -> Many {
        Many::Stretch
    }

    fn threads(&mut self, field: GhostField) -> Option<Vec<(Tag, CellKey)>> {
        let object = tag(self.program.objects.len() + self.program.functions.len())?;
        Some(vec![(object, CellKey::Ghost { object, offset: 0, field })])
    }

    fn any_thread(&mut self, builder: &mut Builder, width: u32) -> Word {
        self.unknown = builder.yes;
        builder.number(width, 0)
    }

    fn addresses(&mut self) -> Option<Vec<Tag>> {
        None
    }

    fn load_array(
        &mut self,
        builder: &mut Builder,
        object: Tag,
        at: Stretch,
        when: Term,
        reading: Reading,
    ) -> Option<Vec<(u32, Word)>> {
        let contents = self.known(object)?.contents.clone();
        let mut unknown = self.unknown;
        let (program, names) = (self.program, &mut Statics(self));
        let pieces = contents.read(&mut Reader { builder, program, names, unknown: &mut unknown }, at, when);
        self.unknown = unknown;
        if reading == Reading::Look {
            // What is looked at stays what it turns out to be.
            for (at, word) in &pieces {
                let open = builder.has_tag(*word, Tag::INDETERMINATE);
                let settles = builder.and(when, open);
                if !builder.is(settles, false) {
                    let settled = builder.plain(word.bits);
                    self.known_mut(object)?.contents.write(builder, *at, settles, settled);
                }
            }
        }
        Some(pieces.into_iter().map(|(at, word)| (at.size, word)).collect())
    }

    fn store_array(&mut self, builder: &mut Builder, object: Tag, at: Stretch, when: Term, value: &Value) -> bool {
        let pieces = match value {
            Value::Word(word) => vec![(at.size, *word)],
            Value::Pieces(pieces) => pieces.to_vec(),
        };
        let Some(known) = self.known_mut(object) else { return false };
        let mut from = 0;
        for (size, word) in pieces {
            let bytes = builder.terms.bits(builder.width(at.offset), u128::from(from));
            let offset = if from == 0 { at.offset } else { builder.terms.add(at.offset, bytes) };
            let piece = Stretch { offset, size, residue: at.residue.plus(u64::from(from)) };
            known.contents.write(builder, piece, when, word);
            from += size;
        }
        true
    }

    fn allocate(&mut self, builder: &Builder, _site: SiteId, allocation: Allocation) -> Option<Tag> {
        let lifetime = match allocation.storage {
            Storage::Heap => Lifetime::Heap,
            Storage::Stack => Lifetime::Automatic,
        };
        let most = builder.terms.facts(allocation.size).high.min(u128::from(LARGEST_OBJECT)) as u64;
        let extent = Extent { most, is_exact: builder.constant(allocation.size).is_some() };
        let first = match allocation.contents {
            InitialContents::Zero => First::Zero,
            InitialContents::Indeterminate => First::Indeterminate,
        };
        let tag = self.add(Entity::Bytes { extent, align: allocation.align, lifetime }, first)?;
        if allocation.storage == Storage::Stack {
            self.activations.last_mut()?.allocated.push(tag);
        }
        Some(tag)
    }
}
