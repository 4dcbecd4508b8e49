//! Well-formedness: what every engine may take for granted about a program. The tests check it of every lowered
//! program.

use crate::{
    Access, Action, AtomicStep, Base, Callee, CheckId, Conversion, Edge, EdgeId, Expr, FloatFormat, FrameObjectId,
    Function, FunctionId, LocationId, ObjectId, OutputPiece, Place, Program, RegisterId, UnaryOp,
};

impl Program {
    /// Checks that every index is in range, every width fits, and every automaton hangs together; otherwise says all
    /// that is wrong.
    pub fn validate(&self) -> Result<(), Vec<String>> {
        let mut problems = Vec::new();
        self.validate_tables(&mut problems);
        for function in &self.functions {
            FunctionCheck { program: self, function, at: format!("`{}`", function.name), problems: &mut problems }
                .run();
        }
        if problems.is_empty() { Ok(()) } else { Err(problems) }
    }

    fn validate_tables(&self, problems: &mut Vec<String>) {
        let mut known = |id: FunctionId, what: &str| {
            if id.index() >= self.functions.len() {
                problems.push(format!("{what}: there is no {id}"));
            }
        };
        self.address_taken.iter().for_each(|id| known(*id, "address taken"));
        self.entries.iter().for_each(|id| known(*id, "the entry of a thread"));
        self.checks.iter().for_each(|check| known(check.function, "a check"));
        match self.main().and_then(|main| self.functions.get(main.index())) {
            None => problems.push("there is no main function".to_owned()),
            Some(main) if !main.parameters.is_empty() => problems.push(format!("`{}` has parameters", main.name)),
            Some(_) => {}
        }
        for object in &self.objects {
            if !object.align.is_power_of_two() {
                problems.push(format!("`{}` has alignment {}", object.name, object.align));
            }
            for initial in &object.initial {
                let end = initial.offset.checked_add(u64::from(initial.size));
                if initial.value.is_deeper_than(Expr::DEEPEST) || !self.is_constant(&initial.value) {
                    problems.push(format!("an initial value of `{}` is no constant", object.name));
                } else if end.is_none_or(|end| end > object.size) || initial.value.width() != initial.size * 8 {
                    problems.push(format!("an initial value of `{}` at {} does not fit", object.name, initial.offset));
                }
            }
        }
    }

    /// Whether an expression is a constant, or the address of something static plus a constant.
    fn is_constant(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Constant(_) => true,
            Expr::Address(Base::Object(id), _) => id.index() < self.objects.len(),
            Expr::Address(Base::Function(id), _) => id.index() < self.functions.len(),
            Expr::Address(..) | Expr::Register(..) => false,
            Expr::Unary(_, operand) | Expr::Convert(_, _, operand) => self.is_constant(operand),
            Expr::Binary(_, left, right) => self.is_constant(left) && self.is_constant(right),
            Expr::IfThenElse(a, b, c) => self.is_constant(a) && self.is_constant(b) && self.is_constant(c),
        }
    }
}

struct FunctionCheck<'a> {
    program: &'a Program,
    function: &'a Function,
    /// What is being looked at, for messages.
    at: String,
    problems: &'a mut Vec<String>,
}

impl<'a> FunctionCheck<'a> {
    fn problem(&mut self, message: impl std::fmt::Display) {
        self.problems.push(format!("{}: {message}", self.at));
    }

    fn expect(&mut self, holds: bool, message: impl FnOnce() -> String) {
        if !holds {
            let message = message();
            self.problem(message);
        }
    }

