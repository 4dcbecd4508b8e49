//! The places of the threads that run a function: a location of a function, by which calls it was reached, and how
//! deep in atomic sections. Calls are inlined.
//!
//! Where recursion is [merged](Recursion::Merged), a function that is active already is not inlined once more: the call
//! leads to the activation that there is, and what returns from that may return to the caller of any. So a place
//! stands for all depths of the recursion. The functions from that activation up to the caller are a *circle*: their
//! registers mean those of the innermost activation, and nothing is known of them after the call and after the return
//! (`View::moved` forgets them). Nothing else is the matter with it: an activation whose registers are overwritten by
//! those of an inner one is either still among the calls under way, so that the inner one was entered by a merged call,
//! or was dropped by one, whose return forgets it. Their locals in memory are several objects, of which nothing is tracked
//! (`Universe::is_own`).
//!
//! Where there would be very many places, functions that stand for most of them are *shared* (`shared.rs`): all calls
//! of such a function lead to one activation, and what returns from that may return to any of these. That is more than can
//! happen, so what holds at these places holds. Only functions are shared that no way of calls leads back to, so there is
//! one activation of them at a time, as of all others outside of circles.

mod shared;

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;
use selvedge_program::{Callee, Edge, EdgeId, FunctionId, LocationId, Program, Transfer};

/// A place of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

/// A step between places.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ArcId(pub u32);

/// The calls that are under way: an index into a tree whose root is 0.
type StackId = u32;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Node {
    stack: StackId,
    pub function: FunctionId,
    pub location: LocationId,
    /// How many atomic sections have begun and not ended.
    pub sections: u32,
}

/// How a step moves control.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ArcKind {
    /// Along the edge.
    Step,
    /// To the beginning of a function.
    Call(FunctionId),
    /// Back to the caller, behind this edge of it.
    Return(FunctionId, EdgeId),
    /// Along the edge, and a thread is started with a function.
    Spawn(FunctionId),
    /// The thread ends, or the process; or what is called is no function.
    End,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arc {
    pub source: NodeId,
    pub edge: EdgeId,
    pub kind: ArcKind,
    /// `None` where the thread ends.
    pub target: Option<NodeId>,
}

/// Whom the indirect calls and starts of threads may mean, by edge.
pub type Callees = BTreeMap<(FunctionId, EdgeId), BTreeSet<FunctionId>>;

/// The places of the threads that run one function.
#[derive(Clone, Debug, Default)]
pub struct Unfolded {
    pub nodes: Vec<Node>,
    pub arcs: Vec<Arc>,
    pub outgoing: Vec<Vec<ArcId>>,
    /// The stacks: the one below, and the call on top.
    stacks: Vec<(StackId, FunctionId, EdgeId)>,
    /// The merged calls.
    pub circles: Circles,
    /// Where activations return to after merged calls, and the places from which they return.
    resumed: BTreeMap<Activation, BTreeSet<(StackId, FunctionId, EdgeId)>>,
    /// The functions of which there is one activation however often they are called, and these activations, by how
    /// deep in atomic sections they are called.
    shared: BTreeSet<FunctionId>,
    shared_stacks: BTreeMap<(FunctionId, u32), StackId>,
    /// With more places than this, it is too large.
    most: usize,
    returning: BTreeMap<Activation, Vec<(NodeId, EdgeId)>>,
}

/// What becomes of functions that call each other in a circle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recursion {
    /// They cannot be unfolded.
    Refused,
    /// All depths are one.
    Merged,
}

/// By call and function called, the functions that are active several times when the call leads back to one of them.
pub type Circles = BTreeMap<(FunctionId, EdgeId, FunctionId), BTreeSet<FunctionId>>;

/// An activation: the calls under way when it began, and its function.
type Activation = (StackId, FunctionId);

/// Why a thread cannot be unfolded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    Recursion(FunctionId),
    /// An atomic section ends that was not begun.
    Section(FunctionId),
    TooLarge,
}

/// With more places than this, a thread is not unfolded.
const MOST_NODES: usize = 100_000;

/// With more places than this, some functions are shared.
const MOST_APART: usize = 20_000;

impl Unfolded {
    /// The threads that run a function.
    ///
    /// # Errors
    /// If functions call each other in a circle and that is refused, or there are too many places.
    pub fn of(
        program: &Program,
        entry: FunctionId,
        callees: &Callees,
        recursion: Recursion,
    ) -> Result<Unfolded, Refused> {
        if recursion == Recursion::Refused {
            return Unfolded::sharing(program, entry, (callees, recursion), BTreeSet::new(), MOST_NODES);
        }
        match Unfolded::sharing(program, entry, (callees, recursion), BTreeSet::new(), MOST_APART) {
            Err(Refused::TooLarge) => {
                let shared = shared::functions(program, entry, callees);
                Unfolded::sharing(program, entry, (callees, recursion), shared, MOST_NODES)
            }
            unfolded => unfolded,
        }
    }

