//! What a program consists of, for people: its threads, what they share, what is checked, and what stands in the way of a verdict.

use crate::style::printable;
use crate::{Paint, Style};
use selvedge_analysis::{AbstractObject, Replication, Sharing, ThreadFacts, Threads};
use selvedge_program::{Action, FunctionId, Program, Span};
use std::collections::BTreeSet;
use std::fmt::Write;

/// The facts about a program that a summary shows.
#[derive(Clone, Copy, Debug)]
pub struct Facts<'a> {
    /// The program.
    pub program: &'a Program,
    /// Its threads.
    pub threads: &'a Threads,
    /// What they share.
    pub sharing: &'a Sharing,
}

/// The width of the left column.
const LABEL: usize = 10;

/// The summary as text, with a line end after it.
pub fn render(facts: &Facts<'_>, style: &Style) -> String {
    let mut text = String::new();
    section(&mut text, style, "threads", facts.threads.templates.iter().map(|thread| thread_line(facts, thread)));
    section(
        &mut text,
        style,
        "shared",
        facts.sharing.shared.iter().map(|(object, used)| {
            let mut line = object_name(facts.program, *object);
            let _ = write!(line, ": {}", roles(facts, &used.writers, &used.readers));
            if !used.has_plain_access {
                line.push_str(", atomic only");
            }
            line
        }),
    );
    section(
        &mut text,
        style,
        "locks",
        facts.sharing.synchronisation.iter().map(|object| object_name(facts.program, *object)),
    );
    section(
        &mut text,
        style,
        "checks",
        facts
            .program
            .checks
            .iter()
            .map(|check| format!("{} ({})", check.description, place(facts.program, check.span))),
    );
    section(
        &mut text,
        style,
        "unmodelled",
        unsupported(facts).into_iter().map(|(span, what)| format!("{what} ({})", place(facts.program, span))),
    );
    section(&mut text, style, "assumed", facts.program.caveats.iter().map(|caveat| caveat.message.clone()));
    text
}

fn section(text: &mut String, style: &Style, label: &str, lines: impl Iterator<Item = String>) {
    for (index, line) in lines.enumerate() {
        let shown = if index == 0 { label } else { "" };
        let label = style.paint(Paint::Strong, &format!("{shown:LABEL$}"));
        let _ = writeln!(text, "{label}  {}", style.wrap(&printable(&line), LABEL + 2, LABEL + 4));
    }
}

fn thread_line(facts: &Facts<'_>, thread: &ThreadFacts) -> String {
    let mut line = function_name(facts.program, thread.entry);
    if !thread.spawns.is_empty() {
        let places: Vec<String> = thread.spawns.iter().map(|span| place(facts.program, *span)).collect();
        let _ = write!(line, ", started at {}", places.join(", "));
    }
    if thread.replication == Replication::Many {
        line.push_str(", perhaps several times");
    }
    line
}

fn roles(facts: &Facts<'_>, writers: &BTreeSet<usize>, readers: &BTreeSet<usize>) -> String {
    let names = |threads: &BTreeSet<usize>| {
        let names: Vec<String> =
            threads.iter().map(|thread| function_name(facts.program, facts.threads.templates[*thread].entry)).collect();
        names.join(", ")
    };
    match (writers.is_empty(), readers.is_empty()) {
        (false, false) => format!("written by {}, read by {}", names(writers), names(readers)),
        (false, true) => format!("written by {}", names(writers)),
        _ => format!("only read, by {}", names(readers)),
    }
}

/// What is reached by some thread's code and has no model, with its first place.
pub fn unsupported(facts: &Facts<'_>) -> Vec<(Span, String)> {
    let functions: BTreeSet<FunctionId> =
        facts.threads.templates.iter().flat_map(|thread| thread.functions.iter().copied()).collect();
    let mut found: Vec<(Span, String)> = Vec::new();
    for function in functions {
        for edge in &facts.program.function(function).edges {
            if let Action::Unsupported(what) = &edge.action
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

/// A place in the source as `file:line`.
pub fn place(program: &Program, span: Span) -> String {
    if span.is_somewhere() {
        format!("{}:{}", program.sources.name(span.file), span.line)
    } else {
        "added by Selvedge".to_owned()
    }
}

/// What users call an object.
pub fn object_name(program: &Program, object: AbstractObject) -> String {
    match object {
        AbstractObject::Static(id) => program.object(id).name.clone(),
        AbstractObject::Frame(function, frame) => {
            let function = program.function(function);
            format!("{} in {}", function.frame_object(frame).name, function.name)
        }
        AbstractObject::Site(site) => {
            let span = program.sites.get(site.index()).copied().unwrap_or(Span::NOWHERE);
            format!("memory allocated at {}", place(program, span))
        }
        AbstractObject::Function(function) => function_name(program, function),
        AbstractObject::Thread | AbstractObject::Started(_) => "thread state".to_owned(),
    }
}

/// The summary as JSON, in the shape of a report without a verdict.
pub fn json(facts: &Facts<'_>, reason: &str) -> serde_json::Value {
    let program = facts.program;
    let spot = |span: Span| serde_json::json!({"file": program.sources.name(span.file), "line": span.line, "column": span.column});
    let checks: Vec<_> = program
        .checks
        .iter()
        .map(|check| {
            serde_json::json!({"property": "assertion", "description": check.description, "location": spot(check.span),
                "verdict": "unknown"})
        })
        .collect();
    let threads: Vec<_> = facts
        .threads
        .templates
        .iter()
        .map(|thread| {
            serde_json::json!({"function": function_name(program, thread.entry),
                "replicated": thread.replication == Replication::Many})
        })
        .collect();
    let shared: Vec<_> = facts.sharing.shared.keys().map(|object| object_name(program, *object)).collect();
    let assumed: Vec<_> = program.caveats.iter().map(|caveat| caveat.message.clone()).collect();
    serde_json::json!({"verdict": "unknown", "reason": reason, "checks": checks, "threads": threads, "shared": shared,
        "assumed": assumed, "statistics": {}, "version": env!("CARGO_PKG_VERSION")})
}
