//! Asking the engine `cartesian`, and turning its findings into verdicts.

use crate::check::{CheckError, is_named, principal_span};
use selvedge_analysis::{AbstractObject, PointsTo, Threads, sharing};
use selvedge_cartesian::alarms::Subject;
use selvedge_cartesian::step::Fault;
use selvedge_cartesian::{Findings, Options, check};
use selvedge_evidence::{Certificate, CheckResult, Counterexample, Judgement, Reason, Verdict};
use selvedge_program::{Budget, CheckId, Program, Progress, Property, Span};
use selvedge_report::summary::object_name;

const ENGINE: &str = "cartesian";

/// Checks a program with the engine `cartesian`. It has nothing to say of deadlocks.
///
/// # Errors
/// Only for mistakes of Selvedge's own.
pub fn check_cartesian(
    program: &Program,
    options: &Options,
    budget: &Budget,
    progress: &mut dyn Progress,
) -> Result<(Judgement, Findings), CheckError> {
    let findings = check(program, options, budget, progress);
    let mut judge = Judge { program, findings: &findings, checks: Vec::new() };
    for property in &options.properties {
        match property {
            Property::Assertion => judge.assertions()?,
            Property::Race => judge.races(options.race_on.as_deref())?,
            Property::Deadlock => judge.deadlock(),
            Property::Memory => judge.memory()?,
        }
    }
    Ok((Judgement { checks: judge.checks, notes: Vec::new() }, findings))
}

struct Judge<'a> {
    program: &'a Program,
    findings: &'a Findings,
    checks: Vec<CheckResult>,
}

impl Judge<'_> {
    fn add(&mut self, property: Property, object: Option<String>, description: String, span: Span, verdict: Verdict) {
        self.checks.push(CheckResult { property, object, description, span, verdict, engine: ENGINE });
    }

    /// The verdict on a subject that no execution was found to violate.
    fn unrefuted(&self, is_open: bool) -> Verdict {
        let obstacles = self.findings.obstacles.iter();
        let mut reasons: Vec<Reason> =
            obstacles.map(|obstacle| Reason { span: obstacle.span, message: obstacle.message.clone() }).collect();
        if is_open && reasons.is_empty() {
            let message = "no execution was found that does it, but sets of local states, one per thread, do not exclude it; \
                           an exception set might";
            reasons.push(Reason { span: Span::NOWHERE, message: message.to_owned() });
        }
        match (&self.findings.proof, self.findings.bound) {
            (Some(_), Some(bound)) if reasons.is_empty() => {
                let message = format!("more than {bound} threads of one function at a time were not considered");
                Verdict::Bounded(vec![Reason { span: Span::NOWHERE, message }])
            }
            (Some(proof), None) if reasons.is_empty() => Verdict::Safe(Certificate::Cartesian(proof.clone())),
            _ => Verdict::Unknown(reasons),
        }
    }

    fn verdict(&self, is: impl Fn(&Subject) -> bool) -> Result<Verdict, CheckError> {
        match self.findings.violations.iter().find(|violation| is(&violation.subject)) {
            Some(violation) => {
                Ok(Verdict::Unsafe(Box::new(Counterexample::new(self.program, violation.trace.clone())?)))
            }
            None => Ok(self.unrefuted(self.findings.open.iter().any(is))),
        }
    }

    fn span_of(&self, verdict: &Verdict, otherwise: Span) -> Span {
        match verdict {
            Verdict::Unsafe(counterexample) => principal_span(self.program, counterexample),
            _ => otherwise,
        }
    }

    fn assertions(&mut self) -> Result<(), CheckError> {
        for (position, check) in self.program.checks.iter().enumerate() {
            let id = CheckId::new(position);
            let verdict = self.verdict(|subject| *subject == Subject::Fault(Fault::Assertion(id)))?;
            self.add(Property::Assertion, None, check.description.clone(), check.span, verdict);
        }
        self.cover(Property::Assertion, "no assertion fails");
        Ok(())
    }

    fn races(&mut self, only: Option<&str>) -> Result<(), CheckError> {
        let points_to = PointsTo::of(self.program);
        let threads = Threads::of(self.program, &points_to);
        let shared = sharing(self.program, &points_to, &threads).shared;
        let could_race = shared.iter().filter(|(_, used)| used.has_plain_access && !used.writers.is_empty());
        let mut objects: Vec<AbstractObject> = could_race.map(|(object, _)| *object).collect();
        let found = self.findings.violations.iter().map(|violation| &violation.subject).chain(&self.findings.open);
        objects
            .extend(found.filter_map(|subject| if let Subject::Race(object) = subject { Some(*object) } else { None }));
        objects.sort();
        objects.dedup();
        objects.retain(|object| only.is_none_or(|name| is_named(self.program, *object, name)));
        for object in objects {
            let verdict = self.verdict(|subject| *subject == Subject::Race(object))?;
            let declared = match object {
                AbstractObject::Static(id) => self.program.object(id).span,
                AbstractObject::Frame(function, frame) => self.program.function(function).frame_object(frame).span,
                AbstractObject::Site(site) => self.program.sites.get(site.index()).copied().unwrap_or(Span::NOWHERE),
                _ => Span::NOWHERE,
            };
            let span = self.span_of(&verdict, declared);
            let name = object_name(self.program, object);
            self.add(Property::Race, Some(name.clone()), format!("no data race on {name}"), span, verdict);
        }
        self.cover(Property::Race, "no data race");
        Ok(())
    }

    fn memory(&mut self) -> Result<(), CheckError> {
        let is_memory = |subject: &Subject| matches!(subject, Subject::Fault(Fault::Undefined { .. }));
        let mut undefined: Vec<Subject> =
            self.findings.violations.iter().map(|violation| violation.subject.clone()).collect();
        undefined.retain(is_memory);
        for subject in &undefined {
            let verdict = self.verdict(|other| other == subject)?;
            if let Subject::Fault(Fault::Undefined { undefined, span, .. }) = subject {
                let span = self.span_of(&verdict, *span);
                self.add(Property::Memory, None, undefined.to_string(), span, verdict);
            }
        }
        if undefined.is_empty() {
            let verdict = self.verdict(is_memory)?;
            self.add(Property::Memory, None, "no undefined behaviour".to_owned(), Span::NOWHERE, verdict);
        }
        Ok(())
    }

    fn deadlock(&mut self) {
        let message = "the engine `cartesian` does not look for deadlocks".to_owned();
        let verdict = Verdict::Unknown(vec![Reason { span: Span::NOWHERE, message }]);
        self.add(Property::Deadlock, None, "no deadlock".to_owned(), Span::NOWHERE, verdict);
    }

    /// A property without any check in sight holds only if everything was in sight.
    fn cover(&mut self, property: Property, description: &str) {
        if !self.findings.is_complete() && !self.checks.iter().any(|check| check.property == property) {
            let verdict = self.unrefuted(false);
            self.add(property, None, description.to_owned(), Span::NOWHERE, verdict);
        }
    }
}
