//! The composition of abstract threads as a program (paper 003, Theorem 1): if every thread of a C program conforms to
//! its abstract thread, and the composition does not go wrong, neither does the C program.
//!
//! Every shared variable becomes a global variable, every abstract thread a function whose locations are its states,
//! every edge one atomic update: it reads the shared variables, waits until the relation holds, and writes what may
//! change. A value that the relation does not determine is chosen when the thread comes into the state, and may be
//! chosen again as long as there is a choice that would let it pass. Idle steps change nothing and are left out.
//!
//! **Assertions.** The composition goes wrong when a thread is in a state whose assertion does not hold, whoever made
//! it so. So a state has one more edge, which can be taken exactly when the assertion does not hold, and fails. It can
//! be taken right after the step that violates the assertion, be it the thread's own or another's; so a failing check
//! is reachable if and only if the composition goes wrong. It is no way on for a thread that waits, so it hides no
//! deadlock. Conversely, the other edges of a state demand its assertion: what happens after something has gone wrong
//! does not matter.
//!
//! **Environments** (Appendix A). A thread with one keeps a copy of the shared variables, made with each of its steps,
//! idle ones included, and one more edge fails when the copy and the present values are not in the relation.
//!
//! **Thread life.** Threads that no edge creates are started by `main`; an edge that creates one is a start. Of threads that
//! may be joined it is counted how many have ended and are not joined: a thread counts itself when it ends, in a state that
//! no edges leave, and an edge that joins waits for the count and takes one. A count that has reached its end says no more,
//! and nobody waits for it.
//!
//! **Deadlock.** A thread whose state has no edges has ended. One that has, and can take none of them, waits.

mod alternative;
mod choice;

use std::collections::BTreeMap;

use selvedge_program::{
    Access, Action, AtomicStep, Atomicity, Base, BinaryOp, Callee, Caveat, Check, CheckId, Diagnostic, Display, Edge,
    EdgeId, Expr, Function, FunctionId, InitialValue, Location, LocationId, Object, ObjectId, ObjectKind, Place,
    Program, Register, RegisterId, Shape, Span,
};
use selvedge_symbolic::{Moment, Predicate, Relation};

use crate::spec::{Instances, Life, Shared, Specification, State, StateId, Thread};
pub(crate) use alternative::{Alternative, alternatives, slots};

/// How wide the counts of threads that have ended are.
const COUNT_WIDTH: u32 = 32;

/// More threads than this are not started one by one.
pub const MOST_THREADS: u32 = 1000;

/// A composition.
#[derive(Clone, Debug)]
pub struct Composition {
    /// The program: `main` starts the threads.
    pub program: Program,
    /// Why deadlocks cannot be looked for: edges of which it is not known when they can be taken.
    pub undecided: Vec<Caveat>,
}

