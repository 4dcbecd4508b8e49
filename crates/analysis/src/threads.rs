//! Which threads there can be: the templates, what code each can run, and which can run in several instances at once.
//!
//! A template is the initial thread, or the threads that one spawn starts. Threads that start with the same function at
//! different spawns are of different templates, since they live at different times.

use crate::call_graph::CallGraph;
use crate::parallel::TemplateSet;
use crate::{PointsTo, SpawnSite};
use selvedge_program::{FunctionId, LocationId, Program, Span};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

/// How many threads of a template, or that start with a function, there can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Replication {
    /// At most one.
    Once,
    /// Perhaps several.
    Many,
}

/// A thread template, by position in [`Threads`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TemplateId(u32);

impl TemplateId {
    /// The initial thread.
    pub const MAIN: TemplateId = TemplateId(0);

    /// The template at a position.
    pub fn new(position: usize) -> TemplateId {
        TemplateId(u32::try_from(position).unwrap_or(u32::MAX))
    }

    /// Its position.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The threads that come from one spawn, or the initial thread.
#[derive(Clone, Debug)]
pub struct Template {
    /// The spawn; `None` for the initial thread.
    pub spawn: Option<SpawnSite>,
    /// Where that is in the source.
    pub span: Span,
    /// The functions that such a thread may start with, sorted.
    pub entries: Vec<FunctionId>,
    /// The functions that it may run, sorted.
    pub functions: Vec<FunctionId>,
    /// How many there can be in one execution.
    pub replication: Replication,
    /// The templates whose threads may execute the spawn, sorted.
    pub parents: Vec<TemplateId>,
}

/// The threads that start with a function, of whatever templates.
#[derive(Clone, Debug)]
pub struct Started {
    /// How many there can be in one execution.
    pub replication: Replication,
    /// Where they are started, sorted; nowhere for `main`.
    pub spawns: Vec<Span>,
}

/// All thread templates of a program; none for a program without a `main`.
#[derive(Clone, Debug, Default)]
pub struct Threads {
    /// The templates; the initial thread's is the first, the others by spawn.
    pub templates: Vec<Template>,
    by_spawn: BTreeMap<SpawnSite, TemplateId>,
    /// Where each spawn starts from.
    pub(crate) sources: BTreeMap<SpawnSite, LocationId>,
    children: Vec<Vec<TemplateId>>,
    /// By template, those that it can start, directly or through others.
    pub descendants: Vec<TemplateSet>,
}

impl Threads {
    /// Whether there may be any number of some of them.
    pub fn are_without_number(&self) -> bool {
        self.templates.iter().any(|template| template.replication == Replication::Many)
    }

    /// Finds the templates.
    pub fn of(program: &Program, points_to: &PointsTo) -> Threads {
        match program.main() {
            Some(main) => Threads::from(program, main, &CallGraph::of(program, points_to)),
            None => Threads::default(),
        }
    }

    fn from(program: &Program, main: FunctionId, graph: &CallGraph<'_>) -> Threads {
        let mut found = BTreeMap::from([(None, template(program, graph, None, vec![main]))]);
        let mut parents: BTreeMap<SpawnSite, BTreeSet<Option<SpawnSite>>> = BTreeMap::new();
        let mut pending: Vec<Option<SpawnSite>> = vec![None];
        while let Some(by) = pending.pop() {
            let functions = found.get(&by).map(|template| template.functions.clone()).unwrap_or_default();
            for function in functions {
                for spawn in graph.spawns(function) {
                    let site = SpawnSite { function, edge: spawn.edge };
                    parents.entry(site).or_default().insert(by);
                    if let Entry::Vacant(new) = found.entry(Some(site)) {
                        new.insert(template(program, graph, Some(site), spawn.callees.to_vec()));
                        pending.push(Some(site));
                    }
                }
            }
        }
        let ids: BTreeMap<Option<SpawnSite>, TemplateId> =
            found.keys().enumerate().map(|(position, site)| (*site, TemplateId::new(position))).collect();
        let mut templates: Vec<Template> = found.into_values().collect();
        for template in &mut templates {
            let spawners = template.spawn.and_then(|site| parents.get(&site)).into_iter().flatten();
            template.parents = spawners.filter_map(|by| ids.get(by).copied()).collect();
        }
        let by_spawn: BTreeMap<SpawnSite, TemplateId> =
            ids.into_iter().filter_map(|(site, id)| Some((site?, id))).collect();
        let source = |site: &SpawnSite| (*site, program.function(site.function).edge(site.edge).source);
        let sources = by_spawn.keys().map(source).collect();
        let mut children = vec![Vec::new(); templates.len()];
        for (position, template) in templates.iter().enumerate() {
            for parent in &template.parents {
                children[parent.index()].push(TemplateId::new(position));
            }
        }
        let mut threads = Threads { templates, by_spawn, sources, children, descendants: Vec::new() };
        threads.replicate(graph);
        threads.descend();
        threads
    }

