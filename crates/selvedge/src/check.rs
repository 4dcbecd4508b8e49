//! Asking the engines, and turning their answers into verdicts.
//!
//! There is one engine so far, `explicit`. Each check (this assertion; races on this object) has its own verdict; what the engine
//! left out makes the verdict of every check that it did not refute *unknown*, or *bounded* where a bound of the user's did it.

use selvedge_analysis::{AbstractObject, PointsTo, Sharing, Threads, sharing};
use selvedge_evidence::{Certificate, CheckResult, Counterexample, Judgement, Reason, Verdict};
use selvedge_explicit::{Cut, Exploration, InternalError, Options, Stop, Subject, Violation, explore};
use selvedge_program::trace::ReplayError;
use selvedge_program::{Budget, CheckId, Program, Progress, Property, Span, Undefined};
use selvedge_report::summary::object_name;
use selvedge_report::violation;
use thiserror::Error;

/// What to check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckOptions {
    /// The properties.
    pub properties: Vec<Property>,
    /// Only races on the object with this name.
    pub race_on: Option<String>,
    /// How many threads of one function may run at a time.
    pub threads: Option<usize>,
}

impl Default for CheckOptions {
    fn default() -> Self {
        let properties = vec![Property::Assertion, Property::Race, Property::Deadlock, Property::Memory];
        CheckOptions { properties, race_on: None, threads: None }
    }
}

/// What the engines took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Statistics {
    /// Of the explicit engine.
    pub explicit: selvedge_explicit::Statistics,
}

/// A program with its verdicts.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The verdicts.
    pub judgement: Judgement,
    /// What they took.
    pub statistics: Statistics,
}

/// A mistake of Selvedge's own. No verdict follows from it.
#[derive(Clone, Debug, Error)]
pub enum CheckError {
    /// In the engine.
    #[error("internal error in the explicit engine: {0}")]
    Engine(#[from] InternalError),
    /// In a counterexample.
    #[error("internal error: a counterexample is not accepted by the concrete semantics: {0}")]
    Replay(#[from] ReplayError),
}

/// Checks a program.
///
/// # Errors
/// Only for mistakes of Selvedge's own.
pub fn check(
    program: &Program,
    options: &CheckOptions,
    budget: &Budget,
    progress: &mut dyn Progress,
) -> Result<Checked, CheckError> {
    let engine_options = Options {
        properties: options.properties.clone(),
        race_on: options.race_on.clone(),
        thread_bound: options.threads,
        stop: Stop::Never,
        ..Options::default()
    };
    let exploration = explore(program, &engine_options, budget, progress)?;
    let points_to = PointsTo::of(program);
    let threads = Threads::of(program, &points_to);
    let sharing = sharing(program, &points_to, &threads);
    let mut judge = Judge { program, exploration: &exploration, checks: Vec::new() };
    for property in &options.properties {
        match property {
            Property::Assertion => judge.assertions()?,
            Property::Race => judge.races(&sharing, options.race_on.as_deref())?,
            Property::Deadlock => judge.whole(Property::Deadlock, "no deadlock")?,
            Property::Memory => judge.memory()?,
        }
    }
    let judgement = Judgement { checks: judge.checks, notes: notes(program, &exploration) };
    Ok(Checked { judgement, statistics: Statistics { explicit: exploration.statistics } })
}

/// What is to be said with every verdict: undefined behaviour that nobody asked about, which ended paths.
fn notes(program: &Program, exploration: &Exploration) -> Vec<Reason> {
    exploration.cuts.iter().filter(|cut| !cut.is_incomplete()).map(|cut| reason(program, cut)).collect()
}

fn reason(program: &Program, cut: &Cut) -> Reason {
    Reason { span: cut.span().unwrap_or(Span::NOWHERE), message: cut.message(program) }
}

struct Judge<'a> {
    program: &'a Program,
    exploration: &'a Exploration,
    checks: Vec<CheckResult>,
}

impl Judge<'_> {
    /// The verdict on what the engine found no violation of.
    fn unrefuted(&self) -> Verdict {
        let incomplete: Vec<&Cut> = self.exploration.cuts.iter().filter(|cut| cut.is_incomplete()).collect();
        let reasons = incomplete.iter().map(|cut| reason(self.program, cut)).collect();
        if self.exploration.is_complete() {
            let reductions = vec!["fusion", "partial order", "symmetry"];
            Verdict::Safe(Certificate::Exhaustive { states: self.exploration.statistics.states, reductions })
        } else if incomplete.iter().all(|cut| matches!(cut, Cut::Threads { .. })) {
            Verdict::Bounded(reasons)
        } else {
            Verdict::Unknown(reasons)
        }
    }

    fn refuted(&self, violation: &Violation) -> Result<Verdict, CheckError> {
        Ok(Verdict::Unsafe(Box::new(Counterexample::new(self.program, violation.trace.clone())?)))
    }

