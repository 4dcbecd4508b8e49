//! Weakest preconditions along a path, as predicates: what a condition at the end of a step says of the state before
//! it. A condition that a step makes of a choice is taken apart into what decides the choice and what it chooses
//! between.

use selvedge_program::{Action, AtomicStep, BinaryOp, Expr, Operation, RegisterId, Transfer, ValueFlow};
use selvedge_symbolic::effect::Counted;
use selvedge_symbolic::threads::{ArcKind, Slot, View};
use selvedge_symbolic::{Predicate, Variable};

use crate::atoms::{Table, cells, comparisons, width_of};
use crate::predicates::StepKey;

/// Conditions with more parts than this are given up.
const LARGEST: usize = 48;

/// A step of a path, by whom it is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taken {
    /// By the thread that the path is about, or by one that will start it.
    Own(StepKey),
    /// By another thread.
    Other(StepKey),
    /// It starts the thread that the path goes on with.
    Starts(StepKey),
}

impl Taken {
    pub fn step(self) -> StepKey {
        match self {
            Taken::Own(step) | Taken::Other(step) | Taken::Starts(step) => step,
        }
    }
}

/// What a step makes of variables: each is the expression afterwards, over the variables before.
#[derive(Default)]
struct Assigned {
    table: Vec<Variable>,
    values: Vec<(Variable, Expr)>,
    /// Of these nothing is known afterwards.
    lost: Vec<Variable>,
}

/// Where the predicates that come out hold: in the thread itself, or in the other one whose step it was.
#[derive(Clone, Debug)]
pub enum Before {
    Own(Predicate),
    Other(Predicate),
}

/// What decides, before a leg, whether a predicate holds after it.
pub fn before(view: &mut View<'_>, leg: Taken, predicate: &Predicate) -> Vec<Before> {
    if let Some(count) = count(predicate) {
        let before = match counted(view, leg) {
            None => Some(count),
            Some(Counted::Started) => count.checked_sub(1),
            Some(Counted::Joined) => count.checked_add(1),
        };
        let width = view.universe.program.pointer_width();
        return before.map(|before| Before::Own(unjoined(width, before))).into_iter().collect();
    }
    let assigned = assigned(view, leg);
    let is_changed = |variable: &Variable| {
        assigned.values.iter().any(|(changed, _)| changed == variable) || assigned.lost.contains(variable)
    };
    if !predicate.variables().iter().any(is_changed) {
        let keeps = !matches!(leg, Taken::Starts(_)) || !predicate.condition().mentions_self();
        return if keeps { vec![Before::Own(predicate.clone())] } else { Vec::new() };
    }
    if predicate.variables().iter().any(|variable| assigned.lost.contains(variable)) {
        return Vec::new();
    }
    let mut table = Table(assigned.table);
    let variables = predicate.variables();
    let mut is_own = |variable: &Variable| matches!(view.slot(*variable), Some(Slot::Own(_)));
    let mut was_own = predicate.condition().mentions_self();
    let mut is_others = false;
    let condition = predicate.condition().substitute(&mut |register, width| {
        let variable = variables[register.index()];
        match assigned.values.iter().find(|(changed, _)| *changed == variable) {
            Some((_, value)) if value.width() == width => {
                is_others |= matches!(leg, Taken::Other(_));
                value.clone()
            }
            Some(_) => {
                was_own = true;
                is_others = true;
                Expr::constant(width, 0)
            }
            None => {
                was_own |= is_own(&variable);
                table.variable(variable, width)
            }
        }
    });
    let condition = condition.simplified();
    if size(&condition) > LARGEST {
        return Vec::new();
    }
    let mut found = Vec::new();
    split(&condition, &mut found);
    let predicates = found.into_iter().map(|condition| Predicate::new(&condition, &table.0));
    let mut befores = Vec::new();
    for predicate in predicates.filter(|predicate| !predicate.variables().is_empty()) {
        let is_theirs =
            is_others && (predicate.variables().iter().any(&mut is_own) || predicate.condition().mentions_self());
        match (is_theirs, was_own) {
            (false, _) => befores.push(Before::Own(predicate)),
            (true, false) => befores.push(Before::Other(predicate)),
            // It speaks of both threads.
            (true, true) => {}
        }
    }
    befores
}

