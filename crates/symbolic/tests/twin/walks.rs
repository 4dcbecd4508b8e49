//! Random executions of a program, and comparisons on the way.

use selvedge_generate::random::Random;
use selvedge_program::semantics::{Chooser, Outcome, Question, Semantics, Silent, State, Value};
use selvedge_program::{Action, EdgeId, Program, ThreadIndex};

use crate::before::Telling;
use crate::inputs::Inputs;
use crate::objects::Objects;
use crate::tally::{Tally, kind};
use crate::twins::Path;
use crate::{predicates, scramble};

/// Answers at random: numbers that matter, now and then an address.
struct AnyAnswer<'a> {
    random: &'a mut Random,
    guesses: Vec<Value>,
}

impl Chooser for AnyAnswer<'_> {
    fn choose(&mut self, question: &Question) -> Option<Value> {
        Some(match question {
            Question::Number { known, free } => {
                let any = Inputs::interesting(self.random, known.width());
                Value::bits(known.width(), known.unsigned() | any & free.unsigned())
            }
            Question::Address { .. } if self.random.chance(50) && !self.guesses.is_empty() => {
                self.random.pick(&self.guesses).clone()
            }
            Question::Address { width } => Value::bits(*width, Inputs::interesting(self.random, *width)),
            Question::Thread(threads) => {
                Value::to_start_of(selvedge_program::semantics::Instance::Thread(*self.random.pick(threads)))
            }
        })
    }
}

/// How a program is walked through.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    pub steps: usize,
    /// How often a step is compared, in percent, once its kind is no longer rare.
    pub often: u64,
    /// How many percent of the registers are given other values before a comparison. With 100, the walk goes on with
    /// such values, and does not end.
    pub scramble: u64,
}

/// A state on the way, and the step that comes next.
#[derive(Clone, Copy, Debug)]
pub struct Visit<'a, 'p> {
    pub semantics: &'a Semantics<'p>,
    pub objects: &'a Objects,
    pub state: &'a State,
    pub thread: ThreadIndex,
    pub edge: EdgeId,
    pub action: &'p Action,
}

/// Walks through a program once.
pub fn walk<'p>(
    program: &'p Program,
    plan: Plan,
    random: &mut Random,
    visit: &mut dyn FnMut(Visit<'_, 'p>, &mut Random),
) {
    let semantics = Semantics::new(program);
    let Ok(mut state) = semantics.initial() else { return };
    let mut objects = Objects::of(program, &state);
    for _ in 0..plan.steps {
        let Some((thread, edge, action)) = next(program, &state, random) else { return };
        if plan.scramble == 100 && random.chance(50) {
            state = scramble::registers(program, (&state, &objects), thread, random, 100);
        }
        visit(Visit { semantics: &semantics, objects: &objects, state: &state, thread, edge, action }, random);
        let guesses = state.guesses(program, 50).values;
        let mut moved = state.clone();
        let result = semantics.apply(&mut moved, thread, edge, &mut AnyAnswer { random, guesses }, &mut Silent);
        let is_over = moved.exit_status().is_some();
        match result {
            Ok(()) if !is_over => state = moved,
            Err(Outcome::Disabled) => {}
            // Other threads may go on as if nothing had happened.
            _ if plan.scramble < 100 && random.chance(15) => return,
            _ => {}
        }
        objects.note(&state);
    }
}

/// Compares steps and short paths on the way. The name is for messages.
pub fn compare_steps(name: &str, program: &Program, plan: Plan, random: &mut Random, tally: &mut Tally) {
    walk(program, plan, random, &mut |visit, random| {
        let Visit { semantics, objects, state, thread, edge, action } = visit;
        let is_rare = tally.actions.get(kind(action)).copied().unwrap_or(0) < 200;
        if !(is_rare || random.chance(plan.often)) {
            return;
        }
        let percent = if random.chance(50) { 0 } else { plan.scramble };
        let mut state = scramble::registers(program, (state, objects), thread, random, percent);
        if plan.scramble > 0 && random.chance(50) {
            state = scramble::ghosts(&state, objects, random);
        }
        let length = if random.chance(60) { 1 } else { random.between(2, 6) as usize };
        let is_plain = length == 1 && !matches!(action, Action::Atomic(_));
        let telling = if is_plain && random.chance(30) { Telling::Partly } else { Telling::Whole };
        let seed = random.word();
        let path = Path { semantics, objects, state: &state, thread, first: edge, length, telling, seed };
        if let Err(what) = path.compare(tally) {
            let place = format!("{name}, thread {}, {edge}, seed {seed:#x}, {telling:?}", thread.0);
            tally.differences.push(format!("{place}\n{what}"));
        }
    });
}

/// Compares random predicates on the way.
pub fn compare_predicates(name: &str, program: &Program, plan: Plan, random: &mut Random, tally: &mut Tally) {
    walk(program, plan, random, &mut |visit, random| {
        let Visit { objects, state, thread, .. } = visit;
        if let Err(what) = predicates::compare(program, (state, objects), thread, random, tally) {
            tally.differences.push(format!("{name}, thread {}\n{what}", thread.0));
        }
    });
}

/// A thread and one of the edges that it may take.
fn next<'p>(program: &'p Program, state: &State, random: &mut Random) -> Option<(ThreadIndex, EdgeId, &'p Action)> {
    let live: Vec<ThreadIndex> = match state.atomic_section() {
        Some(section) => vec![section.owner],
        None => state.thread_indices().filter(|thread| state.is_live(*thread)).collect(),
    };
    if live.is_empty() {
        return None;
    }
    let thread = *random.pick(&live);
    let frame = state.frame(thread)?;
    let function = program.function(frame.function);
    let outgoing = &function.location(frame.location).outgoing;
    if outgoing.is_empty() {
        return None;
    }
    let edge = *random.pick(outgoing);
    Some((thread, edge, &function.edge(edge).action))
}
