//! Bytes somewhere in an object: an offset that is a term, and what is known of it.

use selvedge_logic::Term;

/// Some bytes of an array.
#[derive(Clone, Copy, Debug)]
pub struct Stretch {
    pub offset: Term,
    pub size: u32,
    pub residue: Residue,
}

/// What is known of an offset as a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Residue {
    Exactly(u64),
    /// It leaves this rest when divided by the modulus.
    Modulo {
        modulus: u64,
        rest: u64,
    },
}

impl Residue {
    /// That of an offset so many bytes further on.
    pub fn plus(self, bytes: u64) -> Residue {
        match self {
            Residue::Exactly(offset) => Residue::Exactly(offset.wrapping_add(bytes)),
            Residue::Modulo { modulus, rest } => Residue::Modulo { modulus, rest: (rest + bytes) % modulus },
        }
    }

    /// The power of two of which it is a multiple.
    pub fn grain(self) -> u32 {
        match self {
            Residue::Exactly(offset) => offset.trailing_zeros(),
            Residue::Modulo { modulus, rest } => (modulus | rest).trailing_zeros(),
        }
    }
}

impl Stretch {
    /// The power of two that divides its size and its offset.
    pub fn grain(self) -> u32 {
        self.residue.grain().min(self.size.trailing_zeros())
    }

    /// Whether the two are known to have no byte in common.
    pub fn is_apart(self, other: Stretch) -> bool {
        let (one, two) = (u64::from(self.size), u64::from(other.size));
        match (self.residue, other.residue) {
            (Residue::Exactly(a), Residue::Exactly(b)) => a + one <= b || b + two <= a,
            (Residue::Modulo { modulus, rest: a }, Residue::Modulo { modulus: same, rest: b }) if modulus == same => {
                are_apart(modulus, (a, one), (b, two))
            }
            (Residue::Modulo { modulus, rest }, Residue::Exactly(offset)) => {
                are_apart(modulus, (rest, one), (offset % modulus, two))
            }
            (Residue::Exactly(offset), Residue::Modulo { modulus, rest }) => {
                are_apart(modulus, (offset % modulus, one), (rest, two))
            }
            _ => false,
        }
    }
}

/// Whether stretches with these starts and sizes never overlap, wherever they begin anew after so many bytes.
fn are_apart(modulus: u64, (a, size): (u64, u64), (b, other): (u64, u64)) -> bool {
    let from_a = (b + modulus - a) % modulus;
    size <= from_a && from_a + other <= modulus
}

/// Whether a read settles what is indeterminate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// Bytes are only moved.
    Move,
    /// A value is looked at, and stays what it turns out to be.
    Look,
}
