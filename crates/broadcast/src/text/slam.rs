//! The dialect of SLAM and its heirs for threads (Boppo, Boom): `decl`, procedures between `begin` and `end`, `schoose`,
//! `constrain` with primes before names, `start_thread`, `atomic_begin`, `dead`; `x$` is a passive thread's copy of `x`.
//!
//! The threads are one template that begins as one thread in `main`; `start_thread goto` starts another one in the same
//! procedure with a copy of the locals. Variables begin with any value. Procedures are put in the place of their calls
//! (`inline.rs`).

use super::cursor::{Cursor, PASSIVE};
use super::inline::{Procedure, inline};
use super::tree::*;
use super::{Position, SyntaxError};
use crate::program::{Initial, Threads};

/// Statements are nested at most so deep, so that no text exhausts the stack.
const MOST_NESTED: u32 = 100;

pub fn parse(text: &str) -> Result<ProgramTree, SyntaxError> {
    let mut cursor = Cursor::new(text)?;
    let shared = declarations(&mut cursor)?;
    let mut procedures = Vec::new();
    while !cursor.is_at_end() {
        procedures.push(procedure(&mut cursor)?);
    }
    let end = cursor.at();
    let Some(main) = procedures.iter().find(|procedure| procedure.name.text == "main") else {
        return Err(SyntaxError::new(end, "there is no procedure `main`"));
    };
    let (locals, body) = inline(main, &procedures)?;
    let locals = locals.into_iter().map(|local| (local, Initial::Any)).collect();
    let main = TemplateTree { name: main.name.clone(), threads: Threads::Exactly(1), locals, body };
    Ok(ProgramTree { shared, templates: vec![main], end })
}

fn declarations(cursor: &mut Cursor) -> Result<Vec<(Name, Initial)>, SyntaxError> {
    let mut found = Vec::new();
    while cursor.accept("decl") {
        let names = cursor.list(|cursor| cursor.name("a variable"))?;
        found.extend(names.into_iter().map(|name| (name, Initial::Any)));
        cursor.expect(";")?;
    }
    Ok(found)
}

/// `void f(x, y) begin … end`, `bool f()`, `f()`.
fn procedure(cursor: &mut Cursor) -> Result<Procedure, SyntaxError> {
    let mut name = cursor.name("a procedure")?;
    let returned = match name.text.as_str() {
        _ if cursor.sees("(") => None,
        "void" => Some(0),
        "bool" => Some(1),
        _ => return Err(SyntaxError::new(name.at, "expected `void`, `bool` or the name of a procedure")),
    };
    if returned.is_some() {
        name = cursor.name("the name of a procedure")?;
    }
    cursor.expect("(")?;
    let parameters = if cursor.sees(")") { Vec::new() } else { cursor.list(|cursor| cursor.name("a parameter"))? };
    cursor.expect(")")?;
    cursor.expect("begin")?;
    let locals = declarations(cursor)?.into_iter().map(|(name, _)| name).collect();
    let body = block(cursor, &["end"], 0)?;
    cursor.expect("end")?;
    Ok(Procedure { name, returned: returned.unwrap_or(0), parameters, locals, body })
}

/// Statements up to one of these words.
fn block(cursor: &mut Cursor, ends: &[&str], depth: u32) -> Result<Vec<StatementTree>, SyntaxError> {
    if depth > MOST_NESTED {
        return Err(SyntaxError::new(cursor.at(), "statements are nested too deep"));
    }
    let mut found = Vec::new();
    while !ends.iter().any(|end| cursor.sees(end)) {
        let labels = cursor.labels()?;
        let at = cursor.at();
        let kind = statement(cursor, depth)?;
        cursor.expect(";")?;
        found.push(StatementTree { labels, at, kind });
    }
    Ok(found)
}

