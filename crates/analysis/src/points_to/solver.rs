//! The constraint graph and its fixpoint.
//!
//! Nodes are registers, cells of objects, what is seen of objects by loads (views), and helpers; each holds a growing
//! set of targets. Propagation is by difference: a node knows what of its set it has sent along its copies, and with
//! what of it the constraints have been followed. What is sent to a node waits until its turn and is taken in at
//! once. Cycles of copies are collapsed before and while solving ([`super::cycles`]), and nodes send in the order of
//! the graph without cycles, so that most of them send once.

use super::memory::{ObjectState, Part};
use super::origins::{Origin, Products, origins};
use super::sets::{Move, SetId, Sets};
use super::{AbstractObject, Target};
use rustc_hash::FxHashMap;
use selvedge_program::{Budget, EdgeId, Exhausted, Expr, FunctionId, GhostField, Program, RegisterId};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A node of the constraint graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Node(pub u32);

impl Node {
    /// Its position.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What happens with each target of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Constraint {
    Load {
        to: Node,
        part: Part,
    },
    Store {
        from: Node,
        part: Part,
    },
    /// By position among the call sites.
    Call(u32),
}

/// An indirect call or spawn.
#[derive(Clone, Debug)]
pub struct CallSite {
    /// Where it is.
    pub at: (FunctionId, EdgeId),
    /// The arguments' nodes.
    pub arguments: Vec<Node>,
    /// Where the result goes.
    pub result: Option<Node>,
}

/// What is known of a node.
#[derive(Clone, Debug, Default)]
pub(super) struct NodeState {
    pub(super) set: SetId,
    /// What has been sent to it and is not in the set yet.
    pub(super) incoming: Vec<SetId>,
    /// What of the set has been sent along the copies.
    pub(super) sent: SetId,
    /// With what of the set the constraints have been followed.
    pub(super) followed: SetId,
    /// Every target of the node may be so many bytes, or any multiple of that, from where it was put in; 0 for none.
    pub(super) stride: u64,
    pub(super) copies: Vec<(Node, Move)>,
    pub(super) constraints: Vec<Constraint>,
    pub(super) is_queued: bool,
    pub(super) is_fresh: bool,
}

/// Where arguments go in and results come out of calls of any function of a set.
#[derive(Clone, Debug)]
pub(super) struct Gate {
    arguments: Vec<Node>,
    result: Node,
}

/// The constraint graph.
#[derive(Clone, Debug)]
pub struct Solver {
    pub(super) products: Products,
    pub(super) sets: Sets,
    pub(super) nodes: Vec<NodeState>,
    /// Who stands for a node: nodes that are always equal are one.
    pub(super) standing_for: Vec<Node>,
    /// By node, its place in the order of the graph without cycles.
    pub(super) ranks: Vec<u32>,
    pub(super) first_register: Vec<u32>,
    pub(super) results: Vec<Node>,
    pub(super) objects: FxHashMap<AbstractObject, ObjectState>,
    pub(super) ghosts: FxHashMap<(AbstractObject, GhostField), Node>,
    /// Helpers for moved nodes and for single targets.
    pub(super) moved: FxHashMap<(Node, Move), Node>,
    pub(super) constants: FxHashMap<Target, Node>,
    /// Expressions in which something was taken for an index of a pointer, with their nodes.
    pub(super) indices: Vec<(FunctionId, Expr, Node)>,
    /// What is seen through, and what is stored through, pointers that may point to any of a set.
    pub(super) views: FxHashMap<(SetId, Part), Node>,
    pub(super) doors: FxHashMap<(SetId, Part), Node>,
    /// What is passed to, and what comes back from, any function of a set.
    pub(super) gates: FxHashMap<SetId, Gate>,
    /// How heavy the sets may become before those that nobody holds any more are forgotten.
    pub(super) most_weight: usize,
    pub(super) queue: BinaryHeap<Reverse<(u32, Node)>>,
    pub(super) fresh: Vec<Node>,
    /// Copies in all, and those since cycles were last looked for.
    pub(super) copies: usize,
    pub(super) new_copies: usize,
    pub(super) sites: Vec<CallSite>,
    pub(super) calls: FxHashMap<(FunctionId, EdgeId), Vec<FunctionId>>,
}

/// How many steps are taken between looks at the budget.
const STEPS_BETWEEN_LOOKS: u32 = 256;

