//! Words, numbers and signs, each with its place; comments are kept apart, for who writes the text again.

use selvedge_program::{Diagnostic, FileId, Span};

/// A word, a number or a sign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// Its text; empty at the end.
    pub text: String,
    pub span: Span,
    /// Its first byte in the file.
    pub start: usize,
}

impl Token {
    /// The byte after its last.
    pub fn end(&self) -> usize {
        self.start + self.text.len()
    }

    pub fn is_word(&self) -> bool {
        self.text.starts_with(is_word)
    }
}

/// A comment, by its bytes in the file; also what has no meaning and was told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comment {
    pub start: usize,
    pub end: usize,
}

/// What a file is made of.
#[derive(Debug, Default)]
pub struct Lexed {
    /// The last one is the end.
    pub tokens: Vec<Token>,
    pub comments: Vec<Comment>,
    pub diagnostics: Vec<Diagnostic>,
}

/// Longer signs before those that they begin with.
const SIGNS: [&str; 36] = [
    "||", "&&", "==", "!=", "<=", ">=", "<<", ">>", "::", "|", "&", "^", "<", ">", "+", "-", "*", "/", "%", "!", "~",
    "?", ":", "(", ")", ".", ",", "[", "]", "{", "}", ";", "=", "@", "#", "'",
];

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The tokens of a text.
pub fn lex(file: FileId, text: &str) -> Lexed {
    let mut lexed = Lexed::default();
    let (mut line, mut column) = (1_u32, 1_u32);
    let mut start = 0;
    while let Some(first) = text[start..].chars().next() {
        let rest = &text[start..];
        let at = |length: usize| Span::on_line(file, line, column, length as u32);
        let mut is_token = false;
        let length = if first.is_whitespace() {
            first.len_utf8()
        } else if rest.starts_with("//") {
            let length = rest.find('\n').unwrap_or(rest.len());
            lexed.comments.push(Comment { start, end: start + length });
            length
        } else if rest.starts_with("/*") {
            let end = rest.find("*/").map(|end| end + 2);
            if end.is_none() {
                lexed.diagnostics.push(Diagnostic::error(at(2), "this comment has no end"));
            }
            let length = end.unwrap_or(rest.len());
            lexed.comments.push(Comment { start, end: start + length });
            length
        } else if is_word(first) {
            is_token = true;
            rest.find(|c: char| !is_word(c)).unwrap_or(rest.len())
        } else if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            is_token = true;
            sign.len()
        } else {
            let length = first.len_utf8();
            let message = format!("`{}` has no meaning here", first.escape_default());
            lexed.diagnostics.push(Diagnostic::error(at(length), message));
            lexed.comments.push(Comment { start, end: start + length });
            length
        };
        if is_token {
            lexed.tokens.push(Token { text: rest[..length].to_owned(), span: at(length), start });
        }
        for byte in rest[..length].bytes() {
            (line, column) = if byte == b'\n' { (line + 1, 1) } else { (line, column + 1) };
        }
        start += length;
    }
    lexed.tokens.push(Token { text: String::new(), span: Span::on_line(file, line, column, 1), start });
    lexed
}
