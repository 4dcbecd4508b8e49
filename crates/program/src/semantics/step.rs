//! One step of one thread: what each action does to a state.

use std::sync::Arc;

use crate::semantics::accesses::{PendingAccess, Spot, freed};
use crate::semantics::contents::Contents;
use crate::semantics::effects::{Change, Changed, Effects, Event, Observer};
use crate::semantics::eval::Evaluator;
use crate::semantics::memory::{Block, Origin};
use crate::semantics::outcome::{Chooser, Outcome, Question};
use crate::semantics::state::{State, local_block};
use crate::semantics::value::{Instance, Value};
use crate::semantics::{AccessKind, Semantics, names, output, place};
use crate::{
    Access, Action, Atomicity, Display, Edge, EdgeId, Expr, FrameObjectId, Function, FunctionId, GhostField,
    InitialContents, RegisterId, SiteId, Storage, ThreadIndex,
};

impl<'p> Semantics<'p> {
    /// The state after a thread takes an edge, and what that did.
    pub fn step(
        &self,
        state: &State,
        thread: ThreadIndex,
        edge: EdgeId,
        chooser: &mut dyn Chooser,
    ) -> Result<(State, Effects), Outcome> {
        let mut next = state.clone();
        let mut effects = Effects::default();
        self.apply(&mut next, thread, edge, chooser, &mut effects)?;
        Ok((next, effects))
    }

    /// The same in place. On [`Outcome::Disabled`] the state is unchanged, on any other failure it is of no use any
    /// more.
    pub fn apply(
        &self,
        state: &mut State,
        thread: ThreadIndex,
        edge: EdgeId,
        chooser: &mut dyn Chooser,
        observer: &mut dyn Observer,
    ) -> Result<(), Outcome> {
        if state.atomic.is_some_and(|section| section.owner != thread) {
            return Err(Outcome::Disabled);
        }
        perform(self, state, thread, edge, chooser, observer)
    }
}

/// A step, even of a thread that another's atomic section holds up.
pub(super) fn perform(
    semantics: &Semantics<'_>,
    state: &mut State,
    thread: ThreadIndex,
    edge: EdgeId,
    chooser: &mut dyn Chooser,
    observer: &mut dyn Observer,
) -> Result<(), Outcome> {
    if state.ended.is_some() {
        return Err(Outcome::Disabled);
    }
    let Some(frame) = state.frame(thread) else { return Err(Outcome::Disabled) };
    let function_id = frame.function;
    let function = semantics.program.function(function_id);
    let Some(definition) = function.edges.get(edge.index()).filter(|edge| edge.source == frame.location) else {
        return Err(Outcome::internal(format!("{edge} does not leave {} of `{}`", frame.location, function.name)));
    };
    let in_section = state.atomic.is_some_and(|section| section.owner == thread);
    Step { semantics, state, thread, function_id, function, edge, in_section, chooser, observer }.take(definition)
}

/// A step under way.
pub(super) struct Step<'a> {
    pub(super) semantics: &'a Semantics<'a>,
    pub(super) state: &'a mut State,
    pub(super) thread: ThreadIndex,
    pub(super) function_id: FunctionId,
    pub(super) function: &'a Function,
    edge: EdgeId,
    in_section: bool,
    chooser: &'a mut dyn Chooser,
    pub(super) observer: &'a mut dyn Observer,
}

impl<'a> Step<'a> {
    fn take(&mut self, edge: &'a Edge) -> Result<(), Outcome> {
        match &edge.action {
            Action::Assume(condition) => {
                if !self.evaluator().holds(condition)? {
                    return Err(Outcome::Disabled);
                }
            }
            Action::Assign { target, value } => {
                let value = self.evaluator().eval(value)?;
                self.assign(*target, value)?;
            }
            Action::Load { target, access, interpretation } => {
                let spot = place::resolve(&self.evaluator(), &access.place, AccessKind::Read)?;
                self.heard(spot, AccessKind::Read, access.atomicity);
                let value =
                    match place::read(&self.evaluator(), spot, self.function.register(*target), *interpretation)? {
                        Ok(value) => value,
                        Err(question) => self.settle(spot, question)?,
                    };
                self.assign(*target, value)?;
            }
            Action::Store { access, value } => {
                let value = self.evaluator().eval(value)?;
                self.write(access, value, &[])?;
            }
            Action::Atomic(steps) => self.atomic(steps)?,
            Action::Havoc { target } => {
                let value = self.ask(Question::any_for(self.function.register(*target)))?;
                self.assign(*target, value)?;
            }
            Action::Forget { object } => self.forget(*object)?,
            Action::EndLife { object } => self.end_life(*object)?,
            Action::Spawn { target, entry, arguments, id } => {
                self.spawn(*target, entry, arguments, id.as_ref())?;
            }
            Action::ThreadExit { value } => {
                let value = self.evaluator().eval(value)?;
                self.end_thread(value);
                return Ok(());
            }
            Action::Exit { status } => {
                let status = self.evaluator().number(status)?;
                self.end_process(status);
                return Ok(());
            }
            Action::Allocate { target, size, align, storage, contents, site } => {
                let address = self.allocate(size, *align, *storage, *contents, *site)?;
                self.assign(*target, address)?;
            }
            Action::Free { address } => self.free(address)?,
            Action::Assert { condition, check } => {
                if !self.evaluator().holds(condition)? {
                    return Err(Outcome::AssertionFailed(*check));
                }
            }
            Action::Require { condition, otherwise } => {
                if !self.evaluator().holds(condition)? {
                    return Err(Outcome::undefined(*otherwise));
                }
            }
            Action::Call { target, callee, arguments } => {
                return self.call(*target, callee, arguments, edge.target);
            }
            Action::Return { value } => return self.return_from(value.as_ref()),
            Action::AtomicBegin => self.begin_section(),
            Action::AtomicEnd => self.end_section()?,
            // Every access is in order already.
            Action::Fence(_) => {}
            Action::Output(pieces) => self.print(pieces)?,
            Action::Unsupported(what) | Action::Inexact(what) => return Err(Outcome::Unsupported(what.clone())),
        }
        self.state.frame_mut(self.thread)?.location = edge.target;
        Ok(())
    }