/// What decides, before a step of another thread, whether a predicate of this one holds after it, with registers of the
/// other one spoken of as cells that they equal there: so that what would speak of both threads speaks of one.
pub fn before_other(
    view: &mut View<'_>,
    step: StepKey,
    predicate: &Predicate,
    equal: &[(Variable, Variable)],
) -> Vec<Predicate> {
    let assigned = assigned(view, Taken::Other(step));
    let variables = predicate.variables();
    let is_changed = variables.iter().any(|variable| assigned.values.iter().any(|(changed, _)| changed == variable));
    if !is_changed || variables.iter().any(|variable| assigned.lost.contains(variable)) {
        return Vec::new();
    }
    let mut table = Table(Vec::new());
    let mut is_others = false;
    let condition = predicate.condition().substitute(&mut |register, width| {
        let variable = variables[register.index()];
        match assigned.values.iter().find(|(changed, _)| *changed == variable) {
            Some((_, value)) if value.width() == width => {
                is_others |= value.mentions_self();
                value.substitute(&mut |register, width| {
                    let used = assigned.table[register.index()];
                    let used = equal.iter().find(|(own, _)| *own == used).map_or(used, |(_, cell)| *cell);
                    is_others |= matches!(view.slot(used), Some(Slot::Own(_)));
                    table.variable(used, width)
                })
            }
            Some(_) => {
                is_others = true;
                Expr::constant(width, 0)
            }
            None => table.variable(variable, width),
        }
    });
    let condition = condition.simplified();
    if is_others || size(&condition) > LARGEST {
        return Vec::new();
    }
    let mut found = Vec::new();
    split(&condition, &mut found);
    let predicates = found.into_iter().map(|condition| Predicate::new(&condition, &table.0));
    predicates.filter(|predicate| !predicate.variables().is_empty()).collect()
}

/// What predicates that are to hold together after a step of their thread say before it, if the step makes a variable
/// any value: with what one of them says that the variable equals, in all others.
pub fn without_chosen(view: &mut View<'_>, step: StepKey, predicates: &[Predicate]) -> Vec<Predicate> {
    let lost = assigned(view, Taken::Own(step)).lost;
    let mut table = Table(Vec::new());
    let mut found = Vec::new();
    for chosen in lost {
        let about: Vec<&Predicate> = predicates.iter().filter(|known| known.variables().contains(&chosen)).collect();
        let mut conditions = Vec::new();
        for predicate in about {
            let variables = predicate.variables();
            let of_table = &mut |register: RegisterId, width| table.variable(variables[register.index()], width);
            conditions.push(predicate.condition().substitute(of_table));
        }
        let Some(place) = table.0.iter().position(|variable| *variable == chosen) else { continue };
        let place = RegisterId::new(place);
        for (number, condition) in conditions.iter().enumerate() {
            let Some(value) = value_of(condition, place) else { continue };
            for (_, other) in conditions.iter().enumerate().filter(|(other, _)| *other != number) {
                let put_in = &mut |register, width| {
                    if register == place { value.clone() } else { Expr::Register(register, width) }
                };
                let condition = other.substitute(put_in).simplified();
                if size(&condition) <= LARGEST {
                    split(&condition, &mut found);
                }
            }
        }
    }
    let predicates = found.into_iter().map(|condition| Predicate::new(&condition, &table.0));
    predicates.filter(|predicate| !predicate.variables().is_empty()).collect()
}

/// What a condition says that a variable equals.
fn value_of(condition: &Expr, variable: RegisterId) -> Option<Expr> {
    let Expr::Binary(BinaryOp::Equal, left, right) = condition else { return None };
    let is_it = |side: &Expr| matches!(side, Expr::Register(register, _) if *register == variable);
    match (is_it(left), is_it(right)) {
        (true, false) if !right.mentions(&[variable]) => Some((**right).clone()),
        (false, true) if !left.mentions(&[variable]) => Some((**left).clone()),
        _ => None,
    }
}

/// That so many threads have been started and not joined.
pub fn unjoined(width: u32, count: u128) -> Predicate {
    let condition = Expr::binary(BinaryOp::Equal, Expr::register(RegisterId(0), width), Expr::constant(width, count));
    Predicate::new(&condition, &[Variable::Unjoined])
}

