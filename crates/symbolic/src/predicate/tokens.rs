//! The words, numbers and signs that the text of a predicate is made of.

use thiserror::Error;

/// What is wrong with the text of a predicate.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("column {column}: {message}")]
pub struct SyntaxError {
    /// The column, from 1.
    pub column: usize,
    /// What.
    pub message: String,
}

/// A word, a number or a sign.
pub struct Token {
    pub text: String,
    pub column: usize,
}

/// The words, numbers and signs of a text.
pub fn tokens(text: &str) -> Result<Vec<Token>, SyntaxError> {
    let characters: Vec<char> = text.chars().collect();
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(first) = characters.get(at) {
        let start = at;
        at += 1;
        if first.is_whitespace() {
            continue;
        }
        if is_word(*first) {
            while characters.get(at).is_some_and(|c| is_word(*c)) {
                at += 1;
            }
        } else {
            let pair: String = characters[start..characters.len().min(start + 2)].iter().collect();
            if ["||", "&&", "==", "!=", "<=", ">=", "<<", ">>", "::"].contains(&pair.as_str()) {
                at += 1;
            } else if !"|&^<>+-*/%!~?:().,[]@#'".contains(*first) {
                return Err(SyntaxError { column: start + 1, message: format!("`{first}` is not expected here") });
            }
        }
        found.push(Token { text: characters[start..at].iter().collect(), column: start + 1 });
    }
    Ok(found)
}

/// A number, decimal or hexadecimal, that may be given a sign.
pub fn literal(text: &str) -> Option<i128> {
    bits(text).and_then(|number| i128::try_from(number).ok())
}

/// A number, decimal or hexadecimal.
pub fn bits(text: &str) -> Option<u128> {
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => u128::from_str_radix(digits, 16).ok(),
        None => text.starts_with(|c: char| c.is_ascii_digit()).then(|| text.parse().ok())?,
    }
}
