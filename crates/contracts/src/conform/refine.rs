//! Predicates that exclude a way which is none: what decides its steps and what edges of the abstract thread ask of the values
//! that it writes, followed back to the cuts by weakest preconditions.

use selvedge_abstraction::atoms;
use selvedge_abstraction::backward::{Before, Taken, before};
use selvedge_abstraction::predicates::StepKey;
use selvedge_program::{Expr, RegisterId};
use selvedge_symbolic::threads::{Kept, Slot, Thing, View};
use selvedge_symbolic::{CellKey, Moment, Predicate, Variable};

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
/// they begin at. With more effort, also what the steps assign.
pub fn suggested(
    view: &mut View<'_>,
    thread: &Instrumented<'_>,
    parts: &[Vec<Leg>],
    cuts: &[usize],
    effort: usize,
) -> Vec<(usize, Vec<Predicate>)> {
    let mut wanted: Vec<Predicate> = Vec::new();
    let asked = after_edges(thread);
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
            for predicate in earlier {
                let is_kept = !leg.is_interrupted || is_own(view, &predicate);
                if is_kept && !wanted.contains(&predicate) && wanted.len() < MOST {
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
