//! The report for people at a terminal: violations first, then what was not covered, then the verdict.

mod schedule;

use crate::diagnostic::{excerpt, headline};
use crate::model::{Check, Location, Mark, Outcome, Property, Remark, Report, Specification, Violation, Word};
use crate::style::printable;
use crate::{Paint, SourceCache, Style};
use std::fmt::Write;

/// Whether to say much or little.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// The verdict alone.
    Quiet,
    /// Violations with their schedules, without the steps that no other thread notices.
    Folded,
    /// Violations with every step.
    Unfolded,
}

/// Whether every check is told of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Explain {
    /// Only what is wrong or open.
    Findings,
    /// Every check, with its verdict and what that stands on.
    Everything,
}

/// The report as text.
pub fn render(report: &Report, detail: Detail, explain: Explain, cache: &mut SourceCache, style: &Style) -> String {
    let mut text = String::new();
    if detail != Detail::Quiet {
        for found in report.checks.iter().filter_map(Check::violation) {
            text.push_str(&violation(found, detail, cache, style));
            text.push('\n');
        }
        match explain {
            Explain::Findings => {
                text.push_str(&protections(report, style));
                text.push_str(&undecided(report, style));
            }
            Explain::Everything => text.push_str(&explanations(report, style)),
        }
        text.push_str(&remarks(report, detail, style));
    }
    text.push_str(&verdict_line(report, style));
    if let Some(asked) = &report.specification {
        text.push_str(&specification(asked, detail, style));
    }
    text
}

/// The answer to a property file. Its last line stands for itself: tools look for it.
fn specification(asked: &Specification, detail: Detail, style: &Style) -> String {
    let mut text = String::new();
    if detail != Detail::Quiet {
        let plain = |message: &String| Remark { message: message.clone(), location: None };
        for reason in &asked.reasons {
            text.push_str(&remark("not answered", Paint::Careful, &plain(reason), style));
        }
        if let Some(expected) = &asked.expected {
            text.push_str(&remark("expected", Paint::Note, &plain(expected), style));
        }
    }
    let _ = writeln!(text, "result: {}", asked.result);
    text
}

/// Two accesses that race, in a line.
fn pair(marks: &[Mark]) -> Remark {
    let told = marks.iter().map(|mark| {
        let what = mark.text.split_once(") ").map_or(mark.text.as_str(), |(_, what)| what);
        let at = mark.location.as_ref().map(|location| format!("{}: ", place(location)));
        let calls: Vec<String> = mark.calls.iter().filter_map(|call| call.location.as_ref()).map(place).collect();
        let called = if calls.is_empty() { String::new() } else { format!(", called at {}", calls.join(", from ")) };
        format!("{}{what}{called}", at.unwrap_or_default())
    });
    Remark { message: told.collect::<Vec<_>>().join("; "), location: None }
}

/// A violation as text: headline, marked places, schedule.
pub fn violation(violation: &Violation, detail: Detail, cache: &mut SourceCache, style: &Style) -> String {
    let mut text = headline("error", Paint::Bad, &violation.message, style);
    for (position, mark) in violation.marks.iter().enumerate() {
        let paint = if position == 0 { Paint::Bad } else { Paint::Note };
        text.push_str(&excerpt(mark.location.as_ref(), paint, cache, style, &mark.text));
    }
    let further: Vec<Remark> = violation.further.iter().map(|marks| pair(marks)).collect();
    for pair in each_once(further.iter()) {
        text.push_str(&remark("also", Paint::Bad, pair, style));
    }
    if !violation.trace.is_empty() {
        text.push_str(&headline("schedule", Paint::Note, "this is how it comes about", style));
        text.push_str(&schedule::render(&violation.trace, detail, style));
    }
    text
}

/// At most so many notes are shown, unless everything is asked for.
const MOST_NOTES: usize = 8;

