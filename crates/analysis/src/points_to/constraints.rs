//! From a program to inclusion constraints.

use super::memory::Part;
use super::sets::Move;
use super::solver::{CallSite, Node, Solver};
use super::{AbstractObject, Havocs, Loads, Offset, SpawnSite, Target, nothing};
use selvedge_program::{
    Access, Action, AtomicStep, Callee, EdgeId, Expr, FrameObjectId, FunctionId, GhostField, ObjectId, Place, Program,
    RegisterId, SiteId,
};

/// Adds the constraints of a whole program.
pub fn generate(program: &Program, loads: Loads, havocs: Havocs<'_>, solver: &mut Solver) {
    let mut anything = None;
    for (index, object) in program.objects.iter().enumerate() {
        for initial in &object.initial {
            let offset = Offset { start: initial.offset as i64, stride: 0 };
            let target = Target { object: AbstractObject::Static(ObjectId::new(index)), offset };
            if !matches!(initial.value, Expr::Constant(_)) {
                let cell = solver.cell(target, initial.size);
                let value = solver.expression(FunctionId(0), &initial.value);
                solver.copy(value, Move::NONE, cell);
            }
        }
    }
    for (index, function) in program.functions.iter().enumerate() {
        let mut generator =
            Generator { program, loads, havocs, solver, function: FunctionId::new(index), anything: &mut anything };
        for (index, edge) in function.edges.iter().enumerate() {
            generator.action(EdgeId::new(index), &edge.action);
        }
    }
}

/// Everything that a value out of nothing may point to.
fn anything(program: &Program) -> impl Iterator<Item = AbstractObject> + '_ {
    let statics = (0..program.objects.len()).map(|index| AbstractObject::Static(ObjectId::new(index)));
    let locals = program.functions.iter().enumerate().flat_map(|(index, function)| {
        let local = move |local| AbstractObject::Frame(FunctionId::new(index), FrameObjectId::new(local));
        (0..function.frame.len()).map(local)
    });
    let sites = (0..program.sites.len()).map(|index| AbstractObject::Site(SiteId::new(index)));
    let functions = program.address_taken.iter().map(|function| AbstractObject::Function(*function));
    statics.chain(locals).chain(sites).chain(functions).chain([AbstractObject::Thread])
}

/// What an address out of nothing of an object may be: of a function or a thread, it is its own.
fn any_address(object: AbstractObject) -> Target {
    let offset = match object {
        AbstractObject::Static(_) | AbstractObject::Frame(..) | AbstractObject::Site(_) => Offset::ANY,
        AbstractObject::Function(_) | AbstractObject::Thread | AbstractObject::Started(_) => Offset::ZERO,
    };
    Target { object, offset }
}

struct Generator<'a> {
    program: &'a Program,
    loads: Loads,
    havocs: Havocs<'a>,
    solver: &'a mut Solver,
    function: FunctionId,
    /// The node that holds what a value out of nothing may point to, once there is one.
    anything: &'a mut Option<Node>,
}

