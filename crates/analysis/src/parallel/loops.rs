//! Counted loops: `for (i = 0; i < 4; i++)` over a private counter, whose number of rounds is known.
//!
//! The shape: a header with two branches that look at nothing but the counter, one into the loop and one out of it;
//! one edge back to the header, which adds a constant to the counter and is the only one in the loop to assign it; a
//! constant start. There may be other ways out of the loop. The counter is a register, so nothing else can change it.

use super::count::Count;
use selvedge_program::{Action, Bits, Edge, EdgeId, Expr, Function, LocationId, RegisterId};

/// More rounds than this are not counted.
const MOST_ROUNDS: Count = 10_000;

/// A loop that makes a known number of rounds unless it is left in the middle of one.
#[derive(Clone, Debug)]
pub struct CountedLoop {
    /// Where every round begins, and where it ends.
    pub header: LocationId,
    /// By location, whether it belongs to the loop.
    pub body: Vec<bool>,
    /// How many rounds there are before the header's way out is taken.
    pub rounds: Count,
}

/// The edges that lead to each location.
#[derive(Debug)]
pub struct Incoming(Vec<Vec<EdgeId>>);

impl Incoming {
    /// Of a function.
    pub fn of(function: &Function) -> Incoming {
        let mut incoming = vec![Vec::new(); function.locations.len()];
        for (index, edge) in function.edges.iter().enumerate() {
            if edge.action.falls_through() {
                incoming[edge.target.index()].push(EdgeId::new(index));
            }
        }
        Incoming(incoming)
    }

    fn at(&self, location: LocationId) -> &[EdgeId] {
        &self.0[location.index()]
    }
}

/// The counted loops of a function, inner ones before outer ones.
pub fn counted_loops(function: &Function) -> Vec<CountedLoop> {
    let incoming = Incoming::of(function);
    let edges = (0..function.edges.len()).map(EdgeId::new);
    let mut found: Vec<CountedLoop> = edges.filter_map(|back| counted_loop(function, &incoming, back)).collect();
    found.sort_by_key(|counted| counted.body.iter().filter(|inside| **inside).count());
    found
}

fn counted_loop(function: &Function, incoming: &Incoming, back: EdgeId) -> Option<CountedLoop> {
    let edge = function.edge(back);
    let Action::Assign { target: counter, value: next } = &edge.action else { return None };
    let header = edge.target;
    let [one, other] = function.location(header).outgoing.as_slice() else { return None };
    let (one, other) = (function.edge(*one), function.edge(*other));
    let (Action::Assume(_), Action::Assume(_)) = (&one.action, &other.action) else { return None };
    let body = natural_loop(function, incoming, back)?;
    let is_inside = |location: LocationId| body[location.index()];
    let (stay, leave) = match (is_inside(one.target), is_inside(other.target)) {
        (true, false) => (one, other),
        (false, true) => (other, one),
        _ => return None,
    };
    let changed_elsewhere = function.edges.iter().enumerate().any(|(index, edge)| {
        is_inside(edge.source) && EdgeId::new(index) != back && edge.action.assigned().contains(counter)
    });
    if changed_elsewhere {
        return None;
    }
    let mut starts = Vec::new();
    for entering in incoming.at(header) {
        if *entering != back {
            if is_inside(function.edge(*entering).source) {
                return None;
            }
            starts.push(value_after(function, incoming, *entering, *counter)?);
        }
    }
    let (first, rest) = starts.split_first()?;
    if rest.iter().any(|start| start != first) {
        return None;
    }
    let rounds = rounds(*counter, *first, next, stay.action.condition()?, leave.action.condition()?)?;
    Some(CountedLoop { header, body, rounds })
}

/// The locations from which the edge back can be reached without passing its target, the header; `None` if the loop
/// can be entered elsewhere than at the header.
fn natural_loop(function: &Function, incoming: &Incoming, back: EdgeId) -> Option<Vec<bool>> {
    let mut body = vec![false; function.locations.len()];
    let header = function.edge(back).target;
    body[header.index()] = true;
    let mut pending = vec![function.edge(back).source];
    while let Some(location) = pending.pop() {
        if !std::mem::replace(&mut body[location.index()], true) {
            if location == function.entry {
                return None;
            }
            pending.extend(incoming.at(location).iter().map(|edge| function.edge(*edge).source));
        }
    }
    Some(body)
}

/// The constant that a register holds after an edge, if one was assigned on the straight way there.
fn value_after(function: &Function, incoming: &Incoming, edge: EdgeId, register: RegisterId) -> Option<Bits> {
    let mut edge = edge;
    for _ in 0..function.edges.len() {
        let Edge { source, action, .. } = function.edge(edge);
        if let Action::Assign { target, value: Expr::Constant(bits) } = action
            && *target == register
        {
            return Some(*bits);
        }
        if action.assigned().contains(&register) || *source == function.entry {
            return None;
        }
        let [before] = incoming.at(*source) else { return None };
        edge = *before;
    }
    None
}

/// How often `stay` holds before `leave` does, as the counter goes on from its start.
fn rounds(counter: RegisterId, start: Bits, next: &Expr, stay: &Expr, leave: &Expr) -> Option<Count> {
    let mut value = start;
    for rounds in 0..=MOST_ROUNDS {
        let holds = |condition: &Expr| Some(!evaluate(condition, counter, value)?.is_zero());
        match (holds(stay)?, holds(leave)?) {
            (true, false) => value = evaluate(next, counter, value)?,
            (false, true) => return Some(rounds),
            _ => return None,
        }
    }
    None
}

/// The value of an expression over one register.
fn evaluate(expr: &Expr, register: RegisterId, value: Bits) -> Option<Bits> {
    let of = |operand: &Expr| evaluate(operand, register, value);
    match expr {
        Expr::Constant(bits) => Some(*bits),
        Expr::Register(read, _) => (*read == register).then_some(value),
        Expr::Address(..) => None,
        Expr::Unary(op, operand) => Some(op.apply(of(operand)?)),
        Expr::Binary(op, left, right) => op.apply(of(left)?, of(right)?).ok(),
        Expr::Convert(conversion, width, operand) => conversion.apply(*width, of(operand)?).ok(),
        Expr::IfThenElse(condition, then, otherwise) => {
            if of(condition)?.is_zero() {
                of(otherwise)
            } else {
                of(then)
            }
        }
    }
}
