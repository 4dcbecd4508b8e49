//! Accesses: from an address to the cells it may mean, each under a condition. What happens to a cell is in `access.rs`.
//!
//! The checks are those of the concrete semantics' `place`, in the same order.

use selvedge_logic::{Op, Result, Sort, Term};
use selvedge_program::semantics::memory::THREAD_OBJECT_SIZE;
use selvedge_program::semantics::pointers::NULL_PAGE;
use selvedge_program::{
    Access, AccessKind, AccessMode, Atomicity, Expr, GhostField, Interpretation, Place, Register, RegisterId, Undefined,
};

use super::arrays::{Reading, Residue, Stretch};
use super::cells::CellKey;
use super::eval::Trouble;
use super::objects::{Extent, Object, Tag};
use super::origin::GHOST_WIDTH;
use super::path::{Answer, Choice};
use super::state::State;
use super::value::Sym;
use super::walk::Walker;
use crate::skeleton::Word;

/// Where an access goes, under a condition relative to the place's guard.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    pub object: Tag,
    pub offset: Offset,
    pub when: Term,
}

/// Where in an object.
#[derive(Clone, Copy, Debug)]
pub enum Offset {
    Known(u64),
    /// Somewhere in an array.
    Open(Stretch),
}

/// What is accessed of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    Bytes,
    Ghost,
}

/// An access to be checked.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'e> {
    pub address: &'e Expr,
    pub size: u64,
    pub align: u32,
    pub kind: Kind,
    pub part: Part,
}

/// What an access does, for the checks on its address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Read,
    Write,
}

impl Walker<'_, '_> {
    /// `*access` as a value of a width.
    pub(super) fn load(
        &mut self,
        state: &mut State,
        access: &Access,
        interpretation: Interpretation,
        register: &Register,
    ) -> Result<Sym> {
        match &access.place {
            Place::Memory { address, size, align } => {
                let wanted = bytes(address, *size, *align, Kind::Read);
                let targets = self.targets(state, &[], wanted)?;
                let reading = match interpretation {
                    Interpretation::Raw => Reading::Move,
                    Interpretation::Value | Interpretation::Determinate => Reading::Look,
                };
                let loaded = self.load_targets(state, &targets, *size, access.atomicity, reading)?;
                match interpretation {
                    Interpretation::Raw => Ok(self.moved(loaded)),
                    Interpretation::Value => Ok(Sym::Word(self.settled(loaded, register))),
                    Interpretation::Determinate => {
                        self.refuse_open(&loaded);
                        Ok(Sym::Word(self.settled(loaded, register)))
                    }
                }
            }
            Place::Ghost { address, field } => {
                let word = self.load_ghost(state, &[], address, *field, register.width, access.atomicity)?;
                Ok(Sym::Word(word))
            }
        }
    }

    /// `*access := value`.
    pub(super) fn store(&mut self, state: &mut State, access: &Access, value: &Sym) -> Result<()> {
        let yes = self.round.builder.yes;
        self.store_when(state, &[], access, value, yes)
    }

    /// The same under a condition, with registers that are about to be assigned.
    pub(super) fn store_when(
        &mut self,
        state: &mut State,
        pending: &[(RegisterId, Word)],
        access: &Access,
        value: &Sym,
        when: Term,
    ) -> Result<()> {
        self.round.accesses += 1;
        match &access.place {
            Place::Memory { address, size, align } => {
                let wanted = bytes(address, *size, *align, Kind::Write);
                let targets = self.under(when, |walker| walker.targets(state, pending, wanted))?;
                for target in targets {
                    let target = Target { when: self.round.builder.and(when, target.when), ..target };
                    self.store_target(state, target, *size, value, access.atomicity)?;
                }
                Ok(())
            }
            Place::Ghost { address, field } => {
                let Sym::Word(word) = value else { return Ok(()) };
                let word = self.ghost_word(*word, GHOST_WIDTH);
                let targets =
                    self.under(when, |walker| walker.ghost_targets(state, pending, address, *field, Kind::Write))?;
                for target in targets {
                    let Offset::Known(offset) = target.offset else { continue };
                    let key = CellKey::Ghost { object: target.object, offset, field: *field };
                    let when = self.round.builder.and(when, target.when);
                    self.touch(state, key, when, AccessMode { kind: AccessKind::Write, atomicity: access.atomicity })?;
                    self.write_cell(state, key, when, word)?;
                }
                Ok(())
            }
        }
    }