impl Solver {
    /// A graph with a node for every register and every function's result.
    pub fn new(program: &Program, products: Products) -> Solver {
        let mut solver = Solver {
            products,
            sets: Sets::default(),
            nodes: Vec::new(),
            standing_for: Vec::new(),
            ranks: Vec::new(),
            first_register: Vec::new(),
            results: Vec::new(),
            objects: FxHashMap::default(),
            ghosts: FxHashMap::default(),
            moved: FxHashMap::default(),
            constants: FxHashMap::default(),
            indices: Vec::new(),
            views: FxHashMap::default(),
            doors: FxHashMap::default(),
            gates: FxHashMap::default(),
            most_weight: 1 << 22,
            queue: BinaryHeap::new(),
            fresh: Vec::new(),
            copies: 0,
            new_copies: 0,
            sites: Vec::new(),
            calls: FxHashMap::default(),
        };
        for function in &program.functions {
            solver.first_register.push(solver.nodes.len() as u32);
            for _ in &function.registers {
                solver.new_node();
            }
            let result = solver.new_node();
            solver.results.push(result);
        }
        solver
    }

    /// A fresh helper node.
    pub fn new_node(&mut self) -> Node {
        let node = Node(self.nodes.len() as u32);
        self.nodes.push(NodeState::default());
        self.standing_for.push(node);
        self.ranks.push(u32::MAX);
        node
    }

    /// The node of a register.
    pub fn register(&self, function: FunctionId, register: RegisterId) -> Node {
        Node(self.first_register[function.index()] + register.0)
    }

    /// The node of a function's result.
    pub fn result(&self, function: FunctionId) -> Node {
        self.results[function.index()]
    }

    /// The node of a ghost field of an object; all threads share theirs.
    pub fn ghost(&mut self, object: AbstractObject, field: GhostField) -> Node {
        let object = object.outward();
        if let Some(node) = self.ghosts.get(&(object, field)) {
            return *node;
        }
        let node = self.new_node();
        self.ghosts.insert((object, field), node);
        node
    }

    /// A node that holds what an expression may point to.
    pub fn expression(&mut self, function: FunctionId, value: &Expr) -> Node {
        let [all, without] = [false, true].map(|may| origins(function, value, self.products, &|_| may));
        let has_index = all.len() != without.len();
        let parts = self.parts(function, without);
        if let ([node], false) = (parts.as_slice(), has_index) {
            return *node;
        }
        let node = self.new_node();
        parts.into_iter().for_each(|part| self.copy(part, Move::NONE, node));
        if has_index {
            self.indices.push((function, value.clone(), node));
        }
        node
    }

    fn parts(&mut self, function: FunctionId, origins: Vec<(Origin, Move)>) -> Vec<Node> {
        let part = |(origin, movement)| match origin {
            Origin::Register(register) => self.moved_node(self.register(function, register), movement),
            Origin::Target(target) => self.constant(movement.apply(target)),
        };
        origins.into_iter().map(part).collect()
    }

    /// Adds what was taken for an index and is not one, since what it is added to turns out to be no pointer; whether
    /// there was such a thing.
    pub fn correct_indices(&mut self) -> bool {
        let mut corrected = Vec::new();
        let mut indices = std::mem::take(&mut self.indices);
        indices.retain(|(function, value, node)| {
            let taken = origins(*function, value, self.products, &|_| true);
            let found = self.origins(*function, value);
            let is_right = found.len() == taken.len();
            if !is_right {
                corrected.push((*function, found, *node));
            }
            is_right
        });
        self.indices = indices;
        let is_any = !corrected.is_empty();
        for (function, found, node) in corrected {
            let parts = self.parts(function, found);
            parts.into_iter().for_each(|part| self.copy(part, Move::NONE, node));
        }
        is_any
    }

    fn moved_node(&mut self, from: Node, movement: Move) -> Node {
        if movement == Move::NONE {
            return from;
        }
        if let Some(node) = self.moved.get(&(from, movement)) {
            return *node;
        }
        let node = self.new_node();
        self.moved.insert((from, movement), node);
        self.copy(from, movement, node);
        node
    }

    fn constant(&mut self, target: Target) -> Node {
        if let Some(node) = self.constants.get(&target) {
            return *node;
        }
        let node = self.new_node();
        self.constants.insert(target, node);
        self.insert(node, target);
        node
    }

    /// Makes everything in one node appear in another, moved.
    pub fn copy(&mut self, from: Node, movement: Move, to: Node) {
        let (from, to) = (self.find(from), self.find(to));
        if from == to && movement == Move::NONE {
            return;
        }
        self.nodes[from.index()].copies.push((to, movement));
        self.copies += 1;
        self.new_copies += 1;
        self.send(self.nodes[from.index()].sent, movement, to);
    }

    /// `to := *address`, or a ghost field there.
    pub fn load(&mut self, address: Node, part: Part, to: Node) {
        self.constrain(address, Constraint::Load { to, part });
    }

    /// `*address := from`, or a ghost field there.
    pub fn store(&mut self, address: Node, part: Part, from: Node) {
        self.constrain(address, Constraint::Store { from, part });
    }

