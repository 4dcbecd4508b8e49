//! States: memory, ghost fields, and where every thread stands.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::semantics::contents::Contents;
use crate::semantics::eval::Evaluator;
use crate::semantics::memory::{Belongings, Block, Memory, Origin};
use crate::semantics::outcome::Outcome;
use crate::semantics::value::{Instance, Value};
use crate::{
    Bits, FrameObjectId, Function, FunctionId, GhostField, LocationId, Object, ObjectId, ObjectKind, Program,
    RegisterId, ThreadIndex,
};

/// A ghost field of one object. Fields order by object, so that all fields of an object are neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GhostKey {
    /// The object; `None` for what belongs to the program as a whole.
    pub object: Option<Instance>,
    /// At which byte of it.
    pub offset: u64,
    /// Which field.
    pub field: GhostField,
}

/// An activation of a function.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Frame {
    /// The function.
    pub function: FunctionId,
    /// Where it stands; for a caller, where the call will return to.
    pub location: LocationId,
    /// Its registers; `None` where nothing has been assigned yet.
    pub registers: Vec<Option<Value>>,
    /// The serial number of its first frame object. All of the thread's locals from there on belong to this activation
    /// or to those it called.
    pub first_serial: u64,
    /// The caller's register that takes the result.
    pub result: Option<RegisterId>,
}

impl Frame {
    /// This activation's instance of an address-taken local.
    pub fn local(&self, thread: ThreadIndex, object: FrameObjectId) -> Instance {
        Instance::Frame { thread, serial: self.first_serial + u64::from(object.0) }
    }
}

/// A thread. It has finished when it has no activations left.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Thread {
    /// Its activations, the running one last.
    pub frames: Vec<Frame>,
}

/// An atomic section that is under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AtomicSection {
    /// The only thread that may move.
    pub owner: ThreadIndex,
    /// How many begins have not been ended.
    pub depth: u32,
}

/// A state of an execution. Cloning one shares memory and threads with the original until either changes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    pub(super) memory: Memory,
    pub(super) ghosts: Arc<BTreeMap<GhostKey, Value>>,
    pub(super) threads: Vec<Arc<Thread>>,
    pub(super) atomic: Option<AtomicSection>,
    pub(super) ended: Option<Bits>,
}

/// What [`State::with_parts`] makes a state from.
#[derive(Clone, Debug, Default)]
pub struct StateParts {
    /// Static objects that differ from those of the other state.
    pub statics: Vec<(ObjectId, Arc<Block>)>,
    /// All threads and what they have made.
    pub threads: Vec<(Arc<Thread>, Arc<Belongings>)>,
    /// All ghost fields that are not 0.
    pub ghosts: BTreeMap<GhostKey, Value>,
    /// The atomic section that is under way.
    pub atomic: Option<AtomicSection>,
}

impl State {
    /// The state in which `main`'s thread, and no other, is about to start. `main`'s function must have no parameters.
    pub fn initial(program: &Program) -> Result<State, Outcome> {
        let Some(main) = program.main() else {
            return Err(Outcome::internal("the program has no main function"));
        };
        let mut state = State {
            memory: Memory::new(Vec::new()),
            ghosts: Arc::default(),
            threads: Vec::new(),
            atomic: None,
            ended: None,
        };
        let mut statics = Vec::with_capacity(program.objects.len());
        let mut ghosts = BTreeMap::new();
        for (position, object) in program.objects.iter().enumerate() {
            let id = ObjectId::new(position);
            if object.kind == ObjectKind::ThreadLocal {
                statics.push(None);
                continue;
            }
            statics.push(Some(Arc::new(static_block(program, &state, id, object)?)));
            for (offset, field, value) in &object.initial_ghosts {
                let key = GhostKey { object: Some(Instance::Static(id)), offset: *offset, field: *field };
                if !value.is_zero() {
                    ghosts.insert(key, Value::Bits(*value));
                }
            }
        }
        state.memory = Memory::new(statics);
        state.ghosts = Arc::new(ghosts);
        state.add_thread(program)?;
        state.push_frame(program, ThreadIndex(0), main, &[], None)?;
        Ok(state)
    }

    /// A state put together from parts of states of the same program, for engines that keep each part only once. What
    /// is not given is as in this state. The result need not be a state of any execution if the parts are not from one.
    pub fn with_parts(&self, parts: StateParts) -> State {
        let (threads, own) = parts.threads.into_iter().unzip();
        State {
            memory: self.memory.with_parts(parts.statics, own),
            ghosts: Arc::new(parts.ghosts),
            threads,
            atomic: parts.atomic,
            ended: None,
        }
    }

