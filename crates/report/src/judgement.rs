//! Verdicts for people and for programs.

use crate::schedule;
use crate::style::printable;
use crate::summary::shared;
use crate::violation::{self, Violation};
use crate::{Paint, SourceCache, Style};
use selvedge_evidence::{Certificate, CheckResult, Judgement, Reason, Standing, Verdict};
use selvedge_program::{Diagnostic, Program, Property, Severity, Sources, Span};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Whether to say much or little.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Violations with their schedules, and every check.
    Full,
    /// The verdict alone.
    Quiet,
}

/// The judgement as text: violations first, then what was not covered, then the verdict.
pub fn render(
    program: &Program,
    judgement: &Judgement,
    detail: Detail,
    cache: &mut SourceCache,
    style: &Style,
) -> String {
    let mut text = String::new();
    if detail == Detail::Full {
        for check in &judgement.checks {
            if let Verdict::Unsafe(counterexample) = &check.verdict {
                let shown = Violation { program, trace: counterexample.trace(), replay: counterexample.replay() };
                text.push_str(&violation::render(&shown, cache, style));
                text.push('\n');
            }
        }
        text.push_str(&protections(program, judgement, style));
        for covered in covered(judgement) {
            let reason = Reason { span: Span::NOWHERE, message: covered.to_owned() };
            text.push_str(&remark("covered", Paint::Note, program, &reason, style));
        }
        for reason in reasons(judgement) {
            text.push_str(&remark("not covered", Paint::Careful, program, reason, style));
        }
        for message in on_trust(judgement) {
            let reason = Reason { span: Span::NOWHERE, message };
            text.push_str(&remark("on trust", Paint::Careful, program, &reason, style));
        }
        for warning in &judgement.warnings {
            text.push_str(&remark("warning", Paint::Careful, program, warning, style));
        }
        if judgement.word() != "safe" && judgement.checks.iter().any(|check| is_qualified(judgement, check)) {
            let message = format!("what holds does so as far as the program is defined: {}", undefined(judgement));
            text.push_str(&remark("note", Paint::Note, program, &Reason { span: Span::NOWHERE, message }, style));
        }
        for note in &judgement.notes {
            text.push_str(&remark("note", Paint::Note, program, note, style));
        }
        for caveat in &program.caveats {
            let reason = Reason { span: Span::NOWHERE, message: caveat.message.clone() };
            text.push_str(&remark("assumed", Paint::Note, program, &reason, style));
        }
    }
    text.push_str(&verdict_line(judgement, style));
    text
}

fn remark(word: &str, paint: Paint, program: &Program, reason: &Reason, style: &Style) -> String {
    let at = if reason.span.is_somewhere() { format!(" ({})", program.place(reason.span)) } else { String::new() };
    let message = printable(&format!("{}{at}", reason.message));
    format!("{}: {}\n", style.paint(paint, word), style.wrap(&message, word.len() + 2, 2))
}

/// At most so many objects are shown with what protects them.
const MOST_PROTECTED: usize = 8;

/// What protects the objects on which nothing races, and where others lack the lock that they mostly have.
fn protections(program: &Program, judgement: &Judgement, style: &Style) -> String {
    let mut text = String::new();
    let (mut shown, mut left_out) = (0, 0);
    for check in judgement.of_property(Property::Race) {
        let said = check.protection(judgement).and_then(|protection| shared::protection(program, protection));
        let (Some(said), Some(object)) = (said, &check.object) else { continue };
        let is_safe = matches!(check.verdict, Verdict::Safe(_));
        if is_safe && shown == MOST_PROTECTED {
            left_out += 1;
            continue;
        }
        shown += usize::from(is_safe);
        let (word, paint) = if is_safe { ("protected", Paint::Note) } else { ("hint", Paint::Careful) };
        let reason = Reason { span: Span::NOWHERE, message: format!("{object}: {said}") };
        text.push_str(&remark(word, paint, program, &reason, style));
    }
    if left_out > 0 {
        let message = format!("and {} more, which --json lists", count(left_out, "object"));
        text.push_str(&remark("protected", Paint::Note, program, &Reason { span: Span::NOWHERE, message }, style));
    }
    text
}

/// All reasons why something is bounded or unknown, each once.
pub fn reasons(judgement: &Judgement) -> Vec<&Reason> {
    let mut all: Vec<&Reason> = judgement.checks.iter().flat_map(|check| check.verdict.reasons()).collect();
    all.sort();
    all.dedup();
    all
}

