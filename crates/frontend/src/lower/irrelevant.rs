//! Values that nobody looks at: a time that is only printed, a random number that only goes into a statistic. Trying
//! all of them would cost much and show nothing, so that a value out of nothing that decides nothing is 0.
//!
//! What decides something is found backwards and without regard to order: conditions, addresses, sizes, operands of
//! what may be undefined, what other threads or the process get, and everything from which these are computed. A value
//! in memory is followed as long as the object is only accessed by its name; one whose address goes elsewhere decides
//! something, and so does every object where an address may come from nothing. What is printed does not. A call of a
//! mathematical function has no effect but its result, and is left out where that decides nothing and comes from a
//! value out of nothing: what a program computes and prints of itself stays as it is.

use super::models::externals::COMPUTED_BY;
use super::operator::EXTENDED;
use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_program::addresses::may_come_from_nothing;
use selvedge_program::{
    Access, Action, AtomicStep, Base, BinaryOp, Callee, Edge, EdgeId, Expr, FrameObjectId, Function, FunctionId,
    Location, LocationId, ObjectId, OutputPiece, Place, Program, RegisterId, Transfer, Unsettled,
};

/// What holds a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Holder {
    Register(FunctionId, RegisterId),
    Object(ObjectId),
    Frame(FunctionId, FrameObjectId),
    Result(FunctionId),
}

/// Functions that have no effect but their result.
#[derive(Clone, Debug, Default)]
pub struct Pure {
    /// The result depends on the arguments alone.
    pub exact: FxHashSet<FunctionId>,
    /// The result is a value out of nothing.
    pub any: FxHashSet<FunctionId>,
}

impl Pure {
    fn contains(&self, function: FunctionId) -> bool {
        self.exact.contains(&function) || self.any.contains(&function)
    }
}

/// What is computed from what, and what decides something.
struct Flow<'p> {
    program: &'p Program,
    pure: &'p Pure,
    sources: FxHashMap<Holder, Vec<Holder>>,
    deciding: Vec<Holder>,
    /// Whether objects whose address goes nowhere are only accessed by their names.
    is_by_name: bool,
}

/// What holds values that decide something, and what others that come from nothing.
#[derive(Debug)]
pub struct Relevance {
    deciding: FxHashSet<Holder>,
    idle: FxHashSet<Holder>,
}

/// Finds out what decides something, where some functions have no effect but their result.
pub fn relevance(program: &Program, pure: &Pure) -> Relevance {
    let is_by_name = !may_come_from_nothing(program);
    let mut flow = Flow { program, pure, sources: FxHashMap::default(), deciding: Vec::new(), is_by_name };
    for object in &program.objects {
        for initial in &object.initial {
            flow.escapes(FunctionId(0), &initial.value);
        }
    }
    for (index, function) in program.functions.iter().enumerate() {
        let id = FunctionId::new(index);
        for edge in &function.edges {
            flow.action(id, &edge.action);
        }
    }
    let ends = program.entries.iter().chain(&program.address_taken);
    flow.deciding.extend(ends.map(|function| Holder::Result(*function)));
    flow.close()
}

impl Relevance {
    /// Whether a register can hold a value that decides something.
    pub fn has(&self, function: FunctionId, register: RegisterId) -> bool {
        self.deciding.contains(&Holder::Register(function, register))
    }

    /// Settles what decides nothing. Where of a result that decides something only the range is known, executions end: one
    /// that rests on another value is none of the program's.
    pub fn settle(&self, program: &mut Program, pure: &Pure) {
        let named = |id: &FunctionId| (*id, program.function(*id).name.trim_start_matches("__selvedge_").to_owned());
        let names: FxHashMap<FunctionId, String> = pure.any.iter().map(named).collect();
        for (index, function) in program.functions.iter_mut().enumerate() {
            let id = FunctionId::new(index);
            let Function { edges, registers, .. } = &mut *function;
            let mut rough = Vec::new();
            for (at, edge) in edges.iter_mut().enumerate() {
                let settled = if let Unsettled::Choice { target } = edge.action.unsettled() {
                    Some(target)
                } else if let Transfer::Call { target, callee: Callee::Direct(callee), arguments } =
                    edge.action.transfer()
                {
                    target.filter(|_| pure.contains(*callee) && arguments.iter().all(Expr::is_always_defined))
                } else {
                    None
                };
                let computed = match &edge.action {
                    Action::Call { target: Some(target), callee: Callee::Direct(callee), .. } => {
                        names.get(callee).map(|name| (*target, name.as_str()))
                    }
                    Action::Havoc { target } => {
                        let name = registers[target.index()].name.as_deref();
                        name.and_then(|name| name.strip_prefix(COMPUTED_BY)).map(|name| (*target, name))
                    }
                    _ => None,
                };
                if let Some((target, name)) = computed
                    && self.has(id, target)
                {
                    let what = match name == EXTENDED.0 {
                        true => name.to_owned(),
                        false => format!("call of `{name}`, of whose result only the range is known"),
                    };
                    rough.push((EdgeId::new(at), what));
                    continue;
                }
                if let Some(target) = settled.filter(|target| self.idle.contains(&Holder::Register(id, *target))) {
                    let value = Expr::constant(registers[target.index()].width, 0);
                    edge.action = Action::Assign { target, value };
                }
            }
            rough.into_iter().for_each(|(edge, what)| put_before(function, edge, Action::Inexact(what)));
        }
    }
}