    /// Runs checks whose troubles count only under a condition.
    pub(super) fn under<T>(&mut self, when: Term, run: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.round.builder.is(when, true) {
            return run(self);
        }
        let outer = self.here.ok;
        self.here.ok = self.round.builder.and(outer, when);
        let result = run(self)?;
        // What was fine within the condition, or outside of it.
        let otherwise = self.round.builder.and_not(outer, when);
        self.here.ok = self.round.builder.or(self.here.ok, otherwise);
        Ok(result)
    }

    /// The places that an address may mean, after all checks on it.
    pub(super) fn targets(
        &mut self,
        state: &mut State,
        pending: &[(RegisterId, Word)],
        wanted: Wanted<'_>,
    ) -> Result<Vec<Target>> {
        let Wanted { address, size, align, kind, .. } = wanted;
        let Some(address) = self.eval(state, pending, |eval, scope, when| eval.word(scope, address, when))? else {
            return Ok(Vec::new());
        };
        let mut targets = Vec::new();
        for tag in self.round.builder.tags(address) {
            let meant = self.round.builder.has_tag(address, tag);
            let Some((extent, aligned)) = self.unroller.objects.extent(self.unroller.program, tag) else {
                self.no_bytes(address, tag, meant);
                continue;
            };
            let alive = self.alive(state, tag, meant)?;
            let dead = self.round.builder.and_not(meant, alive);
            let absence = self.unroller.objects.absence(tag);
            self.trouble(dead, Trouble::Undefined(absence));
            let offset = address.bits;
            let beyond = self.beyond(state, tag, meant, extent, offset, size)?;
            let beyond = self.round.builder.and(meant, beyond);
            self.trouble(beyond, Trouble::Undefined(Undefined::OutOfBounds));
            if kind == Kind::Write && self.unroller.objects.is_constant(self.unroller.program, tag) {
                self.trouble(meant, Trouble::Undefined(Undefined::WriteToConstant));
                continue;
            }
            if align > 1 {
                let off = self.misaligned(offset, aligned, align);
                let off = self.round.builder.and(meant, off);
                self.trouble(off, Trouble::Undefined(Undefined::Misaligned));
            }
            self.offsets(&mut targets, tag, offset, extent.most, wanted, meant);
        }
        Ok(targets)
    }

    /// Whether an access of some bytes at an offset goes beyond the end of an object that is meant.
    fn beyond(
        &mut self,
        state: &mut State,
        tag: Tag,
        meant: Term,
        extent: Extent,
        offset: Term,
        size: u64,
    ) -> Result<Term> {
        let width = self.round.builder.width(offset);
        if extent.is_exact {
            let Some(last) = extent.most.checked_sub(size) else { return Ok(self.round.builder.yes) };
            let last = self.round.builder.terms.bits(width, u128::from(last));
            return Ok(self.round.builder.terms.ult(last, offset));
        }
        let extent = self.read_cell(state, CellKey::Size(tag), meant)?.bits;
        let terms = &mut self.round.builder.terms;
        let size = terms.bits(width, u128::from(size));
        let too_small = terms.ult(extent, size);
        let last = terms.sub(extent, size);
        let too_far = terms.ult(last, offset);
        Ok(terms.or(too_small, too_far))
    }

    /// An address that is no object's, or an object without bytes.
    fn no_bytes(&mut self, address: Word, tag: Tag, meant: Term) {
        match tag {
            Tag::NUMBER => {
                let page = self.round.builder.terms.bits(self.round.builder.width(address.bits), NULL_PAGE);
                let null = self.round.builder.terms.ult(address.bits, page);
                let null = self.round.builder.and(meant, null);
                self.trouble(null, Trouble::Undefined(Undefined::NullDereference));
                self.trouble(meant, Trouble::Undefined(Undefined::InvalidPointer));
            }
            Tag::INDETERMINATE => {
                let what = "an address made of parts of pointers or indeterminate".to_owned();
                self.trouble(meant, Trouble::Unsupported(what));
            }
            _ => self.trouble(meant, Trouble::Undefined(Undefined::InvalidPointer)),
        }
    }

    fn misaligned(&mut self, offset: Term, aligned: u32, align: u32) -> selvedge_logic::Term {
        if aligned < align {
            return self.round.builder.yes;
        }
        let bits = align.trailing_zeros();
        if bits == 0 {
            return self.round.builder.no;
        }
        let terms = &mut self.round.builder.terms;
        let low = terms.extract(bits - 1, 0, offset);
        let zero = terms.bits(bits, 0);
        terms.distinct(low, zero)
    }

