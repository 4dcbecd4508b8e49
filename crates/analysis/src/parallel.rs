//! May happen in parallel: which places two threads can be at in the same state. An over-approximation: what is said
//! not to happen in parallel does not; what is said to may still be kept apart by locks, conditions or values, which
//! this analysis does not look at.
//!
//! A *place* is a thread template (the initial thread, or the threads of one spawn) and a location. For every place
//! the analysis has the templates of which another thread may be alive there; two places may be parallel if each has
//! the other's template in its set.
//!
//! **The argument.** Let a thread of template C stand at a location. The others alive are of one of two kinds.
//! - *Started by it*, directly or by its descendants. A template *owns* those that no other template starts. Of the
//!   templates it owns, a thread counts the threads it has started less those it has joined. A join takes a thread
//!   that has ended and has not been joined ([`Action::joined_thread`]; joining twice is undefined, where an execution
//!   ends), so the sum of these counts over all threads of C bounds the number of unjoined ones. If C has but one
//!   thread, its own count is that sum, and at 0 all that it started of that template have ended. If C has several,
//!   that is only said after the end of them all (until then each has the others' children among those it did not
//!   start). What an ended thread left running is what it had not joined at its end. Everything else that was started
//!   counts as alive for ever.
//! - *Not started by it*: whoever was alive at its start (its parent, and whatever was alive beside its parent at the
//!   spawn) or is started by one of those since. Such a template leaves the set only if it has but one thread, which
//!   this one joins.
//!
//! Besides, of two threads one is started while the other is alive, so that one's template is alive beside the parent
//! at the other's spawn. Threads that follow each other (start, join, start, join) are told apart by that.
//!
//! **What is not seen.** A handle variable that takes threads of several spawns one after the other makes a join that
//! may wait for any of them; then only their total is known. Calls of a function are not told apart within it. Loops
//! count only if their number of rounds is a constant. What a thread has joined is not known to those who join that
//! thread, its own children apart. Detached threads never end, as far as this analysis knows.

mod count;
mod effects;
mod flow;
mod loops;
mod set;

pub use set::TemplateSet;

use crate::call_graph::CallGraph;
use crate::{PointsTo, TemplateId, Threads};
use effects::{Effects, Joins, Quantity};
use flow::{Code, Counts, Flow};
use rustc_hash::FxHashMap;
use selvedge_program::{Action, Budget, Exhausted, FunctionId, LocationId, Program};
use std::collections::BTreeMap;

/// A location that a thread of some template may be at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ThreadPlace {
    /// The thread's template.
    pub template: TemplateId,
    /// The function it is in.
    pub function: FunctionId,
    /// The location in the function.
    pub location: LocationId,
}

/// What may happen in parallel.
#[derive(Clone, Debug)]
pub struct Parallel {
    threads: Threads,
    /// By template and function.
    places: Vec<BTreeMap<FunctionId, Beside>>,
    /// The sets that `places` names.
    sets: Vec<TemplateSet>,
    /// By template, those that may be alive beside it at some time.
    meeting: Vec<TemplateSet>,
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
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn within(
        program: &Program,
        points_to: &PointsTo,
        threads: &Threads,
        budget: &Budget,
    ) -> Result<Option<Parallel>, Exhausted> {
        if threads.templates.is_empty() {
            return Ok(None);
        }
        let graph = &CallGraph::of(program, points_to);
        let joins = Joins::of(program, points_to, threads);
        let mut flows = Vec::new();
        for template in threads.ids() {
            let effects = Effects::of(graph, threads, &joins, template);
            let flow = Flow::of(Code { program, graph }, threads, &effects, template, budget)?;
            flows.push((effects, flow));
        }
        let left = leftovers(program, threads, &flows);
        let only_below = threads.ids().map(|template| threads.only_below(template)).collect();
        let lives = Lives { threads, flows: &flows, left, only_below };
        let others = lives.others();
        let meeting = lives.meeting(&others);
        let mut table = Table::default();
        let places = threads.ids().map(|template| table.places(program, &lives, &others, &meeting, template)).collect();
        let sets = table.sets;
        Ok(Some(Parallel { threads: threads.clone(), places, sets, meeting }))
    }

