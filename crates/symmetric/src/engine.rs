//! The engine among others: one check after the other. A search that ends proves its check; one that meets the
//! beginning of the program has a counterexample, which is refuted with more predicates, or becomes a schedule.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use selvedge_abstraction::Stop;
use selvedge_analysis::Facts;
use selvedge_evidence::symmetric::BadConfiguration;
use selvedge_evidence::symmetric::stage::Stage;
use selvedge_evidence::{
    Answer, Certificate, Counterexample, Figure, Findings, Gap, InternalError, Scope, Subject, SymmetricProof,
    Violation,
};
use selvedge_interleaving::{Feasibility, Feasible};
use selvedge_program::trace::TraceEnd;
use selvedge_program::{Budget, Program, Progress, Property};
use selvedge_symbolic::threads::{Universe, View};
use selvedge_symbolic::{Reach, Trouble};

use crate::checks::{Check, span, unproved};
use crate::counting::count_threads;
use crate::frames::{Frames, Outcome};
use crate::identity::told_apart;
use crate::refine::{Refined, moves, refine};
use crate::schedule::question;
use crate::search::{Origin, Reached, Target};
use crate::tracked::Tracked;

/// What the engine is asked.
#[derive(Clone, Debug, Default)]
pub struct Options {
    pub properties: Vec<Property>,
    /// Only races on the object with this name are meant.
    pub race_on: Option<String>,
}

/// Whether the engine has something to say about a property.
pub fn answers(property: Property) -> bool {
    match property {
        Property::Assertion | Property::Race | Property::Memory | Property::Overflow => true,
        Property::Deadlock | Property::Livelock | Property::Atomicity => false,
    }
}

/// What it took, in the words of the paper's Table 1.
#[derive(Clone, Copy, Debug, Default)]
struct Statistics {
    iterations: u64,
    /// The highest level at which errors were blocked.
    levels: u64,
    configurations: u64,
    /// The most threads of one configuration of a proof.
    threads: u64,
    queries: u64,
    shared: u64,
    local: u64,
    mixed: u64,
    /// Looking at the program, searching, refining, and looking for schedules.
    preparing: Duration,
    searching: Duration,
    refining: Duration,
    simulating: Duration,
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
    if let Err(stop) = run(facts.program(), options, budget, progress, findings, (&mut statistics, &mut gaps)) {
        gaps.push(Gap::Limit(stop.limit().map_err(InternalError::Failed)?));
    }
    let figures = vec![
        ("iterations", Figure::Count(statistics.iterations)),
        ("levels", Figure::Count(statistics.levels)),
        ("configurations", Figure::Count(statistics.configurations)),
        ("predicates", Figure::Count(statistics.shared + statistics.local + statistics.mixed)),
        ("local", Figure::Count(statistics.local)),
        ("mixed", Figure::Count(statistics.mixed)),
        ("shared", Figure::Count(statistics.shared)),
        ("threads", Figure::Count(statistics.threads)),
        ("prover_queries", Figure::Count(statistics.queries)),
        ("preparing_seconds", Figure::Time(statistics.preparing)),
        ("searching_seconds", Figure::Time(statistics.searching)),
        ("refining_seconds", Figure::Time(statistics.refining)),
        ("simulating_seconds", Figure::Time(statistics.simulating)),
        ("seconds", Figure::Time(begun.elapsed())),
    ];
    Ok(Answer::new(gaps, figures))
}

fn run(
    program: &Program,
    options: &Options,
    budget: &Budget,
    progress: &mut dyn Progress,
    findings: &dyn Findings,
    (statistics, gaps): (&mut Statistics, &mut Vec<Gap>),
) -> Result<(), Stop> {
    let begun = Instant::now();
    let universe = match Universe::of(program, || budget.exhausted().is_none()) {
        Ok(Some(universe)) => universe,
        Ok(None) => {
            gaps.extend(budget.exhausted().map(Gap::Limit));
            return Ok(());
        }
        Err(_) => {
            gaps.push(Gap::inapplicable("threads that call functions recursively are not looked at as equal ones"));
            return Ok(());
        }
    };
    let stage = match Stage::new(View::new(universe)) {
        Ok(stage) => stage,
        Err(why) => {
            gaps.push(Gap::inapplicable(format!("not a program whose threads are looked at as equal ones: {why}")));
            return Ok(());
        }
    };
    let on = Tracked::new(stage, budget);
    statistics.preparing = begun.elapsed();
    let frames = Frames::new(&on.stage.view.universe);
    let mut work = Work {
        on,
        frames,
        options,
        progress,
        findings,
        statistics,
        gaps,
        proved: BTreeMap::new(),
        is_stuck: false,
        is_doubted: false,
    };
    let ended = work.run();
    work.statistics.queries = work.on.queries;
    work.statistics.levels = work.frames.levels as u64;
    if work.is_stuck {
        let apart = told_apart(&work.on.stage.view.universe);
        let gaps = apart.into_iter().take(MOST_APART);
        work.gaps.extend(gaps.map(|(span, apart)| Gap::Inapplicable { span, message: apart.text().to_owned() }));
    }
    for predicate in work.on.predicates() {
        match predicate.reach(program) {
            Reach::Shared => work.statistics.shared += 1,
            Reach::Local => work.statistics.local += 1,
            Reach::Mixed => work.statistics.mixed += 1,
        }
    }
    ended
}