    /// The offsets within an object that an access may have.
    #[allow(clippy::too_many_arguments, reason = "all of it describes one access")]
    fn offsets(
        &mut self,
        targets: &mut Vec<Target>,
        object: Tag,
        offset: Term,
        extent: u64,
        Wanted { size, align, part, .. }: Wanted<'_>,
        meant: Term,
    ) {
        let Some(last) = extent.checked_sub(size) else { return };
        let constant = self.round.builder.constant(offset);
        if constant.is_some_and(|constant| constant > u128::from(last)) {
            return;
        }
        if part == Part::Bytes && self.unroller.knowledge.is_array(object) {
            targets.push(self.somewhere(object, offset, size, align, meant));
            return;
        }
        if let Some(constant) = constant {
            targets.push(Target { object, offset: Offset::Known(constant as u64), when: meant });
            return;
        }
        let (stride, first) = self.stride(offset, u64::from(align.max(1)));
        let facts = self.round.builder.terms.facts(offset);
        let (low, high) = (facts.low.min(u128::from(u64::MAX)) as u64, facts.high.min(u128::from(last)) as u64);
        let count = high.saturating_sub(low) / stride;
        if count > self.unroller.bounds.candidates && part == Part::Bytes && !self.unroller.knowledge.is_shared(object)
        {
            self.unroller.knowledge.make_array(object);
            targets.push(self.somewhere(object, offset, size, align, meant));
            return;
        }
        let bound = self.unroller.bounds.shared_candidates;
        if count > bound {
            let what = format!("an index that may mean more than {bound} places");
            self.trouble(meant, Trouble::Unsupported(what));
            return;
        }
        let width = self.round.builder.width(offset);
        let mut at = low + (first + stride - low % stride) % stride;
        while at <= high {
            let here = self.round.builder.terms.bits(width, u128::from(at));
            let same = self.round.builder.terms.equal(offset, here);
            let when = self.round.builder.and(meant, same);
            if !self.round.builder.is(when, false) {
                targets.push(Target { object, offset: Offset::Known(at), when });
            }
            at += stride;
        }
    }

    /// Somewhere in an array.
    fn somewhere(&self, object: Tag, offset: Term, size: u64, align: u32, when: Term) -> Target {
        let residue = match self.round.builder.constant(offset) {
            Some(constant) => Residue::Exactly(constant as u64),
            None => {
                let (modulus, rest) = self.stride(offset, u64::from(align.max(1)));
                Residue::Modulo { modulus, rest }
            }
        };
        Target { object, offset: Offset::Open(Stretch { offset, size: size as u32, residue }), when }
    }

    /// A modulus and a residue that the term is known to have as a number without wrapping: `c + stride * index`, where the index is a
    /// widened smaller number.
    fn stride(&self, offset: Term, align: u64) -> (u64, u64) {
        let builder = &self.round.builder;
        let terms = &builder.terms;
        let (scaled, added) = match (terms.op(offset), terms.operands(offset)) {
            (Op::Add, [scaled, added]) => match builder.constant(*added) {
                Some(added) => (*scaled, added as u64),
                None => return (align, 0),
            },
            _ => (offset, 0),
        };
        let (index, factor) = match (terms.op(scaled), terms.operands(scaled)) {
            (Op::Mul, [index, factor]) => match builder.constant(*factor) {
                Some(factor) => (*index, factor as u64),
                None => return (align, 0),
            },
            _ => (scaled, 1),
        };
        let narrow = match (terms.op(index), terms.operands(index)) {
            (Op::ZeroExtend(_) | Op::SignExtend(_), [inner]) => builder.width(*inner) <= 32,
            _ => false,
        };
        let small = factor > 0 && factor < 1 << 20 && added < 1 << 31;
        if narrow && small && factor.is_multiple_of(align) { (factor, added % factor) } else { (align, 0) }
    }

