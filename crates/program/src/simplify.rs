//! The rules by which the constructors of expressions simplify.
//!
//! Every rule keeps the value, and keeps undefinedness exactly: a subexpression is dropped only when it cannot be
//! undefined, and a constant operation that is undefined (`x / 0`, an oversized shift) stays as it is. A rule looks at
//! the top of its operands only, or compares two operands with each other, so that building an expression of size n
//! costs about n log n.

use crate::{Base, BinaryOp, Bits, Conversion, Expr, UnaryOp};

impl Expr {
    /// Whether no values of the registers make the expression undefined (pointer comparisons aside, which only the
    /// concrete semantics judges). May say no where the answer is yes.
    pub fn is_always_defined(&self) -> bool {
        match self {
            Expr::Constant(_) | Expr::Register(..) | Expr::Address(..) => true,
            Expr::Unary(_, operand) => operand.is_always_defined(),
            Expr::Binary(op, left, right) => {
                (!op.can_be_undefined() || divides_or_shifts_well(*op, right))
                    && left.is_always_defined()
                    && right.is_always_defined()
            }
            Expr::Convert(conversion, _, operand) => !conversion.can_be_undefined() && operand.is_always_defined(),
            Expr::IfThenElse(condition, then, otherwise) => {
                condition.is_always_defined() && then.is_always_defined() && otherwise.is_always_defined()
            }
        }
    }

    /// The expression built anew by the constructors.
    pub fn simplified(&self) -> Expr {
        match self {
            Expr::Constant(_) | Expr::Register(..) | Expr::Address(..) => self.clone(),
            Expr::Unary(op, operand) => unary(*op, operand.simplified()),
            Expr::Binary(op, left, right) => binary(*op, left.simplified(), right.simplified()),
            Expr::Convert(conversion, width, operand) => convert(*conversion, *width, operand.simplified()),
            Expr::IfThenElse(condition, then, otherwise) => {
                if_then_else(condition.simplified(), then.simplified(), otherwise.simplified())
            }
        }
    }
}

/// Whether a constant right operand excludes every undefined case of a division, remainder or shift.
fn divides_or_shifts_well(op: BinaryOp, right: &Expr) -> bool {
    let Expr::Constant(right) = right else { return false };
    match op {
        BinaryOp::DivideUnsigned | BinaryOp::RemainderUnsigned => !right.is_zero(),
        BinaryOp::DivideSigned | BinaryOp::RemainderSigned => !right.is_zero() && !right.is_ones(),
        _ => right.unsigned() < u128::from(right.width()),
    }
}

pub(crate) fn unary(op: UnaryOp, operand: Expr) -> Expr {
    match operand {
        Expr::Constant(bits) => Expr::Constant(op.apply(bits)),
        Expr::Unary(UnaryOp::StartOf, _) if op == UnaryOp::StartOf => operand,
        Expr::Unary(inner, operand) if inner == op => *operand,
        operand => Expr::Unary(op, Box::new(operand)),
    }
}

pub(crate) fn binary(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    let (left, right) = match (left, right) {
        (Expr::Constant(l), Expr::Constant(r)) => match op.apply(l, r) {
            Ok(value) => return Expr::Constant(value),
            Err(_) => return raw(op, Expr::Constant(l), Expr::Constant(r)),
        },
        (left @ Expr::Constant(_), right) if op.is_commutative() => (right, left),
        operands => operands,
    };
    if let Expr::Constant(constant) = right {
        return with_constant(op, left, constant);
    }
    if left == right
        && let Some(value) = of_equals(op, left.width())
    {
        return match value {
            OfEquals::Operand => left,
            OfEquals::Constant(value) => in_place_of(left, value).unwrap_or_else(|left| raw(op, left, right)),
        };
    }
    if op == BinaryOp::Equal {
        return equal(left, right);
    }
    raw(op, left, right)
}

fn raw(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    Expr::Binary(op, Box::new(left), Box::new(right))
}

/// A constant instead of an expression, or the expression itself if dropping it could lose undefinedness.
fn in_place_of(dropped: Expr, value: Bits) -> Result<Expr, Expr> {
    if dropped.is_always_defined() { Ok(Expr::Constant(value)) } else { Err(dropped) }
}

