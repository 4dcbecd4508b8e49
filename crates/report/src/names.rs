//! What things are called in a report on one trace: as the programmer knows them.
//!
//! The concrete semantics names what is alive at a moment. A report names things across a whole trace: locals of
//! functions that have returned, and memory from the heap by the variable through which it is reached.

use selvedge_program::semantics::{Changed, Event, Instance, State, Value, names};
use selvedge_program::trace::Replay;
use selvedge_program::{
    Bits, Display, FrameObjectId, FunctionId, ObjectKind, Program, Shape, SiteId, Span, ThreadIndex,
};
use std::collections::BTreeMap;

/// What a shape calls the part at an offset.
type Naming<'a> = &'a dyn Fn(&Shape, u64) -> Option<String>;

/// The names of what occurs in a trace.
#[derive(Debug)]
pub struct Names<'a> {
    program: &'a Program,
    /// The last state.
    state: &'a State,
    locals: BTreeMap<(ThreadIndex, u64), (FunctionId, FrameObjectId)>,
    heap: BTreeMap<Instance, Allocation>,
    entries: BTreeMap<ThreadIndex, FunctionId>,
}

#[derive(Debug)]
struct Allocation {
    site: SiteId,
    size: u64,
    /// The variable through which it is reached.
    holder: Option<String>,
}

impl<'a> Names<'a> {
    pub(crate) fn new(program: &'a Program, state: &'a State) -> Self {
        Names { program, state, locals: BTreeMap::new(), heap: BTreeMap::new(), entries: BTreeMap::new() }
    }

    /// Notes the locals that are alive in a state.
    pub(crate) fn locals(&mut self, state: &State) {
        for thread in state.thread_indices() {
            if let Some(frame) = state.thread(thread).and_then(|thread| thread.frames.first()) {
                self.entries.insert(thread, frame.function);
            }
            for frame in state.thread(thread).into_iter().flat_map(|thread| &thread.frames) {
                for local in 0..self.program.function(frame.function).frame.len() {
                    let key = (thread, frame.first_serial + local as u64);
                    self.locals.entry(key).or_insert((frame.function, FrameObjectId::new(local)));
                }
            }
        }
    }

    /// Notes all memory that is allocated.
    pub(crate) fn allocations(&mut self, replay: &Replay) {
        for event in replay.effects.iter().flat_map(|effects| &effects.events) {
            if let Event::Allocated { object, size, site } = event {
                self.heap.insert(*object, Allocation { site: *site, size: *size, holder: None });
            }
        }
    }

    /// Calls each allocation by the variable that most often gets its address; a global goes before all locals, what
    /// came first before what came later.
    pub(crate) fn find_holders(&mut self, replay: &Replay) {
        let mut votes: BTreeMap<Instance, Vec<(String, usize)>> = BTreeMap::new();
        for change in replay.effects.iter().flat_map(|effects| &effects.changes) {
            let Some(pointer) = change.new.as_pointer().filter(|pointer| pointer.offset == 0) else { continue };
            if !self.heap.contains_key(&pointer.object) {
                continue;
            }
            let (name, weight) = match change.what {
                Changed::Register(function, register) => {
                    let name = &self.program.function(function).register(register).name;
                    match name {
                        Some(name) if self.is_users_function(function) => (name.clone(), 1),
                        _ => continue,
                    }
                }
                Changed::Memory { object: Instance::Heap { .. }, .. } => continue,
                Changed::Memory { object, offset, size } if !self.is_internal(object) => {
                    let weight = if matches!(object, Instance::Static(_)) { 1000 } else { 1 };
                    let owner = match object {
                        Instance::Frame { thread, .. } => Some(thread),
                        _ => None,
                    };
                    (self.place(object, offset, size, owner), weight)
                }
                Changed::Memory { .. } | Changed::Ghost(_) => continue,
            };
            let votes = votes.entry(pointer.object).or_default();
            match votes.iter_mut().find(|(known, _)| *known == name) {
                Some((_, count)) => *count += weight,
                None => votes.push((name, weight)),
            }
        }
        for (object, votes) in votes {
            let most = votes.iter().map(|(_, count)| *count).max();
            let holder = votes.into_iter().find(|(_, count)| Some(*count) == most).map(|(name, _)| name);
            if let Some(allocation) = self.heap.get_mut(&object) {
                allocation.holder = holder;
            }
        }
    }

