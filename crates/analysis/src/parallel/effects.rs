//! What a template counts on its way, and what its edges do to those counts.
//!
//! Numbers of threads not yet joined, of each template that it owns and of each set of such templates that a join of
//! its may wait for; whether it has started threads of a template at all; and of the templates with one thread that
//! others own, whether it may still run.

use super::TemplateSet;
use super::count::{Change, Count};
use crate::call_graph::CallGraph;
use crate::{PointsTo, SpawnSite};
use crate::{TemplateId, Threads};
use rustc_hash::FxHashMap;
use selvedge_program::{EdgeId, FunctionId, Program};
use std::collections::{BTreeMap, BTreeSet};

/// Something that is counted.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Quantity {
    /// The threads of these templates, all owned by the executing template, that have been started and not been joined.
    Unjoined(TemplateSet),
    /// Whether the executing thread has started one of this template.
    Started(TemplateId),
    /// Whether the only thread of this template, which another template owns, may be running now or later.
    Running(TemplateId),
}

/// The joins of a program: for every function, the edges that wait for a thread, with the templates it may be of.
#[derive(Debug, Default)]
pub struct Joins {
    edges: BTreeMap<FunctionId, Vec<(EdgeId, TemplateSet)>>,
}

impl Joins {
    /// Finds them.
    pub fn of(program: &Program, points_to: &PointsTo, threads: &Threads) -> Joins {
        let mut joins = Joins::default();
        for (index, function) in program.functions.iter().enumerate() {
            let id = FunctionId::new(index);
            for (index, edge) in function.edges.iter().enumerate() {
                let Some(sites) = edge.action.joined_thread().and_then(|thread| points_to.threads(id, thread)) else {
                    continue;
                };
                // A spawn without a template is never executed.
                let joined: TemplateSet = sites.into_iter().filter_map(|site| threads.of_spawn(site)).collect();
                if !joined.is_empty() {
                    joins.edges.entry(id).or_default().push((EdgeId::new(index), joined));
                }
            }
        }
        joins
    }

    fn in_function(&self, function: FunctionId) -> &[(EdgeId, TemplateSet)] {
        self.edges.get(&function).map_or(&[], Vec::as_slice)
    }
}

/// What the edges of a template do to its quantities.
#[derive(Debug)]
pub struct Effects {
    /// What is counted.
    pub quantities: Vec<Quantity>,
    /// What is known of each at the start of a thread of the template.
    pub initial: Vec<Count>,
    edges: FxHashMap<(FunctionId, EdgeId), Vec<(usize, Change)>>,
    /// The functions that may change a quantity, directly or in a callee.
    pub relevant: BTreeSet<FunctionId>,
}

impl Effects {
    /// Of one template.
    pub fn of(graph: &CallGraph<'_>, threads: &Threads, joins: &Joins, template: TemplateId) -> Effects {
        let functions = &threads.get(template).functions;
        let spawns = spawns(graph, threads, functions);
        // A thread that waits for itself does not wait.
        let waits: Vec<(FunctionId, EdgeId, &TemplateSet)> = functions
            .iter()
            .flat_map(|function| joins.in_function(*function).iter().map(|(edge, joined)| (*function, *edge, joined)))
            .filter(|(_, _, joined)| !joined.contains(template))
            .collect();
        let is_owned = |other: TemplateId| threads.owner(other) == Some(template);
        let mut quantities: BTreeSet<Quantity> = BTreeSet::new();
        for (_, child) in &spawns {
            quantities.insert(Quantity::Started(*child));
            if is_owned(*child) {
                quantities.insert(Quantity::Unjoined(TemplateSet::from_iter([*child])));
            }
        }
        for (_, _, joined) in &waits {
            if joined.iter().all(is_owned) {
                quantities.insert(Quantity::Unjoined((*joined).clone()));
            }
            if let Some(other) = single(joined)
                && threads.is_once(other)
                && !is_owned(other)
            {
                quantities.insert(Quantity::Running(other));
            }
        }
        let quantities: Vec<Quantity> = quantities.into_iter().collect();
        let mut edges: FxHashMap<(FunctionId, EdgeId), Vec<(usize, Change)>> = FxHashMap::default();
        for (site, child) in &spawns {
            edges.entry((site.function, site.edge)).or_default().extend(changes(
                &quantities,
                |quantity| match quantity {
                    Quantity::Unjoined(of) => of.contains(*child).then_some(Change::MORE),
                    Quantity::Started(started) => (started == child).then_some(Change::SOME),
                    Quantity::Running(_) => None,
                },
            ));
        }
        for (function, edge, joined) in &waits {
            edges.entry((*function, *edge)).or_default().extend(changes(&quantities, |quantity| match quantity {
                Quantity::Unjoined(of) => joined.iter().all(|other| of.contains(other)).then_some(Change::LESS),
                Quantity::Started(_) => None,
                Quantity::Running(other) => (single(joined) == Some(*other)).then_some(Change::GONE),
            }));
        }
        edges.retain(|_, changes| !changes.is_empty());
        let initial = quantities.iter().map(|quantity| Count::from(matches!(quantity, Quantity::Running(_)))).collect();
        let direct = edges.keys().map(|(function, _)| *function).collect();
        let relevant = graph.with_callers(direct, |caller| functions.binary_search(&caller).is_ok());
        Effects { quantities, initial, edges, relevant }
    }

    /// What an edge itself does, callees apart.
    pub fn edge(&self, function: FunctionId, edge: EdgeId) -> &[(usize, Change)] {
        self.edges.get(&(function, edge)).map_or(&[], Vec::as_slice)
    }
}

fn spawns(graph: &CallGraph<'_>, threads: &Threads, functions: &[FunctionId]) -> Vec<(SpawnSite, TemplateId)> {
    let mut found = Vec::new();
    for function in functions {
        for spawn in graph.spawns(*function) {
            let site = SpawnSite { function: *function, edge: spawn.edge };
            found.extend(threads.of_spawn(site).map(|template| (site, template)));
        }
    }
    found
}

fn single(set: &TemplateSet) -> Option<TemplateId> {
    let mut members = set.iter();
    let first = members.next()?;
    members.next().is_none().then_some(first)
}

fn changes(quantities: &[Quantity], change: impl Fn(&Quantity) -> Option<Change>) -> Vec<(usize, Change)> {
    quantities.iter().enumerate().filter_map(|(number, quantity)| Some((number, change(quantity)?))).collect()
}
