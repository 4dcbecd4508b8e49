//! Programs in the paper's syntax, as `paper.rs` reads it: what is printed is read as the same program.

use std::fmt::Write;

use crate::expr::{Expr, Operator, When};
use crate::program::*;

/// A program as text.
pub fn print(program: &Program) -> String {
    let mut text = String::new();
    declare(&mut text, "", "shared", &program.shared);
    for (id, template) in program.numbered() {
        let threads = match template.threads {
            Threads::Exactly(number) => number.to_string(),
            Threads::Many => "n".to_string(),
        };
        let _ = writeln!(text, "thread {}[{threads}] {{", template.name);
        declare(&mut text, "  ", "local", &template.locals);
        let printer = Printer { program, own: id };
        for (place, statement) in template.statements.iter().enumerate() {
            let _ = writeln!(text, "  {}: {};", place + 1, printer.statement(statement));
        }
        text.push_str("}\n");
    }
    text
}

/// An expression of a statement of a template; `passive` are the templates of the threads of indices 1, 2, ….
pub fn print_expr(program: &Program, own: TemplateId, passive: &[TemplateId], expr: &Expr) -> String {
    Printer { program, own }.expr(&named(own, passive), expr)
}

fn declare(text: &mut String, indent: &str, keyword: &str, variables: &[Variable]) {
    for variable in variables {
        let initial = match variable.initial {
            Initial::False => " = 0",
            Initial::True => " = 1",
            Initial::Any => "",
        };
        let _ = writeln!(text, "{indent}{keyword} {}{initial};", variable.name);
    }
}

/// The names of indexed threads and their templates.
type Indices = Vec<(String, TemplateId)>;

fn named(own: TemplateId, passive: &[TemplateId]) -> Indices {
    let names = ["p", "q", "r"];
    let name = |place: usize| names.get(place).map_or_else(|| format!("p{place}"), |name| (*name).to_string());
    let mut found = vec![("a".to_string(), own)];
    found.extend(passive.iter().enumerate().map(|(place, template)| (name(place), *template)));
    found
}

struct Printer<'a> {
    program: &'a Program,
    own: TemplateId,
}

