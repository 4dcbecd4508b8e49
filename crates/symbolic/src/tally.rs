//! Counts of holders: what each thread has added to a counter and not taken away again, and what all threads together
//! have. So a proof that looks at two threads at a time can use that a counter is as large as both have made it.
//!
//! An atomic update that both reads and writes a counter changes it by the difference of the two values, as a number
//! with a sign. What is added is added to the thread's own tally and to that of all threads, and what is taken away is
//! taken from both, if the thread has added so much; else, and where a tally would become too large, both stay as they
//! are. The tallies of what is taken and given back are kept in the same way. Other writes change no tally. **So at
//! any time the tally of all threads is the sum of those of each**: it is so at the beginning, when all are zero; every
//! step changes one thread's tally and the sum by the same, and never below zero or beyond the width; a thread begins
//! with zero. Hence the tallies of any two threads together are at most that of all. Nothing is assumed of the program:
//! that a counter *is* the tally of all threads is for proofs to show, and not so where it wraps around, is stored to,
//! or is changed by one thread for another.

use selvedge_logic::Term;
use selvedge_program::{AccessKind, Program};

use crate::access::ghost_word;
use crate::builder::Builder;
use crate::cell::{CellKey, Tally};
use crate::effect::{Prestate, Step};
use crate::word::{Tag, Word};

/// How wide tallies are.
pub const TALLY_WIDTH: u32 = 40;

/// The most that is kept of one thread, of a counter of so many bits: so small that the tally of many threads fits
/// into the counter.
fn most_of_one(width: u32) -> u128 {
    (1 << (width / 2)) - 1
}

/// The tally of all threads does not grow beyond this and what one step adds.
const MOST_OF_ALL: u128 = 1 << 39;

/// What an update does to a counter.
struct Change {
    /// It grows by `by`, else it gets smaller by `by`.
    grows: Term,
    by: Term,
    /// Both values are numbers, and differ by no more than a thread may have.
    is_one: Term,
}

/// How wide a counter is; ghost fields are kept wider than they are.
fn width_of(program: &Program, counter: CellKey) -> u32 {
    match counter {
        CellKey::Ghost { field, .. } => field.width(program.data_model),
        CellKey::Bytes { size, .. } => size * 8,
        CellKey::Alive(_)
        | CellKey::Size(_)
        | CellKey::Array(_)
        | CellKey::Changer { .. }
        | CellKey::Tally { .. }
        | CellKey::Note(..)
        | CellKey::Unjoined => TALLY_WIDTH,
    }
}

/// What becomes of a counter of so many bits.
fn change(builder: &mut Builder, width: u32, old: Word, new: Word) -> Change {
    let (was_number, is_number) = (builder.has_tag(old, Tag::NUMBER), builder.has_tag(new, Tag::NUMBER));
    let is_one = builder.and(was_number, is_number);
    let (old, new) = (ghost_word(builder, old, width).bits, ghost_word(builder, new, width).bits);
    let terms = &mut builder.terms;
    let zero = terms.bits(width, 0);
    let (more, less) = (terms.sub(new, old), terms.sub(old, new));
    let shrinks = terms.slt(more, zero);
    let grows = terms.not(shrinks);
    let by = terms.ite(grows, more, less);
    let most = terms.bits(width, most_of_one(width));
    let is_small = terms.ule(by, most);
    let by = builder.plain(by);
    let by = ghost_word(builder, by, TALLY_WIDTH).bits;
    let is_one = builder.and(is_one, is_small);
    Change { grows, by, is_one }
}

