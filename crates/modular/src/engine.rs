//! The engine among others: explores with what is tracked from the start (*round zero*, which decides what locks and
//! the lives of threads decide), then takes one check after the other: follows its alarms and tracks what they suggest,
//! until nothing is wrong or nothing helps. What a check needed stays for the next one; what did not help is given up.
//! Each check gets a little effort first, and more when all others have had theirs.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::time::Instant;

use rustc_hash::FxHashSet;
use selvedge_abstraction::{Abstraction, PredicateSet, Prover, Stop};
use selvedge_analysis::Facts;
use selvedge_evidence::modular::abstracted;
use selvedge_evidence::{Answer, Figure, Findings, Gap, InternalError, Subject, Violation};
use selvedge_program::{Budget, Program, Progress, Property};
use selvedge_symbolic::Tag;
use selvedge_symbolic::threads::unfold::Refused;
use selvedge_symbolic::threads::{Universe, View};

use crate::checks::{Check, unproved};
use crate::counterexample::counterexample;
use crate::directed::directed;
use crate::discover::{Followed, discover};
use crate::first::{first_predicates, passed_on};
use crate::ground::Ground;
use crate::protection::{self, OnTrust, tell_protected};
use crate::slice::First;
use crate::space::{Alarm, Environment, Extent, MOST_TEMPLATES, Sought, Space, Weakening, Width};
use crate::told::{doubts, tell};
use crate::trials::{Goal, Trials};

/// What the engine is asked.
#[derive(Clone, Debug)]
pub struct Options {
    pub properties: Vec<Property>,
    /// Only races on the object with this name are meant.
    pub race_on: Option<String>,
    /// What threads are to expect of others.
    pub environment: Environment,
    /// When that gets more.
    pub weakening: Weakening,
    /// Of a program with more edges than this, all that is protected is told before anything else; one whose threads
    /// have more places than this is looked at narrowly: each check by its slice.
    pub large: usize,
    /// Whether what needs no exploration is explored, too, and not told before.
    pub explores_everything: bool,
    /// What is tracked before there is any alarm.
    pub beginning: Beginning,
}

/// What is tracked before there is any alarm.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Beginning {
    /// Who owns which lock, what is alive, what has been written.
    #[default]
    Locks,
    /// Where threads are and nothing else, as in the paper.
    Nothing,
}

impl Default for Options {
    fn default() -> Self {
        let environment = Environment::default();
        Options {
            properties: Vec::new(),
            race_on: None,
            environment,
            weakening: Weakening::default(),
            large: LARGE,
            explores_everything: false,
            beginning: Beginning::default(),
        }
    }
}

/// Whether the engine has something to say about a property.
pub fn answers(property: Property) -> bool {
    match property {
        Property::Assertion | Property::Race | Property::Memory | Property::Overflow => true,
        Property::Deadlock | Property::Livelock | Property::Atomicity => false,
    }
}

/// What it took, in the words of the paper's Table 2.
#[derive(Clone, Copy, Debug, Default)]
struct Statistics {
    /// How often the threads were explored, each time with other predicates.
    outer: u64,
    /// How often the environment assumptions of the last exploration were weakened.
    inner: u64,
    states: u64,
    /// How many steps of others the environment assumptions of the last exploration had.
    environment: u64,
    queries: u64,
    /// The predicates of the last exploration: over shared cells, over a thread's own, over both.
    shared: u64,
    local: u64,
    mixed: u64,
}

/// Checks a program.
///
/// # Errors
/// Only for mistakes of the engine's own.
pub fn check(
    facts: &Facts,
    options: &Options,
    budget: &Budget,
    progress: &mut dyn Progress,
    findings: &dyn Findings,
) -> Result<Answer, InternalError> {
    let begun = Instant::now();
    let mut statistics = Statistics::default();
    let mut gaps = Vec::new();
    if let Err(stop) = run(facts, options, budget, progress, findings, (&mut statistics, &mut gaps)) {
        gaps.push(Gap::Limit(stop.limit().map_err(InternalError::Failed)?));
    }
    let figures = vec![
        ("outer_iterations", Figure::Count(statistics.outer)),
        ("inner_iterations", Figure::Count(statistics.inner)),
        ("abstract_states", Figure::Count(statistics.states)),
        ("environment_steps", Figure::Count(statistics.environment)),
        ("predicates", Figure::Count(statistics.shared + statistics.local + statistics.mixed)),
        ("shared", Figure::Count(statistics.shared)),
        ("local", Figure::Count(statistics.local)),
        ("mixed", Figure::Count(statistics.mixed)),
        ("prover_queries", Figure::Count(statistics.queries)),
        ("seconds", Figure::Time(begun.elapsed())),
    ];
    Ok(Answer::new(gaps, figures))
}

