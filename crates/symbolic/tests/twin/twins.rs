//! One path of one thread, taken by the concrete semantics and told in terms, and what the two say about it.

use std::collections::BTreeSet;

use selvedge_generate::random::Random;
use selvedge_logic::{Evaluation, Op, SymbolId, Term};
use selvedge_program::semantics::{
    Answers, Chooser, Effects, Event, Instance, Outcome, Plainest, Pointer, Question, Semantics, Spot, State, Value,
};
use selvedge_program::{AccessKind, Action, Bits, CheckId, EdgeId, Function, ThreadIndex, Undefined};
use selvedge_symbolic::step::Taken;
use selvedge_symbolic::{Builder, Effect, Tag, Trouble, Word};

use crate::after::After;
use crate::before::{Before, Telling, Upcoming};
use crate::control::{self, Control};
use crate::inputs::Inputs;
use crate::objects::Objects;
use crate::splits::Splits;
use crate::tally::{Tally, count};
use crate::touches;

/// A path to be compared.
#[derive(Clone, Copy, Debug)]
pub struct Path<'a, 'p> {
    pub semantics: &'a Semantics<'p>,
    pub objects: &'a Objects,
    pub state: &'a State,
    pub thread: ThreadIndex,
    pub first: EdgeId,
    pub length: usize,
    pub telling: Telling,
    pub seed: u64,
}

/// What the symbolic side says of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    Goes,
    Waits,
    Fails(CheckId),
    Undefined(Undefined),
    Unsupported(String),
}

/// Everything there is when a step has been taken on both sides.
pub struct Step<'a, 'b, 'p> {
    pub path: &'a Path<'b, 'p>,
    pub function: &'p Function,
    pub action: &'p Action,
    pub builder: &'a Builder,
    pub before: &'a Before<'p>,
    pub effect: &'a Effect,
    pub control: &'a Control,
    /// The concrete states before and after.
    pub from: &'a State,
    pub to: &'a State,
    pub effects: &'a Effects,
}

/// Gives prepared answers, and keeps the questions.
struct Recorded<'a> {
    answers: Answers<'a>,
    questions: Vec<Question>,
}

impl Chooser for Recorded<'_> {
    fn choose(&mut self, question: &Question) -> Option<Value> {
        self.questions.push(question.clone());
        self.answers.choose(question)
    }
}

/// How a path went.
enum Went {
    Through,
    /// Cells were split that had been in use.
    Again(Splits),
}

impl Path<'_, '_> {
    /// Compares, and says what is different.
    pub fn compare(&self, tally: &mut Tally) -> Result<(), String> {
        let mut splits = Splits::default();
        for _ in 0..40 {
            let mut own = Tally::default();
            match self.walk(splits, &mut own)? {
                Went::Through => {
                    tally.merge(own);
                    return Ok(());
                }
                Went::Again(again) => splits = again.anew(),
            }
        }
        Err("cells are split again and again".to_owned())
    }

    fn walk(&self, splits: Splits, tally: &mut Tally) -> Result<Went, String> {
        let mut builder = Builder::new();
        let mut random = Random::new(self.seed);
        let program = self.semantics.program;
        let inputs = Inputs::new(Random::new(self.seed ^ 0x55), program.pointer_width());
        let given = (inputs, self.telling, splits);
        let Some(mut before) = Before::new(&mut builder, program, (self.state, self.objects), self.thread, given)
        else {
            return Ok(Went::Through);
        };
        let (mut state, mut edge) = (self.state.clone(), self.first);
        for length in 1..=self.length {
            let Some(frame) = state.frame(self.thread) else { break };
            let function = program.function(frame.function);
            if length > 1 {
                let outgoing = &function.location(frame.location).outgoing;
                if outgoing.is_empty() {
                    break;
                }
                edge = *random.pick(outgoing);
            }
            let action = &function.edge(edge).action;
            before.upcoming = self.upcoming(&state, edge);
            let symbols = builder.terms.symbol_count();
            let opaque = builder.opaque.len();
            let (effect, control) = control::run(&mut builder, &mut before, &state, action);
            if before.splits.borrow().is_stale {
                return Ok(Went::Again(before.splits.into_inner()));
            }
            if let Some(odd) = before.oddity() {
                count(&mut tally.odd, odd);
                break;
            }
            assign(&builder, &mut before, &effect, (symbols, opaque), &state);
            let said = said(&builder, &before, &effect)?;
            let answers = answers(&builder, &before, &effect);
            let mut next = state.clone();
            let mut effects = Effects::default();
            let mut chooser = Recorded { answers: Answers::new(&answers), questions: Vec::new() };
            let result = self.semantics.apply(&mut next, self.thread, edge, &mut chooser, &mut effects);
            let step = Step {
                path: self,
                function,
                action,
                builder: &builder,
                before: &before,
                effect: &effect,
                control: &control,
                from: &state,
                to: &next,
                effects: &effects,
            };
            let goes = step.compare(&said, result, (&chooser, symbols), tally).map_err(|what| {
                format!("step {length}, {action:?}\nanswers {answers:?}\nregisters {:?}\n{what}", frame.registers)
            })?;
            if !goes || effect.taken != Taken::Along {
                break;
            }
            tally.longest = length;
            before.commit(&effect);
            before.objects.note(&next);
            state = next;
        }
        Ok(Went::Through)
    }

