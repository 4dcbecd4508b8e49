//! A path in the competition's YAML: a violation sequence of segments, each of waypoints.
//!
//! Format 2.0 knows one thread. With 2.2 a waypoint names its thread: 0 is the first, and k the one that the k-th
//! `function_enter` at a call starts which starts a thread. The order of segments is the order of time; the two accesses
//! of a race share the last segment, since neither comes before the other.

use super::{Path, Place, Point, Provenance, What};
use selvedge_program::DataModel;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The text of a witness of a violation.
pub fn violation(path: &Path, provenance: &Provenance) -> String {
    let threads = Threads::of(path);
    let mut text = head("violation_sequence", if path.is_concurrent() { "2.2" } else { "2.0" }, provenance);
    text.push_str("  content:\n");
    for point in &path.points {
        if let Some((kind, constraint)) = waypoint(point) {
            text.push_str("  - segment:\n");
            threads.write(&mut text, kind, point.thread, &point.place, constraint.as_ref());
        }
    }
    text.push_str("  - segment:\n");
    for target in &path.targets {
        threads.write(&mut text, "target", target.thread, &target.place, None);
    }
    text
}

/// What a waypoint demands: the words, and the language that they are in, if they are in one.
type Constraint = (String, Option<&'static str>);

/// The kind of a waypoint and what it demands, where a point makes one.
fn waypoint(point: &Point) -> Option<(&'static str, Option<Constraint>)> {
    match &point.what {
        What::Statement { before, .. } => {
            let value = if before.is_empty() { "1".to_owned() } else { before.join(" && ") };
            Some(("assumption", Some((value, Some("c_expression")))))
        }
        What::Branches(holds) => Some(("branching", Some((holds.to_string(), None)))),
        What::Starts(_) => Some(("function_enter", None)),
        What::Returns { value, .. } => {
            Some(("function_return", Some((format!("\\result == {value}"), Some("acsl_expression")))))
        }
        What::Enters(_) | What::Leaves(_) => None,
    }
}

/// The numbers of threads in a witness, by ours; none where there is only one.
struct Threads(Option<BTreeMap<u32, usize>>);

impl Threads {
    fn of(path: &Path) -> Self {
        let started = path.points.iter().filter_map(|point| match point.what {
            What::Starts(thread) => Some(thread),
            _ => None,
        });
        let numbers = std::iter::once(0).chain(started).zip(0..).collect();
        Threads(path.is_concurrent().then_some(numbers))
    }

    fn write(&self, text: &mut String, kind: &str, thread: u32, place: &Place, constraint: Option<&Constraint>) {
        let _ = write!(text, "    - waypoint:\n        type: {kind}\n        action: follow\n");
        if let Some(number) = self.0.as_ref().and_then(|numbers| numbers.get(&thread)) {
            let _ = writeln!(text, "        thread_id: {number}");
        }
        if let Some((value, format)) = constraint {
            let _ = write!(text, "        constraint:\n          value: {}\n", quoted(value));
            if let Some(format) = format {
                let _ = writeln!(text, "          format: {format}");
            }
        }
        let _ = write!(text, "        location:\n          file_name: {}\n", quoted(&place.file));
        let _ = writeln!(text, "          line: {}", place.line);
        if let Some(column) = place.column {
            let _ = writeln!(text, "          column: {column}");
        }
        let _ = writeln!(text, "          function: {}", quoted(&place.function));
    }
}

/// What every entry begins with.
fn head(entry: &str, version: &str, provenance: &Provenance) -> String {
    let mut text = format!("- entry_type: {entry}\n  metadata:\n    format_version: \"{version}\"\n");
    let _ = writeln!(text, "    uuid: {}", quoted(&provenance.uuid));
    let _ = writeln!(text, "    creation_time: {}", quoted(&provenance.created));
    let _ = write!(text, "    producer:\n      name: Selvedge\n      version: {}\n", quoted(&provenance.version));
    let _ = writeln!(text, "      command_line: {}", quoted(&provenance.command_line));
    text.push_str("    task:\n      input_files:\n");
    for (file, _) in &provenance.files {
        let _ = writeln!(text, "      - {}", quoted(file));
    }
    text.push_str("      input_file_hashes:\n");
    for (file, hash) in &provenance.files {
        let _ = writeln!(text, "        {}: {}", quoted(file), quoted(hash));
    }
    let _ = writeln!(text, "      specification: {}", quoted(&provenance.specification.join("\n")));
    let _ = writeln!(text, "      data_model: {}", data_model(provenance.data_model));
    text.push_str("      language: C\n");
    text
}

fn data_model(model: DataModel) -> &'static str {
    match model {
        DataModel::Ilp32 => "ILP32",
        DataModel::Lp64 => "LP64",
    }
}

/// A text between double quotes, in which YAML knows the same escapes as JSON.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
