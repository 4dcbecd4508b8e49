//! What each action does; the counterpart of the concrete semantics' `step`. Where control goes is for those who walk.

use selvedge_logic::{Sort, Term};
use selvedge_program::semantics::LARGEST_OBJECT;
use selvedge_program::{
    AccessKind, AccessMode, Action, Atomicity, Callee, Expr, FunctionId, Object, OutputPiece, RegisterId, Undefined,
};

use crate::Trouble;
use crate::access::{load, store};
use crate::atomic::{guard, update};
use crate::cell::CellKey;
use crate::entity::{Entity, Lifetime};
use crate::machine::{Allocation, Block, Machine, trouble, unsupported};
use crate::place::alive;
use crate::word::{Tag, Value, Word};

/// How far an action goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taken {
    /// The thread goes on along the edge.
    Along,
    /// The path ends here.
    Nowhere,
    /// Nothing has been done: the action moves control to another function or thread, or begins or ends an atomic
    /// section.
    Elsewhere,
}

/// Takes an action.
pub fn take<'p>(m: &mut impl Machine<'p>, action: &Action) -> Taken {
    let yes = m.builder().yes;
    match action {
        Action::Assume(condition) => {
            let no = m.builder().no;
            m.blocks(no, Block::Branch);
            let holds = m.evaluate(|eval| eval.truth(condition, yes));
            guard(m, holds, Block::Branch);
        }
        Action::Assign { target, value } => {
            let value = self::value(m, value);
            m.assign(*target, value);
        }
        Action::Load { target, access, interpretation } => {
            if let Some(register) = m.declaration(*target) {
                let value = load(m, access, *interpretation, register);
                m.assign(*target, value);
            }
        }
        Action::Store { access, value } => {
            let value = self::value(m, value);
            store(m, access, &value, yes);
        }
        Action::Atomic(steps) => update(m, steps),
        Action::Havoc { target } => havoc(m, *target),
        Action::Forget { object } => m.forget(*object),
        Action::EndLife { object } => {
            if let Some(tag) = m.local(*object) {
                m.end(tag, yes);
            }
        }
        Action::Allocate { target, size, align, storage, contents, site } => {
            let size = m.evaluate(|eval| eval.number(size, yes));
            not_too_large(m, size);
            let allocation = Allocation { size, align: *align, storage: *storage, contents: *contents, site: *site };
            if let Some(address) = m.allocate(allocation) {
                m.assign(*target, Value::Word(address));
            }
        }
        Action::Free { address } => free(m, address),
        Action::Assert { condition, check } => {
            let holds = m.evaluate(|eval| eval.truth(condition, yes));
            let fails = m.builder().not(holds);
            m.violates(fails, *check);
            let ok = *m.ok();
            *m.ok() = m.builder().and(ok, holds);
        }
        Action::Require { condition, otherwise } => {
            let holds = m.evaluate(|eval| eval.truth(condition, yes));
            let fails = m.builder().not(holds);
            trouble(m, fails, Trouble::Undefined(*otherwise));
        }
        Action::Fence(_) => {}
        Action::Output(pieces) => output(m, pieces),
        Action::Unsupported(what) => {
            unsupported(m, yes, what);
            return Taken::Nowhere;
        }
        Action::Inexact(what) if m.is_an_execution() => {
            unsupported(m, yes, what);
            return Taken::Nowhere;
        }
        Action::Inexact(_) => {}
        Action::Exit { status } => {
            m.evaluate(|eval| eval.number(status, yes));
            return Taken::Nowhere;
        }
        Action::Spawn { .. }
        | Action::ThreadExit { .. }
        | Action::Call { .. }
        | Action::Return { .. }
        | Action::AtomicBegin
        | Action::AtomicEnd => return Taken::Elsewhere,
    }
    Taken::Along
}

/// The value of an expression; a register that is only moved keeps its pieces.
pub fn value<'p>(m: &mut impl Machine<'p>, expr: &Expr) -> Value {
    if let Expr::Register(register, _) = expr
        && let Some(pieces) = m.pieces(*register)
    {
        return pieces;
    }
    let yes = m.builder().yes;
    Value::Word(m.evaluate(|eval| eval.word(expr, yes)))
}

fn havoc<'p>(m: &mut impl Machine<'p>, target: RegisterId) {
    let Some(register) = m.declaration(target) else { return };
    let yes = m.builder().yes;
    let bits = m.builder().fresh("n", Sort::Bits(register.width));
    let word = if register.may_be_address {
        m.address_out_of_nothing(bits)
    } else {
        m.chosen(yes, bits);
        m.builder().plain(bits)
    };
    m.assign(target, Value::Word(word));
}

