//! May happen in parallel: which places two threads can be at in the same state. An over-approximation: what is said not to happen in
//! parallel does not; what is said to may still be kept apart by locks, conditions or values, which this analysis does not look at.
//!
//! A *place* is a thread class (the initial thread, or the threads of one spawn) and a location. For every place the analysis has the
//! classes of which another thread may be alive there; two places may be parallel if each has the other's class in its set.
//!
//! **The argument.** Let a thread of class C stand at a location. The others alive are of one of two kinds.
//! - *Started by it*, directly or by its descendants. A class *owns* those that no other class starts. Of the classes it owns, a
//!   thread counts the threads it has started less those it has joined. A join takes a thread that has ended and has not been joined
//!   (see [`crate::joins`]; joining twice is undefined, where an execution ends), so the sum of these counts over all threads of C bounds
//!   the number of unjoined ones. If C has but one thread, its own count is that sum, and at 0 all that it started of that class
//!   have ended. If C has several, that is only said after the end of them all (until then each has the others' children among
//!   those it did not start). What an ended thread left running is what it had not joined at its end. Everything else that was
//!   started counts as alive for ever.
//! - *Not started by it*: whoever was alive at its start (its parent, and whatever was alive beside its parent at the spawn) or is started
//!   by one of those since. Such a class leaves the set only if it has but one thread, which this one joins.
//!
//! Besides, of two threads one is started while the other is alive, so that one's class is alive beside the parent at the
//! other's spawn. Threads that follow each other (start, join, start, join) are told apart by that.
//!
//! **What is not seen.** A handle variable that takes threads of several spawns one after the other makes a join that may wait for
//! any of them; then only their total is known. Calls of a function are not told apart within it. Loops count only if their
//! number of rounds is a constant. What a thread has joined is not known to those who join that thread, its own children
//! apart. Detached threads never end, as far as this analysis knows.

mod classes;
mod count;
mod effects;
mod flow;
mod loops;
mod set;

pub use classes::{ClassId, Classes, ThreadClass};
pub use set::ClassSet;

use crate::PointsTo;
use crate::call_graph::CallGraph;
use effects::{Effects, Joins, Quantity};
use flow::{Code, Counts, Flow};
use rustc_hash::FxHashMap;
use selvedge_program::{Action, FunctionId, LocationId, Program};
use std::collections::BTreeMap;

/// A location that a thread of some class may be at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ThreadPlace {
    /// The thread's class.
    pub class: ClassId,
    /// The function it is in.
    pub function: FunctionId,
    /// The location in the function.
    pub location: LocationId,
}

/// What may happen in parallel.
#[derive(Clone, Debug)]
pub struct Parallel {
    classes: Classes,
    /// By class and function.
    places: Vec<BTreeMap<FunctionId, Beside>>,
    /// The sets that `places` names.
    sets: Vec<ClassSet>,
    /// By class, those that may be alive beside it at some time.
    meeting: Vec<ClassSet>,
}

