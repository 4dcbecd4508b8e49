//! What calls do to locks: which they may release.

use super::Aliases;
use super::update::{Effect, LockFamily, Update, marked, unmarked};
use super::words::Words;
use crate::PointsTo;
use crate::call_graph::CallGraph;
use crate::points_to::SharedTargets;
use rustc_hash::FxHashSet;
use selvedge_program::{Action, EdgeId, FunctionId, Program};

/// The locks that a function, or what it calls, may release.
#[derive(Clone, Debug, Default)]
pub struct Releases {
    /// With the family of locks; of all families where an object's life ends.
    some: FxHashSet<(SharedTargets, Option<LockFamily>)>,
    /// There are too many to list.
    all: bool,
}

/// More lists of locks than this are all locks.
const MOST_LISTS: usize = 24;

impl Releases {
    /// Whether a lock may be among them.
    pub fn may_release(&self, aliases: &mut Aliases, lock: &SharedTargets, family: LockFamily) -> bool {
        let is_of = |of: Option<LockFamily>| of.is_none_or(|of| of == family);
        self.all || self.some.iter().any(|(some, of)| is_of(*of) && aliases.may_alias(lock, some))
    }

    /// Whether there are none.
    fn are_none(&self) -> bool {
        !self.all && self.some.is_empty()
    }

    fn add(&mut self, other: &Releases) -> bool {
        let before = (self.some.len(), self.all);
        self.all |= other.all;
        if !self.all {
            self.some.extend(other.some.iter().cloned());
            self.all |= self.some.len() > MOST_LISTS;
        }
        if self.all {
            self.some = FxHashSet::default();
        }
        before != (self.some.len(), self.all)
    }
}

/// What the functions of every list of callees may release.
pub fn releases(program: &Program, points_to: &PointsTo, words: &Words, calls: &CallGraph<'_>) -> Vec<Releases> {
    let mut of_list = vec![Releases::default(); calls.list_count()];
    let mut of_function: Vec<Releases> =
        (0..program.functions.len()).map(|index| own(program, points_to, words, FunctionId::new(index))).collect();
    let mut pending: Vec<FunctionId> = (0..of_function.len()).map(FunctionId::new).collect();
    while let Some(callee) = pending.pop() {
        if of_function[callee.index()].are_none() {
            continue;
        }
        for list in calls.containing(callee) {
            if of_list[list.index()].add(&of_function[callee.index()]) {
                for caller in calls.callers(*list) {
                    if of_function[caller.index()].add(&of_list[list.index()]) {
                        pending.push(*caller);
                    }
                }
            }
        }
    }
    of_list
}

/// What a function may release itself.
fn own(program: &Program, points_to: &PointsTo, words: &Words, id: FunctionId) -> Releases {
    let mut own = Releases::default();
    for (position, edge) in program.function(id).edges.iter().enumerate() {
        let marked = edge.action.steps().iter().filter_map(marked);
        let takes_away = |update: &Update| !matches!(update.effect, Effect::Acquire(..));
        for update in marked.chain(unmarked(id, EdgeId::new(position), &edge.action, words)).filter(takes_away) {
            own.some.insert((points_to.shared_targets_of(id, &update.address), Some(update.family)));
        }
        for targets in words.overwritten(points_to, id, &edge.action) {
            own.some.insert((targets, Some(LockFamily::Word)));
        }
        if let Action::Free { address } = &edge.action {
            own.some.insert((points_to.whole_objects_of(id, address), None));
        }
    }
    own
}
