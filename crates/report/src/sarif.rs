//! The report as SARIF 2.1.0, which code hosts and editors read: a result per violation, with one thread flow per
//! thread and the interleaving as `executionOrder`; a result of level `note` per check that is left open.

mod rules;

use crate::SourceCache;
use crate::model::{Check, Location, Outcome, Remark, Report, Step, Violation};
use crate::style::printable;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The schema that the log names as its own.
pub const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// How the run was made.
#[derive(Clone, Debug)]
pub struct Invocation<'a> {
    /// The words of the command line after the program's name.
    pub arguments: &'a [String],
    /// The exit status.
    pub exit_status: u8,
}

/// The report as a SARIF log.
pub fn sarif(report: &Report, invocation: &Invocation<'_>, cache: &mut SourceCache) -> Value {
    let mut log = Log { files: Vec::new(), cache };
    let results: Vec<Value> = report.checks.iter().filter_map(|check| log.result(check)).collect();
    let mut notifications: Vec<Value> = Vec::new();
    for (level, remarks) in [("warning", &report.warnings), ("note", &report.notes)] {
        notifications.extend(remarks.iter().map(|remark| log.notification(level, remark)));
    }
    notifications.extend(report.assumed.iter().map(|assumed| json!({"level": "note", "message": text(assumed)})));
    notifications.extend(report.internal_errors.iter().map(|error| json!({"level": "error", "message": text(error)})));
    let artifacts: Vec<Value> =
        log.files.iter().map(|file| json!({"location": artifact(file), "sourceLanguage": "c"})).collect();
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "Selvedge",
                "version": report.version,
                "semanticVersion": report.version,
                "rules": rules::all(),
            }},
            "columnKind": "unicodeCodePoints",
            "invocations": [{
                "arguments": invocation.arguments,
                "exitCode": invocation.exit_status,
                "executionSuccessful": report.internal_errors.is_empty(),
                "toolExecutionNotifications": notifications,
            }],
            "artifacts": artifacts,
            "results": results,
            "properties": {"verdict": report.verdict.text()},
        }],
    })
}

fn text(words: &str) -> Value {
    json!({"text": printable(words)})
}

/// A file by a URI: relative as the compiler was given it, absolute only if that was.
fn artifact(file: &str) -> Value {
    let mut uri = String::new();
    for byte in file.trim_start_matches("./").bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => uri.push(char::from(byte)),
            byte => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    match file.starts_with('/') {
        true => json!({"uri": format!("file://{uri}")}),
        false => json!({"uri": uri, "uriBaseId": "%SRCROOT%"}),
    }
}

/// A log in the making: the files that it speaks of.
struct Log<'a> {
    files: Vec<String>,
    cache: &'a mut SourceCache,
}

