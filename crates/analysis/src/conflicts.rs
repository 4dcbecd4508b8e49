//! Conflicts: pairs of accesses to a shared object that may happen in parallel, at least one of them writing and not
//! both atomic.
//!
//! An over-approximation of the races: a pair that is not here does not race. Locks are not looked at.

use crate::points_to::SharedTargets;
use crate::{AbstractObject, Offset, Parallel, PointsTo, Sharing, TemplateId, ThreadPlace};
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};
use selvedge_program::{AccessKind, AccessMode, Atomicity, Budget, EdgeId, Exhausted, FunctionId, Program, Touched};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

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
    /// For every shared object, the conflicting pairs, each once with the smaller site first. An object with none has
    /// no race.
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

/// Objects with more accesses than this, each counted for every template of threads that makes it, are not looked at
/// pair by pair.
const MOST_ACCESSES: usize = 1500;

#[derive(Clone, Copy, Debug)]
struct Sighting {
    site: AccessSite,
    what: Touched,
    offset: Offset,
    size: u64,
    template: TemplateId,
}

impl Conflicts {
    /// Finds the conflicts on the shared objects.
    ///
    /// # Errors
    /// When the budget is used up.
    pub fn of(
        program: &Program,
        points_to: &PointsTo,
        parallel: &Parallel,
        sharing: &Sharing,
        budget: &Budget,
    ) -> Result<Conflicts, Exhausted> {
        let mut runners: BTreeMap<FunctionId, Vec<TemplateId>> = BTreeMap::new();
        for (template, definition) in parallel.threads().ids().zip(&parallel.threads().templates) {
            definition.functions.iter().for_each(|function| runners.entry(*function).or_default().push(template));
        }
        let groups = Groups::of(program, points_to, &runners);
        let of_object = sharing.shared.iter().map(|(object, used)| {
            let found = match groups.of_object(*object, used.is_freed) {
                Ok(sightings) => pairs(program, parallel, &sightings, budget)?,
                Err(accesses) => Found::TooMany { accesses },
            };
            Ok((*object, found))
        });
        Ok(Conflicts { of_object: of_object.collect::<Result<_, _>>()? })
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

/// Accesses whose addresses may point to the same.
struct Group {
    targets: SharedTargets,
    accesses: Vec<(AccessSite, Touched)>,
    /// How many there are, and how many counted for every template of threads that makes them: of bytes, and of what
    /// the library keeps.
    bytes: (usize, usize),
    ghosts: (usize, usize),
}

impl Group {
    fn of(
        targets: SharedTargets,
        accesses: Vec<(AccessSite, Touched)>,
        runners: &BTreeMap<FunctionId, Vec<TemplateId>>,
    ) -> Group {
        let (mut bytes, mut ghosts) = ((0, 0), (0, 0));
        for (site, what) in &accesses {
            let counts = if matches!(what, Touched::Ghost(_)) { &mut ghosts } else { &mut bytes };
            counts.0 += 1;
            counts.1 += runners[&site.function].len();
        }
        Group { targets, accesses, bytes, ghosts }
    }
}

/// The targets of a group that are in one object.
struct Part {
    group: usize,
    targets: Range<usize>,
}

/// All groups.
struct Groups<'a> {
    runners: &'a BTreeMap<FunctionId, Vec<TemplateId>>,
    all: Vec<Group>,
    /// By object, the groups that may access it, with where in it they may.
    of_object: FxHashMap<AbstractObject, Vec<Part>>,
}

impl<'a> Groups<'a> {
    fn of(program: &Program, points_to: &PointsTo, runners: &'a BTreeMap<FunctionId, Vec<TemplateId>>) -> Groups<'a> {
        let mut all: IndexMap<SharedTargets, Vec<(AccessSite, Touched)>, FxBuildHasher> = IndexMap::default();
        for function in runners.keys().copied() {
            for (index, edge) in program.function(function).edges.iter().enumerate() {
                for touch in edge.action.touches() {
                    let AccessMode { kind, atomicity } = touch.mode;
                    let site = AccessSite { function, edge: EdgeId::new(index), kind, atomicity };
                    let targets = points_to.shared_targets_of(function, touch.address);
                    all.entry(targets).or_default().push((site, touch.what));
                }
            }
        }
        let mut of_object: FxHashMap<AbstractObject, Vec<Part>> = FxHashMap::default();
        for (group, targets) in all.keys().enumerate() {
            let mut first = 0;
            for same in targets.chunk_by(|a, b| a.object == b.object) {
                let end = first + same.len();
                of_object.entry(same[0].object).or_default().push(Part { group, targets: first..end });
                first = end;
            }
        }
        let group = |(targets, accesses)| Group::of(targets, accesses, runners);
        Groups { runners, all: all.into_iter().map(group).collect(), of_object }
    }

    /// All accesses to an object; how many there are if they are too many. What the library keeps counts only if it can
    /// be freed.
    fn of_object(&self, object: AbstractObject, is_freed: bool) -> Result<Vec<Sighting>, usize> {
        let parts = || self.of_object.get(&object).into_iter().flatten().map(|part| (&self.all[part.group], part));
        let (mut sites, mut count) = (0, 0);
        for (group, part) in parts() {
            let kinds = if is_freed { [group.bytes, group.ghosts] } else { [group.bytes, (0, 0)] };
            sites += kinds[0].0 + kinds[1].0;
            count += (kinds[0].1 + kinds[1].1) * part.targets.len();
        }
        if count > MOST_ACCESSES {
            return Err(sites);
        }
        let mut sightings = Vec::with_capacity(count);
        let matters = |what: Touched| is_freed || !matches!(what, Touched::Ghost(_));
        for (group, part) in parts() {
            for (site, what) in group.accesses.iter().filter(|(_, what)| matters(*what)) {
                for target in &group.targets[part.targets.clone()] {
                    let offset = if *what == Touched::CString { Offset::ANY } else { target.offset };
                    let size = if let Touched::Bytes(size) = what { *size } else { 1 };
                    let of_template = |template: &TemplateId| Sighting {
                        site: *site,
                        what: *what,
                        offset,
                        size,
                        template: *template,
                    };
                    sightings.extend(self.runners[&site.function].iter().map(of_template));
                }
            }
        }
        Ok(sightings)
    }
}

impl Sighting {
    /// Whether two accesses to one object may have something in common. What the library keeps is always accessed as it
    /// should be, until the object's life ends.
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

fn pairs(program: &Program, parallel: &Parallel, sightings: &[Sighting], budget: &Budget) -> Result<Found, Exhausted> {
    let place = |sighting: &Sighting| {
        let AccessSite { function, edge, .. } = sighting.site;
        ThreadPlace { template: sighting.template, function, location: program.function(function).edge(edge).source }
    };
    let mut found = BTreeSet::new();
    for (position, a) in sightings.iter().enumerate() {
        budget.check()?;
        for b in &sightings[position..] {
            let may_race = a.site.mode().races_with(b.site.mode()) && a.may_overlap(b);
            if may_race && parallel.may_happen_in_parallel(place(a), place(b)) {
                found.insert((a.site.min(b.site), a.site.max(b.site)));
            }
        }
    }
    Ok(Found::Pairs(found))
}