    /// An indirect call through what a node may point to.
    pub fn call(&mut self, callee: Node, site: CallSite) {
        self.sites.push(site);
        self.constrain(callee, Constraint::Call(self.sites.len() as u32 - 1));
    }

    /// A call of a known function: arguments go to parameters, the result comes back.
    pub fn enter(&mut self, program: &Program, callee: FunctionId, site: &CallSite) {
        let callees = self.calls.entry(site.at).or_default();
        if let Err(position) = callees.binary_search(&callee) {
            callees.insert(position, callee);
        } else {
            return;
        }
        let parameters = program.function(callee).parameters.iter();
        for (parameter, argument) in parameters.zip(&site.arguments) {
            let parameter = self.register(callee, *parameter);
            self.copy(*argument, Move::NONE, parameter);
        }
        if let Some(result) = site.result {
            self.copy(self.result(callee), Move::NONE, result);
        }
    }

    /// A call through a pointer of any function of a set. Many calls have the same set, and share what leads to its
    /// functions.
    fn call_any(&mut self, program: &Program, set: SetId, site: usize) {
        let callees: Vec<FunctionId> =
            self.sets.get(set).iter().filter_map(|target| target.object.function()).collect();
        let Gate { arguments, result } = match self.gates.get(&set) {
            Some(gate) => gate.clone(),
            None => self.gate_to(program, set, &callees),
        };
        let CallSite { at, arguments: passed, result: taken } = self.sites[site].clone();
        passed.iter().zip(arguments).for_each(|(from, to)| self.copy(*from, Move::NONE, to));
        taken.into_iter().for_each(|to| self.copy(result, Move::NONE, to));
        let known = self.calls.entry(at).or_default();
        known.extend(callees);
        known.sort_unstable();
        known.dedup();
    }

    fn gate_to(&mut self, program: &Program, set: SetId, callees: &[FunctionId]) -> Gate {
        let most = callees.iter().map(|callee| program.function(*callee).parameters.len()).max().unwrap_or(0);
        let gate = Gate { arguments: (0..most).map(|_| self.new_node()).collect(), result: self.new_node() };
        self.gates.insert(set, gate.clone());
        for callee in callees {
            for (parameter, argument) in program.function(*callee).parameters.iter().zip(&gate.arguments) {
                self.copy(*argument, Move::NONE, self.register(*callee, *parameter));
            }
            self.copy(self.result(*callee), Move::NONE, gate.result);
        }
        gate
    }

    /// Adds a target to a node.
    pub fn insert(&mut self, node: Node, target: Target) {
        self.insert_all(node, vec![target]);
    }

    /// Adds targets to a node.
    pub fn insert_all(&mut self, node: Node, targets: Vec<Target>) {
        let set = self.sets.of(targets);
        self.send(set, Move::NONE, self.find(node));
    }

    /// Adds targets to what a node will take in, moved on the way.
    fn send(&mut self, some: SetId, movement: Move, to: Node) {
        let moved = self.sets.moved(some, movement);
        let state = &mut self.nodes[to.index()];
        if moved != SetId::EMPTY && moved != state.set && state.incoming.last() != Some(&moved) {
            state.incoming.push(moved);
            self.enqueue(to);
        }
    }

    /// Takes in what has been sent to a node.
    fn receive(&mut self, node: Node) {
        let state = &mut self.nodes[node.index()];
        let (set, anywhere) = (state.set, Move { distance: 0, factor: state.stride });
        let mut incoming = std::mem::take(&mut state.incoming);
        incoming.iter_mut().for_each(|some| *some = self.sets.moved(*some, anywhere));
        let new = self.sets.union_of_all(incoming);
        let whole = self.sets.union(set, new);
        if whole != set {
            self.nodes[node.index()].set = whole;
            self.freshen(node);
        }
    }

    fn enqueue(&mut self, node: Node) {
        if !std::mem::replace(&mut self.nodes[node.index()].is_queued, true) {
            self.queue.push(Reverse((self.ranks[node.index()], node)));
        }
    }

    /// The constraints of a node are to be followed.
    fn freshen(&mut self, node: Node) {
        let state = &mut self.nodes[node.index()];
        if !state.constraints.is_empty() && !std::mem::replace(&mut state.is_fresh, true) {
            self.fresh.push(node);
        }
    }

    /// A node's set has changed.
    pub(super) fn wake(&mut self, node: Node) {
        self.enqueue(node);
        self.freshen(node);
    }

    fn constrain(&mut self, node: Node, constraint: Constraint) {
        let node = self.find(node);
        let state = &mut self.nodes[node.index()];
        state.constraints.push(constraint);
        state.followed = SetId::EMPTY;
        if state.set != SetId::EMPTY {
            self.freshen(node);
        }
    }

