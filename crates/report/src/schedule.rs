//! A schedule for people: one line per source line that a thread runs through, with what it changes.
//!
//! A trace has a step for every edge; a reader thinks in lines of code. Consecutive steps of one thread on one line
//! become one row, and only what the user can name is shown: variables, memory, locks.

use crate::style::{columns, fitting, printable};
use crate::{Paint, SourceCache, Style};
use selvedge_program::semantics::{AccessKind, Change, Changed, Effects, Event, Instance, Spot};
use selvedge_program::trace::{Replay, Trace};
use selvedge_program::{Action, GhostField, ObjectKind, Program, Span, ThreadIndex};
use std::fmt::Write;

/// One row of a schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Who moves.
    pub thread: ThreadIndex,
    /// The function it is in.
    pub function: String,
    /// Where.
    pub span: Span,
    /// What changes, as `name = value` or in words.
    pub changes: Vec<String>,
}

/// The rows of a trace that the semantics has replayed.
pub fn rows(program: &Program, trace: &Trace, replay: &Replay) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    let functions = functions_of_steps(program, trace, replay);
    for (position, step) in trace.steps.iter().enumerate() {
        let Some(function) = functions.get(position).copied() else { break };
        let edge = program.function(function).edge(step.edge);
        let changes = replay.effects.get(position).map(|effects| describe(program, effects)).unwrap_or_default();
        let span = edge.span;
        match rows.last_mut() {
            Some(row) if row.thread == step.thread && (same_line(row.span, span) || !program.is_the_users(span)) => {
                row.changes.extend(changes);
            }
            _ if changes.is_empty() && (!program.is_the_users(span) || is_declaration(&edge.action)) => {}
            _ => {
                rows.push(Row { thread: step.thread, function: program.function(function).name.clone(), span, changes })
            }
        }
    }
    for row in &mut rows {
        keep_last_of_each(&mut row.changes);
    }
    rows
}

/// The function that each step is taken in: followed through calls and returns.
fn functions_of_steps(program: &Program, trace: &Trace, replay: &Replay) -> Vec<selvedge_program::FunctionId> {
    let main = program.main();
    let mut stacks: Vec<Vec<selvedge_program::FunctionId>> = vec![main.into_iter().collect()];
    let mut functions = Vec::new();
    for (position, step) in trace.steps.iter().enumerate() {
        let Some(function) = stacks.get(step.thread.index()).and_then(|stack| stack.last()) else { break };
        functions.push(*function);
        let Some(effects) = replay.effects.get(position) else { break };
        for event in &effects.events {
            match event {
                Event::Called(callee) => stacks[step.thread.index()].push(*callee),
                Event::Returned(_) => {
                    stacks[step.thread.index()].pop();
                }
                Event::Started(thread, entry) => {
                    stacks.resize(stacks.len().max(thread.index() + 1), Vec::new());
                    stacks[thread.index()] = vec![*entry];
                }
                _ => {}
            }
        }
    }
    functions
}

fn is_declaration(action: &Action) -> bool {
    matches!(action, Action::Forget { .. } | Action::Havoc { .. })
}

fn same_line(a: Span, b: Span) -> bool {
    a.file == b.file && a.line == b.line
}

fn describe(program: &Program, effects: &Effects) -> Vec<String> {
    let mut texts: Vec<String> = reads(effects, program);
    for change in &effects.changes {
        let is_new = change.old.as_ref() != Some(&change.new);
        match change.what {
            Changed::Register(function, register) => {
                if is_new && program.function(function).register(register).name.is_some() {
                    texts.push(format!("{} = {}", change.name, change.new_text));
                }
            }
            Changed::Memory { .. } => texts.push(format!("{} = {}", change.name, change.new_text)),
            Changed::Ghost(key) if is_new => texts.extend(library_words(key.field, change)),
            Changed::Ghost(_) => {}
        }
    }
    for event in &effects.events {
        match event {
            Event::Started(thread, _) => texts.push(format!("starts thread {}", thread.0)),
            Event::Finished(_) => texts.push("ends".to_owned()),
            Event::Ended(_) => texts.push("the process ends".to_owned()),
            Event::Allocated { size, .. } => texts.push(format!("allocates {size} bytes")),
            Event::Freed(_) => texts.push("frees memory".to_owned()),
            Event::Forgotten(_) | Event::Called(_) | Event::Returned(_) => {}
        }
    }
    texts
}

