//! Memory as a thread that is alone sees it: what an object held at first, and what was written to it since, at offsets
//! that are terms. A read looks through the writes from the last to the first, so that an access costs as much as there
//! are writes before it, however large the object is.
//!
//! A read is taken apart where a write that it may overlap may begin or end. Then a write covers such a piece or has
//! nothing in common with it.

use selvedge_logic::Term;
use selvedge_program::{ObjectId, Program};
use selvedge_symbolic::initial;
use selvedge_symbolic::{Builder, Names, Residue, Stretch, Tag, Word};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Into how many pieces a read may fall, and at how many places the initial value is another one than zero.
const MOST: usize = 512;

/// What an object holds at first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum First {
    Zero,
    Indeterminate,
    /// What the program gives it.
    Given(ObjectId),
}

/// Something was written.
#[derive(Clone, Copy, Debug)]
struct Write {
    at: Stretch,
    when: Term,
    word: Word,
}

/// The contents of an object.
#[derive(Clone, Debug)]
pub struct Contents {
    first: First,
    writes: Rc<Vec<Write>>,
}

/// What a read needs to know.
pub struct Reader<'a> {
    pub builder: &'a mut Builder,
    pub program: &'a Program,
    /// What addresses in initial values are called.
    pub names: &'a mut dyn Names,
    /// When what is read cannot be said.
    pub unknown: &'a mut Term,
}

impl std::fmt::Debug for Reader<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reader").field("unknown", &self.unknown).finish_non_exhaustive()
    }
}

impl Contents {
    pub fn new(first: First) -> Self {
        Contents { first, writes: Rc::default() }
    }

    /// How many writes are remembered.
    pub fn len(&self) -> usize {
        self.writes.len()
    }

    /// Writes a word somewhere, under a condition.
    pub fn write(&mut self, builder: &Builder, at: Stretch, when: Term, word: Word) {
        let writes = Rc::make_mut(&mut self.writes);
        if let (Residue::Exactly(start), true) = (at.residue, builder.is(when, true)) {
            // What it covers is gone.
            let end = start + u64::from(at.size);
            writes.retain(|write| match write.at.residue {
                Residue::Exactly(other) => other < start || end < other + u64::from(write.at.size),
                Residue::Modulo { .. } => true,
            });
        }
        writes.push(Write { at, when, word });
    }

    /// What is somewhere, in pieces, each with where it is; under the condition that it is read.
    pub fn read(&self, reader: &mut Reader<'_>, at: Stretch, when: Term) -> Vec<(Stretch, Word)> {
        let mut cuts = BTreeSet::from([0, at.size]);
        for write in self.writes.iter() {
            cut(&mut cuts, at, write.at);
        }
        if let First::Given(id) = self.first {
            let offset = at.offset;
            for value in &reader.program.object(id).initial {
                cut(&mut cuts, at, Stretch { offset, size: value.size, residue: Residue::Exactly(value.offset) });
            }
        }
        if cuts.len() > MOST {
            *reader.unknown = reader.builder.or(*reader.unknown, when);
            return vec![(at, reader.builder.fresh_indeterminate(at.size * 8))];
        }
        let ends = cuts.iter().skip(1);
        let pieces: Vec<(u32, u32)> = cuts.iter().zip(ends).map(|(start, end)| (*start, *end)).collect();
        let piece = |(start, end)| {
            let offset = moved(reader.builder, at.offset, start);
            let piece = Stretch { offset, size: end - start, residue: at.residue.plus(u64::from(start)) };
            (piece, self.piece(reader, piece, when))
        };
        pieces.into_iter().map(piece).collect()
    }

