//! From an alarm to predicates: the paths of the threads that meet there are followed with values. If they contradict themselves, the steps
//! that the contradiction needs, and those that its values come from, say what should have been tracked.

use std::collections::BTreeSet;

use selvedge_logic::Term;
use selvedge_program::{AccessKind, BinaryOp, Bits, Expr, RegisterId, RegisterUse};
use selvedge_symbolic::threads::{Local, Slot, Who};
use selvedge_symbolic::{CellKey, Predicate, Variable};

use crate::atoms::{cells, of_step, with_cell};
use crate::path::{Leg, Named, Values, to};
use crate::predicates::StepKey;
use crate::prover::Stop;
use crate::space::{Alarm, Problem, Space, StateId};

/// How many predicates one path suggests.
const MOST_ATOMS: usize = 200;

/// What came of following an alarm.
#[derive(Debug)]
pub enum Followed {
    /// Track these.
    Track(Vec<Predicate>),
    /// It can happen, as far as each thread by itself and what was found of the others says.
    CanHappen,
}

/// A path with values: its legs, and for each the condition of taking it.
struct Followable {
    /// Whether it begins with the program.
    is_whole: bool,
    legs: Vec<Leg>,
    conditions: Vec<Term>,
    values: Values,
    /// What is known where it begins.
    known: Vec<Term>,
}

/// The last legs to a state.
fn follow(space: &mut Space<'_, '_, '_>, state: StateId, most: usize) -> Result<Followable, Stop> {
    let (first, legs) = to(space, state, most);
    let mut values = Values::new(space.view, first.is_none());
    let known = match first {
        Some(first) => {
            let cube = space.state(first).cube.clone();
            let literals = space.literals(&cube, Who::Own);
            values.put_in(space.view, true, &literals)?
        }
        None => Vec::new(),
    };
    let mut conditions = Vec::new();
    for leg in &legs {
        conditions.push(values.take(space, *leg)?);
    }
    Ok(Followable { is_whole: first.is_none(), legs, conditions, values, known })
}

/// Follows an alarm: the ends of the paths first, from what is known where they begin, then more and more of them. So what contradicts
/// itself shortly before the end is found there, and not by way of how the program begins.
pub fn discover(space: &mut Space<'_, '_, '_>, alarm: &Alarm) -> Result<Followed, Stop> {
    let mut most = 1;
    loop {
        let paths = follow_both(space, alarm, most)?;
        let is_whole = paths.0.iter().all(|(path, _)| path.is_whole);
        if let Some(found) = contradiction(space, &paths)? {
            if !found.is_empty() || is_whole {
                return Ok(Followed::Track(found));
            }
        } else if is_whole {
            return Ok(Followed::CanHappen);
        }
        most *= 2;
    }
}

/// Paths, each with the step that comes after it, and the conditions at their end.
type Ends = (Vec<(Followable, StepKey)>, Vec<Term>);

fn follow_both(space: &mut Space<'_, '_, '_>, alarm: &Alarm, most: usize) -> Result<Ends, Stop> {
    let mut one = follow(space, alarm.state, most)?;
    let mut last = one.values.put_in(space.view, true, &[alarm.when])?;
    let Problem::Race(object, other, step) = &alarm.problem else {
        return Ok((vec![(one, alarm.step)], last));
    };
    let mut two = follow(space, *other, most)?;
    let moved = space.view.moved(Who::Own, step.0, step.1, step.2);
    let touches = moved.touched.iter().filter(|touched| touched.cell.object() == *object);
    let touches: Vec<Term> = touches.map(|touched| touched.when).collect();
    let touches = two.values.put_in(space.view, true, &touches)?;
    let builder = &mut space.view.builder;
    let any = touches.into_iter().fold(builder.no, |any, when| builder.or(any, when));
    last.push(any);
    last.push(builder.terms.distinct(one.values.identity(), two.values.identity()));
    // Both paths end in the same memory.
    let keys: BTreeSet<CellKey> = one.values.cells.keys().chain(two.values.cells.keys()).copied().collect();
    for key in keys {
        if let (Some(a), Some(b)) = (one.values.cell(space.view, key), two.values.cell(space.view, key)) {
            last.push(space.view.builder.same(a, b));
        }
    }
    Ok((vec![(one, alarm.step), (two, *step)], last))
}

/// What paths suggest that contradict themselves; `None` if they do not. Only what is not tracked yet.
fn contradiction(space: &mut Space<'_, '_, '_>, (paths, last): &Ends) -> Result<Option<Vec<Predicate>>, Stop> {
    let mut question = last.clone();
    for (path, _) in paths {
        question.extend(path.known.iter().chain(&path.conditions));
    }
    if space.prover.can_hold(&space.view.builder.terms, &question)? {
        return Ok(None);
    }
    let core: BTreeSet<Term> = space.prover.core()?.into_iter().collect();
    for only in [Some(&core), None] {
        let mut found = Vec::new();
        for (path, step) in paths {
            blame(space, path, *step, only, &mut found);
        }
        found.retain(|predicate| space.predicates.is_new(space.view, predicate));
        if !found.is_empty() {
            return Ok(Some(found));
        }
    }
    Ok(Some(Vec::new()))
}

