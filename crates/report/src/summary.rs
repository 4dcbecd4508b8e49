//! What is known of a program before any engine looks at it: its threads and when they run beside each other, what
//! they share, what its pointers point to, what is checked, and what stands in the way of a verdict.
//!
//! Short on a small program, and not much longer on a large one: long lists are cut with a note of what was left out.
//! JSON has everything.

mod json;
mod parallel;
mod pointers;
pub(crate) mod shared;

pub use json::json;

use crate::style::printable;
use crate::{Paint, Style};
use selvedge_analysis::locks::Guarded;
use selvedge_analysis::{
    AbstractObject, Conflicts, Facts, Parallel, PointsTo, Replication, Sharing, TemplateId, Threads,
};
use selvedge_program::{Action, Exhausted, FileId, FunctionId, Program, Span};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// What is shown of a program.
#[derive(Clone, Debug)]
pub struct Summary<'a> {
    /// The program.
    pub program: &'a Program,
    /// What its pointers point to.
    pub points_to: &'a PointsTo,
    /// Its threads.
    pub threads: &'a Threads,
    /// When they run beside each other; `None` if there is no `main`.
    pub parallel: Option<&'a Parallel>,
    /// What they share.
    pub sharing: &'a Sharing,
    /// Which accesses to that may be parallel.
    pub conflicts: &'a Conflicts,
    /// By which locks that is guarded.
    pub guarded: BTreeMap<AbstractObject, Guarded>,
}

impl<'a> Summary<'a> {
    /// What is shown of the facts about a program.
    ///
    /// # Errors
    /// The limit that was reached before they were all found.
    pub fn of(facts: &'a Facts) -> Result<Summary<'a>, Exhausted> {
        Ok(Summary {
            program: facts.program(),
            points_to: facts.points_to()?,
            threads: facts.threads()?,
            parallel: facts.parallel()?,
            sharing: facts.sharing()?,
            conflicts: facts.conflicts()?,
            guarded: facts.guarded()?,
        })
    }
}

/// The width of the left column.
const LABEL: usize = 10;

/// No list is longer than this in text.
const MOST_LINES: usize = 40;

/// The summary as text, with a line end after it.
pub fn render(facts: &Summary<'_>, style: &Style) -> String {
    let mut text = String::new();
    section(&mut text, style, "threads", facts.threads.entries().iter().map(|entry| thread_line(facts, *entry)));
    table(&mut text, style, "parallel", &parallel::rows(facts));
    table(&mut text, style, "shared", &shared::rows(facts));
    let locks = facts.sharing.synchronisation.iter().map(|object| object.name(facts.program));
    section(&mut text, style, "locks", locks);
    table(&mut text, style, "pointers", &pointers::rows(facts));
    table(&mut text, style, "calls", &pointers::calls(facts));
    let checks = facts.program.checks.iter();
    section(
        &mut text,
        style,
        "checks",
        checks.map(|check| format!("{} ({})", check.description, spot(facts.program, check.span))),
    );
    section(
        &mut text,
        style,
        "unmodelled",
        unsupported(facts).into_iter().map(|(span, what)| format!("{what} ({})", spot(facts.program, span))),
    );
    section(&mut text, style, "assumed", facts.program.caveats.iter().map(|caveat| caveat.message.clone()));
    text
}

fn section(text: &mut String, style: &Style, label: &str, lines: impl Iterator<Item = String>) {
    let rows: Vec<Vec<String>> = lines.map(|line| vec![line]).collect();
    table(text, style, label, &rows);
}

/// Rows of cells; all but the last cell of a row are in columns of their own, as wide as they need to be within reason.
fn table(text: &mut String, style: &Style, label: &str, rows: &[Vec<String>]) {
    let most = style.width.saturating_sub(LABEL + 2) / 3;
    let cell = |row: &Vec<String>, column: usize| row.get(column).map_or(0, |cell| crate::style::columns(cell));
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0).saturating_sub(1);
    let fits = |column: usize| rows.iter().map(|row| cell(row, column)).filter(|width| *width <= most).max();
    let widths: Vec<usize> = (0..columns).map(|column| fits(column).unwrap_or(most)).collect();
    let shown = if rows.len() > MOST_LINES { MOST_LINES - 1 } else { rows.len() };
    for (index, row) in rows.iter().take(shown).enumerate() {
        let heading = style.paint(Paint::Strong, &format!("{:LABEL$}", if index == 0 { label } else { "" }));
        let mut line = String::new();
        for (column, cell) in row.iter().enumerate() {
            if column + 1 < row.len() {
                let width = widths.get(column).copied().unwrap_or(0) + 2;
                let padding = width.saturating_sub(crate::style::columns(cell)).max(2);
                line.push_str(&unbroken(&format!("{cell}{}", " ".repeat(padding))));
            } else {
                line.push_str(cell);
            }
        }
        let indent = if row.len() > 1 { widths.iter().sum::<usize>() + 2 * widths.len() } else { 2 };
        let indent = LABEL + 2 + indent.min(style.width / 2);
        let wrapped = style.wrap(&printable(&line), LABEL + 2, indent).replace('\u{a0}', " ");
        let _ = writeln!(text, "{}", format!("{heading}  {wrapped}").trim_end());
    }
    if shown < rows.len() {
        let _ = writeln!(text, "{:LABEL$}  and {} more", "", rows.len() - shown);
    }
}

