//! Where the bytes of objects are split into cells.

use std::collections::{BTreeMap, BTreeSet};

use selvedge_symbolic::{CellKey, Tag};

/// The splits of all objects. What has been given out as a cell must not be split any more; if it is, everything begins
/// anew.
#[derive(Clone, Debug, Default)]
pub struct Splits {
    cuts: BTreeMap<Tag, BTreeSet<u64>>,
    given: BTreeMap<Tag, BTreeMap<u64, u64>>,
    /// Whether a cell has been split that had been given out.
    pub is_stale: bool,
}

/// No cell is longer.
const LONGEST: u64 = 16;

impl Splits {
    /// The same splits, nothing given out.
    pub fn anew(self) -> Splits {
        Splits { cuts: self.cuts, ..Splits::default() }
    }

    pub fn cut(&mut self, object: Tag, at: u64) {
        if self.cuts.entry(object).or_default().insert(at) {
            let given = self.given.entry(object).or_default();
            self.is_stale |= given.range(..at).next_back().is_some_and(|(_, end)| *end > at);
        }
    }

    /// The cells of some bytes.
    pub fn cells(&mut self, object: Tag, start: u64, end: u64) -> Vec<CellKey> {
        self.cut(object, start);
        self.cut(object, end);
        let mut cells = Vec::new();
        let mut at = start;
        while at < end {
            let cuts = &self.cuts[&object];
            let next = cuts.range(at + 1..).next().copied().unwrap_or(end).min(end);
            if next - at > LONGEST {
                self.cut(object, at + LONGEST);
                continue;
            }
            self.given.entry(object).or_default().insert(at, next);
            cells.push(CellKey::Bytes { object, start: at, size: (next - at) as u32 });
            at = next;
        }
        cells
    }
}
