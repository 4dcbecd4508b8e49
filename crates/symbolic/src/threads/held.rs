//! What a register or cell may hold in any reachable state: for each tag that its values may have, the offset (or the
//! number) if that is always the same.

use std::collections::BTreeMap;

use selvedge_logic::{Op, Sort, Term};

use crate::builder::Builder;
use crate::word::{Tag, Word};

/// The values of something. Empty if it has had none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Held(BTreeMap<Tag, Option<u128>>);

/// How deep the cases of a value are told apart.
const DEEPEST: u32 = 24;

impl Held {
    /// Any number.
    pub fn number() -> Held {
        Held(BTreeMap::from([(Tag::NUMBER, None)]))
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn tags(&self) -> impl Iterator<Item = Tag> + '_ {
        self.0.keys().copied()
    }

    /// Adds one of the values; whether that is new.
    pub fn add(&mut self, tag: Tag, bits: Option<u128>) -> bool {
        match self.0.get_mut(&tag) {
            None => {
                self.0.insert(tag, bits);
                true
            }
            Some(known) if known.is_some() && *known != bits => {
                *known = None;
                true
            }
            Some(_) => false,
        }
    }

    /// Adds what something else may hold.
    pub fn add_all(&mut self, other: &Held) {
        for (tag, bits) in &other.0 {
            self.add(*tag, *bits);
        }
    }

    /// Adds what a word may be; whether that is new.
    pub fn add_word(&mut self, builder: &Builder, word: Word) -> bool {
        let mut grown = false;
        let mut pending = vec![(word.tag, word.bits, DEEPEST)];
        while let Some((tag, bits, depth)) = pending.pop() {
            if let Some(tag) = builder.constant(tag) {
                grown |= self.add(Tag(tag as u32), builder.constant(bits));
                continue;
            }
            match (fork(builder, tag), fork(builder, bits)) {
                (Some((which, a, b)), others) if depth > 0 => {
                    let (x, y) = match others {
                        Some((same, x, y)) if same == which => (x, y),
                        _ => (bits, bits),
                    };
                    pending.extend([(a, x, depth - 1), (b, y, depth - 1)]);
                }
                _ => {
                    for tag in builder.tags(Word { tag, bits }) {
                        grown |= self.add(tag, None);
                    }
                }
            }
        }
        grown
    }

    /// Only what some tags allow.
    pub fn retain(&mut self, mut keep: impl FnMut(Tag) -> bool) {
        self.0.retain(|tag, _| keep(*tag));
    }

    /// A word with a name that stands for any of the values.
    pub fn symbol(&self, builder: &mut Builder, name: &str, width: u32) -> Word {
        let mut cases = self.0.iter();
        let Some((first, bits)) = cases.next() else {
            return builder.number(width, 0);
        };
        let any = |builder: &mut Builder| builder.terms.symbol(&format!("{name}.bits"), Sort::Bits(width));
        let term = |builder: &mut Builder, bits: Option<u128>| match bits {
            Some(bits) => builder.terms.bits(width, bits),
            None => any(builder),
        };
        let mut word = Word { tag: builder.tag(*first), bits: term(builder, *bits) };
        for (other, bits) in cases {
            let which = builder.terms.symbol(&format!("{name}.is{}", other.0), Sort::Bool);
            let (tag, bits) = (builder.tag(*other), term(builder, *bits));
            word.tag = builder.terms.ite(which, tag, word.tag);
            word.bits = builder.terms.ite(which, bits, word.bits);
        }
        word
    }
}

/// A choice between two terms.
fn fork(builder: &Builder, term: Term) -> Option<(Term, Term, Term)> {
    match (builder.terms.op(term), builder.terms.operands(term)) {
        (Op::Ite, &[which, a, b]) => Some((which, a, b)),
        _ => None,
    }
}

/// The symbols that a word with a name is made of.
#[derive(Debug)]
pub struct Parts {
    pub bits: Option<Term>,
    /// Each with the tag that the word has where it holds.
    pub tags: Vec<(Term, Term)>,
}

impl Parts {
    pub fn of(builder: &Builder, word: Word) -> Parts {
        let (mut tag, mut tags) = (word.tag, Vec::new());
        while let Some((which, then, otherwise)) = fork(builder, tag) {
            tags.push((which, then));
            tag = otherwise;
        }
        let is_symbol = |term: &Term| matches!(builder.terms.op(*term), Op::Symbol(_));
        let (mut bits, mut found) = (word.bits, None);
        while let Some((_, then, otherwise)) = fork(builder, bits) {
            found = found.or(Some(then).filter(is_symbol));
            bits = otherwise;
        }
        Parts { bits: found.or(Some(bits).filter(is_symbol)), tags }
    }

    pub fn symbols(&self) -> impl Iterator<Item = Term> + '_ {
        self.bits.into_iter().chain(self.tags.iter().map(|(which, _)| *which))
    }
}
