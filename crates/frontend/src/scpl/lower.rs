//! From trees to the program model. A statement that names shared variables is one atomic update: it reads them into
//! temporaries, and then waits, assigns or writes. Locals are parameters of the threads' function, so that a thread has
//! its initial values from the moment that it is there.

use std::collections::BTreeMap;

use selvedge_program::{
    Access, Action, AtomicStep, Atomicity, Base, BinaryOp, Callee, Caveat, Check, CheckId, Conversion, DataModel,
    Diagnostic, Display, Edge, EdgeId, Expr, Function, FunctionId, InitialValue, Location, LocationId, Object,
    ObjectId, ObjectKind, Place, Program, Register, RegisterId, Shape, Side, Sources, Span,
};

use super::tree::{self, Declared, ExprKind, Kind, Name, Operator, Owner, Statement, Tree, Type, Value};
use super::{MOST_THREADS, THREAD, Threads, error};

/// The width of a number.
const INT: u32 = 32;

const THREAD_FUNCTION: FunctionId = FunctionId(1);

impl Type {
    fn width(self) -> u32 {
        match self {
            Type::Int => INT,
            Type::Bool => 8,
        }
    }

    fn display(self) -> Display {
        match self {
            Type::Int => Display::Signed,
            Type::Bool => Display::Bool,
        }
    }

    /// A number as a variable of this type holds it.
    fn held(self, number: Expr) -> Expr {
        match self {
            Type::Int => number,
            Type::Bool => number.is_true().resize_unsigned(self.width()),
        }
    }
}

pub fn lower(
    tree: &Tree,
    text: &str,
    threads: Threads,
    sources: Sources,
    diagnostics: &mut Vec<Diagnostic>,
) -> Program {
    let mut program = Program { sources, data_model: DataModel::Lp64, ..Program::empty() };
    let mut lowering = Lowering {
        program: &mut program,
        text,
        diagnostics,
        variables: BTreeMap::new(),
        function: blank(THREAD),
        here: LocationId(0),
        labels: BTreeMap::new(),
        jumps: Vec::new(),
        sections: vec![0],
        last_section: 0,
    };
    for declared in &tree.variables {
        lowering.declare(declared);
    }
    lowering.body(tree);
    let thread = lowering.function;
    let initial: Vec<Expr> = tree
        .variables
        .iter()
        .filter(|declared| declared.owner == Owner::Local)
        .map(|declared| Expr::signed(declared.kind.width(), declared.initial.into()))
        .collect();
    program.functions = vec![main(threads, &initial, program.pointer_width()), thread];
    program.entries = vec![FunctionId(0), THREAD_FUNCTION];
    if let Threads::Exactly(number) = threads {
        if number > MOST_THREADS {
            diagnostics.push(error(Span::NOWHERE, format!("there can be at most {MOST_THREADS} threads")));
        }
        let noun = if number == 1 { "thread executes" } else { "threads execute" };
        program.caveats.push(Caveat { message: format!("{number} {noun} the program"), span: Span::NOWHERE });
    }
    program
}