/// Composes the abstract threads of a specification over a program, so many of each.
///
/// # Errors
/// For what cannot be composed.
pub fn compose(
    program: &Program,
    spec: &Specification,
    instances: &dyn Fn(&Thread) -> Instances,
) -> Result<Composition, Vec<Diagnostic>> {
    let mut composed = Program { sources: spec.sources.clone(), data_model: program.data_model, ..Program::empty() };
    let mut wrong = Vec::new();
    for shared in &spec.shared {
        let size = shared.width / 8;
        let initial = shared.initial.iter().map(|value| InitialValue { offset: 0, size, value: value.clone() });
        composed.objects.push(Object {
            name: shared.name.clone(),
            kind: ObjectKind::Global,
            size: u64::from(size),
            align: size,
            initial: initial.collect(),
            initial_ghosts: Vec::new(),
            shape: Shape::Scalar { size, display: shared.display },
            type_name: String::new(),
            span: shared.span,
        });
    }
    if (0..spec.threads.len()).any(|at| spec.is_joined(at)) {
        composed.objects.extend(spec.threads.iter().map(ended));
    }
    let counts: Vec<Instances> = spec.threads.iter().map(instances).collect();
    for (at, (thread, count)) in spec.threads.iter().zip(&counts).enumerate() {
        if spec.is_created(at) {
            continue;
        }
        match count {
            Instances::Exactly(number) if *number > MOST_THREADS => {
                wrong.push(Diagnostic::error(thread.span, format!("there can be at most {MOST_THREADS} threads")));
            }
            Instances::Exactly(number) => {
                let noun = if *number == 1 { "thread is" } else { "threads are" };
                let message = format!("{number} {noun} composed of `{}`", thread.name);
                composed.caveats.push(Caveat { message, span: thread.span });
            }
            Instances::Any => {}
        }
    }
    let width = program.pointer_width();
    composed.functions.push(main(spec, &counts, width));
    composed.entries.push(FunctionId(0));
    let mut undecided = Vec::new();
    for thread in &spec.threads {
        let id = FunctionId::new(composed.functions.len());
        let mut lowering = Lowering {
            vocabulary: program,
            spec,
            thread,
            id,
            function: blank(&thread.name, thread.span),
            checks: &mut composed.checks,
            undecided: &mut undecided,
            wrong: &mut wrong,
        };
        lowering.body();
        let function = lowering.function;
        composed.functions.push(function);
        composed.entries.push(id);
    }
    if wrong.is_empty() { Ok(Composition { program: composed, undecided }) } else { Err(wrong) }
}

fn blank(name: &str, span: Span) -> Function {
    Function {
        name: name.to_owned(),
        parameters: Vec::new(),
        result_width: None,
        registers: Vec::new(),
        frame: Vec::new(),
        locations: vec![Location::default()],
        edges: Vec::new(),
        entry: LocationId(0),
        span,
    }
}

fn location(function: &mut Function) -> LocationId {
    function.locations.push(Location::default());
    LocationId::new(function.locations.len() - 1)
}

fn edge(function: &mut Function, (source, target): (LocationId, LocationId), action: Action, span: Span) {
    let id = EdgeId::new(function.edges.len());
    function.edges.push(Edge { source, target, action, side: None, span, stub: None });
    function.locations[source.index()].outgoing.push(id);
}

fn register(function: &mut Function, name: Option<&str>, width: u32, display: Display) -> RegisterId {
    let name = name.map(str::to_owned);
    function.registers.push(Register { name, width, display, may_be_address: false });
    RegisterId::new(function.registers.len() - 1)
}

/// The bits that are chosen of a variable whose value is open: a truth value is one of two.
fn chosen_width(shared: &Shared) -> u32 {
    if shared.display == Display::Bool { 1 } else { shared.width }
}

/// The access to a shared variable.
fn access(spec: &Specification, position: usize, pointer_width: u32) -> Access {
    let address = Expr::address(Base::Object(ObjectId::new(position)), pointer_width);
    let size = spec.shared[position].width / 8;
    Access { place: Place::Memory { address, size, align: size }, atomicity: Atomicity::SEQUENTIAL }
}

/// The count of the threads of an abstract thread that have ended and are not joined.
fn ended(thread: &Thread) -> Object {
    Object {
        name: format!("ended({})", thread.name),
        kind: ObjectKind::Global,
        size: u64::from(COUNT_WIDTH / 8),
        align: COUNT_WIDTH / 8,
        initial: Vec::new(),
        initial_ghosts: Vec::new(),
        shape: Shape::Scalar { size: COUNT_WIDTH / 8, display: Display::Unsigned },
        type_name: String::new(),
        span: thread.span,
    }
}

/// The access to that count.
fn count(spec: &Specification, thread: usize, pointer_width: u32) -> Access {
    let address = Expr::address(Base::Object(ObjectId::new(spec.shared.len() + thread)), pointer_width);
    let size = COUNT_WIDTH / 8;
    Access { place: Place::Memory { address, size, align: size }, atomicity: Atomicity::SEQUENTIAL }
}

