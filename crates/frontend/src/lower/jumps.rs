//! Jumps between functions (`longjmp`), as ordinary control flow: functions that are left by a jump return.
//!
//! A thread has a record of the jump that is under way: where to, through which buffer, with what value. The model of
//! `longjmp` fills it. When all functions are lowered, it is known which calls may come back because of a jump: behind
//! these the record is looked at. If it names a `setjmp` of this activation, control goes on behind that; else the
//! function returns too. Its locals end as with any return; nothing that it has deferred is done.
//!
//! The activation that a jump leads to is one of this thread, and still there, or the jump is undefined where it begins
//! (models/jumps.rs). So a thread's first function always finds itself named.
//!
//! Locals in registers that were changed since `setjmp` are indeterminate after the jump (C11 7.13.2.1): they get any
//! value ([`locals`]).

mod locals;

use super::builder::{FunctionBuilder, ProgramBuilder};
use super::models::JUMP;
use super::signals::{in_sections, is_model};
use super::tidy::tidy;
use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_program::{
    Access, Action, AtomicStep, Atomicity, Base, Callee, Display, Edge, EdgeId, Expr, FrameObjectId, Function,
    FunctionId, Interpretation, Location, LocationId, Member, Object, ObjectId, ObjectKind, Place, Program, Register,
    RegisterId, Shape, Span, Undefined,
};
use std::collections::BTreeMap;

/// A call of `setjmp`.
#[derive(Clone, Debug)]
pub struct Landing {
    /// The object that stands for it in an activation; an edge that forgets it leads to where a jump goes on.
    pub target: FrameObjectId,
    /// What takes its result.
    pub status: RegisterId,
    /// The buffer: a register that holds it, or its address.
    pub buffer: Expr,
}

/// The locals of a function that calls `setjmp` which are not volatile.
#[derive(Clone, Debug, Default)]
pub struct Locals {
    /// In registers.
    pub registers: Vec<RegisterId>,
    /// In memory.
    pub objects: Vec<FrameObjectId>,
}

/// What is known of jumps while functions are lowered.
#[derive(Clone, Debug, Default)]
pub struct Jumps {
    record: Option<ObjectId>,
    landings: BTreeMap<FunctionId, Vec<Landing>>,
    locals: BTreeMap<FunctionId, Locals>,
}

fn member(name: &str, offset: u32, size: u32, display: Display) -> Member {
    Member { name: name.to_owned(), offset: u64::from(offset), shape: Shape::Scalar { size, display }, bits: None }
}

/// The object that holds a thread's record.
pub fn record(program: &mut ProgramBuilder) -> ObjectId {
    if let Some(record) = program.jumps.record {
        return record;
    }
    let size = program.data_model.pointer_size();
    let record = program.add_object(Object {
        name: "jump".to_owned(),
        kind: ObjectKind::ThreadLocal,
        size: u64::from(3 * size),
        align: size,
        initial: Vec::new(),
        initial_ghosts: Vec::new(),
        shape: Shape::Record(vec![
            member("to", 0, size, Display::Pointer),
            member("buffer", size, size, Display::Pointer),
            member("value", 2 * size, 4, Display::Signed),
        ]),
        type_name: "jump".to_owned(),
        span: Span::NOWHERE,
    });
    program.jumps.record = Some(record);
    record
}

/// Where the record says which way the jump goes (null if there is none), through which buffer, and with what value.
pub fn parts(function: &FunctionBuilder<'_>, record: ObjectId) -> [Expr; 3] {
    let size = u64::from(function.pointer_width() / 8);
    [0, 1, 2].map(|part| function.address(Base::Object(record)).plus(part * size))
}

/// The models in C that lose nothing by being left.
const HARMLESS: &[&str] = &[
    "__selvedge_bsearch",
    "__selvedge_lfind",
    "__selvedge_lsearch",
    "__selvedge_walk",
    "__selvedge_start_thread",
    "__selvedge_start_c11_thread",
    "__selvedge_start_masked_thread",
    "__selvedge_start_masked_thread_with_keys",
    "__selvedge_start_numbered_thread",
    "__selvedge_wait_for_handler",
    "__selvedge_suspend",
    RUNS_HANDLERS,
];

