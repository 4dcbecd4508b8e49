//! Arithmetic on pointers: what depends on the object and the offset, never on a numeric address.

use selvedge_logic::Term;
use selvedge_program::semantics::pointers::NULL_PAGE;
use selvedge_program::{BinaryOp, Bits};

use super::Eval;
use crate::entity::{Entity, Life};
use crate::word::{Tag, Word};

impl Eval<'_> {
    /// Whether an address lies in its object or just past its end.
    pub(super) fn is_within(&mut self, address: Word, when: Term) -> Word {
        self.determinate(address, when);
        let width = self.builder.width(address.bits);
        let mut outside = self.builder.no;
        for tag in self.builder.tags(address) {
            let Some(entity) = self.names.entity(tag) else { continue };
            let meant = self.builder.has_tag(address, tag);
            let extent = entity.extent();
            if !extent.is_exact {
                let wrong = self.builder.and(when, meant);
                self.unsupported(wrong, "the bounds of an object whose size is chosen");
            }
            let end = self.builder.terms.bits(width, u128::from(extent.most));
            let beyond = self.builder.terms.ult(end, address.bits);
            let beyond = self.builder.and(meant, beyond);
            outside = self.builder.or(outside, beyond);
            let open = match self.names.life(tag) {
                Life::Lasts => continue,
                Life::Is(word) => {
                    let alive = self.builder.truth(word.bits);
                    self.builder.and_not(meant, alive)
                }
                Life::Unknown => beyond,
            };
            let wrong = self.builder.and(when, open);
            self.unsupported(wrong, "the bounds of an object whose life may have ended");
        }
        let within = self.builder.not(outside);
        self.truth_word(within)
    }

    /// Whether two values are the same. Of several objects that go by one tag, the values may mean different ones.
    pub(super) fn same(&mut self, left: Word, right: Word) -> Term {
        let mut same = self.builder.same(left, right);
        let rights = self.builder.tags(right);
        for tag in self.builder.tags(left) {
            if rights.contains(&tag) && self.names.is_several(tag) {
                let meant = self.builder.has_tag(left, tag);
                let one = self.builder.fresh("e", selvedge_logic::Sort::Bool);
                let apart = self.builder.and_not(meant, one);
                same = self.builder.and_not(same, apart);
            }
        }
        same
    }

    /// Whether two pointers are into one object. Of several that go by one tag they may mean different ones. (Where
    /// another object stands for these, two that are apart are noticed where one of them is that.)
    fn same_object(&mut self, left: Word, right: Word) -> Term {
        let mut same = self.builder.terms.equal(left.tag, right.tag);
        let rights = self.builder.tags(right);
        for tag in self.builder.tags(left) {
            if rights.contains(&tag) && self.names.is_several(tag) && self.names.life(tag) != Life::Lasts {
                let meant = self.builder.has_tag(left, tag);
                let one = self.builder.fresh("e", selvedge_logic::Sort::Bool);
                let apart = self.builder.and_not(meant, one);
                same = self.builder.and_not(same, apart);
            }
        }
        same
    }

    /// Whether a value is a pointer; complains about what is neither pointer nor number.
    pub(super) fn is_pointer(&mut self, word: Word, when: Term) -> Term {
        self.determinate(word, when);
        let number = self.builder.has_tag(word, Tag::NUMBER);
        self.builder.not(number)
    }

    pub(super) fn add(&mut self, left: Word, right: Word, when: Term) -> Word {
        let (l, r) = (self.is_pointer(left, when), self.is_pointer(right, when));
        let both = self.builder.and(l, r);
        let wrong = self.builder.and(when, both);
        self.unsupported(wrong, "a sum of two addresses");
        let tag = self.builder.terms.ite(l, left.tag, right.tag);
        Word { tag, bits: self.builder.terms.add(left.bits, right.bits) }
    }

    pub(super) fn subtract(&mut self, left: Word, right: Word, when: Term) -> Word {
        self.determinate(left, when);
        let r = self.is_pointer(right, when);
        let same = self.same_object(left, right);
        let apart = self.builder.and_not(r, same);
        let wrong = self.builder.and(when, apart);
        self.unsupported(wrong, "a value that depends on the numeric addresses of two objects");
        let number = self.builder.tag(Tag::NUMBER);
        let tag = self.builder.terms.ite(r, number, left.tag);
        Word { tag, bits: self.builder.terms.sub(left.bits, right.bits) }
    }

    /// Pointers into one object compare by offset, as signed numbers; a pointer and a small or very large number
    /// compare too.
    pub(super) fn less(&mut self, op: BinaryOp, left: Word, right: Word, when: Term) -> Word {
        let (l, r) = (self.is_pointer(left, when), self.is_pointer(right, when));
        let same = self.same_object(left, right);
        let apart = {
            let both = self.builder.and(l, r);
            self.builder.and_not(both, same)
        };
        let wrong = self.builder.and(when, apart);
        self.unsupported(wrong, "a comparison that depends on the numeric addresses of two objects");
        let numbers = match op {
            BinaryOp::LessUnsigned => self.builder.terms.ult(left.bits, right.bits),
            _ => self.builder.terms.slt(left.bits, right.bits),
        };
        let offsets = self.builder.terms.slt(left.bits, right.bits);
        let mut less = self.builder.terms.ite(l, offsets, numbers);
        let mixed = {
            let either = self.builder.or(l, r);
            self.builder.and_not(either, same)
        };
        if !self.builder.is(mixed, false) {
            // A pointer lies above the first page and below the last.
            let number = self.builder.terms.ite(l, right.bits, left.bits);
            let width = self.builder.width(number);
            let page = self.builder.terms.bits(width, NULL_PAGE);
            let top = self.builder.terms.bits(width, Bits::ones(width).unsigned() - NULL_PAGE);
            let (low, high) = (self.builder.terms.ult(number, page), self.builder.terms.ult(top, number));
            let known = match op {
                BinaryOp::LessUnsigned => self.builder.or(low, high),
                _ => self.builder.no,
            };
            let one = self.builder.and_not(mixed, apart);
            let unknown = self.builder.and_not(one, known);
            let wrong = self.builder.and(when, unknown);
            self.unsupported(wrong, "a comparison of an address with a number");
            let verdict = self.builder.terms.ite(l, high, low);
            less = self.builder.terms.ite(one, verdict, less);
        }
        self.truth_word(less)
    }

    /// Operations with a constant that touch only the bits below the alignment of every object that is meant.
    pub(super) fn low_bits(&mut self, op: BinaryOp, left: Word, right: Word, when: Term) -> Word {
        let (pointer, number) = if self.builder.is_number(right) || op == BinaryOp::RemainderUnsigned {
            (left, right)
        } else {
            (right, left)
        };
        let is_pointer = self.is_pointer(pointer, when);
        self.number_only(number, when);
        let tags = self.builder.tags(pointer);
        let objects = tags.iter().filter(|tag| tag.0 > Tag::INDETERMINATE.0);
        let align = objects.map(|tag| self.names.entity(*tag).map_or(1, Entity::alignment)).min().unwrap_or(1);
        let width = self.builder.width(number.bits);
        let constant = self.builder.constant(number.bits);
        let mask = u128::from(align - 1);
        let high = Bits::ones(width).unsigned() & !mask;
        let keeps = match (op, constant) {
            (BinaryOp::And, Some(number)) if number & high == high => Some(true),
            (BinaryOp::And, Some(number)) if number & high == 0 => Some(false),
            (BinaryOp::Or | BinaryOp::Xor, Some(number)) if number & high == 0 => Some(true),
            (BinaryOp::RemainderUnsigned, Some(number)) if number.is_power_of_two() && number <= u128::from(align) => {
                Some(false)
            }
            _ => None,
        };
        let Some(keeps) = keeps else {
            let wrong = self.builder.and(when, is_pointer);
            self.unsupported(wrong, "a value that depends on a numeric address");
            return self.numbers(op, left.bits, right.bits, when);
        };
        for tag in tags {
            if let (Some(_), Life::Is(word)) = (self.names.entity(tag), self.names.life(tag)) {
                let meant = self.builder.has_tag(pointer, tag);
                let alive = self.builder.truth(word.bits);
                let dead = self.builder.and_not(meant, alive);
                let wrong = self.builder.and(when, dead);
                self.unsupported(wrong, "the alignment of an object whose life has ended");
            }
        }
        let word = self.numbers(op, left.bits, right.bits, when);
        let tag = if keeps { pointer.tag } else { word.tag };
        Word { tag, bits: word.bits }
    }
}
