//! Conditions that cannot hold together. Most questions have them among theirs where an earlier one had: about another
//! level, with a literal more or less, or with more that is blocked.

use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_logic::Term;

/// Sets of conditions, each of which cannot hold together.
#[derive(Debug, Default)]
pub struct Impossible {
    /// Each is found by one of its conditions.
    cores: FxHashMap<Term, Vec<Vec<Term>>>,
}

impl Impossible {
    /// Some of the conditions that are known to be impossible.
    pub fn find(&self, conditions: &[Term]) -> Option<Vec<Term>> {
        let all: FxHashSet<Term> = conditions.iter().copied().collect();
        let mut known = conditions.iter().filter_map(|condition| self.cores.get(condition)).flatten();
        known.find(|core| core.iter().all(|condition| all.contains(condition))).cloned()
    }

    /// One more.
    pub fn add(&mut self, core: &[Term]) {
        // By the condition that fewest others are found by.
        let number = |condition: &Term| self.cores.get(condition).map_or(0, Vec::len);
        if let Some(rarest) = core.iter().copied().min_by_key(number) {
            self.cores.entry(rarest).or_default().push(core.to_vec());
        }
    }
}
