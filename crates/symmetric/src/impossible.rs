//! Conditions that cannot hold together. Most questions have some among theirs that an earlier question had: one about
//! another level, with a literal more or less, or with more that is blocked.

use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_logic::Term;

/// Sets of conditions, each of which cannot hold together.
#[derive(Debug, Default)]
pub struct Impossible {
    /// Each is found by one of its conditions.
    cores: FxHashMap<Term, Vec<Vec<Term>>>,
}

impl Impossible {
    /// Of what is known to be impossible among conditions, the least.
    pub fn find(&self, conditions: &[Term]) -> Option<Vec<Term>> {
        let all: FxHashSet<Term> = conditions.iter().copied().collect();
        let mut conditions = conditions.to_vec();
        conditions.sort_unstable();
        conditions.dedup();
        let known = conditions.iter().filter_map(|condition| self.cores.get(condition)).flatten();
        let known = known.filter(|core| core.iter().all(|condition| all.contains(condition)));
        known.min_by_key(|core| core.len()).cloned()
    }

    /// One more.
    pub fn add(&mut self, core: &[Term]) {
        let mut core = core.to_vec();
        core.sort_unstable();
        // By the condition that fewest others are found by.
        let others = |condition: &Term| self.cores.get(condition).map_or(0, Vec::len);
        if let Some(rarest) = core.iter().copied().min_by_key(others) {
            self.cores.entry(rarest).or_default().push(core);
        }
    }
}
