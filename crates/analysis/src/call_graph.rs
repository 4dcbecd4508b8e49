//! Who calls and who starts whom, looked up once for everything that walks over it for every thread.

use crate::PointsTo;
use selvedge_program::{Action, EdgeId, Function, FunctionId, LocationId, Program, Span};
use std::collections::{BTreeMap, BTreeSet};

/// A call or spawn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Site<'a> {
    pub edge: EdgeId,
    pub span: Span,
    /// The functions it may enter, sorted.
    pub callees: &'a [FunctionId],
    /// Whether one activation can execute it more than once.
    pub repeats: bool,
}

/// The calls and spawns of every function.
#[derive(Debug)]
pub(crate) struct CallGraph<'a> {
    calls: Vec<Vec<Site<'a>>>,
    spawns: Vec<Vec<Site<'a>>>,
}

impl<'a> CallGraph<'a> {
    pub fn of(program: &Program, points_to: &'a PointsTo) -> CallGraph<'a> {
        let (mut calls, mut spawns) = (Vec::new(), Vec::new());
        for (index, function) in program.functions.iter().enumerate() {
            let sites = |wanted: fn(&Action) -> bool| {
                let edges = function.edges.iter().enumerate().filter(|(_, edge)| wanted(&edge.action));
                edges
                    .map(|(position, edge)| {
                        let id = EdgeId::new(position);
                        let callees = points_to.callees(FunctionId::new(index), id);
                        Site { edge: id, span: edge.span, callees, repeats: on_cycle(function, id) }
                    })
                    .collect::<Vec<_>>()
            };
            calls.push(sites(|action| matches!(action, Action::Call { .. })));
            spawns.push(sites(|action| matches!(action, Action::Spawn { .. })));
        }
        CallGraph { calls, spawns }
    }

    /// The calls in a function.
    pub fn calls(&self, function: FunctionId) -> &[Site<'a>] {
        &self.calls[function.index()]
    }

    /// The spawns in a function.
    pub fn spawns(&self, function: FunctionId) -> &[Site<'a>] {
        &self.spawns[function.index()]
    }

    /// The functions that a thread may run that starts with one of `entries`, sorted.
    pub fn reachable(&self, entries: &[FunctionId]) -> Vec<FunctionId> {
        let mut seen: BTreeSet<FunctionId> = entries.iter().copied().collect();
        let mut pending = entries.to_vec();
        while let Some(function) = pending.pop() {
            for callee in self.calls(function).iter().flat_map(|site| site.callees) {
                if seen.insert(*callee) {
                    pending.push(*callee);
                }
            }
        }
        seen.into_iter().collect()
    }

    /// Of the functions that a thread may run, those that it may run more than once. It starts with one of `entries`.
    pub fn run_repeatedly(&self, entries: &[FunctionId], functions: &[FunctionId]) -> BTreeSet<FunctionId> {
        let mut calls: BTreeMap<FunctionId, u32> = entries.iter().map(|entry| (*entry, 1)).collect();
        let mut repeated = BTreeSet::new();
        for caller in functions {
            for site in self.calls(*caller) {
                for callee in site.callees {
                    *calls.entry(*callee).or_default() += 1;
                    if callee == caller || site.repeats {
                        repeated.insert(*callee);
                    }
                }
            }
        }
        repeated.extend(calls.iter().filter(|(_, count)| **count > 1).map(|(callee, _)| *callee));
        let mut pending: Vec<FunctionId> = repeated.iter().copied().collect();
        while let Some(function) = pending.pop() {
            for callee in self.calls(function).iter().flat_map(|site| site.callees) {
                if repeated.insert(*callee) {
                    pending.push(*callee);
                }
            }
        }
        repeated
    }
}

/// Whether an edge can be taken again within one activation.
fn on_cycle(function: &Function, edge: EdgeId) -> bool {
    let start = function.edge(edge).source;
    let mut seen = vec![false; function.locations.len()];
    let mut pending: Vec<LocationId> = vec![function.edge(edge).target];
    while let Some(location) = pending.pop() {
        if location == start {
            return true;
        }
        if !std::mem::replace(&mut seen[location.index()], true) {
            pending.extend(function.location(location).outgoing.iter().map(|edge| function.edge(*edge).target));
        }
    }
    false
}
