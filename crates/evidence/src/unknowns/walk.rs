//! A schedule followed step by step, with marks on what comes from somebody unknown.

use super::marks::{Marks, Memory, Origin, Registers, Used};
use selvedge_program::semantics::{
    AccessKind, Changed, Culprit, Effects, Event, GhostKey, Instance, PendingAccess, Semantics, Spot, State, Value,
};
use selvedge_program::trace::{Trace, TraceEnd, TraceStep};
use selvedge_program::{
    Action, AtomicStep, Display, Edge, EdgeId, Expr, FunctionId, GhostField, Program, RegisterId, Span, ThreadIndex,
    Undefined, Unknown, UnknownId,
};
use std::collections::{BTreeMap, BTreeSet};

/// An activation along the way.
#[derive(Clone, Debug)]
pub struct Activation {
    function: FunctionId,
    registers: Registers,
    /// The caller's register that takes the result.
    result: Option<RegisterId>,
    /// For whom it stands, and where that is called.
    stub: Option<(UnknownId, Span)>,
    /// What the conditions on the line follow from at which a way was chosen last.
    branch: (Span, Marks),
}

/// An access as to what it rests on.
#[derive(Clone, Debug)]
pub struct Reached {
    pub marks: Marks,
    pub stub: Option<(UnknownId, Span)>,
}

/// A schedule on the way.
#[derive(Clone, Debug)]
pub struct Walk<'a> {
    pub program: &'a Program,
    threads: BTreeMap<ThreadIndex, Vec<Activation>>,
    memory: Memory,
    /// What the sizes of objects follow from, and the addresses by which they were freed.
    sizes: BTreeMap<Instance, Marks>,
    freed: BTreeMap<Instance, Marks>,
    /// Who did the steps that are somebody unknown's, and where.
    pub sources: BTreeMap<usize, (UnknownId, Span)>,
    /// The accesses of the steps that interfere with each other.
    pub interfering: BTreeMap<usize, Reached>,
    /// The steps of somebody unknown that may have changed something, and are shown where that was left as it was.
    left: BTreeSet<usize>,
    wanted: Vec<usize>,
}

impl<'a> Walk<'a> {
    pub fn new(program: &'a Program, trace: &Trace) -> Self {
        let wanted = match trace.end {
            TraceEnd::Interfered(found) => vec![found.first, found.between, found.second],
            _ => Vec::new(),
        };
        let main = program.main().map(|main| activation(main, None, None)).into_iter().collect();
        Walk {
            program,
            threads: BTreeMap::from([(ThreadIndex(0), main)]),
            memory: Memory::default(),
            sizes: BTreeMap::new(),
            freed: BTreeMap::new(),
            sources: BTreeMap::new(),
            interfering: BTreeMap::new(),
            left: BTreeSet::new(),
            wanted,
        }
    }

    fn top(&mut self, thread: ThreadIndex) -> Option<&mut Activation> {
        self.threads.get_mut(&thread)?.last_mut()
    }

    /// What the value of an expression follows from, where a thread is.
    pub fn of(&self, thread: ThreadIndex, expr: &Expr) -> Marks {
        let top = self.threads.get(&thread).and_then(|activations| activations.last());
        top.map_or_else(Marks::default, |top| top.registers.of(expr))
    }