    /// The pieces of what a load of some bytes gives: one word per cell, joined over the targets.
    fn load_targets(
        &mut self,
        state: &mut State,
        targets: &[Target],
        size: u32,
        atomicity: Atomicity,
        reading: Reading,
    ) -> Result<Vec<(u32, Word)>> {
        self.round.accesses += 1;
        let mode = AccessMode { kind: AccessKind::Read, atomicity };
        let mut loaded: Option<Vec<(u32, Word)>> = None;
        for target in targets {
            let pieces = match target.offset {
                Offset::Known(offset) => {
                    let mut pieces = Vec::new();
                    for key in self.unroller.knowledge.split(target.object, offset, u64::from(size)) {
                        let CellKey::Bytes { size, .. } = key else { continue };
                        self.touch(state, key, target.when, mode)?;
                        let word = self.read_cell(state, key, target.when)?;
                        pieces.push((size, word));
                        match reading {
                            Reading::Look => self.settle_cell(state, key, target.when, word)?,
                            Reading::Move => self.move_cell(key, word),
                        }
                    }
                    pieces
                }
                Offset::Open(at) => {
                    self.touch_life(state, target.object, target.when, mode)?;
                    self.load_array(state, target.object, at, target.when, reading)?
                }
            };
            loaded = Some(match loaded {
                None => pieces,
                Some(others) => self.either(target.when, pieces, others)?,
            });
        }
        match loaded {
            Some(pieces) if !pieces.is_empty() => Ok(pieces),
            _ => Ok(vec![(size, self.round.builder.number(size * 8, 0))]),
        }
    }

    /// One of two lists of pieces of the same total size.
    fn either(&mut self, when: Term, a: Vec<(u32, Word)>, b: Vec<(u32, Word)>) -> Result<Vec<(u32, Word)>> {
        let aligned = a.iter().map(|piece| piece.0).eq(b.iter().map(|piece| piece.0));
        let (a, b) = if aligned { (a, b) } else { (vec![self.whole(a)], vec![self.whole(b)]) };
        let chosen = a.into_iter().zip(b).map(|(a, b)| Ok((a.0, self.round.builder.choose(when, a.1, b.1))));
        chosen.collect()
    }

    /// Pieces that are numbers as one number; others are not modelled.
    fn whole(&mut self, pieces: Vec<(u32, Word)>) -> (u32, Word) {
        let mut joined: Option<(u32, Word)> = None;
        for (size, word) in pieces {
            joined = Some(match joined {
                None => (size, word),
                Some((before, low)) => {
                    self.numbers_only(low);
                    self.numbers_only(word);
                    let bits = self.round.builder.terms.concat(word.bits, low.bits);
                    (before + size, self.round.builder.plain(bits))
                }
            });
        }
        match joined {
            Some(piece) => piece,
            None => (1, self.round.builder.number(8, 0)),
        }
    }

    fn numbers_only(&mut self, word: Word) {
        let number = self.round.builder.has_tag(word, Tag::NUMBER);
        let other = self.round.builder.not(number);
        self.trouble(
            other,
            Trouble::Unsupported("a part of a pointer, or bytes of which some are indeterminate".to_owned()),
        );
    }

    /// Pieces that are only moved. A copy of indeterminate bytes is indeterminate by itself.
    fn moved(&mut self, pieces: Vec<(u32, Word)>) -> Sym {
        let mut moved = Vec::new();
        for (size, word) in pieces {
            let open = self.round.builder.has_tag(word, Tag::INDETERMINATE);
            let word = if self.round.builder.is(open, false) {
                word
            } else {
                let copy = self.round.builder.fresh_indeterminate(size * 8);
                self.round.builder.choose(open, copy, word)
            };
            moved.push((size, word));
        }
        match moved.as_slice() {
            [(_, word)] => Sym::Word(*word),
            _ => Sym::Pieces(moved.into()),
        }
    }

    /// Undefined where one of the pieces is indeterminate.
    fn refuse_open(&mut self, pieces: &[(u32, Word)]) {
        for (_, word) in pieces {
            let open = self.round.builder.has_tag(*word, Tag::INDETERMINATE);
            self.trouble(open, Trouble::Undefined(Undefined::Uninitialised));
        }
    }

    /// A cell is copied: whether it has been looked at makes a difference if it may be indeterminate.
    fn move_cell(&mut self, key: CellKey, word: Word) {
        let open = self.round.builder.has_tag(word, Tag::INDETERMINATE);
        if !self.round.builder.is(open, false) {
            self.unroller.knowledge.moves(key);
        }
    }

