//! The terms of an execution: numbers and pointers, fresh symbols, choices between values.

use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_logic::{Op, Sort, Term, Terms};
use selvedge_program::{Conversion, Span};

use crate::opaque::{Application, Opaque, Operation};
use crate::word::{Tag, Value, Word};

/// The terms of one execution.
#[derive(Debug)]
pub struct Builder {
    pub terms: Terms,
    pub yes: Term,
    pub no: Term,
    fresh: u32,
    /// Operations whose results are symbols.
    pub opaque: Vec<Opaque>,
    applied: FxHashMap<Application, usize>,
    /// Where what is being evaluated stands.
    pub span: Span,
}

impl Default for Builder {
    fn default() -> Self {
        let mut terms = Terms::new();
        let (yes, no) = (terms.bool(true), terms.bool(false));
        Builder { terms, yes, no, fresh: 0, opaque: Vec::new(), applied: FxHashMap::default(), span: Span::NOWHERE }
    }
}

impl Builder {
    /// Without any terms but the truth values.
    pub fn new() -> Self {
        Self::default()
    }

    /// The result of an operation on floating-point numbers and whether it is undefined: the same symbols for the same
    /// operands.
    pub fn opaque(&mut self, application: Application, width: u32) -> Opaque {
        if let Some(known) = self.applied.get(&application) {
            return self.opaque[*known];
        }
        let result = self.fresh("f", Sort::Bits(width));
        let undefined = match application.operation {
            Operation::Convert(Conversion::FloatToSigned(_) | Conversion::FloatToUnsigned(_), _) => {
                self.fresh("d", Sort::Bool)
            }
            _ => self.no,
        };
        let opaque = Opaque { application, result, undefined, span: self.span };
        self.applied.insert(application, self.opaque.len());
        self.opaque.push(opaque);
        opaque
    }

    /// A symbol that stands for nothing else.
    pub fn fresh(&mut self, what: &str, sort: Sort) -> Term {
        self.fresh += 1;
        self.terms.symbol(&format!("{what}{}", self.fresh), sort)
    }

    /// A fresh symbol that makes a condition hold, by way of a fact.
    pub fn selector(&mut self, condition: Term, facts: &mut Vec<Term>) -> Term {
        let selector = self.fresh("s", Sort::Bool);
        let unselected = self.not(selector);
        facts.push(self.or(unselected, condition));
        selector
    }

    pub fn tag(&mut self, tag: Tag) -> Term {
        self.terms.bits(Tag::WIDTH, u128::from(tag.0))
    }

    /// A number.
    pub fn number(&mut self, width: u32, value: u128) -> Word {
        let bits = self.terms.bits(width, value);
        self.plain(bits)
    }

    /// Bits that are a number.
    pub fn plain(&mut self, bits: Term) -> Word {
        Word { tag: self.tag(Tag::NUMBER), bits }
    }

    /// The start of an object.
    pub fn pointer(&mut self, tag: Tag, width: u32) -> Word {
        Word { tag: self.tag(tag), bits: self.terms.bits(width, 0) }
    }

    /// Bytes that can be anything; what they turn out to be when they are read.
    pub fn indeterminate(&mut self, bits: Term) -> Word {
        Word { tag: self.tag(Tag::INDETERMINATE), bits }
    }

    /// Bytes that can be anything, whatever others turn out to be.
    pub fn fresh_indeterminate(&mut self, width: u32) -> Word {
        let bits = self.fresh("u", Sort::Bits(width));
        self.indeterminate(bits)
    }

    pub fn width(&self, bits: Term) -> u32 {
        self.terms.sort(bits).width()
    }

    pub fn is(&self, term: Term, value: bool) -> bool {
        term == if value { self.yes } else { self.no }
    }

    /// The value of a constant bit-vector.
    pub fn constant(&self, term: Term) -> Option<u128> {
        self.terms.constant_value(term).map(|value| value.unsigned())
    }

    /// Whether a word is a number whatever happens.
    pub fn is_number(&self, word: Word) -> bool {
        self.constant(word.tag) == Some(u128::from(Tag::NUMBER.0))
    }

    pub fn has_tag(&mut self, word: Word, tag: Tag) -> Term {
        let tag = self.tag(tag);
        self.terms.equal(word.tag, tag)
    }

    pub fn and(&mut self, a: Term, b: Term) -> Term {
        self.terms.and(a, b)
    }

    pub fn or(&mut self, a: Term, b: Term) -> Term {
        self.terms.or(a, b)
    }

    pub fn not(&mut self, a: Term) -> Term {
        self.terms.not(a)
    }

    /// `a` and not `b`.
    pub fn and_not(&mut self, a: Term, b: Term) -> Term {
        let not_b = self.terms.not(b);
        self.terms.and(a, not_b)
    }

    /// The truth value of one bit.
    pub fn truth(&mut self, bit: Term) -> Term {
        if let (Op::Ite, &[condition, then, otherwise]) = (self.terms.op(bit), self.terms.operands(bit)) {
            match (self.constant(then), self.constant(otherwise)) {
                (Some(1), Some(0)) => return condition,
                (Some(0), Some(1)) => return self.terms.not(condition),
                _ => {}
            }
        }
        let one = self.terms.bits(1, 1);
        self.terms.equal(bit, one)
    }

