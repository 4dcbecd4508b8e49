//! From bytes to tokens, one at a time: any bytes are taken, none make it panic.
//!
//! The text is already free of splices ([`SourceText`]), so a token is a contiguous stretch of it. Blanks, comments and
//! directives between tokens are skipped; [`SourceText`] has read the directives that mean something.
//!
//! [`SourceText`]: super::source::SourceText

use super::ast::Span;
use super::error::Errors;
use super::symbol::Interner;
use super::token::{Keywords, Token, TokenKind};

/// Reads tokens off a text.
#[derive(Debug)]
pub struct Lexer<'a> {
    text: &'a [u8],
    keywords: Keywords,
    position: usize,
    at_line_start: bool,
}

/// Where a lexer stands, to come back to.
#[derive(Clone, Copy, Debug)]
pub struct Position {
    position: usize,
    at_line_start: bool,
}

impl<'a> Lexer<'a> {
    /// At the beginning of a text.
    pub fn new(text: &'a [u8], interner: &mut Interner) -> Self {
        let position = if text.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        Self { text, keywords: Keywords::new(interner), position, at_line_start: true }
    }

    /// Where it stands.
    pub fn position(&self) -> Position {
        Position { position: self.position, at_line_start: self.at_line_start }
    }

    /// Goes back to where it stood.
    pub fn go_to(&mut self, position: Position) {
        self.position = position.position;
        self.at_line_start = position.at_line_start;
    }

    /// Skips the rest of the text.
    pub fn stop(&mut self) {
        self.position = self.text.len();
    }

    /// The next token; `End` at the end, again and again.
    pub fn next(&mut self, interner: &mut Interner, errors: &mut Errors) -> Token {
        loop {
            self.skip_blanks(errors);
            self.at_line_start = false;
            let start = self.position;
            let mut token = self.token(interner, errors);
            token.span = Span { start: start as u32, end: self.position as u32 };
            match token.kind {
                TokenKind::PragmaOperator => self.pragma_operator(token.span, interner, errors),
                _ => return token,
            }
        }
    }

    fn peek(&self, ahead: usize) -> u8 {
        self.text.get(self.position + ahead).copied().unwrap_or(0)
    }

    fn skip_blanks(&mut self, errors: &mut Errors) {
        while let Some(&byte) = self.text.get(self.position) {
            match byte {
                b'\n' => {
                    self.at_line_start = true;
                    self.position += 1;
                }
                b' ' | b'\t' | b'\r' | 0x0b | 0x0c | 0 => self.position += 1,
                b'/' if self.peek(1) == b'/' => self.skip_line(),
                b'/' if self.peek(1) == b'*' => self.skip_comment(errors),
                b'#' if self.at_line_start => self.skip_directive(1, errors),
                b'%' if self.at_line_start && self.peek(1) == b':' => self.skip_directive(2, errors),
                _ => return,
            }
        }
    }

    fn skip_line(&mut self) {
        let rest = &self.text[self.position..];
        self.position += rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
    }

    fn skip_comment(&mut self, errors: &mut Errors) {
        let start = self.position as u32;
        let mut at = self.position + 2;
        loop {
            match self.text.get(at..) {
                Some([b'*', b'/', ..]) => break self.position = at + 2,
                Some([_, ..]) => at += 1,
                _ => {
                    errors.report(Span { start, end: start + 2 }, "unterminated comment");
                    break self.stop();
                }
            }
        }
    }

    /// A directive that only makes sense before preprocessing must not go unnoticed.
    fn skip_directive(&mut self, sign: usize, errors: &mut Errors) {
        let start = self.position;
        self.skip_line();
        let line = self.text[start + sign..self.position].trim_ascii_start();
        let word = &line[..line.iter().take_while(|byte| byte.is_ascii_alphabetic() || **byte == b'_').count()];
        let is_unexpected =
            [&b"include"[..], b"include_next", b"import", b"if", b"ifdef", b"ifndef", b"elif", b"else", b"endif"]
                .contains(&word);
        let span = Span { start: start as u32, end: self.position as u32 };
        if is_unexpected {
            let message = format!("'#{}' in what should be preprocessed text", String::from_utf8_lossy(word));
            errors.report(span, message);
        } else if word == b"error" {
            let message = &line[word.len()..];
            errors.report(
                span,
                format!("#error{}", String::from_utf8_lossy(&message[..message.len().min(200)]).trim_end()),
            );
        }
    }

