//! What is tracked from the start, before any alarm: who owns which lock, what is alive, what has been written.

use std::collections::BTreeSet;

use selvedge_abstraction::atoms::{Table, comparisons};
use selvedge_program::{AccessKind, Action, AtomicStep, Base, BinaryOp, Expr, Place, RegisterId};
use selvedge_symbolic::threads::{Kept, Local, Thing, View, Who};
use selvedge_symbolic::{CellKey, Note, Predicate, Tag, Variable};

/// What is tracked from the start: whether the thread owns each lock and each word that may serve as one, whether
/// locals are alive, and whether what it looks at in memory has been written.
pub fn first_predicates(view: &mut View<'_>) -> Vec<Predicate> {
    let program = view.universe.program;
    let (mut owners, mut bits) = (BTreeSet::new(), BTreeSet::new());
    let updated: Vec<_> = view.universe.updated().collect();
    owners.extend(updated.into_iter().filter_map(|(object, start)| view.variable(CellKey::Changer { object, start })));
    for tag in view.universe.tags().collect::<Vec<_>>() {
        if let Some(Thing::One(_)) = view.universe.thing(tag) {
            bits.extend(view.variable(CellKey::Note(Note::Born, tag)));
            if view.universe.kept(tag) == Kept::Shared {
                bits.extend(view.variable(CellKey::Note(Note::Escaped, tag)));
                owners.extend(view.variable(CellKey::Note(Note::Maker, tag)));
            }
        }
    }
    for (function, edge, kind) in view.steps() {
        let moved = view.moved(Who::Own, function, edge, kind);
        let own = moved.locals.iter().filter_map(|(local, word)| match local {
            Local::Cell(key) => Some((key, word)),
            Local::Register(..) => None,
        });
        for (key, word) in own.chain(&moved.cells) {
            if let (CellKey::Alive(_), None | Some(0)) = (key, view.builder.constant(word.bits)) {
                bits.extend(view.variable(*key));
            }
        }
        for (key, word) in &moved.cells {
            let is_thread = |tag: &Tag| view.universe.thing(*tag) == Some(Thing::Thread);
            if let CellKey::Ghost { .. } = key
                && view.builder.tags(*word).iter().any(is_thread)
            {
                owners.extend(view.variable(*key));
            }
        }
        for touched in moved.touched.iter().filter(|touched| touched.mode.kind == AccessKind::Read) {
            let word = match view.universe.kept(touched.cell.object()) {
                Kept::Own => view.local(Who::Own, Local::Cell(touched.cell)),
                Kept::Shared => view.cell(touched.cell),
                Kept::Nowhere => None,
            };
            if let (Some(Variable::Cell { object, offset, size }), Some(word)) = (view.variable(touched.cell), word)
                && view.builder.tags(word).contains(&Tag::INDETERMINATE)
            {
                bits.insert(Variable::Determinate { object, offset, size });
            }
        }
    }
    let width = program.pointer_width();
    let is_own = |owner: Variable| {
        let (owned_by, own) = (Expr::Register(RegisterId(0), width), Expr::Address(Base::SelfThread, width));
        Predicate::new(&Expr::Binary(BinaryOp::Equal, Box::new(owned_by), Box::new(own)), &[owner])
    };
    let owned = owners.into_iter().map(is_own).chain(taken(view));
    owned.chain(bits.into_iter().map(|bit| Predicate::new(&Expr::Register(RegisterId(0), 1), &[bit]))).collect()
}

/// Whether atomic updates that write a word under a condition wrote it, as the registers tell that were read meanwhile:
/// who has taken a lock that is made of a word looks at these.
fn taken(view: &View<'_>) -> Vec<Predicate> {
    let program = view.universe.program;
    let mut found = Vec::new();
    for (function, edge, _) in view.steps() {
        let Action::Atomic(steps) = &program.function(function).edge(edge).action else { continue };
        let is_read = |register: RegisterId| {
            steps.iter().any(|step| matches!(step, AtomicStep::Read { target, .. } if *target == register))
        };
        for step in steps {
            let AtomicStep::Write { when, access, .. } = step else { continue };
            let mut table = Table(Vec::new());
            let (when, mut compared) = (table.of(function, when), Vec::new());
            comparisons(&when, &mut compared);
            let are_read = table.0.iter().all(|variable| match variable {
                Variable::Register(_, register) => is_read(*register),
                _ => false,
            });
            if are_read && matches!(access.place, Place::Memory { .. }) {
                found.extend(compared.iter().map(|condition| Predicate::new(condition, &table.0)));
            }
        }
    }
    found
}
