//! What a thread can name: every static object by itself, whatever there may be many of as one. What registers and cells may point to,
//! and where objects are split into cells, is collected from all steps until no step adds anything (an inclusion-based points-to analysis
//! that takes every step through the symbolic semantics). **So what it says holds in every reachable state**: it holds initially, and every step
//! of every thread keeps it.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;
use selvedge_program::{
    AccessKind, Action, FrameObjectId, FunctionId, ObjectId, ObjectKind, Program, RegisterId, SiteId, Storage,
};

use super::unfold::{Callees, Refused, Unfolded};
use super::view::{View, Who};
use crate::cell::{CellKey, Stretches};
use crate::effect::Touched;
use crate::entity::{Entity, Extent, Lifetime};
use crate::word::{Tag, Word};
use crate::{Allocation, Builder};

/// What a tag stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Thing {
    /// A global, static or constant object.
    Static(ObjectId),
    /// Any thread's instance of a thread-local object.
    ThreadLocal(ObjectId),
    /// Any activation's instance of an address-taken local.
    Frame(FunctionId, FrameObjectId),
    /// Anything allocated at a site.
    Site(SiteId),
    /// Threads: which one, the bits of a pointer say.
    Thread,
    Function(FunctionId),
}

/// Bytes from one offset to another.
type Range = (u64, u64);

/// All of an object.
const EVERYWHERE: Range = (0, u64::MAX);

fn overlap(a: Range, b: Range) -> bool {
    a.0 < b.1 && b.0 < a.1
}

/// What is known of the allocations of a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Site {
    extent: Extent,
    align: u32,
    storage: Storage,
}

