//! States taken apart and put together; mutual exclusion as races.

use selvedge_program::assemble::{Assembly, address, plain};
use selvedge_program::semantics::memory::NextSerials;
use selvedge_program::semantics::{Instance, Plainest, Semantics, State};
use selvedge_program::{EdgeId, Expr, FunctionId, Program, Region, RegionError, ThreadIndex};

const MAIN: ThreadIndex = ThreadIndex(0);
const WORKER: ThreadIndex = ThreadIndex(1);

fn program() -> Program {
    let mut assembly = Assembly::new();
    let counter = assembly.global("counter", 4);
    let own = assembly.global("own", 4);
    assembly.function("main", Some(32), |main| {
        let thread = main.register("thread", 64);
        main.spawn(thread, FunctionId(1), Expr::constant(64, 0));
        main.store(plain(address(own), 4), Expr::constant(32, 7));
        main.store(plain(address(counter), 4), Expr::constant(32, 1));
        main.ret(Expr::constant(32, 0));
    });
    assembly.function("worker", Some(64), |worker| {
        worker.parameter("arg", 64);
        worker.store(plain(address(counter), 4), Expr::constant(32, 2));
        worker.ret(Expr::constant(64, 0));
    });
    assembly.program
}

fn started(semantics: &Semantics<'_>) -> State {
    let state = semantics.initial().expect("the program starts");
    semantics.step(&state, MAIN, EdgeId(0), &mut Plainest).expect("main starts the worker").0
}

/// Whether an object is `own`, which only `main` uses.
fn is_own(instance: Instance) -> bool {
    instance == Instance::Static(selvedge_program::ObjectId(1))
}

#[test]
fn what_is_taken_apart_can_be_put_together() {
    let program = program();
    let semantics = Semantics::new(&program);
    let whole = started(&semantics);
    let mut state = whole.clone();
    let main = state.detach(MAIN, NextSerials::default(), &|instance, _| is_own(instance));
    let worker = state.detach(WORKER, NextSerials::default(), &|_, _| false);
    assert_eq!((main.blocks.len(), worker.blocks.len()), (1, 0));
    assert!(state.is_live(MAIN) && state.is_live(WORKER), "it still shows that they run");
    assert!(state.memory().block(main.blocks[0].0).is_none());
    state.attach(WORKER, &worker);
    state.attach(MAIN, &main);
    assert_eq!(state, whole);
}

#[test]
fn a_step_does_not_need_the_parts_of_others() {
    let program = program();
    let semantics = Semantics::new(&program);
    let whole = started(&semantics);
    let split = |state: &State| {
        let mut state = state.clone();
        let main = state.detach(MAIN, NextSerials::default(), &|instance, _| is_own(instance));
        let worker = state.detach(WORKER, NextSerials::default(), &|_, _| false);
        (state, main, worker)
    };
    let (shared, main, worker) = split(&whole);
    let (after, _) = semantics.step(&whole, WORKER, EdgeId(0), &mut Plainest).expect("the worker stores");
    let mut alone = shared.clone();
    alone.attach(WORKER, &worker);
    let (alone, _) = semantics.step(&alone, WORKER, EdgeId(0), &mut Plainest).expect("it stores by itself too");
    let mut alone = alone;
    let moved = alone.detach(WORKER, NextSerials::default(), &|_, _| false);
    assert_eq!((alone, main, moved), split(&after));
}

#[test]
fn touching_what_belongs_to_a_part_that_is_not_there_fails() {
    let program = program();
    let semantics = Semantics::new(&program);
    let mut state = started(&semantics);
    let mut main = state.detach(MAIN, NextSerials::default(), &|instance, _| is_own(instance));
    main.blocks.clear();
    state.attach(MAIN, &main);
    assert!(semantics.step(&state, MAIN, EdgeId(1), &mut Plainest).is_err());
}

#[test]
fn threads_can_be_renumbered() {
    let program = program();
    let semantics = Semantics::new(&program);
    let mut state = started(&semantics);
    let mut main = state.detach(MAIN, NextSerials::default(), &|_, _| false);
    let third = state.add_detached();
    state.renumber(8, &[MAIN, third, WORKER]);
    assert_eq!(state.thread_count(), 3);
    main.rename(8, &|thread| Some(if thread == WORKER { third } else { thread }));
    let handle = main.thread.frames[0].registers[0].clone();
    assert_eq!(
        handle.and_then(|value| value.as_pointer()).map(|pointer| pointer.object),
        Some(Instance::Thread(third))
    );
    main.rename(8, &|thread| (thread == MAIN).then_some(MAIN));
    let handle = main.thread.frames[0].registers[0].clone();
    assert!(handle.is_some_and(|value| value.as_pointer().is_none()), "a forgotten thread's handle cannot be used");
}

#[test]
fn two_threads_at_a_label_are_a_race() {
    let mut program = program();
    for function in &mut program.functions {
        let location = function.edges.iter().rev().nth(1).map(|edge| edge.source).expect("there is a store");
        function.locations[location.index()].label = Some("critical".to_owned());
    }
    assert_eq!(program.make_exclusive(&[Region::parse("nowhere")], "x"), Err(RegionError::NoLabel("nowhere".into())));
    let object = program.make_exclusive(&[Region::parse("critical")], "critical").expect("there is such a label");
    assert_eq!(program.validate(), Ok(()));
    let semantics = Semantics::new(&program);
    let state = started(&semantics);
    let on_it = |state: &State| {
        let races = semantics.races(state);
        races.iter().any(|race| {
            matches!(race.first.spot, selvedge_program::semantics::Spot::Bytes { object: Instance::Static(at), .. } if at == object)
        })
    };
    assert!(!on_it(&state), "main is not there yet");
    let (state, _) = semantics.step(&state, MAIN, EdgeId(1), &mut Plainest).expect("main goes on");
    assert!(on_it(&state));
}
