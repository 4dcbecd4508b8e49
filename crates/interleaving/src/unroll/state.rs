//! The state of a thread at a place of its unrolling: what registers and private cells hold, under a path condition.
//! States that meet are joined, with if-then-else where they differ.

use std::collections::BTreeMap;
use std::rc::Rc;

use selvedge_logic::Term;
use selvedge_program::live::Live;
use selvedge_program::{EdgeId, FunctionId, LocationId, RegisterId};
use selvedge_symbolic::{Builder, CellKey, Tag, Value, Word};

use super::arrays::{ArrayId, Arrays};
use super::nesting::LoopNumber;
use super::objects::PlaceId;
use crate::skeleton::EventId;

/// How the exits of a loop looked in one iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exits {
    /// None was met.
    Unseen,
    /// All that were met were known not to be taken: the loop counts, and needs no bound.
    Shut,
    /// One may have been taken.
    Open,
}

/// An iteration of a loop that is under way.
#[derive(Clone, Debug)]
pub struct Turn {
    pub number: LoopNumber,
    /// Which iteration, for the order of places.
    pub iteration: u32,
    /// How many of the bound it has used.
    pub unwound: u32,
    pub exits: Exits,
    /// The state in which the iteration began.
    pub start: Option<Rc<State>>,
}

/// An activation of a function.
#[derive(Clone, Debug)]
pub struct Activation {
    pub function: FunctionId,
    /// Which activation: names its locals.
    pub place: PlaceId,
    pub location: LocationId,
    pub turns: Vec<Turn>,
    pub registers: Vec<Option<Value>>,
    /// While it waits for a call: the calling edge, and the register that takes the result.
    pub calling: Option<(EdgeId, Option<RegisterId>)>,
    /// What it has allocated for as long as it lives.
    pub allocated: Vec<Tag>,
}

/// Writes that other threads can see, newest first: to tell whether an iteration had any effect.
#[derive(Debug)]
pub struct Effect {
    pub when: Term,
    pub before: Option<Rc<Effect>>,
}

/// An atomic section that is under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Section {
    pub event: EventId,
    /// Where it was begun.
    pub begun: PlaceId,
    pub depth: u32,
}

/// Private cells by object.
pub type Memory = Rc<BTreeMap<Tag, Rc<BTreeMap<CellKey, Word>>>>;

/// Arrays by object; those that are not there hold what they hold initially.
pub type ArrayMemory = Rc<BTreeMap<Tag, ArrayId>>;

/// The state of a thread.
#[derive(Clone, Debug)]
pub struct State {
    pub guard: Term,
    pub activations: Vec<Rc<Activation>>,
    pub memory: Memory,
    /// What objects hold that are treated as arrays.
    pub arrays: ArrayMemory,
    pub section: Option<Section>,
    pub effects: Option<Rc<Effect>>,
}

impl State {
    pub fn top(&self) -> Option<&Activation> {
        self.activations.last().map(|activation| &**activation)
    }

    pub fn top_mut(&mut self) -> Option<&mut Activation> {
        self.activations.last_mut().map(Rc::make_mut)
    }

    pub fn cell(&self, key: CellKey) -> Option<Word> {
        self.memory.get(&key.object())?.get(&key).copied()
    }

    pub fn set_cell(&mut self, key: CellKey, word: Word) {
        let object = Rc::make_mut(&mut self.memory).entry(key.object()).or_default();
        Rc::make_mut(object).insert(key, word);
    }

    pub fn array(&self, object: Tag) -> ArrayId {
        self.arrays.get(&object).copied().unwrap_or(ArrayId::INITIAL)
    }

    pub fn set_array(&mut self, object: Tag, array: ArrayId) {
        Rc::make_mut(&mut self.arrays).insert(object, array);
    }

    pub fn assign(&mut self, register: RegisterId, value: Value) {
        if let Some(activation) = self.top_mut()
            && let Some(place) = activation.registers.get_mut(register.index())
        {
            *place = Some(value);
        }
    }

    pub fn add_effect(&mut self, when: Term) {
        self.effects = Some(Rc::new(Effect { when, before: self.effects.take() }));
    }

