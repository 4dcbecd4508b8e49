//! Bytes, pointers kept whole, parts of pointers, indeterminate bytes, and what can be computed with pointers.

mod common;

use common::{go, main_only, register, status, unsupported};
use selvedge_program::assemble::{Assembly, Code, Reg, address, plain};
use selvedge_program::run::RunEnd;
use selvedge_program::semantics::{Answers, Byte, Instance, Outcome, Pointer, Question, Semantics, State, Value};
use selvedge_program::{
    Action, Base, BinaryOp, Bits, DataModel, EdgeId, Expr, FunctionId, InitialValue, Interpretation, ObjectId,
    ObjectKind, Program, Shape, ThreadIndex, UnaryOp, Undefined,
};

fn number(value: u128) -> Expr {
    Expr::constant(64, value)
}

/// The state after thread 0 has taken its first so many edges in order, without choices.
fn after(program: &Program, edges: usize) -> Result<State, Outcome> {
    let semantics = Semantics::new(program);
    let mut state = semantics.initial()?;
    for edge in 0..edges {
        (state, _) = semantics.step(&state, ThreadIndex(0), EdgeId::new(edge), &mut Answers::new(&[]))?;
    }
    Ok(state)
}

fn bytes_of(assembly: &mut Assembly, name: &str, size: u64) -> ObjectId {
    assembly.object(name, ObjectKind::Global, size, 16, Shape::Opaque)
}

#[test]
fn numbers_are_stored_least_significant_byte_first() {
    let mut assembly = Assembly::new();
    let x = bytes_of(&mut assembly, "x", 8);
    let program = main_only(assembly, |main| {
        let byte = main.register("", 8);
        main.store(plain(address(x), 4), Expr::constant(32, 0x1234_5678));
        main.load(byte, plain(address(x).plus(1), 1));
        main.ret(Expr::from(byte).resize_unsigned(32));
    });
    assert_eq!(status(&program), 0x56);
}

#[test]
fn a_pointer_copied_byte_by_byte_is_whole_again() {
    let mut assembly = Assembly::new();
    let (x, a, b) = (assembly.global("x", 4), bytes_of(&mut assembly, "a", 16), bytes_of(&mut assembly, "b", 16));
    let program = main_only(assembly, |main| {
        let (byte, pointer, value) = (main.register("", 8), main.register("p", 64), main.register("v", 32));
        main.store(plain(address(x), 4), Expr::constant(32, 42));
        main.store(plain(address(a), 8), address(x));
        for index in [3, 0, 7, 1, 2, 6, 4, 5] {
            main.load(byte, plain(address(a).plus(index), 1));
            main.store(plain(address(b).plus(8 + index), 1), byte);
        }
        main.load(pointer, plain(address(b).plus(8), 8));
        main.load(value, plain(pointer.into(), 4));
        main.ret(value);
    });
    assert_eq!(status(&program), 42);
    let state = after(&program, 18).expect("no step fails");
    assert_eq!(state.memory().block(Instance::Static(a)).map(|block| block.contents.byte(2)), {
        Some(Byte::Part(Pointer { object: Instance::Static(x), offset: 0 }, 2))
    });
}

#[test]
fn equal_contents_compare_and_hash_equal_however_they_came_about() {
    let build = |by_bytes: bool| {
        let mut assembly = Assembly::new();
        let (a, b) = (bytes_of(&mut assembly, "a", 8), bytes_of(&mut assembly, "b", 8));
        let program = main_only(assembly, |main| {
            let byte = main.register("", 8);
            main.store(plain(address(a), 8), address(b));
            main.store(plain(address(b), 8), address(b));
            if by_bytes {
                main.store(plain(address(b), 1), Expr::constant(8, 0));
                main.load(byte, plain(address(a), 1));
                main.store(plain(address(b), 1), byte);
            }
            main.ret(Expr::constant(32, 0));
        });
        after(&program, if by_bytes { 5 } else { 2 }).expect("no step fails").memory().clone()
    };
    assert_eq!(build(true), build(false));
}

