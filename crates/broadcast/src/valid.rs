//! Well-formed programs, and where in them atomic sections are.
//!
//! Whether a thread is inside an atomic section follows from where it is, so that local states need not say it.

use rustc_hash::FxHashSet;

use crate::expr::{Expr, When};
use crate::program::*;
use crate::state::LocalState;

/// So many variables of a kind have room in a state.
pub const MOST_VARIABLES: usize = 64;

/// What a program does wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Invalid {
    /// The statement, if it is one.
    pub statement: Option<(TemplateId, Pc)>,
    /// What is wrong.
    pub message: String,
}

/// A program that is well-formed. Everything that runs programs takes one.
#[derive(Clone, Debug)]
pub struct System {
    program: Program,
    /// For each template and statement, whether a thread that is there is inside an atomic section.
    inside: Vec<Vec<bool>>,
    /// For each template, whether a statement starts threads of it.
    started: Vec<bool>,
}

impl System {
    /// Of a program, unless something is wrong with it.
    pub fn new(program: Program) -> Result<Self, Invalid> {
        names(&program)?;
        let mut started = vec![false; program.templates.len()];
        let mut inside = Vec::new();
        for (id, template) in program.numbered() {
            for (pc, statement) in template.statements.iter().enumerate() {
                let scope = Scope { program: &program, template: id };
                scope
                    .statement(statement)
                    .map_err(|message| Invalid { statement: Some((id, Pc(pc as u32))), message })?;
                if let Statement::Start(start) = statement {
                    started[start.template.0 as usize] = true;
                }
            }
            inside.push(sections(&program, id)?);
        }
        Ok(System { program, inside, started })
    }

    /// The program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Whether a thread in this local state is inside an atomic section.
    pub fn is_inside(&self, local: LocalState) -> bool {
        self.inside[local.template.0 as usize].get(local.pc.0 as usize).copied().unwrap_or(false)
    }

    /// The statement that a thread in this local state executes next; none at the end.
    pub fn statement(&self, local: LocalState) -> Option<&Statement> {
        self.program.template(local.template).statement(local.pc)
    }

    /// Whether a statement starts threads of a template.
    pub fn is_started(&self, template: TemplateId) -> bool {
        self.started[template.0 as usize]
    }
}

/// Words that a variable or a template cannot be called, since the text form would read them otherwise.
const RESERVED: [&str; 24] = [
    "F",
    "T",
    "a",
    "all",
    "assert",
    "assume",
    "atomic_begin",
    "atomic_end",
    "constrain",
    "end",
    "false",
    "forall",
    "goto",
    "havoc",
    "if",
    "local",
    "new",
    "notify",
    "shared",
    "skip",
    "start",
    "true",
    "while",
    "at",
];

/// Whether a name is read as one: a word that means nothing else in the text form.
pub fn is_name(name: &str) -> bool {
    let is_word = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    is_word && !name.is_empty() && !name.starts_with(|c: char| c.is_ascii_digit()) && !RESERVED.contains(&name)
}

fn names(program: &Program) -> Result<(), Invalid> {
    let wrong = |message: String| Err(Invalid { statement: None, message });
    if program.templates.is_empty() || program.templates.len() > usize::from(u16::MAX) {
        return wrong("a program has between 1 and 65,535 templates".to_string());
    }
    let mut templates = FxHashSet::default();
    for template in &program.templates {
        let names = program.shared.iter().chain(&template.locals).map(|variable| &variable.name);
        if let Some(name) = names.chain([&template.name]).find(|name| !is_name(name)) {
            return wrong(format!("`{name}` cannot be a name"));
        }
        if !templates.insert(template.name.as_str()) {
            return wrong(format!("there are two templates `{}`", template.name));
        }
        for (what, variables) in [("shared", &program.shared), ("local", &template.locals)] {
            if variables.len() > MOST_VARIABLES {
                return wrong(format!("there are {} {what} variables, more than {MOST_VARIABLES}", variables.len()));
            }
        }
        let mut variables = FxHashSet::default();
        for variable in program.shared.iter().chain(&template.locals) {
            if !variables.insert(variable.name.as_str()) {
                return wrong(format!("there are two variables `{}`", variable.name));
            }
        }
    }
    Ok(())
}

/// A statement's template and program, for what it may name.
struct Scope<'a> {
    program: &'a Program,
    template: TemplateId,
}