fn run(
    facts: &Facts,
    options: &Options,
    budget: &Budget,
    progress: &mut dyn Progress,
    findings: &dyn Findings,
    (statistics, gaps): (&mut Statistics, &mut Vec<Gap>),
) -> Result<(), Stop> {
    let program = facts.program();
    // What rests on something settles it at once only where the exploration is not likely to get far.
    let edges: usize = program.functions.iter().map(|function| function.edges.len()).sum();
    let on_trust = if edges > options.large { OnTrust::Settled } else { OnTrust::InReserve };
    if options.explores_everything {
        return explore(facts, options, budget, progress, findings, (statistics, gaps)).map(|_| ());
    }
    // Until an exploration knows better, all is in doubt that may be undefined.
    let told = tell_protected(facts, options, on_trust, budget, findings)?;
    if !told.subjects.is_empty() && !told.is_reserve {
        *gaps = protection::doubts(program, options);
    }
    let ended = explore(facts, options, budget, progress, findings, (statistics, gaps));
    if told.is_reserve && told.subjects.iter().any(|subject| findings.is_open(*subject)) {
        // Nobody has found anything better of some of it; nobody will, where the exploration can prove nothing.
        gaps.extend(protection::doubts(program, options));
        if matches!(ended, Ok(Outcome::Spoiled)) {
            tell_protected(facts, options, OnTrust::Settled, budget, findings)?;
        }
    }
    ended.map(|_| ())
}

/// What came of the exploration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    /// What is proved was told.
    Explored,
    /// Nothing can be proved by it.
    Spoiled,
}

fn explore(
    facts: &Facts,
    options: &Options,
    budget: &Budget,
    progress: &mut dyn Progress,
    findings: &dyn Findings,
    (statistics, gaps): (&mut Statistics, &mut Vec<Gap>),
) -> Result<Outcome, Stop> {
    let program = facts.program();
    let universe = match Universe::with_recursion(program, || budget.exhausted().is_none()) {
        Ok(Some(universe)) => universe,
        Ok(None) => {
            gaps.extend(budget.exhausted().map(Gap::Limit));
            return Ok(Outcome::Spoiled);
        }
        Err(refused) => {
            gaps.push(Gap::inapplicable(match refused {
                Refused::Recursion(_) | Refused::Section(_) => {
                    "threads that end atomic sections that they have not begun are not looked at one by one"
                }
                Refused::TooLarge => "threads with so many places are not looked at one by one",
            }));
            return Ok(Outcome::Spoiled);
        }
    };
    if universe.templates.len() > MOST_TEMPLATES {
        gaps.push(Gap::inapplicable("more kinds of threads than are looked at one by one"));
        return Ok(Outcome::Spoiled);
    }
    let mut on = Abstraction::new(View::new(universe), Prover::new(budget));
    let ground = Rc::new(Ground::of(&mut on));
    let width = if ground.places() > options.large { Width::Narrow } else { Width::Whole };
    let mut first = match options.beginning {
        Beginning::Locks => first_predicates(&mut on.view),
        Beginning::Nothing => Vec::new(),
    };
    if width == Width::Narrow {
        first.extend(passed_on(program, &first));
    }
    let first: Vec<_> = first.iter().filter_map(|predicate| on.predicates.add(&mut on.view, predicate)).collect();
    let first = First::new(&mut on, PredicateSet::of(first.into_iter()));
    let tracked = match width {
        Width::Whole => first.all.clone(),
        Width::Narrow => first.holding.clone(),
    };
    let mut search = Search {
        on,
        first,
        ground,
        tracked,
        width,
        facts,
        options,
        budget,
        progress,
        findings,
        statistics,
        attempts: BTreeMap::new(),
        trials: Trials::new(facts)?,
        explored: None,
        doubts: Vec::new(),
        is_looked_through: false,
    };
    let ended = search.run();
    if search.is_looked_through {
        *gaps = search.doubts;
    }
    let is_spoiled = search.attempts.get(&Check::Everything).is_some_and(|attempt| attempt.hope == Hope::Stuck);
    gaps.extend(
        search.attempts.into_values().filter_map(|attempt| (attempt.hope == Hope::Stuck).then_some(attempt.gap)),
    );
    ended.map(|()| if is_spoiled { Outcome::Spoiled } else { Outcome::Explored })
}