/// The model that runs handlers of signals, and looks at the record itself.
const RUNS_HANDLERS: &str = "__selvedge_run_handler_of_signal";

/// What a program calls a model that leaves behind what nobody knows when a jump leaves it.
fn loses(function: &Function) -> Option<String> {
    let name = function.name.as_str();
    if !is_model(function) || HARMLESS.contains(&name) {
        return None;
    }
    let name = match name.strip_prefix("__selvedge_").unwrap_or(name) {
        "run_handlers" => "exit",
        "run_destructors" | "run_cleanup_handlers" => "pthread_exit",
        "pop_cleanup_handler" => "pthread_cleanup_pop",
        name => name,
    };
    Some(name.to_owned())
}

impl Jumps {
    /// Takes note of a call of `setjmp`.
    pub fn note_landing(&mut self, function: FunctionId, landing: Landing) {
        self.landings.entry(function).or_default().push(landing);
    }

    /// Whether a function calls `setjmp`.
    pub fn has_landing(&self, function: FunctionId) -> bool {
        self.landings.contains_key(&function)
    }

    /// Takes note of the locals of a function that calls `setjmp`.
    pub fn note_locals(&mut self, function: FunctionId, locals: Locals) {
        self.locals.insert(function, locals);
    }

    /// Leads jumps to where they end.
    pub fn lead(&self, program: &mut Program) {
        let Some(record) = self.record else { return };
        let calls = Calls::of(program);
        for index in 0..program.functions.len() {
            let id = FunctionId::new(index);
            let landings = self.landings.get(&id).map_or(&[][..], Vec::as_slice);
            if landings.is_empty() && !calls.concern(program, id) {
                continue;
            }
            let function = std::mem::replace(&mut program.functions[index], placeholder());
            let mut leading = Leading::of(function, record, program.data_model.pointer_width());
            leading.ends = if calls.called.contains(&id) { End::Return } else { End::Undefined };
            leading.lead(&calls, landings);
            if let Some(locals) = self.locals.get(&id)
                && let Some(caveat) = leading.forget_changed(landings, locals)
                && !program.caveats.iter().any(|known| known.message == caveat.message)
            {
                program.caveats.push(caveat);
            }
            program.functions[index] = tidy(leading.function);
        }
    }
}

fn placeholder() -> Function {
    Function {
        name: String::new(),
        parameters: Vec::new(),
        result_width: None,
        registers: Vec::new(),
        frame: Vec::new(),
        locations: vec![Location::default()],
        edges: Vec::new(),
        entry: LocationId(0),
        span: Span::NOWHERE,
    }
}

fn is_jump(action: &Action) -> bool {
    matches!(action, Action::Unsupported(what) if what == JUMP)
}

/// Which calls may come back because of a jump. A call through a pointer enters no function that takes another number of
/// arguments.
struct Calls {
    /// Functions that a jump may leave.
    left: FxHashSet<FunctionId>,
    /// The numbers of arguments with which a call through a pointer may enter one of these.
    left_by_pointer: FxHashSet<usize>,
    /// Those of them that lose something by it, with what the program calls them.
    losing: FxHashMap<FunctionId, String>,
    /// Functions that are called, and not only started as threads.
    called: FxHashSet<FunctionId>,
}

impl Calls {
    fn of(program: &Program) -> Calls {
        let arity = |id: &FunctionId| program.function(*id).parameters.len();
        let mut callers: FxHashMap<FunctionId, Vec<FunctionId>> = FxHashMap::default();
        let mut callers_by_pointer: FxHashMap<usize, Vec<FunctionId>> = FxHashMap::default();
        let mut work = Vec::new();
        for (index, function) in program.functions.iter().enumerate() {
            let id = FunctionId::new(index);
            for edge in &function.edges {
                match &edge.action {
                    Action::Call { callee: Callee::Direct(callee), .. } => callers.entry(*callee).or_default().push(id),
                    Action::Call { callee: Callee::Indirect(_), arguments, .. } => {
                        callers_by_pointer.entry(arguments.len()).or_default().push(id);
                    }
                    action if is_jump(action) => work.push(id),
                    _ => {}
                }
            }
        }
        let by_pointer = |id: &FunctionId| callers_by_pointer.contains_key(&arity(id));
        let mut called: FxHashSet<FunctionId> = callers.keys().copied().collect();
        called.extend(program.address_taken.iter().copied().filter(by_pointer));
        let address_taken: FxHashSet<FunctionId> = program.address_taken.iter().copied().collect();
        let mut calls = Calls {
            left: FxHashSet::default(),
            left_by_pointer: FxHashSet::default(),
            losing: FxHashMap::default(),
            called,
        };
        while let Some(id) = work.pop() {
            if !calls.left.insert(id) {
                continue;
            }
            if let Some(name) = loses(program.function(id)) {
                calls.losing.insert(id, name);
            }
            work.extend(callers.get(&id).into_iter().flatten());
            if address_taken.contains(&id) && calls.left_by_pointer.insert(arity(&id)) {
                work.extend(callers_by_pointer.get(&arity(&id)).into_iter().flatten());
            }
        }
        calls
    }

