//! From an address to the places that it may mean, each under a condition, after all checks on it. The checks are those
//! of the concrete semantics' `place`, in the same order.

use selvedge_logic::{Op, Term};
use selvedge_program::semantics::memory::THREAD_OBJECT_SIZE;
use selvedge_program::semantics::pointers::NULL_PAGE;
use selvedge_program::{AccessKind, Expr, GhostField, Undefined};

use crate::builder::Builder;
use crate::cell::CellKey;
use crate::entity::{Entity, Extent, Lifetime};
use crate::eval::Trouble;
use crate::machine::{Machine, Many, trouble, unsupported};
use crate::stretch::{Residue, Stretch};
use crate::word::{Tag, Word};

/// Where an access goes, under a condition relative to the beginning of the step.
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
enum Sort {
    Bytes,
    Ghost,
}

/// An access to be checked.
#[derive(Clone, Copy, Debug)]
struct Wanted {
    size: u64,
    align: u32,
    kind: AccessKind,
    sort: Sort,
}

/// The places that some bytes at an address may be.
pub fn bytes<'p>(m: &mut impl Machine<'p>, address: &Expr, size: u32, align: u32, kind: AccessKind) -> Vec<Target> {
    targets(m, address, Wanted { size: u64::from(size), align, kind, sort: Sort::Bytes })
}

/// In how many places a lock or the like may be: what may be there is listed for each.
const MOST_PLACES: usize = 2048;

/// The ghost fields that an address may mean. Threads' fields live with threads, the others with objects that have
/// bytes.
pub fn ghosts<'p>(m: &mut impl Machine<'p>, address: &Expr, field: GhostField, kind: AccessKind) -> Vec<Target> {
    if field == GhostField::NextKey {
        let when = m.builder().yes;
        return vec![Target { object: Tag::NUMBER, offset: Offset::Known(0), when }];
    }
    let wanted = Wanted { size: 1, align: 1, kind, sort: Sort::Ghost };
    if !field.belongs_to_thread() {
        // At the end of an object its size may be asked for, as that of any byte of it.
        let size = if field == GhostField::ObjectSize { 0 } else { 1 };
        let found = targets(m, address, Wanted { size, ..wanted });
        if found.len() > MOST_PLACES {
            let yes = m.builder().yes;
            unsupported(m, yes, &format!("a lock or the like in any of {} places", found.len()));
            return Vec::new();
        }
        return found;
    }
    let address = word(m, address);
    let mut targets = Vec::new();
    for tag in m.builder().tags(address) {
        let meant = m.builder().has_tag(address, tag);
        if tag == Tag::INDETERMINATE {
            no_bytes(m, address, tag, meant);
            continue;
        }
        if m.entity(tag) != Some(Entity::Thread) {
            trouble(m, meant, Trouble::Undefined(Undefined::BadThread));
            continue;
        }
        for (thread, meant, offset) in m.thread_places(address, tag) {
            let builder = m.builder();
            let end = builder.terms.bits(builder.width(offset), u128::from(THREAD_OBJECT_SIZE));
            let beyond = builder.terms.ule(end, offset);
            let beyond = builder.and(meant, beyond);
            trouble(m, beyond, Trouble::Undefined(Undefined::OutOfBounds));
            offsets(m, &mut targets, thread, offset, THREAD_OBJECT_SIZE, wanted, meant);
        }
    }
    targets
}

fn word<'p>(m: &mut impl Machine<'p>, address: &Expr) -> Word {
    let yes = m.builder().yes;
    m.evaluate(|eval| eval.word(address, yes))
}

fn targets<'p>(m: &mut impl Machine<'p>, address: &Expr, wanted: Wanted) -> Vec<Target> {
    let address = word(m, address);
    let mut targets = Vec::new();
    for tag in m.builder().tags(address) {
        let meant = m.builder().has_tag(address, tag);
        let Some(Entity::Bytes { extent, align: aligned, lifetime }) = m.entity(tag) else {
            no_bytes(m, address, tag, meant);
            continue;
        };
        let offset = address.bits;
        if m.is_represented(tag) {
            represented(m, &mut targets, tag, offset, wanted, meant);
            continue;
        }
        let alive = alive(m, tag, meant);
        let dead = m.builder().and_not(meant, alive);
        trouble(m, dead, Trouble::Undefined(lifetime.absence()));
        let beyond = beyond(m, tag, meant, extent, offset, wanted.size);
        let beyond = m.builder().and(meant, beyond);
        trouble(m, beyond, Trouble::Undefined(Undefined::OutOfBounds));
        if wanted.kind == AccessKind::Write && lifetime == Lifetime::Constant {
            trouble(m, meant, Trouble::Undefined(Undefined::WriteToConstant));
            continue;
        }
        if wanted.align > 1 {
            let off = misaligned(m.builder(), offset, aligned, wanted.align);
            let off = m.builder().and(meant, off);
            trouble(m, off, Trouble::Undefined(Undefined::Misaligned));
        }
        offsets(m, &mut targets, tag, offset, extent.most, wanted, meant);
    }
    targets
}

/// The place in an object for which another one stands: nothing is wrong with it.
fn represented<'p>(
    m: &mut impl Machine<'p>,
    targets: &mut Vec<Target>,
    object: Tag,
    offset: Term,
    wanted: Wanted,
    when: Term,
) {
    targets.push(match wanted.sort {
        Sort::Bytes => somewhere(m.builder(), object, offset, wanted.size, wanted.align, when),
        Sort::Ghost => Target { object, offset: Offset::Known(0), when },
    });
}

