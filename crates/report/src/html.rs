//! The report as one page for the browser, which needs no network: the report itself and the sources it speaks of, as
//! data, with a script that shows them.
//!
//! The page has no content of its own but what the script makes of the data (`html/page.js`), so that there is one
//! place where text becomes markup, and that sets text only.

use crate::SourceCache;
use crate::model::Report;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};

const PAGE: &str = include_str!("html/page.html");
const LOOK: &str = include_str!("html/page.css");
const SCRIPT: &str = include_str!("html/page.js");

/// Of a file at most so many lines are shown.
const LONGEST: u32 = 20_000;

/// The page.
pub fn html(report: &Report, cache: &mut SourceCache) -> String {
    let data = json!({"report": report, "sources": sources(report, cache)});
    let title = format!("Selvedge: {}", report.verdict.text());
    let parts = [("TITLE", title.as_str()), ("LOOK", LOOK), ("SCRIPT", SCRIPT), ("DATA", &embedded(&data.to_string()))];
    let mut page = String::new();
    let mut rest = PAGE;
    while let Some((before, after)) = rest.split_once("{{") {
        page.push_str(before);
        let Some((name, after)) = after.split_once("}}") else { break };
        page.push_str(parts.iter().find(|(known, _)| *known == name).map_or("", |(_, text)| text));
        rest = after;
    }
    page + rest
}

/// JSON that can stand in a script element: nothing in it looks like a tag or ends a line of a script.
fn embedded(json: &str) -> String {
    let escaped = json.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026");
    escaped.replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

/// The lines of all files that the report speaks of.
fn sources(report: &Report, cache: &mut SourceCache) -> BTreeMap<String, Vec<String>> {
    let violations = report.checks.iter().filter_map(|check| check.violation());
    let steps = violations.flat_map(|violation| {
        let marks = violation.marks.iter().filter_map(|mark| mark.location.as_ref());
        marks.chain(violation.trace.iter().filter_map(|step| step.location.as_ref()))
    });
    let checks = report.checks.iter().filter_map(|check| check.location.as_ref());
    let invariants = report.invariants.iter().filter_map(|invariant| invariant.location.as_ref());
    let reasons = report.checks.iter().flat_map(|check| check.reasons()).chain(&report.notes).chain(&report.warnings);
    let reasons = reasons.filter_map(|reason| reason.location.as_ref());
    let files: BTreeSet<&String> =
        steps.chain(checks).chain(invariants).chain(reasons).map(|location| &location.file).collect();
    let lines = |file: &String, cache: &mut SourceCache| -> Vec<String> {
        (1..=LONGEST).map_while(|number| cache.line(file, number).map(str::to_owned)).collect()
    };
    files.into_iter().map(|file| (file.clone(), lines(file, cache))).collect()
}
