//! When one condition follows from others, judged by conjuncts: every conjunct of it is a conjunct of one of them. Path
//! conditions are conjunctions of branch conditions, so this is enough to see what happens on every path.

use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_logic::{Op, Term, Terms};

/// Conjuncts of conditions, each taken apart once.
#[derive(Debug, Default)]
pub(crate) struct Conditions {
    conjuncts: FxHashMap<Term, Vec<Term>>,
}

/// How many conjuncts that are not given are looked for in the other condition; with more, nothing is said to follow.
const MISSING: usize = 8;

/// What is known to hold.
#[derive(Debug)]
pub(crate) struct Given(FxHashSet<Term>);

impl Conditions {
    fn conjuncts(&mut self, terms: &Terms, condition: Term) -> &[Term] {
        self.conjuncts.entry(condition).or_insert_with(|| {
            let (mut found, mut seen, mut rest) = (Vec::new(), FxHashSet::default(), vec![condition]);
            while let Some(term) = rest.pop() {
                if !seen.insert(term) {
                    continue;
                }
                match terms.op(term) {
                    Op::And => rest.extend(terms.operands(term)),
                    _ if terms.constant_value(term).is_some_and(|value| value.is_true()) => {}
                    _ => found.push(term),
                }
            }
            found
        })
    }

    pub fn given(&mut self, terms: &Terms, condition: Term) -> Given {
        Given(self.conjuncts(terms, condition).iter().copied().collect())
    }

    /// Whether the condition follows from what is given and another condition.
    pub fn follows(&mut self, terms: &Terms, condition: Term, given: &Given, other: Term) -> bool {
        if condition == other || given.0.contains(&condition) {
            return true;
        }
        let missing = self.conjuncts(terms, condition).iter().filter(|term| !given.0.contains(term));
        let missing: Vec<Term> = missing.copied().take(MISSING + 1).collect();
        missing.is_empty()
            || missing.len() <= MISSING && {
                let others = self.conjuncts(terms, other);
                missing.iter().all(|term| others.contains(term))
            }
    }
}
