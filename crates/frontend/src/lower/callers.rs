//! Libraries: functions of the program that are called instead of `main`. First those that set things up, each once; then
//! any number of threads call the others, any of them, any number of times, as users of the library might. What they are
//! called with is in [`given`](super::given); what is taken for granted of the callers is said with the verdict.
//!
//! An item of what threads call may be several calls in a row (`alloc+free`): a thread makes them one after the other, and
//! pointers that one returns, or stores where it was told to, are given to the next ones that take such a pointer.

use super::abi::{Callable, Extra, ResultPassing};
use super::builder::{FunctionBuilder, ProgramBuilder};
use super::entry::fill_external_data;
use super::given::{Calling, Given, Parameter};
use super::library::{apply, callable, result_object};
use super::link::FunctionEntity;
use super::models::{self, Argument};
use super::null_check::{Called, Role, handles_null, role_of};
use super::unasked;
use super::values::{display, width};
use super::whole::Whole;
use crate::types::{TypeId, Types};
use selvedge_program::{Action, Base, Callee, Diagnostic, Display, Expr, FrameObject, FunctionId, Shape, Span};

/// What is called instead of `main`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Calls {
    /// What the first thread calls, in order.
    pub setup: Vec<Call>,
    /// What any number of threads call: each item is some calls in a row.
    pub concurrent: Vec<Vec<Call>>,
}

/// A call of a function by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The function.
    pub name: String,
    /// The arguments that are numbers which the user names; the rest are any.
    pub arguments: Vec<Option<i128>>,
}

impl Call {
    /// Reads calls such as `push,pop` and `init(_,8),alloc+free`.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn list(text: &str) -> Result<Vec<Vec<Call>>, String> {
        let mut items = vec![vec![String::new()]];
        let mut is_within = false;
        for character in text.chars().filter(|character| !character.is_whitespace()) {
            match character {
                ',' if !is_within => items.push(vec![String::new()]),
                '+' if !is_within => items.last_mut().into_iter().for_each(|item| item.push(String::new())),
                _ => {
                    is_within = if character == '(' { true } else { is_within && character != ')' };
                    items.last_mut().and_then(|item| item.last_mut()).into_iter().for_each(|call| call.push(character));
                }
            }
        }
        items.iter().map(|item| item.iter().map(|call| Call::of(call)).collect()).collect()
    }

    fn of(text: &str) -> Result<Call, String> {
        let (name, arguments) = match text.split_once('(') {
            None => (text, None),
            Some((name, rest)) => (name, Some(rest.strip_suffix(')').ok_or("a `(` has no `)`")?)),
        };
        let is_name = name.chars().all(|character| character.is_alphanumeric() || character == '_');
        if name.is_empty() || !is_name || name.starts_with(|first: char| first.is_ascii_digit()) {
            return Err(format!("`{text}` is no call: calls look like f or f(_,8), several like f,g or f+g"));
        }
        let argument = |text: &str| match text {
            "_" => Ok(None),
            number => number.parse().map(Some).map_err(|_| format!("`{number}` is neither a number nor `_`")),
        };
        let arguments = arguments.filter(|arguments| !arguments.is_empty());
        let arguments = arguments.map_or(Ok(Vec::new()), |list| list.split(',').map(argument).collect());
        Ok(Call { name: name.to_owned(), arguments: arguments? })
    }
}

/// A function to call.
#[derive(Clone, Debug)]
pub struct Routine {
    /// Its name.
    pub name: String,
    /// Where it is defined.
    pub span: Span,
    /// What it takes.
    pub parameters: Vec<Parameter>,
    called: Callable,
}

