//! Choices among too many values: which of them make a difference?
//!
//! `int x = nondet();` has 2³² answers, but `if (x)` has two outcomes and `assume(0 <= x && x < 4)` leaves four. From
//! the choice on, the thread's private steps are followed with an unknown in place of the value, splitting the values
//! wherever a condition tells them apart. Where the path leaves what can be followed, the values that got there
//! - need one representative if nothing that is still live depends on the unknown, since the states are then the same;
//! - must all be tried otherwise.
//!
//! A value out of nothing that may be an address is a number here (the addresses are tried one by one): numbers equal
//! no address, and an access through one is undefined. What is loaded from indeterminate bytes stays in memory, and is
//! live as long as that is read.
//!
//! Values for which an assumption fails are left out: the thread would be stopped, and whatever the others can do then
//! they can do before its choice as well. If too many values remain, a few at the borders are tried, and the answer
//! says so.

use selvedge_analysis::AbstractObject;
use selvedge_program::semantics::pointers::NULL_PAGE;
use selvedge_program::semantics::{State, Value};
use selvedge_program::{
    Access, Action, BinaryOp, Bits, Callee, Edge, EdgeId, Expr, FunctionId, LocationId, Place, RegisterId, ThreadIndex,
    bitset,
};

use crate::footprints::Footprints;
use crate::intervals::{Intervals, UNKNOWN, solve};

/// At most so many steps are followed, over all paths.
const MOST_STEPS: usize = 2000;
/// At most so many paths.
const MOST_PATHS: usize = 200;
/// As many values are tried one by one where a condition cannot be solved.
const MOST_TRIALS: u128 = 256;

/// The answers worth trying.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestion {
    /// The answers, in ascending order.
    pub values: Vec<Value>,
    /// Whether they stand for all.
    pub exhaustive: bool,
}

/// What a register holds.
#[derive(Clone, Debug)]
enum Held {
    /// A constant, or an expression over the unknown.
    Term(Expr),
    /// An address, which is no number.
    Address,
    /// Something that cannot be followed; whether it may depend on the unknown.
    Opaque { depends: bool },
}

#[derive(Clone, Debug)]
struct Activation {
    function: FunctionId,
    location: LocationId,
    registers: Vec<Held>,
    result: Option<RegisterId>,
}

#[derive(Clone, Debug)]
struct Path {
    values: Intervals,
    stack: Vec<Activation>,
}

/// A step that gives a register any number of its width.
#[derive(Clone, Copy, Debug)]
pub struct Free<'a> {
    /// Before the step.
    pub state: &'a State,
    /// Who takes it.
    pub thread: ThreadIndex,
    /// Along which edge.
    pub edge: EdgeId,
    /// The register.
    pub target: RegisterId,
    /// The object that remembers the value, if it was loaded.
    pub object: Option<AbstractObject>,
}

/// The numbers worth trying.
pub fn suggest(facts: &Footprints<'_>, free: Free<'_>, max_choices: usize) -> Option<Suggestion> {
    let Free { state, thread, edge, target, object } = free;
    let frames = &state.thread(thread)?.frames;
    let mut stack: Vec<Activation> = frames.iter().map(activation).collect();
    let top = stack.last_mut()?;
    let function = facts.program.function(top.function);
    let width = function.register(target).width;
    top.location = function.edge(edge).target;
    *top.registers.get_mut(target.index())? = Held::Term(Expr::register(UNKNOWN, width));
    let object = object.and_then(|object| facts.readable(object));
    let is_read = |other: ThreadIndex| {
        let frames = state.thread(other).into_iter().flat_map(|thread| &thread.frames);
        let reads =
            |number| frames.into_iter().any(|f| bitset::contains(facts.reads.at(f.function, f.location), number));
        other != thread && object.is_some_and(reads)
    };
    let others_read = state.thread_indices().any(is_read);
    let mut walk = Walk { facts, width, object, others_read, ends: Vec::new(), steps: 0, pending: Vec::new() };
    walk.pending.push(Path { values: Intervals::all(width), stack });
    while let Some(path) = walk.pending.pop() {
        walk.follow(path);
    }
    Some(walk.collect(max_choices))
}