    /// `_Pragma("…")` is skipped like a pragma; one that changes layouts would have to be seen by the preprocessor.
    fn pragma_operator(&mut self, span: Span, interner: &mut Interner, errors: &mut Errors) {
        let mut text: &[u8] = b"";
        for kind in [TokenKind::LeftParen, TokenKind::String, TokenKind::RightParen] {
            self.skip_blanks(errors);
            let before = self.position();
            let start = self.position;
            let token = self.token(interner, errors);
            if token.kind != kind {
                self.go_to(before);
                return errors.report(span, "'_Pragma' takes a parenthesized string literal");
            }
            if kind == TokenKind::String {
                text = &self.text[start..self.position];
            }
        }
        if text.windows(4).any(|window| window == b"pack") {
            errors.report(
                span,
                "'_Pragma(\"pack(…)\")' is only supported as '#pragma pack', as the preprocessor writes it",
            );
        }
    }

    fn token(&mut self, interner: &mut Interner, errors: &mut Errors) -> Token {
        let Some(&byte) = self.text.get(self.position) else {
            return plain(TokenKind::End);
        };
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' => {
                self.prefixed_literal(errors).unwrap_or_else(|| self.identifier(interner))
            }
            b'0'..=b'9' => self.number(),
            b'.' if self.peek(1).is_ascii_digit() => self.number(),
            b'"' | b'\'' => self.quoted(0, errors),
            b'\\' | 0x80.. => match self.extended_character(0) {
                Some(_) => self.identifier(interner),
                None => self.stray(errors),
            },
            _ => self.punctuator().unwrap_or_else(|| self.stray(errors)),
        }
    }

    /// A literal with an encoding prefix, or a raw string, if that is what stands here.
    fn prefixed_literal(&mut self, errors: &mut Errors) -> Option<Token> {
        let prefix = match (self.peek(0), self.peek(1)) {
            (b'u', b'8') => 2,
            (b'L' | b'u' | b'U', _) => 1,
            (b'R', _) => 0,
            _ => return None,
        };
        match (self.peek(prefix), self.peek(prefix + 1)) {
            (b'"' | b'\'', _) => Some(self.quoted(prefix, errors)),
            (b'R', b'"') => self.raw_string(prefix + 2, errors),
            _ => None,
        }
    }

    /// `R"delimiter(…)delimiter"`; `prefix` counts the bytes up to the delimiter.
    fn raw_string(&mut self, prefix: usize, errors: &mut Errors) -> Option<Token> {
        let rest = &self.text[self.position + prefix..];
        let length = rest.iter().take(17).position(|&byte| byte == b'(')?;
        let delimiter = &rest[..length];
        if delimiter.iter().any(|&byte| byte.is_ascii_whitespace() || b")\\\"".contains(&byte)) {
            return None;
        }
        let closing = [b")", delimiter, b"\""].concat();
        let start = self.position;
        match rest.windows(closing.len()).position(|window| window == closing) {
            Some(end) => self.position += prefix + end + closing.len(),
            None => {
                self.stop();
                let end = start as u32 + prefix as u32;
                errors.report(Span { start: start as u32, end }, "unterminated raw string");
            }
        }
        Some(plain(TokenKind::String))
    }

    fn quoted(&mut self, prefix: usize, errors: &mut Errors) -> Token {
        let start = self.position;
        let quote = self.text[start + prefix];
        let (kind, message) = match quote {
            b'"' => (TokenKind::String, "unterminated string literal"),
            _ => (TokenKind::Character, "unterminated character constant"),
        };
        self.position += prefix + 1;
        loop {
            match self.text.get(self.position) {
                Some(&byte) if byte == quote => break self.position += 1,
                Some(b'\\') if !matches!(self.text.get(self.position + 1), None | Some(b'\n')) => self.position += 2,
                None | Some(b'\n') => {
                    let span = Span { start: start as u32, end: self.position as u32 };
                    break errors.report(span, message);
                }
                Some(_) => self.position += 1,
            }
        }
        plain(kind)
    }

    /// A preprocessing number: more than the numbers, what is wrong with it is found when it is evaluated.
    fn number(&mut self) -> Token {
        loop {
            self.position += match (self.peek(0), self.peek(1)) {
                (b'e' | b'E' | b'p' | b'P', b'+' | b'-') => 2,
                (b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'.', _) => 1,
                (b'\'', next) if next.is_ascii_alphanumeric() => 2,
                _ => return plain(TokenKind::Number),
            };
        }
    }

    fn identifier(&mut self, interner: &mut Interner) -> Token {
        let start = self.position;
        let mut decoded: Option<String> = None;
        loop {
            let rest = &self.text[self.position..];
            let length =
                rest.iter().take_while(|&&byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$').count();
            if let Some(decoded) = &mut decoded {
                decoded.extend(rest[..length].iter().map(|&byte| char::from(byte)));
            }
            self.position += length;
            let Some((character, length)) = self.extended_character(0) else {
                break;
            };
            let known = &self.text[start..self.position];
            decoded.get_or_insert_with(|| known.iter().map(|&byte| char::from(byte)).collect()).push(character);
            self.position += length;
        }
        let name = match &decoded {
            Some(name) => interner.intern(name),
            None => interner.intern(std::str::from_utf8(&self.text[start..self.position]).unwrap_or_default()),
        };
        Token { kind: self.keywords.kind(name), span: Span::default(), name: Some(name) }
    }

    /// A character beyond ASCII that can be part of an identifier, in UTF-8 or as `\u00e9`, with its length.
    fn extended_character(&self, ahead: usize) -> Option<(char, usize)> {
        let rest = self.text.get(self.position + ahead..)?;
        let digits = match rest {
            [b'\\', b'u', ..] => 4,
            [b'\\', b'U', ..] => 8,
            [0x80..=0xff, ..] => {
                let character = first_character(rest)?;
                return Some((character, character.len_utf8()));
            }
            _ => return None,
        };
        let digits = std::str::from_utf8(rest.get(2..2 + digits)?).ok()?;
        let is_hexadecimal = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        let character = u32::from_str_radix(digits, 16).ok().filter(|_| is_hexadecimal).and_then(char::from_u32)?;
        (!character.is_ascii()).then_some((character, digits.len() + 2))
    }

    fn stray(&mut self, errors: &mut Errors) -> Token {
        let start = self.position;
        let rest = &self.text[start..];
        let (shown, length) = match first_character(rest) {
            Some(character) if !character.is_control() => (character.to_string(), character.len_utf8()),
            _ => (format!("\\x{:02x}", rest.first().copied().unwrap_or(0)), 1),
        };
        self.position += length;
        let span = Span { start: start as u32, end: self.position as u32 };
        errors.report(span, format!("stray '{shown}' in program"));
        plain(TokenKind::Stray)
    }

    fn punctuator(&mut self) -> Option<Token> {
        use TokenKind::*;
        let window = [self.peek(0), self.peek(1), self.peek(2)];
        let (kind, length) = match &window {
            b"..." => (Ellipsis, 3),
            b"<<=" => (ShiftLeftAssign, 3),
            b">>=" => (ShiftRightAssign, 3),
            b"%:%" if self.peek(3) == b':' => (HashHash, 4),
            [a, b, _] => match pair(*a, *b) {
                Some(kind) => (kind, 2),
                None => (single(*a)?, 1),
            },
        };
        self.position += length;
        Some(plain(kind))
    }
}