fn statement(cursor: &mut Cursor, depth: u32) -> Result<Kind, SyntaxError> {
    let at = cursor.at();
    Ok(if cursor.accept("skip") {
        Kind::Skip
    } else if cursor.accept("goto") {
        Kind::Goto(cursor.list(|cursor| cursor.name("a label"))?)
    } else if cursor.accept("if") {
        let condition = cursor.expr()?;
        cursor.expect("then")?;
        let then = block(cursor, &["else", "fi"], depth + 1)?;
        let otherwise = if cursor.accept("else") { block(cursor, &["fi"], depth + 1)? } else { Vec::new() };
        cursor.expect("fi")?;
        Kind::If(condition, then, otherwise)
    } else if cursor.accept("while") {
        let condition = cursor.expr()?;
        cursor.expect("do")?;
        let body = block(cursor, &["od"], depth + 1)?;
        cursor.expect("od")?;
        Kind::While(condition, body)
    } else if cursor.accept("assume") {
        let constraints = vec![constraint(cursor.expr()?)];
        Kind::Assign(AssignmentTree { constraints, ..AssignmentTree::default() })
    } else if cursor.accept("assert") {
        Kind::Assert(constraint(cursor.expr()?))
    } else if cursor.accept("dead") {
        // What is dead may hold anything.
        let dead = cursor.list(|cursor| cursor.name("a variable"))?;
        let value = |name: Name| (PlaceTree { index: None, name }, ExprTree { at, kind: ExprKind::Choice });
        Kind::Assign(AssignmentTree { values: dead.into_iter().map(value).collect(), ..AssignmentTree::default() })
    } else if cursor.accept("atomic_begin") {
        Kind::AtomicBegin
    } else if cursor.accept("atomic_end") {
        Kind::AtomicEnd
    } else if cursor.accept("end_thread") {
        Kind::End
    } else if cursor.accept("start_thread") {
        if !cursor.accept("goto") {
            return Err(cursor.unexpected("`goto`: a thread is started at a label"));
        }
        let label = Some(cursor.name("a label")?);
        Kind::Start(StartTree { template: None, label, values: StartValues::Copied, condition: None })
    } else if cursor.accept("return") {
        let has_value = !cursor.sees(";");
        Kind::Return(if has_value { cursor.list(Cursor::expr)? } else { Vec::new() })
    } else if cursor.sees("enforce") || cursor.sees("abortif") {
        return Err(SyntaxError::new(at, "this statement is not supported"));
    } else if cursor.accept("call") || cursor.sees_word() && cursor.sees_ahead(1, "(") {
        let procedure = cursor.name("a procedure")?;
        Kind::Call(Vec::new(), procedure, arguments(cursor)?)
    } else {
        assignment(cursor, at)?
    })
}

fn arguments(cursor: &mut Cursor) -> Result<Vec<ExprTree>, SyntaxError> {
    cursor.expect("(")?;
    let found = if cursor.sees(")") { Vec::new() } else { cursor.list(Cursor::expr)? };
    cursor.expect(")")?;
    Ok(found)
}

/// `x, y$ := e, f constrain g`, or `x := f(e)`.
fn assignment(cursor: &mut Cursor, at: Position) -> Result<Kind, SyntaxError> {
    let places = cursor.list(|cursor| {
        let name = cursor.name("a statement")?;
        let index = cursor.accept(PASSIVE).then(|| Name { text: PASSIVE.to_string(), at: name.at });
        Ok(PlaceTree { index, name })
    })?;
    cursor.expect(":=")?;
    if cursor.accept("call") || cursor.sees_ahead(1, "(") && cursor.sees_word() {
        let procedure = cursor.name("a procedure")?;
        return Ok(Kind::Call(places, procedure, arguments(cursor)?));
    }
    let values = cursor.list(Cursor::expr)?;
    if values.len() != places.len() {
        let message = format!("{} variables are assigned {} values", places.len(), values.len());
        return Err(SyntaxError::new(at, message));
    }
    let mut found = AssignmentTree::default();
    for (place, value) in places.into_iter().zip(values) {
        match &place.index {
            None => found.values.push((place, value)),
            Some(index) => {
                let name = index.clone();
                let index = IndexTree { name, template: None };
                found.passive.push(NotificationTree { index, values: vec![(place, value)] });
            }
        }
    }
    if cursor.accept("constrain") {
        found.constraints.push(constraint(cursor.expr()?));
    }
    Ok(Kind::Assign(found))
}

/// Over all passive threads, if it names one.
fn constraint(condition: ExprTree) -> ConstraintTree {
    let mut passive = Vec::new();
    condition.indices(&mut |index| {
        if passive.is_empty() && index.text == PASSIVE {
            passive.push(IndexTree { name: index.clone(), template: None });
        }
    });
    ConstraintTree { passive, condition }
}
