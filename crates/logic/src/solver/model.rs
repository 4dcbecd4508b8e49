//! A satisfying assignment to symbols.

use crate::error::Result;
use crate::terms::{Assignment, SymbolId, Term, Terms, Value};

/// Values for the symbols of a question; symbols it does not mention count as 0 or false.
#[derive(Debug, Clone, Default)]
pub struct Model {
    assignment: Assignment,
}

impl Model {
    pub(super) fn set(&mut self, symbol: SymbolId, bits: u128) {
        self.assignment.set(symbol, bits);
    }

    /// The value of any term.
    pub fn value(&self, terms: &Terms, term: Term) -> Result<Value> {
        terms.evaluate(term, &self.assignment)
    }

    /// The term is true.
    pub fn satisfies(&self, terms: &Terms, term: Term) -> Result<bool> {
        Ok(self.value(terms, term)?.is_true())
    }

    pub fn assignment(&self) -> &Assignment {
        &self.assignment
    }
}
