//! Boolean broadcast programs (paper 004, Section 3.2, Fig. 2), as plain values.
//!
//! A program has shared Boolean variables and templates; every thread of a template has its own copy of the template's
//! locals. A constrained assignment gives new values to shared variables, to locals of the *active* thread, which
//! executes it, and, as a notification, to locals of the *passive* threads, which are all others. The paper has one
//! template, `havoc` with a constraint, and `goto`; `assume`, deterministic values, assertions, atomic sections and the
//! start of threads are ours, and each says what it means in the paper's terms.

use crate::expr::Expr;

/// A shared variable, by its place in [`Program::shared`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SharedVar(pub u8);

/// A local variable of a template, by its place in [`Template::locals`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LocalVar(pub u8);

/// A template, by its place in [`Program::templates`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TemplateId(pub u16);

/// A statement of a template, by its place, counted from 0; one past the last is the end, where a thread stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pc(pub u32);

/// A symbolic thread index of a constraint: 0 is the active thread (the paper's **a**), the others are distinct passive
/// threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Index(pub u8);

impl Index {
    /// The thread that executes the statement.
    pub const ACTIVE: Index = Index(0);
    /// The thread that a notification is made to, and the thread that a start statement starts.
    pub const OTHER: Index = Index(1);
}

/// What a variable holds at first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Initial {
    /// 0.
    False,
    /// 1.
    True,
    /// Either, as the paper has it for all variables.
    Any,
}

/// A variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name: a word of letters, digits and `_`, distinct among the shared variables and the locals of one template.
    pub name: String,
    /// What it holds at first, for a local: when its thread starts.
    pub initial: Initial,
}

/// How many threads of a template there are at first. More may be started.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Threads {
    /// So many.
    Exactly(u32),
    /// As many as the question says: n, or any number.
    Many,
}

/// A program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The variables that all threads share; at most 64.
    pub shared: Vec<Variable>,
    /// The templates; at least one.
    pub templates: Vec<Template>,
}

/// What a number of equal threads execute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    /// Its name, for people; distinct among templates.
    pub name: String,
    /// How many threads of it there are at first.
    pub threads: Threads,
    /// The variables of which each thread has its own; at most 64.
    pub locals: Vec<Variable>,
    /// Its statements. A thread begins with the first and goes from each to the next unless the statement says otherwise.
    pub statements: Vec<Statement>,
}

/// A statement, which one thread executes as one step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statement {
    /// Go on at any of these.
    Goto(Vec<Pc>),
    /// Change variables, if the constraints can be met.
    Assign(Assignment),
    /// An error if the condition may be false for some choice of passive threads; otherwise like an `assume` of it.
    Assert(Constraint),
    /// Start a thread.
    Start(Start),
    /// From the next statement to the next [`Statement::AtomicEnd`], no other thread takes a step.
    AtomicBegin,
    /// Others may take steps again.
    AtomicEnd,
}

/// A constrained assignment. All values are taken in the state before it, each `*` is a choice of its own; a step exists
/// for every outcome that satisfies all constraints. Variables that are not named keep their values.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Assignment {
    /// New values of shared variables, over shared variables and the active thread.
    pub shared: Vec<(SharedVar, Expr)>,
    /// New values of the active thread's locals, over the same.
    pub active: Vec<(LocalVar, Expr)>,
    /// New values of passive threads' locals; at most one entry for each template.
    pub passive: Vec<Notification>,
    /// What the outcome must satisfy.
    pub constraints: Vec<Constraint>,
}

/// What every passive thread of a template does with its locals: the paper's notify-all update.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notification {
    /// The template.
    pub template: TemplateId,
    /// The values, over shared variables, the active thread, and the passive thread ([`Index::OTHER`]).
    pub values: Vec<(LocalVar, Expr)>,
}

/// `∀≠ {a, …}. condition`: the condition holds for every choice of distinct passive threads. It may name values before
/// the step and, primed, after it. A `*` in it counts as satisfied if it can be. With fewer passive threads than indices
/// there is no choice and it holds, as in Fig. 3; so what must hold of the active thread always is a constraint of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constraint {
    /// The templates of the passive threads, whose indices are 1, 2, … in this order.
    pub passive: Vec<TemplateId>,
    /// The condition.
    pub condition: Expr,
}

/// The start of a thread. Its locals that are not named have their initial values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Start {
    /// Of this template.
    pub template: TemplateId,
    /// Where it begins.
    pub at: Pc,
    /// What its locals hold, over shared variables and the active thread.
    pub values: Vec<(LocalVar, Expr)>,
    /// What must hold of the started thread ([`Index::OTHER`], primed), shared variables and the active thread.
    pub condition: Expr,
}

impl Program {
    /// A template.
    pub fn template(&self, template: TemplateId) -> &Template {
        &self.templates[template.0 as usize]
    }

    /// All templates with their numbers.
    pub fn numbered(&self) -> impl Iterator<Item = (TemplateId, &Template)> {
        self.templates.iter().enumerate().map(|(number, template)| (TemplateId(number as u16), template))
    }
}

impl Template {
    /// Where a thread stays that has executed its last statement.
    pub fn end(&self) -> Pc {
        Pc(self.statements.len() as u32)
    }

    /// The statement at a place, none at the end.
    pub fn statement(&self, pc: Pc) -> Option<&Statement> {
        self.statements.get(pc.0 as usize)
    }
}

impl Assignment {
    /// `assume condition`: no variable changes.
    pub fn assume(condition: Expr) -> Self {
        Assignment { constraints: vec![Constraint::active(condition)], ..Assignment::default() }
    }
}

impl Constraint {
    /// A condition on shared variables and the active thread alone.
    pub fn active(condition: Expr) -> Self {
        Constraint { passive: Vec::new(), condition }
    }
}
