//! Objects with an access that may mean too many places to list them, as long as no two threads get in each other's way
//! there: an array is what was written to it, at offsets that are terms, and a read looks through the writes from the
//! last to the first. So an access costs as much as there are writes before it, however large the object is.
//!
//! A read is taken apart into units that divide its size and alignment, and those of all writes that it may overlap:
//! two units are the same or disjoint. Accesses to different members of the structs of an array are known never to
//! overlap.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;
use selvedge_logic::Term;
use selvedge_symbolic::access::part_of;
use selvedge_symbolic::{CellKey, Reading, Stretch, Tag, Trouble, Value, Word, trouble, under};

use super::objects::Object;
use super::run::Run;
use super::state::State;
use super::walk::Walker;

/// The contents of an array at some moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ArrayId(u32);

impl ArrayId {
    /// What an object holds before anything is written to it.
    pub const INITIAL: ArrayId = ArrayId(0);
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

    /// What a read has to look at, the earliest first: not the writes that it cannot overlap, nor what another write
    /// hides.
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
    /// The array becomes what it was initially.
    pub(super) fn clear_array(&mut self, state: &mut State, object: Tag) {
        let rank = self.round.next_rank();
        self.unroller.knowledge.writes(CellKey::Array(object), self.round.thread, rank, &[], None);
        state.set_array(object, ArrayId::INITIAL);
    }
}

