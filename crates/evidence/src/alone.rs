//! A program that never starts a thread, followed along all its paths: what the states of one path hold are terms over
//! what is chosen and read, and a solver says which way the path can go on, and whether anything can go wrong. Sizes of
//! allocations, indices and pointers may depend on numbers; arrays may be of any size.
//!
//! The steps are those of the symbolic semantics. Results of floating-point operations are taken for any numbers, and a
//! guard that may fail for a deadlock: what is found to be possible need not be, what is not found is not possible.
//! Where steps cannot be told, or there are too many, nothing is claimed.

mod memory;
mod path;

use crate::Subject;
use crate::exploration::Stopped;
use crate::exploration::solving::Solving;
use path::Path;
use selvedge_logic::Term;
use selvedge_program::{Action, Budget, EdgeId, FunctionId, Program, Property, RegisterId, Transfer, Undefined};
use selvedge_symbolic::step::{arguments, callees, value};
use selvedge_symbolic::{Builder, Effect, Trouble, Value, trouble};
use std::collections::BTreeSet;
use std::rc::Rc;

/// How many steps are taken, on all paths.
const STEPS: usize = 50_000;

/// How many questions are asked.
const QUESTIONS: usize = 5_000;

/// How many writes to one object a path may have.
const WRITES: usize = 1_000;

/// What may happen.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Possible {
    /// What may be violated that has a name.
    pub subjects: BTreeSet<Subject>,
    /// The properties that may be violated.
    pub properties: BTreeSet<Property>,
    /// Why not every path was followed to its end, if that is so: the first reason.
    pub stopped: Option<Stopped>,
}

/// Whether a program has nothing that starts a thread.
pub fn is_alone(program: &Program) -> bool {
    let mut edges = program.functions.iter().flat_map(|function| &function.edges);
    !edges.any(|edge| matches!(edge.action.transfer(), Transfer::Spawn { .. }))
}

/// Follows all paths of a program [that is alone](is_alone).
pub fn follow(program: &Program, budget: &Budget) -> Possible {
    let solving = Solving::new(QUESTIONS, budget);
    let mut walk = Walk { program, builder: Builder::new(), solving, budget, steps: 0, possible: Possible::default() };
    if let Err(stopped) = walk.run() {
        walk.possible.stopped = Some(stopped);
    }
    walk.possible
}

struct Walk<'p> {
    program: &'p Program,
    builder: Builder,
    solving: Solving,
    budget: &'p Budget,
    steps: usize,
    possible: Possible,
}

/// Where control goes after a step.
enum Next {
    /// To the edge's target.
    On,
    Into {
        function: FunctionId,
        arguments: Vec<Value>,
        result: Option<RegisterId>,
    },
    Back(Option<Value>),
    Nowhere,
}

impl<'p> Walk<'p> {
    fn run(&mut self) -> Result<(), Stopped> {
        if !is_alone(self.program) {
            return Err(unsupported("threads are started"));
        }
        let first = Path::new(&mut self.builder, self.program).ok_or_else(too_many)?;
        let mut pending = vec![first];
        while let Some(path) = pending.pop() {
            let Some(now) = path.now() else { continue };
            let function = self.program.function(now.function);
            for edge in &function.location(now.location).outgoing {
                self.count(&path)?;
                self.take(&path, now.function, *edge, &mut pending)?;
            }
        }
        Ok(())
    }

    fn count(&mut self, path: &Path<'p>) -> Result<(), Stopped> {
        self.steps += 1;
        if self.steps > STEPS || path.longest() > WRITES {
            return Err(Stopped::States(STEPS));
        }
        self.budget.check().map_err(Stopped::Budget)
    }

