//! Where threads of a template are told apart: by the order of what they were started with or of their handles, or by
//! memory that they reach through it (an array with an element for each). Such a thread is not one of many equal ones,
//! and predicates without the numbers of threads say little about it. No proof depends on what is found here; it tells
//! people why there is none.

use std::collections::BTreeSet;

use selvedge_program::{
    Action, AtomicStep, Base, BinaryOp, EdgeId, Expr, FrameObjectId, FunctionId, Program, RegisterId, Span, ValueFlow,
};
use selvedge_symbolic::threads::{ArcKind, Universe};

/// How threads are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Apart {
    /// By order.
    Ordered,
    /// By the memory that they touch.
    Indexed,
}

impl Apart {
    /// In words.
    pub fn text(self) -> &'static str {
        match self {
            Apart::Ordered => "threads are told apart by order here, so they are not equal",
            Apart::Indexed => "threads are told apart by the memory that they touch here, so they are not equal",
        }
    }
}

/// What depends on which thread it is.
#[derive(Debug, Default)]
struct Dependent {
    registers: BTreeSet<(FunctionId, RegisterId)>,
    locals: BTreeSet<(FunctionId, FrameObjectId)>,
}

/// Where threads are told apart, in the order of templates and their steps.
pub fn told_apart(universe: &Universe<'_>) -> Vec<(Span, Apart)> {
    let program = universe.program;
    let mut steps: Vec<(FunctionId, EdgeId, ArcKind)> = Vec::new();
    for (_, unfolded) in &universe.templates {
        let of_template = unfolded.arcs.iter().map(|arc| (unfolded.get(arc.source).function, arc.edge, arc.kind));
        steps.extend(of_template);
    }
    let mut dependent = Dependent::default();
    dependent.arguments(program, &steps);
    loop {
        let known = (dependent.registers.len(), dependent.locals.len());
        for (function, edge, kind) in &steps {
            dependent.flow(program, *function, &program.function(*function).edge(*edge).action, *kind);
        }
        if (dependent.registers.len(), dependent.locals.len()) == known {
            break;
        }
    }
    let mut found = Vec::new();
    for (function, edge, _) in steps {
        let edge = program.function(function).edge(edge);
        let mut is_ordered = false;
        edge.action.for_each_expression(&mut |expr| is_ordered |= dependent.orders(function, expr));
        // What the library keeps at a thread itself is every thread's own.
        let is_reached = |address: &Expr| !matches!(address, Expr::Address(..)) && dependent.has(function, address);
        let is_indexed = edge.action.touches().iter().any(|touch| is_reached(touch.address));
        found.extend(is_ordered.then_some((edge.span, Apart::Ordered)));
        found.extend(is_indexed.then_some((edge.span, Apart::Indexed)));
    }
    let mut seen = BTreeSet::new();
    found.retain(|(span, apart)| seen.insert((*span, *apart)));
    found
}

impl Dependent {
    /// What threads of one template are started with, unless it is one constant for all.
    fn arguments(&mut self, program: &Program, steps: &[(FunctionId, EdgeId, ArcKind)]) {
        let mut given: Vec<(FunctionId, usize, &Expr)> = Vec::new();
        for (function, edge, kind) in steps {
            let flow = program.function(*function).edge(*edge).action.value_flow();
            if let (ArcKind::Spawn(entry), ValueFlow::Spawn { arguments, .. }) = (kind, flow) {
                given.extend(arguments.iter().enumerate().map(|(place, argument)| (*entry, place, argument)));
            }
        }
        for (entry, place, argument) in &given {
            let is_constant = matches!(argument, Expr::Constant(_) | Expr::Address(..));
            let is_same = given.iter().all(|(other, at, value)| (other, at) != (entry, place) || value == argument);
            if let Some(parameter) = program.function(*entry).parameters.get(*place)
                && !(is_constant && is_same)
            {
                self.registers.insert((*entry, *parameter));
            }
        }
    }

    /// Whether a value depends on which thread it is.
    fn has(&self, function: FunctionId, expr: &Expr) -> bool {
        match expr {
            Expr::Constant(_) => false,
            Expr::Register(register, _) => self.registers.contains(&(function, *register)),
            Expr::Address(base, _) => *base == Base::SelfThread,
            Expr::Unary(_, operand) | Expr::Convert(_, _, operand) => self.has(function, operand),
            Expr::Binary(_, left, right) => self.has(function, left) || self.has(function, right),
            Expr::IfThenElse(condition, then, otherwise) => {
                [condition, then, otherwise].iter().any(|part| self.has(function, part))
            }
        }
    }

    /// Whether an expression compares by order what depends on which thread it is.
    fn orders(&self, function: FunctionId, expr: &Expr) -> bool {
        match expr {
            Expr::Constant(_) | Expr::Register(..) | Expr::Address(..) => false,
            Expr::Unary(_, operand) | Expr::Convert(_, _, operand) => self.orders(function, operand),
            Expr::Binary(op, left, right) => {
                let is_order = matches!(op, BinaryOp::LessSigned | BinaryOp::LessUnsigned);
                (is_order && (self.has(function, left) || self.has(function, right)))
                    || self.orders(function, left)
                    || self.orders(function, right)
            }
            Expr::IfThenElse(condition, then, otherwise) => {
                [condition, then, otherwise].iter().any(|part| self.orders(function, part))
            }
        }
    }

    /// What a step makes dependent.
    fn flow(&mut self, program: &Program, function: FunctionId, action: &Action, kind: ArcKind) {
        match action.value_flow() {
            ValueFlow::Assign { target, value } => self.assign((function, value), (function, target)),
            ValueFlow::Update(steps) => {
                for step in steps {
                    if let AtomicStep::Let { target, value } = step {
                        self.assign((function, value), (function, *target));
                    }
                }
            }
            ValueFlow::Store { access, value } => {
                if let Expr::Address(Base::Frame(slot), _) = access.place.address()
                    && self.has(function, value)
                {
                    self.locals.insert((function, *slot));
                }
            }
            ValueFlow::Load { target, access } => {
                if let Expr::Address(Base::Frame(slot), _) = access.place.address()
                    && self.locals.contains(&(function, *slot))
                {
                    self.registers.insert((function, target));
                }
            }
            ValueFlow::Call { arguments, .. } => {
                if let ArcKind::Call(called) = kind {
                    for (parameter, argument) in program.function(called).parameters.iter().zip(arguments) {
                        self.assign((function, argument), (called, *parameter));
                    }
                }
            }
            ValueFlow::Return { value } => {
                if let ArcKind::Return(caller, call) = kind
                    && let ValueFlow::Call { target: Some(target), .. } =
                        program.function(caller).edge(call).action.value_flow()
                {
                    self.assign((function, value), (caller, target));
                }
            }
            ValueFlow::Spawn { .. } | ValueFlow::Choose { .. } | ValueFlow::Allocate { .. } | ValueFlow::None => {}
        }
    }

    fn assign(&mut self, (function, value): (FunctionId, &Expr), target: (FunctionId, RegisterId)) {
        if self.has(function, value) {
            self.registers.insert(target);
        }
    }
}