enum OfEquals {
    Operand,
    Constant(Bits),
}

/// What `x op x` is, where that is always the same.
fn of_equals(op: BinaryOp, width: u32) -> Option<OfEquals> {
    match op {
        BinaryOp::And | BinaryOp::Or => Some(OfEquals::Operand),
        BinaryOp::Subtract | BinaryOp::Xor => Some(OfEquals::Constant(Bits::new(width, 0))),
        BinaryOp::Equal => Some(OfEquals::Constant(Bits::bool(true))),
        BinaryOp::LessUnsigned | BinaryOp::LessSigned => Some(OfEquals::Constant(Bits::bool(false))),
        _ => None,
    }
}

/// `left op constant`, where left is no constant.
fn with_constant(op: BinaryOp, left: Expr, constant: Bits) -> Expr {
    let width = constant.width();
    let zero = Bits::new(width, 0);
    let one = Bits::new(width, 1);
    let replacement = match op {
        BinaryOp::Add => return plus_constant(left, constant),
        BinaryOp::Subtract => return plus_constant(left, UnaryOp::Negate.apply(constant)),
        BinaryOp::Equal => return equal_to_constant(left, constant),
        BinaryOp::Or | BinaryOp::Xor if constant.is_zero() => return left,
        BinaryOp::ShiftLeft | BinaryOp::ShiftRightUnsigned | BinaryOp::ShiftRightSigned if constant.is_zero() => {
            return left;
        }
        BinaryOp::And if constant.is_ones() => return left,
        BinaryOp::Multiply if constant == one => return left,
        BinaryOp::DivideUnsigned if constant == one => return left,
        BinaryOp::DivideSigned if constant == one && width > 1 => return left,
        BinaryOp::Xor if constant.is_ones() => return unary(UnaryOp::Not, left),
        BinaryOp::And | BinaryOp::Multiply if constant.is_zero() => Some(zero),
        BinaryOp::Or if constant.is_ones() => Some(constant),
        BinaryOp::RemainderUnsigned if constant == one => Some(zero),
        BinaryOp::RemainderSigned if constant == one && width > 1 => Some(zero),
        BinaryOp::LessUnsigned if constant.is_zero() => Some(Bits::bool(false)),
        _ => None,
    };
    let right = Expr::Constant(constant);
    match replacement {
        Some(value) => in_place_of(left, value).unwrap_or_else(|left| raw(op, left, right)),
        None => raw(op, left, right),
    }
}

/// `left + constant`, adding up constants.
fn plus_constant(left: Expr, constant: Bits) -> Expr {
    if constant.is_zero() {
        return left;
    }
    match left {
        Expr::Binary(BinaryOp::Add, base, addend) => match *addend {
            Expr::Constant(addend) => {
                let sum = addend.unsigned().wrapping_add(constant.unsigned());
                plus_constant(*base, Bits::new(constant.width(), sum))
            }
            addend => raw(BinaryOp::Add, raw(BinaryOp::Add, *base, addend), Expr::Constant(constant)),
        },
        left => raw(BinaryOp::Add, left, Expr::Constant(constant)),
    }
}

/// `left == right`, neither a constant.
fn equal(left: Expr, right: Expr) -> Expr {
    match (left, right) {
        (Expr::Convert(a, _, left), Expr::Convert(b, _, right))
            if a == b
                && matches!(a, Conversion::ZeroExtend | Conversion::SignExtend)
                && left.width() == right.width() =>
        {
            binary(BinaryOp::Equal, *left, *right)
        }
        (left, right) => raw(BinaryOp::Equal, left, right),
    }
}

