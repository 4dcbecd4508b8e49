//! Which threads are counted, where nothing that predicates say of a few threads excludes a counterexample: the threads
//! that have yet to write what predicates speak of, and all that have not been joined.
//!
//! What `main` knows when it has joined all (`counter == 3`) is that nobody has yet to count. That everybody who has
//! begun and need not count any more has counted follows step by step: whoever leaves the one group raises the counter.

use std::collections::BTreeSet;

use selvedge_evidence::symmetric::count::{Fewer, Group};
use selvedge_symbolic::CellKey;
use selvedge_symbolic::threads::{NodeId, Unfolded};

use crate::tracked::Tracked;

/// More groups than this are not counted.
const MOST_GROUPS: usize = 12;

/// Tracks of some groups whether there is anybody in them.
pub fn count_threads(on: &mut Tracked<'_, '_>) {
    for group in groups(on) {
        on.count(&Fewer { than: 1, group });
    }
}

fn groups(on: &mut Tracked<'_, '_>) -> Vec<Group> {
    let variables: Vec<_> = on.predicates().flat_map(|predicate| predicate.variables().to_vec()).collect();
    let cells: BTreeSet<CellKey> = variables.into_iter().filter_map(|variable| on.stage.view.key(variable)).collect();
    let mut groups: Vec<Group> = Vec::new();
    for template in 1..on.stage.view.universe.templates.len() {
        let entry = on.stage.map.entry(template);
        let unfolded = on.stage.view.universe.unfolded(template).clone();
        let all = (0..unfolded.nodes.len() as u32).collect();
        groups.push(Group { entry, places: all, ended: true });
        for arc in &unfolded.arcs {
            let function = unfolded.get(arc.source).function;
            let writes = on.stage.moved((function, arc.edge, arc.kind));
            if !writes.cells.keys().any(|key| cells.contains(key)) {
                continue;
            }
            let places = leading_to(&unfolded, arc.source);
            let leaves = arc.target.is_none_or(|target| !places.contains(&target.0));
            let group = Group { entry, places, ended: false };
            if leaves && !groups.contains(&group) {
                groups.push(group);
            }
        }
    }
    groups.truncate(MOST_GROUPS);
    groups
}

/// The places from which control may come to a place.
fn leading_to(unfolded: &Unfolded, place: NodeId) -> BTreeSet<u32> {
    let mut leading = BTreeSet::from([place.0]);
    let mut pending = vec![place];
    while let Some(node) = pending.pop() {
        for arc in unfolded.arcs.iter().filter(|arc| arc.target == Some(node)) {
            if leading.insert(arc.source.0) {
                pending.push(arc.source);
            }
        }
    }
    leading
}
