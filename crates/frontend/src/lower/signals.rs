//! Handlers of signals: they run in the threads that they interrupt, at any moment.
//!
//! Wherever a thread is about to do something that others can see, it may be interrupted instead: an edge leads from
//! there to a call of `__selvedge_run_handler_of_signal` (models/signals.c), which calls a handler that is installed,
//! and back. Nobody can count on a signal, so that the edge saves no program from a deadlock. What a handler does to
//! the thread that it interrupts (its `errno`, its locks, its end) is therefore what it does on the machine.
//!
//! Not interrupted are functions of the library and atomic sections; and a handler that calls a function which is not
//! async-signal-safe might interrupt that same function, so that what is proved then has a proviso.

use super::models;
use rustc_hash::FxHashSet;
use selvedge_program::{
    Access, Action, AtomicStep, Atomicity, Base, BinaryOp, Callee, Caveat, Display, Edge, EdgeId, Expr, Function,
    FunctionId, Location, LocationId, ObjectId, Place, Program, Register, RegisterId, Span,
};

/// What the models in C call the number of handlers that are installed, and that a thread is in.
const INSTALLED: &str = "__selvedge_handlers_installed";
const RUNNING: &str = "__selvedge_handlers_running";

/// What is known of handlers when all of the program is lowered.
#[derive(Clone, Debug, Default)]
pub struct Handlers {
    /// What runs one.
    pub run: Option<FunctionId>,
    /// Where one is installed first.
    pub installed: Option<Span>,
    /// Calls of library functions that are not async-signal-safe, by the function that makes them.
    pub unsafe_calls: Vec<(FunctionId, String, Span)>,
}

impl Handlers {
    /// Takes note of a call of a library function.
    pub fn note_call(&mut self, caller: FunctionId, name: &str, span: Span) {
        if !models::is_async_signal_safe(name) {
            self.unsafe_calls.push((caller, name.to_owned(), span));
        }
    }

    /// The user says that no handler runs.
    pub fn never_run(&self, program: &mut Program) {
        if let Some(span) = self.installed.filter(|_| !possible_handlers(program).is_empty()) {
            program.caveats.push(Caveat { message: "no handler of signals runs".to_owned(), span });
        }
    }

    /// Lets threads be interrupted.
    pub fn run_anywhere(&self, program: &mut Program) {
        let (Some(run), Some(span)) = (self.run, self.installed) else { return };
        let object = |name: &str| program.objects.iter().position(|object| object.name == name).map(ObjectId::new);
        let (Some(installed), Some(running)) = (object(INSTALLED), object(RUNNING)) else { return };
        let handlers: Vec<FunctionId> = possible_handlers(program);
        if handlers.is_empty() {
            return;
        }
        // What is not modelled of running one is told where the first is installed: the user knows nothing of models.
        for edge in &mut program.functions[run.index()].edges {
            if matches!(edge.action, Action::Unsupported(_) | Action::Inexact(_)) {
                edge.span = span;
            }
        }
        let within = reachable(program, &handlers);
        self.share_volatile(program, &within, span);
        let sealed = sealed(program);
        let seen = models_seen(program);
        for index in 0..program.functions.len() {
            let id = FunctionId::new(index);
            if !is_model(program.function(id)) && !sealed.contains(&id) {
                interrupt(program, id, run, [installed, running], &seen);
            }
        }
        let message =
            "handlers of signals are assumed to interrupt no function of the library in the thread that runs it";
        program.caveats.push(Caveat { message: message.to_owned(), span });
        let provisos = self.provisos(&within);
        program.provisos.extend(provisos);
        program.provisos.sort_by(|a, b| a.message.cmp(&b.message));
    }