/// Who may be alive while a thread is in a function.
#[derive(Clone, Debug)]
enum Beside {
    /// The same wherever it is.
    Everywhere(SetId),
    /// By location; `None` where it never is.
    ByLocation(Vec<Option<SetId>>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct SetId(u32);

impl Parallel {
    /// Analyses a program. `None` for a program without a `main`.
    pub fn of(program: &Program, points_to: &PointsTo) -> Option<Parallel> {
        let graph = &CallGraph::of(program, points_to);
        let classes = Classes::of(program, graph)?;
        let joins = Joins::of(program, points_to, &classes);
        let mut flows = Vec::new();
        for class in classes.ids() {
            let effects = Effects::of(graph, &classes, &joins, class);
            let flow = Flow::of(Code { program, points_to, graph }, &classes, &effects, class);
            flows.push((effects, flow));
        }
        let left = leftovers(program, &classes, &flows);
        let only_below = classes.ids().map(|class| classes.only_below(class)).collect();
        let lives = Lives { classes: &classes, flows: &flows, left, only_below };
        let others = lives.others();
        let meeting = lives.meeting(&others);
        let mut table = Table::default();
        let places = classes.ids().map(|class| table.places(program, &lives, &others, &meeting, class)).collect();
        let sets = table.sets;
        Some(Parallel { classes, places, sets, meeting })
    }

    /// The thread classes.
    pub fn classes(&self) -> &Classes {
        &self.classes
    }

    /// The classes of which another thread may be alive while a thread is at a place; `None` if no thread ever is there.
    pub fn beside(&self, place: ThreadPlace) -> Option<&ClassSet> {
        let set = match self.places.get(place.class.index())?.get(&place.function)? {
            Beside::Everywhere(set) => *set,
            Beside::ByLocation(sets) => (*sets.get(place.location.index())?)?,
        };
        self.sets.get(set.0 as usize)
    }

    /// Whether two different threads may be at two places in the same state.
    pub fn may_happen_in_parallel(&self, a: ThreadPlace, b: ThreadPlace) -> bool {
        self.beside(a).is_some_and(|beside| beside.contains(b.class))
            && self.beside(b).is_some_and(|beside| beside.contains(a.class))
    }

    /// The classes of which a thread may be alive beside one of this class at some time.
    pub fn meets(&self, class: ClassId) -> &ClassSet {
        &self.meeting[class.index()]
    }

    /// Whether two different threads, of whatever classes, may be at two locations in the same state.
    pub fn locations_may_be_parallel(&self, a: (FunctionId, LocationId), b: (FunctionId, LocationId)) -> bool {
        let places = |(function, location): (FunctionId, LocationId)| {
            self.classes.ids().map(move |class| ThreadPlace { class, function, location })
        };
        places(a).any(|a| places(b).any(|b| self.may_happen_in_parallel(a, b)))
    }
}

/// For every class, which of its descendants may be alive after its end, its own threads having been joined.
///
/// Owners come after what they own, so each finds what its children leave.
fn leftovers(program: &Program, classes: &Classes, flows: &[(Effects, Flow)]) -> Vec<ClassSet> {
    let mut left = classes.descendants.clone();
    for class in owned_first(classes) {
        let (effects, flow) = &flows[class.index()];
        let mut found = ClassSet::default();
        for function in &classes.get(class).functions {
            let is_entry = classes.get(class).entries.contains(function);
            for edge in &program.function(*function).edges {
                let ends = matches!(edge.action, Action::ThreadExit { .. })
                    || is_entry && matches!(edge.action, Action::Return { .. });
                if let Some(counts) = ends.then(|| flow.at(*function, edge.source)).flatten() {
                    found.add(&started(classes, effects, &counts, &left));
                }
            }
        }
        left[class.index()] = found;
    }
    left
}

/// All classes, those with an owner before that.
fn owned_first(classes: &Classes) -> Vec<ClassId> {
    let mut order = vec![ClassId::MAIN];
    order.extend(classes.ids().filter(|class| *class != ClassId::MAIN && classes.owner(*class).is_none()));
    let mut next = 0;
    while let Some(owner) = order.get(next).copied() {
        order.extend(classes.ids().filter(|class| classes.owner(*class) == Some(owner)));
        next += 1;
    }
    order.reverse();
    order
}

/// Of the classes that a thread has started, and their descendants, those that may be alive.
fn started(classes: &Classes, effects: &Effects, counts: &Counts, left: &[ClassSet]) -> ClassSet {
    let mut alive = ClassSet::default();
    let counted = || effects.quantities.iter().zip(counts);
    for (quantity, count) in counted() {
        let Quantity::Started(class) = quantity else { continue };
        if *count == 0 {
            continue;
        }
        let ended = counted()
            .any(|(quantity, count)| matches!(quantity, Quantity::Unjoined(of) if *count <= 0 && of.contains(*class)));
        if ended {
            alive.add(&left[class.index()]);
        } else {
            alive.insert(*class);
            alive.add(&classes.descendants[class.index()]);
        }
    }
    alive
}

struct Lives<'a> {
    classes: &'a Classes,
    flows: &'a [(Effects, Flow)],
    left: Vec<ClassSet>,
    /// By class, those that only its threads and their descendants can start.
    only_below: Vec<ClassSet>,
}

impl Lives<'_> {
    /// The classes of which another thread may be alive beside one with these counts. `others`: those that it did not start.
    fn alive(&self, class: ClassId, counts: &Counts, others: &ClassSet) -> ClassSet {
        let effects = &self.flows[class.index()].0;
        let gone = effects.quantities.iter().zip(counts).filter_map(|(quantity, count)| match quantity {
            Quantity::Running(other) if *count <= 0 => Some(*other),
            _ => None,
        });
        let mut alive = others.clone();
        alive.without(&gone.collect());
        alive.add(&started(self.classes, effects, counts, &self.left));
        if self.classes.is_once(class) {
            alive.remove(class);
        }
        alive
    }