/// What was not covered, and what is to be said with every verdict.
fn remarks(report: &Report, detail: Detail, style: &Style) -> String {
    let mut text = String::new();
    let plain = |message: String| Remark { message, location: None };
    for covered in each_once(report.checks.iter().filter_map(covered)) {
        text.push_str(&remark("covered", Paint::Note, &plain(covered.to_owned()), style));
    }
    for reason in each_once(report.checks.iter().flat_map(Check::reasons)) {
        text.push_str(&remark("not covered", Paint::Careful, reason, style));
    }
    let fields = || report.checks.iter().flat_map(|check| &check.fields);
    let on_trust = fields().filter_map(|field| field.on_trust.as_deref());
    for trusted in each_once(report.checks.iter().filter_map(Check::on_trust).chain(on_trust)) {
        text.push_str(&remark("on trust", Paint::Careful, &plain(trusted.to_owned()), style));
    }
    for advice in &report.advice {
        text.push_str(&remark("try", Paint::Note, &plain(advice.clone()), style));
    }
    for warning in &report.warnings {
        text.push_str(&remark("warning", Paint::Careful, warning, style));
    }
    let is_field_qualified = !report.undefined.is_empty() && fields().any(|field| field.verdict == Word::Safe);
    if report.verdict != Word::Safe && (is_field_qualified || report.checks.iter().any(Check::is_qualified)) {
        let message = format!("what holds does so as far as the program is defined: {}", undefined(report));
        text.push_str(&remark("note", Paint::Note, &plain(message), style));
    }
    let most_notes = if detail == Detail::Unfolded { usize::MAX } else { MOST_NOTES };
    for note in report.notes.iter().take(most_notes) {
        text.push_str(&remark("note", Paint::Note, note, style));
    }
    if let Some(more) = report.notes.len().checked_sub(most_notes).filter(|more| *more > 0) {
        let message = format!("and {}, which -v shows", count(more, "more note"));
        text.push_str(&remark("note", Paint::Note, &plain(message), style));
    }
    for assumed in &report.assumed {
        text.push_str(&remark("assumed", Paint::Note, &plain(assumed.clone()), style));
    }
    text
}

fn each_once<T: Ord>(all: impl Iterator<Item = T>) -> Vec<T> {
    let mut all: Vec<T> = all.collect();
    all.sort();
    all.dedup();
    all
}

fn covered(check: &Check) -> Option<&str> {
    match &check.outcome {
        Outcome::Bounded { covered, .. } => Some(covered),
        Outcome::Safe { .. } | Outcome::Unsafe(_) | Outcome::Unknown { .. } => None,
    }
}

fn place(location: &Location) -> String {
    format!("{}:{}", location.file, location.line)
}

fn remark(word: &str, paint: Paint, remark: &Remark, style: &Style) -> String {
    let at = remark.location.as_ref().map_or_else(String::new, |location| format!(" ({})", place(location)));
    let message = printable(&format!("{}{at}", remark.message));
    format!("{}: {}\n", style.paint(paint, word), style.wrap(&message, word.len() + 2, 2))
}

/// At most so many objects are shown with what protects them, and as many with what does so mostly.
const MOST_PROTECTED: usize = 8;

/// What protects the objects on which nothing races, and where others lack the lock that they mostly have.
fn protections(report: &Report, style: &Style) -> String {
    let races = report.checks.iter().filter(|check| check.property == Property::Race);
    let lines = races.flat_map(|check| {
        let of_fields = check.fields.iter().map(|field| (field.verdict, Some(&field.name), field.protection.as_ref()));
        let whole = (check.word(), check.object.as_ref(), check.protection.as_ref());
        of_fields.chain(check.fields.is_empty().then_some(whole))
    });
    let (mut protected, mut hints) = (Vec::new(), Vec::new());
    for (word, object, said) in lines {
        let (Some(said), Some(object)) = (said, object) else { continue };
        let list = if word == Word::Safe { &mut protected } else { &mut hints };
        list.push(format!("{object}: {said}"));
    }
    // A lock that is there at most accesses says more than that nobody writes.
    hints.sort_by_key(|hint| !hint.contains(", not at "));
    let mut text = String::new();
    for (word, paint, list) in [("protected", Paint::Note, protected), ("hint", Paint::Careful, hints)] {
        let mut say = |message| text.push_str(&remark(word, paint, &Remark { message, location: None }, style));
        let more = list.len().saturating_sub(MOST_PROTECTED);
        list.into_iter().take(MOST_PROTECTED).for_each(&mut say);
        if more > 0 {
            say(format!("and {more} more, which --explain lists"));
        }
    }
    text
}

/// At most so many checks are shown that nobody has decided.
const MOST_UNDECIDED: usize = 12;

