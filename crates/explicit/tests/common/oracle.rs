//! The plainest exploration there is: a set of whole states, no reduction, no encoding.

use selvedge_analysis::AbstractObject;
use selvedge_explicit::Subject;
use selvedge_program::semantics::memory::Origin;
use selvedge_program::semantics::{Answers, Instance, Outcome, Question, Semantics, Spot, State, Value};
use selvedge_program::{Bits, EdgeId, Program, ThreadIndex};
use std::collections::{BTreeSet, HashSet};

/// Everything that is violated, and whether something was not supported; `None` if there are more states than the
/// limit.
pub fn violations(program: &Program, limit: usize) -> Option<(BTreeSet<Subject>, bool)> {
    let semantics = Semantics::new(program);
    let initial = semantics.initial().expect("starts");
    let mut found = BTreeSet::new();
    let mut unsupported = false;
    let mut seen = HashSet::from([initial.clone()]);
    let mut work = vec![initial];
    while let Some(state) = work.pop() {
        if seen.len() > limit {
            return None;
        }
        for race in semantics.races(&state) {
            let Spot::Bytes { object, .. } = race.first.spot else { continue };
            found.insert(Subject::Race(abstraction(&state, object)));
        }
        if semantics.deadlocked(&state) {
            found.insert(Subject::Deadlock);
        }
        for thread in state.thread_indices() {
            for enabled in semantics.enabled(&state, thread) {
                successors(&semantics, &state, thread, enabled.edge, &mut Vec::new(), &mut |result| match result {
                    Ok(next) => {
                        if seen.insert(next.clone()) {
                            work.push(next);
                        }
                    }
                    Err(Outcome::AssertionFailed(check)) => {
                        found.insert(Subject::Assertion(check));
                    }
                    Err(Outcome::Undefined(undefined, _)) => {
                        let function = state.frame(thread).expect("is running").function;
                        found.insert(Subject::Memory(function, enabled.edge, undefined));
                    }
                    Err(Outcome::Unsupported(_)) => unsupported = true,
                    Err(outcome) => panic!("{outcome:?}"),
                });
            }
        }
    }
    Some((found, unsupported))
}

fn abstraction(state: &State, object: Instance) -> AbstractObject {
    match object {
        Instance::Static(id) | Instance::ThreadLocal(id, _) => AbstractObject::Static(id),
        _ => match state.memory().block(object).expect("is alive").origin {
            Origin::Object(id) => AbstractObject::Static(id),
            Origin::Local(function, local) => AbstractObject::Frame(function, local),
            Origin::Site(site) => AbstractObject::Site(site),
        },
    }
}

/// Every result of a step, whatever is answered.
fn successors(
    semantics: &Semantics<'_>,
    state: &State,
    thread: ThreadIndex,
    edge: EdgeId,
    answers: &mut Vec<Value>,
    visit: &mut dyn FnMut(Result<State, Outcome>),
) {
    let result = semantics.step(state, thread, edge, &mut Answers::new(answers));
    let all: Vec<Value> = match result {
        Err(Outcome::NeedsChoice(Question::Thread(threads))) => {
            threads.into_iter().map(|thread| Value::to_start_of(Instance::Thread(thread))).collect()
        }
        Err(Outcome::NeedsChoice(Question::Number { known, free })) => (0..=Bits::ones(free.width()).unsigned())
            .filter(|value| value & !free.unsigned() == known.unsigned())
            .map(|value| Value::bits(free.width(), value))
            .collect(),
        result => return visit(result.map(|(next, _)| next)),
    };
    for answer in all {
        answers.push(answer);
        successors(semantics, state, thread, edge, answers, visit);
        answers.pop();
    }
}
