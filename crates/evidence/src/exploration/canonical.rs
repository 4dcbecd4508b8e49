//! One form for states that behave alike: objects made at run time are numbered in the order in which they are come
//! upon from what the program names, those that nothing leads to are left out, and so are threads that have finished,
//! registers whose values nobody will look at, and what is in allocated memory if nothing in the program could read it.
//! Numbers that are terms are told by their terms. A state is kept as the XXH3 fingerprint of that form, 128 bits.
//!
//! Threads other than the initial one are told in the order of what they know themselves (where they stand, their
//! registers, locals and ghost fields), not in that of their starts. The semantics treats them alike, and the form tells
//! everything of a state but which thread was started first; where two threads have the same to tell although they
//! differ, for instance in who points to them, a state may have two forms, which costs time alone.

use super::Guessing;
use super::between::Begun;
use super::family::Family;
use super::numbers::{Held, Numbers};
use rustc_hash::FxHashMap;
use selvedge_logic::Term;
use selvedge_program::live::Live;
use selvedge_program::semantics::memory::Block;
use selvedge_program::semantics::{Byte, GhostKey, Instance, Spot, State, Value};
use selvedge_program::{
    Access, AccessKind, Accesses, Action, AtomicStep, Expr, FrameObjectId, GhostField, ObjectId, OutputPiece, Place,
    Program, RegisterId, ThreadIndex,
};
use std::cell::OnceCell;
use std::rc::Rc;
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_128;

/// An object that is as large and has not been written to is not looked at byte by byte.
const LARGE: u64 = 64;

/// Makes fingerprints of the states of a program.
pub struct Fingerprints<'p> {
    program: &'p Program,
    guessing: Guessing,
    live: Rc<[Live]>,
    /// Whether anything may ever read what is in allocated memory.
    reads_heap: bool,
    /// The static objects as they are at the beginning.
    initial: Vec<Option<Arc<Block>>>,
}

impl<'p> Fingerprints<'p> {
    /// For a program.
    pub fn of(program: &'p Program, guessing: Guessing) -> Self {
        let state = State::initial(program).ok();
        let block = |object: usize| state.as_ref()?.memory().shared_static(ObjectId::new(object)).cloned();
        Fingerprints {
            program,
            guessing,
            live: program.functions.iter().map(Live::of).collect(),
            reads_heap: program
                .functions
                .iter()
                .flat_map(|function| &function.edges)
                .any(|edge| reads_heap(&edge.action)),
            initial: (0..program.objects.len()).map(block).collect(),
        }
    }

    /// The live registers of every function.
    pub fn live(&self) -> Rc<[Live]> {
        Rc::clone(&self.live)
    }

    /// The fingerprint of a family.
    pub fn fingerprint(&self, family: &Family) -> u128 {
        let ranked = self.ranked(family);
        self.fingerprint_in(family, &ranked.iter().map(|(_, thread)| *thread).collect::<Vec<_>>())
    }

    /// Threads that do the same as another one which is not among these, up to which of them is which: exchanging the
    /// two makes no difference to the state.
    pub fn twins(&self, family: &Family) -> Vec<ThreadIndex> {
        let ranked = self.ranked(family);
        let mut threads: Vec<ThreadIndex> = ranked.iter().map(|(_, thread)| *thread).collect();
        let print = OnceCell::new();
        let mut twins = Vec::new();
        for second in 2..ranked.len() {
            if ranked[second - 1].0 == ranked[second].0 {
                let print = *print.get_or_init(|| self.fingerprint_in(family, &threads));
                threads.swap(second - 1, second);
                if self.fingerprint_in(family, &threads) == print {
                    twins.push(ranked[second].1);
                }
                threads.swap(second - 1, second);
            }
        }
        twins
    }

