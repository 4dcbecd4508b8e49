//! Random predicates, as terms over a state and evaluated in it.

use selvedge_generate::random::Random;
use selvedge_program::semantics::eval::Evaluator;
use selvedge_program::semantics::{GhostKey, Instance, Outcome, State, Value};
use selvedge_program::{Base, ObjectId, ObjectKind, Program, RegisterId, ThreadIndex};
use selvedge_symbolic::{
    Builder, CellKey, Entity, Life, Predicate, Prestate, Root, Tag, Valuation, Value as Symbolic, Variable, Word,
};

use crate::before::{Before, Telling};
use crate::handmade::{Palette, expression};
use crate::inputs::Inputs;
use crate::objects::Objects;
use crate::scramble::{OF_OBJECTS, OF_THREADS, with_registers};
use crate::splits::Splits;
use crate::tally::{Tally, count};
use crate::twins::{compute, holds};

/// A state as a thread sees it, in terms.
struct Seen<'a, 'p> {
    before: &'a mut Before<'p>,
    thread: ThreadIndex,
}

impl Valuation for Seen<'_, '_> {
    fn variable(&mut self, builder: &mut Builder, variable: Variable) -> Option<Word> {
        match variable {
            Variable::Register(_, register) => match self.before.register(register)? {
                Symbolic::Word(word) => Some(word),
                Symbolic::Pieces(_) => None,
            },
            Variable::Cell { object: Root::Static(object), offset, size } => {
                let object = self.before.objects.tag(Instance::Static(object))?;
                let cells = self.before.cells(object, offset, u64::from(size));
                let [key] = cells.as_slice() else { return None };
                self.before.cell(builder, *key)
            }
            Variable::Ghost { object: Root::Static(object), offset, field } => {
                let object = self.before.objects.tag(Instance::Static(object))?;
                self.before.cell(builder, CellKey::Ghost { object, offset, field })
            }
            Variable::OwnGhost(field) => {
                let object = self.before.objects.tag(Instance::Thread(self.thread))?;
                self.before.cell(builder, CellKey::Ghost { object, offset: 0, field })
            }
            // What is kept for proofs only, the semantics does not know.
            Variable::Cell { .. }
            | Variable::Ghost { .. }
            | Variable::Changer { .. }
            | Variable::Tally { .. }
            | Variable::Determinate { .. }
            | Variable::Alive(_)
            | Variable::Note(..)
            | Variable::Address(_)
            | Variable::Unjoined => None,
        }
    }

    fn base(&mut self, builder: &mut Builder, base: Base, width: u32) -> Option<Word> {
        self.before.base(builder, base, width)
    }

    fn entity(&self, tag: Tag) -> Option<Entity> {
        self.before.entity(tag)
    }

    fn life(&self, tag: Tag) -> Life {
        self.before.life(tag)
    }
}

/// Variables of all kinds, with their widths.
fn table(program: &Program, state: &State, thread: ThreadIndex) -> Vec<(Variable, u32)> {
    let mut table = Vec::new();
    let Some(frame) = state.frame(thread) else { return table };
    let function = program.function(frame.function);
    for (position, register) in function.registers.iter().enumerate() {
        table.push((Variable::Register(frame.function, RegisterId::new(position)), register.width));
    }
    for (position, object) in program.objects.iter().enumerate() {
        let id = ObjectId::new(position);
        for size in [1, 4, program.data_model.pointer_size()] {
            if object.size >= u64::from(size) {
                table.push((Variable::Cell { object: Root::Static(id), offset: 0, size }, size * 8));
            }
        }
        table.extend(OF_OBJECTS.map(|field| (Variable::Ghost { object: Root::Static(id), offset: 0, field }, 64)));
    }
    table.extend(OF_THREADS.map(|field| (Variable::OwnGhost(field), 64)));
    table
}

