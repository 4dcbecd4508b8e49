//! Bit-vector constants of 1 to 128 bits. What the operators do to them is in [`fold`](crate::fold).

use crate::FloatFormat;

/// A bit-vector: a width and a value, the bits above the width being zero.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bits {
    width: u32,
    value: u128,
}

impl Bits {
    /// The low `width` bits of a number; 1 ≤ width ≤ 128.
    pub fn new(width: u32, value: u128) -> Self {
        debug_assert!((1..=128).contains(&width));
        Self { width, value: value & Self::mask(width) }
    }

    /// A signed number in two's complement.
    pub fn signed(width: u32, value: i128) -> Self {
        Self::new(width, value as u128)
    }

    /// The truth value of a condition.
    pub fn bool(value: bool) -> Self {
        Self::new(1, u128::from(value))
    }

    fn mask(width: u32) -> u128 {
        u128::MAX >> (128 - width)
    }

    /// The width in bits.
    pub fn width(self) -> u32 {
        self.width
    }

    /// As an unsigned number.
    pub fn unsigned(self) -> u128 {
        self.value
    }

    /// As a signed number.
    pub fn as_signed(self) -> i128 {
        let shift = 128 - self.width;
        ((self.value << shift) as i128) >> shift
    }

    /// Whether every bit is zero.
    pub fn is_zero(self) -> bool {
        self.value == 0
    }

    /// The vector of ones: the largest unsigned number, and -1.
    pub fn ones(width: u32) -> Self {
        Self::new(width, u128::MAX)
    }

    /// The smallest signed number.
    pub fn smallest(width: u32) -> Self {
        Self::new(width, 1 << (width - 1))
    }

    /// Whether every bit is one.
    pub fn is_ones(self) -> bool {
        self == Self::ones(self.width)
    }

    /// As a floating-point number; every binary32 number is a binary64 number too.
    pub fn as_float(self, format: FloatFormat) -> f64 {
        match format {
            FloatFormat::F32 => f64::from(f32::from_bits(self.value as u32)),
            FloatFormat::F64 => f64::from_bits(self.value as u64),
        }
    }

    /// The 32 bits of a binary32 number.
    pub fn from_f32(value: f32) -> Self {
        Self::new(32, u128::from(value.to_bits()))
    }

    /// The 64 bits of a binary64 number.
    pub fn from_f64(value: f64) -> Self {
        Self::new(64, u128::from(value.to_bits()))
    }

    /// The bytes in memory order, least significant first; the width is rounded up to whole bytes.
    pub fn to_bytes(self) -> impl Iterator<Item = u8> {
        self.value.to_le_bytes().into_iter().take(self.width.div_ceil(8) as usize)
    }

    /// The vector with these bytes, least significant first; at most 16 of them, at least one.
    pub fn from_bytes(bytes: &[u8]) -> Self {
        debug_assert!((1..=16).contains(&bytes.len()));
        let value = bytes.iter().rev().fold(0, |value, byte| value << 8 | u128::from(*byte));
        Self::new(bytes.len() as u32 * 8, value)
    }
}

impl std::fmt::Debug for Bits {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.value, self.width)
    }
}
