//! Equations between remainders by one constant, as where numbers go round (tickets, places of a ring buffer). Steps
//! make `((x + 1) % 3 + 1) % 3 == y` of `(x + 1) % 3 == y`, and so on without end. Of numbers below the divisor that
//! says the same as `(x + 2) % 3 == y`; so that is tracked instead, and that the numbers are below the divisor. What is
//! tracked is but a language: whether one thing implies another, the solver is asked.

use selvedge_program::{BinaryOp, Expr};
use selvedge_symbolic::Predicate;

/// What is tracked instead of an equation between remainders of two variables; `None` if it is none.
pub fn instead(predicate: &Predicate) -> Option<Vec<Predicate>> {
    let Expr::Binary(BinaryOp::Equal, left, right) = predicate.condition() else { return None };
    let by = divisor(left).or_else(|| divisor(right))?;
    let (mut one, mut other) = (around(left, by)?, around(right, by)?);
    let variable = |side: &(&Expr, u128)| match side.0 {
        Expr::Register(register, _) => predicate.variables().get(register.index()).copied(),
        _ => None,
    };
    if variable(&other)? < variable(&one)? {
        std::mem::swap(&mut one, &mut other);
    }
    let number = |number: u128| Expr::constant(left.width(), number);
    let ((one, more), (other, less)) = (one, other);
    let moved = match (more + by - less) % by {
        // A remainder by itself may be that of any number.
        0 if !is_moved(left) && !is_moved(right) => return None,
        0 => one.clone(),
        distance => {
            let sum = Expr::binary(BinaryOp::Add, one.clone(), number(distance));
            Expr::binary(BinaryOp::RemainderUnsigned, sum, number(by))
        }
    };
    let mut said: Vec<Expr> =
        [one, other].into_iter().map(|side| Expr::binary(BinaryOp::LessUnsigned, side.clone(), number(by))).collect();
    if one != other {
        said.push(Expr::binary(BinaryOp::Equal, moved, other.clone()));
    }
    Some(said.iter().map(|condition| Predicate::new(condition, predicate.variables())).collect())
}

/// The constant by which the outermost remainder of an expression is taken.
fn divisor(expr: &Expr) -> Option<u128> {
    match expr {
        Expr::Binary(BinaryOp::RemainderUnsigned, _, by) => match &**by {
            Expr::Constant(by) => (by.unsigned() > 1).then_some(by.unsigned()),
            _ => None,
        },
        Expr::Binary(BinaryOp::Add, sum, _) => divisor(sum),
        _ => None,
    }
}

/// Whether something is added, however often it goes round.
fn is_moved(expr: &Expr) -> bool {
    match expr {
        Expr::Binary(BinaryOp::Add, ..) => true,
        Expr::Binary(BinaryOp::RemainderUnsigned, inner, _) => is_moved(inner),
        _ => false,
    }
}

/// The variable that an expression moves around a ring of some size, and by how much.
fn around(expr: &Expr, by: u128) -> Option<(&Expr, u128)> {
    match expr {
        Expr::Register(..) => Some((expr, 0)),
        Expr::Binary(BinaryOp::RemainderUnsigned, inner, _) if divisor(expr) == Some(by) => around(inner, by),
        Expr::Binary(BinaryOp::Add, inner, more) => {
            let Expr::Constant(more) = &**more else { return None };
            let (variable, moved) = around(inner, by)?;
            Some((variable, (moved + more.unsigned() % by) % by))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use selvedge_program::{FunctionId, RegisterId};
    use selvedge_symbolic::Variable;

    /// What is tracked instead of an equation, as it is printed for debugging.
    fn said(condition: &Expr) -> Option<Vec<Expr>> {
        let variables = [0, 1].map(|number| Variable::Register(FunctionId::new(0), RegisterId(number)));
        let instead = instead(&Predicate::new(condition, &variables))?;
        Some(instead.iter().map(|predicate| predicate.condition().clone()).collect())
    }

    #[test]
    fn numbers_go_round() {
        let (x, y) = (Expr::register(RegisterId(0), 8), Expr::register(RegisterId(1), 8));
        let number = |number| Expr::constant(8, number);
        let next = |expr: &Expr| {
            let sum = Expr::binary(BinaryOp::Add, expr.clone(), number(1));
            Expr::binary(BinaryOp::RemainderUnsigned, sum, number(3))
        };
        let equal = |left: &Expr, right: &Expr| Expr::binary(BinaryOp::Equal, left.clone(), right.clone());
        let last = |condition: &Expr| said(condition).and_then(|said| said.last().cloned());
        let two = Expr::binary(BinaryOp::Add, x.clone(), number(2));
        let two = Expr::binary(BinaryOp::RemainderUnsigned, two, number(3));
        assert_eq!(last(&equal(&next(&x), &y)), Some(equal(&next(&x), &y)));
        assert_eq!(last(&equal(&next(&next(&x)), &y)), Some(equal(&two, &y)));
        assert_eq!(last(&equal(&x, &next(&y))), Some(equal(&two, &y)));
        assert_eq!(last(&equal(&next(&next(&next(&x))), &y)), Some(equal(&x, &y)));
        assert_eq!(last(&equal(&next(&x), &next(&y))), Some(equal(&x, &y)));
        assert_eq!(said(&equal(&next(&x), &y)).map(|said| said.len()), Some(3));
        // What says nothing of two numbers below the divisor, and what is no such equation.
        assert_eq!(said(&equal(&next(&x), &x)).map(|said| said.len()), Some(2));
        assert_eq!(said(&equal(&x, &y)), None);
        assert_eq!(said(&equal(&next(&x), &number(1))), None);
    }
}
