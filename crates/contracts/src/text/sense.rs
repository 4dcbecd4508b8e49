//! What is written correctly and makes no sense: states that nothing leads to, edges that can never be taken,
//! assertions that nothing fulfils, environments that are not closed.

use selvedge_program::{Diagnostic, Program, Span};
use selvedge_symbolic::Relation;

use crate::question::{Questions, Values};
use crate::spec::{Edge, Life, Specification, Thread};

/// Tells what makes no sense in a specification that is otherwise right.
pub fn judge(program: &Program, spec: &Specification, diagnostics: &mut Vec<Diagnostic>) {
    let mut questions = Questions::new(program);
    let initial = questions.holds(&spec.initial_condition(), &mut Values::default());
    if !questions.can_hold(&[initial]) {
        let span = spec.shared.first().map_or(Span::NOWHERE, |shared| shared.span);
        let message = "no values of the shared variables fulfil the initial condition";
        diagnostics.push(Diagnostic::error(span, message));
    }
    let is_created = |at: usize| spec.is_created(at);
    if (0..spec.threads.len()).all(is_created) {
        let message = "every abstract thread is created by another: there has to be one that begins";
        diagnostics.push(Diagnostic::error(spec.threads.first().map_or(Span::NOWHERE, |thread| thread.span), message));
    }
    for thread in &spec.threads {
        reachable(thread, diagnostics);
        for state in &thread.states {
            let term = questions.holds(&state.assertion, &mut Values::default());
            if !questions.can_hold(&[term]) {
                let message = format!("no values of the shared variables fulfil the assertion of `{}`", state.name);
                diagnostics.push(Diagnostic::error(state.span, message));
            }
        }
        for edge in &thread.edges {
            possible(spec, thread, edge, &mut questions, diagnostics);
            let joinable = match edge.life {
                Some(Life::Join(Some(joined))) => spec.is_created(joined),
                Some(Life::Join(None)) => (0..spec.threads.len()).any(is_created),
                Some(Life::Create(_)) | None => true,
            };
            if !joinable {
                let message = "no edge creates such a thread, and one that is there from the beginning is not joined";
                diagnostics.push(Diagnostic::error(edge.span, message));
            }
        }
        if let Some(environment) = &thread.environment {
            closed(spec, thread, environment, &mut questions, diagnostics);
        }
    }
}

/// The states that no edges lead to.
fn reachable(thread: &Thread, diagnostics: &mut Vec<Diagnostic>) {
    let mut seen = vec![false; thread.states.len()];
    let mut work = thread.initial.clone();
    while let Some(state) = work.pop() {
        if !std::mem::replace(&mut seen[state.index()], true) {
            work.extend(thread.leaving(state).map(|edge| edge.target));
        }
    }
    for (state, _) in thread.states.iter().zip(seen).filter(|(_, seen)| !seen) {
        let message = format!("no edges of `{}` lead to the state `{}`", thread.name, state.name);
        diagnostics.push(Diagnostic::error(state.named, message));
    }
}

/// Whether an edge can be taken at all.
fn possible(
    spec: &Specification,
    thread: &Thread,
    edge: &Edge,
    questions: &mut Questions<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let (mut before, mut after) = (Values::default(), Values::default());
    let passes = questions.passes(&spec.relation(edge), &mut before, &mut after);
    let (source, target) = (thread.state(edge.source), thread.state(edge.target));
    let names = format!("from `{}` to `{}`", source.name, target.name);
    if !questions.can_hold(&[passes]) {
        let message = format!("the edge {names} can never be taken: what it says contradicts itself");
        diagnostics.push(Diagnostic::error(edge.span, message));
        return;
    }
    let holds = questions.holds(&source.assertion, &mut before);
    if !questions.can_hold(&[passes, holds]) {
        let message = format!("the edge {names} can never be taken: it contradicts the assertion of `{}`", source.name);
        diagnostics.push(Diagnostic::error(edge.span, message).with_note(source.span, "the assertion is here"));
        return;
    }
    let holds_after = questions.holds(&target.assertion, &mut after);
    if !questions.can_hold(&[passes, holds, holds_after]) {
        let message = format!("the edge {names} always violates the assertion of `{}`", target.name);
        diagnostics.push(Diagnostic::warning(edge.span, message).with_note(target.span, "the assertion is here"));
    }
}

/// An environment has to be reflexive and transitive: others take any number of steps.
fn closed(
    spec: &Specification,
    thread: &Thread,
    environment: &Relation,
    questions: &mut Questions<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let mut at: [Values; 3] = Default::default();
    // All moments know all variables, so that what is not spoken of can differ.
    let idle = spec.idle();
    let [first, second, third] = &mut at;
    let same = questions.passes(&idle, first, second);
    let once = questions.passes(environment, first, second);
    let not_once = questions.builder.not(once);
    if questions.can_hold(&[same, not_once]) {
        let message = format!("the environment of `{}` must allow others to do nothing", thread.name);
        diagnostics.push(Diagnostic::error(thread.span, message));
        return;
    }
    let again = questions.passes(environment, second, third);
    let through = questions.passes(environment, first, third);
    let not_through = questions.builder.not(through);
    if questions.can_hold(&[once, again, not_through]) {
        let message = format!(
            "the environment of `{}` must allow in one step whatever it allows in two: others take any number of steps",
            thread.name
        );
        diagnostics.push(Diagnostic::error(thread.span, message));
    }
}
