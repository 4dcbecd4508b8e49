//! A path in GraphML 1.0: an automaton without branches, whose transitions name the line, the thread, and the functions
//! that are entered and left.

use super::{Path, Point, Provenance, What};
use selvedge_program::DataModel;
use std::fmt::Write;

/// The keys that the form has for what we say: what they belong to, their type, and their default.
const KEYS: &[(&str, &str, &str, Option<&str>)] = &[
    ("graph", "witness-type", "string", None),
    ("graph", "sourcecodelang", "string", None),
    ("graph", "producer", "string", None),
    ("graph", "specification", "string", None),
    ("graph", "programfile", "string", None),
    ("graph", "programhash", "string", None),
    ("graph", "architecture", "string", None),
    ("graph", "creationtime", "string", None),
    ("node", "entry", "boolean", Some("false")),
    ("node", "violation", "boolean", Some("false")),
    ("edge", "startline", "int", None),
    ("edge", "threadId", "string", None),
    ("edge", "createThread", "string", None),
    ("edge", "enterFunction", "string", None),
    ("edge", "returnFromFunction", "string", None),
    ("edge", "control", "string", None),
    ("edge", "assumption", "string", None),
    ("edge", "assumption.scope", "string", None),
    ("edge", "assumption.resultfunction", "string", None),
];

/// The text of a witness of a violation. The form names one file; of several, that in which the violation shows.
pub fn violation(path: &Path, provenance: &Provenance) -> String {
    let mut text = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n\
                    <graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\" \
                    xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">\n"
        .to_owned();
    for (owner, name, kind, default) in KEYS {
        let _ = write!(text, "  <key id=\"{name}\" attr.name=\"{name}\" attr.type=\"{kind}\" for=\"{owner}\"");
        match default {
            Some(default) => {
                let _ = writeln!(text, "><default>{default}</default></key>");
            }
            None => text.push_str("/>\n"),
        }
    }
    text.push_str("  <graph edgedefault=\"directed\">\n");
    let shown = path.targets.first().map(|target| target.place.file.as_str());
    let file = provenance.files.iter().find(|(name, _)| Some(name.as_str()) == shown);
    let (file, hash) =
        file.or(provenance.files.first()).map_or(("", ""), |(name, hash)| (name.as_str(), hash.as_str()));
    let architecture = match provenance.data_model {
        DataModel::Ilp32 => "32bit",
        DataModel::Lp64 => "64bit",
    };
    for (key, value) in [
        ("witness-type", "violation_witness"),
        ("sourcecodelang", "C"),
        ("producer", &format!("Selvedge {}", provenance.version)),
        ("specification", &provenance.specification.join("\n")),
        ("programfile", file),
        ("programhash", hash),
        ("architecture", architecture),
        ("creationtime", &provenance.created),
    ] {
        data(&mut text, 4, key, value);
    }
    let edges = edges(path);
    for state in 0..=edges.len() {
        let _ = write!(text, "    <node id=\"N{state}\">");
        for (key, is_so) in [("entry", state == 0), ("violation", state == edges.len())] {
            if is_so {
                let _ = write!(text, "<data key=\"{key}\">true</data>");
            }
        }
        text.push_str("</node>\n");
    }
    for (state, edge) in edges.iter().enumerate() {
        let _ = writeln!(text, "    <edge source=\"N{state}\" target=\"N{}\">", state + 1);
        for (key, value) in edge {
            data(&mut text, 6, key, value);
        }
        text.push_str("    </edge>\n");
    }
    text.push_str("  </graph>\n</graphml>\n");
    text
}

/// What a transition says, by key.
type Edge = Vec<(&'static str, String)>;

fn edges(path: &Path) -> Vec<Edge> {
    let (main, place) = &path.entry;
    let mut edges: Vec<Edge> = vec![vec![
        ("startline", place.line.to_string()),
        ("threadId", "0".to_owned()),
        ("createThread", "0".to_owned()),
        ("enterFunction", main.clone()),
    ]];
    edges.extend(path.points.iter().map(edge));
    for target in &path.targets {
        let mut edge = at(target.thread, target.place.line);
        edge.extend(target.calls.iter().map(|function| ("enterFunction", function.clone())));
        edges.push(edge);
    }
    edges
}

fn at(thread: u32, line: u32) -> Edge {
    vec![("startline", line.to_string()), ("threadId", thread.to_string())]
}

/// An assumption of this form holds after the statement.
fn edge(point: &Point) -> Edge {
    let mut edge = at(point.thread, point.place.line);
    match &point.what {
        What::Statement { after, .. } if after.is_empty() => {}
        What::Statement { after, .. } => {
            edge.push(("assumption", format!("{};", after.join(" && "))));
            edge.push(("assumption.scope", point.place.function.clone()));
        }
        What::Branches(holds) => {
            edge.push(("control", if *holds { "condition-true" } else { "condition-false" }.to_owned()));
        }
        What::Starts(thread) => edge.push(("createThread", thread.to_string())),
        What::Enters(function) => edge.push(("enterFunction", function.clone())),
        What::Leaves(function) => edge.push(("returnFromFunction", function.clone())),
        What::Returns { function, value } => {
            edge.push(("assumption", format!("\\result == {value};")));
            edge.push(("assumption.scope", point.place.function.clone()));
            edge.push(("assumption.resultfunction", function.clone()));
        }
    }
    edge
}

fn data(text: &mut String, indent: usize, key: &str, value: &str) {
    let _ = writeln!(text, "{:indent$}<data key=\"{key}\">{}</data>", "", escaped(value));
}

/// Text in XML, which has no way to write most control characters.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            c if c.is_control() && c != '\n' && c != '\t' => escaped.push(char::REPLACEMENT_CHARACTER),
            '\u{fffe}' | '\u{ffff}' => escaped.push(char::REPLACEMENT_CHARACTER),
            c => escaped.push(c),
        }
    }
    escaped
}
