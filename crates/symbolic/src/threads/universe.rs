//! What a thread can name: every static object by itself, its own locals, and whatever there may be many of as one.
//! What registers and cells may point to, and where objects are split into cells, is collected from all steps until
//! no step adds anything (an inclusion-based points-to analysis that takes every step through the symbolic
//! semantics). **So what it says holds in every reachable state**: it holds initially, and every step of every thread
//! keeps it.

mod collect;
mod reach;

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;
use selvedge_program::{
    AccessKind, EdgeId, FrameObjectId, FunctionId, GhostField, GhostType, InitialContents, ObjectId, ObjectKind,
    Program, RegisterId, SiteId, Storage,
};

use super::handles::handles;
use super::held::Held;
use super::standing::WIDEST;
use super::unfold::{ArcKind, Callees, Circles, Recursion, Refused, Unfolded};
use super::view::View;
use crate::cell::{CellKey, Stretches};
use crate::effect::Touched;
use crate::entity::{Entity, Extent, Lifetime};
use crate::word::{Tag, Word};
use crate::{Allocation, Builder, Root, Variable};

/// What a tag stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Thing {
    /// A global, static or constant object.
    Static(ObjectId),
    /// Any thread's instance of a thread-local object.
    ThreadLocal(ObjectId),
    /// Any activation's instance of an address-taken local.
    Frame(FunctionId, FrameObjectId),
    /// Anything allocated at a site; but for the one of these, if there is one.
    Site(SiteId),
    /// The one allocation of a site that stands for all: which one is not said, so whatever holds of it holds of
    /// every other.
    One(SiteId),
    /// Threads: which one, the bits of a pointer say.
    Thread,
    Function(FunctionId),
}

/// Whether the contents of an object are kept track of, and as whose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// There is one of it, and all threads may see it.
    Shared,
    /// Every thread has one of its own, which nobody else can reach.
    Own,
    /// They are not.
    Nowhere,
}

/// Bytes from one offset to another.
type Range = (u64, u64);

/// All bytes and ghost fields of an object: what is stored somewhere in it, or ends a thread, may be read back as any of them.
const EVERYWHERE: Range = (0, 1 << 60);

fn overlap(a: Range, b: Range) -> bool {
    a.0 < b.1 && b.0 < a.1
}

/// What is known of the allocations of a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Site {
    extent: Extent,
    align: u32,
    storage: Storage,
    /// Indeterminate if that of some is.
    contents: InitialContents,
}

/// The names of a program.
#[derive(Debug)]
pub struct Universe<'p> {
    pub program: &'p Program,
    tags: FxHashMap<Thing, Tag>,
    things: Vec<Thing>,
    /// What registers may hold.
    registers: BTreeMap<(FunctionId, RegisterId), Held>,
    /// Registers that may hold bytes that are no single word.
    pieces: BTreeSet<(FunctionId, RegisterId)>,
    /// What objects hold, by bytes; the whole object where the place is not known.
    contents: BTreeMap<Tag, BTreeMap<Range, Held>>,
    /// Which bytes and ghost fields of static objects are written.
    written: BTreeMap<Tag, BTreeSet<Range>>,
    stretches: BTreeMap<Tag, Stretches>,
    /// Objects whose contents are not tracked because accesses may mean many places.
    arrays: BTreeSet<Tag>,
    /// The ghost fields of objects that are spoken of.
    ghosts: BTreeMap<Tag, BTreeSet<CellKey>>,
    /// What threads other than its own may reach, as known when the last round of collecting began.
    given_away: BTreeSet<Tag>,
    /// Locals that something may point to after the end of the activation.
    outlived: BTreeSet<Tag>,
    /// Whether some thread is joined.
    pub has_joins: bool,
    /// Whether nobody calls `main` or starts threads with it.
    is_main_once: bool,
    sites: BTreeMap<Tag, Site>,
    /// Where cells begin that an atomic update reads and writes: words that may serve as locks.
    updated: BTreeSet<(Tag, u64)>,
    /// Where cells begin, with the ghost field, that an atomic update changes to something that depends on what was
    /// there: words that may count.
    counters: BTreeSet<(Tag, u64, Option<GhostField>)>,
    /// What is given to threads when they are started.
    given: BTreeSet<Tag>,
    /// Whether a value out of nothing may be an address.
    is_open: bool,
    /// Registers that are handles of threads and nothing else.
    handles: BTreeSet<(FunctionId, RegisterId)>,
    pub callees: Callees,
    recursion: Recursion,
    circles: Circles,
    /// The functions that threads run, `main` first, with their places.
    pub templates: Vec<(FunctionId, Unfolded)>,
    grown: bool,
}

