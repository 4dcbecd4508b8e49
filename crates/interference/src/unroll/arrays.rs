//! Objects with an access that may mean too many places to list them, as long as no two threads get in each other's way there: an
//! array is what was written to it, at offsets that are terms, and a read looks through the writes from the last to the first. So an
//! access costs as much as there are writes before it, however large the object is.
//!
//! A read is taken apart into units that divide its size and alignment, and those of all writes that it may overlap: two units are the
//! same or disjoint. Accesses to different members of the structs of an array are known never to overlap.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;
use selvedge_logic::{Result, Term};

use super::cells::CellKey;
use super::eval::Trouble;
use super::objects::{Object, Tag};
use super::state::State;
use super::value::Sym;
use super::walk::Walker;
use crate::skeleton::Word;

/// The contents of an array at some moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ArrayId(u32);

impl ArrayId {
    /// What an object holds before anything is written to it.
    pub const INITIAL: ArrayId = ArrayId(0);
}

/// Some bytes of an array.
#[derive(Clone, Copy, Debug)]
pub struct Stretch {
    pub offset: Term,
    pub size: u32,
    pub residue: Residue,
}

/// What is known of an offset as a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Residue {
    Exactly(u64),
    /// It leaves this rest when divided by the modulus.
    Modulo {
        modulus: u64,
        rest: u64,
    },
}

impl Residue {
    fn plus(self, bytes: u64) -> Residue {
        match self {
            Residue::Exactly(offset) => Residue::Exactly(offset.wrapping_add(bytes)),
            Residue::Modulo { modulus, rest } => Residue::Modulo { modulus, rest: (rest + bytes) % modulus },
        }
    }

    /// The power of two of which it is a multiple.
    fn grain(self) -> u32 {
        match self {
            Residue::Exactly(offset) => offset.trailing_zeros(),
            Residue::Modulo { modulus, rest } => (modulus | rest).trailing_zeros(),
        }
    }
}

impl Stretch {
    /// The power of two that divides its size and its offset.
    fn grain(self) -> u32 {
        self.residue.grain().min(self.size.trailing_zeros())
    }

    /// Whether the two are known to have no byte in common.
    fn is_apart(self, other: Stretch) -> bool {
        let (one, two) = (u64::from(self.size), u64::from(other.size));
        match (self.residue, other.residue) {
            (Residue::Exactly(a), Residue::Exactly(b)) => a + one <= b || b + two <= a,
            (Residue::Modulo { modulus, rest: a }, Residue::Modulo { modulus: same, rest: b }) if modulus == same => {
                are_apart(modulus, (a, one), (b, two))
            }
            (Residue::Modulo { modulus, rest }, Residue::Exactly(offset)) => {
                are_apart(modulus, (rest, one), (offset % modulus, two))
            }
            (Residue::Exactly(offset), Residue::Modulo { modulus, rest }) => {
                are_apart(modulus, (offset % modulus, one), (rest, two))
            }
            _ => false,
        }
    }
}

/// Whether stretches with these starts and sizes never overlap, wherever they begin anew after so many bytes.
fn are_apart(modulus: u64, (a, size): (u64, u64), (b, other): (u64, u64)) -> bool {
    let from_a = (b + modulus - a) % modulus;
    size <= from_a && from_a + other <= modulus
}

#[derive(Clone, Copy, Debug)]
enum Array {
    Initial,
    Written { before: ArrayId, when: Term, at: Stretch, word: Word },
    Either { condition: Term, then: ArrayId, otherwise: ArrayId },
}

/// The arrays of a round. Later ones are made of earlier ones.
#[derive(Debug)]
pub struct Arrays(Vec<Array>);

impl Default for Arrays {
    fn default() -> Self {
        Arrays(vec![Array::Initial])
    }
}

impl Arrays {
    fn add(&mut self, array: Array) -> ArrayId {
        let id = ArrayId(self.0.len() as u32);
        self.0.push(array);
        id
    }

    fn get(&self, id: ArrayId) -> Array {
        self.0[id.0 as usize]
    }

    /// One of two arrays.
    pub fn either(&mut self, condition: Term, then: ArrayId, otherwise: ArrayId) -> ArrayId {
        if then == otherwise {
            return then;
        }
        self.add(Array::Either { condition, then, otherwise })
    }