impl<'p, S: Prestate<'p>> Step<'_, S> {
    /// Keeps what the thread adds to a counter and takes from it, where an update that has read it writes it, under a
    /// condition.
    pub(crate) fn keep_tallies(&mut self, (key, when): (CellKey, Term), old: Word, new: Word) {
        let was_read = |step: &Self| {
            step.effect.touched.iter().any(|touched| touched.cell == key && touched.mode.kind == AccessKind::Read)
        };
        if !self.before.is_counter(key) || !was_read(self) {
            return;
        }
        let width = width_of(self.before.program(), key);
        let Change { grows, by, is_one } = change(self.builder, width, old, new);
        let is_one = self.builder.and(when, is_one);
        let shrinks = self.builder.not(grows);
        for (own, all, raises) in [(Tally::Added, Tally::AllAdded, grows), (Tally::Taken, Tally::AllTaken, shrinks)] {
            let (Some(own), Some(all)) = (key.tally(own), key.tally(all)) else { continue };
            let (Some(mine), Some(sum)) = (self.so_far(own), self.so_far(all)) else { continue };
            let terms = &mut self.builder.terms;
            let most = terms.bits(TALLY_WIDTH, most_of_one(width));
            let most_of_all = terms.bits(TALLY_WIDTH, MOST_OF_ALL);
            let raised = terms.add(mine.bits, by);
            let fits = terms.ule(raised, most);
            let has_room = terms.ule(sum.bits, most_of_all);
            let is_there = terms.ule(by, mine.bits);
            let (lowered, more, less) = (terms.sub(mine.bits, by), terms.add(sum.bits, by), terms.sub(sum.bits, by));
            let fits = self.builder.and(fits, has_room);
            let (rises, falls) = (self.builder.and(raises, fits), self.builder.and_not(is_there, raises));
            let (rises, falls) = (self.builder.and(is_one, rises), self.builder.and(is_one, falls));
            for (tally, before, up, down) in [(own, mine.bits, raised, lowered), (all, sum.bits, more, less)] {
                let bits = self.builder.terms.ite(falls, down, before);
                let bits = self.builder.terms.ite(rises, up, bits);
                let word = self.builder.plain(bits);
                self.effect.cells.insert(tally, word);
            }
        }
    }

    /// What a tracked cell holds at this point of the step.
    fn so_far(&mut self, key: CellKey) -> Option<Word> {
        self.effect.cells.get(&key).copied().or_else(|| self.before.cell(self.builder, key))
    }

    /// Where a counter is read: what a thread has added or taken is a part of what all have.
    pub(crate) fn assume_tallies(&mut self, key: CellKey) {
        if !self.before.is_counter(key) {
            return;
        }
        for (own, all) in [(Tally::Added, Tally::AllAdded), (Tally::Taken, Tally::AllTaken)] {
            let (Some(own), Some(all)) = (key.tally(own), key.tally(all)) else { continue };
            if let (Some(mine), Some(sum)) = (self.before.cell(self.builder, own), self.before.cell(self.builder, all))
            {
                let is_part = is_part(self.builder, self.before.program(), key, &[mine], sum);
                self.effect.enabled = self.builder.and(self.effect.enabled, is_part);
            }
        }
    }
}

/// The lemma: what some threads, each another one, have added to a counter or taken from it is a part of what all have,
/// and each is within its bounds.
pub fn is_part(builder: &mut Builder, program: &Program, counter: CellKey, some: &[Word], all: Word) -> Term {
    let most = most_of_one(width_of(program, counter));
    let most_of_one = builder.terms.bits(TALLY_WIDTH, most);
    let (mut sum, mut holds) = (builder.terms.bits(TALLY_WIDTH, 0), builder.yes);
    for one in some {
        // So the sum does not wrap around.
        let fits = builder.terms.ule(one.bits, most_of_one);
        holds = builder.and(holds, fits);
        sum = builder.terms.add(sum, one.bits);
    }
    let most_of_all = builder.terms.bits(TALLY_WIDTH, MOST_OF_ALL + most);
    let (is_part, is_bounded) = (builder.terms.ule(sum, all.bits), builder.terms.ule(all.bits, most_of_all));
    let holds = builder.and(holds, is_bounded);
    builder.and(holds, is_part)
}
