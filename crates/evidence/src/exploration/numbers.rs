//! Which numbers of a state are terms: registers, stretches of bytes, ghost fields. Pointers never are, nor is control;
//! what is not named here is what it is in the state itself.

use selvedge_logic::{Assignment, Term, Terms};
use selvedge_program::semantics::{Byte, GhostKey, Instance, Spot, State, Value};
use selvedge_program::{Bits, Program, RegisterId, ThreadIndex};
use selvedge_symbolic::GHOST_WIDTH;
use std::collections::BTreeMap;
use std::rc::Rc;

/// What a register holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Held {
    /// A number.
    Whole(Term),
    /// Bytes that are only moved, some of which are numbers: from which byte on, how many, and which number.
    Parts(Rc<[(u32, u32, Term)]>),
}

/// A register of an activation, counted from the first one of the thread.
pub type Owned = (ThreadIndex, usize, RegisterId);

/// The numbers that are terms.
#[derive(Clone, Debug, Default)]
pub struct Numbers {
    pub registers: BTreeMap<Owned, Held>,
    /// By object and first byte: how many bytes, and their number. They do not overlap.
    pub bytes: BTreeMap<(Instance, u64), (u32, Term)>,
    /// In the width of ghost fields.
    pub ghosts: BTreeMap<GhostKey, Term>,
}

/// One of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    Register(Owned),
    Bytes(Instance, u64),
    Ghost(GhostKey),
}

impl Numbers {
    pub fn is_empty(&self) -> bool {
        self.count() == 0
    }

    pub fn count(&self) -> usize {
        self.registers.len() + self.bytes.len() + self.ghosts.len()
    }

    /// All terms, in an order that depends on nothing else.
    pub fn terms(&self) -> Vec<Term> {
        let mut terms = Vec::new();
        for held in self.registers.values() {
            match held {
                Held::Whole(term) => terms.push(*term),
                Held::Parts(parts) => terms.extend(parts.iter().map(|(.., term)| *term)),
            }
        }
        terms.extend(self.bytes.values().map(|(_, term)| *term));
        terms.extend(self.ghosts.values().copied());
        terms
    }

    /// The terms of one of them.
    pub fn terms_of(&self, slot: Slot) -> Vec<Term> {
        match slot {
            Slot::Register(register) => match self.registers.get(&register) {
                Some(Held::Whole(term)) => vec![*term],
                Some(Held::Parts(parts)) => parts.iter().map(|(.., term)| *term).collect(),
                None => Vec::new(),
            },
            Slot::Bytes(object, start) => self.bytes.get(&(object, start)).map(|(_, term)| *term).into_iter().collect(),
            Slot::Ghost(key) => self.ghosts.get(&key).copied().into_iter().collect(),
        }
    }

    /// From now on it is what it is in the state.
    pub fn remove(&mut self, slot: Slot) {
        match slot {
            Slot::Register(register) => drop(self.registers.remove(&register)),
            Slot::Bytes(object, start) => drop(self.bytes.remove(&(object, start))),
            Slot::Ghost(key) => drop(self.ghosts.remove(&key)),
        }
    }

    /// Replaces all terms; what is a constant then is what it is in the state.
    pub fn map(&mut self, terms: &mut Terms, change: &mut dyn FnMut(&mut Terms, Term) -> Term) {
        let mut changed = |term: Term| Some(change(terms, term)).filter(|term| terms.constant_value(*term).is_none());
        self.registers = std::mem::take(&mut self.registers)
            .into_iter()
            .filter_map(|(register, held)| {
                let held = match held {
                    Held::Whole(term) => Held::Whole(changed(term)?),
                    Held::Parts(parts) => {
                        let part = |(at, size, term): &(u32, u32, Term)| Some((*at, *size, changed(*term)?));
                        let parts: Rc<[_]> = parts.iter().filter_map(part).collect();
                        (!parts.is_empty()).then_some(Held::Parts(parts))?
                    }
                };
                Some((register, held))
            })
            .collect();
        let bytes = std::mem::take(&mut self.bytes).into_iter();
        self.bytes = bytes.filter_map(|(at, (size, term))| Some((at, (size, changed(term)?)))).collect();
        let ghosts = std::mem::take(&mut self.ghosts).into_iter();
        self.ghosts = ghosts.filter_map(|(key, term)| Some((key, changed(term)?))).collect();
    }

    /// Those of an object's bytes that overlap a stretch: where they begin.
    pub fn overlapping(&self, object: Instance, start: u64, end: u64) -> Vec<(u64, u32, Term)> {
        // None is longer than the widest register.
        let first = start.saturating_sub(16);
        let near = self.bytes.range((object, first)..(object, end));
        let overlaps = |((_, at), (size, _)): &(&(Instance, u64), &(u32, Term))| at + u64::from(*size) > start;
        near.filter(overlaps).map(|((_, at), (size, term))| (*at, *size, *term)).collect()
    }

    /// Those that a spot has something of.
    pub fn slots_in(&self, spot: Spot) -> Vec<Slot> {
        match spot {
            Spot::Bytes { object, offset, size } => {
                let found = self.overlapping(object, offset, offset + size);
                found.into_iter().map(|(at, ..)| Slot::Bytes(object, at)).collect()
            }
            Spot::Ghost(key) => self.ghosts.contains_key(&key).then_some(Slot::Ghost(key)).into_iter().collect(),
            // Its end says nothing of what was in it.
            Spot::Whole(_) => Vec::new(),
        }
    }