/// Which checks are open, and why, where others are not: one that could not be decided does not silence the rest.
fn undecided(report: &Report, style: &Style) -> String {
    let is_open = |check: &&Check| matches!(check.word(), Word::Bounded | Word::Unknown);
    let open: Vec<&Check> = report.checks.iter().filter(is_open).collect();
    if open.len() == report.checks.len() {
        return String::new();
    }
    let mut text = String::new();
    for check in open.iter().take(MOST_UNDECIDED) {
        let why = match &check.outcome {
            Outcome::Bounded { covered, .. } => format!("holds within {covered}"),
            Outcome::Safe { .. } | Outcome::Unsafe(_) | Outcome::Unknown { .. } => unknown_why(check),
        };
        let message = format!("{}: {why}", what(check));
        text.push_str(&remark("undecided", Paint::Careful, &Remark { message, location: None }, style));
    }
    if let Some(more) = open.len().checked_sub(MOST_UNDECIDED).filter(|more| *more > 0) {
        let message = format!("and {}, which --explain lists", count(more, "more check"));
        text.push_str(&remark("undecided", Paint::Careful, &Remark { message, location: None }, style));
    }
    text
}

/// Why a check is open that nobody has decided.
fn unknown_why(check: &Check) -> String {
    match check.reasons().first() {
        Some(reason) => reason.message.clone(),
        None => "no engine decides this".to_owned(),
    }
}

/// What a check is about, and where.
fn what(check: &Check) -> String {
    let at = check.location.as_ref().map_or_else(String::new, |location| format!(" ({})", place(location)));
    match check.property {
        Property::Assertion if check.location.is_some() => format!("assertion {}{at}", check.description),
        _ => format!("{}{at}", check.description),
    }
}

/// A line per check: its verdict, and what that stands on.
fn explanations(report: &Report, style: &Style) -> String {
    let mut text = String::new();
    for check in &report.checks {
        let word = check.word();
        let mut why = Vec::new();
        why.extend(check.protection.clone());
        why.push(match &check.outcome {
            Outcome::Safe { certificate, .. } => format!("{} ({})", certificate, check.engine),
            Outcome::Unsafe(violation) => format!("{} ({})", violation.message, check.engine),
            Outcome::Bounded { covered, .. } => format!("holds within {covered} ({})", check.engine),
            Outcome::Unknown { .. } => unknown_why(check),
        });
        let said = printable(&format!("{}: {}", what(check), why.join("; ")));
        let _ = writeln!(
            text,
            "{}: {}",
            style.paint(paint(word), word.text()),
            style.wrap(&said, word.text().len() + 2, 2)
        );
        for field in &check.fields {
            let word = field.verdict;
            let why = field.protection.as_ref().map_or_else(String::new, |why| format!(": {why}"));
            let said = printable(&format!("no data race on {}{why}", field.name));
            let wrapped = style.wrap(&said, word.text().len() + 4, 4);
            let _ = writeln!(text, "  {}: {wrapped}", style.paint(paint(word), word.text()));
        }
    }
    text
}

fn paint(word: Word) -> Paint {
    match word {
        Word::Safe => Paint::Good,
        Word::Unsafe => Paint::Bad,
        Word::Bounded | Word::Unknown => Paint::Careful,
    }
}

/// At most so many places are named where the program is undefined: notes have the others.
const MOST_UNDEFINED: usize = 3;

/// `line 12 joins or detaches what is not a joinable thread; line 15 …`
fn undefined(report: &Report) -> String {
    let one = |remark: &Remark| match &remark.location {
        Some(location) => format!("line {} {}", location.line, remark.message),
        None => remark.message.clone(),
    };
    let mut all: Vec<String> = report.undefined.iter().map(one).collect();
    all.dedup();
    if let Some(more) = all.len().checked_sub(MOST_UNDEFINED).filter(|more| *more > 0) {
        all.truncate(MOST_UNDEFINED);
        all.push(format!("and {} like these", count(more, "more place")));
    }
    all.join("; ")
}

/// `unsafe: 1 of 3 assertions can fail, no data race, no deadlock, …`
/// or `safe as far as the program is defined: line 12 …; the assertion holds, …`
/// or `bounded: within the bounds the assertion holds; whatever the bounds, no data race, …`
pub fn verdict_line(report: &Report, style: &Style) -> String {
    let properties = [
        Property::Assertion,
        Property::Race,
        Property::Deadlock,
        Property::Memory,
        Property::Atomicity,
        Property::Overflow,
        Property::Livelock,
    ];
    let parts: Vec<(Reach, String)> =
        properties.into_iter().filter_map(|property| property_part(property, report)).collect();
    let of =
        |reach: Reach| parts.iter().filter(|part| part.0 == reach).map(|part| &*part.1).collect::<Vec<_>>().join(", ");
    let text = match (report.verdict, of(Reach::Bounds), of(Reach::All)) {
        (_, bounded, all) if bounded.is_empty() && all.is_empty() => "there is nothing to check".to_owned(),
        (Word::Bounded, bounded, all) if all.is_empty() => format!("within the bounds {bounded}"),
        (Word::Bounded, bounded, all) => format!("within the bounds {bounded}; whatever the bounds, {all}"),
        _ => parts.iter().map(|part| &*part.1).collect::<Vec<_>>().join(", "),
    };
    if report.verdict == Word::Safe && report.checks.iter().any(Check::is_qualified) {
        let word = "safe as far as the program is defined";
        let text = format!("{}; {text}", undefined(report));
        return format!("{}: {}\n", style.paint(Paint::Careful, word), style.wrap(&text, word.len() + 2, 2));
    }
    let (word, paint) = match report.verdict {
        Word::Safe if report.checks.iter().any(|check| check.on_trust().is_some()) => ("safe on trust", Paint::Careful),
        word => (word.text(), paint(word)),
    };
    format!("{}: {}\n", style.paint(paint, word), style.wrap(&text, word.len() + 2, 2))
}

