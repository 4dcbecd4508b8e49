//! From trees to programs: structured statements become `goto` and `assume`, names become numbers.

use rustc_hash::FxHashMap;

use super::tree::*;
use super::{Position, SyntaxError};
use crate::expr::{Expr, When};
use crate::program::*;
use crate::valid::{MOST_VARIABLES, System};

type Read<T> = Result<T, SyntaxError>;

/// The program, and where its statements stand.
pub fn lower(tree: &ProgramTree) -> Read<(Program, Vec<Vec<Position>>)> {
    let mut flat = Vec::new();
    for template in &tree.templates {
        flat.push(Flat::of(template)?);
    }
    let scope = Scope::new(tree, &flat)?;
    let mut templates = Vec::new();
    for (number, template) in tree.templates.iter().enumerate() {
        let own = TemplateId(number as u16);
        let statements =
            flat[number].statements.iter().map(|step| scope.step(own, step)).collect::<Read<Vec<Statement>>>()?;
        let name = template.name.text.clone();
        templates.push(Template { name, threads: template.threads, locals: variables(&template.locals), statements });
    }
    let program = Program { shared: variables(&tree.shared), templates };
    System::new(program.clone()).map_err(|invalid| {
        let at = invalid.statement.map(|(template, pc)| {
            let steps = &flat[template.0 as usize].statements;
            steps.get(pc.0 as usize).map_or(tree.end, Step::at)
        });
        SyntaxError::new(at.unwrap_or(tree.end), invalid.message)
    })?;
    let places = flat.iter().map(|flat| flat.statements.iter().map(Step::at).collect()).collect();
    Ok((program, places))
}

fn variables(declared: &[(Name, Initial)]) -> Vec<Variable> {
    declared.iter().map(|(name, initial)| Variable { name: name.text.clone(), initial: *initial }).collect()
}

/// A statement after structured ones have been taken apart.
enum Step<'a> {
    /// To places that are known.
    Jump(Position, Vec<Pc>),
    /// To the branch of a condition.
    Assume(&'a ExprTree),
    /// To the branch of its negation.
    AssumeNot(&'a ExprTree),
    Plain(&'a StatementTree),
}

impl Step<'_> {
    fn at(&self) -> Position {
        match self {
            Step::Jump(at, _) => *at,
            Step::Assume(condition) | Step::AssumeNot(condition) => condition.at,
            Step::Plain(statement) => statement.at,
        }
    }
}

/// A template's statements in a row, and what labels name.
struct Flat<'a> {
    statements: Vec<Step<'a>>,
    labels: FxHashMap<&'a str, Pc>,
}

impl<'a> Flat<'a> {
    fn of(template: &'a TemplateTree) -> Read<Self> {
        let mut flat = Flat { statements: Vec::new(), labels: FxHashMap::default() };
        flat.block(&template.body)?;
        Ok(flat)
    }

    fn next(&self) -> Pc {
        Pc(self.statements.len() as u32)
    }

    fn block(&mut self, statements: &'a [StatementTree]) -> Read<()> {
        for statement in statements {
            let here = self.next();
            for label in &statement.labels {
                if self.labels.insert(&label.text, here).is_some() {
                    return Err(SyntaxError::new(label.at, format!("there are two labels `{}`", label.text)));
                }
            }
            match &statement.kind {
                Kind::If(condition, then, otherwise) => {
                    let fork = self.fork(statement.at, condition);
                    self.block(then)?;
                    let join = self.jump(statement.at);
                    self.branch(fork, condition);
                    self.block(otherwise)?;
                    let next = self.next();
                    self.land(join, next);
                }
                Kind::While(condition, body) => {
                    let fork = self.fork(statement.at, condition);
                    self.block(body)?;
                    let back = self.jump(statement.at);
                    self.land(back, fork);
                    self.branch(fork, condition);
                }
                _ => self.statements.push(Step::Plain(statement)),
            }
        }
        Ok(())
    }

    /// A jump to the next statement, which assumes the condition, and to a branch that is still to come.
    fn fork(&mut self, at: Position, condition: &'a ExprTree) -> Pc {
        let fork = self.jump(at);
        let next = self.next();
        self.land(fork, next);
        self.statements.push(Step::Assume(condition));
        fork
    }

    fn branch(&mut self, fork: Pc, condition: &'a ExprTree) {
        let next = self.next();
        self.land(fork, next);
        self.statements.push(Step::AssumeNot(condition));
    }

    fn jump(&mut self, at: Position) -> Pc {
        self.statements.push(Step::Jump(at, Vec::new()));
        Pc(self.next().0 - 1)
    }

    fn land(&mut self, jump: Pc, target: Pc) {
        if let Step::Jump(_, targets) = &mut self.statements[jump.0 as usize] {
            targets.push(target);
        }
    }
}

/// A name for each index of a thread, and its template.
type Indices<'a> = Vec<(&'a str, TemplateId)>;

/// What names mean.
struct Scope<'a> {
    shared: FxHashMap<&'a str, SharedVar>,
    templates: FxHashMap<&'a str, TemplateId>,
    locals: Vec<FxHashMap<&'a str, LocalVar>>,
    flat: &'a [Flat<'a>],
}