    /// What the concrete step will allocate and read, supposing the plainest answers.
    fn upcoming(&self, state: &State, edge: EdgeId) -> Upcoming {
        let mut effects = Effects::default();
        // How the step ends does not matter here.
        let _ = self.semantics.apply(&mut state.clone(), self.thread, edge, &mut Plainest, &mut effects);
        let allocated = effects.events.iter().find_map(|event| match event {
            Event::Allocated { object, size, .. } => Some((*object, *size)),
            _ => None,
        });
        let read = effects.accesses.iter().find_map(|access| match access.spot {
            Spot::Bytes { object, offset, size } if access.kind == AccessKind::Read => Some((object, offset, size)),
            _ => None,
        });
        Upcoming { allocated, read }
    }
}

/// Values for the symbols that the step has made: choices at random, results of operations as they are.
fn assign(
    builder: &Builder,
    before: &mut Before<'_>,
    effect: &Effect,
    (symbols, opaque): (usize, usize),
    state: &State,
) {
    let terms = &builder.terms;
    for symbol in terms.symbols().skip(symbols) {
        if before.inputs.assignment.get(symbol).is_some() {
            continue;
        }
        let sort = terms.symbol_sort(symbol);
        let random = &mut before.inputs.random;
        // Addresses out of nothing are mostly not modelled.
        let value = match terms.symbol_name(symbol).starts_with('a') {
            true => u128::from(random.chance(5)),
            false => Inputs::interesting(random, sort.width()),
        };
        before.inputs.assignment.set(symbol, value);
    }
    for (_, word) in &effect.chosen {
        make_admissible(builder, before, *word, state);
    }
    compute(builder, before, opaque);
}

/// The results of floating-point operations, from so many on, as they are.
pub fn compute(builder: &Builder, before: &mut Before<'_>, first: usize) {
    let terms = &builder.terms;
    for opaque in &builder.opaque[first..] {
        let mut evaluation = Evaluation::new();
        let mut value = |term| {
            let value = evaluation.value(terms, term, &before.inputs.assignment).expect("a term of ours");
            value.unsigned()
        };
        let (left, right) = (value(opaque.application.left), value(opaque.application.right));
        let (result, undefined) = opaque.values(terms, left, right);
        for (term, value) in [(opaque.result, result), (opaque.undefined, undefined)] {
            before.inputs.set(builder, term, value);
        }
    }
}

/// An address out of nothing lies in something that is there.
fn make_admissible(builder: &Builder, before: &mut Before<'_>, word: Word, state: &State) {
    use selvedge_symbolic::Prestate;
    if !matches!(builder.terms.op(word.bits), Op::Symbol(_)) {
        return;
    }
    let is_admissible = |before: &Before<'_>| match value_of(builder, before, word) {
        Some(Value::Pointer(pointer)) => state.is_address(before.program(), pointer),
        _ => true,
    };
    if !is_admissible(before) {
        before.inputs.set(builder, word.bits, 0);
    }
    if !is_admissible(before) {
        for symbol in builder.terms.symbols_of(&[word.tag]) {
            before.inputs.assignment.set(symbol, 0);
        }
    }
}

/// The value of a word under the assignment; `None` if it is indeterminate.
fn value_of(builder: &Builder, before: &Before<'_>, word: Word) -> Option<Value> {
    let values = builder.terms.evaluate_all(&[word.tag, word.bits], &before.inputs.assignment).expect("terms of ours");
    let (tag, bits) = (Tag(values[0].unsigned() as u32), values[1].unsigned());
    match tag {
        Tag::NUMBER => Some(Value::Bits(Bits::new(builder.width(word.bits), bits))),
        Tag::INDETERMINATE => None,
        tag => {
            let object = before.objects.instance(tag)?;
            Some(Value::Pointer(Pointer { object, offset: bits as u64 }))
        }
    }
}

/// The answers that the assignment gives to what the step asks.
fn answers(builder: &Builder, before: &Before<'_>, effect: &Effect) -> Vec<Value> {
    let asked = effect.chosen.iter().filter(|(asked, _)| holds(builder, before, *asked));
    asked.filter_map(|(_, word)| value_of(builder, before, *word)).collect()
}

pub fn holds(builder: &Builder, before: &Before<'_>, condition: Term) -> bool {
    builder.terms.evaluate(condition, &before.inputs.assignment).expect("a term of ours").is_true()
}

