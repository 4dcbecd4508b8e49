//! Loads and stores: the cells that an access means, put together to a value or taken apart.

use selvedge_logic::Term;
use selvedge_program::{
    Access, AccessKind, AccessMode, Atomicity, Expr, GhostField, Interpretation, Place, Register, Undefined,
};

use crate::cell::{CellKey, GHOST_WIDTH};
use crate::entity::{Entity, Lifetime};
use crate::machine::{Machine, trouble, under, unsupported};
use crate::place::{self, Offset, Target};
use crate::stretch::Reading;
use crate::word::{Tag, Value, Word};
use crate::{Builder, Trouble};

/// `*access` as the value of a register.
pub fn load<'p>(
    m: &mut impl Machine<'p>,
    access: &Access,
    interpretation: Interpretation,
    register: &Register,
) -> Value {
    match (&access.place, interpretation) {
        (Place::Memory { address, size, align }, Interpretation::Raw) => {
            let targets = place::bytes(m, address, *size, *align, AccessKind::Read);
            let loaded = load_targets(m, &targets, *size, access.atomicity, Reading::Move);
            moved(m.builder(), loaded)
        }
        (Place::Memory { address, size, align }, Interpretation::Determinate) => {
            let targets = place::bytes(m, address, *size, *align, AccessKind::Read);
            let loaded = load_targets(m, &targets, *size, access.atomicity, Reading::Look);
            refuse_open(m, &loaded);
            Value::Word(settled(m, loaded, register))
        }
        (_, Interpretation::Value) | (Place::Ghost { .. }, _) => Value::Word(read(m, access, register)),
    }
}

/// Undefined where one of the pieces is indeterminate.
fn refuse_open<'p>(m: &mut impl Machine<'p>, pieces: &[(u32, Word)]) {
    for (_, word) in pieces {
        let open = m.builder().has_tag(*word, Tag::INDETERMINATE);
        trouble(m, open, Trouble::Undefined(Undefined::Uninitialised));
    }
}

/// The same where it is a number or a whole pointer.
pub fn read<'p>(m: &mut impl Machine<'p>, access: &Access, register: &Register) -> Word {
    match &access.place {
        Place::Memory { address, size, align } => {
            let targets = place::bytes(m, address, *size, *align, AccessKind::Read);
            let loaded = load_targets(m, &targets, *size, access.atomicity, Reading::Look);
            settled(m, loaded, register)
        }
        Place::Ghost { address, field } => load_ghost(m, address, *field, register.width, access.atomicity),
    }
}

/// `*access := value`, under a condition.
pub fn store<'p>(m: &mut impl Machine<'p>, access: &Access, value: &Value, when: Term) {
    m.begin_access();
    let mode = AccessMode { kind: AccessKind::Write, atomicity: access.atomicity };
    match &access.place {
        Place::Memory { address, size, align } => {
            let targets = under(m, when, |m| place::bytes(m, address, *size, *align, AccessKind::Write));
            for target in targets {
                let target = Target { when: m.builder().and(when, target.when), ..target };
                store_target(m, target, *size, value, mode);
            }
        }
        Place::Ghost { address, field } => {
            let targets = under(m, when, |m| place::ghosts(m, address, *field, AccessKind::Write));
            let Value::Word(word) = value else {
                return unsupported(m, when, "a ghost field made of parts of pointers or indeterminate bytes");
            };
            let word = ghost_word(m.builder(), *word, GHOST_WIDTH);
            for target in targets {
                let Offset::Known(offset) = target.offset else { continue };
                let key = CellKey::Ghost { object: target.object, offset, field: *field };
                let when = m.builder().and(when, target.when);
                touch(m, key, when, mode);
                m.write(key, when, word);
            }
        }
    }
}

/// An access that may race, with others of the cell and with the end of the object's life.
fn touch<'p>(m: &mut impl Machine<'p>, key: CellKey, when: Term, mode: AccessMode) {
    m.touch(key, when, mode);
    touch_life(m, key.object(), when, mode);
}

/// An access of an object that may race with the end of its life.
fn touch_life<'p>(m: &mut impl Machine<'p>, object: Tag, when: Term, mode: AccessMode) {
    if let Some(Entity::Bytes { lifetime: Lifetime::Heap, .. }) = m.entity(object) {
        m.touch(CellKey::Alive(object), when, AccessMode { kind: AccessKind::Read, ..mode });
    }
}