    /// Whether two states share their ghost fields, which are then the same.
    pub fn shares_ghosts(&self, other: &State) -> bool {
        Arc::ptr_eq(&self.ghosts, &other.ghosts)
    }

    /// The memory.
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// The ghost fields that are not 0, in order.
    pub fn ghosts(&self) -> impl Iterator<Item = (GhostKey, &Value)> {
        self.ghosts.iter().map(|(key, value)| (*key, value))
    }

    /// The ghost fields of one object that are not 0, in order.
    pub fn ghosts_of(&self, object: Instance) -> impl Iterator<Item = (GhostKey, &Value)> {
        let first = GhostKey { object: Some(object), offset: 0, field: GhostField::MutexOwner };
        let of_object = move |(key, _): &(&GhostKey, &Value)| key.object == Some(object);
        self.ghosts.range(first..).take_while(of_object).map(|(key, value)| (*key, value))
    }

    /// A ghost field; `None` if it is 0.
    pub fn ghost(&self, key: GhostKey) -> Option<&Value> {
        self.ghosts.get(&key)
    }

    /// How many threads there have been.
    pub fn thread_count(&self) -> usize {
        self.threads.len()
    }

    /// The threads there have been, in order of creation.
    pub fn thread_indices(&self) -> impl Iterator<Item = ThreadIndex> + use<> {
        (0..self.threads.len()).map(ThreadIndex::new)
    }

    /// A thread.
    pub fn thread(&self, thread: ThreadIndex) -> Option<&Thread> {
        self.threads.get(thread.index()).map(|thread| &**thread)
    }

    /// A thread, to be kept: as long as it is, no other thread lives at its address.
    pub fn shared_thread(&self, thread: ThreadIndex) -> Option<&Arc<Thread>> {
        self.threads.get(thread.index())
    }

    /// The same state, supposing that a ghost field had another value. For engines that ask what would be if; the
    /// result need not be a state of any execution.
    pub fn suppose(&mut self, key: GhostKey, value: Value) {
        self.set_ghost(key, value);
    }

    /// The same, supposing that a register of an activation held another value. Whether there is such an activation.
    pub fn suppose_register(
        &mut self,
        thread: ThreadIndex,
        activation: usize,
        register: RegisterId,
        value: Value,
    ) -> bool {
        let frames = self.threads.get_mut(thread.index()).map(|thread| &mut Arc::make_mut(thread).frames);
        let frame = frames.and_then(|frames| frames.get_mut(activation));
        match frame.and_then(|frame| frame.registers.get_mut(register.index())) {
            Some(place) => *place = Some(value),
            None => return false,
        }
        true
    }

    /// The same, supposing that some bytes of an object were this number. Whether it has them.
    pub fn suppose_bytes(&mut self, object: Instance, offset: u64, number: Bits) -> bool {
        let size = number.width() / 8;
        let block = self.memory.block_mut(object);
        let has_room = |block: &&mut Block| offset + u64::from(size) <= block.contents.size();
        // A number is stored the same whatever the size of pointers.
        block.filter(has_room).is_some_and(|block| block.contents.store(offset, size, &Value::Bits(number), size))
    }

    /// The running activation of a thread; `None` if it has finished.
    pub fn frame(&self, thread: ThreadIndex) -> Option<&Frame> {
        self.thread(thread)?.frames.last()
    }

    /// The atomic section that is under way.
    pub fn atomic_section(&self) -> Option<AtomicSection> {
        self.atomic
    }

    /// The exit status, once the process has ended.
    pub fn exit_status(&self) -> Option<Bits> {
        self.ended
    }

    /// Whether a thread has been started and has not finished, in a process that has not ended.
    pub fn is_live(&self, thread: ThreadIndex) -> bool {
        self.ended.is_none() && self.frame(thread).is_some()
    }

    pub(super) fn frame_mut(&mut self, thread: ThreadIndex) -> Result<&mut Frame, Outcome> {
        self.threads
            .get_mut(thread.index())
            .and_then(|thread| Arc::make_mut(thread).frames.last_mut())
            .ok_or_else(|| Outcome::internal("a thread that has finished moves"))
    }