fn plain(kind: TokenKind) -> Token {
    Token { kind, span: Span::default(), name: None }
}

/// The first character of a text, if it is UTF-8.
pub fn first_character(text: &[u8]) -> Option<char> {
    let start = &text[..text.len().min(4)];
    let valid = match std::str::from_utf8(start) {
        Ok(valid) => valid,
        Err(error) => std::str::from_utf8(&start[..error.valid_up_to()]).ok()?,
    };
    valid.chars().next()
}

fn pair(a: u8, b: u8) -> Option<TokenKind> {
    use TokenKind::*;
    Some(match [a, b] {
        [b'-', b'>'] => Arrow,
        [b'<', b'='] => LessEqual,
        [b'>', b'='] => GreaterEqual,
        [b'=', b'='] => EqualEqual,
        [b'!', b'='] => NotEqual,
        [b'<', b'<'] => ShiftLeft,
        [b'>', b'>'] => ShiftRight,
        [b'&', b'&'] => AndAnd,
        [b'|', b'|'] => OrOr,
        [b'+', b'+'] => PlusPlus,
        [b'-', b'-'] => MinusMinus,
        [b'+', b'='] => PlusAssign,
        [b'-', b'='] => MinusAssign,
        [b'*', b'='] => StarAssign,
        [b'/', b'='] => SlashAssign,
        [b'%', b'='] => PercentAssign,
        [b'&', b'='] => AmpersandAssign,
        [b'|', b'='] => BarAssign,
        [b'^', b'='] => CaretAssign,
        [b'#', b'#'] => HashHash,
        [b'<', b':'] => LeftBracket,
        [b':', b'>'] => RightBracket,
        [b'<', b'%'] => LeftBrace,
        [b'%', b'>'] => RightBrace,
        [b'%', b':'] => Hash,
        _ => return None,
    })
}

fn single(byte: u8) -> Option<TokenKind> {
    use TokenKind::*;
    Some(match byte {
        b'(' => LeftParen,
        b')' => RightParen,
        b'[' => LeftBracket,
        b']' => RightBracket,
        b'{' => LeftBrace,
        b'}' => RightBrace,
        b';' => Semicolon,
        b',' => Comma,
        b':' => Colon,
        b'?' => Question,
        b'.' => Dot,
        b'+' => Plus,
        b'-' => Minus,
        b'*' => Star,
        b'/' => Slash,
        b'%' => Percent,
        b'~' => Tilde,
        b'!' => Exclamation,
        b'&' => Ampersand,
        b'|' => Bar,
        b'^' => Caret,
        b'<' => Less,
        b'>' => Greater,
        b'=' => Assign,
        b'#' => Hash,
        _ => return None,
    })
}