#[test]
fn overwriting_part_of_a_pointer_leaves_raw_bytes() {
    let mut assembly = Assembly::new();
    let a = bytes_of(&mut assembly, "a", 16);
    let program = main_only(assembly, |main| {
        let (value, moved) = (main.register("p", 64), main.register("q", 64));
        main.store(plain(address(a), 8), address(a));
        main.store(plain(address(a).plus(2), 2), Expr::constant(16, 0xffff));
        main.load(value, plain(address(a), 8));
        main.assign(moved, Expr::binary(BinaryOp::Add, value.into(), number(1)));
        main.ret(Expr::constant(32, 0));
    });
    let state = after(&program, 3).expect("moving raw bytes is fine");
    let Some(Value::Raw(bytes)) = register(&state, 0) else { panic!("{:?}", register(&state, 0)) };
    assert_eq!(bytes[2], Byte::Known(0xff));
    assert!(matches!(bytes[4], Byte::Part(_, 4)));
    assert!(unsupported(&program).contains("part of a pointer"));
}

fn with_local(code: impl FnOnce(&mut Code, Expr, Reg)) -> Program {
    main_only(Assembly::new(), |main| {
        let local = main.local("x", 4, 4);
        let value = main.register("v", 32);
        code(main, local, value);
        main.ret(value);
    })
}

#[test]
fn indeterminate_bytes_ask_for_a_value() {
    let program = with_local(|main, local, value| {
        main.store(plain(local.clone().plus(1), 1), Expr::constant(8, 0xab));
        main.load(value, plain(local, 4));
    });
    let question = Question::Number { known: Bits::new(32, 0xab00), free: Bits::new(32, 0xffff_00ff) };
    assert_eq!(after(&program, 2), Err(Outcome::NeedsChoice(question)));
    let semantics = Semantics::new(&program);
    let state = after(&program, 1).expect("a store");
    let (thread, edge) = (ThreadIndex(0), EdgeId(1));
    let enabled = semantics.enabled(&state, thread);
    assert!(enabled.len() == 1 && enabled[0].needs_choice);
    let answer = [Value::bits(32, 0x1234_ab78)];
    let (next, effects) = semantics.step(&state, thread, edge, &mut Answers::new(&answer)).expect("admissible");
    assert_eq!(register(&next, 0), Some(answer[0].clone()));
    assert_eq!(effects.choices, answer);
    let wrong = [Value::bits(32, 0x1234_ac78)];
    let outcome = semantics.step(&state, thread, edge, &mut Answers::new(&wrong));
    assert!(matches!(outcome, Err(Outcome::Internal(_))), "the known byte is not up for choice");
    assert_eq!(status(&program), 0xab00);
}

#[test]
fn indeterminate_bytes_can_be_moved_without_a_choice() {
    let program = with_local(|main, local, value| {
        let access = plain(local.clone(), 4);
        main.then(Action::Load { target: value.0, access: access.clone(), interpretation: Interpretation::Raw });
        main.store(access, value);
    });
    let state = after(&program, 2).expect("no choice is needed");
    assert!(matches!(register(&state, 0), Some(Value::Raw(_))));
}

#[test]
fn a_declaration_reached_again_forgets_the_local() {
    let program = with_local(|main, local, value| {
        main.store(plain(local.clone(), 4), Expr::constant(32, 5));
        main.then(Action::Forget { object: selvedge_program::FrameObjectId(0) });
        main.load(value, plain(local, 4));
    });
    assert_eq!(after(&program, 3), Err(Outcome::NeedsChoice(Question::any(32))));
}

#[test]
fn static_initialisers_hold_numbers_and_addresses() {
    let mut assembly = Assembly::new();
    let x = assembly.global("x", 4);
    let table = bytes_of(&mut assembly, "table", 32);
    assembly.program.objects[x.index()].initial =
        vec![InitialValue { offset: 0, size: 4, value: Expr::signed(32, -9) }];
    assembly.program.objects[table.index()].initial = vec![
        InitialValue { offset: 8, size: 8, value: address(x) },
        InitialValue { offset: 16, size: 8, value: Expr::address(Base::Function(FunctionId(0)), 64) },
    ];
    let program = main_only(assembly, |main| {
        let (pointer, value) = (main.register("p", 64), main.register("v", 32));
        main.load(pointer, plain(address(table).plus(8), 8));
        main.load(value, plain(pointer.into(), 4));
        main.ret(value);
    });
    assert_eq!(status(&program), -9);
}

