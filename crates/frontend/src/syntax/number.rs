//! The values of integer and floating constants.

use super::ast::{ExprKind, FloatSuffix, IntegerSuffix};

/// The value of a preprocessing number, or what is wrong with it.
///
/// # Errors
/// A message for a number that no constant of C is spelled like.
pub fn number(spelling: &[u8]) -> Result<ExprKind, String> {
    let text: String = spelling.iter().filter(|&&byte| byte != b'\'').map(|&byte| char::from(byte)).collect();
    let lower = text.to_ascii_lowercase();
    let (radix, digits) = match lower.as_bytes() {
        [b'0', b'x', ..] => (16, &lower[2..]),
        [b'0', b'b', ..] => (2, &lower[2..]),
        _ => (10, lower.as_str()),
    };
    let exponent = if radix == 16 { 'p' } else { 'e' };
    let mantissa_end = digits.find(|c: char| c != '.' && !c.is_digit(radix)).unwrap_or(digits.len());
    let (mantissa, rest) = digits.split_at(mantissa_end);
    if radix != 2 && (mantissa.contains('.') || rest.starts_with(exponent)) {
        return floating(mantissa, rest, exponent);
    }
    let suffix = &text[text.len() - rest.len()..];
    if mantissa.is_empty() {
        return Err(format!("invalid suffix \"{}\" on integer constant", &text[1.min(text.len())..]));
    }
    match mantissa.strip_prefix('0') {
        Some(octal) if radix == 10 && !octal.is_empty() => integer(octal, 8, suffix),
        _ => integer(mantissa, radix, suffix),
    }
}

fn integer(digits: &str, radix: u32, suffix: &str) -> Result<ExprKind, String> {
    let mut value = 0u128;
    for digit in digits.chars() {
        let Some(digit) = digit.to_digit(radix) else {
            return Err(format!("invalid digit \"{digit}\" in octal constant"));
        };
        value = value
            .checked_mul(u128::from(radix))
            .and_then(|value| value.checked_add(u128::from(digit)))
            .ok_or("integer constant is too large")?;
    }
    let suffix = integer_suffix(suffix)?;
    Ok(ExprKind::Integer { value, suffix, is_decimal: radix == 10 })
}

/// `u`, `l` or `ll`, `z`, `i` or `j`, in any order, each at most once.
fn integer_suffix(spelling: &str) -> Result<IntegerSuffix, String> {
    let invalid = || format!("invalid suffix \"{spelling}\" on integer constant");
    let mut suffix = IntegerSuffix::default();
    let mut rest = spelling.as_bytes();
    while let [first, ..] = rest {
        let length = match rest {
            [b'l', b'l', ..] | [b'L', b'L', ..] => 2,
            _ => 1,
        };
        match first {
            b'u' | b'U' if !suffix.is_unsigned => suffix.is_unsigned = true,
            b'l' | b'L' if suffix.longs == 0 => suffix.longs = length as u8,
            b'z' | b'Z' if suffix.longs == 0 => suffix.longs = 1,
            b'i' | b'I' | b'j' | b'J' if !suffix.is_imaginary => suffix.is_imaginary = true,
            b'w' | b'W' => return Err("constants of bit-precise integer types are not supported".into()),
            _ => return Err(invalid()),
        }
        rest = &rest[length..];
    }
    Ok(suffix)
}

