//! Expressions and places as text.

use super::Printer;
use crate::check::operators::spelling;
use crate::hir::{
    Callee, Direction, Expr, ExprKind, Initializer, InitializerValue, Place, PlaceKind, Size, Statement, UnaryOperator,
};
use crate::syntax::ast::{IncrementOperator, LogicalOperator};
use crate::types::Types;

impl Printer<'_> {
    pub(super) fn place(&self, place: &Place) -> String {
        let mut text = match &place.kind {
            PlaceKind::Local(id) => self.local_name(*id),
            PlaceKind::Global(id) => self.global_name(*id),
            PlaceKind::Deref(pointer) => format!("*{}", self.expr(pointer)),
            PlaceKind::Member { base, offset } => match place.bits {
                Some(bits) => format!("{}.[bits {}+{}]", self.place(base), bits.offset, bits.width),
                None => format!("{}.[{offset}]", self.place(base)),
            },
            PlaceKind::Temporary(value) => format!("temporary({})", self.expr(value)),
            PlaceKind::CompoundLiteral(id, initializer) => {
                format!("literal {}{}", self.local_name(*id), self.initializer(initializer))
            }
            PlaceKind::After(first, place) => format!("({}, {})", self.expr(first), self.place(place)),
        };
        if place.ty.qualifiers.is_atomic {
            text.push_str("!atomic");
        }
        if place.ty.qualifiers.is_volatile {
            text.push_str("!volatile");
        }
        text
    }

    pub(super) fn initializer(&self, initializer: &Initializer) -> String {
        let items: Vec<String> = initializer
            .items
            .iter()
            .map(|item| {
                let bits = item.bits.map_or(String::new(), |bits| format!(" bits {}+{}", bits.offset, bits.width));
                let value = match &item.value {
                    InitializerValue::Expr(expr) => self.expr(expr),
                    InitializerValue::Bytes(bytes) => format!("{:?}", String::from_utf8_lossy(bytes)),
                };
                format!("{}{bits}: {value}", item.offset)
            })
            .collect();
        if initializer.zero_rest {
            format!("{{{}, zero}}", items.join(", "))
        } else {
            format!("{{{}}}", items.join(", "))
        }
    }

    fn constant_text(&self, text: String, expr: &Expr) -> String {
        if expr.ty == Types::INT || expr.ty == Types::DOUBLE { text } else { format!("{text}:{}", self.ty(expr.ty)) }
    }

    pub(super) fn size(&self, size: &Size) -> String {
        let mut text = size.bytes.to_string();
        for length in &size.lengths {
            text.push_str(&format!("*#{}", length.0));
        }
        text
    }

    pub(super) fn expr(&self, expr: &Expr) -> String {
        match &expr.kind {
            ExprKind::Integer(number) => self.constant_text(number.to_string(), expr),
            ExprKind::Float(number) => self.constant_text(format!("{number:?}"), expr),
            ExprKind::Load(place) => self.place(place),
            ExprKind::AddressOf(place) => match self.types.pointee(expr.ty) {
                Some(target) if target.ty == place.ty.ty => format!("&{}", self.place(place)),
                _ => format!("decay({})", self.place(place)),
            },
            ExprKind::FunctionAddress(id) => format!("&{}", self.function_name(*id)),
            ExprKind::LabelAddress(id) => format!("&&{}", self.label(*id)),
            ExprKind::Convert(inner) => format!("({}){}", self.ty(expr.ty), self.expr(inner)),
            ExprKind::Unary(op, inner) => {
                let op = match op {
                    UnaryOperator::Minus => "-",
                    UnaryOperator::BitNot => "~",
                    UnaryOperator::Not => "!",
                };
                format!("{op}{}", self.expr(inner))
            }
            ExprKind::Binary(op, left, right) => {
                format!("({} {} {})", self.expr(left), spelling(*op), self.expr(right))
            }
            ExprKind::PointerOffset { pointer, index, element, direction } => {
                let sign = if *direction == Direction::Forward { "+" } else { "-" };
                format!("({} {sign} {}*{})", self.expr(pointer), self.size(element), self.expr(index))
            }
            ExprKind::PointerDifference { left, right, element } => {
                format!("(({} - {}) / {})", self.expr(left), self.expr(right), self.size(element))
            }
            ExprKind::Logical(op, left, right) => {
                let op = if *op == LogicalOperator::And { "&&" } else { "||" };
                format!("({} {op} {})", self.expr(left), self.expr(right))
            }
            ExprKind::Conditional(condition, yes, no) => {
                format!("({} ? {} : {})", self.expr(condition), self.expr(yes), self.expr(no))
            }
            ExprKind::ConditionalOmitted(condition, no) => format!("({} ?: {})", self.expr(condition), self.expr(no)),
            ExprKind::Comma(first, last) => format!("({}, {})", self.expr(first), self.expr(last)),
            ExprKind::Assign(place, value) => format!("({} = {})", self.place(place), self.expr(value)),
            ExprKind::CompoundAssign { place, op, operand, compute, element } => {
                let step = element.as_ref().map_or(String::new(), |size| format!("{}*", self.size(size)));
                let compute = if element.is_some() || *compute == place.ty.ty {
                    String::new()
                } else {
                    format!(" in {}", self.ty(*compute))
                };
                format!("({} {}= {step}{}{compute})", self.place(place), spelling(*op), self.expr(operand))
            }
            ExprKind::Increment { op, place, element } => {
                let step = element.as_ref().map_or(String::new(), |size| format!("[{}]", self.size(size)));
                let place = self.place(place);
                match op {
                    IncrementOperator::PreIncrement => format!("++{step}{place}"),
                    IncrementOperator::PreDecrement => format!("--{step}{place}"),
                    IncrementOperator::PostIncrement => format!("{place}++{step}"),
                    IncrementOperator::PostDecrement => format!("{place}--{step}"),
                }
            }
            ExprKind::Call { callee, arguments } => {
                let callee = match callee {
                    Callee::Function(id) => self.function_name(*id),
                    Callee::Pointer(pointer) => format!("(*{})", self.expr(pointer)),
                };
                format!("{callee}({})", self.list(arguments))
            }
            ExprKind::Builtin(name, arguments) => {
                format!("{}({}):{}", self.names.name(*name), self.list(arguments), self.ty(expr.ty))
            }
            ExprKind::StatementExpr(statement, value) => self.statement_expression(statement, value.as_deref()),
            ExprKind::VaArg(list) => format!("va_arg({}, {})", self.expr(list), self.ty(expr.ty)),
            ExprKind::SizeOf(size) => format!("sizeof({})", self.size(size)),
            ExprKind::Unsupported(what) => format!("unsupported({what}):{}", self.ty(expr.ty)),
        }
    }

    fn list(&self, arguments: &[Expr]) -> String {
        arguments.iter().map(|argument| self.expr(argument)).collect::<Vec<_>>().join(", ")
    }

    fn statement_expression(&self, statement: &Statement, value: Option<&Expr>) -> String {
        let mut inner = Printer { out: String::new(), indent: 0, ..*self };
        inner.body_statement(statement);
        let statements = inner.out.trim_end().replace('\n', " ");
        let value = value.map_or(String::new(), |value| self.expr(value));
        format!("({{{statements} => {value}}})")
    }
}
