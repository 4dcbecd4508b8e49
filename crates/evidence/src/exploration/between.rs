//! Interference between two lines ([`AtomicLines`]): for every thread that made an access on the first of them, what
//! others have done to the same place since. That is part of a state while the thread's next access to the place is
//! still to come; the same three accesses are looked for as by [`selvedge_program::Interference`].

use crate::AtomicLines;
use selvedge_program::semantics::{PendingAccess, Spot, State};
use selvedge_program::serial::makes_a_difference;
use selvedge_program::{AccessKind, Span, ThreadIndex};
use std::collections::BTreeSet;

/// An access on the first of two lines, by a thread that has not accessed the place again.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Begun {
    pub thread: ThreadIndex,
    /// Which of the pairs of lines.
    pub pair: usize,
    pub place: Spot,
    pub kind: AccessKind,
    /// What others did to it since.
    pub since: BTreeSet<(AccessKind, Spot)>,
}

/// A step of a thread that leads to a state.
#[derive(Clone, Copy, Debug)]
pub struct Made<'a> {
    pub thread: ThreadIndex,
    pub span: Span,
    pub accesses: &'a [PendingAccess],
    pub after: &'a State,
}

/// What has begun after a step, and between which lines somebody interfered.
pub fn follow(lines: &[AtomicLines], before: &[Begun], made: Made<'_>) -> (Vec<Begun>, BTreeSet<AtomicLines>) {
    let bytes: Vec<&PendingAccess> =
        made.accesses.iter().filter(|access| matches!(access.spot, Spot::Bytes { .. })).collect();
    let mut interfered = BTreeSet::new();
    let mut begun: Vec<Begun> = Vec::new();
    for earlier in before {
        let mut touching = bytes.iter().filter(|access| access.spot.overlaps(earlier.place));
        if earlier.thread != made.thread {
            let mut still = earlier.clone();
            still.since.extend(touching.map(|access| (access.kind, access.spot)));
            begun.push(still);
            continue;
        }
        let Some(again) = touching.next() else {
            begun.push(earlier.clone());
            continue;
        };
        let pair = lines[earlier.pair];
        let first = Span::on_line(pair.file, pair.first, 1, 1);
        let is_seen = |(kind, spot): &(AccessKind, Spot)| {
            spot.overlaps(again.spot) && makes_a_difference(earlier.kind, *kind, again.kind)
        };
        if pair.are([first, made.span], [earlier.kind, again.kind]) && earlier.since.iter().any(is_seen) {
            interfered.insert(pair);
        }
    }
    for (pair, asked) in lines.iter().enumerate() {
        if (asked.file, asked.first) != (made.span.file, made.span.line) {
            continue;
        }
        for (number, access) in bytes.iter().enumerate() {
            if bytes[number + 1..].iter().any(|later| later.spot.overlaps(access.spot)) {
                continue;
            }
            let (thread, place, kind) = (made.thread, access.spot, access.kind);
            begun.push(Begun { thread, pair, place, kind, since: BTreeSet::new() });
        }
    }
    let is_there = |begun: &Begun| {
        let is_alive = |object| made.after.memory().block(object).is_some();
        made.after.frame(begun.thread).is_some() && begun.place.object().is_some_and(is_alive)
    };
    begun.retain(is_there);
    begun.sort_unstable();
    begun.dedup();
    (begun, interfered)
}