/// Lowers what calls the functions.
pub fn lower_calls(whole: &mut Whole<'_>, program: &mut ProgramBuilder, calls: &Calls) {
    let start = program.reserve_function();
    let setup: Vec<Routine> = calls.setup.iter().filter_map(|call| routine(whole, program, call)).collect();
    let concurrent: Vec<Vec<Routine>> = calls
        .concurrent
        .iter()
        .map(|item| item.iter().filter_map(|call| routine(whole, program, call)).collect())
        .collect();
    let is_whole = whole.diagnostics.iter().all(|known| known.severity != selvedge_program::Severity::Error);
    let mut given = Given::of(whole, program, &setup, &concurrent);
    if !is_whole || !given.is_possible(whole, setup.iter().chain(concurrent.iter().flatten())) {
        return;
    }
    let caller = (!concurrent.is_empty()).then(|| build_caller(whole, program, &mut given, &concurrent));
    build_start(whole, program, start, &mut given, &setup, caller);
    name_calls(program, &setup, &concurrent);
    given.name_assumptions(program);
}

/// Finds a function by its name: one that all files see, or the only one of a file of its own.
fn find(whole: &Whole<'_>, name: &str) -> Result<FunctionEntity, String> {
    let symbol = whole.names().get(name);
    let is_defined = |entity: &FunctionEntity| whole.links.function_link(*entity).definition.is_some();
    let external = symbol.and_then(|symbol| whole.links.external_function(symbol)).filter(is_defined);
    if let Some(entity) = external {
        return Ok(entity);
    }
    let mut found = Vec::new();
    for (unit, linked) in whole.input.units.iter().enumerate() {
        for (index, function) in linked.unit.functions.iter().enumerate() {
            if Some(function.name) == symbol && function.body.is_some() {
                found.push(whole.links.function(unit, crate::hir::FunctionId::new(index)));
            }
        }
    }
    match found.as_slice() {
        [entity] => Ok(*entity),
        [] => Err(format!("the program defines no function `{name}`")),
        _ => Err(format!("several files have a function `{name}` of their own")),
    }
}

fn routine(whole: &mut Whole<'_>, program: &mut ProgramBuilder, call: &Call) -> Option<Routine> {
    let entity = match find(whole, &call.name) {
        Ok(entity) => entity,
        Err(message) => {
            whole.diagnostics.push(Diagnostic::error(Span::NOWHERE, message));
            return None;
        }
    };
    let called = callable(whole, program, entity);
    let link = whole.links.function_link(entity);
    let definition = link.definition.unwrap_or(link.declaration);
    let function = whole.hir_function(definition);
    let span = whole.input.resolve(definition.0, function.span);
    let body = function.body.as_ref()?;
    if called.abi.extra == Extra::Variadic || call.arguments.len() > called.abi.parameters.len() {
        let message = match called.abi.extra {
            Extra::Variadic => {
                format!("`{}` takes any number of arguments: call it from a function of your own", call.name)
            }
            Extra::Dropped | Extra::Forbidden => format!("`{}` takes fewer arguments", call.name),
        };
        whole.diagnostics.push(Diagnostic::error(span, message));
        return None;
    }
    let role = |called| match called {
        Called::Builtin(name) => role_of(whole.names().name(name)),
        Called::Function(id) => {
            let function = whole.hir_function((definition.0, id));
            match role_of(whole.names().name(function.name)) {
                Role::Other if function.is_noreturn => Role::NeverReturns,
                role => role,
            }
        }
    };
    let mut parameters = Vec::new();
    for (index, (local, ty)) in body.parameters.iter().zip(&called.abi.parameters).enumerate() {
        parameters.push(Parameter {
            name: body.locals[local.index()].name.map_or("unnamed", |name| whole.names().name(name)).to_owned(),
            ty: *ty,
            fixed: call.arguments.get(index).copied().flatten(),
            may_be_null: handles_null(body, *local, &role),
        });
    }
    Some(Routine { name: call.name.clone(), span, parameters, called })
}

impl Routine {
    /// What it returns.
    pub fn result(&self) -> TypeId {
        match self.called.abi.result {
            ResultPassing::Value(ty) | ResultPassing::Memory(ty) => ty,
            ResultPassing::Nothing => Types::VOID,
        }
    }

