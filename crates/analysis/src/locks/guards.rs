//! By which lock the accesses to each shared object, and to its fields, are guarded. No verdict: an access without the
//! lock may be kept apart by other means, and two accesses under the lock are to the same place only if that place lies
//! the same way to it.

use super::Guard;
use crate::{AbstractObject, AccessSite, Facts, Field, Parallel, Target};
use selvedge_program::{AccessKind, AccessMode, CodeLocation, EdgeId, Exhausted, FunctionId, LockMode, Touched};
use std::collections::{BTreeMap, BTreeSet};

/// How an object is guarded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guarded {
    /// The lock that most accesses have, if any has one.
    pub guard: Option<Guard>,
    /// How many accesses there are while other threads may be alive.
    pub accesses: usize,
    /// How many of these write.
    pub writes: usize,
    /// Those without that lock.
    pub without: Vec<AccessSite>,
}

/// How the shared objects are guarded.
///
/// # Errors
/// The limit that was reached before what is needed for it was found.
pub fn guarded(facts: &Facts, parallel: &Parallel) -> Result<BTreeMap<AbstractObject, Guarded>, Exhausted> {
    by(facts, parallel, &mut |same, _, visit| visit(same[0].object))
}

/// How the fields of the shared objects are guarded, as far as they are accessed at all.
///
/// # Errors
/// As above.
pub fn guarded_fields(
    facts: &Facts,
    parallel: &Parallel,
) -> Result<BTreeMap<(AbstractObject, Field), Guarded>, Exhausted> {
    let mut known: BTreeMap<AbstractObject, Vec<Field>> = BTreeMap::new();
    by(facts, parallel, &mut |same, what, visit| {
        let object = same[0].object;
        let find = || Field::of(facts.program(), object).into_iter().map(|(field, _)| field).collect();
        for field in known.entry(object).or_insert_with(find) {
            let is_it = |target: &Target| match what {
                Touched::Bytes(size) => field.overlaps(target.offset, size),
                Touched::CString | Touched::Whole | Touched::Ghost(_) => true,
            };
            if same.iter().any(is_it) {
                visit((object, *field));
            }
        }
    })
}

/// What of an object is meant by an access with these targets.
type Meant<'a, K> = &'a mut dyn FnMut(&[Target], Touched, &mut dyn FnMut(K));

fn by<K: Ord>(facts: &Facts, parallel: &Parallel, meant: Meant<'_, K>) -> Result<BTreeMap<K, Guarded>, Exhausted> {
    let (program, points_to, sharing) = (facts.program(), facts.points_to()?, facts.sharing()?);
    let (locksets, reach) = (facts.locksets()?, facts.reach()?);
    let mut accesses: BTreeMap<K, BTreeMap<AccessSite, BTreeSet<Guard>>> = BTreeMap::new();
    for (index, function) in program.functions.iter().enumerate() {
        let id = FunctionId::new(index);
        for (position, edge) in function.edges.iter().enumerate() {
            let at = CodeLocation { function: id, location: edge.source };
            if !reach.is_reached(at) || !super::has_company(parallel, at) {
                continue;
            }
            let touches = edge.action.touches().into_iter();
            for touch in touches.filter(|touch| !matches!(touch.what, Touched::Ghost(_))) {
                let AccessMode { kind, atomicity } = touch.mode;
                let site = AccessSite { function: id, edge: EdgeId::new(position), kind, atomicity };
                let suffices = |mode: LockMode| kind == AccessKind::Read || mode == LockMode::Exclusive;
                let guards = locksets.guards(at, &touch).into_iter();
                let guards: BTreeSet<Guard> =
                    guards.filter(|(_, mode)| suffices(*mode)).map(|(guard, _)| guard).collect();
                let targets = points_to.shared_targets_of(id, touch.address);
                for same in targets.chunk_by(|a, b| a.object == b.object) {
                    if sharing.shared.contains_key(&same[0].object) {
                        meant(same, touch.what, &mut |key| {
                            accesses.entry(key).or_default().insert(site, guards.clone());
                        });
                    }
                }
            }
        }
    }
    Ok(accesses.into_iter().map(|(key, sites)| (key, most(&sites))).collect())
}

fn most(sites: &BTreeMap<AccessSite, BTreeSet<Guard>>) -> Guarded {
    let mut counts: BTreeMap<Guard, usize> = BTreeMap::new();
    sites.values().flatten().for_each(|guard| *counts.entry(*guard).or_default() += 1);
    let guard =
        counts.into_iter().max_by_key(|(guard, count)| (*count, std::cmp::Reverse(*guard))).map(|(guard, _)| guard);
    let lacks = |guards: &BTreeSet<Guard>| guard.is_none_or(|guard| !guards.contains(&guard));
    let without = sites.iter().filter(|(_, guards)| lacks(guards)).map(|(site, _)| *site).collect();
    let writes = sites.keys().filter(|site| site.kind == AccessKind::Write).count();
    Guarded { guard, accesses: sites.len(), writes, without }
}
