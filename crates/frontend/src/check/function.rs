//! Function definitions (C11 6.9.1), old-style ones included.
//!
//! An old-style definition receives its arguments promoted, however it is called: its function type has no prototype
//! and lists the promoted types, the body's parameters have these types too, and where the declared type differs
//! (`char`, `float`), a prologue converts into a local of the declared type. If a prototype came before, its types are
//! the ones passed.

use super::Checker;
use super::linkage::FunctionDeclaration;
use super::scope::Entity;
use super::specifier::TagUse;
use super::switch::SwitchState;
use crate::hir::{self, Body, FunctionId, Label, LabelId, Local, LocalId, Place, PlaceKind, Statement, StatementKind};
use crate::syntax::ast::{Declaration, Derived, FunctionDefinition, Identifier, Parameters, Span};
use crate::syntax::symbol::Symbol;
use crate::types::{Qualified, Type, TypeId, Types};
use rustc_hash::FxHashMap;

/// The function being checked.
pub(super) struct FunctionState {
    pub id: FunctionId,
    pub name: Symbol,
    pub result: TypeId,
    pub locals: Vec<Local>,
    pub labels: Vec<Label>,
    /// Named labels: the function's, then those of blocks with `__label__` declarations, innermost last.
    pub label_scopes: Vec<FxHashMap<Symbol, NamedLabel>>,
    /// `goto`s, to be checked once all labels are known: to which label, from inside which variable-length scope.
    pub gotos: Vec<(LabelId, VariableScope, Span)>,
    pub switches: Vec<SwitchState>,
    /// How many loops or switches we are in, and how many loops.
    pub breakable: u32,
    pub continuable: u32,
    /// The parent of each scope of a variable-length array; the current one.
    pub variable_scopes: Vec<VariableScope>,
    pub variable_scope: VariableScope,
    /// The array behind `__func__`.
    pub name_string: Option<hir::GlobalId>,
}

/// The scope of a variable-length array, into which no jump may go; 0 is outside of all.
pub(super) type VariableScope = usize;

/// A label with a name.
#[derive(Clone, Copy, Debug)]
pub(super) struct NamedLabel {
    pub id: LabelId,
    /// Where it stands, within which variable-length scope; `None` until it is met.
    pub defined: Option<VariableScope>,
    /// Whether something jumps to it or takes its address.
    pub is_used: bool,
    /// The first mention.
    pub span: Span,
}

impl FunctionState {
    fn new(name: Symbol) -> Self {
        FunctionState {
            id: FunctionId(u32::MAX),
            name,
            result: Types::ERROR,
            locals: Vec::new(),
            labels: Vec::new(),
            label_scopes: vec![FxHashMap::default()],
            gotos: Vec::new(),
            switches: Vec::new(),
            breakable: 0,
            continuable: 0,
            variable_scopes: vec![0],
            variable_scope: 0,
            name_string: None,
        }
    }
}