fn activation(frame: &selvedge_program::semantics::Frame) -> Activation {
    let held = |value: &Option<Value>| match value {
        Some(Value::Bits(bits)) => Held::Term(Expr::Constant(*bits)),
        Some(Value::Pointer(_)) => Held::Address,
        _ => Held::Opaque { depends: false },
    };
    Activation {
        function: frame.function,
        location: frame.location,
        registers: frame.registers.iter().map(held).collect(),
        result: frame.result,
    }
}

/// The values that got to one end.
struct End {
    values: Intervals,
    depends: bool,
}

struct Walk<'a, 'p> {
    facts: &'a Footprints<'p>,
    width: u32,
    /// The number in [`Footprints::readable`] of the object that remembers the value.
    object: Option<usize>,
    /// Whether another thread may read that.
    others_read: bool,
    ends: Vec<End>,
    steps: usize,
    pending: Vec<Path>,
}

impl Walk<'_, '_> {
    fn follow(&mut self, mut path: Path) {
        loop {
            self.steps += 1;
            let Some(top) = path.stack.last() else { return };
            let definition = self.facts.program.function(top.function);
            let outgoing = &definition.location(top.location).outgoing;
            let edges: Vec<&Edge> = outgoing.iter().map(|edge| definition.edge(*edge)).collect();
            if self.steps > MOST_STEPS || self.pending.len() + self.ends.len() > MOST_PATHS {
                return self.end(&path);
            }
            if edges.iter().all(|edge| matches!(edge.action, Action::Assume(_))) {
                return self.branch(path, &edges);
            }
            let [edge] = edges.as_slice() else { return self.end(&path) };
            if matches!(edge.action, Action::Exit { .. } | Action::Unsupported(_) | Action::Inexact(_)) {
                return self.ends.push(End { values: path.values, depends: false });
            }
            match self.take(&path, edge) {
                Some(next) => path = next,
                None => return self.end(&path),
            }
        }
    }

    /// Splits a path at conditions; a path on which none holds is given up.
    fn branch(&mut self, path: Path, edges: &[&Edge]) {
        let mut branches = Vec::new();
        for edge in edges {
            let Action::Assume(condition) = &edge.action else { return self.end(&path) };
            let Some(values) = self.split(&path, condition) else { return self.end(&path) };
            if !values.is_empty() {
                let mut branch = Path { values, stack: path.stack.clone() };
                if let Some(top) = branch.stack.last_mut() {
                    top.location = edge.target;
                }
                branches.push(branch);
            }
        }
        self.pending.append(&mut branches);
    }

    /// The values of a path for which a condition holds.
    fn split(&self, path: &Path, condition: &Expr) -> Option<Intervals> {
        if may_be_undefined(condition) {
            return None;
        }
        let Held::Term(condition) = held(path.stack.last()?, condition) else { return None };
        if let Some(solution) = solve(&condition, self.width) {
            return Some(path.values.and(&solution));
        }
        if path.values.count().is_none_or(|count| count > MOST_TRIALS) {
            return None;
        }
        let mut holding = Intervals::none(self.width);
        for value in path.values.values() {
            let number = Expr::constant(self.width, value);
            match substitute(&condition, &mut |_, _| Some(number.clone()))? {
                Expr::Constant(truth) if truth.is_zero() => {}
                Expr::Constant(_) => holding = holding.or(&Intervals::range(self.width, value, value)),
                _ => return None,
            }
        }
        Some(holding)
    }

