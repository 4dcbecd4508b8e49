//! Interned names.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

/// A name, cheap to copy and compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symbol(u32);

impl Symbol {
    /// Its position among all names of its interner, for tables over names.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// All names of a compilation, shared by its translation units.
#[derive(Clone, Debug, Default)]
pub struct Interner {
    names: IndexSet<Box<str>, FxBuildHasher>,
}

impl Interner {
    /// The symbol of a name.
    pub fn intern(&mut self, name: &str) -> Symbol {
        let position = match self.names.get_index_of(name) {
            Some(position) => position,
            None => self.names.insert_full(name.into()).0,
        };
        Symbol(u32::try_from(position).expect("fewer than 2^32 names fit into the input's size limit"))
    }

    /// The symbol of a name, if it occurs at all.
    pub fn get(&self, name: &str) -> Option<Symbol> {
        self.names.get_index_of(name).map(|position| Symbol(position as u32))
    }

    /// The name of a symbol; empty for a symbol of another interner.
    pub fn name(&self, symbol: Symbol) -> &str {
        self.names.get_index(symbol.0 as usize).map_or("", |name| name)
    }
}
