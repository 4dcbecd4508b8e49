//! What is wrong with the text, like a compiler's messages; at most [`MAX_ERRORS`] of them.

use super::ast::Span;

/// After so many errors the parser gives up: what follows is rarely of use.
pub const MAX_ERRORS: usize = 20;

/// One syntax error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// Where.
    pub span: Span,
    /// What is wrong, in one sentence without a final full stop.
    pub message: String,
    /// What belongs to it elsewhere.
    pub notes: Vec<(Span, String)>,
}

/// The errors so far, in the order they were found.
#[derive(Clone, Debug, Default)]
pub struct Errors {
    found: Vec<SyntaxError>,
    is_full: bool,
}

impl Errors {
    /// Adds an error, unless there are enough already or the last one stands at the same place: what fails twice at one
    /// place is a consequence.
    pub fn report(&mut self, span: Span, message: impl Into<String>) {
        self.report_with(span, message, Vec::new());
    }

    /// Adds an error with notes.
    pub fn report_with(&mut self, span: Span, message: impl Into<String>, notes: Vec<(Span, String)>) {
        if self.is_full || self.found.last().is_some_and(|last| last.span.start == span.start) {
            return;
        }
        self.found.push(SyntaxError { span, message: message.into(), notes });
        if self.found.len() >= MAX_ERRORS {
            self.give_up(span, "too many errors: the rest of the file is not parsed");
        }
    }

    /// Adds nothing any more; the last error says why.
    pub fn give_up(&mut self, span: Span, why: &str) {
        self.is_full = true;
        if let Some(last) = self.found.last_mut() {
            last.notes.push((span, why.to_owned()));
        }
    }

    /// Whether the parser should stop.
    pub fn is_full(&self) -> bool {
        self.is_full
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.found.len()
    }

    /// Forgets all but the first `count`: the parser goes another way.
    pub fn forget_after(&mut self, count: usize) {
        if count < self.found.len() {
            self.found.truncate(count);
            self.is_full = false;
        }
    }

    /// The errors in the order of the text.
    pub fn finish(mut self) -> Vec<SyntaxError> {
        self.found.sort_by_key(|error| error.span.start);
        self.found
    }
}
