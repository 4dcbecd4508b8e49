//! When is there a choice? Whether values after a step exist that its relation allows, as a condition on the values
//! before it.
//!
//! A choice is eliminated by test points: a condition on x that is made of comparisons of x with other values can be
//! fulfilled only if it is by one of these values, one next to them, or the least or greatest of the type. That the
//! test points suffice is not taken for granted: the solver is asked whether anything else fulfils the condition.

use selvedge_program::{BinaryOp, Conversion, Display, Expr, Program, RegisterId};
use selvedge_symbolic::{Moment, Relation, Timed};

use super::alternative::Alternative;
use crate::question::{Questions, Values};
use crate::spec::Specification;

/// More test points are not tried: conditions grow with each.
const MOST_POINTS: usize = 40;

/// Deeper conditions are not looked at.
const DEEPEST: usize = 200;

/// The condition on the values before that the step can be taken; `None` if it was not found.
pub fn possible(program: &Program, spec: &Specification, alternative: &Alternative) -> Option<Expr> {
    let mut condition = alternative.guard.clone();
    for position in &alternative.choices {
        condition = eliminated(program, spec, &condition, *position)?;
    }
    Some(condition)
}

fn eliminated(program: &Program, spec: &Specification, condition: &Expr, position: usize) -> Option<Expr> {
    let slot = RegisterId::new(spec.shared.len() + position);
    if !condition.mentions(&[slot]) {
        return Some(condition.clone());
    }
    let width = spec.shared[position].width;
    let mut points = vec![Expr::constant(width, 0), Expr::constant(width, 1)];
    if spec.shared[position].display != Display::Bool {
        let highest = 1_u128 << (width - 1);
        points.extend([highest, highest - 1, highest | (highest - 1)].map(|bits| Expr::constant(width, bits)));
        compared(condition, slot, width, &mut points);
    }
    points.dedup();
    if points.len() > MOST_POINTS {
        return None;
    }
    let at = |point: &Expr| {
        let mut with = |register: RegisterId, width: u32| {
            if register == slot { point.clone() } else { Expr::Register(register, width) }
        };
        condition.substitute(&mut with).simplified()
    };
    let some = points.iter().map(at).reduce(Expr::or)?.simplified();
    if some.is_deeper_than(DEEPEST) {
        return None;
    }
    let table: Vec<Timed> = [Moment::Before, Moment::After]
        .into_iter()
        .flat_map(|moment| spec.shared.iter().map(move |shared| (shared.variable, moment)))
        .collect();
    let mut questions = Questions::new(program);
    let (mut before, mut after) = (Values::default(), Values::default());
    let holds = questions.passes(&Relation::new(condition, &table), &mut before, &mut after);
    let found = questions.passes(&Relation::new(&some, &table), &mut before, &mut after);
    let missed = questions.builder.not(found);
    (!questions.can_hold(&[holds, missed])).then_some(some)
}

/// The values that a slot is compared with, and their neighbours.
fn compared(expr: &Expr, slot: RegisterId, width: u32, points: &mut Vec<Expr>) {
    match expr {
        Expr::Constant(_) | Expr::Register(..) | Expr::Address(..) => {}
        Expr::Unary(_, operand) | Expr::Convert(_, _, operand) => compared(operand, slot, width, points),
        Expr::IfThenElse(condition, then, otherwise) => {
            for part in [condition, then, otherwise] {
                compared(part, slot, width, points);
            }
        }
        Expr::Binary(op, left, right) => {
            if matches!(op, BinaryOp::Equal | BinaryOp::LessSigned | BinaryOp::LessUnsigned) {
                for (one, other) in [(left, right), (right, left)] {
                    if is_slot(one, slot) && !other.mentions(&[slot]) {
                        let value = (**other).clone().resize_unsigned(width);
                        let next = Expr::constant(width, 1);
                        points.push(Expr::binary(BinaryOp::Add, value.clone(), next.clone()).simplified());
                        points.push(Expr::binary(BinaryOp::Subtract, value.clone(), next).simplified());
                        points.push(value.simplified());
                    }
                }
            }
            compared(left, slot, width, points);
            compared(right, slot, width, points);
        }
    }
}

fn is_slot(expr: &Expr, slot: RegisterId) -> bool {
    match expr {
        Expr::Register(register, _) => *register == slot,
        Expr::Convert(Conversion::ZeroExtend | Conversion::SignExtend, _, inner) => is_slot(inner, slot),
        _ => false,
    }
}