    /// A template.
    pub fn get(&self, template: TemplateId) -> &Template {
        &self.templates[template.index()]
    }

    /// All of them.
    pub fn ids(&self) -> impl Iterator<Item = TemplateId> + use<> {
        (0..self.templates.len()).map(TemplateId::new)
    }

    /// The template of the threads that a spawn starts.
    pub fn of_spawn(&self, site: SpawnSite) -> Option<TemplateId> {
        self.by_spawn.get(&site).copied()
    }

    /// The functions that threads may run, sorted.
    pub fn functions(&self) -> BTreeSet<FunctionId> {
        self.templates.iter().flat_map(|template| template.functions.iter().copied()).collect()
    }

    /// The functions that threads start with, `main` first.
    pub fn entries(&self) -> Vec<FunctionId> {
        let main = self.templates.first().and_then(|template| template.entries.first());
        let all: BTreeSet<&FunctionId> = self.templates.iter().flat_map(|template| &template.entries).collect();
        main.into_iter().chain(all.into_iter().filter(|entry| Some(*entry) != main)).copied().collect()
    }

    /// The threads that start with a function.
    pub fn started_with(&self, entry: FunctionId) -> Started {
        let all: Vec<&Template> = self.templates.iter().filter(|template| template.entries.contains(&entry)).collect();
        let mut spawns: Vec<Span> =
            all.iter().filter(|template| template.spawn.is_some()).map(|template| template.span).collect();
        spawns.sort_unstable();
        spawns.dedup();
        let is_once = matches!(all.as_slice(), [one] if one.replication == Replication::Once);
        Started { replication: if is_once { Replication::Once } else { Replication::Many }, spawns }
    }

    /// Whether several threads may be among those of some templates.
    pub fn may_be_several(&self, templates: &BTreeSet<TemplateId>) -> bool {
        templates.len() > 1 || templates.iter().any(|template| !self.is_once(*template))
    }

    /// Whether there is at most one thread of a template in every execution.
    pub fn is_once(&self, template: TemplateId) -> bool {
        self.get(template).replication == Replication::Once
    }

    /// The template whose threads are the only ones to start threads of this template, if there is but one.
    pub fn owner(&self, template: TemplateId) -> Option<TemplateId> {
        match self.get(template).parents.as_slice() {
            [parent] => Some(*parent),
            _ => None,
        }
    }

    /// The templates that have threads only if this template has: all ways to start one lead through it.
    pub(crate) fn only_below(&self, template: TemplateId) -> TemplateSet {
        let mut only = self.descendants[template.index()].clone();
        let mut pending: Vec<TemplateId> =
            if template == TemplateId::MAIN { Vec::new() } else { vec![TemplateId::MAIN] };
        let mut seen = TemplateSet::from_iter(pending.iter().copied());
        while let Some(free) = pending.pop() {
            only.remove(free);
            for child in &self.children[free.index()] {
                if *child != template && !seen.contains(*child) {
                    seen.insert(*child);
                    pending.push(*child);
                }
            }
        }
        only
    }

    /// A template has at most one thread if its spawn is executed by one thread only, and by that at most once.
    fn replicate(&mut self, graph: &CallGraph<'_>) {
        let repeated: Vec<BTreeSet<FunctionId>> = self
            .templates
            .iter()
            .map(|template| graph.run_repeatedly(&template.entries, &template.functions))
            .collect();
        let mut pending = vec![TemplateId::MAIN];
        while let Some(parent) = pending.pop() {
            for id in self.ids() {
                let template = &self.templates[id.index()];
                let Some(SpawnSite { function, edge }) = template.spawn else { continue };
                let repeats = graph.spawns(function).iter().any(|site| site.edge == edge && site.repeats);
                let is_new = template.replication == Replication::Many;
                let once = template.parents == [parent] && !repeated[parent.index()].contains(&function) && !repeats;
                if is_new && once {
                    self.templates[id.index()].replication = Replication::Once;
                    pending.push(id);
                }
            }
        }
    }

    fn descend(&mut self) {
        self.descendants = vec![TemplateSet::default(); self.templates.len()];
        let mut pending: Vec<TemplateId> = self.ids().collect();
        while let Some(id) = pending.pop() {
            let mut below = self.descendants[id.index()].clone();
            below.insert(id);
            for parent in self.templates[id.index()].parents.clone() {
                if self.descendants[parent.index()].add(&below) {
                    pending.push(parent);
                }
            }
        }
    }
}

/// A template whose parents and number of threads are not known yet.
fn template(program: &Program, graph: &CallGraph<'_>, spawn: Option<SpawnSite>, entries: Vec<FunctionId>) -> Template {
    Template {
        spawn,
        span: spawn.map_or(Span::NOWHERE, |site| program.function(site.function).edge(site.edge).span),
        functions: graph.reachable(&entries),
        entries,
        replication: if spawn.is_none() { Replication::Once } else { Replication::Many },
        parents: Vec::new(),
    }
}
