//! Static cells: the bytes of every abstract object, cut wherever an access that may touch it may begin or end.
//!
//! So every access covers whole cells. Where accesses have a stride (elements of an array), the cuts repeat with the
//! greatest common divisor of all strides on the object: an array that is accessed by elements has a cell for every
//! element, however many there are, and what is known of one is said of a class of them ([`CellClass`]). Accesses of
//! different sizes, unions and byte by byte copies make smaller cells, down to single bytes. The end of an object's
//! life cuts nothing.

use crate::points_to::SharedTargets;
use crate::{AbstractObject, Offset, PointsTo};
use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_program::{FunctionId, Program, Touch, Touched};
use std::collections::{BTreeMap, BTreeSet};

/// Cells of one size in an object: one, or one at every multiple of a stride.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CellClass {
    /// The object.
    pub object: AbstractObject,
    /// Where they begin.
    pub offset: Offset,
    /// How many bytes each has.
    pub size: u64,
}

/// How an object is cut.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// The cuts repeat after so many bytes; 0 if they do not.
    period: u64,
    /// Where the cuts are, within one period.
    cuts: Vec<i64>,
}

/// The cells of all objects.
#[derive(Clone, Debug, Default)]
pub struct Cells {
    layouts: BTreeMap<AbstractObject, Layout>,
}

/// More cuts than this in one object, and it is cut everywhere.
const MOST_CUTS: usize = 4096;

impl Cells {
    /// Cuts the objects of a program.
    pub fn of(program: &Program, points_to: &PointsTo) -> Cells {
        let mut accesses: FxHashSet<(SharedTargets, u64, bool)> = FxHashSet::default();
        for (index, function) in program.functions.iter().enumerate() {
            let id = FunctionId::new(index);
            for touch in function.edges.iter().flat_map(|edge| edge.action.touches()) {
                if let Some((size, is_string)) = extent(&touch) {
                    accesses.insert((points_to.shared_targets_of(id, touch.address), size, is_string));
                }
            }
        }
        let mut pieces: FxHashMap<AbstractObject, BTreeSet<(Offset, u64)>> = FxHashMap::default();
        for (targets, size, is_string) in &accesses {
            for target in targets.iter() {
                let offset = if *is_string { Offset::ANY } else { target.offset };
                pieces.entry(target.object).or_default().insert((offset, *size));
            }
        }
        Cells { layouts: pieces.into_iter().map(|(object, pieces)| (object, Layout::of(&pieces))).collect() }
    }

    /// How an object is cut; `None` if nothing accesses its bytes.
    pub fn layout(&self, object: AbstractObject) -> Option<&Layout> {
        self.layouts.get(&object)
    }

    /// The cells that an access may cover, some of them or all. What the library keeps is in none, and the end of an
    /// object's life is not an access to cells.
    pub fn candidates(&self, points_to: &PointsTo, function: FunctionId, touch: &Touch<'_>) -> Vec<CellClass> {
        let Some((size, is_string)) = extent(touch) else { return Vec::new() };
        let targets = points_to.shared_targets_of(function, touch.address);
        let mut found: BTreeSet<CellClass> = BTreeSet::new();
        for target in targets.iter() {
            let offset = if is_string { Offset::ANY } else { target.offset };
            let layout = self.layouts.get(&target.object);
            let pieces = layout.into_iter().flat_map(|layout| layout.pieces(offset, size));
            found.extend(pieces.map(|(offset, size)| CellClass { object: target.object, offset, size }));
        }
        found.into_iter().collect()
    }
}

/// How many bytes an access to bytes has, and whether it goes on from there.
fn extent(touch: &Touch<'_>) -> Option<(u64, bool)> {
    match touch.what {
        Touched::Bytes(size) => Some((size, false)),
        Touched::CString => Some((1, true)),
        Touched::Ghost(_) | Touched::Whole => None,
    }
}

