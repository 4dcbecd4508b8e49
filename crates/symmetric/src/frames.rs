//! Configurations that are not reached, by property-directed reachability (Bradley: *SAT-based model checking without
//! unrolling*, VMCAI 2011; with predicates as in Cimatti, Griggio, Mover, Tonetta: *IC3 modulo theories via implicit
//! predicate abstraction*, TACAS 2014), on configurations of a few among any number of threads.
//!
//! A *blocked* configuration of level i is not reached with i *turns*: a turn ends where a thread goes back in a loop,
//! or where a thread moves that did not matter before; `main`'s steps take none, so that there can be any number of
//! threads at once. What leads to an error is blocked at the level at which it would be reached, by blocking what leads
//! there first; then less and less is said of it as long as it stays blocked, so that one configuration excludes many.
//! When all of a level is blocked at the next one too, it is a proof. Every question is about the program itself:
//! predicates are but the language, so what is blocked stays so when there are more of them.

mod generalise;

use std::collections::BTreeSet;
use std::rc::Rc;

use generalise::MOST_OTHERS;
use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_abstraction::Stop;
use selvedge_evidence::symmetric::configuration::Configuration;
use selvedge_evidence::symmetric::moves::{At, MAIN, Move, StepKey};
use selvedge_logic::Term;
use selvedge_symbolic::threads::{NodeId, Universe, Who};

use crate::sample::Sample;
use crate::search::{MOST_CONFIGURATIONS, MOST_THREADS, Origin, Reached, Target, contains};
use crate::tracked::{Found, Reason, Tracked};

/// The level of what is never reached.
const NEVER: usize = usize::MAX;

/// With more levels than this it is given up.
const MOST_LEVELS: usize = 60;

/// That blocked configurations do not hold of threads that are there, with their numbers.
#[derive(Debug, Default)]
struct Excluded {
    terms: Vec<(usize, Term)>,
    /// From which number on they have not been looked at.
    next: usize,
}

/// A blocked configuration.
#[derive(Clone, Debug)]
struct Blocked {
    configuration: Configuration,
    level: usize,
    /// Another one says more.
    is_covered: bool,
}

impl Blocked {
    /// Whether it is blocked at a level, and no other one says more.
    fn holds(&self, level: usize) -> bool {
        self.level >= level && !self.is_covered
    }
}

/// What came of it.
#[derive(Debug)]
pub enum Outcome {
    /// These are never reached, and the targets are among them.
    Closed(Vec<Configuration>),
    /// The program may begin with this one of what was reached.
    Began(Vec<Reached>, usize),
    /// It was too much.
    TooMany,
}

/// The blocked configurations of all levels.
#[derive(Debug)]
pub struct Frames {
    blocked: Vec<Blocked>,
    /// By where their first threads are.
    by_place: FxHashMap<Option<At>, Vec<usize>>,
    /// By the threads that are there.
    excluded: FxHashMap<Vec<(Who, At)>, Excluded>,
    back: FxHashSet<(usize, NodeId, NodeId)>,
    top: usize,
    /// The highest level so far.
    pub levels: usize,
    /// What is about to be blocked, each because of those before it: taken for blocked meanwhile, since it is if all
    /// of them are.
    assumed: Vec<(Configuration, usize)>,
    /// What is not blocked at a level with so many predicates.
    open: FxHashSet<(Configuration, usize, usize)>,
    /// From which number on what is blocked depends on that.
    depends: Option<usize>,
    /// Why the last question was answered with no: what cannot hold together. Nothing, if it was not asked.
    core: Option<FxHashSet<Term>>,
}

/// Why something is not looked for that no blocked configuration excludes.
#[derive(Clone, Copy, Debug)]
enum Which {
    /// It is about to be blocked itself.
    Itself,
    Assumed,
}

/// What cannot hold together, for each move into a configuration that was asked about.
type Why = Vec<(Move, FxHashSet<Term>)>;

/// What leads into a configuration.
struct Before {
    needed: Vec<Term>,
    different: Vec<Term>,
    there: Vec<(Who, At)>,
    model: Rc<Sample>,
}

/// A configuration to be blocked at a level.
struct Obligation {
    number: usize,
    level: usize,
    moves: Vec<Move>,
    /// How many of the moves lead there from nothing that is not blocked.
    done: usize,
    /// And why.
    why: Why,
}

