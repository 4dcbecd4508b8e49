//! Predicates that only count a loop up (`i == 0`, `i == 1`, `i == 2`, …; `i + 1 < n`, `i + 2 < n`, …) and what is
//! tracked instead: of the counters of a path, that they have not passed what they are compared with, how they relate
//! to each other, and what they leave when they are divided by their step.

use std::collections::{BTreeMap, BTreeSet};

use selvedge_abstraction::atoms::{Table, cells, conditions, with_cell};
use selvedge_abstraction::{PredicateId, StepKey};
use selvedge_program::{AtomicStep, BinaryOp, Bits, Expr, RegisterId, ValueFlow};
use selvedge_symbolic::{Predicate, Variable};

use crate::discover::{initially, loaded, note};
use crate::path::Leg;
use crate::space::Space;

/// So many predicates that differ in constants alone only count something up.
const MANY: usize = 3;

/// Of how many counters of a path pairs are related.
const MOST_COUNTERS: usize = 4;

/// Something that a path changes by constants.
#[derive(Clone, Debug)]
struct Counter {
    variable: Variable,
    width: u32,
    /// By how much.
    step: i128,
    /// What it is before, if that is a constant.
    begins: Option<i128>,
}

/// Replaces predicates that only count a loop of these paths up, if there is something to track instead.
pub fn replace_counting(space: &mut Space<'_, '_, '_>, paths: &[(Vec<Leg>, StepKey)], found: &mut Vec<Predicate>) {
    if found.is_empty() {
        return;
    }
    let mut families: BTreeMap<String, BTreeSet<Vec<u128>>> = BTreeMap::new();
    let known = space.tracked().iter().map(|id| space.on.predicates.get(id));
    for predicate in known.chain(found.iter()) {
        let (family, constants) = family(predicate);
        families.entry(family).or_default().insert(constants);
    }
    families.retain(|_, members| members.len() >= MANY);
    let counts = |predicate: &Predicate, counters: &BTreeSet<Variable>| {
        families.contains_key(&family(predicate).0) && predicate.variables().iter().any(|of| counters.contains(of))
    };
    let mut instead = Vec::new();
    let mut all = BTreeSet::new();
    for (legs, last) in paths {
        let counters = counters(space, legs);
        let of_path: BTreeSet<Variable> = counters.iter().map(|counter| counter.variable).collect();
        if found.iter().any(|predicate| counts(predicate, &of_path)) {
            templates(space, legs, *last, &mut instead);
        }
        all.extend(of_path);
    }
    instead.retain(|predicate| space.is_new(predicate) && !counts(predicate, &all));
    if !instead.is_empty() {
        found.retain(|predicate| !counts(predicate, &all));
        note(&instead, found);
    }
}

/// Whether some predicates only go on counting: with what is tracked, they are many that differ in constants alone.
pub fn counts_up(space: &Space<'_, '_, '_>, found: &[Predicate]) -> bool {
    let mut families: BTreeMap<String, BTreeSet<Vec<u128>>> = BTreeMap::new();
    for predicate in space.tracked().iter().map(|id| space.on.predicates.get(id)).chain(found) {
        let (family, constants) = family(predicate);
        families.entry(family).or_default().insert(constants);
    }
    found.iter().any(|predicate| families.get(&family(predicate).0).is_some_and(|members| members.len() >= MANY))
}

/// Of what is tracked, what only counts: many that differ in constants alone.
pub fn counting(space: &Space<'_, '_, '_>) -> BTreeSet<PredicateId> {
    let mut families: BTreeMap<String, BTreeSet<PredicateId>> = BTreeMap::new();
    for id in space.tracked().iter() {
        families.entry(family(space.on.predicates.get(id)).0).or_default().insert(id);
    }
    families.into_values().filter(|members| members.len() >= MANY).flatten().collect()
}

/// A predicate without its constants, and these.
fn family(predicate: &Predicate) -> (String, Vec<u128>) {
    let mut constants = Vec::new();
    let shape = without_constants(predicate.condition(), &mut constants);
    (format!("{:?} {shape:?}", predicate.variables()), constants)
}

fn without_constants(expr: &Expr, constants: &mut Vec<u128>) -> Expr {
    let mut part = |expr: &Expr| Box::new(without_constants(expr, constants));
    match expr {
        Expr::Constant(bits) => {
            constants.push(bits.unsigned());
            Expr::Constant(Bits::new(bits.width(), 0))
        }
        Expr::Register(..) | Expr::Address(..) => expr.clone(),
        Expr::Unary(op, operand) => Expr::Unary(*op, part(operand)),
        Expr::Convert(conversion, width, operand) => Expr::Convert(*conversion, *width, part(operand)),
        Expr::Binary(op, left, right) => {
            let left = part(left);
            Expr::Binary(*op, left, part(right))
        }
        Expr::IfThenElse(condition, then, otherwise) => {
            let (condition, then) = (part(condition), part(then));
            Expr::IfThenElse(condition, then, part(otherwise))
        }
    }
}