/// The pieces of what a load of some bytes gives: one word per cell, joined over the targets.
fn load_targets<'p>(
    m: &mut impl Machine<'p>,
    targets: &[Target],
    size: u32,
    atomicity: Atomicity,
    reading: Reading,
) -> Vec<(u32, Word)> {
    m.begin_access();
    let mode = AccessMode { kind: AccessKind::Read, atomicity };
    let mut loaded: Option<Vec<(u32, Word)>> = None;
    for target in targets {
        let pieces = match target.offset {
            Offset::Known(offset) => {
                let mut pieces = Vec::new();
                for key in m.cells(target.object, offset, u64::from(size)) {
                    let CellKey::Bytes { size, .. } = key else { continue };
                    touch(m, key, target.when, mode);
                    let word = m.read(key, target.when);
                    pieces.push((size, word));
                    match reading {
                        Reading::Look => m.settle(key, target.when, word),
                        Reading::Move => m.moved(key, word),
                    }
                }
                pieces
            }
            Offset::Open(at) => {
                touch(m, CellKey::Array(target.object), target.when, mode);
                m.load_stretch(target.object, at, target.when, reading)
            }
        };
        loaded = Some(match loaded {
            None => pieces,
            Some(others) => either(m, target.when, pieces, others),
        });
    }
    match loaded {
        Some(pieces) if !pieces.is_empty() => pieces,
        _ => vec![(size, m.builder().number(size * 8, 0))],
    }
}

/// One of two lists of pieces of the same total size.
fn either<'p>(m: &mut impl Machine<'p>, when: Term, a: Vec<(u32, Word)>, b: Vec<(u32, Word)>) -> Vec<(u32, Word)> {
    let aligned = a.iter().map(|piece| piece.0).eq(b.iter().map(|piece| piece.0));
    let (a, b) = if aligned { (a, b) } else { (vec![whole(m, a)], vec![whole(m, b)]) };
    a.into_iter().zip(b).map(|(a, b)| (a.0, m.builder().choose(when, a.1, b.1))).collect()
}

/// Pieces that are numbers as one number; others are not modelled.
fn whole<'p>(m: &mut impl Machine<'p>, pieces: Vec<(u32, Word)>) -> (u32, Word) {
    let mut joined: Option<(u32, Word)> = None;
    for (size, word) in pieces {
        joined = Some(match joined {
            None => (size, word),
            Some((before, low)) => {
                numbers_only(m, low);
                numbers_only(m, word);
                let bits = m.builder().terms.concat(word.bits, low.bits);
                (before + size, m.builder().plain(bits))
            }
        });
    }
    joined.unwrap_or_else(|| (1, m.builder().number(8, 0)))
}

fn numbers_only<'p>(m: &mut impl Machine<'p>, word: Word) {
    let number = m.builder().has_tag(word, Tag::NUMBER);
    let other = m.builder().not(number);
    unsupported(m, other, "a part of a pointer, or bytes of which some are indeterminate");
}

/// Pieces that are only moved. A copy of indeterminate bytes is indeterminate by itself.
fn moved(builder: &mut Builder, pieces: Vec<(u32, Word)>) -> Value {
    let mut moved = Vec::new();
    for (size, word) in pieces {
        let open = builder.has_tag(word, Tag::INDETERMINATE);
        let word = if builder.is(open, false) {
            word
        } else {
            let copy = builder.fresh_indeterminate(size * 8);
            builder.choose(open, copy, word)
        };
        moved.push((size, word));
    }
    match moved.as_slice() {
        [(_, word)] => Value::Word(*word),
        _ => Value::Pieces(moved.into()),
    }
}

/// The value that pieces make. Indeterminate ones are what they turn out to be: the same at every read.
fn settled<'p>(m: &mut impl Machine<'p>, pieces: Vec<(u32, Word)>, register: &Register) -> Word {
    let builder = m.builder();
    let (mut some, mut all) = (builder.no, builder.yes);
    let mut known = Vec::new();
    for (size, word) in pieces {
        let open = builder.has_tag(word, Tag::INDETERMINATE);
        some = builder.or(some, open);
        all = builder.and(all, open);
        known.push((size, builder.settled(word)));
    }
    let is_open_pointer = register.may_be_address && !builder.is(all, false);
    let (_, mut word) = whole(m, known);
    if is_open_pointer {
        match m.uninitialised_address(word.bits) {
            Some(address) => word = m.builder().choose(all, address, word),
            None => {
                let builder = m.builder();
                let is_address = builder.fresh("a", selvedge_logic::Sort::Bool);
                let is_address = builder.and(all, is_address);
                unsupported(m, is_address, "an uninitialised pointer, which may be the address of anything");
            }
        }
    }
    debug_assert_eq!(m.builder().width(word.bits), register.width);
    if !m.builder().is(some, false) {
        m.chosen(some, word.bits);
    }
    word
}

