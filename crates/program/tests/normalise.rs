//! Normal forms of states, and what a call tells its observer.

mod common;

use std::collections::HashSet;

use common::{finish, status};
use selvedge_program::assemble::{Assembly, address, plain};
use selvedge_program::semantics::{Plainest, Semantics, State};
use selvedge_program::{Action, BinaryOp, EdgeId, Expr, FunctionId, Program, ThreadIndex};

const MAIN: ThreadIndex = ThreadIndex(0);

fn int(value: u128) -> Expr {
    Expr::constant(32, value)
}

fn null() -> Expr {
    Expr::constant(64, 0)
}

/// Two threads, each with a heap object and a local mutex, whose ghost field dies with it.
fn threads() -> Program {
    let mut assembly = Assembly::new();
    let site = assembly.site();
    assembly.function("main", Some(32), |main| {
        let (first, second) = (main.register("a", 64), main.register("b", 64));
        main.spawn(first, FunctionId(1), null());
        main.spawn(second, FunctionId(1), null());
        main.join(first);
        main.join(second);
        main.ret(int(0));
    });
    assembly.function("worker", Some(64), |worker| {
        worker.parameter("arg", 64);
        let mutex = worker.local("m", 8, 8);
        let (early, late) = (worker.register("early", 64), worker.register("late", 64));
        worker.malloc(early, 8, site);
        worker.malloc(late, 8, site);
        worker.lock(mutex);
        worker.then(Action::Free { address: early.into() });
        worker.assign(early, null());
        worker.lock(late.into());
        worker.unlock(late.into());
        worker.ret(late);
    });
    finish(assembly)
}

/// `main` calls a function with a local for ever; the function keeps the address of its local in a global, or not.
fn endless_calls(keeps: bool) -> Program {
    let mut assembly = Assembly::new();
    let kept = assembly.global("kept", 8);
    let site = assembly.site();
    assembly.function("main", Some(32), |main| {
        let head = main.here();
        let callee = selvedge_program::Callee::Direct(FunctionId(1));
        main.then(Action::Call { target: None, callee, arguments: vec![int(3)] });
        main.goto(head);
    });
    assembly.function("callee", None, |callee| {
        callee.parameter("n", 32);
        let local = callee.local("x", 4, 4);
        let pointer = callee.register("p", 64);
        callee.malloc(pointer, 4, site);
        callee.then(Action::Free { address: pointer.into() });
        callee.store(plain(address(kept), 8), if keeps { local } else { null() });
        callee.then(Action::Return { value: None });
    });
    finish(assembly)
}

#[test]
fn normal_forms_come_back() {
    let rounds = |keeps| {
        let program = endless_calls(keeps);
        let semantics = Semantics::new(&program);
        let mut state = semantics.initial().expect("starts");
        let mut seen = HashSet::new();
        for _ in 0..100 {
            state.normalise();
            if !seen.insert(state.clone()) {
                break;
            }
            let edge = semantics.enabled(&state, MAIN)[0].edge;
            (state, _) = semantics.step(&state, MAIN, edge, &mut Plainest).expect("a step");
        }
        seen.len()
    };
    assert_eq!(rounds(false), 6, "one state for each location");
    assert!(rounds(true) <= 18, "two names are enough for a dangling pointer and a live local");
}

#[test]
fn a_call_tells_its_arguments() {
    let program = endless_calls(false);
    let semantics = Semantics::new(&program);
    let state = semantics.initial().expect("starts");
    let (_, effects) = semantics.step(&state, MAIN, EdgeId(0), &mut Plainest).expect("a call");
    let told: Vec<_> = effects.changes.iter().map(|change| (change.name.as_str(), change.new_text.as_str())).collect();
    assert_eq!(told, [("n", "3")]);
}

/// `main` builds and takes apart a list on the heap, and calls a function that adds to its local through a pointer.
fn lists() -> Program {
    let mut assembly = Assembly::new();
    let site = assembly.site();
    assembly.function("main", Some(32), |main| {
        let local = main.local("sum", 4, 4);
        let head = main.local("head", 8, 8);
        let (node, last, i, sum) =
            (main.register("node", 64), main.register("last", 64), main.register("i", 32), main.register("s", 32));
        main.store(plain(local.clone(), 4), int(0));
        main.store(plain(head.clone(), 8), null());
        main.assign(i, int(0));
        let again = main.here();
        let out = main.branch(Expr::binary(BinaryOp::LessSigned, i.into(), int(6)));
        main.malloc(node, 24, site);
        main.malloc(last, 8, site);
        main.load(last, plain(head.clone(), 8));
        main.store(plain(Expr::from(node).plus(8), 8), last);
        main.store(plain(head.clone(), 8), node);
        let callee = selvedge_program::Callee::Direct(FunctionId(1));
        main.then(Action::Call { target: None, callee, arguments: vec![local.clone(), head.clone()] });
        main.assign(i, Expr::binary(BinaryOp::Add, i.into(), int(1)));
        main.goto(again);
        main.at(out);
        main.load(sum, plain(local, 4));
        main.ret(sum);
    });
    assembly.function("add", None, |add| {
        let (to, head) = (add.parameter("to", 64), add.parameter("head", 64));
        let own = add.local("own", 8, 8);
        let (node, value) = (add.register("node", 64), add.register("v", 32));
        add.store(plain(own.clone(), 8), to);
        add.load(node, plain(own, 8));
        add.load(value, plain(node.into(), 4));
        add.store(plain(node.into(), 4), Expr::binary(BinaryOp::Add, value.into(), int(7)));
        add.load(node, plain(head.into(), 8));
        add.load(node, plain(Expr::from(node).plus(8), 8));
        let empty = add.branch(Expr::from(node).is_true());
        add.store(plain(head.into(), 8), null());
        add.then(Action::Free { address: node.into() });
        add.then(Action::Return { value: None });
        add.edge(empty, empty, Action::Return { value: None });
    });
    finish(assembly)
}

#[test]
fn normal_forms_behave_as_the_states_they_stand_for() {
    for program in [lists(), threads()] {
        let semantics = Semantics::new(&program);
        let mut plain = semantics.initial().expect("starts");
        let mut normal = plain.clone();
        while plain.exit_status().is_none() {
            normal.normalise();
            let mut twice = normal.clone();
            twice.normalise();
            assert_eq!(twice, normal, "a normal form is its own normal form");
            let enabled = |state: &State| -> Vec<_> {
                state.thread_indices().map(|thread| semantics.enabled(state, thread)).collect()
            };
            assert_eq!(enabled(&plain), enabled(&normal));
            let (position, edges) =
                enabled(&plain).into_iter().enumerate().find(|(_, edges)| !edges.is_empty()).expect("no deadlock");
            let (thread, edge) = (ThreadIndex::new(position), edges[0].edge);
            (plain, _) = semantics.step(&plain, thread, edge, &mut Plainest).expect("a step");
            (normal, _) = semantics.step(&normal, thread, edge, &mut Plainest).expect("the same step");
        }
        assert_eq!(plain.exit_status(), normal.exit_status());
    }
    assert_eq!(status(&lists()), 42);
}