    /// Handlers that call what is not async-signal-safe.
    fn provisos(&self, within: &FxHashSet<FunctionId>) -> Vec<Caveat> {
        let mut told = FxHashSet::default();
        let calls = self.unsafe_calls.iter().filter(|(caller, ..)| within.contains(caller));
        calls
            .filter(|(_, name, _)| told.insert(name.clone()))
            .map(|(_, name, span)| Caveat {
                message: format!(
                    "`{name}`, which a handler of signals calls and which is not async-signal-safe, is called when it \
                     interrupts nothing of the kind (`--no-signals` assumes that no handler runs)"
                ),
                span: *span,
            })
            .collect()
    }

    /// Volatile objects that handlers use are made for that: their accesses are single steps that do not race.
    fn share_volatile(&self, program: &mut Program, within: &FxHashSet<FunctionId>, span: Span) {
        let mut shared: Vec<ObjectId> = Vec::new();
        for id in within {
            for edge in &program.function(*id).edges {
                if let Some(object) = accessed(&edge.action)
                    && program.objects[object.index()].type_name.starts_with("volatile ")
                    && !shared.contains(&object)
                {
                    shared.push(object);
                }
            }
        }
        shared.sort_unstable();
        for function in &mut program.functions {
            for edge in &mut function.edges {
                if accessed(&edge.action).is_some_and(|object| shared.contains(&object))
                    && let Action::Load { access, .. } | Action::Store { access, .. } = &mut edge.action
                {
                    access.atomicity = Atomicity::SEQUENTIAL;
                }
            }
        }
        for object in shared {
            let name = &program.objects[object.index()].name;
            let message = format!(
                "accesses to `{name}`, which is volatile and used by handlers of signals, are taken for atomic"
            );
            program.caveats.push(Caveat { message, span });
        }
    }
}

/// The object that a single access is to, by its name.
fn accessed(action: &Action) -> Option<ObjectId> {
    let (Action::Load { access, .. } | Action::Store { access, .. }) = action else { return None };
    match &access.place {
        Place::Memory { address: Expr::Address(Base::Object(object), _), .. } => Some(*object),
        _ => None,
    }
}

fn is_model(function: &Function) -> bool {
    function.name.starts_with("__selvedge_")
}

/// Functions that can be handlers: their address is taken, they return nothing, and take an `int` and perhaps two
/// pointers, or nothing.
fn possible_handlers(program: &Program) -> Vec<FunctionId> {
    let could_be = |id: &FunctionId| {
        let function = program.function(*id);
        let first = function.parameters.first().map(|first| function.registers[first.index()].width);
        !is_model(function) && matches!(function.parameters.len(), 0 | 1 | 3) && first.is_none_or(|width| width == 32)
    };
    program.address_taken.iter().copied().filter(could_be).collect()
}

/// The functions that some call, and they themselves.
fn reachable(program: &Program, from: &[FunctionId]) -> FxHashSet<FunctionId> {
    let mut found: FxHashSet<FunctionId> = from.iter().copied().collect();
    let mut work: Vec<FunctionId> = from.to_vec();
    while let Some(id) = work.pop() {
        for edge in &program.function(id).edges {
            let callees = match &edge.action {
                Action::Call { callee: Callee::Direct(callee), .. } => vec![*callee],
                Action::Call { callee: Callee::Indirect(_), .. } => program.address_taken.clone(),
                _ => continue,
            };
            work.extend(callees.into_iter().filter(|callee| found.insert(*callee)));
        }
    }
    found
}

/// The locations of a function that lie in an atomic section which begins in it.
fn in_sections(function: &Function) -> FxHashSet<LocationId> {
    let begins = function.edges.iter().filter(|edge| edge.action == Action::AtomicBegin).map(|edge| edge.target);
    let mut work: Vec<LocationId> = begins.collect();
    let mut found: FxHashSet<LocationId> = work.iter().copied().collect();
    while let Some(location) = work.pop() {
        for edge in &function.location(location).outgoing {
            let edge = function.edge(*edge);
            if edge.action != Action::AtomicEnd && found.insert(edge.target) {
                work.push(edge.target);
            }
        }
    }
    found
}

