//! What edges do to locks: as the marks of the library's models say, or by what they write to a word that the program
//! has made a lock of.

use super::words::Words;
use selvedge_program::{
    AccessKind, Action, AtomicStep, EdgeId, Expr, FunctionId, LockKind, LockMode, Operation, Touched,
};

/// What makes something a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LockFamily {
    /// The library's functions.
    Library(LockKind),
    /// The program itself: a word in static memory that is 0 when nobody holds the lock.
    Word,
}

/// What becomes of a lock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// The executing thread holds it afterwards, if this holds.
    Acquire(Expr, LockMode),
    /// The executing thread holds it no longer. Whose it was is certain only of library locks that are held alone.
    Release(LockMode),
    /// It is overwritten, whoever holds it.
    Overwrite,
}

/// What is done to one lock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Update {
    /// The lock's address.
    pub address: Expr,
    /// What lock it is.
    pub family: LockFamily,
    /// What becomes of it.
    pub effect: Effect,
}

/// What a mark says of a lock, in terms of the registers at that step.
pub fn marked(step: &AtomicStep) -> Option<Update> {
    let AtomicStep::Mark { when, operation, object } = step else { return None };
    let (kind, effect) = match *operation {
        Operation::Acquire(kind, mode) => (kind, Effect::Acquire(when.clone(), mode)),
        Operation::Release(kind, mode) => (kind, Effect::Release(mode)),
        Operation::Join
        | Operation::Sleep
        | Operation::Wake
        | Operation::Signal
        | Operation::Broadcast
        | Operation::SemaphoreWait
        | Operation::SemaphorePost
        | Operation::Arrive
        | Operation::Pass => return None,
    };
    Some(Update { address: object.clone(), family: LockFamily::Library(kind), effect })
}

/// What the action of an edge does to locks beside what its marks say: locks of the library that it overwrites, and words.
pub fn unmarked(function: FunctionId, edge: EdgeId, action: &Action, words: &Words) -> Vec<Update> {
    let mut found = words.updates(function, edge, action);
    for touch in action.touches() {
        let Touched::Ghost(field) = touch.what else { continue };
        let (Some(kind), AccessKind::Write) = (LockKind::of_field(field), touch.mode.kind) else { continue };
        let family = LockFamily::Library(kind);
        let is_same = |update: &Update| update.family == family && update.address == *touch.address;
        if !action.steps().iter().filter_map(marked).any(|update| is_same(&update)) && !found.iter().any(is_same) {
            found.push(Update { address: touch.address.clone(), family, effect: Effect::Overwrite });
        }
    }
    found
}

/// The value of an expression where another one, of width 1, is false; `None` where that does not decide it.
pub fn value_unless(expr: &Expr, condition: &Expr) -> Option<selvedge_program::Bits> {
    use selvedge_program::{BinaryOp, Bits, UnaryOp};
    if expr == condition {
        return Some(Bits::bool(false));
    }
    let of = |expr: &Expr| value_unless(expr, condition);
    let truth = |expr: &Expr| of(expr).map(|bits| !bits.is_zero());
    match expr {
        Expr::Constant(bits) => Some(*bits),
        Expr::Register(..) | Expr::Address(..) => None,
        Expr::Unary(op, operand) => {
            // The condition may be a negation itself.
            let is_negated = matches!(condition, Expr::Unary(UnaryOp::Not, inner) if **inner == *expr);
            if is_negated { Some(Bits::bool(true)) } else { of(operand).map(|bits| op.apply(bits)) }
        }
        Expr::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) if left.width() == 1 => {
            let absorbing = *op == BinaryOp::Or;
            match (truth(left), truth(right)) {
                (Some(left), _) if left == absorbing => Some(Bits::bool(absorbing)),
                (_, Some(right)) if right == absorbing => Some(Bits::bool(absorbing)),
                (Some(_), Some(_)) => Some(Bits::bool(!absorbing)),
                _ => None,
            }
        }
        Expr::Binary(op, left, right) => op.apply(of(left)?, of(right)?).ok(),
        Expr::Convert(conversion, width, operand) => conversion.apply(*width, of(operand)?).ok(),
        Expr::IfThenElse(condition, then, otherwise) => match truth(condition) {
            Some(true) => of(then),
            Some(false) => of(otherwise),
            None => of(then).filter(|then| of(otherwise) == Some(*then)),
        },
    }
}
