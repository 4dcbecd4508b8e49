//! Who calls and who starts whom, looked up once for everything that walks over it for every thread.
//!
//! Calls through pointers often have the same long list of functions that they may enter. What is known of such a list
//! is found once for all of them: what walks over calls looks at every list once, not at every function of every call.

use crate::PointsTo;
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use selvedge_program::{EdgeId, Function, FunctionId, LocationId, Program, Transfer};
use std::collections::{BTreeMap, BTreeSet};

/// A list of functions, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ListId(u32);

impl ListId {
    /// Its position.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A call or spawn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Site<'a> {
    pub edge: EdgeId,
    /// The functions it may enter, sorted.
    pub callees: &'a [FunctionId],
    pub list: ListId,
    /// Whether one activation can execute it more than once.
    pub repeats: bool,
}

/// The calls and spawns of every function.
#[derive(Debug, Default)]
pub(crate) struct CallGraph<'a> {
    calls: Vec<Vec<Site<'a>>>,
    spawns: Vec<Vec<Site<'a>>>,
    lists: IndexSet<&'a [FunctionId], FxBuildHasher>,
    /// By list, who calls one of it.
    callers: Vec<Vec<FunctionId>>,
    /// By function, the lists that it is in.
    containing: Vec<Vec<ListId>>,
}

impl<'a> CallGraph<'a> {
    pub fn of(program: &Program, points_to: &'a PointsTo) -> CallGraph<'a> {
        let mut graph = CallGraph { containing: vec![Vec::new(); program.functions.len()], ..CallGraph::default() };
        for (index, function) in program.functions.iter().enumerate() {
            let id = FunctionId::new(index);
            let (mut calls, mut spawns) = (Vec::new(), Vec::new());
            for (position, edge) in function.edges.iter().enumerate() {
                let sites = match edge.action.transfer() {
                    Transfer::Call { .. } => &mut calls,
                    Transfer::Spawn { .. } => &mut spawns,
                    Transfer::Along
                    | Transfer::Return { .. }
                    | Transfer::ThreadExit { .. }
                    | Transfer::Exit { .. }
                    | Transfer::AtomicBegin
                    | Transfer::AtomicEnd
                    | Transfer::Unknown => continue,
                };
                let at = EdgeId::new(position);
                let callees = points_to.callees(id, at);
                let list = graph.list(callees);
                sites.push(Site { edge: at, callees, list, repeats: on_cycle(function, at) });
            }
            for list in calls.iter().map(|site| site.list) {
                if graph.callers[list.index()].last() != Some(&id) {
                    graph.callers[list.index()].push(id);
                }
            }
            graph.calls.push(calls);
            graph.spawns.push(spawns);
        }
        graph
    }

    fn list(&mut self, functions: &'a [FunctionId]) -> ListId {
        let (index, is_new) = self.lists.insert_full(functions);
        let list = ListId(index as u32);
        if is_new {
            self.callers.push(Vec::new());
            functions.iter().for_each(|function| self.containing[function.index()].push(list));
        }
        list
    }

    /// The calls in a function, by edge.
    pub fn calls(&self, function: FunctionId) -> &[Site<'a>] {
        &self.calls[function.index()]
    }

    /// The spawns in a function, by edge.
    pub fn spawns(&self, function: FunctionId) -> &[Site<'a>] {
        &self.spawns[function.index()]
    }

    /// How many lists of functions there are.
    pub fn list_count(&self) -> usize {
        self.lists.len()
    }

    /// The lists of functions, by number.
    pub fn lists(&self) -> impl Iterator<Item = &'a [FunctionId]> {
        self.lists.iter().copied()
    }

    /// The functions that a call may enter.
    pub fn list_at(&self, function: FunctionId, edge: EdgeId) -> Option<ListId> {
        let calls = self.calls(function);
        calls.binary_search_by_key(&edge, |site| site.edge).ok().map(|position| calls[position].list)
    }

