//! Building terms: one checked entry, [`Terms::apply`], and a name for every operation of SMT-LIB's QF_BV.
//!
//! A term that is not well-sorted is a mistake of the program that builds it, not of its input: the named functions
//! panic, and say what does not fit. [`Terms::apply`] and [`Terms::declare`] give an error value instead, for what
//! comes from a text.

use super::op::{MAX_WIDTH, Op, Sort};
use super::{Term, Terms};
use crate::error::{Error, Result};

/// Names for operations of the kernel that take two terms.
macro_rules! binary {
    ($($(#[$doc:meta])* $name:ident = $op:ident;)*) => { impl Terms { $(
        $(#[$doc])*
        pub fn $name(&mut self, a: Term, b: Term) -> Term {
            self.must(Op::$op, &[a, b])
        }
    )* } };
}

binary! {
    and = And;
    or = Or;
    /// Equality of two terms of one sort; on truth values, equivalence.
    equal = Equal;
    bit_and = BitAnd;
    bit_or = BitOr;
    bit_xor = BitXor;
    add = Add;
    mul = Mul;
    /// Unsigned division; division by zero gives all ones.
    udiv = UDiv;
    /// Unsigned remainder; by zero, the dividend.
    urem = URem;
    /// Signed division, rounding towards zero.
    sdiv = SDiv;
    /// Signed remainder with the sign of the dividend.
    srem = SRem;
    /// Signed remainder with the sign of the divisor.
    smod = SMod;
    shl = Shl;
    lshr = LShr;
    ashr = AShr;
    /// The first operand gives the high bits.
    concat = Concat;
    ult = ULt;
    ule = ULe;
    slt = SLt;
    sle = SLe;
}

impl Terms {
    pub fn bool(&mut self, value: bool) -> Term {
        self.constant(Sort::Bool, u128::from(value))
    }

    /// A bit-vector constant; the value must fit.
    pub fn bits(&mut self, width: u32, value: u128) -> Term {
        fits(self.try_bits(width, value))
    }

    /// The same, or an error where the value does not fit.
    pub fn try_bits(&mut self, width: u32, value: u128) -> Result<Term> {
        let sort = bits_sort(width)?;
        if value & !sort.mask() != 0 {
            return Err(Error::Value { value, width });
        }
        Ok(self.constant(sort, value))
    }

    /// A bit-vector constant in two's complement; the value must fit.
    pub fn signed_bits(&mut self, width: u32, value: i128) -> Term {
        let sort = fits(bits_sort(width));
        let bits = value as u128 & sort.mask();
        if super::eval::signed(bits, width) != value {
            return fits(Err(Error::Value { value: value as u128, width }));
        }
        self.constant(sort, bits)
    }

    /// The symbol of that name, declared now if it is new.
    pub fn symbol(&mut self, name: &str, sort: Sort) -> Term {
        fits(self.declare(name, sort))
    }

    /// The same, or an error where the name cannot be declared with that sort.
    pub fn declare(&mut self, name: &str, sort: Sort) -> Result<Term> {
        if let Sort::Bits(width) = sort {
            bits_sort(width)?;
        }
        if name.contains(['|', '\\']) {
            return Err(Error::Name(name.to_string()));
        }
        let symbol = match self.symbols.lookup(name) {
            Some(symbol) if self.symbols.sort(symbol) == sort => symbol,
            Some(symbol) => {
                let declared = self.symbols.sort(symbol);
                return Err(Error::Redeclared { name: name.to_string(), declared, requested: sort });
            }
            None => self.symbols.declare(name, sort),
        };
        Ok(self.symbol_term(symbol))
    }

    /// Applies an operation: checks the sorts, simplifies, and gives the one term for the result.
    pub fn apply(&mut self, op: Op, operands: &[Term]) -> Result<Term> {
        let mut sorts = [Sort::Bool; 3];
        for (place, &operand) in sorts.iter_mut().zip(operands) {
            self.require(operand)?;
            *place = self.sort(operand);
        }
        let sort = match sorts.get(..operands.len()) {
            Some(sorts) => op.result_sort(sorts)?,
            None => {
                let operation = op.name().to_string();
                return Err(Error::Arity { operation, expected: op.arity(), given: operands.len() });
            }
        };
        if self.nodes.len() >= u32::MAX as usize - 4096 {
            return Err(Error::TooMany(u32::MAX));
        }
        Ok(self.make(op, sort, operands))
    }

    /// Applies an operation to operands that fit it.
    fn must(&mut self, op: Op, operands: &[Term]) -> Term {
        fits(self.apply(op, operands))
    }

    pub fn not(&mut self, a: Term) -> Term {
        self.must(Op::Not, &[a])
    }

    pub fn ite(&mut self, condition: Term, then: Term, otherwise: Term) -> Term {
        self.must(Op::Ite, &[condition, then, otherwise])
    }

    pub fn bit_not(&mut self, a: Term) -> Term {
        self.must(Op::BitNot, &[a])
    }

    pub fn neg(&mut self, a: Term) -> Term {
        self.must(Op::Neg, &[a])
    }

    /// Bits `high` down to `low`, both included.
    pub fn extract(&mut self, high: u32, low: u32, a: Term) -> Term {
        self.must(Op::Extract { high, low }, &[a])
    }

    /// Extends to `width` with zeros.
    pub fn zero_extend(&mut self, width: u32, a: Term) -> Term {
        self.must(Op::ZeroExtend(width), &[a])
    }

    /// Extends to `width` with copies of the highest bit.
    pub fn sign_extend(&mut self, width: u32, a: Term) -> Term {
        self.must(Op::SignExtend(width), &[a])
    }

    pub fn all(&mut self, operands: &[Term]) -> Term {
        let start = self.bool(true);
        operands.iter().fold(start, |all, &operand| self.and(all, operand))
    }

    pub fn any(&mut self, operands: &[Term]) -> Term {
        let start = self.bool(false);
        operands.iter().fold(start, |any, &operand| self.or(any, operand))
    }

    /// Exclusive or of truth values.
    pub fn xor(&mut self, a: Term, b: Term) -> Term {
        fits(Op::And.result_sort(&[self.sort(a), self.sort(b)]));
        let equal = self.equal(a, b);
        self.not(equal)
    }

    pub fn implies(&mut self, a: Term, b: Term) -> Term {
        let not_a = self.not(a);
        self.or(not_a, b)
    }

    pub fn distinct(&mut self, a: Term, b: Term) -> Term {
        let equal = self.equal(a, b);
        self.not(equal)
    }

    pub fn sub(&mut self, a: Term, b: Term) -> Term {
        let negated = self.neg(b);
        self.add(a, negated)
    }

    pub fn bit_nand(&mut self, a: Term, b: Term) -> Term {
        let inner = self.bit_and(a, b);
        self.bit_not(inner)
    }

    pub fn bit_nor(&mut self, a: Term, b: Term) -> Term {
        let inner = self.bit_or(a, b);
        self.bit_not(inner)
    }

    pub fn bit_xnor(&mut self, a: Term, b: Term) -> Term {
        let inner = self.bit_xor(a, b);
        self.bit_not(inner)
    }

    /// One bit: 1 when the operands are equal.
    pub fn compare(&mut self, a: Term, b: Term) -> Term {
        fits(Op::Add.result_sort(&[self.sort(a), self.sort(b)]));
        let equal = self.equal(a, b);
        let (one, zero) = (self.bits(1, 1), self.bits(1, 0));
        self.ite(equal, one, zero)
    }

    pub fn repeat(&mut self, times: u32, a: Term) -> Term {
        let width = self.bits_width(a);
        let total = u64::from(times) * u64::from(width);
        assert!((1..=u64::from(MAX_WIDTH)).contains(&total), "{}", Error::Width(total));
        (1..times).fold(a, |repeated, _| self.concat(repeated, a))
    }

    pub fn rotate_left(&mut self, by: u32, a: Term) -> Term {
        let width = self.bits_width(a);
        match by % width {
            0 => a,
            by => {
                let high = self.extract(width - by - 1, 0, a);
                let low = self.extract(width - 1, width - by, a);
                self.concat(high, low)
            }
        }
    }

    pub fn rotate_right(&mut self, by: u32, a: Term) -> Term {
        let width = self.bits_width(a);
        self.rotate_left(width - by % width, a)
    }

    pub fn ugt(&mut self, a: Term, b: Term) -> Term {
        self.ult(b, a)
    }

    pub fn uge(&mut self, a: Term, b: Term) -> Term {
        self.ule(b, a)
    }

    pub fn sgt(&mut self, a: Term, b: Term) -> Term {
        self.slt(b, a)
    }

    pub fn sge(&mut self, a: Term, b: Term) -> Term {
        self.sle(b, a)
    }

    pub(super) fn bits_width(&self, term: Term) -> u32 {
        fits(self.require(term));
        match self.sort(term) {
            Sort::Bits(width) => width,
            given => fits(Err(Error::Expected { expected: Sort::Bits(1), given })),
        }
    }
}

/// What was built, unless it is not well-sorted.
fn fits<T>(built: Result<T>) -> T {
    match built {
        Ok(built) => built,
        Err(error) => panic!("{error}"),
    }
}

fn bits_sort(width: u32) -> Result<Sort> {
    if (1..=MAX_WIDTH).contains(&width) { Ok(Sort::Bits(width)) } else { Err(Error::Width(u64::from(width))) }
}
