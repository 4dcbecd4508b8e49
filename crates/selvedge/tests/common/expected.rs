//! What stands in an annotated program, and how it is compared with a report: for the tests that read
//! `tests/README.md`.

use serde_json::Value;

const PROPERTIES: [&str; 4] = ["assertion", "race", "deadlock", "memory"];

/// What stands in a file.
#[derive(Debug, Default)]
pub struct Expected {
    /// Property and verdict.
    pub verdicts: Vec<(String, String)>,
    pub flags: Vec<String>,
    pub marks: Vec<Mark>,
}

#[derive(Debug)]
pub struct Mark {
    pub kind: String,
    pub text: String,
    pub line: u64,
}

impl Expected {
    pub fn read(text: &str) -> Expected {
        let mut expected = Expected::default();
        for (index, line) in text.lines().enumerate() {
            if let Some(verdicts) = line.strip_prefix("// selvedge:") {
                let pairs = verdicts.split_whitespace().filter_map(|pair| pair.split_once('='));
                expected.verdicts = pairs.map(|(a, b)| (a.to_owned(), b.to_owned())).collect();
            } else if let Some(flags) = line.strip_prefix("// flags:") {
                expected.flags = flags.split_whitespace().map(str::to_owned).collect();
            } else if let Some((_, comment)) = line.split_once("//") {
                expected.marks.extend(marks(comment, index as u64 + 1));
            }
        }
        if expected.verdicts.is_empty() {
            expected.verdicts = PROPERTIES.iter().map(|name| ((*name).to_owned(), "safe".to_owned())).collect();
        }
        expected
    }

    /// The marks of a kind.
    pub fn of<'a>(&'a self, kind: &'a str) -> impl Iterator<Item = &'a Mark> {
        self.marks.iter().filter(move |mark| mark.kind == kind)
    }

    pub fn is_marked(&self, kind: &str, line: u64) -> bool {
        self.of(kind).any(|mark| mark.line == line)
    }
}

/// The marks in a comment; each extends to the next.
pub fn marks(comment: &str, line: u64) -> Vec<Mark> {
    let kinds = ["RACE!", "FAIL!", "MEMORY!", "OVERFLOW!", "DEADLOCK!", "LIVELOCK!", "BETWEEN!", "UNKNOWN!", "NORACE"];
    let mut starts: Vec<(usize, &str)> =
        kinds.iter().flat_map(|kind| comment.match_indices(kind).map(|(at, _)| (at, *kind))).collect();
    starts.retain(|(at, kind)| *kind != "RACE!" || !comment[..*at].ends_with("NO"));
    starts.sort_unstable();
    let ends = starts.iter().skip(1).map(|(at, _)| *at).chain([comment.len()]);
    starts
        .iter()
        .zip(ends)
        .map(|((at, kind), end)| {
            let text = comment[at + kind.len()..end].trim().trim_end_matches(',').to_owned();
            Mark { kind: kind.trim_end_matches('!').to_owned(), text, line }
        })
        .collect()
}

pub fn array(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// The verdict on a property: that of its worst check.
pub fn summary<'a>(checks: &[&'a Value]) -> &'a str {
    let words = checks.iter().filter_map(|check| check["verdict"].as_str());
    let weight = |word: &str| ["safe", "bounded", "unknown", "unsafe"].iter().position(|known| *known == word);
    words.max_by_key(|word| weight(word)).unwrap_or("safe")
}

/// Whether the tool's name of an object is what the mark calls it.
pub fn is_named(object: &str, name: &str) -> bool {
    let bare = object.split(" in ").next().unwrap_or(object);
    let heap = name == "heap" && object.starts_with("memory allocated");
    heap || bare == name || bare.rsplit('.').next() == Some(name)
}
