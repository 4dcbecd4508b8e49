//! The paper's syntax (Fig. 2, and the statements of Section 2), with what we add to it.

use super::SyntaxError;
use super::cursor::Cursor;
use super::tree::*;
use crate::program::{Initial, Threads};

/// Statements are nested at most so deep, so that no text exhausts the stack.
const MOST_NESTED: u32 = 100;

pub fn parse(text: &str) -> Result<ProgramTree, SyntaxError> {
    let mut cursor = Cursor::new(text)?;
    let shared = declarations(&mut cursor, "shared")?;
    let mut templates = Vec::new();
    if cursor.sees("thread") {
        while cursor.accept("thread") {
            templates.push(template(&mut cursor)?);
        }
        if !cursor.is_at_end() {
            return Err(cursor.unexpected("`thread`"));
        }
    } else {
        let name = Name { text: "thread".to_string(), at: cursor.at() };
        let locals = declarations(&mut cursor, "local")?;
        let mut body = Vec::new();
        while !cursor.is_at_end() {
            body.push(statement(&mut cursor, 0)?);
        }
        templates.push(TemplateTree { name, threads: Threads::Many, locals, body });
    }
    Ok(ProgramTree { shared, templates, end: cursor.at() })
}

fn template(cursor: &mut Cursor) -> Result<TemplateTree, SyntaxError> {
    let name = cursor.name("the name of a template")?;
    cursor.expect("[")?;
    let number = cursor.name("a number of threads or `n`")?;
    let threads = match (number.text.as_str(), number.text.parse()) {
        ("n", _) => Threads::Many,
        (_, Ok(number)) => Threads::Exactly(number),
        _ => return Err(SyntaxError::new(number.at, "expected a number of threads or `n`")),
    };
    cursor.expect("]")?;
    cursor.expect("{")?;
    let locals = declarations(cursor, "local")?;
    let body = block(cursor, 0)?;
    Ok(TemplateTree { name, threads, locals, body })
}

/// `shared [bool] x = 0, y;`, any number of times, with the line number 0 that Section 2 puts before it.
fn declarations(cursor: &mut Cursor, keyword: &str) -> Result<Vec<(Name, Initial)>, SyntaxError> {
    let mut found = Vec::new();
    while cursor.sees(keyword) || cursor.sees("0") && cursor.sees_ahead(1, ":") && cursor.sees_ahead(2, keyword) {
        if cursor.accept("0") {
            cursor.expect(":")?;
        }
        cursor.expect(keyword)?;
        cursor.accept("bool");
        found.append(&mut cursor.list(declared)?);
        cursor.expect(";")?;
    }
    Ok(found)
}

fn declared(cursor: &mut Cursor) -> Result<(Name, Initial), SyntaxError> {
    let name = cursor.name("a variable")?;
    if !cursor.accept("=") {
        return Ok((name, Initial::Any));
    }
    let initial = if cursor.accept("0") {
        Initial::False
    } else if cursor.accept("1") {
        Initial::True
    } else if cursor.accept("*") {
        Initial::Any
    } else {
        return Err(cursor.unexpected("`0`, `1` or `*`"));
    };
    Ok((name, initial))
}

/// Statements up to `}`.
fn block(cursor: &mut Cursor, depth: u32) -> Result<Vec<StatementTree>, SyntaxError> {
    if depth > MOST_NESTED {
        return Err(SyntaxError::new(cursor.at(), "statements are nested too deep"));
    }
    let mut found = Vec::new();
    while !cursor.accept("}") {
        found.push(statement(cursor, depth)?);
    }
    Ok(found)
}

fn statement(cursor: &mut Cursor, depth: u32) -> Result<StatementTree, SyntaxError> {
    let labels = cursor.labels()?;
    let at = cursor.at();
    let kind = if cursor.accept("if") {
        let condition = parenthesised(cursor)?;
        cursor.expect("{")?;
        let then = block(cursor, depth + 1)?;
        let otherwise = if cursor.accept("else") {
            cursor.expect("{")?;
            block(cursor, depth + 1)?
        } else {
            Vec::new()
        };
        return Ok(StatementTree { labels, at, kind: Kind::If(condition, then, otherwise) });
    } else if cursor.accept("while") {
        let condition = parenthesised(cursor)?;
        cursor.expect("{")?;
        return Ok(StatementTree { labels, at, kind: Kind::While(condition, block(cursor, depth + 1)?) });
    } else if cursor.accept("skip") {
        Kind::Skip
    } else if cursor.accept("goto") {
        Kind::Goto(cursor.list(|cursor| cursor.name("a label"))?)
    } else if cursor.accept("end") {
        Kind::End
    } else if cursor.accept("atomic_begin") {
        Kind::AtomicBegin
    } else if cursor.accept("atomic_end") {
        Kind::AtomicEnd
    } else if cursor.accept("assert") {
        Kind::Assert(constraint(cursor)?)
    } else if cursor.accept("assume") {
        Kind::Assign(AssignmentTree { constraints: vec![constraint(cursor)?], ..AssignmentTree::default() })
    } else if cursor.accept("start") {
        Kind::Start(start(cursor)?)
    } else {
        Kind::Assign(assignment(cursor)?)
    };
    cursor.expect(";")?;
    Ok(StatementTree { labels, at, kind })
}

