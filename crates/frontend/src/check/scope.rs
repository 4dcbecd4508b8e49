//! What names mean where: ordinary names and tags, by block.
//!
//! One map holds the innermost meaning of each name; entering a block sets a mark, and what was hidden since then is
//! restored on leaving it. So a lookup costs the same however deep the blocks nest.

use crate::hir::{FunctionId, GlobalId, LocalId};
use crate::syntax::ast::Span;
use crate::syntax::symbol::Symbol;
use crate::types::{Qualified, TypeId};
use rustc_hash::FxHashMap;

/// What an ordinary name means.
#[derive(Clone, Copy, Debug)]
pub(super) enum Entity {
    /// A type, with the alignment its `aligned` attribute gives it.
    Typedef { ty: Qualified, align: Option<u32> },
    /// An enumerator.
    Enumerator { value: i128, ty: TypeId },
    /// A variable with static storage.
    Global(GlobalId),
    /// A function.
    Function(FunctionId),
    /// A parameter or local of the current function.
    Local(LocalId),
    /// A parameter of a prototype, which has no body to use it in.
    Parameter(Qualified),
    /// A function nested in another one, which we do not model.
    Nested(TypeId),
}

/// A name's or tag's meaning, and how deep and where it was declared.
#[derive(Clone, Copy, Debug)]
pub(super) struct Binding<T> {
    pub entity: T,
    pub depth: u32,
    pub span: Span,
}

/// Names of one kind.
#[derive(Debug)]
struct Table<T> {
    innermost: FxHashMap<Symbol, Binding<T>>,
    hidden: Vec<(Symbol, Option<Binding<T>>)>,
    marks: Vec<usize>,
}

impl<T> Default for Table<T> {
    fn default() -> Self {
        Table { innermost: FxHashMap::default(), hidden: Vec::new(), marks: Vec::new() }
    }
}

impl<T: Copy> Table<T> {
    fn bind(&mut self, name: Symbol, entity: T, span: Span) {
        let depth = self.marks.len() as u32;
        let old = self.innermost.insert(name, Binding { entity, depth, span });
        if depth > 0 {
            self.hidden.push((name, old));
        }
    }

    /// Leaves a block, and tells what it declared, in order.
    fn pop(&mut self) -> Vec<(Symbol, T, Span)> {
        let mark = self.marks.pop().unwrap_or(0);
        let mut declared = Vec::new();
        while self.hidden.len() > mark {
            let Some((name, old)) = self.hidden.pop() else { break };
            let current = match old {
                Some(old) => self.innermost.insert(name, old),
                None => self.innermost.remove(&name),
            };
            declared.extend(current.map(|binding| (name, binding.entity, binding.span)));
        }
        declared.reverse();
        declared
    }
}

/// What a block declared, to enter it again.
#[derive(Debug, Default)]
pub(super) struct Kept {
    names: Vec<(Symbol, Entity, Span)>,
    tags: Vec<(Symbol, TypeId, Span)>,
}

/// All names and tags in scope.
#[derive(Debug, Default)]
pub(super) struct Scopes {
    names: Table<Entity>,
    tags: Table<TypeId>,
}

impl Scopes {
    /// Enters a block.
    pub fn push(&mut self) {
        self.names.marks.push(self.names.hidden.len());
        self.tags.marks.push(self.tags.hidden.len());
    }

    /// Leaves a block.
    pub fn pop(&mut self) -> Kept {
        Kept { names: self.names.pop(), tags: self.tags.pop() }
    }

    /// Enters a block again.
    pub fn push_again(&mut self, kept: Kept) {
        self.push();
        for (name, entity, span) in kept.names {
            self.names.bind(name, entity, span);
        }
        for (name, ty, span) in kept.tags {
            self.tags.bind(name, ty, span);
        }
    }

    /// Whether we are at file scope.
    pub fn is_file_scope(&self) -> bool {
        self.names.marks.is_empty()
    }

    /// Gives a name a meaning in the innermost block.
    pub fn bind(&mut self, name: Symbol, entity: Entity, span: Span) {
        self.names.bind(name, entity, span);
    }

    /// What a name means.
    pub fn get(&self, name: Symbol) -> Option<Binding<Entity>> {
        self.names.innermost.get(&name).copied()
    }

    /// What a name was declared as in the innermost block itself.
    pub fn get_here(&self, name: Symbol) -> Option<Binding<Entity>> {
        self.get(name).filter(|binding| binding.depth as usize == self.names.marks.len())
    }

    /// Gives a tag a meaning in the innermost block.
    pub fn bind_tag(&mut self, tag: Symbol, ty: TypeId, span: Span) {
        self.tags.bind(tag, ty, span);
    }

    /// What a tag means.
    pub fn get_tag(&self, tag: Symbol) -> Option<Binding<TypeId>> {
        self.tags.innermost.get(&tag).copied()
    }

    /// What a tag was declared as in the innermost block itself.
    pub fn get_tag_here(&self, tag: Symbol) -> Option<Binding<TypeId>> {
        self.get_tag(tag).filter(|binding| binding.depth as usize == self.tags.marks.len())
    }
}