impl Run<'_, '_, '_> {
    /// The pieces of some bytes of an array.
    pub(super) fn load_array(&mut self, object: Tag, at: Stretch, when: Term, reading: Reading) -> Vec<(u32, Word)> {
        let key = CellKey::Array(object);
        self.walker.unroller.knowledge.reads(key, self.walker.round.thread);
        let array = self.state.array(object);
        let overlapped = self.walker.round.arrays.before(array, at, self.walker.round.builder.yes);
        let grains = overlapped.into_iter().filter_map(|id| match self.walker.round.arrays.get(id) {
            Array::Written { at, .. } => Some(at.grain()),
            Array::Initial | Array::Either { .. } => None,
        });
        let size = 1 << grains.min().unwrap_or(u32::BITS).min(at.grain());
        let mut pieces = Vec::new();
        for from in (0..at.size).step_by(size as usize) {
            let offset = self.moved_by(at.offset, from);
            let at = Stretch { offset, size, residue: at.residue.plus(u64::from(from)) };
            let word = self.look_up(array, Unit { object, at, when });
            pieces.push((size, word));
            let open = self.walker.round.builder.has_tag(word, Tag::INDETERMINATE);
            if reading == Reading::Look && !self.walker.round.builder.is(open, false) {
                let settled = self.walker.round.builder.plain(word.bits);
                let when = self.walker.round.builder.and(when, open);
                self.write_array(object, at, when, settled);
            }
        }
        pieces
    }

    /// Stores a value in an array.
    pub(super) fn store_array(&mut self, object: Tag, at: Stretch, when: Term, value: &Value) {
        match value {
            Value::Word(word) => self.write_array(object, at, when, *word),
            Value::Pieces(pieces) => {
                let mut from: u32 = 0;
                for (size, word) in pieces.iter() {
                    let offset = self.moved_by(at.offset, from);
                    let residue = at.residue.plus(u64::from(from));
                    self.write_array(object, Stretch { offset, size: *size, residue }, when, *word);
                    from += size;
                }
            }
        }
    }

    fn write_array(&mut self, object: Tag, at: Stretch, when: Term, word: Word) {
        let rank = self.walker.round.next_rank();
        self.walker.unroller.knowledge.writes(CellKey::Array(object), self.walker.round.thread, rank, &[], None);
        let array = self.walker.round.arrays.add(Array::Written { before: self.state.array(object), when, at, word });
        self.state.set_array(object, array);
    }

    fn moved_by(&mut self, offset: Term, bytes: u32) -> Term {
        let width = self.walker.round.builder.width(offset);
        let bytes = self.walker.round.builder.terms.bits(width, u128::from(bytes));
        self.walker.round.builder.terms.add(offset, bytes)
    }

    /// What a unit of an array holds.
    fn look_up(&mut self, array: ArrayId, unit: Unit) -> Word {
        let mut values: FxHashMap<ArrayId, Word> = FxHashMap::default();
        for id in self.walker.round.arrays.before(array, unit.at, self.walker.round.builder.yes) {
            let value = match self.walker.round.arrays.get(id) {
                Array::Initial => self.initial_unit(unit),
                Array::Either { condition, then, otherwise } => {
                    let then = values[&self.walker.round.arrays.skip(then, unit.at)];
                    let otherwise = values[&self.walker.round.arrays.skip(otherwise, unit.at)];
                    self.walker.round.builder.choose(condition, then, otherwise)
                }
                Array::Written { before, when, at, word } => {
                    let before = self.walker.round.arrays.skip(before, unit.at);
                    let mut value = values.get(&before).copied();
                    for (hit, word) in self.hits(when, at, word, unit) {
                        value = Some(match value {
                            Some(value) => self.walker.round.builder.choose(hit, word, value),
                            None => word,
                        });
                    }
                    match value {
                        Some(value) => value,
                        None => self.initial_unit(unit),
                    }
                }
            };
            values.insert(id, value);
        }
        values[&self.walker.round.arrays.skip(array, unit.at)]
    }

    /// When a write is of a unit, and what of it the unit then holds.
    fn hits(&mut self, when: Term, at: Stretch, word: Word, unit: Unit) -> Vec<(Term, Word)> {
        let mut found = Vec::new();
        for from in (0..at.size).step_by(unit.at.size as usize) {
            let offset = self.moved_by(at.offset, from);
            let same = self.walker.round.builder.terms.equal(offset, unit.at.offset);
            let hit = self.walker.round.builder.and(when, same);
            if self.walker.round.builder.is(hit, false) {
                continue;
            }
            let wrong = self.walker.round.builder.and(unit.when, hit);
            let part = under(self, wrong, |run| part_of(run, &Value::Word(word), from, unit.at.size));
            found.push((hit, part));
        }
        found
    }

    /// What a unit of an object holds before anything is written to it.
    fn initial_unit(&mut self, unit: Unit) -> Word {
        let Unit { object, at: Stretch { offset, size, .. }, when } = unit;
        let first = self.walker.initial(CellKey::Bytes { object, start: 0, size });
        if self.walker.round.builder.constant(first.tag) == Some(u128::from(Tag::INDETERMINATE.0)) {
            return self.walker.round.builder.fresh_indeterminate(size * 8);
        }
        if let Some(start) = self.walker.round.builder.constant(offset) {
            return self.walker.initial(CellKey::Bytes { object, start: start as u64, size });
        }
        let mut value = self.walker.round.builder.number(size * 8, 0);
        let starts = self.initial_starts(object, u64::from(size));
        if starts.len() > MOST_INITIAL_VALUES {
            let what = format!("an index that may mean one of more than {MOST_INITIAL_VALUES} initial values");
            trouble(self, when, Trouble::Unsupported(what));
            return value;
        }
        let width = self.walker.round.builder.width(offset);
        for start in starts {
            let here = self.walker.round.builder.terms.bits(width, u128::from(start));
            let same = self.walker.round.builder.terms.equal(offset, here);
            let word = self.walker.initial(CellKey::Bytes { object, start, size });
            value = self.walker.round.builder.choose(same, word, value);
        }
        value
    }

    /// Where the units of an object begin that may not be zero initially.
    fn initial_starts(&self, object: Tag, size: u64) -> BTreeSet<u64> {
        let id = match self.walker.unroller.objects.object(object) {
            Some(Object::Static(id) | Object::ThreadLocal(id, _)) => id,
            _ => return BTreeSet::new(),
        };
        let initial = self.walker.unroller.program.object(id).initial.iter();
        let units = initial.flat_map(|initial| {
            let (from, to) = (initial.offset, initial.offset + u64::from(initial.size));
            (from - from % size..to).step_by(size as usize)
        });
        units.take(MOST_INITIAL_VALUES * 4).collect()
    }
}
