//! Sets of bit-vectors as unions of intervals, and the values of one unknown for which an expression falls into such a
//! set.

use selvedge_program::{BinaryOp, Bits, Conversion, Expr, RegisterId, UnaryOp};

/// The register that stands for the unknown.
pub const UNKNOWN: RegisterId = RegisterId(u32::MAX);

/// No set of more intervals than this is computed with.
const MOST_INTERVALS: usize = 256;

/// A set of unsigned numbers of one width: disjoint intervals in ascending order, both ends included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Intervals {
    width: u32,
    parts: Vec<(u128, u128)>,
}

fn largest(width: u32) -> u128 {
    Bits::ones(width).unsigned()
}

impl Intervals {
    /// All numbers of a width.
    pub fn all(width: u32) -> Self {
        Self { width, parts: vec![(0, largest(width))] }
    }

    /// No number.
    pub fn none(width: u32) -> Self {
        Self { width, parts: Vec::new() }
    }

    /// From one number to another, wrapping around if the second is smaller.
    pub fn range(width: u32, from: u128, to: u128) -> Self {
        if from <= to {
            return Self { width, parts: vec![(from, to)] };
        }
        Self { width, parts: vec![(0, to), (from, largest(width))] }
    }

    /// The intervals.
    pub fn parts(&self) -> &[(u128, u128)] {
        &self.parts
    }

    /// Whether there is no number in it.
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// How many numbers there are, if that can be counted.
    pub fn count(&self) -> Option<u128> {
        self.parts.iter().try_fold(0u128, |count, (from, to)| count.checked_add(to - from)?.checked_add(1))
    }

    /// The numbers in ascending order.
    pub fn values(&self) -> impl Iterator<Item = u128> + '_ {
        self.parts.iter().flat_map(|(from, to)| *from..=*to)
    }

    fn contains(&self, value: u128) -> bool {
        self.parts.iter().any(|(from, to)| (*from..=*to).contains(&value))
    }

    /// The numbers that are in both.
    pub fn and(&self, other: &Self) -> Self {
        let mut parts = Vec::new();
        for (from, to) in &self.parts {
            for (other_from, other_to) in &other.parts {
                let (from, to) = ((*from).max(*other_from), (*to).min(*other_to));
                if from <= to {
                    parts.push((from, to));
                }
            }
        }
        Self { width: self.width, parts }
    }

    /// The numbers that are not in it.
    pub fn not(&self) -> Self {
        let mut parts = Vec::new();
        let mut next = Some(0);
        for (from, to) in &self.parts {
            if let Some(start) = next.filter(|start| start < from) {
                parts.push((start, from - 1));
            }
            next = to.checked_add(1).filter(|next| *next <= largest(self.width));
        }
        if let Some(start) = next {
            parts.push((start, largest(self.width)));
        }
        Self { width: self.width, parts }
    }

    /// The numbers that are in either.
    pub fn or(&self, other: &Self) -> Self {
        Self::of_parts(self.width, self.parts.iter().chain(&other.parts).copied().collect())
    }

    fn of_parts(width: u32, mut all: Vec<(u128, u128)>) -> Self {
        all.sort_unstable();
        let mut parts: Vec<(u128, u128)> = Vec::new();
        for (from, to) in all {
            match parts.last_mut() {
                Some((_, last)) if last.checked_add(1).is_none_or(|next| from <= next) => *last = (*last).max(to),
                _ => parts.push((from, to)),
            }
        }
        Self { width, parts }
    }

    /// All numbers moved by a distance, wrapping around.
    fn moved(&self, distance: u128) -> Self {
        let mask = largest(self.width);
        let ranges = self.parts.iter().map(|(from, to)| {
            Self::range(self.width, from.wrapping_add(distance) & mask, to.wrapping_add(distance) & mask)
        });
        Self::of_parts(self.width, ranges.flat_map(|range| range.parts).collect())
    }

    /// The number `from - x` for every x in it, wrapping around.
    fn reflected(&self, from: u128) -> Self {
        let mask = largest(self.width);
        let ranges = self.parts.iter().map(|(first, last)| {
            Self::range(self.width, from.wrapping_sub(*last) & mask, from.wrapping_sub(*first) & mask)
        });
        Self::of_parts(self.width, ranges.flat_map(|range| range.parts).collect())
    }
}

