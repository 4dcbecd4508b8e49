//! Operations on floating-point numbers, which the solver knows nothing about: their results are symbols. A proof that
//! does not depend on them stands. An execution is run with the results that the operations really have; where that
//! leads elsewhere than the model said, the solver learns the results for these operands, and is asked again.

use selvedge_logic::{Assignment, Evaluation, Op, Result, SymbolId, Term, Terms};
use selvedge_program::{BinaryOp, Bits, Conversion, Span};

/// An operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    Binary(BinaryOp),
    /// To so many bits.
    Convert(Conversion, u32),
}

/// An operation with its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Application {
    pub operation: Operation,
    pub left: Term,
    /// For a conversion, the same as the left one.
    pub right: Term,
}

impl Application {
    /// The result; `None` if the operation is undefined on these operands.
    fn apply(&self, terms: &Terms, left: u128, right: u128) -> Option<u128> {
        let bits = |term: Term, value: u128| Bits::new(terms.sort(term).width(), value);
        let result = match self.operation {
            Operation::Binary(op) => op.apply(bits(self.left, left), bits(self.right, right)),
            Operation::Convert(conversion, width) => conversion.apply(width, bits(self.left, left)),
        };
        result.ok().map(Bits::unsigned)
    }
}

/// A symbol that stands for the result of an operation, and one that says whether it is undefined.
#[derive(Clone, Copy, Debug)]
pub struct Opaque {
    pub application: Application,
    pub result: Term,
    pub undefined: Term,
    /// Where it is computed first.
    pub span: Span,
}

impl Opaque {
    /// Which symbols these are.
    pub fn symbols(&self, terms: &Terms) -> impl Iterator<Item = SymbolId> {
        [self.result, self.undefined]
            .map(|term| match terms.op(term) {
                Op::Symbol(symbol) => Some(symbol),
                _ => None,
            })
            .into_iter()
            .flatten()
    }

    /// The result and whether it is undefined, with these operands.
    pub fn values(&self, terms: &Terms, left: u128, right: u128) -> (u128, u128) {
        match self.application.apply(terms, left, right) {
            Some(result) => (result, 0),
            None => (0, 1),
        }
    }

    /// That the operation has its result for the operands of an assignment, if the assignment says otherwise.
    pub fn lesson(
        &self,
        terms: &mut Terms,
        evaluation: &mut Evaluation,
        assignment: &Assignment,
    ) -> Result<Option<Term>> {
        let Application { left, right, .. } = self.application;
        let mut value = |term: Term| evaluation.value(terms, term, assignment).map(|value| value.unsigned());
        let (l, r) = (value(left)?, value(right)?);
        let claimed = (value(self.result)?, value(self.undefined)?);
        let real = self.values(terms, l, r);
        // Where the operation is undefined its result is never looked at.
        if claimed == real || (real.1 == 1 && claimed.1 == 1) {
            return Ok(None);
        }
        let mut otherwise = Vec::new();
        for (operand, value) in [(left, l), (right, r)] {
            let constant = terms.bits(terms.sort(operand).width(), value);
            otherwise.push(terms.distinct(operand, constant));
        }
        let constant = terms.bits(terms.sort(self.result).width(), real.0);
        let same = terms.equal(self.result, constant);
        let undefined = terms.bool(real.1 == 1);
        let as_defined = terms.equal(self.undefined, undefined);
        let mut lesson = terms.and(same, as_defined);
        for differs in otherwise {
            lesson = terms.or(differs, lesson);
        }
        Ok(Some(lesson))
    }
}
