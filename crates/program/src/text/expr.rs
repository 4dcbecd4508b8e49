//! Expressions and places, with C's operators and as few parentheses as C's precedences allow.
//!
//! Where C decides by the type, the operator says it: `<u` and `/u` are unsigned, `+f` is floating point.

use crate::text::names::Names;
use crate::{Base, BinaryOp, Bits, Conversion, Expr, FloatFormat, Place, UnaryOp};

/// How tightly an operator binds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Conditional,
    LogicalOr,
    LogicalAnd,
    Or,
    Xor,
    And,
    Equality,
    Relation,
    Shift,
    Sum,
    Product,
    Unary,
    Primary,
}

impl Level {
    /// The next tighter level, for the right operand of an operator that groups to the left.
    fn tighter(self) -> Level {
        use Level::*;
        match self {
            Conditional => LogicalOr,
            LogicalOr => LogicalAnd,
            LogicalAnd => Or,
            Or => Xor,
            Xor => And,
            And => Equality,
            Equality => Relation,
            Relation => Shift,
            Shift => Sum,
            Sum => Product,
            Product => Unary,
            Unary | Primary => Primary,
        }
    }
}

impl Names<'_> {
    /// The text of an expression.
    pub fn expr(&self, expr: &Expr) -> String {
        self.at_level(expr, Level::Conditional)
    }

    fn at_level(&self, expr: &Expr, wanted: Level) -> String {
        let (text, level) = self.with_level(expr);
        if level < wanted { format!("({text})") } else { text }
    }

    fn with_level(&self, expr: &Expr) -> (String, Level) {
        if let Some((base, offset)) = static_address(expr) {
            return self.address(base, offset);
        }
        match expr {
            Expr::Constant(bits) => constant(*bits),
            Expr::Register(register, _) => (self.register(*register), Level::Primary),
            Expr::Address(base, _) => self.address(*base, 0),
            Expr::Unary(op, operand) => self.unary(*op, operand),
            Expr::Binary(op, left, right) => self.binary(*op, left, right),
            Expr::Convert(conversion, width, operand) => {
                (format!("{}({})", conversion_name(*conversion, *width), self.expr(operand)), Level::Primary)
            }
            Expr::IfThenElse(condition, then, otherwise) => {
                let condition = self.at_level(condition, Level::LogicalOr);
                let then = self.at_level(then, Level::LogicalOr);
                (format!("{condition} ? {then} : {}", self.expr(otherwise)), Level::Conditional)
            }
        }
    }

    fn address(&self, base: Base, offset: u64) -> (String, Level) {
        let name = self.base(base);
        if base == Base::SelfThread && offset == 0 {
            return (name, Level::Primary);
        }
        match self.shape(base).and_then(|shape| shape.path(offset, 0)) {
            Some(path) => (format!("&{name}{path}"), Level::Unary),
            None if offset == 0 => (format!("&{name}"), Level::Unary),
            None => (format!("&{name} + {offset}"), Level::Sum),
        }
    }

    fn unary(&self, op: UnaryOp, operand: &Expr) -> (String, Level) {
        let sign = match op {
            UnaryOp::Negate => "-",
            UnaryOp::FloatNegate(_) => "-f ",
            UnaryOp::StartOf => "start of ",
            UnaryOp::IsWithin => "within its object: ",
            UnaryOp::Not if operand.width() > 1 => "~",
            UnaryOp::Not => match operand {
                Expr::Binary(BinaryOp::Equal, left, right) => return self.equality("!=", left, right),
                Expr::Binary(BinaryOp::LessSigned, left, right) => {
                    return self.infix(">=", Level::Relation, left, right);
                }
                Expr::Binary(BinaryOp::LessUnsigned, left, right) => {
                    return self.infix(">=u", Level::Relation, left, right);
                }
                _ => "!",
            },
        };
        (format!("{sign}{}", self.at_level(operand, Level::Unary)), Level::Unary)
    }

    fn binary(&self, op: BinaryOp, left: &Expr, right: &Expr) -> (String, Level) {
        if let (BinaryOp::Add, Expr::Constant(bits)) = (op, right)
            && bits.width() > 1
            && (-0x8000_0000..0).contains(&bits.as_signed())
        {
            let left = self.at_level(left, Level::Sum);
            return (format!("{left} - {}", bits.as_signed().unsigned_abs()), Level::Sum);
        }
        let truth = left.width() == 1;
        let (sign, level) = match op {
            BinaryOp::Add => ("+", Level::Sum),
            BinaryOp::Subtract => ("-", Level::Sum),
            BinaryOp::Multiply => ("*", Level::Product),
            BinaryOp::DivideUnsigned => ("/u", Level::Product),
            BinaryOp::DivideSigned => ("/", Level::Product),
            BinaryOp::RemainderUnsigned => ("%u", Level::Product),
            BinaryOp::RemainderSigned => ("%", Level::Product),
            BinaryOp::And if truth => ("&&", Level::LogicalAnd),
            BinaryOp::And => ("&", Level::And),
            BinaryOp::Or if truth => ("||", Level::LogicalOr),
            BinaryOp::Or => ("|", Level::Or),
            BinaryOp::Xor => ("^", Level::Xor),
            BinaryOp::ShiftLeft => ("<<", Level::Shift),
            BinaryOp::ShiftRightUnsigned => (">>u", Level::Shift),
            BinaryOp::ShiftRightSigned => (">>", Level::Shift),
            BinaryOp::Equal => return self.equality("==", left, right),
            BinaryOp::LessUnsigned => ("<u", Level::Relation),
            BinaryOp::LessSigned => ("<", Level::Relation),
            BinaryOp::FloatAdd(_) => ("+f", Level::Sum),
            BinaryOp::FloatSubtract(_) => ("-f", Level::Sum),
            BinaryOp::FloatMultiply(_) => ("*f", Level::Product),
            BinaryOp::FloatDivide(_) => ("/f", Level::Product),
            BinaryOp::FloatEqual(_) => ("==f", Level::Equality),
            BinaryOp::FloatLess(_) => ("<f", Level::Relation),
            BinaryOp::FloatLessEqual(_) => ("<=f", Level::Relation),
        };
        if let Some(format) = op.float_format() {
            return self.float_infix(sign, level, format, left, right);
        }
        self.infix(sign, level, left, right)
    }

    fn infix(&self, sign: &str, level: Level, left: &Expr, right: &Expr) -> (String, Level) {
        let left = self.at_level(left, level);
        let right = self.at_level(right, level.tighter());
        (format!("{left} {sign} {right}"), level)
    }

    fn float_infix(&self, sign: &str, level: Level, format: FloatFormat, left: &Expr, right: &Expr) -> (String, Level) {
        let operand = |expr: &Expr, level| match expr {
            Expr::Constant(bits) => format!("{:?}", bits.as_float(format)),
            expr => self.at_level(expr, level),
        };
        (format!("{} {sign} {}", operand(left, level), operand(right, level.tighter())), level)
    }

    /// `==` or `!=`, with `null` for the zero that a pointer is compared to.
    fn equality(&self, sign: &str, left: &Expr, right: &Expr) -> (String, Level) {
        let pointer = match left {
            Expr::Register(register, _) => self.is_pointer(*register),
            Expr::Address(..) => true,
            _ => false,
        };
        match right {
            Expr::Constant(bits) if pointer && bits.is_zero() => {
                (format!("{} {sign} null", self.at_level(left, Level::Equality)), Level::Equality)
            }
            _ => self.infix(sign, Level::Equality, left, right),
        }
    }

    /// The text of a place: `queue.head:8`, `*p:4`, `m.owner`.
    pub fn place(&self, place: &Place) -> String {
        match place {
            Place::Memory { address, size, .. } => match static_address(address) {
                Some((base, offset)) => format!("{}:{size}", self.part(base, offset, *size)),
                None => format!("*{}:{size}", self.at_level(address, Level::Unary)),
            },
            Place::Ghost { field: field @ crate::GhostField::NextKey, .. } => field.name().to_owned(),
            Place::Ghost { address, field } => match static_address(address) {
                Some((base, offset)) => format!("{}.{}", self.part(base, offset, 0), field.name()),
                None => format!("{}->{}", self.at_level(address, Level::Primary), field.name()),
            },
        }
    }

    fn part(&self, base: Base, offset: u64, size: u32) -> String {
        let name = self.base(base);
        match self.shape(base).and_then(|shape| shape.path(offset, size)) {
            Some(path) => name + &path,
            None if offset == 0 => name,
            None => format!("{name}+{offset}"),
        }
    }
}

