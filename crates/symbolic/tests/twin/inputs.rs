//! Symbols with the values that a concrete state gives them: a word that *is* something may *be* several things.

use selvedge_generate::random::Random;
use selvedge_logic::{Assignment, Op, Sort, Term};
use selvedge_program::Bits;
use selvedge_symbolic::{Builder, Tag, Word};

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Number(u128),
    Pointer(Tag, u64),
    Indeterminate,
}

/// The symbols of a state.
#[derive(Debug)]
pub struct Inputs {
    pub assignment: Assignment,
    pub random: Random,
    pub pointer_width: u32,
}

impl Inputs {
    pub fn new(random: Random, pointer_width: u32) -> Inputs {
        Inputs { assignment: Assignment::new(), random, pointer_width }
    }

    /// A fresh symbol of a value.
    pub fn symbol(&mut self, builder: &mut Builder, sort: Sort, value: u128) -> Term {
        let term = builder.fresh("x", sort);
        self.set(builder, term, value);
        term
    }

    /// Gives a symbol its value.
    pub fn set(&mut self, builder: &Builder, symbol: Term, value: u128) {
        if let Op::Symbol(id) = builder.terms.op(symbol) {
            self.assignment.set(id, value);
        }
    }

    /// Bits that are a value: a constant, a symbol, or one of several constants.
    pub fn bits(&mut self, builder: &mut Builder, width: u32, value: u128) -> Term {
        let likely = self.random.below(8);
        self.bits_like(builder, width, value, likely)
    }

    /// The same; the last number says which of these, from 0 to 7.
    fn bits_like(&mut self, builder: &mut Builder, width: u32, value: u128, likely: u64) -> Term {
        match likely {
            0 | 1 => builder.terms.bits(width, value),
            2..=5 => self.symbol(builder, Sort::Bits(width), value),
            _ => {
                let near = [value.wrapping_add(1), value.wrapping_sub(4), value ^ 8, 0];
                let wrong = *self.random.pick(&near);
                let terms = [value, wrong].map(|value| builder.terms.bits(width, Bits::new(width, value).unsigned()));
                self.choice(builder, &terms, 0)
            }
        }
    }

    /// One of several terms, which is the one at a position.
    fn choice(&mut self, builder: &mut Builder, terms: &[Term], right: usize) -> Term {
        let mut choice = terms[0];
        for (position, term) in terms.iter().enumerate().skip(1) {
            let taken = position == right || position < right && self.random.chance(50);
            let which = self.symbol(builder, Sort::Bool, u128::from(taken));
            choice = builder.terms.ite(which, *term, choice);
        }
        choice
    }

    /// A tag that might be some others.
    fn tag(&mut self, builder: &mut Builder, right: Tag, others: &[Tag]) -> Term {
        let mut tags = vec![right];
        for _ in 0..self.random.below(4) {
            let other = if self.random.chance(20) || others.is_empty() {
                [Tag::NUMBER, Tag::INDETERMINATE][self.random.below(2) as usize]
            } else {
                *self.random.pick(others)
            };
            if !tags.contains(&other) {
                tags.push(other);
            }
        }
        let position = self.random.below(tags.len() as u64) as usize;
        tags.swap(0, position);
        let terms: Vec<Term> = tags.iter().map(|tag| builder.tag(*tag)).collect();
        self.choice(builder, &terms, position)
    }

    /// A word that is of a kind; what is wide enough for an address may be one of some objects.
    pub fn word(&mut self, builder: &mut Builder, width: u32, kind: Kind, objects: &[Tag]) -> Word {
        let (tag, value) = match kind {
            Kind::Number(value) => (Tag::NUMBER, value),
            Kind::Pointer(tag, offset) => (tag, u128::from(offset)),
            Kind::Indeterminate => (Tag::INDETERMINATE, u128::from(self.random.word())),
        };
        let objects = if width >= self.pointer_width { objects } else { &[] };
        let plain = kind != Kind::Indeterminate && self.random.chance(if objects.is_empty() { 80 } else { 40 });
        let tag = if plain { builder.tag(tag) } else { self.tag(builder, tag, objects) };
        // An offset that can be anything is too much for a thread, which has thousands of ghost fields.
        let likely = match kind {
            Kind::Pointer(..) => *self.random.pick(&[0, 0, 0, 2, 7, 7, 7]),
            Kind::Number(_) | Kind::Indeterminate => self.random.below(8),
        };
        Word { tag, bits: self.bits_like(builder, width, Bits::new(width, value).unsigned(), likely) }
    }

    /// A number that operators treat specially, or any.
    pub fn interesting(random: &mut Random, width: u32) -> u128 {
        let ones = Bits::ones(width).unsigned();
        let half = 1_u128 << (width - 1);
        let value = match random.below(10) {
            0 => 0,
            1 => 1,
            2 => u128::from(random.below(32)),
            3 => ones.wrapping_sub(u128::from(random.below(9))),
            4 => half.wrapping_sub(1).wrapping_add(u128::from(random.below(3))),
            5 => u128::from(width) + u128::from(random.below(2)),
            6 => 4095 + u128::from(random.below(3)),
            7 => ones.wrapping_sub(4095).wrapping_sub(u128::from(random.below(3))),
            _ => (u128::from(random.word()) << 64) | u128::from(random.word()),
        };
        value & ones
    }
}
