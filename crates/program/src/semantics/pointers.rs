//! What can be computed with pointers without knowing where objects lie.
//!
//! An object lies at an address that is a multiple of its alignment, above the first and below the last 4096 addresses;
//! nothing else is known of it. What follows from that is computed; `<` and `-` across objects are undefined; the rest
//! would depend on the numeric address and is not supported.

use std::cmp::Ordering;

use crate::semantics::eval::Evaluator;
use crate::semantics::names;
use crate::semantics::outcome::Outcome;
use crate::semantics::value::{Instance, Pointer, Value};
use crate::{BinaryOp, Bits, Conversion, UnaryOp};

/// No object lies below this address, nor in as many addresses at the upper end: null plus a small offset stays
/// invalid.
pub const NULL_PAGE: u128 = 4096;

/// The complaint about an operation that needs the number behind a value.
pub(super) fn unsupported(evaluator: &Evaluator<'_>, value: &Value) -> Outcome {
    Outcome::Unsupported(match value {
        Value::Bits(_) => "an operation on a number and an address".to_owned(),
        Value::Pointer(pointer) => {
            let name = names::object(evaluator.program, evaluator.state, pointer.object);
            format!("a value that depends on the numeric address of `{name}`")
        }
        Value::Raw(_) => "arithmetic on a part of a pointer or on an indeterminate value".to_owned(),
    })
}

/// An operator on a value that is no number.
pub(super) fn unary(evaluator: &Evaluator<'_>, op: UnaryOp, value: &Value) -> Result<Value, Outcome> {
    match (op, value) {
        (UnaryOp::StartOf, Value::Pointer(pointer)) => Ok(Value::to_start_of(pointer.object)),
        (UnaryOp::IsWithin, Value::Pointer(pointer)) => {
            let size = match pointer.object {
                Instance::Thread(_) | Instance::Function(_) => Some(0),
                object => evaluator.state.memory().block(object).map(|block| block.contents.size()),
            };
            let name = || names::object(evaluator.program, evaluator.state, pointer.object);
            size.map(|size| Value::Bits(Bits::bool(pointer.offset <= size)))
                .ok_or_else(|| Outcome::Unsupported(format!("the bounds of `{}`, whose life has ended", name())))
        }
        _ => Err(unsupported(evaluator, value)),
    }
}

/// An operator on two values of a width that are not both numbers.
pub(super) fn binary(
    evaluator: &Evaluator<'_>,
    op: BinaryOp,
    operand_width: u32,
    (left, right): (&Value, &Value),
) -> Result<Value, Outcome> {
    let width = evaluator.program.pointer_width();
    match (left, right) {
        (Value::Pointer(left), Value::Pointer(right)) if operand_width != width && op == BinaryOp::Subtract => {
            wide_difference(evaluator, *left, *right, operand_width)
        }
        (Value::Pointer(left), Value::Pointer(right)) => two_pointers(evaluator, op, *left, *right, width),
        (Value::Pointer(pointer), Value::Bits(number)) => {
            with_number(evaluator, op, *pointer, *number, width).ok_or_else(|| unsupported(evaluator, left))
        }
        (Value::Bits(number), Value::Pointer(pointer)) => match op {
            _ if op.is_commutative() => {
                with_number(evaluator, op, *pointer, *number, width).ok_or_else(|| unsupported(evaluator, right))
            }
            BinaryOp::LessUnsigned => match order_to_number(*number) {
                Some(order) => Ok(Value::Bits(Bits::bool(order == Ordering::Greater))),
                None => Err(unsupported(evaluator, right)),
            },
            _ => Err(unsupported(evaluator, right)),
        },
        (raw @ Value::Raw(_), _) | (_, raw) => Err(unsupported(evaluator, raw)),
    }
}

fn two_pointers(
    evaluator: &Evaluator<'_>,
    op: BinaryOp,
    left: Pointer,
    right: Pointer,
    width: u32,
) -> Result<Value, Outcome> {
    let same = left.object == right.object;
    let truth = |truth| Ok(Value::Bits(Bits::bool(truth)));
    let signed = |offset: u64| Bits::new(width, u128::from(offset)).as_signed();
    match op {
        BinaryOp::Equal => truth(left == right),
        BinaryOp::Subtract | BinaryOp::LessUnsigned | BinaryOp::LessSigned if !same => {
            // Undefined on C's pointers but not on integers made from them, which the model does not tell apart.
            Err(unsupported(evaluator, &Value::Pointer(right)))
        }
        BinaryOp::Subtract => Ok(Value::bits(width, u128::from(left.offset.wrapping_sub(right.offset)))),
        BinaryOp::LessUnsigned | BinaryOp::LessSigned => truth(signed(left.offset) < signed(right.offset)),
        _ => Err(unsupported(evaluator, &Value::Pointer(left))),
    }
}

