//! How memory is accessed, and which two accesses to the same thing interfere: the one place that says what a race is.

use crate::Atomicity;

/// Whether an access reads or writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AccessKind {
    /// It reads.
    Read,
    /// It writes.
    Write,
}

impl AccessKind {
    /// Whether the order of two accesses to the same thing can make a difference: one of them writes.
    #[inline]
    pub fn conflicts_with(self, other: AccessKind) -> bool {
        self == AccessKind::Write || other == AccessKind::Write
    }
}

/// How something is accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AccessMode {
    /// Reading or writing.
    pub kind: AccessKind,
    /// Whether it takes part in synchronisation.
    pub atomicity: Atomicity,
}

impl AccessMode {
    /// Whether accesses of two threads to the same thing race when they meet: they conflict and are not both atomic.
    #[inline]
    pub fn races_with(self, other: AccessMode) -> bool {
        let both_atomic = self.atomicity.is_atomic() && other.atomicity.is_atomic();
        self.kind.conflicts_with(other.kind) && !both_atomic
    }
}

#[cfg(test)]
mod tests {
    use super::AccessKind::{Read, Write};
    use super::*;

    #[test]
    fn two_accesses_race_when_one_writes_and_one_is_plain() {
        let modes = [Read, Write].iter().flat_map(|kind| {
            [Atomicity::Plain, Atomicity::SEQUENTIAL].map(|atomicity| AccessMode { kind: *kind, atomicity })
        });
        let modes: Vec<AccessMode> = modes.collect();
        let table = modes.iter().map(|a| modes.iter().map(|b| u8::from(a.races_with(*b))).collect::<Vec<_>>());
        // Plain and atomic reads, plain and atomic writes.
        assert_eq!(table.collect::<Vec<_>>(), [[0, 0, 1, 1], [0, 0, 1, 0], [1, 1, 1, 1], [1, 0, 1, 0]]);
    }
}