/// With more objects than this, a value out of nothing is not modelled.
const MOST_ADDRESSES: usize = 64;

impl<'p> Universe<'p> {
    /// Collects the names of a program; `None` if it is not to go on.
    ///
    /// # Errors
    /// If a thread cannot be unfolded.
    pub fn of(program: &'p Program, go_on: impl FnMut() -> bool) -> Result<Option<Universe<'p>>, Refused> {
        Universe::collect(program, &[], Recursion::Refused, go_on)
    }

    /// The same, where functions may call themselves.
    ///
    /// # Errors
    /// If a thread cannot be unfolded.
    pub fn with_recursion(program: &'p Program, go_on: impl FnMut() -> bool) -> Result<Option<Universe<'p>>, Refused> {
        Universe::collect(program, &[], Recursion::Merged, go_on)
    }

    /// The same, where parts of static objects may hold any number (and fields of locks, any thread), whatever the program writes
    /// there: what is said of a thread then holds among other threads than those of the program, too.
    ///
    /// # Errors
    /// If a thread cannot be unfolded.
    pub fn open(
        program: &'p Program,
        open: &[Variable],
        go_on: impl FnMut() -> bool,
    ) -> Result<Option<Universe<'p>>, Refused> {
        Universe::collect(program, open, Recursion::Refused, go_on)
    }

    fn collect(
        program: &'p Program,
        open: &[Variable],
        recursion: Recursion,
        mut go_on: impl FnMut() -> bool,
    ) -> Result<Option<Universe<'p>>, Refused> {
        let mut universe = Universe {
            program,
            tags: FxHashMap::default(),
            things: Vec::new(),
            registers: BTreeMap::new(),
            pieces: BTreeSet::new(),
            contents: BTreeMap::new(),
            written: BTreeMap::new(),
            stretches: BTreeMap::new(),
            arrays: BTreeSet::new(),
            ghosts: BTreeMap::new(),
            given_away: BTreeSet::new(),
            outlived: BTreeSet::new(),
            has_joins: false,
            is_main_once: true,
            sites: BTreeMap::new(),
            updated: BTreeSet::new(),
            counters: BTreeSet::new(),
            given: BTreeSet::new(),
            is_open: false,
            handles: handles(program),
            callees: Callees::new(),
            recursion,
            circles: Circles::new(),
            templates: Vec::new(),
            grown: false,
        };
        universe.tag(Thing::Thread);
        open.iter().for_each(|variable| universe.hold_anything(*variable));
        loop {
            universe.grown = false;
            universe.unfold()?;
            universe.find_given_away();
            universe.begin();
            let mut view = View::new(universe);
            if !view.collect(&mut go_on) {
                return Ok(None);
            }
            universe = view.universe;
            if !universe.grown {
                return Ok(Some(universe));
            }
        }
    }

