//! What runs first. A `main` without parameters is the first thread's function; one with parameters is called by a
//! function of ours, which gives it a command line. That function runs the handlers of `atexit` too, where there are any, and constructors.
//! Of a library, the user says which functions are called instead.

use super::Start;
use super::abi::{Callable, ResultPassing};
use super::builder::{FunctionBuilder, ProgramBuilder};
use super::callers;
use super::command_line;
use super::library::callable;
use super::link::FunctionEntity;
use super::models::run_exit_handlers;
use super::unasked;
use super::values::{display, width};
use super::whole::Whole;
use selvedge_program::{Action, Callee, Diagnostic, FunctionId, Span};

/// Lowers what runs first; it becomes the program's first function.
pub fn lower_entry(whole: &mut Whole<'_>, program: &mut ProgramBuilder) {
    for (index, unit) in whole.input.units.iter().enumerate() {
        if let Some(span) = unit.unit.file_asm.first() {
            program.add_caveat(whole.input.resolve(index, *span), "assembly at file scope is ignored");
        }
    }
    if whole.options.volatile_atomic {
        program.add_caveat(Span::NOWHERE, "accesses to volatile numbers and pointers are assumed to be atomic");
    }
    let unsupported = whole.input.units.iter().enumerate().find_map(|(index, unit)| {
        unit.unit.unsupported.first().map(|(span, what)| (whole.input.resolve(index, *span), what.clone()))
    });
    let options = whole.options;
    match (&options.start, unsupported) {
        (Start::Main, unsupported) => lower_main(whole, program, unsupported),
        (Start::Calls(_), Some((span, what))) => never_start(program, span, what),
        (Start::Calls(calls), None) => callers::lower_calls(whole, program, calls),
    }
}

/// A program that ends where it starts, with what is not modelled.
fn never_start(program: &mut ProgramBuilder, span: Span, what: String) {
    let id = program.reserve_function();
    let mut builder = FunctionBuilder::new(program, id, "_start", span);
    builder.unsupported(what);
    builder.finish();
}

fn lower_main(whole: &mut Whole<'_>, program: &mut ProgramBuilder, unsupported: Option<(Span, String)>) {
    let main = whole.names().get("main").and_then(|name| whole.links.external_function(name));
    let main = main.filter(|main| whole.links.function_link(*main).definition.is_some());
    let Some(main) = main else {
        let message = "there is no function `main` (of a library, `--concurrent f,g` says which functions threads call, \
                       and `--entry f` which one runs instead of `main`)";
        whole.diagnostics.push(Diagnostic::error(Span::NOWHERE, message));
        return;
    };
    if let Some((span, what)) = unsupported {
        never_start(program, span, what);
        whole.function(program, main);
        return;
    }
    let link = whole.links.function_link(main);
    let has_parameters = whole.hir_function(link.definition.unwrap_or(link.declaration)).body.as_ref();
    let has_parameters = has_parameters.is_some_and(|body| !body.parameters.is_empty());
    let has_company = whole.facts.has_exit_handlers || unasked::are_there(whole);
    if has_parameters || has_company || whole.facts.has_external_data {
        let id = program.reserve_function();
        let main_called = callable(whole, program, main);
        start(whole, program, id, main, &main_called);
    } else {
        whole.function(program, main);
    }
}

/// Builds the function that runs first.
fn start(whole: &mut Whole<'_>, program: &mut ProgramBuilder, id: FunctionId, main: FunctionEntity, called: &Callable) {
    let types = whole.types();
    let link = whole.links.function_link(main);
    let definition = link.definition.unwrap_or(link.declaration);
    let function = whole.hir_function(definition);
    let span = whole.input.resolve(definition.0, function.span);
    let mut builder = FunctionBuilder::new(program, id, "_start", span);
    let body = function.body.as_ref();
    let Some(arguments) = body.and_then(|body| command_line::arguments(whole, &mut builder, body, &called.abi)) else {
        builder.unsupported("`main` with these parameters");
        return builder.finish();
    };
    let result = match called.abi.result {
        ResultPassing::Value(ty) => Some(builder.temporary(width(types, ty), display(types, ty))),
        ResultPassing::Nothing | ResultPassing::Memory(_) => None,
    };
    builder.set_result_width(called.abi.result.width(types));
    fill_external_data(whole, &mut builder);
    unasked::register_destructors(whole, &mut builder);
    unasked::run_constructors(whole, &mut builder);
    builder.emit(Action::Call { target: result, callee: Callee::Direct(called.id), arguments });
    if whole.facts.has_exit_handlers {
        run_exit_handlers(&mut builder);
    }
    let value = result.map(|result| builder.value(result));
    builder.emit_last(Action::Return { value });
    builder.finish();
}

/// Gives variables that nobody defines their first contents.
pub fn fill_external_data(whole: &mut Whole<'_>, builder: &mut FunctionBuilder<'_>) {
    if whole.facts.has_external_data {
        let id = builder.program.reserve_function();
        whole.external_start = Some(id);
        builder.emit(Action::Call { target: None, callee: Callee::Direct(id), arguments: Vec::new() });
    }
}