    fn run(&mut self) {
        let name = self.function.name.clone();
        for parameter in &self.function.parameters {
            self.register(*parameter);
        }
        for object in &self.function.frame {
            self.expect(object.align.is_power_of_two(), || format!("`{}` has alignment {}", object.name, object.align));
        }
        self.location(self.function.entry);
        for (position, location) in self.function.locations.iter().enumerate() {
            let id = LocationId::new(position);
            self.at = format!("`{name}` {id}");
            for (index, edge) in location.outgoing.iter().enumerate() {
                let source = self.function.edges.get(edge.index()).map(|edge| edge.source);
                self.expect(source == Some(id), || format!("lists {edge}, which does not leave it"));
                self.expect(!location.outgoing[..index].contains(edge), || format!("lists {edge} twice"));
            }
        }
        for (position, edge) in self.function.edges.iter().enumerate() {
            let id = EdgeId::new(position);
            self.at = format!("`{name}` {id} from {} to {}", edge.source, edge.target);
            self.location(edge.source);
            self.location(edge.target);
            let listed = self.function.locations.get(edge.source.index()).is_some_and(|l| l.outgoing.contains(&id));
            self.expect(listed, || "its source does not list it".to_owned());
            self.edge(edge);
        }
        self.at = format!("`{name}`");
        self.dead_ends();
    }

    /// Every location that control can reach has a way on.
    fn dead_ends(&mut self) {
        let function = self.function;
        let mut reached = vec![false; function.locations.len()];
        let mut work = vec![function.entry];
        while let Some(location) = work.pop() {
            let Some(seen) = reached.get_mut(location.index()) else { continue };
            if std::mem::replace(seen, true) {
                continue;
            }
            let outgoing = &function.location(location).outgoing;
            self.expect(!outgoing.is_empty(), || format!("{location} can be reached, but no edge leaves it"));
            let edges = outgoing.iter().filter_map(|edge| function.edges.get(edge.index()));
            work.extend(edges.filter(|edge| passes(&edge.action)).map(|edge| edge.target));
        }
    }

    fn location(&mut self, id: LocationId) {
        self.expect(id.index() < self.function.locations.len(), || format!("there is no {id}"));
    }

    /// The width of a register, if it exists.
    fn register(&mut self, id: RegisterId) -> Option<u32> {
        let register = self.function.registers.get(id.index());
        self.expect(register.is_some(), || format!("there is no {id}"));
        let width = register?.width;
        self.expect((1..=128).contains(&width), || format!("{id} has width {width}"));
        Some(width)
    }

    fn same(&mut self, what: &str, width: Option<u32>, wanted: Option<u32>) {
        if let (Some(width), Some(wanted)) = (width, wanted) {
            self.expect(width == wanted, || format!("{what} has width {width} instead of {wanted}"));
        }
    }

    fn condition(&mut self, condition: &Expr) {
        let width = self.expr(condition);
        self.same("a condition", width, Some(1));
    }

    fn assigned(&mut self, target: RegisterId, value: &Expr) {
        let width = self.expr(value);
        let wanted = self.register(target);
        self.same("an assigned value", width, wanted);
    }

    fn pointer(&mut self, what: &str, address: &Expr) {
        let width = self.expr(address);
        self.same(what, width, Some(self.program.pointer_width()));
    }

    /// The width of a place; `None` for a ghost field, which takes any.
    fn place(&mut self, access: &Access) -> Option<u32> {
        match &access.place {
            Place::Memory { address, size, align } => {
                self.pointer("an address", address);
                self.expect((1..=16).contains(size), || format!("an access of {size} bytes"));
                self.expect(align.is_power_of_two(), || format!("an access with alignment {align}"));
                Some(size * 8)
            }
            Place::Ghost { address, field } => {
                self.pointer("an address", address);
                Some(field.width(self.program.data_model))
            }
        }
    }