    /// Calls it; gives its result, if that is a number or a pointer.
    fn call(&self, whole: &Whole<'_>, builder: &mut FunctionBuilder<'_>, mut arguments: Vec<Expr>) -> Option<Expr> {
        let types = whole.types();
        let target = match self.called.abi.result {
            ResultPassing::Nothing => None,
            ResultPassing::Value(ty) => Some(builder.temporary(width(types, ty), display(types, ty))),
            ResultPassing::Memory(ty) => {
                let address = result_object(whole, builder, ty, 0);
                arguments.insert(0, address);
                None
            }
        };
        builder.emit(Action::Call { target, callee: Callee::Direct(self.called.id), arguments });
        target.map(|target| builder.value(target))
    }
}

/// Builds the first thread's function: it sets things up, then starts any number of threads.
fn build_start(
    whole: &mut Whole<'_>,
    program: &mut ProgramBuilder,
    id: FunctionId,
    given: &mut Given,
    setup: &[Routine],
    caller: Option<FunctionId>,
) {
    let span = setup.first().map_or(Span::NOWHERE, |routine| routine.span);
    let mut builder = FunctionBuilder::new(program, id, "_start", span);
    fill_external_data(whole, &mut builder);
    unasked::run_constructors(whole, &mut builder);
    unasked::leave_out_destructors(whole, &mut builder);
    for routine in setup {
        builder.span = routine.span;
        for turn in 0..given.turns(whole, routine) {
            let arguments = given.setup_arguments(whole, &mut builder, routine, turn);
            let result = routine.call(whole, &mut builder, arguments);
            given.keep(whole, &mut builder, routine, turn, result);
        }
    }
    if let Some(caller) = caller {
        start_threads(whole, &mut builder, caller);
    }
    builder.emit_last(Action::Return { value: None });
    builder.finish();
}

/// Starts any number of threads and leaves them alone.
fn start_threads(whole: &mut Whole<'_>, builder: &mut FunctionBuilder<'_>, caller: FunctionId) {
    let pointer = builder.program.data_model.pointer_size();
    let thread = builder.frame_object(FrameObject {
        name: "thread".to_owned(),
        size: u64::from(pointer),
        align: pointer,
        shape: Shape::Scalar { size: pointer, display: Display::Pointer },
        type_name: "pthread_t".to_owned(),
        span: builder.span,
    });
    let (head, more, end) = (builder.location(), builder.location(), builder.location());
    builder.jump(head);
    builder.stand_at(head);
    let is_more = builder.havoc(1, Display::Bool);
    builder.branch(is_more, more, end);
    builder.stand_at(more);
    let (null, ty) = (builder.null(), Types::VOID_POINTER);
    let values =
        [builder.address(Base::Frame(thread)), null.clone(), builder.address(Base::Function(caller)), null.clone()];
    let arguments: Vec<Argument> = values.into_iter().map(|value| Argument { value, ty }).collect();
    if let Some(create) = models::table::find("pthread_create") {
        apply(whole, builder, "pthread_create", create, &arguments, Types::INT);
    }
    builder.jump(head);
    builder.stand_at(end);
    if let Some(exit) = models::table::find("pthread_exit").filter(|_| !whole.facts.has_exit_handlers) {
        apply(whole, builder, "pthread_exit", exit, &[Argument { value: null, ty }], Types::VOID);
    }
}

