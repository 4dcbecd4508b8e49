//! Which names are typedef names, variables or soft keywords at the current place of the text.
//!
//! One table over all symbols holds the current meanings; declaring a name in an inner scope saves the meaning it
//! hides, and leaving the scope puts it back.

use crate::syntax::symbol::{Interner, Symbol};
use crate::syntax::token::{TokenKind, soft_keywords};

/// The meanings of names, scope by scope.
#[derive(Debug)]
pub struct Scopes {
    meanings: Vec<TokenKind>,
    hidden: Vec<(Symbol, TokenKind)>,
    marks: Vec<usize>,
}

impl Scopes {
    /// File scope, where the soft keywords are keywords still.
    pub fn new(interner: &mut Interner) -> Self {
        let mut scopes = Self { meanings: Vec::new(), hidden: Vec::new(), marks: Vec::new() };
        for (name, keyword) in soft_keywords(interner) {
            scopes.set(name, keyword);
        }
        scopes
    }

    /// What a name is here: `Identifier`, `TypedefName` or a soft keyword.
    pub fn meaning(&self, name: Symbol) -> TokenKind {
        self.meanings.get(name.index()).copied().unwrap_or(TokenKind::Identifier)
    }

    /// Declares a name in the current scope.
    pub fn declare(&mut self, name: Symbol, meaning: TokenKind) {
        let before = self.meaning(name);
        if before != meaning {
            if !self.marks.is_empty() {
                self.hidden.push((name, before));
            }
            self.set(name, meaning);
        }
    }

    /// Enters a scope.
    pub fn enter(&mut self) {
        self.marks.push(self.hidden.len());
    }

    /// Leaves the innermost scope.
    pub fn leave(&mut self) {
        self.leave_to(self.marks.len().saturating_sub(1));
    }

    /// How many scopes are open.
    pub fn depth(&self) -> usize {
        self.marks.len()
    }

    /// Leaves all scopes but the outermost `depth`.
    pub fn leave_to(&mut self, depth: usize) {
        if let Some(&mark) = self.marks.get(depth) {
            while self.hidden.len() > mark {
                let Some((name, meaning)) = self.hidden.pop() else { break };
                self.set(name, meaning);
            }
            self.marks.truncate(depth);
        }
    }

    fn set(&mut self, name: Symbol, meaning: TokenKind) {
        let position = name.index();
        if position >= self.meanings.len() {
            self.meanings.resize(position + 1, TokenKind::Identifier);
        }
        self.meanings[position] = meaning;
    }
}
