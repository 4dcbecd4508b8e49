//! Hash-consed terms over truth values and bit-vectors.
//!
//! A [`Term`] is a small index into a [`Terms`] store: copying it is free, equal terms have equal indices, and indices
//! are given out in the order of construction, so that the same calls always give the same terms. A term is simplified
//! while it is built (`rewrite`); operands always have smaller indices than the term they belong to, which makes every
//! traversal a loop.

mod build;
mod display;
mod eval;
mod known;
mod op;
mod overflow;
mod rewrite;
mod substitute;
mod symbols;

use std::sync::atomic::{AtomicU64, Ordering};

use rustc_hash::FxHashMap;

pub use display::Displayed;
pub use eval::{Assignment, Evaluation, Value};
pub use known::Known;
pub use op::{MAX_WIDTH, Op, Sort};
pub use substitute::Substitution;
pub use symbols::SymbolId;

use crate::error::{Error, Result};
use symbols::Symbols;

/// A term of a [`Terms`] store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Term(u32);

impl Term {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Operands are stored in the node; unused places hold the first term.
type Operands = [Term; 3];

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Node {
    op: Op,
    sort: Sort,
    operands: Operands,
}

/// A store of terms.
#[derive(Debug)]
pub struct Terms {
    /// Tells stores apart, nothing else: it never shows in a result.
    store: u64,
    nodes: Vec<Node>,
    facts: Vec<Known>,
    ids: FxHashMap<Node, Term>,
    symbols: Symbols,
    /// How deep the rewriting of one construction has gone; bounded, see [`rewrite`].
    depth: u32,
}

/// The store number is only compared for equality.
static STORES: AtomicU64 = AtomicU64::new(0);

impl Default for Terms {
    fn default() -> Self {
        Self::new()
    }
}

impl Terms {
    pub fn new() -> Self {
        let mut terms = Terms {
            store: STORES.fetch_add(1, Ordering::Relaxed),
            nodes: Vec::new(),
            facts: Vec::new(),
            ids: FxHashMap::default(),
            symbols: Symbols::default(),
            depth: 0,
        };
        terms.constant(Sort::Bool, 0);
        terms.constant(Sort::Bool, 1);
        terms
    }

    /// The number of different terms built so far.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    pub(crate) fn store(&self) -> u64 {
        self.store
    }

    /// The term is one of this store (as far as its index tells).
    pub fn contains(&self, term: Term) -> bool {
        term.index() < self.nodes.len()
    }

    pub(crate) fn require(&self, term: Term) -> Result<()> {
        if self.contains(term) { Ok(()) } else { Err(Error::Foreign) }
    }

    pub fn sort(&self, term: Term) -> Sort {
        self.nodes[term.index()].sort
    }

    pub fn op(&self, term: Term) -> Op {
        self.nodes[term.index()].op
    }

    pub fn operands(&self, term: Term) -> &[Term] {
        let node = &self.nodes[term.index()];
        &node.operands[..node.op.arity()]
    }

    /// What is known about the value of a term whatever its symbols stand for.
    pub fn facts(&self, term: Term) -> Known {
        self.facts[term.index()]
    }

    /// The value of a constant.
    pub fn constant_value(&self, term: Term) -> Option<Value> {
        self.constant_bits(term).map(|bits| Value::new(self.sort(term), bits))
    }

    pub(crate) fn constant_bits(&self, term: Term) -> Option<u128> {
        match self.op(term) {
            Op::Constant(bits) => Some(bits),
            _ => None,
        }
    }

    /// The number of symbols declared so far.
    pub fn symbol_count(&self) -> usize {
        self.symbols.len()
    }

    /// All symbols, in the order of declaration.
    pub fn symbols(&self) -> impl Iterator<Item = SymbolId> + use<> {
        (0..self.symbols.len() as u32).map(SymbolId)
    }

    pub fn symbol_name(&self, symbol: SymbolId) -> &str {
        self.symbols.name(symbol)
    }

    pub fn symbol_sort(&self, symbol: SymbolId) -> Sort {
        self.symbols.sort(symbol)
    }

    /// The symbol of that name, if declared.
    pub fn lookup(&self, name: &str) -> Option<SymbolId> {
        self.symbols.lookup(name)
    }

    /// The symbols that occur in the terms, in the order of declaration.
    pub fn symbols_of(&self, roots: &[Term]) -> Vec<SymbolId> {
        let mut found: Vec<SymbolId> = self
            .post_order(roots)
            .into_iter()
            .filter_map(|term| match self.op(term) {
                Op::Symbol(symbol) => Some(symbol),
                _ => None,
            })
            .collect();
        found.sort_unstable();
        found
    }

    /// All terms below the roots, each once, operands before their users.
    pub fn post_order(&self, roots: &[Term]) -> Vec<Term> {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut order = Vec::new();
        let mut pending: Vec<(Term, usize)> = Vec::new();
        for &root in roots.iter().filter(|&&root| self.contains(root)) {
            if seen.insert(root) {
                pending.push((root, 0));
            }
            while let Some((term, next)) = pending.pop() {
                match self.operands(term).get(next) {
                    Some(&operand) => {
                        pending.push((term, next + 1));
                        if seen.insert(operand) {
                            pending.push((operand, 0));
                        }
                    }
                    None => order.push(term),
                }
            }
        }
        order
    }

    /// The one node for this operation and these operands; nothing is simplified.
    fn intern(&mut self, op: Op, sort: Sort, operands: &[Term]) -> Term {
        let mut stored = [Term(0); 3];
        stored[..operands.len()].copy_from_slice(operands);
        let node = Node { op, sort, operands: stored };
        if let Some(&term) = self.ids.get(&node) {
            return term;
        }
        let term = Term(self.nodes.len() as u32);
        let facts = Known::of(self, op, sort, operands);
        self.nodes.push(node);
        self.facts.push(facts);
        self.ids.insert(node, term);
        term
    }

    /// A constant; bits beyond the sort's width are dropped.
    pub(crate) fn constant(&mut self, sort: Sort, bits: u128) -> Term {
        self.intern(Op::Constant(bits & sort.mask()), sort, &[])
    }

    pub(crate) fn symbol_term(&mut self, symbol: SymbolId) -> Term {
        let sort = self.symbols.sort(symbol);
        self.intern(Op::Symbol(symbol), sort, &[])
    }
}
