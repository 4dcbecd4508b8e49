//! Functions and variables with linkage: redeclarations, tentative definitions, and what becomes of them at the end of
//! the unit (C11 6.2.2, 6.7, 6.9.2).

use super::Checker;
use super::attribute::Attributes;
use super::scope::Entity;
use crate::hir::{Function, FunctionId, Global, GlobalId, Linkage};
use crate::syntax::ast::{Identifier, Span, StorageClass};
use crate::types::{ArrayLength, Qualified, Type, TypeId, Types};

/// What a name with linkage stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Linked {
    Global(GlobalId),
    Function(FunctionId),
}

/// What is known of a function beside its `hir::Function`.
#[derive(Clone, Debug)]
pub(super) struct FunctionNotes {
    pub is_defined: bool,
    /// Called without ever being declared.
    pub is_implicit: bool,
    /// So far known only as a compiler's builtin: the program may declare it otherwise.
    pub is_builtin: bool,
    /// Whether every declaration so far is an inline one that makes no external definition.
    pub only_inline: bool,
    /// Whether it may be absent from the program, so that its address may be null.
    pub is_weak: bool,
}

/// A declaration of a function, with all that its specifiers say.
#[derive(Clone, Debug)]
pub(super) struct FunctionDeclaration<'a> {
    pub name: Identifier,
    pub ty: TypeId,
    pub storage: Option<StorageClass>,
    pub is_inline: bool,
    pub is_noreturn: bool,
    pub is_definition: bool,
    pub asm_label: Option<&'a str>,
    pub attributes: &'a Attributes,
}

/// A declaration of a variable with linkage.
#[derive(Clone, Debug)]
pub(super) struct GlobalDeclaration<'a> {
    pub name: Identifier,
    pub ty: Qualified,
    pub storage: Option<StorageClass>,
    pub is_thread_local: bool,
    pub has_initializer: bool,
    pub align: Option<u32>,
    pub asm_label: Option<&'a str>,
}

