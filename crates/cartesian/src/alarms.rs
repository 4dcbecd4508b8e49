//! What the states of a fixpoint do wrong: steps that fail, and pairs of threads that race.

use std::collections::BTreeMap;

use selvedge_analysis::AbstractObject;
use selvedge_evidence::Subject;
use selvedge_evidence::subject::object_at;
use selvedge_program::bitset::BitSet;
use selvedge_program::semantics::PendingAccess;

use crate::domain::{Count, Fixpoint, Position, Product, Shared};
use crate::program::{At, ProgramSystem};
use crate::step::Wrong;
use crate::tuples::Reached;

/// Something wrong in a state of the fixpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Alarm {
    /// A thread's steps fail.
    Step(At),
    /// Two threads are about to access one place.
    Race(At, At),
}

impl Alarm {
    /// The shared state.
    pub fn shared(self) -> Shared {
        match self {
            Alarm::Step(at) | Alarm::Race(at, _) => at.shared,
        }
    }
}

/// Everything wrong in a fixpoint: by what, where.
pub fn alarms(system: &mut ProgramSystem<'_, '_>, fixpoint: &Fixpoint) -> BTreeMap<Wrong, Vec<Alarm>> {
    let mut found: BTreeMap<Wrong, Vec<Alarm>> = BTreeMap::new();
    for (index, node) in fixpoint.nodes.iter().enumerate() {
        let shared = Shared(index as u32);
        for (component, locals) in node.expanded.iter().enumerate() {
            for local in locals.iter() {
                let at = At { shared, component, local };
                for fault in system.faults.get(&at).into_iter().flatten() {
                    found.entry(fault.clone()).or_default().push(Alarm::Step(at));
                }
            }
        }
        for product in node.products(fixpoint.kept) {
            for (object, first, second) in races(system, shared, &product, node.shape()) {
                let alarms = found.entry(Wrong::Violation(Subject::Race(object))).or_default();
                if !alarms.contains(&Alarm::Race(first, second)) {
                    alarms.push(Alarm::Race(first, second));
                }
            }
        }
    }
    found
}

/// A thread of a product, or several, and what it may be about to access in which local state.
struct Thread {
    component: usize,
    accesses: Vec<(PendingAccess, u32)>,
    several: bool,
}

/// The races in a product: the object, and two threads that may be about to access it.
fn races(
    system: &mut ProgramSystem<'_, '_>,
    shared: Shared,
    product: &Product,
    shape: &[Count],
) -> Vec<(AbstractObject, At, At)> {
    let mut threads = Vec::new();
    for (component, group) in product.iter().enumerate() {
        for position in group.positions() {
            let accesses = all_accesses(system, shared, component, group.at(position));
            let left = shape[component].minus(group.slots.len());
            let several = position == Position::Rest && left != Some(Count::Exactly(1));
            threads.push(Thread { component, accesses, several });
        }
    }
    let mut found = Vec::new();
    for (index, one) in threads.iter().enumerate() {
        let others = if one.several { &threads[index..] } else { &threads[index + 1..] };
        for other in others {
            for (mine, local) in &one.accesses {
                for (_, their_local) in other.accesses.iter().filter(|(their, _)| mine.races_with(their)) {
                    let state = &system.splitter.shared.value(shared.0).state;
                    let Some(object) = object_at(state, mine.spot) else { continue };
                    let first = At { shared, component: one.component, local: *local };
                    let second = At { shared, component: other.component, local: *their_local };
                    found.push((object, first, second));
                }
            }
        }
    }
    found
}

/// The accesses that threads in one of several local states are about to make, each with one such state.
fn all_accesses(
    system: &mut ProgramSystem<'_, '_>,
    shared: Shared,
    component: usize,
    locals: &BitSet,
) -> Vec<(PendingAccess, u32)> {
    let mut found: Vec<(PendingAccess, u32)> = Vec::new();
    for local in locals.iter() {
        for access in system.accesses_of(At { shared, component, local }) {
            let same = |(other, _): &(PendingAccess, u32)| (other.spot, other.mode()) == (access.spot, access.mode());
            if !found.iter().any(same) {
                found.push((*access, local));
            }
        }
    }
    found
}

/// What is wrong in a tuple.
pub fn wrongs(system: &mut ProgramSystem<'_, '_>, reached: &Reached, number: usize) -> Vec<(Wrong, Alarm)> {
    let tuple = &reached.tuples[number];
    let shared = tuple.shared;
    let mut threads: Vec<At> = Vec::new();
    for (component, locals) in tuple.locals.iter().enumerate() {
        threads.extend(locals.iter().map(|local| At { shared, component, local: *local }));
    }
    let mut found = Vec::new();
    for at in &threads {
        // A step that cannot be split ends the search when it is its turn.
        let _ = system.moves_of(*at);
        for fault in system.faults.get(at).into_iter().flatten() {
            found.push((fault.clone(), Alarm::Step(*at)));
        }
    }
    for (position, first) in threads.iter().enumerate() {
        let mine = system.accesses_of(*first).to_vec();
        if mine.is_empty() {
            continue;
        }
        for second in &threads[position + 1..] {
            let theirs = system.accesses_of(*second).to_vec();
            for access in &mine {
                if theirs.iter().any(|other| access.races_with(other)) {
                    let state = &system.splitter.shared.value(shared.0).state;
                    if let Some(object) = object_at(state, access.spot) {
                        found.push((Wrong::Violation(Subject::Race(object)), Alarm::Race(*first, *second)));
                    }
                }
            }
        }
    }
    found
}
