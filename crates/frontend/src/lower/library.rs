//! Library functions: their models applied, and functions that stand for them where their address is taken.

use super::abi::{Abi, Callable, Extra, ResultPassing};
use super::builder::{FunctionBuilder, ProgramBuilder};
use super::external::{self, Given, Unknown};
use super::link::FunctionEntity;
use super::models::{self, Argument, Model, ModelCall, Modelled};
use super::shape::shape;
use super::values::{display, float_format, resize, width};
use super::whole::{Target, Whole};
use crate::types::{Type, TypeId, Types};
use selvedge_program::{Action, Base, Callee, Conversion, Display, Expr, FloatFormat, FrameObject, FunctionId};

/// What is said of a call that nobody can lower.
pub fn unknown(name: &str) -> String {
    format!(
        "call of `{name}`, which is not defined and has no model (`--assume-pure {name}` takes it to have no effect)"
    )
}

/// The first of some names that has a model.
pub fn find(whole: &Whole<'_>, names: &[&str]) -> Option<Target> {
    names.iter().find_map(|name| match models::table::find(name) {
        Some(model) => Some(Target::Model(model)),
        None => whole.names().get(name).and_then(|name| whole.links.model(name)).map(Target::Defined),
    })
}

/// The program's function for a definition, with the way to call it.
pub fn callable(whole: &mut Whole<'_>, program: &mut ProgramBuilder, entity: FunctionEntity) -> Callable {
    let id = whole.function(program, entity);
    let link = whole.links.function_link(entity);
    let function = whole.hir_function(link.definition.unwrap_or(link.declaration));
    let types = whole.types();
    let abi = match (&function.body, types.function_type(function.ty)) {
        (Some(body), _) => Abi::of_definition(types, function.ty, body),
        (None, Some(ty)) => Abi::of_type(types, ty, &[]),
        (None, None) => Abi { result: ResultPassing::Nothing, parameters: Vec::new(), extra: Extra::Dropped },
    };
    Callable { id, abi }
}

/// A call for a model to lower.
pub fn model_call<'b, 'a>(
    whole: &Whole<'b>,
    builder: &'b mut FunctionBuilder<'a>,
    name: &'b str,
    arguments: &'b [Argument],
    result: TypeId,
) -> ModelCall<'b, 'a> {
    ModelCall {
        name,
        arguments,
        result,
        types: whole.input.types,
        facts: whole.facts,
        latitude: whole.options.library,
        uninitialised: whole.options.uninitialised,
        failures: &whole.options.failures,
        function: builder,
    }
}

/// Applies a model; gives the result in the declared type's width, whatever stands there for `void`.
pub fn apply(
    whole: &mut Whole<'_>,
    builder: &mut FunctionBuilder<'_>,
    name: &str,
    model: Model,
    arguments: &[Argument],
    result: TypeId,
) -> Expr {
    let types = whole.types();
    let nothing = Expr::constant(width(types, result), 0);
    builder.program.handlers.note_call(builder.id, name, builder.span);
    let mut call = model_call(whole, builder, name, arguments, result);
    call.pass_cancellation_point();
    call.check_moved_locks();
    let modelled = model(&mut call);
    let value = match modelled {
        Modelled::Value(value, shown) => declared(types, value, shown, result),
        Modelled::Void => nothing,
        Modelled::NoReturn => {
            let elsewhere = builder.location();
            builder.stand_at(elsewhere);
            nothing
        }
        Modelled::CallC(name, values) => match whole.names().get(name).and_then(|name| whole.links.model(name)) {
            Some(entity) => call_c(whole, builder, entity, arguments, values, result),
            None => {
                builder.unsupported(unknown(name));
                nothing
            }
        },
        Modelled::Rough(why) => {
            let unknown = Unknown { name, result, is_noreturn: false };
            let given: Vec<Given> = arguments.iter().map(|argument| Given::of(types, argument.clone())).collect();
            external::call_roughly(whole, builder, (unknown, why), &given)
        }
        Modelled::Unsupported(why) => {
            builder.unsupported(why);
            nothing
        }
    };
    model_call(whole, builder, name, arguments, result).give_reason(&value);
    value
}

/// The user says that a function does nothing but return something.
pub fn assume_pure(whole: &Whole<'_>, builder: &mut FunctionBuilder<'_>, name: &str, result: TypeId) -> Expr {
    let types = whole.types();
    let message = format!("`{name}` is assumed to have no effect and to return any value");
    builder.program.add_caveat(builder.span, message);
    if result == Types::VOID {
        return Expr::constant(width(types, result), 0);
    }
    if types.is_aggregate(result) {
        let address = result_object(whole, builder, result, 0);
        if let Expr::Address(Base::Frame(object), _) = address {
            builder.emit(Action::Forget { object });
        }
        return address;
    }
    builder.havoc(width(types, result), display(types, result))
}

