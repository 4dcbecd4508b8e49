//! The slice of a check: of what is tracked from the start, what the check has to do with. In a large program nothing
//! is tracked until an alarm asks for it: first the locks, and the words that serve as locks, that all threads of the
//! alarm have taken on their way there; of an allocation, what is kept of it. All else cannot influence the check by
//! itself, and comes in, if it matters, by what paths that contradict themselves suggest.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;
use selvedge_abstraction::{PredicateId, PredicateSet, StepKey};
use selvedge_program::{Action, AtomicStep, Expr, LockKind, Operation, RegisterId, RegisterUse};
use selvedge_symbolic::threads::{Local, Thing, View, Who};
use selvedge_symbolic::{CellKey, Tag};

use crate::path::{Leg, to};
use crate::space::{Alarm, Problem, Space, StateId, Trimming};
use crate::tallies::of_locks_held_by_several;

/// What is tracked from the start, by what it is about.
#[derive(Clone, Debug, Default)]
pub struct First {
    /// All of it.
    pub all: PredicateSet,
    /// What says which locks a thread holds, those of the library and words that serve as such.
    pub holding: PredicateSet,
    /// What of that is enough to know for those who hold them.
    pub trimming: Trimming,
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
        let (holding, trimming) = holding(on, &all);
        First { all, holding, trimming, of_cell }
    }

    /// What an alarm has to do with.
    pub fn of_alarm(&self, space: &mut Space<'_, '_, '_>, alarm: &Alarm) -> PredicateSet {
        let mut locks = taken(space, alarm.state);
        let mut found = PredicateSet::default();
        if let Problem::Race(object, other, _) = &alarm.problem {
            let theirs = taken(space, *other);
            locks.retain(|lock| theirs.contains(lock));
            if let Some(Thing::One(_)) = space.on.view.universe.thing(*object) {
                let life = self.of_cell.iter().filter(|(key, _)| is_life_of(**key, *object));
                life.flat_map(|(_, of)| of).for_each(|id| found.insert(*id));
            }
        }
        let is_taken = |key: &CellKey| match *key {
            CellKey::Ghost { object, offset, .. } => locks.contains(&(object, offset)),
            CellKey::Changer { object, start } => locks.contains(&(object, start)),
            _ => false,
        };
        let of_locks = self.of_cell.iter().filter(|(key, _)| is_taken(key));
        of_locks.flat_map(|(_, of)| of).for_each(|id| found.insert(*id));
        // A lock that several may hold is counted.
        for predicate in of_locks_held_by_several(space, &locks) {
            let id = space.on.predicates.add(&mut space.on.view, &predicate);
            id.into_iter().for_each(|id| found.insert(id));
        }
        found
    }
}

/// Of what is tracked from the start, what says which locks a thread holds.
fn holding(on: &selvedge_abstraction::Abstraction<'_, '_>, all: &PredicateSet) -> (PredicateSet, Trimming) {
    let (mut holding, mut trimming) = (PredicateSet::default(), Trimming::default());
    let mut owners: FxHashMap<CellKey, PredicateId> = FxHashMap::default();
    let only_cell = |id: PredicateId| {
        let mut cells = on.predicates.cells(id).iter();
        cells.next().copied().filter(|_| cells.next().is_none() && on.predicates.locals(id).is_empty())
    };
    for id in all.iter() {
        if let Some(key @ (CellKey::Ghost { .. } | CellKey::Changer { .. })) = only_cell(id)
            && on.predicates.get(id).condition().mentions_self()
        {
            owners.insert(key, id);
            trimming.holding_only.insert(id);
            holding.insert(id);
        }
    }
    for id in all.iter() {
        if on.predicates.cells(id).is_empty() {
            holding.insert(id);
        } else if let Some(CellKey::Bytes { object, start, .. }) = only_cell(id)
            && let Some(owner) = owners.get(&CellKey::Changer { object, start })
        {
            trimming.of_owner.insert(id, *owner);
            holding.insert(id);
        }
    }
    (holding, trimming)
}

/// Whether a cell says who made an object, and whether it is there.
fn is_life_of(key: CellKey, object: Tag) -> bool {
    matches!(key, CellKey::Alive(of) | CellKey::Note(_, of) if of == object)
}

/// A lock, by where it is.
pub type Lock = (Tag, u64);

/// The locks that a thread has taken and not given back on the way to a state, and the words that it has updated under a
/// condition and not written since.
fn taken(space: &mut Space<'_, '_, '_>, state: StateId) -> BTreeSet<Lock> {
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

fn takes(view: &mut View<'_>, step: StepKey, taken: &mut BTreeSet<Lock>) {
    let moved = view.moved(Who::Own, step.0, step.1, step.2);
    let action = &view.universe.program.function(step.0).edge(step.1).action;
    let is_marked = |is_meant: fn(&Operation) -> bool| {
        action.steps().iter().any(|step| matches!(step, AtomicStep::Mark { operation, .. } if is_meant(operation)))
    };
    let acquires = is_marked(|operation| matches!(operation, Operation::Acquire(..)));
    let may_lock = may_lock(action);
    for key in moved.cells.keys() {
        let (lock, is_taken) = match *key {
            CellKey::Ghost { object, offset, field } if LockKind::of_field(field).is_some() => {
                ((object, offset), acquires)
            }
            // What is only written is given back.
            CellKey::Changer { object, start } => ((object, start), may_lock),
            _ => continue,
        };
        if is_taken {
            taken.insert(lock);
        } else {
            taken.remove(&lock);
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