impl Layout {
    fn of(pieces: &BTreeSet<(Offset, u64)>) -> Layout {
        let period = pieces.iter().fold(0, |period, (offset, _)| Offset::common_stride(period, offset.stride));
        let ends = pieces.iter().flat_map(|(offset, size)| [offset.start, offset.start.saturating_add_unsigned(*size)]);
        let layout = Layout { period, cuts: Vec::new() };
        let cuts: BTreeSet<i64> = ends.map(|cut| layout.within(cut)).collect();
        if cuts.len() > MOST_CUTS {
            return Layout { period: 1, cuts: vec![0] };
        }
        Layout { period, cuts: cuts.into_iter().collect() }
    }

    /// A place, by where it is within a period.
    fn within(&self, at: i64) -> i64 {
        i64::try_from(self.period).ok().and_then(|period| at.checked_rem_euclid(period)).unwrap_or(at)
    }

    /// Whether there is a cut at a place.
    pub fn is_cut(&self, at: i64) -> bool {
        self.cuts.binary_search(&self.within(at)).is_ok()
    }

    /// The next cut after a place, if there is one.
    fn next_cut(&self, at: i64) -> Option<i64> {
        let (within, position) = (self.within(at), self.cuts.partition_point(|cut| *cut <= self.within(at)));
        match (self.cuts.get(position), self.cuts.first(), self.period) {
            (Some(cut), _, _) => Some(at + (cut - within)),
            (None, _, 0) => None,
            (None, first, period) => Some(at.saturating_add_unsigned(period) + (first? - within)),
        }
    }

    /// The cells that an access covers, by where they begin and their sizes.
    pub fn pieces(&self, offset: Offset, size: u64) -> Vec<(Offset, u64)> {
        let end = offset.start.saturating_add_unsigned(size);
        let mut found = Vec::new();
        let mut at = offset.start;
        while at < end {
            let Some(next) = self.next_cut(at) else { break };
            found.push((Offset::ZERO.plus_multiples(offset.stride).plus(at), next.abs_diff(at)));
            at = next;
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(pieces: &[(i64, u64, u64)]) -> Layout {
        Layout::of(
            &pieces.iter().map(|(start, stride, size)| (Offset { start: *start, stride: *stride }, *size)).collect(),
        )
    }

    fn sizes(layout: &Layout, start: i64, stride: u64, size: u64) -> Vec<u64> {
        layout.pieces(Offset { start, stride }, size).into_iter().map(|(_, size)| size).collect()
    }

    #[test]
    fn members_stay_whole_and_unions_are_cut() {
        let members = layout(&[(0, 0, 4), (8, 0, 8)]);
        assert_eq!((sizes(&members, 0, 0, 4), sizes(&members, 8, 0, 8)), (vec![4], vec![8]));
        let union = layout(&[(0, 0, 8), (0, 0, 4), (6, 0, 2)]);
        assert_eq!(sizes(&union, 0, 0, 8), [4, 2, 2]);
    }

    #[test]
    fn elements_are_cells_of_a_class() {
        let array = layout(&[(0, 4, 4), (12, 0, 4)]);
        assert_eq!(array.pieces(Offset { start: 0, stride: 4 }, 4), [(Offset { start: 0, stride: 4 }, 4)]);
        assert_eq!(array.pieces(Offset { start: 12, stride: 0 }, 4), [(Offset { start: 12, stride: 0 }, 4)]);
        let structs = layout(&[(0, 16, 4), (8, 16, 8), (24, 0, 4)]);
        assert_eq!(sizes(&structs, 8, 16, 8), [4, 4]);
        assert_eq!(sizes(&structs, 24, 0, 4), [4]);
        assert!(structs.is_cut(20) && !structs.is_cut(18));
    }

    #[test]
    fn what_is_copied_byte_by_byte_is_cut_into_bytes() {
        let bytes = layout(&[(0, 0, 4), (0, 1, 1)]);
        assert_eq!(sizes(&bytes, 0, 0, 4), [1, 1, 1, 1]);
    }
}