    /// The thread templates.
    pub fn threads(&self) -> &Threads {
        &self.threads
    }

    /// The templates of which another thread may be alive while a thread is at a place; `None` if no thread ever is
    /// there.
    pub fn beside(&self, place: ThreadPlace) -> Option<&TemplateSet> {
        let set = match self.places.get(place.template.index())?.get(&place.function)? {
            Beside::Everywhere(set) => *set,
            Beside::ByLocation(sets) => (*sets.get(place.location.index())?)?,
        };
        self.sets.get(set.0 as usize)
    }

    /// Whether two different threads may be at two places in the same state.
    pub fn may_happen_in_parallel(&self, a: ThreadPlace, b: ThreadPlace) -> bool {
        self.beside(a).is_some_and(|beside| beside.contains(b.template))
            && self.beside(b).is_some_and(|beside| beside.contains(a.template))
    }

    /// The templates of which a thread may be alive beside one of this template at some time.
    pub fn meets(&self, template: TemplateId) -> &TemplateSet {
        &self.meeting[template.index()]
    }

    /// Whether two different threads, of whatever templates, may be at two locations in the same state.
    pub fn locations_may_be_parallel(&self, a: (FunctionId, LocationId), b: (FunctionId, LocationId)) -> bool {
        let places = |(function, location): (FunctionId, LocationId)| {
            self.threads.ids().map(move |template| ThreadPlace { template, function, location })
        };
        places(a).any(|a| places(b).any(|b| self.may_happen_in_parallel(a, b)))
    }
}

/// For every template, which of its descendants may be alive after its end, its own threads having been joined.
///
/// Owners come after what they own, so each finds what its children leave.
fn leftovers(program: &Program, threads: &Threads, flows: &[(Effects, Flow)]) -> Vec<TemplateSet> {
    let mut left = threads.descendants.clone();
    for template in owned_first(threads) {
        let (effects, flow) = &flows[template.index()];
        let mut found = TemplateSet::default();
        for function in &threads.get(template).functions {
            let is_entry = threads.get(template).entries.contains(function);
            for edge in &program.function(*function).edges {
                let ends = matches!(edge.action, Action::ThreadExit { .. })
                    || is_entry && matches!(edge.action, Action::Return { .. });
                if let Some(counts) = ends.then(|| flow.at(*function, edge.source)).flatten() {
                    found.add(&started(threads, effects, &counts, &left));
                }
            }
        }
        left[template.index()] = found;
    }
    left
}

/// All templates, those with an owner before that.
fn owned_first(threads: &Threads) -> Vec<TemplateId> {
    let mut order = vec![TemplateId::MAIN];
    order.extend(threads.ids().filter(|template| *template != TemplateId::MAIN && threads.owner(*template).is_none()));
    let mut next = 0;
    while let Some(owner) = order.get(next).copied() {
        order.extend(threads.ids().filter(|template| threads.owner(*template) == Some(owner)));
        next += 1;
    }
    order.reverse();
    order
}

/// Of the templates that a thread has started, and their descendants, those that may be alive.
fn started(threads: &Threads, effects: &Effects, counts: &Counts, left: &[TemplateSet]) -> TemplateSet {
    let mut alive = TemplateSet::default();
    let counted = || effects.quantities.iter().zip(counts);
    for (quantity, count) in counted() {
        let Quantity::Started(template) = quantity else { continue };
        if *count == 0 {
            continue;
        }
        let ended = counted().any(
            |(quantity, count)| matches!(quantity, Quantity::Unjoined(of) if *count <= 0 && of.contains(*template)),
        );
        if ended {
            alive.add(&left[template.index()]);
        } else {
            alive.insert(*template);
            alive.add(&threads.descendants[template.index()]);
        }
    }
    alive
}

