//! The analysis as one engine among others: violations are told as they are found, and a fixpoint without errors is the
//! proof of all that nothing speaks against.

use std::collections::BTreeSet;

use selvedge_analysis::{AbstractObject, Facts, Threads};
use selvedge_evidence::{
    Answer, Certificate, Engine, Entry, Figure, Findings, Gap, InternalError, Replicas, Scope, Subject, Task, Violation,
};
use selvedge_program::{Budget, CheckId, Program, Progress, Property, Span};

use crate::analyse::analyse_telling;
use crate::found::{CheckedBy, Found, Options, Statistics};
use crate::step::Wrong;
use crate::text;

/// Its name.
pub const NAME: &str = "cartesian";

/// What it does, in a line.
pub const ABOUT: &str =
    "Sets of local states per thread and shared state, with exceptions; any number of equal threads";

/// Where the engine takes its exception sets from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExceptionSets {
    /// Those that a user has described, as text.
    pub described: String,
    /// Whether to look for some where these do not do.
    pub infer: bool,
}

impl Default for ExceptionSets {
    fn default() -> Self {
        ExceptionSets { described: String::new(), infer: true }
    }
}

/// The engine, asked about what it answers.
pub fn engine(task: &Task, exceptions: &ExceptionSets) -> Box<dyn Engine> {
    Box::new(Cartesian { task: task.limited_to(answers), exceptions: exceptions.clone() })
}

struct Cartesian {
    task: Task,
    exceptions: ExceptionSets,
}

impl Engine for Cartesian {
    fn name(&self) -> &'static str {
        NAME
    }

    fn properties(&self) -> &[Property] {
        &self.task.properties
    }

    fn is_for_any_number(&self) -> bool {
        true
    }

    fn entry(&self) -> Entry {
        Entry::Reserve
    }

    fn is_made_for(&self, facts: &Facts) -> bool {
        facts.threads().is_ok_and(Threads::are_without_number)
    }

    fn check(
        &self,
        facts: &Facts,
        budget: &Budget,
        progress: &mut dyn Progress,
        findings: &dyn Findings,
    ) -> Result<Answer, InternalError> {
        let exceptions = match text::parse(facts.program(), &self.exceptions.described) {
            Ok(exceptions) => exceptions,
            Err(error) => return Ok(Answer::new(vec![Gap::inapplicable(error.to_string())], Vec::new())),
        };
        let options = Options {
            task: self.task.clone(),
            exceptions,
            infer: self.exceptions.infer,
            checked_by: CheckedBy::Listener,
            ..Options::default()
        };
        check(facts, &options, budget, progress, findings)
    }
}

/// Whether the engine has something to say about a property.
pub fn answers(property: Property) -> bool {
    match property {
        Property::Assertion | Property::Race | Property::Memory => true,
        Property::Deadlock | Property::Livelock | Property::Atomicity | Property::Overflow => false,
    }
}

