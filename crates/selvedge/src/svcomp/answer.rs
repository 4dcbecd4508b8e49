//! The answer to a specification: `true`, `false(…)` with the part that is violated, or `unknown`.

use super::{Goal, Specification};
use crate::{CheckOptions, Checked, check};
use selvedge_evidence::{CheckResult, Counterexample, Judgement, Verdict};
use selvedge_program::trace::TraceEnd;
use selvedge_program::{Action, Budget, Program, Progress, Property, Storage};
use std::fmt;
use std::sync::Arc;

/// What was found out about one line of a specification.
#[derive(Clone, Debug)]
pub enum Finding {
    /// It holds in every execution.
    Holds,
    /// It is violated, like this.
    Violated(Arc<Counterexample>),
    /// It holds as far as the program is defined, and perhaps it is not, for this reason.
    Undefined(String),
    /// No answer, for this reason.
    Open(String),
}

/// What was found out about a specification.
#[derive(Clone, Debug)]
pub struct Answer {
    /// For each of its lines.
    pub findings: Vec<(Goal, Finding)>,
}

impl Answer {
    /// The first violation, and what it violates.
    pub fn violation(&self) -> Option<(&Goal, &Arc<Counterexample>)> {
        self.findings.iter().find_map(|(goal, finding)| match finding {
            Finding::Violated(counterexample) => Some((goal, counterexample)),
            Finding::Holds | Finding::Undefined(_) | Finding::Open(_) => None,
        })
    }

    /// Whether every line holds.
    pub fn holds(&self) -> bool {
        self.findings.iter().all(|(_, finding)| matches!(finding, Finding::Holds))
    }

    /// Whether all that is missing is that the program is defined.
    pub fn hangs_on_definedness(&self) -> bool {
        let is_open = |(_, finding): &(Goal, Finding)| matches!(finding, Finding::Violated(_) | Finding::Open(_));
        !self.holds() && !self.findings.iter().any(is_open)
    }

    /// Why it is unknown, if it is: each reason once.
    pub fn reasons(&self) -> Vec<&str> {
        let mut reasons: Vec<&str> = Vec::new();
        if self.violation().is_some() {
            return reasons;
        }
        for (_, finding) in &self.findings {
            if let Finding::Undefined(reason) | Finding::Open(reason) = finding
                && !reasons.contains(&reason.as_str())
            {
                reasons.push(reason);
            }
        }
        reasons
    }
}

impl fmt::Display for Answer {
    /// As BenchExec's tables have it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.violation() {
            Some((goal, _)) => write!(f, "false({})", goal.name()),
            None if self.holds() => f.write_str("true"),
            None => f.write_str("unknown"),
        }
    }
}

/// The answer that a check gives. `program` was compiled for the specification, and all of
/// [`Specification::properties`] were checked.
pub fn answer(program: &Program, specification: &Specification, checked: &Checked) -> Answer {
    let finding = |goal: &Goal| {
        if checked.contradictions.is_empty() {
            finding(program, goal, &checked.judgement)
        } else {
            Finding::Open("internal contradiction".to_owned())
        }
    };
    Answer { findings: specification.goals.iter().map(|goal| (goal.clone(), finding(goal))).collect() }
}

/// Looks for undefined behaviour after a check that did not: where there is none, what holds as far as the program is
/// defined holds without that.
pub fn look_for_undefined(
    program: &Program,
    options: &CheckOptions,
    budget: &Budget,
    progress: &mut dyn Progress,
    checked: &mut Checked,
) {
    let mut options = options.clone();
    options.task.properties = vec![Property::Memory];
    let more = check(program, &options, budget, progress);
    let verdicts = || more.judgement.checks.iter().map(|check| &check.verdict);
    if verdicts().all(|verdict| matches!(verdict, Verdict::Safe(_))) {
        checked.judgement.undefined.clear();
    } else if verdicts().any(|verdict| matches!(verdict, Verdict::Unsafe(_))) {
        checked.judgement.undefined = more.judgement.undefined;
    }
    checked.judgement.checks.extend(more.judgement.checks);
    checked.mistakes.extend(more.mistakes);
    checked.contradictions.extend(more.contradictions);
}

fn finding(program: &Program, goal: &Goal, judgement: &Judgement) -> Finding {
    if matches!(goal, Goal::ValidMemtrack | Goal::ValidMemcleanup) && allocates(program) {
        return Finding::Open("memory that is never freed is not looked for".to_owned());
    }
    let checks: Vec<&CheckResult> = judgement.of_property(goal.property()).collect();
    let mut reason: Option<String> = None;
    for check in &checks {
        let open = match &check.verdict {
            Verdict::Safe(_) => continue,
            Verdict::Unsafe(found) if is_violated(goal, found) => return Finding::Violated(found.clone()),
            Verdict::Unsafe(_) => {
                format!("the program is undefined, but not by {}: {}", goal.name(), check.description)
            }
            Verdict::Bounded { reasons, .. } | Verdict::Unknown(reasons) => match reasons.first() {
                Some(first) => format!("{}: {}", check.description, first.message),
                None => check.description.clone(),
            },
        };
        reason.get_or_insert(open);
    }
    // What is safe is safe as far as the program is defined, and nothing is said of what a machine does beyond.
    let undefined = judgement.undefined_beside(goal.property()).first();
    match (reason, undefined) {
        (Some(reason), _) => Finding::Open(reason),
        (None, Some(undefined)) => Finding::Undefined(format!("the program is undefined: it {}", undefined.message)),
        (None, None) => Finding::Holds,
    }
}

fn is_violated(goal: &Goal, found: &Counterexample) -> bool {
    match found.trace().end {
        TraceEnd::Undefined(undefined) => goal.is_violated_by(undefined),
        TraceEnd::AssertionFailed(_) => goal.property() == Property::Assertion,
        TraceEnd::Race(..) => goal.property() == Property::Race,
        TraceEnd::Deadlock => goal.property() == Property::Deadlock,
        TraceEnd::Livelock | TraceEnd::Interfered(_) | TraceEnd::Nothing => false,
    }
}

/// Whether the program has anything that allocates memory which must be freed.
fn allocates(program: &Program) -> bool {
    let mut edges = program.functions.iter().flat_map(|function| &function.edges);
    edges.any(|edge| matches!(edge.action, Action::Allocate { storage: Storage::Heap, .. }))
}