    fn may_jump(&self, action: &Action) -> bool {
        match action {
            Action::Call { callee: Callee::Direct(callee), .. } => self.left.contains(callee),
            Action::Call { callee: Callee::Indirect(_), arguments, .. } => {
                self.left_by_pointer.contains(&arguments.len())
            }
            action => is_jump(action),
        }
    }

    /// Whether a jump may begin in a function or come to it.
    fn concern(&self, program: &Program, id: FunctionId) -> bool {
        program.function(id).edges.iter().any(|edge| self.may_jump(&edge.action))
    }
}

/// How a function is left by a jump that ends elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Return,
    /// Nobody has called it.
    Undefined,
}

/// A function through which jumps are led.
struct Leading {
    function: Function,
    record: ObjectId,
    width: u32,
    ends: End,
}

impl Leading {
    fn of(function: Function, record: ObjectId, width: u32) -> Self {
        Leading { function, record, width, ends: End::Return }
    }

    fn location(&mut self) -> LocationId {
        self.function.locations.push(Location::default());
        LocationId::new(self.function.locations.len() - 1)
    }

    fn register(&mut self, width: u32, display: Display) -> RegisterId {
        self.function.registers.push(Register { name: None, width, display, may_be_address: false });
        RegisterId::new(self.function.registers.len() - 1)
    }

    fn edge(&mut self, source: LocationId, action: Action, target: LocationId, span: Span) {
        let edge = EdgeId::new(self.function.edges.len());
        self.function.edges.push(Edge { source, target, action, side: None, stub: None, span });
        self.function.locations[source.index()].outgoing.push(edge);
    }

    /// Two ways on, by a condition.
    fn branch(&mut self, at: LocationId, condition: Expr, [then, otherwise]: [LocationId; 2], span: Span) {
        self.edge(at, Action::Assume(condition.clone()), then, span);
        self.edge(at, Action::Assume(condition.not()), otherwise, span);
    }

    /// So many bytes of a part of the record.
    fn part(&self, part: u64, size: u32) -> Access {
        let address = Expr::address(Base::Object(self.record), self.width).plus(part * u64::from(self.width / 8));
        Access { place: Place::Memory { address, size, align: size }, atomicity: Atomicity::Plain }
    }

    /// Loads a pointer from the record.
    fn look(&self, target: RegisterId, part: u64) -> Action {
        Action::Load { target, access: self.part(part, self.width / 8), interpretation: Interpretation::Value }
    }

    fn value(&self, register: RegisterId) -> Expr {
        Expr::register(register, self.function.register(register).width)
    }

    fn lead(&mut self, calls: &Calls, landings: &[Landing]) {
        let sections = in_sections(&self.function);
        let way = self.register(self.width, Display::Pointer);
        let looks_itself = self.function.name == RUNS_HANDLERS;
        let concerned: Vec<EdgeId> = (0..self.function.edges.len())
            .map(EdgeId::new)
            .filter(|edge| !looks_itself && calls.may_jump(&self.function.edge(*edge).action))
            .collect();
        let ways = self.landed(landings);
        let span = self.function.span;
        let dispatch = (!concerned.is_empty()).then(|| self.dispatch(way, &ways, span));
        for edge in concerned {
            let Some(elsewhere) = dispatch else { continue };
            let Edge { source, span, ref action, .. } = *self.function.edge(edge);
            let losing = match action {
                Action::Call { callee: Callee::Direct(callee), .. } => calls.losing.get(callee),
                _ => None,
            };
            let elsewhere = match losing {
                Some(name) => self.not_modelled(format!("a jump out of a function that `{name}` calls"), span),
                None if sections.contains(&source) => {
                    self.not_modelled("a jump out of an atomic section".to_owned(), span)
                }
                None => elsewhere,
            };
            if is_jump(&self.function.edge(edge).action) {
                let look = self.look(way, 0);
                let begin = &mut self.function.edges[edge.index()];
                (begin.action, begin.target) = (look, elsewhere);
            } else {
                self.look_behind(edge, way, elsewhere, landings.is_empty());
            }
        }
    }

