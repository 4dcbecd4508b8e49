//! Words and signs with their places. The paper's mathematical signs are read as the ASCII ones.

use super::{Position, SyntaxError};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token {
    /// A name, a keyword or a number.
    Word(String),
    Sign(&'static str),
    End,
}

impl std::fmt::Display for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Token::Word(word) => write!(f, "`{word}`"),
            Token::Sign(sign) => write!(f, "`{sign}`"),
            Token::End => write!(f, "the end of the text"),
        }
    }
}

/// Longer signs before those that they begin with.
const SIGNS: [&str; 27] = [
    ":=", "=>", "==", "!=", "&&", "||", "(", ")", "{", "}", "[", "]", ",", ";", ":", ".", "'", "$", "@", "!", "~", "&",
    "|", "^", "*", "?", "=",
];

/// Mathematical signs and what they are read as.
const MATHEMATICAL: [(char, &str); 6] = [('∧', "&"), ('∨', "|"), ('¬', "!"), ('⊕', "!="), ('⇒', "=>"), ('≠', "!=")];

pub fn lex(text: &str) -> Result<Vec<(Position, Token)>, SyntaxError> {
    let mut found = Vec::new();
    let mut rest = text;
    let mut at = Position { line: 1, column: 1 };
    while let Some(first) = rest.chars().next() {
        let start = at;
        let (length, token) = if first.is_whitespace() {
            (first.len_utf8(), None)
        } else if rest.starts_with("//") {
            (rest.find('\n').unwrap_or(rest.len()), None)
        } else if rest.starts_with("/*") {
            let end = rest.find("*/").ok_or_else(|| SyntaxError::new(start, "this comment has no end"))?;
            (end + 2, None)
        } else if first.is_ascii_alphanumeric() || first == '_' {
            let length = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
            (length, Some(Token::Word(rest[..length].to_string())))
        } else if first == '∀' {
            (first.len_utf8(), Some(Token::Word("forall".to_string())))
        } else if let Some((_, sign)) = MATHEMATICAL.iter().find(|(sign, _)| *sign == first) {
            (first.len_utf8(), Some(Token::Sign(sign)))
        } else if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            (sign.len(), Some(Token::Sign(sign)))
        } else {
            return Err(SyntaxError::new(start, format!("`{first}` has no meaning here")));
        };
        for passed in rest[..length].chars() {
            at = match passed {
                '\n' => Position { line: at.line + 1, column: 1 },
                _ => Position { line: at.line, column: at.column + 1 },
            };
        }
        rest = &rest[length..];
        found.extend(token.map(|token| (start, token)));
    }
    found.push((at, Token::End));
    Ok(found)
}
