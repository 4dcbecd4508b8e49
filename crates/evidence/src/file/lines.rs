//! The lines of certificates, and why one cannot be read.

use crate::digest::Digest;
use selvedge_symbolic::SyntaxError;
use thiserror::Error;

/// Why a text is not read as certificates of a program.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Unreadable {
    #[error("line {line}, column {column}: {message}")]
    Syntax { line: usize, column: usize, message: String },
    #[error("this is version {0} of the form of certificates, and only version {version} is read", version = super::VERSION)]
    Version(String),
    #[error("it is about another program: that of {stated}, and this is {found}")]
    OtherProgram { stated: Digest, found: Digest },
}

/// What remains to be read of a line.
#[derive(Clone, Copy, Debug)]
pub struct Line<'t> {
    /// Its number, from 1.
    pub number: usize,
    /// Where the rest begins, in characters from 1.
    pub column: usize,
    /// What is left of it.
    pub text: &'t str,
}

impl<'t> Line<'t> {
    pub fn new(number: usize, whole: &'t str) -> Self {
        let said = whole.split_once("//").map_or(whole, |(said, _)| said);
        Line { number, column: 1, text: said }.skip(0)
    }

    /// Without so many bytes, and without the blanks around what is left.
    pub fn skip(self, bytes: usize) -> Self {
        let (before, rest) = self.text.split_at(bytes);
        let text = rest.trim_start();
        let blanks = rest.chars().count() - text.chars().count();
        Line { column: self.column + before.chars().count() + blanks, text: text.trim_end(), ..self }
    }

    pub fn is_empty(self) -> bool {
        self.text.is_empty()
    }

    /// What comes after some words, if the line begins with these.
    pub fn after(self, words: &str) -> Option<Line<'t>> {
        let rest = self.text.strip_prefix(words)?;
        (rest.is_empty() || rest.starts_with(char::is_whitespace)).then(|| self.skip(words.len()))
    }

    /// What comes before a sign, and after it.
    pub fn around(self, sign: &str) -> Option<(Line<'t>, Line<'t>)> {
        let at = self.text.find(sign)?;
        let before = Line { text: self.text[..at].trim_end(), ..self };
        Some((before, self.skip(at + sign.len())))
    }

    pub fn wrong(self, message: impl Into<String>) -> Unreadable {
        Unreadable::Syntax { line: self.number, column: self.column, message: message.into() }
    }

    /// Something wrong within the rest.
    pub fn wrong_at(self, error: SyntaxError) -> Unreadable {
        Unreadable::Syntax { line: self.number, column: self.column + error.column - 1, message: error.message }
    }

    pub fn number<N: std::str::FromStr>(self, what: &str) -> Result<N, Unreadable> {
        let digits = Some(self.text).filter(|text| text.bytes().all(|digit| digit.is_ascii_digit()));
        digits.and_then(|digits| digits.parse().ok()).ok_or_else(|| self.wrong(format!("{what} is expected here")))
    }
}
