//! What an action does, as terms over the state before it: when it can be taken, what is wrong otherwise, and what
//! registers and cells hold afterwards. A predicate over the values afterwards is its weakest precondition, where the
//! action is taken; beside the values before, the values afterwards are the strongest postcondition.

use std::collections::BTreeMap;

use selvedge_logic::{Sort, Term};
use selvedge_program::{
    AccessMode, Action, Base, CheckId, FrameObjectId, Function, GhostField, InitialContents, Object, Program, Register,
    RegisterId, SiteId, Span,
};

use crate::builder::Builder;
use crate::cell::{CellKey, Note};
use crate::entity::{Entity, Life};
use crate::eval::{Eval, Names, Trouble};
use crate::machine::{Allocation, Block, Machine, Many, trouble};
use crate::step::{Taken, take};
use crate::stretch::{Reading, Stretch};
use crate::tally::TALLY_WIDTH;
use crate::word::{Tag, Value, Word};

/// The state before an action: what a thread sees is called by terms.
pub trait Prestate<'p> {
    fn program(&self) -> &'p Program;
    /// The function that the thread is in.
    fn function(&self) -> &'p Function;
    /// What a register holds; `None` if nothing is known of it.
    fn register(&self, register: RegisterId) -> Option<Value>;
    /// An address constant.
    fn base(&mut self, builder: &mut Builder, base: Base, width: u32) -> Option<Word>;
    /// A local of the running activation.
    fn local(&mut self, slot: FrameObjectId) -> Option<Tag>;
    /// What an object is.
    fn entity(&self, tag: Tag) -> Option<Entity>;
    /// The declaration of an object that there is only one of.
    fn static_object(&self, tag: Tag) -> Option<&'p Object>;
    /// What is known of an object's life.
    fn life(&self, tag: Tag) -> Life;
    /// Whether the tag stands for several objects.
    fn is_several(&self, _tag: Tag) -> bool {
        false
    }
    /// The cells that make up some bytes of an object, in order.
    fn cells(&mut self, object: Tag, offset: u64, size: u64) -> Vec<CellKey>;
    /// All cells of an object that may be spoken of.
    fn cells_of(&self, object: Tag) -> Vec<CellKey>;
    /// What a cell holds; `None` if that is not tracked, because the cell stands for several or others may write it at
    /// any time.
    fn cell(&mut self, builder: &mut Builder, key: CellKey) -> Option<Word>;
    /// A value that a cell may hold that is not tracked, to look at or to move.
    fn any(&mut self, builder: &mut Builder, key: CellKey, width: u32, reading: Reading) -> Word;
    /// The cell that says who changed this one last, if that is of interest.
    fn changer(&self, _key: CellKey) -> Option<CellKey> {
        None
    }
    /// Whether proofs keep of a cell what threads add to it and take from it.
    fn is_counter(&self, _key: CellKey) -> bool {
        false
    }
    /// Whether [`CellKey::Unjoined`] is tracked.
    fn counts_threads(&self) -> bool {
        false
    }
    /// The one among the objects of a tag that stands for all of them, if there is one.
    fn one_of(&mut self, _tag: Tag) -> Option<Tag> {
        None
    }
    /// Whether another object stands for this one: what is wrong with it is noticed where it is wrong with that one.
    fn is_represented(&self, _tag: Tag) -> bool {
        false
    }
    /// What is certain of a value that was found somewhere.
    fn certainly(&mut self, _builder: &mut Builder, _word: Word, _found: Found) -> Option<Term> {
        None
    }
    /// The objects whose addresses must not get where other threads may find them without notice; `None` for cells
    /// that nobody else sees.
    fn escaping(&mut self, _builder: &mut Builder, _word: Word, _to: Option<CellKey>) -> Vec<(CellKey, Term)> {
        Vec::new()
    }
    /// The notes of who took an object out of a cell, for each whose address the cell may hold, with the condition that a
    /// word is that.
    fn takers(&mut self, _builder: &mut Builder, _word: Word, _from: CellKey) -> Vec<(CellKey, Term)> {
        Vec::new()
    }
    /// Something is written to a cell that is not tracked.
    fn untracked(&mut self, _builder: &Builder, _key: CellKey, _word: Word) {}
    /// Whether no other thread can reach a cell.
    fn is_own(&self, _key: CellKey) -> bool {
        false
    }
    /// Whether the object is treated as an array.
    fn is_array(&self, object: Tag) -> bool;
    /// An access may mean so many places of an object.
    fn many(&mut self, object: Tag, count: u64) -> Many;
    /// The threads that may have this field set, with the cell; `None` if they are not known one by one, and the field
    /// is not tracked.
    fn threads(&mut self, field: GhostField) -> Option<Vec<(Tag, CellKey)>>;
    /// Any thread.
    fn any_thread(&mut self, builder: &mut Builder, width: u32) -> Word;
    /// What an address of a thread may mean: an object that stands for threads, when, and the offset in it.
    fn thread_places(&mut self, builder: &mut Builder, address: Word, tag: Tag) -> Vec<(Tag, Term, Term)> {
        vec![(tag, builder.has_tag(address, tag), address.bits)]
    }
    /// The objects that a value out of nothing may point to; `None` if they are too many.
    fn addresses(&mut self) -> Option<Vec<Tag>>;
    /// The objects that uninitialised memory may point to; `None` if that is not modelled.
    fn uninitialised(&mut self) -> Option<Vec<Tag>> {
        None
    }
    /// What bytes somewhere in an array are, read under a condition; `None` if its contents are not tracked.
    fn load_array(
        &mut self,
        _builder: &mut Builder,
        _object: Tag,
        _at: Stretch,
        _when: Term,
        _reading: Reading,
    ) -> Option<Vec<(u32, Word)>> {
        None
    }
    /// Writes somewhere in an array, under a condition. Whether its contents are tracked.
    fn store_array(&mut self, _builder: &mut Builder, _object: Tag, _at: Stretch, _when: Term, _value: &Value) -> bool {
        false
    }
    /// The object that an allocation gives; `None` if there are too many.
    fn allocate(&mut self, builder: &Builder, site: SiteId, allocation: Allocation) -> Option<Tag>;
}