impl Checker<'_> {
    /// Declares a function in the innermost scope, merged with what is known of it.
    pub(super) fn declare_function(&mut self, declaration: &FunctionDeclaration) -> FunctionId {
        let name = declaration.name;
        let is_internal = declaration.storage == Some(StorageClass::Static);
        self.check_other_kind(name, true);
        let id = match self.linked.get(&name.name) {
            Some(Linked::Function(id)) => {
                let id = *id;
                self.merge_function(id, declaration, is_internal);
                id
            }
            _ => self.new_function(declaration, is_internal),
        };
        let is_plain_inline = declaration.is_inline
            && (declaration.storage != Some(StorageClass::Extern) || declaration.attributes.is_gnu_inline);
        if let Some(notes) = self.function_notes.get_mut(id.index()) {
            notes.is_defined |= declaration.is_definition;
            notes.only_inline &= is_plain_inline;
            notes.is_weak |= declaration.attributes.is_weak;
        }
        let function = &mut self.unit.functions[id.index()];
        function.is_weak |= declaration.attributes.is_weak;
        function.constructor = declaration.attributes.constructor.or(function.constructor);
        function.destructor = declaration.attributes.destructor.or(function.destructor);
        function.is_noreturn |= declaration.is_noreturn || declaration.attributes.is_noreturn;
        if declaration.is_definition {
            function.span = name.span;
        }
        if let Some(label) = declaration.asm_label {
            function.name = self.names.intern(label);
        }
        self.scopes.bind(name.name, Entity::Function(id), name.span);
        id
    }

    fn new_function(&mut self, declaration: &FunctionDeclaration, is_internal: bool) -> FunctionId {
        let id = FunctionId::new(self.unit.functions.len());
        self.unit.functions.push(Function {
            name: declaration.name.name,
            ty: declaration.ty,
            linkage: if is_internal { Linkage::Internal } else { Linkage::External },
            is_noreturn: false,
            is_weak: false,
            constructor: None,
            destructor: None,
            body: None,
            span: declaration.name.span,
        });
        let notes = FunctionNotes {
            is_defined: false,
            is_implicit: false,
            is_builtin: false,
            only_inline: true,
            is_weak: false,
        };
        self.function_notes.push(notes);
        self.linked.insert(declaration.name.name, Linked::Function(id));
        id
    }

    fn merge_function(&mut self, id: FunctionId, declaration: &FunctionDeclaration, is_internal: bool) {
        let function = &self.unit.functions[id.index()];
        let (old, span, linkage) = (function.ty, function.span, function.linkage);
        let notes = &self.function_notes[id.index()];
        let (is_implicit, is_builtin) = (notes.is_implicit, notes.is_builtin);
        let (is_defined, only_inline) = (notes.is_defined, notes.only_inline);
        let name = declaration.name;
        if declaration.is_definition && is_defined && !only_inline {
            let message = format!("`{}` is defined twice", self.spell(name.name));
            self.error_with_note(name.span, message, span, "the first definition is here");
        }
        if is_internal && linkage == Linkage::External {
            let message = format!("the static declaration of `{}` follows a non-static one", self.spell(name.name));
            self.error_with_note(name.span, message, span, "it is declared here");
        }
        let ty = if self.types.compatible(old, declaration.ty) {
            self.types.composite(old, declaration.ty)
        } else {
            if !is_builtin {
                self.conflicting_types(name, old, declaration.ty, span, is_implicit);
            }
            declaration.ty
        };
        self.unit.functions[id.index()].ty = ty;
        let notes = &mut self.function_notes[id.index()];
        notes.is_implicit = false;
        notes.is_builtin = false;
    }

    fn conflicting_types(&mut self, name: Identifier, old: TypeId, new: TypeId, span: Span, is_implicit: bool) {
        let message = format!(
            "conflicting types for `{}`: `{}`, but `{}` before",
            self.spell(name.name),
            self.type_name(new),
            self.type_name(old)
        );
        if is_implicit {
            self.warn(name.span, message);
        } else {
            self.error_with_note(name.span, message, span, "it is declared here");
        }
    }

    /// Reports a name that already means something of another kind in this scope, or has linkage as something else.
    fn check_other_kind(&mut self, name: Identifier, is_function: bool) {
        let here = self.scopes.get_here(name.name).filter(|binding| match binding.entity {
            Entity::Function(_) => !is_function,
            Entity::Global(id) => is_function || self.unit.globals[id.index()].owner.is_some(),
            _ => true,
        });
        let span = here.map(|binding| binding.span).or_else(|| match self.linked.get(&name.name) {
            Some(Linked::Global(id)) if is_function => Some(self.unit.globals[id.index()].span),
            Some(Linked::Function(id)) if !is_function => Some(self.unit.functions[id.index()].span),
            _ => None,
        });
        if let Some(span) = span {
            let message = format!("`{}` is declared again as something else", self.spell(name.name));
            self.error_with_note(name.span, message, span, "it is declared here");
        }
    }

    /// Declares a variable with linkage in the innermost scope, merged with what is known of it.
    pub(super) fn declare_global(&mut self, declaration: &GlobalDeclaration) -> GlobalId {
        let name = declaration.name;
        self.check_other_kind(name, false);
        let id = match self.linked.get(&name.name) {
            Some(Linked::Global(id)) => {
                let id = *id;
                self.merge_global(id, declaration);
                id
            }
            _ => self.new_linked_global(declaration),
        };
        let is_definition = declaration.storage != Some(StorageClass::Extern) || declaration.has_initializer;
        let global = &mut self.unit.globals[id.index()];
        if is_definition && !global.is_defined {
            global.span = name.span;
        }
        global.is_defined |= is_definition;
        global.is_thread_local |= declaration.is_thread_local;
        global.align = global.align.max(declaration.align);
        if let Some(label) = declaration.asm_label {
            global.name = Some(self.names.intern(label));
        }
        self.scopes.bind(name.name, Entity::Global(id), name.span);
        id
    }

    fn new_linked_global(&mut self, declaration: &GlobalDeclaration) -> GlobalId {
        let is_internal = declaration.storage == Some(StorageClass::Static);
        let linkage = if is_internal { Linkage::Internal } else { Linkage::External };
        let id = self.new_global(Some(declaration.name), declaration.ty, linkage, declaration.name.span);
        self.linked.insert(declaration.name.name, Linked::Global(id));
        id
    }

    /// A variable with static storage, so far without anything.
    pub(super) fn new_global(
        &mut self,
        name: Option<Identifier>,
        ty: Qualified,
        linkage: Linkage,
        span: Span,
    ) -> GlobalId {
        let id = GlobalId::new(self.unit.globals.len());
        self.unit.globals.push(Global {
            name: name.map(|name| name.name),
            owner: None,
            ty,
            linkage,
            is_defined: false,
            is_initialized: false,
            is_weak: false,
            is_thread_local: false,
            is_string_literal: false,
            align: None,
            initial: Vec::new(),
            span,
        });
        id
    }

    fn merge_global(&mut self, id: GlobalId, declaration: &GlobalDeclaration) {
        let global = &self.unit.globals[id.index()];
        let (old, span, linkage) = (global.ty, global.span, global.linkage);
        let (is_initialized, is_thread_local) = (global.is_initialized, global.is_thread_local);
        let name = declaration.name;
        let spelled = self.spell(name.name).to_owned();
        let mut complain = |message: String| self.error_with_note(name.span, message, span, "it is declared here");
        match (linkage, declaration.storage) {
            (Linkage::External, Some(StorageClass::Static)) => {
                complain(format!("the static declaration of `{spelled}` follows a non-static one"));
            }
            (Linkage::Internal, None) => {
                complain(format!("the non-static declaration of `{spelled}` follows a static one"));
            }
            _ => {}
        }
        if is_initialized && declaration.has_initializer {
            complain(format!("`{spelled}` is defined twice"));
        }
        if is_thread_local != declaration.is_thread_local {
            complain(format!("`{spelled}` is thread-local in one declaration and not in another"));
        }
        if !self.types.compatible(old.ty, declaration.ty.ty)
            || old.qualifiers.standard() != declaration.ty.qualifiers.standard()
        {
            self.conflicting_types(name, old.ty, declaration.ty.ty, span, false);
            return;
        }
        let ty = self.types.composite(old.ty, declaration.ty.ty);
        self.unit.globals[id.index()].ty.ty = ty;
    }

    /// What the end of the unit decides: tentative arrays get one element, inline functions that nobody declared
    /// otherwise stay the unit's own.
    pub(super) fn finish(&mut self) {
        for index in 0..self.unit.globals.len() {
            let global = &self.unit.globals[index];
            let (ty, span) = (global.ty, global.span);
            if !global.is_defined {
                continue;
            }
            self.note_odd_size(ty.ty, span);
            match *self.types.get(ty.ty) {
                Type::Array { element, length: ArrayLength::Unknown } => {
                    self.warn(span, "the array is taken to have one element");
                    self.unit.globals[index].ty.ty = self.types.array_of(element, 1);
                }
                Type::Void => self.error(span, "a variable cannot have type `void`"),
                Type::Error => {}
                _ if self.types.size(ty.ty).is_none() => {
                    let message = format!("the variable has the incomplete type `{}`", self.type_name(ty.ty));
                    self.error(span, message);
                    self.unit.globals[index].ty.ty = Types::ERROR;
                }
                _ => {}
            }
        }
        for (function, notes) in self.unit.functions.iter_mut().zip(&self.function_notes) {
            if notes.is_defined && notes.only_inline {
                function.linkage = Linkage::Internal;
            }
        }
    }
}
