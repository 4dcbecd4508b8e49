//! Statements behind a label `__CPROVER_ASYNC_…`: each runs in a thread of its own, as CBMC has it. That thread has
//! copies of the locals of the function around, made when it starts: what it does to them the function does not see,
//! nor the other way round. Pointers to the function's own locals still point to those.
//!
//! The statement becomes a function that takes the values of the locals that it mentions; arrays and structs are copied
//! to memory that the thread frees at its end. Where a jump leads into the statement or out of it, that is not
//! modelled.

use super::abi::ResultPassing;
use super::builder::FunctionBuilder;
use super::effects;
use super::function::{FunctionLowering, Home, is_variable_length};
use super::lifetime::Blocks;
use super::place::atomicity;
use super::values::{display, width};
use crate::hir::{Expr as Typed, ExprKind, LocalId, PlaceKind, Statement};
use crate::types::Types;
use selvedge_program::{Action, Base, Callee, Display, Expr, InitialContents, RegisterId, Storage};
use std::collections::{BTreeMap, BTreeSet};

impl<'h> FunctionLowering<'_, 'h> {
    /// Starts a thread that runs a statement.
    pub fn run_asynchronously(&mut self, statement: &'h Statement) {
        let types = self.types();
        let outside: BTreeSet<LocalId> = self.declared.iter().chain(&self.body.parameters).copied().collect();
        let mentioned = |local: &LocalId| effects::statement_mentions(statement, *local);
        let captured: Vec<LocalId> = outside.iter().copied().filter(mentioned).collect();
        let is_variable = |local: &LocalId| is_variable_length(types, self.body.locals[local.index()].ty.ty);
        if !self.lengths.is_empty() || captured.iter().any(is_variable) {
            return self.builder.unsupported("an asynchronous statement beside an array of variable length");
        }
        let arguments = captured.iter().map(|local| self.copy_for_thread(*local)).collect();
        let id = self.builder.program.reserve_function();
        let span = self.builder.span;
        let name = format!("{}.asynchronous", self.builder.name());
        let mut thread = FunctionLowering {
            builder: FunctionBuilder::new(&mut *self.builder.program, id, name, span),
            unit: self.unit,
            body: self.body,
            result: ResultPassing::Nothing,
            result_address: None,
            rest: None,
            homes: Vec::new(),
            addresses: self.addresses.clone(),
            lengths: BTreeMap::new(),
            jumps: Vec::new(),
            blocks: Blocks::of(self.body),
            declared: captured.iter().copied().collect(),
            is_async: false,
            is_main: false,
            is_thread: true,
            labels: vec![None; self.body.labels.len()],
            placed: BTreeSet::new(),
            is_atomic: false,
            whole: &mut *self.whole,
        };
        let copies = thread.take_captured(&captured, &outside);
        thread.statement(statement);
        for address in copies {
            thread.builder.emit(Action::Free { address });
        }
        thread.leave(None);
        thread.refuse_missing_labels();
        thread.builder.finish();
        self.builder.program.spawned.insert(id);
        let target = self.pointer_register();
        self.builder.emit(Action::Spawn { target, entry: Callee::Direct(id), arguments, id: None });
    }

    /// The value of a local that a thread is to begin with; of an array or struct, the address of a copy.
    fn copy_for_thread(&mut self, local: LocalId) -> Expr {
        let types = self.types();
        let declared = &self.body.locals[local.index()];
        let ty = declared.ty.ty;
        let address = match self.homes[local.index()] {
            Home::Register(register) => return self.builder.value(register),
            Home::Frame(object) => self.builder.address(Base::Frame(object)),
            Home::Pointed(register) => self.builder.value(register),
        };
        let size = types.size(ty).unwrap_or(0);
        if !types.is_aggregate(ty) && types.element(ty).is_none() {
            return self.builder.load(
                address,
                size as u32,
                types.align(ty),
                atomicity(declared.ty),
                display(types, ty),
            );
        }
        let target = self.pointer_register();
        let align = types.variable_align(ty).max(declared.align.unwrap_or(1));
        let site = self.builder.program.add_site(self.builder.span);
        let size = Expr::constant(self.builder.pointer_width(), u128::from(size));
        let contents = InitialContents::Indeterminate;
        self.builder.emit(Action::Allocate { target, size, align, storage: Storage::Heap, contents, site });
        let copy = self.builder.value(target);
        self.copy(copy.clone(), address, ty, u32::MAX);
        copy
    }

    /// At the start of a thread: takes what it captures and gives its own locals a home. Gives the copies that are to
    /// be freed.
    fn take_captured(&mut self, captured: &[LocalId], outside: &BTreeSet<LocalId>) -> Vec<Expr> {
        let types = self.types();
        let mut taken: BTreeMap<LocalId, RegisterId> = BTreeMap::new();
        for local in captured {
            let declared = &self.body.locals[local.index()];
            let name = self.local_name(declared);
            let is_copied = types.is_aggregate(declared.ty.ty) || types.element(declared.ty.ty).is_some();
            let ty = if is_copied { Types::VOID_POINTER } else { declared.ty.ty };
            taken.insert(*local, self.builder.parameter(name, width(types, ty), display(types, ty)));
        }
        let mut copies = Vec::new();
        for (position, declared) in self.body.locals.iter().enumerate() {
            let (local, ty) = (LocalId::new(position), declared.ty.ty);
            let register = taken.get(&local).copied();
            let home = match register {
                Some(register) if types.is_aggregate(ty) || types.element(ty).is_some() => {
                    copies.push(self.builder.value(register));
                    Home::Pointed(register)
                }
                Some(register) => self.home(local, Some((register, ty))),
                None if outside.contains(&local) => Home::Register(self.builder.temporary(8, Display::Unsigned)),
                None => self.home(local, None),
            };
            self.homes.push(home);
            if let Some(register) = register {
                self.take_argument(local, register, ty);
            }
        }
        self.forget_skippable();
        copies
    }
}

/// Whether it makes no difference that the function which starts a thread evaluates an argument: nobody can change it
/// meanwhile, and it leads to no local.
pub fn is_settled(argument: &Typed, is_register: &dyn Fn(LocalId) -> bool) -> bool {
    match &argument.kind {
        ExprKind::Integer(_) | ExprKind::Float(_) | ExprKind::FunctionAddress(_) => true,
        ExprKind::Convert(operand) => is_settled(operand, is_register),
        ExprKind::AddressOf(place) => matches!(place.kind, PlaceKind::Global(_)),
        ExprKind::Load(place) => matches!(place.kind, PlaceKind::Local(local) if is_register(local)),
        _ => false,
    }
}
