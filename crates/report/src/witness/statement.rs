//! What a line of source says of itself: whether it is one statement, what that mentions, where a call in it ends.
//!
//! Nothing here parses C. Each answer is given only for lines that are written plainly, one statement each.

use crate::SourceCache;

/// How far one looks back for the line before, and ahead for the end of a call.
const FAR: u32 = 50;

/// A line without comments and what stands between quotes; columns stay.
pub fn code(line: &str) -> String {
    let mut code = String::new();
    let mut characters = line.chars().peekable();
    let mut quote: Option<char> = None;
    while let Some(c) = characters.next() {
        match (quote, c) {
            (Some(_), '\\') => {
                code.push(' ');
                code.extend(characters.next().map(|_| ' '));
            }
            (Some(open), c) => {
                code.push(if c == open { c } else { ' ' });
                quote = if c == open { None } else { quote };
            }
            (None, '"' | '\'') => {
                quote = Some(c);
                code.push(c);
            }
            (None, '/') if characters.peek() == Some(&'/') => break,
            (None, '/') if characters.peek() == Some(&'*') => {
                characters.next();
                code.push_str("  ");
                let mut last = ' ';
                for c in characters.by_ref() {
                    code.push(' ');
                    if (last, c) == ('*', '/') {
                        break;
                    }
                    last = c;
                }
            }
            (None, c) => code.push(c),
        }
    }
    code
}

/// The names in some code with the columns where they begin, but for members.
pub fn names(code: &str) -> Vec<(u32, String)> {
    let mut names: Vec<(u32, String)> = Vec::new();
    let mut word = String::new();
    let mut is_member = false;
    let mut before = String::new();
    for (column, c) in code.chars().chain([' ']).enumerate() {
        if c.is_ascii_alphanumeric() || c == '_' {
            if word.is_empty() {
                is_member = before.ends_with('.') || before.ends_with("->");
            }
            word.push(c);
            continue;
        }
        if !word.is_empty() {
            let is_name = !word.starts_with(|c: char| c.is_ascii_digit());
            if is_name && !is_member {
                names.push(((column - word.chars().count() + 1) as u32, std::mem::take(&mut word)));
            }
            word.clear();
            before.clear();
        }
        if !c.is_whitespace() {
            before.push(c);
        }
    }
    names
}

/// The column at which the statement begins that has a line for itself; `None` where that is not plain to see.
pub fn start(cache: &mut SourceCache, file: &str, line: u32) -> Option<u32> {
    let this = code(cache.line(file, line)?);
    let statement = this.trim();
    let column = this.chars().take_while(|c| c.is_whitespace()).count() as u32 + 1;
    let word: String = statement.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
    let rest = statement[word.len()..].trim_start();
    let is_whole = match word.as_str() {
        "else" | "for" | "while" | "do" | "switch" | "case" | "default" | "static" | "extern" | "typedef" => false,
        "if" => rest.starts_with('(') && closing(rest).is_some(),
        _ => {
            let is_statement = statement.ends_with(';') && statement.matches(';').count() == 1;
            let begins = !word.is_empty() || statement.starts_with(['*', '(', '+', '-']);
            is_statement && begins && !rest.starts_with(':') && !statement.contains(['{', '}'])
        }
    };
    (is_whole && follows_statement(cache, file, line)).then_some(column)
}

/// The columns from which and up to which the condition of an `if` stands that a line begins with.
pub fn condition(line: &str) -> Option<(u32, u32)> {
    let code = code(line);
    let head = code.find("if").filter(|head| line.is_ascii() && code[..*head].trim().is_empty())?;
    let open = head + 2 + code[head + 2..].find(|c: char| !c.is_whitespace())?;
    let close = open + closing(code[open..].strip_prefix('(').map(|_| &code[open..])?)?;
    let inner = &code[open + 1..close];
    let start = open + 1 + inner.len() - inner.trim_start().len();
    Some((start as u32 + 1, (start + inner.trim().len()) as u32 + 1))
}

