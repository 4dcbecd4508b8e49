//! Writing predicates, so that they are read as they were.
//!
//! An operator is written as in C where the reader would make the same expression of it, conversions included; else
//! under its own name.

use selvedge_program::{Base, BinaryOp, Bits, Expr, Program, UnaryOp};

use super::exact::{BINARY, CONVERSIONS, UNARY};
use super::infix::{self, Infix, OPERATORS, Typed};
use super::types::{self, Type};
use super::{Moment, Root, Timed, names};

/// How tightly a text binds: operators from 1 to 10, then prefixes, then what stands for itself.
const PREFIX: u32 = 11;
const ATOM: u32 = 12;

/// A text with what it is read as.
#[derive(Clone)]
struct Shown {
    text: String,
    binds: u32,
    typed: Typed,
}

impl Shown {
    fn atom(text: String, typed: Typed) -> Shown {
        Shown { text, binds: ATOM, typed }
    }

    /// The text as an operand of something that binds so tightly.
    fn within(&self, binds: u32) -> String {
        if self.binds < binds { format!("({})", self.text) } else { self.text.clone() }
    }
}

/// The text of a condition whose registers are positions in a table of variables.
pub fn print(program: &Program, variables: &[Timed], condition: &Expr) -> String {
    Printer { program, variables }.show(condition).text
}

struct Printer<'a> {
    program: &'a Program,
    variables: &'a [Timed],
}

