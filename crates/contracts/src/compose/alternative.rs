//! An edge of an abstract thread as guarded updates: what its relation says of values after the step is solved for
//! them where it gives them by equations, and left as a choice where it does not.
//!
//! Expressions here are over *slots*: for n shared variables, register i is variable i before the step, register n + i
//! the same after it.

use selvedge_program::{BinaryOp, Conversion, Display, Expr, RegisterId};
use selvedge_symbolic::{Moment, Relation};

use crate::spec::{Edge, Shared, Specification};

/// One way to take an edge.
#[derive(Clone, Debug)]
pub struct Alternative {
    /// When the step can be taken, given the values of the choices.
    pub guard: Expr,
    /// What is written, by position; in terms of what was there before, and of choices.
    pub updates: Vec<(usize, Expr)>,
    /// The variables whose values after the step are chosen, by position.
    pub choices: Vec<usize>,
}

/// A condition over slots.
pub fn slots(spec: &Specification, relation: &Relation) -> Expr {
    let slot = |register: RegisterId| {
        let (variable, moment) = relation.variables()[register.index()];
        let position = spec.position(variable).unwrap_or_default();
        RegisterId::new(if moment == Moment::Before { position } else { spec.shared.len() + position })
    };
    relation.condition().rename(&mut |register| slot(register))
}

/// The ways to take an edge.
pub fn alternatives(spec: &Specification, edge: &Edge) -> Vec<Alternative> {
    let mut found = Vec::new();
    for disjunct in disjuncts(&slots(spec, &edge.relation)) {
        let conjuncts = conjuncts(&disjunct);
        found.push(solved(&spec.shared, &edge.changes, conjuncts));
    }
    found
}

/// The conditions of which one has to hold.
fn disjuncts(expr: &Expr) -> Vec<Expr> {
    parts(expr, BinaryOp::Or)
}

/// The conditions that all have to hold.
fn conjuncts(expr: &Expr) -> Vec<Expr> {
    parts(expr, BinaryOp::And)
}

fn parts(expr: &Expr, operator: BinaryOp) -> Vec<Expr> {
    let mut found = Vec::new();
    let mut work = vec![expr];
    while let Some(expr) = work.pop() {
        match expr {
            Expr::Binary(op, left, right) if *op == operator && left.width() == 1 => {
                work.push(right);
                work.push(left);
            }
            other => found.push(other.clone()),
        }
    }
    found
}

/// Solves for what equations give; the rest is chosen.
fn solved(shared: &[Shared], changes: &[usize], mut conjuncts: Vec<Expr>) -> Alternative {
    let first_after = shared.len();
    let after = |position: usize| RegisterId::new(first_after + position);
    let mut updates: Vec<(usize, Expr)> = Vec::new();
    let mut open: Vec<usize> = changes.to_vec();
    loop {
        let unknown: Vec<RegisterId> = open.iter().map(|position| after(*position)).collect();
        let given = open.iter().find_map(|position| {
            let value = conjuncts.iter().find_map(|conjunct| given_by(conjunct, after(*position), &unknown))?;
            Some((*position, value))
        });
        let Some((position, value)) = given else { break };
        open.retain(|known| *known != position);
        let replace = |expr: &Expr| {
            let mut with = |register: RegisterId, width: u32| {
                if register == after(position) { value.clone() } else { Expr::Register(register, width) }
            };
            expr.substitute(&mut with).simplified()
        };
        conjuncts = conjuncts.iter().map(&replace).collect();
        updates.push((position, value));
    }
    let mut guard = Expr::truth();
    for conjunct in conjuncts {
        guard = Expr::and(guard, conjunct);
    }
    for position in &open {
        let Shared { width, display, .. } = shared[*position];
        let chosen = Expr::register(after(*position), width);
        if display == Display::Bool {
            guard = Expr::and(guard, Expr::binary(BinaryOp::LessUnsigned, chosen.clone(), Expr::constant(width, 2)));
        }
        updates.push((*position, chosen));
    }
    Alternative { guard: guard.simplified(), updates, choices: open }
}

/// The value that an equation gives a slot, in terms of what is known.
fn given_by(conjunct: &Expr, slot: RegisterId, unknown: &[RegisterId]) -> Option<Expr> {
    let Expr::Binary(BinaryOp::Equal, left, right) = conjunct else { return None };
    [(left, right), (right, left)].into_iter().find_map(|(one, other)| {
        if other.mentions(unknown) {
            return None;
        }
        match &**one {
            Expr::Register(register, _) if *register == slot => Some((**other).clone()),
            // The equation stays: the value may not fit.
            Expr::Convert(Conversion::ZeroExtend | Conversion::SignExtend, _, inner) => match **inner {
                Expr::Register(register, width) if register == slot => {
                    Some((**other).clone().resize_unsigned(width).simplified())
                }
                _ => None,
            },
            _ => None,
        }
    })
}
