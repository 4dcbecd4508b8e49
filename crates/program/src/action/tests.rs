//! One action and one atomic step of every kind, and what the methods say of each.

use super::*;
use crate::assemble::{atomic, ghost, plain};
use crate::{FrameObjectId, Storage};
use std::collections::BTreeSet;

fn register(number: u32) -> Expr {
    Expr::register(RegisterId(number), 64)
}

const TARGET: RegisterId = RegisterId(9);

/// The number of an atomic step's kind: a new one does not compile until it is among the samples.
fn kind_of_step(step: &AtomicStep) -> usize {
    match step {
        AtomicStep::Read { .. } => 0,
        AtomicStep::Let { .. } => 1,
        AtomicStep::Guard(_) => 2,
        AtomicStep::Spurious => 3,
        AtomicStep::Require(..) => 4,
        AtomicStep::Write { .. } => 5,
        AtomicStep::PickThread { .. } => 6,
        AtomicStep::WriteThreads { .. } => 7,
        AtomicStep::Mark { .. } => 8,
    }
}

const STEP_KINDS: usize = 9;

fn kind_of(action: &Action) -> usize {
    match action {
        Action::Assume(_) => 0,
        Action::Assign { .. } => 1,
        Action::Load { .. } => 2,
        Action::Store { .. } => 3,
        Action::Atomic(_) => 4,
        Action::Havoc { .. } => 5,
        Action::Forget { .. } => 6,
        Action::EndLife { .. } => 7,
        Action::Spawn { .. } => 8,
        Action::ThreadExit { .. } => 9,
        Action::Exit { .. } => 10,
        Action::Allocate { .. } => 11,
        Action::Free { .. } => 12,
        Action::Assert { .. } => 13,
        Action::Require { .. } => 14,
        Action::Call { .. } => 15,
        Action::Return { .. } => 16,
        Action::AtomicBegin => 17,
        Action::AtomicEnd => 18,
        Action::Output(_) => 19,
        Action::Unsupported(_) => 20,
        Action::Fence(_) => 21,
        Action::Inexact(_) => 22,
    }
}

const KINDS: usize = 23;

/// A step, and what is to be said of it: registers used, register assigned, accesses.
type StepSample = (AtomicStep, &'static [u32], Option<RegisterId>, &'static str);

fn steps() -> Vec<StepSample> {
    let field = GhostField::WaitingOn;
    vec![
        (AtomicStep::Read { target: TARGET, access: atomic(register(0), 4) }, &[0], Some(TARGET), "read 4 bytes"),
        (AtomicStep::Let { target: TARGET, value: register(0) }, &[0], Some(TARGET), ""),
        (AtomicStep::Guard(register(0)), &[0], None, ""),
        (AtomicStep::Spurious, &[], None, ""),
        (AtomicStep::Require(register(0), Undefined::InvalidFree), &[0], None, ""),
        (
            AtomicStep::Write {
                when: register(0),
                access: ghost(register(1), GhostField::MutexOwner),
                value: register(2),
            },
            &[0, 2, 1],
            None,
            "write owner",
        ),
        (
            AtomicStep::PickThread { target: TARGET, field, equals: register(0) },
            &[0],
            Some(TARGET),
            "read all waiting_on",
        ),
        (
            AtomicStep::WriteThreads { field, equals: register(0), value: register(1) },
            &[0, 1],
            None,
            "write all waiting_on",
        ),
        (AtomicStep::Mark { when: register(0), operation: Operation::Join, object: register(1) }, &[0, 1], None, ""),
    ]
}

/// An action, and what is to be said of it: registers used before they are assigned, registers assigned, accesses.
type Sample = (Action, &'static [u32], &'static [RegisterId], &'static str);

fn actions() -> Vec<Sample> {
    let indirect = || Callee::Indirect(register(0));
    let object = FrameObjectId(0);
    let (address, condition, value) = (register(0), register(0), register(0));
    let update = Action::Atomic(vec![
        AtomicStep::Read { target: TARGET, access: atomic(register(0), 8) },
        AtomicStep::Write { when: Expr::truth(), access: plain(Expr::register(TARGET, 64), 1), value: register(1) },
    ]);
    let string = OutputPiece::CString("%s".to_owned(), register(1));
    let interpretation = Interpretation::Value;
    let (storage, contents, site) = (Storage::Heap, InitialContents::Zero, SiteId(0));
    vec![
        (Action::Assume(register(0)), &[0], &[], ""),
        (Action::Assign { target: TARGET, value: register(0) }, &[0], &[TARGET], ""),
        (
            Action::Load { target: TARGET, access: plain(register(0), 2), interpretation },
            &[0],
            &[TARGET],
            "read plain 2 bytes",
        ),
        (Action::Store { access: plain(register(0), 2), value: register(1) }, &[1, 0], &[], "write plain 2 bytes"),
        (update, &[0, 1], &[TARGET], "read 8 bytes, write plain 1 bytes"),
        (Action::Havoc { target: TARGET }, &[], &[TARGET], ""),
        (Action::Forget { object }, &[], &[], ""),
        (Action::EndLife { object }, &[], &[], ""),
        (
            Action::Spawn {
                target: TARGET,
                entry: indirect(),
                arguments: vec![register(1)],
                id: Some(plain(register(2), 8)),
            },
            &[0, 1, 2],
            &[TARGET],
            "write plain 8 bytes",
        ),
        (Action::ThreadExit { value: value.clone() }, &[0], &[], ""),
        (Action::Exit { status: value.clone() }, &[0], &[], ""),
        (
            Action::Allocate { target: TARGET, size: register(0), align: 8, storage, contents, site },
            &[0],
            &[TARGET],
            "",
        ),
        (Action::Free { address }, &[0], &[], "write plain whole"),
        (Action::Assert { condition: condition.clone(), check: CheckId(0) }, &[0], &[], ""),
        (Action::Require { condition, otherwise: Undefined::InvalidFree }, &[0], &[], ""),
        (
            Action::Call { target: Some(TARGET), callee: indirect(), arguments: vec![register(1)] },
            &[0, 1],
            &[TARGET],
            "",
        ),
        (Action::Return { value: Some(value) }, &[0], &[], ""),
        (Action::AtomicBegin, &[], &[], ""),
        (Action::AtomicEnd, &[], &[], ""),
        (Action::Fence(MemoryOrder::Acquire), &[], &[], ""),
        (
            Action::Output(vec![
                OutputPiece::Text(b"x".to_vec()),
                OutputPiece::Value("%d".to_owned(), register(0)),
                string,
            ]),
            &[0, 1],
            &[],
            "read plain string",
        ),
        (Action::Unsupported("this".to_owned()), &[], &[], ""),
        (Action::Inexact("this".to_owned()), &[], &[], ""),
    ]
}

fn show(touch: &Touch<'_>) -> String {
    let kind = verb(touch.mode.kind);
    let plain = if touch.mode.atomicity.is_atomic() { "" } else { "plain " };
    match touch.what {
        Touched::Bytes(size) => format!("{kind} {plain}{size} bytes"),
        Touched::CString => format!("{kind} {plain}string"),
        Touched::Ghost(field) => format!("{kind} {plain}{}", field.name()),
        Touched::Whole => format!("{kind} {plain}whole"),
    }
}

fn verb(kind: AccessKind) -> &'static str {
    match kind {
        AccessKind::Read => "read",
        AccessKind::Write => "write",
    }
}