/// The names of a program.
#[derive(Debug)]
pub struct Universe<'p> {
    pub program: &'p Program,
    tags: FxHashMap<Thing, Tag>,
    things: Vec<Thing>,
    /// What registers may hold besides numbers.
    registers: BTreeMap<(FunctionId, RegisterId), BTreeSet<Tag>>,
    /// Registers that may hold bytes that are no single word.
    pieces: BTreeSet<(FunctionId, RegisterId)>,
    /// What objects hold besides numbers, by bytes; the whole object where the place is not known.
    pointers: BTreeMap<Tag, BTreeMap<Range, BTreeSet<Tag>>>,
    /// Which bytes and ghost fields of static objects are written.
    written: BTreeMap<Tag, BTreeSet<Range>>,
    stretches: BTreeMap<Tag, Stretches>,
    /// Objects whose contents are not tracked because accesses may mean many places.
    arrays: BTreeSet<Tag>,
    sites: BTreeMap<Tag, Site>,
    /// Where cells begin that an atomic update reads and writes: words that may serve as locks.
    updated: BTreeSet<(Tag, u64)>,
    /// What is given to threads when they are started.
    given: BTreeSet<Tag>,
    /// Whether a value out of nothing may be an address.
    is_open: bool,
    pub callees: Callees,
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
    pub fn of(program: &'p Program, mut go_on: impl FnMut() -> bool) -> Result<Option<Universe<'p>>, Refused> {
        let mut universe = Universe {
            program,
            tags: FxHashMap::default(),
            things: Vec::new(),
            registers: BTreeMap::new(),
            pieces: BTreeSet::new(),
            pointers: BTreeMap::new(),
            written: BTreeMap::new(),
            stretches: BTreeMap::new(),
            arrays: BTreeSet::new(),
            sites: BTreeMap::new(),
            updated: BTreeSet::new(),
            given: BTreeSet::new(),
            is_open: false,
            callees: Callees::new(),
            templates: Vec::new(),
            grown: false,
        };
        universe.tag(Thing::Thread);
        loop {
            universe.grown = false;
            universe.unfold()?;
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

    fn unfold(&mut self) -> Result<(), Refused> {
        let main = self.program.templates.first().map(|main| main.function);
        let mut entries: Vec<FunctionId> = main.into_iter().collect();
        entries.extend(self.templates.iter().map(|(entry, _)| *entry).filter(|entry| Some(*entry) != main));
        self.templates.clear();
        let mut next = 0;
        while next < entries.len() {
            let unfolded = Unfolded::of(self.program, entries[next], &self.callees)?;
            for arc in &unfolded.arcs {
                if let super::ArcKind::Spawn(entry) = arc.kind
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
            Thing::Site(_) => {
                let Site { extent, align, storage } = *self.sites.get(&tag)?;
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

    /// The static object whose cells are tracked, if it is one.
    pub fn tracked(&self, tag: Tag) -> Option<ObjectId> {
        match self.thing(tag) {
            Some(Thing::Static(id)) if !self.arrays.contains(&tag) => Some(id),
            _ => None,
        }
    }

    /// Whether the contents of an object with bytes are not tracked.
    pub fn is_array(&self, tag: Tag) -> bool {
        self.tracked(tag).is_none()
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

    /// The tracked cells of an object's bytes.
    pub fn cells_of(&self, object: Tag) -> Vec<CellKey> {
        self.stretches.get(&object).map(|stretches| stretches.cells(object, ..)).unwrap_or_default()
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
            CellKey::Alive(object) | CellKey::Size(object) | CellKey::Array(object) => (object, EVERYWHERE),
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
            CellKey::Bytes { object, start, .. } if self.updated.contains(&(object, start)) => {
                Some(CellKey::Changer { object, start })
            }
            _ => None,
        }
    }

    /// An atomic update makes these accesses.
    pub(super) fn updates(&mut self, touched: &[Touched]) {
        let is = |kind: AccessKind| move |touched: &&Touched| touched.mode.kind == kind;
        for written in touched.iter().filter(is(AccessKind::Write)) {
            if let CellKey::Bytes { object, start, .. } = written.cell
                && touched.iter().filter(is(AccessKind::Read)).any(|read| read.cell == written.cell)
            {
                self.grown |= self.updated.insert((object, start));
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
        let pointers = self.pointers.entry(object).or_default().entry(range).or_default();
        for tag in builder.tags(word).into_iter().filter(|tag| *tag != Tag::NUMBER) {
            self.grown |= pointers.insert(tag);
        }
    }

    /// A register may hold a value.
    pub(super) fn assigns(&mut self, builder: &Builder, register: (FunctionId, RegisterId), word: Word) {
        let known = self.registers.entry(register).or_default();
        for tag in builder.tags(word).into_iter().filter(|tag| *tag != Tag::NUMBER) {
            self.grown |= known.insert(tag);
        }
    }

    /// A register may hold bytes that are no single word.
    pub(super) fn assigns_pieces(&mut self, register: (FunctionId, RegisterId)) {
        self.grown |= self.pieces.insert(register);
    }

    /// Whether a register may hold bytes that are no single word: then nothing can be known of it.
    pub fn holds_pieces(&self, register: (FunctionId, RegisterId)) -> bool {
        self.pieces.contains(&register)
    }

    /// What a register may hold: a number, or one of these.
    pub fn register_tags(&self, register: (FunctionId, RegisterId)) -> Vec<Tag> {
        let known = self.registers.get(&register).into_iter().flatten().copied();
        [Tag::NUMBER].into_iter().chain(known).collect()
    }

    /// What a cell may hold: a number, or one of these.
    pub fn cell_tags(&self, key: CellKey) -> Vec<Tag> {
        let (object, range) = Self::range(key);
        let ranges = self.pointers.get(&object).into_iter().flatten();
        let meant = ranges.filter(|(other, _)| overlap(range, **other));
        let known: BTreeSet<Tag> = meant.flat_map(|(_, tags)| tags.iter().copied()).collect();
        [Tag::NUMBER].into_iter().chain(known).collect()
    }

    /// The objects that only the thread they belong to can reach: locals and allocations of which no address was ever given away.
    pub fn private(&self) -> BTreeSet<Tag> {
        let is_own =
            |tag: Tag| matches!(self.thing(tag), Some(Thing::Frame(..) | Thing::Site(_) | Thing::ThreadLocal(_)));
        let held = |object: Tag| self.pointers.get(&object).into_iter().flat_map(|ranges| ranges.values().flatten());
        if self.is_open {
            return BTreeSet::new();
        }
        let mut given: BTreeSet<Tag> = self.given.clone();
        for &object in self.pointers.keys().filter(|object| !is_own(**object)) {
            given.extend(held(object));
        }
        let mut pending: Vec<Tag> = given.iter().copied().collect();
        while let Some(object) = pending.pop() {
            for &tag in held(object) {
                if given.insert(tag) {
                    pending.push(tag);
                }
            }
        }
        let all = (0..self.things.len()).map(|index| Tag(index as u32 + Tag::FIRST.0));
        all.filter(|tag| is_own(*tag) && !given.contains(tag)).collect()
    }

    /// A value is given to a thread that is started.
    pub(super) fn gives(&mut self, builder: &Builder, word: Word) {
        for tag in builder.tags(word) {
            self.grown |= self.given.insert(tag);
        }
    }

    /// An indirect call or start may mean a function.
    pub(super) fn may_call(&mut self, edge: (FunctionId, selvedge_program::EdgeId), callee: FunctionId) {
        self.grown |= self.callees.entry(edge).or_default().insert(callee);
    }

    /// The object of a site.
    pub(super) fn allocate(&mut self, builder: &Builder, allocation: Allocation) -> Option<Tag> {
        let tag = self.tag(Thing::Site(allocation.site))?;
        let most = builder.terms.facts(allocation.size).high.min(u128::from(u64::MAX)) as u64;
        let is_exact = builder.constant(allocation.size).is_some();
        let new = Site { extent: Extent { most, is_exact }, align: allocation.align, storage: allocation.storage };
        let known = *self.sites.entry(tag).or_insert(new);
        let is_exact = known.extent.is_exact && is_exact && known.extent.most == most;
        let joined = Site { extent: Extent { most: known.extent.most.max(most), is_exact }, ..new };
        self.grown |= self.sites.insert(tag, joined) != Some(joined);
        if allocation.contents == selvedge_program::InitialContents::Indeterminate {
            let everywhere = self.pointers.entry(tag).or_default().entry(EVERYWHERE).or_default();
            self.grown |= everywhere.insert(Tag::INDETERMINATE);
        }
        Some(tag)
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

impl View<'_> {
    /// Takes every step once, so that the universe sees what it does; `false` if that was stopped.
    fn collect(&mut self, go_on: &mut impl FnMut() -> bool) -> bool {
        let mut edges = BTreeSet::new();
        let mut arcs = Vec::new();
        let mut seen = rustc_hash::FxHashSet::default();
        for (_, unfolded) in &self.universe.templates {
            for node in &unfolded.nodes {
                let function = self.universe.program.function(node.function);
                edges.extend(function.location(node.location).outgoing.iter().map(|edge| (node.function, *edge)));
            }
            for arc in &unfolded.arcs {
                let function = unfolded.get(arc.source).function;
                if seen.insert((function, arc.edge, arc.kind)) {
                    arcs.push((function, arc.edge, arc.kind));
                }
            }
        }
        for (function, edge) in edges {
            self.find_callees(function, edge);
        }
        for (function, edge, kind) in arcs {
            if !go_on() {
                return false;
            }
            let moved = self.moved(Who::Own, function, edge, kind);
            for (register, word) in &moved.registers {
                self.universe.assigns(&self.builder, *register, *word);
            }
            if let Action::Atomic(_) = &self.universe.program.function(function).edge(edge).action {
                self.universe.updates(&moved.touched);
            }
            for word in moved.passed.values() {
                self.universe.gives(&self.builder, *word);
            }
            for (key, word) in &moved.cells {
                self.universe.writes(&self.builder, *key, *word);
            }
        }
        true
    }
}
