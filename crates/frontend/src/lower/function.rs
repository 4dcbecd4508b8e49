//! A function: its parameters and locals get their homes, then its body is lowered.

use super::Uninitialised;
use super::abi::{Abi, Extra, ResultPassing};
use super::builder::{FunctionBuilder, ProgramBuilder};
use super::effects;
use super::jumps::Locals;
use super::lifetime::Blocks;
use super::link::FunctionEntity;
use super::models::externals::COMPUTED_BY;
use super::operator;
use super::order;
use super::shape::shape;
use super::values::{display, width};
use super::whole::Whole;
use crate::hir::{self, LabelId, Local, LocalId};
use crate::syntax::ast::Span as TextSpan;
use crate::types::{ArrayLength, Type, TypeId, Types, VlaId};
use selvedge_program::{
    Action, Base, Display, Expr, FrameObject, FrameObjectId, FunctionId, Interpretation, LocationId, RegisterId,
    Undefined,
};
use std::collections::{BTreeMap, BTreeSet};

/// Where a local lives.
#[derive(Clone, Copy, Debug)]
pub enum Home {
    /// In a register.
    Register(RegisterId),
    /// In memory of the activation.
    Frame(FrameObjectId),
    /// Where this register points: a struct passed by value, a variable-length array.
    Pointed(RegisterId),
}

/// Where a jump goes: a location, and how many blocks are open there.
#[derive(Clone, Copy, Debug)]
pub struct Jump {
    /// The location.
    pub to: LocationId,
    /// The blocks.
    pub depth: usize,
}

/// Where `break` and `continue` go.
#[derive(Clone, Copy, Debug)]
pub struct Jumps {
    /// Out of the loop or switch.
    pub break_to: Jump,
    /// To the next round of the innermost loop, if there is one.
    pub continue_to: Option<Jump>,
}

/// A function being lowered.
#[derive(Debug)]
pub struct FunctionLowering<'a, 'h> {
    /// What all functions share.
    pub whole: &'a mut Whole<'h>,
    /// Where edges go.
    pub builder: FunctionBuilder<'a>,
    /// The unit the function stands in.
    pub unit: usize,
    /// Its body.
    pub body: &'h hir::Body,
    /// How its result goes back.
    pub result: ResultPassing,
    /// The address of a struct result.
    pub result_address: Option<Expr>,
    /// The address of the arguments of `...`.
    pub rest: Option<Expr>,
    /// Where its locals live.
    pub homes: Vec<Home>,
    /// The integers among them that may hold addresses.
    pub addresses: BTreeSet<LocalId>,
    /// The variable lengths of array types.
    pub lengths: BTreeMap<VlaId, RegisterId>,
    /// The loops and switches around.
    pub jumps: Vec<Jumps>,
    /// The blocks around.
    pub blocks: Blocks<'h>,
    /// The locals whose declaration has been met.
    pub declared: BTreeSet<LocalId>,
    /// Whether the next statement is to be run by a thread of its own.
    pub is_async: bool,
    /// Whether it is such a statement, not a function of the program.
    pub is_thread: bool,
    /// Whether it is the program's `main`.
    pub is_main: bool,
    /// Where its labels stand, as far as anybody has asked.
    pub labels: Vec<Option<LocationId>>,
    /// The labels that have been met.
    pub placed: BTreeSet<LabelId>,
    /// Whether it runs without interruption.
    pub is_atomic: bool,
}

/// Functions of this prefix run without interruption.
const ATOMIC_PREFIX: &str = "__VERIFIER_atomic_";

/// Lowers a defined function.
pub fn lower_function(whole: &mut Whole<'_>, program: &mut ProgramBuilder, entity: FunctionEntity, id: FunctionId) {
    let link = whole.links.function_link(entity);
    let definition = link.definition.unwrap_or(link.declaration);
    let function = whole.hir_function(definition);
    let name = whole.names().name(link.name);
    let span = whole.input.resolve(definition.0, function.span);
    let mut builder = FunctionBuilder::new(program, id, name, span);
    let Some(body) = &function.body else {
        builder.unsupported(format!("call of `{name}`, which is not defined"));
        return builder.finish();
    };
    let types = whole.types();
    let abi = Abi::of_definition(types, function.ty, body);
    builder.set_result_width(abi.result.width(types));
    let mut lowering = FunctionLowering {
        builder,
        unit: definition.0,
        body,
        result: abi.result,
        result_address: None,
        rest: None,
        homes: Vec::new(),
        addresses: order::addresses(types, body),
        lengths: BTreeMap::new(),
        jumps: Vec::new(),
        blocks: Blocks::of(body),
        declared: BTreeSet::new(),
        is_async: false,
        is_thread: false,
        placed: BTreeSet::new(),
        labels: vec![None; body.labels.len()],
        is_main: name == "main" && function.linkage == hir::Linkage::External,
        is_atomic: name.starts_with(ATOMIC_PREFIX),
        whole,
    };
    lowering.enter(&abi);
    lowering.statement(&body.statement);
    lowering.builder.span = lowering.resolve(body.end);
    lowering.end();
    lowering.refuse_missing_labels();
    lowering.note_locals();
    lowering.builder.finish();
}

