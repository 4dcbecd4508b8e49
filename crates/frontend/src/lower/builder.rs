//! Building a control-flow automaton edge by edge.
//!
//! A [`FunctionBuilder`] stands at a current location; emitting an action adds an edge from there to a new location and
//! moves on. After a jump or a return it stands nowhere: what is emitted then is unreachable and goes to a fresh
//! location that nothing leads to, which [`FunctionBuilder::finish`] removes with all other unreachable locations and
//! the edges that do nothing.

use super::jumps::Jumps;
use super::signals::Handlers;
use selvedge_program::addresses::drop_dead_havocs;
use selvedge_program::{
    Access, Action, AtomicStep, Atomicity, Base, Caveat, Check, CheckId, DataModel, Display, Edge, EdgeId, Expr,
    FrameObject, FrameObjectId, Function, FunctionId, GhostField, Interpretation, Location, LocationId, MemoryOrder,
    Object, ObjectId, Operation, Place, Register, RegisterId, Shape, Side, SiteId, Span, Stub, Undefined, Unknown,
    UnknownId,
};
use std::collections::{BTreeMap, BTreeSet};

/// What is being built for the program as a whole.
#[derive(Clone, Debug, Default)]
pub struct ProgramBuilder {
    /// The machine.
    pub data_model: DataModel,
    /// Objects with static storage.
    pub objects: Vec<Object>,
    /// Functions; `None` while one is reserved but not yet built.
    pub functions: Vec<Option<Function>>,
    /// Functions whose address is taken.
    pub address_taken: BTreeSet<FunctionId>,
    /// Functions that are started as threads by name.
    pub spawned: BTreeSet<FunctionId>,
    /// Assertions.
    pub checks: Vec<Check>,
    /// Allocation sites.
    pub sites: Vec<Span>,
    /// What their memory is taken to be.
    pub allocated: BTreeMap<SiteId, (Shape, u64)>,
    /// What is taken for granted; at most one per message, at its first place.
    pub caveats: Vec<Caveat>,
    /// Executions that are left out.
    pub restrictions: Vec<Caveat>,
    /// What is known of handlers of signals.
    pub handlers: Handlers,
    /// What is known of jumps between functions.
    pub jumps: Jumps,
    /// The functions that nobody defines or knows, by name.
    pub externals: BTreeMap<String, External>,
    /// What nobody defines, as far as executions go on there.
    pub unknowns: Vec<Unknown>,
    /// The condition variables and mutexes that are waited for and with.
    pub waits: Vec<(Expr, Expr)>,
    /// Whether memory is moved in which locks can lie.
    pub moves_memory: bool,
    /// The models in C that are called, by name: reserved by the first call, built by the lowering from the models'
    /// sources.
    pub c_models: BTreeMap<String, FunctionId>,
}

impl ProgramBuilder {
    /// The function that a model in C will be.
    pub fn c_model(&mut self, name: &str) -> FunctionId {
        if let Some(function) = self.c_models.get(name) {
            return *function;
        }
        let function = self.reserve_function();
        self.c_models.insert(name.to_owned(), function);
        function
    }

    /// Reserves the id of a function that is built later.
    pub fn reserve_function(&mut self) -> FunctionId {
        self.functions.push(None);
        FunctionId::new(self.functions.len() - 1)
    }

    /// Adds an object.
    pub fn add_object(&mut self, object: Object) -> ObjectId {
        self.objects.push(object);
        ObjectId::new(self.objects.len() - 1)
    }

    /// Adds a check.
    pub fn add_check(&mut self, check: Check) -> CheckId {
        self.checks.push(check);
        CheckId::new(self.checks.len() - 1)
    }

    /// Adds an allocation site.
    pub fn add_site(&mut self, span: Span) -> SiteId {
        self.sites.push(span);
        SiteId::new(self.sites.len() - 1)
    }

