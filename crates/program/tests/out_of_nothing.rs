//! Values out of nothing: they stay what they turn out to be, and are addresses where that can be noticed.

use selvedge_program::addresses::{drop_dead_havocs, mark};
use selvedge_program::assemble::{Assembly, Code, Reg, address, atomic, plain};
use selvedge_program::semantics::{Answers, Instance, Outcome, Pointer, Question, Semantics, State, Value};
use selvedge_program::{
    Action, AtomicStep, BinaryOp, EdgeId, Expr, FrameObjectId, FunctionId, ObjectId, Program, RegisterId, ThreadIndex,
};

const MAIN: ThreadIndex = ThreadIndex(0);

/// `main` with two globals and a register that a havoc gives its value.
fn after_a_havoc(code: impl FnOnce(&mut Code, Reg, ObjectId, ObjectId)) -> Program {
    let mut assembly = Assembly::new();
    let (x, y) = (assembly.global("x", 8), assembly.global("y", 8));
    assembly.function("main", Some(32), |main| {
        let value = main.register("v", 64);
        main.then(Action::Havoc { target: value.0 });
        code(main, value, x, y);
        main.ret(Expr::constant(32, 0));
    });
    let mut program = assembly.program;
    mark(&mut program);
    program
}

fn is_marked(program: &Program, register: u32) -> bool {
    program.function(FunctionId(0)).register(RegisterId(register)).may_be_address
}

#[test]
fn numbers_stay_numbers() {
    let program = after_a_havoc(|main, value, x, _| {
        main.store(plain(address(x), 8), value);
        main.branch(Expr::equal(value.into(), Expr::constant(64, 5)));
    });
    assert!(!is_marked(&program, 0), "it meets no address");
}

#[test]
fn what_is_used_as_an_address_may_be_one() {
    let program = after_a_havoc(|main, value, _, _| {
        main.store(plain(value.into(), 8), Expr::constant(64, 5));
    });
    assert!(is_marked(&program, 0), "it is dereferenced");
}

#[test]
fn what_is_compared_with_an_address_may_be_one() {
    let program = after_a_havoc(|main, value, x, _| {
        main.branch(Expr::equal(value.into(), address(x)));
    });
    assert!(is_marked(&program, 0), "it is compared with one");
}

#[test]
fn what_is_compared_with_what_may_be_an_address_may_be_one() {
    let program = after_a_havoc(|main, value, x, _| {
        let other = main.register("w", 64);
        main.then(Action::Havoc { target: other.0 });
        main.branch(Expr::equal(value.into(), address(x)));
        main.branch(Expr::equal(value.into(), other.into()));
    });
    assert!(is_marked(&program, 1), "it may have to equal the other");
}

#[test]
fn addresses_flow_through_variables() {
    let program = after_a_havoc(|main, value, x, y| {
        let (loaded, number) = (main.register("w", 64), main.register("n", 64));
        main.store(plain(address(x), 8), value);
        main.load(loaded, plain(address(x), 8));
        main.branch(Expr::equal(loaded.into(), address(y)));
        main.then(Action::Havoc { target: number.0 });
        main.branch(Expr::equal(number.into(), Expr::constant(64, 1)));
    });
    assert!(is_marked(&program, 0), "it is stored, loaded and compared");
    assert!(!is_marked(&program, 2), "that has nothing to do with it");
}

#[test]
fn an_address_is_one_that_is_there() {
    let program = after_a_havoc(|main, value, x, _| {
        main.branch(Expr::equal(value.into(), address(x)));
    });
    let semantics = Semantics::new(&program);
    let state = semantics.initial().expect("it starts");
    let answered = |value: Value| semantics.step(&state, MAIN, EdgeId(0), &mut Answers::new(&[value])).map(|_| ());
    let pointer = |object, offset| Value::Pointer(Pointer { object, offset });
    let x = Instance::Static(ObjectId(0));
    let question = Question::Address { width: 64 };
    let unanswered = semantics.step(&state, MAIN, EdgeId(0), &mut Answers::new(&[])).map(|_| ());
    assert_eq!(unanswered, Err(Outcome::NeedsChoice(question)));
    for fine in [Value::bits(64, 0), Value::bits(64, 77), pointer(x, 0), pointer(x, 8)] {
        assert_eq!(answered(fine.clone()), Ok(()), "{fine:?}");
    }
    let heap = Instance::Heap { thread: MAIN, serial: 0 };
    for wrong in [pointer(x, 9), pointer(heap, 0), Value::bits(32, 0)] {
        assert!(matches!(answered(wrong.clone()), Err(Outcome::Internal(_))), "{wrong:?}");
    }
    let guesses = state.guesses(&program, 100);
    // Two globals of eight bytes, and the thread's own object.
    assert!(guesses.are_all);
    assert_eq!(guesses.values.len(), 2 * 9 + 1);
    let some = state.guesses(&program, 2);
    assert!(!some.are_all);
    assert_eq!(some.values, [pointer(x, 0), pointer(Instance::Static(ObjectId(1)), 0)]);
}