    /// The threads that are told, in the order in which they are: the initial one, then by what they know themselves.
    fn ranked(&self, Family { state, numbers, .. }: &Family) -> Vec<(Option<u128>, ThreadIndex)> {
        let threads: Vec<ThreadIndex> = state.thread_indices().filter(|thread| self.is_kept(state, *thread)).collect();
        let are_many = threads.len() > 2;
        let rank = |thread: ThreadIndex| {
            (are_many && thread != ThreadIndex(0)).then(|| self.own_fingerprint(state, numbers, thread))
        };
        let mut ranked: Vec<_> = threads.into_iter().map(|thread| (rank(thread), thread)).collect();
        ranked.sort_unstable();
        ranked
    }

    /// The fingerprint of a family if its threads are told in this order.
    fn fingerprint_in(&self, Family { state, numbers, begun, .. }: &Family, threads: &[ThreadIndex]) -> u128 {
        let mut form = Form::new(state, numbers, threads);
        form.reads_heap = self.reads_heap;
        form.number(threads.len() as u64);
        self.write_statics(&mut form);
        for thread in threads {
            self.write_thread(&mut form, *thread);
        }
        let is_found_later = |object: Instance| match object {
            Instance::Frame { .. } | Instance::Heap { .. } => true,
            Instance::Thread(thread) => !threads.contains(&thread),
            Instance::Static(_) | Instance::ThreadLocal(..) | Instance::Function(_) => false,
        };
        let is_found = |key: &GhostKey| !key.object.is_some_and(is_found_later);
        let place = |key: &GhostKey| match key.object {
            Some(Instance::Thread(thread) | Instance::ThreadLocal(_, thread)) => form.threads.get(&thread).copied(),
            _ => None,
        };
        let known = state.ghosts().filter(|(key, _)| is_found(key) && !numbers.ghosts.contains_key(key));
        let mut known: Vec<(GhostKey, &Value)> = known.collect();
        known.sort_by_key(|(key, _)| place(key));
        let terms = numbers.ghosts.iter().filter(|(key, _)| is_found(key));
        let mut terms: Vec<(GhostKey, Term)> = terms.map(|(key, term)| (*key, *term)).collect();
        terms.sort_by_key(|(key, _)| place(key));
        form.ghosts(known, terms);
        match state.atomic_section() {
            None => form.tag(0),
            Some(section) => {
                form.tag(1);
                form.thread(section.owner);
                form.number(u64::from(section.depth));
            }
        }
        match state.exit_status() {
            None => form.tag(0),
            Some(status) => {
                form.tag(1);
                form.value(&Value::Bits(status));
            }
        }
        let mut begun: Vec<&Begun> = begun.iter().collect();
        begun.sort_by_key(|begun| form.threads.get(&begun.thread).copied());
        begun.into_iter().for_each(|begun| form.begun(begun));
        if self.guessing == Guessing::Anybody {
            state.memory().live().for_each(|(object, _)| form.object(object));
        }
        form.write_unfolded();
        xxh3_128(&form.bytes)
    }

    /// The fingerprint of what a thread knows itself, in which no other but the initial thread has a number.
    fn own_fingerprint(&self, state: &State, numbers: &Numbers, thread: ThreadIndex) -> u128 {
        let mut form = Form::new(state, numbers, &[ThreadIndex(0), thread]);
        self.write_thread(&mut form, thread);
        state.ghosts_of(Instance::Thread(thread)).for_each(|(key, value)| form.ghost(key, value));
        xxh3_128(&form.bytes)
    }

    /// Whether a thread is told whether anything leads to it or not: it runs, or there is more to know of it than how it
    /// ended.
    fn is_kept(&self, state: &State, thread: ThreadIndex) -> bool {
        let is_about_end = |field: GhostField| {
            matches!(field, GhostField::ThreadStatus | GhostField::ThreadResult | GhostField::ThreadDetached)
        };
        self.guessing == Guessing::Anybody
            || thread == ThreadIndex(0)
            || state.frame(thread).is_some()
            || state.ghosts_of(Instance::Thread(thread)).any(|(key, _)| !is_about_end(key.field))
    }