fn load_ghost<'p>(
    m: &mut impl Machine<'p>,
    address: &Expr,
    field: GhostField,
    width: u32,
    atomicity: Atomicity,
) -> Word {
    m.begin_access();
    let targets = place::ghosts(m, address, field, AccessKind::Read);
    let mut loaded: Option<Word> = None;
    for target in targets {
        let mode = AccessMode { kind: AccessKind::Read, atomicity };
        let word = if field == GhostField::ObjectSize {
            // Nobody writes it, but it ends with the object.
            touch_life(m, target.object, target.when, mode);
            object_size(m, target)
        } else {
            let Offset::Known(offset) = target.offset else { continue };
            let key = CellKey::Ghost { object: target.object, offset, field };
            touch(m, key, target.when, mode);
            m.read(key, target.when)
        };
        loaded = Some(match loaded {
            None => word,
            Some(other) => m.builder().choose(target.when, word, other),
        });
    }
    match loaded {
        Some(word) => {
            if width < m.program().pointer_width() {
                let pointer = is_pointer(m.builder(), word);
                unsupported(m, pointer, "a part of a pointer");
            }
            ghost_word(m.builder(), word, width)
        }
        None => m.builder().number(width, 0),
    }
}

fn object_size<'p>(m: &mut impl Machine<'p>, target: Target) -> Word {
    match m.entity(target.object).map(Entity::extent) {
        Some(extent) if !extent.is_exact || m.is_represented(target.object) => {
            let size = m.read(CellKey::Size(target.object), target.when);
            ghost_word(m.builder(), size, GHOST_WIDTH)
        }
        extent => m.builder().number(GHOST_WIDTH, extent.map_or(0, |extent| u128::from(extent.most))),
    }
}

/// A ghost field's value in another width.
pub fn ghost_word(builder: &mut Builder, word: Word, width: u32) -> Word {
    let given = builder.width(word.bits);
    let terms = &mut builder.terms;
    let bits = match given.cmp(&width) {
        std::cmp::Ordering::Less => terms.zero_extend(width, word.bits),
        std::cmp::Ordering::Equal => word.bits,
        std::cmp::Ordering::Greater => terms.extract(width - 1, 0, word.bits),
    };
    Word { tag: word.tag, bits }
}

/// Stores a value at one target.
fn store_target<'p>(m: &mut impl Machine<'p>, target: Target, size: u32, value: &Value, mode: AccessMode) {
    let offset = match target.offset {
        Offset::Known(offset) => offset,
        Offset::Open(at) => {
            touch(m, CellKey::Array(target.object), target.when, mode);
            return m.store_stretch(target.object, at, target.when, value);
        }
    };
    if let Value::Pieces(pieces) = value {
        let mut at = offset;
        for (size, _) in pieces.iter() {
            m.cells(target.object, at, u64::from(*size));
            at += u64::from(*size);
        }
    }
    for key in m.cells(target.object, offset, u64::from(size)) {
        let CellKey::Bytes { start, size: part, .. } = key else { continue };
        let word = part_of(m, value, (start - offset) as u32, part);
        touch(m, key, target.when, mode);
        m.write(key, target.when, word);
    }
}

/// Whether a value is a pointer.
fn is_pointer(builder: &mut Builder, word: Word) -> Term {
    let open = builder.has_tag(word, Tag::INDETERMINATE);
    let number = builder.has_tag(word, Tag::NUMBER);
    let either = builder.or(open, number);
    builder.not(either)
}

/// Some bytes of a value.
pub fn part_of<'p>(m: &mut impl Machine<'p>, value: &Value, from: u32, size: u32) -> Word {
    let (word, from) = match value {
        Value::Word(word) => (*word, from),
        Value::Pieces(pieces) => {
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
                None => return m.builder().fresh_indeterminate(size * 8),
            }
        }
    };
    let builder = m.builder();
    if from == 0 && builder.width(word.bits) == size * 8 {
        return word;
    }
    let bits = builder.terms.extract((from + size) * 8 - 1, from * 8, word.bits);
    let open = builder.has_tag(word, Tag::INDETERMINATE);
    let pointer = is_pointer(builder, word);
    unsupported(m, pointer, "a part of a pointer");
    let builder = m.builder();
    let plain = builder.plain(bits);
    let any = builder.indeterminate(bits);
    builder.choose(open, any, plain)
}
