//! Handlers of signals: they run in the threads that they interrupt, at any moment.
//!
//! Wherever a thread is about to do something that others can see, it may be interrupted instead: an edge leads from
//! there to a call of `__selvedge_run_handler_of_signal` (models/signals.c), which calls a handler that is installed,
//! and back. Nobody can count on a signal, so that the edge saves no program from a deadlock. What a handler does to
//! the thread that it interrupts (its `errno`, its locks, its end) is therefore what it does on the machine.
//!
//! A handler is not interrupted where that makes no difference: where all of it is one step that others can see, or
//! where it cannot happen, since there is but one signal, which is blocked while its handler runs.
//!
//! Handlers that only set flags are cheap: what they do is one atomic store, which comes before or after any other step
//! alike, unless that accesses the same variable. So they run only next to such steps, in the thread that takes them,
//! and next to what changes dispositions.
//!
//! Not interrupted are functions of the library and atomic sections; and a handler that calls a function which is not
//! async-signal-safe might interrupt that same function, so that what is proved then has a proviso.

use super::models;
use rustc_hash::FxHashSet;
use selvedge_program::{
    Access, Action, AtomicStep, Atomicity, Base, BinaryOp, Callee, Caveat, Display, Edge, EdgeId, Expr, Function,
    FunctionId, Location, LocationId, ObjectId, Place, Program, Register, RegisterId, Span, UnaryOp,
};

/// What the models in C call the sets of signals that have a handler, and that a thread blocks.
const HANDLED: &str = "__selvedge_handled";
const BLOCKED: &str = "__selvedge_blocked";

