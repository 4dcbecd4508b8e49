//! The constraint graph and its fixpoint.
//!
//! Nodes are registers, cells of objects, what is seen of objects by loads (views), and helpers; each holds a growing set of targets.
//! Propagation is by difference: a node knows what of its set it has sent along its copies, and with what of it the constraints
//! have been followed. Cycles of copies are collapsed before and while solving ([`super::cycles`]), and nodes send in the order
//! of the graph without cycles, so that most of them send once.

use super::cycles;
use super::origins::{Origin, origins};
use super::sets::{Move, SetId, Sets};
use super::{AbstractObject, Offset, Target};
use rustc_hash::FxHashMap;
use selvedge_program::{
    Budget, EdgeId, Exhausted, Expr, FunctionId, GhostField, InitialValue, ObjectKind, Program, RegisterId,
};
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
enum Constraint {
    Load {
        to: Node,
        size: u32,
    },
    Store {
        from: Node,
        size: u32,
    },
    LoadGhost {
        to: Node,
        field: GhostField,
    },
    StoreGhost {
        from: Node,
        field: GhostField,
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

#[derive(Clone, Debug, Default)]
struct NodeState {
    set: SetId,
    /// What of the set has been sent along the copies.
    sent: SetId,
    /// With what of the set the constraints have been followed.
    followed: SetId,
    /// Every target of the node may be so many bytes, or any multiple of that, from where it was put in; 0 for none.
    stride: u64,
    copies: Vec<(Node, Move)>,
    constraints: Vec<Constraint>,
    is_queued: bool,
    is_fresh: bool,
}

/// A part of an object that is stored to or loaded from.
#[derive(Clone, Copy, Debug)]
struct Piece {
    offset: Offset,
    size: u32,
    node: Node,
}

impl Piece {
    fn may_overlap(&self, offset: Offset, size: u32) -> bool {
        self.offset.may_overlap(u64::from(self.size), offset, u64::from(size))
    }
}

#[derive(Clone, Debug, Default)]
struct ObjectState {
    cells: Vec<Piece>,
    views: Vec<Piece>,
}

/// The constraint graph.
#[derive(Clone, Debug)]
pub struct Solver {
    sets: Sets,
    nodes: Vec<NodeState>,
    /// Who stands for a node: nodes that are always equal are one.
    standing_for: Vec<Node>,
    /// By node, its place in the order of the graph without cycles.
    ranks: Vec<u32>,
    first_register: Vec<u32>,
    results: Vec<Node>,
    objects: FxHashMap<AbstractObject, ObjectState>,
    ghosts: FxHashMap<(AbstractObject, GhostField), Node>,
    /// Helpers for moved nodes and for single targets.
    moved: FxHashMap<(Node, Move), Node>,
    constants: FxHashMap<Target, Node>,
    /// What is seen through, and what is stored through, pointers that may point to any of a set.
    views: FxHashMap<(SetId, u32), Node>,
    doors: FxHashMap<(SetId, u32), Node>,
    /// How heavy the sets may become before those that nobody holds any more are forgotten.
    most_weight: usize,
    queue: BinaryHeap<Reverse<(u32, Node)>>,
    fresh: Vec<Node>,
    /// Copies in all, and those since cycles were last looked for.
    copies: usize,
    new_copies: usize,
    sites: Vec<CallSite>,
    calls: FxHashMap<(FunctionId, EdgeId), Vec<FunctionId>>,
}

/// How many steps are taken between looks at the budget.
const STEPS_BETWEEN_LOOKS: u32 = 256;

impl Solver {
    /// A graph with a node for every register and every function's result.
    pub fn new(program: &Program) -> Solver {
        let mut solver = Solver {
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
            views: FxHashMap::default(),
            doors: FxHashMap::default(),
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
        let parts: Vec<Node> = origins(function, value)
            .into_iter()
            .map(|(origin, movement)| match origin {
                Origin::Register(register) => self.moved_node(self.register(function, register), movement),
                Origin::Target(target) => self.constant(movement.apply(target)),
            })
            .collect();
        if let [node] = parts.as_slice() {
            return *node;
        }
        let node = self.new_node();
        parts.into_iter().for_each(|part| self.copy(part, Move::NONE, node));
        node
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

    /// `to := *address`
    pub fn load(&mut self, address: Node, size: u32, to: Node) {
        self.constrain(address, Constraint::Load { to, size });
    }

    /// `*address := from`
    pub fn store(&mut self, address: Node, size: u32, from: Node) {
        self.constrain(address, Constraint::Store { from, size });
    }

    /// `to := address.field`
    pub fn load_ghost(&mut self, address: Node, field: GhostField, to: Node) {
        self.constrain(address, Constraint::LoadGhost { to, field });
    }

    /// `address.field := from`
    pub fn store_ghost(&mut self, address: Node, field: GhostField, from: Node) {
        self.constrain(address, Constraint::StoreGhost { from, field });
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

    /// Adds a target to a node.
    pub fn insert(&mut self, node: Node, target: Target) {
        self.insert_all(node, vec![target]);
    }

    /// Adds targets to a node.
    pub fn insert_all(&mut self, node: Node, targets: Vec<Target>) {
        let set = self.sets.of(targets);
        self.send(set, Move::NONE, self.find(node));
    }

    /// Adds targets to a node, moved on the way.
    fn send(&mut self, some: SetId, movement: Move, to: Node) {
        let (set, stride) = (self.nodes[to.index()].set, self.nodes[to.index()].stride);
        let moved = self.sets.moved(some, movement.then(Move { distance: 0, factor: stride }));
        let whole = self.sets.union(set, moved);
        if whole != set {
            self.nodes[to.index()].set = whole;
            self.wake(to);
        }
    }

    fn wake(&mut self, node: Node) {
        let state = &mut self.nodes[node.index()];
        if !std::mem::replace(&mut state.is_queued, true) {
            self.queue.push(Reverse((self.ranks[node.index()], node)));
        }
        if !state.constraints.is_empty() && !std::mem::replace(&mut state.is_fresh, true) {
            self.fresh.push(node);
        }
    }

    fn constrain(&mut self, node: Node, constraint: Constraint) {
        let node = self.find(node);
        let state = &mut self.nodes[node.index()];
        state.constraints.push(constraint);
        state.followed = SetId::EMPTY;
        if state.set != SetId::EMPTY && !std::mem::replace(&mut state.is_fresh, true) {
            self.fresh.push(node);
        }
    }

    /// Who stands for a node.
    fn find(&self, node: Node) -> Node {
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
            if steps % STEPS_BETWEEN_LOOKS == 1 { budget.exhausted().map_or(Ok(()), Err) } else { Ok(()) }
        };
        loop {
            if self.new_copies > self.copies / 8 {
                self.collapse_cycles();
            }
            if self.sets.weight() > self.most_weight {
                self.forget_sets();
            }
            while let Some(Reverse((_, node))) = self.queue.pop() {
                look()?;
                self.propagate(node);
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

    /// Sends what is new in a node along its copies.
    fn propagate(&mut self, node: Node) {
        let state = &mut self.nodes[node.index()];
        if !std::mem::take(&mut state.is_queued) || self.standing_for[node.index()] != node {
            return;
        }
        let (set, sent) = (state.set, state.sent);
        if set == sent {
            return;
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
        self.nodes[node.index()].copies = copies;
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
            Constraint::Load { to, size } => {
                let view = self.view_of(program, new, size);
                self.copy(view, Move::NONE, to);
            }
            Constraint::Store { from, size } => {
                let door = self.door_to(program, new, size);
                self.copy(from, Move::NONE, door);
            }
            Constraint::LoadGhost { to, field } => {
                for target in self.sets.get(new).clone().iter() {
                    let cell = self.ghost(target.object, field);
                    self.copy(cell, Move::NONE, to);
                }
            }
            Constraint::StoreGhost { from, field } => {
                for target in self.sets.get(new).clone().iter() {
                    let cell = self.ghost(target.object, field);
                    self.copy(from, Move::NONE, cell);
                }
            }
            Constraint::Call(site) => {
                let site = self.sites[site as usize].clone();
                for target in self.sets.get(new).clone().iter() {
                    if let AbstractObject::Function(callee) = target.object {
                        self.enter(program, callee, &site);
                    }
                }
            }
        }
    }

    /// What loads of so many bytes at any of a set see.
    fn view_of(&mut self, program: &Program, set: SetId, size: u32) -> Node {
        if let Some(node) = self.views.get(&(set, size)) {
            return *node;
        }
        let node = self.new_node();
        self.views.insert((set, size), node);
        for target in self.sets.get(set).clone().iter().filter(|target| may_hold_pointers(program, **target, size)) {
            let view = self.view(*target, size);
            self.copy(view, Move::NONE, node);
        }
        node
    }

    /// What is put in here is stored at any of a set.
    fn door_to(&mut self, program: &Program, set: SetId, size: u32) -> Node {
        if let Some(node) = self.doors.get(&(set, size)) {
            return *node;
        }
        let node = self.new_node();
        self.doors.insert((set, size), node);
        for target in self.sets.get(set).clone().iter().filter(|target| may_hold_pointers(program, **target, size)) {
            let cell = self.cell(*target, size);
            self.copy(node, Move::NONE, cell);
        }
        node
    }

    /// What loads of so many bytes at a target see: all cells that they may overlap.
    fn view(&mut self, target: Target, size: u32) -> Node {
        let object = target.object.outward();
        let state = self.objects.entry(object).or_default();
        let same = |piece: &&Piece| piece.offset == target.offset && piece.size == size;
        if let Some(view) = state.views.iter().find(same) {
            return view.node;
        }
        let overlapping = |piece: &&Piece| piece.may_overlap(target.offset, size);
        let cells: Vec<Node> = state.cells.iter().filter(overlapping).map(|cell| cell.node).collect();
        let node = self.new_node();
        let state = self.objects.entry(object).or_default();
        state.views.push(Piece { offset: target.offset, size, node });
        cells.into_iter().for_each(|cell| self.copy(cell, Move::NONE, node));
        node
    }

    /// The cell for stores to a target, made when first needed and then known to all views that may overlap.
    pub fn cell(&mut self, target: Target, size: u32) -> Node {
        let object = target.object.outward();
        let state = self.objects.entry(object).or_default();
        let same = |piece: &&Piece| piece.offset == target.offset && piece.size == size;
        if let Some(cell) = state.cells.iter().find(same) {
            return cell.node;
        }
        let overlapping = |piece: &&Piece| piece.may_overlap(target.offset, size);
        let views: Vec<Node> = state.views.iter().filter(overlapping).map(|view| view.node).collect();
        let node = self.new_node();
        let state = self.objects.entry(object).or_default();
        state.cells.push(Piece { offset: target.offset, size, node });
        views.into_iter().for_each(|view| self.copy(node, Move::NONE, view));
        node
    }

    /// Makes one of the nodes that are always equal, and brings the rest in order.
    fn collapse_cycles(&mut self) {
        for index in 0..self.nodes.len() {
            let node = Node(index as u32);
            let standing = self.find(node);
            self.standing_for[index] = standing;
        }
        let mut copies = 0;
        for index in 0..self.nodes.len() {
            let mut list = std::mem::take(&mut self.nodes[index].copies);
            for (to, _) in &mut list {
                *to = self.standing_for[to.index()];
            }
            list.retain(|(to, movement)| to.index() != index || *movement != Move::NONE);
            list.sort_unstable();
            list.dedup();
            copies += list.len();
            self.nodes[index].copies = list;
        }
        let successors = |node: usize| self.nodes[node].copies.as_slice();
        let found = cycles::find(self.nodes.len(), successors);
        for (position, node) in found.order.iter().enumerate() {
            self.ranks[node.index()] = position as u32;
        }
        for component in &found.components {
            let strides = |node: Node| self.nodes[node.index()].stride;
            let successors = |node: Node| self.nodes[node.index()].copies.as_slice();
            let classes = cycles::classes(component, successors, strides);
            for class in classes {
                self.merge(&class.members, class.stride);
            }
        }
        self.copies = copies;
        self.new_copies = 0;
        let queue = std::mem::take(&mut self.queue);
        for Reverse((_, node)) in queue {
            let node = self.find(node);
            self.nodes[node.index()].is_queued = true;
            self.queue.push(Reverse((self.ranks[node.index()], node)));
        }
    }

    /// Makes one node of several, with a stride.
    fn merge(&mut self, members: &[Node], stride: u64) {
        let Some((first, others)) = members.split_first() else { return };
        let mut whole = std::mem::take(&mut self.nodes[first.index()]);
        for other in others {
            let mut state = std::mem::take(&mut self.nodes[other.index()]);
            self.standing_for[other.index()] = *first;
            whole.set = self.sets.union(whole.set, state.set);
            whole.sent = self.sets.common(whole.sent, state.sent);
            if whole.constraints.is_empty() {
                whole.followed = state.followed;
            } else if !state.constraints.is_empty() {
                whole.followed = self.sets.common(whole.followed, state.followed);
            }
            whole.copies.append(&mut state.copies);
            whole.constraints.append(&mut state.constraints);
        }
        if stride != whole.stride {
            whole.set = self.sets.moved(whole.set, Move { distance: 0, factor: stride });
            whole.stride = stride;
        }
        whole.constraints.sort_unstable();
        whole.constraints.dedup();
        (whole.is_queued, whole.is_fresh) = (false, false);
        let is_empty = whole.set == SetId::EMPTY;
        self.nodes[first.index()] = whole;
        if !is_empty {
            self.wake(*first);
        }
    }

    /// Forgets the sets that no node holds.
    fn forget_sets(&mut self) {
        let held = self.nodes.iter().flat_map(|state| [state.set, state.sent, state.followed]);
        let names = self.sets.keep_only(held);
        for state in &mut self.nodes {
            for set in [&mut state.set, &mut state.sent, &mut state.followed] {
                *set = names[set];
            }
        }
        let renamed = |pieces: FxHashMap<(SetId, u32), Node>| {
            let named = |((set, size), node)| Some(((*names.get(&set)?, size), node));
            pieces.into_iter().filter_map(named).collect()
        };
        self.views = renamed(std::mem::take(&mut self.views));
        self.doors = renamed(std::mem::take(&mut self.doors));
        self.most_weight = self.most_weight.max(self.sets.weight() * 2);
    }

    /// The set of which an expression is a member, moved, if there is but one, in the solved graph.
    pub fn only_origin(&self, function: FunctionId, value: &Expr) -> Option<(SetId, Move)> {
        match origins(function, value).as_slice() {
            [] => Some((SetId::EMPTY, Move::NONE)),
            [(Origin::Register(register), movement)] => {
                let node = self.find(self.register(function, *register));
                Some((self.nodes[node.index()].set, *movement))
            }
            [(Origin::Target(target), movement)] => {
                let node = self.find(*self.constants.get(&movement.apply(*target))?);
                Some((self.nodes[node.index()].set, Move::NONE))
            }
            _ => None,
        }
    }

    /// Whether a register may hold any target, in the solved graph.
    pub fn holds_anything(&self, function: FunctionId, register: RegisterId) -> bool {
        self.held(self.register(function, register)).next().is_some()
    }

    /// The targets of a set.
    pub fn targets(&self, set: SetId) -> &[Target] {
        self.sets.get(set)
    }

    /// What an expression may point to, in the solved graph, sorted.
    pub fn targets_of(&self, function: FunctionId, value: &Expr) -> Vec<Target> {
        let mut targets = Vec::new();
        for (origin, movement) in origins(function, value) {
            match origin {
                Origin::Register(register) => {
                    let held = self.held(self.register(function, register));
                    targets.extend(held.map(|target| movement.apply(target)));
                }
                Origin::Target(target) => targets.push(movement.apply(target)),
            }
        }
        targets.sort_unstable();
        targets.dedup();
        targets
    }

    /// Keeps what questions are answered from, and nothing else.
    pub fn finish(&mut self) {
        self.forget_sets();
        (self.views, self.doors) = Default::default();
        for state in &mut self.nodes {
            *state = NodeState { set: state.set, ..NodeState::default() };
        }
        (self.sites, self.ranks) = Default::default();
    }

    fn held(&self, node: Node) -> impl Iterator<Item = Target> + '_ {
        self.sets.get(self.nodes[self.find(node).index()].set).iter().copied()
    }

    /// Whatever the cells and ghost fields of an object may point to.
    pub fn contents(&self, object: AbstractObject) -> Vec<Target> {
        let cells = self.objects.get(&object).into_iter().flat_map(|state| state.cells.iter().map(|cell| cell.node));
        let ghosts = [GhostField::ThreadResult, GhostField::ThreadSpecific];
        let ghosts = ghosts.iter().filter_map(|field| self.ghosts.get(&(object, *field)).copied());
        let mut targets: Vec<Target> = cells.chain(ghosts).flat_map(|cell| self.held(cell)).collect();
        targets.sort_unstable();
        targets.dedup();
        targets
    }

    /// The callees found for each call site.
    pub fn take_calls(&mut self) -> FxHashMap<(FunctionId, EdgeId), Vec<FunctionId>> {
        std::mem::take(&mut self.calls)
    }
}

/// Whether so many bytes at a target can be accessed and may hold pointers.
fn may_hold_pointers(program: &Program, target: Target, size: u32) -> bool {
    let room = match target.object {
        AbstractObject::Function(_) => return false,
        AbstractObject::Static(id) => {
            let object = program.object(id);
            let is_number = |initial: &InitialValue| matches!(initial.value, Expr::Constant(_));
            if object.kind == ObjectKind::Constant && object.initial.iter().all(is_number) {
                return false;
            }
            object.size
        }
        AbstractObject::Frame(function, local) => program.function(function).frame_object(local).size,
        AbstractObject::Site(_) | AbstractObject::Thread | AbstractObject::Started(_) => return true,
    };
    let Offset { start, stride } = target.offset;
    let end = u64::try_from(start).ok().and_then(|start| start.checked_add(u64::from(size)));
    stride != 0 || end.is_some_and(|end| end <= room)
}
