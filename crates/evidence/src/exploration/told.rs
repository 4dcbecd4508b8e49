//! What the symbolic semantics tells of a step of a family: when it can be taken, what is wrong otherwise, and what
//! registers, memory and those who are called or started get.

use super::before::{Before, Objects, Splits};
use super::family::Family;
use super::numbers::Slot;
use selvedge_logic::{Assignment, Term, Terms};
use selvedge_program::semantics::{GhostKey, PendingAccess, Pointer, Spot, Value as Concrete};
use selvedge_program::{
    AccessKind, Action, Atomicity, EdgeId, Expr, FunctionId, Program, RegisterId, RegisterUse, ThreadIndex, Transfer,
};
use selvedge_symbolic::step::{arguments, value};
use selvedge_symbolic::{Builder, CellKey, Effect, Machine, Tag, Value, Word, trouble};
use selvedge_symbolic::{Trouble, effect};
use std::collections::BTreeSet;

/// What a step hands on beside what it assigns.
#[derive(Clone, Debug)]
pub enum Handed {
    Nothing,
    /// Arguments, to a function that is called or started.
    Into(FunctionId, Vec<Value>),
    /// A result.
    Out(Value),
}

/// What is told of a step.
#[derive(Clone, Debug)]
pub struct Told {
    pub effect: Effect,
    pub handed: Handed,
    /// Terms do not say all of what the step does.
    pub is_odd: bool,
}

/// The registers that an action uses.
pub fn used(action: &Action) -> BTreeSet<RegisterId> {
    let mut used = BTreeSet::new();
    action.for_each_register(&mut |register| {
        if let RegisterUse::Used(register) = register {
            used.insert(register);
        }
    });
    used
}

/// The registers on which it depends where control goes, or what comes to life: these are taken value by value.
pub fn decisive(action: &Action) -> BTreeSet<RegisterId> {
    let mut decisive = BTreeSet::new();
    let mut note = |expr: &Expr| {
        expr.for_each_register(&mut |register| {
            decisive.insert(register);
        })
    };
    match action.transfer() {
        Transfer::Call { callee, .. } => callee.pointer().into_iter().for_each(&mut note),
        Transfer::Spawn { entry, id, .. } => {
            entry.pointer().into_iter().for_each(&mut note);
            id.into_iter().for_each(|id| note(id.place.address()));
        }
        Transfer::Along
        | Transfer::Return { .. }
        | Transfer::ThreadExit { .. }
        | Transfer::Exit { .. }
        | Transfer::AtomicBegin
        | Transfer::AtomicEnd
        | Transfer::Unknown => {}
    }
    if let Action::Allocate { size, .. } = action {
        note(size);
    }
    decisive
}

/// What a step of a thread does to a family. Where a value out of nothing may be an address, it is told as far as that
/// is a number if `are_numbers`; else that is not modelled.
pub fn tell(
    (builder, objects): (&mut Builder, &mut Objects),
    program: &Program,
    family: &Family,
    thread: ThreadIndex,
    (action, are_numbers): (&Action, bool),
) -> Option<Told> {
    let frame = family.state.frame(thread)?;
    let used = used(action);
    let mut splits = Splits::default();
    loop {
        let source = (&family.state, &*family.numbers);
        let mut before = Before::new(builder, program, source, (thread, frame), objects, &used);
        before.are_numbers = are_numbers;
        before.splits = splits;
        let (effect, handed) = run(builder, &mut before, program, action);
        if !before.splits.is_stale {
            let is_odd = before.is_odd || handed.is_none();
            return Some(Told { effect, handed: handed.unwrap_or(Handed::Nothing), is_odd });
        }
        splits = before.splits.anew();
    }
}

/// The effect of an action, and what it hands on; `None` if it cannot be said.
fn run<'p>(
    builder: &mut Builder,
    before: &mut Before<'_, 'p>,
    program: &'p Program,
    action: &Action,
) -> (Effect, Option<Handed>) {
    let into = |step: &mut effect::Step<'_, Before<'_, 'p>>, function: FunctionId, given: &[Expr]| {
        let values = arguments(step, function, given);
        if values.is_none() {
            let yes = step.builder().yes;
            trouble(step, yes, Trouble::Undefined(selvedge_program::Undefined::BadCall));
        }
        Some(Handed::Into(function, values.unwrap_or_default()))
    };
    match action.transfer() {
        Transfer::Call { callee, arguments, .. } => match callee {
            selvedge_program::Callee::Direct(function) => {
                Effect::run(builder, before, |step| into(step, *function, arguments))
            }
            selvedge_program::Callee::Indirect(_) => Effect::run(builder, before, |_| None),
        },
        Transfer::Spawn { entry, arguments, .. } => match entry {
            selvedge_program::Callee::Direct(function) => {
                let given = program.function(*function).started_with(arguments);
                Effect::run(builder, before, |step| into(step, *function, &given))
            }
            selvedge_program::Callee::Indirect(_) => Effect::run(builder, before, |_| None),
        },
        Transfer::ThreadExit { value: result } | Transfer::Return { value: Some(result) } => {
            Effect::run(builder, before, |step| Some(Handed::Out(value(step, result))))
        }
        Transfer::Along
        | Transfer::Exit { .. }
        | Transfer::Return { value: None }
        | Transfer::AtomicBegin
        | Transfer::AtomicEnd
        | Transfer::Unknown => (Effect::of(builder, before, action), Some(Handed::Nothing)),
    }
}