    /// What the function that a thread starts with is called: of the initial thread, `main`, whatever runs before it.
    pub fn entry(&self, thread: ThreadIndex) -> Option<&str> {
        let function = self.entries.get(&thread).copied()?;
        Some(if self.is_before_main(function) { "main" } else { &self.program.function(function).name })
    }

    /// Whether a function sets up what `main` is given, and calls it.
    pub fn is_before_main(&self, function: FunctionId) -> bool {
        let is_first = Some(function) == self.program.main() && self.program.function(function).name != "main";
        is_first && self.program.functions.iter().any(|function| function.name == "main")
    }

    fn is_main(&self, function: FunctionId) -> bool {
        Some(function) == self.program.main() || self.program.function(function).name == "main"
    }

    fn is_users_function(&self, function: FunctionId) -> bool {
        self.program.is_the_users(self.program.function(function).span)
    }

    /// Whether an object belongs to a model of ours: the user has not heard of it.
    pub fn is_internal(&self, object: Instance) -> bool {
        match object {
            Instance::Static(id) | Instance::ThreadLocal(id, _) => {
                let object = self.program.object(id);
                object.name.starts_with("__selvedge")
                    || object.span.is_somewhere() && !self.program.is_the_users(object.span)
            }
            Instance::Frame { thread, serial } => {
                self.locals.get(&(thread, serial)).is_some_and(|(function, _)| !self.is_users_function(*function))
            }
            Instance::Heap { .. } | Instance::Thread(_) | Instance::Function(_) => false,
        }
    }

    /// Whether an object is a constant.
    pub fn is_constant(&self, object: Instance) -> bool {
        matches!(object, Instance::Static(id) if self.program.object(id).kind == ObjectKind::Constant)
    }

    /// Whether a function's registers mean something to the user.
    pub fn knows(&self, function: FunctionId) -> bool {
        self.is_users_function(function)
    }

    /// So many bytes of an object, as seen by a thread: `queue.head`, `chan->w_mu`, `me.x of thread 1`. A size of 0
    /// means the address alone.
    pub fn place(&self, object: Instance, offset: u64, size: u32, viewer: Option<ThreadIndex>) -> String {
        self.part(object, offset, viewer, &|shape, offset| shape.path(offset, size))
    }

    /// A lock, or another object of the library, as seen by a thread: `chan->w_mu`, `locks[2]`.
    pub fn lock(&self, object: Instance, offset: u64, viewer: Option<ThreadIndex>) -> String {
        self.part(object, offset, viewer, &Shape::lock_at)
    }

    fn part(&self, object: Instance, offset: u64, viewer: Option<ThreadIndex>, named: Naming<'_>) -> String {
        match object {
            Instance::Heap { .. } => match self.heap.get(&object) {
                Some(allocation) => self.heap_place(allocation, offset, named),
                None => names::part(self.program, self.state, object, offset, named),
            },
            Instance::Frame { thread, serial } => match self.locals.get(&(thread, serial)) {
                Some((function, local)) => {
                    let local = self.program.function(*function).frame_object(*local);
                    let path = named(&local.shape, offset).unwrap_or_else(|| self.bytes(offset));
                    let is_plain = viewer == Some(thread) || self.is_main(*function);
                    let owner = if is_plain { String::new() } else { format!(" of thread {}", thread.0) };
                    format!("{}{path}{owner}", local.name)
                }
                None => match self.heap.get(&object) {
                    Some(allocation) => self.heap_place(allocation, offset, named),
                    None => names::part(self.program, self.state, object, offset, named),
                },
            },
            Instance::Static(_) | Instance::ThreadLocal(..) | Instance::Thread(_) | Instance::Function(_) => {
                names::part(self.program, self.state, object, offset, named)
            }
        }
    }

    fn bytes(&self, offset: u64) -> String {
        match Bits::new(self.program.pointer_width(), u128::from(offset)).as_signed() {
            0 => String::new(),
            offset => format!("{offset:+}"),
        }
    }

