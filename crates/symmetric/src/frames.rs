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

use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_abstraction::Stop;
use selvedge_evidence::symmetric::configuration::{Configuration, Literal};
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
type Useful = Vec<(usize, Term)>;

/// A blocked configuration.
#[derive(Clone, Debug)]
struct Blocked {
    configuration: Configuration,
    level: usize,
    /// Another one says more.
    is_covered: bool,
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
    /// That blocked configurations do not hold of threads that are there, where it was of use.
    useful: FxHashMap<Vec<(Who, At)>, Useful>,
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

/// Why something is not reached.
#[derive(Clone, Copy, Debug)]
enum Which {
    /// It is about to be blocked itself.
    Itself,
    Blocked(usize),
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
            useful: FxHashMap::default(),
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
        let (Some(core), Some(useful)) = (self.core.take(), self.useful.get(there)) else { return Vec::new() };
        let mut said: FxHashSet<Term> = FxHashSet::default();
        let is_used = |(number, term): &&(usize, Term)| {
            self.blocked[*number].level == NEVER && core.contains(term) && said.insert(*term)
        };
        useful.iter().filter(is_used).map(|(number, _)| *number).collect()
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
        if let Some(useful) = self.useful.get(there) {
            let holds = |(number, _): &&(usize, Term)| self.blocked[*number].level >= level;
            conditions.extend(useful.iter().filter(holds).map(|(_, term)| *term));
        }
        while let Some(model) = on.sample(step, &conditions, there)? {
            let Some((which, holds)) = self.find(on, &model, there, level, besides)? else { return Ok(Some(model)) };
            let all = on.stage.view.builder.terms.all(&holds);
            let none = on.stage.view.builder.not(all);
            conditions.push(none);
            match which {
                Which::Blocked(number) => self.useful.entry(there.to_vec()).or_default().push((number, none)),
                Which::Itself => {}
                Which::Assumed => {
                    self.depends.get_or_insert(self.blocked.len());
                }
            }
        }
        self.core = Some(on.core());
        Ok(None)
    }

    /// What is blocked at a level, or taken for it, or is the configuration itself, and holds of threads that are there
    /// as an assignment has it: which it is, and that it holds.
    fn find(
        &self,
        on: &mut Tracked<'_, '_>,
        model: &Sample,
        there: &[(Who, At)],
        level: usize,
        besides: Option<&Configuration>,
    ) -> Result<Option<(Which, Vec<Term>)>, Stop> {
        let places: Vec<At> = there.iter().map(|(_, at)| *at).collect();
        let known = self.of(&places).filter(|number| {
            let blocked = &self.blocked[*number];
            blocked.level >= level && !blocked.is_covered
        });
        let known = known.map(|number| (Which::Blocked(number), &self.blocked[number].configuration));
        let known = besides.into_iter().map(|own| (Which::Itself, own)).chain(known);
        let assumed = self.assumed.iter().filter(|(_, until)| *until >= level);
        for (which, configuration) in known.chain(assumed.map(|(assumed, _)| (Which::Assumed, assumed))) {
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
        self.useful.values_mut().for_each(|useful| useful.retain(|(number, _)| *number < first));
        for number in 0..first {
            let covers = |other: usize| self.covers(other, number);
            let is_covered = (0..first)
                .any(|other| other != number && covers(other) && (other > number || !self.covers(number, other)));
            self.blocked[number].is_covered = is_covered;
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
                    let general = self.generalised(on, to, why, level)?;
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
        let mut known = known.filter(|blocked| blocked.level >= level && !blocked.is_covered);
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

    /// Why nothing that is not blocked leads into a configuration, by each move; `None` if something does, or the program
    /// begins with it.
    fn why_blocked(&mut self, on: &mut Tracked<'_, '_>, to: &Configuration, level: usize) -> Result<Option<Why>, Stop> {
        if begins(on, to)? {
            return Ok(None);
        }
        let mut why = Vec::new();
        for by in on.stage.map.moves(&to.places()) {
            if self.before(on, to, &by, level)?.is_some() {
                return Ok(None);
            }
            why.extend(self.core.take().map(|core| (by, core)));
        }
        Ok(Some(why))
    }

    /// A configuration that can be blocked, as is known why, with threads and literals left out as long as it can.
    fn generalised(
        &mut self,
        on: &mut Tracked<'_, '_>,
        mut configuration: Configuration,
        mut why: Why,
        level: usize,
    ) -> Result<Configuration, Stop> {
        configuration = needed(on, configuration, &why)?;
        for thread in (0..configuration.threads.len()).rev() {
            let mut fewer = configuration.clone();
            fewer.threads.remove(thread);
            if let Some(other) = self.why_blocked(on, &fewer, level)? {
                why = other;
                configuration = needed(on, fewer, &why)?;
            }
        }
        for (thread, literal) in said(&configuration).into_iter().rev() {
            let mut less = configuration.clone();
            let literals = thread.map_or(&mut less.shared, |thread| &mut less.threads[thread].literals);
            let Some(place) = literals.iter().position(|known| *known == literal) else { continue };
            literals.remove(place);
            if self.is_enough(on, &less, (thread, literal), &mut why, level)? {
                configuration = needed(on, less, &why)?;
            }
        }
        configuration.threads.sort();
        Ok(configuration)
    }

    /// Whether a configuration can be blocked that says all but a literal of one of which it is known why it can. Only
    /// moves that this literal has to do with are asked about once more.
    fn is_enough(
        &mut self,
        on: &mut Tracked<'_, '_>,
        less: &Configuration,
        (thread, literal): (Option<usize>, Literal),
        why: &mut Why,
        level: usize,
    ) -> Result<bool, Stop> {
        if begins(on, less)? {
            return Ok(false);
        }
        let mut changed = Vec::new();
        for (at, (by, core)) in why.iter().enumerate() {
            if !core.contains(&after(on, thread, literal, by)) {
                continue;
            }
            if self.before(on, less, by, level)?.is_some() {
                return Ok(false);
            }
            changed.push((at, self.core.take().unwrap_or_default()));
        }
        for (at, core) in changed {
            why[at].1 = core;
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

/// All that a configuration says, of all threads or of one of its threads.
fn said(configuration: &Configuration) -> Vec<(Option<usize>, Literal)> {
    let shared = configuration.shared.iter().map(|literal| (None, *literal));
    let own = configuration.threads.iter().enumerate();
    let own = own.flat_map(|(thread, member)| member.literals.iter().map(move |literal| (Some(thread), *literal)));
    own.chain(shared).collect()
}

/// That a literal holds after a move.
fn after(on: &mut Tracked<'_, '_>, thread: Option<usize>, literal: Literal, by: &Move) -> Term {
    let who = thread.map_or(Who::Own, |thread| by.who(thread));
    let moved = on.stage.moved(by.step);
    on.stage.holds_after(literal, who, by, &moved)
}

/// What of a configuration is needed for blocking it.
fn needed(on: &mut Tracked<'_, '_>, configuration: Configuration, why: &Why) -> Result<Configuration, Stop> {
    let mut less = configuration.clone();
    for (thread, literal) in said(&configuration) {
        if why.iter().any(|(by, core)| core.contains(&after(on, thread, literal, by))) {
            continue;
        }
        let literals = thread.map_or(&mut less.shared, |thread| &mut less.threads[thread].literals);
        literals.retain(|known| *known != literal);
    }
    Ok(if begins(on, &less)? { configuration } else { less })
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
