//! Linking: which declaration of which unit stands for which function or variable of the program.
//!
//! External names are one thing across the program's units, as for a linker; internal names belong to their unit. The
//! unit of our C models stands apart: it serves only where the program does not define a name, and its own references
//! go to itself, so that a program's `strlen` never gets into our `strcpy`.

use super::{Input, LinkedUnit};
use crate::hir::{self, Linkage};
use crate::syntax::symbol::Symbol;
use rustc_hash::FxHashMap;
use selvedge_program::{Diagnostic, Span};

/// A function of the program, whatever unit declares or defines it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FunctionEntity(usize);

/// A variable of the program, whatever unit declares or defines it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GlobalEntity(usize);

/// A function with all its declarations.
#[derive(Clone, Copy, Debug)]
pub struct FunctionLink {
    /// Its name.
    pub name: Symbol,
    /// Its first declaration.
    pub declaration: (usize, hir::FunctionId),
    /// Its definition.
    pub definition: Option<(usize, hir::FunctionId)>,
}

/// A variable with all its declarations.
#[derive(Clone, Copy, Debug)]
pub struct GlobalLink {
    /// Its declaration, the best there is: initialised, else defined, else the first.
    pub declaration: (usize, hir::GlobalId),
}

/// The result of linking.
#[derive(Debug, Default)]
pub struct Links {
    functions: Vec<Vec<FunctionEntity>>,
    globals: Vec<Vec<GlobalEntity>>,
    function_links: Vec<FunctionLink>,
    global_links: Vec<GlobalLink>,
    external_functions: FxHashMap<Symbol, FunctionEntity>,
    external_globals: FxHashMap<Symbol, GlobalEntity>,
    models: FxHashMap<Symbol, FunctionEntity>,
    model_globals: FxHashMap<Symbol, GlobalEntity>,
}

impl Links {
    /// What a unit's function stands for.
    pub fn function(&self, unit: usize, id: hir::FunctionId) -> FunctionEntity {
        self.functions[unit][id.index()]
    }

    /// What a unit's variable stands for.
    pub fn global(&self, unit: usize, id: hir::GlobalId) -> GlobalEntity {
        self.globals[unit][id.index()]
    }

    /// What is known of a function.
    pub fn function_link(&self, entity: FunctionEntity) -> FunctionLink {
        self.function_links[entity.0]
    }

    /// What is known of a variable.
    pub fn global_link(&self, entity: GlobalEntity) -> GlobalLink {
        self.global_links[entity.0]
    }

    /// The program's function of an external name.
    pub fn external_function(&self, name: Symbol) -> Option<FunctionEntity> {
        self.external_functions.get(&name).copied()
    }

    /// The model in C of a library function.
    pub fn model(&self, name: Symbol) -> Option<FunctionEntity> {
        self.models.get(&name).copied()
    }

    /// The library's variable of a name, if the models define it.
    pub fn model_global(&self, name: Symbol) -> Option<GlobalEntity> {
        self.model_globals.get(&name).copied()
    }
}

/// Links the units; errors and warnings go to `diagnostics`.
pub fn link(input: &Input<'_>, diagnostics: &mut Vec<Diagnostic>) -> Links {
    let mut linker = Linker { input, links: Links::default(), diagnostics };
    for (index, unit) in input.units.iter().enumerate() {
        linker.add_unit(index, unit);
    }
    linker.add_models(input.units.len(), input.models);
    linker.links
}

struct Linker<'a, 'd> {
    input: &'a Input<'a>,
    links: Links,
    diagnostics: &'d mut Vec<Diagnostic>,
}

impl Linker<'_, '_> {
    fn add_unit(&mut self, index: usize, unit: &LinkedUnit) {
        let functions = (0..unit.unit.functions.len())
            .map(|position| self.add_function(index, hir::FunctionId::new(position)))
            .collect();
        self.links.functions.push(functions);
        let globals =
            (0..unit.unit.globals.len()).map(|position| self.add_global(index, hir::GlobalId::new(position))).collect();
        self.links.globals.push(globals);
    }

    fn add_models(&mut self, index: usize, unit: &LinkedUnit) {
        let mut functions = Vec::new();
        for (position, function) in unit.unit.functions.iter().enumerate() {
            let entity = self.new_function(index, hir::FunctionId::new(position));
            if function.body.is_some() {
                self.links.models.insert(function.name, entity);
            }
            functions.push(entity);
        }
        self.links.functions.push(functions);
        let mut globals = Vec::new();
        for (position, global) in unit.unit.globals.iter().enumerate() {
            let entity = self.new_global(index, hir::GlobalId::new(position));
            if let Some(name) = global.name.filter(|_| global.is_defined && global.linkage == Linkage::External) {
                self.links.model_globals.insert(name, entity);
            }
            globals.push(entity);
        }
        self.links.globals.push(globals);
    }

