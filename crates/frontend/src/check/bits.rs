//! The bit-counting builtins on constants.

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
