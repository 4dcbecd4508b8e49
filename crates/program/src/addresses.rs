//! Where a value that comes out of nothing may be an address.
//!
//! `__VERIFIER_nondet_pointer()`, `int *p;`, indeterminate bytes of the heap: on a machine such a value may happen to
//! be the address of any object. The semantics lets it be one
//! ([`Question::Address`](crate::semantics::Question::Address)) wherever that can be noticed: where the value may come
//! to be used as an address, or to be compared with one. Everywhere else numbers stand for all values, and a program
//! that only computes with numbers of a pointer's width has no such places.
//!
//! [`mark`] finds these places. Values flow between *holders*: registers, results of functions, objects. An object
//! whose address is only used to access it is a holder of its own; all others are one. The analysis is flow-insensitive
//! and linear.

use crate::live::Live;
use crate::{
    Access, Action, AtomicStep, Base, BinaryOp, Callee, Expr, FrameObjectId, Function, FunctionId, ObjectId,
    OutputPiece, Place, Program, RegisterId, UnaryOp,
};

/// Takes out the havocs of registers whose value does not matter any more: declarations without an initialiser, for the
/// most part.
pub fn drop_dead_havocs(function: &mut Function) {
    if !function.edges.iter().any(|edge| matches!(edge.action, Action::Havoc { .. })) {
        return;
    }
    let live = Live::of(function);
    for edge in &mut function.edges {
        if let Action::Havoc { target } = edge.action
            && !live.at(edge.target).contains(&target)
        {
            edge.action = Action::Assume(Expr::truth());
        }
    }
}

/// Whether a value out of nothing may be an address anywhere: such an address reaches every object, whether the program
/// takes its address or not.
pub fn may_come_from_nothing(program: &Program) -> bool {
    let mut flow = Flow::of(program);
    flow.solve();
    flow.makes_addresses()
}

/// Marks the registers in which a value out of nothing may be an address.
pub fn mark(program: &mut Program) {
    let mut flow = Flow::of(program);
    flow.solve();
    if flow.makes_addresses() {
        // Such an address reaches every object.
        flow.pass_all_around();
        flow.solve();
    }
    for function in 0..program.functions.len() {
        let targets = flow.from_nothing.iter().filter(|(holder, ..)| flow.used[holder.0]);
        let own = targets.filter(|(_, at, _)| at.index() == function);
        let marked: Vec<RegisterId> = own.map(|(.., register)| *register).collect();
        for register in marked {
            program.functions[function].registers[register.index()].may_be_address = true;
        }
    }
}

/// What a value can be in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Holder(usize);

/// What an expression's value may be made of.
#[derive(Clone, Debug, Default)]
struct Sources {
    holders: Vec<Holder>,
    has_address: bool,
}

struct Flow {
    width: u32,
    first_register: Vec<usize>,
    results: usize,
    first_object: usize,
    first_local: Vec<usize>,
    /// All objects whose addresses are passed around, and ghost fields.
    elsewhere: Holder,
    /// What is passed to and returned by calls through pointers, which may be of any function whose address is taken:
    /// by position, and the result.
    passed: std::ops::Range<usize>,
    returned: Holder,
    forward: Vec<Vec<Holder>>,
    backward: Vec<Vec<Holder>>,
    comparisons: Vec<(Sources, Sources)>,
    /// Where values come out of nothing: what they are used as depends on the holder, and they are in the register.
    from_nothing: Vec<(Holder, FunctionId, RegisterId)>,
    /// Whether the holder may hold an address, and whether what it holds may be used as one.
    real: Vec<bool>,
    used: Vec<bool>,
    pending_real: Vec<Holder>,
    pending_used: Vec<Holder>,
}

