//! Which threads may be alive beside each other, by counting: a thread that has been joined is gone, and one that has
//! not been started yet is not there.
//!
//! Of the threads that only the initial thread starts, it is known at each of its locations how many more it has started
//! than joined, at most. A join takes a thread that has ended and that nobody had joined before
//! ([`selvedge_program::Operation::Join`]), so as many have ended as it has joined, whichever they are; where a join may
//! be for threads of several starts, these are counted together. Where none are left, those that were started are gone for
//! good, and counting begins anew. Of two threads that are alive at once one was
//! alive when the other was started; so those of two starts that never find each other alive are never there together.
//! All other threads may be there from the first start on.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use rustc_hash::FxHashMap;
use selvedge_program::{Budget, EdgeId, Exhausted, Function, FunctionId, LocationId, Transfer};

use super::names::Names;
use super::rounds::{Counted, Courses};

/// Threads by their numbers ([`super::life::Life::starts`]).
pub type Threads = BTreeSet<u32>;

/// For which starts' threads joins wait, by function and edge.
pub type Joins = FxHashMap<(FunctionId, EdgeId), Threads>;

/// Who may be alive beside whom.
#[derive(Debug)]
pub struct Beside<'a, 'p> {
    names: &'a Names<'p>,
    /// By function and location, beside the initial thread.
    initial: Vec<Vec<Rc<Threads>>>,
    /// By number, beside the threads of a start; first, nothing.
    started: Vec<Rc<Threads>>,
}

impl<'a, 'p> Beside<'a, 'p> {
    /// Finds out.
    ///
    /// # Errors
    /// When the budget is used up.
    pub fn of(
        names: &'a Names<'p>,
        courses: &mut Courses<'a, 'p>,
        joins: &Joins,
        budget: &Budget,
    ) -> Result<Beside<'a, 'p>, Exhausted> {
        let mut counting = Counting::new(names, courses, joins);
        counting.summarise(budget)?;
        let entries = counting.enter(budget)?;
        let program = names.program;
        let life = names.life();
        let all: Threads = (1..).take(life.starts.len()).collect();
        let foreign: Threads = all.difference(&counting.own).copied().collect();
        let mut initial = Vec::with_capacity(program.functions.len());
        for (index, function) in program.functions.iter().enumerate() {
            let id = FunctionId::new(index);
            let at = |location: LocationId| {
                let change = entries[index].as_ref().and_then(|entry| counting.at(id, location, entry));
                let mut alive = change.map(|change| counting.alive(&change)).unwrap_or_default();
                if life.has_company(id, location) {
                    alive.extend(&foreign);
                }
                Rc::new(alive)
            };
            initial.push((0..function.locations.len()).map(LocationId::new).map(at).collect());
        }
        let mut beside = Beside { names, initial, started: Vec::new() };
        beside.started = beside.of_started(&counting.own, &foreign);
        Ok(beside)
    }

    /// By number, who may be alive beside the threads of each start.
    fn of_started(&self, own: &Threads, foreign: &Threads) -> Vec<Rc<Threads>> {
        let life = self.names.life();
        let mut started = vec![Threads::new(); life.starts.len() + 1];
        for (number, (function, _, source)) in (1..).zip(&life.starts) {
            let mut found = foreign.clone();
            found.insert(0);
            if own.contains(&number) {
                found.extend(self.initial[function.index()][source.index()].iter());
            } else {
                found.extend(own);
                if life.is_once(*function, *source) {
                    found.remove(&number);
                }
            }
            for other in found.iter().filter(|other| **other != 0) {
                started[*other as usize].insert(number);
            }
            started[number as usize].extend(found);
        }
        started.into_iter().map(Rc::new).collect()
    }

    /// Who may be alive beside the initial thread at a location.
    pub fn beside_initial(&self, function: FunctionId, location: LocationId) -> &Threads {
        &self.initial[function.index()][location.index()]
    }

    /// The threads that may run a function, each with who may be alive beside it at a location.
    pub fn at(&self, function: FunctionId, location: LocationId) -> Vec<(u32, Rc<Threads>)> {
        let beside = |thread: &u32| match thread {
            0 => self.initial[function.index()][location.index()].clone(),
            started => self.started[*started as usize].clone(),
        };
        self.names.life().runners(function).iter().map(|thread| (*thread, beside(thread))).collect()
    }

    /// Whether no other thread is alive when a thread is at a location.
    pub fn is_alone(&self, function: FunctionId, location: LocationId) -> bool {
        self.at(function, location).iter().all(|(_, beside)| beside.is_empty())
    }
}

/// How many threads, at most: a number and a multiple of the rounds of some courses; `None` for any number.
type Sum = Option<(i64, BTreeMap<usize, i64>)>;