/// The value of an expression over a pointer `p` to byte 5 of an object aligned to 16, and `q` to another object.
fn pointer_expr(build: impl FnOnce(Expr, Expr) -> Expr) -> Result<Value, String> {
    let mut assembly = Assembly::new();
    let (object, other) = (bytes_of(&mut assembly, "buffer", 64), bytes_of(&mut assembly, "other", 64));
    let program = main_only(assembly, |main| {
        let (p, q) = (main.register("p", 64), main.register("q", 64));
        main.assign(p, address(object).plus(5));
        main.assign(q, address(other));
        let expr = build(p.into(), q.into());
        let target = main.register("result", expr.width());
        main.assign(target, expr);
        main.ret(Expr::constant(32, 0));
    });
    let state = after(&program, 3).map_err(|outcome| format!("{outcome:?}"))?;
    Ok(register(&state, 2).expect("assigned"))
}

fn at(offset: u64) -> Result<Value, String> {
    Ok(Value::Pointer(Pointer { object: Instance::Static(ObjectId(0)), offset }))
}

#[test]
fn tag_bits_below_the_alignment_are_exact() {
    let with = |op, constant: u128| pointer_expr(|p, _| Expr::binary(op, p, number(constant)));
    assert_eq!(with(BinaryOp::And, 7), Ok(Value::bits(64, 5)));
    assert_eq!(with(BinaryOp::And, !7), at(0));
    assert_eq!(with(BinaryOp::And, !1), at(4));
    assert_eq!(with(BinaryOp::Or, 2), at(7));
    assert_eq!(with(BinaryOp::Or, 1), at(5), "the bit is set already");
    assert_eq!(with(BinaryOp::Xor, 1), at(4));
    assert_eq!(with(BinaryOp::RemainderUnsigned, 16), Ok(Value::bits(64, 5)));
    for (op, constant) in [
        (BinaryOp::And, 0xff),
        (BinaryOp::And, 0xffff_ffff),
        (BinaryOp::Or, 16),
        (BinaryOp::Multiply, 3),
        (BinaryOp::RemainderUnsigned, 32),
        (BinaryOp::RemainderUnsigned, 10),
        (BinaryOp::ShiftRightUnsigned, 3),
    ] {
        let error = with(op, constant).expect_err("depends on the address");
        assert!(error.contains("the numeric address of `buffer`"), "{error}");
    }
}

#[test]
fn pointer_arithmetic_and_comparisons() {
    let truth = |value| Ok(Value::Bits(Bits::bool(value)));
    let binary = Expr::binary;
    assert_eq!(pointer_expr(|p, _| binary(BinaryOp::Subtract, p.clone(), p.plus(3))), {
        Ok(Value::Bits(Bits::signed(64, -3)))
    });
    assert_eq!(pointer_expr(|p, _| binary(BinaryOp::Add, number(2), p)), at(7));
    assert_eq!(pointer_expr(Expr::equal), truth(false));
    assert_eq!(pointer_expr(|p, _| Expr::equal(p.clone().plus(1), binary(BinaryOp::Or, p, number(2)))), truth(false));
    assert_eq!(pointer_expr(|p, _| p.is_true()), truth(true));
    assert_eq!(pointer_expr(|p, _| Expr::equal(p, number(5))), truth(false));
    assert_eq!(pointer_expr(|p, _| binary(BinaryOp::LessUnsigned, p.clone(), p.plus(1))), truth(true));
    assert_eq!(pointer_expr(|p, _| binary(BinaryOp::LessUnsigned, number(0), p)), truth(true));
    assert_eq!(pointer_expr(|p, _| binary(BinaryOp::LessUnsigned, p, number(u128::MAX))), truth(true));
    assert!(pointer_expr(|p, _| binary(BinaryOp::LessUnsigned, p, number(1 << 30))).is_err());
    assert!(pointer_expr(|p, _| p.resize_unsigned(32)).is_err());
    assert!(pointer_expr(|p, q| binary(BinaryOp::Add, p, q)).is_err());
    assert!(pointer_expr(|p, _| binary(BinaryOp::Subtract, number(0), p)).is_err());
}