/// The base and the offset of an address that is known but for where the base lies.
fn static_address(expr: &Expr) -> Option<(Base, u64)> {
    match expr {
        Expr::Address(base, _) => Some((*base, 0)),
        Expr::Binary(BinaryOp::Add, left, right) => match (&**left, &**right) {
            (Expr::Address(base, _), Expr::Constant(offset)) if offset.as_signed() > 0 => {
                Some((*base, offset.unsigned() as u64))
            }
            _ => None,
        },
        _ => None,
    }
}

/// Signed decimal for numbers of moderate size, hexadecimal for masks and the like.
fn constant(bits: Bits) -> (String, Level) {
    let signed = bits.as_signed();
    match bits.width() {
        1 => (if bits.is_zero() { "false" } else { "true" }.to_owned(), Level::Primary),
        _ if (0..1 << 32).contains(&signed) => (signed.to_string(), Level::Primary),
        _ if (-0x8000_0000..0).contains(&signed) => (signed.to_string(), Level::Unary),
        _ => (format!("{:#x}", bits.unsigned()), Level::Primary),
    }
}

fn conversion_name(conversion: Conversion, width: u32) -> String {
    match conversion {
        Conversion::ZeroExtend => format!("zext{width}"),
        Conversion::SignExtend => format!("sext{width}"),
        Conversion::Truncate => format!("trunc{width}"),
        Conversion::UnsignedToFloat(_) => format!("utof{width}"),
        Conversion::SignedToFloat(_) => format!("itof{width}"),
        Conversion::FloatToUnsigned(_) => format!("ftou{width}"),
        Conversion::FloatToSigned(_) => format!("ftoi{width}"),
        Conversion::FloatToFloat(_) => format!("ftof{width}"),
    }
}