    /// A part of a static object may hold anything that is a number, or of a lock's fields, a thread.
    fn hold_anything(&mut self, variable: Variable) {
        let (id, mut held) = match variable {
            Variable::Cell { object: Root::Static(id), .. } | Variable::Ghost { object: Root::Static(id), .. } => {
                (id, Held::number())
            }
            _ => return,
        };
        let Some(object) = self.tag(Thing::Static(id)) else { return };
        let key = match variable {
            Variable::Cell { offset, size, .. } => CellKey::Bytes { object, start: offset, size },
            Variable::Ghost { offset, field, .. } => {
                if let Some(thread) = self.tag(Thing::Thread) {
                    held.add(thread, None);
                }
                CellKey::Ghost { object, offset, field }
            }
            _ => return,
        };
        let (object, range) = Self::range(key);
        self.written.entry(object).or_default().insert(range);
        self.contents.entry(object).or_default().entry(range).or_default().add_all(&held);
    }

    /// What `main` is given may be any number.
    fn begin(&mut self) {
        if let Some(main) = self.program.main() {
            for parameter in &self.program.function(main).parameters {
                self.registers.entry((main, *parameter)).or_default().add_all(&Held::number());
            }
        }
    }

    fn unfold(&mut self) -> Result<(), Refused> {
        let main = self.program.main();
        let mut entries: Vec<FunctionId> = main.into_iter().collect();
        entries.extend(self.templates.iter().map(|(entry, _)| *entry).filter(|entry| Some(*entry) != main));
        self.templates.clear();
        let mut next = 0;
        while next < entries.len() {
            let unfolded = Unfolded::of(self.program, entries[next], &self.callees, self.recursion)?;
            for (call, circle) in &unfolded.circles {
                self.circles.entry(*call).or_default().extend(circle);
            }
            for arc in &unfolded.arcs {
                if let ArcKind::Spawn(entry) = arc.kind
                    && !entries.contains(&entry)
                {
                    entries.push(entry);
                }
            }
            self.templates.push((entries[next], unfolded));
            next += 1;
        }
        Ok(())
    }

    /// The registers of which nothing is known after a call, or the return from it, because their function is active
    /// several times.
    pub fn forgotten(&self, caller: FunctionId, call: EdgeId, called: FunctionId) -> Vec<(FunctionId, RegisterId)> {
        let circle = self.circles.get(&(caller, call, called)).into_iter().flatten();
        let registers = |function: &FunctionId| {
            let function = *function;
            let count = self.program.function(function).registers.len();
            (0..count).map(move |register| (function, RegisterId::new(register)))
        };
        circle.flat_map(registers).collect()
    }

    /// The tag of a thing; `None` if there are too many.
    pub fn tag(&mut self, thing: Thing) -> Option<Tag> {
        if let Some(tag) = self.tags.get(&thing) {
            return Some(*tag);
        }
        let tag = Tag(self.things.len() as u32 + Tag::FIRST.0);
        if tag.0 >= 1 << Tag::WIDTH {
            return None;
        }
        self.tags.insert(thing, tag);
        self.things.push(thing);
        self.grown = true;
        Some(tag)
    }

    /// What a tag stands for; `None` for numbers and indeterminate bytes.
    pub fn thing(&self, tag: Tag) -> Option<Thing> {
        self.things.get(tag.0.checked_sub(Tag::FIRST.0)? as usize).copied()
    }

    /// What a value out of nothing may point to.
    pub fn addresses(&mut self) -> Option<Vec<Tag>> {
        // Whoever has such a value may reach everything.
        self.grown |= !std::mem::replace(&mut self.is_open, true);
        let program = self.program;
        let statics = program.objects.iter().enumerate().map(|(index, object)| match object.kind {
            ObjectKind::ThreadLocal => Thing::ThreadLocal(ObjectId::new(index)),
            ObjectKind::Global | ObjectKind::Constant => Thing::Static(ObjectId::new(index)),
        });
        let functions = program.address_taken.iter().map(|function| Thing::Function(*function));
        let things: Vec<Thing> = statics.chain(functions).collect();
        for thing in things {
            self.tag(thing)?;
        }
        let tags = (0..self.things.len()).map(|index| Tag(index as u32 + Tag::FIRST.0));
        Some(tags.collect::<Vec<_>>()).filter(|tags| tags.len() <= MOST_ADDRESSES)
    }