    fn edge(&mut self, edge: &Edge) {
        match &edge.action {
            Action::Assume(condition) | Action::Require { condition, .. } => self.condition(condition),
            Action::Assign { target, value } => self.assigned(*target, value),
            Action::Load { target, access, .. } => {
                let (width, wanted) = (self.register(*target), self.place(access));
                self.same("the target of a load", width, wanted);
            }
            Action::Store { access, value } => {
                let (width, wanted) = (self.expr(value), self.place(access));
                self.same("a stored value", width, wanted);
            }
            Action::Atomic(steps) => self.atomic(steps),
            Action::Havoc { target } => {
                self.register(*target);
            }
            Action::Forget { object } | Action::EndLife { object } => self.frame_object(*object),
            Action::Spawn { target, entry, arguments, id } => {
                let width = self.register(*target);
                self.same("the target of a spawn", width, Some(self.program.pointer_width()));
                if let Some(id) = id {
                    let width = self.place(id);
                    self.same("where a thread's identity goes", width, Some(self.program.pointer_width()));
                }
                self.call(entry, arguments, Passing::Started);
            }
            Action::ThreadExit { value } => {
                self.expr(value);
            }
            Action::Exit { status } => {
                self.expr(status);
            }
            Action::Allocate { target, size, align, site, .. } => {
                let width = self.register(*target);
                self.same("the target of an allocation", width, Some(self.program.pointer_width()));
                self.expr(size);
                self.expect(align.is_power_of_two(), || format!("an allocation with alignment {align}"));
                self.expect(site.index() < self.program.sites.len(), || format!("there is no {site}"));
            }
            Action::Free { address } => self.pointer("a freed address", address),
            Action::Assert { condition, check } => {
                self.condition(condition);
                self.check(*check);
            }
            Action::Call { target, callee, arguments } => {
                let callee = self.call(callee, arguments, Passing::Exact);
                let width = target.and_then(|target| self.register(target));
                if let (Some(width), Some(callee)) = (width, callee) {
                    let result = callee.result_width;
                    self.expect(result == Some(width), || format!("a result of {result:?} bits goes to {width} bits"));
                }
            }
            Action::Return { value } => {
                let width = value.as_ref().and_then(|value| self.expr(value));
                match self.function.result_width {
                    Some(wanted) => self.same("a result", width, Some(wanted)),
                    None => self.expect(value.is_none(), || "a value returned from a void function".to_owned()),
                }
            }
            Action::Output(pieces) => {
                for piece in pieces {
                    match piece {
                        OutputPiece::Text(_) => {}
                        OutputPiece::Value(_, value) => {
                            self.expr(value);
                        }
                        OutputPiece::CString(_, address) => self.pointer("the address of a string", address),
                    }
                }
            }
            Action::AtomicBegin | Action::AtomicEnd | Action::Fence(_) => {}
            Action::Unsupported(_) | Action::Inexact(_) => {}
        }
    }

    fn atomic(&mut self, steps: &[AtomicStep]) {
        let mut may_guard = true;
        for step in steps {
            match step {
                AtomicStep::Read { target, access } => {
                    let (width, wanted) = (self.register(*target), self.place(access));
                    self.same("the target of a read", width, wanted);
                }
                AtomicStep::Let { target, value } => self.assigned(*target, value),
                AtomicStep::Spurious => {}
                AtomicStep::Guard(condition) => {
                    self.condition(condition);
                    self.expect(may_guard, || "a guard after a write or a choice of a thread".to_owned());
                }
                AtomicStep::Require(condition, _) => self.condition(condition),
                AtomicStep::Write { when, access, value } => {
                    self.condition(when);
                    let (width, wanted) = (self.expr(value), self.place(access));
                    self.same("a written value", width, wanted);
                    may_guard = false;
                }
                AtomicStep::PickThread { target, equals, .. } => {
                    let width = self.register(*target);
                    self.same("the target of a choice", width, Some(self.program.pointer_width()));
                    self.expr(equals);
                    may_guard = false;
                }
                AtomicStep::WriteThreads { equals, value, .. } => {
                    self.expr(equals);
                    self.expr(value);
                    may_guard = false;
                }
                AtomicStep::Mark { when, object, .. } => {
                    self.condition(when);
                    let width = self.expr(object);
                    self.same("the object of a mark", width, Some(self.program.pointer_width()));
                }
            }
        }
    }