    /// What a read has to look at, the earliest first: not the writes that it cannot overlap, nor what another write hides.
    fn before(&self, array: ArrayId, read: Stretch, yes: Term) -> BTreeSet<ArrayId> {
        let mut needed = BTreeSet::new();
        let mut pending = vec![self.skip(array, read)];
        while let Some(id) = pending.pop() {
            if !needed.insert(id) {
                continue;
            }
            match self.get(id) {
                Array::Initial => {}
                Array::Either { then, otherwise, .. } => {
                    pending.extend([self.skip(then, read), self.skip(otherwise, read)]);
                }
                Array::Written { before, when, at, .. } => {
                    let hides = when == yes && at.offset == read.offset && at.size >= read.size;
                    pending.extend((!hides).then(|| self.skip(before, read)));
                }
            }
        }
        needed
    }

    /// The last write that a read may overlap, or where two ways meet.
    fn skip(&self, array: ArrayId, read: Stretch) -> ArrayId {
        let mut id = array;
        while let Array::Written { before, at, .. } = self.get(id)
            && at.is_apart(read)
        {
            id = before;
        }
        id
    }
}

/// Whether a read settles what is indeterminate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// Bytes are only moved.
    Move,
    /// A value is looked at, and stays what it turns out to be.
    Look,
}

/// With more initial values than this, an index into them is not modelled.
const MOST_INITIAL_VALUES: usize = 4096;

/// A unit of an object, and when it is meant.
#[derive(Clone, Copy)]
struct Unit {
    object: Tag,
    at: Stretch,
    when: Term,
}

impl Walker<'_, '_> {
    /// The pieces of some bytes of an array.
    pub(super) fn load_array(
        &mut self,
        state: &mut State,
        object: Tag,
        at: Stretch,
        when: Term,
        reading: Reading,
    ) -> Result<Vec<(u32, Word)>> {
        let key = CellKey::Array(object);
        self.unroller.knowledge.reads(key, self.round.line);
        let array = state.array(object);
        let overlapped = self.round.arrays.before(array, at, self.round.builder.yes);
        let grains = overlapped.into_iter().filter_map(|id| match self.round.arrays.get(id) {
            Array::Written { at, .. } => Some(at.grain()),
            Array::Initial | Array::Either { .. } => None,
        });
        let size = 1 << grains.min().unwrap_or(u32::BITS).min(at.grain());
        let mut pieces = Vec::new();
        for from in (0..at.size).step_by(size as usize) {
            let offset = self.moved_by(at.offset, from);
            let at = Stretch { offset, size, residue: at.residue.plus(u64::from(from)) };
            let word = self.look_up(array, Unit { object, at, when })?;
            pieces.push((size, word));
            let open = self.round.builder.has_tag(word, Tag::INDETERMINATE);
            if reading == Reading::Look && !self.round.builder.is(open, false) {
                let settled = self.round.builder.plain(word.bits);
                let when = self.round.builder.and(when, open);
                self.write_array(state, object, at, when, settled);
            }
        }
        Ok(pieces)
    }

    /// Stores a value in an array.
    pub(super) fn store_array(&mut self, state: &mut State, object: Tag, at: Stretch, when: Term, value: &Sym) {
        match value {
            Sym::Word(word) => self.write_array(state, object, at, when, *word),
            Sym::Pieces(pieces) => {
                let mut from: u32 = 0;
                for (size, word) in pieces.iter() {
                    let offset = self.moved_by(at.offset, from);
                    let residue = at.residue.plus(u64::from(from));
                    self.write_array(state, object, Stretch { offset, size: *size, residue }, when, *word);
                    from += size;
                }
            }
        }
    }

    fn write_array(&mut self, state: &mut State, object: Tag, at: Stretch, when: Term, word: Word) {
        let rank = self.round.next_rank();
        self.unroller.knowledge.writes(CellKey::Array(object), self.round.line, rank, &[], None);
        let array = self.round.arrays.add(Array::Written { before: state.array(object), when, at, word });
        state.set_array(object, array);
    }

    /// The array becomes what it was initially.
    pub(super) fn clear_array(&mut self, state: &mut State, object: Tag) {
        let rank = self.round.next_rank();
        self.unroller.knowledge.writes(CellKey::Array(object), self.round.line, rank, &[], None);
        state.set_array(object, ArrayId::INITIAL);
    }

