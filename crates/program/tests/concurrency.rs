//! Threads: races, locks, waiting, deadlock, atomic sections, the end of threads and of the process, and traces.

mod common;

use std::collections::HashSet;

use common::{go, status};
use selvedge_program::assemble::{Assembly, Code, address, atomic, ghost, plain};
use selvedge_program::run::{RoundRobin, RunEnd, run};
use selvedge_program::semantics::{
    AccessKind, Answers, Effects, GhostKey, Instance, Outcome, Plainest, Question, Semantics, Spot, Standing, State,
    Value,
};
use selvedge_program::trace::{ReplayError, Trace, TraceEnd, TraceStep, replay};
use selvedge_program::{
    Action, AtomicStep, Base, BinaryOp, CheckId, EdgeId, Expr, FunctionId, GhostField, ObjectId, Program, ThreadIndex,
};

const MAIN: ThreadIndex = ThreadIndex(0);
const FIRST: ThreadIndex = ThreadIndex(1);
const SECOND: ThreadIndex = ThreadIndex(2);

fn int(value: u128) -> Expr {
    Expr::constant(32, value)
}

fn null() -> Expr {
    Expr::constant(64, 0)
}

/// Two workers add 1 to a counter, with or without a mutex; `main` asserts the sum.
fn counters(locked: bool) -> Program {
    let mut assembly = Assembly::new();
    let (counter, mutex) = (assembly.global("counter", 4), assembly.global("mutex", 8));
    let check = assembly.check("counter == 2");
    assembly.with_workers(
        2,
        |worker| {
            let tmp = worker.register("tmp", 32);
            if locked {
                worker.lock(address(mutex));
            }
            worker.load(tmp, plain(address(counter), 4));
            worker.store(plain(address(counter), 4), Expr::binary(BinaryOp::Add, tmp.into(), int(1)));
            if locked {
                worker.unlock(address(mutex));
            }
        },
        |main| {
            let sum = main.register("sum", 32);
            main.load(sum, plain(address(counter), 4));
            main.assert(Expr::equal(sum.into(), int(2)), check);
        },
    );
    assembly.finish()
}

/// What an exhaustive search over schedules finds.
#[derive(Debug, Default, PartialEq, Eq)]
struct Found {
    states: usize,
    racy: bool,
    deadlocked: bool,
    outcomes: Vec<Outcome>,
    statuses: HashSet<i128>,
}

/// Walks every reachable state, with plain answers to choices and with every thread for a choice of one.
fn explore(program: &Program) -> Found {
    let semantics = Semantics::new(program);
    let initial = semantics.initial().expect("starts");
    let mut found = Found::default();
    let mut seen = HashSet::from([initial.clone()]);
    let mut work = vec![initial];
    while let Some(state) = work.pop() {
        found.states += 1;
        found.racy |= !semantics.races(&state).is_empty();
        found.deadlocked |= semantics.deadlocked(&state);
        found.statuses.extend(state.exit_status().map(|status| status.as_signed()));
        for thread in state.thread_indices() {
            for enabled in semantics.enabled(&state, thread) {
                for next in successors(&semantics, &state, thread, enabled.edge, &[]) {
                    match next {
                        Ok(next) => {
                            if seen.insert(next.clone()) {
                                work.push(next);
                            }
                        }
                        Err(outcome) => {
                            if !found.outcomes.contains(&outcome) {
                                found.outcomes.push(outcome);
                            }
                        }
                    }
                }
            }
        }
    }
    found
}

fn successors(
    semantics: &Semantics<'_>,
    state: &State,
    thread: ThreadIndex,
    edge: EdgeId,
    answers: &[Value],
) -> Vec<Result<State, Outcome>> {
    match semantics.step(state, thread, edge, &mut Answers::new(answers)) {
        Ok((next, _)) => vec![Ok(next)],
        Err(Outcome::NeedsChoice(question)) => {
            let choices = match &question {
                Question::Thread(threads) => {
                    threads.iter().map(|thread| Value::to_start_of(Instance::Thread(*thread))).collect()
                }
                Question::Number { .. } | Question::Address { .. } => vec![question.plainest()],
            };
            let with = |choice| successors(semantics, state, thread, edge, &[answers, &[choice]].concat());
            choices.into_iter().flat_map(with).collect()
        }
        Err(outcome) => vec![Err(outcome)],
    }
}