impl Printer<'_> {
    fn show(&self, expr: &Expr) -> Shown {
        match expr {
            Expr::Constant(bits) => constant(*bits),
            Expr::Register(register, _) => {
                let (variable, moment) = self.variables[register.index()];
                let of = types::of_variable(self.program, variable);
                let prime = if moment == Moment::After { "'" } else { "" };
                let name = names::variable(self.program, variable);
                Shown::atom(format!("{name}{prime}"), Typed::new(expr.clone(), of))
            }
            Expr::Address(base, width) => {
                let text = match base {
                    Base::Object(object) => format!("&{}", names::object_name(self.program, *object)),
                    Base::Function(function) => format!("&{}", names::function_name(self.program, *function)),
                    Base::SelfThread => "self".to_owned(),
                    Base::Frame(local) => format!("&#{}", local.index()),
                };
                Shown::atom(text, Typed::new(expr.clone(), Type::unsigned(*width)))
            }
            Expr::Unary(op, operand) => self.unary(expr, *op, operand),
            Expr::Binary(op, left, right) => self.binary(expr, *op, left, right),
            Expr::Convert(conversion, width, operand) => {
                let name =
                    CONVERSIONS.iter().find(|(_, named)| named == conversion).map_or("convert", |(name, _)| name);
                self.named(&format!("{name}({width}, "), &[operand], expr, *width)
            }
            Expr::IfThenElse(condition, then, otherwise) => self.choice(expr, condition, then, otherwise),
        }
    }

    fn unary(&self, expr: &Expr, op: UnaryOp, operand: &Expr) -> Shown {
        if op == UnaryOp::Not && operand.width() == 1 {
            return self.negation(expr, operand);
        }
        let (sign, read): (&str, fn(Typed) -> Typed) = match op {
            UnaryOp::Negate => ("-", infix::negated),
            _ => ("~", infix::complemented),
        };
        for operand in self.forms(operand) {
            let typed = read(operand.typed.clone());
            if typed.expr == *expr && operand.typed.literal.is_none() {
                return Shown { text: format!("{sign}{}", operand.within(PREFIX)), binds: PREFIX, typed };
            }
        }
        let name = UNARY.iter().find(|(_, named)| *named == op).map_or("operator", |(name, _)| name);
        self.named(&format!("{name}("), &[operand], expr, expr.width())
    }

    /// `a != b` and `a >= b` rather than `!(a == b)` and `!(a < b)`.
    fn negation(&self, expr: &Expr, operand: &Expr) -> Shown {
        if let Expr::Binary(op, left, right) = operand {
            let shown = match op {
                BinaryOp::Equal => self.infix(expr, "!=", left, right),
                BinaryOp::LessUnsigned | BinaryOp::LessSigned => self
                    .infix(expr, ">=", left, right)
                    .filter(|_| !matches!(**left, Expr::Constant(_)))
                    .or_else(|| self.infix(expr, "<=", right, left)),
                _ => None,
            };
            if let Some(shown) = shown {
                return shown;
            }
        }
        let shown = self.show(operand);
        let typed = Typed::truth(shown.typed.clone().condition().not());
        Shown { text: format!("!{}", shown.within(PREFIX)), binds: PREFIX, typed }
    }

    fn binary(&self, expr: &Expr, op: BinaryOp, left: &Expr, right: &Expr) -> Shown {
        if let Some(shown) = self.place(expr) {
            return shown;
        }
        let truths = left.width() == 1;
        let sign = match op {
            BinaryOp::Or if truths => "||",
            BinaryOp::And if truths => "&&",
            BinaryOp::Or => "|",
            BinaryOp::Xor => "^",
            BinaryOp::And => "&",
            BinaryOp::Equal => "==",
            BinaryOp::LessUnsigned | BinaryOp::LessSigned => {
                let greater = || self.infix(expr, ">", right, left);
                let shown = match left {
                    Expr::Constant(_) => greater(),
                    _ => self.infix(expr, "<", left, right).or_else(greater),
                };
                return shown.unwrap_or_else(|| self.exact(expr, op, left, right));
            }
            BinaryOp::ShiftLeft => "<<",
            BinaryOp::ShiftRightUnsigned | BinaryOp::ShiftRightSigned => ">>",
            BinaryOp::Add => {
                return self.sum(expr, left, right).unwrap_or_else(|| self.exact(expr, op, left, right));
            }
            BinaryOp::Subtract => "-",
            BinaryOp::Multiply => "*",
            BinaryOp::DivideUnsigned | BinaryOp::DivideSigned => "/",
            BinaryOp::RemainderUnsigned | BinaryOp::RemainderSigned => "%",
            _ => return self.exact(expr, op, left, right),
        };
        self.infix(expr, sign, left, right).unwrap_or_else(|| self.exact(expr, op, left, right))
    }

    /// `x - 1` rather than `x + -1`.
    fn sum(&self, expr: &Expr, left: &Expr, right: &Expr) -> Option<Shown> {
        if let Expr::Constant(bits) = right
            && bits.as_signed() < 0
        {
            let positive = Expr::Constant(UnaryOp::Negate.apply(*bits));
            if let Some(shown) = self.infix(expr, "-", left, &positive) {
                return Some(shown);
            }
        }
        self.infix(expr, "+", left, right)
    }

    /// The address of a part of an object.
    fn place(&self, expr: &Expr) -> Option<Shown> {
        let Expr::Binary(BinaryOp::Add, base, offset) = expr else { return None };
        let (Expr::Address(Base::Object(object), width), Expr::Constant(offset)) = (&**base, &**offset) else {
            return None;
        };
        // What is before or behind the object is no part of it.
        let offset = u64::try_from(offset.unsigned()).ok().filter(|at| *at <= self.program.object(*object).size)?;
        let text = names::part(self.program, Root::Static(*object), offset);
        Some(Shown::atom(format!("&{text}"), Typed::new(expr.clone(), Type::unsigned(*width))))
    }

    /// `left sign right`, if that is read as the expression.
    fn infix(&self, expr: &Expr, sign: &str, left: &Expr, right: &Expr) -> Option<Shown> {
        let (_, binds, operator) = OPERATORS.iter().find(|(written, ..)| *written == sign)?;
        let (lefts, rights) = (self.forms(left), self.forms(right));
        for left in &lefts {
            for right in &rights {
                let typed = operator.apply(left.typed.clone(), right.typed.clone());
                if typed.expr == *expr {
                    // What is grouped from the left needs no parentheses there.
                    let (before, after) = loosest(*operator, *binds);
                    let text = format!("{} {sign} {}", left.within(before), right.within(after));
                    return Some(Shown { text, binds: *binds, typed });
                }
            }
        }
        None
    }

    /// The ways to write an operand: without a conversion that the operator may make by itself, and as it is.
    fn forms(&self, operand: &Expr) -> Vec<Shown> {
        let mut forms = Vec::new();
        if let Expr::Convert(_, _, inner) = operand {
            forms.push(self.show(inner));
        }
        if let Expr::Constant(bits) = operand
            && bits.width() > 1
        {
            forms.extend(i128::try_from(bits.unsigned()).ok().map(number));
            forms.push(number(bits.as_signed()));
        }
        forms.push(self.show(operand));
        forms
    }

    fn choice(&self, expr: &Expr, condition: &Expr, then: &Expr, otherwise: &Expr) -> Shown {
        let condition_shown = self.show(condition);
        for then in self.forms(then) {
            for otherwise in self.forms(otherwise) {
                let typed = infix::chosen(condition_shown.typed.clone(), then.typed.clone(), otherwise.typed.clone());
                if typed.expr == *expr {
                    let (a, b, c) = (condition_shown.within(1), then.within(1), otherwise.within(1));
                    return Shown { text: format!("{a} ? {b} : {c}"), binds: 0, typed };
                }
            }
        }
        self.named("ite(", &[condition, then, otherwise], expr, expr.width())
    }

    fn exact(&self, expr: &Expr, op: BinaryOp, left: &Expr, right: &Expr) -> Shown {
        let name = BINARY.iter().find(|(_, named)| *named == op).map_or("operator", |(name, _)| name);
        self.named(&format!("{name}("), &[left, right], expr, expr.width())
    }

    /// An operator under its own name.
    fn named(&self, begin: &str, operands: &[&Expr], expr: &Expr, width: u32) -> Shown {
        let shown: Vec<String> = operands.iter().map(|operand| self.show(operand).text).collect();
        Shown::atom(format!("{begin}{})", shown.join(", ")), Typed::new(expr.clone(), Type::unsigned(width)))
    }
}

/// How tightly the operands of an operator must bind. Comparisons of comparisons are not written without parentheses.
fn loosest(operator: Infix, binds: u32) -> (u32, u32) {
    match operator {
        Infix::Same | Infix::Different | Infix::Less | Infix::Greater | Infix::AtMost | Infix::AtLeast => (8, 8),
        _ => (binds, binds + 1),
    }
}

/// A constant with its width: a number alone would take the type of what it stands with.
fn constant(bits: Bits) -> Shown {
    if bits.width() == 1 {
        let text = if bits.is_zero() { "false" } else { "true" };
        return Shown::atom(text.to_owned(), Typed::truth(Expr::Constant(bits)));
    }
    let typed = Typed::new(Expr::Constant(bits), Type::unsigned(bits.width()));
    Shown::atom(format!("bits({}, {})", bits.width(), bits.unsigned()), typed)
}

fn number(number: i128) -> Shown {
    let binds = if number < 0 { PREFIX } else { ATOM };
    Shown { text: number.to_string(), binds, typed: Typed::literal(number) }
}
