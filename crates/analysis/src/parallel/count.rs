//! Counts, and how code changes them: functions of the form `x ↦ max(x + add, least)`.
//!
//! They are closed under composition and under the pointwise maximum, and distribute over it, so what a function or a
//! loop does to a count can be found once and applied wherever it is called, without loss.

/// An upper bound of a number of threads.
pub type Count = i32;

/// No bound.
pub const MANY: Count = Count::MAX;
/// Below every count: the maximum with it changes nothing.
const NEVER: Count = Count::MIN;
/// What is beyond has no bound.
const LARGEST: Count = 1 << 20;

fn plus(a: Count, b: Count) -> Count {
    if a == NEVER || b == NEVER {
        return NEVER;
    }
    if a == MANY || b == MANY {
        return MANY;
    }
    match a.saturating_add(b) {
        sum if sum > LARGEST => MANY,
        sum => sum.max(-LARGEST),
    }
}

fn times(factor: Count, add: Count) -> Count {
    match add {
        NEVER | MANY if factor > 0 => add,
        NEVER | MANY => 0,
        add => match factor.saturating_mul(add) {
            product if product > LARGEST => MANY,
            product => product.max(-LARGEST),
        },
    }
}

/// What a piece of code does to a count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Change {
    add: Count,
    least: Count,
}

impl Change {
    /// Nothing.
    pub const NONE: Change = Change { add: 0, least: NEVER };
    /// One more.
    pub const MORE: Change = Change { add: 1, least: NEVER };
    /// One less; there was one.
    pub const LESS: Change = Change { add: -1, least: 0 };
    /// At least one from now on.
    pub const SOME: Change = Change { add: 0, least: 1 };
    /// None from now on.
    pub const GONE: Change = Change { add: NEVER, least: 0 };

    /// The count after it.
    pub fn apply(self, count: Count) -> Count {
        plus(count, self.add).max(self.least)
    }

    /// First this, then that.
    pub fn then(self, next: Change) -> Change {
        Change { add: plus(self.add, next.add), least: plus(self.least, next.add).max(next.least) }
    }

    /// Either.
    pub fn or(self, other: Change) -> Change {
        Change { add: self.add.max(other.add), least: self.least.max(other.least) }
    }

    /// The change, except that what has grown since `before` has no bound any more.
    pub fn widened(self, before: Change) -> Change {
        let widen = |now: Count, then: Count| if now > then { MANY } else { now };
        Change { add: widen(self.add, before.add), least: widen(self.least, before.least) }
    }

    /// So many times in a row.
    pub fn repeated(self, times_taken: Count) -> Change {
        if times_taken <= 0 {
            return Change::NONE;
        }
        let last = if self.add > 0 { times(times_taken - 1, self.add) } else { 0 };
        Change { add: times(times_taken, self.add), least: plus(self.least, last) }
    }

    /// At most so many times in a row.
    pub fn repeated_up_to(self, times_taken: Count) -> Change {
        Change::NONE.or(if self.add > 0 { self.repeated(times_taken) } else { self.repeated(times_taken.min(1)) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples() -> Vec<Change> {
        let mut all = vec![Change::NONE, Change::MORE, Change::LESS, Change::SOME, Change::GONE];
        for add in [NEVER, -2, -1, 0, 1, 3, MANY] {
            for least in [NEVER, -1, 0, 1, 2, MANY] {
                all.push(Change { add, least });
            }
        }
        all
    }

    #[test]
    fn composition_and_choice_are_pointwise() {
        for f in samples() {
            for g in samples() {
                for x in [0, 1, 2, 5, MANY] {
                    assert_eq!(f.then(g).apply(x), g.apply(f.apply(x)), "{f:?} {g:?} {x}");
                    assert_eq!(f.or(g).apply(x), f.apply(x).max(g.apply(x)), "{f:?} {g:?} {x}");
                }
            }
        }
    }

    #[test]
    fn repetition_is_repeated_composition() {
        for f in samples() {
            let (mut once_more, mut any) = (Change::NONE, Change::NONE);
            for times in 0..6 {
                for x in [0, 1, 2, 5, MANY] {
                    assert_eq!(f.repeated(times).apply(x), once_more.apply(x), "{f:?} {times} {x}");
                    assert_eq!(f.repeated_up_to(times).apply(x), any.apply(x), "{f:?} {times} {x}");
                }
                once_more = once_more.then(f);
                any = any.or(once_more);
            }
        }
    }
}