impl<'h> FunctionLowering<'_, 'h> {
    /// The types.
    pub fn types(&self) -> &'h Types {
        self.whole.types()
    }

    /// The place in the user's file.
    pub fn resolve(&self, span: TextSpan) -> selvedge_program::Span {
        self.whole.input.resolve(self.unit, span)
    }

    /// Does something on account of a piece of source.
    pub fn at<T>(&mut self, span: TextSpan, work: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.builder.span;
        self.builder.span = self.resolve(span);
        let result = work(self);
        self.builder.span = before;
        result
    }

    /// Takes the arguments and gives every local its home.
    fn enter(&mut self, abi: &Abi) {
        let types = self.types();
        let pointer = self.builder.pointer_width();
        if let ResultPassing::Memory(_) = abi.result {
            let register =
                self.builder.parameter(Some("result".to_owned()), pointer, display(types, Types::VOID_POINTER));
            self.result_address = Some(self.builder.value(register));
        }
        let mut arguments = Vec::new();
        for (local, ty) in self.body.parameters.iter().zip(&abi.parameters) {
            let name = self.local_name(&self.body.locals[local.index()]);
            arguments.push(self.builder.parameter(name, width(types, *ty), display(types, *ty)));
        }
        if abi.extra == Extra::Variadic {
            let register = self.builder.parameter(Some("...".to_owned()), pointer, display(types, Types::VOID_POINTER));
            self.rest = Some(self.builder.value(register));
        }
        for position in 0..self.body.locals.len() {
            let taken = self.body.parameters.iter().position(|local| local.index() == position);
            let argument = taken.and_then(|taken| Some((*arguments.get(taken)?, *abi.parameters.get(taken)?)));
            let home = self.home(LocalId::new(position), argument);
            self.homes.push(home);
        }
        if self.is_atomic {
            self.builder.emit(Action::AtomicBegin);
        }
        for (taken, local) in self.body.parameters.iter().enumerate() {
            if let (Some(register), Some(ty)) = (arguments.get(taken), abi.parameters.get(taken)) {
                self.take_argument(*local, *register, *ty);
            }
        }
        self.forget_skippable();
    }

    /// What a jump can lead past holds anything from the start.
    pub fn forget_skippable(&mut self) {
        for local in effects::skippable_declarations(self.body) {
            if let Home::Register(target) = self.homes[local.index()]
                && !self.declared.contains(&local)
            {
                self.builder.emit(Action::Havoc { target });
            }
        }
    }

    /// The home of a local; of a parameter that needs no memory, the register that brings it.
    pub fn home(&mut self, id: LocalId, argument: Option<(RegisterId, TypeId)>) -> Home {
        let types = self.types();
        let local = &self.body.locals[id.index()];
        let ty = local.ty.ty;
        match argument {
            Some((register, _)) if types.is_aggregate(ty) => return Home::Pointed(register),
            Some((register, passed)) if passed == ty && !local.needs_memory => return Home::Register(register),
            _ => {}
        }
        let name = self.local_name(local);
        if is_variable_length(types, ty) {
            let pointer = self.builder.pointer_width();
            let register = self.builder.named_register(name, pointer, display(types, Types::VOID_POINTER));
            return Home::Pointed(register);
        }
        let is_watched = argument.is_none() && local.name.is_some() && self.looking() == Interpretation::Determinate;
        if !local.needs_memory && !types.is_aggregate(ty) && !is_watched {
            return Home::Register(self.builder.named_register(name, width(types, ty), display(types, ty)));
        }
        let names = self.whole.names();
        let span = self.resolve(local.span);
        Home::Frame(self.builder.frame_object(FrameObject {
            name: name.unwrap_or_else(|| "<literal>".to_owned()),
            size: types.size(ty).unwrap_or(0),
            align: types.variable_align(ty).max(local.align.unwrap_or(1)),
            shape: shape(types, names, ty),
            type_name: types.name(local.ty, names),
            span,
        }))
    }

    /// Takes note of the locals that a jump to this function may change.
    fn note_locals(&mut self) {
        let id = self.builder.id;
        if !self.builder.program.jumps.has_landing(id) {
            return;
        }
        let mut locals = Locals::default();
        for (local, home) in self.body.locals.iter().zip(&self.homes) {
            match home {
                _ if local.ty.qualifiers.is_volatile => {}
                Home::Register(register) => locals.registers.push(*register),
                Home::Frame(object) if local.name.is_some() => locals.objects.push(*object),
                Home::Frame(_) | Home::Pointed(_) => {}
            }
        }
        self.builder.program.jumps.note_locals(id, locals);
    }

    /// The name of a local.
    pub fn local_name(&self, local: &Local) -> Option<String> {
        local.name.map(|name| self.whole.names().name(name).to_owned())
    }

    /// How the program's own text looks at memory. Where that must be initialised, its locals are in memory, too.
    pub fn looking(&self) -> Interpretation {
        let is_model = self.unit == self.whole.input.units.len();
        match self.whole.options.uninitialised {
            Uninitialised::Undefined if !is_model => Interpretation::Determinate,
            Uninitialised::Undefined | Uninitialised::Anything => Interpretation::Value,
        }
    }

    /// Brings an argument to where its parameter lives.
    pub fn take_argument(&mut self, local: LocalId, register: RegisterId, passed: TypeId) {
        let types = self.types();
        let declared = &self.body.locals[local.index()];
        let value = self.builder.value(register);
        let width = width(types, declared.ty.ty);
        match self.homes[local.index()] {
            Home::Pointed(_) => {}
            Home::Register(home) if home == register => {}
            Home::Register(home) => {
                if let Some(value) = self.computed(operator::convert(types, value, passed, declared.ty.ty), width) {
                    self.builder.assign(home, value);
                }
            }
            Home::Frame(object) => {
                if let Some(value) = self.computed(operator::convert(types, value, passed, declared.ty.ty), width) {
                    let address = self.builder.address(Base::Frame(object));
                    self.builder.store(
                        address,
                        types.align(declared.ty.ty),
                        value,
                        super::place::atomicity(declared.ty),
                    );
                }
            }
        }
    }

    /// Leaves the function with a result.
    pub fn leave(&mut self, value: Option<Expr>) {
        if self.is_atomic {
            self.builder.emit(Action::AtomicEnd);
        }
        self.builder.emit_last(Action::Return { value });
    }

    /// The closing brace is reached. `main` returns 0; other functions return nothing, which is undefined if the caller
    /// uses it.
    fn end(&mut self) {
        let value = match self.result {
            ResultPassing::Value(ty) if self.is_main => Some(Expr::constant(width(self.types(), ty), 0)),
            _ => None,
        };
        self.leave(value);
    }

    /// The location of a label.
    pub fn label(&mut self, label: LabelId) -> LocationId {
        match self.labels[label.index()] {
            Some(location) => location,
            None => {
                let location = self.builder.location();
                self.labels[label.index()] = Some(location);
                location
            }
        }
    }

    /// Control cannot pass between a function and the threads that run statements of it: labels that were jumped to,
    /// and never met.
    pub fn refuse_missing_labels(&mut self) {
        for (position, location) in self.labels.clone().into_iter().enumerate() {
            if let Some(location) = location.filter(|_| !self.placed.contains(&LabelId::new(position))) {
                self.builder.span = self.resolve(self.body.labels[position].span);
                self.builder.stand_at(location);
                self.builder.unsupported("a jump into or out of an asynchronous statement");
            }
        }
    }

    /// The result of a computation, of a width. Of `long double` it is any value, which no execution may depend on;
    /// what else we cannot compute becomes an `Unsupported` edge.
    pub fn computed(&mut self, result: Result<Expr, operator::NotComputed>, width: u32) -> Option<Expr> {
        match result {
            Ok(value) => Some(value),
            Err(operator::EXTENDED) => {
                let name = format!("{COMPUTED_BY}{}", operator::EXTENDED.0);
                let target = self.builder.named_register(Some(name), width, Display::Unsigned);
                self.builder.emit(Action::Havoc { target });
                Some(self.builder.value(target))
            }
            Err(operator::NotComputed(what)) => {
                self.builder.unsupported(what);
                None
            }
        }
    }

    /// Control cannot come here, or the program is undefined.
    pub fn unreachable(&mut self, reason: Undefined) {
        self.builder.emit_last(Action::Require { condition: Expr::falsehood(), otherwise: reason });
    }
}

/// Whether an array's size is known only when the program runs.
pub fn is_variable_length(types: &Types, ty: TypeId) -> bool {
    match types.get(ty) {
        Type::Array { length: ArrayLength::Variable(_), .. } => true,
        Type::Array { element, .. } => is_variable_length(types, element.ty),
        _ => false,
    }
}
