//! What an atomic update does to locks, by what it writes to their owners, not by the name of a library function.
//!
//! Before the update the owner is nobody, the executing thread or another thread. In each of these cases the guards tell whether the
//! update can happen, and the conditions of its writes who is the owner afterwards. If that is the executing thread in all cases, the lock
//! is held; if only in some, then later branches may tell which case it was (`trylock`).

use super::names::mentions;
use selvedge_program::{Access, AtomicStep, Base, BinaryOp, Bits, Expr, GhostField, Place, RegisterId, UnaryOp};

/// The families of locks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LockKind {
    /// A mutex.
    Mutex,
    /// A spin lock.
    Spin,
    /// A read-write lock.
    ReadWrite,
}

impl LockKind {
    /// All of them.
    pub const ALL: [LockKind; 3] = [LockKind::Mutex, LockKind::Spin, LockKind::ReadWrite];

    /// The field that names the thread that holds it alone.
    pub fn owner(self) -> GhostField {
        match self {
            LockKind::Mutex => GhostField::MutexOwner,
            LockKind::Spin => GhostField::SpinOwner,
            LockKind::ReadWrite => GhostField::WriteOwner,
        }
    }
}

/// How a lock is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mode {
    /// For reading, at least: nobody else holds it alone.
    Shared,
    /// Nobody else holds it at all.
    Exclusive,
}

/// Who owns a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// Nobody.
    Nobody,
    /// The executing thread.
    Me,
    /// Another thread.
    Other,
}

/// An update of one lock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Update {
    /// The lock's address.
    pub address: Expr,
    /// What lock it is.
    pub kind: LockKind,
    /// The register that took the owner from before the update, if the update reads it.
    pub seen: Option<RegisterId>,
    /// The cases in which the update can happen; with whether the executing thread holds the lock afterwards, and how.
    pub cases: Vec<(Owner, Option<Mode>)>,
    /// Whether it may write the owner or the readers.
    pub writes: bool,
    /// Whether it may take the lock from another thread.
    pub intrudes: bool,
    /// Whether it gives up a lock that is held for reading.
    pub gives_up_reading: bool,
}

impl Update {
    /// How the lock is held afterwards, whatever the case.
    pub fn held(&self) -> Option<Mode> {
        self.held_in(|_| true)
    }

    /// How the lock is held afterwards in all cases that are possible; not at all if none is.
    pub fn held_in(&self, is_possible: impl Fn(Owner) -> bool) -> Option<Mode> {
        let possible = self.cases.iter().filter(|(before, _)| is_possible(*before));
        possible.map(|(_, after)| *after).min().flatten()
    }
}

/// What an atomic update does to locks, each lock apart.
pub fn updates(steps: &[AtomicStep]) -> Vec<Update> {
    let mut found: Vec<Update> = Vec::new();
    for step in steps {
        let AtomicStep::Write { access: Access { place: Place::Ghost { address, field }, .. }, .. } = step else {
            continue;
        };
        let Some(kind) = kind_of(*field) else { continue };
        if !found.iter().any(|update| update.address == *address && update.kind == kind) {
            found.push(update(steps, address, kind));
        }
    }
    found
}

fn kind_of(field: GhostField) -> Option<LockKind> {
    match field {
        GhostField::Readers => Some(LockKind::ReadWrite),
        field => LockKind::ALL.into_iter().find(|kind| kind.owner() == field),
    }
}

fn update(steps: &[AtomicStep], address: &Expr, kind: LockKind) -> Update {
    let is_at = |access: &Access, wanted: GhostField| matches!(&access.place, Place::Ghost { address: at, field } if at == address && *field == wanted);
    let seen = steps.iter().find_map(|step| match step {
        AtomicStep::Read { target, access } if is_at(access, kind.owner()) => Some(*target),
        _ => None,
    });
    // A register that the update assigns twice, or that the address depends on, tells nothing.
    let mut times = 0;
    let mut moves_address = false;
    for step in steps {
        if let AtomicStep::Read { target, .. }
        | AtomicStep::Let { target, .. }
        | AtomicStep::PickThread { target, .. } = step
        {
            times += usize::from(Some(*target) == seen);
            address.for_each_register(&mut |register| moves_address |= register == *target);
        }
    }
    // Nor does one that is read when the owner may have been written already.
    let is_read = |step: &AtomicStep| matches!(step, AtomicStep::Read { target, .. } if Some(*target) == seen);
    let writes = |step: &AtomicStep| matches!(step, AtomicStep::Write { access, .. } if kind_of_place(&access.place) == Some(kind));
    let is_before = steps.iter().position(is_read) < steps.iter().position(writes);
    let seen = seen.filter(|_| times == 1 && !moves_address && is_before);
    let mut update = Update {
        address: address.clone(),
        kind,
        seen,
        cases: Vec::new(),
        writes: true,
        intrudes: false,
        gives_up_reading: false,
    };
    for before in [Owner::Nobody, Owner::Me, Owner::Other] {
        // What a guard comes to in this case holds in the writes that follow.
        let mut granted: Vec<Expr> = Vec::new();
        let reduced = |condition: &Expr| seen.map_or_else(|| condition.clone(), |seen| reduce(condition, seen, before));
        let certain = |condition: &Expr, granted: &[Expr]| match reduced(condition) {
            Expr::Constant(bits) => Some(!bits.is_zero()),
            condition => granted.contains(&condition).then_some(true),
        };
        let (mut after, mut shares, mut passes) = (Some(before), false, true);
        for step in steps {
            match step {
                AtomicStep::Guard(condition) | AtomicStep::Require(condition, _) => {
                    passes &= certain(condition, &granted) != Some(false);
                    granted.push(reduced(condition));
                }
                AtomicStep::Read { target, .. }
                | AtomicStep::Let { target, .. }
                | AtomicStep::PickThread { target, .. } => {
                    granted.retain(|condition| !mentions(condition, *target));
                }
                AtomicStep::Write { when, access, value } if is_at(access, kind.owner()) => {
                    let becomes = match value {
                        Expr::Address(Base::SelfThread, _) => Some(Owner::Me),
                        Expr::Constant(bits) if bits.is_zero() => Some(Owner::Nobody),
                        _ => None,
                    };
                    after = match certain(when, &granted) {
                        Some(true) => becomes,
                        Some(false) => after,
                        None if after == becomes => after,
                        None => None,
                    };
                }
                AtomicStep::Write { when, access, value } if is_at(access, GhostField::Readers) => {
                    let is_more = matches!(value, Expr::Binary(BinaryOp::Add, _, one) if is_one(one));
                    let surely = certain(when, &granted);
                    if surely != Some(false) {
                        shares |= is_more && surely == Some(true);
                        update.gives_up_reading |= !is_more;
                    }
                }
                // The same lock under another name may be written as well.
                AtomicStep::Write { access, .. } if kind_of_place(&access.place) == Some(kind) => after = None,
                _ => {}
            }
        }
        if passes {
            let mode = match after {
                Some(Owner::Me) => Some(Mode::Exclusive),
                _ if shares => Some(Mode::Shared),
                _ => None,
            };
            update.intrudes |= before == Owner::Other && after != Some(Owner::Other);
            update.cases.push((before, mode));
        }
    }
    if moves_address {
        update.cases.iter_mut().for_each(|(_, mode)| *mode = None);
    }
    update
}

