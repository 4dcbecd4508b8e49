//! Sets of targets, each kept once and known by its number.
//!
//! In a real program most pointers that go through generic containers may point to the same thousands of targets. So
//! sets are shared, and what comes of two sets, or of a set and a movement, is remembered: nodes that hold the same
//! do the work once.
//!
//! A set holds at most [`MOST_OFFSETS`] offsets of one object; when there would be more, they are joined to one
//! congruence class. An offset that is within a class of the same object is left out. So there are finitely many
//! sets.

use super::offset::gcd;
use super::{AbstractObject, Offset, Target};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// How a pointer changes on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// This is added.
    pub distance: i64,
    /// Any multiple of this is added too; 0 for none.
    pub factor: u64,
}

impl Move {
    /// No change.
    pub const NONE: Move = Move { distance: 0, factor: 0 };
    /// Anywhere within the object.
    pub const ANYWHERE: Move = Move { distance: 0, factor: 1 };

    /// Both, one after the other.
    #[must_use]
    pub fn then(self, next: Move) -> Move {
        Move { distance: self.distance.wrapping_add(next.distance), factor: gcd(self.factor, next.factor) }
    }

    /// Where a target is then. Functions have no inside: a pointer that was moved within one still points to its
    /// start, since it can be called only from there.
    pub fn apply(self, target: Target) -> Target {
        match target.object {
            AbstractObject::Function(_) => target,
            _ => Target { offset: target.offset.plus(self.distance).plus_multiples(self.factor), ..target },
        }
    }
}

/// A set by number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SetId(u32);

impl SetId {
    /// The set without targets.
    pub const EMPTY: SetId = SetId(0);
}

/// Beyond this many offsets of one object, they are joined to a congruence class.
const MOST_OFFSETS: usize = 16;

/// All sets.
#[derive(Clone, Debug)]
pub struct Sets {
    all: Vec<Arc<[Target]>>,
    numbers: FxHashMap<Arc<[Target]>, SetId>,
    unions: FxHashMap<(SetId, SetId), SetId>,
    unions_of_many: FxHashMap<Vec<SetId>, SetId>,
    differences: FxHashMap<(SetId, SetId), SetId>,
    moved: FxHashMap<(SetId, Move), SetId>,
    /// How many targets all sets have together.
    size: usize,
    /// How many sets are named in the unions of many.
    remembered: usize,
}

impl Default for Sets {
    fn default() -> Sets {
        let empty: Arc<[Target]> = Arc::default();
        Sets {
            all: vec![empty.clone()],
            numbers: FxHashMap::from_iter([(empty, SetId::EMPTY)]),
            unions: FxHashMap::default(),
            unions_of_many: FxHashMap::default(),
            differences: FxHashMap::default(),
            moved: FxHashMap::default(),
            size: 0,
            remembered: 0,
        }
    }
}

impl Sets {
    /// The targets of a set, sorted.
    pub fn get(&self, set: SetId) -> &Arc<[Target]> {
        &self.all[set.0 as usize]
    }

    /// How many targets all sets have together, and how many results are remembered.
    pub fn weight(&self) -> usize {
        self.size + self.remembered + self.unions.len() + self.differences.len() + self.moved.len()
    }

    /// The set of some targets.
    pub fn of(&mut self, targets: Vec<Target>) -> SetId {
        let targets = normalised(targets);
        if let Some(set) = self.numbers.get(targets.as_slice()) {
            return *set;
        }
        let set = SetId(self.all.len() as u32);
        self.size += targets.len();
        let targets: Arc<[Target]> = targets.into();
        self.all.push(targets.clone());
        self.numbers.insert(targets, set);
        set
    }

    /// What is in one of two sets.
    pub fn union(&mut self, a: SetId, b: SetId) -> SetId {
        let (a, b) = (a.min(b), a.max(b));
        if a == b || a == SetId::EMPTY {
            return b;
        }
        if let Some(set) = self.unions.get(&(a, b)) {
            return *set;
        }
        let both = merged(self.get(a), self.get(b));
        let set = self.of(both);
        self.unions.insert((a, b), set);
        set
    }

    /// What is in any of some sets.
    pub fn union_of_all(&mut self, mut some: Vec<SetId>) -> SetId {
        some.sort_unstable();
        some.dedup();
        match some.as_slice() {
            [] => return SetId::EMPTY,
            [one] => return *one,
            [one, other] => return self.union(*one, *other),
            _ => {}
        }
        if let Some(set) = self.unions_of_many.get(&some) {
            return *set;
        }
        let mut all: Vec<Target> = some.iter().flat_map(|set| self.get(*set).iter().copied()).collect();
        // This kind of sorting makes use of the lists being sorted themselves.
        all.sort();
        let set = self.of(all);
        self.remembered += some.len();
        self.unions_of_many.insert(some, set);
        set
    }

