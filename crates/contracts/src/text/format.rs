//! Specifications in one form: a statement on a line, four blanks for each pair of braces, one between tokens where C
//! programmers put one. Comments stay where they are, and so does one empty line where there was any. A statement
//! that is too long is broken before `&&`, `||` and after commas.

use super::lexer::{Comment, Token};
use super::parse::KEYWORDS;

/// Longer lines are broken.
const WIDEST: usize = 100;

/// A line under construction: its tokens, and where it may be broken.
#[derive(Default)]
struct Line {
    text: String,
    /// Before these bytes, in no parentheses but the outermost.
    breaks: Vec<usize>,
    open: u32,
    /// Choices `?` that wait for their `:`.
    choices: u32,
}

/// The text of tokens and comments in one form.
pub fn format(source: &str, tokens: &[Token], comments: &[Comment]) -> String {
    let mut out = String::new();
    let mut line = Line::default();
    let mut depth = 0_usize;
    let mut comments = comments.iter().peekable();
    let mut previous: Option<&Token> = None;
    let mut end = 0;
    for token in tokens {
        while let Some(comment) = comments.next_if(|comment| comment.start < token.start) {
            let between = &source[end..comment.start];
            let text = source[comment.start..comment.end].trim_end();
            if line.text.is_empty() {
                let is_behind = !between.contains('\n') && out.ends_with('\n') && end > 0;
                if is_behind {
                    out.pop();
                    out.push_str(&format!(" {text}\n"));
                } else {
                    blank_line(&mut out, between);
                    out.push_str(&format!("{}{text}\n", indent(depth)));
                }
            } else {
                // In a statement: before it, so that the statement stays whole.
                out.push_str(&format!("{}{text}\n", indent(depth)));
            }
            end = comment.end;
        }
        if token.text.is_empty() {
            break;
        }
        if line.text.is_empty() && token.text != "}" {
            blank_line(&mut out, &source[end..token.start]);
        }
        match token.text.as_str() {
            "}" => {
                flush(&mut out, &mut line, depth);
                depth = depth.saturating_sub(1);
                let is_empty = previous.is_some_and(|token| token.text == "{") && out.ends_with("{\n");
                if is_empty {
                    out.pop();
                    out.push_str("}\n");
                } else {
                    out.push_str(&format!("{}}}\n", indent(depth)));
                }
            }
            "{" => {
                line.push(token, previous);
                flush(&mut out, &mut line, depth);
                depth += 1;
            }
            ";" => {
                line.text.push(';');
                flush(&mut out, &mut line, depth);
            }
            _ => line.push(token, previous),
        }
        previous = Some(token);
        end = token.end();
    }
    flush(&mut out, &mut line, depth);
    out
}

fn indent(depth: usize) -> String {
    "    ".repeat(depth)
}

/// An empty line, where there was one and it separates something.
fn blank_line(out: &mut String, between: &str) {
    let is_wanted = between.matches('\n').count() > 1;
    if is_wanted && !out.is_empty() && !out.ends_with("\n\n") && !out.ends_with("{\n") {
        out.push('\n');
    }
}

fn flush(out: &mut String, line: &mut Line, depth: usize) {
    let Line { text, breaks, .. } = std::mem::take(line);
    if text.is_empty() {
        return;
    }
    let mut start = 0;
    let mut prefix = indent(depth);
    while prefix.len() + text.len() - start > WIDEST {
        let fits = |at: &&usize| **at > start && prefix.len() + **at - start <= WIDEST;
        let next = breaks.iter().rfind(fits).or_else(|| breaks.iter().find(|at| **at > start));
        let Some(at) = next.copied() else { break };
        out.push_str(&format!("{prefix}{}\n", text[start..at].trim_end()));
        start = at;
        prefix = indent(depth + 1);
    }
    out.push_str(&format!("{prefix}{}\n", &text[start..]));
}

impl Line {
    fn push(&mut self, token: &Token, previous: Option<&Token>) {
        let previous = previous.filter(|_| !self.text.is_empty()).map_or("", |token| token.text.as_str());
        let sign = token.text.as_str();
        if self.is_apart(previous, sign) {
            self.text.push(' ');
        }
        if self.open <= 1 && ["&&", "||"].contains(&sign) || self.open == 0 && previous == "," {
            self.breaks.push(self.text.len());
        }
        match sign {
            "(" | "[" => self.open += 1,
            ")" | "]" => self.open = self.open.saturating_sub(1),
            "?" => self.choices += 1,
            ":" => self.choices = self.choices.saturating_sub(1),
            _ => {}
        }
        self.text.push_str(sign);
    }

    /// Whether a blank stands between two tokens.
    fn is_apart(&self, previous: &str, sign: &str) -> bool {
        let is_word = |text: &str| text.starts_with(|c: char| c.is_alphanumeric() || c == '_');
        if previous.is_empty() {
            return false;
        }
        if [";", ",", ")", "]", "'", ".", "::"].contains(&sign)
            || ["(", "[", ".", "::", "@", "#", "!", "~"].contains(&previous)
        {
            return false;
        }
        match sign {
            "[" => false,
            "(" => !is_word(previous) || KEYWORDS.contains(&previous) && !["acquire", "release"].contains(&previous),
            ":" => self.choices > 0,
            // After an operator, or where an operand begins, a sign is the operand's.
            _ if ["-", "&", "*"].contains(&previous) => !self.is_prefix(),
            _ => true,
        }
    }

    /// Whether the sign that the line ends with belongs to the operand that follows.
    fn is_prefix(&self) -> bool {
        let before = self.text[..self.text.len() - 1].trim_end();
        let last_word = before.rsplit(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or_default();
        if !last_word.is_empty() {
            return KEYWORDS.contains(&last_word);
        }
        !before.ends_with([')', ']', '\''])
    }
}
