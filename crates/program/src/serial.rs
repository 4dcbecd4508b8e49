//! Atomicity violations: an access of another thread between two of one, such that no order that keeps the two together
//! does the same (the four unserialisable interleavings of Lu, Tucek, Qin and Zhou, *AVIO*, ASPLOS 2006).
//!
//! Accesses to memory count; what a lock, a condition variable or a thread keeps beside the bytes of memory does not.

use crate::semantics::{AccessKind, Effects, PendingAccess, Spot};

/// Positions of three steps in a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Interference {
    /// The first access of the one thread.
    pub first: usize,
    /// The access of another.
    pub between: usize,
    /// The next access of the one thread to the same place.
    pub second: usize,
}

impl Interference {
    /// The three accesses, if the steps do what is claimed: two accesses of one thread to one place, the second the
    /// thread's next to it, and between them one of another thread that makes a difference.
    pub fn accesses(self, effects: &[Effects]) -> Option<[PendingAccess; 3]> {
        self.ways(effects).first().copied()
    }

    /// All threes of accesses that the steps make and that are what is claimed; a step may access several places.
    pub fn ways(self, effects: &[Effects]) -> Vec<[PendingAccess; 3]> {
        let Interference { first, between, second } = self;
        let mut found = Vec::new();
        if !(first < between && between < second) {
            return found;
        }
        let of = |step: usize| {
            let accesses = effects.get(step).map_or(&[][..], |effects| &effects.accesses);
            accesses.iter().filter(|access| matches!(access.spot, Spot::Bytes { .. }))
        };
        for (number, mine) in of(first).enumerate() {
            let is_mine = |a: &&PendingAccess| a.thread == mine.thread && a.spot.overlaps(mine.spot);
            let later = of(first).skip(number + 1).chain((first + 1..second).flat_map(of));
            let Some(again) = of(second).find(is_mine).filter(|_| !later.into_iter().any(|a| is_mine(&a))) else {
                continue;
            };
            let theirs = of(between).filter(|a| {
                let same = a.thread != mine.thread && a.spot.overlaps(mine.spot) && a.spot.overlaps(again.spot);
                same && makes_a_difference(mine.kind, a.kind, again.kind)
            });
            found.extend(theirs.map(|theirs| [*mine, *theirs, *again]));
        }
        found
    }
}

/// Whether the middle access, made before or after the other two, would be seen or would see otherwise.
pub fn makes_a_difference(first: AccessKind, between: AccessKind, second: AccessKind) -> bool {
    match between {
        AccessKind::Write => first == AccessKind::Read || second == AccessKind::Read,
        AccessKind::Read => first == AccessKind::Write && second == AccessKind::Write,
    }
}