impl Told {
    /// The conditions that decide how the step ends.
    pub fn conditions(&self) -> Vec<Term> {
        let Effect { enabled, blocked, troubles, violations, touched, .. } = &self.effect;
        let mut conditions = vec![*enabled, *blocked];
        conditions.extend(troubles.iter().map(|(when, _)| *when));
        conditions.extend(violations.iter().map(|(when, _)| *when));
        conditions.extend(touched.iter().map(|touched| touched.when));
        conditions
    }

    /// All that is assigned and handed on.
    pub fn words(&self) -> Vec<Word> {
        let mut words: Vec<Word> = Vec::new();
        let mut add = |value: &Value| match value {
            Value::Word(word) => words.push(*word),
            Value::Pieces(pieces) => words.extend(pieces.iter().map(|(_, word)| *word)),
        };
        self.effect.registers.values().for_each(&mut add);
        match &self.handed {
            Handed::Nothing => {}
            Handed::Into(_, values) => values.iter().for_each(&mut add),
            Handed::Out(value) => add(value),
        }
        words.extend(self.effect.cells.values());
        words
    }

    /// Words of which it depends whether they are pointers, and to what: what is not a number whatever happens.
    pub fn loose(&self, builder: &Builder) -> Vec<Word> {
        let is_loose = |word: &Word| match builder.constant(word.tag) {
            Some(tag) if tag < u128::from(Tag::FIRST.0) => false,
            Some(_) => builder.constant(word.bits).is_none(),
            None => true,
        };
        self.words().into_iter().filter(is_loose).collect()
    }

    /// Whether objects that the step may end are alive afterwards, where that depends.
    pub fn lives(&self, builder: &Builder) -> Vec<Term> {
        let cells = self.effect.cells.iter().filter(|(cell, _)| matches!(cell, CellKey::Alive(_)));
        cells.map(|(_, word)| word.bits).filter(|bits| builder.constant(*bits).is_none()).collect()
    }

    /// The answers that the step gives to its questions under an assignment; `None` if one is no value.
    pub fn answers(&self, terms: &Terms, objects: &Objects, sample: &Assignment) -> Option<Vec<Concrete>> {
        let value = |term: Term| terms.evaluate(term, sample).ok();
        let mut answers = Vec::new();
        for (asked, word) in &self.effect.chosen {
            if value(*asked)?.is_true() {
                let bits = value(word.bits)?.unsigned();
                answers.push(match Tag(value(word.tag)?.unsigned() as u32) {
                    Tag::NUMBER => Concrete::bits(terms.sort(word.bits).width(), bits),
                    Tag::INDETERMINATE => return None,
                    tag => Concrete::Pointer(Pointer { object: objects.instance(tag)?, offset: bits as u64 }),
                });
            }
        }
        Some(answers)
    }

    /// What the step may access, each under a condition; `None` if that is no part of a state.
    pub fn accesses(
        &self,
        objects: &Objects,
        (thread, edge): (ThreadIndex, EdgeId),
        in_section: bool,
    ) -> Option<Vec<(PendingAccess, Term)>> {
        let mut accesses = Vec::new();
        for touched in &self.effect.touched {
            let spot = match touched.cell {
                CellKey::Bytes { object, start, size } => {
                    Spot::Bytes { object: objects.instance(object)?, offset: start, size: u64::from(size) }
                }
                CellKey::Ghost { object, offset, field } => {
                    let object = match object {
                        Tag::NUMBER => None,
                        object => Some(objects.instance(object)?),
                    };
                    Spot::Ghost(GhostKey { object, offset, field })
                }
                // That the life of what is accessed has not ended goes with the access.
                CellKey::Alive(_) if touched.mode.kind == AccessKind::Read => continue,
                CellKey::Alive(object) => Spot::Whole(objects.instance(object)?),
                CellKey::Size(_)
                | CellKey::Array(_)
                | CellKey::Changer { .. }
                | CellKey::Tally { .. }
                | CellKey::Note(..)
                | CellKey::Unjoined => return None,
            };
            let atomicity = if in_section { Atomicity::SEQUENTIAL } else { touched.mode.atomicity };
            let access = PendingAccess { thread, edge, spot, kind: touched.mode.kind, atomicity };
            accesses.push((access, touched.when));
        }
        Some(accesses)
    }

    /// The numbers of a family that the step depends on.
    pub fn inputs(&self, family: &Family, objects: &Objects, thread: ThreadIndex, action: &Action) -> Vec<Slot> {
        let mut slots = family.used_slots(thread, &used(action));
        for (access, _) in self.accesses(objects, (thread, EdgeId(0)), false).unwrap_or_default() {
            slots.extend(family.numbers.slots_in(access.spot));
        }
        slots.dedup();
        slots
    }
}