    /// The path after an edge that is private and asks nothing.
    fn take(&mut self, path: &Path, edge: &Edge) -> Option<Path> {
        let mut next = path.clone();
        let top = next.stack.last_mut()?;
        match &edge.action {
            Action::Assign { target, value } if !may_be_undefined(value) => {
                let value = held(top, value);
                *top.registers.get_mut(target.index())? = value;
                top.location = edge.target;
            }
            Action::Fence(_) => top.location = edge.target,
            Action::Assert { condition, .. } | Action::Require { condition, .. } => {
                let passing = self.split(path, condition)?;
                let failing = path.values.and(&passing.not());
                if !failing.is_empty() {
                    self.ends.push(End { values: failing, depends: false });
                }
                if passing.is_empty() {
                    return Some(Path { values: passing, stack: Vec::new() });
                }
                next.values = passing;
                next.stack.last_mut()?.location = edge.target;
            }
            Action::Call { target, callee: Callee::Direct(callee), arguments } => {
                let definition = self.facts.program.function(*callee);
                let fits = definition.parameters.len() == arguments.len() && next.stack.len() < 100;
                if !fits || arguments.iter().any(may_be_undefined) {
                    return None;
                }
                let mut registers = vec![Held::Opaque { depends: false }; definition.registers.len()];
                for (parameter, argument) in definition.parameters.iter().zip(arguments) {
                    *registers.get_mut(parameter.index())? = held(path.stack.last()?, argument);
                }
                next.stack.last_mut()?.location = edge.target;
                next.stack.push(Activation {
                    function: *callee,
                    location: definition.entry,
                    registers,
                    result: *target,
                });
            }
            Action::Return { value } if path.stack.len() > 1 && !value.as_ref().is_some_and(may_be_undefined) => {
                let value = value.as_ref().map(|value| held(top, value));
                let result = next.stack.pop()?.result;
                match (result, value) {
                    (None, _) => {}
                    (Some(_), None) => return None,
                    (Some(target), Some(value)) => {
                        *next.stack.last_mut()?.registers.get_mut(target.index())? = value;
                    }
                }
            }
            Action::Load { access, .. } => return self.access(path, access),
            Action::Store { access, value } if !may_be_undefined(value) => {
                return match held(top, value) {
                    Held::Term(_) | Held::Address => self.access(path, access),
                    Held::Opaque { .. } => None,
                };
            }
            Action::Assign { .. }
            | Action::Call { .. }
            | Action::Return { .. }
            | Action::Store { .. }
            | Action::Assume(_)
            | Action::Atomic(_)
            | Action::Havoc { .. }
            | Action::Forget { .. }
            | Action::EndLife { .. }
            | Action::Spawn { .. }
            | Action::ThreadExit { .. }
            | Action::Exit { .. }
            | Action::Allocate { .. }
            | Action::Free { .. }
            | Action::AtomicBegin
            | Action::AtomicEnd
            | Action::Output(_)
            | Action::Unsupported(_)
            | Action::Inexact(_) => return None,
        }
        Some(next)
    }

    /// An access through a number that depends on the unknown is undefined, in one of two ways; others are not
    /// followed.
    fn access(&mut self, path: &Path, access: &Access) -> Option<Path> {
        let Place::Memory { address, .. } = &access.place else { return None };
        let page = Expr::constant(address.width(), NULL_PAGE);
        let is_null = Expr::binary(BinaryOp::LessUnsigned, address.clone(), page);
        match held(path.stack.last()?, address) {
            Held::Term(address) if !matches!(address, Expr::Constant(_)) => {}
            _ => return None,
        }
        let null = self.split(path, &is_null)?;
        for values in [path.values.and(&null.not()), path.values.and(&null)] {
            if !values.is_empty() {
                self.ends.push(End { values, depends: false });
            }
        }
        Some(Path { values: Intervals::none(self.width), stack: Vec::new() })
    }

    /// The end of what can be followed.
    fn end(&mut self, path: &Path) {
        let last = path.stack.len().wrapping_sub(1);
        let reads = |object| {
            let futures = path.stack.iter().map(|frame| self.facts.reads.at(frame.function, frame.location));
            futures.into_iter().any(|future| bitset::contains(future, object))
        };
        let mut depends = self.others_read || self.object.is_some_and(reads);
        for (position, activation) in path.stack.iter().enumerate() {
            let awaited = path.stack.get(position + 1).filter(|_| position != last).and_then(|callee| callee.result);
            for register in self.facts.live[activation.function.index()].at(activation.location) {
                if Some(*register) != awaited {
                    depends |= activation.registers.get(register.index()).is_none_or(depends_on_unknown);
                }
            }
        }
        self.ends.push(End { values: path.values.clone(), depends });
    }

    fn collect(self, max_choices: usize) -> Suggestion {
        let mut values: Vec<u128> = Vec::new();
        let mut needed = Intervals::none(self.width);
        for end in &self.ends {
            if end.depends {
                needed = needed.or(&end.values);
            } else {
                values.extend(end.values.parts().first().map(|(from, _)| *from));
            }
        }
        let exhaustive = needed.count().is_some_and(|count| count <= max_choices as u128);
        if exhaustive {
            values.extend(needed.values());
        } else {
            for end in self.ends.iter().filter(|end| end.depends) {
                values.extend(end.values.parts().iter().flat_map(|part| borders(*part)));
            }
        }
        values.sort_unstable();
        values.dedup();
        if !exhaustive {
            values.truncate(max_choices);
        }
        let value = |value| Value::Bits(Bits::new(self.width, value));
        Suggestion { values: values.into_iter().map(value).collect(), exhaustive }
    }
}