/// `main` with a local of four bytes that was never written.
fn with_local(code: impl FnOnce(&mut Code, Expr)) -> Program {
    let mut assembly = Assembly::new();
    assembly.function("main", Some(32), |main| {
        let local = main.local("x", 4, 4);
        code(main, local);
        main.ret(Expr::constant(32, 0));
    });
    assembly.program
}

fn register(state: &State, register: usize) -> Option<Value> {
    state.frame(MAIN)?.registers[register].clone()
}

#[test]
fn indeterminate_bytes_stay_what_they_turn_out_to_be() {
    let program = with_local(|main, local| {
        let (first, second) = (main.register("a", 32), main.register("b", 8));
        main.load(first, plain(local.clone(), 4));
        main.load(second, plain(local.clone().plus(1), 1));
        main.then(Action::Forget { object: FrameObjectId(0) });
        main.load(first, plain(local, 4));
    });
    let semantics = Semantics::new(&program);
    let state = semantics.initial().expect("it starts");
    let step = |state: &State, edge, answers: &[Value]| {
        semantics.step(state, MAIN, EdgeId(edge), &mut Answers::new(answers)).map(|(next, _)| next)
    };
    let state = step(&state, 0, &[Value::bits(32, 0x0102_0304)]).expect("a load");
    let state = step(&state, 1, &[]).expect("a load that asks nothing");
    assert_eq!(register(&state, 1), Some(Value::bits(8, 3)));
    let state = step(&state, 2, &[]).expect("the declaration is reached again");
    assert_eq!(step(&state, 3, &[]).map(|_| ()), Err(Outcome::NeedsChoice(Question::any(32))));
}

#[test]
fn an_update_that_waits_settles_nothing() {
    let program = with_local(|main, local| {
        let value = main.register("v", 32);
        let read = AtomicStep::Read { target: value.0, access: atomic(local.clone(), 4) };
        let guard = AtomicStep::Guard(Expr::equal(value.into(), Expr::constant(32, 1)));
        main.then(Action::Atomic(vec![read, guard]));
        main.load(value, plain(local, 4));
    });
    let semantics = Semantics::new(&program);
    let before = semantics.initial().expect("it starts");
    let mut state = before.clone();
    let take = |state: &mut State, value: u128| {
        let answers = [Value::bits(32, value)];
        semantics.apply(state, MAIN, EdgeId(0), &mut Answers::new(&answers), &mut selvedge_program::semantics::Silent)
    };
    assert_eq!(take(&mut state, 0), Err(Outcome::Disabled));
    assert_eq!(state, before);
    assert_eq!(take(&mut state, 1), Ok(()));
    let (state, _) = semantics.step(&state, MAIN, EdgeId(1), &mut Answers::new(&[])).expect("nothing is asked");
    assert_eq!(register(&state, 0), Some(Value::bits(32, 1)));
}

#[test]
fn dead_havocs_go() {
    let mut assembly = Assembly::new();
    assembly.function("main", Some(32), |main| {
        let (dead, live) = (main.register("a", 32), main.register("b", 32));
        main.then(Action::Havoc { target: dead.0 });
        main.then(Action::Havoc { target: live.0 });
        main.assign(dead, Expr::constant(32, 1));
        main.ret(Expr::binary(BinaryOp::Add, dead.into(), live.into()));
    });
    let mut program = assembly.program;
    drop_dead_havocs(&mut program.functions[0]);
    let actions: Vec<bool> =
        program.functions[0].edges.iter().map(|edge| matches!(edge.action, Action::Havoc { .. })).collect();
    assert_eq!(actions, [false, true, false, false]);
}
