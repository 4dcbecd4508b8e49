//! Every kind of undefined behaviour that the semantics itself raises, one program each.

mod common;

use common::{go, main_only, status, undefined, unsupported};
use selvedge_program::assemble::{Assembly, Code, address, atomic, ghost, plain};
use selvedge_program::run::RunEnd;
use selvedge_program::semantics::{Instance, Outcome, Pointer, Value};
use selvedge_program::{
    Action, AtomicStep, Base, BinaryOp, Callee, Conversion, Expr, FloatFormat, FunctionId, GhostField, InitialContents,
    ObjectKind, Shape, Storage, Undefined,
};

fn number(value: u128) -> Expr {
    Expr::constant(64, value)
}

fn zero() -> Expr {
    Expr::constant(32, 0)
}

/// The undefinedness of a program whose `main` does this and returns.
#[track_caller]
fn undefined_in<R>(code: impl FnOnce(&mut Code) -> R) -> Undefined {
    let mut assembly = Assembly::new();
    assembly.site();
    undefined(&main_only(assembly, |main| {
        code(main);
        main.ret(zero());
    }))
}

fn load_from(address: Expr) -> Undefined {
    undefined_in(|main| {
        let target = main.register("", 32);
        main.load(target, plain(address, 4));
    })
}

#[test]
fn null_and_what_is_near_it() {
    assert_eq!(load_from(number(0)), Undefined::NullDereference);
    assert_eq!(load_from(number(4092)), Undefined::NullDereference);
}

#[test]
fn numbers_functions_and_threads_have_no_bytes() {
    assert_eq!(load_from(number(4096)), Undefined::InvalidPointer);
    assert_eq!(load_from(number(u64::MAX.into())), Undefined::InvalidPointer);
    assert_eq!(load_from(Expr::address(Base::Function(FunctionId(0)), 64)), Undefined::InvalidPointer);
    assert_eq!(load_from(Expr::address(Base::SelfThread, 64)), Undefined::InvalidPointer);
}

#[test]
fn out_of_bounds_names_object_and_offset() {
    let mut assembly = Assembly::new();
    let x = assembly.global("x", 4);
    let program = main_only(assembly, |main| {
        main.store(plain(address(x).plus(4), 4), zero());
        main.ret(zero());
    });
    let RunEnd::Outcome { outcome: Outcome::Undefined(Undefined::OutOfBounds, Some(culprit)), .. } = go(&program).end
    else {
        panic!("{:?}", go(&program).end);
    };
    assert_eq!(culprit.address, Value::Pointer(Pointer { object: Instance::Static(x), offset: 4 }));
    assert_eq!(culprit.size, 4);
}

#[test]
fn before_the_start_is_out_of_bounds_too() {
    let mut assembly = Assembly::new();
    let x = assembly.global("x", 4);
    let program = main_only(assembly, |main| {
        let target = main.register("", 32);
        main.load(target, plain(Expr::binary(BinaryOp::Subtract, address(x), number(4)), 4));
        main.ret(zero());
    });
    assert_eq!(undefined(&program), Undefined::OutOfBounds);
}

#[test]
fn use_after_free_and_double_free() {
    let freed = |code: &mut Code| {
        let pointer = code.register("p", 64);
        code.malloc(pointer, 8, selvedge_program::SiteId(0));
        code.then(Action::Free { address: pointer.into() });
        pointer
    };
    assert_eq!(
        undefined_in(|main| {
            let pointer = freed(main);
            main.store(plain(pointer.into(), 4), zero());
        }),
        Undefined::UseAfterFree
    );
    assert_eq!(
        undefined_in(|main| {
            let pointer = freed(main);
            main.then(Action::Free { address: pointer.into() });
        }),
        Undefined::DoubleFree
    );
    assert_eq!(
        undefined_in(|main| {
            let pointer = freed(main);
            main.lock(pointer.into());
        }),
        Undefined::UseAfterFree,
        "ghost fields die with their object"
    );
}

#[test]
fn invalid_free() {
    assert_eq!(
        undefined_in(|main| {
            let pointer = main.register("p", 64);
            main.malloc(pointer, 8, selvedge_program::SiteId(0));
            main.then(Action::Free { address: Expr::from(pointer).plus(4) });
        }),
        Undefined::InvalidFree
    );
    assert_eq!(
        undefined_in(|main| {
            let local = main.local("x", 4, 4);
            main.then(Action::Free { address: local });
        }),
        Undefined::InvalidFree
    );
    assert_eq!(undefined_in(|main| main.then(Action::Free { address: number(8) })), Undefined::InvalidFree);
}

#[test]
fn freeing_null_is_fine() {
    let program = main_only(Assembly::new(), |main| {
        main.then(Action::Free { address: number(0) });
        main.ret(Expr::constant(32, 3));
    });
    assert_eq!(status(&program), 3);
}

