//! Violations and their traces, which the semantics must accept.

use selvedge_evidence::Findings;
use selvedge_program::semantics::{Instance, Outcome, Pointer, Value};
use selvedge_program::trace::{Trace, TraceEnd, TraceStep, replay};
use selvedge_program::{Property, ThreadIndex};

use super::Search;
use crate::options::Until;
use crate::result::{Coverage, Exploration, Gap, InternalError, Subject, Violation};
use crate::tidy;
use crate::view::View;
use crate::visited::StateIndex;

/// How often a violation of one subject is told where the first may rest on what nobody knows.
pub const MOST_AGAIN: u32 = 64;

/// A violation before its trace is written down.
pub struct Finding {
    /// What is violated.
    pub subject: Subject,
    /// The state it was found in.
    pub state: StateIndex,
    /// The step that fails, if the violation is a failure.
    pub failing: Option<TraceStep>,
    /// What the trace shows.
    pub end: TraceEnd,
}

impl Search<'_, '_> {
    pub(super) fn found(&mut self, subject: Subject, state: StateIndex, failing: Option<TraceStep>, end: TraceEnd) {
        if self.findings.iter().any(|known| known.subject == subject) {
            return self.found_again(Finding { subject, state, failing, end });
        }
        self.findings.push(Finding { subject, state, failing, end });
        let is_violated = |property: &Property| self.findings.iter().any(|f| f.subject.property() == *property);
        self.stopped = match self.options.until {
            Until::FirstViolation => true,
            Until::EveryPropertyViolated => self.options.task.properties.iter().all(is_violated),
            Until::Explored => false,
        };
    }

    /// The same is violated once more. Where the program uses what nobody knows, the first violation may rest on that and
    /// another not.
    pub(super) fn found_again(&mut self, finding: Finding) {
        if self.facts.program.unknowns.is_empty() || self.stopped {
            return;
        }
        let times = self.again.entry(finding.subject).or_default();
        if *times < MOST_AGAIN {
            *times += 1;
            self.further.push(finding);
        }
    }

    /// Writes down the traces of what was found since the last call, has the semantics check them, and tells them.
    pub(super) fn tell(&mut self, findings: &dyn Findings) -> Result<(), InternalError> {
        while self.findings.len() > self.violations.len() || !self.further.is_empty() {
            // What is violated for the first time comes first.
            let first = self.findings.get(self.violations.len());
            let is_further = first.is_none();
            let Some(finding) = first.or(self.further.last()) else { break };
            let (subject, state, end) = (finding.subject, finding.state, finding.end);
            let failing = finding.failing.clone();
            if is_further {
                self.further.pop();
                let is_one_of_many = matches!(subject, Subject::Race(_));
                if !is_one_of_many && !findings.is_open(subject) {
                    continue;
                }
            }
            let Some(Path { mut steps, arriving, names }) = self.path(state)? else {
                self.gaps.extend(self.mover.in_budget.err().map(Gap::Limit));
                self.stopped = true;
                return Ok(());
            };
            steps.extend(failing.map(|step| names.step(step)));
            let end = match end {
                TraceEnd::Race(first, second) => TraceEnd::Race(arriving.thread(first), arriving.thread(second)),
                end => end,
            };
            let trace = Trace { steps, end };
            if let Err(error) = replay(self.facts.program, &trace) {
                return Err(InternalError::Rejected(error.to_string()));
            }
            let violation = Violation { subject, trace };
            findings.violation(violation.clone());
            if !is_further {
                self.violations.push(violation);
            }
        }
        Ok(())
    }

    pub(super) fn finish(mut self) -> Exploration {
        self.statistics.memory = self.statistics.memory.max(self.memory());
        Exploration {
            violations: self.violations,
            gaps: self.gaps.into_iter().collect(),
            coverage: if self.stopped { Coverage::Stopped } else { Coverage::Whole },
            statistics: self.statistics,
        }
    }

    /// The steps from the beginning to a stored state; `None` if the budget is used up on the way.
    fn path(&mut self, state: StateIndex) -> Result<Option<Path>, InternalError> {
        let mut arrivals = Vec::new();
        let mut at = state;
        while at != StateIndex(0) {
            let arrival = self.visited.arrival(at);
            arrivals.push(arrival);
            at = arrival.parent;
        }
        let wrong = |outcome: Outcome| InternalError::Rejected(format!("{outcome:?}"));
        let (mut world, mut taken) = self.mover.initial().map_err(wrong)?;
        let mut names = Names::default();
        let mut steps = Vec::new();
        loop {
            names.extend(world.outlooks.len());
            steps.extend(taken.drain(..).map(|step| names.step(step)));
            let arriving = names.clone();
            let row = self.parts.row(None, &world);
            if let Some(kept) = tidy::kept(View::new(&self.parts, &row)) {
                world = self.mover.with_only(&self.parts.world(&row), &kept);
                names.keep(&kept);
            }
            // Where a chain of steps was cut off, these do not lead to the state.
            if self.mover.in_budget.is_err() {
                return Ok(None);
            }
            let Some(arrival) = arrivals.pop() else { return Ok(Some(Path { steps, arriving, names })) };
            let answers = self.answers[arrival.answers as usize].clone();
            let (next, more) = self.mover.retrace(&world, arrival.thread, arrival.edge, &answers).map_err(wrong)?;
            world = next;
            taken = more;
        }
    }
}

/// How a state was reached.
struct Path {
    steps: Vec<TraceStep>,
    /// Who is who when the state is met.
    arriving: Names,
    /// Who is who when it is expanded.
    names: Names,
}

/// Who the threads of a state are: their numbers in the order of all starts, by index. They differ once threads have
/// been [taken out](crate::tidy).
#[derive(Clone, Debug, Default)]
struct Names {
    threads: Vec<ThreadIndex>,
    started: usize,
}

impl Names {
    /// There are now so many threads, the last ones new.
    fn extend(&mut self, threads: usize) {
        while self.threads.len() < threads {
            self.threads.push(ThreadIndex::new(self.started));
            self.started += 1;
        }
    }

    fn keep(&mut self, kept: &[ThreadIndex]) {
        self.threads = kept.iter().map(|thread| self.thread(*thread)).collect();
    }

    fn thread(&self, thread: ThreadIndex) -> ThreadIndex {
        self.threads.get(thread.index()).copied().unwrap_or(thread)
    }

    fn step(&self, step: TraceStep) -> TraceStep {
        let answer = |value: Value| match value {
            Value::Pointer(Pointer { object: Instance::Thread(thread), offset }) => {
                Value::Pointer(Pointer { object: Instance::Thread(self.thread(thread)), offset })
            }
            value => value,
        };
        TraceStep { thread: self.thread(step.thread), choices: step.choices.into_iter().map(answer).collect(), ..step }
    }
}
