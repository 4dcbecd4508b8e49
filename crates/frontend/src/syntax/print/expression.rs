//! Expressions as text.

use super::Printer;
use crate::syntax::ast::{
    BinaryOperator, Encoding, Expr, ExprKind, FloatSuffix, IncrementOperator, IntegerSuffix, LogicalOperator,
    TypeOrExpr, UnaryOperator,
};

impl Printer<'_> {
    pub(super) fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Identifier(name) => self.name(*name),
            ExprKind::Integer { value, suffix, is_decimal } => self.integer(*value, *suffix, *is_decimal),
            ExprKind::Float(value, suffix) => self.word(&format!("{value:?}{}", float_suffix(*suffix))),
            ExprKind::Character(value, encoding) => self.word(&format!("{}'{value}'", encoding_prefix(*encoding))),
            ExprKind::String(units, encoding) => {
                let characters = units.iter().map(|&unit| char::from_u32(unit).unwrap_or(char::REPLACEMENT_CHARACTER));
                self.quoted(encoding_prefix(*encoding), characters);
            }
            ExprKind::Parenthesized(inner) => self.operands("paren", &[inner]),
            ExprKind::Index(base, index) => self.operands("index", &[base, index]),
            ExprKind::Increment(operator, operand) => self.operands(increment_name(*operator), &[operand]),
            ExprKind::Unary(operator, operand) => self.operands(unary_name(*operator), &[operand]),
            ExprKind::Binary(operator, left, right) => self.operands(binary_name(*operator), &[left, right]),
            ExprKind::Logical(LogicalOperator::And, left, right) => self.operands("&&", &[left, right]),
            ExprKind::Logical(LogicalOperator::Or, left, right) => self.operands("||", &[left, right]),
            ExprKind::Comma(left, right) => self.operands(",", &[left, right]),
            ExprKind::ChooseExpr(condition, then, otherwise) => self.operands("choose", &[condition, then, otherwise]),
            ExprKind::Conditional(condition, Some(then), otherwise) => {
                self.operands("?", &[condition, then, otherwise])
            }
            ExprKind::Conditional(condition, None, otherwise) => self.operands("?:", &[condition, otherwise]),
            ExprKind::Assign(operator, left, right) => {
                let head = format!("{}=", operator.map_or("", binary_name));
                self.operands(&head, &[left, right]);
            }
            ExprKind::Call(callee, arguments) => self.list("call", |printer| {
                printer.expr(callee);
                arguments.iter().for_each(|argument| printer.expr(argument));
            }),
            ExprKind::StatementExpr(block) => self.list("statement-expression", |printer| printer.block(block)),
            _ => self.with_types_or_names(expr),
        }
    }

    fn with_types_or_names(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Member(base, name) => self.list(".", |printer| {
                printer.expr(base);
                printer.name(name.name);
            }),
            ExprKind::Arrow(base, name) => self.list("->", |printer| {
                printer.expr(base);
                printer.name(name.name);
            }),
            ExprKind::LabelAddress(label) => self.list("label-address", |printer| printer.name(label.name)),
            ExprKind::Cast(name, operand) => self.list("cast", |printer| {
                printer.type_name(name);
                printer.expr(operand);
            }),
            ExprKind::CompoundLiteral(name, items) => self.list("compound", |printer| {
                printer.type_name(name);
                printer.initializer_items(items);
            }),
            ExprKind::Sizeof(operand) => self.list("sizeof", |printer| printer.type_or_expr(operand)),
            ExprKind::Alignof(operand) | ExprKind::PreferredAlignof(operand) => {
                self.list("alignof", |printer| printer.type_or_expr(operand))
            }
            ExprKind::Generic(control, choices) => self.list("generic", |printer| {
                printer.expr(control);
                for (name, value) in choices {
                    match name {
                        Some(name) => printer.type_name(name),
                        None => printer.word("default"),
                    }
                    printer.expr(value);
                }
            }),
            ExprKind::VaArg(list, name) => self.list("va-arg", |printer| {
                printer.expr(list);
                printer.type_name(name);
            }),
            ExprKind::Offsetof(name, path) => self.list("offsetof", |printer| {
                printer.type_name(name);
                printer.designators(path);
            }),
            ExprKind::TypesCompatible(first, second) => self.list("types-compatible", |printer| {
                printer.type_name(first);
                printer.type_name(second);
            }),
            _ => {}
        }
    }

    fn operands(&mut self, head: &str, operands: &[&Expr]) {
        self.list(head, |printer| operands.iter().for_each(|operand| printer.expr(operand)));
    }

    fn type_or_expr(&mut self, operand: &TypeOrExpr) {
        match operand {
            TypeOrExpr::Type(name) => self.type_name(name),
            TypeOrExpr::Expr(operand) => self.expr(operand),
        }
    }

    fn integer(&mut self, value: u128, suffix: IntegerSuffix, is_decimal: bool) {
        let unsigned = if suffix.is_unsigned { "u" } else { "" };
        let long = ["", "l", "ll"][usize::from(suffix.longs.min(2))];
        let imaginary = if suffix.is_imaginary { "i" } else { "" };
        let digits = if is_decimal { format!("{value}") } else { format!("{value:#x}") };
        self.word(&format!("{digits}{unsigned}{long}{imaginary}"));
    }
}

fn encoding_prefix(encoding: Encoding) -> &'static str {
    match encoding {
        Encoding::Plain => "",
        Encoding::Utf8 => "u8",
        Encoding::Utf16 => "u",
        Encoding::Utf32 => "U",
        Encoding::Wide => "L",
    }
}

fn float_suffix(suffix: FloatSuffix) -> &'static str {
    match suffix {
        FloatSuffix::Double => "",
        FloatSuffix::Float => "f",
        FloatSuffix::LongDouble => "l",
        FloatSuffix::Other => "other",
    }
}

fn increment_name(operator: IncrementOperator) -> &'static str {
    match operator {
        IncrementOperator::PreIncrement => "++_",
        IncrementOperator::PreDecrement => "--_",
        IncrementOperator::PostIncrement => "_++",
        IncrementOperator::PostDecrement => "_--",
    }
}

fn unary_name(operator: UnaryOperator) -> &'static str {
    match operator {
        UnaryOperator::Plus => "plus",
        UnaryOperator::Minus => "minus",
        UnaryOperator::BitNot => "~",
        UnaryOperator::Not => "!",
        UnaryOperator::Dereference => "dereference",
        UnaryOperator::AddressOf => "address",
        UnaryOperator::Real => "__real__",
        UnaryOperator::Imaginary => "__imag__",
    }
}

fn binary_name(operator: BinaryOperator) -> &'static str {
    match operator {
        BinaryOperator::Multiply => "*",
        BinaryOperator::Divide => "/",
        BinaryOperator::Remainder => "%",
        BinaryOperator::Add => "+",
        BinaryOperator::Subtract => "-",
        BinaryOperator::ShiftLeft => "<<",
        BinaryOperator::ShiftRight => ">>",
        BinaryOperator::Less => "<",
        BinaryOperator::Greater => ">",
        BinaryOperator::LessEqual => "<=",
        BinaryOperator::GreaterEqual => ">=",
        BinaryOperator::Equal => "==",
        BinaryOperator::NotEqual => "!=",
        BinaryOperator::BitAnd => "&",
        BinaryOperator::BitXor => "^",
        BinaryOperator::BitOr => "|",
    }
}
