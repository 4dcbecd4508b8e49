//! The values of character constants and string literals, as gcc evaluates them.

use super::ast::Encoding;
use super::lexer::first_character;

/// What is wrong with a literal, and where in it (a byte offset).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiteralError {
    /// The offset from the start of the literal.
    pub offset: usize,
    /// What is wrong.
    pub message: String,
}

/// One element of a literal's text.
#[derive(Clone, Copy)]
enum Element {
    /// A character, to be encoded.
    Character(char),
    /// A code unit given by number, or a byte of the source.
    Unit(u32),
}

/// The encoding that a literal's prefix names, and the length of the prefix.
pub fn encoding(literal: &[u8]) -> (Encoding, usize) {
    match literal {
        [b'L', ..] => (Encoding::Wide, 1),
        [b'u', b'8', ..] => (Encoding::Utf8, 2),
        [b'u', ..] => (Encoding::Utf16, 1),
        [b'U', ..] => (Encoding::Utf32, 1),
        _ => (Encoding::Plain, 0),
    }
}

/// The bits of a code unit.
fn unit_bits(encoding: Encoding) -> u32 {
    match encoding {
        Encoding::Plain | Encoding::Utf8 => 8,
        Encoding::Utf16 => 16,
        Encoding::Utf32 | Encoding::Wide => 32,
    }
}

/// Appends the code units of one string literal (with prefix and quotes) to `units`, in the given encoding, which may
/// be that of an adjacent literal.
///
/// # Errors
/// For an escape sequence without digits, or bytes that are no characters in a wide literal.
pub fn string(literal: &[u8], encoding_used: Encoding, units: &mut Vec<u32>) -> Result<(), LiteralError> {
    let prefix = encoding(literal).1;
    if literal.get(prefix) == Some(&b'R') {
        return raw_string(literal, prefix, encoding_used, units);
    }
    let body = body(literal, prefix, b'"');
    let mut at = 0;
    while at < body.len() {
        let (element, length) =
            element(&body[at..], encoding_used).map_err(|message| LiteralError { offset: prefix + 1 + at, message })?;
        encode(element, encoding_used, units);
        at += length;
    }
    Ok(())
}

/// `R"delimiter(text)delimiter"`: nothing is an escape.
fn raw_string(literal: &[u8], prefix: usize, encoding: Encoding, units: &mut Vec<u32>) -> Result<(), LiteralError> {
    let text = body(&literal[prefix + 1..], 0, b'"');
    let open = text.iter().position(|&byte| byte == b'(').unwrap_or(0);
    let end = text.len().saturating_sub(open + 1);
    let mut rest = text.get(open + 1..end).unwrap_or_default();
    while !rest.is_empty() {
        let (element, length) = source_character(rest, encoding)
            .map_err(|message| LiteralError { offset: literal.len() - rest.len(), message })?;
        encode(element, encoding, units);
        rest = &rest[length..];
    }
    Ok(())
}

/// The value of a character constant (with prefix and quotes).
///
/// # Errors
/// As for strings, and for a constant without characters.
pub fn character(literal: &[u8]) -> Result<(i64, Encoding), LiteralError> {
    let (encoding, prefix) = encoding(literal);
    let body = body(literal, prefix, b'\'');
    let mut units = Vec::new();
    let mut at = 0;
    while at < body.len() {
        let (element, length) =
            element(&body[at..], encoding).map_err(|message| LiteralError { offset: prefix + 1 + at, message })?;
        encode(element, encoding, &mut units);
        at += length;
    }
    let value = match (encoding, units.as_slice()) {
        (_, []) => return Err(LiteralError { offset: 0, message: "empty character constant".into() }),
        (Encoding::Plain, [unit]) => i64::from(*unit as u8 as i8),
        (Encoding::Plain, units) => i64::from(units.iter().fold(0u32, |value, unit| value << 8 | (unit & 0xff)) as i32),
        (Encoding::Wide, [.., last]) => i64::from(*last as i32),
        (_, [.., last]) => i64::from(*last),
    };
    Ok((value, encoding))
}

