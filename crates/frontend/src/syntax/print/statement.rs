//! Statements as text.

use super::Printer;
use crate::syntax::ast::{Asm, Block, BlockItem, Expr, ForInit, Statement, StatementKind};

impl Printer<'_> {
    /// The contents of a block, a line each.
    pub(super) fn block(&mut self, block: &Block) {
        if !block.local_labels.is_empty() {
            self.word("labels");
            for label in &block.local_labels {
                self.name(label.name);
            }
        }
        for item in &block.items {
            self.line(|printer| match item {
                BlockItem::Declaration(declaration) => printer.declaration(declaration),
                BlockItem::Statement(statement) => printer.statement(statement),
                BlockItem::NestedFunction(function) => printer.function(function),
            });
        }
    }

    fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Empty => self.word("empty"),
            StatementKind::Expr(value) => self.expr(value),
            StatementKind::Block(block) => self.list("block", |printer| printer.block(block)),
            StatementKind::Declaration(declaration) => self.declaration(declaration),
            StatementKind::Asm(asm) => self.asm(asm),
            StatementKind::Break => self.word("break"),
            StatementKind::Continue => self.word("continue"),
            StatementKind::Goto(label) => self.list("goto", |printer| printer.name(label.name)),
            StatementKind::ComputedGoto(target) => self.list("goto-computed", |printer| printer.expr(target)),
            StatementKind::Return(value) => self.list("return", |printer| printer.optional(value.as_ref())),
            StatementKind::Switch(value, body) => self.list("switch", |printer| printer.with_body(value, body)),
            StatementKind::While(condition, body) => self.list("while", |printer| printer.with_body(condition, body)),
            StatementKind::DoWhile(body, condition) => self.list("do", |printer| {
                printer.statement(body);
                printer.word("while");
                printer.expr(condition);
            }),
            StatementKind::If(condition, then, otherwise) => self.list("if", |printer| {
                printer.with_body(condition, then);
                if let Some(otherwise) = otherwise {
                    printer.line(|printer| printer.statement(otherwise));
                }
            }),
            StatementKind::For(init, condition, step, body) => self.list("for", |printer| {
                match init {
                    None => printer.word("_"),
                    Some(ForInit::Expr(value)) => printer.expr(value),
                    Some(ForInit::Declaration(declaration)) => printer.declaration(declaration),
                }
                printer.optional(condition.as_ref());
                printer.optional(step.as_ref());
                printer.line(|printer| printer.statement(body));
            }),
            StatementKind::Label(label, attributes, body) => self.list("label", |printer| {
                printer.name(label.name);
                printer.attributes(attributes);
                printer.statement(body);
            }),
            StatementKind::Case(first, last, body) => self.list("case", |printer| {
                printer.expr(first);
                if let Some(last) = last {
                    printer.word("to");
                    printer.expr(last);
                }
                printer.statement(body);
            }),
            StatementKind::Default(body) => self.list("default", |printer| printer.statement(body)),
        }
    }

    fn with_body(&mut self, condition: &Expr, body: &Statement) {
        self.expr(condition);
        self.line(|printer| printer.statement(body));
    }

    fn optional(&mut self, value: Option<&Expr>) {
        match value {
            Some(value) => self.expr(value),
            None => self.word("_"),
        }
    }

    pub(super) fn asm(&mut self, asm: &Asm) {
        self.list("asm", |printer| {
            if asm.is_volatile {
                printer.word("volatile");
            }
            if asm.is_goto {
                printer.word("goto");
            }
            printer.quoted("", asm.template.chars());
            for (direction, operands) in [("out", &asm.outputs), ("in", &asm.inputs)] {
                for operand in operands {
                    printer.word(direction);
                    printer.quoted("", operand.constraint.chars());
                    printer.expr(&operand.operand);
                }
            }
            for clobber in &asm.clobbers {
                printer.word("clobber");
                printer.quoted("", clobber.chars());
            }
        });
    }
}