    /// What is in a piece that every write covers or leaves alone.
    fn piece(&self, reader: &mut Reader<'_>, at: Stretch, when: Term) -> Word {
        let mut covering: Vec<(Term, Word)> = Vec::new();
        let mut is_certain = false;
        'writes: for write in self.writes.iter().rev() {
            for from in places(at, write.at) {
                let offset = moved(reader.builder, write.at.offset, from);
                let same = reader.builder.terms.equal(at.offset, offset);
                let here = reader.builder.and(same, write.when);
                if reader.builder.is(here, false) {
                    continue;
                }
                let read = reader.builder.and(when, here);
                let word = part(reader, write.word, (from, at.size), read);
                covering.push((here, word));
                if reader.builder.is(here, true) {
                    is_certain = true;
                    break 'writes;
                }
            }
        }
        let mut word = match covering.last() {
            Some((_, word)) if is_certain => *word,
            _ => self.at_first(reader, at, when),
        };
        for (here, written) in covering.into_iter().rev() {
            word = reader.builder.choose(here, written, word);
        }
        word
    }

    /// What was in a piece before anything was written.
    fn at_first(&self, reader: &mut Reader<'_>, at: Stretch, when: Term) -> Word {
        let width = at.size * 8;
        let id = match self.first {
            First::Zero => return reader.builder.number(width, 0),
            First::Indeterminate => return reader.builder.fresh_indeterminate(width),
            First::Given(id) => id,
        };
        let mut word = reader.builder.number(width, 0);
        let mut starts = BTreeSet::new();
        for value in &reader.program.object(id).initial {
            let whole = Stretch { offset: at.offset, size: value.size, residue: Residue::Exactly(value.offset) };
            starts.extend(places(at, whole).map(|from| value.offset + u64::from(from)));
        }
        if starts.len() > MOST {
            *reader.unknown = reader.builder.or(*reader.unknown, when);
            return word;
        }
        for start in starts {
            let here = reader.builder.terms.bits(reader.builder.width(at.offset), u128::from(start));
            let here = reader.builder.terms.equal(at.offset, here);
            let given = initial::bytes(reader.builder, reader.names, reader.program, id, start, at.size);
            let given = given.unwrap_or_else(|| {
                let read = reader.builder.and(when, here);
                *reader.unknown = reader.builder.or(*reader.unknown, read);
                word
            });
            word = reader.builder.choose(here, given, word);
        }
        word
    }
}

/// An offset so many bytes further on.
fn moved(builder: &mut Builder, offset: Term, bytes: u32) -> Term {
    if bytes == 0 {
        return offset;
    }
    let bytes = builder.terms.bits(builder.width(offset), u128::from(bytes));
    builder.terms.add(offset, bytes)
}

/// Some bytes of a word.
fn part(reader: &mut Reader<'_>, word: Word, (from, size): (u32, u32), when: Term) -> Word {
    let builder = &mut *reader.builder;
    if from == 0 && builder.width(word.bits) == size * 8 {
        return word;
    }
    let bits = builder.terms.extract((from + size) * 8 - 1, from * 8, word.bits);
    let (open, number) = (builder.has_tag(word, Tag::INDETERMINATE), builder.has_tag(word, Tag::NUMBER));
    let known = builder.or(open, number);
    let unknown = builder.and_not(when, known);
    *reader.unknown = builder.or(*reader.unknown, unknown);
    let (plain, any) = (builder.plain(bits), builder.indeterminate(bits));
    builder.choose(open, any, plain)
}

/// How far apart the offsets of two stretches are: so much, or so much modulo a number.
fn apart(from: Residue, to: Residue) -> (i64, Option<i64>) {
    let (modulus, a, b) = match (from, to) {
        (Residue::Exactly(a), Residue::Exactly(b)) => return (b as i64 - a as i64, None),
        (Residue::Exactly(a), Residue::Modulo { modulus, rest }) => (modulus, a % modulus, rest),
        (Residue::Modulo { modulus, rest }, Residue::Exactly(b)) => (modulus, rest, b % modulus),
        (Residue::Modulo { modulus, rest }, Residue::Modulo { modulus: other, rest: b }) => {
            (divisor(modulus, other), rest, b)
        }
    };
    let modulus = modulus as i64;
    ((b as i64 - a as i64).rem_euclid(modulus), Some(modulus))
}

fn divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { divisor(b, a % b) }
}

/// All numbers from `low` to `high` that are a distance.
fn within((distance, modulus): (i64, Option<i64>), low: i64, high: i64) -> impl Iterator<Item = i64> {
    let (first, step) = match modulus {
        None => (distance, i64::MAX),
        Some(modulus) => (low + (distance - low).rem_euclid(modulus), modulus),
    };
    let numbers = std::iter::successors(Some(first), move |number| number.checked_add(step));
    numbers.skip_while(move |number| *number < low).take_while(move |number| *number <= high)
}

/// Adds where, within a stretch, another one may begin or end.
fn cut(cuts: &mut BTreeSet<u32>, at: Stretch, other: Stretch) {
    let (distance, modulus) = apart(at.residue, other.residue);
    let last = i64::from(at.size) - 1;
    for end in [distance, distance + i64::from(other.size)] {
        cuts.extend(within((end, modulus), 1, last).map(|place| place as u32));
    }
}

/// Where, within a write, a piece may be that the write covers if they have anything in common.
fn places(piece: Stretch, write: Stretch) -> impl Iterator<Item = u32> {
    let last = i64::from(write.size) - i64::from(piece.size);
    within(apart(write.residue, piece.residue), 0, last).map(|place| place as u32)
}
