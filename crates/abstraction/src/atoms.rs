//! What the text of a step suggests to track: the comparisons of its conditions, and that a register or cell equals
//! what is assigned to it.

use selvedge_program::{
    Access, Action, AtomicStep, Base, BinaryOp, Expr, FunctionId, Place, Program, RegisterId, UnaryOp, ValueFlow,
};
use selvedge_symbolic::threads::{ArcKind, View, Who};
use selvedge_symbolic::{CellKey, Predicate, Root, Variable};

use crate::predicates::StepKey;

/// Expressions over variables: registers are positions in a growing table.
#[derive(Debug)]
pub struct Table(pub Vec<Variable>);

impl Table {
    pub fn variable(&mut self, variable: Variable, width: u32) -> Expr {
        let place = self.0.iter().position(|known| *known == variable).unwrap_or_else(|| {
            self.0.push(variable);
            self.0.len() - 1
        });
        Expr::Register(RegisterId::new(place), width)
    }

    /// An expression of a function.
    pub fn of(&mut self, function: FunctionId, expr: &Expr) -> Expr {
        expr.substitute(&mut |register, width| self.variable(Variable::Register(function, register), width))
    }
}

/// How many cells an access through a pointer may mean for them all to be spoken of.
const MOST_CELLS: usize = 4;

/// The cells that an access of a step may mean.
pub fn cells(view: &mut View<'_>, (function, edge, kind): StepKey, access: &Access) -> Vec<Variable> {
    let (address, size, field) = match &access.place {
        Place::Memory { address, size, .. } => (address, *size, None),
        Place::Ghost { address, field } => (address, 0, Some(*field)),
    };
    if let Some((object, offset)) = constant(function, address) {
        return vec![match field {
            Some(field) => Variable::Ghost { object, offset, field },
            None => Variable::Cell { object, offset, size },
        }];
    }
    let moved = view.moved(Who::Own, function, edge, kind);
    let mut meant: Vec<CellKey> = moved.touched.iter().map(|touched| touched.cell).collect();
    meant.sort_unstable();
    meant.dedup();
    meant.retain(|key| match (key, field) {
        (CellKey::Bytes { size: other, .. }, None) => *other == size,
        (CellKey::Ghost { field: other, .. }, Some(field)) => *other == field,
        _ => false,
    });
    meant.truncate(MOST_CELLS);
    meant.into_iter().filter_map(|key| view.variable(key)).collect()
}

/// The object and offset of an address that does not depend on registers.
fn constant(function: FunctionId, address: &Expr) -> Option<(Root, u64)> {
    let object = |base: &Base| match base {
        Base::Object(object) => Some(Root::Static(*object)),
        Base::Frame(slot) => Some(Root::Local(function, *slot)),
        Base::Function(_) | Base::SelfThread => None,
    };
    match address {
        Expr::Address(base, _) => Some((object(base)?, 0)),
        Expr::Binary(BinaryOp::Add, base, offset) => match (&**base, &**offset) {
            (Expr::Address(base, _), Expr::Constant(offset)) => Some((object(base)?, offset.unsigned() as u64)),
            _ => None,
        },
        _ => None,
    }
}

/// The width of a register.
pub fn width_of(program: &Program, function: FunctionId, register: RegisterId) -> u32 {
    program.function(function).register(register).width
}

/// The comparisons that decide whether and how a step is taken, before it.
pub fn conditions(view: &mut View<'_>, step: StepKey) -> Vec<Predicate> {
    let (function, edge, _) = step;
    let program = view.universe.program;
    let mut table = Table(Vec::new());
    let mut found = Vec::new();
    let action = &program.function(function).edge(edge).action;
    if let Some(condition) = action.condition() {
        comparisons(&table.of(function, condition), &mut found);
    }
    of_update(view, step, action.steps(), &mut table, &mut found, &mut Vec::new());
    found.into_iter().map(|condition| Predicate::new(&condition, &table.0)).collect()
}