/// What stands between the quotes; the closing one may be missing.
fn body(literal: &[u8], prefix: usize, quote: u8) -> &[u8] {
    let body = literal.get(prefix + 1..).unwrap_or_default();
    match body.split_last() {
        Some((&last, body)) if last == quote => body,
        _ => body,
    }
}

/// The first element of a literal's text and its length.
fn element(text: &[u8], encoding: Encoding) -> Result<(Element, usize), String> {
    match text {
        [b'\\', escape, ..] => escape_sequence(*escape, text, encoding),
        _ => source_character(text, encoding),
    }
}

/// A character of the source: bytes are kept as they are in byte strings and decoded in the others.
fn source_character(text: &[u8], encoding: Encoding) -> Result<(Element, usize), String> {
    match text {
        [byte @ 0x80..=0xff, ..] if unit_bits(encoding) == 8 => Ok((Element::Unit(u32::from(*byte)), 1)),
        [0x80..=0xff, ..] => match first_character(text) {
            Some(character) => Ok((Element::Character(character), character.len_utf8())),
            None => Err("invalid UTF-8 in a wide literal".into()),
        },
        [byte, ..] => Ok((Element::Unit(u32::from(*byte)), 1)),
        [] => Err("empty literal".into()),
    }
}

fn escape_sequence(escape: u8, text: &[u8], encoding: Encoding) -> Result<(Element, usize), String> {
    let simple = match escape {
        b'n' => 10,
        b't' => 9,
        b'r' => 13,
        b'0'..=b'7' => {
            let (unit, digits) = number(&text[1..], 8, 3, encoding);
            return Ok((Element::Unit(unit), digits + 1));
        }
        b'x' => {
            return match number(&text[2..], 16, usize::MAX, encoding) {
                (_, 0) => Err("'\\x' used with no following hex digits".into()),
                (unit, digits) => Ok((Element::Unit(unit), digits + 2)),
            };
        }
        b'u' | b'U' => return universal_character(escape, text),
        b'a' => 7,
        b'b' => 8,
        b'f' => 12,
        b'v' => 11,
        b'e' | b'E' => 27,
        0x80.. => return source_character(&text[1..], encoding).map(|(element, length)| (element, length + 1)),
        other => u32::from(other),
    };
    Ok((Element::Unit(simple), 2))
}

/// Up to `most` digits and how many they are; of a value that the unit cannot hold, the low bits, as gcc has it.
fn number(text: &[u8], radix: u32, most: usize, encoding: Encoding) -> (u32, usize) {
    let digits = text.iter().take(most).take_while(|&&byte| char::from(byte).is_digit(radix)).count();
    let value = text[..digits].iter().fold(0u32, |value, &byte| {
        value.wrapping_mul(radix).wrapping_add(char::from(byte).to_digit(radix).unwrap_or(0))
    });
    ((u64::from(value) & ((1u64 << unit_bits(encoding)) - 1)) as u32, digits)
}

fn universal_character(escape: u8, text: &[u8]) -> Result<(Element, usize), String> {
    let digits = if escape == b'u' { 4 } else { 8 };
    let incomplete = || format!("incomplete universal character name \\{}", char::from(escape));
    let digits = text.get(2..2 + digits).ok_or_else(incomplete)?;
    let mut value = 0u32;
    for &byte in digits {
        value = value << 4 | char::from(byte).to_digit(16).ok_or_else(incomplete)?;
    }
    let character = char::from_u32(value).ok_or("not a valid universal character")?;
    Ok((Element::Character(character), digits.len() + 2))
}

fn encode(element: Element, encoding: Encoding, units: &mut Vec<u32>) {
    match element {
        Element::Unit(unit) => units.push(unit),
        Element::Character(character) => match encoding {
            Encoding::Plain | Encoding::Utf8 => {
                units.extend(character.encode_utf8(&mut [0; 4]).bytes().map(u32::from));
            }
            Encoding::Utf16 => units.extend(character.encode_utf16(&mut [0; 2]).iter().map(|&unit| u32::from(unit))),
            Encoding::Utf32 | Encoding::Wide => units.push(u32::from(character)),
        },
    }
}