#[test]
fn without_a_lock_the_counter_races_and_an_update_is_lost() {
    let found = explore(&counters(false));
    assert!(found.racy);
    assert_eq!(found.outcomes, [Outcome::AssertionFailed(CheckId(0))]);
    assert!(!found.deadlocked);
}

#[test]
fn with_a_lock_nothing_goes_wrong() {
    let found = explore(&counters(true));
    assert!(!found.racy && !found.deadlocked && found.outcomes.is_empty(), "{found:?}");
    assert_eq!(found.statuses, HashSet::from([0]));
    assert_eq!(status(&counters(true)), 0);
}

fn steps(schedule: &[(ThreadIndex, u32)]) -> Vec<TraceStep> {
    let step = |(thread, edge): &(ThreadIndex, u32)| TraceStep {
        thread: *thread,
        function: FunctionId(u32::from(*thread != MAIN)),
        edge: EdgeId(*edge),
        choices: Vec::new(),
    };
    schedule.iter().map(step).collect()
}

/// Both load, both store, all end; `main` joins and asserts.
const LOST_UPDATE: [(ThreadIndex, u32); 12] = [
    (MAIN, 0),
    (MAIN, 1),
    (FIRST, 0),
    (SECOND, 0),
    (FIRST, 1),
    (SECOND, 1),
    (FIRST, 2),
    (SECOND, 2),
    (MAIN, 2),
    (MAIN, 3),
    (MAIN, 4),
    (MAIN, 5),
];

#[test]
fn a_trace_shows_the_lost_update_and_names_what_changed() {
    let program = counters(false);
    let trace = Trace { steps: steps(&LOST_UPDATE), end: TraceEnd::AssertionFailed(CheckId(0)) };
    let replayed = replay(&program, &trace).expect("the schedule is real");
    assert_eq!(replayed.outcome, Some(Outcome::AssertionFailed(CheckId(0))));
    let told = |effects: &Effects| {
        let change = |change: &selvedge_program::semantics::Change| {
            format!("{}: {} -> {}", change.name, change.old_text, change.new_text)
        };
        effects.changes.iter().map(change).collect::<Vec<_>>().join(", ")
    };
    assert_eq!(told(&replayed.effects[0]), "t0:  -> thread 1");
    assert_eq!(told(&replayed.effects[3]), "tmp:  -> 0");
    assert_eq!(told(&replayed.effects[4]), "counter: 0 -> 1");
    assert_eq!(told(&replayed.effects[5]), "counter: 1 -> 1");
    assert_eq!(told(&replayed.effects[8]), "thread 1.status: 1 -> 2, r2:  -> 1");
}

#[test]
fn a_trace_that_claims_too_much_is_refused() {
    let program = counters(false);
    let refused = |steps: Vec<TraceStep>, end| replay(&program, &Trace { steps, end }).expect_err("refused");
    let orderly = steps(&[
        (MAIN, 0),
        (MAIN, 1),
        (FIRST, 0),
        (FIRST, 1),
        (FIRST, 2),
        (SECOND, 0),
        (SECOND, 1),
        (SECOND, 2),
        (MAIN, 2),
        (MAIN, 3),
        (MAIN, 4),
        (MAIN, 5),
    ]);
    let end = TraceEnd::AssertionFailed(CheckId(0));
    assert_eq!(refused(orderly, end), ReplayError::Unproven(end));
    assert!(matches!(
        refused(steps(&[(MAIN, 0), (MAIN, 1), (MAIN, 2)]), TraceEnd::Nothing),
        ReplayError::Step { step: 2, outcome: Outcome::Disabled, .. }
    ));
    assert!(matches!(
        refused(steps(&[(MAIN, 1)]), TraceEnd::Nothing),
        ReplayError::Step { step: 0, outcome: Outcome::Internal(_), .. }
    ));
    assert_eq!(refused(steps(&[(MAIN, 0)]), TraceEnd::Deadlock), ReplayError::Unproven(TraceEnd::Deadlock));
    let chatty = TraceStep { thread: MAIN, function: FunctionId(0), edge: EdgeId(0), choices: vec![Value::bits(1, 0)] };
    assert_eq!(refused(vec![chatty], TraceEnd::Nothing), ReplayError::UnusedChoices { step: 0 });
}

