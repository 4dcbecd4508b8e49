//! Format strings of `printf` and `scanf`, taken apart.

use super::ModelCall;
use selvedge_program::{Base, BinaryOp, Expr, ObjectKind};

/// A width or precision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Count {
    /// Not given.
    Absent,
    /// Given.
    Number(u32),
    /// `*`: the next argument.
    Argument,
}

/// A length modifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Length {
    /// none
    Plain,
    /// `hh`
    Char,
    /// `h`
    Short,
    /// `l`
    Long,
    /// `ll`, `q`, `j`
    LongLong,
    /// `z`, `t`
    Pointer,
    /// `L`
    LongDouble,
}

impl Length {
    /// The width in bits of an integer with this modifier.
    pub(super) fn width(self, pointer_width: u32) -> u32 {
        match self {
            Length::Plain => 32,
            Length::Char => 8,
            Length::Short => 16,
            Length::Long | Length::Pointer => pointer_width,
            Length::LongLong | Length::LongDouble => 64,
        }
    }
}

/// A conversion such as `%-5.2ld`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Directive {
    /// Of `-`, `0`, `+`, space, `#`.
    pub flags: String,
    pub width: Count,
    pub precision: Count,
    pub length: Length,
    pub letter: char,
}

/// A part of a format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// Characters as they are: where they stand in the format, and which.
    Text(usize, Vec<u8>),
    /// A conversion.
    Directive(Directive),
}

/// The parts of a format for `printf`; `None` if a conversion is cut off.
pub(super) fn parse(format: &[u8]) -> Option<Vec<Piece>> {
    let mut pieces = Vec::new();
    let mut at = 0;
    let push_text = |pieces: &mut Vec<Piece>, start: usize, byte: u8| match pieces.last_mut() {
        Some(Piece::Text(_, bytes)) => bytes.push(byte),
        _ => pieces.push(Piece::Text(start, vec![byte])),
    };
    while let Some(byte) = format.get(at) {
        if *byte != b'%' {
            push_text(&mut pieces, at, *byte);
            at += 1;
            continue;
        }
        let (directive, end) = parse_directive(format, at + 1)?;
        if directive.letter == '%' {
            // A text piece stands for consecutive characters of the format, so this one starts anew at the second `%`.
            pieces.push(Piece::Text(end - 1, vec![b'%']));
            at = end;
            if let Some(next) = format.get(at).filter(|next| **next != b'%') {
                pieces.push(Piece::Text(at, vec![*next]));
                at += 1;
            }
        } else {
            pieces.push(Piece::Directive(directive));
            at = end;
        }
    }
    Some(pieces)
}

fn parse_directive(format: &[u8], start: usize) -> Option<(Directive, usize)> {
    let mut at = start;
    let mut flags = String::new();
    // Digits are not grouped: every locale treats numbers as C's does.
    while let Some(flag) = format.get(at).filter(|byte| b"-0+ #'".contains(byte)) {
        flags.extend(Some(char::from(*flag)).filter(|flag| *flag != '\''));
        at += 1;
    }
    let (width, mut at) = parse_count(format, at);
    let mut precision = Count::Absent;
    if format.get(at) == Some(&b'.') {
        (precision, at) = parse_count(format, at + 1);
        if precision == Count::Absent {
            precision = Count::Number(0);
        }
    }
    let rest = format.get(at..)?;
    let (length, used) = match rest {
        [b'h', b'h', ..] => (Length::Char, 2),
        [b'h', ..] => (Length::Short, 1),
        [b'l', b'l', ..] => (Length::LongLong, 2),
        [b'l', ..] => (Length::Long, 1),
        [b'q' | b'j', ..] => (Length::LongLong, 1),
        [b'z' | b't', ..] => (Length::Pointer, 1),
        [b'L', ..] => (Length::LongDouble, 1),
        _ => (Length::Plain, 0),
    };
    let letter = char::from(*rest.get(used)?);
    Some((Directive { flags, width, precision, length, letter }, at + used + 1))
}

fn parse_count(format: &[u8], at: usize) -> (Count, usize) {
    if format.get(at) == Some(&b'*') {
        return (Count::Argument, at + 1);
    }
    let mut end = at;
    let mut number: Option<u32> = None;
    while let Some(digit) = format.get(end).and_then(|byte| char::from(*byte).to_digit(10)) {
        number = Some(number.unwrap_or(0).saturating_mul(10).saturating_add(digit));
        end += 1;
    }
    (number.map_or(Count::Absent, Count::Number), end)
}

impl ModelCall<'_, '_> {
    /// The characters of a string literal argument, up to its first zero.
    pub(super) fn literal(&mut self, index: usize) -> Option<Vec<u8>> {
        let (object, start) = match self.pointer(index) {
            Expr::Address(Base::Object(object), _) => (object, 0),
            Expr::Binary(BinaryOp::Add, base, offset) => match (*base, *offset) {
                (Expr::Address(Base::Object(object), _), Expr::Constant(offset)) => (object, offset.unsigned()),
                _ => return None,
            },
            _ => return None,
        };
        let object = self.function.program.objects.get(object.index())?;
        if object.kind != ObjectKind::Constant || (object.initial.is_empty() && object.size > 1) {
            return None;
        }
        let mut bytes = vec![0_u8; usize::try_from(object.size).ok()?];
        for item in &object.initial {
            let Expr::Constant(value) = &item.value else { return None };
            let value = value.unsigned().to_le_bytes();
            for (index, byte) in value.iter().enumerate().take(item.size as usize) {
                *bytes.get_mut(usize::try_from(item.offset).ok()? + index)? = *byte;
            }
        }
        let rest = bytes.get(usize::try_from(start).ok()?..)?;
        let end = rest.iter().position(|byte| *byte == 0)?;
        rest.get(..end).map(<[u8]>::to_vec)
    }
}

/// A conversion of `scanf`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Scan {
    /// Whether the value is dropped (`%*d`).
    pub is_dropped: bool,
    /// The greatest number of characters.
    pub width: Option<u32>,
    pub length: Length,
    /// `[` stands for a set.
    pub letter: char,
}

/// The conversions of a format for `scanf`; `None` if one is cut off.
pub(super) fn parse_scan(format: &[u8]) -> Option<Vec<Scan>> {
    let mut scans = Vec::new();
    let mut at = 0;
    while let Some(byte) = format.get(at) {
        at += 1;
        if *byte != b'%' {
            continue;
        }
        if format.get(at) == Some(&b'%') {
            at += 1;
            continue;
        }
        let is_dropped = format.get(at) == Some(&b'*');
        let (directive, end) = parse_directive(format, at + usize::from(is_dropped))?;
        at = end;
        if directive.letter == '[' {
            at = end_of_set(format, end)?;
        }
        let width = if let Count::Number(width) = directive.width { Some(width) } else { None };
        scans.push(Scan { is_dropped, width, length: directive.length, letter: directive.letter });
    }
    Some(scans)
}

/// Behind the `]` of a set whose `[` ends at a position.
fn end_of_set(format: &[u8], start: usize) -> Option<usize> {
    let mut at = start;
    if format.get(at) == Some(&b'^') {
        at += 1;
    }
    if format.get(at) == Some(&b']') {
        at += 1;
    }
    let rest = format.get(at..)?;
    Some(at + rest.iter().position(|byte| *byte == b']')? + 1)
}