/// The values of the unknown (of a width) for which a condition of width 1 holds; `None` if that is too hard.
pub fn solve(condition: &Expr, width: u32) -> Option<Intervals> {
    preimage(condition, &Intervals::range(1, 1, 1), width)
}

/// The values of the unknown for which an expression has a value in a set.
fn preimage(expr: &Expr, set: &Intervals, width: u32) -> Option<Intervals> {
    if set.parts.len() > MOST_INTERVALS {
        return None;
    }
    match expr {
        Expr::Constant(bits) => {
            Some(if set.contains(bits.unsigned()) { Intervals::all(width) } else { Intervals::none(width) })
        }
        Expr::Register(UNKNOWN, _) => Some(set.clone()),
        Expr::Register(..) | Expr::Address(..) => None,
        Expr::Unary(UnaryOp::Not, operand) => preimage(operand, &set.reflected(largest(set.width)), width),
        Expr::Unary(UnaryOp::Negate, operand) => preimage(operand, &set.reflected(0), width),
        Expr::Unary(UnaryOp::FloatNegate(_), _) => None,
        // The unknown is a number here.
        Expr::Unary(op @ (UnaryOp::StartOf | UnaryOp::IsWithin), operand) => {
            preimage(&Expr::Constant(op.apply(Bits::new(operand.width(), 0))), set, width)
        }
        Expr::Binary(op, left, right) => binary(*op, left, right, set, width),
        Expr::Convert(Conversion::ZeroExtend, _, operand) => {
            let narrow = set.and(&Intervals::range(set.width, 0, largest(operand.width())));
            preimage(operand, &Intervals { width: operand.width(), parts: narrow.parts }, width)
        }
        Expr::Convert(Conversion::SignExtend, _, operand) => {
            let half = 1u128 << (operand.width() - 1);
            let offset = largest(set.width) - largest(operand.width());
            let low = set.and(&Intervals::range(set.width, 0, half - 1));
            let high = set.and(&Intervals::range(set.width, offset + half, largest(set.width)));
            let parts = low.parts.into_iter().chain(high.parts.into_iter().map(|(a, b)| (a - offset, b - offset)));
            preimage(operand, &Intervals::of_parts(operand.width(), parts.collect()), width)
        }
        Expr::Convert(..) => None,
        Expr::IfThenElse(condition, then, otherwise) => {
            let condition = solve(condition, width)?;
            let (then, otherwise) = (preimage(then, set, width)?, preimage(otherwise, set, width)?);
            Some(condition.and(&then).or(&condition.not().and(&otherwise)))
        }
    }
}

fn binary(op: BinaryOp, left: &Expr, right: &Expr, set: &Intervals, width: u32) -> Option<Intervals> {
    if op.is_comparison() {
        let holds = comparison(op, left, right, width)?;
        let when = |truth: u128, values: Intervals| {
            if set.contains(truth) { values } else { Intervals::none(width) }
        };
        return Some(when(0, holds.not()).or(&when(1, holds)));
    }
    match (op, left, right) {
        (BinaryOp::Add, Expr::Constant(constant), operand) | (BinaryOp::Add, operand, Expr::Constant(constant)) => {
            preimage(operand, &set.moved(constant.unsigned().wrapping_neg()), width)
        }
        (BinaryOp::Subtract, operand, Expr::Constant(constant)) => {
            preimage(operand, &set.moved(constant.unsigned()), width)
        }
        (BinaryOp::Subtract, Expr::Constant(constant), operand) => {
            preimage(operand, &set.reflected(constant.unsigned()), width)
        }
        (BinaryOp::And | BinaryOp::Or | BinaryOp::Xor, left, right) if left.width() == 1 => {
            let (left, right) = (solve(left, width)?, solve(right, width)?);
            let holds = match op {
                BinaryOp::And => left.and(&right),
                BinaryOp::Or => left.or(&right),
                _ => left.and(&right.not()).or(&left.not().and(&right)),
            };
            let none = Intervals::none(width);
            let when_false = if set.contains(0) { holds.not() } else { none.clone() };
            let when_true = if set.contains(1) { holds } else { none };
            Some(when_false.or(&when_true))
        }
        _ => None,
    }
}

