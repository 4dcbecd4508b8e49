//! The constraint graph and its fixpoint.
//!
//! Nodes are registers, cells of objects and helpers; each holds a growing set of targets. A node's set only grows, in insertion
//! order, so every constraint remembers how much of it it has seen: propagation is by difference.

use super::offset::gcd;
use super::{AbstractObject, Offset, Target};
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use selvedge_program::{Base, BinaryOp, EdgeId, Expr, FunctionId, GhostField, Program, RegisterId, UnaryOp};

/// A node of the constraint graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Node(u32);

/// How a pointer changes on its way along an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    distance: i64,
    /// Any multiple of this is added too; 0 for none.
    factor: u64,
}

impl Move {
    /// No change.
    pub const NONE: Move = Move { distance: 0, factor: 0 };
    /// Anywhere within the object.
    pub const ANYWHERE: Move = Move { distance: 0, factor: 1 };

    fn then(self, next: Move) -> Move {
        Move { distance: self.distance.wrapping_add(next.distance), factor: gcd(self.factor, next.factor) }
    }

    fn apply(self, target: Target) -> Target {
        Target { offset: target.offset.plus(self.distance).plus_multiples(self.factor), ..target }
    }
}

/// Where the pointers of an expression come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A node's.
    Node(Node),
    /// This very one.
    Target(Target),
}

/// What happens with each target of a node.
#[derive(Clone, Debug)]
enum Constraint {
    Copy { to: Node, movement: Move },
    Load { to: Node, size: u64 },
    Store { from: Node, size: u64 },
    LoadGhost { to: Node, field: GhostField },
    StoreGhost { from: Node, field: GhostField },
    Call(CallSite),
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
    targets: IndexSet<Target, FxBuildHasher>,
    /// How many single offsets a target object has contributed, to know when to widen.
    counts: FxHashMap<AbstractObject, (u32, Offset)>,
    constraints: Vec<(Constraint, usize)>,
    is_queued: bool,
}

#[derive(Clone, Debug, Default)]
struct ObjectState {
    cells: Vec<(Offset, u64, Node)>,
    loads: Vec<(Offset, u64, Node)>,
}

/// Beyond this many offsets of one object in one set, they are joined to a congruence class.
const WIDEN_AFTER: u32 = 16;

/// The constraint graph.
#[derive(Clone, Debug)]
pub struct Solver {
    nodes: Vec<NodeState>,
    first_register: Vec<u32>,
    results: Vec<Node>,
    objects: FxHashMap<AbstractObject, ObjectState>,
    ghosts: FxHashMap<(AbstractObject, GhostField), Node>,
    known_copies: FxHashSet<(Node, Node, Move)>,
    queue: Vec<Node>,
    calls: FxHashMap<(FunctionId, EdgeId), Vec<FunctionId>>,
}

