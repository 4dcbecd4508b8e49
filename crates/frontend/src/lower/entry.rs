//! Where the program starts. A `main` without parameters is the first thread's function; one with parameters is called
//! by a function of ours, which gives it the command line that the user names. Without one it is empty, and a `main`
//! that looks at it is left to run with others: nothing is claimed of them. That function runs the handlers of `atexit`
//! too, where there are any.

use super::abi::{Abi, Callable, ResultPassing};
use super::builder::{FunctionBuilder, ProgramBuilder};
use super::effects;
use super::library::callable;
use super::link::FunctionEntity;
use super::models::run_exit_handlers;
use super::values::{display, width};
use super::whole::Whole;
use crate::hir::Body;
use crate::types::Types;
use selvedge_program::{
    Action, Base, Callee, Diagnostic, Display, Expr, FunctionId, InitialValue, Object, ObjectKind, Shape, Span,
};

/// Lowers what runs first; it becomes the program's first function.
pub fn lower_entry(whole: &mut Whole<'_>, program: &mut ProgramBuilder) {
    for (index, unit) in whole.input.units.iter().enumerate() {
        if let Some(span) = unit.unit.file_asm.first() {
            program.add_caveat(whole.input.resolve(index, *span), "assembly at file scope is ignored");
        }
    }
    let main = whole.names().get("main").and_then(|name| whole.links.external_function(name));
    let main = main.filter(|main| whole.links.function_link(*main).definition.is_some());
    let Some(main) = main else {
        whole.diagnostics.push(Diagnostic::error(Span::NOWHERE, "there is no function `main`"));
        return;
    };
    let unsupported = whole.input.units.iter().enumerate().find_map(|(index, unit)| {
        unit.unit.unsupported.first().map(|(span, what)| (whole.input.resolve(index, *span), what.clone()))
    });
    if let Some((span, what)) = unsupported {
        let id = program.reserve_function();
        let mut builder = FunctionBuilder::new(program, id, "_start", span);
        builder.unsupported(what);
        builder.finish();
        whole.function(program, main);
        return;
    }
    let link = whole.links.function_link(main);
    let has_parameters = whole.hir_function(link.definition.unwrap_or(link.declaration)).body.as_ref();
    let has_parameters = has_parameters.is_some_and(|body| !body.parameters.is_empty());
    if has_parameters || whole.facts.has_exit_handlers || whole.facts.has_external_data {
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
    let body = function.body.as_ref();
    let given = whole.options.arguments.as_deref();
    let arguments = body.and_then(|body| arguments(program, types, body, &called.abi, given, span));
    let mut builder = FunctionBuilder::new(program, id, "_start", span);
    let Some(arguments) = arguments else {
        builder.unsupported("`main` with these parameters");
        return builder.finish();
    };
    let result = match called.abi.result {
        ResultPassing::Value(ty) => Some(builder.temporary(width(types, ty), display(types, ty))),
        ResultPassing::Nothing | ResultPassing::Memory(_) => None,
    };
    builder.set_result_width(called.abi.result.width(types));
    if whole.facts.has_external_data {
        let id = builder.program.reserve_function();
        whole.external_start = Some(id);
        builder.emit(Action::Call { target: None, callee: Callee::Direct(id), arguments: Vec::new() });
    }
    builder.emit(Action::Call { target: result, callee: Callee::Direct(called.id), arguments });
    if whole.facts.has_exit_handlers {
        run_exit_handlers(&mut builder);
    }
    let value = result.map(|result| builder.value(result));
    builder.emit_last(Action::Return { value });
    builder.finish();
}

/// The arguments of `main`: the words of the command line, and no environment; nothing in particular for what it never
/// looks at. `None` if the parameters are not those of a `main`.
fn arguments(
    program: &mut ProgramBuilder,
    types: &Types,
    body: &Body,
    abi: &Abi,
    given: Option<&[String]>,
    span: Span,
) -> Option<Vec<Expr>> {
    let is_expected = abi.parameters.len() <= 3
        && abi.parameters.first().is_none_or(|ty| types.is_integer(*ty))
        && abi.parameters.iter().skip(1).all(|ty| types.is_pointer(*ty));
    if !is_expected || matches!(abi.result, ResultPassing::Memory(_)) {
        return None;
    }
    let words: Vec<&str> = std::iter::once("program").chain(given.into_iter().flatten().map(String::as_str)).collect();
    let mut arguments = Vec::new();
    for (position, (local, ty)) in body.parameters.iter().zip(&abi.parameters).enumerate() {
        if !effects::body_mentions(body, *local) {
            arguments.push(Expr::constant(width(types, *ty), 0));
            continue;
        }
        match given {
            _ if position == 2 => program.add_restriction(span, "`main` is run with an empty environment"),
            Some(given) => program.add_caveat(span, format!("the program is run with {}", counted(given.len()))),
            None => program.add_restriction(span, "`main` is run without arguments only; `--args` gives it some"),
        }
        arguments.push(match position {
            0 => Expr::constant(width(types, *ty), words.len() as u128),
            1 => pointer_list(program, "argv", &words, span),
            _ => pointer_list(program, "envp", &[], span),
        });
    }
    Some(arguments)
}

fn counted(arguments: usize) -> String {
    match arguments {
        0 => "no arguments".to_owned(),
        1 => "the argument that `--args` gives".to_owned(),
        more => format!("the {more} arguments that `--args` gives"),
    }
}

fn text_object(program: &mut ProgramBuilder, name: &str, text: &[u8], span: Span) -> Expr {
    let initial = text.iter().enumerate().map(|(position, byte)| InitialValue {
        offset: position as u64,
        size: 1,
        value: Expr::constant(8, u128::from(*byte)),
    });
    let element = Box::new(Shape::Scalar { size: 1, display: Display::Signed });
    let object = Object {
        name: name.to_owned(),
        kind: ObjectKind::Global,
        size: text.len() as u64,
        align: 1,
        initial: initial.filter(|value| value.value != Expr::constant(8, 0)).collect(),
        initial_ghosts: Vec::new(),
        shape: Shape::Array { element, stride: 1, length: text.len() as u64 },
        type_name: "char []".to_owned(),
        span,
    };
    let id = program.add_object(object);
    Expr::address(Base::Object(id), program.data_model.pointer_width())
}

/// A list of pointers to strings that ends with null.
fn pointer_list(program: &mut ProgramBuilder, name: &str, words: &[&str], span: Span) -> Expr {
    let size = program.data_model.pointer_size();
    let length = words.len() as u64 + 1;
    let mut initial = Vec::new();
    for (position, word) in words.iter().enumerate() {
        let text: Vec<u8> = word.bytes().chain([0]).collect();
        let value = text_object(program, &format!("{name}[{position}]"), &text, span);
        initial.push(InitialValue { offset: position as u64 * u64::from(size), size, value });
    }
    let element = Box::new(Shape::Scalar { size, display: Display::Pointer });
    let object = Object {
        name: name.to_owned(),
        kind: ObjectKind::Global,
        size: length * u64::from(size),
        align: size,
        initial,
        initial_ghosts: Vec::new(),
        shape: Shape::Array { element, stride: u64::from(size), length },
        type_name: "char *[]".to_owned(),
        span,
    };
    let id = program.add_object(object);
    Expr::address(Base::Object(id), program.data_model.pointer_width())
}