/// `left == constant`.
fn equal_to_constant(left: Expr, constant: Bits) -> Expr {
    if constant.width() == 1 {
        return if constant.is_zero() { unary(UnaryOp::Not, left) } else { left };
    }
    match left {
        Expr::Convert(conversion @ (Conversion::ZeroExtend | Conversion::SignExtend), width, inner) => {
            let narrow = Bits::new(inner.width(), constant.unsigned());
            if conversion.apply(width, narrow) == Ok(constant) {
                return binary(BinaryOp::Equal, *inner, Expr::Constant(narrow));
            }
            in_place_of(*inner, Bits::bool(false)).unwrap_or_else(|inner| {
                raw(BinaryOp::Equal, Expr::Convert(conversion, width, Box::new(inner)), Expr::Constant(constant))
            })
        }
        Expr::Unary(op @ (UnaryOp::Not | UnaryOp::Negate), inner) => {
            binary(BinaryOp::Equal, *inner, Expr::Constant(op.apply(constant)))
        }
        Expr::Address(Base::Object(_) | Base::Frame(_) | Base::Function(_) | Base::SelfThread, _)
            if constant.is_zero() =>
        {
            Expr::falsehood()
        }
        Expr::IfThenElse(condition, then, otherwise) => match (*then, *otherwise) {
            (Expr::Constant(then), Expr::Constant(otherwise)) => if_then_else(
                *condition,
                Expr::Constant(Bits::bool(then == constant)),
                Expr::Constant(Bits::bool(otherwise == constant)),
            ),
            (then, otherwise) => raw(
                BinaryOp::Equal,
                Expr::IfThenElse(condition, Box::new(then), Box::new(otherwise)),
                Expr::Constant(constant),
            ),
        },
        left => raw(BinaryOp::Equal, left, Expr::Constant(constant)),
    }
}

pub(crate) fn convert(conversion: Conversion, width: u32, operand: Expr) -> Expr {
    use Conversion::{SignExtend, Truncate, ZeroExtend};
    let keeps = matches!(conversion, ZeroExtend | SignExtend | Truncate);
    if keeps && operand.width() == width {
        return operand;
    }
    match (conversion, operand) {
        (_, Expr::Constant(bits)) => match conversion.apply(width, bits) {
            Ok(value) => Expr::Constant(value),
            Err(_) => Expr::Convert(conversion, width, Box::new(Expr::Constant(bits))),
        },
        (ZeroExtend | SignExtend, Expr::Convert(ZeroExtend, _, inner)) => convert(ZeroExtend, width, *inner),
        (SignExtend, Expr::Convert(SignExtend, _, inner)) => convert(SignExtend, width, *inner),
        (Truncate, Expr::Convert(Truncate, _, inner)) => convert(Truncate, width, *inner),
        (Truncate, Expr::Convert(extension @ (ZeroExtend | SignExtend), _, inner)) => {
            let narrower = if inner.width() < width { extension } else { Truncate };
            convert(narrower, width, *inner)
        }
        (conversion, operand) => Expr::Convert(conversion, width, Box::new(operand)),
    }
}

pub(crate) fn if_then_else(condition: Expr, then: Expr, otherwise: Expr) -> Expr {
    match condition {
        Expr::Constant(condition) => {
            if condition.is_zero() {
                otherwise
            } else {
                then
            }
        }
        Expr::Unary(UnaryOp::Not, condition) => if_then_else(*condition, otherwise, then),
        condition => match (then, otherwise) {
            (Expr::Constant(then), Expr::Constant(otherwise)) if then != otherwise => {
                choice_of_constants(condition, then, otherwise)
            }
            (then, otherwise) if then == otherwise && condition.is_always_defined() => then,
            (then, otherwise) => Expr::IfThenElse(Box::new(condition), Box::new(then), Box::new(otherwise)),
        },
    }
}

/// `condition ? then : otherwise` for different constants: a condition as a number, where they are 0 and 1.
fn choice_of_constants(condition: Expr, then: Bits, otherwise: Bits) -> Expr {
    let width = then.width();
    match (then.unsigned(), otherwise.unsigned()) {
        (1, 0) => convert(Conversion::ZeroExtend, width, condition),
        (0, 1) => convert(Conversion::ZeroExtend, width, unary(UnaryOp::Not, condition)),
        _ => Expr::IfThenElse(Box::new(condition), Box::new(Expr::Constant(then)), Box::new(Expr::Constant(otherwise))),
    }
}