/// The number of which a predicate says that.
fn count(predicate: &Predicate) -> Option<u128> {
    match (predicate.variables(), predicate.condition()) {
        ([Variable::Unjoined], Expr::Binary(BinaryOp::Equal, left, right)) => match (&**left, &**right) {
            (Expr::Register(..), Expr::Constant(count)) => Some(count.unsigned()),
            _ => None,
        },
        _ => None,
    }
}

/// Whether a leg starts or joins a thread.
pub fn counted(view: &View<'_>, leg: Taken) -> Option<Counted> {
    let (function, edge, _) = leg.step();
    let action = &view.universe.program.function(function).edge(edge).action;
    let is_join = |step: &AtomicStep| matches!(step, AtomicStep::Mark { operation: Operation::Join, .. });
    if action.steps().iter().any(is_join) {
        return Some(Counted::Joined);
    }
    matches!(action.transfer(), Transfer::Spawn { .. }).then_some(Counted::Started)
}

fn size(expr: &Expr) -> usize {
    match expr {
        Expr::Constant(_) | Expr::Register(..) | Expr::Address(..) => 1,
        Expr::Unary(_, operand) | Expr::Convert(_, _, operand) => 1 + size(operand),
        Expr::Binary(_, left, right) => 1 + size(left) + size(right),
        Expr::IfThenElse(condition, then, otherwise) => 1 + size(condition) + size(then) + size(otherwise),
    }
}

/// The comparisons of a condition, with choices inside them taken apart.
fn split(condition: &Expr, found: &mut Vec<Expr>) {
    let mut pending = vec![condition.clone()];
    let mut steps = 0;
    while let Some(condition) = pending.pop() {
        steps += 1;
        match choice(&condition) {
            Some((which, then, otherwise)) if steps < LARGEST => pending.extend([which, then, otherwise]),
            _ => comparisons(&condition, found),
        }
    }
}

/// The first choice inside a comparison, drawn out of it.
fn choice(condition: &Expr) -> Option<(Expr, Expr, Expr)> {
    let Expr::Binary(op, left, right) = condition else { return None };
    if !matches!(op, BinaryOp::Equal | BinaryOp::LessSigned | BinaryOp::LessUnsigned) {
        return None;
    }
    let with = |left: Expr, right: Expr| Expr::binary(*op, left, right).simplified();
    match (&**left, &**right) {
        (Expr::IfThenElse(which, a, b), other) => {
            Some(((**which).clone(), with((**a).clone(), other.clone()), with((**b).clone(), other.clone())))
        }
        (other, Expr::IfThenElse(which, a, b)) => {
            Some(((**which).clone(), with(other.clone(), (**a).clone()), with(other.clone(), (**b).clone())))
        }
        _ => None,
    }
}