    /// Whether a register is a handle of a thread and nothing else.
    pub(super) fn is_handle(&self, register: (FunctionId, RegisterId)) -> bool {
        self.handles.contains(&register)
    }

    /// Whether a value out of nothing may be an address.
    pub fn is_open(&self) -> bool {
        self.is_open
    }

    pub fn entity(&self, tag: Tag) -> Option<Entity> {
        let bytes = |size: u64, align, lifetime| Entity::Bytes { extent: Extent::exactly(size), align, lifetime };
        Some(match self.thing(tag)? {
            Thing::Static(id) => {
                let object = self.program.object(id);
                let is_constant = object.kind == ObjectKind::Constant;
                bytes(object.size, object.align, if is_constant { Lifetime::Constant } else { Lifetime::Static })
            }
            Thing::ThreadLocal(id) => {
                let object = self.program.object(id);
                bytes(object.size, object.align, Lifetime::Automatic)
            }
            Thing::Frame(function, slot) => {
                let object = self.program.function(function).frame_object(slot);
                bytes(object.size, object.align, Lifetime::Automatic)
            }
            Thing::Site(site) | Thing::One(site) => {
                let tag = self.tags.get(&Thing::Site(site))?;
                let Site { extent, align, storage, .. } = *self.sites.get(tag)?;
                let lifetime = match storage {
                    Storage::Heap => Lifetime::Heap,
                    Storage::Stack => Lifetime::Automatic,
                };
                Entity::Bytes { extent, align, lifetime }
            }
            Thing::Thread => Entity::Thread,
            Thing::Function(function) => Entity::Function(function),
        })
    }

    /// Whether a cell is kept track of.
    pub fn kept_cell(&self, key: CellKey) -> Kept {
        match key {
            CellKey::Unjoined if self.has_joins => Kept::Shared,
            CellKey::Array(_) => Kept::Nowhere,
            CellKey::Size(object) if !matches!(self.thing(object), Some(Thing::One(_))) => Kept::Nowhere,
            CellKey::Bytes { object, .. } if self.arrays.contains(&object) => Kept::Nowhere,
            CellKey::Tally { object, field: None, .. } if self.arrays.contains(&object) => Kept::Nowhere,
            CellKey::Tally { object, tally, .. } => match self.kept(object) {
                Kept::Shared if tally.is_own() => Kept::Own,
                Kept::Shared => Kept::Shared,
                Kept::Own | Kept::Nowhere => Kept::Nowhere,
            },
            _ => self.kept(key.object()),
        }
    }

    /// Whether the contents of an object are kept track of.
    pub fn kept(&self, tag: Tag) -> Kept {
        match self.thing(tag) {
            Some(Thing::Static(_)) => Kept::Shared,
            Some(Thing::One(_)) if self.is_private(tag) => Kept::Own,
            Some(Thing::One(_)) => Kept::Shared,
            Some(Thing::Frame(..) | Thing::ThreadLocal(_)) if self.is_own(tag) => Kept::Own,
            Some(Thing::Frame(function, _)) if self.runs_once(function) => Kept::Shared,
            _ => Kept::Nowhere,
        }
    }

    /// Whether a function is entered once at most: `main`, if nobody calls it.
    fn runs_once(&self, function: FunctionId) -> bool {
        self.is_main_once && self.templates.first().is_some_and(|(main, _)| *main == function)
    }

    /// Whether a tag stands for several objects that one thread can reach.
    pub fn is_several(&self, tag: Tag) -> bool {
        match self.thing(tag) {
            None | Some(Thing::Static(_) | Thing::Thread | Thing::Function(_) | Thing::One(_)) => false,
            Some(Thing::Frame(function, _)) => !self.is_own(tag) && !self.runs_once(function),
            Some(Thing::ThreadLocal(_)) => !self.is_own(tag),
            Some(Thing::Site(_)) => true,
        }
    }