    /// The number of something that nobody defines.
    pub fn unknown(&mut self, unknown: Unknown) -> UnknownId {
        let known = self.unknowns.iter().position(|known| *known == unknown);
        UnknownId::new(known.unwrap_or_else(|| {
            self.unknowns.push(unknown);
            self.unknowns.len() - 1
        }))
    }

    /// Records something taken for granted.
    pub fn add_caveat(&mut self, span: Span, message: impl Into<String>) {
        add_once(&mut self.caveats, span, message.into());
    }

    /// Records that some executions are left out.
    pub fn add_restriction(&mut self, span: Span, message: impl Into<String>) {
        add_once(&mut self.restrictions, span, message.into());
    }
}

fn add_once(remarks: &mut Vec<Caveat>, span: Span, message: String) {
    if !remarks.iter().any(|remark| remark.message == message) {
        remarks.push(Caveat { message, span });
    }
}

/// A function that is called and of which nobody knows what it does: it is taken to do what its prototype lets it do.
#[derive(Clone, Debug)]
pub struct External {
    /// The first place where it is called.
    pub span: Span,
    /// How many calls of it there are in the source.
    pub calls: u32,
    /// What is taken for granted beside that it touches only what it is given.
    pub also: Vec<String>,
}

/// A function under construction.
#[derive(Debug)]
pub struct FunctionBuilder<'a> {
    /// The program it belongs to.
    pub program: &'a mut ProgramBuilder,
    /// Its id.
    pub id: FunctionId,
    /// What source the next edges stand for.
    pub span: Span,
    /// The clean-up handlers pushed at this place of the source, the innermost last: routine and argument; where threads
    /// may end before they pop them, the record of the handler instead of the routine.
    pub cleanup_handlers: Vec<(Expr, Expr)>,
    /// What the next edges stand for, if for something that nobody defines.
    pub stub: Option<Stub>,
    function: Function,
    current: LocationId,
}

impl<'a> FunctionBuilder<'a> {
    /// Starts a function at its entry.
    pub fn new(program: &'a mut ProgramBuilder, id: FunctionId, name: impl Into<String>, span: Span) -> Self {
        let function = Function {
            name: name.into(),
            parameters: Vec::new(),
            result_width: None,
            registers: Vec::new(),
            frame: Vec::new(),
            locations: vec![Location::default()],
            edges: Vec::new(),
            entry: LocationId(0),
            span,
        };
        FunctionBuilder {
            program,
            id,
            span,
            cleanup_handlers: Vec::new(),
            stub: None,
            function,
            current: LocationId(0),
        }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.function.name
    }

    /// The pointer width in bits.
    pub fn pointer_width(&self) -> u32 {
        self.program.data_model.pointer_width()
    }

    /// A register for a variable or parameter.
    pub fn named_register(&mut self, name: Option<String>, width: u32, display: Display) -> RegisterId {
        self.function.registers.push(Register { name, width, display, may_be_address: false });
        RegisterId::new(self.function.registers.len() - 1)
    }

    /// A register for an intermediate value.
    pub fn temporary(&mut self, width: u32, display: Display) -> RegisterId {
        self.named_register(None, width, display)
    }

    /// A register that takes the next argument.
    pub fn parameter(&mut self, name: Option<String>, width: u32, display: Display) -> RegisterId {
        let register = self.named_register(name, width, display);
        self.function.parameters.push(register);
        register
    }

    /// The value of a register.
    pub fn value(&self, register: RegisterId) -> Expr {
        Expr::register(register, self.function.registers[register.index()].width)
    }

    /// Says how wide the function's result is.
    pub fn set_result_width(&mut self, width: Option<u32>) {
        self.function.result_width = width;
    }

    /// How wide the function's result is.
    pub fn result_width(&self) -> Option<u32> {
        self.function.result_width
    }

    /// An address-taken local.
    pub fn frame_object(&mut self, object: FrameObject) -> FrameObjectId {
        self.function.frame.push(object);
        FrameObjectId::new(self.function.frame.len() - 1)
    }