    pub fn of_all<'e>(&self, thread: ThreadIndex, exprs: impl IntoIterator<Item = &'e Expr>) -> Marks {
        exprs.into_iter().fold(Marks::default(), |marks, expr| marks.and(&self.of(thread, expr)))
    }

    /// For whom a step stands, and where that is called.
    pub fn stub(&self, thread: ThreadIndex, edge: &Edge) -> Option<(UnknownId, Span)> {
        let around = self.threads.get(&thread).and_then(|activations| activations.last()?.stub);
        around.or(edge.stub.map(|stub| (stub.of, edge.span)))
    }

    fn used(&self, function: FunctionId, register: RegisterId) -> Used {
        match self.program.function(function).register(register).display {
            Display::Pointer => Used::AsAddress,
            Display::Signed | Display::Unsigned | Display::Float | Display::Bool => Used::AsNumber,
        }
    }

    /// A register gets a value that follows from this, and from the step where that is somebody unknown's.
    fn assign(&mut self, thread: ThreadIndex, register: RegisterId, marks: Marks, position: usize) {
        let Some(function) = self.top(thread).map(|top| top.function) else { return };
        let used = self.used(function, register);
        let own = self.sources.contains_key(&position).then_some(Origin { step: position, place: None });
        let marks = own.map(|own| Marks::of(own, used)).unwrap_or_default().and(&marks.used(used));
        if let Some(top) = self.top(thread) {
            top.registers.set(register, marks);
        }
    }

    /// Takes one step.
    pub fn step(&mut self, position: usize, step: &TraceStep, effects: &Effects) {
        let thread = step.thread;
        let edge = self.program.function(step.function).edge(step.edge);
        let stub = self.stub(thread, edge);
        if let Some(stub) = stub {
            self.sources.insert(position, stub);
        }
        if self.wanted.contains(&position) {
            let marks = self.addresses(thread, &edge.action);
            self.interfering.insert(position, Reached { marks, stub });
        }
        match &edge.action {
            Action::Assume(condition) => self.choose(thread, edge.span, condition),
            Action::Assign { target, value } => {
                let marks = self.of(thread, value);
                self.assign(thread, *target, marks, position);
                self.may_change(position, edge, effects);
            }
            Action::Havoc { target } => self.assign(thread, *target, Marks::default(), position),
            Action::Load { target, access, .. } => {
                let address = self.of(thread, access.place.address());
                let spot = effects.accesses.first().map(|access| access.spot);
                let marks = self.loaded(step.function, *target, spot, &address);
                self.assign(thread, *target, marks, position);
            }
            Action::Store { access, value } => {
                let address = self.of(thread, access.place.address());
                let marks = self.of(thread, value).and(&address.of_what_is_there());
                self.write(position, effects, marks);
            }
            Action::Atomic(steps) => self.update(position, step, steps, effects),
            Action::Spawn { target, arguments, .. } => {
                self.write(position, effects, Marks::default());
                let marks = arguments.iter().map(|argument| self.of(thread, argument)).collect();
                self.assign(thread, *target, Marks::default(), position);
                self.start(marks, effects);
            }
            Action::Allocate { target, size, .. } => {
                let size = self.of(thread, size);
                self.assign(thread, *target, Marks::default(), position);
                self.allocated(position, size, effects);
            }
            Action::Free { address } => {
                let marks = self.of(thread, address);
                for object in effects.events.iter().filter_map(freed) {
                    self.freed.insert(object, marks.clone());
                }
            }
            Action::Call { target, callee: _, arguments } => {
                let marks = arguments.iter().map(|argument| self.of(thread, argument)).collect();
                self.call(thread, (*target, stub), marks, effects);
            }
            Action::Return { value } => {
                let marks = value.as_ref().map(|value| self.of(thread, value)).unwrap_or_default();
                self.leave(thread, marks, position);
            }
            Action::ThreadExit { value } => {
                let marks = self.of(thread, value);
                self.end(thread, marks);
            }
            Action::Forget { .. } | Action::EndLife { .. } | Action::Exit { .. } | Action::Output(_) => {}
            Action::Assert { .. } | Action::Require { .. } | Action::Fence(_) => {}
            Action::AtomicBegin | Action::AtomicEnd | Action::Unsupported(_) | Action::Inexact(_) => {}
        }
        for event in &effects.events {
            if let Event::Forgotten(object) | Event::Freed(object) = event {
                self.memory.forget(*object);
                if stub.is_some() {
                    self.memory.leave(*object, 0, u64::MAX, position);
                }
            }
        }
    }

    /// A way is chosen. Conditions that stand on one line are one.
    fn choose(&mut self, thread: ThreadIndex, span: Span, condition: &Expr) {
        if matches!(condition, Expr::Constant(_)) {
            return;
        }
        let marks = self.of(thread, condition);
        if let Some(top) = self.top(thread) {
            let is_same_line = top.branch.0.file == span.file && top.branch.0.line == span.line;
            let before = if is_same_line { std::mem::take(&mut top.branch.1) } else { Marks::default() };
            top.branch = (span, before.and(&marks));
        }
    }

    /// What is read at a spot and stands in a register then.
    fn loaded(&self, function: FunctionId, target: RegisterId, spot: Option<Spot>, address: &Marks) -> Marks {
        let Some(spot) = spot else { return Marks::default() };
        let size = match spot {
            Spot::Ghost(GhostKey { object: Some(object), field: GhostField::ObjectSize, .. }) => {
                self.sizes.get(&object)
            }
            _ => None,
        };
        let found = self.memory.at(spot, self.used(function, target)).and(&address.of_what_is_there());
        size.map_or(found.clone(), |size| found.and(size))
    }

    /// Writes what follows from this to all that a step writes.
    fn write(&mut self, position: usize, effects: &Effects, marks: Marks) {
        let is_unknown = self.sources.contains_key(&position);
        let is_address = effects
            .changes
            .iter()
            .any(|change| matches!(change.what, Changed::Memory { .. }) && matches!(change.new, Value::Pointer(_)));
        let own = Marks::of(Origin { step: position, place: None }, Used::AsAddress);
        for access in effects.accesses.iter().filter(|access| access.kind == AccessKind::Write) {
            match access.spot {
                Spot::Bytes { object, offset, size } if is_unknown && !is_address => {
                    self.memory.leave(object, offset, size, position);
                }
                spot if is_unknown => self.memory.write(spot, marks.clone().and(&own)),
                spot => self.memory.write(spot, marks.clone()),
            }
        }
    }

    /// What somebody unknown may have changed without a step that does.
    fn may_change(&mut self, position: usize, edge: &Edge, effects: &Effects) {
        let size = edge.stub.map_or(0, |stub| stub.may_change);
        if size == 0 {
            return;
        }
        if let Some(Value::Pointer(given)) = effects.changes.last().map(|change| &change.new) {
            self.memory.leave(given.object, given.offset, size, position);
            self.left.insert(position);
        }
    }

    /// An update. What it writes follows from all that it may write and the conditions for that.
    fn update(&mut self, position: usize, step: &TraceStep, steps: &[AtomicStep], effects: &Effects) {
        let thread = step.thread;
        let mut written = Marks::default();
        let mut reads = effects.accesses.iter().filter(|access| access.kind == AccessKind::Read).peekable();
        for one in steps {
            match one {
                AtomicStep::Read { target, access } => {
                    let address = self.of(thread, access.place.address());
                    let spot = reads.next().map(|access| access.spot);
                    let marks = self.loaded(step.function, *target, spot, &address);
                    self.assign(thread, *target, marks, position);
                }
                AtomicStep::Let { target, value } => {
                    let marks = self.of(thread, value);
                    self.assign(thread, *target, marks, position);
                }
                AtomicStep::Write { when, access, value } => {
                    let address = self.of(thread, access.place.address()).of_what_is_there();
                    let marks = self.of(thread, value).and(&self.of(thread, when)).and(&address);
                    written = written.and(&marks);
                }
                AtomicStep::PickThread { target, field, .. } => {
                    while reads.next_if(|access| is_of_thread(access, *field)).is_some() {}
                    self.assign(thread, *target, Marks::default(), position);
                }
                AtomicStep::WriteThreads { field, value, .. } => {
                    while reads.next_if(|access| is_of_thread(access, *field)).is_some() {}
                    written = written.and(&self.of(thread, value));
                }
                AtomicStep::Guard(_) | AtomicStep::Spurious | AtomicStep::Require(..) | AtomicStep::Mark { .. } => {}
            }
        }
        self.write(position, effects, written);
    }

    fn allocated(&mut self, position: usize, size: Marks, effects: &Effects) {
        for event in &effects.events {
            if let Event::Allocated { object, .. } = event {
                if self.sources.contains_key(&position) {
                    self.memory.leave(*object, 0, u64::MAX, position);
                }
                self.sizes.insert(*object, size.clone());
            }
        }
    }

    fn start(&mut self, arguments: Vec<Marks>, effects: &Effects) {
        for event in &effects.events {
            if let Event::Started(thread, function) = event {
                let first = self.called(*function, None, None, arguments.clone());
                self.threads.insert(*thread, vec![first]);
            }
        }
    }

    fn call(
        &mut self,
        thread: ThreadIndex,
        (target, stub): (Option<RegisterId>, Option<(UnknownId, Span)>),
        arguments: Vec<Marks>,
        effects: &Effects,
    ) {
        for event in &effects.events {
            if let Event::Called(function) = event {
                let called = self.called(*function, target, stub, arguments.clone());
                self.threads.entry(thread).or_default().push(called);
            }
        }
    }

    fn called(
        &self,
        function: FunctionId,
        result: Option<RegisterId>,
        stub: Option<(UnknownId, Span)>,
        arguments: Vec<Marks>,
    ) -> Activation {
        let mut called = activation(function, result, stub);
        for (parameter, marks) in self.program.function(function).parameters.iter().zip(arguments) {
            called.registers.set(*parameter, marks.used(self.used(function, *parameter)));
        }
        called
    }

    fn leave(&mut self, thread: ThreadIndex, marks: Marks, position: usize) {
        let Some(left) = self.threads.get_mut(&thread).and_then(Vec::pop) else { return };
        if self.top(thread).is_none() {
            self.end(thread, marks);
        } else if let Some(result) = left.result {
            self.assign(thread, result, marks, position);
        }
    }

    fn end(&mut self, thread: ThreadIndex, result: Marks) {
        self.threads.remove(&thread);
        let key = GhostKey { object: Some(Instance::Thread(thread)), offset: 0, field: GhostField::ThreadResult };
        self.memory.write(Spot::Ghost(key), result);
    }

    /// What the addresses follow from that an action accesses.
    pub fn addresses(&self, thread: ThreadIndex, action: &Action) -> Marks {
        self.of_all(thread, action.touches().iter().map(|touch| touch.address))
    }

    /// The walk a moment later, where an update has read what it reads.
    pub fn looking(&self, thread: ThreadIndex, edge: &Edge, state: &State) -> Walk<'a> {
        let mut later = self.clone();
        if let Action::Atomic(steps) = &edge.action
            && let Some(function) = later.top(thread).map(|top| top.function)
        {
            let accesses = Semantics::new(self.program).accesses(state, thread);
            let is_read = |access: &PendingAccess| access.kind == AccessKind::Read;
            let is_own = |access: &PendingAccess| self.program.function(function).edge(access.edge) == edge;
            let accesses = accesses.into_iter().filter(|access| is_read(access) && is_own(access)).collect();
            let step = TraceStep { thread, function, edge: EdgeId(0), choices: Vec::new() };
            later.update(usize::MAX, &step, steps, &Effects { accesses, ..Effects::default() });
        }
        later
    }

    /// What the conditions follow from by which a thread came to where it is.
    pub fn branch(&self, thread: ThreadIndex) -> Marks {
        let activations = self.threads.get(&thread).map_or(&[][..], Vec::as_slice);
        let last = activations.iter().rev().find(|activation| activation.branch.0 != Span::NOWHERE);
        last.map_or_else(Marks::default, |activation| activation.branch.1.clone())
    }

    /// What the conditions of an update follow from.
    pub fn of_guards(&self, thread: ThreadIndex, steps: &[AtomicStep]) -> Marks {
        let guards = steps.iter().filter_map(|step| match step {
            AtomicStep::Guard(condition) => Some(condition),
            _ => None,
        });
        self.of_all(thread, guards)
    }

    /// What it rests on that an access by an address is undefined.
    pub fn at_fault(&self, undefined: Undefined, culprit: &Culprit, address: Marks) -> Marks {
        let Value::Pointer(pointer) = &culprit.address else { return address };
        match undefined {
            Undefined::UseAfterFree | Undefined::DoubleFree => {
                // Who is led to what was freed by the address that it was freed by is so in any case.
                let freed = self.freed.get(&pointer.object).cloned().unwrap_or_default();
                let are_numbers = !(address.numbers.is_empty() && freed.numbers.is_empty());
                let is_same = !are_numbers && address.addresses == freed.addresses;
                if is_same { Marks::default() } else { address.and(&freed) }
            }
            _ => self.sizes.get(&pointer.object).map_or(address.clone(), |size| address.and(size)),
        }
    }

    /// What somebody unknown gives in a step, in words.
    pub fn given(&self, step: usize, effects: &Effects) -> String {
        let Some(change) = effects.changes.last() else { return "left anything".to_owned() };
        let source = self.sources.get(&step).and_then(|(unknown, _)| self.program.unknowns.get(unknown.index()));
        let is_left = self.left.contains(&step);
        match (&change.what, source) {
            (_, Some(Unknown::Variable(_))) if is_left => "held null".to_owned(),
            (_, Some(Unknown::Variable(_))) => "held something else than it should".to_owned(),
            _ if is_left => format!("left what `{}` points to as it is", change.new_text),
            (Changed::Register(..), _) => format!("gave {}", change.new_text),
            (Changed::Memory { .. } | Changed::Ghost(_), _) => match &change.new {
                Value::Raw(_) => format!("left anything in `{}`", change.name),
                Value::Bits(_) | Value::Pointer(_) => format!("set `{}` to {}", change.name, change.new_text),
            },
        }
    }
}

fn activation(function: FunctionId, result: Option<RegisterId>, stub: Option<(UnknownId, Span)>) -> Activation {
    let branch = (Span::NOWHERE, Marks::default());
    Activation { function, registers: Registers::default(), result, stub, branch }
}

/// The object that was freed.
fn freed(event: &Event) -> Option<Instance> {
    match event {
        Event::Freed(object) => Some(*object),
        _ => None,
    }
}

/// Whether an access is a look at a field of some thread.
fn is_of_thread(access: &PendingAccess, field: GhostField) -> bool {
    matches!(access.spot, Spot::Ghost(GhostKey { object: Some(Instance::Thread(_)), field: own, .. }) if own == field)
}