    /// Checks a call's arguments; gives the function if it is known.
    fn call(&mut self, callee: &Callee, arguments: &[Expr], passing: Passing) -> Option<&'a Function> {
        let widths: Vec<Option<u32>> = arguments.iter().map(|argument| self.expr(argument)).collect();
        let id = match callee {
            Callee::Direct(id) => *id,
            Callee::Indirect(address) => {
                self.pointer("a called address", address);
                return None;
            }
        };
        let program = self.program;
        let function = program.functions.get(id.index());
        self.expect(function.is_some(), || format!("there is no {id}"));
        let function = function?;
        let (given, taken) = (arguments.len(), function.parameters.len());
        let fits = given == taken || passing == Passing::Started && given > taken;
        self.expect(fits, || format!("{given} arguments for the {taken} parameters of `{}`", function.name));
        for (width, parameter) in widths.into_iter().zip(&function.parameters) {
            let wanted = function.registers.get(parameter.index()).map(|register| register.width);
            let narrowed = passing == Passing::Started && wanted < width;
            self.same("an argument", if narrowed { wanted } else { width }, wanted);
        }
        Some(function)
    }

    fn check(&mut self, id: CheckId) {
        self.expect(id.index() < self.program.checks.len(), || format!("there is no {id}"));
    }

    fn frame_object(&mut self, id: FrameObjectId) {
        self.expect(id.index() < self.function.frame.len(), || format!("there is no {id}"));
    }

    fn object(&mut self, id: ObjectId) {
        self.expect(id.index() < self.program.objects.len(), || format!("there is no {id}"));
    }

    /// The width of an expression, if it has one: its parts are checked on the way.
    fn expr(&mut self, expr: &Expr) -> Option<u32> {
        if expr.is_deeper_than(Expr::DEEPEST) {
            self.problem(format!("an expression is nested deeper than {}", Expr::DEEPEST));
            return None;
        }
        self.width(expr)
    }

    fn width(&mut self, expr: &Expr) -> Option<u32> {
        match expr {
            Expr::Constant(bits) => Some(bits.width()),
            Expr::Register(id, width) => {
                let wanted = self.register(*id);
                self.same(&format!("{id} in an expression"), Some(*width), wanted);
                Some(*width)
            }
            Expr::Address(base, width) => {
                match base {
                    Base::Object(id) => self.object(*id),
                    Base::Frame(id) => self.frame_object(*id),
                    Base::Function(id) => {
                        self.expect(id.index() < self.program.functions.len(), || format!("there is no {id}"));
                    }
                    Base::SelfThread => {}
                }
                self.same("an address", Some(*width), Some(self.program.pointer_width()));
                Some(*width)
            }
            Expr::Unary(op, operand) => {
                let width = self.width(operand);
                if let UnaryOp::FloatNegate(format) = op {
                    self.same("an operand", width, Some(format.width()));
                }
                if matches!(op, UnaryOp::StartOf | UnaryOp::IsWithin) {
                    self.same("an address", width, Some(self.program.pointer_width()));
                }
                if op.is_truth() { Some(1) } else { width }
            }
            Expr::Binary(op, left, right) => {
                let (left, right) = (self.width(left), self.width(right));
                self.same(&format!("the right operand of {op:?}"), right, left);
                self.same(&format!("the operand of {op:?}"), left, op.float_format().map(FloatFormat::width));
                if op.is_comparison() { Some(1) } else { left }
            }
            Expr::Convert(conversion, width, operand) => {
                let from = self.width(operand)?;
                self.expect(converts(*conversion, from, *width), || {
                    format!("{conversion:?} from {from} to {width} bits")
                });
                Some(*width)
            }
            Expr::IfThenElse(condition, then, otherwise) => {
                let condition = self.width(condition);
                self.same("a condition", condition, Some(1));
                let (then, otherwise) = (self.width(then), self.width(otherwise));
                self.same("the second branch", otherwise, then);
                then
            }
        }
    }
}

/// How arguments are passed.
#[derive(PartialEq, Eq)]
enum Passing {
    /// As many as there are parameters, and of their widths.
    Exact,
    /// To a thread: see [`Function::started_with`].
    Started,
}

/// Whether control can go on to the edge's target.
fn passes(action: &Action) -> bool {
    action.falls_through() && action.condition() != Some(&Expr::falsehood())
}

fn converts(conversion: Conversion, from: u32, to: u32) -> bool {
    (1..=128).contains(&to)
        && match conversion {
            Conversion::ZeroExtend | Conversion::SignExtend => from < to,
            Conversion::Truncate => from > to,
            Conversion::UnsignedToFloat(format) | Conversion::SignedToFloat(format) => to == format.width(),
            Conversion::FloatToUnsigned(format) | Conversion::FloatToSigned(format) => from == format.width(),
            Conversion::FloatToFloat(format) => from == format.width() && (to == 32 || to == 64),
        }
}
