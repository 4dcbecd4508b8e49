//! Freed memory that is given out again: on a machine, a new object may lie where a freed one was, and a pointer that
//! was kept compares equal to it (the ABA problem of lock-free code). In the model no two objects ever have the same
//! address. A program for which that may matter (it frees memory, and compares pointers that it computes) is told so.

use selvedge_program::{Action, BinaryOp, Caveat, Display, Expr, Function, Program};

/// Says what is taken for granted of addresses, at the first comparison for which it may matter.
pub fn note(program: &mut Program) {
    let mut edges = program.functions.iter().flat_map(|function| &function.edges);
    if !edges.any(|edge| matches!(edge.action, Action::Free { .. })) {
        return;
    }
    let compares = program.functions.iter().flat_map(|function| {
        let compares = move |action: &Action| {
            let mut found = false;
            action.for_each_expression(&mut |expr| found |= compares_pointers(function, expr));
            found
        };
        function.edges.iter().filter(move |edge| compares(&edge.action)).map(|edge| edge.span)
    });
    if let Some(span) = compares.min() {
        let message = "freed memory is assumed not to be given out again at an address that the program still compares";
        program.caveats.push(Caveat { message: message.to_owned(), span });
    }
}

/// Whether two pointers that are neither constants nor addresses of variables are compared for equality.
fn compares_pointers(function: &Function, expr: &Expr) -> bool {
    let is_pointer = |operand: &Expr| match operand {
        Expr::Register(register, _) => function.register(*register).display == Display::Pointer,
        _ => false,
    };
    let is_computed = |operand: &Expr| !matches!(operand, Expr::Constant(_) | Expr::Address(..));
    match expr {
        Expr::Constant(_) | Expr::Register(..) | Expr::Address(..) => false,
        Expr::Unary(_, operand) | Expr::Convert(_, _, operand) => compares_pointers(function, operand),
        Expr::Binary(op, left, right) => {
            let compares = *op == BinaryOp::Equal && is_computed(left) && is_computed(right);
            (compares && (is_pointer(left) || is_pointer(right)))
                || compares_pointers(function, left)
                || compares_pointers(function, right)
        }
        Expr::IfThenElse(condition, then, otherwise) => {
            [condition, then, otherwise].into_iter().any(|operand| compares_pointers(function, operand))
        }
    }
}