/// Where a value was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// In a register, or in memory that no other thread can reach.
    Own,
    /// In memory that others may reach.
    Shared,
}

/// An access that may race with others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Touched {
    pub cell: CellKey,
    pub when: Term,
    pub mode: AccessMode,
}

/// What an action does.
#[derive(Clone, Debug)]
pub struct Effect {
    pub taken: Taken,
    /// Nothing keeps it from being taken.
    pub enabled: Term,
    /// It waits for other threads, or is the wrong side of a branch.
    pub blocked: Term,
    /// What is undefined or not modelled, each under a condition; they exclude each other and `enabled`.
    pub troubles: Vec<(Term, Trouble)>,
    pub violations: Vec<(Term, CheckId)>,
    pub registers: BTreeMap<RegisterId, Value>,
    pub cells: BTreeMap<CellKey, Word>,
    pub touched: Vec<Touched>,
    /// Choices that are better looked at one by one.
    pub forks: Vec<Term>,
    /// Values out of nothing, each with the condition that it is asked for.
    pub chosen: Vec<(Term, Word)>,
    /// When another thread is joined, for a step that may join one, if threads are counted.
    pub joined: Option<Term>,
}

impl Effect {
    /// The effect of an action on what a prestate speaks of.
    pub fn of<'p>(builder: &mut Builder, before: &mut impl Prestate<'p>, action: &Action) -> Effect {
        let (effect, taken) = Effect::run(builder, before, |step| take(step, action));
        Effect { taken, ..effect }
    }

    /// The effect of a part of a step.
    pub fn run<'p, S: Prestate<'p>, T>(
        builder: &mut Builder,
        before: &mut S,
        run: impl FnOnce(&mut Step<'_, S>) -> T,
    ) -> (Effect, T) {
        let (yes, no) = (builder.yes, builder.no);
        let effect = Effect {
            taken: Taken::Along,
            enabled: yes,
            blocked: no,
            troubles: Vec::new(),
            violations: Vec::new(),
            registers: BTreeMap::new(),
            cells: BTreeMap::new(),
            touched: Vec::new(),
            forks: Vec::new(),
            chosen: Vec::new(),
            joined: None,
        };
        let mut step = Step { builder, before, effect };
        let result = run(&mut step);
        (step.effect, result)
    }

    /// What a register holds afterwards; `None` if nothing is known of it.
    pub fn register<'p>(&self, before: &impl Prestate<'p>, register: RegisterId) -> Option<Value> {
        self.registers.get(&register).cloned().or_else(|| before.register(register))
    }

    /// What a cell holds afterwards; `None` if that is not tracked.
    pub fn cell<'p>(&self, builder: &mut Builder, before: &mut impl Prestate<'p>, key: CellKey) -> Option<Word> {
        self.cells.get(&key).copied().or_else(|| before.cell(builder, key))
    }
}

