//! The bit-counting and number-classifying builtins on constants.

use crate::types::{TypeId, Types};
use std::num::FpCategory;

/// The value of a builtin on a number of a width; `None` if it is none of these or undefined.
pub(super) fn fold(name: &str, number: i128, width: u32) -> Option<i128> {
    let word = name.strip_prefix("__builtin_")?;
    let bits = (number as u128) & (u128::MAX >> (128 - width.clamp(1, 128)));
    let count = match word.trim_end_matches("ll").trim_end_matches('l') {
        "clz" if bits != 0 => bits.leading_zeros() - (128 - width),
        "ctz" if bits != 0 => bits.trailing_zeros(),
        "popcount" => bits.count_ones(),
        "parity" => bits.count_ones() % 2,
        "ffs" if bits == 0 => 0,
        "ffs" => bits.trailing_zeros() + 1,
        "clrsb" => {
            let shifted = (bits << (128 - width)) as i128;
            (if shifted < 0 { shifted.leading_ones() } else { shifted.leading_zeros() }).min(width) - 1
        }
        "bswap16" => return Some(i128::from((bits as u16).swap_bytes())),
        "bswap32" => return Some(i128::from((bits as u32).swap_bytes())),
        "bswap64" => return Some(i128::from((bits as u64).swap_bytes())),
        "bswap128" => return Some(bits.swap_bytes() as i128),
        _ => return None,
    };
    Some(i128::from(count))
}

/// The answer of a question about a floating-point number of a type.
pub(super) fn classify(name: &str, number: f64, ty: TypeId) -> Option<i128> {
    let answer = match name.strip_prefix("__builtin_")? {
        "isnan" | "isnanf" => number.is_nan(),
        "isinf" | "isinff" => number.is_infinite(),
        "isinf_sign" if number.is_infinite() => return Some(if number < 0.0 { -1 } else { 1 }),
        "isinf_sign" => false,
        "isfinite" | "finite" => number.is_finite(),
        "isnormal" => class(number, ty) == 2,
        "signbit" | "signbitf" | "signbitl" => number.is_sign_negative(),
        _ => return None,
    };
    Some(i128::from(answer))
}

/// Which of the first five arguments of `__builtin_fpclassify` a number chooses: nan, infinite, normal, subnormal,
/// zero.
pub(super) fn class(number: f64, ty: TypeId) -> usize {
    let category = if ty == Types::FLOAT { (number as f32).classify() } else { number.classify() };
    match category {
        FpCategory::Nan => 0,
        FpCategory::Infinite => 1,
        FpCategory::Normal => 2,
        FpCategory::Subnormal => 3,
        FpCategory::Zero => 4,
    }
}
