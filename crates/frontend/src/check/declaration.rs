//! Declarations at file scope and in blocks (C11 6.7).

use super::Checker;
use super::attribute::Attributes;
use super::linkage::{FunctionDeclaration, GlobalDeclaration};
use super::scope::Entity;
use super::specifier::{Base, TagUse};
use crate::hir::{self, Linkage, Local, LocalId, Statement, StatementKind};
use crate::syntax::ast::{
    self, Declaration, Derived, Expr, Identifier, InitDeclarator, Initializer, Qualifiers, Span, Specifiers,
    StorageClass,
};
use crate::types::{ArrayLength, Qualified, Type, TypeId, Types};

/// One declared name, its type made.
struct Declared<'a> {
    name: Identifier,
    ty: Qualified,
    align: Option<u32>,
    specifiers: &'a Specifiers,
    declarator: &'a InitDeclarator,
    attributes: Attributes,
}

impl Checker<'_> {
    /// A declaration at file scope.
    pub(super) fn file_declaration(&mut self, declaration: &Declaration) {
        let mut statements = Vec::new();
        self.declaration(declaration, &mut statements);
    }

    /// A declaration; what it does when it is reached goes to `out`.
    pub(super) fn declaration(&mut self, declaration: &Declaration, out: &mut Vec<Statement>) {
        match declaration {
            Declaration::StaticAssert { condition, message, span } => {
                self.static_assert(condition, message.as_deref(), *span);
            }
            Declaration::Variables { specifiers, declarators, span } => {
                let tag_use = if declarators.is_empty() { TagUse::Declare } else { TagUse::Mention };
                let mark = self.lengths.len();
                let base = self.base_type(specifiers, tag_use);
                self.flush_lengths(mark, *span, out);
                for declarator in declarators {
                    self.init_declarator(specifiers, &base, declarator, out);
                }
            }
        }
    }

    /// Evaluates the variable lengths met since `mark` where control is now.
    pub(super) fn flush_lengths(&mut self, mark: usize, span: Span, out: &mut Vec<Statement>) {
        for (span, what) in self.unmodelled.drain(..) {
            out.push(Statement { kind: StatementKind::Unsupported(what), span });
        }
        for (id, length) in self.lengths.split_off(mark) {
            out.push(Statement { kind: StatementKind::DeclareLength(id, length), span });
        }
    }

    fn init_declarator(
        &mut self,
        specifiers: &Specifiers,
        base: &Base,
        declarator: &InitDeclarator,
        out: &mut Vec<Statement>,
    ) {
        let Some(name) = self.declared_name(&declarator.declarator) else { return };
        let attributes = base.attributes.clone().and(self.attributes(&declarator.declarator.attributes));
        if base.is_auto {
            return self.auto_declaration(name, (specifiers, &attributes), declarator, out);
        }
        let mark = self.lengths.len();
        let ty = self.derive(base, &declarator.declarator);
        self.flush_lengths(mark, name.span, out);
        let own = self.attributes(&declarator.declarator.attributes);
        let ty = Qualified { ty: self.type_with_attributes(ty.ty, &own, name.span), ..ty };
        let align = attributes.align.or(base.align.filter(|_| declarator.declarator.derived.is_empty()));
        let declared = Declared { name, ty, align, specifiers, declarator, attributes };
        if specifiers.storage == Some(StorageClass::Typedef) {
            self.declare_typedef(&declared);
        } else if matches!(self.types.get(ty.ty), Type::Function(_)) {
            self.declare_prototype(&declared);
        } else if self.scopes.is_file_scope() || specifiers.storage == Some(StorageClass::Extern) {
            self.declare_linked_variable(&declared);
        } else if specifiers.storage == Some(StorageClass::Static) || specifiers.is_thread_local {
            self.declare_static_local(&declared);
        } else {
            self.declare_local(&declared, out);
        }
    }

    fn declare_typedef(&mut self, declared: &Declared) {
        let Declared { name, ty, align, declarator, .. } = declared;
        if let Some(existing) = self.scopes.get_here(name.name) {
            let is_same = matches!(existing.entity, Entity::Typedef { ty: old, .. }
                if self.types.compatible(old.ty, ty.ty) && old.qualifiers.standard() == ty.qualifiers.standard());
            if !is_same {
                let message = format!("`{}` is declared again as another type", self.spell(name.name));
                self.error_with_note(name.span, message, existing.span, "it is declared here");
            }
        }
        if let Some(initializer) = &declarator.initializer {
            self.error(initializer_span(initializer), "a typedef cannot have an initialiser");
        }
        let is_transparent = declared.attributes.is_transparent_union;
        if let (true, Type::Record(id)) = (is_transparent, self.types.get(ty.ty)) {
            self.transparent.insert(*id);
        }
        self.scopes.bind(name.name, Entity::Typedef { ty: *ty, align: *align }, name.span);
    }

    fn declare_prototype(&mut self, declared: &Declared) {
        let Declared { name, ty, specifiers, declarator, attributes, .. } = declared;
        if let Some(initializer) = &declarator.initializer {
            self.error(initializer_span(initializer), "a function cannot have an initialiser");
        }
        self.declare_function(&FunctionDeclaration {
            name: *name,
            ty: ty.ty,
            storage: specifiers.storage,
            is_inline: specifiers.is_inline,
            is_noreturn: specifiers.is_noreturn,
            is_definition: false,
            asm_label: declarator.declarator.asm_label.as_deref(),
            attributes,
        });
    }

    fn declare_linked_variable(&mut self, declared: &Declared) {
        let Declared { name, ty, align, specifiers, declarator, .. } = declared;
        let is_extern = specifiers.storage == Some(StorageClass::Extern);
        let is_register = specifiers.storage == Some(StorageClass::Register);
        let storage = if is_register { Some(StorageClass::Extern) } else { specifiers.storage };
        if is_extern && !self.scopes.is_file_scope() && declarator.initializer.is_some() {
            self.error(name.span, "an `extern` declaration in a block cannot have an initialiser");
        }
        let id = self.declare_global(&GlobalDeclaration {
            name: *name,
            ty: *ty,
            storage,
            is_thread_local: specifiers.is_thread_local,
            has_initializer: declarator.initializer.is_some(),
            align: self.more_align(*align, ty.ty),
            asm_label: declarator.declarator.asm_label.as_deref(),
        });
        self.unit.globals[id.index()].is_weak |= declared.attributes.is_weak;
        if let Some(span) = declared.attributes.alias {
            self.unit.globals[id.index()].is_defined = false;
            self.unit.unsupported.push((span, format!("the alias `{}`", self.names.name(name.name))));
        }
        if let Some(initializer) = &declarator.initializer {
            self.initialize_global(id, initializer);
        }
    }

    fn initialize_global(&mut self, id: hir::GlobalId, initializer: &Initializer) {
        let ty = self.unit.globals[id.index()].ty;
        self.unit.globals[id.index()].is_initialized = true;
        let (complete, initial) = self.static_initializer(ty, initializer);
        let global = &mut self.unit.globals[id.index()];
        global.ty.ty = complete;
        global.initial = initial;
    }

    /// The alignment asked for, if it is more than the type's.
    fn more_align(&self, align: Option<u32>, ty: TypeId) -> Option<u32> {
        align.filter(|align| *align > self.types.align(ty))
    }

    fn check_redeclared(&mut self, name: Identifier) {
        if let Some(existing) = self.scopes.get_here(name.name) {
            let message = format!("`{}` is already declared in this block", self.spell(name.name));
            self.error_with_note(name.span, message, existing.span, "it is declared here");
        }
    }

    fn declare_static_local(&mut self, declared: &Declared) {
        let Declared { name, ty, align, specifiers, declarator, .. } = declared;
        self.check_redeclared(*name);
        if self.is_variable(ty.ty) {
            self.error(name.span, "a static variable cannot have a variable length");
            return;
        }
        let id = self.new_global(Some(*name), *ty, Linkage::Internal, name.span);
        let owner = self.function.as_ref().map(|function| function.id);
        let align = self.more_align(*align, ty.ty);
        let global = &mut self.unit.globals[id.index()];
        global.owner = owner;
        global.is_defined = true;
        global.is_thread_local = specifiers.is_thread_local;
        global.align = align;
        self.scopes.bind(name.name, Entity::Global(id), name.span);
        if let Some(initializer) = &declarator.initializer {
            self.initialize_global(id, initializer);
        }
        self.check_complete(self.unit.globals[id.index()].ty, name.span);
    }

    /// Reports a variable of incomplete type. True if the type is complete.
    fn check_complete(&mut self, ty: Qualified, span: Span) -> bool {
        self.note_odd_size(ty.ty, span);
        let message = match self.types.get(ty.ty) {
            Type::Error => return true,
            Type::Void => "a variable cannot have type `void`".to_owned(),
            _ if self.is_variable(ty.ty) => return true,
            Type::Array { length: ArrayLength::Unknown, .. } => "the length of the array is missing".to_owned(),
            _ if self.types.size(ty.ty).is_none() => {
                format!("the variable has the incomplete type `{}`", self.type_name(ty.ty))
            }
            _ => return true,
        };
        self.error(span, message);
        false
    }

    fn declare_local(&mut self, declared: &Declared, out: &mut Vec<Statement>) {
        let Declared { name, ty, align, declarator, .. } = declared;
        self.check_redeclared(*name);
        let id = self.new_local(Some(name.name), *ty, name.span);
        let align = self.more_align(*align, ty.ty);
        self.local_mut(id, |local| local.align = align);
        self.scopes.bind(name.name, Entity::Local(id), name.span);
        if self.is_variable(ty.ty) && self.types.element(ty.ty).is_some() {
            self.enter_variable_length();
        }
        let initializer = declarator.initializer.as_ref().map(|initializer| {
            let (complete, initializer) = self.automatic_initializer(*ty, initializer);
            self.local_mut(id, |local| local.ty.ty = complete);
            initializer
        });
        let complete = self.local_type(id);
        if !self.check_complete(complete, name.span) {
            self.local_mut(id, |local| local.ty.ty = Types::ERROR);
        }
        out.push(Statement { kind: StatementKind::Declare(id, initializer), span: name.span });
        out.extend(self.deferred_cleanup(*name, &declared.attributes));
    }

    /// What `cleanup(function)` asks for: a call with the variable's address when its block is left.
    fn deferred_cleanup(&mut self, name: Identifier, attributes: &Attributes) -> Option<Statement> {
        let (span, function) = attributes.cleanup.clone()?;
        let of = |kind| ast::Expr { kind, span };
        let variable = Box::new(of(ast::ExprKind::Identifier(name.name)));
        let address = of(ast::ExprKind::Unary(ast::UnaryOperator::AddressOf, variable));
        let Some(function) = function else {
            self.error(span, "`cleanup` needs a function");
            return None;
        };
        let call = self.value(&of(ast::ExprKind::Call(Box::new(function), vec![address])));
        Some(Statement { kind: StatementKind::Deferred(call), span })
    }

    /// `__auto_type name = initialiser`
    fn auto_declaration(
        &mut self,
        name: Identifier,
        (specifiers, attributes): (&Specifiers, &Attributes),
        declarator: &InitDeclarator,
        out: &mut Vec<Statement>,
    ) {
        let is_plain = declarator.declarator.derived.iter().all(|derived| matches!(derived, Derived::Pointer(..)));
        let Some(Initializer::Expr(expr)) = declarator.initializer.as_ref().filter(|_| is_plain) else {
            self.error(name.span, "`__auto_type` needs an initialiser to take the type from");
            self.scopes.bind(name.name, Entity::Parameter(Types::ERROR.into()), name.span);
            return;
        };
        if self.scopes.is_file_scope() || specifiers.storage == Some(StorageClass::Static) {
            let operand = self.unevaluated(expr);
            let ty = self.decay(operand).ty;
            let ty = Qualified { ty, qualifiers: specifiers.qualifiers };
            let attributes = attributes.clone();
            let declared = Declared { name, ty, align: None, specifiers, declarator, attributes };
            return match self.scopes.is_file_scope() {
                true => self.declare_linked_variable(&declared),
                false => self.declare_static_local(&declared),
            };
        }
        self.check_redeclared(name);
        let value = self.value(expr);
        let id = self.auto_local(name, specifiers.qualifiers, &value);
        let item = hir::InitializerItem {
            offset: 0,
            ty: self.local_type(id),
            bits: None,
            value: hir::InitializerValue::Expr(value),
        };
        let initializer = hir::Initializer { zero_rest: false, items: vec![item] };
        out.push(Statement { kind: StatementKind::Declare(id, Some(initializer)), span: name.span });
        out.extend(self.deferred_cleanup(name, attributes));
    }

    fn auto_local(&mut self, name: Identifier, qualifiers: Qualifiers, value: &hir::Expr) -> LocalId {
        if self.types.size(value.ty).is_none() || value.ty == Types::VOID {
            let message = format!("a variable cannot have type `{}`", self.type_name(value.ty));
            self.error(name.span, message);
        }
        let id = self.new_local(Some(name.name), Qualified { ty: value.ty, qualifiers }, name.span);
        self.scopes.bind(name.name, Entity::Local(id), name.span);
        id
    }

    /// A new local of the current function; outside of functions (after an error) one that nobody sees.
    pub(super) fn new_local(
        &mut self,
        name: Option<crate::syntax::symbol::Symbol>,
        ty: Qualified,
        span: Span,
    ) -> LocalId {
        let needs_memory = self.types.is_aggregate(ty.ty) || ty.qualifiers.is_volatile || ty.qualifiers.is_atomic;
        match &mut self.function {
            Some(function) => {
                function.locals.push(Local { name, ty, needs_memory, align: None, span });
                LocalId(function.locals.len() as u32 - 1)
            }
            None => LocalId(u32::MAX),
        }
    }

    /// Changes a local of the current function.
    pub(super) fn local_mut(&mut self, id: LocalId, change: impl FnOnce(&mut Local)) {
        if let Some(local) = self.function.as_mut().and_then(|function| function.locals.get_mut(id.index())) {
            change(local);
        }
    }

    /// The type of a local of the current function.
    pub(super) fn local_type(&self, id: LocalId) -> Qualified {
        let local = self.function.as_ref().and_then(|function| function.locals.get(id.index()));
        local.map_or(Types::ERROR.into(), |local| local.ty)
    }
}

/// Where an initialiser stands.
pub(super) fn initializer_span(initializer: &Initializer) -> Span {
    match initializer {
        Initializer::Expr(Expr { span, .. }) | Initializer::List(_, span) => *span,
    }
}
