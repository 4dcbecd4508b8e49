//! Programs whose threads are never started: a verdict on one is true and says little, so the user is told.
//!
//! Until the first thread is started there is only `main`'s, so that a small search of its executions can tell. It
//! answers only where it has gone through all of them.

use selvedge_program::semantics::{Answers, Outcome, Semantics, State, Value};
use selvedge_program::{Action, EdgeId, Function, Program, Span, ThreadIndex};

/// How many steps are taken at most.
const STEPS: usize = 20_000;

/// How many answers to one question are tried at most.
const CHOICES: u128 = 256;

/// The first place that starts threads, if there is one and it is certain that no execution starts any.
pub fn unstarted(program: &Program) -> Option<Span> {
    let starts = program.functions.iter().flat_map(|function| &function.edges);
    let first = starts.filter(|edge| is_start(&edge.action)).map(|edge| edge.span).min()?;
    let semantics = Semantics::new(program);
    let mut search = Search { semantics, waiting: vec![semantics.initial().ok()?], steps: 0 };
    while let Some(state) = search.waiting.pop() {
        search.expand(&state)?;
    }
    Some(first)
}

fn is_start(action: &Action) -> bool {
    matches!(action, Action::Spawn { .. })
}

struct Search<'p> {
    semantics: Semantics<'p>,
    waiting: Vec<State>,
    steps: usize,
}

impl Search<'_> {
    /// `None` when a thread is started, or what can happen is not certain.
    fn expand(&mut self, state: &State) -> Option<()> {
        let main = ThreadIndex(0);
        let Some(frame) = state.frame(main).filter(|_| state.is_live(main)) else { return Some(()) };
        let function = self.semantics.program.function(frame.function);
        for edge in &function.location(frame.location).outgoing {
            self.take(state, function, *edge, &mut Vec::new())?;
        }
        Some(())
    }

    fn take(&mut self, state: &State, function: &Function, edge: EdgeId, answers: &mut Vec<Value>) -> Option<()> {
        self.steps += 1;
        if self.steps > STEPS || is_start(&function.edge(edge).action) {
            return None;
        }
        match self.semantics.step(state, ThreadIndex(0), edge, &mut Answers::new(answers)) {
            Ok((next, _)) => self.waiting.push(next),
            Err(Outcome::AssertionFailed(_) | Outcome::Undefined(..) | Outcome::Disabled) => {}
            Err(Outcome::Unsupported(_) | Outcome::Internal(_)) => return None,
            Err(Outcome::NeedsChoice(question)) => {
                for answer in question.answers(CHOICES).ok()? {
                    answers.push(answer);
                    self.take(state, function, edge, answers)?;
                    answers.pop();
                }
            }
        }
        Some(())
    }
}
