//! A thread about to take a step: what its registers and the cells that it sees are called.

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};
use selvedge_logic::{Sort, Term};
use selvedge_program::{
    Base, FrameObjectId, Function, FunctionId, GhostField, Object, ObjectKind, Program, RegisterId, SiteId,
};

use super::held::Held;
use super::universe::{Kept, Thing, Universe};
use super::view::{Local, Who};
use crate::builder::Builder;
use crate::cell::{CellKey, GHOST_WIDTH, Note};
use crate::effect::{Found, Prestate};
use crate::entity::{Entity, Life};
use crate::eval::Names;
use crate::initial;
use crate::machine::{Allocation, Many};
use crate::stretch::Reading;
use crate::tally::TALLY_WIDTH;
use crate::word::{Tag, Value, Word};

/// How many places of a static object an access may mean before its contents are no longer tracked.
const MOST_PLACES: u64 = 16;

/// What threads have for themselves, by name, in the order in which it was first spoken of.
pub(super) type Locals = IndexMap<(Who, Local), Word, FxBuildHasher>;

/// The cells that all share, by name, in the order in which they were first spoken of.
pub(super) type Cells = IndexMap<CellKey, Word, FxBuildHasher>;

/// A thread about to take a step.
pub(super) struct Standing<'a, 'p> {
    pub universe: &'a mut Universe<'p>,
    pub shared: &'a mut Cells,
    pub locals: &'a mut Locals,
    pub who: Who,
    pub function: FunctionId,
    /// The registers that the step looks at.
    pub registers: FxHashMap<RegisterId, Word>,
    /// Whether it looks at memory that is not kept track of and may be indeterminate.
    pub looks_at_anything: bool,
    /// Whether what it loads is a handle of a thread and nothing else.
    pub loads_handle: bool,
    /// Whether it has left out that an allocation for which another one stands may be indeterminate: what is looked at
    /// of that one must not be.
    pub leaves_out: bool,
}

/// The identity of a thread, as the bits of a pointer to it.
pub(super) fn identity(builder: &mut Builder, who: Who, width: u32) -> Term {
    let name = if who == Who::Own { "self".to_owned() } else { who.name() };
    builder.terms.symbol(&format!("{name}.id"), Sort::Bits(width))
}

/// Registers wider than this are only moved, and nothing is known of them.
pub(super) const WIDEST: u32 = 64;

impl Who {
    fn name(self) -> String {
        match self {
            Who::Own => "own".to_owned(),
            Who::Other => "other".to_owned(),
            Who::Started => "started".to_owned(),
            Who::Passive(number) => format!("passive{number}"),
        }
    }
}

/// What a thread's register or a cell of its own is called; `None` if nothing can be known of it.
pub(super) fn local(
    builder: &mut Builder,
    universe: &mut Universe<'_>,
    locals: &mut Locals,
    who: Who,
    local: Local,
) -> Option<Word> {
    if let Some(word) = locals.get(&(who, local)) {
        return Some(*word);
    }
    let side = who.name();
    let word = match local {
        Local::Register(function, register) => {
            let width = universe.program.function(function).register(register).width;
            if width > WIDEST || universe.holds_pieces((function, register)) {
                return None;
            }
            let name = format!("{side}.f{}.r{}", function.index(), register.index());
            let mut held = universe.register((function, register));
            if held.is_empty() {
                held = Held::number();
            }
            held.symbol(builder, &name, width)
        }
        Local::Cell(key) => {
            universe.mentions_ghost(key);
            let width = own_width(universe, key)?;
            let held = own(builder, universe, key, width);
            held.symbol(builder, &format!("{side}.{key:?}"), width)
        }
    };
    locals.insert((who, local), word);
    Some(word)
}

/// How wide a cell of a thread's own object is.
fn own_width(universe: &Universe<'_>, key: CellKey) -> Option<u32> {
    match key {
        _ if universe.kept_cell(key) != Kept::Own => None,
        CellKey::Bytes { size, .. } => Some(size * 8),
        CellKey::Ghost { .. } => Some(GHOST_WIDTH),
        CellKey::Tally { .. } => Some(TALLY_WIDTH),
        CellKey::Alive(_) | CellKey::Note(Note::Born | Note::Escaped, _) => Some(1),
        CellKey::Size(_) | CellKey::Note(Note::Maker | Note::Taker, _) => Some(universe.program.pointer_width()),
        CellKey::Array(_) | CellKey::Changer { .. } | CellKey::Unjoined => None,
    }
}

/// What a cell of a thread's own object may hold.
fn own(builder: &mut Builder, universe: &mut Universe<'_>, key: CellKey, width: u32) -> Held {
    let first = initially(builder, universe, key);
    universe.holds(builder, key, first);
    let mut held = universe.cell(key);
    narrow(universe, &mut held, width);
    held
}