    fn write_statics(&self, form: &mut Form<'_>) {
        let state = form.state;
        for (object, initial) in self.initial.iter().enumerate() {
            let block = state.memory().shared_static(ObjectId::new(object));
            match (block, initial) {
                (Some(block), Some(initial)) if block.contents.size() >= LARGE && Arc::ptr_eq(block, initial) => {
                    form.tag(2);
                }
                (Some(block), _) => form.block(Instance::Static(ObjectId::new(object)), block),
                (None, _) => form.tag(0),
            }
        }
    }

    fn write_thread(&self, form: &mut Form<'_>, thread: ThreadIndex) {
        let state = form.state;
        let Some(standing) = state.thread(thread) else { return };
        form.number(standing.frames.len() as u64);
        // The register that the call above returns to is written before it is read.
        let results: Vec<Option<RegisterId>> = standing.frames.iter().map(|frame| frame.result).collect();
        for (depth, frame) in standing.frames.iter().enumerate() {
            form.number(u64::from(frame.function.0));
            form.number(u64::from(frame.location.0));
            form.number(frame.result.map_or(0, |register| u64::from(register.0) + 1));
            let awaited = results.get(depth + 1).copied().flatten();
            for register in self.live[frame.function.index()].at(frame.location) {
                let held = form.numbers.registers.get(&(thread, depth, *register));
                match (frame.registers.get(register.index()), held) {
                    (Some(Some(value)), None) if awaited != Some(*register) => form.value(value),
                    (Some(Some(value)), Some(held)) if awaited != Some(*register) => form.held(value, held),
                    _ => form.tag(9),
                }
            }
            for object in 0..self.program.function(frame.function).frame.len() {
                form.object(frame.local(thread, FrameObjectId::new(object)));
            }
        }
        for (position, object) in self.program.objects.iter().enumerate() {
            if object.kind == selvedge_program::ObjectKind::ThreadLocal {
                let object = Instance::ThreadLocal(ObjectId::new(position), thread);
                match state.memory().block(object) {
                    Some(block) => form.block(object, block),
                    None => form.tag(0),
                }
            }
        }
    }
}

/// Whether an action may read bytes of what an address leads to that is no constant.
fn reads_heap(action: &Action) -> bool {
    let is_named = |address: &Expr| matches!(address, Expr::Address(..));
    let reads = |access: &Access| match &access.place {
        Place::Memory { address, .. } => !is_named(address),
        Place::Ghost { .. } => false,
    };
    match action.accesses() {
        Accesses::None | Accesses::Local(_) | Accesses::Freed(_) | Accesses::One(_, AccessKind::Write) => false,
        Accesses::One(access, AccessKind::Read) => reads(access),
        Accesses::Update(steps) => {
            let accesses = steps.iter().filter_map(AtomicStep::access);
            accesses.filter(|(_, kind)| *kind == AccessKind::Read).any(|(access, _)| reads(access))
        }
        Accesses::Printed(pieces) => pieces.iter().filter_map(OutputPiece::string).any(|address| !is_named(address)),
    }
}

/// The form of one state while it is written.
struct Form<'s> {
    state: &'s State,
    numbers: &'s Numbers,
    reads_heap: bool,
    bytes: Vec<u8>,
    /// The numbers of threads that are told in any case.
    threads: FxHashMap<ThreadIndex, u64>,
    /// The numbers of objects made at run time.
    names: FxHashMap<Instance, u64>,
    /// Those that have a number and have not been written.
    unfolded: Vec<Instance>,
}

impl<'s> Form<'s> {
    /// The empty form of a state in which these threads have their numbers.
    fn new(state: &'s State, numbers: &'s Numbers, threads: &[ThreadIndex]) -> Self {
        Form {
            state,
            numbers,
            reads_heap: true,
            bytes: Vec::with_capacity(512),
            threads: threads.iter().zip(0..).map(|(thread, number)| (*thread, number)).collect(),
            names: FxHashMap::default(),
            unfolded: Vec::new(),
        }
    }

