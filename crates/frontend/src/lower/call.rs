//! Calls: of functions with a body, through pointers, of library functions, and calls that become threads.

use super::abi::{Abi, Callable, Extra, ResultPassing};
use super::effects::{self, Child};
use super::external::{self, Given, Unknown};
use super::function::FunctionLowering;
use super::library;
use super::link::FunctionEntity;
use super::models::{self, Argument, Context};
use super::values::{display, width};
use super::whole::Target;
use crate::hir::{
    Callee as Called, Expr as Typed, ExprKind, FunctionId as HirFunction, InitializerItem, InitializerValue, PlaceKind,
};
use crate::syntax::ast::RecordKind;
use crate::syntax::symbol::Symbol;
use crate::types::{Type, TypeId, Types};
use selvedge_program::{Action, Base, Callee, Expr, FrameObjectId, RegisterId, Undefined};

/// What becomes of a call's result.
#[derive(Clone, PartialEq, Eq)]
enum Wanted {
    /// Nobody uses it.
    Nothing,
    /// It is used; if a register is given, it may go there.
    Value(Option<RegisterId>),
    /// It is a struct or union and may be put at this address.
    At(Expr),
}

impl<'h> FunctionLowering<'_, 'h> {
    /// The value of a call. It may be put into `target`, which is of its width; then it is that register's value.
    pub fn call(
        &mut self,
        expr: &'h Typed,
        callee: &'h Called,
        arguments: &'h [Typed],
        target: Option<RegisterId>,
    ) -> Expr {
        self.call_wanted(expr.ty, callee, arguments, Wanted::Value(target))
    }

    /// A call whose struct result goes to an address, which nothing in the call's arguments mentions.
    pub fn call_into(&mut self, ty: TypeId, callee: &'h Called, arguments: &'h [Typed], address: Expr) {
        let found = self.call_wanted(ty, callee, arguments, Wanted::At(address.clone()));
        if found != address {
            self.copy(address, found, ty, u32::MAX);
        }
    }

    /// A call for its effect.
    pub fn call_effect(&mut self, expr: &'h Typed, callee: &'h Called, arguments: &'h [Typed]) {
        self.call_wanted(expr.ty, callee, arguments, Wanted::Nothing);
    }

    fn call_wanted(&mut self, ty: TypeId, callee: &'h Called, arguments: &'h [Typed], wanted: Wanted) -> Expr {
        match callee {
            Called::Function(function) => {
                let value = self.call_function(ty, *function, arguments, wanted);
                if self.is_noreturn(*function) {
                    self.unreachable(Undefined::Unreachable);
                }
                value
            }
            Called::Pointer(pointer) => {
                let address = self.value(pointer);
                let assigned = arguments.iter().any(effects::assigns);
                let address = self.held_before(address, pointer.ty, assigned);
                let Some(abi) = self.abi_of_pointer(pointer.ty, arguments) else {
                    self.builder.unsupported("a call through something that is no pointer to a function");
                    return self.nothing(ty);
                };
                self.call_with(ty, Callee::Indirect(address), &abi, arguments, wanted)
            }
        }
    }

    fn abi_of_pointer(&self, pointer: TypeId, arguments: &[Typed]) -> Option<Abi> {
        let given: Vec<TypeId> = arguments.iter().map(|argument| argument.ty).collect();
        self.types().function_type(pointer).map(|ty| Abi::of_type(self.types(), ty, &given))
    }

    fn is_noreturn(&self, function: HirFunction) -> bool {
        let link = self.whole.links.function_link(self.whole.links.function(self.unit, function));
        self.whole.hir_function((self.unit, function)).is_noreturn
            || link.definition.is_some_and(|definition| self.whole.hir_function(definition).is_noreturn)
    }

    fn call_function(&mut self, ty: TypeId, function: HirFunction, arguments: &'h [Typed], wanted: Wanted) -> Expr {
        let entity = self.whole.links.function(self.unit, function);
        let name = self.whole.function_name(entity);
        let constants: Vec<Option<i128>> = arguments.iter().map(constant).collect();
        let is_ignored = wanted == Wanted::Nothing && constants.iter().all(|constant| *constant == Some(0));
        if !(is_ignored && models::only_answers(name)) {
            self.whole.noted.note_call(name, &constants, self.context());
        }
        match self.whole.target(entity) {
            Target::Defined(entity) => {
                let Callable { id, abi } = self.callable(entity);
                self.call_with(ty, Callee::Direct(id), &abi, arguments, wanted)
            }
            Target::Model(_) if self.is_for_cancellation(name, arguments) => self.nothing(ty),
            Target::Model(model) => {
                let arguments = match models::ignores_arguments(name) {
                    true => self.ignored_arguments(arguments),
                    false => self.model_arguments(arguments),
                };
                let result = if wanted == Wanted::Nothing { Types::VOID } else { ty };
                library::apply(self.whole, &mut self.builder, name, model, &arguments, result)
            }
            Target::Pure => {
                self.model_arguments(arguments);
                library::assume_pure(self.whole, &mut self.builder, name, ty)
            }
            target @ (Target::Unknown | Target::Rough(_)) => {
                let values = self.model_arguments(arguments);
                let given: Vec<Given> =
                    values.into_iter().zip(arguments).map(|(value, argument)| self.given(value, argument)).collect();
                let unknown = Unknown { name, result: ty, is_noreturn: self.is_noreturn(function) };
                match target {
                    Target::Rough(why) => external::call_roughly(self.whole, &mut self.builder, (unknown, why), &given),
                    _ => external::call(self.whole, &mut self.builder, unknown, &given),
                }
            }
        }
    }

    /// Whether a call of `setjmp` belongs to a clean-up handler, as glibc's macros spell it: nobody jumps there.
    fn is_for_cancellation(&self, name: &str, arguments: &[Typed]) -> bool {
        if name != "__sigsetjmp" || !self.whole.facts.has_jumps {
            return false;
        }
        let types = self.types();
        let Some(mut buffer) = arguments.first() else { return false };
        while let ExprKind::Convert(operand) = &buffer.kind {
            buffer = operand;
        }
        let names = self.whole.names();
        let is_its = |name| names.name(name) == "__cancel_jmp_buf";
        types.pointee(buffer.ty).is_some_and(|target| models::is_cancel_buffer(types, target.ty, is_its))
    }

    /// An argument for a function that nobody knows.
    fn given(&self, value: Argument, argument: &Typed) -> Given {
        let types = self.types();
        let is_const = types.pointee(argument.ty).is_some_and(|target| target.qualifiers.is_const);
        let mut plain = argument;
        while let ExprKind::Convert(operand) = &plain.kind
            && types.is_pointer(operand.ty)
        {
            plain = operand;
        }
        let is_void = types.pointee(argument.ty).is_some_and(|target| target.ty == Types::VOID);
        let ty = if is_void { plain.ty } else { argument.ty };
        let array = match &plain.kind {
            ExprKind::AddressOf(place) => types.element(place.ty.ty).and_then(|_| types.size(place.ty.ty)),
            _ => None,
        };
        Given { argument: Argument { ty, ..value }, is_const, array }
    }

    /// A compiler builtin or a generic library operation.
    pub fn builtin(&mut self, expr: &'h Typed, name: Symbol, arguments: &'h [Typed]) -> Expr {
        let name = self.whole.names().name(name);
        if let Some(value) = self.variadic_builtin(name, arguments) {
            return value;
        }
        let plain = name.strip_prefix("__builtin_").unwrap_or(name);
        self.whole.noted.note_call(name, &[], Context::Often);
        let arguments = self.model_arguments(arguments);
        match library::find(self.whole, &[name, plain]) {
            Some(Target::Model(model)) => {
                library::apply(self.whole, &mut self.builder, name, model, &arguments, expr.ty)
            }
            Some(Target::Defined(entity)) => {
                let values = arguments.iter().map(|argument| argument.value.clone()).collect();
                library::call_c(self.whole, &mut self.builder, entity, &arguments, values, expr.ty)
            }
            _ => {
                self.builder.unsupported(library::unknown(name));
                self.nothing(expr.ty)
            }
        }
    }

    /// Something in place of a value that is never computed.
    pub fn nothing(&self, ty: TypeId) -> Expr {
        Expr::constant(width(self.types(), ty), 0)
    }

    fn callable(&mut self, entity: FunctionEntity) -> Callable {
        library::callable(self.whole, self.builder.program, entity)
    }

    /// How often the call that is being lowered may be made.
    fn context(&self) -> Context {
        let is_in_loop = self.jumps.last().is_some_and(|jumps| jumps.continue_to.is_some());
        if self.is_main && !is_in_loop { Context::Once } else { Context::Often }
    }

    /// Arguments that a model does not look at: evaluated for their effect only, so that nothing is computed for them.
    fn ignored_arguments(&mut self, arguments: &'h [Typed]) -> Vec<Argument> {
        for argument in arguments {
            let mut argument = argument;
            while let ExprKind::Convert(operand) = &argument.kind
                && self.types().is_integer(argument.ty)
                && self.types().is_integer(operand.ty)
            {
                argument = operand;
            }
            self.effect(argument);
        }
        Vec::new()
    }

    fn model_arguments(&mut self, arguments: &'h [Typed]) -> Vec<Argument> {
        let types = self.types();
        let values = self.values(arguments, |this, argument| this.value(without_union(types, argument)));
        let of_values = arguments.iter().map(|argument| without_union(types, argument).ty);
        values.into_iter().zip(of_values).map(|(value, ty)| Argument { value, ty }).collect()
    }

    /// The values of arguments, left to right, each held if a later one assigns to locals.
    fn values(&mut self, arguments: &'h [Typed], evaluate: impl Fn(&mut Self, &'h Typed) -> Expr) -> Vec<Expr> {
        let parts: Vec<Child<'h>> = arguments.iter().map(Child::Expr).collect();
        self.require_sequenced(&parts, None);
        let last_assigning = arguments.iter().rposition(effects::assigns).unwrap_or(0);
        let mut values = Vec::with_capacity(arguments.len());
        for (position, argument) in arguments.iter().enumerate() {
            let value = evaluate(self, argument);
            values.push(self.held_before(value, argument.ty, position < last_assigning));
        }
        values
    }

    /// An argument as it is passed: a struct or union as the address of a copy.
    fn passed(&mut self, argument: &'h Typed) -> Expr {
        let value = self.value(argument);
        if !self.is_copied(argument) {
            return value;
        }
        let object = self.temporary("argument", argument.ty);
        self.builder.emit(Action::Forget { object });
        let copy = self.builder.address(Base::Frame(object));
        self.copy(copy.clone(), value, argument.ty, u32::MAX);
        copy
    }

    /// Whether a copy of an argument is passed: of a struct that is not the fresh result of a call.
    fn is_copied(&self, argument: &Typed) -> bool {
        self.types().is_aggregate(argument.ty) && !matches!(argument.kind, ExprKind::Call { .. })
    }

    /// The objects that were made for structs among the arguments.
    fn copies(&self, arguments: &[Typed], values: &[Expr]) -> Vec<FrameObjectId> {
        let copy = |(argument, value): (&Typed, &Expr)| match value {
            Expr::Address(Base::Frame(object), _) if self.is_copied(argument) => Some(*object),
            _ => None,
        };
        arguments.iter().zip(values).filter_map(copy).collect()
    }

    /// Calls a function. Structs that were passed are the parameters of the callee: their lives end with it.
    fn emit_call(&mut self, target: Option<RegisterId>, callee: Callee, values: Vec<Expr>, copies: Vec<FrameObjectId>) {
        self.builder.emit(Action::Call { target, callee, arguments: values });
        for object in copies {
            self.builder.emit(Action::EndLife { object });
        }
    }

    /// The arguments of a call, hidden ones aside; `None` after an edge that says the call does not fit.
    fn passed_arguments(&mut self, abi: &Abi, arguments: &'h [Typed]) -> Option<Vec<Expr>> {
        let mut values = self.values(arguments, Self::passed);
        let named = abi.parameters.len();
        let fits = arguments.len() >= named
            && (arguments.len() == named || abi.extra != Extra::Forbidden)
            && arguments.iter().zip(&abi.parameters).all(|(argument, ty)| self.fits(argument.ty, *ty));
        if !fits {
            self.unreachable(Undefined::BadCall);
            return None;
        }
        let extra = values.split_off(named);
        if abi.extra == Extra::Variadic {
            let types = arguments[named..].iter().map(|argument| argument.ty);
            let rest = self.store_extra(types.zip(extra).collect());
            values.push(rest);
        }
        Some(values)
    }

    /// Whether an argument of one type can be received as another: both structs, both floating, or both neither, of one
    /// size.
    fn fits(&self, given: TypeId, taken: TypeId) -> bool {
        let types = self.types();
        given == taken
            || (types.size(given) == types.size(taken)
                && types.is_aggregate(given) == types.is_aggregate(taken)
                && types.is_float(given) == types.is_float(taken))
    }

    fn call_with(&mut self, ty: TypeId, callee: Callee, abi: &Abi, arguments: &'h [Typed], wanted: Wanted) -> Expr {
        let Some(mut values) = self.passed_arguments(abi, arguments) else { return self.nothing(ty) };
        let copies = self.copies(&arguments[..abi.parameters.len()], &values);
        match abi.result {
            ResultPassing::Memory(result) => {
                let address = match wanted.clone() {
                    Wanted::At(address) if result == ty => address,
                    _ => self.temporary_object("result", result),
                };
                values.insert(0, address.clone());
                self.emit_call(None, callee, values, copies);
                if self.types().is_aggregate(ty) { address } else { self.misfit(ty, wanted) }
            }
            ResultPassing::Nothing => {
                self.emit_call(None, callee, values, copies);
                if ty == Types::VOID { self.nothing(ty) } else { self.misfit(ty, wanted) }
            }
            ResultPassing::Value(result) => {
                let is_used = wanted != Wanted::Nothing && ty != Types::VOID;
                if is_used && !self.fits(result, ty) {
                    self.unreachable(Undefined::BadCall);
                    return self.nothing(ty);
                }
                let types = self.types();
                let target = match wanted {
                    Wanted::Value(Some(target)) if is_used => Some(target),
                    Wanted::Value(_) if is_used => Some(self.builder.temporary(width(types, ty), display(types, ty))),
                    _ => None,
                };
                self.emit_call(target, callee, values, copies);
                target.map_or(self.nothing(ty), |target| self.builder.value(target))
            }
        }
    }

    /// The caller believes that there is a result and there is none: using it is undefined.
    fn misfit(&mut self, ty: TypeId, wanted: Wanted) -> Expr {
        if wanted != Wanted::Nothing {
            self.unreachable(Undefined::MissingReturn);
        }
        self.nothing(ty)
    }

    /// Starts a thread that a call of a function is all of (`__CPROVER_ASYNC_n:`), if that can be.
    pub fn spawn(&mut self, function: HirFunction, arguments: &'h [Typed]) -> bool {
        let Target::Defined(entity) = self.whole.target(self.whole.links.function(self.unit, function)) else {
            return false;
        };
        let Callable { id, abi } = self.callable(entity);
        let types = self.types();
        let is_plain = abi.extra != Extra::Variadic
            && !matches!(abi.result, ResultPassing::Memory(_))
            && abi.parameters.iter().all(|ty| !types.is_aggregate(*ty));
        if is_plain {
            self.builder.program.spawned.insert(id);
            let Some(arguments) = self.passed_arguments(&abi, arguments) else { return true };
            let target = self.pointer_register();
            self.builder.emit(Action::Spawn { target, entry: Callee::Direct(id), arguments, id: None });
        }
        is_plain
    }
}

/// The value of a constant argument.
fn constant(argument: &Typed) -> Option<i128> {
    match &argument.kind {
        ExprKind::Integer(value) => Some(*value),
        ExprKind::Convert(operand) => constant(operand),
        _ => None,
    }
}

/// The pointer of which an argument for a parameter of a transparent union's type was made (`bind`, in glibc's headers).
fn without_union<'h>(types: &Types, argument: &'h Typed) -> &'h Typed {
    let is_union = matches!(types.get(argument.ty), Type::Record(id) if types.record(*id).kind == RecordKind::Union);
    let ExprKind::Load(place) = &argument.kind else { return argument };
    let PlaceKind::CompoundLiteral(_, initializer) = &place.kind else { return argument };
    match &initializer.items[..] {
        [InitializerItem { offset: 0, bits: None, value: InitializerValue::Expr(value), .. }]
            if is_union && types.is_pointer(value.ty) =>
        {
            value
        }
        _ => argument,
    }
}