    /// A local that nothing is ever written to, like others of its size: one is enough.
    pub fn scratch(&mut self, object: FrameObject) -> FrameObjectId {
        let known = self.function.frame.iter().position(|known| known.name == object.name && known.size == object.size);
        known.map_or_else(|| self.frame_object(object), FrameObjectId::new)
    }

    /// The address of something static or of this activation.
    pub fn address(&self, base: Base) -> Expr {
        Expr::address(base, self.pointer_width())
    }

    /// The executing thread's object.
    pub fn self_thread(&self) -> Expr {
        self.address(Base::SelfThread)
    }

    /// The null pointer.
    pub fn null(&self) -> Expr {
        Expr::constant(self.pointer_width(), 0)
    }

    /// A new location, for jumps.
    pub fn location(&mut self) -> LocationId {
        self.function.locations.push(Location::default());
        LocationId::new(self.function.locations.len() - 1)
    }

    /// Where the builder stands.
    pub fn here(&self) -> LocationId {
        self.current
    }

    /// Goes on at a location.
    pub fn stand_at(&mut self, location: LocationId) {
        self.current = location;
    }

    /// Names a location by a C label.
    pub fn label(&mut self, location: LocationId, name: impl Into<String>) {
        self.function.locations[location.index()].label = Some(name.into());
    }

    /// Adds an edge from here to a given location; stays here.
    pub fn emit_to(&mut self, action: Action, target: LocationId) -> EdgeId {
        let edge = EdgeId::new(self.function.edges.len());
        self.function.edges.push(Edge {
            source: self.current,
            target,
            action,
            side: None,
            span: self.span,
            stub: self.stub,
        });
        self.function.locations[self.current.index()].outgoing.push(edge);
        edge
    }

    /// Adds an edge from here to a new location and goes there.
    pub fn emit(&mut self, action: Action) -> EdgeId {
        let target = self.location();
        let edge = self.emit_to(action, target);
        self.current = target;
        edge
    }

    /// Adds an edge after which control is elsewhere: what follows is unreachable until the next `stand_at`.
    pub fn emit_last(&mut self, action: Action) {
        self.emit(action);
        self.current = self.location();
    }

    /// Jumps: what follows is unreachable until the next `stand_at`.
    pub fn jump(&mut self, target: LocationId) {
        self.emit_to(Action::Assume(Expr::truth()), target);
        self.current = self.location();
    }

    /// Branches on a condition of width 1; what follows is unreachable until the next `stand_at`.
    pub fn branch(&mut self, condition: Expr, then: LocationId, otherwise: LocationId) {
        match self.settled(condition) {
            Expr::Constant(bits) => self.jump(if bits.is_zero() { otherwise } else { then }),
            condition => {
                self.emit_to(Action::Assume(condition.clone()), then);
                self.emit_to(Action::Assume(condition.not()), otherwise);
                self.current = self.location();
            }
        }
    }

    /// A condition that may be undefined is computed before it is branched on: that is one place, whichever way it goes.
    fn settled(&mut self, condition: Expr) -> Expr {
        if condition.defined_when().is_some() { self.hold(condition, Display::Bool) } else { condition }
    }

    /// The same on a condition of the source, which stands at the span.
    pub fn branch_in_source(&mut self, condition: Expr, then: LocationId, otherwise: LocationId) {
        let condition = self.settled(condition);
        let from = self.function.edges.len();
        self.branch(condition, then, otherwise);
        if let [yes, no] = &mut self.function.edges[from..] {
            (yes.side, no.side) = (Some(Side::Yes), Some(Side::No));
        }
    }

    /// What follows stands for something that nobody defines; gives what it stood for before.
    pub fn begin_stub(&mut self, unknown: Unknown) -> Option<Stub> {
        let of = self.program.unknown(unknown);
        self.stub.replace(Stub { of, may_change: 0 })
    }

