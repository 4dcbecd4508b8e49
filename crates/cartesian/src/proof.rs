//! The sets of states of a fixpoint, as `selvedge_evidence::cartesian` makes a proof of them and checks it.

use std::collections::BTreeSet;

use selvedge_evidence::ProductGroup;
use selvedge_evidence::cartesian::{SharedStates, StateSets};
use selvedge_program::semantics::Part;

use crate::domain::{Fixpoint, Group};
use crate::program::ProgramSystem;
use crate::split::{MOST_INDIVIDUALS, Numbering, SharedState};

/// The states of a fixpoint.
pub fn state_sets(system: &ProgramSystem<'_, '_>, fixpoint: &Fixpoint, bound: Option<u64>) -> StateSets {
    let group = |group: &Group| ProductGroup {
        slots: group.slots.iter().map(|slot| slot.iter().collect()).collect(),
        rest: group.rest.iter().collect::<BTreeSet<u32>>(),
    };
    let shared = (0..system.splitter.shared.len()).map(|index| {
        let SharedState { state, roles } = system.splitter.shared.value(index as u32).clone();
        let products = fixpoint.nodes.get(index).map(|node| node.products(fixpoint.kept)).unwrap_or_default();
        let products = products.iter().map(|product| product.iter().map(group).collect()).collect();
        SharedStates { state, roles, products }
    });
    let parts = |classes: &[Numbering<Part>]| classes.iter().map(|class| class.values().cloned().collect()).collect();
    let (individuals, members) = system.splitter.locals.split_at(MOST_INDIVIDUALS);
    StateSets {
        crowds: system.splitter.crowds.entries.clone(),
        bound,
        shared: shared.collect(),
        individuals: parts(individuals),
        members: parts(members),
    }
}