/// Functions that may be called in atomic sections.
fn sealed(program: &Program) -> FxHashSet<FunctionId> {
    let mut called = Vec::new();
    for function in &program.functions {
        let sections = in_sections(function);
        for edge in function.edges.iter().filter(|edge| sections.contains(&edge.source)) {
            match &edge.action {
                Action::Call { callee: Callee::Direct(callee), .. } => called.push(*callee),
                Action::Call { callee: Callee::Indirect(_), .. } => called.extend(&program.address_taken),
                _ => {}
            }
        }
    }
    reachable(program, &called)
}

/// Whether others can see that an action happens, or when.
fn is_visible(action: &Action) -> bool {
    matches!(
        action,
        Action::Load { .. }
            | Action::Store { .. }
            | Action::Atomic(_)
            | Action::Spawn { .. }
            | Action::Free { .. }
            | Action::Exit { .. }
            | Action::ThreadExit { .. }
            | Action::AtomicBegin
    )
}

/// The models that do something which others can see: nobody is interrupted within them, but before them.
fn models_seen(program: &Program) -> FxHashSet<FunctionId> {
    let is_seen = |id: &FunctionId| {
        let within = reachable(program, &[*id]);
        within.iter().any(|id| program.function(*id).edges.iter().any(|edge| is_visible(&edge.action)))
    };
    let models = (0..program.functions.len()).map(FunctionId::new).filter(|id| is_model(program.function(*id)));
    models.filter(is_seen).collect()
}

/// Lets a function be interrupted before every visible step, calls of the models that take some included.
fn interrupt(
    program: &mut Program,
    id: FunctionId,
    run: FunctionId,
    [installed, running]: [ObjectId; 2],
    seen: &FxHashSet<FunctionId>,
) {
    let width = program.pointer_width();
    // The end of a thread is a point, too: one that does nothing else can still run a handler.
    let is_entry = program.entries.contains(&id);
    let calls_seen = |action: &Action| match action {
        Action::Call { callee: Callee::Direct(callee), .. } => seen.contains(callee),
        Action::Call { callee: Callee::Indirect(_), .. } => program.address_taken.iter().any(|id| seen.contains(id)),
        _ => false,
    };
    let is_visible = |action: &Action| {
        is_visible(action) || calls_seen(action) || (is_entry && matches!(action, Action::Return { .. }))
    };
    let function = program.function(id);
    let sections = in_sections(function);
    let is_point = |location: &LocationId| {
        !sections.contains(location)
            && function.location(*location).outgoing.iter().any(|edge| is_visible(&function.edge(*edge).action))
    };
    let points: Vec<LocationId> = (0..function.locations.len()).map(LocationId::new).filter(is_point).collect();
    if points.is_empty() {
        return;
    }
    let function = &mut program.functions[id.index()];
    let [one, other] = [(); 2].map(|()| {
        let register = RegisterId::new(function.registers.len());
        function.registers.push(Register { name: None, width: 32, display: Display::Signed, may_be_address: false });
        register
    });
    let read = |target: RegisterId, object: ObjectId| {
        let place = Place::Memory { address: Expr::address(Base::Object(object), width), size: 4, align: 4 };
        AtomicStep::Read { target, access: Access { place, atomicity: Atomicity::SEQUENTIAL } }
    };
    let value = |register: RegisterId| Expr::Register(register, 32);
    let may_run = Expr::binary(BinaryOp::LessSigned, value(other), value(one));
    let steps = vec![read(one, installed), read(other, running), AtomicStep::Guard(may_run), AtomicStep::Spurious];
    for source in points {
        let span = function.edge(function.location(source).outgoing[0]).span;
        let between = LocationId::new(function.locations.len());
        function.locations.push(Location::default());
        let call = Action::Call { target: None, callee: Callee::Direct(run), arguments: Vec::new() };
        for (from, to, action) in [(source, between, Action::Atomic(steps.clone())), (between, source, call)] {
            let edge = EdgeId::new(function.edges.len());
            function.edges.push(Edge { source: from, target: to, action, side: None, span });
            function.locations[from.index()].outgoing.push(edge);
        }
    }
}