/// What a way changes.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Change {
    /// Those that it may start.
    started: Threads,
    /// By group of threads, how many more it starts than it joins.
    unjoined: Vec<Sum>,
}

fn plus(a: &Sum, b: &Sum) -> Sum {
    let ((a, more), (b, others)) = (a.as_ref()?, b.as_ref()?);
    let mut rounds = more.clone();
    for (course, factor) in others {
        let sum = rounds.entry(*course).or_default();
        *sum = sum.checked_add(*factor)?;
    }
    rounds.retain(|_, factor| *factor != 0);
    Some((a.checked_add(*b)?, rounds))
}

/// Something that neither exceeds: a number of rounds is not negative.
fn most(a: &Sum, b: &Sum) -> Sum {
    let ((a, rounds), (b, others)) = (a.as_ref()?, b.as_ref()?);
    let courses: BTreeSet<usize> = rounds.keys().chain(others.keys()).copied().collect();
    let of = |rounds: &BTreeMap<usize, i64>, course: usize| rounds.get(&course).copied().unwrap_or(0);
    let factor = |course: usize| (course, of(rounds, course).max(of(others, course)));
    Some(((*a).max(*b), courses.into_iter().map(factor).filter(|(_, factor)| *factor != 0).collect()))
}

fn is_none_left(sum: &Sum) -> bool {
    sum.as_ref().is_some_and(|(number, rounds)| *number <= 0 && rounds.values().all(|factor| *factor <= 0))
}

impl Change {
    fn then(&self, other: &Change) -> Change {
        let unjoined = self.unjoined.iter().zip(&other.unjoined).map(|(a, b)| plus(a, b)).collect();
        Change { started: &self.started | &other.started, unjoined }
    }

    /// After any number of rounds that each change this.
    fn inside(&self, round: &Change) -> Change {
        let unjoined = self.unjoined.iter().zip(&round.unjoined);
        let unjoined = unjoined.map(|(before, round)| if is_none_left(round) { before.clone() } else { None });
        Change { started: &self.started | &round.started, unjoined: unjoined.collect() }
    }

    /// After all rounds of a loop that each change this.
    fn after(&self, round: &Change, courses: &Courses<'_, '_>, course: usize) -> Change {
        let rounds = courses.rounds(course);
        let times = |sum: &Sum| -> Sum {
            let (number, others) = sum.as_ref()?;
            match rounds {
                Some(rounds) => {
                    let times = |(course, factor): (&usize, &i64)| Some((*course, factor.checked_mul(rounds)?));
                    Some((number.checked_mul(rounds)?, others.iter().map(times).collect::<Option<_>>()?))
                }
                None if others.is_empty() => {
                    Some((0, [(course, *number)].into_iter().filter(|(_, factor)| *factor != 0).collect()))
                }
                None => is_none_left(sum).then(|| (0, BTreeMap::new())),
            }
        };
        let unjoined = self.unjoined.iter().zip(&round.unjoined).map(|(before, round)| plus(before, &times(round)));
        Change { started: &self.started | &round.started, unjoined: unjoined.collect() }
    }
}

/// Something that two ways lead to; whether that is more than one of them. What grows for the `n`-th time is any number.
fn meet(known: &mut Option<Change>, other: Change, n: u32) -> bool {
    let Some(known) = known else {
        *known = Some(other);
        return true;
    };
    let mut met = Change {
        started: &known.started | &other.started,
        unjoined: known.unjoined.iter().zip(&other.unjoined).map(|(a, b)| most(a, b)).collect(),
    };
    if n > MOST_VISITS {
        let both = met.unjoined.iter_mut().zip(&known.unjoined);
        both.filter(|(met, known)| *met != *known).for_each(|(met, _)| *met = None);
    }
    let is_more = met != *known;
    *known = met;
    is_more
}

const MOST_VISITS: u32 = 8;

/// A loop with what one of its rounds changes.
type Loop = (Counted, Change);

struct Counting<'c, 'a, 'p> {
    names: &'a Names<'p>,
    courses: &'c mut Courses<'a, 'p>,
    joins: &'c Joins,
    /// The starts that only the initial thread passes.
    own: Threads,
    /// What is counted together.
    groups: Vec<Threads>,
    /// By function that starts or joins, or calls who does: what the ways from its entry to its locations change.
    ways: BTreeMap<FunctionId, Vec<Option<Change>>>,
    /// What the ways to its returns change.
    left: BTreeMap<FunctionId, Option<Change>>,
}