    fn new_function(&mut self, unit: usize, id: hir::FunctionId) -> FunctionEntity {
        let function = &self.input.unit(unit).unit.functions[id.index()];
        let definition = function.body.is_some().then_some((unit, id));
        self.links.function_links.push(FunctionLink { name: function.name, declaration: (unit, id), definition });
        FunctionEntity(self.links.function_links.len() - 1)
    }

    fn new_global(&mut self, unit: usize, id: hir::GlobalId) -> GlobalEntity {
        self.links.global_links.push(GlobalLink { declaration: (unit, id) });
        GlobalEntity(self.links.global_links.len() - 1)
    }

    fn add_function(&mut self, unit: usize, id: hir::FunctionId) -> FunctionEntity {
        let function = &self.input.unit(unit).unit.functions[id.index()];
        if function.linkage == Linkage::Internal {
            return self.new_function(unit, id);
        }
        let Some(entity) = self.links.external_functions.get(&function.name).copied() else {
            let entity = self.new_function(unit, id);
            self.links.external_functions.insert(function.name, entity);
            return entity;
        };
        let known = self.links.function_links[entity.0];
        let (other_unit, other) = known.definition.unwrap_or(known.declaration);
        let other = &self.input.unit(other_unit).unit.functions[other.index()];
        let (here, there) = (self.input.resolve(unit, function.span), self.input.resolve(other_unit, other.span));
        let name = self.input.names.name(function.name);
        let matters = unit != other_unit && (function.body.is_some() || other.body.is_some());
        if matters && !self.input.types.compatible_between_units(function.ty, other.ty) {
            self.conflict(name, here, there);
        }
        match (function.body.is_some(), known.definition.is_some()) {
            (true, false) => self.links.function_links[entity.0].definition = Some((unit, id)),
            (true, true) if function.is_weak || is_same_place(here, there) => {}
            (true, true) if other.is_weak => self.links.function_links[entity.0].definition = Some((unit, id)),
            (true, true) => self.multiple(name, here, there),
            _ => {}
        }
        entity
    }

    fn add_global(&mut self, unit: usize, id: hir::GlobalId) -> GlobalEntity {
        let global = &self.input.unit(unit).unit.globals[id.index()];
        let Some(name) = global.name.filter(|_| global.linkage == Linkage::External) else {
            return self.new_global(unit, id);
        };
        let Some(entity) = self.links.external_globals.get(&name).copied() else {
            let entity = self.new_global(unit, id);
            self.links.external_globals.insert(name, entity);
            return entity;
        };
        let (other_unit, other_id) = self.links.global_links[entity.0].declaration;
        let other = &self.input.unit(other_unit).unit.globals[other_id.index()];
        let (here, there) = (self.input.resolve(unit, global.span), self.input.resolve(other_unit, other.span));
        let name = self.input.names.name(name);
        let matters = unit != other_unit && (global.is_defined || other.is_defined);
        if matters && !self.input.types.compatible_between_units(global.ty.ty, other.ty.ty) {
            self.conflict(name, here, there);
        }
        if global.is_initialized && other.is_initialized && !global.is_weak && !other.is_weak {
            self.multiple(name, here, there);
        }
        let rank =
            |global: &hir::Global| (global.is_defined && !global.is_weak, global.is_initialized, global.is_defined);
        if rank(global) > rank(other) {
            self.links.global_links[entity.0].declaration = (unit, id);
        }
        entity
    }

    fn conflict(&mut self, name: &str, here: Span, there: Span) {
        let message = format!("`{name}` is declared with different types in different files");
        self.diagnostics.push(Diagnostic::warning(here, message).with_note(there, "the other declaration is here"));
    }

    fn multiple(&mut self, name: &str, here: Span, there: Span) {
        let message = format!("multiple definitions of `{name}`");
        self.diagnostics.push(Diagnostic::error(here, message).with_note(there, "first defined here"));
    }
}

/// An inline function of a header that several units include is defined once, in the header.
fn is_same_place(a: Span, b: Span) -> bool {
    a.is_somewhere() && (a.file, a.line, a.column) == (b.file, b.line, b.column)
}