/// The counters of a path: what its steps add constants to.
fn counters(space: &mut Space<'_, '_, '_>, legs: &[Leg]) -> Vec<Counter> {
    let program = space.on.view.universe.program;
    let mut counters: Vec<Counter> = Vec::new();
    let mut begins: BTreeMap<Variable, i128> = BTreeMap::new();
    let mut loads: Vec<(Variable, Variable)> = Vec::new();
    for leg in legs {
        let step = leg.step();
        let function = step.0;
        let loaded = loaded(space, step);
        // Which cells and registers the step assigns, and what.
        let mut assigned: Vec<(Variable, &Expr)> = Vec::new();
        match program.function(function).edge(step.1).action.value_flow() {
            ValueFlow::Assign { target, value } if !matches!(leg, Leg::Other(..)) => {
                assigned.push((Variable::Register(function, target), value));
            }
            ValueFlow::Store { access, value } => {
                let cells = cells(&mut space.on.view, step, access);
                assigned.extend(cells.into_iter().map(|cell| (cell, value)));
            }
            ValueFlow::Update(steps) => {
                for update in steps {
                    if let AtomicStep::Write { access, value, .. } = update {
                        let cells = cells(&mut space.on.view, step, access);
                        assigned.extend(cells.into_iter().map(|cell| (cell, value)));
                    }
                }
            }
            ValueFlow::Assign { .. }
            | ValueFlow::Load { .. }
            | ValueFlow::Choose { .. }
            | ValueFlow::Spawn { .. }
            | ValueFlow::Allocate { .. }
            | ValueFlow::Call { .. }
            | ValueFlow::Return { .. }
            | ValueFlow::None => {}
        }
        loads.retain(|(register, _)| !assigned.iter().any(|(variable, _)| variable == register));
        loads.extend(loaded);
        for (variable, value) in assigned {
            let is_same = |register: RegisterId| {
                let register = Variable::Register(function, register);
                register == variable || loads.contains(&(register, variable))
            };
            if let Some(by) = added(value, &is_same) {
                if !counters.iter().any(|known| known.variable == variable) {
                    let begins = begins.get(&variable).copied();
                    counters.push(Counter { variable, width: value.width(), step: by, begins });
                }
            } else if let Expr::Constant(bits) = value {
                begins.entry(variable).or_insert(bits.as_signed());
            }
        }
    }
    for counter in &mut counters {
        if counter.begins.is_none()
            && let Some(initial) = initially(space, counter.variable)
            && let Expr::Binary(BinaryOp::Equal, _, value) = initial.condition()
            && let Expr::Constant(bits) = **value
        {
            counter.begins = Some(bits.as_signed());
        }
    }
    counters.truncate(MOST_COUNTERS);
    counters
}

/// The constant that a value adds to a register, of which one asks whether it is the right one.
fn added(value: &Expr, is_same: &dyn Fn(RegisterId) -> bool) -> Option<i128> {
    let Expr::Binary(op @ (BinaryOp::Add | BinaryOp::Subtract), left, right) = value else { return None };
    match (&**left, &**right) {
        (Expr::Register(register, _), Expr::Constant(bits)) if is_same(*register) => {
            let by = bits.as_signed();
            Some(if *op == BinaryOp::Add { by } else { by.checked_neg()? })
        }
        _ => None,
    }
}