impl Generator<'_> {
    fn action(&mut self, edge: EdgeId, action: &Action) {
        match action {
            Action::Assign { target, value } => self.assign(*target, value),
            Action::Load { target, access, .. } => self.load(*target, access),
            Action::Store { access, value } => self.store(access, value),
            Action::Atomic(steps) => steps.iter().for_each(|step| self.atomic_step(step)),
            Action::Spawn { target, entry, arguments, id } => {
                self.spawn(edge, *target, entry, arguments);
                if let Some(id) = id {
                    self.store(id, &Expr::register(*target, self.program.pointer_width()));
                }
            }
            Action::Allocate { target, site, .. } => {
                let target = self.solver.register(self.function, *target);
                self.solver.insert(target, Target { object: AbstractObject::Site(*site), offset: Offset::ZERO });
            }
            Action::Call { target, callee, arguments } => {
                let result = target.map(|target| self.solver.register(self.function, target));
                self.call(edge, callee, arguments, result);
            }
            Action::Return { value: Some(value) } => {
                let value = self.value(value);
                let result = self.solver.result(self.function);
                self.solver.copy(value, Move::NONE, result);
            }
            Action::ThreadExit { value } => {
                let value = self.value(value);
                let result = self.solver.ghost(AbstractObject::Thread, GhostField::ThreadResult);
                self.solver.copy(value, Move::NONE, result);
            }
            Action::Havoc { target } => self.out_of_nothing(*target),
            Action::Assume(_)
            | Action::Forget { .. }
            | Action::EndLife { .. }
            | Action::Exit { .. }
            | Action::Free { .. }
            | Action::Assert { .. }
            | Action::Require { .. }
            | Action::Return { value: None }
            | Action::AtomicBegin
            | Action::AtomicEnd
            | Action::Fence(_)
            | Action::Output(_)
            | Action::Unsupported(_)
            | Action::Inexact(_) => {}
        }
    }

    fn value(&mut self, value: &Expr) -> Node {
        self.solver.expression(self.function, value)
    }

    fn assign(&mut self, target: RegisterId, value: &Expr) {
        let value = self.value(value);
        let target = self.solver.register(self.function, target);
        self.solver.copy(value, Move::NONE, target);
    }

    /// A register takes a value that may be any address.
    fn out_of_nothing(&mut self, register: RegisterId) {
        if !self.program.function(self.function).register(register).may_be_address {
            return;
        }
        let (program, havocs, solver) = (self.program, self.havocs, &mut *self.solver);
        let anything = *self.anything.get_or_insert_with(|| {
            let node = solver.new_node();
            let objects: Vec<AbstractObject> = match havocs {
                Havocs::Addresses => anything(program).collect(),
                Havocs::Apart(met) => met.iter().copied().chain([nothing::object(program)]).collect(),
                Havocs::Among(met) => met.iter().copied().collect(),
            };
            solver.insert_all(node, objects.into_iter().map(any_address).collect());
            node
        });
        let target = solver.register(self.function, register);
        solver.copy(anything, Move::NONE, target);
    }

    fn load(&mut self, register: RegisterId, access: &Access) {
        let target = self.solver.register(self.function, register);
        match &access.place {
            Place::Memory { address, size, .. } => {
                if self.loads == Loads::OutOfNothing {
                    self.out_of_nothing(register);
                }
                let address = self.value(address);
                self.solver.load(address, Part::Bytes(*size), target);
            }
            Place::Ghost { address, field } => {
                let address = self.value(address);
                self.solver.load(address, Part::Ghost(*field), target);
            }
        }
    }

    fn store(&mut self, access: &Access, value: &Expr) {
        if matches!(value, Expr::Constant(_)) {
            return;
        }
        let value = self.value(value);
        match &access.place {
            Place::Memory { address, size, .. } => {
                let address = self.value(address);
                self.solver.store(address, Part::Bytes(*size), value);
            }
            Place::Ghost { address, field } => {
                let address = self.value(address);
                self.solver.store(address, Part::Ghost(*field), value);
            }
        }
    }

    fn atomic_step(&mut self, step: &AtomicStep) {
        match step {
            AtomicStep::Read { target, access } => self.load(*target, access),
            AtomicStep::Let { target, value } => self.assign(*target, value),
            AtomicStep::Write { access, value, .. } => self.store(access, value),
            AtomicStep::PickThread { target, .. } => {
                let target = self.solver.register(self.function, *target);
                self.solver.insert(target, Target { object: AbstractObject::Thread, offset: Offset::ZERO });
            }
            AtomicStep::WriteThreads { field, value, .. } => {
                let value = self.value(value);
                let cell = self.solver.ghost(AbstractObject::Thread, *field);
                self.solver.copy(value, Move::NONE, cell);
            }
            AtomicStep::Guard(_) | AtomicStep::Spurious | AtomicStep::Require(..) | AtomicStep::Mark { .. } => {}
        }
    }

    fn spawn(&mut self, edge: EdgeId, target: RegisterId, entry: &Callee, arguments: &[Expr]) {
        let target = self.solver.register(self.function, target);
        let started = AbstractObject::Started(SpawnSite { function: self.function, edge });
        self.solver.insert(target, Target { object: started, offset: Offset::ZERO });
        let result = self.solver.ghost(AbstractObject::Thread, GhostField::ThreadResult);
        self.call(edge, entry, arguments, Some(result));
    }

    fn call(&mut self, edge: EdgeId, callee: &Callee, arguments: &[Expr], result: Option<Node>) {
        let arguments = arguments.iter().map(|argument| self.value(argument)).collect();
        let site = CallSite { at: (self.function, edge), arguments, result };
        match callee {
            Callee::Direct(callee) => self.solver.enter(self.program, *callee, &site),
            Callee::Indirect(pointer) => {
                let pointer = self.value(pointer);
                self.solver.call(pointer, site);
            }
        }
    }
}
