//! Expressions over shared variables and the locals of indexed threads, before and (primed) after a step.
//!
//! Since every `*` is a choice of its own, the values that an expression can take follow from those of its parts:
//! evaluation gives the set of them.

use crate::program::{Index, LocalVar, Pc, SharedVar};
use crate::state::LocalState;

/// Before the step, or after it (primed).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum When {
    /// Before.
    Now,
    /// After.
    Next,
}

/// An operator on two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operator {
    /// `&`
    And,
    /// `|`
    Or,
    /// `!=`
    Differ,
    /// `==`
    Equal,
    /// `=>`
    Implies,
}

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Expr {
    /// 0 or 1.
    Constant(bool),
    /// `*`: either, chosen anew at each evaluation and each occurrence.
    Choice,
    /// `schoose[a, b]`: 1 if the first is 1, else 0 if the second is 1, else either.
    Schoose(Box<Expr>, Box<Expr>),
    /// A shared variable.
    Shared(SharedVar, When),
    /// A local of a thread.
    Local(Index, LocalVar, When),
    /// Whether a thread is at a statement, before the step.
    At(Index, Pc),
    /// `!a`
    Not(Box<Expr>),
    /// Two values combined.
    Binary(Operator, Box<Expr>, Box<Expr>),
    /// `c ? a : b`
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
}

/// The values that an expression can take: a set of Booleans, never empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Values {
    /// It can be 0.
    pub may_be_false: bool,
    /// It can be 1.
    pub may_be_true: bool,
}

impl Values {
    const ANY: Values = Values { may_be_false: true, may_be_true: true };

    /// Of one value.
    pub fn only(value: bool) -> Self {
        Values { may_be_false: !value, may_be_true: value }
    }

    /// The values, 0 first.
    pub fn iter(self) -> impl Iterator<Item = bool> {
        [(self.may_be_false, false), (self.may_be_true, true)]
            .into_iter()
            .filter(|(may, _)| *may)
            .map(|(_, value)| value)
    }

    fn not(self) -> Self {
        Values { may_be_false: self.may_be_true, may_be_true: self.may_be_false }
    }

    /// What a function makes of two independent values.
    fn combine(self, other: Values, function: impl Fn(bool, bool) -> bool) -> Self {
        let mut found = Values { may_be_false: false, may_be_true: false };
        for left in self.iter() {
            for right in other.iter() {
                match function(left, right) {
                    true => found.may_be_true = true,
                    false => found.may_be_false = true,
                }
            }
        }
        found
    }

    /// `then` where this is 1, `otherwise` where it is 0.
    fn select(self, then: Values, otherwise: Values) -> Self {
        Values {
            may_be_false: self.may_be_true && then.may_be_false || self.may_be_false && otherwise.may_be_false,
            may_be_true: self.may_be_true && then.may_be_true || self.may_be_false && otherwise.may_be_true,
        }
    }
}

/// What an expression speaks of: shared variables before and after, and each indexed thread before and after.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// The shared variables before and after.
    pub shared: (u64, u64),
    /// The threads by their index, before and after.
    pub threads: &'a [(LocalState, LocalState)],
}

fn bit(values: u64, place: u8) -> Values {
    Values::only(values >> place & 1 == 1)
}

impl Expr {
    /// The values that this can take. The view must have a thread for every index in it.
    pub fn values(&self, view: View<'_>) -> Values {
        match self {
            Expr::Constant(value) => Values::only(*value),
            Expr::Choice => Values::ANY,
            Expr::Schoose(one, zero) => {
                let otherwise = zero.values(view).select(Values::only(false), Values::ANY);
                one.values(view).select(Values::only(true), otherwise)
            }
            Expr::Shared(variable, When::Now) => bit(view.shared.0, variable.0),
            Expr::Shared(variable, When::Next) => bit(view.shared.1, variable.0),
            Expr::Local(index, variable, When::Now) => bit(view.threads[index.0 as usize].0.values, variable.0),
            Expr::Local(index, variable, When::Next) => bit(view.threads[index.0 as usize].1.values, variable.0),
            Expr::At(index, pc) => Values::only(view.threads[index.0 as usize].0.pc == *pc),
            Expr::Not(inner) => inner.values(view).not(),
            Expr::Binary(operator, left, right) => {
                let (left, right) = (left.values(view), right.values(view));
                left.combine(right, |left, right| operator.apply(left, right))
            }
            Expr::Conditional(condition, then, otherwise) => {
                condition.values(view).select(then.values(view), otherwise.values(view))
            }
        }
    }

    /// Calls a function with this and every expression in it.
    pub fn visit(&self, see: &mut dyn FnMut(&Expr)) {
        see(self);
        match self {
            Expr::Constant(_) | Expr::Choice | Expr::Shared(..) | Expr::Local(..) | Expr::At(..) => {}
            Expr::Not(inner) => inner.visit(see),
            Expr::Schoose(left, right) | Expr::Binary(_, left, right) => {
                left.visit(see);
                right.visit(see);
            }
            Expr::Conditional(condition, then, otherwise) => {
                condition.visit(see);
                then.visit(see);
                otherwise.visit(see);
            }
        }
    }

    /// A shared variable before the step.
    pub fn shared(variable: SharedVar) -> Self {
        Expr::Shared(variable, When::Now)
    }

    /// A local of the active thread before the step.
    pub fn local(variable: LocalVar) -> Self {
        Expr::Local(Index::ACTIVE, variable, When::Now)
    }

    /// `a & b`
    pub fn and(self, other: Expr) -> Self {
        self.with(Operator::And, other)
    }

    /// `a | b`
    pub fn or(self, other: Expr) -> Self {
        self.with(Operator::Or, other)
    }

    /// `a => b`
    pub fn implies(self, other: Expr) -> Self {
        self.with(Operator::Implies, other)
    }

    /// `!a`
    pub fn negated(self) -> Self {
        Expr::Not(Box::new(self))
    }

    /// Combined with another.
    pub fn with(self, operator: Operator, other: Expr) -> Self {
        Expr::Binary(operator, Box::new(self), Box::new(other))
    }

    /// All of them; 1 if there are none.
    pub fn all(conditions: impl IntoIterator<Item = Expr>) -> Self {
        conditions.into_iter().reduce(Expr::and).unwrap_or(Expr::Constant(true))
    }
}

impl Operator {
    /// What it makes of two values.
    pub fn apply(self, left: bool, right: bool) -> bool {
        match self {
            Operator::And => left && right,
            Operator::Or => left || right,
            Operator::Differ => left != right,
            Operator::Equal => left == right,
            Operator::Implies => !left || right,
        }
    }
}
