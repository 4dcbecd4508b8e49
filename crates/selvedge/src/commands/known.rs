//! Violations that are known: those that a baseline names, and those that a comment in the source expects. They are
//! violations all the same and the verdict is what it is; they are told in short, and the exit status is that of the rest.

use selvedge_report::SourceCache;
use selvedge_report::model::{Check, Location, Outcome, Report, Violation, Word};
use std::collections::BTreeSet;
use std::path::Path;

/// A violation that is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    /// Which check it is of.
    pub check: usize,
    /// In words.
    pub text: String,
}

/// The violations of a report that a baseline names or a comment expects.
///
/// # Errors
/// When the baseline cannot be read.
pub fn known(report: &Report, baseline: Option<&Path>, cache: &mut SourceCache) -> Result<Vec<Known>, String> {
    let named: BTreeSet<String> = match baseline {
        None => BTreeSet::new(),
        Some(path) => {
            let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
            text.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect()
        }
    };
    let mut known = Vec::new();
    for (index, check) in report.checks.iter().enumerate() {
        let Some(violation) = check.violation() else { continue };
        let why = match expected(check, violation, cache) {
            Some(reason) => format!("expected: {reason}"),
            None if named.contains(&key(check, violation, cache)) => "in the baseline".to_owned(),
            None => continue,
        };
        let at = check.location.as_ref().map_or_else(String::new, |at| format!(" ({}:{})", at.file, at.line));
        known.push(Known { check: index, text: format!("known: {}{at}: {why}\n", violation.message) });
    }
    Ok(known)
}

/// All violations of a report as a baseline.
pub fn baseline(report: &Report, cache: &mut SourceCache) -> String {
    let violations = report.checks.iter().filter_map(|check| Some((check, check.violation()?)));
    let keys: BTreeSet<String> = violations.map(|(check, violation)| key(check, violation, cache)).collect();
    let head = "# Violations that are known, one on a line: what is violated, and the source lines it is about.\n";
    keys.into_iter().fold(head.to_owned(), |text, key| text + &key + "\n")
}

/// The report with the schedules of known violations left out.
pub fn in_short(report: &Report, known: &[Known]) -> Report {
    let mut report = report.clone();
    for known in known {
        if let Outcome::Unsafe(violation) = &mut report.checks[known.check].outcome {
            violation.trace.clear();
        }
    }
    report
}

/// The verdict on what is not known, in one word.
pub fn rest(report: &Report, known: &[Known]) -> Word {
    let is_known = |index: usize| known.iter().any(|known| known.check == index);
    let words = report.checks.iter().enumerate().filter(|(index, _)| !is_known(*index)).map(|(_, check)| check.word());
    let weight = |word: &Word| match word {
        Word::Safe => 0,
        Word::Bounded => 1,
        Word::Unknown => 2,
        Word::Unsafe => 3,
    };
    words.max_by_key(weight).unwrap_or(Word::Safe)
}

/// What a violation is known by: no line numbers, so that it stays the same when lines are added elsewhere.
fn key(check: &Check, violation: &Violation, cache: &mut SourceCache) -> String {
    let mut key = format!("{}\t{}", check.property.text(), violation.message);
    for location in violation.marks.iter().filter_map(|mark| mark.location.as_ref()) {
        let text = line(location, cache).map_or_else(String::new, |line| line.trim().to_owned());
        key.push_str(&format!("\t{}: {}", location.file, text.replace('\t', " ")));
    }
    key
}

fn line<'c>(location: &Location, cache: &'c mut SourceCache) -> Option<&'c str> {
    cache.line(&location.file, location.line)
}

/// What the comment says on one of the lines of a violation that expects it.
fn expected(check: &Check, violation: &Violation, cache: &mut SourceCache) -> Option<String> {
    let word = format!("selvedge: expected-{}", check.property.text());
    let mut locations = violation.marks.iter().filter_map(|mark| mark.location.as_ref());
    locations.find_map(|location| {
        let (_, comment) = line(location, cache)?.split_once("//")?;
        let (_, reason) = comment.split_once(&word)?;
        Some(reason.trim().to_owned())
    })
}