impl Solver {
    /// A graph with a node for every register and every function's result.
    pub fn new(program: &Program) -> Solver {
        let mut solver = Solver {
            nodes: Vec::new(),
            first_register: Vec::new(),
            results: Vec::new(),
            objects: FxHashMap::default(),
            ghosts: FxHashMap::default(),
            known_copies: FxHashSet::default(),
            queue: Vec::new(),
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
        self.nodes.push(NodeState::default());
        Node(self.nodes.len() as u32 - 1)
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
        let mut origins = Vec::new();
        self.origins(function, value, Move::NONE, &mut origins);
        if let [(Origin::Node(node), Move::NONE)] = origins.as_slice() {
            return *node;
        }
        let node = self.new_node();
        for (origin, movement) in origins {
            match origin {
                Origin::Node(from) => self.copy(from, movement, node),
                Origin::Target(target) => self.insert(node, movement.apply(target)),
            }
        }
        node
    }

    /// Makes everything in one node appear in another, moved.
    pub fn copy(&mut self, from: Node, movement: Move, to: Node) {
        if (from != to || movement != Move::NONE) && self.known_copies.insert((from, to, movement)) {
            self.constrain(from, Constraint::Copy { to, movement });
        }
    }

    /// `to := *address`
    pub fn load(&mut self, address: Node, size: u64, to: Node) {
        self.constrain(address, Constraint::Load { to, size });
    }

    /// `*address := from`
    pub fn store(&mut self, address: Node, size: u64, from: Node) {
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
        self.constrain(callee, Constraint::Call(site));
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
        let state = &mut self.nodes[node.0 as usize];
        let mut target = target;
        if !state.targets.contains(&target) {
            let (count, all) = state.counts.entry(target.object).or_insert((0, target.offset));
            *count += 1;
            *all = all.join(target.offset);
            if *count > WIDEN_AFTER {
                target.offset = *all;
            }
        }
        if state.targets.insert(target) && !state.is_queued {
            state.is_queued = true;
            self.queue.push(node);
        }
    }

    fn constrain(&mut self, node: Node, constraint: Constraint) {
        let state = &mut self.nodes[node.0 as usize];
        state.constraints.push((constraint, 0));
        if !state.is_queued && !state.targets.is_empty() {
            state.is_queued = true;
            self.queue.push(node);
        }
    }

    /// Runs to the fixpoint.
    pub fn solve(&mut self, program: &Program) {
        while let Some(node) = self.queue.pop() {
            self.nodes[node.0 as usize].is_queued = false;
            let mut index = 0;
            while let Some((constraint, seen)) = self.nodes[node.0 as usize].constraints.get_mut(index) {
                let constraint = constraint.clone();
                let first = *seen;
                let last = self.nodes[node.0 as usize].targets.len();
                self.nodes[node.0 as usize].constraints[index].1 = last;
                for position in first..last {
                    let target = self.nodes[node.0 as usize].targets[position];
                    self.follow(program, &constraint, target);
                }
                index += 1;
            }
        }
    }

    fn follow(&mut self, program: &Program, constraint: &Constraint, target: Target) {
        match constraint {
            Constraint::Copy { to, movement } => self.insert(*to, movement.apply(target)),
            Constraint::Load { to, size } => self.load_from(target, *size, *to),
            Constraint::Store { from, size } => {
                let cell = self.cell(target, *size);
                self.copy(*from, Move::NONE, cell);
            }
            Constraint::LoadGhost { to, field } => {
                let cell = self.ghost(target.object, *field);
                self.copy(cell, Move::NONE, *to);
            }
            Constraint::StoreGhost { from, field } => {
                let cell = self.ghost(target.object, *field);
                self.copy(*from, Move::NONE, cell);
            }
            Constraint::Call(site) => {
                if let AbstractObject::Function(callee) = target.object {
                    self.enter(program, callee, site);
                }
            }
        }
    }

    fn load_from(&mut self, target: Target, size: u64, to: Node) {
        let state = self.objects.entry(target.object.outward()).or_default();
        state.loads.push((target.offset, size, to));
        let cells: Vec<Node> = state
            .cells
            .iter()
            .filter(|(offset, cell_size, _)| offset.may_overlap(*cell_size, target.offset, size))
            .map(|(_, _, cell)| *cell)
            .collect();
        for cell in cells {
            self.copy(cell, Move::NONE, to);
        }
    }

    /// The cell for stores to a target, made when first needed and then known to all loads that may overlap.
    pub fn cell(&mut self, target: Target, size: u64) -> Node {
        let object = target.object.outward();
        let state = self.objects.entry(object).or_default();
        if let Some((_, _, cell)) =
            state.cells.iter().find(|(offset, cell_size, _)| *offset == target.offset && *cell_size == size)
        {
            return *cell;
        }
        let readers: Vec<Node> = state
            .loads
            .iter()
            .filter(|(offset, load_size, _)| offset.may_overlap(*load_size, target.offset, size))
            .map(|(_, _, reader)| *reader)
            .collect();
        let cell = self.new_node();
        self.objects.entry(object).or_default().cells.push((target.offset, size, cell));
        for reader in readers {
            self.copy(cell, Move::NONE, reader);
        }
        cell
    }

    /// Where the pointers of an expression come from, each with what is added on the way.
    fn origins(&self, function: FunctionId, value: &Expr, movement: Move, found: &mut Vec<(Origin, Move)>) {
        match value {
            Expr::Constant(_) => {}
            Expr::Register(register, _) => found.push((Origin::Node(self.register(function, *register)), movement)),
            Expr::Address(base, _) => {
                let object = match base {
                    Base::Object(object) => AbstractObject::Static(*object),
                    Base::Frame(frame) => AbstractObject::Frame(function, *frame),
                    Base::Function(callee) => AbstractObject::Function(*callee),
                    Base::SelfThread => AbstractObject::Thread,
                };
                found.push((Origin::Target(Target { object, offset: Offset::ZERO }), movement));
            }
            Expr::Unary(UnaryOp::Negate | UnaryOp::Not | UnaryOp::StartOf, operand) if operand.width() > 1 => {
                self.origins(function, operand, movement.then(Move::ANYWHERE), found);
            }
            Expr::Unary(..) => {}
            Expr::Binary(op, _, _) if op.is_comparison() => {}
            Expr::Binary(op @ (BinaryOp::Add | BinaryOp::Subtract), left, right) => {
                let sign = if *op == BinaryOp::Add { 1 } else { -1 };
                self.origins(function, left, movement.then(step(right, sign)), found);
                let right_step = if *op == BinaryOp::Add { step(left, 1) } else { Move::ANYWHERE };
                self.origins(function, right, movement.then(right_step), found);
            }
            Expr::Binary(BinaryOp::Multiply | BinaryOp::ShiftLeft, ..) => {}
            Expr::Binary(_, left, right) => {
                self.origins(function, left, movement.then(Move::ANYWHERE), found);
                self.origins(function, right, movement.then(Move::ANYWHERE), found);
            }
            Expr::Convert(_, _, operand) => self.origins(function, operand, movement, found),
            Expr::IfThenElse(_, then, otherwise) => {
                self.origins(function, then, movement, found);
                self.origins(function, otherwise, movement, found);
            }
        }
    }

    /// What an expression may point to, in the solved graph.
    pub fn targets_of(&self, function: FunctionId, value: &Expr) -> Vec<Target> {
        let mut origins = Vec::new();
        self.origins(function, value, Move::NONE, &mut origins);
        let mut targets = Vec::new();
        for (origin, movement) in origins {
            match origin {
                Origin::Node(node) => {
                    targets.extend(self.nodes[node.0 as usize].targets.iter().map(|target| movement.apply(*target)));
                }
                Origin::Target(target) => targets.push(movement.apply(target)),
            }
        }
        targets.sort_unstable();
        targets.dedup();
        targets
    }

    /// Whatever the cells and ghost fields of an object may point to.
    pub fn contents(&self, object: AbstractObject) -> Vec<Target> {
        let cells =
            self.objects.get(&object).into_iter().flat_map(|state| state.cells.iter().map(|(_, _, cell)| *cell));
        let mut targets: Vec<Target> = cells
            .chain(
                [GhostField::ThreadResult, GhostField::ThreadSpecific]
                    .iter()
                    .filter_map(|field| self.ghosts.get(&(object, *field)).copied()),
            )
            .flat_map(|cell| self.nodes[cell.0 as usize].targets.iter().copied())
            .collect();
        targets.sort_unstable();
        targets.dedup();
        targets
    }

    /// The callees found for each call site.
    pub fn take_calls(&mut self) -> FxHashMap<(FunctionId, EdgeId), Vec<FunctionId>> {
        std::mem::take(&mut self.calls)
    }
}

/// How adding (or subtracting) a value that is no pointer moves a pointer.
fn step(value: &Expr, sign: i64) -> Move {
    match value {
        Expr::Constant(bits) => {
            let distance = i64::try_from(bits.as_signed()).unwrap_or(0);
            Move { distance: distance.wrapping_mul(sign), factor: 0 }
        }
        value => Move { distance: 0, factor: factor(value) },
    }
}

/// A number of which every value of an expression is a multiple; 0 if it is always zero.
///
/// Taking the maximum of this and 1 on the way out of each call looks harmless, but rustc 1.95 makes an accumulator of it and then
/// leaves out the test for zero in [`gcd`], from opt-level 2 on.
fn factor(value: &Expr) -> u64 {
    match value {
        Expr::Constant(bits) => u64::try_from(bits.as_signed().unsigned_abs()).unwrap_or(1),
        Expr::Binary(BinaryOp::Multiply, left, right) => match (left.as_ref(), right.as_ref()) {
            (constant @ Expr::Constant(_), _) | (_, constant @ Expr::Constant(_)) => factor(constant),
            _ => 1,
        },
        Expr::Binary(BinaryOp::ShiftLeft, _, amount) => match amount.as_ref() {
            Expr::Constant(bits) => 1u64.checked_shl(u32::try_from(bits.unsigned()).unwrap_or(0)).unwrap_or(1),
            _ => 1,
        },
        Expr::Binary(BinaryOp::Add | BinaryOp::Subtract, left, right) => gcd(factor(left), factor(right)),
        Expr::IfThenElse(_, then, otherwise) => gcd(factor(then), factor(otherwise)),
        _ => 1,
    }
}
