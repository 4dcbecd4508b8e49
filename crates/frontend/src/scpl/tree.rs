//! A program as it is written.

use selvedge_program::{BinaryOp, Span};

#[derive(Clone, Debug)]
pub struct Name {
    pub text: String,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    Int,
    Bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// There is one of it.
    Shared,
    /// Every thread has one of its own.
    Local,
}

#[derive(Clone, Debug)]
pub struct Declared {
    pub owner: Owner,
    pub kind: Type,
    pub name: Name,
    pub initial: i32,
}

#[derive(Debug, Default)]
pub struct Tree {
    pub variables: Vec<Declared>,
    pub body: Vec<Statement>,
}

#[derive(Debug)]
pub struct Statement {
    pub labels: Vec<Name>,
    pub span: Span,
    pub kind: Kind,
}

#[derive(Debug)]
pub enum Kind {
    Skip,
    Assign(Name, Value),
    Assume(Expr),
    Assert(Expr),
    Goto(Vec<Name>),
    If(Value, Vec<Statement>, Vec<Statement>),
    While(Value, Vec<Statement>),
    Atomic(Vec<Statement>),
}

/// A value, or `*`: any.
#[derive(Debug)]
pub enum Value {
    Of(Expr),
    Any,
}

#[derive(Debug)]
pub struct Expr {
    pub span: Span,
    pub kind: ExprKind,
}

#[derive(Debug)]
pub enum ExprKind {
    Number(i32),
    Variable(String),
    Negate(Box<Expr>),
    Not(Box<Expr>),
    /// Of two numbers; a number, or a truth value if it is a comparison.
    Binary(Operator, Box<Expr>, Box<Expr>),
}

/// What stands between two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    Arithmetic(BinaryOp),
    Equal,
    Differ,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    And,
    Or,
}