/// A step under way.
#[derive(Debug)]
pub struct Step<'a, S> {
    pub(crate) builder: &'a mut Builder,
    pub(crate) before: &'a mut S,
    pub(crate) effect: Effect,
}

/// Why there are more or fewer threads to be joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    Started,
    Joined,
}

/// What expressions see: what the step has assigned so far, else the state before it.
struct SoFar<'a, S> {
    before: &'a mut S,
    registers: &'a BTreeMap<RegisterId, Value>,
}

impl<'p, S: Prestate<'p>> Names for SoFar<'_, S> {
    fn register(&self, register: RegisterId) -> Option<Word> {
        let assigned = self.registers.get(&register).cloned();
        match assigned.or_else(|| self.before.register(register))? {
            Value::Word(word) => Some(word),
            Value::Pieces(_) => None,
        }
    }

    fn base(&mut self, builder: &mut Builder, base: Base, width: u32) -> Option<Word> {
        self.before.base(builder, base, width)
    }

    fn entity(&self, tag: Tag) -> Option<Entity> {
        self.before.entity(tag)
    }

    fn life(&self, tag: Tag) -> Life {
        self.before.life(tag)
    }

    fn is_several(&self, tag: Tag) -> bool {
        self.before.is_several(tag)
    }
}

impl<'p, S: Prestate<'p>> Step<'_, S> {
    /// Notes that the thread is the last to have changed a cell, if anybody wants to know. Whether it did, if that
    /// depends, is better looked at by itself: then it is known together with what else tells it.
    fn note_changer(&mut self, (key, when): (CellKey, Term), old: Word, new: Word) {
        let Some(changer) = self.before.changer(key) else { return };
        let width = self.before.program().pointer_width();
        let Some(own) = self.before.base(self.builder, Base::SelfThread, width) else { return };
        let known = self.effect.cells.get(&changer).copied();
        if let Some(before) = known.or_else(|| self.before.cell(self.builder, changer)) {
            let same = self.builder.same(old, new);
            // An update that may change it or not, and has read it before: the registers tell.
            let changes = if self.builder.is(when, true) { self.builder.not(same) } else { when };
            let is_open = !self.builder.is(changes, true) && !self.builder.is(changes, false);
            if is_open && !self.effect.registers.is_empty() {
                self.effect.forks.push(changes);
            }
            let after = self.builder.choose(same, before, own);
            self.effect.cells.insert(changer, after);
        }
    }

    /// Notes that the thread has taken out of a cell what is there no longer.
    fn note_takers(&mut self, key: CellKey, old: Word, new: Word) {
        let (were, are) = (self.before.takers(self.builder, old, key), self.before.takers(self.builder, new, key));
        if were.is_empty() {
            return;
        }
        let width = self.before.program().pointer_width();
        let Some(own) = self.before.base(self.builder, Base::SelfThread, width) else { return };
        for (taker, was) in were {
            let is = are.iter().find(|(other, _)| *other == taker).map_or(self.builder.no, |(_, is)| *is);
            let is_taken = self.builder.and_not(was, is);
            self.put(taker, is_taken, own);
        }
    }

    /// A thread is started or has been joined, under a condition.
    pub fn count_threads(&mut self, when: Term, counted: Counted) {
        if !self.before.counts_threads() {
            return;
        }
        let before = self.read(CellKey::Unjoined, when);
        let width = self.builder.width(before.bits);
        let terms = &mut self.builder.terms;
        let (one, most) = (terms.bits(width, 1), terms.bits(width, selvedge_program::Bits::ones(width).unsigned()));
        let is_most = terms.equal(before.bits, most);
        let after = match counted {
            Counted::Started => terms.add(before.bits, one),
            Counted::Joined => terms.sub(before.bits, one),
        };
        let bits = terms.ite(is_most, most, after);
        let after = self.builder.plain(bits);
        self.write(CellKey::Unjoined, when, after);
    }

    /// What is certain of a value, as a condition of the step.
    pub fn assume_of(&mut self, word: Word, found: Found) {
        if let Some(certain) = self.before.certainly(self.builder, word, found) {
            self.effect.enabled = self.builder.and(self.effect.enabled, certain);
        }
    }

    /// A value gets where other threads may find it, under a condition; to a cell, if that is known.
    pub fn escapes(&mut self, word: Word, to: Option<CellKey>, when: Term) {
        for (note, meant) in self.before.escaping(self.builder, word, to) {
            let (when, escaped) = (self.builder.and(when, meant), self.builder.number(1, 1));
            self.put(note, when, escaped);
        }
    }

    /// Writes a tracked cell.
    fn put(&mut self, key: CellKey, when: Term, word: Word) {
        let old = match self.effect.cells.get(&key) {
            Some(word) => Some(*word),
            None => self.before.cell(self.builder, key),
        };
        if let Some(old) = old {
            let word = self.builder.choose(when, word, old);
            self.effect.cells.insert(key, word);
        }
    }

    /// One of the allocations of a site stands for all: this is the one, or it is another.
    fn one_or_other(&mut self, (one, other): (Tag, Tag), allocation: Allocation) -> Word {
        let width = self.before.program().pointer_width();
        let born = CellKey::Note(Note::Born, one);
        let before = self.read(born, self.builder.yes);
        let (is_born, chosen) = (self.builder.truth(before.bits), self.builder.fresh("one", Sort::Bool));
        let is_one = self.builder.and_not(chosen, is_born);
        self.effect.forks.push(is_one);
        let (yes, no) = (self.builder.number(1, 1), self.builder.number(1, 0));
        self.put(born, is_one, yes);
        self.put(CellKey::Note(Note::Escaped, one), is_one, no);
        if let Some(own) = self.before.base(self.builder, Base::SelfThread, width) {
            self.put(CellKey::Note(Note::Maker, one), is_one, own);
        }
        let size = self.builder.plain(allocation.size);
        let size = crate::access::ghost_word(self.builder, size, width);
        self.put(CellKey::Size(one), is_one, size);
        self.begin_life(one, allocation.contents, is_one);
        let (one, other) = (self.builder.pointer(one, width), self.builder.pointer(other, width));
        self.builder.choose(is_one, one, other)
    }

    /// An object comes to life: nothing is left in its cells of what was there before.
    fn begin_life(&mut self, tag: Tag, contents: InitialContents, yes: Term) {
        let alive = self.builder.number(1, 1);
        self.write(CellKey::Alive(tag), yes, alive);
        for key in self.before.cells_of(tag) {
            let word = match (key, contents) {
                (CellKey::Bytes { size, .. }, InitialContents::Zero) => self.builder.number(size * 8, 0),
                (CellKey::Bytes { size, .. }, InitialContents::Indeterminate) => {
                    self.builder.fresh_indeterminate(size * 8)
                }
                (CellKey::Ghost { .. }, _) => self.builder.number(crate::GHOST_WIDTH, 0),
                (
                    CellKey::Alive(_)
                    | CellKey::Size(_)
                    | CellKey::Array(_)
                    | CellKey::Changer { .. }
                    | CellKey::Tally { .. }
                    | CellKey::Note(..)
                    | CellKey::Unjoined,
                    _,
                ) => continue,
            };
            self.write(key, yes, word);
        }
    }
}

