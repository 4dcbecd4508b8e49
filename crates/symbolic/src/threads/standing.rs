//! A thread about to take a step: what its registers and the cells that it sees are called.

use rustc_hash::FxHashMap;
use selvedge_logic::{Sort, Term};
use selvedge_program::{
    Base, FrameObjectId, Function, FunctionId, GhostField, Object, ObjectId, ObjectKind, Program, RegisterId, SiteId,
};

use super::universe::{Thing, Universe};
use super::view::{Local, Who};
use crate::builder::Builder;
use crate::cell::{CellKey, GHOST_WIDTH};
use crate::effect::Prestate;
use crate::entity::{Entity, Life};
use crate::eval::Names;
use crate::initial;
use crate::machine::{Allocation, Many};
use crate::word::{Tag, Value, Word};

/// How many places of a static object an access may mean before its contents are no longer tracked.
const MOST_PLACES: u64 = 16;

/// A thread about to take a step.
pub(super) struct Standing<'a, 'p> {
    pub universe: &'a mut Universe<'p>,
    pub shared: &'a mut FxHashMap<CellKey, Word>,
    pub who: Who,
    pub function: FunctionId,
    /// The registers that the step looks at.
    pub registers: FxHashMap<RegisterId, Word>,
}

/// A word that stands for itself.
fn symbol(builder: &mut Builder, name: &str, width: u32, tags: &[Tag]) -> Word {
    let bits = builder.terms.symbol(&format!("{name}.bits"), Sort::Bits(width));
    let mut tags = tags.iter();
    let mut tag = builder.tag(tags.next().copied().unwrap_or(Tag::NUMBER));
    for other in tags {
        let which = builder.terms.symbol(&format!("{name}.is{}", other.0), Sort::Bool);
        let other = builder.tag(*other);
        tag = builder.terms.ite(which, other, tag);
    }
    Word { tag, bits }
}

/// The identity of a thread, as the bits of a pointer to it.
pub(super) fn identity(builder: &mut Builder, who: Who, width: u32) -> Term {
    let name = match who {
        Who::Own => "self",
        Who::Other => "other",
        Who::Started => "started",
    };
    builder.terms.symbol(&format!("{name}.id"), Sort::Bits(width))
}

/// Registers wider than this are only moved, and nothing is known of them.
pub(super) const WIDEST: u32 = 64;

pub(super) fn local(
    builder: &mut Builder,
    universe: &Universe<'_>,
    locals: &mut FxHashMap<(Who, Local), Word>,
    who: Who,
    local: Local,
) -> Option<Word> {
    let width = universe.program.function(local.0).register(local.1).width;
    if width > WIDEST || universe.holds_pieces(local) {
        return None;
    }
    if let Some(word) = locals.get(&(who, local)) {
        return Some(*word);
    }
    let side = match who {
        Who::Own => "own",
        Who::Other => "other",
        Who::Started => "started",
    };
    let name = format!("{side}.f{}.r{}", local.0.index(), local.1.index());
    let word = symbol(builder, &name, width, &universe.register_tags(local));
    locals.insert((who, local), word);
    Some(word)
}

/// Constants of initial values.
struct Constants<'a, 'p>(&'a mut Universe<'p>);

impl Names for Constants<'_, '_> {
    fn register(&self, _register: RegisterId) -> Option<Word> {
        None
    }

    fn base(&mut self, builder: &mut Builder, base: Base, width: u32) -> Option<Word> {
        let thing = match base {
            Base::Object(id) => Thing::Static(id),
            Base::Function(function) => Thing::Function(function),
            Base::Frame(_) | Base::SelfThread => return None,
        };
        self.0.tag(thing).map(|tag| builder.pointer(tag, width))
    }

    fn entity(&self, tag: Tag) -> Option<Entity> {
        self.0.entity(tag)
    }

    fn life(&self, _tag: Tag) -> Life {
        Life::Lasts
    }
}

/// Of what there may be many, nothing is known of the life of one.
pub(super) fn life(universe: &Universe<'_>, tag: Tag) -> Life {
    match universe.thing(tag) {
        None | Some(Thing::Static(_) | Thing::Thread | Thing::Function(_)) => Life::Lasts,
        Some(Thing::ThreadLocal(_) | Thing::Frame(..) | Thing::Site(_)) => Life::Unknown,
    }
}

/// What a tracked cell holds initially.
pub(super) fn initially(builder: &mut Builder, universe: &mut Universe<'_>, id: ObjectId, key: CellKey) -> Word {
    let program = universe.program;
    match key {
        CellKey::Ghost { offset, field, .. } => initial::ghost(builder, program, id, offset, field),
        CellKey::Bytes { start, size, .. } => {
            let found = initial::bytes(builder, &mut Constants(universe), program, id, start, size);
            found.unwrap_or_else(|| builder.fresh_indeterminate(size * 8))
        }
        CellKey::Alive(_) => builder.number(1, 1),
        CellKey::Size(_) | CellKey::Array(_) | CellKey::Changer { .. } => builder.number(program.pointer_width(), 0),
    }
}

