//! Which threads there can be: the templates, what code each can run, and which can run in several instances at once.

use crate::PointsTo;
use rustc_hash::FxHashMap;
use selvedge_program::{Action, EdgeId, Function, FunctionId, LocationId, Program, Span};
use std::collections::{BTreeMap, BTreeSet};

/// How many instances of a template there can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Replication {
    /// At most one.
    Once,
    /// Perhaps several.
    Many,
}

/// What is known of one thread template.
#[derive(Clone, Debug)]
pub struct ThreadFacts {
    /// Its first function.
    pub entry: FunctionId,
    /// How often it can be started.
    pub replication: Replication,
    /// The functions it may run, sorted.
    pub functions: Vec<FunctionId>,
    /// Where it is started; nowhere for `main`.
    pub spawns: Vec<Span>,
}

/// All thread templates; `main` is the first, the others by entry.
#[derive(Clone, Debug)]
pub struct Threads {
    /// The templates.
    pub templates: Vec<ThreadFacts>,
}

impl Threads {
    /// Finds the templates of a program and what they run.
    pub fn of(program: &Program, points_to: &PointsTo) -> Threads {
        let Some(main) = program.templates.first() else { return Threads { templates: Vec::new() } };
        let mut spawned: BTreeMap<FunctionId, Vec<SpawnSite>> = BTreeMap::new();
        let mut pending = vec![main.function];
        let mut reach: BTreeMap<FunctionId, Vec<FunctionId>> = BTreeMap::new();
        while let Some(entry) = pending.pop() {
            if reach.contains_key(&entry) {
                continue;
            }
            let functions = reachable(program, points_to, &[entry]);
            for function in &functions {
                for (edge, span) in spawn_edges(program.function(*function)) {
                    for callee in points_to.callees(*function, edge) {
                        spawned.entry(*callee).or_default().push(SpawnSite {
                            by: entry,
                            function: *function,
                            edge,
                            span,
                        });
                        pending.push(*callee);
                    }
                }
            }
            reach.insert(entry, functions);
        }
        let replicated = replicated(program, points_to, main.function, &spawned, &reach);
        let mut templates: Vec<ThreadFacts> = reach
            .into_iter()
            .map(|(entry, functions)| {
                let mut spawns: Vec<Span> = spawned.get(&entry).into_iter().flatten().map(|site| site.span).collect();
                spawns.sort_unstable();
                spawns.dedup();
                let many = replicated.contains(&entry);
                ThreadFacts {
                    entry,
                    replication: if many { Replication::Many } else { Replication::Once },
                    functions,
                    spawns,
                }
            })
            .collect();
        templates.sort_by_key(|template| (template.entry != main.function, template.entry));
        Threads { templates }
    }
}

#[derive(Clone, Copy, Debug)]
struct SpawnSite {
    /// The template that spawns.
    by: FunctionId,
    function: FunctionId,
    edge: EdgeId,
    span: Span,
}

pub(crate) fn spawn_edges(function: &Function) -> impl Iterator<Item = (EdgeId, Span)> {
    function
        .edges
        .iter()
        .enumerate()
        .filter(|(_, edge)| matches!(edge.action, Action::Spawn { .. }))
        .map(|(index, edge)| (EdgeId::new(index), edge.span))
}

pub(crate) fn call_edges(function: &Function) -> impl Iterator<Item = EdgeId> {
    function
        .edges
        .iter()
        .enumerate()
        .filter(|(_, edge)| matches!(edge.action, Action::Call { .. }))
        .map(|(index, _)| EdgeId::new(index))
}

/// The functions that a thread may run that starts with one of `entries`, sorted.
pub(crate) fn reachable(program: &Program, points_to: &PointsTo, entries: &[FunctionId]) -> Vec<FunctionId> {
    let mut seen: BTreeSet<FunctionId> = entries.iter().copied().collect();
    let mut pending = entries.to_vec();
    while let Some(function) = pending.pop() {
        for edge in call_edges(program.function(function)) {
            for callee in points_to.callees(function, edge) {
                if seen.insert(*callee) {
                    pending.push(*callee);
                }
            }
        }
    }
    seen.into_iter().collect()
}

/// The templates that can have several instances: started from two places, from a place that can run twice, or by a template
/// that can itself have several.
fn replicated(
    program: &Program,
    points_to: &PointsTo,
    main: FunctionId,
    spawned: &BTreeMap<FunctionId, Vec<SpawnSite>>,
    reach: &BTreeMap<FunctionId, Vec<FunctionId>>,
) -> BTreeSet<FunctionId> {
    let repeated: FxHashMap<FunctionId, BTreeSet<FunctionId>> = reach
        .iter()
        .map(|(entry, functions)| (*entry, run_repeatedly(program, points_to, &[*entry], functions)))
        .collect();
    let mut many = BTreeSet::new();
    for (entry, sites) in spawned {
        let twice = sites.iter().any(|site| {
            repeated[&site.by].contains(&site.function) || on_cycle(program.function(site.function), site.edge)
        });
        if sites.len() > 1 || twice || *entry == main {
            many.insert(*entry);
        }
    }
    loop {
        let more: Vec<FunctionId> = spawned
            .iter()
            .filter(|(entry, sites)| !many.contains(entry) && sites.iter().any(|site| many.contains(&site.by)))
            .map(|(entry, _)| *entry)
            .collect();
        if more.is_empty() {
            return many;
        }
        many.extend(more);
    }
}

/// Of the functions that a thread may run, those that it may run more than once. It starts with one of `entries`.
pub(crate) fn run_repeatedly(
    program: &Program,
    points_to: &PointsTo,
    entries: &[FunctionId],
    functions: &[FunctionId],
) -> BTreeSet<FunctionId> {
    let mut calls: BTreeMap<FunctionId, u32> = entries.iter().map(|entry| (*entry, 1)).collect();
    let mut repeated = BTreeSet::new();
    let mut callees: BTreeMap<FunctionId, Vec<FunctionId>> = BTreeMap::new();
    for caller in functions {
        let function = program.function(*caller);
        for edge in call_edges(function) {
            for callee in points_to.callees(*caller, edge) {
                *calls.entry(*callee).or_default() += 1;
                callees.entry(*caller).or_default().push(*callee);
                if callee == caller || on_cycle(function, edge) {
                    repeated.insert(*callee);
                }
            }
        }
    }
    repeated.extend(calls.iter().filter(|(_, count)| **count > 1).map(|(callee, _)| *callee));
    let mut pending: Vec<FunctionId> = repeated.iter().copied().collect();
    while let Some(function) = pending.pop() {
        for callee in callees.get(&function).into_iter().flatten() {
            if repeated.insert(*callee) {
                pending.push(*callee);
            }
        }
    }
    repeated
}

/// Whether an edge can be taken again within one activation.
pub(crate) fn on_cycle(function: &Function, edge: EdgeId) -> bool {
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