/// The values of the unknown for which a comparison holds, one side of which must be constant.
fn comparison(op: BinaryOp, left: &Expr, right: &Expr, width: u32) -> Option<Intervals> {
    let (constant, operand, is_left) = match (left, right) {
        (Expr::Constant(constant), operand) => (*constant, operand, true),
        (operand, Expr::Constant(constant)) => (*constant, operand, false),
        _ => return None,
    };
    let (size, value) = (constant.width(), constant.unsigned());
    let (smallest_signed, largest_signed) = (1u128 << (size - 1), (1u128 << (size - 1)) - 1);
    let set = match (op, is_left) {
        (BinaryOp::Equal, _) => Intervals::range(size, value, value),
        (BinaryOp::LessUnsigned, false) if value == 0 => Intervals::none(size),
        (BinaryOp::LessUnsigned, false) => Intervals::range(size, 0, value - 1),
        (BinaryOp::LessUnsigned, true) if value == largest(size) => Intervals::none(size),
        (BinaryOp::LessUnsigned, true) => Intervals::range(size, value + 1, largest(size)),
        (BinaryOp::LessSigned, false) if value == smallest_signed => Intervals::none(size),
        (BinaryOp::LessSigned, false) => Intervals::range(size, smallest_signed, value.wrapping_sub(1) & largest(size)),
        (BinaryOp::LessSigned, true) if value == largest_signed => Intervals::none(size),
        (BinaryOp::LessSigned, true) => Intervals::range(size, value.wrapping_add(1) & largest(size), largest_signed),
        _ => return None,
    };
    preimage(operand, &set, width)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn conditions() -> Vec<Expr> {
        let unknown = || Expr::register(UNKNOWN, 4);
        let number = |value| Expr::constant(4, value);
        let mut terms = vec![unknown(), Expr::unary(UnaryOp::Not, unknown()), Expr::unary(UnaryOp::Negate, unknown())];
        for constant in 0..16 {
            terms.push(Expr::binary(BinaryOp::Add, unknown(), number(constant)));
            terms.push(Expr::binary(BinaryOp::Subtract, number(constant), unknown()));
        }
        let mut conditions = Vec::new();
        for term in &terms {
            for constant in 0..16 {
                for op in [BinaryOp::Equal, BinaryOp::LessUnsigned, BinaryOp::LessSigned] {
                    conditions.push(Expr::binary(op, term.clone(), number(constant)));
                    conditions.push(Expr::binary(op, number(constant), term.clone()));
                }
            }
        }
        for constant in 0..64 {
            for conversion in [Conversion::ZeroExtend, Conversion::SignExtend] {
                let wide = Expr::convert(conversion, 6, unknown());
                conditions.push(Expr::binary(BinaryOp::LessSigned, wide.clone(), Expr::constant(6, constant)));
                conditions.push(Expr::binary(BinaryOp::LessUnsigned, Expr::constant(6, constant), wide));
            }
        }
        let pairs: Vec<Expr> = conditions
            .iter()
            .step_by(7)
            .zip(conditions.iter().skip(3).step_by(11))
            .flat_map(|(a, b)| {
                let chosen = Expr::if_then_else(a.clone(), b.clone(), b.clone().not());
                [a.clone().and(b.clone()), a.clone().or(b.clone().not()), chosen]
            })
            .collect();
        conditions.extend(pairs);
        conditions
    }

    #[test]
    fn solutions_are_those_that_hold() {
        let mut solved = 0;
        for condition in conditions() {
            let Some(solution) = solve(&condition, 4) else { continue };
            solved += 1;
            for value in 0..16 {
                let holds = crate::lookahead::substitute(&condition, &mut |_, _| Some(Expr::constant(4, value)));
                assert_eq!(
                    holds,
                    Some(Expr::constant(1, u128::from(solution.contains(value)))),
                    "{condition:?} {value}"
                );
            }
        }
        assert!(solved > 1000);
    }
}
