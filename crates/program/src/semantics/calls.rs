//! Calls and returns, and the life of threads.

use crate::semantics::effects::Event;
use crate::semantics::outcome::Outcome;
use crate::semantics::place;
use crate::semantics::state::{AtomicSection, GhostKey};
use crate::semantics::step::Step;
use crate::semantics::value::{Instance, Pointer, Value};
use crate::{
    Access, Bits, Callee, Expr, Function, FunctionId, GhostField, LocationId, RegisterId, ThreadIndex, Undefined,
};

pub use crate::thread_status::FINISHED;

impl Step<'_> {
    fn callee(&self, callee: &Callee) -> Result<FunctionId, Outcome> {
        match callee {
            Callee::Direct(function) => Ok(*function),
            Callee::Indirect(address) => match self.evaluator().eval(address)? {
                Value::Pointer(Pointer { object: Instance::Function(function), offset: 0 }) => Ok(function),
                address => Err(Outcome::bad_access(Undefined::BadCall, &address, 0)),
            },
        }
    }

    fn arguments(&self, function: &Function, given: &[Expr]) -> Result<Vec<Value>, Outcome> {
        let widths = function.parameters.iter().map(|parameter| function.register(*parameter).width);
        let fits = given.len() == function.parameters.len()
            && widths.zip(given).all(|(width, argument)| width == argument.width());
        if !fits {
            return Err(Outcome::undefined(Undefined::BadCall));
        }
        given.iter().map(|argument| self.evaluator().eval(argument)).collect()
    }

    pub(super) fn call(
        &mut self,
        target: Option<RegisterId>,
        callee: &Callee,
        arguments: &[Expr],
        return_to: LocationId,
    ) -> Result<(), Outcome> {
        let callee = self.callee(callee)?;
        let function = self.semantics.program.function(callee);
        let arguments = self.arguments(function, arguments)?;
        if let Some(target) = target
            && function.result_width != Some(self.function.register(target).width)
        {
            return Err(Outcome::undefined(Undefined::BadCall));
        }
        let limit = self.semantics.limits.recursion;
        if self.state.thread(self.thread).is_some_and(|thread| thread.frames.len() >= limit) {
            return Err(Outcome::Unsupported(format!("recursion deeper than {limit}")));
        }
        self.state.frame_mut(self.thread)?.location = return_to;
        self.observer.event(Event::Called(callee));
        if self.observer.wants_changes() {
            for (parameter, argument) in function.parameters.iter().zip(&arguments) {
                self.report_register(callee, *parameter, None, argument);
            }
        }
        self.state.push_frame(self.semantics.program, self.thread, callee, &arguments, target)
    }

    pub(super) fn return_from(&mut self, value: Option<&Expr>) -> Result<(), Outcome> {
        let value = value.map(|value| self.evaluator().eval(value)).transpose()?;
        if self.state.thread(self.thread).is_some_and(|thread| thread.frames.len() == 1) {
            return self.return_from_first(value);
        }
        let Some(frame) = self.thread_mut().frames.pop() else { return Err(Outcome::internal("no activation")) };
        for object in self.state.memory.remove_frame_objects(self.thread, frame.first_serial) {
            self.state.remove_ghosts(object);
        }
        self.observer.event(Event::Returned(frame.function));
        match (frame.result, value) {
            (None, _) => Ok(()),
            (Some(_), None) => Err(Outcome::undefined(Undefined::MissingReturn)),
            (Some(target), Some(value)) => {
                self.function_id = self.state.frame_mut(self.thread)?.function;
                self.assign(target, value)
            }
        }
    }

    /// A return from a thread's first function ends the thread; that from `main`'s, the process.
    fn return_from_first(&mut self, value: Option<Value>) -> Result<(), Outcome> {
        if self.thread == ThreadIndex(0) {
            return match value {
                None => {
                    self.end_process(Bits::new(32, 0));
                    Ok(())
                }
                Some(Value::Bits(status)) => {
                    self.end_process(status);
                    Ok(())
                }
                Some(_) => Err(Outcome::Unsupported("an exit status that is no number".to_owned())),
            };
        }
        let width = self.function.result_width.unwrap_or(self.semantics.program.pointer_width());
        self.end_thread(value.unwrap_or_else(|| place::indeterminate(width)));
        Ok(())
    }

    /// Ends the executing thread; with the last thread, the process ends successfully.
    pub(super) fn end_thread(&mut self, value: Value) {
        let thread = self.thread;
        self.thread_mut().frames.clear();
        let mut dead = self.state.memory.remove_frame_objects(thread, 0);
        dead.extend(self.state.memory.remove_thread_locals(thread));
        for object in dead {
            self.state.remove_ghosts(object);
        }
        let key = |field| GhostKey { object: Some(Instance::Thread(thread)), offset: 0, field };
        let width = GhostField::ThreadStatus.width(self.semantics.program.data_model);
        self.state.set_ghost(key(GhostField::ThreadStatus), Value::bits(width, FINISHED));
        self.state.set_ghost(key(GhostField::ThreadResult), value);
        if self.state.atomic.is_some_and(|section| section.owner == thread) {
            self.state.atomic = None;
        }
        self.observer.event(Event::Finished(thread));
        if self.state.threads.iter().all(|thread| thread.frames.is_empty()) {
            self.end_process(Bits::new(32, 0));
        }
    }

    /// Starts a thread. As threads are started through the library, which passes one argument whatever the function
    /// declares, it is passed as the ABI does: what the function does not take is dropped, and a narrow parameter takes
    /// the low bits. The thread's identity is stored in the same step.
    pub(super) fn spawn(
        &mut self,
        target: RegisterId,
        entry: &Callee,
        arguments: &[Expr],
        id: Option<&Access>,
    ) -> Result<(), Outcome> {
        let entry = self.callee(entry)?;
        let function = self.semantics.program.function(entry);
        let arguments = self.arguments(function, &function.started_with(arguments))?;
        let limit = self.semantics.limits.threads;
        let running = || self.state.threads.iter().filter(|thread| !thread.frames.is_empty()).count();
        if self.state.thread_count() >= limit && running() >= limit {
            return Err(Outcome::Unsupported(format!("more than {limit} threads at a time")));
        }
        let identity = Value::to_start_of(Instance::Thread(ThreadIndex::new(self.state.thread_count())));
        if let Some(id) = id {
            self.write(id, identity.clone(), &[])?;
        }
        let thread = self.state.add_thread(self.semantics.program)?;
        self.state.push_frame(self.semantics.program, thread, entry, &arguments, None)?;
        self.observer.event(Event::Started(thread, entry));
        self.assign(target, identity)
    }

    pub(super) fn begin_section(&mut self) {
        let depth = self.state.atomic.map_or(0, |section| section.depth);
        self.state.atomic = Some(AtomicSection { owner: self.thread, depth: depth + 1 });
    }

    pub(super) fn end_section(&mut self) -> Result<(), Outcome> {
        let Some(section) = self.state.atomic else {
            return Err(Outcome::Unsupported("the end of an atomic section that was not begun".to_owned()));
        };
        self.state.atomic = (section.depth > 1).then(|| AtomicSection { depth: section.depth - 1, ..section });
        Ok(())
    }
}