impl Flow {
    fn of(program: &Program) -> Flow {
        let mut next = 0;
        let mut take = |count: usize| {
            next += count;
            next - count
        };
        let first_register = program.functions.iter().map(|function| take(function.registers.len())).collect();
        let results = take(program.functions.len());
        let first_object = take(program.objects.len());
        let first_local = program.functions.iter().map(|function| take(function.frame.len())).collect();
        let elsewhere = Holder(take(1));
        let parameters = |callee: &FunctionId| program.function(*callee).parameters.len();
        let most = program.address_taken.iter().map(parameters).max().unwrap_or(0);
        let first_passed = take(most);
        let returned = Holder(take(1));
        let mut flow = Flow {
            width: program.pointer_width(),
            first_register,
            results,
            first_object,
            first_local,
            elsewhere,
            passed: first_passed..first_passed + most,
            returned,
            forward: vec![Vec::new(); next],
            backward: vec![Vec::new(); next],
            comparisons: Vec::new(),
            from_nothing: Vec::new(),
            real: vec![false; next],
            used: vec![false; next],
            pending_real: Vec::new(),
            pending_used: Vec::new(),
        };
        for (index, object) in program.objects.iter().enumerate() {
            for initial in object.initial.iter().filter(|initial| !matches!(initial.value, Expr::Constant(_))) {
                flow.flows(FunctionId(0), &initial.value, Holder(first_object + index));
            }
        }
        for callee in &program.address_taken {
            for (parameter, argument) in program.function(*callee).parameters.iter().zip(flow.passed.clone()) {
                flow.link(Holder(argument), flow.register(*callee, *parameter));
            }
            flow.link(flow.result(*callee), returned);
        }
        for (index, function) in program.functions.iter().enumerate() {
            let function_id = FunctionId::new(index);
            for edge in &function.edges {
                Reader { flow: &mut flow, program, function: function_id }.action(&edge.action);
            }
        }
        flow
    }

    /// Whether something out of nothing is used as an address.
    fn makes_addresses(&self) -> bool {
        self.from_nothing.iter().any(|(holder, ..)| self.used[holder.0])
    }

    fn register(&self, function: FunctionId, register: RegisterId) -> Holder {
        Holder(self.first_register[function.index()] + register.index())
    }

    fn result(&self, function: FunctionId) -> Holder {
        Holder(self.results + function.index())
    }

    fn object(&self, object: ObjectId) -> Holder {
        Holder(self.first_object + object.index())
    }

    fn local(&self, function: FunctionId, local: FrameObjectId) -> Holder {
        Holder(self.first_local[function.index()] + local.index())
    }

    fn link(&mut self, from: Holder, to: Holder) {
        self.forward[from.0].push(to);
        self.backward[to.0].push(from);
    }

    fn is_real(&mut self, holder: Holder) {
        if !std::mem::replace(&mut self.real[holder.0], true) {
            self.pending_real.push(holder);
        }
    }

    fn is_used(&mut self, holder: Holder) {
        if !std::mem::replace(&mut self.used[holder.0], true) {
            self.pending_used.push(holder);
        }
    }

    /// What the value of an expression may be made of. Addresses in it are passed around from here on.
    fn sources(&mut self, function: FunctionId, expr: &Expr) -> Sources {
        let mut sources = Sources::default();
        self.add_sources(function, expr, &mut sources);
        sources
    }

    fn add_sources(&mut self, function: FunctionId, expr: &Expr, sources: &mut Sources) {
        match expr {
            Expr::Constant(_) => {}
            Expr::Register(register, width) => {
                if *width >= self.width {
                    sources.holders.push(self.register(function, *register));
                }
            }
            Expr::Address(base, _) => {
                sources.has_address = true;
                let object = match base {
                    Base::Object(object) => self.object(*object),
                    Base::Frame(local) => self.local(function, *local),
                    Base::Function(_) | Base::SelfThread => return,
                };
                self.link(object, self.elsewhere);
                self.link(self.elsewhere, object);
            }
            Expr::Unary(op, operand) => {
                if !op.is_truth() {
                    self.add_sources(function, operand, sources);
                }
            }
            Expr::Binary(op, left, right) if !op.is_comparison() => {
                self.add_sources(function, left, sources);
                self.add_sources(function, right, sources);
            }
            Expr::Binary(..) => {}
            Expr::Convert(_, width, operand) => {
                if *width >= self.width {
                    self.add_sources(function, operand, sources);
                }
            }
            Expr::IfThenElse(_, then, otherwise) => {
                self.add_sources(function, then, sources);
                self.add_sources(function, otherwise, sources);
            }
        }
    }

