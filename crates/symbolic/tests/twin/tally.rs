//! What has been compared, by kind, and what must have been.

use std::collections::BTreeMap;
use std::fmt::Debug;

use selvedge_program::{Action, AtomicStep, BinaryOp, Conversion, Expr, UnaryOp, Undefined};

/// How often what was compared.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Actions and atomic steps on which both sides spoke.
    pub actions: BTreeMap<&'static str, u64>,
    pub steps: BTreeMap<&'static str, u64>,
    /// Operators in what both sides evaluated.
    pub operators: BTreeMap<&'static str, u64>,
    pub undefined: BTreeMap<Undefined, u64>,
    /// How steps went on both sides.
    pub outcomes: BTreeMap<&'static str, u64>,
    /// Where the symbolic side does not say though the concrete one goes on, by reason.
    pub unsupported: BTreeMap<String, u64>,
    /// What could not be told in terms to begin with.
    pub odd: BTreeMap<&'static str, u64>,
    /// How often one of several threads could be picked.
    pub picks: u64,
    pub longest: usize,
    /// What the two sides say differently.
    pub differences: Vec<String>,
}

impl Tally {
    pub fn merge(&mut self, other: Tally) {
        add(&mut self.actions, other.actions);
        add(&mut self.steps, other.steps);
        add(&mut self.operators, other.operators);
        add(&mut self.undefined, other.undefined);
        add(&mut self.outcomes, other.outcomes);
        add(&mut self.unsupported, other.unsupported);
        add(&mut self.odd, other.odd);
        self.picks += other.picks;
        self.longest = self.longest.max(other.longest);
        self.differences.extend(other.differences);
    }

    /// An action on which both sides have spoken.
    pub fn compared(&mut self, action: &Action) {
        count(&mut self.actions, kind(action));
    }

    /// An action that both sides have taken, all of it.
    pub fn taken(&mut self, action: &Action) {
        action.steps().iter().for_each(|step| count(&mut self.steps, step_kind(step)));
        action.for_each_expression(&mut |expr| self.expression(expr));
    }

    /// An expression that both sides have evaluated.
    pub fn expression(&mut self, expr: &Expr) {
        match expr {
            Expr::Constant(_) | Expr::Register(..) | Expr::Address(..) => {}
            Expr::Unary(op, operand) => {
                count(&mut self.operators, unary_kind(op));
                self.expression(operand);
            }
            Expr::Binary(op, left, right) => {
                count(&mut self.operators, binary_kind(op));
                self.expression(left);
                self.expression(right);
            }
            Expr::Convert(op, _, operand) => {
                count(&mut self.operators, conversion_kind(op));
                self.expression(operand);
            }
            Expr::IfThenElse(condition, then, otherwise) => {
                self.expression(condition);
                self.expression(then);
                self.expression(otherwise);
            }
        }
    }

    /// That the two sides agree, and that the symbolic side is silent in less than so many percent of what it could
    /// speak of.
    #[track_caller]
    pub fn agree(&self, silent: u64) {
        let first: Vec<&String> = self.differences.iter().take(8).collect();
        for difference in &first {
            eprintln!("{difference}\n");
        }
        assert!(first.is_empty(), "{} differences", self.differences.len());
        let unsupported: u64 = self.unsupported.values().sum();
        let (compared, odd): (u64, u64) = (self.outcomes.values().sum(), self.odd.values().sum());
        eprintln!("{self:#?}\n{compared} compared, {unsupported} not modelled by the twin alone, {odd} left out");
        assert!(unsupported * 100 < silent * (compared + unsupported), "too much is not modelled");
    }

    /// That everything has been compared so often.
    #[track_caller]
    pub fn demand_actions(&self, least: u64) {
        // The last is left out: an execution ends there, and a proof does not.
        demand(&self.actions, &ACTIONS[..ACTIONS.len() - 1], least);
        demand(&self.steps, &STEPS, least);
        demand(&self.undefined, &UNDEFINED, least);
        assert!(self.picks >= least, "one of several threads has been picked {} times", self.picks);
    }

