//! Operations on floating-point numbers in a skeleton: what they are computed from.

use selvedge_logic::{SymbolId, Term};
use selvedge_symbolic::Opaque;

use crate::skeleton::Skeleton;

impl Skeleton {
    /// What the operations that these terms depend on are computed from, and what those depend on.
    pub fn operands_of(&self, roots: &[Term]) -> Vec<Term> {
        let mut found: Vec<Term> = Vec::new();
        let mut left: Vec<&Opaque> = self.opaque.iter().collect();
        loop {
            let mut terms = roots.to_vec();
            terms.extend(&found);
            let used: rustc_hash::FxHashSet<SymbolId> = self.terms.symbols_of(&terms).into_iter().collect();
            let before = left.len();
            left.retain(|opaque| {
                let is_used = opaque.symbols(&self.terms).any(|symbol| used.contains(&symbol));
                if is_used {
                    found.extend([opaque.application.left, opaque.application.right]);
                }
                !is_used
            });
            if left.len() == before {
                return found;
            }
        }
    }
}