/// What a step loads from a global variable, with the value: a lost update shows in what was read.
fn reads(effects: &Effects, program: &Program) -> Vec<String> {
    let (Some(access), Some(change)) = (effects.accesses.first(), effects.changes.first()) else { return Vec::new() };
    let (AccessKind::Read, Spot::Bytes { object: Instance::Static(id), offset, size }, Changed::Register(..)) =
        (access.kind, access.spot, change.what)
    else {
        return Vec::new();
    };
    let object = program.object(id);
    if object.kind == ObjectKind::Constant {
        return Vec::new();
    }
    let path = u32::try_from(size).ok().and_then(|size| object.shape.path(offset, size)).unwrap_or_default();
    vec![format!("{}{path} is {}", object.name, change.new_text)]
}

/// What the change of a lock's or a thread's state means, in words.
fn library_words(field: GhostField, change: &Change) -> Option<String> {
    let object = change.name.rsplit_once('.').map_or(change.name.as_str(), |(object, _)| object);
    let is_set = !change.new.is_zero();
    Some(match field {
        GhostField::MutexOwner | GhostField::SpinOwner if is_set => format!("locks {object}"),
        GhostField::MutexOwner | GhostField::SpinOwner => format!("unlocks {object}"),
        GhostField::WriteOwner if is_set => format!("locks {object} for writing"),
        GhostField::WriteOwner => format!("unlocks {object}"),
        GhostField::ThreadStatus => format!("joins {object}"),
        GhostField::WaitingOn if is_set => format!("sleeps on {}", change.new_text.trim_start_matches('&')),
        GhostField::WaitingOn => format!("wakes {object}"),
        GhostField::ThreadDetached => format!("detaches {object}"),
        GhostField::WaitingWriters if is_set => format!("waits for {object}"),
        GhostField::ThreadResult
        | GhostField::Attribute
        | GhostField::NextKey
        | GhostField::WaitingWith
        | GhostField::WaitingWriters => return None,
        _ => format!("{} = {}", change.name, change.new_text),
    })
}

/// A variable that changes several times on one row is shown once, with its last value.
fn keep_last_of_each(changes: &mut Vec<String>) {
    let name =
        |text: &str| text.split(" = ").next().unwrap_or(text).to_owned() + if text.contains(" = ") { " =" } else { "" };
    let names: Vec<String> = changes.iter().map(|text| name(text)).collect();
    let mut position = 0;
    changes.retain(|_| {
        position += 1;
        !names[position..].contains(&names[position - 1])
    });
}

/// The schedule as text, each row with its source line.
pub fn render(program: &Program, rows: &[Row], cache: &mut SourceCache, style: &Style) -> String {
    let name = |row: &Row| format!("thread {}", row.thread.0);
    let is_one_file = rows.windows(2).all(|pair| pair[0].span.file == pair[1].span.file);
    let place = |row: &Row| {
        let file = program.sources.name(row.span.file);
        let file = file.rsplit('/').next().unwrap_or(file);
        if is_one_file { format!("line {}", row.span.line) } else { format!("{file}:{}", row.span.line) }
    };
    let name_width = rows.iter().map(|row| name(row).len()).max().unwrap_or(0);
    let place_width = rows.iter().map(|row| place(row).len()).max().unwrap_or(0);
    let mut text = String::new();
    let mut previous = None;
    for row in rows {
        let shown = if previous == Some(row.thread) { String::new() } else { name(row) };
        previous = Some(row.thread);
        let line = cache.line(program.sources.name(row.span.file), row.span.line).unwrap_or("").trim();
        let lead = 4 + name_width + place_width;
        let shown = style.paint(Paint::Strong, &format!("{shown:name_width$}"));
        let at = style.paint(Paint::Frame, &format!("{:place_width$}", place(row)));
        let code = clip(&printable(line), style.width.saturating_sub(lead + 2));
        let _ = write!(text, "  {shown}  {at}  {code}");
        if !row.changes.is_empty() {
            let changes = row.changes.join(", ");
            let used = lead + 2 + columns(&code);
            if used + 4 + columns(&changes) <= style.width {
                let _ = write!(text, "  {}", style.paint(Paint::Note, &printable(&changes)));
            } else {
                let changes = style.wrap(&printable(&changes), lead + 4, lead + 4);
                let _ = write!(text, "\n{:1$}{2}", "", lead + 4, style.paint(Paint::Note, &changes));
            }
        }
        text.push('\n');
    }
    text
}

fn clip(text: &str, width: usize) -> String {
    if columns(text) <= width {
        return text.to_owned();
    }
    format!("{}…", fitting(text, width.saturating_sub(1)))
}
