//! A program as it is written, with names and places.

use super::Position;
use crate::expr::Operator;
use crate::program::{Initial, Threads};

/// A name or a number, and where it stands.
#[derive(Clone, Debug)]
pub struct Name {
    pub text: String,
    pub at: Position,
}

pub struct ProgramTree {
    pub shared: Vec<(Name, Initial)>,
    pub templates: Vec<TemplateTree>,
    /// Where the text ends, for messages about what is missing.
    pub end: Position,
}

pub struct TemplateTree {
    pub name: Name,
    pub threads: Threads,
    pub locals: Vec<(Name, Initial)>,
    pub body: Vec<StatementTree>,
}

#[derive(Clone, Debug)]
pub struct StatementTree {
    pub labels: Vec<Name>,
    pub at: Position,
    pub kind: Kind,
}

#[derive(Clone, Debug)]
pub enum Kind {
    Skip,
    Goto(Vec<Name>),
    If(ExprTree, Vec<StatementTree>, Vec<StatementTree>),
    While(ExprTree, Vec<StatementTree>),
    Assign(AssignmentTree),
    Assert(ConstraintTree),
    Start(StartTree),
    AtomicBegin,
    AtomicEnd,
    /// The thread ends.
    End,
    /// A call of a procedure, and where its results go; `inline.rs` replaces it.
    Call(Vec<PlaceTree>, Name, Vec<ExprTree>),
    /// The return from a procedure; replaced likewise.
    Return(Vec<ExprTree>),
}

#[derive(Clone, Debug, Default)]
pub struct AssignmentTree {
    /// Shared variables and locals of the active thread.
    pub values: Vec<(PlaceTree, ExprTree)>,
    pub passive: Vec<NotificationTree>,
    /// Locals that all threads of a template choose anew; without a template, the statement's own.
    pub havoc_all: Vec<(Option<Name>, Name)>,
    pub constraints: Vec<ConstraintTree>,
}

#[derive(Clone, Debug)]
pub struct PlaceTree {
    /// `a` in `a.b`.
    pub index: Option<Name>,
    pub name: Name,
}

#[derive(Clone, Debug)]
pub struct NotificationTree {
    pub index: IndexTree,
    pub values: Vec<(PlaceTree, ExprTree)>,
}

/// `p: worker`; without a template, the statement's own.
#[derive(Clone, Debug)]
pub struct IndexTree {
    pub name: Name,
    pub template: Option<Name>,
}

#[derive(Clone, Debug)]
pub struct ConstraintTree {
    pub passive: Vec<IndexTree>,
    pub condition: ExprTree,
}

#[derive(Clone, Debug)]
pub struct StartTree {
    /// None: the statement's own.
    pub template: Option<Name>,
    /// None: its first statement.
    pub label: Option<Name>,
    pub values: StartValues,
    pub condition: Option<ExprTree>,
}

#[derive(Clone, Debug)]
pub enum StartValues {
    /// These; the others are initial.
    Given(Vec<(PlaceTree, ExprTree)>),
    /// Those of the thread that starts it.
    Copied,
}

#[derive(Clone, Debug)]
pub struct ExprTree {
    pub at: Position,
    pub kind: ExprKind,
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    Constant(bool),
    Choice,
    Schoose(Box<ExprTree>, Box<ExprTree>),
    Variable { index: Option<Name>, name: Name, is_primed: bool },
    At(Name, Name),
    Not(Box<ExprTree>),
    Binary(Operator, Box<ExprTree>, Box<ExprTree>),
    Conditional(Box<ExprTree>, Box<ExprTree>, Box<ExprTree>),
}

impl ExprTree {
    /// Calls a function with every index of a thread in this.
    pub fn indices(&self, see: &mut dyn FnMut(&Name)) {
        match &self.kind {
            ExprKind::Constant(_) | ExprKind::Choice => {}
            ExprKind::Variable { index, .. } => index.iter().for_each(see),
            ExprKind::At(index, _) => see(index),
            ExprKind::Not(inner) => inner.indices(see),
            ExprKind::Schoose(left, right) | ExprKind::Binary(_, left, right) => {
                left.indices(see);
                right.indices(see);
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                condition.indices(see);
                then.indices(see);
                otherwise.indices(see);
            }
        }
    }
}