/// Checks a program. It must be well-formed, see [`Program::validate`]. Only properties that it [`answers`] may be
/// asked.
///
/// # Errors
/// Only for mistakes of the engine's own.
pub fn check(
    facts: &Facts,
    options: &Options,
    budget: &Budget,
    progress: &mut dyn Progress,
    findings: &dyn Findings,
) -> Result<Answer, InternalError> {
    let program = facts.program();
    let is_wanted = options.task.properties.iter().any(|property| findings.is_property_open(*property));
    if !is_wanted || !options.task.properties.iter().copied().all(answers) {
        let message = "the engine `cartesian` looks only for failing assertions, data races and undefined behaviour";
        return Ok(Answer::new(vec![Gap::inapplicable(message)], Vec::new()));
    }
    let tell = |violation: &Violation| {
        if options.task.asks(violation.subject.property()) {
            findings.violation(violation.clone());
        }
    };
    let found = analyse_telling(facts, options, budget, progress, &tell);
    let mut gaps = found.obstacles.clone();
    if let Some(proof) = &found.proof {
        for scope in scopes(program, options, &found) {
            match found.bound {
                Some(bound) => findings.covered(&scope, &Replicas::within(bound)),
                None => findings.proved(&scope, Certificate::Cartesian(proof.clone())),
            }
        }
        if let Some(bound) = found.bound {
            let bound = usize::try_from(bound).unwrap_or(usize::MAX);
            gaps.extend(proof.crowds.iter().map(|entry| Gap::Threads { span: Span::NOWHERE, entry: *entry, bound }));
        } else if let Some(limit) = budget.exhausted()
            && options.task.properties.iter().any(|property| findings.is_property_open(*property))
        {
            // There may have been no time to check the proof.
            gaps.push(Gap::Limit(limit));
        }
    }
    if !found.open.is_empty() {
        let what: Vec<String> = found.open.iter().map(|wrong| happens(program, wrong)).collect();
        let message = format!(
            "no execution was found in which {}, but sets of local states, one per thread, do not exclude it; an \
             exception set might (--exceptions)",
            what.join(" or ")
        );
        gaps.push(Gap::inapplicable(message));
    }
    Ok(Answer::new(gaps, figures(&found.statistics, &found.exceptions)))
}

/// What goes wrong, as what happens in an execution.
fn happens(program: &Program, wrong: &Wrong) -> String {
    match wrong {
        Wrong::Violation(Subject::Assertion(check)) => {
            let check = program.check(*check);
            format!("the assertion `{}` at line {} fails", check.description, check.span.line)
        }
        Wrong::Violation(Subject::Race(object) | Subject::FieldRace(object, _)) => {
            format!("threads race on {}", object.name(program))
        }
        Wrong::Violation(Subject::Deadlock) => "no thread can move".to_owned(),
        Wrong::Violation(Subject::Livelock) => "threads go round for ever".to_owned(),
        Wrong::Violation(Subject::Memory(_, _, undefined)) => format!("the program {undefined}"),
        Wrong::Violation(Subject::Atomicity(lines)) => {
            format!("another thread interferes between lines {} and {}", lines.first, lines.second)
        }
        Wrong::Unsupported { what, span } => format!("{} is reached ({what})", program.place(*span)),
    }
}

/// What a proof is a proof of: everything, or everything but what is open. Undefined behaviour is never open: it would
/// stand in the way of every proof.
fn scopes(program: &Program, options: &Options, found: &Found) -> Vec<Scope> {
    if found.open.is_empty() {
        return vec![Scope::Rest];
    }
    let assertions = (0..program.checks.len()).map(|check| Subject::Assertion(CheckId::new(check)));
    let races = AbstractObject::all(program).map(Subject::Race);
    let violated = found.violations.iter().map(|violation| violation.subject);
    let but: BTreeSet<Subject> = found.open.iter().filter_map(Wrong::subject).chain(violated).collect();
    let is_proved = |subject: &Subject| options.task.asks_about(program, *subject) && !but.contains(subject);
    let subjects = assertions.chain(races).filter(is_proved).collect();
    let memory = options.task.asks(Property::Memory).then_some(Scope::Property(Property::Memory));
    [Scope::Subjects(subjects)].into_iter().chain(memory).collect()
}

fn figures(statistics: &Statistics, exceptions: &str) -> Vec<(&'static str, Figure)> {
    let mut figures = vec![
        ("shared_states", Figure::Count(statistics.shared)),
        ("local_states", Figure::Count(statistics.locals)),
        ("products", Figure::Count(statistics.products)),
        ("exceptions", Figure::Count(statistics.exceptions)),
        ("rounds", Figure::Count(statistics.rounds)),
        ("searched", Figure::Count(statistics.searched)),
        ("seconds", Figure::Time(statistics.time)),
    ];
    if !exceptions.is_empty() {
        figures.push(("exception_sets", Figure::Words(exceptions.to_owned())));
    }
    figures
}
