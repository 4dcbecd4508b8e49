//! The accesses of a step, on both sides: what may race.

use std::collections::BTreeSet;

use selvedge_program::semantics::{GhostKey, Instance, Spot};
use selvedge_program::{AccessKind, Action, AtomicStep, GhostField};
use selvedge_symbolic::CellKey;

use crate::twins::{Step, holds};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Piece {
    Byte(Instance, u64),
    Ghost(GhostKey),
    Life(Instance),
}

/// What is accessed, how, and whether atomically.
type Touches = BTreeSet<(Piece, AccessKind, bool)>;

/// What is different, if anything. Within an atomic section, which terms know nothing of, all accesses count as atomic.
pub fn compare(step: &Step<'_, '_, '_>) -> Result<(), String> {
    let in_section = step.from.atomic_section().is_some();
    let arrays = arrays(step);
    let keep = |(piece, ..): &(Piece, AccessKind, bool)| match piece {
        Piece::Byte(object, _) => !arrays.contains(object),
        Piece::Ghost(key) => !is_silent(step, *key),
        Piece::Life(_) => true,
    };
    let atomically = |(piece, kind, is_atomic)| (piece, kind, is_atomic || in_section);
    let concrete: Touches = concrete(step).into_iter().filter(keep).map(atomically).collect();
    let symbolic: Touches = symbolic(step).into_iter().filter(keep).map(atomically).collect();
    if concrete == symbolic {
        return Ok(());
    }
    let missing: Vec<_> = concrete.difference(&symbolic).collect();
    let surplus: Vec<_> = symbolic.difference(&concrete).collect();
    Err(format!("accesses that the twin does not make: {missing:?}; that it alone makes: {surplus:?}"))
}

/// What nobody writes, or what is only ever accessed atomically: the twin does not tell of it.
fn is_silent(step: &Step<'_, '_, '_>, key: GhostKey) -> bool {
    let looked_at = |field: GhostField| {
        step.action.steps().iter().any(|step| match step {
            AtomicStep::PickThread { field: looked, .. } | AtomicStep::WriteThreads { field: looked, .. } => {
                *looked == field
            }
            _ => false,
        })
    };
    key.field == GhostField::ObjectSize || looked_at(key.field)
}

/// The objects of which the twin says only that they are accessed somewhere.
fn arrays(step: &Step<'_, '_, '_>) -> BTreeSet<Instance> {
    let mut arrays = BTreeSet::new();
    for touched in &step.effect.touched {
        if let CellKey::Array(tag) = touched.cell
            && holds(step.builder, step.before, touched.when)
        {
            arrays.extend(step.before.objects.instance(tag));
        }
    }
    arrays
}

fn concrete(step: &Step<'_, '_, '_>) -> Touches {
    let mut touches = Touches::new();
    // Strings that are printed are constant: nobody writes them.
    if matches!(step.action, Action::Output(_)) {
        return touches;
    }
    for access in &step.effects.accesses {
        let is_atomic = access.atomicity.is_atomic();
        match access.spot {
            Spot::Bytes { object, offset, size } => {
                touches.extend((offset..offset + size).map(|at| (Piece::Byte(object, at), access.kind, is_atomic)));
            }
            Spot::Ghost(key) => {
                touches.insert((Piece::Ghost(key), access.kind, is_atomic));
            }
            Spot::Whole(object) => {
                touches.insert((Piece::Life(object), access.kind, is_atomic));
                continue;
            }
        }
        if let Some(object @ Instance::Heap { .. }) = access.spot.object() {
            touches.insert((Piece::Life(object), AccessKind::Read, is_atomic));
        }
    }
    touches
}

fn symbolic(step: &Step<'_, '_, '_>) -> Touches {
    let mut touches = Touches::new();
    for touched in step.effect.touched.iter().filter(|touched| holds(step.builder, step.before, touched.when)) {
        let object = step.before.objects.instance(touched.cell.object());
        let mut touch = |piece| {
            touches.insert((piece, touched.mode.kind, touched.mode.atomicity.is_atomic()));
        };
        match (touched.cell, object) {
            (CellKey::Bytes { start, size, .. }, Some(object)) => {
                (start..start + u64::from(size)).for_each(|at| touch(Piece::Byte(object, at)));
            }
            (CellKey::Ghost { offset, field, .. }, object) => touch(Piece::Ghost(GhostKey { object, offset, field })),
            (CellKey::Alive(_), Some(object)) => touch(Piece::Life(object)),
            (
                CellKey::Array(_)
                | CellKey::Size(_)
                | CellKey::Changer { .. }
                | CellKey::Tally { .. }
                | CellKey::Note(..)
                | CellKey::Unjoined,
                _,
            )
            | (_, None) => {}
        }
    }
    touches
}
