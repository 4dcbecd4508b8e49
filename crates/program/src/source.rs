//! Where things stand in the user's files, and what we have to say about them.
//!
//! A [`Span`] is already resolved through the preprocessor's line markers: it names the file the user wrote, not the
//! preprocessed text. A [`Diagnostic`] is a value; `report` renders it.

use crate::FileId;

/// A source file as the program knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// The name by which the compiler was given the file, for messages.
    pub name: String,
}

/// The files that spans refer to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sources {
    files: Vec<SourceFile>,
}

impl Sources {
    /// The file with this name, added if it is new.
    pub fn file(&mut self, name: &str) -> FileId {
        let position = self.files.iter().position(|file| file.name == name).unwrap_or_else(|| {
            self.files.push(SourceFile { name: name.to_owned() });
            self.files.len() - 1
        });
        FileId::new(position)
    }

    /// What is known of a file; `None` for an index of another program.
    pub fn get(&self, file: FileId) -> Option<&SourceFile> {
        self.files.get(file.index())
    }

    /// The name of a file, for messages.
    pub fn name(&self, file: FileId) -> &str {
        self.get(file).map_or("<unknown>", |file| &file.name)
    }
}

/// A place between two bytes of a source file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The line, from 1.
    pub line: u32,
    /// The column of the byte after it, from 1.
    pub column: u32,
}

/// A piece of a source file, by where it begins, how far it goes in that line, and where it ends. Lines and columns
/// count from 1, columns in bytes; line 0 means "nowhere".
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// The line, from 1.
    pub line: u32,
    /// The first column, from 1.
    pub column: u32,
    /// How many bytes of the line; at least 1.
    pub length: u32,
    /// Where it ends, in this line or a later one.
    pub end: Position,
}

impl Span {
    /// For what the front end adds by itself and no line of the user's stands for.
    pub const NOWHERE: Span = Span::on_line(FileId(0), 0, 0, 0);

    /// A stretch of one line.
    pub const fn on_line(file: FileId, line: u32, column: u32, length: u32) -> Span {
        Span { file, line, column, length, end: Position { line, column: column.saturating_add(length) } }
    }

    /// Whether the span names a real line.
    pub fn is_somewhere(self) -> bool {
        self.line != 0
    }
}

/// How much a diagnostic matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The input cannot be used.
    Error,
    /// The input can be used, but something deserves a look.
    Warning,
    /// Further information on the diagnostic before it.
    Note,
}

/// One message about the input, like a compiler's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How much it matters.
    pub severity: Severity,
    /// What is the matter, in one sentence without a final full stop.
    pub message: String,
    /// Where.
    pub span: Span,
    /// What belongs to it elsewhere, or what to do; `Span::NOWHERE` where no line is meant.
    pub notes: Vec<(Span, String)>,
}

impl Diagnostic {
    /// An error at a place.
    pub fn error(span: Span, message: impl Into<String>) -> Self {
        Self { severity: Severity::Error, message: message.into(), span, notes: Vec::new() }
    }

    /// A warning at a place.
    pub fn warning(span: Span, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, message: message.into(), span, notes: Vec::new() }
    }

    /// The same, with one more note.
    #[must_use]
    pub fn with_note(mut self, span: Span, message: impl Into<String>) -> Self {
        self.notes.push((span, message.into()));
        self
    }
}