    pub(super) fn evaluator(&self) -> Evaluator<'_> {
        Evaluator::of_thread(self.semantics.program, self.state, self.thread)
    }

    /// Asks the chooser, and checks the answer.
    pub(super) fn ask(&mut self, question: Question) -> Result<Value, Outcome> {
        match self.chooser.choose(&question) {
            None => Err(Outcome::NeedsChoice(question)),
            Some(answer) if question.admits(&answer, self.semantics.program, self.state) => {
                self.observer.chosen(&answer);
                Ok(answer)
            }
            Some(answer) => Err(Outcome::internal(format!("{answer:?} is no answer to {question:?}"))),
        }
    }

    /// Chooses what the indeterminate bytes of a spot are. From now on they are that, for everybody.
    pub(super) fn settle(&mut self, spot: Spot, question: Question) -> Result<Value, Outcome> {
        let answer = self.ask(question)?;
        self.put(spot, answer.clone())?;
        Ok(answer)
    }

    pub(super) fn heard(&mut self, spot: Spot, kind: AccessKind, atomicity: Atomicity) {
        let atomicity = if self.in_section { Atomicity::SEQUENTIAL } else { atomicity };
        self.observer.access(PendingAccess { thread: self.thread, edge: self.edge, spot, kind, atomicity });
    }

    pub(super) fn assign(&mut self, target: RegisterId, value: Value) -> Result<(), Outcome> {
        if self.observer.wants_changes() {
            let frame = self.state.frame(self.thread);
            let old = frame.and_then(|frame| frame.registers.get(target.index()).cloned().flatten());
            self.report_register(self.function_id, target, old, &value);
        }
        let registers = &mut self.state.frame_mut(self.thread)?.registers;
        let register = registers.get_mut(target.index());
        *register.ok_or_else(|| Outcome::internal(format!("there is no {target}")))? = Some(value);
        Ok(())
    }

    pub(super) fn report_register(
        &mut self,
        function: FunctionId,
        register: RegisterId,
        old: Option<Value>,
        new: &Value,
    ) {
        let program = self.semantics.program;
        let definition = program.function(function).register(register);
        let show = |value: &Value| names::value(program, self.state, value, definition.display);
        let change = Change {
            what: Changed::Register(function, register),
            name: definition.name.clone().unwrap_or_else(|| register.to_string()),
            old_text: old.as_ref().map(show).unwrap_or_default(),
            new_text: show(new),
            old,
            new: new.clone(),
        };
        self.observer.change(change);
    }

    /// Writes a value to a place, whose address may use registers that an atomic update is about to assign.
    pub(super) fn write(
        &mut self,
        access: &Access,
        value: Value,
        pending: &[(RegisterId, Value)],
    ) -> Result<(), Outcome> {
        let spot = place::resolve(&self.evaluator().with_pending(pending), &access.place, AccessKind::Write)?;
        self.heard(spot, AccessKind::Write, access.atomicity);
        self.write_spot(spot, value)
    }

    pub(super) fn write_spot(&mut self, spot: Spot, value: Value) -> Result<(), Outcome> {
        if self.observer.wants_changes() {
            self.report_spot(spot, &value);
        }
        self.put(spot, value)
    }

    pub(super) fn put(&mut self, spot: Spot, value: Value) -> Result<(), Outcome> {
        match spot {
            Spot::Bytes { object, offset, size } => {
                let pointer_size = self.semantics.program.data_model.pointer_size();
                let block = self.state.memory.block_mut(object);
                let block = block.ok_or_else(|| Outcome::internal("a store to a dead object"))?;
                if !block.contents.store(offset, size as u32, &value, pointer_size) {
                    return Err(Outcome::internal(format!("a store of {value:?} to {size} bytes")));
                }
            }
            Spot::Ghost(key) if key.field == GhostField::ObjectSize => {
                return Err(Outcome::internal("the size of an object cannot be written"));
            }
            Spot::Ghost(key) => self.state.set_ghost(key, value),
            Spot::Whole(_) => return Err(Outcome::internal("a store to an object as a whole")),
        }
        Ok(())
    }

    fn report_spot(&mut self, spot: Spot, new: &Value) {
        let (program, state) = (self.semantics.program, &*self.state);
        let pointer_size = program.data_model.pointer_size();
        let (what, name, old, display) = match spot {
            Spot::Bytes { object, offset, size } => {
                let size = size as u32;
                let block = state.memory.block(object);
                (
                    Changed::Memory { object, offset, size },
                    names::place(program, state, object, offset, size),
                    block.map(|block| block.contents.load_raw(offset, size, pointer_size)),
                    names::display(program, state, object, offset, size),
                )
            }
            Spot::Ghost(key) => (
                Changed::Ghost(key),
                names::ghost(program, state, key.object, key.offset, key.field),
                Some(state.ghost(key).cloned().unwrap_or(Value::bits(pointer_size * 8, 0))),
                Display::Signed,
            ),
            Spot::Whole(_) => return,
        };
        let change = Change {
            what,
            name,
            old_text: old.as_ref().map(|old| names::value(program, state, old, display)).unwrap_or_default(),
            new_text: names::value(program, state, new, display),
            old,
            new: new.clone(),
        };
        self.observer.change(change);
    }

    fn forget(&mut self, object: FrameObjectId) -> Result<(), Outcome> {
        let instance = self.state.frame_mut(self.thread)?.local(self.thread, object);
        match self.state.memory.block_mut(instance) {
            Some(block) => block.contents.forget(),
            None => {
                let block = local_block(self.function_id, self.function, object)?;
                self.state.memory.put(instance, Arc::new(block));
            }
        }
        self.state.remove_ghosts(instance);
        self.observer.event(Event::Forgotten(instance));
        Ok(())
    }

    fn end_life(&mut self, object: FrameObjectId) -> Result<(), Outcome> {
        let instance = self.state.frame_mut(self.thread)?.local(self.thread, object);
        self.state.memory.take(instance);
        self.state.remove_ghosts(instance);
        self.observer.event(Event::Forgotten(instance));
        Ok(())
    }

    fn allocate(
        &mut self,
        size: &Expr,
        align: u32,
        storage: Storage,
        contents: InitialContents,
        site: SiteId,
    ) -> Result<Value, Outcome> {
        let size = self.evaluator().number(size)?.unsigned();
        if size > u128::from(self.semantics.limits.allocation) {
            return Err(Outcome::Unsupported(format!("an allocation of {size} bytes")));
        }
        let bytes = size as usize;
        let contents = match contents {
            InitialContents::Zero => Contents::zero(bytes),
            InitialContents::Indeterminate => Contents::indeterminate(bytes),
        };
        let block = Block { contents, align, origin: Origin::Site(site) };
        let object = match storage {
            Storage::Heap => self.state.memory.add_heap_object(self.thread, block),
            Storage::Stack => self.state.memory.add_frame_object(self.thread, block),
        };
        let object = object.ok_or_else(|| Outcome::internal("no such thread"))?;
        self.observer.event(Event::Allocated { object, size: size as u64, site });
        Ok(Value::to_start_of(object))
    }

    fn free(&mut self, address: &Expr) -> Result<(), Outcome> {
        let address = self.evaluator().eval(address)?;
        let Some(object) = freed(&self.evaluator(), &address)? else { return Ok(()) };
        self.heard(Spot::Whole(object), AccessKind::Write, Atomicity::Plain);
        if let Instance::Heap { thread, serial } = object {
            self.state.memory.remove_heap_object(thread, serial);
        }
        self.state.remove_ghosts(object);
        self.observer.event(Event::Freed(object));
        Ok(())
    }

    fn print(&mut self, pieces: &[crate::OutputPiece]) -> Result<(), Outcome> {
        let mut text = Vec::new();
        for piece in pieces {
            let (printed, read) = output::piece(&self.evaluator(), piece)?;
            text.extend_from_slice(&printed);
            if let Some(spot) = read {
                self.heard(spot, AccessKind::Read, Atomicity::Plain);
            }
        }
        self.observer.output(&text);
        Ok(())
    }

    /// Ends the process: no thread moves any more.
    pub(super) fn end_process(&mut self, status: crate::Bits) {
        self.state.ended = Some(status);
        self.observer.event(Event::Ended(status));
    }

    pub(super) fn thread_mut(&mut self) -> &mut crate::semantics::state::Thread {
        Arc::make_mut(&mut self.state.threads[self.thread.index()])
    }
}