    /// Some bytes of an object have been overwritten: what sticks out on either side of them stays.
    pub fn cut(&mut self, terms: &mut Terms, object: Instance, start: u64, end: u64) {
        for (at, size, term) in self.overlapping(object, start, end) {
            self.bytes.remove(&(object, at));
            let until = at + u64::from(size);
            let mut keep = |from: u64, to: u64| {
                if from < to {
                    let (low, high) = ((from - at) as u32 * 8, (to - at) as u32 * 8 - 1);
                    let part = terms.extract(high, low, term);
                    if terms.constant_value(part).is_none() {
                        self.bytes.insert((object, from), ((to - from) as u32, part));
                    }
                }
            };
            keep(at, start.min(until));
            keep(end.max(at), until);
        }
    }

    /// The number of some bytes, all of which are in one of them.
    pub fn number_of(&self, terms: &mut Terms, object: Instance, start: u64, size: u32) -> Option<Term> {
        let [(at, length, term)] = self.overlapping(object, start, start + u64::from(size))[..] else { return None };
        let is_within = at <= start && start + u64::from(size) <= at + u64::from(length);
        let low = (start.wrapping_sub(at)) as u32 * 8;
        is_within.then(|| terms.extract(low + size * 8 - 1, low, term))
    }

    /// Forgets what is not there any more. Whether there was such a thing.
    pub fn forget_dead(&mut self, state: &State, is_live: &dyn Fn(&State, Owned) -> bool) -> bool {
        let before = self.count();
        self.registers.retain(|register, _| is_live(state, *register));
        self.bytes.retain(|(object, _), _| state.memory().block(*object).is_some());
        self.ghosts.retain(|key, _| match key.object {
            None | Some(Instance::Thread(_)) => true,
            Some(object) => state.memory().block(object).is_some(),
        });
        before != self.count()
    }

    /// Makes a state hold the values that an assignment gives to the terms. `None` if it has no room for them.
    pub fn instantiate(&self, program: &Program, state: &mut State, terms: &Terms, sample: &Assignment) -> Option<()> {
        let value = |term: Term| terms.evaluate(term, sample).ok().map(|value| value.unsigned());
        for ((thread, activation, register), held) in &self.registers {
            let frame = state.thread(*thread)?.frames.get(*activation)?;
            let width = program.function(frame.function).register(*register).width;
            let now = frame.registers.get(register.index())?.as_ref()?;
            let new = match held {
                Held::Whole(term) => Value::bits(width, value(*term)?),
                Held::Parts(parts) => {
                    let mut bytes: Vec<Byte> = match now {
                        Value::Bits(bits) => bits.to_bytes().map(Byte::Known).collect(),
                        Value::Raw(bytes) => bytes.to_vec(),
                        Value::Pointer(_) => return None,
                    };
                    for (at, size, term) in parts.iter() {
                        let number = value(*term)?;
                        for (place, byte) in bytes.get_mut(*at as usize..(at + size) as usize)?.iter_mut().enumerate() {
                            *byte = Byte::Known((number >> (8 * place)) as u8);
                        }
                    }
                    from_bytes(bytes)
                }
            };
            if *now != new {
                state.suppose_register(*thread, *activation, *register, new).then_some(())?;
            }
        }
        for ((object, start), (size, term)) in &self.bytes {
            let new = Bits::new(size * 8, value(*term)?);
            if number_at(state, *object, *start, *size) != Some(new.unsigned()) {
                state.suppose_bytes(*object, *start, new).then_some(())?;
            }
        }
        for (key, term) in &self.ghosts {
            state.suppose(*key, Value::bits(GHOST_WIDTH, value(*term)?));
        }
        Some(())
    }

    /// Whether a state holds the values that an assignment gives to the terms.
    pub fn are_in(&self, program: &Program, state: &State, terms: &Terms, sample: &Assignment) -> bool {
        let mut same = state.clone();
        let is_fine = self.instantiate(program, &mut same, terms, sample).is_some();
        let has_ghost = |key: &GhostKey| {
            let number = |state: &State| match state.ghost(*key) {
                None => Some(0),
                Some(value) => value.as_bits().map(Bits::unsigned),
            };
            number(state).is_some() && number(state) == number(&same)
        };
        let has_register = |(thread, activation, register): &Owned| {
            let value = |state: &State| -> Option<Value> {
                state.thread(*thread)?.frames.get(*activation)?.registers.get(register.index())?.clone()
            };
            value(state) == value(&same)
        };
        is_fine
            && self.registers.keys().all(has_register)
            && self.ghosts.keys().all(has_ghost)
            && self.bytes.iter().all(|((object, start), (size, _))| {
                let number = number_at(state, *object, *start, *size);
                number.is_some() && number == number_at(&same, *object, *start, *size)
            })
    }
}

/// The number that some bytes are in a state, if they are one.
fn number_at(state: &State, object: Instance, start: u64, size: u32) -> Option<u128> {
    let contents = &state.memory().block(object)?.contents;
    let mut bytes = Vec::with_capacity(size as usize);
    for at in start..start + u64::from(size) {
        match contents.byte(at) {
            Byte::Known(byte) => bytes.push(byte),
            Byte::Part(..) | Byte::Indeterminate => return None,
        }
    }
    Some(Bits::from_bytes(&bytes).unsigned())
}

/// The value that bytes are in a register.
fn from_bytes(bytes: Vec<Byte>) -> Value {
    let known = |byte: &Byte| match byte {
        Byte::Known(byte) => Some(*byte),
        Byte::Part(..) | Byte::Indeterminate => None,
    };
    match bytes.iter().map(known).collect::<Option<Vec<u8>>>() {
        Some(known) => Value::Bits(Bits::from_bytes(&known)),
        None => Value::Raw(bytes.into()),
    }
}
