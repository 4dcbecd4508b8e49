//! Statements.

use super::abi::ResultPassing;
use super::asynchronous::is_settled;
use super::function::{FunctionLowering, Home, Jump, Jumps};
use super::values::display;
use crate::hir::{Callee, Expr as Typed, ExprKind, LabelId, LocalId, Statement, StatementKind};
use crate::types::{Types, VlaId};
use selvedge_program::LocationId;

/// A statement behind a label of this prefix runs in a thread of its own.
const ASYNC_PREFIX: &str = "__CPROVER_ASYNC_";

impl<'h> FunctionLowering<'_, 'h> {
    /// Lowers a statement.
    pub fn statement(&mut self, statement: &'h Statement) {
        self.builder.span = self.resolve(statement.span);
        let is_async = std::mem::take(&mut self.is_async);
        match &statement.kind {
            StatementKind::Label(label) => {
                self.label_statement(*label);
                self.is_async |= is_async;
            }
            StatementKind::Expr(expr) if is_async => self.start_expression(statement, expr),
            _ if is_async => self.run_asynchronously(statement),
            StatementKind::Expr(expr) => self.effect(expr),
            StatementKind::Block(statements) => self.in_block(statement, |this| this.statements(statements)),
            StatementKind::If(condition, then, otherwise) => self.if_statement(condition, then, otherwise.as_deref()),
            StatementKind::Switch { value, cases, default, body } => self.switch(value, cases, *default, body),
            StatementKind::While(condition, body) => self.while_loop(Some(condition), None, body),
            StatementKind::DoWhile(body, condition) => self.do_loop(body, condition),
            StatementKind::For { init, condition, step, body } => self.in_block(statement, |this| {
                this.statements(init);
                this.while_loop(condition.as_ref(), step.as_ref(), body);
            }),
            StatementKind::Goto(label) => {
                self.clean_up_towards(*label);
                let location = self.label(*label);
                self.builder.jump(location);
            }
            StatementKind::ComputedGoto(_) if self.blocks.are_deferring(0) => {
                self.builder.unsupported("a computed `goto` in a block whose variables have cleanup functions");
            }
            StatementKind::ComputedGoto(target) => self.computed_goto(target),
            StatementKind::Deferred(expr) => self.defer(expr),
            StatementKind::Break => match self.jumps.last() {
                Some(jumps) => self.jump_out(jumps.break_to),
                None => self.builder.unsupported("`break` outside of a loop or switch"),
            },
            StatementKind::Continue => match self.jumps.last().and_then(|jumps| jumps.continue_to) {
                Some(next) => self.jump_out(next),
                None => self.builder.unsupported("`continue` outside of a loop"),
            },
            StatementKind::Return(value) => self.return_statement(value.as_ref()),
            StatementKind::Declare(local, initializer) => self.declare(*local, initializer.as_ref()),
            StatementKind::DeclareLength(length, value) => self.declare_length(*length, value),
            StatementKind::Asm { template, outputs, inputs } => self.asm(template, outputs, inputs),
            StatementKind::Unsupported(what) => self.builder.unsupported(what.clone()),
        }
    }

    /// Lowers statements that stand in a row.
    pub fn statements(&mut self, statements: &'h [Statement]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    /// Lowers the statements of a statement expression: what they declare lives on with the block around, for the
    /// value's sake.
    pub fn statements_of(&mut self, block: &'h Statement) {
        match &block.kind {
            StatementKind::Block(statements) => {
                // What is deferred is due before the value is used, not with the block around.
                if let Some(one) = statements.iter().find(|one| matches!(one.kind, StatementKind::Deferred(_))) {
                    self.builder.span = self.resolve(one.span);
                    self.builder.unsupported("a cleanup function in a statement expression");
                }
                self.statements(statements);
            }
            _ => self.statement(block),
        }
    }

    /// A jump from here to where control comes along with the blocks that are open now.
    pub fn jump_here(&self, to: LocationId) -> Jump {
        Jump { to, depth: self.blocks.depth() }
    }

    /// Jumps out of blocks.
    fn jump_out(&mut self, jump: Jump) {
        self.leave_blocks(jump.depth);
        self.builder.jump(jump.to);
    }

    /// A thread evaluates an expression. Where it is a call that needs nothing of this function, the thread is one of
    /// the callee.
    fn start_expression(&mut self, statement: &'h Statement, expr: &'h Typed) {
        let call = match &expr.kind {
            ExprKind::Convert(operand) if expr.ty == Types::VOID => operand,
            _ => expr,
        };
        let homes = &self.homes;
        let is_register = |local: LocalId| matches!(homes[local.index()], Home::Register(_));
        match &call.kind {
            ExprKind::Call { callee: Callee::Function(function), arguments }
                if arguments.iter().all(|argument| is_settled(argument, &is_register)) =>
            {
                if !self.at(call.span, |this| this.spawn(*function, arguments)) {
                    self.run_asynchronously(statement);
                }
            }
            _ => self.run_asynchronously(statement),
        }
    }

    fn if_statement(&mut self, condition: &'h Typed, then: &'h Statement, otherwise: Option<&'h Statement>) {
        let [yes, end] = [self.builder.location(), self.builder.location()];
        let no = if otherwise.is_some() { self.builder.location() } else { end };
        self.branch_on(condition, yes, no);
        self.builder.stand_at(yes);
        self.statement(then);
        self.builder.jump(end);
        if let Some(otherwise) = otherwise {
            self.builder.stand_at(no);
            self.statement(otherwise);
            self.builder.jump(end);
        }
        self.builder.stand_at(end);
    }

    /// `while` and `for`, after what comes first.
    fn while_loop(&mut self, condition: Option<&'h Typed>, step: Option<&'h Typed>, body: &'h Statement) {
        let [head, inside, exit] = [self.builder.location(), self.builder.location(), self.builder.location()];
        let next = if step.is_some() { self.builder.location() } else { head };
        self.builder.jump(head);
        self.builder.stand_at(head);
        match condition {
            Some(condition) => self.branch_on(condition, inside, exit),
            None => self.builder.jump(inside),
        }
        self.builder.stand_at(inside);
        self.enter_loop(exit, next);
        self.statement(body);
        self.jumps.pop();
        self.builder.jump(next);
        if let Some(step) = step {
            self.builder.stand_at(next);
            self.effect(step);
            self.builder.jump(head);
        }
        self.builder.stand_at(exit);
    }

    fn enter_loop(&mut self, exit: LocationId, next: LocationId) {
        let (break_to, continue_to) = (self.jump_here(exit), Some(self.jump_here(next)));
        self.jumps.push(Jumps { break_to, continue_to });
    }

    fn do_loop(&mut self, body: &'h Statement, condition: &'h Typed) {
        let [inside, next, exit] = [self.builder.location(), self.builder.location(), self.builder.location()];
        self.builder.jump(inside);
        self.builder.stand_at(inside);
        self.enter_loop(exit, next);
        self.statement(body);
        self.jumps.pop();
        self.builder.jump(next);
        self.builder.stand_at(next);
        self.branch_on(condition, inside, exit);
        self.builder.stand_at(exit);
    }

    fn return_statement(&mut self, value: Option<&'h Typed>) {
        if self.is_thread {
            return self.builder.unsupported("a jump into or out of an asynchronous statement");
        }
        let span = self.builder.span;
        let result = match (value, self.result) {
            (None, _) => None,
            (Some(value), ResultPassing::Value(_)) => Some(self.value(value)),
            (Some(value), ResultPassing::Nothing) => {
                self.effect(value);
                None
            }
            (Some(Typed { kind: ExprKind::Call { callee, arguments }, ty, .. }), ResultPassing::Memory(result))
                if *ty == result =>
            {
                if let Some(target) = self.result_address.clone() {
                    self.call_into(result, callee, arguments, target);
                }
                None
            }
            (Some(value), ResultPassing::Memory(ty)) => {
                let source = self.value(value);
                if let Some(target) = self.result_address.clone() {
                    self.copy(target, source, ty, u32::MAX);
                }
                None
            }
        };
        self.builder.span = span;
        self.clean_up(0);
        self.leave(result);
    }

    fn label_statement(&mut self, label: LabelId) {
        let location = self.label(label);
        self.builder.jump(location);
        self.builder.stand_at(location);
        self.placed.insert(label);
        if let Some(name) = self.body.labels[label.index()].name {
            let name = self.whole.names().name(name);
            self.builder.label(location, name);
            self.is_async = name.starts_with(ASYNC_PREFIX);
        }
    }

    /// The length of a variable-length array is evaluated.
    fn declare_length(&mut self, length: VlaId, value: &'h Typed) {
        let types = self.types();
        let register = match self.lengths.get(&length) {
            Some(register) => *register,
            None => {
                let width = self.builder.pointer_width();
                let register = self.builder.temporary(width, display(types, types.size_type()));
                self.lengths.insert(length, register);
                register
            }
        };
        let bytes = self.value(value);
        let width = self.builder.pointer_width();
        let bytes = if types.is_signed(value.ty) { bytes.resize_signed(width) } else { bytes.resize_unsigned(width) };
        self.builder.assign(register, bytes);
    }
}
