//! What is found and what is left out, on programs built by hand.

mod common;

use common::{agreed, int, null};
use selvedge_analysis::{AbstractObject, Facts};
use selvedge_evidence::{Certificate, Findings, Notebook, Replicas, Scope, Task, Violation};
use selvedge_explicit::{Answer, Coverage, Exploration, Gap, Options, Reductions, Subject, Until, check, explore};
use selvedge_program::assemble::{Assembly, Code, address, ghost, plain};
use selvedge_program::trace::replay;
use selvedge_program::{
    Action, AtomicStep, Base, BinaryOp, Budget, Callee, Exhausted, Expr, FunctionId, GhostField, ObjectId, Program,
    Property, Quiet, Span, Undefined,
};
use std::collections::BTreeSet;
use std::sync::atomic::Ordering;

/// Two workers add 1 to a counter, with or without a mutex; `main` asserts the sum.
fn counters(locked: bool) -> Program {
    let mut assembly = Assembly::new();
    let (counter, mutex) = (assembly.global("counter", 4), assembly.global("mutex", 8));
    let check = assembly.check("counter == 2");
    assembly.with_workers(
        2,
        |worker| {
            if locked {
                worker.lock(address(mutex));
            }
            increment(worker, counter);
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

fn increment(code: &mut Code, counter: ObjectId) {
    let tmp = code.register("tmp", 32);
    code.load(tmp, plain(address(counter), 4));
    code.store(plain(address(counter), 4), Expr::binary(BinaryOp::Add, tmp.into(), int(1)));
}

fn with(program: &Program, options: &Options) -> Exploration {
    explore(program, options, &Budget::unlimited(), &mut Quiet).expect("no internal error")
}

#[test]
fn a_lock_makes_a_counter_safe() {
    let (plain, reduced) = agreed(&counters(true));
    assert!(plain.violations.is_empty() && plain.is_complete());
    assert_eq!(reduced.answer(Subject::Deadlock), Answer::Holds);
    assert!(reduced.statistics.states * 3 < plain.statistics.states);
}

#[test]
fn without_a_lock_it_races_and_loses_updates() {
    let program = counters(false);
    let (_, reduced) = agreed(&program);
    let race = Subject::Race(AbstractObject::Static(ObjectId(0)));
    let assertion = Subject::Assertion(selvedge_program::CheckId(0));
    assert!(matches!(reduced.answer(race), Answer::Violated(_)));
    assert!(matches!(reduced.answer(assertion), Answer::Violated(_)));
    assert_eq!(reduced.violations.len(), 2);
    for violation in &reduced.violations {
        replay(&program, &violation.trace).expect("is accepted");
    }
}

#[test]
fn only_what_is_asked_for_is_reported() {
    let program = counters(false);
    let options = Options { task: Task::about(&[Property::Assertion]), ..Options::default() };
    let exploration = with(&program, &options);
    assert_eq!(exploration.violations.len(), 1);
    let options = Options { task: Task { race_on: Some("other".to_owned()), ..Task::default() }, ..Options::default() };
    assert_eq!(with(&program, &options).of_property(Property::Race).count(), 0);
    let options =
        Options { task: Task { race_on: Some("counter".to_owned()), ..Task::default() }, ..Options::default() };
    assert_eq!(with(&program, &options).of_property(Property::Race).count(), 1);
    let options = Options { until: Until::FirstViolation, ..Options::default() };
    let exploration = with(&program, &options);
    assert_eq!((exploration.violations.len(), exploration.coverage), (1, Coverage::Stopped));
    assert!(!exploration.is_complete());
}

#[test]
fn two_locks_in_opposite_order_deadlock() {
    let mut assembly = Assembly::new();
    let (first, second) = (assembly.global("first", 8), assembly.global("second", 8));
    assembly.function("main", Some(32), |main| {
        let thread = main.register("thread", 64);
        main.spawn(thread, FunctionId(1), null());
        for mutex in [second, first] {
            main.lock(address(mutex));
        }
        main.ret(int(0));
    });
    assembly.function("worker", Some(64), |worker| {
        worker.parameter("arg", 64);
        for mutex in [first, second] {
            worker.lock(address(mutex));
        }
        worker.ret(null());
    });
    let (_, reduced) = agreed(&assembly.finish());
    assert!(matches!(reduced.answer(Subject::Deadlock), Answer::Violated(_)));
    assert_eq!(reduced.violations.len(), 1);
}

#[test]
fn a_spurious_wake_up_does_not_undo_a_deadlock_and_an_assumption_does() {
    let sleeper = |stopped: bool| {
        let mut assembly = Assembly::new();
        let queue = assembly.global("queue", 8);
        assembly.with_workers(
            1,
            |worker| {
                if stopped {
                    worker.then(Action::Assume(Expr::falsehood()));
                }
                let asleep = ghost(Expr::address(Base::SelfThread, 64), GhostField::WaitingOn);
                let woken = worker.register("", 64);
                let falls = AtomicStep::Write { when: Expr::truth(), access: asleep.clone(), value: address(queue) };
                worker.then(Action::Atomic(vec![falls]));
                let (before, after) = (worker.here(), worker.location());
                for spurious in [false, true] {
                    let mut steps = vec![AtomicStep::Read { target: woken.0, access: asleep.clone() }];
                    let awake = Expr::equal(woken.into(), null());
                    steps.push(AtomicStep::Guard(if spurious { awake.not() } else { awake }));
                    if spurious {
                        steps.insert(0, AtomicStep::Spurious);
                        let wakes = AtomicStep::Write { when: Expr::truth(), access: asleep.clone(), value: null() };
                        steps.push(wakes);
                    }
                    worker.edge(before, after, Action::Atomic(steps));
                }
                worker.at(after);
            },
            |_| {},
        );
        agreed(&assembly.finish()).1
    };
    assert_eq!(sleeper(false).of_property(Property::Deadlock).count(), 1);
    assert!(sleeper(true).violations.is_empty());
}

/// A loop that allocates, publishes, takes back and frees; and one that calls a function with an address-taken local.
#[test]
fn loops_that_allocate_have_finitely_many_states() {
    let mut assembly = Assembly::new();
    let (slot, turn) = (assembly.global("slot", 8), assembly.global("turn", 4));
    let site = assembly.site();
    assembly.function("main", Some(32), |main| {
        let (thread, pointer) = (main.register("thread", 64), main.register("pointer", 64));
        main.spawn(thread, FunctionId(1), null());
        let start = main.here();
        main.malloc(pointer, 4, site);
        main.store(selvedge_program::assemble::atomic(address(slot), 8), pointer);
        main.load(pointer, selvedge_program::assemble::atomic(address(slot), 8));
        main.then(Action::Free { address: pointer.into() });
        main.goto(start);
    });
    assembly.function("worker", Some(64), |worker| {
        worker.parameter("arg", 64);
        let result = worker.register("result", 32);
        let start = worker.here();
        let callee = Callee::Direct(FunctionId(2));
        worker.then(Action::Call { target: Some(result.0), callee, arguments: vec![] });
        worker.store(selvedge_program::assemble::atomic(address(turn), 4), result);
        worker.goto(start);
    });
    assembly.function("helper", Some(32), |helper| {
        let local = helper.local("local", 4, 4);
        let result = helper.register("result", 32);
        helper.store(plain(local.clone(), 4), int(5));
        helper.load(result, plain(local, 4));
        helper.ret(result);
    });
    let (plain, _) = agreed(&assembly.finish());
    assert!(plain.violations.is_empty() && plain.is_complete());
    assert!(plain.statistics.states < 200);
}

#[test]
fn undefined_behaviour_that_nobody_asked_about_is_named() {
    let mut assembly = Assembly::new();
    let check = assembly.check("never");
    assembly.function("main", Some(32), |main| {
        let number = main.register("number", 32);
        main.load(number, plain(null(), 4));
        main.assert(Expr::falsehood(), check);
        main.ret(int(0));
    });
    let program = assembly.finish();
    let options = Options { task: Task::about(&[Property::Assertion]), ..Options::default() };
    let exploration = with(&program, &options);
    let undefined = Undefined::NullDereference;
    assert_eq!(exploration.gaps, [Gap::Undefined { span: Span::NOWHERE, undefined }]);
    assert!(exploration.violations.is_empty() && exploration.is_complete());
    assert_eq!(with(&program, &Options::default()).of_property(Property::Memory).count(), 1);
}

#[test]
fn what_is_not_modelled_is_named() {
    let mut assembly = Assembly::new();
    assembly.function("main", Some(32), |main| {
        main.then(Action::Unsupported("setjmp".to_owned()));
    });
    let exploration = with(&assembly.finish(), &Options::default());
    assert_eq!(exploration.gaps, [Gap::Unsupported { span: Span::NOWHERE, what: "setjmp".to_owned() }]);
    assert_eq!(exploration.answer(Subject::Deadlock), Answer::Open);
}

/// `main` starts threads for ever.
fn endless_starts() -> Program {
    let mut assembly = Assembly::new();
    let counter = assembly.global("counter", 4);
    assembly.function("main", Some(32), |main| {
        let thread = main.register("thread", 64);
        let start = main.here();
        main.spawn(thread, FunctionId(1), null());
        main.goto(start);
    });
    assembly.function("worker", Some(64), |worker| {
        worker.parameter("arg", 64);
        increment(worker, counter);
        worker.ret(null());
    });
    assembly.finish()
}

#[test]
fn a_bound_on_threads_cuts_starts_off() {
    let program = endless_starts();
    let task = Task { threads: Replicas::AtMost(2), ..Task::about(&[Property::Deadlock]) };
    for reductions in Reductions::combinations() {
        let options = Options { task: task.clone(), reductions, ..Options::default() };
        // The counter grows with every thread: only the budget ends this.
        let options = Options { max_states: 5_000, ..options };
        let exploration = with(&program, &options);
        let cut = |cut: &Gap| matches!(cut, Gap::Threads { entry: FunctionId(1), bound: 2, .. });
        assert!(exploration.gaps.iter().any(cut), "{:?}", exploration.gaps);
        assert!(exploration.violations.is_empty() && !exploration.is_complete());
    }
}

#[test]
fn budgets_are_obeyed() {
    let program = endless_starts();
    let options = Options::default();
    let limits = [
        (Budget::unlimited().with_time(std::time::Duration::ZERO), Exhausted::Time),
        (Budget::unlimited().with_memory(100_000), Exhausted::Memory),
        (Budget::unlimited(), Exhausted::Cancelled),
    ];
    for (budget, limit) in limits {
        if limit == Exhausted::Cancelled {
            budget.cancel.store(true, std::sync::atomic::Ordering::Relaxed);
        }
        let exploration = explore(&program, &options, &budget, &mut Quiet).expect("no internal error");
        assert!(exploration.gaps.contains(&Gap::Limit(limit)), "{limit:?} {:?}", exploration.gaps);
        assert!(!exploration.is_complete());
    }
}

#[test]
fn symmetric_threads_count_once() {
    let states = |workers: usize, symmetry: bool| {
        let mut assembly = Assembly::new();
        let (counter, mutex) = (assembly.global("counter", 4), assembly.global("mutex", 8));
        assembly.with_workers(
            workers,
            |worker| {
                for _ in 0..2 {
                    worker.lock(address(mutex));
                    increment(worker, counter);
                    worker.unlock(address(mutex));
                }
            },
            |_| {},
        );
        let program = assembly.finish();
        let exploration = common::go(&program, Reductions { symmetry, ..Reductions::ALL });
        assert!(exploration.is_complete() && exploration.violations.is_empty());
        exploration.statistics.states
    };
    assert!(states(5, true) * 10 < states(5, false));
}

#[test]
fn what_is_found_is_told_and_the_rest_proved() {
    let program = counters(false);
    let notebook = Notebook::new();
    let answer = check(&Facts::of(&program), &Options::default(), &Budget::unlimited(), &mut Quiet, &notebook);
    assert!(answer.expect("no internal error").is_complete());
    let noted = notebook.noted();
    // Further races of the same object are told, too, and come after the first.
    let mut seen = BTreeSet::new();
    let first: Vec<_> = noted.violations.iter().filter(|violation| seen.insert(violation.subject)).cloned().collect();
    assert_eq!(first, with(&program, &Options::default()).violations);
    assert!(noted.violations.len() > first.len());
    assert!(!noted.violations.is_empty());
    assert!(matches!(noted.proofs.as_slice(), [(Scope::Rest, Certificate::Exhaustive { .. })]));
    assert_eq!(noted.bounds, []);
}

#[test]
fn a_bound_on_threads_is_told_in_words() {
    let notebook = Notebook::new();
    let options = Options { task: Task { threads: Replicas::AtMost(1), ..Task::default() }, ..Options::default() };
    let answer = check(&Facts::of(&counters(true)), &options, &Budget::unlimited(), &mut Quiet, &notebook);
    assert!(!answer.expect("no internal error").is_complete());
    let noted = notebook.noted();
    assert_eq!(noted.proofs, []);
    let words = "at most 1 thread running the same function at a time";
    assert_eq!(noted.bounds, [(Scope::Rest, words.to_owned())]);
    assert_eq!(noted.closed, [Scope::Rest]);
}

/// Cancels the run at the first violation.
#[derive(Debug)]
struct Impatient(Budget);

impl Findings for Impatient {
    fn violation(&self, _violation: Violation) {
        self.0.cancel.store(true, Ordering::Relaxed);
    }

    fn proved(&self, scope: &Scope, _certificate: Certificate) {
        panic!("{scope:?} is not proved by a run that was cancelled");
    }

    fn covered(&self, _scope: &Scope, _bound: &str) {}

    fn is_open(&self, _subject: Subject) -> bool {
        true
    }

    fn is_property_open(&self, _property: Property) -> bool {
        true
    }
}

/// Without telling at once this would never end: threads are started for ever, and they race.
#[test]
fn findings_are_told_before_the_end() {
    let program = endless_starts();
    let budget = Budget::unlimited();
    let answer = check(&Facts::of(&program), &Options::default(), &budget, &mut Quiet, &Impatient(budget.clone()));
    assert_eq!(answer.expect("no internal error").gaps, [Gap::Limit(Exhausted::Cancelled)]);
}