    /// Says that what is unknown here may also have changed so many bytes at an address, as far as the object goes.
    pub fn may_change(&mut self, address: &Expr, bytes: u64) {
        let Some(stub) = self.stub else { return };
        if !matches!(address, Expr::Constant(_)) {
            let target = self.temporary(address.width(), Display::Pointer);
            self.stub = Some(Stub { may_change: bytes, ..stub });
            self.assign(target, address.clone());
            self.stub = Some(stub);
        }
    }

    /// `target := value`
    pub fn assign(&mut self, target: RegisterId, value: Expr) {
        self.emit(Action::Assign { target, value });
    }

    /// A register that holds a value now, so that it can be used several times.
    pub fn hold(&mut self, value: Expr, display: Display) -> Expr {
        if matches!(value, Expr::Constant(_) | Expr::Address(..)) {
            return value;
        }
        let register = self.temporary(value.width(), display);
        self.assign(register, value);
        self.value(register)
    }

    /// Loads `size` bytes.
    pub fn load(&mut self, address: Expr, size: u32, align: u32, atomicity: Atomicity, display: Display) -> Expr {
        let target = self.temporary(8 * size, display);
        let access = Access { place: Place::Memory { address, size, align }, atomicity };
        self.emit(Action::Load { target, access, interpretation: Interpretation::Value });
        self.value(target)
    }

    /// Stores a value; its width is eight times the size.
    pub fn store(&mut self, address: Expr, align: u32, value: Expr, atomicity: Atomicity) {
        let size = value.width() / 8;
        self.emit(Action::Store { access: Access { place: Place::Memory { address, size, align }, atomicity }, value });
    }

    /// Any value of a width.
    pub fn havoc(&mut self, width: u32, display: Display) -> Expr {
        let target = self.temporary(width, display);
        self.emit(Action::Havoc { target });
        self.value(target)
    }

    /// The edge that is emitted next.
    pub fn next_edge(&self) -> EdgeId {
        EdgeId::new(self.function.edges.len())
    }

    /// Names the values out of nothing that were chosen from an edge on.
    pub fn name_choices(&mut self, first: EdgeId, name: &str) {
        for edge in &self.function.edges[first.index()..] {
            if let Action::Havoc { target } = &edge.action {
                self.function.registers[target.index()].name = Some(name.to_owned());
            }
        }
    }

    /// Undefined unless a condition holds.
    pub fn require(&mut self, condition: Expr, otherwise: Undefined) {
        if condition != Expr::truth() {
            self.emit(Action::Require { condition, otherwise });
        }
    }

    /// Something we do not model: reaching it makes the verdict unknown. What follows is unreachable.
    pub fn unsupported(&mut self, what: impl Into<String>) {
        self.emit_last(Action::Unsupported(what.into()));
    }

    /// What comes next is known only roughly: proofs go on, executions do not.
    pub fn inexact(&mut self, what: impl Into<String>) {
        self.emit(Action::Inexact(what.into()));
    }

    /// Takes note of a call of a function that nobody knows all of, and of something that it does.
    pub fn note_external(&mut self, name: &str, also: &str) {
        let first = External { span: self.span, calls: 0, also: Vec::new() };
        let external = self.program.externals.entry(name.to_owned()).or_insert(first);
        external.calls += 1;
        if !external.also.iter().any(|known| known == also) {
            external.also.push(also.to_owned());
        }
    }

    /// A check: the program is wrong if the condition does not hold.
    pub fn check(&mut self, condition: Expr, description: impl Into<String>) {
        let check = Check { description: description.into(), function: self.id, span: self.span };
        let check = self.program.add_check(check);
        self.emit(Action::Assert { condition, check });
    }

    /// Starts an atomic update.
    pub fn atomic(&mut self) -> AtomicBuilder<'_, 'a> {
        AtomicBuilder { function: self, steps: Vec::new(), order: MemoryOrder::SequentiallyConsistent }
    }