    /// What an object is called in predicates, if its contents are kept track of.
    pub fn root(&self, tag: Tag) -> Option<Root> {
        match (self.kept(tag), self.thing(tag)?) {
            (Kept::Nowhere, _) => None,
            (_, Thing::Static(id) | Thing::ThreadLocal(id)) => Some(Root::Static(id)),
            (_, Thing::Frame(function, slot)) => Some(Root::Local(function, slot)),
            (_, Thing::One(site)) => Some(Root::One(site)),
            (_, Thing::Site(_) | Thing::Thread | Thing::Function(_)) => None,
        }
    }

    /// The tag of what is so called in predicates.
    pub fn rooted(&mut self, root: Root) -> Option<Tag> {
        self.tag(match root {
            Root::Static(id) if self.program.object(id).kind == ObjectKind::ThreadLocal => Thing::ThreadLocal(id),
            Root::Static(id) => Thing::Static(id),
            Root::Local(function, slot) => Thing::Frame(function, slot),
            Root::One(site) => Thing::One(site),
        })
    }

    /// Whether the contents of an object with bytes are not tracked.
    pub fn is_array(&self, tag: Tag) -> bool {
        self.kept(tag) == Kept::Nowhere || self.arrays.contains(&tag)
    }

    /// All tags.
    pub fn tags(&self) -> impl Iterator<Item = Tag> + use<> {
        (0..self.things.len() as u32).map(|index| Tag(index + Tag::FIRST.0))
    }

    /// A ghost field is spoken of.
    pub(super) fn mentions_ghost(&mut self, key: CellKey) {
        if let CellKey::Ghost { object, .. } = key {
            self.grown |= self.ghosts.entry(object).or_default().insert(key);
        }
    }

    /// From now on the contents of an object are not tracked.
    pub fn make_array(&mut self, tag: Tag) {
        self.grown |= self.arrays.insert(tag);
    }

    pub fn split(&mut self, object: Tag, offset: u64, size: u64) -> Vec<CellKey> {
        let stretches = self.stretches.entry(object).or_default();
        self.grown |= stretches.access(offset, offset + size);
        stretches.cells(object, offset..=offset + size)
    }

    /// Whether some bytes are a cell. (Those that nobody accesses are none.)
    pub fn is_cell(&self, key: CellKey) -> bool {
        let CellKey::Bytes { object, start, size } = key else { return false };
        let end = start + u64::from(size);
        self.stretches.get(&object).is_some_and(|stretches| stretches.cells(object, start..=end) == [key])
    }

    /// The tracked cells of an object's bytes, and its ghost fields.
    pub fn cells_of(&self, object: Tag) -> Vec<CellKey> {
        let bytes = self.stretches.get(&object).map(|stretches| stretches.cells(object, ..)).unwrap_or_default();
        bytes.into_iter().chain(self.ghosts.get(&object).into_iter().flatten().copied()).collect()
    }

    fn range(key: CellKey) -> (Tag, Range) {
        match key {
            CellKey::Bytes { object, start, size } => (object, (start, start + u64::from(size))),
            // Beyond all bytes, one place for each offset and field.
            CellKey::Ghost { object, offset, field } => {
                let at = (1 << 40) + offset * 64 + field as u64;
                (object, (at, at + 1))
            }
            // Beyond those, one for each byte.
            CellKey::Changer { object, start } => {
                let at = (1 << 60) + start;
                (object, (at, at + 1))
            }
            // Beyond those, four for each byte, and for each ghost field.
            CellKey::Tally { object, start, field, tally } => {
                let of = start * 64 + field.map_or(0, |field| field as u64 + 1);
                let at = (1 << 61) + of * 4 + tally as u64;
                (object, (at, at + 1))
            }
            CellKey::Alive(object) => (object, (u64::MAX - 1, u64::MAX)),
            CellKey::Note(note, object) => {
                let at = u64::MAX - 16 + note as u64;
                (object, (at, at + 1))
            }
            CellKey::Size(object) => (object, (u64::MAX - 2, u64::MAX - 1)),
            CellKey::Array(object) => (object, EVERYWHERE),
            CellKey::Unjoined => (Tag::NUMBER, (0, 1)),
        }
    }