/// The predicates that a step suggests.
pub fn of_step(view: &mut View<'_>, step: StepKey) -> Vec<Predicate> {
    let program = view.universe.program;
    let (function, edge, kind) = step;
    let mut table = Table(Vec::new());
    let mut found = Vec::new();
    let action = &program.function(function).edge(edge).action;
    if let Some(condition) = action.condition() {
        comparisons(&table.of(function, condition), &mut found);
    }
    match action.value_flow() {
        ValueFlow::Assign { target, value } => {
            let value = table.of(function, value);
            let target = table.variable(Variable::Register(function, target), value.width());
            equation(target, value, &mut found);
        }
        ValueFlow::Load { target, access } => {
            for cell in cells(view, step, access) {
                let width = width_of(program, function, target);
                let (cell, target) =
                    (table.variable(cell, width), table.variable(Variable::Register(function, target), width));
                equation(target, cell, &mut found);
            }
        }
        ValueFlow::Store { access, value } => {
            for cell in cells(view, step, access) {
                let value = table.of(function, value);
                let cell = table.variable(cell, value.width());
                equation(cell, value, &mut found);
            }
        }
        ValueFlow::Update(steps) => {
            let mut equations = Vec::new();
            of_update(view, step, steps, &mut table, &mut found, &mut equations);
            found.extend(equations);
        }
        ValueFlow::Call { arguments, .. } => {
            if let ArcKind::Call(called) = kind {
                for (parameter, argument) in program.function(called).parameters.iter().zip(arguments) {
                    let argument = table.of(function, argument);
                    let parameter = table.variable(Variable::Register(called, *parameter), argument.width());
                    equation(parameter, argument, &mut found);
                }
            }
        }
        ValueFlow::Spawn { arguments, .. } => {
            if let ArcKind::Spawn(started) = kind {
                for (parameter, argument) in program.function(started).parameters.iter().zip(arguments) {
                    if let Expr::Constant(_) | Expr::Address(..) = argument {
                        let parameter = table.variable(Variable::Register(started, *parameter), argument.width());
                        equation(parameter, argument.clone(), &mut found);
                    }
                }
            }
        }
        ValueFlow::Return { value } => {
            if let ArcKind::Return(caller, call) = kind
                && let Action::Call { target: Some(target), .. } = &program.function(caller).edge(call).action
            {
                // The registers of the function that returns are gone; what is left is what the result is made of.
                if let Expr::Constant(_) | Expr::Address(..) = value {
                    let target = table.variable(Variable::Register(caller, *target), value.width());
                    equation(target, value.clone(), &mut found);
                }
            }
        }
        ValueFlow::Choose { .. } | ValueFlow::Allocate { .. } | ValueFlow::None => {}
    }
    found.into_iter().map(|condition| Predicate::new(&condition, &table.0)).collect()
}

/// The conditions of an atomic update, and what its registers and cells equal afterwards. Its steps see what those
/// before them have read.
fn of_update(
    view: &mut View<'_>,
    key: StepKey,
    steps: &[AtomicStep],
    table: &mut Table,
    found: &mut Vec<Expr>,
    equations: &mut Vec<Expr>,
) {
    let (program, function) = (view.universe.program, key.0);
    let mut read: Vec<(RegisterId, Expr)> = Vec::new();
    let seen = |table: &mut Table, read: &[(RegisterId, Expr)], expr: &Expr| {
        expr.substitute(&mut |register, width| {
            let known = read.iter().rev().find(|(known, _)| *known == register);
            match known {
                Some((_, value)) => value.clone(),
                None => table.variable(Variable::Register(function, register), width),
            }
        })
    };
    for step in steps {
        match step {
            AtomicStep::Read { target, access } => {
                for cell in cells(view, key, access) {
                    let width = width_of(program, function, *target);
                    let cell = table.variable(cell, width);
                    let register = table.variable(Variable::Register(function, *target), width);
                    equation(register, cell.clone(), equations);
                    read.push((*target, cell));
                }
            }
            AtomicStep::Let { target, value } => {
                let value = seen(table, &read, value);
                read.push((*target, value));
            }
            AtomicStep::Guard(condition) | AtomicStep::Require(condition, _) => {
                let condition = seen(table, &read, condition);
                comparisons(&condition, found);
            }
            AtomicStep::Write { when, access, value } => {
                let when = seen(table, &read, when);
                comparisons(&when, found);
                for cell in cells(view, key, access) {
                    let value = seen(table, &read, value);
                    let cell = table.variable(cell, value.width());
                    equation(cell, value, equations);
                }
            }
            AtomicStep::Spurious
            | AtomicStep::Mark { .. }
            | AtomicStep::PickThread { .. }
            | AtomicStep::WriteThreads { .. } => {}
        }
    }
}

/// That two things are equal, unless one is made of the other.
fn equation(variable: Expr, value: Expr, found: &mut Vec<Expr>) {
    let Expr::Register(register, width) = variable else { return };
    if width != value.width() || value.mentions(&[register]) {
        return;
    }
    if width == 1 {
        comparisons(&value, found);
    }
    found.push(Expr::Binary(BinaryOp::Equal, Box::new(Expr::Register(register, width)), Box::new(value)));
}

/// The comparisons that a condition is made of.
pub fn comparisons(condition: &Expr, found: &mut Vec<Expr>) {
    debug_assert_eq!(condition.width(), 1);
    match condition {
        Expr::Constant(_) => {}
        Expr::Binary(BinaryOp::And | BinaryOp::Or | BinaryOp::Xor, left, right) => {
            comparisons(left, found);
            comparisons(right, found);
        }
        Expr::Binary(BinaryOp::Equal, left, right) if left.width() == 1 => {
            comparisons(left, found);
            comparisons(right, found);
        }
        Expr::Unary(UnaryOp::Not, operand) => comparisons(operand, found),
        Expr::IfThenElse(condition, then, otherwise) => {
            for part in [condition, then, otherwise] {
                comparisons(part, found);
            }
        }
        _ => {
            if !found.contains(condition) {
                found.push(condition.clone());
            }
        }
    }
}

/// A predicate in which a cell stands for a register that was loaded from it.
pub fn with_cell(predicate: &Predicate, register: Variable, cell: Variable) -> Option<Predicate> {
    let place = predicate.variables().iter().position(|variable| *variable == register)?;
    if predicate.variables().contains(&cell) {
        return None;
    }
    let mut table = predicate.variables().to_vec();
    table[place] = cell;
    Some(Predicate::new(predicate.condition(), &table))
}