    /// The same of operators.
    #[track_caller]
    pub fn demand_operators(&self, least: u64) {
        demand(&self.operators, &UNARIES, least);
        demand(&self.operators, &BINARIES, least);
        demand(&self.operators, &CONVERSIONS, least);
    }
}

#[track_caller]
fn demand<K: Ord + Debug>(counts: &BTreeMap<K, u64>, all: &[K], least: u64) {
    let rare: Vec<&K> = all.iter().filter(|key| counts.get(key).copied().unwrap_or(0) < least).collect();
    assert!(rare.is_empty(), "compared less than {least} times: {rare:?}");
}

fn add<K: Ord>(all: &mut BTreeMap<K, u64>, more: BTreeMap<K, u64>) {
    for (key, number) in more {
        *all.entry(key).or_default() += number;
    }
}

pub fn count<K: Ord>(all: &mut BTreeMap<K, u64>, key: K) {
    *all.entry(key).or_default() += 1;
}

/// What the semantics itself finds undefined; the rest stands in `Require`.
const UNDEFINED: [Undefined; 15] = [
    Undefined::NullDereference,
    Undefined::InvalidPointer,
    Undefined::OutOfBounds,
    Undefined::UseAfterFree,
    Undefined::UseAfterReturn,
    Undefined::Misaligned,
    Undefined::WriteToConstant,
    Undefined::DoubleFree,
    Undefined::InvalidFree,
    Undefined::DivisionByZero,
    Undefined::DivisionOverflow,
    Undefined::ShiftTooFar,
    Undefined::FloatOutOfRange,
    Undefined::BadCall,
    Undefined::BadThread,
];

/// A function from the variants of an enum to their names, and the list of all names: a new variant does not compile,
/// and what the list has is demanded.
macro_rules! names {
    ($function:ident, $list:ident, $count:literal, $enum:ident: $($variant:ident $pattern:tt),+ $(,)?) => {
        pub const $list: [&str; $count] = [$(stringify!($variant)),+];

        pub fn $function(value: &$enum) -> &'static str {
            match value {
                $(names!(@ $enum $variant $pattern) => stringify!($variant),)+
            }
        }
    };
    (@ $enum:ident $variant:ident ()) => { $enum::$variant };
    (@ $enum:ident $variant:ident (_)) => { $enum::$variant(_) };
    (@ $enum:ident $variant:ident (_, _)) => { $enum::$variant(_, _) };
    (@ $enum:ident $variant:ident { .. }) => { $enum::$variant { .. } };
}

names!(kind, ACTIONS, 23, Action: Assume(_), Assign { .. }, Load { .. }, Store { .. }, Atomic(_), Havoc { .. },
    Forget { .. }, EndLife { .. }, Spawn { .. }, ThreadExit { .. }, Exit { .. }, Allocate { .. }, Free { .. },
    Assert { .. }, Require { .. }, Call { .. }, Return { .. }, AtomicBegin(), AtomicEnd(), Fence(_), Output(_),
    Unsupported(_), Inexact(_));

names!(step_kind, STEPS, 9, AtomicStep: Read { .. }, Let { .. }, Guard(_), Spurious(), Require(_, _), Write { .. },
    PickThread { .. }, WriteThreads { .. }, Mark { .. });

names!(unary_kind, UNARIES, 5, UnaryOp: Negate(), Not(), FloatNegate(_), StartOf(), IsWithin());

names!(binary_kind, BINARIES, 23, BinaryOp: Add(), Subtract(), Multiply(), DivideUnsigned(), DivideSigned(),
    RemainderUnsigned(), RemainderSigned(), And(), Or(), Xor(), ShiftLeft(), ShiftRightUnsigned(), ShiftRightSigned(),
    Equal(), LessUnsigned(), LessSigned(), FloatAdd(_), FloatSubtract(_), FloatMultiply(_), FloatDivide(_),
    FloatEqual(_), FloatLess(_), FloatLessEqual(_));

names!(conversion_kind, CONVERSIONS, 8, Conversion: ZeroExtend(), SignExtend(), Truncate(), UnsignedToFloat(_),
    SignedToFloat(_), FloatToUnsigned(_), FloatToSigned(_), FloatToFloat(_));