/// Builds the function that all other threads run: any of the calls, any number of times.
fn build_caller(
    whole: &Whole<'_>,
    program: &mut ProgramBuilder,
    given: &mut Given,
    concurrent: &[Vec<Routine>],
) -> FunctionId {
    let id = program.reserve_function();
    program.address_taken.insert(id);
    let span = concurrent.iter().flatten().next().map_or(Span::NOWHERE, |routine| routine.span);
    let mut builder = FunctionBuilder::new(program, id, "caller", span);
    let pointer = builder.pointer_width();
    builder.parameter(None, pointer, Display::Pointer);
    builder.set_result_width(Some(pointer));
    let (head, end) = (builder.location(), builder.location());
    builder.jump(head);
    builder.stand_at(head);
    let bits = usize::BITS - concurrent.len().leading_zeros();
    let choice = builder.havoc(bits, Display::Unsigned);
    for (index, item) in concurrent.iter().enumerate() {
        builder.span = item.first().map_or(span, |routine| routine.span);
        let (taken, next) = (builder.location(), builder.location());
        let is_it = Expr::equal(choice.clone(), Expr::constant(bits, index as u128));
        builder.branch(is_it, taken, next);
        builder.stand_at(taken);
        let mut results: Vec<(TypeId, Expr)> = Vec::new();
        let turn = given.any_turn(whole, &mut builder, item);
        for (position, routine) in item.iter().enumerate() {
            builder.span = routine.span;
            let calling = Calling { routine, turn: &turn, results: &results, is_setup: false };
            let arguments = given.arguments(whole, &mut builder, calling);
            let result = routine.call(whole, &mut builder, arguments);
            let ty = routine.result();
            let returned = result.filter(|_| item.len() > 1 && whole.types().is_pointer(ty)).map(|result| (ty, result));
            let left = given.left(whole, &mut builder, &item[position + 1..]);
            for (ty, result) in returned.into_iter().chain(left) {
                let there = builder.location();
                builder.branch(result.clone().is_true(), there, head);
                builder.stand_at(there);
                results.push((ty, result));
            }
        }
        builder.jump(head);
        builder.stand_at(next);
    }
    builder.jump(end);
    builder.stand_at(end);
    let null = builder.null();
    builder.emit_last(Action::Return { value: Some(null) });
    builder.finish();
    id
}

/// Says who is called.
fn name_calls(program: &mut ProgramBuilder, setup: &[Routine], concurrent: &[Vec<Routine>]) {
    let names = |routines: &[Routine], between: &str| {
        routines.iter().map(|routine| format!("`{}`", routine.name)).collect::<Vec<_>>().join(between)
    };
    let first = setup.iter().chain(concurrent.iter().flatten()).next();
    let span = first.map_or(Span::NOWHERE, |routine| routine.span);
    let items: Vec<String> = concurrent.iter().map(|item| names(item, " and then ")).collect();
    let message = match (setup, concurrent) {
        (setup, []) => format!("{} is called once, by one thread, instead of `main`", names(setup, ", ")),
        ([], _) => format!("any number of threads call {}, any of these at any time", items.join(", ")),
        (setup, _) => format!(
            "one thread calls {}, then any number of threads call {}, any of these at any time",
            names(setup, ", "),
            items.join(", ")
        ),
    };
    program.add_caveat(span, message);
    if concurrent.iter().any(|item| item.len() > 1) {
        let message = "calls in a row pass on the pointers that they return or store, and end where one is null";
        program.add_caveat(span, message);
    }
}

#[cfg(test)]
mod tests {
    use super::Call;

    #[test]
    fn calls_are_read() {
        let call =
            |name: &str, arguments: &[Option<i128>]| Call { name: name.to_owned(), arguments: arguments.to_vec() };
        assert_eq!(
            Call::list("push, pop(_,-3),alloc+free"),
            Ok(vec![
                vec![call("push", &[])],
                vec![call("pop", &[None, Some(-3)])],
                vec![call("alloc", &[]), call("free", &[])]
            ])
        );
        assert_eq!(Call::list("f()"), Ok(vec![vec![call("f", &[])]]));
        for wrong in ["", "f,", "f++g", "f(", "f(x)", "3", "f g(", "f-g"] {
            assert!(Call::list(wrong).is_err(), "{wrong}");
        }
    }
}
