//! The operators of C on typed expressions: what `a + b` means for operands of given types. Reading builds with these,
//! and writing asks them whether a form would be read as the expression that is to be written; so what is written is
//! always read as it was.

use selvedge_program::{BinaryOp, Expr, UnaryOp};

use super::types::Type;

/// An expression with its type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Typed {
    /// The expression, with positions for registers.
    pub expr: Expr,
    /// Its type.
    pub of: Type,
    /// The number, where it is written as one: it takes the type of what it stands with.
    pub literal: Option<i128>,
}

impl Typed {
    /// An expression of a type.
    pub fn new(expr: Expr, of: Type) -> Typed {
        debug_assert_eq!(expr.width(), of.width);
        Typed { expr, of, literal: None }
    }

    /// A truth value.
    pub fn truth(expr: Expr) -> Typed {
        Typed::new(expr, Type::TRUTH)
    }

    /// A number: an `int` if it is one, else as wide as it needs.
    pub fn literal(number: i128) -> Typed {
        let candidates = [Type::INT, Type { width: 64, signed: true }, Type::unsigned(64)];
        let of = candidates.into_iter().find(|of| of.holds(number)).unwrap_or(Type { width: 128, signed: true });
        Typed { expr: Expr::signed(of.width, number), of, literal: Some(number) }
    }

    /// As a value of a type.
    pub fn converted(self, to: Type) -> Expr {
        match self.literal {
            Some(number) if to != Type::TRUTH && to.holds(number) => Expr::signed(to.width, number),
            _ => to.convert(self.of, self.expr),
        }
    }

    /// As a condition.
    pub fn condition(self) -> Expr {
        self.converted(Type::TRUTH)
    }
}

/// The operators that are written between two operands, by how they are written.
pub const OPERATORS: [(&str, u32, Infix); 18] = [
    ("||", 1, Infix::Either),
    ("&&", 2, Infix::Both),
    ("|", 3, Infix::Bits(BinaryOp::Or)),
    ("^", 4, Infix::Bits(BinaryOp::Xor)),
    ("&", 5, Infix::Bits(BinaryOp::And)),
    ("==", 6, Infix::Same),
    ("!=", 6, Infix::Different),
    ("<=", 7, Infix::AtMost),
    (">=", 7, Infix::AtLeast),
    ("<<", 8, Infix::Shift(BinaryOp::ShiftLeft)),
    (">>", 8, Infix::ShiftRight),
    ("<", 7, Infix::Less),
    (">", 7, Infix::Greater),
    ("+", 9, Infix::Arithmetic(BinaryOp::Add)),
    ("-", 9, Infix::Arithmetic(BinaryOp::Subtract)),
    ("*", 10, Infix::Arithmetic(BinaryOp::Multiply)),
    ("/", 10, Infix::Divide),
    ("%", 10, Infix::Remainder),
];

/// An operator that is written between two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Infix {
    /// `||`.
    Either,
    /// `&&`.
    Both,
    /// `==`.
    Same,
    /// `!=`.
    Different,
    /// `<`.
    Less,
    /// `>`.
    Greater,
    /// `<=`.
    AtMost,
    /// `>=`.
    AtLeast,
    /// `&`, `|`, `^`.
    Bits(BinaryOp),
    /// `+`, `-`, `*`.
    Arithmetic(BinaryOp),
    /// `<<`.
    Shift(BinaryOp),
    /// `>>`.
    ShiftRight,
    /// `/`.
    Divide,
    /// `%`.
    Remainder,
}

impl Infix {
    /// `left op right`.
    pub fn apply(self, left: Typed, right: Typed) -> Typed {
        match self {
            Infix::Either => Typed::truth(left.condition().or(right.condition())),
            Infix::Both => Typed::truth(left.condition().and(right.condition())),
            Infix::Same => Typed::truth(equal(left, right)),
            Infix::Different => Typed::truth(equal(left, right).not()),
            Infix::Less => Typed::truth(less(left, right)),
            Infix::Greater => Typed::truth(less(right, left)),
            Infix::AtMost => Typed::truth(less(right, left).not()),
            Infix::AtLeast => Typed::truth(less(left, right).not()),
            Infix::Bits(op) => {
                let (left, right, of) = balance(left, right, |of| of);
                Typed::new(Expr::binary(op, left, right), of)
            }
            Infix::Arithmetic(op) => {
                let (left, right, of) = balance(left, right, Type::promoted);
                Typed::new(Expr::binary(op, left, right), of)
            }
            Infix::Divide => divided(left, right, BinaryOp::DivideSigned, BinaryOp::DivideUnsigned),
            Infix::Remainder => divided(left, right, BinaryOp::RemainderSigned, BinaryOp::RemainderUnsigned),
            Infix::Shift(op) => shifted(left, right, |_| op),
            Infix::ShiftRight => {
                shifted(
                    left,
                    right,
                    |of| {
                        if of.signed { BinaryOp::ShiftRightSigned } else { BinaryOp::ShiftRightUnsigned }
                    },
                )
            }
        }
    }
}

/// `-value`.
pub fn negated(value: Typed) -> Typed {
    if let Some(number) = value.literal {
        return Typed::literal(-number);
    }
    let of = value.of.promoted();
    Typed::new(Expr::unary(UnaryOp::Negate, value.converted(of)), of)
}

/// `~value`.
pub fn complemented(value: Typed) -> Typed {
    let of = value.of.promoted();
    Typed::new(Expr::unary(UnaryOp::Not, value.converted(of)), of)
}

/// `condition ? then : otherwise`.
pub fn chosen(condition: Typed, then: Typed, otherwise: Typed) -> Typed {
    let (then, otherwise, of) = balance(then, otherwise, |of| of);
    Typed::new(Expr::if_then_else(condition.condition(), then, otherwise), of)
}

/// Both operands in their common type. A number takes the other's type if it is a value of it.
fn balance(left: Typed, right: Typed, promote: fn(Type) -> Type) -> (Expr, Expr, Type) {
    let (l, r) = (promote(left.of), promote(right.of));
    let of = match (left.literal, right.literal) {
        (Some(number), None) if r != Type::TRUTH && r.holds(number) => r,
        (None, Some(number)) if l != Type::TRUTH && l.holds(number) => l,
        _ => l.common(r),
    };
    (left.converted(of), right.converted(of), of)
}

fn equal(left: Typed, right: Typed) -> Expr {
    let (left, right, _) = balance(left, right, |of| of);
    Expr::equal(left, right)
}

fn less(left: Typed, right: Typed) -> Expr {
    let (left, right, of) = balance(left, right, |of| of);
    Expr::binary(if of.signed { BinaryOp::LessSigned } else { BinaryOp::LessUnsigned }, left, right)
}

fn divided(left: Typed, right: Typed, signed: BinaryOp, unsigned: BinaryOp) -> Typed {
    let (left, right, of) = balance(left, right, Type::promoted);
    Typed::new(Expr::binary(if of.signed { signed } else { unsigned }, left, right), of)
}

/// The left operand decides the type.
fn shifted(left: Typed, right: Typed, op: impl FnOnce(Type) -> BinaryOp) -> Typed {
    let of = left.of.promoted();
    Typed::new(Expr::binary(op(of), left.converted(of), right.converted(of)), of)
}
