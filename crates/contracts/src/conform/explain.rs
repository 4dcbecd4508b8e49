//! What conformance found, for people: the step that no abstract step simulates, with the abstract states that match
//! before it and the values of the shared variables.

use selvedge_program::{Diagnostic, Expr, FunctionId, Program, RegisterId, Span};
use selvedge_symbolic::Predicate;

use super::{Failed, Failure, Outcome, Step};
use crate::spec::{Shared, Specification, Thread};

/// More steps than this before the last one are left out.
const MOST_STEPS: usize = 8;

/// What is to be said of the threads of a function; nothing if they conform.
pub fn explain(
    program: &Program,
    spec: &Specification,
    (function, outcome): (FunctionId, &Outcome),
) -> Option<Diagnostic> {
    let name = &program.function(function).name;
    let thread = spec.threads.iter().find(|thread| thread.function == Some(function));
    match outcome {
        Outcome::Conforms => None,
        Outcome::Unknown(unknown) => {
            let message = format!("whether `{name}` conforms is unknown: {}", unknown.reason);
            Some(Diagnostic::warning(unknown.span, message))
        }
        Outcome::Fails(failure) => Some(failed(program, spec, (name, thread), failure)),
    }
}

fn failed(
    program: &Program,
    spec: &Specification,
    (name, thread): (&str, Option<&Thread>),
    failure: &Failure,
) -> Diagnostic {
    let last = failure.steps.last();
    let span = last.map_or(Span::NOWHERE, |step| step.span);
    let states = |step: &Step| names(thread, &step.before);
    let mut said = match (&failure.wrong, last) {
        (Failed::Unmatched, Some(step)) => {
            let mut said = Diagnostic::error(span, format!("no abstract step of `{name}` does what this step does"));
            let (before, change) = values(program, spec, step);
            said = match thread {
                Some(_) => said.with_note(Span::NOWHERE, format!("{} before it, with {before}", states(step))),
                None => said.with_note(
                    Span::NOWHERE,
                    format!("the specification does not name `{name}`, so it must leave the shared variables alone"),
                ),
            };
            said.with_note(Span::NOWHERE, format!("the step makes {change}"))
        }
        (Failed::Assertion(check), Some(step)) => {
            let description = &program.check(*check).description;
            let message =
                format!("the assertion `{description}` can fail where no abstract state of `{name}` goes wrong");
            let said = Diagnostic::error(span, message);
            let (before, _) = values(program, spec, step);
            match thread {
                Some(_) if before.is_empty() => said.with_note(Span::NOWHERE, states(step)),
                Some(_) => said.with_note(Span::NOWHERE, format!("{}, with {before}", states(step))),
                None => said.with_note(
                    Span::NOWHERE,
                    format!(
                        "the specification does not name `{name}`, so nothing is known of the shared variables there"
                    ),
                ),
            }
        }
        (Failed::Initially, _) => {
            let message = "other threads may be started where the contract's initial condition does not hold";
            let condition = spec.initial_condition().text(program);
            Diagnostic::error(span, message).with_note(Span::NOWHERE, format!("the condition is: {condition}"))
        }
        (Failed::Ends, Some(step)) => {
            let message =
                format!("`{name}` ends here, and others wait for its end where its abstract thread may go on");
            Diagnostic::error(span, message).with_note(Span::NOWHERE, format!("{}, and edges leave it", states(step)))
        }
        (Failed::Unmatched | Failed::Assertion(_) | Failed::Ends, None) => {
            Diagnostic::error(span, format!("`{name}` does not conform"))
        }
    };
    if let (Failed::Unmatched, Some(step), Some(thread)) = (&failure.wrong, last, thread) {
        for &state in &step.before {
            let Some(from) = thread.states.get(state) else { continue };
            let leaving = thread.edges.iter().filter(|edge| edge.source.index() == state);
            let targets: Vec<&str> = leaving.map(|edge| thread.state(edge.target).name.as_str()).collect();
            let edges = match targets.as_slice() {
                [] => "no edge leaves it".to_owned(),
                targets => format!("not by an edge to {}, nor by an idle step", targets.join(", ")),
            };
            said = said.with_note(from.span, format!("not from `{}`: {edges}", from.name));
        }
    }
    let earlier = &failure.steps[..failure.steps.len().saturating_sub(1)];
    let shown = earlier.len().saturating_sub(MOST_STEPS);
    if shown > 0 {
        said = said.with_note(Span::NOWHERE, format!("{shown} earlier steps are left out"));
    }
    for step in &earlier[shown..] {
        let (before, change) = values(program, spec, step);
        let made = if change.is_empty() { String::new() } else { format!(", made {change}") };
        let matching = names(thread, &step.after);
        said = said.with_note(step.span, format!("earlier, with {before}{made}; then {matching}"));
    }
    said
}

/// States by name.
fn names(thread: Option<&Thread>, states: &[usize]) -> String {
    let name = |state: &usize| {
        let known = thread.and_then(|thread| thread.states.get(*state));
        known.map_or("idle".to_owned(), |state| format!("`{}`", state.name))
    };
    let names: Vec<String> = states.iter().map(name).collect();
    match names.as_slice() {
        [] => "no state matches".to_owned(),
        [one] => format!("state {one} matches"),
        several => format!("the states {} match", several.join(", ")),
    }
}

/// The shared variables before a step, and those that it changes with what they are then.
fn values(program: &Program, spec: &Specification, step: &Step) -> (String, String) {
    let equation = |shared: &Shared, value: u128| {
        let held = Expr::register(RegisterId(0), shared.width);
        let is = Expr::equal(held, Expr::constant(shared.width, value));
        Predicate::new(&is, &[shared.variable]).text(program)
    };
    let all = || spec.shared.iter().zip(&step.values);
    let before: Vec<String> = all().map(|(shared, (value, _))| equation(shared, *value)).collect();
    let changed = all().filter(|(_, (before, after))| before != after);
    let changed: Vec<String> = changed.map(|(shared, (_, value))| equation(shared, *value)).collect();
    (before.join(", "), changed.join(", "))
}