    /// The same, where some functions are shared, and with no more places than this.
    fn sharing(
        program: &Program,
        entry: FunctionId,
        (callees, recursion): (&Callees, Recursion),
        shared: BTreeSet<FunctionId>,
        most: usize,
    ) -> Result<Unfolded, Refused> {
        let mut unfolded = Unfolded { stacks: vec![(0, entry, EdgeId(0))], shared, most, ..Unfolded::default() };
        let mut known = FxHashMap::default();
        let first = Node { stack: 0, function: entry, location: program.function(entry).entry, sections: 0 };
        let mut pending = vec![unfolded.node(first, &mut known)?];
        let mut stacks = FxHashMap::default();
        let mut seen = 0;
        while let Some(source) = pending.pop() {
            let node = unfolded.nodes[source.0 as usize];
            let function = program.function(node.function);
            for &edge in &function.location(node.location).outgoing {
                for (kind, target) in unfolded.targets(program, node, edge, callees, recursion, &mut stacks)? {
                    unfolded.add(source, edge, (kind, target), &mut known)?;
                }
                match function.edge(edge).action.transfer() {
                    Transfer::Return { .. } => {
                        let activation = (node.stack, node.function);
                        unfolded.returning.entry(activation).or_default().push((source, edge));
                        for resumed in unfolded.resumed.get(&activation).cloned().unwrap_or_default() {
                            let back = resume(program, resumed, node.sections);
                            unfolded.add(source, edge, back, &mut known)?;
                        }
                    }
                    Transfer::Call { .. } => unfolded.add_returns(program, node, edge, &mut known)?,
                    Transfer::Along
                    | Transfer::Spawn { .. }
                    | Transfer::ThreadExit { .. }
                    | Transfer::Exit { .. }
                    | Transfer::AtomicBegin
                    | Transfer::AtomicEnd
                    | Transfer::Unknown => {}
                }
            }
            seen = seen.max(1);
            while seen < unfolded.nodes.len() {
                pending.push(NodeId(seen as u32));
                seen += 1;
            }
        }
        Ok(unfolded)
    }

    fn add(
        &mut self,
        source: NodeId,
        edge: EdgeId,
        (kind, target): (ArcKind, Option<Node>),
        known: &mut FxHashMap<Node, NodeId>,
    ) -> Result<(), Refused> {
        let target = target.map(|target| self.node(target, known)).transpose()?;
        let arc = ArcId(self.arcs.len() as u32);
        self.arcs.push(Arc { source, edge, kind, target });
        self.outgoing[source.0 as usize].push(arc);
        Ok(())
    }

    /// Where what was called by a merged call has returned from already, it returns behind the call, too.
    fn add_returns(
        &mut self,
        program: &Program,
        node: Node,
        edge: EdgeId,
        known: &mut FxHashMap<Node, NodeId>,
    ) -> Result<(), Refused> {
        let call = (node.stack, node.function, edge);
        let resumed = self.resumed.iter().filter(|(_, calls)| calls.contains(&call));
        let returning: Vec<(NodeId, EdgeId)> =
            resumed.filter_map(|(activation, _)| self.returning.get(activation)).flatten().copied().collect();
        for (source, returns) in returning {
            let back = resume(program, call, self.get(source).sections);
            let is_new = !self.outgoing(source).iter().any(|arc| {
                let arc = self.arc(*arc);
                arc.kind == back.0 && arc.target.map(|target| self.get(target)) == back.1
            });
            if is_new {
                self.add(source, returns, back, known)?;
            }
        }
        Ok(())
    }

    /// Where the thread begins.
    pub fn first(&self) -> NodeId {
        NodeId(0)
    }

    pub fn get(&self, node: NodeId) -> Node {
        self.nodes[node.0 as usize]
    }

    pub fn arc(&self, arc: ArcId) -> Arc {
        self.arcs[arc.0 as usize]
    }

    pub fn outgoing(&self, node: NodeId) -> &[ArcId] {
        &self.outgoing[node.0 as usize]
    }

    /// The functions that are active at a place, the innermost first; where a shared one is among them, those that may be.
    pub fn active(&self, node: NodeId) -> Vec<FunctionId> {
        let node = self.get(node);
        let mut active = vec![node.function];
        let mut seen = BTreeSet::new();
        let mut stacks = vec![(node.stack, node.function)];
        while let Some((stack, function)) = stacks.pop() {
            let is_shared = self.shared.contains(&function);
            let others = self.resumed.get(&(stack, function)).filter(|_| is_shared);
            let below = (stack != 0).then(|| self.stacks[stack as usize]);
            for (below, caller, _) in others.into_iter().flatten().copied().chain(below) {
                if seen.insert((below, caller)) {
                    active.push(caller);
                    stacks.push((below, caller));
                }
            }
        }
        active
    }