/// An object of the activation for a struct result, of at least some bytes.
pub fn result_object(whole: &Whole<'_>, builder: &mut FunctionBuilder<'_>, ty: TypeId, least: u64) -> Expr {
    let types = whole.types();
    let object = FrameObject {
        name: "result".to_owned(),
        size: types.size(ty).unwrap_or(0).max(least),
        align: types.align(ty).max(types.data_model.pointer_size()),
        shape: shape(types, whole.names(), ty),
        type_name: types.name(ty, whole.names()),
        span: builder.span,
    };
    let object = builder.frame_object(object);
    builder.address(Base::Frame(object))
}

/// A model's result in the width of the type that the program declares.
fn declared(types: &Types, value: Expr, shown: Display, ty: TypeId) -> Expr {
    let target = width(types, ty);
    if matches!(types.get(ty), Type::Bool) {
        return value.is_true().resize_unsigned(target);
    }
    match (float_format(types, ty), shown) {
        (Some(_), Display::Float) if value.width() != target => {
            let from = if value.width() == 32 { FloatFormat::F32 } else { FloatFormat::F64 };
            Expr::convert(Conversion::FloatToFloat(from), target, value)
        }
        _ => resize(value, shown, target),
    }
}

/// Calls a model in C. Values that are arguments as they were given are resized by their type's sign.
pub fn call_c(
    whole: &mut Whole<'_>,
    builder: &mut FunctionBuilder<'_>,
    entity: FunctionEntity,
    given: &[Argument],
    values: Vec<Expr>,
    result: TypeId,
) -> Expr {
    let types = whole.types();
    let Callable { id, abi } = callable(whole, builder.program, entity);
    let nothing = Expr::constant(width(types, result), 0);
    if values.len() < abi.parameters.len() || abi.extra == Extra::Variadic {
        let name = whole.function_name(entity);
        builder.unsupported(format!("call of `{name}` with too few arguments"));
        return nothing;
    }
    let signed = |value: &Expr| given.iter().any(|argument| argument.value == *value && types.is_signed(argument.ty));
    let mut arguments: Vec<Expr> = values
        .into_iter()
        .zip(&abi.parameters)
        .map(|(value, ty)| {
            let shown = if signed(&value) { Display::Signed } else { Display::Unsigned };
            resize(value, shown, width(types, *ty))
        })
        .collect();
    let target = match abi.result {
        ResultPassing::Value(ty) => Some((builder.temporary(width(types, ty), display(types, ty)), ty)),
        ResultPassing::Nothing => None,
        ResultPassing::Memory(ty) => {
            let size = types.size(ty).unwrap_or(0);
            let address = result_object(whole, builder, result, size);
            arguments.insert(0, address.clone());
            builder.emit(Action::Call { target: None, callee: Callee::Direct(id), arguments });
            return if types.is_aggregate(result) { address } else { nothing };
        }
    };
    let register = target.map(|(register, _)| register);
    builder.emit(Action::Call { target: register, callee: Callee::Direct(id), arguments });
    match target {
        Some((register, ty)) if result != Types::VOID => {
            declared(types, builder.value(register), display(types, ty), result)
        }
        _ => nothing,
    }
}

/// A function that stands for a library function whose address is taken.
pub fn lower_wrapper(whole: &mut Whole<'_>, program: &mut ProgramBuilder, entity: FunctionEntity, id: FunctionId) {
    let link = whole.links.function_link(entity);
    let function = whole.hir_function(link.declaration);
    let name = whole.names().name(link.name);
    let types = whole.types();
    let span = whole.input.resolve(link.declaration.0, function.span);
    let mut builder = FunctionBuilder::new(program, id, name, span);
    let Some(ty) = types.function_type(function.ty) else { return builder.finish() };
    let abi = Abi::of_type(types, ty, &[]);
    builder.set_result_width(abi.result.width(types));
    let arguments: Vec<Argument> = abi
        .parameters
        .iter()
        .map(|ty| {
            let register = builder.parameter(None, width(types, *ty), display(types, *ty));
            Argument { value: builder.value(register), ty: *ty }
        })
        .collect();
    let is_plain = ty.has_prototype && abi.extra != Extra::Variadic && !matches!(abi.result, ResultPassing::Memory(_));
    let result = ty.result.ty;
    let value = match whole.target(entity) {
        _ if !is_plain => {
            builder.unsupported(format!("call of the library function `{name}` through a pointer"));
            None
        }
        Target::Model(model) => Some(apply(whole, &mut builder, name, model, &arguments, result)),
        Target::Pure => Some(assume_pure(whole, &mut builder, name, result)),
        target @ (Target::Unknown | Target::Rough(_)) => {
            let unknown = Unknown { name, result, is_noreturn: function.is_noreturn };
            let given: Vec<Given> = arguments.into_iter().map(|argument| Given::of(types, argument)).collect();
            Some(match target {
                Target::Rough(why) => external::call_roughly(whole, &mut builder, (unknown, why), &given),
                _ => external::call(whole, &mut builder, unknown, &given),
            })
        }
        Target::Defined(_) => {
            builder.unsupported(unknown(name));
            None
        }
    };
    let value = value.filter(|_| result != Types::VOID);
    builder.emit_last(Action::Return { value });
    builder.finish();
}
