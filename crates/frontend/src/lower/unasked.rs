//! Functions that nobody calls: constructors run before `main`, destructors at the end of the process.
//!
//! Constructors run by priority, the lowest first, and those of one priority in the order of their definitions, files in
//! the order in which they are given, as linkers lay them out. Destructors run the other way round, after the handlers
//! of `atexit`: they are registered like these, before all others.

use super::abi::ResultPassing;
use super::builder::FunctionBuilder;
use super::library::callable;
use super::whole::Whole;
use crate::hir;
use selvedge_program::{Action, Callee, Expr};

/// Whether there are functions that nobody calls.
pub fn are_there(whole: &Whole<'_>) -> bool {
    !by_priority(whole, |function| function.constructor).is_empty()
        || !by_priority(whole, |function| function.destructor).is_empty()
}

/// Those of one kind, in the order in which constructors run.
fn by_priority(whole: &Whole<'_>, priority: impl Fn(&hir::Function) -> Option<u32>) -> Vec<(usize, hir::FunctionId)> {
    let mut found = Vec::new();
    for (unit, linked) in whole.input.units.iter().enumerate() {
        for (index, function) in linked.unit.functions.iter().enumerate() {
            if let Some(priority) = priority(function).filter(|_| function.body.is_some()) {
                found.push((priority, unit, function.span.start, hir::FunctionId::new(index)));
            }
        }
    }
    found.sort_unstable();
    found.into_iter().map(|(_, unit, _, id)| (unit, id)).collect()
}

/// Registers the destructors.
pub fn register_destructors(whole: &mut Whole<'_>, builder: &mut FunctionBuilder<'_>) {
    for (unit, id) in by_priority(whole, |function| function.destructor) {
        whole.noted.has_exit_handlers = true;
        let entity = whole.links.function(unit, id);
        let handler = whole.function_address(builder.program, entity);
        let callee = Callee::Direct(builder.program.c_model("__selvedge_atexit"));
        builder.emit(Action::Call { target: None, callee, arguments: vec![handler] });
    }
}

/// Of a library nobody says when the process ends.
pub fn leave_out_destructors(whole: &Whole<'_>, builder: &mut FunctionBuilder<'_>) {
    if let Some(first) = by_priority(whole, |function| function.destructor).first() {
        let span = whole.input.resolve(first.0, whole.hir_function(*first).span);
        builder.program.add_caveat(span, "the process is assumed not to end, so that destructors do not run");
    }
}

/// Runs the constructors.
pub fn run_constructors(whole: &mut Whole<'_>, builder: &mut FunctionBuilder<'_>) {
    let around = builder.span;
    for (unit, id) in by_priority(whole, |function| function.constructor) {
        let function = whole.hir_function((unit, id));
        builder.span = whole.input.resolve(unit, function.span);
        let entity = whole.links.function(unit, id);
        let called = callable(whole, builder.program, entity);
        if !called.abi.parameters.is_empty() || matches!(called.abi.result, ResultPassing::Memory(_)) {
            builder.unsupported(format!("the constructor `{}`, which takes something", whole.function_name(entity)));
            continue;
        }
        let arguments: Vec<Expr> = Vec::new();
        builder.emit(Action::Call { target: None, callee: Callee::Direct(called.id), arguments });
    }
    builder.span = around;
}
