//! Statements (C11 6.8).

use super::Checker;
use super::convert::Purpose;
use super::scope::Entity;
use super::specifier::TagUse;
use crate::hir::{AsmOperand, Statement, StatementKind};
use crate::syntax::ast::{self, Asm, Block, BlockItem, ForInit, FunctionDefinition, Span};
use crate::syntax::symbol::Symbol;
use crate::types::Types;

/// What to restore when a block is left.
pub(super) struct Outer {
    has_labels: bool,
    variable_scope: usize,
}

impl Checker<'_> {
    pub(super) fn enter_block(&mut self, block: &Block) -> Outer {
        self.scopes.push();
        let has_labels = !block.local_labels.is_empty();
        if has_labels {
            self.declare_local_labels(&block.local_labels);
        }
        Outer { has_labels, variable_scope: self.function.as_ref().map_or(0, |function| function.variable_scope) }
    }

    pub(super) fn leave_block(&mut self, outer: Outer) {
        self.scopes.pop();
        if outer.has_labels {
            self.leave_local_labels();
        }
        if let Some(function) = &mut self.function {
            function.variable_scope = outer.variable_scope;
        }
    }

    /// The items of a function's outermost block, whose scope is open already.
    pub(super) fn block_items(&mut self, block: &Block, out: &mut Vec<Statement>) {
        let has_labels = !block.local_labels.is_empty();
        if has_labels {
            self.declare_local_labels(&block.local_labels);
        }
        for item in &block.items {
            self.block_item(item, out);
        }
        if has_labels {
            self.leave_local_labels();
        }
    }

    pub(super) fn block_item(&mut self, item: &BlockItem, out: &mut Vec<Statement>) {
        match item {
            BlockItem::Declaration(declaration) => self.declaration(declaration, out),
            BlockItem::Statement(statement) => self.statement(statement, out),
            BlockItem::NestedFunction(function) => self.nested_function(function, out),
        }
    }

    fn nested_function(&mut self, function: &FunctionDefinition, out: &mut Vec<Statement>) {
        let base = self.base_type(&function.specifiers, TagUse::Mention);
        let ty = self.derive(&base, &function.declarator);
        if let Some(name) = function.declarator.name {
            self.scopes.bind(name.name, Entity::Nested(ty.ty), name.span);
        }
        let what = StatementKind::Unsupported("a nested function".to_owned());
        out.push(Statement { kind: what, span: function.span });
    }

    /// A statement, as one.
    pub(super) fn boxed(&mut self, statement: &ast::Statement) -> Box<Statement> {
        let mut out = Vec::new();
        self.statement(statement, &mut out);
        let single = if out.len() == 1 { out.pop() } else { None };
        Box::new(single.unwrap_or(Statement { kind: StatementKind::Block(out), span: statement.span }))
    }

    /// A statement, appended to what comes before.
    pub(super) fn statement(&mut self, statement: &ast::Statement, out: &mut Vec<Statement>) {
        use ast::StatementKind::*;
        let span = statement.span;
        let kind = match &statement.kind {
            Empty => return,
            Expr(expr) => StatementKind::Expr(self.value(expr)),
            Block(block) => {
                let outer = self.enter_block(block);
                let mut inner = Vec::new();
                for item in &block.items {
                    self.block_item(item, &mut inner);
                }
                self.leave_block(outer);
                StatementKind::Block(inner)
            }
            If(condition, yes, no) => {
                let condition = self.condition(condition);
                let yes = self.boxed(yes);
                let no = no.as_ref().map(|no| self.boxed(no));
                StatementKind::If(condition, yes, no)
            }
            Switch(value, body) => self.switch(value, body),
            While(condition, body) => {
                let condition = self.condition(condition);
                StatementKind::While(condition, self.loop_body(body))
            }
            DoWhile(body, condition) => {
                let body = self.loop_body(body);
                StatementKind::DoWhile(body, self.condition(condition))
            }
            For(init, condition, step, body) => self.for_loop(init.as_ref(), condition.as_ref(), step.as_ref(), body),
            Goto(label) => StatementKind::Goto(self.goto(*label)),
            ComputedGoto(target) => {
                let target = self.value(target);
                let target = self.assign_convert(target, Types::VOID_POINTER, Purpose::Assign);
                StatementKind::ComputedGoto(target)
            }
            Break => self.jump_out(span, StatementKind::Break),
            Continue => self.jump_out(span, StatementKind::Continue),
            Return(value) => self.return_statement(value.as_ref(), span),
            Label(name, _, inner) => {
                self.define_label(*name, out);
                return self.statement(inner, out);
            }
            Case(low, high, inner) => {
                self.case(low, high.as_ref(), span, out);
                return self.statement(inner, out);
            }
            Default(inner) => {
                self.default_case(span, out);
                return self.statement(inner, out);
            }
            Declaration(declaration) => return self.declaration(declaration, out),
            Asm(asm) => self.asm(asm),
        };
        out.push(Statement { kind, span });
    }

    fn loop_body(&mut self, body: &ast::Statement) -> Box<Statement> {
        if let Some(function) = &mut self.function {
            function.breakable += 1;
            function.continuable += 1;
        }
        let body = self.boxed(body);
        if let Some(function) = &mut self.function {
            function.breakable -= 1;
            function.continuable -= 1;
        }
        body
    }

    fn for_loop(
        &mut self,
        init: Option<&ForInit>,
        condition: Option<&ast::Expr>,
        step: Option<&ast::Expr>,
        body: &ast::Statement,
    ) -> StatementKind {
        let outer = self.enter_block(&Block::default());
        let mut first = Vec::new();
        match init {
            Some(ForInit::Expr(expr)) => {
                let value = self.value(expr);
                first.push(Statement { span: expr.span, kind: StatementKind::Expr(value) });
            }
            Some(ForInit::Declaration(declaration)) => self.declaration(declaration, &mut first),
            None => {}
        }
        let condition = condition.map(|condition| self.condition(condition));
        let step = step.map(|step| self.value(step));
        let body = self.loop_body(body);
        self.leave_block(outer);
        StatementKind::For { init: first, condition, step, body }
    }

    fn jump_out(&mut self, span: Span, kind: StatementKind) -> StatementKind {
        let (depth, message) = match kind {
            StatementKind::Continue => {
                (self.function.as_ref().map(|function| function.continuable), "`continue` stands outside of any loop")
            }
            _ => (
                self.function.as_ref().map(|function| function.breakable),
                "`break` stands outside of any loop or switch",
            ),
        };
        if depth.unwrap_or(0) == 0 {
            self.error(span, message);
        }
        kind
    }

    fn return_statement(&mut self, value: Option<&ast::Expr>, span: Span) -> StatementKind {
        let result = self.function.as_ref().map_or(Types::ERROR, |function| function.result);
        let Some(value) = value else {
            if result != Types::VOID && result != Types::ERROR {
                self.warn(span, "`return` without a value in a function that returns one");
            }
            return StatementKind::Return(None);
        };
        let value = self.value(value);
        if result == Types::VOID {
            if value.ty != Types::VOID && value.ty != Types::ERROR {
                self.warn(value.span, "`return` with a value in a function that returns none");
            }
            let effect = Statement { span: value.span, kind: StatementKind::Expr(value) };
            let end = Statement { kind: StatementKind::Return(None), span };
            return StatementKind::Block(vec![effect, end]);
        }
        StatementKind::Return(Some(self.assign_convert(value, result, Purpose::Return)))
    }

    fn asm(&mut self, asm: &Asm) -> StatementKind {
        let mut outputs = Vec::new();
        let mut inputs = Vec::new();
        let name = |checker: &Self, name: Option<Symbol>| name.map(|name| checker.names.name(name).to_owned());
        for ast::AsmOperand { name: called, constraint, operand } in &asm.outputs {
            let place = self.place(operand, "an output of `asm`");
            self.needs_memory(&place);
            let (name, constraint) = (name(self, *called), constraint.clone());
            outputs.push(AsmOperand { name, constraint, operand: place });
        }
        for ast::AsmOperand { name: called, constraint, operand } in &asm.inputs {
            let (name, constraint) = (name(self, *called), constraint.clone());
            inputs.push(AsmOperand { name, constraint, operand: self.value(operand) });
        }
        if asm.is_goto {
            return StatementKind::Unsupported("`asm goto`".to_owned());
        }
        StatementKind::Asm { template: asm.template.clone(), outputs, inputs }
    }
}