    fn node(&mut self, node: Node, known: &mut FxHashMap<Node, NodeId>) -> Result<NodeId, Refused> {
        if let Some(id) = known.get(&node) {
            return Ok(*id);
        }
        if self.nodes.len() >= self.most {
            return Err(Refused::TooLarge);
        }
        let id = NodeId(self.nodes.len() as u32);
        known.insert(node, id);
        self.nodes.push(node);
        self.outgoing.push(Vec::new());
        Ok(id)
    }

    fn targets(
        &mut self,
        program: &Program,
        node: Node,
        edge: EdgeId,
        callees: &Callees,
        recursion: Recursion,
        stacks: &mut FxHashMap<(StackId, FunctionId, EdgeId), StackId>,
    ) -> Result<Vec<(ArcKind, Option<Node>)>, Refused> {
        let definition: &Edge = program.function(node.function).edge(edge);
        let along = Node { location: definition.target, ..node };
        let meant = |callee: &Callee| match callee {
            Callee::Direct(function) => vec![*function],
            Callee::Indirect(_) => callees.get(&(node.function, edge)).into_iter().flatten().copied().collect(),
        };
        Ok(match definition.action.transfer() {
            Transfer::Call { callee, .. } => {
                let mut calls = nobody(callee);
                for callee in meant(callee) {
                    let call = (node.stack, node.function, edge);
                    if let Some((active, circle)) = self.active_from(node, callee) {
                        if recursion == Recursion::Refused {
                            return Err(Refused::Recursion(callee));
                        }
                        self.circles.entry((node.function, edge, callee)).or_default().extend(circle);
                        self.resumed.entry((active, callee)).or_default().insert(call);
                        let location = program.function(callee).entry;
                        let entry = Node { stack: active, function: callee, location, sections: node.sections };
                        calls.push((ArcKind::Call(callee), Some(entry)));
                        continue;
                    }
                    let known = self.shared_stacks.get(&(callee, node.sections)).copied();
                    let stack = known.unwrap_or_else(|| {
                        let is_shared = self.shared.contains(&callee);
                        let mut new = || {
                            self.stacks.push(call);
                            self.stacks.len() as StackId - 1
                        };
                        if is_shared { new() } else { *stacks.entry(call).or_insert_with(new) }
                    });
                    if known.is_some() {
                        self.resumed.entry((stack, callee)).or_default().insert(call);
                    } else if self.shared.contains(&callee) {
                        self.shared_stacks.insert((callee, node.sections), stack);
                    }
                    let location = program.function(callee).entry;
                    let entry = Node { stack, function: callee, location, sections: node.sections };
                    calls.push((ArcKind::Call(callee), Some(entry)));
                }
                calls
            }
            Transfer::Return { .. } => {
                if node.stack == 0 {
                    return Ok(vec![(ArcKind::End, None)]);
                }
                vec![resume(program, self.stacks[node.stack as usize], node.sections)]
            }
            Transfer::Spawn { entry, .. } => {
                let started = meant(entry).into_iter().map(|entry| (ArcKind::Spawn(entry), Some(along)));
                nobody(entry).into_iter().chain(started).collect()
            }
            Transfer::ThreadExit { .. } | Transfer::Exit { .. } => vec![(ArcKind::End, None)],
            Transfer::AtomicBegin => vec![(ArcKind::Step, Some(Node { sections: node.sections + 1, ..along }))],
            Transfer::AtomicEnd => {
                let sections = node.sections.checked_sub(1).ok_or(Refused::Section(node.function))?;
                vec![(ArcKind::Step, Some(Node { sections, ..along }))]
            }
            Transfer::Along | Transfer::Unknown => vec![(ArcKind::Step, Some(along))],
        })
    }

    /// The calls under way when the activation of a function began, if it is active at a place; with the functions that
    /// are active from there on.
    fn active_from(&self, node: Node, function: FunctionId) -> Option<(StackId, BTreeSet<FunctionId>)> {
        let (mut stack, mut active) = (node.stack, node.function);
        let mut circle = BTreeSet::from([active]);
        while active != function {
            if stack == 0 {
                return None;
            }
            (stack, active, _) = self.stacks[stack as usize];
            circle.insert(active);
        }
        Some((stack, circle))
    }
}

/// Back behind a call.
fn resume(
    program: &Program,
    (stack, caller, call): (StackId, FunctionId, EdgeId),
    sections: u32,
) -> (ArcKind, Option<Node>) {
    let location = program.function(caller).edge(call).target;
    (ArcKind::Return(caller, call), Some(Node { stack, function: caller, location, sections }))
}

/// A pointer that is called may point to no function.
fn nobody(callee: &Callee) -> Vec<(ArcKind, Option<Node>)> {
    match callee {
        Callee::Direct(_) => Vec::new(),
        Callee::Indirect(_) => vec![(ArcKind::End, None)],
    }
}
