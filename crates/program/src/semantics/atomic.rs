//! Atomic updates: several reads and writes as one.
//!
//! Registers are assigned only when the whole update has passed its guards, so that an update that must wait changes
//! nothing.

use crate::semantics::outcome::{Outcome, Question};
use crate::semantics::place;
use crate::semantics::state::GhostKey;
use crate::semantics::step::Step;
use crate::semantics::value::{Instance, Value};
use crate::semantics::{AccessKind, Spot};
use crate::{AtomicStep, Atomicity, GhostField, Interpretation, RegisterId, ThreadIndex};

type Pending = Vec<(RegisterId, Value)>;

impl Step<'_> {
    pub(super) fn atomic(&mut self, steps: &[AtomicStep]) -> Result<(), Outcome> {
        let mut pending = Pending::new();
        let mut settled = Vec::new();
        for step in steps {
            if let Err(outcome) = self.atomic_step(step, &mut pending, &mut settled) {
                while let Some((spot, before)) = settled.pop() {
                    self.put(spot, before)?;
                }
                return Err(outcome);
            }
        }
        pending.into_iter().try_for_each(|(target, value)| self.assign(target, value))
    }

    /// Notes in `settled` what indeterminate bytes it has settled, so that an update that must wait can take that back.
    fn atomic_step(
        &mut self,
        step: &AtomicStep,
        pending: &mut Pending,
        settled: &mut Vec<(Spot, Value)>,
    ) -> Result<(), Outcome> {
        match step {
            AtomicStep::Spurious | AtomicStep::Mark { .. } => {}
            AtomicStep::Read { target, access } => {
                let spot = place::resolve(&self.evaluator().with_pending(pending), &access.place, AccessKind::Read)?;
                self.heard(spot, AccessKind::Read, access.atomicity);
                let register = self.function.register(*target);
                let value = match place::read(&self.evaluator(), spot, register, Interpretation::Value)? {
                    Ok(value) => value,
                    Err(question) => {
                        if let Ok(before) = place::read(&self.evaluator(), spot, register, Interpretation::Raw)? {
                            settled.push((spot, before));
                        }
                        self.settle(spot, question)?
                    }
                };
                pending.push((*target, value));
            }
            AtomicStep::Let { target, value } => {
                let value = self.evaluator().with_pending(pending).eval(value)?;
                pending.push((*target, value));
            }
            AtomicStep::Guard(condition) => {
                if !self.evaluator().with_pending(pending).holds(condition)? {
                    return Err(Outcome::Disabled);
                }
            }
            AtomicStep::Require(condition, otherwise) => {
                if !self.evaluator().with_pending(pending).holds(condition)? {
                    return Err(Outcome::undefined(*otherwise));
                }
            }
            AtomicStep::Write { when, access, value } => {
                let scope = self.evaluator().with_pending(pending);
                if scope.holds(when)? {
                    let value = scope.eval(value)?;
                    self.write(access, value, pending)?;
                }
            }
            AtomicStep::PickThread { target, field, equals } => {
                let equals = self.evaluator().with_pending(pending).eval(equals)?;
                let mut threads = self.threads_with(*field, &equals);
                let chosen = match threads.len() {
                    0 => Value::bits(self.function.register(*target).width, 0),
                    1 => Value::to_start_of(Instance::Thread(threads.swap_remove(0))),
                    _ => self.ask(Question::Thread(threads))?,
                };
                pending.push((*target, chosen));
            }
            AtomicStep::WriteThreads { field, equals, value } => {
                let scope = self.evaluator().with_pending(pending);
                let (equals, value) = (scope.eval(equals)?, scope.eval(value)?);
                for thread in self.threads_with(*field, &equals) {
                    let spot = Spot::Ghost(field_of(thread, *field));
                    self.heard(spot, AccessKind::Write, Atomicity::SEQUENTIAL);
                    self.write_spot(spot, value.clone())?;
                }
            }
        }
        Ok(())
    }

    /// The threads whose ghost field equals a value.
    fn threads_with(&mut self, field: GhostField, equals: &Value) -> Vec<ThreadIndex> {
        let mut matching = Vec::new();
        for thread in self.state.thread_indices() {
            let key = field_of(thread, field);
            self.heard(Spot::Ghost(key), AccessKind::Read, Atomicity::SEQUENTIAL);
            let equal = match (self.state.ghost(key), equals) {
                (None, equals) => equals.is_zero(),
                (Some(Value::Bits(is)), Value::Bits(equals)) => is.unsigned() == equals.unsigned(),
                (Some(is), equals) => is == equals,
            };
            if equal {
                matching.push(thread);
            }
        }
        matching
    }
}

fn field_of(thread: ThreadIndex, field: GhostField) -> GhostKey {
    GhostKey { object: Some(Instance::Thread(thread)), offset: 0, field }
}