/// The bounds within which something was covered, each once.
fn covered(judgement: &Judgement) -> Vec<&str> {
    let bounds = judgement.checks.iter().filter_map(|check| match &check.verdict {
        Verdict::Bounded { covered, .. } => Some(covered.as_str()),
        _ => None,
    });
    let mut all: Vec<&str> = bounds.collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// What verdicts take on trust, each once.
fn on_trust(judgement: &Judgement) -> BTreeSet<String> {
    let standings = judgement.checks.iter().filter_map(|check| match &check.verdict {
        Verdict::Safe(certificate) => Some(certificate.standing()),
        _ => None,
    });
    let words = |standing| match standing {
        Standing::Confirmed => None,
        Standing::OnTrust(what) => Some(what),
    };
    standings.filter_map(words).collect()
}

/// Whether a check is safe only as far as the program is defined.
fn is_qualified(judgement: &Judgement, check: &CheckResult) -> bool {
    matches!(check.verdict, Verdict::Safe(_)) && !judgement.undefined_beside(check.property).is_empty()
}

/// `line 12 joins or detaches what is not a joinable thread; line 15 …`
fn undefined(judgement: &Judgement) -> String {
    let one = |reason: &Reason| match reason.span.is_somewhere() {
        true => format!("line {} {}", reason.span.line, reason.message),
        false => reason.message.clone(),
    };
    judgement.undefined.iter().map(one).collect::<Vec<_>>().join("; ")
}

/// `unsafe: 1 of 3 assertions can fail, no data race on 2 shared objects, no deadlock, …`
/// or `safe as far as the program is defined: line 12 …; the assertion holds, …`
fn verdict_line(judgement: &Judgement, style: &Style) -> String {
    let word = judgement.word();
    let paint = match word {
        "safe" => Paint::Good,
        "unsafe" => Paint::Bad,
        _ => Paint::Careful,
    };
    let mut parts = Vec::new();
    let properties = [
        Property::Assertion,
        Property::Race,
        Property::Deadlock,
        Property::Memory,
        Property::Atomicity,
        Property::Overflow,
    ];
    for property in properties {
        let checks: Vec<&CheckResult> = judgement.of_property(property).collect();
        if let Some(part) = property_part(property, &checks) {
            parts.push(part);
        }
    }
    let text = if parts.is_empty() { "there is nothing to check".to_owned() } else { parts.join(", ") };
    if word == "safe" && judgement.checks.iter().any(|check| is_qualified(judgement, check)) {
        let word = "safe as far as the program is defined";
        let text = format!("{}; {text}", undefined(judgement));
        return format!("{}: {}\n", style.paint(Paint::Careful, word), style.wrap(&text, word.len() + 2, 2));
    }
    let (word, paint) = if word == "safe" && !on_trust(judgement).is_empty() {
        ("safe on trust", Paint::Careful)
    } else {
        (word, paint)
    };
    format!("{}: {}\n", style.paint(paint, word), style.wrap(&text, word.len() + 2, 2))
}

fn property_part(property: Property, checks: &[&CheckResult]) -> Option<String> {
    let total = checks.len();
    let bad = checks.iter().filter(|check| matches!(check.verdict, Verdict::Unsafe(_))).count();
    let good = checks.iter().filter(|check| matches!(check.verdict, Verdict::Safe(_))).count();
    let is_vacuous = |check: &&CheckResult| matches!(check.verdict, Verdict::Safe(Certificate::NothingToCheck));
    if checks.iter().all(is_vacuous) {
        return None;
    }
    let decided = good == total;
    Some(match property {
        Property::Assertion if bad > 0 && total == 1 => "the assertion can fail".to_owned(),
        Property::Assertion if bad > 0 => format!("{bad} of {total} assertions can fail"),
        Property::Assertion if decided => match total {
            1 => "the assertion holds".to_owned(),
            _ => format!("all {total} assertions hold"),
        },
        Property::Assertion if checks.iter().any(|check| check.span.is_somewhere()) => {
            format!("{} undecided", count(total - good, "assertion"))
        }
        Property::Assertion => "assertions undecided".to_owned(),
        Property::Race if bad > 0 => format!("data races on {}", count(bad, "object")),
        Property::Race if decided => "no data race".to_owned(),
        Property::Race => "data races undecided".to_owned(),
        Property::Deadlock if bad > 0 => "it can deadlock".to_owned(),
        Property::Deadlock if decided => "no deadlock".to_owned(),
        Property::Deadlock => "deadlock undecided".to_owned(),
        Property::Memory if bad > 0 => format!("undefined behaviour in {}", count(bad, "place")),
        Property::Memory if decided => "no undefined behaviour".to_owned(),
        Property::Memory => "undefined behaviour undecided".to_owned(),
        Property::Atomicity if bad > 0 => format!("interference within {}", count(bad, "pair of lines")),
        Property::Atomicity if decided => "no interference".to_owned(),
        Property::Atomicity => "interference undecided".to_owned(),
        Property::Overflow if bad > 0 => format!("signed overflow in {}", count(bad, "place")),
        Property::Overflow if decided => "no signed overflow".to_owned(),
        Property::Overflow => "signed overflow undecided".to_owned(),
    })
}

fn count(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

/// The name of a property, on the command line and in JSON.
pub fn property_name(property: Property) -> &'static str {
    match property {
        Property::Assertion => "assertion",
        Property::Race => "race",
        Property::Deadlock => "deadlock",
        Property::Memory => "memory",
        Property::Atomicity => "atomicity",
        Property::Overflow => "overflow",
    }
}

/// The judgement as JSON; `docs/json.md` describes it.
pub fn json(program: &Program, judgement: &Judgement, statistics: Value, cache: &mut SourceCache) -> Value {
    let checks: Vec<Value> =
        judgement.checks.iter().map(|check| check_json(program, judgement, check, cache)).collect();
    let mut report = json!({
        "verdict": judgement.word(),
        "checks": checks,
        "notes": reasons_json(program, &judgement.notes),
        "warnings": reasons_json(program, &judgement.warnings),
        "undefined": reasons_json(program, &judgement.undefined),
        "assumed": program.caveats.iter().map(|caveat| caveat.message.clone()).collect::<Vec<_>>(),
        "statistics": statistics,
        "version": env!("CARGO_PKG_VERSION"),
    });
    if let Some(reason) = judgement.decisive().and_then(|check| check.verdict.reasons().first()) {
        report["reason"] = json!(reason.message);
    }
    report
}

/// The report where there is no program to check; `docs/json.md` describes it.
pub fn refusal_json(diagnostics: &[Diagnostic], sources: &Sources) -> Value {
    let errors = diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
    let error = |error: &Diagnostic| json!({"message": error.message, "location": place_json(sources, error.span)});
    json!({
        "verdict": "error",
        "errors": errors.map(error).collect::<Vec<_>>(),
        "version": env!("CARGO_PKG_VERSION"),
    })
}

fn check_json(program: &Program, judgement: &Judgement, check: &CheckResult, cache: &mut SourceCache) -> Value {
    let mut value = json!({
        "property": property_name(check.property),
        "description": check.description,
        "location": location_json(program, check.span),
        "verdict": check.verdict.word(),
        "engine": check.engine,
    });
    if let Some(object) = &check.object {
        value["object"] = json!(object);
    }
    if let Some(protection) = check.protection(judgement).and_then(|known| shared::protection(program, known)) {
        value["protection"] = json!(protection);
    }
    if is_qualified(judgement, check) {
        value["as_far_as_defined"] = reasons_json(program, judgement.undefined_beside(check.property));
    }
    if let Verdict::Bounded { covered, .. } = &check.verdict {
        value["covered"] = json!(covered);
    }
    match &check.verdict {
        Verdict::Safe(certificate) => {
            value["certificate"] = json!(certificate.describe());
            value["standing"] = json!(certificate.standing().to_string());
        }
        Verdict::Unsafe(counterexample) => {
            let shown = Violation { program, trace: counterexample.trace(), replay: counterexample.replay() };
            value["message"] = json!(shown.headline());
            value["marks"] = shown
                .marks()
                .iter()
                .map(|mark| json!({"location": location_json(program, mark.span), "text": mark.text}))
                .collect();
            value["trace"] = trace_json(program, &shown, cache);
        }
        Verdict::Bounded { .. } | Verdict::Unknown(_) => {
            value["reasons"] = reasons_json(program, check.verdict.reasons());
        }
    }
    value
}

fn trace_json(program: &Program, shown: &Violation<'_>, cache: &mut SourceCache) -> Value {
    schedule::rows(program, shown.trace, shown.replay)
        .iter()
        .map(|row| {
            let code = cache.line(program.sources.name(row.span.file), row.span.line).unwrap_or("").trim();
            json!({"thread": row.thread.0, "function": row.function, "location": location_json(program, row.span),
                "statement": code, "changes": row.changes})
        })
        .collect()
}

fn reasons_json(program: &Program, reasons: &[Reason]) -> Value {
    let one = |reason: &Reason| json!({"message": reason.message, "location": location_json(program, reason.span)});
    reasons.iter().map(one).collect()
}

fn location_json(program: &Program, span: Span) -> Value {
    place_json(&program.sources, span)
}

fn place_json(sources: &Sources, span: Span) -> Value {
    if span.is_somewhere() {
        json!({"file": sources.name(span.file), "line": span.line, "column": span.column})
    } else {
        Value::Null
    }
}
