//! When an expression is defined: the conditions under which its evaluation divides by no zero, shifts not too far and
//! converts no floating-point number that does not fit.

use crate::fold::power_of_two;
use crate::{BinaryOp, Bits, Conversion, Expr, FloatFormat, Undefined};

impl Expr {
    /// The conditions (of width 1) under which the expression is defined, in the order of evaluation, each with what is
    /// wrong if it does not hold; `None` if it is always defined.
    ///
    /// A condition is itself defined whenever all the earlier ones hold. Of an if-then-else only the branch that is
    /// taken counts. Comparisons of unrelated pointers and operations that need a pointer's number are beyond what a
    /// condition over registers can say: only the concrete semantics judges those.
    pub fn defined_when(&self) -> Option<Vec<(Expr, Undefined)>> {
        let mut conditions = Vec::new();
        collect(self, &mut conditions);
        (!conditions.is_empty()).then_some(conditions)
    }
}

fn collect(expr: &Expr, conditions: &mut Vec<(Expr, Undefined)>) {
    match expr {
        Expr::Constant(_) | Expr::Register(..) | Expr::Address(..) => {}
        Expr::Unary(_, operand) => collect(operand, conditions),
        Expr::Binary(op, left, right) => {
            collect(left, conditions);
            collect(right, conditions);
            of_operator(*op, left, right, conditions);
        }
        Expr::Convert(conversion, width, operand) => {
            collect(operand, conditions);
            of_conversion(*conversion, *width, operand, conditions);
        }
        Expr::IfThenElse(condition, then, otherwise) => {
            collect(condition, conditions);
            let mut branch = Vec::new();
            collect(then, &mut branch);
            for (defined, undefined) in branch.drain(..) {
                push(conditions, Expr::if_then_else((**condition).clone(), defined, Expr::truth()), undefined);
            }
            collect(otherwise, &mut branch);
            for (defined, undefined) in branch.drain(..) {
                push(conditions, Expr::if_then_else((**condition).clone(), Expr::truth(), defined), undefined);
            }
        }
    }
}

fn push(conditions: &mut Vec<(Expr, Undefined)>, condition: Expr, undefined: Undefined) {
    if condition != Expr::truth() {
        conditions.push((condition, undefined));
    }
}

fn of_operator(op: BinaryOp, left: &Expr, right: &Expr, conditions: &mut Vec<(Expr, Undefined)>) {
    let width = right.width();
    match op {
        BinaryOp::DivideUnsigned | BinaryOp::RemainderUnsigned => {
            push(conditions, right.clone().is_true(), Undefined::DivisionByZero);
        }
        BinaryOp::DivideSigned | BinaryOp::RemainderSigned => {
            push(conditions, right.clone().is_true(), Undefined::DivisionByZero);
            let smallest = Expr::equal(left.clone(), Expr::Constant(Bits::smallest(width)));
            let minus_one = Expr::equal(right.clone(), Expr::Constant(Bits::ones(width)));
            push(conditions, smallest.and(minus_one).not(), Undefined::DivisionOverflow);
        }
        BinaryOp::ShiftLeft | BinaryOp::ShiftRightUnsigned | BinaryOp::ShiftRightSigned => {
            let limit = Expr::constant(width, u128::from(width));
            push(conditions, Expr::binary(BinaryOp::LessUnsigned, right.clone(), limit), Undefined::ShiftTooFar);
        }
        _ => {}
    }
}

fn of_conversion(conversion: Conversion, width: u32, operand: &Expr, conditions: &mut Vec<(Expr, Undefined)>) {
    let (format, above, below) = match conversion {
        Conversion::FloatToUnsigned(format) => (format, 0.0, power_of_two(width)),
        Conversion::FloatToSigned(format) => (format, -power_of_two(width - 1), power_of_two(width - 1)),
        _ => return,
    };
    let low_enough = Expr::binary(BinaryOp::FloatLess(format), operand.clone(), number(format, below));
    // A number truncates to at least `above` if it is greater than `above - 1`. Where the format cannot tell that
    // number from `above`, it has nothing between them either.
    let (op, bound) = if number(format, above - 1.0) == number(format, above) {
        (BinaryOp::FloatLessEqual(format), above)
    } else {
        (BinaryOp::FloatLess(format), above - 1.0)
    };
    let high_enough = Expr::binary(op, number(format, bound), operand.clone());
    push(conditions, high_enough.and(low_enough), Undefined::FloatOutOfRange);
}

fn number(format: FloatFormat, value: f64) -> Expr {
    Expr::Constant(match format {
        FloatFormat::F32 => Bits::from_f32(value as f32),
        FloatFormat::F64 => Bits::from_f64(value),
    })
}
