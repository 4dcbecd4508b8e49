//! The preprocessed text and where each byte of it comes from.
//!
//! Backslash-newline splices are taken out when the text is read, so that nobody after that has to think of them; the
//! table of line starts still counts the physical lines. Line markers (`# 12 "file.c" 1 3`, `#line 12`) say which file
//! and line the user wrote. Where the files themselves are at hand, they say which column ([`columns`]). `#pragma pack`
//! is recorded here as well, because it holds from its place in the text on, not from a place in the tree.

use super::ast::Span;
use super::columns::{self, Placed};
use super::pragma::PackState;
use rustc_hash::FxHashMap;
use selvedge_program::{FileId, Sources};
use std::rc::Rc;
use thiserror::Error;

/// The largest input the front end takes; offsets and memory stay bounded.
pub const MAX_INPUT: usize = 64 << 20;

/// The input is larger than [`MAX_INPUT`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the preprocessed file is larger than 64 MiB")]
pub struct InputTooLarge;

/// Whether a file is the system's, as the line markers say (flag 3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    User,
    System,
}

/// From `first_line` (a physical line, from 0) on, the text is that of `file` from `line` on.
#[derive(Clone, Copy, Debug)]
struct Marker {
    first_line: u32,
    line: u32,
    file: FileId,
    owner: Owner,
}

/// From `offset` on, record members are aligned to at most `alignment` bytes; 0 says nothing.
#[derive(Clone, Copy, Debug)]
struct PackChange {
    offset: u32,
    alignment: u32,
}

/// The physical lines that come from one line of a file.
struct Pieces {
    file: FileId,
    line: u32,
    physical: Vec<usize>,
}

/// A preprocessed file.
#[derive(Clone, Debug)]
pub struct SourceText {
    bytes: Vec<u8>,
    line_starts: Vec<u32>,
    markers: Vec<Marker>,
    packs: Vec<PackChange>,
    /// The tokens of lines that stand elsewhere in the file; by physical line, all of those from the same line of the
    /// file.
    placed: FxHashMap<u32, Rc<[Placed]>>,
}

impl SourceText {
    /// Reads a preprocessed file. `name` is the file's own name, for text before the first line marker.
    ///
    /// # Errors
    /// When the input is too large.
    pub fn new(name: &str, bytes: Vec<u8>, sources: &mut Sources) -> Result<Self, InputTooLarge> {
        if bytes.len() > MAX_INPUT {
            return Err(InputTooLarge);
        }
        let (bytes, line_starts) = join_lines(bytes);
        let start = Marker { first_line: 0, line: 1, file: sources.file(name), owner: Owner::User };
        let mut text =
            Self { bytes, line_starts, markers: vec![start], packs: Vec::new(), placed: FxHashMap::default() };
        text.read_directives(sources);
        Ok(text)
    }

    /// The text without splices; spans are offsets into it.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The bytes of a span.
    pub fn slice(&self, span: Span) -> &[u8] {
        self.bytes.get(span.start as usize..span.end as usize).unwrap_or_default()
    }

    /// Where a span stands in the file the user wrote. Its length is cut at the end of its line.
    pub fn resolve(&self, span: Span) -> selvedge_program::Span {
        let within = self.resolve_in_line(span);
        let last = span.end.saturating_sub(1);
        if last <= span.start || self.physical_line(last) == self.physical_line(span.start) {
            return within;
        }
        // What ends in another file ends nowhere that we know of.
        let ending = self.resolve_in_line(Span { start: last, end: span.end });
        let is_later = ending.file == within.file && ending.line > within.line;
        if is_later { selvedge_program::Span { end: ending.end, ..within } } else { within }
    }