/// What the steps of a path suggest that a contradiction needs (all of them, if it is not known which), or that its values come from.
fn blame(
    space: &mut Space<'_, '_, '_>,
    path: &Followable,
    last: StepKey,
    core: Option<&BTreeSet<Term>>,
    found: &mut Vec<Predicate>,
) {
    let mut needed: BTreeSet<Variable> = BTreeSet::new();
    let mut loads: Vec<(Variable, Variable)> = Vec::new();
    let mut atoms: Vec<Predicate> = Vec::new();
    let ends = [(Leg::Own(last), true)];
    let legs = path
        .legs
        .iter()
        .zip(&path.conditions)
        .map(|(leg, condition)| (*leg, core.is_none_or(|core| core.contains(condition))));
    let legs: Vec<(Leg, bool)> = legs.chain(ends).collect();
    for &(leg, is_blamed) in legs.iter().rev() {
        let changed = changed(space, leg);
        let is_source = changed.iter().any(|variable| needed.contains(variable));
        if !is_blamed && !is_source {
            continue;
        }
        for variable in &changed {
            needed.remove(variable);
        }
        if !matches!(leg, Leg::Other(..)) || is_source || is_blamed {
            needed.extend(used(space, leg));
        }
        loads.extend(loaded(space, leg.step()));
        atoms.extend(of_step(space.view, leg.step()));
    }
    if path.is_whole {
        atoms.extend(needed.iter().filter_map(|variable| initially(space, *variable)));
    }
    // What is said of registers, said of the cells that they were loaded from.
    let mut next = 0;
    while next < atoms.len() && atoms.len() < MOST_ATOMS {
        for (register, cell) in &loads {
            if let Some(atom) = with_cell(&atoms[next], *register, *cell)
                && !atoms.contains(&atom)
            {
                atoms.push(atom);
            }
        }
        next += 1;
    }
    for atom in atoms {
        if !found.contains(&atom) {
            found.push(atom);
        }
    }
}

/// That a cell holds what it holds initially, if that is a number.
fn initially(space: &mut Space<'_, '_, '_>, variable: Variable) -> Option<Predicate> {
    let key = match space.view.slot(variable)? {
        Slot::Shared(key) | Slot::Own(Local::Cell(key)) => key,
        Slot::Own(Local::Register(..)) => return None,
    };
    let initial = space.view.initial(key)?;
    let builder = &space.view.builder;
    let value = builder.constant(initial.bits).filter(|_| builder.is_number(initial))?;
    let width = builder.width(initial.bits);
    let cell = Box::new(Expr::Register(RegisterId(0), width));
    let value = Box::new(Expr::Constant(Bits::new(width, value)));
    Some(Predicate::new(&Expr::Binary(BinaryOp::Equal, cell, value), &[variable]))
}

fn variable(space: &Space<'_, '_, '_>, named: Named) -> Option<Variable> {
    match named {
        Named::Local(_, Local::Register(function, register)) => Some(Variable::Register(function, register)),
        Named::Local(_, Local::Cell(key)) => space.view.variable(key),
        Named::Cell(key) => space.view.variable(key),
    }
}

/// What a leg assigns and writes.
fn changed(space: &mut Space<'_, '_, '_>, leg: Leg) -> Vec<Variable> {
    let step = leg.step();
    let who = if let Leg::Other(..) = leg { Who::Other } else { Who::Own };
    let moved = space.view.moved(who, step.0, step.1, step.2);
    let locals = match leg {
        Leg::Own(_) => moved.locals.keys().copied().collect(),
        Leg::Starts(_) => moved.passed.keys().copied().collect(),
        Leg::Other(..) => Vec::new(),
    };
    let locals = locals.into_iter().map(|local| Named::Local(Who::Own, local));
    let cells = moved.cells.keys().map(|key| Named::Cell(*key));
    locals.chain(cells).filter_map(|named| variable(space, named)).collect()
}

/// What a leg looks at.
fn used(space: &mut Space<'_, '_, '_>, leg: Leg) -> Vec<Variable> {
    let (function, edge, kind) = leg.step();
    let moved = space.view.moved(Who::Own, function, edge, kind);
    let mut used = Vec::new();
    let action = &space.view.universe.program.function(function).edge(edge).action;
    action.for_each_register(&mut |register| {
        if let RegisterUse::Used(register) = register {
            used.push(Variable::Register(function, register));
        }
    });
    for touched in moved.touched.iter().filter(|touched| touched.mode.kind == AccessKind::Read) {
        used.extend(space.view.variable(touched.cell));
    }
    used
}

/// Which registers are loaded from which cells.
fn loaded(space: &mut Space<'_, '_, '_>, key: StepKey) -> Vec<(Variable, Variable)> {
    use selvedge_program::{Action, AtomicStep};
    let program = space.view.universe.program;
    let loads: Vec<_> = match &program.function(key.0).edge(key.1).action {
        Action::Load { target, access, .. } => vec![(*target, access)],
        Action::Atomic(steps) => steps
            .iter()
            .filter_map(|step| match step {
                AtomicStep::Read { target, access } => Some((*target, access)),
                _ => None,
            })
            .collect(),
        _ => Vec::new(),
    };
    let mut loaded = Vec::new();
    for (target, access) in loads {
        let cells = cells(space.view, key, access);
        loaded.extend(cells.into_iter().map(|cell| (Variable::Register(key.0, target), cell)));
    }
    loaded
}
