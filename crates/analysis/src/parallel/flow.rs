//! The counts at every location of a template.
//!
//! First what each function does to the counts, from its entry to each of its locations (the functional approach of
//! Sharir and Pnueli, 1981), then the counts at the functions' entries, the maximum over all calls. So a call returns
//! what it was called with, changed; only within a function are its callers not told apart. In a counted loop the
//! changes of one round are multiplied.

use super::count::{Change, Count};
use super::effects::Effects;
use super::loops::{CountedLoop, counted_loops};
use crate::call_graph::CallGraph;
use crate::{TemplateId, Threads};
use selvedge_program::{Action, Budget, EdgeId, Exhausted, FunctionId, LocationId, Program};
use std::collections::{BTreeMap, BTreeSet};

/// A location or function that is visited more often has what still grows set to "many".
const VISITS_BEFORE_WIDENING: u32 = 8;

/// What the way to somewhere does to each quantity; `None` where no way leads.
type Way = Option<Vec<Change>>;

/// The counts of each quantity.
pub type Counts = Vec<Count>;

/// The code that threads run.
#[derive(Clone, Copy, Debug)]
pub struct Code<'a> {
    /// The program.
    pub program: &'a Program,
    /// Who calls whom.
    pub(crate) graph: &'a CallGraph<'a>,
}

/// The counts of one template, wherever its threads may be.
#[derive(Debug)]
pub struct Flow {
    /// By function that a thread of the template may run: the counts at its entry.
    entries: BTreeMap<FunctionId, Counts>,
    /// By function that changes counts: the way from its entry to each of its locations.
    ways: BTreeMap<FunctionId, Vec<Way>>,
}

impl Flow {
    /// Solves the flow of a template.
    pub fn of(
        code: Code<'_>,
        threads: &Threads,
        effects: &Effects,
        template: TemplateId,
        budget: &Budget,
    ) -> Result<Flow, Exhausted> {
        let mut solver = Solver::new(code, effects);
        solver.summarise(budget)?;
        let entries = solver.enter(&threads.get(template).entries);
        Ok(Flow { entries, ways: solver.ways })
    }

    /// The functions that a thread of the template runs, with whether the counts change within.
    pub fn functions(&self) -> impl Iterator<Item = (FunctionId, bool)> + '_ {
        self.entries.keys().map(|function| (*function, self.ways.contains_key(function)))
    }

    /// The counts at a location; `None` if the template never gets there.
    pub fn at(&self, function: FunctionId, location: LocationId) -> Option<Counts> {
        let entry = self.entries.get(&function)?;
        match self.ways.get(&function) {
            None => Some(entry.clone()),
            Some(ways) => Some(apply(ways[location.index()].as_ref()?, entry)),
        }
    }
}

fn apply(way: &[Change], counts: &[Count]) -> Counts {
    way.iter().zip(counts).map(|(change, count)| change.apply(*count)).collect()
}

fn compose(first: &[Change], next: &[Change]) -> Vec<Change> {
    first.iter().zip(next).map(|(first, next)| first.then(*next)).collect()
}

/// Makes `old` cover `new` as well; whether it has changed.
fn cover(old: &mut Way, new: Vec<Change>, visits: &mut u32) -> bool {
    let Some(known) = old else {
        *old = Some(new);
        return true;
    };
    let mut joined: Vec<Change> = known.iter().zip(&new).map(|(known, new)| known.or(*new)).collect();
    if joined == *known {
        return false;
    }
    *visits += 1;
    if *visits > VISITS_BEFORE_WIDENING {
        joined = joined.iter().zip(&*known).map(|(joined, known)| joined.widened(*known)).collect();
    }
    *known = joined;
    true
}

/// A counted loop, and what one round of it does; `None` if no round has been seen to end.
struct Round<'a> {
    counted: &'a CountedLoop,
    change: Way,
}

struct Solver<'a> {
    program: &'a Program,
    graph: &'a CallGraph<'a>,
    effects: &'a Effects,
    /// By function, inner loops before outer ones.
    loops: BTreeMap<FunctionId, Vec<CountedLoop>>,
    /// What a whole call of a function does; `None` if it has not been seen to return.
    summaries: BTreeMap<FunctionId, (Way, u32)>,
    /// What a call does that may enter any function of a list, by list: what one of them does.
    lists: Vec<Way>,
    ways: BTreeMap<FunctionId, Vec<Way>>,
}