/// A part of a pointer is some number.
fn narrow(universe: &Universe<'_>, held: &mut Held, width: u32) {
    if width != universe.program.pointer_width() && width != GHOST_WIDTH {
        let is_plain = |tag: Tag| [Tag::NUMBER, Tag::INDETERMINATE].contains(&tag);
        if !held.tags().all(is_plain) {
            held.retain(is_plain);
            held.add(Tag::NUMBER, None);
        }
    }
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

/// What is known of the life of an object. Of what there may be many, nothing is known of one.
pub(super) fn life(universe: &Universe<'_>, shared: &Cells, locals: &Locals, who: Who, tag: Tag) -> Life {
    let alive = CellKey::Alive(tag);
    let word = match (universe.thing(tag), universe.kept(tag)) {
        (None | Some(Thing::Static(_) | Thing::Thread | Thing::Function(_)), _) => return Life::Lasts,
        _ if universe.is_represented(tag) => return Life::Lasts,
        (Some(Thing::ThreadLocal(_)), Kept::Own) => return Life::Lasts,
        (_, Kept::Own) => locals.get(&(who, Local::Cell(alive))),
        (_, Kept::Shared) => shared.get(&alive),
        (_, Kept::Nowhere) => None,
    };
    word.map_or(Life::Unknown, |word| Life::Is(*word))
}

/// What a tracked cell holds initially.
pub(super) fn initially(builder: &mut Builder, universe: &mut Universe<'_>, key: CellKey) -> Word {
    let program = universe.program;
    let (Some(Thing::Static(id) | Thing::ThreadLocal(id)), true) =
        (universe.thing(key.object()), matches!(key, CellKey::Bytes { .. } | CellKey::Ghost { .. }))
    else {
        let word = at_birth(builder, program, key);
        return match (key, universe.thing(key.object())) {
            // Nothing has been allocated.
            (CellKey::Alive(_), Some(Thing::One(_))) => builder.number(1, 0),
            _ => word,
        };
    };
    match key {
        CellKey::Ghost { offset, field, .. } => initial::ghost(builder, program, id, offset, field),
        CellKey::Bytes { start, size, .. } => {
            let found = initial::bytes(builder, &mut Constants(universe), program, id, start, size);
            found.unwrap_or_else(|| builder.fresh_indeterminate(size * 8))
        }
        CellKey::Alive(_)
        | CellKey::Size(_)
        | CellKey::Array(_)
        | CellKey::Changer { .. }
        | CellKey::Tally { .. }
        | CellKey::Note(..)
        | CellKey::Unjoined => at_birth(builder, program, key),
    }
}

/// What a cell of a local holds when its life begins.
pub(super) fn at_birth(builder: &mut Builder, program: &Program, key: CellKey) -> Word {
    match key {
        CellKey::Bytes { size, .. } => builder.fresh_indeterminate(size * 8),
        CellKey::Ghost { .. } => builder.number(GHOST_WIDTH, 0),
        CellKey::Tally { .. } => builder.number(TALLY_WIDTH, 0),
        CellKey::Alive(_) => builder.number(1, 1),
        // The first one.
        CellKey::Unjoined => builder.number(program.pointer_width(), 1),
        CellKey::Note(Note::Born | Note::Escaped, _) => builder.number(1, 0),
        CellKey::Size(_)
        | CellKey::Array(_)
        | CellKey::Changer { .. }
        | CellKey::Note(Note::Maker | Note::Taker, _) => builder.number(program.pointer_width(), 0),
    }
}

pub(super) fn shared(
    builder: &mut Builder,
    universe: &mut Universe<'_>,
    shared: &mut Cells,
    key: CellKey,
) -> Option<Word> {
    if universe.kept_cell(key) != Kept::Shared {
        return None;
    }
    if let Some(word) = shared.get(&key) {
        return Some(*word);
    }
    universe.mentions_ghost(key);
    let first = initially(builder, universe, key);
    let word = if key == CellKey::Unjoined {
        Held::number().symbol(builder, "unjoined", universe.program.pointer_width())
    } else if universe.is_written(key) {
        let width = builder.width(first.bits);
        universe.holds(builder, key, first);
        universe.cell(key).symbol(builder, &format!("{key:?}"), width)
    } else {
        first
    };
    shared.insert(key, word);
    Some(word)
}

impl Standing<'_, '_> {
    /// The allocations that stand for all of their sites to which a word may point.
    fn ones(&self, builder: &Builder, word: Word) -> Vec<Tag> {
        let tags = builder.tags(word).into_iter();
        tags.filter(|tag| matches!(self.universe.thing(*tag), Some(Thing::One(_)))).collect()
    }
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
        life(self.universe, self.shared, self.locals, self.who, tag)
    }

    fn is_several(&self, tag: Tag) -> bool {
        self.universe.is_several(tag)
    }

    fn cells(&mut self, object: Tag, offset: u64, size: u64) -> Vec<CellKey> {
        self.universe.split(object, offset, size)
    }

    fn cells_of(&self, object: Tag) -> Vec<CellKey> {
        self.universe.cells_of(object)
    }

    fn cell(&mut self, builder: &mut Builder, key: CellKey) -> Option<Word> {
        match self.universe.kept_cell(key) {
            Kept::Shared => shared(builder, self.universe, self.shared, key),
            Kept::Own => local(builder, self.universe, self.locals, self.who, Local::Cell(key)),
            Kept::Nowhere => None,
        }
    }

    fn any(&mut self, builder: &mut Builder, key: CellKey, width: u32, reading: Reading) -> Word {
        let object = key.object();
        let is_represented = self.universe.is_represented(object);
        if let (CellKey::Alive(_), true) = (key, is_represented) {
            return builder.number(1, 1);
        }
        if let Some(Thing::Static(id) | Thing::ThreadLocal(id)) = self.universe.thing(object) {
            // The initial values of an array.
            let program = self.universe.program;
            for value in &program.object(id).initial {
                let key = CellKey::Bytes { object, start: value.offset, size: value.size };
                let word = initially(builder, self.universe, key);
                self.universe.holds(builder, key, word);
            }
        }
        let mut held = self.universe.cell(key);
        if let (CellKey::Bytes { .. } | CellKey::Array(_), true) = (key, self.universe.is_born_open(object)) {
            held.add(Tag::INDETERMINATE, None);
        }
        let one = self.universe.one_of(object).filter(|_| is_represented && reading == Reading::Look);
        if one.is_some_and(|one| !self.universe.is_array(one)) {
            // A pointer that is not initialised is looked at where it is the one's, at this very step.
            held.retain(|tag| tag != Tag::INDETERMINATE);
            self.leaves_out = true;
        }
        narrow(self.universe, &mut held, width);
        let tags: Vec<Tag> = held.tags().collect();
        self.looks_at_anything |= tags.contains(&Tag::INDETERMINATE);
        builder.fresh_word(width, &tags, None)
    }

    fn changer(&self, key: CellKey) -> Option<CellKey> {
        self.universe.changer(key)
    }

    fn is_counter(&self, key: CellKey) -> bool {
        self.universe.is_counter(key)
    }

    fn counts_threads(&self) -> bool {
        self.universe.has_joins
    }

    fn is_own(&self, key: CellKey) -> bool {
        self.universe.kept_cell(key) == Kept::Own
    }

    fn one_of(&mut self, tag: Tag) -> Option<Tag> {
        self.universe.one_of(tag)
    }

    fn is_represented(&self, tag: Tag) -> bool {
        self.universe.is_represented(tag)
    }

    fn certainly(&mut self, builder: &mut Builder, word: Word, found: Found) -> Option<Term> {
        let ones = self.ones(builder, word);
        let mut all: Option<Term> = None;
        for one in ones {
            let meant = builder.has_tag(word, one);
            let born = self.cell(builder, CellKey::Note(Note::Born, one))?;
            let mut known = builder.truth(born.bits);
            // A value out of nothing may be its address, wherever that has been.
            if self.universe.kept(one) == Kept::Shared && !self.universe.is_open() {
                let escaped = self.cell(builder, CellKey::Note(Note::Escaped, one))?;
                let mut may = builder.truth(escaped.bits);
                if found == Found::Own {
                    // Its maker has it before anybody else.
                    let maker = self.cell(builder, CellKey::Note(Note::Maker, one))?;
                    let own = self.base(builder, Base::SelfThread, builder.width(maker.bits))?;
                    let is_maker = builder.same(maker, own);
                    may = builder.or(may, is_maker);
                }
                known = builder.and(known, may);
            }
            let other = builder.not(meant);
            let certain = builder.or(other, known);
            all = Some(match all {
                Some(all) => builder.and(all, certain),
                None => certain,
            });
        }
        all
    }

    fn escaping(&mut self, builder: &mut Builder, word: Word, to: Option<CellKey>) -> Vec<(CellKey, Term)> {
        if to.is_some_and(|key| self.is_own(key)) {
            return Vec::new();
        }
        let ones = self.ones(builder, word).into_iter();
        let ones = ones.filter(|one| self.universe.kept(*one) == Kept::Shared).collect::<Vec<_>>();
        ones.into_iter().map(|one| (CellKey::Note(Note::Escaped, one), builder.has_tag(word, one))).collect()
    }

    fn takers(&mut self, builder: &mut Builder, word: Word, from: CellKey) -> Vec<(CellKey, Term)> {
        let is_noted = matches!(from, CellKey::Bytes { .. }) && self.universe.kept_cell(from) == Kept::Shared;
        let ones =
            self.ones(builder, word).into_iter().filter(|one| is_noted && self.universe.kept(*one) == Kept::Shared);
        let ones: Vec<Tag> = ones.collect();
        ones.into_iter().map(|one| (CellKey::Note(Note::Taker, one), builder.has_tag(word, one))).collect()
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
        if self.loads_handle {
            return self.universe.tag(Thing::Thread).map(|thread| vec![thread]);
        }
        // Where it is kept track of what is indeterminate, proofs are to show that no such pointer is looked at.
        if self.looks_at_anything && !self.leaves_out { self.universe.addresses() } else { None }
    }

    fn allocate(&mut self, builder: &Builder, _site: SiteId, allocation: Allocation) -> Option<Tag> {
        self.universe.allocate(builder, allocation)
    }
}