/// Whether evaluation may be undefined for some values of the registers.
fn may_be_undefined(expr: &Expr) -> bool {
    expr.defined_when().is_some()
}

/// A few likely numbers of an interval.
fn borders((from, to): (u128, u128)) -> impl Iterator<Item = u128> {
    let near = [Some(from), from.checked_add(1), from.checked_add(2), to.checked_sub(1), Some(to)];
    near.into_iter().flatten().filter(move |value| (from..=to).contains(value))
}

fn depends_on_unknown(held: &Held) -> bool {
    match held {
        Held::Term(Expr::Constant(_)) | Held::Address => false,
        Held::Term(_) => true,
        Held::Opaque { depends } => *depends,
    }
}

/// What an expression of an activation amounts to.
fn held(activation: &Activation, expr: &Expr) -> Held {
    match expr {
        Expr::Constant(_) => Held::Term(expr.clone()),
        Expr::Register(register, _) => {
            activation.registers.get(register.index()).cloned().unwrap_or(Held::Opaque { depends: true })
        }
        Expr::Address(..) => Held::Address,
        Expr::Unary(op, operand) => match held(activation, operand) {
            Held::Term(operand) => Held::Term(Expr::unary(*op, operand)),
            other => opaque(&[other]),
        },
        Expr::Convert(conversion, width, operand) => match held(activation, operand) {
            Held::Term(operand) => Held::Term(Expr::convert(*conversion, *width, operand)),
            other => opaque(&[other]),
        },
        Expr::Binary(op, left, right) => match (op, held(activation, left), held(activation, right)) {
            (_, Held::Term(left), Held::Term(right)) => Held::Term(Expr::binary(*op, left, right)),
            (BinaryOp::Equal, Held::Address, Held::Term(_)) | (BinaryOp::Equal, Held::Term(_), Held::Address) => {
                Held::Term(Expr::constant(1, 0))
            }
            (BinaryOp::Add | BinaryOp::Subtract, Held::Address, Held::Term(Expr::Constant(_)))
            | (BinaryOp::Add, Held::Term(Expr::Constant(_)), Held::Address) => Held::Address,
            (_, left, right) => opaque(&[left, right]),
        },
        Expr::IfThenElse(condition, then, otherwise) => {
            let (then, otherwise) = (held(activation, then), held(activation, otherwise));
            match (held(activation, condition), then, otherwise) {
                (Held::Term(Expr::Constant(truth)), then, otherwise) => {
                    if truth.is_zero() {
                        otherwise
                    } else {
                        then
                    }
                }
                (Held::Term(condition), Held::Term(then), Held::Term(otherwise)) => {
                    Held::Term(Expr::if_then_else(condition, then, otherwise))
                }
                (condition, then, otherwise) => opaque(&[condition, then, otherwise]),
            }
        }
    }
}

/// What cannot be followed, made of these.
fn opaque(parts: &[Held]) -> Held {
    Held::Opaque { depends: parts.iter().any(depends_on_unknown) }
}

/// The expression with its registers replaced; `None` if one has no replacement, or an address occurs.
pub fn substitute(expr: &Expr, replace: &mut dyn FnMut(RegisterId, u32) -> Option<Expr>) -> Option<Expr> {
    Some(match expr {
        Expr::Constant(_) => expr.clone(),
        Expr::Register(register, width) => replace(*register, *width)?,
        Expr::Address(..) => return None,
        Expr::Unary(op, operand) => Expr::unary(*op, substitute(operand, replace)?),
        Expr::Binary(op, left, right) => {
            let (left, right) = (substitute(left, replace)?, substitute(right, replace)?);
            Expr::binary(*op, left, right)
        }
        Expr::Convert(conversion, width, operand) => Expr::convert(*conversion, *width, substitute(operand, replace)?),
        Expr::IfThenElse(condition, then, otherwise) => {
            let condition = substitute(condition, replace)?;
            let (then, otherwise) = (substitute(then, replace)?, substitute(otherwise, replace)?);
            Expr::if_then_else(condition, then, otherwise)
        }
    })
}