    fn not_modelled(&mut self, what: String, span: Span) -> LocationId {
        let [at, nowhere] = [(); 2].map(|()| self.location());
        self.edge(at, Action::Unsupported(what), nowhere, span);
        at
    }

    /// Takes the edges to where jumps go on out of their locations, and has jumps end before that: gives where they do,
    /// by target. That is one step, so that a handler of signals finds no jump under way.
    fn landed(&mut self, landings: &[Landing]) -> Vec<(FrameObjectId, LocationId)> {
        let mut found = Vec::new();
        for landing in landings {
            let is_it = |edge: &Edge| matches!(edge.action, Action::Forget { object } if object == landing.target);
            let Some(position) = self.function.edges.iter().position(is_it) else { continue };
            let Edge { source, target, span, .. } = self.function.edges[position];
            self.function.locations[source.index()].outgoing.retain(|edge| edge.index() != position);
            let landed = self.location();
            self.function.edges[position].target = landed;
            let [way, value] = [self.part(0, self.width / 8), self.part(2, 4)]
                .map(|access| Access { atomicity: Atomicity::SEQUENTIAL, ..access });
            let none = Expr::constant(self.width, 0);
            let steps = vec![
                AtomicStep::Read { target: landing.status, access: value },
                AtomicStep::Write { when: Expr::truth(), access: way, value: none },
            ];
            self.edge(landed, Action::Atomic(steps), target, span);
            found.push((landing.target, landed));
        }
        found
    }

    /// A location from which jumps go to where they end.
    fn dispatch(&mut self, way: RegisterId, ways: &[(FrameObjectId, LocationId)], span: Span) -> LocationId {
        let first = self.location();
        let mut at = first;
        for (target, landed) in ways {
            let rest = self.location();
            let here = Expr::address(Base::Frame(*target), self.width);
            let condition = Expr::equal(self.value(way), here);
            self.branch(at, condition, [*landed, rest], Span::NOWHERE);
            at = rest;
        }
        let nowhere = self.location();
        let (leave, span) = match self.ends {
            End::Return => {
                let value = self.function.result_width.map(|width| Expr::constant(width, 0));
                (Action::Return { value }, Span::NOWHERE)
            }
            End::Undefined => {
                (Action::Require { condition: Expr::falsehood(), otherwise: Undefined::NoJumpTarget }, span)
            }
        };
        self.edge(at, leave, nowhere, span);
        first
    }

    /// Looks at the record behind a call. Where the function may go on after a jump, the call's result is stored only
    /// if there is one.
    fn look_behind(&mut self, edge: EdgeId, way: RegisterId, elsewhere: LocationId, is_left: bool) {
        let (span, after) = (self.function.edge(edge).span, self.function.edge(edge).target);
        let [behind, known, stored] = [(); 3].map(|()| self.location());
        self.function.edges[edge.index()].target = behind;
        let look = self.look(way, 0);
        self.edge(behind, look, known, span);
        let kept = match &self.function.edge(edge).action {
            Action::Call { target: Some(target), .. } if !is_left => Some(*target),
            _ => None,
        };
        let going_on = if kept.is_some() { stored } else { after };
        let is_jumping = self.value(way).is_true();
        self.branch(known, is_jumping.not(), [going_on, elsewhere], span);
        if let Some(kept) = kept {
            let Register { width, display, .. } = *self.function.register(kept);
            let result = self.register(width, display);
            if let Action::Call { target, .. } = &mut self.function.edges[edge.index()].action {
                *target = Some(result);
            }
            let value = self.value(result);
            self.edge(stored, Action::Assign { target: kept, value }, after, span);
        }
    }
}