#[test]
fn locals_and_stack_allocations_die_on_return() {
    for storage in [None, Some(Storage::Stack), Some(Storage::Heap)] {
        let mut assembly = Assembly::new();
        let site = assembly.site();
        assembly.function("main", Some(32), |main| {
            let pointer = main.register("p", 64);
            let (target, callee) = (Some(pointer.0), Callee::Direct(FunctionId(1)));
            main.then(Action::Call { target, callee, arguments: vec![] });
            main.store(plain(pointer.into(), 4), zero());
            main.ret(zero());
        });
        assembly.function("leak", Some(64), |leak| {
            let local = leak.local("x", 4, 4);
            let Some(storage) = storage else {
                leak.ret(local);
                return;
            };
            let pointer = leak.register("p", 64);
            let (size, contents) = (number(4), InitialContents::Zero);
            leak.then(Action::Allocate { target: pointer.0, size, align: 16, storage, contents, site });
            leak.ret(pointer);
        });
        let program = assembly.finish();
        if storage == Some(Storage::Heap) {
            assert_eq!(status(&program), 0);
        } else {
            assert_eq!(undefined(&program), Undefined::UseAfterReturn);
        }
    }
}

#[test]
fn misaligned() {
    let access = |offset: u64, align: u32| {
        let mut assembly = Assembly::new();
        let bytes = assembly.object("bytes", ObjectKind::Global, 16, align, Shape::Opaque);
        go(&main_only(assembly, |main| {
            main.store(plain(address(bytes).plus(offset), 4), zero());
            main.ret(zero());
        }))
        .end
    };
    assert!(matches!(access(4, 4), RunEnd::Exit(_)));
    assert!(matches!(access(2, 4), RunEnd::Outcome { outcome: Outcome::Undefined(Undefined::Misaligned, _), .. }));
    assert!(matches!(access(4, 1), RunEnd::Outcome { outcome: Outcome::Undefined(Undefined::Misaligned, _), .. }));
}

#[test]
fn write_to_constant() {
    let mut assembly = Assembly::new();
    let text = assembly.object("text", ObjectKind::Constant, 4, 1, Shape::Opaque);
    let program = main_only(assembly, |main| {
        let byte = main.register("", 8);
        main.load(byte, plain(address(text), 1));
        main.store(plain(address(text), 1), byte);
        main.ret(zero());
    });
    assert_eq!(undefined(&program), Undefined::WriteToConstant);
}

fn evaluate(expr: Expr) -> Undefined {
    undefined_in(|main| {
        let target = main.register("", expr.width());
        main.assign(target, expr);
    })
}

#[test]
fn arithmetic() {
    let int = |value| Expr::signed(32, value);
    let binary = |op, left, right| evaluate(Expr::binary(op, left, right));
    assert_eq!(binary(BinaryOp::DivideSigned, int(1), int(0)), Undefined::DivisionByZero);
    assert_eq!(binary(BinaryOp::RemainderUnsigned, int(1), int(0)), Undefined::DivisionByZero);
    assert_eq!(binary(BinaryOp::DivideSigned, int(i32::MIN.into()), int(-1)), Undefined::DivisionOverflow);
    assert_eq!(binary(BinaryOp::RemainderSigned, int(i32::MIN.into()), int(-1)), Undefined::DivisionOverflow);
    assert_eq!(binary(BinaryOp::ShiftLeft, int(1), int(32)), Undefined::ShiftTooFar);
    assert_eq!(binary(BinaryOp::ShiftRightSigned, int(1), int(-1)), Undefined::ShiftTooFar);
    let huge = Expr::Constant(selvedge_program::Bits::from_f64(1e10));
    let conversion = Conversion::FloatToSigned(FloatFormat::F64);
    assert_eq!(evaluate(Expr::convert(conversion, 32, huge)), Undefined::FloatOutOfRange);
}

#[test]
fn unrelated_pointers_have_no_order_we_know_of() {
    for op in [BinaryOp::LessUnsigned, BinaryOp::Subtract] {
        let mut assembly = Assembly::new();
        let (x, y) = (assembly.global("x", 4), assembly.global("y", 4));
        let expr = Expr::binary(op, address(x), address(y));
        let program = main_only(assembly, |main| {
            let target = main.register("", expr.width());
            main.assign(target, expr);
            main.ret(zero());
        });
        assert_eq!(unsupported(&program), "a value that depends on the numeric address of `y`");
    }
}

#[test]
fn bad_calls() {
    let call = |callee: Expr, arguments: Vec<Expr>, target_width: Option<u32>| {
        let mut assembly = Assembly::new();
        assembly.function("main", Some(32), |main| {
            let target = target_width.map(|width| main.register("", width).0);
            main.then(Action::Call { target, callee: Callee::Indirect(callee), arguments });
            main.ret(zero());
        });
        assembly.function("callee", Some(32), |callee| {
            callee.parameter("x", 32);
            callee.ret(Expr::constant(32, 7));
        });
        go(&assembly.finish()).end
    };
    let callee = || Expr::address(Base::Function(FunctionId(1)), 64);
    assert!(matches!(call(callee(), vec![zero()], Some(32)), RunEnd::Exit(_)));
    for (callee, arguments, target) in [
        (number(0), vec![zero()], None),
        (callee().plus(1), vec![zero()], None),
        (callee(), vec![], None),
        (callee(), vec![number(1)], None),
        (callee(), vec![zero()], Some(64)),
    ] {
        let end = call(callee, arguments, target);
        let bad = matches!(end, RunEnd::Outcome { outcome: Outcome::Undefined(Undefined::BadCall, _), .. });
        assert!(bad, "{end:?}");
    }
}