fn blank(name: &str) -> Function {
    Function {
        name: name.to_owned(),
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

/// Adds an edge.
fn edge(function: &mut Function, source: LocationId, target: LocationId, action: Action, span: Span) -> EdgeId {
    let id = EdgeId::new(function.edges.len());
    function.edges.push(Edge { source, target, action, side: None, span, stub: None });
    function.locations[source.index()].outgoing.push(id);
    id
}

fn location(function: &mut Function) -> LocationId {
    function.locations.push(Location::default());
    LocationId::new(function.locations.len() - 1)
}

/// Starts the threads, and ends.
fn main(threads: Threads, initial: &[Expr], pointer_width: u32) -> Function {
    let mut main = blank("main");
    let handle = Register { name: None, width: pointer_width, display: Display::Pointer, may_be_address: false };
    main.registers.push(handle);
    let spawn = Action::Spawn {
        target: RegisterId(0),
        entry: Callee::Direct(THREAD_FUNCTION),
        arguments: initial.to_vec(),
        id: None,
    };
    let mut here = main.entry;
    match threads {
        Threads::Any => {
            edge(&mut main, here, here, spawn, Span::NOWHERE);
        }
        Threads::Exactly(number) => {
            for _ in 0..number.min(MOST_THREADS) {
                let next = location(&mut main);
                edge(&mut main, here, next, spawn.clone(), Span::NOWHERE);
                here = next;
            }
        }
    }
    let end = location(&mut main);
    edge(&mut main, here, end, Action::ThreadExit { value: Expr::constant(pointer_width, 0) }, Span::NOWHERE);
    main
}

/// What a name stands for.
#[derive(Clone, Copy)]
enum Meaning {
    Shared(ObjectId, RegisterId),
    Local(RegisterId),
}

/// Where a label is, and in which atomic block; 0 for none.
type Labelled = (LocationId, u32);

struct Lowering<'a> {
    program: &'a mut Program,
    text: &'a str,
    diagnostics: &'a mut Vec<Diagnostic>,
    variables: BTreeMap<String, (Type, Meaning)>,
    function: Function,
    here: LocationId,
    labels: BTreeMap<String, Labelled>,
    /// Edges that go to labels, and the atomic block that they are in.
    jumps: Vec<(EdgeId, Name, u32)>,
    sections: Vec<u32>,
    last_section: u32,
}

/// Reads of shared variables, in the order in which they are named.
type Reads = Vec<AtomicStep>;

impl Lowering<'_> {
    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.diagnostics.push(error(span, message));
    }

    fn register(&mut self, name: Option<&str>, kind: Type) -> RegisterId {
        let register = Register {
            name: name.map(str::to_owned),
            width: kind.width(),
            display: kind.display(),
            may_be_address: false,
        };
        self.function.registers.push(register);
        RegisterId::new(self.function.registers.len() - 1)
    }

    fn declare(&mut self, declared: &Declared) {
        let Declared { owner, kind, name, initial } = declared;
        if self.variables.contains_key(&name.text) {
            self.error(name.span, format!("there are two variables `{}`", name.text));
            return;
        }
        let meaning = match owner {
            Owner::Shared => {
                let size = kind.width() / 8;
                let value = Expr::signed(kind.width(), (*initial).into());
                self.program.objects.push(Object {
                    name: name.text.clone(),
                    kind: ObjectKind::Global,
                    size: u64::from(size),
                    align: size,
                    initial: vec![InitialValue { offset: 0, size, value }],
                    initial_ghosts: Vec::new(),
                    shape: Shape::Scalar { size, display: kind.display() },
                    type_name: if *kind == Type::Int { "int" } else { "bool" }.to_owned(),
                    span: name.span,
                });
                let object = ObjectId::new(self.program.objects.len() - 1);
                Meaning::Shared(object, self.register(None, *kind))
            }
            Owner::Local => {
                let register = self.register(Some(&name.text), *kind);
                self.function.parameters.push(register);
                Meaning::Local(register)
            }
        };
        self.variables.insert(name.text.clone(), (*kind, meaning));
    }

    fn body(&mut self, tree: &Tree) {
        if let Some(first) = tree.body.first() {
            self.function.span = first.span;
        }
        self.block(&tree.body);
        self.labels.insert("end".to_owned(), (self.here, 0));
        let last = location(&mut self.function);
        let width = self.program.pointer_width();
        self.function.result_width = Some(width);
        let action = Action::Return { value: Some(Expr::constant(width, 0)) };
        let span = tree.body.last().map_or(Span::NOWHERE, |statement| statement.span);
        edge(&mut self.function, self.here, last, action, span);
        for (jump, name, section) in std::mem::take(&mut self.jumps) {
            match self.labels.get(&name.text).copied() {
                None => self.error(name.span, format!("there is no label `{}`", name.text)),
                Some((_, other)) if other != section => {
                    self.error(name.span, "a `goto` can neither enter nor leave an `atomic` block");
                }
                Some((target, _)) => self.function.edges[jump.index()].target = target,
            }
        }
    }

    fn block(&mut self, statements: &[Statement]) {
        for statement in statements {
            let section = self.sections.last().copied().unwrap_or_default();
            for label in &statement.labels {
                if label.text == "end" || self.labels.insert(label.text.clone(), (self.here, section)).is_some() {
                    self.error(label.span, format!("there are two labels `{}`", label.text));
                }
            }
            self.statement(statement, section);
        }
    }

    /// A step to a new location.
    fn then(&mut self, action: Action, span: Span) {
        let next = location(&mut self.function);
        edge(&mut self.function, self.here, next, action, span);
        self.here = next;
    }

    fn statement(&mut self, statement: &Statement, section: u32) {
        let span = statement.span;
        match &statement.kind {
            Kind::Skip => self.then(Action::Assume(Expr::truth()), span),
            Kind::Assign(name, value) => self.assign(name, value, span),
            Kind::Assume(condition) => {
                let action = self.passes(condition, Side::Yes);
                self.then(action, span);
            }
            Kind::Assert(condition) => self.assert(condition, span),
            Kind::Goto(targets) => {
                for target in targets {
                    let jump = edge(&mut self.function, self.here, self.here, Action::Assume(Expr::truth()), span);
                    self.jumps.push((jump, target.clone(), section));
                }
                self.here = location(&mut self.function);
            }
            Kind::If(condition, then, otherwise) => {
                let no = self.branch(condition, span);
                self.block(then);
                let join = std::mem::replace(&mut self.here, no);
                self.block(otherwise);
                edge(&mut self.function, join, self.here, Action::Assume(Expr::truth()), span);
            }
            Kind::While(condition, body) => {
                let head = self.here;
                let no = self.branch(condition, span);
                self.block(body);
                edge(&mut self.function, self.here, head, Action::Assume(Expr::truth()), span);
                self.here = no;
            }
            Kind::Atomic(body) => {
                self.last_section += 1;
                self.sections.push(self.last_section);
                self.then(Action::AtomicBegin, span);
                self.block(body);
                self.then(Action::AtomicEnd, span);
                self.sections.pop();
            }
        }
    }

    /// Goes on where the condition holds, and gives where it does not.
    fn branch(&mut self, condition: &Value, span: Span) -> LocationId {
        let no = location(&mut self.function);
        let source = self.here;
        match condition {
            Value::Any => {
                self.then(Action::Assume(Expr::truth()), span);
                edge(&mut self.function, source, no, Action::Assume(Expr::truth()), span);
            }
            Value::Of(condition) => {
                let (holds, fails) = (self.passes(condition, Side::Yes), self.passes(condition, Side::No));
                self.then(holds, condition.span);
                let other = edge(&mut self.function, source, no, fails, condition.span);
                let first = EdgeId::new(other.index() - 1);
                self.function.edges[first.index()].side = Some(Side::Yes);
                self.function.edges[other.index()].side = Some(Side::No);
            }
        }
        no
    }

    /// Passes where a condition holds, or does not.
    fn passes(&mut self, condition: &tree::Expr, side: Side) -> Action {
        let mut steps = Reads::new();
        let holds = self.expr(condition, &mut steps).is_true();
        let holds = if side == Side::Yes { holds } else { holds.not() };
        if steps.is_empty() {
            return Action::Assume(holds);
        }
        steps.push(AtomicStep::Guard(holds));
        Action::Atomic(steps)
    }

    /// What is shared is looked at in the one step that finds the condition false.
    fn assert(&mut self, condition: &tree::Expr, span: Span) {
        let check = CheckId::new(self.program.checks.len());
        let written = written(self.text, condition.span).unwrap_or("the condition").to_owned();
        self.program.checks.push(Check { description: written, function: THREAD_FUNCTION, span });
        let mut reads = Reads::new();
        let holds = self.expr(condition, &mut reads).is_true();
        if reads.is_empty() {
            self.then(Action::Assert { condition: holds, check }, span);
            return;
        }
        let passes = [self.passes(condition, Side::Yes), self.passes(condition, Side::No)];
        let [holds, fails] = passes;
        let (source, failed) = (self.here, location(&mut self.function));
        edge(&mut self.function, source, failed, fails, span);
        self.then(holds, span);
        let action = Action::Assert { condition: Expr::falsehood(), check };
        edge(&mut self.function, failed, self.here, action, span);
    }

    fn assign(&mut self, name: &Name, value: &Value, span: Span) {
        let Some((kind, meaning)) = self.variables.get(&name.text).copied() else {
            self.error(name.span, format!("there is no variable `{}`", name.text));
            return;
        };
        let mut steps = Reads::new();
        let number = match value {
            Value::Of(value) => self.expr(value, &mut steps),
            Value::Any => {
                let any = self.register(None, kind);
                // A truth value is one of two.
                let width = if kind == Type::Bool { 1 } else { INT };
                self.function.registers[any.index()].width = width;
                self.then(Action::Havoc { target: any }, span);
                Expr::register(any, width).resize_unsigned(INT)
            }
        };
        let value = kind.held(number);
        match meaning {
            Meaning::Local(target) if steps.is_empty() => {
                self.then(Action::Assign { target, value }, span);
                return;
            }
            Meaning::Local(target) => steps.push(AtomicStep::Let { target, value }),
            Meaning::Shared(object, _) => {
                steps.push(AtomicStep::Write { when: Expr::truth(), access: self.access(object, kind), value });
            }
        }
        self.then(Action::Atomic(steps), span);
    }

    fn access(&self, object: ObjectId, kind: Type) -> Access {
        let address = Expr::address(Base::Object(object), self.program.pointer_width());
        let size = kind.width() / 8;
        Access { place: Place::Memory { address, size, align: size }, atomicity: Atomicity::SEQUENTIAL }
    }

    /// A number, after some reads.
    fn expr(&mut self, expr: &tree::Expr, reads: &mut Reads) -> Expr {
        match &expr.kind {
            ExprKind::Number(number) => Expr::signed(INT, (*number).into()),
            ExprKind::Variable(name) => {
                let Some((kind, meaning)) = self.variables.get(name).copied() else {
                    self.error(expr.span, format!("there is no variable `{name}`"));
                    return Expr::constant(INT, 0);
                };
                let register = match meaning {
                    Meaning::Local(register) => register,
                    Meaning::Shared(object, register) => {
                        let read = AtomicStep::Read { target: register, access: self.access(object, kind) };
                        if !reads.contains(&read) {
                            reads.push(read);
                        }
                        register
                    }
                };
                Expr::register(register, kind.width()).resize_unsigned(INT)
            }
            ExprKind::Negate(inner) => {
                let inner = self.expr(inner, reads);
                Expr::unary(selvedge_program::UnaryOp::Negate, inner)
            }
            ExprKind::Not(inner) => truth(self.expr(inner, reads).is_true().not()),
            ExprKind::Binary(operator, left, right) => {
                let (left, right) = (self.expr(left, reads), self.expr(right, reads));
                binary(*operator, left, right)
            }
        }
    }
}