impl Log<'_> {
    /// What there is to say of a check; nothing of one that is safe.
    fn result(&mut self, check: &Check) -> Option<Value> {
        let (level, kind, message) = match &check.outcome {
            Outcome::Safe { .. } => return None,
            Outcome::Unsafe(violation) => ("error", "fail", violation.message.clone()),
            Outcome::Bounded { covered, .. } => (
                "note",
                "fail",
                format!("{}: holds in what was covered ({covered}), and is open beyond", check.description),
            ),
            Outcome::Unknown { .. } => ("note", "fail", format!("{}: undecided", check.description)),
        };
        let reasons: Vec<String> = check.reasons().iter().map(|reason| reason.message.clone()).collect();
        let message = if reasons.is_empty() { message } else { format!("{message}: {}", reasons.join("; ")) };
        let (id, index) = rules::of(check.property);
        let violation = check.violation();
        let principal = violation.and_then(|violation| violation.marks.first()).and_then(|mark| mark.location.clone());
        let principal = principal.or_else(|| check.location.clone());
        let mut result = json!({
            "ruleId": id,
            "ruleIndex": index,
            "level": level,
            "kind": kind,
            "message": text(&message),
            "locations": principal.iter().map(|location| self.location(location, None)).collect::<Vec<_>>(),
            "partialFingerprints": {"selvedge/v1": fingerprint(check)},
            "properties": {"engine": check.engine, "verdict": check.word().text()},
        });
        if let Some(violation) = violation {
            let related = violation.marks.iter().enumerate();
            let related = related.filter_map(|(id, mark)| {
                let mut location = self.location(mark.location.as_ref()?, Some(&mark.text));
                location["id"] = json!(id + 1);
                Some(location)
            });
            result["relatedLocations"] = related.collect();
            result["codeFlows"] = json!([self.code_flow(violation)]);
        } else {
            let related = check
                .reasons()
                .iter()
                .filter_map(|reason| Some(self.location(reason.location.as_ref()?, Some(&reason.message))));
            result["relatedLocations"] = related.collect();
        }
        Some(result)
    }

    /// A flow per thread; the numbers of the steps are the order of time.
    fn code_flow(&mut self, violation: &Violation) -> Value {
        let mut flows: BTreeMap<u32, Vec<Value>> = BTreeMap::new();
        let mut known: BTreeMap<String, Value> = BTreeMap::new();
        for (position, step) in violation.trace.iter().enumerate() {
            let Some(location) = &step.location else { continue };
            for binding in &step.values {
                known.insert(binding.name.clone(), text(&binding.value));
            }
            let kinds: Vec<&str> = kinds(step);
            let mut at = json!({
                "location": self.location(location, Some(&said(step))),
                "executionOrder": position + 1,
                "nestingLevel": 0,
                "importance": importance(step),
            });
            if !known.is_empty() {
                at["state"] = json!(known);
            }
            if !kinds.is_empty() {
                at["kinds"] = json!(kinds);
            }
            if !step.holds.is_empty() {
                at["properties"] = json!({"holds": step.holds});
            }
            flows.entry(step.thread).or_default().push(at);
        }
        let flow = |(thread, locations): (u32, Vec<Value>)| {
            let name = violation.threads.get(thread as usize).cloned().unwrap_or_else(|| format!("thread {thread}"));
            json!({"id": format!("thread {thread}"), "message": text(&name), "locations": locations})
        };
        json!({
            "message": text("the schedule, in the order of executionOrder"),
            "threadFlows": flows.into_iter().map(flow).collect::<Vec<_>>(),
        })
    }

    fn location(&mut self, location: &Location, message: Option<&str>) -> Value {
        if !self.files.contains(&location.file) {
            self.files.push(location.file.clone());
        }
        let mut artifact = artifact(&location.file);
        artifact["index"] = json!(self.files.iter().position(|file| *file == location.file));
        let mut physical = json!({"artifactLocation": artifact, "region": self.region(location)});
        if let Some(line) = self.cache.line(&location.file, location.line) {
            physical["contextRegion"] = json!({"startLine": location.line, "snippet": text(line.trim_end())});
        }
        let mut value = json!({"physicalLocation": physical});
        if let Some(message) = message {
            value["message"] = text(message);
        }
        value
    }

    /// Columns count characters, where ours count bytes.
    fn region(&mut self, location: &Location) -> Value {
        let line = self.cache.line(&location.file, location.line).unwrap_or("");
        let column = |byte: u32| {
            let byte = (byte as usize).saturating_sub(1);
            let known = line.char_indices().take_while(|(at, _)| *at < byte).count();
            // What lies behind the end of a line, or in one that is not to be had, is counted in bytes.
            known + byte.saturating_sub(line.len()) + 1
        };
        let (start, end) = (column(location.column), column(location.column + location.length));
        json!({"startLine": location.line, "startColumn": start, "endColumn": end.max(start + 1)})
    }

    fn notification(&mut self, level: &str, remark: &Remark) -> Value {
        let mut value = json!({"level": level, "message": text(&remark.message)});
        if let Some(location) = &remark.location {
            value["locations"] = json!([self.location(location, None)]);
        }
        value
    }
}

fn said(step: &Step) -> String {
    if step.changes.is_empty() { step.statement.clone() } else { step.changes.join(", ") }
}

fn importance(step: &Step) -> &'static str {
    match (step.pending, step.internal) {
        (true, _) => "essential",
        (false, true) => "unimportant",
        (false, false) => "important",
    }
}

/// What SARIF has words for.
fn kinds(step: &Step) -> Vec<&'static str> {
    let does = |word: &str| step.changes.iter().any(|change| change.starts_with(word));
    let words = [("locks ", "acquire"), ("unlocks ", "release"), ("joins ", "join"), ("starts ", "fork")];
    let mut kinds: Vec<&str> = words.into_iter().filter(|(word, _)| does(word)).map(|(_, kind)| kind).collect();
    if !kinds.is_empty() {
        kinds.insert(0, "sync");
    }
    kinds
}

/// What stays the same when lines move: the property, what is checked and in which code.
fn fingerprint(check: &Check) -> String {
    let statement = check.violation().and_then(|violation| violation.trace.last()).map(|step| &step.statement);
    let words = [check.property.text(), &check.description, statement.map_or("", String::as_str)];
    // FNV-1a: the same in every version and on every machine.
    let hash = words
        .join("\n")
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    format!("{hash:016x}")
}