/// What the concrete semantics does not allocate is not modelled here either.
fn not_too_large<'p>(m: &mut impl Machine<'p>, size: Term) {
    let largest = u128::from(LARGEST_OBJECT);
    let builder = m.builder();
    if builder.terms.facts(size).high <= largest {
        return;
    }
    let what = match builder.constant(size) {
        Some(size) => format!("an allocation of {size} bytes"),
        None => format!("an allocation of more than {largest} bytes"),
    };
    let largest = builder.terms.bits(builder.width(size), largest);
    let larger = builder.terms.ult(largest, size);
    unsupported(m, larger, &what);
}

fn free<'p>(m: &mut impl Machine<'p>, address: &Expr) {
    m.begin_access();
    let yes = m.builder().yes;
    let address = m.evaluate(|eval| eval.word(address, yes));
    let builder = m.builder();
    let zero = builder.terms.bits(builder.width(address.bits), 0);
    let elsewhere = builder.terms.distinct(address.bits, zero);
    for tag in m.builder().tags(address) {
        let meant = m.builder().has_tag(address, tag);
        let wrong = |undefined| Trouble::Undefined(undefined);
        match (tag, m.entity(tag)) {
            (Tag::NUMBER, _) => {
                let when = m.builder().and(meant, elsewhere);
                trouble(m, when, wrong(Undefined::InvalidFree));
            }
            (Tag::INDETERMINATE, _) => unsupported(m, meant, "an indeterminate address"),
            (_, Some(_)) if m.is_represented(tag) => {}
            (_, Some(Entity::Bytes { lifetime: Lifetime::Heap, .. })) => {
                let alive = alive(m, tag, meant);
                let dead = m.builder().and_not(meant, alive);
                trouble(m, dead, wrong(Undefined::DoubleFree));
                let when = m.builder().and(meant, elsewhere);
                trouble(m, when, wrong(Undefined::InvalidFree));
                let mode = AccessMode { kind: AccessKind::Write, atomicity: Atomicity::Plain };
                m.touch(CellKey::Alive(tag), meant, mode);
                m.end(tag, meant);
            }
            _ => trouble(m, meant, wrong(Undefined::InvalidFree)),
        }
    }
}

/// The functions that a callee may be, each with the condition that it is.
pub fn callees<'p>(m: &mut impl Machine<'p>, callee: &Callee) -> Vec<(FunctionId, Term)> {
    let yes = m.builder().yes;
    let address = match callee {
        Callee::Direct(function) => return vec![(*function, yes)],
        Callee::Indirect(address) => m.evaluate(|eval| eval.word(address, yes)),
    };
    let builder = m.builder();
    let zero = builder.terms.bits(builder.width(address.bits), 0);
    let at_start = builder.terms.equal(address.bits, zero);
    let mut found = Vec::new();
    let mut any = builder.no;
    for tag in m.builder().tags(address) {
        if let Some(Entity::Function(function)) = m.entity(tag) {
            let builder = m.builder();
            let meant = builder.has_tag(address, tag);
            let meant = builder.and(meant, at_start);
            any = builder.or(any, meant);
            found.push((function, meant));
        }
    }
    let none = m.builder().not(any);
    trouble(m, none, Trouble::Undefined(Undefined::BadCall));
    found
}

/// The arguments that a function takes; `None` if they do not fit.
pub fn arguments<'p>(m: &mut impl Machine<'p>, callee: FunctionId, given: &[Expr]) -> Option<Vec<Value>> {
    let function = m.program().function(callee);
    let widths = function.parameters.iter().map(|parameter| function.register(*parameter).width);
    let fits = given.len() == function.parameters.len()
        && widths.zip(given).all(|(width, argument)| width == argument.width());
    fits.then(|| given.iter().map(|argument| value(m, argument)).collect())
}

/// Printing matters only for the memory that it reads.
fn output<'p>(m: &mut impl Machine<'p>, pieces: &[OutputPiece]) {
    let yes = m.builder().yes;
    for piece in pieces {
        match piece {
            OutputPiece::Text(_) => {}
            // Whatever it is.
            OutputPiece::Value(_, value) if value.is_always_defined() => {}
            OutputPiece::Value(_, value) => {
                m.evaluate(|eval| eval.word(value, yes));
            }
            OutputPiece::CString(_, value) => {
                let address = m.evaluate(|eval| eval.word(value, yes));
                printed_string(m, address);
            }
        }
    }
}

/// A string that is printed must be constant, and end: what other strings do is not modelled.
fn printed_string<'p>(m: &mut impl Machine<'p>, address: Word) {
    for tag in m.builder().tags(address) {
        let is_constant = matches!(m.entity(tag), Some(Entity::Bytes { lifetime: Lifetime::Constant, .. }));
        let is_string = is_constant && m.static_object(tag).is_some_and(Object::starts_with_string);
        let at_start = m.builder().constant(address.bits) == Some(0);
        if !(is_string && at_start) {
            let meant = m.builder().has_tag(address, tag);
            unsupported(m, meant, "printing a string that is not a constant");
        }
    }
}