    fn tag(&mut self, tag: u8) {
        self.bytes.push(tag);
    }

    fn number(&mut self, number: u64) {
        self.bytes.extend_from_slice(&number.to_le_bytes());
    }

    fn object(&mut self, object: Instance) {
        match object {
            Instance::Static(id) => {
                self.tag(0);
                self.number(u64::from(id.0));
            }
            Instance::ThreadLocal(id, thread) => {
                self.tag(1);
                self.number(u64::from(id.0));
                self.thread(thread);
            }
            Instance::Thread(thread) => {
                self.tag(2);
                self.thread(thread);
            }
            Instance::Function(function) => {
                self.tag(3);
                self.number(u64::from(function.0));
            }
            Instance::Frame { .. } | Instance::Heap { .. } => {
                self.tag(4);
                self.come_upon(object);
            }
        }
    }

    fn thread(&mut self, thread: ThreadIndex) {
        match self.threads.get(&thread).copied() {
            Some(number) => {
                self.tag(0);
                self.number(number);
            }
            None => {
                self.tag(1);
                self.come_upon(Instance::Thread(thread));
            }
        }
    }

    fn come_upon(&mut self, object: Instance) {
        let next = self.names.len() as u64;
        let number = *self.names.entry(object).or_insert(next);
        if number == next {
            self.unfolded.push(object);
        }
        self.number(number);
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::Bits(bits) => {
                self.tag(0);
                self.number(u64::from(bits.width()));
                self.bytes.extend_from_slice(&bits.unsigned().to_le_bytes());
            }
            Value::Pointer(pointer) => {
                self.tag(1);
                self.object(pointer.object);
                self.number(pointer.offset);
            }
            Value::Raw(bytes) => {
                self.tag(2);
                self.number(bytes.len() as u64);
                for byte in bytes.iter() {
                    match byte {
                        Byte::Known(byte) => {
                            self.tag(0);
                            self.tag(*byte);
                        }
                        Byte::Part(pointer, which) => {
                            self.tag(1);
                            self.tag(*which);
                            self.object(pointer.object);
                            self.number(pointer.offset);
                        }
                        Byte::Indeterminate => self.tag(2),
                    }
                }
            }
        }
    }

    fn term(&mut self, term: Term) {
        self.number(term.index() as u64);
    }

    /// A register of which something is terms; of what else it holds, the bytes.
    fn held(&mut self, value: &Value, held: &Held) {
        match held {
            Held::Whole(term) => {
                self.tag(10);
                self.term(*term);
            }
            Held::Parts(parts) => {
                self.tag(11);
                let bytes: Vec<Byte> = match value {
                    Value::Bits(bits) => bits.to_bytes().map(Byte::Known).collect(),
                    Value::Raw(bytes) => bytes.to_vec(),
                    Value::Pointer(_) => Vec::new(),
                };
                let is_term =
                    |at: usize| parts.iter().any(|(from, size, _)| (*from..from + size).contains(&(at as u32)));
                let rest = bytes.iter().enumerate();
                let rest = rest.map(|(at, byte)| if is_term(at) { Byte::Known(0) } else { *byte });
                self.value(&Value::Raw(rest.collect()));
                for (from, size, term) in parts.iter() {
                    self.number(u64::from(*from));
                    self.number(u64::from(*size));
                    self.term(*term);
                }
            }
        }
    }

    fn begun(&mut self, Begun { thread, pair, place, kind, since }: &Begun) {
        self.thread(*thread);
        self.number(*pair as u64);
        self.access(*kind, *place);
        self.number(since.len() as u64);
        since.iter().for_each(|(kind, spot)| self.access(*kind, *spot));
    }

    fn access(&mut self, kind: AccessKind, spot: Spot) {
        self.tag(kind as u8);
        match spot {
            Spot::Bytes { object, offset, size } => {
                self.object(object);
                self.number(offset);
                self.number(size);
            }
            Spot::Ghost(key) => self.ghost_key(key),
            Spot::Whole(object) => self.object(object),
        }
    }

    fn block(&mut self, object: Instance, block: &Block) {
        self.tag(1);
        self.number(u64::from(block.align));
        self.number(block.contents.size());
        let start = self.bytes.len();
        self.bytes.extend_from_slice(block.contents.data());
        let terms = self.numbers.overlapping(object, 0, block.contents.size());
        for (from, size, _) in &terms {
            let from = start + *from as usize;
            self.bytes[from..from + *size as usize].fill(0);
        }
        self.number(terms.len() as u64);
        for (from, size, term) in terms {
            self.number(from);
            self.number(u64::from(size));
            self.term(term);
        }
        let open = block.contents.indeterminate_bits();
        self.number(open.len() as u64);
        open.iter().for_each(|bits| self.number(*bits));
        self.number(block.contents.pointers().count() as u64);
        for (start, pointer, first, length) in block.contents.pointers() {
            self.number(start);
            self.tag(first);
            self.tag(length);
            self.object(pointer.object);
            self.number(pointer.offset);
        }
    }

    fn ghosts(&mut self, known: Vec<(GhostKey, &Value)>, terms: Vec<(GhostKey, Term)>) {
        self.number((known.len() + terms.len()) as u64);
        known.into_iter().for_each(|(key, value)| self.ghost(key, value));
        terms.into_iter().for_each(|(key, term)| self.ghost_term(key, term));
    }

    fn ghost(&mut self, key: GhostKey, value: &Value) {
        self.ghost_key(key);
        self.value(value);
    }

    fn ghost_term(&mut self, key: GhostKey, term: Term) {
        self.ghost_key(key);
        self.tag(10);
        self.term(term);
    }

    fn ghost_key(&mut self, key: GhostKey) {
        match key.object {
            None => self.tag(0),
            Some(object) => {
                self.tag(1);
                self.object(object);
            }
        }
        self.number(key.offset);
        self.bytes.extend_from_slice(format!("{:?}", key.field).as_bytes());
    }

    /// Writes the objects that were come upon, and those that these lead to.
    fn write_unfolded(&mut self) {
        let mut next = 0;
        while let Some(object) = self.unfolded.get(next).copied() {
            next += 1;
            let state = self.state;
            match (state.memory().block(object), object) {
                (Some(block), _) => {
                    if self.reads_heap || !matches!(object, Instance::Heap { .. }) {
                        self.block(object, block);
                    } else {
                        self.tag(5);
                        self.number(u64::from(block.align));
                        self.number(block.contents.size());
                    }
                    self.bytes.extend_from_slice(format!("{:?}", block.origin).as_bytes());
                }
                (None, Instance::Thread(_)) => self.tag(3),
                (None, _) => {
                    self.tag(0);
                    // One that was freed is told from one whose block has ended.
                    self.tag(u8::from(matches!(object, Instance::Heap { .. })));
                    continue;
                }
            }
            if let Instance::Frame { thread, serial } = object {
                // Which return ends its life.
                let frames = state.thread(thread).into_iter().flat_map(|thread| &thread.frames);
                self.thread(thread);
                self.number(frames.filter(|frame| frame.first_serial <= serial).count() as u64);
            }
            let numbers = self.numbers;
            let known = state.ghosts_of(object).filter(|(key, _)| !numbers.ghosts.contains_key(key));
            let known: Vec<(GhostKey, &Value)> = known.collect();
            let terms = numbers.ghosts.iter().filter(|(key, _)| key.object == Some(object));
            let terms: Vec<(GhostKey, Term)> = terms.map(|(key, term)| (*key, *term)).collect();
            self.ghosts(known, terms);
        }
    }
}