fn unknown(what: &str, name: &Name) -> SyntaxError {
    SyntaxError::new(name.at, format!("there is no {what} `{}`", name.text))
}

fn numbered<T>(declared: &[(Name, Initial)], variable: impl Fn(u8) -> T) -> Read<FxHashMap<&str, T>> {
    let mut found = FxHashMap::default();
    for (number, (name, _)) in declared.iter().enumerate() {
        if number >= MOST_VARIABLES {
            return Err(SyntaxError::new(name.at, format!("there are more than {MOST_VARIABLES} variables here")));
        }
        if found.insert(name.text.as_str(), variable(number as u8)).is_some() {
            return Err(SyntaxError::new(name.at, format!("there are two variables `{}`", name.text)));
        }
    }
    Ok(found)
}

impl<'a> Scope<'a> {
    fn new(tree: &'a ProgramTree, flat: &'a [Flat<'a>]) -> Read<Self> {
        let mut templates = FxHashMap::default();
        let shared = numbered(&tree.shared, SharedVar)?;
        let mut locals = Vec::new();
        for (number, template) in tree.templates.iter().enumerate() {
            if templates.insert(template.name.text.as_str(), TemplateId(number as u16)).is_some() {
                let message = format!("there are two templates `{}`", template.name.text);
                return Err(SyntaxError::new(template.name.at, message));
            }
            if let Some((name, _)) = template.locals.iter().find(|(name, _)| shared.contains_key(name.text.as_str())) {
                return Err(SyntaxError::new(name.at, format!("`{}` is a shared variable already", name.text)));
            }
            locals.push(numbered(&template.locals, LocalVar)?);
        }
        Ok(Scope { shared, templates, locals, flat })
    }

    fn step(&self, own: TemplateId, step: &Step<'_>) -> Read<Statement> {
        let alone: Indices<'_> = vec![("a", own)];
        Ok(match step {
            Step::Jump(_, targets) => Statement::Goto(targets.clone()),
            Step::Assume(condition) => Statement::Assign(Assignment::assume(self.expr(&alone, condition)?)),
            Step::AssumeNot(condition) => {
                Statement::Assign(Assignment::assume(self.expr(&alone, condition)?.negated()))
            }
            Step::Plain(statement) => match &statement.kind {
                Kind::Skip => Statement::Assign(Assignment::default()),
                Kind::Goto(labels) => {
                    Statement::Goto(labels.iter().map(|label| self.label(own, label)).collect::<Read<_>>()?)
                }
                Kind::End => Statement::Goto(vec![self.flat[own.0 as usize].next()]),
                Kind::Assign(assignment) => Statement::Assign(self.assignment(own, assignment)?),
                Kind::Assert(constraint) => Statement::Assert(self.constraint(own, constraint)?),
                Kind::Start(start) => Statement::Start(self.start(own, start)?),
                Kind::AtomicBegin => Statement::AtomicBegin,
                Kind::AtomicEnd => Statement::AtomicEnd,
                Kind::If(..) | Kind::While(..) | Kind::Call(..) | Kind::Return(..) => {
                    unreachable!("structured statements and calls have been taken apart")
                }
            },
        })
    }

    fn label(&self, template: TemplateId, label: &Name) -> Read<Pc> {
        let flat = &self.flat[template.0 as usize];
        let end = flat.next();
        match flat.labels.get(label.text.as_str()) {
            Some(pc) => Ok(*pc),
            None if label.text == "end" || label.text == (end.0 + 1).to_string() => Ok(end),
            None => Err(unknown("label", label)),
        }
    }

    fn template(&self, own: TemplateId, name: Option<&Name>) -> Read<TemplateId> {
        let Some(name) = name else { return Ok(own) };
        self.templates.get(name.text.as_str()).copied().ok_or_else(|| unknown("template", name))
    }

    fn local(&self, template: TemplateId, name: &Name) -> Read<LocalVar> {
        let locals = &self.locals[template.0 as usize];
        locals.get(name.text.as_str()).copied().ok_or_else(|| unknown("local variable", name))
    }

    fn assignment(&self, own: TemplateId, tree: &AssignmentTree) -> Read<Assignment> {
        let alone: Indices<'_> = vec![("a", own)];
        let mut found = Assignment::default();
        for (place, value) in &tree.values {
            let value = self.expr(&alone, value)?;
            match (&place.index, self.shared.get(place.name.text.as_str())) {
                (None, Some(variable)) => found.shared.push((*variable, value)),
                (None, None) => found.active.push((self.local(own, &place.name)?, value)),
                (Some(index), _) if index.text == "a" => found.active.push((self.local(own, &place.name)?, value)),
                (Some(index), _) => return Err(unknown("thread to assign to", index)),
            }
        }
        for notification in &tree.passive {
            let template = self.template(own, notification.index.template.as_ref())?;
            let indices = vec![("a", own), (notification.index.name.text.as_str(), template)];
            let mut values = self.values(&indices, &notification.values)?;
            notified(&mut found, template).append(&mut values);
        }
        for (template, local) in &tree.havoc_all {
            let of = self.template(own, template.as_ref())?;
            let variable = self.local(of, local)?;
            if of == own {
                found.active.push((variable, Expr::Choice));
            }
            notified(&mut found, of).push((variable, Expr::Choice));
        }
        for constraint in &tree.constraints {
            found.constraints.push(self.constraint(own, constraint)?);
        }
        Ok(found)
    }

    /// Values of locals of the last of the indexed threads.
    fn values(&self, indices: &Indices<'_>, values: &[(PlaceTree, ExprTree)]) -> Read<Vec<(LocalVar, Expr)>> {
        let (mine, template) = indices[indices.len() - 1];
        let mut found = Vec::new();
        for (place, value) in values {
            match &place.index {
                Some(index) if index.text == mine => {}
                Some(index) => return Err(SyntaxError::new(index.at, format!("expected `{mine}`"))),
                None => return Err(SyntaxError::new(place.name.at, format!("expected `{mine}.{}`", place.name.text))),
            }
            found.push((self.local(template, &place.name)?, self.expr(indices, value)?));
        }
        Ok(found)
    }

    fn constraint(&self, own: TemplateId, tree: &ConstraintTree) -> Read<Constraint> {
        let mut indices: Indices<'_> = vec![("a", own)];
        for index in &tree.passive {
            if indices.iter().any(|(name, _)| *name == index.name.text) {
                return Err(SyntaxError::new(index.name.at, format!("there are two indices `{}`", index.name.text)));
            }
            indices.push((&index.name.text, self.template(own, index.template.as_ref())?));
        }
        let condition = self.expr(&indices, &tree.condition)?;
        Ok(Constraint { passive: indices[1..].iter().map(|(_, template)| *template).collect(), condition })
    }

    fn start(&self, own: TemplateId, tree: &StartTree) -> Read<Start> {
        let template = self.template(own, tree.template.as_ref())?;
        let at = tree.label.as_ref().map_or(Ok(Pc(0)), |label| self.label(template, label))?;
        let indices = vec![("a", own), ("new", template)];
        let values = match &tree.values {
            StartValues::Given(values) => self.values(&indices, values)?,
            StartValues::Copied => {
                let locals = self.locals[own.0 as usize].len() as u8;
                (0..locals).map(|local| (LocalVar(local), Expr::local(LocalVar(local)))).collect()
            }
        };
        let condition = tree.condition.as_ref().map_or(Ok(Expr::Constant(true)), |tree| self.expr(&indices, tree))?;
        Ok(Start { template, at, values, condition })
    }

    fn expr(&self, indices: &Indices<'_>, tree: &ExprTree) -> Read<Expr> {
        let inner = |tree: &ExprTree| self.expr(indices, tree).map(Box::new);
        Ok(match &tree.kind {
            ExprKind::Constant(value) => Expr::Constant(*value),
            ExprKind::Choice => Expr::Choice,
            ExprKind::Schoose(one, zero) => Expr::Schoose(inner(one)?, inner(zero)?),
            ExprKind::Variable { index, name, is_primed } => {
                let when = if *is_primed { When::Next } else { When::Now };
                match (index, self.shared.get(name.text.as_str())) {
                    (None, Some(variable)) => Expr::Shared(*variable, when),
                    (None, None) => {
                        let own = &self.locals[indices[0].1.0 as usize];
                        let local = own.get(name.text.as_str()).ok_or_else(|| unknown("variable", name))?;
                        Expr::Local(Index::ACTIVE, *local, when)
                    }
                    (Some(index), _) => {
                        let (index, template) = self.index(indices, index)?;
                        Expr::Local(index, self.local(template, name)?, when)
                    }
                }
            }
            ExprKind::At(index, label) => {
                let (index, template) = self.index(indices, index)?;
                Expr::At(index, self.label(template, label)?)
            }
            ExprKind::Not(tree) => Expr::Not(inner(tree)?),
            ExprKind::Binary(operator, left, right) => Expr::Binary(*operator, inner(left)?, inner(right)?),
            ExprKind::Conditional(condition, then, otherwise) => {
                Expr::Conditional(inner(condition)?, inner(then)?, inner(otherwise)?)
            }
        })
    }

    fn index(&self, indices: &Indices<'_>, name: &Name) -> Read<(Index, TemplateId)> {
        let place = indices.iter().position(|(known, _)| *known == name.text);
        let place = place.ok_or_else(|| unknown("thread of index", name))?;
        Ok((Index(place as u8), indices[place].1))
    }
}

/// The values of a notification to a template, which is added if it is not there.
fn notified(assignment: &mut Assignment, template: TemplateId) -> &mut Vec<(LocalVar, Expr)> {
    let known = assignment.passive.iter().position(|notification| notification.template == template);
    let place = known.unwrap_or_else(|| {
        assignment.passive.push(Notification { template, values: Vec::new() });
        assignment.passive.len() - 1
    });
    &mut assignment.passive[place].values
}