    /// The value of an expression comes to a holder.
    fn flows(&mut self, function: FunctionId, value: &Expr, to: Holder) {
        let sources = self.sources(function, value);
        sources.holders.into_iter().for_each(|from| self.link(from, to));
        if sources.has_address {
            self.is_real(to);
        }
    }

    /// The holders that an access through an address may mean; registers in the address are used as one.
    fn accessed(&mut self, function: FunctionId, address: &Expr) -> Vec<Holder> {
        match address {
            Expr::Address(Base::Object(object), _) => vec![self.object(*object)],
            Expr::Address(Base::Frame(local), _) => vec![self.local(function, *local)],
            Expr::Binary(BinaryOp::Add, left, right) if has_base(left) => self.accessed_at(function, left, right),
            Expr::Binary(BinaryOp::Add, left, right) if has_base(right) => self.accessed_at(function, right, left),
            Expr::Binary(BinaryOp::Subtract, left, right) if has_base(left) => self.accessed_at(function, left, right),
            Expr::IfThenElse(_, then, otherwise) => {
                let mut all = self.accessed(function, then);
                all.extend(self.accessed(function, otherwise));
                all
            }
            other => {
                let sources = self.sources(function, other);
                sources.holders.into_iter().for_each(|holder| self.is_used(holder));
                vec![self.elsewhere]
            }
        }
    }

    /// The same for an address with a distance, which may be a number only.
    fn accessed_at(&mut self, function: FunctionId, base: &Expr, distance: &Expr) -> Vec<Holder> {
        let sources = self.sources(function, distance);
        if sources.has_address {
            self.is_used(self.elsewhere);
        }
        self.accessed(function, base)
    }

    /// The address of every object is passed around.
    fn pass_all_around(&mut self) {
        for holder in (self.first_object..self.elsewhere.0).map(Holder) {
            self.link(holder, self.elsewhere);
            self.link(self.elsewhere, holder);
            for (from, to) in [(holder, self.elsewhere), (self.elsewhere, holder)] {
                if self.real[from.0] {
                    self.is_real(to);
                }
                if self.used[to.0] {
                    self.is_used(from);
                }
            }
        }
    }

    /// Where values out of nothing may be addresses, they are addresses to whatever they are compared with: up to a
    /// fixpoint.
    fn solve(&mut self) {
        loop {
            while let Some(holder) = self.pending_real.pop() {
                for next in self.forward[holder.0].clone() {
                    self.is_real(next);
                }
            }
            for (left, right) in std::mem::take(&mut self.comparisons) {
                let is_real =
                    |side: &Sources| side.has_address || side.holders.iter().any(|holder| self.real[holder.0]);
                let (left_real, right_real) = (is_real(&left), is_real(&right));
                if left_real {
                    right.holders.iter().for_each(|holder| self.is_used(*holder));
                }
                if right_real {
                    left.holders.iter().for_each(|holder| self.is_used(*holder));
                }
                if !(left_real && right_real) {
                    self.comparisons.push((left, right));
                }
            }
            while let Some(holder) = self.pending_used.pop() {
                for next in self.backward[holder.0].clone() {
                    self.is_used(next);
                }
            }
            for (holder, ..) in self.from_nothing.clone() {
                if self.used[holder.0] {
                    self.is_real(holder);
                }
            }
            if self.pending_real.is_empty() {
                return;
            }
        }
    }
}