/// Whether what stands before a line has come to an end, so that a statement may begin there.
fn follows_statement(cache: &mut SourceCache, file: &str, line: u32) -> bool {
    for before in (line.saturating_sub(FAR).max(1)..line).rev() {
        let Some(text) = cache.line(file, before) else { return false };
        let text = code(text);
        let text = text.trim();
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        let head: String = text.chars().take_while(char::is_ascii_alphabetic).collect();
        let is_head = matches!(head.as_str(), "if" | "while" | "for") && {
            let condition = text[head.len()..].trim_start();
            condition.starts_with('(') && closing(condition) == Some(condition.len() - 1)
        };
        return text.ends_with([';', '{', '}']) || text == "else" || is_head;
    }
    false
}

/// Where the parenthesis is closed that some code begins with, as an index.
fn closing(code: &str) -> Option<usize> {
    let mut depth = 0_u32;
    for (index, c) in code.char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth == 1 => return Some(index),
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    None
}

/// The only call on a line of a function that is meant: its name, and the line and column of the parenthesis that ends
/// it.
pub fn call(
    cache: &mut SourceCache,
    file: &str,
    line: u32,
    is_meant: &dyn Fn(&str) -> bool,
) -> Option<(String, u32, u32)> {
    let this = code(cache.line(file, line)?);
    let calls: Vec<(u32, String)> = names(&this).into_iter().filter(|(_, name)| is_meant(name)).collect();
    let [(column, name)] = &calls[..] else { return None };
    let skipped = *column as usize - 1 + name.chars().count();
    let mut depth = 0_u32;
    for at in line..line + FAR {
        let text = if at == line { this.clone() } else { code(cache.line(file, at)?) };
        for (index, c) in text.chars().enumerate() {
            match c {
                _ if at == line && index < skipped => {}
                '(' => depth += 1,
                ')' if depth == 1 => return Some((name.clone(), at, index as u32 + 1)),
                ')' => depth = depth.saturating_sub(1),
                c if depth == 0 && !c.is_whitespace() => return None,
                _ => {}
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cache(text: &str) -> SourceCache {
        let mut cache = SourceCache::default();
        cache.insert("x.c", text);
        cache
    }

    #[test]
    fn only_plain_statements_begin() {
        let text = "int f(void)\n{\n  x = 1;\n\n  // x = 2;\n  y = \"a;b\" [0]; /* ; */\n  if (x) {\n    ++y;\n  } else y = 3;\n  \
                    for (i = 0; i < 3; i++)\n    g(i);\n  x =\n    y;\n  a = 1; b = 2;\n  out: x = 4;\n  if (x ==\n 2)\n  \
                    return x;\n}\n";
        let mut cache = cache(text);
        let found: Vec<(u32, u32)> =
            (1..=20).filter_map(|line| Some((line, start(&mut cache, "x.c", line)?))).collect();
        assert_eq!(found, [(3, 3), (6, 3), (7, 3), (8, 5), (11, 5)]);
    }

    #[test]
    fn conditions_are_what_stands_between_parentheses() {
        assert_eq!(condition("  if ( x == f(1) ) {"), Some((8, 17)));
        assert_eq!(condition("if (x) y = (1);"), Some((5, 6)));
        assert_eq!((condition("while (x)"), condition("x = if;"), condition("if x")), (None, None, None));
    }

    #[test]
    fn names_are_found_but_for_members() {
        let found = names("p->x = q.y + z[i2] * 0x10 - f (a)");
        let found: Vec<(u32, &str)> = found.iter().map(|(column, name)| (*column, name.as_str())).collect();
        assert_eq!(found, [(1, "p"), (8, "q"), (14, "z"), (16, "i2"), (29, "f"), (32, "a")]);
        assert_eq!(code("a /* b */ \"c\\\"d\" 'e' // f"), "a         \"    \" ' ' ");
    }

    #[test]
    fn a_call_ends_where_its_parenthesis_is_closed() {
        let mut cache = cache("  pthread_create(&t, 0,\n    f(1), (void *) \")\");\n  g(); g();\n  g;\n");
        let mut end = |line, name: &str| call(&mut cache, "x.c", line, &|found| found == name);
        assert_eq!(end(1, "pthread_create"), Some(("pthread_create".to_owned(), 2, 23)));
        assert_eq!(end(2, "f"), Some(("f".to_owned(), 2, 8)));
        assert_eq!((end(3, "g"), end(4, "g"), end(1, "h")), (None, None, None));
    }
}
