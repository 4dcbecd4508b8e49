//! Functions that nobody defines, models or describes: they are taken to do what their prototype lets them do with what
//! they are given, and the verdict says so. What is proved holds provided that they do no more
//! ([`Program::provisos`](selvedge_program::Program::provisos)), unless the user says that this is so.
//!
//! Such a function reads what a `const T *` points to and writes any value to what a `T *` points to: one object of the
//! type, or the whole array that it is given; nothing through pointers within. Locks in that it may take and give back. It
//! returns anything: a number, null or memory of its own, of a pointer to characters a string.

use super::Options;
use super::builder::{External, FunctionBuilder, ProgramBuilder};
use super::library::{model_call, result_object};
use super::lock_copy;
use super::models::externals::{self, Answer, Effect, Extent, Role, RoleKind, Size};
use super::models::{self, Argument, Modelled};
use super::values::{display, width};
use super::whole::{Target, Whole};
use crate::hir::Linkage;
use crate::types::{Qualified, Type, TypeId, Types};
use selvedge_program::{Action, Base, Caveat, Diagnostic, Expr, Span};
use std::collections::BTreeSet;

/// Functions of which the user says that they touch only what they are given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Accepted {
    /// None.
    #[default]
    None,
    /// These.
    Named(BTreeSet<String>),
    /// All.
    All,
}

impl Accepted {
    fn contains(&self, name: &str) -> bool {
        match self {
            Accepted::None => false,
            Accepted::Named(names) => names.contains(name),
            Accepted::All => true,
        }
    }
}

/// A function that nobody knows, as it is declared.
#[derive(Clone, Copy, Debug)]
pub struct Unknown<'a> {
    /// Its name.
    pub name: &'a str,
    /// What it returns.
    pub result: TypeId,
    /// Whether it is declared not to return.
    pub is_noreturn: bool,
}

/// An argument of a call of such a function.
#[derive(Clone, Debug)]
pub struct Given {
    /// The argument, with the type it has before it is converted to a `void *`.
    pub argument: Argument,
    /// Whether the function may only read what it points to.
    pub is_const: bool,
    /// How many bytes the array has that it is, if it is one.
    pub array: Option<u64>,
}

impl Given {
    /// An argument of which no more is known than its type.
    pub fn of(types: &Types, argument: Argument) -> Self {
        let is_const = types.pointee(argument.ty).is_some_and(|target| target.qualifiers.is_const);
        Given { argument, is_const, array: None }
    }
}

/// What is found out about a call of such a function.
#[derive(Default)]
struct Description {
    roles: Vec<Role>,
    /// The arguments where it stores pointers, with the size of what these point to.
    stores: Vec<(usize, u64)>,
    /// The arguments in whose objects there may be locks, with the size of these objects.
    locks: Vec<(usize, u64)>,
    also: BTreeSet<String>,
    /// What it may do that is known only roughly.
    rough: Option<String>,
}

