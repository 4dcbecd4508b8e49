//! The slice of a check: of what is tracked from the start, what the check has to do with. In a large program nothing
//! is tracked until an alarm asks for it: first the locks, and the words that serve as locks, that all threads of the
//! alarm have taken on their way there; of an allocation, what is kept of it. All else cannot influence the check by
//! itself, and comes in, if it matters, by what paths that contradict themselves suggest.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;
use selvedge_abstraction::{PredicateId, PredicateSet, StepKey};
use selvedge_program::{Action, AtomicStep, Expr, RegisterId, RegisterUse};
use selvedge_symbolic::threads::{Local, Thing, View, Who};
use selvedge_symbolic::{CellKey, Tag};

use crate::path::{Leg, to};
use crate::space::{Alarm, Problem, Space, StateId};

/// What is tracked from the start, by what it is about.
#[derive(Clone, Debug, Default)]
pub struct First {
    /// All of it.
    pub all: PredicateSet,
    /// What speaks of a cell, or tells whether an update of a word was made.
    of_cell: FxHashMap<CellKey, Vec<PredicateId>>,
}

impl First {
    /// Sorts what is tracked from the start.
    pub fn new(on: &mut selvedge_abstraction::Abstraction<'_, '_>, all: PredicateSet) -> First {
        let mut of_cell: FxHashMap<CellKey, Vec<PredicateId>> = FxHashMap::default();
        let mut of_register: FxHashMap<Local, Vec<PredicateId>> = FxHashMap::default();
        for id in all.iter() {
            for key in on.predicates.cells(id) {
                of_cell.entry(*key).or_default().push(id);
                // What a word is and who changed it belong together.
                if let CellKey::Bytes { object, start, .. } = *key {
                    of_cell.entry(CellKey::Changer { object, start }).or_default().push(id);
                }
            }
            if on.predicates.cells(id).is_empty() {
                for local in on.predicates.locals(id) {
                    of_register.entry(*local).or_default().push(id);
                }
            }
        }
        for step in on.view.steps() {
            let program = on.view.universe.program;
            let action = &program.function(step.0).edge(step.1).action;
            if !matches!(action, Action::Atomic(_)) {
                continue;
            }
            let mut told = Vec::new();
            action.for_each_register(&mut |register| {
                if let RegisterUse::Assigned(register) = register {
                    told.extend(of_register.get(&Local::Register(step.0, register)).into_iter().flatten().copied());
                }
            });
            let moved = on.view.moved(Who::Own, step.0, step.1, step.2);
            for key in moved.cells.keys().filter(|key| matches!(key, CellKey::Changer { .. })) {
                of_cell.entry(*key).or_default().extend(&told);
            }
        }
        First { all, of_cell }
    }

    /// What an alarm has to do with.
    pub fn of_alarm(&self, space: &mut Space<'_, '_, '_>, alarm: &Alarm) -> PredicateSet {
        let mut cells = taken(space, alarm.state);
        if let Problem::Race(object, other, _) = &alarm.problem {
            let theirs = taken(space, *other);
            cells.retain(|key| theirs.contains(key));
            if let Some(Thing::One(_)) = space.on.view.universe.thing(*object) {
                cells.extend(self.of_cell.keys().filter(|key| is_life_of(**key, *object)));
            }
        }
        let found = cells.iter().flat_map(|key| self.of_cell.get(key).into_iter().flatten());
        PredicateSet::of(found.copied())
    }
}

/// Whether a cell says who made an object, and whether it is there.
fn is_life_of(key: CellKey, object: Tag) -> bool {
    matches!(key, CellKey::Alive(of) | CellKey::Note(_, of) if of == object)
}

/// The owners of the locks that a thread has taken and not given back on the way to a state, and who has changed the
/// words that it has updated under a condition and not written since.
fn taken(space: &mut Space<'_, '_, '_>, state: StateId) -> BTreeSet<CellKey> {
    let (_, legs) = to(space, state, usize::MAX);
    let mut taken = BTreeSet::new();
    for leg in legs {
        match leg {
            Leg::Own(step) => takes(&mut space.on.view, step, &mut taken),
            Leg::Starts(_) => taken.clear(),
            Leg::Other(..) => {}
        }
    }
    taken
}

fn takes(view: &mut View<'_>, step: StepKey, taken: &mut BTreeSet<CellKey>) {
    let moved = view.moved(Who::Own, step.0, step.1, step.2);
    let may_lock = may_lock(&view.universe.program.function(step.0).edge(step.1).action);
    for (key, word) in &moved.cells {
        let is_taken = match key {
            CellKey::Ghost { .. } => {
                view.builder.tags(*word).iter().any(|tag| view.universe.thing(*tag) == Some(Thing::Thread))
            }
            // What is only written is given back.
            CellKey::Changer { .. } => may_lock,
            _ => continue,
        };
        if is_taken {
            taken.insert(*key);
        } else {
            taken.remove(key);
        }
    }
}

/// Whether an update may take a lock that is made of a word: it writes under a condition, or what it writes does not
/// depend on what it has read.
fn may_lock(action: &Action) -> bool {
    let Action::Atomic(steps) = action else { return false };
    let reads = steps.iter().filter_map(|step| match step {
        AtomicStep::Read { target, .. } => Some(*target),
        _ => None,
    });
    let reads: Vec<RegisterId> = reads.collect();
    steps.iter().any(|step| match step {
        AtomicStep::Write { when, value, .. } => *when != Expr::truth() || !value.mentions(&reads),
        _ => false,
    })
}
