//! Colour and width of what is written.

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
        let code = match paint {
            Paint::Bad => "1;31",
            Paint::Careful => "1;33",
            Paint::Good => "1;32",
            Paint::Note => "1;36",
            Paint::Frame => "1;34",
            Paint::Strong => "1",
        };
        format!("\x1b[{code}m{text}\x1b[0m")
    }

    /// Breaks a text into lines that fit, the first after `used` columns, the others after an indent of `indent`.
    pub fn wrap(&self, text: &str, used: usize, indent: usize) -> String {
        let mut result = String::new();
        let mut column = used;
        for word in text.split(' ') {
            let length = word.chars().count();
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
    fn control_characters_do_not_reach_the_terminal() {
        assert_eq!(printable("a\tb\x1b[31m"), "a b\u{fffd}[31m");
    }
}