#[test]
fn a_trace_shows_the_race() {
    let program = counters(false);
    let before = steps(&LOST_UPDATE[..3]);
    let trace = Trace { steps: before, end: TraceEnd::Race(SECOND, FIRST) };
    let races = replay(&program, &trace).expect("they race").races;
    assert_eq!(races.len(), 1);
    assert_eq!((races[0].first.kind, races[0].second.kind), (AccessKind::Write, AccessKind::Read));
    let counter = Spot::Bytes { object: Instance::Static(ObjectId(0)), offset: 0, size: 4 };
    assert_eq!(races[0].first.spot, counter);
    let others = Trace { end: TraceEnd::Race(MAIN, FIRST), ..trace };
    let refused = replay(&program, &others).expect_err("it is not these two that race");
    assert_eq!(refused, ReplayError::Unproven(others.end));
}

/// Whether accesses of two workers, one each, race.
fn race_between(first: impl Fn(&mut Code), second: impl Fn(&mut Code)) -> bool {
    let mut assembly = Assembly::new();
    assembly.object("x", selvedge_program::ObjectKind::Global, 16, 16, selvedge_program::Shape::Opaque);
    assembly.function("main", Some(32), |main| {
        let threads = [main.register("a", 64), main.register("b", 64)];
        main.spawn(threads[0], FunctionId(1), null());
        main.spawn(threads[1], FunctionId(2), null());
        main.join(threads[0]);
        main.join(threads[1]);
        main.ret(int(0));
    });
    for code in [&first as &dyn Fn(&mut Code), &second] {
        assembly.function("worker", Some(64), |worker| {
            code(worker);
            worker.ret(null());
        });
    }
    explore(&assembly.finish()).racy
}

#[test]
fn what_races_and_what_does_not() {
    let x = || address(ObjectId(0));
    let write = |offset: u64, size: u32| {
        move |code: &mut Code| {
            code.store(plain(x().plus(offset), size), Expr::constant(size * 8, 1));
        }
    };
    let read = |code: &mut Code| {
        let value = code.register("", 32);
        code.load(value, plain(x(), 4));
    };
    let atomic_write = |code: &mut Code| {
        code.store(atomic(x(), 4), int(1));
    };
    let in_section = |code: &mut Code| {
        code.then(Action::AtomicBegin);
        code.store(plain(x(), 4), int(1));
        code.then(Action::AtomicEnd);
    };
    let print = |code: &mut Code| {
        let piece = selvedge_program::OutputPiece::CString("%s".to_owned(), x());
        code.then(Action::Output(vec![piece]));
    };
    assert!(race_between(write(0, 4), write(0, 4)));
    assert!(race_between(write(0, 4), read));
    assert!(!race_between(read, read), "reads do not race");
    assert!(race_between(write(0, 8), write(4, 4)), "overlapping bytes race");
    assert!(!race_between(write(0, 4), write(4, 4)), "neighbouring bytes do not");
    assert!(race_between(atomic_write, read), "an atomic access races with a plain one");
    assert!(!race_between(atomic_write, atomic_write), "but not with another atomic one");
    assert!(!race_between(in_section, in_section), "nor do accesses within atomic sections");
    assert!(!race_between(in_section, atomic_write));
    assert!(race_between(in_section, read), "a thread that a section holds up is still about to access");
    assert!(race_between(write(0, 1), print), "printing a string reads it");
}

/// Two threads that take two locks, in the same order or not.
fn two_locks(crossed: bool) -> Program {
    let mut assembly = Assembly::new();
    let (a, b) = (assembly.global("a", 8), assembly.global("b", 8));
    assembly.function("main", Some(32), |main| {
        let thread = main.register("t", 64);
        main.spawn(thread, FunctionId(1), null());
        main.lock(address(a));
        main.lock(address(b));
        main.unlock(address(b));
        main.unlock(address(a));
        main.join(thread);
        main.ret(int(0));
    });
    assembly.function("worker", Some(64), |worker| {
        let (first, second) = if crossed { (b, a) } else { (a, b) };
        worker.lock(address(first));
        worker.lock(address(second));
        worker.unlock(address(second));
        worker.unlock(address(first));
        worker.ret(null());
    });
    assembly.finish()
}

