//! Registers that are used as handles of threads and for nothing else. An indeterminate value that such a register is
//! loaded with matters only if it happens to be the address of a thread: anything else is as bad as a number, which is
//! undefined where the handle is used.

use std::collections::BTreeSet;

use selvedge_program::{Action, AtomicStep, Base, BinaryOp, Expr, FunctionId, Place, Program, RegisterId};

/// The registers that loads assign and that are only handles.
pub fn handles(program: &Program) -> BTreeSet<(FunctionId, RegisterId)> {
    let mut handles = BTreeSet::new();
    for (index, function) in program.functions.iter().enumerate() {
        let mut loaded: BTreeSet<RegisterId> = BTreeSet::new();
        let mut others: BTreeSet<RegisterId> = BTreeSet::new();
        for edge in &function.edges {
            if let Action::Load { target, .. } = &edge.action {
                loaded.insert(*target);
            }
            let as_handles = as_handles(&edge.action);
            edge.action.for_each_expression(&mut |expr| {
                if !as_handles.iter().any(|handle| std::ptr::eq(*handle, expr)) {
                    for_each_other_use(expr, &mut |register| {
                        others.insert(register);
                    });
                }
            });
        }
        handles.extend(loaded.difference(&others).map(|register| (FunctionId::new(index), *register)));
    }
    handles
}

/// The expressions of an action that are handles where they stand.
fn as_handles(action: &Action) -> Vec<&Expr> {
    let handles = action.steps().iter().filter_map(as_handle);
    handles.filter(|handle| matches!(handle, Expr::Register(..))).collect()
}

fn as_handle(step: &AtomicStep) -> Option<&Expr> {
    if let AtomicStep::Mark { object, .. } = step {
        return Some(object);
    }
    match &step.access()?.0.place {
        Place::Ghost { address, field } if field.belongs_to_thread() => Some(address),
        Place::Ghost { .. } | Place::Memory { .. } => None,
    }
}

/// Visits the registers of an expression, but for comparisons with the executing thread.
fn for_each_other_use(expr: &Expr, visit: &mut dyn FnMut(RegisterId)) {
    match expr {
        Expr::Constant(_) | Expr::Address(..) => {}
        Expr::Register(register, _) => visit(*register),
        Expr::Binary(BinaryOp::Equal, left, right) if is_comparison_with_self(left, right) => {}
        Expr::Unary(_, operand) | Expr::Convert(_, _, operand) => for_each_other_use(operand, visit),
        Expr::Binary(_, left, right) => {
            for_each_other_use(left, visit);
            for_each_other_use(right, visit);
        }
        Expr::IfThenElse(condition, then, otherwise) => {
            for_each_other_use(condition, visit);
            for_each_other_use(then, visit);
            for_each_other_use(otherwise, visit);
        }
    }
}

fn is_comparison_with_self(left: &Expr, right: &Expr) -> bool {
    let is_self = |expr: &Expr| matches!(expr, Expr::Address(Base::SelfThread, _));
    let is_register = |expr: &Expr| matches!(expr, Expr::Register(..));
    is_self(left) && is_register(right) || is_register(left) && is_self(right)
}