impl<'p, S: Prestate<'p>> Machine<'p> for Step<'_, S> {
    fn program(&self) -> &'p Program {
        self.before.program()
    }

    fn builder(&mut self) -> &mut Builder {
        self.builder
    }

    fn ok(&mut self) -> &mut Term {
        &mut self.effect.enabled
    }

    fn fails(&mut self, when: Term, trouble: Trouble) {
        self.effect.troubles.push((when, trouble));
    }

    fn violates(&mut self, when: Term, check: CheckId) {
        let when = self.builder.and(self.effect.enabled, when);
        self.effect.violations.push((when, check));
    }

    fn blocks(&mut self, when: Term, _block: Block) {
        self.effect.blocked = self.builder.or(self.effect.blocked, when);
    }

    fn evaluate<T>(&mut self, evaluate: impl FnOnce(&mut Eval<'_>) -> T) -> T {
        let pointer_width = self.before.program().pointer_width();
        let mut troubles = Vec::new();
        self.builder.span = Span::NOWHERE;
        let mut names = SoFar { before: &mut *self.before, registers: &self.effect.registers };
        let value = evaluate(&mut Eval {
            builder: &mut *self.builder,
            names: &mut names,
            pointer_width,
            troubles: &mut troubles,
        });
        for (when, what) in troubles {
            trouble(self, when, what);
        }
        value
    }

    fn declaration(&self, register: RegisterId) -> Option<&'p Register> {
        Some(self.before.function().register(register))
    }

    fn pieces(&self, register: RegisterId) -> Option<Value> {
        let assigned = self.effect.registers.get(&register).cloned();
        assigned.or_else(|| self.before.register(register)).filter(|value| matches!(value, Value::Pieces(_)))
    }

    fn assign(&mut self, register: RegisterId, value: Value) {
        self.effect.registers.insert(register, value);
    }

    fn entity(&self, tag: Tag) -> Option<Entity> {
        self.before.entity(tag)
    }

    fn static_object(&self, tag: Tag) -> Option<&'p Object> {
        self.before.static_object(tag)
    }

    fn is_array(&self, object: Tag) -> bool {
        self.before.is_array(object)
    }

    fn many(&mut self, object: Tag, count: u64) -> Many {
        self.before.many(object, count)
    }

    fn threads(&mut self, field: GhostField) -> Option<Vec<(Tag, CellKey)>> {
        self.before.threads(field)
    }

    fn any_thread(&mut self, width: u32) -> Word {
        self.before.any_thread(self.builder, width)
    }

    fn thread_places(&mut self, address: Word, tag: Tag) -> Vec<(Tag, Term, Term)> {
        self.before.thread_places(self.builder, address, tag)
    }

    fn cells(&mut self, object: Tag, offset: u64, size: u64) -> Vec<CellKey> {
        self.before.cells(object, offset, size)
    }

    fn read(&mut self, key: CellKey, _when: Term) -> Word {
        if let Some(word) = self.effect.cells.get(&key) {
            return *word;
        }
        match self.before.cell(self.builder, key) {
            Some(word) => {
                let found = if self.before.is_own(key) { Found::Own } else { Found::Shared };
                self.assume_of(word, found);
                self.assume_tallies(key);
                word
            }
            None => {
                let width = match key {
                    CellKey::Bytes { size, .. } => size * 8,
                    CellKey::Ghost { .. } => crate::GHOST_WIDTH,
                    CellKey::Tally { .. } => TALLY_WIDTH,
                    CellKey::Alive(_) | CellKey::Note(Note::Born | Note::Escaped, _) => 1,
                    CellKey::Size(_)
                    | CellKey::Array(_)
                    | CellKey::Changer { .. }
                    | CellKey::Note(Note::Maker | Note::Taker, _)
                    | CellKey::Unjoined => self.before.program().pointer_width(),
                };
                let word = self.before.any(self.builder, key, width, Reading::Look);
                self.assume_of(word, Found::Shared);
                word
            }
        }
    }

    fn write(&mut self, key: CellKey, when: Term, word: Word) {
        self.escapes(word, Some(key), when);
        let old = match self.effect.cells.get(&key) {
            Some(word) => Some(*word),
            None => self.before.cell(self.builder, key),
        };
        // What is not tracked may be anything, before and after.
        match old {
            Some(old) => {
                let after = self.builder.choose(when, word, old);
                self.effect.cells.insert(key, after);
                self.note_changer((key, when), old, after);
                self.note_takers(key, old, after);
                self.keep_tallies((key, when), old, word);
            }
            None => self.before.untracked(self.builder, key, word),
        }
    }

    fn settle(&mut self, key: CellKey, when: Term, word: Word) {
        let open = self.builder.has_tag(word, Tag::INDETERMINATE);
        if !self.builder.is(open, false) {
            let settles = self.builder.and(open, when);
            let settled = self.builder.plain(word.bits);
            self.write(key, settles, settled);
        }
    }

    fn load_stretch(&mut self, object: Tag, at: Stretch, when: Term, reading: Reading) -> Vec<(u32, Word)> {
        if let Some(pieces) = self.before.load_array(self.builder, object, at, when, reading) {
            return pieces;
        }
        let word = self.before.any(self.builder, CellKey::Array(object), at.size * 8, reading);
        self.assume_of(word, Found::Shared);
        vec![(at.size, word)]
    }

    fn store_stretch(&mut self, object: Tag, at: Stretch, when: Term, value: &Value) {
        if self.before.store_array(self.builder, object, at, when, value) {
            return;
        }
        let words = match value {
            Value::Word(word) => vec![*word],
            Value::Pieces(pieces) => pieces.iter().map(|(_, word)| *word).collect(),
        };
        for word in words {
            self.escapes(word, Some(CellKey::Array(object)), when);
            self.before.untracked(self.builder, CellKey::Array(object), word);
        }
    }

    fn is_represented(&self, tag: Tag) -> bool {
        self.before.is_represented(tag)
    }

    fn touch(&mut self, cell: CellKey, when: Term, mode: AccessMode) {
        if self.before.is_represented(cell.object()) {
            return;
        }
        let when = self.builder.and(self.effect.enabled, when);
        self.effect.touched.push(Touched { cell, when, mode });
    }

    fn chosen(&mut self, asked: Term, bits: Term) {
        let word = self.builder.plain(bits);
        self.effect.chosen.push((asked, word));
    }

    fn picked(&mut self, asked: Term, thread: Word) {
        self.effect.chosen.push((asked, thread));
    }

    fn address_out_of_nothing(&mut self, bits: Term) -> Word {
        let yes = self.builder.yes;
        let Some(objects) = self.before.addresses() else {
            let elsewhere = self.builder.fresh("a", Sort::Bool);
            let what = "a value out of nothing, which may be the address of anything".to_owned();
            trouble(self, elsewhere, Trouble::Unsupported(what));
            let word = self.builder.plain(bits);
            self.effect.chosen.push((yes, word));
            return word;
        };
        let mut tags = vec![Tag::NUMBER];
        tags.extend(objects);
        let word = Word { tag: self.builder.fresh_tag(&tags), bits };
        self.effect.chosen.push((yes, word));
        word
    }

    fn uninitialised_address(&mut self, bits: Term) -> Option<Word> {
        let mut tags = vec![Tag::NUMBER];
        tags.extend(self.before.uninitialised()?);
        Some(Word { tag: self.builder.fresh_tag(&tags), bits })
    }

    fn counts_threads(&self) -> bool {
        self.before.counts_threads()
    }

    fn joins(&mut self, when: Term) {
        let so_far = self.effect.joined.unwrap_or(self.builder.no);
        self.effect.joined = Some(self.builder.or(so_far, when));
        self.count_threads(when, Counted::Joined);
    }

    fn allocate(&mut self, allocation: Allocation) -> Option<Word> {
        let tag = self.before.allocate(self.builder, allocation.site, allocation);
        let Some(tag) = tag else {
            let yes = self.builder.yes;
            trouble(self, yes, Trouble::Unsupported("too many objects".to_owned()));
            return None;
        };
        if let Some(one) = self.before.one_of(tag) {
            return Some(self.one_or_other((one, tag), allocation));
        }
        let width = self.before.program().pointer_width();
        if self.before.entity(tag).is_some_and(|entity| !entity.extent().is_exact) {
            let (yes, size) = (self.builder.yes, self.builder.plain(allocation.size));
            let size = crate::access::ghost_word(self.builder, size, width);
            self.write(CellKey::Size(tag), yes, size);
        }
        let yes = self.builder.yes;
        self.begin_life(tag, allocation.contents, yes);
        Some(self.builder.pointer(tag, width))
    }

    fn end(&mut self, tag: Tag, when: Term) {
        let dead = self.builder.number(1, 0);
        self.write(CellKey::Alive(tag), when, dead);
    }

    fn forget(&mut self, slot: FrameObjectId) {
        let Some(tag) = self.local(slot) else { return };
        let yes = self.builder.yes;
        self.begin_life(tag, InitialContents::Indeterminate, yes);
    }

    fn local(&mut self, slot: FrameObjectId) -> Option<Tag> {
        self.before.local(slot)
    }
}