fn parenthesised(cursor: &mut Cursor) -> Result<ExprTree, SyntaxError> {
    cursor.expect("(")?;
    let found = cursor.expr()?;
    cursor.expect(")")?;
    Ok(found)
}

/// `havoc {…}` or values, then notifications, then constraints.
fn assignment(cursor: &mut Cursor) -> Result<AssignmentTree, SyntaxError> {
    let mut found = AssignmentTree::default();
    if cursor.accept("havoc") {
        cursor.expect("{")?;
        if !cursor.accept("}") {
            cursor.list(|cursor| havoc_variable(cursor, &mut found))?;
            cursor.expect("}")?;
        }
    } else if !cursor.sees("notify") && !cursor.sees("constrain") {
        let places = cursor.list(place)?;
        if !cursor.accept_any(&[":=", "="]) {
            return Err(cursor.unexpected("`:=`"));
        }
        let at = cursor.at();
        let values = cursor.list(Cursor::expr)?;
        if places.len() != values.len() {
            let message = format!("{} variables are assigned {} values", places.len(), values.len());
            return Err(SyntaxError::new(at, message));
        }
        found.values = places.into_iter().zip(values).collect();
    }
    while cursor.accept("notify") {
        let index = index(cursor)?;
        found.passive.push(NotificationTree { index, values: values_in_braces(cursor)? });
    }
    while cursor.accept("constrain") {
        found.constraints.push(constraint(cursor)?);
    }
    Ok(found)
}

/// `x`, `a.x`, `all(x)`, `all(worker.x)`.
fn havoc_variable(cursor: &mut Cursor, found: &mut AssignmentTree) -> Result<(), SyntaxError> {
    let at = cursor.at();
    if cursor.sees_ahead(1, "(") && cursor.accept("all") {
        cursor.expect("(")?;
        let first = cursor.name("a local")?;
        let all = if cursor.accept(".") { (Some(first), cursor.name("a local")?) } else { (None, first) };
        cursor.expect(")")?;
        found.havoc_all.push(all);
    } else {
        let place = place(cursor)?;
        found.values.push((place, ExprTree { at, kind: ExprKind::Choice }));
    }
    Ok(())
}

fn place(cursor: &mut Cursor) -> Result<PlaceTree, SyntaxError> {
    let first = cursor.name("a statement")?;
    if cursor.accept(".") {
        return Ok(PlaceTree { index: Some(first), name: cursor.name("a local")? });
    }
    Ok(PlaceTree { index: None, name: first })
}

/// `{p.x := …, …}`
fn values_in_braces(cursor: &mut Cursor) -> Result<Vec<(PlaceTree, ExprTree)>, SyntaxError> {
    cursor.expect("{")?;
    if cursor.accept("}") {
        return Ok(Vec::new());
    }
    let found = cursor.list(|cursor| {
        let place = place(cursor)?;
        if !cursor.accept_any(&[":=", "="]) {
            return Err(cursor.unexpected("`:=`"));
        }
        Ok((place, cursor.expr()?))
    })?;
    cursor.expect("}")?;
    Ok(found)
}

fn index(cursor: &mut Cursor) -> Result<IndexTree, SyntaxError> {
    let name = cursor.name("the index of a thread")?;
    let template = if cursor.accept(":") { Some(cursor.name("a template")?) } else { None };
    Ok(IndexTree { name, template })
}

/// `e`, `forall {a, p, q: worker}. e` (Fig. 2, where `forall` may be `∀≠`), `forall p != a. e` (Section 2).
fn constraint(cursor: &mut Cursor) -> Result<ConstraintTree, SyntaxError> {
    let mut passive = Vec::new();
    if cursor.accept("forall") {
        cursor.accept("!=");
        if cursor.accept("{") {
            let indices = cursor.list(index)?;
            cursor.expect("}")?;
            let Some(active) = indices.iter().position(|index| index.name.text == "a") else {
                return Err(SyntaxError::new(indices[0].name.at, "the indices of a constraint must contain `a`"));
            };
            passive = indices;
            passive.remove(active);
        } else {
            passive = cursor.list(index)?;
            cursor.expect("!=")?;
            cursor.expect("a")?;
        }
        cursor.expect(".")?;
    }
    Ok(ConstraintTree { passive, condition: cursor.expr()? })
}

/// `start worker at label {new.x := …} constrain …`
fn start(cursor: &mut Cursor) -> Result<StartTree, SyntaxError> {
    let template = Some(cursor.name("a template")?);
    let label = if cursor.accept("at") { Some(cursor.name("a label")?) } else { None };
    let values = StartValues::Given(if cursor.sees("{") { values_in_braces(cursor)? } else { Vec::new() });
    let condition = if cursor.accept("constrain") { Some(cursor.expr()?) } else { None };
    Ok(StartTree { template, label, values, condition })
}
