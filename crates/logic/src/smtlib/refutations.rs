//! A script of many questions over one store of terms. What is declared or defined for one question serves all later
//! ones, so the text grows with what is new in each.

use std::fmt::Write;

use rustc_hash::{FxHashMap, FxHashSet};

use super::print::{declaration, term_text};
use crate::terms::{SymbolId, Term, Terms};

/// Sets of formulas that are claimed not to hold together, each between `push` and `pop`.
#[derive(Debug, Clone)]
pub struct Refutations {
    text: String,
    declared: FxHashSet<SymbolId>,
    /// The names of formulas that occurred.
    defined: FxHashMap<Term, String>,
    count: usize,
}

impl Default for Refutations {
    fn default() -> Self {
        Self::new()
    }
}

impl Refutations {
    /// None yet.
    pub fn new() -> Self {
        let text = "(set-logic QF_BV)\n".to_string();
        Refutations { text, declared: FxHashSet::default(), defined: FxHashMap::default(), count: 0 }
    }

    /// A comment.
    pub fn remark(&mut self, text: &str) {
        for line in text.lines() {
            let _ = writeln!(self.text, "; {line}");
        }
    }

    /// One more question, to which the answer is to be `unsat`. All must be about the same store of terms.
    pub fn refuted(&mut self, terms: &Terms, formulas: &[Term]) {
        for symbol in terms.symbols_of(formulas) {
            if self.declared.insert(symbol) {
                self.text.push_str(&declaration(terms, symbol));
            }
        }
        for &formula in formulas {
            if !self.defined.contains_key(&formula) {
                let name = self.unused_name(terms);
                let _ = writeln!(self.text, "(define-fun {name} () Bool {})", term_text(terms, formula));
                self.defined.insert(formula, name);
            }
        }
        self.text.push_str("(push 1)\n");
        for formula in formulas {
            let _ = writeln!(self.text, "(assert {})", self.defined[formula]);
        }
        self.text.push_str("(set-info :status unsat)\n(check-sat)\n(pop 1)\n");
        self.count += 1;
    }

    /// How many questions there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The whole script.
    pub fn into_text(self) -> String {
        self.text
    }

    fn unused_name(&self, terms: &Terms) -> String {
        let mut name = format!("?c{}", self.defined.len());
        while terms.lookup(&name).is_some() {
            name.push('_');
        }
        name
    }
}