#[test]
fn crossed_locks_deadlock() {
    assert!(!explore(&two_locks(false)).deadlocked);
    let program = two_locks(true);
    assert!(explore(&program).deadlocked);
    let schedule = steps(&[(MAIN, 0), (MAIN, 1), (FIRST, 0)]);
    let replayed =
        replay(&program, &Trace { steps: schedule, end: TraceEnd::Deadlock }).expect("they wait in a circle");
    let semantics = Semantics::new(&program);
    assert_eq!(semantics.standing(&replayed.state, MAIN), Standing::Waiting);
    assert_eq!(semantics.standing(&replayed.state, FIRST), Standing::Waiting);
    let owner = GhostKey { object: Some(Instance::Static(ObjectId(0))), offset: 0, field: GhostField::MutexOwner };
    assert_eq!(replayed.state.ghost(owner), Some(&Value::to_start_of(Instance::Thread(MAIN))));
}

/// A waiter that sleeps until it is woken, or spuriously; `main` wakes it or not.
fn sleeper(wakes: bool) -> Program {
    let mut assembly = Assembly::new();
    let cond = assembly.global("cond", 8);
    let own = || ghost(Expr::address(Base::SelfThread, 64), GhostField::WaitingOn);
    assembly.function("main", Some(32), |main| {
        let thread = main.register("t", 64);
        main.spawn(thread, FunctionId(1), null());
        if wakes {
            let (field, equals) = (GhostField::WaitingOn, address(cond));
            main.then(Action::Atomic(vec![AtomicStep::WriteThreads { field, equals, value: null() }]));
        }
        main.join(thread);
        main.ret(int(0));
    });
    assembly.function("worker", Some(64), |worker| {
        let on = worker.register("on", 64);
        let sleep = AtomicStep::Write { when: Expr::truth(), access: own(), value: address(cond) };
        worker.then(Action::Atomic(vec![sleep]));
        let asleep = worker.here();
        let read = AtomicStep::Read { target: on.0, access: own() };
        worker.then(Action::Atomic(vec![read, AtomicStep::Guard(Expr::equal(on.into(), null()))]));
        let awake = worker.here();
        let wake = AtomicStep::Write { when: Expr::truth(), access: own(), value: null() };
        worker.edge(asleep, awake, Action::Atomic(vec![AtomicStep::Spurious, wake]));
        worker.ret(null());
    });
    assembly.finish()
}

#[test]
fn spurious_wake_ups_happen_but_do_not_prevent_deadlock() {
    let found = explore(&sleeper(false));
    assert!(found.deadlocked, "only a spurious wake-up could help");
    assert_eq!(found.statuses, HashSet::from([0]), "but it may happen");
    assert_eq!(go(&sleeper(false)).end, RunEnd::Deadlock);
    let found = explore(&sleeper(true));
    assert!(found.deadlocked, "the notification may come too early");
    let slow = run(&sleeper(true), &mut RoundRobin::new(1), 100);
    assert!(matches!(slow.end, RunEnd::Exit(_)), "{slow:?}");
}

#[test]
fn picking_a_thread_asks_only_when_there_are_several() {
    for workers in 0..3 {
        let mut assembly = Assembly::new();
        let cond = assembly.global("cond", 8);
        assembly.function("main", Some(32), |main| {
            let (thread, picked) = (main.register("t", 64), main.register("picked", 64));
            for _ in 0..workers {
                main.spawn(thread, FunctionId(1), null());
            }
            let pick = AtomicStep::PickThread { target: picked.0, field: GhostField::WaitingOn, equals: address(cond) };
            main.then(Action::Atomic(vec![pick]));
            main.ret(int(0));
        });
        assembly.function("worker", Some(64), |worker| {
            let access = ghost(Expr::address(Base::SelfThread, 64), GhostField::WaitingOn);
            let step = AtomicStep::Write { when: Expr::truth(), access, value: address(cond) };
            worker.then(Action::Atomic(vec![step]));
            worker.ret(null());
        });
        let program = assembly.finish();
        let mut schedule: Vec<_> = (0..workers).map(|edge| (MAIN, edge)).collect();
        schedule.extend((1..=workers).map(|thread| (ThreadIndex(thread), 0)));
        let trace = Trace { steps: steps(&schedule), end: TraceEnd::Nothing };
        let state = replay(&program, &trace).expect("possible").state;
        let semantics = Semantics::new(&program);
        let outcome = semantics.step(&state, MAIN, EdgeId(workers), &mut Answers::new(&[]));
        let picked = outcome.map(|(state, _)| common::register(&state, 1).expect("assigned"));
        match workers {
            0 => assert_eq!(picked, Ok(Value::bits(64, 0))),
            1 => assert_eq!(picked, Ok(Value::to_start_of(Instance::Thread(FIRST)))),
            _ => {
                let question = Question::Thread(vec![FIRST, SECOND]);
                assert_eq!(picked, Err(Outcome::NeedsChoice(question)));
                let second = [Value::to_start_of(Instance::Thread(SECOND))];
                assert!(semantics.step(&state, MAIN, EdgeId(2), &mut Answers::new(&second)).is_ok());
                let main = [Value::to_start_of(Instance::Thread(MAIN))];
                assert!(semantics.step(&state, MAIN, EdgeId(2), &mut Answers::new(&main)).is_err());
            }
        }
    }
}