impl Scope<'_> {
    fn statement(&self, statement: &Statement) -> Result<(), String> {
        match statement {
            Statement::Goto(targets) if targets.is_empty() => Err("`goto` has no target".to_string()),
            Statement::Goto(targets) => targets.iter().try_for_each(|target| self.place(self.template, *target)),
            Statement::Assign(assignment) => self.assignment(assignment),
            Statement::Assert(constraint) => self.constraint(constraint, &[]),
            Statement::Start(start) => {
                self.known(start.template)?;
                self.place(start.template, start.at)?;
                self.targets(start.template, &start.values, &[self.template])?;
                // The started thread is not there before the step, so only what it holds after it can be named.
                let threads = [self.template, start.template];
                self.expr(&start.condition, &threads, &[When::Now, When::Next])?;
                let mut names_it_before = false;
                start.condition.visit(&mut |inner| {
                    names_it_before |=
                        matches!(inner, Expr::Local(Index::OTHER, _, When::Now) | Expr::At(Index::OTHER, _));
                });
                if names_it_before {
                    Err("a started thread has no values before it starts".to_string())
                } else {
                    Ok(())
                }
            }
            Statement::AtomicBegin | Statement::AtomicEnd => Ok(()),
        }
    }

    fn assignment(&self, assignment: &Assignment) -> Result<(), String> {
        let mut assigned = FxHashSet::default();
        for (variable, value) in &assignment.shared {
            if variable.0 as usize >= self.program.shared.len() {
                return Err("there is no such shared variable".to_string());
            }
            if !assigned.insert(variable) {
                return Err(format!("`{}` is assigned twice", self.program.shared[variable.0 as usize].name));
            }
            self.expr(value, &[self.template], &[When::Now])?;
        }
        self.targets(self.template, &assignment.active, &[self.template])?;
        let mut notified = FxHashSet::default();
        for notification in &assignment.passive {
            self.known(notification.template)?;
            if !notified.insert(notification.template) {
                return Err("there are two notifications for one template".to_string());
            }
            let threads = [self.template, notification.template];
            self.targets(notification.template, &notification.values, &threads)?;
        }
        assignment.constraints.iter().try_for_each(|constraint| self.constraint(constraint, &[When::Next]))
    }

    fn constraint(&self, constraint: &Constraint, primed: &[When]) -> Result<(), String> {
        constraint.passive.iter().try_for_each(|template| self.known(*template))?;
        if constraint.passive.len() > usize::from(u8::MAX) {
            return Err("a constraint is about too many threads".to_string());
        }
        let mut threads = vec![self.template];
        threads.extend(&constraint.passive);
        let mut times = vec![When::Now];
        times.extend(primed);
        self.expr(&constraint.condition, &threads, &times)
    }

    /// That values are given to locals of a template, each once.
    fn targets(&self, of: TemplateId, values: &[(LocalVar, Expr)], threads: &[TemplateId]) -> Result<(), String> {
        let mut assigned = FxHashSet::default();
        for (variable, value) in values {
            let Some(named) = self.program.template(of).locals.get(variable.0 as usize) else {
                return Err("there is no such local variable".to_string());
            };
            if !assigned.insert(variable) {
                return Err(format!("`{}` is assigned twice", named.name));
            }
            self.expr(value, threads, &[When::Now])?;
        }
        Ok(())
    }

    /// That an expression names only variables there are, of threads of these templates, at these times.
    fn expr(&self, expr: &Expr, threads: &[TemplateId], times: &[When]) -> Result<(), String> {
        let mut found = Ok(());
        expr.visit(&mut |inner| {
            let problem = match inner {
                Expr::Shared(_, when) | Expr::Local(_, _, when) if !times.contains(when) => {
                    Some("a primed variable can only be in a constraint")
                }
                Expr::Shared(variable, _) => {
                    (variable.0 as usize >= self.program.shared.len()).then_some("there is no such shared variable")
                }
                Expr::Local(index, variable, _) => match threads.get(index.0 as usize) {
                    None => Some("there is no thread of this index here"),
                    Some(template) => {
                        let locals = self.program.template(*template).locals.len();
                        (variable.0 as usize >= locals).then_some("there is no such local variable")
                    }
                },
                Expr::At(index, pc) => match threads.get(index.0 as usize) {
                    None => Some("there is no thread of this index here"),
                    Some(template) => self.place(*template, *pc).is_err().then_some("there is no such statement"),
                },
                Expr::Constant(_)
                | Expr::Choice
                | Expr::Schoose(..)
                | Expr::Not(_)
                | Expr::Binary(..)
                | Expr::Conditional(..) => None,
            };
            if let Some(problem) = problem {
                found = Err(problem.to_string());
            }
        });
        found
    }

    fn known(&self, template: TemplateId) -> Result<(), String> {
        let is_known = (template.0 as usize) < self.program.templates.len();
        if is_known { Ok(()) } else { Err("there is no such template".to_string()) }
    }

    fn place(&self, template: TemplateId, pc: Pc) -> Result<(), String> {
        let is_there = pc <= self.program.template(template).end();
        if is_there { Ok(()) } else { Err("there is no such statement".to_string()) }
    }
}

/// Where atomic sections are: every way to a statement must agree on it, and none may end inside one.
fn sections(program: &Program, id: TemplateId) -> Result<Vec<bool>, Invalid> {
    let template = program.template(id);
    let wrong = |pc: Pc, message: &str| Err(Invalid { statement: Some((id, pc)), message: message.to_string() });
    let mut inside: Vec<Option<bool>> = vec![None; template.statements.len()];
    let mut waiting = vec![(Pc(0), false)];
    for statement in program.templates.iter().flat_map(|template| &template.statements) {
        if let Statement::Start(start) = statement
            && start.template == id
        {
            waiting.push((start.at, false));
        }
    }
    while let Some((pc, is_inside)) = waiting.pop() {
        let Some(statement) = template.statement(pc) else {
            if is_inside {
                let last = Pc(template.end().0.saturating_sub(1));
                return wrong(last, "a thread can end inside an atomic section");
            }
            continue;
        };
        match inside[pc.0 as usize] {
            Some(known) if known == is_inside => continue,
            Some(_) => return wrong(pc, "this is reached both inside and outside an atomic section"),
            None => inside[pc.0 as usize] = Some(is_inside),
        }
        let next = Pc(pc.0 + 1);
        match statement {
            Statement::Goto(targets) => waiting.extend(targets.iter().map(|target| (*target, is_inside))),
            Statement::Assign(_) | Statement::Assert(_) | Statement::Start(_) => waiting.push((next, is_inside)),
            Statement::AtomicBegin if is_inside => return wrong(pc, "this is inside an atomic section already"),
            Statement::AtomicBegin => waiting.push((next, true)),
            Statement::AtomicEnd if !is_inside => return wrong(pc, "no atomic section has begun here"),
            Statement::AtomicEnd => waiting.push((next, false)),
        }
    }
    Ok(inside.into_iter().map(|inside| inside.unwrap_or(false)).collect())
}
