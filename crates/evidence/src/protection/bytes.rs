//! Sets of bytes of an object, by their distance from some place in it.

/// All bytes, or those of some ranges: sorted, apart from each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Bytes {
    All,
    Ranges(Vec<(i64, i64)>),
}

impl Bytes {
    pub const NONE: Bytes = Bytes::Ranges(Vec::new());

    /// Whether so many bytes from a place on are among them.
    pub fn covers(&self, from: i64, size: u64) -> bool {
        let Bytes::Ranges(ranges) = self else { return true };
        let Some(to) = i64::try_from(size).ok().and_then(|size| from.checked_add(size)) else { return false };
        ranges.iter().any(|(first, end)| *first <= from && to <= *end)
    }

    /// The same with so many bytes from a place on.
    pub fn insert(&mut self, from: i64, size: u64) {
        let Bytes::Ranges(ranges) = self else { return };
        let Some(to) = i64::try_from(size).ok().and_then(|size| from.checked_add(size)) else { return };
        let mut whole = (from, to);
        ranges.retain(|(first, end)| {
            let is_apart = *end < whole.0 || whole.1 < *first;
            if !is_apart {
                whole = (whole.0.min(*first), whole.1.max(*end));
            }
            is_apart
        });
        let at = ranges.partition_point(|range| *range < whole);
        ranges.insert(at, whole);
    }

    /// The bytes that are in both.
    pub fn meet(&self, other: &Bytes) -> Bytes {
        match (self, other) {
            (Bytes::All, bytes) | (bytes, Bytes::All) => bytes.clone(),
            (Bytes::Ranges(ranges), Bytes::Ranges(others)) => {
                let both = ranges.iter().flat_map(|(first, end)| {
                    let cut = |(other, other_end): &(i64, i64)| (*first.max(other), *end.min(other_end));
                    others.iter().map(cut).filter(|(first, end)| first < end)
                });
                Bytes::Ranges(both.collect())
            }
        }
    }

    /// The bytes that are in either.
    pub fn join(&self, other: &Bytes) -> Bytes {
        match (self, other) {
            (Bytes::All, _) | (_, Bytes::All) => Bytes::All,
            (bytes, Bytes::Ranges(others)) => {
                let mut joined = bytes.clone();
                others.iter().for_each(|(first, end)| joined.insert(*first, first.abs_diff(*end)));
                joined
            }
        }
    }

    /// The same bytes, seen from a place so many bytes further on.
    pub fn seen_from(&self, place: i64) -> Bytes {
        match self {
            Bytes::All => Bytes::All,
            Bytes::Ranges(ranges) => {
                let moved =
                    ranges.iter().filter_map(|(first, end)| Some((first.checked_sub(place)?, end.checked_sub(place)?)));
                Bytes::Ranges(moved.collect())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn members(bytes: &Bytes) -> Vec<i64> {
        (-20..40).filter(|at| bytes.covers(*at, 1)).collect()
    }

    #[test]
    fn sets_agree_with_their_members() {
        let mut samples = vec![Bytes::NONE];
        for (from, size) in [(0, 8), (8, 4), (2, 3), (16, 8), (12, 1), (-4, 2)] {
            let mut next = samples.clone();
            next.iter_mut().for_each(|bytes| bytes.insert(from, size));
            for bytes in &next {
                assert!(bytes.covers(from, size));
            }
            samples.extend(next);
        }
        for a in &samples {
            for b in &samples {
                let (of_a, of_b) = (members(a), members(b));
                let both: Vec<i64> = of_a.iter().copied().filter(|at| of_b.contains(at)).collect();
                assert_eq!(members(&a.meet(b)), both, "{a:?} {b:?}");
                let either: Vec<i64> = (-20..40).filter(|at| of_a.contains(at) || of_b.contains(at)).collect();
                assert_eq!(members(&a.join(b)), either, "{a:?} {b:?}");
            }
            let moved: Vec<i64> = members(a).iter().map(|at| at - 4).filter(|at| *at >= -20).collect();
            assert_eq!(members(&a.seen_from(4)), moved);
        }
    }
}