    /// One bit for a truth value.
    pub fn bit(&mut self, truth: Term) -> Term {
        let (one, zero) = (self.terms.bits(1, 1), self.terms.bits(1, 0));
        self.terms.ite(truth, one, zero)
    }

    pub fn same(&mut self, a: Word, b: Word) -> Term {
        let tags = self.terms.equal(a.tag, b.tag);
        let bits = self.terms.equal(a.bits, b.bits);
        self.terms.and(tags, bits)
    }

    pub fn choose(&mut self, condition: Term, then: Word, otherwise: Word) -> Word {
        Word {
            tag: self.terms.ite(condition, then.tag, otherwise.tag),
            bits: self.terms.ite(condition, then.bits, otherwise.bits),
        }
    }

    /// One of two values; `None` when they do not have the same shape.
    pub fn choose_value(&mut self, condition: Term, then: &Value, otherwise: &Value) -> Option<Value> {
        match (then, otherwise) {
            (Value::Word(a), Value::Word(b)) if self.width(a.bits) == self.width(b.bits) => {
                Some(Value::Word(self.choose(condition, *a, *b)))
            }
            (Value::Pieces(a), Value::Pieces(b)) if a.iter().map(|piece| piece.0).eq(b.iter().map(|piece| piece.0)) => {
                let pieces = a.iter().zip(b.iter());
                let chosen = pieces.map(|(a, b)| (a.0, self.choose(condition, a.1, b.1)));
                Some(Value::Pieces(chosen.collect()))
            }
            _ => None,
        }
    }

    /// The tags that a value may have: the constants at the ends of its choices, ascending.
    pub fn tags(&self, word: Word) -> Vec<Tag> {
        let mut tags = Vec::new();
        let mut seen = FxHashSet::default();
        let mut pending = vec![word.tag];
        while let Some(term) = pending.pop() {
            if !seen.insert(term) {
                continue;
            }
            match self.constant(term) {
                Some(tag) => tags.push(Tag(tag as u32)),
                None => pending.extend(self.terms.operands(term).iter().skip(1)),
            }
        }
        tags.sort_unstable();
        tags
    }

    /// The value that a word turns out to be when it is looked at: where it is indeterminate, a number.
    pub fn settled(&mut self, word: Word) -> Word {
        let mut known = FxHashMap::default();
        Word { tag: self.settled_tag(word.tag, &mut known), bits: word.bits }
    }

    fn settled_tag(&mut self, tag: Term, known: &mut FxHashMap<Term, Term>) -> Term {
        if let Some(settled) = known.get(&tag) {
            return *settled;
        }
        let settled = match (self.constant(tag), self.terms.op(tag), self.terms.operands(tag)) {
            (Some(constant), ..) if constant == u128::from(Tag::INDETERMINATE.0) => self.tag(Tag::NUMBER),
            (None, Op::Ite, &[which, then, otherwise]) => {
                let (then, otherwise) = (self.settled_tag(then, known), self.settled_tag(otherwise, known));
                self.terms.ite(which, then, otherwise)
            }
            (Some(_), ..) => tag,
            _ => {
                let (open, number) = (self.tag(Tag::INDETERMINATE), self.tag(Tag::NUMBER));
                let is_open = self.terms.equal(tag, open);
                self.terms.ite(is_open, number, tag)
            }
        };
        known.insert(tag, settled);
        settled
    }

    /// A fresh value of one of these tags; with bits among these terms, if they are given. A choice is a tree with a
    /// fresh symbol at every fork and a different term at every end.
    pub fn fresh_word(&mut self, width: u32, tags: &[Tag], among: Option<Vec<Term>>) -> Word {
        let bits = match among {
            Some(terms) => self.fresh_choice("b", width, terms),
            None => self.fresh("v", Sort::Bits(width)),
        };
        Word { tag: self.fresh_tag(tags), bits }
    }

    /// Any of these tags.
    pub fn fresh_tag(&mut self, tags: &[Tag]) -> Term {
        let tags = tags.iter().map(|tag| self.tag(*tag)).collect();
        self.fresh_choice("t", Tag::WIDTH, tags)
    }

    fn fresh_choice(&mut self, what: &str, width: u32, terms: Vec<Term>) -> Term {
        let mut terms = terms.into_iter();
        let mut choice = match terms.next() {
            Some(first) => first,
            None => self.terms.bits(width, 0),
        };
        for term in terms {
            let which = self.fresh(what, Sort::Bool);
            choice = self.terms.ite(which, term, choice);
        }
        choice
    }

    /// The conjuncts of a condition. What is shared among them is looked at once.
    pub fn conjuncts(&self, condition: Term) -> FxHashSet<Term> {
        let mut seen = FxHashSet::default();
        let mut pending = vec![condition];
        while let Some(term) = pending.pop() {
            if seen.insert(term) && self.terms.op(term) == Op::And {
                pending.extend(self.terms.operands(term));
            }
        }
        seen.retain(|term| self.terms.op(*term) != Op::And);
        seen
    }
}