    pub(super) fn set_ghost(&mut self, key: GhostKey, value: Value) {
        if value.is_zero() {
            if self.ghosts.contains_key(&key) {
                Arc::make_mut(&mut self.ghosts).remove(&key);
            }
        } else {
            Arc::make_mut(&mut self.ghosts).insert(key, value);
        }
    }

    /// Forgets the ghost fields of an object that has died.
    pub(super) fn remove_ghosts(&mut self, object: Instance) {
        let first = GhostKey { object: Some(object), offset: 0, field: GhostField::MutexOwner };
        let doomed: Vec<GhostKey> =
            self.ghosts.range(first..).map(|(key, _)| *key).take_while(|key| key.object == Some(object)).collect();
        if !doomed.is_empty() {
            let ghosts = Arc::make_mut(&mut self.ghosts);
            for key in doomed {
                ghosts.remove(&key);
            }
        }
    }

    /// Adds a thread without activations, with its own thread-local objects.
    pub(super) fn add_thread(&mut self, program: &Program) -> Result<ThreadIndex, Outcome> {
        let thread = ThreadIndex::new(self.threads.len());
        let mut locals = Vec::new();
        for (position, object) in program.objects.iter().enumerate() {
            if object.kind == ObjectKind::ThreadLocal {
                let id = ObjectId::new(position);
                locals.push((id, Arc::new(static_block(program, self, id, object)?)));
            }
        }
        let ghosts: Vec<_> = locals
            .iter()
            .flat_map(|(id, _)| program.object(*id).initial_ghosts.iter().map(move |ghost| (*id, ghost)))
            .collect();
        for (id, (offset, field, value)) in ghosts {
            let object = Some(Instance::ThreadLocal(id, thread));
            self.set_ghost(GhostKey { object, offset: *offset, field: *field }, Value::Bits(*value));
        }
        self.memory.add_thread(locals);
        self.threads.push(Arc::default());
        Ok(thread)
    }

    /// Starts an activation of a function. The arguments have been checked against its parameters.
    pub(super) fn push_frame(
        &mut self,
        program: &Program,
        thread: ThreadIndex,
        function: FunctionId,
        arguments: &[Value],
        result: Option<RegisterId>,
    ) -> Result<(), Outcome> {
        let definition = program.function(function);
        let mut registers = vec![None; definition.registers.len()];
        for (parameter, argument) in definition.parameters.iter().zip(arguments) {
            registers[parameter.index()] = Some(argument.clone());
        }
        let first_serial = self.memory.next_frame_serial(thread);
        for position in 0..definition.frame.len() {
            let block = local_block(function, definition, FrameObjectId::new(position))?;
            let added = self.memory.add_frame_object(thread, block);
            added.ok_or_else(|| Outcome::internal("no such thread"))?;
        }
        let frame = Frame { function, location: definition.entry, registers, first_serial, result };
        let threads = self.threads.get_mut(thread.index()).map(Arc::make_mut);
        threads.ok_or_else(|| Outcome::internal("no such thread"))?.frames.push(frame);
        Ok(())
    }
}

/// A local as its life begins.
pub(super) fn local_block(function: FunctionId, definition: &Function, local: FrameObjectId) -> Result<Block, Outcome> {
    let object = definition.frame_object(local);
    let contents = Contents::indeterminate(usize_of(object.size, &object.name)?);
    Ok(Block { contents, align: object.align, origin: Origin::Local(function, local) })
}

fn usize_of(size: u64, name: &str) -> Result<usize, Outcome> {
    if size > super::LARGEST_OBJECT {
        return Err(Outcome::Unsupported(format!("`{name}` has {size} bytes")));
    }
    Ok(size as usize)
}

/// A static object with its initial contents.
fn static_block(program: &Program, state: &State, id: ObjectId, object: &Object) -> Result<Block, Outcome> {
    let mut contents = Contents::zero(usize_of(object.size, &object.name)?);
    let evaluator = Evaluator::of_constants(program, state);
    for initial in &object.initial {
        let value = evaluator.eval(&initial.value)?;
        let fits = initial.offset.checked_add(u64::from(initial.size)).is_some_and(|end| end <= object.size);
        if !fits || !contents.store(initial.offset, initial.size, &value, program.data_model.pointer_size()) {
            return Err(Outcome::internal(format!("an initial value of `{}` does not fit", object.name)));
        }
    }
    Ok(Block { contents, align: object.align, origin: Origin::Object(id) })
}