    /// The part of a span that stands in its first line.
    fn resolve_in_line(&self, span: Span) -> selvedge_program::Span {
        let index = self.physical_line(span.start);
        let start = self.line_starts.get(index).copied().unwrap_or(0);
        let next = self.line_starts.get(index + 1).copied().unwrap_or(u32::MAX);
        let line_end = next.min(self.bytes.len() as u32);
        let newline = u32::from(line_end > start && self.bytes.get(line_end as usize - 1) == Some(&b'\n'));
        let (file, line) = self.written_line(index);
        let end = span.end.min(line_end - newline);
        let (column, length) = match self.placed_columns(index, span) {
            Some((from, to)) => (from, to.saturating_sub(from)),
            None => (span.start - start, end.saturating_sub(span.start)),
        };
        selvedge_program::Span::on_line(file, line, column + 1, length.max(1))
    }

    /// The line that a physical line comes from.
    fn written_line(&self, index: usize) -> (FileId, u32) {
        let marker = self.marker(index);
        (marker.file, marker.line.saturating_add(index as u32 - marker.first_line).max(1))
    }

    /// The columns of a piece of a line, if its tokens stand elsewhere in the file.
    fn placed_columns(&self, index: usize, span: Span) -> Option<(u32, u32)> {
        let placed = self.placed.get(&(index as u32))?;
        let token = |offset: u32| placed.get(placed.partition_point(|placed| placed.start <= offset).checked_sub(1)?);
        let (first, last) = (token(span.start)?, token(span.end.saturating_sub(1).max(span.start))?);
        // A piece that begins at the name of a macro may end in the midst of what it expands to, and the other way
        // round.
        Some((first.column, if last.end > first.column { last.end } else { first.end }))
    }

    /// Looks up the columns of tokens in the files themselves. What a file's text is, `written` says, if it can.
    pub fn find_columns(&mut self, sources: &Sources, written: &dyn Fn(&str) -> Option<Vec<u8>>) {
        let mut files: FxHashMap<FileId, Option<Vec<u8>>> = FxHashMap::default();
        let mut starts: FxHashMap<FileId, Vec<usize>> = FxHashMap::default();
        for Pieces { file, line, physical } in self.pieces() {
            let text = files.entry(file).or_insert_with(|| written(sources.name(file)));
            let Some(text) = text else { continue };
            let starts = starts.entry(file).or_insert_with(|| line_starts(text));
            let Some(start) = starts.get(line as usize - 1) else { continue };
            let end = starts.get(line as usize).copied().unwrap_or(text.len());
            self.place_line(&physical, text[*start..end].trim_ascii_end());
        }
    }

    /// The physical lines that come from each line of the user's files. What a system header's macro expands to is
    /// marked as the system's, in pieces between the user's own.
    fn pieces(&self) -> Vec<Pieces> {
        let mut all: Vec<Pieces> = Vec::new();
        let mut is_users = false;
        for index in 0..self.line_starts.len() {
            let text = self.physical_text(index).trim_ascii_start();
            if text.is_empty() || text.starts_with(b"#") {
                continue;
            }
            let (file, line) = self.written_line(index);
            let is_next = all.last().is_none_or(|last| (last.file, last.line) != (file, line));
            if is_next {
                if !is_users {
                    all.pop();
                }
                is_users = false;
                all.push(Pieces { file, line, physical: Vec::new() });
            }
            is_users |= self.marker(index).owner == Owner::User;
            if let Some(last) = all.last_mut() {
                last.physical.push(index);
            }
        }
        if !is_users {
            all.pop();
        }
        all
    }

    fn physical_text(&self, index: usize) -> &[u8] {
        let start = self.line_starts[index] as usize;
        let end = self.line_starts.get(index + 1).map_or(self.bytes.len(), |&next| next as usize);
        self.bytes[start..end].trim_ascii_end()
    }

    fn place_line(&mut self, physical: &[usize], written: &[u8]) {
        let piece = |index: &usize| (self.line_starts[*index], self.physical_text(*index));
        let pieces: Vec<(u32, &[u8])> = physical.iter().map(piece).collect();
        if matches!(pieces[..], [(_, only)] if only == written) {
            return;
        }
        let placed: Rc<[Placed]> = columns::place(&pieces, written).into();
        if !placed.is_empty() {
            self.placed.extend(physical.iter().map(|index| (*index as u32, Rc::clone(&placed))));
        }
    }