impl<'c, 'a, 'p> Counting<'c, 'a, 'p> {
    fn new(names: &'a Names<'p>, courses: &'c mut Courses<'a, 'p>, joins: &'c Joins) -> Self {
        let life = names.life();
        let starts = || (1u32..).zip(&life.starts);
        let own: Threads =
            starts().filter(|(_, (function, ..))| life.is_initial_only(*function)).map(|(number, _)| number).collect();
        let mut groups: BTreeSet<Threads> = own.iter().map(|number| Threads::from([*number])).collect();
        groups.extend(joins.values().filter(|threads| threads.is_subset(&own)).cloned());
        let mut changing: BTreeSet<FunctionId> = starts().map(|(_, (function, ..))| *function).collect();
        changing.extend(joins.keys().map(|(function, _)| *function));
        loop {
            let before = changing.len();
            for entering in life.entering.iter().flatten().filter(|entering| !entering.is_start) {
                if entering.entered.iter().any(|callee| changing.contains(callee)) {
                    changing.insert(entering.at.0);
                }
            }
            if changing.len() == before {
                break;
            }
        }
        changing.retain(|function| life.runners(*function).contains(&0));
        let ways =
            changing.iter().map(|function| (*function, vec![None; names.program.function(*function).locations.len()]));
        let ways = ways.collect();
        let left = changing.iter().map(|function| (*function, None)).collect();
        Counting { names, courses, joins, own, groups: groups.into_iter().collect(), ways, left }
    }

    fn nothing(&self) -> Change {
        Change { started: Threads::new(), unjoined: vec![Some((0, BTreeMap::new())); self.groups.len()] }
    }

    fn alive(&self, change: &Change) -> Threads {
        let is_gone = |number: &u32| {
            let groups = self.groups.iter().zip(&change.unjoined);
            groups.into_iter().any(|(group, sum)| group.contains(number) && is_none_left(sum))
        };
        change.started.iter().filter(|number| !is_gone(number)).copied().collect()
    }

    /// The same where it is what was changed since the beginning of the execution: of threads that are gone it does not
    /// matter how many there were.
    fn without_gone(&self, change: Change) -> Change {
        let alive = self.alive(&change);
        if alive == change.started {
            return change;
        }
        let is_gone = |group: &Threads| group.iter().all(|number| !alive.contains(number));
        let sums = self.groups.iter().zip(change.unjoined);
        let unjoined = sums.map(|(group, sum)| if is_gone(group) { Some((0, BTreeMap::new())) } else { sum }).collect();
        Change { started: alive, unjoined }
    }

    /// Whether a function is the initial thread's first, and nobody calls it.
    fn is_first(&self, id: FunctionId) -> bool {
        let mut entering = self.names.life().entering.iter().flatten();
        self.names.program.main() == Some(id) && !entering.any(|entering| entering.entered.contains(&id))
    }

    /// What was changed by the time that the initial thread is at a location; `None` where it never is.
    fn at(&self, function: FunctionId, location: LocationId, entry: &Change) -> Option<Change> {
        match self.ways.get(&function) {
            Some(ways) => ways[location.index()].as_ref().map(|way| entry.then(way)),
            None => Some(entry.clone()),
        }
    }

    fn summarise(&mut self, budget: &Budget) -> Result<(), Exhausted> {
        let functions: Vec<FunctionId> = self.ways.keys().copied().collect();
        let loops: Vec<Vec<Counted>> = functions.iter().map(|function| self.courses.loops(*function)).collect();
        for visit in 0.. {
            let mut is_changed = false;
            for (id, loops) in functions.iter().zip(&loops) {
                budget.check()?;
                let mut known: Vec<Loop> = Vec::new();
                for counted in loops {
                    let (_, round, _) = self.flow(*id, &known, Some(counted));
                    known.push((counted.clone(), round.unwrap_or_else(|| self.nothing())));
                }
                let (ways, _, left) = self.flow(*id, &known, None);
                if let (Some(left), Some(known)) = (left, self.left.get_mut(id)) {
                    is_changed |= meet(known, left, visit);
                }
                self.ways.insert(*id, ways);
            }
            if !is_changed {
                break;
            }
        }
        Ok(())
    }

