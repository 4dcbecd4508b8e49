//! What calls do to locks: which they may release.

use super::Aliases;
use super::update::{LockKind, updates};
use crate::PointsTo;
use crate::points_to::SharedTargets;
use rustc_hash::FxHashSet;
use selvedge_program::{Action, EdgeId, FunctionId, Program};

/// The locks that a function, or what it calls, may release.
#[derive(Clone, Debug, Default)]
pub struct Releases {
    some: FxHashSet<(SharedTargets, LockKind)>,
    /// There are too many to list.
    all: bool,
}

/// More lists of locks than this are all locks.
const MOST_LISTS: usize = 24;

impl Releases {
    /// Whether a lock may be among them.
    pub fn may_release(&self, aliases: &mut Aliases, lock: &SharedTargets, kind: LockKind) -> bool {
        self.all || self.some.iter().any(|(some, of)| *of == kind && aliases.may_alias(lock, some))
    }

    /// Whether there are none.
    pub fn are_none(&self) -> bool {
        !self.all && self.some.is_empty()
    }

    fn add(&mut self, other: &Releases) -> bool {
        let before = (self.some.len(), self.all);
        self.all |= other.all;
        self.some.extend(other.some.iter().cloned());
        self.all |= self.some.len() > MOST_LISTS;
        if self.all {
            self.some.clear();
        }
        before != (self.some.len(), self.all)
    }
}

/// What every function may release.
pub fn releases(program: &Program, points_to: &PointsTo) -> Vec<Releases> {
    let mut found: Vec<Releases> = Vec::new();
    let mut callers: Vec<Vec<FunctionId>> = vec![Vec::new(); program.functions.len()];
    for (index, function) in program.functions.iter().enumerate() {
        let id = FunctionId::new(index);
        let mut own = Releases::default();
        for (position, edge) in function.edges.iter().enumerate() {
            match &edge.action {
                Action::Atomic(steps) => own.some.extend(
                    updates(steps).iter().map(|update| (points_to.shared_targets_of(id, &update.address), update.kind)),
                ),
                Action::Free { address } => {
                    own.some.extend(LockKind::ALL.map(|kind| (points_to.whole_objects_of(id, address), kind)))
                }
                Action::Call { .. } => {
                    for callee in points_to.callees(id, EdgeId::new(position)) {
                        callers[callee.index()].push(id);
                    }
                }
                _ => {}
            }
        }
        found.push(own);
    }
    callers.iter_mut().for_each(|callers| {
        callers.sort_unstable();
        callers.dedup();
    });
    let mut pending: Vec<FunctionId> = (0..found.len()).map(FunctionId::new).collect();
    while let Some(callee) = pending.pop() {
        let own = found[callee.index()].clone();
        if own.are_none() {
            continue;
        }
        for caller in &callers[callee.index()] {
            if *caller != callee && found[caller.index()].add(&own) {
                pending.push(*caller);
            }
        }
    }
    found
}