/// Calls a function of the library of which not everything is modelled: executions end here, and proofs take it for one
/// that nobody knows.
pub fn call_roughly(
    whole: &mut Whole<'_>,
    builder: &mut FunctionBuilder<'_>,
    (function, reason): (Unknown<'_>, &str),
    given: &[Given],
) -> Expr {
    builder.inexact(format!("call of `{}`: {reason}", function.name));
    call(whole, builder, function, given)
}

/// Calls a function that nobody knows; gives its result.
pub fn call(whole: &mut Whole<'_>, builder: &mut FunctionBuilder<'_>, function: Unknown<'_>, given: &[Given]) -> Expr {
    let around = builder.begin_stub(selvedge_program::Unknown::Function(function.name.to_owned()));
    let result = stub(whole, builder, function, given);
    builder.stub = around;
    result
}

/// What stands for such a function.
fn stub(whole: &mut Whole<'_>, builder: &mut FunctionBuilder<'_>, function: Unknown<'_>, given: &[Given]) -> Expr {
    let Unknown { name, result, is_noreturn } = function;
    let mut description = Description::default();
    for given in given {
        let role = description.role(whole, given);
        description.roles.push(role);
    }
    let nothing = Expr::constant(width(whole.types(), result), 0);
    if name.starts_with("__CPROVER_uninterpreted_") {
        builder.unsupported("uninterpreted functions, which return the same for the same arguments");
        return nothing;
    }
    if let Some(reason) = description.rough {
        builder.inexact(format!(
            "call of `{name}`, which is not defined and has no model: {reason} (`--model` gives it one, `--assume-pure \
             {name}` takes it to have no effect)"
        ));
    }
    if is_noreturn {
        description.also.insert("ends the process".to_owned());
    }
    let arguments: Vec<Argument> = given.iter().map(|given| given.argument.clone()).collect();
    let answer = if is_noreturn { Answer::NoReturn } else { Answer::Void };
    let effect = Effect::of(description.roles, answer);
    // It may take a lock, do its work, and give it back.
    for (index, size) in &description.locks {
        model_call(whole, builder, name, &arguments, Types::VOID).change_locks(*index, *size);
    }
    if let Modelled::Unsupported(reason) = model_call(whole, builder, name, &arguments, Types::VOID).perform(&effect) {
        builder.unsupported(reason);
        return nothing;
    }
    for (index, size) in description.locks {
        model_call(whole, builder, name, &arguments, Types::VOID).change_locks(index, size);
    }
    let is_written = !description.stores.is_empty()
        || effect.roles.iter().any(|role| matches!(role.role, RoleKind::Update(_) | RoleKind::UpdateNumbers));
    for (index, size) in description.stores {
        model_call(whole, builder, name, &arguments, Types::VOID).store_new_object(index, size);
    }
    for given in given {
        if let Some(bytes) = may_change(whole, given) {
            builder.may_change(&given.argument.value, bytes);
        }
    }
    if is_written && !whole.options.assume_externals.contains(name) {
        builder.inexact(guess(name, "what it writes"));
    }
    let value = if is_noreturn { nothing } else { returned(whole, builder, name, result, &mut description.also) };
    let span = builder.span;
    let first = External { span, calls: 0, also: Vec::new() };
    let external = builder.program.externals.entry(name.to_owned()).or_insert(first);
    external.calls += 1;
    for also in description.also {
        if !external.also.contains(&also) {
            external.also.push(also);
        }
    }
    value
}

impl Description {
    /// What is done with an argument.
    fn role(&mut self, whole: &Whole<'_>, given: &Given) -> Role {
        let types = whole.types();
        let is_nothing = Role { role: RoleKind::Pointer, is_optional: false };
        let Some(target) = types.pointee(given.argument.ty) else {
            if types.is_aggregate(given.argument.ty) && externals::has_pointers(types, given.argument.ty) {
                self.also.insert(format!("follows no pointer within a `{}`", name(whole, given.argument.ty)));
            }
            return Role { role: RoleKind::Number, is_optional: false };
        };
        if types.function_type(target.ty).is_some() {
            self.also.insert("never calls the functions that it is given".to_owned());
            return is_nothing;
        }
        let Some(size) = types.size(target.ty).filter(|_| !matches!(types.get(target.ty), Type::Void)) else {
            if !matches!(types.get(target.ty), Type::Record(_)) {
                self.also.insert(format!("touches nothing behind a `{}`", name(whole, given.argument.ty)));
            }
            return is_nothing;
        };
        if is_opaque(whole, target) {
            return is_nothing;
        }
        if !target.qualifiers.is_const && lock_copy::may_hold_locks(whole, target) {
            let reason = format!("it is given a `{}`, in which there are locks or atomics", name(whole, target.ty));
            self.rough = Some(reason);
            self.also.insert("destroys no lock that it is given, and waits for none for ever".to_owned());
            self.locks.push((self.roles.len(), given.array.unwrap_or(size).max(size)));
        }
        if let Some(inner) = types.pointee(target.ty) {
            let is_function = types.function_type(inner.ty).is_some();
            self.also.insert("follows no pointer that it is given a pointer to".to_owned());
            if !given.is_const && !is_function {
                self.also
                    .insert("stores null or memory of its own where it is given a pointer to a pointer".to_owned());
                self.stores.push((self.roles.len(), size_of_target(types, inner)));
            }
            return Role { role: RoleKind::Read(Extent::Pointee), is_optional: true };
        }
        if externals::has_pointers(types, target.ty) {
            self.also.insert(format!("follows and changes no pointer within a `{}`", name(whole, target.ty)));
            let role = if given.is_const { RoleKind::Read(Extent::Pointee) } else { RoleKind::UpdateNumbers };
            return Role { role, is_optional: true };
        }
        let is_array = given.array.is_some_and(|array| array > size);
        if !is_array && !types.is_aggregate(target.ty) {
            let which = name(whole, target.ty);
            self.also.insert(format!("touches only the first `{which}` where it is not given an array of them"));
        }
        let extent = match given.array.and_then(|array| u32::try_from(array).ok()).filter(|_| is_array) {
            Some(array) => Extent::Bytes(Size::constant(array)),
            None => Extent::Pointee,
        };
        let role = if given.is_const { RoleKind::Read(extent) } else { RoleKind::Update(extent) };
        Role { role, is_optional: true }
    }
}

/// How many bytes such a function may change of what it is given, though no more is taken for written than its type
/// says, and no pointer: of what may be a buffer, all. `None` where it may change nothing or all is written anyway.
fn may_change(whole: &Whole<'_>, given: &Given) -> Option<u64> {
    let types = whole.types();
    let target = types.pointee(given.argument.ty)?;
    if given.is_const || types.function_type(target.ty).is_some() || is_opaque(whole, target) {
        return None;
    }
    let size = if target.ty == Types::VOID { None } else { types.size(target.ty) };
    match size {
        Some(size) if size > 1 => {
            externals::has_pointers(types, target.ty).then(|| given.array.unwrap_or(size).max(size))
        }
        Some(_) if given.array.is_some() => None,
        _ => Some(u64::MAX),
    }
}

fn name(whole: &Whole<'_>, ty: impl Into<Qualified>) -> String {
    whole.types().name(ty, whole.names())
}

/// Whether an object belongs to the C library, and is smaller here than its type.
fn is_opaque(whole: &Whole<'_>, target: Qualified) -> bool {
    let Type::Record(id) = whole.types().get(target.ty) else { return false };
    let tag = whole.types().record(*id).tag.map(|tag| whole.names().name(tag));
    matches!(tag, Some("_IO_FILE" | "__dirstream" | "__va_list_tag"))
}

/// What is said where an execution would rest on what such a function does.
fn guess(name: &str, what: &str) -> String {
    format!(
        "call of `{name}`, which is not defined and has no model: {what} is not known (`--assume-externals={name}` takes \
         it for anything)"
    )
}

/// Any result.
fn returned(
    whole: &Whole<'_>,
    builder: &mut FunctionBuilder<'_>,
    name: &str,
    result: TypeId,
    also: &mut BTreeSet<String>,
) -> Expr {
    let types = whole.types();
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
    let Some(target) = types.pointee(result) else {
        return builder.havoc(width(types, result), display(types, result));
    };
    if types.function_type(target.ty).is_some() {
        builder.unsupported(format!(
            "call of `{name}`, which is not defined and has no model: it returns a pointer to a function"
        ));
        return builder.null();
    }
    let is_guessed = !whole.options.assume_externals.contains(name);
    let mut call = model_call(whole, builder, name, &[], result);
    let is_text = types.is_integer(target.ty) && types.size(target.ty) == Some(1);
    if is_text && target.qualifiers.is_const {
        also.insert("returns a string of at most 15 characters".to_owned());
        return call.string_of_the_library();
    }
    also.insert("returns null or memory of its own".to_owned());
    let object = call.new_object_or_null(size_of_target(types, target));
    if is_guessed {
        // How long the memory is, what is in it and whether there is any: nobody knows.
        call.function.inexact(guess(name, "what it returns"));
    }
    object
}

/// The size of an object that a pointer to a type may point to.
fn size_of_target(types: &Types, target: Qualified) -> u64 {
    let size = if target.ty == Types::VOID { None } else { types.size(target.ty) };
    size.unwrap_or(1).max(1)
}

/// Makes sure that functions of which the user takes something for granted are ones that nobody knows.
pub fn check_names(whole: &mut Whole<'_>) {
    let options = whole.options;
    let accepted = match &options.assume_externals {
        Accepted::Named(names) => Some(names),
        Accepted::None | Accepted::All => None,
    };
    let pure = options.assume_pure.iter().map(|name| ("--assume-pure", name));
    for (option, name) in pure.chain(accepted.into_iter().flatten().map(|name| ("--assume-externals", name))) {
        let entity = whole.names().get(name).and_then(|name| whole.links.external_function(name));
        let message = match entity.map(|entity| whole.target(entity)) {
            Some(Target::Pure | Target::Unknown | Target::Rough(_)) => continue,
            Some(Target::Defined(_)) => format!("`{option} {name}`: the function is defined"),
            Some(Target::Model(_)) if models::table::may_be_rough(name) => continue,
            Some(Target::Model(_)) => format!("`{option} {name}`: the function has a model"),
            None => format!("`{option} {name}`: the program declares no such function"),
        };
        whole.diagnostics.push(Diagnostic::error(Span::NOWHERE, message));
    }
}

/// Says which functions are what the user's models make of them.
pub fn name_models(whole: &Whole<'_>, program: &mut ProgramBuilder) {
    let units = whole.input.units;
    let first = units.len().saturating_sub(whole.options.models.len());
    for (unit, file) in units[first..].iter().zip(&whole.options.models) {
        let defined = unit
            .unit
            .functions
            .iter()
            .filter(|function| function.body.is_some() && function.linkage == Linkage::External);
        let names: Vec<String> = defined.map(|function| format!("`{}`", whole.names().name(function.name))).collect();
        let do_that = if names.len() == 1 {
            format!("does what its model in {file} does")
        } else {
            format!("do what their models in {file} do")
        };
        program.add_caveat(Span::NOWHERE, format!("{} {do_that}", names.join(", ")));
    }
}

/// What the verdict on a program says of the functions that nobody knows: provisos, or assumptions of the user's.
pub fn conclude(builder: &mut ProgramBuilder, options: &Options) -> Vec<Caveat> {
    let mut provisos = Vec::new();
    for (name, External { span, calls, also }) in std::mem::take(&mut builder.externals) {
        let noun = if calls == 1 { "call" } else { "calls" };
        let mut message = format!("`{name}` ({calls} {noun}) touches only what it is given");
        if !also.is_empty() {
            message.push_str(&format!(": it {}", also.join(", ")));
        }
        if options.assume_externals.contains(&name) {
            builder.add_caveat(span, message);
        } else {
            provisos.push(Caveat { message, span });
        }
    }
    provisos.sort_by(|a, b| a.message.cmp(&b.message));
    provisos
}