#[test]
fn with_32_bit_pointers_offsets_wrap_at_32_bits_and_pointers_fit_in_wider_integers() {
    let mut assembly = Assembly::new();
    assembly.program.data_model = DataModel::Ilp32;
    let x = assembly.global("x", 4);
    let wide = assembly.global("wide", 8);
    let address = |object| Expr::address(Base::Object(object), 32);
    assembly.function("main", Some(32), |main| {
        let (p, integer, back) = (main.register("p", 32), main.register("i", 64), main.register("b", 64));
        main.assign(p, Expr::binary(BinaryOp::Subtract, address(x), Expr::constant(32, 4)));
        main.assign(p, Expr::binary(BinaryOp::Add, p.into(), Expr::constant(32, 4)));
        main.assign(integer, Expr::from(p).resize_unsigned(64));
        main.store(plain(address(wide), 8), integer);
        main.load(back, plain(address(wide), 8));
        main.assign(p, Expr::from(back).resize_unsigned(32));
        main.store(plain(p.into(), 4), Expr::constant(32, 11));
        let value = main.register("v", 32);
        main.load(value, plain(address(x), 4));
        main.ret(value);
    });
    assert_eq!(status(&assembly.finish()), 11);
}

#[test]
fn thread_local_objects_differ_between_threads() {
    let mut assembly = Assembly::new();
    let local = assembly.object("mine", ObjectKind::ThreadLocal, 4, 4, Shape::Opaque);
    assembly.program.objects[0].initial = vec![InitialValue { offset: 0, size: 4, value: Expr::constant(32, 1) }];
    assembly.function("main", Some(32), |main| {
        let (thread, value) = (main.register("t", 64), main.register("v", 32));
        main.store(plain(address(local), 4), Expr::constant(32, 2));
        main.spawn(thread, FunctionId(1), address(local));
        main.join(thread);
        main.load(value, plain(address(local), 4));
        main.ret(value);
    });
    assembly.function("worker", Some(64), |worker| {
        let (mains, value) = (worker.parameter("mains", 64), worker.register("v", 32));
        worker.load(value, plain(address(local), 4));
        worker.store(plain(mains.into(), 4), Expr::binary(BinaryOp::Add, value.into(), Expr::constant(32, 40)));
        worker.ret(number(0));
    });
    assert_eq!(status(&assembly.finish()), 41, "the worker's own is 1, and it wrote to main's");
}

#[test]
fn a_zero_sized_allocation_has_an_address_and_no_bytes() {
    let mut assembly = Assembly::new();
    let site = assembly.site();
    let program = main_only(assembly, |main| {
        let (p, q) = (main.register("p", 64), main.register("q", 64));
        main.malloc(p, 0, site);
        main.malloc(q, 0, site);
        let target = main.register("same", 1);
        main.assign(target, Expr::equal(p.into(), q.into()));
        main.then(Action::Free { address: p.into() });
        main.ret(Expr::from(target).resize_unsigned(32));
    });
    assert!(matches!(go(&program).end, RunEnd::Exit(status) if status.is_zero()));
}

#[test]
fn addresses_know_their_object_and_whether_they_are_within_it() {
    let mut assembly = Assembly::new();
    let x = assembly.global("x", 4);
    let program = main_only(assembly, |main| {
        let mut expect = |condition: Expr| main.then(Action::Require { condition, otherwise: Undefined::Unreachable });
        let start = |value: Expr| Expr::unary(UnaryOp::StartOf, value);
        let within = |value: Expr| Expr::unary(UnaryOp::IsWithin, value);
        let below = Expr::binary(BinaryOp::Subtract, address(x), Expr::constant(64, 1));
        for at in [address(x), address(x).plus(4), address(x).plus(100), below.clone()] {
            expect(Expr::binary(BinaryOp::Equal, start(at), address(x)));
        }
        expect(within(address(x)));
        expect(within(address(x).plus(4)));
        expect(within(address(x).plus(5)).not());
        expect(within(below).not());
        expect(Expr::binary(BinaryOp::Equal, start(Expr::constant(64, 77)), Expr::constant(64, 0)));
        expect(within(Expr::constant(64, 77)));
        main.ret(Expr::constant(32, 0));
    });
    assert_eq!(status(&program), 0);
}
