//! A schedule for people: one line per source line that a thread runs through, with what it changes.
//!
//! A trace has a step for every edge; a reader thinks in lines of code. Consecutive steps of one thread on one line become one
//! row, and only what the user can name is shown: variables, memory, locks.

use crate::style::printable;
use crate::{Paint, SourceCache, Style};
use selvedge_program::semantics::{Changed, Event};
use selvedge_program::trace::{Replay, Trace};
use selvedge_program::{Program, Span, ThreadIndex};
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
            Some(row) if row.thread == step.thread && (same_line(row.span, span) || !is_the_users(program, span)) => {
                row.changes.extend(changes);
            }
            _ if changes.is_empty() && !is_the_users(program, span) => {}
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
    let main = program.templates.first().map(|template| template.function);
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

fn same_line(a: Span, b: Span) -> bool {
    a.file == b.file && a.line == b.line
}

/// Whether a span is in a file of the user's, not in a header or model of ours.
pub(crate) fn is_the_users(program: &Program, span: Span) -> bool {
    span.is_somewhere() && !program.sources.name(span.file).starts_with('<')
}

fn describe(program: &Program, effects: &selvedge_program::semantics::Effects) -> Vec<String> {
    let mut texts = Vec::new();
    for change in &effects.changes {
        let named = match change.what {
            Changed::Register(function, register) => program.function(function).register(register).name.is_some(),
            Changed::Memory { .. } | Changed::Ghost(_) => true,
        };
        if named && change.old.as_ref() != Some(&change.new) {
            texts.push(format!("{} = {}", change.name, change.new_text));
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

/// A variable that changes several times on one row is shown once, with its last value.
fn keep_last_of_each(changes: &mut Vec<String>) {
    let name = |text: &str| text.split(" = ").next().unwrap_or(text).to_owned();
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
    let place = |row: &Row| {
        let file = program.sources.name(row.span.file);
        let file = file.rsplit('/').next().unwrap_or(file);
        format!("{file}:{}", row.span.line)
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
            let used = lead + 2 + code.chars().count();
            if used + 4 + changes.chars().count() <= style.width {
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
    if text.chars().count() <= width {
        return text.to_owned();
    }
    let mut clipped: String = text.chars().take(width.saturating_sub(1)).collect();
    clipped.push('…');
    clipped
}