#[test]
fn an_atomic_section_holds_the_others_up() {
    let mut assembly = Assembly::new();
    let x = assembly.global("x", 4);
    let check = assembly.check("nobody else writes");
    assembly.with_workers(
        2,
        |worker| {
            let (one, two) = (worker.register("one", 32), worker.register("two", 32));
            worker.then(Action::AtomicBegin);
            worker.then(Action::AtomicBegin);
            worker.load(one, plain(address(x), 4));
            worker.then(Action::AtomicEnd);
            worker.load(two, plain(address(x), 4));
            worker.store(plain(address(x), 4), Expr::binary(BinaryOp::Add, two.into(), int(1)));
            worker.assert(Expr::equal(one.into(), two.into()), check);
            worker.then(Action::AtomicEnd);
        },
        |_| {},
    );
    let program = assembly.finish();
    let found = explore(&program);
    assert!(found.outcomes.is_empty() && !found.racy && !found.deadlocked, "{found:?}");
    assert_eq!(status(&program), 0);
    let trace = Trace { steps: steps(&[(MAIN, 0), (MAIN, 1), (FIRST, 0)]), end: TraceEnd::Nothing };
    let state = replay(&program, &trace).expect("possible").state;
    let semantics = Semantics::new(&program);
    assert_eq!(semantics.standing(&state, SECOND), Standing::HeldUp);
    assert_eq!(semantics.standing(&state, MAIN), Standing::Waiting);
    assert!(semantics.enabled(&state, SECOND).is_empty());
    let outcome = semantics.step(&state, SECOND, EdgeId(0), &mut Plainest);
    assert_eq!(outcome.map(|_| ()), Err(Outcome::Disabled));
}

#[test]
fn a_failed_assumption_gives_the_execution_up() {
    let mut assembly = Assembly::new();
    let assume = |worker: &mut Code| {
        worker.then(Action::Assume(Expr::falsehood()));
    };
    assembly.with_workers(1, assume, |_| {});
    let program = assembly.finish();
    assert_eq!(go(&program).end, RunEnd::Abandoned);
    assert!(!explore(&program).deadlocked, "a failed assumption is no deadlock");
}

#[test]
fn mains_return_ends_the_process_and_its_thread_exit_does_not() {
    let program = |exit: Action| {
        let mut assembly = Assembly::new();
        let x = assembly.global("x", 4);
        assembly.function("main", Some(32), |main| {
            let thread = main.register("t", 64);
            main.spawn(thread, FunctionId(1), null());
            main.then(exit);
        });
        assembly.function("worker", Some(64), |worker| {
            worker.store(plain(address(x), 4), int(1));
            worker.ret(null());
        });
        assembly.finish()
    };
    let result = go(&program(Action::Return { value: Some(int(7)) }));
    assert!(matches!(result.end, RunEnd::Exit(status) if status.unsigned() == 7));
    assert_eq!(result.steps, 2, "the worker never moves");
    let result = go(&program(Action::Exit { status: int(9) }));
    assert!(matches!(result.end, RunEnd::Exit(status) if status.unsigned() == 9));
    let result = go(&program(Action::ThreadExit { value: null() }));
    assert!(matches!(result.end, RunEnd::Exit(status) if status.is_zero()));
    assert_eq!(result.steps, 4, "the worker goes on to its end");
}

