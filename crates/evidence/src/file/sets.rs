//! Sets of numbers as text: `0 2-5`, or `none`.

use super::lines::{Line, Unreadable};
use std::collections::BTreeSet;

/// The empty set.
const NOTHING: &str = "none";

/// A set as [`read_set`] reads it.
pub fn set_text(set: &BTreeSet<u32>) -> String {
    if set.is_empty() {
        return NOTHING.to_owned();
    }
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for number in set {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == *number => *last = *number,
            _ => ranges.push((*number, *number)),
        }
    }
    let range = |(first, last): &(u32, u32)| {
        if first == last { first.to_string() } else { format!("{first}-{last}") }
    };
    ranges.iter().map(range).collect::<Vec<_>>().join(" ")
}

/// Reads a set of numbers below a limit.
///
/// # Errors
/// When it is none.
pub fn read_set(line: Line<'_>, limit: u32) -> Result<BTreeSet<u32>, Unreadable> {
    let wrong = || line.wrong("numbers and ranges such as `0 2-5`, or `none`, are expected here");
    let mut set = BTreeSet::new();
    if line.text == NOTHING {
        return Ok(set);
    }
    for word in line.text.split_whitespace() {
        let (first, last) = word.split_once('-').unwrap_or((word, word));
        let (first, last): (u32, u32) = (first.parse().map_err(|_| wrong())?, last.parse().map_err(|_| wrong())?);
        if last < first || last >= limit {
            return Err(wrong());
        }
        set.extend(first..=last);
    }
    if set.is_empty() { Err(wrong()) } else { Ok(set) }
}