fn kind_of_place(place: &Place) -> Option<LockKind> {
    match place {
        Place::Ghost { field, .. } => kind_of(*field),
        Place::Memory { .. } => None,
    }
}

fn is_one(value: &Expr) -> bool {
    matches!(value, Expr::Constant(bits) if bits.unsigned() == 1)
}

/// A value that is known in a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    Number(Bits),
    Thread(Owner),
}

/// Whether a condition holds when a register had this owner, where that is certain.
pub fn truth(condition: &Expr, seen: RegisterId, before: Owner) -> Option<bool> {
    match value(condition, seen, before)? {
        Known::Number(bits) => Some(!bits.is_zero()),
        Known::Thread(_) => None,
    }
}

/// What a condition comes to when a register had this owner.
fn reduce(condition: &Expr, seen: RegisterId, before: Owner) -> Expr {
    if let Some(holds) = truth(condition, seen, before) {
        return if holds { Expr::truth() } else { Expr::falsehood() };
    }
    let Expr::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) = condition else { return condition.clone() };
    // Neither side decides, so one that is known makes no difference.
    match (truth(left, seen, before), truth(right, seen, before)) {
        (Some(_), _) if left.width() == 1 => reduce(right, seen, before),
        (_, Some(_)) if left.width() == 1 => reduce(left, seen, before),
        _ if left.width() == 1 => {
            Expr::Binary(*op, Box::new(reduce(left, seen, before)), Box::new(reduce(right, seen, before)))
        }
        _ => condition.clone(),
    }
}

fn value(expr: &Expr, seen: RegisterId, before: Owner) -> Option<Known> {
    let of = |expr: &Expr| value(expr, seen, before);
    let is = |truth: bool| Some(Known::Number(Bits::bool(truth)));
    match expr {
        Expr::Constant(bits) => Some(Known::Number(*bits)),
        Expr::Register(register, width) if *register == seen => Some(match before {
            Owner::Nobody => Known::Number(Bits::new(*width, 0)),
            owner => Known::Thread(owner),
        }),
        Expr::Register(..) => None,
        Expr::Address(Base::SelfThread, _) => Some(Known::Thread(Owner::Me)),
        Expr::Address(..) => None,
        Expr::Unary(op @ UnaryOp::Not, operand) => match of(operand)? {
            Known::Number(bits) => Some(Known::Number(op.apply(bits))),
            Known::Thread(_) => None,
        },
        Expr::Unary(..) => None,
        Expr::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) if left.width() == 1 => {
            let absorbing = *op == BinaryOp::Or;
            let (left, right) = (truth(left, seen, before), truth(right, seen, before));
            if left == Some(absorbing) || right == Some(absorbing) {
                return is(absorbing);
            }
            left.zip(right).and_then(|_| is(!absorbing))
        }
        Expr::Binary(BinaryOp::Equal, left, right) => match (of(left)?, of(right)?) {
            (Known::Number(left), Known::Number(right)) => is(left == right),
            (Known::Number(number), Known::Thread(_)) | (Known::Thread(_), Known::Number(number)) => {
                number.is_zero().then(|| is(false)).flatten()
            }
            (Known::Thread(Owner::Other), Known::Thread(Owner::Other)) => None,
            (Known::Thread(left), Known::Thread(right)) => is(left == right),
        },
        Expr::Binary(op, left, right) => match (of(left)?, of(right)?) {
            (Known::Number(left), Known::Number(right)) => op.apply(left, right).ok().map(Known::Number),
            _ => None,
        },
        Expr::Convert(conversion, width, operand) => match of(operand)? {
            Known::Number(bits) => conversion.apply(*width, bits).ok().map(Known::Number),
            Known::Thread(_) => None,
        },
        Expr::IfThenElse(condition, then, otherwise) => match truth(condition, seen, before) {
            Some(true) => of(then),
            Some(false) => of(otherwise),
            None => of(then).filter(|then| of(otherwise) == Some(*then)),
        },
    }
}