impl Frames {
    pub fn new(universe: &Universe<'_>) -> Frames {
        Frames {
            blocked: Vec::new(),
            by_place: FxHashMap::default(),
            excluded: FxHashMap::default(),
            back: back_arcs(universe),
            top: 0,
            levels: 0,
            assumed: Vec::new(),
            open: FxHashSet::default(),
            depends: None,
            core: None,
        }
    }

    /// Blocks targets at one level after the other, until nothing is left to do or something leads from the beginning
    /// to a target.
    ///
    /// # Errors
    /// If there is no time, or what is allowed is spent.
    pub fn run(&mut self, on: &mut Tracked<'_, '_>, targets: &[Target]) -> Result<Outcome, Stop> {
        while self.top < MOST_LEVELS {
            for (number, target) in targets.iter().enumerate() {
                if let Some(outcome) = self.exclude(on, number, target)? {
                    return Ok(outcome);
                }
            }
            if self.propagate(on)? {
                self.top = 0;
                return Ok(Outcome::Closed(self.support(on, targets)?));
            }
            self.top += 1;
            self.levels = self.levels.max(self.top);
        }
        Ok(Outcome::TooMany)
    }

    /// Blocks all of a target at the highest level.
    fn exclude(&mut self, on: &mut Tracked<'_, '_>, number: usize, target: &Target) -> Result<Option<Outcome>, Stop> {
        let different = on.stage.certain(&target.there, None, &target.conditions);
        loop {
            let asked = (&target.conditions[..], &different[..]);
            let Some(model) = self.outside(on, target.steps.first().copied(), asked, &target.there, self.top, None)?
            else {
                return Ok(None);
            };
            let found = on.found(asked, &target.there, &model, &Reason::Ends(&target.steps))?;
            let Found { configuration, order, .. } = found;
            let error = Reached { configuration, origin: Origin::Target(number), order };
            if let Some(outcome) = self.block(on, error)? {
                return Ok(Some(outcome));
            }
        }
    }

    /// What is never reached, as far as targets depend on it.
    fn support(&mut self, on: &mut Tracked<'_, '_>, targets: &[Target]) -> Result<Vec<Configuration>, Stop> {
        let mut needed: BTreeSet<usize> = BTreeSet::new();
        let mut pending = Vec::new();
        for target in targets {
            let different = on.stage.certain(&target.there, None, &target.conditions);
            self.outside(
                on,
                target.steps.first().copied(),
                (&target.conditions, &different),
                &target.there,
                NEVER,
                None,
            )?;
            pending.extend(self.used(&target.there));
        }
        while let Some(number) = pending.pop() {
            if !needed.insert(number) {
                continue;
            }
            let to = self.blocked[number].configuration.clone();
            let places = to.places();
            for by in on.stage.map.moves(&places) {
                let before = self.before(on, &to, &by, NEVER)?;
                debug_assert!(before.is_none(), "{to:?} is reached by {by:?}");
                pending.extend(self.used(&by.before(&places)));
            }
        }
        Ok(needed.into_iter().map(|number| self.blocked[number].configuration.clone()).collect())
    }

    /// The numbers of what is blocked that the last question was answered by, about threads that are there.
    fn used(&mut self, there: &[(Who, At)]) -> Vec<usize> {
        let (Some(core), Some(excluded)) = (self.core.take(), self.excluded.get(there)) else { return Vec::new() };
        let mut said: FxHashSet<Term> = FxHashSet::default();
        let is_used = |(number, term): &&(usize, Term)| {
            self.blocked[*number].holds(NEVER) && core.contains(term) && said.insert(*term)
        };
        excluded.terms.iter().filter(is_used).map(|(number, _)| *number).collect()
    }

    /// An assignment that satisfies conditions and is in nothing that is blocked at a level.
    fn outside(
        &mut self,
        on: &mut Tracked<'_, '_>,
        step: Option<StepKey>,
        (needed, different): (&[Term], &[Term]),
        there: &[(Who, At)],
        level: usize,
        besides: Option<&Configuration>,
    ) -> Result<Option<Rc<Sample>>, Stop> {
        let mut conditions = [needed, different].concat();
        self.exclude_blocked(on, there, level, &mut conditions);
        while let Some(model) = on.sample(step, &conditions, there)? {
            let Some((which, holds)) = self.find(on, &model, there, level, besides)? else { return Ok(Some(model)) };
            conditions.push(none(on, &holds));
            match which {
                Which::Itself => {}
                Which::Assumed => {
                    self.depends.get_or_insert(self.blocked.len());
                }
            }
        }
        self.core = Some(on.core());
        Ok(None)
    }