/// Whether an object is alive, where it is meant.
pub fn alive<'p>(m: &mut impl Machine<'p>, tag: Tag, when: Term) -> Term {
    match m.entity(tag) {
        Some(Entity::Bytes { lifetime, .. }) if lifetime.ends() => {
            let word = m.read(CellKey::Alive(tag), when);
            m.builder().truth(word.bits)
        }
        _ => m.builder().yes,
    }
}

/// Whether an access of some bytes at an offset goes beyond the end of an object that is meant.
fn beyond<'p>(m: &mut impl Machine<'p>, tag: Tag, meant: Term, extent: Extent, offset: Term, size: u64) -> Term {
    let width = m.builder().width(offset);
    if extent.is_exact {
        let Some(last) = extent.most.checked_sub(size) else { return m.builder().yes };
        let last = m.builder().terms.bits(width, u128::from(last));
        return m.builder().terms.ult(last, offset);
    }
    let extent = m.read(CellKey::Size(tag), meant).bits;
    let terms = &mut m.builder().terms;
    let size = terms.bits(width, u128::from(size));
    let too_small = terms.ult(extent, size);
    let last = terms.sub(extent, size);
    let too_far = terms.ult(last, offset);
    terms.or(too_small, too_far)
}

/// An address that is no object's, or an object without bytes.
fn no_bytes<'p>(m: &mut impl Machine<'p>, address: Word, tag: Tag, meant: Term) {
    match tag {
        Tag::NUMBER => {
            let builder = m.builder();
            let page = builder.terms.bits(builder.width(address.bits), NULL_PAGE);
            let null = builder.terms.ult(address.bits, page);
            let null = builder.and(meant, null);
            trouble(m, null, Trouble::Undefined(Undefined::NullDereference));
            trouble(m, meant, Trouble::Undefined(Undefined::InvalidPointer));
        }
        Tag::INDETERMINATE => unsupported(m, meant, "an address made of parts of pointers or indeterminate"),
        _ => trouble(m, meant, Trouble::Undefined(Undefined::InvalidPointer)),
    }
}

fn misaligned(builder: &mut Builder, offset: Term, aligned: u32, align: u32) -> Term {
    if aligned < align {
        return builder.yes;
    }
    let bits = align.trailing_zeros();
    if bits == 0 {
        return builder.no;
    }
    let low = builder.terms.extract(bits - 1, 0, offset);
    let zero = builder.terms.bits(bits, 0);
    builder.terms.distinct(low, zero)
}

/// The offsets within an object that an access may have.
fn offsets<'p>(
    m: &mut impl Machine<'p>,
    targets: &mut Vec<Target>,
    object: Tag,
    offset: Term,
    extent: u64,
    Wanted { size, align, sort, .. }: Wanted,
    meant: Term,
) {
    let Some(last) = extent.checked_sub(size) else { return };
    let constant = m.builder().constant(offset);
    if constant.is_some_and(|constant| constant > u128::from(last)) {
        return;
    }
    if sort == Sort::Bytes && m.is_array(object) {
        targets.push(somewhere(m.builder(), object, offset, size, align, meant));
        return;
    }
    if let Some(constant) = constant {
        targets.push(Target { object, offset: Offset::Known(constant as u64), when: meant });
        return;
    }
    let (stride, first) = stride(m.builder(), offset, u64::from(align.max(1)));
    let facts = m.builder().terms.facts(offset);
    if facts.low > u128::from(last) {
        return;
    }
    let (low, high) = (facts.low as u64, facts.high.min(u128::from(last)) as u64);
    let count = high.saturating_sub(low) / stride;
    let many = match sort {
        Sort::Bytes => m.many(object, count),
        Sort::Ghost if count > MOST_GHOSTS => Many::Refuse(MOST_GHOSTS),
        Sort::Ghost => Many::List,
    };
    match many {
        Many::List => {}
        Many::Stretch => {
            targets.push(somewhere(m.builder(), object, offset, size, align, meant));
            return;
        }
        Many::Refuse(bound) => {
            unsupported(m, meant, &format!("an index that may mean more than {bound} places"));
            return;
        }
    }
    let builder = m.builder();
    let width = builder.width(offset);
    let mut at = low + (first + stride - low % stride) % stride;
    while at <= high {
        let here = builder.terms.bits(width, u128::from(at));
        let same = builder.terms.equal(offset, here);
        let when = builder.and(meant, same);
        if !builder.is(when, false) {
            targets.push(Target { object, offset: Offset::Known(at), when });
        }
        at += stride;
    }
}

/// How many ghost fields an address may mean.
const MOST_GHOSTS: u64 = 2048;

/// Somewhere in an array.
fn somewhere(builder: &Builder, object: Tag, offset: Term, size: u64, align: u32, when: Term) -> Target {
    let residue = match builder.constant(offset) {
        Some(constant) => Residue::Exactly(constant as u64),
        None => {
            let (modulus, rest) = stride(builder, offset, u64::from(align.max(1)));
            Residue::Modulo { modulus, rest }
        }
    };
    Target { object, offset: Offset::Open(Stretch { offset, size: size as u32, residue }), when }
}

/// A modulus and a residue that the term is known to have as a number without wrapping: `c + stride * index`, where the
/// index is a widened smaller number.
fn stride(builder: &Builder, offset: Term, align: u64) -> (u64, u64) {
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
    let inner = match (terms.op(index), terms.operands(index)) {
        (Op::ZeroExtend(_) | Op::SignExtend(_), [inner]) => builder.width(*inner),
        _ => return (align, 0),
    };
    // The product with the largest index, and the sum, must have room.
    let small = inner <= 32 && factor > 0 && factor < 1 << 20 && added < 1 << 31;
    let fits = small && (u128::from(factor) << inner) + u128::from(added) < 1 << (builder.width(offset) - 1);
    if fits && factor.is_multiple_of(align) { (factor, added % factor) } else { (align, 0) }
}