/// What a leg assigns.
fn assigned(view: &mut View<'_>, leg: Taken) -> Assigned {
    let step = leg.step();
    let (function, edge, kind) = step;
    let program = view.universe.program;
    let mut table = Table(Vec::new());
    let (mut values, mut lost) = (Vec::new(), Vec::new());
    let is_other = matches!(leg, Taken::Other(_));
    let register = |register: RegisterId| Variable::Register(function, register);
    match program.function(function).edge(edge).action.value_flow() {
        ValueFlow::Assign { target, value } if !is_other => values.push((register(target), table.of(function, value))),
        ValueFlow::Load { target, access } if !is_other => match cells(view, step, access).as_slice() {
            [cell] => {
                let width = width_of(program, function, target);
                values.push((register(target), table.variable(*cell, width)));
            }
            _ => lost.push(register(target)),
        },
        ValueFlow::Choose { target } if !is_other => lost.push(register(target)),
        ValueFlow::Store { access, value } => {
            let value = table.of(function, value);
            match cells(view, step, access).as_slice() {
                [cell] => values.push((*cell, value)),
                several => lost.extend(several),
            }
        }
        ValueFlow::Update(steps) => update(view, leg, steps, &mut table, &mut values, &mut lost),
        ValueFlow::Call { arguments, .. } if !is_other => {
            if let ArcKind::Call(called) = kind {
                let parameters = program.function(called).parameters.iter();
                for (parameter, argument) in parameters.zip(arguments) {
                    values.push((Variable::Register(called, *parameter), table.of(function, argument)));
                }
            }
        }
        ValueFlow::Spawn { target, arguments } => match (leg, kind) {
            (Taken::Starts(_), ArcKind::Spawn(started)) => {
                let parameters = program.function(started).parameters.iter();
                for (parameter, argument) in parameters.zip(arguments) {
                    values.push((Variable::Register(started, *parameter), table.of(function, argument)));
                }
            }
            (Taken::Own(_), _) => lost.push(register(target)),
            _ => {}
        },
        ValueFlow::Return { value } if !is_other => {
            if let ArcKind::Return(caller, call) = kind
                && let Action::Call { target: Some(target), .. } = &program.function(caller).edge(call).action
            {
                values.push((Variable::Register(caller, *target), table.of(function, value)));
            }
        }
        ValueFlow::Assign { .. }
        | ValueFlow::Load { .. }
        | ValueFlow::Choose { .. }
        | ValueFlow::Call { .. }
        | ValueFlow::Return { .. }
        | ValueFlow::Allocate { .. }
        | ValueFlow::None => {}
    }
    let forgotten = match kind {
        ArcKind::Call(called) if !is_other => view.universe.forgotten(function, edge, called),
        ArcKind::Return(caller, call) if !is_other => view.universe.forgotten(caller, call, function),
        ArcKind::Call(_) | ArcKind::Return(..) | ArcKind::Step | ArcKind::Spawn(_) | ArcKind::End => Vec::new(),
    };
    let forgotten = forgotten.into_iter().map(|(function, register)| Variable::Register(function, register));
    lost.extend(forgotten.filter(|variable| !values.iter().any(|(assigned, _)| assigned == variable)));
    if is_other {
        let mut is_shared = |variable: &Variable| matches!(view.slot(*variable), Some(Slot::Shared(_)));
        values.retain(|(variable, _)| is_shared(variable));
        lost.retain(&mut is_shared);
    }
    Assigned { table: table.0, values, lost }
}

/// What an atomic update makes of the registers and cells that it assigns, one step after the other.
fn update(
    view: &mut View<'_>,
    leg: Taken,
    steps: &[AtomicStep],
    table: &mut Table,
    values: &mut Vec<(Variable, Expr)>,
    lost: &mut Vec<Variable>,
) {
    let key = leg.step();
    let (program, function) = (view.universe.program, key.0);
    let put = |values: &mut Vec<(Variable, Expr)>, variable: Variable, value: Expr| {
        values.retain(|(known, _)| *known != variable);
        values.push((variable, value));
    };
    let now = |table: &mut Table, values: &[(Variable, Expr)], expr: &Expr| {
        expr.substitute(&mut |register, width| {
            let variable = Variable::Register(function, register);
            let known = values.iter().find(|(known, _)| *known == variable).map(|(_, value)| value.clone());
            known.unwrap_or_else(|| table.variable(variable, width))
        })
    };
    for step in steps {
        match step {
            AtomicStep::Read { target, access } => {
                let variable = Variable::Register(function, *target);
                match cells(view, key, access).as_slice() {
                    [cell] => {
                        let width = width_of(program, function, *target);
                        let known = values.iter().find(|(known, _)| known == cell).map(|(_, value)| value.clone());
                        let value = known.unwrap_or_else(|| table.variable(*cell, width));
                        put(values, variable, value);
                    }
                    _ => lost.push(variable),
                }
            }
            AtomicStep::Let { target, value } => {
                let value = now(table, values, value);
                put(values, Variable::Register(function, *target), value);
            }
            AtomicStep::Write { when, access, value } => {
                let (when, value) = (now(table, values, when), now(table, values, value));
                match cells(view, key, access).as_slice() {
                    [cell] => {
                        let known = values.iter().find(|(known, _)| known == cell).map(|(_, value)| value.clone());
                        let before = known.unwrap_or_else(|| table.variable(*cell, value.width()));
                        put(values, *cell, Expr::if_then_else(when, value, before).simplified());
                    }
                    several => lost.extend(several),
                }
            }
            AtomicStep::Guard(_)
            | AtomicStep::Require(..)
            | AtomicStep::Spurious
            | AtomicStep::Mark { .. }
            | AtomicStep::PickThread { .. }
            | AtomicStep::WriteThreads { .. } => {}
        }
    }
}
