//! Predicates that exclude a way which is none: what decides its steps and what edges of the abstract thread ask of the values
//! that it writes, followed back to the cuts by weakest preconditions. What speaks of shared variables means nothing before others
//! move; where nothing else is left, the numbers that the abstract thread compares them with are put in their place.

use selvedge_abstraction::atoms;
use selvedge_abstraction::backward::{Before, Taken, before};
use selvedge_abstraction::predicates::StepKey;
use selvedge_program::{Bits, Expr, RegisterId};
use selvedge_symbolic::threads::{Kept, Slot, Thing, View};
use selvedge_symbolic::{CellKey, Moment, Predicate, Variable};
use std::collections::{BTreeMap, BTreeSet};

use super::part::Instrumented;

/// A step of a way.
#[derive(Clone, Copy, Debug)]
pub struct Leg {
    pub step: StepKey,
    /// Whether others may move before it.
    pub is_interrupted: bool,
}

/// More predicates are not followed at a time.
const MOST: usize = 60;

/// From one effort to the next, more is suggested: conditions; what steps assign; and numbers for shared variables.
pub const EFFORTS: usize = 3;

/// That locals of threads are alive, which is tracked from the start.
pub fn alive(view: &mut View<'_>) -> Vec<Predicate> {
    let tags: Vec<_> = view.universe.tags().collect();
    let frames = tags.into_iter().filter(|tag| {
        matches!(view.universe.thing(*tag), Some(Thing::Frame(..))) && view.universe.kept(*tag) == Kept::Own
    });
    let frames: Vec<_> = frames.collect();
    let variables = frames.into_iter().filter_map(|tag| view.variable(CellKey::Alive(tag)));
    variables.map(|variable| Predicate::new(&Expr::register(RegisterId(0), 1), &[variable])).collect()
}

/// What a way suggests to track at its cuts: the parts of the way from the last one to the first, and the cuts that
/// they begin at.
pub fn suggested(
    view: &mut View<'_>,
    thread: &Instrumented<'_>,
    parts: &[Vec<Leg>],
    cuts: &[usize],
    effort: usize,
) -> Vec<(usize, Vec<Predicate>)> {
    let mut wanted: Vec<Predicate> = Vec::new();
    let asked = after_edges(thread);
    let numbers = if effort > 1 { numbers(thread) } else { Numbers::new() };
    let mut found = Vec::new();
    for (legs, cut) in parts.iter().zip(cuts) {
        for leg in legs.iter().rev() {
            wanted.extend(asked.iter().cloned());
            let mut earlier: Vec<Predicate> = Vec::new();
            let own = |predicate: Before| match predicate {
                Before::Own(predicate) => Some(predicate),
                Before::Other(_) => None,
            };
            for predicate in &wanted {
                earlier.extend(before(view, Taken::Own(leg.step), predicate).into_iter().filter_map(own));
            }
            earlier.extend(atoms::conditions(view, leg.step));
            if effort > 0 {
                let of_step = atoms::of_step(view, leg.step);
                earlier.extend(of_step);
            }
            wanted.clear();
            if leg.is_interrupted {
                let (own, mixed): (Vec<Predicate>, Vec<Predicate>) =
                    earlier.into_iter().partition(|predicate| is_own(view, predicate));
                earlier = own;
                earlier.extend(mixed.iter().flat_map(|predicate| with_numbers(predicate, &numbers)));
                earlier.retain(|predicate| is_own(view, predicate) && !predicate.variables().is_empty());
            }
            for predicate in earlier {
                if !wanted.contains(&predicate) && wanted.len() < MOST {
                    wanted.push(predicate);
                }
            }
        }
        found.push((*cut, wanted.clone()));
    }
    found
}

/// Whether a predicate speaks of nothing that others may change.
fn is_own(view: &mut View<'_>, predicate: &Predicate) -> bool {
    predicate.variables().iter().all(|variable| match variable {
        Variable::Address(_) => true,
        _ => matches!(view.slot(*variable), Some(Slot::Own(_))),
    })
}

/// Numbers that shared variables are compared with.
type Numbers = BTreeMap<Variable, BTreeSet<Bits>>;

/// The numbers that the abstract thread compares shared variables with, before or after its steps.
fn numbers(thread: &Instrumented<'_>) -> Numbers {
    let mut found = Numbers::new();
    let mut of_condition = |condition: &Expr, variables: &[Variable]| {
        let mut parts = Vec::new();
        atoms::comparisons(condition, &mut parts);
        for part in parts {
            let Expr::Binary(_, left, right) = &part else { continue };
            for sides in [(left, right), (right, left)] {
                if let (Expr::Register(register, _), Expr::Constant(number)) = (&**sides.0, &**sides.1) {
                    found.entry(variables[register.index()]).or_default().insert(*number);
                }
            }
        }
    };
    for assertion in &thread.to.assertions {
        of_condition(assertion.condition(), assertion.variables());
    }
    for edge in &thread.to.edges {
        let variables: Vec<Variable> = edge.relation.variables().iter().map(|(variable, _)| *variable).collect();
        of_condition(edge.relation.condition(), &variables);
    }
    found
}

/// A predicate with a number in the place of each shared variable, in all ways.
fn with_numbers(predicate: &Predicate, numbers: &Numbers) -> Vec<Predicate> {
    let mut found = vec![predicate.clone()];
    for variable in predicate.variables() {
        let Some(values) = numbers.get(variable) else { continue };
        let put = |predicate: &Predicate, number: &Bits| {
            let at = predicate.variables().iter().position(|known| known == variable);
            let mut with = |register: RegisterId, width: u32| match at {
                Some(at) if at == register.index() => Expr::Constant(*number),
                _ => Expr::Register(register, width),
            };
            Predicate::new(&predicate.condition().substitute(&mut with).simplified(), predicate.variables())
        };
        found = found.iter().flat_map(|one| values.iter().map(move |number| put(one, number))).collect();
        found.truncate(MOST);
    }
    found
}

/// What the edges of the abstract thread, and the assertions of its states, ask of shared variables after a step.
fn after_edges(thread: &Instrumented<'_>) -> Vec<Predicate> {
    let mut found: Vec<Predicate> = Vec::new();
    for relation in thread.to.edges.iter().map(|edge| &edge.relation) {
        let mut parts = Vec::new();
        atoms::comparisons(relation.condition(), &mut parts);
        let table = relation.variables();
        let variables: Vec<Variable> = table.iter().map(|(variable, _)| *variable).collect();
        for part in parts {
            let mut is_after = true;
            part.for_each_register(&mut |register| is_after &= table[register.index()].1 == Moment::After);
            let predicate = Predicate::new(&part, &variables);
            if is_after && !found.contains(&predicate) {
                found.push(predicate);
            }
        }
    }
    found
}
