//! Simultaneous substitution of terms for terms.

use rustc_hash::FxHashMap;

use super::op::Op;
use super::{Term, Terms};
use crate::error::{Error, Result};

/// What stands for what. It remembers what it has already rewritten, so applying it to many terms of one store costs
/// each subterm once.
#[derive(Debug, Clone, Default)]
pub struct Substitution {
    pairs: Vec<(Term, Term)>,
    done: FxHashMap<Term, Term>,
    store: Option<u64>,
}

impl Substitution {
    pub fn new() -> Self {
        Self::default()
    }

    /// From now on `from` becomes `to`. Both must have one sort; a later pair for the same term wins.
    pub fn put(&mut self, terms: &Terms, from: Term, to: Term) -> Result<()> {
        self.adopt(terms)?;
        terms.require(from)?;
        terms.require(to)?;
        let (expected, given) = (terms.sort(from), terms.sort(to));
        if expected != given {
            return Err(Error::Expected { expected, given });
        }
        self.pairs.push((from, to));
        self.done = self.pairs.iter().copied().collect();
        Ok(())
    }

    fn adopt(&mut self, terms: &Terms) -> Result<()> {
        if *self.store.get_or_insert(terms.store()) == terms.store() { Ok(()) } else { Err(Error::Foreign) }
    }
}

impl Terms {
    /// The term with all pairs of the substitution put in at once: what is put in is not substituted again.
    pub fn substitute(&mut self, root: Term, substitution: &mut Substitution) -> Result<Term> {
        substitution.adopt(self)?;
        self.require(root)?;
        let done = &mut substitution.done;
        let mut pending = vec![(root, 0usize)];
        while let Some((term, next)) = pending.pop() {
            if done.contains_key(&term) {
                continue;
            }
            match self.operands(term).get(next) {
                Some(&operand) => {
                    pending.push((term, next + 1));
                    pending.push((operand, 0));
                }
                None => {
                    let rebuilt = self.with_operands(term, done);
                    done.insert(term, rebuilt);
                }
            }
        }
        done.get(&root).copied().ok_or(Error::Foreign)
    }

    fn with_operands(&mut self, term: Term, done: &FxHashMap<Term, Term>) -> Term {
        let op = self.op(term);
        if matches!(op, Op::Constant(_) | Op::Symbol(_)) {
            return term;
        }
        let mut operands = [Term(0); 3];
        let arity = op.arity();
        for (place, operand) in operands.iter_mut().zip(self.operands(term)) {
            *place = done.get(operand).copied().unwrap_or(*operand);
        }
        if operands[..arity] == *self.operands(term) {
            term
        } else {
            self.make(op, self.sort(term), &operands[..arity])
        }
    }
}