/// How far a check has come.
#[derive(Clone, Debug)]
struct Attempt {
    /// What was tracked for it last, and what it began with.
    tracked: PredicateSet,
    slice: PredicateSet,
    rounds: u64,
    hope: Hope,
    /// Why it is not proved.
    gap: Gap,
    /// Where its first alarms want threads to be.
    goals: Vec<Rc<Goal>>,
}

/// Whether a check may still be proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hope {
    Some,
    /// No predicate is left that might help.
    Stuck,
    /// There is a schedule that violates it.
    Violated,
}

/// How many alarms are followed at a time.
const ALARMS: usize = 12;

/// What is large, unless another number is asked for.
const LARGE: usize = 1_500;

/// For how many alarms a schedule is looked for at a time.
const SCHEDULES: usize = 4;

/// How many steps trials may take at first, for each check that is open.
const FIRST_TRIALS: u64 = 20_000;
const TRIALS_PER_PLACE: u64 = 500;

/// How many questions and looks at the budget a check is allowed at first, and how many times as many whenever all
/// checks have had their turn.
const FIRST_EFFORT: u64 = 5_000;
const EFFORT_PER_PLACE: u64 = 5;
const MORE_EFFORT: u64 = 4;

struct Search<'a, 'p, 'b> {
    on: Abstraction<'p, 'b>,
    first: First,
    ground: Rc<Ground>,
    /// What every check begins with: what is tracked from the start, and what the checks that were proved needed; in a
    /// large program nothing.
    tracked: PredicateSet,
    width: Width,
    facts: &'a Facts,
    options: &'a Options,
    budget: &'a Budget,
    progress: &'a mut dyn Progress,
    findings: &'a dyn Findings,
    statistics: &'a mut Statistics,
    attempts: BTreeMap<Check, Attempt>,
    trials: Trials<'a>,
    /// What was tracked in the last exploration. Another one with the same (for another check) asks nothing new.
    explored: Option<PredicateSet>,
    /// Where the program may be undefined, as far as the last proof says, if there was one.
    doubts: Vec<Gap>,
    is_looked_through: bool,
}

/// What came of an exploration.
enum Explored {
    /// The check has no alarm.
    Proved,
    /// More is to be tracked.
    Refined(PredicateSet),
    /// Nothing is left to try.
    Ended(Hope),
}