/// The value of a variable in a state; `None` if it is none that a predicate can speak of.
fn value(program: &Program, state: &State, thread: ThreadIndex, variable: Variable) -> Option<Value> {
    let instance = |object: ObjectId| match program.object(object).kind {
        ObjectKind::ThreadLocal => Instance::ThreadLocal(object, thread),
        ObjectKind::Global | ObjectKind::Constant => Instance::Static(object),
    };
    let ghost = |object, offset, field| {
        let value = state.ghost(GhostKey { object: Some(object), offset, field });
        Some(match value {
            None => Value::bits(64, 0),
            Some(Value::Bits(bits)) => Value::bits(64, bits.unsigned()),
            Some(value) => value.clone(),
        })
    };
    match variable {
        Variable::Register(_, register) => state.frame(thread)?.registers[register.index()].clone(),
        Variable::Cell { object: Root::Static(object), offset, size } => {
            let block = state.memory().block(instance(object))?;
            Some(block.contents.load_raw(offset, size, program.data_model.pointer_size()))
        }
        Variable::Ghost { object: Root::Static(object), offset, field } => ghost(instance(object), offset, field),
        Variable::OwnGhost(field) => ghost(Instance::Thread(thread), 0, field),
        Variable::Cell { .. }
        | Variable::Ghost { .. }
        | Variable::Changer { .. }
        | Variable::Tally { .. }
        | Variable::Determinate { .. }
        | Variable::Alive(_)
        | Variable::Note(..)
        | Variable::Address(_)
        | Variable::Unjoined => None,
    }
}

/// A random predicate in a state, on both sides.
pub fn compare(
    program: &Program,
    (state, objects): (&State, &Objects),
    thread: ThreadIndex,
    random: &mut Random,
    tally: &mut Tally,
) -> Result<(), String> {
    let table = table(program, state, thread);
    let registers = table.iter().enumerate().map(|(position, (_, width))| (RegisterId::new(position), *width));
    let palette = Palette {
        registers: registers.collect(),
        bases: (0..program.objects.len())
            .map(|object| Base::Object(ObjectId::new(object)))
            .chain([Base::SelfThread])
            .collect(),
        pointer_width: program.pointer_width(),
    };
    let variables: Vec<Variable> = table.iter().map(|(variable, _)| *variable).collect();
    let predicate = Predicate::new(&expression(random, &palette, 1, 4), &variables);

    let values = predicate.variables().iter().map(|variable| value(program, state, thread, *variable)).collect();
    let known = with_registers(state, thread, values);
    let expected = Evaluator::of_thread(program, &known, thread).holds(predicate.condition());

    let seed = random.word();
    let mut splits = Splits::default();
    let (builder, mut before, term) = loop {
        let mut builder = Builder::new();
        let inputs = Inputs::new(Random::new(seed), program.pointer_width());
        let given = (inputs, Telling::Whole, splits);
        let Some(mut before) = Before::new(&mut builder, program, (state, objects), thread, given) else {
            return Ok(());
        };
        let mut seen = Seen { before: &mut before, thread };
        let term = predicate.term(&mut builder, &mut seen, program.pointer_width());
        if !before.splits.borrow().is_stale {
            break (builder, before, term);
        }
        splits = before.splits.into_inner().anew();
    };
    if let Some(odd) = before.oddity() {
        count(&mut tally.odd, odd);
        return Ok(());
    }
    compute(&builder, &mut before, 0);
    let said = holds(&builder, &before, term);
    match (expected, said) {
        (Ok(true), true) => count(&mut tally.outcomes, "holds"),
        (Ok(false), false) => count(&mut tally.outcomes, "does not hold"),
        (Err(Outcome::Internal(_)), _) => count(&mut tally.odd, "a variable without a value"),
        (Err(_), false) => count(&mut tally.outcomes, "is not defined"),
        (Ok(true), false) => count(&mut tally.unsupported, "a predicate that holds".to_owned()),
        (expected, true) => {
            return Err(format!("{predicate:?}\nthe semantics says {expected:?}, its twin that it holds"));
        }
    }
    tally.expression(predicate.condition());
    Ok(())
}