/// How often the predicates for one check are refined.
const MOST_ITERATIONS: u64 = 200;

/// How many questions a check may take; not a time, so that the answer is the same on every machine.
const EFFORT: u64 = 400_000;

/// How many are spent on what nobody asked about.
const LITTLE_EFFORT: u64 = 4_000;

/// Of how many places it is said that threads are told apart there.
const MOST_APART: usize = 3;

/// From as many threads in a counterexample on, threads are counted rather than looked at one by one.
const MANY_THREADS: usize = 5;

/// The most threads of a configuration of a counterexample.
fn threads_of(reached: &[Reached], first: usize) -> usize {
    let mut most = 0;
    let mut at = first;
    loop {
        most = most.max(reached[at].configuration.threads.len());
        match &reached[at].origin {
            Origin::Target(_) => return most,
            Origin::Move { to, .. } => at = *to,
        }
    }
}

/// What came of a check.
enum Decided {
    Proved(Vec<BadConfiguration>),
    Violated,
    Stuck(Gap),
}

struct Work<'a, 'p, 'b> {
    on: Tracked<'p, 'b>,
    frames: Frames,
    options: &'a Options,
    progress: &'a mut dyn Progress,
    findings: &'a dyn Findings,
    statistics: &'a mut Statistics,
    gaps: &'a mut Vec<Gap>,
    proved: BTreeMap<Check, Vec<BadConfiguration>>,
    /// Whether nothing helped with something that was asked.
    is_stuck: bool,
    /// Whether it is known where the program may be undefined.
    is_doubted: bool,
}