/// Puts an action before that of an edge.
fn put_before(function: &mut Function, edge: EdgeId, action: Action) {
    let (between, last) = (LocationId::new(function.locations.len()), EdgeId::new(function.edges.len()));
    let first = &mut function.edges[edge.index()];
    let second = Edge { source: between, target: first.target, ..first.clone() };
    first.target = between;
    first.action = action;
    function.edges.push(second);
    function.locations.push(Location { outgoing: vec![last], label: None });
}

/// The object that an address lies in by name, and what is added to that.
fn named<'e>(address: &'e Expr, added: &mut Vec<&'e Expr>) -> Option<Base> {
    match address {
        Expr::Address(base, _) => Some(*base),
        Expr::Binary(BinaryOp::Add, base, offset) => {
            added.push(offset);
            named(base, added)
        }
        _ => None,
    }
}

fn holder(function: FunctionId, base: Base) -> Option<Holder> {
    match base {
        Base::Object(object) => Some(Holder::Object(object)),
        Base::Frame(object) => Some(Holder::Frame(function, object)),
        _ => None,
    }
}

impl Flow<'_> {
    fn close(mut self) -> Relevance {
        let mut found = FxHashSet::default();
        while let Some(holder) = self.deciding.pop() {
            if found.insert(holder) {
                self.deciding.extend(self.sources.get(&holder).into_iter().flatten());
            }
        }
        let idle = self.idle(&found);
        Relevance { deciding: found, idle }
    }

    /// What is computed from values out of nothing and decides nothing.
    fn idle(&self, deciding: &FxHashSet<Holder>) -> FxHashSet<Holder> {
        let mut users: FxHashMap<Holder, Vec<Holder>> = FxHashMap::default();
        for (target, sources) in &self.sources {
            for source in sources {
                users.entry(*source).or_default().push(*target);
            }
        }
        let (mut found, mut open) = (FxHashSet::default(), self.out_of_nothing());
        while let Some(holder) = open.pop() {
            if !deciding.contains(&holder) && found.insert(holder) {
                open.extend(users.get(&holder).into_iter().flatten());
            }
        }
        found
    }

    /// The registers that take values out of nothing.
    fn out_of_nothing(&self) -> Vec<Holder> {
        let of_function = |(index, function): (usize, &Function)| {
            let taken = function.edges.iter().filter_map(|edge| {
                if let Transfer::Call { target, callee: Callee::Direct(callee), .. } = edge.action.transfer() {
                    return target.filter(|_| self.pure.any.contains(callee));
                }
                if let Unsettled::Choice { target } = edge.action.unsettled() { Some(target) } else { None }
            });
            taken.map(|target| Holder::Register(FunctionId::new(index), target)).collect::<Vec<_>>()
        };
        self.program.functions.iter().enumerate().flat_map(of_function).collect()
    }

    /// Objects whose address an expression passes on can be read and written in ways that are not followed.
    fn escapes(&mut self, function: FunctionId, value: &Expr) {
        match value {
            Expr::Address(base, _) => self.deciding.extend(holder(function, *base)),
            Expr::Constant(_) | Expr::Register(..) => {}
            Expr::Unary(_, operand) | Expr::Convert(_, _, operand) => self.escapes(function, operand),
            Expr::Binary(_, left, right) => {
                self.escapes(function, left);
                self.escapes(function, right);
            }
            Expr::IfThenElse(condition, then, otherwise) => {
                for part in [condition, then, otherwise] {
                    self.escapes(function, part);
                }
            }
        }
    }

    /// A value decides something.
    fn decides(&mut self, function: FunctionId, value: &Expr) {
        self.escapes(function, value);
        value.for_each_register(&mut |register| self.deciding.push(Holder::Register(function, register)));
    }

    /// A value goes into a holder, if there is one that is followed.
    fn goes_to(&mut self, function: FunctionId, value: &Expr, target: Option<Holder>) {
        let Some(target) = target.filter(|_| value.is_always_defined()) else {
            return self.decides(function, value);
        };
        self.escapes(function, value);
        let sources = self.sources.entry(target).or_default();
        value.for_each_register(&mut |register| sources.push(Holder::Register(function, register)));
    }

    /// What an access reads or writes, if it is followed; its address decides something.
    fn accessed(&mut self, function: FunctionId, access: &Access) -> Option<Holder> {
        let mut added = Vec::new();
        let (address, is_memory) = match &access.place {
            Place::Memory { address, .. } => (address, true),
            Place::Ghost { address, .. } => (address, false),
        };
        match named(address, &mut added) {
            Some(base) => {
                for offset in added {
                    self.decides(function, offset);
                }
                holder(function, base).filter(|_| is_memory && self.is_by_name)
            }
            None => {
                self.decides(function, address);
                None
            }
        }
    }

    fn read(&mut self, function: FunctionId, target: RegisterId, access: &Access) {
        if let Some(source) = self.accessed(function, access) {
            self.sources.entry(Holder::Register(function, target)).or_default().push(source);
        }
    }

    fn written(&mut self, function: FunctionId, access: &Access, value: &Expr) {
        let target = self.accessed(function, access);
        self.goes_to(function, value, target);
    }

    fn action(&mut self, function: FunctionId, action: &Action) {
        let register = |target: RegisterId| Some(Holder::Register(function, target));
        match action {
            Action::Assume(value)
            | Action::Free { address: value }
            | Action::Exit { status: value }
            | Action::ThreadExit { value }
            | Action::Allocate { size: value, .. }
            | Action::Assert { condition: value, .. }
            | Action::Require { condition: value, .. } => self.decides(function, value),
            Action::Assign { target, value } => self.goes_to(function, value, register(*target)),
            Action::Load { target, access, .. } => self.read(function, *target, access),
            Action::Store { access, value } => self.written(function, access, value),
            Action::Atomic(steps) => steps.iter().for_each(|step| self.step(function, step)),
            Action::Return { value } => {
                if let Some(value) = value {
                    self.goes_to(function, value, Some(Holder::Result(function)));
                }
            }
            Action::Output(pieces) => pieces.iter().for_each(|piece| self.printed(function, piece)),
            Action::Spawn { entry, arguments, id, .. } => {
                self.called(function, entry);
                arguments.iter().for_each(|argument| self.decides(function, argument));
                if let Some(access) = id {
                    self.accessed(function, access);
                }
            }
            Action::Call { target, callee, arguments } => self.call(function, *target, callee, arguments),
            Action::Havoc { .. }
            | Action::Forget { .. }
            | Action::EndLife { .. }
            | Action::AtomicBegin
            | Action::AtomicEnd
            | Action::Fence(_)
            | Action::Unsupported(_)
            | Action::Inexact(_) => {}
        }
    }

    fn called(&mut self, function: FunctionId, callee: &Callee) {
        if let Callee::Indirect(pointer) = callee {
            self.decides(function, pointer);
        }
    }

    fn printed(&mut self, function: FunctionId, piece: &OutputPiece) {
        match piece {
            OutputPiece::Text(_) => {}
            OutputPiece::Value(_, value) if value.is_always_defined() => self.escapes(function, value),
            OutputPiece::Value(_, value) | OutputPiece::CString(_, value) => self.decides(function, value),
        }
    }

    fn call(&mut self, function: FunctionId, target: Option<RegisterId>, callee: &Callee, arguments: &[Expr]) {
        self.called(function, callee);
        let target = target.map(|target| Holder::Register(function, target));
        match callee {
            Callee::Direct(callee) if self.pure.contains(*callee) => {
                for argument in arguments {
                    self.goes_to(function, argument, target);
                }
            }
            Callee::Direct(callee) => {
                let parameters = self.program.function(*callee).parameters.clone();
                for (position, argument) in arguments.iter().enumerate() {
                    let parameter = parameters.get(position).map(|parameter| Holder::Register(*callee, *parameter));
                    self.goes_to(function, argument, parameter);
                }
                if let Some(target) = target {
                    self.sources.entry(target).or_default().push(Holder::Result(*callee));
                }
            }
            // What a pointer may call has its address taken: its result counts as deciding.
            Callee::Indirect(_) => arguments.iter().for_each(|argument| self.decides(function, argument)),
        }
    }

    fn step(&mut self, function: FunctionId, step: &AtomicStep) {
        match step {
            AtomicStep::Read { target, access } => self.read(function, *target, access),
            AtomicStep::Let { target, value } => {
                self.goes_to(function, value, Some(Holder::Register(function, *target)));
            }
            AtomicStep::Guard(condition) | AtomicStep::Require(condition, _) => self.decides(function, condition),
            AtomicStep::Spurious | AtomicStep::Mark { .. } => {}
            AtomicStep::Write { when, access, value } => {
                self.decides(function, when);
                self.written(function, access, value);
            }
            AtomicStep::PickThread { equals, .. } => self.decides(function, equals),
            AtomicStep::WriteThreads { equals, value, .. } => {
                self.decides(function, equals);
                self.decides(function, value);
            }
        }
    }
}
