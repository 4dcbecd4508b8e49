//! The free symbols of a store: a name and a sort each, numbered in the order of their declaration.

use rustc_hash::FxHashMap;

use super::op::Sort;

/// A free symbol of a [`Terms`](super::Terms) store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SymbolId(pub(crate) u32);

impl SymbolId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Symbols {
    declared: Vec<(String, Sort)>,
    by_name: FxHashMap<String, SymbolId>,
}

impl Symbols {
    pub fn lookup(&self, name: &str) -> Option<SymbolId> {
        self.by_name.get(name).copied()
    }

    pub fn declare(&mut self, name: &str, sort: Sort) -> SymbolId {
        let id = SymbolId(self.declared.len() as u32);
        self.declared.push((name.to_string(), sort));
        self.by_name.insert(name.to_string(), id);
        id
    }

    pub fn name(&self, id: SymbolId) -> &str {
        &self.declared[id.index()].0
    }

    pub fn sort(&self, id: SymbolId) -> Sort {
        self.declared[id.index()].1
    }

    pub fn len(&self) -> usize {
        self.declared.len()
    }
}