impl Printer<'_> {
    fn statement(&self, statement: &Statement) -> String {
        match statement {
            Statement::Goto(targets) => {
                let targets: Vec<String> = targets.iter().map(|target| self.label(self.own, *target)).collect();
                format!("goto {}", targets.join(", "))
            }
            Statement::Assign(assignment) => self.assignment(assignment),
            Statement::Assert(constraint) => format!("assert {}", self.constraint(constraint)),
            Statement::Start(start) => self.start(start),
            Statement::AtomicBegin => "atomic_begin".to_string(),
            Statement::AtomicEnd => "atomic_end".to_string(),
        }
    }

    fn label(&self, template: TemplateId, pc: Pc) -> String {
        if pc == self.program.template(template).end() { "end".to_string() } else { (pc.0 + 1).to_string() }
    }

    fn assignment(&self, assignment: &Assignment) -> String {
        let Assignment { shared, active, passive, constraints } = assignment;
        if shared.is_empty() && active.is_empty() && passive.is_empty() {
            match constraints.as_slice() {
                [] => return "skip".to_string(),
                [constraint] => return format!("assume {}", self.constraint(constraint)),
                _ => {}
            }
        }
        let mut parts = Vec::new();
        match self.havoc(assignment) {
            Some(havoc) => parts.push(havoc),
            None => {
                let alone = named(self.own, &[]);
                let mut places: Vec<String> = shared.iter().map(|(variable, _)| self.shared_name(*variable)).collect();
                places.extend(active.iter().map(|(variable, _)| format!("a.{}", self.local_name(self.own, *variable))));
                let values = shared.iter().map(|(_, value)| value).chain(active.iter().map(|(_, value)| value));
                let values: Vec<String> = values.map(|value| self.expr(&alone, value)).collect();
                if !places.is_empty() {
                    parts.push(format!("{} := {}", places.join(", "), values.join(", ")));
                }
                for notification in passive {
                    let indices = named(self.own, &[notification.template]);
                    let values = self.values(&indices, &notification.values);
                    let template = &self.program.template(notification.template).name;
                    parts.push(format!("notify p: {template} {{{values}}}"));
                }
            }
        }
        parts.extend(constraints.iter().map(|constraint| format!("constrain {}", self.constraint(constraint))));
        parts.join(" ")
    }

    /// `havoc {…}`, if that says it all: every value is a choice, and what passive threads of the statement's own
    /// template choose, the active one chooses last and in the same order.
    fn havoc(&self, assignment: &Assignment) -> Option<String> {
        let Assignment { shared, active, passive, .. } = assignment;
        let all =
            passive.iter().flat_map(|told| told.values.iter().map(|(local, value)| (told.template, *local, value)));
        let all: Vec<(TemplateId, LocalVar, &Expr)> = all.collect();
        let is_choice = |value: &Expr| *value == Expr::Choice;
        if !shared.iter().all(|(_, value)| is_choice(value))
            || !active.iter().all(|(_, value)| is_choice(value))
            || !all.iter().all(|(_, _, value)| is_choice(value))
            || passive.iter().any(|told| told.values.is_empty())
        {
            return None;
        }
        let mine: Vec<LocalVar> = all.iter().filter(|(of, _, _)| *of == self.own).map(|(_, local, _)| *local).collect();
        let alone = active.len().checked_sub(mine.len())?;
        if !active[alone..].iter().map(|(local, _)| *local).eq(mine) {
            return None;
        }
        let mut names: Vec<String> = shared.iter().map(|(variable, _)| self.shared_name(*variable)).collect();
        names.extend(active[..alone].iter().map(|(local, _)| format!("a.{}", self.local_name(self.own, *local))));
        names.extend(all.iter().map(|(of, local, _)| match *of == self.own {
            true => format!("all({})", self.local_name(*of, *local)),
            false => format!("all({}.{})", self.program.template(*of).name, self.local_name(*of, *local)),
        }));
        Some(format!("havoc {{{}}}", names.join(", ")))
    }

    /// `p.x := …` for the last of the indexed threads.
    fn values(&self, indices: &Indices, values: &[(LocalVar, Expr)]) -> String {
        let (index, template) = &indices[indices.len() - 1];
        let values = values.iter().map(|(variable, value)| {
            format!("{index}.{} := {}", self.local_name(*template, *variable), self.expr(indices, value))
        });
        values.collect::<Vec<String>>().join(", ")
    }

    fn constraint(&self, constraint: &Constraint) -> String {
        let indices = named(self.own, &constraint.passive);
        let condition = self.expr(&indices, &constraint.condition);
        if constraint.passive.is_empty() {
            return condition;
        }
        let passive = indices[1..].iter().map(|(name, template)| match *template == self.own {
            true => name.clone(),
            false => format!("{name}: {}", self.program.template(*template).name),
        });
        format!("forall {{a, {}}}. {condition}", passive.collect::<Vec<String>>().join(", "))
    }

    fn start(&self, start: &Start) -> String {
        let mut text = format!("start {}", self.program.template(start.template).name);
        if start.at != Pc(0) {
            let _ = write!(text, " at {}", self.label(start.template, start.at));
        }
        let indices = vec![("a".to_string(), self.own), ("new".to_string(), start.template)];
        if !start.values.is_empty() {
            let _ = write!(text, " {{{}}}", self.values(&indices, &start.values));
        }
        if start.condition != Expr::Constant(true) {
            let _ = write!(text, " constrain {}", self.expr(&indices, &start.condition));
        }
        text
    }

    fn shared_name(&self, variable: SharedVar) -> String {
        self.program.shared[variable.0 as usize].name.clone()
    }

    fn local_name(&self, template: TemplateId, variable: LocalVar) -> &str {
        &self.program.template(template).locals[variable.0 as usize].name
    }

    fn expr(&self, indices: &Indices, expr: &Expr) -> String {
        let prime = |when: &When| match when {
            When::Now => "",
            When::Next => "'",
        };
        match expr {
            Expr::Constant(value) => u8::from(*value).to_string(),
            Expr::Choice => "*".to_string(),
            Expr::Schoose(one, zero) => format!("schoose[{}, {}]", self.expr(indices, one), self.expr(indices, zero)),
            Expr::Shared(variable, when) => format!("{}{}", self.shared_name(*variable), prime(when)),
            Expr::Local(index, variable, when) => {
                let (name, template) = &indices[index.0 as usize];
                format!("{name}.{}{}", self.local_name(*template, *variable), prime(when))
            }
            Expr::At(index, pc) => {
                let (name, template) = &indices[index.0 as usize];
                format!("{name}@{}", self.label(*template, *pc))
            }
            Expr::Not(inner) => format!("!{}", self.operand(indices, inner)),
            Expr::Binary(operator, left, right) => {
                let chained = match (operator, left.as_ref()) {
                    (Operator::And | Operator::Or, Expr::Binary(inner, ..)) => inner == operator,
                    _ => false,
                };
                let left = if chained { self.expr(indices, left) } else { self.operand(indices, left) };
                format!("{left} {} {}", sign(*operator), self.operand(indices, right))
            }
            Expr::Conditional(condition, then, otherwise) => {
                let [condition, then, otherwise] = [condition, then, otherwise].map(|part| self.operand(indices, part));
                format!("{condition} ? {then} : {otherwise}")
            }
        }
    }

    /// In parentheses if it has parts with an operator between them.
    fn operand(&self, indices: &Indices, expr: &Expr) -> String {
        let text = self.expr(indices, expr);
        if matches!(expr, Expr::Binary(..) | Expr::Conditional(..)) { format!("({text})") } else { text }
    }
}

fn sign(operator: Operator) -> &'static str {
    match operator {
        Operator::And => "&",
        Operator::Or => "|",
        Operator::Differ => "!=",
        Operator::Equal => "==",
        Operator::Implies => "=>",
    }
}
