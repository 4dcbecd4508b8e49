//! Labels, jumps to them, and the scopes no jump may enter (C11 6.8.1, 6.8.6.1; `__label__` and `&&label` of GNU C).

use super::Checker;
use super::function::NamedLabel;
use super::place::error_value;
use crate::hir::{Expr, ExprKind, Label, LabelId, Statement, StatementKind};
use crate::syntax::ast::{Identifier, Span};
use crate::types::Types;
use rustc_hash::FxHashMap;

impl Checker<'_> {
    /// A label without a name, for `case` and `default`.
    pub(super) fn new_label(&mut self, name: Option<Identifier>, span: Span) -> LabelId {
        match &mut self.function {
            Some(function) => {
                let name = name.map(|name| name.name);
                function.labels.push(Label { name, is_address_taken: false, span });
                LabelId(function.labels.len() as u32 - 1)
            }
            None => LabelId(u32::MAX),
        }
    }

    /// Opens a scope with its own labels.
    pub(super) fn declare_local_labels(&mut self, names: &[Identifier]) {
        let mut scope = FxHashMap::default();
        for name in names {
            let id = self.new_label(Some(*name), name.span);
            scope.insert(name.name, NamedLabel { id, defined: None, is_used: false, span: name.span });
        }
        if let Some(function) = &mut self.function {
            function.label_scopes.push(scope);
        }
    }

    /// Closes a scope with its own labels.
    pub(super) fn leave_local_labels(&mut self) {
        let scope = self.function.as_mut().and_then(|function| function.label_scopes.pop());
        self.check_defined(scope.unwrap_or_default());
    }

    fn check_defined(&mut self, scope: FxHashMap<crate::syntax::symbol::Symbol, NamedLabel>) {
        let mut missing: Vec<_> =
            scope.into_iter().filter(|(_, label)| label.is_used && label.defined.is_none()).collect();
        missing.sort_by_key(|(_, label)| label.span);
        for (name, label) in missing {
            let message = format!("there is no label `{}`", self.spell(name));
            self.error(label.span, message);
        }
    }

    /// The label with a name, made on its first mention.
    fn label_named(&mut self, name: Identifier) -> LabelId {
        let function = self.function.as_ref();
        let known = function
            .and_then(|function| function.label_scopes.iter().rev().find_map(|scope| scope.get(&name.name)).copied());
        match known {
            Some(label) => label.id,
            None => {
                let id = self.new_label(Some(name), name.span);
                if let Some(scope) = self.function.as_mut().and_then(|function| function.label_scopes.first_mut()) {
                    scope.insert(name.name, NamedLabel { id, defined: None, is_used: false, span: name.span });
                }
                id
            }
        }
    }

    /// The label with a name, for a use of it.
    fn used_label(&mut self, name: Identifier) -> LabelId {
        let id = self.label_named(name);
        let scopes = self.function.iter_mut().flat_map(|function| function.label_scopes.iter_mut().rev());
        if let Some(label) = scopes.filter_map(|scope| scope.get_mut(&name.name)).next() {
            label.is_used = true;
        }
        id
    }

    /// `name:`
    pub(super) fn define_label(&mut self, name: Identifier, out: &mut Vec<Statement>) {
        let id = self.label_named(name);
        let mut is_second = false;
        if let Some(function) = &mut self.function {
            let scope = function.variable_scope;
            let label = function.label_scopes.iter_mut().rev().find_map(|scope| scope.get_mut(&name.name));
            if let Some(label) = label {
                is_second = label.defined.replace(scope).is_some();
            }
            if let Some(label) = function.labels.get_mut(id.index()) {
                label.span = name.span;
            }
        }
        if is_second {
            let message = format!("the label `{}` stands twice", self.spell(name.name));
            self.error(name.span, message);
        }
        out.push(Statement { kind: StatementKind::Label(id), span: name.span });
    }

    /// `goto name;`
    pub(super) fn goto(&mut self, name: Identifier) -> LabelId {
        let id = self.used_label(name);
        if let Some(function) = &mut self.function {
            function.gotos.push((id, function.variable_scope, name.span));
        }
        id
    }

    /// `&&name`
    pub(super) fn label_address(&mut self, name: Identifier, span: Span) -> Expr {
        if self.function.is_none() {
            self.error(span, "there are no labels outside of functions");
            return error_value(span);
        }
        let id = self.used_label(name);
        if let Some(label) = self.function.as_mut().and_then(|function| function.labels.get_mut(id.index())) {
            label.is_address_taken = true;
        }
        Expr { kind: ExprKind::LabelAddress(id), ty: Types::VOID_POINTER, span }
    }

    /// A variable-length array is declared: its scope begins, which no jump may enter.
    pub(super) fn enter_variable_length(&mut self) {
        if let Some(function) = &mut self.function {
            function.variable_scopes.push(function.variable_scope);
            function.variable_scope = function.variable_scopes.len() - 1;
        }
    }

    /// At the end of a function: every label mentioned stands somewhere, no jump enters the scope of a variable-length
    /// array.
    pub(super) fn check_labels(&mut self) {
        let Some(function) = &mut self.function else { return };
        let scope = function.label_scopes.pop().unwrap_or_default();
        let gotos = std::mem::take(&mut function.gotos);
        let mut defined: Vec<Option<usize>> = vec![None; function.labels.len()];
        for label in scope.values() {
            if let Some(slot) = defined.get_mut(label.id.index()) {
                *slot = label.defined;
            }
        }
        let scopes = function.variable_scopes.clone();
        for (label, from, span) in gotos {
            let Some(Some(to)) = defined.get(label.index()) else { continue };
            let mut outer = from;
            while outer != *to && outer != 0 {
                outer = scopes.get(outer).copied().unwrap_or(0);
            }
            if outer != *to {
                self.error(span, "the jump goes into the scope of a variable-length array");
            }
        }
        self.check_defined(scope);
    }
}
