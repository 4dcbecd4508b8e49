//! Executions one after the other, as one engine among others: what they run into is told at once, and so are the races
//! that their orders show, once they have been replayed.

use crate::execution::{Execution, Standing};
use crate::order::Unordered;
use crate::schedule::{Schedule, Vocabulary};
use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_analysis::{AbstractObject, Facts};
use selvedge_evidence::{
    Answer, Engine, Entry, Figure, Findings, Gap, InternalError, Subject, Task, Violation, object_at,
};
use selvedge_program::semantics::{Livelock, Outcome, PendingAccess, Semantics, State};
use selvedge_program::trace::{Trace, TraceEnd, TraceStep, replay};
use selvedge_program::{Budget, EdgeId, Exhausted, FunctionId, Program, Progress, Property, ThreadIndex};
use std::collections::BTreeSet;
use std::time::Instant;

/// Its name.
pub const NAME: &str = "sampling";

/// What it does, in a line.
pub const ABOUT: &str = "Single executions with random schedules, and the races that their orders show";

/// How many steps all executions may have together; not a time, so that the answer is the same on every machine.
const EFFORT: usize = 20_000_000;

/// How many the first executions may have. Every few executions it is twice as many, up to the longest.
const SHORTEST: usize = 4_000;
const LONGEST: usize = 400_000;
const FEW: u64 = 32;

/// How many executions there are at most: small ones show little that is new after a while.
const EXECUTIONS: u64 = 20_000;

/// How often two edges are tried to be brought together.
const ATTEMPTS: u32 = 4;

/// In how many of eight cases a question is answered plainly, by execution: where input is plain it is soon at its end.
const PLAIN: [u64; 8] = [8, 6, 3, 1, 8, 6, 3, 7];

/// The limits are looked at every so many steps.
const NOW_AND_THEN: usize = 256;

/// What the engine is asked.
#[derive(Clone, Debug)]
pub struct Options {
    pub task: Task,
    /// How many steps all executions may have together.
    pub effort: usize,
    /// Where the random numbers begin.
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Self {
        Options { task: Task::default(), effort: EFFORT, seed: 0 }
    }
}

/// The engine, asked about the threads that the program starts.
pub fn engine(task: &Task) -> Box<dyn Engine> {
    let is_answered = |property| property != Property::Atomicity && task.threads.bound().is_none();
    let task = task.for_threads_as_started().limited_to(is_answered);
    Box::new(Registered(Options { task, ..Options::default() }))
}

struct Registered(Options);

impl Engine for Registered {
    fn name(&self) -> &'static str {
        NAME
    }

    fn properties(&self) -> &[Property] {
        &self.0.task.properties
    }

    /// What has few states is settled without it, and with shorter schedules.
    fn entry(&self) -> Entry {
        Entry::Reserve
    }

    fn is_made_for(&self, _facts: &Facts) -> bool {
        true
    }

    fn check(
        &self,
        facts: &Facts,
        budget: &Budget,
        progress: &mut dyn Progress,
        findings: &dyn Findings,
    ) -> Result<Answer, InternalError> {
        Ok(check(facts, &self.0, budget, progress, findings))
    }
}

/// Looks at executions until the effort is spent, or nothing is open any more.
pub fn check(
    facts: &Facts,
    options: &Options,
    budget: &Budget,
    progress: &mut dyn Progress,
    findings: &dyn Findings,
) -> Answer {
    let begun = Instant::now();
    let program = facts.program();
    let semantics = Semantics::new(program);
    let mut sampling = Sampling {
        program,
        semantics: &semantics,
        options,
        budget,
        findings,
        likely: Vocabulary::of(program),
        escaped: facts.escaped().ok(),
        attempts: FxHashMap::default(),
        told: FxHashSet::default(),
        executions: 0,
        steps: 0,
        length: 1,
        unsupported: BTreeSet::new(),
    };
    let ended = sampling.run(progress);
    let mut gaps: Vec<Gap> = std::mem::take(&mut sampling.unsupported).into_iter().collect();
    gaps.extend(ended.err().map(Gap::Limit));
    gaps.push(Gap::inapplicable("single executions with random schedules prove nothing"));
    let figures = vec![
        ("executions", Figure::Count(sampling.executions)),
        ("steps", Figure::Count(sampling.steps as u64)),
        ("seconds", Figure::Time(begun.elapsed())),
    ];
    Answer::new(gaps, figures)
}

/// Where an access stands in the program.
type Place = Option<(FunctionId, EdgeId)>;

struct Sampling<'a> {
    program: &'a Program,
    semantics: &'a Semantics<'a>,
    options: &'a Options,
    budget: &'a Budget,
    findings: &'a dyn Findings,
    likely: Vocabulary,
    /// The objects that more than one thread may know of, if that could be found out.
    escaped: Option<&'a BTreeSet<AbstractObject>>,
    /// How often accesses to an object by two edges were tried to be brought together.
    attempts: FxHashMap<(Option<AbstractObject>, [EdgeId; 2]), u32>,
    /// The races that were told, by the accesses.
    told: FxHashSet<(AbstractObject, [Place; 2])>,
    executions: u64,
    steps: usize,
    /// The most accesses of an execution that others may notice.
    length: u64,
    /// What is not modelled and ended executions.
    unsupported: BTreeSet<Gap>,
}