    /// Adds that nothing holds of threads that are there that is blocked at a level. To say so of all of them at once takes
    /// fewer questions than to wait for an assignment in which one holds.
    fn exclude_blocked(
        &mut self,
        on: &mut Tracked<'_, '_>,
        there: &[(Who, At)],
        level: usize,
        conditions: &mut Vec<Term>,
    ) {
        let places: Vec<At> = there.iter().map(|(_, at)| *at).collect();
        let mut excluded = self.excluded.remove(there).unwrap_or_default();
        if excluded.next < self.blocked.len() {
            let is_new = |number: &usize| *number >= excluded.next && !self.blocked[*number].is_covered;
            for number in self.of(&places).filter(is_new) {
                let configuration = &self.blocked[number].configuration;
                for way in configuration.among(&places) {
                    let holds = on.stage.is_in(configuration, &way, there);
                    excluded.terms.push((number, none(on, &holds)));
                }
            }
            excluded.next = self.blocked.len();
        }
        let terms = excluded.terms.iter().filter(|(number, _)| self.blocked[*number].holds(level));
        conditions.extend(terms.map(|(_, term)| *term));
        self.excluded.insert(there.to_vec(), excluded);
    }

    /// What is taken for blocked at a level, or is the configuration itself, and holds of threads that are there as an
    /// assignment has it: which it is, and that it holds.
    fn find(
        &self,
        on: &mut Tracked<'_, '_>,
        model: &Sample,
        there: &[(Who, At)],
        level: usize,
        besides: Option<&Configuration>,
    ) -> Result<Option<(Which, Vec<Term>)>, Stop> {
        let places: Vec<At> = there.iter().map(|(_, at)| *at).collect();
        let itself = besides.into_iter().map(|own| (Which::Itself, own));
        let assumed = self.assumed.iter().filter(|(_, until)| *until >= level);
        for (which, configuration) in itself.chain(assumed.map(|(assumed, _)| (Which::Assumed, assumed))) {
            for way in configuration.among(&places) {
                let holds = on.stage.is_in(configuration, &way, there);
                let mut is_in = true;
                for literal in &holds {
                    is_in = model.satisfies(&on.stage.view.builder.terms, *literal)?;
                    if !is_in {
                        break;
                    }
                }
                if is_in {
                    return Ok(Some((which, holds)));
                }
            }
        }
        Ok(None)
    }

    /// How many turns a move takes.
    fn turns(&self, places: &[At], by: &Move) -> usize {
        let (template, source) = by.source;
        if template == MAIN {
            return 0;
        }
        let is_back = |thread: usize| self.back.contains(&(template, source, places[thread].1));
        usize::from(by.active.is_none_or(is_back))
    }

    /// What leads into a configuration by a move, and is not blocked a turn before if it takes one; neither is it in the
    /// configuration itself.
    fn before(
        &mut self,
        on: &mut Tracked<'_, '_>,
        to: &Configuration,
        by: &Move,
        level: usize,
    ) -> Result<Option<Before>, Stop> {
        self.core = None;
        let places = to.places();
        let turns = if level == NEVER { 0 } else { self.turns(&places, by) };
        let Some(level) = level.checked_sub(turns) else { return Ok(None) };
        if on.stage.is_indifferent(to, by) {
            return Ok(None);
        }
        let there = by.before(&places);
        let needed = on.stage.leads(to, by);
        let different = on.stage.certain(&there, Some(by), &needed);
        let model = self.outside(on, Some(by.step), (&needed, &different), &there, level, Some(to))?;
        Ok(model.map(|model| Before { needed, different, there, model }))
    }

    /// Blocks a configuration at the highest level, and whatever leads there at those below.
    fn block(&mut self, on: &mut Tracked<'_, '_>, error: Reached) -> Result<Option<Outcome>, Stop> {
        self.depends = None;
        let outcome = self.block_all(on, error, self.top);
        self.assumed.clear();
        if !matches!(outcome, Ok(None))
            && let Some(first) = self.depends
        {
            // What was taken for blocked is not.
            self.forget(first);
        }
        outcome
    }

