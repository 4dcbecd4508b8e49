//! The lines of the user's files, read when first needed.

use std::collections::BTreeMap;

/// Source files by name. A file that cannot be read has no lines: reports then do without excerpts.
#[derive(Clone, Debug, Default)]
pub struct SourceCache {
    files: BTreeMap<String, Option<Vec<String>>>,
}

/// Files larger than this are not read for excerpts.
const LARGEST: u64 = 64 << 20;

impl SourceCache {
    /// Gives a file's text, instead of reading it.
    pub fn insert(&mut self, name: &str, text: &str) {
        self.files.insert(name.to_owned(), Some(split(text)));
    }

    /// A line of a file, counted from 1, without its end.
    pub fn line(&mut self, name: &str, number: u32) -> Option<&str> {
        let lines = self.files.entry(name.to_owned()).or_insert_with(|| read(name));
        let index = usize::try_from(number).ok()?.checked_sub(1)?;
        lines.as_ref()?.get(index).map(String::as_str)
    }
}

fn read(name: &str) -> Option<Vec<String>> {
    let is_small = std::fs::metadata(name).ok().is_some_and(|data| data.is_file() && data.len() <= LARGEST);
    let bytes = if is_small { std::fs::read(name).ok()? } else { return None };
    Some(split(&String::from_utf8_lossy(&bytes)))
}

fn split(text: &str) -> Vec<String> {
    text.lines().map(str::to_owned).collect()
}
