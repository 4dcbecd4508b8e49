//! What the marks of updates promise, compared with a step.

use selvedge_program::semantics::eval::Evaluator;
use selvedge_program::semantics::{GhostKey, Instance, Pointer, State, Value};
use selvedge_program::{AtomicStep, EdgeId, FunctionId, GhostField, LockMode, Operation, Program, ThreadIndex};

/// A step that has been taken.
pub struct Taken<'a> {
    pub program: &'a Program,
    pub before: &'a State,
    pub after: &'a State,
    pub thread: ThreadIndex,
    pub function: FunctionId,
    pub edge: EdgeId,
}

impl Taken<'_> {
    /// Panics if a mark of the step is wrong. How many were looked at.
    pub fn check_marks(&self) -> usize {
        let edge = self.program.function(self.function).edge(self.edge);
        let mut checked = 0;
        for step in edge.action.steps() {
            let AtomicStep::Mark { when, operation, object } = step else { continue };
            let evaluator = Evaluator::of_thread(self.program, self.after, self.thread);
            let is_so = evaluator.holds(when).expect("the condition of a mark is defined");
            let address = evaluator.eval(object).expect("so is its object");
            let Value::Pointer(pointer) = address else { panic!("{step:?} is about {address:?}") };
            if is_so {
                assert!(self.keeps(*operation, pointer), "{operation:?} at {:?}: {:?}", edge.span, edge.action);
                checked += 1;
            }
        }
        checked
    }

    fn keeps(&self, operation: Operation, pointer: Pointer) -> bool {
        let Pointer { object, offset } = pointer;
        let ghost = |state: &State, field| {
            let value = state.ghost(GhostKey { object: Some(object), offset, field }).cloned();
            value.unwrap_or(Value::bits(64, 0))
        };
        let (before, after) = (|field| ghost(self.before, field), |field| ghost(self.after, field));
        let number = |value: Value| match value {
            Value::Bits(bits) => bits.unsigned(),
            other => panic!("{other:?} is no number"),
        };
        let me = Value::to_start_of(Instance::Thread(self.thread));
        let waiting_on = |state: &State| {
            let field = GhostField::WaitingOn;
            let value = state.ghost(GhostKey { object: Some(Instance::Thread(self.thread)), offset: 0, field });
            value.cloned().unwrap_or(Value::bits(64, 0))
        };
        match operation {
            Operation::Acquire(kind, mode) => {
                let (was, is) = (before(kind.owner()), after(kind.owner()));
                let had_readers = number(before(GhostField::Readers)) > 0;
                let was_possible = was == me || was.is_zero() && !(mode == LockMode::Exclusive && had_readers);
                let reads = mode == LockMode::Shared && number(after(GhostField::Readers)) > 0;
                was_possible && (is == me || reads)
            }
            Operation::Release(kind, LockMode::Exclusive) => {
                before(kind.owner()) == me && after(kind.owner()).is_zero()
            }
            Operation::Release(_, LockMode::Shared) => number(before(GhostField::Readers)) > 0,
            Operation::Join => {
                let (was, is) = (before(GhostField::ThreadStatus), after(GhostField::ThreadStatus));
                (number(was), number(is)) == (1, 2)
            }
            Operation::Sleep => waiting_on(self.after) == Value::Pointer(pointer),
            Operation::Wake | Operation::Pass => waiting_on(self.after).is_zero(),
            Operation::SemaphoreWait => {
                number(before(GhostField::SemaphoreValue)) == number(after(GhostField::SemaphoreValue)) + 1
            }
            Operation::SemaphorePost => {
                number(before(GhostField::SemaphoreValue)) + 1 == number(after(GhostField::SemaphoreValue))
            }
            Operation::Signal | Operation::Broadcast | Operation::Arrive => true,
        }
    }
}