    /// Whether a configuration that another thread starts one of is blocked without that thread. Where it is not, with it it
    /// may be.
    fn is_blocked_without(&mut self, on: &mut Tracked<'_, '_>, found: &Found, level: usize) -> Result<bool, Stop> {
        let mut configuration = found.configuration.clone();
        let Some(starting) = found.order.iter().position(|place| *place == 0) else { return Ok(false) };
        configuration.threads.remove(starting);
        let key = (configuration.clone(), level, on.len());
        if self.open.contains(&key) {
            return Ok(false);
        }
        let (assumed, depends) = (self.assumed.len(), self.depends.take());
        let without = Reached { configuration, origin: Origin::Target(0), order: Vec::new() };
        let outcome = self.block_all(on, without, level)?;
        self.assumed.truncate(assumed);
        let is_blocked = outcome.is_none();
        if !is_blocked {
            self.open.insert(key);
            if let Some(first) = self.depends.take() {
                self.forget(first);
            }
        }
        self.depends = depends.or(self.depends);
        Ok(is_blocked)
    }

    /// Takes back what was blocked from a number on.
    fn forget(&mut self, first: usize) {
        self.blocked.truncate(first);
        self.by_place.values_mut().for_each(|numbers| numbers.retain(|number| *number < first));
        let mut changed = first;
        for number in (0..first).rev().filter(|number| self.blocked[*number].is_covered).collect::<Vec<_>>() {
            let covers = |other: usize| self.covers(other, number);
            let is_covered = (0..first)
                .any(|other| other != number && covers(other) && (other > number || !self.covers(number, other)));
            self.blocked[number].is_covered = is_covered;
            if !is_covered {
                changed = number;
            }
        }
        for excluded in self.excluded.values_mut() {
            excluded.terms.retain(|(number, _)| *number < changed);
            excluded.next = excluded.next.min(changed);
        }
    }

    /// Whether a blocked configuration says all that another one says.
    fn covers(&self, one: usize, other: usize) -> bool {
        let (one, other) = (&self.blocked[one], &self.blocked[other]);
        one.level >= other.level && contains(&one.configuration, &other.configuration)
    }

    fn block_all(&mut self, on: &mut Tracked<'_, '_>, error: Reached, level: usize) -> Result<Option<Outcome>, Stop> {
        let mut reached = Vec::new();
        let mut pending: Vec<Obligation> = Vec::new();
        let mut next = Some((error, level));
        loop {
            if let Some((found, level)) = next.take() {
                let number = reached.len();
                let moves = on.stage.map.moves(&found.configuration.places());
                let is_first = begins(on, &found.configuration)?;
                self.assumed.push((found.configuration.clone(), level));
                reached.push(found);
                if is_first {
                    return Ok(Some(Outcome::Began(reached, number)));
                }
                if reached.len() > MOST_CONFIGURATIONS {
                    return Ok(Some(Outcome::TooMany));
                }
                pending.push(Obligation { number, level, moves, done: 0, why: Vec::new() });
            }
            let Some(at) = pending.last_mut() else { return Ok(None) };
            let to = reached[at.number].configuration.clone();
            if at.done == at.moves.len() || self.is_blocked(&to, at.level) {
                let (level, why) = (at.level, std::mem::take(&mut at.why));
                pending.pop();
                self.assumed.pop();
                if !self.is_blocked(&to, level) {
                    let general = self.generalised(on, to, why, level, MOST_OTHERS)?;
                    let level = self.highest(on, &general, level)?;
                    self.add(general, level);
                }
                continue;
            }
            let by = at.moves[at.done];
            let Some(before) = self.before(on, &to, &by, at.level)? else {
                at.done += 1;
                at.why.extend(self.core.take().map(|core| (by, core)));
                continue;
            };
            let level = at.level - self.turns(&to.places(), &by);
            let found = if before.there.len() > MOST_THREADS && by.active.is_none() {
                on.unchanged(&to, &by)
            } else {
                let reason = Reason::Leads(&to, &by);
                on.found((&before.needed, &before.different), &before.there, &before.model, &reason)?
            };
            let to = at.number;
            if by.started.is_some() && by.active.is_none() && self.is_blocked_without(on, &found, level)? {
                continue;
            }
            let Found { configuration, order, .. } = found;
            next = Some((Reached { configuration, origin: Origin::Move { to, by }, order }, level));
        }
    }

    /// Whether a blocked one contains a configuration.
    fn is_blocked(&self, configuration: &Configuration, level: usize) -> bool {
        let places = configuration.places();
        let known = self.of(&places).map(|number| &self.blocked[number]);
        let mut known = known.filter(|blocked| blocked.holds(level));
        known.any(|blocked| contains(&blocked.configuration, configuration))
    }

