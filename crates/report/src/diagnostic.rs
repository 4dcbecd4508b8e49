//! A diagnostic as a compiler shows it: what, where, the line itself, and what belongs to it elsewhere.

use crate::model::Location;
use crate::style::{columns, fitting, printable};
use crate::{Paint, SourceCache, Style};
use selvedge_program::{Diagnostic, Severity, Sources};
use std::fmt::Write;

/// The text of a diagnostic, with a line end after it.
pub fn render(diagnostic: &Diagnostic, sources: &Sources, cache: &mut SourceCache, style: &Style) -> String {
    let (word, paint) = match diagnostic.severity {
        Severity::Error => ("error", Paint::Bad),
        Severity::Warning => ("warning", Paint::Careful),
        Severity::Note => ("note", Paint::Note),
    };
    let mut text = headline(word, paint, &diagnostic.message, style);
    let place = |span| Location::of(sources, span);
    text.push_str(&excerpt(place(diagnostic.span).as_ref(), paint, cache, style, ""));
    for (span, message) in &diagnostic.notes {
        text.push_str(&headline("note", Paint::Note, message, style));
        text.push_str(&excerpt(place(*span).as_ref(), Paint::Note, cache, style, ""));
    }
    text
}

pub(crate) fn headline(word: &str, paint: Paint, message: &str, style: &Style) -> String {
    let used = word.len() + 2;
    let message = style.wrap(&printable(message), used, 2);
    format!("{}: {}\n", style.paint(paint, word), style.paint(Paint::Strong, &message))
}

/// The place and its source line with the span underlined and labelled; only the label for nowhere.
pub fn excerpt(span: Option<&Location>, paint: Paint, cache: &mut SourceCache, style: &Style, label: &str) -> String {
    let Some(span) = span else {
        return if label.is_empty() { String::new() } else { format!("  {}\n", style.wrap(label, 2, 4)) };
    };
    let name = &span.file;
    let number = span.line.to_string();
    let gutter = " ".repeat(number.len());
    let arrow = style.paint(Paint::Frame, "-->");
    let mut text = format!("{gutter}{arrow} {}:{}:{}\n", printable(name), span.line, span.column);
    if let Some(line) = cache.line(name, span.line) {
        let (shown, before, length) = window(line, span, style.width.saturating_sub(number.len() + 3));
        let bar = style.paint(Paint::Frame, "|");
        let marks = style.paint(paint, &"^".repeat(length));
        let number = style.paint(Paint::Frame, &number);
        let _ = writeln!(text, "{gutter} {bar}");
        let _ = writeln!(text, "{number} {bar} {}", shown.trim_end());
        let _ = write!(text, "{gutter} {bar} {}{marks}", " ".repeat(before));
        let used = gutter.len() + 3 + before + length;
        if label.is_empty() || used + 1 + columns(label) <= style.width {
            let _ = writeln!(text, "{}{}", if label.is_empty() { "" } else { " " }, style.paint(paint, label));
        } else {
            let indent = gutter.len() + 3;
            let label = style.wrap(label, indent, indent);
            for line in label.lines() {
                let _ = write!(text, "\n{gutter} {bar} {}", style.paint(paint, line.trim_start()));
            }
            text.push('\n');
        }
    } else if !label.is_empty() {
        let _ = writeln!(text, "  {}", style.wrap(label, 2, 4));
    }
    text
}

/// The part of a line to show within a width, how many columns stand before the span in it, and how long the span is
/// in it.
fn window(line: &str, span: &Location, width: usize) -> (String, usize, usize) {
    let column = floor_boundary(line, (span.column as usize).saturating_sub(1));
    // The preprocessor moves columns a little where it expands macros.
    let column = column + line[column..].bytes().take_while(u8::is_ascii_whitespace).count();
    let end = floor_boundary(line, column.saturating_add(span.length as usize));
    let (before, rest) = (printable(&line[..column]), printable(&line[column..]));
    let length = columns(&printable(&line[column..end.max(column)])).max(1);
    if columns(&before) + columns(&rest) <= width {
        return (before.clone() + &rest, columns(&before), length);
    }
    // A third of the width for what is before, or more where less follows.
    let room = (width / 3).max(width.saturating_sub(columns(&rest)));
    let before = ending(&before, room);
    let shown = before.clone() + &rest;
    let shown = match columns(&shown) > width {
        true => format!("{}…", fitting(&shown, width.saturating_sub(1))),
        false => shown,
    };
    let before = columns(&before);
    (shown, before, length.min(width.saturating_sub(before)).max(1))
}

/// The end of a text that fits in so many columns, with a mark where it is not all.
fn ending(text: &str, width: usize) -> String {
    if columns(text) <= width {
        return text.to_owned();
    }
    let backwards: String = text.chars().rev().collect();
    let kept = fitting(&backwards, width.saturating_sub(1));
    ['…'].into_iter().chain(kept.chars().rev()).collect()
}

fn floor_boundary(line: &str, index: usize) -> usize {
    let mut index = index.min(line.len());
    while !line.is_char_boundary(index) {
        index -= 1;
    }
    index
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};
    use selvedge_program::Span;

    fn check(line: &str, column: u32, length: u32, width: usize, expected: Expect) {
        let mut sources = Sources::default();
        let file = sources.file("a.c");
        let mut cache = SourceCache::default();
        cache.insert("a.c", line);
        let span = Span::on_line(file, 1, column, length);
        let error = Diagnostic::error(span, "something is the matter here").with_note(Span::NOWHERE, "try another way");
        expected.assert_eq(&render(&error, &sources, &mut cache, &Style::plain(width)));
    }

    #[test]
    fn the_span_is_underlined() {
        check(
            "int x = y;",
            9,
            1,
            80,
            expect![[r#"
            error: something is the matter here
             --> a.c:1:9
              |
            1 | int x = y;
              |         ^
            note: try another way
        "#]],
        );
    }

    #[test]
    fn a_narrow_screen_shows_the_part_that_matters() {
        check(
            "int a_rather_long_name = another_rather_long_name + x;",
            53,
            1,
            30,
            expect![[r#"
                error: something is the matter
                  here
                 --> a.c:1:53
                  |
                1 | …her_rather_long_name + x;
                  |                         ^
                note: try another way
            "#]],
        );
    }

    #[test]
    fn tabs_wide_characters_and_spans_beyond_the_line_do_no_harm() {
        check(
            "\tx();",
            2,
            100,
            80,
            expect![[r#"
            error: something is the matter here
             --> a.c:1:2
              |
            1 |  x();
              |  ^^^^
            note: try another way
        "#]],
        );
        check(
            "世界 = y;",
            10,
            1,
            80,
            expect![[r#"
            error: something is the matter here
             --> a.c:1:10
              |
            1 | 世界 = y;
              |        ^
            note: try another way
        "#]],
        );
        check(
            "/* 世界世界世界世界世界世界世界世界 */ 世界 = yy; /* 世界 */",
            65,
            2,
            30,
            expect![[r#"
                error: something is the matter
                  here
                 --> a.c:1:65
                  |
                1 | … */ 世界 = yy; /* 世界 */
                  |             ^^
                note: try another way
            "#]],
        );
        check(
            "äö",
            2,
            1,
            80,
            expect![[r#"
            error: something is the matter here
             --> a.c:1:2
              |
            1 | äö
              | ^
            note: try another way
        "#]],
        );
    }
}
