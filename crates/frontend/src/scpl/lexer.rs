//! Words, numbers and signs, each with its place.

use selvedge_program::{Diagnostic, FileId, Span};

use super::error;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// Its text; empty at the end.
    pub text: String,
    pub span: Span,
}

/// Longer signs before those that they begin with.
const SIGNS: [&str; 23] = [
    ":=", "==", "!=", "<=", ">=", "&&", "||", "(", ")", "{", "}", ",", ";", ":", "=", "<", ">", "+", "-", "*", "/",
    "%", "!",
];

/// The tokens of a text, and one that is its end.
pub fn lex(file: FileId, text: &str, diagnostics: &mut Vec<Diagnostic>) -> Vec<Token> {
    let mut found = Vec::new();
    let (mut line, mut column) = (1_u32, 1_u32);
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let at = |length: usize| Span::on_line(file, line, column, length as u32);
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let (length, is_token) = if first.is_whitespace() {
            (first.len_utf8(), false)
        } else if rest.starts_with("//") {
            (rest.find('\n').unwrap_or(rest.len()), false)
        } else if rest.starts_with("/*") {
            let end = rest.find("*/").map(|end| end + 2);
            if end.is_none() {
                diagnostics.push(error(at(2), "this comment has no end"));
            }
            (end.unwrap_or(rest.len()), false)
        } else if is_word(first) {
            (rest.find(|c: char| !is_word(c)).unwrap_or(rest.len()), true)
        } else if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            (sign.len(), true)
        } else {
            let length = first.len_utf8();
            diagnostics.push(error(at(length), format!("`{}` has no meaning here", first.escape_default())));
            (length, false)
        };
        if is_token {
            found.push(Token { text: rest[..length].to_owned(), span: at(length) });
        }
        for byte in rest[..length].bytes() {
            (line, column) = if byte == b'\n' { (line + 1, 1) } else { (line, column + 1) };
        }
        rest = &rest[length..];
    }
    found.push(Token { text: String::new(), span: Span::on_line(file, line, column, 1) });
    found
}