/// Starts a thread of an abstract thread.
fn start(thread: usize, handle: RegisterId) -> Action {
    Action::Spawn {
        target: handle,
        entry: Callee::Direct(FunctionId::new(thread + 1)),
        arguments: Vec::new(),
        id: None,
    }
}

/// Gives the shared variables values that the initial condition allows, starts the threads, and ends.
fn main(spec: &Specification, counts: &[Instances], pointer_width: u32) -> Function {
    let mut main = blank("main", Span::NOWHERE);
    let handle = register(&mut main, None, pointer_width, Display::Pointer);
    let mut here = main.entry;
    let mut then = |main: &mut Function, action: Action| {
        let next = location(main);
        edge(main, (here, next), action, Span::NOWHERE);
        here = next;
        here
    };
    let mut values: BTreeMap<usize, Expr> = BTreeMap::new();
    let mut writes = Vec::new();
    for (position, shared) in spec.shared.iter().enumerate() {
        if let Some(value) = &shared.initial {
            values.insert(position, value.clone());
            continue;
        }
        let any = register(&mut main, None, chosen_width(shared), shared.display);
        then(&mut main, Action::Havoc { target: any });
        let value = Expr::register(any, chosen_width(shared)).resize_unsigned(shared.width);
        values.insert(position, value.clone());
        writes.push(AtomicStep::Write { when: Expr::truth(), access: access(spec, position, pointer_width), value });
    }
    for predicate in &spec.initially {
        let condition = slots(spec, &Relation::of(predicate, Moment::Before));
        let held = condition.substitute(&mut |slot, _| values[&slot.index()].clone()).simplified();
        then(&mut main, Action::Assume(held));
    }
    if !writes.is_empty() {
        then(&mut main, Action::Atomic(writes));
    }
    let spawn = |at: usize| start(at, handle);
    let begins = |at: &usize| !spec.is_created(*at);
    for (at, count) in counts.iter().enumerate().filter(|(at, _)| begins(at)) {
        if let Instances::Exactly(number) = count {
            for _ in 0..(*number).min(MOST_THREADS) {
                then(&mut main, spawn(at));
            }
        }
    }
    for (at, _) in counts.iter().enumerate().filter(|(at, count)| begins(at) && **count == Instances::Any) {
        edge(&mut main, (here, here), spawn(at), Span::NOWHERE);
    }
    let end = location(&mut main);
    edge(&mut main, (here, end), Action::ThreadExit { value: Expr::constant(pointer_width, 0) }, Span::NOWHERE);
    main
}

/// An abstract thread on its way to a function. For n shared variables, register i is variable i as it was read,
/// register n + i the value that was chosen for it, register 2n + i its copy of the last own step; then there are one for
/// the handles of threads that it starts, and one for counts of threads.
struct Lowering<'a> {
    vocabulary: &'a Program,
    spec: &'a Specification,
    thread: &'a Thread,
    id: FunctionId,
    function: Function,
    checks: &'a mut Vec<Check>,
    undecided: &'a mut Vec<Caveat>,
    wrong: &'a mut Vec<Diagnostic>,
}

