//! One form for predicates that say the same. What only ever holds one number is that number. In equations, constants
//! that are added to both sides meet on one of them: a counter and what a thread has counted go up together, and each
//! time round a loop `shared + 1 == own + 1` is `shared == own` again.

use selvedge_program::{BinaryOp, Expr};
use selvedge_symbolic::threads::{Slot, View, Who};
use selvedge_symbolic::{Predicate, Tag, Variable};

/// The predicate with its value for whatever only ever holds one. `own == shared`, of a local that is always 1, says
/// `1 == shared`: of all threads the same, those included that have yet to begin.
pub fn with_constants(view: &mut View<'_>, predicate: &Predicate) -> Predicate {
    let variables = predicate.variables();
    let constants: Vec<Option<u128>> = variables.iter().map(|variable| constant(view, *variable)).collect();
    if constants.iter().all(Option::is_none) {
        return predicate.clone();
    }
    let condition = predicate.condition().substitute(&mut |register, width| match constants[register.index()] {
        Some(value) => Expr::constant(width, value),
        None => Expr::register(register, width),
    });
    Predicate::new(&condition.simplified(), variables)
}

/// The number that a variable always holds.
fn constant(view: &mut View<'_>, variable: Variable) -> Option<u128> {
    if !matches!(variable, Variable::Register(..) | Variable::Cell { .. }) {
        return None;
    }
    let word = match view.slot(variable)? {
        Slot::Own(local) => view.local(Who::Own, local)?,
        Slot::Shared(key) => view.cell(key)?,
    };
    let is_number = view.builder.tags(word).iter().all(|tag| *tag == Tag::NUMBER);
    let value = view.builder.terms.constant_value(word.bits)?;
    is_number.then(|| value.unsigned())
}

/// The predicate with its equation in that form.
pub fn normal(predicate: &Predicate) -> Predicate {
    match equation(predicate.condition(), predicate.variables()) {
        Some(condition) => Predicate::new(&condition, predicate.variables()),
        None => predicate.clone(),
    }
}

fn equation(condition: &Expr, variables: &[Variable]) -> Option<Expr> {
    let Expr::Binary(BinaryOp::Equal, left, right) = condition else { return None };
    let width = left.width();
    let ((left, more), (right, less)) = (apart(left), apart(right));
    let variable = |side: &Option<&Expr>| match side {
        Some(Expr::Register(register, _)) => variables.get(register.index()),
        _ => None,
    };
    let is_turned = match (variable(&left), variable(&right)) {
        (Some(one), Some(other)) => other < one,
        _ => false,
    };
    if more == 0 && !is_turned {
        return None;
    }
    let (left, right, rest) =
        if is_turned { (right, left, more.wrapping_sub(less)) } else { (left, right, less.wrapping_sub(more)) };
    let rest = rest & ones(width);
    let right = match right {
        None => Expr::constant(width, rest),
        Some(right) if rest == 0 => right.clone(),
        Some(right) => Expr::binary(BinaryOp::Add, right.clone(), Expr::constant(width, rest)),
    };
    Some(Expr::binary(BinaryOp::Equal, left?.clone(), right))
}

/// What is not constant of a sum, and the constant.
fn apart(expr: &Expr) -> (Option<&Expr>, u128) {
    let mut sum = 0u128;
    let mut expr = expr;
    loop {
        match expr {
            Expr::Constant(constant) => return (None, sum.wrapping_add(constant.unsigned())),
            Expr::Binary(op @ (BinaryOp::Add | BinaryOp::Subtract), left, right) => match (&**left, &**right) {
                (rest, Expr::Constant(constant)) => {
                    let added = constant.unsigned();
                    sum = if *op == BinaryOp::Add { sum.wrapping_add(added) } else { sum.wrapping_sub(added) };
                    expr = rest;
                }
                (Expr::Constant(constant), rest) if *op == BinaryOp::Add => {
                    sum = sum.wrapping_add(constant.unsigned());
                    expr = rest;
                }
                _ => return (Some(expr), sum),
            },
            _ => return (Some(expr), sum),
        }
    }
}

fn ones(width: u32) -> u128 {
    if width >= 128 { u128::MAX } else { (1 << width) - 1 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use selvedge_program::{FunctionId, RegisterId};

    #[test]
    fn constants_meet_on_one_side() {
        let variables: Vec<Variable> =
            [0, 1].map(|number| Variable::Register(FunctionId::new(0), RegisterId(number))).to_vec();
        let equation = |condition: &Expr| super::equation(condition, &variables);
        let (x, y) = (Expr::register(RegisterId(0), 8), Expr::register(RegisterId(1), 8));
        let plus = |expr: &Expr, constant| Expr::binary(BinaryOp::Add, expr.clone(), Expr::constant(8, constant));
        let equal = |left: Expr, right: Expr| Expr::binary(BinaryOp::Equal, left, right);
        assert_eq!(equation(&equal(plus(&x, 1), plus(&y, 1))), Some(equal(x.clone(), y.clone())));
        assert_eq!(equation(&equal(plus(&plus(&x, 2), 1), plus(&y, 1))), Some(equal(x.clone(), plus(&y, 254))));
        assert_eq!(equation(&equal(plus(&x, 3), Expr::constant(8, 1))), Some(equal(x.clone(), Expr::constant(8, 254))));
        assert_eq!(equation(&equal(x.clone(), plus(&y, 1))), None);
        assert_eq!(equation(&equal(y.clone(), x.clone())), Some(equal(x.clone(), y.clone())));
        assert_eq!(equation(&equal(y.clone(), plus(&x, 1))), Some(equal(x.clone(), plus(&y, 255))));
        assert_eq!(equation(&equal(plus(&Expr::constant(8, 1), 1), Expr::constant(8, 2))), None);
    }
}