/// A truth value as a number.
fn truth(condition: Expr) -> Expr {
    Expr::convert(Conversion::ZeroExtend, INT, condition)
}

fn binary(operator: Operator, left: Expr, right: Expr) -> Expr {
    let less = |left: Expr, right: Expr| Expr::binary(BinaryOp::LessSigned, left, right);
    let condition = match operator {
        Operator::Arithmetic(operator) => return Expr::binary(operator, left, right),
        Operator::Equal => Expr::equal(left, right),
        Operator::Differ => Expr::equal(left, right).not(),
        Operator::Less => less(left, right),
        Operator::LessEqual => less(right, left).not(),
        Operator::Greater => less(right, left),
        Operator::GreaterEqual => less(left, right).not(),
        // As in C, the right side counts only where the left one does not decide: it may divide by zero elsewhere.
        Operator::And => Expr::if_then_else(left.is_true(), right.is_true(), Expr::falsehood()),
        Operator::Or => Expr::if_then_else(left.is_true(), Expr::truth(), right.is_true()),
    };
    truth(condition)
}

/// What stands in the text at a place, if it is on one line.
fn written(text: &str, span: Span) -> Option<&str> {
    let line = text.lines().nth(span.line as usize - 1)?;
    let first = span.column as usize - 1;
    line.get(first..first + span.length as usize).filter(|_| span.end.line == span.line)
}