    /// The value that pieces make. Indeterminate ones are what they turn out to be: the same at every read.
    fn settled(&mut self, pieces: Vec<(u32, Word)>, register: &Register) -> Word {
        let (mut some, mut all) = (self.round.builder.no, self.round.builder.yes);
        let mut known = Vec::new();
        for (size, word) in pieces {
            let open = self.round.builder.has_tag(word, Tag::INDETERMINATE);
            some = self.round.builder.or(some, open);
            all = self.round.builder.and(all, open);
            let settled = self.round.builder.plain(word.bits);
            known.push((size, self.round.builder.choose(open, settled, word)));
        }
        if register.may_be_address && !self.round.builder.is(all, false) {
            let is_address = self.round.builder.fresh("a", Sort::Bool);
            let is_address = self.round.builder.and(all, is_address);
            let what = "an uninitialised pointer, which may be the address of anything".to_owned();
            self.trouble(is_address, Trouble::Unsupported(what));
        }
        let (_, word) = self.whole(known);
        debug_assert_eq!(self.round.builder.width(word.bits), register.width);
        if !self.round.builder.is(some, false) {
            self.here.choices.push(Choice { asked: some, answer: Answer::Number(word.bits) });
        }
        word
    }

    /// A read within an atomic update: a number or a whole pointer.
    pub(super) fn read(
        &mut self,
        state: &mut State,
        pending: &[(RegisterId, Word)],
        access: &Access,
        register: &Register,
    ) -> Result<Word> {
        match &access.place {
            Place::Memory { address, size, align } => {
                let wanted = bytes(address, *size, *align, Kind::Read);
                let targets = self.targets(state, pending, wanted)?;
                let loaded = self.load_targets(state, &targets, *size, access.atomicity, Reading::Look)?;
                Ok(self.settled(loaded, register))
            }
            Place::Ghost { address, field } => {
                self.load_ghost(state, pending, address, *field, register.width, access.atomicity)
            }
        }
    }

    fn load_ghost(
        &mut self,
        state: &mut State,
        pending: &[(RegisterId, Word)],
        address: &Expr,
        field: GhostField,
        width: u32,
        atomicity: Atomicity,
    ) -> Result<Word> {
        self.round.accesses += 1;
        let targets = self.ghost_targets(state, pending, address, field, Kind::Read)?;
        let mut loaded: Option<Word> = None;
        for target in targets {
            let word = if field == GhostField::ObjectSize {
                self.object_size(state, target)?
            } else {
                let Offset::Known(offset) = target.offset else { continue };
                let key = CellKey::Ghost { object: target.object, offset, field };
                self.touch(state, key, target.when, AccessMode { kind: AccessKind::Read, atomicity })?;
                self.read_cell(state, key, target.when)?
            };
            loaded = Some(match loaded {
                None => word,
                Some(other) => self.round.builder.choose(target.when, word, other),
            });
        }
        match loaded {
            Some(word) => Ok(self.ghost_word(word, width)),
            None => Ok(self.round.builder.number(width, 0)),
        }
    }

    fn object_size(&mut self, state: &mut State, target: Target) -> Result<Word> {
        match self.unroller.objects.extent(self.unroller.program, target.object) {
            Some((extent, _)) if !extent.is_exact => {
                let size = self.read_cell(state, CellKey::Size(target.object), target.when)?;
                Ok(self.ghost_word(size, GHOST_WIDTH))
            }
            extent => {
                Ok(self.round.builder.number(GHOST_WIDTH, extent.map_or(0, |(extent, _)| u128::from(extent.most))))
            }
        }
    }

    /// A ghost field's value in another width.
    pub(super) fn ghost_word(&mut self, word: Word, width: u32) -> Word {
        let given = self.round.builder.width(word.bits);
        let terms = &mut self.round.builder.terms;
        let bits = match given.cmp(&width) {
            std::cmp::Ordering::Less => terms.zero_extend(width, word.bits),
            std::cmp::Ordering::Equal => word.bits,
            std::cmp::Ordering::Greater => terms.extract(width - 1, 0, word.bits),
        };
        Word { tag: word.tag, bits }
    }

