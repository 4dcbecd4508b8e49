//! What is decided by itself, and which errors stand in its way.

use std::collections::BTreeSet;

use selvedge_evidence::modular::abstracted;
use selvedge_evidence::symmetric::moves::{At, StepKey};
use selvedge_evidence::symmetric::stage::Stage;
use selvedge_evidence::{Findings, Gap, Subject};
use selvedge_program::{CheckId, Program, Property, Span};
use selvedge_symbolic::effect::Touched;
use selvedge_symbolic::threads::Who;
use selvedge_symbolic::{Tag, Trouble};

use crate::engine::Options;
use crate::search::Target;

/// In the order in which they are worked on: without the first nothing is proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Check {
    /// Nothing is reached that is not modelled.
    Everything,
    Assertion(CheckId),
    /// No race on an object.
    Race(Tag),
    /// Nothing undefined of this kind, anywhere.
    Undefined(Property),
}

impl Check {
    /// All of a property.
    pub fn of(stage: &Stage<'_>, property: Property) -> Vec<Check> {
        let universe = &stage.view.universe;
        match property {
            Property::Assertion => {
                (0..universe.program.checks.len()).map(|check| Check::Assertion(CheckId::new(check))).collect()
            }
            Property::Race => universe.tags().filter(|tag| !universe.is_private(*tag)).map(Check::Race).collect(),
            Property::Memory | Property::Overflow => vec![Check::Undefined(property)],
            Property::Deadlock | Property::Livelock | Property::Atomicity => Vec::new(),
        }
    }

    /// What it is about, if that is one thing.
    pub fn subject(self, stage: &Stage<'_>) -> Option<Subject> {
        match self {
            Check::Everything | Check::Undefined(_) => None,
            Check::Assertion(check) => Some(Subject::Assertion(check)),
            Check::Race(tag) => abstracted(&stage.view.universe, tag).map(Subject::Race),
        }
    }

    /// What it is about, for people who wait: `x` for races on it.
    pub fn in_words(self, stage: &Stage<'_>) -> String {
        let program = stage.view.universe.program;
        match (self, self.subject(stage)) {
            (_, Some(Subject::Race(object))) => format!("races on {}", object.name(program)),
            (Check::Assertion(check), _) => format!("the assertion at line {}", program.check(check).span.line),
            (Check::Undefined(Property::Overflow), _) => "overflow".to_owned(),
            (Check::Undefined(_), _) => "undefined behaviour".to_owned(),
            (Check::Everything, _) => "what is not modelled".to_owned(),
            (Check::Race(_), _) => "races".to_owned(),
        }
    }

    /// Whether an answer is asked for, and there is none yet.
    pub fn is_wanted(self, stage: &Stage<'_>, options: &Options, findings: &dyn Findings) -> bool {
        let program = stage.view.universe.program;
        match (self, self.subject(stage)) {
            (_, Some(subject)) => subject.is_meant(program, options.race_on.as_deref()) && findings.is_open(subject),
            (Check::Undefined(property), None) => findings.is_property_open(property),
            (Check::Race(_), None) => options.race_on.is_none(),
            (Check::Everything | Check::Assertion(_), None) => true,
        }
    }

    /// The errors that must not be reached.
    pub fn targets(self, stage: &mut Stage<'_>) -> Vec<Target> {
        match self {
            Check::Race(tag) => races(stage, tag),
            Check::Everything | Check::Assertion(_) | Check::Undefined(_) => self.failures(stage),
        }
    }

    fn failures(self, stage: &mut Stage<'_>) -> Vec<Target> {
        let mut targets = Vec::new();
        let steps: Vec<(At, StepKey)> = stage.map.steps().collect();
        for (at, step) in steps {
            let moved = stage.moved(step);
            let troubles = moved.troubles.iter().filter(|(_, trouble)| match (self, trouble) {
                (Check::Everything, Trouble::Unsupported(_)) => true,
                (Check::Undefined(property), Trouble::Undefined(undefined)) => undefined.property() == property,
                _ => false,
            });
            let violations = moved.violations.iter().filter(|(_, check)| self == Check::Assertion(*check));
            for when in troubles.map(|(when, _)| *when).chain(violations.map(|(when, _)| *when)) {
                if !stage.view.builder.is(when, false) {
                    targets.push(Target { there: vec![(Who::Own, at)], conditions: vec![when], steps: vec![step] });
                }
            }
        }
        targets
    }
}

fn races(stage: &mut Stage<'_>, tag: Tag) -> Vec<Target> {
    let places: BTreeSet<At> = stage.map.steps().map(|(at, _)| at).collect();
    let mut touching = |who: Who| -> Vec<(At, StepKey, Touched)> {
        let mut touching = Vec::new();
        for &at in &places {
            let touches = stage.view.touches(at.0, at.1, who);
            let of_object = touches.into_iter().filter(|(_, touched)| touched.cell.object() == tag);
            touching.extend(of_object.map(|(step, touched)| (at, step, touched)));
        }
        touching
    };
    let (own, others) = (touching(Who::Own), touching(Who::Passive(0)));
    let mut targets = Vec::new();
    for (one, step, touch) in &own {
        for (other, their_step, their) in others.iter().filter(|(other, ..)| other >= one) {
            let is_race = touch.cell.overlaps(their.cell) && touch.mode.races_with(their.mode);
            if is_race && !(one.0 == other.0 && stage.map.is_single(one.0)) {
                targets.push(Target {
                    there: vec![(Who::Own, *one), (Who::Passive(0), *other)],
                    conditions: vec![touch.when, their.when],
                    steps: vec![*step, *their_step],
                });
            }
        }
    }
    targets
}

/// Where an error would be.
pub fn span(program: &Program, target: Option<&Target>) -> Span {
    target.map_or(Span::NOWHERE, |target| {
        let (function, edge, _) = target.steps[0];
        program.function(function).edge(edge).span
    })
}

/// That a check is not proved.
pub fn unproved(program: &Program, check: Check, target: Option<&Target>, why: &str) -> Gap {
    let what = match check {
        Check::Everything => "that nothing is reached that is not modelled",
        Check::Assertion(_) => "that the assertion holds",
        Check::Race(_) => "that nothing races here",
        Check::Undefined(_) => "that nothing undefined happens",
    };
    Gap::Inapplicable {
        span: span(program, target),
        message: format!("not provable with symmetric predicates: {what}; {why}"),
    }
}
