//! Splitting a command line into words as a POSIX shell does, without
//! expansions: what `compile_commands.json`, `CC` and `--args` hold.

use thiserror::Error;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum SplitError {
    #[error("a {quote} quote is never closed")]
    Unclosed { quote: char },
    #[error("it ends in a backslash")]
    Backslash,
}

/// The words of `text`.
///
/// # Errors
/// When a quote is not closed, or nothing follows a backslash.
pub fn split(text: &str) -> Result<Vec<String>, SplitError> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            ' ' | '\t' | '\n' | '\r' => words.extend(word.take()),
            '\\' => match chars.next().ok_or(SplitError::Backslash)? {
                '\n' => {}
                escaped => word.get_or_insert_default().push(escaped),
            },
            '\'' | '"' => quoted(c, &mut chars, word.get_or_insert_default())?,
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    Ok(words)
}

/// Adds the characters up to the closing `quote` to `word`.
fn quoted(quote: char, chars: &mut std::str::Chars<'_>, word: &mut String) -> Result<(), SplitError> {
    let unclosed = SplitError::Unclosed { quote };
    loop {
        let c = chars.next().ok_or(unclosed)?;
        if c == quote {
            return Ok(());
        }
        if c != '\\' || quote == '\'' {
            word.push(c);
            continue;
        }
        match chars.next().ok_or(unclosed)? {
            '\n' => {}
            escaped @ ('"' | '\\' | '$' | '`') => word.push(escaped),
            other => word.extend(['\\', other]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_quotes() {
        let text = r#" cc  -DA="x y" '-DB="z"' -DC=\"q\" "" a\ b "c\d" x'y'"z" "#;
        let words = split(text).unwrap();
        let expected = ["cc", "-DA=x y", "-DB=\"z\"", "-DC=\"q\"", "", "a b", "c\\d", "xyz"];
        assert_eq!(words, expected);
    }

    #[test]
    fn joined_lines() {
        assert_eq!(split("a\\\nb \"c\\\nd\"").unwrap(), ["ab", "cd"]);
    }

    #[test]
    fn nothing_is_no_word() {
        assert!(split(" \t\n").unwrap().is_empty());
    }

    #[test]
    fn unfinished_input_is_an_error() {
        assert_eq!(split("a 'b"), Err(SplitError::Unclosed { quote: '\'' }));
        assert_eq!(split("a \"b\\"), Err(SplitError::Unclosed { quote: '"' }));
        assert_eq!(split("a \\"), Err(SplitError::Backslash));
    }
}