/// The difference of two addresses as wider numbers: that of the offsets, unless an address may have wrapped on the
/// way.
fn wide_difference(evaluator: &Evaluator<'_>, left: Pointer, right: Pointer, width: u32) -> Result<Value, Outcome> {
    let block = evaluator.state.memory().block(left.object).filter(|_| left.object == right.object);
    let end = block.map(|block| block.contents.size());
    let lies_within = |pointer: Pointer| end.is_some_and(|end| pointer.offset <= end);
    if !(lies_within(left) && lies_within(right)) {
        return Err(unsupported(evaluator, &Value::Pointer(right)));
    }
    Ok(Value::Bits(Bits::signed(width, i128::from(left.offset) - i128::from(right.offset))))
}

/// `pointer op number`; `None` if it depends on the numeric address.
fn with_number(evaluator: &Evaluator<'_>, op: BinaryOp, pointer: Pointer, number: Bits, width: u32) -> Option<Value> {
    if op == BinaryOp::Equal {
        return Some(Value::Bits(Bits::bool(false)));
    }
    if number.width() != width {
        return None;
    }
    let at = |offset: u64| {
        let offset = Bits::new(width, u128::from(offset)).unsigned() as u64;
        Some(Value::Pointer(Pointer { offset, ..pointer }))
    };
    let value = number.unsigned() as u64;
    match op {
        BinaryOp::Add => at(pointer.offset.wrapping_add(value)),
        BinaryOp::Subtract => at(pointer.offset.wrapping_sub(value)),
        BinaryOp::LessUnsigned => order_to_number(number).map(|order| Value::Bits(Bits::bool(order == Ordering::Less))),
        BinaryOp::And | BinaryOp::Or | BinaryOp::Xor | BinaryOp::RemainderUnsigned => {
            let align = alignment(evaluator, pointer.object)?;
            low_bits(op, pointer, value, align, width, at)
        }
        _ => None,
    }
}

/// Operations that touch only the bits below the object's alignment, which are those of the offset.
fn low_bits(
    op: BinaryOp,
    pointer: Pointer,
    number: u64,
    align: u64,
    width: u32,
    at: impl Fn(u64) -> Option<Value>,
) -> Option<Value> {
    let low_mask = align - 1;
    let low = pointer.offset & low_mask;
    let high = pointer.offset & !low_mask;
    let (number_low, number_high) = (number & low_mask, number & !low_mask);
    let all_high = Bits::new(width, u128::from(!low_mask)).unsigned() as u64;
    match op {
        BinaryOp::And if number_high == all_high => at(high | low & number_low),
        BinaryOp::And if number_high == 0 => Some(Value::bits(width, u128::from(low & number_low))),
        BinaryOp::Or if number_high == 0 => at(high | low | number_low),
        BinaryOp::Xor if number_high == 0 => at(high | low ^ number_low),
        BinaryOp::RemainderUnsigned if number.is_power_of_two() && number <= align => {
            Some(Value::bits(width, u128::from(low & (number - 1))))
        }
        _ => None,
    }
}

/// How any pointer compares to a number, where that is known.
fn order_to_number(number: Bits) -> Option<Ordering> {
    if number.unsigned() < NULL_PAGE {
        Some(Ordering::Greater)
    } else if Bits::ones(number.width()).unsigned() - number.unsigned() < NULL_PAGE {
        Some(Ordering::Less)
    } else {
        None
    }
}

/// The alignment of a live object.
fn alignment(evaluator: &Evaluator<'_>, object: Instance) -> Option<u64> {
    match object {
        Instance::Thread(_) | Instance::Function(_) => Some(1),
        _ => evaluator.state.memory().block(object).map(|block| u64::from(block.align)),
    }
    .filter(|align| align.is_power_of_two())
}

/// A conversion of a value that is no number.
pub(super) fn convert(evaluator: &Evaluator<'_>, op: Conversion, width: u32, value: Value) -> Result<Value, Outcome> {
    let keeps = matches!(op, Conversion::ZeroExtend | Conversion::Truncate);
    match value {
        Value::Pointer(_) if keeps && width >= evaluator.program.pointer_width() => Ok(value),
        value => Err(unsupported(evaluator, &value)),
    }
}
