//! Conflicts: pairs of accesses to a shared object that may happen in parallel, at least one of them writing and not both atomic.
//!
//! An over-approximation of the races: a pair that is not here does not race. Locks are not looked at.

use crate::{AbstractObject, ClassId, Offset, Parallel, PointsTo, Sharing, ThreadPlace};
use selvedge_program::{AccessKind, AccessMode, Atomicity, EdgeId, FunctionId, Program, Touched};
use std::collections::{BTreeMap, BTreeSet};

/// An access to an object, in the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AccessSite {
    /// The function it is in.
    pub function: FunctionId,
    /// The edge.
    pub edge: EdgeId,
    /// Reading or writing.
    pub kind: AccessKind,
    /// Whether it takes part in synchronisation.
    pub atomicity: Atomicity,
}

impl AccessSite {
    /// How the object is accessed.
    pub fn mode(&self) -> AccessMode {
        AccessMode { kind: self.kind, atomicity: self.atomicity }
    }
}

/// What may be accessed in parallel.
#[derive(Clone, Debug, Default)]
pub struct Conflicts {
    /// For every shared object, the conflicting pairs, each once with the smaller site first. An object with none has no race.
    pub of_object: BTreeMap<AbstractObject, Found>,
}

/// The conflicts on an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// All of them.
    Pairs(BTreeSet<(AccessSite, AccessSite)>),
    /// There are too many accesses to look at all pairs.
    TooMany {
        /// How many accesses, however many threads make them.
        accesses: usize,
    },
}

/// Objects with more accesses than this, each counted for every class of threads that makes it, are not looked at pair by pair.
const MOST_ACCESSES: usize = 1500;

#[derive(Clone, Copy, Debug)]
struct Sighting {
    site: AccessSite,
    what: Touched,
    offset: Offset,
    size: u64,
    class: ClassId,
}

impl Conflicts {
    /// Finds the conflicts on the shared objects.
    pub fn of(program: &Program, points_to: &PointsTo, parallel: &Parallel, sharing: &Sharing) -> Conflicts {
        let mut sightings: BTreeMap<AbstractObject, Vec<Sighting>> =
            sharing.shared.keys().map(|object| (*object, Vec::new())).collect();
        let mut runners: BTreeMap<FunctionId, Vec<ClassId>> = BTreeMap::new();
        for (class, definition) in parallel.classes().ids().zip(&parallel.classes().all) {
            definition.functions.iter().for_each(|function| runners.entry(*function).or_default().push(class));
        }
        for (function, classes) in runners {
            for (object, seen) in accesses(program, points_to, function) {
                let Some(found) = sightings.get_mut(&object) else { continue };
                found.extend(classes.iter().map(|class| Sighting { class: *class, ..seen }));
            }
        }
        let of_object = sightings.into_iter().map(|(object, found)| (object, pairs(program, parallel, &found)));
        Conflicts { of_object: of_object.collect() }
    }

    /// Whether two accesses of the object may race.
    pub fn may_race(&self, object: AbstractObject) -> bool {
        match self.of_object.get(&object) {
            None => false,
            Some(Found::Pairs(pairs)) => !pairs.is_empty(),
            Some(Found::TooMany { .. }) => true,
        }
    }
}

/// The accesses that a function itself makes, as if by the initial thread.
fn accesses(program: &Program, points_to: &PointsTo, function: FunctionId) -> Vec<(AbstractObject, Sighting)> {
    let mut found = Vec::new();
    for (index, edge) in program.function(function).edges.iter().enumerate() {
        for touch in edge.action.touches() {
            let size = match touch.what {
                Touched::Bytes(size) => size,
                Touched::CString | Touched::Ghost(_) | Touched::Whole => 1,
            };
            let AccessMode { kind, atomicity } = touch.mode;
            let site = AccessSite { function, edge: EdgeId::new(index), kind, atomicity };
            for target in points_to.targets_of(function, touch.address) {
                let offset = if touch.what == Touched::CString { Offset::ANY } else { target.offset };
                found.push((target.object, Sighting { site, what: touch.what, offset, size, class: ClassId::MAIN }));
            }
        }
    }
    found
}

impl Sighting {
    /// Whether two accesses to one object may have something in common. What the library keeps is always accessed as it should be,
    /// until the object's life ends.
    fn may_overlap(&self, other: &Sighting) -> bool {
        match (self.what, other.what) {
            (Touched::Whole, _) | (_, Touched::Whole) => true,
            (Touched::Ghost(_), _) | (_, Touched::Ghost(_)) => false,
            (Touched::Bytes(_) | Touched::CString, Touched::Bytes(_) | Touched::CString) => {
                self.offset.may_overlap(self.size, other.offset, other.size)
            }
        }
    }
}

fn pairs(program: &Program, parallel: &Parallel, sightings: &[Sighting]) -> Found {
    let is_freed = sightings.iter().any(|sighting| sighting.what == Touched::Whole);
    let sightings: Vec<Sighting> =
        sightings.iter().filter(|sighting| is_freed || !matches!(sighting.what, Touched::Ghost(_))).copied().collect();
    if sightings.len() > MOST_ACCESSES {
        let sites: BTreeSet<AccessSite> = sightings.iter().map(|sighting| sighting.site).collect();
        return Found::TooMany { accesses: sites.len() };
    }
    let place = |sighting: &Sighting| {
        let AccessSite { function, edge, .. } = sighting.site;
        ThreadPlace { class: sighting.class, function, location: program.function(function).edge(edge).source }
    };
    let mut found = BTreeSet::new();
    for (position, a) in sightings.iter().enumerate() {
        for b in &sightings[position..] {
            let may_race = a.site.mode().races_with(b.site.mode()) && a.may_overlap(b);
            if may_race && parallel.may_happen_in_parallel(place(a), place(b)) {
                found.insert((a.site.min(b.site), a.site.max(b.site)));
            }
        }
    }
    Found::Pairs(found)
}
