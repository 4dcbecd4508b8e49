//! Violations and their traces, which the semantics must accept.

use selvedge_evidence::Findings;
use selvedge_program::Property;
use selvedge_program::semantics::Outcome;
use selvedge_program::trace::{Trace, TraceEnd, TraceStep, replay};

use super::Search;
use crate::options::Stop;
use crate::result::{Coverage, Exploration, InternalError, Subject, Violation};
use crate::visited::StateIndex;

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
            return;
        }
        self.findings.push(Finding { subject, state, failing, end });
        let is_violated = |property: &Property| self.findings.iter().any(|f| f.subject.property() == *property);
        self.stopped = match self.options.stop {
            Stop::AtFirst => true,
            Stop::PerProperty => self.options.properties.iter().all(is_violated),
            Stop::Never => false,
        };
    }

    /// Writes down the traces of what was found since the last call, has the semantics check them, and tells them.
    pub(super) fn tell(&mut self, findings: &dyn Findings) -> Result<(), InternalError> {
        while let Some(finding) = self.findings.get(self.violations.len()) {
            let (subject, state, end) = (finding.subject, finding.state, finding.end);
            let failing = finding.failing.clone();
            let mut steps = self.path(state)?;
            steps.extend(failing);
            let trace = Trace { steps, end };
            if let Err(error) = replay(self.facts.program, &trace) {
                return Err(InternalError::Rejected(error.to_string()));
            }
            let violation = Violation { subject, trace };
            findings.violation(violation.clone());
            self.violations.push(violation);
        }
        Ok(())
    }

    pub(super) fn finish(mut self) -> Exploration {
        self.statistics.memory = self.statistics.memory.max(self.memory());
        Exploration {
            violations: self.violations,
            cuts: self.cuts.into_iter().collect(),
            coverage: if self.stopped { Coverage::Stopped } else { Coverage::Whole },
            statistics: self.statistics,
        }
    }

    /// The steps from the beginning to a stored state.
    fn path(&mut self, state: StateIndex) -> Result<Vec<TraceStep>, InternalError> {
        let mut arrivals = Vec::new();
        let mut at = state;
        while at != StateIndex(0) {
            let arrival = self.visited.arrival(at);
            arrivals.push(arrival);
            at = arrival.parent;
        }
        let wrong = |outcome: Outcome| InternalError::Rejected(format!("{outcome:?}"));
        let (mut world, mut steps) = self.mover.initial().map_err(wrong)?;
        for arrival in arrivals.into_iter().rev() {
            let answers = self.answers[arrival.answers as usize].clone();
            let (next, taken) = self.mover.retrace(&world, arrival.thread, arrival.edge, &answers).map_err(wrong)?;
            world = next;
            steps.extend(taken);
        }
        Ok(steps)
    }
}