fn used(action: &Action) -> Vec<RegisterId> {
    let (mut used, mut assigned) = (Vec::new(), BTreeSet::new());
    action.for_each_register(&mut |register| match register {
        RegisterUse::Used(register) if !assigned.contains(&register) => used.push(register),
        RegisterUse::Used(_) => {}
        RegisterUse::Assigned(register) => {
            assigned.insert(register);
        }
    });
    used
}

#[test]
fn the_samples_are_of_every_kind() {
    let kinds: BTreeSet<usize> = actions().iter().map(|(action, ..)| kind_of(action)).collect();
    assert_eq!(kinds, (0..KINDS).collect());
    let kinds: BTreeSet<usize> = steps().iter().map(|(step, ..)| kind_of_step(step)).collect();
    assert_eq!(kinds, (0..STEP_KINDS).collect());
}

#[test]
fn steps_say_what_they_use_assign_and_access() {
    for (step, uses, assigned, touches) in steps() {
        assert_eq!(step.assigned(), assigned, "{step:?}");
        let threads = step.threads_touch().map(|touch| format!("{} all {}", verb(touch.kind), touch.field.name()));
        let own = step.access().map(|(access, kind)| show(&access.touch(kind)));
        assert_eq!(own.or(threads).unwrap_or_default(), touches, "{step:?}");
        let uses: Vec<RegisterId> = uses.iter().copied().map(RegisterId).collect();
        assert_eq!(used(&Action::Atomic(vec![step.clone()])), uses, "{step:?}");
        assert_eq!(step.map_expressions(&mut Expr::clone), step);
    }
}

#[test]
fn actions_say_what_they_use_assign_and_access() {
    for (action, uses, assigned, touches) in actions() {
        assert_eq!(action.assigned(), assigned, "{action:?}");
        assert_eq!(action.touches().iter().map(show).collect::<Vec<_>>().join(", "), touches, "{action:?}");
        let uses: Vec<RegisterId> = uses.iter().copied().map(RegisterId).collect();
        assert_eq!(used(&action), uses, "{action:?}");
    }
}

#[test]
fn replaced_expressions_are_those_that_are_visited() {
    let samples = actions().into_iter().map(|(action, ..)| action);
    let updates = steps().into_iter().map(|(step, ..)| Action::Atomic(vec![step]));
    for action in samples.chain(updates) {
        assert_eq!(action.map_expressions(&mut Expr::clone), action);
        let mut count = 0;
        action.for_each_expression(&mut |_| count += 1);
        let mut number = 0;
        let numbered = action.map_expressions(&mut |_| {
            number += 1;
            Expr::constant(64, number)
        });
        let mut seen = Vec::new();
        numbered.for_each_expression(&mut |expr| seen.push(expr.clone()));
        assert_eq!(seen, (1..=count).map(|number| Expr::constant(64, number)).collect::<Vec<_>>(), "{action:?}");
    }
}

#[test]
fn control_passes_all_but_ends() {
    for (action, ..) in actions() {
        let ends = [9, 10, 16, 20].contains(&kind_of(&action));
        assert_eq!(action.falls_through(), !ends, "{action:?}");
        assert_eq!(action.condition().is_some(), [0, 13, 14].contains(&kind_of(&action)), "{action:?}");
        assert!(!action.can_wait() && !action.is_spurious(), "{action:?}");
    }
    for (step, ..) in steps() {
        let action = Action::Atomic(vec![AtomicStep::Let { target: TARGET, value: register(0) }, step.clone()]);
        assert_eq!(action.can_wait(), matches!(step, AtomicStep::Guard(_)), "{step:?}");
        assert_eq!(action.is_spurious(), step == AtomicStep::Spurious, "{step:?}");
        assert_eq!(action.steps().len(), 2);
    }
}