    fn moved_by(&mut self, offset: Term, bytes: u32) -> selvedge_logic::Term {
        let width = self.round.builder.width(offset);
        let bytes = self.round.builder.terms.bits(width, u128::from(bytes));
        self.round.builder.terms.add(offset, bytes)
    }

    /// What a unit of an array holds.
    fn look_up(&mut self, array: ArrayId, unit: Unit) -> Result<Word> {
        let mut values: FxHashMap<ArrayId, Word> = FxHashMap::default();
        for id in self.round.arrays.before(array, unit.at, self.round.builder.yes) {
            let value = match self.round.arrays.get(id) {
                Array::Initial => self.initial_unit(unit)?,
                Array::Either { condition, then, otherwise } => {
                    let then = values[&self.round.arrays.skip(then, unit.at)];
                    let otherwise = values[&self.round.arrays.skip(otherwise, unit.at)];
                    self.round.builder.choose(condition, then, otherwise)
                }
                Array::Written { before, when, at, word } => {
                    let before = self.round.arrays.skip(before, unit.at);
                    let mut value = values.get(&before).copied();
                    for (hit, word) in self.hits(when, at, word, unit)? {
                        value = Some(match value {
                            Some(value) => self.round.builder.choose(hit, word, value),
                            None => word,
                        });
                    }
                    match value {
                        Some(value) => value,
                        None => self.initial_unit(unit)?,
                    }
                }
            };
            values.insert(id, value);
        }
        Ok(values[&self.round.arrays.skip(array, unit.at)])
    }

    /// When a write is of a unit, and what of it the unit then holds.
    fn hits(&mut self, when: Term, at: Stretch, word: Word, unit: Unit) -> Result<Vec<(Term, Word)>> {
        let mut found = Vec::new();
        for from in (0..at.size).step_by(unit.at.size as usize) {
            let offset = self.moved_by(at.offset, from);
            let same = self.round.builder.terms.equal(offset, unit.at.offset);
            let hit = self.round.builder.and(when, same);
            if self.round.builder.is(hit, false) {
                continue;
            }
            let wrong = self.round.builder.and(unit.when, hit);
            let part = self.under(wrong, |walker| Ok(walker.part(&Sym::Word(word), from, unit.at.size)))?;
            found.push((hit, part));
        }
        Ok(found)
    }

    /// What a unit of an object holds before anything is written to it.
    fn initial_unit(&mut self, unit: Unit) -> Result<Word> {
        let Unit { object, at: Stretch { offset, size, .. }, when } = unit;
        let first = self.initial(CellKey::Bytes { object, start: 0, size })?;
        if self.round.builder.constant(first.tag) == Some(u128::from(Tag::INDETERMINATE.0)) {
            return Ok(self.round.builder.fresh_indeterminate(size * 8));
        }
        if let Some(start) = self.round.builder.constant(offset) {
            return self.initial(CellKey::Bytes { object, start: start as u64, size });
        }
        let mut value = self.round.builder.number(size * 8, 0);
        let starts = self.initial_starts(object, u64::from(size));
        if starts.len() > MOST_INITIAL_VALUES {
            let what = format!("an index that may mean one of more than {MOST_INITIAL_VALUES} initial values");
            self.trouble(when, Trouble::Unsupported(what));
            return Ok(value);
        }
        let width = self.round.builder.width(offset);
        for start in starts {
            let here = self.round.builder.terms.bits(width, u128::from(start));
            let same = self.round.builder.terms.equal(offset, here);
            let word = self.initial(CellKey::Bytes { object, start, size })?;
            value = self.round.builder.choose(same, word, value);
        }
        Ok(value)
    }

    /// Where the units of an object begin that may not be zero initially.
    fn initial_starts(&self, object: Tag, size: u64) -> BTreeSet<u64> {
        let id = match self.unroller.objects.object(object) {
            Some(Object::Static(id) | Object::ThreadLocal(id, _)) => id,
            _ => return BTreeSet::new(),
        };
        let initial = self.unroller.program.object(id).initial.iter();
        let units = initial.flat_map(|initial| {
            let (from, to) = (initial.offset, initial.offset + u64::from(initial.size));
            (from - from % size..to).step_by(size as usize)
        });
        units.take(MOST_INITIAL_VALUES * 4).collect()
    }
}
