//! Bit-vector constants of 1 to 128 bits.

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
}

impl std::fmt::Debug for Bits {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.value, self.width)
    }
}