impl Checker<'_> {
    /// A function with its body.
    pub(super) fn function_definition(&mut self, definition: &FunctionDefinition) {
        let base = self.base_type(&definition.specifiers, TagUse::Mention);
        let Some(name) = self.declared_name(&definition.declarator) else { return };
        let Some((Derived::Function(parameters), outer)) = definition.declarator.derived.split_first() else {
            self.error(name.span, "a function definition needs a parameter list");
            return;
        };
        let result = self.derive_all(base.ty, outer, definition.declarator.span);
        self.check_result(result, name);
        self.undeclared.clear();
        self.function = Some(FunctionState::new(name.name));
        self.scopes.push();
        let declared = self.defined_parameters(parameters, &definition.old_style);
        let kept = self.scopes.pop();
        let types = match parameters {
            Parameters::Prototype { is_variadic, .. } => {
                Some((declared.iter().map(|parameter| parameter.ty).collect(), *is_variadic))
            }
            Parameters::Identifiers(_) | Parameters::Unspecified => None,
        };
        let is_old_style = matches!(parameters, Parameters::Identifiers(_));
        let mut ty = self.function_type(result, types, definition.span);
        if is_old_style {
            ty = self.old_style_type(ty, &declared);
        }
        let attributes = base.attributes.clone().and(self.attributes(&definition.declarator.attributes));
        let id = self.declare_function(&FunctionDeclaration {
            name,
            ty,
            storage: definition.specifiers.storage,
            is_inline: definition.specifiers.is_inline,
            is_noreturn: definition.specifiers.is_noreturn,
            is_definition: true,
            asm_label: definition.declarator.asm_label.as_deref(),
            attributes: &attributes,
        });
        if let Some(function) = &mut self.function {
            function.id = id;
            function.result = result.ty;
        }
        let mut statements = Vec::new();
        self.flush_lengths(0, definition.span, &mut statements);
        self.scopes.push_again(kept);
        let parameters = match is_old_style {
            true => self.old_style_prologue(id, &declared, &mut statements),
            false => declared.iter().map(|parameter| parameter.local).collect(),
        };
        self.function_body(id, definition, parameters, statements);
        self.scopes.pop();
    }

    fn check_result(&mut self, result: Qualified, name: Identifier) {
        let is_incomplete = matches!(self.types.get(result.ty), Type::Record(id)
            if self.types.record(*id).definition.is_none());
        if is_incomplete {
            let message = format!("a function cannot return the incomplete type `{}`", self.type_name(result.ty));
            self.error(name.span, message);
        }
    }

    /// Checks the body, whose scope is open, and gives it to the function.
    fn function_body(
        &mut self,
        id: FunctionId,
        definition: &FunctionDefinition,
        parameters: Vec<LocalId>,
        mut statements: Vec<Statement>,
    ) {
        self.block_items(&definition.body, &mut statements);
        let unmodelled = std::mem::take(&mut self.unmodelled).into_iter();
        statements
            .splice(0..0, unmodelled.map(|(span, what)| Statement { kind: StatementKind::Unsupported(what), span }));
        self.check_labels();
        let Some(state) = self.function.take() else { return };
        let span = definition.body.span;
        let end = Span { start: span.end.saturating_sub(1), end: span.end };
        self.unit.functions[id.index()].body = Some(Body {
            parameters,
            locals: state.locals,
            labels: state.labels,
            statement: Statement { kind: StatementKind::Block(statements), span },
            end,
        });
    }

    fn defined_parameters(&mut self, parameters: &Parameters, old_style: &[Declaration]) -> Vec<DefinedParameter> {
        match parameters {
            Parameters::Unspecified => Vec::new(),
            Parameters::Prototype { parameters, .. } => {
                let mut declared = Vec::with_capacity(parameters.len());
                for parameter in parameters {
                    let ty = self.parameter_type(parameter);
                    let span = parameter.declarator.name.map_or(parameter.specifiers.span, |name| name.span);
                    declared.push(self.defined_parameter(parameter.declarator.name, ty, span));
                }
                declared
            }
            Parameters::Identifiers(names) => {
                let types = self.old_style_declarations(names, old_style);
                let mut declared = Vec::with_capacity(names.len());
                for name in names {
                    let ty = types.get(&name.name).copied().unwrap_or(Types::INT.into());
                    declared.push(self.defined_parameter(Some(*name), ty, name.span));
                }
                declared
            }
        }
    }

    fn defined_parameter(&mut self, name: Option<Identifier>, ty: Qualified, span: Span) -> DefinedParameter {
        if self.types.size(ty.ty).is_none() {
            let message = format!("the parameter has the incomplete type `{}`", self.type_name(ty.ty));
            self.error(span, message);
        }
        let local = self.new_local(name.map(|name| name.name), ty, span);
        if let Some(name) = name {
            if self.scopes.get_here(name.name).is_some() {
                let message = format!("there are two parameters `{}`", self.spell(name.name));
                self.error(name.span, message);
            }
            self.scopes.bind(name.name, Entity::Local(local), name.span);
        }
        DefinedParameter { ty, local, span }
    }

    fn old_style_declarations(
        &mut self,
        names: &[Identifier],
        declarations: &[Declaration],
    ) -> FxHashMap<Symbol, Qualified> {
        let mut types: FxHashMap<Symbol, Qualified> = FxHashMap::default();
        for declaration in declarations {
            let Declaration::Variables { specifiers, declarators, .. } = declaration else { continue };
            let base = self.base_type(specifiers, TagUse::Mention);
            for declarator in declarators {
                let Some(name) = self.declared_name(&declarator.declarator) else { continue };
                let ty = self.adjusted_parameter(&base, &declarator.declarator);
                if !names.iter().any(|parameter| parameter.name == name.name) {
                    let message = format!("there is no parameter `{}`", self.spell(name.name));
                    self.error(name.span, message);
                }
                types.insert(name.name, ty);
            }
        }
        types
    }

    /// The function type of an old-style definition: without a prototype, the parameters' types promoted.
    fn old_style_type(&mut self, ty: TypeId, declared: &[DefinedParameter]) -> TypeId {
        let Type::Function(function) = self.types.get(ty) else { return ty };
        let mut function = function.clone();
        function.parameters = declared.iter().map(|parameter| self.default_promoted(parameter.ty.ty).into()).collect();
        self.types.intern(Type::Function(function))
    }

    /// The parameters as they are passed, after adding to `out` what converts them to the declared types.
    fn old_style_prologue(
        &mut self,
        id: FunctionId,
        declared: &[DefinedParameter],
        out: &mut Vec<Statement>,
    ) -> Vec<LocalId> {
        let passed: Vec<Qualified> = match self.types.get(self.unit.functions[id.index()].ty) {
            Type::Function(function) => function.parameters.clone(),
            _ => Vec::new(),
        };
        if passed.len() != declared.len() && self.types.get(self.unit.functions[id.index()].ty) != &Type::Error {
            let span = self.unit.functions[id.index()].span;
            self.error(span, "the prototype before has another number of parameters");
        }
        let mut parameters = Vec::with_capacity(declared.len());
        for (parameter, passed) in declared.iter().zip(passed) {
            if self.types.compatible(parameter.ty.ty, passed.ty) {
                parameters.push(parameter.local);
                continue;
            }
            let hidden = self.new_local(None, passed.ty.into(), parameter.span);
            let place =
                Place { kind: PlaceKind::Local(hidden), ty: passed.ty.into(), bits: None, span: parameter.span };
            let value = self.load(place);
            let value = self.convert(value, parameter.ty.ty);
            let item = hir::InitializerItem {
                offset: 0,
                ty: parameter.ty,
                bits: None,
                value: hir::InitializerValue::Expr(value),
            };
            let initializer = hir::Initializer { zero_rest: false, items: vec![item] };
            let kind = StatementKind::Declare(parameter.local, Some(initializer));
            out.push(Statement { kind, span: parameter.span });
            parameters.push(hidden);
        }
        parameters
    }
}

/// A parameter of a definition.
struct DefinedParameter {
    ty: Qualified,
    local: LocalId,
    span: Span,
}