impl Sampling<'_> {
    fn run(&mut self, progress: &mut dyn Progress) -> Result<(), Exhausted> {
        while self.executions < EXECUTIONS && self.steps < self.options.effort && self.is_anything_open() {
            let doubled = u32::try_from(self.executions / FEW).unwrap_or(u32::MAX);
            let longest = SHORTEST.checked_shl(doubled).map_or(LONGEST, |steps| steps.clamp(SHORTEST, LONGEST));
            progress.say(NAME, &format!("execution {}, {} steps", self.executions + 1, self.steps));
            self.execute(longest)?;
            self.executions += 1;
        }
        Ok(())
    }

    fn is_anything_open(&self) -> bool {
        self.options.task.properties.iter().any(|property| self.findings.is_property_open(*property))
    }

    fn is_wanted(&self, subject: Subject) -> bool {
        self.options.task.asks(subject.property()) && self.findings.is_open(subject)
    }

    fn execute(&mut self, longest: usize) -> Result<(), Exhausted> {
        let schedule = Schedule::new(self.options.seed.wrapping_add(self.executions), self.length);
        let plain = PLAIN[(self.executions / 2) as usize % PLAIN.len()];
        let likely = self.likely.clone();
        let Some(mut execution) = Execution::new(self.semantics, schedule, &likely, plain) else { return Ok(()) };
        let escaped = self.escaped;
        let is_meant = |state: &State, access: &PendingAccess| {
            let object = access.spot.object().and_then(|object| AbstractObject::of_instance(state, object));
            object.is_none_or(|object| escaped.is_none_or(|escaped| escaped.contains(&object)))
        };
        let mut standing = Standing::On;
        for step in 0..longest {
            if step % NOW_AND_THEN == 0 {
                self.budget.check()?;
            }
            self.steps += 1;
            standing = execution.go_on(&is_meant);
            if !matches!(standing, Standing::On) {
                break;
            }
            for unordered in std::mem::take(&mut execution.unordered) {
                self.bring_together(&execution, &unordered);
            }
        }
        self.length = self.length.max(execution.accesses());
        match standing {
            Standing::On => {
                if self.is_wanted(Subject::Livelock) && self.semantics.livelock(execution.state()) == Livelock::Yes {
                    self.tell(Subject::Livelock, Trace { steps: execution.steps, end: TraceEnd::Livelock });
                }
            }
            Standing::Failed(outcome) => self.fail(execution, &outcome),
            Standing::Still => {
                if self.is_wanted(Subject::Deadlock) && self.semantics.deadlocked(execution.state()) {
                    self.tell(Subject::Deadlock, Trace { steps: execution.steps, end: TraceEnd::Deadlock });
                }
            }
        }
        Ok(())
    }

    /// An execution whose last step has no state after it.
    fn fail(&mut self, execution: Execution<'_>, outcome: &Outcome) {
        let Some(last) = execution.steps.last() else { return };
        let (subject, end) = match outcome {
            Outcome::AssertionFailed(check) => (Subject::Assertion(*check), TraceEnd::AssertionFailed(*check)),
            Outcome::Undefined(undefined, _) => {
                (Subject::Memory(last.function, last.edge, *undefined), TraceEnd::Undefined(*undefined))
            }
            Outcome::Unsupported(what) => {
                let span = self.program.function(last.function).edge(last.edge).span;
                self.unsupported.insert(Gap::Unsupported { span, what: what.clone() });
                return;
            }
            Outcome::Disabled | Outcome::NeedsChoice(_) | Outcome::Internal(_) => return,
        };
        if self.is_wanted(subject) {
            self.tell(subject, Trace { steps: execution.steps, end });
        }
    }

    /// Two accesses that nothing orders: the steps that come before either of them, as an execution of their own. Of an
    /// object that races already, other accesses are told of as well.
    fn bring_together(&mut self, execution: &Execution<'_>, unordered: &Unordered) {
        if !self.options.task.asks(Property::Race) {
            return;
        }
        let object = object_at(execution.state(), unordered.second.spot);
        let attempts = self.attempts.entry((object, [unordered.first.edge, unordered.second.edge])).or_default();
        let is_open = object.is_none_or(|object| self.findings.has_room(Subject::Race(object)));
        if *attempts == ATTEMPTS || !is_open {
            return;
        }
        *attempts += 1;
        let Some(clock) = execution.order.up_to(unordered) else { return };
        let mut taken: FxHashMap<ThreadIndex, u32> = FxHashMap::default();
        let is_before = |step: &&TraceStep| {
            let number = taken.entry(step.thread).or_default();
            *number += 1;
            *number <= clock.of(step.thread)
        };
        let steps = execution.steps.iter().filter(is_before).cloned().collect();
        let [first, second] = [unordered.first.thread, unordered.second.thread];
        let trace = Trace { steps, end: TraceEnd::Race(first.min(second), first.max(second)) };
        let Ok(shown) = replay(self.program, &trace) else { return };
        let place = |access: &PendingAccess| Some((shown.state.frame(access.thread)?.function, access.edge));
        let mut told = BTreeSet::new();
        for race in &shown.races {
            let Some(object) = object_at(&shown.state, race.first.spot) else { continue };
            let mut places = [place(&race.first), place(&race.second)];
            places.sort();
            let is_new = self.told.insert((object, places));
            if is_new && !told.contains(&object) && self.findings.has_room(Subject::Race(object)) {
                told.insert(object);
                self.tell(Subject::Race(object), trace.clone());
            }
        }
    }

    fn tell(&self, subject: Subject, trace: Trace) {
        self.findings.violation(Violation { subject, trace });
    }
}