impl Search<'_, '_, '_> {
    fn run(&mut self) -> Result<(), Stop> {
        let mut steps = FIRST_TRIALS + TRIALS_PER_PLACE * self.ground.places() as u64;
        let is_wanted =
            |subject: Subject| Self::is_wanted(self.facts.program(), (self.options, self.findings), subject);
        let goals = Goal::before_alarms(self.facts, &self.on.view.universe, &self.ground, &is_wanted)?;
        self.try_out(goals.into_iter().map(|(subject, goals)| (Check::about(subject), goals)).collect(), steps)?;
        let first = self.tracked.clone();
        self.explore(None, &first)?;
        let goals = self.open().into_iter().map(|check| (check, self.attempts[&check].goals.clone()));
        self.try_out(goals.collect(), steps)?;
        let mut effort = FIRST_EFFORT + EFFORT_PER_PLACE * self.ground.places() as u64;
        loop {
            let open = self.open();
            if open.is_empty() {
                return Ok(());
            }
            (effort, steps) = (effort.saturating_mul(MORE_EFFORT), steps.saturating_mul(MORE_EFFORT));
            for check in open {
                if self.is_open(check) {
                    self.attempt(check, effort)?;
                }
                // What is not proved may be wrong.
                if self.is_open(check) {
                    self.try_out(vec![(check, self.attempts[&check].goals.clone())], steps)?;
                }
                if check == Check::Everything && self.is_open(check) {
                    // Nothing else can be proved.
                    break;
                }
            }
        }
    }

    /// Whether a schedule that shows a subject violated is wanted.
    fn is_wanted(program: &Program, (options, findings): (&Options, &dyn Findings), subject: Subject) -> bool {
        let is_asked = options.properties.contains(&subject.property());
        is_asked && subject.is_meant(program, options.race_on.as_deref()) && findings.is_open(subject)
    }

    /// Runs the program towards what is to be tried for some checks, with so many steps for each of them.
    fn try_out(&mut self, mut checks: Vec<(Check, Vec<Rc<Goal>>)>, steps: u64) -> Result<(), Stop> {
        let mut left = steps.saturating_mul(checks.len() as u64);
        let (program, options, findings) = (self.facts.program(), self.options, self.findings);
        let told = RefCell::new(BTreeSet::new());
        let is_wanted = |subject: Subject| {
            Self::is_wanted(program, (options, findings), subject) && !told.borrow().contains(&subject)
        };
        while left > 0 {
            checks.retain(|(check, _)| check.is_wanted(program, options, findings));
            let goals: Vec<&Goal> = checks.iter().flat_map(|(_, goals)| goals).map(Rc::as_ref).collect();
            if goals.is_empty() {
                return Ok(());
            }
            let universe = &self.on.view.universe;
            let found = self.trials.run(universe, &goals, &mut left, self.budget, &is_wanted)?;
            let Some(violation) = found else { return Ok(()) };
            let check = Check::about(violation.subject);
            checks.retain(|(other, _)| *other != check);
            self.attempts.entry(check).and_modify(|attempt| attempt.hope = Hope::Violated);
            told.borrow_mut().insert(violation.subject);
            findings.violation(violation);
        }
        Ok(())
    }

    fn is_open(&self, check: Check) -> bool {
        self.attempts.contains_key(&check)
            && check.is_wanted(self.on.view.universe.program, self.options, self.findings)
    }

    /// The checks that have alarms and for which there is something to try.
    fn open(&self) -> Vec<Check> {
        let hopeful = self.attempts.iter().filter(|(_, attempt)| attempt.hope == Hope::Some).map(|(check, _)| *check);
        let is_hopeless = self.attempts.get(&Check::Everything).is_some_and(|attempt| attempt.hope != Hope::Some);
        hopeful.filter(|check| !is_hopeless && self.is_open(*check)).collect()
    }

    /// Works on a check with some effort.
    fn attempt(&mut self, check: Check, effort: u64) -> Result<(), Stop> {
        let mut tracked = match self.width {
            Width::Whole => self.tracked.clone(),
            Width::Narrow => PredicateSet::default(),
        };
        if let Some(attempt) = self.attempts.get(&check) {
            attempt.tracked.iter().for_each(|id| tracked.insert(id));
        }
        self.on.prover.allow(Some(effort));
        let ended = loop {
            match self.explore(Some(check), &tracked) {
                Ok(Explored::Proved) => break Ok(true),
                Ok(Explored::Refined(more)) => tracked = more,
                Ok(Explored::Ended(hope)) => {
                    self.attempts.entry(check).and_modify(|attempt| attempt.hope = hope);
                    break Ok(false);
                }
                Err(Stop::Spent) => break Ok(false),
                Err(stop) => break Err(stop),
            }
        };
        self.on.prover.allow(None);
        if ended? {
            if self.width == Width::Whole {
                self.tracked = tracked;
            }
        } else {
            self.attempts.entry(check).and_modify(|attempt| attempt.tracked = tracked);
        }
        Ok(())
    }

    /// Explores with some predicates, tells what that proves, and follows the alarms of a check.
    fn explore(&mut self, check: Option<Check>, tracked: &PredicateSet) -> Result<Explored, Stop> {
        if self.explored.as_ref() != Some(tracked) {
            self.statistics.outer += 1;
            self.explored = Some(tracked.clone());
        }
        self.count(tracked);
        let about = check.unwrap_or(Check::Everything).in_words(self.facts.program());
        let said = format!("{about}, iteration {}, {} predicates", self.statistics.outer, tracked.iter().count());
        self.progress.say("modular", &said);
        let ground = Rc::clone(&self.ground);
        let mut space = Space::new(
            &mut self.on,
            (self.options.environment, self.options.weakening),
            tracked.clone(),
            (ground, self.width),
        );
        match (self.width, check) {
            (Width::Whole, _) => {}
            (Width::Narrow, None) => {
                space.trimming = self.first.trimming.clone();
                space.left_out = settled(&space, self.findings);
            }
            (Width::Narrow, Some(check)) => space.left_out = left_out(&space, (check, tracked), &self.attempts),
        }
        // In a large program, where it may be undefined is looked for once, unless that is asked.
        let is_asked = [Property::Memory, Property::Overflow].iter().any(|of| self.options.properties.contains(of));
        space.notices_undefined = self.width == Width::Whole || check.is_none() || is_asked;
        space.notices_violations = self.width == Width::Whole || self.options.properties.contains(&Property::Assertion);
        let is_raced = |universe: &Universe<'_>, tag: Tag| {
            let of = abstracted(universe, tag).map(|object| Check::Race(Subject::Race(object)));
            of.is_some() && of == check
        };
        let is_alarm = |space: &Space<'_, '_, '_>, alarm: &Alarm| Some(Check::of(space, alarm)) == check;
        let sought = check.map(|check| match check {
            Check::Race(_) => Sought::Race(&is_raced),
            Check::Everything | Check::Assertion(_) | Check::Undefined(_) => Sought::Other(&is_alarm),
        });
        let explored = space.explore(sought);
        self.statistics.inner = space.updates;
        self.statistics.states = space.states.len() as u64;
        self.statistics.environment = space.expected_steps() as u64;
        self.statistics.queries = space.on.prover.queries;
        let extent = explored?;
        let said = format!(
            "{about}, iteration {}, {} predicates, {} environment steps assumed in {} inner iterations",
            self.statistics.outer,
            tracked.iter().count(),
            space.expected_steps(),
            space.updates
        );
        self.progress.say("modular", &said);
        if extent == Extent::Whole {
            tell(&space, self.options, self.findings);
        }
        let alarmed: Vec<Check> = space.alarms.iter().map(|alarm| Check::of(&space, alarm)).collect();
        if check.is_none_or(|check| !alarmed.contains(&check)) {
            // From here the next checks go on.
            if space.notices_undefined {
                self.doubts = doubts(&space, self.options);
                self.is_looked_through = true;
            }
            // In a large program not everything was looked at.
            let is_left = |other: &Check| self.width == Width::Narrow && check.is_some_and(|check| check != *other);
            self.attempts.retain(|check, _| alarmed.contains(check) || is_left(check));
            let is_first = self.width == Width::Whole || check.is_none();
            for (alarm, check) in space.alarms.iter().zip(&alarmed).filter(|_| is_first) {
                let new = || Attempt {
                    tracked: PredicateSet::default(),
                    slice: PredicateSet::default(),
                    rounds: 0,
                    hope: Hope::Some,
                    gap: unproved(&space, alarm),
                    goals: Vec::new(),
                };
                let attempt = self.attempts.entry(*check).or_insert_with(new);
                Goal::add(&mut attempt.goals, &space, alarm);
            }
            if self.width == Width::Narrow && is_first {
                for (check, attempt) in &mut self.attempts {
                    let alarms = of(&space, &alarmed, *check);
                    let nothing = PredicateSet::default();
                    attempt.tracked = slice(&mut space, &self.first, (*check, &alarms), &nothing).unwrap_or_default();
                    attempt.slice = attempt.tracked.clone();
                    // Where no lock is in common, there may be a schedule at once.
                    if attempt.slice.is_empty()
                        && check.is_wanted(space.on.view.universe.program, self.options, self.findings)
                    {
                        let schedule = |alarm: &Alarm| directed(&mut space, alarm, self.budget);
                        attempt.hope = scheduled(&alarms, self.findings, schedule)?;
                    }
                }
            }
            return Ok(Explored::Proved);
        }
        let check = check.unwrap_or(Check::Everything);
        let alarms = of(&space, &alarmed, check);
        if let Some(more) = slice(&mut space, &self.first, (check, &alarms), tracked) {
            return Ok(Explored::Refined(more));
        }
        // With an empty slice, that has been tried.
        let is_first = |attempt: &Attempt| attempt.rounds == 0 && !attempt.slice.is_empty();
        let is_new = self.attempts.get(&check).is_none_or(is_first);
        // In a large program, the way of an abstract path is hardly ever one that can be gone.
        let budget = self.budget;
        let hope = match self.width {
            Width::Whole => scheduled(&alarms, self.findings, |alarm| Ok(counterexample(&space, alarm, budget)))?,
            Width::Narrow if is_new => scheduled(&alarms, self.findings, |alarm| directed(&mut space, alarm, budget))?,
            Width::Narrow => Hope::Some,
        };
        if hope == Hope::Violated {
            return Ok(Explored::Ended(hope));
        }
        let (mut suggested, mut followed) = (Vec::new(), 0);
        // The pairs of a race differ in little.
        let most = if let Check::Race(_) = check { 1 } else { ALARMS };
        for alarm in &alarms {
            if followed < most
                && let Followed::Track(found) = discover(&mut space, alarm)?
            {
                followed += 1;
                suggested.extend(found);
            } else {
                let gap = unproved(&space, alarm);
                self.attempts.entry(check).and_modify(|attempt| attempt.gap = gap);
            }
        }
        self.statistics.queries = space.on.prover.queries;
        let rounds = self.attempts.get_mut(&check).map_or(0, |attempt| {
            attempt.rounds += 1;
            attempt.rounds
        });
        let mut more = tracked.clone();
        for predicate in suggested {
            if let Some(id) = space.on.predicates.add(&mut space.on.view, &predicate) {
                more.insert(id);
            }
        }
        if more == *tracked {
            // What the slice has left out.
            self.first.all.iter().for_each(|id| more.insert(id));
        }
        if more != *tracked && rounds < self.width.most_rounds() {
            return Ok(Explored::Refined(more));
        }
        // What cannot be proved may be wrong.
        let hope = match self.width {
            Width::Whole => scheduled(&alarms, self.findings, |alarm| directed(&mut space, alarm, budget))?,
            Width::Narrow => Hope::Some,
        };
        Ok(Explored::Ended(if hope == Hope::Violated { hope } else { Hope::Stuck }))
    }

    fn count(&mut self, tracked: &PredicateSet) {
        let (mut shared, mut local, mut mixed) = (0, 0, 0);
        for id in tracked.iter() {
            let has_cells = !self.on.predicates.cells(id).is_empty();
            let has_own = !self.on.predicates.locals(id).is_empty();
            match (has_cells, has_own) {
                (true, true) => mixed += 1,
                (false, true) => local += 1,
                (_, false) => shared += 1,
            }
        }
        (self.statistics.shared, self.statistics.local, self.statistics.mixed) = (shared, local, mixed);
    }
}