/// What to track of the counters of a path.
pub fn templates(space: &mut Space<'_, '_, '_>, legs: &[Leg], last: StepKey, found: &mut Vec<Predicate>) {
    let counters = counters(space, legs);
    if counters.is_empty() {
        return;
    }
    let mut compared: Vec<Predicate> = Vec::new();
    let mut loads: Vec<(Variable, Variable)> = Vec::new();
    for step in legs.iter().map(|leg| leg.step()).chain([last]) {
        loads.extend(loaded(space, step));
        note(&conditions(&mut space.on.view, step), &mut compared);
    }
    loads.sort_unstable();
    loads.dedup();
    // What is said of registers, said of the cells that they were loaded from.
    let mut next = 0;
    while next < compared.len() && compared.len() < MOST_COMPARED {
        for (register, cell) in &loads {
            let of_cell = with_cell(&compared[next], *register, *cell);
            note(of_cell.as_slice(), &mut compared);
        }
        next += 1;
    }
    // What counters are compared with, what that is compared with, and so on.
    let mut related: BTreeSet<Variable> = counters.iter().map(|counter| counter.variable).collect();
    loop {
        let is_related = |predicate: &&Predicate| predicate.variables().iter().any(|of| related.contains(of));
        let all: BTreeSet<Variable> =
            compared.iter().filter(is_related).flat_map(|predicate| predicate.variables()).copied().collect();
        if all.is_subset(&related) {
            compared.retain(|predicate| is_related(&predicate));
            break;
        }
        related.extend(all);
    }
    compared.iter().for_each(|predicate| not_passed(predicate, found));
    counters.iter().for_each(|counter| alone(counter, found));
    for (place, one) in counters.iter().enumerate() {
        for other in counters[place + 1..].iter().filter(|other| other.width == one.width) {
            together(one, other, found);
        }
    }
}

/// How many comparisons of a path are looked at.
const MOST_COMPARED: usize = 100;

/// That a counter has not passed what it is compared with.
fn not_passed(predicate: &Predicate, found: &mut Vec<Predicate>) {
    let Expr::Binary(op, left, right) = predicate.condition() else { return };
    let less = |op, left: &Expr, right: &Expr| Expr::Binary(op, Box::new(left.clone()), Box::new(right.clone()));
    let conditions = match op {
        BinaryOp::LessUnsigned => vec![less(*op, left, right), less(*op, right, left)],
        BinaryOp::LessSigned => {
            let mut all = vec![less(*op, left, right), less(*op, right, left)];
            for side in [left, right] {
                let zero = Expr::Constant(Bits::new(side.width(), 0));
                if !matches!(**side, Expr::Constant(_)) {
                    all.push(less(*op, side, &zero));
                }
            }
            all
        }
        BinaryOp::Equal => vec![less(BinaryOp::LessUnsigned, left, right), less(BinaryOp::LessUnsigned, right, left)],
        _ => return,
    };
    let predicates = conditions.iter().map(|condition| Predicate::new(condition, predicate.variables()));
    note(&predicates.collect::<Vec<_>>(), found);
}

/// What a counter leaves when it is divided by its step.
fn alone(counter: &Counter, found: &mut Vec<Predicate>) {
    let power = counter.step.unsigned_abs() & counter.step.unsigned_abs().wrapping_neg();
    let (Some(begins), true) = (counter.begins, power > 1) else { return };
    let mut table = Table(Vec::new());
    let value = table.variable(counter.variable, counter.width);
    let rest = Expr::binary(BinaryOp::And, value, Expr::constant(counter.width, power - 1));
    let is = Expr::equal(rest, Expr::constant(counter.width, begins as u128 & (power - 1)));
    note(&[Predicate::new(&is, &table.0)], found);
}

/// How two counters relate: what both gain is in proportion.
fn together(one: &Counter, other: &Counter, found: &mut Vec<Predicate>) {
    let width = one.width;
    let mut table = Table(Vec::new());
    let (left, right) = (table.variable(one.variable, width), table.variable(other.variable, width));
    let (gain, other_gain) = (one.step.unsigned_abs(), other.step.unsigned_abs());
    let common = greatest_common_divisor(gain, other_gain).max(1);
    let (gain, other_gain) = ((gain / common) as i128, (other_gain / common) as i128);
    let times = |expr: Expr, by: i128| Expr::binary(BinaryOp::Multiply, expr, Expr::signed(width, by));
    let (left, right) = (times(left, other_gain), times(right, gain));
    let begins = other_gain.wrapping_mul(one.begins.unwrap_or(0));
    let other_begins = gain.wrapping_mul(other.begins.unwrap_or(0));
    let plus = |left: Expr, right: Expr| Expr::binary(BinaryOp::Add, left, right);
    // One of them may have made its step and the other one not yet.
    let ahead = other_gain.wrapping_mul(one.step.abs());
    for ahead in [0, ahead, ahead.wrapping_neg()] {
        let (left, right) = if one.step.signum() == other.step.signum() {
            let apart = begins.wrapping_sub(other_begins).wrapping_add(ahead);
            (left.clone(), plus(right.clone(), Expr::signed(width, apart)))
        } else {
            let sum = begins.wrapping_add(other_begins).wrapping_add(ahead);
            (plus(left.clone(), right.clone()), Expr::signed(width, sum))
        };
        note(&[Predicate::new(&Expr::equal(left, right), &table.0)], found);
    }
}

fn greatest_common_divisor(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}
