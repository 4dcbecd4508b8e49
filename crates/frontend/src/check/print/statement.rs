//! Statements as text.

use super::Printer;
use crate::hir::{LabelId, Statement, StatementKind};

impl Printer<'_> {
    pub(super) fn label(&self, id: LabelId) -> String {
        let body = self.function.and_then(|function| function.body.as_ref());
        match body.and_then(|body| body.labels.get(id.index())).and_then(|label| label.name) {
            Some(name) => self.names.name(name).to_owned(),
            None => format!("L{}", id.0),
        }
    }

    /// The statements of a block without its braces, or a single statement.
    pub(super) fn body_statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Block(statements) => {
                for statement in statements {
                    self.statement(statement);
                }
            }
            _ => self.statement(statement),
        }
    }

    fn nested(&mut self, head: &str, body: &Statement) {
        self.line(&format!("{head} {{"));
        self.indent += 1;
        self.body_statement(body);
        self.indent -= 1;
    }

    fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Expr(expr) => self.line(&format!("{};", self.expr(expr))),
            StatementKind::Block(_) => {
                self.nested("", statement);
                self.line("}");
            }
            StatementKind::If(condition, yes, no) => {
                self.nested(&format!("if {}", self.expr(condition)), yes);
                if let Some(no) = no {
                    self.nested("} else", no);
                }
                self.line("}");
            }
            StatementKind::Switch { value, cases, default, body } => {
                let mut targets: Vec<String> = cases
                    .iter()
                    .map(|case| match case.low == case.high {
                        true => format!("{}: {}", case.low, self.label(case.label)),
                        false => format!("{}...{}: {}", case.low, case.high, self.label(case.label)),
                    })
                    .collect();
                targets.extend(default.map(|label| format!("default: {}", self.label(label))));
                self.nested(&format!("switch {} [{}]", self.expr(value), targets.join(", ")), body);
                self.line("}");
            }
            StatementKind::While(condition, body) => {
                self.nested(&format!("while {}", self.expr(condition)), body);
                self.line("}");
            }
            StatementKind::DoWhile(body, condition) => {
                self.nested("do", body);
                self.line(&format!("}} while {};", self.expr(condition)));
            }
            StatementKind::For { init, condition, step, body } => {
                self.line("for {");
                self.indent += 1;
                for statement in init {
                    self.statement(statement);
                }
                self.indent -= 1;
                let condition = condition.as_ref().map_or(String::new(), |condition| self.expr(condition));
                let step = step.as_ref().map_or(String::new(), |step| self.expr(step));
                self.nested(&format!("}} {condition}; {step}"), body);
                self.line("}");
            }
            StatementKind::Goto(label) => self.line(&format!("goto {};", self.label(*label))),
            StatementKind::ComputedGoto(target) => self.line(&format!("goto *{};", self.expr(target))),
            StatementKind::Break => self.line("break;"),
            StatementKind::Continue => self.line("continue;"),
            StatementKind::Return(None) => self.line("return;"),
            StatementKind::Return(Some(value)) => self.line(&format!("return {};", self.expr(value))),
            StatementKind::Label(label) => self.line(&format!("{}:", self.label(*label))),
            StatementKind::Declare(local, initializer) => {
                let initializer = initializer
                    .as_ref()
                    .map_or(String::new(), |initializer| format!(" = {}", self.initializer(initializer)));
                self.line(&format!("declare {}{initializer};", self.declared_local(*local)));
            }
            StatementKind::Deferred(value) => self.line(&format!("when left {};", self.expr(value))),
            StatementKind::DeclareLength(id, length) => {
                self.line(&format!("length #{} = {};", id.0, self.expr(length)))
            }
            StatementKind::Asm { template, outputs, inputs } => {
                let outputs: Vec<String> = outputs
                    .iter()
                    .map(|output| format!("{:?} {}", output.constraint, self.place(&output.operand)))
                    .collect();
                let inputs: Vec<String> = inputs
                    .iter()
                    .map(|input| format!("{:?} {}", input.constraint, self.expr(&input.operand)))
                    .collect();
                self.line(&format!("asm {template:?} [{}] [{}];", outputs.join(", "), inputs.join(", ")));
            }
            StatementKind::Unsupported(what) => self.line(&format!("unsupported {what};")),
        }
    }
}
