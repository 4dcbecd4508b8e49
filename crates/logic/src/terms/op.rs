//! The operations a term can be made of: their operands, their sorts, their SMT-LIB names.
//!
//! Everything else in SMT-LIB's QF_BV (`bvsub`, `bvnand`, `rotate_left`, `bvsgt`, …) is built from these.

use std::fmt;

use super::symbols::SymbolId;
use crate::error::{Error, Result};

/// The widest bit-vector; values are kept in one machine word of this many bits.
pub const MAX_WIDTH: u32 = 128;

/// The sort of a term.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sort {
    Bool,
    /// A bit-vector of this width, from 1 to [`MAX_WIDTH`].
    Bits(u32),
}

impl Sort {
    /// The number of bits of a value of this sort; a truth value has one.
    pub fn width(self) -> u32 {
        match self {
            Sort::Bool => 1,
            Sort::Bits(width) => width,
        }
    }

    /// All bits set.
    pub fn mask(self) -> u128 {
        mask(self.width())
    }
}

impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sort::Bool => f.write_str("Bool"),
            Sort::Bits(width) => write!(f, "(_ BitVec {width})"),
        }
    }
}

/// `width` ones.
pub(crate) fn mask(width: u32) -> u128 {
    if width >= 128 { u128::MAX } else { (1u128 << width) - 1 }
}

/// The operation at the root of a term.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Op {
    /// A truth value (0 or 1) or a bit-vector; the node's sort tells which.
    Constant(u128),
    Symbol(SymbolId),
    Not,
    And,
    Or,
    Equal,
    Ite,
    BitNot,
    BitAnd,
    BitOr,
    BitXor,
    Neg,
    Add,
    Mul,
    UDiv,
    URem,
    SDiv,
    SRem,
    SMod,
    Shl,
    LShr,
    AShr,
    Concat,
    /// Bits `high` down to `low`, both included.
    Extract {
        high: u32,
        low: u32,
    },
    /// To this width.
    ZeroExtend(u32),
    /// To this width.
    SignExtend(u32),
    ULt,
    ULe,
    SLt,
    SLe,
}

impl Op {
    pub fn arity(self) -> usize {
        match self {
            Op::Constant(_) | Op::Symbol(_) => 0,
            Op::Not | Op::BitNot | Op::Neg | Op::Extract { .. } | Op::ZeroExtend(_) | Op::SignExtend(_) => 1,
            Op::Ite => 3,
            _ => 2,
        }
    }

    /// The SMT-LIB function name, without indices.
    pub fn name(self) -> &'static str {
        match self {
            Op::Constant(_) => "constant",
            Op::Symbol(_) => "symbol",
            Op::Not => "not",
            Op::And => "and",
            Op::Or => "or",
            Op::Equal => "=",
            Op::Ite => "ite",
            Op::BitNot => "bvnot",
            Op::BitAnd => "bvand",
            Op::BitOr => "bvor",
            Op::BitXor => "bvxor",
            Op::Neg => "bvneg",
            Op::Add => "bvadd",
            Op::Mul => "bvmul",
            Op::UDiv => "bvudiv",
            Op::URem => "bvurem",
            Op::SDiv => "bvsdiv",
            Op::SRem => "bvsrem",
            Op::SMod => "bvsmod",
            Op::Shl => "bvshl",
            Op::LShr => "bvlshr",
            Op::AShr => "bvashr",
            Op::Concat => "concat",
            Op::Extract { .. } => "extract",
            Op::ZeroExtend(_) => "zero_extend",
            Op::SignExtend(_) => "sign_extend",
            Op::ULt => "bvult",
            Op::ULe => "bvule",
            Op::SLt => "bvslt",
            Op::SLe => "bvsle",
        }
    }

    /// The operands may be exchanged.
    pub(crate) fn commutes(self) -> bool {
        matches!(self, Op::And | Op::Or | Op::Equal | Op::BitAnd | Op::BitOr | Op::BitXor | Op::Add | Op::Mul)
    }

    /// The sort of the result, or what is wrong with the operands.
    pub fn result_sort(self, operands: &[Sort]) -> Result<Sort> {
        if operands.len() != self.arity() {
            let operation = self.name().to_string();
            return Err(Error::Arity { operation, expected: self.arity(), given: operands.len() });
        }
        self.sort_of_known_arity(operands).map_err(|expected| Error::Operands {
            operation: self.name().to_string(),
            operands: operands.iter().map(|sort| sort.to_string()).collect::<Vec<_>>().join(", "),
            expected,
        })
    }

    fn sort_of_known_arity(self, operands: &[Sort]) -> std::result::Result<Sort, &'static str> {
        use Sort::{Bits, Bool};
        match (self, operands) {
            (Op::Constant(_) | Op::Symbol(_), _) => Err("constants and symbols are made by their own functions"),
            (Op::Not, [Bool]) | (Op::And | Op::Or, [Bool, Bool]) => Ok(Bool),
            (Op::Not | Op::And | Op::Or, _) => Err("truth values are expected"),
            (Op::Equal, [a, b]) if a == b => Ok(Bool),
            (Op::Equal, _) => Err("two operands of one sort are expected"),
            (Op::Ite, [Bool, a, b]) if a == b => Ok(*a),
            (Op::Ite, _) => Err("a truth value and two operands of one sort are expected"),
            (Op::BitNot | Op::Neg, [Bits(width)]) => Ok(Bits(*width)),
            (Op::Concat, [Bits(a), Bits(b)]) if a + b <= MAX_WIDTH => Ok(Bits(a + b)),
            (Op::Concat, _) => Err("two bit-vectors of at most 128 bits together are expected"),
            (Op::Extract { high, low }, [Bits(width)]) if low <= high && high < *width => Ok(Bits(high - low + 1)),
            (Op::Extract { .. }, _) => Err("a bit-vector that has those bits is expected"),
            (Op::ZeroExtend(to) | Op::SignExtend(to), [Bits(width)]) if *width <= to && to <= MAX_WIDTH => Ok(Bits(to)),
            (Op::ZeroExtend(_) | Op::SignExtend(_), _) => Err("a narrower bit-vector is expected"),
            (Op::ULt | Op::ULe | Op::SLt | Op::SLe, [Bits(a), Bits(b)]) if a == b => Ok(Bool),
            (_, [Bits(a), Bits(b)]) if a == b => Ok(Bits(*a)),
            _ => Err("bit-vectors of one width are expected"),
        }
    }
}
