//! What is looked at together. In a small program that is everything. In a large one, checks whose predicates have no
//! shared variable in common would only multiply each other's states; so each group of checks that have is explored with its own
//! predicates and those that all need.

use std::collections::BTreeSet;

use selvedge_abstraction::{Abstraction, PredicateId, PredicateSet};
use selvedge_evidence::Subject;
use selvedge_program::Property;
use selvedge_symbolic::{Predicate, Variable};

/// What is looked at in one exploration.
#[derive(Clone, Debug)]
pub struct Group {
    /// What alarms are followed; `None` if all are.
    subjects: Option<BTreeSet<Subject>>,
    pub tracked: PredicateSet,
    /// How often predicates were added.
    pub rounds: u64,
}

/// Predicates that following an alarm suggested; it stands in the way of everything if it is about nothing.
pub type Suggested = (Option<Subject>, Vec<Predicate>);

impl Group {
    /// Everything.
    pub fn all(tracked: PredicateSet) -> Group {
        Group { subjects: None, tracked, rounds: 0 }
    }

    /// Whether an alarm about something is followed here.
    pub fn follows(&self, subject: Option<Subject>) -> bool {
        match (&self.subjects, subject) {
            (Some(subjects), Some(subject)) => subjects.contains(&subject),
            (None, _) | (_, None) => true,
        }
    }

    /// The same group with what was suggested, if something of that is new.
    pub fn together(self, on: &mut Abstraction<'_, '_>, suggested: Vec<Suggested>) -> Vec<Group> {
        let all: Vec<Predicate> = suggested.into_iter().flat_map(|(_, predicates)| predicates).collect();
        let numbers = numbers(on, &all);
        self.with(self.subjects.clone(), &numbers).into_iter().collect()
    }

    /// A group for the checks that have variables in common, each with what was suggested for it, as far as that is
    /// new.
    pub fn apart(self, on: &mut Abstraction<'_, '_>, suggested: Vec<Suggested>) -> Vec<Group> {
        let mut for_all: Vec<PredicateId> = Vec::new();
        let mut parts: Vec<Part> = Vec::new();
        for (subject, predicates) in suggested {
            let numbers = numbers(on, &predicates);
            let Some(subject) = subject else {
                for_all.extend(numbers);
                continue;
            };
            let mut part = Part { subjects: BTreeSet::from([subject]), variables: variables(&predicates), numbers };
            // Whatever it has something in common with becomes a part of it.
            let mut index = 0;
            while index < parts.len() {
                if parts[index].belongs_with(&part) {
                    part.absorb(parts.swap_remove(index));
                    index = 0;
                } else {
                    index += 1;
                }
            }
            parts.push(part);
        }
        if parts.is_empty() {
            return self.with(self.subjects.clone(), &for_all).into_iter().collect();
        }
        let groups = parts.into_iter().filter_map(|part| {
            let numbers: Vec<PredicateId> = part.numbers.iter().chain(&for_all).copied().collect();
            self.with(Some(part.subjects), &numbers)
        });
        groups.collect()
    }

    fn with(&self, subjects: Option<BTreeSet<Subject>>, numbers: &[PredicateId]) -> Option<Group> {
        let mut tracked = self.tracked.clone();
        numbers.iter().for_each(|id| tracked.insert(*id));
        (tracked != self.tracked).then_some(Group { subjects, tracked, rounds: self.rounds + 1 })
    }
}

/// Checks that are looked at together, with what is to be tracked for them.
#[derive(Debug)]
struct Part {
    subjects: BTreeSet<Subject>,
    variables: BTreeSet<Variable>,
    numbers: Vec<PredicateId>,
}

impl Part {
    /// Whether two parts have a variable in common.
    fn belongs_with(&self, other: &Part) -> bool {
        !self.variables.is_disjoint(&other.variables) || (self.is_about_meaning() && other.is_about_meaning())
    }

    /// Whether it is about undefined behaviour, of which all is to be excluded together.
    fn is_about_meaning(&self) -> bool {
        let is = |subject: &Subject| matches!(subject.property(), Property::Memory | Property::Overflow);
        self.subjects.iter().any(is)
    }

    fn absorb(&mut self, other: Part) {
        self.subjects.extend(other.subjects);
        self.variables.extend(other.variables);
        self.numbers.extend(other.numbers);
    }
}

/// What connects checks: shared variables that predicates speak of, or registers if there are none.
fn variables(predicates: &[Predicate]) -> BTreeSet<Variable> {
    let all = predicates.iter().flat_map(|predicate| predicate.variables()).copied();
    let all: BTreeSet<Variable> = all.filter(|variable| *variable != Variable::Unjoined).collect();
    let shared = all.iter().filter(|variable| !matches!(variable, Variable::Register(..))).copied();
    let shared: BTreeSet<Variable> = shared.collect();
    if shared.is_empty() { all } else { shared }
}

fn numbers(on: &mut Abstraction<'_, '_>, predicates: &[Predicate]) -> Vec<PredicateId> {
    predicates.iter().filter_map(|predicate| on.predicates.add(&mut on.view, predicate)).collect()
}