    /// Whether a span stands in a system header.
    pub fn is_system(&self, span: Span) -> bool {
        self.marker(self.physical_line(span.start)).owner == Owner::System
    }

    /// The alignment that `#pragma pack` imposes at an offset, if any.
    pub fn pack_at(&self, offset: u32) -> Option<u32> {
        let position = self.packs.partition_point(|change| change.offset <= offset);
        let change = self.packs.get(position.checked_sub(1)?)?;
        (change.alignment != 0).then_some(change.alignment)
    }

    /// Whether a backslash-newline was taken out of a span.
    pub fn is_spliced(&self, span: Span) -> bool {
        let first = self.line_starts.partition_point(|&start| start <= span.start);
        let inside = self.line_starts[first..].iter().take_while(|&&start| start < span.end);
        inside.into_iter().any(|&start| self.bytes.get(start as usize - 1) != Some(&b'\n'))
    }

    fn physical_line(&self, offset: u32) -> usize {
        self.line_starts.partition_point(|&start| start <= offset).saturating_sub(1)
    }

    fn marker(&self, line: usize) -> Marker {
        let position = self.markers.partition_point(|marker| marker.first_line as usize <= line);
        self.markers[position.max(1) - 1]
    }

    /// Reads line markers and `#pragma pack`, outside comments.
    fn read_directives(&mut self, sources: &mut Sources) {
        let mut names: FxHashMap<Vec<u8>, FileId> = FxHashMap::default();
        let mut pack = PackState::default();
        let mut in_comment = false;
        for index in 0..self.line_starts.len() {
            let start = self.line_starts[index] as usize;
            let end = self.line_starts.get(index + 1).map_or(self.bytes.len(), |&next| next as usize);
            let line = &self.bytes[start..end];
            let is_continued = start > 0 && self.bytes[start - 1] != b'\n';
            let Some(directive) = directive(line).filter(|_| !in_comment && !is_continued) else {
                if in_comment || line.contains(&b'/') {
                    in_comment = ends_in_comment(line, in_comment);
                }
                continue;
            };
            if let Some(alignment) = pack.read(self.joined_line(index, directive)) {
                self.packs.push(PackChange { offset: end as u32, alignment });
            } else if let Some(found) = LineMarker::read(directive) {
                let last = self.marker(index);
                let file = found.file.map_or(last.file, |name| {
                    *names.entry(name).or_insert_with_key(|name| sources.file(&String::from_utf8_lossy(name)))
                });
                let owner = found.owner.unwrap_or(last.owner);
                self.markers.push(Marker { first_line: index as u32 + 1, line: found.line, file, owner });
            }
        }
    }

    /// The rest of a directive, with the physical lines that splices joined to it.
    fn joined_line<'a>(&'a self, index: usize, directive: &'a [u8]) -> &'a [u8] {
        let line_end = self.line_starts.get(index + 1).map_or(self.bytes.len(), |&next| next as usize);
        if directive.ends_with(b"\n") || line_end == self.bytes.len() {
            return directive;
        }
        let start = line_end - directive.len();
        let end = self.bytes[start..].iter().position(|&byte| byte == b'\n').map_or(self.bytes.len(), |at| start + at);
        &self.bytes[start..end]
    }
}

fn line_starts(text: &[u8]) -> Vec<usize> {
    let after = text.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1);
    std::iter::once(0).chain(after).collect()
}