impl Lowering<'_> {
    fn pointer_width(&self) -> u32 {
        self.vocabulary.pointer_width()
    }

    fn body(&mut self) {
        for shared in &self.spec.shared {
            register(&mut self.function, None, shared.width, shared.display);
        }
        for shared in &self.spec.shared {
            register(&mut self.function, None, chosen_width(shared), shared.display);
        }
        for shared in &self.spec.shared {
            register(&mut self.function, None, shared.width, shared.display);
        }
        let (pointer_width, counts) = (self.pointer_width(), COUNT_WIDTH);
        register(&mut self.function, None, pointer_width, Display::Pointer);
        register(&mut self.function, None, counts, Display::Unsigned);
        let mut entry = self.function.entry;
        if let Some(environment) = &self.thread.environment {
            let first = location(&mut self.function);
            let steps = self.copies(environment, &[]);
            edge(&mut self.function, (entry, first), Action::Atomic(steps), self.thread.span);
            entry = first;
        }
        let states: Vec<LocationId> = self.thread.states.iter().map(|_| location(&mut self.function)).collect();
        for (state, at) in self.thread.states.iter().zip(&states) {
            self.function.locations[at.index()].label = Some(state.name.clone());
        }
        for initial in &self.thread.initial {
            let to = states[initial.index()];
            edge(&mut self.function, (entry, to), Action::Assume(Expr::truth()), self.thread.span);
        }
        let end = location(&mut self.function);
        for index in 0..self.thread.states.len() {
            self.state(StateId::new(index), &states, end);
        }
        self.function.result_width = Some(self.pointer_width());
        let last = location(&mut self.function);
        let action = Action::Return { value: Some(Expr::constant(self.pointer_width(), 0)) };
        edge(&mut self.function, (end, last), action, self.thread.span);
    }

    fn state(&mut self, id: StateId, states: &[LocationId], end: LocationId) {
        let thread = self.thread;
        let state = thread.state(id);
        let edges: Vec<(&crate::spec::Edge, Alternative)> = thread
            .leaving(id)
            .filter(|edge| edge.life.is_none())
            .flat_map(|edge| alternatives(self.spec, edge).into_iter().map(move |way| (edge, way)))
            .collect();
        let here = self.chosen(id, states[id.index()], &edges);
        self.assertion(state, here);
        if let Some(environment) = &thread.environment {
            self.environment(state, environment, here);
        }
        if thread.leaving(id).next().is_none() {
            let at = self.id.index() - 1;
            let action = match self.spec.is_joined(at) {
                true => Action::Atomic(self.counted(at, BinaryOp::Add)),
                false => Action::Assume(Expr::truth()),
            };
            edge(&mut self.function, (here, end), action, state.named);
        }
        for taken in thread.leaving(id) {
            let Some(life) = taken.life else { continue };
            let to = states[taken.target.index()];
            for action in self.life(life) {
                edge(&mut self.function, (here, to), action, taken.span);
            }
        }
        let holds = slots(self.spec, &Relation::of(&state.assertion, Moment::Before));
        for (taken, mut way) in edges {
            for (_, value) in &mut way.updates {
                *value = self.with_choices(value);
            }
            let guard = Expr::and(holds.clone(), self.with_choices(&way.guard)).simplified();
            let mut read: Vec<&Expr> = way.updates.iter().map(|(_, value)| value).collect();
            read.push(&guard);
            let mut steps = self.reads(&read);
            steps.push(AtomicStep::Guard(guard.clone()));
            for (position, value) in &way.updates {
                let access = access(self.spec, *position, self.pointer_width());
                steps.push(AtomicStep::Write { when: Expr::truth(), access, value: value.clone() });
            }
            if let Some(environment) = &thread.environment {
                steps.extend(self.copies(environment, &way.updates));
            }
            let to = states[taken.target.index()];
            edge(&mut self.function, (here, to), Action::Atomic(steps), taken.span);
        }
    }

    /// What an edge does to another thread, in one of these ways.
    fn life(&mut self, life: Life) -> Vec<Action> {
        let joined: Vec<usize> = match life {
            Life::Create(thread) => return vec![start(thread, RegisterId::new(3 * self.spec.shared.len()))],
            Life::Join(Some(thread)) => vec![thread],
            Life::Join(None) => (0..self.spec.threads.len()).filter(|at| self.spec.is_created(*at)).collect(),
        };
        joined.into_iter().map(|thread| Action::Atomic(self.counted(thread, BinaryOp::Subtract))).collect()
    }

    /// One thread more, or less, has ended and is not joined; for one less there has to be one.
    fn counted(&self, thread: usize, op: BinaryOp) -> Vec<AtomicStep> {
        let target = RegisterId::new(3 * self.spec.shared.len() + 1);
        let held = Expr::register(target, COUNT_WIDTH);
        let [none, one, most] = [0, 1, (1 << COUNT_WIDTH) - 1].map(|number| Expr::constant(COUNT_WIDTH, number));
        let access = || count(self.spec, thread, self.pointer_width());
        let mut steps = vec![AtomicStep::Read { target, access: access() }];
        if op == BinaryOp::Subtract {
            steps.push(AtomicStep::Guard(Expr::equal(held.clone(), none).not()));
        }
        let (when, value) = (Expr::equal(held.clone(), most).not(), Expr::binary(op, held, one));
        steps.push(AtomicStep::Write { when, access: access(), value });
        steps
    }

    /// Chooses what the edges of a state leave open, and gives where the thread then is. It may choose again as long as
    /// some choice lets it pass.
    fn chosen(&mut self, id: StateId, here: LocationId, edges: &[(&crate::spec::Edge, Alternative)]) -> LocationId {
        let mut choices: Vec<usize> = edges.iter().flat_map(|(_, way)| way.choices.clone()).collect();
        choices.sort_unstable();
        choices.dedup();
        let span = self.thread.state(id).named;
        let mut ready = here;
        for position in &choices {
            if self.spec.shared[*position].display == Display::Pointer {
                let name = &self.spec.shared[*position].name;
                let message = format!("this edge does not say which address `{name}` holds after it");
                let at =
                    edges.iter().find(|(_, way)| way.choices.contains(position)).map_or(span, |(edge, _)| edge.span);
                self.wrong.push(Diagnostic::error(at, message));
            }
            let next = location(&mut self.function);
            let target = RegisterId::new(self.spec.shared.len() + position);
            edge(&mut self.function, (ready, next), Action::Havoc { target }, span);
            ready = next;
        }
        if choices.is_empty() {
            return here;
        }
        let mut again = Expr::falsehood();
        for (edge, way) in edges.iter().filter(|(_, way)| !way.choices.is_empty()) {
            let can = choice::possible(self.vocabulary, self.spec, way).unwrap_or_else(|| {
                let message = "whether a thread can have to wait for good here is not known, so deadlocks are not \
                               looked for"
                    .to_owned();
                self.undecided.push(Caveat { message, span: edge.span });
                Expr::truth()
            });
            again = Expr::or(again, can);
        }
        let again = again.simplified();
        let mut steps = self.reads(&[&again]);
        steps.push(AtomicStep::Guard(again));
        edge(&mut self.function, (ready, here), Action::Atomic(steps), span);
        ready
    }

    /// An expression over slots with what was chosen for values after the step.
    fn with_choices(&self, expr: &Expr) -> Expr {
        let first = self.spec.shared.len();
        let mut chosen = |slot: RegisterId, width: u32| match slot.index().checked_sub(first) {
            Some(position) => Expr::register(slot, chosen_width(&self.spec.shared[position])).resize_unsigned(width),
            None => Expr::Register(slot, width),
        };
        expr.substitute(&mut chosen).simplified()
    }

    /// Reads what expressions speak of as it is before the step.
    fn reads(&mut self, expressions: &[&Expr]) -> Vec<AtomicStep> {
        let shared = self.spec.shared.len();
        let mut needed = vec![false; shared];
        for expr in expressions {
            expr.for_each_register(&mut |slot| {
                if let Some(is_needed) = needed.get_mut(slot.index()) {
                    *is_needed = true;
                }
            });
            if let Some(message) = self.unsupported(expr) {
                self.wrong.push(Diagnostic::error(self.thread.span, message));
            }
        }
        let pointer_width = self.pointer_width();
        let positions = (0..shared).filter(|position| needed[*position]);
        positions
            .map(|position| AtomicStep::Read {
                target: RegisterId::new(position),
                access: access(self.spec, position, pointer_width),
            })
            .collect()
    }

    /// What a composition has no meaning for: addresses of what the C program has.
    fn unsupported(&self, expr: &Expr) -> Option<String> {
        match expr {
            Expr::Address(Base::SelfThread, _) | Expr::Constant(_) | Expr::Register(..) => None,
            Expr::Address(..) => {
                Some(format!("a predicate of `{}` speaks of an address: that cannot be composed", self.thread.name))
            }
            Expr::Unary(_, operand) | Expr::Convert(_, _, operand) => self.unsupported(operand),
            Expr::Binary(_, left, right) => self.unsupported(left).or_else(|| self.unsupported(right)),
            Expr::IfThenElse(condition, then, otherwise) => {
                self.unsupported(condition).or_else(|| self.unsupported(then)).or_else(|| self.unsupported(otherwise))
            }
        }
    }

    /// Where a condition does not hold while the thread is here, a check fails.
    fn fails(&mut self, here: LocationId, holds: Expr, description: String, span: Span) {
        let check = CheckId::new(self.checks.len());
        self.checks.push(Check { description, function: self.id, span });
        let violated = holds.not().simplified();
        let mut steps = self.reads(&[&violated]);
        steps.push(AtomicStep::Guard(violated));
        let (failed, after) = (location(&mut self.function), location(&mut self.function));
        edge(&mut self.function, (here, failed), Action::Atomic(steps), span);
        edge(&mut self.function, (failed, after), Action::Assert { condition: Expr::falsehood(), check }, span);
        let action = Action::ThreadExit { value: Expr::constant(self.pointer_width(), 0) };
        let gone = location(&mut self.function);
        edge(&mut self.function, (after, gone), action, span);
    }

    fn assertion(&mut self, state: &State, here: LocationId) {
        if state.assertion == Predicate::new(&Expr::truth(), &[]) {
            return;
        }
        let holds = slots(self.spec, &Relation::of(&state.assertion, Moment::Before));
        let text = state.assertion.text(self.vocabulary);
        self.fails(here, holds, format!("{text} in the state {} of {}", state.name, self.thread.name), state.span);
    }

    /// The check of what others have done, and the idle step after which that counts anew.
    fn environment(&mut self, state: &State, environment: &Relation, here: LocationId) {
        let shared = self.spec.shared.len();
        let moved = |slot: RegisterId| {
            RegisterId::new(if slot.index() < shared { 2 * shared + slot.index() } else { slot.index() - shared })
        };
        let holds = slots(self.spec, environment).rename(&mut |slot| moved(slot));
        let text = format!("what others may do to {}, in its state {}", self.thread.name, state.name);
        self.fails(here, holds, text, state.named);
        let mut differs = Expr::falsehood();
        for position in self.spoken_of(environment) {
            let width = self.spec.shared[position].width;
            let [now, then] = [position, 2 * shared + position].map(|at| Expr::register(RegisterId::new(at), width));
            differs = Expr::or(differs, Expr::equal(now, then).not());
        }
        let mut steps = self.reads(&[&differs]);
        steps.push(AtomicStep::Guard(differs));
        steps.extend(self.copies(environment, &[]));
        edge(&mut self.function, (here, here), Action::Atomic(steps), state.named);
    }

    /// The variables that an environment speaks of.
    fn spoken_of(&self, environment: &Relation) -> Vec<usize> {
        let speaks = |position: &usize| {
            let variable = self.spec.shared[*position].variable;
            environment.mentions((variable, Moment::Before)) || environment.mentions((variable, Moment::After))
        };
        (0..self.spec.shared.len()).filter(speaks).collect()
    }

    /// Copies what an environment speaks of, as it is after these updates.
    fn copies(&mut self, environment: &Relation, updates: &[(usize, Expr)]) -> Vec<AtomicStep> {
        let shared = self.spec.shared.len();
        let mut steps = Vec::new();
        for position in self.spoken_of(environment) {
            let target = RegisterId::new(2 * shared + position);
            match updates.iter().find(|(updated, _)| *updated == position) {
                Some((_, value)) => steps.push(AtomicStep::Let { target, value: value.clone() }),
                None => {
                    let access = access(self.spec, position, self.pointer_width());
                    steps.push(AtomicStep::Read { target, access });
                }
            }
        }
        steps
    }
}