    /// For every class, those of which a thread may be alive beside it that it has not started, at its start or later.
    fn others(&self) -> Vec<ClassSet> {
        let mut others = vec![ClassSet::default(); self.classes.all.len()];
        loop {
            let mut changed = false;
            for class in self.classes.ids() {
                let mut found = self.at_start(class, &others);
                for parent in &self.classes.get(class).parents {
                    found.add(&self.classes.descendants[parent.index()]);
                }
                if self.classes.is_once(class) {
                    found.remove(class);
                    found.without(&self.only_below[class.index()]);
                }
                changed |= others[class.index()].add(&found);
            }
            if !changed {
                return others;
            }
        }
    }

    /// The classes of which a thread may be alive when one of this class is started.
    fn at_start(&self, class: ClassId, others: &[ClassSet]) -> ClassSet {
        let mut found = ClassSet::default();
        let definition = self.classes.get(class);
        let Some(site) = definition.spawn else { return found };
        for parent in &definition.parents {
            let Some(counts) = self.spawn_counts(*parent, site) else { continue };
            found.add(&self.alive(*parent, &counts, &others[parent.index()]));
            found.insert(*parent);
        }
        if self.classes.is_once(class) {
            found.remove(class);
        }
        found
    }

    fn spawn_counts(&self, parent: ClassId, site: crate::SpawnSite) -> Option<Counts> {
        let source = self.classes.sources.get(&site)?;
        self.flows[parent.index()].1.at(site.function, *source)
    }

    /// For every class, those that are alive at its start or at whose start it is alive.
    fn meeting(&self, others: &[ClassSet]) -> Vec<ClassSet> {
        let mut meeting: Vec<ClassSet> = self.classes.ids().map(|class| self.at_start(class, others)).collect();
        for (position, first) in meeting.clone().iter().enumerate() {
            for other in first.iter() {
                meeting[other.index()].insert(ClassId::new(position));
            }
        }
        meeting
    }
}

/// The sets, each kept once.
#[derive(Default)]
struct Table {
    sets: Vec<ClassSet>,
    known: FxHashMap<ClassSet, SetId>,
}

impl Table {
    fn places(
        &mut self,
        program: &Program,
        lives: &Lives<'_>,
        others: &[ClassSet],
        meeting: &[ClassSet],
        class: ClassId,
    ) -> BTreeMap<FunctionId, Beside> {
        let flow = &lives.flows[class.index()].1;
        let mut by_counts: FxHashMap<Counts, SetId> = FxHashMap::default();
        let mut set = |counts: Counts| {
            *by_counts.entry(counts).or_insert_with_key(|counts| {
                let mut alive = lives.alive(class, counts, &others[class.index()]);
                alive.keep(&meeting[class.index()]);
                self.intern(alive)
            })
        };
        let mut places = BTreeMap::new();
        for (function, changes) in flow.functions() {
            let definition = program.function(function);
            let beside = if changes {
                let locations = (0..definition.locations.len()).map(LocationId::new);
                Beside::ByLocation(locations.map(|location| flow.at(function, location).map(&mut set)).collect())
            } else {
                let Some(counts) = flow.at(function, definition.entry) else { continue };
                Beside::Everywhere(set(counts))
            };
            places.insert(function, beside);
        }
        places
    }

    fn intern(&mut self, set: ClassSet) -> SetId {
        let sets = &mut self.sets;
        *self.known.entry(set).or_insert_with_key(|set| {
            sets.push(set.clone());
            SetId(u32::try_from(sets.len() - 1).unwrap_or(u32::MAX))
        })
    }
}
