//! Actions that move control to another function or thread: their values are told in terms, where control goes is not.

use selvedge_logic::Term;
use selvedge_program::semantics::{Instance, Outcome, State};
use selvedge_program::{Action, Callee, Expr, FunctionId, ThreadIndex, Transfer, Undefined};
use selvedge_symbolic::access::store;
use selvedge_symbolic::effect::Step;
use selvedge_symbolic::step::{Taken, arguments, callees, take, value};
use selvedge_symbolic::{Builder, Effect, Entity, Machine, Prestate, Trouble, Value, trouble, under};

use crate::before::Before;

/// What such an action hands on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Control {
    /// Nothing: the action is an ordinary one.
    Along,
    /// The functions that may be called or started, each under a condition, with their arguments.
    Into(Vec<(FunctionId, Term, Vec<Value>)>),
    /// The result of a function or thread.
    Out(Option<Value>),
    /// The begin or the end of an atomic section.
    Section,
}

impl Control {
    /// Whether a step ends in a way that is no matter of values: what a caller does with a missing result, limits on
    /// depth, sections.
    pub fn is_beyond(&self, result: &Result<(), Outcome>) -> bool {
        match (self, result) {
            (Control::Out(_), Err(Outcome::Undefined(Undefined::MissingReturn, _))) => true,
            (Control::Out(_), Err(Outcome::Unsupported(what))) => what == "an exit status that is no number",
            (Control::Section, Err(Outcome::Unsupported(_))) => true,
            _ => false,
        }
    }
}

/// The effect of an action.
pub fn run<'p>(builder: &mut Builder, before: &mut Before<'p>, state: &State, action: &Action) -> (Effect, Control) {
    let started = Instance::Thread(ThreadIndex::new(state.thread_count()));
    match action.transfer() {
        Transfer::Call { target, callee, arguments } => {
            let (effect, control) = Effect::run(builder, before, |step| {
                let wanted = target.and_then(|target| step.declaration(target)).map(|register| register.width);
                into(step, callee, |_, given| given.to_vec(), arguments, wanted)
            });
            (Effect { taken: Taken::Elsewhere, ..effect }, control)
        }
        Transfer::Spawn { target, entry, arguments, id } => {
            let tag = before.add_object(started, Entity::Thread);
            let program = before.program();
            let (effect, control) = Effect::run(builder, before, |step| {
                let control = into(
                    step,
                    entry,
                    |function, given| program.function(function).started_with(given),
                    arguments,
                    None,
                );
                let yes = step.builder().yes;
                let identity = Value::Word(step.builder().pointer(tag, program.pointer_width()));
                if let Some(id) = id {
                    store(step, id, &identity, yes);
                }
                step.assign(target, identity);
                control
            });
            (Effect { taken: Taken::Elsewhere, ..effect }, control)
        }
        Transfer::ThreadExit { value: result } => {
            let (effect, result) = Effect::run(builder, before, |step| value(step, result));
            (Effect { taken: Taken::Elsewhere, ..effect }, Control::Out(Some(result)))
        }
        Transfer::Return { value: result } => {
            let (effect, result) = Effect::run(builder, before, |step| result.map(|result| value(step, result)));
            (Effect { taken: Taken::Elsewhere, ..effect }, Control::Out(result))
        }
        Transfer::AtomicBegin | Transfer::AtomicEnd => (Effect::of(builder, before, action), Control::Section),
        Transfer::Along | Transfer::Exit { .. } | Transfer::Unknown => {
            let (effect, taken) = Effect::run(builder, before, |step| take(step, action));
            (Effect { taken, ..effect }, Control::Along)
        }
    }
}

/// Calls or starts what is meant.
fn into<'p, S: Prestate<'p>>(
    step: &mut Step<'_, S>,
    callee: &Callee,
    passed: impl Fn(FunctionId, &[Expr]) -> Vec<Expr>,
    given: &[Expr],
    wanted: Option<u32>,
) -> Control {
    let mut into = Vec::new();
    for (function, meant) in callees(step, callee) {
        let given = passed(function, given);
        let values = under(step, meant, |step| arguments(step, function, &given));
        let bad = Trouble::Undefined(Undefined::BadCall);
        match values {
            None => trouble(step, meant, bad),
            Some(values) => {
                if wanted.is_some() && step.program().function(function).result_width != wanted {
                    trouble(step, meant, bad);
                }
                into.push((function, meant, values));
            }
        }
    }
    Control::Into(into)
}
