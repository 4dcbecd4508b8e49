//! Locks by the expressions that give their addresses: `&m`, `p + 8`, `&locks + i * 40`, in the registers of one
//! function.

use super::update::LockFamily;
use selvedge_program::{Base, BinaryOp, Expr, FunctionId, ObjectId};

/// A lock as a function sees it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LockName {
    /// The function whose registers and locals the address is made of.
    pub function: FunctionId,
    /// Its address.
    pub address: Expr,
    /// What lock it is.
    pub family: LockFamily,
}

/// Whether an expression means the same in every function.
pub fn is_global(expr: &Expr) -> bool {
    match expr {
        Expr::Constant(_) | Expr::Address(Base::Object(_) | Base::Function(_), _) => true,
        Expr::Register(..) | Expr::Address(Base::Frame(_) | Base::SelfThread, _) => false,
        Expr::Unary(_, operand) | Expr::Convert(_, _, operand) => is_global(operand),
        Expr::Binary(_, left, right) => is_global(left) && is_global(right),
        Expr::IfThenElse(condition, then, otherwise) => is_global(condition) && is_global(then) && is_global(otherwise),
    }
}

/// The expression with parts replaced by others, outermost first; `None` if a part is left for which `replacement` has
/// `Err`.
pub fn rewrite(expr: &Expr, replacement: &dyn Fn(&Expr) -> Result<Option<Expr>, Foreign>) -> Result<Expr, Foreign> {
    if let Some(other) = replacement(expr)? {
        return Ok(other);
    }
    let part = |expr: &Expr| rewrite(expr, replacement).map(Box::new);
    Ok(match expr {
        Expr::Constant(_) | Expr::Register(..) | Expr::Address(..) => expr.clone(),
        Expr::Unary(op, operand) => Expr::Unary(*op, part(operand)?),
        Expr::Convert(conversion, width, operand) => Expr::Convert(*conversion, *width, part(operand)?),
        Expr::Binary(op, left, right) => Expr::Binary(*op, part(left)?, part(right)?),
        Expr::IfThenElse(condition, then, otherwise) => {
            Expr::IfThenElse(part(condition)?, part(then)?, part(otherwise)?)
        }
    })
}

/// A part of an expression that means nothing elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Foreign;

/// An address as another one and a constant distance.
pub fn split(address: &Expr) -> (&Expr, i64) {
    let Expr::Binary(op @ (BinaryOp::Add | BinaryOp::Subtract), left, right) = address else { return (address, 0) };
    let constant = |expr: &Expr| match expr {
        Expr::Constant(bits) => i64::try_from(bits.as_signed()).ok(),
        _ => None,
    };
    match (constant(left), constant(right), op) {
        (_, Some(distance), BinaryOp::Add) => {
            let (base, more) = split(left);
            (base, more.wrapping_add(distance))
        }
        (_, Some(distance), _) => {
            let (base, more) = split(left);
            (base, more.wrapping_sub(distance))
        }
        (Some(distance), None, BinaryOp::Add) => {
            let (base, more) = split(right);
            (base, more.wrapping_add(distance))
        }
        _ => (address, 0),
    }
}

/// An element of a static array: `object + index * stride + offset`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Element<'a> {
    /// The array.
    pub object: ObjectId,
    /// The index.
    pub index: &'a Expr,
    /// The size of an element.
    pub stride: u64,
    /// From the beginning of the element, if that is where the array's first element begins.
    pub offset: i64,
}

/// An address as that of an element.
pub fn element(address: &Expr) -> Option<Element<'_>> {
    let (base, offset) = split(address);
    let Expr::Binary(BinaryOp::Add, left, right) = base else { return None };
    let (object, index, offset) = match (split(left), split(right)) {
        ((Expr::Address(Base::Object(object), _), before), (index, after))
        | ((index, after), (Expr::Address(Base::Object(object), _), before)) => {
            (*object, index, offset.wrapping_add(before).wrapping_add(after))
        }
        _ => return None,
    };
    let constant = |expr: &Expr| match expr {
        Expr::Constant(bits) => u64::try_from(bits.unsigned()).ok(),
        _ => None,
    };
    let (index, stride) = match index {
        Expr::Binary(BinaryOp::Multiply, index, factor) if constant(factor).is_some() => (index, constant(factor)?),
        Expr::Binary(BinaryOp::Multiply, factor, index) => (index, constant(factor)?),
        Expr::Binary(BinaryOp::ShiftLeft, index, amount) => {
            (index, u32::try_from(constant(amount)?).ok().and_then(|amount| 1u64.checked_shl(amount))?)
        }
        _ => return None,
    };
    Some(Element { object, index, stride, offset })
}
