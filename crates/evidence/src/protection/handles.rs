//! For which threads the initial thread's joins wait: those whose handles may be in the register, if that is certainly
//! one that a start has left there and not what was in memory before.
//!
//! That of an array's elements is shown by loops of one course: where one loop starts a thread for each element and
//! another one goes through the elements in the same way after it, every element that the second one reads has been
//! written.

use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_analysis::{AbstractObject, Offset};
use selvedge_program::{AccessKind, Action, Budget, EdgeId, Exhausted, Expr, Function, FunctionId, Place, RegisterId};

use super::Addresses;
use super::beside::{Joins, Threads};
use super::names::Names;
use super::rounds::{Counted, Courses, is_reached};
use super::settled::Settled;

/// The joins of which that is known.
///
/// # Errors
/// When the budget is used up.
pub fn joins<'a, 'p>(
    names: &'a Names<'p>,
    courses: &mut Courses<'a, 'p>,
    settled: &mut Settled<'a, 'p>,
    addresses: Addresses,
    budget: &Budget,
) -> Result<Joins, Exhausted> {
    let life = names.life();
    let number = |site: &selvedge_analysis::SpawnSite| {
        let mut starts = (1u32..).zip(&life.starts);
        starts
            .find(|(_, (function, edge, _))| (*function, *edge) == (site.function, site.edge))
            .map(|(number, _)| number)
    };
    let mut loops: FxHashMap<FunctionId, Vec<Counted>> = FxHashMap::default();
    let mut joins = Joins::default();
    for (index, function) in names.program.functions.iter().enumerate() {
        let id = FunctionId::new(index);
        if !life.runners(id).contains(&0) {
            continue;
        }
        for (position, edge) in function.edges.iter().enumerate() {
            let Some(handle) = edge.action.joined_thread() else { continue };
            let Some(sites) = names.points_to.threads(id, handle) else { continue };
            let threads: Option<Threads> = sites.iter().map(number).collect();
            let Some(threads) = threads.filter(|threads| !threads.is_empty()) else { continue };
            let is_certain = match addresses {
                // Who waits for a thread out of nothing uses an address out of nothing.
                Addresses::Assumed => true,
                Addresses::Made => {
                    let mut handles: Vec<(FunctionId, RegisterId)> = Vec::new();
                    handle.for_each_register(&mut |register| handles.push((id, register)));
                    let open = settled.open(&handles, budget)?;
                    open.iter().all(|(function, load)| {
                        let loops = loops.entry(*function).or_insert_with(|| courses.loops(*function));
                        is_filled(names, courses, loops, *function, *load)
                    })
                }
            };
            if is_certain {
                joins.insert((id, EdgeId::new(position)), threads);
            }
        }
    }
    Ok(joins)
}

/// Whether what a load finds in an array has been written by a loop that starts threads.
fn is_filled(
    names: &Names<'_>,
    courses: &mut Courses<'_, '_>,
    loops: &[Counted],
    id: FunctionId,
    load: EdgeId,
) -> bool {
    let function = names.program.function(id);
    let edge = function.edge(load);
    let Action::Load { access, .. } = &edge.action else { return false };
    let Place::Memory { address, size, .. } = &access.place else { return false };
    let Some(reading) = loops.iter().find(|counted| counted.is_inside(edge.source)) else { return false };
    let Some(read) = courses.in_round(id, reading, load, address) else { return false };
    let objects = names.targets(id, address);
    let [first, ..] = &*objects else { return false };
    let object = first.object;
    objects.iter().all(|target| target.object == object)
        && are_only_handles(names, object, *size)
        && loops.iter().any(|filling| {
            filling.course == reading.course
                && is_after(function, filling, reading)
                && is_kept(function, id, filling, object)
                && starts(function).any(|(start, stored)| {
                    filling.passes(function, start)
                        && courses.in_round(id, filling, start, stored).as_ref() == Some(&read)
                })
        })
}

/// The starts of a function that store a handle, and where.
fn starts(function: &Function) -> impl Iterator<Item = (EdgeId, &Expr)> {
    function.edges.iter().enumerate().filter_map(|(index, edge)| match &edge.action {
        Action::Spawn { id: Some(access), .. } => match &access.place {
            Place::Memory { address, .. } => Some((EdgeId::new(index), address)),
            Place::Ghost { .. } => None,
        },
        _ => None,
    })
}

/// Whether one loop has been left after its last round whenever another one is reached.
fn is_after(function: &Function, filling: &Counted, reading: &Counted) -> bool {
    let everywhere = vec![true; function.locations.len()];
    reading.header != function.entry
        && !is_reached(function, &everywhere, function.entry, reading.header, filling.leave)
}

/// Whether an object keeps what a loop writes to it: if it is a local of the function, its declaration is not reached
/// again.
fn is_kept(function: &Function, id: FunctionId, filling: &Counted, object: AbstractObject) -> bool {
    let everywhere = vec![true; function.locations.len()];
    let forgets = |edge: &&selvedge_program::Edge| match (&edge.action, object) {
        (Action::Forget { object: local }, AbstractObject::Frame(of, other)) => of == id && *local == other,
        _ => false,
    };
    let never = EdgeId::new(function.edges.len());
    let mut declared = function.edges.iter().filter(forgets);
    match object {
        AbstractObject::Frame(of, _) => {
            of == id
                && !declared.any(|edge| {
                    edge.source == filling.header
                        || is_reached(function, &everywhere, filling.header, edge.source, never)
                })
        }
        AbstractObject::Site(_) | AbstractObject::Static(_) => true,
        AbstractObject::Function(_) | AbstractObject::Thread | AbstractObject::Started(_) => false,
    }
}

/// The starts that leave the handle of the thread where nothing but handles is ever left.
pub fn kept_handles(names: &Names<'_>) -> FxHashSet<(FunctionId, EdgeId)> {
    let mut known: FxHashMap<(AbstractObject, u32), bool> = FxHashMap::default();
    let mut kept = FxHashSet::default();
    for (function, edge, _) in &names.life().starts {
        let Action::Spawn { id: Some(access), .. } = &names.program.function(*function).edge(*edge).action else {
            continue;
        };
        let Place::Memory { address, size, .. } = &access.place else { continue };
        let targets = names.targets(*function, address);
        let mut is_kept =
            |object| *known.entry((object, *size)).or_insert_with(|| are_only_handles(names, object, *size));
        if !targets.is_empty() && targets.iter().all(|target| is_kept(target.object)) {
            kept.insert((*function, *edge));
        }
    }
    kept
}

/// Whether all that is ever written to an object are handles of threads, each where one can be.
fn are_only_handles(names: &Names<'_>, object: AbstractObject, size: u32) -> bool {
    let is_place = |offset: Offset| {
        let size = u64::from(size);
        offset.start.rem_euclid(size as i64) == 0 && offset.stride.is_multiple_of(size)
    };
    let functions = names.program.functions.iter().enumerate();
    let mut edges = functions.flat_map(|(index, function)| function.edges.iter().map(move |edge| (index, edge)));
    edges.all(|(index, edge)| {
        let id = FunctionId::new(index);
        let is_start = matches!(edge.action, Action::Spawn { .. });
        edge.action.touches().iter().filter(|touch| touch.mode.kind == AccessKind::Write).all(|touch| {
            let frees = matches!(touch.what, selvedge_program::Touched::Whole);
            let targets = names.targets(id, touch.address);
            let mut there = targets.iter().filter(|target| target.object == object);
            frees || there.all(|target| is_start && is_place(target.offset))
        })
    })
}