/// A cell that is not broken into lines.
fn unbroken(cell: &str) -> String {
    cell.replace(' ', "\u{a0}")
}

/// The threads that start with a function.
fn thread_line(facts: &Summary<'_>, entry: FunctionId) -> String {
    let mut line = function_name(facts.program, entry);
    let started = facts.threads.started_with(entry);
    if !started.spawns.is_empty() {
        let _ = write!(line, ", started in {}", spots(facts.program, &started.spawns));
    }
    if started.replication == Replication::Many {
        line.push_str(", perhaps several times");
    }
    line
}

/// The functions that threads of some templates start with.
fn starts(facts: &Summary<'_>, templates: &BTreeSet<TemplateId>) -> Vec<String> {
    let is_start =
        |entry: &FunctionId| templates.iter().any(|template| facts.threads.get(*template).entries.contains(entry));
    let entries = facts.threads.entries().into_iter().filter(is_start);
    entries.map(|entry| function_name(facts.program, entry)).collect()
}

/// The first few of a list, and how many more there are.
fn some(list: &[String], most: usize) -> String {
    if list.len() <= most {
        return list.join(", ");
    }
    format!("{}, and {} more", list[..most.saturating_sub(1)].join(", "), list.len() + 1 - most)
}

/// What users call an object who know which program this is about.
fn short_name(program: &Program, object: AbstractObject) -> String {
    match object {
        AbstractObject::Site(site) => {
            let span = program.sites.get(site.index()).copied().unwrap_or(Span::NOWHERE);
            format!("memory of {}", spot(program, span))
        }
        object => object.name(program),
    }
}

/// The file that `main` is in: lines without a file's name are lines of it.
fn home(program: &Program) -> Option<FileId> {
    program.main().map(|main| program.function(main).span.file)
}

/// A place in the source, for a reader who knows which program this is: `line 12`, or `util.c:12` outside `main`'s
/// file.
fn spot(program: &Program, span: Span) -> String {
    if span.is_somewhere() && Some(span.file) == home(program) {
        format!("line {}", span.line)
    } else {
        program.place(span)
    }
}

/// Several places: `lines 12, 14, util.c:3`.
fn spots(program: &Program, spans: &[Span]) -> String {
    let names: BTreeSet<(FileId, u32)> = spans.iter().map(|span| (span.file, span.line)).collect();
    let spans: Vec<Span> = names.into_iter().map(|(file, line)| Span::on_line(file, line, 1, 1)).collect();
    let bare: Vec<String> =
        spans.iter().map(|span| spot(program, *span).trim_start_matches("line ").to_owned()).collect();
    match spans.as_slice() {
        [only] => spot(program, *only),
        [first, ..] if Some(first.file) == home(program) => format!("lines {}", some(&bare, 8)),
        _ => some(&bare, 8),
    }
}

/// What is reached by some thread's code and has no model, with its first place.
pub fn unsupported(facts: &Summary<'_>) -> Vec<(Span, String)> {
    let mut found: Vec<(Span, String)> = Vec::new();
    for function in facts.threads.functions() {
        for edge in &facts.program.function(function).edges {
            if let Action::Unsupported(what) | Action::Inexact(what) = &edge.action
                && !found.iter().any(|(_, known)| known == what)
            {
                found.push((edge.span, what.clone()));
            }
        }
    }
    found
}

/// A function's name.
pub fn function_name(program: &Program, function: FunctionId) -> String {
    program.function(function).name.clone()
}
