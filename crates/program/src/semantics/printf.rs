//! The conversions of `printf`: flags, width, precision and a letter, without length modifiers.

use crate::{Bits, FloatFormat};

/// A conversion such as `%-8.3d`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Format {
    left: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    zero: bool,
    width: usize,
    /// The number after the full stop.
    pub precision: Option<usize>,
    letter: u8,
}

/// Widths and precisions beyond this are cut off: nobody reads that, and it would fill the memory.
const WIDEST: usize = 1 << 16;

impl Format {
    /// Reads a conversion, with or without the per cent sign; `None` for one that is not known.
    pub fn parse(conversion: &str) -> Option<Format> {
        let mut format = Format::default();
        let mut rest = conversion.strip_prefix('%').unwrap_or(conversion).as_bytes();
        while let Some((flag, after)) = rest.split_first() {
            match flag {
                b'-' => format.left = true,
                b'+' => format.plus = true,
                b' ' => format.space = true,
                b'#' => format.alternate = true,
                b'0' => format.zero = true,
                _ => break,
            }
            rest = after;
        }
        format.width = digits(&mut rest).unwrap_or(0);
        if let Some((b'.', after)) = rest.split_first() {
            rest = after;
            format.precision = Some(digits(&mut rest).unwrap_or(0));
        }
        match rest {
            [letter @ (b'd' | b'i' | b'u' | b'x' | b'X' | b'o' | b'c' | b's' | b'p' | b'%')] => format.letter = *letter,
            [letter @ (b'f' | b'F' | b'e' | b'E' | b'g' | b'G')] => format.letter = *letter,
            _ => return None,
        }
        Some(format)
    }

    /// A number under the conversion.
    pub fn number(&self, bits: Bits) -> Vec<u8> {
        match self.letter {
            b'd' | b'i' => {
                let value = bits.as_signed();
                self.integer(value.unsigned_abs().to_string(), self.sign(value < 0))
            }
            b'u' => self.integer(bits.unsigned().to_string(), ""),
            b'o' => {
                let digits = format!("{:o}", bits.unsigned());
                let short = self.precision.is_none_or(|precision| precision <= digits.len());
                let prefix = if self.alternate && short && digits != "0" { "0" } else { "" };
                self.integer(prefix.to_owned() + &digits, "")
            }
            b'x' | b'X' => {
                let upper = self.letter == b'X';
                let value = bits.unsigned();
                let digits = if upper { format!("{value:X}") } else { format!("{value:x}") };
                let prefix = match (self.alternate && value != 0, upper) {
                    (true, true) => "0X",
                    (true, false) => "0x",
                    (false, _) => "",
                };
                self.integer(digits, prefix)
            }
            b'p' if bits.is_zero() => self.pad("", b"(nil)", false),
            b'p' => self.pad("", format!("{:#x}", bits.unsigned()).as_bytes(), false),
            b'c' => self.pad("", &[bits.unsigned() as u8], false),
            b'%' => b"%".to_vec(),
            b's' => self.pad("", bits.unsigned().to_string().as_bytes(), false),
            _ => self.float(bits),
        }
    }

    /// A text under the conversion; `%s` cuts it off at the precision.
    pub fn text(&self, text: &[u8]) -> Vec<u8> {
        let length = match self.precision {
            Some(precision) if self.letter == b's' => precision.min(text.len()),
            _ => text.len(),
        };
        self.pad("", &text[..length], false)
    }

    fn sign(&self, negative: bool) -> &'static str {
        match (negative, self.plus, self.space) {
            (true, _, _) => "-",
            (false, true, _) => "+",
            (false, false, true) => " ",
            (false, false, false) => "",
        }
    }

    fn integer(&self, digits: String, prefix: &str) -> Vec<u8> {
        match self.precision {
            Some(0) if digits == "0" && !(self.alternate && self.letter == b'o') => self.pad(prefix, b"", false),
            Some(precision) => {
                let zeros = precision.saturating_sub(digits.len());
                self.pad(prefix, format!("{}{digits}", "0".repeat(zeros)).as_bytes(), false)
            }
            None => self.pad(prefix, digits.as_bytes(), self.zero),
        }
    }

    fn float(&self, bits: Bits) -> Vec<u8> {
        let value = match bits.width() {
            32 => bits.as_float(FloatFormat::F32),
            _ => bits.as_float(FloatFormat::F64),
        };
        let sign = self.sign(value.is_sign_negative());
        let magnitude = value.abs();
        let precision = self.precision.unwrap_or(6);
        let body = if magnitude.is_nan() {
            "nan".to_owned()
        } else if magnitude.is_infinite() {
            "inf".to_owned()
        } else {
            match self.letter.to_ascii_lowercase() {
                b'f' => self.with_point(format!("{magnitude:.precision$}")),
                b'e' => self.exponential(magnitude, precision),
                _ => self.general(magnitude, precision.max(1)),
            }
        };
        let body = if self.letter.is_ascii_uppercase() { body.to_ascii_uppercase() } else { body };
        self.pad(sign, body.as_bytes(), self.zero && magnitude.is_finite())
    }

    /// The flag `#` keeps a point that no digits follow.
    fn with_point(&self, digits: String) -> String {
        if self.alternate && !digits.contains('.') { digits + "." } else { digits }
    }

    fn exponential(&self, magnitude: f64, precision: usize) -> String {
        let (mantissa, exponent) = scientific(magnitude, precision);
        with_exponent(self.with_point(mantissa), exponent)
    }

    /// `%g`: the shorter of `%f` and `%e` for so many significant digits, without trailing zeros.
    fn general(&self, magnitude: f64, precision: usize) -> String {
        let (mantissa, exponent) = scientific(magnitude, precision - 1);
        let trim = |digits: String| match self.alternate {
            true => self.with_point(digits),
            false if digits.contains('.') => digits.trim_end_matches('0').trim_end_matches('.').to_owned(),
            false => digits,
        };
        if exponent < -4 || exponent >= precision as i32 {
            return with_exponent(trim(mantissa), exponent);
        }
        let decimals = (precision as i32 - 1 - exponent) as usize;
        trim(format!("{magnitude:.decimals$}"))
    }

    fn pad(&self, prefix: &str, body: &[u8], zeros: bool) -> Vec<u8> {
        let missing = self.width.saturating_sub(prefix.len() + body.len());
        let mut text = Vec::with_capacity(self.width.max(prefix.len() + body.len()));
        if !self.left && !zeros {
            text.resize(missing, b' ');
        }
        text.extend_from_slice(prefix.as_bytes());
        if !self.left && zeros {
            text.resize(text.len() + missing, b'0');
        }
        text.extend_from_slice(body);
        if self.left {
            text.resize(text.len() + missing, b' ');
        }
        text
    }
}

fn digits(rest: &mut &[u8]) -> Option<usize> {
    let length = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (number, after) = rest.split_at(length);
    *rest = after;
    let value = number.iter().fold(0, |value: usize, digit| (value * 10 + usize::from(digit - b'0')).min(WIDEST));
    (length > 0).then_some(value)
}

/// The mantissa with so many decimals, and the exponent.
fn scientific(magnitude: f64, precision: usize) -> (String, i32) {
    let text = format!("{magnitude:.precision$e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    (mantissa.to_owned(), exponent.parse().unwrap_or(0))
}

fn with_exponent(mantissa: String, exponent: i32) -> String {
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{mantissa}e{sign}{:02}", exponent.unsigned_abs())
}