fn floating(mantissa: &str, rest: &str, exponent_sign: char) -> Result<ExprKind, String> {
    if mantissa.matches('.').count() > 1 {
        return Err("too many decimal points in number".into());
    }
    if !mantissa.contains(|c: char| c.is_ascii_hexdigit()) {
        return Err("no digits in floating constant".into());
    }
    let (exponent, suffix) = match rest.strip_prefix(exponent_sign) {
        Some(rest) => {
            let digits = rest.trim_start_matches(['+', '-']);
            let signs = rest.len() - digits.len();
            let count = digits.bytes().take_while(u8::is_ascii_digit).count();
            if count == 0 || signs > 1 {
                return Err("exponent has no digits".into());
            }
            rest.split_at(signs + count)
        }
        None if exponent_sign == 'p' => return Err("hexadecimal floating constants require an exponent".into()),
        None => ("0", rest),
    };
    let suffix = float_suffix(suffix)?;
    let value = match (exponent_sign, suffix) {
        ('p', FloatSuffix::Float) => hexadecimal(mantissa, exponent, 24, -149),
        ('p', _) => hexadecimal(mantissa, exponent, 53, -1074),
        (_, FloatSuffix::Float) => f64::from(decimal::<f32>(mantissa, exponent)?),
        _ => decimal::<f64>(mantissa, exponent)?,
    };
    Ok(ExprKind::Float(value, suffix))
}

fn float_suffix(spelling: &str) -> Result<FloatSuffix, String> {
    match spelling {
        "" | "f64" | "f32x" => Ok(FloatSuffix::Double),
        "f" | "f32" => Ok(FloatSuffix::Float),
        "l" | "f64x" | "w" => Ok(FloatSuffix::LongDouble),
        "f16" | "f128" | "f128x" | "bf16" | "q" | "df" | "dd" | "dl" | "d" => Ok(FloatSuffix::Other),
        _ => {
            let real = spelling.replacen(['i', 'j'], "", 1);
            if real.len() < spelling.len() && float_suffix(&real).is_ok() {
                return Ok(FloatSuffix::Other);
            }
            Err(format!("invalid suffix \"{spelling}\" on floating constant"))
        }
    }
}

/// A decimal constant, correctly rounded; what is too large is infinite.
fn decimal<F: std::str::FromStr>(mantissa: &str, exponent: &str) -> Result<F, String> {
    format!("{mantissa}e{exponent}").parse().map_err(|_| "invalid floating constant".into())
}

/// A hexadecimal constant, rounded to nearest, ties to even, to `precision` bits and no bit below 2^`lowest`.
fn hexadecimal(mantissa: &str, exponent: &str, precision: i64, lowest: i64) -> f64 {
    let mut bits = 0u64;
    let mut scale =
        exponent.parse::<i64>().unwrap_or(if exponent.starts_with('-') { i64::MIN / 2 } else { i64::MAX / 2 });
    let mut is_inexact = false;
    let mut after_point = false;
    for character in mantissa.chars() {
        let Some(digit) = character.to_digit(16) else {
            after_point = true;
            continue;
        };
        if bits >> 60 == 0 {
            bits = bits << 4 | u64::from(digit);
        } else {
            is_inexact |= digit != 0;
            scale = scale.saturating_add(4);
        }
        if after_point {
            scale = scale.saturating_sub(4);
        }
    }
    if bits == 0 {
        return 0.0;
    }
    let length = i64::from(64 - bits.leading_zeros());
    let dropped = (length - precision).max(lowest.saturating_sub(scale)).max(0);
    if dropped > 64 {
        return 0.0;
    }
    let wide = u128::from(bits) << 8 | u128::from(is_inexact);
    let (kept, rest) = (wide >> (8 + dropped), wide & ((1u128 << (8 + dropped)) - 1));
    let half = 1u128 << (7 + dropped);
    let is_up = rest > half || (rest == half && kept & 1 == 1);
    let rounded = (kept + u128::from(is_up)) as u64;
    scale_by_power(rounded as f64, scale.saturating_add(dropped), precision)
}

/// `value`·2^`power`, where the result is exact or too large for the format.
fn scale_by_power(value: f64, power: i64, precision: i64) -> f64 {
    let power = power.clamp(-4000, 4000) as i32;
    let half = power / 2;
    let quarter = half / 2;
    let steps = [quarter, half - quarter, (power - half) / 2, power - half - (power - half) / 2];
    let scaled = steps.iter().fold(value, |value, &step| value * 2f64.powi(step));
    if precision == 24 { f64::from(scaled as f32) } else { scaled }
}
