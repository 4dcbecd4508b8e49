//! A specification as it is written. What is a predicate is kept as a piece of text, which the predicate language reads
//! once it is known what names mean.

use selvedge_program::Span;

use crate::spec::Instances;

#[derive(Clone, Debug)]
pub struct Name {
    pub text: String,
    pub span: Span,
}

/// A stretch of the file: one token or more.
#[derive(Clone, Debug)]
pub struct Piece {
    /// With blanks for comments.
    pub text: String,
    /// Its tokens: where each begins in the piece, counted in characters, and where it is in the file.
    pub tokens: Vec<(usize, Span)>,
    pub span: Span,
}

impl Piece {
    /// The place in the file of the token at a column of the piece, counted from 1; of the piece's last at its end.
    pub fn at(&self, column: usize) -> Span {
        let before = self.tokens.iter().rev().find(|(start, _)| *start < column);
        before.map_or(self.span, |(_, span)| *span)
    }
}

#[derive(Debug)]
pub struct Declared {
    /// The words of its type, if it is given one.
    pub kind: Option<Name>,
    pub place: Piece,
    pub initial: Option<Piece>,
}

#[derive(Debug, Default)]
pub struct Tree {
    pub declared: Vec<Declared>,
    pub initially: Vec<Piece>,
    pub invariants: Vec<Piece>,
    pub threads: Vec<ThreadTree>,
}

#[derive(Debug)]
pub struct ThreadTree {
    pub name: Name,
    pub instances: Instances,
    pub body: Body,
    pub environment: Vec<Label>,
    /// Whether nothing was skipped in it, so that what is not there is missing.
    pub is_whole: bool,
}

/// What the thread may do.
#[derive(Debug)]
pub enum Body {
    Machine(Vec<StateTree>),
    /// Steps in a row (Appendix A).
    Modular {
        requires: Vec<Piece>,
        invariants: Vec<Piece>,
        steps: Vec<Label>,
        ensures: Vec<Piece>,
    },
}

#[derive(Debug)]
pub struct StateTree {
    pub name: Name,
    pub is_initial: bool,
    pub assertions: Vec<Piece>,
    pub edges: Vec<EdgeTree>,
}

#[derive(Debug)]
pub struct EdgeTree {
    pub target: Name,
    pub label: Label,
}

/// What a step does.
#[derive(Debug)]
pub struct Label {
    pub parts: Vec<Part>,
    pub frame: Option<Frame>,
    /// What it does to another thread, instead of all that.
    pub life: Option<LifeTree>,
    pub span: Span,
}

/// `create f`, `join f`, `join`.
#[derive(Debug)]
pub enum LifeTree {
    Create(Name),
    Join(Option<Name>),
}

#[derive(Debug)]
pub enum Part {
    Relation(Piece),
    Acquire(Piece),
    Release(Piece),
    HandOver { what: Piece, from: Piece, to: Piece },
}

/// `unchanged`, `unchanged except …`.
#[derive(Debug)]
pub struct Frame {
    pub except: Vec<Piece>,
    pub span: Span,
}