impl<'p> Work<'_, 'p, '_> {
    fn program(&self) -> &'p Program {
        self.on.stage.view.universe.program
    }

    fn run(&mut self) -> Result<(), Stop> {
        match self.decide(Check::Everything, EFFORT)? {
            Decided::Proved(bad) => drop(self.proved.insert(Check::Everything, bad)),
            Decided::Violated => return Ok(()),
            Decided::Stuck(gap) => {
                self.is_stuck = true;
                self.gaps.push(gap);
                let unsupported = self.unsupported();
                self.gaps.extend(unsupported);
                return Ok(());
            }
        }
        for property in self.options.properties.clone() {
            self.property(property)?;
        }
        Ok(())
    }

    /// What is not modelled and may be reached.
    fn unsupported(&mut self) -> Vec<Gap> {
        let program = self.program();
        let targets = Check::Everything.targets(&mut self.on.stage);
        let mut gaps = Vec::new();
        for target in targets {
            let moved = self.on.stage.moved(target.steps[0]);
            for (_, trouble) in &moved.troubles {
                if let Trouble::Unsupported(what) = trouble {
                    gaps.push(Gap::Unsupported { span: span(program, Some(&target)), what: what.clone() });
                }
            }
        }
        gaps
    }

    /// Everything of a property.
    fn property(&mut self, property: Property) -> Result<(), Stop> {
        if !self.findings.is_property_open(property) {
            return Ok(());
        }
        let checks = Check::of(&self.on.stage, property);
        let mut is_all = true;
        let mut decided = Vec::new();
        for check in checks {
            if !check.is_wanted(&self.on.stage, self.options, self.findings) {
                is_all = false;
                continue;
            }
            match self.decide(check, EFFORT)? {
                Decided::Proved(bad) => {
                    self.proved.insert(check, bad);
                    decided.push(check);
                }
                Decided::Violated => is_all = false,
                Decided::Stuck(gap) => {
                    is_all = false;
                    self.is_stuck = true;
                    self.gaps.push(gap);
                }
            }
        }
        let scope = if is_all {
            Scope::Property(property)
        } else {
            let subjects: Vec<Subject> = decided.iter().filter_map(|check| check.subject(&self.on.stage)).collect();
            if subjects.is_empty() {
                return Ok(());
            }
            Scope::Subjects(subjects)
        };
        let parts = std::iter::once(&Check::Everything).chain(&decided);
        let mut bad: Vec<BadConfiguration> = Vec::new();
        for configuration in parts.filter_map(|check| self.proved.get(check)).flatten() {
            if !bad.contains(configuration) {
                bad.push(configuration.clone());
            }
        }
        let doubted = self.doubts();
        self.findings.proved(&scope, Certificate::Symmetric(Arc::new(SymmetricProof { bad })));
        doubted
    }

    /// Says where the program may be undefined, if nobody asked about that: a proof holds as far as it is defined. This
    /// comes before the first proof is told: with the last one the run may be over, and what is said must not depend on
    /// how far an engine gets before it hears of that.
    fn doubts(&mut self) -> Result<(), Stop> {
        if std::mem::replace(&mut self.is_doubted, true) {
            return Ok(());
        }
        let mut doubted = Ok(());
        for property in [Property::Memory, Property::Overflow] {
            if !self.options.properties.contains(&property) {
                doubted = doubted.and(self.doubt(property));
            }
        }
        doubted
    }

    /// What cannot be excluded for want of time is in doubt.
    fn doubt(&mut self, property: Property) -> Result<(), Stop> {
        let targets = Check::Undefined(property).targets(&mut self.on.stage);
        if targets.is_empty() {
            return Ok(());
        }
        let decided = self.decide(Check::Undefined(property), LITTLE_EFFORT);
        if matches!(decided, Ok(Decided::Proved(_))) {
            return Ok(());
        }
        for target in targets {
            let (function, edge, _) = target.steps[0];
            let span = self.program().function(function).edge(edge).span;
            let moved = self.on.stage.moved(target.steps[0]);
            for (_, trouble) in &moved.troubles {
                if let Trouble::Undefined(undefined) = trouble
                    && undefined.property() == property
                {
                    self.gaps.push(Gap::PerhapsUndefined { span, undefined: *undefined });
                }
            }
        }
        decided.map(drop)
    }

    /// Works on a check until it is decided or nothing helps.
    fn decide(&mut self, check: Check, effort: u64) -> Result<Decided, Stop> {
        let targets = check.targets(&mut self.on.stage);
        self.on.allowance = effort;
        let decided = self.refined(check, &targets);
        self.on.allowance = u64::MAX;
        self.on.is_eager = false;
        match decided {
            Err(Stop::Spent) => {
                let why = "too many configurations of threads";
                Ok(Decided::Stuck(unproved(self.program(), check, targets.first(), why)))
            }
            decided => decided,
        }
    }

    fn refined(&mut self, check: Check, targets: &[Target]) -> Result<Decided, Stop> {
        for iteration in 0.. {
            self.statistics.iterations += 1;
            let about = check.in_words(&self.on.stage);
            self.progress.say("symmetric", &format!("{about}, iteration {iteration}, {} predicates", self.on.len()));
            let begun = Instant::now();
            let outcome = self.frames.run(&mut self.on, targets);
            self.statistics.searching += begun.elapsed();
            let (reached, first) = match outcome? {
                Outcome::Closed(bad) => {
                    self.statistics.configurations += bad.len() as u64;
                    let threads = bad.iter().map(|configuration| configuration.threads.len() as u64);
                    self.statistics.threads = self.statistics.threads.max(threads.max().unwrap_or(0));
                    let written = bad.iter().map(|configuration| configuration.written(&self.on.stage));
                    return Ok(Decided::Proved(written.collect()));
                }
                Outcome::Began(reached, first) => (reached, first),
                Outcome::TooMany => return Err(Stop::Spent),
            };
            let known = self.on.len();
            let path = moves(&reached, first);
            let target = path.target;
            let begun = Instant::now();
            let refined = refine(&mut self.on, targets, &path);
            self.statistics.refining += begun.elapsed();
            let refined = refined?;
            let are_few = threads_of(&reached, first) < MANY_THREADS;
            if !are_few {
                count_threads(&mut self.on);
            }
            if refined == Refined::Remains && (are_few || self.on.len() == known) {
                let begun = Instant::now();
                let is_real = self.schedule(check, &reached, first, targets);
                self.statistics.simulating += begun.elapsed();
                if is_real? {
                    return Ok(Decided::Violated);
                }
            }
            if self.on.len() == known {
                count_threads(&mut self.on);
            }
            if self.on.len() == known || iteration >= MOST_ITERATIONS {
                let why = "no predicate is left that might help";
                return Ok(Decided::Stuck(unproved(self.program(), check, targets.get(target), why)));
            }
        }
        Err(Stop::Spent)
    }

    /// Whether a counterexample has a schedule, which then is told.
    fn schedule(&mut self, check: Check, reached: &[Reached], first: usize, targets: &[Target]) -> Result<bool, Stop> {
        let program = self.program();
        if check == Check::Everything {
            // What is not modelled has no schedule.
            return Ok(false);
        }
        let Some(question) = question(program, reached, first, targets) else { return Ok(false) };
        let asked = Feasibility::new(program).ask(&question, self.on.budget);
        let Ok(Feasible::Yes(trace)) = asked else { return Ok(false) };
        let mut at = first;
        let target = loop {
            match &reached[at].origin {
                Origin::Target(target) => break &targets[*target],
                Origin::Move { to, .. } => at = *to,
            }
        };
        let (function, edge, _) = target.steps[0];
        let subject = match (check.subject(&self.on.stage), trace.end) {
            (Some(subject), _) => subject,
            (None, TraceEnd::Undefined(undefined)) => Subject::Memory(function, edge, undefined),
            (None, _) => return Ok(false),
        };
        let violation = Violation { subject, trace };
        if !self.options.properties.contains(&subject.property()) {
            return Ok(false);
        }
        if Counterexample::new(program, violation.clone()).is_err() {
            return Ok(false);
        }
        self.findings.violation(violation);
        Ok(true)
    }
}