    /// `chan->w_mu`, `*p`, `table[3].key`, or so many bytes into memory of a line.
    fn heap_place(&self, allocation: &Allocation, offset: u64, named: Naming<'_>) -> String {
        let Some(holder) = &allocation.holder else {
            let bytes = self.bytes(offset);
            let bytes = if bytes.is_empty() { String::new() } else { format!(" {bytes}") };
            return format!("{}{bytes}", self.allocated(allocation));
        };
        match self.program.allocated.get(&allocation.site) {
            Some((shape, stride)) if allocation.size <= *stride => match named(shape, offset) {
                Some(path) if path.starts_with('.') => format!("{holder}->{}", &path[1..]),
                Some(path) if path.is_empty() => format!("*{holder}"),
                Some(path) => format!("(*{holder}){path}"),
                None if offset == 0 => format!("*{holder}"),
                None => format!("*{holder} {}", self.bytes(offset)),
            },
            Some((shape, stride)) => {
                let path = named(shape, offset % stride).unwrap_or_else(|| self.bytes(offset % stride));
                format!("{holder}[{}]{path}", offset / stride)
            }
            None if offset == 0 => format!("*{holder}"),
            None => format!("*{holder} {}", self.bytes(offset)),
        }
    }

    /// `memory of line 4`
    fn allocated(&self, allocation: &Allocation) -> String {
        match self.site(allocation.site) {
            span if span.is_somewhere() => format!("memory of line {}", span.line),
            _ => "allocated memory".to_owned(),
        }
    }

    fn site(&self, site: SiteId) -> Span {
        self.program.sites.get(site.index()).copied().unwrap_or(Span::NOWHERE)
    }

    /// Where an object from the heap was allocated, in the user's code.
    pub fn allocation_site(&self, object: Instance) -> Option<Span> {
        let span = self.site(self.heap.get(&object)?.site);
        self.program.is_the_users(span).then_some(span)
    }

    /// A value as its type wants it, as seen by a thread.
    pub fn value(&self, value: &Value, display: Display, viewer: ThreadIndex) -> String {
        match value.as_pointer() {
            Some(pointer) => match (pointer.object, self.heap.get(&pointer.object)) {
                (Instance::Heap { .. }, Some(allocation)) if pointer.offset == 0 => self.allocated(allocation),
                (Instance::Heap { .. } | Instance::Frame { .. }, _) => {
                    format!("&{}", self.place(pointer.object, pointer.offset, 0, Some(viewer)))
                }
                _ => names::value(self.program, self.state, value, display),
            },
            None => names::value(self.program, self.state, value, display),
        }
    }

    /// The shape of what lies at an object, where it is declared.
    fn shape(&self, object: Instance) -> Option<&Shape> {
        match object {
            Instance::Static(id) | Instance::ThreadLocal(id, _) => Some(&self.program.object(id).shape),
            Instance::Frame { thread, serial } => {
                let (function, local) = self.locals.get(&(thread, serial))?;
                Some(&self.program.function(*function).frame_object(*local).shape)
            }
            Instance::Heap { .. } => {
                let (shape, _) = self.program.allocated.get(&self.heap.get(&object)?.site)?;
                Some(shape)
            }
            Instance::Thread(_) | Instance::Function(_) => None,
        }
    }

    /// How to show what lies at a place.
    pub fn display(&self, object: Instance, offset: u64, size: u32) -> Display {
        let within = match (object, self.heap.get(&object).and_then(|known| self.program.allocated.get(&known.site))) {
            (Instance::Heap { .. }, Some((_, stride))) => offset % stride,
            _ => offset,
        };
        self.shape(object).and_then(|shape| shape.display(within, size)).unwrap_or(Display::Signed)
    }

    /// The bit-fields in some bytes, as seen by a thread: the name, the first bit, the width, how to show it.
    pub fn bit_fields(&self, object: Instance, offset: u64, size: u32) -> Vec<(String, u32, u32, Display)> {
        let fields = self.shape(object).map_or_else(Vec::new, |shape| shape.bit_fields(offset, size));
        let name = |path: &str| match (object, self.heap.get(&object).and_then(|known| known.holder.as_ref())) {
            (Instance::Heap { .. }, Some(holder)) => format!("{holder}->{}", path.trim_start_matches('.')),
            (Instance::Frame { thread, serial }, _) => match self.locals.get(&(thread, serial)) {
                Some((function, local)) => {
                    format!("{}{path}", self.program.function(*function).frame_object(*local).name)
                }
                None => path.to_owned(),
            },
            _ => format!("{}{path}", names::object(self.program, self.state, object)),
        };
        fields.into_iter().map(|(path, first, width, display)| (name(&path), first, width, display)).collect()
    }
}