struct Lives<'a> {
    threads: &'a Threads,
    flows: &'a [(Effects, Flow)],
    left: Vec<TemplateSet>,
    /// By template, those that only its threads and their descendants can start.
    only_below: Vec<TemplateSet>,
}

impl Lives<'_> {
    /// The templates of which another thread may be alive beside one with these counts. `others`: those that it did
    /// not start.
    fn alive(&self, template: TemplateId, counts: &Counts, others: &TemplateSet) -> TemplateSet {
        let effects = &self.flows[template.index()].0;
        let gone = effects.quantities.iter().zip(counts).filter_map(|(quantity, count)| match quantity {
            Quantity::Running(other) if *count <= 0 => Some(*other),
            _ => None,
        });
        let mut alive = others.clone();
        alive.without(&gone.collect());
        alive.add(&started(self.threads, effects, counts, &self.left));
        if self.threads.is_once(template) {
            alive.remove(template);
        }
        alive
    }

    /// For every template, those of which a thread may be alive beside it that it has not started, at its start or
    /// later.
    fn others(&self) -> Vec<TemplateSet> {
        let mut others = vec![TemplateSet::default(); self.threads.templates.len()];
        loop {
            let mut changed = false;
            for template in self.threads.ids() {
                let mut found = self.at_start(template, &others);
                for parent in &self.threads.get(template).parents {
                    found.add(&self.threads.descendants[parent.index()]);
                }
                if self.threads.is_once(template) {
                    found.remove(template);
                    found.without(&self.only_below[template.index()]);
                }
                changed |= others[template.index()].add(&found);
            }
            if !changed {
                return others;
            }
        }
    }

    /// The templates of which a thread may be alive when one of this template is started.
    fn at_start(&self, template: TemplateId, others: &[TemplateSet]) -> TemplateSet {
        let mut found = TemplateSet::default();
        let definition = self.threads.get(template);
        let Some(site) = definition.spawn else { return found };
        for parent in &definition.parents {
            let Some(counts) = self.spawn_counts(*parent, site) else { continue };
            found.add(&self.alive(*parent, &counts, &others[parent.index()]));
            found.insert(*parent);
        }
        if self.threads.is_once(template) {
            found.remove(template);
        }
        found
    }

    fn spawn_counts(&self, parent: TemplateId, site: crate::SpawnSite) -> Option<Counts> {
        let source = self.threads.sources.get(&site)?;
        self.flows[parent.index()].1.at(site.function, *source)
    }

    /// For every template, those that are alive at its start or at whose start it is alive.
    fn meeting(&self, others: &[TemplateSet]) -> Vec<TemplateSet> {
        let mut meeting: Vec<TemplateSet> =
            self.threads.ids().map(|template| self.at_start(template, others)).collect();
        for (position, first) in meeting.clone().iter().enumerate() {
            for other in first.iter() {
                meeting[other.index()].insert(TemplateId::new(position));
            }
        }
        meeting
    }
}

/// The sets, each kept once.
#[derive(Default)]
struct Table {
    sets: Vec<TemplateSet>,
    known: FxHashMap<TemplateSet, SetId>,
}

impl Table {
    fn places(
        &mut self,
        program: &Program,
        lives: &Lives<'_>,
        others: &[TemplateSet],
        meeting: &[TemplateSet],
        template: TemplateId,
    ) -> BTreeMap<FunctionId, Beside> {
        let flow = &lives.flows[template.index()].1;
        let mut by_counts: FxHashMap<Counts, SetId> = FxHashMap::default();
        let mut set = |counts: Counts| {
            *by_counts.entry(counts).or_insert_with_key(|counts| {
                let mut alive = lives.alive(template, counts, &others[template.index()]);
                alive.keep(&meeting[template.index()]);
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

    fn intern(&mut self, set: TemplateSet) -> SetId {
        let sets = &mut self.sets;
        *self.known.entry(set).or_insert_with_key(|set| {
            sets.push(set.clone());
            SetId(u32::try_from(sets.len() - 1).unwrap_or(u32::MAX))
        })
    }
}