#[test]
fn a_join_gets_the_result_and_surplus_arguments_are_dropped() {
    let mut assembly = Assembly::new();
    assembly.function("main", Some(32), |main| {
        let (thread, result) = (main.register("t", 64), main.register("r", 64));
        main.spawn(thread, FunctionId(1), null());
        main.join(thread);
        let access = ghost(thread.into(), GhostField::ThreadResult);
        main.then(Action::Atomic(vec![AtomicStep::Read { target: result.0, access }]));
        main.ret(Expr::from(result).resize_unsigned(32));
    });
    assembly.function("worker", Some(64), |worker| worker.ret(Expr::constant(64, 77)));
    assert_eq!(status(&assembly.finish()), 77);
}

#[test]
fn names_of_objects_do_not_depend_on_the_schedule() {
    let mut assembly = Assembly::new();
    let site = assembly.site();
    assembly.with_workers(
        2,
        |worker| {
            let pointer = worker.register("p", 64);
            worker.malloc(pointer, 8, site);
            worker.then(Action::Free { address: pointer.into() });
        },
        |_| {},
    );
    let program = assembly.finish();
    let state = |order: &[(ThreadIndex, u32)]| {
        let schedule = [&[(MAIN, 0), (MAIN, 1)], order].concat();
        let trace = Trace { steps: steps(&schedule), end: TraceEnd::Nothing };
        replay(&program, &trace).expect("possible").state
    };
    assert_eq!(state(&[(FIRST, 0), (SECOND, 0)]), state(&[(SECOND, 0), (FIRST, 0)]));
    assert_eq!(state(&[(FIRST, 0), (FIRST, 1), (SECOND, 0)]), state(&[(SECOND, 0), (FIRST, 0), (FIRST, 1)]));
}

#[test]
fn ghost_fields_die_with_their_object() {
    let mut assembly = Assembly::new();
    let site = assembly.site();
    assembly.with_workers(
        1,
        |worker| {
            let local = worker.local("m", 8, 8);
            let pointer = worker.register("p", 64);
            worker.malloc(pointer, 8, site);
            worker.lock(local);
            worker.lock(pointer.into());
            worker.then(Action::Free { address: pointer.into() });
        },
        |_| {},
    );
    let program = assembly.finish();
    let schedule = [(MAIN, 0), (FIRST, 0), (FIRST, 1), (FIRST, 2), (FIRST, 3), (FIRST, 4)];
    let ghosts = |length: usize| {
        let trace = Trace { steps: steps(&schedule[..length]), end: TraceEnd::Nothing };
        let state = replay(&program, &trace).expect("possible").state;
        state.ghosts().filter(|(key, _)| key.field == GhostField::MutexOwner).count()
    };
    assert_eq!([4, 5, 6].map(ghosts), [2, 1, 0], "both held, one freed, one returned from");
}

#[test]
fn a_run_notices_when_threads_can_move_again() {
    let mut assembly = Assembly::new();
    let mutex = assembly.global("m", 8);
    assembly.function("main", Some(32), |main| {
        let thread = main.register("t", 64);
        main.lock(address(mutex));
        main.spawn(thread, FunctionId(1), null());
        main.assign(thread, thread);
        main.assign(thread, thread);
        main.unlock(address(mutex));
        main.join(thread);
        main.ret(int(0));
    });
    assembly.function("worker", Some(64), |worker| {
        worker.lock(address(mutex));
        worker.ret(null());
    });
    let result = run(&assembly.finish(), &mut RoundRobin::new(1), 100);
    assert!(matches!(result.end, RunEnd::Exit(_)), "an unlock lets the waiting thread go on: {result:?}");

    let mut assembly = Assembly::new();
    let flag = assembly.global("flag", 4);
    assembly.function("main", Some(32), |main| {
        let thread = main.register("t", 64);
        main.spawn(thread, FunctionId(1), null());
        main.store(atomic(address(flag), 4), int(1));
        main.join(thread);
        main.ret(int(0));
    });
    assembly.function("worker", Some(64), |worker| {
        let seen = worker.register("seen", 32);
        worker.then(Action::AtomicBegin);
        worker.then(Action::AtomicEnd);
        let head = worker.here();
        worker.load(seen, atomic(address(flag), 4));
        let out = worker.branch(Expr::equal(seen.into(), int(0)));
        worker.goto(head);
        worker.at(out);
        worker.ret(null());
    });
    let result = run(&assembly.finish(), &mut RoundRobin::new(1), 100);
    assert!(matches!(result.end, RunEnd::Exit(_)), "so does the end of an atomic section: {result:?}");
}