pub(super) fn shared(
    builder: &mut Builder,
    universe: &mut Universe<'_>,
    shared: &mut FxHashMap<CellKey, Word>,
    key: CellKey,
) -> Option<Word> {
    let id = universe.tracked(key.object())?;
    if let Some(word) = shared.get(&key) {
        return Some(*word);
    }
    let first = initially(builder, universe, id, key);
    let word = if universe.is_written(key) {
        let width = builder.width(first.bits);
        universe.holds(builder, key, first);
        let tags = universe.cell_tags(key);
        symbol(builder, &format!("{key:?}"), width, &tags)
    } else {
        first
    };
    shared.insert(key, word);
    Some(word)
}

impl<'p> Prestate<'p> for Standing<'_, 'p> {
    fn program(&self) -> &'p Program {
        self.universe.program
    }

    fn function(&self) -> &'p Function {
        self.universe.program.function(self.function)
    }

    fn register(&self, register: RegisterId) -> Option<Value> {
        self.registers.get(&register).copied().map(Value::Word)
    }

    fn base(&mut self, builder: &mut Builder, base: Base, width: u32) -> Option<Word> {
        let program = self.universe.program;
        let thing = match base {
            Base::Object(id) if program.object(id).kind == ObjectKind::ThreadLocal => Thing::ThreadLocal(id),
            Base::Object(id) => Thing::Static(id),
            Base::Frame(slot) => Thing::Frame(self.function, slot),
            Base::Function(function) => Thing::Function(function),
            Base::SelfThread => {
                let tag = self.universe.tag(Thing::Thread)?;
                let bits = identity(builder, self.who, width);
                return Some(Word { tag: builder.tag(tag), bits });
            }
        };
        self.universe.tag(thing).map(|tag| builder.pointer(tag, width))
    }

    fn local(&mut self, slot: FrameObjectId) -> Option<Tag> {
        self.universe.tag(Thing::Frame(self.function, slot))
    }

    fn entity(&self, tag: Tag) -> Option<Entity> {
        self.universe.entity(tag)
    }

    fn static_object(&self, tag: Tag) -> Option<&'p Object> {
        match self.universe.thing(tag) {
            Some(Thing::Static(id)) => Some(self.universe.program.object(id)),
            _ => None,
        }
    }

    fn life(&self, tag: Tag) -> Life {
        life(self.universe, tag)
    }

    fn cells(&mut self, object: Tag, offset: u64, size: u64) -> Vec<CellKey> {
        self.universe.split(object, offset, size)
    }

    fn cells_of(&self, object: Tag) -> Vec<CellKey> {
        self.universe.cells_of(object)
    }

    fn cell(&mut self, builder: &mut Builder, key: CellKey) -> Option<Word> {
        shared(builder, self.universe, self.shared, key)
    }

    fn any(&mut self, builder: &mut Builder, key: CellKey, width: u32) -> Word {
        let object = key.object();
        if let Some(Thing::Static(id) | Thing::ThreadLocal(id)) = self.universe.thing(object) {
            // The initial values of an array.
            let program = self.universe.program;
            for value in &program.object(id).initial {
                let key = CellKey::Bytes { object, start: value.offset, size: value.size };
                let word = initially(builder, self.universe, id, key);
                self.universe.holds(builder, key, word);
            }
        }
        let mut tags = self.universe.cell_tags(key);
        if let Some(Thing::Frame(..)) = self.universe.thing(object) {
            tags.push(Tag::INDETERMINATE);
        }
        if width != program_width(self.universe) && width != GHOST_WIDTH {
            // A part of a pointer is some number.
            tags.retain(|tag| *tag == Tag::NUMBER);
        }
        builder.fresh_word(width, &tags, None)
    }

    fn changer(&self, key: CellKey) -> Option<CellKey> {
        self.universe.changer(key)
    }

    fn untracked(&mut self, builder: &Builder, key: CellKey, word: Word) {
        self.universe.holds(builder, key, word);
    }

    fn is_array(&self, object: Tag) -> bool {
        self.universe.is_array(object)
    }

    fn many(&mut self, object: Tag, count: u64) -> Many {
        if count <= MOST_PLACES {
            return Many::List;
        }
        self.universe.make_array(object);
        Many::Stretch
    }

    fn threads(&mut self, _field: GhostField) -> Option<Vec<(Tag, CellKey)>> {
        None
    }

    fn any_thread(&mut self, builder: &mut Builder, width: u32) -> Word {
        let thread = self.universe.tag(Thing::Thread).unwrap_or(Tag::NUMBER);
        let word = builder.fresh_word(width, &[Tag::NUMBER, thread], None);
        let zero = builder.number(width, 0);
        let is_thread = builder.has_tag(word, thread);
        builder.choose(is_thread, word, zero)
    }

    fn thread_places(&mut self, builder: &mut Builder, address: Word, tag: Tag) -> Vec<(Tag, Term, Term)> {
        let nowhere = builder.terms.bits(builder.width(address.bits), 0);
        vec![(tag, builder.has_tag(address, tag), nowhere)]
    }

    fn addresses(&mut self) -> Option<Vec<Tag>> {
        self.universe.addresses()
    }

    fn uninitialised(&mut self) -> Option<Vec<Tag>> {
        self.universe.addresses()
    }

    fn allocate(&mut self, builder: &Builder, _site: SiteId, allocation: Allocation) -> Option<Tag> {
        self.universe.allocate(builder, allocation)
    }
}

fn program_width(universe: &Universe<'_>) -> u32 {
    universe.program.pointer_width()
}