    /// Who stands for a node.
    pub(super) fn find(&self, node: Node) -> Node {
        let mut node = node;
        while self.standing_for[node.index()] != node {
            node = self.standing_for[node.index()];
        }
        node
    }

    /// Runs to the fixpoint, or until the budget is used up.
    pub fn solve(&mut self, program: &Program, budget: &Budget) -> Result<(), Exhausted> {
        let mut steps = 0u32;
        let mut look = || {
            steps += 1;
            if steps % STEPS_BETWEEN_LOOKS == 1 { budget.check() } else { Ok(()) }
        };
        let mut work = 0;
        loop {
            if self.new_copies > self.copies / 64 {
                self.collapse_cycles();
                work = 0;
            }
            if self.sets.weight() > self.most_weight {
                self.forget_sets();
            }
            while let Some(Reverse((_, node))) = self.queue.pop() {
                look()?;
                work += self.propagate(node);
                // Where more is sent than the graph has copies there may be new cycles, or the order is no longer
                // right.
                if self.new_copies > 0 && work > self.copies {
                    self.collapse_cycles();
                    work = 0;
                }
            }
            let fresh = std::mem::take(&mut self.fresh);
            if fresh.is_empty() {
                return Ok(());
            }
            for node in fresh {
                look()?;
                self.follow_all(program, node);
            }
        }
    }

    /// Takes in what has been sent to a node, and sends what is new along its copies; how many these are.
    fn propagate(&mut self, node: Node) -> usize {
        if !std::mem::take(&mut self.nodes[node.index()].is_queued) || self.standing_for[node.index()] != node {
            return 0;
        }
        self.receive(node);
        let state = &mut self.nodes[node.index()];
        let (set, sent) = (state.set, state.sent);
        if set == sent {
            return 0;
        }
        state.sent = set;
        let copies = std::mem::take(&mut state.copies);
        let new = self.sets.difference(set, sent);
        for (to, movement) in &copies {
            let to = self.find(*to);
            if to != node || *movement != Move::NONE {
                self.send(new, *movement, to);
            }
        }
        let count = copies.len();
        self.nodes[node.index()].copies = copies;
        count
    }

    /// Follows the constraints of a node with what is new in it.
    fn follow_all(&mut self, program: &Program, node: Node) {
        let state = &mut self.nodes[node.index()];
        if !std::mem::take(&mut state.is_fresh) || self.standing_for[node.index()] != node {
            return;
        }
        let (set, followed) = (state.set, state.followed);
        state.followed = set;
        let constraints = state.constraints.clone();
        let new = self.sets.difference(set, followed);
        if new != SetId::EMPTY {
            constraints.into_iter().for_each(|constraint| self.follow(program, constraint, new));
        }
    }

    fn follow(&mut self, program: &Program, constraint: Constraint, new: SetId) {
        match constraint {
            Constraint::Load { to, part } => {
                let view = self.view_of(program, new, part);
                self.copy(view, Move::NONE, to);
            }
            Constraint::Store { from, part } => {
                let door = self.door_to(program, new, part);
                self.copy(from, Move::NONE, door);
            }
            Constraint::Call(site) => {
                self.call_any(program, new, site as usize);
            }
        }
    }

    /// Forgets the sets that no node holds.
    fn forget_sets(&mut self) {
        let held = self.nodes.iter().flat_map(|state| {
            [state.set, state.sent, state.followed].into_iter().chain(state.incoming.iter().copied())
        });
        let names = self.sets.keep_only(held);
        for state in &mut self.nodes {
            let own = [&mut state.set, &mut state.sent, &mut state.followed];
            for set in own.into_iter().chain(&mut state.incoming) {
                *set = names[set];
            }
        }
        let renamed = |pieces: FxHashMap<(SetId, Part), Node>| {
            let named = |((set, part), node)| Some(((*names.get(&set)?, part), node));
            pieces.into_iter().filter_map(named).collect()
        };
        self.views = renamed(std::mem::take(&mut self.views));
        self.doors = renamed(std::mem::take(&mut self.doors));
        let gates = std::mem::take(&mut self.gates).into_iter();
        self.gates = gates.filter_map(|(set, gate)| Some((*names.get(&set)?, gate))).collect();
        self.most_weight = self.most_weight.max(self.sets.weight() * 2);
    }

    /// Keeps what questions are answered from, and nothing else.
    pub fn finish(&mut self) {
        self.forget_sets();
        (self.views, self.doors, self.gates) = Default::default();
        for state in &mut self.nodes {
            *state = NodeState { set: state.set, ..NodeState::default() };
        }
        (self.sites, self.ranks, self.indices) = Default::default();
    }

    /// The callees found for each call site.
    pub fn take_calls(&mut self) -> FxHashMap<(FunctionId, EdgeId), Vec<FunctionId>> {
        std::mem::take(&mut self.calls)
    }
}
