//! The places of the threads that run a function: a location of a function, by which calls it was reached, and how
//! deep in atomic sections. Calls are inlined, so recursion cannot be unfolded.

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
}

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

impl Unfolded {
    /// The threads that run a function.
    ///
    /// # Errors
    /// If functions call each other in a circle, or there are too many places.
    pub fn of(program: &Program, entry: FunctionId, callees: &Callees) -> Result<Unfolded, Refused> {
        let mut unfolded = Unfolded { stacks: vec![(0, entry, EdgeId(0))], ..Unfolded::default() };
        let mut known = FxHashMap::default();
        let first = Node { stack: 0, function: entry, location: program.function(entry).entry, sections: 0 };
        let mut pending = vec![unfolded.node(first, &mut known)?];
        let mut stacks = FxHashMap::default();
        let mut seen = 0;
        while let Some(source) = pending.pop() {
            let node = unfolded.nodes[source.0 as usize];
            let function = program.function(node.function);
            for &edge in &function.location(node.location).outgoing {
                for (kind, target) in unfolded.targets(program, node, edge, callees, &mut stacks)? {
                    let target = target.map(|target| unfolded.node(target, &mut known)).transpose()?;
                    let arc = ArcId(unfolded.arcs.len() as u32);
                    unfolded.arcs.push(Arc { source, edge, kind, target });
                    unfolded.outgoing[source.0 as usize].push(arc);
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

    /// The functions that are active at a place, the innermost first.
    pub fn active(&self, node: NodeId) -> Vec<FunctionId> {
        let node = self.get(node);
        let mut active = vec![node.function];
        let mut stack = node.stack;
        while stack != 0 {
            let (below, caller, _) = self.stacks[stack as usize];
            active.push(caller);
            stack = below;
        }
        active
    }

    fn node(&mut self, node: Node, known: &mut FxHashMap<Node, NodeId>) -> Result<NodeId, Refused> {
        if let Some(id) = known.get(&node) {
            return Ok(*id);
        }
        if self.nodes.len() >= MOST_NODES {
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
                    if self.is_active(node, callee) {
                        return Err(Refused::Recursion(callee));
                    }
                    let call = (node.stack, node.function, edge);
                    let stack = *stacks.entry(call).or_insert_with(|| {
                        self.stacks.push(call);
                        self.stacks.len() as StackId - 1
                    });
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
                let (stack, caller, call) = self.stacks[node.stack as usize];
                let location = program.function(caller).edge(call).target;
                let back = Node { stack, function: caller, location, sections: node.sections };
                vec![(ArcKind::Return(caller, call), Some(back))]
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

    fn is_active(&self, node: Node, function: FunctionId) -> bool {
        let mut stack = node.stack;
        if node.function == function {
            return true;
        }
        while stack != 0 {
            let (below, caller, _) = self.stacks[stack as usize];
            if caller == function {
                return true;
            }
            stack = below;
        }
        false
    }
}

/// A pointer that is called may point to no function.
fn nobody(callee: &Callee) -> Vec<(ArcKind, Option<Node>)> {
    match callee {
        Callee::Direct(_) => Vec::new(),
        Callee::Indirect(_) => vec![(ArcKind::End, None)],
    }
}
