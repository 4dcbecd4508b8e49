//! Whether all that a thread may reach is modelled.
//!
//! Before bytes are moved, the models of the library look whether a lock lies among them, and go where nothing is
//! modelled if one does. No thread gets there if what is looked at is state of locks that nobody ever writes: it is 0.

use rustc_hash::FxHashMap;
use selvedge_analysis::points_to::SharedTargets;
use selvedge_analysis::{AbstractObject, Offset, Target};
use selvedge_program::{
    AccessKind, Action, AtomicStep, Edge, Expr, Function, FunctionId, GhostField, LocationId, ObjectId, Place,
    RegisterId, Touched,
};

use super::names::Names;

/// Whether it is.
pub fn is_modelled(names: &Names<'_>) -> bool {
    let functions = names.program.functions.iter().enumerate().filter(|(index, _)| names.life().is_run[*index]);
    let mut written = None;
    functions.into_iter().all(|(index, function)| {
        let mut open = function.edges.iter().filter(|edge| matches!(edge.action, Action::Unsupported(_)));
        open.all(|edge| {
            let written = written.get_or_insert_with(|| Written::of(names));
            is_never_reached(names, written, FunctionId::new(index), function, edge)
        })
    })
}

/// By field, where it may be written, or begins as something other than 0.
struct Written {
    targets: FxHashMap<GhostField, Vec<SharedTargets>>,
}

impl Written {
    fn of(names: &Names<'_>) -> Written {
        let mut written = Written { targets: FxHashMap::default() };
        for (index, object) in names.program.objects.iter().enumerate() {
            for (offset, field, _) in &object.initial_ghosts {
                let offset = Offset { start: i64::try_from(*offset).unwrap_or(0), stride: 0 };
                let target = Target { object: AbstractObject::Static(ObjectId::new(index)), offset };
                written.targets.entry(*field).or_default().push(SharedTargets::single(target));
            }
        }
        for (index, function) in names.program.functions.iter().enumerate() {
            for touch in function.edges.iter().flat_map(|edge| edge.action.touches()) {
                if let (Touched::Ghost(field), AccessKind::Write) = (touch.what, touch.mode.kind) {
                    let targets = written.targets.entry(field).or_default();
                    let new = names.targets(FunctionId::new(index), touch.address);
                    if !targets.contains(&new) {
                        targets.push(new);
                    }
                }
            }
        }
        written
    }
}

/// Whether all ways to an edge are branches that need something other than 0 where nobody writes.
fn is_never_reached(names: &Names<'_>, written: &Written, id: FunctionId, function: &Function, edge: &Edge) -> bool {
    edge.source != function.entry
        && into(function, edge.source).all(|branch| is_never_taken(names, written, id, function, branch))
}

fn is_never_taken(names: &Names<'_>, written: &Written, id: FunctionId, function: &Function, branch: &Edge) -> bool {
    let Action::Assume(condition) = &branch.action else { return false };
    let mut looks = into(function, branch.source);
    let (Some(look), None) = (looks.next(), looks.next()) else { return false };
    let is_zero = |register: RegisterId| {
        let mut steps = look.action.steps().iter().filter(|step| step.assigned() == Some(register));
        match (steps.next(), steps.next()) {
            (Some(AtomicStep::Read { access, .. }), None) => match &access.place {
                Place::Ghost { address, field } if !field.belongs_to_thread() => {
                    let targets = names.targets(id, address);
                    let mut all = written.targets.get(field).into_iter().flatten();
                    !all.any(|other| names.may_alias(&targets, other))
                }
                Place::Ghost { .. } | Place::Memory { .. } => false,
            },
            _ => false,
        }
    };
    let condition = condition.substitute(&mut |register, width| {
        if is_zero(register) { Expr::constant(width, 0) } else { Expr::register(register, width) }
    });
    branch.source != function.entry && condition == Expr::falsehood()
}

/// The edges that lead to a location.
fn into(function: &Function, location: LocationId) -> impl Iterator<Item = &Edge> {
    function.edges.iter().filter(move |edge| edge.target == location && edge.action.falls_through())
}
