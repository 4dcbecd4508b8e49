//! Thread classes: the initial thread, and for every spawn the threads it starts.
//!
//! Finer than templates: threads that start with the same function at different spawns are of different classes, since they live at
//! different times.

use super::set::ClassSet;
use crate::call_graph::CallGraph;
use crate::{Replication, SpawnSite};
use selvedge_program::{FunctionId, LocationId, Program, Span};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

/// A thread class, by position in [`Classes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClassId(u32);

impl ClassId {
    /// The initial thread.
    pub const MAIN: ClassId = ClassId(0);

    /// The class at a position.
    pub fn new(position: usize) -> ClassId {
        ClassId(u32::try_from(position).unwrap_or(u32::MAX))
    }

    /// Its position.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The threads that come from one spawn, or the initial thread.
#[derive(Clone, Debug)]
pub struct ThreadClass {
    /// The spawn; `None` for the initial thread.
    pub spawn: Option<SpawnSite>,
    /// Where that is in the source.
    pub span: Span,
    /// The functions that such a thread may start with, sorted.
    pub entries: Vec<FunctionId>,
    /// The functions that it may run, sorted.
    pub functions: Vec<FunctionId>,
    /// Whether there can be several in one execution.
    pub replication: Replication,
    /// The classes whose threads may execute the spawn, sorted.
    pub parents: Vec<ClassId>,
}

/// All thread classes of a program.
#[derive(Clone, Debug)]
pub struct Classes {
    /// The classes; the initial thread's is the first, the others by spawn.
    pub all: Vec<ThreadClass>,
    by_spawn: BTreeMap<SpawnSite, ClassId>,
    /// Where each spawn starts from.
    pub(super) sources: BTreeMap<SpawnSite, LocationId>,
    children: Vec<Vec<ClassId>>,
    /// By class, those that it can start, directly or through others.
    pub descendants: Vec<ClassSet>,
}

impl Classes {
    /// Finds the classes. `None` for a program without a `main`.
    pub(crate) fn of(program: &Program, graph: &CallGraph<'_>) -> Option<Classes> {
        let main = program.templates.first()?.function;
        let mut found = BTreeMap::from([(None, class(program, graph, None, vec![main]))]);
        let mut parents: BTreeMap<SpawnSite, BTreeSet<Option<SpawnSite>>> = BTreeMap::new();
        let mut pending: Vec<Option<SpawnSite>> = vec![None];
        while let Some(by) = pending.pop() {
            let functions = found.get(&by).map(|class| class.functions.clone()).unwrap_or_default();
            for function in functions {
                for spawn in graph.spawns(function) {
                    let site = SpawnSite { function, edge: spawn.edge };
                    parents.entry(site).or_default().insert(by);
                    if let Entry::Vacant(new) = found.entry(Some(site)) {
                        new.insert(class(program, graph, Some(site), spawn.callees.to_vec()));
                        pending.push(Some(site));
                    }
                }
            }
        }
        let ids: BTreeMap<Option<SpawnSite>, ClassId> =
            found.keys().enumerate().map(|(position, site)| (*site, ClassId::new(position))).collect();
        let mut all: Vec<ThreadClass> = found.into_values().collect();
        for class in &mut all {
            let spawners = class.spawn.and_then(|site| parents.get(&site)).into_iter().flatten();
            class.parents = spawners.filter_map(|by| ids.get(by).copied()).collect();
        }
        let by_spawn: BTreeMap<SpawnSite, ClassId> =
            ids.into_iter().filter_map(|(site, id)| Some((site?, id))).collect();
        let source = |site: &SpawnSite| (*site, program.function(site.function).edge(site.edge).source);
        let sources = by_spawn.keys().map(source).collect();
        let mut children = vec![Vec::new(); all.len()];
        for (position, class) in all.iter().enumerate() {
            for parent in &class.parents {
                children[parent.index()].push(ClassId::new(position));
            }
        }
        let mut classes = Classes { all, by_spawn, sources, children, descendants: Vec::new() };
        classes.replicate(graph);
        classes.descend();
        Some(classes)
    }

    /// A class.
    pub fn get(&self, class: ClassId) -> &ThreadClass {
        &self.all[class.index()]
    }

    /// All of them.
    pub fn ids(&self) -> impl Iterator<Item = ClassId> + use<> {
        (0..self.all.len()).map(ClassId::new)
    }

    /// The class of the threads that a spawn starts.
    pub fn of_spawn(&self, site: SpawnSite) -> Option<ClassId> {
        self.by_spawn.get(&site).copied()
    }

    /// Whether there is at most one thread of a class in every execution.
    pub fn is_once(&self, class: ClassId) -> bool {
        self.get(class).replication == Replication::Once
    }

    /// The class whose threads are the only ones to start threads of this class, if there is but one.
    pub fn owner(&self, class: ClassId) -> Option<ClassId> {
        match self.get(class).parents.as_slice() {
            [parent] => Some(*parent),
            _ => None,
        }
    }

    /// The classes that have threads only if this class has: all ways to start one lead through it.
    pub(super) fn only_below(&self, class: ClassId) -> ClassSet {
        let mut only = self.descendants[class.index()].clone();
        let mut pending: Vec<ClassId> = if class == ClassId::MAIN { Vec::new() } else { vec![ClassId::MAIN] };
        let mut seen = ClassSet::from_iter(pending.iter().copied());
        while let Some(free) = pending.pop() {
            only.remove(free);
            for child in &self.children[free.index()] {
                if *child != class && !seen.contains(*child) {
                    seen.insert(*child);
                    pending.push(*child);
                }
            }
        }
        only
    }

    /// A class has at most one thread if its spawn is executed by one thread only, and by that at most once.
    fn replicate(&mut self, graph: &CallGraph<'_>) {
        let repeated: Vec<BTreeSet<FunctionId>> =
            self.all.iter().map(|class| graph.run_repeatedly(&class.entries, &class.functions)).collect();
        let mut pending = vec![ClassId::MAIN];
        while let Some(parent) = pending.pop() {
            for id in self.ids() {
                let class = &self.all[id.index()];
                let Some(SpawnSite { function, edge }) = class.spawn else { continue };
                let repeats = graph.spawns(function).iter().any(|site| site.edge == edge && site.repeats);
                let is_new = class.replication == Replication::Many;
                let once = class.parents == [parent] && !repeated[parent.index()].contains(&function) && !repeats;
                if is_new && once {
                    self.all[id.index()].replication = Replication::Once;
                    pending.push(id);
                }
            }
        }
    }

    fn descend(&mut self) {
        self.descendants = vec![ClassSet::default(); self.all.len()];
        let mut pending: Vec<ClassId> = self.ids().collect();
        while let Some(id) = pending.pop() {
            let mut below = self.descendants[id.index()].clone();
            below.insert(id);
            for parent in self.all[id.index()].parents.clone() {
                if self.descendants[parent.index()].add(&below) {
                    pending.push(parent);
                }
            }
        }
    }
}

/// A class whose parents and number of threads are not known yet.
fn class(program: &Program, graph: &CallGraph<'_>, spawn: Option<SpawnSite>, entries: Vec<FunctionId>) -> ThreadClass {
    ThreadClass {
        spawn,
        span: spawn.map_or(Span::NOWHERE, |site| program.function(site.function).edge(site.edge).span),
        functions: graph.reachable(&entries),
        entries,
        replication: if spawn.is_none() { Replication::Once } else { Replication::Many },
        parents: Vec::new(),
    }
}
