//! A thread of the unrolling as the machine that the symbolic semantics speaks of.

use selvedge_evidence::Subject;
use selvedge_logic::Term;
use selvedge_program::{
    AccessMode, Base, CheckId, FrameObjectId, GhostField, ObjectKind, Program, Register, RegisterId,
};
use selvedge_symbolic::{
    Allocation, Block, Builder, CellKey, Entity, Eval, Life, Machine, Many, Names, Reading, Stretch, Tag, Trouble,
    Value, Word, trouble,
};

use super::cells::{Class, Knowledge};
use super::claims::Claim;
use super::objects::{Object, Objects};
use super::path::{Answer, Choice};
use super::state::{Activation, State};
use super::walk::Walker;
use crate::skeleton::ThreadId;

/// A walk about to take a step, and the state that the step is taken in.
pub struct Run<'r, 'a, 'p> {
    pub walker: &'r mut Walker<'a, 'p>,
    pub state: &'r mut State,
}

/// The registers and addresses that an expression of the running activation sees.
struct Seen<'a> {
    program: &'a Program,
    objects: &'a mut Objects,
    knowledge: &'a Knowledge,
    place_threads: &'a [ThreadId],
    thread: ThreadId,
    state: &'a State,
}

impl Names for Seen<'_> {
    fn register(&self, register: RegisterId) -> Option<Word> {
        match self.state.top()?.registers.get(register.index())? {
            Some(Value::Word(word)) => Some(*word),
            Some(Value::Pieces(_)) | None => None,
        }
    }

    fn base(&mut self, builder: &mut Builder, base: Base, width: u32) -> Option<Word> {
        let object = match base {
            Base::Object(id) if self.program.object(id).kind == ObjectKind::ThreadLocal => {
                Object::ThreadLocal(id, self.thread)
            }
            Base::Object(id) => Object::Static(id),
            Base::Frame(slot) => self.state.top()?.local(slot),
            Base::Function(function) => Object::Function(function),
            Base::SelfThread => Object::Thread(self.thread),
        };
        self.objects.tag(object).map(|tag| builder.pointer(tag, width))
    }

    fn entity(&self, tag: Tag) -> Option<Entity> {
        self.objects.entity(self.program, tag)
    }

    /// What a thread knows of an object's life without looking at what is shared.
    fn life(&self, tag: Tag) -> Life {
        let is_own = match self.objects.object(tag) {
            None | Some(Object::Static(_) | Object::Thread(_) | Object::Function(_)) => return Life::Lasts,
            Some(Object::ThreadLocal(_, owner)) => owner == self.thread,
            Some(Object::Frame(place, ..) | Object::Allocated(place, _)) => {
                self.place_threads[place.index()] == self.thread
            }
        };
        let key = CellKey::Alive(tag);
        match self.knowledge.class(key) {
            Class::Constant => Life::Lasts,
            Class::Private if is_own => self.state.cell(key).map_or(Life::Lasts, Life::Is),
            Class::Private | Class::Shared => Life::Unknown,
        }
    }
}

impl Activation {
    /// One of its locals.
    pub fn local(&self, slot: FrameObjectId) -> Object {
        Object::Frame(self.place, self.function, slot)
    }
}

