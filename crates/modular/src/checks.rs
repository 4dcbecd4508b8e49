//! What is decided by itself: races on an object, an assertion, undefined behaviour as a whole. Each is refined by its
//! own alarms alone.

use selvedge_evidence::modular::abstracted;
use selvedge_evidence::{Findings, Gap, Subject};
use selvedge_program::{Program, Property};
use selvedge_symbolic::Trouble;

use crate::Options;
use crate::space::{Alarm, Problem, Space, StateId};

/// What alarms may stand in the way of. In the order in which they are worked on: without the first nothing is proved,
/// races need the least, and of undefined behaviour nothing is proved before all of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Check {
    /// Everything: something that is not modelled may be reached.
    Everything,
    Race(Subject),
    Assertion(Subject),
    /// All that the program may do that is undefined in this way.
    Undefined(Property),
}

impl Check {
    /// What an alarm stands in the way of.
    pub fn of(space: &Space<'_, '_, '_>, alarm: &Alarm) -> Check {
        match subject(space, alarm) {
            None => Check::Everything,
            Some(subject) => Check::about(subject),
        }
    }

    /// What it is about, for people who wait: `x` for races on it.
    pub fn in_words(self, program: &Program) -> String {
        match self {
            Check::Race(Subject::Race(object)) => format!("races on {}", object.name(program)),
            Check::Assertion(Subject::Assertion(check)) => {
                format!("the assertion at line {}", program.check(check).span.line)
            }
            Check::Undefined(Property::Overflow) => "overflow".to_owned(),
            Check::Undefined(_) => "undefined behaviour".to_owned(),
            Check::Everything | Check::Race(_) | Check::Assertion(_) => "everything".to_owned(),
        }
    }

    /// The check that a subject belongs to.
    pub fn about(subject: Subject) -> Check {
        match subject.property() {
            Property::Race => Check::Race(subject),
            Property::Memory | Property::Overflow => Check::Undefined(subject.property()),
            Property::Assertion | Property::Deadlock | Property::Livelock | Property::Atomicity => {
                Check::Assertion(subject)
            }
        }
    }

    /// Whether an answer is asked for, and there is none yet.
    pub fn is_wanted(self, program: &Program, options: &Options, findings: &dyn Findings) -> bool {
        let asked = |property: Property| options.properties.contains(&property);
        match self {
            Check::Everything => options.properties.iter().any(|property| findings.is_property_open(*property)),
            Check::Race(subject) | Check::Assertion(subject) => {
                asked(subject.property())
                    && subject.is_meant(program, options.race_on.as_deref())
                    && findings.is_open(subject)
            }
            Check::Undefined(property) => asked(property) && findings.is_property_open(property),
        }
    }
}

/// What an alarm is about; `None` if it stands in the way of everything.
pub fn subject(space: &Space<'_, '_, '_>, alarm: &Alarm) -> Option<Subject> {
    match &alarm.problem {
        Problem::Violation(check) => Some(Subject::Assertion(*check)),
        Problem::Trouble(Trouble::Undefined(undefined)) => {
            Some(Subject::Memory(alarm.step.0, alarm.step.1, *undefined))
        }
        Problem::Trouble(Trouble::Unsupported(_)) => None,
        Problem::Race(tag, ..) => abstracted(&space.on.view.universe, *tag).map(Subject::Race),
    }
}

/// How much of what is known in a state is shown.
const SHOWN: usize = 3;

/// That an alarm remains, with the abstract states that clash.
pub fn unproved(space: &Space<'_, '_, '_>, alarm: &Alarm) -> Gap {
    let program = space.on.view.universe.program;
    let span = program.function(alarm.step.0).edge(alarm.step.1).span;
    let what = match (subject(space, alarm), &alarm.problem) {
        (_, Problem::Trouble(Trouble::Unsupported(what))) => return Gap::Unsupported { span, what: what.clone() },
        (Some(Subject::Race(object)), _) => format!("that nothing races on {}", object.name(program)),
        (_, Problem::Trouble(Trouble::Undefined(undefined))) => format!("that it never {undefined}"),
        (_, Problem::Violation(_)) => "that the assertion holds".to_owned(),
        (_, Problem::Race(..)) => "that nothing races on an object without a name".to_owned(),
    };
    let mut message = format!("not provable thread by thread with the predicates found: {what}");
    let here = known(space, alarm.state);
    if let Problem::Race(_, other, step) = &alarm.problem {
        let there = program.function(step.0).edge(step.1).span;
        let there = format!("with a thread at line {}{}", there.line, known(space, *other));
        message += &format!("; not excluded is a thread here{here} together {there}");
    } else if !here.is_empty() {
        message += &format!("; not excluded{here}");
    }
    Gap::Inapplicable { span, message }
}

/// What is known in a state of what is shared, the shortest first.
fn known(space: &Space<'_, '_, '_>, state: StateId) -> String {
    let program = space.on.view.universe.program;
    let predicates = &space.on.predicates;
    let cube = space.state(state).cube.iter().filter(|(id, _)| !predicates.cells(*id).is_empty());
    let mut texts: Vec<String> = cube
        .map(|(id, truth)| {
            let predicate = predicates.get(*id);
            format!("`{}`", if *truth { predicate.text(program) } else { predicate.not().text(program) })
        })
        .collect();
    texts.sort_by_key(|text| (text.len(), text.clone()));
    texts.truncate(SHOWN);
    if texts.is_empty() { String::new() } else { format!(" where {}", texts.join(", ")) }
}