    /// Takes an edge in all ways.
    fn take(
        &mut self,
        path: &Path<'p>,
        function: FunctionId,
        edge: EdgeId,
        pending: &mut Vec<Path<'p>>,
    ) -> Result<(), Stopped> {
        let edge = self.program.function(function).edge(edge);
        let action = &edge.action;
        match action.transfer() {
            Transfer::Along | Transfer::Unknown => {
                let mut after = path.clone();
                if let Action::Forget { object } = action {
                    after.forget(*object).ok_or_else(|| unsupported("a local that is not there"))?;
                    self.go(after, edge.target, Next::On, pending);
                    return Ok(());
                }
                let effect = Effect::of(&mut self.builder, &mut after, action);
                self.end(path, (after, effect), action, edge.target, Next::On, pending)
            }
            Transfer::Call { target, callee, arguments: given } => {
                let mut before = path.clone();
                let (effect, called) = Effect::run(&mut self.builder, &mut before, |step| callees(step, callee));
                self.look(path, &effect, action)?;
                for (callee, when) in called {
                    if !self.can_be(path, when)? {
                        continue;
                    }
                    let mut after = path.clone();
                    let (mut effect, values) = Effect::run(&mut self.builder, &mut after, |step| {
                        let values = arguments(step, callee, given);
                        if values.is_none() {
                            let yes = selvedge_symbolic::Machine::builder(step).yes;
                            trouble(step, yes, Trouble::Undefined(Undefined::BadCall));
                        }
                        values.unwrap_or_default()
                    });
                    effect.enabled = self.builder.and(effect.enabled, when);
                    let next = Next::Into { function: callee, arguments: values, result: target };
                    self.end(path, (after, effect), action, edge.target, next, pending)?;
                }
                Ok(())
            }
            Transfer::Return { value: result } => {
                let mut after = path.clone();
                let (effect, result) =
                    Effect::run(&mut self.builder, &mut after, |step| result.map(|result| value(step, result)));
                self.end(path, (after, effect), action, edge.target, Next::Back(result), pending)
            }
            Transfer::ThreadExit { value: result } | Transfer::Exit { status: result } => {
                let mut after = path.clone();
                let (effect, _) = Effect::run(&mut self.builder, &mut after, |step| value(step, result));
                self.end(path, (after, effect), action, edge.target, Next::Nowhere, pending)
            }
            Transfer::Spawn { .. } => Err(unsupported("threads are started")),
            Transfer::AtomicBegin | Transfer::AtomicEnd => Err(unsupported("atomic sections")),
        }
    }

    /// Ends a step: notes what may have gone wrong, and goes on where nothing has.
    fn end(
        &mut self,
        before: &Path<'p>,
        (mut after, effect): (Path<'p>, Effect),
        action: &Action,
        target: selvedge_program::LocationId,
        next: Next,
        pending: &mut Vec<Path<'p>>,
    ) -> Result<(), Stopped> {
        self.look(before, &effect, action)?;
        let unknown = std::mem::replace(&mut after.unknown, self.builder.no);
        if self.can_be(before, unknown)? {
            return Err(unsupported("bytes that no term says"));
        }
        if effect.taken == selvedge_symbolic::step::Taken::Nowhere {
            return Ok(());
        }
        let Some(sample) =
            self.solving.model(&self.builder.terms, &before.conditions, &before.sample, &[effect.enabled])?
        else {
            return Ok(());
        };
        after.sample = Rc::new(sample);
        if !self.builder.is(effect.enabled, true) {
            after.conditions.push(effect.enabled);
        }
        after.cells.extend(effect.cells);
        if let Some(now) = after.activations.last_mut() {
            now.registers.extend(effect.registers);
        }
        match next {
            Next::Into { function, arguments, result } => {
                let now = after.activations.last_mut().ok_or_else(too_many)?;
                now.location = target;
                after.enter(function, arguments, result).ok_or_else(too_many)?;
                pending.push(after);
            }
            Next::Back(value) => {
                let register = after.leave(&mut self.builder);
                if let (Some(now), Some(register), Some(value)) = (after.activations.last_mut(), register, value) {
                    now.registers.insert(register, value);
                }
                pending.push(after);
            }
            next @ (Next::On | Next::Nowhere) => self.go(after, target, next, pending),
        }
        Ok(())
    }

    fn go(
        &mut self,
        mut path: Path<'p>,
        target: selvedge_program::LocationId,
        next: Next,
        pending: &mut Vec<Path<'p>>,
    ) {
        if let (Next::On, Some(now)) = (next, path.activations.last_mut()) {
            now.location = target;
            pending.push(path);
        }
    }

    /// Notes what may go wrong in a step.
    fn look(&mut self, path: &Path<'p>, effect: &Effect, action: &Action) -> Result<(), Stopped> {
        for (when, check) in &effect.violations {
            if self.can_be(path, *when)? {
                self.note(Subject::Assertion(*check));
            }
        }
        for (when, trouble) in &effect.troubles {
            if !self.can_be(path, *when)? {
                continue;
            }
            match trouble {
                Trouble::Undefined(undefined) => drop(self.possible.properties.insert(undefined.property())),
                Trouble::Unsupported(what) => return Err(unsupported(what)),
            }
        }
        if matches!(action, Action::Atomic(_)) && self.can_be(path, effect.blocked)? {
            self.note(Subject::Deadlock);
        }
        Ok(())
    }

    fn note(&mut self, subject: Subject) {
        self.possible.properties.insert(subject.property());
        self.possible.subjects.insert(subject);
    }

    fn can_be(&mut self, path: &Path<'p>, condition: Term) -> Result<bool, Stopped> {
        let found = self.solving.model(&self.builder.terms, &path.conditions, &path.sample, &[condition])?;
        Ok(found.is_some())
    }
}

fn unsupported(what: &str) -> Stopped {
    Stopped::Unsupported(what.to_owned())
}

fn too_many() -> Stopped {
    unsupported("too many objects")
}