    /// What the ways to locations change, from the entry or, for one round of a loop, from its header; what the ways
    /// back to that change, and those to returns.
    fn flow(
        &self,
        id: FunctionId,
        loops: &[Loop],
        round: Option<&Counted>,
    ) -> (Vec<Option<Change>>, Option<Change>, Option<Change>) {
        let function = self.names.program.function(id);
        let mut at: Vec<Option<Change>> = vec![None; function.locations.len()];
        let mut visits = vec![0u32; function.locations.len()];
        let (mut back, mut left) = (None, None);
        let from = round.map_or(function.entry, |counted| counted.header);
        let is_from_beginning = round.is_none() && self.is_first(id);
        at[from.index()] = Some(self.nothing());
        let mut pending = vec![from];
        while let Some(location) = pending.pop() {
            let Some(known) = at[location.index()].clone() else { continue };
            let here = within(loops, location, &known);
            for edge_id in &function.location(location).outgoing {
                let edge = function.edge(*edge_id);
                if let Transfer::Return { .. } = edge.action.transfer() {
                    meet(&mut left, here.clone(), 0);
                }
                let is_round = |(counted, _): &&Loop| counted.back == *edge_id;
                if !edge.action.falls_through() || loops.iter().any(|looped| is_round(&looped)) {
                    continue;
                }
                let leaves = loops.iter().find(|(counted, _)| counted.leave == *edge_id);
                let after = match leaves {
                    Some((counted, round)) => {
                        let before = at[counted.header.index()].as_ref();
                        before.map(|before| before.after(round, self.courses, counted.course))
                    }
                    None => self.along(function, id, *edge_id, &here),
                };
                let Some(mut after) = after else { continue };
                if is_from_beginning {
                    after = self.without_gone(after);
                }
                if let Some(counted) = round {
                    if counted.back == *edge_id {
                        meet(&mut back, after, 0);
                        continue;
                    }
                    if !counted.is_inside(edge.target) {
                        continue;
                    }
                }
                visits[edge.target.index()] += 1;
                if meet(&mut at[edge.target.index()], after, visits[edge.target.index()]) {
                    pending.push(edge.target);
                    // What leaves a loop begins with what its header was reached with.
                    let entered = loops.iter().filter(|(counted, _)| counted.header == edge.target);
                    pending.extend(entered.map(|(counted, _)| function.edge(counted.leave).source));
                }
            }
        }
        let adjusted = (0..).map(LocationId::new).zip(at);
        let at = adjusted.map(|(location, known)| known.map(|known| within(loops, location, &known))).collect();
        (at, back, left)
    }

    /// What is changed after an edge; `None` if it is never passed.
    fn along(&self, function: &Function, id: FunctionId, edge: EdgeId, before: &Change) -> Option<Change> {
        let mut after = before.clone();
        let mut count = |is_meant: &dyn Fn(&Threads) -> bool, by: i64| {
            for (group, sum) in self.groups.iter().zip(&mut after.unjoined) {
                if is_meant(group) {
                    *sum = plus(sum, &Some((by, BTreeMap::new())));
                }
            }
        };
        match function.edge(edge).action.transfer() {
            Transfer::Spawn { .. } => {
                let starts = &self.names.life().starts;
                let number = (1u32..).zip(starts).find(|(_, (at, by, _))| (*at, *by) == (id, edge));
                if let Some((number, _)) = number.filter(|(number, _)| self.own.contains(number)) {
                    count(&|group| group.contains(&number), 1);
                    after.started.insert(number);
                }
            }
            Transfer::Call { .. } => {
                let mut all = None;
                for callee in self.names.life().entered(id, edge) {
                    match self.left.get(callee) {
                        Some(left) => {
                            let left = left.as_ref().map(|left| before.then(left));
                            left.into_iter().for_each(|left| {
                                meet(&mut all, left, 0);
                            });
                        }
                        None => {
                            meet(&mut all, before.clone(), 0);
                        }
                    }
                }
                return all;
            }
            Transfer::Along => {
                if let Some(joined) = self.joins.get(&(id, edge)) {
                    count(&|group| joined.is_subset(group), -1);
                }
            }
            Transfer::AtomicBegin | Transfer::AtomicEnd => {}
            Transfer::Return { .. } | Transfer::ThreadExit { .. } | Transfer::Exit { .. } | Transfer::Unknown => {
                return None;
            }
        }
        Some(after)
    }

    /// What was changed when functions are entered by the initial thread; `None` where it never does.
    fn enter(&self, budget: &Budget) -> Result<Vec<Option<Change>>, Exhausted> {
        let program = self.names.program;
        let mut entries: Vec<Option<Change>> = vec![None; program.functions.len()];
        let Some(main) = program.main() else { return Ok(entries) };
        let mut visits = vec![0u32; program.functions.len()];
        entries[main.index()] = Some(self.nothing());
        let mut pending = vec![main];
        while let Some(id) = pending.pop() {
            budget.check()?;
            let Some(entry) = entries[id.index()].clone() else { continue };
            for call in self.names.life().entering[id.index()].iter().filter(|entering| !entering.is_start) {
                let Some(before) = self.at(id, call.source, &entry) else { continue };
                for callee in &call.entered {
                    visits[callee.index()] += 1;
                    if meet(&mut entries[callee.index()], before.clone(), visits[callee.index()]) {
                        pending.push(*callee);
                    }
                }
            }
        }
        Ok(entries)
    }
}

/// What is known at a location: at the header of a loop, in every round.
fn within(loops: &[Loop], location: LocationId, known: &Change) -> Change {
    let headed = loops.iter().filter(|(counted, _)| counted.header == location);
    headed.fold(known.clone(), |known, (_, round)| known.inside(round))
}