    fn violations(&self, property: Property) -> Vec<&Violation> {
        self.exploration.of_property(property).collect()
    }

    fn add(&mut self, property: Property, object: Option<String>, description: String, span: Span, verdict: Verdict) {
        self.checks.push(CheckResult { property, object, description, span, verdict, engine: "explicit" });
    }

    fn assertions(&mut self) -> Result<(), CheckError> {
        for (position, check) in self.program.checks.iter().enumerate() {
            let subject = Subject::Assertion(CheckId::new(position));
            let violation = self.exploration.violations.iter().find(|violation| violation.subject == subject);
            let verdict = violation.map_or_else(|| Ok(self.unrefuted()), |violation| self.refuted(violation))?;
            self.add(Property::Assertion, None, check.description.clone(), check.span, verdict);
        }
        self.cover(Property::Assertion, "no assertion fails");
        Ok(())
    }

    /// One check for every object that could race at all.
    fn races(&mut self, sharing: &Sharing, only: Option<&str>) -> Result<(), CheckError> {
        let violations: Vec<(AbstractObject, Verdict)> = self
            .violations(Property::Race)
            .into_iter()
            .filter_map(|violation| match violation.subject {
                Subject::Race(object) => Some(self.refuted(violation).map(|verdict| (object, verdict))),
                _ => None,
            })
            .collect::<Result<_, _>>()?;
        let racing: Vec<AbstractObject> = violations.iter().map(|(object, _)| *object).collect();
        for (object, verdict) in violations {
            self.add_race(object, verdict);
        }
        for (object, used) in &sharing.shared {
            let could_race = used.has_plain_access && !used.writers.is_empty() && !racing.contains(object);
            if could_race && only.is_none_or(|name| is_named(self.program, *object, name)) {
                self.add_race(*object, self.unrefuted());
            }
        }
        self.cover(Property::Race, "no data race");
        Ok(())
    }

    /// A property without any check in sight holds only if everything was in sight.
    fn cover(&mut self, property: Property, description: &str) {
        if !self.exploration.is_complete() && !self.checks.iter().any(|check| check.property == property) {
            self.add(property, None, description.to_owned(), Span::NOWHERE, self.unrefuted());
        }
    }

    fn add_race(&mut self, object: AbstractObject, verdict: Verdict) {
        let name = object_name(self.program, object);
        let span = match (&verdict, object) {
            (Verdict::Unsafe(counterexample), _) => principal_span(self.program, counterexample),
            (_, AbstractObject::Static(id)) => self.program.object(id).span,
            (_, AbstractObject::Frame(function, frame)) => self.program.function(function).frame_object(frame).span,
            (_, AbstractObject::Site(site)) => self.program.sites.get(site.index()).copied().unwrap_or(Span::NOWHERE),
            _ => Span::NOWHERE,
        };
        self.add(Property::Race, Some(name.clone()), format!("no data race on {name}"), span, verdict);
    }

    /// A property of the whole program.
    fn whole(&mut self, property: Property, description: &str) -> Result<(), CheckError> {
        let violation = self.violations(property).first().map(|violation| self.refuted(violation)).transpose()?;
        let verdict = violation.unwrap_or_else(|| self.unrefuted());
        let span = match &verdict {
            Verdict::Unsafe(counterexample) => principal_span(self.program, counterexample),
            _ => Span::NOWHERE,
        };
        self.add(property, None, description.to_owned(), span, verdict);
        Ok(())
    }

    /// Every place where something undefined happens is a violation of its own; if there is none, the property is one check.
    fn memory(&mut self) -> Result<(), CheckError> {
        let violations: Vec<(Undefined, Verdict)> = self
            .violations(Property::Memory)
            .into_iter()
            .filter_map(|violation| match violation.subject {
                Subject::Memory(_, _, undefined) => Some(self.refuted(violation).map(|verdict| (undefined, verdict))),
                _ => None,
            })
            .collect::<Result<_, _>>()?;
        if violations.is_empty() {
            return self.whole(Property::Memory, "no undefined behaviour");
        }
        for (undefined, verdict) in violations {
            let span = match &verdict {
                Verdict::Unsafe(counterexample) => principal_span(self.program, counterexample),
                _ => Span::NOWHERE,
            };
            self.add(Property::Memory, None, undefined.to_string(), span, verdict);
        }
        Ok(())
    }
}

/// Whether users call an object by a name; a local is called by its own name, whatever its function.
pub(crate) fn is_named(program: &Program, object: AbstractObject, name: &str) -> bool {
    match object {
        AbstractObject::Frame(function, frame) => program.function(function).frame_object(frame).name == name,
        object => object_name(program, object) == name,
    }
}

/// The place in the user's code that a counterexample is about.
pub(crate) fn principal_span(program: &Program, counterexample: &Counterexample) -> Span {
    let shown = violation::Violation { program, trace: counterexample.trace(), replay: counterexample.replay() };
    shown.marks().first().map_or(Span::NOWHERE, |mark| mark.span)
}
