//! Choices: enumerated where that is possible, told apart where it matters, cut off by name otherwise.

mod common;

use common::{go, int, summary};
use selvedge_explicit::{Exploration, Gap, Options, Reductions, Subject, explore};
use selvedge_program::assemble::{Assembly, Code, Reg, address, plain};
use selvedge_program::{Action, BinaryOp, Budget, CheckId, Expr, ObjectId, Program, Quiet, Span};

/// `main` takes any 32-bit number and does something with it.
fn with_number(code: impl FnOnce(&mut Code, Reg, ObjectId)) -> Program {
    let mut assembly = Assembly::new();
    let variable = assembly.global("x", 4);
    assembly.check("first");
    assembly.check("second");
    assembly.function("main", Some(32), |main| {
        let number = main.register("n", 32);
        main.then(Action::Havoc { target: number.0 });
        code(main, number, variable);
        main.ret(int(0));
    });
    assembly.finish()
}

fn less(left: impl Into<Expr>, right: impl Into<Expr>) -> Expr {
    Expr::binary(BinaryOp::LessSigned, left.into(), right.into())
}

const FIRST: CheckId = CheckId(0);
const SECOND: CheckId = CheckId(1);

fn all(program: &Program) -> Exploration {
    let exploration = go(program, Reductions::ALL);
    assert_eq!(summary(&exploration), summary(&go(program, Reductions::NONE)));
    exploration
}

fn violated(exploration: &Exploration) -> Vec<Subject> {
    summary(exploration).0.into_iter().collect()
}

#[test]
fn a_condition_splits_the_values() {
    let program = with_number(|main, number, _| {
        let otherwise = main.branch(Expr::equal(number.into(), int(123_456)));
        main.assert(Expr::falsehood(), FIRST);
        main.goto(otherwise);
        main.at(otherwise);
        let end = main.branch(less(number, int(7)).and(less(int(7), number)));
        main.assert(Expr::falsehood(), SECOND);
        main.goto(end);
        main.at(end);
    });
    let exploration = all(&program);
    assert_eq!(violated(&exploration), [Subject::Assertion(FIRST)]);
    assert!(exploration.is_complete(), "{:?}", exploration.gaps);
}

#[test]
fn an_assumption_leaves_few_values() {
    let program = with_number(|main, number, variable| {
        let least = Expr::signed(32, -3);
        main.then(Action::Assume(less(number, least.clone()).not()));
        main.then(Action::Assume(less(number, int(4))));
        main.store(plain(address(variable), 4), number);
        main.load(number, plain(address(variable), 4));
        main.assert(less(number, int(4)), FIRST);
        main.assert(Expr::equal(number.into(), Expr::signed(32, -2)).not(), SECOND);
    });
    let exploration = all(&program);
    assert_eq!(violated(&exploration), [Subject::Assertion(SECOND)]);
    assert!(exploration.is_complete(), "{:?}", exploration.gaps);
    assert!(go(&program, Reductions::NONE).statistics.transitions >= 7);
}

#[test]
fn a_call_is_followed() {
    let mut assembly = Assembly::new();
    assembly.check("reached");
    let helper = selvedge_program::FunctionId(1);
    assembly.function("main", Some(32), |main| {
        let number = main.register("n", 32);
        main.then(Action::Havoc { target: number.0 });
        let arguments = vec![less(number, int(10)).resize_unsigned(32)];
        let callee = selvedge_program::Callee::Direct(helper);
        main.then(Action::Call { target: None, callee: callee.clone(), arguments });
        let arguments = vec![less(int(8), number).resize_unsigned(32)];
        main.then(Action::Call { target: None, callee, arguments });
        main.assert(Expr::equal(number.into(), int(9)), FIRST);
        main.ret(int(0));
    });
    assembly.function("abort_unless", None, |helper| {
        let condition = helper.parameter("condition", 32);
        let otherwise = helper.branch(Expr::from(condition).is_true());
        helper.then(Action::Return { value: None });
        helper.at(otherwise);
        helper.then(Action::Exit { status: int(1) });
    });
    let program = assembly.finish();
    let exploration = all(&program);
    assert!(exploration.violations.is_empty() && exploration.is_complete(), "{exploration:?}");
}

#[test]
fn a_value_that_stays_is_cut_off_but_tried() {
    let program = with_number(|main, number, variable| {
        main.store(plain(address(variable), 4), number);
        main.load(number, plain(address(variable), 4));
        main.assert(less(number, int(0)).not(), FIRST);
        main.assert(Expr::equal(number.into(), int(77)).not(), SECOND);
    });
    let exploration = all(&program);
    assert_eq!(violated(&exploration), [Subject::Assertion(FIRST)]);
    assert_eq!(exploration.gaps, [Gap::Choice { span: Span::NOWHERE, bits: 32, sampled: true }]);
    let options = Options { sample: false, ..Options::default() };
    let exploration = explore(&program, &options, &Budget::unlimited(), &mut Quiet).expect("no internal error");
    assert!(exploration.violations.is_empty());
    assert_eq!(exploration.gaps, [Gap::Choice { span: Span::NOWHERE, bits: 32, sampled: false }]);
}

#[test]
fn undefined_values_are_not_represented_away() {
    let program = with_number(|main, number, _| {
        let quotient = main.register("q", 32);
        main.then(Action::Assume(Expr::binary(BinaryOp::LessUnsigned, number.into(), int(3))));
        main.assign(quotient, Expr::binary(BinaryOp::DivideUnsigned, int(6), number.into()));
    });
    let exploration = all(&program);
    assert!(matches!(violated(&exploration)[..], [Subject::Memory(..)]), "{exploration:?}");
    assert!(exploration.is_complete());
}

#[test]
fn impossible_assumptions_leave_nothing() {
    let program = with_number(|main, number, _| {
        main.then(Action::Assume(less(number, int(0)).and(less(int(5), number))));
        main.assert(Expr::falsehood(), FIRST);
    });
    let exploration = all(&program);
    assert!(exploration.violations.is_empty() && exploration.is_complete(), "{exploration:?}");
}
