//! Values, the meaning of every operation on them, and the evaluation of a term under an assignment to its symbols.

use rustc_hash::FxHashMap;

use super::op::{Op, Sort, mask};
use super::symbols::SymbolId;
use super::{Term, Terms};
use crate::error::{Error, Result};

/// A truth value or a bit-vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Value {
    sort: Sort,
    bits: u128,
}

impl Value {
    /// Bits beyond the width are dropped.
    pub fn new(sort: Sort, bits: u128) -> Self {
        Value { sort, bits: bits & sort.mask() }
    }

    pub fn sort(self) -> Sort {
        self.sort
    }

    /// The bits, read as an unsigned number; a truth value is 0 or 1.
    pub fn unsigned(self) -> u128 {
        self.bits
    }

    /// The bits, read as a number in two's complement.
    pub fn signed(self) -> i128 {
        signed(self.bits, self.sort.width())
    }

    pub fn is_true(self) -> bool {
        self.sort == Sort::Bool && self.bits == 1
    }
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.sort {
            Sort::Bool => f.write_str(if self.bits == 1 { "true" } else { "false" }),
            Sort::Bits(width) if width % 4 == 0 => write!(f, "#x{:0digits$x}", self.bits, digits = width as usize / 4),
            Sort::Bits(width) => write!(f, "#b{:0digits$b}", self.bits, digits = width as usize),
        }
    }
}

/// Values for symbols; symbols without one count as 0 or false.
#[derive(Debug, Clone, Default)]
pub struct Assignment {
    values: FxHashMap<SymbolId, u128>,
}

impl Assignment {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn set(&mut self, symbol: SymbolId, bits: u128) {
        self.values.insert(symbol, bits);
    }

    pub fn get(&self, symbol: SymbolId) -> Option<u128> {
        self.values.get(&symbol).copied()
    }
}

impl Terms {
    /// The value of a term under an assignment.
    pub fn evaluate(&self, term: Term, assignment: &Assignment) -> Result<Value> {
        Ok(self.evaluate_all(&[term], assignment)?[0])
    }

    /// The values of several terms; what they share is evaluated once.
    pub fn evaluate_all(&self, roots: &[Term], assignment: &Assignment) -> Result<Vec<Value>> {
        roots.iter().try_for_each(|&root| self.require(root))?;
        let mut values: FxHashMap<Term, u128> = FxHashMap::default();
        for term in self.post_order(roots) {
            let sort = self.sort(term);
            let bits = match self.op(term) {
                Op::Symbol(symbol) => assignment.get(symbol).unwrap_or(0) & sort.mask(),
                op => {
                    let mut operands = [0; 3];
                    let mut width = sort.width();
                    for (place, operand) in operands.iter_mut().zip(self.operands(term)) {
                        *place = values.get(operand).copied().ok_or(Error::Foreign)?;
                        width = self.sort(*operand).width();
                    }
                    apply(op, sort, width, operands)
                }
            };
            values.insert(term, bits);
        }
        roots
            .iter()
            .map(|root| values.get(root).map(|&bits| Value::new(self.sort(*root), bits)).ok_or(Error::Foreign))
            .collect()
    }
}

/// The values of terms of one store, each computed once. Symbols may be given values as late as they are first needed.
#[derive(Debug, Clone, Default)]
pub struct Evaluation {
    /// By term; what is not known yet has no meaning.
    values: Vec<u128>,
    known: Vec<bool>,
    pending: Vec<Term>,
}

impl Evaluation {
    pub fn new() -> Self {
        Self::default()
    }

    /// Forgets all values.
    pub fn clear(&mut self) {
        self.known.clear();
    }

    /// Lets a term have this value from now on. False if it has been found to have another.
    pub fn fix(&mut self, terms: &Terms, term: Term, bits: u128) -> Result<bool> {
        terms.require(term)?;
        self.grow(terms);
        let bits = bits & terms.sort(term).mask();
        if self.known[term.index()] {
            return Ok(self.values[term.index()] == bits);
        }
        self.known[term.index()] = true;
        self.values[term.index()] = bits;
        Ok(true)
    }