    /// What is in the first set and not in the second.
    pub fn difference(&mut self, a: SetId, b: SetId) -> SetId {
        if b == SetId::EMPTY || a == b {
            return if a == b { SetId::EMPTY } else { a };
        }
        if let Some(set) = self.differences.get(&(a, b)) {
            return *set;
        }
        let mut other = self.get(b).iter().peekable();
        let is_new = |target: &&Target| {
            while other.next_if(|known| known < target).is_some() {}
            other.peek() != Some(target)
        };
        let rest: Vec<Target> = self.get(a).iter().filter(is_new).copied().collect();
        let set = self.of(rest);
        self.differences.insert((a, b), set);
        set
    }

    /// What is in both sets.
    pub fn common(&mut self, a: SetId, b: SetId) -> SetId {
        if a == b {
            return a;
        }
        let rest = self.difference(a, b);
        self.difference(a, rest)
    }

    /// What a movement makes of a set.
    pub fn moved(&mut self, set: SetId, movement: Move) -> SetId {
        if movement == Move::NONE || set == SetId::EMPTY {
            return set;
        }
        if let Some(moved) = self.moved.get(&(set, movement)) {
            return *moved;
        }
        let moved = self.get(set).iter().map(|target| movement.apply(*target)).collect();
        let moved = self.of(moved);
        self.moved.insert((set, movement), moved);
        moved
    }

    /// Forgets all sets but some, and whatever is remembered of them; what they are called then.
    pub fn keep_only(&mut self, kept: impl Iterator<Item = SetId>) -> FxHashMap<SetId, SetId> {
        let old = std::mem::take(self);
        let mut names = FxHashMap::from_iter([(SetId::EMPTY, SetId::EMPTY)]);
        for set in kept {
            names.entry(set).or_insert_with(|| {
                let name = SetId(self.all.len() as u32);
                let targets = old.get(set).clone();
                self.size += targets.len();
                self.all.push(targets.clone());
                self.numbers.insert(targets, name);
                name
            });
        }
        names
    }
}

/// Two sorted lists as one.
fn merged(a: &[Target], b: &[Target]) -> Vec<Target> {
    let mut all = Vec::with_capacity(a.len() + b.len());
    let mut rest = a.iter().peekable();
    for target in b {
        while let Some(before) = rest.next_if(|before| *before < target) {
            all.push(*before);
        }
        all.push(*target);
    }
    all.extend(rest);
    all
}

/// The same targets, or more: sorted, with few offsets of each object.
fn normalised(mut targets: Vec<Target>) -> Vec<Target> {
    if !targets.is_sorted() {
        targets.sort_unstable();
    }
    targets.dedup();
    let mut kept = Vec::with_capacity(targets.len());
    for of_object in targets.chunk_by(|a, b| a.object == b.object) {
        if let [target] = of_object {
            kept.push(*target);
            continue;
        }
        let is_needed = |target: &&Target| {
            !of_object.iter().any(|other| other.offset != target.offset && other.offset.covers(target.offset))
        };
        let first = kept.len();
        kept.extend(of_object.iter().filter(is_needed).copied());
        if kept.len() - first > MOST_OFFSETS {
            let object = kept[first].object;
            let joined = kept.drain(first..).map(|target| target.offset).reduce(Offset::join);
            kept.extend(joined.map(|offset| Target { object, offset }));
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use selvedge_program::ObjectId;

    fn target(object: u32, start: i64, stride: u64) -> Target {
        Target { object: AbstractObject::Static(ObjectId(object)), offset: Offset { start, stride } }
    }

    #[test]
    fn sets_are_kept_once() {
        let mut sets = Sets::default();
        let a = sets.of(vec![target(1, 8, 0), target(0, 0, 0)]);
        let b = sets.of(vec![target(1, 8, 0), target(2, 0, 0)]);
        let both = sets.union(a, b);
        assert_eq!(both, sets.of(vec![target(2, 0, 0), target(0, 0, 0), target(1, 8, 0)]));
        assert_eq!(sets.difference(both, b), sets.of(vec![target(0, 0, 0)]));
        assert_eq!(sets.common(a, b), sets.of(vec![target(1, 8, 0)]));
        let moved = sets.moved(a, Move { distance: 4, factor: 0 });
        assert_eq!(**sets.get(moved), [target(0, 4, 0), target(1, 12, 0)]);
        let names = sets.keep_only([moved].into_iter());
        assert_eq!(**sets.get(names[&moved]), [target(0, 4, 0), target(1, 12, 0)]);
    }

    #[test]
    fn many_offsets_become_one_class() {
        let few = normalised((0..16).map(|k| target(0, k * 8, 0)).collect());
        assert_eq!(few.len(), 16);
        assert_eq!(normalised((0..17).map(|k| target(0, k * 8 + 4, 0)).collect()), [target(0, 4, 8)]);
        assert_eq!(
            normalised(vec![target(0, 4, 8), target(0, 12, 0), target(0, 8, 0)]),
            [target(0, 4, 8), target(0, 8, 0)]
        );
    }
}