    /// Joins a state of the same place. `None` for cells of `initial` means what they hold initially.
    pub fn join(
        mut self,
        other: State,
        builder: &mut Builder,
        arrays: &mut Arrays,
        live: &dyn Fn(FunctionId) -> Rc<Live>,
        initial: &mut dyn FnMut(&mut Builder, CellKey) -> Word,
    ) -> State {
        let mine = self.guard;
        let guard = builder.or(self.guard, other.guard);
        for (a, b) in self.activations.iter_mut().zip(&other.activations) {
            if !Rc::ptr_eq(a, b) {
                let live = live(a.function);
                join_activation(Rc::make_mut(a), b, mine, builder, &live);
            }
        }
        if !Rc::ptr_eq(&self.memory, &other.memory) {
            self.memory = join_memory(&self.memory, &other.memory, mine, builder, initial);
        }
        if !Rc::ptr_eq(&self.arrays, &other.arrays) {
            let objects: Vec<Tag> = self.arrays.keys().chain(other.arrays.keys()).copied().collect();
            for object in objects {
                let joined = arrays.either(mine, self.array(object), other.array(object));
                self.set_array(object, joined);
            }
        }
        let same_effects = match (&self.effects, &other.effects) {
            (None, None) => true,
            (Some(a), Some(b)) => Rc::ptr_eq(a, b),
            _ => false,
        };
        if !same_effects {
            self.effects = Some(Rc::new(Effect { when: builder.yes, before: None }));
        }
        self.guard = guard;
        self
    }
}

fn join_activation(a: &mut Activation, b: &Activation, mine: Term, builder: &mut Builder, live: &Live) {
    // While a call is under way the register of its result is about to be assigned; treating it as live is harmless.
    let mut joined = vec![None; a.registers.len()];
    for &register in live.at(a.location) {
        let place = register.index();
        if let (Some(Some(x)), Some(Some(y))) = (a.registers.get(place), b.registers.get(place)) {
            joined[place] = builder.choose_value(mine, x, y);
        }
    }
    if a.calling.is_some() {
        for (place, joined) in joined.iter_mut().enumerate().filter(|(_, joined)| joined.is_none()) {
            if let (Some(Some(x)), Some(Some(y))) = (a.registers.get(place), b.registers.get(place)) {
                *joined = builder.choose_value(mine, x, y);
            }
        }
    }
    a.registers = joined;
    for (turn, other) in a.turns.iter_mut().zip(&b.turns) {
        turn.unwound = turn.unwound.max(other.unwound);
        turn.exits = turn.exits.max(other.exits);
        let same = matches!((&turn.start, &other.start), (Some(x), Some(y)) if Rc::ptr_eq(x, y));
        if !same {
            turn.start = None;
        }
    }
    for tag in &b.allocated {
        if !a.allocated.contains(tag) {
            a.allocated.push(*tag);
        }
    }
}

fn join_memory(
    a: &Memory,
    b: &Memory,
    mine: Term,
    builder: &mut Builder,
    initial: &mut dyn FnMut(&mut Builder, CellKey) -> Word,
) -> Memory {
    let mut joined = (**a).clone();
    let empty = Rc::new(BTreeMap::new());
    let tags: Vec<Tag> = a.keys().chain(b.keys().filter(|tag| !a.contains_key(tag))).copied().collect();
    for tag in tags {
        let (x, y) = (a.get(&tag).unwrap_or(&empty), b.get(&tag).unwrap_or(&empty));
        if Rc::ptr_eq(x, y) {
            continue;
        }
        let mut cells = (**x).clone();
        let keys: Vec<CellKey> = x.keys().chain(y.keys().filter(|key| !x.contains_key(key))).copied().collect();
        for key in keys {
            let (in_a, in_b) = (x.get(&key).copied(), y.get(&key).copied());
            if in_a == in_b {
                continue;
            }
            let in_a = in_a.unwrap_or_else(|| initial(builder, key));
            let in_b = in_b.unwrap_or_else(|| initial(builder, key));
            cells.insert(key, builder.choose(mine, in_a, in_b));
        }
        joined.insert(tag, Rc::new(cells));
    }
    Rc::new(joined)
}