impl<'a> Solver<'a> {
    fn new(code: Code<'a>, effects: &'a Effects) -> Solver<'a> {
        let Code { program, graph } = code;
        let relevant = || effects.relevant.iter();
        let nothing = vec![Change::NONE; effects.quantities.len()];
        let changes_nothing = |function: &FunctionId| !effects.relevant.contains(function);
        let lists = graph.lists().map(|list| list.iter().any(changes_nothing).then(|| nothing.clone())).collect();
        Solver {
            program,
            graph,
            effects,
            loops: relevant().map(|function| (*function, counted_loops(program.function(*function)))).collect(),
            summaries: relevant().map(|function| (*function, (None, 0))).collect(),
            lists,
            ways: BTreeMap::new(),
        }
    }

    fn nothing(&self) -> Vec<Change> {
        vec![Change::NONE; self.effects.quantities.len()]
    }

    /// Finds the ways through all functions that change counts; callers again whenever what they call does more than
    /// known. Callees come first, so that most functions are looked at once.
    fn summarise(&mut self, budget: &Budget) -> Result<(), Exhausted> {
        let order = self.graph.callees_first(&self.effects.relevant);
        let rank: BTreeMap<FunctionId, usize> =
            order.iter().enumerate().map(|(rank, function)| (*function, rank)).collect();
        let mut pending: BTreeSet<usize> = (0..order.len()).collect();
        while let Some(next) = pending.pop_first() {
            budget.check()?;
            let function = order[next];
            let ways = self.ways_through(function);
            let edges = self.program.function(function).edges.iter();
            let returns = edges.filter(|edge| matches!(edge.action, Action::Return { .. }));
            let returned: Vec<Vec<Change>> = returns.filter_map(|edge| ways[edge.source.index()].clone()).collect();
            self.ways.insert(function, ways);
            let Some((summary, visits)) = self.summaries.get_mut(&function) else { continue };
            let mut changed = false;
            for way in returned {
                changed |= cover(summary, way, visits);
            }
            let Some(summary) = summary.as_ref().filter(|_| changed) else { continue };
            for list in self.graph.containing(function) {
                if cover(&mut self.lists[list.index()], summary.clone(), &mut 0) {
                    pending.extend(self.graph.callers(*list).iter().filter_map(|caller| rank.get(caller)));
                }
            }
        }
        Ok(())
    }

    /// The ways from a function's entry to all its locations.
    fn ways_through(&self, function: FunctionId) -> Vec<Way> {
        let mut known: Vec<Round<'_>> = Vec::new();
        for counted in &self.loops[&function] {
            let change = self.round(function, counted, &known);
            known.push(Round { counted, change });
        }
        let mut ways = self.ways_from(function, self.program.function(function).entry, None, &known);
        for round in &known {
            let header = &mut ways[round.counted.header.index()];
            if let (Some(way), Some(change)) = (header.as_ref(), round.change.as_ref()) {
                let any: Vec<Change> =
                    change.iter().map(|change| change.repeated_up_to(round.counted.rounds)).collect();
                *header = Some(compose(way, &any));
            }
        }
        ways
    }

    /// The ways from a location to all others, within a function or within a loop from its header. What the headers of
    /// counted loops get is the way that leads there before the first round.
    fn ways_from(
        &self,
        function: FunctionId,
        start: LocationId,
        within: Option<&CountedLoop>,
        known: &[Round<'_>],
    ) -> Vec<Way> {
        let definition = self.program.function(function);
        let is_inner = |round: &&Round<'_>| within.is_none_or(|outer| is_within(round.counted, outer));
        let loops: Vec<&Round<'_>> = known.iter().filter(is_inner).collect();
        let mut ways: Vec<Way> = vec![None; definition.locations.len()];
        let mut visits = vec![0; definition.locations.len()];
        ways[start.index()] = Some(self.nothing());
        let mut pending = BTreeSet::from([start]);
        while let Some(location) = pending.pop_first() {
            let Some(way) = ways[location.index()].clone() else { continue };
            let counted = loops.iter().find(|inner| inner.counted.header == location);
            for id in &definition.location(location).outgoing {
                let edge = definition.edge(*id);
                let target = edge.target.index();
                let leaves = within.is_some_and(|outer| !outer.body[target] || outer.header == edge.target);
                let ends_round = |inner: &CountedLoop| inner.header == edge.target && inner.body[location.index()];
                if !edge.action.falls_through() || leaves || loops.iter().any(|inner| ends_round(inner.counted)) {
                    continue;
                }
                let so_far = match counted {
                    Some(inner) => rounds(&way, inner, edge.target),
                    None => Some(way.clone()),
                };
                let Some(next) = so_far.and_then(|so_far| self.along(function, *id, so_far)) else { continue };
                if cover(&mut ways[target], next, &mut visits[target]) {
                    pending.insert(edge.target);
                }
            }
        }
        ways
    }

    /// What one round of a counted loop does, from its header to its header.
    fn round(&self, function: FunctionId, counted: &CountedLoop, known: &[Round<'_>]) -> Way {
        let definition = self.program.function(function);
        let ways = self.ways_from(function, counted.header, Some(counted), known);
        let mut round = None;
        for (index, edge) in definition.edges.iter().enumerate() {
            let is_back =
                edge.target == counted.header && counted.body[edge.source.index()] && edge.action.falls_through();
            if let Some(way) = ways[edge.source.index()].clone().filter(|_| is_back)
                && let Some(next) = self.along(function, EdgeId::new(index), way)
            {
                cover(&mut round, next, &mut 0);
            }
        }
        round
    }

    /// A way prolonged by an edge; `None` if it cannot be passed.
    fn along(&self, function: FunctionId, edge: EdgeId, way: Vec<Change>) -> Way {
        if let Some(list) = self.graph.list_at(function, edge) {
            return self.lists[list.index()].as_ref().map(|called| compose(&way, called));
        }
        let mut way = way;
        for (number, change) in self.effects.edge(function, edge) {
            way[*number] = way[*number].then(*change);
        }
        Some(way)
    }

    /// The counts at the entries of all functions, from those that a thread starts with.
    fn enter(&self, starts: &[FunctionId]) -> BTreeMap<FunctionId, Counts> {
        let mut entries: BTreeMap<FunctionId, Counts> = BTreeMap::new();
        let mut visits: BTreeMap<FunctionId, u32> = BTreeMap::new();
        let mut pending: Vec<FunctionId> = Vec::new();
        // By list of functions, what all of them are known to be entered with.
        let mut passed: Vec<Option<Counts>> = vec![None; self.graph.list_count()];
        for start in starts {
            entries.insert(*start, self.effects.initial.clone());
            pending.push(*start);
        }
        while let Some(caller) = pending.pop() {
            let Some(entry) = entries.get(&caller).cloned() else { continue };
            let definition = self.program.function(caller);
            for site in self.graph.calls(caller) {
                let counts = match self.ways.get(&caller) {
                    None => Some(entry.clone()),
                    Some(ways) => {
                        ways[definition.edge(site.edge).source.index()].as_ref().map(|way| apply(way, &entry))
                    }
                };
                let Some(counts) = counts else { continue };
                match &mut passed[site.list.index()] {
                    Some(passed) if passed.iter().zip(&counts).all(|(passed, new)| new <= passed) => continue,
                    Some(passed) => {
                        passed.iter_mut().zip(&counts).for_each(|(passed, new)| *passed = (*passed).max(*new));
                    }
                    passed => *passed = Some(counts.clone()),
                }
                for callee in site.callees {
                    let visits = visits.entry(*callee).or_default();
                    if widen(entries.entry(*callee).or_default(), &counts, visits) {
                        pending.push(*callee);
                    }
                }
            }
        }
        entries
    }
}

/// Makes the counts at a function's entry cover others; whether the function must be looked at again.
fn widen(known: &mut Counts, new: &[Count], visits: &mut u32) -> bool {
    *visits += 1;
    if *visits == 1 && known.is_empty() {
        *known = new.to_vec();
        return true;
    }
    let mut changed = false;
    for (known, new) in known.iter_mut().zip(new) {
        if new > known {
            *known = if *visits > VISITS_BEFORE_WIDENING { super::count::MANY } else { *new };
            changed = true;
        }
    }
    changed
}

fn is_within(inner: &CountedLoop, outer: &CountedLoop) -> bool {
    inner.body.iter().zip(&outer.body).all(|(inner, outer)| !inner || *outer)
}

/// The way from before a counted loop to one of the header's branches: after some of the rounds into the loop, after
/// all of them out.
fn rounds(way: &[Change], round: &Round<'_>, target: LocationId) -> Way {
    let rounds = round.counted.rounds;
    let stays = round.counted.body[target.index()];
    let repeated: Vec<Change> = match (&round.change, stays) {
        (_, true) if rounds == 0 => return None,
        (_, false) if rounds == 0 => return Some(way.to_vec()),
        (None, true) => return Some(way.to_vec()),
        (None, false) => return None,
        (Some(change), true) => change.iter().map(|change| change.repeated_up_to(rounds - 1)).collect(),
        (Some(change), false) => change.iter().map(|change| change.repeated(rounds)).collect(),
    };
    Some(compose(way, &repeated))
}