/// What becomes of all checks of a property together.
enum Sum {
    Violated(usize),
    Holds,
    HoldsWithinBounds,
    Open(usize),
}

/// How far what is said of a property reaches.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    All,
    /// Not beyond the bounds that were covered.
    Bounds,
}

fn property_part(property: Property, report: &Report) -> Option<(Reach, String)> {
    let checks: Vec<&Check> = report.checks.iter().filter(|check| check.property == property).collect();
    // Of assertions that are not there nothing is said; that nothing ever waits is worth it.
    if checks.is_empty() || property != Property::Deadlock && checks.iter().all(|check| check.is_vacuous()) {
        return None;
    }
    let of = |word: Word| checks.iter().filter(|check| check.word() == word).count();
    let total = checks.len();
    let sum = match (of(Word::Unsafe), of(Word::Unknown), of(Word::Bounded)) {
        (0, 0, 0) => Sum::Holds,
        (0, 0, _) => Sum::HoldsWithinBounds,
        (0, open, _) => Sum::Open(open),
        (violated, _, _) => Sum::Violated(violated),
    };
    // An assertion that nobody has seen, in what is not modelled, is not worth a word beside what else is open.
    let is_seen = checks.iter().any(|check| check.location.is_some());
    let is_open_elsewhere = report
        .checks
        .iter()
        .any(|other| other.property != property && other.word() != Word::Safe && other.word() != Word::Unsafe);
    if property == Property::Assertion && !is_seen && is_open_elsewhere {
        return None;
    }
    let holds = match property {
        Property::Assertion if !is_seen => "no assertion in sight".to_owned(),
        Property::Assertion if total == 1 => "the assertion holds".to_owned(),
        Property::Assertion => format!("all {total} assertions hold"),
        Property::Race => "no data race".to_owned(),
        Property::Deadlock => "no deadlock".to_owned(),
        Property::Memory => "no undefined behaviour".to_owned(),
        Property::Atomicity => "no interference".to_owned(),
        Property::Overflow => "no signed overflow".to_owned(),
        Property::Livelock => "no livelock".to_owned(),
    };
    let reach = if matches!(sum, Sum::HoldsWithinBounds) { Reach::Bounds } else { Reach::All };
    let text = match sum {
        Sum::Holds => holds,
        // Where nothing is worse than that, it is said once for all.
        Sum::HoldsWithinBounds if report.verdict == Word::Bounded => holds,
        Sum::HoldsWithinBounds => format!("{holds} within the bounds"),
        Sum::Violated(bad) => match property {
            Property::Assertion if total == 1 => "the assertion can fail".to_owned(),
            Property::Assertion => format!("{bad} of {total} assertions can fail"),
            Property::Race => format!("data races on {}", count(bad, "object")),
            Property::Deadlock => "it can deadlock".to_owned(),
            Property::Memory => format!("undefined behaviour in {}", count(bad, "place")),
            Property::Atomicity => format!("interference within {}", count(bad, "pair of lines")),
            Property::Overflow => format!("signed overflow in {}", count(bad, "place")),
            Property::Livelock => "it can livelock".to_owned(),
        },
        Sum::Open(open) => match property {
            Property::Assertion if is_seen => format!("{} undecided", count(open, "assertion")),
            Property::Assertion => "no assertion in sight, but not everything was seen".to_owned(),
            Property::Race => "data races undecided".to_owned(),
            Property::Deadlock => "deadlock undecided".to_owned(),
            Property::Memory => "undefined behaviour undecided".to_owned(),
            Property::Atomicity => "interference undecided".to_owned(),
            Property::Overflow => "signed overflow undecided".to_owned(),
            Property::Livelock => "livelock undecided".to_owned(),
        },
    };
    Some((reach, text))
}

fn count(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}