/// The alarms of a check.
fn of(space: &Space<'_, '_, '_>, alarmed: &[Check], check: Check) -> Vec<Alarm> {
    let alarms = space.alarms.iter().zip(alarmed).filter(|(_, of)| **of == check);
    alarms.map(|(alarm, _)| alarm.clone()).collect()
}

/// Looks for a schedule of one of some alarms, and tells it.
fn scheduled(
    alarms: &[Alarm],
    findings: &dyn Findings,
    mut schedule: impl FnMut(&Alarm) -> Result<Option<Violation>, Stop>,
) -> Result<Hope, Stop> {
    for alarm in alarms.iter().take(SCHEDULES) {
        if let Some(violation) = schedule(alarm)? {
            findings.violation(violation);
            return Ok(Hope::Violated);
        }
    }
    Ok(Hope::Some)
}

/// More of what is tracked from the start, if the alarms of a check ask for it.
fn slice(
    space: &mut Space<'_, '_, '_>,
    first: &First,
    (check, alarms): (Check, &[Alarm]),
    tracked: &PredicateSet,
) -> Option<PredicateSet> {
    let mut more = tracked.clone();
    match check {
        Check::Race(_) | Check::Assertion(_) => {
            for alarm in alarms {
                first.of_alarm(space, alarm).iter().for_each(|id| more.insert(id));
            }
        }
        // All that may be undefined, or everything: nothing is left out.
        Check::Everything | Check::Undefined(_) => first.all.iter().for_each(|id| more.insert(id)),
    }
    (more != *tracked).then_some(more)
}

/// The objects on which races are not looked for: all but that of a check, and those that may be proved with what is
/// tracked for it.
fn left_out(
    space: &Space<'_, '_, '_>,
    (check, tracked): (Check, &PredicateSet),
    attempts: &BTreeMap<Check, Attempt>,
) -> FxHashSet<Tag> {
    let universe = &space.on.view.universe;
    let is_looked_at = |tag: &Tag| {
        let of = abstracted(universe, *tag).map(|object| Check::Race(Subject::Race(object)));
        of == Some(check)
            || of.and_then(|of| attempts.get(&of)).is_some_and(|attempt| attempt.slice.is_part_of(tracked))
    };
    universe.tags().filter(|tag| !is_looked_at(tag)).collect()
}

/// The objects on which nobody needs to know any more whether something races.
fn settled(space: &Space<'_, '_, '_>, findings: &dyn Findings) -> FxHashSet<Tag> {
    let universe = &space.on.view.universe;
    let is_settled =
        |tag: &Tag| abstracted(universe, *tag).is_some_and(|object| !findings.is_open(Subject::Race(object)));
    universe.tags().filter(is_settled).collect()
}