/// Takes out every backslash-newline; gives the text and the offsets where physical lines start.
fn join_lines(bytes: Vec<u8>) -> (Vec<u8>, Vec<u32>) {
    let mut line_starts = vec![0];
    let mut joined: Option<Vec<u8>> = None;
    let mut copied = 0;
    for (position, _) in bytes.iter().enumerate().filter(|&(_, &byte)| byte == b'\n') {
        let kept = match bytes[..position].last_chunk::<2>() {
            Some([_, b'\\']) => position - 1,
            Some([b'\\', b'\r']) => position - 2,
            _ if position == 1 && bytes[0] == b'\\' => 0,
            _ => position + 1,
        };
        let removed = copied - joined.as_ref().map_or(0, Vec::len);
        if kept <= position {
            let text = joined.get_or_insert_with(Vec::new);
            text.extend_from_slice(&bytes[copied..kept]);
            copied = position + 1;
            line_starts.push(text.len() as u32);
        } else {
            line_starts.push((position + 1 - removed) as u32);
        }
    }
    match joined {
        None => (bytes, line_starts),
        Some(mut text) => {
            text.extend_from_slice(&bytes[copied..]);
            (text, line_starts)
        }
    }
}

/// What follows the `#` of a directive, if the line is one.
fn directive(line: &[u8]) -> Option<&[u8]> {
    let line = line.trim_ascii_start();
    line.strip_prefix(b"#").or_else(|| line.strip_prefix(b"%:"))
}

/// Whether a comment is open at the end of a line.
fn ends_in_comment(line: &[u8], mut in_comment: bool) -> bool {
    let mut at = 0;
    while at < line.len() {
        match &line[at..] {
            [b'*', b'/', ..] if in_comment => {
                in_comment = false;
                at += 1;
            }
            _ if in_comment => {}
            [b'/', b'/', ..] => return false,
            [b'/', b'*', ..] => {
                in_comment = true;
                at += 1;
            }
            [quote @ (b'"' | b'\''), rest @ ..] => at += literal_length(*quote, rest),
            _ => {}
        }
        at += 1;
    }
    in_comment
}

/// How many bytes after the opening quote belong to a literal, up to the end of the line if it is not closed.
pub(super) fn literal_length(quote: u8, rest: &[u8]) -> usize {
    let mut length = 0;
    while let Some(&byte) = rest.get(length) {
        length += if byte == b'\\' { 2 } else { 1 };
        if byte == quote {
            break;
        }
    }
    length
}

/// A line marker as written.
struct LineMarker {
    line: u32,
    file: Option<Vec<u8>>,
    owner: Option<Owner>,
}

impl LineMarker {
    /// `12 "file.c" 1 3`, or `line 12 "file.c"`, after the `#`.
    fn read(directive: &[u8]) -> Option<Self> {
        let text = directive.trim_ascii();
        let text = text.strip_prefix(b"line").unwrap_or(text).trim_ascii_start();
        let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if digits == 0 {
            return None;
        }
        let line = std::str::from_utf8(&text[..digits]).ok()?.parse().unwrap_or(u32::MAX);
        let rest = text[digits..].trim_ascii_start();
        let Some(quoted) = rest.strip_prefix(b"\"") else {
            return Some(Self { line, file: None, owner: None });
        };
        let (file, flags) = unquote(quoted);
        let is_system = flags.split(|byte| byte.is_ascii_whitespace()).any(|flag| flag == b"3");
        let owner = if is_system { Owner::System } else { Owner::User };
        Some(Self { line, file: Some(file), owner: Some(owner) })
    }
}

/// A quoted file name without its escapes, and what follows the closing quote.
fn unquote(text: &[u8]) -> (Vec<u8>, &[u8]) {
    let mut name = Vec::new();
    let mut rest = text;
    loop {
        rest = match rest {
            [] => return (name, rest),
            [b'"', rest @ ..] => return (name, rest),
            [b'\\', a @ b'0'..=b'3', b @ b'0'..=b'7', c @ b'0'..=b'7', rest @ ..] => {
                name.push((a - b'0') * 64 + (b - b'0') * 8 + (c - b'0'));
                rest
            }
            [b'\\', byte, rest @ ..] | [byte, rest @ ..] => {
                name.push(*byte);
                rest
            }
        };
    }
}