    /// The value of a term; symbols without a value take the assignment's.
    pub fn value(&mut self, terms: &Terms, term: Term, assignment: &Assignment) -> Result<Value> {
        terms.require(term)?;
        self.grow(terms);
        self.pending.push(term);
        while let Some(&top) = self.pending.last() {
            if self.known[top.index()] {
                self.pending.pop();
                continue;
            }
            let sort = terms.sort(top);
            let (mut operands, mut width, mut ready) = ([0; 3], sort.width(), true);
            for (place, operand) in operands.iter_mut().zip(terms.operands(top)) {
                *place = self.values[operand.index()];
                width = terms.sort(*operand).width();
                if !self.known[operand.index()] {
                    ready = false;
                    self.pending.push(*operand);
                }
            }
            if ready {
                self.pending.pop();
                self.known[top.index()] = true;
                self.values[top.index()] = match terms.op(top) {
                    Op::Symbol(symbol) => assignment.get(symbol).unwrap_or(0) & sort.mask(),
                    op => apply(op, sort, width, operands),
                };
            }
        }
        Ok(Value::new(terms.sort(term), self.values[term.index()]))
    }

    fn grow(&mut self, terms: &Terms) {
        if self.known.len() < terms.len() {
            self.known.resize(terms.len(), false);
            self.values.resize(terms.len(), 0);
        }
    }
}

/// The number that `bits` stand for in two's complement.
pub(crate) fn signed(bits: u128, width: u32) -> i128 {
    let unused = 128 - width;
    ((bits << unused) as i128) >> unused
}

/// The meaning of an operation: `sort` is the result's, `width` the last operand's.
pub(super) fn apply(op: Op, sort: Sort, width: u32, [a, b, c]: [u128; 3]) -> u128 {
    let (sa, sb) = (signed(a, width), signed(b, width));
    let result = match op {
        Op::Constant(bits) => bits,
        Op::Symbol(_) => 0,
        Op::Not => a ^ 1,
        Op::And | Op::BitAnd => a & b,
        Op::Or | Op::BitOr => a | b,
        Op::Equal => u128::from(a == b),
        Op::Ite => [c, b][(a & 1) as usize],
        Op::BitNot => !a,
        Op::BitXor => a ^ b,
        Op::Neg => a.wrapping_neg(),
        Op::Add => a.wrapping_add(b),
        Op::Mul => a.wrapping_mul(b),
        Op::UDiv => a.checked_div(b).unwrap_or(u128::MAX),
        Op::URem => a.checked_rem(b).unwrap_or(a),
        Op::SDiv if b == 0 => {
            if sa < 0 {
                1
            } else {
                u128::MAX
            }
        }
        Op::SDiv => sa.wrapping_div(sb) as u128,
        Op::SRem if b == 0 => a,
        Op::SRem => sa.wrapping_rem(sb) as u128,
        Op::SMod if b == 0 => a,
        Op::SMod => {
            let remainder = sa.wrapping_rem(sb);
            let opposite = remainder != 0 && (remainder < 0) != (sb < 0);
            (if opposite { remainder.wrapping_add(sb) } else { remainder }) as u128
        }
        Op::Shl => shifted(b, width, 0, |by| a << by),
        Op::LShr => shifted(b, width, 0, |by| a >> by),
        Op::AShr => shifted(b, width, if sa < 0 { u128::MAX } else { 0 }, |by| (sa >> by) as u128),
        Op::Concat => (a << width) | b,
        Op::Extract { low, .. } => a >> low,
        Op::ZeroExtend(_) => a,
        Op::SignExtend(_) => sa as u128,
        Op::ULt => u128::from(a < b),
        Op::ULe => u128::from(a <= b),
        Op::SLt => u128::from(sa < sb),
        Op::SLe => u128::from(sa <= sb),
    };
    result & mask(sort.width())
}

fn shifted(by: u128, width: u32, beyond: u128, shift: impl Fn(u32) -> u128) -> u128 {
    if by >= u128::from(width) { beyond } else { shift(by as u32) }
}