    /// Whether something writes a tracked cell.
    pub fn is_written(&self, key: CellKey) -> bool {
        let (object, range) = Self::range(key);
        self.written.get(&object).is_some_and(|ranges| ranges.iter().any(|other| overlap(range, *other)))
    }

    /// Where cells begin that an atomic update reads and writes.
    pub fn updated(&self) -> impl Iterator<Item = (Tag, u64)> + '_ {
        self.updated.iter().copied()
    }

    /// The cell that says who changed this one last.
    pub fn changer(&self, key: CellKey) -> Option<CellKey> {
        match key {
            CellKey::Bytes { object, start, .. }
                if self.updated.contains(&(object, start)) && self.kept(object) == Kept::Shared =>
            {
                Some(CellKey::Changer { object, start })
            }
            _ => None,
        }
    }

    /// The counters that are kept track of.
    pub fn counters(&self) -> impl Iterator<Item = CellKey> + '_ {
        let cells = self.counters.iter().flat_map(|(object, start, field)| match field {
            Some(field) => vec![CellKey::Ghost { object: *object, offset: *start, field: *field }],
            None => {
                let stretches = self.stretches.get(object);
                let cells = stretches.map(|stretches| stretches.cells(*object, *start..));
                cells.into_iter().flatten().take(1).collect()
            }
        });
        cells.filter(|key| self.is_counter(*key))
    }

    /// Whether a cell is a counter that is kept track of.
    pub fn is_counter(&self, key: CellKey) -> bool {
        let (object, start, field) = match key {
            CellKey::Bytes { object, start, size } if size <= 8 => (object, start, None),
            CellKey::Ghost { object, offset, field } => (object, offset, Some(field)),
            _ => return false,
        };
        self.counters.contains(&(object, start, field)) && self.kept_cell(key) == Kept::Shared
    }

    /// An atomic update makes these accesses; what it writes to some cells is computed.
    pub(super) fn updates(&mut self, touched: &[Touched], computed: &BTreeSet<CellKey>) {
        let is = |kind: AccessKind| move |touched: &&Touched| touched.mode.kind == kind;
        for written in touched.iter().filter(is(AccessKind::Write)) {
            if !touched.iter().filter(is(AccessKind::Read)).any(|read| read.cell == written.cell) {
                continue;
            }
            let is_computed = computed.contains(&written.cell);
            match written.cell {
                CellKey::Bytes { object, start, .. } => {
                    self.grown |= self.updated.insert((object, start));
                    self.grown |= is_computed && self.counters.insert((object, start, None));
                }
                CellKey::Ghost { object, offset, field } if matches!(field.declared(), GhostType::Number(_)) => {
                    self.grown |= is_computed && self.counters.insert((object, offset, Some(field)));
                }
                _ => {}
            }
        }
    }

    /// A step writes this to a cell.
    pub(super) fn writes(&mut self, builder: &Builder, key: CellKey, word: Word) {
        let (object, range) = Self::range(key);
        self.grown |= self.written.entry(object).or_default().insert(range);
        self.holds(builder, key, word);
    }

    /// A cell may hold a value.
    pub(super) fn holds(&mut self, builder: &Builder, key: CellKey, word: Word) {
        let (object, range) = Self::range(key);
        let held = self.contents.entry(object).or_default().entry(range).or_default();
        self.grown |= held.add_word(builder, word);
    }

    /// A register may hold a value.
    pub(super) fn assigns(&mut self, builder: &Builder, register: (FunctionId, RegisterId), word: Word) {
        self.grown |= self.registers.entry(register).or_default().add_word(builder, word);
    }

    /// A register may hold bytes that are no single word.
    pub(super) fn assigns_pieces(&mut self, register: (FunctionId, RegisterId)) {
        self.grown |= self.pieces.insert(register);
    }

    /// Whether a register may hold bytes that are no single word: then nothing can be known of it.
    pub fn holds_pieces(&self, register: (FunctionId, RegisterId)) -> bool {
        self.pieces.contains(&register)
    }

    /// Whether a register may hold something.
    pub(super) fn has_value(&self, register: (FunctionId, RegisterId)) -> bool {
        let width = self.program.function(register.0).register(register.1).width;
        width > WIDEST || self.pieces.contains(&register) || self.registers.contains_key(&register)
    }

    /// What a register may hold; nothing, if it has not been assigned.
    pub fn register(&self, register: (FunctionId, RegisterId)) -> Held {
        self.registers.get(&register).cloned().unwrap_or_default()
    }

    /// What a cell may hold, as far as that was written; what is not kept track of may be any number.
    pub fn cell(&self, key: CellKey) -> Held {
        let (object, range) = Self::range(key);
        let mut held = if self.kept_cell(key) == Kept::Nowhere { Held::number() } else { Held::default() };
        for (other, values) in self.contents.get(&object).into_iter().flatten() {
            if *other == range {
                held.add_all(values);
            } else if overlap(range, *other) {
                // A part of it, or more than it.
                values.tags().for_each(|tag| {
                    held.add(tag, None);
                });
                held.add_all(&Held::number());
            }
        }
        held
    }

    /// A value is given to a thread that is started.
    pub(super) fn gives(&mut self, builder: &Builder, word: Word) {
        for tag in builder.tags(word) {
            self.grown |= self.given.insert(tag);
        }
    }

    /// An indirect call or start may mean a function.
    pub(super) fn may_call(&mut self, edge: (FunctionId, EdgeId), callee: FunctionId) {
        self.grown |= self.callees.entry(edge).or_default().insert(callee);
    }

    /// The object of a site.
    pub(super) fn allocate(&mut self, builder: &Builder, allocation: Allocation) -> Option<Tag> {
        let tag = self.tag(Thing::Site(allocation.site))?;
        let most = builder.terms.facts(allocation.size).high.min(u128::from(u64::MAX)) as u64;
        let is_exact = builder.constant(allocation.size).is_some();
        let Allocation { align, storage, contents, .. } = allocation;
        let new = Site { extent: Extent { most, is_exact }, align, storage, contents };
        let known = *self.sites.entry(tag).or_insert(new);
        let is_exact = known.extent.is_exact && is_exact && known.extent.most == most;
        let contents = if known.contents == InitialContents::Indeterminate { known.contents } else { contents };
        let joined = Site { extent: Extent { most: known.extent.most.max(most), is_exact }, contents, ..new };
        self.grown |= self.sites.insert(tag, joined) != Some(joined);
        Some(tag)
    }

    /// Whether the bytes of an object may be indeterminate when its life begins.
    pub fn is_born_open(&self, tag: Tag) -> bool {
        match self.thing(tag) {
            Some(Thing::Frame(..)) => true,
            Some(Thing::Site(site) | Thing::One(site)) => {
                let site = self.tags.get(&Thing::Site(site)).and_then(|tag| self.sites.get(tag));
                site.is_some_and(|site| site.contents == InitialContents::Indeterminate)
            }
            None | Some(Thing::Static(_) | Thing::ThreadLocal(_) | Thing::Thread | Thing::Function(_)) => false,
        }
    }

    /// A template's places by the function that it runs.
    pub fn unfolded(&self, template: usize) -> &Unfolded {
        &self.templates[template].1
    }

    /// Which template runs a function.
    pub fn template_of(&self, entry: FunctionId) -> Option<usize> {
        self.templates.iter().position(|(function, _)| *function == entry)
    }
}