/// What is known of handlers when all of the program is lowered.
#[derive(Clone, Debug, Default)]
pub struct Handlers {
    /// What runs one.
    pub run: Option<FunctionId>,
    /// Where one is installed first.
    pub installed: Option<Span>,
    /// What changes the signals that a thread blocks.
    pub set_mask: Option<FunctionId>,
    /// Whether there are handlers of one signal only.
    pub is_one_signal: bool,
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
        // Nor does one interrupt itself.
        for edge in program.functions.iter_mut().flat_map(|function| &mut function.edges) {
            if matches!(&edge.action, Action::Inexact(what) if what == models::WITHIN_ITSELF) {
                edge.action = Action::Assume(Expr::truth());
            }
        }
    }

    /// Lets threads be interrupted.
    pub fn run_anywhere(&self, program: &mut Program) {
        let (Some(run), Some(span)) = (self.run, self.installed) else { return };
        let object = |name: &str| program.objects.iter().position(|object| object.name == name).map(ObjectId::new);
        let (Some(handled), Some(blocked)) = (object(HANDLED), object(BLOCKED)) else { return };
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
        let quiet = self.uninterrupted(program, run, &within);
        self.share_volatile(program, &within, span);
        let sealed = sealed(program);
        let flags = self.set_mask.is_none().then(|| flags_of(program, &handlers)).flatten();
        let seen = models_seen(program);
        for index in 0..program.functions.len() {
            let id = FunctionId::new(index);
            if !is_model(program.function(id)) && !sealed.contains(&id) && !quiet.contains(&id) {
                interrupt(program, id, run, ([handled, blocked], flags.as_deref(), &seen));
            }
        }
        let message =
            "handlers of signals are assumed to interrupt no function of the library in the thread that runs it";
        program.caveats.push(Caveat { message: message.to_owned(), span });
        let provisos = self.provisos(&within);
        program.provisos.extend(provisos);
        program.provisos.sort_by(|a, b| a.message.cmp(&b.message));
    }

    /// Functions that run only as handlers, or as parts of handlers, and need not be interrupted.
    fn uninterrupted(
        &self,
        program: &mut Program,
        run: FunctionId,
        within: &FxHashSet<FunctionId>,
    ) -> FxHashSet<FunctionId> {
        let leaves_mask = self.set_mask.is_none_or(|set| !within.contains(&set));
        let others = run_otherwise(program, run);
        let is_sure = |id: &FunctionId| leaves_mask && is_one_step(program.function(*id));
        let is_quiet = |id: &&FunctionId| {
            let is_never_within_itself = leaves_mask && self.is_one_signal;
            !is_model(program.function(**id)) && !others.contains(*id) && (is_never_within_itself || is_sure(id))
        };
        let quiet: FxHashSet<FunctionId> = within.iter().filter(is_quiet).copied().collect();
        let is_surely_quiet = quiet.iter().all(is_sure);
        for edge in program.functions.iter_mut().flat_map(|function| &mut function.edges) {
            if matches!(&edge.action, Action::Inexact(what) if what == models::WITHIN_ITSELF) {
                // The user knows nothing of models.
                edge.span = self.installed.unwrap_or(edge.span);
                edge.action = match !is_surely_quiet {
                    true => Action::Unsupported(models::WITHIN_ITSELF.to_owned()),
                    false => Action::Assume(Expr::truth()),
                };
            }
        }
        quiet
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

pub fn is_model(function: &Function) -> bool {
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

/// The functions that threads run otherwise than as a handler of a signal. A call through a pointer enters no function
/// that takes another number of arguments.
fn run_otherwise(program: &Program, run: FunctionId) -> FxHashSet<FunctionId> {
    let mut found: FxHashSet<FunctionId> = program.entries.iter().copied().collect();
    let mut work: Vec<FunctionId> = program.entries.clone();
    while let Some(id) = work.pop() {
        if id == run {
            continue;
        }
        for edge in &program.function(id).edges {
            let (callee, arguments) = match &edge.action {
                Action::Call { callee, arguments, .. } => (callee, arguments),
                Action::Spawn { entry, arguments, .. } => (entry, arguments),
                _ => continue,
            };
            let callees = match callee {
                Callee::Direct(callee) => vec![*callee],
                Callee::Indirect(_) => {
                    let fits = |id: &&FunctionId| program.function(**id).parameters.len() == arguments.len();
                    program.address_taken.iter().filter(fits).copied().collect()
                }
            };
            work.extend(callees.into_iter().filter(|callee| found.insert(*callee)));
        }
    }
    found
}

/// Whether a function calls nothing and takes at most one visible step: whatever interrupts it before or after might as
/// well come before it is called, or when it has returned.
fn is_one_step(function: &Function) -> bool {
    let mut visible = function.edges.iter().filter(|edge| is_visible(&edge.action));
    let (first, second) = (visible.next(), visible.next());
    let calls = function.edges.iter().any(|edge| matches!(edge.action, Action::Call { .. } | Action::AtomicEnd));
    let mut seen: FxHashSet<LocationId> = first.iter().map(|edge| edge.target).collect();
    let mut work: Vec<LocationId> = seen.iter().copied().collect();
    while let Some(location) = work.pop() {
        let targets = function.location(location).outgoing.iter().map(|edge| function.edge(*edge).target);
        work.extend(targets.filter(|target| seen.insert(*target)));
    }
    !calls && second.is_none() && first.is_none_or(|edge| !seen.contains(&edge.source))
}

/// The locations of a function that lie in an atomic section which begins in it.
pub fn in_sections(function: &Function) -> FxHashSet<LocationId> {
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

/// What the models of functions are called that change dispositions.
const INSTALLERS: [&str; 2] = ["__selvedge_signal", "__selvedge_sigaction"];

/// The variables that handlers set, if that is all that they do: each is at most one atomic store, by name, of what does
/// not depend on where it happens. Nobody may come to the variables otherwise than by name, and but one thread may change
/// dispositions: there is a moment then, next to some step at which handlers run, for each at which one could run.
fn flags_of(program: &Program, handlers: &[FunctionId]) -> Option<Vec<ObjectId>> {
    let mut flags = Vec::new();
    for edge in handlers.iter().flat_map(|id| &program.function(*id).edges) {
        match &edge.action {
            Action::Store { access, .. } if access.atomicity != Atomicity::Plain => flags.push(accessed(&edge.action)?),
            Action::Assume(_) | Action::Assign { .. } | Action::Return { .. } => {}
            _ => return None,
        }
    }
    let sets_more = handlers.iter().any(|id| !is_one_step(program.function(*id)));
    let edges = program.functions.iter().flat_map(|function| &function.edges);
    let by_name = |action: &Action| {
        let mut mentions = 0;
        action.for_each_expression(&mut |expr| mentions += usize::from(mentions_any(expr, &flags)));
        mentions == touches(action, &flags)
    };
    let initial = program.objects.iter().flat_map(|object| &object.initial);
    let is_passed_on = !edges.clone().all(|edge| by_name(&edge.action))
        || initial.clone().any(|initial| mentions_any(&initial.value, &flags));
    let starts_any = |edge: &Edge| matches!(edge.action, Action::Spawn { entry: Callee::Indirect(_), .. });
    let installs = |id: &FunctionId| INSTALLERS.contains(&program.function(*id).name.as_str());
    let others: Vec<FunctionId> = program.entries.iter().copied().skip(1).collect();
    let by_threads = edges.clone().any(starts_any) || reachable(program, &others).iter().any(installs);
    (!sets_more && !is_passed_on && !by_threads).then_some(flags)
}

/// How many accesses of an action are to some objects, by name.
fn touches(action: &Action, objects: &[ObjectId]) -> usize {
    let is_to = |access: &Access| {
        let Place::Memory { address: Expr::Address(Base::Object(object), _), .. } = &access.place else { return false };
        objects.contains(object)
    };
    match action {
        Action::Load { access, .. } | Action::Store { access, .. } => usize::from(is_to(access)),
        Action::Atomic(steps) => {
            let accesses = steps.iter().filter_map(|step| match step {
                AtomicStep::Read { access, .. } | AtomicStep::Write { access, .. } => Some(access),
                _ => None,
            });
            accesses.filter(|access| is_to(access)).count()
        }
        _ => 0,
    }
}

/// Whether the address of one of some objects is part of an expression.
fn mentions_any(expr: &Expr, objects: &[ObjectId]) -> bool {
    let within = |expr: &Expr| mentions_any(expr, objects);
    match expr {
        Expr::Address(base, _) => matches!(base, Base::Object(object) if objects.contains(object)),
        Expr::Constant(_) | Expr::Register(..) => false,
        Expr::Unary(_, operand) | Expr::Convert(_, _, operand) => within(operand),
        Expr::Binary(_, left, right) => within(left) || within(right),
        Expr::IfThenElse(condition, then, otherwise) => within(condition) || within(then) || within(otherwise),
    }
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
    ([handled, blocked], flags, seen): ([ObjectId; 2], Option<&[ObjectId]>, &FxHashSet<FunctionId>),
) {
    let width = program.pointer_width();
    // The end of a thread is a point, too: one that does nothing else can still run a handler.
    // It may also be started by a model.
    let by_model = program.entries.iter().any(|entry| is_model(program.function(*entry)));
    let is_entry = program.entries.contains(&id) || (by_model && program.address_taken.contains(&id));
    let calls_seen = |action: &Action| match action {
        Action::Call { callee: Callee::Direct(callee), .. } => seen.contains(callee),
        Action::Call { callee: Callee::Indirect(_), .. } => program.address_taken.iter().any(|id| seen.contains(id)),
        _ => false,
    };
    let is_visible = |action: &Action| {
        is_visible(action) || calls_seen(action) || (is_entry && matches!(action, Action::Return { .. }))
    };
    let changes_dispositions = |action: &Action| match action {
        Action::Call { callee: Callee::Direct(callee), .. } => {
            INSTALLERS.contains(&program.functions[callee.index()].name.as_str())
        }
        _ => false,
    };
    let function = &program.functions[id.index()];
    let sections = in_sections(function);
    let mut points: Vec<LocationId> = Vec::new();
    for edge in &function.edges {
        match flags {
            None if is_visible(&edge.action) => points.push(edge.source),
            Some(flags) if touches(&edge.action, flags) > 0 || changes_dispositions(&edge.action) => {
                points.extend([edge.source, edge.target]);
            }
            // A section may access them.
            Some(_) if matches!(edge.action, Action::AtomicBegin | Action::AtomicEnd) => {
                points.extend([edge.source, edge.target]);
            }
            _ => {}
        }
    }
    points.retain(|location| !sections.contains(location) && !function.location(*location).outgoing.is_empty());
    points.sort_unstable();
    points.dedup();
    if points.is_empty() {
        return;
    }
    let function = &mut program.functions[id.index()];
    let [one, other] = [(); 2].map(|()| {
        let register = RegisterId::new(function.registers.len());
        function.registers.push(Register { name: None, width: 64, display: Display::Unsigned, may_be_address: false });
        register
    });
    let read = |target: RegisterId, object: ObjectId| {
        let place = Place::Memory { address: Expr::address(Base::Object(object), width), size: 8, align: 4 };
        AtomicStep::Read { target, access: Access { place, atomicity: Atomicity::SEQUENTIAL } }
    };
    let value = |register: RegisterId| Expr::register(register, 64);
    let open = Expr::binary(BinaryOp::And, value(one), Expr::unary(UnaryOp::Not, value(other)));
    let steps = vec![read(one, handled), read(other, blocked), AtomicStep::Guard(open.is_true()), AtomicStep::Spurious];
    for source in points {
        let span = function.edge(function.location(source).outgoing[0]).span;
        let between = LocationId::new(function.locations.len());
        function.locations.push(Location::default());
        let call = Action::Call { target: None, callee: Callee::Direct(run), arguments: Vec::new() };
        for (from, to, action) in [(source, between, Action::Atomic(steps.clone())), (between, source, call)] {
            let edge = EdgeId::new(function.edges.len());
            function.edges.push(Edge { source: from, target: to, action, side: None, span, stub: None });
            function.locations[from.index()].outgoing.push(edge);
        }
    }
}
