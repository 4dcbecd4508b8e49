//! Which threads there can be: the templates, what code each can run, and which can run in several instances at once.

use crate::PointsTo;
use crate::call_graph::CallGraph;
use rustc_hash::FxHashMap;
use selvedge_program::{FunctionId, Program, Span};
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
        let graph = &CallGraph::of(program, points_to);
        let mut spawned: BTreeMap<FunctionId, Vec<SpawnSite>> = BTreeMap::new();
        let mut pending = vec![main.function];
        let mut reach: BTreeMap<FunctionId, Vec<FunctionId>> = BTreeMap::new();
        while let Some(entry) = pending.pop() {
            if reach.contains_key(&entry) {
                continue;
            }
            let functions = graph.reachable(&[entry]);
            for function in &functions {
                for site in graph.spawns(*function) {
                    for callee in site.callees {
                        spawned.entry(*callee).or_default().push(SpawnSite {
                            by: entry,
                            function: *function,
                            repeats: site.repeats,
                            span: site.span,
                        });
                        pending.push(*callee);
                    }
                }
            }
            reach.insert(entry, functions);
        }
        let replicated = replicated(graph, main.function, &spawned, &reach);
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
    repeats: bool,
    span: Span,
}

/// The templates that can have several instances: started from two places, from a place that can run twice, or by a template
/// that can itself have several.
fn replicated(
    graph: &CallGraph<'_>,
    main: FunctionId,
    spawned: &BTreeMap<FunctionId, Vec<SpawnSite>>,
    reach: &BTreeMap<FunctionId, Vec<FunctionId>>,
) -> BTreeSet<FunctionId> {
    let repeated: FxHashMap<FunctionId, BTreeSet<FunctionId>> =
        reach.iter().map(|(entry, functions)| (*entry, graph.run_repeatedly(&[*entry], functions))).collect();
    let mut many = BTreeSet::new();
    for (entry, sites) in spawned {
        let twice = sites.iter().any(|site| site.repeats || repeated[&site.by].contains(&site.function));
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
