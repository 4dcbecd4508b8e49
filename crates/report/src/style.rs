//! Colour and width of what is written.

use anstyle::AnsiColor;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// How to write: with or without colour, and for how wide a screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    colour: Colour,
    /// The number of columns to keep within.
    pub width: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Colour {
    Off,
    On,
}

/// What a piece of text is, which decides its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paint {
    /// An error or a violation.
    Bad,
    /// Something to be careful about.
    Careful,
    /// Something proved.
    Good,
    /// A note, a second place.
    Note,
    /// Line numbers, frames.
    Frame,
    /// A headline.
    Strong,
}

impl Style {
    /// Without colour.
    pub fn plain(width: usize) -> Self {
        Style { colour: Colour::Off, width: width.max(20) }
    }

    /// With ANSI colours.
    pub fn coloured(width: usize) -> Self {
        Style { colour: Colour::On, width: width.max(20) }
    }

    /// A piece of text in its colour.
    pub fn paint(&self, paint: Paint, text: &str) -> String {
        if self.colour == Colour::Off || text.is_empty() {
            return text.to_owned();
        }
        let look = match paint {
            Paint::Bad => AnsiColor::Red.on_default(),
            Paint::Careful => AnsiColor::Yellow.on_default(),
            Paint::Good => AnsiColor::Green.on_default(),
            Paint::Note => AnsiColor::Cyan.on_default(),
            Paint::Frame => AnsiColor::Blue.on_default(),
            Paint::Strong => anstyle::Style::new(),
        }
        .bold();
        format!("{look}{text}{look:#}")
    }

    /// Breaks a text into lines that fit, the first after `used` columns, the others after an indent of `indent`.
    pub fn wrap(&self, text: &str, used: usize, indent: usize) -> String {
        let mut result = String::new();
        let mut column = used;
        for word in text.split(' ') {
            let length = columns(word);
            if column > indent.max(used) && column + 1 + length > self.width {
                result.push('\n');
                result.push_str(&" ".repeat(indent));
                column = indent;
            } else if !result.is_empty() {
                result.push(' ');
                column += 1;
            }
            result.push_str(word);
            column += length;
        }
        result
    }
}

/// Makes text from the user's files safe to show: tabs become spaces, control characters a placeholder.
pub fn printable(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '\t' => ' ',
            c if c.is_control() => '\u{fffd}',
            c => c,
        })
        .collect()
}

/// How many columns of the screen a text takes that is printable.
pub fn columns(text: &str) -> usize {
    text.width()
}

/// The longest beginning of a text that fits in so many columns.
pub fn fitting(text: &str, width: usize) -> &str {
    let mut used = 0;
    let fits = |(_, c): &(usize, char)| {
        used += c.width().unwrap_or(0);
        used <= width
    };
    let end = text.char_indices().take_while(fits).last().map_or(0, |(at, c)| at + c.len_utf8());
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrapping_keeps_within_the_width() {
        let style = Style::plain(20);
        assert_eq!(style.wrap("one two three four five six", 4, 2), "one two three\n  four five six");
    }

    #[test]
    fn a_word_longer_than_the_line_stays_whole() {
        assert_eq!(Style::plain(20).wrap("abcdefghijklmnopqrstuvwxyz x", 0, 2), "abcdefghijklmnopqrstuvwxyz\n  x");
    }

    #[test]
    fn wide_characters_take_two_columns() {
        assert_eq!(columns("x世界"), 5);
        assert_eq!([fitting("x世界", 4), fitting("x世界", 2), fitting("x世界", 9)], ["x世", "x", "x世界"]);
        assert_eq!(Style::plain(20).wrap("世界世界世界 世界世界", 0, 0), "世界世界世界\n世界世界");
    }

    #[test]
    fn colours_end_where_the_text_ends() {
        assert_eq!(Style::coloured(20).paint(Paint::Bad, "x"), "\x1b[1m\x1b[31mx\x1b[0m");
        assert_eq!(Style::plain(20).paint(Paint::Bad, "x"), "x");
    }

    #[test]
    fn control_characters_do_not_reach_the_terminal() {
        assert_eq!(printable("a\tb\x1b[31m"), "a b\u{fffd}[31m");
    }
}