/// What an effect says under the assignment: exactly one thing.
fn said(builder: &Builder, before: &Before<'_>, effect: &Effect) -> Result<Said, String> {
    let is = |condition| holds(builder, before, condition);
    let mut said = Vec::new();
    said.extend(is(effect.enabled).then_some(Said::Goes));
    said.extend(is(effect.blocked).then_some(Said::Waits));
    said.extend(effect.violations.iter().filter(|(when, _)| is(*when)).map(|(_, check)| Said::Fails(*check)));
    for (_, trouble) in effect.troubles.iter().filter(|(when, _)| is(*when)) {
        said.push(match trouble {
            Trouble::Undefined(undefined) => Said::Undefined(*undefined),
            Trouble::Unsupported(what) => Said::Unsupported(what.clone()),
        });
    }
    match said.as_slice() {
        [one] => Ok(one.clone()),
        _ => Err(format!("an effect says {said:?} at once")),
    }
}

impl Step<'_, '_, '_> {
    /// Compares what both sides say; whether both go on.
    fn compare(
        &self,
        said: &Said,
        result: Result<(), Outcome>,
        (asked, symbols): (&Recorded<'_>, usize),
        tally: &mut Tally,
    ) -> Result<bool, String> {
        if let Said::Unsupported(what) = said {
            if !matches!(result, Err(Outcome::Unsupported(_))) {
                count(&mut tally.unsupported, what.clone());
                return Ok(false);
            }
        } else if self.control.is_beyond(&result) {
            return Ok(false);
        }
        let agreed = match (&result, said) {
            (Err(Outcome::Internal(message)), _) if !message.contains("is no answer") => {
                count(&mut tally.odd, "a state that no execution has");
                return Ok(false);
            }
            (Ok(()), Said::Goes) => "goes on",
            (Err(Outcome::Disabled), Said::Waits) => "waits",
            (Err(Outcome::AssertionFailed(check)), Said::Fails(said)) if check == said => "fails",
            (Err(Outcome::Undefined(undefined, _)), Said::Undefined(said)) if undefined == said => {
                count(&mut tally.undefined, *undefined);
                "is undefined"
            }
            (Err(Outcome::Unsupported(_)), Said::Unsupported(_)) => "is not modelled",
            // An execution ends there, and a proof goes on.
            (Err(Outcome::Unsupported(_)), Said::Goes) if matches!(self.action, Action::Inexact(_)) => {
                count(&mut tally.outcomes, "is inexact");
                return Ok(false);
            }
            _ => return Err(format!("the semantics says {result:?}, its twin {said:?}")),
        };
        count(&mut tally.outcomes, agreed);
        if *said == Said::Goes {
            let unasked = asked.answers.0.len();
            if unasked > 0 {
                return Err(format!("{unasked} answers have not been asked for"));
            }
            self.picks(&asked.questions, symbols, tally)?;
        }
        tally.compared(self.action);
        if !matches!(said, Said::Unsupported(_)) {
            touches::compare(self)?;
        }
        if *said == Said::Goes {
            tally.taken(self.action);
            After::new(self).compare()?;
        }
        Ok(*said == Said::Goes)
    }

    /// That the twin can pick every thread that the semantics can: what one assignment says does not show that.
    fn picks(&self, questions: &[Question], symbols: usize, tally: &mut Tally) -> Result<(), String> {
        let Step { builder, before, effect, .. } = self;
        let asked: Vec<_> = effect.chosen.iter().filter(|(asked, _)| holds(builder, before, *asked)).collect();
        for (question, (_, word)) in questions.iter().zip(asked) {
            let Question::Thread(threads) = question else { continue };
            let mut choices = builder.terms.symbols_of(&[word.tag]);
            // Symbols of cells that are read for the first time are new as well, but the state says what these are.
            let is_choice = |symbol: &SymbolId| builder.terms.symbol_name(*symbol).starts_with('p');
            choices.retain(|symbol| symbol.index() >= symbols && is_choice(symbol));
            let mut picked = BTreeSet::new();
            for pattern in 0..1_u32 << choices.len() {
                let mut assignment = before.inputs.assignment.clone();
                for (position, symbol) in choices.iter().enumerate() {
                    assignment.set(*symbol, u128::from(pattern >> position & 1));
                }
                let tag = builder.terms.evaluate(word.tag, &assignment).expect("a term of ours");
                picked.extend(before.objects.instance(Tag(tag.unsigned() as u32)));
            }
            let wanted: BTreeSet<Instance> = threads.iter().map(|thread| Instance::Thread(*thread)).collect();
            if picked != wanted {
                return Err(format!("any of {wanted:?} can be picked, by the twin {picked:?}"));
            }
            tally.picks += 1;
        }
        Ok(())
    }
}