    /// Ends the construction: every location without a way on gets none, unreachable ones go away.
    pub fn finish(self) {
        let mut function = self.function;
        drop_dead_havocs(&mut function);
        let function = super::tidy::tidy(function);
        self.program.functions[self.id.index()] = Some(function);
    }

    /// Ends the construction of a function that belongs to no program yet.
    pub fn into_function(self) -> Function {
        super::tidy::tidy(self.function)
    }
}

/// An atomic update under construction: reads and writes that happen as one.
#[derive(Debug)]
pub struct AtomicBuilder<'b, 'a> {
    function: &'b mut FunctionBuilder<'a>,
    steps: Vec<AtomicStep>,
    order: MemoryOrder,
}

impl AtomicBuilder<'_, '_> {
    /// The memory order of the reads and writes of bytes from here on.
    pub fn order(&mut self, order: MemoryOrder) {
        self.order = order;
    }

    /// Reads `size` bytes.
    pub fn read(&mut self, address: Expr, size: u32, align: u32, display: Display) -> Expr {
        let target = self.function.temporary(8 * size, display);
        let access = Access { place: Place::Memory { address, size, align }, atomicity: Atomicity::Atomic(self.order) };
        self.steps.push(AtomicStep::Read { target, access });
        self.function.value(target)
    }

    /// Reads a ghost field.
    pub fn read_ghost(&mut self, address: Expr, field: GhostField) -> Expr {
        let (width, display) = ghost_type(field, self.function.program.data_model);
        let target = self.function.temporary(width, display);
        let access = Access { place: Place::Ghost { address, field }, atomicity: Atomicity::SEQUENTIAL };
        self.steps.push(AtomicStep::Read { target, access });
        self.function.value(target)
    }

    /// Writes bytes if a condition holds.
    pub fn write_when(&mut self, when: Expr, address: Expr, align: u32, value: Expr) {
        let size = value.width() / 8;
        let access = Access { place: Place::Memory { address, size, align }, atomicity: Atomicity::Atomic(self.order) };
        self.steps.push(AtomicStep::Write { when, access, value });
    }

    /// Writes a ghost field if a condition holds.
    pub fn write_ghost_when(&mut self, when: Expr, address: Expr, field: GhostField, value: Expr) {
        let access = Access { place: Place::Ghost { address, field }, atomicity: Atomicity::SEQUENTIAL };
        self.steps.push(AtomicStep::Write { when, access, value });
    }

    /// Writes a ghost field.
    pub fn write_ghost(&mut self, address: Expr, field: GhostField, value: Expr) {
        self.write_ghost_when(Expr::truth(), address, field, value);
    }

    /// Adds any step.
    pub fn step(&mut self, step: AtomicStep) {
        self.steps.push(step);
    }

    /// Says what the update is, if a condition holds.
    pub fn mark_when(&mut self, when: Expr, operation: Operation, object: Expr) {
        self.steps.push(AtomicStep::Mark { when, operation, object });
    }

    /// Says what the update is.
    pub fn mark(&mut self, operation: Operation, object: Expr) {
        self.mark_when(Expr::truth(), operation, object);
    }

    /// The thread waits until this holds.
    pub fn guard(&mut self, condition: Expr) {
        self.steps.push(AtomicStep::Guard(condition));
    }

    /// Undefined unless this holds.
    pub fn require(&mut self, condition: Expr, otherwise: Undefined) {
        self.steps.push(AtomicStep::Require(condition, otherwise));
    }

    /// Ends the update: one edge to a new location.
    pub fn commit(self) -> EdgeId {
        self.function.emit(Action::Atomic(self.steps))
    }

    /// Ends the update: one edge to a given location; the builder stays where it is.
    pub fn commit_to(self, target: LocationId) -> EdgeId {
        self.function.emit_to(Action::Atomic(self.steps), target)
    }
}

/// The width of a ghost field and how to show it.
pub fn ghost_type(field: GhostField, model: DataModel) -> (u32, Display) {
    let declared = field.declared();
    (declared.width(model), declared.display())
}