    /// The numbers of what is blocked and may hold of threads at some places.
    fn of(&self, places: &[At]) -> impl Iterator<Item = usize> {
        let mut first: Vec<Option<At>> = places.iter().copied().map(Some).collect();
        first.push(None);
        first.sort_unstable();
        first.dedup();
        first.into_iter().filter_map(|at| self.by_place.get(&at)).flatten().copied()
    }

    fn add(&mut self, configuration: Configuration, level: usize) {
        for blocked in &mut self.blocked {
            blocked.is_covered |= blocked.level <= level && contains(&configuration, &blocked.configuration);
        }
        let number = self.blocked.len();
        self.by_place.entry(configuration.threads.first().map(|member| member.at)).or_default().push(number);
        self.blocked.push(Blocked { configuration, level, is_covered: false });
    }

    /// The highest level, up to the one at work, at which a configuration can be blocked that can be at one.
    fn highest(&mut self, on: &mut Tracked<'_, '_>, to: &Configuration, mut level: usize) -> Result<usize, Stop> {
        while level < self.top && self.can_be_blocked(on, to, level + 1)? {
            level += 1;
        }
        Ok(level)
    }

    /// Whether nothing that is not blocked leads into a configuration, and the program does not begin with it.
    fn can_be_blocked(&mut self, on: &mut Tracked<'_, '_>, to: &Configuration, level: usize) -> Result<bool, Stop> {
        if begins(on, to)? {
            return Ok(false);
        }
        for by in on.stage.map.moves(&to.places()) {
            if self.before(on, to, &by, level)?.is_some() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Blocks what is blocked at a level at the next one too, where that can be; `true` if that was all of a level, which
    /// then is never reached.
    fn propagate(&mut self, on: &mut Tracked<'_, '_>) -> Result<bool, Stop> {
        for level in 0..=self.top {
            let is_at = |blocked: &Blocked| blocked.level == level && !blocked.is_covered;
            let mut moved: Vec<usize> = (0..self.blocked.len()).filter(|at| is_at(&self.blocked[*at])).collect();
            for number in &moved {
                self.blocked[*number].level = level + 1;
            }
            let mut is_all = true;
            let mut changed = true;
            while changed {
                changed = false;
                for number in std::mem::take(&mut moved) {
                    let configuration = self.blocked[number].configuration.clone();
                    if self.can_be_blocked(on, &configuration, level + 1)? {
                        moved.push(number);
                    } else {
                        self.blocked[number].level = level;
                        is_all = false;
                        changed = true;
                    }
                }
            }
            if is_all {
                for blocked in self.blocked.iter_mut().filter(|blocked| blocked.level > level) {
                    blocked.level = NEVER;
                }
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// That conditions do not hold together.
fn none(on: &mut Tracked<'_, '_>, holds: &[Term]) -> Term {
    let all = on.stage.view.builder.terms.all(holds);
    on.stage.view.builder.not(all)
}

/// Whether the program may begin with a configuration.
fn begins(on: &mut Tracked<'_, '_>, configuration: &Configuration) -> Result<bool, Stop> {
    match on.stage.is_first(configuration) {
        Some(conditions) => on.can_hold(None, &conditions),
        None => Ok(false),
    }
}

/// The arcs with which threads go back in loops: without them no control flow goes round.
fn back_arcs(universe: &Universe<'_>) -> FxHashSet<(usize, NodeId, NodeId)> {
    let mut back = FxHashSet::default();
    for template in 0..universe.templates.len() {
        let unfolded = universe.unfolded(template);
        let mut is_seen = vec![false; unfolded.nodes.len()];
        let mut is_open = vec![false; unfolded.nodes.len()];
        let mut pending = vec![(unfolded.first(), 0)];
        is_seen[unfolded.first().0 as usize] = true;
        is_open[unfolded.first().0 as usize] = true;
        while let Some((node, next)) = pending.last_mut() {
            let node = *node;
            let Some(arc) = unfolded.outgoing(node).get(*next) else {
                is_open[node.0 as usize] = false;
                pending.pop();
                continue;
            };
            *next += 1;
            let Some(target) = unfolded.arc(*arc).target else { continue };
            if is_open[target.0 as usize] {
                back.insert((template, node, target));
            } else if !std::mem::replace(&mut is_seen[target.0 as usize], true) {
                is_open[target.0 as usize] = true;
                pending.push((target, 0));
            }
        }
    }
    back
}
