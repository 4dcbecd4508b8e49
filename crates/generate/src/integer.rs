//! C's integer types on LP64, their promotions and usual arithmetic conversions, and literals.
//!
//! The generators need the type of every expression they print, to choose shift amounts within
//! range and the right printf conversion.

use crate::random::Random;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Integer {
    Bool,
    Char,
    SignedChar,
    UnsignedChar,
    Short,
    UnsignedShort,
    Int,
    Unsigned,
    Long,
    UnsignedLong,
    LongLong,
    UnsignedLongLong,
    Int128,
    UnsignedInt128,
    /// An enumeration without negative constants: gcc gives it `unsigned int`.
    PositiveEnum,
    /// An enumeration with a negative constant: gcc gives it `int`.
    NegativeEnum,
}

use Integer::*;

/// Every type, the common ones repeated so that a uniform pick favours them.
const WEIGHTED: [Integer; 22] = [
    Bool,
    Char,
    SignedChar,
    UnsignedChar,
    Short,
    UnsignedShort,
    Int,
    Int,
    Int,
    Int,
    Unsigned,
    Unsigned,
    Unsigned,
    Long,
    Long,
    UnsignedLong,
    UnsignedLong,
    LongLong,
    UnsignedLongLong,
    Int128,
    PositiveEnum,
    NegativeEnum,
];

impl Integer {
    pub fn any(random: &mut Random) -> Integer {
        match *random.pick(&WEIGHTED) {
            Int128 if random.chance(50) => UnsignedInt128,
            ty => ty,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Bool => "_Bool",
            Char => "char",
            SignedChar => "signed char",
            UnsignedChar => "unsigned char",
            Short => "short",
            UnsignedShort => "unsigned short",
            Int => "int",
            Unsigned => "unsigned",
            Long => "long",
            UnsignedLong => "unsigned long",
            LongLong => "long long",
            UnsignedLongLong => "unsigned long long",
            Int128 => "__int128",
            UnsignedInt128 => "unsigned __int128",
            PositiveEnum => "enum positive",
            NegativeEnum => "enum negative",
        }
    }

    pub fn bits(self) -> u32 {
        match self {
            Bool => 1,
            Char | SignedChar | UnsignedChar => 8,
            Short | UnsignedShort => 16,
            Int | Unsigned | PositiveEnum | NegativeEnum => 32,
            Long | UnsignedLong | LongLong | UnsignedLongLong => 64,
            Int128 | UnsignedInt128 => 128,
        }
    }

    pub fn is_signed(self) -> bool {
        matches!(self, Char | SignedChar | Short | Int | Long | LongLong | Int128 | NegativeEnum)
    }

    fn rank(self) -> u32 {
        match self {
            Bool => 0,
            Char | SignedChar | UnsignedChar => 1,
            Short | UnsignedShort => 2,
            Int | Unsigned | PositiveEnum | NegativeEnum => 3,
            Long | UnsignedLong => 4,
            LongLong | UnsignedLongLong => 5,
            Int128 | UnsignedInt128 => 6,
        }
    }

    /// The type after the integer promotions (C11 6.3.1.1).
    pub fn promoted(self) -> Integer {
        match self {
            PositiveEnum => Unsigned,
            _ if self.rank() <= Int.rank() && self != Unsigned => Int,
            _ => self,
        }
    }

    /// The unsigned type of the same rank.
    pub fn unsigned(self) -> Integer {
        match self {
            Char | SignedChar => UnsignedChar,
            Short => UnsignedShort,
            Int | NegativeEnum => Unsigned,
            Long => UnsignedLong,
            LongLong => UnsignedLongLong,
            Int128 => UnsignedInt128,
            _ => self,
        }
    }

    /// The common type of two operands (C11 6.3.1.8).
    pub fn common(self, other: Integer) -> Integer {
        let (a, b) = (self.promoted(), other.promoted());
        if a.is_signed() == b.is_signed() {
            return if a.rank() >= b.rank() { a } else { b };
        }
        let (signed, unsigned) = if a.is_signed() { (a, b) } else { (b, a) };
        if unsigned.rank() >= signed.rank() {
            unsigned
        } else if signed.bits() > unsigned.bits() {
            signed
        } else {
            signed.unsigned()
        }
    }

    /// The statement that prints `value`, of this type, under `label`.
    pub fn print(self, label: &str, value: &str) -> String {
        let conversion = match self {
            Int128 | UnsignedInt128 => return format!("show_wide(\"{label}\", {value});"),
            Unsigned | PositiveEnum => "%u",
            Long => "%ld",
            UnsignedLong => "%lu",
            LongLong => "%lld",
            UnsignedLongLong => "%llu",
            _ => "%d",
        };
        format!("printf(\"{label} {conversion}\\n\", {value});")
    }

    /// A constant of this type: limits and small numbers more often than not.
    pub fn literal(self, random: &mut Random) -> String {
        let bits = match random.below(10) {
            0 => 0,
            1 => 1,
            2 => u64::MAX,
            3 => 1u64 << (self.bits().min(64) - 1),
            4 => (1u64 << (self.bits().min(64) - 1)).wrapping_sub(1),
            5..=7 => random.below(100),
            _ => random.word(),
        };
        match self {
            Int => int_literal(bits as i32, random),
            Unsigned if random.chance(50) => format!("0x{:x}u", bits as u32),
            Unsigned => format!("{}u", bits as u32),
            Long if bits as i64 == i64::MIN => "(-9223372036854775807L - 1)".into(),
            Long => signed_literal(bits as i64, "L"),
            UnsignedLong => format!("{bits}ul"),
            LongLong if bits as i64 == i64::MIN => "(-9223372036854775807LL - 1)".into(),
            LongLong => signed_literal(bits as i64, "LL"),
            UnsignedLongLong => format!("0x{bits:X}ULL"),
            Int128 | UnsignedInt128 => {
                let high = if random.chance(50) { 0 } else { random.word() };
                format!("(({})((unsigned __int128){high}ul << 64 | {bits}ul))", self.name())
            }
            _ => format!("({}){}", self.name(), int_literal(bits as i32, random)),
        }
    }
}

fn signed_literal(value: i64, suffix: &str) -> String {
    if value < 0 { format!("(-{}{suffix})", value.unsigned_abs()) } else { format!("{value}{suffix}") }
}

fn int_literal(value: i32, random: &mut Random) -> String {
    match value {
        i32::MIN => "(-2147483647 - 1)".into(),
        -2147483647..0 => format!("(-{})", value.unsigned_abs()),
        0..=7 => format!("{value}"),
        65..=90 if random.chance(40) => format!("'{}'", value as u8 as char),
        _ if random.chance(20) => format!("0x{value:x}"),
        _ if random.chance(15) => format!("0{value:o}"),
        _ => format!("{value}"),
    }
}