    /// The ghost fields that an address may mean. Threads' fields live with threads, the others with objects that have bytes.
    fn ghost_targets(
        &mut self,
        state: &mut State,
        pending: &[(RegisterId, Word)],
        address: &Expr,
        field: GhostField,
        kind: Kind,
    ) -> Result<Vec<Target>> {
        if field == GhostField::NextKey {
            let when = self.round.builder.yes;
            return Ok(vec![Target { object: Tag::NUMBER, offset: Offset::Known(0), when }]);
        }
        if !belongs_to_thread(field) {
            // At the end of an object its size may be asked for, as that of any byte of it.
            let size = if field == GhostField::ObjectSize { 0 } else { 1 };
            return self.targets(state, pending, Wanted { address, size, align: 1, kind, part: Part::Ghost });
        }
        let wanted = Wanted { address, size: 1, align: 1, kind, part: Part::Ghost };
        let Some(address) = self.eval(state, pending, |eval, scope, when| eval.word(scope, address, when))? else {
            return Ok(Vec::new());
        };
        let mut targets = Vec::new();
        for tag in self.round.builder.tags(address) {
            let meant = self.round.builder.has_tag(address, tag);
            if !matches!(self.unroller.objects.object(tag), Some(Object::Thread(_))) {
                self.trouble(meant, Trouble::Undefined(Undefined::BadThread));
                continue;
            }
            let end =
                self.round.builder.terms.bits(self.round.builder.width(address.bits), u128::from(THREAD_OBJECT_SIZE));
            let beyond = self.round.builder.terms.ule(end, address.bits);
            let beyond = self.round.builder.and(meant, beyond);
            self.trouble(beyond, Trouble::Undefined(Undefined::OutOfBounds));
            self.offsets(&mut targets, tag, address.bits, THREAD_OBJECT_SIZE, wanted, meant);
        }
        Ok(targets)
    }

    /// Stores a value at one target.
    fn store_target(
        &mut self,
        state: &mut State,
        target: Target,
        size: u32,
        value: &Sym,
        atomicity: Atomicity,
    ) -> Result<()> {
        let mode = AccessMode { kind: AccessKind::Write, atomicity };
        let offset = match target.offset {
            Offset::Known(offset) => offset,
            Offset::Open(at) => {
                self.touch_life(state, target.object, target.when, mode)?;
                return {
                    self.store_array(state, target.object, at, target.when, value);
                    Ok(())
                };
            }
        };
        if let Sym::Pieces(pieces) = value {
            let mut at = offset;
            for (size, _) in pieces.iter() {
                self.unroller.knowledge.split(target.object, at, u64::from(*size));
                at += u64::from(*size);
            }
        }
        for key in self.unroller.knowledge.split(target.object, offset, u64::from(size)) {
            let CellKey::Bytes { start, size: part, .. } = key else { continue };
            let word = self.part(value, (start - offset) as u32, part);
            self.touch(state, key, target.when, mode)?;
            self.write_cell(state, key, target.when, word)?;
        }
        Ok(())
    }

    /// Some bytes of a value.
    pub(super) fn part(&mut self, value: &Sym, from: u32, size: u32) -> Word {
        let (word, from) = match value {
            Sym::Word(word) => (*word, from),
            Sym::Pieces(pieces) => {
                let mut at = 0;
                let mut found = None;
                for (length, word) in pieces.iter() {
                    if at <= from && from + size <= at + length {
                        found = Some((*word, from - at));
                    }
                    at += length;
                }
                match found {
                    Some(found) => found,
                    None => return self.round.builder.fresh_indeterminate(size * 8),
                }
            }
        };
        if from == 0 && self.round.builder.width(word.bits) == size * 8 {
            return word;
        }
        let bits = self.round.builder.terms.extract((from + size) * 8 - 1, from * 8, word.bits);
        let open = self.round.builder.has_tag(word, Tag::INDETERMINATE);
        let number = self.round.builder.has_tag(word, Tag::NUMBER);
        let either = self.round.builder.or(open, number);
        let pointer = self.round.builder.not(either);
        self.trouble(pointer, Trouble::Unsupported("a part of a pointer".to_owned()));
        let plain = self.round.builder.plain(bits);
        let any = self.round.builder.indeterminate(bits);
        self.round.builder.choose(open, any, plain)
    }

    /// Whether an object is alive, when it is meant.
    pub(super) fn alive(&mut self, state: &mut State, tag: Tag, when: Term) -> Result<Term> {
        let dies = matches!(
            self.unroller.objects.object(tag),
            Some(Object::Frame(..) | Object::Allocated(..) | Object::ThreadLocal(..))
        );
        if !dies {
            return Ok(self.round.builder.yes);
        }
        let word = self.read_cell(state, CellKey::Alive(tag), when)?;
        Ok(self.round.builder.truth(word.bits))
    }
}

fn bytes(address: &Expr, size: u32, align: u32, kind: Kind) -> Wanted<'_> {
    Wanted { address, size: u64::from(size), align, kind, part: Part::Bytes }
}

fn belongs_to_thread(field: GhostField) -> bool {
    matches!(
        field,
        GhostField::ThreadStatus
            | GhostField::ThreadDetached
            | GhostField::ThreadResult
            | GhostField::WaitingOn
            | GhostField::WaitingWith
            | GhostField::Cancellation
            | GhostField::ThreadSpecific
    )
}
