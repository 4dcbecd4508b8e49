//! Programs that are not well-formed are told so.

mod common;

use selvedge_program::assemble::{Assembly, Code, address, plain};
use selvedge_program::{
    Action, AtomicStep, Base, Callee, CheckId, Expr, FrameObjectId, FunctionId, InitialValue, LocationId, ObjectId,
    ObjectKind, Program, RegisterId, Shape,
};

fn zero() -> Expr {
    Expr::constant(32, 0)
}

/// The complaints about a program whose `main` does this and returns.
fn problems<R>(code: impl FnOnce(&mut Code) -> R) -> Vec<String> {
    let mut assembly = Assembly::new();
    assembly.global("x", 4);
    assembly.function("main", Some(32), |main| {
        code(main);
        main.ret(zero());
    });
    assembly.program.validate().err().unwrap_or_default()
}

#[track_caller]
fn complains<R>(expected: &str, code: impl FnOnce(&mut Code) -> R) {
    let problems = problems(code);
    assert!(problems.iter().any(|problem| problem.contains(expected)), "{expected}: {problems:?}");
}

#[test]
fn a_well_formed_program_passes() {
    assert_eq!(
        problems(|main| {
            let value = main.register("v", 32);
            main.load(value, plain(address(ObjectId(0)), 4));
            main.store(plain(address(ObjectId(0)), 4), value);
        }),
        Vec::<String>::new()
    );
}

#[test]
fn indices_must_be_in_range() {
    complains("there is no r7", |main| main.then(Action::Havoc { target: RegisterId(7) }));
    complains("there is no o9", |main| {
        let p = main.register("p", 64);
        main.assign(p, address(ObjectId(9)));
    });
    complains("there is no s2", |main| main.then(Action::Forget { object: FrameObjectId(2) }));
    complains("there is no f5", |main| {
        let (callee, arguments) = (Callee::Direct(FunctionId(5)), vec![]);
        main.then(Action::Call { target: None, callee, arguments });
    });
    complains("there is no check3", |main| main.assert(Expr::truth(), CheckId(3)));
    complains("there is no L99", |main| main.edge(LocationId(0), LocationId(99), Action::AtomicBegin));
    complains("there is no site0", |main| {
        let p = main.register("p", 64);
        main.malloc(p, 1, selvedge_program::SiteId(0));
    });
}

#[test]
fn widths_must_fit() {
    complains("an assigned value has width 32 instead of 64", |main| {
        let p = main.register("p", 64);
        main.then(Action::Assign { target: p.0, value: zero() });
    });
    complains("the target of a load has width 32 instead of 64", |main| {
        let v = main.register("v", 32);
        main.load(v, plain(address(ObjectId(0)), 8));
    });
    complains("a stored value has width 8 instead of 32", |main| {
        main.store(plain(address(ObjectId(0)), 4), Expr::constant(8, 1));
    });
    complains("an address has width 32 instead of 64", |main| main.store(plain(zero(), 4), zero()));
    complains("a condition has width 32 instead of 1", |main| main.then(Action::Assume(zero())));
    complains("r0 in an expression has width 16 instead of 32", |main| {
        let v = main.register("v", 32);
        main.then(Action::Assume(Expr::Register(v.0, 16).is_true()));
    });
    complains("the right operand of Add has width 8 instead of 32", |main| {
        let v = main.register("v", 32);
        let (left, right) = (Box::new(Expr::from(v)), Box::new(Expr::constant(8, 1)));
        main.assign(v, Expr::Binary(selvedge_program::BinaryOp::Add, left, right));
    });
    complains("Truncate from 32 to 64 bits", |main| {
        let (v, w) = (main.register("v", 32), main.register("w", 64));
        let operand = Box::new(Expr::from(v));
        main.assign(w, Expr::Convert(selvedge_program::Conversion::Truncate, 64, operand));
    });
    complains("a result has width 64 instead of 32", |main| main.ret(Expr::constant(64, 0)));
}

#[test]
fn expressions_must_not_be_too_deep() {
    let nested = |depth: usize| {
        let start = Expr::constant(32, 1);
        let negate = |inner, _| Expr::Unary(selvedge_program::UnaryOp::Negate, Box::new(inner));
        (1..depth).fold(start, negate)
    };
    let assign = |depth| {
        problems(|main| {
            let v = main.register("v", 32);
            main.assign(v, nested(depth));
        })
    };
    assert_eq!(assign(Expr::DEEPEST), Vec::<String>::new());
    assert_eq!(assign(Expr::DEEPEST + 1).len(), 1);
}

#[test]
fn calls_must_fit_their_function() {
    complains("1 arguments for the 0 parameters of `main`", |main| {
        let (callee, arguments) = (Callee::Direct(FunctionId(0)), vec![zero()]);
        main.then(Action::Call { target: None, callee, arguments });
    });
    complains("a result of Some(32) bits goes to 64 bits", |main| {
        let p = main.register("p", 64);
        let (callee, arguments) = (Callee::Direct(FunctionId(0)), vec![]);
        main.then(Action::Call { target: Some(p.0), callee, arguments });
    });
}

#[test]
fn automata_must_hang_together() {
    complains("L2 can be reached, but no edge leaves it", |main| {
        let otherwise = main.branch(Expr::equal(Expr::Register(RegisterId(0), 32), zero()));
        main.at(otherwise);
    });
    complains("its source does not list it", |main| {
        let edge = main.then(Action::AtomicBegin);
        main.function.locations[0].outgoing.retain(|listed| *listed != edge);
    });
    complains("lists e0, which does not leave it", |main| {
        let edge = main.then(Action::AtomicBegin);
        main.function.locations[1].outgoing.push(edge);
    });
    complains("a guard after a write", |main| {
        let access = plain(address(ObjectId(0)), 4);
        let write = AtomicStep::Write { when: Expr::truth(), access, value: zero() };
        main.then(Action::Atomic(vec![write, AtomicStep::Guard(Expr::truth())]));
    });
}

fn with_object(change: impl FnOnce(&mut Program)) -> Vec<String> {
    let mut assembly = Assembly::new();
    assembly.object("x", ObjectKind::Global, 4, 4, Shape::Opaque);
    assembly.function("main", Some(32), |main| main.ret(zero()));
    change(&mut assembly.program);
    assembly.program.validate().err().unwrap_or_default()
}

#[test]
fn tables_must_be_consistent() {
    assert_eq!(with_object(|_| {}), Vec::<String>::new());
    let initial = |offset, value| {
        with_object(|program| program.objects[0].initial = vec![InitialValue { offset, size: 4, value }])
    };
    assert_eq!(initial(0, zero()), Vec::<String>::new());
    assert_eq!(initial(1, zero()).len(), 1, "outside of the object");
    assert_eq!(initial(0, Expr::constant(8, 0)).len(), 1, "too narrow");
    assert_eq!(initial(0, Expr::Register(RegisterId(0), 32)).len(), 1, "no constant");
    assert_eq!(initial(0, Expr::address(Base::SelfThread, 32)).len(), 1, "no constant either");
    assert_eq!(with_object(|program| program.objects[0].align = 3).len(), 1);
    assert_eq!(with_object(|program| program.entries.clear()), ["there is no main function"]);
    assert_eq!(with_object(|program| program.address_taken.push(FunctionId(4))).len(), 1);
}