#[test]
fn missing_return() {
    let mut assembly = Assembly::new();
    assembly.function("main", Some(32), |main| {
        let target = main.register("x", 32);
        main.then(Action::Call { target: None, callee: Callee::Direct(FunctionId(1)), arguments: vec![] });
        main.then(Action::Call { target: Some(target.0), callee: Callee::Direct(FunctionId(1)), arguments: vec![] });
        main.ret(zero());
    });
    assembly.function("none", Some(32), |none| none.then(Action::Return { value: None }));
    let program = assembly.finish();
    assert_eq!(undefined(&program), Undefined::MissingReturn);
    assert_eq!(go(&program).steps, 3, "the first call, whose result nobody uses, is fine");
}

#[test]
fn what_the_lowering_requires() {
    let require =
        |otherwise| undefined_in(|main| main.then(Action::Require { condition: Expr::falsehood(), otherwise }));
    for undefined in [Undefined::Unreachable, Undefined::BadArgument, Undefined::UseAfterDestroy] {
        assert_eq!(require(undefined), undefined);
    }
    let step = AtomicStep::Require(Expr::falsehood(), Undefined::DestroyInUse);
    assert_eq!(undefined_in(|main| main.then(Action::Atomic(vec![step]))), Undefined::DestroyInUse);
}

#[test]
fn unlock_not_held() {
    let mut assembly = Assembly::new();
    let mutex = assembly.global("m", 8);
    let program = main_only(assembly, |main| {
        main.lock(address(mutex));
        main.unlock(address(mutex));
        main.unlock(address(mutex));
        main.ret(zero());
    });
    assert_eq!(undefined(&program), Undefined::UnlockNotHeld);
    assert_eq!(go(&program).steps, 2);
}

#[test]
fn joining_no_thread() {
    for thread in [number(0), number(77)] {
        let end = undefined_in(|main| {
            let register = main.register("t", 64);
            main.assign(register, thread);
            main.join(register);
        });
        assert_eq!(end, Undefined::BadThread);
    }
}

#[test]
fn ghost_fields_need_a_live_object_and_an_address_within_it() {
    let lock = |mutex: Expr| undefined_in(|main| main.lock(mutex));
    assert_eq!(lock(number(0)), Undefined::NullDereference);
    assert_eq!(lock(number(1 << 20)), Undefined::InvalidPointer);
    let past_end = undefined_in(|main| {
        let local = main.local("m", 8, 8);
        main.lock(local.plus(8));
    });
    assert_eq!(past_end, Undefined::OutOfBounds);
}

#[test]
fn sizes_of_objects_can_be_asked() {
    let mut assembly = Assembly::new();
    let site = assembly.site();
    let program = main_only(assembly, |main| {
        let (pointer, size) = (main.register("p", 64), main.register("size", 64));
        main.malloc(pointer, 24, site);
        let place = ghost(Expr::from(pointer).plus(24), GhostField::ObjectSize);
        main.then(Action::Atomic(vec![AtomicStep::Read { target: size.0, access: place }]));
        main.ret(Expr::from(size).resize_unsigned(32));
    });
    assert_eq!(status(&program), 24);
}

#[test]
fn absurd_allocations_and_recursion_are_unsupported() {
    let mut assembly = Assembly::new();
    let site = assembly.site();
    let program = main_only(assembly, |main| {
        let pointer = main.register("p", 64);
        main.malloc(pointer, 1 << 40, site);
        main.ret(zero());
    });
    assert_eq!(unsupported(&program), "an allocation of 1099511627776 bytes");

    let program = main_only(Assembly::new(), |main| {
        main.then(Action::Call { target: None, callee: Callee::Direct(FunctionId(0)), arguments: vec![] });
        main.ret(zero());
    });
    assert_eq!(unsupported(&program), "recursion deeper than 10000");
}

#[test]
fn registers_must_be_assigned_before_they_are_read() {
    let program = main_only(Assembly::new(), |main| {
        let register = main.register("x", 32);
        main.ret(register);
    });
    let end = go(&program).end;
    assert!(matches!(end, RunEnd::Outcome { outcome: Outcome::Internal(_), .. }), "{end:?}");
}

#[test]
fn atomic_accesses_are_checked_like_others() {
    let undefined = undefined_in(|main| {
        let value = main.register("", 32);
        main.then(Action::Atomic(vec![AtomicStep::Read { target: value.0, access: atomic(number(0), 4) }]));
    });
    assert_eq!(undefined, Undefined::NullDereference);
}