impl Walker<'_, '_> {
    /// Evaluates with the registers of a state. What goes wrong is left in the list.
    pub(super) fn evaluate_into<T>(
        &mut self,
        state: &State,
        troubles: &mut Vec<(Term, Trouble)>,
        evaluate: impl FnOnce(&mut Eval<'_>) -> T,
    ) -> T {
        let program = self.unroller.program;
        if let Some(activation) = state.top() {
            self.round.builder.span = program.function(activation.function).edge(self.here.edge).span;
        }
        let mut seen = Seen {
            program,
            objects: &mut self.unroller.objects,
            knowledge: &self.unroller.knowledge,
            place_threads: &self.unroller.place_threads,
            thread: self.round.thread,
            state,
        };
        let pointer_width = program.pointer_width();
        evaluate(&mut Eval { builder: &mut self.round.builder, names: &mut seen, pointer_width, troubles })
    }
}

impl<'p> Machine<'p> for Run<'_, '_, 'p> {
    fn program(&self) -> &'p Program {
        self.walker.unroller.program
    }

    fn is_an_execution(&self) -> bool {
        true
    }

    fn builder(&mut self) -> &mut Builder {
        &mut self.walker.round.builder
    }

    fn ok(&mut self) -> &mut Term {
        &mut self.walker.here.ok
    }

    fn fails(&mut self, when: Term, trouble: Trouble) {
        let here = &mut self.walker.here;
        here.troubles.push((when, trouble, here.edge, here.choices.clone()));
    }

    fn violates(&mut self, when: Term, check: CheckId) {
        self.walker.fails(Claim::Violation(Subject::Assertion(check)), when);
    }

    fn blocks(&mut self, when: Term, block: Block) {
        if block == Block::Waits && !self.walker.round.builder.is(when, false) {
            self.walker.stop(self.state);
        }
        let walker = &mut *self.walker;
        let before = walker.here.blocked.unwrap_or(walker.round.builder.no);
        walker.here.blocked = Some(walker.round.builder.or(before, when));
    }

    fn evaluate<T>(&mut self, evaluate: impl FnOnce(&mut Eval<'_>) -> T) -> T {
        let mut troubles = Vec::new();
        let value = self.walker.evaluate_into(self.state, &mut troubles, evaluate);
        for (when, what) in troubles {
            trouble(self, when, what);
        }
        value
    }

    fn declaration(&self, register: RegisterId) -> Option<&'p Register> {
        let program = self.walker.unroller.program;
        self.state.top().map(|activation| program.function(activation.function).register(register))
    }

    fn pieces(&self, register: RegisterId) -> Option<Value> {
        match self.state.top()?.registers.get(register.index())? {
            Some(pieces @ Value::Pieces(_)) => Some(pieces.clone()),
            Some(Value::Word(_)) | None => None,
        }
    }

    fn assign(&mut self, register: RegisterId, value: Value) {
        self.state.assign(register, value);
    }

    fn entity(&self, tag: Tag) -> Option<Entity> {
        self.walker.unroller.objects.entity(self.walker.unroller.program, tag)
    }

    fn static_object(&self, tag: Tag) -> Option<&'p selvedge_program::Object> {
        match self.walker.unroller.objects.object(tag)? {
            Object::Static(id) => Some(self.walker.unroller.program.object(id)),
            _ => None,
        }
    }

    fn is_array(&self, object: Tag) -> bool {
        self.walker.unroller.knowledge.is_array(object)
    }

    fn many(&mut self, object: Tag, count: u64) -> Many {
        let bounds = self.walker.unroller.bounds;
        let knowledge = &mut self.walker.unroller.knowledge;
        if count > bounds.candidates && !knowledge.is_shared(object) {
            knowledge.make_array(object);
            return Many::Stretch;
        }
        if count > bounds.shared_candidates { Many::Refuse(bounds.shared_candidates) } else { Many::List }
    }

    fn threads(&mut self, field: GhostField) -> Option<Vec<(Tag, CellKey)>> {
        let threads = (0..self.walker.unroller.thread_count()).map(ThreadId::new);
        let tags: Vec<Tag> = threads.filter_map(|thread| self.walker.tag(Object::Thread(thread))).collect();
        let cells = tags.into_iter().map(|tag| (tag, CellKey::Ghost { object: tag, offset: 0, field }));
        let knowledge = &self.walker.unroller.knowledge;
        Some(cells.filter(|(_, key)| knowledge.class(*key) != Class::Constant).collect())
    }

    /// Never asked for: all threads are known.
    fn any_thread(&mut self, width: u32) -> Word {
        self.walker.round.builder.number(width, 0)
    }

    fn thread_places(&mut self, address: Word, tag: Tag) -> Vec<(Tag, Term, Term)> {
        vec![(tag, self.walker.round.builder.has_tag(address, tag), address.bits)]
    }

    fn cells(&mut self, object: Tag, offset: u64, size: u64) -> Vec<CellKey> {
        self.walker.unroller.knowledge.split(object, offset, size)
    }

    fn read(&mut self, key: CellKey, when: Term) -> Word {
        self.walker.read_cell(self.state, key, when)
    }

    fn write(&mut self, key: CellKey, when: Term, word: Word) {
        self.walker.write_cell(self.state, key, when, word);
    }

    fn settle(&mut self, key: CellKey, when: Term, word: Word) {
        self.walker.settle_cell(self.state, key, when, word);
    }

    /// A cell is copied: whether it has been looked at makes a difference if it may be indeterminate.
    fn moved(&mut self, key: CellKey, word: Word) {
        let open = self.walker.round.builder.has_tag(word, Tag::INDETERMINATE);
        if !self.walker.round.builder.is(open, false) {
            self.walker.unroller.knowledge.moves(key);
        }
    }

    fn load_stretch(&mut self, object: Tag, at: Stretch, when: Term, reading: Reading) -> Vec<(u32, Word)> {
        self.load_array(object, at, when, reading)
    }

    fn store_stretch(&mut self, object: Tag, at: Stretch, when: Term, value: &Value) {
        self.store_array(object, at, when, value);
    }

    fn begin_access(&mut self) {
        self.walker.round.accesses += 1;
    }

    fn touch(&mut self, key: CellKey, when: Term, mode: AccessMode) {
        self.walker.site(self.state, key, when, mode);
    }

    fn chosen(&mut self, asked: Term, bits: Term) {
        self.walker.here.choices.push(Choice { asked, answer: Answer::Number(bits) });
    }

    fn picked(&mut self, asked: Term, thread: Word) {
        self.walker.here.choices.push(Choice { asked, answer: Answer::Thread(thread) });
    }

    fn address_out_of_nothing(&mut self, bits: Term) -> Word {
        let (word, answer) = self.walker.address_out_of_nothing(self.state, bits);
        let asked = self.walker.round.builder.yes;
        self.walker.here.choices.push(Choice { asked, answer });
        word
    }

    fn uninitialised_address(&mut self, _bits: Term) -> Option<Word> {
        None
    }

    fn allocate(&mut self, allocation: Allocation) -> Option<Word> {
        self.walker.allocate(self.state, allocation)
    }

    fn end(&mut self, tag: Tag, when: Term) {
        self.walker.kill(self.state, tag, when);
    }

    fn forget(&mut self, slot: FrameObjectId) {
        self.walker.forget(self.state, slot);
    }

    fn local(&mut self, slot: FrameObjectId) -> Option<Tag> {
        let object = self.state.top()?.local(slot);
        self.walker.tag(object)
    }
}