    /// The functions of a list, sorted.
    pub fn functions(&self, list: ListId) -> &'a [FunctionId] {
        self.lists.get_index(list.index()).copied().unwrap_or_default()
    }

    /// The lists that a function is in.
    pub fn containing(&self, function: FunctionId) -> &[ListId] {
        &self.containing[function.index()]
    }

    /// Who may call a function of a list.
    pub fn callers(&self, list: ListId) -> &[FunctionId] {
        &self.callers[list.index()]
    }

    /// Some functions with all that they may call, directly or not.
    fn with_callees(&self, some: BTreeSet<FunctionId>) -> BTreeSet<FunctionId> {
        let mut pending: Vec<FunctionId> = some.iter().copied().collect();
        let (mut all, mut seen) = (some, vec![false; self.lists.len()]);
        while let Some(function) = pending.pop() {
            for site in self.calls(function) {
                if !std::mem::replace(&mut seen[site.list.index()], true) {
                    pending.extend(site.callees.iter().filter(|callee| all.insert(**callee)));
                }
            }
        }
        all
    }

    /// Some functions with those that may call them, directly or not, as far as `is_caller` says.
    pub fn with_callers(
        &self,
        some: BTreeSet<FunctionId>,
        is_caller: impl Fn(FunctionId) -> bool,
    ) -> BTreeSet<FunctionId> {
        let mut pending: Vec<FunctionId> = some.iter().copied().collect();
        let (mut all, mut seen) = (some, vec![false; self.lists.len()]);
        while let Some(callee) = pending.pop() {
            for list in self.containing(callee) {
                if !std::mem::replace(&mut seen[list.index()], true) {
                    let callers = self.callers(*list).iter().filter(|caller| is_caller(**caller));
                    pending.extend(callers.filter(|caller| all.insert(**caller)));
                }
            }
        }
        all
    }

    /// Some functions, each after those that it calls, but where these call it in turn.
    pub fn callees_first(&self, some: &BTreeSet<FunctionId>) -> Vec<FunctionId> {
        let mut order = Vec::new();
        let (mut entered, mut seen) = (BTreeSet::new(), vec![false; self.lists.len()]);
        for root in some {
            let mut pending = vec![Visit::Enter(*root)];
            while let Some(visit) = pending.pop() {
                match visit {
                    Visit::Enter(function) if some.contains(&function) && entered.insert(function) => {
                        pending.push(Visit::Leave(function));
                        for site in self.calls(function) {
                            if !std::mem::replace(&mut seen[site.list.index()], true) {
                                pending.extend(site.callees.iter().copied().map(Visit::Enter));
                            }
                        }
                    }
                    Visit::Enter(_) => {}
                    Visit::Leave(function) => order.push(function),
                }
            }
        }
        order
    }

    /// The functions that a thread may run that starts with one of `entries`, sorted.
    pub fn reachable(&self, entries: &[FunctionId]) -> Vec<FunctionId> {
        self.with_callees(entries.iter().copied().collect()).into_iter().collect()
    }

    /// Of the functions that a thread may run, those that it may run more than once. It starts with one of `entries`.
    pub fn run_repeatedly(&self, entries: &[FunctionId], functions: &[FunctionId]) -> BTreeSet<FunctionId> {
        let mut repeated = BTreeSet::new();
        let mut calls = vec![0_u32; self.lists.len()];
        for caller in functions {
            for site in self.calls(*caller) {
                calls[site.list.index()] += if site.repeats { 2 } else { 1 };
                if site.callees.binary_search(caller).is_ok() {
                    repeated.insert(*caller);
                }
            }
        }
        let mut times: BTreeMap<FunctionId, u32> = entries.iter().map(|entry| (*entry, 1)).collect();
        for (functions, calls) in self.lists.iter().zip(calls).filter(|(_, calls)| *calls > 0) {
            functions.iter().for_each(|function| *times.entry(*function).or_default() += calls);
        }
        repeated.extend(times.into_iter().filter(|(_, times)| *times > 1).map(|(function, _)| function));
        self.with_callees(repeated)
    }
}

/// A step of a walk in depth.
enum Visit {
    Enter(FunctionId),
    /// All that the function calls has been walked over.
    Leave(FunctionId),
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
