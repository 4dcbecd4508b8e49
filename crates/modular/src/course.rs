//! What has been found of what was asked, exploration by exploration: which alarms are left, and the proof.
//!
//! Every exploration holds all that can happen as far as the program is defined. So what is not alarmed in one of them
//! does not happen, and where undefined behaviour is in doubt in one and not in another, it is not.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use selvedge_abstraction::Stop;
use selvedge_evidence::{Certificate, Findings, Gap, ModularProof, Scope, Subject};
use selvedge_program::{Program, Property};
use selvedge_symbolic::Trouble;

use crate::discover::{Followed, discover};
use crate::engine::{ALARMS, Options, proof, subject, subjects};
use crate::groups::{Group, Suggested};
use crate::space::{Alarm, Problem, Space};

/// What the engine answers.
const ALL: [Property; 4] = [Property::Assertion, Property::Race, Property::Memory, Property::Overflow];

/// The course of a run.
pub struct Course<'a> {
    program: &'a Program,
    options: &'a Options,
    findings: &'a dyn Findings,
    /// What may go wrong as far as every exploration says, with what is not known then. `None` before the first one.
    left: Option<BTreeMap<Subject, Gap>>,
    /// What stood in the way of everything, in the last exploration where something did and in none after it.
    spoilt: Vec<Gap>,
    /// The explorations in which nothing did.
    parts: Vec<ModularProof>,
    told: BTreeSet<Subject>,
}

impl<'a> Course<'a> {
    pub fn new(program: &'a Program, options: &'a Options, findings: &'a dyn Findings) -> Self {
        Course { program, options, findings, left: None, spoilt: Vec::new(), parts: Vec::new(), told: BTreeSet::new() }
    }

    /// Whether it was asked whether an alarm is true, and nobody knows.
    fn is_asked(&self, subject: Option<Subject>) -> bool {
        let Some(subject) = subject else { return true };
        let is_meant = match (subject, &self.options.race_on) {
            (Subject::Race(object), Some(name)) => object.is_named(self.program, name),
            _ => true,
        };
        let is_left = self.left.as_ref().is_none_or(|left| left.contains_key(&subject));
        is_meant
            && is_left
            && self.options.properties.contains(&subject.property())
            && self.findings.is_open(subject)
    }

    /// Follows the alarms of a group, and returns what they suggest.
    pub fn follow(&self, space: &mut Space<'_, '_, '_>, group: &Group) -> Result<Vec<Suggested>, Stop> {
        let mut suggested: Vec<Suggested> = Vec::new();
        let mut followed: BTreeMap<Option<Subject>, usize> = BTreeMap::new();
        for alarm in space.alarms.clone() {
            let about = subject(space, &alarm);
            let is_alarm = about.is_some() || matches!(alarm.problem, Problem::Trouble(Trouble::Unsupported(_)));
            let times = followed.entry(about).or_default();
            if !is_alarm || *times >= ALARMS || !group.follows(about) || !self.is_asked(about) {
                continue;
            }
            *times += 1;
            if let Followed::Track(found) = discover(space, &alarm)? {
                *times = ALARMS;
                suggested.push((about, found));
            }
        }
        Ok(suggested)
    }

    /// Notes what an exploration shows.
    pub fn note(&mut self, space: &Space<'_, '_, '_>) {
        let mut left = BTreeMap::new();
        let mut spoilt = Vec::new();
        for alarm in &space.alarms {
            match subject(space, alarm) {
                Some(subject) => drop(left.entry(subject).or_insert_with(|| self.gap(subject, alarm))),
                None => spoilt.push(self.spoils(alarm)),
            }
        }
        if !spoilt.is_empty() {
            if self.parts.is_empty() {
                self.spoilt = spoilt;
            }
            return;
        }
        self.spoilt.clear();
        match &mut self.left {
            // What it adds to others is only what it shows.
            Some(known) => {
                let before = known.len();
                known.retain(|subject, _| left.contains_key(subject));
                if known.len() < before {
                    self.parts.push(proof(space));
                }
            }
            None => {
                self.left = Some(left);
                self.parts.push(proof(space));
            }
        }
    }

    /// What is not known if an alarm is about something.
    fn gap(&self, subject: Subject, alarm: &Alarm) -> Gap {
        let span = self.program.function(alarm.step.0).edge(alarm.step.1).span;
        let what = match subject {
            Subject::Memory(_, _, undefined) if !self.options.properties.contains(&undefined.property()) => {
                return Gap::PerhapsUndefined { span, undefined };
            }
            Subject::Memory(_, _, undefined) => format!("that it never {undefined}"),
            Subject::Race(object) => format!("that nothing races on {}", object.name(self.program)),
            _ => "that the assertion holds".to_owned(),
        };
        let message = format!("not provable thread by thread with the predicates found: {what}");
        Gap::Inapplicable { span, message }
    }

    /// What is not known if an alarm is about everything.
    fn spoils(&self, alarm: &Alarm) -> Gap {
        let span = self.program.function(alarm.step.0).edge(alarm.step.1).span;
        match &alarm.problem {
            Problem::Trouble(Trouble::Unsupported(what)) => Gap::Unsupported { span, what: what.clone() },
            _ => Gap::Inapplicable { span, message: "an object without a name".to_owned() },
        }
    }

    /// Whether nothing is left of what was asked.
    pub fn is_done(&self) -> bool {
        self.left.as_ref().is_some_and(|left| !left.keys().any(|subject| self.is_asked(Some(*subject))))
    }

    /// Tells what is proved and has not been told.
    pub fn tell(&mut self) {
        let (Some(left), Some((first, besides))) = (&self.left, self.parts.split_first()) else { return };
        let proof = Arc::new(ModularProof { besides: besides.to_vec(), ..first.clone() });
        let mut alone = Vec::new();
        for property in ALL {
            if !self.options.properties.contains(&property) || !self.findings.is_property_open(property) {
                continue;
            }
            let is_left = left.keys().any(|subject| subject.property() == property);
            if !is_left {
                self.findings.proved(&Scope::Property(property), Certificate::Modular(Arc::clone(&proof)));
            } else if let Property::Assertion | Property::Race = property {
                alone.extend(subjects(self.program, property));
            }
        }
        alone.retain(|subject| {
            !left.contains_key(subject) && !self.told.contains(subject) && self.findings.is_open(*subject)
        });
        if !alone.is_empty() {
            self.told.extend(&alone);
            self.findings.proved(&Scope::Subjects(alone), Certificate::Modular(proof));
        }
    }

    /// What is left of what was asked, and what is in doubt.
    pub fn gaps(&self) -> Vec<Gap> {
        let mut gaps = self.spoilt.clone();
        for (subject, gap) in self.left.iter().flatten() {
            if matches!(gap, Gap::PerhapsUndefined { .. }) || self.is_asked(Some(*subject)) {
                gaps.push(gap.clone());
            }
        }
        gaps
    }
}