/// Whether an address is that of a variable, give or take a distance.
fn has_base(address: &Expr) -> bool {
    match address {
        Expr::Address(Base::Object(_) | Base::Frame(_), _) => true,
        Expr::Binary(BinaryOp::Add, left, right) => has_base(left) || has_base(right),
        Expr::Binary(BinaryOp::Subtract, left, _) => has_base(left),
        Expr::IfThenElse(_, then, otherwise) => has_base(then) && has_base(otherwise),
        _ => false,
    }
}

/// Reads the actions of one function.
struct Reader<'a> {
    flow: &'a mut Flow,
    program: &'a Program,
    function: FunctionId,
}

impl Reader<'_> {
    fn action(&mut self, action: &Action) {
        match action {
            Action::Assume(condition) | Action::Assert { condition, .. } | Action::Require { condition, .. } => {
                self.compares(condition);
            }
            Action::Assign { target, value } => self.assigns(*target, value),
            Action::Load { target, access, .. } => self.loads(*target, access),
            Action::Store { access, value } => self.stores(access, value),
            Action::Atomic(steps) => steps.iter().for_each(|step| self.atomic_step(step)),
            Action::Havoc { target } => {
                let holder = self.flow.register(self.function, *target);
                self.out_of_nothing(holder, *target);
            }
            Action::Spawn { target, entry, arguments, id } => {
                let thread = self.flow.register(self.function, *target);
                self.flow.is_real(thread);
                for holder in id.iter().flat_map(|id| self.accessed(&id.place)).collect::<Vec<_>>() {
                    self.flow.is_real(holder);
                }
                let result = self.calls(entry, arguments);
                self.flow.link(result, self.flow.elsewhere);
            }
            Action::Call { target, callee, arguments } => {
                let result = self.calls(callee, arguments);
                if let Some(target) = target {
                    let target = self.flow.register(self.function, *target);
                    self.flow.link(result, target);
                }
            }
            Action::Return { value } => {
                if let Some(value) = value {
                    let result = self.flow.result(self.function);
                    self.compares(value);
                    self.flow.flows(self.function, value, result);
                }
            }
            Action::ThreadExit { value } => {
                self.compares(value);
                self.flow.flows(self.function, value, self.flow.elsewhere);
            }
            Action::Allocate { target, size, .. } => {
                self.compares(size);
                let target = self.flow.register(self.function, *target);
                self.flow.is_real(target);
            }
            Action::Free { address } => self.uses(address),
            Action::Exit { status } => self.compares(status),
            Action::Output(pieces) => pieces.iter().for_each(|piece| match piece {
                OutputPiece::Text(_) => {}
                OutputPiece::Value(_, value) => self.compares(value),
                OutputPiece::CString(_, address) => self.uses(address),
            }),
            Action::Forget { .. }
            | Action::EndLife { .. }
            | Action::AtomicBegin
            | Action::AtomicEnd
            | Action::Fence(_)
            | Action::Unsupported(_)
            | Action::Inexact(_) => {}
        }
    }

    fn atomic_step(&mut self, step: &AtomicStep) {
        match step {
            AtomicStep::Read { target, access } => self.loads(*target, access),
            AtomicStep::Let { target, value } => self.assigns(*target, value),
            AtomicStep::Guard(condition) | AtomicStep::Require(condition, _) => self.compares(condition),
            // Nothing is decided by what is only remarked.
            AtomicStep::Spurious | AtomicStep::Mark { .. } => {}
            AtomicStep::Write { when, access, value } => {
                self.compares(when);
                self.stores(access, value);
            }
            AtomicStep::PickThread { target, equals, .. } => {
                self.compares_with_ghosts(equals);
                let target = self.flow.register(self.function, *target);
                self.flow.is_real(target);
            }
            AtomicStep::WriteThreads { equals, value, .. } => {
                self.compares_with_ghosts(equals);
                self.compares(value);
                self.flow.flows(self.function, value, self.flow.elsewhere);
            }
        }
    }

    fn out_of_nothing(&mut self, holder: Holder, register: RegisterId) {
        if self.program.function(self.function).register(register).width == self.flow.width {
            self.flow.from_nothing.push((holder, self.function, register));
        }
    }

    fn assigns(&mut self, target: RegisterId, value: &Expr) {
        self.compares(value);
        let target = self.flow.register(self.function, target);
        self.flow.flows(self.function, value, target);
    }

    fn loads(&mut self, target: RegisterId, access: &Access) {
        let register = self.flow.register(self.function, target);
        for holder in self.accessed(&access.place) {
            self.flow.link(holder, register);
            // What is chosen for indeterminate bytes stays in memory: all loads of them must offer the same.
            self.out_of_nothing(holder, target);
        }
    }

    fn stores(&mut self, access: &Access, value: &Expr) {
        self.compares(value);
        for holder in self.accessed(&access.place) {
            self.flow.flows(self.function, value, holder);
        }
    }

    fn accessed(&mut self, place: &Place) -> Vec<Holder> {
        match place {
            Place::Memory { address, .. } => {
                self.compares(address);
                self.flow.accessed(self.function, address)
            }
            Place::Ghost { address, .. } => {
                self.compares(address);
                self.flow.accessed(self.function, address);
                vec![self.flow.elsewhere]
            }
        }
    }

    fn uses(&mut self, address: &Expr) {
        self.compares(address);
        let sources = self.flow.sources(self.function, address);
        sources.holders.into_iter().for_each(|holder| self.flow.is_used(holder));
    }

    /// The result.
    fn calls(&mut self, callee: &Callee, arguments: &[Expr]) -> Holder {
        arguments.iter().for_each(|argument| self.compares(argument));
        let (parameters, result): (Vec<Holder>, Holder) = match callee {
            Callee::Direct(function) => {
                let parameters = self.program.function(*function).parameters.iter();
                let parameters = parameters.map(|parameter| self.flow.register(*function, *parameter));
                (parameters.collect(), self.flow.result(*function))
            }
            Callee::Indirect(pointer) => {
                self.uses(pointer);
                (self.flow.passed.clone().map(Holder).collect(), self.flow.returned)
            }
        };
        for (parameter, argument) in parameters.into_iter().zip(arguments) {
            self.flow.flows(self.function, argument, parameter);
        }
        result
    }

    fn compares_with_ghosts(&mut self, value: &Expr) {
        self.compares(value);
        let ghosts = Sources { holders: vec![self.flow.elsewhere], has_address: false };
        let value = self.flow.sources(self.function, value);
        self.flow.comparisons.push((value, ghosts));
    }

    /// The comparisons within an expression; a difference is one too.
    fn compares(&mut self, expr: &Expr) {
        match expr {
            Expr::Constant(_) | Expr::Register(..) | Expr::Address(..) => {}
            Expr::Unary(UnaryOp::StartOf | UnaryOp::IsWithin, operand) => self.uses(operand),
            Expr::Unary(_, operand) | Expr::Convert(_, _, operand) => self.compares(operand),
            Expr::Binary(op, left, right) => {
                self.compares(left);
                self.compares(right);
                if matches!(op, BinaryOp::Equal | BinaryOp::LessUnsigned | BinaryOp::LessSigned | BinaryOp::Subtract) {
                    let left = self.flow.sources(self.function, left);
                    let right = self.flow.sources(self.function, right);
                    if !(left.holders.is_empty() && right.holders.is_empty()) {
                        self.flow.comparisons.push((left, right));
                    }
                }
            }
            Expr::IfThenElse(condition, then, otherwise) => {
                self.compares(condition);
                self.compares(then);
                self.compares(otherwise);
            }
        }
    }
}
