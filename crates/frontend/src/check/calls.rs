//! Calls (C11 6.5.2.2): whom, with which arguments.

use super::Checker;
use super::convert::Purpose;
use super::place::{Operand, error_value};
use crate::hir::{Callee, Expr, ExprKind, FunctionId};
use crate::syntax::ast::{self, Span};
use crate::syntax::symbol::Symbol;
use crate::types::{FunctionType, Type, Types};

impl Checker<'_> {
    /// `callee(arguments)`
    pub(super) fn call(&mut self, callee: &ast::Expr, arguments: &[ast::Expr], span: Span) -> Expr {
        if let Some(name) = identifier(callee)
            && self.scopes.get(name).is_none()
        {
            return match self.builtin_call(name, arguments, span) {
                Some(value) => value,
                None => {
                    let function = self.implicit_function(name, callee.span);
                    let arguments = self.argument_values(arguments);
                    self.call_of(Operand::Function(function, callee.span), arguments, span)
                }
            };
        }
        let callee = self.operand(callee);
        let arguments = self.argument_values(arguments);
        self.call_of(callee, arguments, span)
    }

    fn argument_values(&mut self, arguments: &[ast::Expr]) -> Vec<Expr> {
        arguments.iter().map(|argument| self.value(argument)).collect()
    }

    /// A call of an operand with arguments not yet converted.
    pub(super) fn call_of(&mut self, callee: Operand, arguments: Vec<Expr>, span: Span) -> Expr {
        let callee = self.decay(callee);
        if callee.ty == Types::ERROR {
            return error_value(span);
        }
        let Some(function) = self.called_type(&callee) else {
            let message = format!("a value of type `{}` cannot be called", self.type_name(callee.ty));
            self.error(callee.span, message);
            return error_value(span);
        };
        if function.has_prototype && !self.check_count(&callee, &function, arguments.len(), span) {
            return error_value(span);
        }
        let arguments = self.converted_arguments(&function, arguments);
        let ty = function.result.ty;
        if matches!(self.types.get(ty), Type::Record(id) if self.types.record(*id).definition.is_none()) {
            let message = format!("the call gives the incomplete type `{}`", self.type_name(ty));
            self.error(span, message);
            return error_value(span);
        }
        if let ExprKind::Unsupported(what) = callee.kind {
            return Expr { kind: ExprKind::Unsupported(what), ty, span };
        }
        let callee = match Self::direct_callee(&callee) {
            Some(id) => Callee::Function(id),
            None => Callee::Pointer(Box::new(callee)),
        };
        Expr { kind: ExprKind::Call { callee, arguments }, ty, span }
    }

    fn called_type(&self, callee: &Expr) -> Option<FunctionType> {
        match self.types.get(callee.ty) {
            Type::Pointer(target) => match self.types.get(target.ty) {
                Type::Function(function) => Some(function.clone()),
                _ => None,
            },
            _ => None,
        }
    }

    fn check_count(&mut self, callee: &Expr, function: &FunctionType, given: usize, span: Span) -> bool {
        let wanted = function.parameters.len();
        let wrong = if given < wanted {
            "few"
        } else if given > wanted && !function.is_variadic {
            "many"
        } else {
            return true;
        };
        let name = match Self::direct_callee(callee) {
            Some(id) => format!("`{}`", self.spell(self.unit.functions[id.index()].name)),
            None => "the function".to_owned(),
        };
        let more = if function.is_variadic { "at least " } else { "" };
        let message = format!("too {wrong} arguments: {name} takes {more}{wanted}, not {given}");
        match Self::direct_callee(callee) {
            Some(id) if !self.function_notes[id.index()].is_implicit => {
                let place = self.unit.functions[id.index()].span;
                self.error_with_note(span, message, place, "it is declared here");
            }
            _ => self.error(span, message),
        }
        false
    }

    fn converted_arguments(&mut self, function: &FunctionType, arguments: Vec<Expr>) -> Vec<Expr> {
        let mut converted = Vec::with_capacity(arguments.len());
        for (position, argument) in arguments.into_iter().enumerate() {
            let argument = match function.parameters.get(position).filter(|_| function.has_prototype) {
                Some(parameter) => self.assign_convert(argument, parameter.ty, Purpose::Argument(position + 1)),
                None if argument.ty == Types::VOID => {
                    self.error(argument.span, "a `void` expression cannot be passed");
                    error_value(argument.span)
                }
                None => self.promote_argument(argument),
            };
            converted.push(argument);
        }
        converted
    }

    /// A function that is called without having been declared.
    fn implicit_function(&mut self, name: Symbol, span: Span) -> FunctionId {
        let (id, is_new) = self.function_for_builtin(name, span);
        let is_a_verifiers = ["__CPROVER_", "__VERIFIER_"].iter().any(|prefix| self.spell(name).starts_with(prefix));
        if is_new && !is_a_verifiers && self.undeclared.insert(name) {
            let message = format!("`{}` is called without being declared", self.spell(name));
            self.warn(span, message);
        }
        id
    }
}

/// The name an expression consists of, parentheses aside.
pub(super) fn identifier(expr: &ast::Expr) -> Option<Symbol> {
    match &expr.kind {
        ast::ExprKind::Identifier(name) => Some(*name),
        ast::ExprKind::Parenthesized(inner) => identifier(inner),
        _ => None,
    }
}
